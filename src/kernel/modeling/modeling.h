/*
 * Internals of the modeling room: the objects of a model and the arrays their states live in.
 * The simulation room reads these structs; nothing here knows of integrators or solvers.
 */
#ifndef NSDS_SRC_MODELING_H
#define NSDS_SRC_MODELING_H

#include "base.h"

#include <nsds/extend.h>
#include <nsds/first_order.h>
#include <nsds/lagrangian.h>
#include <nsds/law.h>
#include <nsds/plugin.h>

enum { nsds_name_size = 48 };

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
  void *self;
  char name[nsds_name_size]; /* as given, or "" */
  int index;                 /* position in the model */
  int nq, nv;
  int q_offset, v_offset;              /* into the model's arrays */
  nsds_shape mass, damping, stiffness; /* first order: `stiffness` is the shape of A = df/dx */
  bool affine, force_constant;
  int nprescribed;
  int *prescribed;
  int nz;
  double *z;
  double *z_storage; /* nz values, or one NaN that a function reading an absent z meets */
};

struct nsds_relation {
  nsds_model *model;
  const nsds_relation_ops *ops;
  void *self;
  char name[nsds_name_size];
  int index;
  int order;  /* of the systems it connects */
  int ny, nq; /* nq: size of Q or X */
  bool affine, linear;
  int nz_needed, nz_own;
  double *z;
};

struct nsds_law {
  nsds_model *model;
  const nsds_law_ops *ops;
  void *self;
  int size;
};

struct nsds_interaction {
  nsds_model *model;
  nsds_relation *relation;
  nsds_law *law;
  int index; /* position in the model */
  int m;
  int y_offset; /* into the model's arrays */
  int nds;
  nsds_ds **ds;
  int nz; /* length of Z */
  bool active;
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

struct nsds_model {
  nsds_context *context;
  bool owns_context;
  nsds_list ds, relation, law, interaction, plugin, borrower;
  double *state;                /* one block: the arrays below, each at its capacity */
  size_t state_size;            /* doubles in the block */
  double *q, *v, *p, *reaction; /* of all systems: nq, nv (v or x), nv (p or r), nv */
  double *y, *ydot, *impulse;   /* local variables of all interactions: ny */
  double *force; /* P / h of the last piece of a step where a relation is compliant: ny */
  size_t nq, nv, ny;
  size_t q_capacity, v_capacity, y_capacity;
  uint64_t topology; /* raised when systems or interactions come or go */
  uint64_t values;   /* raised when parameters or states are set from outside */
  uint64_t shown;    /* topology + values for which y and ydot hold */
};

/* The arrays of a state block of given capacities, in order. */
typedef struct nsds_state_view {
  double *q, *v, *p, *reaction, *y, *ydot, *impulse, *force;
} nsds_state_view;

static inline nsds_state_view nsds_view_state(const nsds_model *model, double *block) {
  nsds_state_view s;
  s.q = block;
  s.v = s.q + model->q_capacity;
  s.p = s.v + model->v_capacity;
  s.reaction = s.p + model->v_capacity;
  s.y = s.reaction + model->v_capacity;
  s.ydot = s.y + model->y_capacity;
  s.impulse = s.ydot + model->y_capacity;
  s.force = s.impulse + model->y_capacity;
  return s;
}

/* A simulation that borrows the model registers itself, so that the model can free it, and ask for y
 * and dy/dt after a change from outside: it knows the time. */
typedef struct nsds_borrower {
  void (*destroy)(struct nsds_borrower *borrower);
  void (*show)(struct nsds_borrower *borrower);
} nsds_borrower;

nsds_status nsds_list_push(nsds_context *context, nsds_list *list, void *item);
void nsds_list_remove(nsds_list *list, const void *item);

/* "system 'ball' (#0, lagrangian_linear)" into a caller's buffer; returns the buffer. */
enum { nsds_label_size = 128 };
const char *nsds_ds_label(const nsds_ds *ds, char *buffer);
const char *nsds_relation_label(const nsds_relation *relation, char *buffer);

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
                   .nx = second ? 0 : ds->nv};
}

/*
 * User functions. Each call zeroes out[0..n), calls, and turns a nonzero return or a non-finite
 * entry into NSDS_ERROR_CALLBACK with a message naming object, function, time and entry.
 */
typedef struct nsds_caller {
  nsds_context *context;
  char label[nsds_label_size]; /* of the object, for messages */
  double *scratch;             /* of the difference quotients; see nsds_caller_reserve() */
} nsds_caller;

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

/* Checks of definition fields; each records a message "<call>: <field> ..." and returns false. */
bool nsds_check_finite(nsds_context *context, const char *call, const char *field, const double *x,
                       int n);
/* Entries of dense matrices are counted in int. */
enum { nsds_largest_square = 46340 };
bool nsds_check_dense(nsds_context *context, const char *object, const char *field, int rows,
                      int cols);
/* Size and entries of a dense matrix; NULL is fine. */
bool nsds_check_entries(nsds_context *context, const char *object, const char *field,
                       const double *x, int rows, int cols);
bool nsds_check_range(nsds_context *context, const char *call, const char *field, double value,
                      double low, double high);
bool nsds_check_count(nsds_context *context, const char *call, const char *field, int value,
                      int low);

#endif
