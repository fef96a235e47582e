/* Circuits of power electronics that once failed, each with what it has to give. */
#include "run_test.h"

#define IDEAL ".model DI D(ideal=1)\n.model SI SW(ideal=1 vt=0.5)\n"

static double measured(const char *text, const char *name) {
  nsds_context *context = nsds_context_create(NULL);
  nsds_job *job = job_of(context, text);
  job_to_the_end(context, job);
  double x = measure_of(job, name);
  nsds_job_destroy(job);
  nsds_context_destroy(context);
  return x;
}

/* A boost converter from rest: the pulse rises at t = 0, and at rest the switch is open, so that the inductor is no
 * short across the input. The output is V / (1 - d). */
static void rest_is_before_a_pulse_that_rises_at_once(void **state) {
  (void)state;
  const char *text = "Boost\nV1 in 0 12\nL1 in sw 100u\nS1 sw 0 SI PULSE(0 1 0 0 0 5u 10u)\n"
                     "D1 sw o DI\nC1 o 0 47u\nR1 o 0 20\n" IDEAL ".tran 0.2u 20m\n"
                     ".measure tran mean mean v(o) from=19m to=20m\n.measure tran most max i(L1)\n";
  assert_close("mean output", measured(text, "mean"), 24.0, 0.1);
  assert_true(measured(text, "most") < 20.0);
}

/* A switch joins C1 at 10 V with C2 at 0 V in no time: the charge C1 C2 / (C1 + C2) 10 V passes, and the switch takes
 * half of it times 10 V. */
static void impulses_count_in_integrals(void **state) {
  (void)state;
  const char *text = "Two capacitors\nC1 a 0 3u IC=10\nC2 b 0 1u IC=0\nR1 a 0 1G\nR2 b 0 1G\n"
                     "S1 a b SI PULSE(0 1 1m 0 0 1 2)\n" IDEAL ".tran 20u 2m uic\n"
                     ".measure tran charge integ i(S1)\n.measure tran back integ i(C1)\n"
                     ".measure tran lost integ p(S1)\n.measure tran stored integ p(C2)\n";
  assert_close("charge", measured(text, "charge"), 7.5e-6, 2e-8);
  assert_close("charge of C1", measured(text, "back"), -7.5e-6, 2e-8);
  assert_close("lost energy", measured(text, "lost"), 37.5e-6, 1e-7);
  assert_close("stored energy", measured(text, "stored"), 0.5 * 1e-6 * 7.5 * 7.5, 1e-7);
}

/* At a jump of a current source its column belongs to the voltages beside it: currents add up to zero in each row. */
static void current_sources_add_up_at_jumps(void **state) {
  (void)state;
  const char *text = "Jumps\nI1 a 0 PULSE(0 1 0 0 0 1m 2m)\nR1 a 0 10\nC1 a 0 1u\n"
                     ".tran 0.1m 10m\n.print tran i(I1) i(R1) i(C1)\n";
  nsds_context *context = nsds_context_create(NULL);
  nsds_job *job = job_of(context, text);
  do {
    const double *row = nsds_job_row(job);
    assert_close("sum of currents", row[1] + row[2] + row[3], 0.0, 1e-6);
  } while (nsds_job_step(job) == NSDS_OK);
  nsds_job_destroy(job);
  nsds_context_destroy(context);
}

/* One leg of a Vienna rectifier. */
#define LEG(k, phase)                                                                              \
  "L" k " " phase " q" k " 2m\nDp" k " q" k " p DI\nDn" k " n q" k " DI\nDa" k " q" k " u" k       \
  " DI\n"                                                                                          \
  "Db" k " w" k " q" k " DI\nDc" k " m u" k " DI\nDd" k " w" k " m DI\n"                           \
  "S" k " u" k " w" k " SI PULSE(0 1 " k "0u 0 0 40u 100u)\n"

/* Events of a Vienna rectifier were looked for without progress; halving the longest step gives the same means. */
static void events_are_found_behind_jumps(void **state) {
  (void)state;
  const char *head =
      "Vienna rectifier\nVa a 0 SIN(0 100 50)\nVb b 0 SIN(0 100 50 0 0 -120)\n"
      "Vc c 0 SIN(0 100 50 0 0 120)\n" LEG("1", "a") LEG("2", "b")
          LEG("3", "c") "C1 p m 100u IC=120\nC2 m n 100u IC=120\nR1 p n 100\nRm m 0 100k\n" IDEAL
                        ".measure tran mean mean v(p,n) from=10m to=30m\n";
  char text[2000];
  snprintf(text, sizeof text, "%s.tran 5u 30m\n", head);
  double coarse = measured(text, "mean");
  snprintf(text, sizeof text, "%s.tran 2.5u 30m\n", head);
  assert_close("mean", coarse, measured(text, "mean"), 1e-3 * coarse);
}

/* A switch whose closing takes its control away has no state; the run stops and names it. */
static void endless_switching_is_told(void **state) {
  (void)state;
  const char *text = "Buzzer\nV1 in 0 5\nR1 in a 1k\nS1 a 0 a 0 SH\nRg a 0 100k\n"
                     ".model SH SW(ideal=1 vt=1 vh=0.5)\n.tran 20u 100m\n";
  nsds_context *context = nsds_context_create(NULL);
  nsds_job *job = nsds_job_create(
      context, &(nsds_job_def){.file = "test.cir", .text = text, .kind = NSDS_JOB_CIRCUIT});
  nsds_status status = NSDS_OK;
  while (job && status == NSDS_OK) status = nsds_job_step(job);
  assert_true(!job || status == NSDS_ERROR_VALUE);
  assert_non_null(strstr(nsds_error_message(context), "switch s1 opens and closes without end"));
  assert_ptr_equal(strstr(nsds_error_message(context), "test.cir:4:1: t = "),
                   nsds_error_message(context));
  nsds_job_destroy(job);
  nsds_context_destroy(context);
}

/* Runs until the end or a failure, and expects these words in the message; NULL: no failure. */
static void ends_with(const char *text, const char *words) {
  nsds_context *context = nsds_context_create(NULL);
  nsds_job *job = nsds_job_create(
      context, &(nsds_job_def){.file = "test.cir", .text = text, .kind = NSDS_JOB_CIRCUIT});
  nsds_status status = NSDS_OK;
  while (job && status == NSDS_OK) status = nsds_job_step(job);
  const char *message = nsds_error_message(context);
  if (words ? nsds_error(context) != NSDS_ERROR_VALUE || !strstr(message, words)
            : nsds_error(context) != NSDS_OK)
    fail_msg("expected \"%s\": %s", words ? words : "no failure", message);
  nsds_job_destroy(job);
  nsds_context_destroy(context);
}

/* Closed switches that short a source are found when it happens. Switches that lie beside each other are no short. */
static void shorts_are_found(void **state) {
  (void)state;
  ends_with("At an instant\nV1 a 0 10\nS1 a b SWI PULSE(0 1 5u)\nS2 b 0 SWI PULSE(0 1 7u)\n"
            "R1 b 0 1k\n.model SWI SW(ideal=1 vt=0.5)\n.tran 1u 20u\n",
            "t = 7e-06 s: s2, s1, v1 short a source, in a loop through nodes b, 0, a: the current "
            "of 5e+06 A");
  ends_with("From the start\nV1 a 0 10\nVg g 0 1\nS1 a 0 g 0 SWI\nR1 a 0 1k\n"
            ".model SWI SW(ideal=1 vt=0.5)\n.tran 1u 20u\n",
            "s1, v1 short a source");
  ends_with("Two at once\nV1 a 0 10\nS1 a 0 SWI PULSE(0 1 5u)\nS2 a 0 SWI PULSE(0 1 5u)\n"
            "R1 a 0 1k\n.model SWI SW(ideal=1 vt=0.5)\n.tran 1u 20u\n",
            "t = 5e-06 s: ");
  static const char *const leg[] = {
      "Leg\nV1 a 0 10\nS1 a m TR PULSE(0 1 0 0 0 5u 10u)\nS2 m 0 TR PULSE(0 1 4u 0 0 5u 10u)\n"
      "L1 m 0 1m\n.model TR TRANSISTOR(vt=0.5)\n.tran 1u 20u uic\n",
      "Leg\nV1 a 0 10\nS1 a m TR PULSE(0 1 0 0 0 4u 10u)\nS2 m 0 TR PULSE(0 1 5u 0 0 4u 10u)\n"
      "L1 m 0 1m\n.model TR TRANSISTOR(vt=0.5)\n.tran 1u 20u uic\n"};
  ends_with(leg[0], "t = 4e-06 s: s2, s1, v1 short a source, in a loop through nodes m, 0, a");
  ends_with(leg[1], NULL);
  ends_with("Diode\nV1 a 0 SIN(0 10 50)\nS1 a b SWI PULSE(0 1 3m)\nD1 b 0 DI\nR1 b 0 1k\n"
            ".model SWI SW(ideal=1 vt=0.5)\n.model DI D(ideal=1)\n.tran 0.1m 20m\n",
            "t = 0.003 s: d1, s1, v1 short a source");
  ends_with("Beside\nV1 a 0 10\nS1 a b SWI PULSE(0 1 5u)\nS2 a b SWI PULSE(0 1 7u)\n"
            "R1 b 0 10u\n.model SWI SW(ideal=1 vt=0.5)\n.tran 1u 20u\n",
            NULL);
}

/* A capacitor that a switch joins to a source draws a jump of charge and no lasting current. */
static void a_jump_of_charge_is_no_short(void **state) {
  (void)state;
  ends_with("Jump\nV1 a 0 10\nS1 a b SWI PULSE(0 1 5u)\nC1 b 0 1m IC=0\nR1 b 0 1k\n"
            ".model SWI SW(ideal=1 vt=0.5)\n.tran 1u 20u uic\n",
            NULL);
}

/* What jumps at the start is before the run, however short its steps are: no charge flows in it. */
static void jumps_at_the_start_are_before_the_run(void **state) {
  (void)state;
  static const char *const longest[] = {"2u", "0.2u", "20n"};
  for (int k = 0; k < 3; ++k) {
    char text[300];
    snprintf(text, sizeof text,
             "Start\nV1 a 0 10\nD1 a b DI\nC1 b 0 20u IC=0\n.model DI D(ideal=1)\n"
             ".tran 1u 20u 0 %s uic\n.measure tran q integ i(C1)\n",
             longest[k]);
    assert_close(longest[k], measured(text, "q"), 0.0, 1e-9); /* of the 200 uC that jump */
  }
}

/* A switch that takes an inductor's current its way is warned about, once; with a diode there is no warning. */
/* Coils that are coupled without leakage: the second coil takes the flux over, and no current is lost. With leakage the
 * part 1 - K^2 of the flux has no way. */
static void a_flux_that_goes_over_is_not_lost(void **state) {
  (void)state;
  for (int n = 1; n <= 8; ++n)
    for (int leaky = 0; leaky < 2; ++leaky) {
      char text[600];
      snprintf(text, sizeof text,
               "Flyback\nVin in 0 48\nLp in sw 200u\nLs 0 s %.17g\nK1 Lp Ls %g\n"
               "S1 sw 0 SW PULSE(0 1 0 0 0 4u 10u)\nD1 s out DI\nC1 out 0 470u IC=%.17g\n"
               "R1 out 0 1\n.model SW SW(ideal=1 vt=0.5)\n.model DI D(ideal=1)\n"
               ".tran 1u 100u uic\n",
               200e-6 / (n * n), leaky ? 0.98 : 1.0, 32.0 / n);
      nsds_context *context = nsds_context_create(NULL);
      nsds_job *job = job_of(context, text);
      job_to_the_end(context, job);
      assert_int_equal(nsds_job_warning_count(job), leaky);
      if (leaky) assert_non_null(strstr(nsds_job_warning(job, 0), "lp: its current jumps from"));
      nsds_job_destroy(job);
      nsds_context_destroy(context);
    }
}

static void lost_currents_are_told(void **state) {
  (void)state;
  for (int diode = 0; diode < 2; ++diode) {
    char text[400];
    snprintf(text, sizeof text,
             "Lost\nV1 a 0 10\nS1 a b SWI PULSE(0 1 0 0 0 5u 10u)\nL1 b c 100u\nR1 c 0 1\n"
             "%s.model SWI SW(ideal=1 vt=0.5)\n.model DI D(ideal=1)\n.tran 1u 50u uic\n",
             diode ? "D1 0 b DI\n" : "");
    nsds_context *context = nsds_context_create(NULL);
    nsds_job *job = job_of(context, text);
    job_to_the_end(context, job);
    assert_int_equal(nsds_job_warning_count(job), 1 - diode);
    if (!diode && (!strstr(nsds_job_warning(job, 0), "test.cir:4:1: l1: its current jumps from ") ||
                   !strstr(nsds_job_warning(job, 0), " at t = 5")))
      fail_msg("%s", nsds_job_warning(job, 0));
    nsds_job_destroy(job);
    nsds_context_destroy(context);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rest_is_before_a_pulse_that_rises_at_once),
      cmocka_unit_test(impulses_count_in_integrals),
      cmocka_unit_test(current_sources_add_up_at_jumps),
      cmocka_unit_test(events_are_found_behind_jumps),
      cmocka_unit_test(endless_switching_is_told),
      cmocka_unit_test(shorts_are_found),
      cmocka_unit_test(a_jump_of_charge_is_no_short),
      cmocka_unit_test(lost_currents_are_told),
      cmocka_unit_test(a_flux_that_goes_over_is_not_lost),
      cmocka_unit_test(jumps_at_the_start_are_before_the_run),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
