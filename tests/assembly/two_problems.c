/*
 * Two one-step problems over one plan, with gains of their own: that of the step, W = M + h theta C
 * + h^2 theta^2 K, and that of an instant, M. On random linear models of several systems and
 * interactions both Delassus matrices H W^-1 H^T are compared with dense ones computed here, and
 * what is done to one problem must leave the other as it was.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <nsds/nsds.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernel/assembly/one_step.h"
#include "kernel/assembly/contact_operator.h"
#include "kernel/assembly/plan.h"
#include "kernel/assembly/plan_renew.h"
#include "kernel/integrators/euler_moreau.h"
#include "kernel/integrators/moreau_jean.h"
#include "kernel/modeling/shape_column.h"

enum { systems = 5, most = 4, all = systems * most, pairs = 7, rows = 2, total = pairs * rows };
static const int dof[systems] = {3, 1, 4, 2, 3};

static double random_in(uint64_t *state, double low, double high) {
  uint64_t z = (*state += 0x9e3779b97f4a7c15u); /* splitmix64 */
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return low + (high - low) * (double)((z ^ (z >> 31)) >> 11) / 9007199254740992.0;
}

/* ---- a random model, and its matrices as dense ones ---- */

typedef struct world {
  nsds_model *model;
  nsds_ds *ds[systems];
  int nv, at[systems];
  double M[all * all], C[all * all], K[all * all]; /* block diagonal, leading dimension nv */
  double H[total * all];                           /* total x nv */
} world;

/* A A^T + shift I */
static void random_matrix(uint64_t *seed, int n, double shift, double *matrix) {
  double A[most * most];
  for (int k = 0; k < n * n; ++k) A[k] = random_in(seed, -1.0, 1.0);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      double sum = i == j ? shift : 0.0;
      for (int k = 0; k < n; ++k) sum += A[i + k * n] * A[j + k * n];
      matrix[i + j * n] = sum;
    }
}

static void put_block(const world *w, int s, const double *block, double *matrix) {
  for (int i = 0; i < dof[s]; ++i)
    for (int j = 0; j < dof[s]; ++j)
      matrix[w->at[s] + i + (w->at[s] + j) * w->nv] = block[i + j * dof[s]];
}

static void add_systems(world *w, uint64_t *seed, bool forces) {
  for (int s = 0; s < systems; ++s) {
    w->at[s] = w->nv;
    w->nv += dof[s];
  }
  for (int s = 0; s < systems; ++s) {
    double M[most * most], C[most * most], K[most * most], q[most], v[most];
    random_matrix(seed, dof[s], 0.5, M);
    random_matrix(seed, dof[s], 0.1, C);
    random_matrix(seed, dof[s], 20.0, K);
    for (int k = 0; k < dof[s]; ++k) {
      q[k] = random_in(seed, -0.1, 0.1);
      v[k] = random_in(seed, -1.0, 1.0);
    }
    put_block(w, s, M, w->M);
    if (forces) put_block(w, s, C, w->C);
    if (forces) put_block(w, s, K, w->K);
    w->ds[s] = nsds_lagrangian_linear(
        w->model, &(nsds_lagrangian_linear_def){.ndof = dof[s],
                                                .q0 = q,
                                                .v0 = v,
                                                .mass = M,
                                                .damping = forces ? C : NULL,
                                                .stiffness = forces ? K : NULL});
  }
}

/* Interaction c between systems c and c + 1 (or + 2), two rows each, always active. */
static void add_interactions(world *w, uint64_t *seed) {
  nsds_law *law = nsds_equality(w->model);
  for (int c = 0; c < pairs; ++c) {
    int a = c % systems, b = (c + 1 + c / systems) % systems, n = dof[a] + dof[b];
    double H[rows * 2 * most];
    for (int k = 0; k < rows * n; ++k) H[k] = random_in(seed, -1.0, 1.0);
    nsds_ds *ds[2] = {w->ds[a], w->ds[b]};
    nsds_relation *relation = nsds_lagrangian_linear_relation(
        w->model, &(nsds_lagrangian_linear_relation_def){.ny = rows, .nq = n, .H = H});
    assert_non_null(nsds_connect(w->model, relation, law, 2, ds));
    for (int i = 0; i < rows; ++i)
      for (int k = 0; k < n; ++k) {
        int column = k < dof[a] ? w->at[a] + k : w->at[b] + k - dof[a];
        w->H[c * rows + i + column * total] = H[i + k * rows];
      }
  }
}

static world *world_create(uint64_t seed, bool forces) {
  world *w = calloc(1, sizeof *w);
  assert_non_null(w);
  w->model = nsds_model_create(NULL);
  add_systems(w, &seed, forces);
  add_interactions(w, &seed);
  assert_int_equal(nsds_error(nsds_model_context(w->model)), NSDS_OK);
  return w;
}

static void world_destroy(world *w) {
  nsds_model_destroy(w->model);
  free(w);
}

/* b := A^-1 b for nrhs columns, by elimination with row exchanges. */
static void dense_solve(int n, const double *A, int nrhs, double *b) {
  double L[all * all];
  memcpy(L, A, (size_t)(n * n) * sizeof *L);
  for (int k = 0; k < n; ++k) {
    int pivot = k;
    for (int i = k + 1; i < n; ++i)
      if (fabs(L[i + k * n]) > fabs(L[pivot + k * n])) pivot = i;
    for (int j = 0; j < n + nrhs; ++j) {
      double *column = j < n ? L + j * n : b + (j - n) * n, swap = column[k];
      column[k] = column[pivot];
      column[pivot] = swap;
    }
    for (int i = k + 1; i < n; ++i) {
      double f = L[i + k * n] / L[k + k * n];
      for (int j = k; j < n; ++j) L[i + j * n] -= f * L[k + j * n];
      for (int j = 0; j < nrhs; ++j) b[i + j * n] -= f * b[k + j * n];
    }
  }
  for (int j = 0; j < nrhs; ++j)
    for (int i = n; i-- > 0;) {
      for (int k = i + 1; k < n; ++k) b[i + j * n] -= L[i + k * n] * b[k + j * n];
      b[i + j * n] /= L[i + i * n];
    }
}

/* H (M + c C + k K)^-1 H^T */
static void delassus(const world *w, double c, double k, double *D) {
  int n = w->nv;
  static double W[all * all], Y[all * total];
  for (int e = 0; e < n * n; ++e) W[e] = w->M[e] + c * w->C[e] + k * w->K[e];
  for (int i = 0; i < total; ++i)
    for (int j = 0; j < n; ++j) Y[j + i * n] = w->H[i + j * total];
  dense_solve(n, W, total, Y);
  for (int i = 0; i < total; ++i)
    for (int j = 0; j < total; ++j) {
      D[i + j * total] = 0.0;
      for (int e = 0; e < n; ++e) D[i + j * total] += w->H[i + e * total] * Y[e + j * n];
    }
}

/* ---- a plan with two problems ---- */

typedef struct two {
  nsds_plan plan;
  nsds_one_step step, impact;
  nsds_scheme scheme;
} two;

static two *two_create(world *w, double h, double theta) {
  nsds_context *context = nsds_model_context(w->model);
  two *p = calloc(1, sizeof *p);
  assert_non_null(p);
  p->plan.context = context;
  p->plan.model = w->model;
  p->plan.schemes.integrator[1] = &nsds_euler_moreau_integrator;
  p->plan.schemes.integrator[2] = &nsds_moreau_jean_integrator;
  p->scheme = (nsds_scheme){.t_next = h,
                            .h = h,
                            .theta = theta,
                            .gamma = 1.0,
                            .gamma_mass = 1.0,
                            .input_new = 1.0,
                            .relation_weight = 1.0};
  nsds_one_step_create(&p->plan, false, &p->step);
  nsds_one_step_create(&p->plan, true, &p->impact);
  p->step.solver = nsds_solver_create(context, NULL);
  p->impact.solver = nsds_solver_create(context, NULL);
  return p;
}

static void two_destroy(two *p) {
  nsds_solver_destroy(p->step.solver);
  nsds_solver_destroy(p->impact.solver);
  nsds_one_step_destroy(&p->impact);
  nsds_one_step_destroy(&p->step);
  nsds_plan_destroy(&p->plan);
  free(p);
}

/* The problem of the step, and that of its start, whose velocities are those of the model. */
static void form_step(two *p) {
  nsds_plan *plan = &p->plan;
  for (int s = 0; s < plan->nslot; ++s)
    assert_int_equal(plan->slot[s].osi->free(&plan->slot[s].on), NSDS_OK);
  assert_int_equal(nsds_one_step_select(&p->step, 0.5 * p->scheme.h, NULL), NSDS_OK);
  nsds_one_step_form(&p->step);
}

static void form_impact(two *p) {
  nsds_plan *plan = &p->plan;
  const nsds_state *now = &plan->model->state;
  memcpy(plan->v_free, now->v, plan->model->size.nv * sizeof *now->v);
  assert_int_equal(nsds_contact_operator_gains(&p->impact.op, now), NSDS_OK);
  assert_int_equal(nsds_one_step_select(&p->impact, 0.0, NULL), NSDS_OK);
  nsds_one_step_form(&p->impact);
}

static void check_matrix(const nsds_one_step *o, const double *expected) {
  static double M[total * total];
  assert_int_equal(o->problem.n, total);
  nsds_problem_to_dense(&o->problem, M);
  double scale = 0.0;
  for (int k = 0; k < total * total; ++k) scale = fmax(scale, fabs(expected[k]));
  for (int k = 0; k < total * total; ++k)
    if (!(fabs(M[k] - expected[k]) <= 1e-12 * scale)) /* condition of M: some hundreds */
      fail_msg("entry %d,%d is %.17g, expected %.17g", k % total, k / total, M[k], expected[k]);
}

/* Everything that a problem has handed to its solver and got back. */
typedef struct copy {
  double M[total * total], q[total], z[total], w[total];
  uint64_t stamp;
  int n;
} copy;

static void take(const nsds_one_step *o, copy *c) {
  memset(c, 0, sizeof *c);
  c->n = o->problem.n;
  c->stamp = o->problem.M.stamp;
  nsds_problem_to_dense(&o->problem, c->M);
  memcpy(c->q, o->q, sizeof c->q);
  memcpy(c->z, o->z, sizeof c->z);
  memcpy(c->w, o->w, sizeof c->w);
}

static void assert_same(const copy *a, const copy *b) { assert_memory_equal(a, b, sizeof *a); }

static void solve(nsds_one_step *o) {
  nsds_solver_info info;
  assert_int_equal(nsds_one_step_solve(o, &info), NSDS_OK);
}

/* ---- tests ---- */

static void both_matrices_are_right(void **state) {
  (void)state;
  static double expected[total * total];
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    double h = 0.02 * (double)seed, theta = 0.5 + 0.02 * (double)seed;
    world *w = world_create(seed, true);
    two *p = two_create(w, h, theta);
    assert_int_equal(nsds_plan_update(&p->plan, &p->scheme), NSDS_OK);
    form_step(p);
    delassus(w, h * theta, h * h * theta * theta, expected);
    check_matrix(&p->step, expected);
    form_impact(p);
    check_matrix(&p->step, expected);
    delassus(w, 0.0, 0.0, expected);
    check_matrix(&p->impact, expected);
    two_destroy(p);
    world_destroy(w);
  }
}

/* Without C and K the gains are the same. */
static void without_damping_and_stiffness_they_agree(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 5; ++seed) {
    world *w = world_create(seed, false);
    two *p = two_create(w, 0.1, 0.75);
    assert_int_equal(nsds_plan_update(&p->plan, &p->scheme), NSDS_OK);
    form_impact(p);
    form_step(p);
    copy a, b;
    take(&p->step, &a);
    take(&p->impact, &b);
    assert_memory_equal(a.M, b.M, sizeof a.M);
    two_destroy(p);
    world_destroy(w);
  }
}

static void solving_one_leaves_the_other(void **state) {
  (void)state;
  copy step, impact, now;
  for (uint64_t seed = 30; seed < 35; ++seed) {
    world *w = world_create(seed, true);
    two *p = two_create(w, 0.05, 0.5);
    assert_int_equal(nsds_plan_update(&p->plan, &p->scheme), NSDS_OK);
    form_step(p);
    take(&p->step, &step);
    form_impact(p);
    take(&p->step, &now);
    assert_same(&step, &now);
    solve(&p->impact);
    take(&p->step, &now);
    assert_same(&step, &now);
    take(&p->impact, &impact);
    solve(&p->step);
    take(&p->impact, &now);
    assert_same(&impact, &now);
    nsds_one_step_apply(&p->step);
    nsds_one_step_apply(&p->impact);
    /* the impact takes the velocity of every row: H v+ = 0, v+ = v + M^-1 H^T P */
    for (int i = 0; i < total; ++i) {
      double sum = 0.0;
      for (int k = 0; k < w->nv; ++k) sum += w->H[i + k * total] * p->plan.trial.v[k];
      assert_true(fabs(sum) < 1e-9);
    }
    two_destroy(p);
    world_destroy(w);
  }
}

/* The plan goes on with both when h changes and interactions come and go. */
static void both_follow_changes(void **state) {
  (void)state;
  static double expected[total * total];
  world *w = world_create(77, true);
  two *p = two_create(w, 0.05, 0.5);
  for (int k = 0; k < 6; ++k) {
    p->scheme.h = p->scheme.t_next = 0.05 * (k / 2 + 1);
    double c = p->scheme.h * 0.5;
    assert_int_equal(nsds_plan_update(&p->plan, &p->scheme), NSDS_OK);
    form_step(p);
    form_impact(p);
    delassus(w, c, c * c, expected);
    check_matrix(&p->step, expected);
    delassus(w, 0.0, 0.0, expected);
    check_matrix(&p->impact, expected);
    solve(&p->step);
    solve(&p->impact);
    /* the last interaction anew, in another place of the state perhaps */
    nsds_interaction *last = nsds_interaction_at(w->model, pairs - 1);
    int a = (pairs - 1) % systems, b = (pairs + (pairs - 1) / systems) % systems;
    nsds_ds *ds[2] = {w->ds[a], w->ds[b]};
    double H[rows * 2 * most];
    for (int j = 0; j < dof[a] + dof[b]; ++j)
      for (int i = 0; i < rows; ++i) {
        int column = j < dof[a] ? w->at[a] + j : w->at[b] + j - dof[a];
        H[i + j * rows] = w->H[total - rows + i + column * total];
      }
    assert_int_equal(nsds_disconnect(last), NSDS_OK);
    nsds_relation *relation = nsds_lagrangian_linear_relation(
        w->model,
        &(nsds_lagrangian_linear_relation_def){.ny = rows, .nq = dof[a] + dof[b], .H = H});
    assert_non_null(nsds_connect(w->model, relation, nsds_equality(w->model), 2, ds));
  }
  two_destroy(p);
  world_destroy(w);
}

/* What the step has in the matrices of its systems outlives a problem at an instant. */
static void an_instant_leaves_the_matrices_of_the_step(void **state) {
  (void)state;
  static double before[systems][most * most];
  world *w = world_create(91, true);
  two *p = two_create(w, 0.1, 0.75);
  assert_int_equal(nsds_plan_update(&p->plan, &p->scheme), NSDS_OK);
  form_step(p);
  for (int s = 0; s < systems; ++s) {
    const nsds_slot *slot = &p->plan.slot[s];
    memcpy(before[s], slot->W, nsds_value_count(slot->pattern.p, slot->nv) * sizeof *slot->W);
  }
  form_impact(p);
  for (int s = 0; s < systems; ++s) {
    const nsds_slot *slot = &p->plan.slot[s];
    assert_memory_equal(before[s], slot->W,
                        nsds_value_count(slot->pattern.p, slot->nv) * sizeof *slot->W);
  }
  two_destroy(p);
  world_destroy(w);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(both_matrices_are_right),
      cmocka_unit_test(without_damping_and_stiffness_they_agree),
      cmocka_unit_test(solving_one_leaves_the_other),
      cmocka_unit_test(both_follow_changes),
      cmocka_unit_test(an_instant_leaves_the_matrices_of_the_step),
  };
  return cmocka_run_group_tests_name("assembly.two_problems", tests, NULL, NULL);
}
