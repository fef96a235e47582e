/*
 * Landings that were once wrong: feet of one body that came to rest one after another, feet that came
 * back apart, friction of the last flight, drift of a contact that was taken for an overlap. Each
 * with an answer in closed form.
 */
#include "support.h"

#include <nsds/rigid_body.h>
#include <nsds/shapes.h>

static const double g = 9.81;

/* ---- feet of one body ------------------------------------------------------------------------ */

/* A three-legged stool of 2 kg that lands with restitution. Its feet have different levers, and
 * their gaps round differently. At rest each carries a third of the weight. */
static void stool(double yaw, double e, double height) {
  const double foot = 0.02, reach = 1.4, high = 0.2, J[9] = {[0] = 0.8, [4] = 0.8, [8] = 1.5};
  nsds_model *m = nsds_model_create(NULL);
  nsds_rigid_body_def def = {
      .mass = 2.0,
      .inertia = J,
      .gravity = {0, 0, -g},
      .q0 = (double[]){0.6, -0.25, high + foot + height, cos(0.5 * yaw), 0, 0, sin(0.5 * yaw)}};
  nsds_ds *ds = nsds_rigid_body(m, &def);
  nsds_shape_def shape[4] = {{.kind = NSDS_HALF_SPACE, .plane = {{0, 0, 1}, 0.0}}};
  for (int k = 0; k < 3; ++k)
    shape[1 + k] = (nsds_shape_def){.kind = NSDS_SPHERE,
                                    .ds = ds,
                                    .radius = foot,
                                    .position = {reach * cos(2.0943951023931953 * k),
                                                 reach * sin(2.0943951023931953 * k), -high}};
  nsds_law *law =
      nsds_newton_impact_friction(m, &(nsds_newton_impact_friction_def){.mu = 0.5, .e_n = e});
  nsds_contact_set *set =
      nsds_shapes(m, &(nsds_shapes_def){.law = law, .nshape = 4, .shape = shape});
  nsds_simulation *s = nsds_event_driven(m, &(nsds_event_driven_def){.t1 = 1.5});
  assert_sound(m);
  assert_status(m, nsds_run(s), NSDS_END);
  nsds_contact_info c;
  nsds_contact_iterator it = nsds_set_contacts(set);
  int count = 0;
  while (nsds_next_contact(&it, &c)) {
    assert_near(c.force[0], 2.0 * g / 3.0, 1e-12 * 2.0 * g);
    ++count;
  }
  assert_int_equal(count, 3);
  nsds_model_destroy(m);
}

static void stools_rest_on_all_feet(void **state) {
  (void)state;
  for (int k = 0; k < 120; ++k) stool(0.05 * k, 0.1 + 0.0045 * k, 0.05 + 0.002 * k);
}

/* A beam of 10 kg with little inertia bounces flat on n feet. Rounding of the impulses turns it a
 * little, which more than 64 roundings of its place show. All feet go on to land together. */
static void beam(int n, double e, const char *integrator) {
  const double M[4] = {10.0, 0, 0, 0.1}, q0[2] = {0.3, 0.0}, v0[2] = {-1.0, 0.0};
  const double place[4] = {-0.9, 0.7, 0.13, -0.41};
  nsds_model *m = nsds_model_create(NULL);
  nsds_ds *ds = nsds_lagrangian_linear(
      m, &(nsds_lagrangian_linear_def){
             .ndof = 2, .q0 = q0, .v0 = v0, .mass = M, .fext = (double[]){-10.0 * g, 0.0}});
  for (int k = 0; k < n; ++k)
    nsds_connect(
        m,
        nsds_lagrangian_linear_relation(m,
                                        &(nsds_lagrangian_linear_relation_def){
                                            .ny = 1, .nq = 2, .H = (double[]){1.0, place[k]}}),
        nsds_newton_impact(m, e), 1, &ds);
  nsds_simulation *s =
      nsds_event_driven(m, &(nsds_event_driven_def){.t1 = 4.0, .integrator = integrator});
  if (!s) { /* not in this build */
    nsds_model_destroy(m);
    return;
  }
  nsds_status status;
  double before = INFINITY;
  while ((status = nsds_step(s)) == NSDS_OK) {
    const nsds_event_info *event = nsds_simulation_event(s);
    if (!(event->kind & NSDS_EVENT_IMPACT)) continue;
    assert_int_equal(event->count, n);
    assert_true(nsds_v(ds)[0] < before);
    before = nsds_v(ds)[0];
    assert_near(nsds_q(ds)[1], 0.0, 1e-12);
  }
  assert_status(m, status, NSDS_END);
  nsds_model_destroy(m);
}

static void feet_land_together_again(void **state) {
  (void)state;
  static const char *const integrators[] = {"auto", "dormand_prince", "esdirk", "arkode", "cvode"};
  for (int i = 0; i < 5; ++i)
    for (int n = 2; n <= 4; ++n)
      for (int k = 0; k < 6; ++k) beam(n, 0.4 + 0.08 * k, integrators[i]);
}

/* ---- friction of the last flight ------------------------------------------------------------- */

/* A point lands while it slides. Its second flight is too low to be resolved. All impulses of the
 * floor together are those of gravity and of the first impact, and friction takes mu of them. */
static void last_flight_rubs_once(void **state) {
  (void)state;
  const double e[] = {0.0025, 1e-4, 1e-5}, mu = 0.4, M[4] = {1.0, 0, 0, 1.0}, one[4] = {1, 0, 0, 1};
  for (int k = 0; k < 3; ++k) {
    nsds_model *m = nsds_model_create(NULL);
    nsds_ds *ds =
        nsds_lagrangian_linear(m, &(nsds_lagrangian_linear_def){.ndof = 2,
                                                                .q0 = (double[]){1e-4, 0.0},
                                                                .v0 = (double[]){-0.2, 3.0},
                                                                .mass = M,
                                                                .fext = (double[]){-g, 0.0}});
    nsds_newton_impact_friction_def law = {.dimension = 2, .mu = mu, .e_n = e[k]};
    nsds_connect(m,
                 nsds_lagrangian_linear_relation(
                     m, &(nsds_lagrangian_linear_relation_def){.ny = 2, .nq = 2, .H = one}),
                 nsds_newton_impact_friction(m, &law), 1, &ds);
    nsds_simulation *s = nsds_event_driven(m, &(nsds_event_driven_def){.t1 = 0.3});
    assert_status(m, nsds_run(s), NSDS_END);
    assert_near(nsds_v(ds)[1], 3.0 - mu * (0.2 + g * 0.3), 1e-11);
    nsds_model_destroy(m);
  }
}

/* ---- drift of closed contacts ---------------------------------------------------------------- */

typedef struct wave {
  double a, w;
} wave;

static int crest(const nsds_arguments *in, double *y, void *user) {
  const wave *p = user;
  y[0] = in->q[0] - p->a * sin(p->w * in->t);
  return 0;
}
static int crest_q(const nsds_arguments *in, double *H, void *user) {
  (void)in, (void)user;
  H[0] = 1.0;
  return 0;
}
static int crest_t(const nsds_arguments *in, double *rate, void *user) {
  const wave *p = user;
  rate[0] = -p->a * p->w * cos(p->w * in->t);
  return 0;
}
static int crest_bias(const nsds_arguments *in, double *bias, void *user) {
  const wave *p = user;
  bias[0] = p->a * p->w * p->w * sin(p->w * in->t);
  return 0;
}

/* A grain of a millimetre's scale lies on a floor that moves, while balls land beside it. The
 * absolute tolerance lets it drift by more than its own size allows. It never leaves the
 * floor, and its gap stays below the absolute tolerance. */
static void grain_stays_on_moving_floor(void **state) {
  (void)state;
  static const char *const integrators[] = {"auto", "esdirk", "arkode", "cvode"};
  for (int i = 0; i < 16; ++i) {
    wave p = {.a = 1e-4 + 1e-5 * i, .w = 7.0};
    const double one = 1.0, z0 = 0.0, v0 = p.a * p.w;
    nsds_model *m = nsds_model_create(NULL);
    nsds_ds *grain = nsds_lagrangian_linear(
        m, &(nsds_lagrangian_linear_def){
               .ndof = 1, .q0 = &z0, .v0 = &v0, .mass = &one, .fext = (double[]){-0.014}});
    nsds_relation *floor =
        nsds_lagrangian_relation(m, &(nsds_lagrangian_relation_def){.ny = 1,
                                                                    .nq = 1,
                                                                    .output_fn = crest,
                                                                    .jac_output_q_fn = crest_q,
                                                                    .jac_output_t_fn = crest_t,
                                                                    .bias_fn = crest_bias,
                                                                    .user = &p});
    nsds_interaction *on = nsds_connect(m, floor, nsds_newton_impact(m, 0.1), 1, &grain);
    nsds_ds *ball = nsds_lagrangian_linear(
        m, &(nsds_lagrangian_linear_def){
               .ndof = 1, .q0 = (double[]){0.4 + 0.03 * i}, .mass = &one, .fext = (double[]){-g}});
    nsds_connect(m,
                 nsds_lagrangian_linear_relation(
                     m, &(nsds_lagrangian_linear_relation_def){.ny = 1, .nq = 1, .H = &one}),
                 nsds_newton_impact(m, 0.5), 1, &ball);
    nsds_simulation *s =
        nsds_event_driven(m, &(nsds_event_driven_def){.t1 = 1.0, .integrator = integrators[i % 4]});
    nsds_status status = s ? NSDS_OK : NSDS_END;
    while (s && (status = nsds_step(s)) == NSDS_OK) {
      const nsds_event_info *event = nsds_simulation_event(s);
      for (int k = 0; k < event->count; ++k)
        assert_true(event->row[k].interaction != on || event->row[k].closed_after);
      assert_near(nsds_y(on)[0], 0.0, 1e-11);
    }
    if (s) assert_status(m, status, NSDS_END);
    nsds_model_destroy(m);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(stools_rest_on_all_feet), cmocka_unit_test(feet_land_together_again),
      cmocka_unit_test(last_flight_rubs_once), cmocka_unit_test(grain_stays_on_moving_floor)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
