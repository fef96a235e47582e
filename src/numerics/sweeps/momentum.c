/*
 * Momentum (Nesterov 1983). Momentum is given up when a step turns against it (O'Donoghue & Candes:
 * Found. Comput. Math. 15, 2015) or goes further than earlier steps; see nsgs.c.
 */
#include "numerics/sweeps/momentum.h"

#include "base/parallel.h"

enum { least_rows = 2048 }; /* of a part */

/* ---- does a step turn? ---- */

typedef struct turn {
  const nsds_momentum *momentum;
  const double *weight, *before, *x;
  double along[nsds_most_parts], change[nsds_most_parts]; /* sums by parts */
} turn;

static void turn_part(void *self, int part, int parts) {
  turn *t = self;
  const double *last = t->momentum->last;
  double along = 0.0, change = 0.0;
  int end = nsds_part_begin(t->momentum->n, part + 1, parts);
  for (int i = nsds_part_begin(t->momentum->n, part, parts); i < end; ++i) {
    double weight = t->weight[i] * t->weight[i], back = t->before[i] - t->x[i];
    along += weight * back * (t->x[i] - last[i]);
    change += weight * back * back;
  }
  t->along[part] = along;
  t->change[part] = change;
}

void nsds_momentum_look(nsds_momentum *m, const double *weight, const double *before,
                        const double *x) {
  turn t = {.momentum = m, .weight = weight, .before = before, .x = x};
  int parts = nsds_parts(m->n, least_rows);
  double change = 0.0;
  m->along = 0.0;
  nsds_share_out(m->context, parts, turn_part, &t);
  for (int part = 0; part < parts; ++part) {
    m->along += t.along[part];
    change += t.change[part];
  }
  m->change = sqrt(change);
}

/* ---- going on ---- */

typedef struct way {
  double beta;
  int n;
  double *x, *last;
} way;

/* Goes beyond x by the part beta of the way from `last` to x. x becomes `last`. */
static void go_part(void *self, int part, int parts) {
  const way *t = self;
  double *restrict x = t->x, *restrict last = t->last;
  int end = nsds_part_begin(t->n, part + 1, parts);
  for (int i = nsds_part_begin(t->n, part, parts); i < end; ++i) {
    double led = x[i];
    x[i] += t->beta * (led - last[i]);
    last[i] = led;
  }
}

static void momentum_go_on(const nsds_momentum *m, double beta, int n, double *x, double *last) {
  way t = {.beta = beta, .n = n, .x = x, .last = last};
  nsds_share_out(m->context, nsds_parts(n, least_rows), go_part, &t);
}

bool nsds_momentum_step(nsds_momentum *m, bool first, double *x, double *y) {
  const double growth = 2.0; /* of what a step changes, since t was 1 */
  bool again = first || m->along > 0.0 || m->change > growth * m->least;
  double t = again ? 1.0 : m->t, next = 0.5 + sqrt(0.25 + t * t), beta = (t - 1.0) / next;
  m->least = again ? m->change : fmin(m->least, m->change);
  if (first) {
    nsds_copy_shared(m->context, m->last, x, m->n);
    nsds_copy_shared(m->context, m->y_last, y, m->ny);
  }
  m->t = fmin(next, m->limit);
  momentum_go_on(m, beta, m->n, x, m->last);
  momentum_go_on(m, beta, m->ny, y, m->y_last);
  return beta > 0.0;
}
