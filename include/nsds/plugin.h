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
 * Build the plugin with `cc -shared -fPIC push.c -o push.so`.
 *
 * The compiler checks the type of each function in the table. Opening the file checks the ABI
 * version; taking a function checks its kind. The same table may hold laws and solvers; then write
 * the table by fields, see ::NSDS_PLUGIN_TABLE.
 */
#ifndef NSDS_PLUGIN_H
#define NSDS_PLUGIN_H

#include <nsds/extend.h>
#include <nsds/extend_solver.h>

#ifdef __cplusplus
extern "C" {
#endif

/** ABI of the plugin table, of ::nsds_arguments and of the structs that the table points to. The
 *  number grows when one of these changes incompatibly. */
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

/** The quantity that an operator computes. The text is the name of the field in the definition
 * struct. */
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
  nsds_kind kind;         /**< the quantity that it computes */
  nsds_operator function; /**< the function */
} nsds_plugin_entry;

/** A law of a plugin. */
typedef struct nsds_plugin_law_entry {
  const char *name; /**< unique among the laws of the table */
  int nz;           /**< number of parameters that `make` takes */
  /**
   * Makes a law from nz parameters, finite numbers. Write operations and `self` for one law to
   * *def, which is zero before the call. Return 0, or a status < 0; call nsds_report() to say why.
   */
  nsds_status (*make)(nsds_context *context, int nz, const double *z, nsds_custom_law_def *def);
} nsds_plugin_law_entry;

/** The table that a plugin exports under the symbol `nsds_plugin_table`. */
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

/** Writes the table of a plugin of functions: one ::nsds_plugin_entry in braces for each. */
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
 * Writes the table of a plugin by its fields; fields left out are zero:
 *
 *     NSDS_PLUGIN_TABLE(.nlaw = 1, .law = laws, .nsolver = 1, .solver = solvers)
 */
#define NSDS_PLUGIN_TABLE(...)                                                                     \
  NSDS_PLUGIN_EXPORT const nsds_plugin_table_type nsds_plugin_table;                               \
  const nsds_plugin_table_type nsds_plugin_table = {.abi = NSDS_PLUGIN_ABI, __VA_ARGS__};

/** An opened plugin. The model that opened the plugin closes it after the last use. */
typedef struct nsds_plugin nsds_plugin;

/**
 * Opens a plugin. The loader of the system finds a name without '/'. Error messages contain the
 * path and the loader's message. If the ABI differs, they name both versions. You may open a file
 * twice.
 */
NSDS_API nsds_plugin *nsds_plugin_open(nsds_model *model, const char *path);

/**
 * Returns a function of a given kind. If the name is unknown, the message lists the names in the
 * table; if the kind is wrong, the message names both kinds. Returns NULL on failure, and NULL
 * without an error for a NULL plugin.
 */
NSDS_API nsds_operator nsds_plugin_get(nsds_plugin *plugin, const char *name, nsds_kind kind);

/**
 * Makes a law of a plugin with nz parameters z, in the model that opened the plugin. The law is
 * then like any law of your own type, see nsds_custom_law(). Errors and NULL as in
 * nsds_plugin_get().
 */
NSDS_API nsds_law *nsds_plugin_law(nsds_plugin *plugin, const char *name, int nz, const double *z);

/**
 * Registers a solver of a plugin in the context of the model that opened the plugin. Simulations
 * and nsds_solver_create() then know the solver by its name. You may register a solver of this file
 * again. The shared object stays loaded to the end of the process, because the solver outlives the
 * model. If the name is unknown, the message lists the names in the table. Other errors as for
 * nsds_solver_register().
 */
NSDS_API nsds_status nsds_plugin_solver(nsds_plugin *plugin, const char *name);

#ifdef __cplusplus
}
#endif
#endif
