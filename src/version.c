/* What --version prints: see version.h. */
#include "config.h"

#include "version.h"

#include <png.h>
#include <zlib.h>
#ifdef HAVE_ISAL
#include <isa-l.h>
#endif
#ifdef HAVE_JANSSON
#include <jansson.h>
#endif

#include "cpu_vector.h"

/* What was chosen when halo was configured: its version, or NULL where it is not built in.  Libraries that
   are loaded when halo starts say their own. */
struct part {
  const char *name, *version;
};

#ifdef HAVE_ISAL
#define TEXT(number) #number
#define DOTTED(major, minor, patch) TEXT(major) "." TEXT(minor) "." TEXT(patch)
#define VERSION_OF_ISAL DOTTED(ISAL_MAJOR_VERSION, ISAL_MINOR_VERSION, ISAL_PATCH_VERSION)
#else
#define VERSION_OF_ISAL NULL
#endif
#ifdef HAVE_JANSSON
#define VERSION_OF_JANSSON JANSSON_VERSION
#else
#define VERSION_OF_JANSSON NULL
#endif
#ifdef HAVE_STB
#define VERSION_OF_STB STB_VERSION
#else
#define VERSION_OF_STB NULL
#endif
#ifdef HAVE_CUDA
#define VERSION_OF_CUDA CUDA_TOOLKIT_VERSION
#else
#define VERSION_OF_CUDA NULL
#endif

void version_print(FILE *stream)
{
  const struct part parts[] = {
      {"libpng", png_get_libpng_ver(NULL)}, {"zlib", zlibVersion()},
      {"ISA-L", VERSION_OF_ISAL},           {"jansson", VERSION_OF_JANSSON},
      {"stb_image_write", VERSION_OF_STB},  {"CUDA Toolkit", VERSION_OF_CUDA},
  };
  const struct vector_set *chosen = vector_set_choose();

  fprintf(stream, "halo %s\n", VERSION);
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
    fprintf(stream, "%s%s %s", i ? ", " : "built with ", parts[i].version ? parts[i].name : "no",
            parts[i].version ? parts[i].version : parts[i].name);
  fprintf(stream, "\ninstruction sets of the path vector: ");
  for (size_t i = 0; vector_sets[i]; i++)
    fprintf(stream, "%s%s%s", i ? ", " : "", vector_sets[i]->name,
            vector_sets[i] == chosen ? " (used here)" : "");
  fputc('\n', stream);
}
