#!/usr/bin/env bash
# No kernel keeps registers in memory: the assembler's reports, which the build keeps beside the objects
# of kernels/*.cu, name no stack frame and no spill.
set -u

build=$(dirname "$HALO")
shopt -s nullglob
reports=("$build"/kernels/*.ptxas "$build"/kernels/*/*.ptxas)
if [ ${#reports[@]} -eq 0 ]; then
  echo "skipped: this halo was built without CUDA"
  exit 77
fi
awk '
  /Compiling entry function/ { kernel = $0; sub(/.*function ./, "", kernel); sub(/. for.*/, "", kernel) }
  /bytes stack frame/ {
    kernels++
    if ($0 !~ /^ *0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads/) {
      print FILENAME ": " kernel ":" $0
      bad++
    }
  }
  END { print kernels + 0 " kernels, " bad + 0 " of them spill"; exit bad > 0 || kernels == 0 }
' "${reports[@]}"
