/* A folder of its own for each test that writes files. */
#ifndef HALO_TESTS_SCRATCH_H
#define HALO_TESTS_SCRATCH_H

/* For tcase_add_checked_fixture(): makes the folder and changes to it; removes it with all that is in it. */
void scratch_enter(void);
void scratch_leave(void);

/* How many files there are in it whose names begin with `prefix`. */
int scratch_files(const char *prefix);

#endif
