/*
 * What must not matter: how the matrix is stored and in which units, for every solver of the table
 * and every kind of block it takes; and for "auto" also the order of the blocks and the size of q.
 */
#include "bodies.h"
#include "cmocka_setup.h"
#include "families.h"
#include "relations.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { all_kinds = -1, most_rows = 64 };

static const nsds_storage every_storage[4] = {NSDS_DENSE, NSDS_CSC, NSDS_BLOCK_ROWS, NSDS_FACTORED};

typedef struct answer {
  nsds_outcome outcome;
  int iterations;
  double residual;
  double z[most_rows];
} answer;

static const char *kind_name(int which) {
  return which < 0 ? "all kinds" : sample_block_name(which);
}

static double largest(const double *x, int n) {
  double most = 0.0;
  for (int i = 0; i < n; ++i) most = fmax(most, fabs(x[i]));
  return most;
}

static answer solve(const char *name, const nsds_problem *problem, double tolerance) {
  nsds_context *context = nsds_context_create(NULL);
  nsds_solver *solver = nsds_solver_create(context, name);
  answer a = {NSDS_REFUSED, 0, INFINITY, {0.0}};
  double w[most_rows];
  nsds_solver_info info;
  assert_true(problem->n <= most_rows);
  assert_status(nsds_problem_check(context, problem), NSDS_OK);
  assert_status(nsds_solver_set(solver, "tolerance", tolerance), NSDS_OK);
  nsds_solve(solver, problem, a.z, w, &info);
  assert_status(nsds_error(context), NSDS_OK);
  a.outcome = info.outcome;
  a.iterations = info.iterations;
  a.residual = info.residual;
  nsds_solver_destroy(solver);
  nsds_context_destroy(context);
  return a;
}

static bool takes(const nsds_solver_row *row, const nsds_problem *problem) {
  unsigned sets = 0;
  for (int a = 0; a < problem->nblock; ++a) sets |= (unsigned)problem->block[a].set;
  return !(sets & ~row->sets);
}

/* ---- storages ---- */

/* True when solved, false when refused, alike in every storage that the row accepts; nothing else
 * may happen. M is near a multiple of the identity, so that one solution attracts every method. */
static bool check_storages(const nsds_solver_row *row, const mixed *p, const char *what) {
  static const double tolerance = 1e-9;
  answer first = {0};
  bool have = false;
  for (int t = 0; t < 4; ++t) {
    if (!(row->storages & (unsigned)every_storage[t])) continue;
    converted c;
    converted_create(&c, &p->problem, every_storage[t]);
    answer a = solve(row->name, &c.problem, tolerance);
    converted_destroy(&c);
    if (!have) first = a;
    have = true;
    double size = largest(p->z, p->problem.n), error = 0.0;
    for (int i = 0; i < p->problem.n; ++i) error = fmax(error, fabs(a.z[i] - first.z[i]));
    if (a.outcome != first.outcome || !(error <= 1e-7 * size))
      fail_msg("%s, %s, storage %d: %s, residual %g, differs by %g from storage %d: %s, %g",
               row->name, what, (int)every_storage[t], nsds_outcome_text(a.outcome), a.residual,
               error / size, (int)every_storage[0], nsds_outcome_text(first.outcome),
               first.residual);
    if (a.outcome != NSDS_SOLVED && a.outcome != NSDS_REFUSED)
      fail_msg("%s, %s, storage %d: %s, residual %g", row->name, what, (int)every_storage[t],
               nsds_outcome_text(a.outcome), a.residual);
  }
  return first.outcome == NSDS_SOLVED;
}

static void test_storages(void **unused) {
  (void)unused;
  const nsds_solver_row *row;
  int solved[64] = {0};
  for (int which = all_kinds; which < kind_count; ++which)
    for (int round = 0; round < 3; ++round) {
      random_seed((unsigned)(100 * round + which + 1));
      mixed p;
      mixed_create(&p, which < 0 ? kind_count : 1 + round, which, -1, 0.5, 10.0);
      for (int r = 0; (row = nsds_solver_table(r)) && !row->global; ++r)
        if (takes(row, &p.problem)) solved[r] += check_storages(row, &p, kind_name(which));
      mixed_destroy(&p);
    }
  for (int r = 0; nsds_solver_table(r) && !nsds_solver_table(r)->global; ++r)
    assert_true(solved[r] >= 3);
}

/* ---- the same problem in other clothes ---- */

/* z = scale z', w' = scale w on row i, where scale is the same in a block; block a of the new
 * problem is block from[a] of the old one; q, bounds, radii and K are multiplied by `load`. */
typedef struct clothes {
  int from[most_rows];
  double scale[most_rows]; /* of the blocks of the old problem */
  double load;
} clothes;

typedef struct dressed {
  nsds_problem problem;
  nsds_block block[most_rows];
  double lower[most_rows], upper[most_rows], q[most_rows];
  double *M, *H, *K;
  int row[most_rows]; /* of the old problem */
  double scale[most_rows];
} dressed;

enum { most_facets = 12 };

static void dress_block(dressed *d, int a, int row, const nsds_block *old, const clothes *c,
                        double s) {
  nsds_block *block = &d->block[a];
  *block = *old;
  block->radius = old->radius * c->load / s;
  if (old->set == NSDS_SET_BOX) {
    for (int i = 0; i < old->size; ++i) {
      d->lower[row + i] = old->lower[i] * c->load / s;
      d->upper[row + i] = old->upper[i] * c->load / s;
    }
    block->lower = d->lower + row;
    block->upper = d->upper + row;
  }
  if (old->set == NSDS_SET_POLYHEDRON) {
    double *H = d->H + most_facets * most_block_rows * a, *K = d->K + most_facets * a;
    for (int k = 0; k < old->nfacet * old->size; ++k) H[k] = old->H[k] * s;
    for (int k = 0; k < old->nfacet; ++k) K[k] = old->K[k] * c->load;
    block->H = H;
    block->K = K;
  }
}

static void dressed_create(dressed *d, const nsds_problem *old, const clothes *c) {
  int n = old->n, nb = old->nblock, first[most_rows], row = 0;
  memset(d, 0, sizeof *d);
  d->M = calloc((size_t)(n * n), sizeof(double));
  d->H = calloc((size_t)(nb * most_facets * most_block_rows), sizeof(double));
  d->K = calloc((size_t)(nb * most_facets), sizeof(double));
  for (int a = 0, i = 0; a < nb; i += old->block[a++].size) first[a] = i;
  for (int a = 0; a < nb; ++a) {
    const nsds_block *block = &old->block[c->from[a]];
    dress_block(d, a, row, block, c, c->scale[c->from[a]]);
    for (int i = 0; i < block->size; ++i, ++row) {
      d->row[row] = first[c->from[a]] + i;
      d->scale[row] = c->scale[c->from[a]];
    }
  }
  for (int i = 0; i < n; ++i) {
    d->q[i] = d->scale[i] * c->load * old->q[d->row[i]];
    for (int j = 0; j < n; ++j)
      d->M[i + j * n] = d->scale[i] * old->M.x[d->row[i] + d->row[j] * n] * d->scale[j];
  }
  d->problem = *old;
  d->problem.block = d->block;
  d->problem.q = d->q;
  d->problem.M.x = d->M;
}

static void dressed_destroy(dressed *d) {
  free(d->M);
  free(d->H);
  free(d->K);
}

static clothes plain(int nb) {
  clothes c = {.load = 1.0};
  for (int a = 0; a < nb; ++a) {
    c.from[a] = a;
    c.scale[a] = 1.0;
  }
  return c;
}

static clothes permuted(int nb) {
  clothes c = plain(nb);
  for (int a = nb - 1; a > 0; --a) {
    int b = (int)(fabs(random_number()) * (a + 1)), kept = c.from[a];
    c.from[a] = c.from[b];
    c.from[b] = kept;
  }
  return c;
}

static clothes scaled(int nb) {
  clothes c = plain(nb);
  for (int a = 0; a < nb; ++a) c.scale[a] = pow(10.0, 3.0 * random_number());
  return c;
}

static clothes loaded(int nb) {
  clothes c = plain(nb);
  c.load = pow(10.0, 6.0 * random_number());
  return c;
}

static clothes all_at_once(int nb) {
  clothes c = permuted(nb), s = scaled(nb);
  memcpy(c.scale, s.scale, sizeof c.scale);
  c.load = 3.7e4;
  return c;
}

static const struct {
  const char *name;
  clothes (*choose)(int nb);
} changes[] = {
    {"permuted", permuted}, {"scaled", scaled}, {"loaded", loaded}, {"all", all_at_once}};

/* `agree`: the solutions are compared, too, as parts of the largest change of energy. */
static void check_changes(const mixed *p, const char *what, double tolerance, bool agree) {
  answer before = solve(NULL, &p->problem, tolerance);
  int n = p->problem.n, nb = p->problem.nblock;
  for (size_t k = 0; k < sizeof changes / sizeof *changes; ++k) {
    clothes c = changes[k].choose(nb);
    dressed d;
    dressed_create(&d, &p->problem, &c);
    answer a = solve(NULL, &d.problem, tolerance);
    double error = 0.0, size = largest(p->z, n);
    for (int i = 0; i < n; ++i)
      error = fmax(error, fabs(a.z[i] * d.scale[i] / c.load - before.z[d.row[i]]));
    if (a.outcome != before.outcome || (agree && !(error <= 1e-6 * size)))
      fail_msg("%s, %s: %s, residual %g; before: %s, %g; apart by %g", what, changes[k].name,
               nsds_outcome_text(a.outcome), a.residual, nsds_outcome_text(before.outcome),
               before.residual, error / size);
    dressed_destroy(&d);
  }
}

static void test_auto_well_conditioned(void **unused) {
  (void)unused;
  for (int which = all_kinds; which < kind_count; ++which)
    for (int round = 0; round < 8; ++round) {
      random_seed((unsigned)(1000 + 100 * round + which));
      mixed p;
      mixed_create(&p, which < 0 ? kind_count : 1 + 2 * (round % 4), which, -1, 0.5, 5.0);
      check_changes(&p, kind_name(which), 1e-10, true);
      mixed_destroy(&p);
    }
}

/* As many reactions as they have: only whether one is found is the same. */
static void test_auto_singular(void **unused) {
  (void)unused;
  for (int which = all_kinds; which < kind_count; ++which)
    for (int round = 0; round < 4; ++round) {
      random_seed((unsigned)(5000 + 100 * round + which));
      mixed p;
      int nb = which < 0 ? kind_count : 4;
      mixed_create(&p, nb, which, nb, 0.0, 0.0);
      check_changes(&p, kind_name(which), 1e-8, false);
      mixed_destroy(&p);
    }
}

/* Scales of which every method finds the square roots without rounding. */
static clothes powers_of_four(int nb) {
  clothes c = plain(nb);
  for (int a = 0; a < nb; ++a) c.scale[a] = ldexp(1.0, 2 * (int)(10.0 * random_number()));
  c.load = ldexp(1.0, 2 * (int)(10.0 * random_number()));
  return c;
}

/* Where pivots go depends on the column of the artificial variable. */
static bool pivots(const nsds_solver_row *row) { return strcmp(row->name, "lemke") == 0; }

/* Every method takes the same iterations, as its numbers are the same but for a factor. */
static void check_units(const nsds_solver_row *row, const mixed *p, const dressed *d, double load,
                        const char *what) {
  answer before = solve(row->name, &p->problem, 1e-10), a = solve(row->name, &d->problem, 1e-10);
  double error = 0.0, size = largest(p->z, p->problem.n);
  for (int i = 0; i < p->problem.n; ++i)
    error = fmax(error, fabs(a.z[i] * d->scale[i] / load - before.z[i]));
  if (a.outcome != before.outcome || (!pivots(row) && a.iterations != before.iterations) ||
      !(error <= 1e-7 * size))
    fail_msg("%s, %s: %s after %d; before: %s after %d; apart by %g", row->name, what,
             nsds_outcome_text(a.outcome), a.iterations, nsds_outcome_text(before.outcome),
             before.iterations, error / size);
}

static void test_units_of_every_method(void **unused) {
  (void)unused;
  const nsds_solver_row *row;
  for (int which = all_kinds; which < kind_count; ++which)
    for (int round = 0; round < 3; ++round) {
      random_seed((unsigned)(9000 + 100 * round + which));
      mixed p;
      mixed_create(&p, which < 0 ? kind_count : 1 + round, which, -1, 0.5, 1.0);
      clothes c = powers_of_four(p.problem.nblock);
      dressed d;
      dressed_create(&d, &p.problem, &c);
      for (int r = 0; (row = nsds_solver_table(r)) && !row->global; ++r)
        if (takes(row, &p.problem)) check_units(row, &p, &d, c.load, kind_name(which));
      dressed_destroy(&d);
      mixed_destroy(&p);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_storages),
      cmocka_unit_test(test_auto_well_conditioned),
      cmocka_unit_test(test_auto_singular),
      cmocka_unit_test(test_units_of_every_method),
  };
  return cmocka_run_group_tests_name("numerics.invariance", tests, NULL, NULL);
}
