/* Memory that stands for a device's: see emulator.h. */
#include "emulator.h"

#include <map>
#include <mutex>

#include <stdlib.h>
#include <string.h>

namespace emulator
{

namespace
{

std::mutex memory_lock;
std::map<const char *, size_t> memory_blocks;

} // namespace

void *allocate(size_t bytes)
{
  size_t whole = (bytes + 511) / 512 * 512;
  char *memory = whole < bytes ? nullptr : static_cast<char *>(aligned_alloc(512, whole));

  if (!memory)
    return nullptr;
  memset(memory, 0xff, whole); /* NaN, or white: memory that no kernel wrote shows in the result */
  std::lock_guard<std::mutex> lock(memory_lock);
  memory_blocks[memory] = bytes;
  return memory;
}

void release(void *memory)
{
  {
    std::lock_guard<std::mutex> lock(memory_lock);
    memory_blocks.erase(static_cast<const char *>(memory));
  }
  free(memory);
}

struct extent extent_of(const void *address)
{
  const char *at = static_cast<const char *>(address);
  std::lock_guard<std::mutex> lock(memory_lock);
  auto after = memory_blocks.upper_bound(at);

  if (after == memory_blocks.begin())
    return {at, at};
  --after;
  if (at > after->first + after->second)
    return {at, at};
  return {after->first, after->first + after->second};
}

} // namespace emulator
