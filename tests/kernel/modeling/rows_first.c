/*
 * Copies of a law between first-order systems: one interaction of ny rows moves as ny / size
 * interactions, by every scheme, on linear and nonlinear relations, and where the problem of a
 * sparse circuit is not reduced.
 */
#include "support.h"
#include "static_schemes.h"

#include <stdio.h>

enum { n = 5, most = 6 };

/* ---- relations: rows [first, first + count) ---- */

typedef struct part {
  int first, count;
} part;

static double C(int i, int j) { return (i == j ? 1.0 : 0.0) + 0.2 * sin(2.0 + 3.0 * i + 5.0 * j); }
static double B(int j, int i) { return (i == j ? 2.0 : 0.0) + 0.1 * cos(1.0 + 2.0 * i + 7.0 * j); }
static double D(int i) { return 0.05 + 0.01 * i; }

static nsds_relation *linear(nsds_model *m, part *p) {
  double c[most * n], b[n * most], d[most * most] = {0}, e[most];
  for (int i = 0; i < p->count; ++i) {
    for (int j = 0; j < n; ++j) {
      c[i + p->count * j] = C(p->first + i, j);
      b[j + n * i] = B(j, p->first + i);
    }
    d[i + p->count * i] = D(p->first + i);
    e[i] = 0.1 * (p->first + i) - 0.2;
  }
  return nsds_first_order_linear_relation(
      m, &(nsds_first_order_linear_relation_def){
             .ny = p->count, .nx = n, .C = c, .B = b, .D = d, .e = e});
}

static int curved_h(const nsds_arguments *in, double *y, void *user) {
  const part *p = user;
  for (int i = 0; i < p->count; ++i) {
    int k = p->first + i;
    y[i] = 0.1 * k - 0.2 + D(k) * in->lambda[i];
    for (int j = 0; j < n; ++j) y[i] += C(k, j) * in->x[j];
    y[i] += 0.1 * sin(in->x[k % n]);
  }
  return 0;
}

static int curved_h_x(const nsds_arguments *in, double *out, void *user) {
  const part *p = user;
  for (int i = 0; i < p->count; ++i) {
    int k = p->first + i;
    for (int j = 0; j < n; ++j) out[i + p->count * j] = C(k, j);
    out[i + p->count * (k % n)] += 0.1 * cos(in->x[k % n]);
  }
  return 0;
}

static int curved_h_lambda(const nsds_arguments *in, double *out, void *user) {
  const part *p = user;
  (void)in;
  for (int i = 0; i < p->count; ++i) out[i + p->count * i] = D(p->first + i);
  return 0;
}

static int curved_g(const nsds_arguments *in, double *r, void *user) {
  const part *p = user;
  for (int i = 0; i < p->count; ++i)
    for (int j = 0; j < n; ++j)
      r[j] += B(j, p->first + i) * (in->lambda[i] + 0.05 * sin(in->lambda[i]));
  return 0;
}

static int curved_g_lambda(const nsds_arguments *in, double *out, void *user) {
  const part *p = user;
  for (int i = 0; i < p->count; ++i)
    for (int j = 0; j < n; ++j)
      out[j + n * i] = B(j, p->first + i) * (1.0 + 0.05 * cos(in->lambda[i]));
  return 0;
}

static nsds_relation *curved(nsds_model *m, part *p) {
  return nsds_first_order_relation(
      m, &(nsds_first_order_relation_def){.ny = p->count,
                                          .nx = n,
                                          .output_fn = curved_h,
                                          .jac_output_x_fn = curved_h_x,
                                          .jac_output_lambda_fn = curved_h_lambda,
                                          .input_fn = curved_g,
                                          .jac_input_lambda_fn = curved_g_lambda,
                                          .user = p});
}

/* ---- laws ---- */

static nsds_law *relay(nsds_model *m) {
  return nsds_relay(m, 1, (double[]){-1.0}, (double[]){1.5});
}
static nsds_law *relay_pair(nsds_model *m) {
  return nsds_relay(m, 2, (double[]){-1.0, 0.0}, (double[]){1.0, INFINITY});
}
static nsds_law *saturation(nsds_model *m) {
  return nsds_saturation(m, 1, (double[]){-1.0}, (double[]){1.0}, 4.0);
}
static nsds_law *cone(nsds_model *m) { /* |l_0| + |l_1| <= 1 */
  return nsds_normal_cone(m, 2, 4, (double[]){1, 1, -1, -1, 1, -1, 1, -1},
                          (double[]){-1, -1, -1, -1});
}

static const struct {
  const char *name;
  nsds_law *(*create)(nsds_model *);
  int size;
} laws[] = {{"relay", relay, 1},
            {"relay of two rows", relay_pair, 2},
            {"saturation", saturation, 1},
            {"normal cone", cone, 2},
            {"complementarity", nsds_complementarity, 1}};

static const struct {
  const char *name;
  nsds_scheme_kind scheme;
  double theta, gamma;
} schemes[] = {{"Euler-Moreau", NSDS_EULER_MOREAU, 1.0, 1.0},
               {"theta-gamma", NSDS_THETA_GAMMA, 0.5, 0.7},
               {"full theta-gamma", NSDS_FULL_THETA_GAMMA, 0.5, 0.7},
               {"zero-order hold", NSDS_ZERO_ORDER_HOLD, 0.5, 1.0}};

/* ---- one interaction, or one for each copy ---- */

typedef struct world {
  nsds_model *model;
  nsds_ds *ds;
  nsds_interaction *contact[most];
  nsds_simulation *simulation;
  part part[most];
  int ncontact;
} world;

static void build(world *w, int law, int scheme, nsds_relation *(*relation)(nsds_model *, part *),
                  int ny, bool apart) {
  nsds_model *m = w->model = nsds_model_create(NULL);
  double A[n * n], x0[n];
  for (int j = 0; j < n; ++j) {
    x0[j] = 1.0 - 0.5 * j;
    for (int i = 0; i < n; ++i) A[i + n * j] = i == j ? -0.3 : 0.8 * sin(4.0 + 2.0 * i - 3.0 * j);
  }
  w->ds = nsds_first_order_linear(m, &(nsds_first_order_linear_def){.n = n, .x0 = x0, .A = A});
  nsds_law *l = laws[law].create(m);
  int rows = apart ? laws[law].size : ny;
  w->ncontact = ny / rows;
  for (int k = 0; k < w->ncontact; ++k) {
    w->part[k] = (part){.first = k * rows, .count = rows};
    w->contact[k] = nsds_connect(m, relation(m, &w->part[k]), l, 1, &w->ds);
  }
  w->simulation = nsds_time_stepping(
      m, &(nsds_time_stepping_def){
             .t1 = 10.0,
             .h = 1e-2,
             .first_order =
                 scheme_of(schemes[scheme].scheme, schemes[scheme].theta, schemes[scheme].gamma),
             .tolerance = 1e-13});
  assert_sound(m);
}

static void copies_as_interactions(void **state) {
  (void)state;
  for (size_t l = 0; l < sizeof laws / sizeof *laws; ++l)
    for (int s = 0; s < (int)(sizeof schemes / sizeof *schemes); ++s) {
      double largest = 0.0, total = 0.0;
      bool hold = schemes[s].scheme == NSDS_ZERO_ORDER_HOLD;
      for (int kind = 0; kind < (hold ? 1 : 2); ++kind)
        for (int ny = laws[l].size; ny <= most; ny += laws[l].size) {
          world one, many;
          build(&one, (int)l, s, kind == 0 ? linear : curved, ny, false);
          build(&many, (int)l, s, kind == 0 ? linear : curved, ny, true);
          for (int k = 0; k < 300; ++k) {
            assert_ok(one.model, nsds_step(one.simulation));
            assert_ok(many.model, nsds_step(many.simulation));
            for (int i = 0; i < n; ++i) {
              largest = worse(fabs(nsds_x(one.ds)[i] - nsds_x(many.ds)[i]), largest);
              largest = worse(fabs(nsds_r(one.ds)[i] - nsds_r(many.ds)[i]), largest);
            }
            for (int i = 0; i < ny; ++i) {
              const nsds_interaction *c = many.contact[i / laws[l].size];
              int row = i % laws[l].size;
              double lambda = nsds_lambda(one.contact[0])[i];
              largest = worse(fabs(nsds_y(one.contact[0])[i] - nsds_y(c)[row]), largest);
              largest = worse(fabs(lambda - nsds_lambda(c)[row]), largest);
              assert_null(nsds_impulse(one.contact[0]));
              total += fabs(lambda);
            }
          }
          nsds_model_destroy(one.model);
          nsds_model_destroy(many.model);
        }
      print_message("             %-18s %-17s max diff %.1e\n", laws[l].name, schemes[s].name,
                    largest);
      assert_true(total > 1.0);
      assert_between(largest, 0.0, 1e-12);
    }
}

/* ---- a sparse circuit with many rows, whose problem keeps its states as unknowns ---- */

enum { cells = 24, each = 3, groups = cells / each };

/* dx/dt = A x + b + lambda, A tridiagonal; y = x - e. */
typedef struct circuit {
  nsds_model *model;
  nsds_ds *ds;
  nsds_interaction *contact[cells];
  nsds_simulation *simulation;
} circuit;

static nsds_relation *taps(nsds_model *m, int first, int count, int dead) {
  double c[each * cells] = {0}, b[each * cells] = {0}, e[each];
  for (int i = 0; i < count; ++i) {
    b[first + i + cells * i] = 1.0;
    if (first + i != dead) c[i + count * (first + i)] = 1.0;
    e[i] = first + i == dead ? -1.0 : dead >= 0 ? 1.0 : -0.02 * (first + i);
  }
  return nsds_first_order_linear_relation(
      m, &(nsds_first_order_linear_relation_def){.ny = count, .nx = cells, .C = c, .B = b, .e = e});
}

/* `dead`: a row whose y is -1 whatever lambda is, beside others that are at rest; or -1. */
static circuit wire(bool sparse, int count, nsds_law *(*law)(nsds_model *), int dead) {
  circuit w = {.model = nsds_model_create(NULL)};
  double A[cells * cells] = {0}, b[cells], x[3 * cells];
  int p[cells + 1], i[3 * cells], entries = 0;
  for (int j = 0; j < cells; ++j) {
    b[j] = 0.4 * sin(1.0 + j);
    p[j] = entries;
    for (int k = j - 1; k <= j + 1; ++k) {
      if (k < 0 || k >= cells) continue;
      A[k + cells * j] = k == j ? -1.0 : 0.4;
      i[entries] = k;
      x[entries++] = A[k + cells * j];
    }
  }
  p[cells] = entries;
  const nsds_csc csc = {.nrow = cells, .ncol = cells, .p = p, .i = i, .x = x};
  w.ds = nsds_first_order_linear(w.model,
                                 &(nsds_first_order_linear_def){.name = "wire",
                                                                .n = cells,
                                                                .A = sparse ? NULL : A,
                                                                .A_sparse = sparse ? &csc : NULL,
                                                                .b = b});
  nsds_law *l = law(w.model);
  for (int k = 0; k < cells / count; ++k)
    w.contact[k] = nsds_connect(w.model, taps(w.model, k * count, count, dead), l, 1, &w.ds);
  w.simulation = nsds_time_stepping(
      w.model,
      &(nsds_time_stepping_def){
          .t1 = 10.0, .h = 1e-2, .first_order = nsds_euler_moreau(1.0), .tolerance = 1e-12});
  assert_sound(w.model);
  return w;
}

static void copies_in_a_sparse_circuit(void **state) {
  (void)state;
  nsds_law *(*const kinds[])(nsds_model *) = {relay, saturation, nsds_complementarity};
  for (int l = 0; l < 3; ++l) {
    circuit w[3] = {wire(true, each, kinds[l], -1), wire(true, 1, kinds[l], -1),
                    wire(false, each, kinds[l], -1)};
    double largest[3] = {0}, total = 0.0;
    for (int s = 0; s < 300; ++s) {
      for (int k = 0; k < 3; ++k) assert_ok(w[k].model, nsds_step(w[k].simulation));
      for (int k = 0; k < 2; ++k) /* the states are unknowns too */
        assert_int_equal(nsds_simulation_problem(w[k].simulation)->n, 2 * cells);
      for (int k = 1; k < 3; ++k)
        for (int i = 0; i < cells; ++i) {
          int c = k == 1 ? i : i / each, row = k == 1 ? 0 : i % each;
          double lambda = nsds_lambda(w[0].contact[i / each])[i % each];
          largest[k] = worse(fabs(nsds_x(w[0].ds)[i] - nsds_x(w[k].ds)[i]), largest[k]);
          largest[k] = worse(fabs(lambda - nsds_lambda(w[k].contact[c])[row]), largest[k]);
          total += fabs(lambda);
        }
    }
    print_message("             24 rows: to single rows %.1e, to the reduced problem %.1e\n",
                  largest[1], largest[2]);
    assert_true(total > 1.0);
    assert_between(largest[1], 0.0, 1e-12);
    /* residual 1e-12 of terms of size 1, over h = 1e-2 */
    assert_between(largest[2], 0.0, 1e-10);
    for (int k = 0; k < 3; ++k) nsds_model_destroy(w[k].model);
  }
}

static nsds_law *diode(nsds_model *m) {
  return nsds_relay(m, 1, (double[]){0.0}, (double[]){INFINITY});
}

/* The message names the interaction that the worst row belongs to, which is not its block's number.
 */
static void the_interaction_at_fault(void **state) {
  (void)state;
  for (int sparse = 0; sparse < 2; ++sparse)
    for (int dead = 1; dead < cells; dead += 4) {
      circuit w = wire(sparse, each, diode, dead);
      assert_status(w.model, nsds_step(w.simulation), NSDS_ERROR_SOLVER);
      char number[32];
      snprintf(number, sizeof number, "interaction #%d (", dead / each);
      const char *words[] = {number, "wire"};
      assert_words(nsds_error_message(nsds_model_context(w.model)), words, 2);
      nsds_model_destroy(w.model);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(copies_as_interactions),
      cmocka_unit_test(copies_in_a_sparse_circuit),
      cmocka_unit_test(the_interaction_at_fault),
  };
  return cmocka_run_group_tests_name("kernel.rows_first", tests, NULL, NULL);
}
