/*
 * Steps of models with contact sets that fail, are cut into pieces, made in stages, repeated from a
 * saved state, or made by two simulations in turn, while the sets grow.
 */
#include "found.h"

#include <nsds/first_order.h>

static const double g = 9.81;

/* ---- a heap of balls ---- */

enum { balls = 40 };

typedef struct heap {
  nsds_model *model;
  nsds_ds *ds[balls];
  nsds_contact_set *set;
  nsds_simulation *simulation;
} heap;

/* F_ext of one ball; refuses steps longer than `longest`. */
typedef struct picky {
  double accepted, longest;
  bool always;
} picky;

static int weight(const nsds_arguments *in, double *out, void *user) {
  picky *p = user;
  if (p->always || in->t - p->accepted > p->longest * (1.0 + 1e-12)) return 1;
  p->accepted = in->t;
  out[1] = -g;
  return 0;
}

static heap drop(picky *p, int max_halvings, double h) {
  heap w = {.model = nsds_model_create(NULL)};
  uint64_t seed = 23;
  for (int k = 0; k < balls; ++k) {
    double q[] = {0.21 * (k % 8) + random_in(&seed, 0.0, 0.02), 0.15 + 0.23 * (k / 8)};
    double v[] = {random_in(&seed, -0.5, 0.5), random_in(&seed, -1.0, 0.0)};
    w.ds[k] = nsds_lagrangian_linear(
        w.model, &(nsds_lagrangian_linear_def){.ndof = 2,
                                               .q0 = q,
                                               .v0 = v,
                                               .mass = (double[]){1.0, 0.0, 0.0, 1.0},
                                               .fext = p && k == 0 ? NULL : (double[]){0.0, -g},
                                               .fext_fn = p && k == 0 ? weight : NULL,
                                               .user = p});
  }
  w.set = nsds_balls(w.model, &(nsds_balls_def){.name = "heap",
                                                .law = nsds_newton_impact(w.model, 0.2),
                                                .count = balls,
                                                .ds = w.ds,
                                                .dimension = 2,
                                                .radius = 0.1,
                                                .normal = (double[]){0.0, 1.0},
                                                .pairs = true,
                                                .reach = 0.01});
  w.simulation = nsds_time_stepping(
      w.model, &(nsds_time_stepping_def){.t1 = 8.0, .h = h, .max_halvings = max_halvings});
  assert_sound(w.model);
  return w;
}

static uint64_t heap_hash(const heap *w) { return found_hash(w->set, 1, state_hash(w->model, 1)); }

static const double h = 0.00390625; /* 1/256 */

/* ---- saved states ---- */

static void restored_runs_repeat(void **state) {
  (void)state;
  heap w = drop(NULL, 0, h);
  uint64_t first[60];
  int fewest = balls * 10, most = 0;
  for (int round = 0; round < 4; ++round) {
    for (int k = 0; k < 3 + round; ++k) assert_ok(w.model, nsds_step(w.simulation));
    assert_ok(w.model, nsds_simulation_save(w.simulation));
    uint64_t saved = heap_hash(&w);
    for (int again = 0; again < 3; ++again) {
      for (int k = 0; k < 60; ++k) {
        assert_ok(w.model, nsds_step(w.simulation));
        int count = nsds_contact_set_count(w.set);
        fewest = count < fewest ? count : fewest;
        most = count > most ? count : most;
        uint64_t hash = heap_hash(&w);
        if (again == 0) first[k] = hash;
        else assert_true(hash == first[k]);
      }
      assert_ok(w.model, nsds_simulation_restore(w.simulation));
      assert_true(heap_hash(&w) == saved);
    }
    for (int k = 0; k < 40; ++k) assert_ok(w.model, nsds_step(w.simulation));
  }
  assert_true(2 * fewest < most); /* they have grown more than once */
  assert_ok(w.model, nsds_simulation_save(w.simulation));
  assert_ok(w.model, nsds_contact_set_destroy(w.set));
  assert_status(w.model, nsds_simulation_restore(w.simulation), NSDS_ERROR_STATE);
  nsds_error_clear(nsds_model_context(w.model));
  assert_ok(w.model, nsds_step(w.simulation));
  nsds_model_destroy(w.model);
}

/* ---- pieces ---- */

/* Every step of the one is cut into four, which are the steps of the other. */
static void pieces_are_smaller_steps(void **state) {
  (void)state;
  picky cut = {.longest = h / 4.0}, easy = {.longest = 1.0};
  heap a = drop(&cut, 2, h), b = drop(&easy, 0, h / 4.0);
  int most = 0;
  for (int step = 0; step < 120; ++step) {
    double p[balls] = {0.0};
    assert_ok(a.model, nsds_step(a.simulation));
    assert_int_equal(nsds_simulation_info(a.simulation)->substeps, 4);
    for (int k = 0; k < 4; ++k) {
      assert_ok(b.model, nsds_step(b.simulation));
      for (int i = 0; i < balls; ++i) p[i] += nsds_p(b.ds[i])[1];
    }
    for (int i = 0; i < balls; ++i)
      for (int k = 0; k < 2; ++k) {
        assert_near(nsds_q(a.ds[i])[k], nsds_q(b.ds[i])[k], 1e-12);
        assert_near(nsds_v(a.ds[i])[k], nsds_v(b.ds[i])[k], 1e-10);
        if (k == 1) assert_near(nsds_p(a.ds[i])[k], p[i], 1e-10);
      }
    int count = nsds_contact_set_count(a.set);
    assert_int_equal(count, nsds_contact_set_count(b.set));
    most = count > most ? count : most;
    for (int i = 0; i < count; ++i) { /* of the last piece */
      nsds_contact_info one, other;
      assert_ok(a.model, nsds_contact_set_get(a.set, i, &one));
      assert_ok(b.model, nsds_contact_set_get(b.set, i, &other));
      assert_int_equal(one.key, other.key);
      assert_near(*one.force, *other.force, 1e-6);
      assert_near(*one.impulse, *other.impulse, 1e-9);
    }
    for (int i = 0; i < balls; ++i) /* one motion from here */
      assert_ok(b.model, nsds_set_state(b.ds[i], nsds_q(a.ds[i]), nsds_v(a.ds[i])));
  }
  assert_true(most > 20);
  /* where pieces do not help either nothing has changed */
  uint64_t before = heap_hash(&a);
  cut.longest = h / 64.0;
  assert_status(a.model, nsds_step(a.simulation), NSDS_ERROR_CALLBACK);
  assert_true(heap_hash(&a) == before);
  nsds_error_clear(nsds_model_context(a.model));
  nsds_model_destroy(a.model);
  nsds_model_destroy(b.model);
}

/* ---- stages, steps that are given up ---- */

static void stages_are_steps(void **state) {
  (void)state;
  heap a = drop(NULL, 0, h), b = drop(NULL, 0, h);
  for (int step = 0; step < 200; ++step) {
    uint64_t before = heap_hash(&a);
    assert_ok(a.model, nsds_step_begin(a.simulation));
    if (step % 3 == 0) { /* given up, at one stage or another */
      if (step % 2) assert_ok(a.model, nsds_step_solve(a.simulation));
      assert_ok(a.model, nsds_step_reject(a.simulation));
      assert_true(heap_hash(&a) == before);
      assert_ok(a.model, nsds_step_begin(a.simulation));
    }
    assert_ok(a.model, nsds_step_solve(a.simulation));
    assert_ok(a.model, nsds_step_update(a.simulation));
    assert_ok(a.model, nsds_step_accept(a.simulation));
    assert_ok(b.model, nsds_step(b.simulation));
    assert_true(heap_hash(&a) == heap_hash(&b));
  }
  nsds_model_destroy(a.model);
  nsds_model_destroy(b.model);
}

/* Two simulations of one model, a step of the one and a step of the other, are one that makes all.
 */
static void two_simulations(void **state) {
  (void)state;
  heap a = drop(NULL, 0, h), b = drop(NULL, 0, h);
  nsds_simulation *second = NULL;
  int most = 0;
  for (int step = 0; step < 240; ++step) {
    if (step == 10)
      second = nsds_time_stepping(
          a.model, &(nsds_time_stepping_def){.t0 = nsds_time(a.simulation), .t1 = 8.0, .h = h});
    bool turn = step >= 10 && step / 5 % 2 == 1;
    assert_ok(a.model, nsds_step(turn ? second : a.simulation));
    assert_ok(b.model, nsds_step(b.simulation));
    int count = nsds_contact_set_count(a.set);
    most = count > most ? count : most;
    assert_int_equal(count, nsds_contact_set_count(b.set));
    for (int i = 0; i < balls; ++i)
      for (int k = 0; k < 2; ++k) {
        assert_near(nsds_q(a.ds[i])[k], nsds_q(b.ds[i])[k], 1e-10);
        assert_near(nsds_v(a.ds[i])[k], nsds_v(b.ds[i])[k], 1e-8);
      }
    for (int i = 0; i < count; ++i) {
      nsds_contact_info one, other;
      assert_ok(a.model, nsds_contact_set_get(a.set, i, &one));
      assert_ok(b.model, nsds_contact_set_get(b.set, i, &other));
      assert_true(one.active == other.active);
    }
    for (int i = 0; i < balls; ++i)
      assert_ok(b.model, nsds_set_state(b.ds[i], nsds_q(a.ds[i]), nsds_v(a.ds[i])));
  }
  assert_true(most > 30);
  nsds_simulation_destroy(second);
  for (int step = 0; step < 10; ++step) assert_ok(a.model, nsds_step(a.simulation));
  nsds_model_destroy(a.model);
  nsds_model_destroy(b.model);
}

/* ---- finds that fail ---- */

typedef struct trouble {
  const char *name;
  void (*cause)(found *f, nsds_ds *other, nsds_ds *circuit);
  nsds_status status;
  const char *words[3];
} trouble;

static void y_nan(found *f, nsds_ds *o, nsds_ds *c) {
  (void)o, (void)c, f->item[20].shift[0] = NAN;
}
static void H_inf(found *f, nsds_ds *o, nsds_ds *c) {
  (void)o, (void)c, f->item[20].H[0] = INFINITY;
}
static void no_system(found *f, nsds_ds *o, nsds_ds *c) {
  (void)o, (void)c, f->item[0].ds[0] = NULL;
}
static void elsewhere(found *f, nsds_ds *o, nsds_ds *c) { (void)c, f->item[39].ds[0] = o; }
static void first_order(found *f, nsds_ds *o, nsds_ds *c) { (void)o, f->item[39].ds[0] = c; }
static void twice(found *f, nsds_ds *o, nsds_ds *c) {
  (void)o, (void)c, f->item[7].ds[1] = f->item[7].ds[0];
}
static void silent(found *f, nsds_ds *o, nsds_ds *c) {
  (void)o, (void)c, f->status = NSDS_ERROR_CALLBACK, f->stop = 25;
}
static void positive(found *f, nsds_ds *o, nsds_ds *c) {
  (void)o, (void)c, f->status = NSDS_AGAIN, f->stop = 3;
}

static const trouble troubles[] = {
    {"y", y_nan, NSDS_ERROR_CALLBACK, {"contact set 'list'", "not finite", "key 20"}},
    {"H", H_inf, NSDS_ERROR_CALLBACK, {"contact set 'list'", "not finite", "key 20"}},
    {"no system", no_system, NSDS_ERROR_ARGUMENT, {"ds[0]"}},
    {"another model", elsewhere, NSDS_ERROR_ARGUMENT, {"contact set 'list'", "another model"}},
    {"first order", first_order, NSDS_ERROR_ARGUMENT, {"contact set 'list'", "second order"}},
    {"itself", twice, NSDS_ERROR_ARGUMENT, {"contact set 'list'", "itself"}},
    {"no message", silent, NSDS_ERROR_CALLBACK, {"contact set 'list'", "find returned"}},
    {"not an error", positive, NSDS_ERROR_CALLBACK, {"contact set 'list'", "find returned"}},
};

/* Bodies that drop on their places; with and without troubles the same bits. */
static void failed_finds_change_nothing(void **state) {
  (void)state;
  enum { n = 40, kinds = sizeof troubles / sizeof *troubles };
  nsds_model *model[2], *strange = nsds_model_create(NULL);
  nsds_simulation *s[2];
  found f[2];
  nsds_ds *circuit = NULL;
  nsds_ds *other = nsds_lagrangian_linear(
      strange, &(nsds_lagrangian_linear_def){.ndof = 1, .mass = (double[]){1.0}});
  for (int k = 0; k < 2; ++k) {
    model[k] = nsds_model_create(NULL);
    found_create(&f[k], model[k], "list", nsds_newton_impact(model[k], 0.3), 1);
    for (int i = 0; i < n; ++i) {
      double q = 0.002 * (i % 7);
      nsds_ds *ds = nsds_lagrangian_linear(
          model[k], &(nsds_lagrangian_linear_def){
                        .ndof = 1, .q0 = &q, .mass = (double[]){1.0}, .fext = (double[]){-g}});
      found_add(&f[k], ds, NULL, (double[]){1.0}, 0.0);
    }
    circuit = nsds_first_order_linear(model[k], &(nsds_first_order_linear_def){.n = 1});
  }
  nsds_ds *own = nsds_ds_at(model[0], n);
  assert_non_null(circuit);
  for (int k = 0; k < 2; ++k) {
    s[k] = nsds_time_stepping(model[k], &(nsds_time_stepping_def){.t1 = 10.0, .h = 1e-3});
    assert_sound(model[k]);
  }
  for (int step = 0; step < 200; ++step) {
    const trouble *t = &troubles[step % kinds];
    for (int k = 0; k < 2; ++k) {
      for (int i = 0; i < n; ++i) f[k].item[i].away = (i + step) % 5 == 0 && i != 20 && i != 39;
      f[k].item[0].away = f[k].item[7].away = false;
      f[k].shuffle = step % 3 == 0;
      f[k].seed = 100 + (uint64_t)step;
    }
    static found kept; /* as it was */
    kept = f[0];
    uint64_t before = found_hash(f[0].set, 1, state_hash(model[0], 0));
    t->cause(&f[0], other, own);
    f[0].deaf = step % 2;
    assert_status(model[0], nsds_step(s[0]), t->status);
    assert_words(nsds_error_message(nsds_model_context(model[0])), t->words, 3);
    assert_true(found_hash(f[0].set, 1, state_hash(model[0], 0)) == before);
    nsds_error_clear(nsds_model_context(model[0]));
    f[0] = kept;
    for (int k = 0; k < 2; ++k) assert_ok(model[k], nsds_step(s[k]));
    assert_true(found_hash(f[0].set, 1, state_hash(model[0], 0)) ==
                found_hash(f[1].set, 1, state_hash(model[1], 0)));
  }
  for (int k = 0; k < 2; ++k) nsds_model_destroy(model[k]);
  nsds_model_destroy(strange);
}

/* ---- sets that cannot be made ---- */

static void wrong_definitions(void **state) {
  (void)state;
  nsds_model *model = nsds_model_create(NULL), *strange = nsds_model_create(NULL);
  nsds_law *law = nsds_newton_impact(model, 0.0), *theirs = nsds_newton_impact(strange, 0.0);
  nsds_law *wide = nsds_relay(model, 2, (double[]){0.0, 0.0}, (double[]){1.0, 1.0});
  nsds_ds *ds[2] = {
      nsds_lagrangian_linear(model,
                             &(nsds_lagrangian_linear_def){.ndof = 1, .mass = (double[]){1.0}}),
      nsds_lagrangian_linear(
          model, &(nsds_lagrangian_linear_def){.ndof = 2, .mass = (double[]){1.0, 0.0, 0.0, 1.0}})};
  found f;
  found_create(&f, model, NULL, NULL, 1);
  assert_null(f.set);
  assert_int_equal(f.destroyed, 1); /* the set owns it also where it cannot be made */
  found_create(&f, model, NULL, theirs, 1);
  assert_null(f.set);
  assert_int_equal(f.destroyed, 1);
  assert_null(nsds_custom_contact_set(NULL, NULL));
  assert_null(nsds_custom_contact_set(model, NULL));
  const double up[] = {0.0, 1.0}, longer[] = {0.6, 0.9};
  const nsds_balls_def good = {
      .law = law, .count = 1, .ds = &ds[1], .dimension = 2, .radius = 0.1, .normal = up};
  nsds_balls_def bad[10];
  for (int k = 0; k < 10; ++k) bad[k] = good;
  bad[0].law = NULL;
  bad[1].law = wide;
  bad[2].count = 0;
  bad[3].ds = NULL;
  bad[4].ds = &ds[0];
  bad[5].dimension = 4;
  bad[6].radius = 0.0;
  bad[7].normal = longer;
  bad[8].normal = NULL;
  bad[9].reach = NAN;
  for (int k = 0; k < 10; ++k) {
    nsds_error_clear(nsds_model_context(model));
    assert_null(nsds_balls(model, &bad[k]));
    assert_words(nsds_error_message(nsds_model_context(model)), ((const char *[]){"nsds_balls"}),
                 1);
  }
  nsds_error_clear(nsds_model_context(model));
  assert_non_null(nsds_balls(model, &good));
  assert_int_equal(nsds_contact_set_count(NULL), 0);
  assert_int_equal(nsds_contact_set_destroy(NULL), NSDS_ERROR_ARGUMENT);
  nsds_model_destroy(model);
  nsds_model_destroy(strange);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(restored_runs_repeat),
      cmocka_unit_test(pieces_are_smaller_steps),
      cmocka_unit_test(stages_are_steps),
      cmocka_unit_test(two_simulations),
      cmocka_unit_test(failed_finds_change_nothing),
      cmocka_unit_test(wrong_definitions),
  };
  return cmocka_run_group_tests_name("kernel.contact_sets_steps", tests, NULL, NULL);
}
