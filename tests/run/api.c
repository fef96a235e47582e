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

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(reserved_words),
                                     cmocka_unit_test(definitions),
                                     cmocka_unit_test(calls_with_null)};
  return cmocka_run_group_tests_name("run.api", tests, NULL, NULL);
}
