/* What --explain is told of a kernel: which line waits for shared memory, and for how long. */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "explain_line.h"
#include "gpu.cuh"
#include "unit.h"

namespace
{

using namespace gpu;

enum { SIDE = 32 };

/* Writes a square of 32 × 32 floats by rows of `pitch` words, and reads it by columns. */
void columns_read(int pitch, global<float> result)
{
  shared<float> words = dynamic_shared<float>();
  int x = (int)threadIdx.x;

  for (int y = 0; y < SIDE; y++)
    words[y * pitch + x] = (float)(y * SIDE + x);
  barrier();
  for (int y = 0; y < SIDE; y++)
    result[y * SIDE + x] = words[x * pitch + y];
}

enum { WRITE_LINE = __LINE__ - 6, READ_LINE = __LINE__ - 3 };

bool square_run(void *context, struct error *error)
{
  int pitch = *static_cast<const int *>(context);
  struct stream stream = {};
  void *memory = emulator::allocate(SIDE * SIDE * sizeof(float));
  struct shape_of_launch shape = {
      "columns", 1, {SIDE, 1, 1}, (size_t)(SIDE * pitch) * sizeof(float), &stream};

  launch(shape, columns_read, pitch, global_from<float>(memory));
  emulator::release(memory);
  return !stream.failed[0] || error_set(error, STATUS_FAILED, "%s", stream.failed);
}

/* The line of the source that reads or writes that memory. */
const struct explained_line &line_find(const struct explained_lines &lines,
                                       enum explained_memory memory, bool write)
{
  size_t i = 0;

  while (i < lines.count && (lines.line[i].memory != memory || lines.line[i].write != write))
    i++;
  ck_assert_uint_lt(i, lines.count);
  return lines.line[i];
}

void square_check(int pitch, unsigned ways)
{
  struct explained_lines lines = {};
  struct error error;

  ck_assert_msg(explain_record(square_run, &pitch, &lines, &error), "%s", error.text);
  ck_assert_uint_eq(lines.count, 3);
  const struct explained_line &read = line_find(lines, EXPLAINED_SHARED, false);
  const struct explained_line &write = line_find(lines, EXPLAINED_SHARED, true);
  const struct explained_line &result = line_find(lines, EXPLAINED_GLOBAL, true);
  ck_assert_int_eq(read.line, READ_LINE);
  ck_assert_uint_eq(explained_ways(&read), ways);
  ck_assert_uint_eq(read.served, read.requests * ways);
  ck_assert_int_eq(write.line, WRITE_LINE);
  ck_assert_uint_eq(explained_ways(&write), 1);
  ck_assert_int_eq(result.line, READ_LINE);
  ck_assert_uint_eq(explained_ways(&result), 0);
  ck_assert_uint_eq(result.served, result.requests * 4);
  ck_assert_str_eq(read.kernel, "columns");
  ck_assert(strstr(read.file, "test_explain.cc") != nullptr);
  free(lines.line);
}

START_TEST(columns_conflict)
{
  square_check(32, 32);
  square_check(64, 32);
  square_check(48, 16);
}
END_TEST

START_TEST(padding_ends_the_conflict)
{
  square_check(33, 1);
  square_check(35, 1);
}
END_TEST

bool fault_run(void *, struct error *error)
{
  return error_set(error, STATUS_FAILED, "as told");
}

START_TEST(errors_travel_up)
{
  struct explained_lines lines = {};
  struct error error;

  ck_assert(!explain_record(fault_run, nullptr, &lines, &error));
  ck_assert_str_eq(error.text, "as told");
  ck_assert_uint_eq(lines.count, 0);
}
END_TEST

} // namespace

int main()
{
  TCase *record = tcase_create("record");

  tcase_add_test(record, columns_conflict);
  tcase_add_test(record, padding_ends_the_conflict);
  tcase_add_test(record, errors_travel_up);
  return unit_run("explain", record);
}
