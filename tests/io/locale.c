/*
 * A program that has set a locale with a comma reads and writes the same files, and messages have a
 * point. NSDS_TEST_LOCALE
 * names such a locale; without one the test is skipped.
 */
#include "support.h"

#include <limits.h>
#include <locale.h>
#include <math.h>
#include <stdarg.h>
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
  assert_int_equal(nsds_problem_write(context, problem, NULL, "locale.dat", 0), NSDS_OK);
  assert_null(read_string(context, "1 0 1 1 1 1 1,5 -1", NSDS_FORMAT_LCP));
  assert_int_equal(nsds_error(context), NSDS_ERROR_FORMAT);
  nsds_error_clear(context);
  setlocale(LC_ALL, "C");
  nsds_problem_file *again = nsds_problem_read(context, "locale.dat", NSDS_FORMAT_AUTO);
  assert_non_null(again);
  assert_same_problem(problem, nsds_problem_file_problem(again));
  nsds_problem_file_destroy(again);
  nsds_problem_file_destroy(file);
  nsds_context_destroy(context);
  remove("locale.dat");
}

static void keep(nsds_log_level level, const char *message, void *user) {
  (void)level;
  snprintf(user, 256, "%s", message);
}

/* Numbers have a point in messages too, and commas stay what they are. */
static void messages_have_no_decimal_comma(void **unused) {
  (void)unused;
  need_comma();
  char logged[256] = "";
  nsds_context *context = nsds_context_create(&(nsds_context_def){.log = keep, .log_user = logged});
  const double M[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, q[3] = {0};
  const nsds_block block = {.set = NSDS_SET_COULOMB, .size = 3, .mu = -0.5};
  const nsds_problem problem = {
      .n = 3, .nblock = 1, .block = &block, .M = {.storage = NSDS_DENSE, .n = 3, .x = M}, .q = q};
  nsds_status status = nsds_problem_check(context, &problem);
  setlocale(LC_ALL, "C");
  assert_true(status < 0);
  if (!strstr(nsds_error_message(context), "-0.5")) fail_msg("%s", nsds_error_message(context));
  assert_string_equal(logged, nsds_error_message(context));
  nsds_context_destroy(context);
}

static void check_format(const char *format, ...) {
  char expected[128], text[128];
  va_list arguments;
  const nsds_locale_point comma = {",", 1};
  for (size_t size = 1; size <= sizeof text; size += 9) {
    va_start(arguments, format);
    vsnprintf(expected, size, format, arguments);
    va_end(arguments);
    va_start(arguments, format);
    nsds_format_with(&comma, text, size, format, arguments);
    va_end(arguments);
    assert_string_equal(text, expected);
  }
}

/* Conversion by conversion a message is what vsnprintf makes of it. */
static void messages_by_conversions(void **unused) {
  (void)unused;
  check_format("plain, of no conversion");
  check_format("(%d, %d), %i%% of %s", -3, INT_MAX, 7, "a, b");
  check_format("%.*s|%.64s|%5d|%-5d|%05d|%c", 2, "abc", "name", 12, 12, 12, 'x');
  check_format("%zu %ld %lld %llu %#x", (size_t)-1, LONG_MIN, LLONG_MIN, 1ull << 63, 255);
  check_format("%g, %.17g, %.3g, %.1f, %e, %.*g, %8.2f", 0.1, 1.0 / 3, 1e300, 2.5, 1e-3, 4, 3.14159,
               -2.5);
  check_format("%g %g %g", INFINITY, NAN, -0.0);
}

/* As it is done for any point, also one of several bytes. */
static void test_exchange(void **unused) {
  (void)unused;
  const nsds_locale_point dot = {".", 1};
  double value;
  char text[nsds_number_size];
  assert_true(nsds_parse_real("-12.5e1", 7, &value));
  assert_true(value == -125.0);
  assert_false(nsds_parse_real("", 0, &value));
  assert_false(nsds_parse_real("1.2.3", 5, &value));
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

/* Drawn numbers of 1 to 25 digits, with and without point and exponent, have the bits of strtod. */
static void test_drawn_numbers_are_read_as_by_strtod(void **unused) {
  enum { numbers = 200000 };
  uint64_t seed = 1;
  (void)unused;
  for (int k = 0; k < numbers; ++k) {
    char text[64];
    size_t used = 0;
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    int digits = 1 + (int)(seed >> 40) % 25, point = (int)(seed >> 50) % 30;
    if (seed >> 63) text[used++] = '-';
    for (int i = 0; i < digits; ++i) {
      if (i == point) text[used++] = '.';
      text[used++] = (char)('0' + (seed >> (i % 13 * 4)) * (uint64_t)(i + 3) % 10);
    }
    if (seed >> 62 & 1) used += (size_t)sprintf(text + used, "e%d", (int)(seed >> 33) % 60 - 30);
    text[used] = '\0';
    double value = NAN, wanted = strtod(text, NULL);
    assert_true(nsds_parse_real(text, used, &value));
    assert_memory_equal(&value, &wanted, sizeof value);
  }
}

/* Numbers halfway between two doubles, and a little beyond, have the bits of strtod too. */
static void test_numbers_between_two_doubles(void **unused) {
  static const char *const behind[] = {
      "",    ".0",  "e0", ".000000000000000000000001", "e27", "e-27",
      "e13", "e-5", "50", "00000000000000000001e-20"};
  enum { numbers = 20000, ends = sizeof behind / sizeof *behind };
  uint64_t seed = 1;
  (void)unused;
  for (int k = 0; k < numbers; ++k) {
    char text[64];
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    uint64_t halfway = seed >> 10 | (uint64_t)1 << 53 | 1; /* 54 bits, the last one set */
    halfway <<= k % 10;
    size_t used = (size_t)sprintf(text, "%llu%s", (unsigned long long)halfway, behind[k % ends]);
    double value = NAN, wanted = strtod(text, NULL);
    assert_true(nsds_parse_real(text, used, &value));
    assert_memory_equal(&value, &wanted, sizeof value);
  }
}

static void test_integers_are_written(void **unused) {
  char text[24];
  (void)unused;
  assert_int_equal(nsds_write_int(text, 0), 1);
  assert_string_equal(text, "0");
  nsds_write_int(text, INT64_MIN);
  assert_string_equal(text, "-9223372036854775808");
  nsds_write_int(text, 120);
  assert_string_equal(text, "120");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_comma),
                                     cmocka_unit_test(test_exchange),
                                     cmocka_unit_test(test_drawn_numbers_are_read_as_by_strtod),
                                     cmocka_unit_test(test_numbers_between_two_doubles),
                                     cmocka_unit_test(test_integers_are_written),
                                     cmocka_unit_test(messages_by_conversions),
                                     cmocka_unit_test(messages_have_no_decimal_comma)};
  return cmocka_run_group_tests_name("io.locale", tests, NULL, NULL);
}
