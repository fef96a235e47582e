/*
 * What a failure leaves behind: stages that are made again behind it, wrong numbers that it was made
 * with, calls that were refused on the way, numbers that overflow before there is a step.
 */
#include "support.h"

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

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(an_update_that_failed_is_made_again_with_the_same_bits),
      cmocka_unit_test(a_wrong_force_goes_with_the_step_that_it_fails),
      cmocka_unit_test(a_save_that_is_refused_keeps_what_is_saved),
      cmocka_unit_test(a_rate_that_overflows_is_no_start),
  };
  return cmocka_run_group_tests_name("kernel.after_failures", tests, NULL, NULL);
}
