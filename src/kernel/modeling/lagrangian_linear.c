/*
 * Linear time-invariant Lagrangian system M dv/dt + C v + K q = F_ext(t,z) + p. M, C, K are all
 * sparse if one of them is sparse, else dense.
 */
#include "base/context.h"
#include "base/text/field_rows.h"
#include "kernel/modeling/check.h"
#include "kernel/modeling/coefficient.h"
#include "kernel/modeling/label.h"
#include "kernel/modeling/mass_check.h"
#include "kernel/modeling/modeling.h"
#include "kernel/modeling/operator.h"
#include "kernel/modeling/operator_data.h"
#include "kernel/modeling/system_create.h"

#include <nsds/plugin.h>

static const char call[] = "nsds_lagrangian_linear";

typedef struct linear {
  nsds_caller caller;
  nsds_coefficient mass, damping, stiffness;
  double *fext;
  nsds_operator fext_fn;
  nsds_prescribed prescribed;
  int ndof;
  void *user;
} linear;

static nsds_status lagrangian_linear_mass(void *self, const nsds_arguments *in, double *out) {
  (void)in;
  return nsds_coefficient_get(&((linear *)self)->mass, out);
}

static nsds_status lagrangian_linear_damping(void *self, const nsds_arguments *in, double *out) {
  (void)in;
  return nsds_coefficient_get(&((linear *)self)->damping, out);
}

static nsds_status lagrangian_linear_stiffness(void *self, const nsds_arguments *in, double *out) {
  (void)in;
  return nsds_coefficient_get(&((linear *)self)->stiffness, out);
}

static nsds_status lagrangian_linear_force(void *self, const nsds_arguments *in, double *out) {
  linear *s = self;
  return nsds_call_or_copy(&s->caller, "fext_fn", s->fext_fn, s->fext, in, out, s->ndof, s->user);
}

static nsds_status lagrangian_linear_prescribed(void *self, const nsds_arguments *in, double *out) {
  linear *s = self;
  return nsds_call(&s->caller, "prescribed.fn", s->prescribed.fn, in, out, s->prescribed.n,
                   s->user);
}

static void lagrangian_linear_destroy(void *self) {
  linear *s = self;
  nsds_context *context = s->caller.context;
  nsds_coefficient_release(context, &s->mass);
  nsds_coefficient_release(context, &s->damping);
  nsds_coefficient_release(context, &s->stiffness);
  nsds_release(context, s->fext);
  nsds_caller_release(&s->caller);
  nsds_release(context, s);
}

static const nsds_second_order_ops ops = {
    .type = call,
    .mass = lagrangian_linear_mass,
    .force = lagrangian_linear_force,
    .damping = lagrangian_linear_damping,
    .stiffness = lagrangian_linear_stiffness,
    .prescribed = lagrangian_linear_prescribed,
    .destroy = lagrangian_linear_destroy,
};

static bool lagrangian_linear_check(nsds_context *context, const char *label,
                                    const nsds_lagrangian_linear_def *d) {
  int n = d->ndof;
  if (!nsds_check_count(context, call, "ndof", n, 1) ||
      !nsds_check_sparse(context, call, "mass_sparse", d->mass_sparse, n) ||
      !nsds_check_sparse(context, call, "damping_sparse", d->damping_sparse, n) ||
      !nsds_check_sparse(context, call, "stiffness_sparse", d->stiffness_sparse, n) ||
      !nsds_check_entries(context, label, "mass", d->mass, n, n) ||
      !nsds_check_entries(context, label, "damping", d->damping, n, n) ||
      !nsds_check_entries(context, label, "stiffness", d->stiffness, n, n) ||
      !nsds_check_finite(context, call, "fext", d->fext, n))
    return false;
  const char *text = NULL;
  if (!d->mass && !d->mass_sparse) text = "mass and mass_sparse are NULL; give one";
  if (d->mass && d->mass_sparse) text = "both mass and mass_sparse are given; give one";
  if (d->damping && d->damping_sparse) text = "both damping and damping_sparse are given; give one";
  if (d->stiffness && d->stiffness_sparse)
    text = "both stiffness and stiffness_sparse are given; give one";
  if (d->fext && d->fext_fn) text = "both fext and fext_fn are given; give one";
  if (d->prescribed.n > 0 && !d->prescribed.fn)
    text = "velocities are prescribed, but prescribed.fn is NULL";
  if (d->prescribed.n == 0 && (d->prescribed.index || d->prescribed.fn))
    text = "prescribed.index or prescribed.fn is given, but prescribed.n is 0; give the number of "
           "prescribed velocities";
  if (text) nsds_fail(context, NSDS_ERROR_ARGUMENT, "%s: %s", call, text);
  return !text;
}

static linear *lagrangian_linear_create(nsds_context *context, const char *label,
                                        const nsds_lagrangian_linear_def *d) {
  linear *s = NSDS_NEW(context, linear);
  if (!s) return NULL;
  int n = d->ndof;
  bool sparse = d->mass_sparse || d->damping_sparse || d->stiffness_sparse;
  s->caller.context = context;
  memcpy(s->caller.label, label, nsds_label_size);
  s->ndof = n;
  s->prescribed.n = d->prescribed.n;
  s->fext_fn = d->fext_fn;
  s->prescribed.fn = d->prescribed.fn;
  s->user = d->user;
  s->fext = nsds_copy_for(context, label, "fext", d->fext, (size_t)n, sizeof *d->fext);
  bool complete =
      (!d->fext || s->fext) &&
      nsds_caller_take(&s->caller, d->ndata, d->data,
                       NSDS_FUNCTIONS(d->fext_fn, d->prescribed.fn)) &&
      !nsds_coefficient_keep(context, &s->mass, n, d->mass, d->mass_sparse, sparse) &&
      !nsds_coefficient_keep(context, &s->damping, n, d->damping, d->damping_sparse, sparse) &&
      !nsds_coefficient_keep(context, &s->stiffness, n, d->stiffness, d->stiffness_sparse,
                             sparse) &&
      !nsds_check_mass(context, call, label, &(nsds_csc){n, n, s->mass.p, s->mass.i, s->mass.x});
  if (complete) return s;
  lagrangian_linear_destroy(s);
  return NULL;
}

MAKER(nsds_lagrangian_linear, nsds_lagrangian_linear_def)

#define DEF nsds_lagrangian_linear_def
const nsds_type nsds_system_lagrangian_linear = {
    .type = "lagrangian_linear",
    .help = "M dv/dt + C v + K q = F_ext(t, z) + p. For linear mechanical systems.",
    .field =
        (const nsds_field[]){
            INTEGER_OF(DEF, ndof, ">= 1", "auto",
                       "Degrees of freedom; auto: other keys tell them."),
            ARRAY_OF(DEF, q0, "ndof", "m, rad", "zero", "Initial coordinates."),
            ARRAY_OF(DEF, v0, "ndof", "m/s, rad/s", "zero", "Initial velocities."),
            SPARSE_OF(DEF, mass, mass_sparse, "ndof x ndof", "kg", NULL,
                      "M, symmetric positive definite."),
            SPARSE_OF(DEF, damping, damping_sparse, "ndof x ndof", "N s/m", "zero", "C."),
            SPARSE_OF(DEF, stiffness, stiffness_sparse, "ndof x ndof", "N/m", "zero", "K."),
            FUNCTION_OF("fext", DEF, fext_fn, "ndof", "N", "tz", NSDS_KIND_FEXT, "zero",
                        "F_ext(t, z).", CONSTANT(DEF, fext)),
            PRESCRIBED, SYSTEM_KEYS(DEF), END},
    .call = call,
    SYSTEM(DEF),
    PRESCRIBES(DEF),
    .make = make_nsds_lagrangian_linear};

nsds_ds *nsds_lagrangian_linear(nsds_model *model, const nsds_lagrangian_linear_def *given) {
  nsds_lagrangian_linear_def own;
  char label[nsds_label_size];
  const nsds_lagrangian_linear_def *def = &own;
  if (!nsds_take_system(model, &nsds_system_lagrangian_linear, given, &own, label)) return NULL;
  if (!lagrangian_linear_check(model->context, label, def)) return NULL;
  linear *s = lagrangian_linear_create(model->context, label, def);
  if (!s) return NULL;
  nsds_caller *caller = &s->caller;
  return nsds_ds_called_by(
      nsds_make_second_order(
          model,
          &(nsds_custom_second_order_def){.ops = &ops,
                                          .self = s,
                                          .name = def->name,
                                          .ndof = def->ndof,
                                          .q0 = def->q0,
                                          .v0 = def->v0,
                                          .mass = nsds_coefficient_shape(&s->mass),
                                          .damping = nsds_coefficient_shape(&s->damping),
                                          .stiffness = nsds_coefficient_shape(&s->stiffness),
                                          .affine = true,
                                          .force_constant = !def->fext_fn,
                                          .prescribed.n = def->prescribed.n,
                                          .prescribed.index = def->prescribed.index,
                                          .nz = def->nz,
                                          .z = def->z},
          false),
      caller);
}
