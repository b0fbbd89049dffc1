#!/usr/bin/env bash
# Options as a user meets them: what contradicts is refused before any work, what has no effect is a
# warning, --help, --version and bash's completion are made of the program's own tables.
# shellcheck source=tests/command/common.sh disable=SC1091,SC2154
. "$(dirname "$0")/common.sh" || exit 1
picture=$images/chart.png

# warned TEXT COMMAND...: it does its work, and says this one line.
warned() {
	local text=$1
	shift
	expect_status 0 "$@" >/dev/null
	[ "$(cat err)" = "halo: warning: $text" ] || fail "not \"$text\" from: $*: $(cat err)"
}

# Contradictions, before any work: the picture is not even looked for.
expect_error 2 "can't be combined" "$HALO" --bench --explain none.png
expect_error 2 "can't be combined" "$HALO" -f box:3 --scale=2 --normalize none.png
expect_error 2 "can't be combined" "$HALO" -f box:3 -o a.png -d b none.png
expect_error 2 "looks at no picture" "$HALO" --list-formats none.png
expect_error 2 "> FILE keeps them" "$HALO" --list-formats -o a.png
[ -z "$(find . -name '*.png')" ] || fail "something was written"
"$HALO" -q -f box:3 -f box:3 --scale=3 --normalize -o chain.png "$picture" || fail "a chain can be scaled and normalized"

# No effect: told once, and not under -q.
warned "--quality has no effect; it is for jpeg" "$HALO" -f box:3 --quality=50 -o a.png "$picture"
warned "--quality has no effect; it is for jpeg" "$HALO" -f box:3 --quality=50 --format=ppm -d out "$picture" "$images/photo.png"
warned "--compression has no effect; it is for png" "$HALO" -f box:3 -z 9 --format=ppm "$picture"
warned "--timings has no effect with --list-paths" "$HALO" -t --list-paths
warned "--path has no effect with --probe" "$HALO" --probe=broadcast -D emulated -p all
for arguments in "-z 9" "-q --quality=9" "--quality=9 --format=jpeg"; do
	read -ra words <<<"$arguments"
	if [ "${words[-1]}" = --format=jpeg ] && ! "$HALO" -q -f box:3 --format=jpeg "$picture" >jpeg 2>/dev/null; then
		continue # this halo was built without JPEG
	fi
	expect_status 0 "$HALO" -f box:3 "${words[@]}" "$picture" >/dev/null
	[ ! -s err ] || fail "$arguments: $(cat err)"
done

# What --help says of formats, borders and alpha is what there is, and it names defaults.
"$HALO" --help >help || fail "--help"
for name in $("$HALO" --list-borders | awk '{ print $1 }') $("$HALO" --list-alpha | awk '{ print $1 }') \
	$("$HALO" --list-formats | awk '/ write/ { print $1 }'); do
	grep -qF -e "$name" help || fail "--help lacks $name"
done
grep -q "Messages and reports:" help || fail "no heading for messages"
grep -A1 -e --compression= help | grep -qF "(1)" || fail "--help does not name the default of -z"
grep -q "^Report bugs to ." help || fail "--help does not say where to report bugs"
"$HALO" --usage | grep -qF -e "--border=B" || fail "--usage"

# --version: the number alone on its line, then what is built in.
"$HALO" --version >version || fail "--version"
[ "$(sed -n 1p version | wc -w)" -eq 2 ] || fail "not a name and a number: $(sed -n 1p version)"
for part in libpng zlib ISA-L jansson stb_image_write CUDA portable; do
	grep -q "$part" version || fail "--version does not tell of $part"
done
if "$HALO" --list-devices | grep -q '^cuda '; then
	grep -q "no CUDA" version && fail "CUDA is there, and --version denies it"
else
	grep -q "no CUDA" version || fail "CUDA is not there, and --version does not say so"
fi

# Completion asks the program.
# shellcheck source=completions/halo.bash
. "$here/../../completions/halo.bash"
# completes WANTED WORD...: what is offered for the last word.
completes() {
	local wanted=$1
	shift
	COMP_WORDS=("$HALO" "$@")
	COMP_CWORD=$#
	COMPREPLY=()
	_halo
	[ "${COMPREPLY[*]}" = "$wanted" ] || fail "completion of $*: ${COMPREPLY[*]}"
}
completes "constant constant:" -b consta
completes "mirror" --border = m
completes "keep" --alpha = k
completes "png" --format = pn
completes "gauss:" -f gaus
completes "--list-paths" --list-p
completes "--compression=" --comp
echo "options: as they should be"
