/* The stages of one picture, and what each does with a band: see pipeline.h. */
#include "config.h"

#include "pipeline.h"

#include <stdlib.h>
#include <string.h>

#include "colour.h"
#include "convolve_stage.h"
#include "stage.h"

/* Of input, output, libpng and zlib together: 256 KiB twice, and less than that for the others. */
enum {
  PICTURE_BYTES = 1 << 20,
  LIGHT_BYTES = 3 << 18 /* of the tables of linear light, at most */
};

/* All that the stages of one picture share. */
struct pipeline {
  const struct plan *plan;
  const struct settings *settings;
  const struct choice *choice;
  struct source *source;
  struct target *target;
  struct encoded *encoded;    /* one for each slot of the encoding stage */
  atomic_bool whole;          /* the source was read to its end without error */
  struct convolve *convolves; /* one for each step */
  struct stage *stages;       /* the memory of all stages */
  struct stage **order;       /* the stages from decode to write */
  size_t count;
  struct graph graph;
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

  return stage->second ? stage_row(stage->second, y + stage->second_shift) + plan->crop_left * bytes
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
  size_t above = first < stage->above ? first : stage->above;
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
pipeline_add(struct pipeline *pipeline,
             bool (*run)(struct stage *, size_t, size_t, size_t, struct error *), size_t rows)
{
  struct stage *stage = &pipeline->stages[pipeline->count];

  *stage = (struct stage){
      .context = pipeline,
      .run = run,
      .rows = rows,
      .band_rows = pipeline->choice->band_rows < rows ? pipeline->choice->band_rows : rows,
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
                        pipeline->settings->border, error))
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

  decode = pipeline_add(pipeline, decode_run, plan->source.height);
  decode->serial = true;
  decode->keep_all = pipeline->source->picture->whole;
  decode->scratch_bytes =
      (decode->keep_all ? decode->rows : decode->band_rows) * sizeof(unsigned char *);
  if (!shape_row_bytes(&plan->source, &decode->row_bytes, error))
    return false;
  if (plan->convert) {
    prepared.type = SAMPLE_F32;
    stage = pipeline_add(pipeline, prepare_run, plan->source.height);
    if (!shape_row_bytes(&prepared, &stage->row_bytes, error))
      return false;
  }
  if (!pipeline_add_steps(pipeline, error))
    return false;
  if (plan->convert || plan->restore_alpha) {
    stage = pipeline_add(pipeline, finish_run, plan->result.height);
    stage->second = plan->colour.keep ? decode : NULL;
    stage->second_shift = plan->crop_top;
    if (!shape_row_bytes(&plan->result, &stage->row_bytes, error))
      return false;
  }
  stage = pipeline_add(pipeline, encode_run, plan->result.height);
  stage->band_rows = target->format->rows_at_once(target->writer);
  stage->above = target->format->rows_above;
  target->format->encode_memory(target->writer, &stage->slot_bytes, &stage->kept_bytes);
  stage->slot_bytes += sizeof *pipeline->encoded;
  stage->scratch_bytes = (stage->band_rows + stage->above) * sizeof(unsigned char *);
  stage = pipeline_add(pipeline, write_run, plan->result.height);
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

/* What the picture takes apart from its stages: buffers of the input, of the output and of the libraries
   that read, its metadata, the copy of the filters that is fitted to it, rows of the constant border, and
   bytes that standard output holds back. */
static size_t pipeline_own_bytes(const struct pipeline *pipeline)
{
  const struct plan *plan = pipeline->plan;
  const struct metadata *metadata = &pipeline->source->picture->metadata;
  const struct shape *result = &plan->result;
  size_t samples = result->width * result->height * result->channels;
  size_t bytes = PICTURE_BYTES + 4 * pipeline->order[0]->row_bytes;

  for (size_t i = 0; i < metadata->count; i++)
    bytes += metadata->items[i].size;
  for (size_t i = 0; i < plan->step_count; i++)
    bytes += pipeline->order[0]->row_bytes * (pipeline->settings->border == BORDER_CONSTANT);
  bytes += chain_bytes(&plan->chain) + (plan->colour.light ? LIGHT_BYTES : 0);
  return bytes + output_held_bytes(pipeline->target->output, samples * sample_bytes(result->type));
}

static bool pipeline_arrange(struct pipeline *pipeline, size_t threads, struct error *error)
{
  pipeline->graph.stages = pipeline->order;
  pipeline->graph.count = pipeline->count;
  pipeline->graph.own_bytes = pipeline_own_bytes(pipeline);
  if (threads > pipeline->choice->threads)
    threads = pipeline->choice->threads;
  if (!graph_arrange(&pipeline->graph, threads, pipeline->settings->max_memory, error))
    return false;
  pipeline->encoded =
      calloc(pipeline->order[pipeline->count - 2]->slots, sizeof *pipeline->encoded);
  return pipeline->encoded || error_set(error, STATUS_FAILED, "no memory for the pipeline");
}

struct graph *pipeline_graph(struct pipeline *pipeline)
{
  return &pipeline->graph;
}

void pipeline_cost(const struct pipeline *pipeline, struct cost *cost)
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

void pipeline_free(struct pipeline *pipeline)
{
  if (!pipeline)
    return;
  if (pipeline->encoded)
    for (size_t i = 0; i < pipeline->order[pipeline->count - 2]->slots; i++)
      encoded_free(&pipeline->encoded[i]);
  graph_free(&pipeline->graph);
  for (size_t i = 0; pipeline->convolves && i < pipeline->plan->step_count; i++)
    convolve_free(&pipeline->convolves[i]);
  free(pipeline->encoded);
  free(pipeline->convolves);
  free(pipeline->order);
  free(pipeline->stages);
  free(pipeline);
}

struct pipeline *pipeline_make(const struct plan *plan, const struct settings *settings,
                               const struct choice *choice, struct source *source,
                               struct target *target, size_t threads, struct error *error)
{
  struct pipeline *pipeline = calloc(1, sizeof *pipeline);

  if (!pipeline) {
    error_set(error, STATUS_FAILED, "no memory for the pipeline");
    return NULL;
  }
  pipeline->plan = plan;
  pipeline->settings = settings;
  pipeline->choice = choice;
  pipeline->source = source;
  pipeline->target = target;
  atomic_init(&pipeline->whole, false);
  if (pipeline_allocate(pipeline, error) && pipeline_stages(pipeline, error) &&
      pipeline_arrange(pipeline, threads, error))
    return pipeline;
  pipeline_free(pipeline);
  return NULL;
}
