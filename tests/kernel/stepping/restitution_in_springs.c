/*
 * A compliant relation is a spring in the contact, in which no velocity jumps. A law that adds a part
 * of the velocity before the step would push anew in every step, so that the motion depended on h
 * without a limit: nsds_connect() refuses it, and takes the same law without restitution.
 */
#include "support.h"

static const double unit[3][9] = {
    {1.0}, {1.0, 0.0, 0.0, 1.0}, {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0}};
static const double soft[3][9] = {
    {1e-3}, {1e-3, 0.0, 0.0, 1e-3}, {1e-3, 0.0, 0.0, 0.0, 1e-3, 0.0, 0.0, 0.0, 1e-3}};

static int own_h(const nsds_arguments *in, double *y, void *user) {
  const int *ny = user;
  for (int i = 0; i < *ny; ++i) y[i] = in->q[i] + 1e-3 * in->lambda[i];
  return 0;
}

static int own_h_q(const nsds_arguments *in, double *out, void *user) {
  const int *ny = user;
  for (int i = 0; i < *ny; ++i) out[i + *ny * i] = 1.0;
  return (void)in, 0;
}

static int own_h_lambda(const nsds_arguments *in, double *out, void *user) {
  const int *ny = user;
  for (int i = 0; i < *ny; ++i) out[i + *ny * i] = 1e-3;
  return (void)in, 0;
}

typedef enum kind { by_matrix, by_function, in_rate_form, damper, rigid, kinds } kind;

static nsds_relation *relation_of(nsds_model *m, kind k, int *ny) {
  if (k == by_function || k == in_rate_form)
    return nsds_lagrangian_relation(
        m, &(nsds_lagrangian_relation_def){.name = "soft",
                                           .ny = *ny,
                                           .nq = *ny,
                                           .output_fn = own_h,
                                           .jac_output_q_fn = own_h_q,
                                           .jac_output_lambda_fn = own_h_lambda,
                                           .rate_form = k == in_rate_form,
                                           .user = ny});
  return nsds_lagrangian_linear_relation(
      m, &(nsds_lagrangian_linear_relation_def){.name = "soft",
                                                .ny = *ny,
                                                .nq = *ny,
                                                .H = unit[*ny - 1],
                                                .compliance = k == by_matrix ? soft[*ny - 1] : NULL,
                                                .D = k == damper ? soft[*ny - 1] : NULL});
}

/* ---- laws of one's own: e of the speed, and a belt that remembers nothing ---- */

static void own_block(void *self, nsds_block *block) {
  (void)self;
  block->set = NSDS_SET_NONNEGATIVE;
}

static void from_some_speed_on(void *self, const double *ydot, double *q) {
  (void)self;
  if (ydot[0] < -2.0) q[0] += 0.5 * ydot[0];
}

static void below_some_speed(void *self, const double *ydot, double *q) {
  (void)self;
  if (fabs(ydot[0]) < 0.1) q[0] += 0.5 * ydot[0];
}

static void constant(void *self, const double *ydot, double *q) {
  (void)self, (void)ydot;
  q[0] += 0.3;
}

static const nsds_law_ops fast_ops = {
    .type = "fast", .block = own_block, .restitution = from_some_speed_on};
static const nsds_law_ops slow_ops = {
    .type = "slow", .block = own_block, .restitution = below_some_speed};
static const nsds_law_ops constant_ops = {
    .type = "constant", .block = own_block, .restitution = constant};

static nsds_law *own_law(nsds_model *m, const nsds_law_ops *ops) {
  return nsds_custom_law(m, &(nsds_custom_law_def){.ops = ops});
}

/* ---- laws with and without it ---- */

#define FRICTION(...)                                                                              \
  nsds_newton_impact_friction(m, &(nsds_newton_impact_friction_def){.mu = 0.3, __VA_ARGS__})
#define ROLLING(...)                                                                               \
  nsds_newton_impact_rolling(                                                                      \
      m, &(nsds_newton_impact_rolling_def){.dimension = 2, .mu = 0.3, __VA_ARGS__})
#define DISTRIBUTING(e)                                                                            \
  nsds_distributing_impact(m, &(nsds_distributing_impact_def){.restitution = (e), .stiffness = 1.0})

enum { law_count = 17 };

/* The law, its rows, and whether it remembers a velocity. */
static nsds_law *law_of(nsds_model *m, int k, int *ny, bool *remembers) {
  const bool remembering[law_count] = {true,  true,  true,  true,  true,  true,  true, true, true,
                                       false, false, false, false, false, false, true, false};
  *remembers = remembering[k];
  *ny = k == 6 ? 2 : k >= 3 && k <= 8 ? 3 : k == 11 || k == 12 || k == 13 ? 3 : 1;
  switch (k) {
  case 0: return nsds_newton_impact(m, 0.5);
  case 1: return nsds_newton_impact(m, 1e-9);
  case 2: return own_law(m, &fast_ops);
  case 3: return FRICTION(.e_n = 0.5);
  case 4: return FRICTION(.e_t = 0.5);
  case 5: return FRICTION(.e_t = -0.5, .slip = {1.0});
  case 6: /* averages of velocities remember them, whatever e_n */
    return nsds_fremond_impact_friction(
        m, &(nsds_fremond_impact_friction_def){.dimension = 2, .mu = 0.3});
  case 7: return ROLLING(.e_n = 0.2);
  case 8: return ROLLING(.e_t = 0.2);
  case 9: return nsds_newton_impact(m, 0.0);
  case 10: return nsds_complementarity(m);
  case 11: return FRICTION(.slip = {0.5});
  case 12: return FRICTION(.slip = {1.0, 2.0});
  case 13: return ROLLING(.mu_rolling = 0.1);
  case 14: return own_law(m, &constant_ops);
  case 15: return own_law(m, &slow_ops);
  default: return nsds_equality(m);
  }
}

static void laws_that_remember(void **state) {
  (void)state;
  for (int law = 0; law < law_count; ++law)
    for (kind k = by_matrix; k < kinds; ++k) {
      nsds_model *m = nsds_model_create(NULL);
      int ny;
      bool remembers;
      nsds_law *l = law_of(m, law, &ny, &remembers);
      nsds_ds *ds = nsds_lagrangian_linear(
          m, &(nsds_lagrangian_linear_def){.ndof = ny, .mass = unit[ny - 1]});
      nsds_relation *relation = relation_of(m, k, &ny);
      assert_sound(m);
      bool refused = remembers && (k == by_matrix || k == by_function);
      nsds_interaction *contact = nsds_connect(m, relation, l, 1, &ds);
      assert_int_equal(contact == NULL, refused);
      if (refused) {
        assert_int_equal(nsds_error(nsds_model_context(m)), NSDS_ERROR_UNSUPPORTED);
        assert_words(nsds_error_message(nsds_model_context(m)),
                     ((const char *[]){"nsds_connect: law", "restitution", "relation 'soft'",
                                       "compliant", "valid are"}),
                     5);
        assert_int_equal(nsds_interaction_count(m), 0);
      }
      nsds_model_destroy(m);
    }
}

/* Poisson's and the distributing law, which event-driven simulation alone takes. */
static void laws_of_events(void **state) {
  (void)state;
  for (int law = 0; law < 4; ++law) {
    nsds_model *m = nsds_model_create(NULL);
    int ny = 1;
    double e = law % 2 ? 0.0 : 0.4;
    nsds_ds *ds = nsds_lagrangian_linear(
        m, &(nsds_lagrangian_linear_def){.ndof = 1, .mass = (double[]){1.0}});
    nsds_law *l = law < 2 ? nsds_poisson_impact(m, e) : DISTRIBUTING(e);
    assert_int_equal(nsds_connect(m, relation_of(m, by_matrix, &ny), l, 1, &ds) == NULL, e > 0.0);
    nsds_model_destroy(m);
  }
}

/* What stays has a limit: m = 1 on a spring of 1000 N/m comes back with the speed it came with. */
static void the_spring_has_a_limit(void **state) {
  (void)state;
  double error[2];
  for (int k = 0; k < 2; ++k) {
    nsds_model *m = nsds_model_create(NULL);
    int ny = 1;
    nsds_ds *ds = nsds_lagrangian_linear(
        m,
        &(nsds_lagrangian_linear_def){.ndof = 1, .mass = (double[]){1.0}, .v0 = (double[]){-1.0}});
    nsds_connect(m, relation_of(m, by_matrix, &ny), nsds_newton_impact(m, 0.0), 1, &ds);
    nsds_simulation *s = run(m, &(nsds_time_stepping_def){.t1 = 0.5, .h = k ? 1e-5 : 1e-3}, 0);
    error[k] = fabs(nsds_v(ds)[0] - 1.0);
    nsds_simulation_destroy(s);
    nsds_model_destroy(m);
  }
  print_message("             error of the velocity %.1e at h = 1e-3, %.1e at 1e-5\n", error[0],
                error[1]);
  assert_between(error[1], 0.0, 1e-3);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(laws_that_remember),
      cmocka_unit_test(laws_of_events),
      cmocka_unit_test(the_spring_has_a_limit),
  };
  return cmocka_run_group_tests_name("kernel.restitution_in_springs", tests, NULL, NULL);
}
