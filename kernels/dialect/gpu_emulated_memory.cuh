/* The emulated pointers: to global and shared memory, and arrays of constant memory.  Each access goes through
   the emulator, which knows where in the source it stands.  Part of gpu_emulated.cuh. */
#ifndef HALO_GPU_EMULATED_MEMORY_CUH
#define HALO_GPU_EMULATED_MEMORY_CUH

#include <string.h>

#include <type_traits>

#include "emulator.h"

namespace gpu
{
inline namespace emulated
{

using emulator::extent;
using emulator::index;
using emulator::site;

/* What one instruction reads or writes.  An element (below) is none: code that wants its value converts it. */
template <class V>
constexpr bool is_access = std::is_trivially_copyable_v<V> && sizeof(V) <= 16 &&
                           (sizeof(V) & (sizeof(V) - 1)) == 0;

/* An element that can be assigned to. */
template <class T, class P> struct element {
  element(P pointer, struct site site) : pointer(pointer), site(site)
  {
  }
  element(const element &) = default;

  operator T() const
  {
    return pointer.read(site);
  }
  void operator=(T value) const
  {
    pointer.write(value, site);
  }
  void operator=(const element &other) const /* else the reference would be copied */
  {
    *this = (T)other;
  }

  P pointer;
  struct site site;
};

template <class T> class global
{
public:
  global() = default;
  global(T *address, struct extent extent) : address(address), extent(extent)
  {
  }

  auto operator[](struct index i) const
  {
    if constexpr (std::is_const_v<T>)
      return (*this + i.at).read(i.site);
    else
      return element<T, global>{*this + i.at, i.site};
  }
  global operator+(ptrdiff_t n) const
  {
    return {address + n, extent};
  }
  operator global<const T>() const
  {
    return {address, extent};
  }

  T read(struct site site) const
  {
    std::remove_const_t<T> value;

    static_assert(is_access<T>);
    emulator::touch_global(address, sizeof value, false, extent, site);
    memcpy(&value, address, sizeof value);
    return value;
  }
  void write(T value, struct site site) const
  {
    static_assert(is_access<T>);
    emulator::touch_global(address, sizeof value, true, extent, site);
    memcpy(address, &value, sizeof value);
  }

  T *address;
  struct extent extent;
};

template <class T> class shared
{
public:
  auto operator[](struct index i) const
  {
    if constexpr (std::is_const_v<T>)
      return (*this + i.at).read(i.site);
    else
      return element<T, shared>{*this + i.at, i.site};
  }
  shared operator+(ptrdiff_t n) const
  {
    return {address + n};
  }
  operator shared<const T>() const
  {
    return {address};
  }

  T read(struct site site) const
  {
    std::remove_const_t<T> value;

    static_assert(is_access<T>);
    emulator::touch_shared(address, sizeof value, false, site);
    memcpy(&value, address, sizeof value);
    return value;
  }
  void write(T value, struct site site) const
  {
    static_assert(is_access<T>);
    emulator::touch_shared(address, sizeof value, true, site);
    memcpy(address, &value, sizeof value);
  }

  T *address;
};

template <class T, size_t N> class constant_array
{
public:
  T operator[](struct index i) const
  {
    const T *begin = data, *at = begin + i.at;

    if (i.at < 0 || (size_t)i.at >= N)
      emulator::fail_bounds(at, sizeof(T), false, "constant memory",
                            {(const char *)begin, (const char *)(begin + N)}, i.site);
    if (emulator::recording)
      emulator::note(emulator::SPACE_CONSTANT, at, sizeof(T), false, i.site);
    return *at;
  }

  T data[N];
};

} // namespace emulated
} // namespace gpu

#endif
