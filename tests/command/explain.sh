#!/bin/bash
# --explain: what it says of shared and constant memory, of the filter's taps and of GPUs; the same for
# any number of threads; and what goes wrong.
# shellcheck source=tests/command/common.sh disable=SC1091,SC2015,SC2154
. "$(dirname "$0")/common.sh" || exit 1

cut_pictures
seven='1 1 1 1 1 1 1; 1 1 1 1 1 1 1; 1 1 1 1 1 1 1; 1 1 1 2 1 1 1; 1 1 1 1 1 1 1; 1 1 1 1 1 1 1; 1 1 1 1 1 1 1'

# explain OPTION...: the explanation as csv in ./csv, without the ends of lines.
explain() {
	expect_status 0 "$HALO" --explain -D emulated --format=csv "$@" >raw
	[ ! -s err ] || fail "explaining $* says: $(cat err)"
	[ "$(grep -c $'\r$' raw)" -eq "$(wc -l <raw)" ] || fail "$*: lines of csv end in CR LF"
	tr -d '\r' <raw >csv
}

# lines PATH MEMORY: "BYTES REQUESTS SERVED WORST WAYS" of each line of source.  Fields before the text hold
# no comma.
lines() { awk -F, -v path="$1" -v memory="$2" '$1 == "line" && $2 == path && $6 == memory { print $8, $10, $12, $13, $14 }' csv; }

# value RECORD PATH QUANTITY [GPU]
value() { awk -F, -v r="$1" -v p="$2" -v q="$3" -v g="${4-}" '$1 == r && $2 == p && $17 == q && $16 == g { print $18 }' csv; }

# unhindered PATH MEMORY: it has lines, and each request is served at once.
unhindered() {
	[ -n "$(lines "$1" "$2")" ] || fail "$1 has no lines of $2 memory"
	lines "$1" "$2" | awk '$1 > 4 || $2 != $3 || $4 != 1 || $5 != 1 { exit 1 }' ||
		fail "$1 waits for $2 memory: $(lines "$1" "$2")"
}

# Every kind of sample and border: no conflicts, one address a request.
read -ra emulated < <(paths_of emulated | tr '\n' ' ')
for picture in chart photo ramp16 sprite; do
	for border in clamp mirror reflect wrap constant:77 crop; do
		explain -p all -b $border -f "$seven" in/$picture.png
		for path in "${emulated[@]}"; do
			[ "$(value result "$path" fmas)" = 49 ] || fail "$path, $border: not 49 multiply-adds"
			[ -n "$(lines "$path" global)" ] || fail "$path, $border: touches no global memory"
		done
		unhindered shared shared
		unhindered constant shared
		unhindered constant constant
		unhindered texture constant
	done
done

# The plain loop of an 8-bit grey picture: a tap and a sample for each of 49 taps; one byte written.
{ printf 'P5\n64 32\n255\n' && head -c 2048 /dev/zero; } >cut.pgm
explain -p global -f "$seven" cut.pgm
[ "$(lines global global | awk '$1 == 4 { print $2 }')" -eq $((64 * 49)) ] || fail "taps: $(cat csv)"
[ "$(value result global global_bytes_written)" = 1 ] || fail "not 1 byte written: $(cat csv)"

# Floors of an H200: 2 bytes a pixel at 4.22 TB/s, 49 multiply-adds at 33.45 T/s.
close() { awk -v a="$1" -v b="$2" 'BEGIN { exit !(a > b * 0.999 && a < b * 1.001) }'; }
close "$(value floor global memory H200)" 0.473934 || fail "memory: $(value floor global memory H200)"
close "$(value floor global arithmetic H200)" 1.464873 || fail "arithmetic: $(value floor global arithmetic H200)"

# Two passes: w + h.
explain -p shared -f gauss:2 in/photo.png
taps=$(value result shared fmas)
[ "$taps" -gt 8 ] && [ "$taps" -lt 60 ] && [ $((taps % 2)) -eq 0 ] || fail "gauss:2 takes $taps multiply-adds"

# Neither threads nor where the bytes come from change what is told, but for the name.
explain -j 1 -p register,texture -f "$seven" in/sprite.png
mv csv expected
explain -j 8 -p register,texture -f "$seven" - <in/sprite.png
cmp -s expected csv || fail "threads change what is told"

# What is not known is empty: what nobody predicts, and all that a record has no use for.
[ "$(grep -c '^predicted,register,.*,dram_bytes_read,$' csv)" -eq 1 ] || fail "an unknown counter: $(cat csv)"

# As a table, with the text of the lines, wherever halo runs: here the source is not.
expect_status 0 "$HALO" --explain -D emulated -p shared,constant -f "$seven" in/photo.png >table
for words in '^shared: ' '^constant: ' ' kernels/tile.cuh:' ' kernels/constant.cu:' ' 1.00 wavefronts ' \
	' 49.000 multiply-adds$' '^    H200 ' ' measured$' 'data sheet$'; do
	grep -q -e "$words" table || fail "no \"$words\" in: $(cat table)"
done
grep -q 'kernels/tile.cuh:[0-9]*:  .*beneath' table || fail "no lines of source: $(cat table)"
! grep -E '^    (kernels|src)/[^ ]*:[0-9]+$' table || fail "a place without its line"
for word in '"worst" is' '"ways" says'; do
	grep -q "$word" table || fail "the table does not explain $word"
done

# As JSON: the same figures.
"$HALO" --explain -D emulated --format=json -p shared,constant -f "$seven" in/photo.png >json 2>err
status=$?
if [ $status -ne 0 ]; then
	grep -q 'without jansson' err || fail "json: $(cat err)"
elif command -v python3 >/dev/null; then
	python3 - json <<-'EOF' || fail "json: $(cat json)"
		import json, sys
		told = json.load(open(sys.argv[1]))
		assert [path["path"] for path in told["paths"]] == ["shared", "constant"]
		assert told["shape"] == {"width": 41, "height": 23, "channels": 3, "samples": "8-bit"}
		assert told["left_out"] is None and told["counted_by"] is None and told["uncounted"] is None
		assert told["results"] == 41 * 23 * 3 and told["taps"] == 49
		for path in told["paths"]:
		    assert all(line["text"] for line in path["lines"])
		    assert path["predicted"]["dram_bytes_read"] is None
		    assert all(key.replace("_", "").isalnum() for key in path["per_result"])
		    assert path["per_result"]["fmas"] == 49
		    assert {line["ways"] for line in path["lines"] if line["memory"] == "shared"} == {1}
		    assert {line["ways"] for line in path["lines"] if line["memory"] == "global"} == {None}
		    assert path["floors_per_megapixel"][0]["gpu"] == "H200"
	EOF
	cp in/photo.png $'b\xe9.png'
	expect_status 0 "$HALO" --explain -D emulated --format=json -p shared -f box:3 $'b\xe9.png' >json
	python3 -m json.tool json >pretty || fail "a name that is not UTF-8: $(cat json)"
fi

# A large picture is looked at in parts.
expect_status 0 "$HALO" --explain -D emulated -p shared -f box:3 "$images/photo.png" >table
grep -q 'windows at its corners, edges and middle' table || fail "no windows: $(cat table)"

# More taps than constant memory holds: left out where all paths are wanted, an error where it is named.
{ printf 'P5\n8 4\n255\n' && head -c 32 /dev/zero; } >tiny.pgm
expect_status 0 "$HALO" --explain -D emulated -p all -f disk:70 tiny.pgm >table
grep -q '^Left out: .*constant: ' table || fail "constant is not left out: $(cat table)"
grep -q '^register: ' table || fail "register is left out: $(cat table)"
expect_error 3 "the path constant can't do this" "$HALO" --explain -D emulated -p constant -f disk:70 tiny.pgm

# What goes wrong.
expect_error 1 "none.png" "$HALO" --explain -D emulated -f box:3 none.png
expect_error 1 "$PWD" "$HALO" --explain -D emulated -f box:3 "$PWD"
head -c 1000 in/photo.png >short.png
expect_error 1 "short.png" "$HALO" --explain -D emulated -f box:3 short.png
echo nothing >text.png
expect_error 1 "no picture" "$HALO" --explain -D emulated -f box:3 text.png
expect_error 1 "smaller than the filter" "$HALO" --explain -D emulated -b crop -f box:99 in/photo.png
expect_error 2 "there is no path cubic" "$HALO" --explain -D emulated -p cubic -f box:3 in/photo.png
expect_error 2 "vector" "$HALO" --explain -p vector -f box:3 in/photo.png
expect_error 2 "the cpu runs no kernels" "$HALO" --explain -D cpu -f box:3 in/photo.png
expect_error 2 "format=png" "$HALO" --explain -D emulated --format=png -f box:3 in/photo.png
HALO_DEVICE_MEMORY=1000 expect_error 3 "memory" "$HALO" --explain -D emulated -p shared -f box:3 in/photo.png
if [ -w /dev/full ]; then
	"$HALO" --explain -D emulated -p shared -f box:3 in/photo.png >/dev/full 2>err && fail "a full disk is no error"
	grep -q 'standard output' err || fail "a full disk says: $(cat err)"
fi
echo "explanations: as they should be"
