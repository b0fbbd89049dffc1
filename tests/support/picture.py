#!/usr/bin/env python3
"""Makes pictures that are too large to keep in the source, and inspects results; for check_gpu.sh.

  picture.py noise FILE WIDTH HEIGHT CHANNELS   a PNG picture of 8 bits, noise everywhere
  picture.py spot FILE WIDTH HEIGHT CHANNELS    the same, all 0 but for the last pixel, which is white
  picture.py seen                               the bytes of standard input that are not 0, a line
                                                "offset value" each, and last "N bytes"
"""

import random
import re
import struct
import sys
import zlib

TOLD = 1000  # lines of `seen`


def chunk(file, tag, data):
    file.write(struct.pack(">I", len(data)) + tag + data + struct.pack(">I", zlib.crc32(tag + data)))


def lines_noise(row, height, channels):
    noise = random.Random(row).randbytes(row + 4096)
    return (noise[y * 37 % 4096:][:row] for y in range(height))


def lines_spot(row, height, channels):
    for _ in range(height - 1):
        yield bytes(row)
    yield bytes(row - channels) + b"\xff" * channels


def make(kind, name, width, height, channels):
    lines = {"noise": lines_noise, "spot": lines_spot}[kind](width * channels, height, channels)
    deflate = zlib.compressobj(0 if kind == "noise" else 1)
    data = bytearray()
    with open(name, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n")
        chunk(file, b"IHDR", struct.pack(">IIBBBBB", width, height, 8, (0, 4, 2, 6)[channels - 1], 0, 0, 0))
        for line in lines:
            data += deflate.compress(b"\0" + line)
            if len(data) > 1 << 20:
                chunk(file, b"IDAT", bytes(data))
                data.clear()
        chunk(file, b"IDAT", bytes(data) + deflate.flush())
        chunk(file, b"IEND", b"")


def seen():
    at = told = 0
    while block := sys.stdin.buffer.read(1 << 24):
        if block.count(0) != len(block) and told < TOLD:
            for byte in re.finditer(rb"[^\0]", block):
                print(at + byte.start(), byte.group()[0])
                told += 1
                if told == TOLD:
                    break
        at += len(block)
    print(at, "bytes")


if sys.argv[1:] == ["seen"]:
    seen()
elif len(sys.argv) == 6 and sys.argv[1] in ("noise", "spot"):
    make(sys.argv[1], sys.argv[2], *map(int, sys.argv[3:]))
else:
    sys.exit(__doc__)
