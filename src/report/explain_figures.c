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

const char *explained_file(const char *file)
{
  const char *found = file;

  for (const char *at = file; *at; at++)
    if ((at == file || at[-1] == '/') &&
        (strncmp(at, "kernels/", 8) == 0 || strncmp(at, "src/", 4) == 0))
      found = at;
  return found;
}

void explained_figures(struct explained_figure *figure, const struct explanation *explanation,
                       const struct explained_path *path)
{
  const struct explained_sums *sums = &path->sums;
  double results = (double)explanation->results;
  const struct explained_figure filled[EXPLAINED_FIGURES] = {
      {"bytes read from global memory", 32 * (double)sums->global_read / results},
      {"bytes written to global memory", 32 * (double)sums->global_written / results},
      {"wavefronts of shared memory", (double)sums->shared_wavefronts / results},
      {"bytes read through textures", 32 * (double)sums->texture_read / results},
      {"texture fetches", (double)sums->texture_fetches / results},
      {"requests to constant memory", (double)sums->constant_requests / results},
      {"cycles of loads", (double)sums->load_cycles / results},
      {"multiply-adds", (double)explanation->taps},
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
