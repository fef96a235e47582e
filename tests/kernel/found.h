/*
 * A geometry of the tests: a list of contacts with y = H Q + shift, any of which may be away,
 * handed over in the order of the list or in another one in every step.
 */
#ifndef NSDS_TEST_KERNEL_FOUND_H
#define NSDS_TEST_KERNEL_FOUND_H

#include "support.h"

enum { found_most = 256 };

typedef struct found_item {
  uint64_t key;
  nsds_ds *ds[2];
  double H[24], shift[3]; /* rows x nv, column-major */
  nsds_law *law;          /* of this contact; NULL: the set's */
  bool away;
} found_item;

typedef struct found {
  nsds_contact_set *set;
  int rows, count;
  bool shuffle;
  uint64_t seed;
  long finds;
  int destroyed;
  int stop;           /* contacts handed over before `status` is returned */
  nsds_status status; /* NSDS_OK: does not fail */
  bool deaf;          /* does not look at what nsds_contacts_add() says */
  found_item item[found_most];
} found;

/* Empties the list and makes a set of it. */
void found_create(found *f, nsds_model *model, const char *name, nsds_law *law, int rows);
/* Adds a contact; its key is its place unless changed. */
found_item *found_add(found *f, nsds_ds *a, nsds_ds *b, const double *H, double shift);
/* The contact of a key after the last step; false where there is none. */
bool found_get(const nsds_contact_set *set, uint64_t key, nsds_contact_info *info);
/* A fingerprint of all that is said of the contacts of a set. */
uint64_t found_hash(const nsds_contact_set *set, int rows, uint64_t seed);

#endif
