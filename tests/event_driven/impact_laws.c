/*
 * Laws of impact: where they agree, which go together, joints, what is refused.
 */
#include "chain.h"

/* ---- one contact ----------------------------------------------------------------------------- */

/* u+ = -e u-, by every law, for every e, flight after flight. */
static void one_contact(void **state) {
  (void)state;
  static const double e[] = {0.0, 1e-13, 0.1, 0.5, 0.9, 1.0};
  for (size_t k = 0; k < sizeof e / sizeof *e; ++k)
    for (int law = NEWTON; law <= DISTRIBUTING; ++law) {
      chain c = chain_equal(2, (impact_law)law, e[k], 1.5);
      c.mass[1] = 3.0;
      c.v[1] = -1.0;
      outcome o = chain_strike(&c);
      double given = law == DISTRIBUTING && e[k] < 1e-12 ? 0.0 : e[k];
      assert_near(o.v[1] - o.v[0], 2.0 * given, 1e-15);
      assert_near(o.P[0], 2.0 * (1.0 + given) * 0.75, 1e-15);
      chain_check(&c, &o);
    }
}

/* A D of impulses softens one contact by every law alike: P = -(1 + e) u- / (A + D), and again while the contact still
 * approaches. */
static void softened_by_a_damper(void **state) {
  (void)state;
  for (int law = NEWTON; law <= DISTRIBUTING; ++law)
    for (int k = 0; k < 12; ++k) {
      const double e = 0.1 * (k % 6), D = k < 6 ? 0.05 : 0.3, m = 2.0;
      nsds_model *model = nsds_model_create(NULL);
      nsds_ds *ds = nsds_lagrangian_linear(
          model, &(nsds_lagrangian_linear_def){
                     .ndof = 1, .mass = &m, .q0 = (double[]){1.0}, .v0 = (double[]){-1.5}});
      nsds_relation *r = nsds_lagrangian_linear_relation(
          model,
          &(nsds_lagrangian_linear_relation_def){.ny = 1, .nq = 1, .H = (double[]){1.0}, .D = &D});
      nsds_law *own =
          law == NEWTON ? nsds_newton_impact(model, e)
          : law == POISSON
              ? nsds_poisson_impact(model, e)
              : nsds_distributing_impact(
                    model, &(nsds_distributing_impact_def){.restitution = e, .stiffness = 1.0});
      nsds_connect(model, r, own, 1, &ds);
      nsds_simulation *s = nsds_event_driven(model, &(nsds_event_driven_def){.t1 = 1.0});
      assert_sound(model);
      assert_ok(model, nsds_step(s));
      double u = -1.5;
      for (int pass = 0; pass < 40 && u < 0.0; ++pass) u -= (1.0 + e) * u / m / (1.0 / m + D);
      assert_near(nsds_v(ds)[0], u, 1e-9);
      nsds_model_destroy(model);
    }
}

static void bounces(void **state) {
  (void)state;
  double g = 9.81, e = 0.8;
  for (int law = NEWTON; law <= DISTRIBUTING; ++law) {
    nsds_model *model = nsds_model_create(NULL);
    nsds_ds *ds =
        nsds_lagrangian_linear(model, &(nsds_lagrangian_linear_def){.ndof = 1,
                                                                    .mass = (double[]){2.0},
                                                                    .q0 = (double[]){1.0},
                                                                    .fext = (double[]){-2.0 * g}});
    nsds_relation *floor = nsds_lagrangian_linear_relation(
        model, &(nsds_lagrangian_linear_relation_def){.ny = 1, .nq = 1, .H = (double[]){1.0}});
    chain c = chain_equal(2, (impact_law)law, e, 1.5);
    nsds_connect(model, floor, chain_law(model, &c, 0), 1, &ds);
    nsds_simulation *s = nsds_event_driven(model, &(nsds_event_driven_def){.t1 = 10.0});
    assert_sound(model);
    double t = sqrt(2.0 / g), v = g * t, limit = NAN;
    for (int k = 0; k < 12; ++k) {
      assert_ok(model, nsds_step(s));
      assert_near(nsds_time(s), t, 1e-11);
      t += 2.0 * (v *= e) / g;
    }
    nsds_status status;
    while ((status = nsds_step(s)) == NSDS_OK)
      if (nsds_simulation_event(s)->kind & NSDS_EVENT_ACCUMULATION)
        limit = nsds_simulation_event(s)->row[0].limit_time;
    assert_int_equal(status, NSDS_END);
    assert_near(limit, sqrt(2.0 / g) * (1.0 + e) / (1.0 - e), 1e-8);
    nsds_model_destroy(model);
  }
}

/* A bar falls flat on two props that act on each other: both rebound with e, whatever the law, the
 * compliance and the exponent. */
static void bar_on_two_props(void **state) {
  (void)state;
  for (int which = 0; which < 6; ++which)
    for (int j = 0; j <= 4; ++j) {
      double e = 0.25 * j;
      nsds_model *model = nsds_model_create(NULL);
      nsds_ds *bar = nsds_lagrangian_linear(
          model, &(nsds_lagrangian_linear_def){.ndof = 2,
                                               .mass = (double[]){2.0, 0.0, 0.0, 0.3},
                                               .v0 = (double[]){-1.5, 0.0}});
      chain c =
          chain_equal(2, which < 2 ? (impact_law)which : DISTRIBUTING, e, which % 2 ? 1.5 : 1.0);
      c.bi_stiffness = which >= 4;
      nsds_law *law = chain_law(model, &c, 0);
      for (int side = -1; side <= 1; side += 2) {
        nsds_relation *r = nsds_lagrangian_linear_relation(
            model,
            &(nsds_lagrangian_linear_relation_def){.ny = 1, .nq = 2, .H = (double[]){1.0, side}});
        nsds_connect(model, r, law, 1, &bar);
      }
      nsds_simulation *s = nsds_event_driven(model, &(nsds_event_driven_def){.t1 = 1.0});
      assert_ok(model, nsds_step(s));
      assert_near(nsds_v(bar)[0], 1.5 * e, 1e-10);
      assert_near(nsds_v(bar)[1], 0.0, 1e-10);
      nsds_model_destroy(model);
    }
}

/* ---- what goes with what --------------------------------------------------------------------- */

/* A ball of two parts in an equality moves as one; parts that come with speeds of their own but no
 * momentum are joined first, where the law does not remember their speeds. */
static void joints(void **state) {
  (void)state;
  for (int law = NEWTON; law <= DISTRIBUTING; ++law) {
    chain c = chain_equal(3, (impact_law)law, 0.7, 1.5);
    outcome whole = chain_strike(&c);
    nsds_model *model = nsds_model_create(NULL);
    static const double mass[4] = {1.0, 0.25, 0.75, 1.0};
    double v[4] = {1.0, law == NEWTON ? 0.0 : 0.3, law == NEWTON ? 0.0 : -0.1, 0.0};
    nsds_ds *part[4];
    nsds_relation *gap = chain_gap(model);
    for (int i = 0; i < 4; ++i) part[i] = chain_ball(model, mass[i], v[i]);
    nsds_connect(model, gap, chain_law(model, &c, 0), 2, &part[0]);
    for (int k = 0; k < 2; ++k) /* one too many */
      nsds_connect(model, gap, nsds_equality(model), 2, &part[1]);
    nsds_connect(model, gap, chain_law(model, &c, 1), 2, &part[2]);
    nsds_simulation *s = nsds_event_driven(model, &(nsds_event_driven_def){.t1 = 1.0});
    assert_ok(model, nsds_step(s));
    for (int i = 0; i < 4; ++i) assert_near(nsds_v(part[i])[0], whole.v[i < 2 ? i : i - 1], 1e-10);
    nsds_model_destroy(model);
  }
}

/* Contacts elsewhere have laws of their own, also at the same instant; one impact has one law. */
static void laws_apart(void **state) {
  (void)state;
  nsds_model *model = nsds_model_create(NULL);
  nsds_relation *gap = chain_gap(model);
  nsds_ds *balls[12];
  for (int i = 0; i < 12; ++i) balls[i] = chain_ball(model, 1.0, i % 3 == 0 ? 1.0 : 0.0);
  for (int law = 0; law < 3; ++law) {
    chain c = chain_equal(3, (impact_law)law, 0.6, 1.5);
    for (int i = 0; i < 2; ++i)
      nsds_connect(model, gap, chain_law(model, &c, i), 2, &balls[3 * law + i]);
  }
  for (int i = 0; i < 2; ++i)
    nsds_connect(model, gap, nsds_complementarity(model), 2, &balls[9 + i]);
  nsds_simulation *s = nsds_event_driven(model, &(nsds_event_driven_def){.t1 = 1.0});
  assert_ok(model, nsds_step(s));
  for (int law = 0; law < 4; ++law) {
    chain c = chain_equal(3, law < 3 ? (impact_law)law : NEWTON, law < 3 ? 0.6 : 0.0, 1.5);
    outcome o = chain_strike(&c);
    for (int i = 0; i < 3; ++i) assert_near(nsds_v(balls[3 * law + i])[0], o.v[i], 1e-13);
  }
  nsds_model_destroy(model);
}

static nsds_law *second(nsds_model *model, int which) {
  switch (which) {
  case 0: return nsds_newton_impact(model, 0.5);
  case 1: return nsds_poisson_impact(model, 0.5);
  case 2: return nsds_distributing_impact(model, &(nsds_distributing_impact_def){.stiffness = 1.0});
  case 3: return nsds_complementarity(model);
  default:
    return nsds_distributing_impact(
        model, &(nsds_distributing_impact_def){.stiffness = 1.0, .exponent = 1.5});
  }
}

static void laws_together(void **state) {
  (void)state;
  for (int a = 0; a < 3; ++a)
    for (int b = 0; b < 5; ++b) {
      nsds_model *model = nsds_model_create(NULL);
      nsds_relation *gap = chain_gap(model);
      nsds_ds *balls[3];
      for (int i = 0; i < 3; ++i) balls[i] = chain_ball(model, 1.0, i == 0);
      nsds_connect(model, gap, second(model, a), 2, balls);
      nsds_connect(model, gap, second(model, b), 2, balls + 1);
      nsds_simulation *s = nsds_event_driven(model, &(nsds_event_driven_def){.t1 = 1.0});
      assert_sound(model);
      bool fits = a == b || (b == 3 && a < 2);
      assert_status(model, nsds_step(s), fits ? NSDS_OK : NSDS_ERROR_UNSUPPORTED);
      if (!fits) {
        const char *words[] = {"meet in one impact", "#0", "#1", b == 3 ? "complementarity" : NULL};
        assert_words(nsds_error_message(nsds_model_context(model)), words, 4);
        assert_near(nsds_v(balls[0])[0], 1.0, 0.0);
      }
      nsds_model_destroy(model);
    }
}

/* A ball that a joint holds and another that strikes it. */
static void held_by_a_joint(void **state) {
  (void)state;
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *one = chain_ball(model, 1.0, 0.0);
  nsds_relation *wall = nsds_lagrangian_linear_relation(
      model, &(nsds_lagrangian_linear_relation_def){.ny = 1, .nq = 1, .H = (double[]){1.0}});
  nsds_connect(model, wall, nsds_equality(model), 1, &one);
  nsds_ds *pair[2] = {chain_ball(model, 1.0, 1.0), one};
  chain c = chain_equal(2, DISTRIBUTING, 0.5, 1.0);
  nsds_connect(model, chain_gap(model), chain_law(model, &c, 0), 2, pair);
  nsds_simulation *s = nsds_event_driven(model, &(nsds_event_driven_def){.t1 = 1.0});
  assert_ok(model, nsds_step(s));
  assert_near(nsds_v(pair[0])[0], -0.5, 1e-15);
  assert_near(nsds_v(one)[0], 0.0, 1e-15);
  nsds_model_destroy(model);
}

/* ---- refusals -------------------------------------------------------------------------------- */

static void assert_law_refused(nsds_model *model, nsds_law *law, const char *word) {
  assert_null(law);
  assert_int_equal(nsds_error(nsds_model_context(model)), NSDS_ERROR_VALUE);
  assert_words(nsds_error_message(nsds_model_context(model)), &word, 1);
  nsds_error_clear(nsds_model_context(model));
}

static void definitions(void **state) {
  (void)state;
  static const struct {
    nsds_distributing_impact_def def;
    const char *word;
  } wrong[] = {
      {{.stiffness = 0.0}, "stiffness is 0"},
      {{.stiffness = -1.0}, "stiffness is -1"},
      {{.stiffness = INFINITY}, "stiffness is inf"},
      {{.stiffness = NAN}, "stiffness is"},
      {{.stiffness = 1.0, .exponent = 0.5}, "exponent is 0.5"},
      {{.stiffness = 1.0, .exponent = -1.0}, "exponent is -1"},
      {{.stiffness = 1.0, .exponent = 11.0}, "exponent is 11"},
      {{.stiffness = 1.0, .exponent = NAN}, "exponent is"},
      {{.stiffness = 1.0, .restitution = 1.1}, "restitution is 1.1"},
      {{.stiffness = 1.0, .restitution = -0.1}, "restitution is -0.1"},
      {{.stiffness = 1.0, .restitution = NAN}, "restitution is"},
  };
  nsds_model *model = nsds_model_create(NULL);
  for (size_t k = 0; k < sizeof wrong / sizeof *wrong; ++k)
    assert_law_refused(model, nsds_distributing_impact(model, &wrong[k].def), wrong[k].word);
  assert_law_refused(model, nsds_poisson_impact(model, 1.5), "e is 1.5");
  assert_law_refused(model, nsds_poisson_impact(model, -0.5), "e is -0.5");
  assert_law_refused(model, nsds_poisson_impact(model, NAN), "valid are values in [0, 1]");
  assert_null(nsds_poisson_impact(NULL, 0.5));
  assert_null(nsds_distributing_impact(NULL, &wrong[0].def));
  assert_null(nsds_distributing_impact(model, NULL));
  nsds_model_destroy(model);
}

static void assert_unsupported(nsds_model *model, const char *law) {
  nsds_context *context = nsds_model_context(model);
  const char *words[] = {law, "time stepping"};
  assert_int_equal(nsds_error(context), NSDS_ERROR_UNSUPPORTED);
  assert_words(nsds_error_message(context), words, 2);
  nsds_error_clear(context);
}

/* Time stepping refuses the laws, when it is made and when they come; so do contact sets. */
static void time_stepping(void **state) {
  (void)state;
  for (int which = 1; which < 3; ++which) {
    const char *name = which == 1 ? "nsds_poisson_impact" : "nsds_distributing_impact";
    nsds_model *model = nsds_model_create(NULL);
    nsds_ds *pair[2] = {chain_ball(model, 1.0, 1.0), chain_ball(model, 1.0, 0.0)};
    nsds_interaction *ia = nsds_connect(model, chain_gap(model), second(model, which), 2, pair);
    nsds_time_stepping_def def = {.t1 = 1.0, .h = 0.1};
    assert_null(nsds_time_stepping(model, &def));
    assert_unsupported(model, name);
    nsds_disconnect(ia);
    nsds_simulation *s = nsds_time_stepping(model, &def);
    assert_ok(model, nsds_step(s));
    ia = nsds_connect(model, chain_gap(model), second(model, which), 2, pair);
    assert_int_equal(nsds_step(s), NSDS_ERROR_UNSUPPORTED);
    assert_unsupported(model, name);
    nsds_disconnect(ia);
    assert_ok(model, nsds_step(s));
    assert_null(nsds_balls(model, &(nsds_balls_def){.dimension = 2, .law = second(model, which)}));
    nsds_error_clear(nsds_model_context(model));
    nsds_model_destroy(model);
  }
}

/* Systems of first order have no velocities before and after. */
static void first_order(void **state) {
  (void)state;
  for (int which = 1; which < 3; ++which) {
    nsds_model *model = nsds_model_create(NULL);
    nsds_ds *ds = nsds_first_order_linear(model, &(nsds_first_order_linear_def){.n = 1});
    nsds_relation *r = nsds_first_order_linear_relation(
        model, &(nsds_first_order_linear_relation_def){
                   .ny = 1, .nx = 1, .C = (double[]){1.0}, .B = (double[]){1.0}});
    assert_null(nsds_connect(model, r, second(model, which), 1, &ds));
    assert_int_equal(nsds_error(nsds_model_context(model)), NSDS_ERROR_UNSUPPORTED);
    nsds_model_destroy(model);
  }
}

/* Friction is Newton's: a contact that has it and one of another law. */
static void friction(void **state) {
  (void)state;
  for (int which = 0; which < 3; ++which) {
    nsds_model *model = nsds_model_create(NULL);
    nsds_ds *body = nsds_lagrangian_linear(
        model, &(nsds_lagrangian_linear_def){.ndof = 2,
                                             .mass = (double[]){1.0, 0.0, 0.0, 1.0},
                                             .v0 = (double[]){-1.0, -1.0}});
    nsds_relation *floor = nsds_lagrangian_linear_relation(
        model, &(nsds_lagrangian_linear_relation_def){
                   .ny = 2, .nq = 2, .H = (double[]){0.0, 1.0, 1.0, 0.0}});
    nsds_relation *wall = nsds_lagrangian_linear_relation(
        model, &(nsds_lagrangian_linear_relation_def){.ny = 1, .nq = 2, .H = (double[]){1.0, 0.0}});
    nsds_law *rough = nsds_newton_impact_friction(
        model, &(nsds_newton_impact_friction_def){.dimension = 2, .mu = 0.3, .e_n = 0.5});
    nsds_connect(model, floor, rough, 1, &body);
    nsds_connect(model, wall, second(model, which), 1, &body);
    nsds_simulation *s = nsds_event_driven(model, &(nsds_event_driven_def){.t1 = 1.0});
    assert_sound(model);
    assert_status(model, nsds_step(s), which == 0 ? NSDS_OK : NSDS_ERROR_UNSUPPORTED);
    nsds_model_destroy(model);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_contact),   cmocka_unit_test(softened_by_a_damper),
      cmocka_unit_test(bounces),       cmocka_unit_test(bar_on_two_props),
      cmocka_unit_test(joints),        cmocka_unit_test(laws_apart),
      cmocka_unit_test(laws_together), cmocka_unit_test(held_by_a_joint),
      cmocka_unit_test(definitions),   cmocka_unit_test(time_stepping),
      cmocka_unit_test(first_order),   cmocka_unit_test(friction),
  };
  return cmocka_run_group_tests_name("event_driven.impact_laws", tests, NULL, NULL);
}
