/*
 * Copies and zeros of doubles. C libraries copy some thousand bytes by one instruction (rep movs). Some
 * processors, and many virtual machines, execute it far slower than a loop of short copies.
 */
#ifndef NSDS_SRC_COPY_H
#define NSDS_SRC_COPY_H

#include <stddef.h>

/* Doubles up to this number are copied and zeroed one by one. A narrow load would have to wait for
 * the wide or masked stores of the C library. */
enum { nsds_few_doubles = 16 };

/* Do the same for many doubles. */
void nsds_copy_many(double *to, const double *from, size_t n);
void nsds_zero_many(double *x, size_t n);

static inline void nsds_copy_doubles(double *to, const double *from, size_t n) {
  if (n > nsds_few_doubles) {
    nsds_copy_many(to, from, n);
    return;
  }
  for (size_t k = 0; k < n; ++k) ((volatile double *)to)[k] = from[k];
}

static inline void nsds_zero_doubles(double *x, size_t n) {
  if (n > nsds_few_doubles) {
    nsds_zero_many(x, n);
    return;
  }
  for (size_t k = 0; k < n; ++k) ((volatile double *)x)[k] = 0.0;
}

#endif
