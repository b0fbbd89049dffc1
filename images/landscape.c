/* A made photograph: a mountain lake with clouds, forest and grass, for trying filters on.

   The land is a height field of gradient noise.  Each column of the picture walks away from the
   camera and paints what rises above all that it has painted so far, so that near hides far; a
   second walk with the land upside down gives the reflection in the lake.  Grass and the tree in
   front are strokes, painted far to near.  All of it happens in linear light at twice the width and
   height; the camera then makes one pixel of four and adds lens and sensor: vignette, noise, sRGB.

   Lengths are metres, x to the right, y up, z away from the camera. */
#include "landscape.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

enum { OVERSAMPLING = 2 };

struct colour {
  double r, g, b;
};

/* The picture before the camera has taken it. */
struct scene {
  size_t width, height; /* oversampled */
  struct colour *pixels;
  double horizon; /* row */
  double focus;   /* pixels for a slope of 1 */
};

static const double CAMERA = 7.5;                     /* above the lake */
static const double SUN_X = -0.27, SUN_Y = 0.235;     /* where the sun stands, as slopes */
static const double LIGHT[] = {-0.74, 0.46, -0.20};   /* towards the sun, for slopes and trees */
static const struct colour HAZE = {0.50, 0.56, 0.66}; /* what far things fade to */

static uint32_t hash(int32_t x, int32_t y, uint32_t seed)
{
  uint32_t h = (uint32_t)x * 0x9e3779b1u ^ (uint32_t)y * 0x85ebca77u ^ seed * 0xc2b2ae3du;

  h = (h ^ h >> 15) * 0x2c1b3c6du;
  h = (h ^ h >> 12) * 0x297a2d39u;
  return h ^ h >> 15;
}

/* 0 … 1. */
static double chance(int32_t x, int32_t y, uint32_t seed)
{
  return hash(x, y, seed) / 4294967296.0;
}

static double mix(double a, double b, double t)
{
  return a + (b - a) * t;
}

static struct colour colour_scale(struct colour c, double s)
{
  return (struct colour){c.r * s, c.g * s, c.b * s};
}

static struct colour colour_mix(struct colour a, struct colour b, double t)
{
  return (struct colour){mix(a.r, b.r, t), mix(a.g, b.g, t), mix(a.b, b.b, t)};
}

static double smooth_step(double from, double to, double x)
{
  double t = fmin(fmax((x - from) / (to - from), 0), 1);

  return t * t * (3 - 2 * t);
}

static double corner(int32_t x, int32_t y, uint32_t seed, double dx, double dy)
{
  static const double directions[8][2] = {{1, 0},  {0.7, 0.7},   {0, 1},  {-0.7, 0.7},
                                          {-1, 0}, {-0.7, -0.7}, {0, -1}, {0.7, -0.7}};
  const double *d = directions[hash(x, y, seed) & 7];

  return d[0] * dx + d[1] * dy;
}

/* Gradient noise, about −0.7 … 0.7. */
static double noise(double x, double y, uint32_t seed)
{
  double fx = floor(x), fy = floor(y), dx = x - fx, dy = y - fy;
  double u = dx * dx * dx * (dx * (dx * 6 - 15) + 10), v = dy * dy * dy * (dy * (dy * 6 - 15) + 10);
  int32_t ix = (int32_t)fx, iy = (int32_t)fy;

  return mix(
      mix(corner(ix, iy, seed, dx, dy), corner(ix + 1, iy, seed, dx - 1, dy), u),
      mix(corner(ix, iy + 1, seed, dx, dy - 1), corner(ix + 1, iy + 1, seed, dx - 1, dy - 1), u),
      v);
}

/* Octaves of noise, each half as high and twice as fine; ridged: creases become crests. */
static double fractal(double x, double y, int octaves, uint32_t seed, bool ridged)
{
  double sum = 0, height = 0.5, carry = 1;

  for (int i = 0; i < octaves; i++) {
    double n = noise(x, y, seed + (uint32_t)i);

    if (ridged) {
      n = 1 - 2 * fabs(n);
      n = n * sqrt(fmax(n, 0)) * carry;
      carry = n < 0 ? 0 : n > 0.8 ? 1 : mix(0.3, 1, n / 0.8);
    }
    sum += n * height;
    height *= 0.52;
    x = x * 2 + 17.3;
    y = y * 2 - 9.1;
  }
  return sum;
}

/* The ground without trees; below 0 lies the lake. `far` lets detail go that no pixel shows. */
static double ground(double x, double z, double far)
{
  int octaves = far > 5000 ? 7 : far > 2500 ? 8 : 9;
  double near_shore = 46 + 9 * noise(x / 30, 0.5, 90) - 0.25 * x;
  double far_shore = 620 + 190 * noise(x / 330, 7.5, 91) + 0.00035 * x * x;
  double valley = fabs(x + 250 + 0.10 * z) / (500 + 0.10 * z);
  double rise = smooth_step(0, 4300, z - far_shore);
  double crest = fractal(x / 2100 + 1.55 + 0.16 * noise(x / 700, z / 700, 10), z / 2100 + 4.6,
                         octaves, 11, true);
  double mountain = 1500 * rise * mix(0.42, 1, smooth_step(0.2, 1.8, valley)) * crest;
  double hill = 210 * smooth_step(0, 900, z - far_shore) * smooth_step(0.3, 2.0, valley) *
                (0.6 + fractal(x / 420, z / 420, 5, 40, false));

  if (z < near_shore)
    return mix(-0.2, 5.2, smooth_step(near_shore, near_shore - 50, z)) +
           0.7 * fractal(x / 6, z / 6, 4, 60, false) * smooth_step(near_shore, near_shore - 12, z);
  return fmin(0.028 * (z - far_shore), 9) + (z > far_shore ? hill + mountain : -1) +
         (z > far_shore ? 3 * fractal(x / 25, z / 25, 4, 70, false) : 0);
}

/* How high a fir stands over this point of the far side; 0 between trees. */
static double forest(double x, double z, double base)
{
  const double cell = 7.5;
  int32_t cx = (int32_t)floor(x / cell), cz = (int32_t)floor(z / cell);
  double high = 0;

  if (z < 300 || base < 1.2 || base > 640)
    return 0;
  for (int32_t j = cz - 1; j <= cz + 1; j++)
    for (int32_t i = cx - 1; i <= cx + 1; i++) {
      double tx = (i + chance(i, j, 1)) * cell, tz = (j + chance(i, j, 2)) * cell;
      double dense = 0.80 + 0.9 * noise(tx / 160, tz / 160, 80) - smooth_step(330, 640, base);
      double tall = 8 + 11 * chance(i, j, 3);
      double cone = tall * (1 - hypot(x - tx, z - tz) / (0.24 * tall));

      if (chance(i, j, 4) < dense && cone > high)
        high = cone;
    }
  return high;
}

static struct colour sky(double slope_x, double slope_y)
{
  static const struct colour zenith = {0.075, 0.19, 0.46}, low = {0.62, 0.67, 0.74};
  static const struct colour warm = {1.5, 0.98, 0.50};
  double sun = hypot(slope_x - SUN_X, slope_y - SUN_Y);
  double plane = 1 / (fmax(slope_y, 0) + 0.10); /* clouds lie on a plane above */
  double cloud = fractal(slope_x * plane * 1.25 + 3.1, plane * 0.80, 8, 21, false);
  double light = fractal(slope_x * plane * 1.25 + 3.1 - 0.10, plane * 0.80 + 0.05, 6, 21, false);
  double cover = smooth_step(0.02, 0.36, cloud) * smooth_step(0.0, 0.16, slope_y);
  struct colour c = colour_mix(low, zenith, pow(smooth_step(-0.05, 0.62, slope_y), 0.75));
  struct colour lit;

  c = colour_mix(c, warm, 0.55 * exp(-sun * 5.5));
  lit = colour_mix((struct colour){0.52, 0.55, 0.62}, (struct colour){1.05, 0.99, 0.92},
                   smooth_step(-0.12, 0.22, cloud - light + 0.06));
  lit = colour_mix(lit, warm, 0.5 * exp(-sun * 4));
  c = colour_mix(c, lit, 0.92 * cover);
  sun = smooth_step(0.019, 0.014, sun) * (1 - 0.6 * cover) * 9 + 0.9 * exp(-sun * 26);
  return (struct colour){c.r + sun, c.g + sun * 0.86, c.b + sun * 0.62};
}

/* The light that the land at (x, z) sends to the camera; the fir there is `tree` high. */
static struct colour land(double x, double z, double base, double tree, double far)
{
  static const struct colour rock = {0.21, 0.195, 0.18}, snow = {0.93, 0.95, 1.0};
  static const struct colour meadow = {0.135, 0.17, 0.045}, fir = {0.020, 0.046, 0.020};
  static const struct colour sand = {0.25, 0.21, 0.15};
  double d = fmax(0.3, 0.0022 * far), shade = 1, t;
  double hx = ground(x + d, z, far) - base, hz = ground(x, z + d, far) - base;
  double up = d / sqrt(hx * hx + d * d + hz * hz);
  double light = up * (LIGHT[1] - LIGHT[0] * hx / d - LIGHT[2] * hz / d);
  double grain = fractal(x / (0.01 * far + 1), z / (0.01 * far + 1), 4, 33, false);
  struct colour c = colour_mix(rock, colour_scale(rock, 0.55), 0.5 + grain);

  for (double step = 30 + 0.01 * far, s = step; s < 24 * step && shade > 0; s += 3 * step)
    if (z > 300) /* does something stand between here and the sun? */
      shade = fmin(shade, 1 - smooth_step(-0.03, 0.03,
                                          (ground(x + LIGHT[0] * s, z + LIGHT[2] * s, far) - base -
                                           LIGHT[1] * s) /
                                              s));
  t = smooth_step(900, 420, base + 220 * grain) * smooth_step(0.62, 0.82, up);
  c = colour_mix(c, colour_scale(meadow, 1 + 0.9 * grain), t);
  t = smooth_step(700, 1050, base + 420 * grain) * smooth_step(0.42, 0.66, up);
  c = colour_mix(c, snow, t);
  c = colour_mix(c, colour_scale(sand, 1 + grain), smooth_step(1.3, 0.5, base + grain));
  if (tree > 0) {
    c = colour_scale(fir, 0.5 + tree / 9 + 1.1 * grain);
    light = 0.25 + 0.6 * fmax(light, 0);
  }
  light = fmax(light, 0) * shade;
  c = (struct colour){c.r * (light * 2.15 + 0.17), c.g * (light * 1.90 + 0.21),
                      c.b * (light * 1.50 + 0.32)};
  return colour_mix(c, HAZE, 1 - exp(-far / 15000));
}

/* The lake at distance z: what it mirrors, moved by its waves, over what lies in it. */
static struct colour water(double x, double z, double row, const struct colour *mirrored,
                           const struct scene *scene)
{
  double wind = smooth_step(-0.15, 0.3, noise(x / 90 + 3, z / 45, 95));
  double wave = fractal(x / 2.4, z / 0.9, 4, 97, false) + 0.6 * noise(x / 9, z / 3, 98);
  double moved = row + scene->focus * wave * (0.008 + 0.022 * wind) * exp(-z / 700);
  double steep = CAMERA / hypot(CAMERA, z), mirror = 0.06 + 0.86 * pow(1 - steep, 6);
  double top = scene->horizon + 1, bottom = (double)scene->height - 1;
  struct colour c, deep = {0.018, 0.050, 0.055};

  moved = fmin(fmax(moved, top), bottom);
  c = colour_mix(deep, mirrored[(size_t)moved], mirror * (1 - 0.15 * wind));
  return colour_mix(c, HAZE, 0.03 * wind + 0.05 * smooth_step(150, 600, z));
}

/* Paints one column: sky, then the land from near to far; the mirror image first. */
static void column_paint(struct scene *scene, size_t column, struct colour *mirrored)
{
  double slope_x = ((double)column - scene->width * 0.5) / scene->focus;
  double painted = scene->horizon, top = (double)scene->height;
  size_t row;

  for (row = 0; row < scene->height; row++) {
    double slope_y = (scene->horizon - (double)row) / scene->focus;

    scene->pixels[row * scene->width + column] = sky(slope_x, slope_y);
    mirrored[row] = colour_scale(sky(slope_x, -slope_y), 0.9);
  }
  for (double z = 300; z < 14000 && painted < scene->height; z *= 1.0025) {
    double x = slope_x * z, base = ground(x, z, z), tree = forest(x, z, base);
    double y = scene->horizon + scene->focus * (base + tree + CAMERA) / z;

    if (base > 0 && y > painted) {
      struct colour c = land(x, z, base, tree, z);

      for (row = (size_t)ceil(painted); row < y && row < scene->height; row++)
        mirrored[row] = c;
      painted = y;
    }
  }
  for (double z = 6; z < 14000; z *= 1.0018) {
    double x = slope_x * z, base = ground(x, z, z), tree = base > 0 ? forest(x, z, base) : 0;
    double y = scene->horizon - scene->focus * (fmax(base, 0) + tree - CAMERA) / z;

    if (y < top) {
      struct colour c = base > 0 ? land(x, z, base, tree, z) : HAZE;

      for (double at = ceil(y); at < top; at++)
        if (at >= 0)
          scene->pixels[(size_t)at * scene->width + column] =
              base > 0 ? c : water(x, z, at, mirrored, scene);
      top = ceil(y);
    }
  }
}

/* A stroke from one point to another in pixels, `wide` at its start and thin at its end. */
static void stroke(struct scene *scene, double x, double y, double dx, double dy, double wide,
                   double thin, struct colour colour)
{
  double length = fmax(1, hypot(dx, dy));

  for (double t = 0; t <= length; t += 0.5) {
    double half = mix(wide, thin, t / length) / 2;
    double cx = x + dx * t / length, cy = y + dy * t / length;

    for (double v = floor(cy - half + 0.5); v <= cy + half; v++)
      for (double u = floor(cx - half + 0.5); u <= cx + half; u++)
        if (u >= 0 && v >= 0 && u < scene->width && v < scene->height)
          scene->pixels[(size_t)v * scene->width + (size_t)u] = colour;
  }
}

/* Blades of grass, and a few flowers, where the ground in front is dry. */
static void grass_paint(struct scene *scene)
{
  double size = scene->height / 1024.0;

  for (int j = 0; j < 150; j++) {
    double z = 44 * pow(0.955, j * 0.36);

    for (int i = 0; i < 420; i++) {
      double slope = (chance(i, j, 5) - 0.5) * 1.3, x = slope * z * 1.0, base = ground(x, z, z);
      double px = scene->width * 0.5 + slope * scene->focus;
      double py = scene->horizon - scene->focus * (base - CAMERA) / z;
      double patch = noise(x / 4, z / 4, 99), tall = 0.35 + 0.5 * chance(i, j, 6) + 0.5 * patch;
      double light = 0.45 + 0.9 * chance(i, j, 7) + 0.8 * patch;
      struct colour c = {0.16 * light, 0.20 * light, 0.045 * light};

      if (base < 0.9 || tall < 0.1)
        continue;
      tall *= scene->focus / z * 0.55;
      stroke(scene, px, py, tall * (chance(i, j, 8) - 0.35), -tall, fmin(4.5, 26 / z) * size, 0.8,
             c);
      if (chance(i, j, 9) < 0.012 + 0.03 * patch)
        stroke(scene, px, py - tall, 1, 0, 42 / z * size, 42 / z * size,
               chance(i, j, 10) < 0.6 ? (struct colour){0.9, 0.88, 0.80}
                                      : (struct colour){0.85, 0.55, 0.06});
    }
  }
}

/* A fir in front, foot at (x, y) in pixels: a trunk, and branches that droop and carry needles. */
static void fir_paint(struct scene *scene, double x, double y, double tall, int32_t seed)
{
  stroke(scene, x, y, 0, -tall, tall * 0.030, 1.5, (struct colour){0.035, 0.026, 0.018});
  for (int i = 0; i < 330; i++) {
    double up = 0.08 + 0.92 * i / 330, side = chance(i, seed, 30) * 2 - 1;
    double reach = side * tall * 0.24 * pow(1 - up, 0.8) * (0.75 + 0.35 * chance(i, seed, 31));
    double droop = fabs(reach) * (0.32 + 0.3 * chance(i, seed, 32)), bx = x, by = y - up * tall;
    double sun = 0.55 - 0.45 * side + 0.3 * chance(i, seed, 33);

    for (int k = 0; k < 46; k++) {
      double t = k / 46.0, hang = tall * 0.018 * (0.5 + chance(k, i, 34)) * (1.2 - t);
      double light = 0.35 + sun * (0.3 + 0.9 * chance(k, i, 35));
      struct colour c = {0.030 * light, 0.058 * light, 0.022 * light};

      stroke(scene, bx + reach * t, by + droop * t * t * 1.3 - droop * 0.3 * t,
             hang * 0.6 * (reach > 0 ? 1 : -1) * chance(k, i, 36), hang, tall * 0.0042, 0.7, c);
    }
  }
}

/* Linear light to a sample of 8 bits: a shoulder for what is too bright, and the sRGB curve. */
static unsigned char sample_take(double light)
{
  double v = light < 0 ? 0 : light < 0.6 ? light : 0.6 + 0.4 * (1 - exp(-(light - 0.6) / 0.4));

  v = v <= 0.0031308 ? 12.92 * v : 1.055 * pow(v, 1 / 2.4) - 0.055;
  return (unsigned char)lrint(255 * (v > 1 ? 1 : v));
}

/* About normal, deviation 1, for sample n. */
static double sensor_noise(size_t n)
{
  double sum = -2;

  for (uint32_t i = 0; i < 4; i++)
    sum += chance((int32_t)n, (int32_t)i, 50);
  return sum * 1.7320508;
}

/* Takes the picture: four pixels become one, corners darken, photons are counted. */
static void scene_take(const struct scene *scene, size_t width, size_t height, unsigned char *rgb)
{
  for (size_t y = 0; y < height; y++)
    for (size_t x = 0; x < width; x++) {
      const struct colour *p = scene->pixels + OVERSAMPLING * (y * scene->width + x);
      const struct colour *q = p + scene->width;
      double u = 2.0 * x / width - 1, v = 2.0 * y / height - 1;
      double lens = 1.12 * (1 - 0.13 * (u * u + v * v)) / 4;
      double light[3] = {(p[0].r + p[1].r + q[0].r + q[1].r) * lens,
                         (p[0].g + p[1].g + q[0].g + q[1].g) * lens,
                         (p[0].b + p[1].b + q[0].b + q[1].b) * lens};

      for (size_t c = 0; c < 3; c++) {
        size_t n = (y * width + x) * 3 + c;

        rgb[n] = sample_take(light[c] + sensor_noise(n) * sqrt(light[c] * 6e-5 + 1e-6));
      }
    }
}

bool landscape_render(size_t width, size_t height, unsigned char *rgb)
{
  struct scene scene = {.width = width * OVERSAMPLING, .height = height * OVERSAMPLING};
  struct colour *mirrored = malloc(scene.height * sizeof *mirrored);
  double w = (double)scene.width, h = (double)scene.height;
  bool done = false;

  scene.pixels = malloc(scene.width * scene.height * sizeof *scene.pixels);
  if (!mirrored || !scene.pixels)
    goto release;
  scene.horizon = h * 0.56;
  scene.focus = w * 0.86;
  for (size_t column = 0; column < scene.width; column++)
    column_paint(&scene, column, mirrored);
  fir_paint(&scene, w * 0.80, h * 0.86, h * 0.42, 2);
  fir_paint(&scene, w * 0.90, h * 0.93, h * 0.82, 1);
  grass_paint(&scene);
  scene_take(&scene, width, height, rgb);
  done = true;
release:
  free(mirrored);
  free(scene.pixels);
  return done;
}
