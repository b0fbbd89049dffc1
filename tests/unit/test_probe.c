/* The probes on the emulated device: what they count is what can be worked out by hand, what they
   predict is what they count, and names that are none are refused. */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#include <check.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "probe.h"
#include "unit.h"

/* The place of the probe of that name. */
static size_t probe_place(const char *name)
{
  const struct probe *probe;

  for (size_t i = 0; (probe = probes_emulated.probe(i)); i++)
    if (strcmp(probe->name, name) == 0)
      return i;
  ck_abort_msg("there is no probe %s", name);
}

static const struct {
  const char *probe;
  double served[PROBE_VARIANTS_MAX];
} cases[] = {
    /* lanes that differ by a multiple of 32 / gcd(stride, 32) share a bank */
    {"stride", {1, 2, 1, 4, 8, 16, 1, 32, 1}},
    /* 128 bytes are 4 sectors; strides of 8 words and more touch one a lane; a row that begins
       within a sector touches 5 */
    {"coalesce", {4, 8, 16, 32, 32, 32, 5, 5, 4}},
    {"transpose", {32, 1, 1}},
    {"vector", {4, 8, 16}},
    /* a structure is a sector; 32 fields side by side are 4 */
    {"layout", {32, 4, 4, 32, 4, 4}},
    /* a word for all and a row of 32; two rows of 32 for 32 steps */
    {"matmul", {1 + 4, (4 + 4) / 32.0}},
    {"broadcast", {1, 2, 4, 8, 16, 32}},
    {"texture", {4, 8, 32, 32, 32, 32}},
    {"occupancy", {4, 4, 4, 4, 4}},
};

START_TEST(counts_are_those_worked_out)
{
  struct probe_figure figures[PROBE_VARIANTS_MAX] = {0};
  struct error error = {0};
  size_t place = probe_place(cases[_i].probe);
  const struct probe *probe = probes_emulated.probe(place);

  ck_assert_msg(probes_emulated.measure(place, figures, &error), "%s", error.text);
  ck_assert_uint_le(probe->count, PROBE_VARIANTS_MAX);
  for (size_t v = 0; v < PROBE_VARIANTS_MAX; v++) {
    double predicted = v < probe->count ? probe->variants[v].served : 0;
    double served = v < probe->count ? figures[v].served : 0;

    ck_assert_ptr_null(figures[v].refused);
    ck_assert_msg(served == cases[_i].served[v] && predicted == cases[_i].served[v],
                  "%s, variant %zu: counted %g, predicted %g, worked out %g", probe->name, v,
                  served, predicted, cases[_i].served[v]);
  }
}
END_TEST

START_TEST(copies_have_no_meaning_without_a_device)
{
  struct probe_figure figures[PROBE_VARIANTS_MAX] = {0};
  struct error error = {0};
  size_t place = probe_place("copy");

  ck_assert(probes_emulated.measure(place, figures, &error));
  for (size_t v = 0; v < probes_emulated.probe(place)->count; v++)
    ck_assert_ptr_nonnull(figures[v].refused);
}
END_TEST

START_TEST(every_probe_is_counted_here)
{
  size_t count = 0;

  while (probes_emulated.probe(count))
    count++;
  ck_assert_uint_eq(count, sizeof cases / sizeof *cases + 1);
}
END_TEST

/* Runs probes, and gives what stood on standard output. */
static char *printed(const char *names, const struct device *device, bool wanted,
                     struct error *error)
{
  static char text[65536];
  FILE *file = tmpfile();
  int kept = dup(STDOUT_FILENO);
  bool done;

  ck_assert(file && kept >= 0);
  fflush(stdout);
  dup2(fileno(file), STDOUT_FILENO);
  done = probe_run(names, NULL, device, error);
  fflush(stdout);
  dup2(kept, STDOUT_FILENO);
  close(kept);
  rewind(file);
  text[fread(text, 1, sizeof text - 1, file)] = '\0';
  fclose(file);
  ck_assert_msg(done == wanted, "%s", error->text);
  return text;
}

START_TEST(tables_stand_on_standard_output)
{
  struct error error = {0};
  const char *text = printed("transpose,broadcast", &device_emulated, true, &error);
  const char *first = strstr(text, "transpose: "), *second = strstr(text, "\nbroadcast: ");

  ck_assert_ptr_eq(first, text);
  ck_assert_ptr_nonnull(second);
  ck_assert_ptr_nonnull(strstr(first, "teaches: "));
  ck_assert_ptr_nonnull(strstr(second, "no longer there: "));
  ck_assert_ptr_null(strstr(text, "stride: "));
}
END_TEST

START_TEST(all_probes_run_without_names)
{
  struct error error = {0};
  const char *text = printed(NULL, &device_emulated, true, &error);

  for (size_t i = 0; probes_emulated.probe(i); i++) {
    char title[32];

    snprintf(title, sizeof title, "%s%s: ", i ? "\n\n" : "", probes_emulated.probe(i)->name);
    ck_assert_ptr_nonnull(strstr(text, title));
  }
  for (const char *line = text; *line; line += strcspn(line, "\n") + 1)
    ck_assert_uint_le(strcspn(line, "\n"), 80);
}
END_TEST

START_TEST(unknown_names_are_refused_before_anything_runs)
{
  static const char *const wrong[] = {"strid", "strides", "stride,none", "stride,", "", ","};

  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    struct error error = {0};

    ck_assert_str_eq(printed(wrong[i], &device_emulated, false, &error), "");
    ck_assert_int_eq(error.status, STATUS_USAGE);
    ck_assert_ptr_nonnull(strstr(error.text, "stride, coalesce, transpose"));
  }
}
END_TEST

START_TEST(the_processor_has_no_probes)
{
  struct error error = {0};

  ck_assert_str_eq(printed("stride", &device_cpu, false, &error), "");
  ck_assert_int_eq(error.status, STATUS_USAGE);
}
END_TEST

int main(void)
{
  TCase *all = tcase_create("probes");

  tcase_add_loop_test(all, counts_are_those_worked_out, 0, sizeof cases / sizeof *cases);
  tcase_add_test(all, copies_have_no_meaning_without_a_device);
  tcase_add_test(all, every_probe_is_counted_here);
  tcase_add_test(all, tables_stand_on_standard_output);
  tcase_add_test(all, all_probes_run_without_names);
  tcase_add_test(all, unknown_names_are_refused_before_anything_runs);
  tcase_add_test(all, the_processor_has_no_probes);
  tcase_set_timeout(all, 60);
  return unit_run("probe", all);
}
