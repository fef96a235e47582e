/*
 * Data of events in models with closed forms and in drawn ones: problems, rows, index sets, forces, past and scheduled
 * events, f(t,x) with its Jacobian. Reading changes no bit of a run, and a solver of impulses alone changes none beyond
 * the tolerance.
 *
 *   event_event_data [COUNT [FIRST]]     drawn models, default 60 from seed 1
 */
#include "support.h"

#include <stdio.h>
#include <stdlib.h>

static const double g = 9.81;
static int drawn = 60;
static uint64_t first = 1, number;

static nsds_ds *add_ball(nsds_model *model, double mass, double height, double e) {
  nsds_ds *ds = nsds_lagrangian_linear(
      model, &(nsds_lagrangian_linear_def){
                 .ndof = 1, .q0 = &height, .mass = &mass, .fext = (double[]){-mass * g}});
  nsds_relation *gap = nsds_lagrangian_linear_relation(
      model, &(nsds_lagrangian_linear_relation_def){.ny = 1, .nq = 1, .H = (double[]){1.0}});
  nsds_connect(model, gap, nsds_newton_impact(model, e), 1, &ds);
  return ds;
}

static nsds_event_row_state row_at(nsds_model *model, nsds_simulation *s, int k) {
  nsds_event_row_state row;
  assert_ok(model, nsds_event_row_at(s, k, &row));
  return row;
}

static void check_row(const nsds_event_row_state *row, int set, double y, double v, double a,
                      double P, double lambda) {
  assert_int_equal(row->index_set, set);
  assert_true(row->closed == (set == 2));
  assert_near(row->y, y, 1e-9);
  assert_near(row->ydot, v, 1e-9);
  assert_near(row->yddot, a, 1e-9);
  assert_near(row->impulse, P, 1e-9);
  assert_near(row->lambda, lambda, 1e-9);
}

/* A ball that bounces once and then stays: I0 in flight, I1 at the impact, I2 at rest. */
static void a_ball_passes_through_its_index_sets(void **state) {
  (void)state;
  for (int k = 1; k <= 20; ++k) {
    double m = 0.3 * k, h = 0.1 * k, v = sqrt(2.0 * g * h), t1 = v / g;
    nsds_model *model = nsds_model_create(NULL);
    nsds_ds *ball = add_ball(model, m, h, 0.0);
    nsds_simulation *s = nsds_event_driven(
        model, &(nsds_event_driven_def){
                   .t1 = 10.0, .output_period = 0.6 * t1, .problems = 4, .history = 3});
    double p, f[2];
    assert_int_equal(nsds_event_row_count(s), 1);
    assert_ok(model, nsds_step(s));
    nsds_event_row_state row = row_at(model, s, 0);
    check_row(&row, 0, 0.64 * h, -0.6 * v, -g, 0.0, 0.0);
    assert_int_equal(row.degree, 2);
    assert_ptr_equal(row.place.interaction, nsds_interaction_at(model, 0));
    assert_ok(model, nsds_event_meet(s));
    row = row_at(model, s, 0);
    check_row(&row, 1, 0.0, -v, -g, 0.0, 0.0);
    assert_ok(model, nsds_event_process(s));
    row = row_at(model, s, 0);
    check_row(&row, 2, 0.0, 0.0, 0.0, m * v, m * g);
    assert_ok(model, nsds_event_force(s, ball, &p));
    assert_near(p, m * g, 1e-10 * m);
    assert_ok(model, nsds_ds_rates(ball, nsds_time(s), f, NULL));
    assert_near(f[0], 0.0, 1e-12);
    assert_near(f[1], -g, 1e-14);
    assert_int_equal(nsds_event_problem_count(s), 2);
    nsds_event_problem_info info;
    assert_ok(model, nsds_event_problem_at(s, 0, &info));
    assert_int_equal(info.level, NSDS_EVENT_IMPULSES);
    assert_near(info.problem->q[0], -v, 1e-9);
    assert_near(info.z[0], m * v, 1e-9);
    assert_ok(model, nsds_event_problem_at(s, 1, &info));
    assert_int_equal(info.level, NSDS_EVENT_FORCES);
    assert_near(info.problem->q[0], -g, 1e-12);
    assert_near(info.z[0], m * g, 1e-10);
    assert_ptr_equal(info.place[0].interaction, row.place.interaction);
    assert_true(nsds_event_force_problem(s)->q[0] == info.problem->q[0]);
    assert_true(nsds_event_force_solution(s)[0] == info.z[0]);
    assert_ok(model, nsds_step(s));
    row = row_at(model, s, 0);
    check_row(&row, 2, 0.0, 0.0, 0.0, 0.0, m * g);
    nsds_model_destroy(model);
  }
}

static void *give(size_t size, void *user) {
  (void)user;
  size_t *memory = malloc(size + 16);
  if (memory) *memory = size;
  return memory ? (char *)memory + 16 : NULL;
}

/* Overwrites memory that is given back, so that no reader can overlook it. */
static void take_back(void *memory, void *user) {
  (void)user;
  size_t *start = memory ? (size_t *)((char *)memory - 16) : NULL;
  if (start) memset(memory, 0xff, *start);
  free(start);
}

/* Blocks cover the rows, and z of single rows lies between their bounds. */
static void check_blocks(nsds_model *model, nsds_simulation *s, int k) {
  nsds_event_problem_info info;
  assert_ok(model, nsds_event_problem_at(s, k, &info));
  const nsds_problem *p = info.problem;
  int row = 0;
  for (int a = 0; a < p->nblock; row += p->block[a++].size) {
    assert_true(p->block[a].size >= 1 && row + p->block[a].size <= p->n);
    if (p->block[a].size > 1) continue;
    assert_true(info.z[row] >= *p->block[a].lower - 1e-6);
    assert_true(info.z[row] <= *p->block[a].upper + 1e-6);
  }
  assert_int_equal(row, p->n);
  for (int i = 0; i < p->n; ++i) assert_true(p->M.x[i * (p->n + 1)] > 0.0 && isfinite(p->q[i]));
}

/*
 * kept_problems_moved: a list that grew in the middle of an event lost the problems that it had.
 * Spheres meet in a corner, two of them held by a spring, whose force is found with those of the
 * contacts but not with their impulses; all problems of an event can be read.
 */
static void problems_stay_when_the_list_grows(void **state) {
  (void)state;
  enum { spheres = 4 };
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    uint64_t random = seed;
    nsds_context *context =
        nsds_context_create(&(nsds_context_def){.alloc = give, .release = take_back});
    nsds_model *model = nsds_model_create(context);
    nsds_ds *ds[spheres];
    double radii[spheres];
    const nsds_plane corner[] = {{{0, 0, 1}, 0}, {{1, 0, 0}, 0}, {{0, 1, 0}, 0}};
    for (int k = 0; k < spheres; ++k) {
      double J = 0.4 * 0.01, x[3] = {0.15, 0.15, 0.15 + 0.25 * k}, v[3];
      for (int i = 0; i < 3; ++i) v[i] = random_in(&random, -2.0, 0.0), x[i] += 0.02 * v[i];
      radii[k] = 0.1;
      ds[k] = nsds_rigid_body(
          model, &(nsds_rigid_body_def){.mass = 1.0,
                                        .inertia = (double[]){J, 0, 0, 0, J, 0, 0, 0, J},
                                        .q0 = (double[]){x[0], x[1], x[2], 1, 0, 0, 0},
                                        .v0 = (double[]){v[0], v[1], v[2], 0, 0, 0},
                                        .gravity = {0, 0, -g}});
    }
    nsds_connect(model,
                 nsds_spring(model, &(nsds_spring_def){.ds = {ds[0], ds[1]},
                                                       .point = {0.15, 0.15, 0.15},
                                                       .other = {0.15, 0.15, 0.4},
                                                       .stiffness = 50.0}),
                 nsds_equality(model), 2, ds);
    nsds_law *law = nsds_newton_impact_friction(
        model, &(nsds_newton_impact_friction_def){.mu = 0.4, .e_n = random_in(&random, 0.0, 0.6)});
    nsds_spheres(
        model,
        &(nsds_spheres_def){
            .law = law, .count = spheres, .ds = ds, .radii = radii, .nplane = 3, .plane = corner});
    nsds_simulation *s = nsds_event_driven(
        model, &(nsds_event_driven_def){.t1 = 0.5, .problems = 30, .max_events = 400});
    assert_sound(model);
    while (nsds_step(s) == NSDS_OK)
      for (int k = 0; k < nsds_event_problem_count(s); ++k) check_blocks(model, s, k);
    nsds_model_destroy(model);
    nsds_context_destroy(context);
  }
}

static int nothing(nsds_simulation *s, void *user) {
  (void)s, (void)user;
  return 0;
}

/* Past events follow a run back; scheduled ones come in the order of their times. */
static void past_and_scheduled_events(void **state) {
  (void)state;
  nsds_model *model = nsds_model_create(NULL);
  add_ball(model, 1.0, 1.0, 0.5);
  nsds_simulation *s = nsds_event_driven(model, &(nsds_event_driven_def){.t1 = 2.0, .history = 4});
  assert_int_equal(nsds_event_past_count(s), 0);
  nsds_sampler_def sampler = {.name = "late", .period = 0.9, .phase = 0.9, .sample = nothing};
  assert_ok(model, nsds_simulation_sample(s, &sampler));
  assert_ok(model, nsds_simulation_at(s, &(nsds_event_def){.name = "third", .time = 1.5}));
  assert_ok(model, nsds_simulation_at(s, &(nsds_event_def){.name = "first", .time = 0.25}));
  static const char *const order[] = {"first", "late", "third"};
  static const double due[] = {0.25, 0.9, 1.5};
  assert_int_equal(nsds_simulation_scheduled_count(s), 3);
  for (int k = 0; k < 3; ++k) {
    nsds_scheduled at;
    assert_ok(model, nsds_simulation_scheduled_at(s, k, &at));
    assert_string_equal(at.name, order[k]);
    assert_near(at.time, due[k], 0.0);
    assert_near(at.period, k == 1 ? 0.9 : 0.0, 0.0);
  }
  nsds_event_record past;
  double t[8];
  for (int k = 0; k < 6; ++k) {
    assert_ok(model, nsds_step(s));
    t[k] = nsds_time(s);
    assert_int_equal(nsds_event_past_count(s), k < 4 ? k + 1 : 4);
    if (k == 1) assert_ok(model, nsds_simulation_save(s));
    for (int j = 0; j < nsds_event_past_count(s); ++j) {
      assert_ok(model, nsds_event_past_at(s, j, &past));
      assert_true(past.t == t[k - j]);
    }
    assert_ok(model, nsds_event_past_at(s, 0, &past));
    assert_int_equal(past.kind, nsds_simulation_event(s)->kind);
    assert_int_equal(past.count, nsds_simulation_event(s)->count);
  }
  assert_ok(model, nsds_simulation_restore(s)); /* the ring has forgotten the first two */
  assert_int_equal(nsds_event_past_count(s), 0);
  assert_ok(model, nsds_step(s));
  assert_ok(model, nsds_event_past_at(s, 0, &past));
  assert_true(past.t == t[2]);
  assert_ok(model, nsds_event_meet(s));
  assert_int_equal(nsds_event_past_count(s), 1);
  assert_ok(model, nsds_step_reject(s));
  assert_int_equal(nsds_event_past_count(s), 1);
  nsds_model_destroy(model);
}

/* ---- refusals ------------------------------------------------------------------------------------ */

#define REFUSED(status, call)                                                                      \
  do {                                                                                             \
    assert_int_equal((call), (status));                                                            \
    nsds_error_clear(context);                                                                     \
  } while (0)

static void refusals(void **state) {
  (void)state;
  nsds_model *model = nsds_model_create(NULL);
  nsds_context *context = nsds_model_context(model);
  nsds_ds *ball = add_ball(model, 1.0, 1.0, 0.5);
  nsds_simulation *s =
      nsds_event_driven(model, &(nsds_event_driven_def){.t1 = 2.0, .history = 1, .problems = 1});
  nsds_event_row_state row;
  nsds_event_problem_info info;
  nsds_event_record past;
  nsds_scheduled at;
  double p;
  REFUSED(NSDS_ERROR_STATE, nsds_event_row_at(s, 0, &row)); /* no step yet */
  REFUSED(NSDS_ERROR_STATE, nsds_event_force(s, ball, &p));
  assert_ok(model, nsds_step(s));
  REFUSED(NSDS_ERROR_ARGUMENT, nsds_event_row_at(s, 1, &row));
  REFUSED(NSDS_ERROR_ARGUMENT, nsds_event_row_at(s, -1, &row));
  REFUSED(NSDS_ERROR_ARGUMENT, nsds_event_row_at(s, 0, NULL));
  REFUSED(NSDS_ERROR_ARGUMENT, nsds_event_row_at(NULL, 0, &row));
  REFUSED(NSDS_ERROR_ARGUMENT, nsds_event_force(s, NULL, &p));
  REFUSED(NSDS_ERROR_ARGUMENT, nsds_event_force(s, ball, NULL));
  REFUSED(NSDS_ERROR_ARGUMENT, nsds_event_force(NULL, ball, &p));
  REFUSED(NSDS_ERROR_ARGUMENT, nsds_event_problem_at(s, 1, &info));
  REFUSED(NSDS_ERROR_ARGUMENT, nsds_event_problem_at(s, 0, NULL));
  REFUSED(NSDS_ERROR_ARGUMENT, nsds_event_problem_at(NULL, 0, &info));
  REFUSED(NSDS_ERROR_ARGUMENT, nsds_event_past_at(s, 1, &past));
  REFUSED(NSDS_ERROR_ARGUMENT, nsds_event_past_at(s, 0, NULL));
  REFUSED(NSDS_ERROR_ARGUMENT, nsds_event_past_at(NULL, 0, &past));
  REFUSED(NSDS_ERROR_ARGUMENT, nsds_simulation_scheduled_at(s, 0, &at));
  REFUSED(NSDS_ERROR_ARGUMENT, nsds_simulation_scheduled_at(s, 0, NULL));
  REFUSED(NSDS_ERROR_ARGUMENT, nsds_simulation_scheduled_at(NULL, 0, &at));
  REFUSED(NSDS_ERROR_ARGUMENT, nsds_event_set_impact_solver(s, "no such solver", 0.0));
  REFUSED(NSDS_ERROR_ARGUMENT, nsds_event_set_impact_solver(NULL, "lemke", 0.0));
  assert_null(nsds_event_impact_solver(NULL));
  assert_int_equal(nsds_event_row_count(NULL), 0);
  assert_int_equal(nsds_event_past_count(NULL), 0);
  assert_int_equal(nsds_event_problem_count(NULL), 0);
  assert_int_equal(nsds_simulation_scheduled_count(NULL), 0);
  nsds_model *twin = nsds_model_create(NULL);
  nsds_ds *stranger = add_ball(twin, 1.0, 1.0, 0.5);
  REFUSED(NSDS_ERROR_ARGUMENT, nsds_event_force(s, stranger, &p));
  nsds_model_destroy(twin);
  assert_ok(model, nsds_set_state(ball, (double[]){2.0}, NULL));
  REFUSED(NSDS_ERROR_STATE, nsds_event_row_at(s, 0, &row)); /* the model has changed */
  assert_null(nsds_event_driven(model, &(nsds_event_driven_def){.t1 = 1.0, .problems = -1}));
  nsds_error_clear(context);
  assert_null(nsds_event_driven(model, &(nsds_event_driven_def){.t1 = 1.0, .history = -1}));
  nsds_error_clear(context);
  assert_null(nsds_event_driven(model, &(nsds_event_driven_def){.t1 = 1.0, .impact_solver = "?"}));
  nsds_error_clear(context);
  s = nsds_time_stepping(model, &(nsds_time_stepping_def){.t1 = 1.0, .h = 0.01});
  REFUSED(NSDS_ERROR_ARGUMENT, nsds_event_row_at(s, 0, &row));
  REFUSED(NSDS_ERROR_ARGUMENT, nsds_event_set_impact_solver(s, "lemke", 0.0));
  REFUSED(NSDS_ERROR_ARGUMENT, nsds_event_past_at(s, 0, &past));
  assert_null(nsds_event_impact_solver(s));
  nsds_model_destroy(model);
}

/* A solver of impulses that does not take a law is refused by name. */
static void the_solver_of_impulses_must_take_the_laws(void **state) {
  (void)state;
  nsds_model *model = nsds_model_create(NULL);
  nsds_context *context = nsds_model_context(model);
  const double unit[] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  nsds_ds *ds = nsds_lagrangian_linear(
      model, &(nsds_lagrangian_linear_def){.ndof = 3, .q0 = (double[]){1, 0, 0}, .mass = unit});
  nsds_relation *gap = nsds_lagrangian_linear_relation(
      model, &(nsds_lagrangian_linear_relation_def){.ny = 3, .nq = 3, .H = unit});
  nsds_connect(model, gap,
               nsds_newton_impact_friction(
                   model, &(nsds_newton_impact_friction_def){.dimension = 3, .mu = 0.3}),
               1, &ds);
  nsds_event_driven_def def = {.t1 = 1.0, .impact_solver = "enumeration"};
  nsds_simulation *s = nsds_event_driven(model, &def);
  assert_null(s);
  assert_int_equal(nsds_error(context), NSDS_ERROR_UNSUPPORTED);
  nsds_error_clear(context);
  def.impact_solver = "nsgs";
  s = nsds_event_driven(model, &def);
  assert_non_null(s);
  assert_true(nsds_event_impact_solver(s) != nsds_simulation_solver(s));
  assert_string_equal(nsds_solver_get_row(nsds_event_impact_solver(s))->name, "nsgs");
  assert_ok(model, nsds_event_set_impact_solver(s, NULL, 0.0));
  assert_ptr_equal(nsds_event_impact_solver(s), nsds_simulation_solver(s));
  nsds_model_destroy(model);
}

/* ---- f and its Jacobian -------------------------------------------------------------------------- */

/* A bead on a wire z = a x^2 / 2 with damping: (1 + a^2 x^2) dv/dt = -a^2 x v^2 - g a x - c v^3. */
static int bead_mass(const nsds_arguments *in, double *M, void *user) {
  (void)user;
  double a = in->z[0], x = in->q[0];
  M[0] = 1.0 + a * a * x * x;
  return 0;
}

static int bead_nnl(const nsds_arguments *in, double *F, void *user) {
  (void)user;
  double a = in->z[0], x = in->q[0], v = in->v[0];
  F[0] = a * a * x * v * v + g * a * x + in->z[1] * v * v * v;
  return 0;
}

static int bead_nnl_q(const nsds_arguments *in, double *F, void *user) {
  (void)user;
  double a = in->z[0], v = in->v[0];
  F[0] = a * a * v * v + g * a;
  return 0;
}

static int bead_nnl_v(const nsds_arguments *in, double *F, void *user) {
  (void)user;
  double a = in->z[0], x = in->q[0], v = in->v[0];
  F[0] = 2.0 * a * a * x * v + 3.0 * in->z[1] * v * v;
  return 0;
}

static void rates_of_a_bead_on_a_wire(void **state) {
  (void)state;
  uint64_t seed = 7;
  for (int k = 0; k < 200; ++k) {
    double a = random_in(&seed, -3, 3), c = random_in(&seed, 0, 2), x = random_in(&seed, -2, 2),
           v = random_in(&seed, -5, 5), f[2], J[4];
    nsds_model *model = nsds_model_create(NULL);
    nsds_ds *bead = nsds_lagrangian(
        model, &(nsds_lagrangian_def){
                   .ndof = 1,
                   .q0 = &x,
                   .v0 = &v,
                   .mass_fn = bead_mass,
                   .nnl = {.fn = bead_nnl, .jac_q_fn = bead_nnl_q, .jac_v_fn = bead_nnl_v},
                   .nz = 2,
                   .z = (double[]){a, c}});
    assert_ok(model, nsds_ds_rates(bead, 0.0, f, J));
    double M = 1.0 + a * a * x * x, F = -(a * a * x * v * v + g * a * x + c * v * v * v);
    double size = 1.0 + fabs(F) + fabs(F / M * 2.0 * a * a * x);
    assert_near(f[0], v, 0.0);
    assert_near(f[1], F / M, 1e-14 * size);
    assert_near(J[0], 0.0, 0.0);
    assert_near(J[2], 1.0, 0.0);
    double by_x = (-(a * a * v * v + g * a) - F / M * 2.0 * a * a * x) / M;
    assert_near(J[1], by_x, 1e-11 * size);
    assert_near(J[3], -(2.0 * a * a * x * v + 3.0 * c * v * v) / M, 1e-13 * size);
    assert_ok(model, nsds_ds_rates(bead, 0.0, NULL, NULL));
    nsds_model_destroy(model);
  }
}

/* M dv/dt = F - C v - K q, dense and sparse, and dx/dt = M^-1 (A x + b). */
static void rates_of_linear_systems(void **state) {
  (void)state;
  uint64_t seed = 11;
  for (int k = 0; k < 100; ++k) {
    double q[2], v[2], C[4], K[4], F[2], f[4], J[16], m = random_in(&seed, 0.5, 3.0),
                                                      n = random_in(&seed, 0.5, 3.0);
    for (int i = 0; i < 4; ++i) C[i] = random_in(&seed, -1, 1), K[i] = random_in(&seed, -1, 1);
    for (int i = 0; i < 2; ++i)
      q[i] = random_in(&seed, -1, 1), v[i] = random_in(&seed, -1, 1),
      F[i] = random_in(&seed, -1, 1);
    int p[3] = {0, 1, 2}, i1[2] = {0, 1};
    double values[2] = {m, n};
    nsds_csc sparse = {.nrow = 2, .ncol = 2, .p = p, .i = i1, .x = values};
    bool thin = k % 2;
    nsds_model *model = nsds_model_create(NULL);
    nsds_ds *ds = nsds_lagrangian_linear(
        model, &(nsds_lagrangian_linear_def){.ndof = 2,
                                             .q0 = q,
                                             .v0 = v,
                                             .mass = thin ? NULL : (double[]){m, 0.0, 0.0, n},
                                             .mass_sparse = thin ? &sparse : NULL,
                                             .damping = C,
                                             .stiffness = K,
                                             .fext = F});
    assert_sound(model);
    assert_ok(model, nsds_ds_rates(ds, 0.0, f, J));
    for (int i = 0; i < 2; ++i) {
      double a = (F[i] - C[i] * v[0] - C[i + 2] * v[1] - K[i] * q[0] - K[i + 2] * q[1]) / values[i];
      assert_near(f[i], v[i], 0.0);
      assert_near(f[2 + i], a, 1e-14 * 20.0);
      for (int j = 0; j < 2; ++j) {
        assert_near(J[2 + i + 4 * j], -K[i + 2 * j] / values[i], 1e-15 * 4.0);
        assert_near(J[2 + i + 4 * (2 + j)], -C[i + 2 * j] / values[i], 1e-15 * 4.0);
        assert_near(J[i + 4 * (2 + j)], i == j, 0.0);
        assert_near(J[i + 4 * j], 0.0, 0.0);
      }
    }
    nsds_ds *x = nsds_first_order_linear(
        model, &(nsds_first_order_linear_def){
                   .n = 2, .x0 = q, .mass = (double[]){m, 0.0, 0.0, n}, .A = K, .b = F});
    assert_ok(model, nsds_ds_rates(x, 0.0, f, J));
    for (int i = 0; i < 2; ++i) {
      assert_near(f[i], (F[i] + K[i] * q[0] + K[i + 2] * q[1]) / values[i], 1e-14 * 20.0);
      for (int j = 0; j < 2; ++j) assert_near(J[i + 2 * j], K[i + 2 * j] / values[i], 4e-15);
    }
    nsds_model_destroy(model);
  }
}

static void rates_that_are_refused(void **state) {
  (void)state;
  nsds_model *model = nsds_model_create(NULL);
  nsds_context *context = nsds_model_context(model);
  double f[13], J[169];
  nsds_ds *body = nsds_rigid_body(
      model, &(nsds_rigid_body_def){.mass = 2.0,
                                    .inertia = (double[]){1, 0, 0, 0, 2, 0, 0, 0, 3},
                                    .q0 = (double[]){0, 0, 0, 1, 0, 0, 0},
                                    .v0 = (double[]){1, 2, 3, 0.1, 0.2, 0.3},
                                    .gravity = {0, 0, -g}});
  assert_ok(model, nsds_ds_rates(body, 0.0, f, NULL));
  assert_near(f[1], 2.0, 0.0);
  assert_near(f[4], 0.05, 1e-15); /* half of the angular velocity */
  assert_near(f[9], -g, 1e-14);
  assert_near(f[10], (2.0 - 3.0) * 0.2 * 0.3 / 1.0, 1e-15); /* Euler's equations */
  assert_near(f[12], (1.0 - 2.0) * 0.1 * 0.2 / 3.0, 1e-15);
  REFUSED(NSDS_ERROR_UNSUPPORTED, nsds_ds_rates(body, 0.0, f, J));
  REFUSED(NSDS_ERROR_VALUE, nsds_ds_rates(body, NAN, f, NULL));
  REFUSED(NSDS_ERROR_ARGUMENT, nsds_ds_rates(NULL, 0.0, f, NULL));
  nsds_ds *x = nsds_first_order_linear(
      model, &(nsds_first_order_linear_def){
                 .n = 2, .mass = (double[]){1, 0, 0, 0}, .A = (double[]){1, 0, 0, 1}});
  REFUSED(NSDS_ERROR_SINGULAR, nsds_ds_rates(x, 0.0, f, NULL));
  nsds_model_destroy(model);
}

/* ---- drawn models -------------------------------------------------------------------------------- */

enum { most = 5 };

typedef struct drawn_model {
  nsds_model *model;
  nsds_simulation *s;
  nsds_ds *ds[most];
  double mass[most], slope[most], e, mu;
  int n;
} drawn_model;

/* A chain of n blocks in the plane, (x, z) each: the lowest on a floor, the others on top, with and without friction;
 * springs between some of them. */
static drawn_model draw(const nsds_event_driven_def *def) {
  uint64_t seed = 1000003 * number + 17;
  drawn_model d = {.model = nsds_model_create(NULL)};
  d.n = 1 + (int)random_in(&seed, 0.0, most - 0.01);
  d.e = random_in(&seed, 0.0, 0.9);
  d.mu = random_in(&seed, 0.0, 1.0) < 0.5 ? 0.0 : random_in(&seed, 0.05, 0.6);
  nsds_law *law =
      d.mu > 0.0
          ? nsds_newton_impact_friction(
                d.model, &(nsds_newton_impact_friction_def){.dimension = 2, .mu = d.mu, .e_n = d.e})
          : nsds_newton_impact(d.model, d.e);
  int ny = d.mu > 0.0 ? 2 : 1;
  for (int k = 0; k < d.n; ++k) {
    double m = d.mass[k] = random_in(&seed, 0.3, 3.0), K = random_in(&seed, 0.0, 20.0);
    d.ds[k] = nsds_lagrangian_linear(
        d.model, &(nsds_lagrangian_linear_def){
                     .ndof = 2,
                     .q0 = (double[]){0.0, 0.3 + 0.7 * k + random_in(&seed, 0.0, 0.3)},
                     .v0 = (double[]){random_in(&seed, -2.0, 2.0), random_in(&seed, -1.0, 1.0)},
                     .mass = (double[]){m, 0.0, 0.0, m},
                     .stiffness = (double[]){K, 0.0, 0.0, 0.0},
                     .fext = (double[]){0.0, -m * g}});
    double slope = d.slope[k] = random_in(&seed, -0.2, 0.2);
    nsds_ds *pair[2] = {k ? d.ds[k - 1] : d.ds[k], d.ds[k]};
    double one[] = {slope, 1.0, 1.0, -slope}; /* columns of two rows */
    double two[] = {-slope, -1.0, -1.0, slope, slope, 1.0, 1.0, -slope};
    double flat[] = {slope, 1.0}, flats[] = {-slope, -1.0, slope, 1.0};
    nsds_relation *gap = nsds_lagrangian_linear_relation(
        d.model,
        &(nsds_lagrangian_linear_relation_def){.ny = ny,
                                               .nq = k ? 4 : 2,
                                               .H = ny == 2 ? (k ? two : one) : (k ? flats : flat),
                                               .b = (double[]){k ? -0.5 : 0.0, 0.0}});
    nsds_connect(d.model, gap, law, k ? 2 : 1, k ? pair : &pair[1]);
  }
  d.s = nsds_event_driven(d.model, def);
  assert_sound(d.model);
  return d;
}

/* Returns block `of` of row i of interaction k, by hand. */
static void gradient(const drawn_model *d, int k, int i, double H[2 * most]) {
  double row[2][2] = {{d->slope[k], 1.0}, {1.0, -d->slope[k]}};
  for (int j = 0; j < 2 * most; ++j) H[j] = 0.0;
  for (int j = 0; j < 2; ++j) {
    H[2 * k + j] = row[i][j];
    if (k > 0) H[2 * (k - 1) + j] = -row[i][j];
  }
}

static int index_of(const drawn_model *d, const nsds_interaction *ia) {
  int k = 0;
  while (nsds_interaction_at(d->model, k) != ia) ++k;
  return k;
}

static double product(const drawn_model *d, const double *a, const double *b) {
  double sum = 0.0;
  for (int j = 0; j < 2 * d->n; ++j) sum += a[j] * b[j] / d->mass[j / 2];
  return sum;
}

/* M of problems in impulses, and q of the first of them, are those by hand. */
static int check_problems(const drawn_model *d, const double *before) {
  int checked = 0;
  for (int k = 0; k < nsds_event_problem_count(d->s) && k < 6; ++k) {
    nsds_event_problem_info info;
    assert_ok(d->model, nsds_event_problem_at(d->s, k, &info));
    const nsds_problem *p = info.problem;
    if (info.level != NSDS_EVENT_IMPULSES) continue;
    for (int i = 0; i < p->n; ++i) {
      double Hi[2 * most], Hj[2 * most], rate = 0.0, w = p->q[i];
      int of = index_of(d, info.place[i].interaction);
      gradient(d, of, info.place[i].row, Hi);
      for (int j = 0; j < p->n; ++j) {
        gradient(d, index_of(d, info.place[j].interaction), info.place[j].row, Hj);
        assert_near(p->M.x[i + j * p->n], product(d, Hi, Hj), 1e-13);
        w += p->M.x[i + j * p->n] * info.z[j];
      }
      for (int j = 0; j < 2 * d->n; ++j) rate += Hi[j] * before[j];
      if (k == 0) assert_near(p->q[i], (info.place[i].row ? 1.0 : 1.0 + d->e) * rate, 1e-9);
      if (info.place[i].row == 0)
        if (!(info.z[i] >= -1e-12 && w >= -1e-9))
          fail_msg("z %g w %g, problem %d", info.z[i], w, k);
      ++checked;
    }
  }
  return checked;
}

/* Rows of the present state are those by hand, with the accelerations of p(2). */
static void check_rows(const drawn_model *d) {
  double a[2 * most], v[2 * most], p[2];
  for (int k = 0; k < d->n; ++k) {
    assert_ok(d->model, nsds_event_force(d->s, d->ds[k], p));
    double f[4];
    assert_ok(d->model, nsds_ds_rates(d->ds[k], nsds_time(d->s), f, NULL));
    for (int j = 0; j < 2; ++j) {
      v[2 * k + j] = nsds_v(d->ds[k])[j];
      a[2 * k + j] = f[2 + j] + p[j] / d->mass[k];
    }
  }
  for (int r = 0; r < nsds_event_row_count(d->s); ++r) {
    nsds_event_row_state row = row_at(d->model, d->s, r);
    double H[2 * most], speed = 0.0, rate = 0.0;
    int k = index_of(d, row.place.interaction);
    gradient(d, k, row.place.row, H);
    for (int j = 0; j < 2 * d->n; ++j) speed += H[j] * v[j], rate += H[j] * a[j];
    assert_near(row.y, nsds_y(row.place.interaction)[row.place.row], 0.0);
    assert_near(row.ydot, speed, 1e-10);
    assert_near(row.yddot, rate, 1e-7);
    assert_near(row.lambda, nsds_lambda(row.place.interaction)[row.place.row], 0.0);
    assert_near(row.impulse, nsds_impulse(row.place.interaction)[row.place.row], 0.0);
    if (row.closed) assert_near(row.yddot, 0.0, 1e-7);
    if (row.index_set == 2 && row.place.row == 0) assert_near(row.ydot, 0.0, 1e-7);
    if (row.index_set > 0 && row.place.row == 0) assert_true(row.y < 1e-6);
  }
}

static void velocities(const drawn_model *d, double *v) {
  for (int k = 0; k < d->n; ++k)
    for (int j = 0; j < 2; ++j) v[2 * k + j] = nsds_v(d->ds[k])[j];
}

static void drawn_models(void **state) {
  (void)state;
  int checked = 0;
  for (int k = 0; k < drawn; ++k) {
    number = first + (uint64_t)k;
    nsds_event_driven_def def = {.t1 = 20.0, .output_period = 0.1};
    drawn_model plain = draw(&def);
    def.problems = 6;
    def.history = 5;
    drawn_model read = draw(&def);
    def.impact_solver = "nsgs";
    def.tolerance = 1e-13;
    drawn_model own = draw(&def);
    for (int step = 0; step < 30; ++step) {
      double before[2 * most];
      assert_ok(plain.model, nsds_step(plain.s));
      assert_ok(read.model, nsds_event_meet(read.s));
      if (step > 0) check_rows(&read); /* before an impact at the start, rows are unknown */
      velocities(&read, before);
      assert_ok(read.model, nsds_event_process(read.s));
      if (nsds_simulation_event(read.s)->kind & NSDS_EVENT_IMPACT)
        checked += check_problems(&read, before);
      check_rows(&read);
      assert_true(nsds_time(read.s) == nsds_time(plain.s));
      assert_true(state_hash(read.model, 0) ==
                  state_hash(plain.model, 0)); /* reading changes no bit */
      if (step % 7 == 3) assert_ok(own.model, nsds_simulation_save(own.s));
      if (nsds_step(own.s))
        fail_msg("model %d: %s", k, nsds_error_message(nsds_model_context(own.model)));
      if (step % 7 == 3) { /* the same bits again, with the solver of impulses */
        uint64_t hash = state_hash(own.model, 0);
        assert_ok(own.model, nsds_simulation_restore(own.s));
        assert_ok(own.model, nsds_step(own.s));
        assert_true(state_hash(own.model, 0) == hash);
      }
      if (step < 8) { /* later, the order of impacts may differ by rounding */
        double a[2 * most], b[2 * most];
        velocities(&own, a);
        velocities(&plain, b);
        for (int j = 0; j < 2 * plain.n; ++j) assert_near(a[j], b[j], 1e-6);
      }
    }
    nsds_model_destroy(plain.model);
    nsds_model_destroy(read.model);
    nsds_model_destroy(own.model);
  }
  assert_true(checked > drawn);
}

/* A rejected event was forgotten with the flights of its rows: series of impacts began anew. */
static void rejected_events_change_no_bit(void **state) {
  (void)state;
  for (int k = 0; k < drawn; ++k) {
    number = first + (uint64_t)k;
    nsds_event_driven_def def = {.t1 = 20.0, .output_period = 0.1, .history = 5};
    drawn_model plain = draw(&def), tried = draw(&def);
    for (int step = 0; step < 30; ++step) {
      for (int times = step % 3; times > 0; --times) {
        assert_ok(tried.model, nsds_event_meet(tried.s));
        assert_ok(tried.model, nsds_step_reject(tried.s));
      }
      assert_ok(plain.model, nsds_step(plain.s));
      assert_ok(tried.model, nsds_step(tried.s));
      const nsds_event_info *a = nsds_simulation_event(plain.s),
                            *b = nsds_simulation_event(tried.s);
      assert_true(nsds_time(tried.s) == nsds_time(plain.s));
      assert_true(state_hash(tried.model, 0) == state_hash(plain.model, 0));
      assert_true(a->kind == b->kind && a->nonsmooth == b->nonsmooth && a->count == b->count);
      assert_int_equal(nsds_event_past_count(tried.s), nsds_event_past_count(plain.s));
    }
    nsds_model_destroy(plain.model);
    nsds_model_destroy(tried.model);
  }
}

int main(int argc, char **argv) {
  if (argc > 1) drawn = atoi(argv[1]);
  if (argc > 2) first = strtoull(argv[2], NULL, 10);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_ball_passes_through_its_index_sets),
      cmocka_unit_test(problems_stay_when_the_list_grows),
      cmocka_unit_test(past_and_scheduled_events),
      cmocka_unit_test(refusals),
      cmocka_unit_test(the_solver_of_impulses_must_take_the_laws),
      cmocka_unit_test(rates_of_a_bead_on_a_wire),
      cmocka_unit_test(rates_of_linear_systems),
      cmocka_unit_test(rates_that_are_refused),
      cmocka_unit_test(drawn_models),
      cmocka_unit_test(rejected_events_change_no_bit),
  };
  int failed = cmocka_run_group_tests_name("event_driven.event_data", tests, NULL, NULL);
  if (failed) printf("the last drawn model has number %llu\n", (unsigned long long)number);
  return failed;
}
