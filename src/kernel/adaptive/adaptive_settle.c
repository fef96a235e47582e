/*
 * Settling is two very short implicit Euler steps by the laws. The first takes jumps and finds the modes. The second has
 * values without the impulse.
 */
#include "kernel/adaptive/adaptive_settle.h"

#include "base/base.h"
#include "base/context.h"
#include "kernel/adaptive/adaptive_impact.h"
#include "kernel/adaptive/adaptive_modes.h"
#include "kernel/adaptive/adaptive_stage.h"
#include "kernel/adaptive/adaptive_state.h"
#include "kernel/adaptive/adaptive_switches.h"
#include "kernel/adaptive/implicit_evaluate.h"
#include "kernel/modeling/label.h"

/* A short step by the laws; switches are moved until they stand still. */
static nsds_status settle_once(nsds_adaptive_driver *d, double a) {
  for (int turn = 0; turn <= d->switches.count + 2; ++turn) {
    nsds_status status =
        nsds_adaptive_solve(d, a, d->now.t + a, d->now.z, d->now.z, false, &d->trial);
    if (status) return status;
    nsds_adaptive_take_modes(d, d->trial.z);
    if (!nsds_switches_move(d, &d->trial)) break;
  }
  return NSDS_OK;
}

/* Writes the name of the interaction, or switch, of a mode. */
static const char *ended_label(const nsds_adaptive_driver *d, char *buffer) {
  const nsds_plan *plan = &d->base.plan;
  int row = d->course.ended, ny = d->stage.rows.ny;
  if (row >= ny && d->switches.of[row - ny])
    return nsds_interaction_label(d->switches.of[row - ny], buffer);
  for (int c = 0; c < plan->ncontact; ++c) {
    const nsds_contact *contact = &plan->contact[c];
    if (row >= contact->y0 && row < contact->y0 + contact->m)
      return nsds_interaction_label(contact->interaction, buffer);
  }
  return "an interaction";
}

nsds_status nsds_adaptive_progress(nsds_adaptive_driver *d) {
  const int looked_at = 20000;
  const double least = 20.0; /* settling lengths for each time */
  if (++d->course.looked % looked_at) return NSDS_OK;
  double progress = d->now.t - d->course.watched;
  d->course.watched = d->now.t;
  if (progress > least * looked_at * d->def.settling) return NSDS_OK;
  char label[nsds_label_size];
  return nsds_fail(
      d->base.context, NSDS_ERROR_VALUE,
      "adaptive step at t = %.17g: modes have ended %d times within %g s, the last one "
      "that of %s; give switches a hysteresis, or def.by_laws",
      d->now.t, looked_at, progress, ended_label(d, label));
}

nsds_status nsds_adaptive_settle(nsds_adaptive_driver *d, double limit, double length) {
  enum { most_tries = 4 };
  const double shortest = 0.05; /* part of the length: impacts that crowd come to an end */
  double a = fmin(length, 0.25 * (limit - d->now.t)), begun = d->now.t;
  nsds_status progress = nsds_adaptive_progress(d);
  ++d->course.info.settled;
  if (progress) return progress;
  if (nsds_adaptive_moves(d)) {
    nsds_status status = nsds_impact_strike(d);
    if (status) return nsds_adaptive_failed(d, status);
    double ahead = nsds_impact_ahead(d);
    a = fmin(a, fmax(0.5 * ahead, shortest * a));
  }
  d->piece.from = d->now.t + 0.5 * a;
  nsds_switches_move(d, &d->now);
  for (int turn = 0; turn < 2; ++turn) {
    nsds_status status = settle_once(d, a);
    for (int tries = 0; status && nsds_adaptive_may_shorten(status) && tries < most_tries;
         ++tries) {
      bool shorter = status == NSDS_ERROR_CALLBACK; /* a function has no value so far ahead */
      a = shorter ? 0.125 * a : fmin(8.0 * a, 0.25 * (limit - d->now.t));
      nsds_adaptive_forgive(d, status);
      status = settle_once(d, a);
    }
    if (status) return nsds_adaptive_failed(d, status);
    double before = d->now.t - begun, whole = d->trial.t - begun;
    nsds_adaptive_accept(d, turn == 0 ? 0.0 : before / whole);
    if (turn == 0) nsds_adaptive_copy(d, &d->middle, &d->now);
  }
  if (nsds_adaptive_moves(d)) nsds_adaptive_part_gaps(d);
  return NSDS_OK;
}

/* The largest change of a row of M x in the second of the steps that settled, relative to its given size. */
static double still_moved(nsds_adaptive_driver *d) {
  double most = 0.0, *change = d->before;
  const nsds_implicit_rows *r = &d->stage.rows;
  for (int k = 0; k < r->nx; ++k) change[k] = d->now.z[k] - d->middle.z[k];
  nsds_implicit_mass(r, change, d->error);
  for (int k = 0; k < r->nx; ++k) {
    if (fabs(d->error[k]) > most * d->size[k] && d->size[k] > 0.0)
      most = fabs(d->error[k]) / d->size[k];
  }
  return most;
}

nsds_status nsds_adaptive_settle_start(nsds_adaptive_driver *d, double limit) {
  enum { most_settled = 16, growing = 4 };
  const double begins = 1e-2, ends = 1e-6, shrinks = 0.7;
  double length = d->def.settling;
  nsds_status status = nsds_adaptive_settle(d, limit, length);
  double moved = status ? 0.0 : still_moved(d), before = INFINITY;
  if (moved <= begins) return status;
  for (int k = 0; !status && k < most_settled && moved > ends; ++k) {
    if (k > growing && moved > shrinks * before) break; /* it is no jump */
    if (k < growing) length *= 3.0;
    before = moved;
    status = nsds_adaptive_settle(d, limit, length);
    moved = still_moved(d);
  }
  return status;
}
