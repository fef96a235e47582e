/*
 * Drives and other parts of joints in a model file, see model_actions.h: the key `acts` of an
 * interaction, and couplers. Each part becomes a named object of the file: elbow.drive, elbow.rotor
 * ...
 */
#include "run/model/model_actions.h"

#include "run/model/model_define.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const settings[NSDS_DRIVE_SETTINGS] = {"target", "rate", "force"};

const char *const *nsds_drive_names(void) { return settings; }

static nsds_joint_coordinate_def coordinate_with_sign(const nsds_entry *e, int kind) {
  return (nsds_joint_coordinate_def){.kind = (nsds_joint_coordinate_kind)kind,
                                     .reversed = nsds_entry_truth(e, "reversed"),
                                     .offset = nsds_entry_number(e, "offset")};
}

/* ---- the key `acts` -------------------------------------------------------------------------- */

/* Returns the coordinate that is said, or that of the joint's type; 0 with a message. */
static int coordinate_of(const nsds_entry *acts, const nsds_entry *relation) {
  static const struct {
    const char *type;
    int coordinate;
  } own[] = {{"hinge", NSDS_COORDINATE_ANGLE}, {"prismatic", NSDS_COORDINATE_DISPLACEMENT}};
  if (nsds_entry_has(acts, "coordinate"))
    return NSDS_COORDINATE_ANGLE + nsds_entry_word(acts, "coordinate");
  for (size_t k = 0; k < sizeof own / sizeof *own; ++k)
    if (strcmp(relation->schema->type, own[k].type) == 0) return own[k].coordinate;
  nsds_file_fail(acts->file, acts->node,
                 "acts needs the key coordinate, as a joint of type %s has no single one; valid "
                 "are angle, displacement, swing, twist, first and second",
                 relation->schema->type);
  return 0;
}

static void read_stops(const nsds_entry *acts, nsds_joint_act_def *def) {
  if (!nsds_entry_has(acts, "lower") && !nsds_entry_has(acts, "upper")) return;
  def->lower = nsds_entry_number(acts, "lower");
  def->upper = nsds_entry_number(acts, "upper");
  if (def->lower == 0.0 && def->upper == 0.0) /* of a definition: no stops */
    nsds_file_fail(acts->file, nsds_entry_place(acts, "upper"),
                   "lower and upper are 0; valid are stops with lower < upper");
}

static bool read_actions(const nsds_entry *acts, const nsds_entry *relation, int dimension,
                         nsds_joint_act_def *def) {
  nsds_joint_coordinate_def *c = &def->coordinate;
  nsds_entry drive = nsds_entry_object(acts, "drive");
  if (!nsds_entry_define(acts, dimension, def)) return false;
  c->kind = (nsds_joint_coordinate_kind)coordinate_of(acts, relation);
  if (nsds_schema_find(relation->schema, "point"))
    nsds_entry_fill(relation, "point", c->point, dimension, dimension);
  bool own = nsds_entry_has(acts, "axis") || !nsds_schema_find(relation->schema, "axis");
  nsds_entry_fill(own ? acts : relation, "axis", c->axis, dimension, dimension);
  if (nsds_schema_find(relation->schema, "other_axis"))
    nsds_entry_fill(relation, "other_axis", c->other_axis, dimension, dimension);
  read_stops(acts, def);
  def->driven = drive.node != NULL;
  return (!def->driven || nsds_entry_define(&drive, dimension, def)) &&
         !nsds_file_failed(acts->file);
}

/* ---- the parts as objects of the file -------------------------------------------------------- */

/* Data that the parts of an interaction share. */
typedef struct action_parts {
  const nsds_entry *entry; /* of the interaction */
  const char *name;
  int index;
} action_parts;

static bool action_part(const action_parts *a, const char *part, nsds_named named) {
  char name[64];
  nsds_model_file *file = a->entry->file;
  snprintf(name, sizeof name, "%.40s.%s", a->name, part);
  named.name = nsds_file_copy(file, name);
  named.node = a->entry->node;
  named.index = a->index;
  return named.name && nsds_file_add(file, &named);
}

/* Drives have their parameters by name. */
static bool add_interaction(const action_parts *a, const char *part, const char *type,
                            nsds_interaction *ia) {
  bool drive = strcmp(type, "joint_drive") == 0;
  if (!ia) return true;
  return action_part(a, part,
                     (nsds_named){.kind = NSDS_NAMED_INTERACTION,
                                  .schema = nsds_schema_member(nsds_catalogue("relation"), type),
                                  .interaction = ia,
                                  .nz = drive ? NSDS_DRIVE_SETTINGS : 0,
                                  .z_name = drive ? settings : NULL,
                                  .own_relation = nsds_interaction_relation(ia)});
}

static bool add_parts(const action_parts *a, const nsds_joint_act_def *def,
                      const nsds_joint_actions *made) {
  const char *stop = def->stop_stiffness > 0.0 ? "joint_drive" : "joint_coordinate";
  nsds_named rotor = {.kind = NSDS_NAMED_SYSTEM,
                      .schema = nsds_schema_member(nsds_catalogue("system"), "lagrangian_linear"),
                      .ds = made->rotor,
                      .second_order = true};
  return add_interaction(a, "spring", "joint_drive", made->spring) &&
         add_interaction(a, "drive", "joint_drive", made->drive) &&
         add_interaction(a, "friction", "joint_coordinate", made->friction) &&
         add_interaction(a, "lower", stop, made->lower) &&
         add_interaction(a, "upper", stop, made->upper) &&
         add_interaction(a, "armature", "coupler", made->armature) &&
         (!made->rotor || action_part(a, "rotor", rotor));
}

bool nsds_actions_make(const nsds_entry *entry, const char *name, int index,
                       const nsds_entry *relation, int dimension, int nds, nsds_ds *const *ds) {
  nsds_model_file *file = entry->file;
  nsds_entry acts = nsds_entry_object(entry, "acts");
  nsds_joint_act_def def = {0};
  nsds_joint_actions made;
  action_parts parts = {entry, name, index};
  if (!acts.node) return true;
  if (dimension == 0) return false;
  if (nds > 2)
    return nsds_file_fail(file, acts.node,
                          "acts has %d systems; valid are joints of one or two bodies",
                          nds) != NULL;
  if (!read_actions(&acts, relation, dimension, &def)) return false;
  def.coordinate.name = name;
  for (int k = 0; k < nds; ++k) def.coordinate.ds[k] = ds[k];
  nsds_joint_act(file->model, &def, &made);
  return !nsds_file_call_failed(file, acts.node) && add_parts(&parts, &def, &made);
}

/* ---- couplers ------------------------------------------------------------------------------- */

/* Reads a whole number from 1 on, as one from 0. */
static int number_from_one(const nsds_entry *e, const char *key, double value, int most) {
  if (value >= 1.0 && value <= most && value == floor(value)) return (int)value - 1;
  nsds_file_fail(e->file, nsds_entry_place(e, key), "%s is %.15g; valid are whole numbers 1 .. %d",
                 key, value, most);
  return -1;
}

static bool read_term(const nsds_entry *e, int nds, const nsds_named *const *system,
                      nsds_joint_term *term) {
  static const nsds_joint_coordinate_kind kinds[] = {
      NSDS_COORDINATE_ANGLE, NSDS_COORDINATE_DISPLACEMENT, NSDS_COORDINATE_TWIST,
      NSDS_COORDINATE_FIRST, NSDS_COORDINATE_SECOND,       NSDS_COORDINATE_OF_SYSTEM};
  nsds_joint_coordinate_def *c = &term->coordinate;
  double of[2] = {0.0};
  *c = coordinate_with_sign(e, (int)kinds[nsds_entry_word(e, "coordinate")]);
  int count = nsds_entry_fill(e, "of", of, 1, c->kind == NSDS_COORDINATE_OF_SYSTEM ? 1 : 2), at = 0;
  for (int k = 0; k < count; ++k) {
    at = number_from_one(e, "of", of[k], nds);
    if (at < 0) return false;
    c->ds[k] = system[at]->ds;
    if (k == 0) term->index = nsds_entry_integer(e, "index") - 1;
  }
  if (count < 1) return false;
  if (c->kind != NSDS_COORDINATE_OF_SYSTEM) {
    int dimension = strcmp(system[at]->schema->type, "rigid_body_2d") == 0 ? 2 : 3;
    nsds_entry_fill(e, "point", c->point, dimension, dimension);
    nsds_entry_fill(e, "axis", c->axis, dimension, dimension);
    nsds_entry_fill(e, "other_axis", c->other_axis, dimension, dimension);
  }
  term->weight = nsds_entry_number(e, "weight");
  return !nsds_file_failed(e->file);
}

nsds_interaction *nsds_coupler_read(const nsds_entry *entry, const char *name, int nds,
                                    const nsds_named *const *system) {
  nsds_model_file *file = entry->file;
  int count = nsds_entry_count(entry, "terms");
  nsds_joint_term *term = nsds_file_memory(file, (size_t)count, sizeof *term);
  for (int k = 0; term && k < count; ++k) {
    nsds_entry one = nsds_entry_at(entry, "terms", k);
    if (!read_term(&one, nds, system, &term[k])) return NULL;
  }
  nsds_joint_couple_def def = {
      .name = name, .nterm = count, .term = term, .offset = nsds_entry_number(entry, "offset")};
  return nsds_file_failed(file) ? NULL : nsds_joint_couple(file->model, &def);
}
