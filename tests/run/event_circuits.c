/*
 * Circuits in event-driven simulation, alone and beside bodies. Where a circuit is linear between events, the state after
 * a time follows from a matrix exponential, and each event from a root. This integration is written here:
 *
 *     a boost converter in discontinuous conduction
 *     an H bridge whose motor drives a slider against a stop
 *
 * Times of all events agree to 1e-9 s. Netlists of docs and examples end as the adaptive simulation ends them.
 */
#include "drawn_circuit.h"
#include "run_test.h"

#include <nsds/nsds.h>

/* ---- piecewise linear motion ----------------------------------------------------------------- */

enum { most_states = 5, most_events = 400, most_unknowns = 100 };

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

static nsds_network *make_circuit(nsds_model *model, const nsds_circuit_def *def) {
  nsds_network *circuit = nsds_circuit(model, def);
  if (!circuit) fail_msg("%s", nsds_error_message(nsds_model_context(model)));
  return circuit;
}

static nsds_network *circuit_of(nsds_model *model, const char *text, bool rest) {
  return make_circuit(model,
                      &(nsds_circuit_def){.file = "model.cir", .text = text, .at_rest = rest});
}

static nsds_simulation *events_of(nsds_model *model, double t1) {
  nsds_simulation *simulation = nsds_event_driven(
      model,
      &(nsds_event_driven_def){.t1 = t1, .relative_tolerance = 1e-12, .absolute_tolerance = 1e-14});
  if (!simulation) fail_msg("%s", nsds_error_message(nsds_model_context(model)));
  return simulation;
}

/* Runs to the end, and notes the times of events with changes, except multiples of `known`, if that is not 0. */
static void run_and_note(nsds_model *model, nsds_simulation *simulation, double known, times *all) {
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
                flows = {{sign, 0.0, 0.0, conducts == CLOSED ? -0.5 * bridge_u / bridge_rm : 0.0}},
                ends[] = {*held ? leaves : strikes, flows};
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

/* ---- saved and made again -------------------------------------------------------------------- */

typedef struct run_of {
  nsds_model *model;
  nsds_simulation *simulation;
} run_of;

static run_of begin_bridge(const char *integrator) {
  nsds_ds *slider;
  run_of r = {.model = nsds_model_create(NULL)};
  add_bridge(r.model, 0.5, &slider);
  r.simulation = nsds_event_driven(r.model, &(nsds_event_driven_def){.t1 = bridge_end,
                                                                     .output_period = 1.7e-3,
                                                                     .integrator = integrator});
  if (!r.simulation) fail_msg("%s", nsds_error_message(nsds_model_context(r.model)));
  return r;
}

static void end_bridge(run_of *r) { nsds_model_destroy(r->model); }

static uint64_t hash_numbers(uint64_t hash, const double *x, int n) {
  for (int k = 0; k < n; ++k) {
    uint64_t bits;
    memcpy(&bits, &x[k], sizeof bits);
    hash = hash * 1099511628211u + bits;
  }
  return hash;
}

/* Makes n steps, or fewer at the end. Returns a hash of all states, forces and times. */
static uint64_t advance(const run_of *r, int n) {
  uint64_t hash = 0;
  for (int k = 0; k < n; ++k) {
    nsds_status status = nsds_step(r->simulation);
    if (status < 0) fail_msg("%s", nsds_error_message(nsds_model_context(r->model)));
    double t = nsds_time(r->simulation);
    hash = hash_numbers(hash, &t, 1);
    for (int i = 0; i < nsds_ds_count(r->model); ++i) {
      const nsds_ds *ds = nsds_ds_at(r->model, i);
      if (nsds_nq(ds) > 0) {
        hash = hash_numbers(hash, nsds_q(ds), nsds_nq(ds));
        hash = hash_numbers(hash, nsds_v(ds), nsds_nv(ds));
      } else {
        hash = hash_numbers(hash, nsds_x(ds), nsds_nx(ds));
      }
    }
    for (int i = 0; i < nsds_interaction_count(r->model); ++i) {
      const nsds_interaction *ia = nsds_interaction_at(r->model, i);
      hash = hash_numbers(hash, nsds_lambda(ia), nsds_interaction_size(ia));
      hash = hash_numbers(hash, nsds_y(ia), nsds_interaction_size(ia));
      hash = hash * 31 + nsds_is_on(ia);
    }
  }
  return hash;
}

static void ok_at(const run_of *r, nsds_status status) {
  if (status) fail_msg("%s", nsds_error_message(nsds_model_context(r->model)));
}

/* A snapshot at each event goes on in a new model with the same bits, and so does a restored state. */
static void snapshots_at_each_event(void **state) {
  (void)state;
  enum { events = 70, ahead = 6 };
  static const char file[] = "event_circuits.nsds";
  static const char *const integrators[] = {"auto", "esdirk"};
  for (int i = 0; i < 2; ++i) {
    unsigned kinds = 0;
    run_of one = begin_bridge(integrators[i]);
    for (int k = 0; k < events; ++k) {
      advance(&one, 1);
      kinds |= nsds_simulation_event(one.simulation)->kind;
      ok_at(&one, nsds_snapshot_save(one.simulation, file));
      ok_at(&one, nsds_simulation_save(one.simulation));
      uint64_t hash = advance(&one, ahead);
      run_of other = begin_bridge(integrators[i]);
      ok_at(&other, nsds_snapshot_load(other.simulation, file));
      if (advance(&other, ahead) != hash) fail_msg("the snapshot at event %d goes elsewhere", k);
      end_bridge(&other);
      ok_at(&one, nsds_simulation_restore(one.simulation));
      if (advance(&one, ahead) != hash) fail_msg("the state at event %d goes elsewhere", k);
      ok_at(&one, nsds_simulation_restore(one.simulation));
    }
    assert_true(kinds & NSDS_EVENT_IMPACT && kinds & NSDS_EVENT_SCHEDULED &&
                kinds & NSDS_EVENT_GRID);
    end_bridge(&one);
  }
  remove(file);
}

/* An event by its halves is the event of a step. */
static void events_by_halves(void **state) {
  (void)state;
  run_of whole = begin_bridge(NULL), parts = begin_bridge(NULL);
  int events = 0;
  for (; nsds_time(whole.simulation) < 0.999 * bridge_end; ++events) {
    advance(&whole, 1);
    ok_at(&parts, nsds_event_meet(parts.simulation));
    ok_at(&parts, nsds_event_process(parts.simulation));
    const nsds_simulation *a = whole.simulation, *b = parts.simulation;
    assert_true(nsds_time(a) == nsds_time(b));
    for (int i = 0; i < nsds_interaction_count(whole.model); ++i) {
      const nsds_interaction *one = nsds_interaction_at(whole.model, i),
                             *other = nsds_interaction_at(parts.model, i);
      assert_true(nsds_lambda(one)[0] == nsds_lambda(other)[0]);
      assert_true(nsds_is_on(one) == nsds_is_on(other));
    }
  }
  assert_true(events > 70);
  end_bridge(&whole);
  end_bridge(&parts);
}

/* ---- functions that fail --------------------------------------------------------------------- */

/* A source that fails once, from a call on. */
typedef struct failing {
  long calls, fails_at;
} failing;

static int sine_or_failure(const nsds_arguments *in, double *b, void *user) {
  failing *f = user;
  if (++f->calls == f->fails_at) return 1;
  b[0] = 0.0;
  b[1] = -10.0 * sin(100.0 * in->t);
  return 0;
}

/* A rectifier by hand: x = (u, v), C du/dt = -u / 50 + lambda, 0 = -v - 10 sin 100 t, y = u + v + lambda / 2. */
static run_of begin_rectifier(failing *f) {
  run_of r = {.model = nsds_model_create(NULL)};
  nsds_ds *ds = nsds_first_order_linear(
      r.model, &(nsds_first_order_linear_def){.n = 2,
                                              .mass = (double[]){1e-3, 0.0, 0.0, 0.0},
                                              .A = (double[]){-0.02, 0.0, 0.0, -1.0},
                                              .b_fn = sine_or_failure,
                                              .user = f});
  nsds_relation *diode = nsds_first_order_linear_relation(
      r.model, &(nsds_first_order_linear_relation_def){.ny = 1,
                                                       .nx = 2,
                                                       .C = (double[]){1.0, 1.0},
                                                       .D = (double[]){0.5},
                                                       .B = (double[]){1.0, 0.0}});
  nsds_connect(r.model, diode, nsds_complementarity(r.model), 1, &ds);
  r.simulation = nsds_event_driven(r.model, &(nsds_event_driven_def){.t1 = 0.15});
  if (!r.simulation) fail_msg("%s", nsds_error_message(nsds_model_context(r.model)));
  return r;
}

/* Whatever call of a source fails, the step fails or takes another try, and the run ends as one without failures. */
static void sources_that_fail(void **state) {
  (void)state;
  failing never = {0};
  run_of plain = begin_rectifier(&never);
  long made = never.calls, failed = 0;
  while (nsds_step(plain.simulation) == NSDS_OK) {
  }
  assert_int_equal(nsds_simulation_event(plain.simulation)->nonsmooth, 5);
  double right = nsds_x(nsds_ds_at(plain.model, 0))[0];
  long last = never.calls;
  end_bridge(&plain);
  for (long at = made + 1; at <= last; at += 1 + (at - made) / 40) {
    failing once = {.fails_at = at};
    run_of r = begin_rectifier(&once);
    for (nsds_status status; (status = nsds_step(r.simulation)) != NSDS_END;) {
      if (status == NSDS_OK) continue;
      assert_int_equal(status, NSDS_ERROR_CALLBACK);
      nsds_error_clear(nsds_model_context(r.model));
      ++failed;
    }
    assert_close("after a failure", nsds_x(nsds_ds_at(r.model, 0))[0], right, 1e-7);
    end_bridge(&r);
  }
  assert_true(failed > 10);
}

/* ---- netlists -------------------------------------------------------------------------------- */

/* The states of a circuit at a time by a driver: event-driven where it is ideal, else adaptive. Returns their number. */
static int states_of(const nsds_circuit_def *def, double t1, double *x) {
  nsds_model *model = nsds_model_create(NULL);
  nsds_network *circuit = make_circuit(model, def);
  nsds_simulation *simulation =
      def->ideal ? events_of(model, t1)
                 : nsds_adaptive(model, &(nsds_adaptive_def){.t1 = t1, .tolerance = 1e-8});
  if (!simulation || nsds_run(simulation) < 0)
    fail_msg("%s: %s", def->file, nsds_error_message(nsds_model_context(model)));
  nsds_ds *ds = nsds_network_ds(circuit);
  int n = nsds_nx(ds);
  assert_true(n < most_unknowns);
  memcpy(x, nsds_x(ds), (size_t)n * sizeof *x);
  nsds_model_destroy(model);
  return n;
}

/* Compares the first states by both drivers. */
static double compare_drivers(nsds_circuit_def def, int states, double t1) {
  double x[2][most_unknowns], worst = 0.0;
  for (int k = 0; k < 2; ++k) {
    def.ideal = k == 0;
    states_of(&def, t1, x[k]);
  }
  for (int i = 0; i < states; ++i)
    worst = fmax(worst, fabs(x[0][i] - x[1][i]) / fmax(fabs(x[1][i]), 1.0));
  return worst;
}

/* Netlists with ideal elements end as adaptive steps end them, whose error is that of their tolerance. Only states are
 * compared: potentials jump. */
static void netlists_end_alike(void **state) {
  (void)state;
  static const struct {
    const char *name;
    int states;
    double t1;
  } files[] = {{"examples/circuits/boost.cir", 2, 1.05e-4},
               {"examples/circuits/flyback.cir", 2, 2.05e-4},
               {"examples/circuits/full_bridge.cir", 1, 2.1e-4},
               {"examples/circuits/half_wave_battery.cir", 1, 55e-3},
               {"examples/circuits/hysteresis_buck.cir", 2, 1e-3},
               {"examples/circuits/llc.cir", 3, 1e-4},
               {"examples/circuits/pwl_charger.cir", 1, 9e-3},
               {"examples/circuits/three_phase_bridge.cir", 4, 55e-3},
               {"examples/circuits/voltage_doubler.cir", 2, 3.3e-3},
               {"docs/buck.cir", 2, 3.3e-4}};
  for (size_t k = 0; k < sizeof files / sizeof *files; ++k) {
    char path[1000];
    snprintf(path, sizeof path, "%s/%s", NSDS_TEST_SOURCE, files[k].name);
    double worst = compare_drivers((nsds_circuit_def){.file = path}, files[k].states, files[k].t1);
    printf("%s: states to %.2g\n", files[k].name, worst);
    assert_true(worst < 2e-4);
  }
}

/* Drawn netlists, with junctions, couplings, switches and loops of capacitors. Newton's method found no currents of
 * junctions in one of five: its steps were not bounded. */
static double compare_drawn(int seed, double t1) {
  drawing d = {.size = 0};
  char name[20];
  int states = 0;
  draw_netlist(&d, (uint64_t)seed);
  for (const char *line = strchr(d.text, '\n'); line; line = strchr(line + 1, '\n'))
    states += line[1] == 'C' || line[1] == 'L';
  snprintf(name, sizeof name, "drawn %d", seed);
  double error = compare_drivers((nsds_circuit_def){.file = name, .text = d.text}, states, t1);
  if (!(error < 1e-3)) fail_msg("%s: states to %.2g", name, error);
  return error;
}

static void drawn_netlists_end_alike(void **state) {
  (void)state;
  enum { netlists = 40 };
  double worst = 0.0;
  for (int k = 1; k <= netlists; ++k) worst = fmax(worst, compare_drawn(k, 1e-4));
  printf("%d drawn netlists: states to %.2g\n", netlists, worst);
}

/* Junctions whose voltage passes zero. Newton's method compared changes with that voltage alone, and not with potentials
 * around it, whose rounding errors it has. */
static void junctions_near_zero_volts(void **state) {
  (void)state;
  compare_drawn(55, 2e-4);
  compare_drawn(110, 6e-4);
}

/* Resistances from 1 mOhm to 1 GOhm in one circuit: each row of D is compared to its own size. */
static void resistances_of_many_orders(void **state) {
  (void)state;
  static const char text[] =
      "Wide\nV1 a 0 SIN(0 10 50)\nR9 a x 1G\nD9 x y DI\nR8 y 0 1G\nRS a b 0.1\nD1 b c DR\nC1 c 0 "
      "1m\n"
      "R1 c 0 100\n.model DI D(ideal=1)\n.model DR D(ideal=1 ron=1m)\n.options gmin=0 rmin=0\n";
  double u[2];
  for (int k = 0; k < 2; ++k) {
    nsds_model *model = nsds_model_create(NULL);
    nsds_network *circuit = circuit_of(model, text, false);
    nsds_simulation *simulation =
        k == 0 ? events_of(model, 35e-3)
               : nsds_adaptive(model, &(nsds_adaptive_def){.t1 = 35e-3, .tolerance = 1e-8});
    if (!simulation || nsds_run(simulation) < 0)
      fail_msg("%s", nsds_error_message(nsds_model_context(model)));
    u[k] = nsds_network_read(circuit, "v(c)");
    nsds_model_destroy(model);
  }
  assert_close("v(c)", u[0], u[1], 1e-5);
}

/* Loops of ideal diodes when the source passes zero: the current of a redundant diode is not unique, and voltages of
 * 1e-8 V decide which diode conducts first. Adaptive steps find the same. */
static void loops_of_ideal_diodes(void **state) {
  (void)state;
  static const char *const text[] = {
      "Loop\nV1 n1 0 SIN(0 10 1000 0 0 342.459)\nR1 n2 0 603.337\nR2 n3 0 19.7372\nD1 n1 n3 D\n"
      "Rc0 n2 c0 31.6399\nC0 c0 n3 2.17203e-07 IC=0.564679\nD2 n3 n2 D\nD3 n1 n2 D\n"
      ".model D D(ideal=1)\n.options gmin=0 rmin=0\n",
      "Ladder\nV1 n1 0 SIN(0 10 1000 0 0 337.08)\nR1 n3 0 28.0815\nR2 n4 0 32.0022\nD1 n4 0 D\n"
      "D2 n3 n4 D\nD3 n1 n2 D\nR4 n3 n2 10.3918\nRc0 n3 c0 1.73397\n"
      "C0 c0 n4 1.34917e-07 IC=-0.620806\n.model D D(ideal=1)\n.options gmin=0 rmin=0\n"};
  for (int k = 0; k < 2; ++k)
    for (int part = 4; part < 8; part += 3) {
      double u[2] = {0.0};
      for (int how = 0; how < 2; ++how) {
        nsds_model *model = nsds_model_create(NULL);
        nsds_network *circuit = circuit_of(model, text[k], false);
        double t1 = 1.3e-3, period = 2e-3 / part;
        nsds_simulation *simulation =
            how == 0 ? nsds_event_driven(
                           model, &(nsds_event_driven_def){.t1 = t1, .output_period = period})
                     : nsds_adaptive(model, &(nsds_adaptive_def){.t1 = t1, .tolerance = 1e-8});
        if (!simulation || nsds_run(simulation) < 0)
          fail_msg("%s", nsds_error_message(nsds_model_context(model)));
        u[how] = nsds_network_read(circuit, k == 0 ? "v(n2)" : "v(n3)");
        if (how == 0) assert_true(nsds_simulation_event(simulation)->nonsmooth < 20);
        nsds_model_destroy(model);
      }
      assert_close("a voltage", u[0], u[1], 1e-6);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(boost_in_discontinuous_conduction),
                                     cmocka_unit_test(bridge_drives_a_slider),
                                     cmocka_unit_test(snapshots_at_each_event),
                                     cmocka_unit_test(events_by_halves),
                                     cmocka_unit_test(sources_that_fail),
                                     cmocka_unit_test(netlists_end_alike),
                                     cmocka_unit_test(drawn_netlists_end_alike),
                                     cmocka_unit_test(junctions_near_zero_volts),
                                     cmocka_unit_test(resistances_of_many_orders),
                                     cmocka_unit_test(loops_of_ideal_diodes)};
  return cmocka_run_group_tests_name("run.event_circuits", tests, NULL, NULL);
}
