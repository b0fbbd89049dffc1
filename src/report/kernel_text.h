/* The text of the kernels' sources, as they were when halo was built: so that --explain can show a line
   wherever it runs.  The build makes kernel_text_table.c of the files by kernel_text.awk. */
#ifndef HALO_KERNEL_TEXT_H
#define HALO_KERNEL_TEXT_H

#include <stddef.h>

struct kernel_text {
  const char *file;         /* within the source, such as kernels/global.cu */
  const char *const *lines; /* without their ends */
  size_t count;
};

extern const struct kernel_text kernel_texts[];
extern const size_t kernel_text_count;

/* The file's name within the source: what follows the last folder kernels/ or src/, with it. */
const char *kernel_text_file(const char *file);

/* Line `line`, counted from 1, of a file as the compiler was told its name, without its indentation; NULL
   where the text is not among those that were built in. */
const char *kernel_text_line(const char *file, int line);

#endif
