/*
 * Tests of model files beyond the examples: values of every form, controllers, contact sets, measures, settings. Tests of
 * the expansion, the JSON schema and the reference.
 */
#include "run_test.h"

#include <nsds/nsds.h>

/* ---- texts ---- */

typedef struct text {
  size_t size, room;
  char *at;
} text;

static void gather(const char *piece, void *user) {
  text *t = user;
  size_t length = strlen(piece);
  if (t->size + length + 1 > t->room) {
    t->room = 2 * (t->size + length + 1);
    t->at = realloc(t->at, t->room);
    assert_non_null(t->at);
  }
  memcpy(t->at + t->size, piece, length + 1);
  t->size += length;
}

static nsds_job *model_of(nsds_context *context, const char *words) {
  nsds_job *job = nsds_job_create(
      context, &(nsds_job_def){.file = "test.yaml", .text = words, .kind = NSDS_JOB_MODEL_FILE});
  if (!job) fail_msg("%s", nsds_error_message(context));
  return job;
}

static char *read_file(const char *path) {
  FILE *f = fopen(path, "rb");
  if (!f) fail_msg("%s cannot be read", path);
  char *bytes = calloc(1, 1 << 20);
  size_t got = fread(bytes, 1, (1 << 20) - 1, f);
  fclose(f);
  assert_true(got > 0);
  return bytes;
}

static double column_of(const nsds_job *job, const char *name) {
  for (int k = 0; k < nsds_job_column_count(job); ++k)
    if (strcmp(nsds_job_column_name(job, k), name) == 0) return nsds_job_row(job)[k];
  fail_msg("there is no column %s", name);
  return NAN;
}

/* ---- values ---- */

static const char values[] =
    "nsds: 1\n"
    "parameters: {a: 2, b: a^2 + 1, c: \"min(a, b)\"}\n"
    "systems:\n"
    "  full: {type: lagrangian_linear, q0: [b, c], mass: [[2, 1], [1, 3]], stiffness: [[a, 0], [0, "
    "b]]}\n"
    "  sparse: {type: lagrangian_linear, q0: [b, c], mass: {entries: [[1, 1, 2], [2, 1, 1], [1, 2, "
    "1], [2, 2, 3]]}, stiffness: {diagonal: [a, b]}}\n"
    "  data: {type: lagrangian_linear, q0: [5, 2], mass: {file: FILE}, stiffness: {file: OTHER}}\n"
    "  functions: {type: lagrangian, q0: [b, c], mass: [[2, 1], [1, 3]], fint: [a*q1, b*q2]}\n"
    "simulation: {type: time_stepping, t1: 1, h: 0.01}\n";

static void values_of_all_forms_agree(void **state) {
  (void)state;
  FILE *m = fopen("mass.txt", "w"), *k = fopen("stiffness.csv", "w");
  fputs("# two rows\n2 1\n1 3 # the last\n", m);
  fputs("2, 0\n0, 5\n", k);
  fclose(m);
  fclose(k);
  char words[2000];
  const char *file = strstr(values, "FILE"), *other = strstr(values, "OTHER");
  snprintf(words, sizeof words, "%.*smass.txt%.*sstiffness.csv%s", (int)(file - values), values,
           (int)(other - file - 4), file + 4, other + 5);
  nsds_context *context = nsds_context_create(NULL);
  nsds_job *job = model_of(context, words);
  while (nsds_job_step(job) == NSDS_OK)
    for (int i = 1; i < 4; ++i) {
      const double *q = nsds_q(nsds_ds_at(nsds_job_model(job), 0)),
                   *p = nsds_q(nsds_ds_at(nsds_job_model(job), i));
      assert_close("q1", p[0], q[0], 1e-10);
      assert_close("q2", p[1], q[1], 1e-10);
    }
  assert_int_equal(nsds_error(context), NSDS_OK);
  /* the columns without being asked for are all states */
  assert_int_equal(nsds_job_column_count(job), 17);
  assert_string_equal(nsds_job_column_name(job, 1), "full.q[0]");
  assert_string_equal(nsds_job_column_name(job, 16), "functions.v[1]");
  nsds_job_destroy(job);
  nsds_context_destroy(context);
  remove("mass.txt");
  remove("stiffness.csv");
}

static void density_and_shapes_make_bodies(void **state) {
  (void)state;
  const double pi = 3.14159265358979323846;
  nsds_context *context = nsds_context_create(NULL);
  nsds_job *job = model_of(
      context,
      "nsds: 1\nsystems:\n  ball: {type: rigid_body, density: 1000, q0: [1, 0, 0, 1, 0, 0, 0], v0: "
      "[2, 0, 0, 0, 0, 0], shapes: [{type: sphere, radius: 0.1, position: [0, 0.5, 0]}]}\n"
      "  disc: {type: rigid_body_2d, density: 10, v0: [2, 0, 0], shapes: [{type: sphere, radius: "
      "0.1}]}\nsimulation: {type: time_stepping, t1: 1, h: 0.1}\n");
  nsds_ds *ball = nsds_ds_at(nsds_job_model(job), 0), *disc = nsds_ds_at(nsds_job_model(job), 1);
  double mass = 1000.0 * 4.0 / 3.0 * pi * 1e-3;
  assert_close("energy", nsds_kinetic_energy(ball), 2.0 * mass, 1e-12);
  assert_close("center", nsds_q(ball)[1], 0.5, 1e-15);
  assert_close("energy", nsds_kinetic_energy(disc), 2.0 * 10.0 * pi * 0.01, 1e-12);
  nsds_job_destroy(job);
  nsds_context_destroy(context);
}

/* ---- control ---- */

/* dx/dt = -x + u under u = ki times the integral of 1 - x: x settles at 1. */
static void pid_leads_to_the_setpoint(void **state) {
  (void)state;
  nsds_context *context = nsds_context_create(NULL);
  nsds_job *job = model_of(
      context,
      "nsds: 1\nsystems:\n  plant: {type: first_order_linear, x0: [0], A: -1, b: [u], z: {u: 0}}\n"
      "simulation: {type: time_stepping, t1: 20, h: 0.01}\n"
      "samplers:\n  pid: {type: pid, period: 0.05, setpoint: 1, measured: plant.x1, kp: 2, ki: "
      "1.5, kd: 0.01, lower: -2, upper: 2, output: plant.u}\n"
      "outputs: {columns: [plant.x1, plant.u]}\nmeasures:\n  most: {kind: max, of: plant.u}\n  "
      "last: {kind: final, of: plant.x1}\n");
  job_to_the_end(context, job);
  assert_close("x", column_of(job, "plant.x1"), 1.0, 1e-6);
  assert_close("u", column_of(job, "plant.u"), 1.0, 1e-6);
  assert_close("last", measure_of(job, "last"), 1.0, 1e-6);
  assert_close("most", measure_of(job, "most"), 2.0, 1e-12); /* the bound */
  nsds_job_destroy(job);
  nsds_context_destroy(context);
}

/* The mean of a pulse of a quarter of the period; steps end at its edges. */
static void pwm_has_its_mean(void **state) {
  (void)state;
  nsds_context *context = nsds_context_create(NULL);
  nsds_job *job = model_of(
      context,
      "nsds: 1\nsystems:\n  integral: {type: first_order_linear, n: 1, b: [u], z: {u: 0}}\n"
      "simulation: {type: time_stepping, t1: 1, h: 0.007, first_order: {type: zero_order_hold}}\n"
      "samplers:\n  pwm: {type: pwm, period: 0.1, duty: 0.25, high: 8, low: -1, output: "
      "integral.u}\n");
  job_to_the_end(context, job);
  assert_close("x", column_of(job, "integral.x[0]"), 0.25 * 8 - 0.75, 1e-9);
  nsds_job_destroy(job);
  nsds_context_destroy(context);
}

/* A rotor turned backwards at 2 rad/s meets a stop at -200 degrees with e = 1/2, and comes back at 1 rad/s. Angles of
 * joints as quantities do not jump at -180 degrees. */
static void angles_of_joints_count_turns(void **state) {
  (void)state;
  static const char *const driver[] = {"type: time_stepping, h: 1e-3",
                                       "type: event_driven, output_period: 0.01"};
  static const char *const body[] = {
      "{type: rigid_body_2d, mass: 1, inertia: 0.1, q0: [0, 0, 0], v0: [0, 0, -2]}",
      "{type: rigid_body, mass: 1, inertia: [[0.1, 0, 0], [0, 0.1, 0], [0, 0, 0.1]], v0: [0, 0, "
      "0, 0, 0, -2]}"};
  static const char *const axis[] = {"", ", axis: [0, 0, 1]"}, *const point[] = {"[0, 0]",
                                                                                 "[0, 0, 0]"};
  for (int k = 0; k < 4; ++k) {
    char words[1500];
    int space = k & 1, events = k >> 1;
    snprintf(
        words, sizeof words,
        "nsds: 1\nparameters: {lim: -200*pi/180}\nsystems:\n  rotor: %s\ninteractions:\n"
        "  hinge: {systems: rotor, relation: {type: hinge, point: %s%s}}\n"
        "  lower: {systems: rotor, relation: {type: joint_coordinate, coordinate: angle, point: "
        "%s%s, offset: -lim}, law: {type: newton_impact, e: 0.5}}\n"
        "  upper: {systems: rotor, relation: {type: joint_coordinate, coordinate: angle, point: "
        "%s%s, reversed: true, offset: pi/4}, law: {type: newton_impact, e: 0.5}}\n"
        "simulation: {%s, t1: 3}\noutputs: {columns: [hinge.angle, lower.angle, upper.y1]}\n"
        "measures:\n  angle: {kind: final, of: hinge.angle}\n  least: {kind: min, of: "
        "lower.angle}\n  rate: {kind: final, of: hinge.angular_velocity}\n"
        "  gap: {kind: final, of: upper.y1}\n  most: {kind: max, of: hinge.angle}\n",
        body[space], point[space], axis[space], point[space], axis[space], point[space],
        axis[space], driver[events]);
    nsds_context *context = nsds_context_create(NULL);
    nsds_job *job = model_of(context, words);
    job_to_the_end(context, job);
    const double limit = -200.0 * 3.141592653589793 / 180.0, end = limit + 3.0 + limit / 2.0;
    double slack = events ? 1e-9 : 3e-3; /* the way of a step at the impact */
    assert_close("angle", measure_of(job, "angle"), end, slack);
    assert_close("least", measure_of(job, "least"), limit, events ? 0.02 : slack);
    assert_close("most", measure_of(job, "most"), 0.0, 1e-12);
    assert_close("rate", measure_of(job, "rate"), 1.0, 1e-9);
    assert_close("gap", measure_of(job, "gap"), 0.25 * 3.141592653589793 - end, slack);
    nsds_job_destroy(job);
    nsds_context_destroy(context);
  }
}

/* The force of the floor on a body at rest is -1 N from the start on, though the row of the start has no force yet. */
static void forces_at_rest_have_their_mean(void **state) {
  (void)state;
  static const char *const driver[] = {"type: time_stepping, h: 0.1",
                                       "type: event_driven, output_period: 0.1"};
  for (int k = 0; k < 2; ++k) {
    char words[700];
    snprintf(words, sizeof words,
             "nsds: 1\nsystems:\n  body: {type: lagrangian_linear, q0: 0, mass: 1, fext: 1}\n"
             "interactions:\n  ceiling:\n    systems: body\n    relation: {type: "
             "lagrangian_linear, H: -1}\n    law: {type: newton_impact}\n"
             "simulation: {%s, t1: 0.4}\nmeasures:\n  mean: {kind: mean, of: -ceiling.lambda1}\n"
             "  rms: {kind: rms, of: ceiling.lambda1}\n  least: {kind: min, of: ceiling.lambda1}\n"
             "  part: {kind: integral, of: ceiling.lambda1, from: 0.05, to: 0.22}\n",
             driver[k]);
    nsds_context *context = nsds_context_create(NULL);
    nsds_job *job = model_of(context, words);
    job_to_the_end(context, job);
    assert_close("mean", measure_of(job, "mean"), -1.0, 1e-12);
    assert_close("rms", measure_of(job, "rms"), 1.0, 1e-12);
    assert_close("least", measure_of(job, "least"), 1.0, 1e-12);
    assert_close("part", measure_of(job, "part"), 0.17, 1e-12);
    nsds_job_destroy(job);
    nsds_context_destroy(context);
  }
}

static double drawn(uint64_t *seed, double from, double to) {
  *seed = *seed * 6364136223846793005u + 1442695040888963407u;
  return from + (to - from) * (double)(*seed >> 11) * 0x1p-53;
}

/*
 * Integrals balance momentum: that of the force of the floor is m (v1 - v0) + m g t, and in event-driven runs the
 * impulses of impacts come on top. A sampler changes the force of a motor, which is constant between its calls.
 */
static void integrals_of_forces_balance_momentum(void **state) {
  (void)state;
  for (int draw = 0; draw < 200; ++draw) {
    uint64_t seed = (uint64_t)draw + 1;
    bool events = draw % 2;
    double height = drawn(&seed, 0.0, 0.4), speed = drawn(&seed, -2.0, 2.0),
           mass = drawn(&seed, 0.1, 5.0), e = draw % 4 < 2 ? 0.0 : drawn(&seed, 0.1, 0.6),
           end = drawn(&seed, 0.3, 2.0), period = drawn(&seed, 0.02, 0.2);
    char driver[200], words[1200];
    if (events) snprintf(driver, sizeof driver, "type: event_driven, output_period: 0.1");
    else snprintf(driver, sizeof driver, "type: time_stepping, h: %.17g", drawn(&seed, 1e-3, 1e-2));
    snprintf(
        words, sizeof words,
        "nsds: 1\nsystems:\n  ball: {type: lagrangian_linear, q0: %.17g, v0: %.17g, mass: %.17g, "
        "fext: %.17g}\n  motor: {type: first_order_linear, n: 1, b: [u], z: {u: 1}}\n"
        "interactions:\n  floor:\n    systems: ball\n    relation: {type: "
        "lagrangian_linear, H: 1}\n    law: {type: newton_impact, e: %.17g}\n"
        "simulation: {%s, t1: %.17g}\n"
        "samplers:\n  turn: {type: set, period: %.17g, set: {motor.u: \"cos(9 * t)\"}}\n"
        "measures:\n  push: {kind: integral, of: floor.lambda1}\n"
        "  turned: {kind: integral, of: motor.u}\n  last: {kind: final, of: motor.x1}\n",
        height, speed, mass, -10.0 * mass, e, driver, end, period);
    nsds_context *context = nsds_context_create(NULL);
    nsds_job *job = model_of(context, words);
    nsds_interaction *floor = nsds_interaction_at(nsds_job_model(job), 0);
    double impulses = 0.0;
    nsds_status status;
    while ((status = nsds_job_step(job)) == NSDS_OK)
      if (events) impulses += nsds_impulse(floor)[0];
    if (status < 0) fail_msg("%s", nsds_error_message(context));
    double v = nsds_v(nsds_ds_at(nsds_job_model(job), 0))[0];
    double rounding = mass * 10.0 * (events && e > 0.0 ? 1e-7 : 1e-9); /* bounces end at a limit */
    assert_close(words, measure_of(job, "push") + impulses, mass * (v - speed + 10.0 * end),
                 rounding);
    assert_close(words, measure_of(job, "turned"), measure_of(job, "last"), 1e-9);
    nsds_job_destroy(job);
    nsds_context_destroy(context);
  }
}

/* ---- adaptive simulation ---- */

/* A drawn first-order system with a relay, and the values of its simulation. */
typedef struct adaptive_case {
  double A[4], b[2], x0[2], C[2], level;
  nsds_adaptive_def def;
} adaptive_case;

static adaptive_case draw_adaptive(uint64_t *seed) {
  adaptive_case c = {.level = drawn(seed, 0.1, 2.0)};
  for (int k = 0; k < 4; ++k) c.A[k] = drawn(seed, -1.0, 1.0) - (k == 0 || k == 3 ? 2.0 : 0.0);
  for (int k = 0; k < 2; ++k) {
    c.b[k] = drawn(seed, -2.0, 2.0);
    c.x0[k] = drawn(seed, -2.0, 2.0);
    c.C[k] = drawn(seed, 0.2, 1.0);
  }
  c.def.t0 = drawn(seed, -1.0, 1.0);
  c.def.t1 = c.def.t0 + drawn(seed, 1.0, 3.0);
  c.def.largest_step = drawn(seed, 0.01, 0.1);
  c.def.settling = drawn(seed, 1e-6, 1e-4);
  c.def.solver_tolerance = drawn(seed, 1e-12, 1e-9);
  c.def.tolerance = drawn(seed, 1e-6, 1e-3);
  if (drawn(seed, 0.0, 1.0) < 0.3) c.def.tolerance = NSDS_EQUAL_STEPS;
  c.def.by_laws = drawn(seed, 0.0, 1.0) < 0.3;
  if (drawn(seed, 0.0, 1.0) < 0.7) c.def.output_period = drawn(seed, 0.01, 0.1);
  return c;
}

static nsds_job *file_of_adaptive(nsds_context *context, const adaptive_case *c) {
  char file[2000], period[64] = "";
  if (c->def.output_period > 0.0)
    snprintf(period, sizeof period, ", output_period: %.17g", c->def.output_period);
  snprintf(
      file, sizeof file,
      "nsds: 1\nsystems:\n  s: {type: first_order_linear, x0: [%.17g, %.17g], A: [[%.17g, "
      "%.17g], [%.17g, %.17g]], b: [%.17g, %.17g]}\ninteractions:\n  i: {systems: s, relation: "
      "{type: first_order_linear, C: [[%.17g, %.17g]], B: [[%.17g], [%.17g]]}, law: {type: "
      "relay, lower: -%.17g, upper: %.17g}}\nsimulation: {type: adaptive, t0: %.17g, t1: %.17g, "
      "largest_step: %.17g, settling: %.17g, solver_tolerance: %.17g, tolerance: %.17g, "
      "by_laws: %s%s}\n",
      c->x0[0], c->x0[1], c->A[0], c->A[2], c->A[1], c->A[3], c->b[0], c->b[1], c->C[0], c->C[1],
      c->C[0], c->C[1], c->level, c->level, c->def.t0, c->def.t1, c->def.largest_step,
      c->def.settling, c->def.solver_tolerance,
      c->def.tolerance == NSDS_EQUAL_STEPS ? 0.0 : c->def.tolerance,
      c->def.by_laws ? "true" : "false", period);
  return model_of(context, file);
}

static nsds_simulation *program_of_adaptive(nsds_model *model, const adaptive_case *c) {
  nsds_ds *ds = nsds_first_order_linear(
      model, &(nsds_first_order_linear_def){.n = 2, .x0 = c->x0, .A = c->A, .b = c->b});
  nsds_relation *relation = nsds_first_order_linear_relation(
      model, &(nsds_first_order_linear_relation_def){.ny = 1, .nx = 2, .C = c->C, .B = c->C});
  const double low = -c->level;
  nsds_connect(model, relation, nsds_relay(model, 1, &low, &c->level), 1, &ds);
  return nsds_adaptive(model, &c->def);
}

static void adaptive_files_are_their_programs(void **state) {
  (void)state;
  uint64_t seed = 59;
  long steps = 0, events = 0;
  for (int n = 0; n < 40; ++n) {
    const adaptive_case c = draw_adaptive(&seed);
    nsds_context *context = nsds_context_create(NULL);
    nsds_job *job = file_of_adaptive(context, &c);
    nsds_model *model = nsds_model_create(NULL);
    nsds_simulation *s = program_of_adaptive(model, &c);
    if (!s) fail_msg("%s", nsds_error_message(nsds_model_context(model)));
    nsds_status status = NSDS_OK;
    while (status == NSDS_OK) {
      status = nsds_step(s);
      assert_int_equal(nsds_job_step(job), status);
      assert_true(column_of(job, "t") == nsds_time(s));
      assert_true(column_of(job, "s.x[0]") == nsds_x(nsds_ds_at(model, 0))[0]);
      assert_true(column_of(job, "s.x[1]") == nsds_x(nsds_ds_at(model, 0))[1]);
      assert_true(column_of(job, "i.lambda[0]") == nsds_lambda(nsds_interaction_at(model, 0))[0]);
    }
    assert_int_equal(status, NSDS_END);
    steps += nsds_simulation_adaptive(s)->steps;
    events += nsds_simulation_adaptive(s)->events;
    nsds_job_destroy(job);
    nsds_context_destroy(context);
    nsds_model_destroy(model);
  }
  assert_true(steps > 1000 && events > 10);
}

/* x = a exp(-k t) and y = x + lambda / c = 0, so that lambda = -c x at each time: its integral has the
 * second order of the trapezoidal rule. */
static void adaptive_lambda_is_of_its_time(void **state) {
  (void)state;
  uint64_t seed = 5;
  for (int n = 0; n < 10; ++n) {
    double a = drawn(&seed, 0.5, 2.0), k = drawn(&seed, 0.5, 2.0), c = drawn(&seed, 0.5, 2.0);
    double end = drawn(&seed, 1.0, 2.0);
    char file[1000];
    snprintf(
        file, sizeof file,
        "nsds: 1\nsystems:\n  s: {type: first_order_linear, x0: %.17g, A: -%.17g}\n"
        "interactions:\n  i: {systems: s, relation: {type: first_order_linear, C: 1, B: 0, D: "
        "1/%.17g}, law: {type: equality}}\nsimulation: {type: adaptive, t1: %.17g, tolerance: "
        "1e-7, largest_step: 0.01}\nmeasures:\n  sum: {kind: integral, of: \"i.lambda[0]\"}\n  "
        "last: {kind: final, of: \"i.lambda[0] + %.17g*s.x[0]\"}\n  longest: {kind: max, of: h}\n",
        a, k, c, end, c);
    nsds_context *context = nsds_context_create(NULL);
    nsds_job *job = model_of(context, file);
    job_to_the_end(context, job);
    assert_close("integral of lambda", measure_of(job, "sum"), c * a / k * expm1(-k * end), 2e-4);
    assert_close("lambda", measure_of(job, "last"), 0.0, 1e-9);
    assert_true(measure_of(job, "longest") > 0.0 && measure_of(job, "longest") < 0.0101);
    nsds_job_destroy(job);
    nsds_context_destroy(context);
  }
}

/* "q[1]" and "q2" are two spellings of one entry: in functions, columns, measures and samplers. */
static void places_have_two_spellings(void **state) {
  (void)state;
  static const char *const form =
      "nsds: 1\nsystems:\n  pair: {type: lagrangian, mass: [[1, 0], [0, 2]], q0: [1, 0.5], z: {a: "
      "3, "
      "b: 5},\n    fint: [\"%s*%s\", \"%s*%s - %s\"]}\n"
      "interactions:\n  stop: {systems: pair, relation: {type: lagrangian, output: [\"%s + 1\"]}, "
      "law: {type: newton_impact}}\n"
      "samplers: {s: {type: set, period: 0.25, set: {\"pair.%s\": \"pair.%s + 4\"}}}\n"
      "simulation: {type: time_stepping, t1: 2, h: 1e-2}\n"
      "outputs: {columns: [\"pair.%s\", \"pair.%s\", \"stop.%s\", \"2*stop.%s\"]}\n"
      "measures: {m: {kind: max, of: \"pair.%s\"}}\n";
  static const char *const word[2][6] = {{"q1", "q2", "z1", "z2", "v2", "lambda1"},
                                         {"q[0]", "q[1]", "z[0]", "z[1]", "v[1]", "lambda[0]"}};
  double row[2][5], measured[2];
  for (int k = 0; k < 2; ++k) {
    char file[1200], y[8];
    const char *const *w = word[k];
    snprintf(y, sizeof y, "y%s", w[0] + 1);
    snprintf(file, sizeof file, form, w[2], w[0], w[3], w[1], w[4], w[0], w[3], w[1], w[1], w[4], y,
             w[5], w[1]);
    nsds_context *context = nsds_context_create(NULL);
    nsds_job *job = model_of(context, file);
    job_to_the_end(context, job);
    memcpy(row[k], nsds_job_row(job), sizeof row[k]);
    measured[k] = measure_of(job, "m");
    nsds_job_destroy(job);
    nsds_context_destroy(context);
  }
  assert_memory_equal(row[0], row[1], sizeof row[0]);
  assert_true(measured[0] == measured[1] && row[0][1] != 0.5);
}

static void events_change_relations(void **state) {
  (void)state;
  nsds_context *context = nsds_context_create(NULL);
  nsds_job *job = model_of(
      context, "nsds: 1\nsystems:\n  ball: {type: lagrangian_linear, q0: 1, mass: 1, fext: -10}\n"
               "interactions:\n  floor:\n    systems: ball\n    relation: {type: lagrangian, "
               "output: [q1 - level], z: {level: 0.5}}\n    law: {type: newton_impact}\n"
               "simulation: {type: time_stepping, t1: 4, h: 1e-3}\n"
               "events:\n  - {time: 2, set: {floor.level: 0.5 - 0.25}}\n"
               "outputs: {columns: [ball.q1, floor.level]}\nmeasures:\n  before: {kind: min, of: "
               "ball.q1, to: 2}\n");
  job_to_the_end(context, job);
  assert_close("before", measure_of(job, "before"), 0.5, 5e-3);
  assert_close("q", column_of(job, "ball.q1"), 0.25, 5e-3);
  assert_close("level", column_of(job, "floor.level"), 0.25, 0.0);
  nsds_job_destroy(job);
  nsds_context_destroy(context);
}

/* ---- every type ---- */

static const char *const law_texts[] = {
    "{type: newton_impact, e: 0.5}",
    "{type: newton_impact_friction, dimension: 2, mu: 0.3, e_n: 0.1, e_t: 0.1, slip: 0.2}",
    "{type: fremond_impact_friction, dimension: 2, mu: 0.3, e_n: 0.2, slip: 0.1}",
    "{type: complementarity}",
    "{type: equality}",
    "{type: relay, lower: [-1], upper: [1]}",
    "{type: saturation, lower: -1, upper: 1, slope: 2}",
    "{type: normal_cone, H: [[1, 0], [0, 1], [-1, -1]], K: [-1, -1, -3]}"};

static void laws_of_every_type_step(void **state) {
  (void)state;
  nsds_context *context = nsds_context_create(NULL);
  for (size_t k = 0; k < sizeof law_texts / sizeof *law_texts; ++k) {
    char words[1000];
    snprintf(words, sizeof words,
             "nsds: 1\nsystems:\n  point: {type: lagrangian_linear, q0: [0.1, 0.1], v0: [-1, -1], "
             "mass: {diagonal: [1, 1]}}\ninteractions:\n  touch:\n    systems: point\n    "
             "relation: {type: lagrangian_linear, H: [[1, 0], [0, 1]]}\n    law: %s\nsimulation: "
             "{type: time_stepping, t1: 0.3, h: 0.01}\n",
             law_texts[k]);
    nsds_job *job = model_of(context, words);
    job_to_the_end(context, job);
    nsds_job_destroy(job);
  }
  nsds_context_destroy(context);
}

static const char *const impact_texts[] = {
    "{type: poisson_impact, e: 0.5}",
    "{type: distributing_impact, restitution: 0.5, stiffness: 1}"};

static void impacts_of_events_step(void **state) {
  (void)state;
  nsds_context *context = nsds_context_create(NULL);
  for (int k = 0; k < 2; ++k) {
    char words[1000];
    snprintf(
        words, sizeof words,
        "nsds: 1\nsystems:\n  ball: {type: lagrangian_linear, q0: 1, v0: -1, mass: "
        "1}\ninteractions:\n  floor:\n    systems: ball\n    relation: {type: lagrangian_linear, "
        "H: 1}\n    law: %s\nsimulation: {type: event_driven, t1: 2, output_period: 0.5}\n",
        impact_texts[k]);
    nsds_job *job = model_of(context, words);
    job_to_the_end(context, job);
    assert_close("v", column_of(job, "ball.v[0]"), 0.5, 1e-9);
    nsds_job_destroy(job);
  }
  nsds_context_destroy(context);
}

/* Joints of every type between two bodies; a spring; the first body stays where joints to the world say. */
static const char *const joint_texts[] = {
    "{type: ball}",
    "{type: hinge, axis: [0, 1, 0]}",
    "{type: prismatic, axis: [0, 1, 0]}",
    "{type: cylindrical, axis: [0, 1, 0]}",
    "{type: fixed}",
    "{type: distance, point: [0, 0, 0.5], other: [0, 0, 2]}",
    "{type: rope, point: [0, 0, 0.5], other: [0, 0, 2]}",
    "{type: spring, point: [0, 0, 0.5], other: [0, 0, 2], stiffness: 100, damping: 1}",
    "{type: spring, point: [0, 0, 0.5], other: [0, 0, 2], stiffness: 100, length: 1}",
    "{type: joint_coordinate, coordinate: displacement, axis: [0, 0, 1], offset: 0.1}"};

static void relations_of_every_type_step(void **state) {
  (void)state;
  nsds_context *context = nsds_context_create(NULL);
  for (size_t k = 0; k < sizeof joint_texts / sizeof *joint_texts; ++k) {
    char words[1500];
    bool law = strstr(joint_texts[k], "rope") || strstr(joint_texts[k], "joint_coordinate");
    snprintf(
        words, sizeof words,
        "nsds: 1\nsystems:\n  a: {type: rigid_body, mass: 1, inertia: {diagonal: [1, 1, 1]}, "
        "gravity: [0, 0, -9.81]}\n  b: {type: rigid_body, mass: 1, inertia: {diagonal: [1, 1, 1]}, "
        "q0: [0, 0, 2, 1, 0, 0, 0]}\ninteractions:\n  tie:\n    systems: [a, b]\n    relation: "
        "%s\n%s  hold: {systems: b, relation: {type: fixed, point: [0, 0, 2]}}\nsimulation: {type: "
        "time_stepping, t1: 0.3, h: 0.01}\noutputs: {columns: [b.q3, a.q3]}\n",
        joint_texts[k], law ? "    law: {type: newton_impact}\n" : "");
    nsds_job *job = model_of(context, words);
    job_to_the_end(context, job);
    assert_close(joint_texts[k], column_of(job, "b.q3"), 2.0, 1e-6);
    nsds_job_destroy(job);
  }
  nsds_context_destroy(context);
}

/* A mass on a spring of its coordinate. */
static void springs_of_coordinates_oscillate(void **state) {
  (void)state;
  nsds_context *context = nsds_context_create(NULL);
  nsds_job *job = model_of(
      context, "nsds: 1\nsystems:\n  mass: {type: lagrangian_linear, q0: 1, mass: 1}\n  wall: "
               "{type: lagrangian_linear, mass: 1e9, q0: 0}\ninteractions:\n  spring: {systems: "
               "[mass, wall], relation: {type: coordinate_spring, coordinates: [1, 1], stiffness: "
               "4, length: 0}}\nsimulation: {type: time_stepping, t1: 1, h: 0.001}\noutputs: "
               "{columns: [mass.q1, spring.length, spring.energy]}\n");
  job_to_the_end(context, job);
  assert_close("q", column_of(job, "mass.q1"), cos(2.0), 1e-5);
  assert_close("l", column_of(job, "spring.length"), cos(2.0), 1e-5);
  assert_close("energy", column_of(job, "spring.energy"), 2.0 * cos(2.0) * cos(2.0), 1e-4);
  nsds_job_destroy(job);
  nsds_context_destroy(context);
}

/* Balls of three kinds of sets rest on the ground. */
static const char *const set_texts[] = {
    "{type: balls, law: {type: newton_impact}, bodies: ball, radius: 0.1, normal: [0, 0, 1], "
    "pairs: true}",
    "{type: spheres, law: {type: newton_impact_rolling, mu: 0.5, mu_rolling: 0.01}, bodies: ball, "
    "radius: [0.1, 0.1], planes: [{normal: [0, 0, 1]}]}",
    "{type: shapes, materials: [{mu: 0.5, mu_rolling: 0.01}], rolling: true, mix: max, scenery: "
    "[{type: box, half: [5, 5, 1], position: [0, 0, -1]}]}",
    "{type: shapes, law: {type: newton_impact}, bodies: [ball], scenery: [{type: triangles, "
    "vertices: [[-5, -5, 0], [5, -5, 0], [0, 9, 0]], faces: [[0, 1, 2]]}]}",
    "{type: shapes, law: {type: newton_impact}, bodies: [ball], scenery: [{type: height_field, "
    "position: [0.3, 0.7, 0], half: [5, 4], heights: [[0, 0, 0], [0, 0, 0]]}]}",
    "{type: shapes, law: {type: newton_impact}, bodies: [ball], scenery: [{type: mesh, vertices: "
    "[[-5, -5, 0], [5, -5, 0], [0, 9, 0], [0, 0, -1]], faces: [[0, 1, 2], [1, 0, 3], [2, 1, 3], "
    "[0, 2, 3]], parts: [0, 0, 0, 0]}]}"};

static void contact_sets_of_every_type_step(void **state) {
  (void)state;
  nsds_context *context = nsds_context_create(NULL);
  for (size_t k = 0; k < sizeof set_texts / sizeof *set_texts; ++k) {
    char words[1500];
    snprintf(
        words, sizeof words,
        "nsds: 1\nsystems:\n  ball: {type: rigid_body, repeat: 2, mass: 1, inertia: {diagonal: "
        "[0.004, 0.004, 0.004]}, q0: [i, 0, 0.12, 1, 0, 0, 0], gravity: [0, 0, -9.81], shapes: "
        "[{type: sphere, radius: 0.1}]}\ncontacts:\n  ground: %s\nsimulation: {type: "
        "time_stepping, t1: 0.3, h: 0.005}\noutputs: {columns: [\"ball[*].q3\", ground.count]}\n",
        set_texts[k]);
    nsds_job *job = model_of(context, words);
    job_to_the_end(context, job);
    assert_close(set_texts[k], column_of(job, "ball[1].q3"), 0.1, 1e-3);
    assert_close(set_texts[k], column_of(job, "ground.count"), 2.0, 0.0);
    nsds_job_destroy(job);
  }
  nsds_context_destroy(context);
}

/* A motor: i' = (U - R i - k w)/L, J w' = k i, as mixed relations, linear and by expressions. */
static void mixed_relations_agree(void **state) {
  (void)state;
  static const char *const relation[] = {
      "{type: mixed_linear, ny: 2, C: [[1], [0]], E: [[0], [1]], D: [[-1, 0], [0, -1]], B: [[0, "
      "-3]], L: [[2, 0]]}",
      "{type: mixed_linear, C: [[1], [0]], E: [[0], [1]], D: [[-1, 0], [0, -1]], B: [[0, -3]], L: "
      "[[2, 0]]}",
      "{type: mixed, output: [x1 - lambda1, v1 - lambda2], input: [-3*lambda2, 2*lambda1]}"};
  nsds_context *context = nsds_context_create(NULL);
  double w[3];
  for (int k = 0; k < 3; ++k) {
    char words[1000];
    snprintf(words, sizeof words,
             "nsds: 1\nsystems:\n  coil: {type: first_order_linear, n: 1, A: -1, b: 5}\n  rotor: "
             "{type: lagrangian_linear, ndof: 1, mass: 2, damping: 0.1}\ninteractions:\n  motor: "
             "{systems: [coil, rotor], relation: %s, law: {type: equality}}\nsimulation: {type: "
             "time_stepping, t1: 1, h: 0.01}\n",
             relation[k]);
    nsds_job *job = model_of(context, words);
    job_to_the_end(context, job);
    w[k] = column_of(job, "rotor.v[0]");
    nsds_job_destroy(job);
  }
  assert_true(w[1] == w[0]); /* ny is that of C */
  assert_close("w", w[2], w[0], 1e-9);
  assert_true(w[0] > 0.1);
  nsds_context_destroy(context);
}

/* A law and a solver of a plugin: an impulse of at most 0.02 N s a step stops a mass of 1 kg at 1 m/s after half a second. */
static void plugins_have_laws_and_solvers(void **state) {
  (void)state;
  nsds_context *context = nsds_context_create(NULL);
  char words[1500];
  snprintf(
      words, sizeof words,
      "nsds: 1\nsystems:\n  mass: {type: lagrangian_linear, q0: 0, v0: 1, mass: "
      "1}\ninteractions:\n  friction:\n    systems: mass\n    relation: {type: lagrangian_linear, "
      "H: 1}\n    law: {type: plugin, file: %s, law: clutch, z: [0.02, 0]}\nsimulation: {type: "
      "time_stepping, t1: 1, h: 0.01, solver: plugin_sweeps, solver_plugin: %s}\n",
      NSDS_TEST_PLUGIN, NSDS_TEST_PLUGIN);
  nsds_job *job = model_of(context, words);
  job_to_the_end(context, job);
  assert_close("way", column_of(job, "mass.q[0]"), 0.25, 1e-9);
  nsds_job_destroy(job);
  nsds_context_destroy(context);
}

/* ---- schemes ---- */

static const char *const scheme_texts[] = {
    "{type: moreau_jean, theta: 1, gamma_mass: 0.5, predict_once: true}",
    "{type: schatzman_paoli, theta: 0.5}", "{type: d1_minus}", "{type: rattle}"};
static const char *const first_scheme_texts[] = {
    "{type: euler_moreau, theta: 1, f_at_theta: true, input_at_theta: true}",
    "{type: theta_gamma, theta: 0.5, gamma: 0.5, initial_lambda: true}",
    "{type: full_theta_gamma, theta: 0.5, gamma: 0.5}", "{type: zero_order_hold}"};

static void schemes_of_every_type_step(void **state) {
  (void)state;
  nsds_context *context = nsds_context_create(NULL);
  for (int k = 0; k < 4 + 4; ++k) {
    char words[1000];
    if (k < 4)
      snprintf(words, sizeof words,
               "nsds: 1\nsystems:\n  ball: {type: lagrangian_linear, q0: 1, mass: 1, stiffness: "
               "4}\nsimulation: {type: time_stepping, t1: 1, h: 0.001, second_order: %s}\n",
               scheme_texts[k]);
    else
      snprintf(words, sizeof words,
               "nsds: 1\nsystems:\n  ball: {type: first_order_linear, x0: [1, 0], A: [[0, 1], [-4, "
               "0]]}\nsimulation: {type: time_stepping, t1: 1, h: 0.001, first_order: %s}\n",
               first_scheme_texts[k - 4]);
    nsds_job *job = model_of(context, words);
    job_to_the_end(context, job);
    assert_close(words, column_of(job, k < 4 ? "ball.q[0]" : "ball.x[0]"), cos(2.0), 5e-3);
    nsds_job_destroy(job);
  }
  nsds_context_destroy(context);
}

/* ---- the format itself ---- */

static void descriptions(void **state) {
  (void)state;
  nsds_context *context = nsds_context_create(NULL);
  nsds_job *job =
      nsds_job_create(context, &(nsds_job_def){.file = NSDS_TEST_SOURCE
                                               "/examples/models/hydraulic_cylinder.yaml"});
  text t = {0};
  assert_int_equal(nsds_describe(nsds_job_model(job), gather, &t), NSDS_OK);
  assert_non_null(strstr(t.at, "model hydraulic cylinder: 2 systems, 4 interactions\n"));
  assert_non_null(strstr(t.at, "system chambers: first order, 2 states"));
  assert_non_null(strstr(t.at, "system piston: second order, 1 coordinate, 1 velocity,"));
  assert_non_null(
      strstr(t.at, "interaction limits: 4 rows, between chambers, piston, without impulses\n"));
  assert_int_equal(nsds_describe(NULL, gather, &t), NSDS_ERROR_ARGUMENT);
  free(t.at);
  nsds_job_destroy(job);
  nsds_context_destroy(context);
}

static const char *const expanded[] = {
    "bouncing_ball", "bead_column",   "buck_converter", "slider_crank", "hydraulic_cylinder",
    "woodpecker",    "hanging_chain", "billiards",      "gene_network", "newton_cradle"};

static void expansions_have_the_same_bits(void **state) {
  (void)state;
  nsds_context *context = nsds_context_create(NULL);
  for (size_t k = 0; k < sizeof expanded / sizeof *expanded; ++k) {
    char path[512];
    text t = {0};
    snprintf(path, sizeof path, NSDS_TEST_SOURCE "/examples/models/%s.yaml", expanded[k]);
    nsds_job *job = nsds_job_create(context, &(nsds_job_def){.file = path});
    if (!job) fail_msg("%s", nsds_error_message(context));
    assert_int_equal(nsds_job_expand(job, gather, &t), NSDS_OK);
    nsds_job *again = model_of(context, t.at);
    assert_int_equal(nsds_job_column_count(job), nsds_job_column_count(again));
    for (int step = 0; step < 100; ++step) {
      nsds_status a = nsds_job_step(job), b = nsds_job_step(again);
      assert_int_equal(a, b);
      assert_memory_equal(nsds_job_row(job), nsds_job_row(again),
                          (size_t)nsds_job_column_count(job) * sizeof(double));
    }
    nsds_job_destroy(again);
    nsds_job_destroy(job);
    free(t.at);
  }
  nsds_context_destroy(context);
}

static void circuits_have_no_expansion(void **state) {
  (void)state;
  nsds_context *context = nsds_context_create(NULL);
  nsds_job *job = job_of(context, "a resistor\nV1 1 0 1\nR1 1 0 2\n.tran 1m 1m\n.end\n");
  assert_int_equal(nsds_job_expand(job, gather, &(text){0}), NSDS_ERROR_UNSUPPORTED);
  if (!strstr(nsds_error_message(context), "the job is a circuit"))
    fail_msg("%s", nsds_error_message(context));
  nsds_job_destroy(job);
  nsds_context_destroy(context);
}

/* Settings stand in the expansion. */
static void settings_stay_in_expansions(void **state) {
  (void)state;
  nsds_context *context = nsds_context_create(NULL);
  nsds_job *job = nsds_job_create(
      context,
      &(nsds_job_def){.file = NSDS_TEST_SOURCE "/examples/models/bouncing_ball.yaml",
                      .nsettings = 2,
                      .settings = (nsds_job_setting[]){{"e", "0.25"}, {"height", "2*radius"}}});
  text t = {0};
  assert_non_null(job);
  assert_close("height", nsds_job_row(job)[1], 0.2, 1e-15);
  assert_int_equal(nsds_job_expand(job, gather, &t), NSDS_OK);
  assert_non_null(strstr(t.at, "  e: 0.25\n"));
  assert_non_null(strstr(t.at, "  height: 2*radius\n"));
  assert_non_null(strstr(t.at, "  second_order: {type: moreau_jean, theta: 0.5, gamma: 1}\n"));
  assert_int_equal(nsds_job_expand(job, NULL, NULL), NSDS_ERROR_ARGUMENT);
  assert_int_equal(nsds_job_expand(NULL, gather, &t), NSDS_ERROR_ARGUMENT);
  free(t.at);
  nsds_job_destroy(job);
  nsds_context_destroy(context);
}

static void the_reference_is_that_of_the_table(void **state) {
  (void)state;
  text t = {0};
  assert_int_equal(nsds_model_format(NSDS_MODEL_FORMAT_REFERENCE, gather, &t), NSDS_OK);
  char *page = read_file(NSDS_TEST_SOURCE "/docs/model_files.md");
  const char *begin = strstr(page, "<!-- reference -->\n"),
             *end = strstr(page, "<!-- end of the reference -->");
  if (!begin || !end) fail_msg("docs/model_files.md has no marks around the reference");
  begin += strlen("<!-- reference -->\n");
  if ((size_t)(end - begin) != t.size || memcmp(begin, t.at, t.size) != 0)
    fail_msg("the reference of docs/model_files.md is not the output of 'nsds check --reference'");
  free(page);
  free(t.at);
  assert_int_equal(nsds_model_format((nsds_model_format_kind)3, gather, &t), NSDS_ERROR_ARGUMENT);
  assert_int_equal(nsds_model_format(NSDS_MODEL_FORMAT_REFERENCE, NULL, NULL), NSDS_ERROR_ARGUMENT);
}

/* The n-th block of YAML in a page, to be freed. */
static char *block_of(const char *page, int n) {
  const char *at = page, *mark = "```yaml\n";
  for (int k = 0; k <= n; ++k) {
    at = strstr(at, mark);
    if (!at) fail_msg("the page has no block %d", n);
    at += strlen(mark);
  }
  size_t size = (size_t)(strstr(at, "```") - at);
  char *block = calloc(1, size + 1);
  memcpy(block, at, size);
  return block;
}

/* The README's model file is the program above it; the tutorials run. */
static void files_of_the_documents_run(void **state) {
  (void)state;
  nsds_context *context = nsds_context_create(NULL);
  char *page = read_file(NSDS_TEST_SOURCE "/README.md"), *block = block_of(page, 0);
  nsds_job *job = model_of(context, block), *other;
  other = nsds_job_create(
      context, &(nsds_job_def){.file = NSDS_TEST_SOURCE "/examples/models/bouncing_ball.yaml"});
  while (nsds_job_step(job) == NSDS_OK && nsds_job_step(other) == NSDS_OK)
    assert_memory_equal(nsds_job_row(job), nsds_job_row(other), 3 * sizeof(double));
  assert_close("t", nsds_job_row(job)[0], 10.0, 1e-12);
  nsds_job_destroy(job);
  nsds_job_destroy(other);
  free(page);
  free(block);
  page = read_file(NSDS_TEST_SOURCE "/docs/model_files.md");
  for (int k = 0; k < 2; ++k) {
    block = block_of(page, k);
    job = model_of(context, block);
    job_to_the_end(context, job);
    assert_int_equal(nsds_job_measure_count(job), 1);
    assert_true(nsds_job_measure(job, 0) > 0.0);
    nsds_job_destroy(job);
    free(block);
  }
  free(page);
  nsds_context_destroy(context);
}

/* Brackets of the JSON schema match, and it knows every type. */
static void the_json_schema_is_whole(void **state) {
  (void)state;
  text t = {0};
  int depth = 0;
  bool quoted = false;
  assert_int_equal(nsds_model_format(NSDS_MODEL_FORMAT_JSON_SCHEMA, gather, &t), NSDS_OK);
  for (const char *c = t.at; *c; ++c) {
    if (*c == '\\') ++c;
    else if (*c == '"') quoted = !quoted;
    else if (!quoted && strchr("{[", *c)) ++depth;
    else if (!quoted && strchr("}]", *c)) --depth;
    assert_true(depth >= 0);
  }
  assert_int_equal(depth, 0);
  assert_false(quoted);
  assert_non_null(strstr(t.at, "\"type\": {\"const\": \"rigid_body_2d\"}"));
  assert_non_null(strstr(t.at, "\"$ref\": \"#/$defs/contact_set\""));
  free(t.at);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(values_of_all_forms_agree),
                                     cmocka_unit_test(density_and_shapes_make_bodies),
                                     cmocka_unit_test(pid_leads_to_the_setpoint),
                                     cmocka_unit_test(pwm_has_its_mean),
                                     cmocka_unit_test(forces_at_rest_have_their_mean),
                                     cmocka_unit_test(integrals_of_forces_balance_momentum),
                                     cmocka_unit_test(adaptive_files_are_their_programs),
                                     cmocka_unit_test(adaptive_lambda_is_of_its_time),
                                     cmocka_unit_test(places_have_two_spellings),
                                     cmocka_unit_test(events_change_relations),
                                     cmocka_unit_test(laws_of_every_type_step),
                                     cmocka_unit_test(impacts_of_events_step),
                                     cmocka_unit_test(relations_of_every_type_step),
                                     cmocka_unit_test(springs_of_coordinates_oscillate),
                                     cmocka_unit_test(contact_sets_of_every_type_step),
                                     cmocka_unit_test(mixed_relations_agree),
                                     cmocka_unit_test(plugins_have_laws_and_solvers),
                                     cmocka_unit_test(schemes_of_every_type_step),
                                     cmocka_unit_test(descriptions),
                                     cmocka_unit_test(expansions_have_the_same_bits),
                                     cmocka_unit_test(circuits_have_no_expansion),
                                     cmocka_unit_test(settings_stay_in_expansions),
                                     cmocka_unit_test(angles_of_joints_count_turns),
                                     cmocka_unit_test(the_reference_is_that_of_the_table),
                                     cmocka_unit_test(the_json_schema_is_whole),
                                     cmocka_unit_test(files_of_the_documents_run)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
