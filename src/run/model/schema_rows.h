/*
 * Rows of the table of model files: n name, s size, u unit, r range, w words or letters, f default,
 * h help, see nsds_schema_key. Only the sources of the table include this header.
 */
#ifndef NSDS_SRC_SCHEMA_ROWS_H
#define NSDS_SRC_SCHEMA_ROWS_H

#include "run/model/schema_types.h"

#define END                                                                                        \
  { .name = NULL }
#define NUMBER(n, u, r, f, h)                                                                      \
  { .name = n, .kind = NSDS_SCHEMA_NUMBER, .unit = u, .range = r, .fallback = f, .help = h }
#define INTEGER(n, r, f, h)                                                                        \
  { .name = n, .kind = NSDS_SCHEMA_INTEGER, .range = r, .fallback = f, .help = h }
#define TRUTH(n, f, h)                                                                             \
  { .name = n, .kind = NSDS_SCHEMA_TRUTH, .fallback = f, .help = h }
#define TEXT(n, f, h)                                                                              \
  { .name = n, .kind = NSDS_SCHEMA_TEXT, .fallback = f, .help = h }
#define CHOICE(n, w, f, h)                                                                         \
  { .name = n, .kind = NSDS_SCHEMA_WORD, .words = w, .fallback = f, .help = h }
#define NAME(n, f, h)                                                                              \
  { .name = n, .kind = NSDS_SCHEMA_NAME, .fallback = f, .help = h }
#define NAMES(n, f, h)                                                                             \
  { .name = n, .kind = NSDS_SCHEMA_NAMES, .fallback = f, .help = h }
#define VECTOR(n, s, u, f, h)                                                                      \
  { .name = n, .kind = NSDS_SCHEMA_VECTOR, .size = s, .unit = u, .fallback = f, .help = h }
#define MATRIX(n, s, u, f, h)                                                                      \
  { .name = n, .kind = NSDS_SCHEMA_MATRIX, .size = s, .unit = u, .fallback = f, .help = h }
#define FUNCTION(n, s, u, w, p, f, h)                                                              \
  {                                                                                                \
    .name = n, .kind = NSDS_SCHEMA_FUNCTION, .size = s, .unit = u, .uses = w, .plugin = p,         \
    .fallback = f, .help = h                                                                       \
  }
#define EXPRESSION(n, u, f, h)                                                                     \
  { .name = n, .kind = NSDS_SCHEMA_EXPRESSION, .unit = u, .fallback = f, .help = h }
#define OTHER(n, k, f, h)                                                                          \
  { .name = n, .kind = k, .fallback = f, .help = h }
#define OBJECT(n, k, m, f, h)                                                                      \
  { .name = n, .kind = k, .family = m, .fallback = f, .help = h }
#define ONE(object)                                                                                \
  (const nsds_schema_object *const[]) { &object, NULL }

/* Keys that systems, relations and interactions share. */
#define REPEAT                                                                                     \
  INTEGER("repeat", "[1, 100000]", "auto",                                                         \
          "Makes so many of them, with the names name[0], name[1], ...; expressions may use the "  \
          "index i.")
#define PARAMETERS                                                                                 \
  OTHER("z", NSDS_SCHEMA_VALUES, "zero",                                                           \
        "Parameters that samplers and events may change: names with numbers, or a list (z1, z2, "  \
        "...).")
#define WHERE                                                                                      \
  OTHER("where", NSDS_SCHEMA_VALUES, "zero",                                                       \
        "Names for expressions that several functions use; each may use those above.")

#endif
