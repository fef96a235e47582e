/**
 * @file plugin.h
 * @brief User functions, laws and solvers from shared objects.
 *
 * A plugin is a shared object that exports one table:
 *
 *     #include <nsds/plugin.h>
 *
 *     #include <math.h>
 *
 *     static int push(const nsds_arguments *in, double *out, void *user) {
 *       (void)user;
 *       out[0] = sin(in->t);
 *       return 0;
 *     }
 *
 *     NSDS_PLUGIN({"push", NSDS_KIND_FEXT, push})
 *
 * Build it with `cc -shared -fPIC push.c -o push.so`.
 *
 * The compiler checks each function's type where the table is written. Opening the file checks the
 * ABI version; taking a function checks its kind. Laws and solvers stand in the same table, which is then
 * written part by part, see ::NSDS_PLUGIN_TABLE.
 */
#ifndef NSDS_PLUGIN_H
#define NSDS_PLUGIN_H

#include <nsds/extend.h>
#include <nsds/extend_solver.h>

#ifdef __cplusplus
extern "C" {
#endif

/** ABI of the plugin table, of ::nsds_arguments and of the structs that the table leads to; raised when
 *  one of them changes incompatibly. */
#define NSDS_PLUGIN_ABI 2

/** X-macro list of operator kinds: name, text. */
#define NSDS_KIND_LIST(X)                                                                          \
  X(NSDS_KIND_MASS, "mass")                                                                        \
  X(NSDS_KIND_NNL, "nnl")                                                                          \
  X(NSDS_KIND_JAC_NNL_Q, "jac_nnl_q")                                                              \
  X(NSDS_KIND_JAC_NNL_V, "jac_nnl_v")                                                              \
  X(NSDS_KIND_FINT, "fint")                                                                        \
  X(NSDS_KIND_JAC_FINT_Q, "jac_fint_q")                                                            \
  X(NSDS_KIND_JAC_FINT_V, "jac_fint_v")                                                            \
  X(NSDS_KIND_FEXT, "fext")                                                                        \
  X(NSDS_KIND_CONTROL_MAP, "control_map")                                                          \
  X(NSDS_KIND_CONTROL, "control")                                                                  \
  X(NSDS_KIND_PRESCRIBED, "prescribed")                                                            \
  X(NSDS_KIND_OUTPUT, "output")                                                                    \
  X(NSDS_KIND_JAC_OUTPUT_Q, "jac_output_q")                                                        \
  X(NSDS_KIND_JAC_OUTPUT_T, "jac_output_t")                                                        \
  X(NSDS_KIND_JAC_OUTPUT_LAMBDA, "jac_output_lambda")                                              \
  X(NSDS_KIND_F, "f")                                                                              \
  X(NSDS_KIND_JAC_F_X, "jac_f_x")                                                                  \
  X(NSDS_KIND_A, "A")                                                                              \
  X(NSDS_KIND_B_VECTOR, "b")                                                                       \
  X(NSDS_KIND_JAC_OUTPUT_X, "jac_output_x")                                                        \
  X(NSDS_KIND_INPUT, "input")                                                                      \
  X(NSDS_KIND_JAC_INPUT_X, "jac_input_x")                                                          \
  X(NSDS_KIND_JAC_INPUT_LAMBDA, "jac_input_lambda")                                                \
  X(NSDS_KIND_C, "C")                                                                              \
  X(NSDS_KIND_D, "D")                                                                              \
  X(NSDS_KIND_B, "B")                                                                              \
  X(NSDS_KIND_F_MATRIX, "F")                                                                       \
  X(NSDS_KIND_E, "e")                                                                              \
  X(NSDS_KIND_BIAS, "bias")                                                                        \
  X(NSDS_KIND_JAC_CONTROL_X, "jac_control_x")                                                      \
  X(NSDS_KIND_JAC_CONTROL_XDOT, "jac_control_xdot")                                                \
  X(NSDS_KIND_JAC_CONTROL_MAP_X, "jac_control_map_x")                                              \
  X(NSDS_KIND_JAC_CONTROL_Q, "jac_control_q")                                                      \
  X(NSDS_KIND_JAC_CONTROL_V, "jac_control_v")                                                      \
  X(NSDS_KIND_JAC_CONTROL_MAP_Q, "jac_control_map_q")

/** The quantity that an operator computes; the text is the field of the definition struct it belongs to. */
typedef enum nsds_kind {
  NSDS_KIND_NONE = 0,            /**< not a kind */
#define NSDS_X(name, text) name, /**< see ::NSDS_KIND_LIST */
  NSDS_KIND_LIST(NSDS_X)
#undef NSDS_X
} nsds_kind;

/** Text of a kind; never NULL. */
NSDS_API const char *nsds_kind_text(nsds_kind kind);

/** A named function of a plugin. */
typedef struct nsds_plugin_entry {
  const char *name;       /**< unique in the table */
  nsds_kind kind;         /**< what it computes */
  nsds_operator function; /**< the function */
} nsds_plugin_entry;

/** A law of a plugin. */
typedef struct nsds_plugin_law_entry {
  const char *name; /**< unique among the laws of the table */
  int nz;           /**< number of parameters that `make` takes */
  /**
   * Makes a law from nz parameters, finite numbers: writes *def, zero beforehand, with operations and
   * `self` for one law. Returns 0, or a status < 0, with a message by nsds_report() where it knows why.
   */
  nsds_status (*make)(nsds_context *context, int nz, const double *z, nsds_custom_law_def *def);
} nsds_plugin_law_entry;

/** The table a plugin exports under the symbol `nsds_plugin_table`. */
typedef struct nsds_plugin_table_type {
  int abi;                              /**< NSDS_PLUGIN_ABI at compile time */
  int count;                            /**< number of functions */
  const nsds_plugin_entry *entry;       /**< functions */
  int nlaw;                             /**< number of laws */
  const nsds_plugin_law_entry *law;     /**< laws */
  int nsolver;                          /**< number of solvers */
  const nsds_solver_ops *const *solver; /**< solvers, by nsds_solver_ops::name */
} nsds_plugin_table_type;

/** Symbol of the exported table. */
#define NSDS_PLUGIN_SYMBOL "nsds_plugin_table"

/** Marks the table that a plugin exports. */
#ifdef __cplusplus
#define NSDS_PLUGIN_EXPORT extern "C" NSDS_API
#else
#define NSDS_PLUGIN_EXPORT NSDS_API
#endif

/** Writes the table of a plugin of functions: one brace-enclosed ::nsds_plugin_entry for each. */
#define NSDS_PLUGIN(...)                                                                           \
  static const nsds_plugin_entry nsds_plugin_entries[] = {__VA_ARGS__};                            \
  NSDS_PLUGIN_EXPORT const nsds_plugin_table_type nsds_plugin_table;                               \
  const nsds_plugin_table_type nsds_plugin_table = {                                               \
      NSDS_PLUGIN_ABI,                                                                             \
      (int)(sizeof nsds_plugin_entries / sizeof *nsds_plugin_entries),                             \
      nsds_plugin_entries,                                                                         \
      0,                                                                                           \
      NULL,                                                                                        \
      0,                                                                                           \
      NULL};

/**
 * Writes the table of a plugin by its fields, those that there are:
 *
 *     NSDS_PLUGIN_TABLE(.nlaw = 1, .law = laws, .nsolver = 1, .solver = solvers)
 */
#define NSDS_PLUGIN_TABLE(...)                                                                     \
  NSDS_PLUGIN_EXPORT const nsds_plugin_table_type nsds_plugin_table;                               \
  const nsds_plugin_table_type nsds_plugin_table = {.abi = NSDS_PLUGIN_ABI, __VA_ARGS__};

/** An opened plugin. The model that opened it closes it after its last user is gone. */
typedef struct nsds_plugin nsds_plugin;

/**
 * Opens a plugin. A name without '/' is looked up by the system's loader. Errors carry the path and
 * the loader's own words; a wrong ABI names both versions. Opening a file twice is fine.
 */
NSDS_API nsds_plugin *nsds_plugin_open(nsds_model *model, const char *path);

/**
 * Takes a function of a given kind. A missing name lists the names there are; a wrong kind names
 * both kinds. Returns NULL on failure, and NULL quietly for a NULL plugin.
 */
NSDS_API nsds_operator nsds_plugin_get(nsds_plugin *plugin, const char *name, nsds_kind kind);

/**
 * Makes a law of a plugin, in the model that opened it, with nz parameters z. It is then like any law of a
 * type of your own, see nsds_custom_law(). A missing name lists the names there are. NULL on failure, and
 * NULL quietly for a NULL plugin.
 */
NSDS_API nsds_law *nsds_plugin_law(nsds_plugin *plugin, const char *name, int nz, const double *z);

/**
 * Registers a solver of a plugin in the context of the model that opened it: simulations and
 * nsds_solver_create() know it by its name from then on. A solver of this file that is registered already
 * is fine. The shared object stays loaded to the end of the process, as the solver outlives the model.
 * A missing name lists the names there are; other errors are those of nsds_solver_register().
 */
NSDS_API nsds_status nsds_plugin_solver(nsds_plugin *plugin, const char *name);

#ifdef __cplusplus
}
#endif
#endif
