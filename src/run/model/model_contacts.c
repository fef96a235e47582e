/*
 * Contact sets of a model file, see model_contacts.h. Scenery comes first in a set of shapes, then
 * the shapes of bodies in the order of the bodies.
 */
#include "run/model/model_contacts.h"

#include "run/model/model_define.h"
#include "run/model/model_laws.h"
#include "run/model/model_shapes.h"

#include <math.h>
#include <string.h>

/* ---- bodies ---- */

static bool is_rigid_body(const nsds_named *n) {
  return n->kind == NSDS_NAMED_SYSTEM && strncmp(n->schema->type, "rigid_body", 10) == 0;
}

/* Tells if "name" is all of a name, or the part before its index; "name[*]" says the same. */
static bool is_instance(const char *full, const char *name) {
  size_t size = strlen(name);
  if (size > 3 && strcmp(name + size - 3, "[*]") == 0) {
    size -= 3;
    return strncmp(full, name, size) == 0 && full[size] == '[';
  }
  return strncmp(full, name, size) == 0 && (full[size] == '\0' || full[size] == '[');
}

/* Bodies by names; the name of repeated ones stands for all of them. NULL with a message. */
static const nsds_named **find_bodies(const nsds_entry *e, int *count) {
  nsds_model_file *file = e->file;
  const nsds_named **all = nsds_file_memory(file, (size_t)file->nnamed, sizeof *all);
  *count = 0;
  for (int k = 0; all && k < nsds_entry_names(e, "bodies"); ++k) {
    const nsds_yaml *node = nsds_entry_name(e, "bodies", k);
    int before = *count;
    for (int n = 0; n < file->nnamed && *count < file->nnamed; ++n)
      if (file->named[n].kind == NSDS_NAMED_SYSTEM && is_instance(file->named[n].name, node->text))
        all[(*count)++] = &file->named[n];
    const nsds_named *one = *count == before ? nsds_file_find(file, node, NSDS_NAMED_SYSTEM) : NULL;
    if (*count == before && !one) return NULL;
    if (one && *count < file->nnamed) all[(*count)++] = one;
  }
  return all;
}

static nsds_ds **handles(nsds_model_file *file, const nsds_named *const *bodies, int count) {
  nsds_ds **ds = nsds_file_memory(file, (size_t)count, sizeof(nsds_ds *));
  for (int k = 0; ds && k < count; ++k) ds[k] = bodies[k]->ds;
  return ds;
}

/* ---- shapes ---- */

nsds_material *nsds_contacts_materials(const nsds_entry *e, int *count) {
  *count = nsds_entry_count(e, "materials");
  nsds_material *all = nsds_file_memory(e->file, (size_t)*count, sizeof *all);
  for (int k = 0; all && k < *count; ++k) {
    nsds_entry m = nsds_entry_at(e, "materials", k);
    nsds_entry_define(&m, 3, &all[k]);
  }
  return all;
}

/* Coefficients of two materials, by keys of the file. */
typedef struct material_pair {
  const nsds_material *a, *b;
  nsds_entry entry;
} material_pair;

typedef struct material_pairs {
  int count;
  const material_pair *item;
} material_pairs;

/* Changes the coefficients of a pair of materials to those of the file; see nsds_mix_fn. */
static void mix_by_file(const nsds_material *a, const nsds_material *b, nsds_material *pair,
                        void *user) {
  const material_pairs *all = user;
  for (int k = 0; k < all->count; ++k) {
    const material_pair *p = &all->item[k];
    if ((p->a != a || p->b != b) && (p->a != b || p->b != a)) continue;
    const nsds_entry *e = &p->entry;
    if (nsds_entry_has(e, "mu")) pair->mu = nsds_entry_number(e, "mu");
    if (nsds_entry_has(e, "mu_rolling")) pair->mu_rolling = nsds_entry_number(e, "mu_rolling");
    if (nsds_entry_has(e, "e_n")) pair->e_n = nsds_entry_number(e, "e_n");
    if (nsds_entry_has(e, "e_t")) pair->e_t = nsds_entry_number(e, "e_t");
  }
}

/* Lets the set mix its materials by the pairs of the file; false with a message. */
static bool read_material_pairs(const nsds_entry *e, nsds_shapes_def *def) {
  nsds_model_file *file = e->file;
  int count = nsds_entry_count(e, "material_pairs");
  if (count == 0) return true;
  material_pair *item = nsds_file_memory(file, (size_t)count, sizeof *item);
  material_pairs *all = nsds_file_memory(file, 1, sizeof *all);
  if (!item || !all) return false;
  for (int k = 0; k < count; ++k) {
    nsds_entry one = nsds_entry_at(e, "material_pairs", k);
    double of[2];
    if (nsds_entry_fill(&one, "materials", of, 2, 2) != 2) return false;
    for (int i = 0; i < 2; ++i)
      if (!(of[i] >= 0.0 && of[i] < def->nmaterial && of[i] == floor(of[i])))
        return nsds_file_fail(file, nsds_entry_place(&one, "materials"),
                              "a pair names the material %g; valid are 0 to %d", of[i],
                              def->nmaterial - 1) != NULL;
    item[k] = (material_pair){&def->material[(int)of[0]], &def->material[(int)of[1]], one};
  }
  *all = (material_pairs){count, item};
  def->mix_fn = mix_by_file;
  def->user = all;
  return true;
}

static bool is_drawn_only(const nsds_entry *shape) { return nsds_entry_truth(shape, "drawn_only"); }

/* Reads the scenery of a contact set: the shapes that meet bodies, or those that are drawn only. Returns
 * their number, -1 after a failure. */
static int read_scenery(const nsds_entry *e, int dimension, bool drawn_only,
                        nsds_shape_def *array) {
  int count = 0;
  for (int k = 0; k < nsds_entry_count(e, "scenery"); ++k) {
    nsds_entry one = nsds_entry_at(e, "scenery", k);
    if (is_drawn_only(&one) != drawn_only) continue;
    if (array && !nsds_shape_read(&one, dimension, &array[count])) return -1;
    ++count;
  }
  return count;
}

int nsds_contacts_scenery(const nsds_entry *e, int dimension, nsds_shape_def *array) {
  return read_scenery(e, dimension, false, array);
}

/* Tells if a shape of a body belongs to its contact set, or to the shapes that no set has. */
static bool takes_shape(const nsds_named *body, const nsds_entry *shape, bool for_set) {
  bool meets = !is_drawn_only(shape);
  return for_set ? meets : !meets || !body->in_contact_set;
}

/* Reads the shapes of a body that have contacts, or those that no set has. The set receives them, or
 * the array. */
static bool add_shapes(nsds_contact_set *set, bool for_set, const nsds_named *body, int dimension,
                       nsds_model_file *file, nsds_shape_def *array) {
  nsds_entry e = {file, body->schema, body->node};
  int count = 0;
  file->index = strchr(body->name, '[') ? (double)body->index : (double)NAN;
  bool fine = true;
  for (int k = 0; fine && k < nsds_entry_count(&e, "shapes"); ++k) {
    nsds_entry one = nsds_entry_at(&e, "shapes", k);
    nsds_shape_def shape;
    if (!takes_shape(body, &one, for_set)) continue;
    fine = nsds_shape_read(&one, dimension, &shape);
    if (!fine) break;
    shape.ds = body->ds;
    if (body->center) nsds_center_shapes(1, &shape, body->center);
    if (set) nsds_shapes_add(set, &shape);
    else array[count++] = shape;
    fine = !nsds_file_call_failed(file, one.node);
  }
  file->index = NAN;
  return fine;
}

/* All bodies of the file that have shapes. */
static const nsds_named **shaped_bodies(const nsds_entry *e, int *count) {
  const nsds_named **all = nsds_file_memory(e->file, (size_t)e->file->nnamed, sizeof *all);
  *count = 0;
  for (int k = 0; all && k < e->file->nnamed; ++k) {
    const nsds_named *n = &e->file->named[k];
    if (is_rigid_body(n) && nsds_yaml_find(n->node, "shapes")) all[(*count)++] = n;
  }
  return all;
}

/* Excludes pairs of bodies; a body alone passes through the scenery. */
static bool exclude_pairs(const nsds_entry *e, nsds_contact_set *set) {
  nsds_model_file *file = e->file;
  for (int k = 0; k < nsds_entry_count(e, "exclude"); ++k) {
    nsds_entry one = nsds_entry_at(e, "exclude", k);
    const nsds_named *body[2] = {NULL, NULL};
    int count = nsds_entry_names(&one, "bodies");
    if (count < 1 || count > 2)
      return nsds_file_fail(file, one.node, "exclude has %d bodies; valid are 1 and 2", count) !=
             NULL;
    for (int i = 0; i < count; ++i) {
      body[i] = nsds_file_find(file, nsds_entry_name(&one, "bodies", i), NSDS_NAMED_SYSTEM);
      if (!body[i]) return false;
    }
    nsds_shapes_exclude(set, body[0]->ds, body[1] ? body[1]->ds : NULL);
    if (nsds_file_call_failed(file, one.node)) return false;
  }
  return true;
}

static nsds_contact_set *make_shapes(const nsds_entry *e, const char *name) {
  nsds_model_file *file = e->file;
  nsds_shapes_def def = {.name = name};
  nsds_entry_define(e, 3, &def);
  if (nsds_entry_has(e, "law") && !(def.law = nsds_law_read(e, "law"))) return NULL;
  def.material = nsds_contacts_materials(e, &def.nmaterial);
  if (!read_material_pairs(e, &def)) return NULL;
  def.nshape = read_scenery(e, def.dimension, false, NULL);
  nsds_shape_def *scenery = nsds_file_memory(file, (size_t)def.nshape, sizeof *scenery);
  if (!scenery || read_scenery(e, def.dimension, false, scenery) < 0) return NULL;
  def.shape = scenery;
  int count;
  const nsds_named **bodies =
      nsds_entry_has(e, "bodies") ? find_bodies(e, &count) : shaped_bodies(e, &count);
  if (!bodies || nsds_file_failed(file)) return NULL;
  nsds_contact_set *set = nsds_shapes(file->model, &def);
  for (int k = 0; set && k < count; ++k) {
    if (strcmp(bodies[k]->schema->type, def.dimension == 2 ? "rigid_body_2d" : "rigid_body") != 0)
      return nsds_file_fail(file, e->node,
                            "the contact set has bodies of type %s; %s is of type %s",
                            def.dimension == 2 ? "rigid_body_2d" : "rigid_body", bodies[k]->name,
                            bodies[k]->schema->type);
    if (!add_shapes(set, true, bodies[k], def.dimension, file, NULL)) return NULL;
    file->named[bodies[k] - file->named].in_contact_set = true;
  }
  if (set && !exclude_pairs(e, set)) return NULL;
  return set;
}

/* Puts the shapes of a body that have contacts, or that no set has, into an array, or counts them alone.
 * Returns their number, -1 after a failure. */
static int shapes_of_body(nsds_model_file *file, const nsds_named *n, bool for_set,
                          nsds_shape_def *array) {
  int count = 0;
  if (!is_rigid_body(n) || !nsds_yaml_find(n->node, "shapes")) return 0;
  nsds_entry e = {file, n->schema, n->node};
  for (int k = 0; k < nsds_entry_count(&e, "shapes"); ++k) {
    nsds_entry one = nsds_entry_at(&e, "shapes", k);
    count += takes_shape(n, &one, for_set);
  }
  int dimension = strcmp(n->schema->type, "rigid_body_2d") == 0 ? 2 : 3;
  bool read = !array || count == 0 || add_shapes(NULL, for_set, n, dimension, file, array);
  return read ? count : -1;
}

int nsds_contacts_of_body(nsds_model_file *file, const nsds_named *body, nsds_shape_def *array) {
  return shapes_of_body(file, body, true, array);
}

/* The same for the scenery of a contact set. */
static int left_of_set(nsds_model_file *file, const nsds_named *n, nsds_shape_def *array) {
  if (n->kind != NSDS_NAMED_SET || strcmp(n->schema->type, "shapes") != 0) return 0;
  nsds_entry e = {file, n->schema, n->node};
  nsds_shapes_def def = {.name = NULL};
  nsds_entry_define(&e, 3, &def);
  return read_scenery(&e, def.dimension, true, array);
}

nsds_shape_def *nsds_contacts_left_shapes(nsds_model_file *file, int *count) {
  nsds_shape_def *all = NULL;
  *count = 0;
  for (int pass = 0; pass < 2; ++pass) {
    int total = 0;
    for (int k = 0; k < file->nnamed; ++k) {
      const nsds_named *n = &file->named[k];
      int body = shapes_of_body(file, n, false, all ? all + total : NULL);
      int shapes = body + left_of_set(file, n, all ? all + total + body : NULL);
      if (shapes < body || body < 0) return NULL;
      total += shapes;
    }
    if (total == 0) return NULL;
    if (!pass && !(all = nsds_file_memory(file, (size_t)total, sizeof *all))) return NULL;
    *count = pass ? total : 0;
  }
  return all;
}

/* ---- spheres and balls ---- */

static const nsds_plane *read_planes(const nsds_entry *e, int *count) {
  *count = nsds_entry_count(e, "planes");
  nsds_plane *all = nsds_file_memory(e->file, (size_t)*count, sizeof *all);
  for (int k = 0; all && k < *count; ++k) {
    nsds_entry p = nsds_entry_at(e, "planes", k);
    nsds_entry_define(&p, 3, &all[k]);
  }
  return all;
}

static nsds_contact_set *make_spheres(const nsds_entry *e, const char *name) {
  nsds_model_file *file = e->file;
  nsds_spheres_def def = {.name = name};
  nsds_entry_define(e, 3, &def);
  def.plane = read_planes(e, &def.nplane);
  const nsds_named **bodies = find_bodies(e, &def.count);
  if (!bodies || !def.plane) return NULL;
  int radii;
  const double *radius = nsds_entry_vector(e, "radius", -1, &radii);
  if (nsds_file_failed(file) || !radius || !(def.law = nsds_law_read(e, "law"))) return NULL;
  if (radii != 1 && radii != def.count)
    return nsds_file_fail(file, nsds_entry_place(e, "radius"),
                          "radius has %d entries; valid are 1 and the number of bodies, %d", radii,
                          def.count);
  def.ds = handles(file, bodies, def.count);
  def.radius = radius[0];
  def.radii = radii == 1 ? NULL : radius;
  return def.ds ? nsds_spheres(file->model, &def) : NULL;
}

static nsds_contact_set *make_balls(const nsds_entry *e, const char *name) {
  nsds_model_file *file = e->file;
  nsds_balls_def def = {.name = name};
  if (!nsds_entry_define(e, 3, &def)) return NULL;
  const nsds_named **bodies = find_bodies(e, &def.count);
  if (!bodies || nsds_file_failed(file) || !(def.law = nsds_law_read(e, "law"))) return NULL;
  def.ds = handles(file, bodies, def.count);
  return def.ds ? nsds_balls(file->model, &def) : NULL;
}

static bool make_contact_set(const nsds_entry *e, const char *name) {
  nsds_model_file *file = e->file;
  nsds_contact_set *set = strcmp(e->schema->type, "shapes") == 0    ? make_shapes(e, name)
                          : strcmp(e->schema->type, "spheres") == 0 ? make_spheres(e, name)
                                                                    : make_balls(e, name);
  if (nsds_file_call_failed(file, e->node) || !set) return false;
  return nsds_file_add(file, &(nsds_named){.kind = NSDS_NAMED_SET,
                                           .name = name,
                                           .schema = e->schema,
                                           .node = e->node,
                                           .set = set}) != NULL;
}

bool nsds_contacts_make(const nsds_entry *root) {
  const nsds_yaml *map = nsds_entry_node(root, "contacts");
  nsds_model_file *file = root->file;
  for (int k = 0; map && k < map->count; ++k) {
    const char *name = map->key[k]->text;
    if (nsds_file_is_doubtful(file, name)) continue;
    nsds_entry e = nsds_entry_at(root, "contacts", k);
    if (!make_contact_set(&e, name) && !nsds_file_go_on_without(file, name)) return false;
  }
  return true;
}
