"""What the parts of the bench of peers share: halo's own result, how far another is from it, figures of
several rounds, and the tables."""

import os
import platform
import shutil
import statistics
import subprocess
import sys

try:
    import numpy
except ImportError:
    numpy = None

LEVELS = {"u8": 255, "u16": 65535, "f32": 255}  # of floats: those of 8 bits
left_out = []


class Unable(Exception):
    """Why a peer is not compared."""


def leave_out(name, reason="not installed"):
    """Names what is not compared, once and at once."""
    line = f"left out: {name}: {reason}"
    if line not in left_out:
        left_out.append(line)
        print(line, file=sys.stderr, flush=True)


def reason_of(error):
    """The first line of an exception."""
    return (str(error).strip() or type(error).__name__).splitlines()[0][:160]


def program_find(variable, name):
    """A program of this build: by its variable, or found as any other."""
    return os.environ.get(variable) or shutil.which(name)


def halo_program():
    """Without it there is nothing to compare with."""
    path = program_find("HALO", "halo")
    if not path or not shutil.which(path):
        sys.exit("peers: no program halo; make bench-peers says where it is, or HALO does")
    return path


def version_line(words):
    """The first line that a program says of itself."""
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    return (done.stdout or done.stderr).splitlines()[0].strip()


def machine_line():
    """The processor and how many cores of it may be used."""
    name = platform.machine()
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            name = next(line.split(":", 1)[1].strip() for line in file if line.startswith("model name"))
    except (OSError, StopIteration):
        pass
    return f"{name}, {len(os.sched_getaffinity(0))} of {os.cpu_count()} cores"


# --- the picture, the taps and halo's answer ---

def taps_matrix(size):
    """The integers of bench_vector and bench_paths: no product of a row and a column for most sizes."""
    return numpy.array([1 + i * 7 % 13 for i in range(size * size)], float).reshape(size, size)


def picture_noise(type_name, height, width, channels):
    """The same noise for everyone."""
    noise = numpy.random.default_rng(1).integers(0, 65536, (height, width, channels), numpy.uint16)
    if type_name == "u8":
        return (noise >> 8).astype(numpy.uint8)
    return noise if type_name == "u16" else noise.astype(numpy.float32) / numpy.float32(65535)


def netpbm(picture):
    """As PAM, or of floats PFM, whose rows go up."""
    height, width, channels = picture.shape
    if picture.dtype == numpy.float32:
        head = f"{'PF' if channels == 3 else 'Pf'}\n{width} {height}\n-1.0\n"
        return head.encode() + picture[::-1].astype("<f4").tobytes()
    kind = {1: "GRAYSCALE", 3: "RGB"}[channels]
    top = 255 if picture.dtype == numpy.uint8 else 65535
    head = (f"P7\nWIDTH {width}\nHEIGHT {height}\nDEPTH {channels}\nMAXVAL {top}\nTUPLTYPE {kind}\n"
            "ENDHDR\n")
    return head.encode() + picture.astype(">u1" if top == 255 else ">u2").tobytes()


def halo_answer(picture, taps, scale):
    """What halo makes of it, beyond whose edges the last sample goes on."""
    floats = picture.dtype == numpy.float32
    text = "; ".join(" ".join(repr(float(tap)) for tap in row) for row in taps)
    words = [halo_program(), "-q", "-D", "cpu", "-f", text, f"--scale={float(scale)!r}", "-b", "clamp",
             "--format=pfm" if floats else "--format=pam"]
    done = subprocess.run(words, input=netpbm(picture), capture_output=True, check=False)
    if done.returncode != 0:
        sys.exit(f"peers: halo does not run: {done.stderr.decode().strip()}")
    kind = "<f4" if floats else ">u1" if picture.dtype == numpy.uint8 else ">u2"
    samples = numpy.frombuffer(done.stdout[-picture.nbytes:], kind).reshape(picture.shape)
    return samples[::-1] if floats else samples


def difference(answer, other, type_name):
    """The largest, in levels."""
    other = numpy.asarray(other)
    if other.shape != answer.shape:
        return float("inf")
    if type_name != "f32" and other.dtype.kind == "f":
        other = numpy.clip(numpy.rint(other), 0, LEVELS[type_name])
    largest = float(numpy.abs(other.astype(float) - answer.astype(float)).max())
    return largest * LEVELS["f32"] if type_name == "f32" else largest


def difference_text(levels):
    """Whether a peer's result is that of the same filter and border."""
    if levels is None:
        return ""
    if levels == 0:
        return "same"
    if levels < 1e-3:
        return f"same but for {levels:.0e}"
    if levels <= 1:
        return "off by up to 1 level"
    if levels == float("inf"):
        return "**another answer**: of another size"
    return f"**another answer**: off by up to {levels:.0f} levels"


# --- figures and tables ---

def spread_text(values):
    """Median and half of the range."""
    middle = statistics.median(values)
    half = (max(values) - min(values)) / 2 / middle
    digits = 0 if middle >= 100 else 1 if middle >= 10 else 2
    return f"{middle:.{digits}f} ±{half * 100:.0f}%" if len(values) > 1 else f"{middle:.{digits}f} (once)"


def ratio_text(ratios):
    """How many times as fast halo is: median, and the range over the rounds."""
    ratios = [f"{value:.2f}" if value < 100 else f"{value:.0f}"
              for value in (statistics.median(ratios), min(ratios), max(ratios))]
    if ratios[1] == ratios[2]:
        return f"**{ratios[0]}**"
    return f"**{ratios[0]}** ({ratios[1]} to {ratios[2]})"


def table_print(title, told, columns, rows):
    """A table in Markdown, and before it what is compared with what."""
    print(f"\n## {title}\n\n{told.strip()}\n")
    print("| " + " | ".join(columns) + " |\n|" + "---|" * len(columns))
    for row in rows:
        print("| " + " | ".join(str(cell) for cell in row) + " |")
    sys.stdout.flush()
