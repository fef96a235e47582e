/*
 * Problems without a solution, drawn from four families. Contacts close on bodies in three of them:
 * H^T y = 0 for positive normal forces y, and q.y < 0. No velocity makes all of them part, so there is
 * no solution, whatever the friction, and y is a proof. With q.y > 0 the same bodies have a solution.
 * In the fourth, friction alone is in the way, and no proof of this kind exists. None may be called
 * solved at any tolerance in use.
 *
 *   numerics_jams [COUNT]     so many without a solution instead of a few
 */
#include "cmocka_setup.h"
#include "families.h"

#include "numerics/feasible.h"

#include <nsds/solver.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __SANITIZE_ADDRESS__
static int count = 40;
enum { neighbours = 40 };
#else
static int count = 120;
enum { neighbours = 120 };
#endif

enum { most_contacts = 16, most_rows = 5 * most_contacts, most_columns = 12 };

typedef struct jam {
  nsds_block block[most_contacts];
  double H[most_rows][most_columns], W[most_columns]; /* W: of inverse masses */
  double M[most_rows * most_rows], q[most_rows];
  double facets[most_contacts][4 * 3], ends[most_contacts][4]; /* of pyramids in place of cones */
  int columns;
  nsds_problem problem;
} jam;

static int draw(int n) {
  int k = (int)(0.5 * (random_number() + 1.0) * n);
  return k < n ? k : n - 1;
}

typedef enum { CONES, ROLLING, PYRAMIDS } kinds;

/* |z_k| <= mu z_N + a cohesion, some of them. */
static void make_pyramid(jam *j, nsds_block *block) {
  double *H = j->facets[block - j->block], *K = j->ends[block - j->block];
  block->set = NSDS_SET_POLYHEDRON;
  block->nfacet = 2 * (block->size - 1);
  block->H = H;
  block->K = K;
  for (int f = 0; f < block->nfacet; ++f) {
    H[f] = block->mu;
    H[f + (1 + f / 2) * block->nfacet] = f % 2 ? 1.0 : -1.0;
    K[f] = draw(2) ? 0.0 : -uniform(0.0, 0.5);
  }
}

/* A contact of the bodies with columns from `first` to `end`; its first row. */
static int add_contact(jam *j, int size, kinds laws, int first, int end) {
  int row = j->problem.n;
  nsds_set_kind set = laws == ROLLING ? NSDS_SET_ROLLING
                      : size == 1     ? NSDS_SET_NONNEGATIVE
                                      : NSDS_SET_COULOMB;
  nsds_block *block = &j->block[j->problem.nblock++];
  *block = (nsds_block){.set = set,
                        .size = size,
                        .mu = uniform(0.05, 1.2),
                        .mu_rolling = laws == ROLLING ? uniform(0.01, 0.3) : 0.0};
  if (laws == PYRAMIDS) make_pyramid(j, block);
  for (int i = row; i < row + size; ++i) {
    for (int c = first; c < end; ++c) j->H[i][c] = random_number();
    j->q[i] = random_number();
  }
  j->problem.n += size;
  return row;
}

/* Normals that a positive sum takes to zero, exactly in every second group, and q.y = `closing`. */
static void add_group(jam *j, int size, kinds laws, double closing) {
  int columns = 1 + draw(4), contacts = 2 + draw(3), row = 0, first = j->columns;
  double weight = 0.0, sum = 0.0, y[most_contacts];
  bool exact = draw(2) == 0;
  for (int k = 0; k < contacts; ++k) {
    row = add_contact(j, size, laws, first, first + columns);
    y[k] = exact ? 1.0 : uniform(0.2, 2.0);
    if (exact)
      for (int c = first; c < first + columns; ++c)
        j->H[row][c] = ldexp(rint(ldexp(j->H[row][c], 12)), -12);
    sum += y[k] * j->q[row];
    weight += y[k];
  }
  for (int c = first; c < first + columns; ++c) {
    j->H[row][c] = 0.0;
    for (int k = 0; k < contacts - 1; ++k)
      j->H[row][c] -= y[k] / y[contacts - 1] * j->H[row - size * (contacts - 1 - k)][c];
    j->W[c] = exact ? 1.0 : uniform(0.3, 3.0);
  }
  for (int k = 0; k < contacts; ++k) j->q[row - size * k] += (closing - sum) / weight;
  j->columns += columns;
}

/* Normals at random, with tangents that have nothing to do with them. */
static void draw_normals(jam *j, double closing) {
  kinds laws = (kinds)draw(3);
  int size = laws == ROLLING ? (draw(2) ? 5 : 3) : laws == CONES ? 1 + draw(3) : 2 + draw(2);
  add_group(j, size, laws, closing);
  if (draw(3) == 0) add_group(j, size, laws, 1.0);
  for (int k = draw(4); k > 0; --k) { /* contacts beside them, of one body or a free one */
    int row = add_contact(j, size, laws, 0, j->columns);
    if (draw(2)) j->q[row] = 3.0;
  }
}

/* A row of discs or spheres between two walls that approach each other; some lie on a floor. Columns
 * of a body: along the row, across it, the turn; in space across the row and the turn twice. */
static void draw_squeezed(jam *j, double closing) {
  kinds laws = draw(2) ? CONES : PYRAMIDS;
  int bodies = 1 + draw(3), across = laws == CONES ? draw(3) : 1 + draw(2), size = 1 + across;
  int own = 1 + 2 * across, row, free_rows;
  double speed[most_columns];
  if (bodies * own > most_columns) bodies = most_columns / own;
  j->columns = bodies * own;
  for (int c = 0; c < j->columns; ++c) {
    double mass = c % own ? j->W[c - c % own] : 1.0 / uniform(0.1, 10.0);
    j->W[c] = c % own <= across ? mass : 2.5 * mass;
    speed[c] = random_number();
  }
  for (int k = 0; k <= bodies; ++k) { /* between body k - 1 and body k */
    row = add_contact(j, size, laws, 0, 0);
    for (int side = 0; side < 2; ++side) {
      int first = (k - side) * own;
      if (k - side < 0 || k - side >= bodies) continue;
      j->H[row][first] = side ? -1.0 : 1.0;
      for (int t = 1; t <= across; ++t) {
        j->H[row + t][first + t] = side ? -1.0 : 1.0;
        j->H[row + t][first + across + t] = 1.0;
      }
    }
    for (int i = 0; i < size; ++i) j->q[row + i] = 0.0;
    if (k == 0) j->q[row] = closing;
  }
  free_rows = j->problem.n;
  for (int k = 0; k < bodies && across > 0; ++k) {
    if (draw(2)) continue;
    row = add_contact(j, size, laws, 0, 0);
    j->H[row][k * own + 1] = 1.0;
    j->H[row + 1][k * own] = 1.0;
    for (int i = 0; i < size; ++i) j->q[row + i] = 0.0;
  }
  for (int i = 0; i < j->problem.n; ++i)
    for (int c = 0; c < j->columns; ++c) j->q[i] += j->H[i][c] * speed[c];
  for (int i = free_rows; i < j->problem.n; i += size) j->q[i] -= uniform(0.0, 1.0); /* weight */
}

/* A body in the plane between three walls whose normals, from one point, have a positive sum 0. */
static void draw_three_walls(jam *j, double closing) {
  kinds laws = draw(2) ? CONES : PYRAMIDS;
  double angle = uniform(0.0, 6.0), opening[2] = {uniform(1.7, 2.8), uniform(1.7, 2.8)};
  double turn[3] = {angle, angle + opening[0], angle - opening[1]}, speed[3],
         arm = uniform(0.1, 2.0);
  j->columns = 3;
  j->W[0] = j->W[1] = 1.0 / uniform(0.1, 10.0);
  j->W[2] = j->W[0] * uniform(0.5, 5.0);
  for (int c = 0; c < 3; ++c) speed[c] = random_number();
  for (int k = 0; k < 3; ++k) {
    int row = add_contact(j, 2, laws, 0, 0);
    double c = cos(turn[k]), s = sin(turn[k]);
    double H[2][3] = {{c, s, 0.0}, {-s, c, arm}};
    /* y is sin of the angle between the two others */
    double weight = fabs(sin(turn[(k + 1) % 3] - turn[(k + 2) % 3]));
    for (int i = 0; i < 2; ++i) {
      memcpy(j->H[row + i], H[i], sizeof H[i]);
      j->q[row + i] = i == 0 && k == 0 ? closing / weight : 0.0;
      for (int a = 0; a < 3; ++a) j->q[row + i] += H[i][a] * speed[a];
    }
  }
}

/* A point between two walls with normals (c, s) and (-c, s) that approach each other, each by `a`. It
 * can part from them upwards alone, at a c / s, which it does not have by itself. A wall that it slides
 * along pulls it down, where mu > s / c. A solution is missed by a fifth of a c / s at least. */
static void draw_self_locking(jam *j, double closing) {
  double s = uniform(0.1, 0.9), c = sqrt(1.0 - s * s), a = fabs(closing);
  double speed[2] = {random_number(), a * c / s * uniform(-1.0, 0.8)};
  j->columns = 2;
  j->W[0] = j->W[1] = 1.0;
  for (int k = 0; k < 2; ++k) {
    double side = k ? -1.0 : 1.0, H[2][2] = {{side * c, s}, {side * s, -c}};
    int row = add_contact(j, 2, CONES, 0, 0);
    j->block[k].mu = s / c * uniform(1.05, 2.0);
    for (int i = 0; i < 2; ++i) {
      memcpy(j->H[row + i], H[i], sizeof H[i]);
      j->q[row + i] = H[i][0] * (speed[0] - side * a) + H[i][1] * speed[1];
    }
  }
}

typedef struct jam_family {
  const char *name;
  void (*draw)(jam *j, double closing);
  bool provable;
} jam_family;

static const jam_family families[] = {{"normals at random", draw_normals, true},
                                      {"squeezed bodies", draw_squeezed, true},
                                      {"three walls", draw_three_walls, true},
                                      {"self-locking wedges", draw_self_locking, false}};
enum { nfamily = sizeof families / sizeof *families };

/* `closing` < 0: jammed. */
static void draw_jam(jam *j, const jam_family *from, double closing) {
  memset(j, 0, sizeof *j);
  from->draw(j, closing);
  int n = j->problem.n;
  for (int b = 0; b < n; ++b)
    for (int a = 0; a < n; ++a)
      for (int c = 0; c < j->columns; ++c) j->M[a + b * n] += j->H[a][c] * j->W[c] * j->H[b][c];
  j->problem.block = j->block;
  j->problem.q = j->q;
  j->problem.M = (nsds_matrix){.storage = NSDS_DENSE, .n = n, .x = j->M, .symmetric = true};
}

static const double tolerances[] = {1e-6, 1e-8, 1e-10};
enum { ntolerance = sizeof tolerances / sizeof *tolerances };

typedef struct verdict {
  nsds_outcome outcome;
  bool proved; /* by a proof that the check accepts */
  double z[most_rows];
} verdict;

static verdict solve(const nsds_problem *p, double tolerance) {
  nsds_context *context = nsds_context_create(NULL);
  nsds_solver *solver = nsds_solver_create(context, NULL);
  nsds_solver_info info;
  verdict v = {.z = {0.0}};
  double w[most_rows], *work = calloc(nsds_problem_work(p), sizeof *work);
  assert_non_null(work);
  assert_status(nsds_problem_check(context, p), NSDS_OK);
  assert_status(nsds_solver_set(solver, "tolerance", tolerance), NSDS_OK);
  nsds_solve(solver, p, v.z, w, &info);
  const double *proof = nsds_solver_proof(solver);
  v.outcome = info.outcome;
  v.proved = proof && nsds_certify_no_solution(p, proof, work);
  free(work);
  nsds_solver_destroy(solver);
  nsds_context_destroy(context);
  return v;
}

/* A point between two steep planes that lock it by friction: moving up, or with no load at all, it is
 * solved by z = 0. */
static void a_point_between_steep_planes(void **unused) {
  (void)unused;
  const double c = 0.9, s = sqrt(1.0 - 0.9 * 0.9), speed[] = {1.0, 0.0};
  const double H[4][2] = {{c, s}, {s, -c}, {-c, s}, {-s, -c}};
  nsds_block block[2];
  for (int k = 0; k < 2; ++k)
    block[k] = (nsds_block){.set = NSDS_SET_COULOMB, .size = 2, .mu = 0.6};
  for (int k = 0; k < 2; ++k)
    for (int t = 0; t < ntolerance; ++t) {
      double M[16], q[4];
      for (int a = 0; a < 4; ++a) {
        q[a] = H[a][1] * speed[k];
        for (int b = 0; b < 4; ++b) M[a + 4 * b] = H[a][0] * H[b][0] + H[a][1] * H[b][1];
      }
      nsds_problem p = {.n = 4,
                        .nblock = 2,
                        .block = block,
                        .q = q,
                        .M = {.storage = NSDS_DENSE, .n = 4, .x = M, .symmetric = true}};
      verdict v = solve(&p, tolerances[t]);
      assert_int_equal(v.outcome, NSDS_SOLVED);
      for (int i = 0; i < 4; ++i) assert_true(v.z[i] == 0.0);
    }
}

/* What is no proof is not accepted. */
static void wrong_proofs_are_refused(void **unused) {
  (void)unused;
  double M[16] = {1, 0, -1, 0, 0, 1, 0, 1, -1, 0, 1, 0, 0, 1, 0, 1}, q[4] = {-1, 0.1, -1, 0.1};
  double work[256];
  nsds_block block[2];
  for (int k = 0; k < 2; ++k)
    block[k] = (nsds_block){.set = NSDS_SET_COULOMB, .size = 2, .mu = 0.3};
  nsds_problem p = {.n = 4,
                    .nblock = 2,
                    .block = block,
                    .q = q,
                    .M = {.storage = NSDS_DENSE, .n = 4, .x = M, .symmetric = true}};
  assert_true(nsds_problem_work(&p) <= sizeof work / sizeof *work);
  assert_true(nsds_certify_no_solution(&p, (double[]){1, 0, 1, 0}, work));
  assert_false(nsds_certify_no_solution(&p, (double[]){1, 0, 2, 0}, work));   /* M^T y != 0 */
  assert_false(nsds_certify_no_solution(&p, (double[]){1, 0.1, 1, 0}, work)); /* tangential */
  assert_false(nsds_certify_no_solution(&p, (double[]){-1, 0, -1, 0}, work));
  assert_false(nsds_certify_no_solution(&p, (double[]){NAN, 0, 1, 0}, work));
  q[0] = 1.5; /* opens */
  assert_false(nsds_certify_no_solution(&p, (double[]){1, 0, 1, 0}, work));
}

typedef struct tally {
  int solved[ntolerance], proved[ntolerance];
} tally;

/* Draws problems with this load along y, and solves each at all tolerances. */
static tally draw_and_solve(const jam_family *from, int problems, double sign, const char *what) {
  tally t = {{0}, {0}};
  for (int k = 0; k < problems; ++k) {
    jam j;
    draw_jam(&j, from, sign * uniform(0.2, 2.0));
    for (int i = 0; i < ntolerance; ++i) {
      verdict v = solve(&j.problem, tolerances[i]);
      t.solved[i] += v.outcome == NSDS_SOLVED;
      t.proved[i] += v.outcome == NSDS_NO_SOLUTION && v.proved;
      if (sign < 0.0 && v.outcome == NSDS_SOLVED)
        printf("             %s %d is called solved at %g\n", from->name, k, tolerances[i]);
    }
  }
  for (int i = 0; i < ntolerance; ++i)
    printf("             %s, %s, at %g: %d of %d solved, %d proved to have no solution\n",
           from->name, what, tolerances[i], t.solved[i], problems, t.proved[i]);
  return t;
}

static void jams_are_not_solved(void **unused) {
  (void)unused;
  random_seed(21);
  for (const jam_family *f = families; f < families + nfamily; ++f) {
    int problems = (count + nfamily - 1) / nfamily;
    tally t = draw_and_solve(f, problems, -1.0, "closing");
    for (int i = 0; i < ntolerance; ++i) {
      assert_int_equal(t.solved[i], 0);
      if (f->provable) assert_true(100 * t.proved[i] >= 95 * problems);
    }
  }
}

/* Some of their other contacts jam. */
static void neighbours_are_solved(void **unused) {
  (void)unused;
  random_seed(22);
  tally t = draw_and_solve(families, neighbours, 1.0, "opening");
  for (int i = 0; i < ntolerance; ++i)
    assert_true(10 * (t.solved[i] + t.proved[i]) >= 8 * neighbours);
}

/* The others have a solution when they open; with pyramids some have none, as what slides there lifts. */
static void opening_walls_are_solved(void **unused) {
  (void)unused;
  random_seed(23);
  for (const jam_family *f = families + 1; f < families + nfamily; ++f) {
    if (!f->provable) continue;
    tally t = draw_and_solve(f, neighbours / nfamily, 1.0, "opening");
    for (int i = 0; i < ntolerance; ++i) {
      assert_true(100 * (t.solved[i] + t.proved[i]) >= 99 * (neighbours / nfamily));
    }
  }
}

/* How many of so many problems have a feasible point near zero, or near a point drawn at random. */
static int count_feasible(const jam_family *from, int problems, double sign) {
  int found = 0;
  for (int k = 0; k < problems; ++k) {
    jam j;
    double z[2][most_rows] = {{0.0}}, work[nsds_feasible_work * most_rows];
    bool near[2];
    draw_jam(&j, from, sign * uniform(0.2, 2.0));
    for (int i = 0; i < j.problem.n; ++i) z[1][i] = uniform(-10.0, 10.0);
    for (int i = 0; i < 2; ++i) near[i] = nsds_feasible_near(&j.problem, j.M, z[i], work);
    found += near[0] || near[1];
  }
  printf("             %s, load %+g: %d of %d have a feasible point\n", from->name, sign, found,
         problems);
  return found;
}

/* A feasible point rules out every proof: jams have none, whatever point the search begins at. */
static void jams_have_no_feasible_point(void **unused) {
  (void)unused;
  random_seed(24);
  for (const jam_family *f = families; f < families + nfamily; ++f) {
    if (f->provable) assert_int_equal(count_feasible(f, 1000, -1.0), 0);
    assert_true(count_feasible(f, 1000, 1.0) >= 50);
  }
}

/* Towers of up to 30 boxes on four contacts each, and their neighbours: H^T pushes all apart. Sweeps did not reach
 * their tops, so that a proof was searched in each step. */
static void towers_have_a_feasible_point(void **unused) {
  (void)unused;
  enum { most = 30, contacts = 4 * most, rows = 3 * contacts, columns = 6 * most };
  random_seed(25);
  double *M = calloc((size_t)rows * rows, sizeof *M),
         *H = calloc((size_t)rows * columns, sizeof *H);
  double *q = calloc((size_t)rows * 3, sizeof *q),
         *work = calloc(nsds_feasible_work * rows, sizeof *work);
  nsds_block *block = calloc(contacts, sizeof *block);
  for (int tower = 0; tower < 40; ++tower) {
    int boxes = 1 + draw(most), n = 12 * boxes, nv = 6 * boxes;
    memset(H, 0, sizeof *H * (size_t)n * (size_t)nv);
    for (int c = 0; c < 4 * boxes;
         ++c) { /* below box c / 4: x and y of the corner, z = -1 of it, +1 of the lower box */
      double x = (c & 1 ? 1.0 : -1.0) * uniform(0.5, 1.0),
             y = (c & 2 ? 1.0 : -1.0) * uniform(0.5, 1.0);
      for (int side = 0; side < 2; ++side) {
        int box = c / 4 - side;
        double sign = side ? -1.0 : 1.0, z = side ? 1.0 : -1.0;
        if (box < 0) continue;
        double *h = H + 3 * c * nv + 6 * box; /* by rows: n = z, t = x and y; v + omega x r */
        h[2] = sign, h[3] = sign * y, h[4] = -sign * x;
        h[nv] = sign, h[nv + 4] = sign * z, h[nv + 5] = -sign * y;
        h[2 * nv + 1] = sign, h[2 * nv + 3] = -sign * z, h[2 * nv + 5] = sign * x;
      }
      block[c] = (nsds_block){.set = NSDS_SET_COULOMB, .size = 3, .mu = uniform(0.1, 0.9)};
    }
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) {
        double sum = 0.0;
        for (int k = 0; k < nv; ++k) sum += H[i * nv + k] * H[j * nv + k] * (k % 6 < 3 ? 1.0 : 1.5);
        M[i + (ptrdiff_t)j * n] = sum;
      }
    for (int i = 0; i < n; ++i) q[i] = i % 3 ? uniform(-0.1, 0.1) : -uniform(0.1, 1.0);
    nsds_problem p = {.n = n,
                      .nblock = 4 * boxes,
                      .block = block,
                      .q = q,
                      .M = {.storage = NSDS_DENSE, .n = n, .x = M}};
    assert_true(nsds_feasible_near(&p, M, q + rows, work));
  }
  free(M);
  free(H);
  free(q);
  free(work);
  free(block);
}

int main(int argc, char **argv) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(towers_have_a_feasible_point),
      cmocka_unit_test(jams_have_no_feasible_point),
      cmocka_unit_test(jams_are_not_solved),
      cmocka_unit_test(a_point_between_steep_planes),
      cmocka_unit_test(wrong_proofs_are_refused),
      cmocka_unit_test(neighbours_are_solved),
      cmocka_unit_test(opening_walls_are_solved),
  };
  if (argc > 1) count = atoi(argv[1]);
  return cmocka_run_group_tests_name("numerics.jams", tests, NULL, NULL);
}
