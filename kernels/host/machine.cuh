/* The machine that kernels run on, seen from the host: memory, streams, events, textures.

   Each function exists twice, in cuda_machine.cu and in emulated_machine.cc.  What goes wrong in
   a stream (a copy, a launch, a kernel) is recorded there, and reported by stream_finish(). */
#ifndef HALO_MACHINE_CUH
#define HALO_MACHINE_CUH

#include "error.h"
#include "gpu.cuh"
#include "image.h"

namespace gpu
{
inline namespace GPU_MACHINE
{

struct event;

/* Memory of the device, and memory of the host that the device copies from at full speed.  Addresses
   are multiples of 512.  NULL where there is not so much.  The device's memory is
   initialized: at the end of a row, threads also compute results beyond it, from whatever lies there, and
   do not store them. */
void *device_allocate(size_t bytes);
void device_free(void *memory);
void *pinned_allocate(size_t bytes);
void pinned_free(void *memory);

/* Bytes of the device's memory that no program holds; SIZE_MAX where that isn't known. */
size_t device_bytes_free(void);

/* Multiprocessors of the device. */
int processors(void);

struct stream *stream_open(struct error *error);
void stream_close(struct stream *stream);

/* Waits until all is done that was asked of the stream.  False, with the first thing that went wrong. */
bool stream_finish(struct stream *stream, struct error *error);

/* Rows of `bytes` bytes, to the device and back, in the order of the stream. */
void copy_in(struct stream *stream, void *device, size_t device_pitch, const void *host,
             size_t host_pitch, size_t bytes, size_t rows);
void copy_out(struct stream *stream, void *host, size_t host_pitch, const void *device,
              size_t device_pitch, size_t bytes, size_t rows);

/* A moment of a stream; and the nanoseconds between two that have passed. */
struct event *event_open(struct error *error);
void event_close(struct event *event);
void event_mark(struct event *event, struct stream *stream);
unsigned long long event_elapsed(const struct event *from, const struct event *to);

/* What a texture coordinate outside means; MIRROR and WRAP take coordinates from 0 to 1. */
enum texture_border { TEXTURE_CLAMP, TEXTURE_MIRROR, TEXTURE_WRAP, TEXTURE_ZERO };

/* What the channels of texels are. */
enum texel_kind { TEXEL_UNSIGNED, TEXEL_SIGNED, TEXEL_FLOAT };

/* A texture of `width` texels of 1, 2 or 4 channels, of `bytes` bytes each, by `rows` rows over memory of the
   device, whose address is a multiple of 512. */
bool texture_make(struct texture *texture, void *memory, size_t pitch, size_t width, size_t rows,
                  unsigned channels, enum texel_kind kind, size_t bytes, enum texture_border border,
                  struct error *error);
void texture_free(struct texture *texture);

/* Bytes that the device's last cache holds; 0 where there is none. */
size_t cache_bytes(void);

/* Fills the L2 cache with something else that need not be written back, in the order of the stream. */
void caches_flush(struct stream *stream);

/* Measures for some microseconds the clock of a multiprocessor, in the order of the stream, and writes it
   in MHz to the device's memory; 0 on the emulated device, where time has no meaning. */
void clock_measure(struct stream *stream, float *megahertz, unsigned microseconds);

/* Why the device can't be used any more, or NULL: an error in a kernel or the driver may take the
   device away from the process. */
const char *machine_lost(void);

} // namespace GPU_MACHINE
} // namespace gpu

#endif
