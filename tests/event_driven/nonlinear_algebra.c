/*
 * Nonlinear first-order systems with a singular M of index 1, by events: unknowns without M follow by Newton's method,
 * with lambda among them. Independent integrations solve the algebraic equation by themselves.
 */
#include "support.h"

#include <stdio.h>

/* dx/dt = -a x + z + U sin(w t) + k q,   0 = x - z - b z^3 + lambda,   0 <= z - c, lambda: z is held at c or above. */
typedef struct drawn_system {
  double a, b, c, U, w;
  bool held;
} drawn_system;

static int slope(const nsds_arguments *in, double *f, void *user) {
  const drawn_system *d = user;
  double x = in->x[0], z = in->x[1];
  f[0] = -d->a * x + z + d->U * sin(d->w * in->t);
  f[1] = x - z - d->b * z * z * z;
  return 0;
}

static int slope_x(const nsds_arguments *in, double *J, void *user) {
  const drawn_system *d = user;
  double z = in->x[1];
  J[0] = -d->a;
  J[1] = J[2] = 1.0;
  J[3] = -1.0 - 3.0 * d->b * z * z;
  return 0;
}

/* z of x, not held. */
static double root_of(const drawn_system *d, double x) {
  double z = 0.5 * x;
  for (int k = 0; k < 100; ++k) z -= (z + d->b * z * z * z - x) / (1.0 + 3.0 * d->b * z * z);
  return z;
}

static double rate_of(const drawn_system *d, double t, double x) {
  double z = root_of(d, x);
  return -d->a * x + (d->held ? fmax(z, d->c) : z) + d->U * sin(d->w * t);
}

typedef struct run_of {
  nsds_model *model;
  nsds_ds *ds;
  nsds_simulation *s;
} run_of;

static run_of begin(drawn_system *d, double x, double t1, const char *integrator) {
  run_of r = {.model = nsds_model_create(NULL)};
  double M[4] = {1.0}, x0[2] = {x, 0.0}, B[2] = {0.0, 1.0}, e = -d->c;
  r.ds = nsds_first_order(
      r.model, &(nsds_first_order_def){
                   .n = 2, .mass = M, .x0 = x0, .f_fn = slope, .jac_f_x_fn = slope_x, .user = d});
  nsds_relation *keeps = nsds_first_order_linear_relation(
      r.model, &(nsds_first_order_linear_relation_def){.ny = 1, .nx = 2, .C = B, .B = B, .e = &e});
  if (d->held) nsds_connect(r.model, keeps, nsds_complementarity(r.model), 1, &r.ds);
  r.s = nsds_event_driven(r.model, &(nsds_event_driven_def){.t1 = t1,
                                                            .integrator = integrator,
                                                            .relative_tolerance = 1e-11,
                                                            .absolute_tolerance = 1e-12});
  assert_sound(r.model);
  return r;
}

static drawn_system draw(uint64_t *seed, bool held) {
  return (drawn_system){.a = random_in(seed, 0.5, 2.0),
                        .b = random_in(seed, 0.2, 3.0),
                        .c = random_in(seed, -0.3, 0.4),
                        .U = random_in(seed, 1.0, 4.0),
                        .w = random_in(seed, 2.0, 6.0),
                        .held = held};
}

/* The end, and the times at which z comes to c or leaves it, against Runge and Kutta in short steps. */
static void as_its_own_integration(void **state) {
  (void)state;
  static const char *const integrators[] = {"auto", "dormand_prince", "esdirk"};
  uint64_t seed = 3;
  int events = 0;
  for (int k = 0; k < 18; ++k) {
    drawn_system d = draw(&seed, k >= 6);
    double x = random_in(&seed, 0.5, 1.0), t1 = 3.0, time[40];
    run_of r = begin(&d, x, t1, integrators[k % 3]);
    int found = 0, seen = 0;
    nsds_status status = NSDS_OK;
    while (status == NSDS_OK) {
      status = nsds_step(r.s);
      bool any = nsds_simulation_event(r.s)->kind & NSDS_EVENT_NONSMOOTH;
      if (any && nsds_time(r.s) > 0.0 && found < 40) time[found++] = nsds_time(r.s);
    }
    if (status != NSDS_END) fail_msg("%s", nsds_error_message(nsds_model_context(r.model)));
    enum { steps = 30000 };
    double h = t1 / steps, before = root_of(&d, x) - d.c;
    for (int i = 0; i < steps; ++i) {
      double t = i * h, a = rate_of(&d, t, x), b = rate_of(&d, t + 0.5 * h, x + 0.5 * h * a);
      double c = rate_of(&d, t + 0.5 * h, x + 0.5 * h * b), e = rate_of(&d, t + h, x + h * c);
      x += h / 6.0 * (a + 2.0 * b + 2.0 * c + e);
      double now = root_of(&d, x) - d.c;
      if (d.held && before * now < 0.0) {
        assert_true(seen < found);
        assert_near(time[seen++], t + h * before / (before - now), 1e-7);
      }
      before = now;
    }
    assert_int_equal(seen, found);
    events += found;
    double z = root_of(&d, x);
    assert_near(nsds_x(r.ds)[0], x, 1e-8);
    assert_near(nsds_x(r.ds)[1], d.held ? fmax(z, d.c) : z, 1e-8);
    nsds_model_destroy(r.model);
  }
  printf("%d events\n", events);
  assert_true(events > 20);
}

/* A snapshot at each event goes on with the same bits in a new model. */
static void saved(void **state) {
  (void)state;
  static const char file[] = "nonlinear_algebra.nsds";
  drawn_system d = {.a = 1.0, .b = 1.0, .c = 0.45, .U = 2.0, .w = 3.0, .held = true};
  run_of one = begin(&d, 0.5, 3.0, "auto"), other = begin(&d, 0.9, 3.0, "auto");
  nsds_status status = NSDS_OK;
  int count = 0;
  for (; status == NSDS_OK; ++count) {
    assert_ok(one.model, nsds_snapshot_save(one.s, file));
    assert_ok(other.model, nsds_snapshot_load(other.s, file));
    if (nsds_event_meet(one.s) == NSDS_OK) assert_ok(one.model, nsds_step_reject(one.s));
    status = nsds_step(one.s);
    assert_int_equal(nsds_step(other.s), status);
    assert_true(state_hash(one.model, 0) == state_hash(other.model, 0));
  }
  assert_int_equal(status, NSDS_END);
  assert_true(count >= 4);
  nsds_model_destroy(one.model);
  nsds_model_destroy(other.model);
  remove(file);
}

static int pendulum(const nsds_arguments *in, double *f, void *user) {
  (void)user;
  f[0] = in->x[1];
  f[1] = -in->x[2];
  f[2] = in->x[0] + in->x[0] * in->x[0] - 0.1;
  return 0;
}

/* z is in no equation without M: index 3. */
static void higher_index(void **state) {
  (void)state;
  nsds_model *model = nsds_model_create(NULL);
  double M[9] = {1.0, 0, 0, 0, 1.0};
  nsds_first_order(model, &(nsds_first_order_def){.n = 3,
                                                  .mass = M,
                                                  .x0 = (double[]){0.0916, 0.0, 0.0},
                                                  .f_fn = pendulum,
                                                  .jac_f_x_fn = nsds_differences});
  nsds_simulation *s = nsds_event_driven(model, &(nsds_event_driven_def){.t1 = 1.0});
  if (s) assert_true(nsds_step(s) < 0);
  assert_int_equal(nsds_error(nsds_model_context(model)), NSDS_ERROR_SINGULAR);
  assert_words(nsds_error_message(nsds_model_context(model)),
               ((const char *[]){"index is above 1", "nsds_adaptive()"}), 2);
  nsds_model_destroy(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(as_its_own_integration),
                                     cmocka_unit_test(saved), cmocka_unit_test(higher_index)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
