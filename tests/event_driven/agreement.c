/*
 * Time stepping converges to the event-driven solution, written as a table (markdown) to the file
 * given as argument, from which docs/orders.md is made; all integrators find the same events.
 *
 * The error of a run is the largest deviation of positions (or x) over all times of its grid, at
 * which the event-driven run stops too, and of three runs with steps near each other, since it
 * matters where within a step an event falls. The order is the slope of log(error) over log(h), by
 * least squares.
 */
#include "circuits.h"
#include "cradle.h"
#include "events.h"
#include "scenes.h"
#include "support.h"
#include "switching.h"

#include <stdio.h>

/* ---- what is simulated ---- */

typedef struct example {
  const char *name, *text;
  void (*build)(nsds_model *model);
  double t1, coarsest; /* s */
  double order, slack; /* of time stepping, and what it may be off by */
} example;

static void dropped(nsds_model *model) { scene_room(model, 9.81, 1.0, 0.0, 0.0, 0.8); }
static void below_ceiling(nsds_model *model) { scene_room(model, 10.0, 1.0, 10.0, 1.5, 0.8); }
static void string(nsds_model *model) { scene_string_pendulum(model, sqrt(4.0 * 9.81), 0.0); }
static void rocking(nsds_model *model) { scene_rocking_block(model, 0.15, 0.0); }
static void filippov(nsds_model *model) { scene_filippov(model, 0.3, 0.7); }
static void oscillator(nsds_model *model) { scene_relay_oscillator(model); }
static void bridge(nsds_model *model) { scene_diode_bridge(model, 1e-2, 1e-6, 1e3, 10.0); }
static void cam(nsds_model *model) { scene_cam_rheonomous(model, 358.0); }

static void fast_cam(nsds_model *model) { scene_cam_rheonomous(model, 660.0); }
static void woodpecker(nsds_model *model) { scene_woodpecker(model); }

static void cradle(nsds_model *model) { scene_newton_cradle(model, CRADLE_DISTRIBUTING, 2, 0.04); }

static void beads(nsds_model *model) {
  static bead_scene scene;
  scene_bead_column(model, &scene, 4, 0.1, 1.0, 0.25, 0.9);
}

static void belt(nsds_model *model) {
  scene_belt(model, &(belt_def){4.0, 2.0, 0.3, 0.5, 1.6, 0.0});
}

static const example examples[] = {
    {"ball", "a ball dropped from 1 m, e = 0.8, three impacts", dropped, 2.0, 0.01, 1, 0.15},
    {"room", "a ball between floor and ceiling, e = 0.8", below_ceiling, 2.0, 0.01, 1, 0.15},
    {"beads", "four beads dropped on the floor, e = 0.9", beads, 1.0, 0.01, 1, 0.2},
    {"string", "a mass on a string that goes slack and catches it", string, 2.0, 0.01, 1, 0.2},
    {"rocking", "a block that rocks from corner to corner", rocking, 0.8, 0.005, 1, 0.2},
    {"belt", "a block that sticks and slips on a belt", belt, 8.0, 0.02, 1, 0.3},
    {"cam", "a follower on a cam at 358 rpm", cam, 0.5, 0.001, 1, 0.2},
    {"relays", "Filippov's centre", filippov, 0.45, 0.005, 1, 0.2},
    {"oscillator", "relay feedback with sliding", oscillator, 3.0, 0.01, 2, 0.2},
    {"bridge", "a bridge of four diodes", bridge, 2e-3, 5e-6, 1, 0.3}};

/* Until they are at rest; no time stepping. */
static const example resting[] = {
    {.name = "ball", .build = dropped, .t1 = 5.0},
    {.name = "room", .build = below_ceiling, .t1 = 8.0},
    {.name = "rocking", .build = rocking, .t1 = 2.0},
};

/* The others of the programs; no time stepping. */
static const example others[] = {
    {.name = "woodpecker", .build = woodpecker, .t1 = 0.3},
    {.name = "cradle", .build = cradle, .t1 = 0.6},
    {.name = "fast cam", .build = fast_cam, .t1 = 0.3},
};

enum {
  nexample = sizeof examples / sizeof *examples,
  nresting = 3,
  nother = 3,
  levels = 7,
  most = 16
};

typedef struct measurement {
  double order, error;
} measurement;

static measurement measured[nexample];

/* ---- time stepping beside events ---- */

static nsds_simulation *drive(nsds_model *model, const example *s, double h,
                              const char *integrator) {
  nsds_simulation *simulation =
      nsds_event_driven(model, &(nsds_event_driven_def){.t1 = s->t1,
                                                        .output_period = h,
                                                        .integrator = integrator,
                                                        .relative_tolerance = 1e-10,
                                                        .absolute_tolerance = 1e-12});
  assert_sound(model);
  return simulation;
}

/* Positions of second-order systems, states of others; how many. */
static int states(const nsds_model *model, double *x) {
  int n = 0;
  for (int k = 0; k < nsds_ds_count(model); ++k) {
    const nsds_ds *ds = nsds_ds_at(model, k);
    for (int i = 0; i < nsds_nq(ds); ++i) x[n++] = nsds_q(ds)[i];
    for (int i = 0; i < nsds_nx(ds); ++i) x[n++] = nsds_x(ds)[i];
  }
  assert_true(n <= most);
  return n;
}

static double error_of(const example *s, double h) {
  nsds_model *a = nsds_model_create(NULL), *b = nsds_model_create(NULL);
  s->build(a);
  s->build(b);
  nsds_simulation *events = drive(a, s, h, NULL);
  nsds_simulation *steps = nsds_time_stepping(
      b, &(nsds_time_stepping_def){.t1 = s->t1, .h = h, .newton = {.residual = 1e-11}});
  assert_sound(b);
  double error = 0.0, x[most], y[most], scale = 0.0;
  while (nsds_step(steps) == NSDS_OK && nsds_time(steps) < s->t1) {
    do assert_ok(a, nsds_step(events));
    while (!(nsds_simulation_event(events)->kind & NSDS_EVENT_GRID));
    assert_near(nsds_time(events), nsds_time(steps), 0.0);
    int n = states(a, x);
    states(b, y);
    for (int i = 0; i < n; ++i) {
      error = worse(error, fabs(x[i] - y[i]));
      scale = worse(scale, fabs(x[i]));
    }
  }
  assert_sound(b);
  nsds_model_destroy(a);
  nsds_model_destroy(b);
  return error / scale;
}

static double slope(const double *error) {
  double sx = 0.0, sy = 0.0, sxx = 0.0, sxy = 0.0;
  for (int k = 0; k < levels; ++k) {
    double x = -k * log(2.0), y = log(error[k]);
    sx += x, sy += y, sxx += x * x, sxy += x * y;
  }
  return (levels * sxy - sx * sy) / (levels * sxx - sx * sx);
}

static void time_stepping_converges(void **state) {
  const example *s = *state;
  double e[levels];
  for (int k = 0; k < levels; ++k) {
    double h = ldexp(s->coarsest, -k);
    e[k] = 0.0;
    for (int i = 0; i < 3; ++i) e[k] = worse(e[k], error_of(s, h * (1.0 - 0.07 * i)));
  }
  measured[s - examples] = (measurement){slope(e), e[levels - 1]};
  print_message("             %-10s order %5.2f, errors %.1e ... %.1e\n", s->name, slope(e), e[0],
                e[levels - 1]);
  assert_between(slope(e), s->order - s->slack, s->order + s->slack);
}

/* ---- all integrators ---- */

typedef struct record {
  long events;
  double t[4096], end[most];
  double limit; /* of the last series of impacts, or the end */
} record;

static void follow(const example *s, const char *integrator, record *r) {
  *r = (record){.limit = s->t1};
  nsds_model *model = nsds_model_create(NULL);
  s->build(model);
  nsds_simulation *simulation = drive(model, s, 0.0, integrator);
  nsds_status status;
  while ((status = nsds_step(simulation)) == NSDS_OK) {
    const nsds_event_info *event = nsds_simulation_event(simulation);
    for (int k = 0; k < event->count; ++k)
      if (!isnan(event->row[k].limit_time)) r->limit = event->row[k].limit_time;
    if (!(event->kind & NSDS_EVENT_NONSMOOTH)) continue;
    assert_true(r->events < 4096);
    r->t[r->events++] = nsds_time(simulation);
  }
  assert_status(model, status, NSDS_END);
  states(model, r->end);
  nsds_model_destroy(model);
}

static bool has_sundials(void) {
  nsds_model *model = nsds_model_create(NULL);
  dropped(model);
  bool has =
      nsds_event_driven(model, &(nsds_event_driven_def){.t1 = 1.0, .integrator = "arkode"}) != NULL;
  nsds_model_destroy(model);
  return has;
}

static const char *const integrators[] = {"esdirk", "arkode", "cvode"};
enum { nintegrator = sizeof integrators / sizeof *integrators };

/* The largest difference of the times of events until `until`, which are as many. */
static double apart(const record *a, const record *b, double until) {
  double largest = 0.0;
  for (long i = 0; i < a->events && a->t[i] < until; ++i) {
    assert_true(i < b->events);
    largest = worse(largest, fabs(a->t[i] - b->t[i]));
  }
  return largest;
}

/* The same events at the same times to 1e-7 of the run, and the same end. */
static void same_events(void **state) {
  const example *s = *state;
  static record ours, theirs;
  follow(s, "dormand_prince", &ours);
  assert_true(ours.events > 0);
  for (int k = 0; k < (has_sundials() ? nintegrator : 1); ++k) {
    follow(s, integrators[k], &theirs);
    assert_int_equal(theirs.events, ours.events);
    double largest = apart(&ours, &theirs, s->t1);
    print_message("             %-10s %ld events, %s within %.1e s\n", s->name, ours.events,
                  integrators[k], largest);
    assert_near(largest, 0.0, 1e-7 * s->t1);
    for (int i = 0; i < most; ++i) assert_near(theirs.end[i], ours.end[i], 1e-5);
  }
}

/* Runs to rest: the events until flights are a thousandth of the run, and the limit of the series,
 * before which flights are as short as the absolute tolerance allows positions to be wrong. */
static void same_rest(void **state) {
  const example *s = *state;
  static record ours, theirs;
  follow(s, "dormand_prince", &ours);
  assert_true(ours.limit < s->t1);
  for (int k = 0; k < (has_sundials() ? nintegrator : 1); ++k) {
    follow(s, integrators[k], &theirs);
    double largest = apart(&ours, &theirs, ours.limit - 1e-2 * s->t1);
    print_message("             %-10s at rest at %.9f, %s within %.1e, events within %.1e s\n",
                  s->name, ours.limit, integrators[k], fabs(theirs.limit - ours.limit), largest);
    assert_near(largest, 0.0, 1e-6 * s->t1);
    assert_near(theirs.limit, ours.limit, 1e-5 * s->t1);
    for (int i = 0; i < most; ++i) assert_near(theirs.end[i], ours.end[i], 1e-9);
  }
}

/* Where stiff springs bound the steps of the explicit integrator the report says so; the others and
 * the default take steps that are more than ten times longer, for the same events. */
static void stiffness_is_told(void **state) {
  (void)state;
  const char *const names[] = {"dormand_prince", "esdirk", NULL, "arkode"};
  enum { all = sizeof names / sizeof *names };
  nsds_event_info info[all];
  double end[all][6];
  int count = has_sundials() ? all : all - 1;
  for (int k = 0; k < count; ++k) {
    nsds_model *model = nsds_model_create(NULL);
    nsds_ds *chain = scene_stiff_chain(model, 6, 0.5).chain;
    nsds_simulation *simulation =
        nsds_event_driven(model, &(nsds_event_driven_def){.t1 = 0.5,
                                                          .integrator = names[k],
                                                          .relative_tolerance = 1e-8,
                                                          .absolute_tolerance = 1e-11});
    assert_sound(model);
    assert_int_equal(nsds_run(simulation), NSDS_END);
    info[k] = *nsds_simulation_event(simulation);
    memcpy(end[k], nsds_q(chain), sizeof end[k]);
    nsds_model_destroy(model);
  }
  assert_true(info[0].stiff);
  assert_true(info[0].nonsmooth > 0);
  for (int k = 1; k < count; ++k) {
    assert_false(info[k].stiff);
    assert_int_equal(info[0].nonsmooth, info[k].nonsmooth);
    assert_true(info[0].steps > 10 * info[k].steps);
    for (int i = 0; i < 6; ++i) assert_near(end[0][i], end[k][i], 1e-6);
  }
}

/* ---- the table ---- */

static void write_table(FILE *out) {
  fprintf(out, "| | order | finest step [s] | error there |\n|---|---|---|---|\n");
  for (int k = 0; k < nexample; ++k)
    fprintf(out, "| %s | %.2f | %.2g | %.1e |\n", examples[k].text, measured[k].order,
            ldexp(examples[k].coarsest, 1 - levels), measured[k].error);
}

int main(int argc, char **argv) {
  enum { all = 2 * nexample + 1 + nother + nresting };
  static struct CMUnitTest tests[all] = {
      [2 * nexample] = {.name = "stiffness_is_told", .test_func = stiffness_is_told}};
  for (int k = 0; k < 2 * nexample; ++k)
    tests[k] =
        (struct CMUnitTest){.name = examples[k % nexample].name,
                            .test_func = k < nexample ? time_stepping_converges : same_events,
                            .initial_state = (void *)(uintptr_t)&examples[k % nexample]};
  for (int k = 0; k < nother; ++k)
    tests[2 * nexample + 1 + k] =
        (struct CMUnitTest){.name = others[k].name,
                            .test_func = same_events,
                            .initial_state = (void *)(uintptr_t)&others[k]};
  for (int k = 0; k < nresting; ++k)
    tests[all - 1 - k] = (struct CMUnitTest){.name = resting[k].name,
                                             .test_func = same_rest,
                                             .initial_state = (void *)(uintptr_t)&resting[k]};
  int failed = _cmocka_run_group_tests("event_driven.agreement", tests, all, NULL, NULL);
  FILE *out = argc > 1 ? fopen(argv[1], "w") : NULL;
  if (out) write_table(out);
  return failed || (argc > 1 && !out) || (out && fclose(out) != 0);
}
