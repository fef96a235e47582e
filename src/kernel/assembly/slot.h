#ifndef NSDS_SRC_SLOT_H
#define NSDS_SRC_SLOT_H

#include "kernel/assembly/plan.h"

/* a += alpha A x; values NULL is zero. */
void nsds_shape_multiply(const nsds_matrix_shape *shape, int n, const double *values, double alpha,
                         const double *x, double *a);
/* a += alpha M x, M absent being the identity. */
void nsds_mass_multiply(const nsds_slot *slot, double alpha, const double *x, double *a);
/* W = M + c C + k K with prescribed rows and columns masked. */
void nsds_slot_form_w(nsds_slot *slot, double c, double k);
nsds_status nsds_slot_factor_w(nsds_slot *slot);
/* Where W is M, which the message then names. */
nsds_status nsds_slot_factor_mass(nsds_slot *slot);
void nsds_slot_solve_w(const nsds_slot *slot, int nrhs, double *b);
/* The same of inputs, which do not move what is prescribed. */
void nsds_slot_apply(const nsds_slot *slot, int nrhs, double *b);
/* 1 / W where it is diagonal and fixed, NULL elsewhere. */
const double *nsds_slot_inverse(const nsds_slot *slot);
/* The same of what stands in slot->W, kept beside. */
nsds_status nsds_slot_factor_half(nsds_slot *slot);
void nsds_slot_solve_half(const nsds_slot *slot, double *b);
/* q of the trial state moves by `way`, one entry a velocity: along T where a system has one. */
nsds_status nsds_plan_move(nsds_plan *plan, const double *way);
/* The gain M^-1 at an instant, or with gain->T (T^T T)^-1, and its product. */
nsds_status nsds_gain_factor(const nsds_slot *slot, const double *q, const double *v,
                             nsds_gain *gain);
void nsds_gain_apply(const nsds_slot *slot, const nsds_gain *gain, int nrhs, double *b);

#endif
