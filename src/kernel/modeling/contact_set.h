/*
 * Contact sets as the model keeps them. The assembly room fills them at the start of a step through
 * the sink below; rows of the state belong to the set as a whole, contact k has rows
 * first_row + k size.
 */
#ifndef NSDS_SRC_CONTACT_SET_H
#define NSDS_SRC_CONTACT_SET_H

#include "kernel/modeling/modeling.h"

#include <nsds/contact.h>

typedef struct nsds_contact_pair {
  nsds_ds *ds[2];
  nsds_contact_place at; /* dimension 0: not known */
} nsds_contact_pair;

struct nsds_contact_set {
  nsds_place place; /* first: sets have handles */
  nsds_model *model;
  const nsds_geometry_ops *ops;
  void *self;
  nsds_law *law;
  nsds_tag tag;
  char *label;         /* of the geometry, for messages, or NULL */
  int index;           /* position in the model */
  int count, capacity; /* contacts found last; contacts there is room for */
  int first_row;
  uint64_t *key;
  nsds_contact_pair *pair;
  bool *active;
  /* as it was before the detection under way, for finding contacts again and for steps that fail */
  bool detecting;
  int old_count;
  uint64_t *old_key;
  nsds_contact_pair *old_pair;
  bool *old_active;
  double *old_row[4]; /* y, dy/dt, impulse, force */
  int *table;         /* places of old keys, -1: none */
  size_t table_size;
  bool tabled; /* the old keys are in the table */
};

/* Contacts that a bundled geometry has found, in their order. */
enum { nsds_batch_rows = 5, nsds_batch_columns = 12 };
typedef struct nsds_batch {
  int count;
  const uint64_t *key;
  int columns;  /* most velocities that two bodies have, up to nsds_batch_columns */
  bool foreign; /* with a law of a program's own, which no thread may call */
  const void *self;
  /* Bodies with their places in the model, law, y, H and where it is of one, by several threads at a
   * time. */
  void (*get)(const void *self, int k, nsds_contact_point *point, int place[2], double *y,
              double *H, nsds_contact_place *where);
} nsds_batch;

struct nsds_contacts {
  nsds_contact_set *set;
  int count;           /* handed over so far */
  bool follows;        /* for event-driven simulation: all that can touch before the next search */
  double ahead;        /* 0, or the time [s] by which q of the model is ahead of its state, */
  const double *start; /* and that q of the state, of all systems */
  bool turns;         /* normals turn as bodies pass each other, and laws remember the last dy/dt */
  nsds_status status; /* of the first contact that was refused */
  nsds_status (*take)(nsds_contacts *contacts, const nsds_contact_point *point);
  nsds_status (*take_all)(nsds_contacts *contacts, const nsds_batch *batch);
};

/* Hands over all of a batch; what a user's geometry may do wrong is not looked for. */
nsds_status nsds_contacts_add_all(nsds_contacts *contacts, const nsds_batch *batch);

/* Room for so many contacts; rows move with their values. */
nsds_status nsds_contact_set_grow(nsds_contact_set *set, int count);
/* A detection begins: what the set has is put aside. */
void nsds_contact_set_begin(nsds_contact_set *set);
/* The end of it: the contacts found stay, or those before come back. */
void nsds_contact_sets_close(nsds_model *model, bool stay);

static inline void nsds_contact_sets_end(nsds_model *model, bool stay) {
  if (NSDS_UNLIKELY(model->set.count > 0)) nsds_contact_sets_close(model, stay);
}
/* The place of a key among the old contacts, -1 where it is new; looks at this place first. */
int nsds_contact_set_find(nsds_contact_set *set, uint64_t key, int place);
/* Keys that come next, from place `from` on: nsds_contact_set_find() may then be called for them by
 * several threads at a time. */
void nsds_contact_set_expect(nsds_contact_set *set, int from, const uint64_t *key, int count);

/* The set behind a handle; NULL, with the error recorded, where it was destroyed. */
nsds_contact_set *nsds_contact_set_alive(const nsds_contact_set *handle, const char *call);
/* The same, if it has that geometry. */
nsds_contact_set *nsds_contact_set_of(const nsds_contact_set *handle, const char *call,
                                      const nsds_geometry_ops *ops);

/* "contact set 'pile'" into a caller's buffer; returns the buffer. */
const char *nsds_contact_set_label(const nsds_contact_set *set, char *buffer);

/* Keeps where a contact is; NULL: not known. */
static inline void nsds_contact_pair_locate(nsds_contact_pair *pair,
                                            const nsds_contact_place *place) {
  pair->at = place ? *place : (nsds_contact_place){.dimension = 0};
  if (place && place->dimension == 0) pair->at.dimension = 3;
  if (place && place->dimension == 2) {
    pair->at.point[2] = pair->at.normal[2] = 0.0;
    for (int k = 0; k < 3; ++k) pair->at.tangent[k] = 0.0;
  }
}

/* Frees all contact sets. */
void nsds_contact_sets_destroy(nsds_model *model);

/* Whether contact k is closed, as the set says. */
static inline void nsds_contact_set_show(nsds_contact_set *set, int k, bool active) {
  set->active[k] = active;
}

#endif
