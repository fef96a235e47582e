/*
 * Jumps of states in event-driven circuits. Charges and fluxes decide what states become:
 *
 *     a charged capacitor that a switch connects to a source
 *     capacitors that a switch and a diode join at one instant
 *     two inductors that a switch puts in series, and one that it cuts off
 *     drawn networks of charged capacitors, switches and diodes
 *
 * In the last ones the states behind the jump have the least sum of C (u+ - u-)^2 / 2 that the diodes allow. The test
 * finds them among all choices of diodes.
 */
#include "drawn_circuit.h"
#include "run_test.h"

#include <nsds/nsds.h>

typedef struct circuit_run {
  nsds_model *model;
  nsds_network *circuit;
  nsds_simulation *simulation;
} circuit_run;

static void fail_of(const circuit_run *r) {
  fail_msg("%s", nsds_error_message(nsds_model_context(r->model)));
}

static circuit_run begin(const char *text, double t1) {
  circuit_run r = {.model = nsds_model_create(NULL)};
  r.circuit = nsds_circuit(r.model, &(nsds_circuit_def){.text = text, .ideal = true});
  if (!r.circuit) fail_of(&r);
  r.simulation = nsds_event_driven(
      r.model,
      &(nsds_event_driven_def){.t1 = t1, .relative_tolerance = 1e-12, .absolute_tolerance = 1e-14});
  if (!r.simulation) fail_of(&r);
  return r;
}

/* Steps behind the first jump. Returns the report. */
static const nsds_event_info *pass_jump(const circuit_run *r) {
  const nsds_event_info *event;
  do {
    if (nsds_step(r->simulation) != NSDS_OK) fail_of(r);
    event = nsds_simulation_event(r->simulation);
  } while (!(event->kind & NSDS_EVENT_IMPACT));
  return event;
}

static double state_of(const circuit_run *r, int k) {
  return nsds_x(nsds_network_ds(r->circuit))[k];
}

static void end(circuit_run *r) { nsds_model_destroy(r->model); }

#define SWITCH_AT_1_MS(on) "PULSE(" on " 1m 0 0 5m 20m)\n.model SW TRANSISTOR(vt=0.5)\n"

/* ---- closed forms ---------------------------------------------------------------------------- */

static void a_capacitor_meets_a_source(void **state) {
  (void)state;
  circuit_run r = begin(
      "Capacitor\nV1 a 0 10\nC1 b 0 1u IC=2\nR1 b 0 1k\nS1 a b SW " SWITCH_AT_1_MS("0 1"), 2e-3);
  const nsds_event_info *event = pass_jump(&r);
  assert_close("t", event->t, 1e-3, 1e-17);
  assert_close("u", state_of(&r, 0), 10.0, 1e-12);
  assert_int_equal(event->count, 1);
  assert_close("charge", fabs(event->row[0].impulse), 1e-6 * (10.0 - 2.0 * exp(-1.0)), 1e-17);
  end(&r);
}

/* The diode conducts at the instant in which the switch raises its voltage. */
static const char joined_text[] =
    "Joined\nC1 a 0 1u IC=5\nC2 b 0 3u IC=1\nC3 c 0 2u IC=1.5\nR1 c 0 1k\nR2 b 0 2k\nD1 b c DIODE\n"
    ".model DIODE D(ideal=1)\nS1 a b SW " SWITCH_AT_1_MS("0 1");

static void capacitors_are_joined(void **state) {
  (void)state;
  circuit_run r = begin(joined_text, 3e-3);
  double u = (5.0 + 3.0 * exp(-1.0 / 6.0) + 2.0 * 1.5 * exp(-0.5)) / 6.0;
  pass_jump(&r);
  for (int k = 0; k < 3; ++k) assert_close("u", state_of(&r, k), u, 1e-12);
  if (nsds_run(r.simulation) < 0) fail_of(&r);
  for (int k = 0; k < 3; ++k) assert_close("u later", state_of(&r, k), u * exp(-0.5), 1e-10);
  end(&r);
}

static void inductors_share_their_flux(void **state) {
  (void)state;
  circuit_run r = begin("Inductors\nV1 a 0 10\nR1 a b 10\nL1 b c 10m IC=0\nL2 c d 30m IC=0\nR2 d 0 "
                        "20\nS1 c 0 SW " SWITCH_AT_1_MS("1 0"),
                        3e-3);
  double i = 0.25 * (1.0 - exp(-1.0)), after = 1.0 / 3.0 + (i - 1.0 / 3.0) * exp(-1.5);
  pass_jump(&r);
  for (int k = 0; k < 2; ++k) assert_close("i", state_of(&r, k), i, 1e-11);
  if (nsds_run(r.simulation) < 0) fail_of(&r);
  for (int k = 0; k < 2; ++k) assert_close("i later", state_of(&r, k), after, 1e-10);
  end(&r);
}

static void an_inductor_is_cut_off(void **state) {
  (void)state;
  circuit_run r =
      begin("Cut\nV1 a 0 10\nR1 a b 10\nL1 b c 10m IC=0\nS1 c 0 SW " SWITCH_AT_1_MS("1 0"), 2e-3);
  pass_jump(&r);
  assert_close("i", state_of(&r, 0), 0.0, 1e-12);
  end(&r);
}

/* ---- drawn capacitors ------------------------------------------------------------------------ */

enum { most_nodes = 6, most_edges = 8 };

typedef struct network {
  int nodes, edges;
  double c[most_nodes], u[most_nodes];
  int a[most_edges], b[most_edges]; /* a diode conducts from a to b */
  bool diode[most_edges];
} network;

static network draw(void) {
  network w = {.nodes = 2 + below(most_nodes - 1), .edges = 1 + below(most_edges)};
  for (int k = 0; k < w.nodes; ++k) {
    w.c[k] = logarithmic(1e-7, 1e-5);
    w.u[k] = uniform(-10.0, 10.0);
  }
  for (int e = 0; e < w.edges; ++e) {
    w.a[e] = below(w.nodes);
    w.b[e] = (w.a[e] + 1 + below(w.nodes - 1)) % w.nodes;
    w.diode[e] = below(3) > 0;
  }
  return w;
}

/* Joins the nodes of the edges that conduct. Returns the energy of the jump to u; infinity if a diode forbids u. */
static double join(const network *w, unsigned conducts, double *u) {
  int group[most_nodes];
  double energy = 0.0;
  for (int k = 0; k < w->nodes; ++k) group[k] = k;
  for (int e = 0; e < w->edges; ++e) {
    int from = group[w->a[e]], to = group[w->b[e]];
    for (int k = 0; conducts >> e & 1u && k < w->nodes; ++k)
      if (group[k] == from) group[k] = to;
  }
  for (int k = 0; k < w->nodes; ++k) {
    double charge = 0.0, c = 0.0;
    for (int j = 0; j < w->nodes; ++j)
      if (group[j] == group[k]) charge += w->c[j] * w->u[j], c += w->c[j];
    u[k] = charge / c;
    energy += 0.5 * w->c[k] * (u[k] - w->u[k]) * (u[k] - w->u[k]);
  }
  for (int e = 0; e < w->edges; ++e)
    if (w->diode[e] && u[w->a[e]] > u[w->b[e]] + 1e-12) return INFINITY;
  return energy;
}

static void find_jump(const network *w, double *best) {
  double least = INFINITY, u[most_nodes];
  unsigned switches = 0;
  for (int e = 0; e < w->edges; ++e) switches |= w->diode[e] ? 0u : 1u << e;
  for (unsigned choice = 0; choice < 1u << w->edges; ++choice) {
    double energy = (choice & switches) == switches ? join(w, choice, u) : INFINITY;
    if (energy < least) {
      least = energy;
      memcpy(best, u, sizeof u);
    }
  }
  assert_true(isfinite(least));
}

static void write(const network *w, char *text, size_t size) {
  size_t n = 0;
  for (int k = 0; k < w->nodes; ++k)
    n += (size_t)snprintf(text + n, size - n, "%sC%d n%d 0 %.17g IC=%.17g\nR%d n%d 0 1k\n",
                          k == 0 ? "Drawn\n" : "", k, k, w->c[k], w->u[k], k, k);
  for (int e = 0; e < w->edges; ++e)
    n += (size_t)snprintf(text + n, size - n,
                          w->diode[e] ? "D%d n%d n%d DI\n" : "S%d n%d n%d SW DC 1\n", e, w->a[e],
                          w->b[e]);
  snprintf(text + n, size - n, ".model DI D(ideal=1)\n.model SW SW(ideal=1 vt=0.5)\n");
}

static void drawn_capacitors(void **state) {
  (void)state;
  enum { networks = 300 };
  double worst = 0.0;
  int jumps = 0;
  begin_drawing(61);
  for (int k = 0; k < networks; ++k) {
    network w = draw();
    char text[3000];
    double u[most_nodes];
    write(&w, text, sizeof text);
    find_jump(&w, u);
    circuit_run r = begin(text, 1e-3);
    if (nsds_step(r.simulation) < 0)
      fail_msg("%s%s", text, nsds_error_message(nsds_model_context(r.model)));
    const nsds_event_info *event = nsds_simulation_event(r.simulation);
    if (event->kind & NSDS_EVENT_IMPACT) {
      assert_true(event->t == 0.0);
      ++jumps;
      for (int i = 0; i < w.nodes; ++i) worst = fmax(worst, fabs(state_of(&r, i) - u[i]));
      if (!(worst < 1e-9)) fail_msg("%d: %s", k, text);
    } else {
      for (int i = 0; i < w.nodes; ++i) assert_close("no jump", u[i], w.u[i], 1e-12);
    }
    end(&r);
  }
  printf("%d jumps of %d networks, voltages to %.2g\n", jumps, networks, worst);
  assert_true(jumps > networks / 2);
}

/* ---- saved, and by halves -------------------------------------------------------------------- */

static void the_same_bits_behind_a_jump(void **state) {
  (void)state;
  static const char file[] = "circuit_jumps.nsds";
  circuit_run one = begin(joined_text, 3e-3), other = begin(joined_text, 3e-3);
  for (int k = 0; k < 4; ++k) {
    nsds_status status = nsds_snapshot_save(one.simulation, file);
    if (!status) status = nsds_simulation_save(one.simulation);
    if (!status) status = nsds_step(one.simulation);
    if (status < 0) fail_of(&one);
    double x = state_of(&one, 1);
    status = nsds_snapshot_load(other.simulation, file);
    if (!status) status = nsds_event_meet(other.simulation);
    if (!status) status = nsds_event_process(other.simulation);
    if (status < 0) fail_of(&other);
    assert_true(state_of(&other, 1) == x &&
                nsds_time(other.simulation) == nsds_time(one.simulation));
    if (status == NSDS_END) break;
    status = nsds_simulation_restore(one.simulation);
    if (!status) status = nsds_step(one.simulation);
    if (status < 0) fail_of(&one);
    assert_true(state_of(&one, 1) == x);
  }
  remove(file);
  end(&one);
  end(&other);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_capacitor_meets_a_source), cmocka_unit_test(capacitors_are_joined),
      cmocka_unit_test(inductors_share_their_flux), cmocka_unit_test(an_inductor_is_cut_off),
      cmocka_unit_test(drawn_capacitors),           cmocka_unit_test(the_same_bits_behind_a_jump)};
  return cmocka_run_group_tests_name("run.circuit_jumps", tests, NULL, NULL);
}
