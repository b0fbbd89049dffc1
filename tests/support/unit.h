/* What the main() of every unit test ends with.

   A test program makes a test case of Check's, adds its tests to it, and returns what unit_run() makes
   of them:

       int main(void)
       {
         TCase *test = tcase_create("index");

         tcase_add_test(test, far_outside);
         return unit_run("border", test);
       } */
#ifndef HALO_TESTS_UNIT_H
#define HALO_TESTS_UNIT_H

#include <check.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Runs the tests as a suite of this name, each in a process of its own unless $CK_FORK is `no`; returns
   the exit status. */
int unit_run(const char *suite, TCase *tests);

#ifdef __cplusplus
}
#endif

#endif
