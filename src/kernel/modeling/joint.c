/*
 * Joints between rigid bodies, or a body and the world. The rows are of three kinds. u and w are
 * directions fixed to the first and the second body, w_k the angular velocities in the world:
 *
 *   e . d   rate e . (v_A1 - v_2 - w_2 x (A_1 - x_2)), e fixed in the world
 *   w . d   rate w . (v_A1 - v_2 - w_2 x (A_1 - x_2)): seen from body 2
 *   u . w   rate (w_1 - w_2) . (u x w)
 *
 * The first rate differs from the rate of e . d by e . (w_2 x d). The forces of a joint therefore
 * act on both bodies at one point. Rows of joints between the same bodies that depend on each other
 * without drift then also do so with drift.
 *
 * The angle is atan2(s, k) of s = b_1.c_2, k = b_1.b_2, whose rate is (w_1 - w_2) . m, m = [k (b_1
 * x c_2) - s (b_1 x b_2)] / (s^2 + k^2). The angles of a universal joint have s = -c_1.b_2,
 * k = b_1.b_2 about a_1 and s = -a_1.c_2, k = a_1.a_2 about b_2. The angle counts turns: in the plane by the bodies' own
 * angles, in space by turns.c. A direction e of a force at A from the centre is [e, R^T
 * (arm x e)] in velocities, a moment m is [0, R^T m].
 *
 * Source: E. J. Haug, Computer Aided Kinematics and Dynamics of Mechanical Systems (1989), 9.4.
 */
#include "base/text/field_rows.h"
#include "kernel/modeling/joint_fields.h"
#include "kernel/modeling/check.h"
#include "kernel/modeling/joint_data.h"

#include "base/arena.h"
#include "base/context.h"
#include "kernel/modeling/body.h"
#include "kernel/modeling/busy.h"
#include "kernel/modeling/handle.h"
#include "kernel/modeling/joint_bias.h"
#include "kernel/modeling/joint_create.h"
#include "kernel/modeling/joint_gear.h"
#include "kernel/modeling/joint_kinds.h"
#include "kernel/modeling/joint_pose.h"
#include "kernel/modeling/operator_data.h"
#include "kernel/modeling/relation.h"

/* ---- kinds ----------------------------------------------------------------------------------- */

/* Directions of bodies 1 and 2 that stay orthogonal, for one, two and three rows. */
const int nsds_joint_pairs[4][3][2] = {{{0}}, {{0, 1}}, {{0, 1}, {0, 2}}, {{0, 1}, {1, 2}, {2, 0}}};

/* ---- a configuration ------------------------------------------------------------------------- */

static double joint_distance(const nsds_joint_data *s, const nsds_joint_pose *pose) {
  return s->kind == NSDS_JOINT_ROPE ? s->length - nsds_length(pose->d)
                                    : nsds_length(pose->d) - s->length;
}

static nsds_status joint_of_angle(void *self, const nsds_arguments *in, double angle, double *y) {
  const nsds_joint_data *s = self;
  (void)in;
  *y = s->sign * angle + s->offset;
  return NSDS_OK;
}

static nsds_status joint_output(void *self, const nsds_arguments *in, double *y) {
  const nsds_joint_data *s = self;
  const nsds_joint_rows_of *rows = nsds_joint_rows_at(s->kind, s->plane);
  nsds_joint_pose pose;
  double m[3];
  nsds_joint_pose_at(s, in->q, &pose);
  const double *axes = pose.axes[1];
  for (int k = 0; k < rows->along; ++k) *y++ = pose.d[k];
  for (int k = 0; k < rows->across; ++k) *y++ = nsds_dot(axes + 3 * (rows->first + k), pose.d);
  for (int k = 0; k < rows->turns; ++k) {
    const int *pair = nsds_joint_pairs[rows->turns][k];
    *y++ = nsds_dot(pose.axes[0] + 3 * pair[0], axes + 3 * pair[1]);
  }
  if (!rows->other) return NSDS_OK;
  if (nsds_joint_is_angle(s->kind)) {
    double angle = nsds_joint_angle(s->kind, &pose, m);
    if (s->plane) angle = nsds_joint_plane_angle(s, in->q, angle);
    return joint_of_angle(self, in, angle, y);
  }
  if ((int)s->kind == nsds_joint_displacement_row)
    *y = s->sign * nsds_dot(axes, pose.d) + s->offset;
  else *y = joint_distance(s, &pose);
  return NSDS_OK;
}

/* ---- rows of the gradient -------------------------------------------------------------------- */

typedef struct sheet {
  const nsds_joint_data *joint;
  const nsds_joint_pose *pose;
  double *H;
  int row;
} sheet;

/* Writes the columns of one body: sign (f, R^T m), in the plane sign (f, m_z). */
static void joint_put(const sheet *h, int body, double sign, const double *f, const double *m) {
  int ny = h->joint->rows;
  double *H = h->H + h->row + body * ny * h->joint->nv, turned[3];
  if (h->joint->plane) {
    H[0] = sign * f[0];
    H[ny] = sign * f[1];
    H[2 * ny] = sign * m[2];
    return;
  }
  nsds_turn_back(h->pose->R[body], m, turned);
  for (int k = 0; k < 3; ++k) {
    H[k * ny] = sign * f[k];
    H[(3 + k) * ny] = sign * turned[k];
  }
}

/* Writes the next row: e . (velocity of A_1), minus the velocity of A_2 or of the point of body 2
 * at A_1. */
static void put_direction(sheet *h, const double *e, double sign, bool seen_from_second) {
  double m[3], arm[3];
  nsds_cross(h->pose->arm[0], e, m);
  joint_put(h, 0, sign, e, m);
  if (h->joint->pair) {
    for (int k = 0; k < 3; ++k)
      arm[k] = h->pose->arm[1][k] + (seen_from_second ? h->pose->d[k] : 0.0);
    nsds_cross(arm, e, m);
    joint_put(h, 1, -sign, e, m);
  }
  ++h->row;
}

/* Writes the next row: m . (w_1 - w_2). */
static void put_moment(sheet *h, const double *m, double sign) {
  static const double none[3] = {0.0, 0.0, 0.0};
  joint_put(h, 0, sign, none, m);
  if (h->joint->pair) joint_put(h, 1, -sign, none, m);
  ++h->row;
}

static nsds_status put_distance(sheet *h, double t) {
  const nsds_joint_data *s = h->joint;
  const double *d = h->pose->d;
  double length = nsds_length(d), n[3] = {0.0};
  bool rope = s->kind == NSDS_JOINT_ROPE; /* a slack rope pulls nowhere */
  if (length == 0.0 && !rope)
    return nsds_fail(s->caller.context, NSDS_ERROR_CALLBACK,
                     "%s: the two points are at one place at t = %.17g; their distance has no "
                     "direction there",
                     s->caller.label, t);
  for (int k = 0; length > 0.0 && k < 3; ++k) n[k] = d[k] / length;
  put_direction(h, n, rope ? -1.0 : 1.0, false);
  return NSDS_OK;
}

static nsds_status joint_gradient(void *self, const nsds_arguments *in, double *H) {
  const nsds_joint_data *s = self;
  const nsds_joint_rows_of *rows = nsds_joint_rows_at(s->kind, s->plane);
  nsds_joint_pose pose;
  sheet h = {.joint = s, .pose = &pose, .H = H};
  double m[3];
  nsds_joint_pose_at(s, in->q, &pose);
  const double *axes = pose.axes[1];
  for (int k = 0; k < rows->along; ++k)
    put_direction(&h, (const double[]){k == 0, k == 1, k == 2}, 1.0, true);
  for (int k = 0; k < rows->across; ++k) put_direction(&h, axes + 3 * (rows->first + k), 1.0, true);
  for (int k = 0; k < rows->turns; ++k) {
    const int *pair = nsds_joint_pairs[rows->turns][k];
    nsds_cross(pose.axes[0] + 3 * pair[0], axes + 3 * pair[1], m);
    put_moment(&h, m, 1.0);
  }
  if (!rows->other) return NSDS_OK;
  if (nsds_joint_is_angle(s->kind)) {
    nsds_joint_angle(s->kind, &pose, m);
    put_moment(&h, m, s->sign);
    return NSDS_OK;
  }
  if ((int)s->kind != nsds_joint_displacement_row) return put_distance(&h, in->t);
  put_direction(&h, axes, s->sign, true);
  return NSDS_OK;
}

static void joint_destroy(void *self) {
  nsds_joint_data *s = self;
  nsds_release(s->caller.context, s);
}

static nsds_status joint_feedthrough(void *self, const nsds_arguments *in, double *D) {
  const nsds_joint_data *s = self;
  (void)in;
  for (int i = 0; i < s->rows; ++i)
    for (int j = 0; j < s->rows; ++j) D[i + j * s->rows] = i == j ? s->D : 0.0;
  return NSDS_OK;
}

#define JOINT_OPS                                                                                  \
  .type = "nsds_joint", .output = joint_output, .gradient_v = joint_gradient,                      \
  .destroy = joint_destroy
const nsds_relation_ops nsds_joint_ops = {JOINT_OPS, .bias = nsds_joint_bias};
const nsds_relation_ops nsds_yielding_joint_ops = {JOINT_OPS, .bias = nsds_joint_bias,
                                                   .feedthrough = joint_feedthrough};

static nsds_relation *joint_create(nsds_model *model, const char *call, const nsds_joint_def *def,
                                   double offset) {
  nsds_context *context = model->context;
  bool fits = nsds_joint_check(model, call, def);
  nsds_joint_data *s = fits ? NSDS_NEW(context, nsds_joint_data) : NULL;
  if (!s) return NULL;
  s->caller = nsds_relation_caller(model, call, def->name);
  nsds_joint_fill(s, def);
  s->offset = offset;
  int bodies = s->pair ? 2 : 1;
  bool yields = s->D > 0.0;
  double terms[nsds_joint_most_rows];
  int turns =
      nsds_joint_rows_at(s->kind, s->plane)->turns; /* the last rows: products of directions */
  for (int i = 0; i < s->rows; ++i) terms[i] = i < s->rows - turns ? nsds_joint_terms(s) : 1.0;
  nsds_relation *relation = nsds_make_relation(
      model,
      &(nsds_custom_relation_def){.ops = yields ? &nsds_yielding_joint_ops : &nsds_joint_ops,
                                  .self = s,
                                  .name = def->name,
                                  .ny = s->rows,
                                  .nq = bodies * s->nq,
                                  .nv = bodies * s->nv,
                                  .terms = terms},
      false);
  if (!relation) return NULL;
  nsds_relation *own = nsds_handle_place(relation);
  own->yields = yields;
  nsds_joint_take(own, s, nsds_joint_is_angle(s->kind) ? joint_of_angle : NULL);
  return relation;
}

nsds_relation *nsds_joint(nsds_model *model, const nsds_joint_def *def) {
  static const char call[] = "nsds_joint";
  if (!nsds_joint_may_be_made(model, def, call) ||
      nsds_check_reserved(model->context, call, "", NSDS_TAIL(def)))
    return NULL;
  if (!nsds_joint_is_kind(def->kind)) {
    nsds_fail(model->context, NSDS_ERROR_VALUE, "%s: kind is %d, not one of nsds_joint_kind", call,
              (int)def->kind);
    return NULL;
  }
  nsds_joint_def own = *def;
  if (!nsds_joint_bodies(def->ds, 3, call, own.ds)) return NULL;
  if (def->kind == NSDS_JOINT_GEAR) return nsds_joint_gear(model, &own);
  return joint_create(model, call, &own, 0.0);
}

nsds_relation *nsds_joint_coordinate(nsds_model *model, const nsds_joint_coordinate_def *def) {
  static const char call[] = "nsds_joint_coordinate";
  nsds_joint_def joint;
  if (!nsds_joint_may_be_made(model, def, call) ||
      !nsds_joint_of_coordinate(model, call, "", def, &joint))
    return NULL;
  return joint_create(model, call, &joint, def->offset);
}

/* ---- catalogue ------------------------------------------------------------------------------- */

MAKER(nsds_joint, nsds_joint_def)

#define DEF nsds_joint_def
#define POINT                                                                                      \
  VECTOR_OF(DEF, point, "3 (plane: 2)", "m", "zero", "Point of the joint, in the world.")
#define AXIS                                                                                       \
  VECTOR_OF(DEF, axis, "3 (plane: 2)", "1", "zero",                                                \
            "Axis, in the world; a hinge in the plane needs none.")
#define YIELD YIELD_FIELD(DEF)
#define POINTED                                                                                    \
  VECTOR_OF(DEF, point, "3 (plane: 2)", "m", "zero", "Point on the first body, in the world."),    \
      VECTOR_OF(DEF, other, "3 (plane: 2)", "m", "zero",                                           \
                "Point on the second body or the world, in the world."),                           \
      NUMBER_OF(DEF, length, "m", ">= 0", "0", "Length; 0: the present distance.")
#define OF_JOINT(which, bodies, with_law)                                                          \
  .call = "nsds_joint", DEFINITION(DEF), NAMED(DEF), .systems_at = offsetof(DEF, ds),              \
  .most_systems = bodies, .kind_at = offsetof(DEF, kind), .kind = which, .own = true,              \
  .equality = with_law, .make = make_nsds_joint

#define START(unit)                                                                                \
  NUMBER_OF(DEF, start, unit, NULL, "0", "The coordinate at the start, from which it counts on.")

/* All fields, whatever the kind. */
const nsds_field nsds_joint_fields[] = {
    POINTED,         AXIS,  VECTOR_OF(DEF, other_axis, "3", "1", "zero", "Second axis."),
    START("rad, m"), YIELD, END};

const nsds_type nsds_relation_ball = {.type = "ball",
                                      .help = "A ball and socket joint.",
                                      .field = (const nsds_field[]){POINT, YIELD, END},
                                      OF_JOINT(NSDS_JOINT_BALL, 2, true)};
const nsds_type nsds_relation_hinge = {
    .type = "hinge",
    .help = "A hinge.",
    .field = (const nsds_field[]){POINT, AXIS, START("rad, m"), YIELD, END},
    OF_JOINT(NSDS_JOINT_HINGE, 2, true)};
const nsds_type nsds_relation_prismatic = {
    .type = "prismatic",
    .help = "A slide along an axis.",
    .field = (const nsds_field[]){POINT, AXIS, START("rad, m"), YIELD, END},
    OF_JOINT(NSDS_JOINT_PRISMATIC, 2, true)};
const nsds_type nsds_relation_cylindrical = {
    .type = "cylindrical",
    .help = "A joint that turns about an axis and slides along it.",
    .field = (const nsds_field[]){POINT, AXIS, YIELD, END},
    OF_JOINT(NSDS_JOINT_CYLINDRICAL, 2, true)};
const nsds_type nsds_relation_fixed = {.type = "fixed",
                                       .help = "A joint without relative motion.",
                                       .field = (const nsds_field[]){POINT, YIELD, END},
                                       OF_JOINT(NSDS_JOINT_FIXED, 2, true)};
const nsds_type nsds_relation_distance = {.type = "distance",
                                          .help = "A rod between two points.",
                                          .field = (const nsds_field[]){POINTED, YIELD, END},
                                          OF_JOINT(NSDS_JOINT_DISTANCE, 2, true)};
const nsds_type nsds_relation_rope = {
    .type = "rope",
    .help = "A rope between two points. Give it a law of unilateral contact.",
    .field = (const nsds_field[]){POINTED, YIELD, END},
    OF_JOINT(NSDS_JOINT_ROPE, 2, false)};
const nsds_type nsds_relation_gear = {
    .type = "gear",
    .help = "Two gears that mesh; the third system, if there is one, carries their hinges.",
    .field =
        (const nsds_field[]){
            AXIS,
            VECTOR_OF(DEF, other_axis, "3", "1", "zero", "Axis of the second gear; zero: as axis."),
            WHOLES_AS("teeth", DEF, teeth, 0, "2", ">= 1", NULL, "Numbers of teeth."),
            TRUTH_OF(DEF, reversed, "false", "The gears turn alike, as with inner teeth."), END},
    OF_JOINT(NSDS_JOINT_GEAR, 3, true)};
const nsds_type nsds_relation_universal = {
    .type = "universal",
    .help = "A cross between two shafts.",
    .field =
        (const nsds_field[]){POINT,
                             VECTOR_OF(DEF, axis, "3", "1", NULL,
                                       "Axis of the cross on the first body, in the world."),
                             VECTOR_OF(DEF, other_axis, "3", "1", NULL,
                                       "Axis on the second body or the world, across the first."),
                             YIELD, END},
    OF_JOINT(NSDS_JOINT_UNIVERSAL, 2, true)};
const nsds_type nsds_relation_planar = {
    .type = "planar",
    .help = "A joint that slides in a plane and turns about its normal, the axis.",
    .field =
        (const nsds_field[]){POINT, VECTOR_OF(DEF, axis, "3", "1", NULL, "Normal of the plane."),
                             YIELD, END},
    OF_JOINT(NSDS_JOINT_PLANAR, 2, true)};
#undef DEF

#define DEF nsds_joint_coordinate_def
MAKER(nsds_joint_coordinate, DEF)

const nsds_type nsds_relation_joint_coordinate = {
    .type = "joint_coordinate",
    .help = "A coordinate of a joint, for stops and dry friction.",
    .field = (const nsds_field[]){COORDINATE_FIELDS(DEF, ), YIELD_FIELD(DEF), END},
    .call = "nsds_joint_coordinate",
    DEFINITION(DEF),
    NAMED(DEF),
    .systems_at = offsetof(DEF, ds),
    .most_systems = 2,
    .own = true,
    .make = make_nsds_joint_coordinate};
