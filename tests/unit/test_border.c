/* border_index() against a walk: from inside the image one step at a time to the index asked for, as
   the patterns of border.h draw it.  The walk knows no period and no remainder. */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#include <check.h>
#include <limits.h>
#include <stdio.h>

#include "border.h"
#include "unit.h"

enum { SIZE_MAX_TRIED = 9, FAR = 100 };

static const struct {
  const char *name;
  enum border mode;
  const char *pattern;
} borders[] = {
#define X(name, constant, pattern, about) {name, constant, pattern},
    BORDERS(X)
#undef X
};

enum { BORDER_COUNT = sizeof borders / sizeof *borders };

/* One step over the image, as someone walks who stands at *at and looks in *direction. */
static void walk_step(ptrdiff_t *at, ptrdiff_t *direction, ptrdiff_t n, enum border mode)
{
  ptrdiff_t next = *at + *direction;

  if (*at >= 0 && next >= 0 && next < n) {
    *at = next;
    return;
  }
  switch (mode) {
  case BORDER_CLAMP: /* stays where the image ends */
    break;
  case BORDER_MIRROR: /* turns round, and sees the outermost pixel again */
    *direction = -*direction;
    break;
  case BORDER_REFLECT: /* turns round, and sees the one beside it */
    *direction = -*direction;
    if (n > 1)
      *at += *direction;
    break;
  case BORDER_WRAP: /* comes in at the other side */
    *at = *direction > 0 ? 0 : n - 1;
    break;
  case BORDER_CONSTANT:
  case BORDER_CROP: /* falls off, for ever */
    *at = -1;
    break;
  }
}

/* The index that a walk from 0 (to the left) or n − 1 (to the right) arrives at. */
static ptrdiff_t walk(ptrdiff_t i, ptrdiff_t n, enum border mode)
{
  ptrdiff_t direction = i < 0 ? -1 : 1, at = 0;
  ptrdiff_t steps = i < 0 ? -i : i;

  while (steps-- > 0)
    walk_step(&at, &direction, n, mode);
  return at;
}

START_TEST(a_walk_arrives_at_the_index)
{
  for (ptrdiff_t n = 1; n <= SIZE_MAX_TRIED; n++)
    for (ptrdiff_t i = -FAR; i <= FAR; i++) {
      ptrdiff_t expected = walk(i, n, borders[_i].mode);
      ptrdiff_t got = border_index(i, n, borders[_i].mode);

      ck_assert_msg(got == expected, "%s, %td of %td: %td and not %td", borders[_i].name, i, n, got,
                    expected);
    }
}
END_TEST

/* "cba|abcd|dcb" says what stands at −3 … 6; V and a blank are what is no pixel. */
START_TEST(the_pattern_is_what_it_says)
{
  const char *pattern = borders[_i].pattern;
  ptrdiff_t i = -3;

  for (const char *letter = pattern; *letter; letter++) {
    ptrdiff_t expected = *letter == 'V' || *letter == ' ' ? -1 : *letter - 'a';

    if (*letter == '|')
      continue;
    ck_assert_msg(border_index(i, 4, borders[_i].mode) == expected, "%s: \"%s\" at %td",
                  borders[_i].name, pattern, i);
    i++;
  }
  ck_assert_int_eq(i, 7);
}
END_TEST

/* As the manual page prints them, so that the table of border.h can't change unnoticed. */
START_TEST(the_patterns_are_those_of_the_manual)
{
  static const char *const expected[][2] = {
      {"clamp", "aaa|abcd|ddd"}, {"mirror", "cba|abcd|dcb"},   {"reflect", "dcb|abcd|cba"},
      {"wrap", "bcd|abcd|abc"},  {"constant", "VVV|abcd|VVV"}, {"crop", "   |abcd|   "},
  };

  ck_assert_int_eq(BORDER_COUNT, 6);
  for (int i = 0; i < BORDER_COUNT; i++) {
    ck_assert_str_eq(borders[i].name, expected[i][0]);
    ck_assert_str_eq(borders[i].pattern, expected[i][1]);
  }
}
END_TEST

/* As far out as an index can lie beside the largest image, without an overflow on the way. */
START_TEST(far_outside)
{
  const ptrdiff_t far = PTRDIFF_MAX / 4, n = PTRDIFF_MAX / 4 - 3;

  for (int b = 0; b < BORDER_COUNT; b++) {
    for (ptrdiff_t i = -5; i <= 5; i++) {
      ptrdiff_t small = border_index(far + i, 7, borders[b].mode);
      ptrdiff_t large = border_index(-1 - i * i, n, borders[b].mode);

      ck_assert(small >= -1 && small < 7 && large >= -1 && large < n);
    }
  }
  /* 2^61 − 1 is a multiple of 7 and 1, of 12 and 3 (2^61 is 2 of 3, and 8 of 12), of 14 and 1. */
  ck_assert_int_eq(far % 7, 1);
  ck_assert_int_eq(border_index(far, 7, BORDER_WRAP), 1);
  ck_assert_int_eq(far % 14, 1);
  ck_assert_int_eq(border_index(far, 7, BORDER_MIRROR), 1);
  ck_assert_int_eq(far % 12, 7);
  ck_assert_int_eq(border_index(far, 7, BORDER_REFLECT), 5);
}
END_TEST

int main(void)
{
  TCase *all = tcase_create("index");

  tcase_add_loop_test(all, a_walk_arrives_at_the_index, 0, BORDER_COUNT);
  tcase_add_loop_test(all, the_pattern_is_what_it_says, 0, BORDER_COUNT);
  tcase_add_test(all, the_patterns_are_those_of_the_manual);
  tcase_add_test(all, far_outside);
  return unit_run("border", all);
}
