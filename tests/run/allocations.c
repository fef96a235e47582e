/*
 * Steps of netlists, and of models with a circuit (nsds_circuit()), allocate nothing once they have been taken: neither
 * through the hooks of the context nor behind them.
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
  bool sparse; /* KLU takes memory of its own for new pivots; through the hooks there is none */
} rows[] = {
    {"a converter with a switch",
     "Buck\nVin in 0 24\nS1 in sw TR PULSE(0 1 0 0 0 5u 10u)\nD1 0 sw DI\nL1 sw out 100u\n"
     "C1 out 0 47u\nR1 out 0 2\n.model DI D(ideal=1)\n.model TR TRANSISTOR(vt=0.5)\n",
     1e-7, false},
    {"a bridge",
     "Bridge\nV1 a 0 SIN(0 10 50)\nD1 a h DI\nD2 0 h DI\nD3 l a DI\nD4 l 0 DI\nC1 h l 100u\n"
     "R1 h l 200\n.model DI D(ideal=1 vf=0.1 ron=10m)\n",
     1e-4, false},
    {"junctions and a thyristor that a control fires",
     "Fired\nV1 a 0 SIN(0 10 50)\nD1 a b DJ\nR1 b c 10\nC1 c 0 10u\nVg g 0 PULSE(0 1 2m 0 0 1m "
     "20m)\n"
     "S1 c d g 0 TH\nR2 d 0 5\nE1 e 0 c 0 2\nR3 e f 100\nS2 f 0 c 0 SW1\n.model DJ D(is=1e-12)\n"
     ".model TH THYRISTOR(vt=0.5)\n.model SW1 SW(vt=4 vh=1)\n",
     1e-5, false},
    {"40 cells, sparse",
     "Ladder\n.subckt cell a b\nR1 a c 1\nL1 c b 100u\nC1 b 0 100n\n.ends\n.subckt four a e\n"
     "X1 a b cell\nX2 b c cell\nX3 c d cell\nX4 d e cell\n.ends\nV1 in 0 10\n"
     "S1 in n0 SWI PULSE(0 1 0 0 0 40u 100u)\nD1 0 n0 DX\nX1 n0 n1 four\nX2 n1 n2 four\n"
     "X3 n2 n3 four\nX4 n3 n4 four\nX5 n4 n5 four\nX6 n5 n6 four\nX7 n6 n7 four\nX8 n7 n8 four\n"
     "X9 n8 n9 four\nX10 n9 n10 four\nR1 n10 0 100\n.model SWI SW(ideal=1 vt=0.5)\n"
     ".model DX D(ideal=1)\n",
     1e-7, true},
    {"coupled coils",
     "Coils\nV1 a 0 SIN(0 10 50)\nL1 a b 10m\nL2 c 0 40m\nK1 L1 L2 0.9\n"
     "R1 b 0 10\nR2 c 0 50\n",
     1e-4, false},
};

/* Takes steps; those that are counted allocate nothing. */
static void count_steps(const char *name, bool sparse, nsds_context *context,
                        nsds_simulation *simulation) {
  if (!simulation) fail_msg("%s: %s", name, nsds_error_message(context));
  long behind = 0;
  for (int s = 0; s < warm + counted; ++s) {
    if (s == warm) through_hooks = behind = 0;
    arm();
    nsds_status status = nsds_step(simulation);
    behind += disarm();
    if (status) fail_msg("%s: %s", name, nsds_error_message(context));
  }
  if (through_hooks || (behind && !sparse))
    fail_msg("%s: %ld allocations through the hooks, %ld in all in %d steps", name, through_hooks,
             behind, counted);
}

/* Time stepping beside a ball; adaptive steps beside a tank. */
static void circuits_allocate_nothing(void **state) {
  (void)state;
  for (size_t k = 0; k < 2 * sizeof rows / sizeof *rows; ++k) {
    bool adaptive = k % 2 != 0;
    const char *name = rows[k / 2].name;
    nsds_context *context =
        nsds_context_create(&(nsds_context_def){.alloc = take, .release = release});
    nsds_model *model = nsds_model_create(context);
    if (!adaptive) {
      nsds_ds *ball = nsds_lagrangian_linear(
          model, &(nsds_lagrangian_linear_def){
                     .ndof = 1, .mass = (double[]){1.0}, .fext = (double[]){-9.81}});
      nsds_relation *gap = nsds_lagrangian_linear_relation(
          model, &(nsds_lagrangian_linear_relation_def){.ny = 1, .nq = 1, .H = (double[]){1.0}});
      nsds_connect(model, gap, nsds_newton_impact(model, 0.5), 1, &ball);
    } else {
      nsds_first_order_linear(model, &(nsds_first_order_linear_def){.n = 1, .A = (double[]){-1.0}});
    }
    assert_non_null(
        nsds_circuit(model, &(nsds_circuit_def){.file = "model.cir", .text = rows[k / 2].text}));
    double h = rows[k / 2].h;
    count_steps(
        name, rows[k / 2].sparse && adaptive, context,
        adaptive ? nsds_adaptive(model, &(nsds_adaptive_def){.t1 = 1e3, .largest_step = 20.0 * h})
                 : nsds_time_stepping(model, &(nsds_time_stepping_def){.t1 = 1e3, .h = h}));
    nsds_model_destroy(model);
    nsds_context_destroy(context);
  }
}

static void count_events(const char *name, const char *text, double h) {
  nsds_context *context =
      nsds_context_create(&(nsds_context_def){.alloc = take, .release = release});
  nsds_model *model = nsds_model_create(context);
  assert_non_null(
      nsds_circuit(model, &(nsds_circuit_def){.file = "model.cir", .text = text, .ideal = true}));
  count_steps(
      name, false, context,
      nsds_event_driven(model, &(nsds_event_driven_def){.t1 = 1e5 * h, .output_period = 5.0 * h}));
  nsds_model_destroy(model);
  nsds_context_destroy(context);
}

/* Steps of event-driven simulation, with ideal elements: events, corners, and times of the grid between. The last circuit
 * has a loop of capacitors, and jumps twice in each period. */
static void events_allocate_nothing(void **state) {
  (void)state;
  for (size_t k = 0; k < sizeof rows / sizeof *rows; ++k)
    if (!rows[k].sparse) /* dense matrices of 200 rows take their time */
      count_events(rows[k].name, rows[k].text, rows[k].h);
  count_events("switched capacitors",
               "Pump\nV1 in 0 10\nC0 in 0 1u\nS1 in a SW PULSE(0 1 0 0 0 4u 10u)\nC1 a 0 1u\n"
               "S2 a b SW PULSE(0 1 5u 0 0 4u 10u)\nC2 b 0 2u\nC3 b 0 1u\nR1 b 0 1k\n"
               ".model SW SW(ideal=1 vt=0.5)\n",
               1e-6);
}

/* Steps of a netlist's own simulation, and rows of the job. */
static void netlists_allocate_nothing(void **state) {
  (void)state;
  for (size_t k = 0; k < sizeof rows / sizeof *rows; ++k) {
    char text[2000];
    snprintf(text, sizeof text, "%s.tran %g %g uic\n", rows[k].text, 100.0 * rows[k].h,
             1e6 * rows[k].h);
    nsds_context *context =
        nsds_context_create(&(nsds_context_def){.alloc = take, .release = release});
    nsds_job *job = nsds_job_create(
        context,
        &(nsds_job_def){.file = "n.cir", .text = text, .kind = NSDS_JOB_CIRCUIT, .balance = true});
    if (!job) fail_msg("%s", nsds_error_message(context));
    count_steps(rows[k].name, rows[k].sparse, context, nsds_job_simulation(job));
    nsds_job_destroy(job);
    nsds_context_destroy(context);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(circuits_allocate_nothing),
                                     cmocka_unit_test(events_allocate_nothing),
                                     cmocka_unit_test(netlists_allocate_nothing)};
  return cmocka_run_group_tests_name("run.allocations", tests, NULL, NULL);
}
