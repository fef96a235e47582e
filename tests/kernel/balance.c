#include "balance.h"

#include <nsds/rigid_body.h>

static double dot3(const double *a, const double *b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross3(const double *a, const double *b, double *c) {
  c[0] = a[1] * b[2] - a[2] * b[1];
  c[1] = a[2] * b[0] - a[0] * b[2];
  c[2] = a[0] * b[1] - a[1] * b[0];
}

balance balance_begin(int dimension, double gx, double gy, double gz) {
  return (balance){
      .model = nsds_model_create(NULL), .dimension = dimension, .gravity = {gx, gy, gz}};
}

nsds_ds *balance_add(balance *b, double mass, double inertia, const double *x, const double *v) {
  const double J[9] = {[0] = inertia, [4] = inertia, [8] = inertia};
  balance_body *body = &b->body[b->count++];
  const double *g = b->gravity;
  *body = (balance_body){.mass = mass, .inertia = inertia};
  if (b->dimension == 3)
    body->ds = nsds_rigid_body(
        b->model, &(nsds_rigid_body_def){.mass = mass,
                                         .inertia = J,
                                         .q0 = (double[]){x[0], x[1], x[2], 1.0, 0.0, 0.0, 0.0},
                                         .v0 = v,
                                         .gravity = {g[0], g[1], g[2]}});
  else
    body->ds = nsds_rigid_body_2d(
        b->model, &(nsds_rigid_body_2d_def){
                      .mass = mass, .inertia = inertia, .q0 = x, .v0 = v, .gravity = {g[0], g[1]}});
  assert_sound(b->model);
  return body->ds;
}

void balance_adopt(balance *b, nsds_ds *ds, double mass) {
  assert_sound(b->model);
  b->body[b->count++] = (balance_body){.ds = ds, .mass = mass};
}

void balance_note(balance *b) {
  for (int k = 0; k < b->count; ++k) {
    balance_body *body = &b->body[k];
    memcpy(body->q, nsds_q(body->ds), (size_t)nsds_nq(body->ds) * sizeof(double));
    memcpy(body->v, nsds_v(body->ds), (size_t)nsds_nv(body->ds) * sizeof(double));
  }
}

/* ---- a contact alone ---- */

void balance_check_contact(const balance *b, const nsds_contact_info *c) {
  const double *n = c->normal, *t1 = c->tangent[0], *t2 = c->tangent[1];
  double side[3];
  assert_true(c->located);
  assert_true((c->set != NULL) != (c->interaction != NULL));
  assert_int_equal(c->dimension, b->dimension);
  assert_near(dot3(n, n), 1.0, 1e-12);
  assert_near(dot3(t1, t1), 1.0, 1e-12);
  assert_near(dot3(n, t1), 0.0, 1e-12);
  cross3(n, t1, side);
  for (int k = 0; k < 3 && b->dimension == 3; ++k) assert_near(side[k], t2[k], 1e-12);
  if (b->dimension == 2) {
    assert_near(side[2], -1.0, 1e-12); /* n turned by -90 degrees */
    assert_near(n[2], 0.0, 0.0);
    assert_near(dot3(t2, t2), 0.0, 0.0);
  }
  assert_near(dot3(c->world_force, n), c->force[0], 1e-12 * (1.0 + fabs(c->force[0])));
  assert_near(dot3(c->world_impulse, n), c->impulse[0], 1e-12 * (1.0 + fabs(c->impulse[0])));
  int tangents = b->dimension - 1;
  for (int i = 1; i <= tangents; ++i)
    assert_near(dot3(c->world_force, c->tangent[i - 1]), i < c->rows ? c->force[i] : 0.0,
                1e-12 * (1.0 + fabs(c->force[0])));
  if (c->rows > b->dimension) {
    double moment = b->dimension == 2 ? c->world_moment[2] : dot3(c->world_moment, t1);
    assert_near(moment, c->force[b->dimension], 1e-12 * (1.0 + fabs(moment)));
    if (b->dimension == 3) assert_near(dot3(c->world_moment, t2), c->force[4], 1e-12);
    assert_near(dot3(c->world_moment, n), 0.0, 1e-12 * (1.0 + fabs(moment)));
  } else assert_near(dot3(c->world_moment, c->world_moment), 0.0, 0.0);
  for (int e = 0; e < 2 && c->ds[e]; ++e) { /* centres are on their sides */
    const double *x = nsds_q(c->ds[e]);
    double way[3] = {0.0};
    for (int k = 0; k < b->dimension; ++k) way[k] = x[k] - c->point[k];
    assert_true(dot3(way, n) * (e ? -1.0 : 1.0) > 0.0);
  }
}

/* ---- bodies ---- */

/* R(p) a and R(p)^T a. */
static void turn(const double *p, const double *a, bool back, double *b) {
  const double q[7] = {0, 0, 0, p[0], p[1], p[2], p[3]};
  if (back) nsds_to_body(q, a, b);
  else nsds_to_world(q, a, b);
}

/* p (x) (cos, sin w / |w|) of half the angle |w| h. */
static void advance_attitude(const double *p, const double *w, double h, double *out) {
  double angle = sqrt(dot3(w, w)), s = angle > 0.0 ? sin(0.5 * h * angle) / angle : 0.0;
  const double e[4] = {cos(0.5 * h * angle), s * w[0], s * w[1], s * w[2]};
  out[0] = p[0] * e[0] - p[1] * e[1] - p[2] * e[2] - p[3] * e[3];
  out[1] = p[0] * e[1] + p[1] * e[0] + p[2] * e[3] - p[3] * e[2];
  out[2] = p[0] * e[2] - p[1] * e[3] + p[2] * e[0] + p[3] * e[1];
  out[3] = p[0] * e[3] + p[1] * e[2] - p[2] * e[1] + p[3] * e[0];
}

/* Where a body is for moments: centre, attitude. */
static void place_of(const balance *b, const balance_body *body, balance_arms arms, double h,
                     double *x, double *p) {
  const double *q = arms == ARMS_NOW ? nsds_q(body->ds) : body->q;
  double ahead = arms == ARMS_AHEAD ? h : 0.0;
  bool space = b->dimension == 3;
  for (int k = 0; k < 3; ++k) x[k] = k < b->dimension ? q[k] + ahead * body->v[k] : 0.0;
  p[0] = 1.0, p[1] = p[2] = p[3] = 0.0;
  if (space && body->inertia > 0.0) advance_attitude(q + 3, body->v + 3, ahead, p);
}

/* Impulses or forces of its contacts, and their moments about x. */
static void sum_contacts(balance *b, const balance_body *body, const double *x, bool forces,
                         double *f, double *m) {
  nsds_contact_info c;
  nsds_contact_iterator at = nsds_body_contacts(body->ds);
  for (int k = 0; k < 3; ++k) f[k] = m[k] = 0.0;
  while (nsds_next_contact(&at, &c)) {
    double sign = c.ds[0] == body->ds ? 1.0 : -1.0, arm[3], moment[3];
    const double *push = forces ? c.world_force : c.world_impulse;
    const double *twist = forces ? c.world_moment : c.world_twist;
    assert_true(c.ds[0] == body->ds || c.ds[1] == body->ds);
    balance_check_contact(b, &c);
    for (int k = 0; k < 3; ++k) arm[k] = c.point[k] - x[k];
    cross3(arm, push, moment);
    for (int k = 0; k < 3; ++k) {
      f[k] += sign * push[k];
      m[k] += sign * (moment[k] + twist[k]);
    }
    b->largest = fmax(b->largest, sqrt(dot3(push, push)));
    b->turned += sqrt(dot3(moment, moment)) > 1e-9;
    ++b->contacts;
  }
}

static void check_body(balance *b, const balance_body *body, balance_arms arms, bool forces,
                       double tolerance) {
  double x[3], p[4], f[3], m[3], turned[3], h = b->time, time = forces ? h : 1.0;
  place_of(b, body, arms, h, x, p);
  sum_contacts(b, body, x, forces, f, m);
  const double *v = nsds_v(body->ds);
  for (int k = 0; k < b->dimension; ++k)
    assert_near(body->mass * (v[k] - body->v[k] - h * b->gravity[k]), time * f[k], tolerance);
  if (body->inertia == 0.0) return;
  if (b->dimension == 2) {
    assert_near(body->inertia * (v[2] - body->v[2]), time * m[2], tolerance);
    return;
  }
  turn(p, m, true, turned);
  for (int k = 0; k < 3; ++k)
    assert_near(body->inertia * (v[3 + k] - body->v[3 + k]), time * turned[k], tolerance);
}

void balance_check(balance *b, balance_arms arms, bool forces, double tolerance) {
  for (int k = 0; k < b->count; ++k) check_body(b, &b->body[k], arms, forces, tolerance);
}

/* Present forces, and the angular velocity in the world. */
static void note_rates(balance *b, const balance_body *body, double *f, double *m, double *w) {
  double x[3], p[4];
  const double *v = nsds_v(body->ds);
  place_of(b, body, ARMS_NOW, 0.0, x, p);
  sum_contacts(b, body, x, true, f, m);
  w[0] = w[1] = w[2] = 0.0;
  if (body->inertia > 0.0 && b->dimension == 3) turn(nsds_q(body->ds) + 3, v + 3, false, w);
  if (body->inertia > 0.0 && b->dimension == 2) w[2] = v[2];
}

void balance_note_forces(balance *b) {
  balance_note(b);
  for (int k = 0; k < b->count; ++k) {
    balance_body *body = &b->body[k];
    note_rates(b, body, body->force, body->moment, body->spin);
  }
}

void balance_check_forces(balance *b, double tolerance) {
  for (int k = 0; k < b->count; ++k) {
    const balance_body *body = &b->body[k];
    const double *v = nsds_v(body->ds);
    double f[3], m[3], w[3], h = b->time;
    note_rates(b, body, f, m, w);
    for (int i = 0; i < b->dimension; ++i)
      assert_near(body->mass * (v[i] - body->v[i] - h * b->gravity[i]),
                  0.5 * h * (body->force[i] + f[i]), tolerance);
    for (int i = 0; i < 3 && body->inertia > 0.0; ++i)
      assert_near(body->inertia * (w[i] - body->spin[i]), 0.5 * h * (body->moment[i] + m[i]),
                  tolerance);
  }
}

/* The velocity at the point of the body behind a system, NULL: the world. */
static void add_velocity(const balance *b, const nsds_ds *ds, const nsds_contact_info *c,
                         balance_arms arms, double sign, double *u, double *w) {
  for (int k = 0; k < b->count; ++k) {
    const balance_body *body = &b->body[k];
    const double *v = nsds_v(body->ds);
    double x[3], p[4], spin[3] = {0.0}, arm[3], around[3];
    if (body->ds != ds) continue;
    place_of(b, body, arms, b->time, x, p);
    if (body->inertia > 0.0 && b->dimension == 3) turn(p, v + 3, false, spin);
    if (body->inertia > 0.0 && b->dimension == 2) spin[2] = v[2];
    for (int i = 0; i < 3; ++i) arm[i] = c->point[i] - x[i];
    cross3(spin, arm, around);
    for (int i = 0; i < 3; ++i) {
      u[i] += sign * ((i < b->dimension ? v[i] : 0.0) + around[i]);
      w[i] += sign * spin[i];
    }
  }
}

void balance_check_rates(balance *b, balance_arms arms, double tolerance) {
  nsds_contact_info c;
  nsds_contact_iterator at = nsds_model_contacts(b->model);
  while (nsds_next_contact(&at, &c)) {
    double u[3] = {0.0}, w[3] = {0.0};
    add_velocity(b, c.ds[0], &c, arms, 1.0, u, w);
    add_velocity(b, c.ds[1], &c, arms, -1.0, u, w);
    assert_near(dot3(u, c.normal), c.ydot[0], tolerance);
    for (int i = 1; i < c.rows && i < b->dimension; ++i)
      assert_near(dot3(u, c.tangent[i - 1]), c.ydot[i], tolerance);
    if (c.rows == 5)
      for (int i = 0; i < 2; ++i) assert_near(dot3(w, c.tangent[i]), c.ydot[3 + i], tolerance);
    if (c.rows == 3 && b->dimension == 2) assert_near(w[2], c.ydot[2], tolerance);
  }
}
