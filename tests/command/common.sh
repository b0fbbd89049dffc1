# What the tests of the command share; they begin with  . "$(dirname "$0")/common.sh" || exit 1
#
# $HALO is the program, $HALO_SHARED the folder with cases/ and corpus/, where there is one.  Each test
# runs in a folder of its own, $work, that goes away with it.
# shellcheck shell=bash disable=SC2034
set -u
export LC_ALL=C
: "${HALO:=halo}"
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
shared=${HALO_SHARED:-$here/../../../shared}
images=$here/../../images
work=$(mktemp -d) || exit 1
trap 'chmod -R u+rwx "$work" 2>/dev/null; rm -rf "$work"' EXIT
cd "$work" || exit 1

# fail WORD...: ends the test as failed.
fail() {
	echo "FAIL: $*" >&2
	exit 1
}

# skip WORD...: ends the test as skipped, where what it needs is not here.
skip() {
	echo "SKIP: $*"
	exit 77
}

# sanitized: whether the program was built with the address sanitizer.
sanitized() { grep -q __asan_init "$HALO"; }

# expect_status STATUS COMMAND...: runs it, its messages in ./err, and wants that exit status.
expect_status() {
	local wanted=$1 got=0
	shift
	"$@" 2>err || got=$?
	[ "$got" -eq "$wanted" ] || fail "status $got instead of $wanted from: $*: $(cat err)"
}

# expect_error STATUS WORDS COMMAND...: the same, and one line of message that has these words.
expect_error() {
	local wanted=$1 words=$2
	shift 2
	expect_status "$wanted" "$@"
	[ "$(wc -l <err)" -eq 1 ] || fail "not one line of message from: $*: $(cat err)"
	grep -qiF -e "$words" err || fail "no \"$words\" in the message of: $*: $(cat err)"
}

# samples FILE: the samples of a picture as decimal numbers, a row on a line.
samples() {
	"$HALO" -q -f identity --format=pam <"$1" >samples.pam || fail "$1 is no picture"
	awk_samples
}

# The same for ./samples.pam, by the numbers in its header.
awk_samples() {
	local header width depth maximum bytes
	header=$(head -n 7 samples.pam | tr '\0' ' ')
	width=$(sed -n 's/^WIDTH //p' <<<"$header")
	depth=$(sed -n 's/^DEPTH //p' <<<"$header")
	maximum=$(sed -n 's/^MAXVAL //p' <<<"$header")
	bytes=$((maximum > 255 ? 2 : 1))
	tail -c +$(($(head -n 7 samples.pam | wc -c) + 1)) samples.pam |
		od -An -v -w$((width * depth * bytes)) -t u$bytes --endian=big | tr -s ' ' | sed 's/^ //'
}

# same_pixels A B: both are pictures with the same samples.
same_pixels() {
	[ "$(samples "$1")" = "$(samples "$2")" ]
}

# cases_make: the inputs of the case collection, in ./in.
cases_make() {
	command -v python3 >/dev/null || skip "python3 is missing"
	[ -f "$shared/cases/gen_A.py" ] || skip "the case collection is missing (HALO_SHARED)"
	python3 "$shared/cases/gen_A.py" in || fail "the inputs can't be made"
}

# zeros N: N taps of 0.
zeros() { head -c "$1" /dev/zero | tr '\0' '0' | sed 's/0/0 /g'; }

# middle FROM TO: a row of taps that under --border=crop leaves the middle TO of FROM pixels.
middle() { echo "$(zeros $((($1 - $2) / 2)))1 $(zeros $(($1 - $2 - ($1 - $2) / 2)))" | sed 's/ *$//'; }

# cut_middle NAME WIDTH HEIGHT WIDTH HEIGHT: the middle of the sample picture of that name and size,
# in ./in.
cut_middle() {
	mkdir -p in
	"$HALO" -q -b crop --alpha=straight -f "$(middle "$2" "$4")" -f "$(middle "$3" "$5" | tr ' ' ';')" \
		-o "in/$1.png" "$images/$1.png" || fail "$1.png can't be cut"
}

# cut_pictures: small ones of every kind, in ./in.
cut_pictures() {
	cut_middle chart 640 480 67 35
	cut_middle photo 768 512 41 23
	cut_middle ramp16 512 256 33 20
	cut_middle sprite 256 256 45 31
}

# paths_of DEVICE: the names of its paths that can run here.
paths_of() { "$HALO" --list-paths | awk -v device="$1" '$2 == device && !/; not here: / { print $1 }'; }
