/*
 * A top with a round tip that slides on a plane, under nonsmooth RATTLE, beside its own equations in high
 * precision. With the tip's centre at c, arm r = c - R e_z from the center of mass, slip velocity
 * u = v + w x r across e_z, and the force N f, f = e_z - mu u / |u|:
 *
 *   v' = N f / m - g e_z,   J w' = N r x f - w x J w,   (v' + w' x c + w x (w x c)) . e_z = 0
 *
 * The last one gives N. Gragg's midpoint rule, extrapolated to order 16 in long double (Hairer, Noersett,
 * Wanner, Solving Ordinary Differential Equations I, II.9), integrates them. Two step lengths agree to 1e-12.
 */
#include "support.h"

typedef long double real;
enum { places = 7, states = 13, columns = 8 };

/* A tip of radius R, with its centre c below the center of mass; J about x and y, and about z. */
typedef struct top {
  double radius, below, across, along, mu, lean, spin;
} top;

static const double g = 9.81;

static void cross(const real *a, const real *b, real *c) {
  for (int i = 0; i < 3; ++i)
    c[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

/* Computes the axis of the top in the world. */
static void axis_of(const real *p, real *e) {
  e[0] = 2 * (p[1] * p[3] + p[0] * p[2]);
  e[1] = 2 * (p[2] * p[3] - p[0] * p[1]);
  e[2] = p[0] * p[0] - p[1] * p[1] - p[2] * p[2] + p[3] * p[3];
}

/* Returns J^-1 a in the world. */
static void turn_faster(const top *s, const real *e, const real *a, real *out) {
  real along = a[0] * e[0] + a[1] * e[1] + a[2] * e[2];
  for (int i = 0; i < 3; ++i)
    out[i] = (a[i] - along * e[i]) / (real)s->across + along * e[i] / (real)s->along;
}

/* The state is x, quaternion, v, w in the world. Returns the speed of the slip. */
static real rates(const top *s, const real *y, real *dy) {
  const real *p = y + 3, *v = y + 7, *w = y + 10;
  real e[3], c[3], r[3], u[3], L[3], turned[3], free[3], force[3], moment[3], out[3], a[3], b[3];
  axis_of(p, e);
  for (int i = 0; i < 3; ++i) {
    c[i] = -(real)s->below * e[i];
    r[i] = c[i] - (i == 2 ? (real)s->radius : 0);
  }
  cross(w, r, u);
  for (int i = 0; i < 2; ++i) u[i] += v[i];
  real speed = sqrtl(u[0] * u[0] + u[1] * u[1]);
  const real f[3] = {-(real)s->mu * u[0] / speed, -(real)s->mu * u[1] / speed, 1};
  real spin = w[0] * e[0] + w[1] * e[1] + w[2] * e[2];
  for (int i = 0; i < 3; ++i)
    L[i] = (real)s->across * w[i] + ((real)s->along - (real)s->across) * spin * e[i];
  cross(L, w, turned);
  turn_faster(s, e, turned, free); /* w' = free + N force */
  cross(r, f, moment);
  turn_faster(s, e, moment, force);
  cross(w, c, a);
  cross(w, a, out);
  cross(free, c, a);
  cross(force, c, b);
  real N = ((real)g - out[2] - a[2]) / (1 + b[2]);
  for (int i = 0; i < 3; ++i) {
    dy[i] = v[i];
    dy[7 + i] = N * f[i] - (i == 2 ? (real)g : 0);
    dy[10 + i] = free[i] + N * force[i];
  }
  cross(w, p + 1, a);
  dy[3] = -(w[0] * p[1] + w[1] * p[2] + w[2] * p[3]) / 2;
  for (int i = 0; i < 3; ++i) dy[4 + i] = (p[0] * w[i] + a[i]) / 2;
  return speed;
}

/* Takes a step of n midpoint steps. */
static void midpoint(const top *s, const real *y, real H, int n, real *out) {
  real before[states], now[states], dy[states], h = H / n;
  rates(s, y, dy);
  for (int i = 0; i < states; ++i) {
    before[i] = y[i];
    now[i] = y[i] + h * dy[i];
  }
  for (int k = 1; k < n; ++k) {
    rates(s, now, dy);
    for (int i = 0; i < states; ++i) {
      real next = before[i] + 2 * h * dy[i];
      before[i] = now[i];
      now[i] = next;
    }
  }
  memcpy(out, now, sizeof now);
}

/* Takes a step of order 16, by even numbers of midpoint steps. Returns the least speed of the slip. */
static real extrapolate(const top *s, real H, real *y) {
  real column[columns][states], dy[states];
  for (int j = 0; j < columns; ++j) {
    midpoint(s, y, H, 2 * (j + 1), column[j]);
    for (int k = j - 1; k >= 0; --k) {
      real q = (real)(j + 1) / (real)(k + 1);
      for (int i = 0; i < states; ++i)
        column[k][i] = column[k + 1][i] + (column[k + 1][i] - column[k][i]) / (q * q - 1);
    }
  }
  memcpy(y, column[0], sizeof column[0]);
  return rates(s, y, dy);
}

static void start(const top *s, real *y) {
  const real half = (real)s->lean / 2;
  const real y0[states] = {0, 0, (real)s->radius + (real)s->below * cosl(2 * half), cosl(half),
                           sinl(half)};
  real e[3];
  memcpy(y, y0, sizeof y0);
  axis_of(y + 3, e);
  for (int i = 0; i < 3; ++i) y[10 + i] = (real)s->spin * e[i];
}

/* Integrates up to t1, and writes the state at each of `count` equal times. */
static void integrate(const top *s, double t1, int count, int parts, real (*to)[states]) {
  real y[states], H = (real)t1 / count / parts;
  start(s, y);
  for (int k = 0; k < count; ++k) {
    for (int j = 0; j < parts; ++j) assert_true(extrapolate(s, H, y) > 0.05L);
    memcpy(to[k], y, sizeof y);
  }
}

/* Moves the top with steps h. Returns the largest distance to the states of the reference, of coordinates,
 * and writes that of the axis to *lean and that of the gap to *gap. */
static double off(const top *s, double h, double t1, int count, real (*right)[states], double *lean,
                  double *gap) {
  real y[states];
  start(s, y);
  const double J[9] = {[0] = s->across, [4] = s->across, [8] = s->along};
  double q0[places], v0[6] = {[5] = s->spin}, most = 0.0;
  for (int i = 0; i < places; ++i) q0[i] = (double)y[i];
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *ds = nsds_rigid_body(
      model,
      &(nsds_rigid_body_def){.mass = 1, .inertia = J, .q0 = q0, .v0 = v0, .gravity = {0, 0, -g}});
  nsds_relation *tip = nsds_sphere_plane_relation(
      model, &(nsds_sphere_plane_relation_def){
                 .radius = s->radius, .center = {0, 0, -s->below}, .normal = {0, 0, 1}});
  nsds_law *law = nsds_newton_impact_friction(
      model, &(nsds_newton_impact_friction_def){.dimension = 3, .mu = s->mu});
  nsds_interaction *contact = nsds_connect(model, tip, law, 1, &ds);
  assert_sound(model);
  nsds_simulation *sim = nsds_time_stepping(
      model, &(nsds_time_stepping_def){
                 .t1 = t1, .h = h, .tolerance = 1e-12, .second_order = nsds_rattle()});
  int every = (int)lround(t1 / count / h);
  *lean = *gap = 0.0;
  for (int k = 0; k < count; ++k) {
    for (int j = 0; j < every; ++j) assert_true(nsds_step(sim) >= 0);
    const double *q = nsds_q(ds);
    real p[4] = {q[3], q[4], q[5], q[6]}, e[3], a[3];
    double same = 0.0, turned = 0.0; /* q and -q are one attitude */
    for (int i = 3; i < places; ++i) {
      same = fmax(same, fabs(q[i] - (double)right[k][i]));
      turned = fmax(turned, fabs(q[i] + (double)right[k][i]));
    }
    most = fmax(most, fmin(same, turned));
    for (int i = 0; i < 3; ++i) most = fmax(most, fabs(q[i] - (double)right[k][i]));
    axis_of(p, e);
    axis_of(right[k] + 3, a);
    for (int i = 0; i < 3; ++i) *lean = fmax(*lean, (double)fabsl(e[i] - a[i]));
    *gap = fmax(*gap, fabs(nsds_y(contact)[0]));
  }
  nsds_model_destroy(model);
  return most;
}

static void check_top(const char *name, const top *s, double t1, double most) {
  enum { count = 20, levels = 4 };
  static real right[count][states], finer[count][states];
  double error[levels], lean[levels], gap[levels], own = 0.0, h = 2e-3;
  integrate(s, t1, count, (int)(t1 / count / 0.0125), right);
  integrate(s, t1, count, (int)(t1 / count / 0.00625), finer);
  for (int k = 0; k < count; ++k)
    for (int i = 0; i < states; ++i) own = fmax(own, (double)fabsl(right[k][i] - finer[k][i]));
  for (int k = 0; k < levels; ++k, h /= 2)
    error[k] = off(s, h, t1, count, right, &lean[k], &gap[k]);
  double order = log2(error[0] / error[levels - 1]) / (levels - 1);
  print_message(
      "             %s: reference to %.0e; off by %.1e at 2 ms, %.1e at 0.25 ms (axis %.1e), "
      "order %.2f, gap %.0e\n",
      name, own, error[0], error[levels - 1], lean[levels - 1], order, gap[0]);
  assert_true(own < 1e-12);
  assert_true(order > 1.9);
  assert_true(error[levels - 1] < most);
  for (int k = 0; k < levels; ++k) assert_true(gap[k] < 1e-13);
}

/* Tops whose tips slide all the time: the first one for most of the time until it rolls. */
static void tops_slide_as_in_high_precision(void **state) {
  (void)state;
  top one = {.radius = 1.0, .below = -0.1, .across = 0.35, .along = 0.4, .mu = 0.3, .lean = 0.2};
  one.spin = 20.0;
  check_top("a round one", &one, 0.32, 1e-6);
  one.mu = 0.03;
  check_top("on ice", &one, 3.0, 1e-6);
  check_top("on a tip",
            &(top){.radius = 0.1,
                   .below = 0.5,
                   .across = 0.3,
                   .along = 0.2,
                   .mu = 0.1,
                   .lean = 0.3,
                   .spin = 60.0},
            1.0, 1e-5);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(tops_slide_as_in_high_precision)};
  return cmocka_run_group_tests_name("kernel.rattle_top", tests, NULL, NULL);
}
