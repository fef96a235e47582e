/*
 * Impacts at the trial state, M (v+ - v-) = H^T P on all rows at zero, repeated until no row
 * approaches:
 *
 *     Newton        0 <= dy/dt+ + e dy/dt- perpendicular to P >= 0, or Coulomb's law, in one
 *                   problem
 *     Poisson       see impact_poisson.c
 *     distributing  see impact_distribution.c
 *
 * A law with a rule other than Newton's brings this rule, see impact_rule.h. If some laws are not
 * Newton's, rows that act on each other form a group. Each group uses the law that its contacts
 * share. In first-order systems x jumps to an admissible y.
 *
 * Sources: Acary and Brogliato (2008), ch. 8; Pfeiffer and Glocker (1996), ch. 8.
 *
 * A row is at zero at the trial state if a root was located, if its mode keeps it there, or up to
 * rounding. The limit of a gap is 64 eps of sum |H| times the largest coordinates so far, plus the
 * way of the gap in the error of the event's time; that of a speed uses the largest velocities. The
 * drift of other rows does not count, whatever they do: they are returned to their gaps before,
 * see nsds_gaps_align().
 */
#include "kernel/events/impact.h"

#include "base/base.h"
#include "base/context.h"
#include "kernel/assembly/plan.h"
#include "kernel/events/event_parts.h"
#include "kernel/events/event_rows.h"
#include "kernel/events/friction_modes.h"
#include "kernel/events/degree_zero_rows.h"
#include "kernel/events/impact_rule.h"
#include "kernel/events/row_groups.h"
#include "kernel/events/row_state.h"
#include "kernel/events/row_values.h"
#include "kernel/events/soft_rows.h"
#include "kernel/modeling/modeling.h"

#include <float.h>

/* Returns true for first-order y of a sign that lambda, without a bound, must prevent. States beside
 * a singular M jump by state_jump.c. */
static bool inadmissible(const nsds_event_rows *s, const nsds_row *row) {
  double value = nsds_row_value(s, row);
  const nsds_row_group *group = nsds_group_of(s, row);
  return row->degree == 1 && !(group && group->several) &&
         ((value < 0.0 && row->upper == INFINITY) || (value > 0.0 && row->lower == -INFINITY)) &&
         !nsds_row_at_zero(row);
}

static bool takes_impulses(const nsds_event_rows *s, const nsds_row *row) {
  if (row->degree == 2) return nsds_row_at_zero(row);
  const nsds_row *normal = row - row->normal;
  if (row->normal > 0)
    return normal->degree == 2 && nsds_row_at_zero(normal) && !nsds_row_is_smooth(row);
  bool unbounded = row->lower == -INFINITY || row->upper == INFINITY;
  return row->degree == 1 && unbounded && (nsds_row_at_zero(row) || inadmissible(s, row));
}

/* Returns true if the row asks for an impact. */
static bool collides(const nsds_event_rows *s, const nsds_row *row) {
  if (row->normal > 0) return false;
  if (row->degree == 1) return inadmissible(s, row);
  if (row->degree != 2 || !nsds_row_moves(row)) return false;
  return nsds_row_bilateral(row) || nsds_row_speed(s, row) < 0.0;
}

double nsds_impact_before(const nsds_event_rows *s, const nsds_row *row, bool inelastic) {
  const nsds_contact *contact = &s->plan->contact[row->contact];
  const nsds_state *at = &s->plan->trial;
  if (row->degree == 1 && row->normal == 0) return nsds_row_value(s, row);
  double q[5] = {0.0}; /* for one copy of the law */
  bool returns = contact->restitution && !inelastic && !row[-row->normal].flights.ends;
  if (returns) contact->restitution(contact->law_self, at->ydot + row->y - row->normal, q);
  return at->ydot[row->y] + (returns ? q[row->normal] : row->given);
}

/* ---- laws ------------------------------------------------------------------------------------ */

static const nsds_law *impact_law_of(const nsds_event_rows *s, const nsds_row *row) {
  return s->plan->contact[row->contact].law;
}

static nsds_status impact_refuse(const nsds_event_rows *s, const nsds_row *a, const nsds_row *b) {
  char label[2][nsds_label_size];
  return nsds_fail(
      s->plan->context, NSDS_ERROR_UNSUPPORTED,
      "event at t = %.17g: %s by %s and %s by %s meet in one impact; its contacts must "
      "share one law of impact, and one exponent",
      s->plan->trial.t, nsds_contact_label(&s->plan->contact[a->contact], label[0]),
      impact_law_of(s, a)->ops->type, nsds_contact_label(&s->plan->contact[b->contact], label[1]),
      impact_law_of(s, b)->ops->type);
}

/* Returns true if the row goes with a law. Joints go with any law, contacts without restitution
 * with laws that solve a problem. */
static bool goes_with(const nsds_event_rows *s, const nsds_row *row, const nsds_impact *law) {
  const nsds_impact *own = &impact_law_of(s, row)->impact;
  if (nsds_row_bilateral(row)) return true;
  if (!impact_law_of(s, row)->ops->restitution) return !law->rule || law->rule->solves;
  return own->rule == law->rule && own->exponent == law->exponent;
}

/* Finds the rule that the chosen rows share. */
static nsds_status find_rule(const nsds_event_rows *s, const nsds_row_part *part,
                             const nsds_impact_rule **rule) {
  const nsds_row *first = NULL;
  for (int k = 0; !first && k < part->n; ++k)
    if (impact_law_of(s, &s->row[part->chosen[k]])->ops->restitution)
      first = &s->row[part->chosen[k]];
  *rule = first ? impact_law_of(s, first)->impact.rule : NULL;
  for (int k = 0; first && k < part->n; ++k)
    if (!goes_with(s, &s->row[part->chosen[k]], &impact_law_of(s, first)->impact))
      return impact_refuse(s, first, &s->row[part->chosen[k]]);
  return NSDS_OK;
}

/* Computes impulses z of the chosen rows. *residual: relative error of the law in velocities. */
static nsds_status impact_strike(nsds_event_rows *s, const nsds_row_part *part,
                                 const nsds_impact_rule *rule, bool inelastic,
                                 nsds_solver_info *info, double *residual) {
  nsds_status status = nsds_rows_matrix(s, part, true);
  for (int k = 0; k < part->n; ++k) {
    const nsds_row *row = &s->row[part->chosen[k]];
    part->b[k] = nsds_impact_before(s, row, inelastic || rule);
    part->terms[k] = nsds_row_speed_terms(s, row);
  }
  if (status) return status;
  if (s->listed.damped && !inelastic) nsds_damped_add(s, part);
  if (rule) return rule->strike(s, part, inelastic, info, residual);
  status = nsds_event_solve(s, part, true, info);
  *residual = info->residual;
  return status;
}

/* Returns the size of the terms of row k after the impact, of all rows of its contact. Bodies at
 * rest move by the rounding of impulses that others pass on. */
static double size_after(const nsds_event_rows *s, const nsds_row_part *part, int k) {
  double largest = 0.0;
  for (int i = 0; i < part->n; ++i) {
    if (s->row[part->chosen[i]].contact != s->row[part->chosen[k]].contact) continue;
    double size = fabs(part->b[i]);
    for (int j = 0; j < part->n; ++j)
      size += fabs(s->system.A[i + (ptrdiff_t)j * part->n] * part->z[j]);
    nsds_raise(&largest, size);
  }
  return largest;
}

void nsds_impact_push(nsds_event_rows *s, const nsds_row_part *part, double residual) {
  for (int k = 0; k < part->n; ++k) {
    nsds_row *row = &s->row[part->chosen[k]];
    row->flights.impulse += part->z[k];
    if (row->normal == 0) nsds_row_locate(row, row->degree == 2 || part->z[k] != 0.0);
    double size = size_after(s, part, k), errs = nsds_larger(4.0 * residual / nsds_rounding, 1.0);
    nsds_raise(&row->speed_terms, errs * size); /* largest of the event; the solver errs too */
    nsds_raise(&row->flights.terms, size);
    nsds_rows_push(s, row, part->z[k], s->plan->trial.v);
  }
}

/* Computes impulses of the part, and the velocities after them. */
static nsds_status impact_collide(nsds_event_rows *s, const nsds_row_part *part, bool inelastic,
                                  nsds_solver_info *info) {
  const nsds_impact_rule *rule = NULL;
  double residual = 0.0;
  nsds_status status = s->impacts.grouped ? find_rule(s, part, &rule) : NSDS_OK;
  if (!status) status = impact_strike(s, part, rule, inelastic, info, &residual);
  if (!status) nsds_impact_push(s, part, residual);
  return status;
}

void nsds_impact_part(nsds_event_rows *s) {
  const nsds_row_list *list = &s->list;
  for (int k = 0; k < list->n; ++k) {
    nsds_row *row = &s->row[list->row[k]];
    nsds_raise(&row->speed_terms, nsds_row_speed_terms(s, row));
    if (row->degree == 2)
      nsds_row_move(row, fabs(nsds_row_speed(s, row)) >
                             nsds_rounding * row->speed_terms + 4.0 * DBL_MIN);
  }
  for (int k = 0; k < list->n; ++k) {
    nsds_row *row = &s->row[list->row[k]];
    if (row->tangents > 0) nsds_friction_begin_anew(s, row);
  }
  nsds_impact_touch_speeds(s);
}

/* ---- which rows ------------------------------------------------------------------------------ */

/* Returns true for rows of one contact, or if one row moves the other through a common system. */
static bool coupled(const nsds_event_rows *s, const nsds_row_part *part, int i, int j) {
  return s->system.A[i + (ptrdiff_t)j * part->n] != 0.0 ||
         s->row[part->chosen[i]].contact == s->row[part->chosen[j]].contact;
}

/* Removes parts in which no row asks for an impact. */
static void leave_out_quiet(const nsds_event_rows *s, nsds_row_list *list, nsds_row_test *asks) {
  int nparts = 0, n = 0;
  for (int p = 0, first = 0, end; p < list->nparts; ++p, first = end) {
    bool wanted = false;
    end = list->start[p + 1];
    for (int k = first; k < end; ++k) wanted = wanted || asks(s, &s->row[list->row[k]]);
    if (!wanted) continue;
    list->start[nparts++] = n;
    for (int k = first; k < end; ++k) list->row[n++] = list->row[k];
  }
  list->start[nparts] = list->n = n;
  list->nparts = nparts;
}

nsds_status nsds_impact_choose(nsds_event_rows *s, nsds_row_test *asks) {
  nsds_row_list *list = &s->list;
  nsds_rows_clear(s, list);
  for (int r = 0; r < s->nrow; ++r)
    if (takes_impulses(s, &s->row[r])) list->row[list->n++] = r;
  nsds_status status = nsds_rows_split(s, list);
  if (!status && s->impacts.grouped) status = nsds_rows_refine(s, list, coupled);
  if (!status) leave_out_quiet(s, list, asks);
  return status;
}

nsds_status nsds_impact_settle(nsds_event_rows *s, nsds_solver_info *info, bool *any) {
  enum { most = 100 };
  *any = false;
  for (int pass = 0; pass < most; ++pass) {
    bool wanted = false;
    for (int r = 0; r < s->nrow; ++r) wanted = wanted || collides(s, &s->row[r]);
    if (!wanted) return NSDS_OK;
    *any = true;
    nsds_status status = nsds_impact_choose(s, collides);
    for (int p = 0; !status && p < s->list.nparts; ++p) {
      const nsds_row_part part = nsds_part_of(s, &s->list, p);
      status = impact_collide(s, &part, pass > most / 2, info);
    }
    if (!status) status = nsds_rows_outputs_hit(s);
    if (status) return status;
    nsds_impact_part(s);
  }
  return nsds_fail(s->plan->context, NSDS_ERROR_SOLVER,
                   "event at t = %.17g: contacts approach each other after %d problems of impact",
                   s->plan->trial.t, most);
}

/* ---- rows at zero -------------------------------------------------------------------------------- */

static void note_largest(nsds_event_rows *s) {
  s->sizes.largest = 0.0;
  for (int k = 0; k < s->plan->nslot; ++k) nsds_raise(&s->sizes.largest, s->sizes.size[k]);
}

/* Returns the largest gap that is zero, for terms of this size. */
static double least_gap(const nsds_event_rows *s, const nsds_row *row, double terms) {
  return nsds_rounding * (terms + nsds_row_way_terms(s, row)) +
         s->scales.instant * fabs(s->plan->trial.ydot[row->y]);
}

/* Returns how far the gap of an open row is above the gap at which its flight ends. This is the gap
 * at which the flight began, within rounding of zero. */
static double gap_left(const nsds_event_rows *s, const nsds_row *row, bool outside) {
  double end = outside ? 0.0 : fmax(row->base, 0.0); /* else the flight is of another motion */
  return s->plan->trial.y[row->y] - end;
}

/* Returns true if a row is open, and further from zero than `part` of any terms. */
static bool is_far(const nsds_event_rows *s, const nsds_row *row, double part, bool outside) {
  if (nsds_row_at_zero(row) || nsds_row_keeps_zero(row) || nsds_row_bilateral(row)) return false;
  double terms = fabs(s->plan->contact[row->contact].shift[row->i]) + row->norm * s->sizes.largest;
  return gap_left(s, row, outside) > 2.0 * least_gap(s, row, part / nsds_rounding * terms);
}

bool nsds_impact_in_doubt(nsds_event_rows *s) {
  double doubt = 0.0;
  bool any = false;
  for (const nsds_row *row = s->row, *end = row + s->nrow; row < end; ++row) {
    if (row->degree != 2 || !nsds_row_keeps_zero(row)) continue;
    double terms = nsds_row_gap_terms(s, row);
    if (terms > 0.0) nsds_raise(&doubt, fabs(nsds_row_drift(s, row)) / terms);
  }
  if (doubt <= 0.25 * nsds_rounding) return false;
  note_largest(s);
  doubt = nsds_rounding + 4.0 * doubt;
  for (const nsds_row *row = s->row, *end = row + s->nrow; row < end && !any; ++row) {
    bool open = row->degree == 2 && !nsds_row_keeps_zero(row) && !nsds_row_at_zero(row);
    if (!open || is_far(s, row, doubt, false)) continue;
    double y = s->plan->trial.y[row->y], terms = nsds_row_gap_terms(s, row);
    any = y > least_gap(s, row, terms) && y <= doubt * terms;
  }
  return any;
}

/* Chooses the gap that a row keeps while it is closed. After a window of time stepping an equality
 * returns to its gap from before, and contacts, which may have sunk in, return to zero. */
static void keep_gap(const nsds_event_rows *s, nsds_row *row, bool outside, double terms) {
  bool bilateral = nsds_row_bilateral(row), all = s->here.returns == NSDS_RETURN_ALL;
  double y = s->plan->trial.y[row->y],
         small = nsds_drifted * terms + s->scales.absolute * nsds_row_norm(s, row);
  double drift = nsds_rows_most_drift(s) * terms;
  bool stays = !outside || (bilateral && all) || fabs(nsds_row_drift(s, row)) <= drift;
  if (nsds_row_keeps_zero(row) && stays) return;
  row->held = fabs(y) > small && (bilateral || !all) ? y : 0.0;
}

static void touch_gap(nsds_event_rows *s, nsds_row *row, bool outside) {
  const nsds_state *at = &s->plan->trial;
  if (is_far(s, row, nsds_rounding, outside)) return;
  double terms = nsds_row_gap_terms(s, row),
         far = outside ? nsds_rows_most_drift(s) * terms : INFINITY;
  bool stays =
      nsds_row_keeps_zero(row) && nsds_row_drift(s, row) <= far; /* else the program has moved it */
  nsds_row_locate(row, nsds_row_at_zero(row) || stays || nsds_row_bilateral(row) ||
                           gap_left(s, row, outside) <= least_gap(s, row, terms));
  if (nsds_row_at_zero(row)) keep_gap(s, row, outside, terms);
  /* closed rows drift as the integration allows; equalities may contradict each other by this */
  bool drifts = nsds_row_keeps_zero(row) && (!outside || nsds_row_bilateral(row));
  double least_speed = drifts ? fmax(nsds_rounding, s->scales.drift) : nsds_rounding;
  row->speed_terms = nsds_row_speed_terms(s, row);
  /* if nothing has moved so far, speeds are rounding of the action of forces in a short time */
  double pushed = drifts ? s->scales.time * nsds_row_size(s, row, NSDS_SIZE_OF_RATES) : 0.0;
  nsds_row_move(row,
                fabs(at->ydot[row->y]) > least_speed * (row->speed_terms + pushed) + 4.0 * DBL_MIN);
}

/* Returns true if s of a row of degree 1 is zero up to this part of its terms. */
static bool is_small(const nsds_event_rows *s, const nsds_row *row, double part) {
  double size =
      nsds_row_is_slip(s, row) ? nsds_row_speed_terms(s, row) : nsds_row_value_terms(s, row);
  return fabs(nsds_row_value(s, row)) <= part * size;
}

static void touch_slip(nsds_event_rows *s, nsds_row *row, double tolerance) {
  bool stays = nsds_row_keeps_zero(row) && (isinf(tolerance) || is_small(s, row, tolerance));
  if (row->mode == NSDS_MODE_IDLE) /* others kept it at zero, but no longer */
    stays = stays && fabs(nsds_row_value(s, row)) <= nsds_degree_zero_tolerance(s, row);
  nsds_row_locate(row, nsds_row_at_zero(row) || stays || is_small(s, row, nsds_rounding));
}

void nsds_impact_touch_speeds(nsds_event_rows *s) {
  double part = fmax(nsds_rounding, s->scales.drift);
  for (nsds_row *row = s->row, *end = row + s->nrow; row < end; ++row) {
    if (NSDS_LIKELY(row->degree == 2)) continue;
    if (row->degree == 1 && row->normal == 0) nsds_row_locate(row, is_small(s, row, part));
    if (row->degree == 0 && row->tangents > 0) nsds_friction_begin_anew(s, row);
  }
}

/* Takes the located gaps as a measure of the error of the event's time. If they are not quite zero,
 * other gaps that come with them are not either. */
static void note_instant(nsds_event_rows *s) {
  enum { most = 100 }; /* times rounding */
  double late = 0.0;
  for (const nsds_row *row = s->row, *end = row + s->nrow; row < end; ++row) {
    if (row->degree != 2 || nsds_row_keeps_zero(row) || !nsds_row_at_zero(row)) continue;
    double left = gap_left(s, row, false), speed = fabs(s->plan->trial.ydot[row->y]);
    bool near = left > 0.0 && left <= most * least_gap(s, row, nsds_row_gap_terms(s, row));
    if (near && speed > 0.0) nsds_raise(&late, 2.0 * left / speed);
  }
  nsds_raise(&s->scales.instant, late);
}

void nsds_impact_touch(nsds_event_rows *s, bool outside) {
  double tolerance =
      outside ? fmax(nsds_rounding, s->scales.drift) : INFINITY; /* of speeds, by their terms */
  s->here.stops = s->here.again;
  for (const nsds_row *row = s->row, *end = row + s->nrow; s->listed.friction && row < end; ++row)
    s->here.stops =
        s->here.stops || (row->span > 0 && nsds_row_at_zero(row) && nsds_row_slides(row));
  if (s->here.stops) nsds_friction_note_stops(s);
  note_largest(s);
  if (!outside) note_instant(s);
  nsds_friction_renew(s);
  for (nsds_row *row = s->row, *end = row + s->nrow; row < end; ++row) {
    row->flights.impulse = row->flights.terms = 0.0;
    nsds_row_forget_jam(row);
    if (row->degree == 2) touch_gap(s, row, outside);
    else if (row->degree == 1 && row->normal == 0) touch_slip(s, row, tolerance);
    for (int k = 1; k <= row->tangents; ++k) row[k].speed_terms = 0.0;
    for (int k = 1; k <= row->tangents; ++k)
      if (row[k].span > 0) nsds_friction_touch(s, row + k, tolerance);
  }
}
