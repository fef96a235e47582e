/*
 * First-order systems
 *
 *   nonlinear  M(t) dx/dt = f(t,x,z) + T(x) u(t,x,dx/dt,z) + r
 *   linear     M dx/dt = A(t,z) x + b(t,z) + T u(t,z) + r
 */
#include "base/base.h"
#include "base/context.h"
#include "base/text/field_rows.h"
#include "kernel/modeling/check.h"
#include "kernel/modeling/coefficient.h"
#include "kernel/modeling/control.h"
#include "kernel/modeling/label.h"
#include "kernel/modeling/modeling.h"
#include "kernel/modeling/operator.h"
#include "kernel/modeling/operator_data.h"
#include "kernel/modeling/system_create.h"

#include <nsds/plugin.h>

static const char call_nonlinear[] = "nsds_first_order";
static const char call_linear[] = "nsds_first_order_linear";

/* Functions and constants of either kind. Unused ones are NULL. */
typedef struct first_order {
  nsds_caller caller;
  int n;
  nsds_coefficient mass, A;
  double *b;
  nsds_operator mass_fn, A_fn, b_fn; /* b_fn: b(t,z), or f(t,x,z) of a nonlinear system */
  nsds_control control;
  nsds_control_jacobian wrt[2]; /* of the control: x, dx/dt */
  const char *b_name;
  void *user;
} first_order;

static nsds_status first_order_mass(void *self, const nsds_arguments *in, double *out) {
  first_order *s = self;
  if (!s->mass_fn) return nsds_coefficient_get(&s->mass, out);
  return nsds_call(&s->caller, "mass_fn", s->mass_fn, in, out, s->n * s->n, s->user);
}

static nsds_status first_order_rhs(void *self, const nsds_arguments *in, double *out) {
  first_order *s = self;
  int n = s->n;
  nsds_status status = NSDS_OK;
  if (s->b_fn) status = nsds_call(&s->caller, s->b_name, s->b_fn, in, out, n, s->user);
  else
    for (int k = 0; k < n; ++k) out[k] = s->b ? s->b[k] : 0.0;
  return status ? status : nsds_control_add(&s->control, &s->caller, in, out);
}

static bool first_order_jacobian_pair(void *self, int k, nsds_jacobian_pair *pair) {
  const first_order *s = self;
  if (s->A_fn && k-- == 0) {
    *pair = (nsds_jacobian_pair){"jac_f_x_fn", s->b_fn, s->A_fn, NSDS_WRT_X, s->n, s->user};
    return true;
  }
  return nsds_control_pair(&s->control, s->wrt, 2, k, pair);
}

static nsds_status nonlinear_jacobian(void *self, const nsds_arguments *in, double *out) {
  first_order *s = self;
  nsds_jacobian_pair pair = {"jac_f_x_fn", s->b_fn, s->A_fn, NSDS_WRT_X, s->n, s->user};
  nsds_status status = NSDS_OK;
  if (s->A_fn) status = nsds_call_jacobian(&s->caller, &pair, in, out);
  else nsds_zero_doubles(out, (size_t)s->n * (size_t)s->n);
  return status ? status
                : nsds_control_add_jacobian(&s->control, &s->caller, &s->wrt[0], in, 1.0, out);
}

static nsds_status first_order_rate_jacobian(void *self, const nsds_arguments *in, double *out) {
  first_order *s = self;
  nsds_zero_doubles(out, (size_t)s->n * (size_t)s->n);
  return nsds_control_add_jacobian(&s->control, &s->caller, &s->wrt[1], in, 1.0, out);
}

static nsds_status linear_jacobian(void *self, const nsds_arguments *in, double *out) {
  first_order *s = self;
  if (!s->A_fn) return nsds_coefficient_get(&s->A, out);
  return nsds_call(&s->caller, "A_fn", s->A_fn, in, out, s->n * s->n, s->user);
}

static void first_order_destroy(void *self) {
  first_order *s = self;
  nsds_context *context = s->caller.context;
  nsds_coefficient_release(context, &s->mass);
  nsds_coefficient_release(context, &s->A);
  nsds_release(context, s->b);
  nsds_control_release(context, &s->control);
  nsds_caller_release(&s->caller);
  nsds_release(context, s);
}

static const nsds_first_order_ops nonlinear_ops = {.type = call_nonlinear,
                                                   .mass = first_order_mass,
                                                   .rhs = first_order_rhs,
                                                   .jacobian = nonlinear_jacobian,
                                                   .rate_jacobian = first_order_rate_jacobian,
                                                   .jacobian_pair = first_order_jacobian_pair,
                                                   .destroy = first_order_destroy};
static const nsds_first_order_ops linear_ops = {.type = call_linear,
                                                .mass = first_order_mass,
                                                .rhs = first_order_rhs,
                                                .jacobian = linear_jacobian,
                                                .destroy = first_order_destroy};

static bool first_order_fail(nsds_context *context, const char *call, const char *text) {
  nsds_fail(context, NSDS_ERROR_ARGUMENT, "%s: %s", call, text);
  return false;
}

static first_order *first_order_create(nsds_context *context, const char *label) {
  first_order *s = NSDS_NEW(context, first_order);
  if (!s) return NULL;
  s->caller.context = context;
  memcpy(s->caller.label, label, nsds_label_size);
  return s;
}

static bool first_order_check_nonlinear(nsds_context *context, const char *label,
                                        const nsds_first_order_def *d) {
  const char *call = call_nonlinear;
  if (!nsds_check_count(context, call, "n", d->n, 1) ||
      !nsds_check_dense(context, label, "jac_f_x_fn", d->n, d->n) ||
      !nsds_control_check(context, call, d->n, d->control.n, d->control.map, d->control.map_fn,
                          d->control.fn) ||
      !nsds_check_entries(context, label, "mass", d->mass, d->n, d->n))
    return false;
  if (d->mass && d->mass_fn)
    return first_order_fail(context, call, "both mass and mass_fn are given; give one");
  if (d->f_fn && !d->jac_f_x_fn)
    return first_order_fail(
        context, call,
        "f_fn is given without jac_f_x_fn; give the function, nsds_zero where it vanishes, "
        "or nsds_differences");
  if (!d->f_fn && d->jac_f_x_fn)
    return first_order_fail(context, call, "jac_f_x_fn is given without f_fn; give both or none");
  if (d->control.n > 0 && !d->control.jac_x_fn)
    return first_order_fail(
        context, call,
        "control.fn is given without control.jac_x_fn; give the function, nsds_zero where it "
        "vanishes, or nsds_differences");
  if ((d->control.n == 0 && (d->control.jac_x_fn || d->control.jac_xdot_fn)) ||
      (!d->control.map_fn && d->control.jac_map_x_fn))
    return first_order_fail(
        context, call, "a Jacobian of the control is given without control.fn; give both or none");
  return !d->control.jac_map_x_fn ||
         nsds_check_dense(context, label, "control.jac_map_x_fn", d->n * d->control.n, d->n);
}

MAKER(nsds_first_order, nsds_first_order_def)
MAKER(nsds_first_order_linear, nsds_first_order_linear_def)

#define DEF nsds_first_order_def
const nsds_type nsds_system_first_order = {
    .type = "first_order",
    .help = "M dx/dt = f(t, x, z) + r. For nonlinear first-order systems.",
    .field =
        (const nsds_field[]){
            INTEGER_OF(DEF, n, ">= 1", "auto", "Size of x; auto: other keys tell it."),
            ARRAY_OF(DEF, x0, "n", NULL, "zero", "Initial state."),
            FUNCTION_OF("mass", DEF, mass_fn, "n x n", NULL, "t", NSDS_KIND_MASS, "identity",
                        "M; may be singular.", CONSTANT(DEF, mass)),
            FUNCTION_OF("f", DEF, f_fn, "n", NULL, "txz", NSDS_KIND_F, "zero", "f(t, x, z).",
                        VARIES),
            FUNCTION_OF(
                "jac_f_x", DEF, jac_f_x_fn, "n x n", NULL, "txz", NSDS_KIND_JAC_F_X, "auto",
                "df/dx; auto: exact, or by differences of a plugin, zero where f does not use "
                "x.",
                SLOPE_OF("f x")),
            SYSTEM_KEYS(DEF), END},
    .call = call_nonlinear,
    SYSTEM(DEF),
    .make = make_nsds_first_order};
#undef DEF
#define DEF nsds_first_order_linear_def
const nsds_type nsds_system_first_order_linear = {
    .type = "first_order_linear",
    .help = "M dx/dt = A x + b + r. For circuits, controllers and other linear systems.",
    .field =
        (const nsds_field[]){
            INTEGER_OF(DEF, n, ">= 1", "auto", "Size of x; auto: other keys tell it."),
            ARRAY_OF(DEF, x0, "n", NULL, "zero", "Initial state."),
            FUNCTION_OF("mass", DEF, mass_fn, "n x n", NULL, "t", NSDS_KIND_MASS, "identity",
                        "M; may be singular.", CONSTANT_OR_SPARSE(DEF, mass, mass_sparse)),
            FUNCTION_OF("A", DEF, A_fn, "n x n", NULL, "tz", NSDS_KIND_A, "zero", "A(t, z).",
                        CONSTANT_OR_SPARSE(DEF, A, A_sparse)),
            FUNCTION_OF("b", DEF, b_fn, "n", NULL, "tz", NSDS_KIND_B_VECTOR, "zero", "b(t, z).",
                        CONSTANT(DEF, b)),
            SYSTEM_KEYS(DEF), END},
    .call = call_linear,
    SYSTEM(DEF),
    .make = make_nsds_first_order_linear};

nsds_ds *nsds_first_order(nsds_model *model, const nsds_first_order_def *given) {
  nsds_first_order_def own;
  char label[nsds_label_size];
  const nsds_first_order_def *def = &own;
  if (!nsds_take_system(model, &nsds_system_first_order, given, &own, label)) return NULL;
  nsds_context *context = model->context;
  if (!first_order_check_nonlinear(context, label, def)) return NULL;
  first_order *s = first_order_create(context, label);
  if (!s) return NULL;
  int n = def->n, rows = def->control.n > 1 ? n * def->control.n : n;
  s->n = n;
  s->mass_fn = def->mass_fn;
  s->b_fn = def->f_fn;
  s->b_name = "f_fn";
  s->A_fn = def->jac_f_x_fn == nsds_zero ? NULL : def->jac_f_x_fn;
  s->wrt[0] = (nsds_control_jacobian){"control.jac_x_fn", "control.jac_map_x_fn",
                                      def->control.jac_x_fn, def->control.jac_map_x_fn, NSDS_WRT_X};
  s->wrt[1] = (nsds_control_jacobian){
      .u_name = "control.jac_xdot_fn", .u_fn = def->control.jac_xdot_fn, .variable = NSDS_WRT_XDOT};
  s->user = def->user;
  if (!nsds_caller_take(&s->caller, def->ndata, def->data,
                        NSDS_FUNCTIONS(def->mass_fn, def->f_fn, def->jac_f_x_fn,
                                       def->control.map_fn, def->control.fn, def->control.jac_x_fn,
                                       def->control.jac_xdot_fn, def->control.jac_map_x_fn)) ||
      nsds_control_keep(&s->control, &s->caller, n, def->control.n, def->control.map,
                        def->control.map_fn, def->control.fn, def->control.jac_map_x_fn != NULL,
                        def->user) ||
      nsds_coefficient_keep(context, &s->mass, n, def->mass, NULL, false) ||
      nsds_caller_reserve(&s->caller, rows, n)) {
    first_order_destroy(s);
    return NULL;
  }
  nsds_caller *caller = &s->caller;
  return nsds_ds_called_by(
      nsds_make_first_order(
          model,
          &(nsds_custom_first_order_def){
              .ops = &nonlinear_ops,
              .self = s,
              .name = def->name,
              .n = def->n,
              .x0 = def->x0,
              .mass = {.present = def->mass || def->mass_fn, .constant = !def->mass_fn},
              .jacobian = {.present = s->A_fn || nsds_control_varies(&s->wrt[0])},
              .rate_jacobian = {.present = nsds_control_varies(&s->wrt[1])},
              .nz = def->nz,
              .z = def->z},
          false),
      caller);
}

static bool first_order_check_linear(nsds_context *context, const char *label,
                                     const nsds_first_order_linear_def *d) {
  const char *call = call_linear;
  int n = d->n;
  if (!nsds_check_count(context, call, "n", n, 1) ||
      !nsds_check_sparse(context, call, "mass_sparse", d->mass_sparse, n) ||
      !nsds_check_sparse(context, call, "A_sparse", d->A_sparse, n) ||
      !nsds_check_entries(context, label, "mass", d->mass, n, n) ||
      !nsds_check_entries(context, label, "A", d->A, n, n) ||
      !nsds_check_finite(context, call, "b", d->b, n) ||
      !nsds_control_check(context, call, n, d->control.n, d->control.map, NULL, d->control.fn))
    return false;
  if (!!d->mass + !!d->mass_sparse + !!d->mass_fn > 1)
    return first_order_fail(context, call,
                            "more than one of mass, mass_sparse and mass_fn is given; give one");
  if (!!d->A + !!d->A_sparse + !!d->A_fn > 1)
    return first_order_fail(context, call,
                            "more than one of A, A_sparse and A_fn is given; give one");
  if (d->b && d->b_fn)
    return first_order_fail(context, call, "both b and b_fn are given; give one");
  return true;
}

static first_order *first_order_create_linear(nsds_context *context, const char *label,
                                              const nsds_first_order_linear_def *def) {
  first_order *s = first_order_create(context, label);
  if (!s) return NULL;
  int n = def->n;
  bool sparse = def->mass_sparse || def->A_sparse;
  s->n = n;
  s->mass_fn = def->mass_fn;
  s->A_fn = def->A_fn;
  s->b_fn = def->b_fn;
  s->b_name = "b_fn";
  s->user = def->user;
  s->b = nsds_copy_for(context, label, "b", def->b, (size_t)n, sizeof *def->b);
  if ((!def->b || s->b) &&
      nsds_caller_take(&s->caller, def->ndata, def->data,
                       NSDS_FUNCTIONS(def->mass_fn, def->A_fn, def->b_fn, def->control.fn)) &&
      !nsds_control_keep(&s->control, &s->caller, n, def->control.n, def->control.map, NULL,
                         def->control.fn, false, def->user) &&
      !nsds_coefficient_keep(context, &s->mass, n, def->mass, def->mass_sparse, sparse) &&
      !nsds_coefficient_keep(context, &s->A, n, def->A, def->A_sparse, sparse))
    return s;
  first_order_destroy(s);
  return NULL;
}

nsds_ds *nsds_first_order_linear(nsds_model *model, const nsds_first_order_linear_def *given) {
  nsds_first_order_linear_def own;
  char label[nsds_label_size];
  const nsds_first_order_linear_def *def = &own;
  if (!nsds_take_system(model, &nsds_system_first_order_linear, given, &own, label)) return NULL;
  nsds_context *context = model->context;
  if (!first_order_check_linear(context, label, def)) return NULL;
  first_order *s = first_order_create_linear(context, label, def);
  if (!s) return NULL;
  nsds_matrix_shape mass_shape = nsds_coefficient_shape(&s->mass),
                    A_shape = nsds_coefficient_shape(&s->A);
  if (def->mass_fn) mass_shape = (nsds_matrix_shape){.present = true};
  if (def->A_fn) A_shape = (nsds_matrix_shape){.present = true};
  nsds_caller *caller = &s->caller;
  return nsds_ds_called_by(nsds_make_first_order(model,
                                                 &(nsds_custom_first_order_def){
                                                     .ops = &linear_ops,
                                                     .self = s,
                                                     .name = def->name,
                                                     .n = def->n,
                                                     .x0 = def->x0,
                                                     .mass = mass_shape,
                                                     .jacobian = A_shape,
                                                     .affine = true,
                                                     .rhs_constant = !def->b_fn && !def->control.fn,
                                                     .nz = def->nz,
                                                     .z = def->z},
                                                 false),
                           caller);
}
