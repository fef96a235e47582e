/*
 * Relations between Lagrangian coordinates:
 *
 *   linear        y = H Q + F Z + b,   dy/dt = H V + D P;   y + D P or y + S lambda on request
 *   nonlinear     y = h(t,Q,lambda,Z); t and lambda only if their Jacobians are given
 */
#include "base/text/field_rows.h"
#include "base/context.h"
#include "kernel/modeling/check.h"
#include "kernel/modeling/modeling.h"
#include "kernel/modeling/operator.h"
#include "kernel/modeling/operator_data.h"
#include "kernel/modeling/relation.h"

/* ---- linear ---------------------------------------------------------------------------------- */

typedef struct linear {
  nsds_context *context;
  int ny, nq, nZ;
  double *H, *D, *F, *b; /* D: the matrix of lambda or P */
  bool in_y;
} linear;

static nsds_status lagrangian_relation_linear_output(void *self, const nsds_arguments *in,
                                                     double *y) {
  const linear *s = self;
  for (int i = 0; i < s->ny; ++i) y[i] = s->b ? s->b[i] : 0.0;
  for (int j = 0; s->F && j < s->nZ; ++j)
    for (int i = 0; i < s->ny; ++i) y[i] += s->F[i + j * s->ny] * in->z[j];
  for (int j = 0; j < s->nq; ++j)
    for (int i = 0; i < s->ny; ++i) y[i] += s->H[i + j * s->ny] * in->q[j];
  for (int j = 0; s->in_y && j < s->ny; ++j)
    for (int i = 0; i < s->ny; ++i) y[i] += s->D[i + j * s->ny] * in->lambda[j];
  return NSDS_OK;
}

static nsds_status linear_jacobian_q(void *self, const nsds_arguments *in, double *H) {
  const linear *s = self;
  (void)in;
  memcpy(H, s->H, (size_t)s->ny * (size_t)s->nq * sizeof *H);
  return NSDS_OK;
}

static nsds_status linear_feedthrough(void *self, const nsds_arguments *in, double *D) {
  const linear *s = self;
  (void)in;
  memcpy(D, s->D, (size_t)s->ny * (size_t)s->ny * sizeof *D);
  return NSDS_OK;
}

static void lagrangian_relation_linear_destroy(void *self) {
  linear *s = self;
  nsds_context *context = s->context;
  nsds_release(context, s->H);
  nsds_release(context, s->D);
  nsds_release(context, s->F);
  nsds_release(context, s->b);
  nsds_release(context, s);
}

#define NSDS_LINEAR_OPS                                                                            \
  .type = "nsds_lagrangian_linear_relation", .output = lagrangian_relation_linear_output,          \
  .jacobian_q = linear_jacobian_q, .destroy = lagrangian_relation_linear_destroy

static const nsds_relation_ops linear_ops = {NSDS_LINEAR_OPS};
static const nsds_relation_ops linear_ops_d = {NSDS_LINEAR_OPS, .feedthrough = linear_feedthrough};
static const nsds_relation_ops linear_ops_s = {NSDS_LINEAR_OPS,
                                               .jacobian_lambda = linear_feedthrough};

static bool lagrangian_relation_check_linear(nsds_context *context,
                                             const nsds_lagrangian_linear_relation_def *d) {
  const char *call = linear_ops.type;
  if (!nsds_check_count(context, call, "ny", d->ny, 1) ||
      !nsds_check_count(context, call, "nq", d->nq, 1) ||
      !nsds_check_count(context, call, "nZ", d->nZ, 0))
    return false;
  if (!d->H || (d->F && d->nZ == 0) || (!d->F && d->nZ > 0)) {
    nsds_fail(context, NSDS_ERROR_ARGUMENT, "%s: %s", call,
              !d->H ? "H is NULL" : "F and nZ (its columns) must be given together");
    return false;
  }
  if (d->compliance ? d->D || d->D_in_y : d->D_in_y && !d->D) {
    nsds_fail(context, NSDS_ERROR_ARGUMENT, "%s: %s", call,
              d->compliance ? "compliance excludes D and D_in_y"
                            : "D_in_y is given without D; give both or none");
    return false;
  }
  return nsds_check_parameters(context, call, "nz", d->nz, d->z) &&
         nsds_check_entries(context, call, "compliance", d->compliance, d->ny, d->ny) &&
         nsds_check_entries(context, call, "H", d->H, d->ny, d->nq) &&
         nsds_check_entries(context, call, "D", d->D, d->ny, d->ny) &&
         nsds_check_entries(context, call, "F", d->F, d->ny, d->nZ) &&
         nsds_check_finite(context, call, "b", d->b, d->ny);
}

nsds_relation *nsds_lagrangian_linear_relation(nsds_model *model,
                                               const nsds_lagrangian_linear_relation_def *def) {
  if (!model || !def) {
    nsds_fail_null(nsds_model_context(model), linear_ops.type, model ? "def" : "model");
    return NULL;
  }
  if (nsds_check_reserved(model->context, linear_ops.type, "", NSDS_TAIL(def))) return NULL;
  nsds_context *context = model->context;
  if (!lagrangian_relation_check_linear(context, def)) return NULL;
  linear *s = NSDS_NEW(context, linear);
  if (!s) return NULL;
  size_t ny = (size_t)def->ny;
  s->context = context;
  s->ny = def->ny;
  s->nq = def->nq;
  s->nZ = def->nZ;
  s->H = nsds_copy_for(context, linear_ops.type, "H", def->H, ny * (size_t)def->nq, sizeof *def->H);
  const double *D = def->compliance ? def->compliance : def->D;
  s->in_y = def->compliance || def->D_in_y;
  s->D = nsds_copy_for(context, linear_ops.type, "D", D, ny * ny, sizeof *D);
  s->F = nsds_copy_for(context, linear_ops.type, "F", def->F, ny * (size_t)def->nZ, sizeof *def->F);
  s->b = nsds_copy_for(context, linear_ops.type, "b", def->b, ny, sizeof *def->b);
  if (!s->H || (D && !s->D) || (def->F && !s->F) || (def->b && !s->b)) {
    lagrangian_relation_linear_destroy(s);
    return NULL;
  }
  return nsds_make_relation(model,
                            &(nsds_custom_relation_def){.ops = def->compliance ? &linear_ops_s
                                                               : s->D          ? &linear_ops_d
                                                                               : &linear_ops,
                                                        .self = s,
                                                        .name = def->name,
                                                        .ny = def->ny,
                                                        .nq = def->nq,
                                                        .affine = !s->in_y,
                                                        .linear = true,
                                                        .impulsive = def->D_in_y,
                                                        .nZ = def->nZ,
                                                        .nz = def->nz,
                                                        .z = def->z,
                                                        .terms = s->in_y ? def->b : NULL},
                            false);
}

/* ---- nonlinear ------------------------------------------------------------------------------- */

typedef struct nonlinear {
  nsds_caller caller;
  nsds_lagrangian_relation_def def;
} nonlinear;

static nsds_status lagrangian_relation_output(void *self, const nsds_arguments *in, double *y) {
  const nonlinear *s = self;
  return nsds_call(&s->caller, "output_fn", s->def.output_fn, in, y, s->def.ny, s->def.user);
}

static bool lagrangian_relation_jacobian_pair(void *self, int k, nsds_jacobian_pair *pair) {
  const nsds_lagrangian_relation_def *d = &((nonlinear *)self)->def;
  const nsds_jacobian_pair all[] = {
      {"jac_output_q_fn", d->output_fn, d->jac_output_q_fn, NSDS_WRT_Q, d->ny, d->user},
      {"jac_output_t_fn", d->output_fn, d->jac_output_t_fn, NSDS_WRT_T, d->ny, d->user},
      {"jac_output_lambda_fn", d->output_fn, d->jac_output_lambda_fn, NSDS_WRT_LAMBDA, d->ny,
       d->user}};
  for (int i = 0; i < 3; ++i) {
    if (i > 0 && !all[i].jacobian) continue; /* no Jacobian given: no such term */
    if (k-- > 0) continue;
    *pair = all[i];
    return true;
  }
  return false;
}

static nsds_status jacobian_q(void *self, const nsds_arguments *in, double *H) {
  const nonlinear *s = self;
  nsds_jacobian_pair pair = {"jac_output_q_fn", s->def.output_fn, s->def.jac_output_q_fn,
                             NSDS_WRT_Q,        s->def.ny,        s->def.user};
  return nsds_call_jacobian(&s->caller, &pair, in, H);
}

static nsds_status jacobian_t(void *self, const nsds_arguments *in, double *ht) {
  const nonlinear *s = self;
  nsds_jacobian_pair pair = {"jac_output_t_fn", s->def.output_fn, s->def.jac_output_t_fn,
                             NSDS_WRT_T,        s->def.ny,        s->def.user};
  return nsds_call_jacobian(&s->caller, &pair, in, ht);
}

static nsds_status jacobian_lambda(void *self, const nsds_arguments *in, double *hl) {
  const nonlinear *s = self;
  nsds_jacobian_pair pair = {"jac_output_lambda_fn", s->def.output_fn, s->def.jac_output_lambda_fn,
                             NSDS_WRT_LAMBDA,        s->def.ny,        s->def.user};
  return nsds_call_jacobian(&s->caller, &pair, in, hl);
}

static nsds_status lagrangian_relation_bias(void *self, const nsds_arguments *in, double *out) {
  const nonlinear *s = self;
  return nsds_call(&s->caller, "bias_fn", s->def.bias_fn, in, out, s->def.ny, s->def.user);
}

static void lagrangian_relation_destroy(void *self) {
  nonlinear *s = self;
  nsds_context *context = s->caller.context;
  nsds_caller_release(&s->caller);
  nsds_release(context, s);
}

enum { plain, with_bias, compliant, in_rate_form, relation_forms };

/* Operations of a form, without and with dh/dt. */
#define NSDS_NONLINEAR(...)                                                                        \
  {                                                                                                \
    .type = "nsds_lagrangian_relation", .output = lagrangian_relation_output,                      \
    .jacobian_q = jacobian_q, .jacobian_pair = lagrangian_relation_jacobian_pair,                  \
    .destroy = lagrangian_relation_destroy, __VA_ARGS__                                            \
  }
#define NSDS_FORMS(t)                                                                              \
  {                                                                                                \
    [plain] = NSDS_NONLINEAR(.jacobian_t = (t)),                                                   \
    [with_bias] = NSDS_NONLINEAR(.jacobian_t = (t), .bias = lagrangian_relation_bias),             \
    [compliant] = NSDS_NONLINEAR(.jacobian_t = (t), .jacobian_lambda = jacobian_lambda),           \
    [in_rate_form] = NSDS_NONLINEAR(.jacobian_t = (t), .feedthrough = jacobian_lambda)             \
  }
static const nsds_relation_ops nonlinear_ops[2][relation_forms] = {NSDS_FORMS(NULL),
                                                                   NSDS_FORMS(jacobian_t)};

static int lagrangian_relation_form(const nsds_lagrangian_relation_def *def) {
  if (def->jac_output_lambda_fn) return def->rate_form ? in_rate_form : compliant;
  return def->bias_fn ? with_bias : plain;
}

static bool lagrangian_relation_check_function(nsds_context *context, const char *field,
                                               nsds_operator function) {
  if (function) return true;
  nsds_fail(context, NSDS_ERROR_ARGUMENT, "nsds_lagrangian_relation: %s is NULL; it is required",
            field);
  return false;
}

static bool lagrangian_relation_check_form(nsds_context *context,
                                           const nsds_lagrangian_relation_def *def) {
  const char *wrong = NULL;
  if (def->rate_form && !def->jac_output_lambda_fn)
    wrong = "rate_form is given without jac_output_lambda_fn; only compliant relations have one";
  else if (def->bias_fn && def->jac_output_lambda_fn)
    wrong = "bias_fn and jac_output_lambda_fn are given; compliant relations have no bias";
  if (wrong) nsds_fail(context, NSDS_ERROR_ARGUMENT, "nsds_lagrangian_relation: %s", wrong);
  return !wrong;
}

static bool lagrangian_relation_check_nonlinear(nsds_context *context,
                                                const nsds_lagrangian_relation_def *def) {
  const char *call = "nsds_lagrangian_relation";
  bool lambda = def->jac_output_lambda_fn != NULL;
  return nsds_check_count(context, call, "ny", def->ny, 1) &&
         nsds_check_count(context, call, "nq", def->nq, 1) &&
         nsds_check_parameters(context, call, "nz", def->nz, def->z) &&
         nsds_check_dense(context, call, "jac_output_q_fn", def->ny, def->nq) &&
         nsds_check_dense(context, call, "jac_output_lambda_fn", def->ny, lambda ? def->ny : 1) &&
         lagrangian_relation_check_function(context, "output_fn", def->output_fn) &&
         lagrangian_relation_check_function(context, "jac_output_q_fn", def->jac_output_q_fn) &&
         lagrangian_relation_check_form(context, def);
}

nsds_relation *nsds_lagrangian_relation(nsds_model *model,
                                        const nsds_lagrangian_relation_def *def) {
  const char *call = "nsds_lagrangian_relation";
  if (!model || !def) {
    nsds_fail_null(nsds_model_context(model), call, model ? "def" : "model");
    return NULL;
  }
  if (nsds_check_reserved(model->context, call, "", NSDS_TAIL(def))) return NULL;
  nsds_context *context = model->context;
  if (!lagrangian_relation_check_nonlinear(context, def)) return NULL;
  nonlinear *s = NSDS_NEW(context, nonlinear);
  if (!s) return NULL;
  s->caller = nsds_relation_caller(model, call, def->name);
  s->def = *def;
  int columns = def->nq > def->ny ? def->nq : def->ny;
  if (!nsds_caller_take(&s->caller, def->ndata, def->data,
                        NSDS_FUNCTIONS(def->output_fn, def->jac_output_q_fn, def->jac_output_t_fn,
                                       def->jac_output_lambda_fn, def->bias_fn)) ||
      nsds_caller_reserve(&s->caller, def->ny, columns)) {
    lagrangian_relation_destroy(s);
    return NULL;
  }
  const nsds_relation_ops *ops =
      &nonlinear_ops[def->jac_output_t_fn != NULL][lagrangian_relation_form(def)];
  nsds_caller *caller = &s->caller;
  return nsds_relation_called_by(
      nsds_make_relation(model,
                         &(nsds_custom_relation_def){.ops = ops,
                                                     .self = s,
                                                     .name = def->name,
                                                     .ny = def->ny,
                                                     .nq = def->nq,
                                                     .impulsive = ops->feedthrough != NULL,
                                                     .nz = def->nz,
                                                     .z = def->z},
                         false),
      caller);
}

/* ---- catalogue ------------------------------------------------------------------------------- */

MAKER(nsds_lagrangian_linear_relation, nsds_lagrangian_linear_relation_def)
const nsds_type nsds_relation_lagrangian_linear = {
    .type = "lagrangian_linear",
    .help = "y = H Q + F Z + b, P = H^T lambda. Between second-order systems.",
    .field =
        (const nsds_field[]){
            TABLE_OF(nsds_lagrangian_linear_relation_def, H, "ny x nq", "1", NULL,
                     "One row an entry of y; columns are the coordinates of the systems in turn."),
            ARRAY_OF(nsds_lagrangian_linear_relation_def, b, "ny", "m", "zero",
                     "Constant part of y."),
            TABLE_WITH(nsds_lagrangian_linear_relation_def, F, nZ, "ny x nz", NULL, "zero",
                       "Part of the parameters."),
            TABLE_OF(nsds_lagrangian_linear_relation_def, D, "ny x ny", "1/kg", "zero",
                     "Regularisation: dy/dt = H V + D P."),
            TRUTH_OF(nsds_lagrangian_linear_relation_def, D_in_y, "false", "D belongs to y too."),
            TABLE_OF(nsds_lagrangian_linear_relation_def, compliance, "ny x ny", "m/N", "zero",
                     "A spring in series with the contact."),
            PARAMETERS_OF(nsds_lagrangian_linear_relation_def), END},
    .call = "nsds_lagrangian_linear_relation",
    .make = make_nsds_lagrangian_linear_relation,
    DEFINITION(nsds_lagrangian_linear_relation_def),
    NAMED(nsds_lagrangian_linear_relation_def),
    .ny_at = offsetof(nsds_lagrangian_linear_relation_def, ny),
    .nq_at = offsetof(nsds_lagrangian_linear_relation_def, nq)};
MAKER(nsds_lagrangian_relation, nsds_lagrangian_relation_def)
const nsds_type nsds_relation_lagrangian = {
    .type = "lagrangian",
    .help = "y = h(t, Q, lambda, Z), P = (dh/dQ)^T lambda. Between second-order systems.",
    .field =
        (const nsds_field[]){
            FUNCTION_OF("output", nsds_lagrangian_relation_def, output_fn, "ny", "m", "tqlz",
                        NSDS_KIND_OUTPUT, NULL, "h.", VARIES),
            FUNCTION_OF("jac_output_q", nsds_lagrangian_relation_def, jac_output_q_fn, "ny x nq",
                        NULL, "tqlz", NSDS_KIND_JAC_OUTPUT_Q, "auto",
                        "dh/dQ; auto: exact, or by differences of a plugin.", SLOPE_OF("output q")),
            FUNCTION_OF("jac_output_t", nsds_lagrangian_relation_def, jac_output_t_fn, "ny", NULL,
                        "tqlz", NSDS_KIND_JAC_OUTPUT_T, "auto",
                        "dh/dt; auto: by differences, zero where h does not use t.",
                        SLOPE_IF("output t")),
            FUNCTION_OF("jac_output_lambda", nsds_lagrangian_relation_def, jac_output_lambda_fn,
                        "ny x ny", NULL, "tqlz", NSDS_KIND_JAC_OUTPUT_LAMBDA, "auto",
                        "dh/dlambda; auto likewise.", SLOPE_IF("output l")),
            TRUTH_OF(nsds_lagrangian_relation_def, rate_form, "false",
                     "lambda enters dy/dt itself."),
            FUNCTION_OF(
                "bias", nsds_lagrangian_relation_def, bias_fn, "ny", "m/s^2", "tqvz",
                NSDS_KIND_BIAS, "auto",
                "d^2y/dt^2 at dV/dt = 0, for event-driven simulation; auto: by differences.",
                VARIES),
            INTEGER_OF(nsds_lagrangian_relation_def, ny, ">= 1", "auto",
                       "Size of y; auto: from output. Required where output is a plugin's."),
            WHERE, PARAMETERS_OF(nsds_lagrangian_relation_def), END},
    .call = "nsds_lagrangian_relation",
    .make = make_nsds_lagrangian_relation,
    DEFINITION(nsds_lagrangian_relation_def),
    NAMED(nsds_lagrangian_relation_def),
    .user_at = offsetof(nsds_lagrangian_relation_def, user),
    .ny_at = offsetof(nsds_lagrangian_relation_def, ny),
    .nq_at = offsetof(nsds_lagrangian_relation_def, nq)};
