/* Batches: where results go, pictures that fail among others that don't, and one budget of memory for
   all. */
#include "config.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "batch.h"
#include "filter_read.h"
#include "scratch.h"
#include "unit.h"

enum { PICTURES = 8, SIDE = 200 };

/* What a batch told. */
struct told {
  size_t done, failed;
  char error[1024]; /* the last one */
};

static void tell(void *context, const char *name, const struct report *report,
                 const struct error *error)
{
  struct told *told = context;

  (void)name;
  ck_assert(!report != !error);
  told->done += report != NULL;
  told->failed += error != NULL;
  if (error)
    snprintf(told->error, sizeof told->error, "%s", error->text);
}

static bool is_there(const char *name)
{
  return access(name, F_OK) == 0;
}

/* A grey picture whose samples depend on `seed`. */
static void picture_write(const char *name, unsigned seed)
{
  FILE *file = fopen(name, "w");

  ck_assert_ptr_nonnull(file);
  fprintf(file, "P5\n%d %d\n255\n", SIDE, SIDE);
  for (unsigned i = 0; i < SIDE * SIDE; i++)
    fputc((int)(i * seed % 251), file);
  ck_assert_int_eq(fclose(file), 0);
}

/* Runs a batch of these files, to be found under `directory`. */
static struct told batch_try(const char **files, size_t count, const char *directory,
                             const char *format, size_t max_memory)
{
  struct settings settings = {
      .files = files,
      .file_count = count,
      .border_level = -1,
      .paths = "vector",
      .device = "cpu",
      .threads = 4,
      .max_pixels = 1 << 30,
      .max_memory = max_memory,
      .directory = directory,
      .format = format,
      .compression = -1,
      .quality = 90,
  };
  struct chain chain = {0};
  struct told told = {0};
  struct choice choice;
  struct error error;

  ck_assert_msg(filter_read(&chain, "gauss:2", &error), "%s", error.text);
  ck_assert_msg(choice_make(&choice, &settings, &error), "%s", error.text);
  ck_assert_uint_eq(batch_run(&settings, &choice, &chain, tell, &told), told.failed);
  chain_free(&chain);
  return told;
}

START_TEST(results_have_the_names_of_their_inputs)
{
  const char *files[] = {"a.pgm", "b.c.pgm", "plain"};
  struct told told;

  for (int i = 0; i < 3; i++)
    picture_write(files[i], 7);
  told = batch_try(files, 3, "made/", NULL, SIZE_MAX);
  ck_assert_uint_eq(told.done, 3);
  ck_assert(is_there("made/a.pgm") && is_there("made/b.c.pgm") && is_there("made/plain"));
  told = batch_try(files, 3, "png", "png", SIZE_MAX);
  ck_assert_uint_eq(told.done, 3);
  ck_assert(is_there("png/a.png") && is_there("png/b.c.png") && is_there("png/plain.png"));
}
END_TEST

START_TEST(two_pictures_never_become_one_file)
{
  const char *files[] = {"one/x.pgm", "y.pgm", "other/x.pgm"};
  struct told told;

  ck_assert(mkdir("one", 0700) == 0 && mkdir("other", 0700) == 0);
  for (unsigned i = 0; i < 3; i++)
    picture_write(files[i], i + 3);
  told = batch_try(files, 3, "out", NULL, SIZE_MAX);
  ck_assert_uint_eq(told.done, 2);
  ck_assert_uint_eq(told.failed, 1);
  ck_assert_str_eq(told.error,
                   "other/x.pgm: out/x.pgm is the result of another picture already; rename one");
}
END_TEST

START_TEST(a_bad_picture_does_not_keep_the_others)
{
  const char *files[] = {"0.pgm", "1.pgm", "bad.pgm", "absent.pgm", "4.pgm"};
  struct told told;

  for (unsigned i = 0; i < 5; i++)
    if (i != 3)
      picture_write(files[i], i + 3);
  ck_assert_int_eq(truncate("bad.pgm", SIDE * SIDE / 2), 0);
  told = batch_try(files, 5, "out", NULL, SIZE_MAX);
  ck_assert_uint_eq(told.done, 3);
  ck_assert_uint_eq(told.failed, 2);
  ck_assert(is_there("out/0.pgm") && is_there("out/1.pgm") && is_there("out/4.pgm"));
  ck_assert(!is_there("out/bad.pgm") && !is_there("out/absent.pgm"));
}
END_TEST

static void files_compare(const char *one, const char *other)
{
  FILE *a = fopen(one, "r"), *b = fopen(other, "r");
  int byte;

  ck_assert(a && b);
  do {
    byte = fgetc(a);
    ck_assert_int_eq(byte, fgetc(b));
  } while (byte != EOF);
  fclose(a);
  fclose(b);
}

/* With memory for about one picture at a time all are done, and with less than that none. */
START_TEST(pictures_share_one_budget)
{
  char name[PICTURES][16], small[64], large[64];
  const char *files[PICTURES];
  struct told told;

  for (unsigned i = 0; i < PICTURES; i++) {
    snprintf(name[i], sizeof name[i], "%u.pgm", i);
    files[i] = name[i];
    picture_write(files[i], i + 3);
  }
  ck_assert_uint_eq(batch_try(files, PICTURES, "large", NULL, SIZE_MAX).done, PICTURES);
  ck_assert_uint_eq(batch_try(files, PICTURES, "small", NULL, 2 << 20).done, PICTURES);
  for (int i = 0; i < PICTURES; i++) {
    snprintf(small, sizeof small, "small/%s", files[i]);
    snprintf(large, sizeof large, "large/%s", files[i]);
    files_compare(small, large);
  }
  told = batch_try(files, PICTURES, "none", NULL, 1 << 20);
  ck_assert_uint_eq(told.failed, PICTURES);
  ck_assert_ptr_nonnull(strstr(told.error, "more than --max-memory=1M allows"));
}
END_TEST

int main(void)
{
  TCase *test = tcase_create("batch");

  tcase_add_checked_fixture(test, scratch_enter, scratch_leave);
  tcase_add_test(test, results_have_the_names_of_their_inputs);
  tcase_add_test(test, two_pictures_never_become_one_file);
  tcase_add_test(test, a_bad_picture_does_not_keep_the_others);
  tcase_add_test(test, pictures_share_one_budget);
  tcase_set_timeout(test, 120);
  return unit_run("batch", test);
}
