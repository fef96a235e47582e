/*
 * Internals of modeling: the objects of a model and the arrays of their states. Simulations read
 * these structs; nothing here knows of integrators or solvers.
 */
#ifndef NSDS_SRC_MODELING_H
#define NSDS_SRC_MODELING_H

#include "base/arena.h"
#include "kernel/modeling/shape_column.h"
#include "kernel/modeling/versions.h"

#include <nsds/extend.h>
#include <nsds/first_order.h>
#include <nsds/lagrangian.h>
#include <nsds/law.h>
#include <nsds/plugin.h>

enum { nsds_name_size = 48 };

/* Data that programs put on objects. */
typedef struct nsds_tag {
  char name[nsds_name_size]; /* "": none */
  void *user;
} nsds_tag;

/* Copies a name and cuts it if too long; NULL: no name. */
static inline void nsds_tag_name(nsds_tag *tag, const char *name) {
  size_t n = 0;
  while (name && name[n] && n + 1 < sizeof tag->name) ++n;
  if (n > 0) memmove(tag->name, name, n); /* may be the name itself */
  tag->name[n] = '\0';
  nsds_plain_text(tag->name);
}

/* A state of the whole model, the point of every evaluation. The accepted state, the trial state of
 * a step and a saved state have the same form. Systems and interactions have separate groups of
 * arrays, so that a new or removed interaction never moves a system's state. Places in the arrays
 * do not depend on capacities. */
typedef struct nsds_state {
  double t;
  double *q, *v;        /* of all systems: nq coordinates; nv unknowns, v or x */
  double *p, *reaction; /* nv: sum of H^T P, or r; mean force on prescribed unknowns */
  double *y, *ydot;     /* of all interactions: ny rows; behind some, a row of turns.c */
  double *impulse;      /* ny: P of second order, lambda of first order */
  double *force;        /* ny: P / h of the last piece of a step; lambda of first order */
  size_t q_capacity, v_capacity, y_capacity;
  uint64_t moves; /* number of changes of entries' addresses */
  /* trial state: time of the angles in rows of turns.c, and the weight of the last rate */
  double turned, turned_theta;
} nsds_state;

/* Numbers of entries in use. */
typedef struct nsds_state_size {
  size_t nq, nv, ny;
} nsds_state_size;

typedef struct nsds_guard nsds_guard;                           /* guard.c */
typedef struct nsds_guarded_integrator nsds_guarded_integrator; /* guard.c */

/* The order of a system, as its integrators give it: x alone, or q and v. */
typedef enum nsds_system_order { NSDS_FIRST_ORDER = 1, NSDS_SECOND_ORDER = 2 } nsds_system_order;

/* Additions of a type of systems to its operators. */
typedef struct nsds_ds_type {
  const char *name;
  bool (*jacobian_pair)(void *self, int k, nsds_jacobian_pair *pair);
  void (*destroy)(void *self);
  /* Writes a given q to `to` in the system's form; NULL: unchanged. Returns false for a refused q
   * and records a message "<call>: <label>: ... <field> ...". */
  bool (*take_q)(nsds_context *context, const char *call, const char *label, const char *field,
                 const double *q, double *to);
  /* Rigid bodies: returns the load set by programs. */
  struct nsds_body_load *(*load)(void *self);
  /* Rigid bodies: updates the body after a new load. */
  void (*loaded)(nsds_ds *ds);
} nsds_ds_type;

/* Prescribed velocities. */
typedef struct nsds_ds_prescribed {
  int n, *index;
} nsds_ds_prescribed;

typedef struct nsds_ds_parameters {
  int n;
  double *z;
  double *storage; /* n values, or one NaN for functions that read an absent z */
} nsds_ds_parameters;

/* A discretization of a system's own, in place of the simulation's. */
typedef struct nsds_ds_own {
  nsds_discretisation scheme;        /* NSDS_SCHEME_UNSAID: the simulation's */
  int step_ratio;                    /* parts of its steps, >= 1 */
  const nsds_integrator *integrator; /* NULL: the simulation's */
} nsds_ds_own;

/* Guards between the kernel and a user's types. */
typedef struct nsds_ds_guarded {
  const nsds_guard *type;              /* `self` of a user's type; else NULL */
  nsds_guarded_integrator *integrator; /* NULL until a user gives one */
} nsds_ds_guarded;

/* Systems of both orders. The unknown of a step, v (second order) or x (first order), is in the
 * model's v array at v_offset. Only second-order systems have q (otherwise nq = 0). */
struct nsds_ds {
  nsds_place place; /* first: systems have handles */
  nsds_model *model;
  /* the type: either `first` or `ops` is NULL */
  nsds_system_order order;
  const nsds_first_order_ops *first;
  const nsds_second_order_ops *ops;
  nsds_ds_type type;
  void *self;
  struct nsds_caller *caller; /* of a bundled type with functions; else NULL */
  nsds_ds_guarded guarded;
  /* the place in the model */
  nsds_tag tag;
  int index;       /* position in the model */
  uint32_t number; /* unique among all systems ever made in the model */
  int users;       /* interactions of the system */
  int nq, nv;
  int q_offset, v_offset; /* into the model's arrays */
  uint64_t changed;       /* stamp of the last change from outside: state or parameters */
  /* properties */
  nsds_matrix_shape mass, damping, stiffness; /* first order: of M, E = df/d(dx/dt) and A = df/dx */
  bool affine, force_constant, explicit_force;
  bool alone; /* its steps call no function of a program and share nothing */
  nsds_ds_prescribed prescribed;
  nsds_ds_parameters parameters;
  nsds_ds_own own;
};

static inline bool nsds_is_first_order(const nsds_ds *ds) { return ds->order == NSDS_FIRST_ORDER; }
static inline bool nsds_is_second_order(const nsds_ds *ds) {
  return ds->order == NSDS_SECOND_ORDER;
}

/* Variables of a relation's rows and effect of lambda, by the connected systems. */
typedef enum nsds_relation_kind {
  NSDS_RELATION_SECOND_ORDER, /* gaps y(Q), or speeds; impulses act on velocities */
  NSDS_RELATION_FIRST_ORDER,  /* y(X, lambda); r = g(X, lambda) acts on states */
  NSDS_RELATION_MIXED         /* y(X, Q, V, lambda), of systems of both orders; g acts on both */
} nsds_relation_kind;

/* Returns true if y has a rate dy/dt, with impulses along its gradient. */
static inline bool nsds_has_gap(nsds_relation_kind kind) {
  return kind == NSDS_RELATION_SECOND_ORDER;
}

/* Returns true if lambda itself acts, by g on the states. */
static inline bool nsds_acts_on_states(nsds_relation_kind kind) {
  return kind != NSDS_RELATION_SECOND_ORDER;
}

/* Returns true if the relation reads Q and V. */
static inline bool nsds_reads_positions(nsds_relation_kind kind) {
  return kind != NSDS_RELATION_FIRST_ORDER;
}

/* How switches begin, and the bounds of lambda while they are off. */
typedef struct nsds_relation_gate {
  bool on;
  double lower, upper;
} nsds_relation_gate;

struct nsds_relation {
  nsds_place place; /* first: relations have handles */
  nsds_model *model;
  const nsds_relation_ops *ops;
  void *self;
  nsds_tag tag;
  int index; /* position in the model */
  nsds_relation_kind kind;
  int ny;
  int nq, nv; /* sizes of Q and V; first order: X is V, nq = nv; mixed: V is (X, V) */
  int nx;     /* mixed: size of X in it */
  bool affine, linear, impulsive;
  bool tangents; /* the rows behind the first are tangents of one contact */
  bool midway;   /* mixed: y and g are taken at t_{k+theta}, independent of the scheme */
  bool ahead;    /* midway too: y and g are taken at q_k (+) h v_{k+1} and v_{k+1} instead */
  bool straight; /* mixed: y = lambda + h(q,v) and g = L(q) lambda */
  bool yields;   /* D softens only dy/dt: projections still correct y */
  const struct nsds_joint_data *joint; /* of joints but gears, and of drives; else NULL */
  bool turns; /* a joint in space with an angle that counts turns, see turns.c */
  /* computes y, given the angle with its turns; NULL: y does not depend on turns */
  nsds_status (*of_angle)(void *self, const nsds_arguments *in, double angle, double *y);
  /* takes note of new parameters, or of the time of the model that is set from `before` to `now` */
  void (*settle)(void *self, double before, double now);
  int nZ, nz;
  double *z;
  nsds_relation_gate gate;    /* of switches */
  double *terms;              /* ny, behind z: sizes of the constants in y; NULL: none */
  struct nsds_caller *caller; /* of a bundled type with functions; else NULL */
  int users;                  /* interactions made of it */
  uint64_t changed;
};

/* Returns true if y and dy/dt depend on positions and velocities only, not on lambda. */
static inline bool nsds_relation_is_rigid(const nsds_relation *relation) {
  return nsds_has_gap(relation->kind) && !relation->ops->jacobian_lambda &&
         !relation->ops->feedthrough;
}

/* The rule by which contacts of a law share the impulses of an impact. */
typedef struct nsds_impact {
  /* events/impact_rule.h; NULL: Newton's, in one problem, with the law's memory */
  const struct nsds_impact_rule *rule;
  double e;                   /* restitution */
  double stiffness, exponent; /* distributing: force K d^eta */
  bool bi_stiffness;
} nsds_impact;

struct nsds_law {
  nsds_model *model;
  nsds_tag tag;
  const nsds_law_ops *ops;
  void *self;
  bool guarded; /* a user's type */
  int size;     /* rows of one copy */
  int ngap;
  nsds_level level;
  nsds_impact impact;
  nsds_set_kind set; /* set and number of facets of its block at the last check */
  int nfacet;
};

/* The object itself has room for the systems of most interactions, so that connecting allocates
 * nothing. */
enum { nsds_few_systems = 4 };

/* A switch, see gate.c. */
typedef struct nsds_gate {
  bool on, next;       /* accepted; of the step under way */
  double lower, upper; /* bounds of lambda in this step */
} nsds_gate;

struct nsds_interaction {
  nsds_place place; /* first: interactions have handles */
  nsds_model *model;
  nsds_relation *relation;
  nsds_law *law;
  int index;   /* position in the model */
  int turning; /* position in the model's list of joints that count turns */
  int m;       /* rows: ncopy times the law's size */
  int ncopy;
  int y_offset; /* into the model's arrays */
  int nds;
  int nv; /* unknowns of the systems: v or x */
  nsds_ds **ds, *few[nsds_few_systems];
  int nZ; /* length of Z */
  int nz;
  double *z;
  bool active;
  nsds_gate gate;     /* of switches */
  uint64_t serial;    /* unique among interactions of the model */
  uint64_t changed;   /* of its own parameters */
  uint64_t connected; /* stamp of the connection */
  uint64_t shown;     /* stamp of the last evaluation of y and ydot between steps */
  nsds_tag tag;
};

struct nsds_plugin {
  nsds_model *model;
  void *handle;
  const nsds_plugin_table_type *table;
  char *path;
  bool stays; /* loaded: the context has one of its solvers */
};

/* A growing list of pointers. Removal keeps the order of creation. */
typedef struct nsds_list {
  void **item;
  size_t count, capacity;
} nsds_list;

/* Returned ranges of m rows. */
typedef struct nsds_free_rows {
  int m;
  int *first;
  size_t count, capacity, live; /* free ranges, room for them, ranges in use */
} nsds_free_rows;

/* Returned ranges of all lengths. */
typedef struct nsds_row_ranges {
  nsds_free_rows *of;
  size_t n, capacity;
} nsds_row_ranges;

/* The memory of systems, and the number of systems ever made. */
typedef struct nsds_systems {
  nsds_places places;
  uint32_t made;
  uint64_t rearranged; /* number of changes of systems' places or matrix shapes */
} nsds_systems;

/* Remembered changes of the graph. A plan that has missed more checks the whole graph. */
enum { nsds_journal_size = 4096 };

/* Invalid results of laws in steps. */
typedef struct nsds_law_fault {
  unsigned long count;
  nsds_status last;
} nsds_law_fault;

struct nsds_model {
  nsds_context *context;
  bool owns_context;
  nsds_tag tag;
  nsds_list ds, relation, law, interaction, set, plugin, borrower;
  nsds_list sensor;  /* each one piece of memory */
  nsds_list turning; /* interactions that count turns, in no order */
  nsds_systems systems;
  nsds_places relations, interactions, sets;
  nsds_state state;
  nsds_state_size size; /* ny counts rows in use and holes between them */
  nsds_row_ranges rows;
  double *scratch; /* of nsds_show(), for the largest interaction; of nsds_kinetic_energy() */
  size_t scratch_capacity;
  uint64_t serial;
  nsds_versions now;
  int journal[nsds_journal_size]; /* [now.graph % size]: position in the list of interactions that
                                     changed; -1: systems came or went */
  uint64_t settled; /* stamp up to which y and ydot of all interactions hold: a step was accepted */
  uint64_t accepted;   /* stamp of the last state at the end of a step; 0: none */
  bool moved;          /* the program has set q or v of a system since */
  const void *stepper; /* owner of the last accepted trial state */
  nsds_law_fault law_fault;
  unsigned busy; /* nsds_busy: work that must not be disturbed; 0: none */
};

/* Reasons to keep graph, states and parameters of a model unchanged. */
enum nsds_busy {
  NSDS_BUSY_STEP = 1, /* a step is under way, perhaps between two of its stages */
  NSDS_BUSY_CALL = 2  /* functions of systems, relations, laws ... are being called */
};

/* Returns true if y and dy/dt of all interactions are valid. */
static inline bool nsds_model_is_settled(const nsds_model *model) {
  return model->settled == model->now.change;
}

/* Returns a new stamp for a change of states or parameters. */
static inline uint64_t nsds_touch(nsds_model *model) {
  return model->now.values = ++model->now.change;
}

/* Notes that the list of interactions has changed at a position. */
static inline void nsds_note(nsds_model *model, int position) {
  model->journal[++model->now.graph % nsds_journal_size] = position;
}

/* Notes that systems have moved in the model, or have matrices of another shape. */
static inline void nsds_note_systems(nsds_model *model) {
  nsds_note(model, -1);
  ++model->systems.rearranged;
}

static inline void nsds_ds_set_alone(nsds_ds *ds, bool alone) { ds->alone = alone; }

/* A simulation that borrows the model registers itself, so that the model can free it when it is
 * not in use. */
typedef struct nsds_borrower {
  void (*destroy)(struct nsds_borrower *borrower);
  bool busy;
} nsds_borrower;

/* Returns true if the relation's input depends on the states of its systems, by its Jacobians. */
static inline bool nsds_input_depends(const nsds_relation_ops *ops) {
  return ops->input_x || ops->input_q || ops->input_v;
}

/* Size of a buffer for "system 'ball' (#0, lagrangian_linear)". */
enum { nsds_label_size = 128 };

/* Returns the point at which the operators of a system are evaluated. */
static inline nsds_arguments nsds_ds_in(const nsds_ds *ds, double t, const double *q,
                                        const double *v) {
  bool second = nsds_is_second_order(ds);
  return (nsds_arguments){.t = t,
                          .q = q,
                          .v = v,
                          .z = ds->parameters.storage,
                          .lambda = ds->parameters.storage,
                          .nq = ds->nq,
                          .nv = second ? ds->nv : 0,
                          .nz = ds->parameters.n,
                          .nlambda = 0,
                          .x = v,
                          .nx = second ? 0 : ds->nv,
                          .xdot = ds->parameters.storage};
}

/* Computes q moved by a way in velocities, q (+) way. `to` may be q itself only if the system has
 * no operation `advance`. */
static inline nsds_status nsds_ds_move(const nsds_ds *ds, double t, const double *q,
                                       const double *v, const double *way, double *to) {
  if (NSDS_UNLIKELY(ds->ops->advance)) {
    nsds_arguments in = nsds_ds_in(ds, t, q, v);
    return ds->ops->advance(ds->self, &in, way, to);
  }
  for (int k = 0; k < ds->nq; ++k) to[k] = q[k] + way[k];
  return NSDS_OK;
}

/* Data of one user function. */
typedef struct nsds_own_data {
  nsds_operator function;
  void *user;
  int nz;
  double *z;
} nsds_own_data;

/* Calls user functions. Each call zeroes out[0..n) first. A nonzero return or an entry that is not
 * finite becomes NSDS_ERROR_CALLBACK, with a message that names object, function, time and
 * entry. */
typedef struct nsds_caller {
  nsds_context *context;
  int nown; /* functions with data of their own */
  nsds_own_data *own;
  char label[nsds_label_size]; /* of the object, for messages */
  double *scratch;             /* of the difference quotients; see nsds_caller_reserve() */
} nsds_caller;

/* The functions of a definition, and their number; any of them may be NULL. */
#define NSDS_FUNCTIONS(...)                                                                        \
  (const nsds_operator[]){__VA_ARGS__},                                                            \
      (int)(sizeof((const nsds_operator[]){__VA_ARGS__}) / sizeof(nsds_operator))

/* A model, a definition with a table of operations, and the name of its type. */
#define NSDS_TYPED(def)                                                                            \
  (def), (def) ? (const void *)(def)->ops : NULL, (def) && (def)->ops ? (def)->ops->type : NULL,   \
      (def) ? (def)->reserved : NULL, (int)(sizeof(def)->reserved / sizeof *(def)->reserved),      \
      (def) && (def)->ops ? (def)->ops->reserved : NULL,                                           \
      (int)(sizeof(def)->ops->reserved / sizeof *(def)->ops->reserved)

/* Returns the expected gap after the time tau, for all bundled laws with a gap. */
static inline double nsds_expected_gap(const double *y, const double *ydot, double tau) {
  return y[0] + tau * ydot[0];
}

static inline bool nsds_gap_is_closed(double expected, double slack) { return expected <= slack; }

/* Sets whether the program has moved systems since the last accepted step. */
static inline void nsds_model_set_moved(nsds_model *model, bool moved) { model->moved = moved; }
/* Accepts the state as the end of a step: y and dy/dt are valid, and other simulations see a
 * change. */
static inline void nsds_model_accept(nsds_model *model) {
  nsds_model_set_moved(model, false);
  model->settled = model->accepted = ++model->now.change;
}

#endif
