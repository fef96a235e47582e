/*
 * Problems, options and outcomes of an integration, see ode.h.
 */
#ifndef NSDS_SRC_ODE_TYPES_H
#define NSDS_SRC_ODE_TYPES_H

#include "base/base.h"

/* The functions return 0; > 0 if undefined at x (try a smaller step); or a status < 0. */
typedef struct nsds_ode_problem {
  int n;      /* states, >= 0 */
  int roots;  /* root functions, >= 0 */
  void *self; /* handed to the functions */
  int (*rhs)(void *self, double t, const double *x, double *dx);
  int (*root)(void *self, double t, const double *x, double *g); /* NULL if roots == 0 */
  /* df/dx, column-major n x n, for implicit methods; NULL: differences. */
  int (*jacobian)(void *self, double t, const double *x, double *J);
  /* Called with the end of each accepted step, which may lie behind the next root; may be NULL. The
   * function may project x, by about the error of a step, on a manifold that the motion does not
   * leave. */
  void (*stepped)(void *self, double t, double *x);
} nsds_ode_problem;

/* A zero field takes its default, which is given last. */
typedef struct nsds_ode_options {
  const char *method;        /* a name of nsds_ode_method_name(); "auto" */
  double relative_tolerance; /* of a step's error; 1e-8 */
  double absolute_tolerance; /* 1e-10 */
  double first_step;         /* chosen by the method */
  double largest_step;       /* no limit; the only control of steps if n = 0 */
  double root_tolerance;     /* of the time of a root, relative to |t| and the step; 4 ulp of t */
  int root_panels;           /* parts of a step that are searched for roots; 1 */
  int64_t max_steps;         /* largest number of tries between two starts or advances; 100000 */
} nsds_ode_options;

/* Outcomes of nsds_ode_advance(); failures are statuses < 0. After NSDS_ODE_STOPPED the integration
 * goes on with the next call. */
typedef enum nsds_ode_outcome {
  NSDS_ODE_REACHED = 0,
  NSDS_ODE_ROOT = 1,
  NSDS_ODE_STOPPED = NSDS_STOPPED /* by the context or nsds_ode_stop() */
} nsds_ode_outcome;

/* Causes of a failure; the context has the message. */
typedef enum nsds_ode_cause {
  NSDS_ODE_FAILED_NOT = 0,
  NSDS_ODE_FAILED_CALL,       /* wrong arguments, no memory, or no start */
  NSDS_ODE_FAILED_STEP_SIZE,  /* no step is small enough for the tolerances */
  NSDS_ODE_FAILED_RHS,        /* the right-hand side */
  NSDS_ODE_FAILED_ROOT,       /* the root functions */
  NSDS_ODE_FAILED_JACOBIAN,   /* the Jacobian */
  NSDS_ODE_FAILED_NOT_FINITE, /* an entry of f or of a watched g */
  NSDS_ODE_FAILED_MAX_STEPS,
  NSDS_ODE_FAILED_METHOD /* another failure of the method */
} nsds_ode_cause;

typedef enum nsds_root_direction {
  NSDS_ROOT_OFF = 0,
  NSDS_ROOT_FALLING = 1, /* + to - */
  NSDS_ROOT_RISING = 2,  /* - to + */
  NSDS_ROOT_BOTH = 3
} nsds_root_direction;

typedef struct nsds_ode_root {
  int index;
  nsds_root_direction direction; /* falling or rising */
} nsds_ode_root;

/* Counts since creation. */
typedef struct nsds_ode_counters {
  int64_t steps, rejected; /* accepted and rejected steps */
  int64_t rhs, root;       /* calls */
  int64_t restarts;
  bool stiff; /* fifteen explicit steps were bounded by stability: try "esdirk" */
} nsds_ode_counters;

typedef struct nsds_ode nsds_ode;

/* A mark of a start. Reserve memory, then take the mark right after a start. Recalling it takes the
 * integration back to that start: the same steps follow. */
typedef struct nsds_ode_mark {
  unsigned long resizes; /* resizes of the integration at the mark; 0: not taken */
  double t, t_found;
  char *memory;
  size_t capacity;
} nsds_ode_mark;

/* Functions that are affine in x: g_i = constant[i] + sum of value[k] x[column[k]], start[i] <= k <
 * start[i + 1]. */
typedef struct nsds_ode_rows {
  const double *constant;
  const int *start, *column;
  const double *value;
} nsds_ode_rows;

#endif
