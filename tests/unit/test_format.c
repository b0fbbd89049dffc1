/* The table of formats: every entry is complete, names and sets are as the rest of the program expects
   them; and the one line of a picture's warnings. */
#include "config.h"

#include <check.h>
#include <stdio.h>
#include <string.h>

#include "format.h"
#include "unit.h"

START_TEST(entries_are_complete)
{
  for (size_t i = 0; formats[i]; i++) {
    const struct format *format = formats[i];

    ck_assert(format->about && *format->about);
    ck_assert(format->extensions && format->extensions[0]);
    ck_assert(format_reads(format) || format_writes(format));
    ck_assert_ptr_eq(format_find(format->name), format);
    if (format_reads(format))
      ck_assert(format->open && format->read && format->finish && format->close);
    if (format_writes(format)) {
      ck_assert(format->begin && format->rows_at_once && format->encode_memory && format->encode);
      ck_assert(format->write && format->end && format->discard);
      ck_assert_uint_ne(format->types, 0);
    } else {
      ck_assert(!format->compression && !format->quality);
    }
  }
}
END_TEST

START_TEST(extensions_lead_to_their_format)
{
  char name[64];

  for (size_t i = 0; formats[i]; i++)
    for (const char *const *extension = formats[i]->extensions; *extension; extension++) {
      snprintf(name, sizeof name, "a.b/picture.%s", *extension);
      ck_assert_ptr_eq(format_for_name(name), formats[i]);
    }
  ck_assert_ptr_eq(format_for_name("x.PNG"), format_find("png"));
  ck_assert_ptr_null(format_for_name("x.png/y"));
  ck_assert_ptr_null(format_for_name("png"));
}
END_TEST

static bool is_first(const struct format *format)
{
  return format == formats[0];
}

static bool is_none(const struct format *format)
{
  (void)format;
  return false;
}

static bool is_first_three(const struct format *format)
{
  return format == formats[0] || format == formats[1] || format == formats[2];
}

START_TEST(names_are_a_list)
{
  char text[256];

  ck_assert_str_eq(format_names(text, sizeof text, is_none, " or "), "");
  ck_assert_str_eq(format_names(text, sizeof text, is_first, " or "), "png");
  ck_assert_str_eq(format_names(text, sizeof text, is_first_three, " or "), "png, pgm or ppm");
  ck_assert_str_eq(format_names(text, 7, is_first_three, ", "), "png, p");
  format_names(text, sizeof text, NULL, ", ");
  for (size_t i = 0; formats[i]; i++)
    ck_assert_ptr_nonnull(strstr(text, formats[i]->name));
}
END_TEST

/* A type that the format has stays; any other becomes the widest that it has. */
START_TEST(type_is_the_wanted_or_the_widest)
{
  struct format format = {.types = SAMPLE_SET(SAMPLE_U8) | SAMPLE_SET(SAMPLE_U16)};

  ck_assert_int_eq(format_type(&format, SAMPLE_U8), SAMPLE_U8);
  ck_assert_int_eq(format_type(&format, SAMPLE_U16), SAMPLE_U16);
  ck_assert_int_eq(format_type(&format, SAMPLE_F32), SAMPLE_U16);
  format.types = SAMPLE_SET(SAMPLE_U8);
  ck_assert_int_eq(format_type(&format, SAMPLE_F32), SAMPLE_U8);
  format.types = SAMPLE_SET(SAMPLE_F32);
  ck_assert_int_eq(format_type(&format, SAMPLE_U8), SAMPLE_F32);
}
END_TEST

START_TEST(warnings_are_one_line)
{
  struct picture picture = {0};
  char longest[1000];

  picture_warn(&picture, "is %s", "odd");
  ck_assert_str_eq(picture.warning, "is odd");
  picture_warn(&picture, "is even");
  ck_assert_str_eq(picture.warning, "is odd; more warnings: 1");
  picture_warn(&picture, "is neither");
  ck_assert_str_eq(picture.warning, "is odd; more warnings: 2");
  picture_free(&picture);
  ck_assert_str_eq(picture.warning, "");
  memset(longest, 'x', sizeof longest);
  longest[sizeof longest - 1] = '\0';
  picture_warn(&picture, "%s", longest);
  picture_warn(&picture, "%s", longest);
  ck_assert_ptr_nonnull(strstr(picture.warning, "x; more warnings: 1"));
}
END_TEST

int main(void)
{
  TCase *test = tcase_create("format");

  tcase_add_test(test, entries_are_complete);
  tcase_add_test(test, extensions_lead_to_their_format);
  tcase_add_test(test, names_are_a_list);
  tcase_add_test(test, type_is_the_wanted_or_the_widest);
  tcase_add_test(test, warnings_are_one_line);
  return unit_run("format", test);
}
