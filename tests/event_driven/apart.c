/*
 * What shares no system is a problem of its own: mechanisms in one model move as each alone, and
 * contacts at rest apart from each other take memory by their number.
 */
#include "support.h"

#include <nsds/rigid_body.h>
#include <stdlib.h>

static const double g = 9.81;

/* ---- as alone ---- */

/* A ball that comes to rest on a floor. */
static nsds_ds *ball(nsds_model *model) {
  nsds_ds *ds = nsds_lagrangian_linear(
      model,
      &(nsds_lagrangian_linear_def){
          .ndof = 1, .q0 = (double[]){0.7}, .mass = (double[]){2.0}, .fext = (double[]){-2.0 * g}});
  nsds_relation *gap = nsds_lagrangian_linear_relation(
      model, &(nsds_lagrangian_linear_relation_def){.ny = 1, .nq = 1, .H = (double[]){1.0}});
  nsds_connect(model, gap, nsds_newton_impact(model, 0.4), 1, &ds);
  return ds;
}

static int drive(const nsds_arguments *in, double *f, void *user) {
  (void)user;
  f[0] = 4.0 * sin(3.0 * in->t);
  return 0;
}

/* A mass on a spring, driven, that sticks and slips. */
static nsds_ds *rubbing(nsds_model *model) {
  nsds_ds *ds = nsds_lagrangian_linear(
      model,
      &(nsds_lagrangian_linear_def){
          .ndof = 1, .mass = (double[]){1.0}, .stiffness = (double[]){5.0}, .fext_fn = drive});
  nsds_relation *slip = nsds_lagrangian_linear_relation(
      model, &(nsds_lagrangian_linear_relation_def){.ny = 1, .nq = 1, .H = (double[]){1.0}});
  nsds_connect(model, slip, nsds_relay(model, 1, (double[]){-1.5}, (double[]){1.5}), 1, &ds);
  return ds;
}

/* Two balls, one on the other, dropped: contacts that do act on each other. */
static nsds_ds *stack(nsds_model *model) {
  nsds_ds *ds = nsds_lagrangian_linear(
      model, &(nsds_lagrangian_linear_def){.ndof = 2,
                                           .q0 = (double[]){0.3, 0.5},
                                           .mass = (double[]){1.0, 0.0, 0.0, 3.0},
                                           .fext = (double[]){-g, -3.0 * g}});
  nsds_relation *gaps = nsds_lagrangian_linear_relation(
      model, &(nsds_lagrangian_linear_relation_def){
                 .ny = 2, .nq = 2, .H = (double[]){1.0, -1.0, 0.0, 1.0}});
  nsds_connect(model, gaps, nsds_newton_impact(model, 0.3), 1, &ds);
  return ds;
}

/* Two bodies on a rod that is held twice by the same constraint: lambda is shared. */
static nsds_ds *rod(nsds_model *model) {
  nsds_ds *ds = nsds_lagrangian_linear(
      model, &(nsds_lagrangian_linear_def){.ndof = 2,
                                           .v0 = (double[]){1.0, 1.0},
                                           .mass = (double[]){1.0, 0.0, 0.0, 2.0},
                                           .stiffness = (double[]){30.0, 0.0, 0.0, 0.0}});
  nsds_relation *twice = nsds_lagrangian_linear_relation(
      model, &(nsds_lagrangian_linear_relation_def){
                 .ny = 2, .nq = 2, .H = (double[]){1.0, 1.0, -1.0, -1.0}});
  nsds_connect(model, twice, nsds_equality(model), 1, &ds);
  return ds;
}

static nsds_ds *(*const mechanisms[])(nsds_model *model) = {ball, rubbing, stack, rod};
enum { mechanism_count = sizeof mechanisms / sizeof *mechanisms, samples = 30 };

static nsds_simulation *simulate(nsds_model *model) {
  nsds_simulation *s =
      nsds_event_driven(model, &(nsds_event_driven_def){.t1 = 0.1 * samples,
                                                        .output_period = 0.1,
                                                        .relative_tolerance = 1e-12,
                                                        .absolute_tolerance = 1e-13});
  assert_sound(model);
  return s;
}

static void go_to(nsds_simulation *s, nsds_model *model, double t) {
  while (nsds_time(s) < t) assert_true(nsds_step(s) == NSDS_OK || nsds_time(s) >= t);
  assert_sound(model);
}

static void mechanisms_move_as_alone(void **state) {
  (void)state;
  nsds_model *model[mechanism_count + 1];
  nsds_ds *ds[2][mechanism_count];
  nsds_simulation *s[mechanism_count + 1];
  for (int k = 0; k <= mechanism_count; ++k) model[k] = nsds_model_create(NULL);
  for (int k = 0; k < mechanism_count; ++k) {
    ds[0][k] = mechanisms[k](model[k]);
    ds[1][k] = mechanisms[k](model[mechanism_count]);
  }
  for (int k = 0; k <= mechanism_count; ++k) s[k] = simulate(model[k]);
  for (int j = 1; j <= samples; ++j) {
    for (int k = 0; k <= mechanism_count; ++k) go_to(s[k], model[k], 0.1 * j);
    for (int k = 0; k < mechanism_count; ++k)
      for (int i = 0; i < nsds_nv(ds[0][k]); ++i) {
        assert_near(nsds_q(ds[1][k])[i], nsds_q(ds[0][k])[i], 1e-9);
        assert_near(nsds_v(ds[1][k])[i], nsds_v(ds[0][k])[i], 1e-8);
      }
    for (int c = 0, k = 0; k < mechanism_count; ++k)
      for (int i = 0; i < nsds_interaction_count(model[k]); ++i, ++c) {
        const double *alone = nsds_lambda(nsds_interaction_at(model[k], i));
        const double *together = nsds_lambda(nsds_interaction_at(model[mechanism_count], c));
        for (int r = 0; r < nsds_interaction_size(nsds_interaction_at(model[k], i)); ++r)
          assert_near(together[r], alone[r], 1e-7);
      }
  }
  for (int k = 0; k <= mechanism_count; ++k) nsds_model_destroy(model[k]);
}

/* ---- by number ---- */

/* Spheres at rest on a floor, the last one falling; the most memory taken. */
static size_t rest(int n) {
  meter m = {0};
  nsds_context *context = meter_context(&m);
  nsds_model *model = nsds_model_create(context);
  const double J[9] = {[0] = 0.1, [4] = 0.1, [8] = 0.1};
  nsds_ds **ds = malloc((size_t)n * sizeof *ds);
  assert_non_null(ds);
  for (int i = 0; i < n; ++i)
    ds[i] = nsds_rigid_body(
        model, &(nsds_rigid_body_def){.mass = 1.0,
                                      .inertia = J,
                                      .q0 = (double[]){1.3 * (i % 20), 1.3 * (i / 20),
                                                       i < n - 1 ? 0.5 : 1.0, 1, 0, 0, 0},
                                      .gravity = {0, 0, -g}});
  nsds_law *law = nsds_newton_impact_friction(model, &(nsds_newton_impact_friction_def){.mu = 0.3});
  nsds_contact_set *set =
      nsds_spheres(model, &(nsds_spheres_def){.law = law,
                                              .count = n,
                                              .ds = ds,
                                              .radius = 0.5,
                                              .nplane = 1,
                                              .plane = &(nsds_plane){{0, 0, 1}, 0}});
  nsds_simulation *s =
      nsds_event_driven(model, &(nsds_event_driven_def){.t1 = 0.5, .output_period = 0.1});
  assert_sound(model);
  assert_status(model, nsds_run(s), NSDS_END);
  assert_int_equal(nsds_contact_set_count(set), n);
  for (int i = 0; i < n; ++i) {
    assert_near(nsds_q(ds[i])[2], 0.5, 1e-12);
    nsds_contact_info contact;
    assert_ok(model, nsds_contact_set_get(set, i, &contact));
    assert_near(contact.force[0], g, 1e-9);
  }
  free(ds);
  nsds_model_destroy(model);
  nsds_context_destroy(context);
  return m.peak;
}

static void contacts_at_rest_take_memory_by_their_number(void **state) {
  (void)state;
  size_t few = rest(60), many = rest(480);
  print_message("             60 at rest: %zu kB, 480: %zu kB\n", few >> 10, many >> 10);
  assert_true(many < 12 * few);
}

/* ---- at one instant ---- */

/* Calls in a row at one time, and the most there were. */
typedef struct calls {
  double t;
  long now, most;
} calls;

static int height(const nsds_arguments *in, double *y, void *user) {
  calls *c = user;
  c->now = in->t == c->t ? c->now + 1 : 1;
  c->t = in->t;
  if (c->now > c->most) c->most = c->now;
  y[0] = in->q[0];
  return 0;
}

static int slope(const nsds_arguments *in, double *H, void *user) {
  (void)in, (void)user;
  H[0] = 1.0;
  return 0;
}

/* Balls dropped together, until they have all bounced. */
static long most_calls(int n) {
  calls made = {.t = -1.0};
  nsds_model *model = nsds_model_create(NULL);
  nsds_relation *gap = nsds_lagrangian_relation(
      model, &(nsds_lagrangian_relation_def){
                 .ny = 1, .nq = 1, .output_fn = height, .jac_output_q_fn = slope, .user = &made});
  nsds_law *law = nsds_newton_impact(model, 0.5);
  for (int i = 0; i < n; ++i) {
    nsds_ds *ds = nsds_lagrangian_linear(
        model,
        &(nsds_lagrangian_linear_def){
            .ndof = 1, .q0 = (double[]){0.3}, .mass = (double[]){1.0}, .fext = (double[]){-g}});
    nsds_connect(model, gap, law, 1, &ds);
  }
  nsds_simulation *s = nsds_event_driven(model, &(nsds_event_driven_def){.t1 = 0.3});
  assert_sound(model);
  assert_ok(model, nsds_step(s));
  assert_true(nsds_simulation_event(s)->kind & NSDS_EVENT_IMPACT);
  assert_int_equal(nsds_simulation_event(s)->count, n);
  for (int i = 0; i < n; ++i)
    assert_near(nsds_v(nsds_ds_at(model, i))[0], 0.5 * sqrt(2.0 * g * 0.3), 1e-9);
  nsds_model_destroy(model);
  return made.most;
}

static void impacts_at_one_instant_look_at_each_contact_as_often(void **state) {
  (void)state;
  long few = most_calls(20), many = most_calls(160);
  print_message("             20 balls: %ld calls of gaps at one time, 160: %ld\n", few, many);
  assert_true(many <= 9 * few);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(mechanisms_move_as_alone),
      cmocka_unit_test(contacts_at_rest_take_memory_by_their_number),
      cmocka_unit_test(impacts_at_one_instant_look_at_each_contact_as_often),
  };
  return cmocka_run_group_tests_name("event_driven.apart", tests, NULL, NULL);
}
