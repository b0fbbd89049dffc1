/* Filters: what is applied to an image.  A filter is one pass, or a row pass and then a column
   pass (it is separable), each of taps, a bias and a scale:

     result(x, y) = (Σ tap(i, j) · sample(x + i − anchor_x, y + j − anchor_y) + bias) / scale

   which is correlation: the taps lie over the image as they were typed.

   From what the user typed to a filter, each file includes only headers of the lines below its own:

     filter_read      what -f gives: a preset, a file or taps typed in place
     filter_list      all presets, for --list-filters and for "the nearest is NAME"
     filter_preset    a preset by its name: computed, or a file of the folders for filters
     filter_file      the text of a file
     filter_generator the table of computed presets; filter_shape computes those of one matrix
     filter_text      from text to numbers; filter_text_magick reads ImageMagick's syntax
     filter_scan      the scanner of texts, which knows line and column
     filter_split     one matrix as a row and a column
     filter_fit       scale, offset and depth as changes of taps, bias and scale
     filter_taps      from numbers to taps that are integers
     filter           what a filter is, and what can be asked of it */
#ifndef HALO_FILTER_H
#define HALO_FILTER_H

#include <stdbool.h>
#include <stddef.h>

#include "error.h"
#include "image.h"

#ifdef __cplusplus
extern "C" {
#endif

/* 2^24: float32 holds every integer up to this, but not the next. */
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
  double offset;      /* added to every result, in levels of 8 bits (0 … 255), until filter_fit()
                         makes it part of the bias */
  double given_scale; /* the scale as it was given, before taps and scale were made integers and
                         divided by their greatest common divisor: what --scale replaces */
};

/* A list of filters, applied one after the other. */
struct chain {
  struct filter *filters;
  size_t count;
};

/* Releases what the filter (or the chain) owns, and clears it. */
void filter_free(struct filter *filter);
void chain_free(struct chain *chain);

/* Appends the filter, which the chain then owns; *filter is cleared.  False where memory is short. */
bool chain_append(struct chain *chain, struct filter *filter, struct error *error);

/* Bytes of memory of all taps of the chain. */
size_t chain_bytes(const struct chain *chain);

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

/* Whether no tap is other than 0 but the one over the pixel itself: the filter then mixes no pixels. */
bool filter_is_pointwise(const struct filter *filter);

/* --convolve: turns taps and anchor by 180 degrees. */
void filter_turn(struct filter *filter);

/* The sum of the absolute values of the taps. */
double pass_sum_absolute(const struct pass *pass);

/* The largest number that divides all taps of an integral pass; 0 where all taps are 0. */
long long pass_divisor(const struct pass *pass);

/* Whether every sum of the pass over samples from 0 to `white` is exact in float32 and int32, in any
   order: integral, and Σ|tap| · white + |bias| < 2^24.  Float samples are never exact. */
bool pass_is_exact(const struct pass *pass, enum sample_type type);

/* The same for a whole filter: for two passes, when the product of both sums stays under 2^24 and
   the row pass does not divide. */
bool filter_is_exact(const struct filter *filter, enum sample_type type);

/* Makes a copy that owns its name and taps.  False where memory is short. */
bool filter_copy(struct filter *copy, const struct filter *filter, struct error *error);

#ifdef __cplusplus
}
#endif
#endif
