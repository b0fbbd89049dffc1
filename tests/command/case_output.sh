#!/bin/bash
# Real faults of such programs, as tests: output that is lost or damaged (A12 to A15), and binary
# bytes on a terminal (A24).
# shellcheck source=tests/command/common.sh disable=SC1091,SC2015,SC2153,SC2154
. "$(dirname "$0")/common.sh" || exit 1
cases_make
small=in/uni8_128_17x13.png
large=$images/photo.png

# A12: what can't be written is noticed, small or large, in every format.
[ -w /dev/full ] || skip "/dev/full is missing"
for format in png ppm pam pfm jpeg bmp tga hdr; do
	for picture in in/plain_17x13.png "$large"; do
		expect_error 1 "no space left" "$HALO" -q -f identity --format=$format -o /dev/full "$picture"
	done
done
expect_error 1 "no space left" sh -c "exec '$HALO' -q -f identity '$small' >/dev/full"
expect_error 1 "bad file descriptor" sh -c "exec '$HALO' -q -f identity '$small' >&-"
expect_error 1 "no such file" "$HALO" -q -f identity -o none/out.png "$small"
expect_error 1 "no space left" sh -c "exec '$HALO' --list-filters >/dev/full"
if [ "$(id -u)" -eq 0 ] && mkdir tiny && mount -t tmpfs -o size=64k tmpfs tiny 2>/dev/null; then
	expect_error 1 "no space left" "$HALO" -q -f identity -o tiny/out.png "$large"
	left=$(find tiny -type f)
	umount tiny
	[ -z "$left" ] || fail "A12: $left is left on the full disk"
else
	echo "SKIP: A12 on a small disk: no right to mount one"
fi

# A13: the limits of the formats, before a byte is written.
for format in jpg tga; do
	expect_error 1 "65,535" "$HALO" -q -f identity -o wide.$format in/wide_65536x1.png
	[ ! -e wide.$format ] || fail "A13: something was written"
	"$HALO" -q -f identity -o wide.$format in/wide_65535x1.png || fail "A13: 65535 as $format"
done
for quality in 0 101; do
	expect_error 2 "--quality=$quality" "$HALO" -f identity --quality=$quality -o q.jpg "$small"
done

# A14: the output is the input.
expected=$("$HALO" -q -f sharpen "$large" | cksum)
cp "$large" same.png
"$HALO" -q -f sharpen same.png -o same.png || fail "A14: in place"
[ "$(cksum <same.png)" = "$expected" ] || fail "A14: in place gives another result"
cp "$large" same.png
"$HALO" -q -f sharpen same.png -o ./same.png && [ "$(cksum <same.png)" = "$expected" ] || fail "A14: ./"
cp "$large" same.png
ln same.png hard.png
"$HALO" -q -f sharpen same.png -o hard.png && [ "$(cksum <hard.png)" = "$expected" ] || fail "A14: hard link"
cmp -s same.png "$large" || fail "A14: the other name of a hard link lost its bytes"
ln -s same.png soft.png
"$HALO" -q -f sharpen same.png -o soft.png && [ "$(cksum <same.png)" = "$expected" ] || fail "A14: symlink"
[ -L soft.png ] || fail "A14: the symbolic link is gone"

# A15: stopped in the middle: the old file or the new one, and nothing beside it.
mkdir stop
cp "$large" stop/out.png
old=$(cksum <stop/out.png)
new=$("$HALO" -q -f gauss:9 "$large" | cksum)
for round in $(seq 1 200); do
	for signal in INT TERM HUP KILL; do
		[ $((round % 4)) -eq $((${#signal} % 4)) ] || [ $signal = TERM ] || continue
		# A child of a script ignores INT unless it is asked not to.
		(
			trap - INT
			exec "$HALO" -q -f gauss:9 -o stop/out.png "$large"
		) 2>/dev/null &
		sleep "0.0$((round * 7 % 30 + 10))"
		kill -$signal $! 2>/dev/null
		wait $! 2>/dev/null
		got=$(cksum <stop/out.png)
		[ "$got" = "$old" ] || [ "$got" = "$new" ] || fail "A15: half a file after $signal"
		[ $signal = KILL ] && rm -f stop/.halo-*
		[ -z "$(find stop -name '.halo*')" ] || fail "A15: a temporary file is left after $signal"
		break
	done
done
mkfifo pipe
"$HALO" -q -f identity -o stop/out.png pipe 2>/dev/null &
halo=$!
exec 3>pipe
head -c 1000 "$large" >&3
sleep 0.2
kill -TERM $halo
wait $halo
[ $? -eq 143 ] || fail "A15: the exit status does not show the signal"
exec 3>&-
[ -z "$(find stop -name '.halo*')" ] || fail "A15: a temporary file is left"

# SIGPIPE ends it quietly.
"$HALO" -q -f identity --format=ppm "$large" 2>err | head -c 10 >/dev/null
[ ! -s err ] || fail "a closed pipe gives: $(cat err)"

# A24: no picture to a terminal or from one.
if command -v script >/dev/null; then
	script -qec "'$HALO' -f identity '$small'" /dev/null >typescript 2>&1 </dev/null
	[ $? -eq 2 ] || fail "A24: a picture went to a terminal"
	grep -q -e '-o' typescript || fail "A24: no hint"
	script -qec "timeout 5 '$HALO' -f identity -o x.png" /dev/null >typescript 2>&1
	[ $? -eq 2 ] || fail "A24: it waits for a picture to be typed"
	script -qec "'$HALO' -f identity -o - '$small'" /dev/null 2>&1 | grep -q IHDR || fail "A24: -o - does not force"
else
	echo "SKIP: A24: script is missing"
fi
echo "A12 to A15 and A24: right"
