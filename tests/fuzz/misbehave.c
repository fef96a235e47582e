/*
 * Faults of callbacks. Before a call it is chosen which of the callbacks to come goes wrong, and how:
 * it returns something else than success, spoils its results, or calls the library. An allocation may
 * fail, too, or call the library.
 */
#include "fuzz.h"

#include <math.h>
#include <stdlib.h>

typedef enum fault {
  POSITIVE,
  NEGATIVE,
  NOT_A_NUMBER,
  INFINITE,
  MINUS_INFINITE,
  HUGE_FIRST,
  HUGE_LAST,
  CALLS_LIBRARY,
  fault_count
} fault;

static struct {
  long callbacks, allocations; /* until one goes wrong; 0: none does */
  bool lasts;                  /* and all later ones */
  fault how;
  bool hook_calls; /* an allocation calls the library where others fail */
} plan;

void disarm(void) { plan.callbacks = plan.allocations = 0; }

bool armed(void) { return plan.callbacks > 0 || plan.allocations > 0; }

void arm(void) {
  disarm();
  if (!chance(15)) return;
  plan.how = (fault)pick(fault_count);
  plan.lasts = chance(10);
  if (odd(15)) {
    plan.allocations = 1 + (long)pick(40);
    plan.hook_calls = chance(20);
  } else {
    plan.callbacks = 1 + (long)pick(chance(50) ? 8 : 60);
  }
}

/* Whether it is this one's turn. */
static bool turn(long *left) {
  if (*left == 0 || --*left > 0) return false;
  if (plan.lasts) *left = 1;
  return true;
}

bool allocation_fails(void) {
  if (!turn(&plan.allocations)) return false;
  if (plan.hook_calls) {
    run_inside();
    return false;
  }
  return true;
}

static void spoil(double *out, int n, fault how) {
  if (!out || n < 1) return;
  switch (how) {
  case NOT_A_NUMBER: out[n - 1] = NAN; break;
  case INFINITE: out[0] = INFINITY; break;
  case MINUS_INFINITE: out[n - 1] = -INFINITY; break;
  case HUGE_FIRST: out[0] = 1e308; break;
  case HUGE_LAST: out[n - 1] = -1e200; break;
  default: break;
  }
}

int misbehave(double *out, int n) {
  if (!turn(&plan.callbacks)) return 0;
  spoil(out, n, plan.how);
  if (plan.how == CALLS_LIBRARY) run_inside();
  return plan.how == POSITIVE ? 1 + (int)pick(3) : plan.how == NEGATIVE ? -1 - (int)pick(3) : 0;
}

nsds_status misbehave_status(double *out, int n) {
  static const int statuses[] = {NSDS_STOPPED,
                                 NSDS_ERROR_NEWTON,
                                 NSDS_ERROR_CALLBACK,
                                 NSDS_AGAIN,
                                 NSDS_ERROR_VALUE,
                                 NSDS_ERROR_SOLVER,
                                 NSDS_END,
                                 NSDS_ERROR_SINGULAR,
                                 NSDS_ERROR_MEMORY,
                                 NSDS_ERROR_SIZE,
                                 7,
                                 -77};
  if (misbehave(out, n) == 0) return NSDS_OK;
  return (nsds_status)statuses[pick(sizeof statuses / sizeof *statuses)];
}
