#!/usr/bin/env bash
# Looks at scripts, manual page and sources with shellcheck, mandoc and clang-format.
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

look shellcheck shellcheck -x bootstrap quickstart .ci/run bench/*.sh images/*.sh tests/*.sh \
  tests/*/*.sh
look shellcheck shellcheck -s bash completions/*.bash
look mandoc mandoc -T lint -W style man/*.1
look clang-format layout {src,kernels,tests,bench,images}/{,*/}*.{c,cc,h,cu,cuh}

echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
