#!/usr/bin/env python3
"""hold_memory.py MEBIBYTES: holds all of the GPU's free memory but so much, until its input ends.

Says "holds N MiB" once it does; otherwise the reason.
"""
import ctypes
import sys


def main():
    leave = int(sys.argv[1]) << 20
    try:
        cuda = ctypes.CDLL("libcuda.so.1")
    except OSError as error:
        return str(error)
    device, context = ctypes.c_int(), ctypes.c_void_p()
    if cuda.cuInit(0) or cuda.cuDeviceGet(ctypes.byref(device), 0):
        return "no GPU"
    if cuda.cuCtxCreate_v2(ctypes.byref(context), 0, device):
        return "no context"
    free, total, held = ctypes.c_size_t(), ctypes.c_size_t(), 0
    # One block first, then smaller ones: what is free need not lie in one piece.
    part = 1 << 36
    while part >= 1 << 21:
        cuda.cuMemGetInfo_v2(ctypes.byref(free), ctypes.byref(total))
        pointer = ctypes.c_uint64()
        if free.value < leave + part or cuda.cuMemAlloc_v2(ctypes.byref(pointer), ctypes.c_size_t(part)):
            part >>= 1
        else:
            held += part
    print("holds", held >> 20, "MiB", flush=True)
    sys.stdin.read()
    return ""


if __name__ == "__main__":
    print(main())
