/* The dialect of gpu.cuh as nvcc sees it: plain CUDA under other names. */
#ifndef HALO_GPU_CUDA_CUH
#define HALO_GPU_CUDA_CUH

#include <cuda_runtime.h>

#define KERNEL(threads, blocks) __global__ void __launch_bounds__(threads, blocks)
#define GRID_CONSTANT __grid_constant__
#define NO_UNROLL _Pragma("unroll 1")
#define DEVICE __device__ __forceinline__
#define CONSTANT(T, name, n) static __constant__ T name[n]

namespace gpu
{
inline namespace cuda
{

template <class T> using global = T *;
template <class T> using shared = T *;

/* What a kernel takes of a multiprocessor. */
struct launch_facts {
  unsigned registers; /* of a thread */
  size_t shared_bytes;
  double occupancy; /* share of the warps that a multiprocessor can hold */
};

/* Where copies and kernels queue up, and the first of them that failed. */
struct stream {
  cudaStream_t queue;
  cudaError_t failed;
  bool records_facts;        /* launches leave facts */
  struct launch_facts facts; /* of the last one */
};

struct texture {
  cudaTextureObject_t object;
};

/* What a launch is made of, but for the kernel and its arguments. */
struct shape_of_launch {
  const char *name; /* of the kernel, for messages */
  size_t blocks;
  dim3 threads; /* of a block */
  size_t shared_bytes;
  struct stream *stream;
  bool overlaps = false; /* with the launch before it */
};

/* A pointer of the host to memory of the device, as kernels take it. */
template <class T> static inline T *global_from(void *address)
{
  return static_cast<T *>(address);
}

template <class U, class T> DEVICE U *as(T *pointer)
{
  return reinterpret_cast<U *>(pointer);
}

template <class T> DEVICE T *dynamic_shared(size_t offset = 0)
{
  extern __shared__ __align__(16) unsigned char gpu_shared_memory[];

  return reinterpret_cast<T *>(gpu_shared_memory + offset);
}

template <class V, class T> DEVICE V load(const T *pointer, ptrdiff_t index)
{
  return *reinterpret_cast<const V *>(pointer + index);
}

template <class V, class T> DEVICE void store(T *pointer, ptrdiff_t index, V value)
{
  *reinterpret_cast<V *>(pointer + index) = value;
}

template <class V> DEVICE V fetch(struct texture texture, float x, float y)
{
  return tex2D<V>(texture.object, x, y);
}

DEVICE void barrier()
{
  __syncthreads();
}

template <class T> DEVICE T shuffle(T value, int lane)
{
  return __shfl_sync(0xffffffffu, value, lane);
}

/* By recursion: #pragma unroll silently leaves large bodies as loops, and arrays in registers then become
   local memory. */
template <int N> struct number {
  DEVICE constexpr operator int() const
  {
    return N;
  }
};

template <int N, int FIRST = 0, class F> DEVICE void unroll(const F &function)
{
  if constexpr (FIRST < N) {
    function(number<FIRST>());
    unroll<N, FIRST + 1>(function);
  }
}

template <class T> DEVICE void prefetch(const T *pointer, ptrdiff_t index)
{
  asm volatile("prefetch.global.L2 [%0];" ::"l"(pointer + index));
}

template <int bytes> DEVICE unsigned part_of(unsigned word, int k)
{
  return bytes == 1 ? __byte_perm(word, 0, 0x4440 + k) : __byte_perm(word, 0, k ? 0x4432 : 0x4410);
}

DEVICE unsigned pack_bytes(int a, int b, int c, int d)
{
  unsigned upper, word;

  asm("cvt.pack.sat.u8.s32.b32 %0, %1, %2, 0;" : "=r"(upper) : "r"(d), "r"(c));
  asm("cvt.pack.sat.u8.s32.b32 %0, %1, %2, %3;" : "=r"(word) : "r"(b), "r"(a), "r"(upper));
  return word;
}

DEVICE unsigned pack_words(int a, int b)
{
  unsigned word;

  asm("cvt.pack.sat.u16.s32 %0, %1, %2;" : "=r"(word) : "r"(b), "r"(a));
  return word;
}

DEVICE float float_of(unsigned word)
{
  return __uint_as_float(word);
}

DEVICE unsigned word_of(float value)
{
  return __float_as_uint(value);
}

/* Programmatic dependent launch: from compute capability 9.0 on, elsewhere launches don't overlap. */
DEVICE void let_next_begin()
{
#if __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.launch_dependents;");
#endif
}

DEVICE void wait_for_launch_before()
{
#if __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

static inline bool launches_overlap()
{
  static const bool overlap = [] {
    int device = 0, major = 0;

    return cudaGetDevice(&device) == cudaSuccess &&
           cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device) ==
               cudaSuccess &&
           major >= 9;
  }();

  return overlap;
}

template <class... P>
static inline struct launch_facts launch_facts_of(const struct shape_of_launch &shape,
                                                  void (*kernel)(P...))
{
  int threads = (int)(shape.threads.x * shape.threads.y * shape.threads.z), blocks = 0, device = 0,
      most = 0;
  cudaFuncAttributes attributes = {};

  if (cudaFuncGetAttributes(&attributes, kernel) != cudaSuccess ||
      cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, threads, shape.shared_bytes) !=
          cudaSuccess ||
      cudaGetDevice(&device) != cudaSuccess ||
      cudaDeviceGetAttribute(&most, cudaDevAttrMaxThreadsPerMultiProcessor, device) !=
          cudaSuccess) {
    cudaGetLastError();
    return {};
  }
  return {(unsigned)attributes.numRegs, shape.shared_bytes, (double)(blocks * threads) / most};
}

/* The blocks lie in one dimension, the only one that goes beyond 65,535. */
template <class... P, class... A>
static inline void launch(const struct shape_of_launch &shape, void (*kernel)(P...), A... arguments)
{
  struct stream *stream = shape.stream;
  cudaLaunchConfig_t configuration = {};
  cudaLaunchAttribute attribute = {};
  cudaError_t error = cudaSuccess;

  if (stream->failed != cudaSuccess || shape.blocks == 0)
    return;
  if (shape.shared_bytes > 48 * 1024)
    error =
        cudaFuncSetAttribute(reinterpret_cast<const void *>(kernel),
                             cudaFuncAttributeMaxDynamicSharedMemorySize, (int)shape.shared_bytes);
  attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attribute.val.programmaticStreamSerializationAllowed = 1;
  if (stream->records_facts)
    stream->facts = launch_facts_of(shape, kernel);
  configuration.gridDim = dim3((unsigned)shape.blocks);
  configuration.blockDim = shape.threads;
  configuration.dynamicSmemBytes = shape.shared_bytes;
  configuration.stream = stream->queue;
  configuration.attrs = &attribute;
  configuration.numAttrs = shape.overlaps && launches_overlap() ? 1 : 0;
  if (error == cudaSuccess)
    error = cudaLaunchKernelEx(&configuration, kernel, P(arguments)...);
  cudaGetLastError();
  stream->failed = error;
}

template <class... P>
static inline int blocks_resident(void (*kernel)(P...), int threads, size_t shared_bytes)
{
  int blocks = 0;

  if (cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, threads, shared_bytes) !=
      cudaSuccess)
    cudaGetLastError();
  return blocks > 0 ? blocks : 1;
}

/* Brings values to a CONSTANT array, in the order of the stream. */
template <class T, size_t N>
static inline void constant_set(T (&array)[N], const T *values, size_t count, struct stream *stream)
{
  cudaError_t error = cudaMemcpyToSymbolAsync(array, values, count * sizeof(T), 0,
                                              cudaMemcpyHostToDevice, stream->queue);

  if (stream->failed == cudaSuccess)
    stream->failed = error;
}

} // namespace cuda
} // namespace gpu

#endif
