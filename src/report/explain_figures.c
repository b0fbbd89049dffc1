/* The figures of an explanation: see explain_figures.h. */
#include "config.h"

#include "explain_figures.h"

#include <string.h>

const char *const explained_memory_names[EXPLAINED_MEMORIES] = {
    [EXPLAINED_GLOBAL] = "global",
    [EXPLAINED_SHARED] = "shared",
    [EXPLAINED_CONSTANT] = "constant",
    [EXPLAINED_TEXTURE] = "texture",
};

const char *const explained_served_names[EXPLAINED_MEMORIES] = {
    [EXPLAINED_GLOBAL] = "sectors",
    [EXPLAINED_SHARED] = "wavefronts",
    [EXPLAINED_CONSTANT] = "addresses",
    [EXPLAINED_TEXTURE] = "sectors",
};

void explained_figures(struct explained_figure *figure, const struct explanation *explanation,
                       const struct explained_path *path)
{
  const struct explained_sums *sums = &path->sums;
  double results = (double)explanation->results;
  const struct explained_figure filled[EXPLAINED_FIGURES] = {
      {"global_bytes_read", "bytes read from global memory",
       32 * (double)sums->global_read / results},
      {"global_bytes_written", "bytes written to global memory",
       32 * (double)sums->global_written / results},
      {"shared_wavefronts", "wavefronts of shared memory",
       (double)sums->shared_wavefronts / results},
      {"texture_bytes_read", "bytes read through textures",
       32 * (double)sums->texture_read / results},
      {"texture_fetches", "texture fetches", (double)sums->texture_fetches / results},
      {"constant_requests", "requests to constant memory",
       (double)sums->constant_requests / results},
      {"load_cycles", "cycles of loads and stores, of one multiprocessor",
       (double)sums->load_cycles / results},
      {"fmas", "multiply-adds", (double)explanation->taps},
  };

  memcpy(figure, filled, sizeof filled);
}

struct roofline_floor explained_floor(const struct explanation *explanation,
                                      const struct explained_path *path,
                                      const struct gpu_rates *gpu)
{
  double results = 1e6 * explanation->channels;
  struct roofline_work work = {
      .bytes = 1e6 * (double)explanation->bytes_per_pixel,
      .fma = results * (double)explanation->taps,
      .load_cycles = results * (double)path->sums.load_cycles / (double)explanation->results,
  };

  return roofline(gpu, &work);
}
