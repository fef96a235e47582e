/*
 * Jumps of states in event-driven circuits. Charges and fluxes decide what states become:
 *
 *     a charged capacitor that a switch connects to a source
 *     capacitors that a switch and a diode join at one instant
 *     two inductors that a switch puts in series, and one that it cuts off
 *     capacitors in loops, as across a source; a capacitor between two switches
 *     a capacitor across a motor with a slider, against the adaptive simulation
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

/* Parallel capacitors, three in a loop and one across a source: index 2. The exact voltage is that of one capacitor
 * behind two resistors. */
static void capacitors_in_loops(void **state) {
  (void)state;
  circuit_run r = begin("Loops\nV1 in 0 10\nC0 in 0 1u IC=0\nR1 in a 1k\nC1 a 0 1u IC=1\nC2 a b 2u "
                        "IC=-2\nC3 b 0 3u IC=3\n"
                        "C4 0 a 0.5u IC=-1\nR2 a 0 2k\n",
                        3e-3);
  const double a = 20.0 / 3.0 + (1.0 - 20.0 / 3.0) * exp(-3.0 / (2.7 * 2.0 / 3.0));
  pass_jump(&r);
  assert_close("source", state_of(&r, 0), 10.0, 1e-12);
  assert_close("a", state_of(&r, 1), 1.0, 1e-12);
  if (nsds_run(r.simulation) < 0) fail_of(&r);
  assert_close("a later", state_of(&r, 1), a, 1e-9);
  assert_close("b later", state_of(&r, 3), 3.0 + 0.4 * (a - 1.0), 1e-9);
  assert_close("parallel", state_of(&r, 4), -a, 1e-9);
  end(&r);
}

/* The current of a capacitor across a source that varies follows from its slope. */
static void a_source_that_varies(void **state) {
  (void)state;
  circuit_run r = {.model = nsds_model_create(NULL)};
  r.circuit = nsds_circuit(
      r.model,
      &(nsds_circuit_def){.text = "Varies\nV1 a 0 SIN(0 10 50)\nC1 a 0 1u IC=0\nR1 a 0 1k\n",
                          .ideal = true});
  r.simulation = nsds_event_driven(r.model, &(nsds_event_driven_def){.t1 = 1e-2});
  if (r.simulation) assert_int_equal(nsds_step(r.simulation), NSDS_ERROR_SINGULAR);
  assert_non_null(strstr(nsds_error_message(nsds_model_context(r.model)), "loop of capacitors"));
  end(&r);
}

/* A capacitor carries charge from a source to a load, 100 times. */
static void switched_capacitors(void **state) {
  (void)state;
  enum { periods = 100 };
  circuit_run r =
      begin("Pump\nV1 in 0 10\nS1 in a SW PULSE(0 1 0 0 0 4u 10u)\nC1 a 0 1u\nS2 a b SW "
            "PULSE(0 1 5u 0 0 4u 10u)\nC2 b 0 3u\nR1 b 0 10\n.model SW SW(ideal=1 vt=0.5)\n",
            10e-6 * periods);
  double u = 0.0;
  for (int k = 0; k < periods; ++k) {
    u = (10.0 + 3.0 * u * exp(-(k == 0 ? 5.0 : 6.0) / 30.0)) / 4.0; /* with 1 us behind S2 */
    u *= exp(-4.0 / 40.0);
  }
  if (nsds_run(r.simulation) < 0) fail_of(&r);
  assert_close("u", state_of(&r, 1), u * exp(-1.0 / 30.0), 1e-9);
  end(&r);
}

/* ---- beside bodies --------------------------------------------------------------------------- */

/* A switch connects a charged capacitor and a motor to a source. The motor drives a slider between two stops. */
static nsds_ds *add_slider(nsds_model *model, nsds_network *circuit) {
  static const double k = 0.5; /* [V s / m], [N / A] */
  nsds_ds *electric = nsds_network_ds(circuit);
  int nx = nsds_nx(electric), current = nsds_network_place(circuit, "i(L1)");
  nsds_ds *slider =
      nsds_lagrangian_linear(model, &(nsds_lagrangian_linear_def){.ndof = 1,
                                                                  .mass = (double[]){0.01},
                                                                  .damping = (double[]){0.01},
                                                                  .fext = (double[]){-0.5}});
  double *C = calloc((size_t)nx * 2, sizeof *C), *B = calloc((size_t)nx * 2, sizeof *B);
  assert_true(C && B && current >= 0);
  C[2 * current] = 1.0;
  B[nx + current] = -k;
  nsds_relation *motor = nsds_mixed_linear_relation(
      model, &(nsds_mixed_linear_relation_def){.ny = 2,
                                               .nx = nx,
                                               .nq = 1,
                                               .C = C,
                                               .E = (double[]){0.0, 1.0},
                                               .D = (double[]){-1.0, 0.0, 0.0, -1.0},
                                               .B = B,
                                               .L = (double[]){k, 0.0}});
  free(C);
  free(B);
  nsds_connect(model, motor, nsds_equality(model), 2, (nsds_ds *[]){electric, slider});
  for (int upper = 0; upper < 2; ++upper) {
    nsds_relation *gap = nsds_lagrangian_linear_relation(
        model, &(nsds_lagrangian_linear_relation_def){.ny = 1,
                                                      .nq = 1,
                                                      .H = (double[]){upper ? -1.0 : 1.0},
                                                      .b = (double[]){upper ? 2e-3 : 0.0}});
    nsds_connect(model, gap, nsds_newton_impact(model, 0.5), 1, &slider);
  }
  return slider;
}

static void a_capacitor_across_a_motor(void **state) {
  (void)state;
  static const char text[] =
      "Motor\nV1 in 0 12\nC0 in 0 1u IC=12\nC1 a 0 10u IC=2\nD1 0 a DI\nR1 a b 1\nL1 b 0 2m\n"
      ".model DI D(ideal=1)\nS1 in a SW " SWITCH_AT_1_MS("0 1");
  double q[2], v[2];
  for (int adaptive = 0; adaptive < 2; ++adaptive) {
    circuit_run r = {.model = nsds_model_create(NULL)};
    r.circuit = nsds_circuit(r.model, &(nsds_circuit_def){.text = text, .ideal = !adaptive});
    if (!r.circuit) fail_of(&r);
    nsds_ds *slider = add_slider(r.model, r.circuit);
    r.simulation = adaptive
                       ? nsds_adaptive(r.model, &(nsds_adaptive_def){.t1 = 5e-3, .tolerance = 1e-7})
                       : nsds_event_driven(r.model, &(nsds_event_driven_def){.t1 = 5e-3});
    if (!r.simulation || nsds_run(r.simulation) < 0) fail_of(&r);
    q[adaptive] = nsds_q(slider)[0];
    v[adaptive] = nsds_v(slider)[0];
    end(&r);
  }
  assert_close("q", q[0], q[1], 1e-7);
  assert_close("v", v[0], v[1], 1e-4);
}

/* ---- drawn capacitors ------------------------------------------------------------------------ */

enum { most_nodes = 6, most_edges = 8, most_capacitors = most_nodes + 3 };

typedef struct capacitor {
  int a, b; /* b = -1: the ground */
  double c, u;
} capacitor;

typedef struct network {
  int nodes, edges, capacitors;
  capacitor c[most_capacitors];
  int a[most_edges], b[most_edges]; /* a diode conducts from a to b */
  bool diode[most_edges];
} network;

static int other_node(const network *w, int node) {
  return (node + 1 + below(w->nodes - 1)) % w->nodes;
}

/* A capacitor to the ground at each node, and sometimes more of them between nodes. */
static network draw(void) {
  network w = {.nodes = 2 + below(most_nodes - 1), .edges = 1 + below(most_edges)};
  int more = below(2) * below(4);
  for (int k = 0; k < w.nodes + more; ++k) {
    capacitor *c = &w.c[w.capacitors++];
    c->a = k < w.nodes ? k : below(w.nodes);
    c->b = k < w.nodes ? -1 : other_node(&w, c->a);
    c->c = logarithmic(1e-7, 1e-5);
    c->u = uniform(-10.0, 10.0);
  }
  for (int e = 0; e < w.edges; ++e) {
    w.a[e] = below(w.nodes);
    w.b[e] = other_node(&w, w.a[e]);
    w.diode[e] = below(3) > 0;
  }
  return w;
}

/* Solves K u = f, K symmetric and positive, by elimination. */
static void solve(int n, double K[most_nodes][most_nodes], double *u) {
  for (int k = 0; k < n; ++k)
    for (int i = 0; i < n; ++i) {
      double factor = i == k || K[k][k] == 0.0 ? 0.0 : K[i][k] / K[k][k];
      for (int j = 0; factor != 0.0 && j < n; ++j) K[i][j] -= factor * K[k][j];
      if (factor != 0.0) u[i] -= factor * u[k];
    }
  for (int k = 0; k < n; ++k) u[k] = K[k][k] == 0.0 ? 0.0 : u[k] / K[k][k];
}

static double voltage(const double *u, int a, int b) { return u[a] - (b < 0 ? 0.0 : u[b]); }

/* Joins the nodes of the edges that conduct. Returns the energy of the jump to u; infinity if a diode forbids u. */
static double join(const network *w, unsigned conducts, double *u) {
  int group[most_nodes];
  double energy = 0.0, K[most_nodes][most_nodes] = {{0.0}}, g[most_nodes] = {0.0};
  for (int k = 0; k < w->nodes; ++k) group[k] = k;
  for (int e = 0; e < w->edges; ++e) {
    int from = group[w->a[e]], to = group[w->b[e]];
    for (int k = 0; conducts >> e & 1u && k < w->nodes; ++k)
      if (group[k] == from) group[k] = to;
  }
  for (const capacitor *c = w->c, *last = c + w->capacitors; c < last; ++c) {
    int a = group[c->a], b = c->b < 0 ? -1 : group[c->b];
    if (a == b) continue;
    K[a][a] += c->c;
    g[a] += c->c * c->u;
    if (b < 0) continue;
    K[b][b] += c->c;
    K[a][b] -= c->c;
    K[b][a] -= c->c;
    g[b] -= c->c * c->u;
  }
  solve(w->nodes, K, g);
  for (int k = 0; k < w->nodes; ++k) u[k] = g[group[k]];
  for (const capacitor *c = w->c, *last = c + w->capacitors; c < last; ++c) {
    double change = voltage(u, c->a, c->b) - c->u;
    energy += 0.5 * c->c * change * change;
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
  n += (size_t)snprintf(text, size, "Drawn\n");
  for (int k = 0; k < w->capacitors; ++k) {
    char other[16] = "0";
    if (w->c[k].b >= 0) snprintf(other, sizeof other, "n%d", w->c[k].b);
    n += (size_t)snprintf(text + n, size - n, "C%d n%d %s %.17g IC=%.17g\nR%d n%d 0 1k\n", k,
                          w->c[k].a, other, w->c[k].c, w->c[k].u, k, w->c[k].a);
  }
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
    bool jumped = event->kind & NSDS_EVENT_IMPACT;
    jumps += jumped;
    assert_true(!jumped || event->t == 0.0);
    for (int i = 0; i < w.capacitors; ++i) {
      double expected = voltage(u, w.c[i].a, w.c[i].b), found = jumped ? state_of(&r, i) : w.c[i].u;
      worst = fmax(worst, fabs(found - expected));
    }
    if (!(worst < 1e-9)) fail_msg("%d: %s", k, text);
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
      cmocka_unit_test(capacitors_in_loops),        cmocka_unit_test(a_source_that_varies),
      cmocka_unit_test(switched_capacitors),        cmocka_unit_test(a_capacitor_across_a_motor),
      cmocka_unit_test(drawn_capacitors),           cmocka_unit_test(the_same_bits_behind_a_jump)};
  return cmocka_run_group_tests_name("run.circuit_jumps", tests, NULL, NULL);
}
