#ifndef NSDS_SRC_RATTLE_ROWS_H
#define NSDS_SRC_RATTLE_ROWS_H

#include "kernel/assembly/one_step.h"

/* How a copy of a law takes part in the second half. */
typedef enum nsds_rattle_use {
  NSDS_RATTLE_OPEN,   /* not at all */
  NSDS_RATTLE_CLOSED, /* it stays closed, or its law has no gap */
  NSDS_RATTLE_STRIKES /* its gap closes in this step, and the law remembers the speed */
} nsds_rattle_use;

/* The second half of steps, and what passes leave to each other. */
typedef struct nsds_second_half {
  nsds_one_step speeds;
  double change;          /* of v in the last iteration of the first half, relative */
  double *p, *v_free;     /* nv: impulses of the first half; u_free of the second */
  double *impulse, *ydot; /* ny: impulses of the first half; dy/dt when gaps close */
  unsigned char *use;     /* ny: nsds_rattle_use at the first row of each copy */
  double *middle;         /* ny: w of the first half */
  double *offset;         /* ny: of rows that are not affine, in the last problem of places */
  double *size;           /* of each slot: of its v and of rounding in it, in the last iteration */
  double *pull;           /* 2 nv: impulses of springs in the first half, in the second */
  double *spring;         /* ny: forces of springs, at their rows */
  unsigned char *tried;   /* ny: at the first row of each copy, those in the problem of places */
  unsigned char *closed;  /* ny: likewise, the copies in the problem of the speeds */
  size_t capacity, use_capacity;
} nsds_second_half;

nsds_status nsds_rattle_reserve(nsds_plan *plan, nsds_second_half *r);
void nsds_rattle_release(nsds_context *context, nsds_second_half *r);
/* Refuses what the scheme does not treat. */
nsds_status nsds_rattle_admit(const nsds_one_step *o, const nsds_contact *contact);
nsds_status nsds_rattle_prepare(nsds_one_step *o);
/* Returns true if row i is about a gap, false if it is about a velocity. */
bool nsds_rattle_about_gap(const nsds_contact *contact, int i);
/* Returns true if the copy of row i takes part; `on` NULL: all do. */
bool nsds_rattle_is_on(const nsds_contact *contact, const unsigned char *on, int i);
/* Computes the slip of a moving surface: what a law adds to velocities at rest. Work has room for
 * 3 m numbers. */
void nsds_rattle_surface(const nsds_plan *plan, const nsds_contact *contact, double *surface);
/* Returns what rounding and the tolerance of the first problem leave of the gap of row i. */
double nsds_rattle_slack(const nsds_plan *plan, const nsds_contact *contact,
                         const nsds_entry *entry, int i);

#endif
