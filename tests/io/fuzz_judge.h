/*
 * What becomes of any bytes as a file: it is read or refused, a problem that was read is sound,
 * memory stays in proportion to the bytes, and none is left.
 */
#ifndef NSDS_TEST_IO_FUZZ_JUDGE_H
#define NSDS_TEST_IO_FUZZ_JUDGE_H

#include "io/problem_file.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A block of the problem may be announced with a word of two characters. */
enum { judge_bytes_each = 64, judge_bytes_always = 4096 };

typedef struct judge_meter {
  size_t live, most;
} judge_meter;

static void *judge_alloc(size_t size, void *user) {
  judge_meter *m = user;
  if (size > m->most) abort();
  ++m->live;
  return malloc(size);
}

static void judge_release(void *memory, void *user) {
  --((judge_meter *)user)->live;
  free(memory);
}

/* Symmetry and a positive diagonal of M are asked of the program that made the file, not of the
 * reader: what else nsds_global_check() finds is a defect. */
static bool sound(nsds_context *context, const nsds_problem_file *file) {
  const nsds_problem *local = nsds_problem_file_problem(file);
  if (local) return nsds_problem_check(context, local) == NSDS_OK;
  nsds_status status = nsds_global_check(context, nsds_problem_file_global(file));
  return status == NSDS_OK || status == NSDS_ERROR_VALUE;
}

static void judge(const uint8_t *data, size_t size, nsds_format format) {
  judge_meter m = {.most = judge_bytes_always + judge_bytes_each * size};
  nsds_context *context = nsds_context_create(
      &(nsds_context_def){.alloc = judge_alloc, .release = judge_release, .alloc_user = &m});
  nsds_problem_file *file =
      nsds_problem_read_memory(context, "fuzz", (const char *)data, size, format);
  nsds_status status = nsds_error(context);
  if (file ? status != NSDS_OK : status != NSDS_ERROR_FORMAT) abort();
  if (file && !sound(context, file)) abort();
  nsds_problem_file_destroy(file);
  nsds_context_destroy(context);
  if (m.live != 0) abort();
}

#endif
