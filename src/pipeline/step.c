/* Steps: see step.h. */
#include "step.h"

#include <stdlib.h>
#include <string.h>

const struct pass *step_high(const struct step *step)
{
  return step->column ? step->column : step->pass;
}

/* Takes from the result what lies within the filter's reach of the edges. */
static bool step_crop(struct step *step, struct error *error)
{
  size_t width = step->pass->width, height = step_high(step)->height;

  if (width > step->source.width || height > step->source.height)
    return error_set(error, STATUS_FAILED,
                     "the picture (%zux%zu) is smaller than the filter (%zux%zu), which leaves "
                     "nothing; another --border does not crop",
                     step->source.width, step->source.height, width, height);
  step->result.width = step->source.width - (width - 1);
  step->result.height = step->source.height - (height - 1);
  return true;
}

bool step_make(struct step *step, const struct filter *filter, const struct shape *source,
               enum border border, const float *beyond, struct error *error)
{
  *step = (struct step){
      .pass = &filter->term[0].pass[0],
      .column = filter->term[0].passes == 2 ? &filter->term[0].pass[1] : NULL,
      .from = source->type,
      .to = SAMPLE_F32,
      .source = *source,
      .result = *source,
  };
  step->result.type = SAMPLE_F32;
  memcpy(step->beyond, beyond, sizeof step->beyond);
  return border != BORDER_CROP || step_crop(step, error);
}

struct job step_job(const struct step *step, enum border border)
{
  struct job job = {
      .pass = step->pass,
      .column = step->column,
      .border = border,
      .channels = step->source.channels,
      .from = step->from,
      .to = step->to,
      .absolute = step->absolute,
      .width = step->source.width,
      .result_width = step->result.width,
      .left = border == BORDER_CROP ? 0 : step->pass->anchor_x,
  };

  memcpy(job.beyond, step->beyond, sizeof job.beyond);
  return job;
}

void *step_row_beyond(const struct step *step)
{
  size_t samples = step->source.width * step->source.channels;
  void *row = malloc(samples * sample_bytes(step->from));

  for (size_t i = 0; row && i < samples; i++)
    sample_store(row, i, step->from, step->beyond[i % step->source.channels]);
  return row;
}

const void **step_rows(const struct step *step, enum border border, size_t first, size_t count,
                       const void *beyond, row_place *place, const void *source)
{
  const struct pass *high = step_high(step);
  size_t above = border == BORDER_CROP ? 0 : high->anchor_y;
  size_t rows = count + high->height - 1;
  const void **table = malloc(rows * sizeof *table);

  for (size_t i = 0; table && i < rows; i++) {
    ptrdiff_t row = border_index((ptrdiff_t)(first + i) - (ptrdiff_t)above,
                                 (ptrdiff_t)step->source.height, border);

    table[i] = row < 0 ? beyond : place(source, (size_t)row);
  }
  return table;
}

const void *step_raster_row(const void *raster, size_t row)
{
  return raster_row(raster, row);
}
