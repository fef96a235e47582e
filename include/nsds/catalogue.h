/**
 * @file catalogue.h
 * @brief The types that the library bundles, and what their definitions have.
 *
 * Each type of system, law, relation, shape, contact set, scheme or simulation is a row of the
 * catalogue. Each of its fields is a row too, with kind, size, unit, range, default and help. The
 * rows stand beside the constructor of the type. The constructor checks a definition by its rows.
 * Model files, their JSON schema, their reference and Python's help read the same rows.
 */
#ifndef NSDS_CATALOGUE_H
#define NSDS_CATALOGUE_H

#include <nsds/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Kinds of values of a field. Kinds from NSDS_FIELD_NAME on occur in model files only. */
typedef enum nsds_field_kind {
  NSDS_FIELD_NUMBER,     /**< a number; in model files also an expression in parameters */
  NSDS_FIELD_INTEGER,    /**< a whole number */
  NSDS_FIELD_TRUTH,      /**< true or false */
  NSDS_FIELD_TEXT,       /**< any text */
  NSDS_FIELD_WORD,       /**< one of `words` */
  NSDS_FIELD_VECTOR,     /**< a list of numbers */
  NSDS_FIELD_MATRIX,     /**< a list of rows, and other forms */
  NSDS_FIELD_FUNCTION,   /**< expressions in `uses`, or a plugin's function */
  NSDS_FIELD_NAME,       /**< the name of another object */
  NSDS_FIELD_NAMES,      /**< one name or a list of names */
  NSDS_FIELD_EXPRESSION, /**< an expression in quantities of the model, evaluated in the run */
  NSDS_FIELD_VALUES,     /**< a map of names to numbers, or a list of numbers */
  NSDS_FIELD_SETTINGS,   /**< a map of parameters to expressions */
  NSDS_FIELD_COLUMNS,    /**< a list of quantities and of maps {name, value, unit} */
  NSDS_FIELD_OBJECT,     /**< an object of `family` */
  NSDS_FIELD_REFERENCE,  /**< an object of `family`, or the name of one */
  NSDS_FIELD_OBJECTS,    /**< a map of names to objects of `family` */
  NSDS_FIELD_LIST        /**< a list of objects of `family` */
} nsds_field_kind;

/**
 * A field of a definition, and a key of model files. A field with `bytes` 0 is only a key: the
 * reader of model files makes the object from it by code of its own.
 */
typedef struct nsds_field {
  const char *name;     /**< the key; NULL ends the fields of a type */
  const char *member;   /**< the member of the definition, for example "coordinate.offset" */
  nsds_field_kind kind; /**< kind of the value */
  const char *size;     /**< of a vector or matrix, for people: "ny x nq", "3 (plane: 2)" */
  const char *unit;     /**< NULL: none */
  const char *range;    /**< of a number: "> 0", ">= 0", "[0, 1]", "(0, 1]", "(0, inf]" if it may
                             be inf; NULL: any finite one */
  const char *fallback; /**< what an absent key means; NULL: the key is required. A member that is
                             zero means the same */
  const char *uses;     /**< of a function: letters among t q v x r (dx/dt) z l (lambda) */
  int plugin;           /**< of a function: nsds_kind of a plugin's functions */
  const char *words;    /**< of a word: "a b c" */
  int first;          /**< value of the first word; of vectors of whole numbers: what 0 is in model
                             files; of a number: what stands for 0 where 0 means the default */
  const char *family; /**< of an object: nsds_catalogue() finds it, or the reader of files */
  const char *help;   /**< a sentence */
  size_t offset;      /**< place of the member in the definition */
  size_t bytes;       /**< size of the member; 0: the definition has no such member */
  size_t count;       /**< of a pointer: place of the int with the number of entries, or rows; of
                             an option: place of the unsigned with all options */
  size_t columns;     /**< of a pointer to a matrix: place of the int with its columns */
  bool whole;         /**< of a vector: the member has ints, which count from 0 */
  bool pointer;       /**< the member points to numbers, column by column, or to the text or word;
                             else it has them */
  bool optional;      /**< of a Jacobian: NULL means zero; else a function has to return zero */
  unsigned option;    /**< bit that tells that the field is given: true, or not its default; 0: the
                             field is no option */
  const char *slope_of; /**< of a Jacobian: the function, and the letter it is taken by: "fint q" */
  size_t constant; /**< of a function: place of the pointer to its values, if it is constant; 0:
                             it cannot be */
  size_t sparse;   /**< of a matrix or constant: place of the pointer to its sparse form; 0: it
                             has none */
  /** zero, see ::NSDS_RESERVED */
  uint64_t reserved[NSDS_RESERVED - 3];
} nsds_field;

struct nsds_model;

/** A type: a system, a law, a relation, a shape ... */
typedef struct nsds_type {
  const char *type;        /**< its name in model files; NULL: the only type of its family */
  const char *help;        /**< a sentence */
  const nsds_field *field; /**< ended by a field whose name is NULL */
  const char *call;        /**< its constructor, for example "nsds_relay" */
  size_t bytes;         /**< size of the definition; 0: the reader of files has code of its own */
  size_t tail;          /**< place of the reserved words in the definition; 0: it has none */
  bool named;           /**< the definition has a name (const char *) */
  size_t name_at;       /**< place of the name in the definition */
  size_t systems_at;    /**< place of the systems (nsds_ds *[]) in the definition */
  int most_systems;     /**< entries of this array; 0: the definition has no systems */
  size_t kind_at;       /**< place of an int that tells types of one definition apart; */
  int kind;             /**< its value; 0: there is none */
  size_t user_at;       /**< place of the pointer that functions receive; 0: it has none */
  size_t prescribed_at; /**< of a system: place of its nsds_prescribed; 0: it has none */
  bool own;             /**< objects belong to their systems and are never shared */
  bool equality;        /**< an interaction without a law means nsds_equality() */
  uint16_t ny_at;       /**< of a relation: place of the int with the size of y; 0: it has none */
  uint16_t nx_at;       /**< the same for X */
  uint16_t nq_at;       /**< the same for Q */
  uint16_t nv_at;       /**< the same for V */
  void *(*make)(struct nsds_model *model, const void *definition); /**< NULL: see `bytes` */
  /** zero, see ::NSDS_RESERVED */
  uint64_t reserved[NSDS_RESERVED - 3];
} nsds_type;

/** Types that may stand in one place, told apart by their names. */
typedef struct nsds_family {
  const char *name;               /**< "law" */
  const char *help;               /**< a sentence */
  const nsds_type *const *member; /**< ended by NULL */
} nsds_family;

/**
 * Finds a family by its name. The tables live as long as the library.
 *
 *     const nsds_family *laws = nsds_catalogue("law");
 *     for (const nsds_type *const *law = laws->member; *law; ++law) puts((*law)->help);
 *
 * @param family its name: "law"; NULL or an unknown name gives NULL
 */
NSDS_API const nsds_family *nsds_catalogue(const char *family);

#ifdef __cplusplus
}
#endif
#endif
