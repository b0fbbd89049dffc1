/* Temporary files: none is left when halo ends, whichever way, with other threads in the midst of making
   some. */
#include "config.h"

#include <check.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "temporary.h"
#include "scratch.h"
#include "unit.h"

enum { THREADS = 4, ROUNDS = 60, MANY = 700 };

static int file_make(struct temporary *temporary)
{
  int descriptor = temporary_open(temporary, "./result", ".halo", "tmp", 0666);

  if (descriptor >= 0)
    close(descriptor);
  return descriptor;
}

/* Makes files and ends them in both ways, for ever. */
static void *files_make(void *nothing)
{
  struct temporary kept, dropped;

  for (;;) {
    if (file_make(&kept) < 0 || file_make(&dropped) < 0 || !temporary_rename(&kept, "result"))
      _exit(99);
    temporary_remove(&dropped);
  }
  return nothing;
}

static void *exit_call(void *delay)
{
  nanosleep(delay, NULL);
  exit(7);
}

/* A process that makes files in several threads; one of them calls exit() after the delay, if there is
   one. */
static pid_t process_start(struct timespec *exit_after)
{
  pid_t process = fork();

  if (process == 0) {
    pthread_t thread;

    temporary_guard();
    for (int i = 0; i < THREADS; i++)
      pthread_create(&thread, NULL, files_make, NULL);
    if (exit_after)
      pthread_create(&thread, NULL, exit_call, exit_after);
    for (;;)
      pause();
  }
  ck_assert_int_gt(process, 0);
  return process;
}

START_TEST(a_signal_leaves_nothing)
{
  static const int numbers[] = {SIGHUP, SIGPIPE, SIGUSR1, SIGXFSZ}; /* Check handles others */

  for (int round = 0; round < ROUNDS; round++) {
    struct timespec delay = {.tv_nsec = 1000000 + round * 17001};
    int number = numbers[round % 4], status;
    pid_t process = process_start(NULL);

    nanosleep(&delay, NULL);
    /* Before it is guarded there is nothing to remove, and the signal ends it as well. */
    kill(process, number);
    ck_assert_int_eq(waitpid(process, &status, 0), process);
    ck_assert_msg(WIFSIGNALED(status) && WTERMSIG(status) == number, "status %x", status);
    ck_assert_int_eq(scratch_files(".halo-"), 0);
  }
}
END_TEST

START_TEST(an_exit_leaves_nothing)
{
  for (int round = 0; round < ROUNDS; round++) {
    struct timespec delay = {.tv_nsec = 500000 + round * 17001};
    pid_t process = process_start(&delay);
    int status;

    ck_assert_int_eq(waitpid(process, &status, 0), process);
    ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == 7, "status %x", status);
    ck_assert_int_eq(scratch_files(".halo-"), 0);
  }
}
END_TEST

START_TEST(any_number_of_files_is_removed)
{
  static struct temporary files[MANY];
  pid_t process = fork();
  int status;

  if (process == 0) {
    temporary_guard();
    for (int i = 0; i < MANY; i++)
      if (file_make(&files[i]) < 0)
        _exit(99);
    if (scratch_files(".halo-") != MANY)
      _exit(98);
    raise(SIGVTALRM);
  }
  ck_assert_int_eq(waitpid(process, &status, 0), process);
  ck_assert_msg(WIFSIGNALED(status) && WTERMSIG(status) == SIGVTALRM, "status %x", status);
  ck_assert_int_eq(scratch_files(".halo-"), 0);
}
END_TEST

START_TEST(what_was_ignored_or_handled_stays_so)
{
  struct sigaction action;

  signal(SIGUSR1, SIG_IGN);
  signal(SIGUSR2, SIG_DFL);
  signal(SIGCHLD, SIG_DFL);
  temporary_guard();
  ck_assert(sigaction(SIGUSR1, NULL, &action) == 0 && action.sa_handler == SIG_IGN);
  ck_assert(sigaction(SIGUSR2, NULL, &action) == 0 && action.sa_handler != SIG_DFL);
  ck_assert(sigaction(SIGCHLD, NULL, &action) == 0 && action.sa_handler == SIG_DFL);
}
END_TEST

START_TEST(names_lie_beside_the_target_and_differ)
{
  struct temporary one, other;

  ck_assert_int_eq(mkdir("sub", 0777), 0);
  ck_assert_int_ge(temporary_open(&one, "sub/a", ".halo", "tmp", 0666), 0);
  ck_assert_int_ge(temporary_open(&other, "sub/a", ".halo", "tmp", 0666), 0);
  ck_assert_int_eq(strncmp(one.name, "sub/.halo-", 10), 0);
  ck_assert_str_ne(one.name, other.name);
  ck_assert(temporary_rename(&one, "sub/a"));
  ck_assert_int_eq(access("sub/a", F_OK), 0);
  ck_assert_ptr_null(one.name);
  temporary_remove(&other);
  temporary_remove(&other);
  ck_assert_int_eq(temporary_open(&one, "none/a", ".halo", "tmp", 0666), -1);
  ck_assert_ptr_null(one.name);
}
END_TEST

int main(void)
{
  TCase *test = tcase_create("temporary");

  tcase_set_timeout(test, 60);
  tcase_add_checked_fixture(test, scratch_enter, scratch_leave);
  tcase_add_test(test, a_signal_leaves_nothing);
  tcase_add_test(test, an_exit_leaves_nothing);
  tcase_add_test(test, any_number_of_files_is_removed);
  tcase_add_test(test, what_was_ignored_or_handled_stays_so);
  tcase_add_test(test, names_lie_beside_the_target_and_differ);
  return unit_run("temporary", test);
}
