/*
 * Membranes over obstacles and between them, by the method multigrid: certified, and equal to the
 * answer of another method; in any units; in a number of steps that does not grow with the mesh; on
 * from a start that is near. What is not symmetric with a positive diagonal is refused, and what is
 * not definite ends.
 */
#include "cmocka_setup.h"
#include "families.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* edge x edge nodes of the 5-point Laplacian, the couplings along rows `thin` times those across. */
typedef struct membrane {
  int n;
  int *p, *i;
  double *x, *q, *lower, *upper, *z, *w;
  nsds_block block[3];
  nsds_problem problem;
} membrane;

static double *numbers(int count) { return calloc((size_t)count, sizeof(double)); }

static void membrane_create(membrane *m, int edge, double thin) {
  int n = edge * edge, count = 0;
  *m = (membrane){.n = n, .p = calloc((size_t)n + 1, sizeof(int)), .x = numbers(5 * n)};
  m->i = calloc(5 * (size_t)n, sizeof(int));
  m->q = numbers(n), m->lower = numbers(n), m->upper = numbers(n), m->z = numbers(n);
  m->w = numbers(n);
  for (int j = 0; j < n; ++j) {
    const int step[5] = {-edge, -1, 0, 1, edge};
    const double entry[5] = {-1.0, -thin, 2.0 + 2.0 * thin, -thin, -1.0};
    double h = 4.0 / (edge + 1), x = h * (j % edge + 1) - 2.0, y = h * (double)(j / edge + 1) - 2.0;
    for (int k = 0; k < 5; ++k) {
      int i = j + step[k];
      if (i < 0 || i >= n || ((k == 1 || k == 3) && i / edge != j / edge)) continue;
      m->i[count] = i;
      m->x[count++] = entry[k];
    }
    m->p[j + 1] = count;
    m->lower[j] = 1.0 - 0.5 * (x * x + y * y);
    m->upper[j] = INFINITY;
  }
  m->block[0] = (nsds_block){.set = NSDS_SET_BOX, .size = n, .lower = m->lower, .upper = m->upper};
  m->problem = (nsds_problem){
      .n = n,
      .nblock = 1,
      .block = m->block,
      .M = {.storage = NSDS_CSC, .n = n, .p = m->p, .i = m->i, .x = m->x, .symmetric = true},
      .q = m->q};
}

static void membrane_destroy(membrane *m) {
  free(m->p), free(m->i), free(m->x), free(m->q);
  free(m->lower), free(m->upper), free(m->z), free(m->w);
}

/* From z. */
static nsds_solver_info solve(membrane *m, const char *name, double tolerance, double *z) {
  nsds_context *context = nsds_context_create(NULL);
  nsds_solver *solver = nsds_solver_create(context, name);
  nsds_solver_info info;
  assert_status(nsds_solver_set(solver, "tolerance", tolerance), NSDS_OK);
  nsds_status status = nsds_solve(solver, &m->problem, z, m->w, &info);
  assert_status(status, info.outcome == NSDS_SOLVED ? NSDS_OK : NSDS_ERROR_SOLVER);
  nsds_solver_destroy(solver);
  nsds_context_destroy(context);
  return info;
}

/* By multigrid, certified here, and by Newton's method on its factors. */
static void agrees(membrane *m) {
  nsds_certificate found;
  double *other = numbers(m->n), *work = numbers((int)nsds_problem_work(&m->problem) + 1);
  nsds_solver_info info = solve(m, "multigrid", 1e-12, m->z);
  assert_int_equal(info.outcome, NSDS_SOLVED);
  nsds_certify(&m->problem, m->z, work, &found);
  assert_true(found.residual <= 1e-12);
  assert_int_equal(solve(m, "semismooth_newton", 1e-12, other).outcome, NSDS_SOLVED);
  double most = 0.0;
  for (int i = 0; i < m->n; ++i) most = fmax(most, fabs(other[i]));
  for (int i = 0; i < m->n; ++i) assert_true(fabs(m->z[i] - other[i]) <= 1e-9 * most);
  free(other);
  free(work);
}

static void over_an_obstacle(void **unused) {
  (void)unused;
  for (int edge = 5; edge <= 65; edge = 2 * edge - 1)
    for (double thin = 1.0; thin > 1e-5; thin *= 1e-2) {
      membrane m;
      membrane_create(&m, edge, thin);
      agrees(&m);
      membrane_destroy(&m);
    }
}

/* Loads both ways, bounds on both sides or none, rows without bounds and rows that are held. */
static void between_bounds(void **unused) {
  (void)unused;
  for (int round = 0; round < 12; ++round) {
    membrane m;
    membrane_create(&m, 33, round % 3 ? 1.0 : 1e-3);
    for (int i = 0; i < m.n; ++i) {
      m.q[i] = random_number();
      m.lower[i] = round % 2 ? -0.2 - 0.1 * random_number() : -0.3;
      m.upper[i] = i % 7 == round ? m.lower[i] : i % 5 == round ? INFINITY : 0.4;
      if (i % 11 == round) m.lower[i] = -INFINITY;
    }
    if (round >= 8) {
      int third = m.n / 3;
      m.block[2] = m.block[0];
      m.block[0] = (nsds_block){.set = NSDS_SET_EQUALITY, .size = third};
      m.block[1] = (nsds_block){.set = NSDS_SET_NONNEGATIVE, .size = third};
      m.block[2].size = m.n - 2 * third;
      m.problem.nblock = 3;
    }
    agrees(&m);
    membrane_destroy(&m);
  }
}

/* In other units of the rows the steps are the same, and the answer is that in these units. */
static void in_any_units(void **unused) {
  (void)unused;
  membrane m, other;
  membrane_create(&m, 65, 1.0);
  membrane_create(&other, 65, 1.0);
  double *unit = numbers(m.n);
  for (int i = 0; i < m.n; ++i) unit[i] = ldexp(1.0, (int)(20.0 * random_number()));
  for (int j = 0; j < m.n; ++j) {
    for (int k = m.p[j]; k < m.p[j + 1]; ++k) other.x[k] *= unit[j] * unit[m.i[k]];
    other.lower[j] /= unit[j];
  }
  nsds_solver_info first = solve(&m, "multigrid", 1e-12, m.z);
  nsds_solver_info second = solve(&other, "multigrid", 1e-12, other.z);
  assert_int_equal(first.outcome, NSDS_SOLVED);
  assert_int_equal(second.outcome, NSDS_SOLVED);
  assert_int_equal(second.iterations, first.iterations);
  for (int i = 0; i < m.n; ++i) assert_true(fabs(m.z[i] - unit[i] * other.z[i]) <= 1e-10);
  free(unit);
  membrane_destroy(&m);
  membrane_destroy(&other);
}

/* `auto` takes it where there are many rows, and no more steps on a finer mesh. */
static void on_finer_meshes(void **unused) {
  (void)unused;
  for (int edge = 80; edge <= 160; edge *= 2) {
    membrane m;
    membrane_create(&m, edge, 1.0);
    nsds_solver_info info = solve(&m, "auto", 1e-10, m.z);
    assert_int_equal(info.outcome, NSDS_SOLVED);
    assert_string_equal(info.solver, "multigrid");
    assert_in_range(info.iterations, 1, 8);
    /* Reactions of 4e6 loads: rounding of z alone leaves 1e-8 loads, and only problems of up to 256
     * rows are refined in twice the precision. So the residual solves, and the violation does not. */
    for (int i = 0; i < m.n; ++i) m.q[i] = 1e-6;
    info = solve(&m, "multigrid", 1e-10, m.z);
    assert_true(info.residual <= 1e-10 && info.violation <= 1e-6);
    assert_in_range(info.iterations, 1, 8);
    membrane_destroy(&m);
  }
}

/* Six steps where the coarse problems are not solved to the end. */
static void few_steps_on_a_fine_mesh(void **unused) {
  (void)unused;
  membrane m;
  membrane_create(&m, 320, 1.0);
  nsds_solver_info info = solve(&m, "multigrid", 1e-10, m.z);
  assert_int_equal(info.outcome, NSDS_SOLVED);
  assert_in_range(info.iterations, 1, 4);
  membrane_destroy(&m);
}

/* A step down the gradient nears the solution: 0.14; a step up it would leave 0.33. */
static void the_first_step_of_gradients_goes_down(void **unused) {
  (void)unused;
  membrane m;
  membrane_create(&m, 20, 1.0);
  for (int i = 0; i < m.n; ++i) m.z[i] = 1.0;
  nsds_context *context = nsds_context_create(NULL);
  nsds_solver *solver = nsds_solver_create(context, "projected_gradient");
  nsds_solver_info info;
  assert_status(nsds_solver_set(solver, "max_iterations", 1.0), NSDS_OK);
  assert_status(nsds_solve(solver, &m.problem, m.z, m.w, &info), NSDS_ERROR_SOLVER);
  assert_int_equal(info.iterations, 1);
  assert_true(info.residual < 0.2);
  nsds_solver_destroy(solver);
  nsds_context_destroy(context);
  membrane_destroy(&m);
}

static void what_it_does_not_take(void **unused) {
  (void)unused;
  membrane m;
  membrane_create(&m, 20, 1.0);
  m.problem.M.symmetric = false;
  assert_int_equal(solve(&m, "multigrid", 1e-10, m.z).outcome, NSDS_SOLVED);
  m.x[1] = -0.5;
  assert_int_equal(solve(&m, "multigrid", 1e-10, m.z).outcome, NSDS_REFUSED);
  m.x[1] = -1.0;
  m.x[m.p[7]] *= 4.0; /* of another column */
  assert_int_equal(solve(&m, "multigrid", 1e-10, m.z).outcome, NSDS_REFUSED);
  m.problem.M.symmetric = true;
  for (int j = 0; j < m.n; ++j)
    for (int k = m.p[j]; k < m.p[j + 1]; ++k) m.x[k] = m.i[k] == j ? 1.0 : -1.0;
  memset(m.z, 0, (size_t)m.n * sizeof *m.z);
  assert_int_equal(solve(&m, "multigrid", 1e-10, m.z).outcome, NSDS_NOT_CONVERGED);
  for (int i = 0; i < m.n; ++i) assert_true(isfinite(m.z[i]));
  for (int k = m.p[3]; k < m.p[4]; ++k) m.x[k] = m.i[k] == 3 ? -1.0 : m.x[k];
  assert_int_equal(solve(&m, "multigrid", 1e-10, m.z).outcome, NSDS_REFUSED);
  membrane_destroy(&m);
}

/* Rows that meet many others at random: coarser matrices would fill up, and gradients come first. */
static void not_of_full_matrices(void **unused) {
  (void)unused;
  enum { n = 5200, partners = 12 };
  membrane m = {.n = n, .q = numbers(n), .z = numbers(n), .w = numbers(n)};
  int *count = calloc(n, sizeof *count);
  m.p = calloc(n + 1, sizeof *m.p);
  m.i = calloc((2 * partners + 1) * n, sizeof *m.i);
  m.x = numbers((2 * partners + 1) * n);
  for (int j = 0; j < n; ++j) { /* the partners of j stand at distances of their own */
    m.p[j] = (2 * partners + 1) * j;
    for (int k = -partners; k <= partners; ++k) {
      int away = k < 0 ? -k * k * k : k * k * k, i = (j + (k < 0 ? n - away : away)) % n;
      int at = m.p[j] + count[j]++;
      for (; at > m.p[j] && m.i[at - 1] > i; --at) m.i[at] = m.i[at - 1], m.x[at] = m.x[at - 1];
      m.i[at] = i;
      m.x[at] = k == 0 ? 30.0 : -1.0;
    }
    m.q[j] = sin(1.0 + j);
  }
  m.p[n] = (2 * partners + 1) * n;
  m.block[0] = (nsds_block){.set = NSDS_SET_NONNEGATIVE, .size = n};
  m.problem = (nsds_problem){
      .n = n,
      .nblock = 1,
      .block = m.block,
      .M = {.storage = NSDS_CSC, .n = n, .p = m.p, .i = m.i, .x = m.x, .symmetric = true},
      .q = m.q};
  nsds_solver_info info = solve(&m, NULL, 1e-8, m.z);
  assert_int_equal(info.outcome, NSDS_SOLVED);
  assert_string_equal(info.solver, "projected_gradient");
  free(count);
  membrane_destroy(&m);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(over_an_obstacle),
                                     cmocka_unit_test(between_bounds),
                                     cmocka_unit_test(in_any_units),
                                     cmocka_unit_test(on_finer_meshes),
                                     cmocka_unit_test(few_steps_on_a_fine_mesh),
                                     cmocka_unit_test(the_first_step_of_gradients_goes_down),
                                     cmocka_unit_test(what_it_does_not_take),
                                     cmocka_unit_test(not_of_full_matrices)};
  return cmocka_run_group_tests_name("numerics.multigrid", tests, NULL, NULL);
}
