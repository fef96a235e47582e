/*
 * Rows of the catalogue, see nsds/catalogue.h: n name, s size, u unit, r range, w words or letters,
 * f default, h help. Rows with OF in their names stand for the member m of the definition D. Those
 * with AS have another name in model files. Only sources with tables include this header.
 */
#ifndef NSDS_SRC_FIELD_ROWS_H
#define NSDS_SRC_FIELD_ROWS_H

#include <nsds/catalogue.h>

#include <stddef.h>

#define END                                                                                        \
  { .name = NULL }
#define MEMBER(D, m) .member = #m, .offset = offsetof(D, m), .bytes = sizeof(((D *)0)->m)

#define NUMBER(n, u, r, f, h)                                                                      \
  { .name = n, .kind = NSDS_FIELD_NUMBER, .unit = u, .range = r, .fallback = f, .help = h }
#define NUMBER_AS(n, D, m, u, r, f, h)                                                             \
  {                                                                                                \
    .name = n, MEMBER(D, m), .kind = NSDS_FIELD_NUMBER, .unit = u, .range = r, .fallback = f,      \
    .help = h                                                                                      \
  }
#define NUMBER_OF(D, m, u, r, f, h) NUMBER_AS(#m, D, m, u, r, f, h)
#define NUMBER_OR_NONE_OF(D, m, k, u, r, f, h) /* k: stands for 0, as 0 means the default */       \
  {                                                                                                \
    .name = #m, MEMBER(D, m), .kind = NSDS_FIELD_NUMBER, .first = k, .unit = u, .range = r,        \
    .fallback = f, .help = h                                                                       \
  }
#define INTEGER(n, r, f, h)                                                                        \
  { .name = n, .kind = NSDS_FIELD_INTEGER, .range = r, .fallback = f, .help = h }
#define INTEGER_OF(D, m, r, f, h)                                                                  \
  { .name = #m, MEMBER(D, m), .kind = NSDS_FIELD_INTEGER, .range = r, .fallback = f, .help = h }
#define COUNT_OR_NONE_OF(D, m, k, r, f, h) /* k: stands for 0, as 0 means the default */           \
  {                                                                                                \
    .name = #m, MEMBER(D, m), .kind = NSDS_FIELD_INTEGER, .first = k, .range = r, .fallback = f,   \
    .help = h                                                                                      \
  }
#define TRUTH(n, f, h)                                                                             \
  { .name = n, .kind = NSDS_FIELD_TRUTH, .fallback = f, .help = h }
#define TRUTH_AS(n, D, m, f, h)                                                                    \
  { .name = n, MEMBER(D, m), .kind = NSDS_FIELD_TRUTH, .fallback = f, .help = h }
#define TRUTH_OF(D, m, f, h) TRUTH_AS(#m, D, m, f, h)
#define TEXT(n, f, h)                                                                              \
  { .name = n, .kind = NSDS_FIELD_TEXT, .fallback = f, .help = h }
#define TEXT_OF(D, m, f, h)                                                                        \
  { .name = #m, MEMBER(D, m), .kind = NSDS_FIELD_TEXT, .pointer = true, .fallback = f, .help = h }
#define CHOICE(n, w, f, h)                                                                         \
  { .name = n, .kind = NSDS_FIELD_WORD, .words = w, .fallback = f, .help = h }
#define CHOICE_AS(n, D, m, w, k, f, h) /* k: the value of the first word */                        \
  {                                                                                                \
    .name = n, MEMBER(D, m), .kind = NSDS_FIELD_WORD, .words = w, .first = k, .fallback = f,       \
    .help = h                                                                                      \
  }
#define CHOICE_OF(D, m, w, f, h) CHOICE_AS(#m, D, m, w, 0, f, h)
#define CHOICE_TEXT_OF(D, m, w, f, h) /* the member points to the word */                          \
  {                                                                                                \
    .name = #m, MEMBER(D, m), .kind = NSDS_FIELD_WORD, .pointer = true, .words = w, .fallback = f, \
    .help = h                                                                                      \
  }
#define NAME(n, f, h)                                                                              \
  { .name = n, .kind = NSDS_FIELD_NAME, .fallback = f, .help = h }
#define NAMES(n, f, h)                                                                             \
  { .name = n, .kind = NSDS_FIELD_NAMES, .fallback = f, .help = h }
#define VECTOR(n, s, u, f, h)                                                                      \
  { .name = n, .kind = NSDS_FIELD_VECTOR, .size = s, .unit = u, .fallback = f, .help = h }
#define VECTOR_AS(n, D, m, s, u, f, h)                                                             \
  {                                                                                                \
    .name = n, MEMBER(D, m), .kind = NSDS_FIELD_VECTOR, .size = s, .unit = u, .fallback = f,       \
    .help = h                                                                                      \
  }
#define VECTOR_OF(D, m, s, u, f, h) VECTOR_AS(#m, D, m, s, u, f, h)
#define WHOLES_AS(n, D, m, k, s, r, f, h) /* k: what 0 of the member is in model files */          \
  {                                                                                                \
    .name = n, MEMBER(D, m), .kind = NSDS_FIELD_VECTOR, .whole = true, .size = s, .first = k,      \
    .range = r, .fallback = f, .help = h                                                           \
  }
#define POINTER_OF(D, m, c, s, u, f, h) /* c: the member with the number of entries */             \
  {                                                                                                \
    .name = #m, MEMBER(D, m), .kind = NSDS_FIELD_VECTOR, .pointer = true, .count = offsetof(D, c), \
    .size = s, .unit = u, .fallback = f, .help = h                                                 \
  }
/* Pointers to as many numbers as the size says, and to a matrix that may be sparse in the member k. */
#define ARRAY_OF(D, m, s, u, f, h)                                                                 \
  {                                                                                                \
    .name = #m, MEMBER(D, m), .kind = NSDS_FIELD_VECTOR, .pointer = true, .size = s, .unit = u,    \
    .fallback = f, .help = h                                                                       \
  }
#define TABLE_OF(D, m, s, u, f, h)                                                                 \
  {                                                                                                \
    .name = #m, MEMBER(D, m), .kind = NSDS_FIELD_MATRIX, .pointer = true, .size = s, .unit = u,    \
    .fallback = f, .help = h                                                                       \
  }
#define SPARSE_OF(D, m, k, s, u, f, h)                                                             \
  {                                                                                                \
    .name = #m, MEMBER(D, m), .kind = NSDS_FIELD_MATRIX, .pointer = true,                          \
    .sparse = offsetof(D, k), .size = s, .unit = u, .fallback = f, .help = h                       \
  }
#define TABLE_WITH(D, m, k, s, u, f, h) /* k: the member with the columns, 0 without the matrix */ \
  {                                                                                                \
    .name = #m, MEMBER(D, m), .kind = NSDS_FIELD_MATRIX, .pointer = true,                          \
    .columns = offsetof(D, k), .size = s, .unit = u, .fallback = f, .help = h                      \
  }
#define MATRIX(n, s, u, f, h)                                                                      \
  { .name = n, .kind = NSDS_FIELD_MATRIX, .size = s, .unit = u, .fallback = f, .help = h }
#define MATRIX_OF(D, m, c, k, s, u, f, h) /* c, k: the members with the rows and columns */        \
  {                                                                                                \
    .name = #m, MEMBER(D, m), .kind = NSDS_FIELD_MATRIX, .pointer = true, .count = offsetof(D, c), \
    .columns = offsetof(D, k), .size = s, .unit = u, .fallback = f, .help = h                      \
  }
#define FUNCTION(n, s, u, w, p, f, h)                                                              \
  {                                                                                                \
    .name = n, .kind = NSDS_FIELD_FUNCTION, .size = s, .unit = u, .uses = w, .plugin = p,          \
    .fallback = f, .help = h                                                                       \
  }
/* The last argument: VARIES, CONSTANT, CONSTANT_OR_SPARSE, CONSTANT_WITH, SLOPE_OF, or SLOPE_IF. */
#define FUNCTION_OF(n, D, m, s, u, w, p, f, h, form)                                               \
  {                                                                                                \
    .name = n, MEMBER(D, m), .kind = NSDS_FIELD_FUNCTION, .size = s, .unit = u, .uses = w,         \
    .plugin = p, .fallback = f, .help = h, form                                                    \
  }
#define VARIES .constant = 0
#define CONSTANT(D, m) .constant = offsetof(D, m)
#define CONSTANT_OR_SPARSE(D, m, k) .constant = offsetof(D, m), .sparse = offsetof(D, k)
#define CONSTANT_WITH(D, m, k) .constant = offsetof(D, m), .columns = offsetof(D, k)
#define SLOPE_OF(text) .slope_of = text
#define SLOPE_IF(text) .slope_of = text, .optional = true
#define EXPRESSION(n, u, f, h)                                                                     \
  { .name = n, .kind = NSDS_FIELD_EXPRESSION, .unit = u, .fallback = f, .help = h }
#define OTHER(n, k, f, h)                                                                          \
  { .name = n, .kind = k, .fallback = f, .help = h }
#define OBJECT(n, k, m, f, h)                                                                      \
  { .name = n, .kind = k, .family = m, .fallback = f, .help = h }
#define OBJECT_OF(D, m, y, f, h)                                                                   \
  { .name = #m, MEMBER(D, m), .kind = NSDS_FIELD_OBJECT, .family = y, .fallback = f, .help = h }

/* A list of types with one entry. */
#define ONE(type)                                                                                  \
  (const nsds_type *const[]) { &type, NULL }

/* Size and reserved words of a definition. */
#define DEFINITION(D) .bytes = sizeof(D), .tail = offsetof(D, reserved)

/* A definition that begins with a name. */
#define NAMED(D) .named = true, .name_at = offsetof(D, name)

/* The function of a type that calls a constructor. */
#define MAKER(call, definition)                                                                    \
  static void *make_##call(struct nsds_model *model, const void *def) {                            \
    return call(model, (const definition *)def);                                                   \
  }

/* Keys that systems, relations and interactions share. */
#define REPEAT                                                                                     \
  INTEGER("repeat", "[1, 100000]", "auto",                                                         \
          "Makes so many of them, with the names name[0], name[1], ...; expressions may use the "  \
          "index i.")
#define PARAMETERS_HELP                                                                            \
  "Parameters that samplers and events may change: names with numbers, or a list (z[0], z[1], "    \
  "...)."
#define PARAMETERS OTHER("z", NSDS_FIELD_VALUES, "zero", PARAMETERS_HELP)
#define PARAMETERS_OF(D)                                                                           \
  {                                                                                                \
    .name = "z", MEMBER(D, z), .kind = NSDS_FIELD_VALUES, .count = offsetof(D, nz),                \
    .fallback = "zero", .help = PARAMETERS_HELP                                                    \
  }
#define WHERE                                                                                      \
  OTHER("where", NSDS_FIELD_VALUES, "zero",                                                        \
        "Names for expressions that several functions use; each may use those above.")

/* Keys and places that systems share. */
#define SYSTEM_KEYS(D)                                                                             \
  WHERE, PARAMETERS_OF(D),                                                                         \
      OBJECT("scheme", NSDS_FIELD_OBJECT, "scheme", "auto",                                        \
             "A scheme of its own in time stepping; auto: that of the simulation."),               \
      REPEAT
#define PRESCRIBED                                                                                 \
  VECTOR("prescribed", "any", NULL, "zero",                                                        \
         "Degrees of freedom, from 1, whose velocities are given by prescribed_velocity."),        \
      FUNCTION("prescribed_velocity", "as prescribed", "m/s, rad/s", "tz", NSDS_KIND_PRESCRIBED,   \
               "zero", "Velocities of the prescribed degrees of freedom.")
#define SYSTEM(D) DEFINITION(D), NAMED(D), .user_at = offsetof(D, user)
#define PRESCRIBES(D) .prescribed_at = offsetof(D, prescribed)

/* Keys that simulations share. */
#define SOLVER_KEYS(D)                                                                             \
  TEXT_OF(D, solver, "auto", "Name of a solver; nsds solvers lists them."),                        \
      TEXT("solver_plugin", "none",                                                                \
           "Path of a plugin that has the solver, relative to the model file."),                   \
      OTHER("solver_options", NSDS_FIELD_VALUES, "zero",                                           \
            "Options of the solver: names with numbers.")
#define RESIDUAL_OF(D, m)                                                                          \
  NUMBER_OF(D, m, "1", "(0, 1]", "1e-10", "Certified residual of a solved problem.")
#define SOLVER_OF(D) SOLVER_KEYS(D), RESIDUAL_OF(D, tolerance)

#endif
