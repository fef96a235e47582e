/*
 * The state of an integration, shared by ode.c, roots.c and the methods. Functions return 0, NSDS_ODE_SMALLER if f or g asked
 * for a smaller step, or a recorded status < 0.
 */
#ifndef NSDS_SRC_ODE_INTERNAL_H
#define NSDS_SRC_ODE_INTERNAL_H

#include "base/archive.h"
#include "numerics/ode/ode_types.h"
#include "numerics/store.h"

#include <float.h>

enum { NSDS_ODE_SMALLER = 1, nsds_crossings = 5 };

/* The quadratic x of the last step: state at t0, and slope there times the length of the step. */
typedef struct nsds_parabola {
  double t0;
  const double *x0, *slope;
} nsds_parabola;

/*
 * A method; steps are taken only if there are states. `step` goes from ode->t1 towards `limit` but
 * not beyond, sets t0, t1, x1 and counts. `dense` is called for times in [t0, t1] until the next
 * step or start.
 */
typedef struct nsds_ode_method {
  const char *name;
  size_t self_size;                      /* bytes of ode->self, zeros at first */
  nsds_status (*reserve)(nsds_ode *ode); /* takes memory of ode->store for ode->problem.n */
  void (*destroy)(nsds_ode *ode);        /* frees what self holds elsewhere; or NULL */
  nsds_status (*start)(nsds_ode *ode, double step); /* at t1, x1; step: wished first step, 0: any */
  void (*forget)(nsds_ode *ode);                    /* forgets the step size; NULL: none is kept */
  int (*step)(nsds_ode *ode, double limit);
  void (*dense)(nsds_ode *ode, double t, double *x);
  /* Returns start + sum of value[k] x[column[k]] over n entries, at part u of the step; or NULL. */
  double (*sum)(const nsds_ode *ode, double u, double start, int n, const int *column,
                const double *value);
  /* Returns false if x is not quadratic on the last step. NULL: it never is. */
  bool (*parabola)(const nsds_ode *ode, struct nsds_parabola *p);
  void (*archive)(nsds_ode *ode, struct nsds_archive *a); /* archives self; NULL: impossible */
} nsds_ode_method;

typedef struct nsds_pair_tableau { /* of Dormand and Prince */
  double c[7], a[7][6];            /* the last row of a are the weights b */
  double e[7];                     /* weights of the error estimate */
  double d[7];                     /* weights of the quartic part of the dense output */
} nsds_pair_tableau;
typedef struct nsds_implicit_tableau {
  double c[6], a[6][6]; /* the last row of a are the weights b */
  double e[6];          /* weights of the error estimate */
  double first[6];      /* weights of the slope of the dense output at the start */
  double d[6];          /* weights of its quartic part */
} nsds_implicit_tableau;

/* A change of side in (before, t]: g is on the old side at `before`, zero or beyond at t. */
typedef struct nsds_crossing {
  double before, t;
  double g_before, g; /* at these times */
  nsds_root_direction direction;
  bool located; /* within the tolerance */
  double shift; /* the sign of g + shift changes at the crossing */
  bool passed;  /* reported, or unwatched when the motion passed it */
} nsds_crossing;

typedef struct nsds_watched {
  nsds_root_direction watch;
  bool fresh; /* to be treated as at a start */
  bool entered_fresh;
  int known;      /* side at a start where g is zero; 0: by the slope */
  int side_first; /* side at the entry of the panel: 1, -1; 0: none yet */
  int side;       /* side at the end of the panel */
  double zero;    /* g up to this counts as zero at a start: the rest at a root found there */
  int count;
  nsds_crossing *crossing; /* count crossings of the panel, in order, in search.crossing */
} nsds_watched;

/* The search for roots of the watched functions along the last step, see roots.c. */
typedef struct nsds_root_search {
  double from, to; /* the searched panel; from == to: none */
  double *sample;  /* 5 x roots: g at the quarters of the panel */
  double *band;    /* roots: rounding of g */
  double *g;       /* roots */
  bool sampled;    /* the last row of `sample` holds g at `to`, where the search goes on */
  bool banded;     /* `band` belongs to the panel */
  bool ahead;      /* `next` is valid: nothing switched on or found since the search */
  double next;     /* time of the next root of the panel; INFINITY: none */
  nsds_watched *watched;
  nsds_crossing *crossing; /* nsds_crossings for each function */
  int *active, nactive;    /* the watched functions, in order */
  int *open, nopen;        /* those that may change their side on the panel, in order */
  bool listed;             /* `active` is up to date */
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
  void *self; /* of the method */
  nsds_ode_phase phase;
  unsigned long resizes;
  nsds_ode_counters count;
  nsds_ode_cause cause;
  int bad_entry; /* entry of f that was last not finite */
  int64_t tried; /* steps tried since the last start or advance */
  bool stopped;  /* nsds_ode_stop() was called since then */

  double t0, t1; /* ends of the last step */
  double wish;   /* for n = 0: the largest next step; 0: any */
  double *x1;    /* n: at t1 */
  /* n / 2: x = (q, v) with dq/dt = v and this dv/dt, constant, so that x(t) is quadratic; or NULL */
  const double *rate;
  bool affine; /* all watched root functions are affine, by `rows` */
  nsds_ode_rows rows;
  double limit;  /* steps may reach this time */
  double at;     /* integrated and searched for roots up to this time */
  double *x_at;  /* n */
  double *x_try; /* n: where g is evaluated */

  nsds_root_search search;
};

/* Returns the distance of |t| to the next larger number. */
static inline double nsds_ode_ulp(double t) {
  double a = fabs(t), next;
  uint64_t bits;
  memcpy(&bits, &a, sizeof bits);
  ++bits; /* of the next double */
  memcpy(&next, &bits, sizeof next);
  return a < DBL_MIN ? DBL_MIN : next - a;
}

/* Returns the part of the last step that ends at t. */
static inline double nsds_ode_part(const nsds_ode *ode, double t) {
  return t == ode->t0 ? 0.0 : (t - ode->t0) / (ode->t1 - ode->t0);
}

/* ---- what is known of roots ------------------------------------------------------------------ */

static inline void nsds_watched_renew(nsds_watched *watched) { watched->fresh = true; }
/* Notes that a panel was searched, with this side at its end. */
static inline void nsds_watched_leave(nsds_watched *watched, int side) {
  watched->side = side;
  watched->fresh = false;
}
static inline void nsds_search_relist(nsds_root_search *s) { s->listed = false; }
static inline void nsds_search_set_ahead(nsds_root_search *s, bool ahead) { s->ahead = ahead; }
static inline void nsds_search_set_sampled(nsds_root_search *s, bool sampled) {
  s->sampled = sampled;
}
static inline void nsds_search_set_banded(nsds_root_search *s, bool banded) { s->banded = banded; }
static inline void nsds_crossing_settle(nsds_crossing *c, bool located) { c->located = located; }

#endif
