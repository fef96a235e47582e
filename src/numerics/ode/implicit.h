/*
 * Implicit methods out of SUNDIALS (Hindmarsh et al., ACM TOMS 31(3), 2005): all but the calls into
 * it, which are arkode.c and cvode.c. They are used for one step at a time, with a stop time that
 * is not stepped beyond, and for their dense output. Their own search for roots is not used: it
 * sees a change of sign between the ends of a step only, so that two crossings within a step go
 * unseen, it has no directions per function that may change on the way, and the methods would
 * differ in what they call a root. Memory within SUNDIALS comes from malloc(), when the number of
 * states changes and at the first step.
 */
#ifndef NSDS_SRC_IMPLICIT_H
#define NSDS_SRC_IMPLICIT_H

#include "ode_internal.h"

typedef struct nsds_implicit nsds_implicit;

/* What has come of a step. */
typedef enum nsds_implicit_outcome {
  NSDS_IMPLICIT_DONE,
  NSDS_IMPLICIT_SMALL,    /* no step is small enough for errors, Newton's method or f */
  NSDS_IMPLICIT_CALLBACK, /* f or the Jacobian failed */
  NSDS_IMPLICIT_OTHER
} nsds_implicit_outcome;

typedef struct nsds_implicit_ops {
  bool (*make)(nsds_implicit *implicit); /* for ode->problem.n >= 1; false: out of memory */
  void (*unmake)(nsds_implicit *implicit);
  /* At ode->t1, x1; step: to try first, 0: chosen. */
  bool (*restart)(nsds_implicit *implicit, double step);
  /* One step; t, and x if done; failed error tests since the restart. */
  nsds_implicit_outcome (*step)(nsds_implicit *implicit, double limit, double *t, double *x,
                                long *failed_tests);
  void (*dense)(nsds_implicit *implicit, double t, double *x);
} nsds_implicit_ops;

struct nsds_implicit {
  nsds_ode *ode;
  const nsds_implicit_ops *ops;
  void *solver; /* of arkode.c or cvode.c */
  int n;        /* which it is made for; 0: there is none */
  double limit; /* f is not asked for later times */
  double wish;  /* first step, 0: chosen */
  bool restart; /* before the next step */
  bool line;    /* the last step was one of a few ulp, on a straight line */
  bool begun;   /* a first step has been chosen */
  long failed_tests;
  double *slope; /* n: of the line */
  size_t slope_capacity;
  int result;             /* of a function that failed */
  nsds_ode_cause refusal; /* why f has last asked for a smaller step */
  double refused_at;
  char said[256];
};

/* For the tables of arkode.c and cvode.c. */
nsds_status nsds_implicit_reserve(nsds_ode *ode, const nsds_implicit_ops *ops);
void nsds_implicit_destroy(nsds_ode *ode);
nsds_status nsds_implicit_start(nsds_ode *ode, double step);
int nsds_implicit_step(nsds_ode *ode, double limit);
void nsds_implicit_dense(nsds_ode *ode, double t, double *x);

/* For SUNDIALS to call: 0, > 0 recoverable, < 0 not. The last one keeps what SUNDIALS has to say.
 */
int nsds_implicit_rhs(nsds_implicit *implicit, double t, const double *x, double *dx);
int nsds_implicit_jacobian(nsds_implicit *implicit, double t, const double *x, double *J);
void nsds_implicit_said(int code, const char *module, const char *function, char *text,
                        void *implicit);

#endif
