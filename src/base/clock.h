/* The clock for all measurements of time. */
#ifndef HALO_CLOCK_H
#define HALO_CLOCK_H

#ifdef __cplusplus
extern "C" {
#endif

/* Nanoseconds of the monotonic clock, from an arbitrary start: only differences mean something. */
unsigned long long clock_nanoseconds(void);

#ifdef __cplusplus
}
#endif
#endif
