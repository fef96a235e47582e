/*
 * States beside a singular M that contradict the laws, as those of a capacitor that a switch
 * connects to a source. These states jump by impulses P of lambda:
 *
 *     M (x+ - x-) = B P + A X,   0 = C x+ + D P / h + e   where lambda is between its bounds
 *
 * X are impulses of algebraic unknowns, such as the charge through a source. One step of implicit
 * Euler of length h has this solution as h -> 0, with P = h lambda and X = h x+. The laws choose the
 * rows that take impulses. x+ errs by h over the time constants of the system. With a very small h,
 * P / h would be so large that x+ is rounding. So two lengths are extrapolated.
 *
 * Sources: Frasca, Camlibel, Goknar, Iannelli and Vasca (2010); Acary and Brogliato (2008), ch. 2.
 */
#include "kernel/events/state_jump.h"

#include "base/base.h"
#include "kernel/assembly/index_one.h"
#include "kernel/assembly/plan.h"
#include "kernel/events/event_parts.h"
#include "kernel/events/event_rates.h"
#include "kernel/events/impact.h"
#include "kernel/events/row_groups.h"
#include "kernel/events/row_state.h"
#include "kernel/events/row_values.h"
#include "kernel/events/soft_rows.h"

static const double instant = 1e-5; /* of the time scale: the length of a step */
static const double least = 1e-9;   /* of the largest impulse: smaller ones are finite lambda */

/* Asks all rows beside a singular M that may have a lambda. */
static nsds_status list_rows(nsds_event_rows *s) {
  nsds_rows_clear(s, &s->closed);
  nsds_rows_clear(s, &s->list);
  s->uniform = false;
  for (int r = 0; r < s->nrow; ++r) {
    nsds_row *row = &s->row[r];
    const nsds_row_group *group = nsds_group_of(s, row);
    if (!group || !group->several || nsds_row_fixed(row)) continue;
    nsds_row_stand_alone(row);
    nsds_row_leave_bound(row);
    nsds_row_ask(row);
    s->list.row[s->list.n++] = r;
  }
  nsds_status status = nsds_rows_split(s, &s->list);
  return status ? status : nsds_parts_reserve(s, &s->list);
}

/* Forms w = A z + b, s at the end of the step with lambda z. */
static nsds_status form(nsds_event_rows *s, const nsds_row_part *part, double length) {
  int n = part->n;
  nsds_status status = nsds_rows_matrix(s, part, false);
  for (int i = 0; !status && i < n; ++i) {
    const nsds_row *row = &s->row[part->chosen[i]];
    double value = nsds_soft_rest(s, row), change = nsds_groups_change(s, row, length);
    part->b[i] = value + change;
    part->terms[i] = fmax(nsds_soft_places(s, row), fabs(value) + fabs(change));
    for (int j = 0; j < n; ++j)
      s->system.A[i + (ptrdiff_t)j * n] =
          nsds_groups_answer(s, row, &s->row[part->chosen[j]], length);
  }
  return status;
}

/* Adds impulses of the part to those of the event, times a weight. */
static void add_charges(nsds_event_rows *s, const nsds_row_part *part, double length,
                        double weight) {
  double largest = 0.0;
  for (int k = 0; k < part->n; ++k) nsds_raise(&largest, fabs(part->z[k]));
  for (int k = 0; k < part->n; ++k) {
    nsds_row *row = &s->row[part->chosen[k]];
    row->lambda = part->z[k];
    if (fabs(row->lambda) > least * largest) row->flights.impulse += weight * length * row->lambda;
  }
}

/* Makes a step from the trial state, and writes its end to v. */
static nsds_status step(nsds_event_rows *s, double length, double weight, nsds_solver_info *info,
                        double *v) {
  const nsds_plan *plan = s->plan;
  nsds_status status = nsds_groups_step(s, length);
  for (int p = 0; !status && p < s->list.nparts; ++p) {
    const nsds_row_part part = nsds_part_of(s, &s->list, p);
    status = form(s, &part, length);
    if (!status) status = nsds_event_solve_closely(s, &part, false, info);
    if (!status) add_charges(s, &part, length, weight);
  }
  if (status) return status;
  nsds_copy_doubles(v, plan->trial.v, plan->model->size.nv);
  for (int k = 0; k < plan->nslot; ++k) {
    const nsds_slot *slot = &plan->slot[k];
    if (slot->index_one) nsds_copy_doubles(v + slot->v0, slot->index_one->ahead, (size_t)slot->nv);
  }
  for (int k = 0; k < s->list.n; ++k) {
    nsds_row *row = &s->row[s->list.row[k]];
    nsds_groups_push(s, row, length, v);
    nsds_row_ask(row);
  }
  return NSDS_OK;
}

nsds_status nsds_states_jump(nsds_event_rows *s, nsds_solver_info *info) {
  double length = instant * s->scales.time, *once = s->memory.vector, *twice = s->rate;
  nsds_status status = list_rows(s);
  if (!status) status = nsds_event_rates_near(s);
  if (!status) status = step(s, length, -1.0, info, once);
  if (!status) status = step(s, 0.5 * length, 2.0, info, twice);
  if (status) return status;
  for (size_t k = 0; k < s->plan->model->size.nv; ++k)
    s->plan->trial.v[k] = 2.0 * twice[k] - once[k];
  status = nsds_event_rates_near(s);
  if (!status) status = nsds_rows_outputs(s);
  if (!status) nsds_impact_touch_speeds(s);
  return status;
}
