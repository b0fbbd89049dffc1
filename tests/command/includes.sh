#!/usr/bin/env bash
# The folders of the source stand in an order, and a file includes only from its own folder and from those
# before it.  So the arrows between folders all go one way, and no circle is possible.  File names are
# unique, which lets an include do without a folder; and no file is so long that nobody reads it.  In the
# folders below src/pipeline, no two files include each other's headers, directly or through others.
#
# shellcheck source=tests/command/common.sh disable=SC1091,SC2154
. "$(dirname "$0")/common.sh" || exit 1

# Each line: a folder, then what it may include from beside itself and the folders of the lines above it
# that begin with one of these words.
order='src/base src/
src/filter src/
src/format src/
src/device src/
src/cpu src/
src/pipeline src/
src/report src/
src src/
kernels/emulator src/base src/device
kernels/dialect src/base src/device kernels/
kernels/host src/base src/filter src/device kernels/
kernels src/base src/filter src/device kernels/
kernels/cuda src/base src/filter src/device kernels/
kernels/emulated src/base src/filter src/device kernels/
kernels/probe src/base src/filter src/device kernels/'

source=$(cd "$here/../.." && pwd)
cd "$source" || exit 1
mapfile -t files < <(find src kernels -name '*.[ch]' -o -name '*.cc' -o -name '*.cu' -o -name '*.cuh' | sort)
[ ${#files[@]} -gt 100 ] || fail "only ${#files[@]} files of source were found in $source"

awk -v order="$order" '
  function folder_of(file) { sub("/[^/]*$", "", file); return file }
  function fault(text) { print "FAIL: " text; faults++ }
  BEGIN {
    lines = split(order, line, "\n")
    for (i = 1; i <= lines; i++) {
      split(line[i], word, " ")
      place[word[1]] = i
      allowed[word[1]] = substr(line[i], length(word[1]) + 1)
    }
    for (i = 1; i < ARGC; i++) {
      name = ARGV[i]
      sub(".*/", "", name)
      if (name in home)
        fault(ARGV[i] " has the name of a file in " home[name])
      home[name] = folder_of(ARGV[i])
    }
  }
  FNR == 1 { mine = folder_of(FILENAME); if (!(mine in place)) fault(mine " has no place in the order of folders") }
  FNR == 401 { fault(FILENAME " has more than 400 lines; it is two files") }
  /^#include "/ {
    split($0, quoted, "\"")
    other = quoted[2]
    if (!(other in home)) {
      if (other != "config.h" && other !~ /^stb_/)
        fault(FILENAME ":" FNR ": " other " is not in the source")
      next
    }
    other = home[other]
    if (other == mine)
      next
    ok = 0
    words = split(allowed[mine], word, " ")
    for (i = 1; i <= words; i++)
      ok = ok || index(other "/", word[i]) == 1
    if (!ok || place[other] > place[mine])
      fault(FILENAME ":" FNR ": " mine " includes from " other)
  }
  END { print ARGC - 1 " files, " faults + 0 " faults"; exit faults > 0 }
' "${files[@]}" || exit 1

# Name by name (filter_read.c and filter_read.h are one): tsort tells of circles, and fails then.
for folder in src/base src/filter src/format src/device src/cpu; do
	awk '
    function name_of(file) { sub(".*/", "", file); sub("\\.[a-z]*$", "", file); return file }
    /^#include "/ {
      split($0, quoted, "\"")
      print name_of(quoted[2]), name_of(FILENAME)
    }
  ' "$folder"/*.[ch] | awk '$1 != $2' | tsort >/dev/null 2>"$work/circle" ||
    fail "files in $folder include each other in a circle: $(paste -sd" " "$work/circle")"
done
