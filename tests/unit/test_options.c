/* The command line: every option, its default and its wrong values; options that contradict one another or
   have no effect; and the texts of --help that are made from tables. */
#include "config.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "format.h"
#include "option_table.h"
#include "option_text.h"
#include "unit.h"

enum { WORDS_MAX = 32 };

/* Parses words that are separated by spaces, "halo" before them; `text` must live as long as the options. */
static bool parse(struct options *options, char *text, struct error *error)
{
  char name[] = "halo";
  char *words[WORDS_MAX + 2] = {name}, *rest = text, *word;
  int count = 1;

  while ((word = strsep(&rest, " ")))
    if (*word && count <= WORDS_MAX)
      words[count++] = word;
  return options_parse(options, count, words, error);
}

static void accepted(struct options *options, char *text)
{
  struct error error;
  char copy[512];

  snprintf(copy, sizeof copy, "%s", text);
  ck_assert_msg(parse(options, text, &error), "%s: %s", copy, error.text);
}

START_TEST(defaults)
{
  struct options options;
  char words[] = "-f box:3";

  accepted(&options, words);
  ck_assert_int_eq(options.settings.task, TASK_CONVOLVE);
  ck_assert_int_eq(options.settings.border, BORDER_CLAMP);
  ck_assert(options.settings.border_level < 0);
  ck_assert_int_eq(options.settings.alpha, ALPHA_PREMULTIPLY);
  ck_assert_str_eq(options.settings.paths, "auto");
  ck_assert_str_eq(options.settings.device, "auto");
  ck_assert_int_eq(options.settings.threads, 0);
  ck_assert_uint_eq(options.settings.band_rows, 0);
  ck_assert_uint_eq(options.settings.max_pixels, 2147483648u);
  ck_assert_uint_gt(options.settings.max_memory, 0);
  ck_assert_int_eq(options.settings.depth, 0);
  ck_assert_int_eq(options.settings.compression, -1);
  ck_assert_int_eq(options.settings.quality, 90);
  ck_assert_ptr_null(options.settings.output);
  ck_assert_ptr_null(options.settings.directory);
  ck_assert_ptr_null(options.settings.format);
  ck_assert(!options.settings.absolute && !options.settings.linear && !options.settings.counters);
  ck_assert(!options.convolve && !options.normalize);
  ck_assert(!options.timings && !options.quiet && !options.verbose);
  ck_assert(option_given(&options, "filter") && !option_given(&options, "border"));
  ck_assert_int_eq(options.listing, LIST_NOTHING);
  options_free(&options);
}
END_TEST

/* Where an option is kept, and what must be there. */
enum kept { KEPT_BOOL, KEPT_INT, KEPT_SIZE, KEPT_TEXT, KEPT_DOUBLE, KEPT_FIRST_FILTER };

#define AT(member) offsetof(struct options, member)
static const struct {
  const char *name, *words; /* that of the table; the command line, without a filter */
  enum kept kept;
  size_t place;
  double number;
  const char *text;
} values[] = {
    {"filter", "-f gauss:2", KEPT_FIRST_FILTER, 0, 0, "gauss:2"},
    {"filter", "--filter=edge", KEPT_FIRST_FILTER, 0, 0, "edge"},
    {"border", "-b wrap", KEPT_INT, AT(settings.border), BORDER_WRAP, NULL},
    {"border", "--border=constant:12.5", KEPT_DOUBLE, AT(settings.border_level), 12.5, NULL},
    {"border", "--border=constant", KEPT_DOUBLE, AT(settings.border_level), -1, NULL},
    {"scale", "--scale=-2.5", KEPT_DOUBLE, AT(scale), -2.5, NULL},
    {"offset", "--offset=128", KEPT_DOUBLE, AT(offset), 128, NULL},
    {"normalize", "--normalize", KEPT_BOOL, AT(normalize), 1, NULL},
    {"convolve", "--convolve", KEPT_BOOL, AT(convolve), 1, NULL},
    {"absolute", "--absolute", KEPT_BOOL, AT(settings.absolute), 1, NULL},
    {"alpha", "--alpha=keep", KEPT_INT, AT(settings.alpha), ALPHA_KEEP, NULL},
    {"linear", "--linear", KEPT_BOOL, AT(settings.linear), 1, NULL},
    {"output", "-o a.png", KEPT_TEXT, AT(settings.output), 0, "a.png"},
    {"directory", "-d out a.png", KEPT_TEXT, AT(settings.directory), 0, "out"},
    {"format", "--format=pam", KEPT_TEXT, AT(settings.format), 0, "pam"},
    {"depth", "--depth=16", KEPT_INT, AT(settings.depth), 16, NULL},
    {"compression", "-z 0", KEPT_INT, AT(settings.compression), 0, NULL},
    {"compression", "--compression=9", KEPT_INT, AT(settings.compression), 9, NULL},
    {"quality", "--quality=100", KEPT_INT, AT(settings.quality), 100, NULL},
    {"path", "-p vector,reference", KEPT_TEXT, AT(settings.paths), 0, "vector,reference"},
    {"device", "-D cuda:1", KEPT_TEXT, AT(settings.device), 0, "cuda:1"},
    {"threads", "-j 1024", KEPT_INT, AT(settings.threads), 1024, NULL},
    {"band", "--band=7", KEPT_SIZE, AT(settings.band_rows), 7, NULL},
    {"max-pixels", "--max-pixels=3k", KEPT_SIZE, AT(settings.max_pixels), 3072, NULL},
    {"max-memory", "--max-memory=2G", KEPT_SIZE, AT(settings.max_memory), 2147483648.0, NULL},
    {"timings", "-t", KEPT_BOOL, AT(timings), 1, NULL},
    {"quiet", "-q", KEPT_BOOL, AT(quiet), 1, NULL},
    {"verbose", "-v", KEPT_BOOL, AT(verbose), 1, NULL},
    {"bench", "--bench", KEPT_INT, AT(settings.task), TASK_BENCH, NULL},
    {"explain", "--explain", KEPT_INT, AT(settings.task), TASK_EXPLAIN, NULL},
    {"counters", "--bench --counters", KEPT_BOOL, AT(settings.counters), 1, NULL},
    {"probe", "--probe", KEPT_INT, AT(settings.task), TASK_PROBE, NULL},
    {"probe", "--probe=stride,copy", KEPT_TEXT, AT(probes), 0, "stride,copy"},
    {"list-filters", "--list-filters", KEPT_INT, AT(listing), LIST_FILTERS, NULL},
    {"list-paths", "--list-paths", KEPT_INT, AT(listing), LIST_PATHS, NULL},
    {"list-devices", "--list-devices", KEPT_INT, AT(listing), LIST_DEVICES, NULL},
    {"list-formats", "--list-formats", KEPT_INT, AT(listing), LIST_FORMATS, NULL},
    {"list-borders", "--list-borders", KEPT_INT, AT(listing), LIST_BORDERS, NULL},
    {"list-alpha", "--list-alpha", KEPT_INT, AT(listing), LIST_ALPHA_MODES, NULL},
    {"help", "-?", KEPT_INT, AT(listing), LIST_HELP, NULL},
    {"usage", "--usage", KEPT_INT, AT(listing), LIST_USAGE, NULL},
    {"version", "-V", KEPT_INT, AT(listing), LIST_VERSION, NULL},
};
enum { VALUES = sizeof values / sizeof *values };

START_TEST(values_are_kept)
{
  struct options options;
  const char *at = (const char *)&options + values[_i].place;
  char words[128];
  bool pictures = strncmp(values[_i].words, "--list", 6) != 0;

  snprintf(words, sizeof words, "%s%s", values[_i].words,
           pictures && strcmp(values[_i].name, "filter") != 0 &&
                   strcmp(values[_i].name, "probe") != 0
               ? " -f box:3"
               : "");
  accepted(&options, words);
  ck_assert(option_given(&options, values[_i].name));
  switch (values[_i].kept) {
  case KEPT_BOOL:
    ck_assert(*(const bool *)at);
    break;
  case KEPT_INT:
    ck_assert_int_eq(*(const int *)(const void *)at, (int)values[_i].number);
    break;
  case KEPT_SIZE:
    ck_assert_uint_eq(*(const size_t *)(const void *)at, (size_t)values[_i].number);
    break;
  case KEPT_DOUBLE:
    ck_assert(*(const double *)(const void *)at == values[_i].number);
    break;
  case KEPT_TEXT:
    ck_assert_str_eq(*(const char *const *)(const void *)at, values[_i].text);
    break;
  case KEPT_FIRST_FILTER:
    ck_assert_str_eq(options.filters[0], values[_i].text);
    break;
  }
  options_free(&options);
}
END_TEST

START_TEST(every_option_is_tried)
{
  for (size_t i = 0; option_table[i].about || option_table[i].describe; i++) {
    size_t tried = 0;

    ck_assert_uint_lt(i, OPTIONS_MAX - 1);
    for (size_t k = 0; option_table[i].name && k < VALUES; k++)
      tried += strcmp(values[k].name, option_table[i].name) == 0;
    ck_assert_msg(!option_table[i].name || tried, "--%s is not tried here", option_table[i].name);
  }
}
END_TEST

/* What is refused with status 2, and words of the message. */
static const struct {
  const char *words, *message;
} refused[] = {
    {"", "no filter"},
    {"-b none", "--border=none: there is no such border; there are clamp, mirror"},
    {"-b clam", "there is no such border"},
    {"-b clamp:1", "clamp takes no level"},
    {"-b constant:256", "a level from 0 to 255"},
    {"-b constant:-1", "a level from 0 to 255"},
    {"-b constant:", "a level from 0 to 255"},
    {"--alpha=kept",
     "--alpha=kept: there is no such mode; there are premultiply, straight or keep"},
    {"--depth=12", "8 or 16"},
    {"--depth=08", "8 or 16"},
    {"-z 10", "--compression=10: a whole number from 0 to 9"},
    {"-z 1.5", "a whole number"},
    {"--quality=0", "from 1 to 100"},
    {"-j 0", "--threads=0: a whole number from 1 to 1024"},
    {"-j 1025", "from 1 to 1024"},
    {"--band=0", "above 0"},
    {"--band=x", "above 0"},
    {"--max-pixels=1T", "above 0"},
    {"--max-memory=17179869184G", "above 0"},
    {"--scale=nan", "a number is expected"},
    {"--scale=0x10", "a number is expected"},
    {"--offset=1,5", "a number is expected"},
    {"--offset=\n", "--offset=$'\\n': a number is expected"},
    {"-f box:3 -o a -d b c", "-o FILE and -d DIR can't be combined"},
    {"-f box:3 a b", "2 pictures need -d DIR"},
    {"-f box:3 -d out", "needs the names of pictures"},
    {"-f box:3 --counters a", "--counters: it belongs to --bench or --explain"},
    {"--bench --explain a", "--bench and --explain can't be combined"},
    {"--explain --bench a", "--bench and --explain can't be combined"},
    {"--bench --probe", "--bench and --probe can't be combined"},
    {"--list-paths --list-devices", "--list-paths and --list-devices can't be combined"},
    {"--bench a b", "--bench looks at one picture, not at 2"},
    {"--probe a", "--probe looks at no picture"},
    {"--list-paths a", "--list-paths looks at no picture"},
    {"--bench -o a", "--output: reports and lists go to standard output"},
    {"--explain -d a b", "--directory: reports and lists go to standard output"},
    {"--list-filters -o a", "--output: reports and lists go to standard output"},
    {"--probe --counters", "--counters: it belongs to --bench or --explain"},
    {"--bench --format=png", "--format=png: a report is written as json or csv"},
    {"--probe --format=table", "a report is written as json or csv"},
};

START_TEST(wrong_options_are_refused)
{
  struct options options;
  struct error error;
  char words[128];

  snprintf(words, sizeof words, "%s", refused[_i].words);
  ck_assert_msg(!parse(&options, words, &error), "%s is accepted", refused[_i].words);
  ck_assert_int_eq(error.status, STATUS_USAGE);
  ck_assert_msg(strstr(error.text, refused[_i].message) != NULL, "%s: %s", refused[_i].words,
                error.text);
  ck_assert_ptr_null(strchr(error.text, '\n'));
  options_free(&options);
}
END_TEST

/* getopt itself says what is wrong with these. */
START_TEST(unknown_options_are_refused)
{
  static const char *const wrong[] = {"-f box:3 --colour", "-f box:3 -Z", "-f", "--list",
                                      "--quiet=1"};

  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    struct options options;
    struct error error;
    char words[128];

    snprintf(words, sizeof words, "%s", wrong[i]);
    ck_assert(!parse(&options, words, &error));
    ck_assert_int_eq(error.status, STATUS_USAGE);
    ck_assert_str_eq(error.text, "");
    options_free(&options);
  }
}
END_TEST

/* Options that are accepted, and those of them that are told to have no effect. */
static const struct {
  const char *words, *idle[3];
} idle[] = {
    {"-f box:3 -z 3 --quality=3 -j 1 --band=3 -t -v a", {NULL}},
    {"--bench -f box:3 -b wrap --alpha=keep --linear -z 3 -j 1 --band=3 --format=csv a", {NULL}},
    {"--bench -t --quality=3",
     {"--quality has no effect with --bench", "--timings has no effect with --bench"}},
    {"--explain -j 2 -z 3 --band=4",
     {"--compression has no effect with --explain", "--band has no effect with --explain"}},
    {"--probe -f box:3 --depth=8",
     {"--filter has no effect with --probe", "--depth has no effect with --probe"}},
    {"--probe -D emulated --format=csv -q", {NULL}},
    {"--list-paths -v -D cpu",
     {"--device has no effect with --list-paths", "--verbose has no effect with --list-paths"}},
    {"--help -t -j 3 --bench", {NULL}},
};

START_TEST(options_without_effect_are_told)
{
  struct options options;
  char words[128], text[128];
  size_t at = 0, told = 0;

  snprintf(words, sizeof words, "%s", idle[_i].words);
  accepted(&options, words);
  while (options_idle(&options, &at, text, sizeof text)) {
    ck_assert_msg(idle[_i].idle[told] != NULL, "%s: %s", idle[_i].words, text);
    ck_assert_str_eq(text, idle[_i].idle[told++]);
  }
  ck_assert_msg(!idle[_i].idle[told], "%s: not told", idle[_i].idle[told]);
  options_free(&options);
}
END_TEST

START_TEST(order)
{
  struct options options;
  char words[] = "-b constant:3 a.png -f one --depth=8 -f two -b wrap --depth=16 -d out -- -q";

  accepted(&options, words);
  ck_assert_uint_eq(options.filter_count, 2);
  ck_assert_str_eq(options.filters[0], "one");
  ck_assert_str_eq(options.filters[1], "two");
  ck_assert_uint_eq(options.settings.file_count, 2);
  ck_assert_str_eq(options.settings.files[0], "a.png");
  ck_assert_str_eq(options.settings.files[1], "-q");
  ck_assert(!options.quiet);
  ck_assert_int_eq(options.settings.depth, 16); /* the last one counts */
  ck_assert_int_eq(options.settings.border, BORDER_WRAP);
  ck_assert(options.settings.border_level < 0);
  options_free(&options);
}
END_TEST

/* What --help prints, with single spaces for all white space. */
static char *help(void)
{
  static char text[16384], plain[16384];
  FILE *stream = fmemopen(text, sizeof text, "w");
  size_t length = 0;

  ck_assert_ptr_nonnull(stream);
  options_help(stream, false);
  fclose(stream);
  for (const char *byte = text; *byte; byte++) {
    bool space = *byte == ' ' || *byte == '\n';

    if (!space || (length && plain[length - 1] != ' '))
      plain[length++] = space ? ' ' : *byte;
  }
  plain[length] = '\0';
  return plain;
}

static void helps(const char *words)
{
  ck_assert_msg(strstr(help(), words) != NULL, "--help lacks \"%s\"", words);
}

START_TEST(help_is_made_of_tables)
{
  char words[128];

  for (size_t i = 0; i < border_count; i++) {
    snprintf(words, sizeof words, "%s%s", border_rows[i].name, border_argument(&border_rows[i]));
    helps(words);
  }
  for (size_t i = 0; i < alpha_count; i++)
    helps(alpha_rows[i].name);
  for (size_t i = 0; formats[i]; i++)
    if (format_writes(formats[i]))
      helps(formats[i]->name);
  helps("constant[:V] VVV|abcd or crop");
  helps("clamp aaa|abcd (default)");
  helps("premultiply (default), straight or keep");
  helps("of png: from 0, none, to 9, smallest (1)");
  helps("of jpeg (90)");
  helps("Messages and reports:");
}
END_TEST

int main(void)
{
  TCase *test = tcase_create("options");

  tcase_add_test(test, defaults);
  tcase_add_loop_test(test, values_are_kept, 0, VALUES);
  tcase_add_test(test, every_option_is_tried);
  tcase_add_loop_test(test, wrong_options_are_refused, 0, sizeof refused / sizeof *refused);
  tcase_add_test(test, unknown_options_are_refused);
  tcase_add_loop_test(test, options_without_effect_are_told, 0, sizeof idle / sizeof *idle);
  tcase_add_test(test, order);
  tcase_add_test(test, help_is_made_of_tables);
  return unit_run("options", test);
}
