# The items of check_gpu.sh: for each, a function NAME_check that says at the end what was tried.  Sourced.
# shellcheck shell=bash disable=SC2154

# --- what items are made of ---

# picture ARGUMENT...: see picture.py.
picture()
{
  command -v python3 >/dev/null || skip "python3 is missing"
  python3 "$here/../support/picture.py" "$@"
}

# taps_make WIDTH HEIGHT: a filter file, whose taps are no product of a row and a column.
taps_make()
{
  awk -v w="$1" -v h="$2" 'BEGIN {
    print w, h, w * h
    for (j = 0; j < h; j++)
      for (i = 0; i < w; i++)
        printf "%d%s", (i * i + 3 * j + i * j) % 7 - 1, i + 1 < w ? " " : "\n" }'
}

# same_as_cpu OPTION...: every path of cuda makes the bytes of the CPU of all that is in ./in.
same_as_cpu()
{
  "$HALO" -q -z 1 -D cpu "$@" -d cpu in/* || fail "cpu: $*"
  "$HALO" -q -z 1 -D cuda -p all "$@" -d cuda in/* || fail "cuda: $*"
  diff -rq cpu cuda || fail "cuda is not cpu: $*"
  rm -r cpu cuda
}

# pictures_run PICTURE...: presets and borders over them.
pictures_run()
{
  local filter border runs=0

  mkdir in
  ln -s "$@" in/
  for border in clamp mirror reflect wrap constant:40 crop; do
    for filter in gauss:0.8 gauss:3 box:5x2 sharpen unsharp:2,1 emboss sobel-x laplacian8 disk:4 \
      motion:15,30 dog:1,2 '0.3 0.25 -0.1 0.7'; do
      same_as_cpu -f "$filter" -b $border
      runs=$((runs + 1))
    done
  done
  echo "$# pictures, $runs pairs of filter and border"
}

# sanitizer_run TOOL: compute-sanitizer over small runs of every path.
sanitizer_run()
{
  local tool=$1 runs=0

  command -v compute-sanitizer >/dev/null || skip "compute-sanitizer is missing"
  cut_pictures
  "$HALO" -q -f identity --format=pfm -o in/floats.pfm in/chart.png || fail "no PFM"
  while read -r picture options; do
    eval "set -- $options"
    compute-sanitizer --tool "$tool" --error-exitcode 9 --print-limit 5 \
      "$HALO" -q -D cuda -p all -o out.pam "$@" "in/$picture" >log 2>&1 ||
      fail "$picture $options: $(grep -m 2 '=========' log | tail -n 1; tail -n 3 log)"
    runs=$((runs + 1))
  done <<'END'
photo.png -b mirror -f sharpen
photo.png -b clamp -f gauss:1.5
ramp16.png -b wrap -f disk:3
ramp16.png -b constant:40 -f '1 2 3 4 5 4 3 2 1'
sprite.png -b crop -f box:4x3
floats.pfm -b reflect -f sobel-x -f gauss:1 -f '1 2; 3 4'
floats.pfm -b clamp -f motion:15,30 -f '1; 2; 3'
END
  echo "$runs runs of every path"
}

# --- items: NAME_check, with what its line says at the end ---

table_check()
{
  local test=$build/tests/unit/test_paths_cuda status=0

  [ -x "$test" ] || skip "test_paths_cuda is not built (make check TESTS= builds it, where Check is)"
  "$test" >log 2>&1 || status=$?
  [ $status -ne 127 ] || skip "test_paths_cuda does not start: $(tail -n 1 log)"
  [ $status -ne 77 ] || skip "$(tail -n 1 log)"
  [ $status -eq 0 ] || fail "$(grep -m 3 ':F:\|:E:' log || tail -n 3 log)"
  grep 'took' log
  head -n 1 log
}

large_check()
{
  HALO_CASES=large table_check
}

images_check()
{
  pictures_run "$here"/../../images/*.png
}

photos_check()
{
  local photos=("$shared"/corpus/photos/*.png)

  [ ${#photos[@]} -gt 0 ] || skip "no photographs in $shared/corpus/photos (HALO_SHARED)"
  pictures_run "${photos[@]}"
}

emulated_check()
{
  local filter border

  cut_pictures
  for border in clamp reflect crop; do
    for filter in gauss:1.5 sharpen disk:2 '0.3 0.25 -0.1 0.7'; do
      same_as_cpu -f "$filter" -b $border
      "$HALO" -q -D cuda -f "$filter" -b $border -d one in/* || fail "cuda: $filter, $border"
      "$HALO" -q -D emulated -p all -f "$filter" -b $border -d other in/* || fail "emulated: $filter, $border"
      diff -rq one other || fail "cuda is not emulated: $filter, $border"
    done
  done
  echo "4 small pictures on cpu, cuda and emulated"
}

tall_check()
{
  local rows

  mkdir in
  for rows in 524281 1048561 2097121; do picture noise in/tall_1x$rows.png 1 $rows 1; done
  same_as_cpu -f box:3
  same_as_cpu -f box:3 --band=100000000
  same_as_cpu -f '1 2 3; 4 5 6; 7 8 9' --scale=45 --band=100000000 -b wrap
  echo "A19: up to 2,097,121 rows, in bands and as one"
}

# giant_run OPTION...: the spot at the end of the giant, and nothing else beyond the header.
giant_run()
{
  local side=46341 bytes=$((46341 * 46341 + 19))

  "$HALO" -q --max-pixels=3G --format=pgm "$@" giant.png 2>err | picture seen >offsets ||
    fail "$*: $(cat err)"
  [ "$(awk '$1 > 18' offsets)" = "$((bytes - side - 2)) 28
$((bytes - side - 1)) 57
$((bytes - 2)) 57
$((bytes - 1)) 113
$bytes bytes" ] || fail "$*: $(tail -n 6 offsets | tr '\n' ',')"
}

giant_check()
{
  picture spot giant.png 46341 46341 1
  giant_run -D cpu -f box:3
  giant_run -D cuda -p all -f box:3
  giant_run -D cuda -p all -f '1 1 1; 1 1 1; 1 1 1' --scale=9 --band=100000
  echo "A20: 46341x46341, in bands and as one of more than 2^31 samples"
}

# float4_sum OPTION...: a checksum of what becomes of the picture.
float4_sum()
{
  "$HALO" -q --format=pam "$@" float4.png 2>err | cksum || fail "$*: $(cat err)"
}

float4_check()
{
  local options expected got

  picture noise float4.png 12000 12000 4
  for options in '-f gauss:1.5 -b mirror' '-f unsharp:1,1 -b wrap --band=100000'; do
    read -ra words <<<"$options"
    expected=$(float4_sum -D cpu "${words[@]}") || fail "cpu: $expected"
    got=$(float4_sum -D cuda -p all "${words[@]}") || fail "cuda: $got"
    [ "$got" = "$expected" ] || fail "cuda is not cpu: $options"
  done
  echo "A20: 12000x12000 RGBA, 2.3 GB as floats, in bands and as one"
}

hidden_check()
{
  local value status=0

  cut_pictures
  for value in '' -1 99; do
    CUDA_VISIBLE_DEVICES=$value expect_error 3 "CUDA_VISIBLE_DEVICES hides every GPU" \
      "$HALO" -q -D cuda -f box:3 in/photo.png
    CUDA_VISIBLE_DEVICES=$value expect_error 3 "can't be used" "$HALO" -q -D cuda:1 -f box:3 in/photo.png
  done
  expect_error 3 "there is no GPU number 99" "$HALO" -q -D cuda:99 -f box:3 in/photo.png
  expect_status 0 "$HALO" -q -D cuda:0 -f box:3 -o out.png in/photo.png
  bash "$here/devices.sh" >log 2>&1 || status=$?
  [ $status -eq 0 ] || fail "devices.sh: $(tail -n 2 log)"
  echo "A21: hidden GPUs are said so, and CUDA is left alone where nobody wants it"
}

auto_check()
{
  local options=(-j 1 -f disk:20 "$here/../../images/photo.png")

  HALO_CPU=portable "$HALO" -q -D cpu "${options[@]}" >expected || fail "cpu"
  HALO_CPU=portable expect_status 0 "$HALO" -v -q -o got.png "${options[@]}"
  grep -q "on the device cuda" err || fail "much work does not go to the GPU: $(cat err)"
  cmp expected got.png || fail "auto gives another result"
  expect_status 0 "$HALO" -v -q -f sharpen -o got.png "$here/../../images/photo.png"
  grep -q "on the device cpu" err || fail "little work goes to the GPU: $(cat err)"
  echo "much work goes to the GPU, a small picture does not"
}

# large_filter WIDTH HEIGHT: each path of cuda gives the bytes of the CPU, or names its limit.
large_filter()
{
  local path status

  taps_make "$1" "$2" >taps.txt
  "$HALO" -q -D cpu -b mirror -f taps.txt in/photo.png >expected || fail "cpu: $1x$2"
  for path in $(paths_of cuda); do
    status=0
    "$HALO" -q -D cuda -p "$path" -b mirror -f taps.txt in/photo.png >got 2>err || status=$?
    if [ $status -eq 0 ]; then
      cmp expected got || fail "$1x$2: $path is not cpu"
    elif [ $status -eq 3 ] && grep -q "can't do this: .*[0-9]" err; then
      echo "$1x$2: $(cat err)" >>refusals
    else
      fail "$1x$2: $path ends with status $status: $(cat err)"
    fi
  done
}

filters_check()
{
  local side

  cut_pictures
  for side in 13 15 31 33 127 129 255 511; do large_filter $side $side; done
  large_filter 4097 1
  large_filter 1 4097
  [ ! -s refusals ] || cat refusals
  echo "A23: up to 511x511 and 4097x1; refusals: $(sed 's/:.*the path / /; s/ .*do this:/:/' refusals 2>/dev/null |
    sort -u | tr '\n' ';')"
}

memory_check()
{
  local bytes

  mkdir in
  "$HALO" -q -b crop -f "$(middle 512 200)" -f "$(middle 512 150 | tr ' ' ';')" \
    -o in/zone.png "$here/../../images/zone-plate.png" || fail "no picture"
  for bytes in 1000000 100000 50000; do
    HALO_DEVICE_MEMORY=$bytes same_as_cpu -j 1 --band=150 -f sharpen
  done
  HALO_DEVICE_MEMORY=1000 expect_error 3 "memory" "$HALO" -q -D cuda -f sharpen -o none.png in/zone.png
  [ ! -e none.png ] || fail "something was written"
  echo "within 50,000 bytes of the device's memory the same bytes, within 1000 a clear error"
}

# beside_hold MEBIBYTES: has another program hold all of the GPU's memory but so much.
beside_hold()
{
  local told

  coproc HOLD { exec python3 "$here/../gpu/hold_memory.py" "$1"; }
  read -r told <&"${HOLD[0]}" || told="the helper ended"
  [[ $told == "holds "* ]] || skip "memory of the GPU can't be held: $told"
}

beside_release()
{
  local writing=${HOLD[1]}

  exec {writing}>&-
  wait "$HOLD_PID"
}

# A GPU whose memory other programs hold: the same bytes, or what is free and what would do.
busy_check()
{
  local left did=""

  picture noise in.png 14000 14000 3
  "$HALO" -q -z 1 -D cpu -f sharpen --format=ppm in.png >expected || fail "cpu"
  for left in 4000 1500 1000 800 700 600 500; do
    local status=0

    beside_hold $left
    "$HALO" -q -D cuda -f sharpen --format=ppm in.png >got 2>err || status=$?
    beside_release
    if [ $status -eq 0 ]; then
      cmp expected got || fail "with $left MiB free: another result"
      did="$did $left"
    elif [ $status -eq 3 ]; then # not even the start of CUDA, or a row, has enough
      grep -q "too little is left to start\|free, and a band of one row needs" err || fail "with $left MiB free: $(cat err)"
      echo "with $left MiB free: $(cat err)"
    else
      fail "with $left MiB free: status $status, $(cat err)"
    fi
  done
  [[ $did == " 4000 1500 1000"* ]] || fail "only with$did MiB free there is a result"
  echo "588 MB beside other programs, with$did MiB free"
}

many_check()
{
  local threads

  mkdir in
  ln -s "$here"/../../images/*.png in/
  for threads in 1 4 16; do
    for options in '-f gauss:2 -b reflect' '-f sobel-x --absolute'; do
      read -ra words <<<"$options"
      same_as_cpu -j $threads "${words[@]}"
      "$HALO" -q -j $threads -D cuda "${words[@]}" -d one in/*.png || fail "cuda: $options"
      "$HALO" -q -j 2 -D cpu "${words[@]}" -d other in/*.png || fail "cpu: $options"
      diff -rq one other || fail "cuda is not cpu: -j $threads $options"
    done
  done
  echo "several files at once by 1, 4 and 16 threads"
}

chains_check()
{
  cut_pictures
  "$HALO" -q -f identity --format=pfm -o in/floats.pfm in/chart.png || fail "no PFM"
  same_as_cpu -f sobel-x -f gauss:1 -f emboss -b reflect
  same_as_cpu -f gauss:1 -f 'binomial5' -f '1 2; 3 4' --scale=10 -b constant:40
  same_as_cpu -f box:5x2 -f sharpen --linear -b mirror --alpha=straight
  same_as_cpu -f sharpen -f laplacian8 --absolute --offset=20 --alpha=keep
  same_as_cpu -f disk:2 -f motion:9,45 -b crop --convolve
  same_as_cpu -f gauss:1 -f sobel-y --depth=16 --format=pam -b wrap --band=7
  echo "6 chains over 8-bit, 16-bit, RGBA and float pictures"
}

# Counters of the hardware: those of Nsight Compute for the same launches, and the emulator's predictions.
counters_check()
{
  command -v python3 >/dev/null || skip "python3 is missing"
  command -v ncu >/dev/null || skip "ncu is missing (Nsight Compute)"
  "$HALO" --bench -D cuda --counters --format=json "$here/../../images/photo.png" >bench.json || fail "--counters"
  ! grep -q '"counters_unavailable": "' bench.json || skip "$(grep -m 1 '"counters_unavailable"' bench.json)"
  python3 "$here/../gpu/counters.py" "$HALO" "$here/../../images/photo.png" || fail "counters differ"
}

memcheck_check()
{
  sanitizer_run memcheck
}

racecheck_check()
{
  sanitizer_run racecheck
}

initcheck_check()
{
  sanitizer_run initcheck
}

synccheck_check()
{
  sanitizer_run synccheck
}
