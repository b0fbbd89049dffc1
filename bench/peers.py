#!/usr/bin/env python3
"""halo beside its peers, as far as they are installed: `make bench-peers`.

  bench/peers.py [--only=PART[,PART]] [--rounds=N] [--quick | --full]

PART is cpu (kernel against kernel: OpenCV, libvips, scipy), gpu (kernel against kernel: NPP, torch,
CuPy) or commands (whole command against whole command on the same PNG file: OpenCV, libvips,
ImageMagick, GraphicsMagick); all three unless named.  Each result is compared with halo's, and
marked where it differs.  Peers that are not installed are named on standard error, a line each; the tables are
Markdown.  --quick takes less than a minute, the usual run less than three, --full a quarter of an hour.

Environment: HALO is the program, HALO_BENCH is bench_vector, HALO_BENCH_PATHS is bench_paths (a build
with CUDA), HALO_FILTERS the folder of presets, HALO_SHARED that of corpus/photos; without the latter
the picture of commands is put together from images/photo.png."""

import argparse
import sys

sys.dont_write_bytecode = True

import peers_commands
import peers_cpu
import peers_gpu
import peers_table

PARTS = {"cpu": peers_cpu, "gpu": peers_gpu, "commands": peers_commands}


def parts(text):
    """The parts that are named."""
    names = text.split(",")
    for name in names:
        if name not in PARTS:
            raise argparse.ArgumentTypeError(f"no part {name!r}; there are {', '.join(PARTS)}")
    return names


def main():
    parser = argparse.ArgumentParser(prog="peers.py", description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--only", type=parts, default=list(PARTS), metavar="PART[,PART]",
                        help=", ".join(PARTS))
    parser.add_argument("--rounds", type=int, default=3, metavar="N", help="of the CPU and of commands (3)")
    extent = parser.add_mutually_exclusive_group()
    for name in ("quick", "full"):
        extent.add_argument(f"--{name}", dest="extent", action="store_const", const=name)
    arguments = parser.parse_args()
    if arguments.rounds < 1:
        parser.error("at least one round")
    peers_table.halo_program()
    print(f"# halo beside its peers\n\n{peers_table.machine_line()}; Python {sys.version.split()[0]}.",
          flush=True)
    for name in PARTS:
        if name in arguments.only:
            PARTS[name].run(arguments.extent or "usual", arguments.rounds)
    if peers_table.left_out:
        print("\n## Left out\n")
        for line in peers_table.left_out:
            print("-", line.removeprefix("left out: "))


if __name__ == "__main__":
    main()
