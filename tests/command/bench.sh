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
grep -q '^  measured peaks: copies ' table || fail "--bench tells no ceilings"
grep -q '^cpu: .* compiled by ' table || fail "--bench does not tell what the cpu is"
grep -q '^  clock .* samples thrown away' table || fail "--bench tells no clock"

# field NAME: that field of the one row of ./csv, whose fields hold no comma before it.
field()
{
  tr -d '\r' <csv | awk -F, -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
    NR == 2 { print (name in at) ? $at[name] : "no field " name }'
}

# bench_csv OPTION...: the row of the path vector, in ./csv; nothing else is said.
bench_csv()
{
  "$HALO" --bench -D cpu -p vector -f box:3 --format=csv "$@" >csv 2>err || fail "--bench $*: $(cat err)"
  [ ! -s err ] || fail "--bench $* says on standard error: $(cat err)"
  [ "$(wc -l <csv)" -eq 2 ] || fail "csv: not one row: $(cat csv)"
}

# The quartiles lie around the median; a reason to doubt them stands in the last field before the counters.
bench_csv small.png
awk -v a="$(field minimum_ns)" -v b="$(field lower_quartile_ns)" -v c="$(field median_ns)" \
  -v d="$(field upper_quartile_ns)" 'BEGIN { exit !(0 < a && a <= b && b <= c && c <= d) }' ||
  fail "quartiles: $(cat csv)"
head -n 1 csv | grep -q ',failed,note,doubt,global_load_requests,' || fail "csv has no doubt: $(cat csv)"

# What comes on standard input is benched, read once, named or not; without input a picture is made.
bench_csv <small.png
[ "$(field width)" = 256 ] || fail "--bench < FILE: a picture $(field width) pixels wide"
bench_csv - < <(cat small.png)
[ "$(field width)" = 256 ] || fail "--bench -: a picture $(field width) pixels wide"
bench_csv <(cat small.png)
[ "$(field width)" = 256 ] || fail "--bench <(cat FILE): a picture $(field width) pixels wide"
bench_csv </dev/null
[ "$(field width)" = 2048 ] || fail "--bench without input: a picture $(field width) pixels wide"

if command -v python3 >/dev/null && "$HALO" --bench -p vector -f box:3 --format=json small.png >json 2>why; then
  python3 - <<'PYTHON' || fail "json"
import json
report = json.load(open("json"))
row = report["rows"][0]
assert row["path"] == "vector" and row["failed"] is None and row["median_ns"] > 0
assert row["largest_difference"] == 0
assert row["cold_ns"] > 0 and row["hot_ns"] > 0 and row["thrown"] == 0 and row["counters"] is None
assert report["filter"]["width"] == 3 and report["image"]["channels"] == 4
times = row["samples_ns"]
assert len(times) == row["samples"] and min(times) == row["minimum_ns"]
assert {row["lower_quartile_ns"], row["median_ns"], row["upper_quartile_ns"]} <= set(times)
assert row["lower_quartile_ns"] <= row["median_ns"] <= row["upper_quartile_ns"]
assert row["iqr_ns"] == row["upper_quartile_ns"] - row["lower_quartile_ns"]
assert row["doubt"] is None or row["doubt"]
assert row["note"] is None or row["note"]
assert row["registers"] is None and row["against"] is None and row["speedup"] is None
assert report["ceilings"][0]["clock_mhz"] >= report["ceilings"][0]["clock_lower_mhz"] > 0
PYTHON
  # A filter's name that is not UTF-8, as JSON must be, is null.
  printf '3 1\n1 2 1\n' >$'b\xe9.txt'
  "$HALO" --bench -D cpu -p vector -f $'b\xe9.txt' --format=json small.png >named || fail "a name that is not UTF-8"
  python3 -c 'import json; assert json.load(open("named"))["filter"]["name"] is None' || fail "a name that is not UTF-8"
else
  echo "skipped: json (no python3, or built without jansson)"
fi

# On a terminal a line tells of the progress, and is gone at the end; with -q there is none.
if command -v python3 >/dev/null; then
  cat >progress.py <<'PYTHON'
import os, pty, subprocess, sys
terminal, end = pty.openpty()
done = subprocess.run(sys.argv[1:], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=end, check=True)
os.close(end)
told = b""
try:
    while piece := os.read(terminal, 4096):
        told += piece
except OSError:  # the other end is closed
    pass
assert done.stdout.startswith(b"path,")
sys.stdout.buffer.write(told)
PYTHON
  python3 progress.py "$HALO" --bench -p vector -f box:3 --format=csv small.png >told || fail "--bench on a terminal"
  grep -q 'halo: timing vector on cpu' told || fail "no progress: $(cat -v told)"
  [ "$(tail -c 4 told | cat -v)" = '^M^[[K' ] || fail "progress stays: $(cat -v told)"
  python3 progress.py "$HALO" -q --bench -p vector -f box:3 --format=csv small.png >told || fail "-q --bench"
  [ ! -s told ] || fail "progress in spite of -q: $(cat -v told)"
else
  echo "skipped: progress (no python3)"
fi

# Emulated paths are not timed, but checked all the same; figures that are not known are empty.
"$HALO" --bench -D emulated -f box:3 small.png >table || fail "--bench -D emulated"
[ "$(grep -c 'correct; not timed' table)" -eq 5 ] || fail "--bench: five emulated paths"

# What they ask of memory is counted: 64 warps, each with 9 taps and 9 samples to load and one result to
# store.
{ printf 'P5\n64 32\n255\n' && head -c 2048 /dev/zero; } >part.pgm
"$HALO" --bench -D emulated --counters -f '1 2 1; 2 5 2; 1 2 1' -p global --format=csv part.pgm >csv ||
  fail "--counters"
tr -d '\r' <csv | awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
  END { exit $at["global_load_requests"] != 1152 || $at["global_store_requests"] != 64 }' ||
  fail "--counters: $(cat csv)"
for name in median_ns iqr_ns lower_quartile_ns cold_ns mpx_per_s registers dram_bytes_read; do
  [ -z "$(field $name)" ] || fail "$name of an emulated path is $(field $name)"
done

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
grep -q '^stride,stride 32,emulated,wavefronts/request,32,32,' probes || fail "--probe as csv: $(cat probes)"

# The manual knows every field.
"$HALO" --explain -D emulated -p global -f box:3 --format=csv part.pgm >explained || fail "--explain --format=csv"
for report in csv probes explained; do
  for field in $(head -n 1 "$report" | tr -d '\r' | tr , ' '); do
    case $field in *_requests | *_sectors | *_wavefronts | *_conflicts | dram_* | achieved_*) continue ;; esac
    grep -Eq "^\.Va .*\b$field\b" "$here/../../man/halo.1" || fail "the manual lacks the field $field of $report"
  done
done

# So it does with JSON, but for the counters, which have names of their own.
if [ -s json ] && "$HALO" --explain -D emulated -p global -f box:3 --format=json part.pgm >explained.json &&
  "$HALO" --probe=stride,copy -D emulated --format=json >probes.json; then
  python3 - "$here/../../man/halo.1" json explained.json probes.json <<'PYTHON' || fail "the manual lacks a field"
import json, re, sys
known = set()
for line in open(sys.argv[1]):
    if re.match(r"\.(It )?Va ", line):
        known.update(re.findall(r"\w+", line))
def keys(value):
    for key, inner in value.items() if isinstance(value, dict) else ():
        yield key
        if key not in ("counters", "counter_metrics", "predicted", "counted"):
            yield from keys(inner)
    for inner in value if isinstance(value, list) else ():
        yield from keys(inner)
for name in sys.argv[2:]:
    unknown = set(keys(json.load(open(name)))) - known
    assert not unknown, f"{name}: {sorted(unknown)}"
PYTHON
fi

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
expect 2 --bench --explain -f box:3 small.png
expect 2 --explain --bench -f box:3 small.png
expect 1 --bench - </dev/null
grep -q 'standard input' err || fail "no input for --bench -: $(cat err)"
expect 1 --bench < <(echo nothing)
grep -q 'standard input' err || fail "no picture for --bench: $(cat err)"
echo "reports: as they should be"
