/*
 * Lagrangian systems: pendulums hanging on each other, with stops and ends that touch a rough plane;
 * masses on rails, with stops, links of a given ratio, links said twice, and dry friction.
 */
#include "mechanisms.h"

#include <math.h>
#include <string.h>

static connection *tie(mechanism *m, law l, int i, double hi, int j, double hj, double shift) {
  connection *c = add_link(m, TIE, i, j);
  c->law = l;
  c->H[0][i] = hi;
  if (j >= 0) c->H[0][j] = hj;
  c->shift = shift;
  for (int k = 0; k < m->bodies; ++k)
    c->shift -= l.kind == EQUALITY ? c->H[0][k] * m->body[k].q[0] : 0.0;
  c->closed = l.kind == EQUALITY;
  return c;
}

static drive draw_drive(mechanism *m) {
  return (drive){1u, uniform(m, -1.0, 1.0), uniform(m, 0.2, 2.0), uniform(m, 1.0, 10.0)};
}

static void end_of_chain(mechanism *m, int k, double x[2]) {
  x[0] = x[1] = 0.0;
  for (int i = 0; i <= k; ++i) {
    x[0] += m->body[i].size * sin(m->body[i].q[0]);
    x[1] -= m->body[i].size * cos(m->body[i].q[0]);
  }
}

static void tips(mechanism *m) {
  double a = chance(m, 0.5) ? 0.0 : uniform(m, -1.2, 1.2), least = HUGE_VAL;
  double gap = chance(m, 0.3) ? 0.0 : uniform(m, 0.01, 0.3);
  int count = 1 + below(m, 2), first = m->links;
  for (int i = 0; i < count && i < m->bodies; ++i) {
    connection *c = add_link(m, TIP, m->bodies - 1 - i, -1);
    double x[2];
    c->law = m->set_law;
    c->normal[0] = sin(a), c->normal[1] = cos(a);
    end_of_chain(m, c->a, x);
    least = fmin(least, c->normal[0] * x[0] + c->normal[1] * x[1]);
  }
  for (int i = first; i < m->links; ++i) {
    m->link[i].plane = least - gap;
    m->link[i].closed = gap_of(m, &m->link[i]) < 1e-12;
  }
}

void draw_chain(mechanism *m) {
  m->shape = "pendulums";
  m->set_law = draw_contact_law(m);
  for (int k = 0; k < m->bodies; ++k) {
    m->body[k].size += 0.2;
    m->body[k].q[0] = uniform(m, -1.5, 1.5);
    m->body[k].stiffness = 0.0;
  }
  if (chance(m, 0.2)) m->body[0].drive = draw_drive(m);
  for (int k = 0; k < m->bodies; ++k) {
    law rubs = {.kind = RELAY, .force = uniform(m, 0.05, 1.0)};
    law stops = {.kind = NEWTON, .e = m->set_law.e};
    double between = m->body[k].q[0] - (k > 0 ? m->body[k - 1].q[0] : 0.0);
    if (m->body[k].drive.dofs) continue;
    if (chance(m, 0.35)) tie(m, rubs, k, 1.0, k - 1, -1.0, 0.0);
    if (chance(m, 0.25)) tie(m, stops, k, 1.0, k - 1, -1.0, uniform(m, 0.05, 0.5) - between);
    if (k < 2 || !chance(m, 0.2)) continue;
    tie(m, (law){.kind = EQUALITY}, k, 1.0, k - 1, -1.0, 0.0);
    if (chance(m, 0.5)) tie(m, (law){.kind = EQUALITY}, k, -2.0, k - 1, 2.0, 0.0);
  }
  if (chance(m, 0.7)) tips(m);
}

/* A mass that presses on the one beside it, which slips: rows of the gap and of the slip. */
static void rubbing(mechanism *m, int press, int slip, double gap) {
  law l = {.kind = chance(m, 0.2) ? FREMOND : FRICTION,
           .mu = uniform(m, 0.1, 0.8),
           .e = m->set_law.e,
           .e_t = m->set_law.e};
  connection *c = tie(m, l, press, 1.0, -1, 0.0, gap - m->body[press].q[0]);
  c->H[1][slip] = 1.0;
  c->b = slip;
  c->closed = gap == 0.0;
}

void draw_rails(mechanism *m) {
  m->shape = "masses on rails";
  m->set_law = (law){.kind = chance(m, 0.3) ? COMPLEMENTARITY : NEWTON};
  if (m->set_law.kind == NEWTON) m->set_law.e = chance(m, 0.4) ? 0.0 : uniform(m, 0.0, 0.7);
  for (int k = 0; k < m->bodies; ++k) {
    m->body[k].q[0] = 0.5 * k + uniform(m, 0.0, 0.2);
    m->body[k].weight = chance(m, 0.7) ? m->body[k].mass * uniform(m, -10.0, 10.0) : 0.0;
  }
  if (m->bodies > 1 && chance(m, 0.3)) m->body[below(m, m->bodies)].drive = draw_drive(m);
  for (int k = 0; k < m->bodies; ++k) {
    law rubs = {.kind = RELAY, .force = m->body[k].mass * uniform(m, 0.5, 6.0)};
    double gap = chance(m, 0.3) ? 0.0 : uniform(m, 0.01, 0.3);
    bool driven = m->body[k].drive.dofs || (k > 0 && m->body[k - 1].drive.dofs);
    if (k == 0 && chance(m, 0.6) && !driven)
      tie(m, m->set_law, 0, 1.0, -1, 0.0, gap - m->body[0].q[0])->closed = gap == 0.0;
    if (chance(m, 0.35) && !m->body[k].drive.dofs) tie(m, rubs, k, 1.0, -1, 0.0, 0.0);
    if (k == 0) continue;
    double between = m->body[k].q[0] - m->body[k - 1].q[0];
    if (chance(m, 0.6)) tie(m, m->set_law, k, 1.0, k - 1, -1.0, gap - between)->closed = gap == 0.0;
    if (chance(m, 0.3)) tie(m, rubs, k, 1.0, k - 1, -1.0, 0.0);
    if (chance(m, 0.2) && !driven) {
      double ratio = chance(m, 0.5) ? 1.0 : uniform(m, -2.0, 2.0);
      tie(m, (law){.kind = EQUALITY}, k, 1.0, k - 1, ratio, 0.0);
      if (chance(m, 0.6)) tie(m, (law){.kind = EQUALITY}, k, 0.5, k - 1, 0.5 * ratio, 0.0);
    }
    if (chance(m, 0.25)) rubbing(m, k, k - 1, gap);
  }
}
