/* Interactions of model files. See schema.h. */
#include "run/model/schema_relations.h"

#include "base/text/field_rows.h"

static const nsds_type interaction = {
    .type = NULL,
    .help = "One relation and one law over systems.",
    .field = (const nsds_field[]){
        NAMES("systems", NULL,
              "The systems, in the order of the relation; first-order systems first."),
        OBJECT("relation", NSDS_FIELD_REFERENCE, "relation", NULL,
               "The relation, or the name of one under relations."),
        OBJECT(
            "law", NSDS_FIELD_REFERENCE, "law", "auto",
            "The law, or the name of one under laws; auto: equality, of joints and springs alone."),
        OBJECT("acts", NSDS_FIELD_OBJECT, "action", "none",
               "Drive, spring, friction, armature and stops of a joint."),
        REPEAT, END}};
const nsds_family nsds_schema_interactions = {"interaction", "An edge of the graph.",
                                              ONE(interaction)};
