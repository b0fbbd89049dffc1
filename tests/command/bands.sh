#!/bin/bash
# The result does not depend on the height of bands, the number of threads, the path, or whether it
# goes through a file or a pipe.
# shellcheck source=tests/command/common.sh disable=SC1091,SC2015,SC2153,SC2154
. "$(dirname "$0")/common.sh" || exit 1

# variants NAME OPTION... < picture: every band height and number of threads gives the same bytes.
variants() {
	local name=$1 band threads
	shift
	"$HALO" -q "$@" --band=100000 -j 1 <in.png >expected || fail "$name: does not run"
	for band in 1 2 7 64; do
		for threads in 1 2 5; do
			"$HALO" -q "$@" --band=$band -j $threads <in.png >got ||
				fail "$name: does not run with --band=$band -j $threads"
			cmp -s expected got || fail "$name: --band=$band -j $threads changes the result"
		done
	done
	"$HALO" -q "$@" -o - in.png >got || fail "$name: does not run from a file"
	cmp -s expected got || fail "$name: from a file it is not what a pipe gives"
}

for picture in photo sprite ramp16; do
	cp "$images/$picture.png" in.png
	for border in clamp mirror reflect wrap constant:40 crop; do
		variants "$picture, gauss:3, $border" -f gauss:3 -b $border --format=pam
	done
	variants "$picture, chain" -f sobel-x -f gauss:1 -f 'emboss' -b reflect
	variants "$picture, linear" -f box:5x2 --linear -b mirror
	variants "$picture, keep" -f sharpen --alpha=keep -b crop
	variants "$picture, both paths" -f gauss:1.5 -p vector,reference
done

# A chain may have any number of filters.
chain=()
for ((i = 0; i < 100; i++)); do
	chain+=(-f identity)
done
"$HALO" -q "${chain[@]}" -o chained.png "$images/sprite.png" || fail "a chain of 100 filters"
"$HALO" -q -f identity -o once.png "$images/sprite.png" || fail "identity"
cmp -s chained.png once.png || fail "a chain of 100 filters that change nothing changes something"
echo "bands, threads and pipes: the same bytes"
