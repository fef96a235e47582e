/*
 * Projection asks the relation: every kind of relation with every law, both kinds of projection and
 * both metrics. Relations in which lambda has a part are left exactly as they are; gaps of rigid
 * ones and of joints that yield are led back.
 */
#include "projection.h"

enum { rows = 2, kinds = 14, laws = 10 };

static const double H[4] = {0, 1, 1, 0}, D[4] = {0.01, 0, 0, 0.01};

/* ---- functions of relations ------------------------------------------------------------------ */

static int gap(const nsds_arguments *in, double *y, void *user) {
  (void)user;
  y[0] = in->q[1];
  y[1] = in->q[0];
  return 0;
}

static int soft_gap(const nsds_arguments *in, double *y, void *user) {
  gap(in, y, user);
  for (int i = 0; i < rows; ++i) y[i] += D[0] * in->lambda[i];
  return 0;
}

static int gap_q(const nsds_arguments *in, double *out, void *user) {
  (void)in;
  (void)user;
  memcpy(out, H, sizeof H);
  return 0;
}

static int gap_lambda(const nsds_arguments *in, double *out, void *user) {
  (void)in;
  (void)user;
  memcpy(out, D, sizeof D);
  return 0;
}

static nsds_status own_gap(void *self, const nsds_arguments *in, double *y) {
  gap(in, y, self);
  return NSDS_OK;
}

static nsds_status own_soft_gap(void *self, const nsds_arguments *in, double *y) {
  soft_gap(in, y, self);
  return NSDS_OK;
}

static nsds_status own_gap_q(void *self, const nsds_arguments *in, double *out) {
  gap_q(in, out, self);
  return NSDS_OK;
}

static nsds_status own_lambda(void *self, const nsds_arguments *in, double *out) {
  gap_lambda(in, out, self);
  return NSDS_OK;
}

#define OWN(title) .type = title, .jacobian_q = own_gap_q
static const nsds_relation_ops own_rigid = {OWN("own"), .output = own_gap};
static const nsds_relation_ops own_damped = {OWN("own, damped"), .output = own_gap,
                                             .feedthrough = own_lambda};
static const nsds_relation_ops own_compliant = {OWN("own, compliant"), .output = own_soft_gap,
                                                .jacobian_lambda = own_lambda};

/* ---- all relations and laws ------------------------------------------------------------------ */

static nsds_relation *make_own(nsds_model *m, const nsds_relation_ops *ops, bool affine,
                               bool impulsive) {
  return nsds_custom_relation(
      m, &(nsds_custom_relation_def){
             .ops = ops, .ny = rows, .nq = 2, .affine = affine, .impulsive = impulsive});
}

/* Relation `kind` between two coordinates; the first `rigid_kinds` are rigid. */
enum { rigid_kinds = 5 };
static nsds_relation *make_relation(nsds_model *m, int kind) {
  nsds_lagrangian_linear_relation_def linear = {.ny = rows, .nq = 2, .H = H};
  nsds_lagrangian_relation_def curved = {
      .ny = rows, .nq = 2, .output_fn = gap, .jac_output_q_fn = gap_q};
  switch (kind) {
  case 0: return nsds_lagrangian_linear_relation(m, &linear);
  case 1: return nsds_lagrangian_relation(m, &curved);
  case 2: curved.jac_output_t_fn = nsds_zero; return nsds_lagrangian_relation(m, &curved);
  case 3: return make_own(m, &own_rigid, false, false);
  case 4: return make_own(m, &own_rigid, true, false);
  case 5: linear.D = D; return nsds_lagrangian_linear_relation(m, &linear);
  case 6:
    linear.D = D;
    linear.D_in_y = true;
    return nsds_lagrangian_linear_relation(m, &linear);
  case 7: linear.compliance = D; return nsds_lagrangian_linear_relation(m, &linear);
  case 8:
  case 9:
    curved.output_fn = soft_gap;
    curved.jac_output_lambda_fn = gap_lambda;
    curved.rate_form = kind == 9;
    return nsds_lagrangian_relation(m, &curved);
  case 10: return make_own(m, &own_damped, false, false);
  case 11: return make_own(m, &own_damped, true, false);
  case 12: return make_own(m, &own_compliant, false, false);
  default:
    return nsds_mixed_linear_relation(
        m, &(nsds_mixed_linear_relation_def){
               .ny = rows, .nq = 2, .H = H, .E = H, .D = D, .L = (double[]){0, 1, 1, 0}});
  }
}

/* The first `holding` laws hold gaps. */
enum { holding = 7 };
static nsds_law *make_law(nsds_model *m, int law) {
  static const double zero[2] = {0}, up[2] = {1, 1}, down[2] = {-1, -1},
                      inf[2] = {INFINITY, INFINITY};
  switch (law) {
  case 0: return nsds_newton_impact(m, 0.0);
  case 1:
    return nsds_newton_impact_friction(
        m, &(nsds_newton_impact_friction_def){.dimension = 2, .mu = 0.3});
  case 2:
    return nsds_fremond_impact_friction(
        m, &(nsds_fremond_impact_friction_def){.dimension = 2, .mu = 0.3});
  case 3: return nsds_complementarity(m);
  case 4: return nsds_equality(m);
  case 5: return nsds_relay(m, 2, zero, inf);
  case 6: return nsds_relay(m, 2, down, inf);
  case 7: return nsds_relay(m, 2, down, up);
  case 8: return nsds_saturation(m, 2, down, up, 10.0);
  default: return nsds_normal_cone(m, 2, 2, (double[]){1, 0, 0, 1}, zero);
  }
}

/* A mass in its plane, both coordinates just beyond zero, pressed further. */
static nsds_ds *make_mass(nsds_model *m) {
  const double M[4] = {1, 0, 0, 2}, q[2] = {-1e-3, -2e-3}, F[2] = {-1, -10};
  return nsds_lagrangian_linear(
      m, &(nsds_lagrangian_linear_def){.ndof = 2, .mass = M, .q0 = q, .fext = F});
}

/* Twenty steps; returns whether relation and law go together. */
static bool step_with(int kind, int law, nsds_projection_kind projection, nsds_metric metric) {
  nsds_model *m = nsds_model_create(NULL);
  nsds_ds *ds = make_mass(m);
  nsds_interaction *ia = nsds_connect(m, make_relation(m, kind), make_law(m, law), 1, &ds);
  nsds_simulation *s =
      ia ? nsds_time_stepping(
               m, &(nsds_time_stepping_def){.t1 = 1.0,
                                            .h = 5e-3,
                                            .projection = {.kind = projection, .metric = metric}})
         : NULL;
  bool made = s != NULL;
  for (int k = 0; made && k < 20; ++k) {
    nsds_status status = nsds_step(s);
    if (kind < rigid_kinds) assert_ok(m, status);
    if (status) break;
    const double *way = nsds_simulation_displacement(s, ds);
    const nsds_projection_info *info = &nsds_simulation_info(s)->projection;
    if (kind < rigid_kinds && law < holding) {
      bool one_gap = law == 1 || law == 2;
      for (int i = 0; i < (one_gap ? 1 : rows); ++i) assert_true(nsds_y(ia)[i] >= -1e-10);
      if (k == 0) assert_true(info->iterations > 0 && info->converged);
    } else {
      for (int i = 0; i < 2; ++i) assert_true(way[i] == 0.0);
      assert_int_equal(info->iterations, 0);
    }
  }
  nsds_model_destroy(m);
  return made;
}

static void every_relation_and_law(void **state) {
  (void)state;
  int made = 0;
  for (int kind = 0; kind < kinds; ++kind)
    for (int law = 0; law < laws; ++law)
      for (int projection = NSDS_PROJECTION_DIRECT; projection <= NSDS_PROJECTION_COMBINED;
           ++projection)
        for (int metric = NSDS_METRIC_MASS; metric <= NSDS_METRIC_COORDINATES; ++metric)
          made += step_with(kind, law, projection, metric);
  print_message("    %d of %d could be simulated\n", made, kinds * laws * 4);
  assert_true(made > 440);
}

/* A relation that is left alone beside one that is led back, in one model. */
static void beside_a_rigid_one(void **state) {
  (void)state;
  for (int kind = rigid_kinds; kind < kinds; ++kind)
    for (int projection = NSDS_PROJECTION_DIRECT; projection <= NSDS_PROJECTION_COMBINED;
         ++projection) {
      nsds_model *m = nsds_model_create(NULL);
      nsds_ds *soft = make_mass(m), *hard = make_mass(m);
      nsds_law *law = make_law(m, kind == kinds - 1 ? 3 : 1);
      nsds_connect(m, make_relation(m, kind), law, 1, &soft);
      nsds_interaction *ia = nsds_connect(m, make_relation(m, 0), make_law(m, 1), 1, &hard);
      nsds_simulation *s = nsds_time_stepping(
          m, &(nsds_time_stepping_def){.t1 = 1.0, .h = 5e-3, .projection = {.kind = projection}});
      assert_sound(m);
      for (int k = 0; k < 20; ++k) {
        assert_ok(m, nsds_step(s));
        assert_true(nsds_y(ia)[0] >= -1e-10);
        for (int i = 0; i < 2; ++i) assert_true(nsds_simulation_displacement(s, soft)[i] == 0.0);
      }
      nsds_model_destroy(m);
    }
}

/* x' in -sgn(x) beside a ball on a rope: laws of states act with every projection. */
static void laws_of_states_stay(void **state) {
  (void)state;
  static const nsds_projection_kind kind[] = {NSDS_PROJECTION_NONE, NSDS_PROJECTION_DIRECT,
                                              NSDS_PROJECTION_COMBINED};
  for (int k = 0; k < 3; ++k) {
    nsds_model *model = nsds_model_create(NULL);
    const double x0 = 0.5, one = 1.0, minus = -1.0, A = 0.0;
    nsds_ds *x =
        nsds_first_order_linear(model, &(nsds_first_order_linear_def){.n = 1, .x0 = &x0, .A = &A});
    nsds_relation *r = nsds_first_order_linear_relation(
        model, &(nsds_first_order_linear_relation_def){.ny = 1, .nx = 1, .C = &one, .B = &one});
    nsds_connect(model, r, nsds_relay(model, 1, &minus, &one), 1, &x);
    nsds_time_stepping_def def = {.t1 = 1.0, .h = 1e-2, .projection.kind = kind[k]};
    nsds_simulation *s = nsds_time_stepping(model, &def);
    assert_sound(model);
    while (nsds_time(s) < 0.245) assert_ok(model, nsds_step(s));
    assert_near(nsds_x(x)[0], 0.5 - nsds_time(s), 1e-9);
    assert_status(model, nsds_run(s), NSDS_END);
    assert_near(nsds_x(x)[0], 0.0, 1e-9);
    nsds_model_destroy(model);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(laws_of_states_stay),
      cmocka_unit_test(every_relation_and_law),
      cmocka_unit_test(beside_a_rigid_one),
  };
  return cmocka_run_group_tests_name("kernel.projection_relations", tests, NULL, NULL);
}
