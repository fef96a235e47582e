/*
 * The parts of a model file's reader share this header. The header has the file with its parameters
 * and named objects, messages with line and column, and values of keys. Ranges and defaults come
 * from the schema.
 */
#ifndef NSDS_SRC_MODEL_READER_H
#define NSDS_SRC_MODEL_READER_H

#include "base/text/format.h"
#include "run/expression/expression.h"
#include "run/job/job_parts.h"
#include "base/text/name_list.h"
#include "base/text/names.h"
#include "run/model/schema.h"
#include "run/model/yaml_tree.h"

#include <nsds/nsds.h>

typedef enum nsds_named_kind {
  NSDS_NAMED_SYSTEM = 1,
  NSDS_NAMED_RELATION = 2,
  NSDS_NAMED_LAW = 4,
  NSDS_NAMED_INTERACTION = 8,
  NSDS_NAMED_SET = 16,
  NSDS_NAMED_SENSOR = 32
} nsds_named_kind;

/* A part of the file that others may refer to. */
typedef struct nsds_named {
  nsds_named_kind kind;
  const char *name;
  const nsds_type *schema; /* of interactions: that of the relation */
  const nsds_yaml *node;
  int index; /* i of a repeated one, else 0 */
  int older; /* the object of the same name and another kind before it, -1: none */
  union {
    nsds_ds *ds;
    nsds_relation *relation;
    nsds_law *law;
    nsds_interaction *interaction;
    nsds_contact_set *set;
    nsds_sensor *sensor;
  };
  int nz;                      /* own parameters of a system or relation */
  const char *const *z_name;   /* their names; NULL: z[0], z[1], ... */
  bool second_order;           /* of systems */
  nsds_relation *own_relation; /* of interactions: the relation that is theirs alone, or NULL */
  const double *center;        /* of bodies: shapes are moved from there; NULL: not moved */
  bool in_contact_set;         /* of bodies: a contact set has their shapes */
  const nsds_rigid_body_def *made_of; /* of rigid bodies in a world: the definition, kept */
} nsds_named;

/* A number that expressions of the file may use. */
typedef struct nsds_file_parameter {
  const char *name;
  double value;
} nsds_file_parameter;

/* Memory of the reader, freed with it. */
typedef struct nsds_file_block nsds_file_block;

/* The functions of one object. All may use the same names: model_functions.h. */
typedef struct nsds_functions nsds_functions;

/* Quantities of the running model that are used together: model_quantities.h. */
typedef struct nsds_quantities nsds_quantities;

/*
 * Faults of a file. A part of the file that fails is left out, and its name is in doubt: who uses
 * the name fails too, but is not reported.
 */
typedef struct nsds_file_faults {
  bool failed;      /* the part that is being read has failed */
  bool no_memory;   /* the reading ends */
  bool root;        /* keys of the file itself are wrong, so that its parts are not made */
  bool parameter;   /* so is a parameter, whose value is NaN; */
  bool asked;       /* an expression has asked for such a value */
  nsds_faults kept; /* reported in the end */
  nsds_names doubtful;
} nsds_file_faults;

/* A size that a key of a system tells, for messages about other keys. */
typedef struct nsds_file_size {
  int n; /* 0: none is told */
  char text[60];
} nsds_file_size;

/* A model file that is read, and then runs. */
typedef struct nsds_model_file {
  nsds_context *context;
  nsds_model *model;
  nsds_simulation *simulation;
  const char *path;   /* for messages */
  const char *folder; /* that paths in the file are relative to, ends with '/' or is empty */
  const nsds_yaml *root;
  nsds_sources *sources;
  nsds_job *job; /* takes warnings */
  int nparameter, nnamed, named_room;
  nsds_file_parameter *parameter;
  nsds_named *named;
  nsds_names names; /* of objects */
  int *newest;      /* the newest object of each name */
  double index;     /* i of the object that is made */
  nsds_file_block *block;
  size_t memory; /* bytes of all blocks */
  nsds_file_faults faults;
  nsds_file_size size;
  nsds_functions *functions;       /* made last */
  bool world;                      /* the file is to be a world: nsds/run.h; */
  double world_step;               /* of this length [s] */
  const nsds_job_figures *figures; /* of a world that another driver steps; NULL: none */
} nsds_model_file;

/* A map of the file, or of nothing but defaults, with its keys. */
typedef struct nsds_entry {
  nsds_model_file *file;
  const nsds_type *schema;
  const nsds_yaml *node;
} nsds_entry;

/* ---- messages and memory ---- */

/* Keeps "path:line:column: ..." as the fault of the part that is read, and returns NULL. The first
 * fault of a part stays. A place has one fault. */
void *nsds_file_fail(nsds_model_file *file, const nsds_yaml *node, const char *format, ...)
    NSDS_PRINTF(3, 4);
/* Tells if the part that is read has failed. */
bool nsds_file_failed(const nsds_model_file *file);
/* After a call of the library at this node: keeps its error with the place. Tells if the part has
 * failed. */
bool nsds_file_call_failed(nsds_model_file *file, const nsds_yaml *node);
/* The part that is read has failed, because of a part that has a fault itself. */
void nsds_file_fail_after(nsds_model_file *file);
/* Ends a part that has failed. Returns true if the next part is to be read. */
bool nsds_file_go_on(nsds_model_file *file);
/* The same, and the name of the part is in doubt from now on. */
bool nsds_file_go_on_without(nsds_model_file *file, const char *name);
/* Tells if a name is in doubt: "a" and "a[3]", if the part "a" has failed. */
bool nsds_file_is_doubtful(const nsds_model_file *file, const char *name);
/* True as long as there is no fault. */
bool nsds_file_is_sound(const nsds_model_file *file);
/* Reports all faults to the context; the status of the first. */
nsds_status nsds_file_report(nsds_model_file *file);
/* Zeroed memory that lives as long as the file; NULL with a message. */
void *nsds_file_memory(nsds_model_file *file, size_t count, size_t size);
const char *nsds_file_copy(nsds_model_file *file, const char *text);
void nsds_file_free_memory(nsds_model_file *file);
/* A path of the file, relative to its folder. */
const char *nsds_file_path(nsds_model_file *file, const char *path);

/* Tells if the file may open plugins; if not, the part that is read has failed. */
bool nsds_file_may_open(nsds_model_file *file, const nsds_yaml *path);
/* Reads a data file, to be freed; NULL: the part that is read has failed. */
char *nsds_file_read(nsds_model_file *file, const nsds_yaml *path);

/* ---- names ---- */

/* Adds a named object; NULL with a message. */
nsds_named *nsds_file_add(nsds_model_file *file, const nsds_named *named);
/* Returns the name of an object, or of number `index` of repeated ones: i is `index` from now on.
 * -1: not repeated. */
const char *nsds_file_instance(nsds_model_file *file, const char *name, int index);
/* Finds an object of one of these kinds by the text of a node, whose brackets may hold an index:
 * a[i-1]. NULL with a message that lists the names there are. */
nsds_named *nsds_file_find(nsds_model_file *file, const nsds_yaml *node, unsigned kinds);
/* The same by a name, without message. */
nsds_named *nsds_file_look_up(const nsds_model_file *file, const char *name, unsigned kinds);
/* Tells if a text may be a name: letters, digits and "_". */
bool nsds_is_name(const char *text);
/* Tells if a name means something else in expressions. */
bool nsds_name_is_reserved(const char *name);
/* Returns the value of a parameter, or of i; NULL if there is none. */
const double *nsds_file_parameter_value(void *file, const char *name);
/* Lists the parameters for messages. */
const char *nsds_file_parameter_names(void *file, const char *name);

/* ---- values ---- */

/* Reads a number that is no expression; false for other texts. */
bool nsds_read_number(const char *text, double *value);
/* "; an expression with a comma needs quotes" for a scalar, or a list with one, that a comma has
 * cut; else "". */
const char *nsds_comma_hint(const nsds_yaml *node);
/* Reports the fault of an expression at its place, and returns false. */
bool nsds_file_refuse_expression(nsds_model_file *file, const nsds_yaml *node,
                                 const nsds_expression_error *error);
/* A scalar that is a number or an expression in parameters; false with a message. */
bool nsds_file_constant(nsds_model_file *file, const nsds_yaml *node, double *value);

/* Returns the node of a key; NULL if the key is absent or says its default in words (auto, zero,
 * ...). */
const nsds_yaml *nsds_entry_node(const nsds_entry *entry, const char *key);
/* The node for messages about a key: that of its value, or of the map. */
const nsds_yaml *nsds_entry_place(const nsds_entry *entry, const char *key);
/* Tells if the key has a value other than its default in words. */
bool nsds_entry_has(const nsds_entry *entry, const char *key);
double nsds_entry_number(const nsds_entry *entry, const char *key);
int nsds_entry_integer(const nsds_entry *entry, const char *key);
bool nsds_entry_truth(const nsds_entry *entry, const char *key);
/* Place of the word among those of the schema, from 0. */
int nsds_entry_word(const nsds_entry *entry, const char *key);
const char *nsds_entry_text(const nsds_entry *entry, const char *key);
/* Returns the entry of the map behind a key of the kind object. The node is NULL if the key is
 * absent. */
nsds_entry nsds_entry_object(const nsds_entry *entry, const char *key);
/* An entry of a map of the file. */
nsds_entry nsds_file_entry(nsds_model_file *file, const nsds_family *family, const nsds_yaml *node);
/* Number of items of a list or map, 0 of an absent one, and the k-th. */
int nsds_entry_count(const nsds_entry *entry, const char *key);
nsds_entry nsds_entry_at(const nsds_entry *entry, const char *key, int k);
/* Names behind a key: the number, and the k-th node. */
int nsds_entry_names(const nsds_entry *entry, const char *key);
const nsds_yaml *nsds_entry_name(const nsds_entry *entry, const char *key, int k);

#endif
