/*
 * Calls from functions that no step has called: of a solver at work, of the evaluation of y between
 * steps, of what is being destroyed, of the log handler. What is in use is not destroyed.
 */
#include "support.h"

#include <stdlib.h>

/* The last call was refused, with a message that names it; forgets the error. */
static void refused(nsds_context *context, const char *name) {
  const char *const words[] = {name};
  assert_int_equal(nsds_error(context), NSDS_ERROR_STATE);
  assert_words(nsds_error_message(context), words, 1);
  nsds_error_clear(context);
}

/* ---- solvers at work ---- */

static const double M[9] = {2.0, 0.3, 0.1, 0.3, 1.5, 0.2, 0.1, 0.2, 1.8};
static const double q[3] = {-1.0, 1.2, 0.7};

typedef struct work {
  nsds_context *context;
  nsds_solver *solver, *global;
  const nsds_problem *problem;
  bool meddles;
  long calls;
} work;

static int meddle_with_solver(int iteration, double residual, void *user) {
  (void)iteration, (void)residual;
  work *w = user;
  double z[3] = {0.0}, v[3];
  ++w->calls;
  if (!w->meddles) return 0;
  nsds_solver_destroy(w->solver);
  refused(w->context, "nsds_solver_destroy");
  assert_int_equal(nsds_solver_set(w->solver, "tolerance", 1.0), NSDS_ERROR_STATE);
  refused(w->context, "nsds_solver_set");
  assert_int_equal(nsds_solver_reserve(w->solver, w->problem), NSDS_ERROR_STATE);
  refused(w->context, "nsds_solver_reserve");
  assert_int_equal(nsds_solve(w->solver, w->problem, z, v, NULL), NSDS_ERROR_STATE);
  refused(w->context, "nsds_solve");
  nsds_solver_set_progress(w->solver, NULL, NULL);
  refused(w->context, "nsds_solver_set_progress");
  nsds_context_destroy(w->context);
  refused(w->context, "nsds_context_destroy");
  return 0;
}

static void a_solver_at_work_is_left_alone(void **state) {
  (void)state;
  static const char *const names[] = {"nsgs", "projected_gradient", "admm", "auto"};
  const nsds_block block = {.set = NSDS_SET_COULOMB, .size = 3, .mu = 0.4};
  const nsds_problem problem = {.n = 3,
                                .nblock = 1,
                                .block = &block,
                                .M = {.storage = NSDS_DENSE, .n = 3, .x = M, .symmetric = true},
                                .q = q};
  long calls = 0;
  for (size_t k = 0; k < sizeof names / sizeof *names; ++k) {
    double z[2][3] = {{0.0}};
    for (int meddles = 0; meddles < 2; ++meddles) {
      work w = {.problem = &problem, .meddles = meddles};
      double v[3];
      w.context = nsds_context_create(NULL);
      w.solver = nsds_solver_create(w.context, names[k]);
      nsds_solver_set_progress(w.solver, meddle_with_solver, &w);
      assert_int_equal(nsds_solve(w.solver, &problem, z[meddles], v, NULL), NSDS_OK);
      assert_int_equal(nsds_solver_set(w.solver, "tolerance", 1e-6), NSDS_OK);
      nsds_solver_destroy(w.solver);
      nsds_context_destroy(w.context);
      calls += w.calls;
    }
    assert_memory_equal(z[0], z[1], sizeof z[0]);
  }
  assert_true(calls > 6);
}

static int meddle_with_visit(const double *z, const double *v, void *user) {
  work *w = user;
  double own[3] = {0.0}, unused[3];
  (void)z, (void)v;
  ++w->calls;
  assert_int_equal(nsds_enumerate(w->solver, w->problem, NULL, NULL, NULL), NSDS_ERROR_STATE);
  refused(w->context, "nsds_enumerate");
  assert_int_equal(nsds_solve(w->solver, w->problem, own, unused, NULL), NSDS_ERROR_STATE);
  refused(w->context, "nsds_solve");
  nsds_solver_destroy(w->solver);
  refused(w->context, "nsds_solver_destroy");
  return 0;
}

static void an_enumeration_is_left_alone(void **state) {
  (void)state;
  const nsds_block block = {.set = NSDS_SET_NONNEGATIVE, .size = 3};
  const nsds_problem problem = {
      .n = 3, .nblock = 1, .block = &block, .M = {.storage = NSDS_DENSE, .n = 3, .x = M}, .q = q};
  work w = {.problem = &problem, .context = nsds_context_create(NULL)};
  w.solver = nsds_solver_create(w.context, "enumeration");
  assert_int_equal(nsds_enumerate(w.solver, &problem, meddle_with_visit, &w, NULL), NSDS_OK);
  assert_int_equal(w.calls, 1);
  nsds_solver_destroy(w.solver);
  nsds_context_destroy(w.context);
}

static int meddle_with_global(int iteration, double residual, void *user) {
  (void)iteration, (void)residual;
  work *w = user;
  ++w->calls;
  nsds_solver_destroy(w->global);
  refused(w->context, "nsds_solver_destroy");
  assert_int_equal(nsds_solver_set(w->global, "tolerance", 1.0), NSDS_ERROR_STATE);
  refused(w->context, "nsds_solver_set");
  nsds_solver_set_progress(w->global, NULL, NULL);
  refused(w->context, "nsds_solver_set_progress");
  if (!nsds_solver_inner(w->global)) {
    nsds_error_clear(w->context);
    return 0;
  }
  nsds_solver_destroy(nsds_solver_inner(w->global));
  refused(w->context, "nsds_solver_destroy");
  return 0;
}

static void a_global_solver_at_work_is_left_alone(void **state) {
  (void)state;
  static const char *const names[] = {"global_reduction", "global_factored", "global_admm",
                                      "global_nonsmooth_newton"};
  const nsds_block block = {.set = NSDS_SET_COULOMB, .size = 3, .mu = 0.4};
  /* two contacts of one body: a single one would be solved before anybody can look on */
  const int p[] = {0, 1, 2, 3, 4, 5, 6}, i[] = {0, 1, 2, 0, 1, 2};
  const double one[] = {1.0, 1.0, 1.0, 1.0, 1.0, 1.0}, w0[6] = {0.0};
  const nsds_block blocks[] = {block, block};
  const nsds_global_problem problem = {.nv = 3,
                                       .n = 6,
                                       .nblock = 2,
                                       .block = blocks,
                                       .M = {.storage = NSDS_DENSE, .n = 3, .x = M},
                                       .H = {3, 6, p, i, one},
                                       .f = q,
                                       .w = w0};
  for (size_t k = 0; k < sizeof names / sizeof *names; ++k) {
    work w = {.context = nsds_context_create(NULL)};
    double v[3], r[6] = {0.0}, u[6];
    w.global = nsds_solver_create(w.context, names[k]);
    nsds_solver_set_progress(w.global, meddle_with_global, &w);
    nsds_status status = nsds_global_solve(w.global, &problem, v, r, u, NULL, NULL);
    if (status) fail_msg("%s: %d", names[k], status);
    assert_true(w.calls > 0);
    nsds_solver_destroy(w.global);
    nsds_context_destroy(w.context);
  }
}

/* ---- between steps ---- */

typedef struct scene {
  nsds_context *context;
  nsds_model *model;
  nsds_ds *ds;
  nsds_relation *unused;
  nsds_interaction *ia;
  nsds_simulation *simulation;
  bool meddles;
  int calls;
} scene;

static void meddle(scene *s) {
  if (!s->meddles) return;
  s->meddles = false; /* not again from what is allowed */
  ++s->calls;
  assert_int_equal(nsds_disconnect(s->ia), NSDS_ERROR_STATE);
  refused(s->context, "nsds_disconnect");
  assert_true(isnan(nsds_kinetic_energy(s->ds)));
  refused(s->context, "nsds_kinetic_energy");
  assert_int_equal(nsds_check_jacobians(s->model, 0.0, 0.0, NULL), NSDS_ERROR_STATE);
  refused(s->context, "nsds_check_jacobians");
  assert_int_equal(nsds_step(s->simulation), NSDS_ERROR_STATE);
  refused(s->context, "nsds_step");
  nsds_simulation_destroy(s->simulation);
  refused(s->context, "nsds_simulation_destroy");
  nsds_model_destroy(s->model);
  refused(s->context, "nsds_model_destroy");
  nsds_context_destroy(s->context);
  refused(s->context, "nsds_context_destroy");
  s->meddles = true;
}

static nsds_status mass(void *self, const nsds_arguments *in, double *out) {
  (void)in;
  out[0] = 2.0;
  meddle(self);
  return NSDS_OK;
}

static nsds_status force(void *self, const nsds_arguments *in, double *out) {
  (void)self, (void)in;
  out[0] = -1.0;
  return NSDS_OK;
}

static int output_fn(const nsds_arguments *in, double *out, void *user) {
  out[0] = in->q[0];
  meddle(user);
  return 0;
}

static int gradient(const nsds_arguments *in, double *out, void *user) {
  (void)in;
  out[0] = 1.0;
  meddle(user);
  return 0;
}

static nsds_status output(void *self, const nsds_arguments *in, double *y) {
  (void)self;
  y[0] = in->q[0];
  return NSDS_OK;
}

static nsds_status of_output(void *self, const nsds_arguments *in, double *H) {
  (void)self, (void)in;
  H[0] = 1.0;
  return NSDS_OK;
}

/* `destroy` of an object: calls that would destroy it, or what holds it, a second time. */
static void again(void *self) {
  scene *s = self;
  ++s->calls;
  if (nsds_relation_destroy(s->unused) != NSDS_ERROR_STATE) fail();
  refused(s->context, "nsds_relation_destroy");
  nsds_model_destroy(s->model);
  refused(s->context, "nsds_model_destroy");
}

static const nsds_relation_ops relation_ops = {
    .type = "own", .output = output, .jacobian_q = of_output, .destroy = again};
static const nsds_second_order_ops ops = {.type = "own", .mass = mass, .force = force};

static void build(scene *s, nsds_context *context) {
  *s = (scene){.context = context, .model = nsds_model_create(context)};
  nsds_model *m = s->model;
  s->ds = nsds_custom_second_order(
      m, &(nsds_custom_second_order_def){.ops = &ops, .self = s, .ndof = 1});
  nsds_relation *gap = nsds_lagrangian_relation(
      m, &(nsds_lagrangian_relation_def){
             .ny = 1, .nq = 1, .output_fn = output_fn, .jac_output_q_fn = gradient, .user = s});
  s->unused = nsds_custom_relation(
      m, &(nsds_custom_relation_def){.ops = &relation_ops, .self = s, .ny = 1, .nq = 1});
  s->ia = nsds_connect(m, gap, nsds_newton_impact(m, 0.5), 1, &s->ds);
  s->simulation = nsds_time_stepping(m, &(nsds_time_stepping_def){.t1 = 1.0, .h = 0.01});
  assert_sound(m);
}

static void evaluations_are_left_alone(void **state) {
  (void)state;
  nsds_context *context = nsds_context_create(NULL);
  scene s;
  build(&s, context);
  for (int k = 0; k < 10; ++k) {
    s.meddles = true;
    assert_ok(s.model, nsds_set_state(s.ds, (double[]){0.1 * k}, (double[]){1.0}));
    assert_near(nsds_y(s.ia)[0], 0.1 * k, 0.0);
    assert_near(nsds_kinetic_energy(s.ds), 1.0, 0.0);
    assert_ok(s.model, nsds_check_jacobians(s.model, 0.0, 0.0, NULL));
    s.meddles = false;
    assert_ok(s.model, nsds_step(s.simulation));
  }
  assert_true(s.calls >= 40);
  nsds_model_destroy(s.model);
  assert_int_equal(s.calls % 10, 1); /* `destroy` was called once */
  nsds_context_destroy(context);
}

static void what_is_destroyed_is_not_destroyed_again(void **state) {
  (void)state;
  for (int model_first = 0; model_first < 2; ++model_first) {
    nsds_context *context = nsds_context_create(NULL);
    scene s;
    build(&s, context);
    if (!model_first) assert_ok(s.model, nsds_relation_destroy(s.unused));
    nsds_model_destroy(s.model);
    assert_int_equal(s.calls, 1);
    nsds_context_destroy(context);
  }
}

/* ---- contexts ---- */

static void a_context_waits_for_its_objects(void **state) {
  (void)state;
  meter m = {0};
  nsds_context *context = meter_context(&m);
  nsds_model *model = nsds_model_create(context);
  nsds_solver *solver = nsds_solver_create(context, NULL);
  nsds_context_destroy(context);
  refused(context, "nsds_context_destroy");
  nsds_model_destroy(model);
  nsds_context_destroy(context);
  refused(context, "nsds_context_destroy");
  nsds_solver_destroy(solver);
  nsds_context_destroy(context);
  assert_int_equal(m.live, 0);
  model = nsds_model_create(NULL);
  nsds_context_destroy(nsds_model_context(model)); /* its own */
  refused(nsds_model_context(model), "nsds_context_destroy");
  nsds_model_destroy(model);
}

/* The solver of a simulation is the simulation's. */
static void a_lent_solver_is_not_destroyed(void **state) {
  (void)state;
  nsds_context *context = nsds_context_create(NULL);
  scene s;
  build(&s, context);
  nsds_solver_destroy(nsds_simulation_solver(s.simulation));
  refused(context, "nsds_solver_destroy");
  assert_ok(s.model, nsds_step(s.simulation));
  nsds_model_destroy(s.model);
  nsds_context_destroy(context);
}

typedef struct heard {
  nsds_model *model;
  int calls;
} heard;

/* A handler whose own calls fail would be called for them for ever. */
static void log_handler(nsds_log_level level, const char *message, void *user) {
  (void)level, (void)message;
  heard *h = user;
  assert_true(++h->calls < 10);
  assert_null(nsds_connect(h->model, NULL, NULL, 0, NULL));
  assert_null(nsds_newton_impact(h->model, -1.0));
  nsds_error_clear(nsds_model_context(h->model));
}

static void a_log_handler_is_not_called_by_itself(void **state) {
  (void)state;
  heard h = {0};
  nsds_context *context =
      nsds_context_create(&(nsds_context_def){.log = log_handler, .log_user = &h});
  h.model = nsds_model_create(context);
  assert_null(nsds_newton_impact(h.model, -2.0));
  assert_int_equal(h.calls, 1);
  assert_int_equal(nsds_error(context), NSDS_ERROR_VALUE); /* the first, not what came of it */
  nsds_model_destroy(h.model);
  nsds_context_destroy(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_solver_at_work_is_left_alone),
      cmocka_unit_test(an_enumeration_is_left_alone),
      cmocka_unit_test(a_global_solver_at_work_is_left_alone),
      cmocka_unit_test(evaluations_are_left_alone),
      cmocka_unit_test(what_is_destroyed_is_not_destroyed_again),
      cmocka_unit_test(a_context_waits_for_its_objects),
      cmocka_unit_test(a_lent_solver_is_not_destroyed),
      cmocka_unit_test(a_log_handler_is_not_called_by_itself),
  };
  return cmocka_run_group_tests_name("kernel.inside_alone", tests, NULL, NULL);
}
