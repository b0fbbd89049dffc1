/* Numbers of bytes as people write them: see bytes.h. */
#include "bytes.h"

#include <stdio.h>

const char *bytes_text(size_t bytes, char text[BYTES_TEXT])
{
  static const char units[] = "GMK";

  for (int i = 0; units[i]; i++) {
    size_t unit = (size_t)1 << (30 - 10 * i);

    if (bytes > 0 && (bytes % unit == 0 || bytes / unit >= 100)) {
      snprintf(text, BYTES_TEXT, "%zu%c", (bytes - 1) / unit + 1, units[i]);
      return text;
    }
  }
  snprintf(text, BYTES_TEXT, "%zu", bytes);
  return text;
}
