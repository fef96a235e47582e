/*
 * Contact sets in the model. The assembly fills them at the start of a step through the sink below.
 * A set has one range of rows in the state; contact k has rows first_row + k size.
 */
#ifndef NSDS_SRC_CONTACT_SET_H
#define NSDS_SRC_CONTACT_SET_H

#include "kernel/modeling/modeling.h"

#include <nsds/contact.h>

/* The bodies of a contact, and its place but for the tangent, which few geometries give. */
typedef struct nsds_contact_pair {
  nsds_ds *ds[2];
  double point[3], normal[3];
  int shape[2];
  int dimension; /* 0: the place is not known */
} nsds_contact_pair;

/* A program's choice among the contacts of a set, and the contacts that it has chosen, see chosen.c. */
typedef struct nsds_choice {
  nsds_choose_fn choose; /* NULL: all contacts take part */
  void *user;
  struct nsds_chosen *item;
  size_t capacity;
  double *number; /* y and H of the items */
  size_t number_capacity;
  size_t last, last_number; /* room of the last search */
} nsds_choice;

struct nsds_contact_set {
  nsds_place place; /* first: sets have handles */
  nsds_model *model;
  const nsds_geometry_ops *ops;
  void *self;
  nsds_law *law;
  nsds_tag tag;
  char *label;         /* name of the geometry, for messages, or NULL */
  int index;           /* position in the model */
  int count, capacity; /* contacts found last; room for contacts */
  int first_row;
  uint64_t *key;
  nsds_contact_pair *pair;
  double (*tangent)[3]; /* if `tangents` */
  bool *active;
  bool tangents; /* places may have tangents */
  nsds_choice choice;
  /* Bundled geometries: returns a number that is positive until contacts have to be found anew,
   * whatever the reach. May be NULL. */
  double (*margin)(void *self, const double *q);
  /* values before the present search, to find contacts again and for steps that fail */
  bool detecting;
  int old_count;
  uint64_t *old_key;
  nsds_contact_pair *old_pair;
  double (*old_tangent)[3];
  bool *old_active;
  double *old_row[4]; /* y, dy/dt, impulse, force */
  int *table;         /* places of old keys, -1: none */
  size_t table_size;
  bool tabled; /* the old keys are in the table */
};

/* Contacts found by a bundled geometry, in their order. */
enum { nsds_batch_rows = 5, nsds_batch_columns = 12 };
typedef struct nsds_batch {
  int count;
  const uint64_t *key;
  int columns;  /* largest number of velocities of two bodies, up to nsds_batch_columns */
  bool foreign; /* laws of a program, which no thread may call */
  const void *self;
  /* Writes the bodies with their places in the model, the law, y, H and the place of one contact.
   * Threads may call this at the same time. */
  void (*get)(const void *self, int k, nsds_contact_point *point, int place[2], double *y,
              double *H, nsds_contact_place *where);
} nsds_batch;

struct nsds_contacts {
  nsds_contact_set *set;
  int count;           /* handed over so far */
  bool follows;        /* finds all that can touch before the next search, not only what does */
  bool to_end;         /* these serve to the end of a step, during which none is searched */
  double ahead;        /* 0, or time [s] by which q of the model is ahead of its state */
  const double *start; /* q of that state, of all systems */
  bool turns;          /* normals turn as bodies pass, and laws remember the last dy/dt */
  nsds_status status;  /* of the first refused contact */
  nsds_status (*take)(nsds_contacts *contacts, const nsds_contact_point *point);
  nsds_status (*take_all)(nsds_contacts *contacts, const nsds_batch *batch);
};

/* Hands over a whole batch, without the checks of a user's geometry. */
nsds_status nsds_contacts_add_all(nsds_contacts *contacts, const nsds_batch *batch);

/* Reserves room for `count` contacts. Rows move with their values. */
nsds_status nsds_contact_set_grow(nsds_contact_set *set, int count);
/* Reserves room for tangents of places. */
nsds_status nsds_contact_set_keep_tangents(nsds_contact_set *set);
/* Begins a search: puts the present contacts aside. */
void nsds_contact_set_begin(nsds_contact_set *set);
/* Ends the search: keeps the contacts found, or brings back the old contacts. */
void nsds_contact_sets_close(nsds_model *model, bool stay);

static inline void nsds_contact_sets_end(nsds_model *model, bool stay) {
  if (NSDS_UNLIKELY(model->set.count > 0)) nsds_contact_sets_close(model, stay);
}
/* Returns the place of a key among the old contacts, or -1. Looks at `place` first. */
int nsds_contact_set_find(nsds_contact_set *set, uint64_t key, int place);
/* Announces the next keys, from place `from` on. Threads may then call nsds_contact_set_find() for
 * these keys at the same time. */
void nsds_contact_set_expect(nsds_contact_set *set, int from, const uint64_t *key, int count);

/* Returns the set behind a handle. Records an error and returns NULL if the set was destroyed. */
nsds_contact_set *nsds_contact_set_alive(const nsds_contact_set *handle, const char *call);
/* Like nsds_contact_set_alive(), but the set must have that geometry. */
nsds_contact_set *nsds_contact_set_of(const nsds_contact_set *handle, const char *call,
                                      const nsds_geometry_ops *ops);

/* Writes "contact set 'pile'" to the caller's buffer and returns the buffer. */
const char *nsds_contact_set_label(const nsds_contact_set *set, char *buffer);

static inline bool nsds_place_has_tangent(const nsds_contact_place *place) {
  const double *t = place->tangent;
  return place->dimension != 2 && (t[0] != 0.0 || t[1] != 0.0 || t[2] != 0.0);
}

/* Sets the place of contact k; NULL: not known. A tangent needs room. */
static inline void nsds_contact_set_locate(nsds_contact_set *set, int k,
                                           const nsds_contact_place *place) {
  static const nsds_contact_place unknown = {.dimension = 0};
  nsds_contact_pair *pair = &set->pair[k];
  if (!place && pair->dimension == 0) return;
  const nsds_contact_place *at = place ? place : &unknown;
  memcpy(pair->point, at->point, sizeof pair->point);
  memcpy(pair->normal, at->normal, sizeof pair->normal);
  memcpy(pair->shape, at->shape, sizeof pair->shape);
  pair->dimension = place && at->dimension == 0 ? 3 : at->dimension;
  if (at->dimension == 2) pair->point[2] = pair->normal[2] = 0.0;
  for (int i = 0; i < 3 && NSDS_UNLIKELY(set->tangents); ++i)
    set->tangent[k][i] = at->dimension == 2 ? 0.0 : at->tangent[i];
}

void nsds_contact_sets_destroy(nsds_model *model);

static inline void nsds_contact_set_show(nsds_contact_set *set, int k, bool active) {
  set->active[k] = active;
}

#endif
