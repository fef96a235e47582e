/*
 * A model file as a world, see model_world.h: rigid bodies, one contact set of shapes, its scenery, and
 * bodies all of whose velocities are prescribed. Each object has a list of the keys that a world takes. Any
 * other key that is given is refused where it stands.
 */
#include "run/model/model_world.h"

#include "run/model/model_contacts.h"

#include <math.h>
#include <nsds/extend.h>
#include <string.h>

enum { all_velocities = 6 };

typedef struct world_maker {
  nsds_model_file *file;
  nsds_entry root;
  nsds_model_world *world;
  const nsds_named *first; /* body, whose gravity all others have */
} world_maker;

/* ---- keys ---- */

/* Tells if a list of words with blanks between them has a word. */
static bool list_has_word(const char *list, const char *word) {
  size_t size = strlen(word);
  for (const char *at = list; (at = strstr(at, word)) != NULL; at += size)
    if ((at == list || at[-1] == ' ') && (at[size] == ' ' || !at[size])) return true;
  return false;
}

/* Refuses a key that is given and not in the list. */
static bool world_takes_keys(const nsds_entry *e, const char *list) {
  for (const nsds_field *f = e->schema->field; f->name; ++f) {
    if (!nsds_entry_has(e, f->name) || list_has_word(list, f->name)) continue;
    if (f->kind == NSDS_FIELD_TRUTH && !nsds_entry_truth(e, f->name)) continue;
    return nsds_file_fail(e->file, nsds_entry_place(e, f->name),
                          "a world on several processes does not take the key %s; valid are %s, or "
                          "one process",
                          f->name, list) != NULL;
  }
  return true;
}

static bool world_takes_root(const nsds_entry *root) {
  static const char *const none[] = {"interactions", "sensors", "samplers", "events"};
  for (size_t k = 0; k < sizeof none / sizeof *none; ++k)
    if (nsds_entry_count(root, none[k]) > 0)
      return nsds_file_fail(root->file, nsds_entry_place(root, none[k]),
                            "a world on several processes has no %s; valid are bodies, one contact "
                            "set, outputs and measures, or one process",
                            none[k]) != NULL;
  return true;
}

/* ---- simulation ---- */

static bool world_takes_solver(const nsds_entry *e, nsds_job_world_info *info) {
  nsds_model_file *file = e->file;
  const char *solver = nsds_entry_text(e, "solver");
  const nsds_yaml *options = nsds_entry_node(e, "solver_options");
  if (solver && strcmp(solver, "auto") != 0 && strcmp(solver, "nsgs") != 0)
    return nsds_file_fail(file, nsds_entry_place(e, "solver"),
                          "a world on several processes does not take the solver %s; valid are "
                          "auto and nsgs, or one process",
                          solver) != NULL;
  for (int k = 0; options && k < options->count; ++k) {
    double value = 0.0;
    if (strcmp(options->key[k]->text, "max_iterations") != 0)
      return nsds_file_fail(file, options->key[k],
                            "a world on several processes does not take the option %s; valid is "
                            "max_iterations, or one process",
                            options->key[k]->text) != NULL;
    if (!nsds_file_constant(file, options->item[k], &value)) return false;
    info->max_iterations = (int)fmin(value, 1e9);
  }
  return true;
}

static bool world_takes_steps(const nsds_entry *e, nsds_job_world_info *info) {
  const double most_steps = 1e15, rounding = 1e-9;
  double steps = (info->t1 - info->t0) / info->h;
  if (steps < most_steps && fabs(steps - round(steps)) <= rounding * fmax(1.0, steps)) return true;
  return nsds_file_fail(e->file, nsds_entry_place(e, "t1"),
                        "from t0 to t1 there are %.15g steps of h; valid are whole numbers "
                        "of steps, or one process",
                        steps) != NULL;
}

static bool describe_simulation(const world_maker *m) {
  nsds_entry e = nsds_entry_object(&m->root, "simulation");
  nsds_job_world_info *info = &m->world->info;
  if (!e.schema || strcmp(e.schema->type, "time_stepping") != 0)
    return nsds_file_fail(m->file, e.node,
                          "a world on several processes does not take the simulation %s; valid is "
                          "time_stepping, or one process",
                          e.schema ? e.schema->type : "of this name") != NULL;
  if (!world_takes_keys(&e, "type t0 t1 h overlap_sweeps solver solver_options tolerance"))
    return false;
  info->overlap_sweeps =
      nsds_entry_has(&e, "overlap_sweeps") ? nsds_entry_integer(&e, "overlap_sweeps") : 0;
  info->leads_out = !nsds_entry_has(&e, "overlap_sweeps") || info->overlap_sweeps > 0;
  info->t0 = nsds_entry_number(&e, "t0");
  info->t1 = nsds_entry_number(&e, "t1");
  info->h = nsds_entry_number(&e, "h");
  info->tolerance = nsds_entry_number(&e, "tolerance");
  return world_takes_steps(&e, info) && world_takes_solver(&e, info);
}

/* ---- bodies ---- */

/* W x J W vanishes for each W. */
static bool is_isotropic(const double *J) {
  double scale = fabs(J[0]) + fabs(J[4]) + fabs(J[8]);
  for (int i = 0; i < 9; ++i)
    if (fabs(J[i] - (i % 4 == 0 ? J[0] : 0.0)) > 1e-14 * scale) return false;
  return true;
}

static bool world_takes_body(world_maker *m, const nsds_named *n) {
  nsds_entry e = {m->file, n->schema, n->node};
  const nsds_rigid_body_def *def = n->made_of;
  if (!def)
    return nsds_file_fail(m->file, n->node, "%s is of type %s; valid is rigid_body, or one process",
                          n->name, n->schema->type) != NULL;
  int given = def->prescribed.n;
  if (given == all_velocities) return true;
  if (!world_takes_keys(&e, "type repeat mass inertia density q0 v0 gravity explicit_gyroscopic "
                            "shapes prescribed prescribed_velocity where z"))
    return false;
  if (given > 0)
    return nsds_file_fail(m->file, nsds_entry_place(&e, "prescribed"),
                          "%s has %d prescribed velocities; valid are none and all "
                          "%d, or one process",
                          n->name, given, (int)all_velocities) != NULL;
  if (!def->explicit_gyroscopic && !is_isotropic(def->inertia))
    return nsds_file_fail(m->file, n->node,
                          "%s turns by W x J W of the end of a step; valid is "
                          "explicit_gyroscopic: true, or one process",
                          n->name) != NULL;
  if (!m->first) m->first = n;
  const double *g = m->first->made_of->gravity;
  if (def->gravity[0] == g[0] && def->gravity[1] == g[1] && def->gravity[2] == g[2]) return true;
  return nsds_file_fail(m->file, nsds_entry_place(&e, "gravity"),
                        "%s and %s differ in gravity; valid is one for all bodies, or one "
                        "process",
                        n->name, m->first->name) != NULL;
}

/* Shapes of a body that scenery alone may have, and meshes. */
static bool world_takes_shapes(nsds_model_file *file, const nsds_named *n, int count,
                               const nsds_shape_def *shape) {
  if (count < 1)
    return nsds_file_fail(file, n->node,
                          "%s has no shape in the contact set; a body of a world on several "
                          "processes needs one",
                          n->name) != NULL;
  for (int k = 0; k < count; ++k)
    if (shape[k].kind == NSDS_MESH)
      return nsds_file_fail(file, n->node,
                            "%s has a mesh; valid are sphere, capsule, box, hull, cylinder, cone "
                            "and ellipsoid",
                            n->name) != NULL;
  return true;
}

/* Reads the shapes of a body; NULL with a message. */
static nsds_shape_def *shapes_for_world(nsds_model_file *file, const nsds_named *n, int *count) {
  int shapes = n->in_contact_set ? nsds_contacts_of_body(file, n, NULL) : 0;
  nsds_shape_def *shape = nsds_file_memory(file, (size_t)shapes, sizeof *shape);
  if (!shape || (shapes > 0 && nsds_contacts_of_body(file, n, shape) < 0)) return NULL;
  for (int k = 0; k < shapes; ++k) shape[k].ds = NULL;
  *count = shapes;
  return shape;
}

static bool describe_body(world_maker *m, const nsds_named *n, nsds_job_body *body) {
  nsds_shape_def *shape = shapes_for_world(m->file, n, &body->nshape);
  if (!shape || !world_takes_shapes(m->file, n, body->nshape, shape)) return false;
  body->ds = n->ds;
  body->mass = n->made_of->mass;
  memcpy(body->inertia, n->made_of->inertia, sizeof body->inertia);
  body->shape = shape;
  return true;
}

static bool describe_bodies(world_maker *m) {
  nsds_model_file *file = m->file;
  nsds_model_world *w = m->world;
  size_t room = (size_t)file->nnamed;
  nsds_job_body *body = nsds_file_memory(file, room, sizeof *body);
  nsds_ds **ds = nsds_file_memory(file, room, sizeof(nsds_ds *));
  w->moved = nsds_file_memory(file, room, sizeof *w->moved);
  if (!body || !ds || !w->moved) return false;
  for (int k = 0; k < file->nnamed; ++k) {
    const nsds_named *n = &file->named[k];
    if (n->kind != NSDS_NAMED_SYSTEM) continue;
    if (!world_takes_body(m, n)) return false;
    if (n->made_of->prescribed.n > 0) {
      nsds_moved_body *moved = &w->moved[w->info.nprescribed];
      ds[w->info.nprescribed++] = n->ds;
      moved->def = n->made_of;
      if (!(moved->shape = shapes_for_world(file, n, &moved->nshape))) return false;
    } else if (!describe_body(m, n, &body[w->info.nbody++])) return false;
  }
  w->info.body = body;
  w->info.prescribed = ds;
  if (m->first) memcpy(w->info.gravity, m->first->made_of->gravity, sizeof w->info.gravity);
  return w->info.nbody > 0 ||
         nsds_file_fail(file, m->root.node,
                        "no body of the file moves freely; a world on several processes needs "
                        "one") != NULL;
}

/* ---- contacts ---- */

/* The contact set of the file, or one that has no more than a place. */
static const nsds_named *only_set(const world_maker *m) {
  const nsds_named *found = NULL;
  for (int k = 0; k < m->file->nnamed; ++k) {
    const nsds_named *n = &m->file->named[k];
    if (n->kind != NSDS_NAMED_SET) continue;
    if (found || strcmp(n->schema->type, "shapes") != 0)
      return nsds_file_fail(m->file, n->node,
                            "a world on several processes does not take this contact set; valid is "
                            "one, of type shapes, or one process");
    found = n;
  }
  return found ? found
               : nsds_file_fail(m->file, m->root.node,
                                "a world on several processes needs a contact set of type shapes");
}

static bool describe_contacts(const world_maker *m) {
  const nsds_named *set = only_set(m);
  nsds_job_world_info *info = &m->world->info;
  if (!set) return false;
  nsds_entry e = {m->file, set->schema, set->node};
  if (!world_takes_keys(&e, "type dimension materials mix scenery bodies reach")) return false;
  if (nsds_entry_integer(&e, "dimension") != 3)
    return nsds_file_fail(
               m->file, nsds_entry_place(&e, "dimension"),
               "the contact set is in the plane; valid is the dimension 3, or one process") != NULL;
  nsds_material *material = nsds_contacts_materials(&e, &info->nmaterial);
  int count = nsds_contacts_scenery(&e, 3, NULL);
  nsds_shape_def *scenery = nsds_file_memory(m->file, (size_t)count, sizeof *scenery);
  if (!material || !scenery || nsds_contacts_scenery(&e, 3, scenery) < 0) return false;
  for (int k = 0; k < info->nmaterial; ++k) material[k].mu_rolling = 0.0; /* rolling is false */
  info->material = material;
  info->mix = (nsds_mix)nsds_entry_word(&e, "mix");
  info->reach = nsds_entry_has(&e, "reach") ? nsds_entry_number(&e, "reach") : 0.0;
  m->world->nscenery = count;
  m->world->scenery = scenery;
  return true;
}

bool nsds_model_world_make(const nsds_entry *root, nsds_model_world *world) {
  world_maker m = {.file = root->file, .root = *root, .world = world};
  return world_takes_root(root) && describe_simulation(&m) && describe_contacts(&m) &&
         describe_bodies(&m) && !nsds_file_failed(root->file);
}

/* ---- scenery in another model ---- */

static nsds_status add_moved_body(nsds_context *context, const nsds_moved_body *moved,
                                  nsds_model *model, nsds_contact_set *set) {
  nsds_ds *ds = nsds_rigid_body(model, moved->def);
  for (int k = 0; ds && k < moved->nshape; ++k) {
    nsds_shape_def shape = moved->shape[k];
    shape.ds = ds;
    if (nsds_shapes_add(set, &shape) < 0) return nsds_error(context);
  }
  return ds ? NSDS_OK : nsds_error(context);
}

nsds_status nsds_model_world_scenery(nsds_model_file *file, const nsds_model_world *world,
                                     nsds_model *model, nsds_contact_set *set) {
  nsds_status status = NSDS_OK;
  for (int k = 0; k < world->nscenery; ++k)
    if (nsds_shapes_add(set, &world->scenery[k]) < 0) return nsds_error(file->context);
  for (int k = 0; !status && k < world->info.nprescribed; ++k)
    status = add_moved_body(file->context, &world->moved[k], model, set);
  return status;
}
