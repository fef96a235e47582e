/*
 * Returns closed gaps that have drifted, and their speeds, to zero. The change of q and v is the
 * least in the metric of M: d = -M^-1 H^T (H M^-1 H^T)^-1 (y or dy/dt).
 */
#include "kernel/events/gap_projection.h"

#include "base/base.h"
#include "kernel/assembly/slot.h"
#include "kernel/assembly/tree_rates.h"
#include "kernel/events/closed_rows.h"
#include "kernel/events/event_parts.h"
#include "kernel/events/event_rows.h"
#include "kernel/events/row_state.h"
#include "kernel/events/row_values.h"

#include <float.h>

/* Near a stretched linkage A is of order sigma^2 in one direction. A gap y needs a way y / sigma
 * there. The linearisation holds for ways small compared with sigma, so y must be below sigma^2 by
 * the factor `beside`. Other gaps wait. Directions of A above `firm` never wait. */
static const double beside = 100.0, firm = 1e-6;

double nsds_gaps_speed_scale(const nsds_event_rows *s, const nsds_row *row) {
  double reached =
      sqrt(nsds_row_size(s, row, NSDS_SIZE_OF_RATES)) * sqrt(nsds_row_gap_terms(s, row));
  return fmax(nsds_row_speed_terms(s, row), reached) + DBL_MIN;
}

/* Returns the scale of slip of a sticking tangent, at least its largest earlier slip. */
static double slip_scale(const nsds_event_rows *s, const nsds_row *row) {
  return fmax(nsds_gaps_speed_scale(s, row), row[-row->lead].slipping.largest);
}

/* Returns what `tolerance` allows of a gap or speed of that size. At the origin, where coordinates
 * are zero, the absolute tolerance counts. */
static double allowed(const nsds_event_rows *s, const nsds_row *row, double tolerance,
                      double size) {
  if (tolerance < s->scales.drift) return tolerance * size;
  double norm = row->norm < INFINITY ? row->norm : nsds_row_norm(s, row);
  return fmax(tolerance * size, s->scales.absolute * norm);
}

bool nsds_gaps_drift(const nsds_event_rows *s, double tolerance) {
  const nsds_state *at = &s->plan->trial;
  for (int k = 0; k < s->closed.n; ++k) {
    const nsds_row *row = &s->row[s->closed.row[k]];
    if (row->normal > 0 && fabs(nsds_row_value(s, row)) > tolerance * slip_scale(s, row))
      return true;
    if (row->degree != 2) continue;
    double gap = fabs(nsds_row_drift(s, row)), size = nsds_row_gap_terms(s, row);
    if (gap > tolerance * size && gap > allowed(s, row, tolerance, size)) return true;
    double speed = fabs(at->ydot[row->y]), scale = nsds_gaps_speed_scale(s, row);
    if (speed > tolerance * scale && speed > allowed(s, row, tolerance, scale)) return true;
  }
  return false;
}

/* Returns the squared amplified drift of the part, relative to the allowed drift. In a
 * direction with A of order sigma^2 a gap y needs a way y / sigma. As the linkage moves, this way
 * makes velocities wrong by y / sigma^2. So the square of A^-1 y counts. For dy/dt the square of
 * the change of v counts, in the metric of M. */
static double amplified(nsds_event_rows *s, const nsds_row_part *part, bool position) {
  const nsds_state *at = &s->plan->trial;
  const double *scale = part->own->shares + (size_t)part->n * (size_t)part->n;
  double sum = 0.0, size = DBL_MIN;
  for (int k = 0; k < part->n; ++k) {
    const nsds_row *row = &s->row[part->chosen[k]];
    double terms = position ? nsds_row_gap_terms(s, row) : nsds_gaps_speed_scale(s, row);
    part->w[k] = row->degree != 2 ? 0.0 : position ? nsds_row_drift(s, row) : at->ydot[row->y];
    part->z[k] = part->w[k];
    if (row->degree == 2) nsds_raise(&size, allowed(s, row, s->scales.drift, terms) * scale[k]);
  }
  nsds_rows_solve(s, part);
  for (int k = 0; k < part->n; ++k)
    sum += part->z[k] * (position ? part->z[k] / (scale[k] * scale[k]) : part->w[k]);
  return fabs(sum) / size / size;
}

double nsds_gaps_drifted(nsds_event_rows *s) {
  const nsds_state *at = &s->plan->trial;
  double sum = 0.0;
  for (int p = 0; nsds_rows_closed_factored(s) && p < s->closed.nparts; ++p) {
    const nsds_row_part part = nsds_part_of(s, &s->closed, p);
    if (part.own->shared) sum += amplified(s, &part, true) + amplified(s, &part, false);
  }
  for (int k = 0; k < s->closed.n; ++k) {
    const nsds_row *row = &s->row[s->closed.row[k]];
    if (row->degree != 2) continue;
    double most = allowed(s, row, s->scales.drift, nsds_row_gap_terms(s, row)) + DBL_MIN,
           fastest = allowed(s, row, s->scales.drift, nsds_gaps_speed_scale(s, row));
    double gap = nsds_row_drift(s, row) / most, speed = at->ydot[row->y] / fastest;
    sum += gap * gap + speed * speed;
  }
  return sum;
}

/* Returns the limit of A below which directions of the part are left alone. */
static double left_alone(const nsds_event_rows *s, const nsds_row_part *part) {
  double most = 0.0;
  for (int k = 0; k < part->n; ++k) {
    const nsds_row *row = &s->row[part->chosen[k]];
    if (row->degree == 2)
      nsds_raise(&most, fabs(nsds_row_drift(s, row)) / (nsds_row_gap_terms(s, row) + DBL_MIN));
  }
  return fmin(fmax(beside * most, nsds_dependent), firm);
}

/* Lists the closed rows of degree 2 and sticking tangents by parts, and factors A of each part. */
static nsds_status factor_gaps(nsds_event_rows *s) {
  nsds_row_list *list = &s->list;
  nsds_rows_clear(s, list);
  for (int k = 0; k < s->closed.n; ++k)
    if (s->row[s->closed.row[k]].degree == 2 || s->row[s->closed.row[k]].normal > 0)
      list->row[list->n++] = s->closed.row[k];
  nsds_status status = nsds_rows_split(s, list);
  if (!status) status = nsds_parts_reserve(s, list);
  for (int p = 0; !status && p < list->nparts; ++p) {
    const nsds_row_part part = nsds_part_of(s, list, p);
    status = nsds_rows_matrix(s, &part, true);
    if (!status) status = nsds_rows_factor(s, &part, left_alone(s, &part));
  }
  return status;
}

/* Solves for the change that returns gaps of the part, or their velocities, to zero. */
static void solve_gaps(nsds_event_rows *s, const nsds_row_part *part, bool position) {
  const nsds_state *at = &s->plan->trial;
  for (int k = 0; k < part->n; ++k) {
    const nsds_row *row = &s->row[part->chosen[k]];
    double gap = nsds_row_drift(s, row), far = INFINITY;
    if (s->here.returns != NSDS_RETURN_ALL)
      far = nsds_rows_most_drift(s) * nsds_row_gap_terms(s, row) +
            10.0 * s->scales.absolute * nsds_row_norm(s, row);
    bool off = position && (row->normal > 0 || fabs(gap) > far);
    part->z[k] = off ? 0.0 : position ? -gap : -at->ydot[row->y] - row->given;
  }
  nsds_rows_solve(s, part);
}

/* Notes the impulses z that end flights. Much smaller ones are rounding. */
static void note_impulses(nsds_event_rows *s, const nsds_row_part *part) {
  double most = 0.0;
  for (int k = 0; k < part->n; ++k) most = fmax(most, fabs(part->z[k]));
  for (int k = 0; k < part->n; ++k)
    if (fabs(part->z[k]) > nsds_rounding * most)
      s->row[part->chosen[k]].flights.impulse += part->z[k];
}

/* Lists the rows at zero behind the closed rows, to return all of them. The rows may depend on each
 * other. */
static void list_at_zero(nsds_event_rows *s) {
  for (int r = 0; r < s->nrow; ++r) {
    nsds_row *row = &s->row[r];
    if (row->degree != 2 || nsds_row_keeps_zero(row) || !nsds_row_at_zero(row)) continue;
    s->closed.row[s->closed.n++] = r;
  }
  for (int k = 0; k < s->closed.n; ++k) {
    nsds_row *row = &s->row[s->closed.row[k]];
    if (row->way == NSDS_WAY_OWN) nsds_row_share(row); /* until modes are found */
  }
}

static nsds_status move_gaps(nsds_event_rows *s, const double *way) {
  nsds_plan *plan = s->plan;
  nsds_status status = nsds_slots_move(plan, way);
  if (plan->tree) nsds_tree_rates_settle(plan, plan->trial.q, plan->trial.v);
  return status;
}

nsds_status nsds_gaps_align(nsds_event_rows *s) {
  int own = s->closed.n;
  double *way = s->memory.vector;
  list_at_zero(s);
  nsds_status status = factor_gaps(s);
  nsds_zero_doubles(way, s->plan->model->size.nv);
  for (int p = 0; !status && p < s->list.nparts; ++p) {
    const nsds_row_part part = nsds_part_of(s, &s->list, p);
    solve_gaps(s, &part, true);
    for (int k = 0; k < part.n; ++k) nsds_rows_push(s, &s->row[part.chosen[k]], part.z[k], way);
  }
  if (!status) status = move_gaps(s, way);
  if (!status) status = nsds_rows_linearise(s);
  if (!status) status = nsds_rows_outputs(s);
  s->closed.n = own;
  return status;
}

nsds_status nsds_gaps_project(nsds_event_rows *s, bool ended) {
  enum { most = 3 };
  nsds_state *at = &s->plan->trial;
  size_t nv = s->plan->model->size.nv;
  double *way = s->memory.vector;
  nsds_status status = NSDS_OK;
  for (int pass = 0; !status && pass < most; ++pass) {
    if (!(pass == 0 && ended) && !nsds_gaps_drift(s, 2.0 * DBL_EPSILON)) break;
    status = factor_gaps(s);
    for (int position = 1; !status && position >= 0; --position) {
      nsds_zero_doubles(way, nv);
      for (int p = 0; p < s->list.nparts; ++p) {
        const nsds_row_part part = nsds_part_of(s, &s->list, p);
        solve_gaps(s, &part, position);
        if (ended && !position && pass == 0) note_impulses(s, &part);
        for (int k = 0; k < part.n; ++k)
          nsds_rows_push(s, &s->row[part.chosen[k]], part.z[k], position ? way : at->v);
      }
      if (position) status = move_gaps(s, way);
      if (!status) status = nsds_rows_linearise(s);
      if (!status) status = nsds_rows_outputs(s);
    }
  }
  return status;
}
