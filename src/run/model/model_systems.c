/*
 * Systems of a model file, see model_systems.h. The rows of a type fill its definition. Sizes come
 * from the keys whose rows have them, and the mass of a body may come from its shapes.
 */
#include "run/model/model_systems.h"

#include "base/text/range.h"
#include "run/model/model_define.h"
#include "run/model/model_functions.h"
#include "run/model/model_shapes.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { most_states = 20000 };

/* The state that all types share while one system is made. */
typedef struct system_maker {
  nsds_entry entry;
  nsds_named named;
  nsds_functions *functions;
  nsds_arguments_shape size;
  int n; /* size of x, or degrees of freedom; 0: that of a body */
  nsds_mass mass;
} system_maker;

/* ---- sizes ---- */

/* Returns true for sizes such as "n" and "n x n" of the key "n". */
static bool begins_with(const char *size, const char *key) {
  size_t length = strlen(key);
  return size && strncmp(size, key, length) == 0 && (size[length] == '\0' || size[length] == ' ');
}

/* Returns the row with the size of x, or of q and v: sizes of other rows begin with its name. NULL:
 * the sizes are numbers, as of bodies. */
static const nsds_field *size_row(const nsds_type *type) {
  for (const nsds_field *n = type->field; n->name; ++n)
    for (const nsds_field *f = type->field; n->kind == NSDS_FIELD_INTEGER && f->name; ++f)
      if (begins_with(f->size, n->name)) return n;
  return NULL;
}

/* Takes the size from the first key that is given, of vectors or of matrices. */
static bool take_size(system_maker *m, const char *size, bool vectors) {
  const nsds_entry *e = &m->entry;
  for (const nsds_field *f = e->schema->field; f->name; ++f) {
    if (!begins_with(f->size, size) || vectors == (strstr(f->size, " x ") != NULL)) continue;
    int rows = nsds_entry_rows(e, f->name);
    if (rows <= 0) continue;
    m->n = e->file->size.n = rows;
    snprintf(e->file->size.text, sizeof e->file->size.text, "; %s is %d, from %s", size, rows,
             f->name);
    return true;
  }
  return false;
}

/* Finds the size that its key says, or other keys tell. */
static bool find_size(system_maker *m, const char *key) {
  const nsds_entry *e = &m->entry;
  if (nsds_entry_has(e, key)) m->n = nsds_entry_integer(e, key);
  if (m->n == 0 && !take_size(m, key, true)) take_size(m, key, false);
  if (m->n > most_states)
    return nsds_file_fail(e->file, nsds_entry_place(e, key), "%s is %d; the most are %d", key, m->n,
                          most_states) != NULL;
  if (m->n > 0 || nsds_file_failed(e->file)) return m->n > 0;
  return nsds_file_fail(e->file, e->node, "the size of the system is not known; say %s", key) !=
         NULL;
}

static bool system_sizes(system_maker *m) {
  const nsds_type *type = m->entry.schema;
  const nsds_field *n = size_row(type), *q0 = nsds_schema_find(type, "q0");
  int most;
  if (n && !find_size(m, n->name)) return false;
  if (!q0) m->size.nx = m->n;
  else if (n) m->size.nq = m->size.nv = m->n;
  else { /* sizes of bodies stand in their rows */ nsds_size_read(q0->size, 3, &m->size.nq, &most);
    nsds_size_read(nsds_schema_find(type, "v0")->size, 3, &m->size.nv, &most);
  }
  return true;
}

/* ---- parts ---- */

static bool take_prescribed(system_maker *m, char *def) {
  int count, ndof = m->size.nv;
  if (!m->entry.schema->prescribed_at) return true;
  const double *which = nsds_entry_vector(&m->entry, "prescribed", -1, &count);
  int *index = nsds_file_memory(m->entry.file, (size_t)count, sizeof *index);
  for (int k = 0; which && index && k < count; ++k) {
    if (which[k] != floor(which[k]) || which[k] < 1.0 || which[k] > ndof ||
        (k > 0 && which[k] <= which[k - 1]))
      return nsds_file_fail(
                 m->entry.file, nsds_entry_place(&m->entry, "prescribed"),
                 "prescribed has the degree of freedom %.15g; valid are 1 to %d, increasing",
                 which[k], ndof) != NULL;
    index[k] = (int)which[k] - 1;
  }
  nsds_function velocity;
  if (nsds_file_failed(m->entry.file) ||
      !nsds_functions_call(m->functions, "prescribed_velocity", count, 1, &velocity))
    return false;
  if (count > 0 && !velocity.given)
    return nsds_file_fail(m->entry.file, m->entry.node,
                          "a system with the key prescribed needs prescribed_velocity") != NULL;
  if (count == 0 && velocity.given)
    return nsds_file_fail(m->entry.file, nsds_entry_place(&m->entry, "prescribed_velocity"),
                          "prescribed_velocity needs the key prescribed") != NULL;
  const nsds_prescribed prescribed = {count, index, velocity.fn};
  if (count > 0) memcpy(def + m->entry.schema->prescribed_at, &prescribed, sizeof prescribed);
  return true;
}

/* Puts name, size, parameters and functions into a definition. */
static bool define_system(system_maker *m, char *def) {
  const nsds_entry *e = &m->entry;
  const nsds_type *type = e->schema;
  const nsds_field *z = nsds_schema_find(type, "z"), *n = size_row(type);
  m->size.own = nsds_entry_z(e, "z");
  m->named.nz = m->size.own.n;
  m->named.z_name = m->size.own.name;
  m->functions = nsds_functions_create(e, &m->size);
  if (!m->functions) return false;
  nsds_entry_define(e, 3, def);
  if (n) memcpy(def + n->offset, &m->n, sizeof m->n);
  memcpy(def + type->name_at, &m->named.name, sizeof m->named.name);
  memcpy(def + type->user_at, &m->functions, sizeof m->functions);
  memcpy(def + z->offset, &m->size.own.value, sizeof m->size.own.value);
  memcpy(def + z->count, &m->size.own.n, sizeof m->size.own.n);
  const nsds_sizes sizes = {.n = m->n};
  unsigned uses = 0;
  return take_prescribed(m, def) && nsds_functions_define(m->functions, &sizes, def, &uses);
}

/* ---- rigid bodies ---- */

/* Finds mass, inertia and center of the shapes, if the body has a density. */
static bool take_mass(system_maker *m, int dimension) {
  const nsds_entry *e = &m->entry;
  int count = nsds_entry_count(e, "shapes");
  bool from_shapes = nsds_entry_has(e, "density");
  if (from_shapes == (nsds_entry_has(e, "mass") || nsds_entry_has(e, "inertia")) ||
      (from_shapes && count == 0) ||
      (!from_shapes && (!nsds_entry_has(e, "mass") || !nsds_entry_has(e, "inertia"))))
    return nsds_file_fail(e->file, e->node,
                          "a body needs mass and inertia, or density and shapes") != NULL;
  if (!from_shapes) return true;
  nsds_shape_def *shape = nsds_file_memory(e->file, (size_t)count, sizeof *shape);
  for (int k = 0; shape && k < count; ++k) {
    nsds_entry one = nsds_entry_at(e, "shapes", k);
    if (!nsds_shape_read(&one, dimension, &shape[k])) return false;
  }
  double *center = nsds_file_memory(e->file, 3, sizeof *center);
  if (!shape || !center) return false;
  nsds_mass_properties(e->file->model,
                       &(nsds_mass_def){.dimension = dimension,
                                        .nshape = count,
                                        .shape = shape,
                                        .density = nsds_entry_number(e, "density")},
                       &m->mass);
  memcpy(center, m->mass.center, 3 * sizeof *center);
  m->named.center = center;
  return !nsds_file_call_failed(e->file, nsds_entry_place(e, "shapes"));
}

/* Moves q from the frame of a body to its center of mass. */
static void move_to_center(const double *c, int dimension, double *q) {
  double moved[3] = {0.0};
  if (dimension == 3) nsds_to_world(q, c, moved);
  else {
    moved[0] = cos(q[2]) * c[0] - sin(q[2]) * c[1];
    moved[1] = sin(q[2]) * c[0] + cos(q[2]) * c[1];
  }
  for (int i = 0; i < dimension; ++i) q[i] += moved[i];
}

/* Sets what a body has from its shapes. q: room for its coordinates. */
static void finish_body(const system_maker *m, double *q, nsds_rigid_body_def *def) {
  if (!m->named.center) return;
  if (def->q0) memcpy(q, def->q0, 7 * sizeof *q);
  else q[3] = 1.0;
  move_to_center(m->named.center, 3, q);
  def->q0 = q;
  def->mass = m->mass.mass;
  def->inertia = m->mass.inertia;
}

static void finish_plane_body(const system_maker *m, double *q, nsds_rigid_body_2d_def *def) {
  if (!m->named.center) return;
  if (def->q0) memcpy(q, def->q0, 3 * sizeof *q);
  move_to_center(m->named.center, 2, q);
  def->q0 = q;
  def->mass = m->mass.mass;
  def->inertia = m->mass.inertia[8];
}

/* Keeps the definition of a body for other models, with what lies in the maker of the system. */
static bool keep_body(system_maker *m, const nsds_rigid_body_def *def) {
  nsds_model_file *file = m->entry.file;
  nsds_rigid_body_def *kept = nsds_file_memory(file, 1, sizeof *kept);
  double *number = nsds_file_memory(file, 16, sizeof *number);
  if (!kept || !number) return false;
  *kept = *def;
  memcpy(number, def->inertia, 9 * sizeof *number);
  kept->inertia = number;
  if (def->q0) kept->q0 = memcpy(number + 9, def->q0, 7 * sizeof *number);
  m->named.made_of = kept;
  return true;
}

/* ---- all of them ---- */

static nsds_ds *system_make(system_maker *m) {
  double def[nsds_definition_bytes / sizeof(double)] = {0.0}, q[7] = {0.0};
  const nsds_type *type = m->entry.schema;
  bool space = strcmp(type->type, "rigid_body") == 0,
       plane = strcmp(type->type, "rigid_body_2d") == 0;
  if (!system_sizes(m) || !define_system(m, (char *)def)) return NULL;
  if ((space || plane) && !take_mass(m, space ? 3 : 2)) return NULL;
  if (space) finish_body(m, q, (nsds_rigid_body_def *)(void *)def);
  if (plane) finish_plane_body(m, q, (nsds_rigid_body_2d_def *)(void *)def);
  if (space && m->entry.file->world && !nsds_file_failed(m->entry.file) &&
      !keep_body(m, (const nsds_rigid_body_def *)(const void *)def))
    return NULL;
  return nsds_file_failed(m->entry.file) ? NULL : type->make(m->entry.file->model, def);
}

static bool make_system_of_file(const nsds_entry *entry, const char *name, int index) {
  system_maker m = {.entry = *entry,
                    .named = {.kind = NSDS_NAMED_SYSTEM,
                              .name = name,
                              .schema = entry->schema,
                              .node = entry->node,
                              .index = index}};
  nsds_model_file *file = entry->file;
  m.named.ds = system_make(&m);
  m.named.second_order = m.named.ds && nsds_nv(m.named.ds) > 0;
  file->size.n = 0;
  if (nsds_file_call_failed(file, entry->node) || !m.named.ds) return false;
  nsds_discretisation scheme = {0};
  if (!nsds_entry_define_at(entry, "scheme", 3, &scheme)) return false;
  if (scheme.kind != NSDS_SCHEME_UNSAID) nsds_ds_discretise(m.named.ds, scheme);
  return !nsds_file_call_failed(file, nsds_entry_place(entry, "scheme")) &&
         nsds_file_add(file, &m.named);
}

/* A system of the file, or all that its key repeat makes. */
static bool make_systems_of_name(const nsds_entry *entry, const char *text) {
  nsds_model_file *file = entry->file;
  int count = nsds_entry_has(entry, "repeat") ? nsds_entry_integer(entry, "repeat") : -1;
  bool made = !nsds_file_failed(file);
  for (int i = 0; made && i < (count < 0 ? 1 : count); ++i) {
    const char *name = nsds_file_instance(file, text, count < 0 ? -1 : i);
    made = name && make_system_of_file(entry, name, i);
    file->index = NAN;
  }
  return made;
}

bool nsds_systems_make(const nsds_entry *root) {
  const nsds_yaml *map = nsds_entry_node(root, "systems");
  nsds_model_file *file = root->file;
  for (int k = 0; k < map->count; ++k) {
    const char *name = map->key[k]->text;
    if (nsds_file_is_doubtful(file, name)) continue;
    nsds_entry entry = nsds_entry_at(root, "systems", k);
    if (!make_systems_of_name(&entry, name) && !nsds_file_go_on_without(file, name)) return false;
  }
  return map->count > 0 || nsds_file_fail(file, map, "a model needs a system") != NULL;
}
