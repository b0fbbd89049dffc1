/* What the emulator's recorder counted, as lines for --explain: see explain_line.h. */
#include "explain_line.h"

#include <algorithm>
#include <tuple>
#include <vector>

#include <stdlib.h>
#include <string.h>

#include "emulator.h"

namespace
{

enum explained_memory memory_of(enum emulator::space space)
{
  switch (space) {
  case emulator::SPACE_GLOBAL:
    return EXPLAINED_GLOBAL;
  case emulator::SPACE_SHARED:
    return EXPLAINED_SHARED;
  case emulator::SPACE_CONSTANT:
    return EXPLAINED_CONSTANT;
  case emulator::SPACE_TEXTURE:
    break;
  }
  return EXPLAINED_TEXTURE;
}

/* The index of the first tally of that kernel. */
size_t kernel_begins(const std::vector<struct emulator::tally> &tallies, const char *kernel)
{
  size_t i = 0;

  while (strcmp(tallies[i].kernel, kernel) != 0)
    i++;
  return i;
}

std::vector<struct emulator::tally>
tallies_sort(const std::vector<struct emulator::tally> &recorded)
{
  std::vector<struct emulator::tally> sorted = recorded;
  auto key = [&](const struct emulator::tally &tally) {
    return std::make_tuple(kernel_begins(recorded, tally.kernel), tally.line, tally.space,
                           tally.write, tally.bytes);
  };

  std::sort(sorted.begin(), sorted.end(),
            [&](const struct emulator::tally &a, const struct emulator::tally &b) {
              size_t of_a = kernel_begins(recorded, a.kernel),
                     of_b = kernel_begins(recorded, b.kernel);
              int files = strcmp(a.file, b.file);

              if (of_a != of_b)
                return of_a < of_b;
              return files ? files < 0 : key(a) < key(b);
            });
  return sorted;
}

} // namespace

extern "C" bool explain_record(bool (*run)(void *context, struct error *error), void *context,
                               struct explained_lines *lines, struct error *error)
{
  emulator::recorder recorder;
  bool done;

  recorder.start();
  done = run(context, error);
  recorder.stop();
  if (!done)
    return false;
  std::vector<struct emulator::tally> tallies = tallies_sort(recorder.tallies());
  lines->line =
      static_cast<struct explained_line *>(calloc(tallies.size() + 1, sizeof *lines->line));
  if (!lines->line)
    return error_set(error, STATUS_FAILED, "no memory for %zu lines of kernels", tallies.size());
  for (const struct emulator::tally &tally : tallies)
    lines->line[lines->count++] = {
        tally.kernel, tally.file,  tally.line,     memory_of(tally.space),
        tally.write,  tally.bytes, tally.accesses, tally.requests,
        tally.served, tally.worst, nullptr};
  return true;
}
