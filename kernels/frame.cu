/* Frames: the margins, and the passes of a job over them.  See frame.cuh. */
#include "frame.cuh"

#include <string.h>

#include "slot.cuh"

namespace gpu
{
inline namespace GPU_MACHINE
{

namespace
{

enum { ACROSS = 32, DOWN = 8 };

/* Fills the margins of rows; a thread owns every 32nd sample of one row's margins, a warp a row, a
   block 8 rows.  Written once a row: (left + reach − samples) · bytes, which is little beside the row
   itself unless the filter is wider than the image. */
template <class T>
KERNEL(ACROSS *DOWN, 1)
fill_margins(struct view view, global<unsigned char> start, int rows, int left, int reach)
{
  int row = (int)blockIdx.x * DOWN + (int)threadIdx.y;
  int samples = view.width * view.channels;

  let_next_begin();
  if (row >= rows)
    return;
  global<T> line = as<T>(start + (ptrdiff_t)((size_t)row * view.source_pitch)) + left;
  for (int s = (int)threadIdx.x - left; s < reach; s += ACROSS) {
    if (s >= 0 && s < samples) {
      s += (samples - s - 1) / ACROSS * ACROSS; /* the last of this thread's within the row */
      continue;
    }
    int pixel = s < 0 ? -1 - (-1 - s) / view.channels : s / view.channels;
    int channel = s - pixel * view.channels;
    int at = (int)border_index(pixel, view.width, view.border);

    line[s] = at < 0 ? (T)view.beyond[channel] : (T)line[at * view.channels + channel];
  }
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
  view.tap_pitch = (int)((pass->width + TAPS_ALIGNED - 1) / TAPS_ALIGNED * TAPS_ALIGNED);
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
  struct shape_of_launch shape = {
      "margins", (frame->rows - 1) / DOWN + 1, {ACROSS, DOWN, 1}, 0, pass->stream};

  launch(shape, fill_margins<T>, pass->view, global_from<unsigned char>(frame->start),
         (int)frame->rows, (int)frame->left, (int)frame->reach);
}

void margins_fill(const struct frame_pass *pass)
{
  switch (pass->from) {
  case SAMPLE_U8:
    return margins_launch<unsigned char>(pass);
  case SAMPLE_U16:
    return margins_launch<unsigned short>(pass);
  case SAMPLE_F32:
    return margins_launch<float>(pass);
  }
}

} // namespace

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
  pass.pass = job->pass;
  pass.source = placement->source;
  pass.from = job->from;
  pass.to = between;
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
