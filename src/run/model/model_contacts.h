/*
 * Contact sets of a model file.
 */
#ifndef NSDS_SRC_MODEL_CONTACTS_H
#define NSDS_SRC_MODEL_CONTACTS_H

#include "run/model/model_values.h"

/* Makes all contact sets under the key `contacts` of the file; false with a message. */
bool nsds_contacts_make(const nsds_entry *root);

/* Reads the shapes of bodies that no contact set has; they are only drawn. NULL with a message, or
 * without shapes. The array lives as long as the file. */
nsds_shape_def *nsds_contacts_left_shapes(nsds_model_file *file, int *count);

/* The materials of a contact set; NULL with a message. */
nsds_material *nsds_contacts_materials(const nsds_entry *e, int *count);
/* The scenery of a contact set that meets bodies, without an array its number alone. -1 after a failure. */
int nsds_contacts_scenery(const nsds_entry *e, int dimension, nsds_shape_def *array);
/* The same of the shapes of a body that meet others. */
int nsds_contacts_of_body(nsds_model_file *file, const nsds_named *body, nsds_shape_def *array);

#endif
