#!/usr/bin/env python3
"""Times halo's path `vector` beside OpenCV and libvips, one thread each, in one run.

In each round every program takes its turn at every case, so that a slow moment of the machine meets
all of them; times are of the processor, not of the wall.  What is printed is the median of the rounds'
medians in Mpx/s, with the spread, and halo's speed over each peer's.  Peers come from PyPI
(opencv-python-headless; pyvips with pyvips-binary); what is not installed is said and left out.

  bench/peers.py [--rounds=N] [--quick] [--csv]
Environment: HALO_BENCH names bench_vector (default: beside this file)."""

import math
import os
import statistics
import subprocess
import sys
import time

os.environ.setdefault("VIPS_CONCURRENCY", "1")
os.environ.setdefault("VIPS_WARNING", "1")

SIDE = 2048
MATRIX = [3, 5, 7, 9, 11, 13, 15, 21, 31]
GAUSS = list(range(3, 32, 2)) + [37, 45, 53, 61]
missing = []

try:
    import numpy
except ImportError:
    numpy = None
    missing.append("numpy, and with it all peers")
try:
    import cv2
    cv2.setNumThreads(1)
except ImportError:
    cv2 = None
    missing.append("OpenCV (opencv-python-headless)")
try:
    import pyvips
    pyvips.cache_set_max(0)
except (ImportError, OSError):
    pyvips = None
    missing.append("libvips (pyvips, pyvips-binary)")
if numpy is None:
    cv2 = pyvips = None


def bench_program():
    here = os.path.dirname(os.path.abspath(__file__))
    return os.environ.get("HALO_BENCH", os.path.join(here, "bench_vector"))


def halo(kind, type_name, size, runs):
    """Median speed of halo, and the multiply-add rate in 10^9 a second."""
    text = subprocess.run(
        [bench_program(), "--csv", f"--runs={runs}", f"--kind={kind}", f"--type={type_name}",
         f"--size={size}"], check=True, capture_output=True, text=True).stdout
    fields = text.splitlines()[1].split(",")
    return float(fields[3]), float(fields[6])


def timed(call, runs):
    """Median speed of a call, after one to warm up."""
    call()
    speeds = []
    for _ in range(runs):
        start = time.process_time()
        call()
        speeds.append(SIDE * SIDE / (time.process_time() - start) * 1e-6)
    return statistics.median(speeds)


def taps(size):
    """The matrix of bench_vector."""
    return numpy.array([1 + i * 7 % 13 for i in range(size * size)], float).reshape(size, size)


def vips_run(image):
    """Computes the image row by row and keeps nothing: the cost of the operation alone."""
    return lambda: image().avg()


def peers(kind, type_name, size, picture):
    """The calls that do what halo does: name → function."""
    calls = {}
    if kind == "matrix":
        matrix = taps(size)
        if cv2:
            scaled = (matrix / matrix.sum()).astype(numpy.float32)
            calls["OpenCV filter2D"] = lambda: cv2.filter2D(
                picture, -1, scaled, borderType=cv2.BORDER_REPLICATE)
        if pyvips and type_name == "u8":
            image = pyvips.Image.new_from_memory(picture.data, SIDE, SIDE, 3, "uchar")
            table = pyvips.Image.new_from_array(matrix.tolist(), scale=matrix.sum())
            calls["vips conv integer"] = vips_run(lambda: image.conv(table, precision="integer"))
            if size <= 15:
                calls["vips conv float"] = vips_run(lambda: image.conv(table, precision="float"))
    else:
        if cv2:
            calls["OpenCV GaussianBlur"] = lambda: cv2.GaussianBlur(
                picture, (size, size), size / 6, borderType=cv2.BORDER_REPLICATE)
        if pyvips and type_name == "u8":
            image = pyvips.Image.new_from_memory(picture.data, SIDE, SIDE, 3, "uchar")
            least = math.exp(-((size // 2) ** 2) / (2 * (size / 6) ** 2)) * 0.9
            calls["vips gaussblur integer"] = vips_run(
                lambda: image.gaussblur(size / 6, min_ampl=max(least, 0.001)))
    return calls


def picture_make(type_name):
    noise = numpy.random.default_rng(1).integers(0, 65536, (SIDE, SIDE, 3), dtype=numpy.uint16)
    if type_name == "u8":
        return (noise >> 8).astype(numpy.uint8)
    return noise if type_name == "u16" else noise.astype(numpy.float32) / 65535


def measure(cases, rounds, runs):
    """(case, program) → speeds of all rounds; and the rates."""
    pictures = {t: picture_make(t) for _, t, _ in cases} if numpy else {}
    speeds, rates = {}, {}
    for _ in range(rounds):
        for case in cases:
            speed, rate = halo(*case, runs)
            speeds.setdefault((case, "halo"), []).append(speed)
            rates.setdefault(case, []).append(rate)
            calls = peers(*case, pictures[case[1]]) if pictures else {}
            for name, call in calls.items():
                once = 1 if case[2] > 9 else runs
                speeds.setdefault((case, name), []).append(timed(call, once))
    return speeds, rates


def line_print(case, speeds, rates, csv):
    kind, type_name, size = case
    adds = (size * size if kind == "matrix" else 2 * size) * 3
    own = statistics.median(speeds[case, "halo"])
    share = own * 1e6 * adds / (statistics.median(rates[case]) * 1e9)
    for (other, name), values in speeds.items():
        if other != case:
            continue
        median = statistics.median(values)
        spread = (max(values) - min(values)) / median
        if csv:
            print(f"{kind},{type_name},{size},{name},{median:.2f},{spread:.3f},{own / median:.3f}")
        elif name == "halo":
            print(f"| {kind} {type_name} {size} | {median:.0f} ±{spread * 50:.0f}% | {share:.2f} |",
                  end="")
        else:
            print(f" {name} {median:.1f} ±{spread * 50:.0f}%: **{own / median:.2f}** |", end="")
    if not csv:
        print(flush=True)


def main():
    csv = "--csv" in sys.argv
    quick = "--quick" in sys.argv
    rounds = next((int(a[9:]) for a in sys.argv if a.startswith("--rounds=")), 3)
    for name in missing:
        print(f"NOT INSTALLED, left out: {name}", file=sys.stderr)
    sizes = [3, 7, 15] if quick else MATRIX
    cases = [("matrix", t, k) for t in ("u8", "u16", "f32") for k in sizes]
    cases += [("gauss", "u8", k) for k in (sizes if quick else GAUSS)]
    speeds, rates = measure(cases, rounds, 3)
    if csv:
        print("kind,type,k,program,mpx_s,spread,halo_over_it")
    else:
        versions = [f"OpenCV {cv2.__version__}"] if cv2 else []
        if pyvips:
            versions.append("libvips " + ".".join(str(pyvips.version(i)) for i in range(3)))
        print(f"RGB {SIDE}×{SIDE}, one thread each, Mpx/s; {rounds} rounds; "
              f"{', '.join(versions) or 'no peers'}\n")
        print("| case | halo | share of rate | peers: halo's speed over theirs |\n|---|---|---|---|")
    for case in cases:
        line_print(case, speeds, rates, csv)


if __name__ == "__main__":
    main()
