#!/usr/bin/env python3
"""Writes tests/data/figures.txt, which test_figures.c holds every path to: small pictures under small
filters, with each border, as exact rational numbers rounded half to even.

    python3 make_figures.py > figures.txt

Nothing but Python's fractions; halo has no part in it.  Only results that halo promises to be exact are
written: those of filters whose sums stay below 2^24.
"""

import random
from fractions import Fraction
from math import gcd, lcm

LIMIT = 1 << 24
random.seed(3)


def picture(width, height, channels, white, make):
    return {"width": width, "height": height, "channels": channels, "white": white,
            "samples": [make(i) for i in range(width * height * channels)]}


def noise(white):
    """From all over the range, with many at its ends."""
    return lambda i: random.choice((0, white, random.randint(0, white), random.randint(0, white)))


# Sums of 255 · sample that lie closest to a tie when they are divided by 257, and high enough that
# float32 can't tell.
NEAR_TIES = [s for s in range(33000, 65536) if 2 * 255 * s % 514 in (256, 258)]

PICTURES = {
    "point": picture(1, 1, 1, 255, lambda i: 200),
    "column": picture(1, 7, 1, 255, noise(255)),
    "row": picture(7, 1, 1, 255, noise(255)),
    "grey": picture(5, 4, 1, 255, noise(255)),
    "ramp": picture(6, 5, 1, 255, lambda i: i * 8 + i % 3),
    "rgb": picture(4, 3, 3, 255, noise(255)),
    "rgba": picture(3, 3, 4, 255, noise(255)),
    "wide": picture(37, 3, 1, 255, noise(255)),
    "point16": picture(1, 1, 1, 65535, lambda i: 51234),
    "grey16": picture(5, 4, 1, 65535, noise(65535)),
    "rgb16": picture(4, 3, 3, 65535, noise(65535)),
    "alpha16": picture(3, 5, 2, 65535, noise(65535)),
    "ties16": picture(9, 2, 1, 65535, lambda i: NEAR_TIES[i * len(NEAR_TIES) // 18]),
}


def taps(rows):
    return [row.split() for row in rows.split(";")]


def whole(width, height, low, high):
    return [[str(random.randint(low, high)) for _ in range(width)] for _ in range(height)]


def matrix(rows, scale="1", offset="0", absolute=0):
    return {"rows": rows if isinstance(rows, list) else taps(rows), "scale": scale, "offset": offset,
            "absolute": absolute, "column": None}


FILTERS = {
    "numbered": matrix("1 2 3; 4 5 6; 7 8 9", "3"),
    "box": matrix("1 1 1; 1 1 1; 1 1 1", "9"),
    "square": matrix("1 1; 1 1", "4"),
    "decimals": matrix("0.0625 0.125 -0.3; 0.25 0.5 0.1", "1"),
    "row4": matrix("1 3 -2 5", "7"),
    "column4": matrix("2; -1; 4; 1", "6"),
    "five_three": matrix("1 0 -2 3 1; 2 5 1 0 -1; 0 1 3 -1 2", "6"),
    "nine": matrix(whole(9, 9, -1, 3), "49"),
    "large": matrix(whole(13, 11, 0, 1), "70"),
    "laplacian": matrix("0 1 0; 1 -4 1; 0 1 0", "1", "128"),
    "sobel": matrix("-1 0 1; -2 0 2; -1 0 1", "1", "0", 1),
    "negative": matrix("1 2 1; 2 -4 2; -3 0 1", "-6", "10", 1),
    "half": matrix("1 1; -1 2", "3", "0.5"),
    "halves": matrix("1 0 1", "2", "-20"),
    "near_ties": matrix("255", "257"),
    "two_passes": {"rows": taps("1 2 1"), "column": "1 4 6 4 1".split(), "scale": "64", "offset": "0",
                   "absolute": 0},
    "odd_passes": {"rows": taps("1 -3 5 1"), "column": "2 -1".split(), "scale": "7", "offset": "3",
                   "absolute": 0},
}

BORDERS = ("clamp", "mirror", "reflect", "wrap", "constant:0", "constant:77", "crop")


def beyond(i, n, border):
    """The index that stands for i, by laying the pattern out as a tile; None for the constant."""
    if 0 <= i < n:
        return i
    if border == "clamp":
        return 0 if i < 0 else n - 1
    inside = list(range(n))
    tile = {"mirror": inside + inside[::-1], "wrap": inside,
            "reflect": inside + inside[-2:0:-1]}.get(border)
    return tile[i % len(tile)] if tile else None


def table(found):
    """The taps as fractions, two passes multiplied out."""
    rows = [[Fraction(tap) for tap in row] for row in found["rows"]]
    if found["column"]:
        rows = [[tap * Fraction(down) for tap in rows[0]] for down in found["column"]]
    return rows


def is_exact(found, white, target):
    """Whether every sum over 0 … white of the integers that the filter becomes is below 2^24."""
    rows, scale = table(found), Fraction(found["scale"])
    gain = Fraction(target, white)
    bias = Fraction(found["offset"]) * (white // 255) * scale * gain
    flat = [tap * gain for row in rows for tap in row] + [bias, scale]
    common = lcm(*(value.denominator for value in flat))
    numbers = [int(value * common) for value in flat]
    divisor = gcd(*numbers)
    numbers = [abs(number) // divisor for number in numbers]
    return sum(numbers[:-2]) * white + numbers[-2] < LIMIT and numbers[-1] < LIMIT


def result(image, found, border, target):
    """(width, height, samples)."""
    rows, scale = table(found), Fraction(found["scale"])
    width, height = image["width"], image["height"]
    left, above = len(rows[0]) // 2, len(rows) // 2
    level = int(border.partition(":")[2] or 0) * (image["white"] // 255)
    offset = Fraction(found["offset"]) * (image["white"] // 255)
    samples = []
    if border == "crop":
        width, height, left, above = width - len(rows[0]) + 1, height - len(rows) + 1, 0, 0
    if width < 1 or height < 1:
        return None
    for y in range(height):
        for x in range(width):
            for channel in range(image["channels"]):
                total = Fraction(0)
                for j, row in enumerate(rows):
                    for i, tap in enumerate(row):
                        at = beyond(x + i - left, image["width"], border), \
                            beyond(y + j - above, image["height"], border)
                        total += tap * (level if None in at else image["samples"][
                            (at[1] * image["width"] + at[0]) * image["channels"] + channel])
                value = (total / scale + offset) * target / image["white"]
                value = round(abs(value) if found["absolute"] else value)
                samples.append(min(max(value, 0), target))
    return width, height, samples


def numbers_print(numbers):
    line = ""
    for number in map(str, numbers):
        if len(line) + len(number) >= 100:
            print(line)
            line = ""
        line += (" " if line else "") + number
    print(line)


def main():
    print("# Written by make_figures.py; see there.")
    for name, image in PICTURES.items():
        print("picture", name, image["width"], image["height"], image["channels"], image["white"])
        numbers_print(image["samples"])
    for name, found in FILTERS.items():
        rows, column = found["rows"], found["column"]
        print("passes" if column else "matrix", name, len(rows[0]), len(column or rows),
              found["scale"], found["offset"], found["absolute"])
        numbers_print([tap for row in rows for tap in row] + (column or []))
    count = 0
    for name, found in FILTERS.items():
        for border in BORDERS:
            for number, (source, image) in enumerate(PICTURES.items()):
                count += 1
                # Two in five of all combinations are enough; each tenth changes the depth.
                if count % 5 > 1 and (name, source) != ("near_ties", "ties16"):
                    continue
                target = 65790 - image["white"] if (count + number) % 10 == 0 else image["white"]
                if not is_exact(found, image["white"], target):
                    continue
                made = result(image, found, border, target)
                if made:
                    print("result", source, name, border.replace(":", " ") if ":" in border else
                          border + " 0", target, made[0], made[1])
                    numbers_print(made[2])
    print("end")


if __name__ == "__main__":
    main()
