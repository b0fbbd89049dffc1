/* What --bench found, for people and for machines: see bench.h; the fields are explained in the manual. */
#include "config.h"

#include "bench.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#ifdef HAVE_JANSSON
#include <jansson.h>
#endif

/* Shares of a row's ceilings; 0 where there are none. */
struct shares {
  double copy, fma;
  const char *binds; /* the larger */
};

static struct shares shares_of(const struct bench *bench, const struct bench_row *row)
{
  const struct ceilings *ceilings = bench_ceilings(bench, row);
  struct shares shares = {0, 0, ""};

  if (!ceilings || row->median <= 0 || ceilings->copy_bytes_per_second <= 0)
    return shares;
  shares.copy = row->bytes / (row->median * 1e-9) / ceilings->copy_bytes_per_second;
  shares.fma = row->fmas / (row->median * 1e-9) / ceilings->fma_per_second;
  shares.binds = shares.copy > shares.fma ? "memory" : "arithmetic";
  return shares;
}

static double pixels_of(const struct bench *bench)
{
  return (double)bench->shape.width * (double)bench->shape.height;
}

static double speedup_of(const struct bench *bench, const struct bench_row *row)
{
  const struct bench_row *against = bench_against(bench, row);

  return against && row->median > 0 ? against->median / row->median : 0;
}

static void row_print(const struct bench *bench, const struct bench_row *row)
{
  struct shares shares = shares_of(bench, row);

  printf("%-10s %-9s", row->path->name, row->path->device->name);
  if (row->failed[0] || row->samples == 0) {
    printf(" %s\n", row->failed[0] ? row->failed : "right; time means nothing on this device");
    return;
  }
  printf(" %4zu %11.1f %7.1f %11.1f %11.1f %9.1f %8.2f %9.2f %5.1f%% %5.1f%% %-10s %7.2f",
         row->samples, row->median / 1e3, row->range / 1e3, row->cold / 1e3, row->hot / 1e3,
         pixels_of(bench) / row->median * 1e3, row->bytes / row->median, row->fmas / row->median,
         100 * shares.copy, 100 * shares.fma, shares.binds, speedup_of(bench, row));
  if (row->registers)
    printf(" %4u %6zu %4.0f%%", row->registers, row->shared_bytes, 100 * row->occupancy);
  else
    printf(" %4s %6s %5s", "", "", "");
  printf(" %g%s\n", row->difference, shares.copy > 1 ? "  more than memory gives: cached" : "");
}

void bench_print_table(const struct bench *bench)
{
  const struct cost *picture = &bench->picture;
  const struct band_cost *band = &picture->path[path_index(bench->through)];
  char made[64] = "";

  if (bench->seed)
    snprintf(made, sizeof made, " (made, seed %llu)", bench->seed);
  printf("halo %s: %zux%zu %s, %s%s; filter %s, %zux%zu in %zu pass%s; %zu thread%s\n", VERSION,
         bench->shape.width, bench->shape.height, channels_name(bench->shape.channels),
         sample_name(bench->shape.type), made, bench->filter, bench->filter_width,
         bench->filter_height, bench->passes, bench->passes == 1 ? "" : "es", bench->threads,
         bench->threads == 1 ? "" : "s");
  for (size_t i = 0; i < bench->devices; i++)
    if (bench->device[i].ceilings.fma_per_second > 0)
      printf("%s: copies reach %.1f GB/s, multiply-adds %.1f G/s, measured now\n",
             bench->device[i].device->name, bench->device[i].ceilings.copy_bytes_per_second * 1e-9,
             bench->device[i].ceilings.fma_per_second * 1e-9);
  printf("\n%-10s %-9s %4s %11s %7s %11s %11s %9s %8s %9s %6s %6s %-10s %7s %4s %6s %5s %s\n",
         "path", "device", "n", "median us", "iqr us", "cold us", "hot us", "Mpx/s", "GB/s",
         "GFMA/s", "copy", "fma", "binds", "times", "regs", "shared", "occ", "differs");
  for (size_t i = 0; i < bench->rows; i++)
    row_print(bench, &bench->row[i]);
  printf("\nthe picture through %s on %s: decode %.2f ms, upload %.2f, kernel %.2f, download %.2f, "
         "encode %.2f, start of the device %.2f, total %.2f ms\n",
         bench->through->name, bench->through->device->name, (double)picture->decode * 1e-6,
         (double)band->upload * 1e-6, (double)band->kernel * 1e-6, (double)band->download * 1e-6,
         (double)picture->encode * 1e-6, (double)bench->started * 1e-6,
         (double)picture->total * 1e-6);
}

void bench_print_csv(const struct bench *bench)
{
  printf(
      "path,device,width,height,channels,type,filter_width,filter_height,samples,median_ns,iqr_ns,"
      "cold_ns,hot_ns,mpx_per_s,bytes,fmas,share_of_copy,share_of_fma,binds,speedup,registers,"
      "shared_bytes,occupancy,largest_difference,failed\r\n");
  for (size_t i = 0; i < bench->rows; i++) {
    const struct bench_row *row = &bench->row[i];
    struct shares shares = shares_of(bench, row);

    printf(
        "%s,%s,%zu,%zu,%u,%s,%zu,%zu,%zu,%.0f,%.0f,%.0f,%.0f,%.2f,%.0f,%.0f,%.4f,%.4f,%s,%.3f,%u,"
        "%zu,%.3f,%g,\"%s\"\r\n",
        row->path->name, row->path->device->name, bench->shape.width, bench->shape.height,
        bench->shape.channels, sample_name(bench->shape.type), bench->filter_width,
        bench->filter_height, row->samples, row->median, row->range, row->cold, row->hot,
        row->median > 0 ? pixels_of(bench) / row->median * 1e3 : 0, row->bytes, row->fmas,
        shares.copy, shares.fma, shares.binds, speedup_of(bench, row), row->registers,
        row->shared_bytes, row->occupancy, row->difference, row->failed);
  }
}

#ifdef HAVE_JANSSON

static json_t *row_json(const struct bench *bench, const struct bench_row *row)
{
  struct shares shares = shares_of(bench, row);
  const struct bench_row *against = bench_against(bench, row);
  bool timed = row->samples > 0 && row->median > 0;
  json_t *object = json_pack(
      "{s:s, s:s, s:I, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:s, s:f, s:s, s:f}",
      "path", row->path->name, "device", row->path->device->name, "samples",
      (json_int_t)row->samples, "median_ns", row->median, "iqr_ns", row->range, "cold_ns",
      row->cold, "hot_ns", row->hot, "mpx_per_s",
      timed ? pixels_of(bench) / row->median * 1e3 : 0.0, "bytes", row->bytes, "fmas", row->fmas,
      "gb_per_s", timed ? row->bytes / row->median : 0.0, "gfma_per_s",
      timed ? row->fmas / row->median : 0.0, "share_of_copy", shares.copy, "share_of_fma",
      shares.fma, "binds", shares.binds, "speedup", speedup_of(bench, row), "against",
      against ? against->path->name : "", "largest_difference", row->difference);

  json_object_set_new(object, "registers",
                      row->registers ? json_integer((json_int_t)row->registers) : json_null());
  json_object_set_new(object, "shared_bytes",
                      row->registers ? json_integer((json_int_t)row->shared_bytes) : json_null());
  json_object_set_new(object, "occupancy",
                      row->registers ? json_real(row->occupancy) : json_null());
  json_object_set_new(object, "failed", row->failed[0] ? json_string(row->failed) : json_null());
  return object;
}

bool bench_print_json(const struct bench *bench, struct error *error)
{
  const struct cost *cost = &bench->picture;
  const struct band_cost *band = &cost->path[path_index(bench->through)];
  json_t *rows = json_array(), *ceilings = json_array(), *root;
  bool done;

  for (size_t i = 0; i < bench->rows; i++)
    json_array_append_new(rows, row_json(bench, &bench->row[i]));
  for (size_t i = 0; i < bench->devices; i++)
    json_array_append_new(ceilings,
                          json_pack("{s:s, s:f, s:f}", "device", bench->device[i].device->name,
                                    "copy_bytes_per_second",
                                    bench->device[i].ceilings.copy_bytes_per_second,
                                    "fma_per_second", bench->device[i].ceilings.fma_per_second));
  root = json_pack(
      "{s:s, s:I, s:I, s:{s:I, s:I, s:i, s:s}, s:{s:s, s:I, s:I, s:I, s:I}, s:o, s:o, s:{s:s, s:s, "
      "s:I, s:I, s:I, s:I, s:I, s:I, s:I}}",
      "halo", VERSION, "seed", (json_int_t)bench->seed, "threads", (json_int_t)bench->threads,
      "image", "width", (json_int_t)bench->shape.width, "height", (json_int_t)bench->shape.height,
      "channels", (int)bench->shape.channels, "type", sample_name(bench->shape.type), "filter",
      "name", bench->filter, "width", (json_int_t)bench->filter_width, "height",
      (json_int_t)bench->filter_height, "passes", (json_int_t)bench->passes, "taps",
      (json_int_t)bench->taps, "ceilings", ceilings, "rows", rows, "picture", "path",
      bench->through->name, "device", bench->through->device->name, "decode_ns",
      (json_int_t)cost->decode, "upload_ns", (json_int_t)band->upload, "kernel_ns",
      (json_int_t)band->kernel, "download_ns", (json_int_t)band->download, "encode_ns",
      (json_int_t)cost->encode, "context_ns", (json_int_t)bench->started, "total_ns",
      (json_int_t)cost->total);
  done = root && json_dumpf(root, stdout, JSON_INDENT(2)) == 0 && putchar('\n') != EOF;
  json_decref(root);
  return done || error_set(error, STATUS_FAILED, "the report can't be written as JSON");
}

#else

bool bench_print_json(const struct bench *bench, struct error *error)
{
  (void)bench;
  return error_set(error, STATUS_USAGE,
                   "--format=json: this halo was built without jansson; csv is there");
}

#endif
