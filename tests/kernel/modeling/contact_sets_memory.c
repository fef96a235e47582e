/*
 * Memory of models with contact sets: once the largest number of contacts has been met steps
 * allocate nothing, with contacts that come and go and interactions beside them; an allocation that
 * fails loses nothing.
 */
#include "found.h"
#ifdef NSDS_TEST_INTERPOSE
#include "interpose.h"
#endif

static const double g = 9.81;

enum { bodies = 20, dofs = 3 };

typedef struct story {
  meter m;
  nsds_context *context;
  nsds_model *model;
  nsds_simulation *simulation;
  nsds_ds *ds[bodies];
  nsds_relation *gap;
  nsds_law *law;
  nsds_interaction *edge[2];
  found f;
  uint64_t hash;
} story;

/* A floor for each body and a wall between neighbours, in the set. */
static void build(story *s) {
  const double mass[] = {2.0, 0.0, 0.0, 0.0, 0.3, 0.0, 0.0, 0.0, 0.4};
  s->model = nsds_model_create(s->context);
  s->law = nsds_newton_impact(s->model, 0.3);
  s->gap = nsds_lagrangian_linear_relation(
      s->model, &(nsds_lagrangian_linear_relation_def){
                    .ny = 1, .nq = 2 * dofs, .H = (double[]){0.0, 1.0, 0.0, 0.0, -1.0, 0.0}});
  found_create(&s->f, s->model, "heap", s->law, 1);
  uint64_t seed = 3;
  for (int k = 0; k < bodies; ++k) {
    double v[] = {random_in(&seed, -1.0, 0.0), random_in(&seed, -1.0, 1.0), 0.0};
    s->ds[k] = nsds_lagrangian_linear(
        s->model, &(nsds_lagrangian_linear_def){
                      .ndof = dofs, .v0 = v, .mass = mass, .fext = (double[]){-2.0 * g, 0.0, 0.0}});
    found_add(&s->f, s->ds[k], NULL, (double[]){1.0, 0.1, -0.2}, 1e-3 * (k % 3));
  }
  for (int k = 1; k < bodies; ++k)
    if (s->ds[k] && s->ds[k - 1])
      found_add(&s->f, s->ds[k - 1], s->ds[k], (double[]){0.0, -1.0, 0.3, 0.1, 1.0, 0.0}, 1e-3);
}

/* From few contacts to all, then any number of them, in order or not. */
static void choose(story *s, int step) {
  for (int k = 0; k < s->f.count; ++k)
    s->f.item[k].away = step < 8 ? k >= 5 * (step + 1) : (k * 7 + step * 3) % 5 < step % 4;
  s->f.shuffle = step % 2 == 1;
  s->f.seed = (uint64_t)step;
}

static nsds_status begin(story *s) {
  s->simulation = nsds_time_stepping(
      s->model, &(nsds_time_stepping_def){.t1 = 1e3, .h = 1e-3, .max_halvings = 1});
  return s->simulation ? NSDS_OK : NSDS_ERROR_MEMORY;
}

static nsds_status connect(story *s, int k, int body) {
  s->edge[k] = nsds_connect(s->model, s->gap, s->law, 2, &s->ds[body % (bodies - 1)]);
  return s->edge[k] ? NSDS_OK : NSDS_ERROR_MEMORY;
}

/* ---- nothing is allocated ---- */

static void steps_allocate_nothing(void **state) {
  bool churn = *state != NULL;
  static story s;
  s = (story){0};
  s.context = meter_context(&s.m);
  build(&s);
  assert_int_equal(begin(&s), NSDS_OK);
  for (int k = 0; k < 2; ++k) assert_int_equal(connect(&s, k, k), NSDS_OK);
  long through_hooks = 0, in_all = 0;
  int active = 0, most = 0, changes = 0;
  for (int step = 0; step < 3000; ++step) {
    long before = s.m.calls, count = 0;
    choose(&s, step);
    double v[dofs] = {-0.5, step % 7 * 0.1, 0.0}, q[dofs] = {0.0};
    nsds_status set = nsds_set_state(s.ds[step % bodies], q, v);
    assert_ok(s.model, set);
#ifdef NSDS_TEST_INTERPOSE
    interpose.calls = 0;
    interpose.armed = step >= 300;
#endif
    nsds_status status = NSDS_OK;
    if (churn) {
      status = nsds_disconnect(s.edge[step % 2]);
      if (!status) status = connect(&s, step % 2, step);
      if (!status && step % 5 == 0) status = nsds_disconnect(s.edge[0]);
    }
    if (!status) status = nsds_step(s.simulation);
    if (!status && churn && step % 5 == 0) status = connect(&s, 0, step + 3);
#ifdef NSDS_TEST_INTERPOSE
    interpose.armed = false;
    count = interpose.calls;
#endif
    assert_ok(s.model, status);
    int now = nsds_simulation_info(s.simulation)->active;
    changes += now != active;
    active = now;
    if (step >= 300 && now <= most) through_hooks += s.m.calls - before, in_all += count;
    most = now > most ? now : most;
  }
  print_message("             %d contacts, %d changes; after 300 steps %ld allocations through the "
                "hooks, %ld in all\n",
                s.f.count, changes, through_hooks, in_all);
  assert_true(changes > 1000);
  assert_int_equal(through_hooks, 0);
  assert_int_equal(in_all, 0);
  nsds_model_destroy(s.model);
  nsds_context_destroy(s.context);
  assert_int_equal(s.m.live, 0);
}

/* ---- allocations that fail ---- */

/* Whether a failure is one of memory, after which the call can be made again. */
static void forgive(story *s) {
  assert_true(s->m.failed);
  assert_int_equal(nsds_error(s->context), NSDS_ERROR_MEMORY);
  nsds_error_clear(s->context);
}

#define TRY(s, call)                                                                               \
  if ((call) != NSDS_OK) {                                                                         \
    forgive(s);                                                                                    \
    assert_ok((s)->model, call);                                                                   \
  }

static void step(story *s, int from, int to) {
  for (int k = from; k < to; ++k) {
    choose(s, k);
    snapshot before = snapshot_take(s->model);
    uint64_t found_before = found_hash(s->f.set, 1, 0);
    nsds_status status = nsds_step(s->simulation);
    if (status) {
      assert_int_equal(status, NSDS_ERROR_MEMORY);
      snapshot_check(&before, s->model, "a step without memory");
      assert_true(found_hash(s->f.set, 1, 0) == found_before);
      forgive(s);
      s->f.seed = (uint64_t)k;
      assert_ok(s->model, nsds_step(s->simulation));
    }
    snapshot_free(&before);
    s->hash = found_hash(s->f.set, 1, state_hash(s->model, s->hash));
  }
}

/* Tells the story with one allocation refused; whether there was one. */
static bool tell(long fail_at, uint64_t *hash) {
  static story s;
  s = (story){.m = {.fail_at = fail_at}};
  s.context = meter_context(&s.m);
  if (!s.context) s.context = meter_context(&s.m);
  build(&s);
  int made = s.f.destroyed;
  if (!s.model || nsds_error(s.context) != NSDS_OK) {
    if (s.m.failed && nsds_error(s.context) != NSDS_OK) forgive(&s);
    bool set = s.f.set != NULL;
    assert_int_equal(made, !set); /* a set that could not be made has freed its geometry */
    nsds_model_destroy(s.model);
    assert_int_equal(s.f.destroyed, 1);
    build(&s);
  }
  TRY(&s, begin(&s));
  step(&s, 0, 4);
  TRY(&s, connect(&s, 0, 3));
  step(&s, 4, 7);
  TRY(&s, nsds_simulation_save(s.simulation));
  step(&s, 7, 20);
  uint64_t after = found_hash(s.f.set, 1, state_hash(s.model, 0));
  assert_ok(s.model, nsds_simulation_restore(s.simulation));
  uint64_t kept = s.hash;
  step(&s, 7, 20);
  assert_true(found_hash(s.f.set, 1, state_hash(s.model, 0)) == after);
  s.hash = kept;
  assert_ok(s.model, nsds_disconnect(s.edge[0]));
  step(&s, 20, 24);
  nsds_model_destroy(s.model);
  nsds_context_destroy(s.context);
  assert_int_equal(s.m.live, 0);
  assert_int_equal(s.f.destroyed, 1);
  *hash = s.hash;
  return s.m.failed;
}

static void failed_allocations_lose_nothing(void **state) {
  (void)state;
  uint64_t undisturbed, hash;
  assert_false(tell(0, &undisturbed));
  long n = 0;
  while (tell(++n, &hash))
    if (hash != undisturbed) fail_msg("after allocation %ld had failed, the run was another", n);
  print_message("             %ld allocations failed once\n", n - 1);
  assert_true(n > 100);
}

/* Balls: what cannot be made leaves nothing behind. */
static void balls_that_cannot_be_made(void **state) {
  (void)state;
  bool failed = true;
  for (long n = 1; failed; ++n) {
    meter m = {0};
    nsds_context *context = meter_context(&m);
    nsds_model *model = nsds_model_create(context);
    nsds_ds *ds[3];
    for (int k = 0; k < 3; ++k)
      ds[k] = nsds_lagrangian_linear(
          model, &(nsds_lagrangian_linear_def){.ndof = 2,
                                               .q0 = (double[]){0.2 * k, 0.0},
                                               .mass = (double[]){1.0, 0.0, 0.0, 1.0}});
    nsds_law *law = nsds_newton_impact(model, 0.0);
    m.fail_at = m.calls + n;
    nsds_contact_set *set = nsds_balls(
        model, &(nsds_balls_def){
                   .law = law, .count = 3, .ds = ds, .dimension = 2, .radius = 0.1, .pairs = true});
    failed = m.failed;
    m.fail_at = 0;
    assert_true((set == NULL) == failed);
    if (failed) assert_int_equal(nsds_error(context), NSDS_ERROR_MEMORY);
    nsds_model_destroy(model);
    nsds_context_destroy(context);
    assert_int_equal(m.live, 0);
  }
}

int main(void) {
  static int churn = 1;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(steps_allocate_nothing),
      cmocka_unit_test_prestate(steps_allocate_nothing, &churn),
      cmocka_unit_test(failed_allocations_lose_nothing),
      cmocka_unit_test(balls_that_cannot_be_made),
  };
  return cmocka_run_group_tests_name("kernel.contact_sets_memory", tests, NULL, NULL);
}
