"""Kernel against kernel on a GPU: halo's path `register` beside NPP, torch and CuPy.

Pictures lie on the device already; what is timed is a call between two events.  A kernel that only
waits stands before the first event, so that the host is ahead and its own time does not count (where
neither torch nor CuPy is here to make one, ten calls stand between two events).  halo's times are those
of bench_paths, which has no such wait and compares with the CPU itself."""

import ctypes
import ctypes.util
import glob
import os
import re
import statistics
import subprocess
import sys
import time

from peers_table import (difference, difference_text, halo_answer, halo_program, leave_out, numpy, picture_noise,
                         program_find, reason_of, table_print, taps_matrix)

SIDES = {"quick": [2048], "usual": [2048, 16384], "full": [2048, 16384]}
SIZES = [3, 5, 7, 9, 15, 31]
KINDS = [("f32", 1), ("u8", 3)]  # the first two of bench_paths
SAMPLES = {"float": "f32", "8-bit": "u8"}  # as bench_paths calls them
LAUNCHES, LAUNCHES_LEAST, SECONDS = 31, 3, 0.6
WAIT_CYCLES = 2_000_000  # about a millisecond


class Unable(Exception):
    """Why a peer is not compared."""


# --- libraries ---

def library(name, *, everywhere=False):
    """A shared library of the toolkit, or of the packages of Python that carry it."""
    root = os.environ.get("CUDA_HOME") or os.environ.get("CUDA_PATH") or "/usr/local/cuda"
    places = [os.path.join(root, "lib64"), os.path.join(root, "targets/x86_64-linux/lib"),
              "/usr/lib/x86_64-linux-gnu"]
    places += [found for path in sys.path for found in sorted(glob.glob(f"{path}/nvidia/*/lib"))]
    names = [found for place in places for found in sorted(glob.glob(f"{place}/lib{name}.so*"))]
    for candidate in names + [f"lib{name}.so", ctypes.util.find_library(name) or ""]:
        if not candidate:
            continue
        try:
            return ctypes.CDLL(candidate, ctypes.RTLD_GLOBAL if everywhere else ctypes.DEFAULT_MODE)
        except OSError:
            continue
    raise Unable(f"lib{name}.so not found (CUDA_HOME)")


class Runtime:
    """What NPP needs of the CUDA runtime."""

    TO_DEVICE, TO_HOST = 1, 2
    ATTRIBUTES = {"threads_block": 1, "shared_block": 8, "multiprocessors": 16, "threads_multiprocessor": 39,
                  "major": 75, "minor": 76}

    def __init__(self):
        self.library = library("cudart")
        self.check("cudaFree", ctypes.c_void_p())

    def check(self, name, *arguments):
        status = getattr(self.library, name)(*arguments)
        if status:
            raise Unable(f"{name}: CUDA error {status}")

    def attribute(self, name):
        value, device = ctypes.c_int(), ctypes.c_int()
        self.check("cudaGetDevice", ctypes.byref(device))
        self.check("cudaDeviceGetAttribute", ctypes.byref(value), self.ATTRIBUTES[name], device)
        return value.value

    def allocate(self, size):
        pointer = ctypes.c_void_p()
        self.check("cudaMalloc", ctypes.byref(pointer), ctypes.c_size_t(size))
        return pointer

    def upload(self, array):
        array = numpy.ascontiguousarray(array)
        pointer = self.allocate(array.nbytes)
        self.check("cudaMemcpy", pointer, ctypes.c_void_p(array.ctypes.data),
                   ctypes.c_size_t(array.nbytes), self.TO_DEVICE)
        return pointer

    def download(self, pointer, array):
        self.check("cudaMemcpy", ctypes.c_void_p(array.ctypes.data), pointer,
                   ctypes.c_size_t(array.nbytes), self.TO_HOST)
        return array

    def free(self, *pointers):
        for pointer in pointers:
            self.check("cudaFree", pointer)

    # Events of the default stream.

    def event(self):
        event = ctypes.c_void_p()
        self.check("cudaEventCreate", ctypes.byref(event))
        return event

    def record(self, event):
        self.check("cudaEventRecord", event, ctypes.c_void_p())

    def elapsed(self, start, end):
        """Milliseconds."""
        value = ctypes.c_float()
        self.check("cudaEventSynchronize", end)
        self.check("cudaEventElapsedTime", ctypes.byref(value), start, end)
        return value.value


# --- NPP ---

class Pair(ctypes.Structure):
    """NppiSize and NppiPoint."""
    _fields_ = [("x", ctypes.c_int), ("y", ctypes.c_int)]


class StreamContext(ctypes.Structure):
    """NppStreamContext."""
    _fields_ = [("stream", ctypes.c_void_p), ("device", ctypes.c_int), ("multiprocessors", ctypes.c_int),
                ("threads_multiprocessor", ctypes.c_int), ("threads_block", ctypes.c_int),
                ("shared_block", ctypes.c_size_t), ("major", ctypes.c_int), ("minor", ctypes.c_int),
                ("flags", ctypes.c_uint), ("reserved", ctypes.c_int)]


class Npp:
    """A filter of any size whose border goes on with the last sample."""

    REPLICATE = 2

    def __init__(self):
        self.runtime = Runtime()
        library("nppc", everywhere=True)
        self.library = library("nppif")
        device = ctypes.c_int()
        self.runtime.check("cudaGetDevice", ctypes.byref(device))
        self.context = StreamContext(device=device.value, **{
            name: self.runtime.attribute(name) for name in Runtime.ATTRIBUTES})
        self.turn = -1
        self.turn_find()

    def turn_find(self):
        """In which order NPP wants taps: reversed, says its manual; seen by where a single tap takes from."""
        taps = numpy.zeros((3, 3))
        taps[0, 0] = 1
        call = NppCall(self, "nppiFilterBorder_32f_C1R_Ctx", False,
                       numpy.arange(81, dtype=numpy.float32).reshape(9, 9, 1), taps)
        call()
        if call.answer()[4, 4, 0] != 3 * 9 + 3:
            self.turn = 1
        call.free()

    def names(self, type_name):
        if type_name == "f32":
            return {"NPP FilterBorder_32f_C1R": ("nppiFilterBorder_32f_C1R_Ctx", False)}
        return {"NPP FilterBorder_8u_C3R": ("nppiFilterBorder_8u_C3R_Ctx", True),
                "NPP FilterBorder32f_8u_C3R": ("nppiFilterBorder32f_8u_C3R_Ctx", False)}

    def calls(self, type_name, picture, taps):
        return {name: NppCall(self, function, whole, picture, taps)
                for name, (function, whole) in self.names(type_name).items()}

    def event(self):
        return self.runtime.event()

    def record(self, event):
        self.runtime.record(event)

    def elapsed(self, start, end):
        return self.runtime.elapsed(start, end)


class NppCall:
    """One picture, its result and a filter on the device."""

    def __init__(self, npp, function, whole, picture, taps):
        self.runtime, self.shape, self.type = npp.runtime, picture.shape, picture.dtype
        self.function = getattr(npp.library, function, None)
        if self.function is None:
            raise Unable(f"this NPP has no {function}")
        height, width, channels = picture.shape
        step, side = width * channels * picture.itemsize, taps.shape[0]
        turned = taps[::npp.turn, ::npp.turn]
        self.source = self.runtime.upload(picture)
        self.result = self.runtime.allocate(picture.nbytes)
        self.taps = self.runtime.upload(
            turned.astype(numpy.int32) if whole else (turned / taps.sum()).astype(numpy.float32))
        divisor = [ctypes.c_int(int(taps.sum()))] if whole else []
        self.arguments = [self.source, ctypes.c_int(step), Pair(width, height), Pair(0, 0), self.result,
                          ctypes.c_int(step), Pair(width, height), self.taps, Pair(side, side),
                          Pair(side // 2, side // 2), *divisor, ctypes.c_int(Npp.REPLICATE), npp.context]

    def __call__(self):
        status = self.function(*self.arguments)
        if status < 0:
            raise Unable(f"NPP status {status}")

    def answer(self):
        return self.runtime.download(self.result, numpy.empty(self.shape, self.type))

    def free(self):
        self.runtime.free(self.source, self.result, self.taps)


# --- torch ---

class Torch:
    """conv2d in float32, whatever the samples; channels as planes; the border was added beforehand."""

    def __init__(self):
        try:
            import torch
        except (ImportError, OSError) as error:
            raise Unable(f"not installed: {reason_of(error)}") from error
        if not torch.cuda.is_available():
            raise Unable("it finds no GPU")
        torch.backends.cudnn.benchmark = True
        torch.backends.cudnn.allow_tf32 = False
        torch.backends.cuda.matmul.allow_tf32 = False
        torch.set_grad_enabled(False)
        self.torch = torch

    def calls(self, type_name, picture, taps):
        name = "torch conv2d" if type_name == "f32" else "torch conv2d, float32 planes"
        return {name: TorchCall(self.torch, picture, taps)}

    def event(self):
        return self.torch.cuda.Event(enable_timing=True)

    def record(self, event):
        event.record()

    def elapsed(self, start, end):
        end.synchronize()
        return start.elapsed_time(end)

    def wait(self):
        self.torch.cuda._sleep(WAIT_CYCLES)


class TorchCall:
    """One picture as planes with their border, and a filter."""

    def __init__(self, torch, picture, taps):
        self.torch, radius = torch, taps.shape[0] // 2
        planes = torch.from_numpy(picture).to("cuda").permute(2, 0, 1).unsqueeze(1).to(torch.float32)
        self.source = torch.nn.functional.pad(planes.contiguous(), (radius,) * 4, mode="replicate")
        self.taps = torch.from_numpy((taps / taps.sum()).astype(numpy.float32)).to("cuda")[None, None]
        self.result = None

    def __call__(self):
        self.result = self.torch.nn.functional.conv2d(self.source, self.taps)

    def answer(self):
        return self.result.squeeze(1).permute(1, 2, 0).cpu().numpy()

    def free(self):
        self.source = self.taps = self.result = None
        self.torch.cuda.empty_cache()


# --- CuPy ---

class Cupy:
    """cupyx.scipy.ndimage.correlate with weights of float32."""

    SPIN = ("extern \"C\" __global__ void spin(long long cycles)"
            " { long long start = clock64(); while (clock64() - start < cycles) {} }")

    def __init__(self):
        try:
            import cupy
            import cupyx.scipy.ndimage
        except (ImportError, OSError) as error:
            raise Unable(f"not installed: {reason_of(error)}") from error
        try:
            cupy.zeros(1).sum().get()
        except Exception as error:  # as many kinds as there are causes
            raise Unable(reason_of(error)) from error
        self.cupy, self.correlate = cupy, cupyx.scipy.ndimage.correlate
        self.spin = None

    def calls(self, type_name, picture, taps):
        del type_name
        return {"CuPy ndimage.correlate": CupyCall(self.cupy, self.correlate, picture, taps)}

    def event(self):
        return self.cupy.cuda.Event()

    def record(self, event):
        event.record()

    def elapsed(self, start, end):
        end.synchronize()
        return self.cupy.cuda.get_elapsed_time(start, end)

    def wait(self):
        if self.spin is None:
            self.spin = self.cupy.RawKernel(self.SPIN, "spin")
        self.spin((1,), (1,), (numpy.int64(WAIT_CYCLES),))


class CupyCall:
    """One picture, its result and a filter."""

    def __init__(self, cupy, correlate, picture, taps):
        self.cupy, self.correlate = cupy, correlate
        self.source = cupy.asarray(picture)
        self.result = cupy.empty_like(self.source)
        self.taps = cupy.asarray((taps / taps.sum()).astype(numpy.float32)[:, :, None])

    def __call__(self):
        self.correlate(self.source, self.taps, output=self.result, mode="nearest")

    def answer(self):
        return self.cupy.asnumpy(self.result)

    def free(self):
        self.source = self.result = self.taps = None
        self.cupy.get_default_memory_pool().free_all_blocks()


# --- times ---

def call_times(peer, wait, call):
    """Microseconds of single calls, after two to warm up."""
    batch = 1 if wait else 10
    start, end = peer.event(), peer.event()
    call()
    call()
    times, stop = [], time.monotonic() + SECONDS
    while len(times) < LAUNCHES_LEAST or len(times) < LAUNCHES and time.monotonic() < stop:
        if wait:
            wait()
        peer.record(start)
        for _ in range(batch):
            call()
        peer.record(end)
        times.append(peer.elapsed(start, end) * 1e3 / batch)
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
    """The peers that are here, and who makes the device wait."""
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
    peers, wait = load()
    rows = []
    for side in SIDES[extent]:
        halo = halo_times(side)
        pictures = {kind: picture_noise(kind[0], side, side, kind[1]) for kind in KINDS}
        for kind in KINDS:
            for size in SIZES:
                rows += case_rows(peers, wait, pictures, (*kind, size), side, halo.get((*kind, size)))
                print(f"{kind[0]} ×{kind[1]}, {side}², {size}×{size}: done", file=sys.stderr, flush=True)
    table_print(
        "Kernel against kernel, GPU",
        f"Pictures on the device already; µs between events, median (quartiles) of up to {LAUNCHES} calls, "
        f"{LAUNCHES_LEAST} at least, for {SECONDS} s. halo's figures are of bench_paths and hold the margins "
        f"of the picture and the start of the launch, "
        f"{'which peers are spared' if wait else 'which peers share among ten calls'}; torch is given a "
        f"picture with its border and, for u8, planes of float32. `×`: how many times as fast halo is, and "
        f"the quartiles put the worse and the better way round. Last column: how far the peer's result is "
        f"from halo's on 203×150 pixels. {versions(peers)}.",
        ("samples, picture, filter", "program", "µs", "×", "result, compared with halo's"), rows)
