/* What a result is written as: see result.h. */
#include "config.h"

#include "result.h"

#include <string.h>
#include <sys/stat.h>

/* The ending of -o FILE names a format where there is one. */
static bool output_has_ending(const char *output)
{
  const char *slash = strrchr(output, '/');
  const char *base = slash ? slash + 1 : output;

  return *base && strchr(base + 1, '.') != NULL;
}

/* The format that the options name, or NULL where they leave it to the input. */
static bool format_asked(const struct format **format, const struct settings *settings,
                         struct error *error)
{
  *format = NULL;
  if (settings->format) {
    *format = format_find(settings->format);
    if (!*format)
      return error_set(error, STATUS_USAGE,
                       "--format=%s: there is no such format; --list-formats "
                       "names them",
                       settings->format);
  } else if (settings->output && output_has_ending(settings->output)) {
    *format = format_for_name(settings->output);
    if (!*format) {
      error_set(error, STATUS_USAGE,
                "no format is known by this ending; --format=F names one (see "
                "--list-formats)");
      return error_name(error, settings->output);
    }
  }
  return true;
}

static bool format_check(const struct format *format, struct error *error)
{
  return format_writes(format) ||
         error_set(error, STATUS_USAGE,
                   "%s pictures are only read; --format=F names another format "
                   "(see --list-formats)",
                   format->name);
}

bool result_format(const struct format **format, const struct settings *settings,
                   const struct format *of_input, struct error *error)
{
  if (!format_asked(format, settings, error))
    return false;
  if (!*format)
    *format = of_input;
  return format_check(*format, error);
}

enum sample_type result_type_wanted(const struct settings *settings, enum sample_type of_input)
{
  return settings->depth == 8 ? SAMPLE_U8 : settings->depth == 16 ? SAMPLE_U16 : of_input;
}

bool result_type(enum sample_type *type, const struct settings *settings,
                 const struct format *format, enum sample_type of_input, struct error *error)
{
  enum sample_type wanted = result_type_wanted(settings, of_input);

  *type = format_type(format, wanted);
  if (settings->depth && *type != wanted)
    return error_set(error, STATUS_USAGE, "--depth=%d: %s is not written with %d bits",
                     settings->depth, format->name, settings->depth);
  return true;
}

static bool directory_check(const char *directory, struct error *error)
{
  struct stat status;

  if (stat(directory, &status) != 0 || S_ISDIR(status.st_mode))
    return true;
  error_set(error, STATUS_FAILED, "is no directory; -o FILE writes a single result");
  return error_name(error, directory);
}

bool result_check(const struct settings *settings, struct error *error)
{
  const struct format *format;
  enum sample_type type;

  if (!format_asked(&format, settings, error))
    return false;
  /* With --depth the type of the input doesn't matter. */
  if (format &&
      (!format_check(format, error) || !result_type(&type, settings, format, SAMPLE_U8, error)))
    return false;
  return settings->directory ? directory_check(settings->directory, error)
                             : output_check(settings->output, error);
}
