/*
 * One relation said in every way the library offers: y = H Q + F Z + b of two systems, three rows.
 * All must give the same motion; likewise a compliance D at velocity level, and a moving floor
 * written as a rheonomous relation, as a change of frame, and as a body with prescribed velocity; and
 * a soft floor that moves, as a change of frame.
 */
#include "support.h"

enum { ny = 3, nq = 3, nz = 4 };

static const double H[9] = {1.0, 0.2, 0.1, 0.3, -0.8, -1.0, -0.1, 1.0, 0.0};
static const double F[12] = {0.1, 0.0, 0.1, 0.0, -0.2, 0.0, 0.05, 0.05, -0.1, 0.3, 0.1, 0.0};
static const double b[3] = {-0.1, -0.05, 0.15};
static const double za[2] = {0.5, 0.2}, zb[1] = {0.4}, own[1] = {-0.3};
static const double D[9] = {0.3, 0.1, 0.05, 0.1, 0.4, 0.0, 0.05, 0.0, 0.2};

static int affine_h(const nsds_arguments *in, double *y, void *user) {
  (void)user;
  for (int i = 0; i < ny; ++i) y[i] = b[i];
  for (int j = 0; j < nq; ++j)
    for (int i = 0; i < ny; ++i) y[i] += H[i + ny * j] * in->q[j];
  for (int j = 0; j < nz; ++j)
    for (int i = 0; i < ny; ++i) y[i] += F[i + ny * j] * in->z[j];
  return 0;
}

static int affine_h_q(const nsds_arguments *in, double *out, void *user) {
  (void)in, (void)user;
  memcpy(out, H, sizeof H);
  return 0;
}

/* ---- the same as a type of one's own ---- */

static nsds_status own_output(void *self, const nsds_arguments *in, double *y) {
  affine_h(in, y, self);
  return NSDS_OK;
}

static nsds_status own_jacobian(void *self, const nsds_arguments *in, double *out) {
  affine_h_q(in, out, self);
  return NSDS_OK;
}

static nsds_status own_feedthrough(void *self, const nsds_arguments *in, double *out) {
  (void)self, (void)in;
  memcpy(out, D, sizeof D);
  return NSDS_OK;
}

static const nsds_relation_ops own_ops = {
    .type = "own", .output = own_output, .jacobian_q = own_jacobian};
static const nsds_relation_ops own_ops_d = {.type = "own with D",
                                            .output = own_output,
                                            .jacobian_q = own_jacobian,
                                            .feedthrough = own_feedthrough};

static nsds_relation *own_type(nsds_model *m, const nsds_relation_ops *ops, bool affine) {
  return nsds_custom_relation(
      m, &(nsds_custom_relation_def){
             .ops = ops, .ny = ny, .nq = nq, .affine = affine, .nZ = nz, .nz = 1, .z = own});
}

#define NONLINEAR .ny = ny, .nq = nq, .output_fn = affine_h, .nz = 1, .z = own

static nsds_relation *linear(nsds_model *m) {
  return nsds_lagrangian_linear_relation(
      m, &(nsds_lagrangian_linear_relation_def){
             .ny = ny, .nq = nq, .nZ = nz, .H = H, .F = F, .b = b, .nz = 1, .z = own});
}

static nsds_relation *scleronomous(nsds_model *m) {
  return nsds_lagrangian_relation(
      m, &(nsds_lagrangian_relation_def){NONLINEAR, .jac_output_q_fn = affine_h_q});
}

static nsds_relation *by_differences(nsds_model *m) {
  return nsds_lagrangian_relation(
      m, &(nsds_lagrangian_relation_def){NONLINEAR, .jac_output_q_fn = nsds_differences});
}

static nsds_relation *rheonomous(nsds_model *m) {
  return nsds_lagrangian_relation(m, &(nsds_lagrangian_relation_def){NONLINEAR,
                                                                     .jac_output_q_fn = affine_h_q,
                                                                     .jac_output_t_fn = nsds_zero});
}

static nsds_relation *rheonomous_by_differences(nsds_model *m) {
  return nsds_lagrangian_relation(
      m, &(nsds_lagrangian_relation_def){NONLINEAR, .jac_output_q_fn = nsds_differences,
                                         .jac_output_t_fn = nsds_differences});
}

static nsds_relation *compliant(nsds_model *m) {
  return nsds_lagrangian_relation(
      m, &(nsds_lagrangian_relation_def){NONLINEAR, .jac_output_q_fn = affine_h_q,
                                         .jac_output_lambda_fn = nsds_zero});
}

static nsds_relation *own_affine(nsds_model *m) { return own_type(m, &own_ops, true); }
static nsds_relation *own_newton(nsds_model *m) { return own_type(m, &own_ops, false); }

static nsds_relation *linear_d(nsds_model *m) {
  return nsds_lagrangian_linear_relation(
      m, &(nsds_lagrangian_linear_relation_def){
             .ny = ny, .nq = nq, .nZ = nz, .H = H, .D = D, .F = F, .b = b, .nz = 1, .z = own});
}

static nsds_relation *own_affine_d(nsds_model *m) { return own_type(m, &own_ops_d, true); }
static nsds_relation *own_newton_d(nsds_model *m) { return own_type(m, &own_ops_d, false); }

typedef struct variant {
  const char *name;
  nsds_relation *(*create)(nsds_model *model);
  double
      allowed; /* against the first of its table: rounding, or the error of difference quotients */
} variant;

typedef struct world {
  nsds_model *model;
  nsds_ds *ds[2];
  nsds_interaction *contact;
  nsds_simulation *simulation;
} world;

static world build(const variant *v, double e) {
  world w = {.model = nsds_model_create(NULL)};
  const double M[4] = {2.0, 0.4, 0.4, 1.0};
  w.ds[0] = nsds_lagrangian_linear(
      w.model, &(nsds_lagrangian_linear_def){.ndof = 2,
                                             .q0 = (double[]){0.5, -0.2},
                                             .v0 = (double[]){0.0, 1.0},
                                             .mass = M,
                                             .stiffness = (double[]){3.0, 0.0, 0.0, 20.0},
                                             .fext = (double[]){-9.0, 1.0},
                                             .nz = 2,
                                             .z = za});
  w.ds[1] = nsds_lagrangian_linear(w.model, &(nsds_lagrangian_linear_def){.ndof = 1,
                                                                          .q0 = (double[]){0.8},
                                                                          .mass = (double[]){0.5},
                                                                          .fext = (double[]){-5.0},
                                                                          .nz = 1,
                                                                          .z = zb});
  w.contact = nsds_connect(w.model, v->create(w.model), nsds_newton_impact(w.model, e), 2, w.ds);
  w.simulation = nsds_time_stepping(w.model, &(nsds_time_stepping_def){.t1 = 10.0, .h = 2e-3});
  assert_sound(w.model);
  return w;
}

static void check_all(const variant *variants, int count, double e, bool with_d) {
  enum { most = 10, steps = 600 };
  world w[most];
  double largest[most] = {0}, impulse[ny] = {0};
  int partial = 0;
  for (int k = 0; k < count; ++k) w[k] = build(&variants[k], e);
  for (int s = 0; s < steps; ++s) {
    if (s == steps / 2) /* parameters of every owner reach every variant */
      for (int k = 0; k < count; ++k) {
        assert_ok(w[k].model, nsds_ds_set_z(w[k].ds[0], 2, (double[]){0.4, 0.1}));
        assert_ok(w[k].model, nsds_ds_set_z(w[k].ds[1], 1, (double[]){0.6}));
      }
    for (int k = 0; k < count; ++k) {
      assert_ok(w[k].model, nsds_step(w[k].simulation));
      snapshot a = snapshot_take(w[0].model), c = snapshot_take(w[k].model);
      for (size_t i = 0; i < a.count; ++i) largest[k] = worse(fabs(a.x[i] - c.x[i]), largest[k]);
      snapshot_free(&a);
      snapshot_free(&c);
    }
    /* y and dy/dt are those of the relation's equation */
    const double *qa = nsds_q(w[0].ds[0]), *va = nsds_v(w[0].ds[0]),
                 *P = nsds_impulse(w[0].contact);
    const double Q[3] = {qa[0], qa[1], nsds_q(w[0].ds[1])[0]};
    const double V[3] = {va[0], va[1], nsds_v(w[0].ds[1])[0]};
    const double *z = nsds_ds_z(w[0].ds[0]);
    const double Z[4] = {z[0], z[1], nsds_ds_z(w[0].ds[1])[0], own[0]};
    for (int i = 0; i < ny; ++i) {
      double y = b[i], ydot = with_d ? D[i] * P[0] + D[i + ny] * P[1] + D[i + 2 * ny] * P[2] : 0.0;
      for (int j = 0; j < nq; ++j) y += H[i + ny * j] * Q[j], ydot += H[i + ny * j] * V[j];
      for (int j = 0; j < nz; ++j) y += F[i + ny * j] * Z[j];
      assert_near(nsds_y(w[0].contact)[i], y, 1e-13);
      assert_near(nsds_ydot(w[0].contact)[i], ydot, 1e-13);
      impulse[i] += P[i];
    }
    int rows = nsds_simulation_info(w[0].simulation)->rows;
    partial += rows > 0 && rows < ny;
  }
  for (int i = 0; i < ny; ++i) assert_true(impulse[i] > 0.1); /* all rows take part */
  assert_true(partial > 20);                                  /* and not always together */
  for (int k = 1; k < count; ++k)
    print_message("             %-34s max diff %.1e, allowed %.0e\n", variants[k].name, largest[k],
                  variants[k].allowed);
  for (int k = 1; k < count; ++k) assert_between(largest[k], 0.0, variants[k].allowed);
  for (int k = 0; k < count; ++k) nsds_model_destroy(w[k].model);
}

static void rigid_relations_agree(void **state) {
  (void)state;
  const variant variants[] = {
      {"linear", linear, 0.0},
      {"scleronomous", scleronomous, 1e-12},
      {"scleronomous, differences", by_differences, 1e-9},
      {"rheonomous", rheonomous, 1e-12},
      {"rheonomous, differences", rheonomous_by_differences, 1e-9},
      {"own type, affine", own_affine, 1e-12},
      {"own type", own_newton, 1e-12},
  };
  check_all(variants, sizeof variants / sizeof *variants, 0.5, false);
}

/* A compliance that vanishes, with the law that it admits. */
static void without_restitution(void **state) {
  (void)state;
  const variant variants[] = {
      {"linear", linear, 0.0},
      {"scleronomous", scleronomous, 1e-12},
      {"compliant with an impact law", compliant, 1e-12},
  };
  check_all(variants, sizeof variants / sizeof *variants, 0.0, false);
}

/* dy/dt = H V + D P: a compliance at velocity level softens the impact. */
static void feedthrough_agrees(void **state) {
  (void)state;
  const variant variants[] = {
      {"linear with D", linear_d, 0.0},
      {"own type with D, affine", own_affine_d, 1e-12},
      {"own type with D", own_newton_d, 1e-12},
  };
  check_all(variants, sizeof variants / sizeof *variants, 0.0, true);
}

/* ---- a floor that moves with constant speed ---- */

static const double speed = 0.7;

static int moving_h(const nsds_arguments *in, double *y, void *user) {
  (void)user;
  y[0] = in->q[0] - speed * in->t;
  return 0;
}

static int one(const nsds_arguments *in, double *out, void *user) {
  (void)in, (void)user;
  out[0] = 1.0;
  return 0;
}

static int minus_speed(const nsds_arguments *in, double *out, void *user) {
  (void)in, (void)user;
  out[0] = -speed;
  return 0;
}

static int plus_speed(const nsds_arguments *in, double *out, void *user) {
  (void)in, (void)user;
  out[0] = speed;
  return 0;
}

static nsds_ds *body(nsds_model *model, double v, bool held) {
  return nsds_lagrangian_linear(
      model, &(nsds_lagrangian_linear_def){.ndof = 1,
                                           .q0 = (double[]){held ? 0.0 : 1.0},
                                           .v0 = &v,
                                           .mass = (double[]){1.5},
                                           .fext = (double[]){held ? 0.0 : -15.0},
                                           .prescribed.n = held,
                                           .prescribed.index = held ? (int[]){0} : NULL,
                                           .prescribed.fn = held ? plus_speed : NULL});
}

/* One contact, m (v+ - v) = P - m g h, u = v + D P: 0 <= u+ + e u perpendicular to P. */
static void feedthrough_closed_form(void **state) {
  (void)state;
  const double m = 2.0, d = 0.25, e = 0.3, g = 9.81, h = 1e-2;
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *ds = nsds_lagrangian_linear(
      model, &(nsds_lagrangian_linear_def){
                 .ndof = 1, .q0 = (double[]){0.3}, .mass = &m, .fext = (double[]){-m * g}});
  nsds_relation *gap = nsds_lagrangian_linear_relation(
      model,
      &(nsds_lagrangian_linear_relation_def){.ny = 1, .nq = 1, .H = (double[]){1.0}, .D = &d});
  nsds_law *impact = nsds_newton_impact(model, e);
  nsds_interaction *contact = nsds_connect(model, gap, impact, 1, &ds);
  /* a second one, without D and always closed: the D of the first is its own */
  nsds_ds *resting = body(model, 0.0, false);
  nsds_relation *below = nsds_lagrangian_linear_relation(
      model, &(nsds_lagrangian_linear_relation_def){
                 .ny = 1, .nq = 1, .H = (double[]){1.0}, .b = (double[]){-1.001}});
  nsds_connect(model, below, nsds_complementarity(model), 1, &resting);
  nsds_simulation *simulation =
      nsds_time_stepping(model, &(nsds_time_stepping_def){.t1 = 3.0, .h = h});
  assert_sound(model);
  double q = 0.3, v = 0.0, u = 0.0, total = 0.0;
  while (nsds_step(simulation) == NSDS_OK) {
    double P = 0.0, free_v = v - g * h;
    if (q + 0.5 * h * u <= 0.0) P = fmax(0.0, -(free_v + e * u) / (1.0 / m + d));
    double next = free_v + P / m;
    q += 0.5 * h * (v + next);
    v = next;
    u = v + d * P;
    total += P;
    assert_near(nsds_q(ds)[0], q, 1e-12);
    assert_near(nsds_v(ds)[0], v, 1e-12);
    assert_near(nsds_ydot(contact)[0], u, 1e-12);
    assert_near(nsds_impulse(contact)[0], P, 1e-12);
    assert_near(nsds_v(resting)[0], 0.0, 1e-12);
  }
  assert_sound(model);
  assert_true(total > 1.0);
  nsds_model_destroy(model);
}

static void moving_floor(void **state) {
  (void)state;
  nsds_model *model[3];
  nsds_ds *ball[3];
  nsds_interaction *contact[3];
  nsds_simulation *simulation[3];
  for (int k = 0; k < 3; ++k) {
    model[k] = nsds_model_create(NULL);
    ball[k] = body(model[k], k == 1 ? -speed : 0.0, false);
    nsds_ds *ds[2] = {ball[k], k == 2 ? body(model[k], speed, true) : NULL};
    nsds_relation *gap =
        k == 0 ? nsds_lagrangian_relation(
                     model[k], &(nsds_lagrangian_relation_def){.ny = 1,
                                                               .nq = 1,
                                                               .output_fn = moving_h,
                                                               .jac_output_q_fn = one,
                                                               .jac_output_t_fn = minus_speed})
               : nsds_lagrangian_linear_relation(model[k],
                                                 &(nsds_lagrangian_linear_relation_def){
                                                     .ny = 1, .nq = k, .H = (double[]){1.0, -1.0}});
    contact[k] = nsds_connect(model[k], gap, nsds_newton_impact(model[k], 0.7), k == 2 ? 2 : 1, ds);
    simulation[k] = nsds_time_stepping(model[k], &(nsds_time_stepping_def){.t1 = 4.0, .h = 1e-3});
    assert_sound(model[k]);
  }
  double total = 0.0;
  for (int s = 0; s < 4000; ++s) {
    for (int k = 0; k < 3; ++k) assert_ok(model[k], nsds_step(simulation[k]));
    double t = nsds_time(simulation[0]);
    for (int k = 1; k < 3; ++k) {
      double drift = k == 1 ? speed : 0.0;
      assert_near(nsds_q(ball[k])[0] + drift * t, nsds_q(ball[0])[0], 1e-11);
      assert_near(nsds_v(ball[k])[0] + drift, nsds_v(ball[0])[0], 1e-11);
      assert_near(nsds_y(contact[k])[0], nsds_y(contact[0])[0], 1e-11);
      assert_near(nsds_ydot(contact[k])[0], nsds_ydot(contact[0])[0], 1e-11);
      assert_near(nsds_impulse(contact[k])[0], nsds_impulse(contact[0])[0], 1e-11);
    }
    total += nsds_impulse(contact[0])[0];
  }
  assert_true(total > 10.0);
  for (int k = 0; k < 3; ++k) nsds_model_destroy(model[k]);
}

/* ---- a soft floor that moves: y = q - speed t + lambda / k ---- */

static const double softness = 1e-3; /* 1 / k */

static int soft_h(const nsds_arguments *in, double *y, void *user) {
  (void)user;
  y[0] = in->q[0] - speed * in->t + softness * in->lambda[0];
  return 0;
}

static int soft_h_lambda(const nsds_arguments *in, double *out, void *user) {
  (void)in, (void)user;
  out[0] = softness;
  return 0;
}

/* Both dh/dt and dh/dlambda: the same as a soft floor at rest, seen by somebody who moves with it. */
static void soft_moving_floor(void **state) {
  (void)state;
  nsds_model *model[2];
  nsds_ds *ball[2];
  nsds_interaction *contact[2];
  nsds_simulation *simulation[2];
  for (int k = 0; k < 2; ++k) {
    model[k] = nsds_model_create(NULL);
    ball[k] = body(model[k], k == 1 ? -speed : 0.0, false);
    nsds_relation *gap =
        k == 0
            ? nsds_lagrangian_relation(
                  model[k], &(nsds_lagrangian_relation_def){.ny = 1,
                                                            .nq = 1,
                                                            .output_fn = soft_h,
                                                            .jac_output_q_fn = one,
                                                            .jac_output_t_fn = minus_speed,
                                                            .jac_output_lambda_fn = soft_h_lambda})
            : nsds_lagrangian_linear_relation(
                  model[k], &(nsds_lagrangian_linear_relation_def){
                                .ny = 1, .nq = 1, .H = (double[]){1.0}, .compliance = &softness});
    contact[k] = nsds_connect(model[k], gap, nsds_complementarity(model[k]), 1, &ball[k]);
    simulation[k] = nsds_time_stepping(model[k], &(nsds_time_stepping_def){.t1 = 4.0, .h = 1e-3});
    assert_sound(model[k]);
  }
  double largest = 0.0;
  for (int s = 0; s < 4000; ++s) {
    for (int k = 0; k < 2; ++k) assert_ok(model[k], nsds_step(simulation[k]));
    double t = nsds_time(simulation[0]);
    assert_near(nsds_q(ball[1])[0] + speed * t, nsds_q(ball[0])[0], 1e-9);
    assert_near(nsds_v(ball[1])[0] + speed, nsds_v(ball[0])[0], 1e-9);
    assert_near(nsds_y(contact[1])[0], nsds_y(contact[0])[0], 1e-9);
    largest = fmax(largest, nsds_impulse(contact[0])[0]);
  }
  assert_true(largest > 1e-2);
  for (int k = 0; k < 2; ++k) nsds_model_destroy(model[k]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rigid_relations_agree), cmocka_unit_test(without_restitution),
      cmocka_unit_test(feedthrough_agrees),    cmocka_unit_test(feedthrough_closed_form),
      cmocka_unit_test(moving_floor),          cmocka_unit_test(soft_moving_floor),
  };
  return cmocka_run_group_tests_name("kernel.conformance_relations", tests, NULL, NULL);
}
