/*
 * The modes of the rows after an event, at the trial state:
 *   find     the problem at the level of first differentials, -ds in N_[lower, upper](lambda), and
 *            the mode of each row from its solution: with ds > 0 it opens, with lambda between its
 *            bounds it is closed, and where both vanish it stays closed unless it was lambda that
 *            came to its bound, so that the next derivative of lambda decides
 *   settle   of closed rows that depend on each other those are kept that determine the rest; the
 *            others keep the lambda they have
 * Source: Acary and Brogliato (2008), ch. 8.
 */
#include "smooth.h"

#include <float.h>

static const double vanishing = 1e-9; /* of terms: lambda or ds counts as zero */

/* ---- settle ---------------------------------------------------------------------------------- */

/* The closed rows alone: A of them, in which sliding tangents follow their normal rows, and a copy
 * behind it. */
static nsds_status closed_part(nsds_smooth *s) {
  int n = 0;
  for (int k = 0; k < s->n; ++k)
    if (s->row[s->chosen[k]].mode == NSDS_MODE_CLOSED) s->chosen[n++] = s->chosen[k];
  s->n = n;
  s->factored = false;
  nsds_status status = nsds_smooth_matrix(s, false);
  if (n > 0) memcpy(s->A + n * n, s->A, (size_t)(n * n) * sizeof *s->A);
  return status;
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
static void keep_independent(nsds_smooth *s, double *C, int n) {
  for (int loads = 1; loads >= 0; --loads)
    for (;;) {
      int best = -1;
      for (int k = 0; k < n; ++k) {
        const nsds_row *row = &s->row[s->chosen[k]];
        double left = C[k + (size_t)k * (size_t)n];
        bool carries = nsds_row_bilateral(row) || row->lambda != 0.0;
        if (carries != (loads == 1) || left <= 1e-10 * fabs(s->A[k * (s->n + 1)])) continue;
        if (best < 0 || left > C[best + (size_t)best * (size_t)n]) best = k;
      }
      if (best < 0) break;
      s->closed[s->nclosed++] = s->chosen[best];
      eliminate(C, n, best);
    }
  for (int k = 0; k < n; ++k) s->row[s->chosen[k]].held = true;
  for (int k = 0; k < s->nclosed; ++k) s->row[s->closed[k]].held = false;
  for (int k = 0; k < n; ++k) { /* tangents go on being watched */
    nsds_row *row = &s->row[s->chosen[k]];
    if (row->held && row->normal == 0) row->mode = NSDS_MODE_IDLE;
  }
}

/* Rows at zero whose own lambda does not move them: of first order, relative degree 2 or more. */
static nsds_status check_degrees(nsds_smooth *s, int n) {
  for (int k = 0; k < n; ++k) {
    const nsds_row *row = &s->row[s->chosen[k]];
    if (row->degree != 1 || s->A[k * (s->n + 1)] != 0.0) continue;
    char label[nsds_label_size];
    s->higher = true;
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

static nsds_status settle(nsds_smooth *s) {
  nsds_status status = closed_part(s);
  int n = s->n;
  double *C = n > 0 ? s->A + n * n : NULL;
  s->nclosed = 0;
  if (!status) status = check_degrees(s, n);
  if (!status && n > 0) status = nsds_factor_dense(s->factor, n, C);
  if (status && status != NSDS_ERROR_SINGULAR) return status;
  if (!status && (n == 0 || nsds_factor_rcond(s->factor) > 1e-12))
    for (int k = 0; k < n; ++k) s->closed[s->nclosed++] = s->chosen[k];
  else keep_independent(s, C, n);
  s->constant = true;
  s->loaded = s->nclosed > 0;
  for (int k = 0; k < s->nclosed; ++k) {
    const nsds_contact *contact = &s->plan->contact[s->row[s->closed[k]].contact];
    s->constant = s->constant && contact->fixed && contact->affine;
  }
  for (const nsds_row *row = s->row, *end = row + s->nrow; row < end; ++row) {
    s->loaded = s->loaded || row->lambda != 0.0 || row->degree == 0;
    s->constant = s->constant && row->mode != NSDS_MODE_SLIDING; /* its direction turns */
  }
  return NSDS_OK;
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

/* A tangent of a contact in question is in question too where it does not slip. */
static bool choose_tangent(nsds_row *row) {
  bool closed = row[-row->normal].mode == NSDS_MODE_CLOSED;
  row->lambda = 0.0;
  row->mode = !closed ? NSDS_MODE_IDLE : row->at_zero ? NSDS_MODE_CLOSED : NSDS_MODE_SLIDING;
  row->heading = 0.0; /* the slip has the direction it has */
  return closed && row->at_zero;
}

/* The rows whose first differential is in question; the others are open. */
static nsds_status choose(nsds_smooth *s) {
  s->n = s->nclosed = 0;
  for (int r = 0; r < s->nrow; ++r) {
    nsds_row *row = &s->row[r];
    row->held = false;
    if (row->normal > 0) {
      if (choose_tangent(row)) s->chosen[s->n++] = r;
      continue;
    }
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

/* What rounding makes of ds where it is zero. */
static double noise(const nsds_smooth *s, const nsds_row *row) {
  return row->degree > 0 ? nsds_rounding * nsds_modes_size(s, row, NSDS_SIZE_OF_RATES) : 0.0;
}

/* The sum of the sizes of the terms of ds in chosen row k, and the largest lambda. */
static double sum_terms(const nsds_smooth *s, int k, double *largest) {
  double size = fabs(s->b[k]);
  *largest = 0.0;
  for (int j = 0; j < s->n; ++j) {
    size += fabs(s->A[k + (size_t)j * (size_t)s->n] * s->z[j]);
    *largest = fmax(*largest, fabs(s->z[j]));
  }
  return size;
}

/* Tangent k among the chosen rows; the last one of its contact decides. */
static void judge_tangent(nsds_smooth *s, int k) {
  nsds_row *row = &s->row[s->chosen[k]];
  double largest,
      zero = fmax(vanishing * fmax(sum_terms(s, k, &largest), s->terms[k]), noise(s, row));
  row->lambda = s->z[k];
  if (k + 1 == s->n || s->row[s->chosen[k + 1]].normal == 0)
    nsds_friction_judge(row - row->normal, s->w + k + 1 - row->normal, zero, s->again);
}

/* The mode of chosen row k from lambda and ds; true where it is on the edge. */
static bool judge(nsds_smooth *s, int k) {
  nsds_row *row = &s->row[s->chosen[k]];
  double lambda = s->z[k], largest, size = sum_terms(s, k, &largest);
  double zero = fmax(vanishing * fmax(size, s->terms[k]), noise(s, row));
  double diagonal = s->A[k * (s->n + 1)];
  double least = vanishing * fmax(largest, diagonal > 0.0 ? size / diagonal : 0.0);
  bool at_lower = lambda - row->lower <= least, at_upper = row->upper - lambda <= least;
  bool still = fabs(s->w[k]) <= zero, on_edge = still && (at_lower || at_upper);
  row->lambda = lambda;
  row->floor = diagonal > 0.0 ? noise(s, row) / diagonal : 0.0;
  row->mode = NSDS_MODE_CLOSED;
  bool free = s->stuck && row->degree > 0; /* located or not */
  bool leaves = free || (!s->again && (row->at_lower || row->at_upper));
  if (!still || (on_edge && leaves)) {
    bool lower = !still ? s->w[k] > 0.0 : free ? at_lower : row->at_lower;
    double bound = lower ? row->lower : row->upper;
    if (!isfinite(bound)) return on_edge; /* ds is what the solver has left open */
    row->mode = lower ? NSDS_MODE_LOWER : NSDS_MODE_UPPER;
    row->lambda = bound;
  }
  return on_edge;
}

nsds_status nsds_modes_find(nsds_smooth *s, nsds_solver_info *info, int *undecided) {
  nsds_status status = choose(s);
  s->uniform = false;
  s->loaded = s->nrow > 0;
  s->factored = false;
  if (!status) status = nsds_smooth_rates(s, NULL);
  if (!status) nsds_smooth_note_rates(s);
  if (!status && s->n > 0) status = nsds_smooth_matrix(s, false);
  if (!status && s->n > 0) status = nsds_modes_solve(s, false, info);
  if (status) return status;
  for (int k = 0; k < s->n; ++k) {
    if (s->row[s->chosen[k]].normal > 0) judge_tangent(s, k);
    else if (judge(s, k)) ++*undecided;
  }
  for (nsds_row *row = s->row, *end = row + s->nrow; row < end; ++row)
    if (row->normal > 0 && !nsds_row_closed(row - row->normal)) row->mode = NSDS_MODE_IDLE;
  status = settle(s);
  if (!status) status = nsds_smooth_rates(s, NULL);
  s->uniform = !status && nsds_smooth_uniform(s);
  return status;
}

/* What the root functions of a row start from that was at zero: one that is left open at rest may
 * first go back as far as rounding can take it; a closed one may have lambda at its bound. */
static double base_of(const nsds_smooth *s, const nsds_row *row) {
  bool open = !nsds_row_closed(row), rests = row->degree == 2 && !row->moving;
  if (open && row->at_zero && row->degree > 0 && row->normal == 0)
    return nsds_row_value(s, row) - (rests ? nsds_modes_resolution(s, row) : 0.0);
  double distance = fmin(row->lambda - row->lower, row->upper - row->lambda);
  bool at_bound = row->mode == NSDS_MODE_CLOSED && distance < row->floor;
  return at_bound ? distance - row->floor : 0.0;
}

void nsds_modes_leave(nsds_smooth *s) {
  for (nsds_row *row = s->row, *end = row + s->nrow; row < end; ++row) {
    row->base = base_of(s, row);
    if (row->normal == 1 && row->mode == NSDS_MODE_SLIDING) nsds_friction_begin(s, row - 1);
    if (row->normal == 1 && row->mode == NSDS_MODE_CLOSED) nsds_friction_hold(s, row - 1);
    row->at_zero = row->at_lower = row->at_upper = false;
  }
}
