/*
 * A call of a function of the program misbehaves once, in seven ways: it returns 1 or -1, or writes
 * what is no number, infinite or huge. A step that fails leaves the model as it was, bit by bit, and
 * made again it takes the steps of a run that was not disturbed. A step that succeeds all the same
 * shows what is finite.
 */
#include "support.h"

#include <stdio.h>
#include <stdlib.h>

typedef enum fault {
  returns_1,
  returns_minus_1,
  writes_nan,
  writes_inf,
  writes_minus_inf,
  writes_1e308,
  writes_minus_1e200,
  fault_kinds
} fault;

/* Calls so far, and the one that misbehaves; 0: none. */
static struct {
  long calls, at;
  fault kind;
} script;

/* Called last in every function, with the first entry it has written. */
static int misbehave(double *out) {
  static const double written[] = {0, 0, NAN, INFINITY, -INFINITY, 1e308, -1e200};
  if (++script.calls != script.at) return 0;
  if (script.kind == returns_1) return 1;
  if (script.kind == returns_minus_1) return -1;
  out[0] = written[script.kind];
  return 0;
}

/* ---- functions ------------------------------------------------------------------------------- */

static int varying_mass(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = 1.0 + 0.2 * in->q[0] * in->q[0];
  return misbehave(out);
}

static int weight(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = -10.0 + sin(3.0 * in->t);
  return misbehave(out);
}

static int twist(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = 0.2 * in->v[0] * fabs(in->v[0]);
  return misbehave(out);
}

static int twist_v(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = 0.4 * fabs(in->v[0]);
  return misbehave(out);
}

static int gap(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = in->q[0] + 0.05 * in->q[0] * in->q[0];
  return misbehave(out);
}

static int gap_q(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = 1.0 + 0.1 * in->q[0];
  return misbehave(out);
}

static int first_mass(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = 1.0 + 0.3 * sin(in->t);
  return misbehave(out);
}

static int first_f(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = -2.0 * in->x[0] + 3.0 * cos(4.0 * in->t);
  return misbehave(out);
}

static int first_f_x(const nsds_arguments *in, double *out, void *user) {
  (void)in;
  (void)user;
  out[0] = -2.0;
  return misbehave(out);
}

static int steady(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = sin(in->t);
  return misbehave(out);
}

/* ---- scenes ---------------------------------------------------------------------------------- */

static nsds_relation *line(nsds_model *m, int n, const double *H, double b) {
  return nsds_lagrangian_linear_relation(
      m, &(nsds_lagrangian_linear_relation_def){.ny = 1, .nq = n, .H = H, .b = &b});
}

/* A body that bounces to rest. */
static void bouncing(nsds_model *m) {
  nsds_ds *ds = nsds_lagrangian(m, &(nsds_lagrangian_def){.ndof = 1,
                                                          .q0 = (double[]){0.5},
                                                          .mass_fn = varying_mass,
                                                          .nnl.fn = twist,
                                                          .nnl.jac_q_fn = nsds_zero,
                                                          .nnl.jac_v_fn = twist_v,
                                                          .fext_fn = weight});
  nsds_relation *r = nsds_lagrangian_relation(
      m, &(nsds_lagrangian_relation_def){
             .ny = 1, .nq = 1, .output_fn = gap, .jac_output_q_fn = gap_q});
  nsds_connect(m, r, nsds_newton_impact(m, 0.5), 1, &ds);
}

/* A diode, and a relay, on first-order systems with a mass that varies. */
static void circuit(nsds_model *m) {
  nsds_ds *ds[2];
  for (int k = 0; k < 2; ++k)
    ds[k] = nsds_first_order(m, &(nsds_first_order_def){.n = 1,
                                                        .x0 = (double[]){0.2 + k},
                                                        .mass_fn = first_mass,
                                                        .f_fn = first_f,
                                                        .jac_f_x_fn = first_f_x});
  nsds_relation *r = nsds_first_order_linear_relation(
      m, &(nsds_first_order_linear_relation_def){
             .ny = 1, .nx = 1, .C = (double[]){1.0}, .B = (double[]){1.0}});
  nsds_connect(m, r, nsds_complementarity(m), 1, &ds[0]);
  nsds_connect(m, r, nsds_relay(m, 1, (double[]){-1.0}, (double[]){1.0}), 1, &ds[1]);
}

/* A block on rough ground, pushed to and fro. */
static void rough(nsds_model *m) {
  nsds_ds *ds = nsds_lagrangian(m, &(nsds_lagrangian_def){.ndof = 2,
                                                          .mass = (double[]){1, 0, 0, 1},
                                                          .q0 = (double[]){0.0, 0.1},
                                                          .fext_fn = NULL,
                                                          .fext = (double[]){4.0, -10.0}});
  nsds_ds *wall = nsds_lagrangian(
      m, &(nsds_lagrangian_def){
             .ndof = 1, .mass = (double[]){1.0}, .fext_fn = weight, .q0 = (double[]){1.0}});
  nsds_relation *r = nsds_lagrangian_linear_relation(
      m, &(nsds_lagrangian_linear_relation_def){.ny = 2, .nq = 2, .H = (double[]){0, 1, 1, 0}});
  nsds_connect(
      m, r,
      nsds_newton_impact_friction(m, &(nsds_newton_impact_friction_def){.dimension = 2, .mu = 0.5}),
      1, &ds);
  nsds_connect(m, line(m, 1, (double[]){1.0}, 0.0), nsds_newton_impact(m, 0.3), 1, &wall);
}

/* A chain of balls in which Poisson's law shares impulses; the first strikes, driven in time. */
static void strike(nsds_model *m, int balls, double apart) {
  nsds_ds *ds[12];
  nsds_law *law = nsds_poisson_impact(m, 0.6);
  for (int k = 0; k < balls; ++k)
    ds[k] = nsds_lagrangian(m, &(nsds_lagrangian_def){.ndof = 1,
                                                      .mass = (double[]){1.0 + 0.1 * k},
                                                      .q0 = (double[]){apart * k},
                                                      .v0 = (double[]){k == 0 ? 1.0 : 0.0},
                                                      .fext_fn = k == 0 ? steady : NULL});
  nsds_relation *r = line(m, 2, (double[]){-1.0, 1.0}, 0.0);
  for (int k = 1; k < balls; ++k) nsds_connect(m, r, law, 2, &ds[k - 1]);
}

static void poisson(nsds_model *m) { strike(m, 4, 0.01); }
static void touching(nsds_model *m) { strike(m, 12, 0.0); }

/* A cart that is led, with a pendulum of a joint behind it and a floor below. */
static void led(nsds_model *m) {
  nsds_ds *ds = nsds_lagrangian(m, &(nsds_lagrangian_def){.ndof = 2,
                                                          .mass = (double[]){2, 0.5, 0.5, 1},
                                                          .q0 = (double[]){0.0, 0.3},
                                                          .fext = (double[]){0.0, -10.0},
                                                          .prescribed.n = 1,
                                                          .prescribed.index = (int[]){0},
                                                          .prescribed.fn = steady});
  nsds_connect(m, line(m, 2, (double[]){0.0, 1.0}, 0.0), nsds_newton_impact(m, 0.4), 1, &ds);
}

/* Two balls found by a set, one driven, before a wall. */
static void found(nsds_model *m) {
  nsds_ds *ds[2];
  for (int k = 0; k < 2; ++k)
    ds[k] = nsds_lagrangian(m, &(nsds_lagrangian_def){.ndof = 2,
                                                      .mass = (double[]){1, 0, 0, 1},
                                                      .q0 = (double[]){0.9 * k, 1.0 + k},
                                                      .v0 = (double[]){0.3, -1.0},
                                                      .nnl.fn = twist,
                                                      .nnl.jac_q_fn = nsds_zero,
                                                      .nnl.jac_v_fn = nsds_zero,
                                                      .fext = (double[]){0.0, -10.0}});
  nsds_balls(m, &(nsds_balls_def){.dimension = 2,
                                  .law = nsds_newton_impact(m, 0.5),
                                  .count = 2,
                                  .ds = ds,
                                  .radius = 0.5,
                                  .normal = (double[]){0.0, 1.0},
                                  .pairs = true});
}

typedef struct scene {
  const char *name;
  void (*make)(nsds_model *m);
} scene;
static const scene scenes[] = {{"bouncing", bouncing}, {"circuit", circuit},   {"rough", rough},
                               {"Poisson", poisson},   {"touching", touching}, {"led", led},
                               {"found", found}};

/* ---- runs ------------------------------------------------------------------------------------ */

typedef struct run_result {
  uint64_t hash;
  long calls, failures;
} run_result;

static nsds_simulation *simulate(nsds_model *m, const char *integrator) {
  if (!integrator) return nsds_time_stepping(m, &(nsds_time_stepping_def){.t1 = 1.0, .h = 0.05});
  return nsds_event_driven(
      m, &(nsds_event_driven_def){.t1 = 1.0, .output_period = 0.05, .integrator = integrator});
}

/* To the end, or a step that succeeds with the fault; a step that fails is made again. */
static run_result run_once(const scene *of, const char *integrator, long at, fault kind) {
  run_result r = {.hash = 1};
  script.calls = script.at = 0;
  nsds_model *m = nsds_model_create(NULL);
  of->make(m);
  nsds_simulation *s = simulate(m, integrator);
  assert_sound(m);
  script.calls = 0;
  script.at = at;
  script.kind = kind;
  for (nsds_status status = NSDS_OK; status != NSDS_END;) {
    snapshot before = snapshot_take(m);
    double t = nsds_time(s);
    status = nsds_step(s);
    if (status < 0) {
      ++r.failures;
      if (r.failures > 1)
        fail_msg("%s, %s: call %ld, fault %d: made again, the step fails: %s", of->name,
                 integrator ? integrator : "time stepping", at, (int)kind,
                 nsds_error_message(nsds_model_context(m)));
      snapshot_check(&before, m, "a step that failed");
      assert_true(nsds_time(s) == t);
      nsds_error_clear(nsds_model_context(m));
    } else {
      r.hash = state_hash(m, r.hash);
      if (at > 0 && script.calls >= at && r.failures == 0) status = NSDS_END; /* on its own path */
    }
    snapshot_free(&before);
  }
  r.calls = script.calls;
  snapshot end = snapshot_take(m);
  for (size_t k = 0; k < end.count; ++k) assert_true(isfinite(end.x[k]));
  snapshot_free(&end);
  nsds_model_destroy(m);
  return r;
}

/* So many calls, evenly among all, in every way; all of them where NSDS_TEST_EVERY_CALL is set, in
 * minutes. */
static void try_calls(const scene *of, const char *integrator, long tries) {
  run_result undisturbed = run_once(of, integrator, 0, returns_1);
  long failures = 0, others = 0, calls = undisturbed.calls;
  if (getenv("NSDS_TEST_EVERY_CALL") || tries > calls) tries = calls;
  for (long k = 0; k < tries; ++k)
    for (fault kind = 0; kind < fault_kinds; ++kind) {
      long at = 1 + (k * calls + calls / 3) / tries;
      run_result r = run_once(of, integrator, at, kind);
      failures += r.failures;
      if (r.failures == 0 || r.hash == undisturbed.hash) continue;
      ++others;
      print_message("    call %ld, fault %d: another path\n", at, (int)kind);
    }
  print_message("    %s, %s: %ld calls, %ld failures, %ld of them on another path\n", of->name,
                integrator ? integrator : "time stepping", calls, failures, others);
  assert_true(failures > 0);
  assert_int_equal(others, 0);
}

#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
enum { usual = 6, few = 1 };
#else
enum { usual = 40, few = 3 };
#endif

static void event_driven(void **state) {
  (void)state;
  for (size_t k = 0; k < sizeof scenes / sizeof *scenes; ++k) try_calls(&scenes[k], "auto", usual);
}

static bool has_sundials(void) {
  nsds_model *m = nsds_model_create(NULL);
  bool has = simulate(m, "cvode") != NULL;
  nsds_model_destroy(m);
  return has;
}

/* Two of SUNDIALS, where it is built in. */
static void event_driven_implicit(void **state) {
  (void)state;
  static const char *const integrator[] = {"esdirk", "arkode", "cvode"};
  for (int i = 0; i < (has_sundials() ? 3 : 1); ++i)
    for (size_t k = 0; k < sizeof scenes / sizeof *scenes; ++k)
      if (i < 2 || scenes[k].make != poisson) /* whose low orders make too many events of it */
        try_calls(&scenes[k], integrator[i], few);
}

static void time_stepping(void **state) {
  (void)state;
  for (size_t k = 0; k < sizeof scenes / sizeof *scenes; ++k)
    if (scenes[k].make != poisson && scenes[k].make != touching) try_calls(&scenes[k], NULL, usual);
}

/* ---- after a saved state has been returned to ---- */

/* From the state saved to the end; the fingerprint, and whether a step has failed and been made again
 * before any that succeeded with the fault. */
static bool run_from_saved(nsds_model *m, nsds_simulation *s, long at, fault kind, uint64_t *hash) {
  bool failed = false;
  assert_ok(m, nsds_simulation_restore(s));
  script.calls = 0;
  script.at = at;
  script.kind = kind;
  *hash = 1;
  for (nsds_status status = NSDS_OK; status != NSDS_END;) {
    status = nsds_step(s);
    if (status < 0) {
      if (failed) fail_msg("call %ld: %s", at, nsds_error_message(nsds_model_context(m)));
      failed = true;
      nsds_error_clear(nsds_model_context(m));
    } else {
      *hash = state_hash(m, *hash);
      if (at > 0 && script.calls >= at && !failed) return false;
    }
  }
  return failed;
}

static void from_saved_states(void **state) {
  (void)state;
  for (size_t k = 0; k < sizeof scenes / sizeof *scenes; ++k) {
    nsds_model *m = nsds_model_create(NULL);
    script.calls = script.at = 0;
    scenes[k].make(m);
    nsds_simulation *s = simulate(m, "dormand_prince");
    for (int n = 0; n < 7; ++n) assert_ok(m, nsds_step(s));
    assert_ok(m, nsds_simulation_save(s));
    uint64_t undisturbed, hash;
    run_from_saved(m, s, 0, returns_1, &undisturbed);
    long calls = script.calls, failures = 0, first = 0, others = 0;
    for (long j = 0; j < usual; ++j) {
      /* the first calls are those of the step that goes on with what was saved */
      long at = j < usual / 4 ? j + 1 : 1 + j * calls / usual;
      if (at > calls || !run_from_saved(m, s, at, returns_minus_1, &hash)) continue;
      ++failures;
      first += j < usual / 4;
      others += hash != undisturbed;
      if (hash != undisturbed) print_message("    call %ld: another path\n", at);
    }
    print_message("    %s: %ld failures, %ld of them at once, %ld on another path\n",
                  scenes[k].name, failures, first, others);
    assert_int_equal(others, 0);
    nsds_model_destroy(m);
  }
}

/* ---- memory that is missing once ---- */

/* A run in which allocation `at` fails, counted from the first step on; its number of allocations. */
static long run_short(const scene *of, long at, uint64_t *hash, long *failures) {
  meter memory = {0};
  nsds_context *context = meter_context(&memory);
  nsds_model *m = nsds_model_create(context);
  script.calls = script.at = 0;
  of->make(m);
  nsds_simulation *s = simulate(m, "dormand_prince");
  assert_sound(m);
  long first = memory.calls;
  memory.fail_at = at > 0 ? first + at : 0;
  *hash = 1;
  *failures = 0;
  for (nsds_status status = NSDS_OK; status != NSDS_END;) {
    snapshot before = snapshot_take(m);
    status = nsds_step(s);
    if (status < 0) {
      assert_int_equal(status, NSDS_ERROR_MEMORY);
      assert_int_equal(++*failures, 1);
      snapshot_check(&before, m, "a step without memory");
      nsds_error_clear(context);
    } else {
      *hash = state_hash(m, *hash);
    }
    snapshot_free(&before);
  }
  long calls = memory.calls - first;
  nsds_model_destroy(m);
  nsds_context_destroy(context);
  assert_int_equal(memory.live, 0);
  return calls;
}

static void short_of_memory(void **state) {
  (void)state;
  for (size_t k = 0; k < sizeof scenes / sizeof *scenes; ++k) {
    uint64_t undisturbed, hash;
    long failures, all = 0, others = 0, calls = run_short(&scenes[k], 0, &undisturbed, &failures);
    for (long at = 1; at <= calls; ++at) {
      run_short(&scenes[k], at, &hash, &failures);
      all += failures;
      others += failures > 0 && hash != undisturbed;
    }
    print_message("    %s: %ld allocations, %ld failures, %ld of them on another path\n",
                  scenes[k].name, calls, all, others);
    assert_int_equal(others, 0);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(event_driven),    cmocka_unit_test(event_driven_implicit),
      cmocka_unit_test(time_stepping),   cmocka_unit_test(from_saved_states),
      cmocka_unit_test(short_of_memory),
  };
  return cmocka_run_group_tests_name("event_driven.failed_steps", tests, NULL, NULL);
}
