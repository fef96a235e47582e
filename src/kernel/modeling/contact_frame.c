/* Places of contacts from their relations, and frames (n, t1, t2). */
#include "kernel/modeling/contact_frame.h"

#include "base/context.h"
#include "base/finite.h"
#include "kernel/modeling/body.h"

static nsds_status fail_value(const nsds_contact_data *s, const nsds_arguments *in,
                              const char *field, double x) {
  return nsds_fail(s->caller.context, NSDS_ERROR_CALLBACK,
                   "%s: contact_fn gave %s = %g at t = %.17g; it must be finite", s->caller.label,
                   field, x, in->t);
}

static nsds_status check_contact(const nsds_contact_data *s, const nsds_arguments *in,
                                 nsds_body_contact *at) {
  int n = s->def.dimension;
  const struct {
    const char *name;
    const double *x;
    int count;
  } field[] = {{"gap", &at->gap, 1},
               {"point", at->point, n},
               {"normal", at->normal, n},
               {"tangent", at->tangent, n}};
  for (int k = 0; k < 4; ++k) {
    int bad = nsds_first_nonfinite(field[k].x, field[k].count);
    if (bad >= 0) return fail_value(s, in, field[k].name, field[k].x[bad]);
  }
  if (n == 2) at->point[2] = at->normal[2] = at->tangent[2] = 0.0;
  double length = nsds_length(at->normal);
  if (!(fabs(length - 1.0) <= 1e-6))
    return nsds_fail(s->caller.context, NSDS_ERROR_CALLBACK,
                     "%s: the normal at t = %.17g is (%g, %g, %g), of length %g; it must be of "
                     "length 1 (there is none between centres at one point)",
                     s->caller.label, in->t, at->normal[0], at->normal[1], at->normal[2], length);
  for (int k = 0; k < 3; ++k) at->normal[k] /= length;
  return NSDS_OK;
}

nsds_status nsds_contact_find(const nsds_contact_data *s, const nsds_arguments *in,
                              nsds_body_contact *at) {
  *at = (nsds_body_contact){0};
  int code = s->def.contact_fn(in, at, s->def.user);
  if (code)
    return nsds_fail(s->caller.context, code < 0 ? NSDS_ERROR_ABORTED : NSDS_ERROR_CALLBACK,
                     "%s: contact_fn returned %d at t = %.17g (0 is success)", s->caller.label,
                     code, in->t);
  return check_contact(s, in, at);
}

void nsds_choose_tangents(const double *n, double *t1, double *t2) {
  double s = n[2] > -0.99 ? 1.0 : -1.0, a = -1.0 / (s + n[2]), b = n[0] * n[1] * a;
  t1[0] = 1.0 + s * n[0] * n[0] * a;
  t1[1] = s * b;
  t1[2] = -s * n[0];
  t2[0] = b;
  t2[1] = s + n[1] * n[1] * a;
  t2[2] = -n[1];
}

nsds_status nsds_contact_frame(const nsds_contact_data *s, const nsds_arguments *in,
                               const nsds_body_contact *at, double *frame) {
  double *n = frame, *t1 = frame + 3, *t2 = frame + 6, given = nsds_length(at->tangent);
  for (int k = 0; k < 3; ++k) n[k] = at->normal[k];
  if (s->def.dimension == 2) {
    t1[0] = n[1], t1[1] = -n[0], t1[2] = 0.0;
    return NSDS_OK;
  }
  nsds_choose_tangents(n, t1, t2);
  if (given == 0.0) return NSDS_OK;
  double along = nsds_dot(at->tangent, n);
  for (int k = 0; k < 3; ++k) t1[k] = at->tangent[k] - along * n[k];
  double length = nsds_length(t1);
  if (!(length > 1e-6 * given))
    return nsds_fail(s->caller.context, NSDS_ERROR_CALLBACK,
                     "%s: the tangent at t = %.17g is (%g, %g, %g), along the normal; it must have "
                     "another direction",
                     s->caller.label, in->t, at->tangent[0], at->tangent[1], at->tangent[2]);
  for (int k = 0; k < 3; ++k) t1[k] /= length;
  nsds_cross(n, t1, t2);
  return NSDS_OK;
}

bool nsds_is_contact_place(const nsds_contact_place *at) {
  static const double off = 1e-6;
  int n = at->dimension == 0 ? 3 : at->dimension;
  if ((n != 2 && n != 3) || nsds_first_nonfinite(at->point, n) >= 0) return false;
  double length = n == 3 ? nsds_length(at->normal) : hypot(at->normal[0], at->normal[1]);
  if (!(fabs(length - 1.0) <= off)) return false;
  double along = nsds_dot(at->tangent, at->normal), given = nsds_length(at->tangent);
  return n == 2 || given == 0.0 || (fabs(given - 1.0) <= off && fabs(along) <= off);
}
