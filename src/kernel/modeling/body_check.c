/*
 * Checks of inertias, and turning vectors with bodies. An inertia J with diagonal D is positive
 * definite if the leading minors of D^-1/2 J D^-1/2 are positive by more than their rounding. A
 * body has J = tr(S) I - S. Here S = 1/2 tr(J) I - J, the second moment of mass, is semidefinite:
 * no principal moment exceeds the sum of the other two.
 */
#include "kernel/modeling/body_check.h"

#include "base/context.h"
#include "base/text/format.h"
#include "kernel/modeling/body.h"
#include "kernel/modeling/mass_check.h"

#include <nsds/rigid_body.h>

#include <float.h>
#include <stdio.h>

/* Returns entry (i, j) of J in units of its diagonal. */
static double body_check_scaled(const double *J, int i, int j) {
  return J[i + 3 * j] / sqrt(J[4 * i]) / sqrt(J[4 * j]);
}

/* Reads the lower triangle. */
static bool body_check_is_definite(const double *J) {
  for (int k = 0; k < 3; ++k)
    if (!(J[4 * k] > 0.0)) return false;
  double a = body_check_scaled(J, 1, 0), b = body_check_scaled(J, 2, 0),
         c = body_check_scaled(J, 2, 1);
  double second = 1.0 - a * a, third = second - b * b - c * c + 2.0 * a * b * c;
  double margin = 16.0 * DBL_EPSILON;
  return second > margin && third > margin;
}

static bool body_check_is_symmetric(nsds_context *context, const char *call, const char *label,
                                    const double *J) {
  for (int j = 0; j < 2; ++j)
    for (int i = j + 1; i < 3; ++i) {
      if (fabs(body_check_scaled(J, i, j) - body_check_scaled(J, j, i)) <= 1e-10) continue;
      nsds_fail(context, NSDS_ERROR_VALUE,
                "%s: %s: inertia[%d,%d] is %.17g but inertia[%d,%d] is %.17g; it must be symmetric",
                call, label, i, j, J[i + 3 * j], j, i, J[j + 3 * i]);
      return false;
    }
  return true;
}

/* Returns true if a body can have inertia J. Numbers typed with six digits pass. */
static bool is_of_a_body(const double *J) {
  double second[9], trace = J[0] + J[4] + J[8];
  for (int k = 0; k < 9; ++k) second[k] = (k % 4 == 0 ? 0.5 + 1e-6 : 0.0) - J[k] / trace;
  return body_check_is_definite(second);
}

bool nsds_check_inertia(nsds_context *context, const char *call, const char *label,
                        const double *J) {
  char text[160], field[48];
  nsds_print(text, sizeof text, "inertia (rows %g %g %g; %g %g %g; %g %g %g)", J[0], J[3], J[6],
             J[1], J[4], J[7], J[2], J[5], J[8]);
  bool positive = J[0] > 0.0 && J[4] > 0.0 && J[8] > 0.0;
  for (int k = 0; positive && k < 3; ++k) {
    snprintf(field, sizeof field, "inertia[%d,%d]", k, k);
    if (!nsds_check_mass_entry(context, call, label, field, J[4 * k])) return false;
  }
  if (positive && !body_check_is_symmetric(context, call, label, J)) return false;
  if (!body_check_is_definite(J)) {
    nsds_fail(context, NSDS_ERROR_SINGULAR,
              "%s: %s: %s is not positive definite; every moment of inertia of a body is positive",
              call, label, text);
    return false;
  }
  if (!is_of_a_body(J))
    nsds_log(context, NSDS_LOG_WARNING,
             "%s: %s: %s is that of no body: its largest principal moment exceeds the sum of the "
             "other two",
             call, label, text);
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
