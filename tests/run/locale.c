/*
 * A program that has set a locale with a decimal comma reads the same files, gets the same rows, texts
 * and messages as one without. NSDS_TEST_LOCALE names such a locale; without one the test is skipped.
 */
#include "drawn_text.h"
#include "run_test.h"

#include <nsds/nsds.h>

#include <locale.h>

static void need_comma(void) {
  const char *name = getenv("NSDS_TEST_LOCALE");
  char text[16];
  bool comma = name && setlocale(LC_ALL, name) && snprintf(text, sizeof text, "%.1f", 0.5) > 0 &&
               text[1] == ',';
  setlocale(LC_ALL, "C");
  if (comma) return;
  printf("skipped: no locale with a comma\n");
  fflush(stdout);
  skip();
}

/* All that a job says: messages, warnings, columns, rows, measures, the expansion. */
typedef struct spoken {
  size_t size;
  char text[200000];
} spoken;

static void say_text(const char *text, void *user) {
  spoken *s = user;
  size_t size = strlen(text);
  if (s->size + size + 1 > sizeof s->text) return;
  memcpy(s->text + s->size, text, size + 1);
  s->size += size;
}

static void say_message(nsds_log_level level, const char *message, void *user) {
  (void)level;
  say_text(message, user);
  say_text("\n", user);
}

static void say_bits(spoken *s, double value) {
  char text[32];
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  snprintf(text, sizeof text, "%016llx ", (unsigned long long)bits);
  say_text(text, s);
}

static void say_job(const char *name, const char *text, const char *locale, spoken *s) {
  enum { most_rows = 20 };
  s->size = 0;
  s->text[0] = '\0';
  setlocale(LC_ALL, locale);
  nsds_context *context =
      nsds_context_create(&(nsds_context_def){.log = say_message, .log_user = s});
  nsds_job_check(context, &(nsds_job_def){.file = name, .text = text}, say_text, s);
  nsds_error_clear(context);
  nsds_job *job = nsds_job_create(context, &(nsds_job_def){.file = name, .text = text});
  for (int k = 0; k < nsds_job_warning_count(job); ++k) say_text(nsds_job_warning(job, k), s);
  for (int k = 0; job && k < most_rows && nsds_job_step(job) == NSDS_OK; ++k)
    for (int c = 0; c < nsds_job_column_count(job); ++c) say_bits(s, nsds_job_row(job)[c]);
  for (int k = 0; k < nsds_job_measure_count(job); ++k) say_bits(s, nsds_job_measure(job, k));
  if (job && nsds_job_model(job) && nsds_job_simulation(job)) {
    nsds_job_expand(job, say_text, s);
    nsds_describe(nsds_job_model(job), say_text, s);
  }
  nsds_job_destroy(job);
  nsds_context_destroy(context);
  setlocale(LC_ALL, "C");
}

static void compare_locales(const char *name, const char *text) {
  static spoken plain, comma;
  say_job(name, text, "C", &plain);
  say_job(name, text, getenv("NSDS_TEST_LOCALE"), &comma);
  if (plain.size == 0) fail_msg("nothing is said of %s", text);
  if (strcmp(plain.text, comma.text) == 0) return;
  size_t at = 0;
  while (plain.text[at] == comma.text[at]) ++at;
  at = at > 60 ? at - 60 : 0;
  fail_msg("%s\nplain: %.200s\ncomma: %.200s", text, plain.text + at, comma.text + at);
}

static void netlists_do_not_depend_on_the_locale(void **state) {
  (void)state;
  static const char *const texts[] = {
      "a\nV1 1 0 5\nR1 1 0 -1.5\n.tran 1u 1m\n",
      "a\nV1 1 0 5\nR1 1 0 1M\n.tran 1u 1m\n",
      "a\nV1 1 0 5.5\nV2 1 0 2.5\n.tran 1u 1m\n",
      "a\nV1 1 0 5\nR1 1 2 2.5\nC1 2 0 1u ic=2.5\nR2 2 0 1,5\n.tran 1u 1.5m uic\n",
      "a\nV1 1 0 5\nR1 1 2 2.5a\nC1 2 0 1.5uF\n.tran 1u 1.5m\n.measure tran m avg v(2) from=0.5 "
      "to=2.5\n",
      "a\nV1 1 0 5\nC1 1 0 1.5u ic=2.5\n.tran 0.5u 1.5m uic\n",
      "a\nV1 1 0 5\nR1 1 0 1.5e31\n.tran 0.5u 1.5m\n"};
  need_comma();
  for (size_t k = 0; k < sizeof texts / sizeof *texts; ++k) compare_locales("a.cir", texts[k]);
  static text_circuit circuit;
  static written_text text;
  draw_state d = {11};
  for (int k = 0; k < 100; ++k) {
    draw_circuit(&d, &circuit);
    write_circuit(
        &d, &circuit,
        &(writing){.fancy = true, .card = k % 3 ? -1 : 2, .item = 3, .fault = "{1.5 + !nope}"},
        &text);
    compare_locales("a.cir", text.text);
  }
}

#define MODEL(law, rest)                                                                           \
  "nsds: 1\nparameters: {e: 0.25}\nsystems:\n  ball: {type: lagrangian_linear, q0: 1.5, mass: "    \
  "2.5, fext: \"-9.81*2.5\"}\ninteractions:\n  floor: {systems: ball, relation: {type: "           \
  "lagrangian_linear, H: 1}, law: " law "}\nsimulation: {type: time_stepping, t1: 0.55, h: 0.025}" \
  "\n" rest

static void models_do_not_depend_on_the_locale(void **state) {
  (void)state;
  static const char *const texts[] = {
      MODEL("{type: newton_impact, e: e}", "outputs: {columns: [ball.q1, \"ball.v1*0.5\"]}\n"),
      MODEL("{type: newton_impact, e: 1.5}", ""),
      MODEL("{type: newton_impact, e: -0.5}", ""),
      MODEL("{type: newton_impact, e: 0,5}", ""),
      MODEL("{type: newton_impact, e: 0.5}",
            "measures: {m: {kind: mean, of: ball.q1, from: 2.5, to: 1.5}}\n"),
      MODEL("{type: newton_impact, e: 0.5}",
            "measures: {m: {kind: mean, of: ball.q1, from: 2.5, to: 3.5}}\n"),
      MODEL("{type: newton_impact, e: 0.5}", "outputs: {columns: [ball.q1.5]}\n"),
      MODEL("{type: newton_impact, e: 0.5}", "outputs: {every: 1.5}\n")};
  need_comma();
  if (!NSDS_HAVE_YAML) skip();
  for (size_t k = 0; k < sizeof texts / sizeof *texts; ++k) compare_locales("a.yaml", texts[k]);
}

static void sweeps_do_not_depend_on_the_locale(void **state) {
  (void)state;
  char value[2][64] = {"", ""};
  uint64_t key[2] = {0, 0};
  need_comma();
  FILE *file = fopen("locale_sweep.cir", "w");
  fputs("rc\n.param r=1\nV1 1 0 5\nR1 1 0 {r}\n.tran 1u 5u\n.measure tran m avg i(R1)\n", file);
  fclose(file);
  for (int k = 0; k < 2; ++k) {
    const char *axes[] = {"r=0.5:2.25:8"};
    setlocale(LC_ALL, k ? getenv("NSDS_TEST_LOCALE") : "C");
    nsds_context *context = nsds_context_create(NULL);
    nsds_sweep *sweep = nsds_sweep_create(
        context, &(nsds_sweep_def){.file = "locale_sweep.cir", .naxes = 1, .axes = axes});
    double measure = NAN;
    if (!sweep) fail_msg("%s", nsds_error_message(context));
    nsds_sweep_value(sweep, 3, 0, value[k], sizeof value[k]);
    assert_int_equal(nsds_sweep_run(sweep, 3, &measure, NULL, 0), NSDS_OK);
    assert_true(fabs(measure - 5.0 / 1.25) < 1e-9);
    key[k] = nsds_sweep_key(sweep);
    nsds_sweep_destroy(sweep);
    nsds_context_destroy(context);
    setlocale(LC_ALL, "C");
  }
  remove("locale_sweep.cir");
  assert_string_equal(value[0], "1.25");
  assert_string_equal(value[1], "1.25");
  assert_true(key[0] == key[1]);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(netlists_do_not_depend_on_the_locale),
                                     cmocka_unit_test(models_do_not_depend_on_the_locale),
                                     cmocka_unit_test(sweeps_do_not_depend_on_the_locale)};
  return cmocka_run_group_tests_name("run.locale", tests, NULL, NULL);
}
