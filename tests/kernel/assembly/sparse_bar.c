/*
 * An elastic bar that flies against a rigid wall, as a large sparse linear system with one contact
 * at its end: rho A u_tt = E A u_xx, linear elements, consistent mass. Closed form (d'Alembert):
 * the wall presses with the constant force rho A c v0 for the time 2 L / c in which the wave runs
 * to the free end and back, then the bar flies off with -v0. Here rho A = E A = L = 1, so c = 1.
 */
#include "support.h"

#include <stdlib.h>
#include <sys/resource.h>

static const double v0 = 0.7;

/* Tridiagonal n x n with the given element matrix [d o; o d] assembled over n - 1 elements. */
typedef struct band {
  nsds_csc csc;
  int *p, *i;
  double *x;
} band;

static band assemble(int n, double d, double o) {
  band b = {.p = malloc(((size_t)n + 1) * sizeof(int)),
            .i = malloc(3 * (size_t)n * sizeof(int)),
            .x = malloc(3 * (size_t)n * sizeof(double))};
  assert_true(b.p && b.i && b.x);
  int filled = 0;
  for (int j = 0; j < n; ++j) {
    b.p[j] = filled;
    for (int row = j - 1; row <= j + 1; ++row) {
      if (row < 0 || row >= n) continue;
      b.i[filled] = row;
      b.x[filled++] = row != j ? o : j == 0 || j == n - 1 ? d : 2.0 * d;
    }
  }
  b.p[n] = filled;
  b.csc = (nsds_csc){.nrow = n, .ncol = n, .p = b.p, .i = b.i, .x = b.x};
  return b;
}

static void band_free(band *b) {
  free(b->p);
  free(b->i);
  free(b->x);
}

static double *dense_of(const band *b, int n) {
  double *a = calloc((size_t)n * (size_t)n, sizeof *a);
  assert_non_null(a);
  for (int j = 0; j < n; ++j)
    for (int k = b->p[j]; k < b->p[j + 1]; ++k) a[b->i[k] + (size_t)j * (size_t)n] = b->x[k];
  return a;
}

typedef struct bar {
  nsds_model *model;
  nsds_ds *ds;
  nsds_interaction *wall;
  int n;
} bar;

enum storage { SPARSE, DENSE, SPARSE_AND_DENSE };

static bar build(nsds_context *context, int n, enum storage storage) {
  bar b = {.model = nsds_model_create(context), .n = n};
  double dx = 1.0 / (n - 1);
  band mass = assemble(n, dx / 3.0, dx / 6.0), stiffness = assemble(n, 1.0 / dx, -1.0 / dx);
  double *dense_mass = storage == DENSE ? dense_of(&mass, n) : NULL;
  double *dense_stiffness = storage != SPARSE ? dense_of(&stiffness, n) : NULL;
  double *v = malloc((size_t)n * sizeof *v), *H = calloc((size_t)n, sizeof *H);
  assert_true(v && H);
  for (int k = 0; k < n; ++k) v[k] = v0;
  H[n - 1] = -1.0;
  b.ds = nsds_lagrangian_linear(
      b.model,
      &(nsds_lagrangian_linear_def){.name = "bar",
                                    .ndof = n,
                                    .v0 = v,
                                    .mass = dense_mass,
                                    .stiffness = dense_stiffness,
                                    .mass_sparse = dense_mass ? NULL : &mass.csc,
                                    .stiffness_sparse = dense_stiffness ? NULL : &stiffness.csc});
  nsds_relation *gap = nsds_lagrangian_linear_relation(
      b.model, &(nsds_lagrangian_linear_relation_def){.name = "wall", .ny = 1, .nq = n, .H = H});
  b.wall = nsds_connect(b.model, gap, nsds_newton_impact(b.model, 0.0), 1, &b.ds);
  assert_sound(b.model);
  band_free(&mass);
  band_free(&stiffness);
  free(dense_mass);
  free(dense_stiffness);
  free(v);
  free(H);
  return b;
}

static double momentum(const bar *b) {
  double sum = 0.0, dx = 1.0 / (b->n - 1);
  for (int k = 0; k < b->n; ++k)
    sum += nsds_v(b->ds)[k] * (k == 0 || k == b->n - 1 ? 0.5 * dx : dx);
  return sum;
}

static void impact_of_an_elastic_bar(void **state) {
  (void)state;
  const int n = 401;
  const double h = 0.5 / (n - 1);
  bar b = build(NULL, n, SPARSE);
  nsds_simulation *simulation = nsds_time_stepping(
      b.model,
      &(nsds_time_stepping_def){.t1 = 2.5, .h = h, .second_order = nsds_moreau_jean(1.0, 1.0)});
  assert_sound(b.model);
  double total = 0.0, early = 0.0, last_contact = 0.0;
  nsds_status status;
  while ((status = nsds_step(simulation)) == NSDS_OK) {
    double P = nsds_impulse(b.wall)[0], t = nsds_time(simulation);
    total += P;
    if (t <= 1.0) early += P;
    if (P > 0.0) last_contact = t;
    assert_near(momentum(&b), v0 - total, 1e-11); /* the wall's is the only impulse */
  }
  assert_status(b.model, status, NSDS_END);
  print_message("             bar: impulse %.4f (exact 1.4), up to t = 1 %.4f (exact 0.7), contact "
                "until %.4f (exact 2)\n",
                total, early, last_contact);
  assert_between(total, 0.97 * 2.0 * v0, 2.0 * v0); /* theta = 1 takes some energy */
  assert_near(early, v0, 0.01 * v0);
  assert_near(last_contact, 2.0, 0.1);
  nsds_model_destroy(b.model);
}

static void sparse_equals_dense(void **state) {
  (void)state;
  enum { n = 40, steps = 120 };
  bar b[3];
  nsds_simulation *simulation[3];
  for (int k = 0; k < 3; ++k) {
    b[k] = build(NULL, n, (enum storage)k);
    simulation[k] =
        nsds_time_stepping(b[k].model, &(nsds_time_stepping_def){.t1 = 10.0, .h = 0.02});
  }
  double largest = 0.0, total = 0.0;
  for (int step = 0; step < steps; ++step) {
    for (int k = 0; k < 3; ++k) assert_ok(b[k].model, nsds_step(simulation[k]));
    total += nsds_impulse(b[0].wall)[0];
    for (int k = 1; k < 3; ++k) {
      assert_near(nsds_impulse(b[k].wall)[0], nsds_impulse(b[0].wall)[0], 1e-12);
      for (int j = 0; j < n; ++j) {
        largest = worse(fabs(nsds_q(b[k].ds)[j] - nsds_q(b[0].ds)[j]), largest);
        largest = worse(fabs(nsds_v(b[k].ds)[j] - nsds_v(b[0].ds)[j]), largest);
      }
      assert_near(nsds_kinetic_energy(b[k].ds), nsds_kinetic_energy(b[0].ds), 1e-12);
    }
  }
  print_message("             sparse against dense: max diff %.1e\n", largest);
  assert_true(total > v0);
  assert_between(largest, 0.0, 1e-12);
  for (int k = 0; k < 3; ++k) nsds_model_destroy(b[k].model);
}

/* 10 000 degrees of freedom would need 800 MB for one dense matrix. */
static void large_bar_fits_in_memory(void **state) {
  (void)state;
  enum { n = 10000, megabyte = 1 << 20 };
  meter m = {0};
  nsds_context *context = meter_context(&m);
  bar b = build(context, n, SPARSE);
  nsds_simulation *simulation = nsds_time_stepping(
      b.model, &(nsds_time_stepping_def){
                   .t1 = 1.0, .h = 1.0 / (n - 1), .second_order = nsds_moreau_jean(1.0, 1.0)});
  assert_sound(b.model);
  double total = 0.0;
  for (int k = 0; k < 20; ++k) {
    assert_ok(b.model, nsds_step(simulation));
    total += nsds_impulse(b.wall)[0];
  }
  assert_near(momentum(&b), v0 - total, 1e-11);
  assert_between(total / (20.0 * v0 / (n - 1)), 0.8, 1.3); /* the constant force, roughly */
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  print_message(
      "             10000 degrees of freedom: %.1f MB through the hooks, process %.0f MB\n",
      (double)m.peak / megabyte, (double)usage.ru_maxrss / 1024.0);
  assert_true(m.peak < (size_t)50 * megabyte);
  /* what the sparse factorisation takes does not go through the hooks; nor does this leave room */
  assert_true(usage.ru_maxrss < 400 * 1024);
  nsds_model_destroy(b.model);
  nsds_context_destroy(context);
  assert_int_equal(m.live, 0);
  assert_int_equal(m.bytes, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(large_bar_fits_in_memory),
      cmocka_unit_test(sparse_equals_dense),
      cmocka_unit_test(impact_of_an_elastic_bar),
  };
  return cmocka_run_group_tests_name("kernel.sparse_bar", tests, NULL, NULL);
}
