#!/usr/bin/env bash
# Says how `make check` went, from the result files (.trs) that Automake leaves beside each log.
#
#   results.sh BUILD-DIRECTORY
#
# Names every test that did not pass, and ends with the line "N passed, N failed, N skipped".  Fails
# where a test failed; no results at all are a failure too.
set -u

if [ $# -ne 1 ]; then
  echo "usage: results.sh BUILD-DIRECTORY" >&2
  exit 2
fi

passed=0 failed=0 skipped=0
while IFS= read -r trs; do
  name=${trs#"$1"/}
  name=${name%.trs}
  result=$(sed -n 's/^:global-test-result: //p' "$trs")
  case $result in
    PASS | XFAIL) passed=$((passed + 1)) ;;
    SKIP)
      skipped=$((skipped + 1))
      reason=$(grep -m 1 '^SKIP: ' "${trs%.trs}.log" 2>/dev/null)
      echo "skipped: $name${reason:+ (${reason#SKIP: })}"
      ;;
    *)
      failed=$((failed + 1))
      echo "FAILED: $name, see ${trs%.trs}.log"
      ;;
  esac
done < <(find "$1/tests" -name '*.trs' 2>/dev/null | LC_ALL=C sort)

if [ $((passed + failed + skipped)) -eq 0 ]; then
  failed=1
  echo "FAILED: make check, before it came to the first test"
fi

echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
