/* The roofline: see roofline.h. */
#include "config.h"

#include "roofline.h"

const struct gpu_rates roofline_gpus[] = {
    /* name, measured, bytes/s, multiply-adds/s, lanes */
    {"H200", true, 4.22e12, 33.45e12, 128},
    {"A100", false, 1.555e12, 9.75e12, 64},      /* 40 GB: 1555 GB/s, 19.5 TFLOPS */
    {"RTX 4090", false, 1.008e12, 41.3e12, 128}, /* 1008 GB/s, 82.6 TFLOPS */
    {"T4", false, 0.32e12, 4.05e12, 64},         /* 320 GB/s, 8.1 TFLOPS */
};

const size_t roofline_gpu_count = sizeof roofline_gpus / sizeof *roofline_gpus;

struct roofline_floor roofline(const struct gpu_rates *gpu, const struct roofline_work *work)
{
  struct roofline_floor floor;
  double cycles_per_second = gpu->fma_per_second / gpu->lanes; /* of all multiprocessors together */

  floor.memory = work->bytes / gpu->bytes_per_second * 1e6;
  floor.arithmetic = work->fma / gpu->fma_per_second * 1e6;
  floor.loads = work->load_cycles / cycles_per_second * 1e6;
  floor.bound = "memory";
  if (floor.arithmetic > floor.memory)
    floor.bound = "arithmetic";
  if (floor.loads > floor.memory && floor.loads > floor.arithmetic)
    floor.bound = "loads";
  return floor;
}
