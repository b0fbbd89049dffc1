/* The stages of one picture, and what each does with a band: see pipeline.h. */
#include "config.h"

#include "pipeline.h"

#include <stdlib.h>
#include <string.h>

#include "colour.h"
#include "convolve_stage.h"
#include "stage.h"

/* All that the stages of one picture share. */
struct pipeline {
  const struct plan *plan;
  const struct settings *settings;
  const struct choice *choice;
  struct source *source;
  struct target *target;
  struct encoded *encoded;      /* one for each slot of the encoding stage */
  atomic_bool whole;          /* the source was read to its end without error */
  struct convolve *convolves; /* one for each step */
  struct stage *stages;       /* the memory of all stages */
  struct stage **order;       /* the stages from decode to write */
  size_t count;
};

static bool decode_run(struct stage *stage, size_t band, size_t first, size_t count,
                       struct error *error)
{
  struct pipeline *pipeline = stage->context;
  struct source *source = pipeline->source;
  bool at_once = source->picture->whole;
  size_t rows = at_once ? stage->rows : count;
  unsigned char **table;
  bool done = true;

  if (!at_once || band == 0) {
    table = malloc(rows * sizeof *table);
    if (!table)
      return error_set(error, STATUS_FAILED, "no memory for %zu rows", rows);
    for (size_t i = 0; i < rows; i++)
      table[i] = stage_row(stage, first + i);
    done = source->format->read(source->reader, table, rows, error);
    free(table);
  }
  if (done && first + count == stage->rows) {
    done = source->format->finish(source->reader, source->picture, error);
    atomic_store(&pipeline->whole, done);
  }
  return done;
}

static bool prepare_run(struct stage *stage, size_t band, size_t first, size_t count,
                        struct error *error)
{
  struct pipeline *pipeline = stage->context;

  (void)band, (void)error;
  for (size_t y = first; y < first + count; y++)
    colour_prepare(&pipeline->plan->colour, stage_row(stage->source, y),
                   (float *)stage_row(stage, y), pipeline->plan->source.width);
  return true;
}

/* The source's pixels at the place of result row y. */
static const unsigned char *row_original(const struct stage *stage, const struct plan *plan,
                                         size_t y)
{
  size_t bytes = plan->source.channels * sample_bytes(plan->source.type);

  return stage->also ? stage_row(stage->also, y + stage->also_shift) + plan->crop_left * bytes
                     : NULL;
}

static bool finish_run(struct stage *stage, size_t band, size_t first, size_t count,
                       struct error *error)
{
  const struct plan *plan = ((struct pipeline *)stage->context)->plan;

  (void)band, (void)error;
  for (size_t y = first; y < first + count; y++) {
    const unsigned char *original = row_original(stage, plan, y);
    unsigned char *result = stage_row(stage, y);
    const unsigned char *filtered = stage_row(stage->source, y);

    if (plan->convert) {
      colour_finish(&plan->colour, (const float *)filtered, original, result, plan->result.width);
    } else {
      memcpy(result, filtered, stage->row_bytes);
      colour_restore_alpha(&plan->result, original, result, plan->result.width);
    }
  }
  return true;
}

static bool encode_run(struct stage *stage, size_t band, size_t first, size_t count,
                       struct error *error)
{
  struct pipeline *pipeline = stage->context;
  struct target *target = pipeline->target;
  size_t above = first > 0;
  const unsigned char **table = malloc((count + above) * sizeof *table);
  bool done;

  if (!table)
    return error_set(error, STATUS_FAILED, "no memory for %zu rows", count);
  for (size_t i = 0; i < count + above; i++)
    table[i] = stage_row(stage->source, first - above + i);
  done = target->format->encode(target->writer, first, table + above, count,
                                &pipeline->encoded[band % stage->slots], error);
  free(table);
  return done;
}

static bool write_run(struct stage *stage, size_t band, size_t first, size_t count,
                      struct error *error)
{
  struct pipeline *pipeline = stage->context;
  struct target *target = pipeline->target;

  (void)first, (void)count;
  if (atomic_load(&pipeline->whole) && !output_release(target->output, error))
    return false;
  return target->format->write(target->writer, &pipeline->encoded[band % stage->source->slots],
                               error);
}

/* The next stage of the pipeline, with what most of them have in common. */
static struct stage *
pipeline_add(struct pipeline *pipeline, const char *name,
             bool (*run)(struct stage *, size_t, size_t, size_t, struct error *), size_t rows)
{
  struct stage *stage = &pipeline->stages[pipeline->count];

  *stage = (struct stage){
      .name = name,
      .context = pipeline,
      .run = run,
      .rows = rows,
      .band_rows = pipeline->plan->band_rows < rows ? pipeline->plan->band_rows : rows,
      .source = pipeline->count ? pipeline->order[pipeline->count - 1] : NULL,
      .border = BORDER_CONSTANT,
  };
  pipeline->order[pipeline->count++] = stage;
  return stage;
}

static bool pipeline_add_steps(struct pipeline *pipeline, struct error *error)
{
  const struct plan *plan = pipeline->plan;

  for (size_t i = 0; i < plan->step_count; i++) {
    struct stage *stage = &pipeline->stages[pipeline->count];
    struct stage *source = pipeline->order[pipeline->count - 1];

    if (!convolve_start(&pipeline->convolves[i], stage, source, &plan->steps[i], pipeline->choice,
                        pipeline->settings->border, plan->band_rows, error))
      return false;
    pipeline->order[pipeline->count++] = stage;
  }
  return true;
}

static bool pipeline_stages(struct pipeline *pipeline, struct error *error)
{
  const struct plan *plan = pipeline->plan;
  struct target *target = pipeline->target;
  struct stage *decode, *stage;
  struct shape prepared = plan->source;

  decode = pipeline_add(pipeline, "decode", decode_run, plan->source.height);
  decode->serial = true;
  decode->keep_all = pipeline->source->picture->whole;
  if (!shape_row_bytes(&plan->source, &decode->row_bytes, error))
    return false;
  if (plan->convert) {
    prepared.type = SAMPLE_F32;
    stage = pipeline_add(pipeline, "prepare", prepare_run, plan->source.height);
    if (!shape_row_bytes(&prepared, &stage->row_bytes, error))
      return false;
  }
  if (!pipeline_add_steps(pipeline, error))
    return false;
  if (plan->convert || plan->restore_alpha) {
    stage = pipeline_add(pipeline, "finish", finish_run, plan->result.height);
    stage->also = plan->colour.keep ? decode : NULL;
    stage->also_shift = plan->crop_top;
    if (!shape_row_bytes(&plan->result, &stage->row_bytes, error))
      return false;
  }
  stage = pipeline_add(pipeline, "encode", encode_run, plan->result.height);
  stage->band_rows = target->format->rows_at_once(target->writer);
  stage->above = 1; /* PNG's row filters look at the row above */
  stage = pipeline_add(pipeline, "write", write_run, plan->result.height);
  stage->band_rows = stage->source->band_rows;
  stage->serial = true;
  return true;
}

static bool pipeline_allocate(struct pipeline *pipeline, struct error *error)
{
  size_t most = pipeline->plan->step_count + 5;

  pipeline->stages = calloc(most, sizeof *pipeline->stages);
  pipeline->order = calloc(most, sizeof *pipeline->order);
  pipeline->convolves = calloc(pipeline->plan->step_count, sizeof *pipeline->convolves);
  if (!pipeline->stages || !pipeline->order || !pipeline->convolves)
    return error_set(error, STATUS_FAILED, "no memory for the pipeline");
  return true;
}

static bool pipeline_arrange(struct pipeline *pipeline, struct error *error)
{
  size_t bytes, encoders;

  if (!stages_arrange(pipeline->order, pipeline->count, pipeline->choice->threads, &bytes, error))
    return false;
  if (bytes > pipeline->settings->max_memory)
    return error_set(error, STATUS_FAILED,
                     "the bands of this picture need %zu MiB, more than --max-memory=%zuM allows",
                     (bytes >> 20) + 1, pipeline->settings->max_memory >> 20);
  encoders = pipeline->order[pipeline->count - 2]->slots;
  pipeline->encoded = calloc(encoders, sizeof *pipeline->encoded);
  if (!pipeline->encoded)
    return error_set(error, STATUS_FAILED, "no memory for the pipeline");
  return true;
}

/* Adds up what the stages cost. */
static void pipeline_cost(const struct pipeline *pipeline, struct cost *cost)
{
  cost->decode += atomic_load(&pipeline->order[0]->nanoseconds);
  for (size_t i = 0; i < pipeline->count; i++)
    if (pipeline->order[i]->run == prepare_run || pipeline->order[i]->run == finish_run)
      cost->colour += atomic_load(&pipeline->order[i]->nanoseconds);
  for (size_t place = 0; place < pipeline->choice->count; place++) {
    size_t index = path_index(pipeline->choice->paths[place]);

    cost->ran[index] = true;
    for (size_t i = 0; i < pipeline->plan->step_count; i++) {
      struct convolve_cost *step = &pipeline->convolves[i].cost[place];

      cost->path[index].upload += atomic_load(&step->upload);
      cost->path[index].kernel += atomic_load(&step->kernel);
      cost->path[index].download += atomic_load(&step->download);
    }
  }
  for (size_t i = pipeline->count - 2; i < pipeline->count; i++)
    cost->encode += atomic_load(&pipeline->order[i]->nanoseconds);
}

static void pipeline_free(struct pipeline *pipeline)
{
  size_t encoders = pipeline->encoded ? pipeline->order[pipeline->count - 2]->slots : 0;

  stages_free(pipeline->order, pipeline->count);
  for (size_t i = 0; i < encoders; i++)
    encoded_free(&pipeline->encoded[i]);
  for (size_t i = 0; pipeline->convolves && i < pipeline->plan->step_count; i++)
    convolve_free(&pipeline->convolves[i]);
  free(pipeline->encoded);
  free(pipeline->convolves);
  free(pipeline->order);
  free(pipeline->stages);
}

bool pipeline_run(const struct plan *plan, const struct settings *settings,
                  const struct choice *choice, struct source *source, struct target *target,
                  struct cost *cost, struct error *error)
{
  struct pipeline pipeline = {
      .plan = plan,
      .settings = settings,
      .choice = choice,
      .source = source,
      .target = target,
  };
  bool done;

  atomic_init(&pipeline.whole, false);
  done = pipeline_allocate(&pipeline, error) && pipeline_stages(&pipeline, error) &&
         pipeline_arrange(&pipeline, error) && stages_run(pipeline.order, pipeline.count, error);
  if (done)
    pipeline_cost(&pipeline, cost);
  pipeline_free(&pipeline);
  return done;
}
