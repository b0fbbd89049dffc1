/* Lines of the kernels' sources: see kernel_text.h. */
#include "config.h"

#include "kernel_text.h"

#include <string.h>

const char *kernel_text_file(const char *file)
{
  const char *found = file;

  for (const char *at = file; *at; at++)
    if ((at == file || at[-1] == '/') &&
        (strncmp(at, "kernels/", 8) == 0 || strncmp(at, "src/", 4) == 0))
      found = at;
  return found;
}

const char *kernel_text_line(const char *file, int line)
{
  const char *name = kernel_text_file(file);

  for (size_t i = 0; i < kernel_text_count; i++) {
    const struct kernel_text *text = &kernel_texts[i];

    if (strcmp(text->file, name) == 0 && line > 0 && (size_t)line <= text->count)
      return text->lines[line - 1] + strspn(text->lines[line - 1], " \t");
  }
  return NULL;
}
