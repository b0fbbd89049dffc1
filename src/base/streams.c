/* The standard streams: see streams.h. */
#include "streams.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Each is opened the wrong way round, so that using it fails: standard input for writing only, the others
   for reading only. */
void streams_open(void)
{
  for (int descriptor = 0; descriptor < 3; descriptor++)
    if (fcntl(descriptor, F_GETFD) == -1)
      open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY);
}

/* Network file systems report some errors only when a descriptor is closed, whichever of those that
   share the file. */
static bool descriptor_settle(int descriptor)
{
  int copy = dup(descriptor);

  return copy < 0 || close(copy) == 0;
}

bool streams_finish(struct error *error)
{
  errno = 0;
  if (fflush(stdout) == 0 && !ferror(stdout) && descriptor_settle(STDOUT_FILENO))
    return true;
  return error_set(error, STATUS_FAILED, "standard output: can't be written: %s",
                   errno ? strerror(errno) : "an earlier write failed");
}
