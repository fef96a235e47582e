/*
 * Laws on compliant relations, where slope and bounds act on y at the end of the step; laws with a
 * compliance of their own at each level; and what nsds_impulse() and nsds_lambda()
 * say of every law on every kind of relation, of whole steps and of steps in pieces.
 */
#include "support.h"

static double clip(double x, double low, double high) { return fmax(low, fmin(x, high)); }

/* ---- relations of three rows over three bodies ---- */

enum { ny = 3 };
static const double D[ny] = {1e-3, 3e-3, 2e-3};
static double curvature;

static int h_of(const nsds_arguments *in, double *y, void *user) {
  (void)user;
  for (int i = 0; i < ny; ++i)
    y[i] = in->q[i] - 0.2 * in->q[(i + 1) % ny] + curvature * sin(in->q[i]);
  return 0;
}

static int h_q(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  for (int i = 0; i < ny; ++i) {
    out[i + ny * i] = 1.0 + curvature * cos(in->q[i]);
    out[i + ny * ((i + 1) % ny)] = -0.2;
  }
  return 0;
}

static int soft_h(const nsds_arguments *in, double *y, void *user) {
  h_of(in, y, user);
  for (int i = 0; i < ny; ++i) y[i] += D[i] * in->lambda[i];
  return 0;
}

static int soft_lambda(const nsds_arguments *in, double *out, void *user) {
  (void)in, (void)user;
  for (int i = 0; i < ny; ++i) out[i + ny * i] = D[i];
  return 0;
}

static nsds_relation *linear(nsds_model *m) {
  return nsds_lagrangian_linear_relation(
      m, &(nsds_lagrangian_linear_relation_def){
             .ny = ny, .nq = ny, .H = (double[]){1.0, 0.0, -0.2, -0.2, 1.0, 0.0, 0.0, -0.2, 1.0}});
}

static nsds_relation *linear_d(nsds_model *m) {
  const double d[ny * ny] = {0.1, 0.0, 0.0, 0.0, 0.2, 0.05, 0.0, 0.05, 0.1};
  return nsds_lagrangian_linear_relation(
      m, &(nsds_lagrangian_linear_relation_def){
             .ny = ny,
             .nq = ny,
             .H = (double[]){1.0, 0.0, -0.2, -0.2, 1.0, 0.0, 0.0, -0.2, 1.0},
             .D = d});
}

static nsds_relation *scleronomous(nsds_model *m) {
  return nsds_lagrangian_relation(
      m, &(nsds_lagrangian_relation_def){
             .ny = ny, .nq = ny, .output_fn = h_of, .jac_output_q_fn = h_q});
}

static nsds_relation *rheonomous(nsds_model *m) {
  return nsds_lagrangian_relation(m, &(nsds_lagrangian_relation_def){.ny = ny,
                                                                     .nq = ny,
                                                                     .output_fn = h_of,
                                                                     .jac_output_q_fn = h_q,
                                                                     .jac_output_t_fn = nsds_zero});
}

static nsds_relation *compliant(nsds_model *m) {
  return nsds_lagrangian_relation(
      m, &(nsds_lagrangian_relation_def){.ny = ny,
                                         .nq = ny,
                                         .output_fn = soft_h,
                                         .jac_output_q_fn = h_q,
                                         .jac_output_lambda_fn = soft_lambda});
}

/* ---- laws ---- */

static const double low[ny] = {-2.0, -1.0, -3.0}, high[ny] = {1.5, 3.0, 1.0}, slope = 40.0;

static nsds_law *impact(nsds_model *m) { return nsds_newton_impact(m, 0.4); }
static nsds_law *soft_impact(nsds_model *m) { return nsds_newton_impact(m, 0.0); }
static nsds_law *relay(nsds_model *m) { return nsds_relay(m, ny, low, high); }
static nsds_law *saturation(nsds_model *m) { return nsds_saturation(m, ny, low, high, slope); }
static nsds_law *cone(nsds_model *m) { /* one copy for each row: |lambda| <= 1.5 */
  return nsds_normal_cone(m, 1, 2, (double[]){1.0, -1.0}, (double[]){-1.5, -1.5});
}

typedef struct world {
  nsds_model *model;
  nsds_ds *ds;
  nsds_interaction *contact;
  nsds_simulation *simulation;
} world;

static int shaking(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  for (int i = 0; i < ny; ++i) out[i] = -1.0 - 6.0 * sin((3.0 + i) * in->t);
  return 0;
}

static world build(nsds_relation *(*relation)(nsds_model *), nsds_law *(*law)(nsds_model *),
                   double h, double theta, int halvings) {
  world w = {.model = nsds_model_create(NULL)};
  w.ds = nsds_lagrangian_linear(
      w.model, &(nsds_lagrangian_linear_def){
                   .ndof = ny,
                   .q0 = (double[]){0.02, 0.05, 0.03},
                   .mass = (double[]){1.0, 0.1, 0.0, 0.1, 2.0, 0.0, 0.0, 0.0, 0.5},
                   .stiffness = (double[]){9.0, 0.0, 0.0, 0.0, 9.0, 0.0, 0.0, 0.0, 9.0},
                   .fext_fn = shaking});
  w.contact = nsds_connect(w.model, relation(w.model), law(w.model), 1, &w.ds);
  w.simulation = nsds_time_stepping(
      w.model, &(nsds_time_stepping_def){.t1 = 10.0,
                                         .h = h,
                                         .second_order = nsds_moreau_jean(theta, 1.0),
                                         .max_halvings = halvings,
                                         .tolerance = 1e-13});
  assert_sound(w.model);
  return w;
}

/* ---- lambda against y at the end of every step ---- */

/* The law's equation, row by row: lambda = clip(lambda - y / D), and so on. */
static void law_holds_for_y(void **state) {
  (void)state;
  const struct {
    nsds_law *(*create)(nsds_model *);
    double low[ny], high[ny], slope;
  } laws[] = {
      {saturation, {-2.0, -1.0, -3.0}, {1.5, 3.0, 1.0}, 40.0},
      {relay, {-2.0, -1.0, -3.0}, {1.5, 3.0, 1.0}, INFINITY},
      {cone, {-1.5, -1.5, -1.5}, {1.5, 1.5, 1.5}, INFINITY},
      {nsds_complementarity, {0.0}, {INFINITY, INFINITY, INFINITY}, INFINITY},
      {nsds_equality, {-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}, INFINITY}};
  for (size_t l = 0; l < sizeof laws / sizeof *laws; ++l)
    for (int k = 0; k < 6; ++k) {
      curvature = k % 2 == 0 ? 0.0 : 0.3;
      double h = k / 2 == 0 ? 2e-3 : 5e-4, theta = k / 2 == 2 ? 1.0 : 0.5;
      world w = build(compliant, laws[l].create, h, theta, 0);
      int bounded = 0, between = 0;
      double largest = 0.0;
      for (int s = 0; s < (int)(2.0 / h); ++s) {
        assert_ok(w.model, nsds_step(w.simulation));
        for (int i = 0; i < ny; ++i) {
          double y = nsds_y(w.contact)[i], lambda = nsds_lambda(w.contact)[i];
          double a = laws[l].low[i], b = laws[l].high[i];
          /* y + lambda / slope in the normal cone: projected by a step of its own compliance */
          double error = lambda - clip(lambda - (y + lambda / laws[l].slope) / D[i], a, b);
          if (isfinite(laws[l].slope)) assert_near(lambda, clip(-slope * y, a, b), 1e-8);
          largest = worse(fabs(error), largest);
          bounded += lambda == a || lambda == b;
          between += lambda > a + 1e-9 && lambda < b - 1e-9;
        }
      }
      assert_true(between > 10);
      if (laws[l].create != nsds_equality) assert_true(bounded > 500);
      /* rounding of y over D >= 1e-3, and Newton's residual 1e-10 where the relation is curved */
      assert_between(largest, 0.0, 1e-11);
      nsds_model_destroy(w.model);
    }
}

/* On y = q + D lambda the law lambda = clip(-slope y) is a spring 1 / (1/slope + D) with limits,
 * which holds at the end of the step. */
static void a_spring_with_limits(void **state) {
  (void)state;
  curvature = 0.0;
  for (int halvings = 0; halvings < 3; ++halvings) {
    const double h = ldexp(4e-3, -halvings);
    nsds_model *m = nsds_model_create(NULL);
    nsds_ds *ds = nsds_lagrangian_linear(
        m, &(nsds_lagrangian_linear_def){
               .ndof = 3,
               .v0 = (double[]){1.0, 2.0, 0.1},
               .mass = (double[]){1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0}});
    nsds_interaction *contact = nsds_connect(m, compliant(m), saturation(m), 1, &ds);
    nsds_simulation *simulation =
        nsds_time_stepping(m, &(nsds_time_stepping_def){.t1 = 10.0, .h = h, .tolerance = 1e-13});
    assert_sound(m);
    double q[ny] = {0}, v[ny] = {1.0, 2.0, 0.1};
    for (int s = 0; s < 500; ++s) {
      /* rows are coupled by H: y = A q, lambda by repetition of the rows (M is diagonal dominant)
       */
      double lambda[ny] = {0}, next[ny];
      for (int sweep = 0; sweep < 200; ++sweep)
        for (int i = 0; i < ny; ++i) {
          for (int j = 0; j < ny; ++j)
            next[j] = v[j] + h * (lambda[j] - 0.2 * lambda[(j + ny - 1) % ny]);
          double end = q[i] + 0.5 * h * (v[i] + next[i]);
          int k = (i + 1) % ny;
          double y = end - 0.2 * (q[k] + 0.5 * h * (v[k] + next[k])) + D[i] * lambda[i];
          double diagonal = 0.5 * h * h * 1.04 + D[i];
          lambda[i] = clip((diagonal * lambda[i] - y) / (diagonal + 1.0 / slope), low[i], high[i]);
        }
      for (int j = 0; j < ny; ++j)
        next[j] = v[j] + h * (lambda[j] - 0.2 * lambda[(j + ny - 1) % ny]);
      for (int j = 0; j < ny; ++j) {
        q[j] += 0.5 * h * (v[j] + next[j]);
        v[j] = next[j];
      }
      assert_ok(m, nsds_step(simulation));
      for (int j = 0; j < ny; ++j) {
        assert_near(nsds_lambda(contact)[j], lambda[j], 1e-9);
        assert_near(nsds_q(ds)[j], q[j], 1e-9);
        assert_near(nsds_v(ds)[j], v[j], 1e-9);
      }
    }
    nsds_model_destroy(m);
  }
}

/* ---- a law with a compliance of its own, at each level ---- */

static const double given = 0.01;

static void own_block(void *self, nsds_block *block) {
  (void)self;
  block->set = NSDS_SET_NONNEGATIVE;
}

static void own_compliance(void *self, double *d, int ld) {
  (void)self, (void)ld;
  d[0] += given;
}

static const nsds_law_ops own_ops = {
    .type = "own", .block = own_block, .compliance = own_compliance};
static nsds_law *own_velocity(nsds_model *m) {
  return nsds_custom_law(m, &(nsds_custom_law_def){.ops = &own_ops});
}
static nsds_law *own_position(nsds_model *m) {
  return nsds_custom_law(m, &(nsds_custom_law_def){.ops = &own_ops, .level = NSDS_LEVEL_POSITION});
}
static nsds_law *own_force(nsds_model *m) {
  return nsds_custom_law(m, &(nsds_custom_law_def){.ops = &own_ops, .level = NSDS_LEVEL_FORCE});
}

/* 0 <= a + compliance lambda perpendicular to lambda >= 0, with a = dy/dt on rigid relations and
 * for a law at velocity level (lambda = P there), else y. */
static void a_compliance_at_each_level(void **state) {
  (void)state;
  nsds_law *(*const laws[])(nsds_model *) = {own_velocity, own_position, own_force};
  nsds_relation *(*const relations[])(nsds_model *) = {linear, linear_d, scleronomous, compliant};
  curvature = 0.0;
  for (int l = 0; l < 3; ++l)
    for (int r = 0; r < 4; ++r) {
      const double h = 2e-3;
      world w = build(relations[r], laws[l], h, 0.5, 0);
      double force[ny] = {0}, total = 0.0;
      for (int s = 0; s < 500; ++s) {
        assert_ok(w.model, nsds_step(w.simulation));
        for (int i = 0; i < ny; ++i) {
          double lambda = nsds_lambda(w.contact)[i], a = nsds_ydot(w.contact)[i];
          if (l == 0) lambda = nsds_impulse(w.contact)[i];
          if (r == 3) /* dy/dt = H v + D dlambda/dt */
            a = l > 0 ? nsds_y(w.contact)[i]
                      : a + D[i] * (nsds_lambda(w.contact)[i] - force[i]) / h;
          force[i] = nsds_lambda(w.contact)[i];
          total += lambda;
          a += given * lambda;
          assert_true(lambda >= 0.0);
          assert_true(a > -1e-9);
          assert_near(fmin(a, lambda), 0.0, 1e-9);
        }
      }
      assert_true(total > 0.1);
      nsds_model_destroy(w.model);
    }
}

/* ---- friction on soft ground: one gap and one velocity in a law for forces ---- */

static const double mu = 0.3;

static void coulomb_block(void *self, nsds_block *block) {
  (void)self;
  block->set = NSDS_SET_COULOMB;
  block->mu = mu;
}

static const nsds_law_ops coulomb = {.type = "coulomb", .block = coulomb_block};

static int ground_h(const nsds_arguments *in, double *y, void *user) {
  (void)user;
  y[0] = in->q[1] + 1e-4 * in->lambda[0];
  y[1] = in->q[0];
  return 0;
}

static int ground_q(const nsds_arguments *in, double *out, void *user) {
  (void)in, (void)user;
  out[1] = out[2] = 1.0;
  return 0;
}

static int ground_lambda(const nsds_arguments *in, double *out, void *user) {
  (void)in, (void)user;
  out[0] = 1e-4;
  return 0;
}

/* Pressed 1e-4 m g into the ground, 2 kg stay there, slide v^2 / (2 mu g) and do not come back. */
static void friction_on_soft_ground(void **state) {
  (void)state;
  const double g = 9.81, kg = 2.0, v0 = 1.0, slid = v0 / (mu * g);
  for (int halvings = 0; halvings < 4; ++halvings) {
    const double h = ldexp(0.01, -halvings), part = slid / h - floor(slid / h);
    nsds_model *m = nsds_model_create(NULL);
    nsds_ds *ds = nsds_lagrangian_linear(
        m, &(nsds_lagrangian_linear_def){.ndof = 2,
                                         .q0 = (double[]){0.3, -1e-4 * kg * g},
                                         .v0 = (double[]){v0, 0.0},
                                         .mass = (double[]){kg, 0.0, 0.0, kg},
                                         .fext = (double[]){0.0, -kg * g}});
    nsds_relation *ground = nsds_lagrangian_relation(
        m, &(nsds_lagrangian_relation_def){.ny = 2,
                                           .nq = 2,
                                           .output_fn = ground_h,
                                           .jac_output_q_fn = ground_q,
                                           .jac_output_lambda_fn = ground_lambda});
    nsds_law *law = nsds_custom_law(
        m,
        &(nsds_custom_law_def){.ops = &coulomb, .size = 2, .ngap = 1, .level = NSDS_LEVEL_FORCE});
    nsds_interaction *contact = nsds_connect(m, ground, law, 1, &ds);
    nsds_simulation *simulation =
        nsds_time_stepping(m, &(nsds_time_stepping_def){.t1 = 1.0, .h = h, .tolerance = 1e-13});
    assert_sound(m);
    nsds_status status;
    while ((status = nsds_step(simulation)) == NSDS_OK) {
      double t = nsds_time(simulation);
      assert_near(nsds_lambda(contact)[0], kg * g, 1e-8);
      assert_near(nsds_y(contact)[0], 0.0, 1e-11);
      if (t < slid) assert_near(nsds_lambda(contact)[1], -mu * kg * g, 1e-8);
      if (t > slid + h) assert_near(nsds_lambda(contact)[1], 0.0, 1e-8);
    }
    assert_status(m, status, NSDS_END);
    /* the last step of sliding, of which it moves through `part`, is taken whole */
    double distance = v0 * slid / 2.0 + 0.5 * mu * g * h * h * part * (1.0 - part);
    assert_near(nsds_q(ds)[0] - 0.3, distance, 1e-9);
    nsds_model_destroy(m);
  }
}

/* ---- impulse, force, lambda ---- */

static int short_steps(const nsds_arguments *in, double *out, void *user) {
  double *reached = user;
  if (in->t - *reached > 0.0009) return 1;
  *reached = in->t;
  out[0] = 0.0;
  return 0;
}

/* Of a step of h, and of one made in two pieces: impulse the sum, force and lambda of the last
 * piece, lambda at velocity level the impulse. */
static void what_is_said_of_a_step(void **state) {
  (void)state;
  nsds_law *(*const laws[])(nsds_model *) = {impact, nsds_complementarity, nsds_equality,
                                             relay,  saturation,           cone};
  nsds_relation *(*const relations[])(nsds_model *) = {linear, linear_d, scleronomous, rheonomous,
                                                       compliant};
  const double h = 0.00146484375; /* 3/2048: pieces are exact */
  curvature = 0.3;
  for (size_t l = 0; l < sizeof laws / sizeof *laws; ++l)
    for (size_t r = 0; r < sizeof relations / sizeof *relations; ++r) {
      bool spring = relations[r] == compliant && laws[l] == impact;
      nsds_law *(*law)(nsds_model *) = spring ? soft_impact : laws[l];
      world whole = build(relations[r], law, h / 2.0, 0.5, 0);
      world cut = build(relations[r], law, h, 0.5, 1);
      double reached = 0.0, total = 0.0;
      nsds_lagrangian_linear(cut.model, &(nsds_lagrangian_linear_def){.ndof = 1,
                                                                      .mass = (double[]){1.0},
                                                                      .fext_fn = short_steps,
                                                                      .user = &reached});
      for (int s = 0; s < 300; ++s) {
        double sum[ny] = {0};
        for (int k = 0; k < 2; ++k) {
          assert_ok(whole.model, nsds_step(whole.simulation));
          for (int i = 0; i < ny; ++i) {
            double P = nsds_impulse(whole.contact)[i], force = nsds_lambda(whole.contact)[i];
            assert_near(force, P / (h / 2.0), 0.0);
            sum[i] += P;
            total += fabs(P);
          }
        }
        assert_ok(cut.model, nsds_step(cut.simulation));
        assert_int_equal(nsds_simulation_info(cut.simulation)->substeps, 2);
        for (int i = 0; i < ny; ++i) {
          double P = nsds_impulse(cut.contact)[i], force = nsds_lambda(cut.contact)[i];
          assert_near(P, sum[i], 1e-12);
          assert_near(force, nsds_lambda(whole.contact)[i], 1e-9); /* rounding of P over h */
        }
      }
      assert_true(total > 0.01);
      nsds_model_destroy(whole.model);
      nsds_model_destroy(cut.model);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(law_holds_for_y),
      cmocka_unit_test(a_spring_with_limits),
      cmocka_unit_test(a_compliance_at_each_level),
      cmocka_unit_test(friction_on_soft_ground),
      cmocka_unit_test(what_is_said_of_a_step),
  };
  return cmocka_run_group_tests_name("kernel.forces_compliant", tests, NULL, NULL);
}
