/*
 * Relations and interactions of a model file, see model_relations.h. A relation is made when an
 * interaction connects it, because the sizes of Q and X come from the systems. A relation of the
 * key `relations` is made once, and shared, but joints and springs, which belong to their bodies.
 */
#include "run/model/model_relations.h"

#include "run/model/model_actions.h"
#include "run/model/model_define.h"
#include "run/model/model_functions.h"
#include "run/model/model_laws.h"

#include <math.h>
#include <string.h>

enum { most_together = 1000 }; /* systems of an interaction */

/* The state that all types share while one relation is made. */
typedef struct relation_maker {
  nsds_entry entry;
  const char *name;
  const nsds_yaml *place; /* of the interaction */
  int nds;
  const nsds_named *const *system;
  nsds_ds *const *ds;
  int nq, nv, nx, nz; /* of all systems together; nz with the relation's own */
  int ny;
  nsds_file_z z;
  nsds_functions *functions;
} relation_maker;

/* ---- parts ---- */

/* The size of y: said, or the rows of a key. */
static bool find_ny(relation_maker *m, const char *key) {
  const nsds_entry *e = &m->entry;
  if (nsds_schema_find(e->schema, "ny") && nsds_entry_has(e, "ny"))
    m->ny = nsds_entry_integer(e, "ny");
  else m->ny = nsds_entry_rows(e, key);
  if (m->ny > 0) return !nsds_file_failed(e->file);
  return nsds_file_fail(e->file, nsds_entry_place(e, key), "the size of y is not known; say ny") !=
         NULL;
}

/* Rows of a relation_matrix. A list of numbers is one row, or one column if only one is wanted. */
static bool find_ny_of_matrix(relation_maker *m, const char *key, int cols) {
  const nsds_entry *e = &m->entry;
  const nsds_yaml *node = nsds_entry_node(e, key);
  bool row = node && node->kind == NSDS_YAML_LIST && node->count &&
             node->item[0]->kind == NSDS_YAML_SCALAR && cols != 1;
  if (row && !(nsds_schema_find(e->schema, "ny") && nsds_entry_has(e, "ny"))) m->ny = 1;
  else return find_ny(m, key);
  return true;
}

/* The size of y of a mixed relation: said, or the rows of the first part of y that is given. */
static bool find_ny_of_parts(relation_maker *m) {
  const struct {
    const char *key;
    int cols;
  } part[] = {{"C", m->nx}, {"H", m->nq}, {"E", m->nv}};
  for (size_t k = 0; !nsds_entry_has(&m->entry, "ny") && k < sizeof part / sizeof *part; ++k)
    if (nsds_entry_has(&m->entry, part[k].key))
      return find_ny_of_matrix(m, part[k].key, part[k].cols);
  return find_ny(m, "ny");
}

static bool relation_prepare(relation_maker *m) {
  m->z = nsds_entry_z(&m->entry, "z");
  m->nz += m->z.n;
  nsds_arguments_shape shape = {.nq = m->nq,
                                .nv = m->nv,
                                .nx = m->nx,
                                .nlambda = m->ny,
                                .own = m->z,
                                .nsystem = m->nds,
                                .system = m->system};
  m->functions = nsds_functions_create(&m->entry, &shape);
  return m->functions != NULL;
}

static bool needs_order(relation_maker *m, bool first, bool second) {
  for (int k = 0; k < m->nds; ++k)
    if (m->system[k]->second_order ? !second : !first)
      return nsds_file_fail(m->entry.file, m->place,
                            "the relation of type %s takes %s-order systems; %s is of %s order",
                            m->entry.schema->type, first ? "first" : "second", m->system[k]->name,
                            m->system[k]->second_order ? "second" : "first") != NULL;
  return true;
}

static bool relation_matrix(relation_maker *m, const char *key, int rows, int cols,
                            const double **to) {
  nsds_file_matrix values;
  if (!nsds_entry_matrix(&m->entry, key, rows, cols, false, &values)) return false;
  *to = values.dense;
  return true;
}

/* ---- Lagrangian ---- */

static nsds_relation *relate_lagrangian_linear(relation_maker *m) {
  nsds_lagrangian_linear_relation_def def = {.name = m->name};
  if (!needs_order(m, false, true) || !find_ny_of_matrix(m, "H", m->nq) || !relation_prepare(m))
    return NULL;
  int ny = m->ny;
  if (!relation_matrix(m, "H", ny, m->nq, &def.H) || !relation_matrix(m, "D", ny, ny, &def.D) ||
      !relation_matrix(m, "compliance", ny, ny, &def.compliance) ||
      !relation_matrix(m, "F", ny, m->nz, &def.F))
    return NULL;
  def.ny = ny;
  def.nq = m->nq;
  def.nZ = def.F ? m->nz : 0;
  def.D_in_y = nsds_entry_truth(&m->entry, "D_in_y");
  def.b = nsds_entry_vector(&m->entry, "b", ny, NULL);
  def.nz = m->z.n;
  def.z = m->z.value;
  return nsds_file_failed(m->entry.file)
             ? NULL
             : nsds_lagrangian_linear_relation(m->entry.file->model, &def);
}

static nsds_relation *relate_lagrangian(relation_maker *m) {
  nsds_lagrangian_relation_def def = {.name = m->name};
  nsds_function h, bias;
  if (!needs_order(m, false, true) || !find_ny(m, "output") || !relation_prepare(m)) return NULL;
  int ny = m->ny;
  if (!nsds_functions_call(m->functions, "output", ny, 1, &h) ||
      !nsds_functions_jacobian(m->functions, "jac_output_q", ny, m->nq, &h, NSDS_USES_Q, nsds_zero,
                               &def.jac_output_q_fn) ||
      !nsds_functions_jacobian(m->functions, "jac_output_t", ny, 1, &h, NSDS_USES_T, NULL,
                               &def.jac_output_t_fn) ||
      !nsds_functions_jacobian(m->functions, "jac_output_lambda", ny, ny, &h, NSDS_USES_LAMBDA,
                               NULL, &def.jac_output_lambda_fn) ||
      !nsds_functions_call(m->functions, "bias", ny, 1, &bias))
    return NULL;
  def.ny = ny;
  def.nq = m->nq;
  def.output_fn = h.fn;
  def.bias_fn = bias.fn;
  def.rate_form = nsds_entry_truth(&m->entry, "rate_form");
  def.nz = m->z.n;
  def.z = m->z.value;
  def.user = m->functions;
  return nsds_file_failed(m->entry.file) ? NULL
                                         : nsds_lagrangian_relation(m->entry.file->model, &def);
}

/* ---- first order ---- */

static nsds_relation *relate_first_order_linear(relation_maker *m) {
  nsds_function C, D, B, F, e;
  if (!needs_order(m, true, false) || !find_ny_of_matrix(m, "C", m->nx) || !relation_prepare(m))
    return NULL;
  int ny = m->ny, nx = m->nx;
  if (!nsds_functions_take(m->functions, "C", ny, nx, &C) ||
      !nsds_functions_take(m->functions, "B", nx, ny, &B) ||
      !nsds_functions_take(m->functions, "D", ny, ny, &D) ||
      !nsds_functions_take(m->functions, "e", ny, 1, &e) ||
      !nsds_functions_take(m->functions, "F", ny, m->nz, &F))
    return NULL;
  nsds_first_order_linear_relation_def def = {.name = m->name,
                                              .ny = ny,
                                              .nx = nx,
                                              .nZ = F.given ? m->nz : 0,
                                              .C = C.constant,
                                              .D = D.constant,
                                              .B = B.constant,
                                              .F = F.constant,
                                              .e = e.constant,
                                              .C_fn = C.fn,
                                              .D_fn = D.fn,
                                              .B_fn = B.fn,
                                              .F_fn = F.fn,
                                              .e_fn = e.fn,
                                              .nz = m->z.n,
                                              .z = m->z.value,
                                              .user = m->functions};
  return nsds_file_failed(m->entry.file)
             ? NULL
             : nsds_first_order_linear_relation(m->entry.file->model, &def);
}

static nsds_relation *relate_first_order(relation_maker *m) {
  nsds_function h, g;
  nsds_first_order_relation_def def = {.name = m->name};
  if (!needs_order(m, true, false) || !find_ny(m, "output") || !relation_prepare(m)) return NULL;
  int ny = m->ny, nx = m->nx;
  if (!nsds_functions_call(m->functions, "output", ny, 1, &h) ||
      !nsds_functions_call(m->functions, "input", nx, 1, &g) ||
      !nsds_functions_jacobian(m->functions, "jac_output_x", ny, nx, &h, NSDS_USES_X, nsds_zero,
                               &def.jac_output_x_fn) ||
      !nsds_functions_jacobian(m->functions, "jac_output_lambda", ny, ny, &h, NSDS_USES_LAMBDA,
                               NULL, &def.jac_output_lambda_fn) ||
      !nsds_functions_jacobian(m->functions, "jac_input_lambda", nx, ny, &g, NSDS_USES_LAMBDA,
                               nsds_zero, &def.jac_input_lambda_fn) ||
      !nsds_functions_jacobian(m->functions, "jac_input_x", nx, nx, &g, NSDS_USES_X, NULL,
                               &def.jac_input_x_fn))
    return NULL;
  /* time in h makes a relation of type 2, said by a Jacobian */
  if (!def.jac_output_lambda_fn && (h.uses | g.uses) != ~0u && (h.uses | g.uses) & NSDS_USES_T)
    def.jac_output_lambda_fn = nsds_zero;
  def.ny = ny;
  def.nx = nx;
  def.output_fn = h.fn;
  def.input_fn = g.fn;
  def.nz = m->z.n;
  def.z = m->z.value;
  def.user = m->functions;
  return nsds_file_failed(m->entry.file) ? NULL
                                         : nsds_first_order_relation(m->entry.file->model, &def);
}

/* ---- mixed ---- */

static nsds_relation *relate_mixed_linear(relation_maker *m) {
  nsds_mixed_linear_relation_def def = {.name = m->name};
  nsds_function e;
  if (!find_ny_of_parts(m) || !relation_prepare(m)) return NULL;
  int ny = m->ny, nx = m->nx;
  if (!relation_matrix(m, "C", ny, nx, &def.C) || !relation_matrix(m, "H", ny, m->nq, &def.H) ||
      !relation_matrix(m, "E", ny, m->nv, &def.E) || !relation_matrix(m, "D", ny, ny, &def.D) ||
      !relation_matrix(m, "B", nx, ny, &def.B) || !relation_matrix(m, "L", m->nv, ny, &def.L) ||
      !nsds_functions_take(m->functions, "e", ny, 1, &e))
    return NULL;
  def.ny = ny;
  def.nx = nx;
  def.nq = m->nq;
  def.nv = m->nv;
  def.e = e.constant;
  def.e_fn = e.fn;
  def.nz = m->z.n;
  def.z = m->z.value;
  def.user = m->functions;
  return nsds_file_failed(m->entry.file) ? NULL
                                         : nsds_mixed_linear_relation(m->entry.file->model, &def);
}

static nsds_relation *relate_mixed(relation_maker *m) {
  nsds_mixed_relation_def def = {.name = m->name};
  nsds_function h, g;
  if (!find_ny(m, "output") || !relation_prepare(m)) return NULL;
  int ny = m->ny, nx = m->nx, ng = m->nx + m->nv;
  if (!nsds_functions_call(m->functions, "output", ny, 1, &h) ||
      !nsds_functions_call(m->functions, "input", ng, 1, &g) ||
      !nsds_functions_jacobian(m->functions, "jac_output_x", ny, nx, &h, NSDS_USES_X, nsds_zero,
                               &def.jac_output_x_fn) ||
      !nsds_functions_jacobian(m->functions, "jac_output_q", ny, m->nq, &h, NSDS_USES_Q, nsds_zero,
                               &def.jac_output_q_fn) ||
      !nsds_functions_jacobian(m->functions, "jac_output_v", ny, m->nv, &h, NSDS_USES_V, nsds_zero,
                               &def.jac_output_v_fn) ||
      !nsds_functions_jacobian(m->functions, "jac_output_lambda", ny, ny, &h, NSDS_USES_LAMBDA,
                               NULL, &def.jac_output_lambda_fn) ||
      !nsds_functions_jacobian(m->functions, "jac_input_lambda", ng, ny, &g, NSDS_USES_LAMBDA,
                               nsds_zero, &def.jac_input_lambda_fn) ||
      !nsds_functions_jacobian(m->functions, "jac_input_x", ng, nx, &g, NSDS_USES_X, NULL,
                               &def.jac_input_x_fn) ||
      !nsds_functions_jacobian(m->functions, "jac_input_q", ng, m->nq, &g, NSDS_USES_Q, NULL,
                               &def.jac_input_q_fn) ||
      !nsds_functions_jacobian(m->functions, "jac_input_v", ng, m->nv, &g, NSDS_USES_V, NULL,
                               &def.jac_input_v_fn))
    return NULL;
  if (nx == 0) def.jac_output_x_fn = NULL;
  def.ny = ny;
  def.nx = nx;
  def.nq = m->nq;
  def.nv = m->nv;
  def.output_fn = h.fn;
  def.input_fn = g.fn;
  def.nz = m->z.n;
  def.z = m->z.value;
  def.user = m->functions;
  return nsds_file_failed(m->entry.file) ? NULL : nsds_mixed_relation(m->entry.file->model, &def);
}

/* ---- bodies ---- */

/* Returns 2 if the first system is a body in the plane, else 3; 0 with a message if it is no
 * body. */
static int dimension_of(relation_maker *m) {
  const char *type = m->system[0]->schema->type;
  if (nsds_schema_find(m->entry.schema, "dimension") && nsds_entry_has(&m->entry, "dimension"))
    return nsds_entry_integer(&m->entry, "dimension");
  if (strcmp(type, "rigid_body") == 0) return 3;
  if (strcmp(type, "rigid_body_2d") == 0) return 2;
  nsds_file_fail(m->entry.file, m->place,
                 "the relation of type %s takes rigid bodies; %s is a system of type %s",
                 m->entry.schema->type, m->system[0]->name, type);
  return 0;
}

/* Coordinates of a spring: one of each system. */
static bool check_coordinates(const relation_maker *m) {
  const nsds_entry *e = &m->entry;
  int count = nsds_schema_find(e->schema, "coordinates") ? nsds_entry_rows(e, "coordinates") : -1;
  if (count < 0 || count == m->nds) return true;
  return nsds_file_fail(e->file, nsds_entry_place(e, "coordinates"),
                        "coordinates has %d entries; it needs %d, one for each system", count,
                        m->nds) != NULL;
}

/* Sets the members of a spring that have no rows: its kind, and whether its length is given. */
static void finish_spring(const relation_maker *m, nsds_spring_def *def) {
  def->coordinates = nsds_schema_find(m->entry.schema, "coordinates") != NULL;
  def->rest = nsds_entry_has(&m->entry, "length") ? NSDS_REST_LENGTH : NSDS_REST_PRESENT;
}

static bool is_in_space(const nsds_type *type) {
  for (const nsds_field *f = type->field; f->name; ++f)
    if (f->size && strstr(f->size, "plane")) return true;
  return nsds_schema_find(type, "axis") != NULL;
}

/* Makes a relation of the library's types, whose definition is in the catalogue. */
static nsds_relation *relate(relation_maker *m) {
  const nsds_type *type = m->entry.schema;
  double room[nsds_definition_bytes / sizeof(double)] = {0.0};
  char *def = (char *)room;
  int dimension = is_in_space(type) ? dimension_of(m) : 3;
  if (dimension == 0) return NULL;
  if (type->most_systems && m->nds > type->most_systems)
    return nsds_file_fail(m->entry.file, m->place,
                          "the relation of type %s takes at most %d systems; there are %d",
                          type->type, type->most_systems, m->nds);
  if (!check_coordinates(m) || !nsds_entry_define(&m->entry, dimension, def)) return NULL;
  const nsds_field *plane = nsds_schema_find(type, "dimension");
  if (plane) memcpy(def + plane->offset, &dimension, sizeof dimension);
  if (strcmp(type->call, "nsds_spring") == 0) finish_spring(m, (nsds_spring_def *)(void *)def);
  memcpy(def + type->name_at, &m->name, sizeof m->name);
  if (type->most_systems) memcpy(def + type->systems_at, m->ds, (size_t)m->nds * sizeof *m->ds);
  return type->make(m->entry.file->model, def);
}

/* ---- all types ---- */

/* Makes a relation: by functions of the file, or from a definition. */
static nsds_relation *make_relation(relation_maker *m) {
  static const struct {
    const char *type;
    nsds_relation *(*make)(relation_maker *maker);
  } of_functions[] = {{"lagrangian_linear", relate_lagrangian_linear},
                      {"lagrangian", relate_lagrangian},
                      {"first_order_linear", relate_first_order_linear},
                      {"first_order", relate_first_order},
                      {"mixed_linear", relate_mixed_linear},
                      {"mixed", relate_mixed}};
  for (size_t k = 0; k < sizeof of_functions / sizeof *of_functions; ++k)
    if (strcmp(of_functions[k].type, m->entry.schema->type) == 0) return of_functions[k].make(m);
  return relate(m);
}

/* ---- interactions ---- */

/* The parts of an interaction that is made. */
typedef struct interaction_edge {
  nsds_entry entry;
  const char *name;
  int nds;
  const nsds_named **system;
  nsds_ds **ds;
} interaction_edge;

static bool find_systems(interaction_edge *g) {
  nsds_model_file *file = g->entry.file;
  g->nds = nsds_entry_names(&g->entry, "systems");
  if (g->nds > most_together)
    return nsds_file_fail(file, nsds_entry_place(&g->entry, "systems"),
                          "an interaction has at most %d systems", most_together) != NULL;
  g->system = nsds_file_memory(file, (size_t)g->nds, sizeof *g->system);
  g->ds = nsds_file_memory(file, (size_t)g->nds, sizeof *g->ds);
  for (int k = 0; g->system && g->ds && k < g->nds; ++k) {
    g->system[k] =
        nsds_file_find(file, nsds_entry_name(&g->entry, "systems", k), NSDS_NAMED_SYSTEM);
    if (!g->system[k]) return false;
    g->ds[k] = g->system[k]->ds;
  }
  return g->system && g->ds;
}

static void add_sizes(const interaction_edge *g, relation_maker *m) {
  m->nds = g->nds;
  m->system = g->system;
  m->ds = g->ds;
  for (int k = 0; k < g->nds; ++k) {
    m->nq += nsds_nq(g->ds[k]);
    m->nv += nsds_nv(g->ds[k]);
    m->nx += nsds_nx(g->ds[k]);
    m->nz += g->system[k]->nz;
  }
}

/* Finds the map of an interaction's relation: its own, or that of a name under relations. */
static bool find_relation(const interaction_edge *g, nsds_entry *entry) {
  const nsds_yaml *node = nsds_entry_node(&g->entry, "relation");
  nsds_model_file *file = g->entry.file;
  if (node->kind == NSDS_YAML_MAP) {
    *entry = nsds_entry_object(&g->entry, "relation");
    return true;
  }
  const nsds_named *shared = nsds_file_find(file, node, NSDS_NAMED_RELATION);
  if (shared) *entry = (nsds_entry){file, shared->schema, shared->node};
  return shared != NULL;
}

/* Returns the relation of an interaction: made here, or found by its name, and made if it is not
 * yet. */
static nsds_relation *take_relation(interaction_edge *g, const nsds_entry *entry,
                                    nsds_named **shared) {
  const nsds_yaml *node = nsds_entry_node(&g->entry, "relation");
  nsds_model_file *file = g->entry.file;
  *shared = node->kind == NSDS_YAML_MAP ? NULL : nsds_file_find(file, node, NSDS_NAMED_RELATION);
  if (*shared && !entry->schema->own && (*shared)->relation) return (*shared)->relation;
  relation_maker m = {
      .entry = *entry, .name = *shared ? (*shared)->name : g->name, .place = g->entry.node};
  add_sizes(g, &m);
  nsds_relation *relation = make_relation(&m);
  if (nsds_file_call_failed(file, entry->node)) return NULL;
  if (*shared && !entry->schema->own) {
    (*shared)->relation = relation;
    (*shared)->nz = m.z.n;
    (*shared)->z_name = m.z.name;
  }
  return relation;
}

/* The law of an interaction: said, or an equality where the type of the relation has one. */
static nsds_law *interaction_law(const interaction_edge *g, const nsds_entry *relation) {
  const nsds_entry *entry = &g->entry;
  if (nsds_entry_has(entry, "law")) return nsds_law_read(entry, "law");
  if (relation->schema->equality) return nsds_equality(entry->file->model);
  return nsds_file_fail(entry->file, entry->node,
                        "an interaction with a relation of type %s needs the key law",
                        relation->schema->type);
}

/* Couplers connect themselves. */
static nsds_interaction *couple(const interaction_edge *g, const nsds_entry *relation) {
  if (nsds_entry_has(&g->entry, "law"))
    return nsds_file_fail(g->entry.file, nsds_entry_place(&g->entry, "law"),
                          "a coupler has a law of its own; valid is a coupler without the key law");
  return nsds_coupler_read(relation, g->name, g->nds, g->system);
}

/* Connects the systems. `own` is the relation if it is that of this interaction alone. */
static nsds_interaction *connect_systems(interaction_edge *g, const nsds_entry *entry,
                                         nsds_relation **own) {
  nsds_named *shared;
  nsds_relation *relation = take_relation(g, entry, &shared);
  nsds_law *law = relation ? interaction_law(g, entry) : NULL;
  if (!law) return NULL;
  *own = shared && !entry->schema->own ? NULL : relation;
  nsds_interaction *interaction = nsds_connect(g->entry.file->model, relation, law, g->nds, g->ds);
  nsds_interaction_set_name(interaction, g->name);
  return interaction;
}

static nsds_file_z parameters_of(const nsds_entry *relation) {
  if (nsds_schema_find(relation->schema, "z")) return nsds_entry_z(relation, "z");
  bool drive = strcmp(relation->schema->type, "joint_drive") == 0;
  return drive ? (nsds_file_z){.n = NSDS_DRIVE_SETTINGS, .name = nsds_drive_names()}
               : (nsds_file_z){0};
}

static bool make_interaction(const nsds_entry *entry, const char *name, int index) {
  interaction_edge g = {.entry = *entry, .name = name};
  nsds_entry relation;
  nsds_relation *own = NULL;
  nsds_model_file *file = entry->file;
  if (!find_systems(&g) || !find_relation(&g, &relation)) return false;
  nsds_interaction *interaction = strcmp(relation.schema->type, "coupler") == 0
                                      ? couple(&g, &relation)
                                      : connect_systems(&g, &relation, &own);
  if (nsds_file_call_failed(file, entry->node) || !interaction) return false;
  nsds_file_z z = own ? parameters_of(&relation) : (nsds_file_z){0};
  nsds_named named = {.kind = NSDS_NAMED_INTERACTION,
                      .name = name,
                      .schema = relation.schema,
                      .node = entry->node,
                      .index = index,
                      .interaction = interaction,
                      .nz = z.n,
                      .z_name = z.name,
                      .own_relation = own};
  if (!nsds_file_add(file, &named)) return false;
  relation_maker m = {.entry = relation, .place = entry->node, .system = g.system};
  return !nsds_entry_object(entry, "acts").node ||
         nsds_actions_make(entry, name, index, &relation, dimension_of(&m), g.nds, g.ds);
}

static bool note_relations(const nsds_entry *root) {
  const nsds_yaml *map = nsds_entry_node(root, "relations");
  for (int k = 0; map && k < map->count; ++k) {
    const char *name = map->key[k]->text;
    if (nsds_file_is_doubtful(root->file, name)) continue;
    nsds_entry e = nsds_entry_at(root, "relations", k);
    if (!nsds_file_add(root->file, &(nsds_named){.kind = NSDS_NAMED_RELATION,
                                                 .name = name,
                                                 .schema = e.schema,
                                                 .node = e.node}) &&
        !nsds_file_go_on_without(root->file, name))
      return false;
  }
  return true;
}

/* An interaction of the file, or all that its key repeat makes. */
static bool make_interactions_of_name(const nsds_entry *entry, const char *text) {
  nsds_model_file *file = entry->file;
  int count = nsds_entry_has(entry, "repeat") ? nsds_entry_integer(entry, "repeat") : -1;
  bool made = !nsds_file_failed(file);
  for (int i = 0; made && i < (count < 0 ? 1 : count); ++i) {
    const char *name = nsds_file_instance(file, text, count < 0 ? -1 : i);
    made = name && make_interaction(entry, name, i);
    file->index = NAN;
  }
  return made;
}

bool nsds_interactions_make(const nsds_entry *root) {
  const nsds_yaml *map = nsds_entry_node(root, "interactions");
  nsds_model_file *file = root->file;
  if (!note_relations(root)) return false;
  for (int k = 0; map && k < map->count; ++k) {
    const char *name = map->key[k]->text;
    if (nsds_file_is_doubtful(file, name)) continue;
    nsds_entry entry = nsds_entry_at(root, "interactions", k);
    if (!make_interactions_of_name(&entry, name) && !nsds_file_go_on_without(file, name))
      return false;
  }
  return true;
}
