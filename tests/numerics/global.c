/*
 * Global problems: every method against answers known beforehand, against the local problem solved
 * by itself, and against each other; joints, also redundant and contradictory ones; what the check
 * and the certifier say.
 */
#include "cmocka_setup.h"
#include "families.h"
#include "globals.h"
#include "meter.h"
#include "numerics/global/global_state.h"
#include "numerics/global/reduction.h"
#include "numerics/store.h"

#include <nsds/nonlinear.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

typedef struct answer {
  double *v, *r, *u, *lambda, *work;
  nsds_solver_info info;
  nsds_global_certificate certificate;
  nsds_status status;
} answer;

static answer answer_to(const nsds_global_problem *problem) {
  size_t nv = (size_t)problem->nv, n = (size_t)problem->n, p = (size_t)problem->p;
  double *memory = calloc(nv + 2 * n + p + nsds_global_work(problem) + 1, sizeof *memory);
  assert_non_null(memory);
  return (answer){.v = memory,
                  .r = memory + nv,
                  .u = memory + nv + n,
                  .lambda = memory + nv + 2 * n,
                  .work = memory + nv + 2 * n + p};
}

static void answer_free(answer *a) { free(a->v); }

static void solve_with(nsds_solver *solver, const nsds_global_problem *problem, answer *a) {
  a->status = nsds_global_solve(solver, problem, a->v, a->r, a->u, a->lambda, &a->info);
  nsds_global_certify(problem, a->v, a->r, a->lambda, a->work, &a->certificate);
  for (int j = 0; j < problem->n; ++j)
    assert_true(fabs(a->u[j] - a->work[j]) <= 1e-12 * (1.0 + fabs(a->u[j])));
}

/* Solves by the method and asks for a certified answer. */
static answer must_solve(nsds_context *context, const char *method, const world *t) {
  answer a = answer_to(&t->problem);
  nsds_solver *solver = nsds_solver_create(context, method);
  assert_non_null(solver);
  if (nsds_global_check(context, &t->problem)) fail_msg("%s", nsds_error_message(context));
  solve_with(solver, &t->problem, &a);
  if (a.status)
    fail_msg("%s: %s: %s (%s), residual %.2g, %s", t->name, a.info.solver,
             nsds_outcome_text(a.info.outcome), a.info.path, a.info.residual,
             nsds_error_message(context));
  assert_true(a.certificate.residual <= 1e-10);
  assert_true(a.certificate.residual == a.info.residual);
  nsds_solver_destroy(solver);
  return a;
}

static const char *const methods[] = {"global", "global_reduction", "global_factored",
                                      "global_admm", "global_nonsmooth_newton"};

static void assert_near(const double *a, const double *b, int n, double tolerance,
                        const char *what) {
  double size = 0.0, difference = 0.0;
  for (int k = 0; k < n; ++k) {
    size = fmax(size, fabs(b[k]));
    difference = fmax(difference, fabs(a[k] - b[k]));
  }
  if (!(difference <= tolerance * (size + 1e-300)))
    fail_msg("%s differ by %g of %g", what, difference, size);
}

static nsds_context *new_context(void) {
  nsds_context *context = nsds_context_create(NULL);
  assert_non_null(context);
  return context;
}

/* ---- known answers ---- */

/* A block on an incline of angle 0.5: it slides where tan(angle) > mu, and sticks elsewhere. */
static void block_on_incline(void **state) {
  (void)state;
  nsds_context *context = new_context();
  static const double mus[] = {0.0, 0.3, 0.8};
  for (size_t k = 0; k < COUNT(mus) * COUNT(methods); ++k) {
    double mu = mus[k % COUNT(mus)], angle = 0.5, m = 2.0, h = 1e-2, g = 9.81;
    world t;
    world_start(&t, "incline", 3, 3, 0, 1);
    for (int i = 0; i < 3; ++i) t.M[4 * i] = m;
    t.block[0] = (nsds_block){.set = NSDS_SET_COULOMB, .size = 3, .mu = mu};
    double frame[9] = {-sin(angle), 0, cos(angle), cos(angle), 0, sin(angle), 0, 1, 0};
    memcpy(t.H, frame, sizeof frame);
    t.f[2] = -m * g * h;
    world_finish(&t);
    answer a = must_solve(context, methods[k / COUNT(mus)], &t);
    bool slides = tan(angle) > mu;
    double normal = m * g * h * cos(angle), push = m * g * h * sin(angle);
    double r[3] = {normal, slides ? mu * normal : push, 0.0};
    double u[3] = {0.0, slides ? -(push - mu * normal) / m : 0.0, 0.0};
    for (int i = 0; i < 3; ++i) {
      assert_true(fabs(a.r[i] - r[i]) < 1e-9);
      assert_true(fabs(a.u[i] - u[i]) < 1e-9);
    }
    answer_free(&a);
    world_destroy(&t);
  }
  nsds_context_destroy(context);
}

/* Every set with an answer known: u is unique where the sets are convex and M is regular. */
static void random_worlds(void **state) {
  (void)state;
  nsds_context *context = new_context();
  for (int which = -1; which < kind_count; ++which)
    for (int k = 0; k < 3 * (int)COUNT(methods); ++k) {
      int joints = k % 3;
      random_seed((unsigned)(which + 40 + 100 * joints));
      world t;
      world_at_random(&t, 12, 8, which, 4 * joints, joints == 2 ? 2 : 0);
      answer a = must_solve(context, methods[k / 3], &t);
      answer_free(&a);
      world_destroy(&t);
    }
  nsds_context_destroy(context);
}

/* ---- methods against each other and the local problem ---- */

/* Alternating directions are slow where friction is large or ties are many. */
static bool fit_for(const char *method, const world *t) {
  return strcmp(method, "admm") != 0 || t->problem.nv <= 60 || t->problem.p == 0;
}

static void compare_methods(nsds_context *context, const world *t, const answer *first) {
  for (size_t m = 1; m < COUNT(methods); ++m) {
    if (!fit_for(methods[m], t)) continue;
    answer a = must_solve(context, methods[m], t);
    assert_true(fabs(a.certificate.standard - first->certificate.standard) < 1e-8);
    answer_free(&a);
  }
}

/* The reactions solve the local problem of the scene, too; velocities there are up to 1. */
static void compare_local(scene *s, const answer *a) {
  nsds_certificate local;
  size_t n = (size_t)s->problem.n;
  double *error = malloc((n + 1) * sizeof *error);
  double *work = calloc(nsds_problem_work(&s->problem) + 1, sizeof *work);
  for (size_t j = 0; j < n; ++j) error[j] = 1e-15;
  s->problem.q_error = error;
  nsds_certify(&s->problem, a->r, work, &local);
  if (!(local.residual < 1e-9)) fail_msg("%d rows: %g", s->problem.n, local.residual);
  free(error);
  for (int j = 0; j < s->problem.n; ++j) assert_true(fabs(a->u[j] - work[j]) < 1e-12);
  free(work);
}

static void piles(void **state) {
  (void)state;
  nsds_context *context = new_context();
  bodies b;
  for (int k = 0; bodies_create(&b, k); ++k) {
    scene s;
    scene_create(&s, &b);
    for (int tied = 0; tied < (b.nbody > 1 && b.nbody < 40 ? 2 : 1); ++tied) {
      world t;
      world_of_bodies(&t, &b, tied > 0);
      answer first = must_solve(context, "global", &t);
      if (b.ncontact <= 150) compare_methods(context, &t, &first);
      if (!tied) compare_local(&s, &first);
      answer_free(&first);
      world_destroy(&t);
    }
    scene_destroy(&s);
    bodies_destroy(&b);
  }
  nsds_context_destroy(context);
}

/* Where W is regular, or the law without friction, v is unique. */
static void velocities_agree(void **state) {
  (void)state;
  nsds_context *context = new_context();
  for (int which = 0; which < 4; ++which) {
    world t;
    random_seed(7);
    if (which == 0) world_of_bar(&t, 30, 3);
    if (which == 1) world_of_bar(&t, 300, 3);
    if (which == 2) world_of_links(&t, 8);
    if (which == 3) world_at_random(&t, 20, 20, 1, 6, 1);
    answer reference = must_solve(context, "global_reduction", &t);
    for (size_t m = 0; m < COUNT(methods); ++m) {
      answer a = must_solve(context, methods[m], &t);
      assert_near(a.v, reference.v, t.problem.nv, 1e-7, t.name);
      answer_free(&a);
    }
    answer_free(&reference);
    world_destroy(&t);
  }
  nsds_context_destroy(context);
}

/* M dense or sparse, and any local solver around. */
static void storages_and_inner_solvers(void **state) {
  (void)state;
  static const char *const inner[] = {"nsgs", "admm", "interior_point"};
  nsds_context *context = new_context();
  world t;
  world_of_bar(&t, 20, 3);
  answer reference = must_solve(context, "global", &t);
  t.problem.M = (nsds_matrix){.storage = NSDS_DENSE, .n = t.problem.nv, .x = t.M};
  for (size_t k = 0; k < COUNT(inner) * 2; ++k) {
    answer a = answer_to(&t.problem);
    char name[64];
    snprintf(name, sizeof name, "global_%s/%s", k % 2 ? "reduction" : "factored", inner[k / 2]);
    nsds_solver *solver = nsds_solver_create(context, name);
    assert_string_equal(nsds_solver_get_row(nsds_solver_inner(solver))->name, inner[k / 2]);
    solve_with(solver, &t.problem, &a);
    if (a.status) fail_msg("%s: %s, %g", inner[k / 2], a.info.path, a.info.residual);
    assert_non_null(strstr(a.info.path, inner[k / 2]));
    assert_near(a.v, reference.v, t.problem.nv, 1e-8, inner[k / 2]);
    nsds_solver_destroy(solver);
    answer_free(&a);
  }
  answer_free(&reference);
  world_destroy(&t);
  nsds_context_destroy(context);
}

/* Rolling friction on few velocities: the local solver ends at reactions of 1e16, beside which its
 * residual is small. That is not a solution, and "auto" finds one. */
static void diverged_reactions(void **state) {
  (void)state;
  nsds_context *context = new_context();
  world t;
  int which = 0;
  while (strcmp(sample_block_name(which), "rolling(3)") != 0) ++which;
  random_seed(19 * 977 + (unsigned)which + 5);
  world_at_random(&t, 7, 9, which, 6, 1);
  answer a = must_solve(context, "global", &t);
  for (int j = 0; j < t.problem.n; ++j) assert_true(fabs(a.r[j]) < 1e6);
  answer_free(&a);
  world_destroy(&t);
  nsds_context_destroy(context);
}

/* One cluster with 4200 local rows: W and its factors would be full and large. The methods without
 * reduction solve it, and "auto" falls back on one. */
static void too_large_to_reduce(void **state) {
  (void)state;
  nsds_context *context = new_context();
  world t;
  world_of_bar(&t, 2100, 1);
  for (size_t m = 0; m < COUNT(methods); ++m) {
    answer a = answer_to(&t.problem);
    bool reduces =
        strcmp(methods[m], "global_reduction") == 0 || strcmp(methods[m], "global_factored") == 0;
    nsds_solver *solver = nsds_solver_create(context, methods[m]);
    solve_with(solver, &t.problem, &a);
    assert_int_equal(a.info.outcome, reduces ? NSDS_REFUSED : NSDS_SOLVED);
    assert_true(reduces || a.certificate.residual <= 1e-10);
    if (m == 0) assert_string_equal(a.info.path, "global_reduction: refused > global_admm");
    nsds_solver_destroy(solver);
    answer_free(&a);
  }
  world_destroy(&t);
  nsds_context_destroy(context);
}

/* Masses, lengths and times in other units change neither the residual nor the steps. */
static void units(void **state) {
  (void)state;
  nsds_context *context = new_context();
  for (size_t m = 0; m < COUNT(methods); ++m) {
    world t, other;
    world_of_links(&t, 5);
    world_of_links(&other, 5);
    for (int k = 0; k < other.problem.nv; ++k) other.f[k] *= 0x1p20 * 0x1p-7;
    for (int k = 0; k < other.problem.M.p[other.problem.nv]; ++k) other.value[0][k] *= 0x1p20;
    answer a = must_solve(context, methods[m], &t), b = must_solve(context, methods[m], &other);
    assert_int_equal(a.info.iterations, b.info.iterations);
    for (int k = 0; k < t.problem.nv; ++k)
      assert_true(fabs(a.v[k] - 0x1p7 * b.v[k]) <= 1e-9 * fabs(a.v[k]) + 1e-14);
    answer_free(&a);
    answer_free(&b);
    world_destroy(&t);
    world_destroy(&other);
  }
  nsds_context_destroy(context);
}

/* Nine joints leave four bodies one velocity. Local velocities of two rows are rounding of others; no
 * method may take them for a contradiction. */
static void rows_that_joints_hold(void **state) {
  (void)state;
  nsds_context *context = new_context();
  for (size_t k = 0; k < COUNT(methods); ++k) {
    world t;
    random_seed(1663);
    world_at_random(&t, 4, 8, 0, 9, 0);
    answer a = must_solve(context, methods[k], &t);
    answer_free(&a);
    world_destroy(&t);
  }
  nsds_context_destroy(context);
}

/* Joints leave at most two velocities of ten: W has rows of rounding, and rows that depend on each
 * other. No world is taken for unsolvable; friction may fail to converge now and then. */
static void worlds_that_joints_nearly_hold(void **state) {
  (void)state;
  nsds_context *context = new_context();
  int all = 0, solved = 0;
  for (unsigned seed = 0; seed < 6; ++seed)
    for (int which = -1; which < kind_count; ++which, ++all) {
      world t;
      random_seed(4000 + 31 * seed + (unsigned)(which + 1));
      world_at_random(&t, 4, 4 + (int)seed, which, 10 - (int)seed % 3, (int)seed % 2);
      answer a = answer_to(&t.problem);
      nsds_solver *solver = nsds_solver_create(context, "global");
      solve_with(solver, &t.problem, &a);
      assert_int_not_equal(a.info.outcome, NSDS_NO_SOLUTION);
      solved += a.status == NSDS_OK;
      nsds_solver_destroy(solver);
      answer_free(&a);
      world_destroy(&t);
    }
  assert_true(100 * solved >= 95 * all);
  nsds_context_destroy(context);
}

/* Two masses whose velocities joints give: v_0 = -speed, v_0 + v_1 = 0. A contact with the first cannot
 * have u = v_0 >= 0. */
static void joints_against_a_contact(void **state) {
  (void)state;
  nsds_context *context = new_context();
  random_seed(59);
  for (size_t m = 0; m < 30; ++m) {
    world t;
    world_start(&t, "joints against a contact", 2, 1, 2, 1);
    t.block[0] = (nsds_block){.set = NSDS_SET_NONNEGATIVE, .size = 1};
    for (int k = 0; k < 2; ++k) {
      t.M[3 * k] = pow(10.0, 3.0 * random_number());
      t.f[k] = random_number();
      t.G[2 * k] = t.G[1 + 2 * k] = pow(10.0, random_number());
    }
    t.G[1] = 0.0;
    t.H[0] = pow(10.0, random_number());
    t.b[0] = t.G[0] * pow(10.0, random_number());
    world_finish(&t);
    answer a = answer_to(&t.problem);
    nsds_solver *solver = nsds_solver_create(context, methods[m % 3]);
    solve_with(solver, &t.problem, &a);
    assert_status(a.status, NSDS_ERROR_SOLVER);
    assert_int_equal(a.info.outcome, NSDS_NO_SOLUTION);
    nsds_solver_destroy(solver);
    answer_free(&a);
    world_destroy(&t);
  }
  nsds_context_destroy(context);
}

/* ---- edges ---- */

static void contradictory_joints(void **state) {
  (void)state;
  nsds_context *context = new_context();
  for (size_t m = 0; m < COUNT(methods); ++m) {
    world t;
    random_seed(3);
    world_at_random(&t, 6, 4, 1, 3, 1);
    t.b[2] += 0.5;
    answer a = answer_to(&t.problem);
    nsds_solver *solver = nsds_solver_create(context, methods[m]);
    solve_with(solver, &t.problem, &a);
    assert_status(a.status, NSDS_ERROR_SOLVER);
    assert_int_equal(a.info.outcome, NSDS_NO_SOLUTION);
    assert_true(a.certificate.equality > 1e-6);
    assert_status(nsds_error(context), NSDS_OK);
    nsds_solver_destroy(solver);
    answer_free(&a);
    world_destroy(&t);
  }
  nsds_context_destroy(context);
}

/* Without velocities u = w; without contacts v = M^-1 f, with joints the nearest that keep them. */
static void empty_parts(void **state) {
  (void)state;
  nsds_context *context = new_context();
  for (size_t m = 0; m < COUNT(methods); ++m) {
    world t;
    world_start(&t, "no velocities", 0, 2, 0, 1);
    t.block[0] = (nsds_block){.set = NSDS_SET_COULOMB, .size = 2, .mu = 0.5};
    t.w[0] = 1.0;
    world_finish(&t);
    answer a = must_solve(context, methods[m], &t);
    assert_true(a.u[0] == 1.0 && a.u[1] == 0.0 && a.r[0] == 0.0 && a.r[1] == 0.0);
    answer_free(&a);
    t.w[0] = -1.0; /* nothing can be done */
    a = answer_to(&t.problem);
    nsds_solver *solver = nsds_solver_create(context, methods[m]);
    solve_with(solver, &t.problem, &a);
    assert_status(a.status, NSDS_ERROR_SOLVER);
    assert_true(a.info.residual > 0.1);
    nsds_solver_destroy(solver);
    answer_free(&a);
    world_destroy(&t);

    world_start(&t, "no contacts", 2, 0, 1, 0);
    t.M[0] = 2.0;
    t.M[3] = 1.0;
    t.f[0] = 2.0;
    t.G[0] = 1.0;
    t.G[1] = -1.0;
    world_finish(&t);
    a = must_solve(context, methods[m], &t); /* both move with 2 / 3 */
    assert_true(fabs(a.v[0] - 2.0 / 3.0) < 1e-13 && fabs(a.v[1] - 2.0 / 3.0) < 1e-13);
    assert_true(fabs(a.lambda[0] + 2.0 / 3.0) < 1e-13);
    answer_free(&a);
    world_destroy(&t);

    world_start(&t, "nothing", 0, 0, 0, 0);
    world_finish(&t);
    a = must_solve(context, methods[m], &t);
    answer_free(&a);
    world_destroy(&t);
  }
  nsds_context_destroy(context);
}

static void singular_mass(void **state) {
  (void)state;
  nsds_context *context = new_context();
  for (size_t m = 0; m < 3 * COUNT(methods); ++m) {
    world t;
    int p = m / COUNT(methods) == 2;
    world_start(&t, "singular", 2, 1, p, 1);
    t.M[0] = t.M[3] = 1.0;
    t.M[1] = t.M[2] = m / COUNT(methods) ? 2.0 : 1.0; /* singular, indefinite, with a joint */
    for (int j = 0; j < p; ++j) t.G[1] = 1.0;
    t.H[0] = 1.0;
    t.f[0] = -1.0;
    t.block[0] = (nsds_block){.set = NSDS_SET_NONNEGATIVE, .size = 1};
    world_finish(&t);
    assert_status(nsds_global_check(context, &t.problem), NSDS_OK);
    answer a = answer_to(&t.problem);
    nsds_solver *solver = nsds_solver_create(context, methods[m % COUNT(methods)]);
    a.status = nsds_global_solve(solver, &t.problem, a.v, a.r, a.u, a.lambda, &a.info);
    assert_status(a.status, NSDS_ERROR_SINGULAR);
    assert_non_null(strstr(nsds_error_message(context), "M, 2 x 2, is singular or indefinite"));
    nsds_error_clear(context);
    nsds_solver_destroy(solver);
    answer_free(&a);
    world_destroy(&t);
  }
  nsds_context_destroy(context);
}

/* What is wrong is named. */
static void expect(nsds_context *context, const world *t, nsds_status status, const char *words) {
  assert_status(nsds_global_check(context, &t->problem), status);
  if (!strstr(nsds_error_message(context), words))
    fail_msg("\"%s\" is not in \"%s\"", words, nsds_error_message(context));
  nsds_error_clear(context);
}

static void bad_problems(void **state) {
  (void)state;
  nsds_context *context = new_context();
  world t;
  random_seed(5);
  world_at_random(&t, 4, 3, 4, 2, 0);
  const nsds_global_problem good = t.problem;
  assert_status(nsds_global_check(context, &t.problem), NSDS_OK);
  assert_status(nsds_global_check(context, NULL), NSDS_ERROR_ARGUMENT);
  nsds_error_clear(context);
#define TRY(change, status, words)                                                                 \
  do {                                                                                             \
    change;                                                                                        \
    expect(context, &t, (status), (words));                                                        \
    t.problem = good;                                                                              \
  } while (0)
  TRY(t.problem.nv = -1, NSDS_ERROR_SIZE, "nv is -1");
  TRY(t.problem.nv += 1, NSDS_ERROR_SIZE, "M.n is");
  TRY(t.problem.nblock -= 1, NSDS_ERROR_SIZE, "block sizes sum to");
  TRY(t.problem.block = NULL, NSDS_ERROR_ARGUMENT, "block is NULL");
  TRY(t.problem.H.ncol -= 1, NSDS_ERROR_SIZE, "H is");
  TRY(t.problem.H.p = NULL, NSDS_ERROR_ARGUMENT, "H.p is NULL");
  TRY(t.problem.G.nrow += 1, NSDS_ERROR_SIZE, "G is");
  TRY(t.problem.G.x = NULL, NSDS_ERROR_ARGUMENT, "G.x is NULL");
  TRY(t.problem.f = NULL, NSDS_ERROR_ARGUMENT, "f is NULL");
  TRY(t.problem.b = NULL, NSDS_ERROR_ARGUMENT, "b is NULL");
  TRY(t.problem.M.storage = NSDS_FACTORED, NSDS_ERROR_UNSUPPORTED, "M.storage is 4");
#undef TRY
#define TRY(place, number, words)                                                                  \
  do {                                                                                             \
    double before = place;                                                                         \
    place = (number);                                                                              \
    expect(context, &t, NSDS_ERROR_VALUE, (words));                                                \
    place = before;                                                                                \
  } while (0)
  TRY(t.value[0][0], -1.0, "M(0,0) is -1; M must be positive definite");
  TRY(t.value[0][2], 99.0, "M must be symmetric");
  TRY(t.value[0][0], NAN, "M.x[0] is nan");
  TRY(t.value[1][0], INFINITY, "H.x[0] is inf");
  TRY(t.value[2][1], NAN, "G.x[1] is nan");
  TRY(t.f[1], NAN, "f[1] is nan");
  TRY(t.w[2], INFINITY, "w[2] is inf");
  TRY(t.b[0], NAN, "b[0] is nan");
#undef TRY
  int *row = &t.index[3][0], before = *row;
  *row = 1000;
  expect(context, &t, NSDS_ERROR_VALUE, "H.i[0] is 1000 in column 0; valid here is 0..");
  *row = before;
  assert_null(nsds_solver_create(context, "global_nsgs"));
  assert_non_null(strstr(nsds_error_message(context),
                         "there is no solver \"global_nsgs\"; known are auto, enumeration,"));
  assert_non_null(strstr(nsds_error_message(context),
                         ", global, global_reduction, global_factored, global_admm, "
                         "global_nonsmooth_newton"));
  nsds_error_clear(context);
  world_destroy(&t);
  nsds_context_destroy(context);
}

/* ---- the certifier ---- */

/* Each figure answers to what it is of. */
static void certifier(void **state) {
  (void)state;
  nsds_context *context = new_context();
  world t;
  world_of_links(&t, 4);
  answer a = must_solve(context, "global", &t);
  nsds_global_certificate c;
  a.lambda[0] += 1e-3;
  nsds_global_certify(&t.problem, a.v, a.r, a.lambda, a.work, &c);
  assert_true(c.dynamics > 1e-4 && c.equality < 1e-10 && c.residual == c.dynamics);
  a.lambda[0] -= 1e-3;
  t.b[1] += 1e-2;
  nsds_global_certify(&t.problem, a.v, a.r, a.lambda, a.work, &c);
  assert_true(c.equality > 1e-3 && c.dynamics < 1e-10 && c.law < 1e-10);
  t.b[1] -= 1e-2;
  t.w[0] -= 1e-2;
  nsds_global_certify(&t.problem, a.v, a.r, a.lambda, a.work, &c);
  assert_true(c.law > 1e-3 && c.dynamics < 1e-10 && c.worst_block == 0 && c.standard > 1e-4);
  t.w[0] += 1e-2;
  a.v[2] = NAN;
  nsds_global_certify(&t.problem, a.v, a.r, a.lambda, a.work, &c);
  assert_true(isinf(c.residual));
  answer_free(&a);
  world_destroy(&t);
  nsds_context_destroy(context);
}

/* ---- instances ---- */

/* Global methods stand behind the local ones, and their names say what they are. */
static void rows_of_the_table(void **state) {
  (void)state;
  const nsds_solver_row *row;
  size_t found = 0;
  for (int k = 0; (row = nsds_solver_table(k)); ++k) {
    bool named = strncmp(row->name, "global", 6) == 0;
    assert_int_equal(row->global, named);
    assert_int_equal(row->inner, named && found < 3);
    if (found > 0) assert_true(named);
    if (named) assert_string_equal(row->name, methods[found++]);
  }
  assert_int_equal(found, COUNT(methods));
}

/* What is wrong with a name, and what would be right. */
static void names_of_inner_solvers(void **state) {
  (void)state;
  static const char *const wrong[][2] = {
      {"global_admm/nsgs",
       "\"global_admm/nsgs\": solver \"global_admm\" has no inner solver; those that "
       "have one are global, global_reduction, global_factored"},
      {"nsgs/lemke", "solver \"nsgs\" has no inner solver"},
      {"global/global_admm", "inner solver \"global_admm\" takes global problems"},
      {"global/", "there is no solver \"\""},
      {"global/sorcery", "there is no solver \"sorcery\""},
      {"sorcery/nsgs", "there is no solver \"sorcery\""},
      {"/nsgs", "there is no solver \"\""},
      {"global/nsgs/lemke", "there is no solver \"nsgs/lemke\""},
      {"reduction", "there is no solver \"reduction\" any more; use \"global_reduction\""},
      {"factored", "use \"global_factored\""}};
  nsds_context *context = new_context();
  for (size_t k = 0; k < COUNT(wrong); ++k) {
    assert_null(nsds_solver_create(context, wrong[k][0]));
    assert_status(nsds_error(context), NSDS_ERROR_ARGUMENT);
    if (!strstr(nsds_error_message(context), wrong[k][1]))
      fail_msg("%s: %s", wrong[k][0], nsds_error_message(context));
    nsds_error_clear(context);
  }
  nsds_solver *solver = nsds_solver_create(context, "global/lemke");
  nsds_solver *inner = nsds_solver_inner(solver);
  assert_string_equal(nsds_solver_get_row(inner)->name, "lemke");
  nsds_solver_destroy(inner); /* the outer solver frees it */
  assert_status(nsds_error(context), NSDS_ERROR_STATE);
  nsds_error_clear(context);
  assert_null(nsds_solver_inner(inner));
  assert_non_null(strstr(nsds_error_message(context),
                         "nsds_solver_inner: solver \"lemke\" has no inner solver"));
  nsds_error_clear(context);
  nsds_solver_destroy(solver);
  nsds_context_destroy(context);
}

/* Neither kind of solver takes problems of the other. */
static void other_problems_are_refused(void **state) {
  (void)state;
  nsds_context *context = new_context();
  static const nsds_block block = {.set = NSDS_SET_NONNEGATIVE, .size = 1};
  static const double one = 1.0, minus = -1.0;
  const nsds_problem local = {.n = 1,
                              .nblock = 1,
                              .block = &block,
                              .M = {.storage = NSDS_DENSE, .n = 1, .x = &one},
                              .q = &minus};
  const nsds_nonlinear_problem curved = {.n = 1, .nblock = 1, .block = &block};
  double z[1] = {0.0}, w[1];
  for (size_t m = 0; m < COUNT(methods); ++m) {
    nsds_solver *solver = nsds_solver_create(context, methods[m]);
    char words[160];
    nsds_status status[3];
    for (int k = 0; k < 3; ++k) {
      status[k] = k == 0   ? nsds_solve(solver, &local, z, w, NULL)
                  : k == 1 ? nsds_solver_reserve(solver, &local)
                           : nsds_nonlinear_solve(solver, &curved, 0, z, w, NULL);
      assert_status(status[k], NSDS_ERROR_ARGUMENT);
      snprintf(words, sizeof words,
               "%s: solver \"%s\" takes global problems, by nsds_global_solve()",
               k == 0   ? "nsds_solve"
               : k == 1 ? "nsds_solver_reserve"
                        : "nsds_nonlinear_solve",
               methods[m]);
      if (!strstr(nsds_error_message(context), words)) fail_msg("%s", nsds_error_message(context));
      nsds_error_clear(context);
    }
    assert_null(nsds_solver_proof(solver));
    nsds_solver_destroy(solver);
  }
  world t;
  world_of_links(&t, 3);
  answer a = answer_to(&t.problem);
  nsds_solver *solver = nsds_solver_create(context, NULL);
  assert_status(nsds_global_solve(solver, &t.problem, a.v, a.r, a.u, a.lambda, NULL),
                NSDS_ERROR_ARGUMENT);
  assert_string_equal(
      nsds_error_message(context),
      "nsds_global_solve: solver \"auto\" takes local problems, by nsds_solve(); give "
      "one of global problems, such as \"global\"");
  nsds_error_clear(context);
  nsds_solver_destroy(solver);
  answer_free(&a);
  world_destroy(&t);
  nsds_context_destroy(context);
}

static int stop(int iteration, double residual, void *user) {
  (void)residual;
  return iteration >= *(int *)user;
}

static void options_and_interruption(void **state) {
  (void)state;
  nsds_context *context = new_context();
  bodies b;
  world t;
  bodies_create(&b, 4);
  world_of_bodies(&t, &b, false);
  for (size_t m = 0; m < COUNT(methods); ++m) {
    int at = 3;
    answer a = answer_to(&t.problem);
    nsds_solver *solver = nsds_solver_create(context, methods[m]);
    assert_string_equal(nsds_solver_get_row(solver)->name, methods[m]);
    assert_true(nsds_solver_get(solver, "tolerance") == 1e-10);
    assert_status(nsds_solver_set(solver, "tolerance", 2.0), NSDS_ERROR_VALUE);
    assert_status(nsds_solver_set(solver, "colour", 2.0), NSDS_ERROR_ARGUMENT);
    nsds_error_clear(context);
    nsds_solver_set_progress(solver, stop, &at);
    solve_with(solver, &t.problem, &a);
    assert_int_equal(a.info.outcome, NSDS_INTERRUPTED);
    assert_true(isfinite(a.info.residual));
    nsds_solver_set_progress(solver, NULL, NULL);
    assert_status(nsds_solver_set(solver, "time_limit", 1e-9), NSDS_OK);
    solve_with(solver, &t.problem, &a);
    assert_int_equal(a.info.outcome, NSDS_INTERRUPTED);
    assert_true(a.info.iterations <= 1);
    assert_status(nsds_solver_set(solver, "time_limit", 0.0), NSDS_OK);
    assert_status(nsds_solver_set(solver, "max_iterations", 1), NSDS_OK);
    solve_with(solver, &t.problem, &a);
    assert_int_equal(a.info.outcome, NSDS_NOT_CONVERGED);
    nsds_solver_destroy(solver);
    answer_free(&a);
  }
  nsds_solver *solver = nsds_solver_create(context, "global_admm");
  assert_null(nsds_solver_inner(solver));
  nsds_solver_destroy(solver);
  nsds_solver_destroy(NULL);
  world_destroy(&t);
  bodies_destroy(&b);
  nsds_context_destroy(context);
}

/* A limit is reached exactly, by the steps before Newton's too, and these come closer. */
static void few_iterations_come_closer(void **state) {
  (void)state;
  static const char *const stepping[] = {"global_admm", "global_nonsmooth_newton"};
  nsds_context *context = new_context();
  bodies b;
  world t;
  bodies_create(&b, 4);
  world_of_bodies(&t, &b, false);
  for (size_t m = 0; m < COUNT(stepping); ++m) {
    double residual[2];
    for (int k = 0; k < 2; ++k) {
      answer a = answer_to(&t.problem);
      nsds_solver *solver = nsds_solver_create(context, stepping[m]);
      assert_status(nsds_solver_set(solver, "max_iterations", k ? 20 : 2), NSDS_OK);
      solve_with(solver, &t.problem, &a);
      assert_int_equal(a.info.outcome, NSDS_NOT_CONVERGED);
      assert_int_equal(a.info.iterations, k ? 20 : 2);
      residual[k] = a.info.residual;
      nsds_solver_destroy(solver);
      answer_free(&a);
    }
    assert_true(residual[1] < 0.5 * residual[0]);
  }
  world_destroy(&t);
  bodies_destroy(&b);
  nsds_context_destroy(context);
}

/* Where M is diagonal, velocities that meet the same blocks are one cluster: a body stays whole, with
 * as many columns as it has velocities or rows. */
static void a_body_is_a_cluster(void **state) {
  (void)state;
  nsds_context *context = new_context();
  world
      t; /* two bodies of three velocities on the ground and on each other; one that meets nothing */
  world_start(&t, "clusters", 7, 9, 0, 3);
  for (int k = 0; k < 7; ++k) t.M[8 * k] = 1.0 + k;
  for (int row = 0; row < 9; ++row) {
    t.block[row / 3] = (nsds_block){.set = NSDS_SET_COULOMB, .size = 3, .mu = 0.5};
    for (int k = 0; k < 6; ++k)
      if (row >= 6 || k / 3 == row / 3) t.H[k + 7 * row] = k % 3 == row % 3 ? 1.0 : 0.1;
  }
  world_finish(&t);
  nsds_clusters clusters = {0};
  nsds_store store = {.context = context};
  world other; /* of the same sizes, before: its blocks meet one velocity each */
  world_start(&other, "apart", 7, 9, 0, 3);
  for (int k = 0; k < 7; ++k) other.M[8 * k] = 1.0;
  for (int row = 0; row < 9; ++row) other.H[2 * (row / 3) + 7 * row] = 1.0;
  for (int a = 0; a < 3; ++a) other.block[a] = t.block[a];
  world_finish(&other);
  assert_status(nsds_clusters_find(&clusters, &store, &other.problem), NSDS_OK);
  assert_int_equal(clusters.count, 7);
  world_destroy(&other);
  assert_status(nsds_clusters_find(&clusters, &store, &t.problem), NSDS_OK);
  assert_int_equal(clusters.count, 3);
  for (int k = 0; k < 7; ++k) {
    assert_int_equal(clusters.of[k], k / 3);
    assert_int_equal(clusters.local[k], k % 3);
  }
  static const int begin[] = {0, 3, 6, 6};
  for (int c = 0; c <= 3; ++c) assert_int_equal(clusters.begin[c], begin[c]);
  nsds_store_release(&store);
  world_destroy(&t);
  nsds_context_destroy(context);
}

/* Equal stamps: nothing is factored anew, and a start at the answer needs fewer steps. */
static void stamps(void **state) {
  (void)state;
  nsds_context *context = new_context();
  for (size_t m = 0; m < COUNT(methods); ++m) {
    world t;
    world_of_links(&t, 6);
    t.problem.stamp = 17;
    answer a = answer_to(&t.problem);
    nsds_solver *solver = nsds_solver_create(context, methods[m]);
    solve_with(solver, &t.problem, &a);
    assert_status(a.status, NSDS_OK);
    assert_true(a.info.factorizations > 0);
    int iterations = a.info.iterations;
    solve_with(solver, &t.problem, &a);
    assert_status(a.status, NSDS_OK);
    assert_true(a.info.iterations <= iterations);
    for (int k = 0; k < t.problem.nv; ++k) t.f[k] *= 1.5;
    solve_with(solver, &t.problem, &a);
    assert_status(a.status, NSDS_OK);
    t.problem.stamp = 18;
    t.value[0][0] = 2.0;
    solve_with(solver, &t.problem, &a);
    assert_status(a.status, NSDS_OK);
    answer again = must_solve(context, "global_reduction", &t);
    assert_near(a.v, again.v, t.problem.nv, 1e-8, methods[m]);
    nsds_solver_destroy(solver);
    answer_free(&a);
    answer_free(&again);
    world_destroy(&t);
  }
  nsds_context_destroy(context);
}

/* A second solve of the same shape takes no memory; without memory every call fails in order. */
static void memory(void **state) {
  (void)state;
  for (size_t m = 0; m < COUNT(methods); ++m)
    for (long fail_at = 0, done = 0; !done || fail_at <= 1; ++fail_at) {
      meter taken = {.fail_at = fail_at};
      nsds_context *context = metered_context(&taken);
      if (!context) continue;
      world t;
      world_of_links(&t, 4);
      answer a = answer_to(&t.problem);
      nsds_solver *solver = nsds_solver_create(context, methods[m]);
      if (solver) {
        a.status = nsds_global_solve(solver, &t.problem, a.v, a.r, a.u, a.lambda, &a.info);
        done = a.status == NSDS_OK && fail_at > 0;
        if (a.status) assert_status(a.status, NSDS_ERROR_MEMORY);
        long count = taken.count;
        t.f[0] += 0.01;
        if (!a.status) solve_with(solver, &t.problem, &a);
        if (!a.status) assert_int_equal(taken.count, count);
      }
      if (!solver) assert_status(nsds_error(context), NSDS_ERROR_MEMORY);
      nsds_solver_destroy(solver);
      nsds_context_destroy(context);
      assert_int_equal(taken.live, 0);
      answer_free(&a);
      world_destroy(&t);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(block_on_incline),
      cmocka_unit_test(random_worlds),
      cmocka_unit_test(velocities_agree),
      cmocka_unit_test(storages_and_inner_solvers),
      cmocka_unit_test(diverged_reactions),
      cmocka_unit_test(too_large_to_reduce),
      cmocka_unit_test(units),
      cmocka_unit_test(piles),
      cmocka_unit_test(rows_that_joints_hold),
      cmocka_unit_test(worlds_that_joints_nearly_hold),
      cmocka_unit_test(joints_against_a_contact),
      cmocka_unit_test(contradictory_joints),
      cmocka_unit_test(empty_parts),
      cmocka_unit_test(singular_mass),
      cmocka_unit_test(bad_problems),
      cmocka_unit_test(certifier),
      cmocka_unit_test(rows_of_the_table),
      cmocka_unit_test(names_of_inner_solvers),
      cmocka_unit_test(other_problems_are_refused),
      cmocka_unit_test(options_and_interruption),
      cmocka_unit_test(few_iterations_come_closer),
      cmocka_unit_test(a_body_is_a_cluster),
      cmocka_unit_test(stamps),
      cmocka_unit_test(memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
