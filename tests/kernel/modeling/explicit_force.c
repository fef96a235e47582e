/*
 * Systems whose forces are taken at the start of the step: one linear solve per step, whatever the
 * forces and masses are, equal to a few lines of integration, of first order. With contacts,
 * prescribed velocities, parameters, another step and a second simulation on the same model.
 */
#include "support.h"

enum { nv = 2 };

typedef struct pendulum {
  long masses, forces;
} pendulum;

/* M(q), symmetric positive definite; a nonlinear force of t, q, v and z. */
static void mass_of(const double *q, double *M) {
  M[0] = 2.0 + 0.5 * cos(q[1]);
  M[1] = M[2] = 0.3 * cos(q[0] - q[1]);
  M[3] = 1.5;
}

static void force_of(double t, const double *q, const double *v, double z, double *F) {
  F[0] = -3.0 * sin(q[0]) - 0.2 * v[0] * fabs(v[0]) + z * cos(2.0 * t);
  F[1] = -2.0 * sin(q[1]) + 0.3 * v[0] * v[0];
}

static nsds_status mass(void *self, const nsds_arguments *in, double *M) {
  ++((pendulum *)self)->masses;
  mass_of(in->q, M);
  return NSDS_OK;
}

static nsds_status force(void *self, const nsds_arguments *in, double *F) {
  ++((pendulum *)self)->forces;
  force_of(in->t, in->q, in->v, in->z[0], F);
  return NSDS_OK;
}

static nsds_status prescribed(void *self, const nsds_arguments *in, double *v) {
  (void)self;
  v[0] = 0.5 * sin(in->t);
  return NSDS_OK;
}

static const nsds_second_order_ops ops = {
    .type = "pendulum", .mass = mass, .force = force, .prescribed = prescribed};

static const double q0[nv] = {0.4, -0.3}, v0[nv] = {0.2, 1.0}, z0 = 0.7;

static nsds_ds *create(nsds_model *model, pendulum *p, int nprescribed) {
  static const int second = 1;
  return nsds_custom_second_order(
      model, &(nsds_custom_second_order_def){.ops = &ops,
                                             .self = p,
                                             .name = "pendulum",
                                             .ndof = nv,
                                             .q0 = q0,
                                             .v0 = v0,
                                             .explicit_force = true,
                                             .prescribed.n = nprescribed,
                                             .prescribed.index = nprescribed > 0 ? &second : NULL,
                                             .nz = 1,
                                             .z = &z0});
}

/* M(q + h gamma v) dv = h F(t, q, v) + H^T P by Cramer's rule, then q. */
static void by_hand(double t, double h, double theta, double gamma, double z, const double *H,
                    double P, double *q, double *v) {
  double at[nv] = {q[0] + h * gamma * v[0], q[1] + h * gamma * v[1]}, M[4], F[nv], dv[nv];
  mass_of(at, M);
  force_of(t, q, v, z, F);
  double r[nv] = {h * F[0] + (H ? H[0] * P : 0.0), h * F[1] + (H ? H[1] * P : 0.0)};
  double det = M[0] * M[3] - M[1] * M[2];
  dv[0] = (r[0] * M[3] - r[1] * M[2]) / det;
  dv[1] = (r[1] * M[0] - r[0] * M[1]) / det;
  for (int k = 0; k < nv; ++k) {
    double end = v[k] + dv[k];
    q[k] += h * theta * end + h * (1.0 - theta) * v[k];
    v[k] = end;
  }
}

static void one_solve_per_step_equals_a_few_lines(void **state) {
  (void)state;
  static const double theta[] = {0.5, 1.0, 0.0}, gamma[] = {1.0, 0.0, 0.5};
  for (int k = 0; k < 3; ++k) {
    pendulum p = {0};
    nsds_model *model = nsds_model_create(NULL);
    nsds_ds *ds = create(model, &p, 0);
    const double h = 1e-2;
    nsds_simulation *s = nsds_time_stepping(
        model, &(nsds_time_stepping_def){
                   .t1 = 10.0, .h = h, .second_order = nsds_moreau_jean(theta[k], gamma[k])});
    assert_non_null(s);
    p = (pendulum){0};
    long steps = 0;
    for (;; ++steps) {
      double q[nv] = {nsds_q(ds)[0], nsds_q(ds)[1]}, v[nv] = {nsds_v(ds)[0], nsds_v(ds)[1]};
      by_hand(nsds_time(s), h, theta[k], gamma[k], z0, NULL, 0.0, q, v);
      if (nsds_step(s) != NSDS_OK) break;
      assert_int_equal(nsds_simulation_info(s)->newton_iterations, 1);
      assert_true(nsds_simulation_info(s)->newton_converged);
      for (int i = 0; i < nv; ++i) {
        assert_near(nsds_q(ds)[i], q[i], 4e-16);
        assert_near(nsds_v(ds)[i], v[i], 2e-15); /* a few roundings of numbers near one */
      }
    }
    assert_sound(model);
    assert_int_equal(p.masses, steps); /* the user's functions: once a step each */
    assert_int_equal(p.forces, steps);
    nsds_model_destroy(model);
  }
}

static void of_first_order(void **state) {
  (void)state;
  double end[3][nv];
  for (int k = 0; k < 3; ++k) {
    pendulum p = {0};
    nsds_model *model = nsds_model_create(NULL);
    nsds_ds *ds = create(model, &p, 0);
    run(model, &(nsds_time_stepping_def){.t1 = 2.0, .h = 0.004 / (1 << k)}, 0);
    memcpy(end[k], nsds_q(ds), sizeof end[k]);
    nsds_model_destroy(model);
  }
  for (int i = 0; i < nv; ++i) {
    double order = order_of(fabs(end[0][i] - end[1][i]), fabs(end[1][i] - end[2][i]));
    print_message("             order %.3f\n", order);
    assert_near(order, 1.0, 0.05);
  }
}

/* An affine contact: P from the law by hand, 0 <= H v+ + e H v- perpendicular to P, still one pass.
 */
static void contacts_take_one_pass_too(void **state) {
  (void)state;
  const double H[nv] = {-1.0, 0.5}, b = 0.3, e = 0.4, h = 5e-3;
  pendulum p = {0};
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *ds = create(model, &p, 0);
  nsds_relation *relation = nsds_lagrangian_linear_relation(
      model, &(nsds_lagrangian_linear_relation_def){.ny = 1, .nq = nv, .H = H, .b = &b});
  nsds_interaction *ia = nsds_connect(model, relation, nsds_newton_impact(model, e), 1, &ds);
  nsds_simulation *s = nsds_time_stepping(model, &(nsds_time_stepping_def){.t1 = 40.0, .h = h});
  assert_non_null(s);
  long touched = 0;
  for (;;) {
    double q[nv], v[nv], free_q[nv], free_v[nv], y = b, speed = 0.0, after = 0.0;
    memcpy(q, nsds_q(ds), sizeof q);
    memcpy(v, nsds_v(ds), sizeof v);
    memcpy(free_q, q, sizeof q);
    memcpy(free_v, v, sizeof v);
    double t = nsds_time(s);
    by_hand(t, h, 0.5, 1.0, z0, NULL, 0.0, free_q, free_v);
    for (int k = 0; k < nv; ++k) {
      y += H[k] * q[k];
      speed += H[k] * v[k];
      after += H[k] * free_v[k];
    }
    double P = 0.0;
    if (y + 0.5 * h * speed <= 0.0 && after + e * speed < 0.0) {
      double at[nv] = {q[0] + h * v[0], q[1] + h * v[1]}, M[4];
      mass_of(at, M);
      double det = M[0] * M[3] - M[1] * M[2];
      double w = (H[0] * H[0] * M[3] - 2.0 * H[0] * H[1] * M[1] + H[1] * H[1] * M[0]) / det;
      P = -(after + e * speed) / w;
    }
    by_hand(t, h, 0.5, 1.0, z0, H, P, q, v);
    if (nsds_step(s) != NSDS_OK) break;
    assert_int_equal(nsds_simulation_info(s)->newton_iterations, 1);
    assert_near(nsds_impulse(ia)[0], P, 1e-13);
    for (int i = 0; i < nv; ++i) assert_near(nsds_v(ds)[i], v[i], 1e-13);
    touched += P > 0.0;
  }
  assert_sound(model);
  assert_true(touched >= 3);
  nsds_model_destroy(model);
}

/* dof 1 follows sin; the other sees M's coupling: M00 dv0 = h F0 - M01 dv1. The reaction is what
 * the second row lacks. */
static void prescribed_velocities(void **state) {
  (void)state;
  const double h = 1e-2;
  pendulum p = {0};
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *ds = create(model, &p, 1);
  nsds_simulation *s = nsds_time_stepping(model, &(nsds_time_stepping_def){.t1 = 3.0, .h = h});
  assert_non_null(s);
  for (int k = 0; k < 200; ++k) {
    double q[nv], v[nv], t = nsds_time(s), M[4], F[nv];
    memcpy(q, nsds_q(ds), sizeof q);
    memcpy(v, nsds_v(ds), sizeof v);
    mass_of((double[]){q[0] + h * v[0], q[1] + h * v[1]}, M);
    force_of(t, q, v, z0, F);
    assert_ok(model, nsds_step(s));
    double dv1 = 0.5 * sin(nsds_time(s)) - v[1], dv0 = (h * F[0] - M[2] * dv1) / M[0];
    assert_near(nsds_v(ds)[1], 0.5 * sin(nsds_time(s)), 1e-15);
    assert_near(nsds_v(ds)[0], v[0] + dv0, 1e-14);
    assert_near(nsds_prescribed_force(ds)[0], 0.0, 0.0);
    assert_near(nsds_prescribed_force(ds)[1], (M[1] * dv0 + M[3] * dv1) / h - F[1], 1e-14 / h);
  }
  nsds_model_destroy(model);
}

/* The force kept from the end of a step is not used where t, z, the state or h have changed since.
 */
static void changes_between_steps_are_seen(void **state) {
  (void)state;
  pendulum p = {0};
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *ds = create(model, &p, 0);
  nsds_simulation *s = nsds_time_stepping(model, &(nsds_time_stepping_def){.t1 = 9.0, .h = 1e-2});
  nsds_simulation *other = nsds_time_stepping(
      model,
      &(nsds_time_stepping_def){.t1 = 9.0, .h = 2e-2, .second_order = nsds_moreau_jean(1.0, 0.5)});
  assert_non_null(s);
  assert_non_null(other);
  double h = 1e-2, z = z0;
  for (int k = 0; k < 60; ++k) {
    if (k % 5 == 1) assert_ok(model, nsds_ds_set_z(ds, 1, &(double){z = 0.1 * k}));
    if (k % 5 == 2) assert_ok(model, nsds_set_state(ds, (double[]){0.1, 0.01 * k}, NULL));
    if (k % 5 == 3) assert_ok(model, nsds_simulation_set_h(s, h = 1e-3 * (k + 1)));
    if (k % 11 == 6) { /* what the other one has done is taken back */
      assert_ok(model, nsds_simulation_save(s));
      assert_ok(model, nsds_step(other));
      assert_ok(model, nsds_simulation_restore(s));
    }
    bool second = k % 7 == 4 || k % 11 == 6;
    double q[nv], v[nv], t = nsds_time(second ? other : s);
    memcpy(q, nsds_q(ds), sizeof q);
    memcpy(v, nsds_v(ds), sizeof v);
    by_hand(t, second ? 2e-2 : h, second ? 1.0 : 0.5, second ? 0.5 : 1.0, z, NULL, 0.0, q, v);
    assert_ok(model, nsds_step(second ? other : s));
    for (int i = 0; i < nv; ++i) {
      assert_near(nsds_q(ds)[i], q[i], 1e-15);
      assert_near(nsds_v(ds)[i], v[i], 1e-14);
    }
  }
  nsds_model_destroy(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_solve_per_step_equals_a_few_lines),
      cmocka_unit_test(of_first_order),
      cmocka_unit_test(contacts_take_one_pass_too),
      cmocka_unit_test(prescribed_velocities),
      cmocka_unit_test(changes_between_steps_are_seen),
  };
  return cmocka_run_group_tests_name("kernel.explicit_force", tests, NULL, NULL);
}
