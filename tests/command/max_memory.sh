#!/bin/bash
# --max-memory bounds what a picture takes, the height of bands does not change that, and the message has the
# unit that was typed.  Each command runs in an address space that leaves 100 MB beside the program.
# shellcheck source=tests/command/common.sh disable=SC1091,SC2015,SC2153,SC2154
. "$(dirname "$0")/common.sh" || exit 1

# picture WIDTH HEIGHT: a grey picture of noughts.
picture() {
	printf 'P5\n%d %d\n255\n' "$1" "$2"
	head -c $(($1 * $2)) /dev/zero
}

# bounded WHAT OPTION...: runs it on ./in.pgm.
bounded() {
	local what=$1
	shift
	(
		ulimit -v 150000
		MALLOC_ARENA_MAX=1 "$HALO" -q "$@" -o out.pgm in.pgm 2>err
	) || fail "$what takes too much memory: $(cat err)"
	tail -c +$(($(head -n 3 out.pgm | wc -c) + 1)) out.pgm | tr -d '\0' | cmp -s - /dev/null ||
		fail "$what: noughts do not stay noughts"
}

if ! sanitized; then
	picture 1000 20 >in.pgm
	bounded "a tall and wide filter" -j 2 --max-memory=64M -f gauss:1000
	picture 1 1 >in.pgm
	bounded "a box far larger than the picture" -j 1 --max-memory=64M -f box:20001
	picture 300 20000 >in.pgm
	bounded "--band=1 on one thread" -j 1 --band=1 -f box:3
	bounded "--band=1 on two threads" -j 2 --band=1 -f box:3
fi

picture 10 10 >in.pgm
expect_error 1 "more than --max-memory=1K allows" "$HALO" -q --max-memory=1K -f box:3 -o out.pgm in.pgm
expect_error 1 "more than --max-memory=1M allows" "$HALO" -q --max-memory=1M -f gauss:300 -b wrap \
	-o out.png "$images/photo.png"

# A budget that is too small for all of a batch at the same time lets them wait for one another.
for i in 1 2 3 4 5 6; do cp "$images/sprite.png" "$i.png"; done
expect_status 0 "$HALO" -q -j 6 --max-memory=4M -f gauss:2 -d small [1-6].png
expect_status 0 "$HALO" -q -j 1 -f gauss:2 -d large [1-6].png
for i in 1 2 3 4 5 6; do
	cmp -s "small/$i.png" "large/$i.png" || fail "--max-memory changes $i.png"
done
echo "memory stays within --max-memory"
