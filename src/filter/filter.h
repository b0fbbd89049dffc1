/* Filters: what is applied to an image.  A filter is one pass, or a row pass and then a column
   pass (it is separable), each of taps, a bias and a scale:

     result(x, y) = (Σ tap(i, j) · sample(x + i − anchor_x, y + j − anchor_y) + bias) / scale

   which is correlation: the taps lie over the image as they were typed. */
#ifndef HALO_FILTER_H
#define HALO_FILTER_H

#include <stdbool.h>
#include <stddef.h>

#include "error.h"
#include "image.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The largest number whose neighbours float32 still tells apart: 2^24. */
#define FILTER_EXACT_LIMIT 16777216.0

struct pass {
  size_t width, height;      /* taps in a row, rows of taps; at least 1 each */
  size_t anchor_x, anchor_y; /* the tap that lies over the result's pixel */
  float *taps;               /* width · height numbers, row by row; owned */
  float bias;                /* in units of the sum; for samples of the image's own depth */
  float scale;               /* what the sum is divided by; finite, not 0, 1/scale finite too */
  bool integral;             /* taps, bias and scale are all integers */
};

struct filter {
  char *name;      /* as the user wrote it; owned */
  unsigned passes; /* 1, or 2: pass[0] has height 1 and pass[1] has width 1 */
  struct pass pass[2];
  double offset;      /* added to every result, in levels of 8 bits (0 … 255): filter_fit()
                            makes the bias of it */
  double given_scale; /* the scale as it was given, before taps and scale were made integers and
                            reduced: --scale takes its place */
};

/* A list of filters, applied one after the other. */
struct chain {
  struct filter *filters;
  size_t count;
};

/* Releases what the filter holds and clears it; so for a chain. */
void filter_free(struct filter *filter);
void chain_free(struct chain *chain);

/* Appends the filter; the chain then owns it. */
bool chain_append(struct chain *chain, struct filter *filter, struct error *error);

/* Bytes of memory of all taps of the chain. */
size_t chain_bytes(const struct chain *chain);

/* Makes a one-pass filter of width · height real taps (row by row), so that result =
   Σ tap · sample / scale + offset.  Taps with decimals are brought to a common denominator, so that
   `0.0625` becomes 625 / 10000, and then divided by what all have in common; where that would not
   fit in 24 bits the taps become float32 as they are and the pass is not integral.
   The anchor is (width / 2, height / 2).  A scale of 0 is refused. */
bool filter_from_taps(struct filter *filter, const char *name, size_t width, size_t height,
                      const double *taps, double scale, double offset, struct error *error);

/* Makes a separable filter of integral taps: a row of `width` and a column of `height`. The row
   pass divides by row_scale, the column pass by column_scale. */
bool filter_from_passes(struct filter *filter, const char *name, size_t width,
                        const float *row_taps, double row_scale, size_t height,
                        const float *column_taps, double column_scale, struct error *error);

/* Sum of the taps, and sum of their absolute values, over all passes (for two passes the
   product), neither divided by the scale. */
double filter_sum(const struct filter *filter);
double filter_sum_absolute(const struct filter *filter);

/* The result for a picture that is 1 everywhere, without the offset: sum / scale. */
double filter_gain(const struct filter *filter);

/* The number of taps a result needs: w · h for one pass, w + h for two. */
size_t filter_taps(const struct filter *filter);

/* Width and height that the filter covers, and the anchor, whether in one pass or in two. */
void filter_extent(const struct filter *filter, size_t *width, size_t *height, size_t *anchor_x,
                   size_t *anchor_y);

/* Whether the filter has but one tap that is not 0, over the pixel itself: it then never mixes
   pixels. */
bool filter_is_pointwise(const struct filter *filter);

/* --scale: the scale becomes S.  --normalize: the scale becomes the sum of the taps, unless that is
   0 or no more than rounding next to Σ|tap| (under 2^-20 of it): such a filter, an edge finder,
   stays as it is.  --convolve: taps and anchor are turned by 180 degrees. */
bool filter_set_scale(struct filter *filter, double scale, struct error *error);
void filter_normalize(struct filter *filter);
void filter_turn(struct filter *filter);

/* Whether every sum of the pass over samples from 0 to `white` is exact in float32 and int32, in any
   order: integral, and Σ|tap| · white + |bias| < 2^24.  Float samples are never exact. */
bool pass_is_exact(const struct pass *pass, enum sample_type type);

/* The same for a whole filter: for two passes, when the product of both sums stays under 2^24 and
   the row pass does not divide. */
bool filter_is_exact(const struct filter *filter, enum sample_type type);

/* Turns the offset into the bias of the last pass for samples of type `from`, and folds into taps
   and scale what brings results to the range of type `to` (257 from 8 to 16 bits, and so on).  The
   last filter of a chain gets the type of the output as `to`, the others their own `from`. */
bool filter_fit(struct filter *filter, enum sample_type from, enum sample_type to,
                struct error *error);

/* Makes `split` a row pass and a column pass of integers with the same results to the bit, where
   the filter is one integral pass of rank 1 that is exact for samples of this type.  False, and
   nothing made, where it can't be done (that is no error). */
bool filter_split(const struct filter *filter, enum sample_type type, struct filter *split);

/* A copy that owns its taps. */
bool filter_copy(struct filter *copy, const struct filter *filter, struct error *error);

/* Reads what the user gave with -f, and appends the filters that it names (one, or more where
   ImageMagick's `;` lists several) to the chain: a preset with its arguments (gauss:2), the name of a
   file, or taps typed in place, in any of the three syntaxes of the manual page.  Numbers are read
   in the C locale.  A wrong text is refused, status STATUS_USAGE, with line and column. */
bool filter_read(struct chain *chain, const char *text, struct error *error);

/* filter_text.c: the text of a filter, of `size` bytes; `origin` names it in messages. */
bool filter_parse(struct chain *chain, const char *origin, const char *text, size_t size,
                  struct error *error);

/* filter_preset.c: a parametric preset, or a file of that name in the folders for filters.
   *known tells whether there is a preset of that name at all. */
bool filter_preset(struct chain *chain, const char *text, bool *known, struct error *error);

/* --list-filters: a line for each preset, with what it does. */
bool filter_list(struct error *error);

#ifdef __cplusplus
}
#endif
#endif
