/*
 * Contact sets over a geometry of the test: contacts that come and go in any order, beside
 * interactions and other sets; against twins with interactions alone.
 */
#include "found.h"

static const double g = 9.81;

static nsds_ds *body(nsds_model *model, double mass, double q, double v) {
  return nsds_lagrangian_linear(
      model, &(nsds_lagrangian_linear_def){
                 .ndof = 1, .q0 = &q, .v0 = &v, .mass = &mass, .fext = (double[]){-g * mass}});
}

/* ---- sets and interactions in one model, beside interactions alone ---- */

enum { bodies = 24, contacts = 2 * bodies - 1 };

/* Contact k of the scene: floor of body k, or of bodies k - n and k - n + 1. */
typedef struct twin {
  nsds_model *model;
  nsds_simulation *simulation;
  nsds_ds *ds[bodies];
  nsds_relation *floor, *pair;
  nsds_law *law;
  nsds_interaction *edge[contacts];
} twin;

static double floor_at(int k) { return 0.05 * k; }

static twin twin_create(void) {
  twin w = {.model = nsds_model_create(NULL)};
  uint64_t seed = 11;
  for (int k = 0; k < bodies; ++k)
    w.ds[k] = body(w.model, random_in(&seed, 0.5, 2.0), 0.05 * k + random_in(&seed, 0.0, 0.02),
                   random_in(&seed, -1.0, 1.0));
  w.floor = nsds_lagrangian_linear_relation(
      w.model, &(nsds_lagrangian_linear_relation_def){
                   .ny = 1, .nq = 1, .H = (double[]){1.0}, .nZ = 1, .F = (double[]){-1.0}});
  w.pair = nsds_lagrangian_linear_relation(
      w.model, &(nsds_lagrangian_linear_relation_def){
                   .ny = 1, .nq = 2, .H = (double[]){-1.0, 1.0}, .b = (double[]){-0.03}});
  w.law = nsds_newton_impact(w.model, 0.3);
  w.simulation = nsds_time_stepping(
      w.model,
      &(nsds_time_stepping_def){.t1 = 100.0, .h = 1e-3, .overlap_sweeps = NSDS_OVERLAP_STAYS});
  assert_sound(w.model);
  return w;
}

static void edge_connect(twin *w, int k) {
  if (k < bodies) {
    double z = floor_at(k);
    w->edge[k] = nsds_connect(w->model, w->floor, w->law, 1, &w->ds[k]);
    nsds_interaction_set_z(w->edge[k], 1, &z);
  } else {
    w->edge[k] = nsds_connect(w->model, w->pair, w->law, 2, &w->ds[k - bodies]);
  }
  assert_sound(w->model);
}

static void edge_remove(twin *w, int k) {
  assert_ok(w->model, nsds_disconnect(w->edge[k]));
  w->edge[k] = NULL;
}

static found_item *find_item(found *f, int k) {
  for (int i = 0; i < f->count; ++i)
    if (f->item[i].key == (uint64_t)k) return &f->item[i];
  fail();
  return NULL;
}

static void fill(found *f, const twin *w, int first, int last, int every) {
  for (int k = first; k < last; k += every) {
    found_item *item = k < bodies ? found_add(f, w->ds[k], NULL, (double[]){1.0}, -floor_at(k))
                                  : found_add(f, w->ds[k - bodies], w->ds[k - bodies + 1],
                                              (double[]){-1.0, 1.0}, -0.03);
    item->key = (uint64_t)k;
    item->away = true;
  }
}

/* Every third contact is an interaction in both, the others are in two sets in one of them. */
static void beside_interactions(void **state) {
  bool shuffle = *state != NULL;
  twin a = twin_create(), b = twin_create();
  found set[2];
  for (int s = 0; s < 2; ++s) {
    found_create(&set[s], a.model, NULL, a.law, 1);
    fill(&set[s], &a, s, contacts, 3);
    set[s].shuffle = shuffle;
  }
  uint64_t seed = 5;
  bool destroyed = false;
  int most = 0, touched = 0;
  for (int step = 0; step < 1500; ++step) {
    for (int times = 0; times < 4; ++times) {
      int k = (int)random_in(&seed, 0.0, contacts), kind = k % 3;
      if (kind == 0 && destroyed) continue;
      if (b.edge[k]) edge_remove(&b, k);
      else edge_connect(&b, k);
      if (kind < 2) find_item(&set[kind], k)->away = !b.edge[k];
      else if (b.edge[k]) edge_connect(&a, k);
      else edge_remove(&a, k);
    }
    if (step == 500 || step == 700) { /* the first set goes with its contacts, and comes again */
      for (int k = 0; k < contacts; k += 3) {
        if (step == 500 && b.edge[k]) edge_remove(&b, k);
      }
      if (step == 500) assert_ok(a.model, nsds_contact_set_destroy(set[0].set));
      destroyed = step == 500;
      assert_int_equal(set[0].destroyed, 1);
      if (step == 700) {
        found_create(&set[0], a.model, NULL, a.law, 1);
        fill(&set[0], &a, 0, contacts, 3);
        set[0].shuffle = shuffle;
      }
    }
    if (step % 100 == 0)
      for (int k = 0; k < bodies; ++k) {
        double q = floor_at(k) + random_in(&seed, 0.0, 0.02), v = random_in(&seed, -1.0, 1.0);
        assert_ok(a.model, nsds_set_state(a.ds[k], &q, &v));
        assert_ok(b.model, nsds_set_state(b.ds[k], &q, &v));
      }
    assert_ok(a.model, nsds_step(a.simulation));
    assert_ok(b.model, nsds_step(b.simulation));
    int there = 0;
    for (int s = destroyed; s < 2; ++s) there += nsds_contact_set_count(set[s].set);
    assert_int_equal(there + nsds_interaction_count(a.model), nsds_interaction_count(b.model));
    assert_int_equal(nsds_simulation_info(a.simulation)->active,
                     nsds_simulation_info(b.simulation)->active);
    for (int k = 0; k < bodies; ++k) {
      assert_near(*nsds_q(a.ds[k]), *nsds_q(b.ds[k]), 1e-11);
      assert_near(*nsds_v(a.ds[k]), *nsds_v(b.ds[k]), 1e-9);
      assert_near(*nsds_p(a.ds[k]), *nsds_p(b.ds[k]), 1e-9);
      /* one motion from here: an index set does not hang on the last bit for long */
      assert_ok(b.model, nsds_set_state(b.ds[k], nsds_q(a.ds[k]), nsds_v(a.ds[k])));
    }
    for (int k = 0; k < contacts; ++k) {
      nsds_contact_info info;
      if (k % 3 == 2 || (k % 3 == 0 && destroyed)) continue;
      bool here = found_get(set[k % 3].set, (uint64_t)k, &info);
      assert_true(here == (b.edge[k] != NULL));
      if (!here) continue;
      assert_true(info.active == nsds_is_active(b.edge[k]));
      assert_near(*info.y, *nsds_y(b.edge[k]), 1e-11);
      assert_near(*info.ydot, *nsds_ydot(b.edge[k]), 1e-9);
      touched += info.active;
    }
    most = there > most ? there : most;
  }
  assert_true(most > 16); /* they have grown */
  assert_true(touched > 1000);
  nsds_model_destroy(a.model);
  nsds_model_destroy(b.model);
  for (int s = 0; s < 2; ++s) assert_int_equal(set[s].destroyed, 1);
}

/* ---- keys ---- */

/* Weights at rest: each impulse stays with its key in whatever order the contacts come, and some
 * are not there in every second step. */
static void impulses_follow_keys(void **state) {
  (void)state;
  enum { n = 50 };
  nsds_model *model = nsds_model_create(NULL);
  found f;
  found_create(&f, model, "weights", nsds_newton_impact(model, 0.0), 1);
  for (int k = 0; k < n; ++k)
    found_add(&f, body(model, 1.0 + k, 0.0, 0.0), NULL, (double[]){1.0}, -0x1p-20)->key =
        UINT64_C(0x100000001) * (uint64_t)(n - k);
  f.shuffle = true;
  nsds_simulation *s = nsds_time_stepping(model, &(nsds_time_stepping_def){.t1 = 10.0, .h = 1e-3});
  for (int step = 0; step < 100; ++step) {
    for (int k = 0; k < n; k += 5) f.item[k].away = step % 2 == 1;
    assert_ok(model, nsds_step(s));
    assert_int_equal(nsds_contact_set_count(f.set), step % 2 == 1 ? n - n / 5 : n);
    for (int k = 0; k < n; ++k) {
      nsds_contact_info info;
      assert_true(found_get(f.set, f.item[k].key, &info) == !f.item[k].away);
      if (f.item[k].away || k % 5 == 0) continue;
      assert_ptr_equal(info.ds[0], f.item[k].ds[0]);
      assert_near(*info.impulse, (1.0 + k) * g * 1e-3, 1e-11);
      assert_near(*info.force, (1.0 + k) * g, 1e-8);
    }
  }
  nsds_contact_info info;
  assert_status(model, nsds_contact_set_get(f.set, n, &info), NSDS_ERROR_ARGUMENT);
  nsds_error_clear(nsds_model_context(model));
  nsds_model_destroy(model);
}

/* Sweeps over a column at rest: the first step takes thousands, one that starts from the impulses
 * of the last step few, also where the contacts come in another order. With other keys each step
 * starts from zero. */
static void impulses_start_the_next_solve(void **state) {
  (void)state;
  enum { n = 20 };
  int iterations[3][2];
  for (int kind = 0; kind < 3; ++kind) {
    nsds_model *model = nsds_model_create(NULL);
    found f;
    found_create(&f, model, NULL, nsds_newton_impact(model, 0.0), 1);
    nsds_ds *below = NULL;
    for (int k = 0; k < n; ++k) {
      nsds_ds *ds = body(model, 1.0, 0.0, 0.0);
      if (below) found_add(&f, below, ds, (double[]){-1.0, 1.0}, -0x1p-20);
      else found_add(&f, ds, NULL, (double[]){1.0}, -0x1p-20);
      below = ds;
    }
    f.shuffle = kind == 1;
    nsds_simulation *s = nsds_time_stepping(
        model,
        &(nsds_time_stepping_def){.t1 = 10.0, .h = 1e-3, .solver = "nsgs", .tolerance = 1e-8});
    assert_ok(model, nsds_solver_set(nsds_simulation_solver(s), "max_iterations", 1e6));
    for (int step = 0; step < 10; ++step) {
      for (int k = 0; kind == 2 && k < n; ++k) f.item[k].key += n;
      assert_ok(model, nsds_step(s));
      iterations[kind][step > 0] = nsds_simulation_info(s)->solver.iterations;
    }
    nsds_model_destroy(model);
  }
  print_message(
      "             sweeps in the first and tenth step: %d, %d in order; %d, %d shuffled; "
      "%d, %d under other keys\n",
      iterations[0][0], iterations[0][1], iterations[1][0], iterations[1][1], iterations[2][0],
      iterations[2][1]);
  for (int kind = 0; kind < 2; ++kind) assert_true(iterations[kind][1] <= iterations[kind][0] / 20);
  assert_int_equal(iterations[2][0], iterations[2][1]);
}

/* Two contacts of one key are two contacts: only their solves start alike. */
static void one_key_twice(void **state) {
  (void)state;
  nsds_model *model = nsds_model_create(NULL);
  found f;
  found_create(&f, model, NULL, nsds_newton_impact(model, 0.0), 1);
  for (int k = 0; k < 20; ++k)
    found_add(&f, body(model, 1.0 + k, 0.0, 0.0), NULL, (double[]){1.0}, -0x1p-20)->key = 3;
  f.shuffle = true;
  nsds_simulation *s = nsds_time_stepping(model, &(nsds_time_stepping_def){.t1 = 10.0, .h = 1e-3});
  for (int step = 0; step < 20; ++step) {
    assert_ok(model, nsds_step(s));
    assert_int_equal(nsds_contact_set_count(f.set), 20);
    for (int k = 0; k < 20; ++k) assert_near(*nsds_v(f.item[k].ds[0]), 0.0, 1e-13);
  }
  nsds_model_destroy(model);
}

/* The contact of a key moves from one set to the next, and is under the law of that one: the ball
 * that would have stayed on the floor rebounds. */
static void one_key_in_two_sets(void **state) {
  (void)state;
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *ds[2] = {body(model, 1.0, 0.0, 0.0), body(model, 1.0, 0.02, -2.0)};
  found set[2];
  for (int k = 0; k < 2; ++k) found_create(&set[k], model, NULL, nsds_newton_impact(model, k), 1);
  found_add(&set[0], ds[0], NULL, (double[]){1.0}, -0x1p-20);
  found_add(&set[0], ds[1], NULL, (double[]){1.0}, 0.0);
  found_add(&set[1], ds[1], NULL, (double[]){1.0}, 0.0)->key = 1;
  set[1].item[0].away = true;
  nsds_simulation *s = run(model, &(nsds_time_stepping_def){.t1 = 1.0, .h = 1e-3}, 5);
  set[0].item[1].away = true;
  set[1].item[0].away = false;
  for (int step = 0; step < 20; ++step) assert_ok(model, nsds_step(s));
  assert_near(*nsds_v(ds[0]), 0.0, 1e-15);
  assert_between(*nsds_v(ds[1]), 1.5, 2.1);
  nsds_model_destroy(model);
}

int main(void) {
  static int shuffled = 1;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(beside_interactions),
      cmocka_unit_test_prestate(beside_interactions, &shuffled),
      cmocka_unit_test(impulses_follow_keys),
      cmocka_unit_test(impulses_start_the_next_solve),
      cmocka_unit_test(one_key_twice),
      cmocka_unit_test(one_key_in_two_sets),
  };
  return cmocka_run_group_tests_name("kernel.contact_sets_keys", tests, NULL, NULL);
}
