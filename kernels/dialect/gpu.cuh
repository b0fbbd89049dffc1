/* The dialect that kernels are written in: CUDA C++ with a few words of our own, so that the same
   source also runs on the processor.

   nvcc makes of it the device `cuda`, where every word below is the plain CUDA one and costs
   nothing; the C++ compiler makes of it the device `emulated`, where every access to memory is looked
   at (emulator.h).  One program may contain both: what they define lies in namespaces of
   their own.

     KERNEL(threads, blocks)    a kernel: at most so many threads a block, at least so many blocks a processor
     GRID_CONSTANT              of a kernel's parameter that is never written: it stays where it is
     DEVICE                     a function that kernels call
     global<T>, shared<T>       pointers into global and shared memory: p[i], p + n, as<U>(p)
     CONSTANT(T, name, n)       an array in constant memory: name[i]
     texture                    a texture object: fetch<V>(texture, x, y)
     dynamic_shared<T>(offset)  the block's dynamic shared memory, from a byte on
     load<V>(p, i)              the vector V that begins at p[i], aligned to its own size
     store(p, i, v)             its counterpart
     barrier()                  __syncthreads()
     shuffle(v, lane)           v of another lane of the warp
     unroll<N>(f)               f(0) … f(N − 1), one after the other, with indices known when compiled
     NO_UNROLL                  before a loop: keep it a loop
     prefetch(p, i)             brings the cache line of p[i] to the L2 cache, if it exists
     part_of<bytes>(word, k)    part k of a word of 1- or 2-byte parts, as a word
     pack_bytes(a, b, c, d)     four ints to a word of bytes, each held to 0 … 255; a lies lowest
     pack_words(a, b)           two ints to a word of 16-bit parts, each held to 0 … 65535
     float_of(word), word_of(f) the bits of a float
     let_next_begin(), wait_for_launch_before()
                                a kernel whose launch has .overlaps set may begin while the one before
                                it, after its first call, still runs; it reads nothing of that one's
                                before it has made the second call
     blocks_resident(kernel, threads, shared_bytes)   blocks that one multiprocessor runs at once
     launch({...}, kernel, ...) launches; what fails is reported by stream_finish() (machine.cuh)

   threadIdx, blockIdx, blockDim and gridDim are what they are in CUDA. */
#ifndef HALO_GPU_CUH
#define HALO_GPU_CUH

#include <stddef.h>
#include <stdint.h>

#include "border.h"
#include "sample.h"

#ifdef __CUDACC__
#define GPU_MACHINE cuda
#include "gpu_cuda.cuh"
#else
#define GPU_MACHINE emulated
#include "gpu_emulated.cuh"
#endif

#define GPU_JOIN_(a, b) a##_##b
#define GPU_JOIN(a, b) GPU_JOIN_(a, b)

/* PREFIX_cuda_NAME or PREFIX_emulated_NAME. */
#define GPU_NAME(prefix, name) GPU_JOIN(GPU_JOIN(prefix, GPU_MACHINE), name)

#endif
