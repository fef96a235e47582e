/*
 * A rod of n cells that conducts heat, heated at its left end by a source that varies, with a melting point at its right
 * end: the last cell stays below 1 by a sink 0 <= lambda. Sparse matrices, dense ones, and a singular M with the fluxes
 * as unknowns give the same run; and a run that is continued has the same bits.
 */
#include "support.h"

#include <stdio.h>

enum { n = 120 };

static int heat_b(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = 40.0 * (1.0 + sin(3.0 * in->t));
  return 0;
}

typedef enum form { sparse, dense, with_fluxes } form;

typedef struct rod {
  nsds_model *model;
  nsds_ds *ds;
  nsds_interaction *ia;
  nsds_simulation *sim;
} rod;

static nsds_csc columns(int size, int count, const nsds_triplet *t, int *p, int *i, double *x) {
  nsds_csc out;
  assert_int_equal(nsds_triplets_to_csc(size, size, count, t, p, i, x, &out), NSDS_OK);
  return out;
}

static rod make_rod(form how, double period) {
  static nsds_triplet t[8 * n];
  static int p[2 * n + 1], i[8 * n], mp[2 * n + 1], mi[8 * n];
  static double x[8 * n], mx[8 * n], A[n * n], C[2 * n], B[2 * n];
  const double k = 20000.0; /* conductance of a cell */
  int count = 0, size = how == with_fluxes ? 2 * n - 1 : n;
  for (int c = 0; c + 1 < n; ++c) {
    if (how == with_fluxes) { /* 0 = k (T_c - T_c+1) - flux */
      t[count++] = (nsds_triplet){n + c, c, k};
      t[count++] = (nsds_triplet){n + c, c + 1, -k};
      t[count++] = (nsds_triplet){n + c, n + c, -1.0};
      t[count++] = (nsds_triplet){c, n + c, -1.0};
      t[count++] = (nsds_triplet){c + 1, n + c, 1.0};
    } else {
      t[count++] = (nsds_triplet){c, c, -k};
      t[count++] = (nsds_triplet){c, c + 1, k};
      t[count++] = (nsds_triplet){c + 1, c, k};
      t[count++] = (nsds_triplet){c + 1, c + 1, -k};
    }
  }
  rod r = {.model = nsds_model_create(NULL)};
  nsds_csc a = columns(size, count, t, p, i, x), m = {0};
  for (int c = 0; c < n; ++c) t[c] = (nsds_triplet){c, c, 1.0};
  if (how == with_fluxes) m = columns(size, n, t, mp, mi, mx);
  memset(A, 0, sizeof A);
  for (int j = 0; how == dense && j < n; ++j)
    for (int e = p[j]; e < p[j + 1]; ++e) A[i[e] + j * n] += x[e];
  r.ds = nsds_first_order_linear(
      r.model, &(nsds_first_order_linear_def){.n = size,
                                              .A = how == dense ? A : NULL,
                                              .A_sparse = how == dense ? NULL : &a,
                                              .mass_sparse = how == with_fluxes ? &m : NULL,
                                              .b_fn = heat_b});
  memset(C, 0, sizeof C);
  memset(B, 0, sizeof B);
  C[n - 1] = -1.0;
  B[n - 1] = -1.0;
  const double e = 1.0;
  nsds_relation *relation = nsds_first_order_linear_relation(
      r.model,
      &(nsds_first_order_linear_relation_def){.ny = 1, .nx = size, .C = C, .B = B, .e = &e});
  r.ia = nsds_connect(r.model, relation, nsds_complementarity(r.model), 1, &r.ds);
  r.sim = nsds_adaptive(
      r.model, &(nsds_adaptive_def){
                   .t1 = 6.0, .output_period = period, .largest_step = 0.02, .tolerance = 1e-5});
  assert_sound(r.model);
  assert_non_null(r.sim);
  return r;
}

static void forms_agree(void **state) {
  (void)state;
  rod r[3] = {make_rod(sparse, 0.1), make_rod(dense, 0.1), make_rod(with_fluxes, 0.1)};
  for (int k = 0; k < 60; ++k) {
    for (int f = 0; f < 3; ++f) assert_ok(r[f].model, nsds_step(r[f].sim));
    for (int f = 1; f < 3; ++f) {
      for (int c = 0; c < n; ++c) assert_near(nsds_x(r[f].ds)[c], nsds_x(r[0].ds)[c], 1e-7);
      assert_near(nsds_lambda(r[f].ia)[0], nsds_lambda(r[0].ia)[0], 1e-6);
    }
  }
  assert_true(nsds_lambda(r[0].ia)[0] > 1.0);
  assert_near(nsds_x(r[0].ds)[n - 1], 1.0, 1e-9);
  for (int f = 0; f < 3; ++f) nsds_model_destroy(r[f].model);
}

static void to_the_bit(void **state) {
  (void)state;
  for (int grid = 0; grid < 2; ++grid) {
    rod r = make_rod(sparse, grid ? 0.05 : 0.0);
    int half = grid ? 55 : 80, all = grid ? 110 : 180;
    double last[200];
    for (int k = 0; k < half; ++k) assert_ok(r.model, nsds_step(r.sim));
    assert_ok(r.model, nsds_simulation_save(r.sim));
    for (int k = half; k < all; ++k) {
      assert_ok(r.model, nsds_step(r.sim));
      last[k] = nsds_x(r.ds)[n / 2];
    }
    assert_ok(r.model, nsds_simulation_restore(r.sim));
    for (int k = half; k < all; ++k) {
      assert_ok(r.model, nsds_step(r.sim));
      assert_true(last[k] == nsds_x(r.ds)[n / 2]);
    }
    assert_ok(r.model, nsds_simulation_restore(r.sim));
    nsds_snapshot *kept = nsds_snapshot_take(r.sim);
    rod other = make_rod(sparse, grid ? 0.05 : 0.0);
    size_t size;
    const void *bytes = nsds_snapshot_bytes(kept, &size);
    nsds_snapshot *copy = nsds_snapshot_from_bytes(nsds_model_context(other.model), bytes, size);
    assert_ok(other.model, nsds_snapshot_restore(other.sim, copy));
    for (int k = half; k < all; ++k) {
      assert_ok(other.model, nsds_step(other.sim));
      assert_true(last[k] == nsds_x(other.ds)[n / 2]);
    }
    nsds_snapshot_destroy(kept);
    nsds_snapshot_destroy(copy);
    nsds_model_destroy(other.model);
    nsds_model_destroy(r.model);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(forms_agree), cmocka_unit_test(to_the_bit)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
