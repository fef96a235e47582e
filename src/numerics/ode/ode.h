/*
 * Smooth motion between events: x' = f(t, x) with dense output, up to a time or to the first root
 * of functions g(t, x).
 *
 * A method takes steps; every step has a dense output x(t), and roots are found on t -> g(t, x(t)),
 * the same way for all methods (roots.c): functions that are watched are sampled along the step, a
 * quartic through five samples says how often each changes its sign, and each change is located on
 * g itself. Where g is affine in x and the dense output is of degree 4 at most, as that of
 * the built-in methods, the quartic is g, and no root of a step is missed, whatever the size of the
 * step.
 *
 * A function has a side, the sign it had last beyond rounding. A root is the change of the side; to
 * touch zero and return is none. At a start a function that is zero goes by its derivative: it
 * moves in a watched direction, which is a root at the start, or in another, which is none; with a
 * derivative of zero it has no side before it has left zero. Functions that were found at the time
 * of the start count as zero there.
 */
#ifndef NSDS_SRC_ODE_H
#define NSDS_SRC_ODE_H

#include "base/base.h"

/* Both functions return 0; > 0: not defined here, try a smaller step; < 0: failed, a status. */
typedef struct nsds_ode_problem {
  int n;      /* states, >= 0 */
  int roots;  /* root functions, >= 0 */
  void *self; /* handed to the functions */
  int (*rhs)(void *self, double t, const double *x, double *dx);
  int (*root)(void *self, double t, const double *x, double *g); /* NULL if roots == 0 */
  /* df/dx, column-major n x n, for implicit methods; NULL: differences. */
  int (*jacobian)(void *self, double t, const double *x, double *J);
  /* After each step that is taken, with its end, which may be behind the next root; may be NULL. It may
   * put x back, by about the error of a step, on a manifold that the motion does not leave. */
  void (*stepped)(void *self, double *x);
} nsds_ode_problem;

/* A field that is zero stands for its default. */
typedef struct nsds_ode_options {
  const char *method;        /* a name of nsds_ode_method_name(); "auto" */
  double relative_tolerance; /* of a step's error; 1e-8 */
  double absolute_tolerance; /* 1e-10 */
  double first_step;         /* chosen */
  double largest_step;       /* no limit; with n = 0 the only one there is */
  double root_tolerance;     /* of the time of a root, relative to |t| and the step; 4 ulp of t */
  int root_panels;           /* parts in which each step is searched for roots; 1 */
  int64_t max_steps;         /* tried between two starts or advances; 100000 */
} nsds_ode_options;

/* What nsds_ode_advance() returns if not the status, < 0, of a failure. */
typedef enum nsds_ode_outcome { NSDS_ODE_REACHED = 0, NSDS_ODE_ROOT = 1 } nsds_ode_outcome;

/* Why it failed; the context has the message. */
typedef enum nsds_ode_cause {
  NSDS_ODE_FAILED_NOT = 0,
  NSDS_ODE_FAILED_CALL,       /* arguments, memory, called before a start */
  NSDS_ODE_FAILED_STEP_SIZE,  /* no step is small enough for the tolerances */
  NSDS_ODE_FAILED_RHS,        /* the right-hand side */
  NSDS_ODE_FAILED_ROOT,       /* the root functions */
  NSDS_ODE_FAILED_JACOBIAN,   /* the Jacobian */
  NSDS_ODE_FAILED_NOT_FINITE, /* an entry of f or of a watched g */
  NSDS_ODE_FAILED_MAX_STEPS,
  NSDS_ODE_FAILED_METHOD /* something else within the method */
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

/* Since creation. */
typedef struct nsds_ode_counters {
  int64_t steps, rejected; /* accepted ones, others */
  int64_t rhs, root;       /* calls */
  int64_t restarts;
  bool stiff; /* an explicit method has met fifteen steps bounded by stability: try "esdirk" */
} nsds_ode_counters;

typedef struct nsds_ode nsds_ode;

/* The methods of this build, k = 0, 1, ...; NULL past the last. */
const char *nsds_ode_method_name(int k);
/* All names, for messages. */
enum { nsds_ode_names_size = 256 };
const char *nsds_ode_method_names(char text[nsds_ode_names_size]);

/* Takes all memory that is needed later; NULL with the failure recorded. The problem is copied,
 * options may be NULL. SUNDIALS takes memory of its own, at
 * the first step too. */
nsds_ode *nsds_ode_create(nsds_context *context, const nsds_ode_problem *problem,
                          const nsds_ode_options *options);
void nsds_ode_destroy(nsds_ode *ode);

/* Other numbers of states and root functions; allocates only beyond the largest so far. What is
 * watched stays so, new functions are off. A start has to follow. */
nsds_status nsds_ode_resize(nsds_ode *ode, int n, int roots);

/* A start, to which an integration can be taken back as if it had just been made: the same steps
 * follow. Room first; then taken where nothing has happened since the start; false where there has
 * been a resize since, or none was taken. */
typedef struct nsds_ode_mark {
  unsigned long resizes; /* of the integration, when it was taken; 0: it was not */
  double t, t_found;
  char *memory;
  size_t capacity;
} nsds_ode_mark;

/* Functions that are affine in x: g_i = constant[i] + sum of value[k] x[column[k]] over start[i] <=
 * k < start[i + 1]. */
typedef struct nsds_ode_rows {
  const double *constant;
  const int *start, *column;
  const double *value;
} nsds_ode_rows;

/* Its state; READ takes it in place of a start, with the same options and sizes. Limit, rows and
 * `quadratic` are the caller's. */
struct nsds_archive;

/* The functions of the problem, counted and looked at: 0, smaller, or a recorded status. */
int nsds_ode_rhs(nsds_ode *ode, double t, const double *x, double *dx);
int nsds_ode_jacobian(nsds_ode *ode, double t, const double *x, double *J);
int nsds_ode_g(nsds_ode *ode, double t, const double *x, double *g);
/* x(t) within the last step, exact at its ends; g there. */
void nsds_ode_dense(nsds_ode *ode, double t, double *x);
int nsds_ode_g_at(nsds_ode *ode, double t, double *g);
/* Of one function. */
int nsds_ode_g_one(nsds_ode *ode, int i, double t, double *g);
/* Records a failure of the integration. */
nsds_status nsds_ode_fail(nsds_ode *ode, nsds_ode_cause cause, const char *format, ...)
    NSDS_PRINTF(3, 4);
/* Of a method that cannot make its step small enough: composed from what f has said last. */
nsds_status nsds_ode_fail_step_size(nsds_ode *ode, double t);
/* Counts a step to be tried; fails where there are no more. */
nsds_status nsds_ode_try(nsds_ode *ode);
/* All watched g_i are these, from the next start on: `root` is not called, and a quartic is all
 * there is between samples. The arrays are borrowed. NULL, the default, and after a resize:
 * quartics are checked, and steps searched in parts in which they can be trusted. */
void nsds_ode_affine(nsds_ode *ode, const nsds_ode_rows *rows);
/* Whether f along the motion is affine in t, and so x(t) quadratic, until this is set again: an
 * explicit step of "auto" or "dormand_prince" is then exact with two evaluations. Not so, the default and after a resize.
 */
void nsds_ode_quadratic(nsds_ode *ode, bool quadratic);

#endif
