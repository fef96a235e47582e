/*
 * Contacts that a program has chosen: collect, sort, hand over. The arrays hold 0.5 KB for a contact. These
 * are freed after each search, because programs with a choice solve large problems between two searches.
 * The next search takes the same room at once.
 */
#include "kernel/modeling/chosen.h"

#include "base/base.h"
#include "base/context.h"
#include "kernel/modeling/busy.h"
#include "kernel/modeling/check.h"
#include "kernel/modeling/label.h"

/* A contact that was chosen; its y and H are in the choice's numbers. */
typedef struct nsds_chosen {
  nsds_contact_point point;
  nsds_contact_place place;
  uint64_t order[2];
  size_t y, H;
  int found;
} nsds_chosen;

typedef struct collection {
  nsds_contacts contacts; /* first: the sink */
  nsds_choice *choice;
  int count;
  size_t numbers;
} collection;

static nsds_status keep_chosen(collection *c, const nsds_contact_point *point,
                               const uint64_t *order) {
  nsds_context *context = c->contacts.set->model->context;
  nsds_choice *choice = c->choice;
  size_t rows = (size_t)c->contacts.set->law->size, columns = (size_t)point->ds[0]->nv;
  if (point->ds[1]) columns += (size_t)point->ds[1]->nv;
  size_t numbers = rows + rows * columns;
  nsds_status status = nsds_grow(context, &choice->item, &choice->capacity, (size_t)c->count + 1,
                                 sizeof *choice->item);
  if (!status)
    status = nsds_grow(context, &choice->number, &choice->number_capacity, c->numbers + numbers,
                       sizeof *choice->number);
  if (status) return status;
  nsds_chosen *item = &choice->item[c->count];
  *item = (nsds_chosen){.point = *point,
                        .order = {order[0], order[1]},
                        .y = c->numbers,
                        .H = c->numbers + rows,
                        .found = c->count};
  if (point->place) item->place = *point->place;
  for (size_t i = 0; i < rows; ++i)
    choice->number[item->y + i] = (int)i < c->contacts.set->law->ngap ? point->y[i] : 0.0;
  memcpy(choice->number + item->H, point->H, rows * columns * sizeof *point->H);
  c->numbers += numbers;
  ++c->count;
  ++c->contacts.count;
  return NSDS_OK;
}

static nsds_status collect_one(nsds_contacts *contacts, const nsds_contact_point *point) {
  collection *c = (collection *)(void *)contacts;
  nsds_contact_point shown = *point;
  uint64_t order[2] = {0, 0};
  for (int k = 0; k < 2; ++k) shown.ds[k] = nsds_place_handle(point->ds[k]);
  if (!c->choice->choose(&shown, order, c->choice->user)) return NSDS_OK;
  return keep_chosen(c, point, order);
}

static nsds_status collect_all(nsds_contacts *contacts, const nsds_batch *batch) {
  double y[nsds_batch_rows], H[nsds_batch_rows * nsds_batch_columns];
  nsds_status status = NSDS_OK;
  for (int k = 0; !status && k < batch->count; ++k) {
    nsds_contact_place where;
    nsds_contact_point point = {.key = batch->key[k], .y = y, .H = H, .place = &where};
    int place[2];
    batch->get(batch->self, k, &point, place, y, H, &where);
    status = collect_one(contacts, &point);
  }
  return status;
}

static int compare_chosen(const void *a, const void *b) {
  const nsds_chosen *x = a, *y = b;
  for (int k = 0; k < 2; ++k)
    if (x->order[k] != y->order[k]) return x->order[k] < y->order[k] ? -1 : 1;
  return (x->found > y->found) - (x->found < y->found);
}

/* Takes the room of the last search. */
static nsds_status take_room(nsds_context *context, nsds_choice *choice) {
  size_t items = choice->last, numbers = choice->last_number;
  nsds_status status =
      nsds_grow(context, &choice->item, &choice->capacity, items, sizeof *choice->item);
  if (status) return status;
  return nsds_grow(context, &choice->number, &choice->number_capacity, numbers,
                   sizeof *choice->number);
}

static void leave_room(nsds_context *context, nsds_choice *choice) {
  nsds_release(context, choice->item);
  nsds_release(context, choice->number);
  choice->last = choice->capacity;
  choice->last_number = choice->number_capacity;
  choice->item = NULL, choice->number = NULL;
  choice->capacity = choice->number_capacity = 0;
}

static nsds_status collect_and_hand_over(nsds_contact_set *set, double t, nsds_contacts *contacts) {
  collection c = {.contacts = *contacts, .choice = &set->choice};
  c.contacts.take = collect_one;
  c.contacts.take_all = collect_all;
  nsds_status status = set->ops->find(set->self, t, &c.contacts);
  contacts->turns = c.contacts.turns;
  if (c.contacts.status) return contacts->status = c.contacts.status;
  if (status || c.count == 0) return status;
  nsds_choice *choice = &set->choice;
  qsort(choice->item, (size_t)c.count, sizeof *choice->item, compare_chosen);
  for (int k = 0; !contacts->status && k < c.count; ++k) {
    nsds_chosen *item = &choice->item[k];
    item->point.y = choice->number + item->y;
    item->point.H = choice->number + item->H;
    if (item->point.place) item->point.place = &item->place;
    contacts->status = contacts->take(contacts, &item->point);
  }
  return contacts->status;
}

nsds_status nsds_chosen_find(nsds_contact_set *set, double t, nsds_contacts *contacts) {
  nsds_context *context = set->model->context;
  char label[nsds_label_size];
  if (contacts->follows)
    return nsds_fail(context, NSDS_ERROR_UNSUPPORTED,
                     "%s: a choice of contacts needs time stepping with nsds_moreau_jean() or "
                     "nsds_d1_minus(); take it back with nsds_contact_set_choose(set, NULL, NULL)",
                     nsds_contact_set_label(set, label));
  nsds_status status = take_room(context, &set->choice);
  if (!status) status = collect_and_hand_over(set, t, contacts);
  leave_room(context, &set->choice);
  return status;
}

nsds_status nsds_contact_set_choose(nsds_contact_set *handle, nsds_choose_fn choose, void *user) {
  static const char call[] = "nsds_contact_set_choose";
  nsds_contact_set *set = nsds_contact_set_alive(handle, call);
  if (!set) return NSDS_ERROR_ARGUMENT;
  nsds_model *model = set->model;
  nsds_status status = nsds_check_idle(model, call);
  if (status) return status;
  set->choice.choose = choose;
  set->choice.user = user;
  nsds_note(model, -1);
  return NSDS_OK;
}
