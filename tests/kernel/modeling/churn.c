/*
 * Contacts that come and go: a hundred thousand interactions are connected and removed, one before
 * each step, among bodies that all rest on the ground. A contact that takes the place of another is
 * no more work for the allocator than a step without any change: after the first replacements
 * nothing is allocated any more, neither in the calls that change the graph nor in the step after
 * them, neither through the hooks of the context nor, where the process's malloc can be counted,
 * behind them.
 */
#include "support.h"
#include "interpose.h"

enum { bodies = 20, warm = 300, replacements = 100000 };

typedef struct ground {
  nsds_model *model;
  nsds_simulation *simulation;
  nsds_relation *gap;
  nsds_law *impact;
  nsds_ds *body[bodies];
  nsds_interaction *contact[bodies];
} ground;

/* Bodies of three degrees of freedom with loads that their contacts balance. */
static ground build(nsds_context *context) {
  ground g = {.model = nsds_model_create(context)};
  const double H[] = {1.0, 0.1, -0.2}, mass[] = {2.0, 0.0, 0.0, 0.0, 0.3, 0.0, 0.0, 0.0, 0.4};
  double load[3], q[] = {-0x1p-20, 0.0, 0.0}; /* so that no contact opens by rounding */
  for (int k = 0; k < 3; ++k) load[k] = -2.0 * 9.81 * H[k];
  g.gap = nsds_lagrangian_linear_relation(
      g.model, &(nsds_lagrangian_linear_relation_def){.ny = 1, .nq = 3, .H = H});
  g.impact = nsds_newton_impact(g.model, 0.0);
  for (int k = 0; k < bodies; ++k) {
    g.body[k] = nsds_lagrangian_linear(
        g.model, &(nsds_lagrangian_linear_def){.ndof = 3, .q0 = q, .mass = mass, .fext = load});
    g.contact[k] = nsds_connect(g.model, g.gap, g.impact, 1, &g.body[k]);
  }
  g.simulation =
      nsds_time_stepping(g.model, &(nsds_time_stepping_def){.t1 = 2e-3 * replacements, .h = 1e-3});
  assert_sound(g.model);
  assert_ok(g.model, nsds_step(g.simulation));
  return g;
}

/* Allocations of a replacement and of the step after it, through the hooks and in all. */
typedef struct tally {
  long through_hooks, in_all;
} tally;

static tally replace_and_step(ground *g, const meter *m, int k) {
  long before = m->calls;
  arm();
  nsds_status removed = nsds_disconnect(g->contact[k]);
  g->contact[k] = nsds_connect(g->model, g->gap, g->impact, 1, &g->body[k]);
  nsds_status stepped = nsds_step(g->simulation);
  long in_all = disarm();
  assert_ok(g->model, removed);
  assert_non_null(g->contact[k]);
  assert_ok(g->model, stepped);
  return (tally){m->calls - before, in_all};
}

static void replaced_contacts_allocate_nothing(void **state) {
  (void)state;
  meter m = {0};
  nsds_context *context = meter_context(&m);
  ground g = build(context);
  tally first = {0}, later = {0};
  long live = 0;
  for (int s = 0; s < replacements; ++s) {
    if (s == warm) live = m.live;
    tally t = replace_and_step(&g, &m, s * 7 % bodies);
    tally *sum = s < warm ? &first : &later;
    sum->through_hooks += t.through_hooks;
    sum->in_all += t.in_all;
  }
  print_message(
      "             %d replacements: %ld allocations through the hooks, %ld in all; then %d: "
      "%ld, %ld in all\n",
      warm, first.through_hooks, first.in_all, replacements - warm, later.through_hooks,
      later.in_all);
  assert_int_equal(nsds_interaction_count(g.model), bodies);
  assert_int_equal(m.live, live); /* nothing piles up */
  /* all this while the bodies have rested */
  for (int k = 0; k < bodies; ++k) {
    assert_near(nsds_impulse(g.contact[k])[0], 2.0 * 9.81 * 1e-3, 1e-12);
    for (int i = 0; i < 3; ++i) assert_near(nsds_v(g.body[k])[i], 0.0, 1e-12);
  }
  assert_int_equal(later.through_hooks, 0);
  assert_int_equal(later.in_all, 0);
  nsds_model_destroy(g.model);
  nsds_context_destroy(context);
  assert_int_equal(m.live, 0);
}

/* Many at once: contacts are added to a growing model and all removed again, in an order of their
 * own. */
static void growing_and_shrinking(void **state) {
  (void)state;
  enum { extra = 2000 };
  static nsds_interaction *added[extra];
  meter m = {0};
  nsds_context *context = meter_context(&m);
  ground g = build(context);
  tally t = replace_and_step(&g, &m, 0); /* whatever is kept for a replacement is there */
  (void)t;
  for (int round = 0; round < 3; ++round) {
    for (int k = 0; k < extra; ++k) {
      added[k] = nsds_connect(g.model, g.gap, g.impact, 1, &g.body[k * 3 % bodies]);
      assert_non_null(added[k]);
    }
    assert_int_equal(nsds_interaction_count(g.model), bodies + extra);
    for (int k = 0; k < extra; ++k)
      assert_ok(g.model, nsds_disconnect(added[(k * 617 + round) % extra]));
    assert_int_equal(nsds_interaction_count(g.model), bodies);
    assert_ok(g.model, nsds_step(g.simulation));
  }
  for (int k = 0; k < bodies; ++k)
    assert_near(nsds_impulse(g.contact[k])[0], 2.0 * 9.81 * 1e-3, 1e-12);
  nsds_model_destroy(g.model);
  nsds_context_destroy(context);
  assert_int_equal(m.live, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(replaced_contacts_allocate_nothing),
      cmocka_unit_test(growing_and_shrinking),
  };
  return cmocka_run_group_tests_name("kernel.churn", tests, NULL, NULL);
}
