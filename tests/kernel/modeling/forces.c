/*
 * Laws at force level on rigid relations between second-order systems: relay, saturation and normal
 * cone bound lambda = P / h, so that answers converge as h -> 0. Against closed forms and
 * integrations of a few lines.
 */
#include "support.h"

/* n bodies in a row, body k of mass m[k] with the force f[k]; one relation y = q of n rows. */
typedef struct world {
  nsds_model *model;
  nsds_ds *ds;
  nsds_interaction *contact;
  nsds_simulation *simulation;
} world;

enum { most = 3 };

static world build(int n, const double *m, const double *v0, const double *f,
                   nsds_law *(*law)(nsds_model *), const nsds_time_stepping_def *def) {
  world w = {.model = nsds_model_create(NULL)};
  double mass[most * most] = {0}, one[most * most] = {0};
  for (int k = 0; k < n; ++k) {
    mass[k + n * k] = m[k];
    one[k + n * k] = 1.0;
  }
  w.ds = nsds_lagrangian_linear(
      w.model, &(nsds_lagrangian_linear_def){.ndof = n, .v0 = v0, .mass = mass, .fext = f});
  nsds_relation *relation = nsds_lagrangian_linear_relation(
      w.model, &(nsds_lagrangian_linear_relation_def){.ny = n, .nq = n, .H = one});
  w.contact = nsds_connect(w.model, relation, law(w.model), 1, &w.ds);
  w.simulation = nsds_time_stepping(w.model, def);
  assert_sound(w.model);
  return w;
}

/* ---- a relay of +-2 N under 1 kg with 1 m/s: at rest after v^2 / (2 a) = 0.25 m ---- */

static nsds_law *two_newtons(nsds_model *m) {
  return nsds_relay(m, 1, (double[]){-2.0}, (double[]){2.0});
}

/* It slides the part s of the step in which it stops, which is then too long by a h^2 s (1 - s)
 * / 2. */
static double slide(double h) {
  world w = build(1, (double[]){1.0}, (double[]){1.0}, NULL, two_newtons,
                  &(nsds_time_stepping_def){.t1 = 0.75, .h = h, .tolerance = 1e-14});
  nsds_status status;
  while ((status = nsds_step(w.simulation)) == NSDS_OK) {
    double t = nsds_time(w.simulation), step = nsds_simulation_info(w.simulation)->h;
    double P = nsds_impulse(w.contact)[0], lambda = nsds_lambda(w.contact)[0];
    assert_between(lambda, -2.0 * (1.0 + 1e-12), 1e-12);
    if (t < 0.5) assert_near(lambda, -2.0, 1e-12);
    if (t > 0.5 + step) assert_near(lambda, 0.0, 1e-12);
    assert_near(P, lambda * step, 1e-15);
    assert_near(nsds_v(w.ds)[0], fmax(0.0, 1.0 - 2.0 * t), 2.0 * step + 1e-12);
  }
  assert_status(w.model, status, NSDS_END);
  double q = nsds_q(w.ds)[0];
  nsds_model_destroy(w.model);
  return q;
}

static void slides_a_quarter_of_a_metre(void **state) {
  (void)state;
  const double steps[] = {1e-2, 3e-3, 1e-3, 3e-4, 1e-4, 1e-5};
  for (size_t k = 0; k < sizeof steps / sizeof *steps; ++k) {
    double h = steps[k], part = 0.5 / h - floor(0.5 / h), q = slide(h);
    print_message("             h = %.0e: slides %.12f\n", h, q);
    if (fabs(part - 0.5) > 0.49) part = 0.0; /* 0.5 is a multiple of h up to rounding */
    /* 5e4 steps of a sum of rounding errors 1e-16 */
    assert_near(q, 0.25 + h * h * part * (1.0 - part), 1e-11);
  }
  /* worst case, stops in the middle of a step: error h^2 / 4 */
  double error[4];
  for (int k = 0; k < 4; ++k) error[k] = fabs(slide(0.5 / (10 * (1 << k) + 0.5)) - 0.25);
  for (int k = 1; k < 4; ++k) assert_between(order_of(error[k - 1], error[k]), 1.85, 2.0);
}

/* ---- dampers with limits: lambda = clip(-slope v), three bodies and three copies ---- */

static const double slope = 6.0;

static nsds_law *damper(nsds_model *m) {
  return nsds_saturation(m, 1, (double[]){-2.0}, (double[]){1.0}, slope);
}

static double clip(double x, double low, double high) { return fmax(low, fmin(x, high)); }

/* v of m dv/dt = clip(-slope v, -2, 1) + f at t, v0 > 2 / slope, f in (-1, 2): first at the limit,
 * then linear. */
static double damped(double m, double v0, double f, double t) {
  double deceleration = (2.0 - f) / m, leaves = (v0 - 2.0 / slope) / deceleration;
  if (t < leaves) return v0 - deceleration * t;
  return f / slope + (2.0 - f) / slope * exp(-slope / m * (t - leaves));
}

static double dampers(double h) {
  const double m[3] = {1.0, 2.5, 0.7}, f[3] = {0.3, 1.2, -0.6};
  double v[3] = {1.5, 1.0, 0.9}, q[3] = {0}, largest = 0.0;
  world w =
      build(3, m, v, f, damper, &(nsds_time_stepping_def){.t1 = 2.0, .h = h, .tolerance = 1e-14});
  nsds_status status;
  while ((status = nsds_step(w.simulation)) == NSDS_OK) {
    double t = nsds_time(w.simulation), step = nsds_simulation_info(w.simulation)->h;
    for (int k = 0; k < 3; ++k) {
      double before = v[k], free_v = v[k] + step * f[k] / m[k];
      double lambda = clip(-slope * free_v / (1.0 + step * slope / m[k]), -2.0, 1.0);
      v[k] = free_v + step * lambda / m[k];
      q[k] += 0.5 * step * (before + v[k]);
      assert_near(nsds_lambda(w.contact)[k], lambda, 1e-11);
      assert_near(nsds_lambda(w.contact)[k], clip(-slope * nsds_ydot(w.contact)[k], -2.0, 1.0),
                  1e-11);
      assert_near(nsds_v(w.ds)[k], v[k], 1e-12);
      assert_near(nsds_q(w.ds)[k], q[k], 1e-12);
      largest = worse(fabs(v[k] - damped(m[k],
                                         k == 0   ? 1.5
                                         : k == 1 ? 1.0
                                                  : 0.9,
                                         f[k], t)),
                      largest);
    }
  }
  assert_status(w.model, status, NSDS_END);
  nsds_model_destroy(w.model);
  return largest;
}

static void a_damper_with_limits(void **state) {
  (void)state;
  double error[5];
  for (int k = 0; k < 5; ++k) error[k] = dampers(ldexp(0.02, -k));
  for (int k = 1; k < 5; ++k) assert_between(order_of(error[k - 1], error[k]), 0.9, 1.2);
}

/* The same on relations that are not linear, and with a D: v + D P + lambda / slope. */
static int curved(const nsds_arguments *in, double *y, void *user) {
  (void)user;
  y[0] = in->q[0] + 0.3 * sin(in->q[0]);
  return 0;
}

static int curved_q(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = 1.0 + 0.3 * cos(in->q[0]);
  return 0;
}

static void a_damper_on_other_relations(void **state) {
  (void)state;
  const double m = 1.3, h = 1e-2, D = 0.2;
  for (int kind = 0; kind < 2; ++kind) {
    nsds_model *model = nsds_model_create(NULL);
    nsds_ds *ds = nsds_lagrangian_linear(
        model, &(nsds_lagrangian_linear_def){
                   .ndof = 1, .v0 = (double[]){2.0}, .mass = &m, .fext = (double[]){0.4}});
    nsds_relation *relation =
        kind == 0 ? nsds_lagrangian_relation(
                        model,
                        &(nsds_lagrangian_relation_def){
                            .ny = 1, .nq = 1, .output_fn = curved, .jac_output_q_fn = curved_q})
                  : nsds_lagrangian_linear_relation(
                        model, &(nsds_lagrangian_linear_relation_def){
                                   .ny = 1, .nq = 1, .H = (double[]){1.0}, .D = &D});
    nsds_interaction *contact = nsds_connect(model, relation, damper(model), 1, &ds);
    nsds_simulation *simulation =
        nsds_time_stepping(model, &(nsds_time_stepping_def){.t1 = 2.0, .h = h, .tolerance = 1e-14});
    assert_sound(model);
    int limited = 0, free_run = 0;
    double q = 0.0, v = 2.0;
    for (int k = 0; k < 200; ++k) {
      assert_ok(model, nsds_step(simulation));
      /* H at q* = q + h (v + v+) / 2, found by repetition */
      double H = 1.0, lambda = 0.0, next = v;
      for (int i = 0; i < 60; ++i) {
        if (kind == 0) H = 1.0 + 0.3 * cos(q + 0.5 * h * (v + next));
        double free_v = v + h * 0.4 / m, d = kind == 0 ? 0.0 : D;
        lambda = clip(-H * free_v / (h * H * H / m + h * d + 1.0 / slope), -2.0, 1.0);
        next = free_v + h * H * lambda / m;
      }
      q += 0.5 * h * (v + next);
      v = next;
      assert_near(nsds_lambda(contact)[0], lambda, 1e-9); /* Newton's increments below 1e-8 */
      assert_near(nsds_v(ds)[0], v, 1e-9);
      limited += lambda == -2.0;
      free_run += lambda > -2.0;
    }
    assert_true(limited > 20 && free_run > 20);
    nsds_model_destroy(model);
  }
}

/* ---- bounds said as a polyhedron, and bounds that are infinite ---- */

static const double low[2] = {-1.5, -0.5}, high[2] = {0.5, 2.0};
static nsds_law *box(nsds_model *m) { return nsds_relay(m, 2, low, high); }
static nsds_law *facets(nsds_model *m) {
  return nsds_normal_cone(m, 2, 4, (double[]){1, 0, -1, 0, 0, 1, 0, -1},
                          (double[]){low[0], low[1], -high[0], -high[1]});
}
static nsds_law *above_zero(nsds_model *m) {
  return nsds_relay(m, 1, (double[]){0.0}, (double[]){INFINITY});
}
static nsds_law *anywhere(nsds_model *m) {
  return nsds_relay(m, 1, (double[]){-INFINITY}, (double[]){INFINITY});
}

static int soft_h(const nsds_arguments *in, double *y, void *user) {
  (void)user;
  y[0] = in->q[0] + 0.2 * in->q[1] + 1e-3 * in->lambda[0];
  y[1] = in->q[1] - 0.1 * in->q[0] + 2e-3 * in->lambda[1];
  return 0;
}

static int soft_q(const nsds_arguments *in, double *out, void *user) {
  (void)in, (void)user;
  memcpy(out, (double[]){1.0, -0.1, 0.2, 1.0}, 4 * sizeof *out);
  return 0;
}

static int soft_lambda(const nsds_arguments *in, double *out, void *user) {
  (void)in, (void)user;
  memcpy(out, (double[]){1e-3, 0.0, 0.0, 2e-3}, 4 * sizeof *out);
  return 0;
}

static int swinging(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = 3.0 * sin(4.0 * in->t);
  out[1] = -1.0 - 2.0 * cos(3.0 * in->t);
  return 0;
}

static int pressing(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = -1.0 - 3.0 * sin(4.0 * in->t);
  out[1] = -1.0 + 3.0 * cos(3.0 * in->t);
  return 0;
}

/* The largest difference between two laws on two coupled rows, rigid or compliant. */
static double difference(nsds_law *(*law)(nsds_model *), nsds_law *(*same)(nsds_model *), bool soft,
                         nsds_operator force) {
  nsds_law *(*const laws[2])(nsds_model *) = {law, same};
  nsds_simulation *simulation[2];
  nsds_model *model[2];
  for (int k = 0; k < 2; ++k) {
    nsds_model *m = model[k] = nsds_model_create(NULL);
    nsds_ds *ds = nsds_lagrangian_linear(
        m, &(nsds_lagrangian_linear_def){.ndof = 2,
                                         .mass = (double[]){2.0, 0.3, 0.3, 1.0},
                                         .stiffness = (double[]){1.0, 0.0, 0.0, 1.0},
                                         .fext_fn = force});
    nsds_relation *relation =
        soft ? nsds_lagrangian_relation(
                   m, &(nsds_lagrangian_relation_def){.ny = 2,
                                                      .nq = 2,
                                                      .output_fn = soft_h,
                                                      .jac_output_q_fn = soft_q,
                                                      .jac_output_lambda_fn = soft_lambda})
             : nsds_lagrangian_linear_relation(
                   m, &(nsds_lagrangian_linear_relation_def){.ny = 2,
                                                             .nq = 2,
                                                             .H = (double[]){1.0, -0.1, 0.2, 1.0},
                                                             .b = (double[]){-50.0, -50.0}});
    nsds_connect(m, relation, laws[k](m), 1, &ds);
    simulation[k] =
        nsds_time_stepping(m, &(nsds_time_stepping_def){.t1 = 4.0, .h = 2e-3, .tolerance = 1e-14});
    assert_sound(m);
  }
  double largest = 0.0, impulse = 0.0;
  for (int s = 0; s < 2000; ++s) {
    for (int k = 0; k < 2; ++k) assert_ok(model[k], nsds_step(simulation[k]));
    snapshot a = snapshot_take(model[0]), c = snapshot_take(model[1]);
    for (size_t i = 0; i < a.count; ++i) largest = worse(fabs(a.x[i] - c.x[i]), largest);
    snapshot_free(&a);
    snapshot_free(&c);
    impulse += fabs(nsds_impulse(nsds_interaction_at(model[0], 0))[0]);
  }
  assert_true(impulse > 1.0);
  for (int k = 0; k < 2; ++k) nsds_model_destroy(model[k]);
  return largest;
}

static void one_set_said_in_two_ways(void **state) {
  (void)state;
  for (int soft = 0; soft < 2; ++soft) {
    const char *kind = soft ? "compliant" : "rigid";
    double polyhedron = difference(box, facets, soft, swinging);
    double equality = difference(anywhere, nsds_equality, soft, swinging);
    /* a rigid relay looks at dy/dt whatever the gap: as complementarity where all is pressed down
     */
    double positive = difference(above_zero, nsds_complementarity, soft, pressing);
    print_message("             %-9s box and polyhedron %.1e, [0, inf] and complementarity %.1e, "
                  "[-inf, inf] and equality %.1e\n",
                  kind, polyhedron, positive, equality);
    assert_between(polyhedron, 0.0, 1e-11);
    assert_between(positive, 0.0, 1e-13);
    assert_between(equality, 0.0, 1e-13);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(slides_a_quarter_of_a_metre),
      cmocka_unit_test(a_damper_with_limits),
      cmocka_unit_test(a_damper_on_other_relations),
      cmocka_unit_test(one_set_said_in_two_ways),
  };
  return cmocka_run_group_tests_name("kernel.forces", tests, NULL, NULL);
}
