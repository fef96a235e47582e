/* The stages of a step, and their acceptance. */
#ifndef NSDS_SRC_ADAPTIVE_STAGE_H
#define NSDS_SRC_ADAPTIVE_STAGE_H

#include "kernel/adaptive/adaptive_driver.h"

static const double nsds_gamma_stage = 0.29289321881345247559915563789515; /* 1 - 1 / sqrt(2) */

/* Solves a stage of length a at t from `before` into `end`; with frozen modes, or by the laws. */
nsds_status nsds_adaptive_solve(nsds_adaptive_driver *d, double a, double t, const double *before,
                                const double *guess, bool frozen, nsds_adaptive_instant *end);
/* Tries a step of length h with frozen modes: `middle`, then `trial`. */
nsds_status nsds_adaptive_try(nsds_adaptive_driver *d, double h);
/* Returns the error of the step that was tried; 1: as large as it may be. */
double nsds_adaptive_error(nsds_adaptive_driver *d, double h);
/* Returns the same of the step by the laws that was tried, by the change of dx/dt. */
double nsds_adaptive_error_by_laws(nsds_adaptive_driver *d, double h);
/* Accepts `trial`. `middle_weight`: share of the step that `middle` stands for; 0: there is no such stage. */
void nsds_adaptive_accept(nsds_adaptive_driver *d, double middle_weight);

/* Reports that no step has been found. */
nsds_status nsds_adaptive_failed(nsds_adaptive_driver *d, nsds_status status);
/* Returns true if a shorter step may help after this failure. */
static inline bool nsds_adaptive_may_shorten(nsds_status status) {
  return status == NSDS_ERROR_NEWTON || status == NSDS_ERROR_SOLVER ||
         status == NSDS_ERROR_SINGULAR || status == NSDS_ERROR_CALLBACK;
}
/* Begins to watch failures of functions. */
void nsds_adaptive_watch(nsds_adaptive_driver *d);
/* Forgets the failure of a function before a shorter step. */
void nsds_adaptive_forgive(nsds_adaptive_driver *d, nsds_status status);

#endif
