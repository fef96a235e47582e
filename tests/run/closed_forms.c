/* Circuits whose answers are known in closed form, from netlists. */
#include "run_test.h"

static nsds_job *ran(nsds_context *context, const char *text) {
  nsds_job *job = job_of(context, text);
  job_to_the_end(context, job);
  return job;
}

/* Runs the netlist and compares one measure. */
static void expect_measures(const char *text, int count, const char *const *name,
                            const double *value, const double *tolerance) {
  nsds_context *context = nsds_context_create(NULL);
  nsds_job *job = ran(context, text);
  assert_int_equal(nsds_job_measure_count(job), count);
  for (int k = 0; k < count; ++k)
    assert_close(name[k], measure_of(job, name[k]), value[k], tolerance[k]);
  nsds_job_destroy(job);
  nsds_context_destroy(context);
}
#define EXPECT(text, count, names, values, tolerances)                                             \
  expect_measures(text, count, (const char *const[])names, (const double[])values,                 \
                  (const double[])tolerances)
#define LIST(...)                                                                                  \
  { __VA_ARGS__ }

/*
 * A source V sin(w t) behind a diode and an inductor L into a battery E: current flows from asin(E / V) on, until its
 * integral V (cos a - cos x) - E (x - a) vanishes.
 */
static void half_wave_conduction(void **state) {
  (void)state;
  const double pi = 3.14159265358979323846, V = 10.0, E = 5.0, L = 10e-3, w = 2.0 * pi * 50.0;
  double a = asin(E / V), low = a + 0.1, high = a + 2.0 * pi;
  for (int k = 0; k < 200; ++k) {
    double x = 0.5 * (low + high), i = V * (cos(a) - cos(x)) - E * (x - a);
    if (i > 0.0) low = x;
    else high = x;
  }
  double top = pi - a; /* where the source is at E again the current is largest */
  double peak = (V * (cos(a) - cos(top)) - E * (top - a)) / (w * L);
  double charge = 0.0;
  int parts = 20000;
  for (int k = 0; k < parts; ++k) {
    double x = a + (low - a) * (k + 0.5) / parts;
    charge += (V * (cos(a) - cos(x)) - E * (x - a)) / (w * L) * (low - a) / parts;
  }
  const char *text = "Half-wave rectifier into a battery\n"
                     "V1 in 0 SIN(0 10 50)\nD1 in a DX\nL1 a b 10m\nV2 b 0 5\n"
                     "S1 gate 0 SWI PULSE(0 1 0)\nRg gate 0 1k\n"
                     ".model DX D(ideal=1)\n.model SWI SW(ideal=1 vt=0.5)\n"
                     ".tran 0.1m 60m\n"
                     ".measure tran peak max i(L1) from=20m to=40m\n"
                     ".measure tran mean mean i(L1) from=20m to=40m\n";
  EXPECT(text, 2, LIST("peak", "mean"), LIST(peak, charge / (2.0 * pi)),
         LIST(1e-3 * peak, 1e-3 * peak));
  /* the conduction angle itself: the current is zero just outside and not just inside */
  nsds_context *context = nsds_context_create(NULL);
  nsds_job *job = job_of(context, "Angle\nV1 in 0 SIN(0 10 50)\nD1 in a DX\nL1 a b 10m\nV2 b 0 5\n"
                                  ".model DX D(ideal=1)\n.tran 10u 60m 20m\n.print tran i(L1)\n");
  double begin = NAN, end = NAN;
  do {
    const double *row = nsds_job_row(job);
    if (row[1] > 1e-4 && isnan(begin)) begin = row[0];
    if (row[1] > 1e-4) end = row[0];
  } while (nsds_job_step(job) == NSDS_OK && nsds_job_row(job)[0] < 0.04);
  assert_close("begin", w * (begin - 0.02), a, 0.03);
  assert_close("end", w * (end - 0.02), low, 0.03);
  nsds_job_destroy(job);
  nsds_context_destroy(context);
}

/*
 * A bridge feeds C and R from V sin(x), x = w t, without any resistance. It conducts from x1 to x2 in each half,
 *
 *   i = V (sin(x) / R + w C cos(x)),   tan(x2) = -w R C,   sin(x1) = sin(x2) exp(-(x1 + pi - x2) / (w R C))
 *
 * The charge of the capacitor is the integral of its current.
 */
static void capacitor_filter(void **state) {
  (void)state;
  const double pi = 3.14159265358979323846, C = 470e-6, V = 325.0;
  for (int k = 0; k < 6; ++k) {
    double R = (double[]){100, 20, 1000, 100, 20, 300}[k], f = k < 3 ? 50.0 : 60.0;
    double w = 2.0 * pi * f, x2 = pi - atan(w * R * C), low = 0.0, high = 0.5 * pi;
    for (int i = 0; i < 100; ++i) {
      double x = 0.5 * (low + high);
      if (sin(x) < sin(x2) * exp(-(x + pi - x2) / (w * R * C))) low = x;
      else high = x;
    }
    double charge = 0.0, square = 0.0, length = (x2 - low) / 20000;
    for (int i = 0; i < 20000; ++i) {
      double x = low + length * (i + 0.5), current = V * (sin(x) / R + w * C * cos(x));
      charge += current * length;
      square += current * current * length;
    }
    char text[1200];
    const double from = 16.0 / f;
    snprintf(text, sizeof text,
             "Bridge and capacitor\nV1 s b SIN(0 325 %g)\n"
             "D1 s p DI\nD2 b p DI\nD3 0 s DI\nD4 0 b DI\nC1 p 0 470u\nR1 p 0 %g\n"
             ".model DI D(ideal=1)\n.tran 0.1m %.15g\n"
             ".measure tran diode avg i(D1) from=%.15g\n.measure tran rms rms i(V1) from=%.15g\n"
             ".measure tran in avg p(V1) from=%.15g\n.measure tran out avg p(R1) from=%.15g\n"
             ".measure tran store avg p(C1) from=%.15g\n"
             ".measure tran d1 avg p(D1) from=%.15g\n.measure tran d2 avg p(D2) from=%.15g\n"
             ".measure tran d3 avg p(D3) from=%.15g\n.measure tran d4 avg p(D4) from=%.15g\n"
             ".measure tran charge integ i(C1)\n.measure tran end final v(p)\n",
             f, R, 20.0 / f, from, from, from, from, from, from, from, from, from);
    nsds_context *context = nsds_context_create(NULL);
    nsds_job *job = ran(context, text);
    double mean = charge / (2.0 * pi), rms = sqrt(square / pi), out = measure_of(job, "out");
    assert_close("mean of a diode", measure_of(job, "diode"), mean, 1e-3 * mean);
    assert_close("rms of the source", measure_of(job, "rms"), rms, 1.5e-3 * rms);
    double all = out + measure_of(job, "in") + measure_of(job, "store") + measure_of(job, "d1") +
                 measure_of(job, "d2") + measure_of(job, "d3") + measure_of(job, "d4");
    assert_close("sum of all powers", all, 0.0, 1e-9 * out);
    double stored = C * measure_of(job, "end"); /* but for what jumps at the start */
    assert_close("charge", measure_of(job, "charge"), stored, 1e-6 * stored);
    nsds_job_destroy(job);
    nsds_context_destroy(context);
  }
}

/* Conductances beside open diodes: small beside loads of tera-ohms, and behind amplifiers. */
static void leaks_of_open_diodes(void **state) {
  (void)state;
  for (int k = 0; k < 4; ++k) {
    double gain = (double[]){1e3, 1e4, 1e5, 1e6}[k], load = (double[]){1e2, 1e4, 1e3, 1e2}[k];
    char text[600];
    snprintf(text, sizeof text,
             "Precision rectifier\nV1 in 0 SIN(0 1 100)\nE1 o 0 in fb %g\nD1 o fb DI\n"
             "R1 fb 0 %g\n.model DI D(ideal=1)\n.tran 20u 50m\n"
             ".measure tran m avg v(fb) from=10m to=50m\n",
             gain, load);
    double mean = gain / (1.0 + gain) / 3.14159265358979323846;
    EXPECT(text, 1, LIST("m"), LIST(mean), LIST(1e-4 * mean));
  }
  for (int k = 0; k < 4; ++k) {
    double C = (double[]){1e-9, 1e-6, 1e-10, 1e-7}[k], R = (double[]){1e10, 1e7, 1e11, 1e9}[k];
    char text[600];
    snprintf(text, sizeof text,
             "Peak detector\nV1 a 0 PULSE(0 5 1m 1u 1u 1m 1)\nD1 a b DI\nC1 b 0 %g IC=0\n"
             "R1 b 0 %g\n.model DI D(ideal=1)\n.tran 1m 1 uic\n.measure tran m final v(b)\n",
             C, R);
    double end = 5.0 * exp(-(1.0 - 2.001e-3) / (R * C));
    EXPECT(text, 1, LIST("m"), LIST(end), LIST((k == 2 ? 2e-3 : 2e-4) * end));
  }
}

/*
 * A switch keeps the current of an inductor in a band of 0.4 A around 2 A. At rest it would have to be closed and open:
 * the run starts without current. Period: L 0.4 (1 / (48 - 12) + 1 / (12 + v)), v of the diode at 2 A.
 */
static void no_operating_point(void **state) {
  (void)state;
  for (int ideal = 0; ideal < 2; ++ideal) {
    char text[600];
    snprintf(
        text, sizeof text,
        "Band of a current\nVIN in 0 48\nVREF ref 0 2\nS1 in sw ref isn SC\nD1 0 sw DI\n"
        "VS sw x 0\nL1 x out 200u\nVO out 0 12\nHS isn 0 VS 1\n"
        ".model SC SW(ideal=1 vt=0 vh=0.2)\n.model DI D(%s)\n.tran 0.5u 3m 0 0.1u\n"
        ".measure tran period period i(L1) from=1m level=2\n.measure tran im avg i(L1) from=1m\n"
        ".measure tran ir pp i(L1) from=1m\n",
        ideal ? "ideal=1" : "is=1e-14 n=1.05");
    double thermal = 1.05 * 1.380649e-23 * 300.15 / 1.602176634e-19;
    double v = ideal ? 0.0 : thermal * log(2.0 / 1e-14);
    double period = 200e-6 * 0.4 * (1.0 / 36.0 + 1.0 / (12.0 + v));
    nsds_context *context = nsds_context_create(NULL);
    nsds_job *job = ran(context, text);
    assert_int_equal(nsds_job_warning_count(job), 1);
    assert_non_null(strstr(nsds_job_warning(job, 0), "there is no operating point"));
    assert_close("period", measure_of(job, "period"), period, 1e-3 * period);
    assert_close("mean", measure_of(job, "im"), 2.0, 1e-3);
    assert_close("band", measure_of(job, "ir"), 0.4, 1e-3);
    nsds_job_destroy(job);
    nsds_context_destroy(context);
  }
}

/* A voltage across an inductor, alone or behind an ideal diode, has no rest: the current begins at 0. */
static void inductors_across_sources(void **state) {
  (void)state;
  for (int diode = 0; diode < 2; ++diode) {
    char text[400];
    snprintf(text, sizeof text,
             "Inductor\nV1 a 0 24\nL1 a %s 1m\n%s.model DI D(ideal=1)\n.tran 1u 1m\n"
             ".measure tran i final i(L1)\n",
             diode ? "b" : "0", diode ? "D1 b 0 DI\n" : "");
    nsds_context *context = nsds_context_create(NULL);
    nsds_job *job = ran(context, text);
    assert_int_equal(nsds_job_warning_count(job), 1);
    assert_non_null(strstr(nsds_job_warning(job, 0), "nothing bounds the current of"));
    assert_close("i", measure_of(job, "i"), 24.0, 1e-4);
    nsds_job_destroy(job);
    nsds_context_destroy(context);
  }
  const char *text = "At rest\nI1 0 a 5\nL1 a 0 100m\nR1 a 0 1\n.tran 1u 1m\n"
                     ".measure tran i final i(L1)\n";
  EXPECT(text, 1, LIST("i"), LIST(5.0), LIST(1e-6));
}

/* Step-down converter: D Vin with current that flows on; else 2 Vin / (1 + sqrt(1 + 4 K / D^2)), K = 2 L / (R T). */
static const char buck_text[] =
    "Buck converter\n.param duty=0.5 load=10\n"
    "Vin in 0 24\nS1 in sw SWI PULSE(0 1 0 0 0 {duty*10u} 10u)\nD1 0 sw DI\n"
    "L1 sw out 100u\nC1 out 0 47u\nR1 out 0 {load}\n"
    ".model SWI SW(ideal=1 vt=0.5)\n.model DI D(ideal=1)\n"
    ".tran 1u %s\n.measure tran vout mean v(out) from=%s to=%s\n"
    ".measure tran low min i(L1) from=%s to=%s\n";

static void buck_continuous(void **state) {
  (void)state;
  char text[1024];
  snprintf(text, sizeof text, buck_text, "10m", "9m", "10m", "9m", "10m");
  EXPECT(text, 2, LIST("vout", "low"), LIST(12.0, 0.9), LIST(0.005, 0.01));
}

static void buck_discontinuous(void **state) {
  (void)state;
  char text[1024];
  double D = 0.5, K = 2.0 * 100e-6 / (300.0 * 10e-6),
         expected = 24.0 * 2.0 / (1.0 + sqrt(1.0 + 4.0 * K / (D * D)));
  snprintf(text, sizeof text, buck_text, "100m", "99m", "100m", "99m", "100m");
  nsds_context *context = nsds_context_create(NULL);
  nsds_job *job = nsds_job_create(
      context, &(nsds_job_def){.text = text,
                               .kind = NSDS_JOB_CIRCUIT,
                               .nsettings = 1,
                               .settings = &(nsds_job_setting){.name = "LOAD", .value = "0.3k"}});
  if (!job) fail_msg("%s", nsds_error_message(context));
  job_to_the_end(context, job);
  assert_close("vout", measure_of(job, "vout"), expected, 2e-3 * expected);
  assert_close("low", measure_of(job, "low"), 0.0, 1e-4);
  nsds_job_destroy(job);
  nsds_context_destroy(context);
}

/* Step-up converter with a current that ceases: Vin (1 + sqrt(1 + 4 D^2 / K)) / 2. */
static void boost_discontinuous(void **state) {
  (void)state;
  double K = 2.0 * 20e-6 / (200.0 * 10e-6),
         expected = 10.0 * (1.0 + sqrt(1.0 + 4.0 * 0.16 / K)) / 2.0;
  EXPECT("Boost\nVin in 0 10\nL1 in sw 20u\nS1 sw 0 SWI PULSE(0 1 0 0 0 4u 10u)\nD1 sw out DI\n"
         "C1 out 0 100u IC=33\nR1 out 0 200\n.model SWI SW(ideal=1 vt=0.5)\n.model DI D(ideal=1)\n"
         ".tran 10u 60m 0 uic\n.measure tran vout mean v(out) from=58m to=60m\n"
         ".measure tran top max i(L1) from=58m to=60m\n",
         2, LIST("vout", "top"), LIST(expected, 10.0 * 4e-6 / 20e-6), LIST(1e-3 * expected, 1e-3));
}

/* Three-phase bridge whose source has inductance: the load's voltage falls by 3 w L I / pi while phases overlap. */
static void three_phase_overlap(void **state) {
  (void)state;
  const double pi = 3.14159265358979323846, w = 2.0 * pi * 50.0, L = 2e-3, R = 10.0;
  double current = 3.0 * sqrt(3.0) / pi * 100.0 / (R + 3.0 * w * L / pi);
  EXPECT(
      "Three-phase bridge\nVA na 0 SIN(0 100 50 0 0 0)\nVB nb 0 SIN(0 100 50 0 0 -120)\n"
      "VC nc 0 SIN(0 100 50 0 0 120)\nLA na a 2m\nLB nb b 2m\nLC nc c 2m\n"
      "D1 a p DI\nD2 b p DI\nD3 c p DI\nD4 n a DI\nD5 n b DI\nD6 n c DI\nLD p q 0.5\nRD q n 10\n"
      ".model DI D(ideal=1)\n.tran 0.1m 0.8\n.measure tran vd mean v(p,n) from=0.7 to=0.8\n"
      ".measure tran id mean i(LD) from=0.7 to=0.8\n.measure tran top max i(LA) from=0.7 to=0.8\n",
      3, LIST("vd", "id", "top"), LIST(current * R, current, current), LIST(0.3, 0.03, 0.1));
}

/* A Zener diode keeps a voltage between -vf and bv; the rest of the source is in the resistor. */
static void zener_clamp(void **state) {
  (void)state;
  EXPECT("Zener\nV1 in 0 SIN(0 20 50)\nR1 in out 100\nD1 0 out DZ\n.model DZ D(ideal=1 vf=0.7 "
         "bv=5.1)\n"
         ".tran 0.1m 20m\n.measure tran high max v(out)\n.measure tran low min v(out)\n"
         ".measure tran in max i(D1)\n.measure tran out min i(D1)\n",
         4, LIST("high", "low", "in", "out"), LIST(5.1, -0.7, 0.193, -0.149),
         LIST(1e-3, 1e-3, 1e-3, 1e-3));
}

/*
 * Full bridge with a load R, L: in the dead time the current goes on through the diodes, so that the voltage changes
 * its sign as soon as the transistors open. The current repeats itself with the other sign after half a period.
 */
static void full_bridge_dead_time(void **state) {
  (void)state;
  double tau = 100e-6 / 10.0, half = 50e-6, x = exp(-half / tau),
         top = 10.0 * (1.0 - x) / (1.0 + x), s = 10.0 + top;
  double heat = 10.0 * (100.0 - 20.0 * s * (tau / half) * (1.0 - x) +
                        0.5 * s * s * (tau / half) * (1.0 - x * x));
  EXPECT(
      "Full bridge\n.param f=10k dead=1u\nVD p 0 100\n"
      "S1 p a TR PULSE(0 1 {dead} 0 0 {0.5/f-dead} {1/f})\n"
      "S2 a 0 TR PULSE(0 1 {dead+0.5/f} 0 0 {0.5/f-dead} {1/f})\n"
      "S3 p b TR PULSE(0 1 {dead+0.5/f} 0 0 {0.5/f-dead} {1/f})\n"
      "S4 b 0 TR PULSE(0 1 {dead} 0 0 {0.5/f-dead} {1/f})\nL1 a x 100u\nR1 x b 10\n"
      ".model TR TRANSISTOR(vt=0.5)\n.tran 1u 2m\n.measure tran top max i(L1) from=1m to=2m\n"
      ".measure tran vrms rms v(a,b) from=1m to=2m\n.measure tran power mean p(VD) from=1m to=2m\n"
      ".measure tran heat mean p(R1) from=1m to=2m\n.measure tran back min i(S1) from=1m to=2m\n",
      3 + 2, LIST("top", "vrms", "back", "heat", "power"), LIST(top, 100.0, -top, heat, -heat),
      LIST(2e-3 * top, 0.1, 2e-3 * top, 1.5, 1.5));
}

/* A resonant converter at its series resonance: output half of the source over the ratio, whatever the load. */
static void llc_gain(void **state) {
  (void)state;
  static const char *const load[] = {"10", "40"};
  for (int k = 0; k < 2; ++k) {
    char text[1024];
    snprintf(text, sizeof text,
             "LLC\n.param fr=100k lr=25u cr={1/((2*pi*fr)**2*lr)} n=2\nVD p 0 400\n"
             "S1 p a TR PULSE(0 1 100n 0 0 {0.5/fr-100n} {1/fr})\n"
             "S2 a 0 TR PULSE(0 1 {100n+0.5/fr} 0 0 {0.5/fr-100n} {1/fr})\n"
             "C1 a b {cr} IC=200\nL1 b c {lr}\nLM c 0 125u\nT1 c 0 s1 s2 N={n}\n"
             "D1 s1 o DI\nD2 s2 o DI\nD3 g s1 DI\nD4 g s2 DI\nCO o g 20u IC=95\nRO o g %s\n"
             ".model TR TRANSISTOR(vt=0.5)\n.model DI D(ideal=1)\n.tran 1u 8m uic\n"
             ".measure tran vo mean v(o,g) from=7m to=8m\n",
             load[k]);
    EXPECT(text, 1, LIST("vo"), LIST(100.0), LIST(0.5));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(half_wave_conduction),     cmocka_unit_test(capacitor_filter),
      cmocka_unit_test(leaks_of_open_diodes),     cmocka_unit_test(no_operating_point),
      cmocka_unit_test(inductors_across_sources), cmocka_unit_test(buck_continuous),
      cmocka_unit_test(buck_discontinuous),       cmocka_unit_test(boost_discontinuous),
      cmocka_unit_test(three_phase_overlap),      cmocka_unit_test(zener_clamp),
      cmocka_unit_test(full_bridge_dead_time),    cmocka_unit_test(llc_gain)};
  return cmocka_run_group_tests_name("run.closed_forms", tests, NULL, NULL);
}
