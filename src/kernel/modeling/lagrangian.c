/*
 * Nonlinear Lagrangian system
 *
 *   M(q,z) dv/dt + NNL(q,v,z) + F_int(t,q,v,z) = F_ext(t,z) + T_L(q) u_L(t,q,v) + p
 *
 * In the form M dv/dt = F + p of the integrators
 *
 *   F = F_ext + T_L u_L - F_int - NNL,   C = -dF/dv,   K = -dF/dq.
 */
#include "base/base.h"
#include "base/context.h"
#include "base/text/field_rows.h"
#include "kernel/modeling/check.h"
#include "kernel/modeling/control.h"
#include "kernel/modeling/label.h"
#include "kernel/modeling/mass_check.h"
#include "kernel/modeling/modeling.h"
#include "kernel/modeling/operator.h"
#include "kernel/modeling/operator_data.h"
#include "kernel/modeling/system_create.h"

#include <nsds/plugin.h>

static const char call[] = "nsds_lagrangian";

typedef struct lagrangian {
  nsds_caller caller;
  nsds_lagrangian_def def; /* functions and sizes; the arrays are own copies */
  double *mass, *fext;
  double *scratch; /* ndof^2 */
  nsds_control control;
  nsds_control_jacobian wrt[2]; /* of the control: q, v */
} lagrangian;

static nsds_status lagrangian_mass(void *self, const nsds_arguments *in, double *out) {
  lagrangian *s = self;
  int n = s->def.ndof;
  if (s->mass) {
    memcpy(out, s->mass, (size_t)n * (size_t)n * sizeof *out);
    return NSDS_OK;
  }
  return nsds_call(&s->caller, "mass_fn", s->def.mass_fn, in, out, n * n, s->def.user);
}

static nsds_status lagrangian_subtract(lagrangian *s, const char *name, nsds_operator fn,
                                       const nsds_arguments *in, double *out) {
  if (!fn) return NSDS_OK;
  nsds_status status = nsds_call(&s->caller, name, fn, in, s->scratch, s->def.ndof, s->def.user);
  for (int i = 0; !status && i < s->def.ndof; ++i) out[i] -= s->scratch[i];
  return status;
}

static nsds_status lagrangian_force(void *self, const nsds_arguments *in, double *out) {
  lagrangian *s = self;
  int n = s->def.ndof;
  nsds_status status =
      nsds_call_or_copy(&s->caller, "fext_fn", s->def.fext_fn, s->fext, in, out, n, s->def.user);
  if (!status) status = nsds_control_add(&s->control, &s->caller, in, out);
  if (!status) status = lagrangian_subtract(s, "fint.fn", s->def.fint.fn, in, out);
  if (!status) status = lagrangian_subtract(s, "nnl.fn", s->def.nnl.fn, in, out);
  return status;
}

static bool lagrangian_jacobian_pair(void *self, int k, nsds_jacobian_pair *pair) {
  const lagrangian *s = self;
  const nsds_lagrangian_def *d = &s->def;
  const nsds_jacobian_pair all[] = {
      {"nnl.jac_q_fn", d->nnl.fn, d->nnl.jac_q_fn, NSDS_WRT_Q, d->ndof, d->user},
      {"nnl.jac_v_fn", d->nnl.fn, d->nnl.jac_v_fn, NSDS_WRT_V, d->ndof, d->user},
      {"fint.jac_q_fn", d->fint.fn, d->fint.jac_q_fn, NSDS_WRT_Q, d->ndof, d->user},
      {"fint.jac_v_fn", d->fint.fn, d->fint.jac_v_fn, NSDS_WRT_V, d->ndof, d->user}};
  for (int i = 0; i < 4; ++i)
    if (all[i].function && k-- == 0) {
      *pair = all[i];
      return true;
    }
  return nsds_control_pair(&s->control, s->wrt, 2, k, pair);
}

/* Writes or adds a Jacobian of NNL or F_int to out, if there is one. */
static nsds_status add_jacobian(lagrangian *s, const char *name, nsds_operator function,
                                nsds_operator jacobian, nsds_variable variable,
                                const nsds_arguments *in, double *out, bool *filled) {
  int n = s->def.ndof;
  if (!function || jacobian == nsds_zero) return NSDS_OK;
  double *to = *filled ? s->scratch : out;
  nsds_status status;
  if (jacobian == nsds_differences)
    status = nsds_call_jacobian(&s->caller,
                                &(nsds_jacobian_pair){.name = name,
                                                      .function = function,
                                                      .jacobian = jacobian,
                                                      .variable = variable,
                                                      .rows = n,
                                                      .user = s->def.user},
                                in, to);
  else status = nsds_call(&s->caller, name, jacobian, in, to, n * n, s->def.user);
  for (int i = 0; *filled && !status && i < n * n; ++i) out[i] += to[i];
  *filled = true;
  return status;
}

static nsds_status subtract_control(lagrangian *s, const nsds_control_jacobian *j,
                                    const nsds_arguments *in, double *out, bool filled) {
  if (!filled) nsds_zero_doubles(out, (size_t)s->def.ndof * (size_t)s->def.ndof);
  return nsds_control_add_jacobian(&s->control, &s->caller, j, in, -1.0, out);
}

static nsds_status lagrangian_damping(void *self, const nsds_arguments *in, double *out) {
  lagrangian *s = self;
  const nsds_lagrangian_def *d = &s->def;
  bool filled = false;
  nsds_status status =
      add_jacobian(s, "nnl.jac_v_fn", d->nnl.fn, d->nnl.jac_v_fn, NSDS_WRT_V, in, out, &filled);
  if (!status)
    status = add_jacobian(s, "fint.jac_v_fn", d->fint.fn, d->fint.jac_v_fn, NSDS_WRT_V, in, out,
                          &filled);
  return status ? status : subtract_control(s, &s->wrt[1], in, out, filled);
}

static nsds_status lagrangian_stiffness(void *self, const nsds_arguments *in, double *out) {
  lagrangian *s = self;
  const nsds_lagrangian_def *d = &s->def;
  bool filled = false;
  nsds_status status =
      add_jacobian(s, "nnl.jac_q_fn", d->nnl.fn, d->nnl.jac_q_fn, NSDS_WRT_Q, in, out, &filled);
  if (!status)
    status = add_jacobian(s, "fint.jac_q_fn", d->fint.fn, d->fint.jac_q_fn, NSDS_WRT_Q, in, out,
                          &filled);
  return status ? status : subtract_control(s, &s->wrt[0], in, out, filled);
}

static nsds_status lagrangian_prescribed(void *self, const nsds_arguments *in, double *out) {
  lagrangian *s = self;
  return nsds_call(&s->caller, "prescribed.fn", s->def.prescribed.fn, in, out, s->def.prescribed.n,
                   s->def.user);
}

static void lagrangian_destroy(void *self) {
  lagrangian *s = self;
  nsds_context *context = s->caller.context;
  nsds_release(context, s->mass);
  nsds_release(context, s->fext);
  nsds_release(context, s->scratch);
  nsds_control_release(context, &s->control);
  nsds_caller_release(&s->caller);
  nsds_release(context, s);
}

static const nsds_second_order_ops ops = {
    .type = call,
    .mass = lagrangian_mass,
    .force = lagrangian_force,
    .damping = lagrangian_damping,
    .stiffness = lagrangian_stiffness,
    .prescribed = lagrangian_prescribed,
    .jacobian_pair = lagrangian_jacobian_pair,
    .destroy = lagrangian_destroy,
};

static bool lagrangian_fail(nsds_context *context, const char *label, const char *text) {
  nsds_fail(context, NSDS_ERROR_ARGUMENT, "%s: %s: %s", call, label, text);
  return false;
}

static bool lagrangian_check(nsds_context *context, const char *label,
                             const nsds_lagrangian_def *d) {
  if (!nsds_check_count(context, call, "ndof", d->ndof, 1) ||
      !nsds_check_dense(context, label, "mass", d->ndof, d->ndof) ||
      !nsds_control_check(context, label, d->ndof, d->control.n, d->control.map, d->control.map_fn,
                          d->control.fn) ||
      !nsds_check_entries(context, label, "mass", d->mass, d->ndof, d->ndof) ||
      !nsds_check_finite(context, call, "fext", d->fext, d->ndof))
    return false;
  if (!d->mass == !d->mass_fn)
    return lagrangian_fail(context, label,
                           d->mass ? "both mass and mass_fn are given; give one"
                                   : "mass and mass_fn are NULL; give one");
  if (d->fext && d->fext_fn)
    return lagrangian_fail(context, label, "both fext and fext_fn are given; give one");
  if (d->nnl.fn && (!d->nnl.jac_q_fn || !d->nnl.jac_v_fn))
    return lagrangian_fail(
        context, label,
        "nnl.fn is given without nnl.jac_q_fn or nnl.jac_v_fn; give the function, nsds_zero "
        "where the Jacobian vanishes, or nsds_differences");
  if (d->fint.fn && (!d->fint.jac_q_fn || !d->fint.jac_v_fn))
    return lagrangian_fail(
        context, label,
        "fint.fn is given without fint.jac_q_fn or fint.jac_v_fn; give the function, "
        "nsds_zero where the Jacobian vanishes, or nsds_differences");
  if (!d->nnl.fn && (d->nnl.jac_q_fn || d->nnl.jac_v_fn))
    return lagrangian_fail(context, label,
                           "a Jacobian of NNL is given without nnl.fn; give both or none");
  if (!d->fint.fn && (d->fint.jac_q_fn || d->fint.jac_v_fn))
    return lagrangian_fail(context, label,
                           "a Jacobian of F_int is given without fint.fn; give both or none");
  if (d->control.n > 0 && (!d->control.jac_q_fn || !d->control.jac_v_fn))
    return lagrangian_fail(
        context, label,
        "control.fn is given without control.jac_q_fn or control.jac_v_fn; give the "
        "function, nsds_zero where the Jacobian vanishes, or nsds_differences");
  if ((d->control.n == 0 && (d->control.jac_q_fn || d->control.jac_v_fn)) ||
      (!d->control.map_fn && d->control.jac_map_q_fn))
    return lagrangian_fail(
        context, label, "a Jacobian of the control is given without control.fn; give both or none");
  if (d->control.jac_map_q_fn &&
      !nsds_check_dense(context, label, "control.jac_map_q_fn", d->ndof * d->control.n, d->ndof))
    return false;
  if (d->prescribed.n > 0 && !d->prescribed.fn)
    return lagrangian_fail(context, label, "velocities are prescribed, but prescribed.fn is NULL");
  if (d->prescribed.n == 0 && (d->prescribed.index || d->prescribed.fn))
    return lagrangian_fail(
        context, label,
        "prescribed.index or prescribed.fn is given, but prescribed.n is 0; give the number of "
        "prescribed velocities");
  return true;
}

/* Checks M at q0, which it leaves in the scratch. */
static nsds_status check_initial_mass(lagrangian *s, const nsds_lagrangian_def *def) {
  int n = def->ndof;
  nsds_context *context = s->caller.context;
  double *zero = nsds_alloc_for(context, s->caller.label, "ndof coordinates and nz parameters",
                                (size_t)n + (size_t)def->nz, sizeof *zero);
  if (!zero) return NSDS_ERROR_MEMORY;
  nsds_arguments in = {.t = 0.0,
                       .q = def->q0 ? def->q0 : zero,
                       .v = def->v0 ? def->v0 : zero,
                       .z = def->z ? def->z : zero + (def->nz > 0 ? n : 0),
                       .lambda = zero,
                       .nq = n,
                       .nv = n,
                       .nz = def->nz};
  nsds_status status = lagrangian_mass(s, &in, s->scratch);
  if (!status)
    status = nsds_check_mass(context, call, s->caller.label,
                             &(nsds_csc){.nrow = n, .ncol = n, .x = s->scratch});
  nsds_release(context, zero);
  return status;
}

static lagrangian *lagrangian_create(nsds_context *context, const char *label,
                                     const nsds_lagrangian_def *def) {
  lagrangian *s = NSDS_NEW(context, lagrangian);
  if (!s) return NULL;
  s->caller.context = context;
  memcpy(s->caller.label, label, nsds_label_size);
  s->def = *def;
  size_t n = (size_t)def->ndof;
  int rows = def->control.n > 1 ? def->ndof * def->control.n : def->ndof;
  s->wrt[0] = (nsds_control_jacobian){"control.jac_q_fn", "control.jac_map_q_fn",
                                      def->control.jac_q_fn, def->control.jac_map_q_fn, NSDS_WRT_Q};
  s->wrt[1] = (nsds_control_jacobian){
      .u_name = "control.jac_v_fn", .u_fn = def->control.jac_v_fn, .variable = NSDS_WRT_V};
  s->mass = nsds_copy_for(context, label, "mass", def->mass, n * n, sizeof *def->mass);
  s->fext = nsds_copy_for(context, label, "fext", def->fext, n, sizeof *def->fext);
  s->scratch =
      nsds_alloc_for(context, label, "matrices of ndof^2 entries", n * n, sizeof *s->scratch);
  bool complete =
      s->scratch &&
      nsds_caller_take(&s->caller, def->ndata, def->data,
                       NSDS_FUNCTIONS(def->mass_fn, def->nnl.fn, def->nnl.jac_q_fn,
                                      def->nnl.jac_v_fn, def->fint.fn, def->fint.jac_q_fn,
                                      def->fint.jac_v_fn, def->fext_fn, def->control.map_fn,
                                      def->control.fn, def->control.jac_q_fn, def->control.jac_v_fn,
                                      def->control.jac_map_q_fn, def->prescribed.fn)) &&
      (!def->mass || s->mass) && (!def->fext || s->fext) &&
      !nsds_caller_reserve(&s->caller, rows, def->ndof) &&
      !nsds_control_keep(&s->control, &s->caller, def->ndof, def->control.n, def->control.map,
                         def->control.map_fn, def->control.fn, def->control.jac_map_q_fn != NULL,
                         def->user) &&
      !check_initial_mass(s, def);
  if (complete) return s;
  lagrangian_destroy(s);
  return NULL;
}

static bool lagrangian_varies(nsds_operator jacobian) { return jacobian && jacobian != nsds_zero; }

MAKER(nsds_lagrangian, nsds_lagrangian_def)

#define DEF nsds_lagrangian_def
const nsds_type nsds_system_lagrangian = {
    .type = "lagrangian",
    .help = "M(q, z) dv/dt + NNL + F_int = F_ext + p. For nonlinear mechanical systems.",
    .field =
        (const nsds_field[]){
            INTEGER_OF(DEF, ndof, ">= 1", "auto",
                       "Degrees of freedom; auto: other keys tell them."),
            ARRAY_OF(DEF, q0, "ndof", "m, rad", "zero", "Initial coordinates."),
            ARRAY_OF(DEF, v0, "ndof", "m/s, rad/s", "zero", "Initial velocities."),
            FUNCTION_OF("mass", DEF, mass_fn, "ndof x ndof", "kg", "qz", NSDS_KIND_MASS, NULL,
                        "M(q, z), symmetric positive definite.", CONSTANT(DEF, mass)),
            FUNCTION_OF("nnl", DEF, nnl.fn, "ndof", "N", "qvz", NSDS_KIND_NNL, "zero",
                        "Inertial forces NNL(q, v, z), on the left.", VARIES),
            FUNCTION_OF(
                "jac_nnl_q", DEF, nnl.jac_q_fn, "ndof x ndof", "N/m", "qvz", NSDS_KIND_JAC_NNL_Q,
                "auto",
                "dNNL/dq; auto: exact, or by differences of a plugin, zero where NNL does not "
                "use q.",
                SLOPE_OF("nnl q")),
            FUNCTION_OF("jac_nnl_v", DEF, nnl.jac_v_fn, "ndof x ndof", "N s/m", "qvz",
                        NSDS_KIND_JAC_NNL_V, "auto", "dNNL/dv; auto likewise.", SLOPE_OF("nnl v")),
            FUNCTION_OF("fint", DEF, fint.fn, "ndof", "N", "tqvz", NSDS_KIND_FINT, "zero",
                        "Internal forces F_int(t, q, v, z), on the left.", VARIES),
            FUNCTION_OF("jac_fint_q", DEF, fint.jac_q_fn, "ndof x ndof", "N/m", "tqvz",
                        NSDS_KIND_JAC_FINT_Q, "auto", "dF_int/dq; auto likewise.",
                        SLOPE_OF("fint q")),
            FUNCTION_OF("jac_fint_v", DEF, fint.jac_v_fn, "ndof x ndof", "N s/m", "tqvz",
                        NSDS_KIND_JAC_FINT_V, "auto", "dF_int/dv; auto likewise.",
                        SLOPE_OF("fint v")),
            FUNCTION_OF("fext", DEF, fext_fn, "ndof", "N", "tz", NSDS_KIND_FEXT, "zero",
                        "External forces F_ext(t, z), on the right.", CONSTANT(DEF, fext)),
            PRESCRIBED, SYSTEM_KEYS(DEF), END},
    .call = call,
    SYSTEM(DEF),
    PRESCRIBES(DEF),
    .make = make_nsds_lagrangian};

nsds_ds *nsds_lagrangian(nsds_model *model, const nsds_lagrangian_def *given) {
  nsds_lagrangian_def own;
  char label[nsds_label_size];
  const nsds_lagrangian_def *def = &own;
  if (!nsds_take_system(model, &nsds_system_lagrangian, given, &own, label)) return NULL;
  nsds_context *context = model->context;
  /* M(q0) needs a valid state */
  if (!lagrangian_check(context, label, def) ||
      !nsds_check_parameters(context, call, "nz", def->nz, def->z) ||
      !nsds_check_finite(context, call, "q0", def->q0, def->ndof) ||
      !nsds_check_finite(context, call, "v0", def->v0, def->ndof))
    return NULL;
  unsigned busy = model->busy;
  model->busy |= NSDS_BUSY_CALL; /* during mass_fn */
  lagrangian *s = lagrangian_create(context, label, def);
  model->busy = busy;
  if (!s) return NULL;
  nsds_caller *caller = &s->caller;
  return nsds_ds_called_by(
      nsds_make_second_order(model,
                             &(nsds_custom_second_order_def){
                                 .ops = &ops,
                                 .self = s,
                                 .name = def->name,
                                 .ndof = def->ndof,
                                 .q0 = def->q0,
                                 .v0 = def->v0,
                                 .mass = {.present = true, .constant = def->mass != NULL},
                                 .damping = {.present = lagrangian_varies(def->nnl.jac_v_fn) ||
                                                        lagrangian_varies(def->fint.jac_v_fn) ||
                                                        nsds_control_varies(&s->wrt[1])},
                                 .stiffness = {.present = lagrangian_varies(def->nnl.jac_q_fn) ||
                                                          lagrangian_varies(def->fint.jac_q_fn) ||
                                                          nsds_control_varies(&s->wrt[0])},
                                 .prescribed.n = def->prescribed.n,
                                 .prescribed.index = def->prescribed.index,
                                 .nz = def->nz,
                                 .z = def->z},
                             false),
      caller);
}
