/*
 * A law of contact on a compliant relation is a spring in the contact, whatever the law's level is: a mass that falls
 * on such a floor leaves it as fast as it came. Drawn masses, floors, laws and weights theta against the closed form:
 * the error goes to zero with h. Held at dy/dt = 0, the spring kept the rest of the step in which it had closed, and
 * with theta > 1/2 the motion had no limit.
 */
#include "support.h"

static const double pi = 3.14159265358979323846;

enum relation_kind { BY_MATRIX, BY_FUNCTION, BY_FUNCTION_BESIDE_A_RIGID_ROW, relation_kinds };
enum law_kind { IMPACT, COMPLEMENTARITY, COULOMB, OWN, law_kinds };

typedef struct floor_of {
  double place, S;
  int ny;
} floor_of;

typedef struct fall {
  enum relation_kind relation;
  enum law_kind law;
  double m, g, height, theta, t1;
  floor_of floor;
} fall;

static double uniform(uint64_t *state) { /* splitmix64 */
  uint64_t x = *state += 0x9E3779B97F4A7C15u;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
  return (double)((x ^ (x >> 31)) >> 11) * 0x1p-53;
}

static int soft_y(const nsds_arguments *in, double *y, void *user) {
  const floor_of *f = user;
  y[0] = in->q[0] - f->place + f->S * in->lambda[0];
  if (f->ny > 1) y[1] = in->q[1];
  return 0;
}

static int soft_q(const nsds_arguments *in, double *H, void *user) {
  const floor_of *f = user;
  (void)in;
  for (int k = 0; k < f->ny; ++k) H[k + f->ny * k] = 1.0;
  return 0;
}

static int soft_l(const nsds_arguments *in, double *D, void *user) {
  (void)in;
  D[0] = ((const floor_of *)user)->S;
  return 0;
}

static void own_block(void *self, nsds_block *block) {
  (void)self;
  block->set = NSDS_SET_NONNEGATIVE;
}

static bool own_active(void *self, const double *y, const double *ydot, double tau, double slack) {
  (void)self;
  return y[0] + tau * ydot[0] <= slack;
}

static const nsds_law_ops own_ops = {
    .type = "own contact", .block = own_block, .active = own_active};

static nsds_law *law_of(nsds_model *m, enum law_kind kind) {
  switch (kind) {
  case IMPACT: return nsds_newton_impact(m, 0.0);
  case COMPLEMENTARITY: return nsds_complementarity(m);
  case COULOMB:
    return nsds_newton_impact_friction(
        m, &(nsds_newton_impact_friction_def){.dimension = 2, .mu = 0.5});
  default: return nsds_custom_law(m, &(nsds_custom_law_def){.ops = &own_ops});
  }
}

/* The second coordinate slides without forces, or rests on a rigid floor. */
static nsds_relation *relation_of(nsds_model *m, fall *f) {
  const double one[4] = {1.0, 0.0, 0.0, 1.0}, b[2] = {-f->floor.place, 0.0},
               S[4] = {f->floor.S, 0.0, 0.0, 0.0};
  const double row[2] = {1.0, 0.0};
  bool both = f->floor.ny == 2;
  if (f->relation == BY_MATRIX)
    return nsds_lagrangian_linear_relation(
        m, &(nsds_lagrangian_linear_relation_def){
               .ny = f->floor.ny, .nq = 2, .H = both ? one : row, .b = b, .compliance = S});
  return nsds_lagrangian_relation(m, &(nsds_lagrangian_relation_def){.ny = f->floor.ny,
                                                                     .nq = 2,
                                                                     .output_fn = soft_y,
                                                                     .jac_output_q_fn = soft_q,
                                                                     .jac_output_lambda_fn = soft_l,
                                                                     .user = &f->floor});
}

/* Returns q of the closed form; `period` of the bounces, `touch`: their time on the floor. */
static double exact(const fall *f, double t, double *period, double *touch) {
  double w = 1.0 / sqrt(f->floor.S * f->m), v = sqrt(2.0 * f->g * f->height), first = v / f->g;
  double rest = f->m * f->g * f->floor.S;
  *touch = (pi + 2.0 * atan2(rest, v / w)) / w;
  *period = *touch + 2.0 * first;
  if (t < first) return f->height - 0.5 * f->g * t * t;
  t = fmod(t - first, *period);
  if (t < *touch) return rest * (cos(w * t) - 1.0) - v / w * sin(w * t);
  t -= *touch;
  return v * t - 0.5 * f->g * t * t;
}

/* Returns the largest error of q, relative to the height. */
static double error_of(fall *f, double h) {
  nsds_model *m = nsds_model_create(NULL);
  const double q0[2] = {f->floor.place + f->height, 0.0}, M[4] = {f->m, 0.0, 0.0, f->m};
  const double force[2] = {-f->m * f->g, f->law == COULOMB ? 0.0 : -f->m * f->g};
  nsds_ds *ds = nsds_lagrangian_linear(
      m, &(nsds_lagrangian_linear_def){.ndof = 2, .q0 = q0, .mass = M, .fext = force});
  nsds_interaction *contact = nsds_connect(m, relation_of(m, f), law_of(m, f->law), 1, &ds);
  nsds_simulation *s = nsds_time_stepping(
      m, &(nsds_time_stepping_def){
             .t1 = f->t1, .h = h, .second_order = nsds_moreau_jean(f->theta, 1.0)});
  assert_sound(m);
  double worst = 0.0, period, touch;
  while (nsds_time(s) < f->t1 - 0.5 * h) {
    assert_ok(m, nsds_step(s));
    worst = worse(fabs(nsds_q(ds)[0] - f->floor.place - exact(f, nsds_time(s), &period, &touch)),
                  worst);
    assert_true(nsds_lambda(contact)[0] >= 0.0);
    /* a rigid row stays rigid, in the place where it is */
    if (f->relation == BY_FUNCTION_BESIDE_A_RIGID_ROW && f->law == IMPACT)
      assert_near(nsds_q(ds)[1], 0.0, 1e-12 * f->height);
  }
  nsds_model_destroy(m);
  return worst / f->height;
}

static void falls_have_a_limit(void **state) {
  (void)state;
  enum { count = 48 };
  uint64_t seed = 55;
  double slowest = 9.0, largest = 0.0;
  for (int k = 0; k < count; ++k) {
    fall f = {.relation = (enum relation_kind)(k % relation_kinds),
              .law = (enum law_kind)(k / relation_kinds % law_kinds),
              .m = pow(10.0, 6.0 * uniform(&seed) - 3.0),
              .g = pow(10.0, 2.0 * uniform(&seed) - 1.0),
              .height = pow(10.0, 2.0 * uniform(&seed) - 1.0),
              .theta = k % 5 == 0   ? 0.5
                       : k % 5 == 1 ? 1.0
                                    : 0.5 + 0.5 * uniform(&seed)};
    f.floor.place = k % 2 ? 10.0 * f.height * uniform(&seed) : 0.0;
    bool rigid = f.relation == BY_FUNCTION_BESIDE_A_RIGID_ROW;
    f.floor.ny = f.law == COULOMB || rigid ? 2 : 1;
    /* the floor yields by a fraction of the height */
    f.floor.S = 2.0 * pow(0.3 * uniform(&seed) + 0.05, 2.0) * f.height / (f.m * f.g);
    double period, touch;
    exact(&f, 0.0, &period, &touch);
    f.t1 = 2.0 * period;
    double h = touch / 40.0, error[3];
    for (int i = 0; i < 3; ++i, h /= 4.0) error[i] = error_of(&f, h);
    double order = 0.25 * order_of(error[0], error[2]); /* h falls by 16 */
    slowest = fmin(slowest, order);
    largest = fmax(largest, error[2]);
    assert_between(order, 0.8, 4.0); /* order 1, from steps of touch / 40 to touch / 640 */
    assert_between(error[2], 0.0, 0.1);
  }
  print_message("             order %.2f at least, errors to %.1e of the height\n", slowest,
                largest);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(falls_have_a_limit)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
