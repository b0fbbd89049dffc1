#!/bin/bash
# What is odd in a picture and does not keep it from being read is one warning, exit status 0 and the
# right pixels: bytes or another picture behind it (C7), bad chunks, surplus, transparent colours.
# shellcheck source=tests/command/common.sh disable=SC1091,SC2015,SC2153,SC2154
. "$(dirname "$0")/common.sh" || exit 1

# expect_warning WORDS FILE: one line of message, with these words.
expect_warning() {
	expect_status 0 "$HALO" -f identity -o out.pam "$2"
	[ "$(wc -l <err)" -eq 1 ] || fail "not one line of message for $2: $(cat err)"
	grep -qF "halo: $2: warning: " err && grep -qF -e "$1" err || fail "no \"$1\" for $2: $(cat err)"
}

# expect_silence FILE
expect_silence() {
	expect_status 0 "$HALO" -f identity -o out.pam "$1"
	[ ! -s err ] || fail "a message for $1: $(cat err)"
}

another="another picture follows in the file; only the first one is read"
behind="the file goes on behind the picture; what follows is ignored"

# Netpbm: raw formats are streams of pictures, plain ones end with white space and comments.
printf 'P5 2 1 255\nab' >one.pgm
printf 'P7\nWIDTH 1\nHEIGHT 1\nDEPTH 2\nMAXVAL 255\nENDHDR\nab' >one.pam
printf 'Pf\n1 1\n-1.0\n\0\0\200\077' >one.pfm
printf 'P2 2 1 255\n1 2\n# the end\n\n' >plain.pgm
printf 'P1 3 1\n101' >plain.pbm
for name in one.pgm one.pam one.pfm plain.pgm plain.pbm; do
	expect_silence $name
	cat $name one.pgm >"two-$name"
	expect_warning "$another" "two-$name"
	{ cat $name && printf 'xyz'; } >"tail-$name"
	expect_warning "$behind" "tail-$name"
done
printf 'P2 2 1 255\n1 2 3' >more.pgm
expect_warning "$behind" more.pgm

# PNG behind PNG, and bytes.
expect_silence "$images/sprite.png"
cat "$images/sprite.png" "$images/sprite.png" >two.png
expect_warning "$another" two.png
{ cat "$images/sprite.png" && printf 'xyz'; } >tail.png
expect_warning "$behind" tail.png
same_pixels "$images/sprite.png" two.png || fail "other pixels"

# The samples are those of the first picture; so too from standard input.
"$HALO" -q -f identity <two-one.pgm >first.pgm
same_pixels first.pgm one.pgm || fail "not the first picture"
"$HALO" -f identity <two-one.pgm 2>err >first.pgm
grep -qF "standard input: warning: $another" err || fail "no warning for standard input: $(cat err)"

# A file of the collection of crashers that has 30 bad chunks, and pixels.
crasher=$shared/corpus/crashers/empty_ancillary_chunks.png
if [ -f "$crasher" ]; then
	cp "$crasher" chunks.png
	expect_warning "has the wrong length and is left out; more warnings: 29" chunks.png
else
	echo "SKIP: corpus/crashers is missing (HALO_SHARED)"
fi
echo "what is odd is one warning"
