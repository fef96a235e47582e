/*
 * Contacts of spheres of radius r around points c of bodies, X = x + R c:
 *   with a plane {x : n.x = offset}     gap = n . X - offset - r,             P = X - r n
 *   with each other                     gap = |X_1 - X_2| - r_1 - r_2,        n = (X_1 - X_2) / |.|
 *                                       P halfway between the surfaces
 * r = 0 is a corner. In the plane R turns by the angle.
 */
#include "base/text/field_rows.h"
#include "kernel/modeling/relation.h"
#include "kernel/modeling/sphere_relation.h"

#include "base/context.h"
#include "kernel/modeling/body.h"
#include "kernel/modeling/check.h"
#include "kernel/modeling/contact_bias.h"
#include "kernel/modeling/contact_relation.h"
#include "kernel/modeling/joint_pose.h"

typedef nsds_sphere_pair spheres;

static const nsds_relation_ops plane_ops = {.type = "nsds_sphere_plane_relation",
                                            .bias = nsds_contact_relation_bias,
                                            NSDS_CONTACT_RELATION_OPS};
static const nsds_relation_ops pair_ops = {.type = "nsds_sphere_sphere_relation",
                                           .bias = nsds_contact_relation_bias,
                                           NSDS_CONTACT_RELATION_OPS};

/* Computes the arm from the body's center to the sphere's, and the place X of the sphere in the
 * world. */
static void sphere_relation_locate(const spheres *s, int which, const nsds_arguments *in,
                                   double *arm, double *X) {
  const double *c = s->center[which];
  if (which == 1 && s->fixed) {
    for (int k = 0; k < 3; ++k) X[k] = c[k], arm[k] = 0.0;
    return;
  }
  if (s->dimension == 2) {
    const double *q = in->q + 3 * which;
    double cosine = cos(q[2]), sine = sin(q[2]);
    arm[0] = cosine * c[0] - sine * c[1];
    arm[1] = sine * c[0] + cosine * c[1];
    X[0] = q[0] + cosine * c[0] - sine * c[1];
    X[1] = q[1] + sine * c[0] + cosine * c[1];
    arm[2] = X[2] = 0.0;
    return;
  }
  const double *q = in->q + nsds_body_nq * which;
  double R[9];
  nsds_rotation_matrix(q + 3, R);
  nsds_turn(R, c, arm);
  for (int k = 0; k < 3; ++k) X[k] = arm[k] + q[k];
}

/* Computes X and its rate v + w x arm. */
static void sphere_relation_follow(const spheres *s, int which, const nsds_arguments *in, double *X,
                                   double *rate) {
  bool plane = s->dimension == 2;
  double R[9], x[3], arm[3], w[3], turning[3];
  if (which == 1 && s->fixed) {
    for (int k = 0; k < 3; ++k) X[k] = s->center[1][k], rate[k] = 0.0;
    return;
  }
  nsds_joint_place(plane, in->q + which * (plane ? 3 : nsds_body_nq), R, x);
  nsds_joint_twist(plane, in->v + which * (plane ? 3 : nsds_body_nv), R, rate, w);
  sphere_relation_locate(s, which, in, arm, X);
  nsds_cross(w, arm, turning);
  for (int k = 0; k < 3; ++k) rate[k] += turning[k];
}

int nsds_touch_plane(const nsds_arguments *in, nsds_body_contact *at, void *user) {
  const spheres *s = user;
  double X[3], arm[3];
  sphere_relation_locate(s, 0, in, arm, X);
  at->gap = nsds_dot(s->normal, X) - s->offset - s->radius[0];
  for (int k = 0; k < 3; ++k) {
    at->normal[k] = s->normal[k];
    at->point[k] = X[k] - s->radius[0] * s->normal[k];
    at->tangent[k] = s->tangent[k];
  }
  return 0;
}

int nsds_touch_plane_rate(const nsds_arguments *in, nsds_body_contact *rate, void *user) {
  double X[3];
  sphere_relation_follow(user, 0, in, X, rate->point);
  return 0;
}

int nsds_touch_spheres(const nsds_arguments *in, nsds_body_contact *at, void *user) {
  const spheres *s = user;
  double X[2][3], arm[3], d[3];
  for (int k = 0; k < 2; ++k) sphere_relation_locate(s, k, in, arm, X[k]);
  for (int k = 0; k < 3; ++k) d[k] = X[0][k] - X[1][k];
  double distance = nsds_length(d);
  at->gap = distance - s->radius[0] - s->radius[1];
  memcpy(at->tangent, s->tangent, sizeof at->tangent);
  for (int k = 0; distance > 0.0 && k < 3; ++k) {
    at->normal[k] = d[k] / distance;
    at->point[k] = X[1][k] + (s->radius[1] + 0.5 * at->gap) * at->normal[k];
  }
  return 0;
}

int nsds_touch_spheres_rate(const nsds_arguments *in, nsds_body_contact *rate, void *user) {
  const spheres *s = user;
  double X[2][3], Xdot[2][3], d[3], ddot[3], n[3];
  for (int k = 0; k < 2; ++k) sphere_relation_follow(s, k, in, X[k], Xdot[k]);
  for (int k = 0; k < 3; ++k) {
    d[k] = X[0][k] - X[1][k];
    ddot[k] = Xdot[0][k] - Xdot[1][k];
  }
  double distance = nsds_length(d);
  for (int k = 0; k < 3; ++k) n[k] = d[k] / distance;
  rate->gap = nsds_dot(n, ddot);
  double reach = s->radius[1] + 0.5 * (distance - s->radius[0] - s->radius[1]);
  for (int k = 0; k < 3; ++k) {
    rate->normal[k] = (ddot[k] - rate->gap * n[k]) / distance;
    rate->point[k] = Xdot[1][k] + 0.5 * rate->gap * n[k] + reach * rate->normal[k];
  }
  return 0;
}

void nsds_follow_pair(nsds_followed_pair *f, nsds_context *context, const char *label, int rows,
                      nsds_sphere_meets meets, const double *found) {
  bool plane = meets == NSDS_MEETS_PLANE;
  f->spheres.fixed = meets == NSDS_MEETS_FIXED;
  nsds_contact_relation_def def = {.dimension = f->spheres.dimension,
                                   .rows = rows,
                                   .pair = meets == NSDS_MEETS_BODY,
                                   .contact_fn = plane ? nsds_touch_plane : nsds_touch_spheres,
                                   .rate_fn =
                                       plane ? nsds_touch_plane_rate : nsds_touch_spheres_rate,
                                   .user = &f->spheres};
  nsds_contact_data_follow(&f->data, context, label, &def, found, f->spheres.tangent);
}

static bool check_normal(nsds_context *context, const char *call, int dimension,
                         const double *normal) {
  double length = dimension == 2 ? hypot(normal[0], normal[1]) : nsds_length(normal);
  if (fabs(length - 1.0) <= 1e-6) return true;
  nsds_fail(context, NSDS_ERROR_VALUE, "%s: normal (%g, %g, %g) has length %g; it must be 1", call,
            normal[0], normal[1], normal[2], length);
  return false;
}

/* Creates a relation of `given`. In the plane only the first entries count. */
static nsds_relation *sphere_relation_create(nsds_model *model, const nsds_relation_ops *ops,
                                             nsds_contact_relation_def *def, const spheres *given) {
  nsds_context *context = model->context;
  spheres *s = nsds_copy(context, given, 1, sizeof *given);
  if (!s) return NULL;
  s->dimension = def->dimension == 0 ? 3 : def->dimension;
  if (s->dimension == 2) s->center[0][2] = s->center[1][2] = s->normal[2] = 0.0;
  def->user = s;
  double terms = fabs(s->offset);
  for (int k = 0; k < 2; ++k)
    terms += s->radius[k] + fabs(s->center[k][0]) + fabs(s->center[k][1]) + fabs(s->center[k][2]);
  return nsds_make_contact_relation(model, ops, def, s, terms);
}

nsds_relation *nsds_sphere_plane_relation(nsds_model *model,
                                          const nsds_sphere_plane_relation_def *given) {
  nsds_sphere_plane_relation_def own;
  if (!nsds_definition_take(model, &nsds_relation_sphere_plane, given, &own) ||
      !check_normal(model->context, plane_ops.type, own.dimension, own.normal))
    return NULL;
  const nsds_sphere_plane_relation_def *def = &own;
  spheres s = {.radius = {def->radius}, .offset = def->offset};
  memcpy(s.center[0], def->center, sizeof def->center);
  double length =
      def->dimension == 2 ? hypot(def->normal[0], def->normal[1]) : nsds_length(def->normal);
  for (int k = 0; k < 3; ++k) s.normal[k] = def->normal[k] / length; /* may be off by 1e-6 */
  return sphere_relation_create(model, &plane_ops,
                                &(nsds_contact_relation_def){.name = def->name,
                                                             .dimension = def->dimension,
                                                             .rows = def->rows,
                                                             .contact_fn = nsds_touch_plane,
                                                             .rate_fn = nsds_touch_plane_rate},
                                &s);
}

nsds_relation *nsds_sphere_sphere_relation(nsds_model *model,
                                           const nsds_sphere_sphere_relation_def *given) {
  nsds_sphere_sphere_relation_def own;
  if (!nsds_definition_take(model, &nsds_relation_sphere_sphere, given, &own)) return NULL;
  const nsds_sphere_sphere_relation_def *def = &own;
  spheres s = {0};
  for (int k = 0; k < 2; ++k) {
    if (def->radius[k] < 0.0) {
      nsds_fail(model->context, NSDS_ERROR_VALUE, "%s: radius[%d] is %g; valid are values >= 0",
                pair_ops.type, k, def->radius[k]);
      return NULL;
    }
    s.radius[k] = def->radius[k];
    memcpy(s.center[k], def->center[k], sizeof s.center[k]);
  }
  return sphere_relation_create(model, &pair_ops,
                                &(nsds_contact_relation_def){.name = def->name,
                                                             .dimension = def->dimension,
                                                             .rows = def->rows,
                                                             .pair = true,
                                                             .contact_fn = nsds_touch_spheres,
                                                             .rate_fn = nsds_touch_spheres_rate},
                                &s);
}

/* ---- catalogue ------------------------------------------------------------------------------- */

#define PLACED(D)                                                                                  \
  INTEGER_OF(D, dimension, "[2, 3]", "auto",                                                       \
             "3: bodies in space; 2: in the plane; auto: as the bodies."),                         \
      INTEGER_OF(D, rows, "[1, 5]", "auto",                                                        \
                 "Rows of y: normal, tangents, rolling; auto: 3, in the plane 2.")

MAKER(nsds_sphere_plane_relation, nsds_sphere_plane_relation_def)
MAKER(nsds_sphere_sphere_relation, nsds_sphere_sphere_relation_def)

#define DEF nsds_sphere_plane_relation_def
const nsds_type nsds_relation_sphere_plane = {
    .type = "sphere_plane",
    .help = "A sphere of a body against a plane, in the plane a disc against a line.",
    .field = (const nsds_field[]){NUMBER_OF(DEF, radius, "m", ">= 0", "0", "Radius; 0: a corner."),
                                  VECTOR_OF(DEF, center, "3 (plane: 2)", "m", "zero",
                                            "Center of the sphere in the body."),
                                  VECTOR_OF(DEF, normal, "3 (plane: 2)", "1", NULL,
                                            "Normal of length 1, towards the body."),
                                  NUMBER_OF(DEF, offset, "m", NULL, "0",
                                            "The plane is {x : n.x = offset}."),
                                  PLACED(DEF), END},
    .call = "nsds_sphere_plane_relation",
    DEFINITION(DEF),
    NAMED(DEF),
    .make = make_nsds_sphere_plane_relation};
#undef DEF
#define DEF nsds_sphere_sphere_relation_def
const nsds_type nsds_relation_sphere_sphere = {
    .type = "sphere_sphere",
    .help = "Spheres of two bodies, in the plane discs.",
    .field = (const nsds_field[]){VECTOR_OF(DEF, radius, "2", "m", NULL, "Radii."),
                                  VECTOR_AS("center1", DEF, center[0], "3 (plane: 2)", "m", "zero",
                                            "Center of the first sphere in its body."),
                                  VECTOR_AS("center2", DEF, center[1], "3 (plane: 2)", "m", "zero",
                                            "Center of the second sphere in its body."),
                                  PLACED(DEF), END},
    .call = "nsds_sphere_sphere_relation",
    DEFINITION(DEF),
    NAMED(DEF),
    .make = make_nsds_sphere_sphere_relation};
