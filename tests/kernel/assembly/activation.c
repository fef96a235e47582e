/*
 * The tolerance of activation: a gap is closed up to this fraction of the terms it is the sum of. Rounding by
 * default; the same motion in other units of length has the same activity.
 */
#include "support.h"

static const double g = 9.81;

/* ---- relations y = q_i - 1 L of one row and of several, in units of length L ---- */

typedef struct scale {
  double length;
  int rows;
} scale;

static int curved_h(const nsds_arguments *in, double *y, void *user) {
  const scale *s = user;
  for (int i = 0; i < s->rows; ++i) {
    double q = in->q[i] / s->length;
    y[i] = s->length * (q * q - 1.0) / 2.0; /* gradient q / L: 1 at the ground */
  }
  return 0;
}

static int curved_q(const nsds_arguments *in, double *out, void *user) {
  const scale *s = user;
  for (int i = 0; i < s->rows; ++i) out[i + s->rows * i] = in->q[i] / s->length;
  return 0;
}

static int soft_h(const nsds_arguments *in, double *y, void *user) {
  const scale *s = user;
  curved_h(in, y, user);
  for (int i = 0; i < s->rows; ++i) y[i] += 1e-6 * in->lambda[i]; /* forces scale as lengths */
  return 0;
}

static int soft_lambda(const nsds_arguments *in, double *out, void *user) {
  const scale *s = user;
  (void)in;
  for (int i = 0; i < s->rows; ++i) out[i + s->rows * i] = 1e-6;
  return 0;
}

enum { most = 4 };

static nsds_relation *linear(nsds_model *m, scale *s) {
  double H[most * most] = {0}, b[most];
  for (int i = 0; i < s->rows; ++i) {
    H[i + s->rows * i] = 1.0;
    b[i] = -s->length;
  }
  return nsds_lagrangian_linear_relation(
      m, &(nsds_lagrangian_linear_relation_def){.ny = s->rows, .nq = s->rows, .H = H, .b = b});
}

static nsds_relation *scleronomous(nsds_model *m, scale *s) {
  return nsds_lagrangian_relation(m, &(nsds_lagrangian_relation_def){.ny = s->rows,
                                                                     .nq = s->rows,
                                                                     .output_fn = curved_h,
                                                                     .jac_output_q_fn = curved_q,
                                                                     .user = s});
}

static nsds_relation *rheonomous(nsds_model *m, scale *s) {
  return nsds_lagrangian_relation(m, &(nsds_lagrangian_relation_def){.ny = s->rows,
                                                                     .nq = s->rows,
                                                                     .output_fn = curved_h,
                                                                     .jac_output_q_fn = curved_q,
                                                                     .jac_output_t_fn = nsds_zero,
                                                                     .user = s});
}

static nsds_relation *compliant(nsds_model *m, scale *s) {
  return nsds_lagrangian_relation(
      m, &(nsds_lagrangian_relation_def){.ny = s->rows,
                                         .nq = s->rows,
                                         .output_fn = soft_h,
                                         .jac_output_q_fn = curved_q,
                                         .jac_output_lambda_fn = soft_lambda,
                                         .user = s});
}

static nsds_relation *(*const relations[])(nsds_model *, scale *) = {linear, scleronomous,
                                                                     rheonomous, compliant};
enum { kinds = sizeof relations / sizeof *relations };

typedef struct world {
  nsds_model *model;
  nsds_ds *ds;
  nsds_interaction *contact;
  nsds_simulation *simulation;
  scale scale;
} world;

static const double by_default = -1.0; /* a tolerance that is not given */

/* Bodies of 1 kg at q0[i] L under gravity g L. */
static void build(world *w, int kind, int rows, double length, const double *q0, const double *v0,
                  double e, double tolerance) {
  double q[most], v[most], f[most], M[most * most] = {0};
  for (int i = 0; i < rows; ++i) {
    q[i] = q0[i] * length;
    v[i] = v0[i] * length;
    f[i] = -g * length;
    M[i + rows * i] = 1.0;
  }
  w->scale = (scale){.length = length, .rows = rows};
  w->model = nsds_model_create(NULL);
  w->ds = nsds_lagrangian_linear(
      w->model,
      &(nsds_lagrangian_linear_def){.ndof = rows, .q0 = q, .v0 = v, .mass = M, .fext = f});
  w->contact = nsds_connect(w->model, relations[kind](w->model, &w->scale),
                            nsds_newton_impact(w->model, e), 1, &w->ds);
  nsds_time_stepping_def def = {.t1 = 10.0, .h = 1e-3};
  if (tolerance != by_default) def.activation = nsds_activation(0.5, tolerance);
  w->simulation = nsds_time_stepping(w->model, &def);
  assert_sound(w->model);
}

/* A gap of 1e-11 on terms of size 1 is closed by 1e-10 and open by 1e-13 and by the default. The
 * tolerance refers to the row's own terms: the second row has a gap that is open. */
static void a_gap_beside_its_terms(void **state) {
  (void)state;
  const double lengths[] = {1.0, 1e6, 1e-6}, tolerances[] = {by_default, 1e-13, 1e-10};
  const double q0[2] = {1.0 + 1e-11, 1.0 + 1e-6}, v0[2] = {0.0};
  for (int kind = 0; kind < kinds; ++kind)
    for (int l = 0; l < 3; ++l)
      for (int t = 0; t < 3; ++t)
        for (int rows = 1; rows <= 2; ++rows) {
          world w;
          build(&w, kind, rows, lengths[l], q0, v0, 0.0, tolerances[t]);
          bool closed = tolerances[t] == 1e-10;
          assert_ok(w.model, nsds_step(w.simulation));
          assert_int_equal(nsds_is_active(w.contact), closed);
          assert_int_equal(nsds_simulation_info(w.simulation)->rows, closed);
          assert_int_equal(nsds_impulse(w.contact)[0] > 0.0, closed);
          if (rows == 2) assert_near(nsds_impulse(w.contact)[1], 0.0, 0.0);
          nsds_model_destroy(w.model);
        }
}

/* The look-ahead is not part of the tolerance: a gap that opens fast enough is open. */
static void a_gap_that_opens(void **state) {
  (void)state;
  for (int kind = 0; kind < kinds; ++kind)
    for (int fast = 0; fast < 2; ++fast) {
      world w;
      const double q0 = 1.0, v0 = fast ? 1e-6 : 1e-9; /* times h / 2 = 5e-4 s */
      build(&w, kind, 1, 1.0, &q0, &v0, 0.0, 1e-10);
      assert_ok(w.model, nsds_step(w.simulation));
      assert_int_equal(nsds_is_active(w.contact), !fast);
      nsds_model_destroy(w.model);
    }
}

/* Four bodies that bounce and come to rest: rounding makes resting gaps positive or negative, the
 * tolerance makes them closed, in any unit of length. */
static void other_units_of_length(void **state) {
  (void)state;
  const double q0[most] = {1.0, 1.2, 1.05, 1.4}, v0[most] = {0.0, -0.5, 0.3, 0.1};
  const double lengths[] = {1e6, 1e-6, 1024.0, 3e-5};
  enum { steps = 3000 };
  static unsigned char active[steps];
  for (int kind = 0; kind < kinds; ++kind) {
    int rows_seen[most + 1] = {0};
    for (int l = -1; l < 4; ++l) {
      world w;
      double length = l < 0 ? 1.0 : lengths[l];
      build(&w, kind, most, length, q0, v0, kind == 3 ? 0.0 : 0.5, 1e-9);
      for (int s = 0; s < steps; ++s) {
        assert_ok(w.model, nsds_step(w.simulation));
        int on = nsds_simulation_info(w.simulation)->rows;
        if (l < 0) {
          active[s] = (unsigned char)on;
          ++rows_seen[on];
        }
        assert_int_equal(on, active[s]);
      }
      for (int i = 0; i < most; ++i) assert_near(nsds_q(w.ds)[i] / length, 1.0, 1e-2);
      nsds_model_destroy(w.model);
    }
    print_message("             kind %d: steps with 0 to 4 active rows: %d %d %d %d %d\n", kind,
                  rows_seen[0], rows_seen[1], rows_seen[2], rows_seen[3], rows_seen[4]);
    assert_true(rows_seen[1] > 10 && rows_seen[most] > 100);
  }
}

/* Rounding is the default to the last bit, and zero is the same as a tolerance below anything that
 * occurs. */
static void rounding_by_default(void **state) {
  (void)state;
  const double q0[most] = {1.0, 1.2, 1.05, 1.4}, v0[most] = {0.0, -0.5, 0.3, 0.1};
  const double tolerance[2][2] = {{by_default, 1e-12}, {0.0, 1e-300}};
  for (int trial = 0; trial < 2 * kinds; ++trial) {
    int kind = trial / 2;
    world w[2];
    uint64_t hash[2] = {0};
    for (int k = 0; k < 2; ++k) {
      build(&w[k], kind, most, 1.0, q0, v0, kind == 3 ? 0.0 : 0.5, tolerance[trial % 2][k]);
      for (int s = 0; s < 1500; ++s) {
        assert_ok(w[k].model, nsds_step(w[k].simulation));
        hash[k] = state_hash(w[k].model, hash[k]);
      }
      nsds_model_destroy(w[k].model);
    }
    assert_true(hash[0] == hash[1]);
  }
}

static void values_out_of_range(void **state) {
  (void)state;
  const double bad[] = {-1e-12, 1.5, NAN, INFINITY};
  for (int k = 0; k < 4; ++k) {
    nsds_model *m = nsds_model_create(NULL);
    assert_null(nsds_time_stepping(
        m, &(nsds_time_stepping_def){
               .t1 = 1.0, .h = 0.1, .activation = nsds_activation(0.5, bad[k])}));
    const char *words[] = {"nsds_time_stepping", "tolerance of activation"};
    assert_words(nsds_error_message(nsds_model_context(m)), words, 2);
    assert_int_equal(nsds_error(nsds_model_context(m)), NSDS_ERROR_VALUE);
    nsds_model_destroy(m);
  }
}

/* ---- the predicted gap of every iteration ---- */

static int pull(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = 40.0 * (in->q[0] + 2.0);
  out[1] = 10.0 * (in->q[1] + 2.0);
  return 0;
}

/* Two masses pulled through a floor at zero by springs, one relation of two rows: the step in which
 * the velocity of its end reaches the floor is that of the impact, against a recursion that tries a
 * step without impulse first. */
static void what_the_step_drives_together(void **state) {
  (void)state;
  const double h = 0.05, e = 0.5, k[2] = {40.0, 10.0}, unit[] = {1.0, 0.0, 0.0, 1.0};
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *ds = nsds_lagrangian(model, &(nsds_lagrangian_def){.ndof = 2,
                                                              .q0 = (double[]){1.0, 0.7},
                                                              .mass = unit,
                                                              .fint.fn = pull,
                                                              .fint.jac_q_fn = nsds_differences,
                                                              .fint.jac_v_fn = nsds_zero});
  nsds_interaction *ia =
      nsds_connect(model,
                   nsds_lagrangian_linear_relation(
                       model, &(nsds_lagrangian_linear_relation_def){.ny = 2, .nq = 2, .H = unit}),
                   nsds_newton_impact(model, e), 1, &ds);
  nsds_simulation *s = nsds_time_stepping(
      model, &(nsds_time_stepping_def){.t1 = 5.0, .h = h, .update_prediction = true});
  double q[2] = {1.0, 0.7}, v[2] = {0.0, 0.0};
  int later = 0;
  while (nsds_step(s) == NSDS_OK) {
    for (int i = 0; i < 2; ++i) {
      double W = 1.0 + 0.25 * h * h * k[i];
      double next = v[i] - h * k[i] * (q[i] + 2.0 + 0.5 * h * v[i]) / W, P = 0.0;
      bool start = q[i] + 0.5 * h * v[i] <= 0.0, end = q[i] + 0.5 * h * next <= 0.0;
      if (start || end) P = fmax(0.0, -W * (next + e * v[i]));
      later += end && !start && P > 0.0;
      next += P / W;
      q[i] += 0.5 * h * (v[i] + next);
      v[i] = next;
      assert_near(nsds_v(ds)[i], v[i], 1e-9);
      assert_near(nsds_impulse(ia)[i], P, 1e-9);
    }
  }
  assert_sound(model);
  print_message("             %d impacts closed by the iterate\n", later);
  assert_true(later >= 2);
  nsds_model_destroy(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_gap_beside_its_terms), cmocka_unit_test(a_gap_that_opens),
      cmocka_unit_test(other_units_of_length),  cmocka_unit_test(rounding_by_default),
      cmocka_unit_test(values_out_of_range),    cmocka_unit_test(what_the_step_drives_together),
  };
  return cmocka_run_group_tests_name("kernel.activation", tests, NULL, NULL);
}
