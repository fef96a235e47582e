/*
 * Rows of degree 0 whose D is not definite, by groups (row_groups.h). Let closed rows depend on each other, T D_cc = 0. Then
 * T s depends on the state alone and does not determine lambda; lambda follows from T ds/dt = 0. D
 * alone does not determine the closed rows either. The closed rows follow from the solution a short
 * time e ahead,
 *   s = c + C x + e C a_free + (D + e C M^-1 B) lambda
 */
#include "kernel/events/degree_zero_rows.h"

#include "base/base.h"
#include "base/context.h"
#include "kernel/assembly/plan.h"
#include "kernel/events/closed_rows.h"
#include "kernel/events/event_parts.h"
#include "kernel/events/event_rows.h"
#include "kernel/events/gap_projection.h"
#include "kernel/events/row_groups.h"
#include "kernel/events/row_state.h"
#include "kernel/events/row_values.h"
#include "kernel/events/soft_rows.h"
#include "kernel/modeling/modeling.h"

static const double least_pivot = 1e-10; /* relative to entries of D; smaller rests are rounding */
static const double on_edge = 1e-12;     /* of its terms: lambda is at its bound, or ds/dt zero */
static const double ahead = 1e-6;        /* relative to the answer time of states to D */
static const double step_ahead = 1e-5;   /* beside a singular M: relative to the time scale */

static double largest_entry(const double *D, int m) {
  double largest = 0.0;
  for (int k = 0; k < m * m; ++k) nsds_raise(&largest, fabs(D[k]));
  return largest;
}

/* ---- which rows are closed ------------------------------------------------------------------- */

/* Returns true if D + D^T in the rows of degree 0 is positive definite. G is n x n. */
static bool degree_zero_rows_is_definite(const nsds_event_rows *s, const nsds_row_group *group,
                                         const double *D, double *G) {
  int m = group->n;
  double least = least_pivot * largest_entry(D, m);
  for (int j = 0; j < m; ++j)
    for (int i = 0; i < m; ++i) G[i + j * m] = 0.5 * (D[i + j * m] + D[j + i * m]);
  for (int k = 0; k < m; ++k) {
    if (nsds_group_row(s, group, k)->degree > 0) continue;
    if (!(G[k + k * m] > least)) return false;
    for (int j = k + 1; j < m; ++j) {
      bool higher = nsds_group_row(s, group, j)->degree > 0;
      double factor = higher ? 0.0 : G[k + j * m] / G[k + k * m];
      for (int i = k + 1; factor != 0.0 && i < m; ++i) G[i + j * m] -= factor * G[i + k * m];
    }
  }
  return true;
}

/* Returns true if a row of degree 0 may have another mode than closed. */
static bool has_bounds(const nsds_event_rows *s, const nsds_row_group *group) {
  bool any = false;
  for (int i = 0; i < group->n; ++i) {
    const nsds_row *row = nsds_group_row(s, group, i);
    any = any || (row->degree == 0 && !nsds_row_bilateral(row));
  }
  return any;
}

/* Returns the time in which states answer to an indefinite D of one group. */
static double answer_time(const nsds_event_rows *s, const nsds_row_group *group, const double *D) {
  double answer = 0.0, rate = 0.0, size = 0.0;
  int m = group->n;
  for (int i = 0; i < m; ++i) {
    const nsds_row *row = nsds_group_row(s, group, i);
    double b, terms;
    if (row->degree > 0) continue;
    for (int j = 0; j < m; ++j)
      nsds_raise(&answer, fabs(nsds_rows_product(s, row, nsds_group_row(s, group, j))));
    nsds_rows_rate_part(s, row, &b, &terms);
    nsds_raise(&rate, fabs(b));
    nsds_raise(&size, nsds_row_value_terms(s, row));
  }
  double time = answer > 0.0 ? largest_entry(D, m) / answer : INFINITY;
  return rate > 0.0 && size > 0.0 ? fmin(time, size / rate) : time;
}

/* Returns true if an earlier chosen row is of the same group. */
static bool is_met(const nsds_event_rows *s, const nsds_row_part *part, int k) {
  bool met = false;
  int group = s->groups.of[s->row[part->chosen[k]].contact].group;
  for (int j = 0; j < k; ++j)
    met = met || s->groups.of[s->row[part->chosen[j]].contact].group == group;
  return met;
}

double nsds_degree_zero_time_ahead(const nsds_event_rows *s, const nsds_row_part *part) {
  double time = INFINITY;
  for (int k = 0; k < part->n; ++k) {
    const nsds_row *row = &s->row[part->chosen[k]];
    const nsds_row_group *g = nsds_group_of(s, row);
    const double *D = g ? nsds_group_matrix(s, g) : NULL;
    if (!D || is_met(s, part, k) || !has_bounds(s, g)) continue;
    if (g->several) return step_ahead * s->scales.time;
    if (!degree_zero_rows_is_definite(s, g, D, s->weights.scratch))
      time = fmin(time, answer_time(s, g, D));
  }
  return isfinite(time) ? ahead * time : 0.0;
}

/* Computes ds/dt at constant lambda and constant rates of velocities and states, of a row that is not affine. */
static nsds_status find_drift(nsds_event_rows *s, const nsds_row *row, double *drift) {
  const nsds_contact *contact = &s->plan->contact[row->contact];
  *drift = 0.0;
  if (contact->is.affine) return NSDS_OK;
  if (contact->is.compliant) {
    *drift = s->plan->trial.ydot[row->y];
    return NSDS_OK;
  }
  double *bias = s->memory.work + s->memory.work_capacity - contact->m;
  nsds_status status = nsds_rows_bias(s, contact->interaction, bias);
  *drift = bias[row->i];
  return status;
}

/* Computes ds/dt at constant lambda for the present rates, and the sum of the sizes of its terms. */
static nsds_status find_rate_of(nsds_event_rows *s, const nsds_row *row, double *rate,
                                double *terms) {
  double drift;
  *rate = 0.0;
  *terms = nsds_row_speed_terms(s, row);
  if (!s->plan->contact[row->contact].is.compliant) nsds_rows_rate_part(s, row, rate, terms);
  nsds_status status = find_drift(s, row, &drift);
  *rate += drift;
  *terms += fabs(drift);
  return status;
}

/* Looks ahead in a row beside a singular M, by a step of its system. */
static void look_by_step(nsds_event_rows *s, const nsds_row_part *part, int i, double time) {
  const nsds_row *row = &s->row[part->chosen[i]];
  double scale = row->degree > 0 ? 1.0 / time : 1.0;
  double rest = row->degree > 0 ? 0.0 : row->bias;
  part->b[i] = rest + scale * nsds_groups_change(s, row, time);
  for (int j = 0; j < part->n; ++j)
    s->system.A[i + (ptrdiff_t)j * part->n] =
        scale * nsds_groups_answer(s, row, &s->row[part->chosen[j]], time);
}

nsds_status nsds_degree_zero_look_ahead(nsds_event_rows *s, const nsds_row_part *part,
                                        double time) {
  nsds_status status = s->groups.algebraic ? nsds_groups_step(s, time) : NSDS_OK;
  for (int i = 0; !status && i < part->n; ++i) {
    const nsds_row *row = &s->row[part->chosen[i]];
    const nsds_row_group *group = nsds_group_of(s, row);
    double rate, terms;
    if (group && group->several) {
      look_by_step(s, part, i, time);
      continue;
    }
    if (row->degree > 0) continue;
    status = find_rate_of(s, row, &rate, &terms);
    part->b[i] += time * rate;
    if (s->plan->contact[row->contact].is.compliant) continue; /* lambda moves places later */
    for (int j = 0; j < part->n; ++j)
      s->system.A[i + (ptrdiff_t)j * part->n] +=
          time * nsds_rows_product(s, row, &s->row[part->chosen[j]]);
  }
  return status;
}

/* Returns true if s has no other lambda of the group, and D is positive. */
static bool stands_alone(const nsds_event_rows *s, const nsds_row *row) {
  const nsds_row_group *group = nsds_group_of(s, row);
  int m = group->n, i = nsds_group_place(s, row);
  const double *D = nsds_group_matrix(s, group) + i;
  bool alone = D[(ptrdiff_t)i * m] > 0.0;
  for (int j = 0; j < m; ++j) alone = alone && (j == i || D[(ptrdiff_t)j * m] == 0.0);
  return alone;
}

nsds_status nsds_degree_zero_leave(nsds_event_rows *s, bool *any) {
  nsds_status status = NSDS_OK;
  *any = false;
  for (nsds_row *row = s->row, *end = row + s->nrow; !status && row < end; ++row) {
    if (row->degree > 0 || row->mode != NSDS_MODE_CLOSED || row->way != NSDS_WAY_OWN) continue;
    double least = on_edge * nsds_degree_zero_size(s, row), rate, terms;
    bool at_lower = row->lambda - row->lower <= least, at_upper = row->upper - row->lambda <= least;
    if (!(at_lower || at_upper) || !stands_alone(s, row)) continue;
    status = find_rate_of(s, row, &rate, &terms);
    if (status || fabs(rate) <= on_edge * terms || (rate > 0.0 ? !at_lower : !at_upper)) continue;
    nsds_row_open(row, rate > 0.0, rate > 0.0 ? row->lower : row->upper);
    *any = true;
  }
  return status;
}

/* ---- what determines their lambda ------------------------------------------------------------ */

static bool is_differentiated(const nsds_row *row) { return row->way == NSDS_WAY_DIFFERENTIATED; }

static bool in_question(const nsds_row *row) {
  return row->degree == 0 && row->mode == NSDS_MODE_CLOSED;
}

/* Writes the sizes to which entries of the rows of G are compared. Rows beside a singular M have
 * sizes of their own, as resistances differ by many orders. Others have size 1. Returns the least
 * pivot. */
static double find_sizes_of_rows(const nsds_row_group *group, const double *D, double *size) {
  int m = group->n;
  for (int i = 0; i < m; ++i) {
    size[i] = group->several ? 0.0 : 1.0;
    for (int j = 0; group->several && j < m; ++j) nsds_raise(&size[i], fabs(D[i + j * m]));
  }
  return group->several ? least_pivot : least_pivot * largest_entry(D, m);
}

/* Finds the largest entry left in the rows without a pivot, relative to the sizes. */
static double find_pivot(const nsds_event_rows *s, const nsds_row_group *group, const double *G,
                         const double *size, int *pi, int *pj) {
  double largest = 0.0;
  int m = group->n;
  for (int i = 0; i < m; ++i)
    for (int j = 0; is_differentiated(nsds_group_row(s, group, i)) && j < m; ++j)
      if (in_question(nsds_group_row(s, group, j)) && fabs(G[i + j * m]) > largest * size[i]) {
        largest = fabs(G[i + j * m]) / size[i];
        *pi = i;
        *pj = j;
      }
  return largest;
}

/* Eliminates with full pivoting in G, D of the closed rows of one group. T holds the row
 * combinations. */
static bool degree_zero_rows_eliminate(const nsds_event_rows *s, const nsds_row_group *group) {
  const double *D = nsds_group_matrix(s, group);
  double *G = s->weights.scratch, *T = s->weights.weight + group->weights;
  int left = 0, pi = 0, pj = 0, m = group->n;
  double *size = G + (ptrdiff_t)m * m;
  memcpy(G, D, (size_t)(m * m) * sizeof *G);
  double least = find_sizes_of_rows(group, D, size);
  for (int i = 0; i < m; ++i) {
    nsds_row *row = nsds_group_row(s, group, i);
    if (in_question(row)) nsds_row_differentiate(row);
    left += is_differentiated(row);
    for (int j = 0; j < m; ++j) T[i + j * m] = i == j;
  }
  for (; left > 0 && find_pivot(s, group, G, size, &pi, &pj) > least; --left) {
    nsds_row_stand_alone(nsds_group_row(s, group, pi));
    for (int i = 0; i < m; ++i) {
      bool waits = is_differentiated(nsds_group_row(s, group, i));
      double factor = waits ? G[i + pj * m] / G[pi + pj * m] : 0.0;
      for (int j = 0; factor != 0.0 && j < m; ++j) {
        G[i + j * m] -= factor * G[pi + j * m];
        T[i + j * m] -= factor * T[pi + j * m];
      }
      if (waits) G[i + pj * m] = 0.0;
      if (group->several) nsds_raise(&size[i], fabs(factor) * size[pi]);
    }
  }
  return left > 0;
}

/* Returns true if member k of a group has a part in a differentiated row. */
static bool has_weight(const nsds_event_rows *s, const nsds_row_group *group, int k) {
  const double *T = s->weights.weight + group->weights + (ptrdiff_t)k * group->n;
  bool any = false;
  for (int i = 0; i < group->n; ++i)
    any = any || (T[i] != 0.0 && is_differentiated(nsds_group_row(s, group, i)));
  return any;
}

/* Checks that the relations of a group allow derivatives. */
static nsds_status check_constant(const nsds_event_rows *s, const nsds_row_group *group) {
  char label[nsds_label_size];
  for (int k = 0; k < group->n; ++k) {
    const nsds_row *row = nsds_group_row(s, group, k);
    const nsds_contact *contact = &s->plan->contact[row->contact];
    if (!has_weight(s, group, k) || (contact->is.affine && nsds_acts_on_states(contact->kind)))
      continue;
    return nsds_fail(s->plan->context, NSDS_ERROR_UNSUPPORTED,
                     "event-driven: lambda of closed rows of %s follows from their derivatives at "
                     "t = %.17g, as their part of D is singular; for that its relation must have "
                     "constant coefficients",
                     nsds_contact_label(contact, label), s->plan->trial.t);
  }
  return NSDS_OK;
}

nsds_status nsds_degree_zero_differentiate(nsds_event_rows *s, const nsds_row_part *part,
                                           bool *any) {
  nsds_status status = NSDS_OK;
  *any = false;
  for (int k = 0; !status && k < part->n; ++k) {
    const nsds_row_group *group = nsds_group_of(s, &s->row[part->chosen[k]]);
    if (!group || !nsds_group_matrix(s, group) || is_met(s, part, k)) continue;
    if (!degree_zero_rows_eliminate(s, group)) continue;
    *any = true;
    status = check_constant(s, group);
  }
  return status;
}

/* Returns T s of a differentiated row. */
static double weighted_value(const nsds_event_rows *s, const nsds_row *row) {
  const nsds_row_group *group = nsds_group_of(s, row);
  const double *weight = s->weights.weight + group->weights + nsds_group_place(s, row);
  double sum = 0.0;
  for (int j = 0; j < group->n; ++j)
    sum += weight[(ptrdiff_t)j * group->n] * nsds_group_row(s, group, j)->slip;
  return sum;
}

/* Returns true for a closed row of which T s is a function of states with a singular M beside. */
static bool is_constraint(const nsds_event_rows *s, const nsds_row *row) {
  const nsds_row_group *group = nsds_group_of(s, row);
  return group && group->several && is_differentiated(row);
}

void nsds_degree_zero_return(nsds_event_rows *s, bool *any) {
  *any = false;
  for (int p = 0; nsds_rows_closed_factored(s) && p < s->closed.nparts; ++p) {
    bool own = false;
    const nsds_row_part part = nsds_part_of(s, &s->closed, p);
    for (int k = 0; k < part.n; ++k) {
      const nsds_row *row = &s->row[part.chosen[k]];
      bool moves = is_constraint(s, row);
      part.z[k] = moves ? -weighted_value(s, row) : 0.0;
      own = own || moves;
    }
    if (!own) continue;
    *any = true;
    nsds_rows_solve(s, &part);
    for (int k = 0; k < part.n; ++k)
      nsds_rows_push(s, &s->row[part.chosen[k]], part.z[k], s->plan->trial.v);
  }
}

double nsds_degree_zero_terms(const nsds_event_rows *s, const nsds_row *row) {
  const nsds_row_group *group = nsds_group_of(s, row);
  if (nsds_row_is_slip(s, row)) return nsds_gaps_speed_scale(s, row);
  double size = nsds_row_value_terms(s, row);
  for (int j = 0; row->degree == 0 && j < group->n; ++j) {
    const nsds_row *other = nsds_group_row(s, group, j);
    size += fabs(nsds_rows_through(s, row, other) * other->lambda);
  }
  return size;
}

double nsds_degree_zero_size(const nsds_event_rows *s, const nsds_row *row) {
  const nsds_row_group *group = nsds_group_of(s, row);
  double largest = 0.0, size = fabs(row->lambda);
  for (int j = 0; j < group->n; ++j)
    nsds_raise(&largest, fabs(nsds_rows_through(s, row, nsds_group_row(s, group, j))));
  return largest > 0.0 ? fmax(size, nsds_degree_zero_terms(s, row) / largest) : size;
}

double nsds_degree_zero_tolerance(const nsds_event_rows *s, const nsds_row *row) {
  double part = fmax(0.5 * nsds_drifted, 10.0 * s->scales.drift);
  double tolerance = part * nsds_degree_zero_terms(s, row);
  if (row->degree == 0) /* a jump may leave nothing but the rounding of what was there */
    return fmax(tolerance, nsds_rounding * nsds_row_size(s, row, NSDS_SIZE_OF_PLACES));
  return tolerance + 10.0 * s->scales.absolute * nsds_row_norm(s, row); /* bodies at the origin */
}
