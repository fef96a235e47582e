/* Convex quadratic programmes, see programme.h. */
#include "numerics/programme/programme.h"

#include "base/base.h"
#include "numerics/linear/forms.h"
#include "numerics/programme/programme_units.h"
#include "numerics/sets/bounds.h"
#include "numerics/solver_tools.h"

#include <limits.h>

enum {
  most_exchanges = 6, /* of rows held, from one point of the path */
  most_refinements = 2,
  most_short_steps = 4,
  most_idle_steps = 25,
  most_zooms = 4
};

static const double near_end = 1e-4; /* error of the path from which on its points are finished, */
static const double again = 1e-2;    /* after each such fall */
static const double falls_enough = 0.1; /* of the residual, for another exchange */
static const double all_terms = 1e-8;   /* error from which on all proximal terms are tried */
static const double short_step = 1e-3;
static const double least_error = 1e-17; /* height over tau^2: the end of the path */
static const double to_ray = 1e3,
                    further = 30.0, /* kappa / tau of a ray; growth between two looks */
    tau_of_ray = 0.1;               /* beside the largest: in other units the ratio may be large */
static const double rounding = 1e-13; /* z beside the largest: may be zero */

/* ---- memory ---- */

static nsds_status programme_hold(nsds_programme *t, nsds_store *store, size_t n, size_t entries) {
  const nsds_cut cut[] = {
      NSDS_CUT(t->q, n),      NSDS_CUT(t->lower, 2 * n), NSDS_CUT(t->upper, 2 * n),
      NSDS_CUT(t->place, n),  NSDS_CUT(t->point, n),     NSDS_CUT(t->centre, n),
      NSDS_CUT(t->change, n), NSDS_CUT(t->size, n),      NSDS_CUT(t->z, n),
      NSDS_CUT(t->y, n),      NSDS_CUT(t->base, n),      NSDS_CUT(t->latest, n)};
  nsds_status status = NSDS_HOLD(store, cut);
  if (!status) status = nsds_trim_reserve(&t->trim, store, (int)n);
  if (!status) status = nsds_programme_rest_reserve(&t->rest, store, n, entries);
  return status ? status : nsds_embedding_reserve(&t->path, store, (int)n, entries);
}

nsds_status nsds_programme_reserve(nsds_programme *t, nsds_solver *solver,
                                   const nsds_problem *problem, bool *serves) {
  const nsds_csc_form *form;
  int n = problem->n;
  *serves = false;
  if (n < 2 || problem->M.symmetric || (solver->toolbox->sets & ~(unsigned)nsds_bound_sets))
    return NSDS_OK;
  nsds_status status = nsds_form_csc(solver, problem, &form);
  const nsds_cut cut[] = {NSDS_CUT(t->sign, (size_t)n), NSDS_CUT(t->side, 2 * (size_t)n)};
  if (!status) status = NSDS_HOLD(&solver->store, cut);
  if (status || !nsds_programme_signs(n, form->p, form->i, form->x, t->sign, t->side))
    return status;
  status = programme_hold(t, &solver->store, (size_t)n, (size_t)form->p[n] + (size_t)n);
  *serves = !status;
  t->whole = (nsds_programme_rows){.n = n,
                                   .p = form->p,
                                   .i = form->i,
                                   .x = form->x,
                                   .q = problem->q,
                                   .lower = t->lower,
                                   .upper = t->upper,
                                   .sign = t->sign};
  return status;
}

/* ---- points of the path ---- */

/* How a path has ended. */
typedef enum programme_end {
  PROGRAMME_GOES_ON,
  PROGRAMME_STUCK,
  PROGRAMME_RAY, /* there seems to be no solution, without a proof */
  PROGRAMME_OVER /* solved, proven or interrupted */
} programme_end;

typedef struct programme_state {
  double at_finish, at_ray; /* error and kappa / tau of the last attempts */
  double most_tau;          /* so far */
  double least_error;       /* so far */
  int idle_steps;           /* since the error has fallen clearly */
  double length;            /* of the last step */
  int short_steps;
  bool trimmed;
} programme_state;

/* Returns a number that is positive if the row is at this bound. Then its slack is much less than its
 * multiplier, or has fallen more in the last step, in any units (El-Bakry, Tapia & Zhang: SIAM
 * Review 36, 1994). */
static double programme_at_bound(const nsds_embedding *e, int side, int i, double length) {
  static const double clearly = 1e6;
  if (e->l[side][i] > clearly * e->s[side][i]) return 1.0;
  if (e->s[side][i] > clearly * e->l[side][i]) return -1.0;
  double s = e->s[side][i] - length * e->ds[side][i], l = e->l[side][i] - length * e->dl[side][i];
  return fabs(e->l[side][i] / l) - fabs(e->s[side][i] / s);
}

/* Decides which rows are at a bound. */
static void programme_place(nsds_programme *t, double length) {
  const nsds_embedding *e = &t->path;
  for (int i = 0; i < t->rest.rows.n; ++i) {
    bool lower = isfinite(t->rest.rows.lower[i]), upper = isfinite(t->rest.rows.upper[i]);
    lower = lower && programme_at_bound(e, NSDS_LOWER, i, length) > 0.0;
    upper = upper && programme_at_bound(e, NSDS_UPPER, i, length) > 0.0;
    if (lower && upper) {
      lower = e->s[NSDS_LOWER][i] < e->s[NSDS_UPPER][i];
      upper = !lower;
    }
    t->place[i] = (signed char)(upper - lower);
    t->point[i] = t->centre[i] = e->z[i] / e->tau;
  }
}

/* Puts the rows that are held onto their bounds, and the others between these. */
static void programme_clip(nsds_programme *t) {
  const nsds_programme_rows *m = &t->rest.rows;
  for (int i = 0; i < m->n; ++i)
    t->point[i] = t->place[i] < 0   ? m->lower[i]
                  : t->place[i] > 0 ? m->upper[i]
                                    : nsds_clip(t->point[i], m->lower[i], m->upper[i]);
}

/* Writes the point to z of the whole, and offers it to the watch; returns its residual. */
static double programme_offer(nsds_programme *t, nsds_watch *watch, bool trimmed) {
  const nsds_programme_rows *m = &t->whole;
  for (int k = 0; k < t->rest.rows.n; ++k) t->z[t->rest.row[k]] = t->point[k] * t->rest.of_z[k];
  if (trimmed) nsds_trim_back(&t->trim, t->z);
  for (int i = 0; i < m->n; ++i)
    t->z[i] = nsds_clip(t->base[i] + t->z[i], m->lower[i], m->upper[i]);
  double residual = nsds_watch_residual(t->solver, t->problem, t->z, NULL);
  if (residual < watch->best) {
    watch->best = residual;
    memcpy(watch->z, t->z, (size_t)m->n * sizeof *t->z);
  }
  return residual;
}

/* Writes w = M z, with q and the proximal term if it is no ray. */
static void programme_find_w(nsds_programme *t, bool ray, double *w) {
  nsds_programme_multiply(&t->rest.rows, false, t->point, w);
  for (int i = 0; !ray && i < t->rest.rows.n; ++i)
    w[i] += t->rest.rows.q[i] + t->proximal * (t->point[i] - t->centre[i]);
}

/* Solves w = 0 for the free rows. */
static nsds_status programme_solve_free(nsds_programme *t, bool ray) {
  nsds_status status = nsds_embedding_hold(&t->path, t->place, ray ? 0.0 : t->proximal);
  for (int k = 0; !status && k < most_refinements; ++k) {
    programme_find_w(t, ray, t->change);
    for (int i = 0; i < t->rest.rows.n; ++i) t->change[i] = t->place[i] == 0 ? -t->change[i] : 0.0;
    nsds_programme_system_solve(&t->path.system, t->change);
    for (int i = 0; i < t->rest.rows.n; ++i) t->point[i] += t->place[i] == 0 ? t->change[i] : 0.0;
    nsds_copy_doubles(t->centre, t->point, ray ? 0 : (size_t)t->rest.rows.n);
  }
  return status;
}

/* Holds rows that have passed a bound, and frees those whose w has the wrong sign. Returns how many. */
static int programme_exchange(nsds_programme *t) {
  const nsds_programme_rows *m = &t->rest.rows;
  int count = 0;
  programme_find_w(t, false, t->change);
  for (int i = 0; i < m->n; ++i) {
    double w = t->change[i], z = t->point[i];
    signed char now = t->place[i];
    if (now == 0) now = (signed char)((z > m->upper[i]) - (z < m->lower[i]));
    else if (w * now > 0.0) now = 0;
    count += now != t->place[i];
    t->place[i] = now;
  }
  return count;
}

/* Sets entries of the point that are rounding beside the largest to zero, where zero is allowed. */
static bool programme_remove_noise(nsds_programme *t) {
  double most = 0.0;
  bool removed = false;
  for (int i = 0; i < t->rest.rows.n; ++i) nsds_raise(&most, fabs(t->point[i]));
  for (int i = 0; i < t->rest.rows.n; ++i) {
    if (t->point[i] == 0.0 || fabs(t->point[i]) > rounding * most) continue;
    t->point[i] = nsds_clip(0.0, t->rest.rows.lower[i], t->rest.rows.upper[i]);
    removed = true;
  }
  return removed;
}

/* Solves for the free rows and exchanges rows, until the watch is content or no row is exchanged. */
static nsds_status programme_polish(nsds_programme *t, nsds_watch *watch, bool trimmed,
                                    double length, bool *solved) {
  programme_place(t, length);
  programme_clip(t);
  double residual = programme_offer(t, watch, trimmed), last = INFINITY;
  int exchanged = t->rest.rows.n, before = INT_MAX;
  for (int k = 0; k < most_exchanges; ++k) {
    bool fewer = exchanged > 0 && exchanged <= before / 2;
    if (residual <= watch->tolerance || !(fewer || residual <= falls_enough * last)) break;
    before = exchanged;
    last = residual;
    nsds_status status = programme_solve_free(t, false);
    if (status) return *solved = false, status == NSDS_ERROR_SINGULAR ? NSDS_OK : status;
    exchanged = programme_exchange(t); /* the point is offered as the old places left it */
    for (int i = 0; i < t->rest.rows.n; ++i)
      t->point[i] = nsds_clip(t->point[i], t->rest.rows.lower[i], t->rest.rows.upper[i]);
    residual = programme_offer(t, watch, trimmed);
    if (residual > watch->tolerance && programme_remove_noise(t))
      residual = fmin(residual, programme_offer(t, watch, trimmed));
    programme_clip(t);
  }
  *solved = residual <= watch->tolerance;
  return NSDS_OK;
}

/* Makes an answer of the point of the path, as it is or polished. The first polish has a proximal
 * term, which keeps free rows near where M is singular. */
static nsds_status programme_finish(nsds_programme *t, nsds_watch *watch, programme_state *s,
                                    bool *solved) {
  static const double terms[] = {1e-7, 1e-10, 0.0};
  size_t most = s->at_finish > all_terms ? 1 : sizeof terms / sizeof *terms;
  nsds_status status = NSDS_OK;
  for (int i = 0; i < t->rest.rows.n; ++i)
    t->point[i] =
        nsds_clip(t->path.z[i] / t->path.tau, t->rest.rows.lower[i], t->rest.rows.upper[i]);
  double first = programme_offer(t, watch, s->trimmed);
  *solved = first <= watch->tolerance;
  if (*solved || !isfinite(first)) return NSDS_OK;
  memcpy(t->latest, t->z, (size_t)t->whole.n * sizeof *t->z);
  for (size_t k = 0; !status && !*solved && k < most; ++k) {
    t->proximal = terms[k];
    status = programme_polish(t, watch, s->trimmed, s->length, solved);
  }
  return status;
}

/* ---- rays ---- */

static const double negligible = 1e-7; /* of a ray: beside the largest, or beside the terms of w */

/* Chooses the rows of a ray of one side: its own rows are free unless they vanish. Rows of the other
 * side are free, at zero, if their w must vanish or is not clearly of the right sign. */
static void programme_place_ray(nsds_programme *t, int side) {
  const nsds_programme_rows *m = &t->rest.rows;
  double most = 0.0, *w = t->change, *size = t->size;
  for (int i = 0; i < m->n; ++i) {
    bool bounded = m->lower[i] > -INFINITY && m->upper[i] < INFINITY;
    t->point[i] = bounded || m->sign[i] != side ? 0.0 : t->path.z[i];
    if (m->lower[i] > -INFINITY) t->point[i] = fmax(t->point[i], 0.0);
    if (m->upper[i] < INFINITY) t->point[i] = fmin(t->point[i], 0.0);
    nsds_raise(&most, fabs(t->point[i]));
  }
  for (int i = 0; i < m->n; ++i)
    t->point[i] = fabs(t->point[i]) <= negligible * most ? 0.0 : t->point[i] / most;
  nsds_programme_multiply(m, false, t->point, w);
  nsds_zero_doubles(size, (size_t)m->n);
  for (int j = 0; j < m->n; ++j)
    for (int k = m->p[j]; k < m->p[j + 1]; ++k) size[m->i[k]] += fabs(m->x[k] * t->point[j]);
  for (int i = 0; i < m->n; ++i) {
    bool lower = m->lower[i] > -INFINITY, upper = m->upper[i] < INFINITY;
    bool slack = (lower && w[i] > negligible * size[i]) || (upper && w[i] < -negligible * size[i]);
    bool held = m->sign[i] == side ? t->point[i] == 0.0 : slack || size[i] == 0.0;
    t->place[i] = (signed char)(held || (lower && upper));
  }
}

/* Refines the ray of one side, and checks whether it proves that there is no solution. */
static nsds_status programme_try_ray(nsds_programme *t, int side, bool *proved) {
  const nsds_programme_rows *m = &t->rest.rows;
  programme_place_ray(t, side);
  nsds_status status = programme_solve_free(t, true);
  if (status) return status == NSDS_ERROR_SINGULAR ? NSDS_OK : status;
  for (int i = 0; i < t->whole.n; ++i) t->y[i] = 0.0;
  for (int k = 0; k < m->n; ++k) {
    double y = m->sign[k] == side ? t->point[k] * t->rest.of_z[k] : 0.0;
    if (m->lower[k] > -INFINITY) y = fmax(y, 0.0);
    if (m->upper[k] < INFINITY) y = fmin(y, 0.0);
    t->y[t->rest.row[k]] = y;
  }
  *proved = nsds_certify_no_solution(t->problem, t->y, t->solver->toolbox->certify_work);
  if (*proved) t->solver->toolbox->proof = t->y;
  return NSDS_OK;
}

/* ---- the path ---- */

/* Looks at a point of the path. */
static nsds_status programme_look(nsds_programme *t, nsds_watch *watch, programme_state *s,
                                  programme_end *end) {
  nsds_embedding *e = &t->path;
  double ratio = e->kappa / e->tau;
  double error = fmax(nsds_embedding_error(e), e->mu / (e->tau * e->tau));
  nsds_raise(&s->most_tau, e->tau);
  bool falls = e->tau <= tau_of_ray * s->most_tau;
  bool fell = error <= 0.5 * s->least_error;
  s->idle_steps = fell ? 0 : s->idle_steps + 1;
  if (fell) s->least_error = error;
  bool stuck = s->short_steps >= most_short_steps || s->idle_steps >= most_idle_steps ||
               !(e->mu > least_error * e->tau * e->tau);
  *end = stuck ? PROGRAMME_STUCK : PROGRAMME_GOES_ON;
  if (ratio > to_ray && (falls || stuck) && (ratio > further * s->at_ray || stuck)) {
    bool proved = false;
    s->at_ray = ratio;
    nsds_status status = NSDS_OK;
    for (int side = -1; !status && !proved && !s->trimmed && side <= 1; side += 2)
      status = programme_try_ray(t, side, &proved);
    *end = proved ? PROGRAMME_OVER : s->trimmed || stuck ? PROGRAMME_RAY : *end;
    return status;
  }
  if (ratio > 1.0) return NSDS_OK; /* rather a ray: terms of z / tau would hide any error */
  if (stuck || (error <= near_end && error <= again * s->at_finish)) {
    bool solved = false;
    s->at_finish = error;
    nsds_status status = programme_finish(t, watch, s, &solved);
    if (solved) *end = PROGRAMME_OVER;
    return status;
  }
  return NSDS_OK;
}

static nsds_status programme_follow(nsds_programme *t, nsds_watch *watch, bool trimmed,
                                    programme_end *end) {
  programme_state s = {.at_finish = INFINITY, .least_error = INFINITY, .trimmed = trimmed};
  *end = PROGRAMME_GOES_ON;
  nsds_programme_rest_make(&t->rest, &t->given, trimmed ? &t->trim : NULL);
  if (t->rest.rows.n == 0) {
    *end =
        programme_offer(t, watch, trimmed) <= watch->tolerance ? PROGRAMME_OVER : PROGRAMME_STUCK;
    return NSDS_OK;
  }
  nsds_status status = nsds_embedding_start(&t->path, &t->rest.rows, t->rest.pattern);
  if (status) return *end = PROGRAMME_STUCK, status == NSDS_ERROR_SINGULAR ? NSDS_OK : status;
  while (*end == PROGRAMME_GOES_ON) {
    status = nsds_embedding_step(&t->path, &s.length);
    if (status) return status;
    s.short_steps = s.length == 0.0         ? most_short_steps
                    : s.length < short_step ? s.short_steps + 1
                                            : 0;
    status = programme_look(t, watch, &s, end);
    if (status && status != NSDS_ERROR_SINGULAR) return status;
    watch->next = INT_MAX;
    if (nsds_watch_step(watch, watch->info->iterations + 1, watch->z) && *end == PROGRAMME_GOES_ON)
      *end = watch->info->outcome == NSDS_NOT_CONVERGED ? PROGRAMME_STUCK : PROGRAMME_OVER;
  }
  return NSDS_OK;
}

/* ---- a closer look ---- */

/* Rows are decided if slack or multiplier exceeds the largest error of the law by this. */
static const double decided = 1e6;

/* Returns the largest of the smaller ones of slack and multiplier, in units of the rows. */
static double programme_doubt(const nsds_programme *t, const double *w) {
  double most = 0.0;
  for (int i = 0; i < t->whole.n; ++i) {
    double z = t->latest[i], above = (z - t->whole.lower[i]) / t->rest.of_z[i];
    double below = (t->whole.upper[i] - z) / t->rest.of_z[i], x = w[i] / t->rest.of_w[i];
    nsds_raise(&most, x > 0.0 ? fmin(x, above) : fmin(-x, below));
  }
  return most;
}

/*
 * Makes the problem of what the point lacks: z = base + change, q = M base + q. Rows that are
 * decided stay at their bounds, or lose them. Units then fit the change (Gleixner, Steffy & Wolter:
 * INFORMS J. Comput. 28, 2016).
 */
static void programme_zoom(nsds_programme *t) {
  const nsds_programme_rows *m = &t->whole;
  double *q = t->q, *lower = t->lower + m->n, *upper = t->upper + m->n;
  nsds_programme_find_units(m, t->rest.of_z, t->rest.of_w, t->y);
  nsds_programme_multiply(m, false, t->latest, q);
  for (int i = 0; i < m->n; ++i) q[i] += m->q[i];
  double far = decided * programme_doubt(t, q);
  for (int i = 0; i < m->n; ++i) {
    double z = t->latest[i], x = q[i] / t->rest.of_w[i];
    double above = (z - m->lower[i]) / t->rest.of_z[i], below = (m->upper[i] - z) / t->rest.of_z[i];
    t->place[i] = (signed char)((-x > far && below < far) - (x > far && above < far));
    t->base[i] = t->place[i] > 0 ? m->upper[i] : t->place[i] < 0 ? m->lower[i] : z;
    lower[i] = t->place[i] || above < far ? m->lower[i] - t->base[i] : -INFINITY;
    upper[i] = t->place[i] || below < far ? m->upper[i] - t->base[i] : INFINITY;
    if (t->place[i]) lower[i] = upper[i] = 0.0;
  }
  nsds_programme_multiply(m, false, t->base, q);
  for (int i = 0; i < m->n; ++i) q[i] += m->q[i];
  t->given = *m;
  t->given.q = q;
  t->given.lower = lower;
  t->given.upper = upper;
}

static nsds_status programme_look_closer(nsds_programme *t, nsds_watch *watch, programme_end *end) {
  nsds_status status = NSDS_OK;
  for (int k = 0; !status && *end == PROGRAMME_STUCK && k < most_zooms; ++k) {
    programme_zoom(t);
    bool trimmed = nsds_trim_run(&t->trim, &t->given);
    if (!trimmed) break;
    status = programme_follow(t, watch, true, end);
  }
  return status;
}

/* Follows the path of all rows or of the trimmed ones; `closer`: and looks closer where it ends. */
static nsds_status programme_attempt(nsds_programme *t, nsds_watch *watch, bool trimmed,
                                     bool closer, programme_end *end) {
  const nsds_programme_rows *m = &t->whole;
  t->given = *m;
  nsds_zero_doubles(t->base, (size_t)m->n);
  for (int i = 0; i < m->n; ++i) t->latest[i] = nsds_clip(0.0, m->lower[i], m->upper[i]);
  nsds_status status = programme_follow(t, watch, trimmed, end);
  return status || !closer ? status : programme_look_closer(t, watch, end);
}

nsds_status nsds_programme_solve(nsds_programme *t, nsds_watch *watch, bool closer, bool *done) {
  programme_end end = PROGRAMME_STUCK;
  nsds_status status = NSDS_OK;
  t->solver = watch->solver;
  t->problem = watch->problem;
  t->path.system.factorizations = 0;
  watch->latest = watch->best; /* another path may have run away */
  nsds_row_bounds(watch->problem, t->lower, t->upper);
  bool trimmed = nsds_trim_run(&t->trim, &t->whole) && t->trim.count > 0;
  if (trimmed) status = programme_attempt(t, watch, true, closer, &end);
  if (!status && end != PROGRAMME_OVER && (closer || end == PROGRAMME_RAY || !trimmed))
    status = programme_attempt(t, watch, false, closer, &end);
  watch->info->factorizations += t->path.system.factorizations;
  *done = end == PROGRAMME_OVER || end == PROGRAMME_RAY;
  if (t->solver->toolbox->proof) watch->info->outcome = NSDS_NO_SOLUTION;
  return status;
}
