/*
 * What ode.c, roots.c and the methods share. Functions return 0, NSDS_ODE_SMALLER where f or g
 * asked for a smaller step, or a status < 0, which is recorded.
 */
#ifndef NSDS_SRC_ODE_INTERNAL_H
#define NSDS_SRC_ODE_INTERNAL_H

#include "base/archive.h"
#include "numerics/ode/ode.h"
#include "numerics/store.h"

#include <float.h>

enum { NSDS_ODE_SMALLER = 1, nsds_crossings = 5 };

/*
 * A method, asked for steps where there are states. `step` goes from ode->t1 towards `limit` and
 * not beyond, sets t0, t1, x1 and counts; `dense` is asked for times in [t0, t1] until the next
 * step or start.
 */
typedef struct nsds_ode_method {
  const char *name;
  size_t self_size;                      /* bytes of ode->self, which start as zeros */
  nsds_status (*reserve)(nsds_ode *ode); /* memory of ode->store for ode->problem.n */
  void (*destroy)(nsds_ode *ode);        /* what self holds elsewhere; NULL: nothing */
  nsds_status (*start)(nsds_ode *ode,
                       double step); /* at t1, x1; step: a wish, 0 where there is none */
  void (*forget)(nsds_ode *ode);     /* the step size; NULL: it keeps none */
  int (*step)(nsds_ode *ode, double limit);
  void (*dense)(nsds_ode *ode, double t, double *x);
  double (*entry)(const nsds_ode *ode, double t, int k); /* x_k alone; NULL: there is no such way */
  void (*archive)(nsds_ode *ode, struct nsds_archive *a); /* its self; NULL: it cannot be told */
} nsds_ode_method;

typedef struct nsds_pair_tableau { /* of Dormand and Prince */
  double c[7], a[7][6];            /* the last row of a are the weights b */
  double e[7];                     /* of the error estimate */
  double d[7];                     /* of the quartic part of the dense output */
} nsds_pair_tableau;
typedef struct nsds_implicit_tableau {
  double c[6], a[6][6]; /* the last row of a are the weights b */
  double e[6];          /* of the error estimate */
  double first[6];      /* of the slope of the dense output at the start */
  double d[6];          /* of its quartic part */
} nsds_implicit_tableau;

/* A change of side in (before, t]: g is on the old side at `before`, zero or beyond at t. */
typedef struct nsds_crossing {
  double before, t;
  double g_before, g; /* there */
  nsds_root_direction direction;
  bool located; /* as close as the tolerance demands */
  double shift; /* located where g + shift changes its sign */
  bool passed;  /* reported, or behind the present time without having been watched */
} nsds_crossing;

typedef struct nsds_watched {
  nsds_root_direction watch;
  bool fresh; /* to be looked at as at a start */
  bool entered_fresh;
  int known;      /* the side on which it starts where it is zero there; 0: by its slope */
  int side_first; /* 1, -1, 0: none yet; where the panel was entered */
  int side;       /* at the end of the panel */
  double zero;    /* at a start this much counts as zero: what was left at a root found there */
  int count;
  nsds_crossing crossing[nsds_crossings]; /* of the panel, in order */
} nsds_watched;

/* Roots of the watched functions along the last step, see roots.c. */
typedef struct nsds_root_search {
  double from, to; /* the panel that has been searched; from == to: none */
  double *sample;  /* 5 x roots: g at its quarters */
  double *band;    /* roots: rounding of g */
  double *g;       /* roots */
  bool sampled;    /* the last row of `sample` holds g at `to`, from where the search goes on */
  bool banded;     /* `band` is that of the panel */
  bool ahead;      /* nothing has been switched on or found since the panel was searched, and */
  double next;     /* this is the time of its next root, INFINITY: none */
  nsds_watched *watched;
  int *active, nactive; /* the functions that are watched, in order; */
  bool listed;          /* as the list has it */
  nsds_ode_root *found;
  int nfound;
  double t_found;
} nsds_root_search;

typedef enum nsds_ode_phase {
  NSDS_ODE_NOT_STARTED, /* since creation, resize or failure */
  NSDS_ODE_STARTED
} nsds_ode_phase;

struct nsds_ode {
  nsds_context *context;
  nsds_store store; /* holds the arrays */
  nsds_ode_problem problem;
  nsds_ode_options options;
  const nsds_ode_method *method;
  void *self; /* the method's */
  nsds_ode_phase phase;
  unsigned long resizes;
  nsds_ode_counters count;
  nsds_ode_cause cause;
  int bad_entry; /* of f, that was not finite last */
  int64_t tried; /* steps since the last start or advance */

  double t0, t1;  /* ends of the last step */
  double wish;    /* with n = 0: the largest next step, 0: any */
  double *x1;     /* n: at t1 */
  bool quadratic; /* x along the motion */
  bool affine;    /* all root functions that are watched, by: */
  nsds_ode_rows rows;
  double limit;  /* steps may reach until here */
  double at;     /* integrated and searched for roots up to here */
  double *x_at;  /* n */
  double *x_try; /* n: at which g is evaluated */

  nsds_root_search search;
};

/* Distance of t to the next number. */
static inline double nsds_ode_ulp(double t) {
  double a = fabs(t);
  return a < DBL_MIN ? DBL_MIN : nextafter(a, INFINITY) - a;
}

/* ---- what is known of roots ------------------------------------------------------------------ */

/* To be looked at as at a start. */
static inline void nsds_watched_renew(nsds_watched *watched) { watched->fresh = true; }
/* Which functions are watched has changed, */
static inline void nsds_search_relist(nsds_root_search *s) { s->listed = false; }
/* whether the next root is known, */
static inline void nsds_search_set_ahead(nsds_root_search *s, bool ahead) { s->ahead = ahead; }
/* whether `sample` ends with g at `to`, */
static inline void nsds_search_set_sampled(nsds_root_search *s, bool sampled) {
  s->sampled = sampled;
}
/* and whether `band` is that of the panel. */
static inline void nsds_search_set_banded(nsds_root_search *s, bool banded) { s->banded = banded; }
static inline void nsds_crossing_settle(nsds_crossing *c, bool located) { c->located = located; }

#endif
