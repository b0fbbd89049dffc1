#!/usr/bin/env bash
# Looks at scripts, manual page and sources with shellcheck, mandoc, groff and clang-format.
#
# A tool that is not installed is named, and counts as skipped.  Ends with the line
# "N passed, N failed, N skipped".
set -u
cd "$(dirname "$0")/.." || exit 1
shopt -s nullglob

passed=0 failed=0 skipped=0

# look TOOL COMMAND...: runs the command, if the tool is there.  Tools are named as their packages.
look()
{
  local tool=$1
  shift
  if ! command -v "$tool" >/dev/null; then
    skipped=$((skipped + 1))
    echo "lint: skipped: $tool is not installed (Debian: $tool)"
  elif "$@" </dev/null; then
    passed=$((passed + 1))
    echo "lint: $tool: nothing to say"
  else
    failed=$((failed + 1))
    echo "lint: $tool: see above"
  fi
}

# Names the files that clang-format -i would change.
layout()
{
  local file status=0
  for file; do
    if ! clang-format -n -Werror --style=file "$file" 2>/dev/null; then
      echo "$file: needs clang-format -i"
      status=1
    fi
  done
  return "$status"
}

# The manual page under groff, which is what Debian's `man` runs: no warnings, lines too long included.
warnings()
{
  ! groff -ww -mandoc -Tutf8 man/halo.1 2>&1 >/dev/null | grep .
}

# words COMMAND...: the words of a page as this program sets it, without its head and foot and without
# hyphenation, one on a line.
words()
{
  LC_ALL=C.UTF-8 "$@" man/halo.1 | col -bx | sed -e 1d -e '$d' -e 's/[–—]/-/g' -e 's/\xc2\xa0/ /g' |
    sed -z 's/‐\n *//g' | tr -s ' \n' '\n'
}

# groff and mandoc do not understand every line of a page alike: the words must be the same.
renderings()
{
  diff --label groff --label mandoc -u0 <(words groff -mandoc -Tutf8 -P-cbou) <(words mandoc -Tutf8)
}

look shellcheck shellcheck -x bootstrap quickstart .ci/run bench/*.sh images/*.sh tests/*.sh \
  tests/*/*.sh
look shellcheck shellcheck -s bash completions/*.bash
look mandoc mandoc -T lint -W style man/*.1
look groff warnings
if command -v mandoc >/dev/null; then
  look groff renderings
fi
look clang-format layout {src,kernels,tests,bench,images}/{,*/}*.{c,cc,h,cu,cuh}

echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
