/* What one source line of a kernel did to one kind of memory, as the emulator (C++) recorded it for --explain
   (C). */
#ifndef HALO_EXPLAIN_LINE_H
#define HALO_EXPLAIN_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "error.h"

#ifdef __cplusplus
extern "C" {
#endif

enum explained_memory {
  EXPLAINED_GLOBAL,
  EXPLAINED_SHARED,
  EXPLAINED_CONSTANT,
  EXPLAINED_TEXTURE,
  EXPLAINED_MEMORIES,
};

struct explained_line {
  const char *kernel, *file; /* the file as the compiler was told its name */
  int line;
  enum explained_memory memory;
  bool write;
  unsigned bytes;    /* of one access */
  uint64_t accesses; /* of threads */
  uint64_t requests; /* of warps; of quads of them, for textures */
  uint64_t served;   /* wavefronts (shared), addresses (constant) or 32-byte sectors */
  unsigned worst;    /* the most of these that one request took */
  const char *text;  /* the line itself, without indentation, from kernel_text.h; NULL until then */
};

/* How many times as long the worst request took as one without bank conflicts ("an n-way conflict"); of
   constant memory, how many addresses it had, one of which is served at a time.  0 for global memory and
   textures, which have no such conflicts. */
static inline unsigned explained_ways(const struct explained_line *line)
{
  unsigned words = line->bytes > 4 ? line->bytes / 4 : 1; /* served one after the other anyway */

  if (line->memory == EXPLAINED_SHARED)
    return (line->worst + words - 1) / words;
  return line->memory == EXPLAINED_CONSTANT ? line->worst : 0;
}

struct explained_lines {
  struct explained_line *line; /* owned */
  size_t count;
};

/* Calls run(context), which runs emulated kernels on this thread, and records what each of their lines did:
   ordered by kernel as they began, then by file, then by line.  The list of lines is to be freed. */
bool explain_record(bool (*run)(void *context, struct error *error), void *context,
                    struct explained_lines *lines, struct error *error);

#ifdef __cplusplus
}
#endif
#endif
