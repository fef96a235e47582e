/*
 * Netlists as other programs write them: waveforms, numbers, options and titles that SPICE takes. Drawn waveforms are
 * compared with their integrals in closed form.
 */
#include "run_test.h"

static nsds_job *ran(nsds_context **context, const char *text) {
  *context = nsds_context_create(NULL);
  nsds_job *job = job_of(*context, text);
  job_to_the_end(*context, job);
  return job;
}

static void end_of(nsds_context *context, nsds_job *job) {
  nsds_job_destroy(job);
  nsds_context_destroy(context);
}

/* ---- waveforms ---- */

/* The period cuts off a pulse that is longer: 5 V for 1 ms, then a ramp of 1 ns in each period of 2 ms. A step that
 * takes a jump is about as long as these ramps. */
static void pulse_width_beyond_the_period(void **state) {
  (void)state;
  nsds_context *context;
  nsds_job *job = ran(&context, "Width\nV1 in 0 PULSE(5 0 1m 1n 1n 1 2m)\nR1 in 0 1\n"
                                ".tran 10u 10m\n.measure tran q avg v(in)\n");
  assert_close("mean", measure_of(job, "q"), 0.5 + 5 * 2.5e-9 / 10e-3, 2e-6);
  assert_int_equal(nsds_job_warning_count(job), 1);
  assert_non_null(strstr(nsds_job_warning(job, 0), "which cuts each pulse off"));
  end_of(context, job);
}

/* Two points of one time are a jump, also at the start and at the end; of three the middle one counts for nothing. */
static void points_at_one_time(void **state) {
  (void)state;
  nsds_context *context;
  nsds_job *job =
      ran(&context, "Jumps\nV1 in 0 PWL(0 3 0 0 1m 10 2m 10 2m 70 2m 0 4m 0 4m 5)\nR1 in 0 1k\n"
                    ".tran 10u 5m\n.measure tran q integ v(in)\n.measure tran last final v(in)\n"
                    ".measure tran most max v(in)\n");
  assert_close("integral", measure_of(job, "q"), 15e-3 + 5e-3, 1e-7);
  assert_close("end", measure_of(job, "last"), 5.0, 1e-9);
  assert_close("maximum", measure_of(job, "most"), 10.0, 1e-9);
  end_of(context, job);
  context = nsds_context_create(NULL);
  assert_null(nsds_job_create(
      context, &(nsds_job_def){.text = "Back\nV1 a 0 PWL(0 0 2m 1 1m 0)\nR1 a 0 1\n.tran 1u 1m\n",
                               .kind = NSDS_JOB_CIRCUIT}));
  assert_non_null(strstr(nsds_error_message(context),
                         "the time 0.001 of point 3 follows 0.002; times must not decrease"));
  nsds_context_destroy(context);
}

/* A period of 0 is that of SPICE, the length of the run: the pulse happens once. A wave with a negative delay has begun
 * before the run, and the run begins at its value. */
static void delays_and_periods_of_spice(void **state) {
  (void)state;
  const struct {
    const char *wave;
    double mean, first, last;
  } cases[] = {{"PULSE(0 5 1m 0 0 1m 0)", 1.25, 0.0, 0.0},
               {"PULSE(0 5 1m 0 0 1m)", 1.25, 0.0, 0.0},
               {"PULSE(0 5 -0.5m 0 0 1m 0)", 0.625, 5.0, 0.0},
               {"PULSE(0 5 -0.5m 0 0 1m 2m)", 2.5, 5.0, 5.0},
               {"PULSE(0 5 -0.5m 2m 0 1m)", 0.25 * (0.5 * (1.25 + 5.0) * 1.5 + 5.0), 1.25, 0.0},
               {"PULSE(1 3 -1)", 3.0, 3.0, 3.0},
               {"SIN(1 2 125 -2m)", 1.0, 3.0, -1.0},
               {"SIN(0 2 0 -1m 100 90)", 0.5 * 1e3 * (exp(-0.1) - exp(-0.5)) / 100.0,
                2.0 * exp(-0.1), 2.0 * exp(-0.5)}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
    char text[400];
    snprintf(text, sizeof text,
             "Started\nV1 in 0 %s\nR1 in a 1k\nC1 a 0 1p\n.opt tol=1e-7\n.tran 10u 4m 0 1u\n"
             ".measure tran mean avg v(in)\n.measure tran last final v(in)\n",
             cases[k].wave);
    nsds_context *context = nsds_context_create(NULL);
    nsds_job *job = job_of(context, text);
    assert_string_equal(nsds_job_column_name(job, 2), "v(a)");
    assert_close(cases[k].wave, nsds_job_row(job)[1], cases[k].first, 1e-6);
    assert_close(cases[k].wave, nsds_job_row(job)[2], cases[k].first, 1e-6); /* it begins at rest */
    job_to_the_end(context, job);
    assert_close(cases[k].wave, measure_of(job, "mean"), cases[k].mean, 1e-4);
    assert_close(cases[k].wave, measure_of(job, "last"), cases[k].last, 1e-4);
    end_of(context, job);
  }
}

static uint64_t seed;

static double uniform(double from, double to) {
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return from + (to - from) * (double)(seed >> 11) * 0x1p-53;
}

static int whole(int from, int to) { return (int)floor(uniform(from, to + 1)); }

/* Corners of a waveform: times, values before and behind. */
typedef struct corners {
  int count;
  double t[4000], x[4000];
} corners;

static void add_corner(corners *c, double t, double x) {
  assert_true(c->count < 4000);
  c->t[c->count] = t;
  c->x[c->count++] = x;
}

/* Integral and extremes from 0 to `end` of straight lines between corners. The last value goes on. */
static void sum_up(const corners *c, double end, double sum[3]) {
  sum[0] = 0.0;
  sum[1] = -INFINITY;
  sum[2] = INFINITY;
  for (int k = 0; k < c->count; ++k) {
    double t = c->t[k], a = c->x[k], next = k + 1 < c->count ? c->t[k + 1] : end, b = a;
    if (t >= end) return;
    if (k + 1 < c->count) b = c->x[k + 1];
    if (next > end) {
      b = a + (b - a) * (end - t) / (next - t);
      next = end;
    }
    if (t < 0.0 && next > 0.0) {
      a += (b - a) * (0.0 - t) / (next - t);
      t = 0.0;
    }
    if (!(next > t) || t < 0.0) continue;
    sum[0] += (next - t) * (a + b) / 2.0;
    sum[1] = fmax(sum[1], fmax(a, b));
    sum[2] = fmin(sum[2], fmin(a, b));
  }
}

/* Times are whole numbers of microseconds, so that no corner falls together with another by rounding alone. */
static void draw_pulse(corners *c, char *text, size_t size) {
  int delay = whole(-300, 300), rise = whole(0, 3) * 20, fall = whole(0, 3) * 30;
  int period = whole(100, 900), width = whole(0, 1200), once = whole(-3, 2);
  double low = whole(-9, 9), high = whole(-9, 9);
  size_t used = (size_t)snprintf(text, size, "PULSE(%g %g %du %du %du %du", low, high, delay, rise,
                                 fall, width);
  if (once < 1) snprintf(text + used, size - used, " %du)", period);
  else snprintf(text + used, size - used, once == 1 ? " 0)" : ")");
  if (once > 0) period = 5000; /* the period of SPICE is the length of the run */
  add_corner(c, fmin(0.0, delay * 1e-6), low);
  for (int begin = delay; begin < 4000; begin += period) {
    const int at[] = {begin, begin + rise, begin + rise + width, begin + rise + width + fall};
    const double x[] = {low, high, high, low};
    add_corner(c, begin * 1e-6, c->x[c->count - 1]);
    for (int k = 0; k < 4; ++k) {
      int end = begin + period;
      if (at[k] < end) {
        add_corner(c, at[k] * 1e-6, x[k]);
        continue;
      }
      double part = at[k] > at[k - 1] ? (double)(end - at[k - 1]) / (at[k] - at[k - 1]) : 0.0;
      add_corner(c, end * 1e-6, x[k - 1] + (x[k] - x[k - 1]) * part);
      break;
    }
  }
}

static void draw_points(corners *c, char *text, size_t size) {
  int t = whole(0, 1) * whole(0, 400), count = whole(2, 12);
  size_t used = (size_t)snprintf(text, size, "PWL(");
  for (int k = 0; k < count; ++k, t += whole(0, 2) ? whole(1, 500) : 0) {
    double x = whole(-9, 9);
    if (k == 0) add_corner(c, 0.0, x);
    used += (size_t)snprintf(text + used, size - used, "%du %g ", t, x);
    add_corner(c, t * 1e-6, x);
  }
  snprintf(text + used, size - used, ")");
}

static void drawn_waveforms(void **state) {
  (void)state;
  static corners c;
  for (int draw = 0; draw < 300; ++draw) {
    char wave[400], text[800];
    double sum[3];
    seed = (uint64_t)draw + 1;
    c.count = 0;
    if (draw % 2) draw_pulse(&c, wave, sizeof wave);
    else draw_points(&c, wave, sizeof wave);
    sum_up(&c, 4e-3, sum);
    snprintf(text, sizeof text,
             "Drawn\nV1 a 0 %s\nR1 a 0 1\n.tran 100u 4m\n.measure tran area integ v(a)\n"
             ".measure tran most max v(a)\n.measure tran least min v(a)\n",
             wave);
    nsds_context *context;
    nsds_job *job = ran(&context, text);
    assert_close(wave, measure_of(job, "area"), sum[0], 1e-6 * 9 * 4e-3);
    /* behind a jump the waveform goes on for the length of the step that takes the jump, some 1e-8 s */
    assert_close(wave, measure_of(job, "most"), sum[1], 0.05);
    assert_close(wave, measure_of(job, "least"), sum[2], 0.05);
    end_of(context, job);
  }
}

/* ---- texts ---- */

/* A closing bracket may stand in a line of its own. Diode models of makers have parameters that mean nothing here. */
static void models_of_makers(void **state) {
  (void)state;
  static const char *const model[] = {
      ".model DC D (\n+ Is=1e-14\n+ N=1.0\n)\n", ".model DC D(\n+Is=1e-14 N=1\n+)\n",
      ".model DC D(Is=1e-14 N=1 Iave=200m Vpk=75 mfg=OnSemi type=silicon Ikf=.1 Isr=1n Nr=2)\n",
      ".model DC D Is=1e-14\n+ N=1 level=1 trs1=1e-3\n"};
  for (int k = 0; k < 4; ++k) {
    char text[500];
    snprintf(text, sizeof text,
             "Model\nV1 in 0 SIN(0 1 50)\nD1 in o DC\nR1 o 0 1\n%s.tran 10u 40m\n"
             ".measure tran q max v(o)\n",
             model[k]);
    nsds_context *context;
    nsds_job *job = ran(&context, text);
    /* v + Vt log(1 + v / Is) = 1 */
    double v = 0.2, thermal = 8.617333262e-5 * 300.15;
    for (int i = 0; i < 100; ++i)
      v -= (v + thermal * log1p(v / 1e-14) - 1.0) / (1.0 + thermal / (v + 1e-14));
    assert_close(model[k], measure_of(job, "q"), v, 1e-5);
    end_of(context, job);
  }
  nsds_context *context = nsds_context_create(NULL);
  assert_null(nsds_job_create(
      context, &(nsds_job_def){.text = "None before\n)\nR1 a 0 1\n", .kind = NSDS_JOB_CIRCUIT}));
  assert_non_null(strstr(nsds_error_message(context), "2:1: ) goes on with a card"));
  nsds_context_destroy(context);
}

static void expect_warnings(const char *text, int count, const char *const *words) {
  nsds_context *context;
  nsds_job *job = ran(&context, text);
  for (int k = 0; k < count && k < nsds_job_warning_count(job); ++k)
    if (!strstr(nsds_job_warning(job, k), words[k]))
      fail_msg("expected \"%s\": %s", words[k], nsds_job_warning(job, k));
  if (nsds_job_warning_count(job) != count)
    fail_msg("%d warnings, not %d: %s", nsds_job_warning_count(job), count, text);
  end_of(context, job);
}

/* Options of other programs are warned about, with the option that is near. */
static void options_of_others(void **state) {
  (void)state;
  static const char *const words[] = {
      "3:10: .options: klu is not used; used are gmin, rmin, temp, events, tol",
      "3:14: .options: gmim is not used, did you mean \"gmin\"?",
      "3:25: .options: method is not used", ".ic sets no voltage"};
  expect_warnings("Options\nV1 a 0 1\n.options klu gmim=1e-12 method=gear tol=1e-5\nR1 a 0 1\n.ic\n"
                  ".tran 1u 10u\n",
                  4, words);
}

/* Units behind numbers, in UTF-8 and in Latin-1. The sign of micro is the suffix u. */
static void signs_beyond_ascii(void **state) {
  (void)state;
  static const char *const number[] = {"2.5\xC2\xB5"
                                       "F",
                                       "2.5\xCE\xBC",
                                       "2.5\xB5"
                                       "F",
                                       "2.5u"};
  static const char *const warm[] = {".options TEMP = 25\xC2\xB0"
                                     "C",
                                     ".temp = 25\xB0"
                                     "C",
                                     ".temp 25", ".options temp=25C"};
  for (int k = 0; k < 4; ++k) {
    char text[400];
    snprintf(text, sizeof text,
             "Signs\nV1 in 0 1\nR1 in a 1k\xCE\xA9\nC1 a 0 %s IC=0\n%s\n.tran 10u 2.5m uic\n"
             ".measure tran v final v(a)\n",
             number[k], warm[k]);
    expect_warnings(text, 0, NULL);
    nsds_context *context;
    nsds_job *job = ran(&context, text);
    assert_close(number[k], measure_of(job, "v"), 1.0 - exp(-1.0), 1e-4);
    end_of(context, job);
  }
}

/* "1 Ω" is one number: a unit with a sign beyond ASCII can be nothing else. The message on other units says how to write
 * them. */
static void units_behind_a_blank(void **state) {
  (void)state;
  static const char *const ohm[] = {"1\xCE\xA9",      "1 \xCE\xA9",     "1\xE2\x84\xA6",
                                    "1 \xE2\x84\xA6", "1e-3 k\xCE\xA9", "0.001k\xE2\x84\xA6"};
  static const char *const farad[] = {"4.7\xC2\xB5"
                                      "F",
                                      "4.7\xCE\xBC"
                                      "F",
                                      "4.7 \xC2\xB5"
                                      "F",
                                      "4.7 \xCE\xBC"
                                      "F",
                                      "4.7 \xC2\xB5",
                                      "4.7 \xCE\xBC"};
  for (int k = 0; k < 6; ++k) {
    char text[400];
    snprintf(
        text, sizeof text,
        "Units\n.param r=%s tau=4.7 \xCE\xBCs\nV1 in 0 1\nR1 in a %s\nR2 in b {r}\nC1 a 0 %s IC=0\n"
        "C2 b 0 %s IC=0\n.tran 0.47 \xC2\xB5s {tau} uic\n.measure tran v final v(a)\n"
        ".measure tran w final v(b)\n",
        ohm[k], ohm[k], farad[k], farad[k]);
    nsds_context *context;
    nsds_job *job = ran(&context, text);
    assert_close(ohm[k], measure_of(job, "v"), 1.0 - exp(-1.0), 1e-4);
    assert_close(ohm[k], measure_of(job, "w"), 1.0 - exp(-1.0), 1e-4);
    assert_int_equal(nsds_job_warning_count(job), 0);
    end_of(context, job);
  }
  nsds_context *context = nsds_context_create(NULL);
  assert_null(
      nsds_job_create(context, &(nsds_job_def){.text = "Blank\nR1 a 0 10 kOhm\n.tran 1u 1m\n",
                                               .kind = NSDS_JOB_CIRCUIT}));
  assert_non_null(
      strstr(nsds_error_message(context), "a number and its unit are one word: 10kOhm"));
  nsds_error_clear(context);
  assert_null(nsds_job_create(context, &(nsds_job_def){.text = "Nodes\nR1 a 0 10 b\n.tran 1u 1m\n",
                                                       .kind = NSDS_JOB_CIRCUIT}));
  assert_non_null(strstr(nsds_error_message(context), "\"b\" is not expected here"));
  assert_null(strstr(nsds_error_message(context), "one word"));
  nsds_context_destroy(context);
}

/* The nodes of an element may have any names. */
static void nodes_named_like_units(void **state) {
  (void)state;
  nsds_context *context;
  nsds_job *job = ran(&context, "Nodes\nV1 1 0 3\nR1 1 \xCE\xA9 1\nR2 \xCE\xA9 0 2\n.tran 1u 10u\n"
                                ".measure tran v final v(\xCE\xA9)\n");
  assert_close("v", measure_of(job, "v"), 2.0, 1e-9);
  end_of(context, job);
}

/* .opt is short for .options, and a .param without parameters is warned about. */
static void short_and_empty_directives(void **state) {
  (void)state;
  static const char *const words[] = {".opt: gmim is not used, did you mean \"gmin\"?",
                                      "2:1: .param sets no parameter", "gmin = 0.001 S beside"};
  const char *text = "Short\n.param\nV1 in 0 1\nR1 in a 1k\n.opt rmin=1u gmin=1m gmim=2\nD1 a 0 D\n"
                     ".model D D(ideal=1 vf=2)\n.OPT\n.tran 1u 10u\n.measure tran v final v(a)\n";
  nsds_context *context;
  nsds_job *job = ran(&context, text);
  assert_int_equal(nsds_job_warning_count(job), 3);
  for (int k = 0; k < 3; ++k) {
    bool found = false;
    for (int i = 0; i < 3; ++i) found = found || strstr(nsds_job_warning(job, i), words[k]);
    if (!found) fail_msg("no warning \"%s\"", words[k]);
  }
  assert_close("v", measure_of(job, "v"), 0.5,
               1e-9); /* 1k against the gmin of the open diode, 1 mS */
  end_of(context, job);
}

/* A title is warned about where it is an element of the circuit: others have its nodes. */
static void titles_that_begin_like_elements(void **state) {
  (void)state;
  static const char *const title[] = {"RC low pass 1k", "Linear regulator, version 2",
                                      "Resistor divider with load 5", "Diode a test 3",
                                      ".title Divider"};
  for (int k = 0; k < 5; ++k) {
    char text[200];
    snprintf(text, sizeof text, "%s\nV1 a 0 1\nR1 a 0 1\n.tran 1u 10u\n", title[k]);
    expect_warnings(text, 0, NULL);
  }
  static const char *const warning[] = {"test.cir:1:1: the first line is the title"};
  expect_warnings("R2 a b 1k\nV1 a 0 1\nR1 a b 1\nR3 b 0 1\n.tran 1u 10u\n", 1, warning);
}

/* ---- values ---- */

/* A measure without from counts from TSTART on, as the table does. */
static void measures_from_tstart(void **state) {
  (void)state;
  nsds_context *context;
  nsds_job *job = ran(&context, "Start\nV1 a 0 PULSE(0 1 0 1u 1u 5m 100)\nR1 a 0 1\n"
                                ".tran 10u 10m 5.1m\n.measure tran m avg v(a)\n"
                                ".measure tran hi max v(a)\n.measure tran all max v(a) from=0\n");
  assert_close("mean", measure_of(job, "m"), 0.0, 0.0);
  assert_close("maximum", measure_of(job, "hi"), 0.0, 0.0);
  assert_close("maximum from 0", measure_of(job, "all"), 1.0, 1e-12);
  end_of(context, job);
}

/* Junctions in series whose current falls to rounding: the clamp holds, and the run goes on behind it. */
/* A value in the head of a subcircuit may use the values before it, as given by X or by default. A name that stands
 * behind it, or its own, is that of outside. */
static void heads_use_what_stands_before(void **state) {
  (void)state;
  const struct {
    const char *head, *given;
    double a, b;
  } cases[] = {{"a=1k b={a*2}", "", 1e3, 2e3},
               {"a=1k b={a*2}", "a=3k", 3e3, 6e3},
               {"a=1k b={a*2}", "b=5k", 1e3, 5e3},
               {"a={b*2} b=1k", "", 8e3, 1e3},
               {"a={late*2} late=1k b={late}", "", 2e3, 1e3},
               {"a={late*2} late=1k b={late}", "late=2k", 4e3, 2e3},
               {"a={b} b={b/4}", "", 4e3, 1e3},
               {"a=1k c={a+1k} b={c+a}", "a={b/2}", 2e3, 5e3},
               {"a=1k b=a", "", 1e3, 1e3}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
    char text[600];
    snprintf(text, sizeof text,
             "Heads\n.param b=4k\nI1 0 p 1m\nI2 0 q 1m\nX1 p q div %s\n"
             ".subckt div p q params: %s\nR1 p 0 {a}\nR2 q 0 {b}\n.ends\n.tran 1u 1m\n"
             ".measure tran a final v(p)\n.measure tran b final v(q)\n",
             cases[k].given, cases[k].head);
    nsds_context *context;
    nsds_job *job = ran(&context, text);
    assert_close(text, measure_of(job, "a"), 1e-3 * cases[k].a, 1e-9 * cases[k].a);
    assert_close(text, measure_of(job, "b"), 1e-3 * cases[k].b, 1e-9 * cases[k].b);
    end_of(context, job);
  }
}

static void zeners_back_to_back(void **state) {
  (void)state;
  for (int draw = 0; draw < 60; ++draw) {
    char text[600];
    seed = (uint64_t)draw + 1;
    double breakdown = uniform(10.0, 60.0), emission = uniform(1.0, 2.0);
    double source = uniform(0.2, 0.9) * breakdown, saturation = pow(10.0, uniform(-15.0, -9.0));
    double inductance = pow(10.0, uniform(-3.0, -1.0)), time = 2.4 * inductance / source;
    snprintf(text, sizeof text,
             "TVS\nV1 in 0 %.9g\nS1 b 0 SI PULSE(1 0 %.9g 0 0 1e3 2e3)\nL1 in b %.9g IC=1\n"
             "D1 x b DZ\nD2 x 0 DZ\n.model DZ D(is=%.9g n=%.9g bv=%.9g)\n"
             ".model SI SW(ideal=1 vt=0.5)\n.tran %.9g %.9g 0 uic\n.measure tran hi max v(b)\n"
             ".measure tran end final v(b)\n",
             source, time, inductance, saturation, emission, breakdown, time / 100.0,
             time *
                 (2.0 + 3.4 * 1.2 / 0.1 * 0.1 * source / fmax(breakdown - source, 0.1 * source)));
    nsds_context *context;
    nsds_job *job = ran(&context, text);
    double peak = 1.0 + time * source / inductance, thermal = emission * 8.617333262e-5 * 300.15;
    assert_close("clamp", measure_of(job, "hi"), breakdown + thermal * log(peak / saturation),
                 1e-3 * breakdown);
    assert_close("end", measure_of(job, "end"), source, 0.02 * source);
    end_of(context, job);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(pulse_width_beyond_the_period),
                                     cmocka_unit_test(points_at_one_time),
                                     cmocka_unit_test(drawn_waveforms),
                                     cmocka_unit_test(delays_and_periods_of_spice),
                                     cmocka_unit_test(models_of_makers),
                                     cmocka_unit_test(options_of_others),
                                     cmocka_unit_test(signs_beyond_ascii),
                                     cmocka_unit_test(units_behind_a_blank),
                                     cmocka_unit_test(nodes_named_like_units),
                                     cmocka_unit_test(short_and_empty_directives),
                                     cmocka_unit_test(titles_that_begin_like_elements),
                                     cmocka_unit_test(measures_from_tstart),
                                     cmocka_unit_test(zeners_back_to_back),
                                     cmocka_unit_test(heads_use_what_stands_before)};
  return cmocka_run_group_tests_name("run.foreign_netlists", tests, NULL, NULL);
}
