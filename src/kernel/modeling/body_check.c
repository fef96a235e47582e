/*
 * Checks of rigid bodies, and turning vectors with them. An inertia J is positive definite where
 * D^-1/2 J D^-1/2, D its diagonal, has positive leading minors by more than their rounding.
 */
#include "body.h"

#include <nsds/rigid_body.h>

#include <float.h>

bool nsds_check_positive(nsds_context *context, const char *call, const char *label,
                         const char *field, double value) {
  if (value > 0.0 && isfinite(value)) return true;
  nsds_fail(context, NSDS_ERROR_VALUE, "%s: %s: %s is %g; valid are finite values > 0", call, label,
            field, value);
  return false;
}

static bool fail_inertia(nsds_context *context, const char *call, const char *label,
                         const double *J) {
  nsds_fail(context, NSDS_ERROR_SINGULAR,
            "%s: %s: inertia (rows %g %g %g; %g %g %g; %g %g %g) is not positive definite; every "
            "moment of inertia of a body is positive",
            call, label, J[0], J[3], J[6], J[1], J[4], J[7], J[2], J[5], J[8]);
  return false;
}

bool nsds_check_inertia(nsds_context *context, const char *call, const char *label,
                        const double *J) {
  double root[3], a[3]; /* a: off the diagonal, scaled: (1,0), (2,0), (2,1) */
  for (int k = 0; k < 3; ++k) {
    if (!(J[4 * k] > 0.0)) return fail_inertia(context, call, label, J);
    root[k] = sqrt(J[4 * k]);
  }
  for (int j = 0, k = 0; j < 2; ++j)
    for (int i = j + 1; i < 3; ++i, ++k) {
      double one = J[i + 3 * j] / root[i] / root[j], other = J[j + 3 * i] / root[i] / root[j];
      a[k] = one;
      if (fabs(one - other) <= 1e-10) continue;
      nsds_fail(context, NSDS_ERROR_VALUE,
                "%s: %s: inertia[%d,%d] is %.17g but inertia[%d,%d] is %.17g; it must be symmetric",
                call, label, i, j, J[i + 3 * j], j, i, J[j + 3 * i]);
      return false;
    }
  double second = 1.0 - a[0] * a[0];
  double third = second - a[1] * a[1] - a[2] * a[2] + 2.0 * a[0] * a[1] * a[2];
  double margin = 16.0 * DBL_EPSILON;
  return (second > margin && third > margin) || fail_inertia(context, call, label, J);
}

bool nsds_check_attitude(nsds_context *context, const char *call, const char *label, double *q) {
  double *p = q + 3, length = sqrt(p[0] * p[0] + nsds_dot(p + 1, p + 1));
  if (!(fabs(length - 1.0) <= 1e-6)) {
    nsds_fail(
        context, NSDS_ERROR_VALUE,
        "%s: %s: the quaternion q0[3..6] = (%g, %g, %g, %g) has norm %.9g; valid is 1, off by "
        "at most 1e-6",
        call, label, p[0], p[1], p[2], p[3], length);
    return false;
  }
  if (fabs(length - 1.0) > 1e-14)
    nsds_log(context, NSDS_LOG_WARNING, "%s: %s: a quaternion of norm %.17g was normalised", call,
             label, length);
  for (int k = 0; k < 4; ++k) p[k] /= length;
  return true;
}

void nsds_to_world(const double *q, const double body[3], double world[3]) {
  double R[9], a[3] = {body[0], body[1], body[2]};
  nsds_rotation_matrix(q + 3, R);
  nsds_turn(R, a, world);
}

void nsds_to_body(const double *q, const double world[3], double body[3]) {
  double R[9], a[3] = {world[0], world[1], world[2]};
  nsds_rotation_matrix(q + 3, R);
  nsds_turn_back(R, a, body);
}
