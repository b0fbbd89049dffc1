/* Reading the Netpbm formats: P1 … P6 (PBM, PGM, PPM, plain and raw), P7 (PAM), Pf and PF (PFM).

   As the manual pages of Netpbm describe them.  A maximum other than 255 or 65535 is brought to the
   full range of 8 or 16 bits; a bitmap becomes 8-bit grey; a float picture stands bottom-up, so its
   rows are had all at once. */
#include "format_pnm.h"

#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  LINE_BYTES = 256,
  QUOTED_BYTES = 64, /* as much of a header as a message shows */
};

struct pnm_reader {
  struct input *input;
  struct shape shape;
  char kind;             /* the letter behind P */
  unsigned maximum;      /* of a sample */
  bool swap;             /* floats of the other byte order */
  size_t file_row_bytes; /* of raw rows of whole bytes */
};

static bool is_space(int byte)
{
  return byte == ' ' || (byte >= '\t' && byte <= '\r');
}

static bool input_ended(int byte, struct error *error)
{
  if (byte == -1)
    error_set(error, STATUS_FAILED, "ends too early; the file is cut off");
  return byte < 0; /* else the input has said why */
}

/* The next byte that is no part of a comment. */
static int header_byte(struct input *input, struct error *error)
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
  int byte = header_byte(input, error);
  bool digits = false;

  *number = 0;
  while (is_space(byte))
    byte = header_byte(input, error);
  for (; byte >= '0' && byte <= '9'; byte = header_byte(input, error)) {
    digits = true;
    if (__builtin_mul_overflow(*number, 10, number) ||
        __builtin_add_overflow(*number, (size_t)(byte - '0'), number) || *number > most)
      return error_set(error, STATUS_FAILED, "the header's %s is over %zu", what, most);
  }
  if (input_ended(byte, error))
    return false;
  if (!digits || !is_space(byte))
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
    if (input_ended(byte, error))
      return false;
    if (length == 0 && is_space(byte))
      continue;
    if (length == LINE_BYTES - 1 && *line == '#')
      continue;
    if (length == LINE_BYTES - 1 || !byte)
      return error_set(error, STATUS_FAILED, "the header is damaged: %s",
                       byte ? "a line is too long" : "a byte of it is 0");
    line[length++] = (char)byte;
  }
  while (length > 0 && is_space((unsigned char)line[length - 1]))
    length--;
  line[length] = '\0';
  return true;
}

static bool open_simple(struct pnm_reader *reader, struct error *error)
{
  struct shape *shape = &reader->shape;
  size_t maximum = 1;

  if (!header_number(reader->input, "width", 1, INT_MAX, &shape->width, error) ||
      !header_number(reader->input, "height", 1, INT_MAX, &shape->height, error))
    return false;
  if (!strchr("14", reader->kind) &&
      !header_number(reader->input, "maximum", 1, 65535, &maximum, error))
    return false;
  reader->maximum = (unsigned)maximum;
  shape->channels = strchr("36", reader->kind) ? 3 : 1;
  return true;
}

/* What PAM's header may say, and where it goes. */
struct pam_header {
  size_t width, height, depth, maximum;
  char type[LINE_BYTES];
};

static bool pam_line(struct pam_header *header, const char *line, struct error *error)
{
  struct {
    const char *name;
    size_t *number;
    size_t most;
  } const numbers[] = {
      {"WIDTH", &header->width, INT_MAX},
      {"HEIGHT", &header->height, INT_MAX},
      {"DEPTH", &header->depth, CHANNELS_MAX},
      {"MAXVAL", &header->maximum, 65535},
  };
  size_t word = strcspn(line, " \t");
  const char *rest = line + word + strspn(line + word, " \t");
  char quoted[QUOTED_BYTES];
  char *end;

  if (word == 8 && strncmp(line, "TUPLTYPE", word) == 0) {
    snprintf(header->type, sizeof header->type, "%s", rest);
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
static bool pam_check(const struct pam_header *header, struct error *error)
{
  static const struct {
    const char *type;
    size_t depth;
  } known[] = {{"BLACKANDWHITE", 1},       {"GRAYSCALE", 1},       {"RGB", 3},
               {"BLACKANDWHITE_ALPHA", 2}, {"GRAYSCALE_ALPHA", 2}, {"RGB_ALPHA", 4}};

  if (!header->width || !header->height || !header->depth || !header->maximum)
    return error_set(error, STATUS_FAILED,
                     "the header lacks one of WIDTH, HEIGHT, DEPTH and MAXVAL");
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (strcmp(header->type, known[i].type) == 0 && header->depth != known[i].depth)
      return error_set(error, STATUS_FAILED, "the header says %s, but DEPTH %zu", known[i].type,
                       header->depth);
  return true;
}

static bool open_pam(struct pnm_reader *reader, struct error *error)
{
  struct pam_header header = {0};
  char line[LINE_BYTES];

  for (;;) {
    if (!header_line(reader->input, line, error))
      return false;
    if (strcmp(line, "ENDHDR") == 0)
      break;
    if (*line && *line != '#' && !pam_line(&header, line, error))
      return false;
  }
  if (!pam_check(&header, error))
    return false;
  reader->shape.width = header.width;
  reader->shape.height = header.height;
  reader->shape.channels = (unsigned)header.depth;
  reader->maximum = (unsigned)header.maximum;
  return true;
}

static bool open_pfm(struct pnm_reader *reader, struct error *error)
{
  struct shape *shape = &reader->shape;
  char line[LINE_BYTES] = "", quoted[QUOTED_BYTES];
  char *end;
  double scale;

  if (!header_number(reader->input, "width", 1, INT_MAX, &shape->width, error) ||
      !header_number(reader->input, "height", 1, INT_MAX, &shape->height, error))
    return false;
  while (!*line) /* the height's own line may still have to end */
    if (!header_line(reader->input, line, error))
      return false;
  scale = strtod(line, &end);
  if (end == line || *end || scale == 0 || !isfinite(scale))
    return error_set(error, STATUS_FAILED, "the header's scale is %s",
                     quote_name(line, quoted, sizeof quoted));
  shape->channels = reader->kind == 'F' ? 3 : 1;
  shape->type = SAMPLE_F32;
  reader->swap = (scale < 0) != (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__); /* below 0: little */
  return true;
}

bool pnm_open(struct input *input, struct picture *picture, void **made, struct error *error)
{
  struct pnm_reader *reader = calloc(1, sizeof *reader);
  bool opened;

  if (!reader)
    return error_set(error, STATUS_FAILED, "no memory for a reader");
  *made = reader;
  reader->input = input;
  input_byte(input, error); /* the P that was seen already */
  reader->kind = (char)input_byte(input, error);
  if (strchr("fF", reader->kind)) {
    opened = open_pfm(reader, error);
    picture->whole = true;
  } else {
    opened = reader->kind == '7' ? open_pam(reader, error) : open_simple(reader, error);
    reader->shape.type = reader->maximum > 255 ? SAMPLE_U16 : SAMPLE_U8;
  }
  picture->shape = reader->shape;
  return opened && shape_row_bytes(&reader->shape, &reader->file_row_bytes, error);
}

static bool bytes_read(struct pnm_reader *reader, void *bytes, size_t count, struct error *error)
{
  size_t got;

  if (!input_take(reader->input, bytes, count, &got, error))
    return false;
  return got == count || error_set(error, STATUS_FAILED, "ends too early; the file is cut off");
}

/* A bitmap's row: 1 is black, eight to a byte, the leftmost in the highest bit. */
static bool read_bits(struct pnm_reader *reader, unsigned char *row, struct error *error)
{
  size_t width = reader->shape.width, bytes = (width + 7) / 8;
  unsigned char *packed = row + width - bytes; /* unpacked from the left, none is lost */

  if (!bytes_read(reader, packed, bytes, error))
    return false;
  for (size_t x = 0; x < width; x += 8) {
    unsigned char bits = *packed++;

    for (size_t i = 0; i < 8 && x + i < width; i++)
      row[x + i] = bits & (128 >> i) ? 0 : 255;
  }
  return true;
}

/* Samples from 0 to the maximum become samples of the full range, rounded to the nearest. */
static bool row_scale(const struct pnm_reader *reader, unsigned char *row, struct error *error)
{
  size_t samples = reader->shape.width * reader->shape.channels;
  bool wide = reader->shape.type == SAMPLE_U16;
  uint16_t *words = (uint16_t *)(void *)row;
  uint64_t white = wide ? 65535 : 255, maximum = reader->maximum;

  if (maximum == white)
    return true;
  for (size_t i = 0; i < samples; i++) {
    uint64_t sample = wide ? words[i] : row[i];

    if (sample > maximum)
      return error_set(error, STATUS_FAILED, "a sample is %llu, over the maximum of %u",
                       (unsigned long long)sample, reader->maximum);
    sample = (2 * sample * white + maximum) / (2 * maximum);
    if (wide)
      words[i] = (uint16_t)sample;
    else
      row[i] = (unsigned char)sample;
  }
  return true;
}

static bool read_raw(struct pnm_reader *reader, unsigned char *row, struct error *error)
{
  if (!bytes_read(reader, row, reader->file_row_bytes, error))
    return false;
  if (reader->shape.type == SAMPLE_U16)
    for (size_t i = 0; i < reader->file_row_bytes; i += 2) { /* the high byte comes first */
      uint16_t word = (uint16_t)(row[i] << 8 | row[i + 1]);

      memcpy(row + i, &word, sizeof word);
    }
  return row_scale(reader, row, error);
}

/* A plain sample; the last of the file may end with it.  Bits stand with or without white space
   between them. */
static bool plain_sample(struct pnm_reader *reader, size_t *sample, struct error *error)
{
  int byte = header_byte(reader->input, error);

  while (is_space(byte))
    byte = header_byte(reader->input, error);
  if (input_ended(byte, error))
    return false;
  *sample = 0;
  for (; byte >= '0' && byte <= '9'; byte = header_byte(reader->input, error)) {
    *sample = *sample * 10 + (size_t)(byte - '0');
    if (*sample > reader->maximum)
      return error_set(error, STATUS_FAILED, "a sample is over the maximum of %u", reader->maximum);
    if (reader->kind == '1')
      return true;
  }
  if (byte == -2)
    return false;
  return byte == -1 || is_space(byte) ||
         error_set(error, STATUS_FAILED, "a number is expected where a sample stands");
}

static bool read_plain(struct pnm_reader *reader, unsigned char *row, struct error *error)
{
  size_t samples = reader->shape.width * reader->shape.channels;

  for (size_t i = 0; i < samples; i++) {
    size_t sample;

    if (!plain_sample(reader, &sample, error))
      return false;
    if (reader->shape.type == SAMPLE_U16)
      ((uint16_t *)(void *)row)[i] = (uint16_t)sample;
    else
      row[i] = (unsigned char)(reader->kind == '1' ? !sample : sample);
  }
  return row_scale(reader, row, error);
}

static bool read_float(struct pnm_reader *reader, unsigned char *row, struct error *error)
{
  if (!bytes_read(reader, row, reader->file_row_bytes, error))
    return false;
  for (size_t i = 0; reader->swap && i < reader->file_row_bytes; i += 4) {
    uint32_t word;

    memcpy(&word, row + i, sizeof word);
    word = __builtin_bswap32(word);
    memcpy(row + i, &word, sizeof word);
  }
  return true;
}

bool pnm_read(void *opaque, unsigned char *const *rows, size_t count, struct error *error)
{
  struct pnm_reader *reader = opaque;
  bool done = true;

  for (size_t y = 0; done && y < count; y++) {
    switch (reader->kind) {
    case '4':
      done = read_bits(reader, rows[y], error);
      break;
    case '1':
    case '2':
    case '3':
      done = read_plain(reader, rows[y], error);
      break;
    case 'f':
    case 'F':
      done = read_float(reader, rows[count - 1 - y], error);
      break;
    default:
      done = read_raw(reader, rows[y], error);
    }
  }
  return done;
}

bool pnm_finish(void *reader, struct picture *picture, struct error *error)
{
  (void)reader, (void)picture, (void)error; /* what follows may be the next picture of a stream */
  return true;
}

void pnm_close(void *reader)
{
  free(reader);
}
