/*
 * Numbers in messages with a point for any locale; whether many numbers are finite; work in parts and
 * whether threads share it; components of a graph.
 */
#include "cmocka_setup.h"
#include "base/base.h"
#include "base/finite.h"
#include "base/text/format.h"
#include "base/parallel.h"
#include "base/union_find.h"

#include <stdio.h>

/* ---- messages, where the locale puts something else before the fraction ---------------------- */

static void assert_printed(const char *expected, size_t size, const char *format, ...)
    NSDS_PRINTF(3, 4);

/* The conversions are taken one by one, as for a locale whose point is a comma. */
static void assert_printed(const char *expected, size_t size, const char *format, ...) {
  static const nsds_locale_point comma = {.text = ",", .size = 1};
  char text[200];
  va_list arguments;
  va_start(arguments, format);
  nsds_format_with(&comma, text, size, format, arguments);
  va_end(arguments);
  assert_string_equal(text, expected);
}

static void each_conversion(void **unused) {
  (void)unused;
  enum { all = 200 };
  assert_printed("100 % of a, b", all, "%d %% of %s", 100, "a, b");
  assert_printed("x -5 00012 +7 a1 377", all, "%c %i %05u %+d %x %o", 'x', -5, 12u, 7, 0xa1u, 255u);
  assert_printed("-1234567890123 9876543210 12345678901", all, "%lld %ld %zu", -1234567890123LL,
                 9876543210L, (size_t)12345678901u);
  assert_printed("   abc|ab  |   12|12345", all, "%6s|%-*.*s|%*d|%*d", "abc", 4, 2, "abc", 5, 12, 2,
                 12345);
  assert_printed("0.5 1.25e+00 2.500 0x1p+1", all, "%g %.2e %.*f %a", 0.5, 1.25, 3, 2.5, 2.0);
  assert_printed("-0.125, 3", all, "%g, %g", -0.125, 3.0);
  char expected[40];
  snprintf(expected, sizeof expected, "%p", (void *)expected);
  assert_printed(expected, all, "%p", (void *)expected);
  assert_printed("abc", 4, "%s", "abcdef"); /* cut */
  assert_printed("ab1", 4, "ab%d%d", 12, 3);
}

static void a_point_is_put(void **unused) {
  (void)unused;
  static const struct {
    nsds_locale_point point;
    const char *given, *expected;
  } cases[] = {
      {{",", 1}, "-3,25e-7", "-3.25e-7"},
      {{",", 1}, "12", "12"},
      {{".", 1}, "1,5", "1,5"},
      {{"\xd9\xab", 2},
       "7\xd9\xab"
       "5",
       "7.5"}, /* the Arabic one, of two bytes */
  };
  for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
    char number[32];
    snprintf(number, sizeof number, "%s", cases[k].given);
    nsds_put_dot(&cases[k].point, number);
    assert_string_equal(number, cases[k].expected);
  }
  nsds_locale_point now = nsds_locale_point_now(); /* no locale has been set here */
  assert_true(nsds_is_dot(&now));
}

static void a_format_that_ends_early(void **unused) {
  (void)unused;
  const char *volatile format = "share: 5 %"; /* not seen by the compiler */
  assert_printed("share: 5 %", 40, format, 0);
}

/* ---- finite ---------------------------------------------------------------------------------- */

static void one_number_that_is_not_finite(void **unused) {
  (void)unused;
  static const double wrong[] = {NAN, INFINITY, -INFINITY};
  double x[50], y[50];
  for (int n = 0; n <= 50; ++n) {
    for (int i = 0; i < 50; ++i) x[i] = y[i] = i % 2 ? 1e308 : -1e-308;
    assert_int_equal(nsds_first_nonfinite(x, n), -1);
    assert_true(nsds_zero_if_pairs_finite(x, y, n) == 0.0);
    for (int i = 0; i < n; ++i) {
      double kept = x[i];
      x[i] = wrong[i % 3];
      assert_int_equal(nsds_first_nonfinite(x, n), i);
      assert_true(isnan(nsds_zero_if_pairs_finite(x, y, n)));
      assert_true(isnan(nsds_zero_if_pairs_finite(y, x, n)));
      assert_true(nsds_zero_if_finite(x, i) == 0.0);
      nsds_make_finite(x, n);
      assert_true(x[i] == 0.0);
      x[i] = kept;
      nsds_make_finite(x, n);
      assert_memory_equal(x, y, sizeof x);
    }
  }
}

/* ---- parts ----------------------------------------------------------------------------------- */

typedef struct tally {
  int count[nsds_most_parts], of[nsds_most_parts];
} tally;

static void note(void *self, int part, int parts) {
  tally *t = self;
  ++t->count[part];
  t->of[part] = parts;
}

static void every_part_is_done_once(void **unused) {
  (void)unused;
  nsds_context *context = nsds_context_create(NULL);
  for (int threads = 1; threads <= 3; ++threads)
    for (int parts = 1; parts <= nsds_most_parts; parts += 7) {
      tally t = {{0}, {0}};
      assert_status(nsds_context_set_threads(context, threads), NSDS_OK);
      nsds_share_out(threads > 1 ? context : NULL, parts, note, &t);
      for (int part = 0; part < nsds_most_parts; ++part) {
        assert_int_equal(t.count[part], part < parts);
        assert_int_equal(t.of[part], part < parts ? parts : 0);
      }
    }
  enum { many = 20000 };
  static double from[many], to[many];
  for (int i = 0; i < many; ++i) from[i] = 1.0 / (i + 1);
  nsds_copy_shared(context, to, from, many);
  assert_memory_equal(to, from, sizeof to);
  nsds_copy_shared(context, to + 1, from, 0);
  assert_memory_equal(to, from, sizeof to);
  nsds_context_destroy(context);
}

static void parts_cover_all(void **unused) {
  (void)unused;
  for (int count = 0; count < 3000; count += 13) {
    int parts = nsds_parts(count, 20);
    assert_true(parts >= 1 && parts <= nsds_most_parts);
    assert_true(parts == 1 || count / parts >= 20);
    assert_int_equal(nsds_part_begin(count, 0, parts), 0);
    assert_int_equal(nsds_part_begin(count, parts, parts), count);
  }
}

/* A piece of work that took 1.2 ms longer than alone ends sharing for 256 pieces; the next time it is
 * for twice as many, up to 65536. */
static void sharing_that_loses_time_pauses(void **unused) {
  (void)unused;
  nsds_team team = {0};
  int pause = 256;
  for (int round = 0; round < 12; ++round) {
    assert_true(nsds_team_shares(&team));
    nsds_team_judge(&team, 5e-4, 1e-4); /* the first one of a team does not count */
    assert_true(nsds_team_shares(&team));
    nsds_team_judge(&team, 1.3e-3, 1e-4);
    int alone = 0;
    while (!nsds_team_shares(&team)) ++alone;
    assert_int_equal(alone, pause - 1);
    pause = pause < 65536 ? 2 * pause : 65536;
  }
  /* as many good pieces as the last pause had, and the pause is short again */
  for (int k = 0; k < 65537; ++k) nsds_team_judge(&team, 1e-4, 2e-4);
  assert_int_equal(team.pause, 0);
  /* what was won before counts for 0.2 ms at most */
  nsds_team_judge(&team, 1.15e-3, 0.0);
  assert_true(nsds_team_shares(&team));
  nsds_team_judge(&team, 1.0e-4, 0.0);
  assert_false(nsds_team_shares(&team));
  /* a first piece that lost as much as a pause is for counts */
  team = (nsds_team){0};
  nsds_team_judge(&team, 2e-3, 0.0);
  assert_false(nsds_team_shares(&team));
}

/* ---- components ------------------------------------------------------------------------------ */

static void components_of_a_graph(void **unused) {
  (void)unused;
  int parent[8];
  for (int k = 0; k < 8; ++k) parent[k] = k;
  assert_true(nsds_unite(parent, 5, 3));
  assert_true(nsds_unite(parent, 7, 5));
  assert_true(nsds_unite(parent, 1, 6));
  assert_true(nsds_unite(parent, 7, 6));
  assert_false(nsds_unite(parent, 3, 1));
  static const int root[8] = {0, 1, 2, 1, 4, 1, 1, 1};
  for (int k = 0; k < 8; ++k) assert_int_equal(nsds_root(parent, k), root[k]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_conversion),
      cmocka_unit_test(a_point_is_put),
      cmocka_unit_test(a_format_that_ends_early),
      cmocka_unit_test(one_number_that_is_not_finite),
      cmocka_unit_test(every_part_is_done_once),
      cmocka_unit_test(parts_cover_all),
      cmocka_unit_test(sharing_that_loses_time_pauses),
      cmocka_unit_test(components_of_a_graph),
  };
  return cmocka_run_group_tests_name("base.numbers", tests, NULL, NULL);
}
