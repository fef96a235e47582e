/*
 * As faults.c, but the process's malloc fails: also where the memory does not come through the
 * hooks of a context, in the sparse factorisations. One failure must be reported as lack of memory
 * (or do no harm), leak nothing, and leave a simulation that goes on.
 */
#include "interpose.h"
#include "worlds.h"

typedef struct outcome {
  nsds_status status; /* the first failure */
  double q;           /* where the last coordinate ended */
  bool finished;
} outcome;

static nsds_model *build(const world *w, outcome *o) {
  nsds_model *model = nsds_model_create(NULL);
  if (!model) o->status = NSDS_ERROR_MEMORY;
  else w->build(model);
  if (model && nsds_error(nsds_model_context(model))) {
    o->status = nsds_error(nsds_model_context(model));
    nsds_model_destroy(model);
    model = NULL;
  }
  return model;
}

/* Nothing of the test itself may allocate or print in here. */
static outcome tell(const world *w) {
  outcome o = {.status = NSDS_OK};
  nsds_model *model = build(w, &o);
  if (!model) model = build(w, &o);
  if (!model) return o;
  nsds_context *context = nsds_model_context(model);
  const nsds_time_stepping_def def = {.t1 = 100.0, .h = w->h};
  nsds_simulation *simulation = nsds_time_stepping(model, &def);
  if (!simulation) {
    o.status = nsds_error(context);
    nsds_error_clear(context);
    simulation = nsds_time_stepping(model, &def);
  }
  bool fine = simulation != NULL;
  for (int k = 0; fine && k < 15; ++k) {
    if (k == 8) fine = nsds_simulation_set_h(simulation, 0.5 * w->h) == NSDS_OK;
    nsds_status status = nsds_step(simulation);
    if (status) {
      o.status = status;
      nsds_error_clear(context);
      status = nsds_step(simulation);
    }
    fine = fine && status == NSDS_OK;
  }
  o.finished = fine;
  if (fine) o.q = nsds_q(nsds_ds_at(model, 0))[nsds_nq(nsds_ds_at(model, 0)) - 1];
  nsds_model_destroy(model);
  return o;
}

static void sweep(void **state) {
  const world *w = *state;
  outcome undisturbed = tell(w); /* what libraries allocate once and keep is there after this */
  assert_true(undisturbed.finished);
  bool failed = true;
  long n = 0, reported = 0;
  while (failed) {
    interpose = (interposed){.fail_at = ++n, .armed = true};
    outcome o = tell(w);
    interpose.armed = false;
    failed = interpose.failed;
    if (interpose.live != 0) fail_msg("failing allocation %ld left %ld behind", n, interpose.live);
    if (!o.finished) fail_msg("after failing allocation %ld the run did not go on", n);
    if (o.status && o.status != NSDS_ERROR_MEMORY)
      fail_msg("failing allocation %ld gave %d (%s)", n, o.status, nsds_status_text(o.status));
    reported += o.status == NSDS_ERROR_MEMORY;
    assert_near(o.q, undisturbed.q, 0.0);
  }
  print_message("             %-26s %ld allocations failed, %ld reported\n", w->name, n - 1,
                reported);
  assert_true(reported > (n - 1) / 2);
}

int main(void) {
  static struct CMUnitTest tests[16];
  size_t count = 0;
  for (int k = 0; k < world_count; ++k)
    if (!strstr(worlds[k].name, "forced")) /* its plugin: the loader keeps memory of its own */
      tests[count++] = (struct CMUnitTest){.name = worlds[k].name,
                                           .test_func = sweep,
                                           .initial_state = (void *)(uintptr_t)&worlds[k]};
  return _cmocka_run_group_tests("kernel.faults_malloc", tests, count, NULL, NULL);
}
