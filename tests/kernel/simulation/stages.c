/*
 * A step in stages: begin, solve or take, update until nothing is left to do, accept or reject. In
 * all worlds it gives the bits of nsds_step(), a rejected one leaves the bits that were there,
 * calls out of turn change nothing, and a solution may come from elsewhere.
 */
#include "worlds.h"

#include <stdlib.h>

static nsds_simulation *start(const world *w, nsds_model **model, const char *solver) {
  *model = nsds_model_create(NULL);
  w->build(*model);
  nsds_simulation *s =
      nsds_time_stepping(*model, &(nsds_time_stepping_def){.t1 = 1e3, .h = w->h, .solver = solver});
  assert_sound(*model);
  assert_non_null(s);
  return s;
}

/* Solves and updates until the step has an end; returns how often Newton's method wanted more. */
static int finish(nsds_model *model, nsds_simulation *s) {
  int again = 0;
  for (;; ++again) {
    assert_ok(model, nsds_step_solve(s));
    nsds_status status = nsds_step_update(s);
    if (status == NSDS_OK) return again;
    assert_status(model, status, NSDS_AGAIN);
  }
}

static void stages_give_the_bits_of_a_step(void **state) {
  (void)state;
  for (int k = 0; k < world_count; ++k) {
    nsds_model *model[2];
    nsds_simulation *s[2] = {start(&worlds[k], &model[0], NULL),
                             start(&worlds[k], &model[1], NULL)};
    int again = 0;
    for (int n = 0; n < worlds[k].steps; ++n) {
      assert_ok(model[0], nsds_step(s[0]));
      assert_ok(model[1], nsds_step_begin(s[1]));
      again += finish(model[1], s[1]);
      assert_ok(model[1], nsds_step_accept(s[1]));
      assert_true(nsds_time(s[0]) == nsds_time(s[1]));
      assert_true(state_hash(model[0], 0) == state_hash(model[1], 0));
      const nsds_step_info *a = nsds_simulation_info(s[0]), *b = nsds_simulation_info(s[1]);
      assert_int_equal(a->newton_iterations, b->newton_iterations);
      assert_int_equal(a->active, b->active);
      assert_int_equal(a->rows, b->rows);
      assert_int_equal(a->substeps, b->substeps);
      assert_true(a->t == b->t && a->h == b->h);
    }
    print_message("             %-26s %d times again\n", worlds[k].name, again);
    if (strcmp(worlds[k].name, "machine") == 0) assert_true(again > worlds[k].steps);
    nsds_model_destroy(model[0]);
    nsds_model_destroy(model[1]);
  }
}

/* The contacts of the net are linearly dependent: which of the impulses is found depends on the
 * factors that the solver has kept. */
enum { dependent = 3 };

/* Every third step is tried before, up to each of the stages, and rejected: the model is as it was,
 * also for the steps after it. */
static void a_rejected_step_leaves_all_bits(void **state) {
  (void)state;
  for (int k = 0; k < world_count; ++k) {
    nsds_model *model[2];
    nsds_simulation *s[2] = {start(&worlds[k], &model[0], NULL),
                             start(&worlds[k], &model[1], NULL)};
    for (int n = 0; n < worlds[k].steps; ++n) {
      if (n % 3 == 0) {
        snapshot before = snapshot_take(model[1]);
        double t = nsds_time(s[1]);
        assert_ok(model[1], nsds_step_begin(s[1]));
        if (n % 4 == 1) assert_ok(model[1], nsds_step_solve(s[1]));
        if (n % 4 == 2) finish(model[1], s[1]);
        snapshot_check(&before, model[1], "on the way");
        assert_ok(model[1], nsds_step_reject(s[1]));
        snapshot_check(&before, model[1], "rejected");
        assert_true(nsds_time(s[1]) == t);
        assert_int_equal(nsds_step_count(s[1]), n);
        snapshot_free(&before);
      }
      assert_ok(model[0], nsds_step(s[0]));
      assert_ok(model[1], nsds_step(s[1]));
      if (k == dependent) continue;
      if (state_hash(model[0], 0) != state_hash(model[1], 0))
        fail_msg("%s: other bits in step %d", worlds[k].name, n);
    }
    nsds_model_destroy(model[0]);
    nsds_model_destroy(model[1]);
  }
}

/* ---- out of turn ---- */

enum { SOLVE = 1, TAKE = 2, UPDATE = 4, ACCEPT = 8, REJECT = 16, BEGIN = 32 };

static void expect_state_error(nsds_model *model, nsds_status status, const char *call) {
  nsds_context *context = nsds_model_context(model);
  assert_status(model, status, NSDS_ERROR_STATE);
  assert_words(nsds_last_message(context), &call, 1);
  nsds_error_clear(context);
}

/* All calls but the given ones fail and change nothing. */
static void only(nsds_model *model, nsds_simulation *s, unsigned allowed) {
  snapshot before = snapshot_take(model);
  const double z[4] = {0.0};
  if (!(allowed & BEGIN)) expect_state_error(model, nsds_step_begin(s), "nsds_step_begin");
  if (!(allowed & SOLVE)) expect_state_error(model, nsds_step_solve(s), "nsds_step_solve");
  if (!(allowed & TAKE)) expect_state_error(model, nsds_step_take(s, z), "nsds_step_take");
  if (!(allowed & UPDATE)) expect_state_error(model, nsds_step_update(s), "nsds_step_update");
  if (!(allowed & ACCEPT)) expect_state_error(model, nsds_step_accept(s), "nsds_step_accept");
  if (!(allowed & REJECT)) expect_state_error(model, nsds_step_reject(s), "nsds_step_reject");
  if (!(allowed & BEGIN)) { /* within a step */
    expect_state_error(model, nsds_step(s), "nsds_step");
    expect_state_error(model, nsds_run(s), "nsds_step");
    expect_state_error(model, nsds_simulation_save(s), "nsds_simulation_save");
    expect_state_error(model, nsds_simulation_restore(s), "nsds_simulation_restore");
    expect_state_error(model, nsds_simulation_set_h(s, 1.0), "nsds_simulation_set_h");
    expect_state_error(model, nsds_set_state(nsds_ds_at(model, 0), NULL, NULL), "nsds_set_state");
    expect_state_error(model, nsds_disconnect(nsds_interaction_at(model, 0)), "nsds_disconnect");
    assert_null(nsds_time_stepping(model, &(nsds_time_stepping_def){.t1 = 1.0, .h = 0.1}));
    nsds_error_clear(nsds_model_context(model));
  }
  snapshot_check(&before, model, "out of turn");
  snapshot_free(&before);
}

static void calls_out_of_turn_change_nothing(void **state) {
  (void)state;
  const world *w = &worlds[6]; /* the machine takes several passes */
  nsds_model *model[2];
  nsds_simulation *s[2] = {start(w, &model[0], NULL), start(w, &model[1], NULL)};
  for (int n = 0; n < 50; ++n) {
    assert_ok(model[0], nsds_step(s[0]));
    only(model[1], s[1], BEGIN);
    assert_ok(model[1], nsds_step_begin(s[1]));
    nsds_status status;
    do {
      only(model[1], s[1], SOLVE | TAKE | REJECT);
      assert_ok(model[1], nsds_step_solve(s[1]));
      only(model[1], s[1], UPDATE | REJECT);
      status = nsds_step_update(s[1]);
    } while (status == NSDS_AGAIN);
    assert_ok(model[1], status);
    only(model[1], s[1], ACCEPT | REJECT);
    assert_ok(model[1], nsds_step_accept(s[1]));
    assert_true(state_hash(model[0], 0) == state_hash(model[1], 0));
  }
  assert_int_equal(nsds_step_begin(NULL), NSDS_ERROR_ARGUMENT);
  assert_int_equal(nsds_step_solve(NULL), NSDS_ERROR_ARGUMENT);
  assert_int_equal(nsds_step_take(NULL, NULL), NSDS_ERROR_ARGUMENT);
  assert_int_equal(nsds_step_update(NULL), NSDS_ERROR_ARGUMENT);
  assert_int_equal(nsds_step_accept(NULL), NSDS_ERROR_ARGUMENT);
  assert_int_equal(nsds_step_reject(NULL), NSDS_ERROR_ARGUMENT);
  nsds_model_destroy(model[0]);
  nsds_model_destroy(model[1]); /* with nothing under way */
}

/* ---- solutions from elsewhere ---- */

static void a_solution_from_elsewhere_is_taken(void **state) {
  (void)state;
  const world *w = &worlds[1]; /* the column of beads */
  nsds_model *model[2];
  nsds_simulation *s[2] = {start(w, &model[0], NULL), start(w, &model[1], NULL)};
  nsds_solver *solver = nsds_solver_create(nsds_model_context(model[1]), "nsgs");
  assert_non_null(solver);
  assert_ok(model[1], nsds_solver_set(solver, "tolerance", 1e-12));
  int rows = 0;
  assert_null(nsds_simulation_problem(NULL));
  for (int n = 0; n < w->steps; ++n) {
    assert_ok(model[0], nsds_step(s[0]));
    assert_ok(model[1], nsds_step_begin(s[1]));
    const nsds_problem *problem = nsds_simulation_problem(s[1]);
    assert_non_null(problem);
    double z[32] = {0.0}, v[32];
    if (problem->n > 0) {
      assert_ok(model[1], nsds_problem_check(nsds_model_context(model[1]), problem));
      assert_status(model[1], nsds_step_take(s[1], NULL), NSDS_ERROR_ARGUMENT);
      for (int i = 0; i < problem->n; ++i) z[i] = -1.0; /* no impulses */
      assert_status(model[1], nsds_step_take(s[1], z), NSDS_ERROR_SOLVER);
      z[0] = NAN;
      assert_status(model[1], nsds_step_take(s[1], z), NSDS_ERROR_SOLVER);
      nsds_error_clear(nsds_model_context(model[1]));
      memset(z, 0, sizeof z);
      assert_ok(model[1], nsds_solve(solver, problem, z, v, NULL));
    }
    assert_ok(model[1], nsds_step_take(s[1], problem->n > 0 ? z : NULL));
    assert_ok(model[1], nsds_step_update(s[1]));
    assert_ok(model[1], nsds_step_accept(s[1]));
    rows = problem->n > rows ? problem->n : rows;
    for (int i = 0; i < nsds_ds_count(model[0]); ++i) /* a tolerance of 1e-12 in 400 steps */
      assert_near(nsds_v(nsds_ds_at(model[1], i))[0], nsds_v(nsds_ds_at(model[0], i))[0], 1e-8);
    for (int i = 0; i < problem->n; ++i) assert_true(nsds_simulation_solution(s[1])[i] == z[i]);
  }
  assert_true(rows >= 5);
  nsds_solver_destroy(solver);
  nsds_model_destroy(model[0]);
  nsds_model_destroy(model[1]);
}

/* A stage that fails can be repeated with another solver, or the step be rejected. */
static void a_failed_stage_is_repeated(void **state) {
  (void)state;
  const world *w = &worlds[1];
  nsds_model *model;
  nsds_simulation *s = start(w, &model, "nsgs");
  int failed = 0;
  for (int n = 0; n < w->steps; ++n) {
    assert_ok(model, nsds_solver_set(nsds_simulation_solver(s), "max_iterations", 1.0));
    snapshot before = snapshot_take(model);
    assert_ok(model, nsds_step_begin(s));
    nsds_status status = nsds_step_solve(s);
    if (status != NSDS_OK) {
      assert_status(model, status, NSDS_ERROR_SOLVER);
      ++failed;
      snapshot_check(&before, model, "unsolved");
      assert_status(model, nsds_step_update(s), NSDS_ERROR_STATE);
      nsds_error_clear(nsds_model_context(model));
      if (failed % 2) {
        assert_ok(model, nsds_simulation_set_solver(s, "lemke", 0.0));
        assert_ok(model, nsds_step_solve(s));
        assert_ok(model, nsds_simulation_set_solver(s, "nsgs", 0.0));
      } else {
        assert_ok(model, nsds_step_reject(s));
        snapshot_check(&before, model, "rejected");
        assert_ok(model, nsds_solver_set(nsds_simulation_solver(s), "max_iterations", 1e5));
        assert_ok(model, nsds_step_begin(s));
        assert_ok(model, nsds_step_solve(s));
      }
    }
    assert_ok(model, nsds_step_update(s));
    assert_ok(model, nsds_step_accept(s));
    snapshot_free(&before);
  }
  assert_true(failed > 5);
  nsds_model_destroy(model);
}

/* A simulation, and its model, are destroyed in the middle of a step. */
static void destroyed_on_the_way(void **state) {
  (void)state;
  for (int stage = 0; stage < 3; ++stage)
    for (int how = 0; how < 2; ++how) {
      nsds_model *model;
      nsds_simulation *s = start(&worlds[1], &model, NULL);
      assert_ok(model, nsds_step(s));
      assert_ok(model, nsds_step_begin(s));
      if (stage > 0) assert_ok(model, nsds_step_solve(s));
      if (stage > 1) assert_ok(model, nsds_step_update(s));
      if (how == 0) {
        nsds_simulation_destroy(s);
        assert_ok(model, nsds_set_state(nsds_ds_at(model, 0), (double[]){1.0}, NULL));
      }
      nsds_model_destroy(model);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(stages_give_the_bits_of_a_step),
      cmocka_unit_test(a_rejected_step_leaves_all_bits),
      cmocka_unit_test(calls_out_of_turn_change_nothing),
      cmocka_unit_test(a_solution_from_elsewhere_is_taken),
      cmocka_unit_test(a_failed_stage_is_repeated),
      cmocka_unit_test(destroyed_on_the_way),
  };
  return cmocka_run_group_tests_name("kernel.stages", tests, NULL, NULL);
}
