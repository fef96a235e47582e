/* Definitions of the library from the keys of a model file. */
#ifndef NSDS_SRC_MODEL_DEFINE_H
#define NSDS_SRC_MODEL_DEFINE_H

#include "run/model/model_values.h"

enum { nsds_definition_bytes = 1024 }; /* room for any definition of the catalogue */

/* Fills the members of a definition of the entry's type by the rows of the catalogue; the rest stays
 * as it is. `dimension` is 2 in the plane, else 3. false with a message. */
bool nsds_entry_define(const nsds_entry *entry, int dimension, void *def);
/* The same of an object behind a key. An absent object leaves the definition as it is. */
bool nsds_entry_define_at(const nsds_entry *entry, const char *key, int dimension, void *def);
/* Makes an object of the entry's type, which has no systems; NULL with a message. */
void *nsds_entry_make(const nsds_entry *entry);

#endif
