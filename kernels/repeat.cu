/* Timing one band over and over, between events of the device.  `repeat` of the devices cuda and emulated. */
#include "slot.cuh"

#include <algorithm>
#include <vector>

namespace gpu
{
inline namespace GPU_MACHINE
{

namespace
{

enum { COPIES_MOST = 16 };

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

/* Everything is queued before the first is waited for, so that the device never waits for the host;
   but for textures, which the next launch makes anew. */
bool launches_time(struct slot *slot, const band_launch &launch, const struct repeat *repeat,
                   const struct marks &marks, float *clocks, struct error *error)
{
  for (size_t i = 0; i < repeat->count; i++) {
    bool launched;

    if (repeat->rows == REPEAT_COLD)
      caches_flush(slot->stream);
    clock_measure(slot->stream, clocks + i);
    event_mark(marks.event[2 * i], slot->stream);
    launched = launch(repeat->rows == REPEAT_ROTATED ? i : 0, error);
    event_mark(marks.event[2 * i + 1], slot->stream);
    if (slot->textures > 0) {
      launched = stream_finish(slot->stream, error) && launched;
      slot_clean(slot);
    }
    if (!launched)
      return false;
  }
  clock_measure(slot->stream, clocks + repeat->count);
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
    struct room *room = &slot->room[ROOM_CLOCK];
    bool done = marks.open(2 * repeat->count, failed) && room_reserve(room, bytes, false, failed);

    slot->stream->facts = {};
    slot->stream->listens = true;
    done = done &&
           launches_time(slot, launch, repeat, marks, static_cast<float *>(room->memory), failed);
    slot->stream->listens = false;
    if (done)
      copy_out(slot->stream, clocks.data(), bytes, room->memory, bytes, bytes, 1);
    repeat->registers = slot->stream->facts.registers;
    repeat->shared_bytes = slot->stream->facts.shared_bytes;
    repeat->occupancy = slot->stream->facts.occupancy;
    return done;
  };

  if (!band_work(path, job, copies, work, error))
    return false;
  for (size_t i = 0; i < repeat->count; i++) {
    repeat->nanoseconds[i] = event_elapsed(marks.event[2 * i], marks.event[2 * i + 1]);
    if (repeat->megahertz) /* the lower of the two around it */
      repeat->megahertz[i] = std::min(clocks[i], clocks[i + 1]);
  }
  return true;
}

} // namespace GPU_MACHINE
} // namespace gpu
