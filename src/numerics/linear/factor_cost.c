/* The cost of a factorization beside the time and memory left. */
#include "numerics/linear/factor_cost.h"

#include "base/parallel.h"

/* Smaller factorizations, some hundredths of a second, are neither measured nor foreseen. */
static const double large = 1e7; /* operations */

/* Operations a second until some have been measured: sparse factors on a fast processor. */
static const double usual = 1e9;

bool nsds_factor_may_begin(nsds_factor *factor, double operations, double bytes) {
  nsds_allowance *a = factor->allowance;
  if (!a) return true;
  bool fits = !(a->bytes > 0.0 && a->formed + bytes > a->bytes), soon = true;
  if (a->deadline > 0.0 && operations > large) {
    double seconds = operations / (factor->rate > 0.0 ? factor->rate : usual);
    soon = nsds_seconds() + seconds < a->deadline;
  }
  return (fits && soon) || !nsds_allowance_refuse(a, !soon);
}

double nsds_factor_begins(const nsds_factor *factor, double operations) {
  bool wanted = factor->allowance && factor->allowance->deadline > 0.0 && operations > large;
  return wanted ? nsds_seconds() : 0.0;
}

void nsds_factor_ends(nsds_factor *factor, double operations, double begin) {
  if (begin > 0.0) factor->rate = operations / fmax(nsds_seconds() - begin, 1e-6);
}
