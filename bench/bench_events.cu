/* An independent check of the times that `halo --bench` prints for the device cuda: events of its own, many
   launches between two of them (nvbench calls that a batch), no measurement of the clock, its own average.

     bench_events [FILE]

   prints, for the picture and the 7 × 7 filter that `halo --bench [FILE]` takes too, microseconds a launch
   with the input rotated and with the same input again and again, as CSV; and the same by the clock of
   the host, from the first launch to the end of the last.  What lies between launches counts here, a
   microsecond or less, and the mark of an event there. */
#include "band.cuh"

#include <algorithm>
#include <vector>

#include <stdio.h>
#include <string.h>

extern "C" {
#include "bench.h"
#include "choice.h"
#include "clock.h"
#include "filter_read.h"
#include "options.h"
}

namespace
{

enum { BATCHES = 9, LAUNCHES = 50, COPIES = 16 };

struct times {
  double device, host; /* microseconds a launch */
};

double median(std::vector<double> values)
{
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

/* Launches of a batch.  A texture is made anew for each launch, so a batch of the path `texture` is one. */
bool batch_run(gpu::slot *slot, const gpu::band_launch &launch, size_t copies, size_t count,
               struct times *times, struct error *error)
{
  cudaEvent_t from, to;
  float milliseconds = 0;
  unsigned long long start;
  bool done = true;

  cudaEventCreate(&from);
  cudaEventCreate(&to);
  cudaStreamSynchronize(slot->stream->queue);
  start = clock_nanoseconds();
  cudaEventRecord(from, slot->stream->queue);
  for (size_t i = 0; done && i < count; i++)
    done = launch(i % copies, error);
  cudaEventRecord(to, slot->stream->queue);
  done = gpu::stream_finish(slot->stream, error) && done;
  times->host = (double)(clock_nanoseconds() - start) / 1e3 / (double)count;
  cudaEventElapsedTime(&milliseconds, from, to);
  times->device = (double)milliseconds * 1e3 / (double)count;
  gpu::slot_clean(slot);
  cudaEventDestroy(from);
  cudaEventDestroy(to);
  return done;
}

bool path_time(const struct path *path, const struct job *job, size_t copies, struct times *times,
               struct error *error)
{
  std::vector<double> device, host;
  bool textured = strcmp(path->name, "texture") == 0;
  auto work = [&](gpu::slot *slot, const gpu::band_launch &launch, struct error *failed) {
    for (int i = 0; i < (textured ? BATCHES * 5 : BATCHES); i++) {
      struct times batch;

      if (!batch_run(slot, launch, copies, textured ? 1 : LAUNCHES, &batch, failed))
        return false;
      device.push_back(batch.device);
      host.push_back(batch.host);
    }
    return true;
  };

  if (!gpu::band_work(path, job, copies, work, error))
    return false;
  *times = {median(device), median(host)};
  return true;
}

bool paths_time(const struct settings *settings, struct error *error)
{
  struct chain chain = {};
  struct choice choice;
  static struct bench_picture picture;
  struct job job;

  if (!filter_read(&chain, "disk:3", error) || !choice_make(&choice, settings, error) ||
      !bench_picture_make(&picture, settings, &choice, &chain, error))
    return false;
  job = bench_job(&picture, 0);
  printf("path,rotated_us,hot_us,rotated_host_us,hot_host_us\n");
  for (size_t i = 0; i < choice.count; i++) {
    struct times rotated, hot;

    if (!path_time(choice.paths[i], &job, COPIES, &rotated, error) ||
        !path_time(choice.paths[i], &job, 1, &hot, error))
      return false;
    printf("%s,%.2f,%.2f,%.2f,%.2f\n", choice.paths[i]->name, rotated.device, hot.device,
           rotated.host, hot.host);
  }
  return true;
}

} // namespace

int main(int argc, char **argv)
{
  char command[] = "bench_events", bench[] = "--bench", device[] = "-D", name[] = "cuda";
  char *words[] = {command, bench, device, name, argc > 1 ? argv[1] : nullptr, nullptr};
  struct options options;
  struct error error = {};

  if (options_parse(&options, argc > 1 ? 5 : 4, words, &error) &&
      paths_time(&options.settings, &error))
    return 0;
  fprintf(stderr, "bench_events: %s\n", error.text);
  return 1;
}
