/*
 * Gears: y = remainder(z_1 t_1 + s z_2 t_2, 2 pi) / z_1 of the angles of two bodies against a third
 * body, the carrier: a coupler of two angles. Whole turns of the sum are no motion, because z_1 and
 * z_2 are whole numbers without a common divisor.
 */
#include "kernel/modeling/joint_gear.h"

#include "base/context.h"
#include "kernel/modeling/joint_data.h"
#include "kernel/modeling/joint_coupler.h"
#include "kernel/modeling/joint_create.h"
#include "kernel/modeling/joint_fields.h"
#include "kernel/modeling/relation.h"

#include <stdio.h>

static const char call[] = "nsds_joint";
static const double turn = 6.283185307179586;

static int common_divisor(int a, int b) {
  while (b != 0) {
    int rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

/* Defines the angle of gear k against the carrier. For a gear on the world: the carrier's angle,
 * negative. */
static nsds_joint_def angle_of(const nsds_joint_def *d, int k) {
  bool own = d->other_axis[0] != 0.0 || d->other_axis[1] != 0.0 || d->other_axis[2] != 0.0;
  const double *axis = k == 1 && own ? d->other_axis : d->axis;
  nsds_joint_def angle = {.kind = (nsds_joint_kind)nsds_joint_angle_row,
                          .ds = {d->ds[k] ? d->ds[k] : d->ds[2], d->ds[k] ? d->ds[2] : NULL},
                          .axis = {axis[0], axis[1], axis[2]}};
  memcpy(angle.point, d->point, sizeof angle.point);
  return angle;
}

static bool joint_gear_check(nsds_model *model, const nsds_joint_def *d) {
  nsds_context *context = model->context;
  const char *wrong = NULL;
  nsds_joint_def own = *d;
  if (!nsds_definition_check(context, call, "", nsds_joint_fields, &own)) return false;
  if (d->D != 0.0) {
    nsds_fail(context, NSDS_ERROR_VALUE, "%s: D is %g; it must be 0, as teeth do not yield", call,
              d->D);
    return false;
  }
  for (int k = 0; k < 2; ++k) {
    if (d->teeth[k] > 0) continue;
    nsds_fail(context, NSDS_ERROR_VALUE, "%s: teeth[%d] is %d; a gear has 1 or more", call, k,
              d->teeth[k]);
    return false;
  }
  if (!d->ds[0]) wrong = "ds[0] is NULL; it must be a body, the first gear";
  else if (!d->ds[1] && !d->ds[2])
    wrong = "ds[1] and ds[2] are NULL; give at least one of them, second gear or carrier";
  else if (d->ds[0] == d->ds[1]) wrong = "ds[0] and ds[1] are one body; a gear pair needs two";
  if (wrong) {
    nsds_fail(context, NSDS_ERROR_ARGUMENT, "%s: %s", call, wrong);
    return false;
  }
  for (int k = 0; k < 2; ++k) {
    nsds_joint_def angle = angle_of(d, k);
    if (!nsds_joint_check(model, call, &angle)) return false;
  }
  if (!d->ds[1] || d->ds[0]->nq == d->ds[1]->nq) return true;
  nsds_fail(context, NSDS_ERROR_ARGUMENT,
            "%s: ds[0] and ds[1] are not both bodies in space, or both in the plane", call);
  return false;
}

nsds_relation *nsds_joint_gear(nsds_model *model, const nsds_joint_def *d) {
  nsds_coupler *s = joint_gear_check(model, d) ? NSDS_NEW(model->context, nsds_coupler) : NULL;
  if (!s) return NULL;
  int divisor = common_divisor(d->teeth[0], d->teeth[1]);
  s->caller.context = model->context;
  s->nterm = 2;
  s->scale = d->teeth[0] / divisor;
  s->period = turn;
  for (int k = 0; k < 3; ++k)
    if (d->ds[k]) nsds_coupler_system(s, d->ds[k]); /* in the order of the caller */
  for (int k = 0; k < 2; ++k) {
    nsds_coupled *t = &s->term[k];
    nsds_joint_def angle = angle_of(d, k);
    nsds_coupler_take(s, t, &angle);
    t->joint.sign = d->ds[k] ? 1.0 : -1.0;
    t->weight = (k == 1 && d->reversed ? -1.0 : 1.0) * (d->teeth[k] / divisor);
  }
  return nsds_coupler_relate(model, s, d->name, true);
}
