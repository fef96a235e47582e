/*
 * Internals of the simulation room. A step flows through flat arrays compiled from the model's
 * graph (the plan): slots (systems), contacts (interactions), edges (their pairs). Data flows one
 * way: model -> plan -> problem -> solver -> trial state -> model.
 *
 * u is the unknown of a step: v of a second-order system, x of a first-order one. Both live in the
 * array v. For every system  u = u_free + (gain) (input),  the gain being W^-1 or what replaces it.
 */
#ifndef NSDS_SRC_SIMULATION_H
#define NSDS_SRC_SIMULATION_H

#include "factor.h"
#include "modeling.h"

#include <nsds/simulation.h>

typedef struct nsds_slot nsds_slot;
typedef struct nsds_contact nsds_contact;

/*
 * How one system is integrated over [t, t_next]. Called in the order of the comments; operations on
 * affine slots run once per step, the others once per Newton iteration.
 */
typedef struct nsds_integrator {
  const char *name;
  /* Checks that the scheme can treat the system. May be NULL: it can. */
  nsds_status (*check)(nsds_simulation *sim, const nsds_slot *slot);
  /* Constant operators, the force at t, and the gain where it stays (slot->fixed_w). */
  nsds_status (*refresh)(nsds_simulation *sim, nsds_slot *slot);
  /* Affine slots: u_free. Redoes the gain where it does not stay. */
  nsds_status (*free_affine)(nsds_simulation *sim, nsds_slot *slot);
  /* Others: slot->residual = R_free at the iterate. */
  nsds_status (*evaluate)(nsds_simulation *sim, nsds_slot *slot);
  /* Others: W at the iterate, not factored. */
  nsds_status (*tangent)(nsds_simulation *sim, nsds_slot *slot);
  /* Others: turns the right-hand side in u_free (of W du = rhs) into what prescribed unknowns leave
   * of it. May be NULL: nothing is prescribed. */
  nsds_status (*prescribe)(nsds_simulation *sim, nsds_slot *slot);
  /* b := gain b for nrhs columns. */
  void (*apply)(const nsds_slot *slot, int nrhs, double *b);
  /* Coordinates of the trial state from its velocities. May be NULL: there are none. */
  void (*advance)(nsds_simulation *sim, const nsds_slot *slot);
  /* Quantities kept for the next step and reactions. May be NULL. */
  nsds_status (*finish)(nsds_simulation *sim, nsds_slot *slot);
} nsds_integrator;

extern const nsds_integrator nsds_moreau_jean, nsds_euler_moreau, nsds_zero_order_hold;

/* One system in the plan. Pointers lead into the plan's pool of numbers. */
struct nsds_slot {
  nsds_ds *ds;
  const nsds_integrator *osi;
  int nv, v0, q0; /* size and offset of its unknown; offset of its coordinates */
  int cluster;    /* systems coupled through dg/dX share a gain; -1: alone */
  bool affine;    /* one linear solve per step */
  bool drift;     /* affine, u_free = u_i + increment */
  bool fixed_w;   /* the gain does not change while h and the parameters stay */
  nsds_factor *factor; /* of W; NULL for nv = 1, where `w` is W itself */
  double w;
  double *M, *C, *K; /* values in the system's shapes, NULL where absent; first order: K is A */
  double *W;         /* dense nv x nv, or values on the merged sparse pattern */
  int *p, *i;        /* merged pattern, NULL when dense */
  int *to_w;         /* sparse: position in W of each value of M, then C, then K */
  double *increment; /* drift: W^-1 h F */
  double *force;     /* affine with constant C, K: F_ext(t) or b(t); else all of F or f at t */
  double *force_end; /* the same at t_next (at the Newton iterate) */
  double *residual;  /* R_free at the iterate */
  double *scratch;   /* nv */
  double *phi, *gain; /* zero-order hold: e^{Ah} and its integral, nv x nv */
};

/* How an interaction enters: one table per order of its systems. */
typedef struct nsds_contact_ops {
  /* Coefficients that stay while h and the parameters stay: those of an affine relation, D. */
  nsds_status (*refresh)(nsds_simulation *sim, nsds_contact *contact);
  /* Values at the Newton iterate, for its test and the next linearisation. May be NULL. */
  nsds_status (*evaluate)(nsds_simulation *sim, nsds_contact *contact);
  /* Linearisation of a relation that is not affine, at the iterate. */
  nsds_status (*linearise)(nsds_simulation *sim, nsds_contact *contact);
  /* y and dy/dt of the model's (trial false) or the trial state. */
  nsds_status (*output)(nsds_simulation *sim, nsds_contact *contact, bool trial);
  /* Rows of the input matrix (H^T, or h rho B) of system k, ns x m column-major. */
  void (*load_input)(const nsds_simulation *sim, const nsds_contact *contact, int k, double *Y);
} nsds_contact_ops;

extern const nsds_contact_ops nsds_contact_first, nsds_contact_second;

/* One interaction in the plan. */
struct nsds_contact {
  nsds_interaction *interaction;
  const nsds_contact_ops *ops;
  /* from the law; NULL where the contact is always active, or has no memory of the velocity */
  bool (*active)(void *self, int m, const double *y, const double *ydot, double tau);
  void (*restitution)(void *self, int m, const double *ydot, double *q);
  void *law_self;
  int m, y0;             /* size and offset of y */
  int first_edge, nedge; /* into plan.edge: one per system, then those of clusters they belong to */
  bool affine;           /* constant coefficients */
  bool linear;           /* one linearisation per step suffices */
  bool level0;           /* imposed on y itself: compliant, or first order; D carries dh/dlambda */
  bool fixed;            /* H and Y do not change while h and the parameters stay */
  double *D;             /* m x m or NULL; the relation's own follows where the law adds to it */
  double *H;             /* m x nq: the edges' blocks, contiguous */
  double *Y;             /* by edges: gain times input matrix */
  double *shift;         /* m: value at zero of an affine relation; else dh/dt at the iterate */
  double *offset;        /* m: constant part of the linearised y, NULL where it is zero */
  /* first order only */
  double *C, *B, *K, *h, *g; /* dh/dX, dg/dlambda, dg/dX (or NULL), values at the iterate */
  double *g_offset;          /* constant part of the linearised r; NULL where r is linear */
  int first_column, ncolumn; /* nonzero columns of C and B where plan->unreduced */
};

/* Systems coupled through dg/dX: one gain for all of them. */
typedef struct nsds_cluster {
  int nslot, *slot; /* plan indices */
  int n;            /* summed size */
  double *W;        /* n x n */
  double *rhs;      /* n x (largest m of the plan) */
  nsds_factor *factor;
} nsds_cluster;

typedef struct nsds_plan {
  uint64_t topology, values; /* of the model when the plan was made */
  double h;                  /* for which the numbers hold */
  int nslot, ncontact, nedge, ncluster;
  nsds_slot *slot;
  nsds_contact *contact;
  nsds_cluster *cluster;
  nsds_edge *edge;
  int *edge_slot; /* slot of each edge */
  int *edge_q;    /* first coordinate of that slot's system */
  double *numbers;
  int *indices;
  double *trial; /* a state block laid out as the model's, then the last arrays */
  double *q, *v, *p, *reaction, *y, *ydot, *impulse, *force;
  double *v_free, *v_last;
  double *gather; /* Q, V, Z, lambda of the largest interaction */
  bool linear;    /* one pass per step: every slot affine, every contact linear */
  bool all_fixed; /* no H, Y or W ever changes */
  bool aligned;   /* all second order with q and v at the same offsets */
  bool any_finish, any_first, any_compliant;
  bool unreduced; /* the one-step problem keeps the systems' unknowns; see unreduced.c */
} nsds_plan;

/* Storage of the unreduced problem. */
typedef struct nsds_unreduced {
  nsds_problem problem;
  int *local, *global; /* nonzero columns of relations: within X, and among all unknowns */
  size_t local_capacity, global_capacity;
  int *p, *i, *next;
  double *x;
  nsds_block *block;
  double *vector, *q, *z, *w;
} nsds_unreduced;

enum { nsds_dense_rows = 32 };

/* The one-step problem over the active contacts (I1), in storage sized for all of I0. */
typedef struct nsds_one_step {
  nsds_problem problem;
  nsds_factored factored;
  uint64_t stamp;
  int nactive, rows;
  int *active;     /* plan indices of the active contacts */
  int *candidate;  /* the same, being determined */
  bool changed;    /* since the last accepted step */
  bool reserved;   /* the solver has workspace for all contacts */
  bool idle;       /* the plan's p and impulse are zero: nothing was active */
  nsds_block *block;
  int *row, *first_edge;
  nsds_edge *edge;
  const double **D;
  double *q, *z, *w;
  double *dense; /* M of problems of up to nsds_dense_rows rows */
} nsds_one_step;

struct nsds_simulation {
  nsds_borrower borrower; /* first: the model frees simulations through it */
  nsds_model *model;
  nsds_context *context;
  nsds_time_stepping_def def;
  double rho, sigma, old; /* first order: weights of r_{k+1}, of x_{k+1} in relations, of r_k */
  nsds_solver *solver;
  nsds_plan plan;
  nsds_one_step osp;
  nsds_unreduced unreduced;
  double t;             /* of the model's state */
  double t_base;        /* t_k = t_base + k_base h */
  long k_base, steps;
  bool busy;            /* within a step */
  uint64_t begun;       /* topology + values for which the initial lambda was found */
  bool ended;           /* nsds_step() has returned NSDS_END */
  double h;             /* nominal step */
  double t_next, h_now; /* end and size of the (sub)step under way */
  nsds_list sampler;    /* see sampler.h */
  double *snapshot;     /* saved state block, then sums of impulses over the pieces of a step */
  size_t snapshot_size;
  nsds_step_info info;
};

/* plan.c, layout.c */
nsds_status nsds_plan_update(nsds_simulation *sim, double h);
/* y and dy/dt of the model's state after a change from outside, without preparing a step. */
nsds_status nsds_plan_show(nsds_simulation *sim);
void nsds_plan_destroy(nsds_simulation *sim, nsds_plan *plan);
nsds_status nsds_plan_layout(nsds_simulation *sim, nsds_plan *plan);
void nsds_plan_edges(nsds_simulation *sim, const nsds_contact *contact);

/* slot.c: matrices of one system */
size_t nsds_shape_count(const nsds_shape *shape, int n);
/* a += alpha A x; values NULL is zero. */
void nsds_shape_multiply(const nsds_shape *shape, int n, const double *values, double alpha,
                         const double *x, double *a);
/* a += alpha M x, M absent being the identity. */
void nsds_mass_multiply(const nsds_slot *slot, double alpha, const double *x, double *a);
/* W = M + c C + k K with prescribed rows and columns masked. */
void nsds_slot_form_w(nsds_slot *slot, double c, double k);
nsds_status nsds_slot_factor_w(nsds_simulation *sim, nsds_slot *slot);
void nsds_slot_solve_w(const nsds_slot *slot, int nrhs, double *b);

/* cluster.c */
nsds_status nsds_clusters_build(nsds_simulation *sim, nsds_plan *plan);
void nsds_clusters_destroy(nsds_simulation *sim, nsds_plan *plan);
nsds_status nsds_cluster_factor(nsds_simulation *sim, nsds_cluster *cluster);
void nsds_cluster_solve_free(nsds_simulation *sim, nsds_cluster *cluster);
void nsds_cluster_edges(nsds_simulation *sim, const nsds_contact *contact,
                        const nsds_cluster *cluster);

/* contact_*.c: Q, V (or X), Z and scale * lambda of an interaction, concatenated in plan.gather. */
nsds_in nsds_contact_gather(const nsds_simulation *sim, const nsds_contact *contact, double t,
                            const double *q, const double *v, const double *lambda, double scale);
/* Largest |g - r of the linearisation| of a nonlinear first-order relation at the iterate, and the
 * size of the terms of r. */
double nsds_first_order_input_residual(const nsds_simulation *sim, const nsds_contact *contact,
                                       double *scale);
/* p of first-order systems: r summed over their interactions, at the iterate. */
void nsds_first_order_inputs(nsds_simulation *sim);

/* one_step.c */
nsds_status nsds_one_step_resize(nsds_simulation *sim);
void nsds_one_step_destroy(nsds_simulation *sim);
nsds_status nsds_one_step_reserve(nsds_simulation *sim);
void nsds_one_step_select(nsds_simulation *sim);
nsds_status nsds_one_step_solve(nsds_simulation *sim, bool operators_changed);

#endif
