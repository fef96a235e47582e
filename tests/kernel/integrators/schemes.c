/*
 * Schemes as values: what the functions note, what each scheme refuses, and what systems with a scheme of their own do
 * in a simulation that has another.
 */
#include "static_schemes.h"
#include "support.h"

/* ---- values ---------------------------------------------------------------------------------- */

static void assert_same(nsds_discretisation a, nsds_discretisation b) {
  assert_int_equal(a.kind, b.kind);
  assert_int_equal(a.options, b.options);
  assert_true(a.theta == b.theta && a.gamma == b.gamma && a.gamma_mass == b.gamma_mass);
  assert_int_equal(a.step_ratio, b.step_ratio);
}

/* The braces that tests use in tables are what the functions return. */
static void functions_note_what_they_are_told(void **state) {
  (void)state;
  const unsigned both = NSDS_OPTION_F_AT_THETA | NSDS_OPTION_INPUT_AT_THETA;
  const nsds_discretisation braces[] = {EULER_MOREAU(0.2),
                                        THETA_GAMMA(0.0, 0.7),
                                        FULL_THETA_GAMMA(0.3, 0.0),
                                        ZERO_ORDER_HOLD,
                                        MOREAU_JEAN(0.4, 0.6),
                                        SCHATZMAN_PAOLI(0.0),
                                        D1_MINUS,
                                        RATTLE,
                                        EULER_MOREAU_WITH(0.1, both),
                                        THETA_GAMMA_WITH(0.5, 0.6, NSDS_OPTION_INITIAL_LAMBDA),
                                        FULL_THETA_GAMMA_WITH(0.5, 0.6, NSDS_OPTION_F_AT_THETA),
                                        MOREAU_JEAN_WITH(0.5, 1.0, NSDS_OPTION_PREDICT_ONCE)};
  const nsds_discretisation made[] = {
      nsds_euler_moreau(0.2),
      nsds_theta_gamma(0.0, 0.7),
      nsds_full_theta_gamma(0.3, 0.0),
      nsds_zero_order_hold(),
      nsds_moreau_jean(0.4, 0.6),
      nsds_schatzman_paoli(0.0),
      nsds_d1_minus(),
      nsds_rattle(),
      nsds_with_f_at_theta(nsds_with_input_at_theta(nsds_euler_moreau(0.1))),
      nsds_with_initial_lambda(nsds_theta_gamma(0.5, 0.6)),
      nsds_with_f_at_theta(nsds_full_theta_gamma(0.5, 0.6)),
      nsds_with_predict_once(nsds_moreau_jean(0.5, 1.0))};
  for (size_t k = 0; k < sizeof made / sizeof *made; ++k) assert_same(made[k], braces[k]);
  nsds_discretisation all =
      nsds_with_step_ratio(nsds_with_gamma_mass(nsds_moreau_jean(0.5, 1.0), 0.0), 7);
  assert_int_equal(all.options, NSDS_OPTION_GAMMA_MASS | NSDS_OPTION_STEP_RATIO);
  assert_true(all.gamma_mass == 0.0 && all.step_ratio == 7 && all.gamma == 1.0);
}

/* ---- refusals -------------------------------------------------------------------------------- */

typedef struct refusal {
  nsds_discretisation scheme;
  const char *words[3];
} refusal;

static void each_option_has_its_schemes(void **state) {
  (void)state;
  const nsds_discretisation plain[] = {nsds_euler_moreau(0.5),
                                       nsds_theta_gamma(0.5, 0.5),
                                       nsds_full_theta_gamma(0.5, 0.5),
                                       nsds_zero_order_hold(),
                                       nsds_moreau_jean(0.5, 0.5),
                                       nsds_schatzman_paoli(0.5),
                                       nsds_d1_minus(),
                                       nsds_rattle()};
  static const struct {
    const char *name;
    unsigned schemes; /* bits of kinds */
  } option[] = {{"nsds_with_gamma_mass()", 1u << NSDS_MOREAU_JEAN},
                {"nsds_with_predict_once()", 1u << NSDS_MOREAU_JEAN},
                {"nsds_with_input_at_theta()", 1u << NSDS_EULER_MOREAU | 1u << NSDS_THETA_GAMMA},
                {"nsds_with_f_at_theta()",
                 1u << NSDS_EULER_MOREAU | 1u << NSDS_THETA_GAMMA | 1u << NSDS_FULL_THETA_GAMMA},
                {"nsds_with_initial_lambda()", 1u << NSDS_THETA_GAMMA}};
  for (int o = 0; o < 5; ++o)
    for (size_t k = 0; k < sizeof plain / sizeof *plain; ++k) {
      nsds_discretisation given = o == 0   ? nsds_with_gamma_mass(plain[k], 0.5)
                                  : o == 1 ? nsds_with_predict_once(plain[k])
                                  : o == 2 ? nsds_with_input_at_theta(plain[k])
                                  : o == 3 ? nsds_with_f_at_theta(plain[k])
                                           : nsds_with_initial_lambda(plain[k]);
      nsds_model *model = nsds_model_create(NULL);
      bool first = plain[k].kind < NSDS_MOREAU_JEAN;
      nsds_time_stepping_def def = {.t1 = 1.0, .h = 0.1};
      if (first) def.first_order = given;
      else def.second_order = given;
      bool valid = option[o].schemes >> plain[k].kind & 1u;
      nsds_simulation *s = nsds_time_stepping(model, &def);
      assert_true((s != NULL) == valid);
      const char *words[] = {first ? "first_order" : "second_order", option[o].name, "valid are"};
      if (!valid) {
        assert_int_equal(nsds_error(nsds_model_context(model)), NSDS_ERROR_ARGUMENT);
        assert_words(nsds_error_message(nsds_model_context(model)), words, 3);
      }
      nsds_model_destroy(model);
    }
}

static void systems_refuse(void **state) {
  (void)state;
  const refusal refusals[] = {
      {nsds_euler_moreau(0.5), {"'mass'", "nsds_euler_moreau()", "order 1"}},
      {nsds_with_predict_once(nsds_moreau_jean(0.5, 1.0)),
       {"'mass'", "nsds_with_predict_once()", "nsds_time_stepping()"}},
      {nsds_with_step_ratio(nsds_schatzman_paoli(0.5), 2),
       {"'mass'", "nsds_schatzman_paoli()", "nsds_with_step_ratio()"}},
      {nsds_with_step_ratio(nsds_moreau_jean(0.5, 1.0), 0),
       {"'mass'", "step_ratio", "[1, 1000000]"}},
      {nsds_moreau_jean(0.5, 1.1), {"'mass'", "gamma", "1.1"}},
      {{.theta = 0.5}, {"'mass'", "no scheme", "nsds_moreau_jean()"}},
      {{.gamma_mass = 0.5}, {"'mass'", "no scheme", "nsds_moreau_jean()"}},
      {{.kind = NSDS_MOREAU_JEAN, .options = 64}, {"'mass'", "options 0x40", "nsds_scheme_option"}},
      {{.options = NSDS_OPTION_STEP_RATIO}, {"'mass'", "no scheme", "nsds_d1_minus()"}}};
  for (size_t k = 0; k < sizeof refusals / sizeof *refusals; ++k) {
    nsds_model *model = nsds_model_create(NULL);
    nsds_ds *ds = nsds_lagrangian_linear(
        model, &(nsds_lagrangian_linear_def){.name = "mass", .ndof = 1, .mass = (double[]){1.0}});
    assert_true(nsds_ds_discretise(ds, refusals[k].scheme) < 0);
    assert_words(nsds_error_message(nsds_model_context(model)), refusals[k].words, 3);
    nsds_error_clear(nsds_model_context(model));
    if (refusals[k].scheme.kind != NSDS_SCHEME_UNSAID && refusals[k].scheme.options != 64) {
      nsds_model_destroy(model);
      continue;
    }
    const char *words[] = {"second_order", refusals[k].words[1], refusals[k].words[2]};
    assert_null(nsds_time_stepping(
        model, &(nsds_time_stepping_def){.t1 = 1.0, .h = 0.1, .second_order = refusals[k].scheme}));
    assert_words(nsds_error_message(nsds_model_context(model)), words, 3);
    nsds_model_destroy(model);
  }
}

/* What all systems of an order share, or none has. */
static void schemes_that_do_not_mix(void **state) {
  (void)state;
  static const struct {
    nsds_discretisation all, one;
  } pairs[] = {{MOREAU_JEAN(0.5, 1.0), SCHATZMAN_PAOLI(0.5)},
               {MOREAU_JEAN(0.5, 1.0), D1_MINUS},
               {SCHATZMAN_PAOLI(0.5), MOREAU_JEAN(0.5, 1.0)},
               {D1_MINUS, MOREAU_JEAN(0.5, 1.0)},
               {D1_MINUS, SCHATZMAN_PAOLI(0.5)},
               {MOREAU_JEAN(0.5, 1.0), RATTLE},
               {RATTLE, MOREAU_JEAN(0.5, 1.0)},
               {RATTLE, D1_MINUS}};
  for (size_t k = 0; k < sizeof pairs / sizeof *pairs; ++k) {
    nsds_model *model = nsds_model_create(NULL);
    nsds_ds *ds = nsds_lagrangian_linear(
        model, &(nsds_lagrangian_linear_def){.name = "mass", .ndof = 1, .mass = (double[]){1.0}});
    assert_ok(model, nsds_ds_discretise(ds, pairs[k].one));
    assert_null(nsds_time_stepping(
        model, &(nsds_time_stepping_def){.t1 = 1.0, .h = 0.1, .second_order = pairs[k].all}));
    assert_int_equal(nsds_error(nsds_model_context(model)), NSDS_ERROR_UNSUPPORTED);
    const char *words[] = {"'mass'", "of its own", "valid is"};
    assert_words(nsds_error_message(nsds_model_context(model)), words, 3);
    nsds_model_destroy(model);
  }
}

/* ---- schemes of their own -------------------------------------------------------------------- */

/* dx/dt = -a x, apart: each scheme gives its factor per step. */
static double factor(const nsds_discretisation *scheme, double ah) {
  if (scheme->kind == NSDS_ZERO_ORDER_HOLD) return exp(-ah);
  return (1.0 - (1.0 - scheme->theta) * ah) / (1.0 + scheme->theta * ah);
}

static void first_order_schemes_mix(void **state) {
  (void)state;
  const double a = 3.0, h = 0.1;
  const nsds_discretisation own[] = {
      nsds_euler_moreau(0.0), nsds_theta_gamma(0.25, 0.5), nsds_zero_order_hold(), {0}};
  const nsds_discretisation all[] = {nsds_euler_moreau(1.0), nsds_zero_order_hold()};
  for (int s = 0; s < 2; ++s) {
    nsds_model *model = nsds_model_create(NULL);
    nsds_ds *ds[4];
    for (int k = 0; k < 4; ++k) {
      ds[k] = nsds_first_order_linear(
          model,
          &(nsds_first_order_linear_def){.n = 1, .x0 = (double[]){1.0}, .A = (double[]){-a}});
      assert_ok(model, nsds_ds_discretise(ds[k], own[k]));
    }
    nsds_simulation *sim = nsds_time_stepping(
        model, &(nsds_time_stepping_def){.t1 = 1.0, .h = h, .first_order = all[s]});
    assert_sound(model);
    for (int n = 1; nsds_step(sim) == NSDS_OK; ++n)
      for (int k = 0; k < 4; ++k)
        assert_near(nsds_x(ds[k])[0], pow(factor(k < 3 ? &own[k] : &all[s], a * h), n), 1e-14);
    assert_sound(model);
    nsds_model_destroy(model);
  }
}

/* Systems of both orders in one model, each order with its theta. */
static void each_order_has_its_theta(void **state) {
  (void)state;
  const double a = 2.0, h = 0.1, k = 9.0, one[] = {1.0};
  const double theta[][2] = {{0.0, 1.0}, {1.0, 0.0}, {0.25, 0.75}};
  for (int c = 0; c < 3; ++c) {
    double first = theta[c][0], second = theta[c][1], q = 1.0, v = 0.0;
    nsds_model *model = nsds_model_create(NULL);
    nsds_ds *x = nsds_first_order_linear(
        model, &(nsds_first_order_linear_def){.n = 1, .x0 = one, .A = (double[]){-a}});
    nsds_ds *mass = nsds_lagrangian_linear(
        model, &(nsds_lagrangian_linear_def){.ndof = 1, .q0 = one, .mass = one, .stiffness = &k});
    nsds_simulation *s = nsds_time_stepping(
        model, &(nsds_time_stepping_def){.t1 = 1.0,
                                         .h = h,
                                         .first_order = nsds_euler_moreau(first),
                                         .second_order = nsds_moreau_jean(second, 1.0)});
    assert_sound(model);
    nsds_discretisation scheme = nsds_euler_moreau(first);
    for (int n = 1; nsds_step(s) == NSDS_OK; ++n) {
      double next = v - h * k * (q + h * second * v) / (1.0 + h * h * second * second * k);
      q += h * (second * next + (1.0 - second) * v);
      v = next;
      assert_near(nsds_x(x)[0], pow(factor(&scheme, a * h), n), 1e-14);
      assert_near(nsds_q(mass)[0], q, 1e-13);
      assert_near(nsds_v(mass)[0], v, 1e-13);
    }
    assert_sound(model);
    nsds_model_destroy(model);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(functions_note_what_they_are_told),
                                     cmocka_unit_test(each_option_has_its_schemes),
                                     cmocka_unit_test(systems_refuse),
                                     cmocka_unit_test(schemes_that_do_not_mix),
                                     cmocka_unit_test(first_order_schemes_mix),
                                     cmocka_unit_test(each_order_has_its_theta)};
  return cmocka_run_group_tests_name("kernel.schemes", tests, NULL, NULL);
}
