/*
 * Springs and dampers between two points of bodies, or two coordinates, as relations without rigid
 * rows:
 *
 *     y = lambda + k (l - L) + d dl/dt = 0,   F = H^T lambda,   H V = dl/dt
 *
 * with the law y = 0. y, H and V are taken at t_{k+theta} (nsds_relation::midway), and lambda acts
 * over the step. With theta = 1/2 this is the midpoint rule, of order 2, which keeps the energy of
 * linear springs. The length is that of a distance joint. The iteration matrix leaves out dH/dq.
 */
#include "base/text/field_rows.h"
#include "kernel/modeling/spring.h"

#include "base/context.h"
#include "kernel/modeling/busy.h"
#include "kernel/modeling/check.h"
#include "kernel/modeling/handle.h"
#include "kernel/modeling/joint_data.h"
#include "kernel/modeling/joint_create.h"
#include "kernel/modeling/joint_pose.h"
#include "kernel/modeling/label.h"
#include "kernel/modeling/local.h"
#include "kernel/modeling/operator_data.h"
#include "kernel/modeling/relation.h"

#include <nsds/spring.h>

static const char call[] = "nsds_spring";

typedef struct spring {
  nsds_joint_data joint; /* bodies: kind DISTANCE */
  double stiffness, damping;
  bool points;   /* between bodies; else coordinates */
  int at[2];     /* the coordinates in Q, -1: none */
  double length; /* L of coordinates */
} spring;

/* Computes l - L. */
static nsds_status spring_extension(const spring *s, const nsds_arguments *in, double *e) {
  nsds_joint_data joint = s->joint;
  if (s->points) return nsds_joint_ops.output(&joint, in, e);
  *e = in->q[s->at[0]] - (s->at[1] >= 0 ? in->q[s->at[1]] : 0.0) - s->length;
  return NSDS_OK;
}

/* Computes H, in->nv entries. */
static nsds_status spring_direction(const spring *s, const nsds_arguments *in, double *H) {
  nsds_joint_data joint = s->joint;
  for (int k = 0; k < in->nv; ++k) H[k] = 0.0;
  if (s->points) return nsds_joint_ops.gradient_v(&joint, in, H);
  H[s->at[0]] = 1.0;
  if (s->at[1] >= 0) H[s->at[1]] = -1.0;
  return NSDS_OK;
}

enum { few = 2 * nsds_body_nv };

/* Computes dl/dt. Between coordinates H has two entries, whatever the length of V. */
static nsds_status spring_rate(const spring *s, const nsds_arguments *in, double *rate) {
  double H[few];
  if (!s->points) {
    *rate = in->v[s->at[0]] - (s->at[1] >= 0 ? in->v[s->at[1]] : 0.0);
    return NSDS_OK;
  }
  nsds_status status = spring_direction(s, in, H);
  *rate = 0.0;
  for (int k = 0; !status && k < in->nv; ++k) *rate += H[k] * in->v[k];
  return status;
}

static nsds_status spring_output(void *self, const nsds_arguments *in, double *y) {
  const spring *s = self;
  double e = 0.0, rate = 0.0;
  nsds_status status = spring_extension(s, in, &e);
  if (!status) status = spring_rate(s, in, &rate);
  *y = in->lambda[0] + s->stiffness * e + s->damping * rate;
  return status;
}

/* Computes k H by coordinates. */
static nsds_status spring_jacobian_q(void *self, const nsds_arguments *in, double *J) {
  const spring *s = self;
  double H[few];
  if (!s->points || s->joint.plane) {
    nsds_status status = spring_direction(s, in, J);
    for (int k = 0; k < in->nq; ++k) J[k] *= s->stiffness;
    return status;
  }
  nsds_status status = spring_direction(s, in, H);
  if (!status) nsds_joint_by_coordinates(in, H, s->stiffness, J);
  return status;
}

static nsds_status spring_jacobian_v(void *self, const nsds_arguments *in, double *J) {
  const spring *s = self;
  nsds_status status = spring_direction(s, in, J);
  for (int k = 0; k < in->nv; ++k) J[k] *= s->damping;
  return status;
}

static nsds_status spring_jacobian_lambda(void *self, const nsds_arguments *in, double *D) {
  (void)self, (void)in;
  *D = 1.0;
  return NSDS_OK;
}

static nsds_status spring_input_lambda(void *self, const nsds_arguments *in, double *L) {
  return spring_direction(self, in, L);
}

static nsds_status spring_input(void *self, const nsds_arguments *in, double *F) {
  nsds_status status = spring_direction(self, in, F);
  for (int k = 0; k < in->nv; ++k) F[k] *= in->lambda[0];
  return status;
}

static void spring_destroy(void *self) {
  spring *s = self;
  nsds_release(s->joint.caller.context, s);
}

static const nsds_relation_ops ops = {.type = call,
                                      .output = spring_output,
                                      .jacobian_q = spring_jacobian_q,
                                      .jacobian_v = spring_jacobian_v,
                                      .jacobian_lambda = spring_jacobian_lambda,
                                      .input = spring_input,
                                      .input_lambda = spring_input_lambda,
                                      .destroy = spring_destroy};

/* ---- creation -------------------------------------------------------------------------------- */

static bool is_body(const nsds_ds *ds) {
  return ds->type.load != NULL; /* a rigid body, in space or in the plane */
}

static bool spring_fail(nsds_context *context, int k, const nsds_ds *ds, const char *text) {
  char label[nsds_label_size];
  nsds_fail(context, NSDS_ERROR_ARGUMENT, "%s: ds[%d] (%s) %s", call, k, nsds_ds_label(ds, label),
            text);
  return false;
}

static bool spring_check_systems(nsds_model *model, const nsds_spring_def *d) {
  nsds_context *context = model->context;
  if (!d->ds[0]) {
    nsds_fail_null(context, call, "ds[0]");
    return false;
  }
  for (int k = 0; k < 2 && d->ds[k]; ++k) {
    const nsds_ds *ds = d->ds[k];
    if (ds->model != model)
      return spring_fail(context, k, ds, "belongs to another model; valid are systems of this one");
    if (!nsds_is_second_order(ds))
      return spring_fail(context, k, ds, "is of first order; valid are systems of second order");
    if (k == 1 && ds == d->ds[0])
      return spring_fail(context, k, ds, "is ds[0] too; give two systems, or NULL for the world");
    if (!d->coordinates && !is_body(ds))
      return spring_fail(
          context, k, ds,
          "is not a rigid body, which alone have points; valid are bodies, or any systems with "
          "`coordinates` set");
    if (!d->coordinates && ds->nq != d->ds[0]->nq)
      return spring_fail(context, k, ds,
                         "and ds[0] differ; valid are bodies both in space, or both in the plane");
    if (!d->coordinates) continue;
    if (ds->ops->velocity_map)
      return spring_fail(context, k, ds,
                         "has coordinates whose rates are not its velocities; "
                         "valid are points of bodies");
    if (!nsds_check_range(context, call, "coordinate", d->coordinate[k], 0, ds->nq - 1))
      return false;
  }
  return true;
}

static bool spring_check(nsds_model *model, const nsds_spring_def *d) {
  nsds_spring_def own = *d;
  nsds_context *context = model->context;
  if (!spring_check_systems(model, d) ||
      !nsds_definition_check(context, call, "", nsds_relation_spring.field, &own) ||
      !nsds_check_range(context, call, "rest", (int)d->rest, NSDS_REST_PRESENT, NSDS_REST_LENGTH))
    return false;
  if (d->stiffness == 0.0 && d->damping == 0.0) {
    nsds_fail(context, NSDS_ERROR_VALUE,
              "%s: stiffness and damping are both 0; one of them must be > 0", call);
    return false;
  }
  if ((d->rest == NSDS_REST_PRESENT && d->length == 0.0) ||
      (d->rest == NSDS_REST_LENGTH && (d->coordinates || d->length >= 0.0)))
    return true;
  nsds_fail(context, NSDS_ERROR_VALUE,
            "%s: length is %g; valid are 0 with NSDS_REST_PRESENT, and between points lengths >= 0 "
            "with NSDS_REST_LENGTH",
            call, d->length);
  return false;
}

static void fill_points(spring *s, const nsds_spring_def *d) {
  nsds_joint_def joint = {.kind = NSDS_JOINT_DISTANCE, .ds = {d->ds[0], d->ds[1]}};
  memcpy(joint.point, d->point, sizeof joint.point);
  memcpy(joint.other, d->other, sizeof joint.other);
  nsds_joint_fill(&s->joint, &joint);
  if (d->rest == NSDS_REST_LENGTH) s->joint.length = d->length;
}

static void fill_coordinates(spring *s, const nsds_spring_def *d) {
  const nsds_ds *a = d->ds[0], *b = d->ds[1];
  const double *q = a->model->state.q;
  s->at[0] = d->coordinate[0];
  s->at[1] = b ? a->nq + d->coordinate[1] : -1;
  s->length = d->length;
  if (d->rest == NSDS_REST_PRESENT)
    s->length = q[a->q_offset + d->coordinate[0]] - (b ? q[b->q_offset + d->coordinate[1]] : 0.0);
}

static nsds_relation *spring_make(nsds_model *model, spring *s, const nsds_spring_def *d) {
  int nq = d->ds[0]->nq + (d->ds[1] ? d->ds[1]->nq : 0);
  int nv = d->ds[0]->nv + (d->ds[1] ? d->ds[1]->nv : 0);
  double lengths = s->points ? nsds_joint_terms(&s->joint) : fabs(s->length);
  nsds_relation *relation =
      nsds_make_relation(model,
                         &(nsds_custom_relation_def){.ops = &ops,
                                                     .self = s,
                                                     .name = d->name,
                                                     .ny = 1,
                                                     .nq = nq,
                                                     .nv = nv,
                                                     .mixed = true,
                                                     .terms = (double[]){s->stiffness * lengths}},
                         false);
  if (relation) nsds_relation_be_spring(nsds_handle_place(relation), false);
  return relation;
}

nsds_relation *nsds_spring(nsds_model *model, const nsds_spring_def *def) {
  if (!model || !def) {
    nsds_fail_null(nsds_model_context(model), call, model ? "def" : "model");
    return NULL;
  }
  if (nsds_check_reserved(model->context, call, "", NSDS_TAIL(def)) || nsds_check_idle(model, call))
    return NULL;
  nsds_spring_def own = *def;
  for (int k = 0; k < 2; ++k) {
    own.ds[k] = nsds_ds_find(def->ds[k], call);
    if (def->ds[k] && !own.ds[k]) return NULL;
  }
  spring *s = spring_check(model, &own) ? NSDS_NEW(model->context, spring) : NULL;
  if (!s) return NULL;
  s->points = !own.coordinates;
  if (s->points) fill_points(s, &own);
  else fill_coordinates(s, &own);
  s->joint.caller = nsds_relation_caller(model, call, own.name);
  s->stiffness = own.stiffness;
  s->damping = own.damping;
  return spring_make(model, s, &own);
}

const nsds_joint_data *nsds_spring_points(const nsds_interaction *ia) {
  const spring *s = ia->relation->self;
  return ia->relation->ops == &ops && s->points ? &s->joint : NULL;
}

bool nsds_spring_coordinates(const nsds_interaction *ia, int *at) {
  const spring *s = ia->relation->self;
  if (ia->relation->ops != &ops || s->points) return false;
  at[0] = s->at[0];
  at[1] = s->at[1] < 0 ? -1 : s->at[1] - ia->ds[0]->nq;
  return true;
}

nsds_status nsds_spring_read(const nsds_interaction *interaction, nsds_spring_motion *motion) {
  const char *read = "nsds_spring_read";
  if (!interaction || !motion)
    return nsds_fail_null(NULL, read, interaction ? "motion" : "interaction");
  nsds_interaction *ia = nsds_interaction_find(interaction, read);
  if (!ia) return NSDS_ERROR_ARGUMENT;
  nsds_model *model = ia->model;
  char label[nsds_label_size];
  if (ia->relation->ops != &ops)
    return nsds_fail(model->context, NSDS_ERROR_ARGUMENT,
                     "%s: %s is not a spring; valid are interactions of nsds_spring()", read,
                     nsds_interaction_label(ia, label));
  const spring *s = ia->relation->self;
  nsds_arguments in = nsds_gather(ia, &model->state, model->state.force, 1.0, model->scratch);
  double e = 0.0, rate = 0.0;
  nsds_status status = spring_extension(s, &in, &e);
  if (!status) status = spring_rate(s, &in, &rate);
  *motion = (nsds_spring_motion){.length = e + (s->points ? s->joint.length : s->length),
                                 .rate = rate,
                                 .pull = s->stiffness * e + s->damping * rate,
                                 .energy = 0.5 * s->stiffness * e * e};
  return status;
}

/* ---- catalogue ------------------------------------------------------------------------------- */

MAKER(nsds_spring, nsds_spring_def)

#define DEF nsds_spring_def
#define PULL                                                                                       \
  NUMBER_OF(DEF, stiffness, "N/m", "[0, 1e100]", "0", "Stiffness."),                               \
      NUMBER_OF(DEF, damping, "N s/m", "[0, 1e100]", "0", "Damping."),                             \
      NUMBER_OF(DEF, length, "m", NULL, "auto", "Length without force; auto: the present length.")
#define OF_SPRING                                                                                  \
  .call = "nsds_spring", DEFINITION(DEF), NAMED(DEF), .systems_at = offsetof(DEF, ds),             \
  .most_systems = 2, .own = true, .equality = true, .make = make_nsds_spring

const nsds_type nsds_relation_spring = {
    .type = "spring",
    .help = "A spring with a damper between two points of bodies, or a body and the world.",
    .field = (const nsds_field[]){VECTOR_OF(DEF, point, "3 (plane: 2)", "m", "zero",
                                            "Point on the first body, in the world."),
                                  VECTOR_OF(DEF, other, "3 (plane: 2)", "m", "zero",
                                            "Point on the second body or the world, in the world."),
                                  PULL, END},
    OF_SPRING};
const nsds_type nsds_relation_coordinate_spring = {
    .type = "coordinate_spring",
    .help = "A spring with a damper between coordinates of systems.",
    .field = (const nsds_field[]){WHOLES_AS("coordinates", DEF, coordinate, 1, "1 or 2", ">= 1",
                                            NULL, "Coordinate of each system, from 1."),
                                  PULL, END},
    OF_SPRING};
