/* Filters: what is applied to an image.  Most filters are one term: one pass, or a row pass and then a column
   pass (it is separable), each of taps, a bias and a scale:

     result(x, y) = (Σ tap(i, j) · sample(x + i − anchor_x, y + j − anchor_y) + bias) / scale

   which is correlation: the taps lie over the image as they were typed.  Others have several terms, and a
   rule that makes one result of their values: the gradient's magnitude is √(a² + b²) of two terms.

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

/* 2^52, for sums of integers, biases and scales: a double holds each of these, and twice as much. */
#define FILTER_INTEGER_LIMIT 4503599627370496.0

/* 2^32, for the sums of a row pass of integers, so that 32 bits hold them. */
#define FILTER_ROW_LIMIT 4294967296.0

struct pass {
  size_t width, height;      /* taps in a row, rows of taps; at least 1 each */
  size_t anchor_x, anchor_y; /* the tap that lies over the result's pixel */
  float *taps;               /* width · height numbers, row by row; owned */
  double bias;               /* in units of the sum; for samples of the image's own depth */
  double scale;  /* what the sum is divided by; not 0, in float32 finite as is its inverse */
  bool integral; /* taps, bias and scale are all integers, bias and scale under 2^52 */
};

/* One convolution of a filter: a matrix, or a row and then a column. */
struct term {
  unsigned passes; /* 1, or 2: pass[0] has height 1 and pass[1] has width 1 */
  struct pass pass[2];
  double weight; /* its value is multiplied by that; 1 in a plain filter */
};

enum { TERMS_MAX = 16 };

/* name, constant, what it makes of the values v of the terms, each multiplied by its weight */
#define RULES(X)                                                                                   \
  X("sum", RULE_SUM, "v1 + v2 + …")                                                                \
  X("magnitude", RULE_MAGNITUDE, "the square root of v1² + v2² + …")                               \
  X("max", RULE_MAX, "the largest of v1, v2, …")                                                   \
  X("threshold", RULE_THRESHOLD, "v1 + AMOUNT · (v1 − v2), or v1 where |v1 − v2| < LEVEL")

enum rule {
#define X(name, constant, about) constant,
  RULES(X)
#undef X
};

struct filter {
  char *name; /* as the user wrote it; owned */
  enum rule rule;
  unsigned terms; /* 1 … TERMS_MAX */
  struct term term[TERMS_MAX];
  double amount, level; /* of RULE_THRESHOLD; the level is one of 8 bits (0 … 255) */
  double scale;         /* divides what the rule makes; 1 in a plain filter, whose passes divide */
  double offset;      /* added to every result, in levels of 8 bits (0 … 255), until filter_fit()
                           makes it part of the bias of a plain filter */
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

/* Whether it is one term by itself, which a path computes to the end; others need their rule. */
bool filter_is_plain(const struct filter *filter);

/* The name of a rule. */
const char *rule_name(enum rule rule);

/* Moves the term of a plain filter to the end of the terms of another, with that weight, and releases the
   rest of it.  False where there are TERMS_MAX already. */
bool filter_add_term(struct filter *filter, struct filter *part, double weight,
                     struct error *error);

/* Sum of the taps, and sum of their absolute values, over both passes (for two passes the product), neither
   divided by the scale. */
double term_sum(const struct term *term);
double term_sum_absolute(const struct term *term);

/* What the term makes of a picture that is 1 everywhere: sum / scale. */
double term_gain(const struct term *term);

/* Whether the taps sum to 0, but for rounding: the term, or every term of the filter, finds edges. */
bool term_finds_edges(const struct term *term);
bool filter_finds_edges(const struct filter *filter);

/* The result for a picture that is 1 everywhere, without the offset. */
double filter_gain(const struct filter *filter);

/* The number of taps that a value of the term needs: w · h for one pass, w + h for two; and of all terms. */
size_t term_taps(const struct term *term);
size_t filter_taps(const struct filter *filter);

/* Width and height that the term covers, and its anchor, whether in one pass or in two; and the least
   rectangle that holds those of all terms. */
void term_extent(const struct term *term, size_t *width, size_t *height, size_t *anchor_x,
                 size_t *anchor_y);
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
   order: integral, and Σ|tap| · white + |bias| < 2^24, the scale under it too.  Float samples are never
   exact. */
bool pass_is_exact(const struct pass *pass, enum sample_type type);

/* The same for a whole term: for two passes, when the product of both sums stays under 2^24 and
   the row pass does not divide. */
bool term_is_exact(const struct term *term, enum sample_type type);

/* How sums are added up. */
enum sums {
  SUMS_FLOAT,   /* in float32, tap after tap by fmaf; exact where pass_is_exact() says so */
  SUMS_INTEGER, /* as integers, in any order; the result is the rational number, rounded once */
};

/* How the one pass, or the two (column: the second, or NULL), add up samples of a type.

   Integer taps over integer samples make integers: where float32 would round them, they are added as
   integers, and no division stands between the two passes.  An exception is a row pass that divides (that
   of gauss) over 8-bit samples: its results are exact in float32, and the column pass is defined to
   add up those.  Sums that a double would not hold are not counted as integers: for two passes
   Σ|row| · white reaches 2^32, or Σ|row| · Σ|column| · white reaches 2^52. */
enum sums passes_sums(const struct pass *pass, const struct pass *column, enum sample_type type);

/* Makes a copy that owns its name and taps.  False where memory is short. */
bool filter_copy(struct filter *copy, const struct filter *filter, struct error *error);

#ifdef __cplusplus
}
#endif
#endif
