/* One step along the central path, see interior_point.c. */
#include "blockwise.h"
#include "interior_point.h"

enum { most_rows = NSDS_COUPLED_ROWS + 1 };

static const double short_step = 0.5;    /* below, a step without second order is made instead: */
static const double middle = 0.5;        /* with this sigma, */
static const double most_lag = 10.0;     /* or 1 where the residual's energy is so far above mu */
static const double must_fall = 0.9;     /* of the height in such a step */
static const double no_step = 0.05;      /* below, a step leads nowhere */
static const double off_boundary = 1e-2; /* part of the step to the boundary that is not made; */
static const double off_of_left = 0.1;   /* this part of what the predictor has left, */
static const double least_off = 1e-4;    /* where that nearly reaches the end */
static const double pinned = 1e20;       /* weight of rows that cannot move: beyond all digits */
static const double proximal[] = {1e-11, 1e-9}; /* terms for singular systems, in turn */

/* ---- where the iterate is ---- */

static double tail_length(const nsds_slack_cone *c, const double *l) {
  return c->shifted ? sqrt(nsds_dot(c->size - 1, l + 1, l + 1)) : 0.0;
}

void nsds_interior_measure(nsds_interior *t, bool renew) {
  double sum = 0.0;
  nsds_problem_multiply(t->problem, t->z, t->residual, t->solver->toolbox->certify_work);
  for (int k = 0; k < t->form->ncone; ++k) {
    const nsds_slack_cone *c = &t->form->cone[k];
    const double *l = t->l + c->slack;
    double *gap = t->gap + c->slack;
    if (!t->frozen || renew) t->length[k] = tail_length(c, l);
    nsds_conic_add(c, -1.0, l, t->length[k], t->residual);
    nsds_conic_multiply(c, t->z, gap);
    gap[0] -= c->bound;
    for (int i = 0; i < c->size; ++i) gap[i] -= t->s[c->slack + i];
    sum += t->pair[k].product;
  }
  t->mu = t->form->ncone > 0 ? sum / t->form->ncone : 0.0;
}

static bool scale(nsds_interior *t) {
  for (int k = 0; k < t->form->ncone; ++k) {
    const nsds_slack_cone *c = &t->form->cone[k];
    int i = c->slack;
    if (!nsds_cone_scaling(c->size, t->s + i, t->l + i, &t->pair[k], &t->eta[k], t->ab + i,
                           t->v + i))
      return false;
  }
  return true;
}

/* ---- the linear system ---- */

nsds_status nsds_interior_factor(nsds_interior *t, bool symmetric) {
  ++t->info->factorizations;
  nsds_status status = nsds_block_system_factor(t->system, symmetric);
  for (size_t k = 0; k < sizeof proximal / sizeof *proximal; ++k) {
    if (status != NSDS_ERROR_SINGULAR) return status;
    for (int i = 0; i < t->n; ++i) nsds_block_system_add(t->system, i, proximal[k] / t->r[i]);
    ++t->info->factorizations;
    status = nsds_block_system_factor(t->system, symmetric);
  }
  return status == NSDS_ERROR_SINGULAR ? NSDS_OK : status; /* ill-conditioned: as good as can be */
}

static nsds_status factor(nsds_interior *t) {
  double P[most_rows * most_rows];
  nsds_block_system_start(t->system, t->solver, t->problem);
  for (int k = 0; k < t->form->ncone; ++k) {
    const nsds_slack_cone *c = &t->form->cone[k];
    nsds_cone_inverse_square(c->size, t->eta[k], t->ab + c->slack, P);
    nsds_conic_add_system(c, !t->frozen, t->l + c->slack, P, t->system);
  }
  for (int k = 0; k < t->form->nfixed; ++k)
    nsds_block_system_add(t->system, t->form->fixed[k], pinned / t->r[t->form->fixed[k]]);
  return nsds_interior_factor(t, t->symmetric);
}

/* dz and the scaled steps for the right-hand side t; residual and gap are to fall by `share`. */
static void find_steps(nsds_interior *t, double share) {
  double x[most_rows];
  for (int i = 0; i < t->n; ++i) t->dz[i] = -share * t->residual[i];
  for (int k = 0; k < t->form->ncone; ++k) {
    const nsds_slack_cone *c = &t->form->cone[k];
    const double *ab = t->ab + c->slack;
    nsds_cone_unscale(c->size, t->eta[k], ab, t->gap + c->slack, x);
    for (int i = 0; i < c->size; ++i) x[i] = t->t[c->slack + i] - share * x[i];
    nsds_cone_unscale(c->size, t->eta[k], ab, x, x);
    nsds_conic_add_derivative(c, !t->frozen, t->l + c->slack, x, t->dz);
  }
  nsds_block_system_solve(t->system, t->dz);
  for (int k = 0; k < t->form->nfixed; ++k) t->dz[t->form->fixed[k]] = 0.0;
  for (int k = 0; k < t->form->ncone; ++k) {
    const nsds_slack_cone *c = &t->form->cone[k];
    double *ds = t->ds + c->slack, *dl = t->dl + c->slack;
    nsds_conic_multiply(c, t->dz, ds);
    for (int i = 0; i < c->size; ++i) ds[i] += share * t->gap[c->slack + i];
    nsds_cone_unscale(c->size, t->eta[k], t->ab + c->slack, ds, ds);
    for (int i = 0; i < c->size; ++i) dl[i] = t->t[c->slack + i] - ds[i];
  }
}

/* t for the height sigma mu, with the second order of the steps before where `correct`. */
static void aim(nsds_interior *t, double sigma, bool correct) {
  for (int k = 0; k < t->form->ncone; ++k) {
    const nsds_slack_cone *c = &t->form->cone[k];
    double x[most_rows] = {0.0}, *target = t->t + c->slack;
    if (correct) nsds_cone_product(c->size, t->ds + c->slack, t->dl + c->slack, x);
    for (int i = 0; i < c->size; ++i) x[i] = (i == 0 ? sigma * t->mu : 0.0) - x[i];
    nsds_cone_divide(c->size, t->v + c->slack, x, target);
    for (int i = 0; i < c->size; ++i) target[i] -= t->v[c->slack + i];
  }
}

/* ---- the step ---- */

static double to_boundary(const nsds_interior *t) {
  double length = INFINITY;
  for (int k = 0; k < t->form->ncone; ++k) {
    const nsds_slack_cone *c = &t->form->cone[k];
    length = fmin(length, nsds_cone_step(c->size, t->v + c->slack, t->ds + c->slack));
    length = fmin(length, nsds_cone_step(c->size, t->v + c->slack, t->dl + c->slack));
  }
  return length;
}

/* s and l of one cone, and their figures, from the scaled point, where nothing cancels. */
static void move_cone(nsds_interior *t, int k, double length) {
  const nsds_slack_cone *c = &t->form->cone[k];
  double x[most_rows], y[most_rows], product = 0.0;
  for (int i = 0; i < c->size; ++i) {
    x[i] = t->v[c->slack + i] + length * t->ds[c->slack + i];
    y[i] = t->v[c->slack + i] + length * t->dl[c->slack + i];
    product += x[i] * y[i];
  }
  t->pair[k] = (nsds_cone_pair){.root_s = t->eta[k] * nsds_cone_root(c->size, x),
                                .root_l = nsds_cone_root(c->size, y) / t->eta[k],
                                .product = product};
  nsds_cone_scale(c->size, t->eta[k], t->ab + c->slack, x, t->s + c->slack);
  nsds_cone_unscale(c->size, t->eta[k], t->ab + c->slack, y, t->l + c->slack);
}

/* Largest r w^2 of the residual. */
static double residual_energy(const nsds_interior *t) {
  double most = 0.0;
  for (int i = 0; i < t->n; ++i) most = fmax(most, t->r[i] * t->residual[i] * t->residual[i]);
  return most;
}

/* The height after a step of this length. */
static double height_after(const nsds_interior *t, double length) {
  double sum = 0.0;
  for (int i = 0; i < t->p; ++i)
    sum += (t->v[i] + length * t->ds[i]) * (t->v[i] + length * t->dl[i]);
  return sum / t->form->ncone;
}

/* The corrector's steps, or those without second order where they are short or lead up; their
 * length. `left` is what the predictor could not make of its step. */
static double choose_steps(nsds_interior *t, double left) {
  double sigma = left * left * left,
         keep = 1.0 - fmax(fmin(off_boundary, off_of_left * left), least_off);
  aim(t, sigma, true);
  find_steps(t, 1.0 - sigma);
  double length = fmin(keep * to_boundary(t), 1.0);
  if (t->p == 0 || (length >= short_step && height_after(t, length) <= must_fall * t->mu))
    return length;
  bool behind = residual_energy(t) > most_lag * t->mu;
  aim(t, behind ? 1.0 : middle, false);
  find_steps(t, behind ? 1.0 : 1.0 - middle);
  return fmin(keep * to_boundary(t), 1.0);
}

nsds_status nsds_interior_step(nsds_interior *t, bool *stuck) {
  *stuck = !scale(t);
  nsds_status status = *stuck ? NSDS_OK : factor(t);
  if (status || *stuck) return status;
  aim(t, 0.0, false);
  find_steps(t, 1.0);
  double length = choose_steps(t, 1.0 - fmin(to_boundary(t), 1.0));
  for (int i = 0; i < t->n; ++i) *stuck = *stuck || !isfinite(t->dz[i]);
  if (*stuck) return NSDS_OK;
  for (int i = 0; i < t->n; ++i) t->z[i] += length * t->dz[i];
  for (int k = 0; k < t->form->ncone; ++k) move_cone(t, k, length);
  nsds_interior_measure(t, false);
  t->short_steps = length < no_step ? t->short_steps + 1 : 0;
  *stuck = !isfinite(t->mu);
  return NSDS_OK;
}
