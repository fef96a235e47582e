/*
 * What happens to the rows at an event, at the trial state:
 *   touch    which rows are at zero: located there, kept there, or there up to rounding
 *   impact   (M (v+ - v-) = H^T P,  0 <= dy/dt+ + e dy/dt- perpendicular to P >= 0) on all rows at
 *            zero in one problem, until none approaches; first order: x jumps to where y is
 * admissible find     the problem at the level of first differentials, -ds in N_[lower,
 * upper](lambda), and the mode of each row from its solution: with ds > 0 it opens, with lambda
 * between its bounds it is closed, and where both vanish it stays closed unless it was lambda that
 *            came to its bound, so that the next derivative of lambda decides
 *   settle   of closed rows that depend on each other those are kept that determine the rest
 * Source: Acary and Brogliato (2008), ch. 8.
 */
#include "smooth.h"

#include <float.h>

static const double rounding = 64.0 * DBL_EPSILON; /* of terms of gaps and velocities */
static const double vanishing = 1e-9;              /* of terms: lambda or ds counts as zero */
static const double drift = 1e-6; /* of sizes: more is where the program has put it */

/* ---- touch ----------------------------------------------------------------------------------- */

/* sum |H_k v_k| over the row's systems */
static double terms(const nsds_smooth *s, const nsds_row *row) {
  const nsds_contact *contact = &s->plan->contact[row->contact];
  const nsds_entry *entry = &s->carrier.entry[row->contact];
  double sum = 0.0;
  for (int e = 0; e < contact->nds; ++e) {
    const nsds_edge *edge = &entry->edge[e];
    const double *v = s->plan->trial.v + edge->column;
    for (int k = 0; k < edge->size; ++k)
      sum += fabs(edge->H[row->i + (size_t)k * (size_t)contact->m] * v[k]);
  }
  return sum;
}

/* The same of coordinates (first order: x) at the largest the systems have had: what their rounding
 * is measured against; with the constant part. */
static double gap_terms(const nsds_smooth *s, const nsds_row *row) {
  const nsds_contact *contact = &s->plan->contact[row->contact];
  const nsds_entry *entry = &s->carrier.entry[row->contact];
  double sum = contact->affine ? fabs(contact->shift[row->i]) : 0.0;
  for (int e = 0; e < contact->nds; ++e) {
    const nsds_edge *edge = &entry->edge[e];
    double size = s->size[contact->reach[e].slot];
    for (int k = 0; k < edge->size; ++k)
      sum += fabs(edge->H[row->i + (size_t)k * (size_t)contact->m]) * size;
  }
  return sum;
}

static bool bilateral(const nsds_row *row) {
  return row->lower == -INFINITY && row->upper == INFINITY;
}

static bool kept(const nsds_row *row) {
  return row->mode == NSDS_MODE_CLOSED || row->mode == NSDS_MODE_IDLE;
}

static void touch_gap(nsds_smooth *s, nsds_row *row, double far) {
  const nsds_state *at = &s->plan->trial;
  double size = gap_terms(s, row);
  bool stays = kept(row) && at->y[row->y] <= far; /* else it was taken away */
  row->at_zero = row->at_zero || stays || bilateral(row) || at->y[row->y] <= rounding * size;
  row->scale = terms(s, row);
  row->moving = fabs(at->ydot[row->y]) > rounding * row->scale + 4.0 * DBL_MIN;
}

void nsds_modes_touch(nsds_smooth *s, bool outside) {
  double far = 0.0;
  for (int k = 0; outside && k < s->plan->nslot; ++k) far = fmax(far, drift * s->size[k]);
  if (!outside) far = INFINITY;
  for (nsds_row *row = s->row, *end = row + s->nrow; row < end; ++row) {
    row->impulse = 0.0;
    if (row->degree == 2) touch_gap(s, row, far);
    if (row->degree != 1) continue;
    bool first = s->plan->contact[row->contact].C;
    double size = first ? gap_terms(s, row) : terms(s, row);
    row->at_zero = row->at_zero || kept(row) || bilateral(row) ||
                   fabs(nsds_row_value(s, row)) <= rounding * size;
  }
}

/* ---- impact ---------------------------------------------------------------------------------- */

/* First order: y < 0 where lambda has no bound to hold it. */
static bool inadmissible(const nsds_smooth *s, const nsds_row *row) {
  double value = nsds_row_value(s, row);
  return row->degree == 1 && s->plan->contact[row->contact].C &&
         ((value < 0.0 && row->upper == INFINITY) || (value > 0.0 && row->lower == -INFINITY)) &&
         !row->at_zero;
}

static bool takes_impulses(const nsds_smooth *s, const nsds_row *row) {
  if (row->degree == 2) return row->at_zero;
  bool unbounded = row->lower == -INFINITY || row->upper == INFINITY;
  return row->degree == 1 && unbounded && s->plan->contact[row->contact].C &&
         (row->at_zero || inadmissible(s, row));
}

/* Whether the row asks for an impact. */
static bool collides(const nsds_smooth *s, const nsds_row *row) {
  if (row->degree == 1) return inadmissible(s, row);
  if (row->degree != 2 || !row->at_zero || !row->moving) return false;
  return bilateral(row) || nsds_row_speed(s, row) < 0.0;
}

/* dy/dt- and what the law remembers of it; first order: y. */
static double before(const nsds_smooth *s, const nsds_row *row, bool inelastic) {
  const nsds_contact *contact = &s->plan->contact[row->contact];
  const nsds_state *at = &s->plan->trial;
  if (row->degree == 1) return at->y[row->y];
  double q = at->ydot[row->y];
  if (contact->restitution && !inelastic)
    contact->restitution(contact->law_self, at->ydot + row->y, &q);
  return q;
}

/* A row's set in the problem: impulses have the infinite bounds only. */
static void place(nsds_smooth *s, int k, bool impact) {
  const nsds_row *row = &s->row[s->chosen[k]];
  double *bound = s->bounds + 2 * k;
  bound[0] = impact && row->lower > -INFINITY ? 0.0 : row->lower;
  bound[1] = impact && row->upper < INFINITY ? 0.0 : row->upper;
  bool below = bound[0] > -INFINITY, above = bound[1] < INFINITY;
  s->block[k] = (nsds_block){.set = !below && !above            ? NSDS_SET_EQUALITY
                                    : bound[0] == 0.0 && !above ? NSDS_SET_NONNEGATIVE
                                                                : NSDS_SET_BOX,
                             .size = 1,
                             .lower = &bound[0],
                             .upper = &bound[1]};
}

static nsds_status solve(nsds_smooth *s, bool impact, nsds_solver_info *info) {
  for (int k = 0; k < s->n; ++k) {
    place(s, k, impact);
    s->z[k] = 0.0;
    s->terms[k] *= 0x1p-50; /* what rounding makes of them, and back below */
  }
  nsds_problem problem = {.n = s->n,
                          .nblock = s->n,
                          .block = s->block,
                          .M = {.storage = NSDS_DENSE, .n = s->n, .x = s->A},
                          .q = s->b,
                          .q_error = s->terms};
  nsds_status status = nsds_solve(s->solver, &problem, s->z, s->w, info);
  for (int k = 0; k < s->n; ++k) s->terms[k] *= 0x1p50;
  if (status != NSDS_ERROR_SOLVER) return status;
  return nsds_fail(s->plan->context, status,
                   "event at t = %.17g: the problem of %s in %d rows was not solved: %s by %s, "
                   "residual %g, row %d",
                   s->plan->trial.t, impact ? "impulses" : "accelerations", s->n,
                   nsds_outcome_text(info->outcome), info->solver, info->residual, info->worst_row);
}

static nsds_status collide(nsds_smooth *s, bool inelastic, nsds_solver_info *info) {
  nsds_state *at = &s->plan->trial;
  s->n = 0;
  for (int r = 0; r < s->nrow; ++r)
    if (takes_impulses(s, &s->row[r])) s->chosen[s->n++] = r;
  nsds_status status = nsds_smooth_matrix(s, true);
  for (int k = 0; k < s->n; ++k) {
    const nsds_row *row = &s->row[s->chosen[k]];
    s->b[k] = before(s, row, inelastic);
    s->terms[k] = terms(s, row);
  }
  if (!status) status = solve(s, true, info);
  for (int k = 0; !status && k < s->n; ++k) {
    nsds_row *row = &s->row[s->chosen[k]];
    row->impulse += s->z[k];
    row->at_zero = row->degree == 2 || s->z[k] != 0.0;
    nsds_smooth_push(s, row, s->z[k], at->v);
  }
  return status;
}

/* Which of the rows at zero move apart; where the law wants zero, what is left is rounding. */
static void part(nsds_smooth *s) {
  for (int k = 0; k < s->n; ++k) {
    nsds_row *row = &s->row[s->chosen[k]];
    row->scale = fmax(row->scale, terms(s, row)); /* the largest of the event */
    if (row->degree == 2)
      row->moving = fabs(nsds_row_speed(s, row)) > rounding * row->scale + 4.0 * DBL_MIN;
  }
}

nsds_status nsds_modes_impact(nsds_smooth *s, nsds_solver_info *info, bool *any) {
  enum { most = 100 };
  *any = false;
  for (int pass = 0; pass < most; ++pass) {
    bool wanted = false;
    for (int r = 0; r < s->nrow; ++r) wanted = wanted || collides(s, &s->row[r]);
    if (!wanted) return NSDS_OK;
    *any = true;
    nsds_status status = collide(s, pass > most / 2, info);
    if (!status) status = nsds_smooth_outputs(s);
    if (status) return status;
    part(s);
  }
  return nsds_fail(s->plan->context, NSDS_ERROR_SOLVER,
                   "event at t = %.17g: contacts approach each other after %d problems of impact",
                   s->plan->trial.t, most);
}

/* ---- drift ----------------------------------------------------------------------------------- */

bool nsds_modes_drift(const nsds_smooth *s, double tolerance) {
  const nsds_state *at = &s->plan->trial;
  for (int k = 0; k < s->nclosed; ++k) {
    const nsds_row *row = &s->row[s->closed[k]];
    if (row->degree != 2) continue;
    if (fabs(at->y[row->y]) > tolerance * gap_terms(s, row)) return true;
    if (fabs(at->ydot[row->y]) > tolerance * terms(s, row)) return true;
  }
  return false;
}

/* q moves by `way`, one entry a velocity. */
static nsds_status move(const nsds_smooth *s, double *way) {
  nsds_state *at = &s->plan->trial;
  for (int k = 0; k < s->plan->nslot; ++k) {
    const nsds_slot *slot = &s->plan->slot[k];
    const nsds_ds *ds = slot->ds;
    double *q = at->q + slot->q0, *step = way + slot->v0;
    if (ds->order == 1) continue;
    if (ds->ops->advance) {
      for (int j = 0; j < ds->nq; ++j) slot->scratch[j] = q[j];
      nsds_in in = nsds_ds_in(ds, at->t, slot->scratch, at->v + slot->v0);
      nsds_status status = ds->ops->advance(ds->self, &in, step, q);
      if (status) return status;
    } else {
      for (int j = 0; j < ds->nq; ++j) q[j] += step[j];
    }
  }
  return NSDS_OK;
}

/* The closed rows of degree 2, with A of them factored in s->factor. */
static nsds_status factor_gaps(nsds_smooth *s) {
  s->n = 0;
  s->factored = false;
  for (int k = 0; k < s->nclosed; ++k)
    if (s->row[s->closed[k]].degree == 2) s->chosen[s->n++] = s->closed[k];
  nsds_status status = nsds_smooth_matrix(s, true);
  return status || s->n == 0 ? status : nsds_factor_dense(s->factor, s->n, s->A);
}

nsds_status nsds_modes_project(nsds_smooth *s) {
  enum { most = 3 };
  nsds_state *at = &s->plan->trial;
  size_t nv = s->plan->model->size.nv;
  nsds_status status = NSDS_OK;
  for (int pass = 0; !status && pass < most && nsds_modes_drift(s, 2.0 * DBL_EPSILON); ++pass) {
    status = factor_gaps(s);
    for (int position = 1; !status && position >= 0; --position) {
      for (int k = 0; k < s->n; ++k) {
        const nsds_row *row = &s->row[s->chosen[k]];
        bool off = position && fabs(at->y[row->y]) > drift * gap_terms(s, row);
        s->z[k] = off ? 0.0 : position ? -at->y[row->y] : -at->ydot[row->y];
      }
      if (s->n > 0) nsds_factor_solve(s->factor, 1, s->z);
      nsds_zero_doubles(s->rate, nv);
      for (int k = 0; k < s->n; ++k) {
        nsds_row *row = &s->row[s->chosen[k]];
        nsds_smooth_push(s, row, s->z[k], position ? s->rate : at->v);
        if (!position) row->impulse += s->z[k];
      }
      if (position) status = move(s, s->rate);
      if (!status) status = nsds_smooth_linearise(s);
      if (!status) status = nsds_smooth_outputs(s);
    }
  }
  return status;
}

double nsds_modes_resolution(const nsds_smooth *s, const nsds_row *row) {
  return rounding * gap_terms(s, row);
}

/* ---- find ------------------------------------------------------------------------------------ */

static nsds_status open(nsds_smooth *s, nsds_row *row) {
  double value = nsds_row_value(s, row);
  bool lower = row->degree == 2 || value > 0.0;
  row->mode = lower ? NSDS_MODE_LOWER : NSDS_MODE_UPPER;
  row->lambda = row->degree == 2 ? 0.0 : lower ? row->lower : row->upper;
  if (isfinite(row->lambda)) return NSDS_OK;
  char label[nsds_label_size];
  const nsds_contact *contact = &s->plan->contact[row->contact];
  return nsds_fail(s->plan->context, NSDS_ERROR_VALUE,
                   "event at t = %.17g: row %d of %s is %g, where its law has no lambda",
                   s->plan->trial.t, row->i, nsds_interaction_label(contact->interaction, label),
                   value);
}

/* The rows whose first differential is in question; the others are open. */
static nsds_status choose(nsds_smooth *s) {
  s->n = s->nclosed = 0;
  for (int r = 0; r < s->nrow; ++r) {
    nsds_row *row = &s->row[r];
    if (row->degree == 0 || (row->at_zero && !(row->degree == 2 && row->moving))) {
      s->chosen[s->n++] = r;
      row->mode = NSDS_MODE_CLOSED;
      row->lambda = 0.0;
      continue;
    }
    nsds_status status = open(s, row);
    if (status) return status;
  }
  return NSDS_OK;
}

/* What rounding makes of ds where it is zero: of its terms at the largest rates there have been. */
static double noise(const nsds_smooth *s, const nsds_row *row) {
  const nsds_contact *contact = &s->plan->contact[row->contact];
  const nsds_entry *entry = &s->carrier.entry[row->contact];
  double sum = 0.0;
  for (int e = 0; row->degree > 0 && e < contact->nds; ++e) {
    const nsds_edge *one = &entry->edge[e];
    double size = s->size[s->plan->nslot + contact->reach[e].slot];
    for (int k = 0; k < one->size; ++k)
      sum += fabs(one->H[row->i + (size_t)k * (size_t)contact->m]) * size;
  }
  return rounding * sum;
}

/* The mode of chosen row k from lambda and ds; true where it is on the edge. */
static bool judge(nsds_smooth *s, int k) {
  nsds_row *row = &s->row[s->chosen[k]];
  double size = fabs(s->b[k]), lambda = s->z[k], largest = 0.0;
  for (int j = 0; j < s->n; ++j) {
    double term = fabs(s->A[k + (size_t)j * (size_t)s->n] * s->z[j]);
    size += term;
    largest = fmax(largest, fabs(s->z[j]));
  }
  double zero = fmax(vanishing * fmax(size, s->terms[k]), noise(s, row)),
         diagonal = s->A[k * (s->n + 1)];
  double least = vanishing * fmax(largest, diagonal > 0.0 ? size / diagonal : 0.0);
  bool at_lower = lambda - row->lower <= least, at_upper = row->upper - lambda <= least;
  bool on_edge = fabs(s->w[k]) <= zero && (at_lower || at_upper);
  row->lambda = lambda;
  row->mode = NSDS_MODE_CLOSED;
  if (!(fabs(s->w[k]) <= zero) || (on_edge && (row->at_lower || row->at_upper))) {
    bool lower = fabs(s->w[k]) <= zero ? row->at_lower : s->w[k] > 0.0;
    row->mode = lower ? NSDS_MODE_LOWER : NSDS_MODE_UPPER;
    row->lambda = lower ? row->lower : row->upper;
  }
  return on_edge;
}

nsds_status nsds_modes_find(nsds_smooth *s, nsds_solver_info *info, int *undecided) {
  nsds_status status = choose(s);
  s->loaded = s->nrow > 0;
  s->factored = false;
  if (!status) status = nsds_smooth_rates(s, NULL);
  if (!status) nsds_smooth_note_rates(s);
  if (!status && s->n > 0) status = nsds_smooth_matrix(s, false);
  if (!status && s->n > 0) status = solve(s, false, info);
  if (status) return status;
  for (int k = 0; k < s->n; ++k)
    if (judge(s, k)) ++*undecided;
  status = nsds_modes_settle(s);
  return status ? status : nsds_smooth_rates(s, NULL);
}

void nsds_modes_leave(nsds_smooth *s) {
  for (nsds_row *row = s->row, *end = row + s->nrow; row < end; ++row) {
    bool zero = row->at_zero && !kept(row) && row->degree > 0;
    row->base = zero ? nsds_row_value(s, row) : 0.0;
    row->at_zero = row->at_lower = row->at_upper = false;
  }
}

/* ---- settle ---------------------------------------------------------------------------------- */

/* A of the closed ones among the chosen rows, behind A; their number. */
static int closed_part(const nsds_smooth *s, int *at, double *C) {
  int n = 0;
  for (int k = 0; k < s->n; ++k)
    if (s->row[s->chosen[k]].mode == NSDS_MODE_CLOSED) at[n++] = k;
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i)
      C[i + (size_t)j * (size_t)n] = s->A[at[i] + (size_t)at[j] * (size_t)s->n];
  return n;
}

static void eliminate(double *C, int n, int k) {
  double pivot = C[k + (size_t)k * (size_t)n];
  for (int j = 0; j < n; ++j) {
    double factor = j == k ? 0.0 : C[k + (size_t)j * (size_t)n] / pivot;
    for (int i = 0; i < n && factor != 0.0; ++i)
      if (i != k) C[i + (size_t)j * (size_t)n] -= C[i + (size_t)k * (size_t)n] * factor;
  }
  for (int j = 0; j < n; ++j) C[k + (size_t)j * (size_t)n] = C[j + (size_t)k * (size_t)n] = 0.0;
}

/* Elimination on the diagonal, rows that carry a load first: a row whose remaining diagonal is
 * rounding depends on those before it. */
static void keep_independent(nsds_smooth *s, const int *at, double *C, int n) {
  for (int loads = 1; loads >= 0; --loads)
    for (;;) {
      int best = -1;
      for (int k = 0; k < n; ++k) {
        const nsds_row *row = &s->row[s->chosen[at[k]]];
        double left = C[k + (size_t)k * (size_t)n];
        bool carries = bilateral(row) || row->lambda != 0.0;
        if (carries != (loads == 1) || left <= 1e-10 * fabs(s->A[at[k] * (s->n + 1)])) continue;
        if (best < 0 || left > C[best + (size_t)best * (size_t)n]) best = k;
      }
      if (best < 0) break;
      s->closed[s->nclosed++] = s->chosen[at[best]];
      eliminate(C, n, best);
    }
  for (int k = 0; k < n; ++k) s->row[s->chosen[at[k]]].mode = NSDS_MODE_IDLE;
  for (int k = 0; k < s->nclosed; ++k) s->row[s->closed[k]].mode = NSDS_MODE_CLOSED;
  for (int k = 0; k < n; ++k) {
    nsds_row *row = &s->row[s->chosen[at[k]]];
    if (row->mode == NSDS_MODE_IDLE) row->lambda = 0.0;
  }
}

/* Rows at zero whose own lambda does not move them: of first order, relative degree 2 or more. */
static nsds_status check_degrees(const nsds_smooth *s, const int *at, int n) {
  for (int k = 0; k < n; ++k) {
    const nsds_row *row = &s->row[s->chosen[at[k]]];
    if (row->degree != 1 || s->A[at[k] * (s->n + 1)] != 0.0) continue;
    char label[nsds_label_size];
    return nsds_fail(
        s->plan->context, NSDS_ERROR_UNSUPPORTED,
        "event-driven: row %d of %s has come to rest at zero at t = %.17g, and is of relative "
        "degree 2 or more, where lambda follows from higher derivatives; time stepping goes on "
        "here",
        row->i, nsds_interaction_label(s->plan->contact[row->contact].interaction, label),
        s->plan->trial.t);
  }
  return NSDS_OK;
}

nsds_status nsds_modes_settle(nsds_smooth *s) {
  double *C = s->A + (size_t)s->n * (size_t)s->n;
  int *at = s->place, n = closed_part(s, at, C);
  s->nclosed = 0;
  s->factored = false;
  nsds_status status = check_degrees(s, at, n);
  if (!status && n > 0) status = nsds_factor_dense(s->factor, n, C);
  if (status && status != NSDS_ERROR_SINGULAR) return status;
  if (!status && (n == 0 || nsds_factor_rcond(s->factor) > 1e-12))
    for (int k = 0; k < n; ++k) s->closed[s->nclosed++] = s->chosen[at[k]];
  else keep_independent(s, at, C, n);
  s->constant = true;
  s->loaded = s->nclosed > 0;
  for (int k = 0; k < s->nclosed; ++k) {
    const nsds_contact *contact = &s->plan->contact[s->row[s->closed[k]].contact];
    s->constant = s->constant && contact->fixed && contact->affine;
  }
  for (const nsds_row *row = s->row, *end = row + s->nrow; row < end; ++row)
    s->loaded = s->loaded || row->lambda != 0.0 || row->degree == 0;
  return NSDS_OK;
}
