/* Each element and model by itself, against closed forms; starts; names; sections without ground. */
#include "run_test.h"

static nsds_job *ran_all(nsds_context **context, const char *text) {
  *context = nsds_context_create(NULL);
  nsds_job *job = job_of(*context, text);
  job_to_the_end(*context, job);
  return job;
}

static void end_of(nsds_context *context, nsds_job *job) {
  nsds_job_destroy(job);
  nsds_context_destroy(context);
}

/* A value of the last row. */
static double last_of(const nsds_job *job, const char *name) {
  for (int k = 0; k < nsds_job_column_count(job); ++k)
    if (strcmp(nsds_job_column_name(job, k), name) == 0) return nsds_job_row(job)[k];
  fail_msg("there is no column %s", name);
  return NAN;
}

static const double pi_value = 3.14159265358979323846;

/* Currents count from n+ through the element to n-, as in SPICE; a charging capacitor; controlled sources. */
static void linear_elements(void **state) {
  (void)state;
  nsds_context *context;
  nsds_job *job =
      ran_all(&context,
              "Linear\nV1 a 0 10\nR1 a b 1k\nC1 b 0 1u\nE1 e 0 b 0 -2\nRe e 0 1k\n"
              "G1 0 g b 0 1m\nRg g 0 2k\nF1 0 f V1 3\nRf f 0 1k\nH1 h 0 V1 500\nRh h 0 1k\n"
              "Rw a w 0\nRx w 0 5k\n.tran 10u 1m 0 uic\n"
              ".print v(b) i(R1) i(V1) i(C1) v(e) v(g) v(f) v(h) i(Rw) p(V1) i(E1) i(G1) i(F1)\n");
  double b = 10.0 * (1.0 - exp(-1.0)), i = (10.0 - b) / 1e3, total = i + 10.0 / 5e3;
  assert_close("v(b)", last_of(job, "v(b)"), b, 1e-3);
  assert_close("i(r1)", last_of(job, "i(r1)"), i, 1e-6);
  assert_close("i(c1)", last_of(job, "i(c1)"), i, 1e-6);
  assert_close("i(v1)", last_of(job, "i(v1)"), -total, 1e-6);
  assert_close("v(e)", last_of(job, "v(e)"), -2.0 * b, 2e-3);
  assert_close("v(g)", last_of(job, "v(g)"), 2.0 * b, 2e-3);
  assert_close("v(f)", last_of(job, "v(f)"), -3.0 * total * 1e3, 3e-3);
  assert_close("v(h)", last_of(job, "v(h)"), -500.0 * total, 1e-3);
  assert_close("i(rw)", last_of(job, "i(rw)"), 2e-3, 1e-9);
  assert_close("p(v1)", last_of(job, "p(v1)"), -10.0 * total, 1e-5);
  assert_close("i(e1)", last_of(job, "i(e1)"), 2.0 * b / 1e3, 2e-6);
  assert_close("i(g1)", last_of(job, "i(g1)"), b * 1e-3, 2e-6);
  assert_close("i(f1)", last_of(job, "i(f1)"), -3.0 * total, 3e-6);
  end_of(context, job);
}

/* An oscillator L, C keeps its amplitude and its period. */
static void oscillator(void **state) {
  (void)state;
  nsds_context *context;
  nsds_job *job = ran_all(
      &context, "Oscillator\nL1 a 0 1m IC=0\nC1 a 0 1u IC=5\n.options tol=1e-6\n"
                ".tran 1u 20m 0 1u uic\n.measure tran T period v(a)\n"
                ".measure tran top max v(a) from=19m to=20m\n.measure tran imax max i(L1)\n");
  double w = 1.0 / sqrt(1e-3 * 1e-6);
  assert_close("T", measure_of(job, "t"), 2.0 * pi_value / w, 1e-3 * 2.0 * pi_value / w);
  assert_close("top", measure_of(job, "top"), 5.0, 0.02);
  assert_close("imax", measure_of(job, "imax"), 5.0 * sqrt(1e-6 / 1e-3), 1e-3);
  end_of(context, job);
}

/* Coupled inductors with k = 1 are a transformer: v2 = v1 sqrt(L2 / L1); so is T. */
static void transformers(void **state) {
  (void)state;
  nsds_context *context;
  nsds_job *job = ran_all(
      &context,
      "Transformers\nV1 a 0 SIN(0 10 1k)\nR0 a p 1m\nL1 p 0 10m\nL2 s x 40m\nK1 L1 L2 1\nR2 s x "
      "100\n"
      "T1 a 0 t y N=0.5\nR3 t y 100\n.tran 1u 2m 0 uic\n"
      ".measure tran v2 max v(s,x) from=1m to=2m\n.measure tran v3 max v(t,y) from=1m to=2m\n"
      ".measure tran i3 max i(T1) from=1m to=2m\n");
  assert_close("v2", measure_of(job, "v2"), 20.0, 0.05);
  assert_close("v3", measure_of(job, "v3"), 20.0, 0.02);
  assert_close("i3", measure_of(job, "i3"), 0.4, 1e-3);
  end_of(context, job);
}

/* Phase control: the thyristor fires at 90 degrees, and a resistor ends its current at 180. Mean V / (2 pi). */
static void thyristor(void **state) {
  (void)state;
  nsds_context *context;
  nsds_job *job = ran_all(
      &context,
      "Thyristor\nV1 a 0 SIN(0 100 50)\nS1 a b g 0 TH\nR1 b 0 10\n"
      "V2 g 0 PULSE(0 1 5m 0 0 0.1m 20m)\nS2 a c TH PULSE(0 1 5m 0 0 0.1m 20m)\nR2 c 0 10\n"
      ".model TH THYRISTOR(vt=0.5)\n.tran 10u 60m\n.measure tran vb mean v(b) from=20m to=60m\n"
      ".measure tran vc mean v(c) from=20m to=60m\n.measure tran low min i(S1)\n");
  assert_close("vb", measure_of(job, "vb"), 100.0 / (2.0 * pi_value), 0.02);
  assert_close("vc", measure_of(job, "vc"), 100.0 / (2.0 * pi_value), 0.02);
  assert_close("low", measure_of(job, "low"), 0.0, 1e-4);
  end_of(context, job);
}

/* A switch with hysteresis discharges a capacitor: it closes at 3 V and opens at 1 V; the period is in closed form. */
static void hysteresis(void **state) {
  (void)state;
  double charge = 1e-3 * log(9.0 / 7.0), r = 1e3 * 10.0 / 1010.0, end = 10.0 * 10.0 / 1010.0;
  double discharge = r * 1e-6 * log((3.0 - end) / (1.0 - end));
  nsds_context *context;
  nsds_job *job = ran_all(
      &context, "Relaxation oscillator\nV1 a 0 10\nR1 a c 1k\nC1 c 0 1u IC=0\nS1 c 0 c 0 SWH\n"
                ".model SWH SW(vt=2 vh=1 ron=10 roff=1g)\n.tran 1u 20m 0 uic\n"
                ".measure tran T period v(c) level=2 from=2m to=20m\n.measure tran top max v(c) "
                "from=2m to=20m\n"
                ".measure tran low min v(c) from=2m to=20m\n");
  assert_close("T", measure_of(job, "t"), charge + discharge, 2e-3 * (charge + discharge));
  assert_close("top", measure_of(job, "top"), 3.0, 2e-3);
  assert_close("low", measure_of(job, "low"), 1.0, 2e-3);
  end_of(context, job);
}

/* A switch that a current controls opens and closes with the current of a source. */
/* Draws of this file. */
static double drawn(unsigned *seed, double from, double to) {
  *seed = *seed * 1664525u + 1013904223u;
  return from + (to - from) * (double)(*seed >> 8) / 16777216.0;
}

/* Within its hysteresis a switch begins as ON or OFF says, beyond it as its control says; at an operating point and with
 * uic, by voltage and by current, by ideal and by resistive models. */
static void switches_begin_as_on_says(void **state) {
  (void)state;
  unsigned seed = 1;
  for (int k = 0; k < 300; ++k) {
    double vt = drawn(&seed, -1.0, 1.0), vh = drawn(&seed, 0.05, 0.5), at = drawn(&seed, -2.0, 2.0);
    if (fabs(fabs(at) - 1.0) < 0.05) continue;
    bool on = drawn(&seed, 0.0, 1.0) < 0.5, by_current = k % 2, ideal = k / 2 % 2, uic = k / 4 % 2;
    char text[600];
    snprintf(text, sizeof text,
             "Positions\nV1 c 0 %.17g\nR2 c d 1\nV3 d 0 0\nV2 s 0 1\nR1 s a 1k\n%s %s\n"
             ".model M %s(%s=%.17g %s=%.17g %s)\n.tran 1u 20u%s\n.measure tran va max v(a)\n"
             ".measure tran last min v(a)\n",
             vt + at * vh, by_current ? "W1 a 0 V3 M" : "S1 a 0 c 0 M", on ? "ON" : "OFF",
             by_current ? "CSW" : "SW", by_current ? "it" : "vt", vt, by_current ? "ih" : "vh", vh,
             ideal ? "ideal=1" : "ron=1 roff=1e9", uic ? " uic" : "");
    nsds_context *context = nsds_context_create(NULL);
    nsds_job *job = job_of(context, text);
    job_to_the_end(context, job);
    bool closed = fabs(at) < 1.0 ? on : at > 0.0;
    double expected = !closed ? 1.0 : ideal ? 0.0 : 1.0 / 1001.0;
    assert_close(text, measure_of(job, "va"), expected, 2e-6);
    assert_close(text, measure_of(job, "last"), expected, 2e-6);
    end_of(context, job);
  }
}

static void current_switch(void **state) {
  (void)state;
  nsds_context *context;
  nsds_job *job = ran_all(
      &context, "Current switch\nV1 a 0 SIN(0 10 50)\nR1 a 0 1\nV2 b 0 5\nW1 b c V1 WS\nR2 c 0 1k\n"
                ".model WS CSW(it=5 ih=0 ron=1m roff=1g)\n.tran 0.1m 40m\n"
                ".measure tran vc mean v(c) from=20m to=40m\n");
  /* i(V1) = -10 sin: above 5 for a third of the period */
  assert_close("vc", measure_of(job, "vc"), 5.0 / 3.0, 0.01);
  end_of(context, job);
}

/* Junctions: i = is (exp(v / (n Vt)) - 1) with a series resistance, and a breakdown. */
static void junction(void **state) {
  (void)state;
  nsds_context *context;
  nsds_job *job = ran_all(
      &context, "Junction\nV1 a 0 PWL(0 -8 1m 8)\nR1 a b 100\nD1 b 0 DJ\n"
                ".model DJ D(is=1e-12 n=1.5 rs=2 bv=5)\n.options temp=27 gmin=1e-12\n.tran 10u 1m\n"
                ".print v(b) i(D1)\n.measure tran low min v(b)\n");
  double i = last_of(job, "i(d1)"), v = last_of(job, "v(b)"),
         thermal = 1.5 * 8.617333262e-5 * 300.15;
  assert_close("law", v, thermal * log(i / 1e-12 + 1.0) + 2.0 * i, 1e-4);
  assert_close("loop", 8.0, 100.0 * i + v, 1e-4);
  assert_close("low", measure_of(job, "low"), -5.0 - 2.0 * 3.0 / 102.0, 1e-2);
  end_of(context, job);
}

/* The smaller the emission coefficient, the nearer is a junction to the ideal diode. */
static void junction_becomes_ideal(void **state) {
  (void)state;
  double mean[4];
  static const char *const model[] = {"ideal=1", "is=1e-12 n=1", "is=1e-12 n=0.3",
                                      "is=1e-12 n=0.1"};
  for (int k = 0; k < 4; ++k) {
    char text[600];
    snprintf(text, sizeof text,
             "Rectifier\nV1 a 0 SIN(0 10 50)\nD1 a b DX\nR1 b 0 100\n.model DX D(%s)\n.tran 0.1m "
             "40m 0 50u\n"
             ".measure tran m mean v(b) from=20m to=40m\n",
             model[k]);
    nsds_context *context;
    nsds_job *job = ran_all(&context, text);
    mean[k] = measure_of(job, "m");
    end_of(context, job);
  }
  assert_close("ideal", mean[0], 10.0 / pi_value, 2e-3);
  assert_close("a third of the difference", (mean[0] - mean[2]) / (mean[0] - mean[1]), 0.3, 0.03);
  assert_close("a tenth of the difference", (mean[0] - mean[3]) / (mean[0] - mean[1]), 0.1, 0.03);
}

/* Charge is kept when a switch joins two capacitors, and when they start in a loop with different voltages. */
static void charge_sharing(void **state) {
  (void)state;
  nsds_context *context;
  nsds_job *job = ran_all(
      &context,
      "Charge\nC1 a 0 1u IC=10\nC2 b 0 3u IC=2\nS1 a b SWI PULSE(0 1 50u)\nR1 a 0 1g\nR2 b 0 1g\n"
      ".model SWI SW(ideal=1 vt=0.5)\n.tran 10u 100u 0 uic\n.print v(a) v(b)\n");
  assert_close("v(a)", last_of(job, "v(a)"), 4.0, 1e-3);
  assert_close("v(b)", last_of(job, "v(b)"), 4.0, 1e-3);
  end_of(context, job);
  job = ran_all(
      &context,
      "Loop\nC1 a 0 1u IC=10\nC2 a 0 3u IC=2\nR1 a 0 1meg\n.tran 10u 100u 0 uic\n.print v(a)\n");
  assert_int_equal(nsds_job_warning_count(job), 1);
  assert_non_null(strstr(nsds_job_warning(job, 0), "c2"));
  assert_close("v(a)", last_of(job, "v(a)"), 4.0, 2e-3);
  end_of(context, job);
}

/* Without uic a run begins at rest; .ic holds a potential there. */
static void starts(void **state) {
  (void)state;
  nsds_context *context = nsds_context_create(NULL);
  nsds_job *job =
      job_of(context, "Rest\nV1 a 0 10\nR1 a b 1k\nR2 b 0 3k\nC1 b 0 1u\nL1 a c 1m\nR3 c 0 2\n"
                      ".tran 10u 1m\n.print v(b) i(L1)\n");
  for (int k = 0; k < 2; ++k) {
    assert_close("v(b)", nsds_job_row(job)[1], 7.5, 1e-6);
    assert_close("i(l1)", nsds_job_row(job)[2], 5.0, 1e-4);
    job_to_the_end(context, job);
  }
  nsds_job_destroy(job);
  job = job_of(context,
               "Held\nV1 a 0 10\nR1 a b 1k\nC1 b 0 1u\n.ic v(b)=4\n.tran 10u 1m\n.print v(b)\n");
  assert_close("v(b)", nsds_job_row(job)[1], 4.0, 1e-3);
  job_to_the_end(context, job);
  assert_close("v(b)", nsds_job_row(job)[1], 10.0 - 6.0 * exp(-1.0), 1e-3);
  end_of(context, job);
}

/* A section that only a transformer feeds has potentials of its own; one between open switches floats in between. */
static void floating_sections(void **state) {
  (void)state;
  nsds_context *context;
  nsds_job *job = ran_all(
      &context,
      "Floating\nV1 p 0 SIN(0 10 50)\nT1 p 0 s1 s2 N=1\nD1 s1 h DI\nD2 s2 h DI\nD3 l s1 DI\n"
      "D4 l s2 DI\nC1 h l 100u\nR1 h l 1k\n.model DI D(ideal=1)\n.tran 0.1m 60m\n"
      ".measure tran top max v(h,l)\n.measure tran low min v(h,l) from=20m to=60m\n");
  assert_close("top", measure_of(job, "top"), 10.0, 0.01);
  assert_close("low", measure_of(job, "low"), 10.0 * exp(-0.0083 / 0.1), 0.15);
  end_of(context, job);
  job = ran_all(&context, "Between\nV1 a 0 10\nS1 a b SWI PULSE(0 1 1)\nS2 b 0 SWI PULSE(0 1 1)\n"
                          ".model SWI SW(ideal=1 vt=0.5)\n.tran 10u 1m\n.print v(b)\n");
  assert_close("v(b)", last_of(job, "v(b)"), 5.0, 1e-3);
  end_of(context, job);
}

/* Names of subcircuits, parameters of instances, nested sections, capitals, continuation, suffixes. */
static void subcircuits(void **state) {
  (void)state;
  nsds_context *context;
  nsds_job *job = ran_all(
      &context, "Subcircuits\n.PARAM Big={2*Small} small=1K\nV1 In 0 6\nX1 in 0 DIVIDER r=1k\n"
                "X2 in 0 divider PARAMS: r={big}\n"
                ".subckt divider a b\n+ params: r=5\n.param half={r/2}\n.subckt part p q k=1\nRp p "
                "q {k*1Ohm}\n.ends\n"
                "X1 a m part k={r}\nX2 m b part k={half}\n.ends divider\n"
                ".tran 1u 10u\n.print v(x1.m) v(x2.m) i(x1.x1.rp) i(X2.x2.Rp)\n");
  assert_close("v(x1.m)", last_of(job, "v(x1.m)"), 2.0, 1e-9);
  assert_close("v(x2.m)", last_of(job, "v(x2.m)"), 2.0, 1e-9);
  assert_close("i", last_of(job, "i(x1.x1.rp)"), 4e-3, 1e-9);
  assert_close("i", last_of(job, "i(x2.x2.rp)"), 2e-3, 1e-9);
  end_of(context, job);
  job = ran_all(
      &context,
      "Suffixes\nI1 0 a 1\nR1 a b 1MEG\nR2 b c 1m\nR3 c d 2.5kOhm\nR4 d 0 10mil\n.tran 1u 10u\n"
      ".print v(a,b) v(b,c) v(c,d) v(d)\n");
  assert_close("meg", last_of(job, "v(a,b)"), 1e6, 1e-3);
  assert_close("milli", last_of(job, "v(b,c)"), 1e-3, 1e-7);
  assert_close("kilo", last_of(job, "v(c,d)"), 2500.0, 1e-6);
  assert_close("mil", last_of(job, "v(d)"), 254e-6, 1e-9);
  end_of(context, job);
}

/* A step without a solution says when and where, and what to do. */
/* An oscillator that is fast beside the longest step takes its events one after the other. It is told as endless when
 * switchings are fewer than 20 settling lengths apart: the length is a ten-thousandth of the longest step. A switching takes
 * up to two lengths. */
static void fast_oscillator(void **state) {
  (void)state;
  static const char text[] = "Fast\nV1 a 0 5\nR1 a c 1k\nC1 c 0 1n IC=0\nS1 c 0 c 0 SWH\n"
                             ".model SWH SW(vt=2.5 vh=0.5 ron=200 roff=1g)\n.tran 1m 15m 0 %s uic\n"
                             ".measure tran T period v(c) level=2.5\n";
  double end = 5.0 * 200.0 / 1200.0, tau = 1e-9 * 1e3 * 200.0 / 1200.0;
  double period = 1e-6 * log(1.5) + tau * log((3.0 - end) / (2.0 - end));
  char words[600];
  snprintf(words, sizeof words, text, "85u"); /* switchings are 31 lengths apart */
  nsds_context *context;
  nsds_job *job = ran_all(&context, words);
  assert_close("T", measure_of(job, "t"), period + 2.0 * 8.5e-9, 2.0 * 8.5e-9);
  end_of(context, job);
  snprintf(words, sizeof words, text, "150u"); /* 18 lengths */
  context = nsds_context_create(NULL);
  job = job_of(context, words);
  nsds_status status = NSDS_OK;
  while (status == NSDS_OK) status = nsds_job_step(job);
  assert_int_equal(status, NSDS_ERROR_VALUE);
  assert_non_null(strstr(nsds_error_message(context), "opens and closes without end"));
  end_of(context, job);
}

/* A diode is a way for a current out of any node, and not to the ground alone: I1 takes 1 A from node a through D1, which
 * holds v(a) at 5 - 0.7. The other way round there is none. */
static void diode_between_nodes(void **state) {
  (void)state;
  nsds_context *context;
  nsds_job *job =
      ran_all(&context, "Taken\nV1 b 0 5\nD1 b a DI\nI1 a 0 1\n.model DI D(ideal=1 vf=0.7)\n"
                        ".tran 1u 10u\n.print v(a) i(V1)\n");
  assert_close("v(a)", last_of(job, "v(a)"), 4.3, 1e-6);
  assert_close("i(v1)", last_of(job, "i(v1)"), -1.0, 1e-6);
  end_of(context, job);
  context = nsds_context_create(NULL);
  assert_null(nsds_job_create(
      context,
      &(nsds_job_def){.text = "Blocked\nV1 b 0 5\nD1 a b DI\nI1 a 0 1\n.model DI D(ideal=1)\n"
                              ".tran 1u 10u\n",
                      .kind = NSDS_JOB_CIRCUIT}));
  assert_non_null(strstr(nsds_error_message(context), "its current has no way into node a"));
  nsds_context_destroy(context);
}

static void no_way_for_a_current(void **state) {
  (void)state;
  nsds_context *context = nsds_context_create(NULL);
  nsds_job *job =
      job_of(context, "No way\nI1 0 a 1\nS1 a 0 SWI PULSE(1 0 10u)\n.model SWI SW(ideal=1 vt=0.5)\n"
                      ".options gmin=0\n.tran 1u 100u\n.print v(a)\n");
  nsds_status status;
  while ((status = nsds_job_step(job)) == NSDS_OK) {
  }
  assert_true(status < 0);
  assert_non_null(strstr(nsds_error_message(context), "t = 1e-05 s"));
  assert_non_null(strstr(nsds_error_message(context), "give a current a way"));
  nsds_error_clear(context);
  end_of(context, job);
}

/* A title that is an element or a directive is warned about. */
static void warnings(void **state) {
  (void)state;
  nsds_context *context;
  nsds_job *job = ran_all(
      &context, "R1 a 0 1k\nV1 a 0 1\nR2 a 0 1\nR3 a b 1\n.tran 1u 10u\n.options reltol=1e-3\n");
  assert_int_equal(nsds_job_warning_count(job), 3);
  assert_non_null(strstr(nsds_job_warning(job, 0), "test.cir:1:1: the first line is the title"));
  assert_non_null(strstr(nsds_job_warning(job, 1), "test.cir:6:10: .options: reltol is not used"));
  assert_non_null(strstr(nsds_job_warning(job, 2), "test.cir:4:1: r3: nothing else is at node b"));
  assert_null(nsds_job_warning(job, 3));
  end_of(context, job);
  job = ran_all(&context, ".param r=1k\nV1 a 0 1\nR1 a 0 1k\n.tran 1u 10u\n");
  assert_int_equal(nsds_job_warning_count(job), 1);
  assert_non_null(strstr(nsds_job_warning(job, 0), "\".param r=1k\" is not read"));
  end_of(context, job);
}

/* With and without located events, and with equal steps, the same circuit has the same mean. */
static void step_options(void **state) {
  (void)state;
  static const char *const option[] = {"tol=1e-4", "events=0", "tol=0", "tol=1e-6 events=1"};
  for (int k = 0; k < 4; ++k) {
    char text[600];
    snprintf(text, sizeof text,
             "Options\nV1 a 0 SIN(0 10 50)\nD1 a b DI\nR1 b 0 100\nC1 b 0 200u\n.model DI "
             "D(ideal=1)\n.options %s\n"
             ".tran 0.1m 60m 0 50u\n.measure tran m mean v(b) from=40m to=60m\n",
             option[k]);
    nsds_context *context;
    nsds_job *job = ran_all(&context, text);
    assert_close(option[k], measure_of(job, "m"), 7.13, 0.06);
    end_of(context, job);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(linear_elements),
                                     cmocka_unit_test(oscillator),
                                     cmocka_unit_test(transformers),
                                     cmocka_unit_test(thyristor),
                                     cmocka_unit_test(hysteresis),
                                     cmocka_unit_test(switches_begin_as_on_says),
                                     cmocka_unit_test(current_switch),
                                     cmocka_unit_test(junction),
                                     cmocka_unit_test(junction_becomes_ideal),
                                     cmocka_unit_test(charge_sharing),
                                     cmocka_unit_test(starts),
                                     cmocka_unit_test(floating_sections),
                                     cmocka_unit_test(subcircuits),
                                     cmocka_unit_test(fast_oscillator),
                                     cmocka_unit_test(diode_between_nodes),
                                     cmocka_unit_test(no_way_for_a_current),
                                     cmocka_unit_test(warnings),
                                     cmocka_unit_test(step_options)};
  return cmocka_run_group_tests_name("run.devices", tests, NULL, NULL);
}
