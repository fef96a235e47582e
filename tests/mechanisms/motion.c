/*
 * The motion of a mechanism by both drivers, at the same 65 times. Event-driven motion is looked at
 * while it goes: gaps and joints hold, no impact adds energy, everything is finite.
 */
#include "mechanisms.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool failed(motion *out, const char *what, const built *b, double t) {
  out->good = false;
  snprintf(out->message, sizeof out->message, "%s at t = %.9g: %s", what, t,
           nsds_error_message(nsds_model_context(b->model)));
  return false;
}

static bool wrong(motion *out, const char *what, double value, double t) {
  out->good = false;
  snprintf(out->message, sizeof out->message, "%s: %.3g at t = %.9g", what, value, t);
  return false;
}

/* ---- looking at an event-driven state ---- */

static bool unilateral(const connection *c) {
  return c->law.kind != EQUALITY && c->law.kind != RELAY;
}

static int ds_index(const built *b, const nsds_ds *ds) {
  for (int k = 0; k < b->systems; ++k)
    if (b->ds[k] == ds) return k;
  return -1;
}

/* The link that stands for contact i of the set; -1: none. */
static int found_link(const mechanism *m, const built *b, int i, nsds_contact_info *info) {
  if (nsds_contact_set_get(b->set, i, info) != NSDS_OK) return -1;
  int x = ds_index(b, info->ds[0]), y = info->ds[1] ? ds_index(b, info->ds[1]) : -1;
  for (int k = 0; k < m->links; ++k) {
    const connection *c = &m->link[k];
    if (c->found && ((c->a == x && c->b == y) || (c->a == y && c->b == x))) return k;
  }
  return -1;
}

static void see_gap(motion *out, double gap) { out->gap = fmin(out->gap, gap); }

static bool sound(const mechanism *m, const built *b, motion *out, double t) {
  double q[MOST_Q], v[MOST_V];
  where(b, q, v);
  for (int i = 0; i < b->nq; ++i)
    if (!isfinite(q[i])) return wrong(out, "not finite: q", q[i], t);
  for (int k = 0; k < b->systems; ++k)
    for (int i = 0; i < b->ndof[k]; ++i)
      if (!isfinite(nsds_v(b->ds[k])[i])) return wrong(out, "not finite: v", 0.0, t);
  for (int k = 0; k < m->links; ++k) {
    const connection *c = &m->link[k];
    if (!b->link[k]) continue;
    const double *y = nsds_y(b->link[k]);
    if (unilateral(c)) see_gap(out, y[0]);
    for (int i = 0; c->law.kind == EQUALITY && i < nsds_interaction_size(b->link[k]); ++i)
      out->joint = fmax(out->joint, fabs(y[i]));
  }
  for (int i = 0; b->set && i < nsds_contact_set_count(b->set); ++i) {
    nsds_contact_info info;
    if (nsds_contact_set_get(b->set, i, &info) == NSDS_OK) see_gap(out, info.y[0]);
  }
  return true;
}

/* Whether the law says that no impact adds energy. */
static bool energy_falls(const mechanism *m) {
  for (int k = 0; k < m->bodies; ++k)
    if (m->body[k].drive.dofs) return false;
  for (int k = 0; k < m->links; ++k) {
    const law *l = &m->link[k].law;
    if (l->slip != 0.0) return false;
    if (l->kind == FRICTION && l->e_t != l->e) return false;
    if (l->kind == FREMOND && m->links > 1) return false; /* beside Newton's law */
  }
  return true;
}

static void note(const mechanism *m, const built *b, motion *out, double t, bool impact) {
  if (out->instants == MOST_INSTANTS) return;
  instant *at = &out->instant[out->instants++];
  *at = (instant){.t = t, .impact = impact};
  where(b, at->q, at->v);
  int row = 0, first[MOST_LINKS];
  for (int k = 0; k < m->links; ++k) {
    first[k] = row;
    row += rows_of(m, &m->link[k]);
    if (!b->link[k]) continue;
    const double *f = impact ? nsds_impulse(b->link[k]) : nsds_lambda(b->link[k]);
    memcpy(at->force + first[k], f, (size_t)rows_of(m, &m->link[k]) * sizeof *f);
  }
  for (int i = 0; b->set && i < nsds_contact_set_count(b->set); ++i) {
    nsds_contact_info info;
    int k = found_link(m, b, i, &info);
    if (k < 0) continue;
    const double *f = impact ? info.impulse : info.force;
    memcpy(at->force + first[k], f, (size_t)rows_of(m, &m->link[k]) * sizeof *f);
  }
}

/* ---- event-driven ---- */

bool find_end(mechanism *m, motion *out) {
  built b = build(m, true);
  memset(out, 0, sizeof *out);
  nsds_simulation *s = nsds_event_driven(b.model, &(nsds_event_driven_def){.t1 = m->t1});
  nsds_status status = s ? NSDS_OK : NSDS_ERROR_VALUE;
  double last = 0.0, t = 0.0;
  while (status == NSDS_OK && (status = nsds_step(s)) == NSDS_OK) {
    if (!(nsds_simulation_event(s)->kind & NSDS_EVENT_NONSMOOTH)) continue;
    t = nsds_time(s);
    /* far enough from both events that neither comes to lie behind the end */
    if (++out->events > MOST_EVENTS && t - last > 0.01 * m->t1) {
      m->t1 = 0.5 * (t + last);
      break;
    }
    last = t;
  }
  out->good = true;
  if (status < 0) failed(out, "event-driven", &b, s ? nsds_time(s) : 0.0);
  nsds_model_destroy(b.model);
  return out->good;
}

static void count(const nsds_event_info *event, bool falls, motion *out) {
  out->events += (event->kind & NSDS_EVENT_NONSMOOTH) != 0;
  if (event->kind & NSDS_EVENT_IMPACT && falls)
    out->energy = fmax(out->energy,
                       event->kinetic_after - event->kinetic_before - 1e-9 * event->kinetic_before);
}

static void judge(motion *out, double t) {
  if (out->good && out->gap < -1e-7) wrong(out, "event-driven: a gap below zero", out->gap, t);
  if (out->good && out->joint > 1e-7) wrong(out, "event-driven: a joint open", out->joint, t);
  if (out->good && out->energy > 1e-9)
    wrong(out, "event-driven: an impact adds energy", out->energy, t);
}

void event_driven(const mechanism *m, motion *out) {
  built b = build(m, true);
  memset(out, 0, sizeof *out);
  out->good = true;
  out->nq = b.nq;
  where(&b, out->q[0], (double[MOST_V]){0.0});
  bool falls = energy_falls(m);
  nsds_simulation *s = nsds_event_driven(
      b.model, &(nsds_event_driven_def){.t1 = m->t1, .output_period = m->t1 / SAMPLES});
  nsds_status status = s ? NSDS_OK : NSDS_ERROR_VALUE;
  while (out->good && status == NSDS_OK && (status = nsds_step(s)) == NSDS_OK) {
    const nsds_event_info *event = nsds_simulation_event(s);
    double t = nsds_time(s);
    if (!sound(m, &b, out, t)) break;
    if (event->kind & (NSDS_EVENT_GRID | NSDS_EVENT_END)) {
      long k = lround(t / m->t1 * SAMPLES);
      where(&b, out->q[k], (double[MOST_V]){0.0});
    }
    bool impact = event->kind & NSDS_EVENT_IMPACT;
    count(event, falls, out);
    if (event->kind & (NSDS_EVENT_GRID | NSDS_EVENT_NONSMOOTH)) note(m, &b, out, t, impact);
  }
  if (status < 0) failed(out, "event-driven", &b, s ? nsds_time(s) : 0.0);
  if (out->good && out->events > 400)
    wrong(out, "event-driven: events crowd", (double)out->events, m->t1);
  judge(out, m->t1);
  nsds_model_destroy(b.model);
}

void endure(const mechanism *m, long events, motion *out) {
  enum { still = 1000 }; /* times of output without an event: nothing moves any more */
  built b = build(m, true);
  memset(out, 0, sizeof *out);
  out->good = true;
  bool falls = energy_falls(m);
  nsds_simulation *s = nsds_event_driven(
      b.model, &(nsds_event_driven_def){.t1 = 1e9, .output_period = m->t1 / SAMPLES});
  nsds_status status = s ? NSDS_OK : NSDS_ERROR_VALUE;
  for (int quiet = 0; out->good && out->events < events && quiet < still; ++quiet) {
    if (status || (status = nsds_step(s)) != NSDS_OK) break;
    ++out->steps;
    out->end = nsds_time(s);
    long before = out->events;
    count(nsds_simulation_event(s), falls, out);
    if (out->events > before) quiet = 0;
    if (!sound(m, &b, out, out->end)) break;
  }
  if (status < 0) failed(out, "event-driven", &b, s ? nsds_time(s) : 0.0);
  judge(out, out->end);
  nsds_model_destroy(b.model);
}

/* ---- time stepping ---- */

/* A step can have no solution where the motion has one: Newton's law compares dy/dt after the step with dy/dt
 * before it, whose H is older. In one degree of freedom both rows of a contact that locks then ask for
 * different velocities. */
enum { halvings = 3 };

void time_stepping(const mechanism *m, int steps, motion *out) {
  built b = build(m, true);
  memset(out, 0, sizeof *out);
  out->good = true;
  out->nq = b.nq;
  where(&b, out->q[0], (double[MOST_V]){0.0});
  nsds_simulation *s =
      nsds_time_stepping(b.model, &(nsds_time_stepping_def){.t1 = m->t1,
                                                            .h = m->t1 / steps,
                                                            .max_halvings = halvings,
                                                            .second_order = nsds_with_gamma_mass(
                                                                nsds_moreau_jean(0.5, 1.0), 0.5)});
  nsds_status status = s ? NSDS_OK : NSDS_ERROR_VALUE;
  while (status == NSDS_OK && (status = nsds_step(s)) == NSDS_OK) {
    if (++out->steps % (steps / SAMPLES) != 0) continue;
    long k = out->steps / (steps / SAMPLES);
    if (k <= SAMPLES) where(&b, out->q[k], (double[MOST_V]){0.0});
    for (int i = 0; i < b.nq; ++i)
      if (!isfinite(out->q[k][i]))
        wrong(out, "time stepping, not finite: q", out->q[k][i], nsds_time(s));
  }
  if (status < 0) failed(out, "time stepping", &b, s ? nsds_time(s) : 0.0);
  nsds_model_destroy(b.model);
}

/* ---- in pieces ---- */

bool states_of(const mechanism *m, int parts, state *out) {
  built b = build(m, true);
  where(&b, out[0].q, out[0].v);
  nsds_simulation *s = nsds_event_driven(
      b.model, &(nsds_event_driven_def){.t1 = m->t1, .output_period = m->t1 / parts});
  nsds_status status = s ? NSDS_OK : NSDS_ERROR_VALUE;
  while (status == NSDS_OK && (status = nsds_step(s)) == NSDS_OK)
    if (nsds_simulation_event(s)->kind & (NSDS_EVENT_GRID | NSDS_EVENT_END)) {
      long k = lround(nsds_time(s) / m->t1 * parts);
      where(&b, out[k].q, out[k].v);
    }
  nsds_model_destroy(b.model);
  return status == NSDS_END;
}

bool stretch(const mechanism *m, const state *from, double t0, double t1, int steps, double *q) {
  built b = build(m, true);
  for (int k = 0, iq = 0, iv = 0; k < b.systems; ++k) {
    nsds_set_state(b.ds[k], from->q + iq, from->v + iv);
    iq += nsds_nq(b.ds[k]);
    iv += b.ndof[k];
  }
  nsds_simulation *s =
      nsds_time_stepping(b.model, &(nsds_time_stepping_def){.t0 = t0,
                                                            .t1 = t1,
                                                            .h = (t1 - t0) / steps,
                                                            .second_order = nsds_with_gamma_mass(
                                                                nsds_moreau_jean(0.5, 1.0), 0.5)});
  bool good = s && nsds_run(s) == NSDS_END;
  where(&b, q, (double[MOST_V]){0.0});
  nsds_model_destroy(b.model);
  return good;
}

double apart(const motion *a, const motion *b, double threshold, int *when) {
  double largest = 0.0;
  int first = SAMPLES + 1;
  for (int k = 0; k <= SAMPLES; ++k)
    for (int i = 0; i < a->nq; ++i) {
      double d = fabs(a->q[k][i] - b->q[k][i]);
      if (!(d <= threshold) && k < first) first = k;
      if (!(d <= largest)) largest = d;
    }
  if (when) *when = first;
  return largest;
}
