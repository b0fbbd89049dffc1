"""Whole command against whole command: PNG in, PNG out, the same file for everyone."""

import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

from peers_table import (difference_text, halo_program, leave_out, numpy, ratio_text, reason_of,
                         spread_text, table_print, version_line)

PICTURES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "images")
EDGE = 16  # pixels that a border reaches
SECONDS = 6  # a program that has had so many in one case gets no further round

# What runs in a Python of its own, and how long it took after its imports.
OPENCV = """import sys, time, cv2, numpy
begin = time.perf_counter()
picture = cv2.imread(sys.argv[1], cv2.IMREAD_UNCHANGED)
picture = {}
cv2.imwrite(sys.argv[2], picture{})
print(time.perf_counter() - begin)"""
VIPS = """import sys, time, pyvips
begin = time.perf_counter()
picture = pyvips.Image.new_from_file(sys.argv[1], access="sequential")
picture = {}
picture.pngsave(sys.argv[2]{})
print(time.perf_counter() - begin)"""
SHARPEN = "[[0, -1, 0], [-1, 5, -1], [0, -1, 0]]"


def photographs():
    """The collection's, or the sample picture."""
    shared = os.environ.get("HALO_SHARED", os.path.join(PICTURES, "..", "..", "shared"))
    folder = os.path.join(shared, "corpus", "photos")
    names = sorted(os.listdir(folder)) if os.path.isdir(folder) else []
    return [os.path.join(folder, n) for n in names if n.endswith(".png")] or [
        os.path.join(PICTURES, "photo.png")]


def photograph_rows(halo, name):
    """Width, and the rows as bytes."""
    data = subprocess.run([halo, "-q", "-f", "1", "--format=ppm", "--depth=8", name], check=True,
                          capture_output=True).stdout
    magic, width, height, _, pixels = data.split(maxsplit=4)
    width, height = int(width), int(height)
    pixels = data[-3 * width * height:]
    assert magic == b"P6"
    return width, [pixels[y * 3 * width:(y + 1) * 3 * width] for y in range(height)]


def picture_make(halo, width, height, name):
    """Photographs side by side, each lower than the last, so that no row repeats itself."""
    photos = [photograph_rows(halo, photo) for photo in photographs()]
    tiles, filled = [], 0
    while filled < width:
        tiles.append(photos[len(tiles) % len(photos)])
        filled += tiles[-1][0]
    data = bytearray(f"P6\n{width} {height}\n255\n".encode())
    for y in range(height):
        line = b"".join(rows[(y + 61 * n) % len(rows)] for n, (_, rows) in enumerate(tiles))
        data += line[:3 * width]
    subprocess.run([halo, "-q", "-f", "1", "-z", "6", "-o", name], input=data, check=True)
    return len(photos)


def python_has(module):
    return subprocess.run([sys.executable, "-c", f"import {module}"], capture_output=True,
                          check=False).returncode == 0


def halo_words(halo, options, compression):
    return [halo, "-q", *options, *compression, "-o", "OUT", "IN"]


def commands_halo(halo, words):
    """Case → program → its command line, halo first: the others' times are divided by halo's."""
    devices = subprocess.run([halo, "--list-devices"], capture_output=True, text=True, check=False).stdout
    has_cuda = any(line.startswith("cuda") and "not here" not in line for line in devices.splitlines())
    for case, (options, compression) in {"sharpen 6": (["-f", "sharpen"], ["-z", "6"]),
                                         "sharpen 1": (["-f", "sharpen"], ["-z", "1"]),
                                         "gauss 1": (["-f", "gauss:2"], ["-z", "1"])}.items():
        words[case] = {"halo": halo_words(halo, options, compression)}
        if has_cuda:
            words[case]["halo -D cuda"] = halo_words(halo, ["-D", "cuda", *options], compression)


def python_words(code, work, *more):
    return [sys.executable, "-c", code.format(work, *more), "IN", "OUT"]


def commands_python(words):
    """OpenCV and libvips, where they are installed.  Level 1 is the default of OpenCV and of halo."""
    if python_has("cv2"):
        level = ", [cv2.IMWRITE_PNG_COMPRESSION, 6]"
        sharpen = f"cv2.filter2D(picture, -1, numpy.float32({SHARPEN}), borderType=cv2.BORDER_REPLICATE)"
        blur = "cv2.GaussianBlur(picture, (13, 13), 2, borderType=cv2.BORDER_REPLICATE)"
        words["sharpen 6"]["OpenCV filter2D, level 6"] = python_words(OPENCV, sharpen, level)
        words["sharpen 1"]["OpenCV filter2D"] = python_words(OPENCV, sharpen, "")
        words["gauss 1"]["OpenCV GaussianBlur"] = python_words(OPENCV, blur, "")
    else:
        leave_out("OpenCV as a command (PyPI: opencv-python-headless)")
    if python_has("pyvips"):
        sharpen = f"picture.conv({SHARPEN}, precision='integer')"
        blur = "picture.gaussblur(2, min_ampl=0.01)"
        words["sharpen 6"]["libvips conv, compression=6"] = python_words(VIPS, sharpen, ", compression=6")
        words["sharpen 1"]["libvips conv, compression=1"] = python_words(VIPS, sharpen, ", compression=1")
        words["gauss 1"]["libvips gaussblur, compression=1"] = python_words(VIPS, blur, ", compression=1")
    else:
        leave_out("libvips as a command (PyPI: pyvips, pyvips-binary)")


def commands_magick(words):
    """ImageMagick and GraphicsMagick, whose -quality is ten times zlib's level, plus 5 for adaptive filters."""
    magick = shutil.which("magick") or shutil.which("convert-im6.q16") or shutil.which("convert")
    taps = "0,-1,0,-1,5,-1,0,-1,0"
    if magick:
        sharpen = ["-morphology", "Convolve", f"3x3:{taps}"]
        words["sharpen 1"]["ImageMagick -morphology, -quality 15"] = [
            magick, "IN", *sharpen, "-quality", "15", "OUT"]
        words["gauss 1"]["ImageMagick -blur, -quality 15"] = [
            magick, "IN", "-blur", "6x2", "-quality", "15", "OUT"]
    else:
        leave_out("ImageMagick (Debian: imagemagick)")
    if shutil.which("gm"):
        sharpen, convert = ["-convolve", taps], ["gm", "convert", "IN"]
        words["sharpen 1"]["GraphicsMagick -convolve, -quality 15"] = [
            *convert, *sharpen, "-quality", "15", "OUT"]
        words["gauss 1"]["GraphicsMagick -blur, -quality 15"] = [
            *convert, "-blur", "6x2", "-quality", "15", "OUT"]
    else:
        leave_out("GraphicsMagick (Debian: graphicsmagick)")
    return magick


def commands_make(halo):
    """Case → program → its command line; and each program's version."""
    words = {}
    commands_halo(halo, words)
    commands_python(words)
    magick = commands_magick(words)
    told = [version_line([halo, "--version"])]
    if magick:
        told.append(" ".join(version_line([magick, "-version"]).split()[1:4]))
    if shutil.which("gm"):
        told.append(" ".join(version_line(["gm", "version"]).split()[:2]))
    return words, told


def command_run(words, source, target):
    """Seconds of the wall and of the processors."""
    environment = {name: value for name, value in os.environ.items() if name != "VIPS_CONCURRENCY"}
    words = [{"IN": source, "OUT": target}.get(word, word) for word in words]
    if os.path.exists(target):
        os.remove(target)
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    done = subprocess.run(words, capture_output=True, text=True, env=environment, check=False)
    wall = time.perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode != 0 or not os.path.exists(target):
        raise RuntimeError(done.stderr.strip().split("\n")[-1] or f"exit status {done.returncode}")
    if words[0] == sys.executable:
        wall = float(done.stdout.split()[-1])
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def pixels(halo, name):
    """8-bit RGB of a PNG, by halo's decoder."""
    return subprocess.run([halo, "-q", "-f", "1", "--format=ppm", "--depth=8", name], check=True,
                          capture_output=True).stdout


def samples_of(ppm):
    _, width, height, _, _ = ppm[:200].split(maxsplit=4)
    width, height = int(width), int(height)
    return numpy.frombuffer(ppm[-3 * width * height:], numpy.uint8).reshape(height, width, 3)


def apart_text(answer, other):
    """The largest difference of two PPM files; where numpy is missing, only whether they differ."""
    if answer == other:
        return difference_text(0)
    if len(answer) != len(other) or numpy is None:
        return "**another answer**"
    pair = samples_of(answer), samples_of(other)
    apart = numpy.maximum(*pair) - numpy.minimum(*pair)
    largest, inside = int(apart.max()), int(apart[EDGE:-EDGE, EDGE:-EDGE].max())
    away = f", {inside} away from the border" if inside < largest else ""
    return difference_text(largest) + away


def case_run(halo, case, words, source, folder, rounds):
    """The rows of one filter."""
    walls, processors, told, sizes = {}, {}, {}, {}
    answer = None
    for turn in range(rounds):
        for name, command in words.items():
            target = os.path.join(folder, "out.png")
            if name in told and name not in walls or sum(walls.get(name, [])) > SECONDS:
                continue
            try:
                wall, processor = command_run(command, source, target)
            except (OSError, RuntimeError) as error:
                leave_out(f"{name} as a command", reason_of(error))
                told[name] = ""
                continue
            walls.setdefault(name, []).append(wall)
            processors.setdefault(name, []).append(processor)
            if turn == 0:
                got = pixels(halo, target)
                answer = answer or got
                told[name] = "" if name == "halo" else apart_text(answer, got)
                sizes[name] = os.path.getsize(target) / 1e6
    own = walls.get("halo")
    if not own:
        sys.exit("peers: halo itself does not run")
    for name in walls:
        ratios = [other / mine for other, mine in zip(walls[name], own)]
        yield (case if name == "halo" else "", name, spread_text(walls[name]),
               f"{statistics.median(processors[name]):.2f}", f"{sizes[name]:.1f}",
               "" if name == "halo" else ratio_text(ratios), told[name])


def run(extent, rounds):
    """Makes the picture, measures and prints."""
    halo = halo_program()
    width, height = (3000, 2000) if extent == "quick" else (6000, 4000)
    titles = {"sharpen 6": "sharpen 3×3, zlib level 6", "sharpen 1": "sharpen 3×3, zlib level 1",
              "gauss 1": "Gaussian of sigma 2, zlib level 1"}
    with tempfile.TemporaryDirectory() as folder:
        source = os.path.join(folder, "in.png")
        photos = picture_make(halo, width, height, source)
        words, told = commands_make(halo)
        rows = []
        for case, named in words.items():
            rows += case_run(halo, titles[case], named, source, folder, rounds)
        size = os.path.getsize(source) / 1e6
    table_print(
        "Whole command against whole command",
        f"{width}×{height} RGB of 8 bits, put together from {photos} photograph{'s' * (photos != 1)}, "
        f"PNG of {size:.1f} MB in, PNG out. "
        f"Seconds of the wall, median of up to {rounds} rounds ± half their range (a program that has had "
        f"{SECONDS} s gets no further round), with as many threads as each takes for itself; seconds of "
        f"all processors; MB written. OpenCV and libvips are called from Python, whose start and imports "
        f"do not count in the wall's time; halo's whole process does. Beyond the edge the last pixel goes "
        f"on. `×`: how many times as fast halo of the same case is. {'; '.join(told)}.",
        ("filter", "program", "wall, s", "processors, s", "MB", "×", "result, compared with halo's"), rows)
