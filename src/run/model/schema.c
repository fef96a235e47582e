/*
 * The table of model files, see schema.h; its parts are schema_relations.c and schema_simulation.c. The
 * reference and the expansion print keys in the order of the table. A default is written as a file
 * would write it, so that an expansion with all defaults reads back as the same model.
 */
#include "run/model/schema.h"

#include "run/model/schema_relations.h"
#include "base/text/field_rows.h"
#include "run/model/schema_simulation.h"

#include <string.h>

static const nsds_type file = {
    .type = NULL,
    .help = "A model file.",
    .field = (const nsds_field[]){
        INTEGER("nsds", "[1, 1]", NULL, "Version of the format: 1."),
        TEXT("name", "", "Name of the model."),
        OTHER("parameters", NSDS_FIELD_VALUES, "zero",
              "Names with numbers, or expressions in the parameters above."),
        OBJECT("systems", NSDS_FIELD_OBJECTS, "system", NULL, "Systems by name."),
        OBJECT("relations", NSDS_FIELD_OBJECTS, "relation", "zero",
               "Relations by name, which interactions share."),
        OBJECT("laws", NSDS_FIELD_OBJECTS, "law", "zero",
               "Laws by name, which interactions share."),
        OBJECT("interactions", NSDS_FIELD_OBJECTS, "interaction", "zero", "Interactions by name."),
        OBJECT("contacts", NSDS_FIELD_OBJECTS, "contact set", "zero", "Contact sets by name."),
        OBJECT("sensors", NSDS_FIELD_OBJECTS, "sensor", "zero", "Sensors by name."),
        OBJECT("simulation", NSDS_FIELD_OBJECT, "simulation", NULL, "How the model is advanced."),
        OBJECT("samplers", NSDS_FIELD_OBJECTS, "sampler", "zero", "Sampled controllers by name."),
        OBJECT("events", NSDS_FIELD_LIST, "event", "zero", "Changes at given times."),
        OBJECT("outputs", NSDS_FIELD_OBJECT, "outputs", "auto", "The table that a run writes."),
        OBJECT("measures", NSDS_FIELD_OBJECTS, "measure", "zero", "Numbers that sum a run up."),
        END}};
const nsds_family nsds_schema_file = {"file", "A model file.", ONE(file)};

const nsds_family *nsds_schema_family(const char *name) {
  static const nsds_family *const own[] = {&nsds_schema_interactions, &nsds_schema_samplers,
                                           &nsds_schema_events, &nsds_schema_outputs,
                                           &nsds_schema_measures};
  for (size_t k = 0; k < sizeof own / sizeof *own; ++k)
    if (strcmp(own[k]->name, name) == 0) return own[k];
  return nsds_catalogue(name);
}

const nsds_type *nsds_schema_member(const nsds_family *family, const char *type) {
  for (const nsds_type *const *m = family->member; *m; ++m)
    if ((*m)->type ? type && strcmp((*m)->type, type) == 0 : !type) return *m;
  return NULL;
}

const nsds_field *nsds_schema_find(const nsds_type *object, const char *name) {
  for (const nsds_field *k = object->field; k->name; ++k)
    if (k->name[0] == name[0] && strcmp(k->name, name) == 0) return k; /* most differ at once */
  return NULL;
}

bool nsds_field_is_sized(const nsds_field *field) {
  return field->pointer && field->count == 0 &&
         (field->kind == NSDS_FIELD_VECTOR || field->kind == NSDS_FIELD_MATRIX);
}
