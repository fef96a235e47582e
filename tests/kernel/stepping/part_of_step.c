/*
 * A step as a part of a larger problem: which contacts take part and in which order, factors for any
 * number of rows, impulses and velocities from outside.
 */
#include "support.h"

#include <nsds/extend_step.h>
#include <nsds/rigid_body.h>
#include <nsds/shapes.h>

enum { balls = 24 };
static const double radius = 0.1, h = 1e-3;

/* A heap of balls over a floor; `batch` uses nsds_spheres(). */
static nsds_contact_set *make_heap(nsds_model *m, uint64_t seed, bool batch, nsds_ds **ball) {
  static const double unit[9] = {0.004, 0, 0, 0, 0.004, 0, 0, 0, 0.004};
  for (int k = 0; k < balls; ++k) {
    double q[7] = {0.19 * (k % 3) + random_in(&seed, 0.0, 0.01),
                   0.19 * (k / 3 % 3) + random_in(&seed, 0.0, 0.01),
                   0.1 + 0.19 * (k / 9) + random_in(&seed, 0.0, 0.005), 1.0};
    double v[6] = {random_in(&seed, -0.1, 0.1), random_in(&seed, -0.1, 0.1), 0.0};
    ball[k] = nsds_rigid_body(
        m, &(nsds_rigid_body_def){
               .mass = 1.0, .inertia = unit, .q0 = q, .v0 = v, .gravity = {0, 0, -9.81}});
  }
  if (batch)
    return nsds_spheres(
        m, &(nsds_spheres_def){
               .law = nsds_newton_impact_friction(m, &(nsds_newton_impact_friction_def){.mu = 0.3}),
               .count = balls,
               .ds = ball,
               .radius = radius,
               .nplane = 1,
               .plane = &(nsds_plane){.normal = {0, 0, 1}}});
  static const nsds_material material = {.mu = 0.3};
  nsds_contact_set *set =
      nsds_shapes(m, &(nsds_shapes_def){.nmaterial = 1, .material = &material, .reach = 0.01});
  nsds_shapes_add(set, &(nsds_shape_def){.kind = NSDS_HALF_SPACE, .plane.normal = {0, 0, 1}});
  for (int k = 0; k < balls; ++k)
    nsds_shapes_add(set, &(nsds_shape_def){.kind = NSDS_SPHERE, .radius = radius, .ds = ball[k]});
  return set;
}

static nsds_simulation *start(nsds_model *m) {
  nsds_simulation *s = nsds_time_stepping(
      m, &(nsds_time_stepping_def){.t1 = 10.0, .h = h, .overlap_sweeps = NSDS_OVERLAP_STAYS});
  assert_sound(m);
  return s;
}

/* ---- choice ---- */

typedef struct choice {
  int asked, taken, modulus; /* every modulus-th key is left out; 0: none */
} choice;

static uint64_t mix(uint64_t key) { return key * UINT64_C(0x9E3779B97F4A7C15) >> 40; }

static bool choose(const nsds_contact_point *point, uint64_t *order, void *user) {
  choice *c = user;
  assert_true(order[0] == 0 && order[1] == 0);
  ++c->asked;
  order[0] = mix(point->key) % 4;
  order[1] = mix(point->key);
  bool taken = c->modulus == 0 || mix(point->key) % (uint64_t)c->modulus != 0;
  c->taken += taken;
  return taken;
}

static void contacts_are_chosen_and_ordered(void **state) {
  (void)state;
  for (int k = 0; k < 8; ++k) {
    nsds_model *m = nsds_model_create(NULL);
    nsds_ds *ball[balls];
    choice c = {.modulus = k / 2 == 3 ? 0 : 2 + k / 2};
    nsds_contact_set *set = make_heap(m, (uint64_t)k, k % 2 == 1, ball);
    nsds_simulation *s = start(m);
    assert_ok(m, nsds_contact_set_choose(set, choose, &c));
    for (int n = 0; n < 20; ++n) {
      c.asked = c.taken = 0;
      assert_ok(m, nsds_step(s));
      assert_true(c.asked > balls / 2 && (c.modulus == 0 || c.taken < c.asked));
      assert_int_equal(nsds_contact_set_count(set), c.taken);
      nsds_contact_info before, now = {0};
      for (int i = 0; i < c.taken; ++i) {
        before = now;
        assert_ok(m, nsds_contact_set_get(set, i, &now));
        assert_true(c.modulus == 0 || mix(now.key) % (uint64_t)c.modulus != 0);
        if (i == 0) continue;
        uint64_t a = mix(before.key) % 4, b = mix(now.key) % 4;
        assert_true(a < b || (a == b && mix(before.key) <= mix(now.key)));
      }
    }
    nsds_model_destroy(m);
  }
}

static bool take_all(const nsds_contact_point *point, uint64_t *order, void *user) {
  (void)point, (void)order, (void)user;
  return true;
}

static void a_choice_of_all_changes_no_bit(void **state) {
  (void)state;
  for (int k = 0; k < 4; ++k) {
    nsds_model *m[2] = {nsds_model_create(NULL), nsds_model_create(NULL)};
    nsds_ds *ball[2][balls];
    nsds_simulation *s[2];
    for (int i = 0; i < 2; ++i) {
      nsds_contact_set *set = make_heap(m[i], 100 + (uint64_t)k, k % 2 == 1, ball[i]);
      s[i] = start(m[i]);
      if (i == 1) assert_ok(m[i], nsds_contact_set_choose(set, take_all, NULL));
    }
    for (int n = 0; n < 30; ++n) {
      for (int i = 0; i < 2; ++i) assert_ok(m[i], nsds_step(s[i]));
      for (int b = 0; b < balls; ++b)
        assert_memory_equal(nsds_q(ball[0][b]), nsds_q(ball[1][b]), 7 * sizeof(double));
    }
    nsds_model_destroy(m[0]);
    nsds_model_destroy(m[1]);
  }
}

static void a_choice_is_refused_where_contacts_are_followed(void **state) {
  (void)state;
  nsds_model *m = nsds_model_create(NULL);
  nsds_ds *ball[balls];
  nsds_contact_set *set = make_heap(m, 1, false, ball);
  assert_ok(m, nsds_contact_set_choose(set, take_all, NULL));
  nsds_simulation *s = nsds_time_stepping(
      m, &(nsds_time_stepping_def){.t1 = 1.0, .h = h, .second_order = nsds_rattle()});
  assert_sound(m);
  assert_status(m, nsds_step(s), NSDS_ERROR_UNSUPPORTED);
  nsds_error_clear(nsds_model_context(m));
  assert_ok(m, nsds_contact_set_choose(set, NULL, NULL));
  assert_ok(m, nsds_step(s));
  assert_int_equal(nsds_contact_set_choose(NULL, take_all, NULL), NSDS_ERROR_ARGUMENT);
  nsds_model_destroy(m);
}

/* ---- problem and impulses ---- */

typedef struct outside {
  const nsds_factored *f;
  const double *z;
  int nv, calls;
  double off, kick; /* the kick goes to the first ball */
} outside;

/* Compares v with the free ones and Y z, and adds a kick. */
static void complete(const double *unforced, double *v, void *user) {
  outside *o = user;
  double sum[6 * balls] = {0.0};
  for (int a = 0; o->f && a < o->f->nrow_block; ++a)
    for (int e = o->f->first_edge[a]; e < o->f->first_edge[a + 1]; ++e) {
      const nsds_edge *edge = &o->f->edge[e];
      int row = o->f->row[a], rows = o->f->row[a + 1] - row;
      for (int c = 0; c < edge->size; ++c)
        for (int j = 0; j < rows; ++j)
          sum[edge->column + c] +=
              (edge->Y ? edge->Y[c + j * edge->size]
                       : o->f->gain[edge->column + c] * edge->H[j + c * rows]) *
              o->z[row + j];
    }
  for (int k = 0; k < o->nv; ++k) o->off = fmax(o->off, fabs(v[k] - unforced[k] - sum[k]));
  v[0] += o->kick;
  ++o->calls;
}

/* Solves the problem with factors as a program would, and steps with its answer. */
static void embed_step(nsds_model *m, nsds_simulation *s, nsds_solver *solver, outside *o) {
  double z[400] = {0.0}, w[400];
  assert_ok(m, nsds_step_begin(s));
  const nsds_problem *p = nsds_step_problem(s);
  o->f = p ? p->M.factored : NULL;
  o->z = z;
  if (p) {
    assert_true(p->n <= 400 && p->M.storage == NSDS_FACTORED);
    assert_int_equal(p->nblock, p->M.factored->nrow_block);
    assert_ok(m, nsds_problem_check(nsds_model_context(m), p));
    assert_ok(m, nsds_solve(solver, p, z, w, NULL));
    assert_int_equal(nsds_step_contact(s, -1, NULL), -1);
    assert_int_equal(nsds_step_contact(s, p->nblock, NULL), -1);
    for (int a = 0; a < p->nblock; ++a) {
      nsds_contact_set *set = NULL;
      nsds_contact_info c;
      int k = nsds_step_contact(s, a, &set);
      assert_ok(m, nsds_contact_set_get(set, k, &c));
      int bodies = p->M.factored->first_edge[a + 1] - p->M.factored->first_edge[a];
      assert_int_equal(bodies, c.ds[1] ? 2 : 1);
      for (int e = 0; e < bodies; ++e)
        assert_int_equal(p->M.factored->edge[p->M.factored->first_edge[a] + e].column,
                         6 * nsds_ds_index(c.ds[e]));
    }
  }
  assert_ok(m, nsds_step_embed(s, z, complete, o));
  assert_ok(m, nsds_step_update(s));
  assert_ok(m, nsds_step_accept(s));
}

static void impulses_come_from_outside(void **state) {
  (void)state;
  for (int k = 0; k < 4; ++k) {
    nsds_model *m[2] = {nsds_model_create(NULL), nsds_model_create(NULL)};
    nsds_ds *ball[2][balls];
    nsds_simulation *s[2];
    for (int i = 0; i < 2; ++i) {
      make_heap(m[i], 200 + (uint64_t)k, k % 2 == 1, ball[i]);
      s[i] = start(m[i]);
    }
    nsds_solver *solver = nsds_solver_create(nsds_model_context(m[1]), "auto");
    assert_ok(m[1], nsds_solver_set(solver, "tolerance", 1e-12));
    outside o = {.nv = 6 * balls};
    for (int n = 0; n < 30; ++n) {
      assert_ok(m[0], nsds_step(s[0]));
      embed_step(m[1], s[1], solver, &o);
      assert_int_equal(o.calls, n + 1);
    }
    assert_true(o.off < 1e-13);
    for (int b = 0; b < balls; ++b)
      for (int i = 0; i < 3; ++i)
        assert_true(fabs(nsds_q(ball[0][b])[i] - nsds_q(ball[1][b])[i]) < 1e-7);
    nsds_solver_destroy(solver);
    nsds_model_destroy(m[0]);
    nsds_model_destroy(m[1]);
  }
}

/* The position follows the completed velocity: q' = q + h (v + v') / 2. */
static void positions_follow_completed_velocities(void **state) {
  (void)state;
  nsds_model *m = nsds_model_create(NULL);
  nsds_ds *ball[balls];
  make_heap(m, 7, false, ball);
  nsds_simulation *s = start(m);
  nsds_solver *solver = nsds_solver_create(nsds_model_context(m), "auto");
  outside o = {.nv = 6 * balls, .kick = 0.25};
  double q = nsds_q(ball[0])[0], v = nsds_v(ball[0])[0];
  embed_step(m, s, solver, &o);
  assert_true(fabs(nsds_v(ball[0])[0] - v) > 0.2);
  assert_true(fabs(nsds_q(ball[0])[0] - q - 0.5 * h * (v + nsds_v(ball[0])[0])) < 1e-15);
  o.calls = 0;
  assert_ok(m, nsds_step(s)); /* later steps are not asked */
  assert_int_equal(o.calls, 0);
  nsds_solver_destroy(solver);
  nsds_model_destroy(m);
}

static void wrong_calls_are_refused(void **state) {
  (void)state;
  nsds_model *m = nsds_model_create(NULL);
  nsds_ds *ball[balls];
  make_heap(m, 9, false, ball);
  nsds_simulation *s = start(m);
  double z[400] = {0.0};
  assert_null(nsds_step_problem(s));
  assert_null(nsds_step_problem(NULL));
  assert_int_equal(nsds_step_contact(s, 0, NULL), -1);
  assert_status(m, nsds_step_embed(s, z, NULL, NULL), NSDS_ERROR_STATE);
  nsds_error_clear(nsds_model_context(m));
  assert_ok(m, nsds_step_begin(s));
  assert_status(m, nsds_step_embed(s, NULL, NULL, NULL), NSDS_ERROR_ARGUMENT);
  nsds_error_clear(nsds_model_context(m));
  z[2] = NAN;
  assert_status(m, nsds_step_embed(s, z, NULL, NULL), NSDS_ERROR_VALUE);
  nsds_error_clear(nsds_model_context(m));
  z[2] = 0.0;
  assert_ok(m, nsds_step_embed(s, z, NULL, NULL)); /* judged elsewhere */
  assert_ok(m, nsds_step_update(s));
  assert_ok(m, nsds_step_reject(s));
  assert_ok(m, nsds_step(s));
  assert_int_equal(nsds_step_embed(NULL, z, NULL, NULL), NSDS_ERROR_ARGUMENT);
  nsds_model_destroy(m);
}

/* ---- positions ---- */

/* Takes a step that leaves the balls in overlap, up to its end. */
static void step_without_impulses(nsds_model *m, nsds_simulation *s) {
  static const double none[400];
  assert_ok(m, nsds_step_begin(s));
  assert_ok(m, nsds_step_embed(s, none, NULL, NULL));
  assert_ok(m, nsds_step_update(s));
}

static double along(const double *row, const double *way) {
  double sum = 0.0;
  for (int k = 0; k < 6; ++k) sum += row[k] * way[k];
  return sum;
}

/* Gaps are those of the contacts, and follow a displacement by H. */
static void gaps_follow_a_displacement(void **state) {
  (void)state;
  nsds_model *m = nsds_model_create(NULL);
  nsds_ds *ball[balls];
  nsds_contact_set *set = make_heap(m, 3, false, ball);
  nsds_simulation *s = start(m);
  nsds_step_gap gap[200], moved[200];
  double way[6 * balls], y[200], q = 0.0;
  int count = 0, again = 0, deep = 0;
  uint64_t seed = 5;
  for (int k = 0; k < 6 * balls; ++k) way[k] = k % 6 < 3 ? random_in(&seed, -1e-6, 1e-6) : 0.0;
  for (int n = 0; n < 20; ++n) {
    if (n > 0) assert_ok(m, nsds_step_accept(s));
    step_without_impulses(m, s);
  }
  assert_ok(m, nsds_step_gaps(s, 200, gap, &count));
  assert_true(count > balls / 2 && count <= 200);
  assert_ok(m, nsds_step_gaps(s, 0, NULL, &again));
  assert_int_equal(again, count);
  assert_ok(m, nsds_step_displace(s, way));
  assert_ok(m, nsds_step_gaps(s, 200, moved, &again));
  for (int k = 0; k < count; ++k) {
    double change = 0.0;
    for (int e = 0; e < 2; ++e) {
      if (gap[k].body[e] < 0) continue;
      change += along(gap[k].H[e], way + 6 * (ptrdiff_t)gap[k].body[e]);
      for (int c = 0; c < 3; ++c) /* the mass is 1 */
        assert_true(fabs(gap[k].Y[e][c] - gap[k].H[e][c]) < 1e-14);
      assert_false(gap[k].held[e]);
    }
    assert_true(fabs(gap[k].overlap - moved[k].overlap - change) < 1e-15);
    assert_true(gap[k].impulse == 0.0 && gap[k].taken == 0.0);
    deep += gap[k].row >= 0 && gap[k].overlap > 1e-4;
    y[k] = moved[k].overlap;
  }
  assert_true(deep > 3);
  q = nsds_q(ball[4])[1];
  assert_ok(m, nsds_step_accept(s));
  assert_true(nsds_q(ball[4])[1] != q);
  for (int k = 0; k < count; ++k) {
    nsds_contact_info c;
    assert_ok(m, nsds_contact_set_get(set, gap[k].contact, &c));
    assert_true(fabs(y[k] + c.y[0] + h * fmax(c.ydot[0], 0.0)) < 1e-15);
  }
  nsds_model_destroy(m);
}

static void gaps_are_refused_in_other_stages(void **state) {
  (void)state;
  nsds_model *m = nsds_model_create(NULL);
  nsds_ds *ball[balls];
  make_heap(m, 3, false, ball);
  nsds_simulation *s = start(m);
  double way[6 * balls] = {0.0};
  int count = 0;
  assert_status(m, nsds_step_gaps(s, 0, NULL, &count), NSDS_ERROR_STATE);
  nsds_error_clear(nsds_model_context(m));
  assert_status(m, nsds_step_displace(s, way), NSDS_ERROR_STATE);
  nsds_error_clear(nsds_model_context(m));
  step_without_impulses(m, s);
  assert_status(m, nsds_step_gaps(s, 0, NULL, NULL), NSDS_ERROR_ARGUMENT);
  nsds_error_clear(nsds_model_context(m));
  assert_status(m, nsds_step_displace(s, NULL), NSDS_ERROR_ARGUMENT);
  nsds_error_clear(nsds_model_context(m));
  way[8] = INFINITY;
  assert_status(m, nsds_step_displace(s, way), NSDS_ERROR_VALUE);
  nsds_error_clear(nsds_model_context(m));
  assert_ok(m, nsds_step_reject(s));
  assert_ok(m, nsds_step(s));
  assert_int_equal(nsds_step_gaps(NULL, 0, NULL, &count), NSDS_ERROR_ARGUMENT);
  assert_int_equal(nsds_step_displace(NULL, way), NSDS_ERROR_ARGUMENT);
  nsds_model_destroy(m);
}

/* Two sets have the same shapes under other numbers: names give their contacts the same keys. */
static void names_make_keys(void **state) {
  (void)state;
  nsds_model *m[2] = {nsds_model_create(NULL), nsds_model_create(NULL)};
  uint64_t key[2][200];
  int count[2];
  for (int i = 0; i < 2; ++i) {
    nsds_ds *ball[balls];
    nsds_contact_set *set = make_heap(m[i], 11, false, ball);
    if (i == 1) assert_ok(m[i], nsds_shapes_remove(set, 0)); /* the floor comes last */
    if (i == 1)
      assert_int_equal(nsds_shapes_add(set, &(nsds_shape_def){.kind = NSDS_HALF_SPACE,
                                                              .plane.normal = {0, 0, 1}}),
                       balls + 1);
    assert_ok(m[i], nsds_shapes_name(set, i == 0 ? 0 : balls + 1, 1000));
    for (int k = 0; k < balls; ++k)
      assert_ok(m[i], nsds_shapes_name(set, k + 1, (uint64_t)k * k + 1));
    nsds_simulation *s = start(m[i]);
    assert_ok(m[i], nsds_step(s));
    count[i] = nsds_contact_set_count(set);
    for (int k = 0; k < count[i]; ++k) {
      nsds_contact_info c;
      assert_ok(m[i], nsds_contact_set_get(set, k, &c));
      key[i][k] = c.key;
      for (int j = 0; j < k; ++j) assert_true(key[i][j] != c.key);
    }
    assert_status(m[i], nsds_shapes_name(set, 1, 0), NSDS_ERROR_VALUE);
    nsds_error_clear(nsds_model_context(m[i]));
    assert_status(m[i], nsds_shapes_name(set, balls + 7, 5), NSDS_ERROR_ARGUMENT);
    nsds_error_clear(nsds_model_context(m[i]));
  }
  assert_true(count[0] == count[1] && count[0] > balls / 2);
  for (int k = 0; k < count[0]; ++k) {
    bool found = false;
    for (int j = 0; j < count[1]; ++j) found = found || key[1][j] == key[0][k];
    assert_true(found);
  }
  nsds_model_destroy(m[0]);
  nsds_model_destroy(m[1]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(contacts_are_chosen_and_ordered),
      cmocka_unit_test(a_choice_of_all_changes_no_bit),
      cmocka_unit_test(a_choice_is_refused_where_contacts_are_followed),
      cmocka_unit_test(impulses_come_from_outside),
      cmocka_unit_test(positions_follow_completed_velocities),
      cmocka_unit_test(wrong_calls_are_refused),
      cmocka_unit_test(gaps_follow_a_displacement),
      cmocka_unit_test(gaps_are_refused_in_other_stages),
      cmocka_unit_test(names_make_keys),
  };
  return cmocka_run_group_tests_name("kernel.part_of_step", tests, NULL, NULL);
}
