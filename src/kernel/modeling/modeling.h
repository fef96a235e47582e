/*
 * Internals of the modeling room: the objects of a model and the arrays their states live in.
 * The simulation room reads these structs; nothing here knows of integrators or solvers.
 */
#ifndef NSDS_SRC_MODELING_H
#define NSDS_SRC_MODELING_H

#include "base/arena.h"
#include "kernel/modeling/shape_column.h"

#include <nsds/extend.h>
#include <nsds/first_order.h>
#include <nsds/lagrangian.h>
#include <nsds/law.h>
#include <nsds/plugin.h>

enum { nsds_name_size = 48 };

/*
 * A state of the whole model: what every evaluation is made at. The accepted state, the trial state
 * of a step, and a saved one are the same to it. Two groups of arrays, of systems and of
 * interactions, so that interactions coming and going never move a system's state; places in them
 * do not depend on capacities.
 */
typedef struct nsds_state {
  double t;
  double *q, *v;        /* of all systems: nq coordinates; nv unknowns, v or x */
  double *p, *reaction; /* nv: sum of H^T P, or r; what prescribed unknowns needed */
  double *y, *ydot;     /* of all interactions: ny rows */
  double *impulse;      /* ny: P of second order, lambda of first order */
  double *force;        /* ny: P / h of the last piece of a step; lambda of first order */
  size_t q_capacity, v_capacity, y_capacity;
} nsds_state;

/* Numbers of entries in use. */
typedef struct nsds_state_size {
  size_t nq, nv, ny;
} nsds_state_size;

/* state.c */
nsds_status nsds_state_reserve(nsds_context *context, nsds_state *state, nsds_state_size size);
void nsds_state_copy(const nsds_context *context, nsds_state *to, const nsds_state *from,
                     const nsds_state_size *size);
void nsds_state_destroy(nsds_context *context, nsds_state *state);

typedef struct nsds_guard nsds_guard;                           /* guard.c */
typedef struct nsds_guarded_integrator nsds_guarded_integrator; /* guard.c */

/* Systems of both orders. The unknown of a step, v (second order) or x (first order), lives in the
 * model's v array at v_offset; q exists for second order only (nq = 0 otherwise). */
struct nsds_ds {
  nsds_model *model;
  int order; /* 1 or 2: one of the next two is NULL */
  const nsds_first_order_ops *first;
  const nsds_second_order_ops *ops;
  const char *type;
  bool (*jacobian_pair)(void *self, int k, nsds_jacobian_pair *pair);
  void (*destroy)(void *self);
  /* Writes q, given from outside, to `to` as the system has it; NULL: as it is. False: refused, a
   * message "<call>: <label>: ... <field> ..." is recorded. */
  bool (*take_q)(nsds_context *context, const char *call, const char *label, const char *field,
                 const double *q, double *to);
  void *self;
  char name[nsds_name_size]; /* as given, or "" */
  int index;                 /* position in the model */
  int nq, nv;
  int q_offset, v_offset;              /* into the model's arrays */
  nsds_shape mass, damping, stiffness; /* first order: of M, E = df/d(dx/dt) and A = df/dx */
  bool affine, force_constant, explicit_force;
  bool alone; /* no function of a program is called in its steps, and nothing is shared */
  int nprescribed;
  int *prescribed;
  int nz;
  double *z;
  double *z_storage;          /* nz values, or one NaN that a function reading an absent z meets */
  uint64_t changed;           /* stamp of the last change from outside: state or parameters */
  struct nsds_caller *caller; /* of a bundled type with functions; else NULL */
  double theta, gamma;        /* of its own discretisation, NaN: the simulation's */
  int step_ratio;             /* parts of its steps, >= 1 */
  const nsds_integrator *integrator;           /* NULL: the simulation's */
  const nsds_guard *guard;                     /* of a user's type: what `self` is; else NULL */
  nsds_guarded_integrator *guarded_integrator; /* NULL until a user gives one */
};

struct nsds_relation {
  nsds_place place; /* first: relations have handles */
  nsds_model *model;
  const nsds_relation_ops *ops;
  void *self;
  char name[nsds_name_size];
  int index; /* position in the model */
  int order; /* of the systems it connects; 0: of both, a mixed relation */
  int ny;
  int nq, nv; /* sizes of Q and V; first order: X is V, nq = nv; mixed: V is (X, V) */
  int nx;     /* mixed: size of X in it */
  bool affine, linear, impulsive;
  bool tangents; /* the rows behind the first are tangents of one contact */
  bool yields;   /* D softens dy/dt alone: y stays a constraint, to which a projection leads back */
  int nz_needed, nz_own;
  double *z;
  struct nsds_caller *caller; /* of a bundled type with functions; else NULL */
  int users;                  /* interactions made of it */
  uint64_t changed;
};

/* Whether y and dy/dt are of positions and velocities alone, lambda having no part in them. */
static inline bool nsds_relation_is_rigid(const nsds_relation *relation) {
  return relation->order == 2 && !relation->ops->jacobian_lambda && !relation->ops->feedthrough;
}

/* How the contacts of a law share the impulses of an impact. */
typedef enum nsds_impact_kind {
  NSDS_IMPACT_NEWTON, /* in one problem, with what the law remembers; laws without impacts too */
  NSDS_IMPACT_POISSON,
  NSDS_IMPACT_DISTRIBUTING
} nsds_impact_kind;

typedef struct nsds_impact {
  nsds_impact_kind kind;
  double e;                   /* restitution of Poisson's and distributing laws */
  double stiffness, exponent; /* distributing: force K d^eta */
  bool bi_stiffness;
} nsds_impact;

struct nsds_law {
  nsds_model *model;
  const nsds_law_ops *ops;
  void *self;
  bool guarded; /* a user's type */
  int size;     /* rows of one copy */
  int ngap;
  nsds_level level;
  nsds_impact impact;
  nsds_set set; /* of its block when it was checked last, and its facets */
  int nfacet;
};

/* Systems of most interactions fit into the object itself, so that connecting allocates nothing. */
enum { nsds_few_systems = 4 };

struct nsds_interaction {
  nsds_place place; /* first: interactions have handles */
  nsds_model *model;
  nsds_relation *relation;
  nsds_law *law;
  int index; /* position in the model */
  int m;     /* rows: ncopy times the law's size */
  int ncopy;
  int y_offset; /* into the model's arrays */
  int nds;
  int nv; /* unknowns of the systems: v or x */
  nsds_ds **ds, *few[nsds_few_systems];
  int nz; /* length of Z */
  int nz_own;
  double *z;
  bool active;
  uint64_t serial;    /* no two interactions of a model have the same */
  uint64_t changed;   /* of its own parameters */
  uint64_t connected; /* stamp of when it came */
  uint64_t shown;     /* stamp for which y and ydot were evaluated between steps */
  char name[nsds_name_size];
};

struct nsds_plugin {
  nsds_model *model;
  void *handle;
  const nsds_plugin_table_type *table;
  char *path;
};

/* A growing list of pointers; order of creation is kept on removal. */
typedef struct nsds_list {
  void **item;
  size_t count, capacity;
} nsds_list;

/* Ranges of rows that were given back, by their length. */
typedef struct nsds_free_rows {
  int m;
  int *first;
  size_t count, capacity, live; /* free ones, room for them, and ranges of this length in use */
} nsds_free_rows;

/* Changes of the graph that are remembered one by one; who has missed more looks at all of it. */
enum { nsds_journal_size = 4096 };

struct nsds_model {
  nsds_context *context;
  bool owns_context;
  nsds_list ds, relation, law, interaction, set, plugin, borrower;
  nsds_places relations, interactions, sets;
  nsds_state state;
  nsds_state_size size; /* ny counts rows in use and holes between them */
  nsds_free_rows *rows;
  size_t nrows, rows_capacity;
  double *scratch; /* of nsds_show(), for the largest interaction */
  size_t scratch_capacity;
  uint64_t serial;
  uint64_t topology;              /* raised when systems or interactions come or go */
  int journal[nsds_journal_size]; /* [topology % size]: position in the list of interactions that
                                     changed; -1: systems came */
  uint64_t change;                /* the last stamp given to any change */
  uint64_t values;                /* the last stamp given to a change of states or parameters */
  uint64_t settled; /* stamp up to which y and ydot of all interactions hold: a step was accepted */
  uint64_t accepted;        /* stamp of the last state that a step has led to; 0: there was none */
  bool moved;               /* the program has set q or v of a system since */
  const void *stepper;      /* whose trial state was accepted last */
  unsigned long law_faults; /* what laws have said in steps that no law may say, */
  nsds_status law_fault;    /* and the status of the last */
  unsigned busy;            /* nsds_busy: what must not be disturbed; 0: nothing */
};

/* Why the graph, states and parameters of a model have to stay as they are. */
enum nsds_busy {
  NSDS_BUSY_STEP = 1, /* a step is under way, perhaps between two of its stages */
  NSDS_BUSY_CALL = 2  /* functions of systems, relations, laws ... are being called */
};

/* The stamp of a change of states or parameters. */
static inline uint64_t nsds_touch(nsds_model *model) { return model->values = ++model->change; }

/* Notes that the list of interactions has changed at a position. */
static inline void nsds_note(nsds_model *model, int position) {
  model->journal[++model->topology % nsds_journal_size] = position;
}

/* Whether what was derived from an interaction's systems, parameters and relation at stamp `since`
 * is out of date. */
bool nsds_interaction_changed(const nsds_interaction *ia, uint64_t since);
/* y and dy/dt of all interactions, where they are out of date. */
nsds_status nsds_show_all(nsds_model *model);

/* Fails with NSDS_ERROR_STATE within a step, a function of the model, or a hook of its context. */
/* The call that makes an object: bundled types have the name of theirs. */
const char *nsds_maker(const char *type, const char *call);
nsds_status nsds_fail_busy(const nsds_model *model, const char *call);
static inline nsds_status nsds_check_idle(const nsds_model *model, const char *call) {
  bool idle = !model->busy && !nsds_hook(model->context);
  return NSDS_LIKELY(idle) ? NSDS_OK : nsds_fail_busy(model, call);
}

/* The same, but allowed while a step is under way: what evaluates functions of the model. */
static inline nsds_status nsds_check_quiet(const nsds_model *model, const char *call) {
  bool quiet = !(model->busy & NSDS_BUSY_CALL) && !nsds_hook(model->context);
  return NSDS_LIKELY(quiet) ? NSDS_OK : nsds_fail_busy(model, call);
}

/* A simulation that borrows the model registers itself, so that the model can free it; not while it
 * is in use. */
typedef struct nsds_borrower {
  void (*destroy)(struct nsds_borrower *borrower);
  bool busy;
} nsds_borrower;

nsds_status nsds_list_push(nsds_context *context, nsds_list *list, void *item);
void nsds_list_remove(nsds_list *list, const void *item);

/* contact_set.c: frees all contact sets. */
void nsds_contact_sets_destroy(nsds_model *model);

/* graph.c: the object behind a handle; NULL, with the error recorded, where it was removed. */
nsds_interaction *nsds_interaction_find(const nsds_interaction *handle, const char *call);
nsds_relation *nsds_relation_find(const nsds_relation *handle, const char *call);

/*
 * local.c: an interaction's relation at a state. Doubles of scratch for any of these calls: */
size_t nsds_local_work(const nsds_interaction *ia);
/* Q, V (or X), Z and scale * lambda, concatenated in `work`; lambda NULL is zero. */
nsds_in nsds_gather(const nsds_interaction *ia, const nsds_state *at, const double *lambda,
                    double scale, double *work);
/* The gradient of a second-order relation in velocities, m x nv, at `in`; `work` has m nq and room
 * for the largest T. */
nsds_status nsds_gradient(const nsds_interaction *ia, const nsds_in *in, double *H, double *work);
/* Whether the input of a relation depends on the states of its systems, by its Jacobians. */
static inline bool nsds_input_depends(const nsds_relation_ops *ops) {
  return ops->input_x || ops->input_q || ops->input_v;
}

/* H_s = (dh/dq)_s T_s of one system; T has room for its map. */
nsds_status nsds_through_map(const nsds_ds *ds, int m, const nsds_in *in, const double *Jq,
                             double *H, double *T);
/* y and dy/dt at a state. */
nsds_status nsds_local_output(const nsds_interaction *ia, const nsds_state *at, double *y,
                              double *ydot, double *work);
/* The same at the model's state, to be shown: finite, or a failure. */
nsds_status nsds_local_show(nsds_interaction *ia, double *work);
/* Of an interaction at a state: d^2y/dt^2 at dV/dt = 0, of first-order ones dy/dt at dX/dt = 0. By
 * differences over times of about `step` where the relation does not say; meanwhile the state is
 * moved, and moved back. `work` has nsds_bias_work() doubles. */
size_t nsds_bias_work(const nsds_interaction *ia);
nsds_status nsds_bias_difference(const nsds_interaction *ia, nsds_state *at, double step, int side,
                                 double *bias, double *work);
nsds_status nsds_bias(const nsds_interaction *ia, nsds_state *at, double step, int side,
                      double *bias, double *work);

/* "system 'ball' (#0, lagrangian_linear)" into a caller's buffer; returns the buffer. */
enum { nsds_label_size = 128 };
const char *nsds_ds_label(const nsds_ds *ds, char *buffer);
const char *nsds_relation_label(const nsds_relation *relation, char *buffer);
const char *nsds_interaction_label(const nsds_interaction *ia, char *buffer);

/* The point at which the operators of a system are evaluated. */
static inline nsds_in nsds_ds_in(const nsds_ds *ds, double t, const double *q, const double *v) {
  bool second = ds->order == 2;
  return (nsds_in){.t = t,
                   .q = q,
                   .v = v,
                   .z = ds->z_storage,
                   .lambda = ds->z_storage,
                   .nq = ds->nq,
                   .nv = second ? ds->nv : 0,
                   .nz = ds->nz,
                   .nlambda = 0,
                   .x = v,
                   .nx = second ? 0 : ds->nv,
                   .xdot = ds->z_storage};
}

/*
 * operator.c: user functions. Each call zeroes out[0..n), calls, and turns a nonzero return or a
 * non-finite entry into NSDS_ERROR_CALLBACK with a message naming object, function, time and entry.
 */
typedef struct nsds_own_data {
  nsds_operator function;
  void *user;
  int nz;
  double *z;
} nsds_own_data;

typedef struct nsds_caller {
  nsds_context *context;
  int nown; /* functions with data of their own */
  nsds_own_data *own;
  char label[nsds_label_size]; /* of the object, for messages */
  double *scratch;             /* of the difference quotients; see nsds_caller_reserve() */
} nsds_caller;

/* Length of the variable at a point. */
int nsds_variable_length(const nsds_in *in, nsds_variable variable);

/* The functions of a definition, and their number; any of them may be NULL. */
#define NSDS_FUNCTIONS(...)                                                                        \
  (const nsds_operator[]){__VA_ARGS__},                                                            \
      (int)(sizeof((const nsds_operator[]){__VA_ARGS__}) / sizeof(nsds_operator))

/* Copies what single functions of a definition have of their own; false, with a message, where it
 * is not valid. */
bool nsds_caller_take(nsds_caller *caller, int ndata, const nsds_operator_data *data,
                      const nsds_operator *functions, int count);
void nsds_caller_release(nsds_caller *caller);
/* Has the object know how its functions are called; they return it. */
nsds_ds *nsds_ds_called_by(nsds_ds *ds, nsds_caller *caller);
nsds_relation *nsds_relation_called_by(nsds_relation *relation, nsds_caller *caller);

/* Reserves scratch for difference quotients of functions of up to `rows` values in `columns`
 * variables. */
nsds_status nsds_caller_reserve(nsds_caller *caller, int rows, int columns);

nsds_status nsds_call(const nsds_caller *caller, const char *name, nsds_operator function,
                      const nsds_in *in, double *out, int n, void *user);

/* The Jacobian of a pair: the user's, zero for nsds_zero, difference quotients for
 * nsds_differences. */
nsds_status nsds_call_jacobian(const nsds_caller *caller, const nsds_jacobian_pair *pair,
                               const nsds_in *in, double *out);

/* Central differences of a pair's function; `order` 2 or 4. out is rows x length of the variable.
 */
nsds_status nsds_difference_quotient(const nsds_caller *caller, const nsds_jacobian_pair *pair,
                                     const nsds_in *in, int order, double *out);

/* system_create.c: stands for the integrator of the simulation. */
extern const nsds_integrator nsds_default_integrator;

/*
 * system_create.c, relation.c, law.c: what the public calls of nsds/extend.h do; `self` of a user's type is
 * put behind a guard.
 */
nsds_ds *nsds_make_second_order(nsds_model *model, const nsds_second_order_def *def, bool guarded);
nsds_ds *nsds_make_first_order(nsds_model *model, const nsds_first_order_system_def *def,
                               bool guarded);
nsds_relation *nsds_make_relation(nsds_model *model, const nsds_relation_def *def, bool guarded);
nsds_law *nsds_make_law(nsds_model *model, const nsds_law_def *def, bool guarded);

/* guard.c: the status of a user's operation that returned `status`, with a message where it has
 * recorded none; `failures` is nsds_failures() before the call. */
nsds_status nsds_judge(nsds_context *context, const char *label, const char *operation, double t,
                       unsigned long failures, nsds_status status);

/* check.c: fields of definitions; each records a message "<call>: <field> ..." and returns false.
 */
bool nsds_check_finite(nsds_context *context, const char *call, const char *field, const double *x,
                       int n);
bool nsds_check_range(nsds_context *context, const char *call, const char *field, double value,
                      double low, double high);
bool nsds_check_count(nsds_context *context, const char *call, const char *field, int value,
                      int low);
/* Parameters: a count >= 0 and as many finite values, or NULL; none where the count is 0. */
bool nsds_check_parameters(nsds_context *context, const char *call, const char *count_field,
                           int count, const double *z);
/* A model, a definition with a table of operations, and the name of its type. */
#define NSDS_TYPED(def)                                                                            \
  (def), (def) ? (const void *)(def)->ops : NULL, (def) && (def)->ops ? (def)->ops->type : NULL
bool nsds_check_type(const nsds_model *model, const char *call, const void *def, const void *ops,
                     const char *type);
bool nsds_check_dense(nsds_context *context, const char *object, const char *field, int rows,
                      int cols);
/* Size and entries of a dense matrix; NULL is fine. */
bool nsds_check_entries(nsds_context *context, const char *object, const char *field,
                        const double *x, int rows, int cols);
/* Shape, indices and values of a sparse n x n matrix; NULL is fine. */
bool nsds_check_sparse(nsds_context *context, const char *call, const char *field,
                       const nsds_csc *a, int n);

/* law.c: the block that a law gives of itself; what it is of is kept. */
bool nsds_check_law(nsds_context *context, const char *call, nsds_law *law);
/* Whether what the law adds to its rows depends on the velocity before the step. */
nsds_status nsds_law_remembers(nsds_law *law, bool *remembers);
/* In a step. What a law may not say is recorded as a failure, in law_faults too, and the block is
 * one without values: that of a law that was checked, if it says now that it is of another size or
 * set, memory for which there is none, or has values that its set does not have. */
nsds_block nsds_law_block(const nsds_law *law);
/* What a gap is expected to be, and whether that is closed: of all bundled laws with a gap. */
static inline double nsds_expected_gap(const double *y, const double *ydot, double tau) {
  return y[0] + tau * ydot[0];
}
bool nsds_gap_closes(void *self, const double *y, const double *ydot, double tau, double slack);
/* Operations of users' types in a step; `self` is the law. */
bool nsds_guarded_active(void *self, const double *y, const double *ydot, double tau, double slack);
void nsds_guarded_restitution(void *self, const double *ydot, double *q);
/* Adds the law's compliance to its part of D. */
nsds_status nsds_law_compliance(const nsds_law *law, double *D, int ld);

#endif
