/*
 * Contact sets: life, rows, and the table by which a contact is found again. Contacts that come in
 * the order of the step before are found at their place; the first that does not puts all old keys
 * into a hash table (open addressing).
 */
#include "contact_set.h"

#include <stdio.h>

const char *nsds_contact_set_label(const nsds_contact_set *set, char *buffer) {
  if (set->name[0]) snprintf(buffer, nsds_label_size, "contact set '%s'", set->name);
  else snprintf(buffer, nsds_label_size, "contact set #%d (%s)", set->index, set->ops->type);
  return buffer;
}

static void release(nsds_contact_set *set) {
  nsds_context *context = set->model->context;
  if (set->capacity > 0)
    nsds_give_rows(set->model, set->first_row, set->capacity * set->law->size);
  if (set->ops->destroy) set->ops->destroy(set->self);
  void *arrays[] = {set->key,   set->pair,    set->active,
                    set->table, set->old_key, set->old_impulse};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; ++k) nsds_release(context, arrays[k]);
  nsds_release(context, set);
}

nsds_contact_set *nsds_contact_set_create(nsds_model *model, const nsds_contact_set_def *def) {
  const char *call = "nsds_contact_set_create";
  const char *missing = !model            ? "model"
                        : !def            ? "def"
                        : !def->ops       ? "def->ops"
                        : !def->ops->find ? "def->ops->find"
                        : !def->law       ? "def->law"
                                          : NULL;
  nsds_context *context = model ? model->context : NULL;
  nsds_contact_set *set = NULL;
  if (missing) nsds_fail_null(context, call, missing);
  else if (def->law->model != model)
    nsds_fail(context, NSDS_ERROR_ARGUMENT, "%s: the law belongs to another model", call);
  else if (!nsds_check_idle(model, call))
    set = NSDS_NEW(context, nsds_contact_set);
  if (set && nsds_list_push(context, &model->set, set)) {
    nsds_release(context, set);
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
  if (def->name) snprintf(set->name, sizeof set->name, "%s", def->name);
  nsds_note(model, -1);
  return set;
}

nsds_status nsds_contact_set_destroy(nsds_contact_set *set) {
  const char *call = "nsds_contact_set_destroy";
  if (!set) return nsds_fail_null(NULL, call, "set");
  nsds_model *model = set->model;
  nsds_status status = nsds_check_idle(model, call);
  if (status) return status;
  nsds_list_remove(&model->set, set);
  for (size_t k = 0; k < model->set.count; ++k)
    ((nsds_contact_set *)model->set.item[k])->index = (int)k;
  nsds_note(model, -1);
  release(set);
  return NSDS_OK;
}

void nsds_contact_sets_destroy(nsds_model *model) {
  for (size_t k = 0; k < model->set.count; ++k) release(model->set.item[k]);
  model->set.count = 0;
}

/* ---- room ------------------------------------------------------------------------------------ */

/* Moves the values of the rows in use to another place in the state. */
static void move_rows(nsds_contact_set *set, int first, int rows) {
  nsds_state *s = &set->model->state;
  double *array[] = {s->y, s->ydot, s->impulse, s->force};
  for (int a = 0; a < 4 && rows > 0; ++a)
    memcpy(array[a] + first, array[a] + set->first_row, (size_t)rows * sizeof(double));
}

static nsds_status replace(nsds_context *context, void *array, size_t used, size_t count,
                           size_t size) {
  void *old, *grown = nsds_alloc(context, count, size);
  if (!grown) return NSDS_ERROR_MEMORY;
  memcpy(&old, array, sizeof old);
  if (old && used > 0) memcpy(grown, old, used * size);
  nsds_release(context, old);
  memcpy(array, &grown, sizeof grown);
  return NSDS_OK;
}

nsds_status nsds_contact_set_grow(nsds_contact_set *set, int count) {
  if (NSDS_LIKELY(count <= set->capacity)) return NSDS_OK;
  nsds_context *context = set->model->context;
  int size = set->law->size, capacity = set->capacity + set->capacity / 2 + 16, first = 0;
  if (capacity < count) capacity = count;
  size_t wanted = (size_t)capacity, used = (size_t)set->capacity, table = 16;
  while (table < 2 * wanted) table *= 2;
  nsds_status status = replace(context, &set->key, used, wanted, sizeof *set->key);
  if (!status) status = replace(context, &set->pair, used, wanted, sizeof *set->pair);
  if (!status) status = replace(context, &set->active, used, wanted, sizeof *set->active);
  if (!status) status = replace(context, &set->old_key, used, wanted, sizeof *set->old_key);
  if (!status)
    status = replace(context, &set->old_impulse, 2 * used * (size_t)size,
                     2 * wanted * (size_t)size, sizeof *set->old_impulse);
  if (!status) status = nsds_take_rows(set->model, capacity * size, &first);
  if (status) return status;
  int *grown = NSDS_NEW_ARRAY(context, int, table);
  if (!grown) {
    nsds_give_rows(set->model, first, capacity * size);
    return NSDS_ERROR_MEMORY;
  }
  if (set->capacity > 0) {
    move_rows(set, first, set->capacity * size);
    nsds_give_rows(set->model, set->first_row, set->capacity * size);
  }
  nsds_release(context, set->table);
  set->table = grown;
  set->table_size = table;
  set->first_row = first;
  set->capacity = capacity;
  return NSDS_OK;
}

/* ---- keys ------------------------------------------------------------------------------------ */

static size_t hash(uint64_t key, size_t size) {
  key = (key ^ (key >> 31)) * UINT64_C(0x9E3779B97F4A7C15);
  return (size_t)(key >> 20) & (size - 1);
}

/* The old contacts' keys and impulses aside, and into the table. */
static void shuffle(nsds_contacts *contacts) {
  nsds_contact_set *set = contacts->set;
  const nsds_state *s = &set->model->state;
  size_t size = (size_t)set->law->size;
  for (size_t k = 0; k < set->table_size; ++k) set->table[k] = -1;
  for (int k = contacts->count; k < contacts->old_count; ++k) {
    size_t at = hash(set->key[k], set->table_size);
    while (set->table[at] >= 0) at = (at + 1) & (set->table_size - 1);
    set->table[at] = k;
    set->old_key[k] = set->key[k];
    for (size_t i = 0; i < size; ++i) {
      size_t row = (size_t)set->first_row + (size_t)k * size + i;
      set->old_impulse[2 * (size_t)k * size + i] = s->impulse[row];
      set->old_impulse[(2 * (size_t)k + 1) * size + i] = s->force[row];
    }
  }
  contacts->shuffled = true;
}

int nsds_contact_set_find(nsds_contacts *contacts, uint64_t key, int k) {
  nsds_contact_set *set = contacts->set;
  if (NSDS_LIKELY(!contacts->shuffled && k < contacts->old_count && set->key[k] == key)) return k;
  if (!contacts->shuffled) shuffle(contacts);
  for (size_t at = hash(key, set->table_size); set->table[at] >= 0;
       at = (at + 1) & (set->table_size - 1))
    if (set->old_key[set->table[at]] == key) return set->table[at];
  return -1;
}

nsds_status nsds_contacts_add(nsds_contacts *contacts, const nsds_contact_point *point) {
  nsds_contact_set *set = contacts->set;
  nsds_context *context = set->model->context;
  char label[nsds_label_size], other[nsds_label_size];
  if (NSDS_UNLIKELY(!point || !point->ds[0] || !point->y || !point->H))
    return nsds_fail_null(context, "nsds_contacts_add",
                          !point         ? "point"
                          : !point->ds[0] ? "point->ds[0]"
                          : !point->y     ? "point->y"
                                          : "point->H");
  for (int k = 0; k < 2 && point->ds[k]; ++k)
    if (NSDS_UNLIKELY(point->ds[k]->model != set->model || point->ds[k]->order != 2))
      return nsds_fail(context, NSDS_ERROR_ARGUMENT,
                       "nsds_contacts_add: %s: %s is of another model or not of second order",
                       nsds_contact_set_label(set, label), nsds_ds_label(point->ds[k], other));
  if (NSDS_UNLIKELY(point->ds[0] == point->ds[1]))
    return nsds_fail(context, NSDS_ERROR_ARGUMENT,
                     "nsds_contacts_add: %s: a contact of %s with itself",
                     nsds_contact_set_label(set, label), nsds_ds_label(point->ds[0], other));
  return contacts->take(contacts, point);
}

/* ---- reports --------------------------------------------------------------------------------- */

int nsds_contact_set_count(const nsds_contact_set *set) { return set ? set->count : 0; }

nsds_status nsds_contact_set_get(const nsds_contact_set *set, int k, nsds_contact_info *info) {
  const char *call = "nsds_contact_set_get";
  if (!set || !info)
    return nsds_fail_null(set ? set->model->context : NULL, call, set ? "info" : "set");
  if (k < 0 || k >= set->count)
    return nsds_fail(set->model->context, NSDS_ERROR_ARGUMENT,
                     "%s: k is %d; the set has %d contacts", call, k, set->count);
  const nsds_state *s = &set->model->state;
  int row = set->first_row + k * set->law->size;
  *info = (nsds_contact_info){.key = set->key[k],
                              .ds = {set->pair[k].ds[0], set->pair[k].ds[1]},
                              .y = s->y + row,
                              .ydot = s->ydot + row,
                              .impulse = s->impulse + row,
                              .force = s->force + row,
                              .active = set->active[k]};
  return NSDS_OK;
}
