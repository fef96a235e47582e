#ifndef NSDS_SRC_RATTLE_ROWS_H
#define NSDS_SRC_RATTLE_ROWS_H

#include "kernel/assembly/one_step.h"

extern const nsds_formulation nsds_rattle_places, nsds_rattle_speeds;

/* First half: computes H of the contacts that are not affine, at the accepted state. */
nsds_status nsds_rattle_start(nsds_one_step *places);
/* First half: linearises what the rows are about at the iterate, the trial state. */
nsds_status nsds_rattle_aim(nsds_one_step *places);
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
  unsigned char *tried;   /* ny: at the first row of each copy, those in the problem of places */
  unsigned char *closed;  /* ny: likewise, the copies in the problem of the speeds */
  size_t capacity, use_capacity;
} nsds_second_half;

nsds_status nsds_rattle_reserve(nsds_plan *plan, nsds_second_half *r);
void nsds_rattle_release(nsds_context *context, nsds_second_half *r);
/* First half: chooses the copies whose gaps may close, by H of nsds_rattle_start(). */
void nsds_rattle_choose(const nsds_one_step *places, nsds_second_half *r);
/* First half: adds the copies whose gaps are closed at the trial state. `*grown`: are there any? */
nsds_status nsds_rattle_widen(const nsds_one_step *places, nsds_second_half *r, bool *grown);
/* Second half: finds the use of all copies at the trial state. `*strikes`: is there one that strikes? */
nsds_status nsds_rattle_close(const nsds_one_step *places, nsds_second_half *r, bool *strikes);
/* Second half: computes H and the gains at the trial state, and u_free. */
nsds_status nsds_rattle_end(nsds_second_half *r);
/* Forms the problem of the velocities without the copies that strike, a part of the step after its
 * start. */
nsds_status nsds_rattle_form_approach(nsds_second_half *r, double part);
/* Takes dy/dt from its solution. */
void nsds_rattle_approach(nsds_second_half *r);
/* Returns the part of the step after which the first gap closes, with dy/dt of its end at hand. */
double nsds_rattle_part(const nsds_plan *plan, const nsds_second_half *r);
/* Forms the problem of the second half. */
nsds_status nsds_rattle_form_speeds(nsds_second_half *r);
/* Computes velocities and the impulses of the step from its solution. */
void nsds_rattle_apply(nsds_second_half *r);

#endif
