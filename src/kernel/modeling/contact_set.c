/*
 * Contact sets: creation, rows, and the table that finds contacts again. Contacts in the order of
 * the step before are found at their place. The first contact out of order puts all old keys into a
 * hash table (open addressing). The old contacts are kept until the step is accepted.
 */
#include "kernel/modeling/contact_set.h"

#include "base/arena.h"
#include "base/base.h"
#include "base/context.h"
#include "base/parallel.h"
#include "kernel/modeling/busy.h"
#include "kernel/modeling/check.h"
#include "kernel/modeling/contact_frame.h"
#include "kernel/modeling/graph.h"
#include "kernel/modeling/handle.h"
#include "kernel/modeling/label.h"
#include "kernel/modeling/law.h"
#include "kernel/modeling/list.h"
#include "kernel/modeling/modeling.h"

#include <stdio.h>

const char *nsds_contact_set_label(const nsds_contact_set *set, char *buffer) {
  if (set->tag.name[0]) snprintf(buffer, nsds_label_size, "contact set '%s'", set->tag.name);
  else snprintf(buffer, nsds_label_size, "contact set #%d (%s)", set->index, set->ops->type);
  return buffer;
}

static void contact_set_release(nsds_contact_set *set) {
  nsds_context *context = set->model->context;
  if (set->capacity > 0) nsds_give_rows(set->model, set->first_row, set->capacity * set->law->size);
  if (set->ops->destroy) set->ops->destroy(set->self);
  void *arrays[] = {set->key,        set->pair,        set->tangent,      set->active,
                    set->table,      set->old_key,     set->old_pair,     set->old_tangent,
                    set->old_active, set->old_row[0],  set->old_row[1],   set->old_row[2],
                    set->old_row[3], set->choice.item, set->choice.number};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; ++k) nsds_release(context, arrays[k]);
}

nsds_contact_set *nsds_contact_set_alive(const nsds_contact_set *handle, const char *call) {
  if (NSDS_LIKELY(nsds_handle_alive(handle))) return nsds_handle_place(handle);
  if (!handle) nsds_fail_null(NULL, call, "set");
  else
    nsds_fail(((nsds_contact_set *)nsds_handle_place(handle))->model->context, NSDS_ERROR_ARGUMENT,
              "%s: the contact set was destroyed; its handle is not valid any more", call);
  return NULL;
}

nsds_contact_set *nsds_contact_set_of(const nsds_contact_set *handle, const char *call,
                                      const nsds_geometry_ops *ops) {
  nsds_contact_set *set = nsds_contact_set_alive(handle, call);
  char label[nsds_label_size];
  if (!set || set->ops == ops) return set;
  nsds_fail(set->model->context, NSDS_ERROR_ARGUMENT,
            "%s: %s is not a set of %s(); give one that this call has made", call,
            nsds_contact_set_label(set, label), ops->type);
  return NULL;
}

static bool contact_set_check_set(nsds_model *model, const char *call,
                                  const nsds_custom_contact_set_def *def) {
  if (!nsds_check_type(model, call, NSDS_TYPED(def))) return false;
  nsds_context *context = model->context;
  if (!def->ops->find || !def->law) {
    nsds_fail_null(context, call, def->ops->find ? "def->law" : "def->ops->find");
    return false;
  }
  if (def->law->model != model) {
    nsds_fail(context, NSDS_ERROR_ARGUMENT, "%s: the law belongs to another model", call);
    return false;
  }
  return !nsds_check_idle(model, call) && nsds_check_law(context, call, def->law) &&
         (!def->law->ops->compliance ||
          nsds_check_dense(context, call, "its D", def->law->size, def->law->size));
}

nsds_contact_set *nsds_custom_contact_set(nsds_model *model,
                                          const nsds_custom_contact_set_def *def) {
  nsds_contact_set *set = NULL;
  if (contact_set_check_set(model, "nsds_custom_contact_set", def))
    set = nsds_place_take(model->context, &model->sets, sizeof *set);
  if (set && nsds_list_push(model->context, &model->set, set)) {
    nsds_place_give(&model->sets, set);
    set = NULL;
  }
  if (!set) {
    if (def && def->ops && def->ops->destroy) def->ops->destroy(def->self);
    return NULL;
  }
  set->model = model;
  set->ops = def->ops;
  set->self = def->self;
  set->law = def->law;
  set->index = (int)model->set.count - 1;
  nsds_tag_name(&set->tag, def->name);
  nsds_note(model, -1);
  return nsds_place_handle(set);
}

nsds_status nsds_contact_set_destroy(nsds_contact_set *handle) {
  const char *call = "nsds_contact_set_destroy";
  nsds_contact_set *set = nsds_contact_set_alive(handle, call);
  if (!set) return NSDS_ERROR_ARGUMENT;
  nsds_model *model = set->model;
  nsds_status status = nsds_check_idle(model, call);
  if (status) return status;
  nsds_list_remove(&model->set, set);
  for (size_t k = 0; k < model->set.count; ++k)
    ((nsds_contact_set *)model->set.item[k])->index = (int)k;
  nsds_note(model, -1);
  model->busy = NSDS_BUSY_CALL;
  contact_set_release(set);
  model->busy = 0;
  nsds_place_give(&model->sets, set);
  return NSDS_OK;
}

void nsds_contact_sets_destroy(nsds_model *model) {
  for (size_t k = 0; k < model->set.count; ++k) contact_set_release(model->set.item[k]);
  model->set.count = 0;
  nsds_places_destroy(model->context, &model->sets);
}

/* ---- room ------------------------------------------------------------------------------------ */

static void contact_set_list_rows(const nsds_contact_set *set, double *row[4]) {
  const nsds_state *s = &set->model->state;
  row[0] = s->y + set->first_row;
  row[1] = s->ydot + set->first_row;
  row[2] = s->impulse + set->first_row;
  row[3] = s->force + set->first_row;
}

static nsds_status replace(nsds_context *context, void *array, size_t used, size_t count,
                           size_t size) {
  void *old, *grown = nsds_alloc(context, "found contacts", count, size);
  if (!grown) return NSDS_ERROR_MEMORY;
  memcpy(&old, array, sizeof old);
  if (old && used > 0) memcpy(grown, old, used * size);
  nsds_release(context, old);
  memcpy(array, &grown, sizeof grown);
  return NSDS_OK;
}

static nsds_status replace_tangents(nsds_contact_set *set, size_t used, size_t count) {
  nsds_context *context = set->model->context;
  nsds_status status = replace(context, &set->tangent, used, count, sizeof *set->tangent);
  return status ? status
                : replace(context, &set->old_tangent, used, count, sizeof *set->old_tangent);
}

nsds_status nsds_contact_set_keep_tangents(nsds_contact_set *set) {
  if (set->tangents) return NSDS_OK;
  nsds_status status = replace_tangents(set, 0, (size_t)set->capacity);
  set->tangents = status == NSDS_OK;
  return status;
}

nsds_status nsds_contact_set_grow(nsds_contact_set *set, int count) {
  if (NSDS_LIKELY(count <= set->capacity)) return NSDS_OK;
  nsds_context *context = set->model->context;
  int size = set->law->size, capacity = (int)nsds_grown((size_t)set->capacity);
  size_t rows = (size_t)set->capacity * (size_t)size;
  if (capacity < count) capacity = count;
  size_t wanted = (size_t)capacity, used = (size_t)set->capacity, table = 16;
  while (2 * table < 3 * wanted) table *= 2;
  nsds_status status = replace(context, &set->key, used, wanted, sizeof *set->key);
  if (!status) status = replace(context, &set->pair, used, wanted, sizeof *set->pair);
  if (!status && set->tangents) status = replace_tangents(set, used, wanted);
  if (!status) status = replace(context, &set->active, used, wanted, sizeof *set->active);
  if (!status) status = replace(context, &set->old_key, used, wanted, sizeof *set->old_key);
  if (!status) status = replace(context, &set->old_pair, used, wanted, sizeof *set->old_pair);
  if (!status) status = replace(context, &set->old_active, used, wanted, sizeof *set->old_active);
  for (int a = 0; a < 4 && !status; ++a)
    status = replace(context, &set->old_row[a], rows, wanted * (size_t)size, sizeof(double));
  int *grown = status ? NULL : NSDS_NEW_ARRAY(context, int, table);
  if (!grown) return NSDS_ERROR_MEMORY;
  status = nsds_grow_rows(set->model, &set->first_row, set->capacity * size, capacity * size);
  if (status) {
    nsds_release(context, grown);
    return status;
  }
  nsds_release(context, set->table);
  set->table = grown;
  set->table_size = table;
  set->tabled = false;
  set->capacity = capacity;
  return NSDS_OK;
}

/* ---- from one detection to the next ---------------------------------------------------------- */

static void put_aside(void *self, int part, int parts) {
  nsds_contact_set *set = self;
  size_t size = (size_t)set->law->size, first = (size_t)nsds_part_begin(set->count, part, parts);
  size_t n = (size_t)nsds_part_begin(set->count, part + 1, parts) - first;
  double *row[4];
  contact_set_list_rows(set, row);
  memcpy(set->old_key + first, set->key + first, n * sizeof *set->key);
  for (size_t k = first; k < first + n; ++k) /* many short copies end sooner than a long one */
    set->old_pair[k] = set->pair[k];
  if (set->tangents)
    memcpy(set->old_tangent + first, set->tangent + first, n * sizeof *set->tangent);
  memcpy(set->old_active + first, set->active + first, n * sizeof *set->active);
  for (int a = 0; a < 4; ++a)
    memcpy(set->old_row[a] + first * size, row[a] + first * size, n * size * sizeof(double));
}

void nsds_contact_set_begin(nsds_contact_set *set) {
  enum { few = 256 }; /* contacts per part, at least */
  set->detecting = true;
  set->tabled = false;
  set->old_count = set->count;
  if (set->count > 0)
    nsds_share_out(set->model->context, nsds_parts(set->count, few), put_aside, set);
}

static void contact_set_put_back(nsds_contact_set *set) {
  size_t n = (size_t)set->old_count, rows = n * (size_t)set->law->size;
  set->count = set->old_count;
  if (n == 0) return;
  double *row[4];
  contact_set_list_rows(set, row);
  memcpy(set->key, set->old_key, n * sizeof *set->key);
  memcpy(set->pair, set->old_pair, n * sizeof *set->pair);
  if (set->tangents) memcpy(set->tangent, set->old_tangent, n * sizeof *set->tangent);
  memcpy(set->active, set->old_active, n * sizeof *set->active);
  for (int a = 0; a < 4; ++a) memcpy(row[a], set->old_row[a], rows * sizeof(double));
}

void nsds_contact_sets_close(nsds_model *model, bool stay) {
  for (size_t s = 0; s < model->set.count; ++s) {
    nsds_contact_set *set = model->set.item[s];
    if (set->detecting && !stay) contact_set_put_back(set);
    set->detecting = false;
  }
}

static size_t hash(uint64_t key, size_t size) {
  key = (key ^ (key >> 31)) * UINT64_C(0x9E3779B97F4A7C15);
  return (size_t)(key >> 20) & (size - 1);
}

static void fill_table(nsds_contact_set *set) {
  for (size_t k = 0; k < set->table_size; ++k) set->table[k] = -1;
  for (int k = 0; k < set->old_count; ++k) {
    size_t at = hash(set->old_key[k], set->table_size);
    while (set->table[at] >= 0) at = (at + 1) & (set->table_size - 1);
    set->table[at] = k;
  }
  set->tabled = true;
}

int nsds_contact_set_find(nsds_contact_set *set, uint64_t key, int place) {
  if (NSDS_LIKELY(place < set->old_count && set->old_key[place] == key)) return place;
  if (set->old_count == 0) return -1;
  if (!set->tabled) fill_table(set);
  for (size_t at = hash(key, set->table_size); set->table[at] >= 0;
       at = (at + 1) & (set->table_size - 1))
    if (set->old_key[set->table[at]] == key) return set->table[at];
  return -1;
}

void nsds_contact_set_expect(nsds_contact_set *set, int from, const uint64_t *key, int count) {
  if (count == 0 || set->old_count == 0 || set->tabled) return;
  bool stays = from + count <= set->old_count &&
               memcmp(key, set->old_key + from, (size_t)count * sizeof *key) == 0;
  if (!stays) fill_table(set);
}

/* Checks that a law of one contact has the structure of the set's law. */
static nsds_status contact_set_check_law(const nsds_contact_set *set, nsds_law *law) {
  nsds_context *context = set->model->context;
  const nsds_law *own = set->law;
  char label[nsds_label_size];
  if (law->model == set->model && !law->set && !nsds_check_law(context, "nsds_contacts_add", law))
    return NSDS_ERROR_ARGUMENT;
  if (law->model == set->model && law->size == own->size && law->ngap == own->ngap &&
      law->level == own->level && law->set == own->set && law->nfacet == own->nfacet &&
      law->impact.rule == own->impact.rule && !law->ops->compliance == !own->ops->compliance)
    return NSDS_OK;
  return nsds_fail(
      context, NSDS_ERROR_ARGUMENT,
      "nsds_contacts_add: %s: law %s of a contact differs from law %s of the set; valid are "
      "laws of the same model, size, level, set and kind of impact",
      nsds_contact_set_label(set, label), nsds_law_called(law), nsds_law_called(own));
}

static nsds_status contact_set_check_place(const nsds_contact_set *set,
                                           const nsds_contact_point *point) {
  const nsds_contact_place *at = point->place;
  char label[nsds_label_size];
  if (NSDS_LIKELY(nsds_is_contact_place(at))) return NSDS_OK;
  return nsds_fail(set->model->context, NSDS_ERROR_VALUE,
                   "nsds_contacts_add: %s: place of the contact with key %llu has dimension %d, "
                   "point (%g, %g, %g), normal (%g, %g, %g), tangent (%g, %g, %g); valid are "
                   "dimensions 2 and 3 (0 for 3), finite points, normals of length 1, and tangents "
                   "of length 1 at right angles to the normal, or zero",
                   nsds_contact_set_label(set, label), (unsigned long long)point->key,
                   at->dimension, at->point[0], at->point[1], at->point[2], at->normal[0],
                   at->normal[1], at->normal[2], at->tangent[0], at->tangent[1], at->tangent[2]);
}

static nsds_status contact_set_check_point(const nsds_contacts *contacts,
                                           const nsds_contact_point *point) {
  const nsds_contact_set *set = contacts->set;
  nsds_context *context = set->model->context;
  char label[nsds_label_size], other[nsds_label_size];
  if (NSDS_UNLIKELY(!point || !point->ds[0] || !point->y || !point->H))
    return nsds_fail_null(context, "nsds_contacts_add",
                          !point          ? "point"
                          : !point->ds[0] ? "point->ds[0]"
                          : !point->y     ? "point->y"
                                          : "point->H");
  for (int k = 0; k < 2 && point->ds[k]; ++k)
    if (NSDS_UNLIKELY(point->ds[k]->model != set->model || !nsds_is_second_order(point->ds[k])))
      return nsds_fail(context, NSDS_ERROR_ARGUMENT,
                       "nsds_contacts_add: %s: %s is of another model or not of second order; "
                       "valid are second-order systems of the model of the set",
                       nsds_contact_set_label(set, label), nsds_ds_label(point->ds[k], other));
  if (NSDS_UNLIKELY(point->ds[0] == point->ds[1]))
    return nsds_fail(context, NSDS_ERROR_ARGUMENT,
                     "nsds_contacts_add: %s: a contact of %s with itself; give two systems, or "
                     "NULL for the world as the second",
                     nsds_contact_set_label(set, label), nsds_ds_label(point->ds[0], other));
  nsds_status status = point->place ? contact_set_check_place(set, point) : NSDS_OK;
  bool same = !point->law || point->law == set->law;
  return NSDS_LIKELY(same || status) ? status : contact_set_check_law(set, point->law);
}

/* Copies the contact and replaces its handles by systems. Returns false if a system was
 * destroyed. */
static bool contact_set_resolve(const nsds_contact_point *given, nsds_contact_point *point) {
  *point = *given;
  for (int k = 0; k < 2; ++k) {
    point->ds[k] = nsds_ds_find(given->ds[k], "nsds_contacts_add");
    if (given->ds[k] && !point->ds[k]) return false;
  }
  return true;
}

nsds_status nsds_contacts_add(nsds_contacts *contacts, const nsds_contact_point *given) {
  if (!contacts) return nsds_fail_null(NULL, "nsds_contacts_add", "contacts");
  nsds_contact_point point;
  nsds_status status = contacts->status;
  if (!status && given && !contact_set_resolve(given, &point)) status = NSDS_ERROR_ARGUMENT;
  if (!status) status = contact_set_check_point(contacts, given ? &point : NULL);
  if (!status) status = contacts->take(contacts, &point);
  contacts->status = status;
  return status;
}

nsds_status nsds_contacts_add_all(nsds_contacts *contacts, const nsds_batch *batch) {
  if (!contacts->status && batch->count > 0) contacts->status = contacts->take_all(contacts, batch);
  return contacts->status;
}

int nsds_model_contact_set_count(const nsds_model *model) {
  return model ? (int)model->set.count : 0;
}

nsds_contact_set *nsds_model_contact_set_at(const nsds_model *model, int k) {
  bool there = model && k >= 0 && k < (int)model->set.count;
  return there ? nsds_place_handle(model->set.item[k]) : NULL;
}

int nsds_contact_set_count(const nsds_contact_set *handle) {
  const nsds_contact_set *set =
      handle ? nsds_contact_set_alive(handle, "nsds_contact_set_count") : NULL;
  return set ? set->count : 0;
}
