/* The device `emulated`: kernels on the processor, for tests and explanations. */
#include "frame.cuh"

static const char *emulated_missing(void)
{
  return nullptr;
}

static bool emulated_measure(struct ceilings *ceilings, size_t, struct error *)
{
  *ceilings = {};
  return true;
}

static unsigned long long emulated_started(void)
{
  return 0;
}

extern "C" const struct device device_emulated = {
    "emulated",       "the kernels of a GPU on the processor: slow, and every access is checked",
    emulated_missing,
    nullptr, // no choice among several
    gpu::band_run,    gpu::band_repeat,
    emulated_measure, emulated_started,
    1 << 20, // as for the cpu
};
