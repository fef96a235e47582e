/*
 * Contact sets of shapes: creation, changes of shapes, and reading. A set keeps its shapes by
 * number. After changes the data of the search are listed anew. Memory is reserved here; a search
 * reserves none, except for more contacts than ever before.
 */
#include "kernel/contact/shapes.h"

#include "base/base.h"
#include "base/context.h"
#include "base/text/field_rows.h"
#include "kernel/contact/collide.h"
#include "kernel/contact/exclude.h"
#include "kernel/contact/grid.h"
#include "kernel/contact/material.h"
#include "kernel/contact/shape_find.h"
#include "kernel/contact/shape_follow.h"
#include "kernel/contact/shape_make.h"
#include "kernel/contact/shape_types.h"
#include "kernel/modeling/busy.h"
#include "kernel/modeling/check.h"
#include "kernel/modeling/contact_set.h"
#include "kernel/modeling/definition.h"
#include "kernel/modeling/handle.h"
#include "kernel/modeling/label.h"
#include "kernel/modeling/modeling.h"

#include <stdio.h>

static const char type[] = "nsds_shapes";

static void shapes_destroy(void *self) {
  nsds_shape_set *s = self;
  nsds_context *context = s->model->context;
  for (int k = 0; k < s->solids.n; ++k) nsds_solid_release(context, s->solids.item[k]);
  nsds_grid_release(&s->moving.grid, context);
  nsds_grid_release(&s->still.grid, context);
  nsds_shape_tree_release(&s->moving.tree, context);
  nsds_shape_tree_release(&s->still.tree, context);
  void *arrays[] = {s->pair_law,
                    s->solids.item,
                    s->moving.piece,
                    s->still.piece,
                    s->plane,
                    s->bodies.pose,
                    s->bodies.of,
                    s->last.followed,
                    s->excluded.pair,
                    s->collision.corner[0],
                    s->collision.corner[1],
                    s->collision.spot,
                    s};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; ++k) nsds_release(context, arrays[k]);
}

static int shapes_count_shapes(void *self) { return ((nsds_shape_set *)self)->solids.n; }

static void shapes_show_shape(void *self, int k, nsds_shape_info *shape) {
  *shape = ((nsds_shape_set *)self)->solids.item[k]->shape;
}

/* Asks for a new search because shapes have come or gone. */
static void shapes_restart(nsds_shape_set *s) {
  nsds_shape_set_go_stale(s);
  ++s->model->now.change;
}

/* Updates the set after the places of bodies in the model have changed. */
static void shapes_forget(void *self, const nsds_ds *gone) {
  nsds_forget_excluded(self, nsds_ds_of(gone));
  shapes_restart(self);
}

static const nsds_geometry_ops ops = {.type = type,
                                      .find = nsds_shapes_find,
                                      .output = nsds_shapes_output,
                                      .gradient_v = nsds_shapes_gradient,
                                      .bias = nsds_shapes_bias,
                                      .reach = nsds_shapes_reach,
                                      .travel = nsds_shapes_travel,
                                      .place = nsds_shapes_place,
                                      .shape_count = shapes_count_shapes,
                                      .shape = shapes_show_shape,
                                      .forget = shapes_forget,
                                      .destroy = shapes_destroy};

/* Reserves `count` entries in an array with the length of others. */
static nsds_status shapes_resize(nsds_context *context, void *array, size_t old, size_t count,
                                 size_t size) {
  size_t capacity = old;
  return nsds_grow_array(context, "shapes", array, &capacity, count, size);
}

static size_t enough(size_t capacity, size_t wanted) {
  size_t grown = nsds_grown(capacity);
  return wanted <= capacity ? capacity : wanted < grown ? grown : wanted;
}

static nsds_status reserve_solids(nsds_shape_set *s) {
  nsds_context *context = s->model->context;
  size_t old = s->solids.capacity, wanted = enough(old, (size_t)s->solids.n + 1);
  if (wanted == old) return NSDS_OK;
  nsds_status status = shapes_resize(context, &s->solids.item, old, wanted, sizeof *s->solids.item);
  if (!status) status = shapes_resize(context, &s->plane, old, wanted, sizeof *s->plane);
  if (!status)
    status = shapes_resize(context, &s->bodies.pose, old, wanted, sizeof *s->bodies.pose);
  if (!status) s->solids.capacity = wanted;
  return status;
}

static nsds_status reserve_crowd(nsds_shape_set *s, nsds_crowd *crowd, int more) {
  nsds_context *context = s->model->context;
  size_t old = crowd->capacity, wanted = enough(old, crowd->wanted + (size_t)more);
  nsds_grid grid;
  if (wanted == old) return NSDS_OK;
  nsds_status status = shapes_resize(context, &crowd->piece, old, wanted, sizeof *crowd->piece);
  if (status) return status;
  if (nsds_grid_create(&grid, context, (int)wanted)) {
    nsds_grid_release(&grid, context);
    return NSDS_ERROR_MEMORY;
  }
  nsds_grid_release(&crowd->grid, context);
  crowd->grid = grid;
  crowd->capacity = wanted;
  shapes_restart(s);
  return NSDS_OK;
}

static nsds_crowd *crowd_of(nsds_shape_set *s, const nsds_solid *solid) {
  return solid->shape.ds ? &s->moving : &s->still;
}

/* Reserves memory to clip faces with `most` vertices. */
static nsds_status reserve_collision(nsds_shape_set *s, int most) {
  nsds_context *context = s->model->context;
  nsds_collision *c = &s->collision;
  size_t room = (size_t)nsds_collision_room(most), old = (size_t)c->room;
  if (room <= old) return NSDS_OK;
  nsds_status status = shapes_resize(context, &c->corner[0], old, room, sizeof *c->corner[0]);
  if (!status) status = shapes_resize(context, &c->corner[1], old, room, sizeof *c->corner[1]);
  if (!status) status = shapes_resize(context, &c->spot, old, room, sizeof *c->spot);
  if (!status) c->room = (int)room;
  return status;
}

static nsds_status shapes_reserve(nsds_shape_set *s, const nsds_solid *solid) {
  int most = 2;
  for (int k = 0; k < solid->count; ++k)
    for (int f = 0; f < solid->core[k].nf; ++f) {
      int count = solid->core[k].first[f + 1] - solid->core[k].first[f];
      most = count > most ? count : most;
    }
  nsds_status status = reserve_solids(s);
  if (!status) status = reserve_crowd(s, crowd_of(s, solid), solid->count);
  if (!status) status = reserve_collision(s, most);
  size_t systems = (size_t)nsds_ds_count(s->model);
  if (!status)
    status = nsds_grow(s->model->context, &s->bodies.of, &s->bodies.capacity, systems,
                       sizeof *s->bodies.of);
  return status;
}

static int shapes_add(nsds_shape_set *s, const char *call, const char *field,
                      const nsds_shape_def *def) {
  nsds_solid *solid = nsds_solid_create(s, call, field, def);
  if (!solid) return -1;
  if (shapes_reserve(s, solid)) {
    nsds_solid_release(s->model->context, solid);
    return -1;
  }
  solid->shape.number = s->solids.next_id++;
  s->solids.item[s->solids.n++] = solid;
  crowd_of(s, solid)->wanted += (size_t)solid->count;
  shapes_restart(s);
  return solid->shape.number;
}

/* ---- public ---------------------------------------------------------------------------------- */

MAKER(nsds_shapes, nsds_shapes_def)

#define DEF nsds_shapes_def
const nsds_type nsds_shapes_type = {
    .type = "shapes",
    .help = "Contacts of the shapes of bodies, with each other and with scenery.",
    .field =
        (const nsds_field[]){
            INTEGER_OF(DEF, dimension, "[2, 3]", "3", "3: bodies in space; 2: in the plane."),
            OBJECT("law", NSDS_FIELD_REFERENCE, "law", "auto",
                   "Law of every contact; auto: by materials."),
            OBJECT("materials", NSDS_FIELD_LIST, "material", "zero", "Materials, without a law."),
            CHOICE_OF(DEF, mix, "geometric min max mean", "geometric",
                      "How the coefficients of two materials become those of a contact."),
            OBJECT("material_pairs", NSDS_FIELD_LIST, "material pair", "zero",
                   "Coefficients of contacts between two materials that do not follow from mix."),
            TRUTH_OF(DEF, rolling, "false", "Materials have rolling friction."),
            OBJECT("scenery", NSDS_FIELD_LIST, "shape", "zero", "Shapes that stand still."),
            NAMES("bodies", "all",
                  "Bodies whose shapes take part; all: every body that has shapes."),
            OBJECT("exclude", NSDS_FIELD_LIST, "pair", "zero",
                   "Pairs of bodies that do not meet, such as bodies that overlap at a joint."),
            NUMBER_OF(
                DEF, reach, "m", "> 0", "auto",
                "Contacts with a gap up to this are found; auto: a tenth of the largest shape."),
            INTEGER_OF(DEF, max_contacts, ">= 1", "auto",
                       "A step with more fails; auto: 256 a shape."),
            END},
    .call = type,
    DEFINITION(DEF),
    NAMED(DEF),
    .make = make_nsds_shapes};
const nsds_type nsds_pair_type = {
    .help = "Bodies whose shapes pass through each other.",
    .field =
        (const nsds_field[]){
            NAMES("bodies", NULL, "Two bodies, or one, which passes through the scenery."), END},
    .call = "nsds_shapes_exclude"};

static bool shapes_check(nsds_context *context, const nsds_shapes_def *d) {
  if (!nsds_check_count(context, type, "nshape", d->nshape, 0) ||
      !nsds_check_count(context, type, "nmaterial", d->nmaterial, 0) ||
      !nsds_check_range(context, type, "reach", d->reach, 0.0, 1e100) ||
      !nsds_check_range(context, type, "overlap", (int)d->overlap, NSDS_OVERLAP_AUTO,
                        NSDS_OVERLAP_CCD))
    return false;
  if (d->overlap == NSDS_OVERLAP_CCD && !NSDS_HAVE_CCD) {
    nsds_fail(context, NSDS_ERROR_UNSUPPORTED,
              "%s: overlap is NSDS_OVERLAP_CCD, but this library was built without libccd "
              "(NSDS_WITH_CCD); valid are NSDS_OVERLAP_AUTO and NSDS_OVERLAP_AXES",
              type);
    return false;
  }
  if (d->nshape == 0 || d->shape) return true;
  nsds_fail_null(context, type, "shape");
  return false;
}

static bool shapes_furnish(nsds_shape_set *s, const nsds_shapes_def *d) {
  char field[32];
  s->dimension = d->dimension;
  s->given.reach = d->reach;
  s->collision.method = (int)d->overlap;
  s->given.contacts = d->max_contacts;
  shapes_restart(s);
  if (!nsds_make_laws(s, d)) return false;
  for (int k = 0; k < d->nshape; ++k) {
    snprintf(field, sizeof field, "shape[%d].", k);
    if (shapes_add(s, type, field, &d->shape[k]) < 0) return false;
  }
  return reserve_solids(s) == NSDS_OK && reserve_crowd(s, &s->moving, 1) == NSDS_OK &&
         reserve_crowd(s, &s->still, 1) == NSDS_OK;
}

nsds_contact_set *nsds_shapes(nsds_model *model, const nsds_shapes_def *given) {
  nsds_shapes_def own;
  const nsds_shapes_def *def = &own;
  if (!nsds_definition_take(model, &nsds_shapes_type, given, &own) ||
      nsds_check_idle(model, type) || !shapes_check(model->context, def))
    return NULL;
  nsds_shape_set *s = NSDS_NEW(model->context, nsds_shape_set);
  if (!s) return NULL;
  s->model = model;
  if (def->name)
    snprintf(s->label, sizeof s->label, "contact set '%.*s'", nsds_name_size - 1, def->name);
  else snprintf(s->label, sizeof s->label, "contact set #%zu (%s)", model->set.count, type);
  if (!shapes_furnish(s, def)) {
    shapes_destroy(s);
    return NULL;
  }
  nsds_contact_set *set = nsds_custom_contact_set(
      model,
      &(nsds_custom_contact_set_def){.name = def->name, .ops = &ops, .self = s, .law = s->law});
  nsds_contact_set *made = set ? nsds_handle_place(set) : NULL;
  if (made) made->label = s->label;
  if (made) made->margin = nsds_shapes_margin;
  return set;
}

/* Returns the shapes behind a handle; NULL with the error recorded. */
static nsds_shape_set *shapes_of(const nsds_contact_set *handle, const char *call) {
  const nsds_contact_set *set = nsds_contact_set_of(handle, call, &ops);
  return set ? set->self : NULL;
}

nsds_shape_set *nsds_shape_set_of(const nsds_contact_set *handle, const char *call,
                                  nsds_status *status) {
  nsds_shape_set *s = shapes_of(handle, call);
  *status = s ? nsds_check_idle(s->model, call) : NSDS_ERROR_ARGUMENT;
  return *status ? NULL : s;
}

int nsds_shapes_add(nsds_contact_set *set, const nsds_shape_def *shape) {
  const char *call = "nsds_shapes_add";
  nsds_status status;
  nsds_shape_set *s = nsds_shape_set_of(set, call, &status);
  if (s && !shape) nsds_fail_null(s->model->context, call, "shape");
  return s && shape ? shapes_add(s, call, "", shape) : -1;
}

/* Removes the shapes of a body, or one by its number. Returns the number removed. */
static int remove_shapes(nsds_shape_set *s, const nsds_ds *ds, int id) {
  int kept = 0, before = s->solids.n;
  for (int k = 0; k < before; ++k) {
    nsds_solid *solid = s->solids.item[k];
    if (ds ? solid->shape.ds != ds : solid->shape.number != id) {
      s->solids.item[kept++] = solid;
      continue;
    }
    crowd_of(s, solid)->wanted -= (size_t)solid->count;
    nsds_solid_release(s->model->context, solid);
  }
  s->solids.n = kept;
  if (kept < before) shapes_restart(s);
  return before - kept;
}

nsds_status nsds_shapes_remove(nsds_contact_set *set, int shape) {
  const char *call = "nsds_shapes_remove";
  nsds_status status;
  nsds_shape_set *s = nsds_shape_set_of(set, call, &status);
  if (!s || remove_shapes(s, NULL, shape) > 0) return status;
  return nsds_fail(s->model->context, NSDS_ERROR_ARGUMENT,
                   "%s: %s has no shape %d; it was removed or never there", call, s->label, shape);
}

nsds_status nsds_shapes_remove_body(nsds_contact_set *set, const nsds_ds *handle) {
  const char *call = "nsds_shapes_remove_body";
  nsds_status status;
  nsds_shape_set *s = nsds_shape_set_of(set, call, &status);
  char label[nsds_label_size];
  if (s && !handle) return nsds_fail_null(s->model->context, call, "ds");
  const nsds_ds *ds = s ? nsds_ds_find(handle, call) : NULL;
  if (s && !ds) return NSDS_ERROR_ARGUMENT;
  if (!s || remove_shapes(s, ds, -1) > 0) return status;
  return nsds_fail(s->model->context, NSDS_ERROR_ARGUMENT, "%s: %s has no shape of %s", call,
                   s->label, nsds_ds_label(ds, label));
}

nsds_status nsds_shapes_name(nsds_contact_set *set, int shape, uint64_t name) {
  const char *call = "nsds_shapes_name";
  nsds_status status;
  nsds_shape_set *s = nsds_shape_set_of(set, call, &status);
  if (!s) return status;
  if (name == 0 || name >> 63)
    return nsds_fail(s->model->context, NSDS_ERROR_VALUE,
                     "%s: name is %llu; valid are numbers from 1 to 2^63 - 1", call,
                     (unsigned long long)name);
  for (int k = s->solids.n - 1; k >= 0 && s->solids.item[k]->shape.number >= shape; --k) {
    if (s->solids.item[k]->shape.number != shape) continue;
    s->solids.item[k]->name = name;
    return NSDS_OK;
  }
  return nsds_fail(s->model->context, NSDS_ERROR_ARGUMENT,
                   "%s: %s has no shape %d; it was removed or never there", call, s->label, shape);
}

static nsds_status shapes_set_apart(const char *call, nsds_contact_set *set, const nsds_ds *first,
                                    const nsds_ds *second, bool apart) {
  nsds_status status;
  nsds_shape_set *s = nsds_shape_set_of(set, call, &status);
  const nsds_ds *given[] = {first, second};
  char label[nsds_label_size];
  if (!s) return status;
  if (!first) return nsds_fail_null(s->model->context, call, "first");
  for (int k = 0; k < 2; ++k) {
    given[k] = nsds_ds_find(given[k], call);
    if (!given[k] && (k == 0 || second)) return NSDS_ERROR_ARGUMENT;
  }
  first = given[0];
  second = given[1];
  for (int k = 0; k < 2; ++k)
    if (given[k] && given[k]->model != s->model)
      return nsds_fail(s->model->context, NSDS_ERROR_ARGUMENT,
                       "%s: %s (%s) belongs to another model than %s", call, k ? "second" : "first",
                       nsds_ds_label(given[k], label), s->label);
  if (first == second)
    return nsds_fail(s->model->context, NSDS_ERROR_ARGUMENT,
                     "%s: first and second are both %s; shapes of one body never meet", call,
                     nsds_ds_label(first, label));
  return nsds_exclude(s, first, second, apart);
}

nsds_status nsds_shapes_exclude(nsds_contact_set *set, const nsds_ds *first,
                                const nsds_ds *second) {
  return shapes_set_apart("nsds_shapes_exclude", set, first, second, true);
}

nsds_status nsds_shapes_include(nsds_contact_set *set, const nsds_ds *first,
                                const nsds_ds *second) {
  return shapes_set_apart("nsds_shapes_include", set, first, second, false);
}
