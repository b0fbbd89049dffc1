#!/bin/bash
# Real faults of such programs, as tests: many files (A16), bombs (A17), interlaced files (A18), names
# (A25), and what is no picture.
# shellcheck source=tests/command/common.sh disable=SC1091,SC2015,SC2153,SC2154
. "$(dirname "$0")/common.sh" || exit 1
cases_make

# A16: one bad file does not stop the others, and is not hidden.
mkdir many
for number in $(seq 1 100); do cp in/plain_17x13.png "many/$number.png"; done
head -c 60 in/plain_17x13.png >many/4.png
echo "no picture" >many/50.png
rm many/70.png
mkdir many/70.png
wanted=97
if [ "$(id -u)" -ne 0 ]; then
	chmod 000 many/60.png
	wanted=96
fi
expect_status 1 "$HALO" -f box:3 -d out many/*.png
[ "$(find out -name '*.png' | wc -l)" -eq $wanted ] || fail "A16: not $wanted results"
grep -q "$((100 - wanted)) of 100" err || fail "A16: no summary: $(cat err)"
for number in 4 50 70; do grep -q "many/$number.png" err || fail "A16: $number is not named"; done
expect_status 0 "$HALO" -f box:3 -d out many/1.png many/2.png
expect_status 2 "$HALO" -f box:3 -d out
expect_status 2 "$HALO" -f box:3 many/1.png many/2.png
mkdir many/sub
cp many/1.png many/sub/1.png
expect_status 1 "$HALO" -f box:3 -d out many/1.png many/sub/1.png
grep -q "already" err || fail "two results of one name: $(cat err)"
"$HALO" -q -f box:3 -d out --format=pam many/1.png && [ -f out/1.pam ] || fail "--format does not rename"

# A17: bombs are refused from the header.
for bomb in bomb_65535x65535_1bit lie_1e6x1e6_rgba16 lie_900000x900000_rgba16; do
	if ! sanitized; then
		(ulimit -v 2000000 && expect_error 1 "--max-pixels" timeout 5 "$HALO" -q -f gauss:2 -o bomb.png in/$bomb.png) || exit 1
	fi
	expect_error 1 "--max-pixels" timeout 5 "$HALO" -q -f gauss:2 -o bomb.png in/$bomb.png
	[ ! -e bomb.png ] || fail "A17: $bomb left something"
done
expect_error 1 "--max-memory" "$HALO" -q -f gauss:2 -b wrap --max-memory=1M -o bomb.png "$images/photo.png"
expect_status 1 timeout 5 "$HALO" -q -f gauss:2 --max-pixels=9000000000000 --max-memory=1000000000000000 \
	-o bomb.png in/lie_900000x900000_rgba16.png
[ ! -e bomb.png ] || fail "A17: a lie left something"

# A18: interlaced or not, the same.
for size in 1x1 1x9 9x1 3x5 5x3 8x8 17x13; do
	for filter in identity gauss:1 box:2x3; do
		"$HALO" -q -f $filter in/plain_$size.png >plain.png || fail "A18: plain $size"
		"$HALO" -q -f $filter in/adam7_$size.png >adam7.png || fail "A18: adam7 $size"
		cmp -s plain.png adam7.png || fail "A18: $size under $filter differs"
	done
done

# A25: names are bytes.
cd in || exit 1
for name in ./-dash.png a:b.png 100%d.png 'x[0].png' 'sp ace.png' $'new\nline.png'; do
	"$HALO" -q -f identity "$name" >../out.png || fail "A25: $name"
done
"$HALO" -q -f identity -o ../out.png -- -dash.png || fail "A25: -- -dash.png"
"$HALO" -q -f identity -o ../out.png -- --help || fail "A25: -- --help"
mkdir results
"$HALO" -q -f identity -d results -- -dash.png a:b.png 100%d.png 'x[0].png' $'new\nline.png' || fail "A25: -d"
[ "$(find results -type f -print0 | tr -cd '\0' | wc -c)" -eq 5 ] || fail "A25: results"
expect_error 1 "\$'no\\nne.png'" "$HALO" -f identity $'no\nne.png'
cd ..

# What is no picture, or not all of one.
expect_error 1 "empty" "$HALO" -f identity /dev/null
expect_error 1 "no picture" "$HALO" -f identity "$here/common.sh"
expect_error 1 "directory" "$HALO" -f identity in
for bytes in 20 40 200 1000 100000; do
	head -c $bytes "$images/photo.png" >cut.png
	"$HALO" -q -f gauss:1 <cut.png >out.png 2>err
	[ $? -eq 1 ] || fail "a file cut at $bytes is no error"
	[ ! -s out.png ] || fail "a file cut at $bytes gives output"
	[ "$(wc -l <err)" -eq 1 ] || fail "a file cut at $bytes: $(cat err)"
done
echo "A16 to A18 and A25: right"
