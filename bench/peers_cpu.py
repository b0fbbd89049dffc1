"""Kernel against kernel on one core: halo's path `vector` beside OpenCV, libvips and scipy.

In each round every program takes its turn at every case, so that a slow moment of the machine meets
all of them; times are of the processor, not of the wall.  A peer that would take too long gets fewer
rows of the same picture; speeds are per pixel."""

import math
import os
import statistics
import subprocess
import time

os.environ.setdefault("VIPS_WARNING", "1")
os.environ["VIPS_CONCURRENCY"] = "1"

from peers_table import (difference, difference_text, halo_answer, leave_out, numpy, picture_noise,
                         program_find, ratio_text, reason_of, spread_text, table_print, taps_matrix)

SIDE = 2048
CALL_SECONDS = 0.08  # a call that takes longer gets fewer rows
SIZES = {"quick": {("matrix", "u8"): [3, 7, 15], ("gauss", "u8"): [7, 31]},
         "usual": {("matrix", "u8"): [3, 5, 7, 9, 15, 31], ("matrix", "u16"): [3, 7, 15],
                   ("matrix", "f32"): [3, 7, 15, 31], ("gauss", "u8"): [3, 7, 15, 31, 61]},
         "full": {("matrix", "u8"): [3, 5, 7, 9, 11, 13, 15, 21, 31],
                  ("matrix", "u16"): [3, 5, 7, 9, 11, 13, 15, 21, 31],
                  ("matrix", "f32"): [3, 5, 7, 9, 11, 13, 15, 21, 31],
                  ("gauss", "u8"): list(range(3, 32, 2)) + [37, 45, 53, 61]}}


def load():
    """The peers that are here: name → module."""
    found = {}
    try:
        import cv2
        cv2.setNumThreads(1)
        found["OpenCV"] = cv2
    except ImportError:
        leave_out("OpenCV (PyPI: opencv-python-headless)")
    try:
        import pyvips
        pyvips.cache_set_max(0)
        found["libvips"] = pyvips
    except (ImportError, OSError):
        leave_out("libvips (PyPI: pyvips, pyvips-binary)")
    try:
        import scipy.ndimage
        found["scipy"] = scipy
    except ImportError:
        leave_out("scipy (PyPI: scipy)")
    return found


def versions(found):
    """For the head of the table."""
    told = []
    for name, module in found.items():
        version = (".".join(str(module.version(i)) for i in range(3)) if name == "libvips"
                   else module.__version__)
        told.append(f"{name} {version}")
    return told


def gauss_row(size):
    """The Gaussian of bench_vector: sigma is a sixth of the width."""
    sigma = size / 6
    row = numpy.array([math.exp(-((i - size // 2) ** 2) / (2 * sigma * sigma)) for i in range(size)])
    return row / row.sum()


def vips_image(pyvips, picture):
    height, width, channels = picture.shape
    return pyvips.Image.new_from_memory(picture.data, width, height, channels, "uchar")


class VipsCall:
    """Timed, the image is computed row by row and nothing of it is kept: the cost of the operation."""

    def __init__(self, operation):
        self.operation = operation

    def __call__(self):
        return self.operation().avg()

    def answer(self):
        return self.operation().numpy()


def calls_matrix(found, size, picture):
    """The calls that do what halo does with a matrix: name → function of nothing."""
    calls, matrix = {}, taps_matrix(size)
    scaled = (matrix / matrix.sum()).astype(numpy.float32)
    if "OpenCV" in found:
        cv2 = found["OpenCV"]
        calls["OpenCV filter2D"] = lambda: cv2.filter2D(picture, -1, scaled,
                                                        borderType=cv2.BORDER_REPLICATE)
    if "libvips" in found and picture.dtype == numpy.uint8:
        image = vips_image(found["libvips"], picture)
        table = found["libvips"].Image.new_from_array(matrix.tolist(), scale=matrix.sum())
        calls["libvips conv, integer"] = VipsCall(lambda: image.conv(table, precision="integer"))
        if size <= 15:
            calls["libvips conv, float"] = VipsCall(lambda: image.conv(table, precision="float"))
    if "scipy" in found and size <= 15:
        weights = (matrix / matrix.sum())[:, :, None]
        correlate = found["scipy"].ndimage.correlate
        calls["scipy correlate"] = lambda: correlate(picture, weights, mode="nearest")
    return calls


def calls_gauss(found, size, picture):
    """The same for a Gaussian."""
    calls, sigma = {}, size / 6
    if "OpenCV" in found:
        cv2 = found["OpenCV"]
        calls["OpenCV GaussianBlur"] = lambda: cv2.GaussianBlur(picture, (size, size), sigma,
                                                                borderType=cv2.BORDER_REPLICATE)
    if "libvips" in found:
        image = vips_image(found["libvips"], picture)
        least = math.exp(-((size // 2) ** 2) / (2 * sigma ** 2)) * 0.9
        calls["libvips gaussblur, integer"] = VipsCall(
            lambda: image.gaussblur(sigma, min_ampl=max(least, 0.001)))
    if "scipy" in found:
        gaussian = found["scipy"].ndimage.gaussian_filter
        calls["scipy gaussian_filter"] = lambda: gaussian(
            picture, (sigma, sigma, 0), truncate=(size // 2) / sigma, mode="nearest")
    return calls


def calls_make(found, case, picture):
    return (calls_matrix if case[0] == "matrix" else calls_gauss)(found, case[2], picture)


def seconds_of(call):
    start = time.process_time()
    call()
    return time.process_time() - start


class Case:
    """One filter and type of sample, and the programs that compute it."""

    def __init__(self, found, case, picture):
        self.case = case
        self.speeds, self.shares, self.differences = {"halo": []}, [], {}
        self.calls = {}  # name → (function, Mpx)
        if numpy is None:
            return
        kind, type_name, size = case
        taps = taps_matrix(size) if kind == "matrix" else numpy.outer(gauss_row(size), gauss_row(size))
        small = numpy.ascontiguousarray(picture[:150, :203])
        answer = halo_answer(small, taps, taps.sum() if kind == "matrix" else 1)
        for name, call in calls_make(found, case, small).items():
            try:
                self.differences[name] = difference(
                    answer, call.answer() if isinstance(call, VipsCall) else call(), type_name)
                self.calls[name] = self.rows_choose(found, name, picture)
            except Exception as error:  # whatever a peer may throw
                leave_out(f"{name}, {type_name}, {size}×{size}", reason_of(error))

    def rows_choose(self, found, name, picture):
        """As many rows as can be done within the time limit, at least 64."""
        part = numpy.ascontiguousarray(picture[:64])
        call = calls_make(found, self.case, part)[name]
        call()
        rows = int(min(len(picture), max(64, 64 * CALL_SECONDS / max(seconds_of(call), 1e-6))))
        part = numpy.ascontiguousarray(picture[:rows])
        return calls_make(found, self.case, part)[name], rows * SIDE * 1e-6

    def halo_time(self, program, runs):
        kind, type_name, size = self.case
        text = subprocess.run([program, "--csv", f"--runs={runs}", f"--kind={kind}",
                               f"--type={type_name}", f"--size={size}"],
                              check=True, capture_output=True, text=True).stdout
        fields = text.splitlines()[1].split(",")
        self.speeds["halo"].append(float(fields[3]))
        self.shares.append(float(fields[7]))

    def round(self, program, runs):
        """One round: each program times each case once."""
        self.halo_time(program, runs)
        for name, (call, pixels) in self.calls.items():
            call()
            times = [seconds_of(call) for _ in range(runs)]
            self.speeds.setdefault(name, []).append(pixels / statistics.median(times))

    def rows(self):
        kind, type_name, size = self.case
        what = f"{kind} {size}×{size}, {type_name}"
        share = f"{statistics.median(self.shares):.2f} of the rate of multiply-adds"
        yield what, "halo vector", spread_text(self.speeds["halo"]), "", share
        for name in self.calls:
            ratios = [own / other for own, other in zip(self.speeds["halo"], self.speeds[name])]
            yield ("", name, spread_text(self.speeds[name]), ratio_text(ratios),
                   difference_text(self.differences[name]))


def run(extent, rounds):
    """Measures and prints."""
    program = program_find("HALO_BENCH", "bench_vector")
    if not program:
        leave_out("kernels on the CPU", "no program bench_vector (HALO_BENCH; make bench-peers builds it)")
        return
    found = load() if numpy else {}
    if not numpy:
        leave_out("numpy, and with it all that are called from Python")
    cases, pictures = [], {}
    for (kind, type_name), sizes in SIZES[extent].items():
        if numpy and type_name not in pictures:
            pictures[type_name] = picture_noise(type_name, SIDE, SIDE, 3)
        cases += [Case(found, (kind, type_name, size), pictures.get(type_name)) for size in sizes]
    for _ in range(rounds):
        for case in cases:
            case.round(program, 2)
    table_print(
        "Kernel against kernel, CPU",
        f"RGB {SIDE}×{SIDE} in memory, one thread each, Mpx/s of processor time: median of {rounds} "
        f"rounds ± half their range. `×`: how many times as fast as that peer halo is, and the range "
        f"over the rounds. Last column: how far the peer's result is from halo's on 203×150 pixels of it; "
        f"one level where halves are rounded otherwise, or cut off (scipy). {', '.join(versions(found))}.",
        ("filter, samples", "program", "Mpx/s", "×", "result, compared with halo's"),
        [row for case in cases for row in case.rows()])
