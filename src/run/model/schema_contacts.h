/* Contact sets of model files. */
#ifndef NSDS_SRC_SCHEMA_CONTACTS_H
#define NSDS_SRC_SCHEMA_CONTACTS_H

#include <nsds/catalogue.h>

extern const nsds_family nsds_schema_contact_sets, nsds_schema_planes, nsds_schema_pairs;

#endif
