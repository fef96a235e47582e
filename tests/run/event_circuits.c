/*
 * Circuits in event-driven simulation, alone and beside bodies. Where a circuit is linear between events, the state after
 * a time follows from a matrix exponential, and each event from a root. This integration is written here:
 *
 *     a boost converter in discontinuous conduction
 *     an H bridge whose motor drives a slider against a stop
 *
 * Times of all events agree to 1e-9 s. Netlists of docs and examples end as the adaptive simulation ends them.
 */
#include "run_test.h"

#include <nsds/nsds.h>

/* ---- piecewise linear motion ----------------------------------------------------------------- */

enum { most_states = 5, most_events = 400 };

/* dz/dt = A z; the last entry of z is 1. */
typedef struct linear {
  int n;
  double A[most_states][most_states];
} linear;

/* z := exp(A t) z, by Taylor series in parts. */
static void flow(const linear *a, double t, double *z) {
  double norm = 0.0;
  for (int i = 0; i < a->n; ++i) {
    double sum = 0.0;
    for (int j = 0; j < a->n; ++j) sum += fabs(a->A[i][j]);
    norm = fmax(norm, sum);
  }
  int parts = 1 + (int)(2.0 * norm * fabs(t));
  for (int p = 0; p < parts; ++p) {
    double term[most_states];
    memcpy(term, z, sizeof term);
    for (int k = 1; k < 30; ++k) {
      double next[most_states] = {0.0};
      for (int i = 0; i < a->n; ++i)
        for (int j = 0; j < a->n; ++j) next[i] += a->A[i][j] * term[j] * (t / parts) / k;
      memcpy(term, next, sizeof term);
      for (int i = 0; i < a->n; ++i) z[i] += term[i];
    }
  }
}

/* A function c.z that ends a mode when it falls below zero. */
typedef struct guard {
  double c[most_states];
} guard;

static double guard_at(const linear *a, const guard *g, const double *from, double t) {
  double z[most_states], sum = 0.0;
  memcpy(z, from, sizeof z);
  flow(a, t, z);
  for (int i = 0; i < a->n; ++i) sum += g->c[i] * z[i];
  return sum;
}

/* Returns the first time in (0, end] at which a guard falls through zero, by small steps and bisection; *which: the
 * guard, -1: none. */
static double first_passage(const linear *a, const guard *g, int count, const double *z, double end,
                            int *which) {
  enum { steps = 400 };
  *which = -1;
  for (int k = 0; k < steps && *which < 0; ++k) {
    double low = end * k / steps, high = end * (k + 1) / steps, least = INFINITY;
    for (int j = 0; j < count; ++j) {
      if (!(guard_at(a, &g[j], z, low) > 0.0) && k > 0) continue;
      if (guard_at(a, &g[j], z, high) >= 0.0) continue;
      double from = low, to = high;
      for (int turn = 0; turn < 60; ++turn) {
        double middle = 0.5 * (from + to);
        if (guard_at(a, &g[j], z, middle) >= 0.0) from = middle;
        else to = middle;
      }
      if (to < least) least = to, *which = j;
    }
    if (*which >= 0) return least;
  }
  return end;
}

/* Times of events, in order. */
typedef struct times {
  int count;
  double t[most_events];
} times;

static void note(times *all, double t) {
  assert_true(all->count < most_events);
  all->t[all->count++] = t;
}

/* ---- simulation ------------------------------------------------------------------------------ */

static nsds_network *circuit_of(nsds_model *model, const char *text, bool rest) {
  nsds_network *circuit =
      nsds_circuit(model, &(nsds_circuit_def){.file = "model.cir", .text = text, .at_rest = rest});
  if (!circuit) fail_msg("%s", nsds_error_message(nsds_model_context(model)));
  return circuit;
}

static nsds_simulation *events_of(nsds_model *model, double t1) {
  nsds_simulation *simulation = nsds_event_driven(
      model, &(nsds_event_driven_def){
                 .t1 = t1, .relative_tolerance = 1e-12, .absolute_tolerance = 1e-14});
  if (!simulation) fail_msg("%s", nsds_error_message(nsds_model_context(model)));
  return simulation;
}

/* Runs to the end, and notes the times of events with changes, except multiples of `known`, if that is not 0. */
static void run_and_note(nsds_model *model, nsds_simulation *simulation, double known,
                         times *all) {
  nsds_status status;
  while ((status = nsds_step(simulation)) == NSDS_OK) {
    const nsds_event_info *event = nsds_simulation_event(simulation);
    double turns = event->t / known;
    bool changes = event->kind & NSDS_EVENT_NONSMOOTH && event->count > 0;
    if (changes && !(known > 0.0 && fabs(turns - round(turns)) < 1e-12)) note(all, event->t);
  }
  if (status < 0) fail_msg("%s", nsds_error_message(nsds_model_context(model)));
}

static void compare_times(const char *what, const times *found, const times *expected) {
  double worst = 0.0;
  if (found->count != expected->count)
    for (int k = 0; k < found->count || k < expected->count; ++k)
      printf("%d: %.15g %.15g\n", k, k < found->count ? found->t[k] : NAN,
             k < expected->count ? expected->t[k] : NAN);
  assert_int_equal(found->count, expected->count);
  for (int k = 0; k < found->count; ++k) worst = fmax(worst, fabs(found->t[k] - expected->t[k]));
  printf("%s: %d events, times to %.2g s\n", what, found->count, worst);
  assert_true(worst < 1e-9);
}

/* ---- a boost converter ----------------------------------------------------------------------- */

static const double boost_u = 10.0, boost_l = 20e-6, boost_c = 1e-6, boost_r = 400.0,
                    boost_period = 1e-5, boost_duty = 0.3;

/* z = (i, v, 1): the inductor at the source, at the output, open. */
static linear boost_mode(bool shorted, bool conducts) {
  linear a = {.n = 3};
  if (shorted || conducts) a.A[0][2] = boost_u / boost_l;
  if (conducts) a.A[0][1] = -1.0 / boost_l;
  if (conducts) a.A[1][0] = 1.0 / boost_c;
  a.A[1][1] = -1.0 / (boost_r * boost_c);
  return a;
}

static void boost_reference(double end, double *z, times *all) {
  const linear on = boost_mode(true, false), gives = boost_mode(false, true),
               rests = boost_mode(false, false);
  const guard current = {{1.0, 0.0, 0.0}};
  for (int k = 0; k * boost_period < end; ++k) {
    double begin = k * boost_period, off = begin + boost_duty * boost_period, next;
    int which;
    if (k > 0) note(all, begin);
    flow(&on, off - begin, z);
    note(all, off);
    next = first_passage(&gives, &current, 1, z, begin + boost_period - off, &which);
    assert_int_equal(which, 0);
    flow(&gives, next, z);
    note(all, off + next);
    z[0] = 0.0;
    flow(&rests, begin + boost_period - off - next, z);
  }
}

static void boost_in_discontinuous_conduction(void **state) {
  (void)state;
  const double end = 50 * boost_period;
  double z[most_states] = {0.0, 30.0, 1.0};
  times expected = {0}, found = {0};
  boost_reference(end, z, &expected);
  nsds_model *model = nsds_model_create(NULL);
  nsds_network *circuit = circuit_of(
      model,
      "Boost\nVin in 0 10\nL1 in sw 20u\nS1 sw 0 SI PULSE(0 1 0 0 0 3u 10u)\nD1 sw out DI\n"
      "C1 out 0 1u IC=30\nR1 out 0 400\n.model SI SW(ideal=1 vt=0.5)\n.model DI D(ideal=1)\n"
      ".options gmin=0 rmin=0\n",
      false);
  run_and_note(model, events_of(model, end), 0.0, &found);
  compare_times("boost converter", &found, &expected);
  assert_close("the output", nsds_network_read(circuit, "v(out)"), z[1], 1e-9);
  assert_close("the current at rest", nsds_network_read(circuit, "i(L1)"), 0.0, 1e-15);
  assert_close("the switch at rest", nsds_network_read(circuit, "v(sw)"), boost_u, 1e-9);
  nsds_model_destroy(model);
}

/* ---- an H bridge and a slider ---------------------------------------------------------------- */

static const double bridge_u = 12.0, bridge_rw = 1.0, bridge_l = 2e-3, bridge_k = 3.0,
                    bridge_m = 0.05, bridge_c = 0.4, bridge_stop = 4e-3, bridge_load = 0.9,
                    bridge_period = 8e-3, bridge_end = 40e-3, bridge_rm = 1e5;

/* The way of the current: none; from the middle of the source through RM, while one diode conducts; through two diodes or
 * switches. */
typedef enum way { OPEN, THROUGH_RM, CLOSED } way;

/* z = (i, v, q, 1). held: the slider rests at the stop. */
static linear bridge_mode(double voltage, way conducts, bool held) {
  linear a = {.n = 4};
  bool middle = conducts == THROUGH_RM;
  if (conducts != OPEN) {
    a.A[0][0] = -(bridge_rw + (middle ? bridge_rm : 0.0)) / bridge_l;
    a.A[0][1] = -bridge_k / bridge_l;
    a.A[0][3] = (middle ? 0.5 : 1.0) * voltage / bridge_l;
  }
  if (held) return a;
  a.A[1][0] = bridge_k / bridge_m;
  a.A[1][1] = -bridge_c / bridge_m;
  a.A[1][3] = -bridge_load / bridge_m;
  a.A[2][1] = 1.0;
  return a;
}

/* The motion between two turns of the bridge. */
typedef struct phase {
  double begin, end, drive; /* drive: the voltage at the motor; 0: off, diodes lead the current back
                               into the source until it is zero */
} phase;

/* The slider strikes the stop. It rebounds, or stays. */
static void strike(double e, bool *held, double *z) {
  z[2] = bridge_stop;
  z[1] *= -e;
  *held = e == 0.0 && bridge_k * z[0] > bridge_load;
}

static void bridge_phase(const phase *p, double e, bool *held, double *z, times *all) {
  double t = p->begin;
  way conducts = p->drive == 0.0 && z[0] == 0.0 ? OPEN : CLOSED;
  while (t < p->end) {
    double sign = z[0] > 0.0 ? 1.0 : -1.0;
    double voltage = p->drive != 0.0 ? p->drive : -sign * bridge_u;
    const linear a = bridge_mode(voltage, conducts, *held);
    const guard strikes = {{0.0, 0.0, -1.0, bridge_stop}},
                leaves = {{bridge_k, 0.0, 0.0, -bridge_load}},
                flows = {{sign, 0.0, 0.0,
                          conducts == CLOSED ? -0.5 * bridge_u / bridge_rm : 0.0}}, ends[] = {*held ? leaves : strikes, flows};
    int which, count = conducts == OPEN || p->drive != 0.0 ? 1 : 2;
    double next = first_passage(&a, ends, count, z, p->end - t, &which);
    assert_true(conducts != OPEN || fabs(bridge_k * z[1]) < bridge_u);
    flow(&a, next, z);
    t += next;
    if (which < 0) return;
    note(all, t);
    if (which == 1) conducts = conducts == CLOSED ? THROUGH_RM : OPEN;
    if (which == 1 && conducts == OPEN) z[0] = 0.0;
    else if (which == 1) continue;
    else if (*held) *held = false;
    else strike(e, held, z);
  }
}

static void bridge_reference(double e, double *z, times *all) {
  bool held = false;
  for (double begin = 0.0; begin < bridge_end - 1e-9; begin += bridge_period) {
    const phase phases[] = {{begin, begin + 3e-3, bridge_u},
                            {begin + 3e-3, begin + 5e-3, 0.0},
                            {begin + 5e-3, begin + 7e-3, -bridge_u},
                            {begin + 7e-3, begin + bridge_period, 0.0}};
    for (int k = 0; k < 4; ++k) bridge_phase(&phases[k], e, &held, z, all);
  }
}

/* The bridge of a netlist, and a slider that its motor drives. RM gives the motor a potential while no leg conducts. */
static nsds_network *add_bridge(nsds_model *model, double e, nsds_ds **slider) {
  nsds_network *circuit =
      circuit_of(model,
                 "Bridge\nV1 p m 6\nV2 m 0 6\nRM a m 100k\n"
                 "S1 p a LEG PULSE(0 1 0 0 0 3m 8m)\nS4 b 0 LEG PULSE(0 1 0 0 0 3m 8m)\n"
                 "S2 a 0 LEG PULSE(0 1 5m 0 0 2m 8m)\nS3 p b LEG PULSE(0 1 5m 0 0 2m 8m)\n"
                 "R1 a c 1\nL1 c b 2m\n.model LEG TRANSISTOR(vt=0.5)\n.options gmin=0 rmin=0\n",
                 false);
  *slider = nsds_lagrangian_linear(model,
                                   &(nsds_lagrangian_linear_def){.name = "slider",
                                                                 .ndof = 1,
                                                                 .mass = &bridge_m,
                                                                 .damping = &bridge_c,
                                                                 .fext = (double[]){-bridge_load}});
  nsds_ds *electric = nsds_network_ds(circuit);
  int nx = nsds_nx(electric), current = nsds_network_place(circuit, "i(L1)");
  double *C = calloc((size_t)nx * 2, sizeof *C), *B = calloc((size_t)nx * 2, sizeof *B);
  assert_true(C && B && current >= 0);
  C[2 * current] = 1.0;
  B[nx + current] = -bridge_k;
  nsds_relation *coupling = nsds_mixed_linear_relation(
      model, &(nsds_mixed_linear_relation_def){.name = "motor",
                                               .ny = 2,
                                               .nx = nx,
                                               .nq = 1,
                                               .C = C,
                                               .E = (double[]){0.0, 1.0},
                                               .D = (double[]){-1.0, 0.0, 0.0, -1.0},
                                               .B = B,
                                               .L = (double[]){bridge_k, 0.0}});
  free(C);
  free(B);
  nsds_connect(model, coupling, nsds_equality(model), 2, (nsds_ds *[]){electric, *slider});
  nsds_relation *gap = nsds_lagrangian_linear_relation(
      model, &(nsds_lagrangian_linear_relation_def){
                 .ny = 1, .nq = 1, .H = (double[]){-1.0}, .b = &bridge_stop});
  nsds_connect(model, gap, nsds_newton_impact(model, e), 1, slider);
  return circuit;
}

/* With restitution the slider rebounds; without, it rests at the stop until the current no longer holds it. */
static void bridge_drives_a_slider(void **state) {
  (void)state;
  for (int rebounds = 0; rebounds < 2; ++rebounds) {
    double e = rebounds ? 0.5 : 0.0, z[most_states] = {0.0, 0.0, 0.0, 1.0};
    times expected = {0}, found = {0};
    bridge_reference(e, z, &expected);
    nsds_model *model = nsds_model_create(NULL);
    nsds_ds *slider;
    nsds_network *circuit = add_bridge(model, e, &slider);
    run_and_note(model, events_of(model, bridge_end), 1e-3, &found);
    compare_times(rebounds ? "bridge, rebounds" : "bridge, rests", &found, &expected);
    assert_close("the current", nsds_network_read(circuit, "i(L1)"), z[0], 1e-8);
    assert_close("the speed", nsds_v(slider)[0], z[1], 1e-8);
    assert_close("the place", nsds_q(slider)[0], z[2], 1e-9);
    nsds_model_destroy(model);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(boost_in_discontinuous_conduction),
                                     cmocka_unit_test(bridge_drives_a_slider)};
  return cmocka_run_group_tests_name("run.event_circuits", tests, NULL, NULL);
}
