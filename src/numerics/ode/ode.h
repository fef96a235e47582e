/*
 * Smooth motion between events: x' = f(t, x) with dense output, up to a time or to the first root
 * of functions g(t, x).
 *
 * A method takes steps with dense output x(t). Roots are found on t -> g(t, x(t)), in the same way
 * for all methods (roots.c). Watched functions are sampled along the step. A quartic through five
 * samples tells how often each changes its sign, and each change is located on g itself. If g is
 * affine in x and the dense output has at most degree 4, as for the built-in methods, the quartic
 * is g. Then no root is missed, whatever the size of the step.
 *
 * A function has a side: its last sign beyond rounding. A root is a change of side; touching zero
 * and returning is none. If a function is zero at a start, its derivative decides. Moving in a
 * watched direction is a root at the start; moving in another is none. If the derivative is zero
 * too, the function has no side until it has left zero. Functions found at the time of the start
 * count as zero there.
 */
#ifndef NSDS_SRC_ODE_H
#define NSDS_SRC_ODE_H

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

/* Returns the name of method k = 0, 1, ... of this build; NULL past the last. */
const char *nsds_ode_method_name(int k);
/* Writes all names to `text`, for messages. */
enum { nsds_ode_names_size = 256 };
const char *nsds_ode_method_names(char text[nsds_ode_names_size]);

/* Creates an integration with all its memory; NULL after a failure, which is recorded. The problem
 * is copied; options may be NULL. SUNDIALS allocates memory of its own, also at the first step. */
nsds_ode *nsds_ode_create(nsds_context *context, const nsds_ode_problem *problem,
                          const nsds_ode_options *options);
void nsds_ode_destroy(nsds_ode *ode);

/* Changes the numbers of states and root functions; allocates only beyond the largest so far.
 * Watched functions stay watched, new ones are off. A start must follow. */
nsds_status nsds_ode_resize(nsds_ode *ode, int n, int roots);

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

struct nsds_archive;

/* Call a function of the problem, count the call and check the result. Return 0, NSDS_ODE_SMALLER
 * or a recorded status. */
int nsds_ode_rhs(nsds_ode *ode, double t, const double *x, double *dx);
int nsds_ode_jacobian(nsds_ode *ode, double t, const double *x, double *J);
int nsds_ode_g(nsds_ode *ode, double t, const double *x, double *g);
/* Writes x(t) within the last step, exact at its ends. */
void nsds_ode_dense(nsds_ode *ode, double t, double *x);
/* Evaluates all g at t within the last step. */
int nsds_ode_g_at(nsds_ode *ode, double t, double *g);
/* Evaluates g_i alone at t within the last step. */
int nsds_ode_g_one(nsds_ode *ode, int i, double t, double *g);
/* Records a failure of the integration. */
nsds_status nsds_ode_fail(nsds_ode *ode, nsds_ode_cause cause, const char *format, ...)
    NSDS_PRINTF(3, 4);
/* Records that no step is small enough; the message depends on the last refusal of f. */
nsds_status nsds_ode_fail_step_size(nsds_ode *ode, double t);
/* Counts a step to be tried; fails after max_steps. NSDS_STOPPED: the integration is to stop. */
nsds_status nsds_ode_try(nsds_ode *ode);
/* Declares all watched g_i affine, from the next start on: `root` is not called, and the quartics
 * are exact. The arrays are borrowed. With NULL, the default and after a resize, quartics are
 * checked, and steps are searched in parts short enough for them. */
void nsds_ode_affine(nsds_ode *ode, const nsds_ode_rows *rows);
/* Declares that x = (q, v) with dq/dt = v and this constant dv/dt, so that x(t) is quadratic. The
 * array is borrowed, and `rhs` is not called. NULL by default and after a resize. Explicit steps of
 * "auto" and "dormand_prince" are then exact with two evaluations. */
void nsds_ode_quadratic(nsds_ode *ode, const double *rate);

#endif
