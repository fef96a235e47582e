/*
 * Models that cannot be moved as they are: the call or the step says why, nothing changes, and the
 * model moves as it should, with a known answer, once the cause is gone.
 */
#include "support.h"

static const char *message_of(const nsds_model *model) {
  return nsds_last_message(nsds_model_context(model));
}

#define assert_said(model, word) assert_words(message_of(model), (const char *[]){word}, 1)

/* ---- matrices ---- */

/* A rod on its tip, M = 1 and K = -4: with h = 1/2 and theta = 1 nothing is left of W = M + h^2 K. */
static void iteration_matrix_of_nothing(void **state) {
  (void)state;
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *ds =
      nsds_lagrangian_linear(model, &(nsds_lagrangian_linear_def){.name = "rod",
                                                                  .ndof = 1,
                                                                  .mass = (double[]){1.0},
                                                                  .stiffness = (double[]){-4.0},
                                                                  .q0 = (double[]){1.0}});
  nsds_simulation *s = nsds_time_stepping(
      model, &(nsds_time_stepping_def){.t1 = 10.0,
                                       .h = 0.5,
                                       .first_order = nsds_euler_moreau(1.0),
                                       .second_order = nsds_moreau_jean(1.0, 1.0)});
  nsds_status status = s ? nsds_step(s) : nsds_error(nsds_model_context(model));
  assert_int_equal(status, NSDS_ERROR_SINGULAR);
  assert_said(model,
              "system 'rod': the iteration matrix W = M + h theta C + h^2 theta^2 K is singular");
  assert_said(model, ": its equations leave v[0] open");
  assert_near(nsds_q(ds)[0], 1.0, 0.0);
  nsds_error_clear(nsds_model_context(model));
  nsds_simulation_destroy(s);
  s = run(model,
          &(nsds_time_stepping_def){.t1 = 10.0,
                                    .h = 0.25,
                                    .first_order = nsds_euler_moreau(1.0),
                                    .second_order = nsds_moreau_jean(1.0, 1.0)},
          1);
  assert_near(nsds_v(ds)[0], 0.25 * 4.0 / (1.0 - 0.25), 1e-14); /* W v = h 4 q */
  nsds_simulation_destroy(s);
  nsds_model_destroy(model);
}

/* n nodes with resistors of 1 between neighbours, the first one with a capacitor; without those behind
 * node `cut` nothing ties what follows to the rest. */
static void refuse_circuit(int n, int cut, const char *open) {
  enum { most = 40 };
  static double M[most * most], A[most * most], x0[most];
  memset(M, 0, sizeof M);
  memset(A, 0, sizeof A);
  M[0] = A[0] = 1.0;
  A[0] = -1e-3; /* to the ground */
  for (int k = 0; k + 1 < n; ++k) {
    if (k == cut) continue;
    A[k + k * n] -= 1e3;
    A[k + 1 + (k + 1) * n] -= 1e3;
    A[k + (k + 1) * n] += 1e3;
    A[k + 1 + k * n] += 1e3;
  }
  nsds_model *model = nsds_model_create(NULL);
  nsds_first_order_linear(model, &(nsds_first_order_linear_def){
                                     .name = "circuit", .n = n, .mass = M, .A = A, .x0 = x0});
  nsds_simulation *s = nsds_time_stepping(
      model, &(nsds_time_stepping_def){.t1 = 1.0,
                                       .h = 0.01,
                                       .first_order = nsds_euler_moreau(1.0),
                                       .second_order = nsds_moreau_jean(1.0, 1.0)});
  nsds_status status = s ? nsds_step(s) : nsds_error(nsds_model_context(model));
  assert_int_equal(status, NSDS_ERROR_SINGULAR);
  assert_said(model, "system 'circuit': the iteration matrix W = M - h theta df/dx is singular");
  assert_said(model, open);
  nsds_model_destroy(model);
}

/* The nodes that float are named: one, several that float together, many, also where LAPACK factors. */
static void nodes_that_float(void **state) {
  (void)state;
  refuse_circuit(3, 1, ": its equations leave x[2] open");
  refuse_circuit(5, 2, ": its equations leave x[3], x[4] open together");
  refuse_circuit(40, 37, ": its equations leave x[38], x[39] open together");
  refuse_circuit(40, 4, ": its equations leave x[5], x[6], x[7], x[8] and others open together");
}

static int drive_down(const nsds_arguments *in, double *v, void *user) {
  (void)in, (void)user;
  v[0] = -1.0;
  return 0;
}

/* A piston that is driven through the floor: who drives what against which relation is said. */
static void driven_against_a_contact(void **state) {
  (void)state;
  for (int events = 0; events < 2; ++events) {
    nsds_model *model = nsds_model_create(NULL);
    nsds_ds *ds =
        nsds_lagrangian_linear(model, &(nsds_lagrangian_linear_def){.name = "piston",
                                                                    .ndof = 1,
                                                                    .mass = (double[]){1.0},
                                                                    .q0 = (double[]){0.0005},
                                                                    .v0 = (double[]){-1.0},
                                                                    .prescribed.n = 1,
                                                                    .prescribed.index = (int[]){0},
                                                                    .prescribed.fn = drive_down});
    nsds_relation *relation = nsds_lagrangian_linear_relation(
        model, &(nsds_lagrangian_linear_relation_def){
                   .name = "floor", .ny = 1, .nq = 1, .H = (double[]){1.0}});
    nsds_connect(model, relation, nsds_newton_impact(model, 0.0), 1, &ds);
    nsds_simulation *s =
        events
            ? nsds_event_driven(model, &(nsds_event_driven_def){.t1 = 1.0, .output_period = 0.001})
            : nsds_time_stepping(model, &(nsds_time_stepping_def){.t1 = 1.0, .h = 0.001});
    assert_int_equal(nsds_run(s), NSDS_ERROR_SOLVER);
    assert_said(model, "prescribed velocities of system 'piston' may act against interaction #0, "
                       "relation 'floor'");
    nsds_model_destroy(model);
  }
}

/* 0 dx/dt = 2 - x has no rates, but x follows from it: events and implicit steps take it. */
static void rates_without_mass(void **state) {
  (void)state;
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *ds =
      nsds_first_order_linear(model, &(nsds_first_order_linear_def){.name = "algebraic",
                                                                    .n = 1,
                                                                    .mass = (double[]){0.0},
                                                                    .A = (double[]){-1.0},
                                                                    .b = (double[]){2.0},
                                                                    .x0 = (double[]){1.0}});
  nsds_simulation *s = nsds_event_driven(model, &(nsds_event_driven_def){.t1 = 1.0});
  assert_int_equal(nsds_run(s), NSDS_END);
  assert_near(nsds_x(ds)[0], 2.0, 1e-14);
  nsds_simulation_destroy(s);
  s = run(model,
          &(nsds_time_stepping_def){.t1 = 1.0,
                                    .h = 0.1,
                                    .first_order = nsds_euler_moreau(1.0),
                                    .second_order = nsds_moreau_jean(1.0, 1.0)},
          0);
  assert_near(nsds_x(ds)[0], 2.0, 1e-14);
  nsds_simulation_destroy(s);
  nsds_model_destroy(model);
}

static int cube(const nsds_arguments *in, double *f, void *user) {
  (void)user;
  f[0] = 1.0 - in->x[0] * in->x[0] * in->x[0];
  return 0;
}

static int cube_slope(const nsds_arguments *in, double *J, void *user) {
  (void)user;
  J[0] = -3.0 * in->x[0] * in->x[0];
  return 0;
}

/* Events refuse what they cannot eliminate at creation: an index above 2, 0 = x1, dx1/dt = x2 and dx2/dt = x3, and
 * an equation whose slope is 0 at the start. */
static void algebra_beyond_index_one(void **state) {
  (void)state;
  for (int linear = 0; linear < 2; ++linear) {
    nsds_model *model = nsds_model_create(NULL);
    if (linear)
      nsds_first_order_linear(model,
                              &(nsds_first_order_linear_def){
                                  .name = "algebraic",
                                  .n = 3,
                                  .mass = (double[]){1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0},
                                  .A = (double[]){0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0}});
    else
      nsds_first_order(model, &(nsds_first_order_def){.name = "algebraic",
                                                      .n = 1,
                                                      .mass = (double[]){0.0},
                                                      .f_fn = cube,
                                                      .jac_f_x_fn = cube_slope});
    assert_null(nsds_event_driven(model, &(nsds_event_driven_def){.t1 = 1.0}));
    assert_int_equal(nsds_error(nsds_model_context(model)), NSDS_ERROR_SINGULAR);
    assert_said(model, "system 'algebraic': M is singular at t = 0, and");
    assert_said(model, linear ? "the index is above 2" : "the index is above 1");
    nsds_model_destroy(model);
  }
}

/* ---- event-driven simulation of first order ---- */

static int zero(const nsds_arguments *in, double *out, void *user) {
  (void)in, (void)user;
  out[0] = 0.0;
  return 0;
}

static int level(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = in->x[0] - 1.0;
  return 0;
}

static int pushes(const nsds_arguments *in, double *out, void *user) { /* r = (1 + x) lambda */
  (void)user;
  out[0] = (1.0 + in->x[0]) * in->lambda[0];
  return 0;
}

static int push(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = 1.0 + in->x[0];
  return 0;
}

static int push_slope(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = in->lambda[0];
  return 0;
}

static int unity(const nsds_arguments *in, double *out, void *user) {
  (void)in, (void)user;
  out[0] = 1.0;
  return 0;
}

static void inputs_that_depend_on_states(void **state) {
  (void)state;
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *ds = nsds_first_order_linear(
      model, &(nsds_first_order_linear_def){
                 .n = 1, .A = (double[]){-1.0}, .b = (double[]){0.5}, .x0 = (double[]){1.0}});
  nsds_connect(model,
               nsds_first_order_relation(
                   model, &(nsds_first_order_relation_def){.ny = 1,
                                                           .nx = 1,
                                                           .output_fn = level,
                                                           .jac_output_x_fn = unity,
                                                           .jac_output_lambda_fn = zero,
                                                           .input_fn = pushes,
                                                           .jac_input_x_fn = push_slope,
                                                           .jac_input_lambda_fn = push}),
               nsds_complementarity(model), 1, &ds);
  nsds_simulation *s = nsds_event_driven(model, &(nsds_event_driven_def){.t1 = 1.0});
  assert_int_equal(nsds_run(s), NSDS_END); /* x stays on its level */
  assert_near(nsds_x(ds)[0], 1.0, 1e-9);
  nsds_simulation_destroy(s);
  s = run(model, &(nsds_time_stepping_def){.t1 = 1.0, .h = 0.1}, 0); /* x stays on its level */
  assert_near(nsds_x(ds)[0], 1.0, 1e-9);
  nsds_simulation_destroy(s);
  nsds_model_destroy(model);
}

/* A gyrator, y = (x + lambda_2, 1/2 - lambda_1) = 0 and x' = -x + lambda_2 = -2 x, with a third row
 * that says the first again, `off` beside it: where that is not 0 the rows contradict each other. */
static nsds_ds *gyrator(nsds_model *model, double off) {
  const double D[] = {0.0, -1.0, 0.0, 1.0, 0.0, 1.0, 0.0, 0.0, 0.0};
  nsds_ds *ds = nsds_first_order_linear(
      model, &(nsds_first_order_linear_def){.n = 1, .A = (double[]){-1.0}, .x0 = (double[]){1.0}});
  nsds_relation *relation = nsds_first_order_linear_relation(
      model, &(nsds_first_order_linear_relation_def){.name = "gyrator",
                                                     .ny = 3,
                                                     .nx = 1,
                                                     .C = (double[]){1.0, 0.0, 1.0},
                                                     .D = D,
                                                     .e = (double[]){0.0, 0.5, off},
                                                     .B = (double[]){0.0, 1.0, 0.0}});
  nsds_connect(model, relation, nsds_equality(model), 1, &ds);
  return ds;
}

static void rows_that_determine_each_other(void **state) {
  (void)state;
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *ds = gyrator(model, 0.0);
  nsds_simulation *s = nsds_event_driven(model, &(nsds_event_driven_def){.t1 = 1.0});
  assert_sound(model);
  assert_true(nsds_run(s) >= 0);
  assert_near(nsds_x(ds)[0], exp(-2.0), 1e-6);
  assert_near(nsds_lambda(nsds_interaction_at(model, 0))[0], 0.5, 1e-9);
  assert_near(nsds_lambda(nsds_interaction_at(model, 0))[1], -nsds_x(ds)[0], 1e-9);
  nsds_model_destroy(model);
  model = nsds_model_create(NULL);
  ds = gyrator(model, 0.25);
  s = nsds_event_driven(model, &(nsds_event_driven_def){.t1 = 1.0});
  assert_true((s ? nsds_step(s) : nsds_error(nsds_model_context(model))) < 0);
  assert_near(nsds_x(ds)[0], 1.0, 0.0);
  nsds_model_destroy(model);
}

/* A relay that pushes one way without bound is complementarity: x jumps to 0 at once. */
static void relay_without_a_lower_bound(void **state) {
  (void)state;
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *ds = nsds_first_order_linear(
      model, &(nsds_first_order_linear_def){.n = 1, .A = (double[]){-1.0}, .x0 = (double[]){1.0}});
  double low = -INFINITY, high = 1.0;
  nsds_connect(
      model,
      nsds_first_order_linear_relation(
          model,
          &(nsds_first_order_linear_relation_def){
              .name = "push", .ny = 1, .nx = 1, .C = (double[]){1.0}, .B = (double[]){1.0}}),
      nsds_relay(model, 1, &low, &high), 1, &ds);
  nsds_simulation *s = nsds_event_driven(model, &(nsds_event_driven_def){.t1 = 1.0});
  assert_sound(model);
  assert_true(nsds_run(s) >= 0);
  assert_near(nsds_x(ds)[0], 0.0, 1e-12);
  nsds_model_destroy(model);
}

/* ---- contact sets ---- */

static nsds_ds *ball(nsds_model *model, const char *name, double x, double z) {
  return nsds_rigid_body(
      model, &(nsds_rigid_body_def){.name = name,
                                    .mass = 1.0,
                                    .inertia = (double[]){0.4, 0, 0, 0, 0.4, 0, 0, 0, 0.4},
                                    .gravity = {0.0, 0.0, -10.0},
                                    .q0 = (double[]){x, 0.0, z, 1.0, 0.0, 0.0, 0.0}});
}

static void set_with_a_law_without_modes(void **state) {
  (void)state;
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *ds = ball(model, "ball", 0.0, 1.0);
  nsds_law *law = nsds_normal_cone(model, 1, 1, (double[]){1.0}, (double[]){0.0});
  nsds_spheres(model, &(nsds_spheres_def){.name = "spheres",
                                          .law = law,
                                          .count = 1,
                                          .ds = &ds,
                                          .radius = 1.0,
                                          .nplane = 1,
                                          .plane = &(nsds_plane){{0.0, 0.0, 1.0}, 0.0}});
  nsds_simulation *s = nsds_event_driven(model, &(nsds_event_driven_def){.t1 = 1.0});
  nsds_status status = s ? nsds_step(s) : nsds_error(nsds_model_context(model));
  assert_int_equal(status, NSDS_ERROR_UNSUPPORTED);
  assert_said(model, "'spheres' (law nsds_normal_cone): its law couples rows");
  nsds_error_clear(nsds_model_context(model));
  nsds_simulation_destroy(s);
  s = run(model, &(nsds_time_stepping_def){.t1 = 1.0, .h = 0.1}, 0); /* it rests */
  assert_near(nsds_q(ds)[2], 1.0, 1e-9);
  nsds_simulation_destroy(s);
  nsds_model_destroy(model);
}

static int fails_when_told(const nsds_arguments *in, double *out, void *user) {
  (void)in;
  out[0] = out[1] = out[2] = 0.0;
  return *(const bool *)user ? 1 : 0;
}

/* A step that failed has searched: contacts are shown with the places of the step before. */
static void contacts_of_a_step_that_failed(void **state) {
  (void)state;
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *ds[2] = {ball(model, "one", 0.0, 1.0), ball(model, "two", 5.0, 1.0)};
  bool told = false;
  nsds_ds *other = nsds_lagrangian(model, &(nsds_lagrangian_def){.name = "moody",
                                                                 .ndof = 1,
                                                                 .mass = (double[]){1.0},
                                                                 .fext_fn = fails_when_told,
                                                                 .user = &told});
  assert_non_null(other);
  nsds_shape_def shape[] = {{.kind = NSDS_SPHERE, .ds = ds[0], .radius = 1.0},
                            {.kind = NSDS_SPHERE, .ds = ds[1], .radius = 1.0},
                            {.kind = NSDS_HALF_SPACE, .plane = {{0.0, 0.0, 1.0}, 0.0}}};
  nsds_contact_set *set = nsds_shapes(
      model,
      &(nsds_shapes_def){
          .name = "shapes", .law = nsds_newton_impact(model, 0.0), .nshape = 3, .shape = shape});
  nsds_simulation *s =
      nsds_time_stepping(model, &(nsds_time_stepping_def){.t1 = 1.0, .h = 0.1, .max_halvings = 0});
  nsds_contact_info found;
  assert_ok(model, nsds_step(s));
  assert_int_equal(nsds_contact_set_count(set), 2);
  assert_ok(model, nsds_contact_set_get(set, 0, &found));
  assert_near(found.point[0], 0.0, 1e-12);
  assert_ok(model, nsds_shapes_remove(set, 0));
  told = true;
  assert_true(nsds_step(s) < 0);
  nsds_error_clear(nsds_model_context(model));
  assert_int_equal(nsds_contact_set_count(set), 2);
  assert_ok(model, nsds_contact_set_get(set, 0, &found));
  assert_true(found.located);
  assert_near(found.point[0], 0.0, 1e-12);
  told = false;
  assert_ok(model, nsds_step(s));
  assert_int_equal(nsds_contact_set_count(set), 1);
  assert_ok(model, nsds_contact_set_get(set, 0, &found));
  assert_near(found.point[0], 5.0, 1e-12);
  nsds_model_destroy(model);
}

/* ---- joints ---- */

static void distance_of_nothing(void **state) {
  (void)state;
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *ds = ball(model, "weight", 0.0, -2.0);
  nsds_relation *rod = nsds_joint(model, &(nsds_joint_def){.name = "rod",
                                                           .kind = NSDS_JOINT_DISTANCE,
                                                           .ds = {ds},
                                                           .point = {0.0, 0.0, -2.0}});
  nsds_connect(model, rod, nsds_equality(model), 1, &ds);
  nsds_simulation *s = nsds_time_stepping(model, &(nsds_time_stepping_def){.t1 = 1.0, .h = 0.1});
  assert_ok(model, nsds_step(s));
  assert_near(nsds_q(ds)[2], -2.0, 1e-9);
  double q[7] = {0.0, 0.0, 0.0, 1.0}, v[6] = {0.0};
  assert_ok(model, nsds_set_state(ds, q, v));
  assert_status(model, nsds_step(s), NSDS_ERROR_CALLBACK);
  assert_said(model, "the two points are at one place at t = ");
  nsds_error_clear(nsds_model_context(model));
  q[2] = -2.0;
  assert_ok(model, nsds_set_state(ds, q, v));
  assert_ok(model, nsds_step(s));
  assert_near(nsds_q(ds)[2], -2.0, 1e-9);
  nsds_model_destroy(model);
}

/* ---- methods ---- */

/* The message says what the method takes; a row of the problem would say nothing. */
static void a_method_that_takes_no_such_problem(void **state) {
  (void)state;
  for (int events = 0; events < 2; ++events) {
    nsds_model *model = nsds_model_create(NULL);
    nsds_law *law = nsds_newton_impact(model, 0.0);
    enum { rows = 24 }; /* more bases than it tries */
    double coupled[rows * rows], H[rows * rows], q0[rows] = {0.0}, down[rows];
    for (int k = 0; k < rows; ++k) down[k] = -10.0;
    for (int k = 0; k < rows * rows; ++k) {
      coupled[k] = k % (rows + 1) ? 0.1 : 1.0 + 0.1 * rows;
      H[k] = k % (rows + 1) ? 0.0 : 1.0;
    }
    nsds_ds *ds = nsds_lagrangian_linear(
        model,
        &(nsds_lagrangian_linear_def){.ndof = rows, .q0 = q0, .mass = coupled, .fext = down});
    nsds_relation *all = nsds_lagrangian_linear_relation(
        model, &(nsds_lagrangian_linear_relation_def){.ny = rows, .nq = rows, .H = H});
    nsds_connect(model, all, law, 1, &ds);
    nsds_simulation *s =
        events
            ? nsds_event_driven(model, &(nsds_event_driven_def){.t1 = 1.0, .solver = "enumeration"})
            : nsds_time_stepping(
                  model, &(nsds_time_stepping_def){.t1 = 1.0, .h = 0.1, .solver = "enumeration"});
    assert_sound(model);
    assert_status(model, nsds_run(s), NSDS_ERROR_SOLVER);
    assert_said(model, "\"enumeration\" does not take the problem, which has 24 rows");
    nsds_error_clear(nsds_model_context(model));
    nsds_model_destroy(model);
  }
}

/* ---- stages ---- */

static void stages_of_another_driver(void **state) {
  (void)state;
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *ds = ball(model, "ball", 0.0, 5.0);
  nsds_simulation *s = nsds_event_driven(model, &(nsds_event_driven_def){.t1 = 1.0});
  assert_status(model, nsds_step_begin(s), NSDS_ERROR_UNSUPPORTED);
  assert_said(model, "has no such stages; use nsds_step()");
  nsds_error_clear(nsds_model_context(model));
  assert_true(nsds_run(s) >= 0);
  assert_near(nsds_q(ds)[2], 0.0, 1e-6); /* 5 - 10 / 2 */
  nsds_model_destroy(model);
}

/* Newton's method with a slope that is none runs away: h^2 theta^2 k = 6.25 in the parts of the
 * step. With the slope the energy stays, at theta = 1/2. */
static const double hard = 1e4;

static int spring(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = hard * in->q[0];
  return 0;
}

static int spring_slope(const nsds_arguments *in, double *out, void *user) {
  (void)in, (void)user;
  out[0] = hard;
  return 0;
}

static void part_of_a_step_without_a_solution(void **state) {
  (void)state;
  for (int told = 0; told < 2; ++told) {
    nsds_model *model = nsds_model_create(NULL);
    nsds_ds *ds = nsds_lagrangian(
        model, &(nsds_lagrangian_def){.name = "hard",
                                      .ndof = 1,
                                      .mass = (double[]){1.0},
                                      .fint.fn = spring,
                                      .fint.jac_q_fn = told ? spring_slope : nsds_zero,
                                      .fint.jac_v_fn = nsds_zero,
                                      .q0 = (double[]){1.0}});
    assert_ok(model, nsds_ds_discretise(ds, nsds_with_step_ratio(nsds_moreau_jean(0.5, 1.0), 2)));
    nsds_simulation *s = nsds_time_stepping(
        model, &(nsds_time_stepping_def){.t1 = 1.0,
                                         .h = 0.1,
                                         .first_order = nsds_euler_moreau(0.5),
                                         .second_order = nsds_moreau_jean(0.5, 1.0),
                                         .max_halvings = NSDS_HALVE_NEVER});
    assert_sound(model);
    if (told) {
      assert_ok(model, nsds_step(s));
      assert_near(nsds_v(ds)[0] * nsds_v(ds)[0] + hard * nsds_q(ds)[0] * nsds_q(ds)[0], hard, 1e-5);
    } else {
      assert_status(model, nsds_step(s), NSDS_ERROR_NEWTON);
      assert_said(model, "did not converge in the part of its step");
      assert_near(nsds_q(ds)[0], 1.0, 0.0);
    }
    nsds_model_destroy(model);
  }
}

/* x' = 2 x + lambda with h = 1/2: nothing is left of 1 - h 2. With h = 1/4 a step doubles x. */
static int grows(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = 2.0 * in->x[0] + in->lambda[0];
  return 0;
}

static int two(const nsds_arguments *in, double *out, void *user) {
  (void)in, (void)user;
  out[0] = 2.0;
  return 0;
}

static int above(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = in->x[0] + 1.0;
  return 0;
}

static void coupled_systems_of_nothing(void **state) {
  (void)state;
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *ds = nsds_first_order_linear(
      model, &(nsds_first_order_linear_def){.name = "stock", .n = 1, .x0 = (double[]){1.0}});
  nsds_connect(model,
               nsds_first_order_relation(
                   model, &(nsds_first_order_relation_def){.ny = 1,
                                                           .nx = 1,
                                                           .output_fn = above,
                                                           .jac_output_x_fn = unity,
                                                           .input_fn = grows,
                                                           .jac_input_x_fn = two,
                                                           .jac_input_lambda_fn = unity}),
               nsds_complementarity(model), 1, &ds);
  nsds_simulation *s =
      nsds_time_stepping(model, &(nsds_time_stepping_def){.t1 = 10.0, .h = 0.5, .max_halvings = 0});
  assert_sound(model);
  assert_status(model, nsds_step(s), NSDS_ERROR_SINGULAR);
  assert_said(model, "W - h gamma dg/dX is singular");
  assert_near(nsds_x(ds)[0], 1.0, 0.0);
  nsds_error_clear(nsds_model_context(model));
  nsds_simulation_destroy(s);
  s = run(model, &(nsds_time_stepping_def){.t1 = 10.0, .h = 0.25}, 1);
  assert_near(nsds_x(ds)[0], 2.0, 1e-12);
  nsds_simulation_destroy(s);
  nsds_model_destroy(model);
}

/* ---- forces at the start of the step and a mixed relation ---- */

static nsds_status give_one(void *self, const nsds_arguments *in, double *out) {
  (void)self, (void)in;
  out[0] = 1.0;
  return NSDS_OK;
}

static int pull(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = in->lambda[0];
  return 0;
}

static int speed(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = in->v[0];
  return 0;
}

static void explicit_forces_in_a_mixed_relation(void **state) {
  (void)state;
  static const nsds_second_order_ops ops = {.type = "pushed", .mass = give_one, .force = give_one};
  for (int linear = 0; linear < 2; ++linear) {
    nsds_model *model = nsds_model_create(NULL);
    nsds_ds *ds = nsds_custom_second_order(
        model, &(nsds_custom_second_order_def){
                   .ops = &ops, .ndof = 1, .mass = {.constant = true}, .explicit_force = true});
    nsds_relation *relation =
        linear
            ? nsds_mixed_linear_relation(
                  model,
                  &(nsds_mixed_linear_relation_def){
                      .ny = 1, .nq = 1, .E = (double[]){1.0}, .L = (double[]){1.0}})
            : nsds_mixed_relation(model, &(nsds_mixed_relation_def){.ny = 1,
                                                                    .nq = 1,
                                                                    .output_fn = speed,
                                                                    .jac_output_q_fn = zero,
                                                                    .jac_output_v_fn = unity,
                                                                    .input_fn = pull,
                                                                    .jac_input_lambda_fn = unity});
    nsds_connect(model, relation, nsds_equality(model), 1, &ds);
    assert_sound(model);
    nsds_simulation *s = nsds_time_stepping(model, &(nsds_time_stepping_def){.t1 = 1.0, .h = 0.1});
    nsds_status status = s ? nsds_step(s) : nsds_error(nsds_model_context(model));
    assert_int_equal(status, NSDS_OK);
    assert_near(nsds_v(ds)[0], 0.0, 1e-12); /* v = 0 is held against the force 1 */
    nsds_model_destroy(model);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(iteration_matrix_of_nothing),
      cmocka_unit_test(nodes_that_float),
      cmocka_unit_test(driven_against_a_contact),
      cmocka_unit_test(rates_without_mass),
      cmocka_unit_test(algebra_beyond_index_one),
      cmocka_unit_test(inputs_that_depend_on_states),
      cmocka_unit_test(rows_that_determine_each_other),
      cmocka_unit_test(relay_without_a_lower_bound),
      cmocka_unit_test(set_with_a_law_without_modes),
      cmocka_unit_test(contacts_of_a_step_that_failed),
      cmocka_unit_test(distance_of_nothing),
      cmocka_unit_test(stages_of_another_driver),
      cmocka_unit_test(a_method_that_takes_no_such_problem),
      cmocka_unit_test(part_of_a_step_without_a_solution),
      cmocka_unit_test(coupled_systems_of_nothing),
      cmocka_unit_test(explicit_forces_in_a_mixed_relation),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
