/*
 * Internals of the simulation room. A step flows through flat arrays compiled from the model's
 * graph (the plan): slots (systems), contacts (interactions), edges (their pairs). Data flows one
 * way: model -> plan -> problem -> solver -> trial state -> model.
 */
#ifndef NSDS_SRC_SIMULATION_H
#define NSDS_SRC_SIMULATION_H

#include "factor.h"
#include "modeling.h"

#include <nsds/simulation.h>

/* One system in the plan. Pointers lead into the plan's pool of numbers. */
typedef struct nsds_slot {
  nsds_ds *ds;
  int nv, v0;   /* size and offset of its velocities (and coordinates) */
  bool affine;  /* one linear solve per step, W constant */
  bool drift;   /* affine, no C and K, constant force: v_free = v_i + increment */
  bool fixed_w; /* W does not change while h and the parameters stay */
  nsds_factor *factor; /* of W; NULL for nv = 1, where `w` is W itself */
  double w;
  double *M, *C, *K; /* values in the system's shapes; C, K NULL where absent */
  double *W;         /* dense nv x nv, or values on the merged sparse pattern */
  int *p, *i;        /* merged pattern, NULL when dense */
  int *to_w;         /* sparse: position in W of each value of M, then C, then K */
  double *increment; /* drift: W^-1 h F */
  double *force;     /* affine: F_ext(t_i); else F(t_i, q_i, v_i) */
  double *force_end; /* the same at the end of the step (at the Newton iterate) */
  double *residual;  /* nonaffine: R_free at the iterate */
  double *scratch;   /* nv */
} nsds_slot;

/* One interaction in the plan. */
typedef struct nsds_contact {
  nsds_interaction *interaction;
  int m, y0;      /* size and offset of y */
  int first_edge; /* into plan.edge, one per system */
  bool affine;    /* y = c + H q with constant H */
  bool compliant; /* imposed on y itself; D carries dh/dlambda */
  bool fixed;     /* H and Y do not change while h and the parameters stay */
  double *D;      /* m x m or NULL */
  double *H;      /* m x nq: the edges' blocks, contiguous */
  double *Y;      /* nq x m by edges: W^-1 H^T */
  double *shift;  /* m: c of an affine relation; else dh/dt at the iterate */
  double *offset; /* m, compliant: constant part of the linearised gap */
} nsds_contact;

typedef struct nsds_plan {
  uint64_t topology, values; /* of the model when the plan was made */
  double h;                  /* for which the numbers hold */
  int nslot, ncontact, nedge;
  nsds_slot *slot;
  nsds_contact *contact;
  nsds_edge *edge;
  int *edge_slot; /* slot of each edge */
  double *numbers;
  int *indices;
  double *trial; /* a state block laid out as the model's, then the last three arrays */
  double *q, *v, *p, *reaction, *y, *ydot, *impulse;
  double *v_free, *v_last;
  double *gather; /* Q, V, Z, lambda of the largest interaction */
  bool linear;    /* one pass per step: every slot and contact affine */
  bool all_fixed; /* no H, Y or W ever changes */
  bool any_prescribed;
} nsds_plan;

/* The one-step problem over the active contacts (I1), in storage sized for all of I0. */
typedef struct nsds_one_step {
  nsds_problem problem;
  nsds_factored factored;
  uint64_t stamp;
  int nactive, rows;
  int *active;     /* plan indices of the active contacts */
  int *candidate;  /* the same, being determined */
  bool changed;    /* since the last accepted step */
  nsds_block *block;
  int *row, *first_edge;
  nsds_edge *edge;
  const double **D;
  double *q, *z, *w;
} nsds_one_step;

struct nsds_simulation {
  nsds_borrower borrower; /* first: the model frees simulations through it */
  nsds_model *model;
  nsds_context *context;
  nsds_time_stepping_def def;
  nsds_solver *solver;
  nsds_plan plan;
  nsds_one_step osp;
  double t;           /* of the model's state */
  double t_base;      /* t_k = t_base + k_base h */
  long k_base, steps;
  bool ended;         /* nsds_step() has returned NSDS_END */
  double h;           /* nominal step */
  double t_next, h_now; /* end and size of the (sub)step under way */
  double *snapshot;   /* saved state block, then sums of impulses over the pieces of a step */
  size_t snapshot_size;
  nsds_step_info info;
};

/* plan.c */
nsds_status nsds_plan_update(nsds_simulation *sim, double h);
void nsds_plan_destroy(nsds_simulation *sim);
void nsds_plan_edges(nsds_simulation *sim, const nsds_contact *contact);

/* moreau_jean.c: one system over [t, t + h] */
nsds_status nsds_mj_refresh(nsds_simulation *sim, nsds_slot *slot);
nsds_status nsds_mj_free_affine(nsds_simulation *sim, nsds_slot *slot);
nsds_status nsds_mj_evaluate(nsds_simulation *sim, nsds_slot *slot);
nsds_status nsds_mj_free_newton(nsds_simulation *sim, nsds_slot *slot);
void nsds_mj_edge(const nsds_slot *slot, int m, const double *H, double *Y);
void nsds_mj_reaction(const nsds_simulation *sim, const nsds_slot *slot);

/* contact.c: relations along the plan */
nsds_status nsds_contact_linearise(nsds_simulation *sim, nsds_contact *contact);
nsds_status nsds_contact_output(nsds_simulation *sim, nsds_contact *contact, double t,
                                const double *q, const double *v, const double *impulse, double h,
                                double *y, double *ydot);

/* one_step.c */
nsds_status nsds_one_step_resize(nsds_simulation *sim);
void nsds_one_step_destroy(nsds_simulation *sim);
void nsds_one_step_select(nsds_simulation *sim);
nsds_status nsds_one_step_solve(nsds_simulation *sim, bool operators_changed);

/* a += alpha A x for a matrix of a system's shape */
void nsds_shape_multiply(const nsds_shape *shape, int n, const double *values, double alpha,
                         const double *x, double *a);
size_t nsds_shape_count(const nsds_shape *shape, int n);

#endif
