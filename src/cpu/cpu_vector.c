/* vector: the convolution on the CPU, many samples at once.

   The plain loop of the contract adds, for each result, tap after tap:

     sum = fmaf(tap, sample, sum)

   Each addition waits for the one before it, about four cycles, so one result at a time would leave
   a processor idle that can start two such instructions of 16 samples in every cycle.  But results
   do not depend on one another.  Samples of a row lie side by side, and a tap one pixel to the right
   is `channels` samples on, whatever the channel: so a vector of 16 neighbours is loaded at any
   place, multiplied by one tap that was spread over all lanes, and added to 16 sums in a register.
   Each sum still sees its taps in the order of the contract, so the result is the same to the bit.

   Loads are then the bottleneck, and two things make them fewer.  A block of results, several rows high
   and several vectors wide, has all its sums in registers: a vector of samples, once loaded, is
   multiplied by the taps of every result row that needs it, and a tap, once spread, by every
   vector of the block.  Six rows of four vectors need 10 loads for 24 multiply-adds.  And bytes
   become floats only once: the image is cut into strips of columns, narrow enough that the source
   rows under a block, converted to float and with the border to their left and right filled in,
   stay in the first-level cache.  They stand in a ring buffer, so that going down by a block converts only
   the rows that are new.

   The ending (the epilogue of sample.h) is computed on the sums in registers, and only finished samples are
   stored.

   For a separable filter the row pass is applied to each source row once, on its way into the ring; the
   column pass is then a matrix of width 1 over the ring.

   Where most taps of a matrix are 0, a list of the others is used.  So it is where any tap is 0 over
   samples that may be infinite: 0 · infinity would be NaN, but a tap of 0 must leave its sample out.

   The code is one template, cpu_vector_impl.h, compiled per instruction set.  The choice among
   them is made once, by asking the processor. */
#include "cpu_vector.h"

#include <stdlib.h>
#include <string.h>

#include "device.h"
#include "path.h"

#define X(name) &vector_##name,
const struct vector_set *const vector_sets[] = {VECTOR_SETS(X) NULL};
#undef X

const struct vector_set *vector_set_choose(void)
{
  const char *fastest = getenv("HALO_CPU");
  size_t i = 0;

  if (fastest) /* a name that is none of them hides nothing */
    for (size_t k = 0; vector_sets[k]; k++)
      if (strcmp(vector_sets[k]->name, fastest) == 0)
        i = k;
  while (vector_sets[i + 1] && !vector_sets[i]->supported())
    i++;
  return vector_sets[i];
}

static bool vector_launch(const struct job *job, struct error *error)
{
  return vector_set_choose()->launch(job, error);
}

static size_t vector_scratch_bytes(const struct job *job)
{
  return vector_set_choose()->scratch_bytes(job);
}

static const char *vector_refuse(const struct job *job)
{
  (void)job;
  return NULL;
}

const struct path path_cpu_vector = {
    .name = "vector",
    .about = "blocks of sums in vector registers, rows converted once",
    .device = &device_cpu,
    .tolerance = 0,
    .refuse = vector_refuse,
    .scratch_bytes = vector_scratch_bytes,
    .launch = vector_launch,
};
