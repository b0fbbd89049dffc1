/* Slots: what one band under way has of a device: a stream, events, and memory that grows as it is
   wanted and serves the next band again. */
#ifndef HALO_SLOT_CUH
#define HALO_SLOT_CUH

#include "frame.cuh"

#include <functional>

namespace gpu
{
inline namespace GPU_MACHINE
{

/* Memory that is kept from one band to the next. */
struct room {
  void *memory;
  size_t bytes;
};

enum moment { UPLOAD_BEGINS, KERNEL_BEGINS, KERNEL_ENDS, DOWNLOAD_ENDS, MOMENTS };

/* Rooms of the device, and pinned ones of the host. */
enum { ROOM_SOURCE, ROOM_BETWEEN, ROOM_RESULT, ROOM_TAPS, ROOM_EXTRA, ROOM_CLOCK, ROOMS };
enum { PINNED_SOURCE, PINNED_RESULT, PINNED_TAPS, PINNED_ROOMS };

enum { TEXTURES = 2 }; /* a pass has one */

struct constant_bank;

struct slot {
  struct stream *stream;
  struct event *event[MOMENTS];
  struct room room[ROOMS], pinned[PINNED_ROOMS];
  struct texture texture[TEXTURES];
  int textures;
  struct constant_bank *bank; /* what it holds, or NULL: constant_bank.cuh */
  bool alone;
  struct slot *next; /* among those that are free */
};

/* A job's memory on its device; struct job points at it. */
struct placement {
  struct slot *slot;
  struct frame source;  /* what the (first) pass reads */
  struct frame between; /* what the row pass makes and the column pass reads */
  struct frame result;
  const float *taps, *column_taps; /* on the device */
};

/* A slot that is free, or a new one.  When it is returned, nothing of it may be under way.  With `alone`
   set it is the only one: all others have been returned and given up their memory, and whoever wants
   one waits. */
struct slot *slot_take(bool alone, struct error *error);
void slot_return(struct slot *slot);

/* Gives back what launches took of the slot, once they are done. */
void slot_clean(struct slot *slot);

/* Sees to it that the room holds `bytes` bytes. */
bool room_reserve(struct room *room, size_t bytes, bool pinned, struct error *error);

/* Reserves memory for the job in the slot, that of its source and result `copies` times over.  False where
   the device has not so much. */
bool job_place(struct placement *placement, struct slot *slot, const struct job *job, bool margins,
               size_t copies, struct error *error);

/* Where that copy of source and result lies. */
struct placement placement_copy(const struct placement *placement, size_t copy);

/* Brings source rows and taps to pinned memory, and from there to the device. */
void job_stage(const struct placement *placement, const struct job *job);
void job_upload(const struct placement *placement, const struct job *job);

/* Brings the result to pinned memory, and from there (after stream_finish()) to the job's rows. */
void job_download(const struct placement *placement, const struct job *job);
void job_deliver(const struct placement *placement, const struct job *job);

/* Queues the kernels of a band once, over that copy of its rows. */
typedef std::function<bool(size_t copy, struct error *error)> band_launch;

/* Brings the band's rows to the device, `copies` times over (once where memory lacks), and has work()
   launch its kernels there as often as it likes; the job's rows get the result that the first copy has. */
bool band_work(const struct path *path, const struct job *job, size_t copies,
               const std::function<bool(struct slot *slot, const band_launch &launch,
                                        struct error *error)> &work,
               struct error *error);

} // namespace GPU_MACHINE
} // namespace gpu

#endif
