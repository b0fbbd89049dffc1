/* The margins of frames, and the passes of a job over them: see passes.cuh. */
#include "passes.cuh"

#include <string.h>

#include "placement.cuh"
#include "slot.cuh"

namespace gpu
{
inline namespace GPU_MACHINE
{

namespace
{

enum { THREADS = 256 };

/* Fills the margins of rows: what taps of a result reach beyond the row.  A thread owns one sample of
   one margin; nothing is read or written but that, so the time is that of a launch unless the filter
   is wider than the image. */
template <class T>
KERNEL(THREADS, 1)
fill_margins(const GRID_CONSTANT struct view view, global<unsigned char> start, int rows)
{
  int margins = (view.columns - 1) * view.channels; /* samples of a row */
  int left = view.left * view.channels;
  size_t at = (size_t)blockIdx.x * THREADS + threadIdx.x;
  int row = (int)(at / margins), sample = (int)(at % margins);

  let_next_begin();
  if (row >= rows)
    return;
  global<T> line = as<T>(start + (ptrdiff_t)((size_t)row * view.source_pitch)) + left;
  int place = sample < left ? sample - left : view.width * view.channels + sample - left;
  int pixel = place < 0 ? -1 - (-1 - place) / view.channels : place / view.channels;
  int channel = place - pixel * view.channels;
  int from = (int)border_index(pixel, view.width, view.border);

  line[place] = from < 0 ? (T)view.beyond[channel] : (T)line[from * view.channels + channel];
}

struct view view_make(const struct job *job, const struct pass *pass, const struct frame *source,
                      const struct frame *result, const float *taps, enum sample_type to)
{
  struct view view = {};

  view.source = global_from<const unsigned char>(source->start);
  view.result = global_from<unsigned char>(result->start);
  view.taps = global_from<const float>(const_cast<float *>(taps));
  view.source_pitch = source->pitch;
  view.result_pitch = result->pitch;
  view.columns = (int)pass->width;
  view.lines = (int)pass->height;
  view.tap_pitch = (int)taps_pitch(pass);
  view.samples = (int)(job->result_width * job->channels);
  view.rows = (int)(source->rows - pass->height + 1);
  view.width = (int)job->width;
  view.channels = (int)job->channels;
  view.left = (int)job->left;
  view.border = job->border;
  memcpy(view.beyond, job->beyond, sizeof view.beyond);
  view.ending = pass_ending(pass, to, job->absolute && to == job->to);
  return view;
}

template <class T> void margins_launch(const struct frame_pass *pass)
{
  const struct frame *frame = &pass->source;
  size_t samples = (size_t)(pass->view.columns - 1) * pass->view.channels * frame->rows;
  struct shape_of_launch shape = {
      "margins", (samples + THREADS - 1) / THREADS, {THREADS, 1, 1}, 0, pass->stream};

  launch(shape, fill_margins<T>, pass->view, global_from<unsigned char>(frame->start),
         (int)frame->rows);
}

void margins_fill(struct frame_pass *pass)
{
  /* Otherwise every tap of a result lies over the row. */
  pass->margins = pass->view.border != BORDER_CROP && pass->view.columns > 1;
  if (!pass->margins)
    return;
  switch (pass->from) {
  case SAMPLE_U8:
    return margins_launch<unsigned char>(pass);
  case SAMPLE_U16:
    return margins_launch<unsigned short>(pass);
  case SAMPLE_F32:
    return margins_launch<float>(pass);
  }
}

/* The range of the sums of a pass over samples of a type. */
void range_find(const struct pass *pass, enum sample_type type, long long *least, long long *most)
{
  *least = *most = 0;
  for (size_t i = 0; i < pass->width * pass->height; i++) {
    long long sum = (long long)pass->taps[i] * (long long)sample_white(type);

    *(sum < 0 ? least : most) += sum;
  }
}

/* How the sums of the first pass of a job end, or of the only one. */
struct integers integers_first(const struct job *job)
{
  struct integers integers = {};
  long long most;

  range_find(job->pass, job->from, &integers.least, &most);
  integers.narrow = most - integers.least < 1ll << 32;
  integers.between = job->column != nullptr;
  integers.middle = integers.least + (1ll << 31);
  integers.to = job->to;
  integers.ending = job_integer_ending(job);
  return integers;
}

/* And those of the column pass, over sums less `middle`. */
struct integers integers_column(const struct job *job, long long middle)
{
  struct integers integers = {};
  long long taps = 0;

  for (size_t i = 0; i < job->column->height; i++)
    taps += (long long)job->column->taps[i];
  integers.to = job->to;
  integers.ending = job_integer_ending(job);
  integers.ending.bias += middle * taps;
  return integers;
}

} // namespace

void taps_lay(const struct pass *pass, enum sums sums, size_t pitch, float *to)
{
  for (size_t j = 0; j < pass->height; j++, to += pitch)
    for (size_t i = 0; i < pass->width; i++) {
      float tap = pass->taps[j * pass->width + i];
      int whole = (int)tap;

      if (sums == SUMS_INTEGER)
        memcpy(to + i, &whole, sizeof whole);
      else
        to[i] = tap;
    }
}

bool passes_launch(const struct job *job, bool margins,
                   bool (*launch_pass)(const struct frame_pass *pass, struct error *error),
                   struct error *error)
{
  const struct placement *placement = static_cast<const struct placement *>(job->placement);
  const struct frame *after = job->column ? &placement->between : &placement->result;
  enum sample_type between = job->column ? SAMPLE_F32 : job->to;
  struct frame_pass pass = {};
  struct job column = *job;

  pass.slot = placement->slot;
  pass.stream = placement->slot->stream;
  pass.blocks_at_once = (int)job->blocks_at_once;
  pass.pass = job->pass;
  pass.source = placement->source;
  pass.from = job->from;
  pass.to = between;
  pass.sums = job_sums(job);
  if (pass.sums == SUMS_INTEGER)
    pass.integers = integers_first(job);
  pass.view = view_make(job, job->pass, &placement->source, after, placement->taps, between);
  if (job->column)
    pass.view.ending = pass_ending(job->pass, SAMPLE_F32, false);
  if (margins)
    margins_fill(&pass);
  if (!launch_pass(&pass, error))
    return false;
  if (!job->column)
    return true;
  column.width = job->result_width;
  column.left = 0;
  pass.pass = job->column;
  pass.source = placement->between;
  pass.from = SAMPLE_F32;
  pass.to = job->to;
  pass.of_sums = pass.sums == SUMS_INTEGER;
  if (pass.of_sums)
    pass.integers = integers_column(job, pass.integers.middle);
  pass.view = view_make(&column, job->column, &placement->between, &placement->result,
                        placement->column_taps, job->to);
  if (margins)
    margins_fill(&pass);
  return launch_pass(&pass, error);
}

const char *frame_refuse(const struct job *job)
{
  const size_t most = (size_t)1 << 30;

  if (!job)
    return nullptr;
  if (job->width > most / job->channels || job->pass->width > most / job->channels)
    return "rows of more than 2^30 samples are more than a kernel counts";
  return nullptr;
}

} // namespace GPU_MACHINE
} // namespace gpu
