/*
 * Texts of model files: what goes on behind the name of a quantity counts, what is left over is an error with its column,
 * and Jacobians that a file leaves out are exact. Drawn texts are in expressions.py and text_places.py.
 */
#include "run_test.h"

#include <nsds/nsds.h>

static nsds_job *model_job_of(nsds_context *context, const char *words) {
  nsds_job *job = nsds_job_create(
      context, &(nsds_job_def){.file = "test.yaml", .text = words, .kind = NSDS_JOB_MODEL_FILE});
  if (!job) fail_msg("%s", nsds_error_message(context));
  return job;
}

static double value_of_column(const nsds_job *job, const char *name) {
  for (int k = 0; k < nsds_job_column_count(job); ++k)
    if (strcmp(nsds_job_column_name(job, k), name) == 0) return nsds_job_row(job)[k];
  fail_msg("there is no column %s", name);
  return NAN;
}

/* ---- the tail of a text ---- */

static void texts_go_on_behind_a_quantity(void **state) {
  (void)state;
  static const struct {
    const char *text;
    double value;
  } table[] = {{"cart.q1*factor", -10.0},
               {"cart.q1^2", 6.25},
               {"cart.q1*100", -250.0},
               {"cart.q1-2", -4.5},
               {"cart.q1/5+1", 0.5},
               {"cart.q1<0 ? 7 : 8", 7.0},
               {"cart.q12", 12.0},
               {"cart.q12e0", NAN},
               {"cart.q1 * 2", -5.0},
               {"(cart.q1)*2", -5.0},
               {"cart.q1==cart.q1", 1.0},
               {"cart.q1&&0", 0.0},
               {"cart.offset^2*cart.q1", -22.5},
               {"t*8", 8.0}};
  for (size_t k = 0; k < sizeof table / sizeof *table; ++k) {
    char words[1000];
    nsds_context *context = nsds_context_create(NULL);
    snprintf(
        words, sizeof words,
        "nsds: 1\nparameters: {factor: 4}\nsystems:\n  cart: {type: lagrangian_linear, q0: [-2.5, "
        "2, 3, 4, "
        "5, 6, 7, 8, 9, 10, 11, 12], mass: {diagonal: [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]}, z: "
        "{offset: 3}}\nsimulation: {type: time_stepping, t1: 1, h: 0.5}\noutputs: {columns: "
        "[{name: "
        "shown, value: \"%s\"}]}\nmeasures:\n  last: {kind: final, of: \"%s\"}\n",
        table[k].text, table[k].text);
    nsds_job *job =
        nsds_job_create(context, &(nsds_job_def){.text = words, .kind = NSDS_JOB_MODEL_FILE});
    if (isnan(table[k].value)) {
      assert_null(job);
      assert_non_null(
          strstr(nsds_error_message(context), "the name \"cart.q12e0\" is not known here"));
      nsds_error_clear(context);
    } else {
      if (!job) fail_msg("%s: %s", table[k].text, nsds_error_message(context));
      job_to_the_end(context, job);
      assert_close(table[k].text, value_of_column(job, "shown"), table[k].value, 0.0);
      assert_close(table[k].text, measure_of(job, "last"), table[k].value, 0.0);
    }
    nsds_job_destroy(job);
    nsds_context_destroy(context);
  }
}

/* x' = u, u = -2 x held for 0.25 s: x halves at each sample. The sign must not be lost with the tail. */
static void feedback_of_a_sampler_keeps_its_sign(void **state) {
  (void)state;
  nsds_context *context = nsds_context_create(NULL);
  nsds_job *job = model_job_of(
      context,
      "nsds: 1\nsystems:\n  tank: {type: first_order_linear, x0: [1], A: 0, b: [u], z: {u: 0}}\n"
      "  level: {type: first_order_linear, x0: [0], A: 0, z: {seen: 0}}\n"
      "samplers:\n  c: {type: set, period: 0.25, set: {tank.u: tank.x1*-2}}\n"
      "events:\n  - {time: 0.5, set: {level.seen: tank.x1*8-1}}\n"
      "simulation: {type: time_stepping, t1: 1, h: 0.0625, first_order: {type: zero_order_hold}}\n"
      "outputs: {columns: [tank.x1, level.seen]}\n");
  job_to_the_end(context, job);
  assert_close("x", value_of_column(job, "tank.x1"), 0.0625, 1e-14);
  assert_close("seen", value_of_column(job, "level.seen"), 1.0, 1e-13);
  nsds_job_destroy(job);
  nsds_context_destroy(context);
}

/* "[*]" stands for the same index wherever it is, and nothing of a long text is lost. */
static void stars_stand_in_expressions(void **state) {
  (void)state;
  nsds_context *context = nsds_context_create(NULL);
  nsds_job *job = model_job_of(
      context,
      "nsds: 1\nsystems:\n  bead: {type: lagrangian_linear, repeat: 2, q0: i + 1, v0: 2, mass: 1}\n"
      "simulation: {type: time_stepping, t1: 1, h: 0.5}\noutputs:\n  columns:\n"
      "    - "
      "\"bead[*].q1*1.00000000000000000000000000000000000000000000000000000000000000*bead[*].v1\"\n"
      "    - \"2*bead[*].q1\"\n");
  job_to_the_end(context, job);
  const double right[] = {1.0, 6.0, 8.0, 6.0, 8.0};
  assert_int_equal(nsds_job_column_count(job), 5);
  for (int k = 0; k < 5; ++k)
    assert_close(nsds_job_column_name(job, k), nsds_job_row(job)[k], right[k], 1e-14);
  nsds_job_destroy(job);
  nsds_context_destroy(context);
}

/* ---- what is left over ---- */

static const char places[] =
    "nsds: 1\n"
    "parameters:\n"
    "  a: \"PARAMETER\"\n"
    "systems:\n"
    "  ball: {type: lagrangian, q0: [1], mass: 1, fint: \"FUNCTION\"}\n"
    "  tank: {type: first_order_linear, x0: [1], A: 0, z: {u: \"VALUE\"}}\n"
    "samplers:\n"
    "  c: {type: set, period: 0.1, set: {tank.u: \"SAMPLER\"}}\n"
    "  p: {type: pid, period: 0.1, setpoint: \"SETPOINT\", measured: tank.x1, "
    "output: tank.u}\n"
    "  w: {type: pwm, period: 0.1, duty: \"DUTY\", output: tank.u}\n"
    "events:\n"
    "  - {time: 0.5, set: {tank.u: \"EVENT\"}}\n"
    "simulation: {type: time_stepping, t1: 1, h: 0.1}\n"
    "outputs: {columns: [{name: c, value: \"COLUMN\"}]}\n"
    "measures: {m: {kind: final, of: \"MEASURE\"}}\n";
static const char *const place_names[] = {"PARAMETER", "FUNCTION", "VALUE",  "SAMPLER", "SETPOINT",
                                          "DUTY",      "EVENT",    "COLUMN", "MEASURE"};
enum { nplaces = sizeof place_names / sizeof *place_names };

/* The file with a text at one place, and 1 at the others; the line and column of the text. */
static void fill_places(int which, const char *text, char *words, int *line, int *column) {
  const char *at = places;
  *line = 1;
  for (char *to = words; (*to = *at); ++to, ++at)
    for (int k = 0; k < nplaces; ++k) {
      size_t size = strlen(place_names[k]);
      if (strncmp(at, place_names[k], size) != 0) continue;
      const char *put = k == which ? text : "1";
      strcpy(to, put);
      if (k == which) {
        *column = 1;
        for (const char *c = words; c < to; ++c) *column = *c == '\n' ? 1 : *column + 1;
        for (const char *c = words; c < to; ++c) *line += *c == '\n';
      }
      to += strlen(put) - 1;
      at += size - 1;
      break;
    }
}

static void text_that_is_left_over_has_a_column(void **state) {
  (void)state;
  static const struct {
    const char *text;
    int at;
    const char *words;
  } table[] = {{"1abc", 1, "an operator is missing"},
               {"2*3 4", 4, "the expression should end here"},
               {"(1 + 2", 0, "the bracket \\\"(\\\" has no partner"},
               {"1 + 2)", 5, "the bracket \\\")\\\" has no partner"},
               {"1 + *", 4, "should be here, not \\\"*\\\""},
               {"1, 2", 1, "an expression has one value"},
               {"max(1, 2", 3, "has no partner"},
               {"max(1; 2)", 5, "the character \\\";\\\" has no meaning"},
               {"1 ? 2", 5, "a \\\":\\\" is missing"},
               {"2*", 2, "ends too early"},
               {"2 3^", 2, "should end here"},
               {"1 + 0x10", 5, "an operator is missing"},
               {"1e999", 0, "is too large"},
               {"2**3", 1, "the power is \\\"^\\\""},
               {"1 = 1", 2, "cannot assign"},
               {"nothing.q1", 0, "is not known here"},
               {"sin(1, 2)", 0, "takes one argument, not 2"}};
  for (int place = 0; place < nplaces; ++place)
    for (size_t k = 0; k < sizeof table / sizeof *table; ++k) {
      char words[2000], wanted[40], plain[80], *to = plain;
      int line, column = 0;
      fill_places(place, table[k].text, words, &line, &column);
      nsds_context *context = nsds_context_create(NULL);
      nsds_job *job = nsds_job_create(
          context,
          &(nsds_job_def){.file = "test.yaml", .text = words, .kind = NSDS_JOB_MODEL_FILE});
      for (const char *c = table[k].words; (*to = *c); ++c) to += *c != '\\';
      snprintf(wanted, sizeof wanted, "test.yaml:%d:%d: ", line, column + table[k].at);
      const char *message = nsds_error_message(context);
      if (job || !strstr(message, wanted) || !strstr(message, plain))
        fail_msg("%s \"%s\": %s%s expected, not %s", place_names[place], table[k].text, wanted,
                 plain, job ? "a job" : message);
      nsds_error_clear(context);
      nsds_job_destroy(job);
      nsds_context_destroy(context);
    }
}

/* ---- bounds ---- */

static double value_of_text(const char *text, char *message, size_t size) {
  static char words[12000];
  snprintf(
      words, sizeof words,
      "nsds: 1\nsystems:\n  ball: {type: lagrangian_linear, q0: [3], mass: 1}\nsimulation: {type: "
      "time_stepping, t1: 1, h: 1}\noutputs: {columns: [{name: c, value: \"%s\"}]}\n",
      text);
  nsds_context *context = nsds_context_create(NULL);
  nsds_job *job =
      nsds_job_create(context, &(nsds_job_def){.text = words, .kind = NSDS_JOB_MODEL_FILE});
  double value = job ? value_of_column(job, "c") : NAN;
  snprintf(message, size, "%s", job ? "" : nsds_error_message(context));
  nsds_error_clear(context);
  nsds_job_destroy(job);
  nsds_context_destroy(context);
  return value;
}

static void append(char *text, const char *piece, int times) {
  char *to = text + strlen(text);
  while (times-- > 0) to += sprintf(to, "%s", piece);
}

static void long_and_deep_texts(void **state) {
  (void)state;
  char text[9000] = "", message[1500];
  append(text, "ball.q1<1?0:", 300); /* a table of pieces */
  append(text, "ball.q1", 1);
  assert_close("pieces", value_of_text(text, message, sizeof message), 3.0, 0.0);
  text[0] = '\0';
  append(text, "ball.q1+", 499);
  append(text, "ball.q1", 1);
  assert_close("sum", value_of_text(text, message, sizeof message), 1500.0, 0.0);
  text[0] = '\0';
  append(text, "(", 100);
  append(text, "ball.q1", 1);
  append(text, ")", 100);
  assert_close("brackets", value_of_text(text, message, sizeof message), 3.0, 0.0);
  text[0] = '\0';
  append(text, "(", 1900);
  append(text, "1", 1);
  append(text, ")", 1900);
  value_of_text(text, message, sizeof message);
  assert_non_null(strstr(message, "nested too deeply"));
  text[0] = '\0';
  append(text, "-", 3000);
  append(text, "1", 1);
  value_of_text(text, message, sizeof message);
  assert_non_null(strstr(message, "nested too deeply"));
  text[0] = '\0';
  append(text, "1+", 2500);
  append(text, "1", 1);
  value_of_text(text, message, sizeof message);
  assert_non_null(strstr(message, "an expression has at most 4000 characters"));
  text[0] = '\0';
  append(text, "x", 300);
  value_of_text(text, message, sizeof message);
  assert_non_null(strstr(message, "a name has at most 120 characters"));
  value_of_text("(1, 2)", message, sizeof message);
  assert_non_null(strstr(message, "a comma separates arguments"));
  value_of_text("1:2", message, sizeof message);
  assert_non_null(strstr(message, "the \":\" has no \"?\" in front of it"));
}

/* ---- Jacobians ---- */

static const char *const jacobian_models[] = {
    "systems:\n  arm:\n    type: lagrangian\n    q0: [0.3, -0.4]\n    v0: [0.7, 1.1]\n"
    "    mass: [[2 + cos(q2), 0.1], [0.1, 1 + q1^2]]\n    where: {r: \"hypot(q1, q2)\", s: v1*r}\n"
    "    fint: [\"k*sin(q1)/r + tanh(s)\", \"exp(-q2)*v2^3 + sqrt(1 + v1^2)*t\"]\n"
    "    nnl: [\"q1*v2*v1\", \"atan2(q2, 1 + q1^2)*v1\"]\n",
    "systems:\n  tank:\n    type: first_order\n    x0: [0.4, 1.2]\n"
    "    f: [\"-x1*x2 + log(x2) - cbrt(x1)\", \"pow(x2, x1) + x1^-2 - abs(x1 - 2) + asinh(x1)\"]\n",
    "systems:\n  body:\n    type: rigid_body\n    mass: 1\n    inertia: {diagonal: [1, 2, 3]}\n"
    "    v0: [1, 2, 3, 0.1, 0.2, 0.3]\n"
    "    force: [\"-k*q1*q4\", \"v2*abs(v2)\", \"sin(t)*v3\"]\n"
    "    moment: [\"-v4\", \"q5*v5^2\", \"0\"]\n",
    "systems:\n  point: {type: lagrangian_linear, q0: [0.3, -0.4], v0: [1, 2], mass: {diagonal: "
    "[1, "
    "2]}}\nlaws: {contact: {type: newton_impact, e: 0.5}}\ninteractions:\n  curve:\n    systems: "
    "point\n    law: contact\n    relation: {type: lagrangian, output: \"5 + q2 - 0.2*sin(3*q1 - "
    "t)\"}\n",
    "systems:\n  a: {type: first_order_linear, x0: [0.5, 0.7], A: {diagonal: [-1, -1]}}\n"
    "laws: {switch: {type: complementarity}}\ninteractions:\n  pair:\n    systems: a\n    law: "
    "switch\n    relation: {type: first_order, output: \"x1^2 + x2 + lambda1*exp(x1)\", input: "
    "[\"lambda1*(1 + x1^2)\", \"sin(lambda1) + x2\"]}\n",
    "systems:\n  a: {type: first_order_linear, x0: [0.5], A: -1}\n  m: {type: lagrangian_linear, "
    "q0: "
    "[0.3], v0: [0.2], mass: 1}\nlaws: {tie: {type: equality}}\ninteractions:\n  motor:\n    "
    "systems: [a, "
    "m]\n    law: tie\n    relation: {type: mixed, ny: 1, output: \"x1*q1 + v1^2 + "
    "lambda1*(2 + x1)\", input: [\"lambda1*q1 + x1\", \"v1*lambda1 + sin(q1)\"]}\n"};

static void jacobians_left_out_are_exact(void **state) {
  (void)state;
  for (size_t k = 0; k < sizeof jacobian_models / sizeof *jacobian_models; ++k) {
    char words[2000];
    nsds_jacobian_report report;
    nsds_context *context = nsds_context_create(NULL);
    snprintf(words, sizeof words,
             "nsds: 1\nparameters: {k: 3}\n%ssimulation: {type: time_stepping, t1: 1, h: 0.01}\n",
             jacobian_models[k]);
    nsds_job *job = model_job_of(context, words);
    nsds_status status = nsds_check_jacobians(nsds_job_model(job), 0.3, 1e-8, &report);
    if (status || report.checked < 1 || strstr(report.names, "jac"))
      fail_msg("model %zu: %s; %d checked, not given: %s", k, nsds_last_message(context),
               report.checked, report.names);
    nsds_job_destroy(job);
    nsds_context_destroy(context);
  }
}

/* Friction of |v| v in the plane: the root has a derivative at rest, where differences gave one too. */
static void roots_have_a_derivative_at_rest(void **state) {
  (void)state;
  nsds_context *context = nsds_context_create(NULL);
  nsds_job *job = model_job_of(
      context, "nsds: 1\nsystems:\n  puck:\n    type: lagrangian\n    q0: [0, 0]\n    mass: [[1, "
               "0], [0, 1]]\n"
               "    where: {speed: sqrt(v1^2 + v2^2)}\n    fint: [speed*v1, \"hypot(v1, v2)*v2\"]\n"
               "    fext: [3, 4]\nsimulation: {type: time_stepping, t1: 10, h: 0.01}\n"
               "outputs: {columns: [puck.v1, puck.v2]}\n");
  job_to_the_end(context, job);
  assert_close("v1", value_of_column(job, "puck.v1"), 3.0 / sqrt(5.0), 1e-9); /* speed^2 = 5 */
  assert_close("v2", value_of_column(job, "puck.v2"), 4.0 / sqrt(5.0), 1e-9);
  nsds_job_destroy(job);
  nsds_context_destroy(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(texts_go_on_behind_a_quantity),
                                     cmocka_unit_test(feedback_of_a_sampler_keeps_its_sign),
                                     cmocka_unit_test(stars_stand_in_expressions),
                                     cmocka_unit_test(text_that_is_left_over_has_a_column),
                                     cmocka_unit_test(long_and_deep_texts),
                                     cmocka_unit_test(jacobians_left_out_are_exact),
                                     cmocka_unit_test(roots_have_a_derivative_at_rest)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
