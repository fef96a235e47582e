/* Consistency of mass matrices; see mass_check.c. A dense matrix is given with p = i = NULL. */
#ifndef NSDS_SRC_MASS_CHECK_H
#define NSDS_SRC_MASS_CHECK_H

#include "kernel/modeling/modeling.h"

/* Limits of a diagonal entry, so that squares of the entry and its inverse do not overflow, nor do
 * energies, norms and Schur complements. */
static const double nsds_least_mass = 1e-150;
static const double nsds_most_mass = 1e150;

/* Checks that mass or moment of inertia `field` is in that range. Otherwise records a message
 * "<call>: <label>: ...". */
bool nsds_check_mass_entry(nsds_context *context, const char *call, const char *label,
                           const char *field, double value);

nsds_status nsds_check_mass(nsds_context *context, const char *call, const char *label,
                            const nsds_csc *mass);

/* Computes S = D^-1/2 M D^-1/2 on the pattern of M, minus the possible effect of rounding on its
 * eigenvalues. If S is definite, no neighbor of M is singular. D is positive; `root` holds n
 * numbers. */
void nsds_scale_mass(const nsds_csc *mass, double *root, double *scaled);

#endif
