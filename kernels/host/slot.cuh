/* Slots: what one band under way has of a device: a stream, events and buffers, which serve the next band
   again. */
#ifndef HALO_SLOT_CUH
#define HALO_SLOT_CUH

#include "buffer.cuh"
#include "machine.cuh"

namespace gpu
{
inline namespace GPU_MACHINE
{

enum moment { UPLOAD_BEGINS, KERNEL_BEGINS, KERNEL_ENDS, DOWNLOAD_ENDS, MOMENTS };

/* Buffers of the device, and pinned ones of the host. */
enum {
  DEVICE_SOURCE,
  DEVICE_BETWEEN,
  DEVICE_RESULT,
  DEVICE_TAPS,
  DEVICE_EXTRA,
  DEVICE_CLOCK,
  DEVICE_BUFFERS
};
enum { PINNED_SOURCE, PINNED_RESULT, PINNED_TAPS, PINNED_BUFFERS };

enum { TEXTURES = 2 }; /* a pass has one */

struct constant_bank;

struct slot {
  struct stream *stream;
  struct event *event[MOMENTS];
  struct buffer device[DEVICE_BUFFERS], pinned[PINNED_BUFFERS];
  struct texture texture[TEXTURES];
  int textures;
  struct constant_bank *bank; /* whose taps its kernels read, or NULL: constant_bank.cuh */
  bool alone;
  struct slot *next; /* among those that are free */
};

/* A slot that is free, or a new one; where the device gives no more, the next that is returned.  NULL, with
   the reason, where it gives none at all.  When it is returned, nothing of it may be under way.  With
   `alone` set it is the only one: all others have been returned and given up their memory, and whoever
   wants one waits. */
struct slot *slot_take(bool alone, struct error *error);
void slot_return(struct slot *slot);

/* Gives back what launches took of the slot, once they are done. */
void slot_clean(struct slot *slot);

/* For one that lacked memory: frees its buffers, and lets one slot less be used at a time from now on. */
void slot_shrink(struct slot *slot);

/* A texture that lives until the band is done. */
struct texture *slot_texture(struct slot *slot);

/* Device memory of at least so many bytes that is this band's own until it is done; its address is a
   multiple of 512.  NULL, with an error, where there is not so much. */
void *slot_extra(struct slot *slot, size_t bytes, struct error *error);

} // namespace GPU_MACHINE
} // namespace gpu

#endif
