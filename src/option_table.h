/* The table of options: for each its names, its text for --help, where it has an effect, and how its value
   is read.  A new option is a row here, and its paragraph in the manual. */
#ifndef HALO_OPTION_TABLE_H
#define HALO_OPTION_TABLE_H

#include "options.h"

/* What is to be done, as bits: an option names all that it has an effect on. */
enum use {
  USE_CONVOLVE = 1 << TASK_CONVOLVE,
  USE_BENCH = 1 << TASK_BENCH,
  USE_EXPLAIN = 1 << TASK_EXPLAIN,
  USE_PROBE = 1 << TASK_PROBE,
  USE_LISTING = 1 << (TASK_PROBE + 1),

  USE_PICTURE = USE_CONVOLVE | USE_BENCH | USE_EXPLAIN, /* wherever a picture is filtered */
  USE_ALL = USE_PICTURE | USE_PROBE | USE_LISTING,
};

enum option_kind {
  OPTION_TAKE,    /* `take` reads the value */
  OPTION_HEADING, /* no option: `about` stands above the options of the group */
  OPTION_FLAG,    /* sets a bool of struct options */
  OPTION_TEXT,    /* keeps the value in a const char * of struct options */
  OPTION_REPORT,  /* sets settings.task to `choice` */
  OPTION_LISTING, /* sets `listing` to `choice` */
};

struct option_row {
  const char *name;  /* the long one */
  int letter;        /* the short one, or 0 */
  const char *value; /* what stands for the value in --help, or NULL where there is none */
  bool optional;     /* the value may be left out */
  const char *about; /* for --help, or NULL where `describe` makes the text */
  void (*describe)(char *text, size_t size);
  unsigned uses;      /* enum use */
  const char *needed; /* the reason why it is an error, not a warning, where it has no effect */
  enum option_kind kind;
  size_t place; /* OPTION_FLAG, OPTION_TEXT: offset in struct options */
  int choice;   /* OPTION_REPORT, OPTION_LISTING */
  bool (*take)(struct options *options, const char *text, struct error *error);
};

/* The rows, group by group, each after its heading; ended by a row whose `about`, `describe` and `name` are
   NULL. */
extern const struct option_row option_table[];

/* The use that the options name. */
enum use options_use(const struct options *options);

/* Refuses options that contradict one another, and those without effect that are too important for a
   warning. */
bool options_check(const struct options *options, struct error *error);

#endif
