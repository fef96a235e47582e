/* Event-driven motions with closed forms: impact times, accumulation, forces, take-off, belts. */
#include "scenes.h"
#include "support.h"

#include "linkages.h"

static const double g = 9.81;

static nsds_simulation *start(nsds_model *model, double t1) {
  nsds_simulation *s = nsds_event_driven(
      model,
      &(nsds_event_driven_def){.t1 = t1, .relative_tolerance = 1e-12, .absolute_tolerance = 1e-13});
  assert_sound(model);
  return s;
}

static unsigned kind(const nsds_simulation *s) { return nsds_simulation_event(s)->kind; }

/* t_1 = sqrt(2 y_0 / g), t_{k+1} = t_k + 2 e^k v_1 / g. */
static void impact_times(void **state) {
  (void)state;
  nsds_model *model = nsds_model_create(NULL);
  double e = 0.8, y0 = 2.0, t = sqrt(2.0 * y0 / g), v = g * t;
  ball_scene scene = scene_bouncing_ball(model, 1.0, 0.0, y0, e);
  nsds_simulation *s = start(model, 10.0);
  for (int k = 0; k < 20; ++k) {
    assert_ok(model, nsds_step(s));
    assert_int_equal(kind(s), NSDS_EVENT_NONSMOOTH | NSDS_EVENT_IMPACT);
    const nsds_event_row *row = nsds_simulation_event(s)->row;
    assert_ptr_equal(row->interaction, scene.floor);
    assert_near(nsds_time(s), t, 1e-12 * t);
    assert_near(row->ydot_before, -v, 1e-12 * v);
    assert_near(row->ydot_after, e * v, 1e-12 * v);
    assert_near(nsds_p(nsds_ds_at(model, 0))[0], (1.0 + e) * v, 4e-12 * v);
    assert_near(nsds_simulation_event(s)->kinetic_before, 0.5 * v * v, 1e-11);
    v *= e;
    t += 2.0 * v / g;
  }
  nsds_model_destroy(model);
}

/* t = sqrt(2 y_0 / g) (1 + e) / (1 - e), and rest. */
static void accumulation(void **state) {
  (void)state;
  for (int k = 1; k <= 9; ++k) {
    double e = 0.1 * k, y0 = 0.5 * k, limit = NAN;
    double end = sqrt(2.0 * y0 / g) * (1.0 + e) / (1.0 - e);
    nsds_model *model = nsds_model_create(NULL);
    ball_scene scene = scene_bouncing_ball(model, 1.0, 0.0, y0, e);
    nsds_simulation *s = start(model, end + 1.0);
    nsds_status status;
    while ((status = nsds_step(s)) == NSDS_OK) {
      const nsds_event_info *event = nsds_simulation_event(s);
      if (!(event->kind & NSDS_EVENT_IMPACT)) continue;
      double jump = event->row[0].ydot_after - event->row[0].ydot_before;
      if (event->kind & NSDS_EVENT_ACCUMULATION) limit = event->row[0].limit_time;
      assert_near(event->row[0].impulse, jump, 1e-15); /* of one kilogram, at the limit too */
      assert_near(nsds_impulse(scene.floor)[0], jump, 1e-15);
    }
    assert_int_equal(status, NSDS_END);
    assert_true(isnan(nsds_simulation_event(s)->kinetic_after)); /* the end is no impact */
    assert_near(limit, end, 1e-9 * end);
    assert_near(nsds_q(scene.ball)[0], 0.0, 1e-15);
    assert_near(nsds_v(scene.ball)[0], 0.0, 0.0);
    assert_near(nsds_lambda(scene.floor)[0], g, 1e-13);
    nsds_model_destroy(model);
  }
}

static int nothing(nsds_simulation *s, void *user) {
  (void)s, (void)user;
  return 0;
}

/* A door on a frame that tumbles, with one hinge, two and three, settled now and then by samplers
 * or not: the same motion. */
static void redundant_hinges(void **state) {
  (void)state;
  double q[7];
  for (int trial = 2; trial <= 7; ++trial) {
    int count = trial / 2;
    nsds_model *m = nsds_model_create(NULL);
    const double heavy[9] = {[0] = 9.0, [4] = 9.0, [8] = 9.0};
    const double thin[9] = {[0] = 0.34, [4] = 0.39, [8] = 0.05};
    nsds_ds *frame = nsds_rigid_body(
        m, &(nsds_rigid_body_def){.mass = 50.0,
                                  .inertia = heavy,
                                  .v0 = (const double[6]){0.3, 0.1, 0, 0.2, 0.3, 0.1}});
    nsds_ds *door = nsds_rigid_body(
        m, &(nsds_rigid_body_def){.mass = 1.0,
                                  .inertia = thin,
                                  .q0 = (const double[7]){0.4, 0, 0, 1, 0, 0, 0},
                                  .v0 = (const double[6]){0.3, 0.14, -0.12, 0.2, 0.3, 0.1},
                                  .gravity = {2.0, 2.9, -g}});
    for (int k = 0; k < count; ++k) {
      nsds_joint_def hinge = {.kind = NSDS_JOINT_HINGE,
                              .ds = {door, frame},
                              .point = {0, 0, count > 1 ? -0.8 + 1.6 * k / (count - 1) : 0.0},
                              .axis = {0, 0, 1}};
      nsds_connect(m, nsds_joint(m, &hinge), nsds_equality(m), 2, hinge.ds);
    }
    nsds_simulation *s = nsds_event_driven(m, &(nsds_event_driven_def){.t1 = 6.0});
    nsds_sampler_def often = {.period = 0.5, .sample = nothing};
    if (trial % 2) assert_ok(m, nsds_simulation_sample(s, &often));
    assert_status(m, nsds_run(s), NSDS_END);
    for (int i = 0; i < 7; ++i)
      assert_near(nsds_q(door)[i], trial > 2 ? q[i] : nsds_q(door)[i], 1e-6);
    memcpy(q, nsds_q(door), sizeof q);
    nsds_model_destroy(m);
  }
}

/* The place and the attitude of the first bar. */
static void tumble(bool once, double q[7]) {
  nsds_model *m = nsds_model_create(NULL);
  ring_scene ring;
  scene_ring_of_bars(m, &ring, once);
  nsds_simulation *s = nsds_event_driven(m, &(nsds_event_driven_def){.t1 = 15.0});
  assert_status(m, nsds_run(s), NSDS_END);
  assert_int_equal(nsds_simulation_event(s)->nonsmooth, 0);
  assert_between((double)nsds_simulation_event(s)->steps, 1.0, 600.0); /* of some 300 */
  memcpy(q, nsds_q(ring.bar[0]), 7 * sizeof *q);
  nsds_model_destroy(m);
}

/* Which rows follow from the others changes as the ring turns: the integration found no step small
 * enough. */
static void tumbling_ring(void **state) {
  (void)state;
  double q[7], exact[7];
  tumble(true, exact);
  tumble(false, q);
  for (int i = 0; i < 7; ++i) assert_near(q[i], exact[i], 1e-6);
}

/* Beads that come to rest on each other carry those above them. */
static void column_at_rest(void **state) {
  (void)state;
  nsds_model *model = nsds_model_create(NULL);
  static bead_scene scene;
  scene_bead_column(model, &scene, 10, 0.1, 1.0, 0.25, 0.5);
  nsds_simulation *s = start(model, 10.0);
  double energy = INFINITY;
  nsds_status status;
  while ((status = nsds_event_meet(s)) == NSDS_OK) {
    double v[10];
    for (int i = 0; i < 10; ++i) v[i] = nsds_v(scene.bead[i])[0];
    assert_ok(model, nsds_event_process(s));
    const nsds_event_info *event = nsds_simulation_event(s);
    if (event->kind & NSDS_EVENT_IMPACT) {
      assert_true(event->kinetic_after <= event->kinetic_before * (1.0 + 1e-13));
      energy = event->kinetic_after;
      for (int i = 0; i < 10; ++i) {
        double above = i < 9 ? nsds_impulse(scene.contact[i + 1])[0] : 0.0;
        assert_near(nsds_v(scene.bead[i])[0] - v[i], nsds_impulse(scene.contact[i])[0] - above,
                    1e-14);
      }
    }
    for (int i = 0; i < 10; ++i) assert_true(nsds_y(scene.contact[i])[0] > -1e-12);
  }
  assert_int_equal(status, NSDS_END);
  assert_near(energy, 0.0, 1e-20);
  for (int i = 0; i < 10; ++i) {
    assert_near(nsds_q(scene.bead[i])[0], 0.1 + 0.2 * i, 1e-12);
    assert_near(nsds_lambda(scene.contact[i])[0], (10 - i) * g, 1e-10);
  }
  nsds_model_destroy(model);
}

static int table_gap(const nsds_arguments *in, double *y, void *user) {
  (void)user;
  y[0] = in->q[0] - 0.1 * sin(12.0 * in->t);
  return 0;
}

static int table_gap_q(const nsds_arguments *in, double *H, void *user) {
  (void)in, (void)user;
  H[0] = 1.0;
  return 0;
}

static int table_gap_t(const nsds_arguments *in, double *ht, void *user) {
  (void)user;
  ht[0] = -1.2 * cos(12.0 * in->t);
  return 0;
}

/* On a table a sin(w t) with a w^2 > g a mass takes off where the table's acceleration is -g, that
 * is sin(w t) = g / (a w^2). Its force before is m (g - a w^2 sin(w t)). */
static void take_off(void **state) {
  (void)state;
  nsds_model *model = nsds_model_create(NULL);
  double one = 1.0, weight = -g, v0 = 1.2;
  nsds_ds *mass = nsds_lagrangian_linear(
      model, &(nsds_lagrangian_linear_def){.ndof = 1, .mass = &one, .v0 = &v0, .fext = &weight});
  nsds_relation *gap = nsds_lagrangian_relation(
      model, &(nsds_lagrangian_relation_def){.ny = 1,
                                             .nq = 1,
                                             .output_fn = table_gap,
                                             .jac_output_q_fn = table_gap_q,
                                             .jac_output_t_fn = table_gap_t});
  nsds_interaction *contact = nsds_connect(model, gap, nsds_newton_impact(model, 0.0), 1, &mass);
  nsds_simulation *s =
      nsds_event_driven(model, &(nsds_event_driven_def){.t1 = 1.0,
                                                        .output_period = 1e-3,
                                                        .relative_tolerance = 1e-12,
                                                        .absolute_tolerance = 1e-13});
  assert_sound(model);
  double off = asin(g / (0.1 * 144.0)) / 12.0;
  for (;;) {
    assert_ok(model, nsds_step(s));
    if (kind(s) & NSDS_EVENT_NONSMOOTH) break;
    assert_near(nsds_lambda(contact)[0], g - 14.4 * sin(12.0 * nsds_time(s)), 1e-8);
  }
  assert_near(nsds_time(s), off, 1e-9);
  assert_true(nsds_simulation_event(s)->row[0].closed_before);
  assert_false(nsds_simulation_event(s)->row[0].closed_after);
  double v = 1.2 * cos(12.0 * off), q = 0.1 * sin(12.0 * off);
  do assert_ok(model, nsds_step(s));
  while (!(kind(s) & NSDS_EVENT_NONSMOOTH));
  double t = nsds_time(s) - off; /* flight: a parabola that meets the table again */
  assert_near(q + v * t - 0.5 * g * t * t, 0.1 * sin(12.0 * nsds_time(s)), 1e-9);
  nsds_model_destroy(model);
}

/* A block on a belt of speed w, held by a spring k, friction of at most f (relay on the slip): it
 * sticks until k x = f, then swings about x = f / k and is caught when it has the belt's speed
 * again. Without a drop of friction it is caught at once and stays at x = f / k in sliding
 * equilibrium. */
static void belt(void **state) {
  (void)state;
  nsds_model *model = nsds_model_create(NULL);
  double one = 1.0, k = 4.0, f = 2.0, w = 0.5, v0 = w, lower = -f, upper = f;
  nsds_ds *block = nsds_lagrangian_linear(
      model, &(nsds_lagrangian_linear_def){.ndof = 1, .mass = &one, .stiffness = &k, .v0 = &v0});
  nsds_ds *roll = nsds_lagrangian_linear(
      model, &(nsds_lagrangian_linear_def){.ndof = 1, .mass = (double[]){1e9}, .v0 = &w});
  nsds_relation *slip = nsds_lagrangian_linear_relation(
      model, &(nsds_lagrangian_linear_relation_def){.ny = 1, .nq = 2, .H = (double[]){1.0, -1.0}});
  nsds_interaction *friction = nsds_connect(model, slip, nsds_relay(model, 1, &lower, &upper), 2,
                                            (nsds_ds *[]){block, roll});
  nsds_simulation *s = start(model, 3.0);
  assert_ok(model, nsds_step(s)); /* sticks at the start, slips when the spring has the force */
  assert_near(nsds_time(s), f / k / w, 1e-8); /* the roll's speed falls by 1e-9 */
  assert_near(fabs(nsds_lambda(friction)[0]), f, 1e-12);
  double slid = nsds_time(s);
  nsds_status status = nsds_step(s);
  while (status == NSDS_OK) status = nsds_step(s);
  assert_int_equal(status, NSDS_END);
  /* about x = f / k with the amplitude w / omega, the belt's speed being reached again once a turn
   */
  double omega = 2.0, phase = omega * (3.0 - slid);
  if (phase < 2.0 * acos(-1.0)) assert_near(nsds_q(block)[0], f / k + w / omega * sin(phase), 1e-7);
  nsds_model_destroy(model);
}

/* Redundant supports: a beam on four props, of which two carry it; the sum is the weight. */
static void redundant_props(void **state) {
  (void)state;
  nsds_model *model = nsds_model_create(NULL);
  double m = 3.0, inertia = 0.5;
  nsds_ds *beam = nsds_lagrangian_linear(
      model, &(nsds_lagrangian_linear_def){.ndof = 2,
                                           .mass = (double[]){m, 0.0, 0.0, inertia},
                                           .q0 = (double[]){0.2, 0.0},
                                           .fext = (double[]){-m * g, 0.0}});
  nsds_law *law = nsds_newton_impact(model, 0.0);
  nsds_interaction *prop[4];
  for (int k = 0; k < 4; ++k) {
    double x = -1.0 + 2.0 * k / 3.0;
    nsds_relation *r = nsds_lagrangian_linear_relation(
        model, &(nsds_lagrangian_linear_relation_def){.ny = 1, .nq = 2, .H = (double[]){1.0, x}});
    prop[k] = nsds_connect(model, r, law, 1, &beam);
  }
  nsds_simulation *s = start(model, 1.0);
  assert_int_equal(nsds_run(s), NSDS_END);
  double sum = 0.0, moment = 0.0;
  for (int k = 0; k < 4; ++k) {
    double force = nsds_lambda(prop[k])[0];
    assert_true(force >= 0.0);
    sum += force;
    moment += force * (-1.0 + 2.0 * k / 3.0);
    assert_near(nsds_y(prop[k])[0], 0.0,
                4e-15); /* four forces add up to the weight but for rounding */
  }
  assert_near(sum, m * g, 1e-12);
  assert_near(moment, 0.0, 1e-12);
  nsds_model_destroy(model);
}

/* Equalities keep two masses at a distance: a rod that turns freely has the force m w^2 r. */
static int rod(const nsds_arguments *in, double *y, void *user) {
  double x = in->q[0] - in->q[2], z = in->q[1] - in->q[3];
  (void)user;
  y[0] = 0.5 * (x * x + z * z - 1.0);
  return 0;
}

static int rod_q(const nsds_arguments *in, double *H, void *user) {
  double x = in->q[0] - in->q[2], z = in->q[1] - in->q[3];
  (void)user;
  H[0] = x, H[1] = z, H[2] = -x, H[3] = -z;
  return 0;
}

static void turning_rod(void **state) {
  (void)state;
  nsds_model *model = nsds_model_create(NULL);
  double eye[4] = {1.0, 0.0, 0.0, 1.0}, w = 3.0;
  nsds_ds *end[2];
  for (int k = 0; k < 2; ++k)
    end[k] = nsds_lagrangian_linear(
        model, &(nsds_lagrangian_linear_def){.ndof = 2,
                                             .mass = eye,
                                             .q0 = (double[]){k ? -0.5 : 0.5, 0.0},
                                             .v0 = (double[]){0.0, k ? -0.5 * w : 0.5 * w}});
  nsds_relation *distance = nsds_lagrangian_relation(
      model, &(nsds_lagrangian_relation_def){
                 .ny = 1, .nq = 4, .output_fn = rod, .jac_output_q_fn = rod_q});
  nsds_interaction *tie = nsds_connect(model, distance, nsds_equality(model), 2, end);
  nsds_simulation *s = start(model, 10.0);
  assert_int_equal(nsds_run(s), NSDS_END);
  assert_near(nsds_q(end[0])[0], 0.5 * cos(w * 10.0), 1e-9);
  assert_near(nsds_q(end[0])[1], 0.5 * sin(w * 10.0), 1e-9);
  assert_near(nsds_lambda(tie)[0], -0.5 * w * w, 1e-8);
  assert_near(nsds_y(tie)[0], 0.0, 1e-10);
  nsds_model_destroy(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(impact_times),   cmocka_unit_test(accumulation),
      cmocka_unit_test(column_at_rest), cmocka_unit_test(redundant_hinges),
      cmocka_unit_test(tumbling_ring),  cmocka_unit_test(take_off),
      cmocka_unit_test(belt),           cmocka_unit_test(redundant_props),
      cmocka_unit_test(turning_rod)};
  return cmocka_run_group_tests_name("event_driven.closed_forms", tests, NULL, NULL);
}
