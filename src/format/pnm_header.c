/* The headers of the Netpbm formats, as the manual pages of Netpbm describe them. */
#include "pnm_header.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  LINE_BYTES = 256,
  QUOTED_BYTES = 64, /* as much of a header as a message shows */
};

bool pnm_is_space(int byte)
{
  return byte == ' ' || (byte >= '\t' && byte <= '\r');
}

bool pnm_ended(int byte, struct error *error)
{
  if (byte == -1)
    error_set(error, STATUS_FAILED, "ends too early; the file is cut off");
  return byte < 0; /* else the input has said why */
}

/* The next byte that is no part of a comment. */
int pnm_byte(struct input *input, struct error *error)
{
  int byte = input_byte(input, error);

  if (byte == '#')
    while (byte >= 0 && byte != '\n' && byte != '\r')
      byte = input_byte(input, error);
  return byte;
}

/* A number of a header, and the one byte behind it. */
static bool header_number(struct input *input, const char *what, size_t least, size_t most,
                          size_t *number, struct error *error)
{
  int byte = pnm_byte(input, error);
  bool digits = false;

  *number = 0;
  while (pnm_is_space(byte))
    byte = pnm_byte(input, error);
  for (; byte >= '0' && byte <= '9'; byte = pnm_byte(input, error)) {
    digits = true;
    if (__builtin_mul_overflow(*number, 10, number) ||
        __builtin_add_overflow(*number, (size_t)(byte - '0'), number) || *number > most)
      return error_set(error, STATUS_FAILED, "the header's %s is over %zu", what, most);
  }
  if (pnm_ended(byte, error))
    return false;
  if (!digits || !pnm_is_space(byte))
    return error_set(error, STATUS_FAILED, "the header is damaged: a number is expected for the %s",
                     what);
  if (*number < least)
    return error_set(error, STATUS_FAILED, "the header's %s is %zu", what, *number);
  return true;
}

/* One line, without its newline and without white space at both ends; of a comment, the start. */
static bool header_line(struct input *input, char *line, struct error *error)
{
  size_t length = 0;
  int byte;

  while ((byte = input_byte(input, error)) != '\n') {
    if (pnm_ended(byte, error))
      return false;
    if (length == 0 && pnm_is_space(byte))
      continue;
    if (length == LINE_BYTES - 1 && *line == '#')
      continue;
    if (length == LINE_BYTES - 1 || !byte)
      return error_set(error, STATUS_FAILED, "the header is damaged: %s",
                       byte ? "a line is too long" : "a byte of it is 0");
    line[length++] = (char)byte;
  }
  while (length > 0 && pnm_is_space((unsigned char)line[length - 1]))
    length--;
  line[length] = '\0';
  return true;
}

/* P1 … P6: width, height and, but for bitmaps, the maximum. */
static bool simple_read(struct input *input, struct pnm_header *header, struct error *error)
{
  struct shape *shape = &header->shape;
  size_t maximum = 1;

  if (!header_number(input, "width", 1, INT_MAX, &shape->width, error) ||
      !header_number(input, "height", 1, INT_MAX, &shape->height, error))
    return false;
  if (!strchr("14", header->kind) && !header_number(input, "maximum", 1, 65535, &maximum, error))
    return false;
  header->maximum = (unsigned)maximum;
  shape->channels = strchr("36", header->kind) ? 3 : 1;
  return true;
}

/* What PAM's header may say; 0 where it did not. */
struct pam_fields {
  size_t width, height, depth, maximum;
  char type[LINE_BYTES];
};

static bool pam_line(struct pam_fields *fields, const char *line, struct error *error)
{
  struct {
    const char *name;
    size_t *number;
    size_t most;
  } const numbers[] = {
      {"WIDTH", &fields->width, INT_MAX},
      {"HEIGHT", &fields->height, INT_MAX},
      {"DEPTH", &fields->depth, CHANNELS_MAX},
      {"MAXVAL", &fields->maximum, 65535},
  };
  size_t word = strcspn(line, " \t");
  const char *rest = line + word + strspn(line + word, " \t");
  char quoted[QUOTED_BYTES];
  char *end;

  if (word == 8 && strncmp(line, "TUPLTYPE", word) == 0) {
    snprintf(fields->type, sizeof fields->type, "%s", rest);
    return true;
  }
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
    if (word != strlen(numbers[i].name) || strncmp(line, numbers[i].name, word) != 0)
      continue;
    *numbers[i].number = strtoull(rest, &end, 10);
    if (*rest < '0' || *rest > '9' || *end || *numbers[i].number < 1 ||
        *numbers[i].number > numbers[i].most)
      return error_set(error, STATUS_FAILED, "the header's %s is %s; 1 to %zu is allowed",
                       numbers[i].name, quote_name(rest, quoted, sizeof quoted), numbers[i].most);
    return true;
  }
  return error_set(error, STATUS_FAILED, "the header is damaged at %s",
                   quote_name(line, quoted, sizeof quoted));
}

/* Whether the tuple type, where one is named, goes with the number of channels. */
static bool pam_check(const struct pam_fields *fields, struct error *error)
{
  static const struct {
    const char *type;
    size_t depth;
  } known[] = {{"BLACKANDWHITE", 1},       {"GRAYSCALE", 1},       {"RGB", 3},
               {"BLACKANDWHITE_ALPHA", 2}, {"GRAYSCALE_ALPHA", 2}, {"RGB_ALPHA", 4}};

  if (!fields->width || !fields->height || !fields->depth || !fields->maximum)
    return error_set(error, STATUS_FAILED,
                     "the header lacks one of WIDTH, HEIGHT, DEPTH and MAXVAL");
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (strcmp(fields->type, known[i].type) == 0 && fields->depth != known[i].depth)
      return error_set(error, STATUS_FAILED, "the header says %s, but DEPTH %zu", known[i].type,
                       fields->depth);
  return true;
}

static bool pam_read(struct input *input, struct pnm_header *header, struct error *error)
{
  struct pam_fields fields = {0};
  char line[LINE_BYTES];

  for (;;) {
    if (!header_line(input, line, error))
      return false;
    if (strcmp(line, "ENDHDR") == 0)
      break;
    if (*line && *line != '#' && !pam_line(&fields, line, error))
      return false;
  }
  if (!pam_check(&fields, error))
    return false;
  header->shape.width = fields.width;
  header->shape.height = fields.height;
  header->shape.channels = (unsigned)fields.depth;
  header->maximum = (unsigned)fields.maximum;
  return true;
}

static bool pfm_read(struct input *input, struct pnm_header *header, struct error *error)
{
  struct shape *shape = &header->shape;
  char line[LINE_BYTES] = "", quoted[QUOTED_BYTES];
  char *end;
  double scale;

  if (!header_number(input, "width", 1, INT_MAX, &shape->width, error) ||
      !header_number(input, "height", 1, INT_MAX, &shape->height, error))
    return false;
  while (!*line) /* the height's own line may still have to end */
    if (!header_line(input, line, error))
      return false;
  scale = strtod(line, &end);
  if (end == line || *end || scale == 0 || !isfinite(scale))
    return error_set(error, STATUS_FAILED, "the header's scale is %s",
                     quote_name(line, quoted, sizeof quoted));
  shape->channels = header->kind == 'F' ? 3 : 1;
  shape->type = SAMPLE_F32;
  header->swap = (scale < 0) != (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__); /* below 0: little */
  return true;
}

bool pnm_header_read(struct input *input, struct pnm_header *header, struct error *error)
{
  bool done;

  memset(header, 0, sizeof *header);
  input_byte(input, error); /* the P, which was seen already, as was what follows it */
  header->kind = (char)input_byte(input, error);
  if (strchr("fF", header->kind))
    return pfm_read(input, header, error);
  done = header->kind == '7' ? pam_read(input, header, error) : simple_read(input, header, error);
  header->shape.type = header->maximum > 255 ? SAMPLE_U16 : SAMPLE_U8;
  return done;
}
