/*
 * Small problems of every family of bench/hard_piles.h by the method made for them: M in factors,
 * where steps are found in velocities, and M formed. Every other method leaves some of them.
 */
#include "cmocka_setup.h"
#include "hard_piles.h"

enum { seeds = 6, first_seed = 20 };

/* Beyond, rounding of the gain of a light body in M is all that is left of a heavy one's. */
static const double formed_ratio = 1e8;

/* M formed, in compressed columns. */
static nsds_problem formed(const nsds_problem *problem) {
  nsds_problem result = *problem;
  int n = problem->n, *work = calloc(nsds_problem_csc_work(problem) + 1, sizeof *work);
  int *p = calloc((size_t)n + 1, sizeof *p);
  assert_non_null(work);
  assert_non_null(p);
  nsds_problem_to_csc(problem, p, NULL, NULL, work);
  int *i = calloc((size_t)p[n] + 1, sizeof *i);
  double *x = calloc((size_t)p[n] + 1, sizeof *x);
  assert_non_null(i);
  assert_non_null(x);
  nsds_problem_to_csc(problem, p, i, x, work);
  free(work);
  result.M = (nsds_matrix){.storage = NSDS_CSC, .n = n, .p = p, .i = i, .x = x, .symmetric = true};
  return result;
}

static int solved, lost; /* lost: by the terms alone a solution */

/* Beside the terms of its rows each answer is good to the tolerance. The scale of the data is smaller
 * by mass ratios of up to 1e12, and refuses some. */
static void solve_with(nsds_solver *solver, const char *what, const nsds_problem *problem) {
  double *z = calloc(2 * (size_t)problem->n + 1, sizeof *z);
  nsds_solver_info info;
  assert_non_null(z);
  assert_int_equal(nsds_solver_set(solver, "tolerance", 1e-8), NSDS_OK);
  nsds_status status = nsds_solve(solver, problem, z, z + problem->n, &info);
  if (status && !(info.residual <= 1e-8))
    fail_msg("%s, %d contacts, %s: %s, residual %g after %d", what, problem->nblock, info.solver,
             nsds_outcome_text(info.outcome), info.residual, info.iterations);
  if (status)
    printf("             %s, %d contacts, %s: residual %g, violation %g, reactions of %g loads\n",
           what, problem->nblock, info.solver, info.residual, info.violation, info.reaction);
  ++solved;
  lost += status != NSDS_OK;
  free(z);
  nsds_solver_destroy(solver);
}

/* By auto, with so many iterations of each method; 0: as many as it thinks fit. */
static void solve_within(double iterations, const char *what, const nsds_problem *problem) {
  nsds_context *context = nsds_context_create(NULL);
  nsds_solver *solver = nsds_solver_create(context, NULL);
  assert_int_equal(nsds_solver_set(solver, "max_iterations", iterations), NSDS_OK);
  solve_with(solver, what, problem);
  nsds_context_destroy(context);
}

static void solve(const char *what, const nsds_problem *problem) {
  solve_within(0.0, what, problem);
}

/* By Newton's method for hyperstatic friction alone, from the central path or not. */
static void solve_alone(double path, const char *what, const nsds_problem *problem) {
  nsds_context *context = nsds_context_create(NULL);
  nsds_solver *solver = nsds_solver_create(context, "nonsmooth_newton");
  assert_int_equal(nsds_solver_set(solver, "hyperstatic", 1.0), NSDS_OK);
  assert_int_equal(nsds_solver_set(solver, "path", path), NSDS_OK);
  solve_with(solver, what, problem);
  nsds_context_destroy(context);
}

static void every_family(void **state) {
  (void)state;
  for (int f = 0; f < hard_families; ++f)
    for (unsigned seed = first_seed; seed < first_seed + seeds; ++seed) {
      hard_pile pile;
      char what[64];
      snprintf(what, sizeof what, "%s-%u", hard_family_name[f], seed);
      if (!hard_pile_make(&pile, (hard_family)f, f == HARD_DEPENDENT ? 45 : 60, seed))
        fail_msg("%s could not be made", what);
      assert_true(pile.problem.nblock > 0);
      nsds_problem columns = formed(&pile.problem);
      solve(what, &pile.problem);
      /* In heaps and stacks it may end in a circle, and auto goes on. */
      bool alone = f != HARD_HEAP && f != HARD_STACK;
      if (alone) solve_alone(1.0, what, &pile.problem);
      if (alone && pile.mass_ratio < formed_ratio) solve_alone(1.0, what, &columns);
      free((void *)columns.M.p);
      free((void *)columns.M.i);
      free((void *)columns.M.x);
      hard_pile_free(&pile);
    }
}

/* Larger walls: velocities in a sparse matrix. */
static void larger_walls(void **state) {
  (void)state;
  for (unsigned seed = 1; seed <= 3; ++seed) {
    hard_pile pile;
    assert_true(hard_pile_make(&pile, HARD_WALL, 250, seed));
    assert_true(pile.problem.nblock > 100);
    solve_alone(0.0, "wall", &pile.problem);
    solve_alone(1.0, "wall", &pile.problem);
    hard_pile_free(&pile);
  }
}

/* Light spheres between heavy ones: no weight that serves leads on, but the curve of solutions
 * does. */
static void solutions_followed(void **state) {
  static const unsigned seeds_left[] = {21, 22, 37};
  (void)state;
  for (size_t k = 0; k < sizeof seeds_left / sizeof *seeds_left; ++k) {
    hard_pile pile;
    assert_true(hard_pile_make(&pile, HARD_SPHERES, 130, seeds_left[k]));
    assert_true(pile.problem.nblock > 80);
    solve_alone(0.0, "spheres", &pile.problem);
    solve("spheres", &pile.problem);
    hard_pile_free(&pile);
  }
}

/* Where the central path leads, the iteration goes on though sweeps have found a smaller residual:
 * from there it takes thousands of steps. */
static void start_forgotten(void **state) {
  (void)state;
  hard_pile pile;
  assert_true(hard_pile_make(&pile, HARD_DEPENDENT, hard_contacts(HARD_DEPENDENT, 32), 32));
  solve_within(600.0, "dependent-32", &pile.problem);
  hard_pile_free(&pile);
}

/* A few contacts that go round between their states made all others creep, for thousands of steps.
 */
static void few_contacts_held(void **state) {
  (void)state;
  hard_pile pile;
  assert_true(hard_pile_make(&pile, HARD_WALL, hard_contacts(HARD_WALL, 40), 48));
  solve_within(1000.0, "wall-48", &pile.problem);
  hard_pile_free(&pile);
}

/* The same numbers for the same seed, others for another. */
static void seeded(void **state) {
  (void)state;
  hard_pile a, b, c;
  assert_true(hard_pile_make(&a, HARD_DEPENDENT, 50, 1));
  assert_true(hard_pile_make(&b, HARD_DEPENDENT, 50, 1));
  assert_true(hard_pile_make(&c, HARD_DEPENDENT, 50, 2));
  assert_memory_equal(a.problem.q, b.problem.q, (size_t)a.problem.n * sizeof(double));
  assert_memory_not_equal(a.problem.q, c.problem.q, (size_t)a.problem.n * sizeof(double));
  hard_pile_free(&a);
  hard_pile_free(&b);
  hard_pile_free(&c);
}

static void few_are_lost(void **state) {
  (void)state;
  printf("             %d of %d are solved by their terms and not by the scale of the data\n", lost,
         solved);
  assert_true(10 * lost <= solved);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_family),       cmocka_unit_test(larger_walls),
      cmocka_unit_test(solutions_followed), cmocka_unit_test(start_forgotten),
      cmocka_unit_test(few_contacts_held),  cmocka_unit_test(seeded),
      cmocka_unit_test(few_are_lost)};
  return cmocka_run_group_tests_name("numerics.hard_piles", tests, NULL, NULL);
}
