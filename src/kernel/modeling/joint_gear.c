/*
 * Gears: y = remainder(z_1 t_1 + s z_2 t_2, 2 pi) / z_1 of the angles of two bodies against a third
 * body, the carrier. Each angle is the row of an ANGLE, with its gradient and second rate. Whole
 * turns of the sum are no motion, because z_1 and z_2 are whole numbers without a common divisor.
 */
#include "kernel/modeling/joint_gear.h"

#include "base/base.h"
#include "base/context.h"
#include "kernel/modeling/body.h"
#include "kernel/modeling/joint.h"
#include "kernel/modeling/joint_create.h"
#include "kernel/modeling/relation.h"

#include <stdio.h>

static const char call[] = "nsds_joint";
static const double turn = 6.283185307179586;

/* An angle with its weight, between the systems `system` of the relation. */
typedef struct part {
  nsds_joint_data angle;
  int system[2];
  double weight;
} part;

typedef struct gear {
  nsds_context *context;
  int systems;
  part part[2];
  double teeth; /* z_1 */
} gear;

/* Copies the Q and V of an angle from the relation's. */
static nsds_arguments joint_gear_part_of(const part *p, const nsds_arguments *in, double *work) {
  int nq = p->angle.nq, nv = p->angle.nv, bodies = p->angle.pair ? 2 : 1;
  double *q = work, *v = q + 2 * nsds_body_nq;
  for (int b = 0; b < bodies; ++b) {
    memcpy(q + b * nq, in->q + p->system[b] * nq, (size_t)nq * sizeof *q);
    memcpy(v + b * nv, in->v + p->system[b] * nv, (size_t)nv * sizeof *v);
  }
  nsds_arguments own = *in;
  own.q = q;
  own.v = v;
  own.nq = bodies * nq;
  own.nv = bodies * nv;
  return own;
}

enum { part_work = 2 * (nsds_body_nq + nsds_body_nv) };

static nsds_status joint_gear_output(void *self, const nsds_arguments *in, double *y) {
  gear *s = self;
  double sum = 0.0, work[part_work], angle;
  nsds_status status = NSDS_OK;
  for (int k = 0; !status && k < 2; ++k) {
    nsds_arguments own = joint_gear_part_of(&s->part[k], in, work);
    status = nsds_joint_ops.output(&s->part[k].angle, &own, &angle);
    sum += s->part[k].weight * angle;
  }
  y[0] = remainder(sum, turn) / s->teeth;
  return status;
}

static nsds_status joint_gear_gradient(void *self, const nsds_arguments *in, double *H) {
  gear *s = self;
  double work[part_work], columns[2 * nsds_body_nv];
  nsds_status status = NSDS_OK;
  nsds_zero_doubles(H, (size_t)s->systems * (size_t)s->part[0].angle.nv);
  for (int k = 0; !status && k < 2; ++k) {
    part *p = &s->part[k];
    int nv = p->angle.nv;
    nsds_arguments own = joint_gear_part_of(p, in, work);
    status = nsds_joint_ops.gradient_v(&p->angle, &own, columns);
    for (int b = 0; b < (p->angle.pair ? 2 : 1); ++b)
      for (int i = 0; i < nv; ++i)
        H[p->system[b] * nv + i] += p->weight / s->teeth * columns[b * nv + i];
  }
  return status;
}

static nsds_status joint_gear_bias(void *self, const nsds_arguments *in, double *out) {
  gear *s = self;
  double work[part_work], second;
  nsds_status status = NSDS_OK;
  out[0] = 0.0;
  for (int k = 0; !status && k < 2; ++k) {
    nsds_arguments own = joint_gear_part_of(&s->part[k], in, work);
    status = nsds_joint_ops.bias(&s->part[k].angle, &own, &second);
    out[0] += s->part[k].weight / s->teeth * second;
  }
  return status;
}

static void joint_gear_destroy(void *self) {
  gear *s = self;
  nsds_release(s->context, s);
}

static const nsds_relation_ops ops = {.type = "nsds_joint",
                                      .output = joint_gear_output,
                                      .gradient_v = joint_gear_gradient,
                                      .bias = joint_gear_bias,
                                      .destroy = joint_gear_destroy};

bool nsds_joint_is_gear(const nsds_interaction *ia) {
  return ia->relation->ops->output == joint_gear_output;
}

/* ---- creation -------------------------------------------------------------------------------- */

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
  gear *s = joint_gear_check(model, d) ? NSDS_NEW(model->context, gear) : NULL;
  if (!s) return NULL;
  double terms = 0.0;
  int divisor = common_divisor(d->teeth[0], d->teeth[1]), place[3] = {0};
  for (int k = 0; k < 3; ++k) {
    place[k] = s->systems;
    s->systems += d->ds[k] != NULL;
  }
  s->context = model->context;
  s->teeth = d->teeth[0] / divisor;
  for (int k = 0; k < 2; ++k) {
    part *p = &s->part[k];
    nsds_joint_def angle = angle_of(d, k);
    nsds_joint_fill(&p->angle, &angle);
    p->angle.sign = d->ds[k] ? 1.0 : -1.0;
    p->system[0] = d->ds[k] ? place[k] : place[2];
    p->system[1] = place[2];
    p->weight = (k == 1 && d->reversed ? -1.0 : 1.0) * (d->teeth[k] / divisor);
    terms += fabs(p->weight) / s->teeth * nsds_joint_terms(&p->angle);
  }
  return nsds_make_relation(model,
                            &(nsds_custom_relation_def){.ops = &ops,
                                                        .self = s,
                                                        .name = d->name,
                                                        .ny = 1,
                                                        .nq = s->systems * d->ds[0]->nq,
                                                        .nv = s->systems * d->ds[0]->nv,
                                                        .terms = &terms},
                            false);
}
