#!/usr/bin/env bash
# Where results and reports go: names that stand for an open descriptor, a full disk, and messages that name
# what they are about, before any work is done.
#
# shellcheck source=tests/command/common.sh disable=SC1091,SC2015,SC2016,SC2154
. "$(dirname "$0")/common.sh" || exit 1

"$HALO" -q -f identity -o small.png "$images/sprite.png" || fail "identity"
printf 'P5\n3 2\n255\nabcdef' >tiny.pgm
"$HALO" -q -f identity tiny.pgm >wanted || fail "standard output"

# C1: through the descriptor, where it stands.
run() { "$HALO" -q -f identity -o "$1" tiny.pgm; }
{ printf HEAD && cat wanted && printf TAIL; } >wanted.whole
{ printf KEEP && cat wanted; } >wanted.appended
for name in /dev/stdout /dev/fd/1 /proc/self/fd/1 /dev/fd/5; do
  [ -e /dev/fd/1 ] || skip "/dev/fd is missing"
  run $name 5>&1 | cmp - wanted || fail "C1: $name is a pipe"
  { printf HEAD && run $name 5>&1 && printf TAIL; } >whole
  cmp whole wanted.whole || fail "C1: $name within a group"
  printf KEEP >appended
  ln -f appended other
  run $name >>appended 5>&1
  cmp appended wanted.appended && cmp other wanted.appended || fail "C1: $name with >>"
done
ln -s /dev/stdout link
{ printf HEAD && run link && printf TAIL; } >whole
cmp whole wanted.whole || fail "C1: a link to /dev/stdout"
run >(cat >substituted) || fail "C1: >(command)"
for _ in $(seq 1 500); do cmp -s substituted wanted && break || sleep 0.01; done
cmp substituted wanted || fail "C1: >(command)"
{ printf HEAD >&2 && run /dev/stderr && printf TAIL >&2; } 2>whole
cmp whole wanted.whole || fail "C1: /dev/stderr"

# A broken picture adds nothing to it.
head -c 12 tiny.pgm >cut.pgm
printf KEEP >appended
"$HALO" -q -f identity -o /dev/stdout cut.pgm >>appended 2>err
[ $? -eq 1 ] && [ "$(cat appended)" = KEEP ] || fail "C1: a broken picture adds to what is there"
expect_error 1 "/dev/fd/77: can't be written" "$HALO" -f identity -o /dev/fd/77 tiny.pgm
expect_error 1 "standard output: can't be written" sh -c "exec '$HALO' -f identity tiny.pgm >&-"
[ -z "$(find . -name '.halo*')" ] || fail "a temporary file is left"

# Everything that is printed is known to have been printed.
if [ -w /dev/full ]; then
  full() { expect_error 1 "standard output: can't be written" sh -c 'exec "$0" "$@" >/dev/full' "$HALO" "$@"; }
  formats='csv'
  "$HALO" --probe=stride -D emulated --format=json >json 2>/dev/null && formats='csv json'
  for format in '' $formats; do
    full --bench -D cpu -p vector -f box:3 ${format:+--format=$format} small.png
    full --explain -D emulated -p global -f box:3 ${format:+--format=$format} tiny.pgm
    full --probe=stride -D emulated ${format:+--format=$format}
  done
  for list in filters paths devices formats; do full --list-$list; done
  full --help
  full --version
  full --usage
  expect_error 1 "standard output: can't be written" sh -c 'exec "$0" --list-paths >&-' "$HALO"
else
  echo "SKIP: /dev/full is missing"
fi

# Messages name the right file, once, and before anything is read or made: none of the inputs is there.
rejected()
{
  expect_error 2 "$1" "$HALO" -f identity "${@:2}"
  ! grep -q 'none' err || fail "the input is blamed: $(cat err)"
  [ ! -e out ] || fail "something was made"
}
rejected "halo: o.tif: " -o o.tif none.png
rejected "halo: o.tif: " -o o.tif <small.png
rejected "--format=tiff" --format=tiff -d out none1.png none2.png none3.png
rejected "--format=tiff" --format=tiff -o o.tif none.png
rejected "--depth=16" --depth=16 --format=bmp -d out none1.png none2.png
rejected "--depth=16" --depth=16 -o o.tga none.png
mkdir folder
rejected "halo: folder: is a directory; use -d DIR" -o folder none.png
rejected "halo: ./folder/: is a directory; use -d DIR" -o ./folder/ none.png
expect_error 1 "halo: tiny.pgm: is no directory" "$HALO" -f identity -d tiny.pgm none1.png none2.png
expect_error 1 "halo: nowhere/o.png: can't be written: No such file" "$HALO" -f identity -o nowhere/o.png small.png
expect_error 1 "halo: '': can't be written: No such file" "$HALO" -f identity -o "" none.png
mkdir results results/small.png
expect_error 1 "halo: results/small.png: can't be written: Is a directory" "$HALO" -q -f identity -d results small.png
expect_error 1 "halo: none.png: can't be opened" "$HALO" -f identity -o o.png none.png

# Names are bytes, and no terminal is told what to do by them.
for name in $'caf\303\251.png' $'caf\351.png' $'\233\062J.png' $'a\033[2J.png'; do
  "$HALO" -f identity -o o.png "$name" 2>err && fail "a file that isn't there"
  [ -z "$(LC_ALL=C tr -d '\n -~' <err)" ] || fail "a name goes to the terminal as it is: $(od -c err)"
done
mkdir $'a\033' $'a\033/b'
cp small.png $'a\033/small.png'
cp small.png $'a\033/b/small.png'
"$HALO" -q -f identity -d $'out\033' $'a\033/small.png' $'a\033/b/small.png' 2>err
[ $? -eq 1 ] && [ -z "$(tr -d '\n -~' <err)" ] || fail "two of one name: $(od -c err)"
expect_error 1 "\$'caf\\303\\251.png'" "$HALO" -f identity $'caf\303\251.png'
echo "output: as it should be"
