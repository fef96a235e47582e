/* Proximal problems between sweeps, see proximal.h. */
#include "numerics/sweeps/proximal.h"

#include "base/parallel.h"
#include "numerics/sweeps/nsgs_open.h"
#include "numerics/sweeps/nsgs_operator.h"

enum {
  least_rows = 2048, /* of a part */
  least_sweeps = 4,  /* of a problem: fewer do not show how they converge */
  most_sweeps = 60,
};

/* A problem is left when the change of a sweep falls below this part of the change of its first
 * sweep. A better solution costs more sweeps than it saves problems. */
static const double enough = 0.3;

static const double beyond = 1.5; /* of the way from c; below 2 the iteration still converges */

typedef struct walk {
  nsds_proximal *proximal;
  const double *from;
  double *z;
} walk;

static void shift_part(void *self, int part, int parts) {
  const walk *t = self;
  const nsds_sweeps *s = t->proximal->sweeps;
  const double *z = t->from, *c = t->proximal->centre, *q = s->problem->q, *extra = s->extra;
  int n = s->problem->n, end = nsds_part_begin(n, part + 1, parts);
  for (int i = nsds_part_begin(n, part, parts); i < end; ++i)
    t->proximal->q[i] = q[i] + extra[i] * (z[i] - c[i]);
}

void nsds_proximal_begin(nsds_proximal *p, bool first, const double *z) {
  nsds_sweeps *s = p->sweeps;
  if (!p->on) nsds_sweeps_regularize(s, p->weight);
  if (first || !p->on) p->sweep = 0;
  p->on = true;
  s->q = p->q;
  if (p->sweep == 0) nsds_copy_shared(s->context, p->centre, z, s->problem->n);
  nsds_share_out(s->context, nsds_parts(s->problem->n, least_rows), shift_part,
                 &(walk){.proximal = p, .from = z});
}

bool nsds_proximal_ends(nsds_proximal *p, double change) {
  if (++p->sweep == 1) p->first = change;
  return p->sweep == most_sweeps || (p->sweep >= least_sweeps && change <= enough * p->first);
}

static void move_part(void *self, int part, int parts) {
  const walk *t = self;
  const double *c = t->proximal->centre;
  int n = t->proximal->sweeps->problem->n, end = nsds_part_begin(n, part + 1, parts);
  for (int i = nsds_part_begin(n, part, parts); i < end; ++i)
    t->z[i] = c[i] + beyond * (t->z[i] - c[i]);
}

void nsds_proximal_move(nsds_proximal *p, double *z, double *y) {
  const nsds_sweeps *s = p->sweeps;
  nsds_share_out(s->context, nsds_parts(s->problem->n, least_rows), move_part,
                 &(walk){.proximal = p, .z = z});
  nsds_sweeps_refresh(s, z, y);
  nsds_sweeps_project(s, z, y);
  p->sweep = 0;
}

void nsds_proximal_close(nsds_proximal *p, double regularization) {
  if (!p->on) return;
  nsds_sweeps_regularize(p->sweeps, regularization);
  p->sweeps->q = p->sweeps->problem->q;
  p->on = false;
}
