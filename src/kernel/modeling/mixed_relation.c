/*
 * Relations between systems of both orders. X of first-order systems comes before V of second-order
 * ones:
 *
 *   linear     y = C X + H Q + E V + D lambda + e(t,Z),   (r, F) = (B, L) lambda
 *   nonlinear  y = h(t,X,Q,V,lambda,Z),                   (r, F) = g(t,X,Q,V,lambda,Z)
 */
#include "base/base.h"
#include "base/text/field_rows.h"
#include "base/context.h"
#include "kernel/modeling/check.h"
#include "kernel/modeling/modeling.h"
#include "kernel/modeling/operator.h"
#include "kernel/modeling/operator_data.h"
#include "kernel/modeling/relation.h"
#include "numerics/linear/product.h"

#include <nsds/mixed.h>

#include <limits.h>

typedef struct mixed {
  nsds_caller caller;
  nsds_mixed_relation_def def; /* functions and sizes */
  nsds_operator e_fn;
  double *C, *H, *E, *D, *e, *G; /* of a linear relation; G: B above L */
} mixed;

static int mixed_relation_velocities(const mixed *s) { return s->def.nv; }

/* ---- linear ---------------------------------------------------------------------------------- */

static void mixed_relation_add(int rows, int columns, const double *A, const double *x, double *y) {
  if (A) nsds_add_product(rows, columns, A, rows, x, y);
}

static void mixed_relation_give(const double *A, int rows, int columns, double *out) {
  size_t count = (size_t)rows * (size_t)columns;
  if (A) memcpy(out, A, count * sizeof *out);
  else nsds_zero_doubles(out, count);
}

static nsds_status mixed_relation_linear_output(void *self, const nsds_arguments *in, double *y) {
  const mixed *s = self;
  int m = s->def.ny;
  nsds_status status = NSDS_OK;
  if (s->e_fn) status = nsds_call(&s->caller, "e_fn", s->e_fn, in, y, m, s->def.user);
  else mixed_relation_give(s->e, m, 1, y);
  if (status) return status;
  mixed_relation_add(m, s->def.nx, s->C, in->x, y);
  mixed_relation_add(m, s->def.nq, s->H, in->q, y);
  mixed_relation_add(m, mixed_relation_velocities(s), s->E, in->v, y);
  mixed_relation_add(m, m, s->D, in->lambda, y);
  return NSDS_OK;
}

static nsds_status mixed_relation_linear_input(void *self, const nsds_arguments *in, double *r) {
  const mixed *s = self;
  int n = s->def.nx + mixed_relation_velocities(s);
  nsds_zero_doubles(r, (size_t)n);
  mixed_relation_add(n, s->def.ny, s->G, in->lambda, r);
  return NSDS_OK;
}

#define NSDS_CONSTANT(name, matrix, rows, columns)                                                 \
  static nsds_status linear_##name(void *self, const nsds_arguments *in, double *out) {            \
    const mixed *s = self;                                                                         \
    (void)in;                                                                                      \
    mixed_relation_give(s->matrix, (rows), (columns), out);                                        \
    return NSDS_OK;                                                                                \
  }

NSDS_CONSTANT(jacobian_x, C, s->def.ny, s->def.nx)
NSDS_CONSTANT(jacobian_q, H, s->def.ny, s->def.nq)
NSDS_CONSTANT(jacobian_v, E, s->def.ny, mixed_relation_velocities(s))
NSDS_CONSTANT(jacobian_lambda, D, s->def.ny, s->def.ny)
NSDS_CONSTANT(input_lambda, G, s->def.nx + mixed_relation_velocities(s), s->def.ny)

static void mixed_relation_destroy(void *self) {
  mixed *s = self;
  nsds_context *context = s->caller.context;
  double *arrays[] = {s->C, s->H, s->E, s->D, s->e, s->G};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; ++k) nsds_release(context, arrays[k]);
  nsds_caller_release(&s->caller);
  nsds_release(context, s);
}

#define NSDS_LINEAR(...)                                                                           \
  {                                                                                                \
    .type = "nsds_mixed_linear_relation", .output = mixed_relation_linear_output,                  \
    .jacobian_x = linear_jacobian_x, .jacobian_q = linear_jacobian_q,                              \
    .jacobian_v = linear_jacobian_v, .input = mixed_relation_linear_input,                         \
    .input_lambda = linear_input_lambda, .destroy = mixed_relation_destroy __VA_ARGS__             \
  }

/* without and with D */
static const nsds_relation_ops linear_ops[2] = {
    NSDS_LINEAR(), NSDS_LINEAR(, .jacobian_lambda = linear_jacobian_lambda)};

/* ---- nonlinear ------------------------------------------------------------------------------- */

enum {
  pair_h_x,
  pair_h_q,
  pair_h_v,
  pair_h_lambda,
  pair_g_lambda,
  pair_g_x,
  pair_g_q,
  pair_g_v,
  pair_count
};

static nsds_jacobian_pair mixed_relation_pair_of(const mixed *s, int which) {
  const nsds_mixed_relation_def *d = &s->def;
  int n = d->nx + mixed_relation_velocities(s);
  const nsds_jacobian_pair all[pair_count] = {
      {"jac_output_x_fn", d->output_fn, d->jac_output_x_fn, NSDS_WRT_X, d->ny, d->user},
      {"jac_output_q_fn", d->output_fn, d->jac_output_q_fn, NSDS_WRT_Q, d->ny, d->user},
      {"jac_output_v_fn", d->output_fn, d->jac_output_v_fn, NSDS_WRT_V, d->ny, d->user},
      {"jac_output_lambda_fn", d->output_fn, d->jac_output_lambda_fn, NSDS_WRT_LAMBDA, d->ny,
       d->user},
      {"jac_input_lambda_fn", d->input_fn, d->jac_input_lambda_fn, NSDS_WRT_LAMBDA, n, d->user},
      {"jac_input_x_fn", d->input_fn, d->jac_input_x_fn, NSDS_WRT_X, n, d->user},
      {"jac_input_q_fn", d->input_fn, d->jac_input_q_fn, NSDS_WRT_Q, n, d->user},
      {"jac_input_v_fn", d->input_fn, d->jac_input_v_fn, NSDS_WRT_V, n, d->user}};
  return all[which];
}

static bool depends(const nsds_mixed_relation_def *d) {
  return d->jac_input_x_fn || d->jac_input_q_fn || d->jac_input_v_fn;
}

/* Gets pair k. Without Jacobians of g in X, Q and V, their pairs are left out. */
static bool mixed_relation_jacobian_pair(void *self, int k, nsds_jacobian_pair *pair) {
  const mixed *s = self;
  int count = depends(&s->def) ? pair_count : pair_g_x;
  if (k < count) *pair = mixed_relation_pair_of(self, k);
  return k < count;
}

static nsds_status mixed_relation_output(void *self, const nsds_arguments *in, double *y) {
  const mixed *s = self;
  return nsds_call(&s->caller, "output_fn", s->def.output_fn, in, y, s->def.ny, s->def.user);
}

static nsds_status mixed_relation_input(void *self, const nsds_arguments *in, double *r) {
  const mixed *s = self;
  return nsds_call(&s->caller, "input_fn", s->def.input_fn, in, r,
                   s->def.nx + mixed_relation_velocities(s), s->def.user);
}

/* Computes a Jacobian; zero if none is given. */
static nsds_status mixed_relation_jacobian(const mixed *s, int which, const nsds_arguments *in,
                                           double *out) {
  nsds_jacobian_pair of = mixed_relation_pair_of(s, which);
  if (of.jacobian) return nsds_call_jacobian(&s->caller, &of, in, out);
  nsds_zero_doubles(out, (size_t)of.rows * (size_t)nsds_variable_length(in, of.variable));
  return NSDS_OK;
}

#define NSDS_JACOBIAN(name, pair)                                                                  \
  static nsds_status name(void *self, const nsds_arguments *in, double *out) {                     \
    return mixed_relation_jacobian(self, pair, in, out);                                           \
  }

NSDS_JACOBIAN(jacobian_x, pair_h_x)
NSDS_JACOBIAN(jacobian_q, pair_h_q)
NSDS_JACOBIAN(jacobian_v, pair_h_v)
NSDS_JACOBIAN(jacobian_lambda, pair_h_lambda)
NSDS_JACOBIAN(input_lambda, pair_g_lambda)
NSDS_JACOBIAN(input_x, pair_g_x)
NSDS_JACOBIAN(input_q, pair_g_q)
NSDS_JACOBIAN(input_v, pair_g_v)

#define NSDS_NONLINEAR(...)                                                                        \
  {                                                                                                \
    .type = "nsds_mixed_relation", .output = mixed_relation_output, .jacobian_x = jacobian_x,      \
    .jacobian_q = jacobian_q, .jacobian_v = jacobian_v, .input = mixed_relation_input,             \
    .input_lambda = input_lambda, .jacobian_pair = mixed_relation_jacobian_pair,                   \
    .destroy = mixed_relation_destroy __VA_ARGS__                                                  \
  }

#define NSDS_STATES , .input_x = input_x, .input_q = input_q, .input_v = input_v
#define NSDS_LAMBDA , .jacobian_lambda = jacobian_lambda

/* The index is [has dh/dlambda][has a Jacobian of g in X, Q or V]. */
static const nsds_relation_ops nonlinear_ops[2][2] = {
    {NSDS_NONLINEAR(), NSDS_NONLINEAR(NSDS_STATES)},
    {NSDS_NONLINEAR(NSDS_LAMBDA), NSDS_NONLINEAR(NSDS_LAMBDA NSDS_STATES)}};

/* ---- creation -------------------------------------------------------------------------------- */

static bool check_counts(nsds_context *context, const char *call, int ny, int nx, int nq, int nv,
                         int nz, const double *z) {
  return nsds_check_count(context, call, "ny", ny, 1) &&
         nsds_check_count(context, call, "nx", nx, 0) &&
         nsds_check_count(context, call, "nq", nq, 1) &&
         nsds_check_count(context, call, "nv", nv, 0) &&
         nsds_check_parameters(context, call, "nz", nz, z) &&
         nsds_check_dense(context, call, "its Jacobian in Q", ny, nq) &&
         (nx <= INT_MAX / 2 && nv <= INT_MAX / 2
              ? nsds_check_dense(context, call, "its Jacobian in X and V", ny,
                                 nx + (nv > 0 ? nv : nq))
              : nsds_check_dense(context, call, "its Jacobian in X and V", ny, INT_MAX));
}

static mixed *mixed_relation_create(nsds_model *model, const char *type, const char *name) {
  mixed *s = NSDS_NEW(model->context, mixed);
  if (s) s->caller = nsds_relation_caller(model, type, name);
  return s;
}

static nsds_relation *mixed_relation_make(nsds_model *model, mixed *s, const nsds_relation_ops *ops,
                                          bool linear) {
  const nsds_mixed_relation_def *d = &s->def;
  nsds_caller *caller = &s->caller;
  return nsds_relation_called_by(nsds_make_relation(model,
                                                    &(nsds_custom_relation_def){.ops = ops,
                                                                                .self = s,
                                                                                .name = d->name,
                                                                                .ny = d->ny,
                                                                                .nq = d->nq,
                                                                                .nv = d->nv,
                                                                                .nx = d->nx,
                                                                                .mixed = true,
                                                                                .linear = linear,
                                                                                .nz = d->nz,
                                                                                .z = d->z,
                                                                                .terms = d->terms},
                                                    false),
                                 caller);
}

static bool mixed_relation_check_linear(nsds_context *context,
                                        const nsds_mixed_linear_relation_def *d) {
  const char *call = linear_ops[0].type;
  int nv = d->nv > 0 ? d->nv : d->nq;
  if (!check_counts(context, call, d->ny, d->nx, d->nq, d->nv, d->nz, d->z)) return false;
  if (d->e && d->e_fn) {
    nsds_fail(context, NSDS_ERROR_ARGUMENT, "%s: both e and e_fn are given; give one", call);
    return false;
  }
  return nsds_check_entries(context, call, "C", d->C, d->ny, d->nx) &&
         nsds_check_entries(context, call, "H", d->H, d->ny, d->nq) &&
         nsds_check_entries(context, call, "E", d->E, d->ny, nv) &&
         nsds_check_entries(context, call, "D", d->D, d->ny, d->ny) &&
         nsds_check_entries(context, call, "e", d->e, d->ny, 1) &&
         nsds_check_entries(context, call, "B", d->B, d->nx, d->ny) &&
         nsds_check_entries(context, call, "L", d->L, nv, d->ny);
}

/* Copies the matrices, with B above L in one. */
static bool mixed_relation_keep(mixed *s, const nsds_mixed_linear_relation_def *d) {
  nsds_context *context = s->caller.context;
  const char *label = s->caller.label;
  size_t m = (size_t)d->ny, nx = (size_t)d->nx, nv = (size_t)s->def.nv, n = nx + nv;
  s->C = nsds_copy_for(context, label, "C", d->C, m * nx, sizeof *d->C);
  s->H = nsds_copy_for(context, label, "H", d->H, m * (size_t)d->nq, sizeof *d->H);
  s->E = nsds_copy_for(context, label, "E", d->E, m * nv, sizeof *d->E);
  s->D = nsds_copy_for(context, label, "D", d->D, m * m, sizeof *d->D);
  s->e = nsds_copy_for(context, label, "e", d->e, m, sizeof *d->e);
  s->G = nsds_alloc_for(context, label, "B and L", n * m, sizeof *s->G);
  for (size_t j = 0; s->G && j < m; ++j) {
    for (size_t i = 0; d->B && i < nx; ++i) s->G[i + j * n] = d->B[i + j * nx];
    for (size_t i = 0; d->L && i < nv; ++i) s->G[nx + i + j * n] = d->L[i + j * nv];
  }
  return s->G && (!d->C || s->C) && (!d->H || s->H) && (!d->E || s->E) && (!d->D || s->D) &&
         (!d->e || s->e);
}

nsds_relation *nsds_mixed_linear_relation(nsds_model *model,
                                          const nsds_mixed_linear_relation_def *def) {
  const char *call = linear_ops[0].type;
  if (!model || !def) {
    nsds_fail_null(nsds_model_context(model), call, model ? "def" : "model");
    return NULL;
  }
  if (nsds_check_reserved(model->context, call, "", NSDS_TAIL(def))) return NULL;
  if (!mixed_relation_check_linear(model->context, def)) return NULL;
  mixed *s = mixed_relation_create(model, call, def->name);
  if (!s) return NULL;
  s->def = (nsds_mixed_relation_def){.name = def->name,
                                     .ny = def->ny,
                                     .nx = def->nx,
                                     .nq = def->nq,
                                     .nv = def->nv > 0 ? def->nv : def->nq,
                                     .nz = def->nz,
                                     .z = def->z,
                                     .user = def->user,
                                     .ndata = def->ndata,
                                     .data = def->data};
  s->e_fn = def->e_fn;
  if (mixed_relation_keep(s, def) &&
      nsds_caller_take(&s->caller, def->ndata, def->data, NSDS_FUNCTIONS(def->e_fn)))
    return mixed_relation_make(model, s, &linear_ops[s->D != NULL], true);
  mixed_relation_destroy(s);
  return NULL;
}

static bool mixed_relation_check_nonlinear(nsds_context *context,
                                           const nsds_mixed_relation_def *d) {
  const char *call = nonlinear_ops[0][0].type;
  const nsds_operator required[] = {d->output_fn, d->jac_output_q_fn, d->jac_output_v_fn,
                                    d->input_fn, d->jac_input_lambda_fn};
  const char *const name[] = {"output_fn", "jac_output_q_fn", "jac_output_v_fn", "input_fn",
                              "jac_input_lambda_fn"};
  if (!check_counts(context, call, d->ny, d->nx, d->nq, d->nv, d->nz, d->z)) return false;
  for (int k = 0; k < 5; ++k)
    if (!required[k]) {
      nsds_fail(context, NSDS_ERROR_ARGUMENT, "%s: %s is NULL; it is required", call, name[k]);
      return false;
    }
  if (!d->jac_output_x_fn != (d->nx == 0)) {
    nsds_fail(
        context, NSDS_ERROR_ARGUMENT,
        "%s: jac_output_x_fn is %s, but nx is %d; it must be given where nx > 0, and only there",
        call, d->jac_output_x_fn ? "given" : "NULL", d->nx);
    return false;
  }
  return true;
}

nsds_relation *nsds_mixed_relation(nsds_model *model, const nsds_mixed_relation_def *def) {
  const char *call = nonlinear_ops[0][0].type;
  if (!model || !def) {
    nsds_fail_null(nsds_model_context(model), call, model ? "def" : "model");
    return NULL;
  }
  if (nsds_check_reserved(model->context, call, "", NSDS_TAIL(def))) return NULL;
  if (!mixed_relation_check_nonlinear(model->context, def)) return NULL;
  mixed *s = mixed_relation_create(model, call, def->name);
  if (!s) return NULL;
  s->def = *def;
  if (s->def.nv == 0) s->def.nv = def->nq;
  int n = def->nx + s->def.nv, widest = n > def->nq ? n : def->nq;
  if (nsds_caller_take(&s->caller, def->ndata, def->data,
                       NSDS_FUNCTIONS(def->output_fn, def->jac_output_x_fn, def->jac_output_q_fn,
                                      def->jac_output_v_fn, def->jac_output_lambda_fn,
                                      def->input_fn, def->jac_input_lambda_fn, def->jac_input_x_fn,
                                      def->jac_input_q_fn, def->jac_input_v_fn)) &&
      !nsds_caller_reserve(&s->caller, n > def->ny ? n : def->ny,
                           widest > def->ny ? widest : def->ny))
    return mixed_relation_make(
        model, s, &nonlinear_ops[def->jac_output_lambda_fn != NULL][depends(def)], false);
  mixed_relation_destroy(s);
  return NULL;
}

/* ---- catalogue ------------------------------------------------------------------------------- */

MAKER(nsds_mixed_linear_relation, nsds_mixed_linear_relation_def)
const nsds_type nsds_relation_mixed_linear = {
    .type = "mixed_linear",
    .help = "y = C X + H Q + E V + D lambda + e(t, Z), r = B lambda, F = L lambda. Between both "
            "orders.",
    .field =
        (const nsds_field[]){
            TABLE_OF(nsds_mixed_linear_relation_def, C, "ny x nx", NULL, "zero", "Part of X."),
            TABLE_OF(nsds_mixed_linear_relation_def, H, "ny x nq", NULL, "zero", "Part of Q."),
            TABLE_OF(nsds_mixed_linear_relation_def, E, "ny x nv", NULL, "zero", "Part of V."),
            TABLE_OF(nsds_mixed_linear_relation_def, D, "ny x ny", NULL, "zero", "Part of lambda."),
            FUNCTION_OF("e", nsds_mixed_linear_relation_def, e_fn, "ny", NULL, "tz", NSDS_KIND_E,
                        "zero", "e(t, Z).", CONSTANT(nsds_mixed_linear_relation_def, e)),
            TABLE_OF(nsds_mixed_linear_relation_def, B, "nx x ny", NULL, "zero",
                     "Input of first-order systems."),
            TABLE_OF(nsds_mixed_linear_relation_def, L, "nv x ny", NULL, "zero",
                     "Forces on second-order systems."),
            INTEGER_OF(nsds_mixed_linear_relation_def, ny, ">= 1", "auto",
                       "Size of y; auto: from C, H or E."),
            WHERE, PARAMETERS_OF(nsds_mixed_linear_relation_def), END},
    .call = "nsds_mixed_linear_relation",
    .make = make_nsds_mixed_linear_relation,
    DEFINITION(nsds_mixed_linear_relation_def),
    NAMED(nsds_mixed_linear_relation_def),
    .user_at = offsetof(nsds_mixed_linear_relation_def, user),
    .ny_at = offsetof(nsds_mixed_linear_relation_def, ny),
    .nx_at = offsetof(nsds_mixed_linear_relation_def, nx),
    .nq_at = offsetof(nsds_mixed_linear_relation_def, nq),
    .nv_at = offsetof(nsds_mixed_linear_relation_def, nv)};
MAKER(nsds_mixed_relation, nsds_mixed_relation_def)
const nsds_type nsds_relation_mixed = {
    .type = "mixed",
    .help = "y = h(t, X, Q, V, lambda, Z), (r, F) = g(...). Between systems of both orders.",
    .field =
        (const nsds_field[]){
            FUNCTION_OF("output", nsds_mixed_relation_def, output_fn, "ny", NULL, "txqvlz",
                        NSDS_KIND_OUTPUT, NULL, "h.", VARIES),
            FUNCTION_OF("jac_output_x", nsds_mixed_relation_def, jac_output_x_fn, "ny x nx", NULL,
                        "txqvlz", NSDS_KIND_JAC_OUTPUT_X, "auto",
                        "dh/dX; auto: by differences, zero where h does not use x.",
                        SLOPE_OF("output x")),
            FUNCTION_OF("jac_output_q", nsds_mixed_relation_def, jac_output_q_fn, "ny x nq", NULL,
                        "txqvlz", NSDS_KIND_JAC_OUTPUT_Q, "auto", "dh/dQ; auto likewise.",
                        SLOPE_OF("output q")),
            FUNCTION_OF("jac_output_v", nsds_mixed_relation_def, jac_output_v_fn, "ny x nv", NULL,
                        "txqvlz", NSDS_KIND_NONE, "auto", "dh/dV; auto likewise.",
                        SLOPE_OF("output v")),
            FUNCTION_OF("jac_output_lambda", nsds_mixed_relation_def, jac_output_lambda_fn,
                        "ny x ny", NULL, "txqvlz", NSDS_KIND_JAC_OUTPUT_LAMBDA, "auto",
                        "dh/dlambda; auto likewise.", SLOPE_IF("output l")),
            FUNCTION_OF("input", nsds_mixed_relation_def, input_fn, "nx + nv", NULL, "txqvlz",
                        NSDS_KIND_INPUT, NULL, "g: first r, then F.", VARIES),
            FUNCTION_OF("jac_input_lambda", nsds_mixed_relation_def, jac_input_lambda_fn,
                        "(nx + nv) x ny", NULL, "txqvlz", NSDS_KIND_JAC_INPUT_LAMBDA, "auto",
                        "dg/dlambda; auto: by differences.", SLOPE_OF("input l")),
            FUNCTION_OF("jac_input_x", nsds_mixed_relation_def, jac_input_x_fn, "(nx + nv) x nx",
                        NULL, "txqvlz", NSDS_KIND_JAC_INPUT_X, "auto",
                        "dg/dX; auto: by differences, left out where g does not use x.",
                        SLOPE_IF("input x")),
            FUNCTION_OF("jac_input_q", nsds_mixed_relation_def, jac_input_q_fn, "(nx + nv) x nq",
                        NULL, "txqvlz", NSDS_KIND_NONE, "auto", "dg/dQ; auto likewise.",
                        SLOPE_IF("input q")),
            FUNCTION_OF("jac_input_v", nsds_mixed_relation_def, jac_input_v_fn, "(nx + nv) x nv",
                        NULL, "txqvlz", NSDS_KIND_NONE, "auto", "dg/dV; auto likewise.",
                        SLOPE_IF("input v")),
            INTEGER_OF(nsds_mixed_relation_def, ny, ">= 1", "auto",
                       "Size of y; auto: from output. Required where output is a plugin's."),
            WHERE, PARAMETERS_OF(nsds_mixed_relation_def), END},
    .call = "nsds_mixed_relation",
    .make = make_nsds_mixed_relation,
    DEFINITION(nsds_mixed_relation_def),
    NAMED(nsds_mixed_relation_def),
    .user_at = offsetof(nsds_mixed_relation_def, user),
    .ny_at = offsetof(nsds_mixed_relation_def, ny),
    .nx_at = offsetof(nsds_mixed_relation_def, nx),
    .nq_at = offsetof(nsds_mixed_relation_def, nq),
    .nv_at = offsetof(nsds_mixed_relation_def, nv)};
