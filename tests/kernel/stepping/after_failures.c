/*
 * What a failure leaves behind: stages that are made again behind it, wrong numbers that it was made
 * with, calls that were refused on the way, numbers that overflow before there is a step.
 */
#include "support.h"

#include <nsds/extend.h>

typedef struct faulty {
  nsds_model *model;
  nsds_simulation *simulation;
  long calls, fail_at; /* of the functions */
  double wrong;        /* written by that call; 0: it returns 1 */
  bool saves;          /* calls nsds_simulation_save() */
} faulty;

static int outcome(faulty *f, double *out) {
  if (f->saves) assert_int_equal(nsds_simulation_save(f->simulation), NSDS_ERROR_STATE);
  if (++f->calls != f->fail_at) return 0;
  if (f->wrong == 0.0) return 1;
  out[0] = f->wrong;
  return 0;
}

static int mass(const nsds_arguments *in, double *out, void *user) {
  out[0] = 2.0 + 0.5 * in->q[0] * in->q[0];
  return outcome(user, out);
}

static int spring(const nsds_arguments *in, double *out, void *user) {
  out[0] = 40.0 * in->q[0] + 90.0 * in->q[0] * in->q[0] * in->q[0] + 1.0;
  return outcome(user, out);
}

static int spring_q(const nsds_arguments *in, double *out, void *user) {
  out[0] = 40.0 + 270.0 * in->q[0] * in->q[0];
  return outcome(user, out);
}

static int gap(const nsds_arguments *in, double *out, void *user) {
  out[0] = in->q[0] + 0.1 * in->q[0] * in->q[0];
  return outcome(user, out);
}

static int gap_q(const nsds_arguments *in, double *out, void *user) {
  out[0] = 1.0 + 0.2 * in->q[0];
  return outcome(user, out);
}

/* A body that strikes a stop and stays on it. */
static void begin(faulty *f) {
  *f = (faulty){.model = nsds_model_create(NULL)};
  nsds_ds *ds = nsds_lagrangian(f->model, &(nsds_lagrangian_def){.ndof = 1,
                                                                 .q0 = (double[]){0.02},
                                                                 .v0 = (double[]){-1.0},
                                                                 .mass_fn = mass,
                                                                 .fint.fn = spring,
                                                                 .fint.jac_q_fn = spring_q,
                                                                 .fint.jac_v_fn = nsds_zero,
                                                                 .user = f});
  nsds_relation *stop = nsds_lagrangian_relation(
      f->model, &(nsds_lagrangian_relation_def){
                    .ny = 1, .nq = 1, .output_fn = gap, .jac_output_q_fn = gap_q, .user = f});
  nsds_connect(f->model, stop, nsds_newton_impact(f->model, 0.5), 1, &ds);
  f->simulation = nsds_time_stepping(
      f->model,
      &(nsds_time_stepping_def){.t1 = 1.0, .h = 0.01, .second_order = nsds_moreau_jean(0.6, 1.0)});
  assert_sound(f->model);
}

/* Makes a stage, again where it fails. */
static nsds_status insist(faulty *f, nsds_status (*stage)(nsds_simulation *)) {
  nsds_status status = stage(f->simulation);
  if (status >= 0) return status;
  nsds_error_clear(nsds_model_context(f->model));
  return stage(f->simulation);
}

/* The bits of some steps whose k-th call of a function fails; false when there are fewer calls. */
static bool in_stages(long fail_at, uint64_t *hash) {
  faulty f;
  begin(&f);
  f.calls = 0;
  f.fail_at = fail_at;
  *hash = 0;
  for (int k = 0; k < 6; ++k) {
    nsds_status status;
    assert_ok(f.model, insist(&f, nsds_step_begin));
    do {
      assert_ok(f.model, insist(&f, nsds_step_solve));
      status = insist(&f, nsds_step_update);
    } while (status == NSDS_AGAIN);
    assert_ok(f.model, status);
    assert_ok(f.model, nsds_step_accept(f.simulation));
    *hash = state_hash(f.model, *hash);
  }
  nsds_model_destroy(f.model);
  return f.calls >= fail_at;
}

static void an_update_that_failed_is_made_again_with_the_same_bits(void **state) {
  (void)state;
  uint64_t undisturbed, hash;
  in_stages(0, &undisturbed);
  long k = 1;
  for (; in_stages(k, &hash); ++k)
    if (hash != undisturbed) fail_msg("other bits after call %ld had failed", k);
  print_message("             %ld calls failed\n", k - 1);
  assert_true(k > 60);
}

/* Finite, but no step can be made with it: the next one asks for it again. */
static void a_wrong_force_goes_with_the_step_that_it_fails(void **state) {
  (void)state;
  int failed = 0;
  for (long k = 1; k < 20; ++k) {
    faulty f;
    begin(&f);
    f.calls = 0;
    f.fail_at = k;
    f.wrong = 1e308;
    if (nsds_step(f.simulation) && ++failed) {
      nsds_error_clear(nsds_model_context(f.model));
      assert_ok(f.model, nsds_step(f.simulation));
    }
    nsds_model_destroy(f.model);
  }
  print_message("             %d steps failed\n", failed);
  assert_true(failed > 2);
}

static void a_save_that_is_refused_keeps_what_is_saved(void **state) {
  (void)state;
  faulty f;
  begin(&f);
  assert_ok(f.model, nsds_simulation_save(f.simulation));
  f.saves = true;
  assert_ok(f.model, nsds_step(f.simulation));
  nsds_error_clear(nsds_model_context(f.model));
  f.saves = false;
  assert_ok(f.model, nsds_simulation_restore(f.simulation));
  assert_near(nsds_time(f.simulation), 0.0, 0.0);
  nsds_model_destroy(f.model);
}

/* dy/dt = H v of finite H and v, before the first step. */
static void a_rate_that_overflows_is_no_start(void **state) {
  (void)state;
  const double one = 1.0, fast = 1e10, steep = 1e300;
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *ds = nsds_lagrangian_linear(
      model, &(nsds_lagrangian_linear_def){.ndof = 1, .mass = &one, .v0 = &fast});
  nsds_relation *r = nsds_lagrangian_linear_relation(
      model, &(nsds_lagrangian_linear_relation_def){.ny = 1, .nq = 1, .H = &steep});
  nsds_interaction *ia = nsds_connect(model, r, nsds_newton_impact(model, 0.0), 1, &ds);
  const char *const words[] = {"interaction #0", "dy/dt", "not finite", "t = 0"};
  assert_null(nsds_time_stepping(model, &(nsds_time_stepping_def){.t1 = 1.0, .h = 0.1}));
  assert_int_equal(nsds_error(nsds_model_context(model)), NSDS_ERROR_VALUE);
  assert_words(nsds_error_message(nsds_model_context(model)), words, 4);
  nsds_error_clear(nsds_model_context(model));
  assert_ok(model, nsds_set_state(ds, NULL, &one));
  nsds_simulation *s = run(model, &(nsds_time_stepping_def){.t1 = 1.0, .h = 0.1}, 1);
  assert_non_null(s);
  assert_true(isfinite(nsds_ydot(ia)[0]));
  nsds_model_destroy(model);
}

/* ---- event-driven ---- */

/* x' = M(t)^-1 (A(t) x + b): a call of A, b or M is wrong once. */
typedef struct faulty_circuit {
  long calls, fail_at;
  double wrong;
  int failed; /* steps */
} faulty_circuit;

static nsds_status spoilt(faulty_circuit *c, double *out) {
  if (++c->calls == c->fail_at) out[1] = c->wrong;
  return NSDS_OK;
}

static nsds_status circuit_mass(void *self, const nsds_arguments *in, double *M) {
  M[0] = 2.0 + 0.5 * sin(in->t);
  M[1] = M[2] = 0.2;
  M[3] = 1.0;
  return spoilt(self, M);
}

static nsds_status circuit_rate(void *self, const nsds_arguments *in, double *b) {
  b[0] = cos(2.0 * in->t);
  b[1] = 0.5;
  return spoilt(self, b);
}

static nsds_status circuit_jacobian(void *self, const nsds_arguments *in, double *A) {
  A[0] = A[3] = -1.0 - 0.1 * in->t;
  A[1] = -(A[2] = 2.0);
  return spoilt(self, A);
}

static const nsds_first_order_ops circuit_ops = {.type = "faulty circuit",
                                                 .mass = circuit_mass,
                                                 .rhs = circuit_rate,
                                                 .jacobian = circuit_jacobian};

/* The hash of five steps, each made again where it fails; 0: a step fails twice. */
static uint64_t circuit_run(faulty_circuit *c, bool events) {
  nsds_model *model = nsds_model_create(NULL);
  nsds_custom_first_order(model, &(nsds_custom_first_order_def){.ops = &circuit_ops,
                                                                .self = c,
                                                                .n = 2,
                                                                .x0 = (double[]){1.0, -0.5},
                                                                .mass = {.present = true},
                                                                .jacobian = {.present = true},
                                                                .affine = true});
  nsds_simulation *s =
      events ? nsds_event_driven(model, &(nsds_event_driven_def){.t1 = 1.0, .output_period = 0.1})
             : nsds_time_stepping(model, &(nsds_time_stepping_def){.t1 = 1.0, .h = 0.1});
  assert_sound(model);
  c->calls = 0;
  uint64_t hash = 1;
  for (int k = 0; k < 5 && hash; ++k) {
    nsds_status status = nsds_step(s);
    if (status < 0) {
      assert_true(nsds_error(nsds_model_context(model)) != NSDS_OK);
      nsds_error_clear(nsds_model_context(model));
      status = nsds_step(s);
      ++c->failed;
    }
    hash = status < 0 ? 0 : state_hash(model, hash);
  }
  nsds_model_destroy(model);
  return hash;
}

static void a_matrix_that_was_not_a_number_once_is_forgotten(void **state) {
  (void)state;
  for (int events = 0; events < 2; ++events) {
    faulty_circuit c = {.wrong = NAN};
    uint64_t undisturbed = circuit_run(&c, events);
    long calls = c.calls;
    assert_true(undisturbed != 0 && calls > 10);
    int steps = 0;
    for (c.fail_at = 1; c.fail_at <= calls && c.fail_at <= 200; ++c.fail_at) {
      c.failed = 0;
      uint64_t hash = circuit_run(&c, events);
      if (hash == 0) fail_msg("%s: stuck after call %ld", events ? "events" : "steps", c.fail_at);
      if (c.failed > 0 && hash != undisturbed) /* else smaller steps of the integration went well */
        fail_msg("%s: other bits after call %ld", events ? "events" : "steps", c.fail_at);
      steps += c.failed;
    }
    assert_true(steps >= 10);
  }
}

/* Two equal bent gaps of one body, event-driven: a derivative is -1e200 once. */
static int bent_gap(const nsds_arguments *in, double *y, void *user) {
  (void)user;
  y[0] = in->q[0] + 0.1 * in->q[0] * in->q[0];
  return 0;
}

static int bent_gap_q(const nsds_arguments *in, double *H, void *user) {
  faulty_circuit *c = user;
  H[0] = ++c->calls == c->fail_at ? c->wrong : 1.0 + 0.2 * in->q[0];
  return 0;
}

static void every_failure_of_a_derivative_has_a_message(void **state) {
  (void)state;
  const double mass = 2.0, q0 = 0.02, weight = -19.62;
  int failed = 0;
  faulty_circuit c = {.wrong = -1e200, .fail_at = 1};
  for (bool met = true; met; ++c.fail_at) {
    nsds_model *model = nsds_model_create(NULL);
    nsds_ds *ds = nsds_lagrangian_linear(
        model, &(nsds_lagrangian_linear_def){.ndof = 1, .q0 = &q0, .mass = &mass, .fext = &weight});
    for (int k = 0; k < 2; ++k)
      nsds_connect(model,
                   nsds_lagrangian_relation(
                       model, &(nsds_lagrangian_relation_def){.ny = 1,
                                                              .nq = 1,
                                                              .output_fn = bent_gap,
                                                              .jac_output_q_fn = bent_gap_q,
                                                              .user = &c}),
                   nsds_newton_impact(model, 0.0), 1, &ds);
    nsds_simulation *s =
        nsds_event_driven(model, &(nsds_event_driven_def){.t1 = 0.3, .output_period = 0.1});
    assert_sound(model);
    c.calls = 0;
    nsds_status status = NSDS_OK;
    for (int k = 0; k < 20 && status != NSDS_END; ++k) {
      status = nsds_step(s);
      if (status >= 0) continue;
      if (!nsds_error(nsds_model_context(model)))
        fail_msg("status %d without a message, call %ld is wrong", status, c.fail_at);
      ++failed;
      nsds_error_clear(nsds_model_context(model));
    }
    met = c.calls >= c.fail_at;
    nsds_model_destroy(model);
  }
  print_message("             %ld wrong derivatives, %d steps failed\n", c.fail_at - 2, failed);
  assert_true(failed > 5);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(an_update_that_failed_is_made_again_with_the_same_bits),
      cmocka_unit_test(a_wrong_force_goes_with_the_step_that_it_fails),
      cmocka_unit_test(a_save_that_is_refused_keeps_what_is_saved),
      cmocka_unit_test(a_rate_that_overflows_is_no_start),
      cmocka_unit_test(a_matrix_that_was_not_a_number_once_is_forgotten),
      cmocka_unit_test(every_failure_of_a_derivative_has_a_message),
  };
  return cmocka_run_group_tests_name("kernel.after_failures", tests, NULL, NULL);
}
