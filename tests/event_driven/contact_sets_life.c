/*
 * Contact sets in event-driven simulation: saved, restored and gone on with from a file with the
 * same bits, events in two halves, windows; geometries of a program's own, what they get wrong, and
 * that nothing is lost by it.
 */
#include "support.h"

#include <nsds/rigid_body.h>

#include <stdio.h>

static const double g = 9.81;

/* ---- spheres that fall into a heap ---- */

enum { n = 5 };

typedef struct heap {
  nsds_model *model;
  nsds_ds *ds[n];
  nsds_contact_set *set;
  nsds_simulation *s;
} heap;

/* With a set, or with the floor and all pairs as interactions. */
static void make_in(heap *p, nsds_context *context, bool found) {
  *p = (heap){.model = nsds_model_create(context)};
  double J[9] = {[0] = 0.1, [4] = 0.1, [8] = 0.1};
  for (int i = 0; i < n; ++i)
    p->ds[i] = nsds_rigid_body(
        p->model,
        &(nsds_rigid_body_def){.mass = 1.0,
                               .inertia = J,
                               .q0 = (double[]){0.13 * i, 0.07 * i * i, 0.8 + 1.1 * i, 1, 0, 0, 0},
                               .v0 = (double[]){0.1 * i, -0.2, 0.0, 1.0, 0.3 * i, -1.0},
                               .gravity = {0, 0, -g}});
  nsds_law *law = nsds_newton_impact_friction(
      p->model, &(nsds_newton_impact_friction_def){.mu = 0.3, .e_n = 0.3});
  if (found)
    p->set = nsds_spheres(p->model, &(nsds_spheres_def){.law = law,
                                                        .count = n,
                                                        .ds = p->ds,
                                                        .radius = 0.5,
                                                        .nplane = 1,
                                                        .plane = &(nsds_plane){{0, 0, 1}, 0}});
  for (int i = 0; i < n && !found; ++i) {
    nsds_connect(
        p->model,
        nsds_sphere_plane_relation(
            p->model, &(nsds_sphere_plane_relation_def){.radius = 0.5, .normal = {0, 0, 1}}),
        law, 1, &p->ds[i]);
    for (int j = i + 1; j < n; ++j)
      nsds_connect(p->model,
                   nsds_sphere_sphere_relation(
                       p->model, &(nsds_sphere_sphere_relation_def){.radius = {0.5, 0.5}}),
                   law, 2, (nsds_ds *[]){p->ds[i], p->ds[j]});
  }
  p->s = nsds_event_driven(p->model, &(nsds_event_driven_def){.t1 = 0.5, .output_period = 0.005});
}

static void make(heap *p) {
  make_in(p, NULL, true);
  assert_sound(p->model);
}

static uint64_t add_bits(uint64_t hash, const double *x, int count) {
  for (int k = 0; k < count; ++k) {
    uint64_t bits;
    memcpy(&bits, &x[k], sizeof bits);
    hash = (hash ^ bits) * UINT64_C(0x100000001b3);
  }
  return hash;
}

/* States, times and contacts after each of some steps. */
static uint64_t advance(const heap *p, int steps) {
  uint64_t hash = 1;
  for (int k = 0; k < steps; ++k) {
    assert_ok(p->model, nsds_step(p->s));
    hash = state_hash(p->model, hash);
    double t = nsds_time(p->s);
    hash = add_bits(hash, &t, 1);
    for (int c = 0; c < nsds_contact_set_count(p->set); ++c) {
      nsds_contact_info info;
      assert_ok(p->model, nsds_contact_set_get(p->set, c, &info));
      hash = add_bits(add_bits(add_bits(hash, info.y, 1), info.force, 3), info.impulse, 3) +
             info.key + info.active;
    }
  }
  return hash;
}

static void saved_and_restored(void **state) {
  (void)state;
  heap p;
  make(&p);
  for (int start = 0; start < 6; ++start) {
    advance(&p, 12);
    assert_ok(p.model, nsds_simulation_save(p.s));
    uint64_t hash = advance(&p, 15);
    for (int again = 0; again < 2; ++again) {
      assert_ok(p.model, nsds_simulation_restore(p.s));
      assert_true(advance(&p, 15) == hash);
    }
  }
  nsds_model_destroy(p.model);
}

static void from_a_file(void **state) {
  (void)state;
  const char *path = "contact_sets_life.nsds";
  for (int start = 0; start < 100; start += 13) {
    heap one, other;
    make(&one);
    make(&other);
    if (start % 2) advance(&other, start / 2); /* from wherever it is */
    advance(&one, start);
    assert_ok(one.model, nsds_snapshot_save(one.s, path));
    uint64_t hash = advance(&one, 20);
    assert_ok(other.model, nsds_snapshot_load(other.s, path));
    assert_true(advance(&other, 20) == hash);
    nsds_model_destroy(one.model);
    nsds_model_destroy(other.model);
    remove(path);
  }
}

/* Met and processed, or given up first, as in one step. Searches fall on other places, and series of
 * impacts between round bodies magnify what the integration leaves by some thousands. */
static void in_halves(void **state) {
  (void)state;
  heap whole, halves;
  make(&whole);
  make(&halves);
  for (int k = 1; k <= 80; ++k) {
    snapshot before = snapshot_take(halves.model);
    assert_ok(halves.model, nsds_event_meet(halves.s));
    assert_ok(halves.model, nsds_step_reject(halves.s));
    snapshot_check(&before, halves.model, "given up");
    snapshot_free(&before);
    while (nsds_time(halves.s) < 0.005 * k - 1e-9) {
      assert_ok(halves.model, nsds_event_meet(halves.s));
      assert_ok(halves.model, nsds_event_process(halves.s));
    }
    while (nsds_time(whole.s) < 0.005 * k - 1e-9) assert_ok(whole.model, nsds_step(whole.s));
    for (int i = 0; i < n; ++i)
      for (int c = 0; c < 3; ++c)
        assert_near(nsds_q(whole.ds[i])[c], nsds_q(halves.ds[i])[c], 1e-5);
  }
  nsds_model_destroy(whole.model);
  nsds_model_destroy(halves.model);
}

/* A window in a heap: contacts go on as the window leaves them. */
static void windows(void **state) {
  (void)state;
  heap p;
  make(&p);
  for (int k = 0; nsds_event_ahead(p.s); ++k) {
    nsds_status status = k % 10 == 9 ? nsds_event_window(p.s, 0.004, 20) : nsds_step(p.s);
    assert_true(status >= 0);
    for (int i = 0; i < n; ++i) {
      assert_true(nsds_q(p.ds[i])[2] > 0.5 - 1e-3);
      for (int c = 0; c < 6; ++c) assert_between(nsds_v(p.ds[i])[c], -20.0, 20.0);
    }
  }
  nsds_model_destroy(p.model);
}

/* Bodies come and go while others lie on the floor. */
static void bodies_come_and_go(void **state) {
  (void)state;
  heap p;
  make(&p);
  advance(&p, 60);
  assert_ok(p.model, nsds_contact_set_destroy(p.set));
  p.set = nsds_spheres(
      p.model,
      &(nsds_spheres_def){.law = nsds_newton_impact_friction(
                              p.model, &(nsds_newton_impact_friction_def){.mu = 0.3, .e_n = 0.3}),
                          .count = n - 1,
                          .ds = p.ds + 1,
                          .radius = 0.5,
                          .nplane = 1,
                          .plane = &(nsds_plane){{0, 0, 1}, 0}});
  assert_sound(p.model);
  while (nsds_event_ahead(p.s)) assert_true(nsds_step(p.s) >= 0);
  for (int i = 1; i < n; ++i) assert_true(nsds_q(p.ds[i])[2] > 0.5 - 1e-9);
  assert_true(nsds_q(p.ds[0])[2] < 0.45); /* it falls through the floor of the others */
  nsds_model_destroy(p.model);
}

/* Each allocation of a run fails once: it says so, the state before stays, and the run goes on as if it
 * had not. An integration that could not be resized stood still from then on, and what rows had been
 * marked with at the event that failed closed them at the start of the next attempt. */
static void memory_runs_out(void **state) {
  (void)state;
  heap whole;
  make(&whole);
  while (nsds_time(whole.s) < 0.4) assert_ok(whole.model, nsds_step(whole.s));
  for (int found = 0; found < 2; ++found) {
    long reported = 0;
    bool failed = true;
    for (long at = 1; failed; ++at) {
      meter m = {0};
      heap p;
      nsds_context *context = meter_context(&m);
      make_in(&p, context, found);
      assert_sound(p.model);
      m.fail_at = m.calls + at;
      while (nsds_time(p.s) < 0.4) {
        snapshot before = snapshot_take(p.model);
        nsds_status status = nsds_step(p.s);
        if (status < 0) {
          assert_int_equal(status, NSDS_ERROR_MEMORY);
          snapshot_check(&before, p.model, "no memory");
          nsds_error_clear(context);
          ++reported;
        }
        snapshot_free(&before);
      }
      failed = m.failed;
      for (int i = 0; i < n; ++i)
        for (int c = 0; c < 3; ++c) assert_near(nsds_q(p.ds[i])[c], nsds_q(whole.ds[i])[c], 1e-5);
      nsds_model_destroy(p.model);
      nsds_context_destroy(context);
      assert_int_equal(m.live, 0);
    }
    print_message("             %s: %ld failures of memory reported\n", found ? "set" : "pairs",
                  reported);
    assert_true(found ? reported > 20 : reported == 0); /* interactions are provided for */
  }
  nsds_model_destroy(whole.model);
}

/* ---- a geometry of a program's own ---- */

/* Points of Lagrangian systems inside a circle: y = R - |q|. */
typedef struct ring {
  nsds_ds *ds[2];
  double R;
  nsds_law *law; /* of its contacts; NULL: the set's */
  enum { FINE, NAN_GAP, NAN_H, FAILS, NO_REACH, NAN_TRAVEL, TINY_REACH } wrong;
  long calls;
} ring;

static nsds_status ring_output(void *self, uint64_t key, const nsds_arguments *in, double *y) {
  ring *r = self;
  (void)key;
  ++r->calls;
  if (r->wrong == FAILS && in->t > 0.05) return NSDS_ERROR_VALUE;
  *y = r->wrong == NAN_GAP && in->t > 0.05 ? NAN : r->R - hypot(in->q[0], in->q[1]);
  return NSDS_OK;
}

static nsds_status ring_gradient(void *self, uint64_t key, const nsds_arguments *in,
                                 const double *found, double *H) {
  const ring *r = self;
  double d = hypot(in->q[0], in->q[1]);
  (void)key, (void)found;
  H[0] = -in->q[0] / d;
  H[1] = r->wrong == NAN_H && in->t > 0.05 ? NAN : -in->q[1] / d;
  return NSDS_OK;
}

static nsds_status ring_find(void *self, double t, nsds_contacts *contacts) {
  ring *r = self;
  nsds_status status = NSDS_OK;
  (void)t;
  for (uint64_t i = 0; i < 2 && !status; ++i) {
    const double *q = nsds_q(r->ds[i]);
    double d = hypot(q[0], q[1]), y = r->R - d, H[2] = {-q[0] / d, -q[1] / d};
    if (y > 0.3) continue;
    status = nsds_contacts_add(
        contacts,
        &(nsds_contact_point){.key = i, .ds = {r->ds[i]}, .y = &y, .H = H, .law = r->law});
  }
  return status;
}

static double ring_reach(void *self) {
  const ring *r = self;
  return r->wrong == NO_REACH ? 0.0 : r->wrong == TINY_REACH ? 1e-300 : 0.3;
}

static double ring_travel(void *self, const nsds_ds *ds, const double *q0, const double *q) {
  const ring *r = self;
  (void)ds;
  return r->wrong == NAN_TRAVEL ? NAN : hypot(q[0] - q0[0], q[1] - q0[1]);
}

static const nsds_geometry_ops ring_ops = {.type = "ring",
                                           .find = ring_find,
                                           .output = ring_output,
                                           .gradient_v = ring_gradient,
                                           .reach = ring_reach,
                                           .travel = ring_travel};

static nsds_simulation *make_ring(ring *r, nsds_model *model) {
  const double eye[4] = {1, 0, 0, 1};
  r->R = 1.0;
  for (int i = 0; i < 2; ++i)
    r->ds[i] = nsds_lagrangian_linear(
        model, &(nsds_lagrangian_linear_def){.ndof = 2,
                                             .mass = eye,
                                             .q0 = (double[]){0.1, 0.2 - 0.4 * i},
                                             .v0 = (double[]){i ? 0.3 : 1.0, i ? -0.7 : 0.0},
                                             .fext = (double[]){0.0, i ? -1.0 : 0.0}});
  nsds_custom_contact_set(
      model,
      &(nsds_custom_contact_set_def){
          .name = "ring", .ops = &ring_ops, .self = r, .law = nsds_newton_impact(model, 1.0)});
  assert_sound(model);
  nsds_simulation *s =
      nsds_event_driven(model, &(nsds_event_driven_def){.t1 = 20.0, .output_period = 0.1});
  assert_sound(model);
  return s;
}

/* A point without force runs from wall to wall: chords of one length, a quarter of an hour of them. */
static void chords(void **state) {
  (void)state;
  ring r = {.wrong = FINE};
  nsds_model *model = nsds_model_create(NULL);
  nsds_simulation *s = make_ring(&r, model);
  double last = NAN, chord = 2.0 * sqrt(1.0 - 0.04);
  double energy = 0.5 * (0.09 + 0.49) + nsds_q(r.ds[1])[1];
  int impacts = 0;
  while (nsds_event_ahead(s)) {
    assert_true(nsds_step(s) >= 0);
    const nsds_event_info *e = nsds_simulation_event(s);
    for (int k = 0; k < e->count; ++k) {
      if (e->row[k].key != 0 || e->row[k].impulse == 0.0) continue;
      if (impacts++ > 0) assert_near(e->t - last, chord, 1e-8);
      last = e->t;
    }
    const double *v = nsds_v(r.ds[1]);
    assert_near(0.5 * (v[0] * v[0] + v[1] * v[1]) + nsds_q(r.ds[1])[1], energy, 1e-8);
    assert_true(hypot(nsds_q(r.ds[1])[0], nsds_q(r.ds[1])[1]) < 1.0 + 1e-9);
  }
  assert_true(impacts > 8);
  nsds_model_destroy(model);
}

/* What a geometry gets wrong is named, and the state before it stays. */
static void wrong_geometries(void **state) {
  (void)state;
  static const char *const words[][3] = {
      [NAN_GAP] = {"contact set 'ring'", "output wrote", "finite"},
      [NAN_H] = {"contact set 'ring'", "gradient_v wrote", "finite"},
      [FAILS] = {"contact set 'ring'", "output returned", "without a report"},
      [NO_REACH] = {"contact set 'ring'", "reach returned 0", "positive"},
      [NAN_TRAVEL] = {"contact set 'ring'", "travel returned", "non-negative"},
      [TINY_REACH] = {"searched for ever", "larger reach", "contact set"}};
  for (int wrong = NAN_GAP; wrong <= TINY_REACH; ++wrong) {
    ring r = {.wrong = FINE};
    nsds_model *model = nsds_model_create(NULL);
    nsds_simulation *s = make_ring(&r, model);
    nsds_set_state(r.ds[0], (double[]){0.8, 0.0}, (double[]){1.0, 0.0});
    r.wrong = wrong;
    nsds_status status = NSDS_OK;
    while (status == NSDS_OK) {
      snapshot before = snapshot_take(model);
      status = nsds_step(s);
      if (status < 0) snapshot_check(&before, model, words[wrong][1]);
      snapshot_free(&before);
    }
    bool value = wrong == FAILS || wrong == TINY_REACH;
    assert_int_equal(status, value ? NSDS_ERROR_VALUE : NSDS_ERROR_CALLBACK);
    assert_words(nsds_error_message(nsds_model_context(model)), words[wrong], 3);
    nsds_error_clear(nsds_model_context(model));
    r.wrong = FINE;
    assert_int_equal(nsds_run(s), NSDS_END);
    nsds_model_destroy(model);
  }
}

/* ---- laws ---- */

/* Poisson's law in a set: valid here, refused by time stepping. */
static void laws_of_impact(void **state) {
  (void)state;
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *ds =
      nsds_lagrangian_linear(model, &(nsds_lagrangian_linear_def){.ndof = 2,
                                                                  .mass = (double[]){1, 0, 0, 1},
                                                                  .q0 = (double[]){0.0, 1.1},
                                                                  .fext = (double[]){0.0, -g}});
  nsds_balls(model, &(nsds_balls_def){.law = nsds_poisson_impact(model, 0.5),
                                      .count = 1,
                                      .ds = &ds,
                                      .dimension = 2,
                                      .radius = 0.1,
                                      .normal = (double[]){0.0, 1.0}});
  assert_sound(model);
  nsds_simulation *stepping =
      nsds_time_stepping(model, &(nsds_time_stepping_def){.t1 = 1.0, .h = 0.01});
  if (stepping) assert_int_equal(nsds_step(stepping), NSDS_ERROR_UNSUPPORTED);
  assert_words(nsds_error_message(nsds_model_context(model)),
               ((const char *[]){"nsds_poisson_impact", "contact set #0", "nsds_newton_impact"}),
               3);
  nsds_error_clear(nsds_model_context(model));
  nsds_simulation_destroy(stepping);
  nsds_simulation *s = nsds_event_driven(model, &(nsds_event_driven_def){.t1 = 0.5});
  assert_ok(model, nsds_step(s));
  while (!(nsds_simulation_event(s)->kind & NSDS_EVENT_NONSMOOTH)) assert_ok(model, nsds_step(s));
  assert_near(nsds_time(s), sqrt(2.0 / g), 1e-12);
  assert_near(nsds_v(ds)[1], 0.5 * sqrt(2.0 * g), 1e-9);
  nsds_model_destroy(model);
}

/* A contact whose law shares impacts in another way than the set's. */
static void law_of_another_kind(void **state) {
  (void)state;
  ring r = {.wrong = FINE};
  nsds_model *model = nsds_model_create(NULL);
  nsds_simulation *s = make_ring(&r, model);
  r.law = nsds_poisson_impact(model, 0.5);
  nsds_status status = NSDS_OK;
  while (status == NSDS_OK) status = nsds_step(s);
  assert_int_equal(status, NSDS_ERROR_ARGUMENT);
  assert_words(nsds_error_message(nsds_model_context(model)),
               ((const char *[]){"contact set 'ring'", "nsds_poisson_impact", "kind of impact"}),
               3);
  nsds_model_destroy(model);
}

/* The interaction of a report is its handle, also where its place was another's before. */
static void report_of_a_place_taken_again(void **state) {
  (void)state;
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *ds = nsds_lagrangian_linear(
      model, &(nsds_lagrangian_linear_def){
                 .ndof = 1, .mass = (double[]){1}, .q0 = (double[]){1}, .fext = (double[]){-g}});
  nsds_relation *gap = nsds_lagrangian_linear_relation(
      model, &(nsds_lagrangian_linear_relation_def){.ny = 1, .nq = 1, .H = (double[]){1.0}});
  nsds_law *law = nsds_newton_impact(model, 0.5);
  assert_ok(model, nsds_disconnect(nsds_connect(model, gap, law, 1, &ds)));
  nsds_interaction *ia = nsds_connect(model, gap, law, 1, &ds);
  nsds_simulation *s = nsds_event_driven(model, &(nsds_event_driven_def){.t1 = 0.5});
  assert_ok(model, nsds_step(s));
  assert_int_equal(nsds_simulation_event(s)->count, 1);
  assert_ptr_equal(nsds_simulation_event(s)->row[0].interaction, ia);
  assert_non_null(nsds_y(nsds_simulation_event(s)->row[0].interaction));
  nsds_model_destroy(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(saved_and_restored),
      cmocka_unit_test(from_a_file),
      cmocka_unit_test(in_halves),
      cmocka_unit_test(windows),
      cmocka_unit_test(bodies_come_and_go),
      cmocka_unit_test(memory_runs_out),
      cmocka_unit_test(chords),
      cmocka_unit_test(wrong_geometries),
      cmocka_unit_test(laws_of_impact),
      cmocka_unit_test(law_of_another_kind),
      cmocka_unit_test(report_of_a_place_taken_again),
  };
  return cmocka_run_group_tests_name("event_driven.contact_sets_life", tests, NULL, NULL);
}
