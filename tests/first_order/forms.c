/*
 * One model given in several forms: matrices dense, sparse or as functions; functions linked or
 * from a plugin; parameters set between steps or built in.
 */
#include "functions.h"
#include "support.h"
#include "static_schemes.h"

#include <stdlib.h>

/* ---- sparse = dense ---- */

enum { n = 24 };

typedef enum storage { all_dense, sparse_A, sparse_M, all_sparse, A_function } storage;

typedef struct chain {
  double A[n * n], M[n * n];
  int p[n + 1], i[3 * n], mass_p[n + 1], mass_i[3 * n];
  double a[3 * n], m[3 * n];
} chain;

/* Random tridiagonal A and M, the entry (k+1, k) of M missing for odd k. */
static void fill(chain *c, uint64_t seed) {
  *c = (chain){0};
  for (int j = 0; j < n; ++j) {
    c->p[j + 1] = c->p[j];
    c->mass_p[j + 1] = c->mass_p[j];
    for (int i = j > 0 ? j - 1 : 0; i <= j + 1 && i < n; ++i) {
      double a = random_in(&seed, -1.0, 1.0) - 2.0 * (i == j);
      c->A[i + j * n] = a;
      c->i[c->p[j + 1]] = i;
      c->a[c->p[j + 1]++] = a;
      if (i == j + 1 && j % 2 == 1) continue;
      double m = random_in(&seed, -0.2, 0.2) + (i == j);
      c->M[i + j * n] = m;
      c->mass_i[c->mass_p[j + 1]] = i;
      c->m[c->mass_p[j + 1]++] = m;
    }
  }
}

static int A_of_chain(const nsds_arguments *in, double *out, void *user) {
  (void)in;
  memcpy(out, ((const chain *)user)->A, sizeof((const chain *)user)->A);
  return 0;
}

/* States at the end, after steps with three diodes between the ends and the middle. */
static void simulate(const chain *c, storage s, nsds_scheme_kind scheme, double *end) {
  nsds_model *model = nsds_model_create(NULL);
  double b[n], C[3 * n] = {0}, B[3 * n] = {0};
  for (int k = 0; k < n; ++k) b[k] = k % 2 ? -1.0 : 0.5;
  for (int k = 0; k < 3; ++k) {
    int at = k * (n - 1) / 2;
    C[k + at * 3] = 1.0;
    B[at + k * n] = 1.0;
  }
  const nsds_csc A = {n, n, c->p, c->i, c->a}, M = {n, n, c->mass_p, c->mass_i, c->m};
  bool a = s == sparse_A || s == all_sparse, m = s == sparse_M || s == all_sparse;
  nsds_ds *ds = nsds_first_order_linear(
      model, &(nsds_first_order_linear_def){.n = n,
                                            .mass = m ? NULL : c->M,
                                            .mass_sparse = m ? &M : NULL,
                                            .A = a || s == A_function ? NULL : c->A,
                                            .A_sparse = a ? &A : NULL,
                                            .A_fn = s == A_function ? A_of_chain : NULL,
                                            .b = b,
                                            .user = (void *)(uintptr_t)c});
  nsds_relation *relation = nsds_first_order_linear_relation(
      model, &(nsds_first_order_linear_relation_def){.ny = 3, .nx = n, .C = C, .B = B});
  nsds_interaction *ia = nsds_connect(model, relation, nsds_complementarity(model), 1, &ds);
  nsds_simulation *simulation = run(
      model,
      &(nsds_time_stepping_def){.t1 = 2.0, .h = 0.02, .first_order = scheme_of(scheme, 0.5, 0.6)},
      0);
  assert_near(nsds_time(simulation), 2.0, 1e-14);
  memcpy(end, nsds_x(ds), n * sizeof *end);
  memcpy(end + n, nsds_lambda(ia), 3 * sizeof *end);
  nsds_model_destroy(model);
}

static void storages(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 3; ++seed) {
    chain c;
    fill(&c, seed);
    for (int scheme = NSDS_EULER_MOREAU; scheme <= NSDS_ZERO_ORDER_HOLD; ++scheme) {
      double reference[n + 3], other[n + 3];
      simulate(&c, all_dense, (nsds_scheme_kind)scheme, reference);
      assert_true(reference[n] + reference[n + 1] + reference[n + 2] > 0.0);
      for (storage s = sparse_A; s <= A_function; ++s) {
        if (s == A_function && scheme == NSDS_ZERO_ORDER_HOLD) continue; /* refused: A may vary */
        simulate(&c, s, (nsds_scheme_kind)scheme, other);
        for (int k = 0; k < n + 3; ++k) assert_near(other[k], reference[k], 1e-12);
      }
    }
  }
}

/* ---- plugin = linked ---- */

typedef struct source {
  nsds_plugin *plugin; /* NULL: the linked functions */
} source;

static nsds_operator get(const source *s, const char *name) {
  static const nsds_plugin_entry linked[] = {FIRST_ORDER_TABLE(FIRST_ORDER_ENTRY)};
  for (size_t k = 0; k < sizeof linked / sizeof *linked; ++k)
    if (strcmp(linked[k].name, name) == 0)
      return s->plugin ? nsds_plugin_get(s->plugin, name, linked[k].kind) : linked[k].function;
  fail_msg("no function %s", name);
  return NULL;
}

/* A nonlinear system with a general relation, a linear one with coefficients that vary; a step
 * changes the parameters. Returns a fingerprint of all states met. */
static uint64_t with_functions(bool from_plugin) {
  nsds_model *model = nsds_model_create(NULL);
  source s = {from_plugin ? nsds_plugin_open(model, NSDS_TEST_FUNCTIONS) : NULL};
  const double z[] = {0.7, 1.3};
  nsds_ds *nonlinear =
      nsds_first_order(model, &(nsds_first_order_def){.n = 2,
                                                      .x0 = (double[]){1.0, -0.5},
                                                      .mass_fn = get(&s, "mass"),
                                                      .f_fn = get(&s, "f"),
                                                      .jac_f_x_fn = get(&s, "jac_f_x"),
                                                      .control.n = 1,
                                                      .control.map_fn = get(&s, "control_map"),
                                                      .control.fn = get(&s, "control"),
                                                      .control.jac_x_fn = nsds_differences,
                                                      .nz = 2,
                                                      .z = z});
  nsds_ds *linear =
      nsds_first_order_linear(model, &(nsds_first_order_linear_def){.n = 2,
                                                                    .x0 = (double[]){0.5, 1.0},
                                                                    .mass_fn = get(&s, "mass"),
                                                                    .A_fn = get(&s, "A"),
                                                                    .b_fn = get(&s, "b"),
                                                                    .nz = 2,
                                                                    .z = z});
  nsds_relation *general = nsds_first_order_relation(
      model, &(nsds_first_order_relation_def){.ny = 1,
                                              .nx = 2,
                                              .output_fn = get(&s, "h"),
                                              .jac_output_x_fn = get(&s, "jac_h_x"),
                                              .jac_output_lambda_fn = get(&s, "jac_h_lambda"),
                                              .input_fn = get(&s, "g"),
                                              .jac_input_lambda_fn = get(&s, "jac_g_lambda"),
                                              .jac_input_x_fn = get(&s, "jac_g_x"),
                                              .nz = 1,
                                              .z = (double[]){0.4}});
  nsds_relation *varying = nsds_first_order_linear_relation(
      model, &(nsds_first_order_linear_relation_def){.ny = 1,
                                                     .nx = 2,
                                                     .nZ = 3,
                                                     .C_fn = get(&s, "C"),
                                                     .D_fn = get(&s, "D"),
                                                     .B_fn = get(&s, "B"),
                                                     .F_fn = get(&s, "F"),
                                                     .e_fn = get(&s, "e"),
                                                     .nz = 1,
                                                     .z = (double[]){0.2}});
  nsds_law *law = nsds_complementarity(model);
  nsds_connect(model, general, law, 1, &nonlinear);
  nsds_connect(model, varying, law, 1, &linear);
  nsds_simulation *simulation =
      nsds_time_stepping(model, &(nsds_time_stepping_def){.t1 = 4.0, .h = 0.02});
  assert_sound(model);
  assert_ok(model, nsds_check_jacobians(model, 0.3, 1e-7, NULL));
  uint64_t hash = 0;
  for (int k = 0; k < 200; ++k) {
    assert_ok(model, nsds_step(simulation));
    hash = state_hash(model, hash);
    if (k == 100) {
      assert_ok(model, nsds_ds_set_z(linear, 2, (double[]){1.0, 0.2}));
      assert_ok(model, nsds_relation_set_z(varying, 1, (double[]){-0.3}));
      assert_ok(model, nsds_relation_set_z(general, 1, (double[]){0.1}));
    }
  }
  nsds_model_destroy(model);
  return hash;
}

static void plugin_and_linked_functions(void **state) {
  (void)state;
  assert_true(with_functions(true) == with_functions(false));
}

/* ---- parameters ---- */

/* y = x + F Z with Z = (the system's z, the relation's own): a floor at -F Z that moves when a
 * parameter is set. dx/dt = -1 + lambda. */
static void parameters_move_the_floor(void **state) {
  (void)state;
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *ds = nsds_first_order_linear(
      model, &(nsds_first_order_linear_def){
                 .n = 1, .b = (double[]){-1.0}, .nz = 2, .z = (double[]){0.1, 0.2}});
  nsds_relation *floor = nsds_first_order_linear_relation(
      model, &(nsds_first_order_linear_relation_def){.name = "floor",
                                                     .ny = 1,
                                                     .nx = 1,
                                                     .nZ = 3,
                                                     .C = (double[]){1.0},
                                                     .B = (double[]){1.0},
                                                     .F = (double[]){1.0, 0.5, 2.0},
                                                     .nz = 1,
                                                     .z = (double[]){0.15}});
  nsds_interaction *ia = nsds_connect(model, floor, nsds_complementarity(model), 1, &ds);
  nsds_simulation *simulation =
      nsds_time_stepping(model, &(nsds_time_stepping_def){.t1 = 10.0, .h = 0.125});
  assert_sound(model);
  const double *x = nsds_x(ds);
  for (int k = 0; k < 8; ++k) assert_ok(model, nsds_step(simulation));
  assert_near(x[0], -0.5, 1e-15); /* 0.1 + 0.1 + 0.3 below zero */
  assert_near(nsds_lambda(ia)[0], 1.0, 1e-13);
  assert_ok(model, nsds_ds_set_z(ds, 2, (double[]){0.0, 0.2}));
  assert_ok(model, nsds_step(simulation)); /* lifted by 0.1 in one step */
  assert_near(x[0], -0.4, 1e-15);
  assert_near(nsds_lambda(ia)[0], 1.0 + 0.1 / 0.125, 1e-13);
  assert_ok(model, nsds_relation_set_z(floor, 1, (double[]){1.0}));
  assert_ok(model, nsds_step(simulation)); /* gone from below */
  assert_near(x[0], -0.525, 1e-15);
  assert_near(nsds_lambda(ia)[0], 0.0, 0.0);
  assert_near(nsds_y(ia)[0], -0.525 + 0.1 + 2.0, 1e-15);
  nsds_model_destroy(model);
}

/* x set from outside between steps: the next step starts from it. */
static void state_set_between_steps(void **state) {
  (void)state;
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *ds = nsds_first_order_linear(
      model, &(nsds_first_order_linear_def){.n = 1, .A = (double[]){-1.0}, .b = (double[]){1.0}});
  nsds_simulation *simulation = nsds_time_stepping(
      model,
      &(nsds_time_stepping_def){.t1 = 10.0, .h = 0.1, .first_order = nsds_euler_moreau(1.0)});
  assert_ok(model, nsds_step(simulation));
  assert_near(nsds_x(ds)[0], 0.1 / 1.1, 1e-15);
  assert_ok(model, nsds_set_x(ds, (double[]){5.0}));
  assert_near(nsds_x(ds)[0], 5.0, 0.0);
  assert_ok(model, nsds_step(simulation));
  assert_near(nsds_x(ds)[0], 5.1 / 1.1, 1e-15);
  nsds_model_destroy(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(storages),
      cmocka_unit_test(plugin_and_linked_functions),
      cmocka_unit_test(parameters_move_the_floor),
      cmocka_unit_test(state_set_between_steps),
  };
  return cmocka_run_group_tests_name("first_order.forms", tests, NULL, NULL);
}
