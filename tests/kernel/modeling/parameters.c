/*
 * What user functions see: every operator of every type reads its point (t, q, v, z, lambda with
 * their lengths), and a parameter set between steps is seen by all of them from the next step on.
 */
#include "support.h"

/* One bit per function that was called with a right point. */
typedef struct witness {
  unsigned seen;
  int calls;
  const double *z; /* what z must be now, in the system or gathered in the relation */
  int nq, nz, nlambda;
  double t_low, t_high; /* the step under way */
  double lambda;        /* the largest multiplier seen */
} witness;

enum {
  MASS,
  NNL,
  NNL_Q,
  NNL_V,
  FINT,
  FINT_Q,
  FINT_V,
  FEXT,
  MAP,
  CONTROL,
  PRESCRIBED,
  H,
  H_Q,
  H_T,
  H_LAMBDA,
  bits
};

static int look(witness *w, int bit, const nsds_arguments *in) {
  ++w->calls;
  double sum = 0.0;
  if (in->nq != w->nq || in->nv != w->nq || in->nz != w->nz || in->nlambda != w->nlambda) return -9;
  if (!(in->t >= w->t_low - 1e-9 && in->t <= w->t_high + 1e-9)) return -8;
  for (int k = 0; k < in->nq; ++k) sum += in->q[k] + in->v[k];
  for (int k = 0; k < in->nlambda; ++k) sum += in->lambda[k];
  if (!isfinite(sum)) return -7;
  if (in->nlambda > 0 && in->lambda[0] > w->lambda) w->lambda = in->lambda[0];
  for (int k = 0; k < in->nz; ++k)
    if (in->z[k] != w->z[k]) return -6; /* an old value, or not the parameter */
  w->seen |= 1u << bit;
  return 0;
}

#define WITNESS(name, bit)                                                                         \
  static int name(const nsds_arguments *in, double *out, void *user) {                             \
    (void)out;                                                                                     \
    return look(user, bit, in);                                                                    \
  }

WITNESS(nnl, NNL)
WITNESS(nnl_q, NNL_Q)
WITNESS(nnl_v, NNL_V)
WITNESS(fint_q, FINT_Q)
WITNESS(fint_v, FINT_V)
WITNESS(map, MAP)
WITNESS(control, CONTROL)
WITNESS(h_t, H_T)

static int mass(const nsds_arguments *in, double *out, void *user) {
  out[0] = out[3] = 1.0;
  /* at creation M(q0) is checked before there is a step */
  return look(user, MASS, in);
}

/* The bodies fall towards the contact and reach it. */
static int fint(const nsds_arguments *in, double *out, void *user) {
  out[0] = in->z[0];
  return look(user, FINT, in);
}

static int fext(const nsds_arguments *in, double *out, void *user) {
  out[0] = -in->z[1];
  return look(user, FEXT, in);
}

static int prescribed(const nsds_arguments *in, double *out, void *user) {
  out[0] = 0.25;
  return look(user, PRESCRIBED, in);
}

static int h(const nsds_arguments *in, double *out, void *user) {
  out[0] = in->q[0] - in->z[in->nz - 1];
  return look(user, H, in);
}

static int h_compliant(const nsds_arguments *in, double *out, void *user) {
  out[0] = in->q[0] - in->z[in->nz - 1] + 1e-3 * in->lambda[0];
  return look(user, H, in);
}

static int h_q(const nsds_arguments *in, double *out, void *user) {
  out[0] = 1.0;
  return look(user, H_Q, in);
}

static int h_lambda(const nsds_arguments *in, double *out, void *user) {
  out[0] = 1e-3;
  return look(user, H_LAMBDA, in);
}

/* ---- the world: two systems with parameters, relations of each kind ---- */

typedef struct world {
  nsds_model *model;
  nsds_ds *ds[2];
  nsds_relation *relation[3];
  nsds_simulation *simulation;
  witness system, relations; /* of the nonlinear system; of the relations over both */
  double z[4];               /* of system 0 (2), of system 1 (1), of the relations (1) */
} world;

static void build(world *w) {
  memset(w, 0, sizeof *w);
  memcpy(w->z, (double[]){0.5, 3.0, 0.7, 0.1}, sizeof w->z);
  w->model = nsds_model_create(NULL);
  w->system = (witness){.z = w->z, .nq = 2, .nz = 2, .t_high = 1e-3};
  w->relations = (witness){.z = w->z, .nq = 3, .nz = 4, .nlambda = 1, .t_high = 1e-3};
  w->ds[0] = nsds_lagrangian(w->model, &(nsds_lagrangian_def){.name = "witness",
                                                              .ndof = 2,
                                                              .q0 = (double[]){0.11, 0.0},
                                                              .mass_fn = mass,
                                                              .nnl.fn = nnl,
                                                              .nnl.jac_q_fn = nnl_q,
                                                              .nnl.jac_v_fn = nnl_v,
                                                              .fint.fn = fint,
                                                              .fint.jac_q_fn = fint_q,
                                                              .fint.jac_v_fn = fint_v,
                                                              .fext_fn = fext,
                                                              .control.n = 1,
                                                              .control.map_fn = map,
                                                              .control.fn = control,
                                                              .control.jac_q_fn = nsds_zero,
                                                              .control.jac_v_fn = nsds_zero,
                                                              .prescribed.n = 1,
                                                              .prescribed.index = (int[]){1},
                                                              .prescribed.fn = prescribed,
                                                              .nz = 2,
                                                              .z = w->z,
                                                              .user = &w->system});
  w->ds[1] = nsds_lagrangian_linear(
      w->model, &(nsds_lagrangian_linear_def){
                    .name = "other", .ndof = 1, .mass = (double[]){1.0}, .nz = 1, .z = w->z + 2});
  const nsds_lagrangian_relation_def def = {.ny = 1,
                                            .nq = 3,
                                            .output_fn = h,
                                            .jac_output_q_fn = h_q,
                                            .nz = 1,
                                            .z = w->z + 3,
                                            .user = &w->relations};
  nsds_lagrangian_relation_def with_t = def, with_lambda = def;
  with_t.jac_output_t_fn = h_t;
  with_lambda.output_fn = h_compliant;
  with_lambda.jac_output_lambda_fn = h_lambda;
  w->relation[0] = nsds_lagrangian_relation(w->model, &def);
  w->relation[1] = nsds_lagrangian_relation(w->model, &with_t);
  w->relation[2] = nsds_lagrangian_relation(w->model, &with_lambda);
  for (int k = 0; k < 3; ++k)
    nsds_connect(w->model, w->relation[k],
                 k < 2 ? nsds_newton_impact(w->model, 0.5) : nsds_complementarity(w->model), 2,
                 w->ds);
  w->simulation = nsds_time_stepping(w->model, &(nsds_time_stepping_def){.t1 = 1.0, .h = 1e-3});
  assert_sound(w->model);
}

static void step(world *w, int count) {
  for (int k = 0; k < count; ++k) {
    double t = nsds_time(w->simulation);
    w->system.t_low = w->relations.t_low = t;
    w->system.t_high = w->relations.t_high = t + 1e-3;
    assert_ok(w->model, nsds_step(w->simulation));
  }
}

static const unsigned every_system = (1u << (PRESCRIBED + 1)) - 1u;
static const unsigned every_relation = 1u << H | 1u << H_Q | 1u << H_T | 1u << H_LAMBDA;

static void every_operator_sees_its_point(void **state) {
  (void)state;
  world w;
  build(&w);
  step(&w, 100);
  assert_int_equal(w.system.seen, every_system);
  assert_int_equal(w.relations.seen, every_relation);
  assert_true(w.relations.lambda > 0.0); /* the impact is shown as a force */
  nsds_model_destroy(w.model);
}

static void new_parameters_are_seen_at_once(void **state) {
  (void)state;
  world w;
  build(&w);
  step(&w, 10);
  for (int round = 0; round < 4; ++round) {
    w.system.seen = w.relations.seen = 0;
    w.z[round] += 1.0;
    if (round < 2) assert_ok(w.model, nsds_ds_set_z(w.ds[0], 2, w.z));
    if (round == 2) assert_ok(w.model, nsds_ds_set_z(w.ds[1], 1, w.z + 2));
    if (round == 3)
      for (int k = 0; k < 3; ++k)
        assert_ok(w.model, nsds_relation_set_z(w.relation[k], 1, w.z + 3));
    assert_memory_equal(nsds_ds_z(w.ds[0]), w.z, 2 * sizeof(double));
    assert_memory_equal(nsds_ds_z(w.ds[1]), w.z + 2, sizeof(double));
    assert_memory_equal(nsds_relation_z(w.relation[0]), w.z + 3, sizeof(double));
    step(&w, 1);
    assert_int_equal(w.system.seen, every_system);
    assert_int_equal(w.relations.seen, every_relation);
  }
  nsds_model_destroy(w.model);
}

/* A linear system keeps its factor and its force over the steps: z must reach the kept ones too. */
static int weight(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = -in->z[0];
  return 0;
}

static void parameters_of_linear_systems(void **state) {
  (void)state;
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *ds = nsds_lagrangian_linear(model, &(nsds_lagrangian_linear_def){.ndof = 1,
                                                                            .q0 = (double[]){1.0},
                                                                            .mass = (double[]){2.0},
                                                                            .fext_fn = weight,
                                                                            .nz = 1,
                                                                            .z = (double[]){4.0}});
  nsds_relation *gap = nsds_lagrangian_linear_relation(
      model, &(nsds_lagrangian_linear_relation_def){.ny = 1,
                                                    .nq = 1,
                                                    .nZ = 2,
                                                    .H = (double[]){1.0},
                                                    .F = (double[]){0.0, -1.0},
                                                    .nz = 1,
                                                    .z = (double[]){0.25}});
  nsds_interaction *contact = nsds_connect(model, gap, nsds_newton_impact(model, 0.0), 1, &ds);
  nsds_simulation *simulation = run(model, &(nsds_time_stepping_def){.t1 = 10.0, .h = 0.125}, 1);
  assert_near(nsds_v(ds)[0], -0.25, 1e-15); /* h z / m */
  assert_near(nsds_y(contact)[0], nsds_q(ds)[0] - 0.25, 1e-15);
  double v = nsds_v(ds)[0];
  assert_ok(model, nsds_ds_set_z(ds, 1, (double[]){8.0}));
  assert_ok(model, nsds_relation_set_z(gap, 1, (double[]){0.5}));
  assert_ok(model, nsds_step(simulation));
  assert_near(nsds_v(ds)[0], v - 0.5, 1e-15);
  assert_near(nsds_y(contact)[0], nsds_q(ds)[0] - 0.5, 1e-15);
  /* the floor rises through the body: the contact closes in the very next step */
  assert_false(nsds_is_active(contact));
  assert_ok(model, nsds_relation_set_z(gap, 1, (double[]){5.0}));
  assert_ok(model, nsds_step(simulation));
  assert_true(nsds_is_active(contact));
  assert_near(nsds_v(ds)[0], 0.0, 1e-15);
  nsds_model_destroy(model);
}

/* A function that reads a parameter that does not exist meets NaN, which is an error by name. */
static int reads_too_much(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = in->z[0];
  return 0;
}

static void absent_parameters(void **state) {
  (void)state;
  for (int in_relation = 0; in_relation < 2; ++in_relation) {
    nsds_model *model = nsds_model_create(NULL);
    nsds_ds *ds = nsds_lagrangian_linear(
        model, &(nsds_lagrangian_linear_def){.name = "careless",
                                             .ndof = 1,
                                             .mass = (double[]){1.0},
                                             .fext_fn = in_relation ? nsds_zero : reads_too_much});
    nsds_relation *gap = nsds_lagrangian_relation(
        model,
        &(nsds_lagrangian_relation_def){.name = "reckless",
                                        .ny = 1,
                                        .nq = 1,
                                        .output_fn = in_relation ? reads_too_much : nsds_zero,
                                        .jac_output_q_fn = nsds_zero});
    nsds_connect(model, gap, nsds_complementarity(model), 1, &ds);
    assert_sound(model);
    assert_null(nsds_ds_z(ds));
    assert_null(nsds_relation_z(gap));
    assert_null(nsds_time_stepping(model, &(nsds_time_stepping_def){.t1 = 1.0, .h = 0.1}));
    assert_int_equal(nsds_error(nsds_model_context(model)), NSDS_ERROR_CALLBACK);
    const char *words[] = {in_relation ? "reckless" : "careless",
                           in_relation ? "output_fn" : "fext_fn", "nan", "entry 0", "t = 0"};
    assert_words(nsds_error_message(nsds_model_context(model)), words, 5);
    nsds_model_destroy(model);
  }
}

typedef struct push {
  nsds_ds *mass;
  double force;
  bool said;
} push;

static int force_of_user(const nsds_arguments *in, double *out, void *user) {
  (void)in;
  out[0] = ((const push *)user)->force;
  return 0;
}

static int turn_round(nsds_simulation *s, void *user) {
  push *p = user;
  (void)s;
  p->force = -p->force;
  return p->said && nsds_ds_set_z(p->mass, 0, NULL) ? -1 : 0;
}

/* A force that a user event turns round behind the library's back acts for theta h of the next step as
 * before, and not where the event says so. */
static void what_user_points_at(void **state) {
  (void)state;
  for (int said = 0; said < 2; ++said) {
    nsds_model *m = nsds_model_create(NULL);
    push p = {.force = 1.0, .said = said};
    p.mass = nsds_lagrangian_linear(
        m, &(nsds_lagrangian_linear_def){
               .ndof = 1, .mass = (double[]){1.0}, .fext_fn = force_of_user, .user = &p});
    nsds_simulation *s = nsds_time_stepping(m, &(nsds_time_stepping_def){.t1 = 2.0, .h = 0.125});
    assert_ok(
        m, nsds_simulation_at(s, &(nsds_event_def){.time = 1.0, .call = turn_round, .user = &p}));
    assert_status(m, nsds_run(s), NSDS_END);
    assert_near(nsds_v(p.mass)[0], said ? 0.0 : 0.125, 1e-14); /* 2 F theta h */
    nsds_model_destroy(m);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_operator_sees_its_point),
      cmocka_unit_test(new_parameters_are_seen_at_once),
      cmocka_unit_test(parameters_of_linear_systems),
      cmocka_unit_test(absent_parameters),
      cmocka_unit_test(what_user_points_at),
  };
  return cmocka_run_group_tests_name("kernel.parameters", tests, NULL, NULL);
}
