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
  nsds_sizes sizes; /* of all systems together; nz with the relation's own */
  nsds_file_z z;
  nsds_functions *functions;
} relation_maker;

/* ---- parts ---- */

/* The size of y: said, or the rows of a key. A list of numbers is one row of a matrix, or one column
 * if only one is wanted. */
static bool find_ny(relation_maker *m, const nsds_field *f) {
  const nsds_entry *e = &m->entry;
  const nsds_yaml *node = nsds_entry_node(e, f->name);
  bool said = nsds_schema_find(e->schema, "ny") && nsds_entry_has(e, "ny");
  bool row = strstr(f->size, " x ") && node && node->kind == NSDS_YAML_LIST && node->count &&
             node->item[0]->kind == NSDS_YAML_SCALAR && nsds_size_columns(f->size, &m->sizes) != 1;
  m->sizes.ny = said ? nsds_entry_integer(e, "ny") : row ? 1 : nsds_entry_rows(e, f->name);
  if (m->sizes.ny > 0) return !nsds_file_failed(e->file);
  const char *key = nsds_entry_has(e, f->name) ? f->name : "ny";
  return nsds_file_fail(e->file, nsds_entry_place(e, key), "the size of y is not known; say ny") !=
         NULL;
}

/* Returns true for a row that tells the size of y: a part of y, over the systems. */
static bool tells_ny(const nsds_field *f) {
  bool part = f->kind == NSDS_FIELD_FUNCTION || f->kind == NSDS_FIELD_MATRIX;
  return part && f->bytes && strncmp(f->size, "ny", 2) == 0 && strcmp(f->size, "ny x ny") != 0 &&
         strcmp(f->size, "ny x nz") != 0;
}

/* Finds the size of y from the first part of y that is given. */
static bool find_size_of_y(relation_maker *m) {
  const nsds_field *f = m->entry.schema->field, *first = NULL;
  for (; f->name; ++f) {
    if (!tells_ny(f)) continue;
    if (nsds_entry_has(&m->entry, f->name)) return find_ny(m, f);
    if (!first) first = f;
  }
  return first && find_ny(m, first);
}

static bool relation_prepare(relation_maker *m) {
  m->z = nsds_entry_z(&m->entry, "z");
  m->sizes.nz += m->z.n;
  nsds_arguments_shape shape = {.nq = m->sizes.nq,
                                .nv = m->sizes.nv,
                                .nx = m->sizes.nx,
                                .nlambda = m->sizes.ny,
                                .own = m->z,
                                .nsystem = m->nds,
                                .system = m->system};
  m->functions = nsds_functions_create(&m->entry, &shape);
  return m->functions != NULL;
}

/* Refuses systems of an order whose sizes the relation does not have. */
static bool takes_orders(const relation_maker *m) {
  const nsds_type *type = m->entry.schema;
  for (int k = 0; k < m->nds; ++k)
    if (!(m->system[k]->second_order ? type->nq_at : type->nx_at))
      return nsds_file_fail(m->entry.file, m->place,
                            "the relation of type %s takes %s-order systems; %s is of %s order",
                            type->type, type->nx_at ? "first" : "second", m->system[k]->name,
                            m->system[k]->second_order ? "second" : "first") != NULL;
  return true;
}

static void put_size(char *def, size_t at, int size) {
  if (at) memcpy(def + at, &size, sizeof size);
}

/* Time in h or g makes a relation of type 2, which a Jacobian says. */
static void finish_first_order(unsigned uses, nsds_first_order_relation_def *def) {
  if (!def->jac_output_lambda_fn && uses != ~0u && uses & NSDS_USES_T)
    def->jac_output_lambda_fn = nsds_zero;
}

/* Makes a relation between any systems, whose sizes are theirs. */
static nsds_relation *relate_systems(relation_maker *m) {
  const nsds_type *type = m->entry.schema;
  const nsds_field *z = nsds_schema_find(type, "z");
  double room[nsds_definition_bytes / sizeof(double)] = {0.0};
  char *def = (char *)room;
  unsigned uses = 0;
  if (!takes_orders(m) || !find_size_of_y(m) || !relation_prepare(m) ||
      !nsds_entry_define(&m->entry, 3, def) ||
      !nsds_functions_define(m->functions, &m->sizes, def, &uses))
    return NULL;
  put_size(def, type->ny_at, m->sizes.ny);
  put_size(def, type->nx_at, m->sizes.nx);
  put_size(def, type->nq_at, m->sizes.nq);
  put_size(def, type->nv_at, m->sizes.nv);
  memcpy(def + type->name_at, &m->name, sizeof m->name);
  memcpy(def + z->offset, &m->z.value, sizeof m->z.value);
  memcpy(def + z->count, &m->z.n, sizeof m->z.n);
  if (type->user_at) memcpy(def + type->user_at, &m->functions, sizeof m->functions);
  if (strcmp(type->type, "first_order") == 0)
    finish_first_order(uses, (nsds_first_order_relation_def *)(void *)def);
  return nsds_file_failed(m->entry.file) ? NULL : type->make(m->entry.file->model, def);
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
    m->sizes.nq += nsds_nq(g->ds[k]);
    m->sizes.nv += nsds_nv(g->ds[k]);
    m->sizes.nx += nsds_nx(g->ds[k]);
    m->sizes.nz += g->system[k]->nz;
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
  nsds_relation *relation = entry->schema->ny_at ? relate_systems(&m) : relate(&m);
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
