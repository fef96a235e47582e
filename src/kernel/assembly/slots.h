/*
 * Slots: the systems of a plan. plan_renew.c makes them, layout.c gives them their numbers, integrators fill in what a step needs.
 */
#ifndef NSDS_SRC_SLOTS_H
#define NSDS_SRC_SLOTS_H

#include "kernel/modeling/model.h"
#include "numerics/linear/factor_state.h"
#include "numerics/linear/factor.h"

/* A slot with a step ratio. The integrator of the slot is the one of step_ratio.c. */
typedef struct nsds_slot_parts {
  int ratio;                         /* number of parts of the step */
  const nsds_integrator *integrator; /* of the parts; NULL: there are none */
  nsds_scheme *scheme;               /* of the part of the step under way, or NULL */
  bool affine;                       /* one linear solve per part */
  bool coasted;                      /* the last parts of this step were made without an input */
} nsds_slot_parts;

typedef struct nsds_slot_traits {
  bool drifting;  /* affine, u_free = u_i + increment */
  bool own;       /* only this system uses `scheme` */
  bool fixed;     /* the gain does not change while the scheme and the parameters stay */
  bool forced;    /* its force changes from step to step */
  bool finishing; /* its integrator has something to finish */
  bool shared;    /* threads may run its integrator in a step */
  bool jointed;   /* a body of the plan's tree, see plan_tree.c */
} nsds_slot_traits;

/* The sparsity pattern of W. */
typedef struct nsds_slot_pattern {
  const int *p, *i; /* merged pattern, NULL when dense */
  const int *to_w;  /* position in W of each value of M, then C, then K; NULL: its own */
  bool diagonal;    /* all matrices have the pattern of the identity */
} nsds_slot_pattern;

/* The factor of another W that the integrator asked for. */
typedef struct nsds_slot_half {
  nsds_factor *factor; /* n = 1: `w` in its place */
  double w;
} nsds_slot_half;

/* Scaled copy and factor of a varying M, else NULL. The scale, nv numbers, stands before the
 * copy. */
typedef struct nsds_slot_definite {
  nsds_factor *factor;
  double *scaled;
} nsds_slot_definite;

/* One system in the plan. Pointers lead into the plan's pool of numbers. The fields that a step
 * reads of every system come first. */
typedef struct nsds_slot {
  /* First: its integrator sees this part. While step_ratio.c integrates a part of the step, this is the part's. After an
   * accepted step time_step.c exchanges force and force_end. */
  nsds_integration on;
  const nsds_integrator *osi;
  const nsds_ds *ds;
  int nv, v0, q0;        /* size and offset of its unknown; offset of its coordinates */
  int cluster;           /* systems coupled through dg/dX share a gain; -1: alone */
  const double *scaling; /* nv: the gain if it is diagonal; else NULL */
  nsds_slot_traits is;
  nsds_slot_parts parts;
  /* the gain: `factor` of W; if NULL, `w` or `inverse` */
  nsds_factor *factor;
  double w;
  double *increment;  /* drifting: W^-1 h F */
  double *scratch;    /* max(nv, nq) */
  const double *pull; /* RATTLE: nv impulses of springs in the first half; NULL: none */
  /* matrices */
  double *M, *C, *K; /* values in the system's shapes, NULL: absent; first order: K is A */
  double *W;         /* dense nv x nv, or values on the merged sparse pattern */
  double *inverse;   /* in plan->gain: of a fixed diagonal W; else meaningless */
  nsds_slot_pattern pattern;
  nsds_slot_half half;
  nsds_slot_definite definite;
  struct nsds_index_one *index_one; /* of a singular M at an instant, else NULL */
  nsds_scheme *scheme;              /* its own, or NULL */
} nsds_slot;

/* The linear map from impulses to increments of the unknowns of one system, for a problem with a
 * map of its own: M^-1 at an instant. */
typedef struct nsds_gain {
  nsds_factor *factor; /* NULL: W is one number, `w` */
  double w;
  double *M, *W; /* in one piece, as in the slot */
  double *T;     /* in that piece, for a metric of coordinates: nq x nv; else NULL */
} nsds_gain;

/* All that found contacts read of a system, in little memory: copies of fields of its slot, but for `turns`. */
typedef struct nsds_seat {
  int column, size, q;   /* as of nsds_reach */
  bool fixed, coupled;   /* the gain is constant; it belongs to a cluster */
  bool jointed;          /* as of the slot */
  bool turns;            /* its joints are linearised at the iterate; turned_rows.c writes it */
  const double *scaling; /* as of the slot */
} nsds_seat;

/* Systems coupled through dg/dX share one gain. */
typedef struct nsds_cluster {
  int nslot, *slot; /* plan indices */
  int n;            /* summed size */
  double *W;        /* n x n */
  double *rhs;      /* n x (largest m of the plan) */
  nsds_factor *factor;
} nsds_cluster;

/* Returns true if W is one number, however its matrices are stored. */
static inline bool nsds_slot_is_scalar(const nsds_slot *slot) { return slot->nv == 1; }

/* Returns true if a cluster takes a system's gain in place of its W. */
static inline bool nsds_slot_by_gain(const nsds_slot *slot) {
  return slot->parts.integrator || nsds_is_second_order(slot->ds);
}

#endif
