/*
 * Functions of a program whose inner terms cancel at rest: exp(x) - 1 at x = 0 is a multiple of 1e-16, which
 * only the function knows. Models with such functions come to rest and stay so for ever, and no step
 * is halved. The functions have units: in units smaller by 2^40, every number of a run is smaller by
 * 2^40, since no number of a unit stands in Newton's test.
 *
 *     kernel_rest_of_functions [COUNT [SEED]]   draws COUNT models of each kind (4), from SEED (1) on
 */
#include "support.h"

#include <nsds/first_order.h>
#include <nsds/lagrangian.h>
#include <nsds/mixed.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static long count = 4;
static uint64_t first_seed = 1;

/* ---- functions that vanish at 0 with slope 1, and whose terms do not vanish ---- */

enum { shapes = 8 };

static double curve(int shape, double x) {
  switch (shape) {
  case 0: return exp(x) - 1.0;
  case 1: return 2.0 * (sqrt(1.0 + x) - 1.0);
  case 2: return 0.025 * (exp(x / 0.025) - 1.0);
  case 3: return 1.0 - exp(-x);
  case 4: return 1.0 / 3.0 * ((1.0 + x) * (1.0 + x) * (1.0 + x) - 1.0);
  case 5: return (sin(x + 1.0) - sin(1.0)) / cos(1.0);
  case 6: return (1000.0 + x) - 1000.0;
  default: return 2.0 * (hypot(0.6, 0.8 + x) - 1.0) / 1.6;
  }
}

static double slope(int shape, double x) {
  switch (shape) {
  case 0: return exp(x);
  case 1: return 1.0 / sqrt(1.0 + x);
  case 2: return exp(x / 0.025);
  case 3: return exp(-x);
  case 4: return (1.0 + x) * (1.0 + x);
  case 5: return cos(x + 1.0) / cos(1.0);
  case 6: return 1.0;
  default: return (0.8 + x) / hypot(0.6, 0.8 + x) / 0.8;
  }
}

enum { most = 3, arms = 4 };

/* The data of all functions of a model. */
typedef struct own {
  int n, shape[most];
  double unit;           /* of x, q, v and lambda */
  double A[most * most]; /* positive definite */
  double arm[arms][2];   /* in the unit */
  double k, d, rate;
} own;

static double f_of(const own *o, int j, double x) {
  return o->unit * curve(o->shape[j], x / o->unit);
}
static double f_x_of(const own *o, int j, double x) { return slope(o->shape[j], x / o->unit); }

static int f(const nsds_arguments *in, double *F, void *user) {
  const own *o = user;
  for (int i = 0; i < o->n; ++i) {
    F[i] = 0.0;
    for (int j = 0; j < o->n; ++j) F[i] -= o->A[i + j * o->n] * f_of(o, j, in->x[j]);
  }
  return 0;
}
static int f_x(const nsds_arguments *in, double *J, void *user) {
  const own *o = user;
  for (int k = 0; k < o->n * o->n; ++k) J[k] = -o->A[k] * f_x_of(o, k / o->n, in->x[k / o->n]);
  return 0;
}

/* y = lambda - rate f(x), r = - lambda: a resistor of its own. */
static int h(const nsds_arguments *in, double *y, void *user) {
  const own *o = user;
  y[0] = f_of(o, 1, in->lambda[0]) - o->rate * f_of(o, 0, in->x[0]);
  return 0;
}
static int h_x(const nsds_arguments *in, double *J, void *user) {
  J[0] = -((const own *)user)->rate * f_x_of(user, 0, in->x[0]);
  return 0;
}
static int h_lambda(const nsds_arguments *in, double *J, void *user) {
  J[0] = f_x_of(user, 1, in->lambda[0]);
  return 0;
}
static int g(const nsds_arguments *in, double *r, void *user) {
  r[0] = -f_of(user, 2, in->lambda[0]);
  return 0;
}
static int g_lambda(const nsds_arguments *in, double *J, void *user) {
  J[0] = -f_x_of(user, 2, in->lambda[0]);
  return 0;
}

/* Springs from q to points around it. */
static double length_of(const double *arm, const double *q) {
  return hypot(q[0] - arm[0], q[1] - arm[1]);
}
static double tension(const own *o, const double *arm, const double *q, const double *v) {
  double l = length_of(arm, q);
  return o->k * (l - length_of(arm, (double[2]){0.0, 0.0})) +
         o->d * ((q[0] - arm[0]) * v[0] + (q[1] - arm[1]) * v[1]) / l;
}

static int springs(const nsds_arguments *in, double *F, void *user) {
  const own *o = user;
  F[0] = F[1] = 0.0;
  for (int k = 0; k < arms; ++k)
    for (int i = 0; i < 2; ++i)
      F[i] += tension(o, o->arm[k], in->q, in->v) * (in->q[i] - o->arm[k][i]) /
              length_of(o->arm[k], in->q);
  return 0;
}
static int springs_q(const nsds_arguments *in, double *J, void *user) {
  const own *o = user;
  memset(J, 0, 4 * sizeof *J);
  for (int k = 0; k < arms; ++k) {
    double l = length_of(o->arm[k], in->q), t = tension(o, o->arm[k], in->q, in->v), e[2];
    for (int i = 0; i < 2; ++i) e[i] = (in->q[i] - o->arm[k][i]) / l;
    double turn = o->d / l * (e[0] * in->v[0] + e[1] * in->v[1]);
    for (int i = 0; i < 2; ++i)
      for (int j = 0; j < 2; ++j)
        J[i + 2 * j] += e[i] * (o->k * e[j] + o->d / l * in->v[j] - turn * e[j]) +
                        t / l * ((i == j) - e[i] * e[j]);
  }
  return 0;
}
static int springs_v(const nsds_arguments *in, double *J, void *user) {
  const own *o = user;
  memset(J, 0, 4 * sizeof *J);
  for (int k = 0; k < arms; ++k)
    for (int i = 0; i < 4; ++i)
      J[i] += o->d * (in->q[i % 2] - o->arm[k][i % 2]) * (in->q[i / 2] - o->arm[k][i / 2]) /
              pow(length_of(o->arm[k], in->q), 2.0);
  return 0;
}

/* One spring as a relation. lambda is its tension, against the direction of its length. */
typedef struct one_arm {
  const own *o;
  double arm[2];
} one_arm;

static int arm_output(const nsds_arguments *in, double *y, void *user) {
  const one_arm *a = user;
  y[0] = in->lambda[0] + tension(a->o, a->arm, in->q, in->v);
  return 0;
}
static int arm_q(const nsds_arguments *in, double *J, void *user) {
  const one_arm *a = user;
  for (int i = 0; i < 2; ++i) J[i] = a->o->k * (in->q[i] - a->arm[i]) / length_of(a->arm, in->q);
  return 0;
}
static int arm_v(const nsds_arguments *in, double *J, void *user) {
  const one_arm *a = user;
  for (int i = 0; i < 2; ++i) J[i] = a->o->d * (in->q[i] - a->arm[i]) / length_of(a->arm, in->q);
  return 0;
}
static int arm_lambda(const nsds_arguments *in, double *J, void *user) {
  (void)in, (void)user;
  J[0] = 1.0;
  return 0;
}
static int arm_input(const nsds_arguments *in, double *F, void *user) {
  const one_arm *a = user;
  for (int i = 0; i < 2; ++i)
    F[i] = in->lambda[0] * (in->q[i] - a->arm[i]) / length_of(a->arm, in->q);
  return 0;
}
static int arm_input_lambda(const nsds_arguments *in, double *J, void *user) {
  const one_arm *a = user;
  for (int i = 0; i < 2; ++i) J[i] = (in->q[i] - a->arm[i]) / length_of(a->arm, in->q);
  return 0;
}

/* The same without damping, for a law on the length itself. */
static int length(const nsds_arguments *in, double *y, void *user) {
  const one_arm *a = user;
  y[0] =
      in->lambda[0] / a->o->k + length_of(a->arm, in->q) - length_of(a->arm, (double[2]){0.0, 0.0});
  return 0;
}
static int length_lambda(const nsds_arguments *in, double *J, void *user) {
  (void)in;
  J[0] = 1.0 / ((const one_arm *)user)->o->k;
  return 0;
}

/* ---- draws ---- */

typedef enum kind { STATES, RESISTORS, FORCES, MIXED, SPRINGS, kinds } kind;
static const char *const kind_name[kinds] = {"states", "resistors", "forces", "mixed", "springs"};

static double random_of(uint64_t *random) {
  uint64_t z = *random += UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
  return (double)((z ^ z >> 31) >> 11) * 0x1p-53;
}
static double in_range(uint64_t *random, double low, double high) {
  return low + (high - low) * random_of(random);
}
static int one_of(uint64_t *random, int n) { return (int)(n * random_of(random)); }

static void draw_own(own *o, uint64_t *random, double unit) {
  double B[most * most];
  o->unit = unit;
  o->n = 1 + one_of(random, most);
  for (int j = 0; j < most; ++j) o->shape[j] = one_of(random, shapes);
  for (int k = 0; k < most * most; ++k) B[k] = in_range(random, -1.0, 1.0);
  double strength = pow(10.0, in_range(random, -1.0, 2.0));
  for (int k = 0; k < o->n * o->n; ++k) {
    o->A[k] = k / o->n == k % o->n ? strength : 0.0;
    for (int l = 0; l < o->n; ++l)
      o->A[k] += strength * B[k % o->n + l * most] * B[k / o->n + l * most];
  }
  for (int k = 0; k < arms; ++k)
    for (int i = 0; i < 2; ++i)
      o->arm[k][i] = unit * ((k / (i + 1) % 2 ? 0.3 : -0.3) + in_range(random, -0.25, 0.25));
  o->k = pow(10.0, in_range(random, 2.0, 5.0));
  o->d = in_range(random, 0.1, 1.0) * sqrt(o->k);
  o->rate = strength;
}

typedef struct drawing {
  nsds_model *m;
  nsds_simulation *s;
  nsds_ds *ds;
  own o;
  one_arm arm[arms];
  double h;
} drawing;

static void draw_states(drawing *d, kind k, double *start) {
  own *o = &d->o;
  if (k == RESISTORS) o->n = 1;
  d->ds = nsds_first_order(d->m, &(nsds_first_order_def){.n = o->n,
                                                         .x0 = start,
                                                         .f_fn = k == STATES ? f : NULL,
                                                         .jac_f_x_fn = k == STATES ? f_x : NULL,
                                                         .user = o});
  if (k == STATES) return;
  nsds_relation *r = nsds_first_order_relation(
      d->m, &(nsds_first_order_relation_def){.ny = 1,
                                             .nx = 1,
                                             .output_fn = h,
                                             .jac_output_x_fn = h_x,
                                             .jac_output_lambda_fn = h_lambda,
                                             .input_fn = g,
                                             .jac_input_lambda_fn = g_lambda,
                                             .user = o});
  nsds_connect(d->m, r, nsds_equality(d->m), 1, &d->ds);
}

static nsds_relation *arm_relation(drawing *d, kind k, one_arm *arm) {
  if (k == SPRINGS)
    return nsds_lagrangian_relation(
        d->m, &(nsds_lagrangian_relation_def){.ny = 1,
                                              .nq = 2,
                                              .output_fn = length,
                                              .jac_output_q_fn = arm_input_lambda,
                                              .jac_output_lambda_fn = length_lambda,
                                              .user = arm});
  return nsds_mixed_relation(d->m,
                             &(nsds_mixed_relation_def){.ny = 1,
                                                        .nq = 2,
                                                        .output_fn = arm_output,
                                                        .jac_output_q_fn = arm_q,
                                                        .jac_output_v_fn = arm_v,
                                                        .jac_output_lambda_fn = arm_lambda,
                                                        .input_fn = arm_input,
                                                        .jac_input_lambda_fn = arm_input_lambda,
                                                        .user = arm});
}

static void draw_masses(drawing *d, kind k, double *start) {
  own *o = &d->o;
  const double M[4] = {1.0, 0.0, 0.0, 1.5}, C[4] = {o->d, 0.0, 0.0, o->d};
  if (k == FORCES) {
    d->ds = nsds_lagrangian(
        d->m, &(nsds_lagrangian_def){
                  .ndof = 2,
                  .mass = M,
                  .v0 = start,
                  .user = o,
                  .fint = {.fn = springs, .jac_q_fn = springs_q, .jac_v_fn = springs_v}});
    return;
  }
  d->ds = nsds_lagrangian_linear(
      d->m, &(nsds_lagrangian_linear_def){
                .ndof = 2, .mass = M, .v0 = start, .damping = k == SPRINGS ? C : NULL});
  for (int i = 0; i < arms; ++i) {
    d->arm[i] = (one_arm){.o = o, .arm = {o->arm[i][0], o->arm[i][1]}};
    nsds_connect(d->m, arm_relation(d, k, &d->arm[i]), nsds_equality(d->m), 1, &d->ds);
  }
}

static void draw(drawing *d, kind k, uint64_t seed, double unit) {
  uint64_t random = seed * UINT64_C(0x2545f4914f6cdd1d) + (uint64_t)k;
  double start[most];
  d->m = nsds_model_create(NULL);
  draw_own(&d->o, &random, unit);
  double far = pow(10.0, in_range(&random, -6.0, -1.0)),
         reach = k < FORCES ? 1.0 : sqrt(d->o.k) * 0.1;
  for (int i = 0; i < most; ++i) start[i] = unit * far * reach * in_range(&random, -1.0, 1.0);
  if (k < FORCES) draw_states(d, k, start);
  else draw_masses(d, k, start);
  d->h =
      (k < FORCES ? 1.0 / d->o.rate : 3.0 / sqrt(d->o.k)) * pow(10.0, in_range(&random, -1.3, 0.0));
  double theta = one_of(&random, 2) ? 1.0 : in_range(&random, 0.5, 1.0);
  d->s = nsds_time_stepping(
      d->m, &(nsds_time_stepping_def){.t1 = 4000.0 * d->h,
                                      .h = d->h,
                                      .first_order = nsds_euler_moreau(fmax(theta, 0.55)),
                                      .second_order = nsds_moreau_jean(theta, 1.0),
                                      .max_halvings = NSDS_HALVE_NEVER});
  assert_sound(d->m);
}

static double largest(const drawing *d, kind k) {
  double size = 0.0;
  for (int i = 0; i < (k < FORCES ? d->o.n : 2); ++i)
    size = fmax(size, fabs(k < FORCES ? nsds_x(d->ds)[i] : nsds_q(d->ds)[i]));
  return size / d->o.unit;
}

/* Iterations at rest: functions are asked after 4, 8 and 16. */
enum { many = 16 };

static bool rests(kind k, uint64_t seed) {
  drawing one = {0}, small = {0};
  const double units = 0x1p-40;
  int iterations = 0;
  bool same = true;
  draw(&one, k, seed, 1.0);
  draw(&small, k, seed, units);
  nsds_status status = NSDS_OK, other = NSDS_OK;
  double size = largest(&one, k) + 1e-9;
  for (long step = 0; status == NSDS_OK && other == NSDS_OK; ++step) {
    status = nsds_step(one.s);
    other = nsds_step(small.s);
    if (step > 1500)
      iterations = (int)fmax(iterations, nsds_simulation_info(one.s)->newton_iterations);
    const double *x = k < FORCES ? nsds_x(one.ds) : nsds_q(one.ds);
    const double *y = k < FORCES ? nsds_x(small.ds) : nsds_q(small.ds);
    for (int i = 0; i < (k < FORCES ? one.o.n : 2); ++i)
      same = same && fabs(x[i] - y[i] / units) <= 1e-9 * size;
    size = fmax(size, largest(&one, k));
  }
  bool fine = status == NSDS_END && other == NSDS_END && same && iterations <= many &&
              largest(&one, k) < 1e-11;
  if (!fine)
    printf("%s, seed %llu: status %d and %d, %s, rest %g, %d iterations: %s; %s\n", kind_name[k],
           (unsigned long long)seed, status, other, same ? "same" : "not the same",
           largest(&one, k), iterations, nsds_last_message(nsds_model_context(one.m)),
           nsds_last_message(nsds_model_context(small.m)));
  nsds_model_destroy(one.m);
  nsds_model_destroy(small.m);
  return fine;
}

static void drawn_models_stay_at_rest(void **state) {
  (void)state;
  long wrong = 0;
  for (int k = 0; k < kinds; ++k)
    for (long i = 0; i < count; ++i) wrong += !rests((kind)k, first_seed + (uint64_t)i);
  printf("%ld models of %d kinds, %ld wrong\n", count, kinds, wrong);
  assert_int_equal(wrong, 0);
}

/* ---- one of each ---- */

/* dx/dt = -10 (exp(x) - 1), in small steps. */
static void diode_discharges(void **state) {
  (void)state;
  own o = {.n = 1, .unit = 1.0, .A = {10.0}};
  for (o.shape[0] = 0; o.shape[0] < shapes; ++o.shape[0])
    for (int start = -20; start < 0; start += 3) {
      nsds_model *m = nsds_model_create(NULL);
      double x0 = pow(10.0, start / 2.0);
      nsds_ds *ds = nsds_first_order(
          m, &(nsds_first_order_def){.n = 1, .x0 = &x0, .f_fn = f, .jac_f_x_fn = f_x, .user = &o});
      nsds_simulation *s =
          nsds_time_stepping(m, &(nsds_time_stepping_def){.t1 = 30.0,
                                                          .h = 0.01,
                                                          .first_order = nsds_euler_moreau(1.0),
                                                          .max_halvings = NSDS_HALVE_NEVER});
      assert_sound(m);
      assert_status(m, nsds_run(s), NSDS_END);
      assert_near(nsds_x(ds)[0], 0.0, 2e-12); /* a grain of 1000 + x is 1e-13 */
      nsds_model_destroy(m);
    }
}

/* Jacobians that are wrong, or belong to another branch, must not pass for a grain. */
typedef struct limited {
  double slope, given, dead;
} limited;

static int limited_f(const nsds_arguments *in, double *F, void *user) {
  const limited *l = user;
  double x = in->x[0], over = fabs(x) < l->dead ? 0.0 : x - copysign(l->dead, x);
  F[0] = -fmax(-1.0, fmin(1.0, l->slope * over));
  return 0;
}
static int limited_f_x(const nsds_arguments *in, double *J, void *user) {
  (void)in;
  J[0] = -((const limited *)user)->given;
  return 0;
}

/* f is a ramp between -1 and 1 with a dead zone; the Jacobian given is that of the ramp, times a
 * factor, everywhere. */
static void wrong_jacobians_are_no_grain(void **state) {
  (void)state;
  const double factor[4] = {1.0, 0.6, 2.0, 5.0}, dead[3] = {0.0, 1e-3, 1e-9};
  const double step = 0.01;
  for (int k = 0; k < 12; ++k) {
    limited l = {.slope = 40.0, .given = 40.0 * factor[k % 4], .dead = dead[k / 4]};
    nsds_model *m = nsds_model_create(NULL);
    double x0 = 0.2, x = x0;
    nsds_ds *ds = nsds_first_order(
        m, &(nsds_first_order_def){
               .n = 1, .x0 = &x0, .f_fn = limited_f, .jac_f_x_fn = limited_f_x, .user = &l});
    nsds_simulation *s =
        nsds_time_stepping(m, &(nsds_time_stepping_def){.t1 = 1e3 * step,
                                                        .h = step,
                                                        .first_order = nsds_euler_moreau(1.0),
                                                        .max_halvings = NSDS_HALVE_NEVER,
                                                        .newton = {.max_iterations = 2000}});
    assert_sound(m);
    for (int i = 0; i < 100; ++i) {
      assert_status(m, nsds_step(s), NSDS_OK);
      /* x + h f(x) = x_k, by branches */
      if (x - step >= l.dead + 1.0 / l.slope) x -= step;
      else if (x > l.dead) x = (x + step * l.slope * l.dead) / (1.0 + step * l.slope);
      assert_near(nsds_x(ds)[0], x, 1e-9);
    }
    nsds_model_destroy(m);
  }
}

int main(int argc, char **argv) {
  if (argc > 1) count = strtol(argv[1], NULL, 10);
  if (argc > 2) first_seed = strtoull(argv[2], NULL, 10);
  const struct CMUnitTest tests[] = {cmocka_unit_test(diode_discharges),
                                     cmocka_unit_test(wrong_jacobians_are_no_grain),
                                     cmocka_unit_test(drawn_models_stay_at_rest)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
