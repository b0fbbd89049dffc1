#!/bin/bash
# Memory that runs out: each allocation of a run fails once, and the result is either the right one, with
# exit status 0, or an error with status 1 and nothing written.  Metadata must not get lost: without its
# gAMA the picture would have other pixels under --linear.
#
# fail_malloc.c makes the n-th allocation after the start of main() fail.
# shellcheck source=tests/command/common.sh disable=SC1091,SC2015,SC2153,SC2154
. "$(dirname "$0")/common.sh" || exit 1

sanitized && skip "the address sanitizer has an allocator of its own"
[ -f "$shared/faults/fail_malloc.c" ] || skip "faults/fail_malloc.c is missing (HALO_SHARED)"
command -v python3 >/dev/null || skip "python3 is missing"
command -v cc >/dev/null || skip "there is no C compiler (cc)"
cc -O1 -shared -fPIC -o fail_malloc.so "$shared/faults/fail_malloc.c" -ldl 2>/dev/null ||
	skip "fail_malloc.c can't be compiled"

# A picture of 4×2 pixels with a palette, gAMA, iCCP and text on both sides of the pixels.
python3 - <<'PYTHON' || fail "the picture can't be made"
import struct, zlib
def chunk(kind, data):
    return struct.pack('>I', len(data)) + kind + data + struct.pack('>I', zlib.crc32(kind + data))
with open('tiny.png', 'wb') as file:
    file.write(b'\x89PNG\r\n\x1a\n' +
               chunk(b'IHDR', struct.pack('>IIBBBBB', 4, 2, 8, 3, 0, 0, 0)) +
               chunk(b'gAMA', struct.pack('>I', 100000)) +
               chunk(b'iCCP', b'none\0\0' + zlib.compress(bytes(99))) +
               chunk(b'PLTE', b'\0\0\0\xff\x80\0') + chunk(b'tRNS', b'\x80') +
               chunk(b'tEXt', b'Title\0before') +
               chunk(b'IDAT', zlib.compress(b'\0\0\1\0\1' * 2)) +
               chunk(b'tEXt', b'Comment\0behind') + chunk(b'IEND', b''))
PYTHON

# convolve: what is tried, in a folder of its own; one thread, so that every run allocates in one order.
convolve() {
	"$HALO" -D cpu -j 1 --linear -f box:3 -o out/result.png tiny.png
}

mkdir out
convolve || fail "the picture can't be convolved"
mv out/result.png wanted.png
LD_PRELOAD=$PWD/fail_malloc.so MF_COUNT=$PWD/count convolve || fail "fail_malloc.so does no good"
allocations=$(cat count)
[ "$allocations" -gt 50 ] || fail "only $allocations allocations were seen"
rm out/result.png

survived=0
for ((at = 1; at <= allocations; at++)); do
	status=0
	LD_PRELOAD=$PWD/fail_malloc.so MF_AT=$at convolve 2>err || status=$?
	where="with allocation $at of $allocations failing (status $status, \"$(tail -n 1 err)\")"
	case $status in
	0)
		cmp -s out/result.png wanted.png || fail "other bytes $where"
		survived=$((survived + 1))
		rm out/result.png
		;;
	1) [ -s err ] || fail "no message $where" ;;
	*) fail "neither done nor failed $where" ;;
	esac
	[ -z "$(ls -A out)" ] || fail "$(ls -A out) is left $where"
done
[ "$survived" -lt "$allocations" ] || fail "no allocation ever failed"
echo "$allocations allocations failed one by one: $survived results, all right, and no leftovers"
