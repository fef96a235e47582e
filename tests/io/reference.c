/*
 * The problem collection: every file is recognised, has the check numbers that its list states, and
 * is a sound problem; the friction files have the asymmetry stated.
 */
#include "support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct reference {
  const char *path, *kind, *storage;
  int n, nblock;
  nsds_storage kept;
  double a, c, q;
} reference;

static const reference references[] = {
    {"lcp/lcp_mmc.dat", "lcp", "dense", 26, 1, NSDS_DENSE, -124816.975125, 37143.9931388,
     -1.055861425},
    {"lcp/lcp_trivial.dat", "lcp", "dense", 9, 1, NSDS_DENSE, 285, 3.23442883508, -9},
    {"lcp/lcp_ortiz.dat", "lcp", "dense", 4, 1, NSDS_DENSE, 30, -0.0666777551467, -1},
    {"lcp/lcp_exp_murty.dat", "lcp", "dense", 6, 1, NSDS_DENSE, 91, -0.869863889699, -6},
    {"lcp/lcp_CPS_1.dat", "lcp", "dense", 2, 1, NSDS_DENSE, 6, 0.148234916877, -2},
    {"lcp/lcp_CPS_2.dat", "lcp", "dense", 3, 1, NSDS_DENSE, 1, 1.88566871602, 2},
    {"lcp/lcp_deudeu.dat", "lcp", "dense", 2, 1, NSDS_DENSE, 9, 0.168149773552, -11},
    {"lcp/lcp_enum_fails.dat", "lcp", "dense", 9, 1, NSDS_DENSE, 100.451083211, 7.40541526842,
     -0.00039010434909},
    {"lcp/lcp_Pang_isolated_sol.dat", "lcp", "dense", 3, 1, NSDS_DENSE, -3, 0.936440602474, 0},
    {"mlcp/diodeBridge_mlcp.dat", "mlcp", "dense", 7, 2, NSDS_DENSE, -4.0075, -0.0555041796248,
     0.9975},
    {"mlcp/RLCD_mlcp.dat", "mlcp", "dense", 8, 2, NSDS_DENSE, -5.9999985, 1.98237975182,
     -0.0603396},
    {"mlcp/PD_mlcp.dat", "mlcp", "dense", 7, 2, NSDS_DENSE, 368.9925, 5.29892409397, 0.9975},
    {"mlcp/m2n1_mlcp.dat", "mlcp", "dense", 3, 2, NSDS_DENSE, 10.6666, -0.695943115136, -3},
    {"mlcp/deudeu_mlcp.dat", "mlcp", "dense", 2, 2, NSDS_DENSE, 2, 0.656742197707, 0},
    {"mlcp/relay2_mlcp.dat", "mlcp", "dense", 6, 2, NSDS_DENSE, 8.98, 0.855017055341, -8.599},
    {"mlcp/BuckFirstStep_mlcp.dat", "mlcp", "dense", 32, 2, NSDS_DENSE, 293.999990292,
     549.182874803, 20},
    {"fc2d/FrictionContactProblem00031.dat", "fc2d", "blocks", 22, 11, NSDS_BLOCK_ROWS,
     254.35886802, 2.81176184633, 0.489964237031},
    {"fc2d/FrictionContactProblem00374.dat", "fc2d", "dense", 56, 28, NSDS_DENSE, 797.531392674,
     0.828254919014, 73.5749999992},
    {"fc2d/fc2d_granularflowonwall_00667_00000.dat", "fc2d", "columns", 1334, 667, NSDS_CSC,
     1776485710.07, 11894.7665589, 1.2e-18},
    {"fc3d/BoxesStack1-i100000-32.dat", "fc3d", "blocks", 156, 52, NSDS_BLOCK_ROWS, 16903462.4839,
     1498.22848028, -127.981251938},
    {"fc3d/Capsules-i100-1090.dat", "fc3d", "blocks", 828, 276, NSDS_BLOCK_ROWS, 1313637.10717,
     55.9985296868, 18.2369352545},
    {"fc3d/Capsules-i122-1617.dat", "fc3d", "blocks", 888, 296, NSDS_BLOCK_ROWS, 1507087.01449,
     -42.1778941081, 14.791756863},
    {"fc3d/Confeti-ex03-Fc3D-SBM.dat", "fc3d", "blocks", 162, 54, NSDS_BLOCK_ROWS, 2.23991667981,
     0.00200355062593, 54.1183391286},
    {"fc3d/FC3D_Example1_SBM.dat", "fc3d", "blocks", 9, 3, NSDS_BLOCK_ROWS, 45, 0.724036808065, 9},
    {"fc3d/FrictionContact3D_1c.dat", "fc3d", "dense", 3, 1, NSDS_DENSE, 85, 1.12596199922, 4},
    {"fc3d/FrictionContact3D_RR_1c.dat", "fc3d", "dense", 3, 1, NSDS_DENSE, 0.2367736737,
     -0.0626751560221, -0.5457},
    {"fc3d/KaplasTower-i1061-4.dat", "fc3d", "blocks", 1710, 570, NSDS_BLOCK_ROWS, 2646804328.98,
     7507.94841119, -1018.07833444},
    {"fc3d/NESpheres_10_1.dat", "fc3d", "dense", 27, 9, NSDS_DENSE, 233.918182866, -0.583924662292,
     4.0518614084},
    {"fc3d/OneObject-i100000-316.dat", "fc3d", "blocks", 75, 25, NSDS_BLOCK_ROWS, 37905.1156201,
     11.3920091441, 1.18050540066},
    {"fc3d/Rover1039.dat", "fc3d", "dense", 12, 4, NSDS_DENSE, 3.2643767632, -0.055528155597,
     -1.06564962589},
    {"fc3d/Rover3865.dat", "fc3d", "dense", 15, 5, NSDS_DENSE, 4.9105636637, 0.0155457801776,
     2.36106505474},
    {"fc3d/Rover4516.dat", "fc3d", "dense", 12, 4, NSDS_DENSE, 3.2598362507, -0.0413389042957,
     0.15227359917},
    {"fclib/Capsules-i125-1213.hdf5", "fc3d", "rows", 858, 286, NSDS_CSC, 1411453.29177,
     -4.88830226022, 18.4714322863},
    {"fclib/LMGC_100_PR_PerioBox-i00361-60-03000.hdf5", "fc3d", "rows", 180, 60, NSDS_CSC,
     0.679926419441, 6.85812617844e-06, -2.67789084343},
};

/* The list has twelve digits; adding up rounds by some part of the size of the terms. */
static void assert_number(const char *path, const char *what, double found, double stated,
                          double terms) {
  double tolerance = 1e-11 * fabs(stated) + 1e-15 * terms;
  if (!(fabs(found - stated) <= tolerance))
    fail_msg("%s: check %s is %.12g; stated %.12g", path, what, found, stated);
}

static double sum_of_sizes(const nsds_problem *problem) {
  double *M = dense_of(problem), sum = 0.0;
  for (size_t k = 0; k < (size_t)problem->n * (size_t)problem->n; ++k) sum += fabs(M[k]);
  free(M);
  return sum;
}

static void check_file(nsds_context *context, const char *folder, const reference *r) {
  char path[1024];
  snprintf(path, sizeof path, "%s/%s", folder, r->path);
  nsds_problem_file *file = nsds_problem_read(context, path, NSDS_FORMAT_AUTO);
  if (!file) fail_msg("%s", nsds_error_message(context));
  const nsds_problem *problem = nsds_problem_file_problem(file);
  assert_string_equal(nsds_problem_file_kind(file), r->kind);
  assert_string_equal(nsds_problem_file_storage(file), r->storage);
  assert_int_equal(problem->n, r->n);
  assert_int_equal(problem->nblock, r->nblock);
  assert_int_equal(nsds_problem_file_matrix(file)->storage, r->kept);
  if (nsds_problem_check(context, problem)) fail_msg("%s", nsds_error_message(context));
  check_numbers found = check_numbers_of(problem);
  double terms = sum_of_sizes(problem);
  printf("%-48s a %.12g  c %.12g  q %.12g\n", r->path, found.a, found.c, found.q);
  assert_number(r->path, "a", found.a, r->a, terms * r->n);
  assert_number(r->path, "c", found.c, r->c, terms);
  assert_number(r->path, "q", found.q, r->q, strstr(r->path, "granular") ? 1e-4 : 1.0);
  nsds_problem_file_destroy(file);
}

static void test_check_numbers(void **unused) {
  (void)unused;
  const char *folder = problems_folder();
  meter m = {0};
  nsds_context *context = metered_context(&m);
  for (size_t k = 0; k < COUNT(references); ++k) check_file(context, folder, &references[k]);
  nsds_context_destroy(context);
  assert_int_equal(m.live, 0);
}

/* max |M - M^T| / max |M| */
static double asymmetry(const nsds_problem *problem) {
  double *M = dense_of(problem), difference = 0.0, largest = 0.0;
  size_t n = (size_t)problem->n;
  for (size_t j = 0; j < n; ++j)
    for (size_t i = 0; i < n; ++i) {
      difference = fmax(difference, fabs(M[i + j * n] - M[j + i * n]));
      largest = fmax(largest, fabs(M[i + j * n]));
    }
  free(M);
  return difference / largest;
}

static void test_asymmetry(void **unused) {
  (void)unused;
  static const struct {
    const char *path;
    double stated;
  } cases[] = {{"fc2d/fc2d_granularflowonwall_00667_00000.dat", 0.0},
               {"fc3d/FC3D_Example1_SBM.dat", 0.0},
               {"fc3d/FrictionContact3D_1c.dat", 0.0},
               {"fc3d/Capsules-i100-1090.dat", 8.6e-4},
               {"fc3d/OneObject-i100000-316.dat", 4.5e-5},
               {"fc3d/Rover4516.dat", 2.8e-5}};
  const char *folder = problems_folder();
  nsds_context *context = nsds_context_create(NULL);
  for (size_t k = 0; k < COUNT(cases); ++k) {
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", folder, cases[k].path);
    nsds_problem_file *file = nsds_problem_read(context, path, NSDS_FORMAT_AUTO);
    assert_non_null(file);
    assert_true(fabs(asymmetry(nsds_problem_file_problem(file)) - cases[k].stated) <=
                0.06 * cases[k].stated);
    assert_int_equal(nsds_problem_file_matrix(file)->symmetric, cases[k].stated == 0.0);
    nsds_problem_file_destroy(file);
  }
  nsds_context_destroy(context);
}

/* /solution of the Capsules file is all zero, /guesses/1 is not. */
static void test_stored_points(void **unused) {
  (void)unused;
  char path[1024];
  snprintf(path, sizeof path, "%s/fclib/Capsules-i125-1213.hdf5", problems_folder());
  nsds_context *context = nsds_context_create(NULL);
  nsds_problem_file *file = nsds_problem_read(context, path, NSDS_FORMAT_AUTO);
  assert_non_null(file);
  const nsds_stored_point *solution = nsds_problem_file_solution(file);
  const nsds_stored_point *guess = nsds_problem_file_guess(file, 0);
  assert_non_null(solution);
  assert_non_null(guess);
  assert_int_equal(nsds_problem_file_nguess(file), 1);
  assert_null(nsds_problem_file_guess(file, 1));
  assert_null(nsds_problem_file_guess(file, -1));
  double size = 0.0;
  for (int i = 0; i < nsds_problem_file_problem(file)->n; ++i) {
    assert_true(solution->z[i] == 0.0);
    size += fabs(guess->z[i]);
  }
  assert_true(size > 0.0);
  assert_non_null(guess->w);
  nsds_problem_file_destroy(file);
  nsds_context_destroy(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_check_numbers),
      cmocka_unit_test(test_asymmetry),
      cmocka_unit_test(test_stored_points),
  };
  return cmocka_run_group_tests_name("io.reference", tests, NULL, NULL);
}
