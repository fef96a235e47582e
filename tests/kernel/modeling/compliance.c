/*
 * Relations and laws in which lambda enters y: compliance with an impact law, with complementarity
 * and step sizes that change, and a law that brings its own compliance. Each against its recursion.
 */
#include "support.h"

static const double m = 2.0, g = 9.81, c = 0.1, D = 2e-4;

static int soft_h(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = in->q[0] - c + D * in->lambda[0];
  return 0;
}

static int one(const nsds_arguments *in, double *out, void *user) {
  (void)in, (void)user;
  out[0] = 1.0;
  return 0;
}

static int soft_lambda(const nsds_arguments *in, double *out, void *user) {
  (void)in, (void)user;
  out[0] = D;
  return 0;
}

typedef struct scene {
  nsds_model *model;
  nsds_ds *ball;
  nsds_interaction *contact;
  nsds_simulation *simulation;
} scene;

static nsds_verdict obey(nsds_simulation *simulation, const nsds_solver_info *info, void *user) {
  (void)simulation, (void)info;
  return *(nsds_verdict *)user;
}

static nsds_verdict verdict;

static scene build(nsds_relation *(*relation)(nsds_model *), nsds_law *(*law)(nsds_model *),
                   double h, int halvings) {
  scene s = {.model = nsds_model_create(NULL)};
  s.ball =
      nsds_lagrangian_linear(s.model, &(nsds_lagrangian_linear_def){.name = "ball",
                                                                    .ndof = 1,
                                                                    .q0 = (double[]){0.3},
                                                                    .mass = &m,
                                                                    .fext = (double[]){-m * g}});
  s.contact = nsds_connect(s.model, relation(s.model), law(s.model), 1, &s.ball);
  verdict = NSDS_CONTINUE;
  s.simulation =
      nsds_time_stepping(s.model, &(nsds_time_stepping_def){.t1 = 10.0,
                                                            .h = h,
                                                            .max_halvings = halvings,
                                                            .check_solver = obey,
                                                            .check_solver_user = &verdict});
  assert_sound(s.model);
  return s;
}

static nsds_relation *soft(nsds_model *model) {
  return nsds_lagrangian_relation(
      model, &(nsds_lagrangian_relation_def){.ny = 1,
                                             .nq = 1,
                                             .output_fn = soft_h,
                                             .jac_output_q_fn = one,
                                             .jac_output_lambda_fn = soft_lambda});
}

/* The same with constant coefficients: one pass per step. */
static nsds_relation *soft_linear(nsds_model *model) {
  return nsds_lagrangian_linear_relation(
      model, &(nsds_lagrangian_linear_relation_def){
                 .ny = 1, .nq = 1, .H = (double[]){1.0}, .compliance = &D, .b = (double[]){-c}});
}

static int passes(const scene *s) { return nsds_simulation_info(s->simulation)->newton_iterations; }

/* ---- an impact law on a compliant relation: y = q - c + D lambda at the end, lambda = P / h ---- */

static nsds_law *impact(nsds_model *model) { return nsds_newton_impact(model, 0.0); }

/* A spring that bears a force is in the problem, and so is a gap that is about to close. */
static void impact_on_a_soft_contact(void **state) {
  (void)state;
  for (int form = 0; form < 4; ++form) {
    double h = 1e-3, q = 0.3, v = 0.0, force = 0.0, total = 0.0;
    bool change = form % 2, linear = form > 1;
    scene s = build(linear ? soft_linear : soft, impact, h, 0);
    for (int k = 0; k < 1500; ++k) {
      if (change && k % 100 == 0) {
        h = k % 200 ? 1e-3 : 5e-4;
        assert_ok(s.model, nsds_simulation_set_h(s.simulation, h));
      }
      assert_ok(s.model, nsds_step(s.simulation));
      double free_v = v - g * h, gap = q - c + 0.5 * h * (v + free_v);
      bool closed = force > 0.0 || q - c + 0.5 * h * v <= 0.0;
      double P = closed ? fmax(0.0, -gap / (0.5 * h / m + D / h)) : 0.0;
      q += 0.5 * h * v;
      v = free_v + P / m;
      q += 0.5 * h * v;
      force = P / h;
      total += P;
      assert_true(passes(&s) == 1 || !linear);
      assert_near(nsds_impulse(s.contact)[0], P, 1e-9);
      assert_near(nsds_q(s.ball)[0], q, 1e-9);
      assert_near(nsds_v(s.ball)[0], v, 1e-9);
      assert_near(nsds_y(s.contact)[0], q - c + D * force, 1e-9);
      assert_near(nsds_ydot(s.contact)[0], v, 1e-9);
    }
    assert_true(total > 1.0);
    nsds_model_destroy(s.model);
  }
}

/* A force that allows no step longer than half of the nominal one: every step is made in two. */
static double reached, longest;

static int short_steps_only(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  if (in->t - reached > longest) return 1;
  reached = in->t;
  out[0] = 0.0;
  return 0;
}

/* What a step in two pieces leads to is what two steps lead to, beyond its end as well: the force
 * that the next step starts from is that of the last piece, not the mean. */
static void pieces_of_a_soft_impact(void **state) {
  (void)state;
  const double h = 0.0009765625;
  scene pieces = build(soft, impact, 2.0 * h, 1), steps = build(soft, impact, h, 0);
  reached = 0.0, longest = 1.5 * h;
  nsds_lagrangian_linear(pieces.model, &(nsds_lagrangian_linear_def){.ndof = 1,
                                                                     .mass = (double[]){1.0},
                                                                     .fext_fn = short_steps_only});
  double total = 0.0;
  for (int k = 0; k < 500; ++k) {
    assert_ok(pieces.model, nsds_step(pieces.simulation));
    double P = 0.0;
    for (int i = 0; i < 2; ++i) {
      assert_ok(steps.model, nsds_step(steps.simulation));
      P += nsds_impulse(steps.contact)[0];
    }
    assert_int_equal(nsds_simulation_info(pieces.simulation)->substeps, 2);
    assert_near(nsds_impulse(pieces.contact)[0], P, 1e-9);
    assert_near(nsds_q(pieces.ball)[0], nsds_q(steps.ball)[0], 1e-9);
    assert_near(nsds_y(pieces.contact)[0], nsds_y(steps.contact)[0], 1e-9);
    total += P;
  }
  assert_true(total > 1.0);
  nsds_model_destroy(pieces.model);
  nsds_model_destroy(steps.model);
}

/* ---- complementarity on a compliant relation: the gap at the end of the step ---- */

static void steps_of_changing_size_with(nsds_relation *(*relation)(nsds_model *), int most) {
  double h = 1e-3, q = 0.3, v = 0.0, total = 0.0;
  scene s = build(relation, nsds_complementarity, h, 0);
  for (int k = 0; k < 1500; ++k) {
    if (k % 40 == 0) {
      h = 1e-3 * (1 + (k / 40) % 3);
      assert_ok(s.model, nsds_simulation_set_h(s.simulation, h));
      /* a step that is refused must leave y and lambda of the old step size alone */
      snapshot before = snapshot_take(s.model);
      verdict = NSDS_STOP;
      assert_int_equal(nsds_step(s.simulation), NSDS_STOPPED);
      snapshot_check(&before, s.model, "a stopped step of another size");
      snapshot_free(&before);
      verdict = NSDS_CONTINUE;
    }
    assert_ok(s.model, nsds_step(s.simulation));
    /* y = q + (h/2)(v + v+) - c + D P / h with v+ = v - g h + P / m */
    double free_gap = q + 0.5 * h * (2.0 * v - g * h) - c;
    double P = fmax(0.0, -free_gap / (0.5 * h / m + D / h));
    q += 0.5 * h * v;
    v += P / m - g * h;
    q += 0.5 * h * v;
    total += P;
    assert_true(passes(&s) <= most);
    assert_near(nsds_impulse(s.contact)[0], P, 1e-9);
    assert_near(nsds_q(s.ball)[0], q, 1e-9);
    assert_near(nsds_v(s.ball)[0], v, 1e-9);
    assert_near(nsds_y(s.contact)[0], q - c + D * P / h, 1e-9);
  }
  assert_true(total > 1.0);
  nsds_model_destroy(s.model);
}

static void steps_of_changing_size(void **state) {
  (void)state;
  steps_of_changing_size_with(soft, 3);
  steps_of_changing_size_with(soft_linear, 1);
}

/* ---- lambda, an impulse, in dy/dt itself: y = q - c + G P, dy/dt = v + G P ---- */

static const double G = 0.4;

static int damped_h(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = in->q[0] - c + G * in->lambda[0];
  return 0;
}

static int damped_lambda(const nsds_arguments *in, double *out, void *user) {
  (void)in, (void)user;
  out[0] = G;
  return 0;
}

static nsds_relation *rate_form(nsds_model *model) {
  return nsds_lagrangian_relation(
      model, &(nsds_lagrangian_relation_def){.ny = 1,
                                             .nq = 1,
                                             .output_fn = damped_h,
                                             .jac_output_q_fn = one,
                                             .jac_output_lambda_fn = damped_lambda,
                                             .rate_form = true});
}

static nsds_relation *in_both(nsds_model *model) {
  return nsds_lagrangian_linear_relation(
      model,
      &(nsds_lagrangian_linear_relation_def){
          .ny = 1, .nq = 1, .H = (double[]){1.0}, .D = &G, .D_in_y = true, .b = (double[]){-c}});
}

static const double e = 0.6;
static nsds_law *bouncing(nsds_model *model) { return nsds_newton_impact(model, e); }

/* Whatever the law's level, it acts through dy/dt, the impact with its memory of dy/dt before. */
static void lambda_in_the_rate(void **state) {
  (void)state;
  for (int form = 0; form < 4; ++form) {
    bool linear = form > 1, rebound = form % 2;
    double h = 1e-3, q = 0.3, v = 0.0, P = 0.0, total = 0.0;
    scene s = build(linear ? in_both : rate_form, rebound ? bouncing : nsds_complementarity, h, 0);
    for (int k = 0; k < 1500; ++k) {
      double gap = q - c + G * P, rate = v + G * P, free_v = v - g * h;
      P = 0.0;
      if (gap + 0.5 * h * rate <= 0.0)
        P = fmax(0.0, -(free_v + (rebound ? e * rate : 0.0)) / (1.0 / m + G));
      q += 0.5 * h * v;
      v = free_v + P / m;
      q += 0.5 * h * v;
      total += P;
      assert_ok(s.model, nsds_step(s.simulation));
      assert_true(passes(&s) <= (linear ? 1 : 3));
      assert_near(nsds_impulse(s.contact)[0], P, 1e-10);
      assert_near(nsds_q(s.ball)[0], q, 1e-10);
      assert_near(nsds_v(s.ball)[0], v, 1e-10);
      assert_near(nsds_y(s.contact)[0], q - c + G * P, 1e-10);
      assert_near(nsds_ydot(s.contact)[0], v + G * P, 1e-10);
    }
    assert_true(total > 1.0);
    nsds_model_destroy(s.model);
  }
}

static void forms_that_do_not_fit(void **state) {
  (void)state;
  nsds_model *model = nsds_model_create(NULL);
  const double H[] = {1.0};
  const nsds_lagrangian_linear_relation_def wrong[] = {
      {.ny = 1, .nq = 1, .H = H, .D = &G, .compliance = &D},
      {.ny = 1, .nq = 1, .H = H, .D_in_y = true}};
  for (int k = 0; k < 2; ++k) {
    assert_null(nsds_lagrangian_linear_relation(model, &wrong[k]));
    assert_words(nsds_error_message(nsds_model_context(model)), ((const char *[]){"D_in_y"}), 1);
    nsds_error_clear(nsds_model_context(model));
  }
  assert_null(nsds_lagrangian_relation(
      model,
      &(nsds_lagrangian_relation_def){
          .ny = 1, .nq = 1, .output_fn = damped_h, .jac_output_q_fn = one, .rate_form = true}));
  assert_words(nsds_error_message(nsds_model_context(model)), ((const char *[]){"rate_form"}), 1);
  nsds_model_destroy(model);
}

/* ---- a law with a compliance of its own, on a relation with D ---- */

static const double own = 0.2, given = 0.3;

static void block(void *self, nsds_block *b) {
  (void)self;
  b->set = NSDS_SET_NONNEGATIVE;
}

static bool active(void *self, const double *y, const double *ydot, double tau, double slack) {
  (void)self;
  return y[0] + tau * ydot[0] <= slack;
}

static void law_compliance(void *self, double *matrix, int ld) {
  (void)self, (void)ld;
  matrix[0] += own;
}

static const nsds_law_ops soft_law = {
    .type = "soft law", .block = block, .active = active, .compliance = law_compliance};

static nsds_law *own_law(nsds_model *model) {
  return nsds_custom_law(model, &(nsds_custom_law_def){.ops = &soft_law});
}

static nsds_relation *rigid(nsds_model *model) {
  return nsds_lagrangian_linear_relation(model, &(nsds_lagrangian_linear_relation_def){
                                                    .ny = 1,
                                                    .nq = 1,
                                                    .H = (double[]){1.0},
                                                    .b = (double[]){-c},
                                                });
}

static nsds_relation *with_d(nsds_model *model) {
  return nsds_lagrangian_linear_relation(model, &(nsds_lagrangian_linear_relation_def){
                                                    .ny = 1,
                                                    .nq = 1,
                                                    .H = (double[]){1.0},
                                                    .D = &given,
                                                    .b = (double[]){-c},
                                                });
}

/* dy/dt = v + D P is the relation's; the law ties dy/dt + own P to P. */
static void a_law_with_compliance(void **state) {
  (void)state;
  for (int k = 0; k < 2; ++k) {
    double h = 1e-3, q = 0.3, v = 0.0, u = 0.0, total = 0.0, d = k == 0 ? 0.0 : given;
    scene s = build(k == 0 ? rigid : with_d, own_law, h, 0);
    for (int n = 0; n < 1500; ++n) {
      assert_ok(s.model, nsds_step(s.simulation));
      double P = 0.0, free_v = v - g * h;
      if (q - c + 0.5 * h * u <= 0.0) P = fmax(0.0, -free_v / (1.0 / m + d + own));
      q += 0.5 * h * v;
      v = free_v + P / m;
      q += 0.5 * h * v;
      u = v + d * P;
      total += P;
      assert_near(nsds_impulse(s.contact)[0], P, 1e-10);
      assert_near(nsds_v(s.ball)[0], v, 1e-10);
      assert_near(nsds_ydot(s.contact)[0], u, 1e-10);
    }
    assert_true(total > 1.0);
    nsds_model_destroy(s.model);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(impact_on_a_soft_contact), cmocka_unit_test(pieces_of_a_soft_impact),
      cmocka_unit_test(steps_of_changing_size),   cmocka_unit_test(lambda_in_the_rate),
      cmocka_unit_test(forms_that_do_not_fit),    cmocka_unit_test(a_law_with_compliance),
  };
  return cmocka_run_group_tests_name("kernel.compliance", tests, NULL, NULL);
}
