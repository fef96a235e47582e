/*
 * Memory of sets of shapes: steps with no more contacts than before take none, what cannot be made
 * leaves nothing behind, a step without memory loses nothing.
 */
#include "support.h"

#ifdef NSDS_TEST_INTERPOSE
#include "interpose.h"
#endif

enum { bodies = 24 };

static const double hull[] = {0.2,  0.2, 0.2,  -0.2, -0.2, 0.2, -0.2, 0.2,
                              -0.2, 0.2, -0.2, -0.2, 0.25, 0,   0};

typedef struct heap {
  meter m;
  nsds_context *context;
  nsds_model *model;
  nsds_contact_set *set;
  nsds_simulation *simulation;
  nsds_ds *ds[bodies];
} heap;

static nsds_shape_def shape_of(const heap *h, int k) {
  const nsds_shape_kind kind[] = {NSDS_BOX, NSDS_SPHERE, NSDS_CAPSULE, NSDS_HULL};
  return (nsds_shape_def){.kind = kind[k % 4],
                          .ds = h->ds[k],
                          .radius = k % 4 == 1 || k % 4 == 2 ? 0.2 : 0.0,
                          .half = {0.2, 0.25, 0.15},
                          .nvertex = 5,
                          .vertex = hull};
}

static nsds_verdict take_any(nsds_simulation *simulation, const nsds_solver_info *info,
                             void *user) {
  (void)simulation, (void)info, (void)user;
  return NSDS_ACCEPT; /* how well it is solved does not matter here */
}

/* Bodies over a pit of triangles and planes. */
static void build_bodies(heap *h) {
  const double J[9] = {[0] = 0.02, [4] = 0.02, [8] = 0.02};
  h->context = meter_context(&h->m);
  h->model = nsds_model_create(h->context);
  for (int k = 0; k < bodies; ++k) {
    const double q[] = {
        0.6 * (k % 3) - 0.6, 0.6 * (k / 3 % 3) - 0.6, 0.5 + 0.6 * (k / 9), 1, 0, 0, 0};
    h->ds[k] = nsds_rigid_body(
        h->model,
        &(nsds_rigid_body_def){.mass = 1.0, .inertia = J, .q0 = q, .gravity = {0, 0, -9.81}});
  }
}

static void build_set(heap *h) {
  const double square[] = {-3, -3, 0, 3, -3, 0, 3, 3, 0, -3, 3, 0};
  const int face[] = {0, 1, 2, 0, 2, 3};
  const double wall = 1.2;
  nsds_shape_def shape[bodies + 5] = {
      {.kind = NSDS_TRIANGLES, .nvertex = 4, .vertex = square, .nface = 2, .face = face},
      {.kind = NSDS_HALF_SPACE, .plane = {{1, 0, 0}, -wall}},
      {.kind = NSDS_HALF_SPACE, .plane = {{-1, 0, 0}, -wall}},
      {.kind = NSDS_HALF_SPACE, .plane = {{0, 1, 0}, -wall}},
      {.kind = NSDS_HALF_SPACE, .plane = {{0, -1, 0}, -wall}}};
  for (int k = 0; k < bodies; ++k) shape[k + 5] = shape_of(h, k);
  h->set = nsds_shapes(h->model, &(nsds_shapes_def){.nmaterial = 1,
                                                    .material = &(nsds_material){.mu = 0.3},
                                                    .nshape = bodies + 5,
                                                    .shape = shape});
}

static void build_simulation(heap *h) {
  h->simulation = nsds_time_stepping(
      h->model,
      &(nsds_time_stepping_def){
          .t1 = 1e9, .h = 5e-3, .solver = "nsgs", .tolerance = 1e-4, .check_solver = take_any});
}

static void end(heap *h) {
  nsds_model_destroy(h->model);
  nsds_context_destroy(h->context);
  assert_int_equal(h->m.live, 0);
}

/* Thrown about again and again; a shape is taken away and put back now and then. Small problems are
 * solved as dense ones, in memory of their own: the largest of them may come late. */
static void steps_allocate_nothing(void **state) {
  (void)state;
  static heap h;
  h = (heap){0};
  build_bodies(&h);
  build_set(&h);
  build_simulation(&h);
  nsds_solver_set(nsds_simulation_solver(h.simulation), "max_iterations", 50);
  assert_sound(h.model);
  uint64_t seed = 9;
  long within = 0, quiet = 0;
  enum { most_dense = 32 };
  int contacts = 0, rows[2] = {0}, tried = 0, changes = 0, last = 0, id = 5;
  for (int step = 0; step < 2000; ++step) {
    if (step % 100 == 99) {
      assert_ok(h.model, nsds_shapes_remove(h.set, id));
      nsds_shape_def again = shape_of(&h, 0);
      id = nsds_shapes_add(h.set, &again);
      assert_true(id > 0);
      for (int k = 0; k < bodies; ++k) {
        double v[6] = {random_in(&seed, -1.0, 1.0), random_in(&seed, -1.0, 1.0), 3.0};
        for (int i = 3; i < 6; ++i) v[i] = random_in(&seed, -4.0, 4.0);
        assert_ok(h.model, nsds_set_state(h.ds[k], nsds_q(h.ds[k]), v));
      }
    }
    long before = h.m.calls;
#ifdef NSDS_TEST_INTERPOSE
    interpose.calls = 0;
    interpose.armed = true;
#endif
    nsds_status status = nsds_step(h.simulation);
#ifdef NSDS_TEST_INTERPOSE
    interpose.armed = false;
    before -= interpose.calls;
#endif
    assert_ok(h.model, status);
    int now = nsds_contact_set_count(h.set), n = nsds_simulation_info(h.simulation)->rows;
    changes += now != last;
    last = now;
    int methods = nsds_simulation_info(h.simulation)->solver.tried; /* a first use may allocate */
    int *largest = &rows[n > most_dense];
    if (step >= 600 && now <= contacts && n <= *largest && methods <= tried) {
      within += h.m.calls - before;
      ++quiet;
    }
    contacts = now > contacts ? now : contacts;
    *largest = n > *largest ? n : *largest;
    tried = methods > tried ? methods : tried;
  }
  print_message(
      "             up to %d contacts, %d changes, %ld quiet steps with %ld allocations\n",
      contacts, changes, quiet, within);
  assert_true(changes > 500);
  assert_true(quiet > 1300);
  assert_int_equal(within, 0);
  for (int k = 0; k < bodies; ++k) assert_between(nsds_q(h.ds[k])[2], -0.1, 10.0);
  end(&h);
}

/* With one allocation refused: no set, or no shape more. */
static void what_cannot_be_made(void **state) {
  (void)state;
  long n = 0;
  for (bool failed = true; failed;) {
    static heap h;
    h = (heap){0};
    build_bodies(&h);
    h.m.fail_at = h.m.calls + ++n;
    build_set(&h);
    failed = h.m.failed;
    h.m.fail_at = 0;
    assert_true((h.set == NULL) == failed);
    if (failed) assert_int_equal(nsds_error(h.context), NSDS_ERROR_MEMORY);
    end(&h);
  }
  assert_true(n > 100);
  n = 0;
  for (bool failed = true; failed;) {
    static heap h;
    h = (heap){0};
    build_bodies(&h);
    build_set(&h);
    build_simulation(&h);
    nsds_shape_def more = shape_of(&h, 3);
    int count = nsds_shapes_count(h.set);
    h.m.fail_at = h.m.calls + ++n;
    int id = -1;
    for (int k = 0; k < 40 && !h.m.failed; ++k)
      id = nsds_shapes_add(h.set, &more), count += id >= 0;
    failed = h.m.failed;
    h.m.fail_at = 0;
    assert_true((id < 0) == failed);
    assert_int_equal(nsds_shapes_count(h.set), count);
    if (failed) assert_int_equal(nsds_error(h.context), NSDS_ERROR_MEMORY);
    nsds_error_clear(h.context);
    assert_ok(h.model, nsds_step(h.simulation));
    end(&h);
  }
  assert_true(n > 10);
}

/* Of the first steps, whose searches take memory. */
static void steps_without_memory(void **state) {
  (void)state;
  double expected[bodies][7];
  bool failed = true;
  for (long n = 0; n < 2 || failed; ++n) {
    static heap h;
    h = (heap){0};
    build_bodies(&h);
    build_set(&h);
    build_simulation(&h);
    h.m.fail_at = n ? h.m.calls + n : 0;
    for (int step = 0; step < 40; ++step) {
      nsds_status status = nsds_step(h.simulation);
      if (!status) continue;
      assert_int_equal(status, NSDS_ERROR_MEMORY);
      assert_true(h.m.failed);
      nsds_error_clear(h.context);
      assert_ok(h.model, nsds_step(h.simulation));
    }
    failed = h.m.failed;
    for (int k = 0; k < bodies; ++k)
      for (int i = 0; i < 7; ++i) {
        if (n == 0) expected[k][i] = nsds_q(h.ds[k])[i];
        assert_true(nsds_q(h.ds[k])[i] == expected[k][i]);
      }
    end(&h);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(steps_allocate_nothing),
      cmocka_unit_test(what_cannot_be_made),
      cmocka_unit_test(steps_without_memory),
  };
  return cmocka_run_group_tests_name("kernel.shapes_memory", tests, NULL, NULL);
}
