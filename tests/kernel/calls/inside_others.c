/*
 * Calls from inside that are not of the simulation in the step (tests of kernel.inside_step): of
 * another simulation of the same model, while a simulation is made, and another solver from
 * check_solver.
 */
#include "support.h"

#include <stdio.h>

typedef struct scene scene;

/* One thing to try; true where it was refused as it should be. */
typedef nsds_status (*attempt)(scene *s);

struct scene {
  nsds_model *model;
  nsds_ds *body, *plate;
  nsds_relation *relation, *unused;
  nsds_law *law;
  nsds_interaction *ia[2];
  nsds_simulation *simulation, *other;
  attempt attempt; /* what operators try; NULL: nothing */
  bool making;     /* the simulation is being made */
  long refused;
};

static nsds_status try_connect(scene *s) {
  nsds_interaction *ia = nsds_connect(s->model, s->relation, s->law, 1, &s->body);
  return ia ? NSDS_OK : nsds_error(nsds_model_context(s->model));
}

static nsds_status try_disconnect(scene *s) { return nsds_disconnect(s->ia[0]); }
static nsds_status try_destroy_relation(scene *s) { return nsds_relation_destroy(s->unused); }

static nsds_status try_state(scene *s) {
  return nsds_set_state(s->body, (double[]){9.0, 9.0}, NULL);
}

static nsds_status try_z(scene *s) { return nsds_ds_set_z(s->body, 1, (double[]){5.0}); }
static nsds_status try_ia_z(scene *s) { return nsds_interaction_set_z(s->ia[1], 1, (double[]){5}); }

static nsds_status try_relation_z(scene *s) {
  return nsds_relation_set_z(s->relation, 1, (double[]){5.0});
}

static nsds_status try_system(scene *s) {
  nsds_ds *ds = nsds_lagrangian_linear(
      s->model, &(nsds_lagrangian_linear_def){.ndof = 1, .mass = (double[]){1.0}});
  return ds ? NSDS_OK : nsds_error(nsds_model_context(s->model));
}

static nsds_status try_integrator(scene *s) {
  return nsds_ds_set_integrator(s->body, nsds_integrator_named("default"));
}

static nsds_status try_simulation(scene *s) {
  nsds_simulation *more =
      nsds_time_stepping(s->model, &(nsds_time_stepping_def){.t1 = 1.0, .h = 0.1});
  return more ? NSDS_OK : nsds_error(nsds_model_context(s->model));
}

/* Another simulation of the same model is no way round. */
static nsds_status try_other_step(scene *s) { return nsds_step(s->other); }
static nsds_status try_other_begin(scene *s) { return nsds_step_begin(s->other); }
static nsds_status try_other_restore(scene *s) { return nsds_simulation_restore(s->other); }
static nsds_status try_other_save(scene *s) { return nsds_simulation_save(s->other); }

static nsds_status try_other_destroy(scene *s) {
  nsds_simulation_destroy(s->other);
  return nsds_error(nsds_model_context(s->model));
}

static const struct {
  const char *name;
  attempt call;
  bool needs_simulation;
} attempts[] = {{"nsds_connect", try_connect, false},
                {"nsds_disconnect", try_disconnect, false},
                {"nsds_relation_destroy", try_destroy_relation, false},
                {"nsds_set_state", try_state, false},
                {"nsds_ds_set_z", try_z, false},
                {"nsds_interaction_set_z", try_ia_z, false},
                {"nsds_relation_set_z", try_relation_z, false},
                {"nsds_lagrangian_linear", try_system, false},
                {"nsds_ds_set_integrator", try_integrator, false},
                {"nsds_time_stepping", try_simulation, false},
                {"nsds_step", try_other_step, true},
                {"nsds_step_begin", try_other_begin, true},
                {"nsds_simulation_restore", try_other_restore, true},
                {"nsds_simulation_save", try_other_save, true},
                {"nsds_simulation_destroy", try_other_destroy, true}};
enum { attempt_count = sizeof attempts / sizeof *attempts };

static void meddle(scene *s, const char *from) {
  attempt call = s->attempt;
  if (!call) return;
  nsds_context *context = nsds_model_context(s->model);
  nsds_error_clear(context);
  s->attempt = NULL; /* not again from what it calls */
  nsds_status status = call(s);
  s->attempt = call;
  const char *name = "";
  for (int k = 0; k < attempt_count; ++k)
    if (attempts[k].call == call) name = attempts[k].name;
  if (status != NSDS_ERROR_STATE) fail_msg("%s from %s gave %d", name, from, status);
  if (!strstr(nsds_last_message(context), name))
    fail_msg("%s from %s: %s", name, from, nsds_last_message(context));
  nsds_error_clear(context);
  ++s->refused;
}

/* ---- a model with every kind of function ---- */

#define OPERATOR(name, ...)                                                                        \
  static int name(const nsds_arguments *in, double *out, void *user) {                             \
    (void)in;                                                                                      \
    __VA_ARGS__;                                                                                   \
    meddle(user, #name);                                                                           \
    return 0;                                                                                      \
  }

OPERATOR(mass, out[0] = out[3] = 2.0; out[1] = out[2] = 0.3 * cos(in->q[1]))
OPERATOR(fint, out[0] = 4.0 * in->q[0]; out[1] = 3.0 * sin(in->q[1]))
OPERATOR(fint_q, out[0] = 4.0; out[3] = 3.0 * cos(in->q[1]))
OPERATOR(fint_v, out[0] = 0.0)
OPERATOR(fext, out[0] = -9.81 * in->z[0]; out[1] = sin(in->t))
OPERATOR(moved, out[0] = 0.2 * cos(in->t))
OPERATOR(gap, out[0] = in->q[0] + 0.2 * cos(in->q[1]) - 0.1 * in->z[1])
OPERATOR(gap_q, out[0] = 1.0; out[1] = -0.2 * sin(in->q[1]))

static nsds_verdict look(nsds_simulation *simulation, const nsds_solver_info *info, void *user) {
  (void)simulation, (void)info;
  meddle(user, "check_solver");
  return NSDS_CONTINUE;
}

static void build(scene *s, attempt call, bool while_making) {
  *s = (scene){.model = nsds_model_create(NULL)};
  s->body = nsds_lagrangian(s->model, &(nsds_lagrangian_def){.name = "body",
                                                             .ndof = 2,
                                                             .q0 = (double[]){-0.13, 0.4},
                                                             .mass_fn = mass,
                                                             .fint.fn = fint,
                                                             .fint.jac_q_fn = fint_q,
                                                             .fint.jac_v_fn = fint_v,
                                                             .fext_fn = fext,
                                                             .nz = 1,
                                                             .z = (double[]){1.0},
                                                             .user = s});
  s->plate =
      nsds_lagrangian_linear(s->model, &(nsds_lagrangian_linear_def){.ndof = 1,
                                                                     .mass = (double[]){1.0},
                                                                     .prescribed.n = 1,
                                                                     .prescribed.index = (int[]){0},
                                                                     .prescribed.fn = moved,
                                                                     .user = s});
  const nsds_lagrangian_relation_def def = {
      .ny = 1, .nq = 2, .output_fn = gap, .jac_output_q_fn = gap_q, .nz = 1, .user = s};
  s->relation = nsds_lagrangian_relation(s->model, &def);
  s->unused = nsds_lagrangian_relation(s->model, &def);
  s->law = nsds_newton_impact(s->model, 0.3);
  s->ia[0] = nsds_connect(s->model, s->relation, s->law, 1, &s->body);
  s->ia[1] = nsds_connect(s->model, s->relation, s->law, 1, &s->body);
  nsds_interaction_set_z(s->ia[1], 1, (double[]){0.5});
  assert_sound(s->model);
  const nsds_time_stepping_def stepping = {
      .t1 = 1e3, .h = 2e-3, .check_solver = look, .check_solver_user = s};
  if (while_making) s->attempt = call;
  s->simulation = nsds_time_stepping(s->model, &stepping);
  s->attempt = NULL;
  assert_non_null(s->simulation);
  s->other = nsds_time_stepping(s->model, &stepping);
  assert_non_null(s->other);
  assert_ok(s->model, nsds_simulation_save(s->simulation));
  assert_ok(s->model, nsds_simulation_save(s->other));
  s->attempt = call;
}

static void another_simulation_is_no_way_round(void **state) {
  (void)state;
  enum { steps = 300 };
  static uint64_t hash[steps];
  scene s;
  for (int k = -1; k < attempt_count; ++k) {
    build(&s, k < 0 ? NULL : attempts[k].call, false);
    int active = 0;
    for (int n = 0; n < steps; ++n) {
      assert_status(s.model, nsds_step(s.simulation), NSDS_OK);
      active += nsds_simulation_info(s.simulation)->active > 0;
      attempt call = s.attempt;
      s.attempt = NULL;
      if (k < 0) hash[n] = state_hash(s.model, 0);
      else if (hash[n] != state_hash(s.model, 0))
        fail_msg("%s from inside: other bits in step %d", attempts[k].name, n);
      s.attempt = call;
    }
    s.attempt = NULL;
    assert_true(active > 20);
    assert_true(k < 0 || s.refused > 10 * steps);
    assert_int_equal(nsds_interaction_count(s.model), 2);
    nsds_model_destroy(s.model);
  }
}

/* A plan is made of the model as it is: nothing may change meanwhile. */
static void calls_while_a_simulation_is_made_are_refused(void **state) {
  (void)state;
  scene s;
  uint64_t hash = 0;
  for (int k = -1; k < attempt_count; ++k) {
    if (k >= 0 && attempts[k].needs_simulation) continue;
    build(&s, k < 0 ? NULL : attempts[k].call, true);
    if (k >= 0) assert_true(s.refused > 0);
    s.attempt = NULL;
    for (int n = 0; n < 20; ++n) assert_ok(s.model, nsds_step(s.simulation));
    if (k < 0) hash = state_hash(s.model, 0);
    assert_true(state_hash(s.model, 0) == hash);
    nsds_model_destroy(s.model);
  }
}

/* What is allowed there: reading, and another solver in check_solver. */
static nsds_verdict change_solver(nsds_simulation *simulation, const nsds_solver_info *info,
                                  void *user) {
  (void)info;
  int *calls = user;
  if (++*calls % 2 == 0) return NSDS_CONTINUE;
  assert_int_equal(nsds_simulation_set_solver(simulation, *calls % 4 == 1 ? "lemke" : "auto", 0.0),
                   NSDS_OK);
  return NSDS_RETRY;
}

static void another_solver_is_allowed(void **state) {
  (void)state;
  int calls = 0;
  const double one = 1.0;
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *ds = nsds_lagrangian_linear(
      model, &(nsds_lagrangian_linear_def){.ndof = 1, .mass = &one, .fext = (double[]){-1.0}});
  nsds_relation *floor = nsds_lagrangian_linear_relation(
      model, &(nsds_lagrangian_linear_relation_def){.ny = 1, .nq = 1, .H = &one});
  nsds_interaction *ia = nsds_connect(model, floor, nsds_newton_impact(model, 0.0), 1, &ds);
  nsds_simulation *s =
      run(model,
          &(nsds_time_stepping_def){
              .t1 = 1.0, .h = 0.01, .check_solver = change_solver, .check_solver_user = &calls},
          50);
  assert_int_equal(calls, 100);
  assert_near(nsds_lambda(ia)[0], 1.0, 1e-12);
  assert_near(nsds_q(ds)[0], 0.0, 1e-15);
  nsds_simulation_destroy(s);
  nsds_model_destroy(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(another_simulation_is_no_way_round),
      cmocka_unit_test(calls_while_a_simulation_is_made_are_refused),
      cmocka_unit_test(another_solver_is_allowed),
  };
  return cmocka_run_group_tests_name("kernel.inside_others", tests, NULL, NULL);
}
