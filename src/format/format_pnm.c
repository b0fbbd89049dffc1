/* The entries of the Netpbm formats in the table of formats: pnm_header.c and format_pnm_read.c read
   them, format_pnm_write.c writes them. */
#include "format_pnm.h"

#include <stdlib.h>
#include <string.h>

static const char *refuse_channels(const struct picture *picture, unsigned channels,
                                   const char *reason)
{
  if (picture->shape.type == SAMPLE_F32)
    return "it holds no float samples; pfm does";
  return channels && picture->shape.channels != channels ? reason : NULL;
}

static const char *pgm_refuse(const struct picture *picture)
{
  return refuse_channels(picture, 1, "it holds grey without alpha; pam holds any picture");
}

static const char *ppm_refuse(const struct picture *picture)
{
  return refuse_channels(picture, 3, "it holds RGB without alpha; pam holds any picture");
}

static const char *pam_refuse(const struct picture *picture)
{
  return refuse_channels(picture, 0, NULL);
}

static const char *pfm_refuse(const struct picture *picture)
{
  return picture->shape.channels == 1 || picture->shape.channels == 3
             ? NULL
             : "it holds no alpha; pam and png do";
}

/* Whether the file begins with P and one of these, and then white space or a comment. */
static bool pnm_matches(const unsigned char *head, size_t bytes, const char *kinds)
{
  return bytes >= 3 && head[0] == 'P' && head[1] && strchr(kinds, head[1]) && head[2] &&
         strchr(" \t\n\v\f\r#", head[2]);
}

static bool pgm_matches(const unsigned char *head, size_t bytes)
{
  return pnm_matches(head, bytes, "1245");
}

static bool ppm_matches(const unsigned char *head, size_t bytes)
{
  return pnm_matches(head, bytes, "36");
}

static bool pam_matches(const unsigned char *head, size_t bytes)
{
  return pnm_matches(head, bytes, "7");
}

static bool pfm_matches(const unsigned char *head, size_t bytes)
{
  return pnm_matches(head, bytes, "fF");
}

static const char *const pgm_extensions[] = {"pgm", "pbm", NULL};
static const char *const ppm_extensions[] = {"ppm", "pnm", NULL};
static const char *const pam_extensions[] = {"pam", NULL};
static const char *const pfm_extensions[] = {"pfm", NULL};

/* What all of them have in common. */
#define PNM                                                                                        \
  .open = pnm_open, .read = pnm_read, .finish = pnm_finish, .close = pnm_close,                    \
  .rows_at_once = pnm_rows_at_once, .encode_memory = pnm_encode_memory, .encode = pnm_encode,      \
  .write = pnm_write, .end = pnm_end, .discard = free

const struct format format_pgm = {
    .name = "pgm",
    .about = "Netpbm, grey",
    .extensions = pgm_extensions,
    .matches = pgm_matches,
    .refuse = pgm_refuse,
    .types = SAMPLE_SET(SAMPLE_U8) | SAMPLE_SET(SAMPLE_U16),
    .begin = pnm_begin,
    PNM,
};

const struct format format_ppm = {
    .name = "ppm",
    .about = "Netpbm, RGB",
    .extensions = ppm_extensions,
    .matches = ppm_matches,
    .refuse = ppm_refuse,
    .types = SAMPLE_SET(SAMPLE_U8) | SAMPLE_SET(SAMPLE_U16),
    .begin = pnm_begin,
    PNM,
};

const struct format format_pam = {
    .name = "pam",
    .about = "Netpbm, any channels",
    .extensions = pam_extensions,
    .matches = pam_matches,
    .refuse = pam_refuse,
    .types = SAMPLE_SET(SAMPLE_U8) | SAMPLE_SET(SAMPLE_U16),
    .begin = pam_begin,
    PNM,
};

const struct format format_pfm = {
    .name = "pfm",
    .about = "Netpbm, float samples, grey or RGB",
    .extensions = pfm_extensions,
    .matches = pfm_matches,
    .refuse = pfm_refuse,
    .types = SAMPLE_SET(SAMPLE_F32),
    .begin = pnm_begin,
    PNM,
};
