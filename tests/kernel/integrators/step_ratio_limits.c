/*
 * A step ratio where things rest, fail, are projected, saved or changed; what cannot work together
 * is refused by name when the simulation is made.
 */
#include "support.h"

#include <stdio.h>

static const double g = 9.81;

/* ---- at rest --------------------------------------------------------------------------------- */

enum { stack = 4 };

/* Masses of 1 kg one upon the other on springs, in equilibrium, the lowest on the floor. */
static nsds_ds *springs(nsds_model *model, double k, double lift) {
  double M[stack * stack] = {0.0}, K[stack * stack] = {0.0}, q[stack] = {0.0}, f[stack];
  for (int i = 0; i < stack; ++i) {
    M[i + i * stack] = 1.0;
    f[i] = -g;
    q[i] = i == 0 ? 0.3 + lift : q[i - 1] - (stack - i) * g / k;
    if (i == 0) continue;
    K[i + i * stack] += k;
    K[i - 1 + (i - 1) * stack] += k;
    K[i + (i - 1) * stack] = K[i - 1 + i * stack] = -k;
  }
  nsds_ds *ds = nsds_lagrangian_linear(
      model, &(nsds_lagrangian_linear_def){
                 .ndof = stack, .q0 = q, .mass = M, .stiffness = K, .fext = f, .name = "stack"});
  nsds_connect(
      model,
      nsds_lagrangian_linear_relation(
          model,
          &(nsds_lagrangian_linear_relation_def){
              .ny = 1, .nq = stack, .H = (double[]){1.0, 0.0, 0.0, 0.0}, .b = (double[]){-0.3}}),
      nsds_newton_impact(model, 0.3), 1, &ds);
  return ds;
}

/* The gap is zero to rounding, as it is without parts: hence a tolerance, and a floor that is not
 * at zero. */
static void what_is_in_equilibrium_stays(void **state) {
  (void)state;
  for (int ratio = 2; ratio <= 32; ratio *= 4) {
    nsds_model *model = nsds_model_create(NULL);
    nsds_ds *ds = springs(model, 1e4, 0.0);
    double start[stack];
    memcpy(start, nsds_q(ds), sizeof start);
    assert_ok(model,
              nsds_ds_discretise(ds, nsds_with_step_ratio(nsds_moreau_jean(0.5, 1.0), ratio)));
    nsds_simulation *s = nsds_time_stepping(
        model,
        &(nsds_time_stepping_def){.t1 = 5.0, .h = 0.005, .activation = nsds_activation(0.5, 1e-9)});
    while (nsds_step(s) == NSDS_OK) {
      for (int i = 0; i < stack; ++i) assert_near(nsds_q(ds)[i], start[i], 1e-13);
      assert_near(nsds_impulse(nsds_interaction_at(model, 0))[0], stack * g * 0.005, 1e-12);
    }
    assert_sound(model);
    nsds_model_destroy(model);
  }
}

/* The same let fall: it bounces, and what then swings above holds the lowest mass down. It stays on
 * the floor to O(h^2), and does not sink on the way. */
static void what_lies_on_the_floor_stays_there(void **state) {
  (void)state;
  double low[3];
  for (int n = 0; n < 3; ++n) {
    nsds_model *model = nsds_model_create(NULL);
    nsds_ds *ds = springs(model, 1e4, 0.005);
    assert_ok(model, nsds_ds_discretise(ds, nsds_with_step_ratio(nsds_moreau_jean(0.52, 1.0), 8)));
    double h = ldexp(0.004, -n), early = 0.0;
    nsds_simulation *s = nsds_time_stepping(model, &(nsds_time_stepping_def){.t1 = 20.0, .h = h});
    const double *gap = nsds_y(nsds_interaction_at(model, 0));
    low[n] = 0.0;
    while (nsds_step(s) == NSDS_OK) {
      if (nsds_time(s) < 10.0) early = fmin(early, gap[0]);
      low[n] = fmin(low[n], gap[0]);
    }
    assert_sound(model);
    print_message(
        "             h = %g: lowest %.2e m, in the first half %.2e m; at the end %.2e m, "
        "%.1e m/s\n",
        h, low[n], early, gap[0], nsds_v(ds)[0]);
    assert_near(low[n], early, 1e-12);
    assert_near(nsds_v(ds)[0], 0.0, 1e-12);
    nsds_model_destroy(model);
  }
}

/* ---- what steps go through ------------------------------------------------------------------- */

static int calls, fails_at;

/* Fails once, when it is called for the fails_at-th time. */
static int hard_spring(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  for (int k = 0; k < 2; ++k)
    out[k] = 900.0 * in->q[k] + 4e4 * in->q[k] * in->q[k] * in->q[k] + 0.3 * in->v[k] -
             300.0 * in->q[1 - k] + (k + 1) * g;
  return ++calls == fails_at;
}

static int mass_of_q(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = 2.0 + sin(in->q[0]);
  out[3] = 1.0;
  return 0;
}

static int curve(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = in->q[0] - 0.4 * sin(3.0 * in->q[1]);
  return 0;
}

static int curve_q(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = 1.0;
  out[1] = -1.2 * cos(3.0 * in->q[1]);
  return 0;
}

typedef struct bead {
  nsds_model *model;
  nsds_ds *ds;
  nsds_simulation *simulation;
} bead;

/* A bead on a curve, on hard springs. */
static bead thread(int ratio, nsds_time_stepping_def def) {
  bead b = {.model = nsds_model_create(NULL)};
  b.ds = nsds_lagrangian(b.model, &(nsds_lagrangian_def){.name = "bead",
                                                         .ndof = 2,
                                                         .v0 = (double[]){0.12, 0.1},
                                                         .mass_fn = mass_of_q,
                                                         .fint.fn = hard_spring,
                                                         .fint.jac_q_fn = nsds_differences,
                                                         .fint.jac_v_fn = nsds_differences});
  nsds_connect(b.model,
               nsds_lagrangian_relation(
                   b.model,
                   &(nsds_lagrangian_relation_def){
                       .ny = 1, .nq = 2, .output_fn = curve, .jac_output_q_fn = curve_q}),
               nsds_equality(b.model), 1, &b.ds);
  assert_ok(b.model, nsds_ds_discretise(b.ds, nsds_with_step_ratio(nsds_moreau_jean(0.5, 1.0),
                                                                   ratio > 0 ? ratio : 1)));
  def.t1 = 2.0;
  b.simulation = nsds_time_stepping(b.model, &def);
  assert_sound(b.model);
  return b;
}

static void assert_together(const bead *a, const bead *b, double tolerance) {
  for (int k = 0; k < 2; ++k) {
    assert_near(nsds_q(a->ds)[k], nsds_q(b->ds)[k], tolerance);
    assert_near(nsds_v(a->ds)[k], nsds_v(b->ds)[k], tolerance);
  }
}

/* Coordinates that a projection has moved are where the next step starts, and its forces theirs: as
 * of a model whose state is set anew in each step. */
static void projected(void **state) {
  (void)state;
  const nsds_time_stepping_def def = {.h = 0.01, .projection.kind = NSDS_PROJECTION_DIRECT};
  bead a = thread(4, def), b = thread(4, def);
  double moved = 0.0;
  while (nsds_step(a.simulation) == NSDS_OK) {
    assert_ok(b.model, nsds_step(b.simulation));
    assert_near(nsds_y(nsds_interaction_at(a.model, 0))[0], 0.0, 1e-9);
    assert_together(&a, &b, 1e-11);
    moved = fmax(moved, fabs(nsds_simulation_displacement(a.simulation, a.ds)[0]));
    assert_ok(b.model, nsds_set_state(b.ds, nsds_q(b.ds), nsds_v(b.ds)));
  }
  assert_sound(a.model);
  assert_true(moved > 1e-6);
  nsds_model_destroy(a.model);
  nsds_model_destroy(b.model);
}

/* A force that fails once has the step made in halves of as many parts each; its impulse is that of
 * both. */
static void halved(void **state) {
  (void)state;
  bead a = thread(4, (nsds_time_stepping_def){.h = 0.01, .max_halvings = 1});
  bead b = thread(4, (nsds_time_stepping_def){.h = 0.01});
  for (int k = 0; k < 20; ++k) {
    fails_at = k == 7 ? calls + 9 : 0;
    assert_ok(a.model, nsds_step(a.simulation));
    assert_int_equal(nsds_simulation_info(a.simulation)->substeps, k == 7 ? 2 : 1);
    fails_at = 0;
    double p = 0.0;
    if (k == 7) assert_ok(b.model, nsds_simulation_set_h(b.simulation, 0.005));
    if (k == 8) assert_ok(b.model, nsds_simulation_set_h(b.simulation, 0.01));
    for (int i = 0; i < (k == 7 ? 2 : 1); ++i) {
      assert_ok(b.model, nsds_step(b.simulation));
      p += nsds_p(b.ds)[0];
    }
    assert_near(nsds_p(a.ds)[0], p, 1e-9);
    assert_together(&a, &b, 1e-9);
  }
  nsds_model_destroy(a.model);
  nsds_model_destroy(b.model);
}

/* Without halvings the step is as if it had not been tried; a restored state goes on with the same
 * bits. */
static void failed_and_restored(void **state) {
  (void)state;
  bead a = thread(4, (nsds_time_stepping_def){.h = 0.01});
  bead b = thread(4, (nsds_time_stepping_def){.h = 0.01});
  for (int k = 0; k < 10; ++k) {
    assert_ok(b.model, nsds_step(b.simulation));
    if (k % 3 == 1) {
      fails_at = calls + 5 + k;
      assert_status(a.model, nsds_step(a.simulation), NSDS_ERROR_CALLBACK);
      nsds_error_clear(nsds_model_context(a.model));
      fails_at = 0;
    }
    if (k % 3 == 2) {
      assert_ok(a.model, nsds_simulation_save(a.simulation));
      for (int i = 0; i < 3; ++i) assert_ok(a.model, nsds_step(a.simulation));
      assert_ok(a.model, nsds_simulation_restore(a.simulation));
    }
    assert_ok(a.model, nsds_step(a.simulation));
    assert_together(&a, &b, 0.0);
  }
  nsds_model_destroy(a.model);
  nsds_model_destroy(b.model);
}

/* A ratio given and taken away between steps; 1 is none, bit by bit. */
static void changed(void **state) {
  (void)state;
  bead a = thread(1, (nsds_time_stepping_def){.h = 0.01}),
       b = thread(0, (nsds_time_stepping_def){.h = 0.01});
  bead c = thread(3, (nsds_time_stepping_def){.h = 0.01});
  for (int k = 0; k < 10; ++k) {
    assert_ok(a.model, nsds_step(a.simulation));
    assert_ok(b.model, nsds_step(b.simulation));
    assert_together(&a, &b, 0.0);
  }
  assert_ok(a.model, nsds_ds_discretise(a.ds, nsds_with_step_ratio(nsds_moreau_jean(0.5, 1.0), 3)));
  assert_ok(c.model, nsds_set_state(c.ds, nsds_q(a.ds), nsds_v(a.ds)));
  for (int k = 0; k < 10; ++k) {
    assert_ok(a.model, nsds_step(a.simulation));
    assert_ok(c.model, nsds_step(c.simulation));
    assert_together(&a, &c, 1e-10);
  }
  assert_ok(a.model, nsds_ds_discretise(a.ds, (nsds_discretisation){0}));
  assert_ok(b.model, nsds_set_state(b.ds, nsds_q(a.ds), nsds_v(a.ds)));
  for (int k = 0; k < 10; ++k) {
    assert_ok(a.model, nsds_step(a.simulation));
    assert_ok(b.model, nsds_step(b.simulation));
    assert_together(&a, &b, 1e-10);
  }
  nsds_model_destroy(a.model);
  nsds_model_destroy(b.model);
  nsds_model_destroy(c.model);
}

/* S stands for what the parts do: Newton's method does not take more iterations with them. */
static void iterations(void **state) {
  (void)state;
  int most[2] = {0, 0};
  for (int i = 0; i < 2; ++i) {
    bead b = thread(i == 0 ? 1 : 8, (nsds_time_stepping_def){.h = 0.01});
    while (nsds_step(b.simulation) == NSDS_OK) {
      int n = nsds_simulation_info(b.simulation)->newton_iterations;
      most[i] = n > most[i] ? n : most[i];
    }
    assert_sound(b.model);
    nsds_model_destroy(b.model);
  }
  print_message("             at most %d iterations without parts, %d with them\n", most[0],
                most[1]);
  assert_true(most[1] <= most[0] + 1);
}

/* ---- refusals -------------------------------------------------------------------------------- */

static int soft_h(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = in->q[0] + 0.01 * in->lambda[0];
  return 0;
}

static void assert_refused(nsds_model *model, nsds_time_stepping_def def,
                           const char *const *words) {
  def.t1 = 1.0;
  def.h = 0.1;
  assert_null(nsds_time_stepping(model, &def));
  assert_int_equal(nsds_error(nsds_model_context(model)), NSDS_ERROR_UNSUPPORTED);
  assert_words(nsds_error_message(nsds_model_context(model)), words, 3);
  nsds_model_destroy(model);
}

static nsds_ds *fast(nsds_model *model) {
  nsds_ds *ds = nsds_lagrangian_linear(
      model, &(nsds_lagrangian_linear_def){.name = "fast", .ndof = 1, .mass = (double[]){1.0}});
  assert_ok(model, nsds_ds_discretise(ds, nsds_with_step_ratio(nsds_moreau_jean(0.5, 1.0), 4)));
  return ds;
}

static void what_cannot_work_together_is_refused(void **state) {
  (void)state;
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *ds = fast(model);
  assert_status(model, nsds_ds_discretise(ds, nsds_with_step_ratio(nsds_moreau_jean(0.5, 1.0), -1)),
                NSDS_ERROR_VALUE);
  assert_words(nsds_error_message(nsds_model_context(model)),
               ((const char *[]){"step_ratio", "-1"}), 2);
  nsds_error_clear(nsds_model_context(model));
  assert_refused(model, (nsds_time_stepping_def){.second_order = nsds_schatzman_paoli(0.5)},
                 (const char *[]){"fast", "nsds_moreau_jean()", "nsds_schatzman_paoli()"});
  model = nsds_model_create(NULL);
  fast(model);
  assert_refused(model, (nsds_time_stepping_def){.second_order = nsds_d1_minus()},
                 (const char *[]){"fast", "nsds_moreau_jean()", "nsds_d1_minus()"});

  model = nsds_model_create(NULL);
  ds = fast(model);
  nsds_connect(
      model,
      nsds_lagrangian_relation(
          model, &(nsds_lagrangian_relation_def){.ny = 1,
                                                 .nq = 1,
                                                 .output_fn = soft_h,
                                                 .jac_output_q_fn = nsds_differences,
                                                 .jac_output_lambda_fn = nsds_differences}),
      nsds_complementarity(model), 1, &ds);
  assert_refused(model, (nsds_time_stepping_def){0},
                 (const char *[]){"fast", "step ratio", "compliant"});

  model = nsds_model_create(NULL);
  nsds_ds *both[] = {nsds_first_order_linear(model, &(nsds_first_order_linear_def){.n = 1}),
                     fast(model)};
  nsds_connect(
      model,
      nsds_mixed_linear_relation(model, &(nsds_mixed_linear_relation_def){.ny = 1,
                                                                          .nx = 1,
                                                                          .nq = 1,
                                                                          .C = (double[]){1.0},
                                                                          .E = (double[]){1.0},
                                                                          .D = (double[]){1.0},
                                                                          .B = (double[]){1.0},
                                                                          .L = (double[]){1.0}}),
      nsds_equality(model), 2, both);
  assert_refused(model, (nsds_time_stepping_def){0},
                 (const char *[]){"fast", "step ratio", "mixed"});
}

/* Event-driven simulation has steps of its own, as it has a theta of its own: it does not apply. */
static void events_have_steps_of_their_own(void **state) {
  (void)state;
  double q[2];
  for (int i = 0; i < 2; ++i) {
    nsds_model *model = nsds_model_create(NULL);
    nsds_ds *ds = springs(model, 1e4, 0.005);
    if (i == 1)
      assert_ok(model, nsds_ds_discretise(ds, nsds_with_step_ratio(nsds_moreau_jean(0.5, 1.0), 9)));
    nsds_simulation *s =
        nsds_event_driven(model, &(nsds_event_driven_def){.t1 = 0.2, .output_period = 0.01});
    while (nsds_step(s) == NSDS_OK) continue;
    assert_sound(model);
    q[i] = nsds_q(ds)[1];
    nsds_model_destroy(model);
  }
  assert_near(q[1], q[0], 0.0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(what_is_in_equilibrium_stays),
                                     cmocka_unit_test(what_lies_on_the_floor_stays_there),
                                     cmocka_unit_test(projected),
                                     cmocka_unit_test(halved),
                                     cmocka_unit_test(failed_and_restored),
                                     cmocka_unit_test(changed),
                                     cmocka_unit_test(iterations),
                                     cmocka_unit_test(what_cannot_work_together_is_refused),
                                     cmocka_unit_test(events_have_steps_of_their_own)};
  return cmocka_run_group_tests_name("step_ratio_limits", tests, NULL, NULL);
}
