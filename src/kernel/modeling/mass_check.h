/* Consistency of mass matrices; see mass_check.c. A dense matrix is given with p = i = NULL. */
#ifndef NSDS_SRC_MASS_CHECK_H
#define NSDS_SRC_MASS_CHECK_H

#include "kernel/modeling/modeling.h"

/* Of a diagonal entry: its square and that of its inverse are numbers, and so is what energies,
 * norms and Schur complements are made of. */
static const double nsds_least_mass = 1e-150;
static const double nsds_most_mass = 1e150;

/* `field` is a mass or moment of inertia in that range; else a message "<call>: <label>: ..." is
 * recorded. */
bool nsds_check_mass_entry(nsds_context *context, const char *call, const char *label,
                           const char *field, double value);

nsds_status nsds_check_mass(nsds_context *context, const char *call, const char *label,
                            const nsds_csc *mass);

/* S = D^-1/2 M D^-1/2 on the pattern of M, less what rounding of the entries may move its
 * eigenvalues: where the rest is definite, no neighbour of M is singular. D is positive; `root` holds
 * n numbers. */
void nsds_scale_mass(const nsds_csc *mass, double *root, double *scaled);

#endif
