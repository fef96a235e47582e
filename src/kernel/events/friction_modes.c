/*
 * Coulomb friction between events. Tangents of a closed contact stick, s_T = 0 with |lambda_T| <=
 * mu lambda_N, or slide, lambda_T = -mu lambda_N d along the direction d = s_T / |s_T| of slip.
 * When slip begins, at s_T = 0, d is the direction of ds_T/dt, opposite to lambda_T. Sticking ends
 * when mu lambda_N - |lambda_T| passes zero. Sliding ends when s_T passes zero along the direction
 * that slip had at the start of the integration. In space, slip that begins has its own mode, see
 * slip_onset.c. Slip that ends keeps its direction below `ending`: errors of the integration would
 * turn a smaller slip at random, and its friction with it. Without friction, mu = 0, the tangents are
 * idle. Rolling friction obeys the same law with its own mu and the same lambda_N.
 */
#include "kernel/events/friction_modes.h"

#include "base/union_find.h"
#include "kernel/assembly/lifting.h"
#include "kernel/events/event_rows.h"
#include "kernel/events/row_state.h"
#include "kernel/events/row_values.h"
#include "kernel/modeling/law.h"

#include <float.h>

static const double vanishing = 1e-9; /* relative to the bound: lambda_T is at the bound */
/* Relative excess of a shared friction force over its bound at which slip begins. Until then the
 * problem has a solution with the force inside. Forces in shared directions are known to 1e-8
 * (row_values.c), and this error alone must not start slip. Slip may thus begin late, by the time
 * in which the force grows by 1e-7. */
static const double beyond = 1e-7;
/* Relative to the largest speeds, in space: below least_slip slip counts as zero, because its
 * direction turns ever faster near rest. Slip must have been above armed_slip before. */
static const double least_slip = 1e-10, armed_slip = 1e-6;

/* Returns the slip below which slip in space ends. */
static double ending(const nsds_event_rows *s, double size) {
  return fmin(fmax(s->scales.drift, 10.0 * least_slip), 0.1 * armed_slip) * size;
}

void nsds_friction_renew(nsds_event_rows *s) {
  for (nsds_row *row = s->row, *end = row + s->nrow; s->listed.friction && row < end; ++row) {
    if (row->tangents == 0) continue;
    nsds_block block = nsds_law_block(s->plan->contact[row->contact].law);
    row[1].mu = block.mu;
    if (row[1].span < row->tangents) row[1 + row[1].span].mu = block.mu_rolling;
  }
}

static double slip_speed(const nsds_event_rows *s, const nsds_row *first) {
  double sum = 0.0;
  for (const nsds_row *t = first, *end = t + first->span; t < end; ++t)
    sum += nsds_row_value(s, t) * nsds_row_value(s, t);
  return sqrt(sum);
}

/* Returns sum |H_T v| plus the given slip. */
static double friction_modes_size_of(const nsds_event_rows *s, const nsds_row *first) {
  double sum = 0.0;
  for (const nsds_row *t = first, *end = t + first->span; t < end; ++t)
    sum += nsds_row_speed_terms(s, t) + fabs(t->given);
  return sum;
}

/* Updates the direction of slip. The integration looks beyond zero slip before it finds the event.
 * The direction does not flip there, so that the motion stays smooth. */
static void friction_modes_direct(nsds_event_rows *s, nsds_row *first) {
  double speed = slip_speed(s, first), along = 0.0;
  if (!(speed > nsds_rounding * friction_modes_size_of(s, first))) return; /* keep the direction */
  first->slipping.largest = fmax(first->slipping.largest, speed);
  const nsds_row *end = first + first->span;
  for (nsds_row *t = first; t < end; ++t) along += nsds_row_value(s, t) * t->slipping.heading;
  for (nsds_row *t = first; t < end; ++t)
    t->slipping.direction = nsds_row_value(s, t) / (along < 0.0 ? -speed : speed);
}

void nsds_friction_note_stops(nsds_event_rows *s) {
  const nsds_contact *contact = s->plan->contact;
  int *up = s->stops.link, *stops = s->stops.any = up + s->plan->nslot;
  for (int k = 0; k < s->plan->nslot; ++k) up[k] = nsds_plan_leader(s->plan, k), stops[k] = 0;
  for (const nsds_row *row = s->row, *end = row + s->nrow; row < end; ++row)
    for (int e = 1; nsds_row_keeps_zero(row) && e < contact[row->contact].nds; ++e)
      nsds_unite(up, contact[row->contact].reach[0].slot, contact[row->contact].reach[e].slot);
  for (const nsds_row *row = s->row, *end = row + s->nrow; row < end; ++row) {
    bool come = nsds_row_at_zero(row) || (s->here.again && row->mark.bound != NSDS_BOUND_NONE);
    if (!come || !(s->here.again || (row->span > 0 && nsds_row_slides(row)))) continue;
    for (int e = 0; e < contact[row->contact].nds; ++e)
      stops[nsds_root(up, contact[row->contact].reach[e].slot)] = 1;
  }
}

/* Returns true if the contact may stop at this event: itself, or bodies that it is tied to. */
static bool may_stop(const nsds_event_rows *s, const nsds_row *first) {
  const nsds_contact *own = &s->plan->contact[first->contact];
  int *up = s->stops.link;
  bool any = nsds_row_at_zero(first);
  for (int e = 0; s->here.stops && e < own->nds; ++e)
    any = any || s->stops.any[nsds_root(up, own->reach[e].slot)];
  return any;
}

/* Returns the slip that the present rates make or take within the error of the event's time. */
static double slip_in_instant(const nsds_event_rows *s, const nsds_row *first) {
  double rate = 0.0;
  for (const nsds_row *t = first, *end = t + first->span; t < end; ++t)
    rate += nsds_row_size(s, t, NSDS_SIZE_OF_RATES);
  return s->scales.instant * rate;
}

void nsds_friction_touch(nsds_event_rows *s, nsds_row *first, double tolerance) {
  if (isfinite(tolerance)) nsds_row_resume_slip(first); /* the program has changed the motion */
  double size = friction_modes_size_of(s, first), scale = fmax(size, first->speed_terms),
         speed = slip_speed(s, first);
  bool stays = first->mode == NSDS_MODE_CLOSED && (isinf(tolerance) || speed <= tolerance * size);
  /* compared along the old direction: all contacts of a body coming to rest stop at one instant */
  bool begins = first->mode == NSDS_MODE_BEGINNING;
  bool found = nsds_row_slides(first) && (begins ? nsds_row_at_zero(first) : may_stop(s, first));
  double along = !found                            ? 0.0
                 : begins                          ? nsds_slipping * first->slipping.length
                 : first->mode == NSDS_MODE_ENDING ? first->slipping.length
                                                   : nsds_drifted * first->slipping.largest;
  /* the rounding of the event's time turns slip around before it has grown any larger */
  double least = fmax(fmax(nsds_rounding * scale, along), slip_in_instant(s, first));
  bool zero = stays || speed <= least;
  first->speed_terms = scale;
  for (nsds_row *t = first, *end = t + first->span; t < end; ++t) nsds_row_locate(t, zero);
}

void nsds_friction_begin_anew(nsds_event_rows *s, nsds_row *normal) {
  for (nsds_row *t = normal + 1, *end = t + normal->tangents; t < end; ++t) {
    if (t->span == 0) continue;
    nsds_row_idle(t, t->lambda);
    nsds_friction_touch(s, t, INFINITY);
  }
}

/* Starts sliding from rest against lambda_T, or along ds_T/dt if lambda_T is zero. */
static void friction_modes_slide(nsds_row *first, double size, const double *w) {
  double rate = 0.0, bound = first->mu * first[-first->normal].lambda;
  for (int k = 0; k < first->span; ++k) rate += w[k] * w[k];
  rate = sqrt(rate);
  for (int k = 0; k < first->span; ++k) {
    nsds_row *t = first + k;
    t->slipping.direction = size > 0.0 ? -t->lambda / size : rate > 0.0 ? w[k] / rate : k == 0;
    t->slipping.heading = t->slipping.direction; /* whatever the earlier slip */
    bool begins = k == 0 && first->span == 2 && bound > 0.0;
    if (begins) nsds_row_begin_slip(t);
    else nsds_row_slide(t);
    t->slipping.largest = 0.0;
    t->slipping.length = DBL_MAX; /* slip of any size has no direction yet */
  }
}

void nsds_friction_judge(nsds_row *first, const double *w, double zero, bool again, bool shared) {
  const nsds_row *normal = first - first->normal;
  double size = 0.0, bound = first->mu * normal->lambda;
  nsds_row *end = first + first->span;
  bool still = true;
  for (int k = 0; k < first->span; ++k) still = still && fabs(w[k]) <= zero;
  for (nsds_row *t = first; t < end; ++t) size += t->lambda * t->lambda;
  size = sqrt(size);
  if (!nsds_row_keeps_zero(normal) || normal->way == NSDS_WAY_SPARE) {
    for (nsds_row *t = first; t < end; ++t) nsds_row_idle(t, 0.0);
    return;
  }
  bool inside = bound - size > vanishing * bound;
  /* If slip rate and distance to the bound vanish, the contact slides if lambda_T came to its
   * bound, once per instant. */
  bool came = first->mark.bound == NSDS_BOUND_LOWER;
  bool sticks = still ? !came || inside || again || shared : inside && !came;
  if (!sticks) friction_modes_slide(first, size, w);
  for (nsds_row *t = first; t < end && sticks; ++t) nsds_row_close(t);
}

double nsds_friction_distance(const nsds_event_rows *s, const nsds_row *first) {
  double sum = 0.0;
  bool sticks = first->mode == NSDS_MODE_CLOSED, begins = first->mode == NSDS_MODE_BEGINNING;
  for (const nsds_row *t = first, *end = t + first->span; t < end; ++t)
    sum += sticks ? t->lambda * t->lambda
                  : nsds_row_value(s, t) * (begins ? t->slipping.direction : t->slipping.heading);
  return sticks ? first->mu * first[-first->normal].lambda - sqrt(sum) : sum;
}

bool nsds_friction_has_length(const nsds_row *first) {
  bool ends = first->mode == NSDS_MODE_SLIDING && first->span == 2;
  return first->slipping.length > 0.0 || ends;
}

double nsds_friction_left(const nsds_event_rows *s, const nsds_row *first) {
  return slip_speed(s, first) - ending(s, friction_modes_size_of(s, first));
}

/* Returns how far slip at rest may go back by rounding. Dependent contacts of one body keep it at
 * rest while its own friction is at its bound. */
static double slip_way_back(const nsds_event_rows *s, const nsds_row *first) {
  double way = 0.0;
  for (const nsds_row *t = first, *end = t + first->span; t < end; ++t) {
    double zero = nsds_rounding * nsds_row_size(s, t, NSDS_SIZE_OF_RATES);
    if (!(fabs(nsds_row_acceleration(s, t)) <= zero)) return 0.0;
    way += nsds_rounding * nsds_row_size(s, t, NSDS_SIZE_OF_SPEEDS);
  }
  return way;
}

void nsds_friction_begin(const nsds_event_rows *s, nsds_row *first) {
  double size = friction_modes_size_of(s, first), speed = slip_speed(s, first);
  bool armed = speed > armed_slip * size, rest = nsds_row_at_zero(first);
  if (!(speed < first->slipping.limit)) nsds_row_end_onset(first);
  for (nsds_row *t = first, *end = t + first->span; t < end; ++t)
    t->slipping.heading = t->slipping.direction;
  first->base = rest ? nsds_friction_distance(s, first) - slip_way_back(s, first) : 0.0;
  first->slipping.length = 0.0;
  if (first->span == 1) return;
  double least = ending(s, size);
  if (first->mode == NSDS_MODE_SLIDING && !rest && speed < least) nsds_row_end_slip(first);
  if (first->mode == NSDS_MODE_ENDING) {
    first->base = 0.0;
    first->slipping.length = 2.0 * fmax(least, speed);
    return;
  }
  if (!rest) first->base = fmin(armed ? least_slip * size : least, 0.5 * speed);
  if (!armed) first->slipping.length = armed_slip * size;
  if (first->mode == NSDS_MODE_BEGINNING) first->slipping.length = first->slipping.limit;
}

void nsds_friction_go_on(const nsds_event_rows *s, nsds_row *first) {
  static const double beside = 1e-4;
  double speed = slip_speed(s, first), along = 0.0;
  for (const nsds_row *t = first, *end = t + first->span; t < end; ++t)
    along += nsds_row_value(s, t) * t->slipping.direction;
  if (!(speed - along <= beside * speed)) nsds_row_end_onset(first);
}

void nsds_friction_hold(const nsds_event_rows *s, nsds_row *first) {
  const nsds_row *normal = first - first->normal;
  double distance = nsds_friction_distance(s, first);
  double least = vanishing * first->mu * normal->lambda;
  if (first->lambda_origin != 0.0) least = first->mu * fmax(beyond * normal->lambda, normal->floor);
  first->base = distance < least ? distance - least : 0.0;
}

/* Returns true for slip that ends and has kept its direction since the start of an integration. */
static bool keeps_direction(const nsds_row *first) {
  return first->mode == NSDS_MODE_ENDING && first->slipping.length > 0.0;
}

nsds_status nsds_friction_update(nsds_event_rows *s) {
  nsds_plan *plan = s->plan;
  int done = -1;
  s->onsets.any = false;
  for (nsds_row *row = s->row, *end = row + s->nrow; row < end; ++row) {
    if (row->span == 0 || !nsds_row_slides(row)) continue;
    if (done != row->contact) {
      done = row->contact;
      nsds_status status = plan->contact[done].ops->output(plan, &plan->contact[done]);
      if (status) return status;
    }
    if (row->mode == NSDS_MODE_BEGINNING) s->onsets.any = true;
    else if (!keeps_direction(row)) friction_modes_direct(s, row);
  }
  return NSDS_OK;
}

void nsds_friction_follow(nsds_event_rows *s) {
  for (nsds_row *row = s->row, *end = row + s->nrow; row < end; ++row)
    for (nsds_row *t = row + 1, *last = row + row->tangents; t <= last; ++t)
      if (nsds_row_slides(t))
        t->lambda = -nsds_row_friction(t) * row->lambda * t->slipping.direction;
}
