/*
 * Relations between first-order systems
 *
 *   linear     y = C X + F Z + D lambda + e,  r = B lambda      (coefficients of (t,Z))
 *   nonlinear  y = h(t,X,lambda,Z),           r = g(t,X,lambda,Z)
 */
#include "base/text/field_rows.h"
#include "base/context.h"
#include "kernel/modeling/check.h"
#include "kernel/modeling/modeling.h"
#include "kernel/modeling/operator.h"
#include "kernel/modeling/operator_data.h"
#include "kernel/modeling/relation.h"
#include "numerics/linear/product.h"

/* ---- linear ---------------------------------------------------------------------------------- */

enum { coef_C, coef_D, coef_B, coef_F, coef_e, coef_count };

static const char *const coef_name[coef_count] = {"C", "D", "B", "F", "e"};
static const char *const coef_fn_name[coef_count] = {"C_fn", "D_fn", "B_fn", "F_fn", "e_fn"};

typedef struct linear {
  nsds_caller caller;
  int ny, nx, nZ;
  int size[coef_count];
  double *constant[coef_count];
  nsds_operator fn[coef_count];
  double *scratch; /* the largest coefficient */
  void *user;
} linear;

/* Gets a coefficient at (t, Z): its constant, its function's value in out, or NULL for zero. */
static nsds_status coefficient(const linear *s, int which, const nsds_arguments *in, double *out) {
  if (s->fn[which])
    return nsds_call(&s->caller, coef_fn_name[which], s->fn[which], in, out, s->size[which],
                     s->user);
  size_t bytes = (size_t)s->size[which] * sizeof *out;
  if (s->constant[which]) memcpy(out, s->constant[which], bytes);
  else memset(out, 0, bytes);
  return NSDS_OK;
}

static bool present(const linear *s, int which) { return s->fn[which] || s->constant[which]; }

static nsds_status add_product(const linear *s, int which, const nsds_arguments *in, int rows,
                               int cols, const double *x, double *out) {
  if (!present(s, which)) return NSDS_OK;
  const double *a = s->constant[which];
  if (!a) {
    nsds_status status = coefficient(s, which, in, s->scratch);
    if (status) return status;
    a = s->scratch;
  }
  nsds_add_product(rows, cols, a, rows, x, out);
  return NSDS_OK;
}

static nsds_status first_order_relation_linear_output(void *self, const nsds_arguments *in,
                                                      double *y) {
  const linear *s = self;
  const double one = 1.0;
  for (int i = 0; i < s->ny; ++i) y[i] = 0.0;
  nsds_status status = add_product(s, coef_e, in, s->ny, 1, &one, y);
  if (!status) status = add_product(s, coef_F, in, s->ny, s->nZ, in->z, y);
  if (!status) status = add_product(s, coef_C, in, s->ny, s->nx, in->x, y);
  if (!status) status = add_product(s, coef_D, in, s->ny, s->ny, in->lambda, y);
  return status;
}

static nsds_status first_order_relation_linear_input(void *self, const nsds_arguments *in,
                                                     double *r) {
  const linear *s = self;
  for (int i = 0; i < s->nx; ++i) r[i] = 0.0;
  return add_product(s, coef_B, in, s->nx, s->ny, in->lambda, r);
}

static nsds_status linear_C(void *self, const nsds_arguments *in, double *out) {
  return coefficient(self, coef_C, in, out);
}

static nsds_status linear_D(void *self, const nsds_arguments *in, double *out) {
  return coefficient(self, coef_D, in, out);
}

static nsds_status linear_B(void *self, const nsds_arguments *in, double *out) {
  return coefficient(self, coef_B, in, out);
}

static void first_order_relation_linear_destroy(void *self) {
  linear *s = self;
  nsds_context *context = s->caller.context;
  for (int k = 0; k < coef_count; ++k) nsds_release(context, s->constant[k]);
  nsds_release(context, s->scratch);
  nsds_caller_release(&s->caller);
  nsds_release(context, s);
}

static const nsds_relation_ops linear_ops = {.type = "nsds_first_order_linear_relation",
                                             .output = first_order_relation_linear_output,
                                             .jacobian_q = linear_C,
                                             .jacobian_lambda = linear_D,
                                             .input = first_order_relation_linear_input,
                                             .input_lambda = linear_B,
                                             .destroy = first_order_relation_linear_destroy};
static const nsds_relation_ops linear_ops_without_d = {.type = "nsds_first_order_linear_relation",
                                                       .output = first_order_relation_linear_output,
                                                       .jacobian_q = linear_C,
                                                       .input = first_order_relation_linear_input,
                                                       .input_lambda = linear_B,
                                                       .destroy =
                                                           first_order_relation_linear_destroy};

static bool first_order_relation_check_linear(nsds_context *context,
                                              const nsds_first_order_linear_relation_def *d,
                                              const char *label, const int cols[],
                                              const double *const constant[],
                                              const nsds_operator fn[]) {
  const char *call = linear_ops.type;
  for (int k = 0; k < coef_count; ++k) {
    if (constant[k] && fn[k]) {
      nsds_fail(context, NSDS_ERROR_ARGUMENT, "%s: both %s and %s are given; give one", call,
                coef_name[k], coef_fn_name[k]);
      return false;
    }
    bool required = k == coef_C || k == coef_B;
    if (required && !constant[k] && !fn[k]) {
      nsds_fail(context, NSDS_ERROR_ARGUMENT, "%s: %s and %s are NULL; give one", call,
                coef_name[k], coef_fn_name[k]);
      return false;
    }
    int rows = k == coef_B ? d->nx : d->ny;
    if (!constant[k] && !fn[k]) continue;
    if (!nsds_check_dense(context, label, coef_name[k], rows, cols[k]) ||
        !nsds_check_entries(context, label, coef_name[k], constant[k], rows, cols[k]))
      return false;
  }
  bool f = constant[coef_F] || fn[coef_F];
  if (f != (d->nZ > 0)) {
    nsds_fail(context, NSDS_ERROR_ARGUMENT, "%s: F and nZ (its columns) must be given together",
              call);
    return false;
  }
  return true;
}

static linear *first_order_relation_create_linear(const nsds_caller *caller,
                                                  const nsds_first_order_linear_relation_def *def,
                                                  const int cols[], const double *const constant[],
                                                  const nsds_operator fn[]) {
  nsds_context *context = caller->context;
  linear *s = NSDS_NEW(context, linear);
  if (!s) return NULL;
  s->caller = *caller;
  s->ny = def->ny;
  s->nx = def->nx;
  s->nZ = def->nZ;
  s->user = def->user;
  bool complete = true;
  int largest = 1;
  for (int k = 0; k < coef_count; ++k) {
    if (!constant[k] && !fn[k]) continue;
    s->size[k] = (k == coef_B ? s->nx : s->ny) * cols[k];
    s->fn[k] = fn[k];
    s->constant[k] = nsds_copy_for(context, s->caller.label, coef_name[k], constant[k],
                                   (size_t)s->size[k], sizeof *constant[k]);
    complete = complete && (!constant[k] || s->constant[k]);
    if (s->size[k] > largest) largest = s->size[k];
  }
  s->scratch = NSDS_NEW_ARRAY(context, double, largest);
  if (complete && s->scratch &&
      nsds_caller_take(&s->caller, def->ndata, def->data,
                       NSDS_FUNCTIONS(def->C_fn, def->D_fn, def->B_fn, def->F_fn, def->e_fn)))
    return s;
  first_order_relation_linear_destroy(s);
  return NULL;
}

nsds_relation *nsds_first_order_linear_relation(nsds_model *model,
                                                const nsds_first_order_linear_relation_def *def) {
  if (!model || !def) {
    nsds_fail_null(nsds_model_context(model), linear_ops.type, model ? "def" : "model");
    return NULL;
  }
  if (nsds_check_reserved(model->context, linear_ops.type, "", NSDS_TAIL(def))) return NULL;
  nsds_context *context = model->context;
  if (!nsds_check_count(context, linear_ops.type, "ny", def->ny, 1) ||
      !nsds_check_count(context, linear_ops.type, "nx", def->nx, 1) ||
      !nsds_check_count(context, linear_ops.type, "nZ", def->nZ, 0))
    return NULL;
  const int cols[coef_count] = {def->nx, def->ny, def->ny, def->nZ, 1};
  const double *const constant[coef_count] = {def->C, def->D, def->B, def->F, def->e};
  const nsds_operator fn[coef_count] = {def->C_fn, def->D_fn, def->B_fn, def->F_fn, def->e_fn};
  nsds_caller labelled = nsds_relation_caller(model, linear_ops.type, def->name);
  if (!first_order_relation_check_linear(context, def, labelled.label, cols, constant, fn))
    return NULL;
  linear *s = first_order_relation_create_linear(&labelled, def, cols, constant, fn);
  if (!s) return NULL;
  bool first_order_relation_varies = false;
  for (int k = 0; k < coef_count; ++k)
    first_order_relation_varies = first_order_relation_varies || fn[k];
  nsds_caller *caller = &s->caller;
  return nsds_relation_called_by(
      nsds_make_relation(model,
                         &(nsds_custom_relation_def){
                             .ops = present(s, coef_D) ? &linear_ops : &linear_ops_without_d,
                             .self = s,
                             .name = def->name,
                             .ny = def->ny,
                             .nq = def->nx,
                             .affine = !first_order_relation_varies,
                             .linear = true,
                             .nZ = def->nZ,
                             .nz = def->nz,
                             .z = def->z},
                         false),
      caller);
}

/* ---- nonlinear ------------------------------------------------------------------------------- */

typedef struct nonlinear {
  nsds_caller caller;
  nsds_first_order_relation_def def;
} nonlinear;

static nsds_status first_order_relation_output(void *self, const nsds_arguments *in, double *y) {
  const nonlinear *s = self;
  return nsds_call(&s->caller, "output_fn", s->def.output_fn, in, y, s->def.ny, s->def.user);
}

static nsds_status first_order_relation_input(void *self, const nsds_arguments *in, double *r) {
  const nonlinear *s = self;
  return nsds_call(&s->caller, "input_fn", s->def.input_fn, in, r, s->def.nx, s->def.user);
}

enum { pair_h_x, pair_h_lambda, pair_g_lambda, pair_g_x, pair_count };

static nsds_jacobian_pair first_order_relation_pair_of(const nonlinear *s, int which) {
  const nsds_first_order_relation_def *d = &s->def;
  const nsds_jacobian_pair all[pair_count] = {
      {"jac_output_x_fn", d->output_fn, d->jac_output_x_fn, NSDS_WRT_X, d->ny, d->user},
      {"jac_output_lambda_fn", d->output_fn, d->jac_output_lambda_fn, NSDS_WRT_LAMBDA, d->ny,
       d->user},
      {"jac_input_lambda_fn", d->input_fn, d->jac_input_lambda_fn, NSDS_WRT_LAMBDA, d->nx, d->user},
      {"jac_input_x_fn", d->input_fn, d->jac_input_x_fn, NSDS_WRT_X, d->nx, d->user}};
  return all[which];
}

static bool first_order_relation_jacobian_pair(void *self, int k, nsds_jacobian_pair *pair) {
  if (k < pair_count) *pair = first_order_relation_pair_of(self, k);
  return k < pair_count;
}

static nsds_status first_order_relation_jacobian(void *self, int which, const nsds_arguments *in,
                                                 double *out) {
  const nonlinear *s = self;
  nsds_jacobian_pair pair = first_order_relation_pair_of(s, which);
  return nsds_call_jacobian(&s->caller, &pair, in, out);
}

static nsds_status jac_h_x(void *self, const nsds_arguments *in, double *C) {
  return first_order_relation_jacobian(self, pair_h_x, in, C);
}

static nsds_status jac_h_lambda(void *self, const nsds_arguments *in, double *D) {
  return first_order_relation_jacobian(self, pair_h_lambda, in, D);
}

static nsds_status jac_g_lambda(void *self, const nsds_arguments *in, double *B) {
  return first_order_relation_jacobian(self, pair_g_lambda, in, B);
}

static nsds_status jac_g_x(void *self, const nsds_arguments *in, double *K) {
  return first_order_relation_jacobian(self, pair_g_x, in, K);
}

static void first_order_relation_destroy(void *self) {
  nonlinear *s = self;
  nsds_context *context = s->caller.context;
  nsds_caller_release(&s->caller);
  nsds_release(context, s);
}

/* The index is [has dh/dlambda][has dg/dX]. */
#define NSDS_OPS(...)                                                                              \
  {                                                                                                \
    .type = "nsds_first_order_relation", .output = first_order_relation_output,                    \
    .jacobian_q = jac_h_x, .input = first_order_relation_input, .input_lambda = jac_g_lambda,      \
    .jacobian_pair = first_order_relation_jacobian_pair,                                           \
    .destroy = first_order_relation_destroy __VA_ARGS__                                            \
  }

static const nsds_relation_ops ops[2][2] = {
    {NSDS_OPS(), NSDS_OPS(, .input_x = jac_g_x)},
    {NSDS_OPS(, .jacobian_lambda = jac_h_lambda),
     NSDS_OPS(, .jacobian_lambda = jac_h_lambda, .input_x = jac_g_x)}};

static bool first_order_relation_check_nonlinear(nsds_context *context,
                                                 const nsds_first_order_relation_def *d) {
  const char *call = ops[0][0].type;
  const nsds_operator required[] = {d->output_fn, d->jac_output_x_fn, d->input_fn,
                                    d->jac_input_lambda_fn};
  const char *const name[] = {"output_fn", "jac_output_x_fn", "input_fn", "jac_input_lambda_fn"};
  for (int k = 0; k < 4; ++k)
    if (!required[k]) {
      nsds_fail(context, NSDS_ERROR_ARGUMENT, "%s: %s is NULL; it is required", call, name[k]);
      return false;
    }
  return nsds_check_count(context, call, "ny", d->ny, 1) &&
         nsds_check_count(context, call, "nx", d->nx, 1) &&
         nsds_check_parameters(context, call, "nz", d->nz, d->z) &&
         nsds_check_dense(context, call, "jac_output_x_fn", d->ny, d->nx) &&
         nsds_check_dense(context, call, "jac_output_lambda_fn", d->ny, d->ny) &&
         nsds_check_dense(context, call, "jac_input_x_fn", d->nx, d->nx);
}

static bool first_order_relation_varies(nsds_operator jacobian_fn) {
  return jacobian_fn && jacobian_fn != nsds_zero;
}

nsds_relation *nsds_first_order_relation(nsds_model *model,
                                         const nsds_first_order_relation_def *def) {
  const char *call = ops[0][0].type;
  if (!model || !def) {
    nsds_fail_null(nsds_model_context(model), call, model ? "def" : "model");
    return NULL;
  }
  if (nsds_check_reserved(model->context, call, "", NSDS_TAIL(def))) return NULL;
  nsds_context *context = model->context;
  if (!first_order_relation_check_nonlinear(context, def)) return NULL;
  nonlinear *s = NSDS_NEW(context, nonlinear);
  if (!s) return NULL;
  s->caller = nsds_relation_caller(model, call, def->name);
  s->def = *def;
  int wide = def->nx > def->ny ? def->nx : def->ny;
  if (!nsds_caller_take(&s->caller, def->ndata, def->data,
                        NSDS_FUNCTIONS(def->output_fn, def->jac_output_x_fn,
                                       def->jac_output_lambda_fn, def->input_fn,
                                       def->jac_input_lambda_fn, def->jac_input_x_fn)) ||
      nsds_caller_reserve(&s->caller, wide, wide)) {
    first_order_relation_destroy(s);
    return NULL;
  }
  nsds_caller *caller = &s->caller;
  return nsds_relation_called_by(
      nsds_make_relation(model,
                         &(nsds_custom_relation_def){
                             .ops = &ops[first_order_relation_varies(def->jac_output_lambda_fn)]
                                        [first_order_relation_varies(def->jac_input_x_fn)],
                             .self = s,
                             .name = def->name,
                             .ny = def->ny,
                             .nq = def->nx,
                             .nz = def->nz,
                             .z = def->z},
                         false),
      caller);
}

/* ---- catalogue ------------------------------------------------------------------------------- */

MAKER(nsds_first_order_linear_relation, nsds_first_order_linear_relation_def)
const nsds_type nsds_relation_first_order_linear = {
    .type = "first_order_linear",
    .help = "y = C X + D lambda + F Z + e, r = B lambda. Between first-order systems.",
    .field =
        (const nsds_field[]){
            FUNCTION_OF("C", nsds_first_order_linear_relation_def, C_fn, "ny x nx", NULL, "tz",
                        NSDS_KIND_C, NULL, "C(t, Z).",
                        CONSTANT(nsds_first_order_linear_relation_def, C)),
            FUNCTION_OF("B", nsds_first_order_linear_relation_def, B_fn, "nx x ny", NULL, "tz",
                        NSDS_KIND_B, NULL, "B(t, Z).",
                        CONSTANT(nsds_first_order_linear_relation_def, B)),
            FUNCTION_OF("D", nsds_first_order_linear_relation_def, D_fn, "ny x ny", NULL, "tz",
                        NSDS_KIND_D, "zero", "D(t, Z).",
                        CONSTANT(nsds_first_order_linear_relation_def, D)),
            FUNCTION_OF("e", nsds_first_order_linear_relation_def, e_fn, "ny", NULL, "tz",
                        NSDS_KIND_E, "zero", "e(t, Z).",
                        CONSTANT(nsds_first_order_linear_relation_def, e)),
            FUNCTION_OF("F", nsds_first_order_linear_relation_def, F_fn, "ny x nz", NULL, "tz",
                        NSDS_KIND_F_MATRIX, "zero", "F(t, Z).",
                        CONSTANT_WITH(nsds_first_order_linear_relation_def, F, nZ)),
            INTEGER_OF(nsds_first_order_linear_relation_def, ny, ">= 1", "auto",
                       "Size of y; auto: from C. Required where C is a plugin's."),
            WHERE, PARAMETERS_OF(nsds_first_order_linear_relation_def), END},
    .call = "nsds_first_order_linear_relation",
    .make = make_nsds_first_order_linear_relation,
    DEFINITION(nsds_first_order_linear_relation_def),
    NAMED(nsds_first_order_linear_relation_def),
    .user_at = offsetof(nsds_first_order_linear_relation_def, user),
    .ny_at = offsetof(nsds_first_order_linear_relation_def, ny),
    .nx_at = offsetof(nsds_first_order_linear_relation_def, nx)};
MAKER(nsds_first_order_relation, nsds_first_order_relation_def)
const nsds_type nsds_relation_first_order = {
    .type = "first_order",
    .help = "y = h(t, X, lambda, Z), r = g(t, X, lambda, Z). Between first-order systems.",
    .field =
        (const nsds_field[]){
            FUNCTION_OF("output", nsds_first_order_relation_def, output_fn, "ny", NULL, "txlz",
                        NSDS_KIND_OUTPUT, NULL, "h.", VARIES),
            FUNCTION_OF("jac_output_x", nsds_first_order_relation_def, jac_output_x_fn, "ny x nx",
                        NULL, "txlz", NSDS_KIND_JAC_OUTPUT_X, "auto",
                        "dh/dX; auto: exact, or by differences of a plugin.", SLOPE_OF("output x")),
            FUNCTION_OF("jac_output_lambda", nsds_first_order_relation_def, jac_output_lambda_fn,
                        "ny x ny", NULL, "txlz", NSDS_KIND_JAC_OUTPUT_LAMBDA, "auto",
                        "dh/dlambda; auto: by differences, zero where h does not use lambda.",
                        SLOPE_IF("output l")),
            FUNCTION_OF("input", nsds_first_order_relation_def, input_fn, "nx", NULL, "txlz",
                        NSDS_KIND_INPUT, NULL, "g.", VARIES),
            FUNCTION_OF("jac_input_lambda", nsds_first_order_relation_def, jac_input_lambda_fn,
                        "nx x ny", NULL, "txlz", NSDS_KIND_JAC_INPUT_LAMBDA, "auto",
                        "dg/dlambda; auto: exact, or by differences of a plugin.",
                        SLOPE_OF("input l")),
            FUNCTION_OF("jac_input_x", nsds_first_order_relation_def, jac_input_x_fn, "nx x nx",
                        NULL, "txlz", NSDS_KIND_JAC_INPUT_X, "auto",
                        "dg/dX; auto: by differences, zero where g does not use X.",
                        SLOPE_IF("input x")),
            INTEGER_OF(nsds_first_order_relation_def, ny, ">= 1", "auto",
                       "Size of y; auto: from output. Required where output is a plugin's."),
            WHERE, PARAMETERS_OF(nsds_first_order_relation_def), END},
    .call = "nsds_first_order_relation",
    .make = make_nsds_first_order_relation,
    DEFINITION(nsds_first_order_relation_def),
    NAMED(nsds_first_order_relation_def),
    .user_at = offsetof(nsds_first_order_relation_def, user),
    .ny_at = offsetof(nsds_first_order_relation_def, ny),
    .nx_at = offsetof(nsds_first_order_relation_def, nx)};
