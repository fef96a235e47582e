/*
 * A program that has set a locale with a comma reads and writes the same files. NSDS_TEST_LOCALE
 * names such a locale; without one the test is skipped.
 */
#include "support.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>

static void need_comma(void) {
  const char *name = getenv("NSDS_TEST_LOCALE");
  char text[16];
  if (name && setlocale(LC_ALL, name) && snprintf(text, sizeof text, "%.1f", 0.5) && text[1] == ',')
    return;
  printf("skipped: no locale with a comma\n");
  fflush(stdout);
  skip();
}

static void test_comma(void **unused) {
  (void)unused;
  need_comma();
  nsds_context *context = nsds_context_create(NULL);
  nsds_problem_file *file = must_read(context, "2 0 2 2 2 2 1.5 .25 -1e-3 4 -1.125 2.", 0);
  const nsds_problem *problem = nsds_problem_file_problem(file);
  assert_same_reals(problem->M.x, (double[]){1.5, 0.25, -1e-3, 4}, 4);
  assert_same_reals(problem->q, (double[]){-1.125, 2.0}, 2);
  assert_int_equal(nsds_problem_write(context, problem, "locale.dat", 0), NSDS_OK);
  assert_null(read_string(context, "1 0 1 1 1 1 1,5 -1", NSDS_FORMAT_LCP));
  assert_int_equal(nsds_error(context), NSDS_ERROR_FORMAT);
  nsds_error_clear(context);
  setlocale(LC_ALL, "C");
  nsds_problem_file *again = nsds_problem_read(context, "locale.dat");
  assert_non_null(again);
  assert_same_problem(problem, nsds_problem_file_problem(again));
  nsds_problem_file_destroy(again);
  nsds_problem_file_destroy(file);
  nsds_context_destroy(context);
  remove("locale.dat");
}

/* As it is done for any point, also one of several bytes. */
static void test_exchange(void **unused) {
  (void)unused;
  const nsds_locale_point dot = {".", 1};
  double value;
  char text[nsds_number_size];
  assert_true(nsds_parse_real(&dot, "-12.5e1", 7, &value));
  assert_true(value == -125.0);
  assert_false(nsds_parse_real(&dot, "", 0, &value));
  assert_false(nsds_parse_real(&dot, "1.2.3", 5, &value));
  nsds_format_real(&dot, 0.1, text);
  assert_string_equal(text, "0.1");
  nsds_format_real(&dot, 1.0 / 3.0, text);
  assert_string_equal(text, "0.3333333333333333");
  nsds_format_real(&dot, -0.0, text);
  assert_string_equal(text, "-0");
  const nsds_locale_point now = nsds_locale_point_now();
  assert_int_equal(now.size, 1);
  assert_string_equal(now.text, ".");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_comma), cmocka_unit_test(test_exchange)};
  return cmocka_run_group_tests_name("io.locale", tests, NULL, NULL);
}
