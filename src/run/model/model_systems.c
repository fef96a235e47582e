/*
 * Systems of a model file, see model_systems.h. One function for each type fills the definition of
 * the library from the keys of the schema.
 */
#include "run/model/model_systems.h"

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
  nsds_file_z z;
  nsds_functions *functions;
  int n; /* size of x, or degrees of freedom */
  nsds_prescribed prescribed;
} system_maker;

/* ---- sizes ---- */

/* The size that a key says, or the first of other keys that tells it. */
static bool find_size(system_maker *m, const char *key, const char *const *others) {
  const nsds_entry *e = &m->entry;
  if (nsds_entry_has(e, key)) m->n = nsds_entry_integer(e, key);
  for (; m->n == 0 && *others; ++others)
    if (nsds_schema_find(e->schema, *others) && nsds_entry_rows(e, *others) > 0) {
      m->n = e->file->size.n = nsds_entry_rows(e, *others);
      snprintf(e->file->size.text, sizeof e->file->size.text, "; %s is %d, from %s", key, m->n,
               *others);
    }
  if (m->n > most_states)
    return nsds_file_fail(e->file, nsds_entry_place(e, key), "%s is %d; the most are %d", key, m->n,
                          most_states) != NULL;
  if (m->n > 0 || nsds_file_failed(e->file)) return m->n > 0;
  return nsds_file_fail(e->file, e->node, "the size of the system is not known; say %s", key) !=
         NULL;
}

static bool take_prescribed(system_maker *m, int ndof) {
  int count;
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
  if (count > 0) m->prescribed = (nsds_prescribed){count, index, velocity.fn};
  return true;
}

static bool system_begin(system_maker *m, const nsds_arguments_shape *sizes) {
  nsds_arguments_shape shape = *sizes;
  m->z = nsds_entry_z(&m->entry, "z");
  shape.own = m->z;
  m->named.nz = m->z.n;
  m->named.z_name = m->z.name;
  m->functions = nsds_functions_create(&m->entry, &shape);
  return m->functions != NULL;
}

static const double *system_initial(system_maker *m, const char *key, int n) {
  return nsds_entry_vector(&m->entry, key, n, NULL);
}

/* ---- first order ---- */

static nsds_ds *system_first_order_linear(system_maker *m) {
  nsds_function mass, A, b;
  const nsds_entry *e = &m->entry;
  if (!find_size(m, "n", (const char *const[]){"x0", "b", "A", "mass", NULL}) ||
      !system_begin(m, &(nsds_arguments_shape){.nx = m->n}))
    return NULL;
  if (!nsds_functions_take(m->functions, "mass", m->n, m->n, &mass) ||
      !nsds_functions_take(m->functions, "A", m->n, m->n, &A) ||
      !nsds_functions_take(m->functions, "b", m->n, 1, &b))
    return NULL;
  nsds_first_order_linear_def def = {.name = m->named.name,
                                     .n = m->n,
                                     .x0 = system_initial(m, "x0", m->n),
                                     .b = b.constant,
                                     .b_fn = b.fn,
                                     .mass_fn = mass.fn,
                                     .A_fn = A.fn,
                                     .nz = m->z.n,
                                     .z = m->z.value,
                                     .user = m->functions};
  def.mass_sparse = mass.sparse;
  def.mass = mass.sparse ? NULL : mass.constant;
  def.A_sparse = A.sparse;
  def.A = A.sparse ? NULL : A.constant;
  return nsds_file_failed(e->file) ? NULL : nsds_first_order_linear(e->file->model, &def);
}

static nsds_ds *system_first_order(system_maker *m) {
  nsds_function mass, f;
  nsds_operator jacobian;
  const nsds_entry *e = &m->entry;
  if (!find_size(m, "n", (const char *const[]){"x0", "f", "mass", NULL}) ||
      !system_begin(m, &(nsds_arguments_shape){.nx = m->n}))
    return NULL;
  if (!nsds_functions_take(m->functions, "mass", m->n, m->n, &mass) ||
      !nsds_functions_call(m->functions, "f", m->n, 1, &f) ||
      !nsds_functions_jacobian(m->functions, "jac_f_x", m->n, m->n, &f, NSDS_USES_X, nsds_zero,
                               &jacobian))
    return NULL;
  nsds_first_order_def def = {.name = m->named.name,
                              .n = m->n,
                              .x0 = system_initial(m, "x0", m->n),
                              .mass = mass.constant,
                              .mass_fn = mass.fn,
                              .f_fn = f.fn,
                              .jac_f_x_fn = jacobian,
                              .nz = m->z.n,
                              .z = m->z.value,
                              .user = m->functions};
  return nsds_file_failed(e->file) ? NULL : nsds_first_order(e->file->model, &def);
}

/* ---- Lagrangian ---- */

static const char *const ndof_keys[] = {"q0", "mass", "fext", "v0", NULL};

static nsds_ds *system_lagrangian_linear(system_maker *m) {
  nsds_file_matrix mass, damping, stiffness;
  nsds_function fext;
  const nsds_entry *e = &m->entry;
  if (!find_size(m, "ndof", ndof_keys) ||
      !system_begin(m, &(nsds_arguments_shape){.nq = m->n, .nv = m->n}) ||
      !take_prescribed(m, m->n))
    return NULL;
  if (!nsds_entry_matrix(e, "mass", m->n, m->n, true, &mass) ||
      !nsds_entry_matrix(e, "damping", m->n, m->n, true, &damping) ||
      !nsds_entry_matrix(e, "stiffness", m->n, m->n, true, &stiffness) ||
      !nsds_functions_take(m->functions, "fext", m->n, 1, &fext))
    return NULL;
  nsds_lagrangian_linear_def def = {.name = m->named.name,
                                    .ndof = m->n,
                                    .q0 = system_initial(m, "q0", m->n),
                                    .v0 = system_initial(m, "v0", m->n),
                                    .mass = mass.dense,
                                    .mass_sparse = mass.sparse,
                                    .damping = damping.dense,
                                    .damping_sparse = damping.sparse,
                                    .stiffness = stiffness.dense,
                                    .stiffness_sparse = stiffness.sparse,
                                    .fext = fext.constant,
                                    .fext_fn = fext.fn,
                                    .prescribed = m->prescribed,
                                    .nz = m->z.n,
                                    .z = m->z.value,
                                    .user = m->functions};
  return nsds_file_failed(e->file) ? NULL : nsds_lagrangian_linear(e->file->model, &def);
}

static bool take_force(system_maker *m, const char *key, const char *by_q, const char *by_v,
                       nsds_force_function *force) {
  nsds_function fn;
  if (!nsds_functions_call(m->functions, key, m->n, 1, &fn) ||
      !nsds_functions_jacobian(m->functions, by_q, m->n, m->n, &fn, NSDS_USES_Q, nsds_zero,
                               &force->jac_q_fn) ||
      !nsds_functions_jacobian(m->functions, by_v, m->n, m->n, &fn, NSDS_USES_V, nsds_zero,
                               &force->jac_v_fn))
    return false;
  force->fn = fn.fn;
  return true;
}

static nsds_ds *system_lagrangian(system_maker *m) {
  nsds_function mass, fext;
  nsds_lagrangian_def def = {0};
  const nsds_entry *e = &m->entry;
  if (!find_size(m, "ndof", ndof_keys) ||
      !system_begin(m, &(nsds_arguments_shape){.nq = m->n, .nv = m->n}) ||
      !take_prescribed(m, m->n))
    return NULL;
  if (!nsds_functions_take(m->functions, "mass", m->n, m->n, &mass) ||
      !nsds_functions_take(m->functions, "fext", m->n, 1, &fext) ||
      !take_force(m, "nnl", "jac_nnl_q", "jac_nnl_v", &def.nnl) ||
      !take_force(m, "fint", "jac_fint_q", "jac_fint_v", &def.fint))
    return NULL;
  def.name = m->named.name;
  def.ndof = m->n;
  def.q0 = system_initial(m, "q0", m->n);
  def.v0 = system_initial(m, "v0", m->n);
  def.mass = mass.constant;
  def.mass_fn = mass.fn;
  def.fext = fext.constant;
  def.fext_fn = fext.fn;
  def.prescribed = m->prescribed;
  def.nz = m->z.n;
  def.z = m->z.value;
  def.user = m->functions;
  return nsds_file_failed(e->file) ? NULL : nsds_lagrangian(e->file->model, &def);
}

/* ---- rigid bodies ---- */

/* Mass, inertia and center of the shapes. */
static bool take_mass(system_maker *m, int dimension, nsds_mass *mass) {
  const nsds_entry *e = &m->entry;
  int count = nsds_entry_count(e, "shapes");
  bool from_shapes = nsds_entry_has(e, "density");
  if (from_shapes == (nsds_entry_has(e, "mass") || nsds_entry_has(e, "inertia")) ||
      (from_shapes && count == 0) ||
      (!from_shapes && (!nsds_entry_has(e, "mass") || !nsds_entry_has(e, "inertia"))))
    return nsds_file_fail(e->file, e->node,
                          "a body needs mass and inertia, or density and shapes") != NULL;
  if (!from_shapes) {
    mass->mass = nsds_entry_number(e, "mass");
    return true;
  }
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
                       mass);
  memcpy(center, mass->center, 3 * sizeof *center);
  m->named.center = center;
  return !nsds_file_call_failed(e->file, nsds_entry_place(e, "shapes"));
}

/* Moves q from the frame of a body to its center of mass. */
static void move_to_center(const system_maker *m, int dimension, double *q) {
  double moved[3] = {0.0};
  const double *c = m->named.center;
  if (!c) return;
  if (dimension == 3) nsds_to_world(q, c, moved);
  else {
    moved[0] = cos(q[2]) * c[0] - sin(q[2]) * c[1];
    moved[1] = sin(q[2]) * c[0] + cos(q[2]) * c[1];
  }
  for (int i = 0; i < dimension; ++i) q[i] += moved[i];
}

static bool take_load(system_maker *m, const char *key, const char *by_q, const char *by_v,
                      nsds_load_function *load) {
  nsds_function fn;
  if (!nsds_functions_call(m->functions, key, 3, 1, &fn) ||
      !nsds_functions_jacobian(m->functions, by_q, 3, 7, &fn, NSDS_USES_Q, nsds_zero,
                               &load->jac_q_fn) ||
      !nsds_functions_jacobian(m->functions, by_v, 3, 6, &fn, NSDS_USES_V, nsds_zero,
                               &load->jac_v_fn))
    return false;
  load->fn = fn.fn;
  return true;
}

static nsds_ds *system_rigid_body(system_maker *m) {
  nsds_file_matrix inertia;
  nsds_mass mass = {0};
  double q[7] = {[3] = 1.0};
  const nsds_entry *e = &m->entry;
  nsds_rigid_body_def def = {.name = m->named.name};
  if (!system_begin(m, &(nsds_arguments_shape){.nq = 7, .nv = 6}) || !take_prescribed(m, 6) ||
      !take_mass(m, 3, &mass) || !nsds_entry_matrix(e, "inertia", 3, 3, false, &inertia))
    return NULL;
  if (!take_load(m, "force", "jac_force_q", "jac_force_v", &def.force) ||
      !take_load(m, "moment", "jac_moment_q", "jac_moment_v", &def.moment))
    return NULL;
  nsds_entry_fill(e, "q0", q, 7, 7);
  nsds_entry_fill(e, "gravity", def.gravity, 3, 3);
  move_to_center(m, 3, q);
  def.mass = mass.mass;
  def.inertia = inertia.dense ? inertia.dense : mass.inertia;
  def.q0 = nsds_entry_has(e, "q0") || m->named.center ? q : NULL;
  def.v0 = system_initial(m, "v0", 6);
  def.force.in_body = nsds_entry_truth(e, "force_in_body");
  def.moment.in_world = nsds_entry_truth(e, "moment_in_world");
  def.explicit_gyroscopic = nsds_entry_truth(e, "explicit_gyroscopic");
  def.prescribed = m->prescribed;
  def.nz = m->z.n;
  def.z = m->z.value;
  def.user = m->functions;
  return nsds_file_failed(e->file) ? NULL : nsds_rigid_body(e->file->model, &def);
}

static nsds_ds *system_rigid_body_2d(system_maker *m) {
  nsds_mass mass = {0};
  double q[3] = {0.0};
  nsds_function force;
  const nsds_entry *e = &m->entry;
  nsds_rigid_body_2d_def def = {.name = m->named.name};
  if (!system_begin(m, &(nsds_arguments_shape){.nq = 3, .nv = 3}) || !take_prescribed(m, 3) ||
      !take_mass(m, 2, &mass) || !nsds_functions_call(m->functions, "force", 3, 1, &force))
    return NULL;
  nsds_entry_fill(e, "q0", q, 3, 3);
  nsds_entry_fill(e, "gravity", def.gravity, 2, 2);
  move_to_center(m, 2, q);
  def.mass = mass.mass;
  def.inertia = nsds_entry_has(e, "inertia") ? nsds_entry_number(e, "inertia") : mass.inertia[8];
  def.q0 = q;
  def.v0 = system_initial(m, "v0", 3);
  def.force_fn = force.fn;
  def.prescribed = m->prescribed;
  def.nz = m->z.n;
  def.z = m->z.value;
  def.user = m->functions;
  return nsds_file_failed(e->file) ? NULL : nsds_rigid_body_2d(e->file->model, &def);
}

/* ---- all of them ---- */

typedef struct system_type {
  const char *type;
  bool second_order;
  nsds_ds *(*make)(system_maker *maker);
} system_type;

static const system_type types[] = {{"first_order_linear", false, system_first_order_linear},
                                    {"first_order", false, system_first_order},
                                    {"lagrangian_linear", true, system_lagrangian_linear},
                                    {"lagrangian", true, system_lagrangian},
                                    {"rigid_body", true, system_rigid_body},
                                    {"rigid_body_2d", true, system_rigid_body_2d}};

static bool make_system_of_file(const nsds_entry *entry, const char *name, int index) {
  system_maker m = {.entry = *entry,
                    .named = {.kind = NSDS_NAMED_SYSTEM,
                              .name = name,
                              .schema = entry->schema,
                              .node = entry->node,
                              .index = index}};
  nsds_model_file *file = entry->file;
  for (size_t k = 0; k < sizeof types / sizeof *types; ++k)
    if (strcmp(types[k].type, entry->schema->type) == 0) {
      m.named.second_order = types[k].second_order;
      m.named.ds = types[k].make(&m);
    }
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
