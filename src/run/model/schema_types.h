/*
 * Rows of the table of model files: objects, their keys, and families of objects.
 */
#ifndef NSDS_SRC_SCHEMA_TYPES_H
#define NSDS_SRC_SCHEMA_TYPES_H

#include <nsds/plugin.h>

enum { nsds_schema_version = 1 }; /* of the format, the value of the key `nsds` */

/* The kinds of values behind a key. */
typedef enum nsds_schema_kind {
  NSDS_SCHEMA_NUMBER,     /* a number, or an expression in parameters */
  NSDS_SCHEMA_INTEGER,    /* the same, whole */
  NSDS_SCHEMA_TRUTH,      /* true or false */
  NSDS_SCHEMA_TEXT,       /* any text */
  NSDS_SCHEMA_WORD,       /* one of `words` */
  NSDS_SCHEMA_NAME,       /* the name of another object */
  NSDS_SCHEMA_NAMES,      /* one name or a list of names */
  NSDS_SCHEMA_VECTOR,     /* a list of numbers */
  NSDS_SCHEMA_MATRIX,     /* a list of rows, and other forms */
  NSDS_SCHEMA_FUNCTION,   /* a vector or matrix of expressions in `uses`, or a plugin's function */
  NSDS_SCHEMA_EXPRESSION, /* an expression in quantities of the model, evaluated during the run */
  NSDS_SCHEMA_VALUES,     /* a map of names to numbers, or a list of numbers */
  NSDS_SCHEMA_SETTINGS,   /* a map of parameters to expressions */
  NSDS_SCHEMA_COLUMNS,    /* a list of quantities and of maps {name, value, unit} */
  NSDS_SCHEMA_OBJECT,     /* an object of `family` */
  NSDS_SCHEMA_REFERENCE,  /* an object of `family`, or the name of one */
  NSDS_SCHEMA_OBJECTS,    /* a map of names to objects of `family` */
  NSDS_SCHEMA_LIST        /* a list of objects of `family` */
} nsds_schema_kind;

typedef struct nsds_schema_family nsds_schema_family;

typedef struct nsds_schema_key {
  const char *name;
  nsds_schema_kind kind;
  const char *size;     /* of a vector or matrix, for people: "ny x nq" */
  const char *unit;     /* NULL: none */
  const char *range;    /* of a number: "> 0", ">= 0", "[0, 1]"; NULL: any finite one */
  const char *fallback; /* the meaning of an absent key; NULL: the key is required */
  const char *uses;     /* of a function: letters among t q v x r (dx/dt) z l (lambda) */
  nsds_kind plugin;     /* of a function: of a plugin's functions */
  const char *words;    /* of a word: "a b c" */
  const nsds_schema_family *family;
  const char *help;
} nsds_schema_key;

typedef struct nsds_schema_object {
  const char *type; /* the value of `type`; NULL: there is one type alone, and no such key */
  const char *help;
  const nsds_schema_key *key; /* ended by a NULL name */
} nsds_schema_object;

/* Objects that may stand in one place, told apart by their key `type`. */
struct nsds_schema_family {
  const char *name; /* "law" */
  const char *help;
  const nsds_schema_object *const *member; /* ended by NULL */
};

#endif
