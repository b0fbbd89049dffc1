/* Output: the old file or the whole new one, held back until it is released. */
#include "config.h"

#include <check.h>
#include <fcntl.h>
#include <grp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "output.h"
#include "scratch.h"
#include "unit.h"

static void file_put(const char *name, const char *text)
{
  FILE *file = fopen(name, "w");

  ck_assert_ptr_nonnull(file);
  fputs(text, file);
  fclose(file);
}

static void file_expect(const char *name, const char *text)
{
  char read[64] = "";
  FILE *file = fopen(name, "r");

  ck_assert_msg(file != NULL, "%s is missing", name);
  read[fread(read, 1, sizeof read - 1, file)] = '\0';
  fclose(file);
  ck_assert_str_eq(read, text);
}

START_TEST(the_old_file_stays_until_commit)
{
  struct output output;
  struct error error;

  file_put("a", "old");
  ck_assert_int_eq(chmod("a", 0640), 0);
  ck_assert(output_open(&output, "a", &error));
  ck_assert(output_write(&output, "new", 3, &error));
  file_expect("a", "old");
  ck_assert(output_commit(&output, &error));
  file_expect("a", "new");
  ck_assert_int_eq(scratch_files(""), 1);
}
END_TEST

START_TEST(the_mode_is_kept)
{
  struct output output;
  struct error error;
  struct stat status;

  file_put("a", "old");
  ck_assert_int_eq(chmod("a", 0604), 0);
  ck_assert(output_open(&output, "a", &error));
  ck_assert(output_commit(&output, &error));
  ck_assert_int_eq(stat("a", &status), 0);
  ck_assert_int_eq(status.st_mode & 07777, 0604);
}
END_TEST

START_TEST(what_is_discarded_leaves_nothing)
{
  struct output output;
  struct error error;

  file_put("a", "old");
  ck_assert(output_open(&output, "a", &error));
  ck_assert(output_write(&output, "new", 3, &error));
  output_discard(&output);
  file_expect("a", "old");
  ck_assert(output_open(&output, "b", &error));
  output_discard(&output);
  ck_assert_int_eq(scratch_files(""), 1);
}
END_TEST

START_TEST(the_target_of_a_link_is_replaced)
{
  struct output output;
  struct error error;
  struct stat status;

  ck_assert_int_eq(mkdir("sub", 0777), 0);
  file_put("sub/a", "old");
  ck_assert_int_eq(symlink("sub/a", "link"), 0);
  ck_assert_int_eq(symlink("sub/none", "dangling"), 0);
  ck_assert_int_eq(symlink("circle", "circle"), 0);
  ck_assert(output_open(&output, "link", &error));
  ck_assert(output_write(&output, "new", 3, &error));
  ck_assert(output_commit(&output, &error));
  file_expect("sub/a", "new");
  ck_assert(lstat("link", &status) == 0 && S_ISLNK(status.st_mode));
  ck_assert(output_open(&output, "dangling", &error));
  ck_assert(output_commit(&output, &error));
  file_expect("sub/none", "");
  ck_assert(!output_open(&output, "circle", &error));
  ck_assert_ptr_nonnull(strstr(error.text, "symbolic links"));
}
END_TEST

START_TEST(what_cannot_be_written_says_why)
{
  static char large[1 << 20];
  struct output output;
  struct error error;

  ck_assert(!output_open(&output, "none/a", &error));
  ck_assert_ptr_nonnull(strstr(error.text, "No such file"));
  ck_assert(!output_open(&output, ".", &error));
  ck_assert_ptr_nonnull(strstr(error.text, "directory"));
  ck_assert(output_open(&output, "/dev/full", &error)); /* small: noticed at the end */
  ck_assert(output_write(&output, "x", 1, &error));
  ck_assert(!output_commit(&output, &error));
  ck_assert_ptr_nonnull(strstr(error.text, "No space"));
  ck_assert(output_open(&output, "/dev/full", &error)); /* large: noticed on the way */
  ck_assert(output_release(&output, &error));
  ck_assert(!output_write(&output, large, sizeof large, &error));
  output_discard(&output);
}
END_TEST

START_TEST(standard_output_is_held_back)
{
  struct output output;
  struct error error;
  int saved = dup(STDOUT_FILENO);
  int file = open("out", O_RDWR | O_CREAT, 0666);
  struct stat before, after;

  ck_assert_int_ge(saved, 0);
  ck_assert_int_ge(dup2(file, STDOUT_FILENO), 0);
  ck_assert(output_open(&output, NULL, &error));
  ck_assert(output_write(&output, "picture", 7, &error));
  fstat(file, &before);
  ck_assert(output_release(&output, &error));
  fstat(file, &after);
  dup2(saved, STDOUT_FILENO);
  ck_assert_int_eq(before.st_size, 0);
  ck_assert_int_eq(after.st_size, 7);
  output_discard(&output);
}
END_TEST

/* Opens a file that has some bytes, at their end, and gives its descriptor. */
static int file_begun(const char *name, int flags)
{
  int descriptor;

  file_put(name, "HEAD");
  descriptor = open(name, O_RDWR | flags);
  ck_assert_int_ge(descriptor, 0);
  ck_assert_int_eq(lseek(descriptor, 0, SEEK_END), 4);
  return descriptor;
}

START_TEST(a_name_of_a_descriptor_is_written_through_it)
{
  static const char *const names[] = {"/dev/fd/%d", "/proc/self/fd/%d", "/proc/thread-self/fd/%d",
                                      "/dev/../dev/fd/%d", "link"};
  struct output output;
  struct error error;
  struct stat before, after;
  char name[64];
  int descriptor = file_begun("a", 0), copy = dup(descriptor);

  snprintf(name, sizeof name, "/dev/fd/%d", descriptor);
  ck_assert_int_eq(symlink(name, "link"), 0);
  snprintf(name, sizeof name, names[_i], descriptor);
  ck_assert_int_eq(fstat(descriptor, &before), 0);
  ck_assert(output_check(name, &error));
  ck_assert(output_open(&output, name, &error));
  ck_assert(output_write(&output, "new", 3, &error));
  file_expect("a", "HEAD"); /* held back */
  ck_assert(output_commit(&output, &error));
  file_expect("a", "HEADnew");
  ck_assert_int_eq(write(copy, "TAIL", 4), 4);
  file_expect("a", "HEADnewTAIL");
  ck_assert_int_eq(stat("a", &after), 0);
  ck_assert_uint_eq(before.st_ino, after.st_ino);
  close(copy);
}
END_TEST

START_TEST(what_failed_adds_nothing_to_a_descriptor)
{
  struct output output;
  struct error error;
  char name[64];

  snprintf(name, sizeof name, "/dev/fd/%d", file_begun("a", O_APPEND));
  ck_assert(output_open(&output, name, &error));
  ck_assert(output_write(&output, "new", 3, &error));
  output_discard(&output);
  file_expect("a", "HEAD");
}
END_TEST

START_TEST(a_descriptor_must_be_open_for_writing)
{
  struct output output;
  struct error error;
  char name[64];

  file_put("a", "old");
  snprintf(name, sizeof name, "/dev/fd/%d", open("a", O_RDONLY));
  ck_assert(!output_check(name, &error));
  ck_assert_ptr_nonnull(strstr(error.text, "Bad file descriptor"));
  ck_assert(!output_open(&output, name, &error));
  ck_assert(!output_check("/dev/fd/987", &error));
  ck_assert_int_eq(strncmp(error.text, "/dev/fd/987: ", 13), 0);
  ck_assert(!output_open(&output, "/dev/fd/987", &error));
  ck_assert(output_check("7", &error)); /* a file of that name */
  ck_assert(output_open(&output, "7", &error));
  ck_assert(output_commit(&output, &error));
  file_expect("7", "");
}
END_TEST

/* What becomes of the mode of root's file when another user replaces it. */
static const struct {
  mode_t before, after;
} modes[] = {{0644, 0644},  {0664, 0644},  {0660, 0600}, {0755, 0755},
             {06775, 0755}, {02771, 0711}, {0646, 0644}};

START_TEST(rights_meant_for_a_group_go_to_no_other)
{
  struct output output;
  struct error error;
  struct stat status;

  if (geteuid() != 0) {
    puts("SKIP: only root can make files of two users");
    return;
  }
  file_put("a", "old");
  ck_assert_int_eq(chmod("a", modes[_i].before), 0);
  ck_assert_int_eq(chmod(".", 0777), 0);
  ck_assert(setgroups(0, NULL) == 0 && setegid(65534) == 0 && seteuid(65534) == 0);
  ck_assert(output_open(&output, "a", &error));
  ck_assert(output_commit(&output, &error));
  ck_assert_int_eq(stat("a", &status), 0);
  ck_assert(seteuid(0) == 0 && setegid(0) == 0);
  ck_assert_uint_eq(status.st_uid, 65534);
  ck_assert_msg((status.st_mode & 07777) == modes[_i].after, "%o became %o",
                (unsigned)modes[_i].before, (unsigned)status.st_mode & 07777);
}
END_TEST

START_TEST(a_directory_is_called_that)
{
  struct error error;

  ck_assert(!output_check(".", &error));
  ck_assert_int_eq(error.status, STATUS_USAGE);
  ck_assert_ptr_nonnull(strstr(error.text, "is a directory"));
  ck_assert_ptr_nonnull(strstr(error.text, "-d DIR"));
  ck_assert(output_check("none", &error));
  ck_assert_int_eq(scratch_files(""), 0);
}
END_TEST

int main(void)
{
  TCase *test = tcase_create("output");

  tcase_add_checked_fixture(test, scratch_enter, scratch_leave);
  tcase_add_test(test, the_old_file_stays_until_commit);
  tcase_add_test(test, the_mode_is_kept);
  tcase_add_test(test, what_is_discarded_leaves_nothing);
  tcase_add_test(test, the_target_of_a_link_is_replaced);
  tcase_add_test(test, what_cannot_be_written_says_why);
  tcase_add_test(test, standard_output_is_held_back);
  tcase_add_loop_test(test, a_name_of_a_descriptor_is_written_through_it, 0, 5);
  tcase_add_test(test, what_failed_adds_nothing_to_a_descriptor);
  tcase_add_test(test, a_descriptor_must_be_open_for_writing);
  tcase_add_loop_test(test, rights_meant_for_a_group_go_to_no_other, 0,
                      sizeof modes / sizeof *modes);
  tcase_add_test(test, a_directory_is_called_that);
  return unit_run("output", test);
}
