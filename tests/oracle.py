#!/usr/bin/env python3
"""The independent judge: each preset, with each border, over photographs.

    oracle.py [-j N] [--step N] HALO FOLDER-OF-PHOTOGRAPHS

runs the program HALO and compares with scipy's correlation in float64, rounded half to even.  Taps are
worked out here: read from filters/*.txt as fractions, or computed from the formulas in the manual page
and at the top of src/filter/filter_generator.c and src/filter/filter_shape.c; none of halo's code is used.  Where a
filter is exact (its taps are integers and every sum stays below 2^24) no sample may differ; where it
is not, on 8 bits, fewer than one in 10,000 and by no more than one level.

Each photograph is also made 16 bits deep; there a filter that is not exact may be off by one level, or
by what float32 can't hold.

Prints a line per preset and exits 1 where a rule is broken, 77 where numpy, scipy or the photographs
are missing.  With --step=7 only every seventh pair of preset and border is tried, a different seventh
for each photograph.
"""

import argparse
import concurrent.futures
import glob
import math
import os
import re
import subprocess
import sys
from fractions import Fraction

try:
    import numpy
    import scipy.ndimage
except ImportError as missing:
    print("SKIP: no oracle without", missing.name)
    sys.exit(77)

from oracle_pictures import halo_run, netpbm_read, netpbm_write, pictures, png_read

LIMIT = 1 << 24
BORDERS = {
    "clamp": "nearest",
    "mirror": "reflect",
    "reflect": "mirror",
    "wrap": "wrap",
    "constant": "constant",
    "constant:77": "constant",
    "crop": "nearest",
}
# What the presets with arguments are tried with.
ARGUMENTS = {
    "box": ("box:1", "box:5", "box:4x7", "box:2", "box:31x1"),
    "gauss": ("gauss:0.3", "gauss:1", "gauss:2.5", "gauss:9"),
    "disk": ("disk:0.5", "disk:3", "disk:5.7"),
    "log": ("log:0.6", "log:1.5"),
    "dog": ("dog:1,2", "dog:0.5,3"),
    "motion": ("motion:1,0", "motion:9,0", "motion:12,30", "motion:7.5,-90"),
    "unsharp": ("unsharp:1,1", "unsharp:2,0.5", "unsharp:0.8,3"),
}


class Filter:
    """One table of taps, or a row and a column: taps / scale + offset (in levels of 8 bits)."""

    def __init__(self, taps, scale, offset=0, column=None):
        self.taps = numpy.array([[float(tap) for tap in row] for row in taps])
        self.column = None if column is None else numpy.array([[float(tap)] for tap in column])
        self.scale = float(scale)
        self.offset = float(offset)
        self.sum = sum(abs(tap) for row in taps for tap in row)
        self.whole = all(tap == int(tap) for row in taps for tap in row)
        self.bias = abs(Fraction(offset) * Fraction(scale))
        self.whole = self.whole and scale == int(scale)

    @property
    def shape(self):
        return self.taps.shape if self.column is None else (len(self.column), self.taps.shape[1])

    def is_exact(self, white):
        """Two passes are not: float32 stands between them."""
        bias = self.bias * (white // 255)
        return self.column is None and self.whole and self.sum * white + bias < LIMIT


def whole_numbers(taps, scale):
    """Taps and scale as integers without a common divisor; as they are where that takes more than
    24 bits (halo then has float32 taps)."""
    flat = [value for row in taps for value in row] + [scale]
    denominator = math.lcm(*(value.denominator for value in flat))
    whole = [int(value * denominator) for value in flat]
    common = math.gcd(*whole)
    if max(abs(value) for value in whole) // common >= LIMIT:
        return taps, scale
    factor = Fraction(denominator, common)
    return [[value * factor for value in row] for row in taps], scale * factor


def filter_from_file(path):
    with open(path, encoding="utf-8") as file:
        lines = [line.split("#")[0].split() for line in file]
    numbers = [[Fraction(number) for number in line] for line in lines if line]
    width, height, scale, offset = numbers[0] + [Fraction(1), Fraction(0)][len(numbers[0]) - 2:]
    assert [len(row) for row in numbers[1:]] == [width] * int(height), path
    return Filter(*whole_numbers(numbers[1:], scale), offset)


def box(width, height=None):
    """One table of ones: on 8 bits the passes divide only at the end, so this is exact too."""
    width, height = int(width), int(height or width)
    return Filter([[1] * width for _ in range(height)], width * height)


def gauss_taps(sigma):
    """65536 parts of the Gaussian, symmetrical: an even middle, the rest by largest remainders."""
    radius = math.ceil(3 * sigma)
    half = [math.exp(-i * i / (2 * sigma * sigma)) for i in range(radius + 1)]
    total = half[0] + 2 * sum(half[1:])
    half = [65536 * value / total for value in half]
    middle = 2 * round(half[0] / 2)
    if middle < round(half[1]):
        middle += 2
    taps = [middle] + [math.floor(value) for value in half[1:]]
    missing = (65536 - middle) // 2 - sum(taps[1:])
    order = sorted(range(1, radius + 1), key=lambda i: (-(half[i] - math.floor(half[i])), i))
    for i in order[:max(missing, 0)]:
        taps[i] += 1
    taps[0] = 65536 - 2 * sum(taps[1:])
    return taps[:0:-1] + taps


def gauss(sigma):
    taps = gauss_taps(float(sigma))
    return Filter([taps], 1 << 32, column=taps)


def points(pixel):
    """The 32 points across a pixel."""
    return pixel + (2 * numpy.arange(32) - 31) / 64


def trim(counts):
    """Without the outer rows and columns that are 0 on both sides."""
    while len(counts) > 1 and not any(counts[0]) and not any(counts[-1]):
        counts = counts[1:-1]
    while len(counts[0]) > 1 and not any(row[0] or row[-1] for row in counts):
        counts = [row[1:-1] for row in counts]
    return counts


def mean(reach, inside):
    """Counts, of 32 by 32 points of each pixel, those that are inside (x right, y down)."""
    span = range(-reach, reach + 1)
    counts = [[int(inside(points(x)[None, :], points(y)[:, None]).sum()) for x in span] for y in span]
    total = sum(map(sum, counts))
    if total > 65793:
        factor, whole = 65793 / total, counts
        while total > 65793:
            whole = [[round(count * factor) for count in row] for row in counts]
            total = sum(map(sum, whole))
            factor *= 1 - 1 / 1024
        counts = whole
    return Filter(*whole_numbers([[Fraction(count) for count in row] for row in trim(counts)],
                                 Fraction(total)))


def disk(radius):
    radius = float(radius)
    return mean(math.ceil(radius + 0.5), lambda x, y: x * x + y * y <= radius * radius)


def motion(length, angle):
    length, angle = float(length), math.radians(float(angle))
    cosine, sine = math.cos(angle), math.sin(angle)
    if abs(cosine) < 1e-9 or abs(sine) < 1e-9:
        cosine, sine = float(round(cosine)), float(round(sine))
    return mean(math.ceil(length / 2) + 1,
                lambda x, y: (abs(x * cosine - y * sine) <= length / 2)
                & (abs(x * sine + y * cosine) <= 0.5))


def squares(reach):
    y, x = numpy.mgrid[-reach:reach + 1, -reach:reach + 1].astype(float)
    return x * x + y * y


def gaussian_table(sigma, reach):
    table = numpy.exp(-squares(reach) / (2 * sigma * sigma))
    return table / table.sum()


def log(sigma):
    sigma = float(sigma)
    square = squares(math.ceil(4 * sigma))
    table = (square - 2 * sigma**2) / (2 * math.pi * sigma**6) * numpy.exp(-square / (2 * sigma**2))
    return table - table.sum() * gaussian_table(sigma, math.ceil(4 * sigma)), 0


def dog(first, second):
    reach = math.ceil(3 * max(float(first), float(second)))
    return gaussian_table(float(first), reach) - gaussian_table(float(second), reach), 0


def unsharp(sigma, amount):
    reach = math.ceil(3 * float(sigma))
    table = -float(amount) * gaussian_table(float(sigma), reach)
    table[reach, reach] += 1 + float(amount)
    return table, 1


def impulse_response(halo, name, reach):
    """The filter's taps divided by its scale, as halo shows them on a float picture of one point."""
    size = 2 * reach + 3
    picture = numpy.zeros((size, size), "<f4")
    picture[reach + 1, reach + 1] = 1
    result = halo_run(halo, name, "constant", b"Pf\n%d %d\n-1\n" % (size, size) + picture.tobytes())
    header, response = result[:-4 * size * size], numpy.frombuffer(result[-4 * size * size:], "<f4")
    if not header.split()[2].startswith(b"-"):
        response = response.byteswap().view(">f4")
    # PFM has its rows from the bottom up; correlation shows the taps turned by 180 degrees.
    return response.astype(float).reshape(size, size)[::-1, :][1:-1, 1:-1][::-1, ::-1]


def signed(halo, name, real, total):
    """Filters with taps of both signs have a power of two as scale, the same sum as the formula, and
    each tap but the middle one within a unit of the formula.  Which of them were rounded up is halo's
    choice, so they are read off an impulse and held to that."""
    reach = len(real) // 2
    response = impulse_response(halo, name, reach)
    whole = response * (1 << 23)
    assert (whole == numpy.rint(whole)).all(), name + ": taps of more than 23 bits behind the point"
    scale = 1 << 23
    taps = [[int(tap) for tap in row] for row in whole]
    common = math.gcd(scale, *(tap for row in taps for tap in row))
    taps, scale = [[tap // common for tap in row] for row in taps], scale // common
    off = abs(numpy.array(taps) - real * scale)
    # Rounding happens at the multiplier with which Σ|tap| · 255 just stays under 2^24.
    unit = max(1, scale * 255 * abs(real).sum() / LIMIT * 2)
    middle = off[reach, reach]
    off[reach, reach] = 0
    assert sum(map(sum, taps)) == total * scale, "%s: the taps' sum is not %d" % (name, total)
    assert off.max() <= unit, "%s: a tap is %g off" % (name, off.max())
    assert middle <= 8 * unit, "%s: the middle is %g off" % (name, middle)
    return Filter(taps, scale)


def filter_make(halo, name):
    generator, _, arguments = name.partition(":")
    if not arguments:
        return filter_from_file(os.path.join(os.environ["HALO_FILTERS"], name + ".txt"))
    values = re.split("[,x]", arguments)
    if generator in ("log", "dog", "unsharp"):
        return signed(halo, name, *globals()[generator](*values))
    return {"box": box, "gauss": gauss, "disk": disk, "motion": motion}[generator](*values)


def correlation(samples, taps, border, white):
    """What scipy says, float64, for a table that is laid over all three channels."""
    level = float(border.partition(":")[2] or 0) * (white // 255)
    result = scipy.ndimage.correlate(samples, taps[:, :, None], mode=BORDERS[border], cval=level)
    if border != "crop":
        return result
    height, width = taps.shape
    bottom = samples.shape[0] - (height - 1 - height // 2)
    right = samples.shape[1] - (width - 1 - width // 2)
    return result[height // 2:bottom, width // 2:right]


def expected(samples, found, border, white):
    samples = samples.astype(float)
    if found.column is None:
        result = correlation(samples, found.taps, border, white) / found.scale
    else:
        level = float(border.partition(":")[2] or 0)
        between = correlation(samples, found.taps, border, white)
        beyond = level * (white // 255) * found.taps.sum()
        if border.startswith("constant"):
            result = scipy.ndimage.correlate(between, found.column[:, :, None], mode="constant",
                                             cval=beyond)
        else:
            result = correlation(between, found.column, border, white)
        result = result / found.scale
    return numpy.clip(numpy.rint(result + found.offset * (white // 255)), 0, white)


def judge(halo, name, photographs, step, first):
    """One preset: (name, exact, samples, differing, largest difference, complaints) for 8 and 16 bits."""
    rows = {255: [0, 0, 0], 65535: [0, 0, 0]}
    complaints = []
    found = filter_make(halo, name)
    for place, path in enumerate(photographs):
        for samples, white in pictures(path):
            for number, border in enumerate(BORDERS):
                if (first + number + place) % step:
                    continue
                right = expected(samples, found, border, white)
                with open(path, "rb") as file:
                    source = file.read() if white == 255 else netpbm_write(samples, white)
                got = halo_run(halo, name, border, source)
                got = netpbm_read(got) if white > 255 else png_read(got)
                if got.shape != right.shape:
                    complaints.append("%s, %s: size %s and not %s" % (name, border, got.shape,
                                                                      right.shape))
                    continue
                difference = abs(got - right)
                count, largest = int((difference > 0).sum()), int(difference.max())
                if count and (found.is_exact(white) or largest > 1):
                    y, x, channel = numpy.argwhere(difference == largest)[0]
                    complaints.append("%s, %s, %s, %d bits: %d samples differ; at x %d, y %d, channel "
                                      "%d: %d and not %d" % (
                                          name, border, os.path.basename(path), white.bit_length(), count,
                                          x, y, channel, got[y, x, channel], right[y, x, channel]))
                row = rows[white]
                row[0] += got.size
                row[1] += count
                row[2] = max(row[2], largest)
    if rows[255][1] * 10000 >= rows[255][0] > 0:
        complaints.append("%s: %d of %d samples differ on 8 bits" % (name, rows[255][1], rows[255][0]))
    return name, [(found.is_exact(white), *rows[white]) for white in rows], complaints


def presets(halo):
    """What --list-filters names, with arguments where there must be some."""
    listing = subprocess.run([halo, "--list-filters"], capture_output=True, check=True, text=True)
    for line in listing.stdout.splitlines():
        name, _, wanted = line.split()[0].partition(":")
        if not wanted:
            yield name
        elif name not in ARGUMENTS:
            raise SystemExit("oracle.py does not know the preset %s: add it" % name)
        yield from ARGUMENTS[name] if wanted else ()


def print_row(name, rows):
    cells = ["%-16s" % name]
    for exact, total, count, largest in rows:
        cells.append("%-5s %11d %8d %4d" % ("exact" if exact else "float", total, count, largest))
    print("  ".join(cells), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("-j", type=int, default=os.cpu_count(), metavar="N", help="processes")
    parser.add_argument("--step", type=int, default=1, metavar="N", help="try every N-th only")
    parser.add_argument("halo")
    parser.add_argument("photographs")
    options = parser.parse_args()
    photographs = sorted(glob.glob(os.path.join(options.photographs, "*.png")))
    if not photographs:
        print("SKIP: no photographs in", options.photographs)
        return 77
    here = os.path.dirname(os.path.abspath(__file__))
    os.environ.setdefault("HALO_FILTERS", os.path.join(here, os.pardir, "filters"))
    print("%-16s  %-31s  %s" % ("", "8 bits: samples  differ  most", "16 bits: samples  differ  most"))
    complaints = []
    with concurrent.futures.ProcessPoolExecutor(options.j) as pool:
        tasks = [pool.submit(judge, options.halo, name, photographs, options.step, first)
                 for first, name in enumerate(presets(options.halo))]
        for task in tasks:
            name, rows, found = task.result()
            print_row(name, rows)
            complaints += found
    for complaint in complaints:
        print("FAILED:", complaint)
    print("%d presets, %d borders, %d photographs: %s" % (
        len(tasks), len(BORDERS), len(photographs), "%d complaints" % len(complaints) if complaints
        else "right"))
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
