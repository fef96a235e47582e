/*
 * Helpers of the kernel tests: assertions on numbers and statuses, reference tables, snapshots of a
 * model's arrays, an allocator that counts and fails on request, random numbers of one's own.
 */
#ifndef NSDS_TEST_KERNEL_SUPPORT_H
#define NSDS_TEST_KERNEL_SUPPORT_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <nsds/nsds.h>

/* Long runs take ten times as long under sanitizers: there they are a tenth as long. */
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
enum { test_long = 10000 };
#else
enum { test_long = 100000 };
#endif

/* ---- assertions ---- */

/* |actual - expected| <= tolerance; fails on NaN and prints both values. */
#define assert_near(actual, expected, tolerance)                                                   \
  check_near((actual), (expected), (tolerance), #actual, __FILE__, __LINE__)
void check_near(double actual, double expected, double tolerance, const char *text,
                const char *file, int line);

/* low <= actual <= high; fails on NaN. */
#define assert_between(actual, low, high)                                                          \
  check_between((actual), (low), (high), #actual, __FILE__, __LINE__)
void check_between(double actual, double low, double high, const char *text, const char *file,
                   int line);

/* A status, with the message of the model's context when it is another one. */
#define assert_status(model, call, expected)                                                       \
  check_status(nsds_model_context(model), (call), (expected), #call, __FILE__, __LINE__)
#define assert_ok(model, call) assert_status(model, call, NSDS_OK)
void check_status(nsds_context *context, nsds_status status, nsds_status expected, const char *text,
                  const char *file, int line);

/* No call on this model has failed so far. */
#define assert_sound(model)                                                                        \
  check_status(nsds_model_context(model), nsds_error(nsds_model_context(model)), NSDS_OK,          \
               "nsds_error()", __FILE__, __LINE__)

/* `message` contains every one of the `count` words (NULL entries are skipped). */
#define assert_words(message, words, count)                                                        \
  check_words((message), (words), (count), __FILE__, __LINE__)
void check_words(const char *message, const char *const *words, int count, const char *file,
                 int line);

/* Creates a simulation and makes `steps` steps that must succeed; 0: to the end. */
nsds_simulation *run(nsds_model *model, const nsds_time_stepping_def *def, long steps);

/* Order of convergence seen when the error falls from `coarse` to `fine` on halving h. */
double order_of(double coarse, double fine);

/* The larger of two values; NaN when one is (fmax() would hide it). */
double worse(double a, double b);

/* ---- reference tables ---- */

typedef struct table {
  int rows, cols;
  double *x; /* row by row */
} table;

/* Reads reference/<name>.ref. Skips the running test when there is no reference data. */
table table_read(const char *name);
void table_free(table *t);
static inline double table_at(const table *t, int row, int col) {
  return t->x[(size_t)row * (size_t)t->cols + (size_t)col];
}

/* Largest deviation from a table per column, and whether each is within its allowance. */
enum { table_max_columns = 48 };
typedef struct deviation {
  const table *reference;
  double largest[table_max_columns];
} deviation;

void deviation_note(deviation *d, int row, int col, double value);
/* Prints the figure of the columns [first, last] in steps of `stride` and fails above `allowed`. */
void deviation_check(const deviation *d, const char *what, int first, int last, int stride,
                     double allowed);

/* ---- the whole state of a model, bit by bit ---- */

typedef struct snapshot {
  size_t count;
  double *x; /* q, v, p, reaction, x, r of the systems; y, dy/dt, P, activity of the interactions */
} snapshot;

snapshot snapshot_take(const nsds_model *model);
void snapshot_free(snapshot *s);
/* Fails unless the model is, bit by bit, as when the snapshot was taken. */
void snapshot_check(const snapshot *s, const nsds_model *model, const char *occasion);
/* A fingerprint of the same bits, to be chained over the steps of a run. */
uint64_t state_hash(const nsds_model *model, uint64_t seed);

/* ---- memory ---- */

/* What went through the hooks of a context. */
typedef struct meter {
  long calls;         /* allocations asked for so far */
  long live;          /* not yet released */
  size_t bytes, peak; /* held now, and at most */
  long fail_at;       /* the call that is refused; 0: none */
  bool fail_on;       /* and every later one */
  bool failed;        /* a call was refused */
} meter;

nsds_context *meter_context(meter *m);

/* ---- random numbers ---- */

double random_in(uint64_t *state, double low, double high);

#endif
