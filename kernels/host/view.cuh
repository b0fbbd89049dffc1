/* A view: one pass over a frame as kernels see it, and what kernels do with it. */
#ifndef HALO_VIEW_CUH
#define HALO_VIEW_CUH

#include "gpu.cuh"
#include "image.h"

namespace gpu
{
inline namespace GPU_MACHINE
{

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

#endif
