/* The calls of nsds/run.h with arguments that cannot be, and the words that have to be zero. */
#include "run_test.h"

static void reserved_words(void **state) {
  (void)state;
  nsds_context *context = nsds_context_create(NULL);
  _Static_assert(offsetof(nsds_job_def, reserved) + sizeof(uint64_t[NSDS_RESERVED]) ==
                     sizeof(nsds_job_def),
                 "the words end nsds_job_def");
  for (int k = 0; k < NSDS_RESERVED; ++k) {
    nsds_job_def def = {.text = "title\n", .kind = NSDS_JOB_CIRCUIT};
    char words[96];
    def.reserved[k] = 1;
    assert_null(nsds_job_create(context, &def));
    assert_int_equal(nsds_error(context), NSDS_ERROR_ARGUMENT);
    snprintf(words, sizeof words,
             "nsds_job_create: reserved[%d] is not zero; set all of the structure to zero", k);
    assert_string_equal(nsds_error_message(context), words);
    nsds_error_clear(context);
  }
  nsds_context_destroy(context);
}

/* A definition that cannot be is refused, and the message says why. */
static void refused(nsds_context *context, const nsds_job_def *def, nsds_status status,
                    const char *words) {
  assert_null(nsds_job_create(context, def));
  assert_int_equal(nsds_error(context), status);
  if (!strstr(nsds_error_message(context), words)) fail_msg("%s", nsds_error_message(context));
  nsds_error_clear(context);
}

static void definitions(void **state) {
  (void)state;
  nsds_context *context = nsds_context_create(NULL);
  refused(context, NULL, NSDS_ERROR_ARGUMENT, "def is NULL");
  refused(context, &(nsds_job_def){0}, NSDS_ERROR_ARGUMENT, "give a file or a text");
  refused(context, &(nsds_job_def){.text = "x", .kind = (nsds_job_kind)9}, NSDS_ERROR_ARGUMENT,
          "kind is 9");
  refused(context, &(nsds_job_def){.text = "x", .nsettings = 1}, NSDS_ERROR_ARGUMENT,
          "nsettings is 1");
  refused(context, &(nsds_job_def){.text = "x", .nsettings = -1}, NSDS_ERROR_ARGUMENT,
          "nsettings is -1");
  refused(context, &(nsds_job_def){.text = "x", .nsettings = 1, .settings = &(nsds_job_setting){0}},
          NSDS_ERROR_ARGUMENT, "settings[0] has no name");
  refused(context, &(nsds_job_def){.file = "there_is_no.cir"}, NSDS_ERROR_IO,
          "there_is_no.cir: cannot be read");
  assert_null(nsds_job_create(NULL, &(nsds_job_def){.text = "x"}));
  nsds_context_destroy(context);
}

static void calls_with_null(void **state) {
  (void)state;
  nsds_job_destroy(NULL);
  assert_null(nsds_job_model(NULL));
  assert_null(nsds_job_simulation(NULL));
  assert_int_equal(nsds_job_warning_count(NULL), 0);
  assert_null(nsds_job_warning(NULL, 0));
  assert_string_equal(nsds_job_title(NULL), "");
  assert_int_equal(nsds_job_column_count(NULL), 0);
  assert_null(nsds_job_column_name(NULL, 0));
  assert_null(nsds_job_column_unit(NULL, 0));
  assert_null(nsds_job_row(NULL));
  assert_int_equal(nsds_job_step(NULL), NSDS_ERROR_ARGUMENT);
  assert_int_equal(nsds_job_measure_count(NULL), 0);
  assert_null(nsds_job_measure_name(NULL, 0));
  assert_true(isnan(nsds_job_measure(NULL, 0)));
}

static void ignore_words(const char *text, void *user) { (void)text, (void)user; }

/* A call with NULL for an object says so: its message is kept for the thread. */
static void null_is_named(void **state) {
  (void)state;
  double measure;
  nsds_balance_entry entry;
  nsds_balance_sum sum;
#define NAMED(call, words)                                                                         \
  do {                                                                                             \
    nsds_error_clear(NULL);                                                                        \
    assert_int_equal((call), NSDS_ERROR_ARGUMENT);                                                 \
    assert_string_equal(nsds_error_message(NULL), words);                                          \
  } while (0)
#define NO_OBJECT(call, words)                                                                     \
  do {                                                                                             \
    nsds_error_clear(NULL);                                                                        \
    assert_null(call);                                                                             \
    assert_string_equal(nsds_error_message(NULL), words);                                          \
  } while (0)
  NO_OBJECT(nsds_job_create(NULL, &(nsds_job_def){.text = "x"}),
            "nsds_job_create: context is NULL");
  NO_OBJECT(nsds_sweep_create(NULL, NULL), "nsds_sweep_create: context is NULL");
  NO_OBJECT(nsds_scene_create(NULL, NULL, NULL), "nsds_scene_create: context is NULL");
  NAMED(nsds_job_check(NULL, NULL, ignore_words, NULL), "nsds_job_check: context is NULL");
  NAMED(nsds_job_step(NULL), "nsds_job_step: job is NULL");
  NAMED(nsds_job_balance(NULL, 0, &entry), "nsds_job_balance: job is NULL");
  NAMED(nsds_job_balance_sum(NULL, &sum), "nsds_job_balance_sum: job is NULL");
  NAMED(nsds_job_expand(NULL, ignore_words, NULL), "nsds_job_expand: job is NULL");
  NAMED(nsds_model_format(NSDS_MODEL_FORMAT_REFERENCE, NULL, NULL),
        "nsds_model_format: write is NULL");
  NAMED(nsds_describe(NULL, ignore_words, NULL), "nsds_describe: model is NULL");
  NAMED(nsds_sweep_run(NULL, 0, &measure, NULL, 0), "nsds_sweep_run: sweep is NULL");
  NAMED(nsds_scene_record(NULL, 0.0, NULL), "nsds_scene_record: scene is NULL");
  NAMED(nsds_scene_write_html(NULL, "a"), "nsds_scene_write_html: scene is NULL");
}

static void refused_sweep(nsds_context *context, const nsds_sweep_def *def, nsds_status status,
                          const char *words) {
  assert_null(nsds_sweep_create(context, def));
  assert_int_equal(nsds_error(context), status);
  if (!strstr(nsds_error_message(context), words)) fail_msg("%s", nsds_error_message(context));
  nsds_error_clear(context);
}

static void write_circuit(const char *path, const char *measure) {
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fprintf(file,
          "a divider\n.param r=1\nV1 a 0 2\nR1 a b {r}\nR2 b 0 1\n.tran 1 2\n.print tran v(b)\n%s",
          measure);
  fclose(file);
}

static void sweeps(void **state) {
  (void)state;
  static const char path[] = "api_sweep.cir", silent[] = "api_silent.cir";
  const char *one[1] = {"r=1k,{2*3},0.5"}, *bad[1] = {"r=1:b:3"},
             *large[2] = {"r=1:2:20000", "r=1:2:20000"};
  const char *all[3] = {"r=1:2:3", "s=1:100:3:log", "u=4.7u"};
  nsds_context *context = nsds_context_create(NULL);
  write_circuit(path, ".param s=1 u=1\n.measure tran top max v(b)\n");
  write_circuit(silent, "");
  const nsds_sweep_def good = {.file = path, .naxes = 1, .axes = one};
  nsds_sweep_def def = good;
  refused_sweep(context, NULL, NSDS_ERROR_ARGUMENT, "def is NULL");
  def.file = NULL;
  refused_sweep(context, &def, NSDS_ERROR_ARGUMENT, "file is NULL");
  def = good;
  def.naxes = 17;
  refused_sweep(context, &def, NSDS_ERROR_VALUE, "naxes is 17; valid are 1 to 16");
  def = good;
  def.nsettings = 1;
  refused_sweep(context, &def, NSDS_ERROR_ARGUMENT, "nsettings is 1, and settings is NULL");
  def = good;
  def.sampling = (nsds_sampling)3;
  refused_sweep(context, &def, NSDS_ERROR_ARGUMENT, "sampling is 3; valid are 0 to 2");
  def = good;
  def.reserved[1] = 1;
  refused_sweep(context, &def, NSDS_ERROR_ARGUMENT, "reserved[1] is not zero");
  def = good;
  def.axes = bad;
  refused_sweep(context, &def, NSDS_ERROR_VALUE, "axis \"r=1:b:3\": TO is not a number");
  def.sampling = NSDS_SAMPLING_RANDOM;
  def.axes = all;
  refused_sweep(context, &def, NSDS_ERROR_VALUE, "samples is 0; valid are 1 to 10^8");
  def = good;
  def.naxes = 2;
  def.axes = large;
  refused_sweep(context, &def, NSDS_ERROR_VALUE, "the grid has more than 10^8 points");
  def = good;
  def.file = silent;
  refused_sweep(context, &def, NSDS_ERROR_ARGUMENT, "api_silent.cir declares no measures");

  char text[32];
  nsds_sweep *sweep = nsds_sweep_create(context, &good);
  assert_non_null(sweep);
  assert_true(nsds_sweep_number(sweep, 0, 0) == 1000.0);
  assert_true(isnan(nsds_sweep_number(sweep, 1, 0))); /* a formula is no number */
  assert_int_equal(nsds_sweep_value(sweep, 1, 0, text, sizeof text), 5);
  assert_string_equal(text, "{2*3}");
  assert_true(isnan(nsds_sweep_number(sweep, 3, 0)) && isnan(nsds_sweep_number(NULL, 0, 0)));
  assert_int_equal(nsds_sweep_value(sweep, 3, 0, text, sizeof text), -1);
  nsds_sweep_destroy(sweep);
  sweep = nsds_sweep_create(context, &(nsds_sweep_def){.file = path, .naxes = 3, .axes = all});
  assert_true(nsds_sweep_count(sweep) == 9);
  assert_true(nsds_sweep_number(sweep, 4, 0) == 1.5 && nsds_sweep_number(sweep, 4, 1) == 10.0 &&
              nsds_sweep_number(sweep, 4, 2) == 4.7e-6);
  nsds_sweep_value(sweep, 4, 0, text, sizeof text);
  assert_string_equal(text, "1.5");
  nsds_sweep_destroy(sweep);
  nsds_context_destroy(context);
  remove(path);
  remove(silent);
}

/* The texts of a range, with commas between them. */
static void range_is(nsds_context *context, const char *path, const char *axis, const char *texts) {
  char all[400] = "", text[32];
  nsds_sweep *sweep =
      nsds_sweep_create(context, &(nsds_sweep_def){.file = path, .naxes = 1, .axes = &axis});
  if (!sweep) fail_msg("%s", nsds_error_message(context));
  for (long k = 0; k < nsds_sweep_count(sweep); ++k) {
    nsds_sweep_value(sweep, k, 0, text, sizeof text);
    if (k) strcat(all, ",");
    strcat(all, text);
  }
  nsds_sweep_destroy(sweep);
  if (strcmp(all, texts) != 0) fail_msg("%s: %s", axis, all);
}

/* Steps that are decimals give decimals; others the nearest sums. */
static void ranges(void **state) {
  (void)state;
  static const char path[] = "api_ranges.cir";
  nsds_context *context = nsds_context_create(NULL);
  write_circuit(path, ".measure tran top max v(b)\n");
  range_is(context, path, "r=0.1:0.7:7", "0.1,0.2,0.3,0.4,0.5,0.6,0.7");
  range_is(context, path, "r=0.9:0.3:13",
           "0.9,0.85,0.8,0.75,0.7,0.65,0.6,0.55,0.5,0.45,0.4,0.35,0.3");
  range_is(context, path, "r=4.7u:4.9u:3", "4.7e-06,4.8e-06,4.9e-06");
  range_is(context, path, "r=1:2:5", "1,1.25,1.5,1.75,2");
  range_is(context, path, "r=0.1:0.2:9", "0.1,0.1125,0.125,0.1375,0.15,0.1625,0.175,0.1875,0.2");
  range_is(context, path, "r=1:2:4", "1,1.3333333333333333,1.6666666666666665,2");
  range_is(context, path, "r=1k:1MEG:2", "1000,1000000");
  range_is(context, path, "r=1e-30:3e-30:3", "1e-30,2e-30,3e-30");
  nsds_context_destroy(context);
  remove(path);
}

/* Names of axes, settings and measures that mean two things. */
static void sweeps_with_names_twice(void **state) {
  (void)state;
  static const char path[] = "api_names.cir", model[] = "api_names.yaml";
  const char *one[1] = {"r=1:2:2"}, *two[2] = {"r=1:2:2", "R=3,4"}, *large[1] = {"R=1:2:2"},
             *error[1] = {"error=1:2:2"};
  const nsds_job_setting set = {.name = "R", .value = "7"}, other = {.name = "error", .value = "7"};
  nsds_context *context = nsds_context_create(NULL);
  write_circuit(path, ".param error=1\n.measure tran top max v(b)\n");
  nsds_sweep_def def = {.file = path, .naxes = 2, .axes = two};
  refused_sweep(context, &def, NSDS_ERROR_ARGUMENT, "axis \"r=1:2:2\" and axis \"R=3,4\"");
  def.naxes = 1;
  def.nsettings = 1;
  def.settings = &set;
  refused_sweep(context, &def, NSDS_ERROR_ARGUMENT, "setting \"R=7\" and axis \"r=1:2:2\"");
  def.settings = &other;
  def.axes = one;
  nsds_sweep *sweep = nsds_sweep_create(context, &def);
  assert_non_null(sweep);
  nsds_sweep_destroy(sweep);
  def.nsettings = 0;
  def.axes = error;
  refused_sweep(context, &def, NSDS_ERROR_ARGUMENT, "has the name of the column \"error\"");
  def.axes = large;
  write_circuit(path, ".measure tran r max v(b)\n");
  refused_sweep(context, &def, NSDS_ERROR_ARGUMENT,
                "the measure r has the name of axis \"R=1:2:2\"");
  write_circuit(path, ".measure tran ERROR max v(b)\n");
  refused_sweep(context, &def, NSDS_ERROR_ARGUMENT, "has the name of the column \"error\"");
  FILE *file = fopen(model, "w");
  assert_non_null(file);
  fprintf(file,
          "nsds: 1\nparameters: {r: 1}\nsystems: {a: {type: lagrangian_linear, mass: r, v0: 1}}\n"
          "simulation: {type: time_stepping, t1: 1, h: 0.5}\n"
          "measures: {R: {kind: final, of: a.q1}, point: {kind: final, of: a.v1}}\n");
  fclose(file);
  sweep = nsds_sweep_create(context, &(nsds_sweep_def){.file = model, .naxes = 1, .axes = one});
  if (!sweep) /* names of model files have case; a build without libyaml reads none */
    assert_non_null(strstr(nsds_error_message(context), "libyaml"));
  nsds_sweep_destroy(sweep);
  nsds_context_destroy(context);
  remove(path);
  remove(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(reserved_words),
                                     cmocka_unit_test(ranges),
                                     cmocka_unit_test(definitions),
                                     cmocka_unit_test(calls_with_null),
                                     cmocka_unit_test(null_is_named),
                                     cmocka_unit_test(sweeps),
                                     cmocka_unit_test(sweeps_with_names_twice)};
  return cmocka_run_group_tests_name("run.api", tests, NULL, NULL);
}
