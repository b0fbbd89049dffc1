#!/bin/bash
# Real faults of such programs, as tests: wrong results (cases A1 to A11, C11).
# shellcheck source=tests/command/common.sh disable=SC1091,SC2015,SC2153,SC2154
. "$(dirname "$0")/common.sh" || exit 1
cases_make

# halo OPTION... < PICTURE > out.png without words.
run() { "$HALO" -q "$@" >out.png || fail "halo $*"; }

# wants WHAT ROWS: the samples of out.png.
wants() {
	local got
	got=$(samples out.png)
	[ "$got" = "$2" ] || fail "$1: $got, not $2"
}

# A1: taps that sum to zero are not divided by their sum.
for option in --absolute --normalize; do
	run -f '-1 -1 -1; -1 8 -1; -1 -1 -1' $option <in/step_up_8x8.png
	[ "$(samples out.png | head -n 1 | cut -d' ' -f1-3)" = "0 0 0" ] || fail "A1: flat is not 0"
done
run -f '-1 -1 -1; -1 8.0000001 -1; -1 -1 -1' --normalize <in/step_up_8x8.png
[ "$(samples out.png | head -n 1)" = "0 0 0 0 255 0 0 0" ] || fail "A1: divided by a tiny sum"
"$HALO" --help | tr -s ' \n' ' ' | grep -q "divided by a sum of 0" || fail "A1: the rule is not in --help"

# A2: images smaller than the filter.
for size in 1x1 1x9 9x1 17x13; do
	for filter in box:3 box:5 box:31 box:63 gauss:10; do
		for border in clamp mirror reflect wrap; do
			run -f $filter -b $border <in/uni8_128_$size.png
			samples out.png | tr ' ' '\n' | grep -qv '^128$' && fail "A2: $size $filter $border"
			same_pixels out.png in/uni8_128_$size.png || fail "A2: $size $filter $border: size"
		done
	done
done

# A3: correlation as typed, and convolution when it is asked for.
zero="0 0 0 0 0 0 0"
run -f '1 2 3; 4 5 6; 7 8 9' <in/impulse1_7x7.png
wants "A3" "$(printf '%s\n' "$zero" "$zero" "0 0 9 8 7 0 0" "0 0 6 5 4 0 0" "0 0 3 2 1 0 0" "$zero" "$zero")"
run -f '1 2 3; 4 5 6; 7 8 9' --convolve <in/impulse1_7x7.png
wants "A3" "$(printf '%s\n' "$zero" "$zero" "0 0 1 2 3 0 0" "0 0 4 5 6 0 0" "0 0 7 8 9 0 0" "$zero" "$zero")"
run -f '1 2 3' <in/impulse1_7x7.png
[ "$(samples out.png | sed -n 4p)" = "0 0 3 2 1 0 0" ] || fail "A3: 3x1"
run -f '1; 2; 3' <in/impulse1_7x7.png
[ "$(samples out.png | cut -d' ' -f4 | tr '\n' ' ')" = "0 0 3 2 1 0 0 " ] || fail "A3: 1x3"

# A4: border pixels are filtered like all others.
run -f identity --offset=1 <in/uni8_127_17x13.png
samples out.png | tr ' ' '\n' | grep -qv '^128$' && fail "A4: an offset misses pixels"

# A5: values beyond the range are held to it.
run -f sobel-x <in/step_up_8x8.png
wants "A5" "$(for _ in 1 2 3 4 5 6 7 8; do echo "0 0 0 255 255 0 0 0"; done)"
run -f sobel-x <in/step_down_8x8.png
wants "A5" "$(for _ in 1 2 3 4 5 6 7 8; do echo "0 0 0 0 0 0 0 0"; done)"
run -f sobel-x --absolute <in/step_down_8x8.png
wants "A5" "$(for _ in 1 2 3 4 5 6 7 8; do echo "0 0 0 255 255 0 0 0"; done)"

# A6: 16 bits.
for filter in box:9 gauss:1.5 gauss:3; do
	run -f $filter <in/full16_32x32.png
	same_pixels out.png in/full16_32x32.png || fail "A6: $filter of white"
done
run -f identity <in/order16_32x32.png
[ "$(samples out.png | tr ' ' '\n' | sort -u | tr '\n' ' ')" = "1286 258 772 " ] || fail "A6: order"
[ "$(head -c 25 out.png | tail -c 1 | od -An -tu1 | tr -d ' ')" = 16 ] || fail "A6: not 16 bits"
run -f "$(yes '1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1' | head -n 31)" <in/full16_32x32.png
same_pixels out.png in/full16_32x32.png || fail "A6: 31x31 without a scale"

# A7: flat stays flat, to the level.
for value in 0 1 127 128 254 255; do
	for radius in 1 2 3 5 8 15; do
		for filter in box:$((2 * radius + 1)) gauss:"$((radius / 3)).$((radius % 3 * 3 + 1))"; do
			run -f "$filter" <in/uni8_${value}_17x13.png
			same_pixels out.png in/uni8_${value}_17x13.png || fail "A7: $value under $filter"
		done
	done
done

# A8: transparent pixels lend no colour to their neighbours.
run -f gauss:2 <in/fringe_16x16.png
samples out.png | tr ' ' '\n' | awk 'NR % 4 == 2 { green = $1 } NR % 4 == 0 && $1 > 0 && green > 0 { bad = 1 }
	END { exit bad }' || fail "A8: a green fringe"
run -f box:3 <in/fringe_16x16.png
samples out.png | awk '{ if ($29 != 255 || $30 != 0 || $32 != 170) exit 1 }' || fail "A8: 170 of alpha at the edge"
run -f gauss:2 --alpha=straight <in/fringe_16x16.png
samples out.png | awk '$30 == 0 { exit 1 }' || fail "A8: straight is not straight"

# A9: an offset goes to colours, in 16 bits as 257 times as much, and never to alpha.
emboss='-2 -1 0; -1 1 1; 0 1 2'
run -f "$emboss" --offset=128 <in/uni8_1_17x13.png
samples out.png | tr ' ' '\n' | grep -qv '^129$' && fail "A9: grey"
printf 'P7\nWIDTH 3\nHEIGHT 1\nDEPTH 4\nMAXVAL 255\nENDHDR\n\1\2\3\200\1\2\3\200\1\2\3\200' >rgba.pam
for alpha in premultiply straight keep; do
	"$HALO" -q -f "$emboss" --offset=100 --alpha=$alpha <rgba.pam >out.png || fail "A9: RGBA"
	wants "A9 $alpha" "101 102 103 128 101 102 103 128 101 102 103 128"
done
printf 'P5\n2 1\n65535\n\0\1\0\1' >grey.pgm
"$HALO" -q -f "$emboss" --offset=128 <grey.pgm >out.png || fail "A9: 16 bits"
wants "A9, 16 bits" "32897 32897"

# A10: even sizes, with the anchor at (w/2, h/2), the same for all borders.
for border in clamp mirror reflect wrap constant; do
	run -f '0.25 0.25; 0.25 0.25' -b $border <in/impulse255_7x7.png
	wants "A10 $border" "$(printf '%s\n' "$zero" "$zero" "$zero" "0 0 0 64 64 0 0" "0 0 0 64 64 0 0" "$zero" "$zero")"
	run -f '0 0 0; 0 0 0; 0 1 0; 0 0 0; 0 0 0' -b $border <in/impulse255_7x7.png
	same_pixels out.png in/impulse255_7x7.png || fail "A10: 3x5 with one tap, $border"
done

# A11: the point is the decimal point, whatever the locale.
run -f '0.5 0 0; 0 1 0; 0 0 0.5' <in/impulse255_7x7.png
cp out.png c.png
if command -v localedef >/dev/null && mkdir locale && localedef -i de_DE -f UTF-8 ./locale/de_DE.UTF-8 2>/dev/null; then
	LOCPATH=$PWD/locale LC_ALL=de_DE.UTF-8 "$HALO" -q -f '0.5 0 0; 0 1 0; 0 0 0.5' <in/impulse255_7x7.png >out.png ||
		fail "A11: a German locale"
	cmp -s out.png c.png || fail "A11: a German locale changes the result"
else
	echo "SKIP: A11 under a German locale: localedef is missing"
fi
expect_error 2 "1:4" "$HALO" -f '1,5 0 0; 0 1 0; 0 0 0' in/impulse255_7x7.png
printf '3 3\n7,5 0 0\n0 1 0\n0 0 0\n' >comma.txt
expect_status 2 "$HALO" -f comma.txt in/impulse255_7x7.png

# C11: a quotient that overflows is infinite, on every path: white, or infinity on floats.
printf 'P5\n3 1\n255\n\144\144\144' >grey.pgm
printf 'Pf\n1 1\n-1.0\n\0\0\200\076' >quarter.pfm
overflow=(-f '1 2 1; 2 4 2; 1 2 1' --scale=1e-12)
for device in cpu emulated; do
	for path in $(paths_of $device); do
		"$HALO" -q -D $device -p "$path" "${overflow[@]}" --offset=1e39 <grey.pgm >out.png || fail "C11: $path"
		wants "C11: $path" "255 255 255"
		"$HALO" -q -D $device -p "$path" "${overflow[@]}" --offset=-1e39 <grey.pgm >out.png || fail "C11: $path"
		wants "C11: $path, negative" "0 0 0"
		"$HALO" -q -D $device -p "$path" "${overflow[@]}" --offset=1e41 <quarter.pfm >out.pfm || fail "C11: $path"
		[ "$(tail -c 4 out.pfm | od -An -tx1)" = " 00 00 80 7f" ] || fail "C11: $path: not infinity"
	done
done
echo "A1 to A11, C11: right"
