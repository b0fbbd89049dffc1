/* The line of progress: see progress.h. */
#include "config.h"

#include "progress.h"

#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

#define LINE_CLEAR "\r\033[K" /* to the beginning, and erase to the end of the line */

enum { COLUMNS = 79 }; /* no line is longer, so that it does not wrap */

static bool shown;

void progress_allow(bool allowed)
{
  shown = allowed && isatty(STDERR_FILENO);
}

void progress_show(const char *format, ...)
{
  char line[COLUMNS + 1];
  va_list arguments;

  if (!shown)
    return;
  va_start(arguments, format);
  vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
  fprintf(stderr, LINE_CLEAR "%s", line);
  fflush(stderr);
}

void progress_end(void)
{
  if (!shown)
    return;
  fputs(LINE_CLEAR, stderr);
  fflush(stderr);
}
