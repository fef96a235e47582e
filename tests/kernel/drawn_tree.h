/*
 * Drawn trees of bodies with joints of all kinds, and their motion by Runge and Kutta's method of order 4 in joint
 * coordinates.
 */
#ifndef NSDS_TEST_KERNEL_DRAWN_TREE_H
#define NSDS_TEST_KERNEL_DRAWN_TREE_H

#include "support.h"

static const double gravity[3] = {0.3, -0.4, -9.81};

enum { most_bodies = 60, most_q = 7 * most_bodies, most_u = 6 * most_bodies };

typedef struct drawn_tree {
  nsds_model *m;
  int n;
  nsds_ds *ds[most_bodies];
  double mass[most_bodies], J[most_bodies][9];
  nsds_tree *tree;
  double q[most_q], u[most_u];
} drawn_tree;

static inline void draw_direction(uint64_t *seed, double *a) {
  double size = 0.0;
  while (!(size > 0.1 && size < 1.0)) {
    size = 0.0;
    for (int k = 0; k < 3; ++k) {
      a[k] = random_in(seed, -1.0, 1.0);
      size += a[k] * a[k];
    }
  }
  for (int k = 0; k < 3; ++k) a[k] /= sqrt(size);
}

static inline void draw_quaternion(uint64_t *seed, double *p) {
  double size = 0.0;
  while (!(size > 0.1)) {
    size = 0.0;
    for (int k = 0; k < 4; ++k) {
      p[k] = random_in(seed, -1.0, 1.0);
      size += p[k] * p[k];
    }
  }
  for (int k = 0; k < 4; ++k) p[k] /= sqrt(size);
}

/* J = R diag R^T, with the triangle inequality. */
static inline void draw_inertia(uint64_t *seed, double *J) {
  double a[3],
      d[3] = {random_in(seed, 0.1, 0.2), random_in(seed, 0.1, 0.2), random_in(seed, 0.1, 0.2)};
  draw_direction(seed, a);
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < 3; ++i)
      J[i + 3 * j] = (i == j ? d[i] : 0.0) + 0.05 * ((i == j) - a[i] * a[j]);
}

static inline void draw_body(drawn_tree *t, uint64_t *seed) {
  int k = t->n++;
  double q[7];
  for (int i = 0; i < 3; ++i) q[i] = random_in(seed, -1.0, 1.0);
  draw_quaternion(seed, q + 3);
  t->mass[k] = random_in(seed, 0.5, 2.0);
  draw_inertia(seed, t->J[k]);
  t->ds[k] = nsds_rigid_body(
      t->m, &(nsds_rigid_body_def){.mass = t->mass[k],
                                   .inertia = t->J[k],
                                   .q0 = q,
                                   .gravity = {gravity[0], gravity[1], gravity[2]}});
}

static inline void draw_joint(drawn_tree *t, int parent, uint64_t *seed) {
  static const nsds_joint_kind kinds[] = {
      NSDS_JOINT_BALL,        NSDS_JOINT_HINGE, NSDS_JOINT_HINGE,     NSDS_JOINT_PRISMATIC,
      NSDS_JOINT_CYLINDRICAL, NSDS_JOINT_FIXED, NSDS_JOINT_UNIVERSAL, NSDS_JOINT_PLANAR};
  nsds_joint_def def = {.kind = kinds[(int)random_in(seed, 0.0, 7.999)]};
  bool swapped = parent >= 0 && random_in(seed, 0.0, 1.0) < 0.4;
  nsds_ds *ds[2] = {t->ds[t->n - 1], parent >= 0 ? t->ds[parent] : NULL};
  def.ds[0] = ds[swapped];
  def.ds[1] = ds[!swapped];
  double other[3], along = 0.0;
  draw_direction(seed, def.axis);
  draw_direction(seed, other);
  for (int k = 0; k < 3; ++k) along += other[k] * def.axis[k];
  for (int k = 0; k < 3; ++k) {
    def.other_axis[k] = other[k] - along * def.axis[k];
    def.point[k] = random_in(seed, -1.0, 1.0);
  }
  nsds_connect(t->m, nsds_joint(t->m, &def), nsds_equality(t->m), parent >= 0 ? 2 : 1, def.ds);
}

/* Draws a tree; parts may be free. */
static inline drawn_tree draw_tree(int n, uint64_t *seed) {
  drawn_tree t = {.m = nsds_model_create(NULL)};
  double depth = random_in(seed, 0.0, 1.0);
  for (int k = 0; k < n; ++k) {
    draw_body(&t, seed);
    bool chained = random_in(seed, 0.0, 1.0) < depth;
    int parent = k == 0 ? -1 : chained ? k - 1 : (int)random_in(seed, -1.0, k - 1e-9);
    if (random_in(seed, 0.0, 1.0) < 0.9) draw_joint(&t, parent, seed);
  }
  assert_sound(t.m);
  t.tree = nsds_tree_create(t.m);
  assert_sound(t.m);
  assert_int_equal(nsds_tree_size(t.tree), n);
  return t;
}

static inline void draw_state(drawn_tree *t, uint64_t *seed) {
  for (int k = 0; k < t->n; ++k) {
    nsds_tree_body b;
    assert_ok(t->m, nsds_tree_at(t->tree, k, &b));
    bool turns = b.kind == NSDS_JOINT_HINGE || b.kind == NSDS_JOINT_CYLINDRICAL;
    for (int i = 0; i < b.nq; ++i)
      t->q[b.q + i] = turns && i == 0 ? random_in(seed, -20.0, 20.0) : random_in(seed, -1.2, 1.2);
    if (b.nq == 4 || b.nq == 7) draw_quaternion(seed, t->q + b.q + b.nq - 4);
    for (int i = 0; i < b.nu; ++i) t->u[b.u + i] = random_in(seed, -1.0, 1.0);
  }
}

/* The drawn number of the system of a tree's body. */
static inline int number_of(const drawn_tree *t, int body) {
  nsds_tree_body b;
  assert_ok(t->m, nsds_tree_at(t->tree, body, &b));
  int k = 0;
  while (t->ds[k] != b.ds) ++k;
  return k;
}

/* ---- equations of motion ---- */

static inline void rates_of(drawn_tree *t, const double *q, const double *u, double *a) {
  assert_ok(t->m, nsds_tree_dynamics(t->tree, q, u, NULL, a));
}

/* q + s dq/dt, whose quaternions keep their length only to the order of the method. */
static inline void add_rates(const drawn_tree *t, const double *q, const double *at,
                             const double *u, double s, double *to) {
  for (int k = 0; k < t->n; ++k) {
    nsds_tree_body b;
    nsds_tree_at(t->tree, k, &b);
    bool ball = b.nq == 4 || b.nq == 7;
    for (int i = 0; i < b.nq - (ball ? 4 : 0); ++i) to[b.q + i] = q[b.q + i] + s * u[b.u + i];
    if (!ball) continue;
    int i = b.q + b.nq - 4;
    const double *p = at + i, *w = u + b.u + b.nu - 3;
    const double rate[4] = {
        -p[1] * w[0] - p[2] * w[1] - p[3] * w[2], p[0] * w[0] + p[2] * w[2] - p[3] * w[1],
        p[0] * w[1] - p[1] * w[2] + p[3] * w[0], p[0] * w[2] + p[1] * w[1] - p[2] * w[0]};
    for (int j = 0; j < 4; ++j) to[i + j] = q[i + j] + 0.5 * s * rate[j];
  }
}

static inline void runge_kutta(drawn_tree *t, double h) {
  static const double reach[4] = {0.0, 0.5, 0.5, 1.0},
                      weight[4] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
  double q[most_q], u[most_u], a[most_u] = {0}, before_u[most_u] = {0}, before_q[most_q],
                               end_q[most_q], end_u[most_u];
  int nq = nsds_tree_nq(t->tree), nu = nsds_tree_nu(t->tree);
  memcpy(end_q, t->q, sizeof end_q);
  memcpy(end_u, t->u, sizeof end_u);
  memcpy(before_q, t->q, sizeof before_q);
  for (int s = 0; s < 4; ++s) {
    add_rates(t, t->q, before_q, before_u, reach[s] * h, q);
    for (int i = 0; i < nu; ++i) u[i] = t->u[i] + reach[s] * h * a[i];
    rates_of(t, q, u, a);
    add_rates(t, end_q, q, u, weight[s] * h, end_q);
    for (int i = 0; i < nu; ++i) end_u[i] += weight[s] * h * a[i];
    memcpy(before_q, q, (size_t)nq * sizeof *q);
    memcpy(before_u, u, (size_t)nu * sizeof *u);
  }
  memcpy(t->q, end_q, sizeof end_q);
  memcpy(t->u, end_u, sizeof end_u);
}

#endif
