/* What the host decides for the kernels of march.cuh: strips and endings. */
#include "march_launch.cuh"

namespace gpu
{
inline namespace GPU_MACHINE
{

namespace
{

/* Rows that a strip costs beside its own and those of the filter: filling the pipeline. */
const int STRIP_START = 4;

/* How many strips lie below one another so that the blocks fill whole waves: the fewest steps of the
   longest chain of blocks. */
int strips_choose(int rows, int size, int blocks_across, int blocks_at_once)
{
  long least = -1;
  int best = 1;

  for (int waves = 1; waves <= 16; waves++) {
    int strips = waves * blocks_at_once / blocks_across;
    long steps;

    strips = strips < 1 ? 1 : strips > rows ? rows : strips;
    steps = (rows - 1) / strips + 1;
    steps = (((long)blocks_across * strips - 1) / blocks_at_once + 1) *
            (steps + size - 1 + STRIP_START);
    if (least < 0 || steps < least) {
      least = steps;
      best = strips;
    }
  }
  return best;
}

/* Half to even, for a number that is not negative, as the kernel does it. */
float rounded(float value)
{
  return value * MARCH_INTEGER / MARCH_INTEGER;
}

/* Whether the quotient of a sum of integers may overflow. */
bool quotient_may_overflow(const struct frame_pass *pass)
{
  const struct ending *ending = &pass->view.ending;
  double sum = fabs((double)ending->bias);

  for (size_t i = 0; i < pass->pass->width * pass->pass->height; i++)
    sum += fabs((double)pass->pass->taps[i]) * sample_white(pass->from);
  return !(sum * fabs((double)ending->inverse) < 1e38); /* FLT_MAX is 3.4e38 */
}

/* Whether fmaf(sum, inverse, bias · inverse), rounded, is right for every sum of integers.

   It lies within `error` of sum / scale; no rational number that is not itself a tie lies nearer to one
   than 1 / (2 · scale).  So where the error is less than that, only the ties can go wrong: they are
   tried, one for each level. */
bool ending_is_plain(const struct frame_pass *pass, float bias)
{
  const struct ending *ending = &pass->view.ending;
  float scale = fabsf(ending->scale);
  float error = 0x1p-22f * (ending->white + 1 + 2 * fabsf(ending->bias * ending->inverse));

  if (ending->absolute || ending->wide || !pass_is_exact(pass->pass, pass->from) ||
      !(0.5f / scale > error))
    return false;
  for (int level = 0; level < (int)ending->white && fmodf(scale, 2) == 0; level++) {
    float sum = ((float)level + 0.5f) * ending->scale - ending->bias;
    float right = (float)(level % 2 ? level + 1 : level);

    if (rounded(fmaf(sum, ending->inverse, bias)) != right)
      return false;
  }
  return true;
}

bool pass_has_zeros(const struct pass *pass, int size)
{
  if ((int)pass->width < size || (int)pass->height < size)
    return true;
  for (size_t i = 0; i < pass->width * pass->height; i++)
    if (pass->taps[i] == 0)
      return true;
  return false;
}

} // namespace

struct march march_make(const struct frame_pass *pass, int size, int blocks_across,
                        int blocks_at_once)
{
  const struct ending *ending = &pass->view.ending;
  struct march march = {};
  float bias = ending->bias * ending->inverse;
  bool plain = pass->from == SAMPLE_F32 ? ending->scale == 1 && !ending->absolute
                                        : ending_is_plain(pass, bias);

  march.strips = strips_choose(pass->view.rows, size, blocks_across, blocks_at_once);
  march.strip_rows = (pass->view.rows - 1) / march.strips + 1;
  march.strips = (pass->view.rows - 1) / march.strip_rows + 1;
  march.lines = pass->view.lines;
  march.zeros = pass_has_zeros(pass->pass, size);
  march.mode = plain                              ? MARCH_PLAIN
               : ending->wide || ending->absolute ? MARCH_FULL
                                                  : MARCH_CORRECTED;
  if (!plain && (pass->from == SAMPLE_F32 || quotient_may_overflow(pass)))
    march.mode = MARCH_FULL;
  march.inverse = ending->inverse * MARCH_SUMS;
  march.bias = bias;
  return march;
}

bool march_fits(const struct frame_pass *pass)
{
  const struct pass *taps = pass->pass;

  if (pass->from != pass->to)
    return false;
  if (pass->sums == SUMS_INTEGER)
    return pass->from == SAMPLE_U16 && pass->integers.narrow;
  for (size_t i = 0; pass->from != SAMPLE_F32 && i < taps->width * taps->height; i++) {
    float size = fabsf(taps->taps[i]);

    /* Sums have units of at least the least tap's last bit, and grow to 225 · 65,535 · the largest. */
    if (size != 0 && !(size >= 0x1p-40f && size <= 0x1p27f))
      return false;
  }
  return fabsf(pass->view.ending.inverse) <= 0x1p60f;
}

} // namespace GPU_MACHINE
} // namespace gpu
