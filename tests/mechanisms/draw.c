/*
 * What a seed draws. A third of all mechanisms starts at rest. All lengths are about 1 m.
 */
#include "mechanisms.h"

#include <math.h>
#include <string.h>

static uint64_t next(uint64_t *generator) { /* splitmix64 */
  uint64_t z = *generator += 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return z ^ z >> 31;
}

double uniform(mechanism *m, double low, double high) {
  return low + (high - low) * (double)(next(&m->state) >> 11) * 0x1p-53;
}

int below(mechanism *m, int n) { return (int)(next(&m->state) % (uint64_t)n); }

bool chance(mechanism *m, double probability) { return uniform(m, 0.0, 1.0) < probability; }

connection *add_link(mechanism *m, link_kind kind, int a, int b) {
  static connection spare; /* none draws so many */
  connection *c = m->links < MOST_LINKS ? &m->link[m->links++] : &spare;
  *c = (connection){.kind = kind, .a = a, .b = b};
  return c;
}

/* One restitution for all contacts: with several, Newton's law may create energy. */
law draw_contact_law(mechanism *m) {
  static const double e[] = {0.0, 0.0, 0.2, 0.5};
  law l = {.kind = NEWTON, .e = chance(m, 0.8) ? e[below(m, 4)] : uniform(m, 0.0, 0.7)};
  if (chance(m, 0.7)) {
    l.kind = chance(m, 0.15) ? FREMOND : FRICTION;
    l.mu = uniform(m, 0.1, 0.7);
    l.e_t = chance(m, 0.5) ? l.e : 0.0;
    l.slip = chance(m, 0.15) ? uniform(m, -1.0, 1.0) : 0.0;
  } else if (l.e == 0.0 && chance(m, 0.5)) {
    l.kind = COMPLEMENTARITY;
  }
  return l;
}

static void draw_forces(mechanism *m) {
  double g = chance(m, 0.85) ? 9.81 : 0.0, tilt = chance(m, 0.3) ? uniform(m, -0.5, 0.5) : 0.0;
  int up = m->world == SPACE ? 2 : 1;
  m->gravity[0] = g * sin(tilt);
  m->gravity[up] = -g * cos(tilt);
  for (int k = 0; k < m->bodies; ++k) {
    body *b = &m->body[k];
    if (!chance(m, g > 0.0 ? 0.3 : 0.8)) continue;
    for (int i = 0; i < 2; ++i) b->load[i] = uniform(m, -8.0, 8.0) * b->mass;
    b->load_frequency = uniform(m, 0.5, 8.0);
    if (m->world == PLANE || !chance(m, 0.5)) continue;
    b->stiffness = b->mass * uniform(m, 5.0, 60.0);
    b->damping = chance(m, 0.5) ? b->mass * uniform(m, 0.0, 2.0) : 0.0;
  }
}

static void draw_bodies(mechanism *m) {
  for (int k = 0; k < m->bodies; ++k) {
    body *b = &m->body[k];
    double c[3];
    b->size = uniform(m, 0.1, 0.35);
    for (int i = 0; i < 3; ++i) c[i] = b->size * uniform(m, 0.5, 1.5);
    b->mass = uniform(m, 0.4, 3.0);
    for (int i = 0; i < 3; ++i)
      b->inertia[i] = b->mass / 3.0 * (c[0] * c[0] + c[1] * c[1] + c[2] * c[2] - c[i] * c[i]);
    if (m->world == SPACE) b->q[3] = 1.0;
    int n = m->world == SPACE ? 6 : m->world == PLANE ? 3 : 1;
    for (int i = 0; i < n && !m->at_rest; ++i) b->v[i] = uniform(m, -1.5, 1.5);
  }
}

static void draw_once(mechanism *m) {
  static const world worlds[] = {PLANE, PLANE, PLANE, SPACE, SPACE, SPACE, CHAIN, RAILS};
  *m = (mechanism){.seed = m->seed, .state = m->state};
  m->world = worlds[below(m, 8)];
  m->bodies = 1 + below(m, MOST_BODIES);
  m->at_rest = m->seed % 3 == 0;
  m->t1 = uniform(m, 0.5, 2.0);
  draw_bodies(m);
  draw_forces(m);
  if (m->world == CHAIN) draw_chain(m);
  else if (m->world == RAILS) draw_rails(m);
  else if (chance(m, 0.6)) draw_jointed(m);
  else draw_loose(m);
  for (int k = 0; k < m->bodies && m->at_rest; ++k) m->body[k].drive.mean = 0.0;
}

/* Whether no contact starts closed by more than rounding. */
static bool apart_at_start(const mechanism *m) {
  for (int k = 0; k < m->links; ++k)
    if (m->link[k].kind != JOINT && m->link[k].kind != TIE && gap_of(m, &m->link[k]) < -1e-12)
      return false;
  return true;
}

void draw(mechanism *m, uint64_t seed) {
  m->seed = seed;
  m->state = seed * 0x2545f4914f6cdd1du + 77u;
  do draw_once(m);
  while (!apart_at_start(m) || !start_velocities(m));
}

mechanism perturbed(const mechanism *m, double eps, uint64_t seed) {
  mechanism p = *m;
  p.state = seed * 0x9e3779b97f4a7c15u + m->seed;
  int n = p.world == SPACE ? 6 : p.world == PLANE ? 3 : 1;
  for (int i = 0; i < 3; ++i) p.gravity[i] += uniform(&p, -eps, eps) * 10.0 * (p.gravity[i] != 0.0);
  for (int k = 0; k < p.bodies; ++k) {
    body *b = &p.body[k];
    b->mass *= 1.0 + uniform(&p, -eps, eps);
    for (int i = 0; i < 3; ++i) b->inertia[i] *= 1.0 + 0.1 * uniform(&p, -eps, eps);
    for (int i = 0; i < n; ++i) b->v[i] += uniform(&p, -eps, eps);
    for (int i = 0; i < 2; ++i) b->load[i] *= 1.0 + uniform(&p, -eps, eps);
  }
  for (int k = 0; k < p.links; ++k) {
    connection *c = &p.link[k];
    c->law.mu *= 1.0 + uniform(&p, -eps, eps);
    c->law.force *= 1.0 + uniform(&p, -eps, eps);
  }
  start_velocities(&p);
  return p;
}
