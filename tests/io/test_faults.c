/*
 * Every single allocation of reading and writing may fail: the status says so, nothing leaks.
 */
#include "support.h"
#include "texts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool read_one(nsds_context *context, const void *text) {
  nsds_problem_file *file = read_string(context, text, NSDS_FORMAT_AUTO);
  nsds_problem_file_destroy(file);
  return file != NULL;
}

static void test_read(void **unused) {
  (void)unused;
  for (size_t k = 0; k < COUNT(good_texts); ++k) sweep_faults(read_one, good_texts[k]);
}

static bool read_path(nsds_context *context, const void *path) {
  nsds_problem_file *file = nsds_problem_read(context, path);
  nsds_problem_file_destroy(file);
  return file != NULL;
}

/* Two mebibytes of spaces in front: the memory grows several times. */
static void test_read_file(void **unused) {
  (void)unused;
  size_t spaces = 1 << 21, size = strlen(good_texts[0]);
  char *data = malloc(spaces + size);
  assert_non_null(data);
  memset(data, ' ', spaces);
  memcpy(data + spaces, good_texts[0], size);
  put_file("faults.dat", data, spaces + size);
  free(data);
  sweep_faults(read_path, "faults.dat");
  remove("faults.dat");
}

typedef struct output {
  const nsds_problem *problem;
  const nsds_global_problem *global;
  const char *path;
} output;

static bool write_one(nsds_context *context, const void *subject) {
  const output *o = subject;
  if (o->global) return nsds_global_write(context, o->global, o->path, NSDS_FORMAT_AUTO) == NSDS_OK;
  return nsds_problem_write(context, o->problem, o->path, NSDS_FORMAT_AUTO) == NSDS_OK;
}

static void write_all(const char *path, bool friction_only) {
  nsds_context *context = nsds_context_create(NULL);
  for (size_t k = 0; k < COUNT(good_texts); ++k) {
    nsds_problem_file *file = must_read(context, good_texts[k], NSDS_FORMAT_AUTO);
    bool friction = nsds_problem_file_kind(file)[0] == 'f';
    output o = {nsds_problem_file_problem(file), nsds_problem_file_global(file), path};
    if (friction || !friction_only) sweep_faults(write_one, &o);
    nsds_problem_file_destroy(file);
  }
  remove(path);
  nsds_context_destroy(context);
}

static void test_write(void **unused) {
  (void)unused;
  write_all("faults_written.dat", false);
}

/* W alone; test_fclib.c has a file with everything. */
static void test_fclib(void **unused) {
  (void)unused;
#if NSDS_HAVE_HDF5
  write_all("faults.hdf5", true);
  nsds_context *context = nsds_context_create(NULL);
  nsds_problem_file *file = must_read(context, good_texts[10], NSDS_FORMAT_AUTO);
  assert_int_equal(nsds_problem_write(context, nsds_problem_file_problem(file), "faults.hdf5", 0),
                   NSDS_OK);
  sweep_faults(read_path, "faults.hdf5");
  remove("faults.hdf5");
  nsds_problem_file_destroy(file);
  nsds_context_destroy(context);
#endif
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_read),
      cmocka_unit_test(test_read_file),
      cmocka_unit_test(test_write),
      cmocka_unit_test(test_fclib),
  };
  return cmocka_run_group_tests_name("io.faults", tests, NULL, NULL);
}
