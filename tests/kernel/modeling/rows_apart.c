/*
 * Copies of a law: one interaction of ny rows moves as ny / size interactions of one copy each, for
 * every law on every kind of relation between two systems, with copies that come and go one by one.
 */
#include "support.h"

enum { na = 4, nb = 3, dofs = na + nb, most = 6, steps = 300 };

/* ---- relations: rows [first, first + count) of one and the same map ---- */

typedef struct part {
  int first, count, size; /* size of a copy: D couples the rows of one */
} part;

static const double b[most] = {-0.1, 0.02, -0.3, 0.0, -0.2, -0.05};

static double H(int i, int j) { return (i == j ? 1.0 : 0.0) + 0.15 * sin(1.0 + 3.0 * i + 5.0 * j); }

static double D(const part *p, int i, int j) {
  return i == j ? 0.3 + 0.05 * i : i / p->size == j / p->size ? 0.1 : 0.0;
}

static int plain_h(const nsds_arguments *in, double *y, void *user) {
  const part *p = user;
  for (int i = 0; i < p->count; ++i) {
    y[i] = b[p->first + i];
    for (int j = 0; j < dofs; ++j) y[i] += H(p->first + i, j) * in->q[j];
  }
  return 0;
}

static int curved_h(const nsds_arguments *in, double *y, void *user) {
  const part *p = user;
  plain_h(in, y, user);
  for (int i = 0; i < p->count; ++i) y[i] += 0.05 * sin(2.0 * in->q[p->first + i]);
  return 0;
}

static int curved_h_q(const nsds_arguments *in, double *out, void *user) {
  const part *p = user;
  for (int j = 0; j < dofs; ++j)
    for (int i = 0; i < p->count; ++i) {
      double curved = j == p->first + i ? 0.1 * cos(2.0 * in->q[j]) : 0.0;
      out[i + j * p->count] = H(p->first + i, j) + curved;
    }
  return 0;
}

static int moving_h(const nsds_arguments *in, double *y, void *user) {
  const part *p = user;
  curved_h(in, y, user);
  for (int i = 0; i < p->count; ++i) y[i] += 0.02 * sin(5.0 * in->t + p->first + i);
  return 0;
}

static int moving_h_t(const nsds_arguments *in, double *out, void *user) {
  const part *p = user;
  for (int i = 0; i < p->count; ++i) out[i] = 0.1 * cos(5.0 * in->t + p->first + i);
  return 0;
}

static const double soft = 2e-4; /* m/N, times D */

static int soft_h(const nsds_arguments *in, double *y, void *user) {
  const part *p = user;
  curved_h(in, y, user);
  for (int j = 0; j < p->count; ++j)
    for (int i = 0; i < p->count; ++i)
      y[i] += soft * D(p, p->first + i, p->first + j) * in->lambda[j];
  return 0;
}

static int soft_h_lambda(const nsds_arguments *in, double *out, void *user) {
  const part *p = user;
  (void)in;
  for (int j = 0; j < p->count; ++j)
    for (int i = 0; i < p->count; ++i)
      out[i + j * p->count] = soft * D(p, p->first + i, p->first + j);
  return 0;
}

static void matrices(const part *p, double *h, double *d) {
  for (int j = 0; j < dofs; ++j)
    for (int i = 0; i < p->count; ++i) h[i + j * p->count] = H(p->first + i, j);
  for (int j = 0; j < p->count; ++j)
    for (int i = 0; i < p->count; ++i) d[i + j * p->count] = D(p, p->first + i, p->first + j);
}

static nsds_relation *linear_of(nsds_model *m, part *p, bool with_d) {
  double h[most * dofs], d[most * most];
  matrices(p, h, d);
  return nsds_lagrangian_linear_relation(
      m, &(nsds_lagrangian_linear_relation_def){
             .ny = p->count, .nq = dofs, .H = h, .D = with_d ? d : NULL, .b = b + p->first});
}

static nsds_relation *linear(nsds_model *m, part *p) { return linear_of(m, p, false); }
static nsds_relation *linear_d(nsds_model *m, part *p) { return linear_of(m, p, true); }

static nsds_relation *scleronomous(nsds_model *m, part *p) {
  return nsds_lagrangian_relation(m, &(nsds_lagrangian_relation_def){.ny = p->count,
                                                                     .nq = dofs,
                                                                     .output_fn = curved_h,
                                                                     .jac_output_q_fn = curved_h_q,
                                                                     .user = p});
}

static nsds_relation *rheonomous(nsds_model *m, part *p) {
  return nsds_lagrangian_relation(m, &(nsds_lagrangian_relation_def){.ny = p->count,
                                                                     .nq = dofs,
                                                                     .output_fn = moving_h,
                                                                     .jac_output_q_fn = curved_h_q,
                                                                     .jac_output_t_fn = moving_h_t,
                                                                     .user = p});
}

static nsds_relation *compliant(nsds_model *m, part *p) {
  return nsds_lagrangian_relation(
      m, &(nsds_lagrangian_relation_def){.ny = p->count,
                                         .nq = dofs,
                                         .output_fn = soft_h,
                                         .jac_output_q_fn = curved_h_q,
                                         .jac_output_lambda_fn = soft_h_lambda,
                                         .user = p});
}

static nsds_status own_output(void *self, const nsds_arguments *in, double *y) {
  return curved_h(in, y, self) ? NSDS_ERROR_CALLBACK : NSDS_OK;
}

static nsds_status own_jacobian(void *self, const nsds_arguments *in, double *out) {
  return curved_h_q(in, out, self) ? NSDS_ERROR_CALLBACK : NSDS_OK;
}

static nsds_status own_feedthrough(void *self, const nsds_arguments *in, double *out) {
  double h[most * dofs];
  (void)in;
  matrices(self, h, out);
  return NSDS_OK;
}

static const nsds_relation_ops own_ops = {.type = "own with D",
                                          .output = own_output,
                                          .jacobian_q = own_jacobian,
                                          .feedthrough = own_feedthrough};

static nsds_relation *own_d(nsds_model *m, part *p) {
  return nsds_custom_relation(
      m, &(nsds_custom_relation_def){.ops = &own_ops, .self = p, .ny = p->count, .nq = dofs});
}

static const struct {
  const char *name;
  nsds_relation *(*create)(nsds_model *, part *);
} relations[] = {
    {"linear", linear},         {"linear with D", linear_d}, {"scleronomous", scleronomous},
    {"rheonomous", rheonomous}, {"compliant", compliant},    {"own with D", own_d}};

/* ---- laws ---- */

static bool first_row_closed(void *self, const double *y, const double *ydot, double tau,
                             double slack) {
  (void)self;
  return y[0] + tau * ydot[0] <= slack;
}

/* Two rows that rebound together, by the first one's gap. */
static void pair_block(void *self, nsds_block *block) {
  (void)self;
  block->set = NSDS_SET_NONNEGATIVE;
}

static void pair_restitution(void *self, const double *ydot, double *q) {
  (void)self;
  q[0] += 0.4 * ydot[0];
  q[1] += 0.2 * ydot[1];
}

static const nsds_law_ops pair_ops = {.type = "pair",
                                      .block = pair_block,
                                      .active = first_row_closed,
                                      .restitution = pair_restitution};

/* For a relation that is a spring. */
static const nsds_law_ops soft_pair_ops = {
    .type = "soft pair", .block = pair_block, .active = first_row_closed};

/* Contact with thresholds of friction that are known, as impulses. */
static void triple_block(void *self, nsds_block *block) {
  static const double low[3] = {0.0, -3e-3, -1e-3}, high[3] = {INFINITY, 3e-3, 1e-3};
  (void)self;
  block->set = NSDS_SET_BOX;
  block->lower = low;
  block->upper = high;
}

static const nsds_law_ops triple_ops = {
    .type = "triple", .block = triple_block, .active = first_row_closed};

static void coulomb_block(void *self, nsds_block *block) {
  (void)self;
  block->set = NSDS_SET_COULOMB;
  block->mu = 0.3;
}

static const nsds_law_ops coulomb_ops = {
    .type = "coulomb", .block = coulomb_block, .active = first_row_closed};

static nsds_law *impact(nsds_model *m) { return nsds_newton_impact(m, 0.5); }
static nsds_law *soft_impact(nsds_model *m) { return nsds_newton_impact(m, 0.0); }
static nsds_law *pair(nsds_model *m) {
  return nsds_custom_law(m, &(nsds_custom_law_def){.ops = &pair_ops, .size = 2});
}
static nsds_law *soft_pair(nsds_model *m) {
  return nsds_custom_law(m, &(nsds_custom_law_def){.ops = &soft_pair_ops, .size = 2});
}
static nsds_law *triple(nsds_model *m) {
  return nsds_custom_law(m, &(nsds_custom_law_def){.ops = &triple_ops, .size = 3, .ngap = 1});
}
static nsds_law *coulomb(nsds_model *m) {
  return nsds_custom_law(m, &(nsds_custom_law_def){.ops = &coulomb_ops, .size = 2, .ngap = 1});
}
static nsds_law *relay(nsds_model *m) {
  return nsds_relay(m, 2, (double[]){-2.0, 0.0}, (double[]){2.0, INFINITY});
}
static nsds_law *saturation(nsds_model *m) {
  return nsds_saturation(m, 3, (double[]){-2.0, -1.0, -3.0}, (double[]){2.0, 4.0, 1.0}, 5.0);
}
static nsds_law *cone(nsds_model *m) { /* |l_0| + |l_1| <= 2 */
  return nsds_normal_cone(m, 2, 4, (double[]){1, 1, -1, -1, 1, -1, 1, -1},
                          (double[]){-2, -2, -2, -2});
}

static const struct {
  const char *name;
  nsds_law *(*create)(nsds_model *);
  int size;
  bool gaps;                       /* copies that are not always active */
  nsds_law *(*soft)(nsds_model *); /* without restitution, where the law has it */
} laws[] = {{"impact", impact, 1, true, soft_impact},
            {"complementarity", nsds_complementarity, 1, true, NULL},
            {"equality", nsds_equality, 1, false, NULL},
            {"own pair", pair, 2, true, soft_pair},
            {"own triple", triple, 3, true, NULL},
            {"coulomb", coulomb, 2, true, NULL},
            {"relay", relay, 2, false, NULL},
            {"saturation", saturation, 3, false, NULL},
            {"normal cone", cone, 2, false, NULL}};

enum {
  law_count = sizeof laws / sizeof *laws,
  relation_count = sizeof relations / sizeof *relations
};

static const struct {
  double theta, gamma;
  bool predict_once;
} schemes[] = {{0.5, 1.0, false}, {0.7, 0.5, false}, {1.0, 0.6, true}};

enum { scheme_count = sizeof schemes / sizeof *schemes };

/* ---- one interaction, or one for each copy ---- */

typedef struct world {
  nsds_model *model;
  nsds_ds *ds[2];
  nsds_interaction *contact[most];
  nsds_simulation *simulation;
  part part[most];
  int ncontact;
} world;

static nsds_ds *body(nsds_model *m, int n, int first) {
  double M[na * na], K[na * na], q[na], v[na], f[na];
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) M[i + n * j] = K[i + n * j] = i == j ? 0.0 : 0.1;
    M[i + n * i] = 1.0 + 0.2 * (first + i);
    K[i + n * i] = 4.0 + i;
    q[i] = 0.1 + 0.13 * ((first + i) % 3);
    v[i] = 0.5 * cos(2.0 * (first + i));
    f[i] = -6.0 - 2.0 * sin(4.0 * (first + i));
  }
  return nsds_lagrangian_linear(
      m, &(nsds_lagrangian_linear_def){
             .ndof = n, .q0 = q, .v0 = v, .mass = M, .stiffness = K, .fext = f});
}

static void build(world *w, int law, int relation, int scheme, int ny, bool apart) {
  nsds_model *m = w->model = nsds_model_create(NULL);
  w->ds[0] = body(m, na, 0);
  w->ds[1] = body(m, nb, na);
  bool spring = relations[relation].create == compliant && laws[law].soft;
  nsds_law *l = (spring ? laws[law].soft : laws[law].create)(m);
  int rows = apart ? laws[law].size : ny;
  w->ncontact = ny / rows;
  for (int k = 0; k < w->ncontact; ++k) {
    w->part[k] = (part){.first = k * rows, .count = rows, .size = laws[law].size};
    w->contact[k] = nsds_connect(m, relations[relation].create(m, &w->part[k]), l, 2, w->ds);
  }
  w->simulation = nsds_time_stepping(
      m, &(nsds_time_stepping_def){
             .t1 = 10.0,
             .h = 2e-3,
             .second_order = schemes[scheme].predict_once
                                 ? nsds_with_predict_once(nsds_moreau_jean(schemes[scheme].theta,
                                                                           schemes[scheme].gamma))
                                 : nsds_moreau_jean(schemes[scheme].theta, schemes[scheme].gamma),
             .tolerance = 1e-13});
  assert_sound(m);
}

static double largest_of(int n, const double *x, const double *y) {
  double largest = 0.0;
  for (int k = 0; k < n; ++k) largest = worse(fabs(x[k] - y[k]), largest);
  return largest;
}

/* The largest difference after a step; counts copies that act while others of the interaction rest.
 */
static double compare(const world *one, const world *many, int law, int ny, int *alone) {
  double largest = 0.0;
  for (int s = 0; s < 2; ++s) {
    int n = nsds_nv(one->ds[s]);
    largest = worse(largest_of(n, nsds_q(one->ds[s]), nsds_q(many->ds[s])), largest);
    largest = worse(largest_of(n, nsds_v(one->ds[s]), nsds_v(many->ds[s])), largest);
    largest = worse(largest_of(n, nsds_p(one->ds[s]), nsds_p(many->ds[s])), largest);
  }
  const nsds_interaction *a = one->contact[0];
  int size = laws[law].size, active = 0;
  for (int k = 0; k < many->ncontact; ++k) {
    const nsds_interaction *c = many->contact[k];
    largest = worse(largest_of(size, nsds_y(a) + k * size, nsds_y(c)), largest);
    largest = worse(largest_of(size, nsds_ydot(a) + k * size, nsds_ydot(c)), largest);
    largest = worse(largest_of(size, nsds_impulse(a) + k * size, nsds_impulse(c)), largest);
    /* forces are larger by 1 / h than what the step computes */
    largest = worse(2e-3 * largest_of(size, nsds_lambda(a) + k * size, nsds_lambda(c)), largest);
    active += nsds_is_active(c);
    for (int i = k * size; i < (k + 1) * size && !nsds_is_active(c); ++i)
      assert_near(nsds_impulse(a)[i], 0.0, 0.0);
  }
  assert_int_equal(nsds_is_active(a), active > 0);
  assert_int_equal(nsds_simulation_info(one->simulation)->rows, active * size);
  *alone += active > 0 && active * size < ny;
  return largest;
}

/* The largest difference over a run; adds to `impulse`. */
static double run_both(int law, int relation, int scheme, int ny, double *impulse) {
  world one, many;
  int alone = 0;
  double largest = 0.0;
  build(&one, law, relation, scheme, ny, false);
  build(&many, law, relation, scheme, ny, true);
  for (int s = 0; s < steps; ++s) {
    assert_ok(one.model, nsds_step(one.simulation));
    assert_ok(many.model, nsds_step(many.simulation));
    largest = worse(compare(&one, &many, law, ny, &alone), largest);
    for (int i = 0; i < ny; ++i) *impulse += fabs(nsds_impulse(one.contact[0])[i]);
  }
  bool level0 = relations[relation].create == compliant && laws[law].create == nsds_complementarity;
  assert_int_equal(alone > 0, laws[law].gaps && !level0 && ny > laws[law].size);
  nsds_model_destroy(one.model);
  nsds_model_destroy(many.model);
  return largest;
}

static void law_on_all(int law) {
  int size = laws[law].size;
  for (int r = 0; r < relation_count; ++r) {
    double largest = 0.0;
    for (int s = 0; s < scheme_count; ++s) {
      double impulse = 0.0;
      for (int ny = size; ny <= most; ny += size)
        largest = worse(run_both(law, r, s, ny, &impulse), largest);
      assert_true(impulse > 0.1);
    }
    print_message("             %-16s %-14s max diff %.1e\n", laws[law].name, relations[r].name,
                  largest);
    assert_between(largest, 0.0, 1e-12);
  }
}

static void copies_of_one_row(void **state) {
  (void)state;
  for (int k = 0; k < law_count; ++k)
    if (laws[k].size == 1) law_on_all(k);
}

static void copies_of_two_rows(void **state) {
  (void)state;
  for (int k = 0; k < law_count; ++k)
    if (laws[k].size == 2) law_on_all(k);
}

static void copies_of_three_rows(void **state) {
  (void)state;
  for (int k = 0; k < law_count; ++k)
    if (laws[k].size == 3) law_on_all(k);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(copies_of_one_row),
      cmocka_unit_test(copies_of_two_rows),
      cmocka_unit_test(copies_of_three_rows),
  };
  return cmocka_run_group_tests_name("kernel.rows_apart", tests, NULL, NULL);
}
