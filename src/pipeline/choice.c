/* What the user asked for: see choice.h. */
#include "config.h"

#include "choice.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device.h"
#include "parallel.h"

/* Adds ", NAME" for lists of what is known. */
static void list_add(char *list, size_t size, const char *name)
{
  size_t length = strlen(list);

  snprintf(list + length, size - length, "%s%s", length ? ", " : "", name);
}

static bool name_unknown(const char *name, const struct device *device, struct error *error)
{
  char known[256] = "";
  size_t i, j;

  for (i = 0; paths[i]; i++) {
    for (j = 0; j < i && strcmp(paths[j]->name, paths[i]->name) != 0;)
      j++;
    if (j == i)
      list_add(known, sizeof known, paths[i]->name);
  }
  if (device && path_find(name, NULL))
    return error_set(error, STATUS_USAGE, "--path: %s runs on the device %s, not on %s", name,
                     path_find(name, NULL)->device->name, device->name);
  return error_set(error, STATUS_USAGE, "--path: there is no path %s; known are %s", name, known);
}

static bool choice_add(struct choice *choice, const struct path *path, struct error *error)
{
  const char *reason = path->refuse(NULL);

  if (reason)
    return error_set(error, STATUS_DEVICE, "--path: %s can't run here: %s", path->name, reason);
  for (size_t i = 0; i < choice->count; i++)
    if (strcmp(choice->paths[i]->name, path->name) == 0)
      return error_set(error, STATUS_USAGE, "--path: %s is named twice", path->name);
  choice->paths[choice->count++] = path;
  return true;
}

static void choice_add_all(struct choice *choice, const struct device *device)
{
  for (size_t i = 0; paths[i]; i++)
    if (paths[i]->device == device && !path_missing(paths[i]))
      choice->paths[choice->count++] = paths[i];
}

static bool device_check(const struct device *device, struct error *error)
{
  const char *reason = device->missing();

  return !reason ||
         error_set(error, STATUS_DEVICE, "--device: %s can't be used: %s", device->name, reason);
}

bool choice_device(const struct device **device, const char *text, struct error *error)
{
  const char *colon = strchr(text, ':');
  size_t length = colon ? (size_t)(colon - text) : strlen(text);
  char known[256] = "auto", name[32];

  *device = NULL;
  if (strcmp(text, "auto") == 0)
    return true;
  snprintf(name, sizeof name, "%.*s", (int)length, text);
  *device = device_find(name);
  if (!*device) {
    for (size_t i = 0; devices[i]; i++)
      list_add(known, sizeof known, devices[i]->name);
    return error_set(error, STATUS_DEVICE, "--device: this halo has no device %s; it has %s", name,
                     known);
  }
  if (colon && !(*device)->select)
    return error_set(error, STATUS_USAGE, "--device: there is only one %s; leave out %s", name,
                     colon);
  return (!colon || (*device)->select(colon + 1, error)) && device_check(*device, error);
}

/* Finds a device for a path that was named, where none was: the cpu, or a GPU, but the emulator only
   where it is asked for. */
static bool path_place(const struct path **path, const char *name, const struct device *device,
                       struct error *error)
{
  const char *reason;

  if (device) {
    *path = path_find(name, device);
    return *path || name_unknown(name, device, error);
  }
  *path = path_find(name, NULL);
  if (!*path)
    return name_unknown(name, NULL, error);
  if ((*path)->device == &device_emulated)
    return error_set(error, STATUS_DEVICE,
                     "--path: %s needs the device cuda, and this halo was built without it; "
                     "--device=emulated runs it slowly",
                     name);
  reason = (*path)->device->missing();
  return !reason || error_set(error, STATUS_DEVICE,
                              "--path: %s needs the device %s, which can't be used: %s; "
                              "--device=emulated runs it slowly",
                              name, (*path)->device->name, reason);
}

static bool choice_add_list(struct choice *choice, const struct device *device, const char *names,
                            struct error *error)
{
  char *list = strdup(names), *rest = list, *name;
  bool added = list || error_set(error, STATUS_FAILED, "no memory for the names of paths");
  const struct path *path;

  while (added && (name = strsep(&rest, ",")))
    added = path_place(&path, name, device, error) && choice_add(choice, path, error);
  free(list);
  return added;
}

static void choice_every(struct choice *choice, const struct device *device)
{
  choice->every = true;
  for (size_t i = 0; devices[i]; i++)
    if (device ? devices[i] == device : devices[i] != &device_emulated && !devices[i]->missing())
      choice_add_all(choice, devices[i]);
  snprintf(choice->why, sizeof choice->why, "every path%s%s", device ? " of the device " : "",
           device ? device->name : "");
}

const struct path *choice_best(const struct device *device)
{
  return device == &device_cpu ? &path_cpu_vector : path_find("register", device);
}

bool choice_make(struct choice *choice, const struct settings *settings, struct error *error)
{
  const struct device *device;

  memset(choice, 0, sizeof *choice);
  choice->threads = settings->threads ? (size_t)settings->threads : parallel_cores();
  choice->pictures = settings->file_count ? settings->file_count : 1;
  if (!choice_device(&device, settings->device, error))
    return false;
  /* --explain counts accesses to memory, which only the emulator sees; reports show every path that can run
     unless some are named. */
  if (settings->task == TASK_EXPLAIN && !device)
    device = &device_emulated;
  if (strcmp(settings->paths, "all") == 0 ||
      (settings->task != TASK_CONVOLVE && strcmp(settings->paths, "auto") == 0)) {
    choice_every(choice, device);
    return true;
  }
  if (strcmp(settings->paths, "auto") != 0) {
    snprintf(choice->why, sizeof choice->why, "path %s, as asked", settings->paths);
    return choice_add_list(choice, device, settings->paths, error);
  }
  choice->automatic = true;
  choice->open = !device; /* choice_settle() then says why */
  choice->paths[choice->count++] = choice_best(device ? device : &device_cpu);
  if (device)
    snprintf(choice->why, sizeof choice->why, "path %s on the device %s, as asked",
             choice->paths[0]->name, device->name);
  return true;
}
