/*
 * The table of model files, see schema.h; its parts are schema_systems.c and its neighbors. The
 * reference and the expansion print keys in the order of the table. A default is written as a file
 * would write it, so that an expansion with all defaults reads back as the same model.
 */
#include "run/model/schema.h"

#include "run/model/schema_contacts.h"
#include "run/model/schema_relations.h"
#include "run/model/schema_rows.h"
#include "run/model/schema_simulation.h"
#include "run/model/schema_systems.h"

#include <string.h>

static const nsds_schema_object file = {
    NULL, "A model file.",
    (const nsds_schema_key[]){
        INTEGER("nsds", "[1, 1]", NULL, "Version of the format: 1."),
        TEXT("name", "", "Name of the model."),
        OTHER("parameters", NSDS_SCHEMA_VALUES, "zero",
              "Names with numbers, or expressions in the parameters above."),
        OBJECT("systems", NSDS_SCHEMA_OBJECTS, &nsds_schema_systems, NULL, "Systems by name."),
        OBJECT("relations", NSDS_SCHEMA_OBJECTS, &nsds_schema_relations, "zero",
               "Relations by name, which interactions share."),
        OBJECT("laws", NSDS_SCHEMA_OBJECTS, &nsds_schema_laws, "zero",
               "Laws by name, which interactions share."),
        OBJECT("interactions", NSDS_SCHEMA_OBJECTS, &nsds_schema_interactions, "zero",
               "Interactions by name."),
        OBJECT("contacts", NSDS_SCHEMA_OBJECTS, &nsds_schema_contact_sets, "zero",
               "Contact sets by name."),
        OBJECT("simulation", NSDS_SCHEMA_OBJECT, &nsds_schema_simulations, NULL,
               "How the model is advanced."),
        OBJECT("samplers", NSDS_SCHEMA_OBJECTS, &nsds_schema_samplers, "zero",
               "Sampled controllers by name."),
        OBJECT("events", NSDS_SCHEMA_LIST, &nsds_schema_events, "zero", "Changes at given times."),
        OBJECT("outputs", NSDS_SCHEMA_OBJECT, &nsds_schema_outputs, "auto",
               "The table that a run writes."),
        OBJECT("measures", NSDS_SCHEMA_OBJECTS, &nsds_schema_measures, "zero",
               "Numbers that sum a run up."),
        END}};
const nsds_schema_family nsds_schema_file = {"file", "A model file.", ONE(file)};

const nsds_schema_object *nsds_schema_member(const nsds_schema_family *family, const char *type) {
  for (const nsds_schema_object *const *m = family->member; *m; ++m)
    if ((*m)->type ? type && strcmp((*m)->type, type) == 0 : !type) return *m;
  return NULL;
}

const nsds_schema_key *nsds_schema_find(const nsds_schema_object *object, const char *name) {
  for (const nsds_schema_key *k = object->key; k->name; ++k)
    if (strcmp(k->name, name) == 0) return k;
  return NULL;
}
