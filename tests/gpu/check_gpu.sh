#!/usr/bin/env bash
# What can only be tried on a machine with a GPU: the paths of the device cuda over whole case tables,
# pictures and hard cases (A19, A20, A21 and A23), and under the tools of compute-sanitizer.
#
#   check_gpu.sh BUILD-DIRECTORY [ITEM]...
#
# Runs all items, or those that are named; each says PASS, FAIL or SKIP on a line of its own, and the
# last line is "N passed, N failed, N skipped".  Fails where an item failed; exit status 77 says that
# there is no GPU here.  Wants bash and python3; compute-sanitizer where it is found.
set -u
shopt -s nullglob

if [ $# -lt 1 ] || [ ! -x "$1/halo" ]; then
  echo "usage: check_gpu.sh BUILD-DIRECTORY [ITEM]..." >&2
  exit 2
fi
set -a # each item runs in a shell of its own, which gets all that is defined here
build=$(cd "$1" && pwd)
shift
HALO=$build/halo
# shellcheck source=tests/command/common.sh disable=SC1091
. "$(dirname "${BASH_SOURCE[0]}")/../command/common.sh" || exit 1
HALO_FILTERS=${HALO_FILTERS-$here/../../filters}
PATH=$PATH:/usr/local/cuda/bin
unset HALO_DEVICE_MEMORY HALO_DEVICE_STREAMS HALO_CPU HALO_CASES

# shellcheck source=tests/gpu/check_gpu_items.sh disable=SC1091
. "$here/../gpu/check_gpu_items.sh"
set +a

# --- the run ---

passed=0 failed=0 skipped=0

# item NAME SECONDS: runs NAME_check, within that time, in a folder of its own.
item()
{
  local name=$1 seconds=$2 status=0 start=$SECONDS told

  case " ${wanted[*]} " in
    "  " | *" $name "*) ;;
    *) return ;;
  esac
  mkdir "$work/$name"
  (cd "$work/$name" && timeout -k 5 "$seconds" bash -uo pipefail -c "${name}_check") \
    >"$work/$name.log" 2>&1 </dev/null || status=$?
  told=$(tail -n 1 "$work/$name.log")
  case $status in
    0)
      passed=$((passed + 1))
      echo "PASS $name ($((SECONDS - start)) s): $told"
      ;;
    77)
      skipped=$((skipped + 1))
      echo "SKIP $name: ${told#SKIP: }"
      ;;
    *)
      failed=$((failed + 1))
      [ $status -ne 124 ] && [ $status -ne 137 ] || told="took more than $seconds s; $told"
      echo "FAIL $name ($((SECONDS - start)) s): ${told#FAIL: }"
      tail -n 10 "$work/$name.log" | sed 's/^/  | /'
      ;;
  esac
  rm -rf "${work:?}/$name"
}

wanted=("$@")
gpu=$("$HALO" --list-devices | grep '^cuda ') || gpu="this halo was built without CUDA"
case $gpu in
  *"; not here: "* | this*)
    echo "SKIP: check-gpu: there is no GPU here that halo can use: ${gpu#*; not here: }"
    echo "0 passed, 0 failed, 1 skipped"
    exit 77
    ;;
esac
nvidia-smi -L 2>/dev/null || echo "a GPU that nvidia-smi does not name"
"$HALO" --list-paths | grep ' cuda '

item table 120
item large 180
item images 120
item photos 150
item emulated 60
item tall 60
item giant 180
item float4 120
item hidden 60
item auto 20
item filters 90
item memory 30
item busy 120
item many 60
item chains 60
item counters 120
item memcheck 90
item racecheck 90
item initcheck 90
item synccheck 90

echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
