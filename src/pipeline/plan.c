/* Plans: see plan.h. */
#include "config.h"

#include "plan.h"

#include <stdlib.h>
#include <string.h>

#include "filter_fit.h"
#include "filter_split.h"
#include "plan_colour.h"

enum {
  SPLIT_GAIN = 3, /* multiply-adds that a split filter saves, before its second pass pays */
};

/* Whether splitting saves enough; see SPLIT_GAIN. */
static bool split_pays(const struct filter *filter)
{
  const struct term *term = &filter->term[0];
  size_t width = term->pass[0].width, height = term->pass[0].height;

  return filter_is_plain(filter) && term->passes == 1 &&
         width * height >= SPLIT_GAIN * (width + height);
}

/* Copies the chain: each picture may need its own fit. */
static bool plan_copy_chain(struct plan *plan, const struct chain *chain, struct error *error)
{
  for (size_t i = 0; i < chain->count; i++) {
    struct filter copy;

    if (!filter_copy(&copy, &chain->filters[i], error))
      return false;
    if (!chain_append(&plan->chain, &copy, error)) {
      filter_free(&copy);
      return false;
    }
  }
  return true;
}

/* Fits the filters to the samples that they will see, and splits those that gain by it, where that is
   allowed. */
static bool plan_fit(struct plan *plan, bool split_allowed, enum sample_type to,
                     struct error *error)
{
  enum sample_type from = plan->convert ? SAMPLE_F32 : plan->source.type;

  for (size_t i = 0; i < plan->chain.count; i++) {
    struct filter *filter = &plan->chain.filters[i];
    bool last = i + 1 == plan->chain.count;
    struct filter split;

    if (plan->convert)
      filter->offset = 0; /* comes at the very end */
    if (!filter_fit(filter, from, last && !plan->convert ? to : from, error))
      return false;
    if (split_allowed && split_pays(filter) &&
        filter_split(filter, i == 0 ? from : SAMPLE_F32, &split)) {
      filter_free(filter);
      *filter = split;
    }
  }
  return true;
}

static bool plan_steps(struct plan *plan, const struct settings *settings, enum sample_type to,
                       struct error *error)
{
  struct shape source = plan->source;
  float beyond[CHANNELS_MAX] = {0};
  struct step *last = NULL;

  plan->steps = calloc(plan->chain.count, sizeof *plan->steps);
  if (!plan->steps)
    return error_set(error, STATUS_FAILED, "no memory for %zu filters", plan->chain.count);
  if (plan->convert)
    source.type = SAMPLE_F32;
  plan_beyond(plan, settings, beyond);
  for (size_t i = 0; i < plan->chain.count; i++) {
    last = &plan->steps[plan->step_count++];
    if (!step_make(last, &plan->chain.filters[i], &source, settings->border, beyond, error))
      return false;
    source = last->result;
    if (settings->border == BORDER_CROP) {
      plan->crop_left += last->pass->anchor_x;
      plan->crop_top += step_high(last)->anchor_y;
    }
  }
  if (!plan->convert) {
    last->to = last->result.type = to;
    last->absolute = settings->absolute;
  }
  plan->result = last->result;
  plan->result.type = to;
  return true;
}

bool plan_make(struct plan *plan, const struct settings *settings, bool split,
               const struct chain *chain, const struct shape *shape, double gamma,
               enum sample_type to, struct error *error)
{
  memset(plan, 0, sizeof *plan);
  plan->source = *shape;
  if (plan_copy_chain(plan, chain, error) && plan_colour(plan, settings, gamma, to, error) &&
      plan_fit(plan, split, to, error) && plan_steps(plan, settings, to, error))
    return true;
  plan_free(plan);
  return false;
}

const char *plan_refuse(const struct plan *plan, const struct path *path, enum border border)
{
  const char *reason = NULL;

  for (size_t i = 0; !reason && i < plan->step_count; i++) {
    struct job job = step_job(&plan->steps[i], border);

    reason = path->refuse(&job);
  }
  return reason;
}

void plan_free(struct plan *plan)
{
  colour_free(&plan->colour);
  chain_free(&plan->chain);
  free(plan->steps);
  plan->steps = NULL;
}
