#!/usr/bin/env bash
# However halo ends, no temporary file stays and the status shows why: signals, a reader that leaves, limits
# of the shell, an exit() of a library.
#
# shellcheck source=tests/command/common.sh disable=SC1091,SC2015,SC2153,SC2154
. "$(dirname "$0")/common.sh" || exit 1
ulimit -c 0

# A picture of which only the first rows have come: halo holds a temporary file and waits for the others.
{ printf 'P5\n64 4096\n255\n' && head -c 32768 /dev/zero; } >begun.pgm
mkfifo pipe

# await COMMAND...: waits until it succeeds, as long as halo runs and a minute at most.
await()
{
  local turns=0

  until "$@"; do
    kill -0 "$halo" 2>/dev/null || fail "halo ended too early: $(cat err)"
    [ $((turns += 1)) -le 6000 ] || fail "waited too long for: $*"
    sleep 0.01
  done
}

# left: whether a temporary file is here.
left() { [ -n "$(find . -name '.halo-*')" ]; }

# halo_begin WORD...: starts halo, after these words, on half a picture; its process is $halo.
halo_begin()
{
  # A child of a script ignores INT and QUIT unless it is asked not to.
  (
    trap - INT QUIT
    exec "$@" "$HALO" -q -j2 -f identity -o out.pgm pipe
  ) 2>err &
  halo=$!
  exec 3<>pipe # for reading too, so that this never waits for halo
  cat begun.pgm >&3
  await left
}

# halo_end: what its status was, in $status.
halo_end()
{
  wait "$halo" 2>/dev/null
  status=$?
  exec 3>&-
}

# Every signal that ends a program by default.  Those of a fault are the sanitizers' own, where they are.
signals="HUP INT QUIT USR1 USR2 PIPE ALRM TERM XCPU XFSZ VTALRM PROF SYS RTMIN RTMAX"
sanitized || signals="$signals ILL TRAP ABRT BUS FPE SEGV"
for extra in STKFLT IO PWR; do
  kill -l $extra >/dev/null 2>&1 && signals="$signals $extra"
done
for signal in $signals; do
  halo_begin env
  kill -"$signal" "$halo"
  halo_end
  [ $status -eq $((128 + $(kill -l "$signal"))) ] || fail "$signal: exit status $status"
  ! left || fail "$signal leaves a temporary file"
  [ ! -e out.pgm ] || fail "$signal leaves half a picture"
done

# What was ignored stays ignored.
for signal in HUP INT TERM USR1 PIPE XFSZ; do
  (
    trap '' $signal
    exec "$HALO" -q -f identity -o out.pgm pipe
  ) 2>err &
  halo=$!
  exec 3<>pipe # for reading too, so that this never waits for halo
  cat begun.pgm >&3
  await left
  kill -$signal $halo
  head -c $((64 * 4096 - 32768)) /dev/zero >&3
  exec 3>&-
  halo_end
  [ $status -eq 0 ] && [ -e out.pgm ] || fail "$signal was ignored, and ended halo all the same: $status"
  rm out.pgm
done

# Limits of the shell.
cat begun.pgm <(head -c $((64 * 4096 - 32768)) /dev/zero) >zeros.pgm
{
  (
    ulimit -f 16
    exec "$HALO" -q -f identity -o out.pgm zeros.pgm
  )
  status=$?
} 2>err
[ $status -eq $((128 + $(kill -l XFSZ))) ] || fail "a limit of file size: exit status $status"
! left || fail "a limit of file size leaves a temporary file"

# A reader that leaves while many pictures are on their way.
mkdir many
for number in $(seq 1 20); do cp zeros.pgm "many/$number.pgm"; done
for _ in 1 2 3; do
  "$HALO" -v -j4 -f gauss:5 -d out many/*.pgm 2>&1 | head -n 1 >line
  [ "${PIPESTATUS[0]}" -eq $((128 + $(kill -l PIPE))) ] || fail "standard error was closed: ${PIPESTATUS[0]}"
  ! left || fail "a reader that leaves leaves a temporary file"
done

# --bench has files of its own, in /tmp.  It makes them when the paths have been timed; the first that is
# larger than the limit on files allows ends it by a signal.
bench_left() { find /tmp -maxdepth 1 \( -name "halo-bench-$halo-*" -o -name ".halo-$halo-*" \) | grep .; }
(
  ulimit -f 1
  exec "$HALO" --bench -j1 -D cpu -p vector -f box:3 "$images/sprite.png"
) >bench 2>&1 &
halo=$!
wait $halo 2>/dev/null
status=$?
[ $status -eq $((128 + $(kill -l XFSZ))) ] || fail "--bench was not ended by XFSZ, but $status: $(cat bench)"
! bench_left || fail "--bench leaves a temporary file"
echo "signals: nothing is left"
