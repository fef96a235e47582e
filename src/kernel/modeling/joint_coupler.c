/*
 * Couplers and gears: y = (sum of w_i c_i + b) / scale over coordinates of joints and of systems that are no bodies.
 * Each c is the row of a coordinate, with its gradient and second rate, see joint.c.
 *
 * Angles in space come without turns. A turn of angle i changes y by 2 pi w_i. If g divides all
 * these w_i, the sum is taken modulo 2 pi g: y is about 0, so the nearest such value is right.
 */
#include "base/text/field_rows.h"
#include "kernel/modeling/joint_fields.h"
#include "kernel/modeling/joint_coupler.h"

#include "base/base.h"
#include "base/context.h"
#include "kernel/modeling/check.h"
#include "kernel/modeling/handle.h"
#include "kernel/modeling/joint_data.h"
#include "kernel/modeling/joint_create.h"
#include "kernel/modeling/joint_kinds.h"
#include "kernel/modeling/joint_pose.h"
#include "kernel/modeling/label.h"
#include "kernel/modeling/operator_data.h"
#include "kernel/modeling/relation.h"

static const char call[] = "nsds_joint_couple";
static const double turn = 6.283185307179586;

/* Gathers Q and V of the bodies of a term. */
static nsds_arguments coupler_part(const nsds_coupler *s, const nsds_coupled *c,
                                   const nsds_arguments *in, double *work) {
  int nq = c->joint.nq, nv = c->joint.nv, bodies = c->joint.pair ? 2 : 1;
  double *q = work, *v = q + 2 * nsds_body_nq;
  for (int b = 0; b < bodies; ++b) {
    memcpy(q + b * nq, in->q + s->q0[c->system[b]], (size_t)nq * sizeof *q);
    memcpy(v + b * nv, in->v + s->v0[c->system[b]], (size_t)nv * sizeof *v);
  }
  nsds_arguments own = *in;
  own.q = q;
  own.v = v;
  own.nq = bodies * nq;
  own.nv = bodies * nv;
  return own;
}

enum { coupler_work = 2 * (nsds_body_nq + nsds_body_nv) };

static nsds_status coupler_output(void *self, const nsds_arguments *in, double *y) {
  nsds_coupler *s = self;
  double sum = s->offset, work[coupler_work], c = 0.0;
  for (int k = 0; k < s->nterm; ++k) {
    nsds_coupled *t = &s->term[k];
    if (t->of_system) {
      c = in->q[s->q0[t->system[0]] + t->index];
    } else {
      nsds_arguments own = coupler_part(s, t, in, work);
      nsds_status status = nsds_joint_ops.output(&t->joint, &own, &c);
      if (status) return status;
    }
    sum += t->weight * c;
  }
  *y = (s->period > 0.0 ? remainder(sum, s->period) : sum) / s->scale;
  return NSDS_OK;
}

static nsds_status coupler_gradient(void *self, const nsds_arguments *in, double *H) {
  nsds_coupler *s = self;
  double work[coupler_work], row[2 * nsds_body_nv];
  nsds_zero_doubles(H, (size_t)in->nv);
  for (int k = 0; k < s->nterm; ++k) {
    nsds_coupled *t = &s->term[k];
    if (t->of_system) {
      H[s->v0[t->system[0]] + t->index] += t->weight / s->scale;
      continue;
    }
    nsds_arguments own = coupler_part(s, t, in, work);
    nsds_status status = nsds_joint_ops.gradient_v(&t->joint, &own, row);
    if (status) return status;
    for (int i = 0; i < own.nv; ++i)
      H[s->v0[t->system[i / t->joint.nv]] + i % t->joint.nv] += t->weight / s->scale * row[i];
  }
  return NSDS_OK;
}

static nsds_status coupler_bias(void *self, const nsds_arguments *in, double *bias) {
  nsds_coupler *s = self;
  double work[coupler_work], second;
  *bias = 0.0;
  for (int k = 0; k < s->nterm; ++k) {
    nsds_coupled *t = &s->term[k];
    if (t->of_system) continue;
    nsds_arguments own = coupler_part(s, t, in, work);
    nsds_status status = nsds_joint_ops.bias(&t->joint, &own, &second);
    if (status) return status;
    *bias += t->weight / s->scale * second;
  }
  return NSDS_OK;
}

static void coupler_destroy(void *self) {
  nsds_coupler *s = self;
  nsds_release(s->caller.context, s);
}

#define COUPLER_OPS                                                                                \
  .output = coupler_output, .gradient_v = coupler_gradient, .bias = coupler_bias,                  \
  .destroy = coupler_destroy
static const nsds_relation_ops ops = {.type = call, COUPLER_OPS};
static const nsds_relation_ops gear_ops = {.type = "nsds_joint", COUPLER_OPS};

bool nsds_joint_is_gear(const nsds_interaction *ia) { return ia->relation->ops == &gear_ops; }

const nsds_coupler *nsds_joint_coupler_of(const nsds_interaction *ia) {
  return ia->relation->ops == &ops ? ia->relation->self : NULL;
}

/* ---- creation -------------------------------------------------------------------------------- */

int nsds_coupler_system(nsds_coupler *s, nsds_ds *ds) {
  int k = 0;
  while (k < s->nsystem && s->ds[k] != ds) ++k;
  if (k < s->nsystem) return k;
  s->ds[k] = ds;
  s->q0[k + 1] = s->q0[k] + ds->nq;
  s->v0[k + 1] = s->v0[k] + ds->nv;
  return s->nsystem++;
}

void nsds_coupler_take(nsds_coupler *s, nsds_coupled *t, const nsds_joint_def *d) {
  nsds_joint_fill(&t->joint, d);
  t->joint.caller = s->caller;
  for (int b = 0; b < (t->joint.pair ? 2 : 1); ++b) t->system[b] = nsds_coupler_system(s, d->ds[b]);
}

static nsds_status take_system(nsds_model *model, nsds_coupler *s, const nsds_joint_term *given,
                               nsds_coupled *t) {
  nsds_context *context = model->context;
  if (!given->coordinate.ds[0]) return nsds_fail_null(context, call, "coordinate.ds[0]");
  nsds_ds *ds = nsds_ds_find(given->coordinate.ds[0], call);
  char label[nsds_label_size];
  if (!ds) return NSDS_ERROR_ARGUMENT;
  if (ds->model != model || !nsds_is_second_order(ds) || ds->ops->velocity_map)
    return nsds_fail(context, NSDS_ERROR_ARGUMENT,
                     "%s: %s has no coordinate of its own to couple; valid are systems of second "
                     "order of this model whose velocities are the rates of their coordinates",
                     call, nsds_ds_label(ds, label));
  if (!nsds_check_range(context, call, "index", given->index, 0, ds->nq - 1))
    return NSDS_ERROR_VALUE;
  t->of_system = true;
  t->index = given->index;
  t->system[0] = nsds_coupler_system(s, ds);
  return NSDS_OK;
}

static nsds_status take_joint(nsds_model *model, nsds_coupler *s, const nsds_joint_term *given,
                              nsds_coupled *t) {
  nsds_joint_def joint;
  if (given->coordinate.D != 0.0)
    return nsds_fail(model->context, NSDS_ERROR_VALUE,
                     "%s: coordinate.D is %g; it must be 0, as couplers do not yield", call,
                     given->coordinate.D);
  if (!nsds_joint_of_coordinate(model, call, "coordinate.", &given->coordinate, &joint))
    return nsds_error(model->context);
  if ((int)joint.kind == nsds_joint_swing_row)
    return nsds_fail(model->context, NSDS_ERROR_UNSUPPORTED,
                     "%s: couplers and armatures take no swing, whose rate jumps at 0; valid are "
                     "other angles, displacements and coordinates of systems",
                     call);
  nsds_coupler_take(s, t, &joint);
  t->joint.offset = given->coordinate.offset;
  return NSDS_OK;
}

static bool turns_in_space(const nsds_coupled *t) {
  return !t->of_system && nsds_joint_is_angle(t->joint.kind) && !t->joint.plane;
}

/* Finds the largest number of which all weights of angles in space are whole multiples. */
static nsds_status find_period(nsds_context *context, nsds_coupler *s) {
  static const double rounding = 1e-9, most_ratio = 1e4;
  double divisor = 0.0, largest = 0.0;
  for (int k = 0; k < s->nterm; ++k) {
    if (!turns_in_space(&s->term[k])) continue;
    double rest = fabs(s->term[k].weight);
    largest = rest > largest ? rest : largest;
    while (rest > rounding * largest) {
      double next = fabs(remainder(divisor, rest));
      divisor = rest;
      rest = next;
    }
  }
  if (divisor * most_ratio < largest)
    return nsds_fail(context, NSDS_ERROR_VALUE,
                     "%s: the weights of the angles are in no ratio of whole numbers up to 10000, "
                     "so their turns cannot be told apart; valid are such ratios, for example 0.37 "
                     "and 1, or bodies in the plane",
                     call);
  s->period = turn * divisor;
  return NSDS_OK;
}

static nsds_status coupler_fill(nsds_model *model, nsds_coupler *s,
                                const nsds_joint_couple_def *d) {
  nsds_context *context = model->context;
  s->offset = d->offset;
  s->scale = 1.0;
  s->nterm = d->nterm;
  for (int k = 0; k < d->nterm; ++k) {
    const nsds_joint_term *given = &d->term[k];
    nsds_coupled *t = &s->term[k];
    if (!nsds_check_finite(context, call, "weight", &given->weight, 1)) return NSDS_ERROR_VALUE;
    if (given->weight == 0.0)
      return nsds_fail(context, NSDS_ERROR_VALUE,
                       "%s: weight of term %d is 0; valid are numbers other than 0", call, k);
    t->weight = given->weight;
    nsds_status status = given->coordinate.kind == NSDS_COORDINATE_OF_SYSTEM
                             ? take_system(model, s, given, t)
                             : take_joint(model, s, given, t);
    if (status) return status;
  }
  return find_period(context, s);
}

static double coupler_terms(const nsds_coupler *s) {
  double sum = fabs(s->offset) / s->scale;
  for (int k = 0; k < s->nterm; ++k) {
    const nsds_coupled *t = &s->term[k];
    sum += fabs(t->weight) / s->scale * (t->of_system ? 1.0 : nsds_joint_terms(&t->joint));
  }
  return sum;
}

nsds_relation *nsds_coupler_relate(nsds_model *model, nsds_coupler *s, const char *name,
                                   bool gear) {
  double size = coupler_terms(s);
  return nsds_make_relation(model,
                            &(nsds_custom_relation_def){.ops = gear ? &gear_ops : &ops,
                                                        .self = s,
                                                        .name = name,
                                                        .ny = 1,
                                                        .nq = s->q0[s->nsystem],
                                                        .nv = s->v0[s->nsystem],
                                                        .terms = &size},
                            false);
}

static bool coupler_check(nsds_model *model, const nsds_joint_couple_def *d) {
  nsds_context *context = model->context;
  if (nsds_check_reserved(context, call, "", NSDS_TAIL(d)) ||
      !nsds_check_range(context, call, "nterm", d->nterm, 1, nsds_coupler_terms) ||
      !nsds_check_finite(context, call, "offset", &d->offset, 1))
    return false;
  if (d->term) return true;
  nsds_fail_null(context, call, "term");
  return false;
}

nsds_interaction *nsds_joint_couple(nsds_model *model, const nsds_joint_couple_def *def) {
  if (!nsds_joint_may_be_made(model, def, call) || !coupler_check(model, def)) return NULL;
  nsds_coupler *s = NSDS_NEW(model->context, nsds_coupler);
  if (!s) return NULL;
  s->caller = nsds_relation_caller(model, call, def->name);
  if (coupler_fill(model, s, def)) {
    coupler_destroy(s);
    return NULL;
  }
  int count = s->nsystem;
  nsds_ds *ds[nsds_coupler_systems];
  for (int k = 0; k < count; ++k) ds[k] = nsds_place_handle(s->ds[k]);
  nsds_relation *relation = nsds_coupler_relate(model, s, def->name, false);
  nsds_law *law = relation ? nsds_equality(model) : NULL;
  nsds_interaction *made = law ? nsds_connect(model, relation, law, count, ds) : NULL;
  if (made && def->name) nsds_interaction_set_name(made, def->name);
  if (relation && !made) nsds_relation_destroy(relation);
  return made;
}

/* ---- catalogue ------------------------------------------------------------------------------- */

const nsds_type nsds_joint_term_type = {
    .help = "A coordinate of a coupler.",
    .field =
        (const nsds_field[]){
            CHOICE("coordinate", "angle displacement twist first second of_system", NULL,
                   "Which coordinate."),
            VECTOR("of", "1 or 2", NULL, NULL, "Places of its systems in the key systems, from 1."),
            NUMBER("weight", NULL, NULL, NULL, "Weight in the sum, not 0."),
            VECTOR("point", "3 (plane: 2)", "m", "zero", "Point of the joint, in the world."),
            VECTOR("axis", "3 (plane: 2)", "1", "zero",
                   "Axis, in the world; a hinge in the plane needs none."),
            VECTOR("other_axis", "3", "1", "zero",
                   "Coordinates first and second: the other axis of a universal joint."),
            TRUTH("reversed", "false", "The sign of the coordinate is -1."),
            NUMBER("offset", "rad, m", NULL, "0", "Added to the coordinate."),
            INTEGER("index", "[1, 1000000]", "1", "of_system: number of the coordinate."), END},
    .call = "nsds_joint_couple"};
const nsds_type nsds_relation_coupler = {
    .type = "coupler",
    .help = "Couples coordinates of joints: the sum of weights and coordinates is 0.",
    .field =
        (const nsds_field[]){OBJECT("terms", NSDS_FIELD_LIST, "term", NULL, "Coordinates, 1 to 8."),
                             NUMBER("offset", "rad, m", NULL, "0", "Added to the sum."), END},
    .call = "nsds_joint_couple",
    .own = true,
    .equality = true};
