#!/bin/bash
# Memory does not grow with the height of a picture: 800 MB of samples go through within an address
# space that could not hold them.
# shellcheck source=tests/command/common.sh disable=SC1091,SC2015,SC2153,SC2154
. "$(dirname "$0")/common.sh" || exit 1

if sanitized; then
	skip "the address sanitizer reserves more address space than this test allows"
fi
width=8000 height=100000
(
	ulimit -v 500000
	{
		printf 'P5\n%d %d\n255\n' $width $height
		head -c $((width * height)) /dev/zero
	} | "$HALO" -q -f box:9 -j 2
) >result || fail "800 MB do not go through 500 MB"
size=$(wc -c <result)
[ "$size" -eq $((width * height + 19)) ] || fail "the result has $size bytes"
echo "800 MB went through 500 MB of address space"
