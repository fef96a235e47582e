/*
 * nsds_simulation_velocity_error() against velocities known in closed form, judged in long double:
 * it bounds the error in the energy norm, and is not far from rounding where all is well.
 *
 * A train: two heavy bodies joined by light ones, every joint pinned (equal velocities). The first
 * moves, the others rest; the step is an impact after which all move with
 *
 *   v = sum m_k v_k / sum m_k.
 *
 * Light bodies carry the momentum of the heavy ones, so that it is lost in their rounding: at a
 * mass ratio of 1e12 velocities are off by 6e-5 where the certificate of the solution says 6e-17.
 */
#include "support.h"
#include "worlds.h"

#include <float.h>

enum { most_bodies = 40 };

static const double between[2] = {-1.0, 1.0};

static nsds_ds *body_1d(nsds_model *model, double mass, double q0, double v0, double force) {
  return nsds_lagrangian_linear(
      model, &(nsds_lagrangian_linear_def){
                 .ndof = 1, .mass = &mass, .q0 = &q0, .v0 = &v0, .fext = &force});
}

static nsds_relation *distance(nsds_model *model) {
  return nsds_lagrangian_linear_relation(
      model, &(nsds_lagrangian_linear_relation_def){.ny = 1, .nq = 2, .H = between});
}

/* |v - v*| / |v*| in the energy norm, all v* alike. */
static double true_error(int n, nsds_ds *const *body, const double *mass, long double known) {
  long double error = 0.0L, whole = 0.0L;
  for (int k = 0; k < n; ++k) {
    long double off = (long double)nsds_v(body[k])[0] - known;
    error += mass[k] * off * off;
    whole += mass[k] * known * known;
  }
  return (double)sqrtl(error / whole);
}

typedef struct figures {
  double error, bound, residual;
} figures;

/* A train of two heavy bodies of mass 1 with `light` ones of mass 1/ratio between. */
static figures train(int light, double ratio, const char *solver, double tolerance) {
  int n = light + 2;
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *body[most_bodies];
  double mass[most_bodies];
  long double momentum = 0.0L, whole = 0.0L;
  nsds_relation *pin = distance(model);
  nsds_law *law = nsds_equality(model);
  for (int k = 0; k < n; ++k) {
    mass[k] = k == 0 || k == n - 1 ? 1.0 : 1.0 / ratio;
    body[k] = body_1d(model, mass[k], 0.0, k == 0 ? 1.0 : 0.0, 0.0);
    momentum += k == 0 ? mass[k] : 0.0L;
    whole += mass[k];
    if (k > 0) nsds_connect(model, pin, law, 2, body + k - 1);
  }
  nsds_simulation *s = run(
      model,
      &(nsds_time_stepping_def){.t1 = 1.0, .h = 0.1, .solver = solver, .tolerance = tolerance}, 1);
  figures f = {true_error(n, body, mass, momentum / whole), nsds_simulation_velocity_error(s),
               nsds_simulation_info(s)->solver.residual};
  assert_sound(model);
  nsds_model_destroy(model);
  return f;
}

static void trains_of_all_ratios(void **state) {
  (void)state;
  double lost = 0.0;
  for (int light = 1; light <= 36; light = 3 * light + light / 9)
    for (double ratio = 1.0; ratio < 2e12; ratio *= 1e3) {
      figures f = train(light, ratio, NULL, 0.0);
      print_message("             %2d light, ratio %.0e: error %.1e, bound %.1e, certified %.0e\n",
                    light, ratio, f.error, f.bound, f.residual);
      assert_between(f.error, 0.0, f.bound);
      double rows = light + 2.0; /* each with a dozen roundings, which may all add up */
      assert_true(f.bound <= rows * rows * 12.0 * DBL_EPSILON * ratio);
      assert_true(f.residual <= 1e-15);
      lost = fmax(lost, f.error);
    }
  assert_true(lost > 1e-6); /* the bound has something to bound */
}

/* What a solver leaves is counted, too. */
static void loose_tolerances(void **state) {
  (void)state;
  double worst = 0.0;
  for (int light = 1; light <= 8; ++light)
    for (double tolerance = 1e-3; tolerance > 1e-9; tolerance *= 0.1) {
      figures f = train(light, 1.0, "projected_gradient", tolerance);
      assert_between(f.error, 0.0, f.bound);
      assert_true(f.bound <= 1e3 * fmax(f.residual, DBL_EPSILON));
      worst = fmax(worst, f.error);
    }
  print_message("             largest error %.1e\n", worst);
  assert_true(worst > 1e-6);
}

/* ---- where all is well ---- */

static const double harmless = 1e3 * DBL_EPSILON;

/* A plate falls on eight supports and rebounds, v = (e, 0): six rows say nothing new, and their
 * directions are rounded. */
static void redundant_supports(void **state) {
  (void)state;
  enum { supports = 8 };
  nsds_model *model = nsds_model_create(NULL);
  static const double mass[4] = {3.0, 0.0, 0.0, 0.7}, v0[2] = {-1.0, 0.0};
  nsds_ds *plate = nsds_lagrangian_linear(
      model, &(nsds_lagrangian_linear_def){.ndof = 2, .mass = mass, .v0 = v0});
  nsds_law *law = nsds_newton_impact(model, 0.5);
  for (int k = 0; k < supports; ++k) {
    const double H[2] = {1.0, sin(k + 0.3)};
    nsds_connect(model,
                 nsds_lagrangian_linear_relation(
                     model, &(nsds_lagrangian_linear_relation_def){.ny = 1, .nq = 2, .H = H}),
                 law, 1, &plate);
  }
  nsds_simulation *s = run(model, &(nsds_time_stepping_def){.t1 = 1.0, .h = 0.1}, 1);
  assert_int_equal(nsds_simulation_info(s)->active, supports);
  double error =
      hypot(sqrt(3.0) * (nsds_v(plate)[0] - 0.5), sqrt(0.7) * nsds_v(plate)[1]) / sqrt(3.0);
  double bound = nsds_simulation_velocity_error(s);
  print_message("             error %.1e, bound %.1e\n", error, bound);
  assert_between(bound, error, harmless);
  nsds_model_destroy(model);
}

static void coulomb_block(void *self, nsds_block *block) {
  (void)self;
  block->set = NSDS_SET_COULOMB;
  block->mu = 0.3;
}

/* A body thrown at a floor slides on: v = (0, 3 - 0.3). */
static void sliding(void **state) {
  (void)state;
  static const nsds_law_ops coulomb = {.type = "friction", .block = coulomb_block};
  static const double mass[4] = {2.0, 0.0, 0.0, 2.0}, v0[2] = {-1.0, 3.0},
                      H[4] = {1.0, 0.0, 0.0, 1.0};
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *body = nsds_lagrangian_linear(
      model, &(nsds_lagrangian_linear_def){.ndof = 2, .mass = mass, .v0 = v0});
  nsds_connect(
      model,
      nsds_lagrangian_linear_relation(
          model, &(nsds_lagrangian_linear_relation_def){.ny = 2, .nq = 2, .H = H}),
      nsds_custom_law(model, &(nsds_custom_law_def){.ops = &coulomb, .size = 2, .ngap = 1}), 1,
      &body);
  nsds_simulation *s =
      run(model, &(nsds_time_stepping_def){.t1 = 1.0, .h = 0.1, .tolerance = 1e-14}, 1);
  double error = hypot(nsds_v(body)[0], nsds_v(body)[1] - 2.7) / 2.7;
  assert_between(nsds_simulation_velocity_error(s), error, harmless);
  nsds_model_destroy(model);
}

/* Without a load nothing is in doubt but the last bits; in all worlds the figure stays that of
 * rounding, or of the tolerance, times what a well-scaled model may do to them. */
static void worlds_are_known(void **state) {
  (void)state;
  for (int k = 0; k < world_count; ++k) {
    nsds_model *model = nsds_model_create(NULL);
    worlds[k].build(model);
    nsds_simulation *s =
        nsds_time_stepping(model, &(nsds_time_stepping_def){.t1 = 1e3, .h = worlds[k].h});
    assert_sound(model);
    double worst = 0.0;
    for (int i = 0; i < worlds[k].steps; ++i) {
      assert_ok(model, nsds_step(s));
      double bound = nsds_simulation_velocity_error(s);
      assert_true(bound >= 0.0 && bound < INFINITY);
      worst = fmax(worst, bound);
    }
    print_message("             %s: at most %.1e\n", worlds[k].name, worst);
    assert_true(worst <= 1e-6);
    nsds_model_destroy(model);
  }
}

/* ---- where it is not known ---- */

static void without_a_problem(void **state) {
  (void)state;
  assert_true(isnan(nsds_simulation_velocity_error(NULL)));
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *body = body_1d(model, 1.0, 0.0, 1.0, 0.0);
  nsds_simulation *s = nsds_time_stepping(model, &(nsds_time_stepping_def){.t1 = 1.0, .h = 0.1});
  assert_true(isnan(nsds_simulation_velocity_error(s)));
  assert_ok(model, nsds_step(s));
  assert_between(nsds_simulation_velocity_error(s), 0.0, harmless);
  static const double one = 1.0;
  nsds_connect(model,
               nsds_lagrangian_linear_relation(
                   model, &(nsds_lagrangian_linear_relation_def){.ny = 1, .nq = 1, .H = &one}),
               nsds_equality(model), 1, &body);
  assert_true(isnan(nsds_simulation_velocity_error(s)));
  assert_ok(model, nsds_step(s));
  assert_between(nsds_simulation_velocity_error(s), 0.0, harmless);
  assert_sound(model);
  nsds_model_destroy(model);
}

static void first_order_systems(void **state) {
  (void)state;
  nsds_model *model = nsds_model_create(NULL);
  nsds_first_order(model, &(nsds_first_order_def){.n = 1});
  nsds_simulation *s = run(model, &(nsds_time_stepping_def){.t1 = 1.0, .h = 0.1}, 1);
  assert_true(isnan(nsds_simulation_velocity_error(s)));
  nsds_model_destroy(model);
}

/* Short of memory it is not known either, and nothing is lost. */
static void failing_allocations(void **state) {
  (void)state;
  meter m = {0};
  nsds_context *context = meter_context(&m);
  nsds_model *model = nsds_model_create(context);
  nsds_ds *pair[2] = {body_1d(model, 1.0, 0.0, 1.0, 0.0), body_1d(model, 2.0, 0.0, 0.0, 0.0)};
  nsds_connect(model, distance(model), nsds_equality(model), 2, pair);
  nsds_simulation *s = run(model, &(nsds_time_stepping_def){.t1 = 1.0, .h = 0.1}, 1);
  int failures = 0;
  double bound = NAN;
  for (; failures < 100; ++failures) {
    m.fail_at = m.calls + 1 + failures;
    long live = m.live;
    m.failed = false;
    bound = nsds_simulation_velocity_error(s);
    if (!m.failed) break;
    assert_true(isnan(bound));
    assert_true(m.live <= live + 1); /* the certifier's room is kept */
    nsds_error_clear(context);
  }
  assert_true(failures >= 3);
  assert_between(bound, 0.0, harmless);
  nsds_model_destroy(model);
  nsds_context_destroy(context);
  assert_int_equal(m.live, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(trains_of_all_ratios), cmocka_unit_test(loose_tolerances),
      cmocka_unit_test(redundant_supports),   cmocka_unit_test(sliding),
      cmocka_unit_test(worlds_are_known),     cmocka_unit_test(without_a_problem),
      cmocka_unit_test(first_order_systems),  cmocka_unit_test(failing_allocations),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
