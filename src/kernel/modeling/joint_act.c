/*
 * Everything that acts on a coordinate c of a joint, made of ordinary parts:
 *
 *     spring, damper   a passive drive
 *     drive            a drive, with a relay as its largest force
 *     friction         a relay on dc/dt
 *     armature         a system with the inertia of the rotor, coupled to c
 *     stops            rows c - lower and upper - c: impacts, or drives that only push
 */
#include "base/context.h"
#include "kernel/modeling/check.h"
#include "kernel/modeling/handle.h"
#include "kernel/modeling/joint_data.h"
#include "kernel/modeling/joint_create.h"
#include "kernel/modeling/joint_fields.h"
#include "kernel/modeling/modeling.h"
#include "kernel/modeling/relation.h"

#include <stdio.h>

static const char call[] = "nsds_joint_act";

#define DEF nsds_joint_act_def
static const nsds_field drive_fields[] = {
    DRIVE_FIELDS(DEF, drive_stiffness, drive_damping),
    NUMBER_OF(DEF, most, "N m, N", "[0, 1e100]", "0", "Largest force; 0: no limit."), END};

/* A file reads the coordinate's place and the stops by code of its own: they depend on the joint. */
static const nsds_field action_fields[] = {
    CHOICE("coordinate", "angle displacement swing twist first second", "auto",
           "Which coordinate; auto: the only one of a hinge or slide."),
    VECTOR("axis", "3", "1", "zero", "Axis, instead of the joint's or where it has none."),
    TRUTH_AS("reversed", DEF, coordinate.reversed, "false", "The sign of the coordinate is -1."),
    NUMBER_AS("offset", DEF, coordinate.offset, "rad, m", NULL, "0", "Added to the coordinate."),
    NUMBER_OF(DEF, stiffness, "N m/rad, N/m", "[0, 1e100]", "0", "Stiffness of a spring."),
    NUMBER_OF(DEF, damping, "N m s/rad, N s/m", "[0, 1e100]", "0", "Damping."),
    NUMBER_OF(DEF, rest, "rad, m", NULL, "0", "Coordinate at which the spring has no force."),
    NUMBER_OF(DEF, friction, "N m, N", "[0, 1e100]", "0", "Dry friction."),
    NUMBER_OF(DEF, armature, "kg m^2, kg", "[0, 1e100]", "0", "Inertia of a rotor."),
    NUMBER("lower", "rad, m", NULL, "-inf", "Lower stop."),
    NUMBER("upper", "rad, m", NULL, "inf", "Upper stop."),
    NUMBER_OF(DEF, restitution, "1", "[0, 1]", "0", "Coefficient of restitution of the stops."),
    NUMBER_OF(DEF, stop_stiffness, "N m/rad, N/m", "[0, 1e100]", "0",
              "Of soft stops; 0: rigid stops."),
    OBJECT("drive", NSDS_FIELD_OBJECT, "drive", "none", "A drive."),
    END};

/* The parts so far, and what they are made from. */
typedef struct action {
  nsds_model *model;
  const nsds_joint_act_def *def;
  nsds_joint_actions made;
  char name[nsds_name_size + 16];
} action;

static const char *part_name(action *a, const char *part) {
  const char *name = a->def->coordinate.name;
  if (!name) return NULL;
  snprintf(a->name, sizeof a->name, "%.*s.%s", nsds_name_size - 1, name, part);
  return a->name;
}

/* Connects the bodies of the joint. */
static nsds_interaction *act_connect(action *a, nsds_relation *relation, nsds_law *law) {
  nsds_ds *const *ds = a->def->coordinate.ds;
  nsds_interaction *ia =
      relation && law ? nsds_connect(a->model, relation, law, ds[1] ? 2 : 1, ds) : NULL;
  if (ia && a->def->coordinate.name) nsds_interaction_set_name(ia, a->name);
  if (!ia && relation) nsds_relation_destroy(relation);
  return ia;
}

/* A law that keeps lambda between two bounds, or none. */
static nsds_law *act_between(action *a, double lower, double upper) {
  return isinf(lower) && isinf(upper) ? nsds_equality(a->model)
                                      : nsds_relay(a->model, 1, &lower, &upper);
}

static nsds_interaction *act_drive(action *a, const char *part, nsds_joint_drive_def drive,
                                   double lower, double upper) {
  drive.coordinate = a->def->coordinate;
  drive.coordinate.name = part_name(a, part);
  return act_connect(a, nsds_joint_drive(a->model, &drive), act_between(a, lower, upper));
}

static nsds_interaction *act_friction(action *a) {
  nsds_joint_coordinate_def c = a->def->coordinate;
  c.name = part_name(a, "friction");
  return act_connect(a, nsds_joint_coordinate(a->model, &c),
                     act_between(a, -a->def->friction, a->def->friction));
}

static nsds_interaction *act_stop(action *a, bool upper) {
  const nsds_joint_act_def *d = a->def;
  double at = upper ? d->upper : d->lower;
  const char *part = upper ? "upper" : "lower";
  if (d->stop_stiffness > 0.0)
    return act_drive(a, part, (nsds_joint_drive_def){.stiffness = d->stop_stiffness, .target = at},
                     upper ? -INFINITY : 0.0, upper ? 0.0 : INFINITY);
  nsds_joint_coordinate_def c = d->coordinate;
  c.name = part_name(a, part);
  if (upper) nsds_joint_reverse(&c);
  c.offset += upper ? at : -at;
  return act_connect(a, nsds_joint_coordinate(a->model, &c),
                     nsds_newton_impact(a->model, d->restitution));
}

/* Computes c and dc/dt now. */
static bool act_coordinate(action *a, double *c, double *rate) {
  nsds_joint_data s = {0};
  nsds_joint_def joint;
  double q[2 * nsds_body_nq], v[2 * nsds_body_nv], H[2 * nsds_body_nv];
  nsds_joint_coordinate_def def = a->def->coordinate;
  if (!nsds_joint_of_coordinate(a->model, call, "coordinate.", &def, &joint)) return false;
  nsds_joint_fill(&s, &joint);
  s.offset = def.offset;
  for (int b = 0; b < (s.pair ? 2 : 1); ++b) {
    const nsds_state *now = &a->model->state;
    memcpy(q + b * s.nq, now->q + joint.ds[b]->q_offset, (size_t)s.nq * sizeof *q);
    memcpy(v + b * s.nv, now->v + joint.ds[b]->v_offset, (size_t)s.nv * sizeof *v);
  }
  int bodies = s.pair ? 2 : 1;
  nsds_arguments in = {.q = q, .v = v, .nq = bodies * s.nq, .nv = bodies * s.nv};
  if (nsds_joint_ops.output(&s, &in, c) || nsds_joint_ops.gradient_v(&s, &in, H)) return false;
  *rate = 0.0;
  for (int k = 0; k < in.nv; ++k) *rate += H[k] * v[k];
  return true;
}

static bool act_armature(action *a) {
  const nsds_joint_act_def *d = a->def;
  double c = 0.0, rate = 0.0;
  if (!act_coordinate(a, &c, &rate)) return false;
  a->made.rotor = nsds_lagrangian_linear(
      a->model,
      &(nsds_lagrangian_linear_def){
          .name = part_name(a, "rotor"), .ndof = 1, .mass = &d->armature, .q0 = &c, .v0 = &rate});
  if (!a->made.rotor) return false;
  nsds_joint_term term[2] = {
      {.coordinate = d->coordinate, .weight = 1.0},
      {.coordinate = {.kind = NSDS_COORDINATE_OF_SYSTEM, .ds = {a->made.rotor}}, .weight = -1.0}};
  nsds_joint_couple_def coupler = {.name = part_name(a, "armature"), .nterm = 2, .term = term};
  a->made.armature = nsds_joint_couple(a->model, &coupler);
  return a->made.armature != NULL;
}

/* ---- checks ---------------------------------------------------------------------------------- */

static bool has_stops(const nsds_joint_act_def *d) { return d->lower != 0.0 || d->upper != 0.0; }

/* Refuses fields of a part that is not there. */
static bool act_check_used(nsds_context *context, const nsds_joint_act_def *d) {
  const struct {
    const char *name;
    double value;
    bool used;
    const char *other;
  } field[] = {{"drive_stiffness", d->drive_stiffness, d->driven, "driven"},
               {"drive_damping", d->drive_damping, d->driven, "driven"},
               {"target", d->target, d->driven, "driven"},
               {"rate", d->rate, d->driven, "driven"},
               {"force", d->force, d->driven, "driven"},
               {"most", d->most, d->driven, "driven"},
               {"integrated", d->integrated, d->driven, "driven"},
               {"restitution", d->restitution, has_stops(d), "lower or upper"},
               {"stop_stiffness", d->stop_stiffness, has_stops(d), "lower or upper"}};
  for (size_t k = 0; k < sizeof field / sizeof *field; ++k) {
    if (field[k].value == 0.0 || field[k].used) continue;
    nsds_fail(context, NSDS_ERROR_VALUE, "%s: %s is %g without %s; valid is 0, or set that too",
              call, field[k].name, field[k].value, field[k].other);
    return false;
  }
  return true;
}

static bool act_check(nsds_context *context, const nsds_joint_act_def *d) {
  nsds_joint_act_def own = *d;
  if (nsds_check_reserved(context, call, "", NSDS_TAIL(d)) ||
      !nsds_definition_check(context, call, "", action_fields, &own) ||
      !nsds_definition_check(context, call, "", drive_fields, &own))
    return false;
  if (!act_check_used(context, d) ||
      !nsds_joint_check_target(context, call, d->integrated, d->target_lower, d->target_upper))
    return false;
  if (has_stops(d) && !(d->lower < d->upper)) {
    nsds_fail(context, NSDS_ERROR_VALUE,
              "%s: lower is %g and upper is %g; valid are stops with lower < upper, or both 0 for "
              "none",
              call, d->lower, d->upper);
    return false;
  }
  if (!(d->restitution > 0.0 && d->stop_stiffness > 0.0)) return true;
  nsds_fail(context, NSDS_ERROR_VALUE,
            "%s: restitution is %g and stop_stiffness is %g; one of them must be 0, as no velocity "
            "jumps at a soft stop",
            call, d->restitution, d->stop_stiffness);
  return false;
}

/* ---- the parts ------------------------------------------------------------------------------- */

static void act_remove(nsds_interaction *handle) {
  if (!handle) return;
  nsds_relation *relation = nsds_interaction_relation(handle);
  nsds_disconnect(handle);
  nsds_relation_destroy(relation);
}

static void act_undo(action *a) {
  nsds_joint_actions *m = &a->made;
  nsds_interaction *parts[] = {m->armature, m->upper, m->lower, m->friction, m->drive, m->spring};
  for (size_t k = 0; k < sizeof parts / sizeof *parts; ++k) act_remove(parts[k]);
  if (m->rotor) nsds_ds_destroy(m->rotor);
}

static bool act_make(action *a) {
  const nsds_joint_act_def *d = a->def;
  nsds_joint_actions *m = &a->made;
  nsds_joint_drive_def spring = {
      .stiffness = d->stiffness, .damping = d->damping, .target = d->rest, .passive = true};
  nsds_joint_drive_def drive = {.stiffness = d->drive_stiffness,
                                .damping = d->drive_damping,
                                .target = d->target,
                                .rate = d->rate,
                                .force = d->force,
                                .integrated = d->integrated,
                                .target_lower = d->target_lower,
                                .target_upper = d->target_upper};
  double most = d->most > 0.0 ? d->most : INFINITY;
  if ((d->stiffness > 0.0 || d->damping > 0.0) &&
      !(m->spring = act_drive(a, "spring", spring, -INFINITY, INFINITY)))
    return false;
  if (d->driven && !(m->drive = act_drive(a, "drive", drive, -most, most))) return false;
  if (d->friction > 0.0 && !(m->friction = act_friction(a))) return false;
  bool swing = d->coordinate.kind == NSDS_COORDINATE_SWING;
  if (has_stops(d) && isfinite(d->lower) && !(swing && d->lower == 0.0) &&
      !(m->lower = act_stop(a, false)))
    return false;
  if (has_stops(d) && isfinite(d->upper) && !(m->upper = act_stop(a, true))) return false;
  return d->armature == 0.0 || act_armature(a);
}

nsds_status nsds_joint_act(nsds_model *model, const nsds_joint_act_def *def,
                           nsds_joint_actions *made) {
  action a = {.model = model, .def = def};
  nsds_joint_def joint;
  if (made) *made = (nsds_joint_actions){0};
  if (!model || !def)
    return nsds_fail_null(nsds_model_context(model), call, model ? "def" : "model");
  if (!nsds_joint_may_be_made(model, def, call) || !act_check(model->context, def) ||
      !nsds_joint_of_coordinate(model, call, "coordinate.", &def->coordinate, &joint))
    return nsds_error(model->context);
  if (!act_make(&a)) {
    nsds_status status = nsds_error(model->context);
    act_undo(&a);
    return status;
  }
  if (made) *made = a.made;
  return NSDS_OK;
}

/* ---- catalogue ------------------------------------------------------------------------------- */

const nsds_type nsds_action_drive_type = {
    .help = "A drive of a joint.", .field = drive_fields, .call = call, DEFINITION(DEF)};
const nsds_type nsds_action_type = {.help = "Parts that act on a coordinate of a joint.",
                                    .field = action_fields,
                                    .call = call,
                                    DEFINITION(DEF)};
