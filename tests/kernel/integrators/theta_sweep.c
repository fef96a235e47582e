/*
 * theta = 0, 1/4 and 1/2 of an oscillator, m q'' + k q = 0 from q = 1, v = 0, one after the other in one variable:
 * each gives its own motion, the closed form of the theta method. A step is linear in (q, h v). With w = h^2 k/m
 *
 *     h v+ = h v - w (q + theta h v) / (1 + theta^2 w),   q+ = q + theta h v+ + (1 - theta) h v
 *
 * and the trace T and the determinant D of this map, q_n = D^(n/2) [cos(n phi) + c sin(n phi)] with
 * cos(phi) = T / (2 sqrt(D)).
 *
 * The file is C11 and C++20. It prints the motions and returns 0 where they are right.
 */
#include <nsds/nsds.h>

#include <math.h>
#include <stdio.h>

#ifdef __cplusplus
#define ALL_DEFAULTS                                                                               \
  {}
#else
#define ALL_DEFAULTS                                                                               \
  { 0 }
#endif

enum { steps = 200, thetas = 3 };

static const double h = 0.05, mass = 2.0, stiffness = 50.0;

/* q after n steps. */
static double closed_form(double theta, int n) {
  double w = h * h * stiffness / mass, d = 1.0 + theta * theta * w;
  /* the step as a matrix over (q, h v) */
  double vq = -w / d, vv = 1.0 - theta * w / d;
  double qq = 1.0 + theta * vq, qv = theta * vv + 1.0 - theta;
  double trace = qq + vv, determinant = qq * vv - qv * vq, size = sqrt(determinant);
  double phi = acos(trace / (2.0 * size));
  double sine = (qq / size - cos(phi)) / sin(phi);
  return pow(size, n) * (cos(n * phi) + sine * sin(n * phi));
}

static int motion(double theta, double *end) {
  const double start = 1.0;
  nsds_model *model = nsds_model_create(NULL);
  nsds_lagrangian_linear_def body = ALL_DEFAULTS;
  body.ndof = 1;
  body.q0 = &start;
  body.mass = &mass;
  body.stiffness = &stiffness;
  nsds_ds *ds = nsds_lagrangian_linear(model, &body);
  nsds_time_stepping_def def = ALL_DEFAULTS;
  def.t1 = h * (steps + 1);
  def.h = h;
  def.second_order = nsds_moreau_jean(theta, 1.0);
  nsds_simulation *simulation = nsds_time_stepping(model, &def);
  double worst = 0.0;
  for (int n = 1; n <= steps; ++n) {
    if (nsds_step(simulation) != NSDS_OK) {
      printf("theta = %g: %s\n", theta, nsds_error_message(nsds_model_context(model)));
      nsds_model_destroy(model);
      return 1;
    }
    worst = fmax(worst, fabs(nsds_q(ds)[0] - closed_form(theta, n)) /
                            fmax(1.0, fabs(closed_form(theta, n))));
  }
  *end = nsds_q(ds)[0];
  nsds_model_destroy(model);
  printf("theta = %g: q = %.6f after %d steps, off the closed form by %.1e\n", theta, *end, steps,
         worst);
  return worst > 1e-10;
}

int main(void) {
  const double theta[thetas] = {0.0, 0.25, 0.5};
  double end[thetas] = {0.0, 0.0, 0.0};
  int wrong = 0;
  for (int k = 0; k < thetas; ++k) wrong += motion(theta[k], &end[k]);
  for (int k = 0; k < thetas; ++k)
    for (int i = 0; i < k; ++i) wrong += fabs(end[k] - end[i]) < 1e-3;
  return wrong != 0;
}
