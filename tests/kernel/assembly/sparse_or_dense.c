/*
 * Matrices of a linear system stored sparse or dense give the same motion: 1 to 6 coordinates, M, C and
 * K each missing, diagonal, a band or full, loads that are none, constant or functions, prescribed
 * velocities, a contact or none, every scheme and event-driven simulation. Drawn; the argument is the
 * number of models.
 */
#include "support.h"

#include <stdio.h>
#include <stdlib.h>

enum { most = 6 };

typedef enum form { NONE, DIAGONAL, BAND, FULL } form;

typedef struct both {
  double dense[most * most];
  int p[most + 1], i[most * most];
  double x[most * most];
  nsds_csc sparse;
} both;

static uint64_t rng;

static int below(int n) { return (int)random_in(&rng, 0.0, (double)n - 1e-9); }

/* Symmetric with a diagonal of `size` and entries beside it that keep it definite. */
static void draw(both *m, int n, form f, double size) {
  int count = 0;
  *m = (both){.sparse = {0}};
  for (int j = 0; j < n; ++j)
    for (int i = 0; i <= j; ++i) {
      bool there = f == FULL || i == j || (f == BAND && j == i + 1);
      double x = i == j ? size * random_in(&rng, 1.0, 2.0) : size * random_in(&rng, -0.1, 0.1);
      if (there) m->dense[i + j * n] = m->dense[j + i * n] = x;
    }
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < n; ++i)
      if (m->dense[i + j * n] != 0.0) {
        m->i[count] = i;
        m->x[count++] = m->dense[i + j * n];
      }
    m->p[j + 1] = count;
  }
  m->sparse = (nsds_csc){n, n, m->p, m->i, m->x};
}

typedef struct drawn {
  int n, driver, load, prescribed;
  form M, C, K;
  bool contact;
  both m, c, k;
  double q0[most], v0[most], f[most], theta;
} drawn;

static int load_of_time(const nsds_arguments *in, double *f, void *user) {
  const drawn *d = user;
  for (int k = 0; k < d->n; ++k) f[k] = d->f[k] * cos(3.0 * in->t);
  return 0;
}

static int given_velocity(const nsds_arguments *in, double *v, void *user) {
  (void)user;
  v[0] = 0.5 * sin(2.0 * in->t);
  return 0;
}

static void draw_all(drawn *d) {
  *d = (drawn){.n = 1 + below(most), .driver = below(8), .load = below(3)};
  d->M = below(4) == 0 ? NONE : (form)(1 + below(3));
  d->C = (form)below(4);
  d->K = (form)below(4);
  draw(&d->m, d->n, d->M == NONE ? DIAGONAL : d->M, 1.0);
  draw(&d->c, d->n, d->C, 0.5);
  draw(&d->k, d->n, d->K, 20.0);
  d->prescribed = d->driver != 4 && below(5) == 0;
  d->contact = below(2) == 0;
  d->theta = random_in(&rng, 0.5, 1.0);
  for (int k = 0; k < d->n; ++k) {
    d->q0[k] = random_in(&rng, 0.0, 0.3);
    d->v0[k] = random_in(&rng, -1.0, 1.0);
    d->f[k] = random_in(&rng, -10.0, 0.0);
  }
  if (d->prescribed) d->v0[d->n - 1] = 0.0;
}

/* The motion of 40 steps; false if the model is refused. */
static bool move(const drawn *d, bool sparse, double *q, char *why) {
  nsds_model *model = nsds_model_create(NULL);
  nsds_context *context = nsds_model_context(model);
  int last = d->n - 1;
  nsds_lagrangian_linear_def def = {.ndof = d->n, .q0 = d->q0, .v0 = d->v0, .user = (void *)d};
  if (d->M != NONE && sparse) def.mass_sparse = &d->m.sparse;
  else def.mass = d->M == NONE ? NULL : d->m.dense;
  if (d->C != NONE && sparse) def.damping_sparse = &d->c.sparse;
  else def.damping = d->C == NONE ? NULL : d->c.dense;
  if (d->K != NONE && sparse) def.stiffness_sparse = &d->k.sparse;
  else def.stiffness = d->K == NONE ? NULL : d->k.dense;
  if (d->load == 1) def.fext = d->f;
  if (d->load == 2) def.fext_fn = load_of_time;
  if (d->prescribed) def.prescribed = (nsds_prescribed){1, &last, given_velocity};
  nsds_ds *ds = nsds_lagrangian_linear(model, &def);
  double H[most] = {1.0};
  if (d->contact && ds)
    nsds_connect(model,
                 nsds_lagrangian_linear_relation(
                     model, &(nsds_lagrangian_linear_relation_def){.ny = 1, .nq = d->n, .H = H}),
                 nsds_newton_impact(model, 0.5), 1, &ds);
  nsds_time_stepping_def steps = {.t1 = 1e3, .h = 0.01};
  if (d->driver < 3) steps.second_order = nsds_moreau_jean(d->driver == 0 ? 0.5 : d->theta, 1.0);
  if (d->driver == 2) steps.projection.kind = NSDS_PROJECTION_DIRECT;
  if (d->driver == 3) steps.second_order = nsds_d1_minus();
  if (d->driver == 4) steps.second_order = nsds_schatzman_paoli(d->theta);
  if (d->driver == 7) steps.second_order = nsds_rattle();
  if (d->driver == 5 && ds)
    nsds_ds_discretise(ds, nsds_with_step_ratio(nsds_moreau_jean(d->theta, 1.0), 3));
  nsds_simulation *s =
      d->driver == 6
          ? nsds_event_driven(model, &(nsds_event_driven_def){.t1 = 1e3, .output_period = 0.01})
          : nsds_time_stepping(model, &steps);
  nsds_status status = s ? NSDS_OK : NSDS_ERROR_VALUE;
  while (!status && nsds_time(s) < 0.4 - 1e-9) status = nsds_step(s);
  snprintf(why, 200, "%s", nsds_error_message(context));
  for (int k = 0; k < d->n && ds; ++k) q[k] = nsds_q(ds)[k], q[most + k] = nsds_v(ds)[k];
  nsds_model_destroy(model);
  return status >= 0;
}

/* Factors and products differ by rounding, 1e-16 times the condition (below 100) and 40 steps. Contacts
 * amplify that, and event-driven steps are as accurate as asked. */
static long compare(long count, long *compared) {
  long wrong = 0;
  for (long k = 0; k < count; ++k) {
    static drawn d;
    double a[2 * most] = {0.0}, b[2 * most] = {0.0}, off = 0.0;
    char why[2][200];
    rng = 1000003u * (uint64_t)(k + 1);
    draw_all(&d);
    bool dense = move(&d, false, a, why[0]), sparse = move(&d, true, b, why[1]);
    double tolerance = d.driver == 6 ? 1e-6 : d.contact ? 1e-9 : 1e-11;
    for (int i = 0; i < 2 * most; ++i) off = fmax(off, fabs(a[i] - b[i]));
    *compared += dense && sparse;
    if (dense == sparse && (!dense || off <= tolerance)) continue;
    ++wrong;
    print_message(
        "model %ld: n %d, driver %d, M %d, C %d, K %d, load %d, prescribed %d, contact %d: "
        "off by %g; dense: %s; sparse: %s\n",
        k, d.n, d.driver, (int)d.M, (int)d.C, (int)d.K, d.load, d.prescribed, d.contact, off,
        why[0], why[1]);
  }
  return wrong;
}

static long models = 3000;

static void sparse_and_dense_move_alike(void **state) {
  (void)state;
  long compared = 0, wrong = compare(models, &compared);
  print_message("             %ld of %ld models compared\n", compared, models);
  assert_int_equal(wrong, 0);
  assert_true(compared > models / 2);
}

/* One mass on a spring, sparse: M q'' = -40 q - 9.81, by the midpoint rule of Moreau-Jean. */
static void one_coordinate_stored_sparse_moves(void **state) {
  (void)state;
  const int p[2] = {0, 1}, i[1] = {0};
  const double m = 1.25, stiffness = 40.0, damping = 0.5, load = -9.81, h = 1e-3;
  for (int kind = 0; kind < 3; ++kind) {
    nsds_csc M = {1, 1, p, i, &m}, K = {1, 1, p, i, &stiffness}, C = {1, 1, p, i, &damping};
    nsds_model *model = nsds_model_create(NULL);
    double q = 1.0, v = 0.0, k = kind == 1 ? 0.0 : stiffness, c = kind == 0 ? 0.0 : damping;
    nsds_ds *ds = nsds_lagrangian_linear(
        model, &(nsds_lagrangian_linear_def){.ndof = 1,
                                             .q0 = &q,
                                             .mass_sparse = &M,
                                             .stiffness_sparse = k > 0.0 ? &K : NULL,
                                             .damping_sparse = c > 0.0 ? &C : NULL,
                                             .fext = &load});
    nsds_simulation *s = nsds_time_stepping(model, &(nsds_time_stepping_def){.t1 = 1.0, .h = h});
    for (int step = 0; step < 300; ++step) {
      assert_ok(model, nsds_step(s));
      double force = load - k * (q + 0.5 * h * v) - c * v;
      double next = v + h * force / (m + 0.5 * h * c + 0.25 * h * h * k);
      q += 0.5 * h * (v + next);
      v = next;
    }
    assert_near(nsds_q(ds)[0], q, 1e-12);
    assert_near(nsds_v(ds)[0], v, 1e-12);
    nsds_model_destroy(model);
  }
}

int main(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(one_coordinate_stored_sparse_moves),
                                     cmocka_unit_test(sparse_and_dense_move_alike)};
  if (argc > 1) models = atol(argv[1]);
  return cmocka_run_group_tests_name("kernel.sparse_or_dense", tests, NULL, NULL);
}
