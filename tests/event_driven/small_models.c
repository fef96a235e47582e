/*
 * Small models with known answers, each of a kind that was once wrong: doubled joints released from
 * rest, boxes that land flat, series of impacts under friction, halves of events, the problem of an
 * event, late starts.
 */
#include "support.h"

#include <nsds/joint.h>
#include <nsds/rigid_body.h>
#include <nsds/shapes.h>

static const double g = 9.81;
static const char *const integrators[] = {"dormand_prince", "arkode", "cvode"};
enum { nintegrator = 3 };

/* NULL where the build has no such integrator. */
static nsds_simulation *start(nsds_model *model, const char *integrator, double t0, double length) {
  nsds_simulation *s = nsds_event_driven(
      model, &(nsds_event_driven_def){.t0 = t0, .t1 = t0 + length, .integrator = integrator});
  if (s || strcmp(integrator, integrators[0]) == 0) assert_sound(model);
  return s;
}

static nsds_ds *point(nsds_model *model, int n, const double *q, const double *v, double load) {
  const double M[4] = {1.0, 0.0, 0.0, 1.0}, one = 1.0;
  return nsds_lagrangian_linear(
      model,
      &(nsds_lagrangian_linear_def){
          .ndof = n, .q0 = q, .v0 = v, .mass = n == 1 ? &one : M, .fext = (double[]){load, 0.0}});
}

static nsds_interaction *tie(nsds_model *model, nsds_ds *ds, int n, nsds_law *law) {
  const double H[4] = {1.0, 0.0, 0.0, 1.0}, one = 1.0;
  nsds_relation *r = nsds_lagrangian_linear_relation(
      model, &(nsds_lagrangian_linear_relation_def){.ny = n, .nq = n, .H = n == 1 ? &one : H});
  return nsds_connect(model, r, law, 1, &ds);
}

/* The time at which series of impacts end; runs to the end. */
static double limit_of(nsds_model *model, nsds_simulation *s) {
  nsds_status status;
  double limit = NAN;
  while ((status = nsds_step(s)) == NSDS_OK) {
    const nsds_event_info *event = nsds_simulation_event(s);
    for (int k = 0; k < event->count; ++k)
      if (isfinite(event->row[k].limit_time)) limit = event->row[k].limit_time;
  }
  assert_status(model, status, NSDS_END);
  return limit;
}

/* ---- doubled joints, from rest --------------------------------------------------------------- */

/* A door of 1 kg on hinges, released: energy gives w as it falls by an angle that grows as a
 * pendulum's; w at 0.3 s from a fine integration of its angle. */
static void door_from_rest(void **state) {
  (void)state;
  const double J[9] = {[0] = 0.1, [4] = 0.1, [8] = 0.1};
  for (int hinges = 1; hinges <= 4; ++hinges)
    for (int k = 0; k < nintegrator; ++k) {
      nsds_model *m = nsds_model_create(NULL);
      nsds_ds *ds =
          nsds_rigid_body(m, &(nsds_rigid_body_def){.mass = 1.0,
                                                    .inertia = J,
                                                    .q0 = (double[]){0.5, 0, 0, 1, 0, 0, 0},
                                                    .gravity = {0, -g, 0}});
      for (int h = 0; h < hinges; ++h) {
        nsds_joint_def hinge = {.kind = NSDS_JOINT_HINGE,
                                .ds = {ds},
                                .point = {0, 0, hinges > 1 ? (double)h / (hinges - 1) - 0.5 : 0.0},
                                .axis = {0, 0, 1}};
        nsds_connect(m, nsds_joint(m, &hinge), nsds_equality(m), 1, &ds);
      }
      nsds_simulation *s = start(m, integrators[k], 0.0, 0.3);
      if (s) assert_status(m, nsds_run(s), NSDS_END);
      if (s) assert_near(nsds_v(ds)[5], -4.0424381974, 1e-6);
      if (s && k == 0) assert_near(nsds_v(ds)[5], -4.0424381974, 1e-8);
      nsds_model_destroy(m);
    }
}

/* The same without any load: it stays. */
static void door_at_rest(void **state) {
  (void)state;
  const double J[9] = {[0] = 0.1, [4] = 0.1, [8] = 0.1};
  nsds_model *m = nsds_model_create(NULL);
  nsds_ds *ds = nsds_rigid_body(
      m,
      &(nsds_rigid_body_def){.mass = 1.0, .inertia = J, .q0 = (double[]){0.5, 0, 0, 1, 0, 0, 0}});
  for (int h = 0; h < 2; ++h) {
    nsds_joint_def hinge = {
        .kind = NSDS_JOINT_HINGE, .ds = {ds}, .point = {0, 0, h - 0.5}, .axis = {0, 0, 1}};
    nsds_connect(m, nsds_joint(m, &hinge), nsds_equality(m), 1, &ds);
  }
  nsds_simulation *s = start(m, integrators[0], 0.0, 2.0);
  assert_status(m, nsds_run(s), NSDS_END);
  assert_true(nsds_q(ds)[0] == 0.5 && nsds_v(ds)[5] == 0.0);
  nsds_model_destroy(m);
}

/* ---- a linkage that is stretched -------------------------------------------------------------- */

/* Three cranks of length r side by side carry a rod. Twice a turn all are in a line, where the joints alone do
 * not say whether the rod turns. It never does: no energy is lost, and without a load the cranks go on
 * turning at the speed w that they have. */
static void cranks(double load, double angle, double w, double end, double tolerance) {
  const double r = 0.5, c = r * cos(angle), d = r * sin(angle);
  const double at[] = {0.0, 0.7, 1.2}, mass[] = {0.8, 1.1, 1.4, 1.5};
  nsds_model *m = nsds_model_create(NULL);
  nsds_rigid_body_2d_def rod = {.mass = mass[3],
                                .inertia = 0.2,
                                .q0 = (double[]){c + 0.6, d, 0.0},
                                .v0 = (double[]){-w * d, w * c, 0.0},
                                .gravity = {0, -load}};
  nsds_ds *ds[4] = {[3] = nsds_rigid_body_2d(m, &rod)};
  double J = mass[3] * r * r, moment = load * mass[3] * r; /* of all, about one foot */
  for (int k = 0; k < 3; ++k) {
    nsds_rigid_body_2d_def crank = {
        .mass = mass[k],
        .inertia = 0.02,
        .q0 = (double[]){at[k] + 0.5 * c, 0.5 * d, angle},
        .v0 = (double[]){-0.5 * w * d, 0.5 * w * c, w},
        .gravity = {0, -load},
    };
    ds[k] = nsds_rigid_body_2d(m, &crank);
    nsds_joint_def foot = {.kind = NSDS_JOINT_BALL, .ds = {ds[k]}, .point = {at[k], 0, 0}};
    nsds_joint_def head = {
        .kind = NSDS_JOINT_BALL, .ds = {ds[k], ds[3]}, .point = {at[k] + c, d, 0}};
    nsds_connect(m, nsds_joint(m, &foot), nsds_equality(m), 1, foot.ds);
    nsds_connect(m, nsds_joint(m, &head), nsds_equality(m), 2, head.ds);
    J += 0.02 + 0.25 * mass[k] * r * r;
    moment += 0.5 * load * mass[k] * r;
  }
  nsds_simulation *s = start(m, integrators[0], 0.0, end);
  assert_status(m, nsds_run(s), NSDS_END);
  double now = nsds_v(ds[0])[2], q = nsds_q(ds[0])[2];
  assert_near(0.5 * J * now * now + moment * sin(q), 0.5 * J * w * w + moment * sin(angle),
              tolerance);
  if (load == 0.0) assert_near(q, angle + w * end, tolerance);
  for (int k = 0; k < 3; ++k) assert_near(nsds_q(ds[k])[2], q, 1e-7);
  assert_near(nsds_q(ds[3])[2], 0.0, 1e-7);
  nsds_model_destroy(m);
}

static void stretched_cranks(void **state) {
  (void)state;
  cranks(0.0, 0.6, 3.0, 12.0, 1e-7);
  cranks(g, 0.02, 0.0, 4.0, 1e-6);
}

/* ---- flat landings --------------------------------------------------------------------------- */

/* A cube that lands flat does not turn: by shapes, or by its corners in some order. */
static void lands_flat(double mu, int order) {
  const double J[9] = {[0] = 1.0 / 6, [4] = 1.0 / 6, [8] = 1.0 / 6};
  nsds_model *m = nsds_model_create(NULL);
  nsds_ds *ds = nsds_rigid_body(m, &(nsds_rigid_body_def){.mass = 1.0,
                                                          .inertia = J,
                                                          .q0 = (double[]){0, 0, 0.6, 1, 0, 0, 0},
                                                          .v0 = (double[]){0, 0, -1, 0, 0, 0},
                                                          .gravity = {0, 0, -g}});
  nsds_law *law =
      nsds_newton_impact_friction(m, &(nsds_newton_impact_friction_def){.mu = mu, .e_n = 0.5});
  nsds_shape_def shape[2] = {{.kind = NSDS_BOX, .ds = ds, .half = {0.5, 0.5, 0.5}},
                             {.kind = NSDS_HALF_SPACE, .plane = {.normal = {0, 0, 1}}}};
  if (order < 0) nsds_shapes(m, &(nsds_shapes_def){.law = law, .nshape = 2, .shape = shape});
  for (int k = 0; order >= 0 && k < 4; ++k) {
    int c = k ^ order; /* another order for each */
    nsds_sphere_plane_relation_def corner = {
        .center = {c & 1 ? 0.5 : -0.5, c & 2 ? 0.5 : -0.5, -0.5}, .normal = {0, 0, 1}};
    nsds_connect(m, nsds_sphere_plane_relation(m, &corner), law, 1, &ds);
  }
  nsds_simulation *s = start(m, integrators[0], 0.0, 1.0);
  double v = sqrt(1.0 + 0.2 * g); /* sum of the flights */
  assert_near(limit_of(m, s), (v - 1.0) / g + 2.0 * v / g, 1e-9);
  for (int k = 0; k < 3; ++k) {
    assert_near(nsds_q(ds)[k], k < 2 ? 0.0 : 0.5, 1e-13);
    assert_near(nsds_q(ds)[4 + k], 0.0, 1e-13);
    assert_near(nsds_v(ds)[3 + k], 0.0, 1e-13);
  }
  nsds_model_destroy(m);
}

static void flat_landings(void **state) {
  (void)state;
  const double mu[] = {0.0, 0.1, 0.5, 2.0};
  for (int k = 0; k < 4; ++k)
    for (int order = -1; order < 4; ++order) lands_flat(mu[k], order);
}

/* ---- series of impacts under friction -------------------------------------------------------- */

/* A sleeve on a rod with dry friction, dropped: decelerations up and down differ. */
static void sleeve(void **state) {
  (void)state;
  const double friction[] = {0.0, 1.0, 3.0, 8.0}, e[] = {0.3, 0.8};
  for (int i = 0; i < 8; ++i) {
    double f = friction[i / 2], up = g + f, down = g - f, v = sqrt(2.0 * down), t = v / down;
    double r = e[i % 2] * sqrt(down / up);
    t += e[i % 2] * v * (1.0 / up + sqrt(down / up) / down) / (1.0 - r);
    nsds_model *m = nsds_model_create(NULL);
    nsds_ds *ds = point(m, 1, (double[]){1.0}, NULL, -g);
    tie(m, ds, 1, nsds_newton_impact(m, e[i % 2]));
    if (f > 0.0) tie(m, ds, 1, nsds_relay(m, 1, (double[]){-f}, (double[]){f}));
    nsds_simulation *s = start(m, integrators[0], 0.0, t + 1.0);
    assert_near(limit_of(m, s), t, 2e-9);
    assert_near(nsds_q(ds)[0], 0.0, 1e-15);
    nsds_model_destroy(m);
  }
  assert_near(sqrt(2.0 / 6.81) + 0.8 * sqrt(2.0 * 6.81) * (1 / 12.81 + 1 / sqrt(6.81 * 12.81)) /
                                     (1.0 - 0.8 * sqrt(6.81 / 12.81)),
              1.8536076678, 1e-9);
}

/* Momentum: what gravity and friction have given, mu of what the floor has. */
static void sliding_ball(void **state) {
  (void)state;
  for (int k = 0; k < 12; ++k) {
    double mu = 0.05 * (k % 6 + 1), e = k < 6 ? 0.4 : 0.7, t1 = 1.3;
    nsds_model *m = nsds_model_create(NULL);
    nsds_ds *ds = point(m, 2, (double[]){0.2, 0.0}, (double[]){0.1, 4.0}, -g);
    nsds_interaction *floor =
        tie(m, ds, 2,
            nsds_newton_impact_friction(
                m, &(nsds_newton_impact_friction_def){.dimension = 2, .mu = mu, .e_n = e}));
    nsds_simulation *s = start(m, integrators[0], 0.0, t1);
    nsds_status status;
    while ((status = nsds_step(s)) == NSDS_OK) {
      if (!(nsds_simulation_event(s)->kind & NSDS_EVENT_ACCUMULATION)) continue;
      assert_near(nsds_impulse(floor)[1], -mu * nsds_impulse(floor)[0], 1e-20);
    }
    assert_status(m, status, NSDS_END);
    double v = sqrt(0.01 + 0.4 * g), rest = (0.1 + v) / g + 2.0 * v * e / g / (1.0 - e);
    assert_true(rest < t1);
    assert_near(nsds_v(ds)[1], 4.0 - mu * (g * t1 - 0.1), 1e-10);
    nsds_model_destroy(m);
  }
}

/* ---- halves ---------------------------------------------------------------------------------- */

/* Between the halves time, state and report belong to the event; a start that is an impact has the
 * state before it. */
static void halves(void **state) {
  (void)state;
  for (int late = 0; late < 2; ++late) {
    double q0 = late ? 1.0 : 0.0, v0 = late ? 0.0 : -3.0, t = late ? sqrt(2.0 / g) : 0.0;
    double before = late ? -sqrt(2.0 * g) : -3.0;
    nsds_model *m = nsds_model_create(NULL);
    nsds_ds *ds = point(m, 1, &q0, &v0, -g);
    nsds_interaction *floor = tie(m, ds, 1, nsds_newton_impact(m, 0.5));
    nsds_simulation *s = start(m, integrators[0], 0.0, 2.0);
    const nsds_event_info *event = nsds_simulation_event(s);
    for (int k = 0; k < 3; ++k) {
      assert_ok(m, nsds_event_meet(s));
      assert_near(nsds_time(s), t, 1e-12);
      assert_near(event->t, t, 1e-12);
      assert_true(isnan(event->previous));
      assert_int_equal(event->count, 0);
      assert_near(nsds_v(ds)[0], before, 1e-11);
      assert_near(nsds_q(ds)[0], 0.0, 1e-12);
      assert_near(nsds_ydot(floor)[0], before, 1e-11);
      if (k == 2) break;
      assert_ok(m, nsds_step_reject(s));
      assert_true(nsds_time(s) == 0.0 && nsds_v(ds)[0] == v0 && isnan(event->t));
    }
    assert_ok(m, nsds_event_process(s));
    assert_near(nsds_time(s), t, 1e-12);
    assert_near(event->t, t, 1e-12);
    assert_true(isnan(event->previous));
    assert_int_equal(event->kind, NSDS_EVENT_NONSMOOTH | NSDS_EVENT_IMPACT);
    assert_int_equal(event->nonsmooth, 1);
    assert_near(nsds_v(ds)[0], -0.5 * before, 1e-11);
    assert_ok(m, nsds_step(s));
    assert_near(event->previous, t, 1e-12);
    assert_near(event->t, t - before / g, 1e-11); /* 2 (e v) / g */
    nsds_model_destroy(m);
  }
}

/* ---- the problem of an event ----------------------------------------------------------------- */

static void problem(void **state) {
  (void)state;
  nsds_model *m = nsds_model_create(NULL);
  nsds_ds *ds = point(m, 2, (double[]){0.2, 0.0}, (double[]){0.0, 2.0}, -g);
  nsds_law *law =
      nsds_newton_impact_friction(m, &(nsds_newton_impact_friction_def){.dimension = 2, .mu = 0.3});
  tie(m, ds, 2, law);
  nsds_simulation *s = start(m, integrators[0], 0.0, 1.0);
  assert_null(nsds_simulation_problem(s));
  assert_ok(m, nsds_step(s)); /* comes to rest on the floor, sliding: a problem in the force */
  const nsds_problem *p = nsds_simulation_problem(s);
  assert_non_null(p);
  assert_int_equal(p->n, 1);
  assert_near(p->M.x[0], 1.0, 1e-15);
  assert_near(p->q[0], -g, 1e-14);
  double w, work[64];
  nsds_certificate certificate;
  assert_true(nsds_problem_work(p) <= 64);
  nsds_certify(p, nsds_simulation_solution(s), work, &certificate);
  assert_true(certificate.residual <= 1e-15);
  assert_near(nsds_simulation_solution(s)[0], g, 1e-14);
  assert_ok(m, nsds_problem_check(nsds_model_context(m), p));
  w = work[0];
  assert_near(w, 0.0, 1e-14);
  nsds_model_destroy(m);
}

/* ---- late starts ----------------------------------------------------------------------------- */

static void late_starts(void **state) {
  (void)state;
  const double t0[] = {-1e9, -3.0, 0.0, 7.0, 1e6, 1e9, 1e12};
  for (int k = 0; k < 7; ++k)
    for (int i = 0; i < nintegrator; ++i) {
      nsds_model *m = nsds_model_create(NULL);
      nsds_ds *ds = point(m, 1, (double[]){1.0}, NULL, -g);
      tie(m, ds, 1, nsds_newton_impact(m, 0.5));
      nsds_simulation *s = start(m, integrators[i], t0[k], 5.0);
      double error =
          i < 2 ? 1e-8 : 1e-5; /* flights too low for the tolerance of cvode end it early */
      if (s) assert_near(limit_of(m, s) - t0[k], 3.0 * sqrt(2.0 / g), error + 2e-16 * fabs(t0[k]));
      if (s) assert_near(nsds_q(ds)[0], 0.0, 1e-14);
      if (s) assert_near(nsds_v(ds)[0], 0.0, 1e-14);
      nsds_model_destroy(m);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(door_from_rest),   cmocka_unit_test(door_at_rest),
      cmocka_unit_test(flat_landings),    cmocka_unit_test(sleeve),
      cmocka_unit_test(sliding_ball),     cmocka_unit_test(halves),
      cmocka_unit_test(problem),          cmocka_unit_test(late_starts),
      cmocka_unit_test(stretched_cranks),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
