/*
 * A step is made completely or not at all, beyond what kernel.rejection has: types, an integrator,
 * a geometry and a solver of the user's own, first order with memory of r, contact sets that grow,
 * stages, halvings, states set and y read before. Every call, and every allocation, of every step
 * fails in turn: the state, time, contacts and what is due stay, bit by bit, and the step that is
 * made in the end has the bits of an undisturbed run.
 */
#include "support.h"

#include <stdlib.h>

typedef enum mode { WHOLE, IN_STAGES, HALVED, AFTER_CHANGES, WITH_EVENTS, modes } mode;

typedef struct world {
  meter m;
  long calls, fail_at;
  bool for_good, failed;
  nsds_model *model;
  nsds_ds *body, *ball, *tank;
  nsds_interaction *ia[2];
  nsds_contact_set *set;
  nsds_simulation *simulation;
  int sampled;
} world;

/* Whether this call is the one that fails. */
static bool trap(world *w) {
  long call = ++w->calls;
  bool hit = w->fail_at > 0 && (call == w->fail_at || (w->for_good && call > w->fail_at));
  w->failed = w->failed || hit;
  return hit;
}

/* ---- functions ---- */

#define OPERATOR(name, ...)                                                                        \
  static int name(const nsds_in *in, double *out, void *user) {                                    \
    (void)in;                                                                                      \
    __VA_ARGS__;                                                                                   \
    return trap(user);                                                                             \
  }

OPERATOR(mass, out[0] = out[3] = 2.0; out[1] = out[2] = 0.3 * cos(in->q[1]))
OPERATOR(fint, out[0] = 4.0 * in->q[0]; out[1] = 3.0 * sin(in->q[1]))
OPERATOR(fint_q, out[0] = 4.0; out[3] = 3.0 * cos(in->q[1]))
OPERATOR(fint_v, out[0] = 0.0)
OPERATOR(fext, out[0] = -9.81 * in->z[0]; out[1] = sin(in->t))
OPERATOR(gap, out[0] = in->q[0] + 0.2 * cos(in->q[1]))
OPERATOR(gap_q, out[0] = 1.0; out[1] = -0.2 * sin(in->q[1]))
OPERATOR(flow, out[0] = -1.0 - in->x[0] * in->x[0])
OPERATOR(flow_x, out[0] = -2.0 * in->x[0])
OPERATOR(level, out[0] = in->x[0] + 0.1 * in->lambda[0])
OPERATOR(level_x, out[0] = 1.0)
OPERATOR(level_lambda, out[0] = 0.1)
OPERATOR(inflow, out[0] = in->lambda[0] * (1.0 + 0.1 * in->x[0]))
OPERATOR(inflow_lambda, out[0] = 1.0 + 0.1 * in->x[0])
OPERATOR(inflow_x, out[0] = 0.1 * in->lambda[0])

static world *driven; /* whose ball is integrated: operations of integrators have no user pointer */

static nsds_status outcome(world *w) { return trap(w) ? NSDS_ERROR_CALLBACK : NSDS_OK; }

static nsds_status refresh(nsds_integration *s) {
  s->force[0] = -9.81;
  return outcome(driven);
}

static nsds_status free_state(nsds_integration *s) {
  s->u_free[0] = s->u[0] + s->scheme->h * s->force[0];
  return outcome(driven);
}

static void apply(const nsds_integration *s, int nrhs, double *b) { (void)s, (void)nrhs, (void)b; }

static nsds_status advance(nsds_integration *s) {
  s->q_end[0] = s->q[0] + 0.5 * s->scheme->h * (s->u[0] + s->u_end[0]);
  return outcome(driven);
}

static nsds_status finish(nsds_integration *s) {
  s->reaction_end[0] = s->p_end[0];
  return outcome(driven);
}

static const nsds_integrator own = {.name = "own",
                                    .order = 2,
                                    .refresh = refresh,
                                    .free = free_state,
                                    .apply = apply,
                                    .advance = advance,
                                    .finish = finish};

/* One more contact every few steps. */
static nsds_status find(void *self, double t, nsds_contacts *contacts) {
  world *w = self;
  const double y = nsds_q(w->ball)[0], H = 1.0;
  nsds_status status = outcome(w);
  for (int k = 0; !status && k < 1 + (int)(t / 8e-3) * 12; ++k) {
    status = nsds_contacts_add(
        contacts, &(nsds_contact_point){
                      .key = (uint64_t)k, .ds = {w->ball}, .y = &(double){y + 0.1 * k}, .H = &H});
  }
  return status ? status : outcome(w);
}

static const nsds_geometry_ops geometry = {.type = "floor", .find = find};

static nsds_status room(void *self, const nsds_problem *problem) {
  (void)problem;
  return outcome(self);
}

static nsds_status sweep(void *self, nsds_solver_task *task, double *z) {
  enum { most = 8, sweeps = 300 };
  double M[most * most], w[most], work[256];
  int n = task->problem->n;
  assert_true(n <= most && nsds_problem_work(task->problem) <= 256);
  nsds_problem_to_dense(task->problem, M);
  for (int k = 0; k < sweeps; ++k)
    for (int i = 0; i < n; ++i) {
      nsds_problem_multiply(task->problem, z, w, work);
      z[i] = fmax(0.0, z[i] - w[i] / M[i + i * n]);
    }
  return outcome(self);
}

static nsds_verdict look(nsds_simulation *simulation, const nsds_solver_info *info, void *user) {
  (void)simulation, (void)info;
  return trap(user) ? NSDS_STOP : NSDS_CONTINUE;
}

static int sample(nsds_simulation *simulation, void *user) {
  (void)simulation;
  world *w = user;
  if (trap(w)) return 1;
  ++w->sampled;
  return nsds_ds_set_z(w->body, 1, (double[]){1.0 + 0.01 * w->sampled}) != NSDS_OK;
}

/* ---- the world ---- */

static void add_objects(world *w) {
  nsds_model *m = w->model;
  w->body = nsds_lagrangian(m, &(nsds_lagrangian_def){.ndof = 2,
                                                      .q0 = (double[]){-0.18, 0.4},
                                                      .mass_fn = mass,
                                                      .fint_fn = fint,
                                                      .jac_fint_q_fn = fint_q,
                                                      .jac_fint_v_fn = fint_v,
                                                      .fext_fn = fext,
                                                      .nz = 1,
                                                      .z = (double[]){1.0},
                                                      .user = w});
  w->ball = nsds_lagrangian_linear(
      m, &(nsds_lagrangian_linear_def){.ndof = 1, .mass = (double[]){1.0}, .q0 = (double[]){5e-4}});
  nsds_ds_set_integrator(w->ball, &own);
  w->tank = nsds_first_order(
      m, &(nsds_first_order_def){
             .n = 1, .x0 = (double[]){0.01}, .f_fn = flow, .jac_f_x_fn = flow_x, .user = w});
  nsds_relation *near = nsds_lagrangian_scleronomous_relation(
      m, &(nsds_lagrangian_relation_def){
             .ny = 1, .nq = 2, .h_fn = gap, .jac_h_q_fn = gap_q, .user = w});
  nsds_relation *valve =
      nsds_nonlinear_relation(m, &(nsds_nonlinear_relation_def){.ny = 1,
                                                                .nx = 1,
                                                                .h_fn = level,
                                                                .jac_h_x_fn = level_x,
                                                                .jac_h_lambda_fn = level_lambda,
                                                                .g_fn = inflow,
                                                                .jac_g_lambda_fn = inflow_lambda,
                                                                .jac_g_x_fn = inflow_x,
                                                                .user = w});
  nsds_law *impact = nsds_newton_impact(m, 0.5);
  w->ia[0] = nsds_connect(m, near, impact, 1, &w->body);
  w->ia[1] = nsds_connect(m, valve, nsds_complementarity(m), 1, &w->tank);
  w->set = nsds_contact_set_create(
      m, &(nsds_contact_set_def){.ops = &geometry, .self = w, .law = impact});
}

static void build(world *w, mode how) {
  static nsds_solver_ops solver = {.name = "scripted",
                                   .sets = NSDS_SET_NONNEGATIVE,
                                   .storages = NSDS_DENSE | NSDS_FACTORED,
                                   .reserve = room,
                                   .solve = sweep};
  *w = (world){0};
  driven = w;
  solver.user = w;
  nsds_context *context = meter_context(&w->m);
  w->model = nsds_model_create(context);
  assert_ok(w->model, nsds_solver_register(context, &solver));
  add_objects(w);
  assert_sound(w->model);
  w->simulation =
      nsds_time_stepping(w->model, &(nsds_time_stepping_def){.t1 = 1e3,
                                                             .h = 2e-3,
                                                             .scheme = NSDS_THETA_GAMMA,
                                                             .gamma = how == WHOLE ? 0.6 : 1.0,
                                                             .initial_lambda = how == WHOLE,
                                                             .tolerance = 1e-7,
                                                             .solver = "scripted",
                                                             .max_halvings = how == HALVED ? 1 : 0,
                                                             .check_solver = look,
                                                             .check_solver_user = w});
  assert_sound(w->model);
  if (how == WITH_EVENTS)
    assert_ok(w->model,
              nsds_simulation_sample(
                  w->simulation,
                  &(nsds_sampler_def){.period = 4e-3, .phase = 3e-3, .sample = sample, .user = w}));
}

static void demolish(world *w) {
  nsds_context *context = nsds_model_context(w->model);
  nsds_model_destroy(w->model);
  nsds_context_destroy(context);
  assert_int_equal(w->m.live, 0);
}

/* ---- a step that fails everywhere ---- */

static nsds_status step(world *w, mode how) {
  if (how != IN_STAGES) return nsds_step(w->simulation);
  nsds_status status = nsds_step_begin(w->simulation);
  if (status) return status;
  do {
    status = nsds_step_solve(w->simulation);
    if (!status) status = nsds_step_update(w->simulation);
  } while (status == NSDS_AGAIN);
  if (!status) return nsds_step_accept(w->simulation);
  assert_ok(w->model, nsds_step_reject(w->simulation));
  return status;
}

/* Time, steps and found contacts, chained to the rest. (Samples at the start of a step that fails
 * have been taken.) */
static uint64_t whole_state(const world *w) {
  double own_state[3] = {nsds_time(w->simulation), (double)nsds_step_count(w->simulation),
                         nsds_contact_set_count(w->set)};
  uint64_t hash = state_hash(w->model, 0);
  for (int k = 0; k < nsds_contact_set_count(w->set); ++k) {
    nsds_contact_info c;
    assert_ok(w->model, nsds_contact_set_get(w->set, k, &c));
    double x[6] = {(double)c.key, c.y[0], c.ydot[0], c.impulse[0], c.force[0], c.active};
    for (size_t b = 0; b < sizeof x; ++b) hash = (hash ^ ((unsigned char *)x)[b]) * 1099511628211u;
  }
  for (size_t b = 0; b < sizeof own_state; ++b)
    hash = (hash ^ ((unsigned char *)own_state)[b]) * 1099511628211u;
  return hash;
}

/* What changes from outside before the step; y is read, so that it is that of the new state. */
static void change(world *w, int n) {
  assert_ok(w->model, nsds_ds_set_z(w->body, 1, (double[]){1.0 + 0.02 * n}));
  assert_ok(w->model, nsds_set_state(w->body, (double[]){-0.18 - 1e-4 * n, 0.4}, NULL));
  assert_ok(w->model, nsds_set_x(w->tank, (double[]){1e-3 * n}));
  assert_true(isfinite(nsds_y(w->ia[0])[0] + nsds_ydot(w->ia[0])[0] + nsds_y(w->ia[1])[0]));
}

enum { steps = 14 };

typedef enum what { NOTHING, CALLS, ALLOCATIONS } what;

/* Tries the step with the k-th call or allocation failing, k = 1, 2, ... until it is made. */
static long insist(world *w, mode how, what fails, int n) {
  nsds_context *context = nsds_model_context(w->model);
  uint64_t before = whole_state(w);
  for (long k = 1;; ++k) {
    w->failed = w->m.failed = false;
    w->for_good = how == HALVED;
    w->fail_at = fails == CALLS ? w->calls + k : 0;
    w->m.fail_at = fails == ALLOCATIONS ? w->m.calls + k : 0;
    long count = nsds_step_count(w->simulation);
    nsds_status status = step(w, how);
    bool failed = w->failed || w->m.failed;
    w->fail_at = w->m.fail_at = 0;
    if (!failed) {
      assert_ok(w->model, status);
      return k - 1;
    }
    if (status == NSDS_OK) fail_msg("mode %d, step %d: failure %ld was not seen", how, n, k);
    nsds_error_clear(context);
    bool made = nsds_step_count(w->simulation) > count; /* a sample behind it has failed */
    if (made) assert_true(how == WITH_EVENTS);
    if (made) return k;
    if (whole_state(w) != before)
      fail_msg("mode %d, step %d: failure %ld has changed the state", how, n, k);
  }
}

static long run_with(mode how, what fails, uint64_t *hash) {
  static world w;
  long failures = 0;
  build(&w, how);
  for (int n = 0; n < steps; ++n) {
    if (how == AFTER_CHANGES) change(&w, n);
    failures += insist(&w, how, fails, n);
    hash[n] = whole_state(&w);
  }
  demolish(&w);
  return failures;
}

static void try_mode(mode how) {
  uint64_t undisturbed[steps], hash[steps];
  run_with(how, NOTHING, undisturbed);
  for (what fails = CALLS; fails <= ALLOCATIONS; ++fails) {
    long failures = run_with(how, fails, hash);
    print_message("             %ld failures of %s\n", failures,
                  fails == CALLS ? "calls" : "allocations");
    assert_true(failures > (fails == CALLS ? 10 * steps : 3));
    for (int n = 0; how != WITH_EVENTS && n < steps; ++n)
      if (hash[n] != undisturbed[n]) fail_msg("mode %d: other bits in step %d", how, n);
  }
}

static void whole_steps(void **state) {
  (void)state;
  try_mode(WHOLE);
}

static void steps_in_stages(void **state) {
  (void)state;
  try_mode(IN_STAGES);
}

static void halved_steps(void **state) {
  (void)state;
  try_mode(HALVED);
}

/* y and dy/dt of a state that was set stay those of that state, where a step after it fails. */
static void a_failed_step_does_not_spoil_y(void **state) {
  (void)state;
  try_mode(AFTER_CHANGES);
}

static void steps_with_events(void **state) {
  (void)state;
  try_mode(WITH_EVENTS);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(whole_steps),       cmocka_unit_test(steps_in_stages),
      cmocka_unit_test(halved_steps),      cmocka_unit_test(a_failed_step_does_not_spoil_y),
      cmocka_unit_test(steps_with_events),
  };
  return cmocka_run_group_tests_name("kernel.faults_calls", tests, NULL, NULL);
}
