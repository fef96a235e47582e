/*
 * Coulomb friction between events. Of a closed contact the tangents stick, s_T = 0 with |lambda_T|
 * <= mu lambda_N, or slide, lambda_T = -mu lambda_N d along the direction d = s_T / |s_T| of slip;
 * where slip begins, at s_T = 0, d is that of ds_T/dt, opposite to lambda_T. Sticking ends where mu
 * lambda_N - |lambda_T| passes zero, sliding where s_T does: seen along the direction that it had
 * when the integration began. In space slip that begins has a mode of its own: slip_onset.c.
 */
#include "kernel/events/friction_modes.h"

#include "kernel/events/event_rows.h"
#include "kernel/events/row_state.h"
#include "kernel/events/row_values.h"

#include <float.h>

static const double vanishing = 1e-9; /* of the bound: lambda_T counts as at it */
/* Of a force that is inside as far as there is a solution: where it has passed its bound by this much, there
 * is none, and the problem has slip. Forces in directions that rows share are known to 1e-8 (row_values.c),
 * and slip must not begin by that alone; it may begin later than the law says by the time in which the
 * force grows by 1e-7. */
static const double beyond = 1e-7;
/* Of the largest speeds: in space, where the direction of slip turns ever faster as it comes to
 * rest, slip counts as none; and must have been this much before. */
static const double least_slip = 1e-10, armed_slip = 1e-6;

static double slip_speed(const nsds_event_rows *s, const nsds_row *normal) {
  double sum = 0.0;
  for (const nsds_row *t = normal + 1, *end = t + normal->tangents; t < end; ++t)
    sum += nsds_row_value(s, t) * nsds_row_value(s, t);
  return sqrt(sum);
}

/* sum |H_T v| and what is given. */
static double friction_modes_size_of(const nsds_event_rows *s, const nsds_row *normal) {
  double sum = 0.0;
  for (const nsds_row *t = normal + 1, *end = t + normal->tangents; t < end; ++t)
    sum += nsds_row_speed_terms(s, t) + fabs(t->given);
  return sum;
}

/* Beyond zero, where the integration looks before it finds the event, the direction goes on as it
 * was: the motion stays smooth. */
static void friction_modes_direct(nsds_event_rows *s, nsds_row *normal) {
  double speed = slip_speed(s, normal), along = 0.0;
  if (!(speed > nsds_rounding * friction_modes_size_of(s, normal))) return; /* as it was */
  normal[1].flights.speed = fmax(normal[1].flights.speed, speed);
  const nsds_row *end = normal + 1 + normal->tangents;
  for (nsds_row *t = normal + 1; t < end; ++t) along += nsds_row_value(s, t) * t->slipping.heading;
  for (nsds_row *t = normal + 1; t < end; ++t)
    t->slipping.direction = nsds_row_value(s, t) / (along < 0.0 ? -speed : speed);
}

void nsds_friction_touch(nsds_event_rows *s, nsds_row *normal, double held) {
  nsds_row *first = normal + 1;
  double size = friction_modes_size_of(s, normal), scale = fmax(size, first->scale),
         speed = slip_speed(s, normal);
  bool stays = first->mode == NSDS_MODE_CLOSED && (isinf(held) || speed <= held * size);
  /* along the old direction; contacts of a body that comes to rest stop at one instant */
  bool begins = first->mode == NSDS_MODE_BEGINNING;
  bool found = nsds_row_slides(first) && (nsds_row_at_zero(first) || (s->here.stops && !begins));
  double along = !found   ? 0.0
                 : begins ? nsds_slipping * first->flights.longest
                          : nsds_drifted * first->flights.speed;
  double least = fmax(nsds_rounding * scale, along);
  bool zero = stays || speed <= least;
  first->scale = scale;
  for (nsds_row *t = first, *end = t + normal->tangents; t < end; ++t) nsds_row_locate(t, zero);
}

/* The tangents slide from rest against lambda_T; without any, along ds_T/dt. */
static void friction_modes_slide(nsds_row *normal, double size, const double *w) {
  double rate = 0.0;
  for (int k = 0; k < normal->tangents; ++k) rate += w[k] * w[k];
  rate = sqrt(rate);
  for (int k = 0; k < normal->tangents; ++k) {
    nsds_row *t = normal + 1 + k;
    t->slipping.direction = size > 0.0 ? -t->lambda / size : rate > 0.0 ? w[k] / rate : k == 0;
    t->slipping.heading = t->slipping.direction; /* whatever is left of the slip before */
    bool begins = k == 0 && normal->tangents == 2 && normal->mu * normal->lambda > 0.0;
    if (begins) nsds_row_begin_slip(t);
    else nsds_row_slide(t);
    t->flights.speed = 0.0;
    t->flights.longest = DBL_MAX; /* whatever its slip is, it has no direction yet */
  }
}

void nsds_friction_judge(nsds_row *normal, const double *w, double zero, bool again, bool shared) {
  double size = 0.0, bound = normal->mu * normal->lambda;
  nsds_row *end = normal + 1 + normal->tangents;
  bool still = true;
  for (int k = 0; k < normal->tangents; ++k) still = still && fabs(w[k]) <= zero;
  for (nsds_row *t = normal + 1; t < end; ++t) size += t->lambda * t->lambda;
  size = sqrt(size);
  if (!nsds_row_closed(normal) || normal->way == NSDS_WAY_SPARE) {
    for (nsds_row *t = normal + 1; t < end; ++t) nsds_row_rest(t), t->lambda = 0.0;
    return;
  }
  bool inside = bound - size > vanishing * bound;
  bool came = normal[1].mark.bound ==
              NSDS_BOUND_LOWER; /* where both vanish it slides if it came to its bound, once */
  bool sticks = still ? !came || inside || again || shared : inside && !came;
  if (!sticks) friction_modes_slide(normal, size, w);
  for (nsds_row *t = normal + 1; t < end && sticks; ++t) nsds_row_close(t);
}

double nsds_friction_distance(const nsds_event_rows *s, const nsds_row *normal) {
  double sum = 0.0;
  bool sticks = normal[1].mode == NSDS_MODE_CLOSED, begins = normal[1].mode == NSDS_MODE_BEGINNING;
  for (const nsds_row *t = normal + 1, *end = t + normal->tangents; t < end; ++t)
    sum += sticks ? t->lambda * t->lambda
                  : nsds_row_value(s, t) * (begins ? t->slipping.direction : t->slipping.heading);
  return sticks ? normal->mu * normal->lambda - sqrt(sum) : sum;
}

void nsds_friction_begin(const nsds_event_rows *s, nsds_row *normal) {
  nsds_row *first = normal + 1;
  double size = friction_modes_size_of(s, normal), speed = slip_speed(s, normal);
  bool armed = speed > armed_slip * size, rest = nsds_row_at_zero(first);
  if (!(speed < first->slipping.limit)) nsds_row_end_onset(first);
  for (nsds_row *t = first, *end = t + normal->tangents; t < end; ++t)
    t->slipping.heading = t->slipping.direction;
  first->base = rest ? nsds_friction_distance(s, normal) : 0.0;
  first->flights.longest = 0.0;
  if (normal->tangents == 1) return;
  if (!rest) first->base = fmin(least_slip * size, 0.5 * speed);
  if (!armed) first->flights.longest = armed_slip * size;
  if (first->mode == NSDS_MODE_BEGINNING) first->flights.longest = first->slipping.limit;
}

void nsds_friction_go_on(const nsds_event_rows *s, nsds_row *normal) {
  static const double beside = 1e-4;
  nsds_row *first = normal + 1;
  double speed = slip_speed(s, normal), along = 0.0;
  for (const nsds_row *t = first, *end = t + normal->tangents; t < end; ++t)
    along += nsds_row_value(s, t) * t->slipping.direction;
  if (!(speed - along <= beside * speed)) nsds_row_end_onset(first);
}

void nsds_friction_hold(const nsds_event_rows *s, nsds_row *normal) {
  double distance = nsds_friction_distance(s, normal);
  double least = vanishing * normal->mu * normal->lambda;
  if (normal[1].rest != 0.0) least = normal->mu * fmax(beyond * normal->lambda, normal->floor);
  normal[1].base = distance < least ? distance - least : 0.0;
}

nsds_status nsds_friction_update(nsds_event_rows *s) {
  nsds_plan *plan = s->plan;
  int done = -1;
  s->onsets.any = false;
  for (nsds_row *row = s->row, *end = row + s->nrow; row < end; ++row) {
    if (row->tangents == 0 || !nsds_row_slides(row + 1)) continue;
    if (done != row->contact) {
      done = row->contact;
      nsds_status status = plan->contact[done].ops->output(plan, &plan->contact[done]);
      if (status) return status;
    }
    if (row[1].mode == NSDS_MODE_BEGINNING) s->onsets.any = true;
    else friction_modes_direct(s, row);
  }
  return NSDS_OK;
}

void nsds_friction_follow(nsds_event_rows *s) {
  for (nsds_row *row = s->row, *end = row + s->nrow; row < end; ++row)
    for (int k = 1; k <= row->tangents; ++k)
      if (nsds_row_slides(row + k))
        row[k].lambda = -row->mu * row->lambda * row[k].slipping.direction;
}
