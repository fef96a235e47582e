/*
 * Steps of models with a circuit (nsds_circuit()), alone and beside a mechanism, allocate nothing once they have been
 * taken: neither through the hooks of the context nor behind them.
 */
#include "run_test.h"
#include "../kernel/interpose.h"

#include <nsds/nsds.h>

#include <stdlib.h>

enum { warm = 200, counted = 1000 };

static long through_hooks;

static void *take(size_t size, void *user) {
  (void)user;
  ++through_hooks;
  return malloc(size);
}

static void release(void *memory, void *user) {
  (void)user;
  free(memory);
}

static const struct {
  const char *name, *text;
  double h;
} rows[] = {
    {"a converter with a switch",
     "Buck\nVin in 0 24\nS1 in sw TR PULSE(0 1 0 0 0 5u 10u)\nD1 0 sw DI\nL1 sw out 100u\n"
     "C1 out 0 47u\nR1 out 0 2\n.model DI D(ideal=1)\n.model TR TRANSISTOR(vt=0.5)\n",
     1e-7},
    {"a bridge",
     "Bridge\nV1 a 0 SIN(0 10 50)\nD1 a h DI\nD2 0 h DI\nD3 l a DI\nD4 l 0 DI\nC1 h l 100u\n"
     "R1 h l 200\n.model DI D(ideal=1 vf=0.1 ron=10m)\n",
     1e-4},
    {"coupled coils",
     "Coils\nV1 a 0 SIN(0 10 50)\nL1 a b 10m\nL2 c 0 40m\nK1 L1 L2 0.9\n"
     "R1 b 0 10\nR2 c 0 50\n",
     1e-4},
};

static void circuits_allocate_nothing(void **state) {
  (void)state;
  for (size_t k = 0; k < sizeof rows / sizeof *rows; ++k) {
    nsds_context *context =
        nsds_context_create(&(nsds_context_def){.alloc = take, .release = release});
    nsds_model *model = nsds_model_create(context);
    nsds_ds *ball = nsds_lagrangian_linear(
        model, &(nsds_lagrangian_linear_def){
                   .ndof = 1, .mass = (double[]){1.0}, .fext = (double[]){-9.81}});
    nsds_relation *gap = nsds_lagrangian_linear_relation(
        model, &(nsds_lagrangian_linear_relation_def){.ny = 1, .nq = 1, .H = (double[]){1.0}});
    nsds_connect(model, gap, nsds_newton_impact(model, 0.5), 1, &ball);
    assert_non_null(
        nsds_circuit(model, &(nsds_circuit_def){.file = "model.cir", .text = rows[k].text}));
    nsds_simulation *simulation =
        nsds_time_stepping(model, &(nsds_time_stepping_def){.t1 = 1e3, .h = rows[k].h});
    long behind = 0;
    for (int s = 0; s < warm + counted; ++s) {
      if (s == warm) through_hooks = behind = 0;
      arm();
      nsds_status status = nsds_step(simulation);
      behind += disarm();
      if (status) fail_msg("%s: %s", rows[k].name, nsds_error_message(context));
    }
    if (through_hooks || behind)
      fail_msg("%s: %ld allocations through the hooks, %ld in all in %d steps", rows[k].name,
               through_hooks, behind, counted);
    nsds_model_destroy(model);
    nsds_context_destroy(context);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(circuits_allocate_nothing)};
  return cmocka_run_group_tests_name("run.allocations", tests, NULL, NULL);
}
