/* The device `emulated`: kernels on the processor, for tests and explanations. */
#include "frame.cuh"

static const char *emulated_missing(void)
{
  return nullptr;
}

extern "C" const struct device device_emulated = {
    "emulated",       "the kernels of a GPU on the processor: slow, and every access is checked",
    emulated_missing,
    nullptr, // no choice among several
    gpu::band_run,    gpu::band_repeat,
    1 << 20, // as for the cpu
};
