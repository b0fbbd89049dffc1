/* The counters of a GPU, by CUPTI's range profiler (CUDA 12.6 and later), which is opened when it is asked
   for.

   What is counted is a range of our own, the launches of one band, replayed by us for each pass that
   the metrics need: a path reads one place and writes another, so it can run again and again.  Before
   each pass the L2 cache is filled with something else, as Nsight Compute does it, so that both say the
   same of DRAM.  The order of the calls is that of the CUPTI documentation, "Range Profiling API". */
#include "cuda_counters.cuh"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if __has_include(<cupti_range_profiler.h>)

#include "band.cuh"

#include <cupti_profiler_host.h>
#include <cupti_range_profiler.h>
#include <cupti_target.h>
#include <dlfcn.h>

#include <vector>

namespace gpu
{
inline namespace cuda
{

namespace
{

#define CUPTI_FUNCTIONS(X)                                                                         \
  X(cuptiGetResultString)                                                                          \
  X(cuptiProfilerInitialize)                                                                       \
  X(cuptiDeviceGetChipName)                                                                        \
  X(cuptiProfilerGetCounterAvailability)                                                           \
  X(cuptiProfilerHostInitialize)                                                                   \
  X(cuptiProfilerHostGetMetricProperties)                                                          \
  X(cuptiProfilerHostConfigAddMetrics)                                                             \
  X(cuptiProfilerHostGetConfigImageSize)                                                           \
  X(cuptiProfilerHostGetConfigImage)                                                               \
  X(cuptiProfilerHostEvaluateToGpuValues)                                                          \
  X(cuptiRangeProfilerEnable)                                                                      \
  X(cuptiRangeProfilerDisable)                                                                     \
  X(cuptiRangeProfilerGetCounterDataSize)                                                          \
  X(cuptiRangeProfilerCounterDataImageInitialize)                                                  \
  X(cuptiRangeProfilerSetConfig)                                                                   \
  X(cuptiRangeProfilerStart)                                                                       \
  X(cuptiRangeProfilerPushRange)                                                                   \
  X(cuptiRangeProfilerPopRange)                                                                    \
  X(cuptiRangeProfilerStop)                                                                        \
  X(cuptiRangeProfilerDecodeData)

struct cupti {
#define X(name) decltype(&::name) name;
  CUPTI_FUNCTIONS(X)
#undef X
  CUresult (*context_current)(CUcontext *context); /* of the driver */
};

/* CUPTI's parameters: all 0, but that each knows its size. */
template <class P> P params(size_t size)
{
  P p = {};

  p.structSize = size;
  return p;
}

#define PARAMS(name) params<name##_Params>(name##_Params_STRUCT_SIZE)

/* The library of the major version that this file was compiled with: where the linker looks, then in
   the toolkit. */
void *library_open(void)
{
  const char *home = getenv("CUDA_HOME");
  const char *places[] = {"", home ? home : "/usr/local/cuda", "/usr/local/cuda"};
  const char *folders[] = {"/lib64/", "/extras/CUPTI/lib64/"};
  char name[512];

  for (const char *place : places)
    for (const char *folder : folders) {
      snprintf(name, sizeof name, "%s%slibcupti.so.%d", place, *place ? folder : "",
               CUDART_VERSION / 1000);
      if (void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL))
        return library;
    }
  return nullptr;
}

/* False, with the reason, where CUPTI can't be had. */
bool cupti_open(struct cupti *cupti, char *reason, size_t size)
{
  void *library = library_open(), *driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  const char *missing = nullptr;

  if (!library || !driver) {
    snprintf(reason, size,
             "libcupti.so.%d isn't found; it comes with the CUDA Toolkit, and CUDA_HOME says where "
             "that is",
             CUDART_VERSION / 1000);
    return false;
  }
#define X(name)                                                                                    \
  cupti->name = reinterpret_cast<decltype(cupti->name)>(dlsym(library, #name));                    \
  if (!cupti->name)                                                                                \
    missing = #name;
  CUPTI_FUNCTIONS(X)
#undef X
  cupti->context_current =
      reinterpret_cast<decltype(cupti->context_current)>(dlsym(driver, "cuCtxGetCurrent"));
  if (!cupti->context_current)
    missing = "cuCtxGetCurrent";
  if (missing)
    snprintf(reason, size, "this CUPTI is too old: it has no %s", missing);
  return !missing;
}

/* What it takes to count on one GPU; made once. */
struct profiler {
  struct cupti cupti;
  CUcontext context;
  std::vector<uint8_t> available; /* an image that the host object goes on reading */
  CUpti_Profiler_Host_Object *host;
  std::vector<enum counter> counters; /* that this chip has */
  std::vector<const char *> metrics;  /* their names */
  std::vector<uint8_t> config;
  char reason[256]; /* why nothing can be counted; empty if it can */
};

bool succeeded(struct profiler *profiler, const char *step, CUptiResult result)
{
  const char *name = "unknown";

  if (result == CUPTI_SUCCESS)
    return true;
  profiler->cupti.cuptiGetResultString(result, &name);
  if (result == CUPTI_ERROR_INSUFFICIENT_PRIVILEGES ||
      result == CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES)
    snprintf(profiler->reason, sizeof profiler->reason,
             "the driver lets only root read them; see the module's option "
             "NVreg_RestrictProfilingToAdminUsers (%s)",
             name);
  else
    snprintf(profiler->reason, sizeof profiler->reason, "CUPTI can't %s (%s)", step, name);
  return false;
}

bool host_open(struct profiler *profiler)
{
  const struct cupti &cupti = profiler->cupti;
  auto initialize = PARAMS(CUpti_Profiler_Initialize);
  auto chip = PARAMS(CUpti_Device_GetChipName);
  auto available = PARAMS(CUpti_Profiler_GetCounterAvailability);
  auto host = PARAMS(CUpti_Profiler_Host_Initialize);
  int device = 0;

  if (cudaGetDevice(&device) != cudaSuccess ||
      cupti.context_current(&profiler->context) != CUDA_SUCCESS)
    return succeeded(profiler, "find the GPU", CUPTI_ERROR_INVALID_CONTEXT);
  chip.deviceIndex = (size_t)device;
  available.ctx = profiler->context;
  if (!succeeded(profiler, "start", cupti.cuptiProfilerInitialize(&initialize)) ||
      !succeeded(profiler, "name the chip", cupti.cuptiDeviceGetChipName(&chip)) ||
      !succeeded(profiler, "see the counters",
                 cupti.cuptiProfilerGetCounterAvailability(&available)))
    return false;
  profiler->available.resize(available.counterAvailabilityImageSize);
  available.pCounterAvailabilityImage = profiler->available.data();
  host.profilerType = CUPTI_PROFILER_TYPE_RANGE_PROFILER;
  host.pChipName = chip.pChipName;
  host.pCounterAvailabilityImage = profiler->available.data();
  if (!succeeded(profiler, "see the counters",
                 cupti.cuptiProfilerGetCounterAvailability(&available)) ||
      !succeeded(profiler, "name the counters of this chip",
                 cupti.cuptiProfilerHostInitialize(&host)))
    return false;
  profiler->host = host.pHostObject;
  return true;
}

/* Chooses the metrics that the chip has. */
bool config_make(struct profiler *profiler)
{
  const struct cupti &cupti = profiler->cupti;
  auto add = PARAMS(CUpti_Profiler_Host_ConfigAddMetrics);
  auto size = PARAMS(CUpti_Profiler_Host_GetConfigImageSize);
  auto image = PARAMS(CUpti_Profiler_Host_GetConfigImage);

  for (int i = 0; i < COUNTER_COUNT; i++) {
    auto properties = PARAMS(CUpti_Profiler_Host_GetMetricProperties);

    properties.pHostObject = profiler->host;
    properties.pMetricName = counter_table[i].metric;
    if (cupti.cuptiProfilerHostGetMetricProperties(&properties) != CUPTI_SUCCESS)
      continue;
    profiler->counters.push_back((enum counter)i);
    profiler->metrics.push_back(counter_table[i].metric);
  }
  add.pHostObject = size.pHostObject = image.pHostObject = profiler->host;
  add.ppMetricNames = profiler->metrics.data();
  add.numMetrics = profiler->metrics.size();
  if (!succeeded(profiler, "count these metrics", cupti.cuptiProfilerHostConfigAddMetrics(&add)) ||
      !succeeded(profiler, "plan its passes", cupti.cuptiProfilerHostGetConfigImageSize(&size)))
    return false;
  profiler->config.resize(size.configImageSize);
  image.configImageSize = profiler->config.size();
  image.pConfigImage = profiler->config.data();
  return succeeded(profiler, "plan its passes", cupti.cuptiProfilerHostGetConfigImage(&image));
}

/* The profiler of the GPU that this process uses, or what keeps it from one. */
struct profiler *profiler_find(void)
{
  static struct profiler *const found = [] {
    auto *profiler = new struct profiler();

    if (cupti_open(&profiler->cupti, profiler->reason, sizeof profiler->reason) &&
        host_open(profiler))
      config_make(profiler);
    return profiler;
  }();

  return found;
}

/* Runs all passes over the range, between Enable and Disable. */
bool passes_run(struct profiler *profiler, CUpti_RangeProfiler_Object *object,
                const struct path *path, std::vector<uint8_t> *data, struct slot *slot,
                const band_launch &launch, struct error *error)
{
  const struct cupti &cupti = profiler->cupti;
  auto size = PARAMS(CUpti_RangeProfiler_GetCounterDataSize);
  auto clear = PARAMS(CUpti_RangeProfiler_CounterDataImage_Initialize);
  auto config = PARAMS(CUpti_RangeProfiler_SetConfig);
  auto start = PARAMS(CUpti_RangeProfiler_Start);
  auto push = PARAMS(CUpti_RangeProfiler_PushRange);
  auto pop = PARAMS(CUpti_RangeProfiler_PopRange);
  auto stop = PARAMS(CUpti_RangeProfiler_Stop);
  auto decode = PARAMS(CUpti_RangeProfiler_DecodeData);

  size.pRangeProfilerObject = clear.pRangeProfilerObject = config.pRangeProfilerObject = object;
  start.pRangeProfilerObject = push.pRangeProfilerObject = pop.pRangeProfilerObject = object;
  stop.pRangeProfilerObject = decode.pRangeProfilerObject = object;
  size.pMetricNames = profiler->metrics.data();
  size.numMetrics = profiler->metrics.size();
  size.maxNumOfRanges = size.maxNumRangeTreeNodes = 1;
  if (!succeeded(profiler, "make room", cupti.cuptiRangeProfilerGetCounterDataSize(&size)))
    return true;
  data->resize(size.counterDataSize);
  clear.counterDataSize = config.counterDataImageSize = data->size();
  clear.pCounterData = config.pCounterDataImage = data->data();
  config.configSize = profiler->config.size();
  config.pConfig = profiler->config.data();
  config.range = CUPTI_UserRange;
  config.replayMode = CUPTI_UserReplay;
  config.maxRangesPerPass = 1;
  config.numNestingLevels = config.minNestingLevel = 1;
  push.pRangeName = path->name;
  if (!succeeded(profiler, "make room",
                 cupti.cuptiRangeProfilerCounterDataImageInitialize(&clear)) ||
      !succeeded(profiler, "set up", cupti.cuptiRangeProfilerSetConfig(&config)))
    return true;
  while (!stop.isAllPassSubmitted) {
    bool launched;

    caches_flush(slot->stream);
    if (!stream_finish(slot->stream, error))
      return false;
    if (!succeeded(profiler, "begin a pass", cupti.cuptiRangeProfilerStart(&start)) ||
        !succeeded(profiler, "begin a range", cupti.cuptiRangeProfilerPushRange(&push)))
      return true;
    launched = launch(0, error) && stream_finish(slot->stream, error);
    slot_clean(slot);
    if (!succeeded(profiler, "end a range", cupti.cuptiRangeProfilerPopRange(&pop)) ||
        !succeeded(profiler, "end a pass", cupti.cuptiRangeProfilerStop(&stop)))
      return launched;
    if (!launched)
      return false;
  }
  succeeded(profiler, "read the counters", cupti.cuptiRangeProfilerDecodeData(&decode));
  return true;
}

void values_read(struct profiler *profiler, const std::vector<uint8_t> &data,
                 struct counters *counters)
{
  std::vector<double> values(profiler->metrics.size());
  auto evaluate = PARAMS(CUpti_Profiler_Host_EvaluateToGpuValues);

  evaluate.pHostObject = profiler->host;
  evaluate.pCounterDataImage = data.data();
  evaluate.counterDataImageSize = data.size();
  evaluate.ppMetricNames = profiler->metrics.data();
  evaluate.numMetrics = values.size();
  evaluate.pMetricValues = values.data();
  if (!succeeded(profiler, "read the counters",
                 profiler->cupti.cuptiProfilerHostEvaluateToGpuValues(&evaluate)))
    return;
  for (size_t i = 0; i < values.size(); i++)
    counters->value[profiler->counters[i]] = values[i];
}

} // namespace

bool counters_read(const struct path *path, const struct job *job, struct counters *counters,
                   struct error *error)
{
  struct profiler *profiler = profiler_find();
  auto count = [&](struct slot *slot, const band_launch &launch, struct error *failed) {
    auto enable = PARAMS(CUpti_RangeProfiler_Enable);
    auto disable = PARAMS(CUpti_RangeProfiler_Disable);
    std::vector<uint8_t> data;
    bool done;

    enable.ctx = profiler->context;
    if (!succeeded(profiler, "enable counters", profiler->cupti.cuptiRangeProfilerEnable(&enable)))
      return true;
    disable.pRangeProfilerObject = enable.pRangeProfilerObject;
    done = passes_run(profiler, enable.pRangeProfilerObject, path, &data, slot, launch, failed);
    if (done && !profiler->reason[0])
      values_read(profiler, data, counters);
    profiler->cupti.cuptiRangeProfilerDisable(&disable);
    return done;
  };
  bool done = true;

  *counters = {};
  for (double &value : counters->value)
    value = NAN;
  if (!profiler->reason[0])
    done = band_work(path, job, 1, count, error);
  memcpy(counters->unavailable, profiler->reason, sizeof counters->unavailable);
  return done;
}

} // namespace cuda
} // namespace gpu

#else

namespace gpu
{
inline namespace cuda
{

bool counters_read(const struct path *, const struct job *, struct counters *counters,
                   struct error *)
{
  *counters = {};
  for (double &value : counters->value)
    value = NAN;
  snprintf(counters->unavailable, sizeof counters->unavailable,
           "this halo was built with a CUDA Toolkit whose CUPTI has no range profiler (12.6 has)");
  return true;
}

} // namespace cuda
} // namespace gpu

#endif
