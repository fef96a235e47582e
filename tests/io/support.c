#include "support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- allocation ---- */

static void *metered_alloc(size_t size, void *user) {
  meter *m = user;
  if (++m->count == m->fail_at) return NULL;
  if (size > m->largest) m->largest = size;
  void *memory = malloc(size);
  if (memory) ++m->live;
  return memory;
}

static void metered_release(void *memory, void *user) {
  --((meter *)user)->live;
  free(memory);
}

nsds_context *metered_context(meter *m) {
  return nsds_context_create(
      &(nsds_context_def){.alloc = metered_alloc, .release = metered_release, .alloc_user = m});
}

void sweep_faults(bool (*action)(nsds_context *context, const void *subject), const void *subject) {
  for (long k = 1;; ++k) {
    meter m = {.fail_at = k};
    nsds_context *context = metered_context(&m);
    bool failed = !context || m.count >= k;
    if (context) {
      bool done = action(context, subject);
      failed = m.count >= k;
      assert_int_equal(done, !failed);
      assert_int_equal(nsds_error(context), failed ? NSDS_ERROR_MEMORY : NSDS_OK);
      nsds_context_destroy(context);
    }
    assert_int_equal(m.live, 0);
    if (!failed) break;
  }
}

/* ---- reading ---- */

nsds_problem_file *read_string(nsds_context *context, const char *text, nsds_format format) {
  size_t size = strlen(text);
  char *exact = malloc(size + 1); /* not one byte more, so that sanitizers see reads behind it */
  assert_non_null(exact);
  memcpy(exact, text, size);
  char *shrunk = realloc(exact, size ? size : 1);
  nsds_problem_file *file = nsds_problem_read_memory(context, "text", shrunk, size, format);
  free(shrunk);
  return file;
}

nsds_problem_file *must_read(nsds_context *context, const char *text, nsds_format format) {
  nsds_problem_file *file = read_string(context, text, format);
  if (!file) fail_msg("%s", nsds_error_message(context));
  return file;
}

void assert_says(const char *message, ...) {
  va_list words;
  va_start(words, message);
  for (const char *word; (word = va_arg(words, const char *));)
    if (!strstr(message, word)) fail_msg("\"%s\" does not say \"%s\"", message, word);
  va_end(words);
}

/* ---- problems ---- */

double *dense_of(const nsds_problem *problem) {
  size_t n = (size_t)problem->n;
  double *dense = calloc(n * n + 1, sizeof *dense);
  assert_non_null(dense);
  nsds_problem_to_dense(problem, dense);
  return dense;
}

check_numbers check_numbers_of(const nsds_problem *problem) {
  check_numbers sum = {0};
  double *M = dense_of(problem);
  int n = problem->n;
  for (int j = 0; j < n; ++j) {
    double column = sin((double)(j + 1) * (double)(j + 1));
    for (int i = 0; i < n; ++i) {
      double entry = M[i + (size_t)j * (size_t)n];
      sum.a += (i + 1) * entry;
      sum.c += sin(i + 1.0) * column * entry;
    }
    sum.q += problem->q[j];
  }
  free(M);
  return sum;
}

void assert_same_reals(const double *a, const double *b, size_t count) {
  for (size_t k = 0; k < count; ++k)
    if (memcmp(&a[k], &b[k], sizeof *a) != 0) fail_msg("entry %zu: %a and %a", k, a[k], b[k]);
}

static void assert_same_blocks(const nsds_problem *a, const nsds_problem *b) {
  assert_int_equal(a->nblock, b->nblock);
  for (int k = 0; k < a->nblock; ++k) {
    assert_int_equal(a->block[k].set, b->block[k].set);
    assert_int_equal(a->block[k].size, b->block[k].size);
    assert_same_reals(&a->block[k].mu, &b->block[k].mu, 1);
  }
}

void assert_same_problem(const nsds_problem *a, const nsds_problem *b) {
  assert_int_equal(a->n, b->n);
  assert_same_blocks(a, b);
  double *A = dense_of(a), *B = dense_of(b);
  for (size_t k = 0; k < (size_t)a->n * (size_t)a->n; ++k)
    if (memcmp(&A[k], &B[k], sizeof *A) != 0) fail_msg("entry %zu of M: %a and %a", k, A[k], B[k]);
  free(A);
  free(B);
  assert_same_reals(a->q, b->q, (size_t)a->n);
}

/* ---- files ---- */

const char *problems_folder(void) {
  static const char folder[] = NSDS_TEST_DATA "/problems";
  FILE *file = NSDS_TEST_DATA[0] ? fopen(NSDS_TEST_DATA "/problems/README.md", "r") : NULL;
  if (!file) {
    printf("skipped: reference data not present\n");
    fflush(stdout);
    skip();
  }
  fclose(file);
  return folder;
}

void put_file(const char *path, const char *data, size_t size) {
  FILE *file = fopen(path, "wb");
  assert_non_null(file);
  assert_int_equal(fwrite(data, 1, size, file), size);
  assert_int_equal(fclose(file), 0);
}

char *get_file(const char *path, size_t *size) {
  FILE *file = fopen(path, "rb");
  assert_non_null(file);
  assert_int_equal(fseek(file, 0, SEEK_END), 0);
  *size = (size_t)ftell(file);
  rewind(file);
  char *data = malloc(*size + 1);
  assert_non_null(data);
  assert_int_equal(fread(data, 1, *size, file), *size);
  fclose(file);
  return data;
}
