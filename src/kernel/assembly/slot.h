#ifndef NSDS_SRC_SLOT_H
#define NSDS_SRC_SLOT_H

#include "kernel/assembly/plan.h"

/* Adds alpha A x to a. If `values` is NULL, A is zero. */
void nsds_shape_multiply(const nsds_matrix_shape *shape, int n, const double *values, double alpha,
                         const double *x, double *a);
/* Adds alpha M x to a. Without M in the system, M is the identity. */
void nsds_mass_multiply(const nsds_slot *slot, double alpha, const double *x, double *a);
/* Forms W = M + c C + k K and masks prescribed rows and columns. */
void nsds_slot_form_w(nsds_slot *slot, double c, double k);
nsds_status nsds_slot_factor_w(nsds_slot *slot);
/* Factors W as well, without a message. Returns true if W is singular. */
bool nsds_slot_is_singular(nsds_slot *slot);
/* Factors W = M. The message of a failure names M. */
nsds_status nsds_slot_factor_mass(nsds_slot *slot);
void nsds_slot_solve_w(const nsds_slot *slot, int nrhs, double *b);
/* Applies W^-1 to inputs, which do not move prescribed unknowns. */
void nsds_slot_apply(const nsds_slot *slot, int nrhs, double *b);
/* Returns 1 / W if W is diagonal and fixed, else NULL. */
const double *nsds_slot_inverse(const nsds_slot *slot);
/* Factors slot->W into the second factor of the slot. */
nsds_status nsds_slot_factor_half(nsds_slot *slot);
void nsds_slot_solve_half(const nsds_slot *slot, double *b);
/* Moves q of the trial state by `way`, with one entry for each velocity, along T if a system has
 * one. */
nsds_status nsds_slots_move(nsds_plan *plan, const double *way);
/* Computes the gain M^-1 at an instant, or with gain->T (T^T T)^-1. */
nsds_status nsds_gain_factor(const nsds_slot *slot, const double *q, const double *v,
                             nsds_gain *gain);
void nsds_gain_apply(const nsds_slot *slot, const nsds_gain *gain, int nrhs, double *b);

#endif
