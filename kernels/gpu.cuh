/* The dialect that kernels are written in: CUDA C++ with a few words of our own, so that the same
   source also runs on the processor.

   nvcc makes of it the device `cuda`, where every word below is the plain CUDA one and costs
   nothing; the C++ compiler makes of it the device `emulated`, where every access to memory is looked
   at (emulator.h).  Both may stand in one program: what they define lies in namespaces of
   their own.

     KERNEL(threads, blocks)    a kernel: at most so many threads a block, so many blocks a processor
     DEVICE                     a function that kernels call
     global<T>, shared<T>       pointers into global and shared memory: p[i], p + n, as<U>(p)
     CONSTANT(T, name, n)       an array in constant memory: name[i]
     texture                    a texture object: fetch<V>(texture, x, y)
     dynamic_shared<T>(offset)  the block's dynamic shared memory, from a byte on
     load<V>(p, i)              the vector V that begins at p[i], aligned to its own size
     store(p, i, v)             its counterpart
     barrier()                  __syncthreads()
     shuffle(v, lane)           v of another lane of the warp
     launch({...}, kernel, ...) launches; what fails is told by stream_finish() (machine.cuh)

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
