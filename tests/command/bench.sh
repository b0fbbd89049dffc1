#!/usr/bin/env bash
# --bench and --probe as their readers see them: what is there, what is right, and the ways of telling it.
# No figure is looked at: tests don't depend on time.
set -u
# shellcheck source=tests/command/common.sh disable=SC1091
. "$(dirname "${BASH_SOURCE[0]}")/common.sh" || exit 1

"$HALO" -q -f identity -o small.png "$here/../../images/sprite.png" || fail "identity"

# Every path has a row, with a median.
"$HALO" --bench -D cpu -f box:3 small.png >table || fail "--bench"
for path in reference vector; do
  grep -Eq "^$path +cpu +[0-9]+ +[0-9.]+ " table || fail "--bench has no row of $path"
done
grep -q '^  copies reach ' table || fail "--bench tells no ceilings"
grep -q '^cpu: .* compiled by ' table || fail "--bench does not tell what the cpu is"
grep -q '^  clock .* samples thrown away' table || fail "--bench tells no clock"

"$HALO" --bench -D cpu -p vector -f box:3 --format=csv small.png >csv || fail "--format=csv"
awk -F, 'NR == 1 { n = NF } NF != n { exit 1 } END { exit NR != 2 }' csv ||
  fail "csv: rows and head have different fields"

if command -v python3 >/dev/null && "$HALO" --bench -p vector -f box:3 --format=json small.png >json 2>why; then
  python3 - <<'PYTHON' || fail "json"
import json
report = json.load(open("json"))
row = report["rows"][0]
assert row["path"] == "vector" and row["failed"] is None and row["median_ns"] > 0
assert row["largest_difference"] == 0
assert row["cold_ns"] > 0 and row["hot_ns"] > 0 and row["thrown"] == 0 and row["counters"] is None
assert report["filter"]["width"] == 3 and report["image"]["channels"] == 4
assert report["ceilings"][0]["clock_mhz"] >= report["ceilings"][0]["clock_lower_mhz"] > 0
PYTHON
else
  echo "skipped: json (no python3, or built without jansson)"
fi

# Where time means nothing, results are checked all the same.
"$HALO" --bench -D emulated -f box:3 small.png >table || fail "--bench -D emulated"
[ "$(grep -c 'right; time means nothing' table)" -eq 5 ] || fail "--bench: five emulated paths"

# What they ask of memory is counted: 64 warps, each with 9 taps and 9 samples to load and one result to
# store.
{ printf 'P5\n64 32\n255\n' && head -c 2048 /dev/zero; } >part.pgm
"$HALO" --bench -D emulated --counters -f '1 2 1; 2 5 2; 1 2 1' -p global --format=csv part.pgm >csv ||
  fail "--counters"
tr -d '\r' <csv | awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
  END { exit $at["global_load_requests"] != 1152 || $at["global_store_requests"] != 64 }' ||
  fail "--counters: $(cat csv)"

# Where counters can't be had the report says so, and all else is told.
CUDA_VISIBLE_DEVICES='' "$HALO" --explain --counters -D emulated -f box:3 -p global small.png >table ||
  fail "--explain --counters"
grep -q '^No counters of a GPU: ' table || fail "--explain --counters: no reason"
grep -q ' 6.000 multiply-adds$' table || fail "--explain --counters: nothing else"

# The probes, counted.
"$HALO" --probe=stride -D emulated >probe || fail "--probe"
grep -Eq 'stride 32 +32\.00 +32\.00' probe || fail "--probe: stride 32 has 32 ways"

"$HALO" --probe=stride,copy -D emulated --format=csv >probes || fail "--probe --format=csv"
[ "$(wc -l <probes)" -eq 14 ] || fail "--probe as csv: $(cat probes)"
grep -q '^stride,"stride 32",emulated,wavefronts/request,32,32,' probes || fail "--probe as csv: $(cat probes)"

# The manual knows every field.
"$HALO" --explain -D emulated -p global -f box:3 --format=csv part.pgm >explained || fail "--explain --format=csv"
for report in csv probes explained; do
  for field in $(head -n 1 "$report" | tr -d '\r' | tr , ' '); do
    case $field in *_requests | *_sectors | *_wavefronts | *_conflicts | dram_* | achieved_*) continue ;; esac
    grep -Eq "^\.Va .*\b$field\b" "$here/../../man/halo.1" || fail "the manual lacks the field $field of $report"
  done
done

# What is wrong is said.
expect()
{
  local status=$1
  shift
  "$HALO" "$@" >out 2>err
  [ $? -eq "$status" ] || fail "exit status of: $*"
  [ "$(wc -l <err)" -eq 1 ] || fail "one line of: $*"
  [ ! -s out ] || fail "output of: $*"
}
expect 2 --bench -f box:3 -f box:3 small.png
expect 2 --bench -o x.png small.png
expect 2 --counters -f box:3 small.png
expect 2 --bench --format=png small.png
expect 2 --probe=nothing -D emulated
expect 2 --probe --format=png
expect 2 --probe small.png
expect 1 --bench no-such-file.png
echo "reports: as they should be"
