/*
 * Convex programmes that are hard for their data (bench/qp_hard.h): all must be solved, and those without
 * a solution may never be. Programmes of a few rows whose answers are known by hand show each rule of the
 * presolve.
 *
 *   numerics_hard_programmes [COUNT [LEAST MOST]]     so many programmes of each family, of these sizes
 */
#include "cmocka_setup.h"
#include "qp_file.h"
#include "qp_known.h"
#include "qp_problem.h"

static int count = 3, least = 10, most = 250;
static const char *const methods[] = {"interior_point", "auto"};

/* ---- by hand ---- */

static qp by_hand(int n, int m) {
  qp p = {.chance = 1};
  qp_begin(&p, n, m);
  return p;
}

/* Solves, and frees the programme. */
static nsds_outcome solve(qp *p, const char *method, double *z) {
  qp_problem t;
  qp_pack(&p->A);
  qp_pack(&p->H);
  qp_problem_make(&t, p);
  nsds_context *context = nsds_context_create(NULL);
  nsds_solver *solver = nsds_solver_create(context, method);
  nsds_solver_info info;
  double *w = qp_numbers(t.problem.n), *work = qp_numbers((int)nsds_problem_work(&t.problem));
  nsds_solve(solver, &t.problem, z, w, &info);
  if (info.outcome == NSDS_NO_SOLUTION) {
    assert_non_null(nsds_solver_proof(solver));
    assert_true(nsds_certify_no_solution(&t.problem, nsds_solver_proof(solver), work));
  }
  free(w);
  free(work);
  nsds_solver_destroy(solver);
  nsds_context_destroy(context);
  qp_problem_free(&t);
  qp_free(p);
  return info.outcome;
}

/* min x_0 + x_1, 2 x_0 >= 6, -x_1 >= -9, x_0 = 3 x_1 with the multiplier 1 / 3 + 1: the bounds of two
 * singleton rows, and what they bear. */
static void singleton_rows_bear_what_their_bounds_bear(void **unused) {
  (void)unused;
  qp p = by_hand(2, 3);
  double z[5] = {0.0};
  p.c[0] = p.c[1] = 1.0;
  qp_add(&p.A, 0, 0, 2.0);
  qp_add(&p.A, 1, 1, -1.0);
  qp_add(&p.A, 2, 0, 1.0);
  qp_add(&p.A, 2, 1, -3.0);
  p.b[0] = 6.0;
  p.b[1] = -9.0;
  p.equal[2] = true;
  assert_int_equal(solve(&p, "interior_point", z), NSDS_SOLVED);
  static const double right[] = {3.0, 1.0, 2.0 / 3.0, 0.0, -1.0 / 3.0};
  for (int i = 0; i < 5; ++i) assert_true(fabs(z[i] - right[i]) <= 1e-9);
}

/* x_0 + x_1 = 2 three times, once by -3, and x_0 + x_1 >= 1 that it outdoes; min x_0^2 + x_1^2. */
static void duplicate_rows_are_one_row(void **unused) {
  (void)unused;
  qp p = by_hand(2, 4);
  double z[6] = {0.0};
  static const double factor[] = {1.0, -3.0, 1.0, 1.0}, b[] = {2.0, -6.0, 2.0, 1.0};
  for (int i = 0; i < 4; ++i) {
    qp_add(&p.A, i, 0, factor[i]);
    qp_add(&p.A, i, 1, factor[i]);
    p.b[i] = b[i];
    p.equal[i] = i < 3;
  }
  qp_add(&p.H, 0, 0, 2.0);
  qp_add(&p.H, 1, 1, 2.0);
  assert_int_equal(solve(&p, "interior_point", z), NSDS_SOLVED);
  assert_true(fabs(z[0] - 1.0) <= 1e-9 && fabs(z[1] - 1.0) <= 1e-9);
  assert_true(fabs(z[2] - 3.0 * z[3] + z[4] + z[5] - 2.0) <= 1e-9);
  assert_true(z[5] == 0.0);
}

/* Columns that only one row meets are bounds of its multiplier; a fixed one is a constant. */
static void slack_empty_and_fixed_columns_leave(void **unused) {
  (void)unused;
  qp p = by_hand(4, 1); /* x_0 + s + x_2 = 5, s >= 0 at the price 2, x_2 = 1, min -3 x_0 + x_3 */
  double z[5] = {0.0};
  for (int j = 0; j < 3; ++j) qp_add(&p.A, 0, j, 1.0);
  p.b[0] = 5.0;
  p.equal[0] = true;
  p.c[0] = -3.0;
  p.c[1] = 2.0;
  p.c[3] = 1.0;
  p.lower[0] = p.lower[1] = 0.0;
  p.lower[2] = p.upper[2] = 1.0;
  p.lower[3] = -2.0;
  assert_int_equal(solve(&p, "interior_point", z), NSDS_SOLVED);
  static const double right[] = {4.0, 0.0, 1.0, -2.0, -3.0};
  for (int i = 0; i < 5; ++i) assert_true(fabs(z[i] - right[i]) <= 1e-9);
}

/* A row whose terms all vanish has no size to compare with: the answer must be exactly zero there. */
static void rows_that_vanish_get_exact_zeros(void **unused) {
  (void)unused;
  for (int k = 0; k < 2; ++k) {
    qp p = by_hand(4, 2);
    double z[6] = {0.0};
    static const double a[2][4] = {{1.0, -1.0, -2.0, 0.0}, {0.0, 1.0, 1.0, 1.0}};
    for (int j = 0; j < 4; ++j) {
      p.lower[j] = 0.0;
      p.c[j] = 1.0 + j % 3;
      for (int i = 0; i < 2; ++i)
        if (a[i][j] != 0.0) qp_add(&p.A, i, j, a[i][j]);
    }
    p.c[3] = 0.5;
    p.b[1] = 1.0;
    p.equal[0] = p.equal[1] = true;
    qp_add(&p.H, 1, 1, 1e-6);
    assert_int_equal(solve(&p, methods[k], z), NSDS_SOLVED);
    assert_true(z[0] == 0.0 && z[1] == 0.0 && z[2] == 0.0 && fabs(z[3] - 1.0) <= 1e-9);
  }
}

/* x_0 + x_1 >= 1 with x_0 + x_1 <= 0; then min -x_0 with x_0 - x_1 = 0, both >= 0. */
static void programmes_without_a_solution_have_proofs(void **unused) {
  (void)unused;
  double z[4] = {0.0};
  qp p = by_hand(2, 2);
  for (int k = 0; k < 4; ++k) qp_add(&p.A, k / 2, k % 2, k < 2 ? 1.0 : -1.0);
  p.b[0] = 1.0;
  qp_add(&p.H, 0, 0, 1.0);
  assert_int_equal(solve(&p, "interior_point", z), NSDS_NO_SOLUTION);
  p = by_hand(2, 1);
  qp_add(&p.A, 0, 0, 1.0);
  qp_add(&p.A, 0, 1, -1.0);
  p.equal[0] = true;
  p.c[0] = -1.0;
  p.lower[0] = p.lower[1] = 0.0;
  memset(z, 0, sizeof z);
  assert_int_equal(solve(&p, "interior_point", z), NSDS_NO_SOLUTION);
}

/* ---- no ray, and no failure of others, makes a solvable programme unsolvable ---- */

/* Solves a programme that has a solution. No method may find that it has none, nor stop at a wrong point. */
static nsds_outcome solve_feasible(const qp *p, const char *method, double tolerance, double *z) {
  qp_problem t;
  qp_problem_make(&t, p);
  nsds_context *context = nsds_context_create(NULL);
  nsds_solver *solver = nsds_solver_create(context, method);
  nsds_solver_info info;
  double *w = qp_numbers(t.problem.n);
  assert_status(nsds_solver_set(solver, "tolerance", tolerance), NSDS_OK);
  nsds_solve(solver, &t.problem, z, w, &info);
  if (info.outcome == NSDS_NO_SOLUTION || nsds_solver_proof(solver))
    fail_msg("%s: %s, path %s", method, nsds_outcome_text(info.outcome), info.path);
  free(w);
  nsds_solver_destroy(solver);
  nsds_context_destroy(context);
  qp_problem_free(&t);
  return info.outcome;
}

/* Many columns in pairs of opposite sign, few of them curved: Newton's method does not end, and pivots
 * meet rays. In every second programme rows and columns have units of their own. */
static void a_secondary_ray_of_a_semidefinite_programme_proves_nothing(void **unused) {
  (void)unused;
  static const char *const tried[] = {"auto", "interior_point", "lemke", "semismooth_newton"};
  static const int sizes[][2] = {{20, 60}, {20, 60}, {100, 300}, {100, 300}, {1300, 1400}};
  for (int seed = 1; seed <= 2 * count; ++seed)
    for (int k = 0; k < 4; ++k) {
      const int *size = sizes[seed % 5];
      if (k > 1 && size[0] > 100 && seed > 5) continue; /* slow */
      qp p;
      assert_true(qp_hard_draw(&p, "trusses", 100 + seed, size[0], size[1]));
      if (seed % 2) qp_rescale(&p, 8, 8);
      double *z = qp_numbers(p.n + p.m);
      nsds_outcome outcome = solve_feasible(&p, tried[k], 1e-8, z);
      if (k < 2) assert_int_equal(outcome, NSDS_SOLVED);
      if (k < 2) assert_true(qp_error(&p, z, z + p.n) <= 1e-7);
      free(z);
      qp_free(&p);
    }
}

/* min |x|^2 / 2 with x_0 = b_0 and x_0 + a_k x_k = b_k, multipliers of 1 / a_k^2: nearly a contradiction. */
static void nearly_parallel_equalities_are_no_contradiction(void **unused) {
  (void)unused;
  static const double tolerances[] = {1e-4, 1e-6, 1e-8, 1e-10, 1e-12};
  int solved = 0, all = 0;
  for (int seed = 1; seed <= 10 * count; ++seed)
    for (int t = 0; t < 5; ++t) {
      qp p = {.chance = 0x9e3779b97f4a7c15u * (uint64_t)seed};
      for (int i = 0; i < 16; ++i) qp_part(&p);
      int n = 2 + qp_index(&p, 4), power = 1 + qp_index(&p, 29);
      double a[8], z[16] = {0.0};
      qp_begin(&p, n, n);
      for (int k = 0; k < n; ++k) {
        a[k] = ldexp(qp_sign(&p), -power - qp_index(&p, 4));
        qp_add(&p.H, k, k, 1.0);
        qp_add(&p.A, k, 0, 1.0);
        if (k > 0) qp_add(&p.A, k, k, a[k]);
        p.b[k] = qp_index(&p, 9) - 4.0;
        p.equal[k] = true;
      }
      qp_pack(&p.A);
      qp_pack(&p.H);
      ++all;
      bool found = solve_feasible(&p, "auto", tolerances[t], z) == NSDS_SOLVED;
      solved += found;
      for (int k = 1; found && k < n; ++k)
        assert_true(fabs(z[k] * a[k] - (p.b[k] - p.b[0])) <= 100.0 * tolerances[t]);
      qp_free(&p);
    }
  print_message("             %d of %d nearly parallel systems solved\n", solved, all);
  assert_true(100 * solved >= 98 * all);
}

/* ---- files ---- */

/* Ranges of either sign, negative bounds, both halves of H from one, and an L row. */
static void qps_files_are_read(void **unused) {
  (void)unused;
  static const char text[] =
      "NAME          TRIAL\nROWS\n N  COST\n L  LIM1\n G  LIM2\n E  MYEQN\n"
      "COLUMNS\n    X1        COST         1.0   LIM1         1.0\n"
      "    X1        LIM2         1.0\n    X2        COST         2.0   LIM1         1.0\n"
      "    X2        MYEQN       -1.0\nRHS\n    RHS       LIM1         4.0   LIM2         1.0\n"
      "    RHS       MYEQN        7.0\nRANGES\n    RNG       LIM1         2.5   MYEQN       -3.0\n"
      "BOUNDS\n UP BND       X1           4.0\n LO BND       X2          -1.0\nQUADOBJ\n"
      "    X1        X1           8.0\n    X2        X1           2.0\nENDATA\n";
  static const double b[] = {-4.0, 1.0, 4.0, 1.5, -7.0};
  char path[] = "qps_file_XXXXXX";
  FILE *out = fopen(path, "w");
  assert_non_null(out);
  fputs(text, out);
  fclose(out);
  qp p;
  assert_true(qp_read(&p, path));
  remove(path);
  assert_int_equal(p.n, 2);
  assert_int_equal(p.m, 5);
  for (int i = 0; i < 5; ++i) assert_true(p.b[i] == b[i] && !p.equal[i]);
  assert_true(p.lower[0] == 0.0 && p.upper[0] == 4.0 && p.lower[1] == -1.0 && isinf(p.upper[1]));
  assert_true(p.c[0] == 1.0 && p.c[1] == 2.0 && p.H.count == 3 && p.A.count == 7);
  assert_true(p.A.entry[0].x == -1.0 && p.A.entry[1].x == 1.0 && p.A.entry[2].x == 1.0);
  qp_free(&p);
}

/* ---- drawn ---- */

typedef enum kind { FEASIBLE, INFEASIBLE, UNBOUNDED, kinds } kind;

typedef struct tally {
  int solved, proofs, wrong;
  double seconds;
} tally;

/* Solves one programme, and adds its verdict. */
static void judge(const char *family, int seed, kind what, const char *method, tally *sum) {
  qp p;
  qp_problem t;
  assert_true(qp_any_draw(&p, family, seed, least, most));
  if (what == INFEASIBLE) qp_make_infeasible(&p);
  if (what == UNBOUNDED) qp_make_unbounded(&p);
  qp_problem_make(&t, &p);
  nsds_context *context = nsds_context_create(NULL);
  nsds_solver *solver = nsds_solver_create(context, method);
  nsds_solver_info info;
  double *z = qp_numbers(t.problem.n), *w = qp_numbers(t.problem.n);
  assert_status(nsds_solver_set(solver, "tolerance", 1e-8), NSDS_OK);
  assert_status(nsds_solver_set(solver, "time_limit", 60.0), NSDS_OK);
  nsds_solve(solver, &t.problem, z, w, &info);
  bool solved = info.outcome == NSDS_SOLVED, proof = nsds_solver_proof(solver) != NULL;
  bool good = solved && qp_error(&p, z, z + p.n) <= 1e-7;
  sum->solved += good;
  sum->proofs += proof;
  bool wrong = what == FEASIBLE ? proof || (solved && !good) : solved;
  sum->wrong += wrong;
  if (wrong || (what == FEASIBLE && !good))
    print_message("             %s %d of kind %d by %s: %s, residual %.1e, error %.1e\n", family,
                  seed, what, method, nsds_outcome_text(info.outcome), info.residual,
                  qp_error(&p, z, z + p.n));
  free(z);
  free(w);
  nsds_solver_destroy(solver);
  nsds_context_destroy(context);
  qp_problem_free(&t);
  qp_free(&p);
}

/* No verdict is wrong, and `share` of 100 are solved, or proven to have no solution. */
static void check_families(kind what, int share) {
  for (size_t k = 0; k < sizeof methods / sizeof *methods; ++k) {
    tally sum = {0};
    for (int f = 0; f < qp_hard_families; ++f)
      for (int seed = 1; seed <= count; ++seed)
        judge(qp_hard_family[f], seed, what, methods[k], &sum);
    int all = count * qp_hard_families;
    print_message("             kind %d by %s: %d solved, %d proofs, %d wrong of %d\n", what,
                  methods[k], sum.solved, sum.proofs, sum.wrong, all);
    assert_int_equal(sum.wrong, 0);
    assert_true(100 * (what == FEASIBLE ? sum.solved : sum.proofs) >= share * all);
  }
}

static void all_programmes_are_solved(void **unused) {
  (void)unused;
  check_families(FEASIBLE, count > 3 ? 98 : 100);
}

static void known_programmes_are_solved(void **unused) {
  (void)unused;
  tally sum = {0};
  for (int f = 0; f < qp_known_families; ++f)
    for (int seed = 0; seed < 12; ++seed) judge(qp_known_family[f], seed, FEASIBLE, "auto", &sum);
  print_message("             %d solved, %d wrong of %d\n", sum.solved, sum.wrong,
                12 * qp_known_families);
  assert_int_equal(sum.wrong, 0);
  assert_int_equal(sum.solved, 12 * qp_known_families);
}

static void infeasible_programmes_are_never_solved(void **unused) {
  (void)unused;
  check_families(INFEASIBLE, 80);
}

static void unbounded_programmes_are_never_solved(void **unused) {
  (void)unused;
  check_families(UNBOUNDED, 75);
}

int main(int argc, char **argv) {
  if (argc > 1) count = atoi(argv[1]), least = 10, most = 3000;
  if (argc > 3) least = atoi(argv[2]), most = atoi(argv[3]);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(singleton_rows_bear_what_their_bounds_bear),
      cmocka_unit_test(duplicate_rows_are_one_row),
      cmocka_unit_test(slack_empty_and_fixed_columns_leave),
      cmocka_unit_test(rows_that_vanish_get_exact_zeros),
      cmocka_unit_test(programmes_without_a_solution_have_proofs),
      cmocka_unit_test(a_secondary_ray_of_a_semidefinite_programme_proves_nothing),
      cmocka_unit_test(nearly_parallel_equalities_are_no_contradiction),
      cmocka_unit_test(qps_files_are_read),
      cmocka_unit_test(all_programmes_are_solved),
      cmocka_unit_test(known_programmes_are_solved),
      cmocka_unit_test(infeasible_programmes_are_never_solved),
      cmocka_unit_test(unbounded_programmes_are_never_solved),
  };
  return cmocka_run_group_tests_name("numerics.hard_programmes", tests, NULL, NULL);
}
