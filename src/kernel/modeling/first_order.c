/*
 * First-order systems
 *   nonlinear  M(t) dx/dt = f(t,x,z) + T(x) u(t,x,z) + r
 *   linear     M dx/dt = A(t,z) x + b(t,z) + r
 */
#include "coefficient.h"

#include <stdio.h>

static const char call_nonlinear[] = "nsds_first_order";
static const char call_linear[] = "nsds_first_order_linear";

/* Functions and constants of either kind; those that do not apply are NULL. */
typedef struct first_order {
  nsds_caller caller;
  int n, ncontrol;
  nsds_coefficient mass, A;
  double *b;
  nsds_operator mass_fn, A_fn, b_fn; /* b_fn: b(t,z), or f(t,x,z) of a nonlinear system */
  nsds_operator control_map_fn, control_fn;
  const char *b_name;
  double *scratch; /* n ncontrol + ncontrol */
  void *user;
} first_order;

static nsds_status mass(void *self, const nsds_in *in, double *out) {
  first_order *s = self;
  if (!s->mass_fn) return nsds_coefficient_get(&s->mass, out);
  return nsds_call(&s->caller, "mass_fn", s->mass_fn, in, out, s->n * s->n, s->user);
}

static nsds_status rhs(void *self, const nsds_in *in, double *out) {
  first_order *s = self;
  int n = s->n, m = s->ncontrol;
  nsds_status status = NSDS_OK;
  if (s->b_fn) status = nsds_call(&s->caller, s->b_name, s->b_fn, in, out, n, s->user);
  else
    for (int k = 0; k < n; ++k) out[k] = s->b ? s->b[k] : 0.0;
  if (status || m == 0) return status;
  double *map = s->scratch, *u = s->scratch + (size_t)n * (size_t)m;
  status = nsds_call(&s->caller, "control_map_fn", s->control_map_fn, in, map, n * m, s->user);
  if (!status) status = nsds_call(&s->caller, "control_fn", s->control_fn, in, u, m, s->user);
  for (int j = 0; !status && j < m; ++j)
    for (int i = 0; i < n; ++i) out[i] += map[i + j * n] * u[j];
  return status;
}

static bool jacobian_pair(void *self, int k, nsds_jacobian_pair *pair) {
  const first_order *s = self;
  if (k > 0 || !s->A_fn) return false;
  *pair = (nsds_jacobian_pair){"jac_f_x_fn", s->b_fn, s->A_fn, NSDS_WRT_X, s->n, s->user};
  return true;
}

static nsds_status nonlinear_jacobian(void *self, const nsds_in *in, double *out) {
  first_order *s = self;
  nsds_jacobian_pair pair;
  jacobian_pair(self, 0, &pair);
  return nsds_call_jacobian(&s->caller, &pair, in, out);
}

static nsds_status linear_jacobian(void *self, const nsds_in *in, double *out) {
  first_order *s = self;
  if (!s->A_fn) return nsds_coefficient_get(&s->A, out);
  return nsds_call(&s->caller, "A_fn", s->A_fn, in, out, s->n * s->n, s->user);
}

static void destroy(void *self) {
  first_order *s = self;
  nsds_context *context = s->caller.context;
  nsds_coefficient_release(context, &s->mass);
  nsds_coefficient_release(context, &s->A);
  nsds_release(context, s->b);
  nsds_release(context, s->scratch);
  nsds_release(context, s->caller.scratch);
  nsds_release(context, s);
}

static const nsds_first_order_ops nonlinear_ops = {.type = call_nonlinear,
                                                   .mass = mass,
                                                   .rhs = rhs,
                                                   .jacobian = nonlinear_jacobian,
                                                   .jacobian_pair = jacobian_pair,
                                                   .destroy = destroy};
static const nsds_first_order_ops linear_ops = {
    .type = call_linear, .mass = mass, .rhs = rhs, .jacobian = linear_jacobian, .destroy = destroy};

static bool fail(nsds_context *context, const char *call, const char *text) {
  nsds_fail(context, NSDS_ERROR_ARGUMENT, "%s: %s", call, text);
  return false;
}

static void set_label(char *label, const nsds_model *model, const char *call, const char *name) {
  if (name) snprintf(label, nsds_label_size, "system '%.*s'", nsds_name_size - 1, name);
  else snprintf(label, nsds_label_size, "system #%d (%s)", nsds_ds_count(model), call);
}

static first_order *create(nsds_context *context, const char *label) {
  first_order *s = NSDS_NEW(context, first_order);
  if (!s) return NULL;
  s->caller.context = context;
  memcpy(s->caller.label, label, nsds_label_size);
  return s;
}

static bool check_nonlinear(nsds_context *context, const char *label,
                            const nsds_first_order_def *d) {
  const char *call = call_nonlinear;
  if (!nsds_check_count(context, call, "n", d->n, 1) ||
      !nsds_check_count(context, call, "ncontrol", d->ncontrol, 0) ||
      !nsds_check_dense(context, label, "jac_f_x_fn", d->n, d->n) ||
      !nsds_check_dense(context, label, "control_map_fn", d->n, d->ncontrol) ||
      !nsds_check_entries(context, label, "mass", d->mass, d->n, d->n))
    return false;
  if (d->mass && d->mass_fn)
    return fail(context, call, "both mass and mass_fn are given; give one");
  if (d->f_fn && !d->jac_f_x_fn)
    return fail(context, call,
                "f_fn is given without jac_f_x_fn; give the function, nsds_zero where it vanishes, "
                "or nsds_differences");
  if (!d->f_fn && d->jac_f_x_fn) return fail(context, call, "jac_f_x_fn is given without f_fn");
  if (d->ncontrol > 0 && (!d->control_map_fn || !d->control_fn))
    return fail(context, call, "ncontrol > 0 needs both control_map_fn and control_fn");
  if (d->ncontrol == 0 && (d->control_map_fn || d->control_fn))
    return fail(context, call, "a control function is given, but ncontrol is 0");
  return true;
}

nsds_ds *nsds_first_order(nsds_model *model, const nsds_first_order_def *def) {
  if (!model || !def) {
    nsds_fail_null(nsds_model_context(model), call_nonlinear, model ? "def" : "model");
    return NULL;
  }
  nsds_context *context = model->context;
  char label[nsds_label_size];
  set_label(label, model, call_nonlinear, def->name);
  if (!check_nonlinear(context, label, def)) return NULL;
  first_order *s = create(context, label);
  if (!s) return NULL;
  s->n = def->n;
  s->ncontrol = def->ncontrol;
  s->mass_fn = def->mass_fn;
  s->b_fn = def->f_fn;
  s->b_name = "f_fn";
  s->A_fn = def->jac_f_x_fn == nsds_zero ? NULL : def->jac_f_x_fn;
  s->control_map_fn = def->control_map_fn;
  s->control_fn = def->control_fn;
  s->user = def->user;
  s->scratch = nsds_alloc_for(context, label, "control_map_fn",
                              ((size_t)def->n + 1) * (size_t)def->ncontrol, sizeof *s->scratch);
  if (!s->scratch || nsds_coefficient_keep(context, &s->mass, def->n, def->mass, NULL, false) ||
      nsds_caller_reserve(&s->caller, def->n, def->n)) {
    destroy(s);
    return NULL;
  }
  return nsds_make_first_order(
      model,
      &(nsds_first_order_system_def){
          .ops = &nonlinear_ops,
          .self = s,
          .name = def->name,
          .n = def->n,
          .x0 = def->x0,
          .mass = {.present = def->mass || def->mass_fn, .constant = !def->mass_fn},
          .jacobian = {.present = s->A_fn != NULL},
          .nz = def->nz,
          .z = def->z},
      false);
}

static bool check_linear(nsds_context *context, const char *label,
                         const nsds_first_order_linear_def *d) {
  const char *call = call_linear;
  int n = d->n;
  if (!nsds_check_count(context, call, "n", n, 1) ||
      !nsds_check_sparse(context, call, "mass_sparse", d->mass_sparse, n) ||
      !nsds_check_sparse(context, call, "A_sparse", d->A_sparse, n) ||
      !nsds_check_entries(context, label, "mass", d->mass, n, n) ||
      !nsds_check_entries(context, label, "A", d->A, n, n) ||
      !nsds_check_finite(context, call, "b", d->b, n))
    return false;
  if (!!d->mass + !!d->mass_sparse + !!d->mass_fn > 1)
    return fail(context, call, "more than one of mass, mass_sparse and mass_fn is given");
  if (!!d->A + !!d->A_sparse + !!d->A_fn > 1)
    return fail(context, call, "more than one of A, A_sparse and A_fn is given");
  if (d->b && d->b_fn) return fail(context, call, "both b and b_fn are given; give one");
  return true;
}

/* NULL where memory is short. */
static first_order *create_linear(nsds_context *context, const char *label,
                                  const nsds_first_order_linear_def *def) {
  first_order *s = create(context, label);
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
      !nsds_coefficient_keep(context, &s->mass, n, def->mass, def->mass_sparse, sparse) &&
      !nsds_coefficient_keep(context, &s->A, n, def->A, def->A_sparse, sparse))
    return s;
  destroy(s);
  return NULL;
}

nsds_ds *nsds_first_order_linear(nsds_model *model, const nsds_first_order_linear_def *def) {
  if (!model || !def) {
    nsds_fail_null(nsds_model_context(model), call_linear, model ? "def" : "model");
    return NULL;
  }
  nsds_context *context = model->context;
  char label[nsds_label_size];
  set_label(label, model, call_linear, def->name);
  if (!check_linear(context, label, def)) return NULL;
  first_order *s = create_linear(context, label, def);
  if (!s) return NULL;
  nsds_shape mass_shape = nsds_coefficient_shape(&s->mass), A_shape = nsds_coefficient_shape(&s->A);
  if (def->mass_fn) mass_shape = (nsds_shape){.present = true};
  if (def->A_fn) A_shape = (nsds_shape){.present = true};
  return nsds_make_first_order(model,
                               &(nsds_first_order_system_def){.ops = &linear_ops,
                                                              .self = s,
                                                              .name = def->name,
                                                              .n = def->n,
                                                              .x0 = def->x0,
                                                              .mass = mass_shape,
                                                              .jacobian = A_shape,
                                                              .affine = true,
                                                              .rhs_constant = !def->b_fn,
                                                              .nz = def->nz,
                                                              .z = def->z},
                               false);
}
