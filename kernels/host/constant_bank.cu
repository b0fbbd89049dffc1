/* Who may use the constant memory: see constant_bank.cuh. */
#include "constant_bank.cuh"

#include <string.h>

#include <vector>

#include "slot.cuh"

namespace gpu
{
inline namespace GPU_MACHINE
{

namespace
{

bool bank_holds(const struct constant_bank *bank, const std::vector<float> &taps)
{
  return bank->count == taps.size() &&
         memcmp(bank->taps, taps.data(), taps.size() * sizeof(float)) == 0;
}

void bank_leave(struct slot *slot)
{
  if (--slot->bank->users == 0)
    slot->bank->idle.notify_all();
  slot->bank = nullptr;
}

} // namespace

bool constant_claim(struct constant_bank *bank, const struct frame_pass *pass,
                    void (*set)(const float *taps, size_t count, struct stream *stream),
                    struct error *error)
{
  struct slot *slot = pass->slot;
  std::vector<float> taps(pass->pass->width * pass->pass->height);

  taps_lay(pass->pass, pass->sums, pass->pass->width, taps.data());
  std::unique_lock<std::mutex> lock(bank->lock);
  if (slot->bank && bank_holds(bank, taps))
    return true;
  if (slot->bank) { /* the second of two passes: what the first one asked for must be done */
    if (!stream_finish(slot->stream, error))
      return false;
    bank_leave(slot);
  }
  while (bank->users > 0 && !bank_holds(bank, taps))
    bank->idle.wait(lock);
  if (!bank_holds(bank, taps)) {
    bank->count = taps.size();
    memcpy(bank->taps, taps.data(), bank->count * sizeof(float));
    set(bank->taps, bank->count, slot->stream);
    if (!stream_finish(slot->stream, error)) { /* other streams may read it from now on */
      bank->count = 0;
      return false;
    }
  }
  bank->users++;
  slot->bank = bank;
  return true;
}

void constant_release(struct slot *slot)
{
  std::lock_guard<std::mutex> lock(slot->bank->lock);

  bank_leave(slot);
}

const char *constant_refuse(const struct job *job)
{
  const char *reason = frame_refuse(job);

  if (reason || !job)
    return reason;
  if (job->pass->width > CONSTANT_TAPS || job->pass->height > CONSTANT_TAPS ||
      job->pass->width * job->pass->height > CONSTANT_TAPS ||
      (job->column && job->column->height > CONSTANT_TAPS))
    return "the filter has more than the 16,384 taps that 64 KiB of constant memory hold";
  return nullptr;
}

} // namespace GPU_MACHINE
} // namespace gpu
