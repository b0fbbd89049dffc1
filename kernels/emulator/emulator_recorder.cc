/* The recorder of the emulator: lines up what the lanes of a warp touch, and counts what a GPU's
   memory would do for it.

   The k-th access of one lane at a place in the source belongs with the k-th of the others: they are
   one request.  How a request is served is what NVIDIA describes for compute capability 5.0 and
   later: shared memory has 32 banks of 4 bytes, a wavefront serves one word of each bank, and lanes
   that want the same word share it; requests of 8 bytes a lane go in two halves, of 16 bytes in four
   quarters.  Global memory is read in sectors of 32 bytes, constant memory one address after the other.
   A texture unit takes four lanes at a time, a quad: each is a request for the sectors that it touches.
   That is not written anywhere, but is what the counters of an H200 say, to the last request
   (bench/results/h200.md). */
#include "emulator.h"

#include <algorithm>

#include <string.h>

namespace emulator
{

namespace
{

/* Distinct values of address / unit over the lanes from … to − 1, with the word after each where an
   access is longer than a unit. */
unsigned units_count(const uintptr_t *address, uint32_t lanes, unsigned bytes, unsigned unit)
{
  uintptr_t seen[WARP * 16];
  unsigned count = 0;

  for (unsigned lane = 0; lane < WARP; lane++) {
    if (!(lanes >> lane & 1))
      continue;
    for (uintptr_t at = address[lane] / unit; at <= (address[lane] + bytes - 1) / unit; at++)
      if (std::find(seen, seen + count, at) == seen + count)
        seen[count++] = at;
  }
  return count;
}

/* Wavefronts of one group of lanes that is served at a time. */
unsigned group_wavefronts(const uintptr_t *address, unsigned from, unsigned to, uint32_t lanes,
                          unsigned bytes)
{
  uintptr_t words[WARP][WARP];
  unsigned count[WARP] = {}, most = 0;

  for (unsigned lane = from; lane < to; lane++) {
    if (!(lanes >> lane & 1))
      continue;
    for (uintptr_t word = address[lane] / 4; word <= (address[lane] + bytes - 1) / 4; word++) {
      unsigned bank = word % 32;

      if (std::find(words[bank], words[bank] + count[bank], word) == words[bank] + count[bank])
        words[bank][count[bank]++] = word;
    }
  }
  for (unsigned bank = 0; bank < WARP; bank++)
    most = std::max(most, count[bank]);
  return most;
}

unsigned shared_wavefronts(const uintptr_t *address, uint32_t lanes, unsigned bytes)
{
  unsigned groups = bytes <= 4 ? 1 : bytes / 4, sum = 0;

  for (unsigned group = 0; group < groups; group++)
    sum +=
        group_wavefronts(address, group * WARP / groups, (group + 1) * WARP / groups, lanes, bytes);
  return sum;
}

} // namespace

void recorder::start(void)
{
  sums.clear();
  streams.clear();
  recording = this;
}

void recorder::stop(void)
{
  recording = nullptr;
}

size_t recorder::sum_find(const char *kernel, enum space space, size_t bytes, bool write,
                          struct site site)
{
  for (size_t i = 0; i < sums.size(); i++) {
    const struct tally &sum = sums[i];

    if (sum.line == site.line && sum.space == space && sum.write == write && sum.bytes == bytes &&
        strcmp(sum.file, site.file) == 0 && strcmp(sum.kernel, kernel) == 0)
      return i;
  }
  sums.push_back({kernel, site.file, site.line, space, write, (unsigned)bytes, 0, 0, 0, 0});
  return sums.size() - 1;
}

/* Most accesses follow one of the same place and warp. */
struct recorder::stream &recorder::stream_find(size_t sum, unsigned warp)
{
  for (size_t i = 0; i < streams.size(); i++) {
    size_t at = (last_stream + i) % streams.size();

    if (streams[at].sum == sum && streams[at].warp == warp) {
      last_stream = at;
      return streams[at];
    }
  }
  last_stream = streams.size();
  streams.push_back({sum, warp, {}, {}});
  return streams.back();
}

void recorder::access(const char *kernel, unsigned thread, enum space space, const void *address,
                      size_t bytes, bool write, struct site site)
{
  size_t sum = sum_find(kernel, space, bytes, write, site);
  struct stream &stream = stream_find(sum, thread / WARP);
  unsigned lane = thread % WARP;
  size_t nth = stream.count[lane]++;

  if (nth >= stream.requests.size())
    stream.requests.push_back({});
  stream.requests[nth].address[lane] = (uintptr_t)address;
  stream.requests[nth].lanes |= (uint32_t)1 << lane;
  sums[sum].accesses++;
}

static void tally_add(struct tally &sum, unsigned served)
{
  sum.requests++;
  sum.served += served;
  sum.worst = std::max(sum.worst, served);
}

void recorder::stream_count(struct stream &stream)
{
  struct tally &sum = sums[stream.sum];

  for (const struct request &request : stream.requests) {
    switch (sum.space) {
    case SPACE_GLOBAL:
      tally_add(sum, units_count(request.address, request.lanes, sum.bytes, 32));
      break;
    case SPACE_TEXTURE:
      for (uint32_t quad = 15; quad; quad <<= 4)
        if (request.lanes & quad)
          tally_add(sum, units_count(request.address, request.lanes & quad, sum.bytes, 32));
      break;
    case SPACE_SHARED:
      tally_add(sum, shared_wavefronts(request.address, request.lanes, sum.bytes));
      break;
    case SPACE_CONSTANT:
      tally_add(sum,
                units_count(request.address, request.lanes, sum.bytes, std::max(4u, sum.bytes)));
      break;
    }
  }
}

void recorder::segment_end(void)
{
  for (struct stream &stream : streams)
    stream_count(stream);
  streams.clear();
  last_stream = 0;
}

} // namespace emulator
