/*
 * A step is made completely or not at all. One world with every kind of user function counts their
 * calls; the k-th call is made to fail, for every k of a creation and of several steps, by a code
 * > 0, a code < 0, NaN and infinity. The failure must name object, function and time, leave every
 * array of the model as it was, bit by bit, and the run continued afterwards must give the bits of
 * an undisturbed one.
 */
#include "support.h"

#include <stdio.h>

/* ---- functions that fail on request ---- */

typedef enum manner { REFUSE, ABORT, WRITE_NAN, WRITE_INF, manners } manner;

typedef struct trap {
  long calls, fail_at; /* fail_at 0: never */
  manner how;
  const char *object, *function; /* that failed */
  double t;
} trap;

static int call(trap *t, const char *object, const char *function, const nsds_arguments *in,
                double *out) {
  if (++t->calls != t->fail_at) return 0;
  t->object = object;
  t->function = function;
  t->t = in->t;
  if (t->how == REFUSE) return 7;
  if (t->how == ABORT) return -7;
  out[0] = t->how == WRITE_NAN ? NAN : -INFINITY;
  return 0;
}

#define ARM(name, field, ...)                                                                      \
  static int name(const nsds_arguments *in, double *out, void *user) {                             \
    __VA_ARGS__;                                                                                   \
    return call(user, "arm", field, in, out);                                                      \
  }

ARM(mass, "mass_fn", out[0] = out[3] = 2.0; out[1] = out[2] = 0.5 * cos(in->q[1]))
ARM(nnl, "nnl.fn", out[0] = -0.5 * in->v[1] * in->v[1] * sin(in->q[1]))
ARM(nnl_q, "nnl.jac_q_fn", out[2] = -0.5 * in->v[1] * in->v[1] * cos(in->q[1]))
ARM(nnl_v, "nnl.jac_v_fn", out[2] = -in->v[1] * sin(in->q[1]))
ARM(fint, "fint.fn", out[0] = 0.3 * in->v[0]; out[1] = 5.0 * sin(in->q[1]))
ARM(fint_q, "fint.jac_q_fn", out[3] = 5.0 * cos(in->q[1]))
ARM(fint_v, "fint.jac_v_fn", out[0] = 0.3)
ARM(fext, "fext_fn", out[0] = -20.0 + sin(30.0 * in->t); out[1] = 0.1)
ARM(control_map, "control.map_fn", out[1] = 1.0)
ARM(control, "control.fn", out[0] = -0.2 * in->v[1])

static int plane_velocity(const nsds_arguments *in, double *out, void *user) {
  out[0] = 0.1 * cos(20.0 * in->t);
  return call(user, "plane", "prescribed.fn", in, out);
}

#define GAP(name, object, field, ...)                                                              \
  static int name(const nsds_arguments *in, double *out, void *user) {                             \
    __VA_ARGS__;                                                                                   \
    return call(user, object, field, in, out);                                                     \
  }

GAP(tip, "tip", "output_fn", out[0] = in->q[0] - 0.2 * cos(in->q[1]) - in->q[2])
GAP(tip_q, "tip", "jac_output_q_fn", out[0] = 1.0; out[1] = 0.2 * sin(in->q[1]); out[2] = -1.0)
GAP(roof, "roof", "output_fn", out[0] = 0.6 + 0.1 * in->t - in->q[0])
GAP(roof_q, "roof", "jac_output_q_fn", out[0] = -1.0)
GAP(roof_t, "roof", "jac_output_t_fn", out[0] = 0.1; (void)in)
GAP(pad, "pad", "output_fn", out[0] = in->q[0] - 0.25 + 1e-3 * in->lambda[0])
GAP(pad_q, "pad", "jac_output_q_fn", out[0] = 1.0)
GAP(pad_lambda, "pad", "jac_output_lambda_fn", out[0] = 1e-3)

/* ---- the world ---- */

static nsds_time_stepping_def stepping = {.t1 = 10.0, .h = 4e-3};

static nsds_model *build(trap *t) {
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *ds[2];
  ds[0] = nsds_lagrangian(model, &(nsds_lagrangian_def){.name = "arm",
                                                        .ndof = 2,
                                                        .q0 = (double[]){0.4, 0.5},
                                                        .v0 = (double[]){2.5, 0.0},
                                                        .mass_fn = mass,
                                                        .nnl.fn = nnl,
                                                        .nnl.jac_q_fn = nnl_q,
                                                        .nnl.jac_v_fn = nnl_v,
                                                        .fint.fn = fint,
                                                        .fint.jac_q_fn = fint_q,
                                                        .fint.jac_v_fn = fint_v,
                                                        .fext_fn = fext,
                                                        .control.n = 1,
                                                        .control.map_fn = control_map,
                                                        .control.fn = control,
                                                        .control.jac_q_fn = nsds_zero,
                                                        .control.jac_v_fn = nsds_zero,
                                                        .user = t});
  ds[1] =
      nsds_lagrangian_linear(model, &(nsds_lagrangian_linear_def){.name = "plane",
                                                                  .ndof = 1,
                                                                  .mass = (double[]){1.0},
                                                                  .prescribed.n = 1,
                                                                  .prescribed.index = (int[]){0},
                                                                  .prescribed.fn = plane_velocity,
                                                                  .user = t});
  const nsds_lagrangian_relation_def def[3] = {
      {.name = "tip", .ny = 1, .nq = 3, .output_fn = tip, .jac_output_q_fn = tip_q, .user = t},
      {.name = "roof",
       .ny = 1,
       .nq = 2,
       .output_fn = roof,
       .jac_output_q_fn = roof_q,
       .jac_output_t_fn = roof_t,
       .user = t},
      {.name = "pad",
       .ny = 1,
       .nq = 2,
       .output_fn = pad,
       .jac_output_q_fn = pad_q,
       .jac_output_lambda_fn = pad_lambda,
       .user = t}};
  nsds_law *impact = nsds_newton_impact(model, 0.4);
  nsds_connect(model, nsds_lagrangian_relation(model, &def[0]), impact, 2, ds);
  nsds_connect(model, nsds_lagrangian_relation(model, &def[1]), impact, 1, ds);
  nsds_connect(model, nsds_lagrangian_relation(model, &def[2]), nsds_complementarity(model), 1, ds);
  return model;
}

enum { steps = 140 };

/* Hash after every step, and the calls made before each step, of an undisturbed run. */
typedef struct record {
  uint64_t hash[steps + 1];
  long calls[steps + 1];
  int first[3]; /* step in which each contact is first loaded */
} record;

static void undisturbed(record *r) {
  trap t = {0};
  nsds_model *model = build(&t);
  nsds_simulation *simulation = nsds_time_stepping(model, &stepping);
  assert_sound(model);
  r->calls[0] = t.calls;
  r->hash[0] = 0;
  for (int s = 0; s < steps; ++s) {
    assert_ok(model, nsds_step(simulation));
    r->hash[s + 1] = state_hash(model, r->hash[s]);
    r->calls[s + 1] = t.calls;
    for (int c = 0; c < 3; ++c)
      if (!r->first[c] && nsds_impulse(nsds_interaction_at(model, c))[0] > 0.0) r->first[c] = s;
  }
  nsds_model_destroy(model);
}

static nsds_status expected(manner how) {
  return how == ABORT ? NSDS_ERROR_ABORTED : NSDS_ERROR_CALLBACK;
}

static void check_message(const trap *t, const char *message) {
  static const char *const said[manners] = {"returned 7", "returned -7", "nan", "-inf"};
  char time[48];
  snprintf(time, sizeof time, "t = %.17g", t->t);
  const char *words[] = {t->object, t->function, said[t->how], time};
  assert_words(message, words, 4);
}

static void check_step(const record *r, int disturbed_step, long k, manner how) {
  trap t = {.how = how};
  nsds_model *model = build(&t);
  nsds_context *context = nsds_model_context(model);
  nsds_simulation *simulation = nsds_time_stepping(model, &stepping);
  assert_sound(model);
  uint64_t hash = 0;
  for (int s = 0; s < steps; ++s) {
    if (s == disturbed_step) {
      snapshot before = snapshot_take(model);
      double time = nsds_time(simulation);
      t.fail_at = t.calls + k;
      assert_status(model, nsds_step(simulation), expected(how));
      check_message(&t, nsds_error_message(context));
      snapshot_check(&before, model, "a rejected step");
      assert_near(nsds_time(simulation), time, 0.0);
      assert_int_equal(nsds_step_count(simulation), s);
      snapshot_free(&before);
      nsds_error_clear(context);
    }
    assert_ok(model, nsds_step(simulation));
    hash = state_hash(model, hash);
    if (hash != r->hash[s + 1]) {
      print_error("after call %ld (%s) failed in step %d, step %d is not the undisturbed one\n", k,
                  t.function, disturbed_step, s);
      fail();
    }
    if (s == disturbed_step + 3) break;
  }
  nsds_model_destroy(model);
}

static void try_all(manner last) {
  record r = {0};
  undisturbed(&r);
  assert_true(r.first[0] && r.first[1] && r.first[2]); /* every contact comes to bear */
  const int disturbed[] = {0, r.first[0], r.first[1], r.first[2]};
  long tried = 0;
  for (int d = 0; d < 4; ++d) {
    int s = disturbed[d];
    for (manner how = 0; how <= last; ++how)
      for (long k = 1; k <= r.calls[s + 1] - r.calls[s]; ++k, ++tried) check_step(&r, s, k, how);
  }
  print_message("             %ld failing calls in steps\n", tried);
  assert_true(tried > 200);
}

static void steps_are_all_or_nothing(void **state) {
  (void)state;
  try_all(WRITE_INF);
}

/* Nor does a method of the table remember what it solved in a step that was not made. */
static void with_every_solver(void **state) {
  (void)state;
  for (int k = 0; nsds_solver_table(k) && !nsds_solver_table(k)->global; ++k) {
    const nsds_solver_row *row = nsds_solver_table(k);
    if (!(row->sets & NSDS_SET_NONNEGATIVE) || !(row->storages & NSDS_FACTORED)) continue;
    if (strcmp(row->name, "multigrid") == 0) continue; /* refuses M, which is not symmetric here */
    stepping.solver = row->name;
    try_all(REFUSE);
  }
  stepping.solver = NULL;
}

/* The same while the model and the simulation are being made. */
static void creation_is_all_or_nothing(void **state) {
  (void)state;
  record r = {0};
  undisturbed(&r);
  for (manner how = 0; how < manners; ++how)
    for (long k = 1; k <= r.calls[0]; ++k) {
      trap t = {.how = how, .fail_at = k};
      nsds_model *model = build(&t);
      nsds_context *context = nsds_model_context(model);
      if (nsds_error(context) == NSDS_OK) {
        assert_null(nsds_time_stepping(model, &stepping));
        assert_int_equal(nsds_error(context), expected(how));
        check_message(&t, nsds_error_message(context));
        assert_null(nsds_time_stepping(model, &stepping)); /* the error is not dealt with yet */
        nsds_error_clear(context);
        nsds_simulation *simulation = nsds_time_stepping(model, &stepping);
        assert_sound(model);
        for (int s = 0; s < 3; ++s) assert_ok(model, nsds_step(simulation));
      } else { /* M(q0) could not be had: the system is missing, what depends on it as well */
        assert_string_equal(t.function, "mass_fn");
        check_message(&t, nsds_error_message(context));
        assert_null(nsds_time_stepping(model, &stepping));
        check_message(&t, nsds_error_message(context)); /* the first error sticks */
      }
      nsds_model_destroy(model);
    }
}

/*
 * A step size that cannot be prepared and is taken back: what was prepared for it before the
 * failure must not be used. The first system has been factored anew when the force of the second
 * one fails.
 */
static int fragile(const nsds_arguments *in, double *out, void *user) {
  out[0] = in->t;
  return *(int *)user;
}

static void a_step_size_taken_back(void **state) {
  (void)state;
  int code = 0, fine = 0;
  nsds_model *model[2];
  nsds_simulation *simulation[2];
  for (int k = 0; k < 2; ++k) {
    model[k] = nsds_model_create(NULL);
    nsds_lagrangian_linear(model[k], &(nsds_lagrangian_linear_def){.ndof = 1,
                                                                   .q0 = (double[]){1.0},
                                                                   .mass = (double[]){1.0},
                                                                   .stiffness = (double[]){40.0}});
    nsds_lagrangian_linear(model[k], &(nsds_lagrangian_linear_def){.ndof = 1,
                                                                   .mass = (double[]){1.0},
                                                                   .fext_fn = fragile,
                                                                   .user = k == 0 ? &code : &fine});
    simulation[k] = run(model[k], &(nsds_time_stepping_def){.t1 = 10.0, .h = 0.0625}, 5);
  }
  assert_ok(model[0], nsds_simulation_set_h(simulation[0], 0.5));
  code = 1;
  assert_status(model[0], nsds_step(simulation[0]), NSDS_ERROR_CALLBACK);
  code = 0;
  nsds_error_clear(nsds_model_context(model[0]));
  assert_ok(model[0], nsds_simulation_set_h(simulation[0], 0.0625));
  for (int s = 0; s < 5; ++s) {
    for (int k = 0; k < 2; ++k) assert_ok(model[k], nsds_step(simulation[k]));
    snapshot twin = snapshot_take(model[1]);
    snapshot_check(&twin, model[0], "a step size that was taken back");
    snapshot_free(&twin);
  }
  for (int k = 0; k < 2; ++k) nsds_model_destroy(model[k]);
}

/* An overflow of the state itself is noticed and refused too. */
static int explosive(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = in->t > 0.45 ? 1e300 : 0.0;
  return 0;
}

static void overflow_is_refused(void **state) {
  (void)state;
  nsds_model *model = nsds_model_create(NULL);
  nsds_lagrangian_linear(
      model, &(nsds_lagrangian_linear_def){
                 .name = "rocket", .ndof = 1, .mass = (double[]){1e-100}, .fext_fn = explosive});
  nsds_simulation *simulation = run(model, &(nsds_time_stepping_def){.t1 = 1.0, .h = 0.1}, 4);
  snapshot before = snapshot_take(model);
  for (int k = 0; k < 2; ++k) {
    assert_status(model, nsds_step(simulation), NSDS_ERROR_VALUE);
    snapshot_check(&before, model, "a step that overflowed");
  }
  const char *words[] = {"rocket", "not finite", "t = 0.5"};
  assert_words(nsds_error_message(nsds_model_context(model)), words, 3);
  assert_near(nsds_time(simulation), 0.4, 1e-15);
  snapshot_free(&before);
  nsds_model_destroy(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(steps_are_all_or_nothing),   cmocka_unit_test(with_every_solver),
      cmocka_unit_test(creation_is_all_or_nothing), cmocka_unit_test(a_step_size_taken_back),
      cmocka_unit_test(overflow_is_refused),
  };
  return cmocka_run_group_tests_name("kernel.rejection", tests, NULL, NULL);
}
