"""Writes tests/data/gauss.txt and tests/data/log.txt, the figures that test_filter_generator.c
holds the computed presets to.  Run once with numpy 2 and scipy 1.17; halo has no part in it."""

import os

import numpy
import scipy.ndimage

here = os.path.dirname(os.path.abspath(__file__))


def gauss_half(sigma):
    """Right half of the row that scipy.ndimage.gaussian_filter1d makes of an impulse."""
    radius = max(1, int(numpy.ceil(3 * sigma)))
    impulse = numpy.zeros(2 * radius + 1)
    impulse[radius] = 1
    row = scipy.ndimage.gaussian_filter1d(impulse, sigma, radius=radius, mode="constant")
    return row[radius:]


def log_half(sigma):
    """The middle row, from the middle on, of what gaussian_laplace makes of an impulse."""
    radius = int(numpy.ceil(4 * sigma))
    impulse = numpy.zeros((6 * radius + 1, 6 * radius + 1))
    impulse[3 * radius, 3 * radius] = 1
    table = scipy.ndimage.gaussian_laplace(impulse, sigma, truncate=8)
    return table[3 * radius, 3 * radius:4 * radius + 1]


for name, sigmas, half in (("gauss", (0.3, 1, 2, 10, 100), gauss_half), ("log", (1, 1.5, 3), log_half)):
    with open(os.path.join(here, name + ".txt"), "w") as file:
        for sigma in sigmas:
            values = half(sigma)
            file.write("%g %d\n" % (sigma, len(values)))
            file.writelines("%.17g\n" % value for value in values)
