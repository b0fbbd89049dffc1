/* The formats that stb_image_write writes: their limits, by sizes alone, before anything is written.
   What they write is tried by the tests of the command. */
#include "config.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "format.h"

static const char *refuse(const struct format *format, size_t width, size_t height,
                          unsigned channels)
{
  struct picture picture = {.shape = {width, height, channels, format->type(SAMPLE_U8)}};
  const char *reason = format->refuse(&picture);

  return reason ? reason : "";
}

START_TEST(sides_are_limited)
{
  const struct format *const limited[] = {&format_jpeg, &format_tga};

  for (size_t i = 0; i < 2; i++) {
    ck_assert_str_eq(refuse(limited[i], 65535, 1, 3), "");
    ck_assert_str_eq(refuse(limited[i], 1, 65535, 3), "");
    ck_assert_ptr_nonnull(strstr(refuse(limited[i], 65536, 1, 3), "65,535"));
    ck_assert_ptr_nonnull(strstr(refuse(limited[i], 1, 70000, 3), "65,535"));
  }
  ck_assert_str_eq(refuse(&format_bmp, 70000, 1, 3), "");
}
END_TEST

START_TEST(areas_are_limited)
{
  const struct format *const all[] = {&format_jpeg, &format_bmp, &format_tga, &format_hdr};

  for (size_t i = 0; i < 4; i++) {
    ck_assert_str_eq(refuse(all[i], 16384, 16383, 3), "");
    ck_assert_ptr_nonnull(strstr(refuse(all[i], 32768, 32768, 3), "pixels"));
    ck_assert_str_ne(refuse(all[i], (size_t)1 << 40, (size_t)1 << 40, 3), "");
  }
}
END_TEST

START_TEST(alpha_is_refused_where_it_would_be_lost)
{
  ck_assert_ptr_nonnull(strstr(refuse(&format_jpeg, 1, 1, 4), "alpha"));
  ck_assert_ptr_nonnull(strstr(refuse(&format_jpeg, 1, 1, 2), "alpha"));
  ck_assert_ptr_nonnull(strstr(refuse(&format_hdr, 1, 1, 4), "alpha"));
  ck_assert_ptr_nonnull(strstr(refuse(&format_bmp, 1, 1, 2), "alpha"));
  ck_assert_str_eq(refuse(&format_bmp, 1, 1, 4), "");
  ck_assert_str_eq(refuse(&format_tga, 1, 1, 2), "");
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("stb");
  TCase *test = tcase_create("stb");
  SRunner *runner;
  int failed;

#ifndef HAVE_STB
  puts("SKIP: this halo was built without stb_image_write");
  return 77;
#endif
  tcase_add_test(test, sides_are_limited);
  tcase_add_test(test, areas_are_limited);
  tcase_add_test(test, alpha_is_refused_where_it_would_be_lost);
  suite_add_tcase(suite, test);
  runner = srunner_create(suite);
  srunner_run_all(runner, CK_NORMAL);
  failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
