/*
 * An integrator of a user's own, written with the public headers: Moreau-Jean for affine systems
 * with diagonal matrices,
 *
 *     W = M + h theta C + h^2 theta^2 K,
 *     v_free = v + W^-1 [h theta F_1 + h (1 - theta) F_0 - h C v - h K (q + h theta v)],
 *
 * equals the built-in one bit by bit, with contacts, parameters, events and another step; what it
 * cannot treat is refused.
 */
#include "support.h"

enum { most = 3 };

/* Memory of a system: the diagonals of M, C, K and W. */
typedef struct kept {
  double M[most], C[most], K[most], W[most];
} kept;

/* The order of products is that of the library: W^-1 of an entry, where the factors of small
 * matrices keep reciprocals of the pivots; C v and K q below by columns. */
static double over_w(const kept *m, int n, int k, double x) {
  return n == 1 ? x / m->W[k] : x * (1.0 / m->W[k]);
}

static long refreshed;

static size_t memory(const nsds_integration *s) {
  assert_true(s->nu <= most);
  return sizeof(kept) / sizeof(double);
}

static nsds_status check(nsds_integration *s) {
  if (s->affine && s->nu <= most) return NSDS_OK;
  return nsds_report(s->context, NSDS_ERROR_UNSUPPORTED, "own: %s is not affine",
                     nsds_ds_name(s->ds));
}

static nsds_status diagonal(nsds_status (*matrix)(void *, const nsds_arguments *, double *),
                            void *self, const nsds_arguments *in, int n, double *d) {
  double full[most * most] = {0.0};
  nsds_status status = matrix(self, in, full);
  for (int k = 0; k < n; ++k) d[k] = full[k + k * n];
  return status;
}

static nsds_status refresh(nsds_integration *s) {
  kept *m = (kept *)(void *)s->memory;
  nsds_ds_operators of = nsds_ds_describe(s->ds);
  nsds_arguments in = nsds_ds_point(s->ds, s->scheme->t, s->q, s->u);
  double c = s->scheme->h * s->scheme->theta;
  int n = s->nu;
  ++refreshed;
  memset(m, 0, sizeof *m);
  nsds_status status = diagonal(of.second->mass, of.self, &in, n, m->M);
  if (!status && of.damping.present) status = diagonal(of.second->damping, of.self, &in, n, m->C);
  if (!status && of.stiffness.present)
    status = diagonal(of.second->stiffness, of.self, &in, n, m->K);
  for (int k = 0; k < n; ++k) m->W[k] = m->M[k] + c * m->C[k] + c * c * m->K[k];
  return status ? status : of.second->force(of.self, &in, s->force);
}

static nsds_status free_state(nsds_integration *s) {
  const kept *m = (const kept *)(const void *)s->memory;
  nsds_ds_operators of = nsds_ds_describe(s->ds);
  nsds_arguments in = nsds_ds_point(s->ds, s->scheme->t_next, s->q, s->u);
  double h = s->scheme->h, theta = s->scheme->theta;
  const double *end = s->force;
  if (!of.force_constant) {
    nsds_status status = of.second->force(of.self, &in, s->force_end);
    if (status) return status;
    end = s->force_end;
  }
  bool plain = !of.damping.present && !of.stiffness.present && of.force_constant;
  for (int k = 0; k < s->nu; ++k) {
    double rhs = h * theta * end[k] + h * (1.0 - theta) * s->force[k];
    if (plain) rhs = h * s->force[k];
    double q = s->q[k] + h * theta * s->u[k];
    if (of.damping.present) rhs -= s->nu == 1 ? h * m->C[k] * s->u[k] : h * s->u[k] * m->C[k];
    if (of.stiffness.present) rhs -= s->nu == 1 ? h * m->K[k] * q : h * q * m->K[k];
    s->u_free[k] = over_w(m, s->nu, k, rhs) + s->u[k];
  }
  return NSDS_OK;
}

static void apply(const nsds_integration *s, int nrhs, double *b) {
  const kept *m = (const kept *)(const void *)s->memory;
  for (int j = 0; j < nrhs; ++j)
    for (int k = 0; k < s->nu; ++k, ++b) *b = over_w(m, s->nu, k, *b);
}

static nsds_status advance(nsds_integration *s) {
  double a = s->scheme->h * s->scheme->theta, b = s->scheme->h * (1.0 - s->scheme->theta);
  for (int k = 0; k < s->nq; ++k) s->q_end[k] = s->q[k] + a * s->u_end[k] + b * s->u[k];
  return NSDS_OK;
}

static const nsds_integrator own = {.name = "own Moreau-Jean",
                                    .order = 2,
                                    .memory = memory,
                                    .check = check,
                                    .refresh = refresh,
                                    .free = free_state,
                                    .apply = apply,
                                    .advance = advance};

/* ---- a model of such systems ---- */

static int drive(const nsds_arguments *in, double *out, void *user) {
  out[0] = in->z[0] * cos(3.0 * in->t) - 2.0;
  for (int k = 1; k < *(const int *)user; ++k) out[k] = -9.81;
  return 0;
}

enum { systems = 6 };

typedef struct scene {
  nsds_model *model;
  nsds_ds *ds[systems];
  nsds_simulation *simulation;
} scene;

static void put_diagonal(int n, double value, double *matrix) {
  for (int k = 0; k < n * n; ++k)
    matrix[k] = k % (n + 1) == 0 ? value * (1.0 + 0.3 * (k % 7)) : 0.0;
}

/* Systems of one to `widest` degrees of freedom, of every kind; each above a floor and linked to
 * the next one by a rod that may not get shorter. */
static void build(scene *s, int widest, bool by_user) {
  static const int size[most] = {1, 2, 3};
  static const double weight[most] = {-9.81, 0.3, -0.2}, strength[1] = {4.0};
  *s = (scene){.model = nsds_model_create(NULL)};
  nsds_law *law = nsds_newton_impact(s->model, 0.4);
  for (int i = 0; i < systems; ++i) {
    int n = 1 + i % widest;
    double M[most * most], C[most * most], K[most * most], q[most], H[2 * most] = {1.0}, b = 0.0;
    put_diagonal(n, 1.0 + 0.1 * i, M);
    put_diagonal(n, 0.2, C);
    put_diagonal(n, 30.0, K);
    for (int k = 0; k < n; ++k) q[k] = 0.1 + 0.05 * i;
    nsds_lagrangian_linear_def def = {.ndof = n, .q0 = q, .mass = M};
    if (i % 3 != 0) def.damping = C;
    if (i % 2 == 1) def.stiffness = K;
    if (i % 3 == 0) def.fext = weight;
    else {
      def.fext_fn = drive;
      def.user = (void *)(uintptr_t)&size[n - 1];
      def.nz = 1;
      def.z = strength;
    }
    s->ds[i] = nsds_lagrangian_linear(s->model, &def);
    if (i == 0) {
      nsds_relation *floor = nsds_lagrangian_linear_relation(
          s->model, &(nsds_lagrangian_linear_relation_def){.ny = 1, .nq = n, .H = H, .b = &b});
      nsds_connect(s->model, floor, law, 1, &s->ds[i]);
      continue;
    }
    int before = 1 + (i - 1) % widest;
    double link[2 * most] = {-1.0};
    link[before] = 1.0;
    nsds_relation *rod = nsds_lagrangian_linear_relation(
        s->model,
        &(nsds_lagrangian_linear_relation_def){.ny = 1, .nq = before + n, .H = link, .b = &b});
    nsds_connect(s->model, rod, law, 2, &s->ds[i - 1]);
  }
  assert_sound(s->model);
  for (int i = 0; by_user && i < systems; ++i)
    assert_ok(s->model, nsds_ds_set_integrator(s->ds[i], &own));
  s->simulation = nsds_time_stepping(
      s->model,
      &(nsds_time_stepping_def){.t1 = 1e3, .h = 2e-3, .second_order = nsds_moreau_jean(0.6, 1.0)});
  assert_sound(s->model);
}

static void change(scene *s, int n) {
  if (n % 97 == 40) assert_ok(s->model, nsds_ds_set_z(s->ds[1], 1, (double[]){0.1 * n}));
  if (n % 101 == 50) assert_ok(s->model, nsds_set_state(s->ds[2], NULL, (double[]){1, 0, 0}));
  if (n % 200 == 150)
    assert_ok(s->model, nsds_simulation_set_h(s->simulation, n % 400 == 150 ? 1e-3 : 3e-3));
}

static void equals_the_built_in_one(void **state) {
  (void)state;
  for (int widest = 1; widest <= most; ++widest) {
    scene a, b;
    refreshed = 0;
    build(&a, widest, false);
    assert_int_equal(refreshed, 0);
    build(&b, widest, true);
    assert_int_equal(refreshed, systems);
    long touched = 0;
    for (int n = 0; n < 1500; ++n) {
      change(&a, n);
      change(&b, n);
      assert_ok(a.model, nsds_step(a.simulation));
      assert_ok(b.model, nsds_step(b.simulation));
      if (state_hash(a.model, 0) != state_hash(b.model, 0))
        fail_msg("up to %d degrees of freedom: other bits in step %d", widest, n);
      touched += nsds_simulation_info(b.simulation)->active > 0;
    }
    assert_true(touched > 100);
    nsds_model_destroy(a.model);
    nsds_model_destroy(b.model);
  }
}

/* Some systems by the user's, some by the built-in one; and back during the run. */
static void one_by_one_and_back(void **state) {
  (void)state;
  scene a, b;
  build(&a, 1, false);
  build(&b, 1, false);
  for (int n = 0; n < 600; ++n) {
    if (n % 50 == 0) {
      int i = (n / 50) % systems;
      const nsds_integrator *back = nsds_integrator_named("default");
      assert_ok(b.model, nsds_ds_set_integrator(b.ds[i], n / 50 < systems ? &own : back));
    }
    assert_ok(a.model, nsds_step(a.simulation));
    assert_ok(b.model, nsds_step(b.simulation));
    assert_true(state_hash(a.model, 0) == state_hash(b.model, 0));
  }
  nsds_model_destroy(a.model);
  nsds_model_destroy(b.model);
}

/* ---- what does not fit ---- */

static int spring(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = in->q[0] * in->q[0] * in->q[0];
  return 0;
}

static nsds_ds *nonlinear(nsds_model *model) {
  return nsds_lagrangian(model, &(nsds_lagrangian_def){.name = "cubic",
                                                       .ndof = 1,
                                                       .mass = (double[]){1.0},
                                                       .fint.fn = spring,
                                                       .fint.jac_q_fn = nsds_differences,
                                                       .fint.jac_v_fn = nsds_zero});
}

static void what_it_cannot_treat_is_refused(void **state) {
  (void)state;
  nsds_integrator careless = own;
  careless.check = NULL; /* has no Newton operations and does not say so */
  for (int k = 0; k < 2; ++k) {
    nsds_model *model = nsds_model_create(NULL);
    nsds_ds *ds = nonlinear(model);
    assert_ok(model, nsds_ds_set_integrator(ds, k ? &careless : &own));
    const nsds_time_stepping_def def = {.t1 = 1.0, .h = 0.1};
    assert_null(nsds_time_stepping(model, &def));
    assert_int_equal(nsds_error(nsds_model_context(model)), NSDS_ERROR_UNSUPPORTED);
    assert_words(nsds_error_message(nsds_model_context(model)), ((const char *[]){"cubic"}), 1);
    nsds_error_clear(nsds_model_context(model));
    assert_ok(model, nsds_ds_set_integrator(ds, nsds_integrator_named("default")));
    nsds_simulation *s = run(model, &def, 3);
    /* set while it runs: the step says so, and the model is as it was */
    assert_ok(model, nsds_ds_set_integrator(ds, k ? &careless : &own));
    assert_status(model, nsds_step(s), NSDS_ERROR_UNSUPPORTED);
    nsds_error_clear(nsds_model_context(model));
    assert_ok(model, nsds_ds_set_integrator(ds, nsds_integrator_named("default")));
    assert_ok(model, nsds_step(s));
    nsds_model_destroy(model);
  }
}

static void incomplete(nsds_ds *ds, nsds_model *model, nsds_integrator integrator) {
  assert_status(model, nsds_ds_set_integrator(ds, &integrator), NSDS_ERROR_ARGUMENT);
  nsds_error_clear(nsds_model_context(model));
}

static void incomplete_tables_are_refused(void **state) {
  (void)state;
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *ds = nonlinear(model);
  nsds_integrator t = own;
  t.order = 1;
  incomplete(ds, model, t);
  t = own;
  t.refresh = NULL;
  incomplete(ds, model, t);
  t = own;
  t.free = NULL;
  incomplete(ds, model, t);
  t = own;
  t.apply = NULL;
  incomplete(ds, model, t);
  t = own;
  t.advance = NULL;
  incomplete(ds, model, t);
  t = own;
  t.name = NULL;
  incomplete(ds, model, t);
  t = own;
  t.evaluate = check; /* without tangent and solve */
  incomplete(ds, model, t);
  assert_status(model, nsds_ds_set_integrator(ds, nsds_integrator_named("moreau-jean")),
                NSDS_ERROR_ARGUMENT);
  assert_words(nsds_error_message(nsds_model_context(model)),
               ((const char *[]){"cubic", "NULL", "\"Moreau-Jean\""}), 3);
  nsds_error_clear(nsds_model_context(model));
  assert_int_equal(nsds_ds_set_integrator(NULL, &own), NSDS_ERROR_ARGUMENT);
  assert_null(nsds_ds_describe(NULL).second);
  nsds_model_destroy(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(equals_the_built_in_one),
      cmocka_unit_test(one_by_one_and_back),
      cmocka_unit_test(what_it_cannot_treat_is_refused),
      cmocka_unit_test(incomplete_tables_are_refused),
  };
  return cmocka_run_group_tests_name("kernel.user_integrator", tests, NULL, NULL);
}
