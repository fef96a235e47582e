/*
 * The examples of cylinders, cones and ellipsoids in examples/models beside closed forms, with the numbers of
 * the files and with drawn ones.
 */
#include "run_test.h"

#include <nsds/nsds.h>

enum { draws = 3, most_settings = 4 };

static const double g = 9.81, pi = 3.14159265358979323846;

/* ---- a run with other numbers ---------------------------------------------------------------- */

static uint64_t seed = 0x9E3779B97F4A7C15u;

static double draw(double low, double high) {
  seed ^= seed << 13;
  seed ^= seed >> 7;
  seed ^= seed << 17;
  return low + (high - low) * ((double)(seed >> 11) * 0x1p-53);
}

typedef struct scene {
  nsds_context *context;
  nsds_job *job;
  int n;
  char text[most_settings][32];
  nsds_job_setting setting[most_settings];
} scene;

/* Gives a parameter of the file a drawn value, in all runs but the first. Returns the value. */
static double vary(scene *s, int run, const char *name, double value, double low, double high) {
  if (run == 0) return value;
  assert_true(s->n < most_settings);
  value = draw(low, high);
  snprintf(s->text[s->n], sizeof s->text[0], "%.17g", value);
  s->setting[s->n] = (nsds_job_setting){name, s->text[s->n]};
  ++s->n;
  return value;
}

static void play(scene *s, const char *name) {
  char path[512];
  snprintf(path, sizeof path, NSDS_TEST_SOURCE "/examples/models/%s.yaml", name);
  s->context = nsds_context_create(NULL);
  s->job = nsds_job_create(
      s->context,
      &(nsds_job_def){.file = path, .nsettings = s->n, .settings = s->n ? s->setting : NULL});
  if (!s->job) fail_msg("%s", nsds_error_message(s->context));
  job_to_the_end(s->context, s->job);
}

static void end(scene *s) {
  nsds_job_destroy(s->job);
  nsds_context_destroy(s->context);
  *s = (scene){0};
}

/* The value of a column at the end. */
static double column(const scene *s, const char *name) {
  for (int k = 0; k < nsds_job_column_count(s->job); ++k)
    if (strcmp(nsds_job_column_name(s->job, k), name) == 0) return nsds_job_row(s->job)[k];
  fail_msg("there is no column %s", name);
  return NAN;
}

static void near(const scene *s, const char *name, double expected, double tolerance) {
  assert_close(name, column(s, name), expected, tolerance);
}

/* ---- rolling --------------------------------------------------------------------------------- */

static void spun_cylinder(void **state) {
  (void)state;
  scene s = {0};
  for (int k = 0; k < draws; ++k) {
    double r = vary(&s, k, "r", 0.1, 0.05, 0.15), w = vary(&s, k, "w", 60.0, 20.0, 60.0);
    double mu = vary(&s, k, "mu", 0.25, 0.25, 0.6), slips = r * w / (3.0 * mu * g);
    play(&s, "spun_cylinder");
    near(&s, "cylinder.v[0]", r * w / 3.0, 1e-9);
    near(&s, "cylinder.v[3]", w / 3.0, 1e-8);
    near(&s, "cylinder.q[0]", r * w / 3.0 * (1.5 - 0.5 * slips), 1e-5);
    end(&s);
  }
}

static void race_down_a_ramp(void **state) {
  (void)state;
  scene s = {0};
  for (int k = 0; k < draws; ++k) {
    double a = vary(&s, k, "a", 0.2, 0.16, 0.25), mu = vary(&s, k, "mu", 0.15, 0.135, 0.15);
    double along = g * sin(a);
    play(&s, "race_down_a_ramp");
    near(&s, "ball.q[0]", along / 2.8, 2e-3);
    near(&s, "cylinder.q[0]", along / 3.0, 2e-3);
    near(&s, "tin.q[0]", along / 4.0, 2e-3);
    near(&s, "box.q[0]", 0.5 * (along - mu * g * cos(a)), 2e-3);
    end(&s);
  }
}

static void plank_on_rollers(void **state) {
  (void)state;
  scene s = {0};
  for (int k = 0; k < draws; ++k) {
    double M = vary(&s, k, "M", 5.0, 1.0, 20.0), m = vary(&s, k, "m", 2.0, 0.5, 5.0);
    double a = vary(&s, k, "a", 0.1, 0.05, 0.12), rate = g * sin(a) * (M + m) / (M + 0.75 * m);
    play(&s, "plank_on_rollers");
    near(&s, "plank.v[0]", 0.6 * rate, 1e-8);
    near(&s, "roller[0].v[0]", 0.3 * rate, 1e-8);
    near(&s, "roller[1].v[0]", 0.3 * rate, 1e-8);
    end(&s);
  }
}

static void wheels(void **state) {
  (void)state;
  scene s = {0};
  for (int k = 0; k < draws; ++k) {
    double M = vary(&s, k, "M", 4.0, 2.0, 10.0), m = vary(&s, k, "m", 1.0, 0.3, 2.0);
    double a = vary(&s, k, "a", 0.2, 0.1, 0.3), rate = g * sin(a) * (M + 4.0 * m) / (M + 6.0 * m);
    play(&s, "wheels");
    near(&s, "chassis.v[0]", rate, 1e-8);
    near(&s, "chassis.q[0]", 0.5 * rate, 1e-8);
    near(&s, "axle[0].angle", 0.5 * rate / 0.1, 1e-6);
    end(&s);
  }
}

/* A cart over hills stays in one piece, and has rolled downhill. */
static void cart_on_hills(void **state) {
  (void)state;
  scene s = {0};
  play(&s, "cart_on_hills");
  double v = column(&s, "chassis.v[0]"), q = column(&s, "chassis.q[0]");
  assert_true(v > 1.5 && v < 3.0 && q > 3.0 && q < 5.0);
  end(&s);
}

static void rolling_cone(void **state) {
  (void)state;
  scene s = {0};
  for (int k = 0; k < draws; ++k) {
    double R = vary(&s, k, "R", 0.1, 0.08, 0.2), H = vary(&s, k, "H", 0.3, 0.25, 0.4);
    double w = vary(&s, k, "w", 2.0, 1.0, 2.0), x = 0.75 * H * cos(atan(R / H));
    play(&s, "rolling_cone");
    near(&s, "cone.q[0]", x * cos(3.0 * w), 3e-3);
    near(&s, "cone.q[1]", x * sin(3.0 * w), 3e-3);
    end(&s);
  }
}

static void rolling_coin(void **state) {
  (void)state;
  scene s = {0};
  for (int k = 0; k < draws; ++k) {
    double r = vary(&s, k, "r", 0.04, 0.03, 0.08), b = vary(&s, k, "b", 0.003, 1e-3, 3e-3);
    double a = vary(&s, k, "a", 0.5, 0.3, 0.9), C = 0.5 * r * r, A = 0.25 * r * r + b * b / 3.0;
    double w = sqrt(g * (r * cos(a) - b * sin(a)) / (sin(a) * (A * cos(a) - C * b / r * sin(a))));
    play(&s, "rolling_coin");
    near(&s, "coin.q[0]", 0.0, 1e-3 * r);
    near(&s, "coin.q[1]", 0.0, 1e-3 * r);
    near(&s, "axis1", sin(a) * cos(0.5 * w), 1e-2);
    near(&s, "axis2", sin(a) * sin(0.5 * w), 1e-2);
    end(&s);
  }
}

static void rocking_egg(void **state) {
  (void)state;
  scene s = {0};
  for (int k = 0; k < draws; ++k) {
    double a = vary(&s, k, "a", 0.3, 0.25, 0.4), c = vary(&s, k, "c", 0.2, 0.1, 0.22);
    double b = vary(&s, k, "b", 0.25, 0.23, 0.4), J = (a * a + c * c) / 5.0;
    (void)b; /* no part of the frequency */
    play(&s, "rocking_egg");
    assert_close("period", measure_of(s.job, "period"),
                 2.0 * pi * sqrt((J + c * c) / (g * (a * a / c - c))), 1e-4);
    end(&s);
  }
}

/* ---- spinning, free flight ------------------------------------------------------------------- */

static void cone_on_its_tip(void **state) {
  (void)state;
  scene s = {0};
  for (int k = 0; k < draws; ++k) {
    double H = vary(&s, k, "H", 0.15, 0.1, 0.2), a = vary(&s, k, "a", 0.3, 0.1, 0.5);
    double rate = vary(&s, k, "s", 150.0, 120.0, 200.0), l = 0.75 * H, J = 0.003;
    double K = 0.0015 + 0.6 * H * H, half = 0.5 * J * rate / (K * cos(a));
    double w = half - sqrt(half * half - g * l / (K * cos(a)));
    play(&s, "cone_on_its_tip");
    near(&s, "cone.q[0]", l * sin(a) * cos(w), 1e-4);
    near(&s, "cone.q[1]", l * sin(a) * sin(w), 1e-4);
    near(&s, "cone.q[2]", l * cos(a), 1e-5);
    end(&s);
  }
}

/* The complete elliptic integral of the first kind of modulus k, by the arithmetic-geometric mean. */
static double elliptic(double k) {
  double a = 1.0, b = sqrt(1.0 - k * k);
  for (int i = 0; i < 8; ++i) {
    double mean = 0.5 * (a + b);
    b = sqrt(a * b);
    a = mean;
  }
  return 0.5 * pi / a;
}

/* With moments I1 < I2 < I3, energy T and angular momentum L > sqrt(2 T I2) the rates have the period
 * 4 K(k) / p, p^2 = (I3 - I2) (L^2 - 2 T I1) / (I1 I2 I3), k^2 = (I2 - I1) (2 T I3 - L^2) /
 * ((I3 - I2) (L^2 - 2 T I1)). If L is smaller, I1 and I3 change places (Landau, Lifshitz, Mechanics, 37). */
static void t_handle(void **state) {
  (void)state;
  scene s = {0};
  for (int run = 0; run < draws; ++run) {
    double half = vary(&s, run, "half", 0.06, 0.05, 0.08);
    double w = vary(&s, run, "w", 20.0, 15.0, 25.0), r = 0.01, stem = 0.05;
    double bar = 2.0 * half, foot = stem, sum = bar + foot, out = r + 0.5 * stem,
           y = out * foot / sum;
    double way = bar * y * y + foot * (out - y) * (out - y); /* of the parts from the center */
    double round = 0.5 * r * r, bend = 0.25 * r * r;
    double I[3] = {bar * round + foot * (bend + stem * stem / 12.0) + way,
                   bar * (bend + half * half / 3.0) + foot * round,
                   bar * (bend + half * half / 3.0) + foot * (bend + stem * stem / 12.0) + way};
    double v[3] = {0.01 * w, w, 0.01 * w}, T2 = 0.0, L2 = 0.0;
    for (int i = 0; i < 3; ++i) T2 += I[i] * v[i] * v[i], L2 += I[i] * I[i] * v[i] * v[i];
    double high = I[2], low = I[0], middle = I[1];
    if (!(low < middle)) fail_msg("the middle moment is not that of the stem");
    if (L2 < T2 * middle) low = I[2], high = I[0];
    double p = sqrt((high - middle) * (L2 - T2 * low) / (high * middle * low));
    double k2 = (middle - low) * (T2 * high - L2) / ((high - middle) * (L2 - T2 * low));
    play(&s, "t_handle");
    assert_close("period", measure_of(s.job, "period"), 4.0 * elliptic(sqrt(k2)) / p, 2e-3);
    end(&s);
  }
}

static void balls_and_a_post(void **state) {
  (void)state;
  scene s = {0};
  for (int k = 0; k < draws; ++k) {
    double r = vary(&s, k, "r", 0.05, 0.03, 0.1), R = vary(&s, k, "R", 0.15, 0.1, 0.2);
    double spread = vary(&s, k, "spread", 0.9, 0.3, 0.95);
    play(&s, "balls_and_a_post");
    for (int i = 0; i < 5; ++i) {
      double part = spread * (0.4 * i - 0.8) / 0.8, turns = pi - 2.0 * asin(fabs(part));
      char name[2][40];
      for (int j = 0; j < 2; ++j) snprintf(name[j], sizeof name[j], "ball[%d].v[%d]", i, j);
      (void)(r + R); /* the angle depends on the ratio alone */
      near(&s, name[0], 2.0 * cos(turns), 1e-2);
      near(&s, name[1], copysign(2.0 * sin(turns), part), 1e-2);
    }
    end(&s);
  }
}

static void dropped_solids(void **state) {
  (void)state;
  static const char *const names[] = {"cylinder", "cone", "ellipsoid", "capsule", "ball", "box"};
  scene s = {0};
  for (int k = 0; k < draws; ++k) {
    double e = vary(&s, k, "e", 0.7, 0.5, 0.75), drop = vary(&s, k, "drop", 0.5, 0.45, 0.55);
    play(&s, "dropped_solids");
    for (int i = 0; i < 6; ++i)
      assert_close(names[i], measure_of(s.job, names[i]), e * e * drop, 1e-3);
    end(&s);
  }
}

/* ---- friction and rest ------------------------------------------------------------------------ */

static void off_a_log(void **state) {
  (void)state;
  scene s = {0};
  for (int k = 0; k < draws; ++k) {
    double r = vary(&s, k, "r", 0.1, 0.05, 0.15), R = vary(&s, k, "R", 0.3, 0.2, 0.35);
    double a = vary(&s, k, "a", 0.15, 0.15, 0.4);
    play(&s, "off_a_log");
    near(&s, "log.v[0]", sqrt(g * (r + R)) * pow(4.0 / 7.0 * cos(a), 1.5), 5e-3);
    end(&s);
  }
}

static void cylinder_in_a_groove(void **state) {
  (void)state;
  scene s = {0};
  for (int k = 0; k < draws; ++k) {
    double a = vary(&s, k, "a", 0.6, 0.5, 0.9), b = vary(&s, k, "b", 0.9, 0.3, 1.0);
    double mu = vary(&s, k, "mu", 0.15, 0.0, 0.2), rate = g * (sin(a) - mu * cos(a) / cos(b));
    play(&s, "cylinder_in_a_groove");
    near(&s, "bar.v[0]", rate, 1e-8);
    near(&s, "bar.q[0]", 0.5 * rate, 1e-8);
    end(&s);
  }
}

static void drum_brake(void **state) {
  (void)state;
  scene s = {0};
  for (int k = 0; k < draws; ++k) {
    double m = vary(&s, k, "m", 20.0, 10.0, 22.0), M = vary(&s, k, "M", 8.0, 8.0, 12.0);
    double mu = vary(&s, k, "mu", 0.4, 0.4, 0.7), w = vary(&s, k, "w", 5.0, 2.0, 5.0);
    double stops = w * m * 0.2 / (2.0 * mu * M * g);
    play(&s, "drum_brake");
    near(&s, "drum.v[3]", 0.0, 1e-9);
    near(&s, "axle.angle", 0.5 * w * stops, 2e-3 * w * stops);
    end(&s);
  }
}

static void friction_drive(void **state) {
  (void)state;
  scene s = {0};
  for (int k = 0; k < draws; ++k) {
    double r = vary(&s, k, "r", 0.1, 0.05, 0.15), R = vary(&s, k, "R", 0.25, 0.15, 0.3);
    double m = vary(&s, k, "m", 3.0, 2.0, 5.0), M = 8.0, rim = r * 10.0 * m / (m + M);
    play(&s, "friction_drive");
    near(&s, "driver.v[3]", rim / r, 2e-4 * rim / r); /* the first step closes a gap */
    near(&s, "roller.v[3]", -rim / R, 2e-4 * rim / R);
    end(&s);
  }
}

static void cans_on_a_ramp(void **state) {
  (void)state;
  scene s = {0};
  for (int run = 0; run < draws; ++run) {
    double k = vary(&s, run, "k", 2.0, 1.5, 4.0);
    double more = vary(&s, run, "more", 0.06, 0.03, 0.1), r = 0.04;
    if (run > 0) vary(&s, run, "slope", 0.0, (1.0 - 0.7 * more) / k, (1.0 - 0.3 * more) / k);
    play(&s, "cans_on_a_ramp");
    near(&s, "low.q[2]", k * r, 1e-6);
    assert_true(column(&s, "high.q[2]") < 1.01 * r);
    end(&s);
  }
}

static void pushed_cans(void **state) {
  (void)state;
  scene s = {0};
  for (int run = 0; run < draws; ++run) {
    double k = vary(&s, run, "k", 0.06, 0.04, 0.1);
    double d = vary(&s, run, "d", 0.02, 0.01, 0.05), r = 0.03;
    (void)d;
    play(&s, "pushed_cans");
    near(&s, "can[0].q[2]", k, 1e-2 * k);
    near(&s, "can[1].q[2]", r, 1e-2 * r);
    end(&s);
  }
}

static void pile_of_logs(void **state) {
  (void)state;
  scene s = {0};
  for (int k = 0; k < draws; ++k) {
    double r = vary(&s, k, "r", 0.1, 0.02, 0.5), mu = vary(&s, k, "mu", 0.6, 0.58, 0.9);
    (void)mu;
    play(&s, "pile_of_logs");
    assert_close("kinetic energy", measure_of(s.job, "moves"), 0.0, 1e-12);
    near(&s, "log[0].q[0]", 0.0, 1e-9 * r);
    near(&s, "log[9].q[2]", r * (1.0 + 3.0 * sqrt(3.0)), 1e-9 * r);
    end(&s);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(spun_cylinder),    cmocka_unit_test(race_down_a_ramp),
      cmocka_unit_test(plank_on_rollers), cmocka_unit_test(wheels),
      cmocka_unit_test(rolling_cone),     cmocka_unit_test(rolling_coin),
      cmocka_unit_test(rocking_egg),      cmocka_unit_test(cone_on_its_tip),
      cmocka_unit_test(t_handle),         cmocka_unit_test(balls_and_a_post),
      cmocka_unit_test(dropped_solids),   cmocka_unit_test(off_a_log),
      cmocka_unit_test(drum_brake),       cmocka_unit_test(cylinder_in_a_groove),
      cmocka_unit_test(friction_drive),   cmocka_unit_test(cans_on_a_ramp),
      cmocka_unit_test(pushed_cans),      cmocka_unit_test(pile_of_logs),
      cmocka_unit_test(cart_on_hills)};
  return cmocka_run_group_tests_name("run.round_examples", tests, NULL, NULL);
}
