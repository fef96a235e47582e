/*
 * The modes of the rows after an event, at the trial state:
 *
 *     find     Solve the problem of first differentials, -ds in N_[lower, upper](lambda). A row
 *              with ds > 0 opens. A row with lambda between its bounds is closed. If both vanish,
 *              the row stays closed and the next derivative of lambda decides, unless lambda has
 *              come to its bound.
 *     settle   Of dependent closed rows keep those that determine the rest; the others hold
 *              their lambda. Joints share lambda: A is singular, and lambda is the solution of
 *              least norm.
 *
 * Source: Acary and Brogliato (2008), ch. 8.
 */
#include "kernel/events/event_modes.h"

#include "base/base.h"
#include "base/context.h"
#include "kernel/assembly/plan.h"
#include "kernel/events/degree_zero_rows.h"
#include "kernel/events/event_functions.h"
#include "kernel/events/event_parts.h"
#include "kernel/events/event_rates.h"
#include "kernel/events/event_rows.h"
#include "kernel/events/friction_modes.h"
#include "kernel/events/row_groups.h"
#include "kernel/events/row_state.h"
#include "kernel/events/row_values.h"
#include "kernel/events/soft_rows.h"
#include "kernel/modeling/modeling.h"
#include "numerics/linear/factor.h"
#include "numerics/linear/factor_dense.h"
#include "numerics/refine.h"

#include <float.h>

static const double vanishing = 1e-9; /* relative to terms: a smaller lambda or ds is zero */

/* ---- settle ---------------------------------------------------------------------------------- */

/* Lists the closed rows among the rows in question, by parts. */
static nsds_status list_closed(nsds_event_rows *s) {
  nsds_row_list *list = &s->list;
  int n = 0;
  for (int k = 0; k < list->n; ++k)
    if (s->row[list->row[k]].mode == NSDS_MODE_CLOSED) list->row[n++] = list->row[k];
  list->n = n;
  nsds_status status = nsds_rows_split(s, list);
  return status ? status : nsds_parts_reserve(s, list);
}

/* Forms A of the part, with sliding tangents following their normal rows, and a copy behind
 * A. */
static nsds_status event_modes_form(nsds_event_rows *s, const nsds_row_part *part) {
  size_t count = (size_t)part->n * (size_t)part->n;
  nsds_status status = nsds_rows_matrix(s, part, false);
  if (!status && count > 0) memcpy(s->system.A + count, s->system.A, count * sizeof *s->system.A);
  return status;
}

static void event_modes_keep(nsds_event_rows *s, const nsds_row_part *part, int k) {
  s->closed.row[s->closed.n++] = part->chosen[k];
}

/* Eliminates lambda of row j by row i. */
static void event_modes_eliminate(double *C, int n, int i, int j) {
  double pivot = C[i + (ptrdiff_t)j * n];
  for (int k = 0; k < n; ++k) {
    double factor = k == j ? 0.0 : C[i + (ptrdiff_t)k * n] / pivot;
    for (int r = 0; r < n && factor != 0.0; ++r)
      if (r != i) C[r + (ptrdiff_t)k * n] -= C[r + (ptrdiff_t)j * n] * factor;
  }
  for (int k = 0; k < n; ++k) C[i + (ptrdiff_t)k * n] = C[k + (ptrdiff_t)j * n] = 0.0;
}

/* Returns true for a joint: dependent joints share their load. */
static bool shares(const nsds_row *row) { return nsds_row_bilateral(row) && row->degree == 2; }

/* Keeps rows by pivots on the diagonal: joints first, then rows that carry a load. D may be negative. */
static void keep_by_diagonal(nsds_event_rows *s, const nsds_row_part *part, double *C, int n) {
  for (int rank = 2; rank >= 0; --rank)
    for (;;) {
      int best = -1;
      double largest = 0.0;
      for (int k = 0; k < n; ++k) {
        const nsds_row *row = &s->row[part->chosen[k]];
        double pivot = C[k + (ptrdiff_t)k * n], left = row->degree > 0 ? pivot : fabs(pivot);
        int own = shares(row) ? 2 : nsds_row_bilateral(row) || row->lambda != 0.0;
        if (own != rank || left <= nsds_dependent * fabs(s->system.A[k * (part->n + 1)])) continue;
        if (best < 0 || left > largest) best = k, largest = left;
      }
      if (best < 0) break;
      event_modes_keep(s, part, best);
      event_modes_eliminate(C, n, best, best);
    }
}

/* Returns the largest entry of A in chosen row k. */
static double row_size(const nsds_event_rows *s, const nsds_row_part *part, int k) {
  double largest = 0.0;
  for (int j = 0; j < part->n; ++j)
    nsds_raise(&largest, fabs(s->system.A[k + (ptrdiff_t)j * part->n]));
  return largest;
}

/* Returns the rest of first-order row i in column j, relative to its largest entry. */
static double part_left(const nsds_event_rows *s, const nsds_row_part *part, const double *C, int n,
                        int i, int j) {
  if (nsds_has_gap(s->plan->contact[s->row[part->chosen[i]].contact].kind)) return 0.0;
  double largest = row_size(s, part, i);
  return largest > 0.0 ? fabs(C[i + (ptrdiff_t)j * n]) / largest : 0.0;
}

/* Keeps pairs of rows that determine each other's lambda, as D may be skew. */
static void keep_by_pairs(nsds_event_rows *s, const nsds_row_part *part, double *C, int n) {
  for (;;) {
    double most = nsds_dependent;
    int best = -1, other = -1;
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < i; ++j) {
        double left = fmin(part_left(s, part, C, n, i, j), part_left(s, part, C, n, j, i));
        if (left > most) most = left, best = i, other = j;
      }
    if (best < 0) break;
    event_modes_keep(s, part, best);
    event_modes_keep(s, part, other);
    event_modes_eliminate(C, n, best, other);
    event_modes_eliminate(C, n, other, best);
  }
}

static nsds_status event_modes_refuse(const nsds_event_rows *s, const nsds_row *row) {
  char label[nsds_label_size];
  return nsds_fail(s->plan->context, NSDS_ERROR_SINGULAR,
                   "event-driven: lambda of the closed rows is not determined at t = %.17g: row %d "
                   "of %s does not follow from the others",
                   s->plan->trial.t, row->i,
                   nsds_contact_label(&s->plan->contact[row->contact], label));
}

/* Returns true if all rows are contacts and joints, whose loads a least squares solution can
 * give. */
static bool all_share(const nsds_event_rows *s, const nsds_row_part *part) {
  bool all = part->n <= nsds_most_refined;
  for (int k = 0; all && k < part->n; ++k) {
    const nsds_row *row = &s->row[part->chosen[k]];
    all = row->degree == 2 || row->normal > 0;
  }
  return all;
}

static void keep_sharing(nsds_event_rows *s, const nsds_row_part *part) {
  for (int k = 0; k < part->n; ++k) {
    nsds_row *row = &s->row[part->chosen[k]];
    if (row->way == NSDS_WAY_SPARE) {
      nsds_row_hold(row);
      continue;
    }
    nsds_row_share(row);
    event_modes_keep(s, part, k);
  }
  s->facts.shared = true;
}

/* Returns true if chosen row k is among the closed rows from `first` on. */
static bool is_kept(const nsds_event_rows *s, const nsds_row_part *part, int first, int k) {
  bool kept = false;
  for (int i = first; i < s->closed.n; ++i) kept = kept || s->closed.row[i] == part->chosen[k];
  return kept;
}

/* Returns true if only rounding is left of chosen row k. */
static bool is_dependent(const nsds_event_rows *s, const nsds_row_part *part, const double *C,
                         int n, int k) {
  bool left = false;
  for (int j = 0; j < n; ++j) left = left || part_left(s, part, C, n, k, j) > nsds_dependent;
  return !left;
}

/* Solves for the change of lambda of the kept rows that undoes a lambda of 1 in chosen row h. */
static nsds_status answer_of_kept(nsds_event_rows *s, const nsds_row_part *part, int first, int h) {
  int n = part->n, rows = s->closed.n - first, at = 0;
  const double *A = s->system.A;
  double *C = s->system.A + (size_t)n * (size_t)n, *x = part->z;
  for (int j = 0; j < n; ++j)
    for (int i = 0; is_kept(s, part, first, j) && i < n; ++i)
      if (is_kept(s, part, first, i)) C[at++] = A[i + (ptrdiff_t)j * n];
  at = 0;
  for (int i = 0; i < n; ++i)
    if (is_kept(s, part, first, i)) x[at++] = A[i + (ptrdiff_t)h * n];
  nsds_factor *factor = nsds_part_new_factor(s, part);
  nsds_status status = nsds_factor_dense(factor, rows, C);
  if (!status) nsds_factor_solve(factor, 1, x);
  return status;
}

/* Gives a held row the least lambda that its bounds allow, if the kept rows can then stay within
 * theirs. A loop of diodes has many lambda. If the solver's choice stayed, its error could lead other diodes
 * of the loop out of their bounds again and again. */
static nsds_status ease_held(nsds_event_rows *s, const nsds_row_part *part, int first, int h) {
  static const double rounding = 1e-12;
  nsds_row *held = &s->row[part->chosen[h]];
  double least = fmax(held->lower, fmin(held->upper, 0.0)), change = held->lambda - least;
  if (held->degree > 0 || change == 0.0) return NSDS_OK;
  nsds_status status = answer_of_kept(s, part, first, h);
  bool within = !status;
  for (int i = 0, at = 0; within && i < part->n; ++i) {
    if (!is_kept(s, part, first, i)) continue;
    const nsds_row *row = &s->row[part->chosen[i]];
    double step = part->z[at++] * change, lambda = row->lambda + step;
    double error = rounding * (fabs(row->lambda) + fabs(step));
    within = lambda >= row->lower - error && lambda <= row->upper + error;
  }
  if (within) held->lambda = least;
  return status == NSDS_ERROR_SINGULAR ? NSDS_OK : status;
}

/* Keeps independent rows. A row of which only rounding is left depends on earlier rows. */
static nsds_status keep_independent(nsds_event_rows *s, const nsds_row_part *part, double *C,
                                    int n) {
  int first = s->closed.n;
  bool shared = false;
  if (all_share(s, part)) {
    keep_sharing(s, part);
    return NSDS_OK;
  }
  keep_by_diagonal(s, part, C, n);
  keep_by_pairs(s, part, C, n);
  for (int k = 0; k < n; ++k) {
    nsds_row *row = &s->row[part->chosen[k]];
    if (is_kept(s, part, first, k)) continue;
    if (shares(row)) {
      event_modes_keep(s, part, k);
      shared = true;
    } else if (is_dependent(s, part, C, n, k)) nsds_row_hold(row);
    else return event_modes_refuse(s, row);
  }
  nsds_status status = NSDS_OK;
  for (int k = 0; !status && k < n; ++k)
    if (s->row[part->chosen[k]].way == NSDS_WAY_HELD) status = ease_held(s, part, first, k);
  for (int k = first; shared && k < s->closed.n; ++k) nsds_row_share(&s->row[s->closed.row[k]]);
  s->facts.shared = s->facts.shared || shared;
  return status;
}

/* Refuses rows at zero that their own lambda does not move: first order, relative degree 2 or
 * more. */
static nsds_status check_degrees(nsds_event_rows *s, const nsds_row_part *part, int n) {
  for (int k = 0; k < n; ++k) {
    const nsds_row *row = &s->row[part->chosen[k]];
    if (row->degree != 1 || s->system.A[k * (part->n + 1)] != 0.0) continue;
    char label[nsds_label_size];
    s->here.higher = true;
    return nsds_fail(
        s->plan->context, NSDS_ERROR_UNSUPPORTED,
        "event-driven: row %d of %s has come to rest at zero at t = %.17g, and is of relative "
        "degree 2 or more, where lambda follows from higher derivatives; time stepping goes on "
        "here",
        row->i, nsds_contact_label(&s->plan->contact[row->contact], label), s->plan->trial.t);
  }
  return NSDS_OK;
}

/* Factors C = A. *regular: all closed rows determine their lambda. Contacts and joints that do so
 * only by rounding share lambda: feet of one body leave their plane by as much. */
static nsds_status factor_all(nsds_event_rows *s, const nsds_row_part *part, const double *C,
                              bool *regular) {
  nsds_factor *factor = nsds_part_new_factor(s, part);
  nsds_status status = nsds_factor_dense(factor, part->n, C);
  double least = all_share(s, part) ? nsds_dependent : 1e-12;
  *regular = !status && nsds_factor_rcond(factor) > least;
  return status == NSDS_ERROR_SINGULAR ? NSDS_OK : status;
}

/* Finds the rows of the part, all closed, that determine their lambda. */
static nsds_status settle_part(nsds_event_rows *s, const nsds_row_part *part) {
  bool regular = false, any = false;
  int n = part->n;
  nsds_status status = event_modes_form(s, part);
  double *C = s->system.A + (size_t)n * (size_t)n;
  if (!status) status = check_degrees(s, part, n);
  if (!status) status = factor_all(s, part, C, &regular);
  if (!status && !regular) status = nsds_degree_zero_differentiate(s, part, &any);
  if (!status && any) status = event_modes_form(s, part);
  if (!status && any) status = factor_all(s, part, C, &regular);
  for (int k = 0; !status && regular && k < n; ++k) event_modes_keep(s, part, k);
  return status || regular ? status : keep_independent(s, part, C, n);
}

static nsds_status event_modes_settle(nsds_event_rows *s) {
  nsds_row_list *closed = &s->closed;
  s->facts.shared = false;
  nsds_rows_clear(s, closed);
  nsds_status status = list_closed(s);
  for (int p = 0; !status && p < s->list.nparts; ++p) {
    closed->start[p] = closed->n;
    const nsds_row_part part = nsds_part_of(s, &s->list, p);
    status = settle_part(s, &part);
  }
  if (status) return status;
  closed->start[closed->nparts = s->list.nparts] = closed->n;
  s->facts.constant = !s->listed.bends;
  s->facts.loaded = closed->n > 0 || s->listed.curved || s->groups.algebraic;
  for (int k = 0; k < closed->n; ++k) {
    const nsds_contact *contact = &s->plan->contact[s->row[closed->row[k]].contact];
    s->facts.constant = s->facts.constant && contact->is.fixed && contact->is.affine;
  }
  for (const nsds_row *row = s->row, *end = row + s->nrow; row < end; ++row) {
    s->facts.loaded = s->facts.loaded || row->lambda != 0.0 || row->degree == 0;
    s->facts.constant = s->facts.constant && !nsds_row_slides(row); /* slip turns */
  }
  return NSDS_OK;
}

/* ---- find ------------------------------------------------------------------------------------ */

/* Notes that a row contradicts the states, which may jump. */
static void deny(nsds_event_rows *s, const nsds_row *row) {
  const nsds_row_group *group = nsds_group_of(s, row);
  s->here.denied = s->here.denied || (group && group->several);
}

static nsds_status event_modes_open(nsds_event_rows *s, nsds_row *row) {
  double value = nsds_row_value(s, row);
  bool lower = row->degree == 2 || value > 0.0;
  nsds_row_open(row, lower, row->degree == 2 ? 0.0 : lower ? row->lower : row->upper);
  if (isfinite(row->lambda)) return NSDS_OK;
  deny(s, row);
  char label[nsds_label_size];
  const nsds_contact *contact = &s->plan->contact[row->contact];
  return nsds_fail(s->plan->context, NSDS_ERROR_VALUE,
                   "event at t = %.17g: row %d of %s is %g, where its law has no lambda",
                   s->plan->trial.t, row->i, nsds_contact_label(contact, label), value);
}

/* Chooses the mode of a tangent. Returns true if it is in question: its contact is, with friction, and
 * it does not slip. */
static bool choose_tangent(const nsds_event_rows *s, nsds_row *row) {
  bool zero = nsds_row_at_zero(row),
       closed = row[-row->normal].mode == NSDS_MODE_CLOSED && !nsds_row_is_smooth(row);
  row->lambda = 0.0;
  if (!closed) nsds_row_idle(row, 0.0);
  else if (zero) nsds_row_close(row);
  else if (row->mode == NSDS_MODE_BEGINNING) nsds_friction_go_on(s, row - row->lead);
  else if (row->mode != NSDS_MODE_ENDING) nsds_row_slide(row);
  row->slipping.heading = 0.0; /* slip keeps its direction */
  return closed && zero;
}

/* Returns true for a row at zero whose s no lambda moves: zero for ever, or the slip of driven
 * bodies alone. */
static bool is_given(const nsds_event_rows *s, const nsds_row *row) {
  bool slips = s->listed.driven && nsds_row_is_slip(s, row);
  if (row->degree != 1 || row->normal > 0 || !(row->norm == 0.0 || slips)) return false;
  return row->norm == 0.0 ? nsds_row_value(s, row) == 0.0
                          : nsds_row_at_zero(row) && nsds_rows_bare_product(s, row, row) == 0.0;
}

/* Gives such a row the least lambda within its bounds: its law allows all of them. */
static void rest_at_least(nsds_row *row) {
  nsds_row_idle(row, fmax(row->lower, fmin(row->upper, 0.0)));
}

/* Lists the rows whose first differential is in question. The other rows are open. */
static nsds_status event_modes_choose(nsds_event_rows *s) {
  nsds_row_list *list = &s->list;
  bool gated = s->plan->count.gated > 0;
  nsds_rows_clear(s, &s->closed);
  nsds_rows_clear(s, list);
  for (int r = 0; r < s->nrow; ++r) {
    nsds_row *row = &s->row[r];
    nsds_row_stand_alone(row);
    if (row->mark.jam == NSDS_JAM_JAMS) nsds_row_forget_jam(row);
    row->mark.before = row->lambda;
    row->lambda_origin = row->mode == NSDS_MODE_CLOSED ? row->lambda : 0.0;
    if (row->normal > 0) {
      if (choose_tangent(s, row)) list->row[list->n++] = r;
      continue;
    }
    if (gated && nsds_row_fixed(row)) {
      nsds_row_open(row, true, row->lower);
      continue;
    }
    if (NSDS_UNLIKELY(row->norm == 0.0 || s->listed.driven) && is_given(s, row)) {
      rest_at_least(row);
      continue;
    }
    bool leaves = row->mark.jam == NSDS_JAM_LEAVES;
    bool opens = row->degree == 2 && (nsds_row_moves(row) || leaves);
    if (row->degree == 0 || (nsds_row_at_zero(row) && !opens)) {
      list->row[list->n++] = r;
      nsds_row_ask(row);
      continue;
    }
    nsds_status status = event_modes_open(s, row);
    if (status) return status;
  }
  return nsds_rows_split(s, list);
}

/* Returns the rounding error of a ds that is zero. */
static double noise(const nsds_event_rows *s, const nsds_row *row) {
  if (row->degree > 0)
    return nsds_rounding *
           nsds_row_size(s, row,
                         nsds_row_is_placed(s, row) ? NSDS_SIZE_OF_SPEEDS : NSDS_SIZE_OF_RATES);
  bool gap = nsds_has_gap(s->plan->contact[row->contact].kind);
  return gap ? nsds_rounding * nsds_row_value_terms(s, row) : 0.0;
}

/* Returns the side to which the gap of a spring moves, if force and gap are zero: 1 opens, -1
 * closes. Returns 0 for a gap at rest, and for other rows. */
static int side_of_spring(const nsds_event_rows *s, const nsds_row *row) {
  if (row->degree > 0 || !s->plan->contact[row->contact].is.compliant) return 0;
  double speed = nsds_row_speed(s, row), zero = nsds_rounding * nsds_row_speed_terms(s, row);
  return speed > zero ? 1 : speed < -zero ? -1 : 0;
}

/* Returns the sum of the sizes of the terms of ds in chosen row k. *largest: the largest lambda. */
static double sum_terms(const nsds_event_rows *s, const nsds_row_part *part, int k,
                        double *largest) {
  double size = fabs(part->b[k]);
  *largest = 0.0;
  for (int j = 0; j < part->n; ++j) {
    size += fabs(s->system.A[k + (ptrdiff_t)j * part->n] * part->z[j]);
    *largest = fmax(*largest, fabs(part->z[j]));
  }
  return size;
}

/* Judges tangent k of the chosen rows. The last row of slip or of rolling decides for all of them. */
static void judge_tangent(nsds_event_rows *s, const nsds_row_part *part, int k) {
  nsds_row *row = &s->row[part->chosen[k]];
  double largest,
      zero = fmax(vanishing * fmax(sum_terms(s, part, k, &largest), part->terms[k]), noise(s, row));
  row->lambda = part->z[k];
  row->lambda_origin = s->problem.rests ? part->z[k] : 0.0;
  nsds_row *first = row - row->lead, *normal = row - row->normal;
  if (row->lead + 1 < first->span) return;
  bool idle = s->problem.dependent && normal->lambda <= normal->floor; /* the contact decides */
  nsds_friction_judge(first, part->w + k - row->lead, zero, s->here.again,
                      s->problem.inside || idle);
}

/* Finds the mode of chosen row k from lambda and ds. ds below `nothing` times its terms is zero.
 * Returns true if the row is on the edge. */
static bool event_modes_judge(nsds_event_rows *s, const nsds_row_part *part, int k,
                              double nothing) {
  nsds_row *row = &s->row[part->chosen[k]];
  double lambda = part->z[k], largest, size = sum_terms(s, part, k, &largest);
  row->lambda_origin = s->problem.rests ? lambda : 0.0;
  if (s->problem.dependent && s->problem.spare[k]) {
    nsds_row_spare(row);
    nsds_row_ask(row);
    return false;
  }
  double zero = fmax(nothing * fmax(size, part->terms[k]), noise(s, row));
  double diagonal = s->system.A[k * (part->n + 1)];
  double least = vanishing * fmax(largest, diagonal > 0.0 ? size / diagonal : 0.0);
  bool at_lower = lambda - row->lower <= least, at_upper = row->upper - lambda <= least;
  /* A drive without force has no terms to measure ds by; lambda well inside its bounds tells the mode. */
  double distance = fmin(lambda - row->lower, row->upper - lambda);
  bool inside = row->degree == 0 && !at_lower && !at_upper &&
                fabs(part->w[k]) <= vanishing * diagonal * distance;
  bool still = inside || fabs(part->w[k]) <= zero, on_edge = still && (at_lower || at_upper);
  row->lambda = lambda;
  row->floor = diagonal > 0.0 && row->degree > 0 ? noise(s, row) / diagonal : 0.0;
  if (s->problem.dependent) row->floor = fmax(row->floor, vanishing * largest);
  nsds_row_close(row);
  bool free = s->here.stuck && row->degree > 0; /* located or not */
  bool leaves = free || (!s->here.again && row->mark.bound != NSDS_BOUND_NONE);
  int side = on_edge ? side_of_spring(s, row) : 0;
  if (side != 0) leaves = side > 0 ? at_lower : at_upper;
  if (!still || (on_edge && leaves)) {
    bool came = row->mark.bound == NSDS_BOUND_LOWER;
    bool lower = !still ? part->w[k] > 0.0 : free ? at_lower : side != 0 ? side > 0 : came;
    double bound = lower ? row->lower : row->upper;
    if (!isfinite(bound)) return on_edge; /* ds is an error of the solver */
    nsds_row_open(row, lower, bound);
  }
  return on_edge;
}

/* Changes the mode of a row of degree 0 or 1 whose lambda or s ends its mode here. The solution a
 * short time ahead does not show this end. If several modes end at one instant, that solution decides. */
static void let_go(const nsds_event_rows *s, nsds_row *row) {
  bool closed = row->mode == NSDS_MODE_CLOSED;
  if (row->degree > 1 || row->normal > 0) return;
  if (row->degree == 0 && s->here.again && !closed && nsds_row_at_zero(row)) nsds_row_close(row);
  if (s->here.again || !closed || row->mark.bound == NSDS_BOUND_NONE) return;
  bool lower = row->mark.bound == NSDS_BOUND_LOWER;
  nsds_row_open(row, lower, lower ? row->lower : row->upper);
}

/* Checks that first-order rows whose s does not determine lambda are at zero. */
static nsds_status check_held(nsds_event_rows *s) {
  for (const nsds_row *row = s->row, *end = row + s->nrow; row < end; ++row) {
    bool held =
        row->way == NSDS_WAY_DIFFERENTIATED || (row->degree == 0 && row->mode == NSDS_MODE_IDLE);
    if (!held || fabs(row->slip) <= nsds_degree_zero_tolerance(s, row)) continue;
    deny(s, row);
    return event_modes_refuse(s, row);
  }
  return NSDS_OK;
}

/* Finds the modes of the rows of the part, from the solution `ahead` in time if not 0. */
static nsds_status event_modes_find_part(nsds_event_rows *s, const nsds_row_part *part,
                                         double ahead, nsds_solver_info *info, int *undecided) {
  nsds_status status = nsds_rows_matrix(s, part, false);
  if (!status && ahead > 0.0) status = nsds_degree_zero_look_ahead(s, part, ahead);
  if (!status && !(ahead > 0.0 && nsds_event_stays(s, part)))
    status = ahead > 0.0 ? nsds_event_solve_closely(s, part, false, info)
                         : nsds_event_solve(s, part, false, info);
  if (!status && ahead > 0.0) status = nsds_rows_matrix(s, part, false); /* back to this instant */
  for (int k = 0; !status && k < part->n; ++k) {
    if (s->row[part->chosen[k]].normal > 0) judge_tangent(s, part, k);
    else if (event_modes_judge(s, part, k, ahead > 0.0 ? nsds_rounding : vanishing)) ++*undecided;
    if (ahead > 0.0) let_go(s, &s->row[part->chosen[k]]);
  }
  return status;
}

/* Returns true if a contact force of the part has come to a pole, marked as an upper bound;
 * see jamming_impact.c. */
static bool at_pole(const nsds_event_rows *s, const nsds_row_part *part) {
  bool any = false;
  for (int k = 0; k < part->n; ++k) {
    const nsds_row *row = &s->row[part->chosen[k]];
    any = any || (row->degree == 2 && row->mark.bound == NSDS_BOUND_UPPER);
  }
  return any;
}

/* Finds the modes of all parts. Rows of parts without a solution jam. */
static nsds_status find_all_parts(nsds_event_rows *s, nsds_solver_info *info, int *undecided) {
  bool jams = false;
  for (int p = 0; p < s->list.nparts; ++p) {
    const nsds_row_part part = nsds_part_of(s, &s->list, p);
    double ahead =
        s->listed.soft ? s->here.ahead_fraction * nsds_degree_zero_time_ahead(s, &part) : 0.0;
    nsds_status status = at_pole(s, &part)
                             ? NSDS_ERROR_SOLVER
                             : event_modes_find_part(s, &part, ahead, info, undecided);
    if (status && status != NSDS_ERROR_SOLVER) return status;
    jams = jams || status;
    for (int k = 0; status && k < part.n; ++k) nsds_row_jam(&s->row[part.chosen[k]]);
  }
  return jams ? NSDS_ERROR_SOLVER : NSDS_OK;
}

/* Chooses the rows in question, and finds their modes near the points of curved contacts. */
static nsds_status find_modes_near(nsds_event_rows *s, nsds_solver_info *info, int *undecided) {
  nsds_status status = event_modes_choose(s);
  *undecided = 0;
  s->uniform = false;
  s->facts.loaded = s->nrow > 0 || s->groups.algebraic || s->listed.bends;
  nsds_rows_forget_factors(s);
  if (!status) status = nsds_event_rates_near(s);
  if (status) return status;
  nsds_rows_note_rates(s);
  return find_all_parts(s, info, undecided);
}

/* Does so until lambda of curved contacts has converged. */
static nsds_status find_curved(nsds_event_rows *s, nsds_solver_info *info, int *undecided) {
  enum { most = 40 };
  nsds_soft_change change = nsds_soft_unknown;
  bool found = !s->listed.curved;
  nsds_status status = find_modes_near(s, info, undecided);
  for (int pass = 0; !status && !found && pass < most; ++pass) {
    found = nsds_soft_move(s, &change);
    if (!found) status = find_modes_near(s, info, undecided);
  }
  if (s->listed.curved && !status && found) nsds_soft_keep(s);
  return status || found ? status : nsds_soft_fail(s);
}

/* Lists the closed rows of all parts anew. */
static void list_closed_rows(nsds_event_rows *s) {
  nsds_rows_clear(s, &s->list);
  for (int r = 0; r < s->nrow; ++r) {
    if (s->row[r].mode == NSDS_MODE_CLOSED) s->list.row[s->list.n++] = r;
    if (s->row[r].mode != NSDS_MODE_CLOSED) s->row[r].lambda_origin = 0.0;
  }
}

/* Opens contacts whose force has come to zero here, and is still zero with the modes found. The solution
 * a short time ahead, sought for rows of degree 0, mixes forces of two instants. */
static bool leave_contacts(nsds_event_rows *s) {
  bool any = false;
  for (nsds_row *row = s->row, *end = row + s->nrow; row < end; ++row) {
    bool came = row->degree == 2 && row->mark.bound == NSDS_BOUND_LOWER;
    if (!came || row->mode != NSDS_MODE_CLOSED || row->way != NSDS_WAY_OWN) continue;
    if (row->lambda - row->lower > row->floor) continue;
    nsds_row_open(row, true, row->lower);
    for (nsds_row *t = row + 1, *last = row + row->tangents; t <= last; ++t)
      nsds_row_idle(t, t->lambda);
    any = true;
  }
  return any;
}

/* Opens the rows that pass a bound at this instant. */
static NSDS_NOINLINE nsds_status leave_edges(nsds_event_rows *s) {
  enum { most = 8 };
  for (int pass = 0; pass < most; ++pass) {
    bool any;
    nsds_status status = nsds_degree_zero_leave(s, &any);
    any = leave_contacts(s) || any;
    if (status || !any) return status;
    list_closed_rows(s);
    for (int k = 0; k < s->list.n; ++k)
      if (s->row[s->list.row[k]].way != NSDS_WAY_SPARE)
        nsds_row_stand_alone(&s->row[s->list.row[k]]);
    status = event_modes_settle(s);
    if (!status) status = nsds_event_rates(s, NULL);
    if (status) return status;
  }
  return NSDS_OK;
}

/* Finds the modes, lambda and rates, as far ahead as s->here.ahead_fraction tells. */
static nsds_status find_modes_ahead(nsds_event_rows *s, nsds_solver_info *info, int *undecided) {
  nsds_status status = find_curved(s, info, undecided);
  if (status) return status;
  for (nsds_row *row = s->row, *end = row + s->nrow; row < end; ++row) {
    if (row->normal > 0 && !nsds_row_keeps_zero(row - row->normal)) nsds_row_idle(row, row->lambda);
    if (row->mode != NSDS_MODE_CLOSED) row->lambda_origin = 0.0;
  }
  bool asked = s->list.n > 0; /* else the rates have no lambda, and stay */
  status = event_modes_settle(s);
  if (!status && (asked || s->facts.loaded)) status = nsds_event_rates(s, NULL);
  if (!status && s->listed.soft) status = leave_edges(s);
  if (!status) status = check_held(s);
  return status;
}

/* Returns true if modes beside a singular M contradict lambda or s at this instant. Others were due
 * in the time ahead at which they were sought. */
static bool are_premature(const nsds_event_rows *s) {
  static const double clearly = 1e-12;
  for (const nsds_row *row = s->row, *end = row + s->nrow; row < end; ++row) {
    const nsds_row_group *group = nsds_group_of(s, row);
    if (row->degree > 0 || !group || !group->several || nsds_row_fixed(row)) continue;
    double lambda = clearly * nsds_degree_zero_size(s, row);
    double slip = clearly * nsds_degree_zero_terms(s, row);
    bool bounded = row->lambda >= row->lower - lambda && row->lambda <= row->upper + lambda;
    bool wrong = row->mode == NSDS_MODE_CLOSED  ? !bounded
                 : row->mode == NSDS_MODE_LOWER ? row->slip < -slip
                                                : row->mode == NSDS_MODE_UPPER && row->slip > slip;
    if (wrong) return true;
  }
  return false;
}

/* Seeks modes closer and closer by, until they fit this instant. If none do, those farthest ahead
 * count. */
static NSDS_NOINLINE nsds_status seek_closer(nsds_event_rows *s, nsds_solver_info *info,
                                             int *undecided) {
  static const double closer = 1e-2, closest = 1e-7;
  bool clean = nsds_error(s->plan->context) == NSDS_OK, found = false;
  nsds_status status = NSDS_OK;
  while (!status && !found && s->here.ahead_fraction > closest) {
    s->here.ahead_fraction *= closer;
    status = find_modes_ahead(s, info, undecided);
    found = !status && !are_premature(s);
  }
  if (found || status == NSDS_STOPPED) return status;
  if (clean) nsds_error_clear(s->plan->context);
  s->here.ahead_fraction = 1.0;
  return find_modes_ahead(s, info, undecided);
}

/* Modes beside a singular M are sought a short time ahead. If voltages have nearly vanished, other
 * modes may be due within this time. */
nsds_status nsds_modes_find(nsds_event_rows *s, nsds_solver_info *info, int *undecided) {
  s->here.denied = false;
  s->here.ahead_fraction = 1.0;
  nsds_status status = find_modes_ahead(s, info, undecided);
  if (!status && s->groups.algebraic && are_premature(s)) status = seek_closer(s, info, undecided);
  s->uniform = !status && nsds_event_functions_uniform(s);
  return status;
}

/* Returns how far an open row of degree 1 at zero may go back by rounding. Closed rows may keep it
 * at zero while its lambda is at its bound: dry friction of a body that a wall holds. */
static double way_back(const nsds_event_rows *s, const nsds_row *row) {
  if (row->degree != 1 || !(fabs(nsds_row_acceleration(s, row)) <= noise(s, row))) return 0.0;
  double way =
      nsds_rounding *
      nsds_row_size(s, row, nsds_row_is_slip(s, row) ? NSDS_SIZE_OF_SPEEDS : NSDS_SIZE_OF_PLACES);
  return row->mode == NSDS_MODE_UPPER ? -way : way;
}

/* Returns the start of the root functions of a row at zero. An open row at rest may first go back
 * by rounding. A closed row may have lambda at its bound. */
static double base_of(const nsds_event_rows *s, const nsds_row *row) {
  bool open = !nsds_row_keeps_zero(row), rests = row->degree == 2 && !nsds_row_moves(row);
  if (open && nsds_row_at_zero(row) && row->degree > 0 && row->normal == 0)
    return nsds_row_value(s, row) - (rests ? nsds_row_resolution(s, row) : way_back(s, row));
  if (row->mode == NSDS_MODE_IDLE)
    return row->normal > 0 ? 0.0 : -nsds_degree_zero_tolerance(s, row);
  if (open && row->degree == 0) { /* may begin beyond zero, by rounding */
    double noise = nsds_rounding * nsds_degree_zero_terms(s, row),
           sign = row->mode == NSDS_MODE_LOWER ? 1.0 : -1.0;
    return sign * row->slip < noise ? sign * (fmin(sign * row->slip, 0.0) - noise) : 0.0;
  }
  double distance = fmin(row->lambda - row->lower, row->upper - row->lambda);
  bool at_bound = row->mode == NSDS_MODE_CLOSED && distance < row->floor;
  if (row->degree == 0 && distance < -vanishing * nsds_degree_zero_size(s, row)) return 0.0;
  return at_bound ? distance - row->floor : 0.0;
}

void nsds_modes_leave(nsds_event_rows *s) {
  for (nsds_row *row = s->row, *end = row + s->nrow; row < end; ++row) {
    row->base = base_of(s, row);
    if (row->degree == 2 && !nsds_row_keeps_zero(row)) {
      bool overlaps = row->base < 0.0 && row->base < -s->scales.drift * nsds_row_gap_terms(s, row);
      row->held = overlaps ? row->base : 0.0;
    }
    if (row->span > 0 && nsds_row_slides(row)) nsds_friction_begin(s, row);
    if (row->span > 0 && row->mode == NSDS_MODE_CLOSED) nsds_friction_hold(s, row);
    nsds_row_forget(row);
  }
}

void nsds_modes_yield(nsds_event_rows *s, int touched) {
  for (nsds_row *row = s->row, *end = row + s->nrow; row < end; ++row) {
    if (nsds_row_keeps_zero(row) || row->degree != 2 || nsds_row_overlaps(row)) continue;
    double most = nsds_rows_most_drift(s) * nsds_row_gap_terms(s, row),
           value = nsds_row_value(s, row), back = ldexp(nsds_row_resolution(s, row), touched);
    row->base = fmin(row->base, value - fmin(back, most));
  }
}
