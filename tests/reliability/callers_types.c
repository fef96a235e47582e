/*
 * Types of the program's own: the library gets a table whose operations call those of the program's
 * table. A type keeps its operations and sizes beside its `self`.
 */
#include "callers.h"

/* ---- systems and relations ---- */

typedef struct second_order {
  const nsds_second_order_ops *ops;
  void *self;
  nsds_second_order_ops callers;
  int mass, damping, stiffness, nq, nv; /* entries that are written */
  struct {
    int n;
  } prescribed;
} second_order;

typedef struct first_order {
  const nsds_first_order_ops *ops;
  void *self;
  nsds_first_order_ops callers;
  int mass, jacobian, n;
} first_order;

typedef struct relation {
  const nsds_relation_ops *ops;
  void *self;
  nsds_relation_ops callers;
  int ny, nq, nv, nx, inputs;
} relation;

#define CALLER(T, operation, entries)                                                              \
  static nsds_status T##_##operation(void *self, const nsds_arguments *in, double *out) {          \
    T *d = self;                                                                                   \
    return callers_status(d->ops->operation(d->self, in, out), out, entries);                      \
  }
#define DIVERT(T, operation, entries)                                                              \
  if (d->ops->operation) d->callers.operation = T##_##operation;

#define SECOND_ORDER(X, T)                                                                         \
  X(T, mass, d->mass)                                                                              \
  X(T, force, d->nv)                                                                               \
  X(T, damping, d->damping)                                                                        \
  X(T, stiffness, d->stiffness)                                                                    \
  X(T, velocity_map, d->nq * d->nv)                                                                \
  X(T, prescribed, d->prescribed.n)
#define FIRST_ORDER(X, T)                                                                          \
  X(T, mass, d->mass)                                                                              \
  X(T, rhs, d->n)                                                                                  \
  X(T, jacobian, d->jacobian)                                                                      \
  X(T, rate_jacobian, d->n * d->n)
#define RELATION(X, T)                                                                             \
  X(T, output, d->ny)                                                                              \
  X(T, jacobian_q, d->ny * d->nq)                                                                  \
  X(T, gradient_v, d->ny * d->nv)                                                                  \
  X(T, jacobian_v, d->ny * d->nv)                                                                  \
  X(T, jacobian_x, d->ny * d->nx)                                                                  \
  X(T, jacobian_t, d->ny)                                                                          \
  X(T, bias, d->ny)                                                                                \
  X(T, jacobian_lambda, d->ny * d->ny)                                                             \
  X(T, feedthrough, d->ny * d->ny)                                                                 \
  X(T, input, d->inputs)                                                                           \
  X(T, input_lambda, d->inputs * d->ny)                                                            \
  X(T, input_x, d->inputs)                                                                         \
  X(T, input_q, d->inputs)                                                                         \
  X(T, input_v, d->inputs)

SECOND_ORDER(CALLER, second_order)
FIRST_ORDER(CALLER, first_order)
RELATION(CALLER, relation)

static nsds_status second_order_advance(void *self, const nsds_arguments *in, const double *step,
                                        double *q) {
  second_order *d = self;
  return callers_status(d->ops->advance(d->self, in, step, q), q, d->nq);
}

static bool relation_limit(void *self, const double *from, double *lambda) {
  relation *d = self;
  bool changed = d->ops->limit(d->self, from, lambda);
  callers_value(lambda, d->ny);
  return changed;
}

static double relation_next_corner(void *self, double t) {
  const relation *d = self;
  return d->ops->next_corner(d->self, t);
}

#define PAIR_AND_DESTROY(T)                                                                        \
  static bool T##_pair(void *self, int k, nsds_jacobian_pair *pair) {                              \
    T *d = self;                                                                                   \
    return d->ops->jacobian_pair(d->self, k, pair);                                                \
  }                                                                                                \
  static void T##_destroy(void *self) {                                                            \
    T *d = self;                                                                                   \
    d->ops->destroy(d->self);                                                                      \
  }
PAIR_AND_DESTROY(second_order)
PAIR_AND_DESTROY(first_order)
PAIR_AND_DESTROY(relation)

#define DIVERT_REST(T)                                                                             \
  if (d->ops->jacobian_pair) d->callers.jacobian_pair = T##_pair;                                  \
  if (d->ops->destroy) d->callers.destroy = T##_destroy;

static int entries(nsds_matrix_shape shape, int n) { return shape.p ? shape.p[n] : n * n; }

nsds_ds *__real_nsds_custom_second_order(nsds_model *model,
                                         const nsds_custom_second_order_def *def);
nsds_ds *__wrap_nsds_custom_second_order(nsds_model *model,
                                         const nsds_custom_second_order_def *def);
nsds_ds *__wrap_nsds_custom_second_order(nsds_model *model,
                                         const nsds_custom_second_order_def *def) {
  second_order kept = {.ops = def->ops,
                       .self = def->self,
                       .callers = *def->ops,
                       .nv = def->ndof,
                       .nq = def->nq ? def->nq : def->ndof,
                       .mass = entries(def->mass, def->ndof),
                       .damping = entries(def->damping, def->ndof),
                       .stiffness = entries(def->stiffness, def->ndof),
                       .prescribed.n = def->prescribed.n};
  second_order *d = callers_keep(&kept, sizeof kept);
  SECOND_ORDER(DIVERT, second_order)
  DIVERT_REST(second_order)
  if (d->ops->advance) d->callers.advance = second_order_advance;
  nsds_custom_second_order_def other = *def;
  other.ops = &d->callers;
  other.self = d;
  return __real_nsds_custom_second_order(model, &other);
}

nsds_ds *__real_nsds_custom_first_order(nsds_model *model, const nsds_custom_first_order_def *def);
nsds_ds *__wrap_nsds_custom_first_order(nsds_model *model, const nsds_custom_first_order_def *def);
nsds_ds *__wrap_nsds_custom_first_order(nsds_model *model, const nsds_custom_first_order_def *def) {
  first_order kept = {.ops = def->ops,
                      .self = def->self,
                      .callers = *def->ops,
                      .n = def->n,
                      .mass = entries(def->mass, def->n),
                      .jacobian = entries(def->jacobian, def->n)};
  first_order *d = callers_keep(&kept, sizeof kept);
  FIRST_ORDER(DIVERT, first_order)
  DIVERT_REST(first_order)
  nsds_custom_first_order_def other = *def;
  other.ops = &d->callers;
  other.self = d;
  return __real_nsds_custom_first_order(model, &other);
}

nsds_relation *__real_nsds_custom_relation(nsds_model *model, const nsds_custom_relation_def *def);
nsds_relation *__wrap_nsds_custom_relation(nsds_model *model, const nsds_custom_relation_def *def);
nsds_relation *__wrap_nsds_custom_relation(nsds_model *model, const nsds_custom_relation_def *def) {
  int nv = def->nv ? def->nv : def->nq;
  relation kept = {.ops = def->ops,
                   .self = def->self,
                   .callers = *def->ops,
                   .ny = def->ny,
                   .nq = def->nq,
                   .nv = nv,
                   .nx = def->nx,
                   .inputs = def->mixed ? def->nx + nv : def->nq};
  relation *d = callers_keep(&kept, sizeof kept);
  RELATION(DIVERT, relation)
  DIVERT_REST(relation)
  if (d->ops->limit) d->callers.limit = relation_limit;
  if (d->ops->next_corner) d->callers.next_corner = relation_next_corner;
  nsds_custom_relation_def other = *def;
  other.ops = &d->callers;
  other.self = d;
  return __real_nsds_custom_relation(model, &other);
}

/* ---- laws, which return nothing ---- */

typedef struct law {
  const nsds_law_ops *ops;
  void *self;
  nsds_law_ops callers;
  int size;
} law;

static void law_block(void *self, nsds_block *block) {
  law *d = self;
  d->ops->block(d->self, block);
  callers_value(&block->mu, 1);
}

static bool law_active(void *self, const double *y, const double *ydot, double tau, double slack) {
  law *d = self;
  callers_value(NULL, 0);
  return d->ops->active(d->self, y, ydot, tau, slack);
}

static void law_restitution(void *self, const double *ydot, double *q) {
  law *d = self;
  d->ops->restitution(d->self, ydot, q);
  callers_value(q, d->size);
}

static void law_compliance(void *self, double *D, int ld) {
  law *d = self;
  d->ops->compliance(d->self, D, ld);
  callers_value(D, 1);
}

static void law_destroy(void *self) {
  law *d = self;
  d->ops->destroy(d->self);
}

nsds_law *__real_nsds_custom_law(nsds_model *model, const nsds_custom_law_def *def);
nsds_law *__wrap_nsds_custom_law(nsds_model *model, const nsds_custom_law_def *def);
nsds_law *__wrap_nsds_custom_law(nsds_model *model, const nsds_custom_law_def *def) {
  law kept = {
      .ops = def->ops, .self = def->self, .callers = *def->ops, .size = def->size ? def->size : 1};
  law *d = callers_keep(&kept, sizeof kept);
  d->callers.block = law_block;
  if (d->ops->active) d->callers.active = law_active;
  if (d->ops->restitution) d->callers.restitution = law_restitution;
  if (d->ops->compliance) d->callers.compliance = law_compliance;
  if (d->ops->destroy) d->callers.destroy = law_destroy;
  nsds_custom_law_def other = *def;
  other.ops = &d->callers;
  other.self = d;
  return __real_nsds_custom_law(model, &other);
}
