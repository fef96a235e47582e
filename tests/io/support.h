/*
 * Shared by the tests of the io room: CMocka, texts as files, check numbers of a problem, metered
 * allocation.
 */
#ifndef NSDS_TEST_IO_SUPPORT_H
#define NSDS_TEST_IO_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "io/problem_file.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* Allocation that is counted and can fail. */
typedef struct meter {
  long count;     /* allocations so far */
  long live;      /* not yet released */
  long fail_at;   /* this one fails, 0: none */
  size_t largest; /* bytes of the largest one */
} meter;

nsds_context *metered_context(meter *m);

/* Runs the action with its k-th allocation failing, for every k, until none fails: it returns
 * whether it was done, and when not, the error is NSDS_ERROR_MEMORY; nothing is left in memory. */
void sweep_faults(bool (*action)(nsds_context *context, const void *subject), const void *subject);

/* Reads a text as if it were a file named "text". */
nsds_problem_file *read_string(nsds_context *context, const char *text, nsds_format format);

/* The same, which has to succeed. */
nsds_problem_file *must_read(nsds_context *context, const char *text, nsds_format format);

/* The message contains every one of the words; the last is NULL. */
void assert_says(const char *message, ...);

/* a = sum (i+1) M_ij, c = sum sin(i+1) sin((j+1)^2) M_ij, q = sum q_i, indices from 0. */
typedef struct check_numbers {
  double a, c, q;
} check_numbers;

check_numbers check_numbers_of(const nsds_problem *problem);

/* M as a dense matrix, to be freed. */
double *dense_of(const nsds_problem *problem);

/* Both problems have the same blocks and, bit for bit, M and q. */
void assert_same_problem(const nsds_problem *a, const nsds_problem *b);

void assert_same_reals(const double *a, const double *b, size_t count);

/* The folder of the problems with their check numbers; skips the test where it is not there. */
const char *problems_folder(void);

/* Writes a file. */
void put_file(const char *path, const char *data, size_t size);

/* Reads a file into memory to be freed. */
char *get_file(const char *path, size_t *size);

#endif
