/* Makes halo's sample pictures: make_images DIRECTORY writes them there.

   The same pictures come out every time: nothing here asks for the time or for chance. */
#include <errno.h>
#include <math.h>
#include <png.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "landscape.h"

/* Samples of 8 or 16 bits, interleaved. */
struct sample_picture {
  const char *name;
  size_t width, height, channels, depth;
  bool (*draw)(const struct sample_picture *picture, void *samples);
};

static double clamp(double v, double low, double high)
{
  return v < low ? low : v > high ? high : v;
}

static unsigned char level(double v)
{
  return (unsigned char)lrint(clamp(v, 0, 255));
}

/* Rings that get finer outwards: r / 512 periods a pixel at radius r, so that the middle of each
   side is at the finest that pixels can show.  What a filter does to each frequency is seen at one
   glance. */
static bool zone_plate_draw(const struct sample_picture *picture, void *samples)
{
  unsigned char *grey = samples;

  for (size_t y = 0; y < picture->height; y++)
    for (size_t x = 0; x < picture->width; x++) {
      double u = x - picture->width / 2.0, v = y - picture->height / 2.0;

      grey[y * picture->width + x] = level(127.5 + 127.5 * cos(M_PI * (u * u + v * v) / 512));
    }
  return true;
}

static void box_fill(const struct sample_picture *picture, unsigned char *rgb, size_t left,
                     size_t top, size_t width, size_t height, const unsigned char colour[3])
{
  for (size_t y = top; y < top + height && y < picture->height; y++)
    for (size_t x = left; x < left + width && x < picture->width; x++)
      memcpy(rgb + (y * picture->width + x) * 3, colour, 3);
}

/* Groups of lines, upright and lying, of 1, 2, 3, 4, 6 and 8 pixels. */
static void lines_draw(const struct sample_picture *picture, unsigned char *rgb)
{
  static const size_t wide[] = {1, 2, 3, 4, 6, 8};
  static const unsigned char black[3] = {0, 0, 0};
  size_t left = 24;

  for (size_t g = 0; g < sizeof wide / sizeof *wide; g++) {
    for (size_t i = 0; i < 5; i++) {
      box_fill(picture, rgb, left + 2 * i * wide[g], 24, wide[g], 64, black);
      box_fill(picture, rgb, left, 104 + 2 * i * wide[g], 9 * wide[g], wide[g], black);
    }
    left += 9 * wide[g] + 20;
  }
}

/* A star of 48 spokes that meet in the middle; 4 × 4 points a pixel keep its edges smooth. */
static void star_draw(const struct sample_picture *picture, unsigned char *rgb)
{
  const double x0 = 490, y0 = 160, radius = 140;

  for (size_t y = 0; y < 320; y++)
    for (size_t x = 320; x < picture->width; x++) {
      double sum = 0;

      for (int k = 0; k < 16; k++) {
        double u = x + (k % 4 + 0.5) / 4 - x0, v = y + (k / 4 + 0.5) / 4 - y0;

        sum += hypot(u, v) > radius || sin(atan2(v, u) * 48) > 0 ? 1 : 0;
      }
      memset(rgb + (y * picture->width + x) * 3, level(sum / 16 * 255), 3);
    }
}

/* Checkerboards of 1, 2, 4, 8 and 16 pixels, the last two in colours of like lightness. */
static void checkers_draw(const struct sample_picture *picture, unsigned char *rgb)
{
  static const unsigned char colours[2][2][3] = {{{0, 0, 0}, {255, 255, 255}},
                                                 {{214, 60, 48}, {0, 134, 128}}};

  for (size_t g = 0; g < 5; g++)
    for (size_t y = 0; y < 64; y++)
      for (size_t x = 0; x < 64; x++)
        memcpy(rgb + ((320 + y) * picture->width + 24 + 80 * g + x) * 3,
               colours[g > 2][((x >> g) + (y >> g)) & 1], 3);
}

/* Steps of grey, the colours at full strength, an edge that leans, and single points and lines. */
static void details_draw(const struct sample_picture *picture, unsigned char *rgb)
{
  static const unsigned char black[3] = {0, 0, 0};

  for (size_t i = 0; i < 16; i++) {
    unsigned char grey[3] = {(unsigned char)(17 * i), (unsigned char)(17 * i),
                             (unsigned char)(17 * i)};
    unsigned char full[3] = {i & 1 ? 255 : 0, i & 2 ? 255 : 0, i & 4 ? 255 : 0};

    box_fill(picture, rgb, 24 + 24 * i, 404, 24, 32, grey);
    if (i < 8)
      box_fill(picture, rgb, 24 + 48 * i, 436, 48, 24, full);
    box_fill(picture, rgb, 24 + 22 * i, 250 + 2 * (i % 4), 1, 1, black);
    box_fill(picture, rgb, 24 + 22 * i, 268, 1, 24, black);
    box_fill(picture, rgb, 28 + 22 * i, 268, 2, 24, black);
  }
  for (size_t y = 320; y < 460; y++)
    for (size_t x = 432; x < 616; x++) {
      /* pixels right of an edge that is 5 degrees off */
      double right = (double)x - 524 + 0.0875 * ((double)y - 390);

      memset(rgb + (y * picture->width + x) * 3, level(40 + 180 * clamp(right + 0.5, 0, 1)), 3);
    }
}

static bool chart_draw(const struct sample_picture *picture, void *samples)
{
  memset(samples, 255, picture->width * picture->height * 3);
  star_draw(picture, samples);
  lines_draw(picture, samples);
  checkers_draw(picture, samples);
  details_draw(picture, samples);
  return true;
}

static bool photo_draw(const struct sample_picture *picture, void *samples)
{
  return landscape_render(picture->width, picture->height, samples);
}

/* Lays a colour of some opacity over what is there (both with straight alpha, 0 … 1). */
static void colour_over(double under[4], double r, double g, double b, double alpha)
{
  double sum = alpha + under[3] * (1 - alpha), over[3] = {r, g, b};

  if (alpha <= 0)
    return;
  for (int c = 0; c < 3; c++)
    under[c] = (over[c] * alpha + under[c] * under[3] * (1 - alpha)) / sum;
  under[3] = sum;
}

/* A ball with a soft shadow, a ring of glass and a tile with hard edges.  The pixels that are
   wholly transparent are green and magenta: none of that may ever show. */
static bool sprite_draw(const struct sample_picture *picture, void *samples)
{
  unsigned char *rgba = samples;

  for (size_t y = 0; y < picture->height; y++)
    for (size_t x = 0; x < picture->width; x++) {
      double p[4] = {0, 1, 0, 0}, u = x + 0.5, v = y + 0.5;
      double ball = hypot(u - 112, v - 104), ring = fabs(hypot(u - 176, v - 152) - 48);
      double shadow = hypot((u - 128) / 84, (v - 196) / 22);
      double shine = pow(clamp(1 - hypot(u - 86, v - 74) / 96, 0, 1), 2);

      if ((x / 16 + y / 16) & 1)
        p[0] = 1, p[1] = 0, p[2] = 1;
      colour_over(p, 0, 0, 0, 0.55 * exp(-2 * shadow * shadow) - 0.012);
      if (x >= 20 && x < 76 && y >= 148 && y < 204)
        colour_over(p, 0.13, (x / 8 + y / 8) & 1 ? 0.42 : 0.62, 0.55, 1);
      colour_over(p, 0.80 + 0.2 * shine, 0.30 + 0.65 * shine, 0.08 + 0.80 * shine,
                  clamp(72.5 - ball, 0, 1));
      colour_over(p, 0.15, 0.35, 0.95, 0.60 * clamp(10.5 - ring, 0, 1));
      for (int c = 0; c < 4; c++)
        rgba[(y * picture->width + x) * 4 + c] = level(255 * p[c]);
    }
  return true;
}

/* Four strips: all levels from black to white; a ramp of one level of 16 bits a pixel, under two
   of 8 bits in all; steps of 1 to 32768 levels; and blobs with edges from hard to soft. */
static bool ramp16_draw(const struct sample_picture *picture, void *samples)
{
  unsigned char *bytes = samples; /* as PNG has them: the high byte first */

  for (size_t y = 0; y < picture->height; y++)
    for (size_t x = 0; x < picture->width; x++) {
      double u = x + 0.5, v;
      size_t blob = x / 64;
      unsigned grey;

      if (y < 64)
        v = 65535.0 * x / (picture->width - 1);
      else if (y < 128)
        v = 32512.0 + x;
      else if (y < 192)
        v = 16384 + (x / 16 & 1 ? ldexp(1, (int)(x / 32)) : 0);
      else
        v = 6000 + 50000 * (0.5 - 0.5 * erf((hypot(u - 64.0 * blob - 32, y - 223.5) - 16) /
                                            (0.4 + 1.1 * blob)));
      grey = (unsigned)lrint(clamp(v, 0, 65535));
      bytes[(y * picture->width + x) * 2] = (unsigned char)(grey >> 8);
      bytes[(y * picture->width + x) * 2 + 1] = (unsigned char)grey;
    }
  return true;
}

static bool png_put(FILE *file, const struct sample_picture *picture, unsigned char *samples)
{
  static const int types[] = {0, PNG_COLOR_TYPE_GRAY, 0, PNG_COLOR_TYPE_RGB, PNG_COLOR_TYPE_RGBA};
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
  png_infop info = png ? png_create_info_struct(png) : NULL;

  if (!info || setjmp(png_jmpbuf(png))) {
    png_destroy_write_struct(&png, &info);
    return false;
  }
  png_init_io(png, file);
  png_set_compression_level(png, 9);
  png_set_IHDR(png, info, (png_uint_32)picture->width, (png_uint_32)picture->height,
               (int)picture->depth, types[picture->channels], PNG_INTERLACE_NONE,
               PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  if (picture->channels > 1)
    png_set_sRGB(png, info, PNG_sRGB_INTENT_PERCEPTUAL);
  png_write_info(png, info);
  for (size_t y = 0; y < picture->height; y++)
    png_write_row(png, samples + y * picture->width * picture->channels * picture->depth / 8);
  png_write_end(png, info);
  png_destroy_write_struct(&png, &info);
  return true;
}

static bool picture_make(const char *directory, const struct sample_picture *picture)
{
  size_t bytes = picture->width * picture->height * picture->channels * picture->depth / 8;
  unsigned char *samples = malloc(bytes);
  char path[4096];
  FILE *file;
  bool done = false;

  if (!samples || !picture->draw(picture, samples)) {
    fprintf(stderr, "make_images: %s: not enough memory\n", picture->name);
    goto release_samples;
  }
  if ((size_t)snprintf(path, sizeof path, "%s/%s", directory, picture->name) >= sizeof path) {
    fprintf(stderr, "make_images: the name of the directory is too long\n");
    goto release_samples;
  }
  file = fopen(path, "wb");
  if (file) {
    done = png_put(file, picture, samples);
    done = fclose(file) == 0 && done;
  }
  if (!done)
    fprintf(stderr, "make_images: %s: %s\n", path, strerror(errno));
release_samples:
  free(samples);
  return done;
}

int main(int argc, char **argv)
{
  static const struct sample_picture pictures[] = {
      {"zone-plate.png", 512, 512, 1, 8, zone_plate_draw},
      {"chart.png", 640, 480, 3, 8, chart_draw},
      {"photo.png", 768, 512, 3, 8, photo_draw},
      {"sprite.png", 256, 256, 4, 8, sprite_draw},
      {"ramp16.png", 512, 256, 1, 16, ramp16_draw},
  };

  if (argc != 2) {
    fprintf(stderr, "usage: make_images DIRECTORY\n");
    return 2;
  }
  for (size_t i = 0; i < sizeof pictures / sizeof *pictures; i++)
    if (!picture_make(argv[1], &pictures[i]))
      return 1;
  return 0;
}
