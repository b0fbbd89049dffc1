"""Kernel against kernel on a GPU: halo's path `register` beside NPP, torch and CuPy.

Pictures lie on the device already; what is timed are calls between two events, as many as take 200
microseconds, since an event alone takes one or two.  A kernel that only waits is queued before the
first event, so that the host has queued all calls before the first begins and its own time does not count
(where neither torch nor CuPy is installed there is no such kernel).  halo's times are those of
bench_paths, which does the same with a kernel that measures the clock, and checks results against the CPU."""

import ctypes
import glob
import os
import re
import statistics
import subprocess
import sys
import time

from peers_arrays import Cupy, Torch
from peers_npp import Npp
from peers_table import (difference, difference_text, halo_answer, halo_program, leave_out, numpy, picture_noise,
                         program_find, reason_of, table_print, taps_matrix)

SIDES = {"quick": [2048], "usual": [2048, 16384], "full": [2048, 16384]}
SIZES = [3, 5, 7, 9, 15, 31]
KINDS = [("f32", 1), ("u8", 3)]  # the first two of bench_paths
SAMPLES = {"float": "f32", "8-bit": "u8"}  # as bench_paths calls them
TIMES, TIMES_LEAST, SECONDS = 31, 3, 0.6
TIME_LEAST, CALLS_MOST = 200, 32  # microseconds between two events, and calls


# --- times ---

def time_once(peer, wait, call, count):
    """Microseconds of a call, of so many between two events."""
    start, end = peer.event(), peer.event()
    if wait:
        wait()
    peer.record(start)
    for _ in range(count):
        call()
    peer.record(end)
    return peer.elapsed(start, end) * 1e3 / count


def call_times(peer, wait, call):
    """Microseconds, after a call to warm up and one that tells how many make a sample."""
    call()
    count = max(1, min(CALLS_MOST, int(TIME_LEAST / time_once(peer, wait, call, 1))))
    times, stop = [], time.monotonic() + SECONDS
    while len(times) < TIMES_LEAST or len(times) < TIMES and time.monotonic() < stop:
        times.append(time_once(peer, wait, call, count))
    return times


def halo_times(side):
    """(type, channels, size) → text of the median and its quartiles, or why there is none."""
    program = program_find("HALO_BENCH_PATHS", "bench_paths")
    if not program:
        leave_out("halo's kernels on a GPU", "no program bench_paths (HALO_BENCH_PATHS)")
        return {}
    done = subprocess.run([program, "cuda", "register", str(side)], capture_output=True, text=True,
                          check=False, env={**os.environ, "HALO_PICTURES": str(len(KINDS))})
    if done.returncode != 0:
        leave_out("halo's kernels on a GPU", (done.stderr.strip().splitlines() or ["bench_paths failed"])[-1])
    found = {}
    for line in done.stdout.splitlines():
        match = re.match(r"register\s+(\S+)\s+x(\d+)\s+\d+\s+k\s*(\d+)\s+(.*)", line)
        if match:
            found[SAMPLES.get(match[1], match[1]), int(match[2]), int(match[3])] = match[4]
    return found


def halo_figures(text):
    """Median and quartiles in µs, and the share of the floor."""
    match = re.match(r"([\d.]+) us \(([\d.]+) to ([\d.]+)\).*share ([\d.]+)", text or "")
    return [float(value) for value in match.groups()] if match else None


def number(value):
    return f"{value:.0f}" if value >= 1000 else f"{value:.1f}"


def peer_rows(peer, wait, pictures, case, halo):
    """The rows of a library: its result on a small picture is compared, then a large one is timed."""
    type_name, channels, size = case
    taps = taps_matrix(size)
    small = picture_noise(type_name, 150, 203, channels)
    apart = {}
    for name, call in peer.calls(type_name, small, taps).items():
        call()
        apart[name] = difference(halo_answer(small, taps, taps.sum()), call.answer(), type_name)
        call.free()
    for name, call in peer.calls(type_name, pictures[type_name, channels], taps).items():
        times = sorted(call_times(peer, wait, call))
        call.free()
        low, middle, high = times[len(times) // 4], statistics.median(times), times[3 * len(times) // 4]
        ratio = ""
        if halo:
            ratio = f"**{middle / halo[0]:.2f}** ({low / halo[2]:.2f} to {high / halo[1]:.2f})"
        yield "", name, f"{number(middle)} ({number(low)} to {number(high)})", ratio, difference_text(apart[name])


def case_rows(peers, wait, pictures, case, side, text):
    """The rows of one filter and kind of picture."""
    halo = halo_figures(text)
    what = f"{case[0]} ×{case[1]}, {side}², {case[2]}×{case[2]}"
    if halo:
        yield (what, "halo register", f"{number(halo[0])} ({number(halo[1])} to {number(halo[2])})", "",
               f"{halo[3]:.2f} of the floor")
    else:
        yield what, "halo register", text or "not here", "", ""
    for name, peer in peers.items():
        try:
            yield from peer_rows(peer, wait, pictures, case, halo)
        except Exception as error:  # whatever a peer may throw
            leave_out(f"{name}, {what}", reason_of(error))


def load():
    """The peers that are installed, and the one that provides the kernel that waits."""
    peers = {}
    for name, kind in (("torch", Torch), ("CuPy", Cupy), ("NPP", Npp)):
        try:
            peers[name] = kind()
        except Exception as error:  # of a broken installation, as many kinds as there are causes
            leave_out(name, reason_of(error))
    return dict(sorted(peers.items(), key=lambda item: item[0] != "NPP")), next(
        (peer.wait for name, peer in peers.items() if name != "NPP"), None)


def gpu_is_here():
    """Asked of the driver's files and of halo, since nothing of CUDA is wanted where there is none."""
    if glob.glob("/dev/nvidia[0-9]*") or os.path.exists("/dev/nvidiactl"):
        return True
    devices = subprocess.run([halo_program(), "--list-devices"], capture_output=True, text=True, check=False)
    return any(line.startswith("cuda") and "not here" not in line for line in devices.stdout.splitlines())


def gpu_name():
    try:
        done = subprocess.run(["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"],
                              capture_output=True, text=True, check=False)
    except OSError:
        return "a GPU that nvidia-smi does not name"
    return done.stdout.splitlines()[0].replace(", ", ", driver ") if done.stdout else "a GPU"


def versions(peers):
    told = [gpu_name()]
    if "torch" in peers:
        told.append(f"torch {peers['torch'].torch.__version__}")
    if "CuPy" in peers:
        told.append(f"CuPy {peers['CuPy'].cupy.__version__}")
    if "NPP" in peers:
        version = ctypes.c_int()
        peers["NPP"].runtime.check("cudaRuntimeGetVersion", ctypes.byref(version))
        told.append(f"NPP of CUDA {version.value // 1000}.{version.value % 1000 // 10}")
    return ", ".join(told)


def run(extent, rounds):
    """Measures and prints; rounds are launches here."""
    del rounds
    if not gpu_is_here():
        leave_out("everything on a GPU (NPP, torch, CuPy)", "no NVIDIA GPU here")
        return
    if numpy is None:
        leave_out("peers on a GPU", "numpy is not installed")
        return
    # Alone on the GPU: while a second program holds a context, each launch takes a microsecond or two more.
    halo_of = {side: halo_times(side) for side in SIDES[extent]}
    peers, wait = load()
    rows = []
    for side in SIDES[extent]:
        halo = halo_of[side]
        pictures = {kind: picture_noise(kind[0], side, side, kind[1]) for kind in KINDS}
        for kind in KINDS:
            for size in SIZES:
                rows += case_rows(peers, wait, pictures, (*kind, size), side, halo.get((*kind, size)))
                print(f"{kind[0]} ×{kind[1]}, {side}², {size}×{size}: done", file=sys.stderr, flush=True)
    table_print(
        "Kernel against kernel, GPU",
        f"Pictures on the device already; µs of a call, median (quartiles) of up to {TIMES} samples, {TIMES_LEAST} "
        f"at least, for {SECONDS} s, each of as many calls between two events as take {TIME_LEAST} µs. halo's "
        f"figures are of bench_paths and hold the margins of the picture; torch is given a "
        f"picture with its border and, for u8, planes of float32. `×`: how many times as fast halo is, and "
        f"the quartiles put the worse and the better way round. Last column: how far the peer's result is "
        f"from halo's on 203×150 pixels. {versions(peers)}.",
        ("samples, picture, filter", "program", "µs", "×", "result, compared with halo's"), rows)
