"""NPP, NVIDIA's library of image primitives, called through ctypes: for peers_gpu.py."""

import ctypes
import ctypes.util
import glob
import os
import sys

from peers_table import Unable, numpy

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
