/*
 * Large circuits: a ladder of 1,000 diodes has the voltages of one of 100 as long as the wave has not come to its end,
 * and a step of it costs in proportion; an arm of a modular multilevel converter has the voltage of its inserted cells.
 */
#define _POSIX_C_SOURCE 200809L
#include "run_test.h"

#include <time.h>

static double seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static char *ladder(int n) {
  size_t size = 0, room = 300 + (size_t)n * 90;
  char *text = malloc(room);
  assert_non_null(text);
  size += (size_t)sprintf(
      text, "Ladder\nV1 n0 0 SIN(0 10 1k)\n.model DI D(ideal=1 ron=0.1)\n.options events=0\n"
            ".tran 10u 0.9m 0 2u uic\n.print tran v(n1) v(n20) v(n60)\n");
  for (int k = 0; k < n; ++k)
    size += (size_t)sprintf(text + size, "L%d n%d n%d 100u\nC%d n%d 0 1u\nD%d 0 n%d DI\n", k, k,
                            k + 1, k, k + 1, k, k + 1);
  return text;
}

static void ladder_of_1000(void **state) {
  (void)state;
  nsds_context *context = nsds_context_create(NULL);
  char *small = ladder(100), *large = ladder(1000);
  nsds_job *a = job_of(context, small), *b = job_of(context, large);
  double time_a = 0.0, time_b = 0.0;
  nsds_status status = NSDS_OK;
  while (status == NSDS_OK) {
    double t0 = seconds();
    status = nsds_job_step(a);
    double t1 = seconds();
    assert_int_equal(nsds_job_step(b), status);
    time_a += t1 - t0;
    time_b += seconds() - t1;
    for (int k = 1; k < 4; ++k)
      assert_close(nsds_job_column_name(a, k), nsds_job_row(b)[k], nsds_job_row(a)[k], 1e-3);
  }
  assert_int_equal(status, NSDS_END);
  print_message("a step of 1000 diodes costs %.1f times that of 100\n", time_b / time_a);
  assert_true(time_b < 25.0 * time_a); /* 12 on an idle machine */
  nsds_job_destroy(a);
  nsds_job_destroy(b);
  free(small);
  free(large);
  nsds_context_destroy(context);
}

/* n half bridges in series, half of them inserted at any time, each with 5 mF at 100 V. */
static void converter_arm(void **state) {
  (void)state;
  enum { n = 100 };
  size_t size = 0;
  char *text = malloc(300 + (size_t)n * 250);
  assert_non_null(text);
  size += (size_t)sprintf(
      text,
      "Arm\nVD p 0 6000\nL0 p c0 1m\nR0 c%d 0 1k\n.model TR TRANSISTOR(vt=0.5)\n"
      ".tran 10u 1m uic\n.print tran v(c0,c%d) i(L0)\n.measure tran mean mean v(c0,c%d)\n"
      ".measure tran current mean i(L0)\n",
      n, n, n);
  for (int k = 0; k < n; ++k) {
    double delay = 1e-3 * k / n; /* cells before it in the period begin inserted */
    size += (size_t)sprintf(text + size, "S%da t%d c%d TR PULSE(%d %d %.9g 0 0 0.5m)\n", k, k, k,
                            2 * k < n, 2 * k >= n, 2 * k < n ? delay : delay - 0.5e-3);
    size += (size_t)sprintf(
        text + size, "S%db c%d c%d TR PULSE(%d %d %.9g 0 0 0.5m)\nC%d t%d c%d 5m IC=100\n", k, k,
        k + 1, 2 * k >= n, 2 * k < n, 2 * k < n ? delay : delay - 0.5e-3, k, k, k + 1);
  }
  nsds_context *context = nsds_context_create(NULL);
  nsds_job *job = job_of(context, text);
  job_to_the_end(context, job);
  assert_close("mean", measure_of(job, "mean"), 5000.0, 60.0); /* a cell more or less at times */
  assert_close("current", measure_of(job, "current"), 1.0, 0.06);
  nsds_job_destroy(job);
  nsds_context_destroy(context);
  free(text);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(ladder_of_1000),
                                     cmocka_unit_test(converter_arm)};
  return cmocka_run_group_tests_name("run.large", tests, NULL, NULL);
}
