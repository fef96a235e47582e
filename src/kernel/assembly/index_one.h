/* A first-order system with a singular M of index 1 or 2: its algebraic unknowns follow from the
 * others. */
#ifndef NSDS_SRC_INDEX_ONE_H
#define NSDS_SRC_INDEX_ONE_H

#include "kernel/assembly/plan.h"

/* The matrices are n x n, see index_one.c. */
typedef struct nsds_index_one {
  nsds_context *context;
  int n, rank; /* rank of M */
  double *X;   /* x without inputs from any x of the same M x */
  double *N;   /* x of an input */
  double *F;   /* rate of x from the right-hand side */
  double *P;   /* rate of x from an input */
  double *W;   /* hidden rows of length n: 0 = W (A x + b) is a constraint of states */
  int hidden;
  double *x;     /* n: the last x without inputs */
  bool bends;    /* f is not A x + b: it is linearized at `point` */
  double *point; /* n: x with all inputs */
  double *kept;  /* n: x of the trial state while another one is shown */
  double *rest;  /* n: what inputs add to x beside B lambda, of relations that are not linear */
  double *b, *f, *shift; /* n: b at a time; work; rate of x that b alone causes */
  double *ahead;         /* n: x a short time ahead, by a step without the inputs of closed rows */
  double length;         /* of this step */
  nsds_factor *factor;   /* of M - length A */
  double *work;          /* of the reduction */
  int *order;
  nsds_store store;
} nsds_index_one;

/* Finds the matrices of the slot, whose M and A are known. The first call creates them. Fails with
 * a message if M is not constant, or the index is above 2, of nonlinear f above 1. `x`: the first
 * point. */
nsds_status nsds_index_one_make(nsds_slot *slot, double t, const double *x);
/* Linearises a nonlinear f at own->point. */
nsds_status nsds_index_one_bend(nsds_slot *slot, double t);
void nsds_index_one_destroy(nsds_index_one *own);
/* Replaces x by x without inputs, of the same M x, at time t. */
nsds_status nsds_index_one_complete(const nsds_slot *slot, double t, double *x);
/* Computes the rate at x without inputs, from x with any inputs. own->x is x without inputs. */
nsds_status nsds_index_one_rate(const nsds_slot *slot, double t, const double *x, double *rate);
/* Computes own->shift by differences of length h, on one side of t if side is not 0. Fails with a
 * message if b moves a constraint of states. */
nsds_status nsds_index_one_shift(const nsds_slot *slot, double t, double h, int side);
/* Makes a step of implicit Euler from x at time t with the input r. own->ahead is its end. */
nsds_status nsds_index_one_step(const nsds_slot *slot, double t, double length, const double *x,
                                const double *r);
/* Replaces inputs by what they add to the end of this step. */
void nsds_index_one_answer(const nsds_index_one *own, int nrhs, double *b);
/* Replaces inputs by the rates that they cause, or by the x that they cause. */
void nsds_index_one_apply(const nsds_index_one *own, int nrhs, double *b);
void nsds_index_one_move(const nsds_index_one *own, int nrhs, double *b);
/* Returns the largest error of the constraints of states, relative to their terms. */
double nsds_index_one_stray(const nsds_slot *slot, double t, const double *x, nsds_status *status);
/* Returns true if inputs, n for each of nrhs, enter the constraints of states. */
bool nsds_index_one_enters(const nsds_index_one *own, int nrhs, const double *r);

#endif
