/* Devices: where paths run. */
#ifndef HALO_DEVICE_H
#define HALO_DEVICE_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

struct device {
  const char *name;
  const char *about; /* one line */

  /* Why nothing can run there, or NULL.  Asked only when the device is wanted or listed, since on a
     GPU the question alone can cost a third of a second. */
  const char *(*missing)(void);
};

/* One line a device: an object `device_NAME`. */
#define DEVICES(X) X(cpu)

#define X(name) extern const struct device device_##name;
DEVICES(X)
#undef X

/* All devices, ended by NULL. */
extern const struct device *const devices[];

/* The device of that name, or NULL. */
const struct device *device_find(const char *name);

#ifdef __cplusplus
}
#endif
#endif
