"""torch and CuPy, libraries of arrays on a GPU: for peers_gpu.py."""

from peers_table import Unable, numpy, reason_of

WAIT_CYCLES = 2_000_000  # about a millisecond


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
