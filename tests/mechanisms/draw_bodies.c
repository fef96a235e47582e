/*
 * Rigid bodies: chains and loops of joints, with joints that say the same twice, dry friction, stops
 * and drives; blocks, stacks, platforms and balls, with contacts that are interactions, or a set's.
 */
#include "../kernel/any_joint.h"
#include "mechanisms.h"

#include <math.h>
#include <string.h>

static int dimension(const mechanism *m) { return m->world == SPACE ? 3 : 2; }

/* A vector of the plane of gravity: (x, y) in the plane, (x, z) in space. */
static void upright(const mechanism *m, double x, double up, double out[3]) {
  out[0] = x;
  out[1] = m->world == SPACE ? 0.0 : up;
  out[2] = m->world == SPACE ? up : 0.0;
}

static void direction(mechanism *m, double out[3]) {
  double norm;
  do {
    norm = out[2] = 0.0;
    for (int i = 0; i < dimension(m); ++i) out[i] = uniform(m, -1.0, 1.0);
    for (int i = 0; i < 3; ++i) norm += out[i] * out[i];
  } while (norm < 0.1 || norm > 1.0);
  for (int i = 0; i < 3; ++i) out[i] /= sqrt(norm);
}

static void place(mechanism *m, int k, const double x[3]) {
  for (int i = 0; i < dimension(m); ++i) m->body[k].q[i] = x[i];
}

static void turn(mechanism *m, int k, double most) {
  body *b = &m->body[k];
  if (m->world == PLANE) {
    b->q[2] = uniform(m, -most, most);
    return;
  }
  double a[3], t = uniform(m, -most, most);
  direction(m, a);
  b->q[3] = cos(0.5 * t);
  for (int i = 0; i < 3; ++i) b->q[4 + i] = a[i] * sin(0.5 * t);
}

/* ---- joints ---- */

static connection *joint(mechanism *m, nsds_joint_kind kind, int a, int b, const double point[3],
                         const double axis[3]) {
  connection *c = add_link(m, JOINT, a, b);
  c->joint = kind;
  for (int i = 0; i < 3; ++i) c->point[i] = point[i], c->axis[i] = axis[i];
  c->closed = true;
  return c;
}

static connection *pivot(mechanism *m, int a, int b, const double point[3]) {
  const double across[3] = {0.0, 1.0, 0.0};
  return joint(m, m->world == PLANE ? NSDS_JOINT_BALL : NSDS_JOINT_HINGE, a, b, point, across);
}

static bool turns(const mechanism *m, const connection *c) {
  return c->joint == NSDS_JOINT_HINGE || c->joint == NSDS_JOINT_CYLINDRICAL ||
         (m->world == PLANE && c->joint == NSDS_JOINT_BALL);
}

static bool slides(const connection *c) {
  return c->joint == NSDS_JOINT_PRISMATIC || c->joint == NSDS_JOINT_CYLINDRICAL;
}

/* Says once more what the joint says, with another joint along its axis. */
static void double_joint(mechanism *m, connection c) {
  double point[3], s = m->world == SPACE ? uniform(m, -0.4, 0.4) : 0.0;
  nsds_joint_kind kind = c.joint;
  for (int i = 0; i < 3; ++i) point[i] = c.point[i] + s * c.axis[i];
  if (kind == NSDS_JOINT_HINGE && chance(m, 0.5)) kind = NSDS_JOINT_BALL;
  if (kind == NSDS_JOINT_FIXED && chance(m, 0.5)) kind = NSDS_JOINT_BALL;
  connection *twin =
      joint(m, kind, c.a, c.b, kind == NSDS_JOINT_DISTANCE ? c.point : point, c.axis);
  memcpy(twin->center, c.center, sizeof c.center);
}

static void dry_friction(mechanism *m, connection c) {
  bool angle = turns(m, &c) && (!slides(&c) || chance(m, 0.5));
  connection *f = joint(m, angle ? ANY_ANGLE : ANY_SLIDE, c.a, c.b, c.point, c.axis);
  f->law = (law){.kind = RELAY, .force = uniform(m, 0.1, 3.0)};
  f->closed = false;
}

static void stop(mechanism *m, connection c, double e) {
  bool angle = turns(m, &c) && (!slides(&c) || chance(m, 0.5));
  connection *f = joint(m, angle ? ANY_ANGLE : ANY_SLIDE, c.a, c.b, c.point, c.axis);
  f->reversed = chance(m, 0.5);
  f->offset = uniform(m, 0.05, 0.6);
  f->law = (law){.kind = NEWTON, .e = e};
  f->closed = false;
  if (!angle) return;
  connection *other = add_link(m, JOINT, c.a, c.b); /* on both sides: angles end at a half turn */
  *other = *f;
  other->reversed = !f->reversed;
}

static void dress_joint(mechanism *m, connection c) {
  if (c.joint != NSDS_JOINT_CYLINDRICAL && chance(m, 0.3)) double_joint(m, c);
  if (!turns(m, &c) && !slides(&c)) return;
  if (chance(m, 0.35)) dry_friction(m, c);
  if (chance(m, 0.25)) stop(m, c, m->set_law.e);
}

static drive draw_drive(mechanism *m, unsigned dofs) {
  return (drive){dofs, uniform(m, -2.0, 2.0), chance(m, 0.7) ? uniform(m, 0.2, 2.0) : 0.0,
                 uniform(m, 1.0, 10.0)};
}

/* The body turns about its centre at a given rate. */
static void crank(mechanism *m, int k) {
  int about = below(m, 3);
  double axis[3] = {about == 0, about == 1, about == 2};
  connection *c = pivot(m, k, -1, m->body[k].q);
  if (m->world == SPACE) memcpy(c->axis, axis, sizeof axis);
  else c->point[2] = 0.0;
  m->body[k].drive = draw_drive(m, 1u << (m->world == SPACE ? 3 + about : 2));
}

static void platform(mechanism *m, int k) {
  m->body[k].drive = draw_drive(m, m->world == SPACE ? 63u : 7u);
}

static nsds_joint_kind some_kind(mechanism *m) {
  static const nsds_joint_kind space[] = {
      NSDS_JOINT_BALL,      NSDS_JOINT_HINGE,       NSDS_JOINT_HINGE,    NSDS_JOINT_HINGE,
      NSDS_JOINT_PRISMATIC, NSDS_JOINT_CYLINDRICAL, NSDS_JOINT_DISTANCE, NSDS_JOINT_FIXED};
  static const nsds_joint_kind plane[] = {NSDS_JOINT_BALL,      NSDS_JOINT_BALL,
                                          NSDS_JOINT_BALL,      NSDS_JOINT_PRISMATIC,
                                          NSDS_JOINT_PRISMATIC, NSDS_JOINT_DISTANCE};
  return m->world == SPACE ? space[below(m, 8)] : plane[below(m, 6)];
}

static void tree(mechanism *m) {
  m->shape = "tree";
  for (int k = 0; k < m->bodies; ++k) {
    int parent = k == 0 ? -1 : below(m, k);
    double base[3] = {0.0, 0.0, 0.0}, d[3], x[3], point[3], axis[3];
    double length = uniform(m, 0.3, 0.8), part = chance(m, 0.5) ? 0.5 : 0.0;
    direction(m, d);
    direction(m, axis);
    for (int i = 0; i < 3; ++i) {
      if (parent >= 0 && i < dimension(m)) base[i] = m->body[parent].q[i];
      x[i] = base[i] + length * d[i];
      point[i] = base[i] + part * length * d[i];
    }
    place(m, k, x);
    if (k == 0 && chance(m, 0.12)) {
      crank(m, 0);
      continue;
    }
    if (k == 0 && m->bodies > 1 && chance(m, 0.12)) {
      platform(m, 0);
      continue;
    }
    if (chance(m, 0.5)) turn(m, k, 1.5);
    connection *c = joint(m, some_kind(m), k, parent, point, axis);
    if (c->joint == NSDS_JOINT_DISTANCE) {
      memcpy(c->point, x, sizeof x);
      memcpy(c->center[0], base, sizeof base);
    }
    dress_joint(m, *c);
  }
}

/* Crank, coupler and rocker; as a parallelogram with three cranks, whose third says nothing new. */
static void four_bar(mechanism *m) {
  bool parallel = m->bodies == 4;
  double r = uniform(m, 0.25, 0.5), turned = uniform(m, 0.4, 2.2), span = uniform(m, 0.7, 1.2);
  double ground[3][2] = {{0.0, 0.0}, {span, 0.0}, {0.5 * span, 0.0}}, top[3][2];
  m->shape = parallel ? "parallelogram" : "four-bar linkage";
  m->bodies = parallel ? 4 : 3;
  int cranks = m->bodies - 1, coupler = cranks;
  for (int k = 0; k < cranks; ++k) {
    double x[3], a[3];
    double t = parallel || k == 0 ? turned : turned - uniform(m, 0.1, 0.5);
    double length = parallel || k == 0 ? r : r * uniform(m, 1.1, 1.8);
    top[k][0] = ground[k][0] + length * cos(t);
    top[k][1] = ground[k][1] + length * sin(t);
    upright(m, 0.5 * (ground[k][0] + top[k][0]), 0.5 * (ground[k][1] + top[k][1]), x);
    place(m, k, x);
    upright(m, ground[k][0], ground[k][1], a);
    connection c = *pivot(m, k, -1, a);
    if (k == 0) dress_joint(m, c);
  }
  double x[3];
  upright(m, 0.5 * (top[0][0] + top[1][0]), 0.5 * (top[0][1] + top[1][1]) + 0.1, x);
  place(m, coupler, x);
  for (int k = 0; k < cranks; ++k) {
    upright(m, top[k][0], top[k][1], x);
    connection c = *pivot(m, k, coupler, x);
    if (k == 0 && chance(m, 0.4)) dry_friction(m, c);
  }
}

static void slider_crank(mechanism *m) {
  double r = uniform(m, 0.15, 0.3), l = uniform(m, 0.5, 0.9), t = uniform(m, 0.3, 2.8);
  double pin[3], end[3], x[3], zero[3] = {0.0, 0.0, 0.0}, along[3] = {1.0, 0.0, 0.0};
  m->shape = "slider-crank";
  m->bodies = 3;
  upright(m, r * cos(t), r * sin(t), pin);
  upright(m, r * cos(t) + sqrt(l * l - pow(r * sin(t), 2)), 0.0, end);
  place(m, 0, zero);
  if (chance(m, 0.4)) {
    pivot(m, 0, -1, zero);
    m->body[0].drive = draw_drive(m, 1u << (m->world == SPACE ? 4 : 2));
  } else {
    dress_joint(m, *pivot(m, 0, -1, zero));
  }
  for (int i = 0; i < 3; ++i) x[i] = 0.5 * (pin[i] + end[i]);
  place(m, 1, x);
  place(m, 2, end);
  pivot(m, 0, 1, pin);
  pivot(m, 1, 2, end);
  dress_joint(m, *joint(m, NSDS_JOINT_PRISMATIC, 2, -1, end, along));
}

/* ---- contacts ---- */

static void towards(mechanism *m, connection *c) { upright(m, 0.0, 1.0, c->normal); }

static connection *foot(mechanism *m, int k, const double local[3], double radius) {
  connection *c = add_link(m, GROUND, k, -1);
  c->law = m->set_law;
  c->radius[0] = radius;
  memcpy(c->center[0], local, sizeof c->center[0]);
  towards(m, c);
  return c;
}

/* The ground at this distance below the lowest foot. */
static void level(mechanism *m, double gap) {
  double least = HUGE_VAL;
  for (int k = 0; k < m->links; ++k)
    if (m->link[k].kind == GROUND) least = fmin(least, gap_of(m, &m->link[k]));
  for (int k = 0; k < m->links; ++k)
    if (m->link[k].kind == GROUND) m->link[k].plane += least - gap;
}

static double some_gap(mechanism *m) { return chance(m, 0.35) ? 0.0 : uniform(m, 0.01, 0.4); }

static void close_links(mechanism *m) {
  for (int k = 0; k < m->links; ++k) {
    connection *c = &m->link[k];
    if (c->kind != JOINT && c->kind != TIE) c->closed = gap_of(m, c) < 1e-12;
  }
}

void draw_jointed(mechanism *m) {
  m->set_law = draw_contact_law(m);
  int shape = below(m, 4);
  if (shape == 0 && m->bodies >= 3) four_bar(m);
  else if (shape == 1 && m->bodies >= 3) slider_crank(m);
  else tree(m);
  if (chance(m, 0.6)) {
    int feet = 1 + below(m, 3);
    for (int i = 0; i < feet; ++i) {
      double local[3];
      int k = below(m, m->bodies);
      direction(m, local);
      for (int j = 0; j < 3; ++j) local[j] *= m->body[k].size;
      foot(m, k, local, chance(m, 0.5) ? 0.0 : uniform(m, 0.02, 0.1));
    }
    level(m, some_gap(m));
  }
  close_links(m);
}

/* Feet of body k under it, at a height h below its centre; on the ground or on the body `on`. */
static void feet(mechanism *m, int k, int on, double h) {
  int count = 1 + below(m, m->world == SPACE ? 4 : 3);
  double spread = m->body[k].size * uniform(m, 0.7, 1.3), turned = uniform(m, 0.0, 6.28);
  for (int i = 0; i < count; ++i) {
    double local[3], a = turned + 6.283185307179586 * i / count;
    upright(m, count == 1 ? 0.0 : spread * (2.0 * i / (count - 1) - 1.0), -h, local);
    if (m->world == SPACE && count > 2) local[0] = spread * cos(a), local[1] = spread * sin(a);
    if (on < 0) {
      foot(m, k, local, 0.0);
      continue;
    }
    connection *c = add_link(m, FACE, k, on);
    c->law = m->set_law;
    towards(m, c);
    memcpy(c->center[0], local, sizeof local);
  }
}

static void blocks(mechanism *m) {
  m->shape = "blocks";
  bool flat = chance(m, 0.6);
  for (int k = 0; k < m->bodies; ++k) {
    double h = m->body[k].size * uniform(m, 0.5, 1.0), x[3];
    upright(m, 1.2 * k, h, x);
    place(m, k, x);
    feet(m, k, -1, h);
    if (!flat) turn(m, k, 0.3);
    if (k == 0) continue;
    double axis[3] = {1.0, 0.0, 0.0};
    if (chance(m, 0.3)) {
      bool rope = chance(m, 0.5);
      connection *c =
          joint(m, rope ? NSDS_JOINT_ROPE : NSDS_JOINT_DISTANCE, k, k - 1, m->body[k].q, axis);
      memcpy(c->center[0], m->body[k - 1].q, sizeof c->center[0]);
      if (m->world == PLANE) c->point[2] = c->center[0][2] = 0.0;
      if (rope)
        c->law = (law){.kind = NEWTON, .e = m->set_law.e}, c->length = 1.3, c->closed = false;
    } else if (chance(m, 0.6)) {
      connection *c = add_link(m, SPHERES, k, k - 1);
      c->law = m->set_law;
      c->radius[0] = c->radius[1] = uniform(m, 0.3, 0.6);
    }
  }
  level(m, some_gap(m));
}

static void stack(mechanism *m) {
  bool driven = m->bodies > 1 && chance(m, 0.5), apart = chance(m, 0.3);
  double top = 0.0, face = 0.0, gap;
  m->shape = driven ? "stack on a platform" : "stack";
  if (driven) platform(m, 0);
  for (int k = 0; k < m->bodies; ++k) {
    double h = m->body[k].size * uniform(m, 0.3, 0.8), x[3];
    gap = apart ? uniform(m, 0.0, 0.1) : 0.0;
    upright(m, 0.0, k == 0 ? h : top + gap + h, x);
    place(m, k, x);
    int first = m->links;
    if (k > 0 || !driven) feet(m, k, k - 1, h);
    for (int i = first; i < m->links; ++i) {
      m->link[i].plane = k == 0 ? 0.0 : face;
      double off = gap_of(m, &m->link[i]) - (k == 0 ? 0.0 : gap); /* rounding: closed or as drawn */
      m->link[i].plane += off;
    }
    top = x[m->world == SPACE ? 2 : 1] + h;
    face = h;
  }
}

static void balls(mechanism *m) {
  double r = uniform(m, 0.15, 0.3), up = r + some_gap(m);
  m->shape = "balls";
  m->set = chance(m, 0.7);
  bool row = chance(m, 0.5);
  double along = 0.0;
  if (m->set && m->world == PLANE) m->set_law = (law){.kind = NEWTON, .e = m->set_law.e};
  for (int k = 0; k < m->bodies; ++k) {
    double x[3];
    upright(m, along, up + (row ? 0.0 : uniform(m, 0.0, 0.3)), x);
    along += row ? 2.0 * r : uniform(m, 2.0 * r, 3.0 * r);
    if (m->world == SPACE && !row) x[1] = uniform(m, -0.2, 0.2);
    place(m, k, x);
    double zero[3] = {0.0, 0.0, 0.0};
    foot(m, k, zero, r)->found = m->set;
    for (int j = 0; j < k; ++j) {
      connection *c = add_link(m, SPHERES, k, j);
      c->law = m->set_law;
      c->radius[0] = c->radius[1] = r;
      c->found = m->set;
    }
  }
  if (m->bodies < 3 || !chance(m, 0.4)) return;
  connection *c = joint(m, NSDS_JOINT_DISTANCE, m->bodies - 1, 0, m->body[m->bodies - 1].q,
                        (double[3]){1.0, 0.0, 0.0});
  memcpy(c->center[0], m->body[0].q, sizeof c->center[0]);
  if (m->world == PLANE) c->point[2] = c->center[0][2] = 0.0;
}

void draw_loose(mechanism *m) {
  m->set_law = draw_contact_law(m);
  int shape = below(m, 3);
  if (shape == 0) blocks(m);
  else if (shape == 1) stack(m);
  else balls(m);
  close_links(m);
}
