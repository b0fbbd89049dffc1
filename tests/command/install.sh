#!/usr/bin/env bash
# What is installed: the program finds its presets before and after, and wherever it is moved to; what a
# user needs beside it is there; uninstalling leaves nothing.
# shellcheck source=tests/command/common.sh disable=SC1091,SC2154
. "$(dirname "$0")/common.sh" || exit 1
build=$(cd "$(dirname "$HALO")" && pwd)
[ -f "$build/Makefile" ] || skip "$HALO is not in a folder where it was built"
unset HALO_FILTERS MAKEFLAGS MFLAGS MAKELEVEL

# presets PROGRAM: it finds its own.
presets() {
	"$1" --list-filters >list 2>err || fail "$1 --list-filters: $(cat err)"
	grep -q '^sobel-x ' list || fail "$1 does not find its presets"
}

presets "$HALO"

make_in_build() {
	make -s -C "$build" prefix=/usr "$@" DESTDIR="$work/root" >log 2>&1 || fail "make $*: $(tail -n 5 log)"
}
make_in_build install-strip
for file in bin/halo share/man/man1/halo.1 share/doc/halo/README.md share/doc/halo/LICENSE share/doc/halo/NEWS \
	share/halo/bench/plot share/halo/filters/sobel-x.txt share/bash-completion/completions/halo; do
	[ -s "root/usr/$file" ] || fail "$file is not installed"
done
[ -x root/usr/share/halo/bench/plot ] || fail "plot can't be run"
if command -v nm >/dev/null; then
	[ -z "$(nm root/usr/bin/halo 2>/dev/null)" ] || fail "install-strip does not strip"
fi
mv root/usr moved
presets moved/bin/halo
mv moved root/usr
make_in_build uninstall
left=$(find root -not -type d)
[ -z "$left" ] || fail "left by uninstall: $left"
left=$(find root -path '*/halo*' -o -path '*/bash-completion*')
[ -z "$left" ] || fail "folders left by uninstall: $left"
echo "what is installed: all there, and gone again"
