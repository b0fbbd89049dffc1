/* The clock that everything here is timed by. */
#ifndef HALO_CLOCK_H
#define HALO_CLOCK_H

#ifdef __cplusplus
extern "C" {
#endif

/* Nanoseconds of the monotonic clock. */
unsigned long long clock_nanoseconds(void);

#ifdef __cplusplus
}
#endif
#endif
