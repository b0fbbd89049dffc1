/* Passes: what the file of a path gets to launch its kernels over, and how it becomes a path. */
#ifndef HALO_PASSES_CUH
#define HALO_PASSES_CUH

#include "device.h"
#include "frame.cuh"
#include "integers.cuh"
#include "job.h"
#include "path.h"
#include "view.cuh"

namespace gpu
{
inline namespace GPU_MACHINE
{

/* One pass of a job, on the host. */
struct frame_pass {
  struct view view;
  enum sample_type from, to;
  const struct pass *pass; /* its taps in the host's memory */
  enum sums sums;
  bool of_sums;             /* the source is what a row pass of integers made: int32 */
  struct integers integers; /* of SUMS_INTEGER */
  struct frame source;
  struct slot *slot;
  struct stream *stream;
  int blocks_at_once; /* struct job */
  bool margins; /* the launch before fills the margins: one that needs them may overlap with it */
};

/* Calls function(From{}) with the type of the source, of a pass of integers. */
template <class F> static inline void with_integers(const struct frame_pass *pass, F function)
{
  if (pass->of_sums)
    return function(0);
  if (pass->from == SAMPLE_U8)
    return function((unsigned char)0);
  return function((unsigned short)0);
}

/* Lays the taps of a pass as kernels read them: float32, or the bits of int32. */
void taps_lay(const struct pass *pass, enum sums sums, size_t pitch, float *to);

/* Computes the one or two passes of a job that a device has placed. */
bool passes_launch(const struct job *job, bool margins,
                   bool (*launch_pass)(const struct frame_pass *pass, struct error *error),
                   struct error *error);

/* What no GPU path can do: the reason, or NULL. */
const char *frame_refuse(const struct job *job);

} // namespace GPU_MACHINE
} // namespace gpu

/* Defines the path `name` of this machine. */
#define GPU_PATH(path_name, path_about, path_margins, path_refuse, launch_pass)                    \
  static bool path_name##_launch(const struct job *job, struct error *error)                       \
  {                                                                                                \
    return gpu::passes_launch(job, path_margins, launch_pass, error);                              \
  }                                                                                                \
  extern "C" const struct path GPU_NAME(                                                           \
      path, path_name) = {#path_name,         path_about, &GPU_JOIN(device, GPU_MACHINE),          \
                          path_margins,       0,          path_refuse,                             \
                          path_name##_launch, nullptr};

#endif
