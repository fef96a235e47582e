/*
 * Rigid body in the plane: q = (x, y, angle), M = diag(m, m, J), F = (m g, 0) + f(t,z). A linear
 * system whose W is M.
 */
#include "base/context.h"
#include "kernel/modeling/check.h"
#include "kernel/modeling/label.h"
#include "kernel/modeling/mass_check.h"
#include "kernel/modeling/modeling.h"
#include "kernel/modeling/operator.h"
#include "kernel/modeling/operator_data.h"
#include "kernel/modeling/system_create.h"

#include <nsds/rigid_body.h>

static const char call[] = "nsds_rigid_body_2d";

typedef struct body {
  nsds_caller caller;
  nsds_rigid_body_2d_def def; /* numbers and functions; its pointers are not used */
} body;

static nsds_status rigid_body_2d_mass(void *self, const nsds_arguments *in, double *M) {
  const nsds_rigid_body_2d_def *d = &((body *)self)->def;
  (void)in;
  for (int k = 0; k < 9; ++k) M[k] = 0.0;
  M[0] = M[4] = d->mass;
  M[8] = d->inertia;
  return NSDS_OK;
}

static nsds_status rigid_body_2d_force(void *self, const nsds_arguments *in, double *F) {
  const body *s = self;
  const nsds_rigid_body_2d_def *d = &s->def;
  nsds_status status = NSDS_OK;
  for (int k = 0; k < 3; ++k) F[k] = 0.0;
  if (d->force_fn) status = nsds_call(&s->caller, "force_fn", d->force_fn, in, F, 3, d->user);
  for (int k = 0; !status && k < 2; ++k) F[k] += d->mass * d->gravity[k];
  return status;
}

static nsds_status rigid_body_2d_prescribed(void *self, const nsds_arguments *in, double *v) {
  const body *s = self;
  return nsds_call(&s->caller, "prescribed_fn", s->def.prescribed_fn, in, v, s->def.nprescribed,
                   s->def.user);
}

static void rigid_body_2d_destroy(void *self) {
  body *s = self;
  nsds_context *context = s->caller.context;
  nsds_caller_release(&s->caller);
  nsds_release(context, s);
}

static const nsds_second_order_ops ops = {.type = call,
                                          .mass = rigid_body_2d_mass,
                                          .force = rigid_body_2d_force,
                                          .prescribed = rigid_body_2d_prescribed,
                                          .destroy = rigid_body_2d_destroy};

static bool rigid_body_2d_check(nsds_context *context, const char *label,
                                const nsds_rigid_body_2d_def *d) {
  const char *text = NULL;
  if (d->nprescribed > 0 && !d->prescribed_fn)
    text = "velocities are prescribed, but prescribed_fn is NULL";
  if (d->nprescribed == 0 && (d->prescribed || d->prescribed_fn))
    text = "prescribed or prescribed_fn is given, but nprescribed is 0";
  if (text) nsds_fail(context, NSDS_ERROR_ARGUMENT, "%s: %s: %s", call, label, text);
  return !text && nsds_check_mass_entry(context, call, label, "mass", d->mass) &&
         nsds_check_mass_entry(context, call, label, "inertia", d->inertia) &&
         nsds_check_finite(context, call, "gravity", d->gravity, 2);
}

nsds_ds *nsds_rigid_body_2d(nsds_model *model, const nsds_rigid_body_2d_def *def) {
  if (!model || !def) {
    nsds_fail_null(nsds_model_context(model), call, model ? "def" : "model");
    return NULL;
  }
  nsds_context *context = model->context;
  char label[nsds_label_size];
  nsds_next_ds_label(model, call, def->name, label);
  if (!rigid_body_2d_check(context, label, def)) return NULL;
  body *s = NSDS_NEW(context, body);
  if (!s) return NULL;
  s->caller.context = context;
  memcpy(s->caller.label, label, nsds_label_size);
  s->def = *def;
  if (!nsds_caller_take(&s->caller, def->ndata, def->data,
                        NSDS_FUNCTIONS(def->force_fn, def->prescribed_fn))) {
    rigid_body_2d_destroy(s);
    return NULL;
  }
  nsds_caller *caller = &s->caller;
  return nsds_ds_called_by(
      nsds_make_second_order(model,
                             &(nsds_custom_second_order_def){.ops = &ops,
                                                             .self = s,
                                                             .name = def->name,
                                                             .ndof = 3,
                                                             .q0 = def->q0,
                                                             .v0 = def->v0,
                                                             .mass = {.constant = true},
                                                             .affine = true,
                                                             .force_constant = !def->force_fn,
                                                             .nprescribed = def->nprescribed,
                                                             .prescribed = def->prescribed,
                                                             .nz = def->nz,
                                                             .z = def->z},
                             false),
      caller);
}
