/*
 * Numbers of twice the working precision: unevaluated sums high + low with |low| <= ulp(high) / 2
 * (Dekker: Numer. Math. 18, 1971; Knuth: The Art of Computer Programming 2, 4.2.2). A product of
 * two doubles is exact. A sum loses about 2^-104 of its terms.
 */
#ifndef NSDS_SRC_TWICE_H
#define NSDS_SRC_TWICE_H

#include <math.h>

typedef struct nsds_twice {
  double high, low;
} nsds_twice;

/* Returns a + b without rounding. */
static inline nsds_twice nsds_twice_of_sum(double a, double b) {
  double sum = a + b, from_b = sum - a;
  return (nsds_twice){sum, (a - (sum - from_b)) + (b - from_b)};
}

/* Returns a b without rounding, unless that underflows. */
static inline nsds_twice nsds_twice_of_product(double a, double b) {
  double product = a * b;
  return (nsds_twice){product, fma(a, b, -product)};
}

static inline nsds_twice nsds_twice_add(nsds_twice a, nsds_twice b) {
  nsds_twice sum = nsds_twice_of_sum(a.high, b.high), rest = nsds_twice_of_sum(a.low, b.low);
  sum = nsds_twice_of_sum(sum.high, sum.low + rest.high);
  return nsds_twice_of_sum(sum.high, sum.low + rest.low);
}

static inline nsds_twice nsds_twice_scale(nsds_twice a, double factor) {
  nsds_twice product = nsds_twice_of_product(a.high, factor);
  return nsds_twice_of_sum(product.high, product.low + a.low * factor);
}

static inline nsds_twice nsds_twice_times(nsds_twice a, nsds_twice b) {
  nsds_twice product = nsds_twice_of_product(a.high, b.high);
  return nsds_twice_of_sum(product.high, product.low + (a.high * b.low + a.low * b.high));
}

static inline nsds_twice nsds_twice_minus(nsds_twice a) { return (nsds_twice){-a.high, -a.low}; }

/* Returns a / b, by two steps of long division. */
static inline nsds_twice nsds_twice_over(nsds_twice a, nsds_twice b) {
  double first = a.high / b.high;
  nsds_twice rest = nsds_twice_add(a, nsds_twice_scale(b, -first));
  double second = rest.high / b.high;
  rest = nsds_twice_add(rest, nsds_twice_scale(b, -second));
  nsds_twice sum = nsds_twice_of_sum(first, second);
  return nsds_twice_of_sum(sum.high, sum.low + rest.high / b.high);
}

#endif
