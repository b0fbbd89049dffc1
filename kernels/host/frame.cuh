/* Frames: how a band lies in a device's memory, and what a path gets to work on.

   The rows of a frame begin at multiples of 128 bytes.  A path that wants margins finds left of each
   row what the border makes of the samples there, as many as its taps reach out, and right of it too,
   with as many more as the last thread's share of samples and the widest load go beyond the row; the
   first sample of the left margin is what lies at the multiple of 128.  So such a path needs no
   border code and no care for the end of a row, and the loads of its windows are aligned.  For the
   others the row itself begins there.  Rows above and below come with the band: the border there is
   settled by whoever made the job. */
#ifndef HALO_FRAME_CUH
#define HALO_FRAME_CUH

#include "device.h"
#include "gpu.cuh"
#include "job.h"
#include "machine.cuh"
#include "path.h"

namespace gpu
{
inline namespace GPU_MACHINE
{

enum {
  SHARE_MAX = 32,  /* the most samples of a row that one thread may own */
  TAPS_SPARE = 14, /* taps of zero that a path may add to the right */
  TAPS_ALIGNED =
      4, /* a row of taps in device memory is a multiple of this long, zeros at its end */
};

struct frame {
  unsigned char *start; /* of row 0, on the device; a multiple of 512 */
  size_t pitch;         /* bytes from one row to the next; a multiple of 128 */
  size_t rows;
  size_t left, reach; /* samples −left … reach − 1 of a row lie in the frame; −left at its start */
};

/* One pass over a frame, as kernels get it, by value. */
struct view {
  global<const unsigned char>
      source; /* sample 0 of row 0; result row y needs rows y … y + lines − 1 */
  global<unsigned char> result;
  global<const float> taps; /* `lines` rows of `tap_pitch` floats, of which `columns` count */
  size_t source_pitch, result_pitch;
  int columns, lines, tap_pitch;
  int samples;  /* of a result row */
  int rows;     /* of the result */
  int width;    /* pixels of a source row */
  int channels; /* a tap further to the right is so many samples further */
  int left; /* the first tap of result sample s lies over source sample s − left · channels */
  enum border border;
  float beyond[CHANNELS_MAX];
  struct ending ending;
};

/* The same for the host. */
struct frame_pass {
  struct view view;
  enum sample_type from, to;
  const struct pass *pass; /* its taps in the host's memory */
  struct frame source;
  struct slot *slot;
  struct stream *stream;
  int blocks_at_once; /* struct job */
  bool margins; /* the launch before fills the margins: one that needs them may overlap with it */
};

/* A texture that lives until the band is done. */
struct texture *slot_texture(struct slot *slot);

/* Device memory of at least so many bytes that is this band's own until it is done; its address is a
   multiple of 512.  NULL, with an error, where there is not so much. */
void *slot_extra(struct slot *slot, size_t bytes, struct error *error);

/* Computes the one or two passes of a job that a device has placed. */
bool passes_launch(const struct job *job, bool margins,
                   bool (*launch_pass)(const struct frame_pass *pass, struct error *error),
                   struct error *error);

/* What no GPU path can do: the reason, or NULL. */
const char *frame_refuse(const struct job *job);

/* Uploads a band, computes it by the path, downloads the result; `run` of the device. */
bool band_run(const struct path *path, const struct job *job, struct band_cost *cost,
              struct error *error);

/* How much memory of the host a band stages: its source rows, its results and the taps. */
size_t band_staged_bytes(const struct job *job);

/* `repeat` of the device. */
bool band_repeat(const struct path *path, const struct job *job, struct repeat *repeat,
                 struct error *error);

/* The number of blocks that cover `samples` × `rows` results, `across` × `down` each; and the first
   sample and row of the block that is running. */
static inline size_t tiles_count(const struct view &view, int across, int down)
{
  return (((size_t)view.samples - 1) / across + 1) * (((size_t)view.rows - 1) / down + 1);
}

DEVICE void tile_place(const struct view &view, int across, int down, int *sample, int *row)
{
  unsigned tiles_across = (unsigned)(view.samples - 1) / across + 1;

  *sample = (int)(blockIdx.x % tiles_across) * across;
  *row = (int)(blockIdx.x / tiles_across) * down;
}

/* Calls function(From{}, To{}) with the types of samples. */
template <class From, class F> static inline void with_result_type(enum sample_type to, F function)
{
  switch (to) {
  case SAMPLE_U8:
    return function(From(), (unsigned char)0);
  case SAMPLE_U16:
    return function(From(), (unsigned short)0);
  case SAMPLE_F32:
    return function(From(), 0.0f);
  }
}

template <class F>
static inline void with_types(enum sample_type from, enum sample_type to, F function)
{
  switch (from) {
  case SAMPLE_U8:
    return with_result_type<unsigned char>(to, function);
  case SAMPLE_U16:
    return with_result_type<unsigned short>(to, function);
  case SAMPLE_F32:
    return with_result_type<float>(to, function);
  }
}

/* The start of row y of the source, and of the result.  Of a source with margins that is where the
   window of result sample 0 begins: its tap i lies i · channels further. */
template <class From> DEVICE global<const From> source_row(const struct view &view, int y)
{
  return as<const From>(view.source + (ptrdiff_t)((size_t)y * view.source_pitch));
}

template <class To> DEVICE global<To> result_row(const struct view &view, int y)
{
  return as<To>(view.result + (ptrdiff_t)((size_t)y * view.result_pitch));
}

/* The next term of a sum.  A tap of 0 stands for no tap: beneath it, an infinity or a NaN of a float
   sample must stay where it is. */
template <class From> DEVICE float sum_add(float sum, float tap, float sample)
{
  if (sizeof(From) == sizeof(float) && tap == 0.0f)
    return sum;
  return fmaf(tap, sample, sum);
}

} // namespace GPU_MACHINE
} // namespace gpu

/* Defines the path `name` of this machine. */
#define GPU_PATH(path_name, path_about, path_margins, path_refuse, launch_pass)                    \
  static bool path_name##_launch(const struct job *job, struct error *error)                       \
  {                                                                                                \
    return gpu::passes_launch(job, path_margins, launch_pass, error);                              \
  }                                                                                                \
  extern "C" const struct path GPU_NAME(                                                           \
      path, path_name) = {#path_name,         path_about, &GPU_JOIN(device, GPU_MACHINE),          \
                          path_margins,       0,          path_refuse,                             \
                          path_name##_launch, nullptr};

#endif
