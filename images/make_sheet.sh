#!/bin/sh
# Makes filters.png, the picture of the README that shows what the filters do.
#
#   make_sheet.sh HALO DIRECTORY
#
# HALO is the program; DIRECTORY holds photo.png and gets filters.png.  It needs netpbm.
set -eu

if [ $# -ne 2 ]; then
  echo "usage: make_sheet.sh HALO DIRECTORY" >&2
  exit 2
fi
halo=$1
directory=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# A part of the photograph at its own size, in which there are sky, rock, forest and water.
pngtopnm "$directory/photo.png" | pamcut -left 400 -top 60 -width 240 -height 180 > "$work/part.ppm"

# cell NAME CAPTION [OPTION]...: one picture under its caption; without options as it is.
cell()
{
  name=$1
  caption=$2
  shift 2
  if [ $# -gt 0 ]; then
    "$halo" -q "$@" < "$work/part.ppm" > "$work/result.ppm"
  else
    cp "$work/part.ppm" "$work/result.ppm"
  fi
  echo "$caption" | pbmtext -builtin fixed -nomargins | pnmpad -white -left 3 -width 246 -top 8 \
    -bottom 2 > "$work/caption.pbm"
  pnmpad -white -left 3 -right 3 -bottom 4 "$work/result.ppm" > "$work/padded.ppm"
  pnmcat -topbottom "$work/caption.pbm" "$work/padded.ppm" > "$work/cell-$name.ppm"
}

cell 11 'photo.png, a part'
cell 12 '-f gauss:3' -f gauss:3
cell 13 '-f sharpen' -f sharpen
cell 14 '-f unsharp:3,1.5' -f unsharp:3,1.5
cell 21 '-f disk:5' -f disk:5
cell 22 '-f motion:21,30' -f motion:21,30
cell 23 '-f emboss' -f emboss
cell 24 '-f sobel-x --offset=128' -f sobel-x --offset=128
cell 31 '-f laplacian8 --absolute' -f laplacian8 --absolute
cell 32 '-f log:2 -f 20 --absolute' -f log:2 -f 20 --absolute
cell 33 '-f dog:1,4 --offset=128' -f dog:1,4 --offset=128
cell 34 '-f relief' -f relief

for row in 1 2 3; do
  pnmcat -white -leftright "$work/cell-$row"?.ppm > "$work/row-$row.ppm"
done
pnmcat -white -topbottom "$work"/row-?.ppm | pnmtopng -compression 9 > "$work/filters.png"
mv "$work/filters.png" "$directory/filters.png"
