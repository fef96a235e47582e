/*
 * One mechanical system said in every way the library offers: all must move alike. Three degrees of
 * freedom with tridiagonal M, C, K under F_ext(t, z), hitting a floor and a free body; once with
 * all velocities free, once with the second one prescribed.
 */
#include "support.h"

enum { n = 3 };

static const double M[9] = {2.0, 0.3, 0.0, 0.3, 1.5, 0.2, 0.0, 0.2, 1.0};
static const double C[9] = {0.4, -0.1, 0.0, -0.1, 0.3, -0.2, 0.0, -0.2, 0.2};
static const double K[9] = {40.0, -30.0, 0.0, -30.0, 50.0, -20.0, 0.0, -20.0, 25.0};
static const double q0[3] = {0.4, 0.35, 0.5}, v0[3] = {0.0, -0.5, 0.2};
static const double z0[2] = {3.0, 7.0}; /* amplitude, frequency of the force */

/* the patterns differ on purpose: C is stored with its zeros, K without */
static const int full_p[4] = {0, 3, 6, 9}, full_i[9] = {0, 1, 2, 0, 1, 2, 0, 1, 2};
static const int band_p[4] = {0, 2, 5, 7}, band_i[7] = {0, 1, 0, 1, 2, 1, 2};

static void to_band(const double *dense, double *x) {
  for (int j = 0, k = 0; j < n; ++j)
    for (; k < band_p[j + 1]; ++k) x[k] = dense[band_i[k] + n * j];
}

static nsds_csc csc(const int *p, const int *i, const double *x) {
  return (nsds_csc){.nrow = n, .ncol = n, .p = p, .i = i, .x = x};
}

static void add_product(const double *A, double alpha, const double *x, double *y) {
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) y[i] += alpha * A[i + n * j] * x[j];
}

/* ---- functions ---- */

static int fext(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  for (int i = 0; i < n; ++i) out[i] = -9.81 * (i + 1) + in->z[0] * cos(in->z[1] * in->t + i);
  return 0;
}

static int mass(const nsds_arguments *in, double *out, void *user) {
  (void)in, (void)user;
  memcpy(out, M, sizeof M);
  return 0;
}

static int damping(const nsds_arguments *in, double *out, void *user) {
  (void)in, (void)user;
  memcpy(out, C, sizeof C);
  return 0;
}

static int stiffness(const nsds_arguments *in, double *out, void *user) {
  (void)in, (void)user;
  memcpy(out, K, sizeof K);
  return 0;
}

static int spring_and_damper(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  add_product(K, 1.0, in->q, out);
  add_product(C, 1.0, in->v, out);
  return 0;
}

static int spring(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  add_product(K, 1.0, in->q, out);
  return 0;
}

static int damper(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  add_product(C, 1.0, in->v, out);
  return 0;
}

static int minus_identity(const nsds_arguments *in, double *out, void *user) {
  (void)in, (void)user;
  for (int i = 0; i < n; ++i) out[i + n * i] = -1.0;
  return 0;
}

static int prescribed(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = -0.5 + sin(4.0 * in->t);
  return 0;
}

/* ---- the built-in types ---- */

static const int second[1] = {1};

#define COMMON                                                                                     \
  .name = "chain", .ndof = n, .q0 = q0, .v0 = v0, .fext_fn = fext, .nz = 2, .z = z0,               \
  .prescribed.n = held, .prescribed.index = held ? second : NULL,                                  \
  .prescribed.fn = held ? prescribed : NULL

static nsds_ds *linear_dense(nsds_model *m, int held) {
  return nsds_lagrangian_linear(
      m, &(nsds_lagrangian_linear_def){COMMON, .mass = M, .damping = C, .stiffness = K});
}

static nsds_ds *linear_sparse(nsds_model *m, int held) {
  double mx[7], kx[7];
  to_band(M, mx);
  to_band(K, kx);
  nsds_csc sm = csc(band_p, band_i, mx), sc = csc(full_p, full_i, C), sk = csc(band_p, band_i, kx);
  return nsds_lagrangian_linear(m, &(nsds_lagrangian_linear_def){COMMON, .mass_sparse = &sm,
                                                                 .damping_sparse = &sc,
                                                                 .stiffness_sparse = &sk});
}

static nsds_ds *linear_mixed(nsds_model *m, int held) {
  double kx[7];
  to_band(K, kx);
  nsds_csc sk = csc(band_p, band_i, kx);
  return nsds_lagrangian_linear(
      m, &(nsds_lagrangian_linear_def){COMMON, .mass = M, .damping = C, .stiffness_sparse = &sk});
}

static nsds_ds *constant_mass(nsds_model *m, int held) {
  return nsds_lagrangian(m, &(nsds_lagrangian_def){COMMON, .mass = M, .fint.fn = spring_and_damper,
                                                   .fint.jac_q_fn = stiffness,
                                                   .fint.jac_v_fn = damping});
}

static nsds_ds *all_functions(nsds_model *m, int held) {
  return nsds_lagrangian(m,
                         &(nsds_lagrangian_def){COMMON, .mass_fn = mass, .nnl.fn = damper,
                                                .nnl.jac_q_fn = nsds_zero, .nnl.jac_v_fn = damping,
                                                .fint.fn = spring, .fint.jac_q_fn = stiffness,
                                                .fint.jac_v_fn = nsds_zero});
}

static nsds_ds *differences(nsds_model *m, int held) {
  return nsds_lagrangian(
      m, &(nsds_lagrangian_def){COMMON, .mass_fn = mass, .nnl.fn = damper,
                                .nnl.jac_q_fn = nsds_differences, .nnl.jac_v_fn = nsds_differences,
                                .fint.fn = spring, .fint.jac_q_fn = nsds_differences,
                                .fint.jac_v_fn = nsds_differences});
}

/* The damping as a control. */
static nsds_ds *with_control(nsds_model *m, int held) {
  return nsds_lagrangian(
      m, &(nsds_lagrangian_def){COMMON, .mass = M, .fint.fn = spring, .fint.jac_q_fn = stiffness,
                                .fint.jac_v_fn = nsds_zero, .control.n = n,
                                .control.map_fn = minus_identity, .control.fn = damper,
                                .control.jac_q_fn = nsds_zero, .control.jac_v_fn = damping});
}

/* ---- types of one's own ---- */

typedef struct own {
  bool sparse, affine;
  int *destroyed;
} own;

static void put(const own *s, const double *A, double *out) {
  if (s->sparse) to_band(A, out);
  else memcpy(out, A, n * n * sizeof *A);
}

static nsds_status own_mass(void *self, const nsds_arguments *in, double *out) {
  (void)in;
  put(self, M, out);
  return NSDS_OK;
}

static nsds_status own_damping(void *self, const nsds_arguments *in, double *out) {
  (void)in;
  put(self, C, out);
  return NSDS_OK;
}

static nsds_status own_stiffness(void *self, const nsds_arguments *in, double *out) {
  (void)in;
  put(self, K, out);
  return NSDS_OK;
}

static nsds_status own_force(void *self, const nsds_arguments *in, double *out) {
  const own *s = self;
  for (int i = 0; i < n; ++i) out[i] = 0.0;
  fext(in, out, NULL);
  if (s->affine) return NSDS_OK;
  add_product(K, -1.0, in->q, out);
  add_product(C, -1.0, in->v, out);
  return NSDS_OK;
}

static nsds_status own_prescribed(void *self, const nsds_arguments *in, double *v) {
  (void)self;
  prescribed(in, v, NULL);
  return NSDS_OK;
}

static void own_destroy(void *self) {
  own *s = self;
  ++*s->destroyed;
}

static const nsds_second_order_ops own_ops = {.type = "own",
                                              .mass = own_mass,
                                              .force = own_force,
                                              .damping = own_damping,
                                              .stiffness = own_stiffness,
                                              .prescribed = own_prescribed,
                                              .destroy = own_destroy};

static int destroyed;
static own selves[4] = {{false, true, &destroyed},
                        {true, true, &destroyed},
                        {false, false, &destroyed},
                        {true, false, &destroyed}};

static nsds_ds *own_type(nsds_model *m, int held, int kind, bool constant) {
  nsds_matrix_shape shape = {.present = true, .constant = constant};
  if (selves[kind].sparse) shape.p = band_p, shape.i = band_i;
  return nsds_custom_second_order(
      m, &(nsds_custom_second_order_def){.ops = &own_ops,
                                         .self = &selves[kind],
                                         .name = "chain",
                                         .ndof = n,
                                         .q0 = q0,
                                         .v0 = v0,
                                         .mass = shape,
                                         .damping = shape,
                                         .stiffness = shape,
                                         .affine = selves[kind].affine,
                                         .prescribed.n = held,
                                         .prescribed.index = held ? second : NULL,
                                         .nz = 2,
                                         .z = z0});
}

static nsds_ds *own_affine(nsds_model *m, int held) { return own_type(m, held, 0, true); }
static nsds_ds *own_affine_sparse(nsds_model *m, int held) { return own_type(m, held, 1, true); }
static nsds_ds *own_newton(nsds_model *m, int held) { return own_type(m, held, 2, false); }
static nsds_ds *own_newton_sparse(nsds_model *m, int held) { return own_type(m, held, 3, false); }
static nsds_ds *own_newton_constant(nsds_model *m, int held) { return own_type(m, held, 2, true); }

/* ---- the run ---- */

typedef struct variant {
  const char *name;
  nsds_ds *(*create)(nsds_model *model, int held);
  double allowed; /* differences that only rounding, or an inexact Newton matrix, may leave */
} variant;

static const variant variants[] = {
    {"linear, dense", linear_dense, 0.0},
    {"linear, sparse", linear_sparse, 1e-12},
    {"linear, dense and sparse", linear_mixed, 1e-12},
    {"lagrangian, constant mass", constant_mass, 1e-12},
    {"lagrangian, all functions", all_functions, 1e-12},
    {"lagrangian, differences", differences, 1e-12},
    {"lagrangian, control", with_control, 1e-8},
    {"own type, affine", own_affine, 1e-12},
    {"own type, affine, sparse", own_affine_sparse, 1e-12},
    {"own type, Newton", own_newton, 1e-12},
    {"own type, Newton, sparse", own_newton_sparse, 1e-12},
    {"own type, Newton, constant shapes", own_newton_constant, 1e-12},
};

enum { variant_count = sizeof variants / sizeof *variants, steps = 400 };

typedef struct world {
  nsds_model *model;
  nsds_simulation *simulation;
} world;

static world build(const variant *v, int held) {
  world w = {.model = nsds_model_create(NULL)};
  nsds_ds *pair[2];
  pair[0] = v->create(w.model, held);
  pair[1] =
      nsds_lagrangian_linear(w.model, &(nsds_lagrangian_linear_def){.name = "ball",
                                                                    .ndof = 1,
                                                                    .q0 = (double[]){0.9},
                                                                    .mass = (double[]){0.7},
                                                                    .fext = (double[]){-6.9}});
  nsds_relation *floor = nsds_lagrangian_linear_relation(
      w.model, &(nsds_lagrangian_linear_relation_def){
                   .ny = 2, .nq = n, .H = (double[]){1.0, 0.1, 0.0, 0.8, 0.1, 0.0}});
  nsds_relation *gap = nsds_lagrangian_linear_relation(
      w.model, &(nsds_lagrangian_linear_relation_def){
                   .ny = 1, .nq = n + 1, .H = (double[]){0.0, 0.0, -1.0, 1.0}});
  nsds_law *impact = nsds_newton_impact(w.model, 0.6);
  nsds_connect(w.model, floor, impact, 1, pair);
  nsds_connect(w.model, gap, impact, 2, pair);
  /* where Newton's matrix is inexact the increment bounds what is left of the error */
  w.simulation = nsds_time_stepping(
      w.model, &(nsds_time_stepping_def){.t1 = 10.0, .h = 5e-3, .newton = {.increment = 1e-9}});
  assert_sound(w.model);
  return w;
}

static void check_all(int held) {
  destroyed = 0;
  world base = build(&variants[0], held);
  world other[variant_count];
  double largest[variant_count] = {0}, impulse = 0.0;
  for (int k = 1; k < variant_count; ++k) other[k] = build(&variants[k], held);
  for (int s = 0; s < steps; ++s) {
    assert_ok(base.model, nsds_step(base.simulation));
    snapshot a = snapshot_take(base.model);
    for (int k = 1; k < variant_count; ++k) {
      assert_ok(other[k].model, nsds_step(other[k].simulation));
      snapshot b = snapshot_take(other[k].model);
      assert_int_equal(a.count, b.count);
      for (size_t i = 0; i < a.count; ++i) largest[k] = worse(fabs(a.x[i] - b.x[i]), largest[k]);
      snapshot_free(&b);
    }
    snapshot_free(&a);
    for (int c = 0; c < 2; ++c) impulse += nsds_impulse(nsds_interaction_at(base.model, c))[0];
    if (held)
      assert_near(nsds_v(nsds_ds_at(base.model, 0))[1],
                  -0.5 + sin(4.0 * nsds_time(base.simulation)), 1e-15);
    else assert_near(nsds_prescribed_force(nsds_ds_at(base.model, 0))[1], 0.0, 0.0);
  }
  assert_true(impulse > 1.0); /* there were contacts */
  /* forces on prescribed velocities are impulses over h, and so is their rounding */
  double grown = held ? 100.0 : 1.0;
  for (int k = 1; k < variant_count; ++k)
    print_message("             %-38s max diff %.1e, allowed %.0e\n", variants[k].name, largest[k],
                  grown * variants[k].allowed);
  for (int k = 1; k < variant_count; ++k)
    assert_between(largest[k], 0.0, grown * variants[k].allowed);
  nsds_model_destroy(base.model);
  for (int k = 1; k < variant_count; ++k) nsds_model_destroy(other[k].model);
  assert_int_equal(destroyed, 5);
}

static void free_systems_agree(void **state) {
  (void)state;
  check_all(0);
}

static void prescribed_systems_agree(void **state) {
  (void)state;
  check_all(1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(free_systems_agree),
      cmocka_unit_test(prescribed_systems_agree),
  };
  return cmocka_run_group_tests_name("kernel.conformance_systems", tests, NULL, NULL);
}
