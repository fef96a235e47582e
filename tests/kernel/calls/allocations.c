/*
 * After the first step, stepping allocates nothing: neither through the hooks of the context nor,
 * where the process's malloc can be counted, behind them. Contacts open and close meanwhile; only a
 * step with more active contacts than ever before may ask for memory, and, behind the hooks, the
 * first factorisation of a sparse pattern (solver.h).
 */
#include "worlds.h"
#include "interpose.h"

/* One step between two counts; nothing of the test may run in between. */
static void counted_step(nsds_model *model, nsds_simulation *simulation, const meter *m,
                         long *through_hooks, long *behind) {
  long before = m->calls;
  arm();
  nsds_status status = nsds_step(simulation);
  *behind += disarm();
  *through_hooks += m->calls - before;
  assert_ok(model, status);
}

static void steps_allocate_nothing(void **state) {
  const world *w = *state;
  meter m = {0};
  nsds_context *context = meter_context(&m);
  nsds_model *model = nsds_model_create(context);
  w->build(model);
  nsds_simulation *simulation =
      nsds_time_stepping(model, &(nsds_time_stepping_def){.t1 = 1e3, .h = w->h});
  assert_sound(model);
  int contacts = nsds_interaction_count(model);
  int largest = 0, changes = 0, last = -1;
  long later[2] = {0};
  for (int s = 0; s < w->steps; ++s) {
    long through_hooks = 0, behind = 0;
    counted_step(model, simulation, &m, &through_hooks, &behind);
    int active = nsds_simulation_info(simulation)->active;
    changes += active != last;
    last = active;
    if (active > largest) { /* more than ever before: may ask for memory */
      largest = active;
    } else if (s > 0) {
      later[0] += through_hooks;
      later[1] += behind;
    }
  }
  print_message("             %-26s up to %d of %d contacts active, %d changes; after the first "
                "step %ld allocations through the hooks, %ld in all\n",
                w->name, largest, contacts, changes, later[0], later[1]);
  assert_true(largest > 0);
  assert_true(changes > 0); /* once where all contacts are closed from the start */
  assert_int_equal(later[0], 0);
  if (!w->patterns) assert_int_equal(later[1], 0);
  nsds_model_destroy(model);
  nsds_context_destroy(context);
  assert_int_equal(m.live, 0);
}

/* The counter counts: a new system makes a new plan. */
static void the_counter_counts(void **state) {
  (void)state;
  meter m = {0};
  nsds_context *context = meter_context(&m);
  nsds_model *model = nsds_model_create(context);
  worlds[0].build(model);
  nsds_simulation *simulation =
      nsds_time_stepping(model, &(nsds_time_stepping_def){.t1 = 1e3, .h = 1e-3});
  long through_hooks = 0, behind = 0;
  counted_step(model, simulation, &m, &through_hooks, &behind);
  nsds_ds *body = nsds_lagrangian_linear(
      model, &(nsds_lagrangian_linear_def){.ndof = 1, .mass = (double[]){1.0}});
  assert_non_null(body);
  through_hooks = behind = 0;
  counted_step(model, simulation, &m, &through_hooks, &behind);
  assert_true(through_hooks > 0);
#ifdef NSDS_TEST_INTERPOSE
  assert_int_equal(behind, through_hooks); /* the meter takes its memory from malloc */
#endif
  nsds_model_destroy(model);
  nsds_context_destroy(context);
}

int main(void) {
  static struct CMUnitTest tests[16];
  for (int k = 0; k < world_count; ++k)
    tests[k] = (struct CMUnitTest){.name = worlds[k].name,
                                   .test_func = steps_allocate_nothing,
                                   .initial_state = (void *)(uintptr_t)&worlds[k]};
  tests[world_count] = (struct CMUnitTest)cmocka_unit_test(the_counter_counts);
  return _cmocka_run_group_tests("kernel.allocations", tests, (size_t)world_count + 1, NULL, NULL);
}
