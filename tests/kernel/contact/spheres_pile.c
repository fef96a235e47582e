/*
 * Piles of spheres: a heap that comes to rest and weighs what it weighs, spheres in each other and
 * at one point, memory once the largest number of contacts has been met.
 */
#include "found.h"
#ifdef NSDS_TEST_INTERPOSE
#include "interpose.h"
#endif

static const double g = 9.81;

enum { most = 27 };

typedef struct pile {
  meter m;
  nsds_context *context;
  nsds_model *model;
  nsds_contact_set *set;
  nsds_simulation *simulation;
  nsds_ds *ds[most];
} pile;

static nsds_ds *sphere(nsds_model *model, const double *x) {
  const double J[9] = {[0] = 0.1, [4] = 0.1, [8] = 0.1};
  return nsds_rigid_body(
      model, &(nsds_rigid_body_def){.mass = 1.0,
                                    .inertia = J,
                                    .q0 = (double[]){x[0], x[1], x[2], 1.0, 0.0, 0.0, 0.0},
                                    .gravity = {0.0, 0.0, -g}});
}

/* Spheres of radius 0.5 in a loose lattice above the floor of a box of some width, open above. */
static void build(pile *p, double width, double spread, double mu, const char *solver,
                  double tolerance, nsds_check_solver_fn check) {
  p->model = nsds_model_create(p->context);
  uint64_t seed = 11;
  for (int k = 0; k < most; ++k) {
    const int c[] = {k % 3, k / 3 % 3, k / 9};
    double x[3];
    for (int i = 0; i < 3; ++i) x[i] = 1.1 * (c[i] - 1) + random_in(&seed, -spread, spread);
    x[2] += 1.9;
    p->ds[k] = sphere(p->model, x);
  }
  const nsds_plane box[] = {{{0, 0, 1}, 0},
                            {{1, 0, 0}, -0.5 * width},
                            {{-1, 0, 0}, -0.5 * width},
                            {{0, 1, 0}, -0.5 * width},
                            {{0, -1, 0}, -0.5 * width}};
  p->set = nsds_spheres(
      p->model, &(nsds_spheres_def){.name = "pile",
                                    .law = nsds_newton_impact_friction(
                                        p->model, &(nsds_newton_impact_friction_def){.mu = mu}),
                                    .count = most,
                                    .ds = p->ds,
                                    .radius = 0.5,
                                    .nplane = 5,
                                    .plane = box});
  p->simulation = nsds_time_stepping(
      p->model,
      &(nsds_time_stepping_def){
          .t1 = 1e3,
          .h = 5e-3,
          .solver = solver,
          .tolerance = tolerance,
          .check_solver = check,
          .overlap_sweeps = NSDS_OVERLAP_STAYS}); /* with it a last ball rolls on for ten seconds */
  assert_sound(p->model);
}

static double speed_of(const pile *p) {
  double fastest = 0.0;
  for (int k = 0; k < most; ++k)
    for (int i = 0; i < 6; ++i) fastest = fmax(fastest, fabs(nsds_v(p->ds[k])[i]));
  return fastest;
}

/* ---- at rest ---- */

/*
 * In every step the impulses of the world are the change of momentum and the weight. At rest their
 * sum is the weight, and where no wall is touched that of the floor's normals. An impact begins
 * when the gap would close in half a step: spheres overlap by what the other half brings.
 */
static void a_heap_weighs_what_it_weighs(void **state) {
  const bool walls = *state != NULL;
  static pile p;
  p = (pile){0};
  build(&p, walls ? 3.3 : 40.0, 0.05, 0.5, NULL, 1e-4, NULL);
  double fastest = 0.0, deepest = 0.0, before = 0.0, h = 5e-3, weight = most * g;
  for (int step = 0; step < 1600; ++step) {
    fastest = fmax(fastest, speed_of(&p));
    assert_ok(p.model, nsds_step(p.simulation));
    double momentum = 0.0, impulse = 0.0;
    for (int k = 0; k < most; ++k) {
      momentum += nsds_v(p.ds[k])[2];
      impulse += nsds_p(p.ds[k])[2];
    }
    assert_near(momentum - before, impulse - weight * h, 1e-11);
    before = momentum;
    for (int k = 0; k < nsds_contact_set_count(p.set); ++k) {
      nsds_contact_info info;
      assert_ok(p.model, nsds_contact_set_get(p.set, k, &info));
      deepest = fmax(deepest, -info.y[0]);
      double slip = hypot(info.impulse[1], info.impulse[2]);
      assert_true(slip <= 0.5 * info.impulse[0] + 1e-6);
    }
  }
  double floor = 0.0, world = 0.0;
  int on_walls = 0;
  for (int k = 0; k < nsds_contact_set_count(p.set); ++k) {
    nsds_contact_info info;
    assert_ok(p.model, nsds_contact_set_get(p.set, k, &info));
    if (info.ds[1]) continue;
    bool ground = (info.key & ~(UINT64_C(1) << 63)) >> 32 == 0;
    if (ground) floor += info.force[0];
    on_walls += !ground && info.force[0] > 0.0;
  }
  for (int k = 0; k < most; ++k) world += nsds_p(p.ds[k])[2] / h;
  print_message("             floor %.9g, world %.9g, weight %.9g; %d on walls, fastest %.2g, "
                "deepest %.2g, last %.2g\n",
                floor, world, weight, on_walls, fastest, deepest, speed_of(&p));
  assert_near(world, weight, 1e-4 * weight);
  assert_true(walls == (on_walls > 0));
  if (!walls) assert_near(floor, weight, 1e-4 * weight);
  assert_true(deepest <= h * fastest);
  nsds_model_destroy(p.model);
}

/* ---- spheres in each other ---- */

/* Spheres about a point: the step fails and says why, nothing is lost, and moved apart they go on.
 */
static void many_at_one_point(int n, double spread, const char *word) {
  meter m = {0};
  nsds_context *context = meter_context(&m);
  nsds_model *model = nsds_model_create(context);
  nsds_ds **ds = test_malloc((size_t)n * sizeof *ds);
  uint64_t seed = 1;
  for (int k = 0; k < n; ++k) {
    double x[3];
    for (int i = 0; i < 3; ++i) x[i] = 1.0 + spread * random_in(&seed, -1.0, 1.0);
    ds[k] = sphere(model, x);
  }
  nsds_contact_set *set = nsds_spheres(
      model, &(nsds_spheres_def){.name = "heap",
                                 .law = nsds_newton_impact_friction(
                                     model, &(nsds_newton_impact_friction_def){.mu = 0.5}),
                                 .count = n,
                                 .ds = ds,
                                 .radius = 0.5,
                                 .max_contacts = n > 2 ? 2 * n : 0});
  nsds_simulation *s = nsds_time_stepping(model, &(nsds_time_stepping_def){.t1 = 1.0, .h = 1e-3});
  assert_sound(model);
  snapshot before = snapshot_take(model);
  for (int again = 0; again < 2; ++again) {
    assert_int_equal(nsds_step(s), NSDS_ERROR_VALUE);
    assert_words(nsds_error_message(context), ((const char *[]){"'heap'", word}), 2);
    snapshot_check(&before, model, "spheres at one point");
    assert_int_equal(nsds_contact_set_count(set), 0);
    nsds_error_clear(context);
  }
  for (int k = 0; k < n; ++k)
    assert_ok(model, nsds_set_state(ds[k], (double[]){2.0 * k, 0, 0, 1, 0, 0, 0}, NULL));
  assert_ok(model, nsds_step(s));
  assert_near(nsds_v(ds[n - 1])[2], -g * 1e-3, 1e-15);
  snapshot_free(&before);
  nsds_model_destroy(model);
  nsds_context_destroy(context);
  assert_int_equal(m.live, 0);
  test_free(ds);
}

static void spheres_in_each_other(void **state) {
  (void)state;
  many_at_one_point(2, 0.0, "ds[1]");
  many_at_one_point(2, 1e-160, "at one point");
  many_at_one_point(10000, 0.0, "at one point");
  many_at_one_point(10000, 1e-6, "max_contacts = 20000");
}

/* Overlapping at the start, or nearly at one point, they do not fly apart: an impulse stops what
 * approaches, no more. */
static void an_overlap_stays(void **state) {
  (void)state;
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *ds[2] = {sphere(model, (double[]){0, 0, 0}), sphere(model, (double[]){1e-9, 0, 1e-9})};
  nsds_contact_set *set = nsds_spheres(
      model, &(nsds_spheres_def){.law = nsds_newton_impact_friction(
                                     model, &(nsds_newton_impact_friction_def){.mu = 1.0}),
                                 .count = 2,
                                 .ds = ds,
                                 .radius = 0.5});
  nsds_simulation *s = run(model, &(nsds_time_stepping_def){.t1 = 0.5, .h = 1e-3}, 0);
  (void)s;
  nsds_contact_info info;
  assert_ok(model, nsds_contact_set_get(set, 0, &info));
  assert_near(info.y[0], -1.0, 2e-9);
  for (int k = 0; k < 2; ++k) assert_near(nsds_v(ds[k])[2], -0.5 * g, 1e-9);
  nsds_model_destroy(model);
}

/* Positions that are no numbers are refused where they are set. Contacts are looked for within 1e100:
 * beyond, where squares overflow, the step fails and names the body. */
static void positions_beyond_reason(void **state) {
  (void)state;
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *ds[3];
  for (int k = 0; k < 3; ++k) ds[k] = sphere(model, (double[]){2.0 * k, 0, 0});
  nsds_contact_set *set = nsds_spheres(
      model, &(nsds_spheres_def){
                 .law = nsds_newton_impact(model, 0.0), .count = 3, .ds = ds, .radius = 0.5});
  nsds_simulation *s = nsds_time_stepping(model, &(nsds_time_stepping_def){.t1 = 1.0, .h = 1e-3});
  snapshot before = snapshot_take(model);
  const double wrong[] = {NAN, INFINITY, -INFINITY};
  for (int k = 0; k < 3; ++k) {
    assert_true(nsds_set_state(ds[1], (double[]){0, wrong[k], 0, 1, 0, 0, 0}, NULL) < 0);
    snapshot_check(&before, model, "a position that is no number");
    nsds_error_clear(nsds_model_context(model));
  }
  for (int k = 0; k < 2; ++k)
    assert_ok(model, nsds_set_state(ds[k], (double[]){1e99, 0, k, 1, 0, 0, 0}, NULL));
  assert_ok(model, nsds_step(s));
  assert_int_equal(nsds_contact_set_count(set), 1); /* these two, one above the other */
  assert_ok(model, nsds_set_state(ds[1], (double[]){1e200, 0, 0, 1, 0, 0, 0}, NULL));
  assert_status(model, nsds_step(s), NSDS_ERROR_VALUE);
  const char *const words[] = {"q[0] of system #1", "1e+200"};
  assert_words(nsds_error_message(nsds_model_context(model)), words, 2);
  snapshot_free(&before);
  nsds_model_destroy(model);
}

/* ---- memory ---- */

static nsds_verdict take_any(nsds_simulation *simulation, const nsds_solver_info *info,
                             void *user) {
  (void)simulation, (void)info, (void)user;
  return NSDS_ACCEPT; /* how well it is solved does not matter here */
}

/* Thrown about again and again; a step with no more contacts and rows than ever allocates nothing.
 */
static void steps_allocate_nothing(void **state) {
  (void)state;
  static pile p;
  p = (pile){0};
  p.context = meter_context(&p.m);
  build(&p, 3.3, 0.02, 0.4, "nsgs", 1e-4, take_any);
  uint64_t seed = 9;
  long within = 0, quiet = 0;
  int contacts = 0, rows = 0, changes = 0, last = 0;
  for (int step = 0; step < 3000; ++step) {
    if (step % 150 == 149)
      for (int k = 0; k < most; ++k) {
        double v[6] = {random_in(&seed, -2.0, 2.0), random_in(&seed, -2.0, 2.0), 3.0};
        assert_ok(p.model, nsds_set_state(p.ds[k], nsds_q(p.ds[k]), v));
      }
    long before = p.m.calls;
#ifdef NSDS_TEST_INTERPOSE
    interpose.calls = 0;
    interpose.armed = true;
#endif
    nsds_status status = nsds_step(p.simulation);
#ifdef NSDS_TEST_INTERPOSE
    interpose.armed = false;
    before -= interpose.calls;
#endif
    assert_ok(p.model, status);
    int now = nsds_contact_set_count(p.set), n = nsds_simulation_info(p.simulation)->rows;
    changes += now != last;
    last = now;
    if (now <= contacts && n <= rows) {
      within += p.m.calls - before;
      ++quiet;
    }
    contacts = now > contacts ? now : contacts;
    rows = n > rows ? n : rows;
  }
  print_message(
      "             up to %d contacts, %d changes, %ld quiet steps with %ld allocations\n",
      contacts, changes, quiet, within);
  assert_true(changes > 500);
  assert_true(quiet > 2800);
  assert_int_equal(within, 0);
  nsds_model_destroy(p.model);
  nsds_context_destroy(p.context);
  assert_int_equal(p.m.live, 0);
}

/* What cannot be made leaves nothing behind. */
static void sets_that_cannot_be_made(void **state) {
  (void)state;
  bool failed = true;
  long n = 0;
  while (failed) {
    meter m = {0};
    nsds_context *context = meter_context(&m);
    nsds_model *model = nsds_model_create(context);
    nsds_ds *ds[3];
    for (int k = 0; k < 3; ++k) ds[k] = sphere(model, (double[]){k, 0, 0});
    nsds_law *law = nsds_newton_impact(model, 0.0);
    m.fail_at = m.calls + ++n;
    nsds_contact_set *set =
        nsds_spheres(model, &(nsds_spheres_def){.law = law,
                                                .count = 3,
                                                .ds = ds,
                                                .radius = 0.1,
                                                .nplane = 1,
                                                .plane = &(nsds_plane){{0, 0, 1}, -1}});
    failed = m.failed;
    m.fail_at = 0;
    assert_true((set == NULL) == failed);
    if (failed) assert_int_equal(nsds_error(context), NSDS_ERROR_MEMORY);
    nsds_model_destroy(model);
    nsds_context_destroy(context);
    assert_int_equal(m.live, 0);
  }
  assert_true(n > 5);
}

/* ---- with and without Y ---- */

/* A body far away whose W is no diagonal. */
static void add_stranger(pile *p) {
  const double J[9] = {0.4, 0.1, 0, 0.1, 0.3, 0, 0, 0, 0.2};
  assert_non_null(nsds_rigid_body(
      p->model,
      &(nsds_rigid_body_def){.mass = 1.0, .inertia = J, .q0 = (double[]){1e3, 0, 0, 1, 0, 0, 0}}));
}

/*
 * Where the gains of all bodies are diagonal contacts go without Y, and with it where one body
 * more, that they do not meet, has another gain: the motion is the same, also where that body comes
 * while they rest on each other.
 */
static void a_stranger_changes_nothing(void **unused) {
  (void)unused;
  enum { steps = 140, comes = 100, never = steps };
  static const int arrival[] = {never, 0, comes};
  static double q[3][most][7];
  for (int turn = 0; turn < 3; ++turn) {
    static pile p;
    p = (pile){0};
    build(&p, 3.3, 0.05, 0.5, NULL, 1e-11, NULL);
    int seen = 0;
    for (int step = 0; step < steps; ++step) {
      if (step == arrival[turn]) add_stranger(&p);
      assert_ok(p.model, nsds_step(p.simulation));
      const nsds_problem *problem = nsds_simulation_problem(p.simulation);
      if (!problem || problem->M.storage != NSDS_FACTORED || problem->n == 0) continue;
      assert_non_null(problem->M.factored->edge[0].Y);
      ++seen;
    }
    assert_true(seen > steps - comes + 10);
    for (int k = 0; k < most; ++k) memcpy(q[turn][k], nsds_q(p.ds[k]), sizeof q[turn][k]);
    nsds_model_destroy(p.model);
  }
  for (int turn = 1; turn < 3; ++turn)
    for (int k = 0; k < most; ++k)
      for (int i = 0; i < 7; ++i)
        if (!(fabs(q[turn][k][i] - q[0][k][i]) <= 1e-7))
          fail_msg("turn %d, body %d, q[%d]: %.17g and %.17g", turn, k, i, q[turn][k][i],
                   q[0][k][i]);
}

int main(void) {
  static int walls = 1;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_heap_weighs_what_it_weighs),
      cmocka_unit_test_prestate(a_heap_weighs_what_it_weighs, &walls),
      cmocka_unit_test(spheres_in_each_other),
      cmocka_unit_test(an_overlap_stays),
      cmocka_unit_test(positions_beyond_reason),
      cmocka_unit_test(steps_allocate_nothing),
      cmocka_unit_test(sets_that_cannot_be_made),
      cmocka_unit_test(a_stranger_changes_nothing),
  };
  return cmocka_run_group_tests_name("kernel.spheres_pile", tests, NULL, NULL);
}
