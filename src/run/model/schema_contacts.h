/* Contact sets of model files. */
#ifndef NSDS_SRC_SCHEMA_CONTACTS_H
#define NSDS_SRC_SCHEMA_CONTACTS_H

#include "run/model/schema_types.h"

extern const nsds_schema_family nsds_schema_contact_sets;

#endif
