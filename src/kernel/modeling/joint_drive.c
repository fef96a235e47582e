/*
 * Springs, dampers and drives of a joint's coordinate c, as a relation without rigid rows:
 *
 *     y = lambda + k (c - target) + d (dc/dt - rate) - force,   F = H^T lambda,   H V = dc/dt
 *
 * With the law y = 0, lambda is the force of the drive. A relay with the bounds -f and f limits it:
 * lambda = clip(-k (c - target) - d (dc/dt - rate) + force, -f, f), and with the bounds 0 and inf
 * the row is a soft stop.
 *
 * An integrated drive has the target z + gone + rate (t - since), within bounds. When parameters or the
 * clock of the model are set, `gone` takes up the way so far, and `since` is that time.
 *
 * A drive looks ahead: a step takes c at q_k (+) h v_{k+1} and dc/dt at v_{k+1}
 * (nsds_relation::ahead). With theta = 1/2 a single coordinate with the inertia J then has the
 * eigenvalues of
 *
 *     det = (1 + a/2) / (1 + a + b),   trace = (2 + b + a/2) / (1 + a + b),   a = h^2 k/J, b = h d/J
 *
 * whose magnitude is below 1, and at most sqrt(1/2) in the limit of stiff drives. A passive spring
 * is taken in the middle of the step, see spring.c. The iteration matrix leaves out dH/dq.
 *
 * Source: J. Tan, K. Liu, G. Turk, Stable proportional-derivative controllers, IEEE Computer
 * Graphics and Applications 31 (2011).
 */
#include "base/text/field_rows.h"
#include "kernel/modeling/joint_fields.h"
#include "base/context.h"
#include "kernel/modeling/busy.h"
#include "kernel/modeling/check.h"
#include "kernel/modeling/handle.h"
#include "kernel/modeling/joint_create.h"
#include "kernel/modeling/joint_kinds.h"
#include "kernel/modeling/joint_pose.h"
#include "kernel/modeling/label.h"
#include "kernel/modeling/operator_data.h"
#include "kernel/modeling/relation.h"

static const char call[] = "nsds_joint_drive";

/* Places in z of the relation. */
enum { target_of, rate_of, force_of, settings };

/* Kept by an integrated drive: the settings since a time, and the way of the target before. */
enum { kept_target, kept_rate, gone, since, kept_numbers };

typedef struct joint_drive {
  nsds_joint_data joint; /* the coordinate */
  double stiffness, damping;
  const nsds_relation *relation; /* has the settings */
  bool integrated;
  double lower, upper; /* of the integrated target */
  double kept[kept_numbers];
  nsds_own_data archived; /* kept, for snapshots */
} joint_drive;

enum { few_rates = 2 * nsds_body_nv };

/* Computes the target at t and its rate. */
static double drive_target(const joint_drive *s, double t, double *rate) {
  const double *z = s->relation->z;
  *rate = z[rate_of];
  if (!s->integrated) return z[target_of];
  double target = s->kept[kept_target] + s->kept[gone] + s->kept[kept_rate] * (t - s->kept[since]);
  if (target > s->lower && target < s->upper) return target;
  *rate = 0.0;
  return fmax(s->lower, fmin(target, s->upper));
}

/* Parameters, or the time of the model from `before` to `now`, have been set. */
static void drive_settle(void *self, double before, double now) {
  joint_drive *s = self;
  double rate, target = drive_target(s, before, &rate), given = s->relation->z[target_of];
  s->kept[gone] = given == s->kept[kept_target] ? target - given : 0.0;
  s->kept[kept_target] = given;
  s->kept[kept_rate] = s->relation->z[rate_of];
  s->kept[since] = now;
}

/* Computes y from c. */
static nsds_status drive_of(const joint_drive *s, const nsds_arguments *in, double c, double *y) {
  double H[few_rates], rate = 0.0, asked, target = drive_target(s, in->t, &asked);
  nsds_joint_data joint = s->joint;
  nsds_status status = nsds_joint_ops.gradient_v(&joint, in, H);
  for (int k = 0; !status && k < in->nv; ++k) rate += H[k] * in->v[k];
  *y = in->lambda[0] + s->stiffness * (c - target) + s->damping * (rate - asked) -
       s->relation->z[force_of];
  return status;
}

static nsds_status drive_output(void *self, const nsds_arguments *in, double *y) {
  const joint_drive *s = self;
  nsds_joint_data joint = s->joint;
  double c = 0.0;
  nsds_status status = nsds_joint_ops.output(&joint, in, &c);
  return status ? status : drive_of(s, in, c, y);
}

static nsds_status drive_of_angle(void *self, const nsds_arguments *in, double angle, double *y) {
  const joint_drive *s = self;
  return drive_of(s, in, s->joint.sign * angle + s->joint.offset, y);
}

static nsds_status drive_jacobian_q(void *self, const nsds_arguments *in, double *J) {
  const joint_drive *s = self;
  double H[few_rates];
  nsds_joint_data joint = s->joint;
  nsds_status status = nsds_joint_ops.gradient_v(&joint, in, H);
  if (!status && !s->joint.plane) nsds_joint_by_coordinates(in, H, s->stiffness, J);
  for (int k = 0; !status && s->joint.plane && k < in->nq; ++k) J[k] = s->stiffness * H[k];
  return status;
}

static nsds_status drive_jacobian_v(void *self, const nsds_arguments *in, double *J) {
  const joint_drive *s = self;
  nsds_joint_data joint = s->joint;
  nsds_status status = nsds_joint_ops.gradient_v(&joint, in, J);
  for (int k = 0; k < in->nv; ++k) J[k] *= s->damping;
  return status;
}

static nsds_status drive_jacobian_lambda(void *self, const nsds_arguments *in, double *D) {
  (void)self, (void)in;
  *D = 1.0;
  return NSDS_OK;
}

static nsds_status drive_input_lambda(void *self, const nsds_arguments *in, double *L) {
  nsds_joint_data joint = ((const joint_drive *)self)->joint;
  return nsds_joint_ops.gradient_v(&joint, in, L);
}

static nsds_status drive_input(void *self, const nsds_arguments *in, double *F) {
  nsds_status status = drive_input_lambda(self, in, F);
  for (int k = 0; k < in->nv; ++k) F[k] *= in->lambda[0];
  return status;
}

static void drive_destroy(void *self) {
  joint_drive *s = self;
  nsds_release(s->joint.caller.context, s);
}

static const nsds_relation_ops ops = {.type = call,
                                      .output = drive_output,
                                      .jacobian_q = drive_jacobian_q,
                                      .jacobian_v = drive_jacobian_v,
                                      .jacobian_lambda = drive_jacobian_lambda,
                                      .input = drive_input,
                                      .input_lambda = drive_input_lambda,
                                      .destroy = drive_destroy};

/* ---- creation -------------------------------------------------------------------------------- */

static const nsds_field drive_fields[] = {DRIVE_FIELDS(nsds_joint_drive_def, stiffness, damping),
                                          END};

bool nsds_joint_check_target(nsds_context *context, const char *name, bool integrated, double lower,
                             double upper) {
  if (lower == 0.0 && upper == 0.0) return true;
  if (integrated && lower < upper) return true;
  nsds_fail(
      context, NSDS_ERROR_VALUE,
      "%s: target_lower is %g and target_upper is %g with integrated %s; valid are bounds with "
      "lower < upper of an integrated drive, or both 0 for none",
      name, lower, upper, integrated ? "true" : "false");
  return false;
}

static bool drive_check(nsds_context *context, const nsds_joint_drive_def *d) {
  nsds_joint_drive_def own = *d;
  if (nsds_check_reserved(context, call, "", NSDS_TAIL(d)) ||
      !nsds_definition_check(context, call, "", drive_fields, &own))
    return false;
  if (!nsds_joint_check_target(context, call, d->integrated, d->target_lower, d->target_upper))
    return false;
  if (d->coordinate.D == 0.0) return true;
  nsds_fail(context, NSDS_ERROR_VALUE,
            "%s: coordinate.D is %g; it must be 0, as a drive yields by its stiffness and damping",
            call, d->coordinate.D);
  return false;
}

static void drive_integrate(nsds_relation *own, joint_drive *s, const nsds_joint_drive_def *d) {
  bool bounded = d->target_lower != 0.0 || d->target_upper != 0.0;
  s->lower = bounded ? d->target_lower : -INFINITY;
  s->upper = bounded ? d->target_upper : INFINITY;
  s->kept[kept_target] = d->target;
  s->kept[kept_rate] = d->rate;
  s->kept[since] = own->model->state.t;
  s->archived = (nsds_own_data){.nz = kept_numbers, .z = s->kept};
  s->joint.caller.own = &s->archived;
  s->joint.caller.nown = 1;
  own->caller = &s->joint.caller;
  own->settle = drive_settle;
}

static nsds_relation *drive_make(nsds_model *model, joint_drive *s, const nsds_joint_drive_def *d) {
  int bodies = s->joint.pair ? 2 : 1;
  double size = s->stiffness * (nsds_joint_terms(&s->joint) + fabs(d->target)) +
                s->damping * fabs(d->rate) + fabs(d->force);
  nsds_relation *relation =
      nsds_make_relation(model,
                         &(nsds_custom_relation_def){.ops = &ops,
                                                     .self = s,
                                                     .name = d->coordinate.name,
                                                     .ny = 1,
                                                     .nq = bodies * s->joint.nq,
                                                     .nv = bodies * s->joint.nv,
                                                     .nz = settings,
                                                     .z = (double[]){d->target, d->rate, d->force},
                                                     .mixed = true,
                                                     .terms = &size},
                         false);
  if (!relation) return NULL;
  nsds_relation *own = nsds_handle_place(relation);
  s->relation = own;
  nsds_relation_be_spring(own, !d->passive);
  if (s->integrated) drive_integrate(own, s, d);
  nsds_joint_take(own, &s->joint, drive_of_angle);
  return relation;
}

nsds_relation *nsds_joint_drive(nsds_model *model, const nsds_joint_drive_def *def) {
  nsds_joint_def joint;
  if (!nsds_joint_may_be_made(model, def, call) || !drive_check(model->context, def) ||
      !nsds_joint_of_coordinate(model, call, "coordinate.", &def->coordinate, &joint))
    return NULL;
  joint_drive *s = NSDS_NEW(model->context, joint_drive);
  if (!s) return NULL;
  s->joint.caller = nsds_relation_caller(model, call, def->coordinate.name);
  nsds_joint_fill(&s->joint, &joint);
  s->joint.offset = def->coordinate.offset;
  s->stiffness = def->stiffness;
  s->damping = def->damping;
  s->integrated = def->integrated;
  return drive_make(model, s, def);
}

/* Finds the drive behind a handle. NULL: it has none, with an error. */
static nsds_interaction *drive_find(const nsds_interaction *handle, const char *name) {
  nsds_interaction *ia = nsds_interaction_find(handle, name);
  char label[nsds_label_size];
  if (!ia || ia->relation->ops == &ops) return ia;
  nsds_fail(ia->model->context, NSDS_ERROR_ARGUMENT,
            "%s: %s is not a drive; valid are interactions of nsds_joint_drive()", name,
            nsds_interaction_label(ia, label));
  return NULL;
}

nsds_status nsds_joint_drive_set(nsds_interaction *drive, double target, double rate,
                                 double force) {
  const char *set = "nsds_joint_drive_set";
  if (!drive) return nsds_fail_null(NULL, set, "drive");
  nsds_interaction *ia = drive_find(drive, set);
  if (!ia) return NSDS_ERROR_ARGUMENT;
  if (nsds_check_idle(ia->model, set)) return NSDS_ERROR_STATE;
  const double z[settings] = {target, rate, force};
  static const char *const name[settings] = {"target", "rate", "force"};
  for (int k = 0; k < settings; ++k)
    if (!nsds_check_finite(ia->model->context, set, name[k], &z[k], 1)) return NSDS_ERROR_VALUE;
  return nsds_relation_set_z(nsds_place_handle(ia->relation), settings, z);
}

nsds_status nsds_joint_drive_read(const nsds_interaction *drive, nsds_joint_drive_motion *motion) {
  const char *read = "nsds_joint_drive_read";
  if (!drive || !motion) return nsds_fail_null(NULL, read, drive ? "motion" : "drive");
  nsds_interaction *ia = drive_find(drive, read);
  if (!ia) return NSDS_ERROR_ARGUMENT;
  const joint_drive *s = ia->relation->self;
  nsds_joint_motion now;
  nsds_status status = nsds_joint_read(drive, &now);
  if (status) return status;
  bool turns = nsds_joint_is_angle(s->joint.kind);
  double sign = s->joint.sign, asked, target = drive_target(s, ia->model->state.t, &asked);
  *motion = (nsds_joint_drive_motion){.coordinate = sign * (turns ? now.angle : now.displacement) +
                                                    s->joint.offset,
                                      .rate = sign * (turns ? now.angular_velocity : now.velocity),
                                      .target = target,
                                      .target_rate = asked,
                                      .given = s->relation->z[force_of],
                                      .force = ia->model->state.force[ia->y_offset]};
  return NSDS_OK;
}

/* ---- catalogue ------------------------------------------------------------------------------- */

MAKER(nsds_joint_drive, nsds_joint_drive_def)

#define DEF nsds_joint_drive_def

const nsds_type nsds_relation_joint_drive = {
    .type = "joint_drive",
    .help = "A spring, a damper and a drive of a joint. A relay limits its force.",
    .field =
        (const nsds_field[]){COORDINATE_FIELDS(DEF, coordinate.),
                             DRIVE_FIELDS(DEF, stiffness, damping),
                             TRUTH_OF(DEF, passive, "false",
                                      "Taken in the middle of a step: a spring that keeps energy."),
                             END},
    .call = "nsds_joint_drive",
    DEFINITION(DEF),
    .named = true,
    .name_at = offsetof(DEF, coordinate.name),
    .systems_at = offsetof(DEF, coordinate.ds),
    .most_systems = 2,
    .own = true,
    .equality = true,
    .make = make_nsds_joint_drive};
