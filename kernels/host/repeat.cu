/* Timing one band over and over, between events of the device.  `repeat` of the devices cuda and emulated. */
#include "repeat.cuh"

#include <algorithm>
#include <vector>

#include "band.cuh"

namespace gpu
{
inline namespace GPU_MACHINE
{

namespace
{

enum { COPIES_MOST = 16, LAUNCHES_MOST = 32 };

/* Microseconds for which the device is kept busy before a sample, and more for each launch of it: the host is
   ahead then, and its time does not count. */
enum { BUSY_FIRST = 200, BUSY = 20, BUSY_LAUNCH = 10 };

/* Nanoseconds between two events that are worth their own time, a microsecond or two. */
const unsigned long long SAMPLE_LEAST = 200000;

/* Copies of source and result that lie beyond what the cache holds before their turn comes again. */
size_t copies_choose(const struct job *job)
{
  size_t bytes = job->width * job->channels * sample_bytes(job->from) +
                 job->result_width * job->channels * sample_bytes(job->to);

  return std::min<size_t>(2 * cache_bytes() / (bytes * job->rows + 1) + 1, COPIES_MOST);
}

/* The marks around each launch; they close themselves. */
struct marks {
  std::vector<struct event *> event;

  ~marks()
  {
    for (struct event *mark : event)
      event_close(mark);
  }

  bool open(size_t count, struct error *error)
  {
    while (event.size() < count) {
      struct event *mark = event_open(error);

      if (!mark)
        return false;
      event.push_back(mark);
    }
    return true;
  }
};

/* Queues `launches` launches between two marks, from that copy on.  A texture is made anew for each, so
   there it is one, and waited for. */
bool sample_queue(struct slot *slot, const band_launch &launch, size_t copy, bool rotated,
                  size_t launches, const struct marks &marks, size_t sample, struct error *error)
{
  bool launched = true;

  event_mark(marks.event[2 * sample], slot->stream);
  for (size_t i = 0; launched && i < launches; i++)
    launched = launch(rotated ? copy + i : 0, error);
  event_mark(marks.event[2 * sample + 1], slot->stream);
  if (slot->textures > 0) {
    launched = stream_finish(slot->stream, error) && launched;
    slot_clean(slot);
  }
  return launched;
}

/* Nanoseconds of a launch, or 0 where that fails.  *textured where it made a texture. */
unsigned long long launch_time(struct slot *slot, const band_launch &launch,
                               const struct marks &marks, float *clock, bool *textured,
                               struct error *error)
{
  bool launched;

  clock_measure(slot->stream, clock, BUSY_FIRST);
  event_mark(marks.event[0], slot->stream);
  launched = launch(0, error);
  event_mark(marks.event[1], slot->stream);
  *textured = slot->textures > 0;
  launched = stream_finish(slot->stream, error) && launched;
  slot_clean(slot);
  return launched ? event_elapsed(marks.event[0], marks.event[1]) + 1 : 0;
}

/* Launches of a sample: so many that it is long enough.  A first one loads the kernel, warms up and leaves
   its facts, a second one tells the time.  0 where they fail. */
size_t launches_choose(struct slot *slot, const band_launch &launch, const struct repeat *repeat,
                       const struct marks &marks, float *clock, struct error *error)
{
  unsigned long long once;
  bool textured;

  if (repeat->count == 1)
    return 1;
  if (!launch_time(slot, launch, marks, clock, &textured, error))
    return 0;
  slot->stream->records_facts = false; /* since asking for facts takes longer than a launch */
  if (textured || repeat->rows == REPEAT_COLD)
    return 1;
  once = launch_time(slot, launch, marks, clock, &textured, error);
  return once ? std::clamp<size_t>(SAMPLE_LEAST / once, 1, LAUNCHES_MOST) : 0;
}

/* All samples are queued before the first is waited for, so that the device never waits for the host. */
bool samples_take(struct slot *slot, const band_launch &launch, struct repeat *repeat,
                  const struct marks &marks, float *clocks, struct error *error)
{
  repeat->launches = launches_choose(slot, launch, repeat, marks, clocks, error);
  if (repeat->launches == 0)
    return false;
  for (size_t i = 0; i < repeat->count; i++) {
    if (repeat->rows == REPEAT_COLD)
      caches_flush(slot->stream);
    clock_measure(slot->stream, clocks + i, BUSY + BUSY_LAUNCH * (unsigned)repeat->launches);
    if (!sample_queue(slot, launch, i * repeat->launches, repeat->rows == REPEAT_ROTATED,
                      repeat->launches, marks, i, error))
      return false;
  }
  clock_measure(slot->stream, clocks + repeat->count, BUSY);
  return true;
}

} // namespace

bool band_repeat(const struct path *path, const struct job *job, struct repeat *repeat,
                 struct error *error)
{
  size_t copies = repeat->rows == REPEAT_ROTATED ? copies_choose(job) : 1;
  size_t bytes = (repeat->count + 1) * sizeof(float);
  std::vector<float> clocks(repeat->count + 1);
  struct marks marks;
  auto work = [&](struct slot *slot, const band_launch &launch, struct error *failed) {
    struct buffer *buffer = &slot->device[DEVICE_CLOCK];
    bool done =
        marks.open(2 * repeat->count, failed) && buffer_reserve(buffer, bytes, false, failed);

    slot->stream->facts = {};
    slot->stream->records_facts = true;
    done = done &&
           samples_take(slot, launch, repeat, marks, static_cast<float *>(buffer->memory), failed);
    slot->stream->records_facts = false;
    if (done)
      copy_out(slot->stream, clocks.data(), bytes, buffer->memory, bytes, bytes, 1);
    repeat->registers = slot->stream->facts.registers;
    repeat->shared_bytes = slot->stream->facts.shared_bytes;
    repeat->occupancy = slot->stream->facts.occupancy;
    return done;
  };

  if (!band_work(path, job, copies, work, error))
    return false;
  for (size_t i = 0; i < repeat->count; i++) {
    repeat->nanoseconds[i] =
        event_elapsed(marks.event[2 * i], marks.event[2 * i + 1]) / repeat->launches;
    if (repeat->megahertz) /* the lower of the two around it */
      repeat->megahertz[i] = std::min(clocks[i], clocks[i + 1]);
  }
  return true;
}

} // namespace GPU_MACHINE
} // namespace gpu
