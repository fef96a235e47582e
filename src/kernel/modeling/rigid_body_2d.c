/*
 * Rigid body in the plane: q = (x, y, angle), M = diag(m, m, J), F = (m g, 0) + f(t,z). The system
 * is linear and its W is M, unless a set force turns with the body.
 */
#include "base/base.h"
#include "base/context.h"
#include "base/text/field_rows.h"
#include "kernel/modeling/body_load.h"
#include "kernel/modeling/check.h"
#include "kernel/modeling/label.h"
#include "kernel/modeling/mass_check.h"
#include "kernel/modeling/modeling.h"
#include "kernel/modeling/operator.h"
#include "kernel/modeling/operator_data.h"
#include "kernel/modeling/rigid_body_2d.h"
#include "kernel/modeling/system_create.h"

#include <nsds/plugin.h>

#include <nsds/rigid_body.h>

static const char call[] = "nsds_rigid_body_2d";

typedef struct plane_body {
  nsds_caller caller;
  nsds_body_load given;
  nsds_rigid_body_2d_def def; /* numbers and functions; pointers are unused */
} plane_body;

static nsds_status rigid_body_2d_mass(void *self, const nsds_arguments *in, double *M) {
  const nsds_rigid_body_2d_def *d = &((plane_body *)self)->def;
  (void)in;
  for (int k = 0; k < 9; ++k) M[k] = 0.0;
  M[0] = M[4] = d->mass;
  M[8] = d->inertia;
  return NSDS_OK;
}

static void turn_in_plane(double angle, const double *a, double *b) {
  double c = cos(angle), s = sin(angle);
  b[0] = c * a[0] - s * a[1];
  b[1] = s * a[0] + c * a[1];
}

static void add_given_load(const plane_body *s, double angle, double *F) {
  double turned[2] = {s->given.force[0], s->given.force[1]};
  if (s->given.turns) turn_in_plane(angle, s->given.force, turned);
  F[0] += turned[0];
  F[1] += turned[1];
  F[2] += s->given.moment[0];
}

static nsds_status rigid_body_2d_force(void *self, const nsds_arguments *in, double *F) {
  const plane_body *s = self;
  const nsds_rigid_body_2d_def *d = &s->def;
  nsds_status status = NSDS_OK;
  for (int k = 0; k < 3; ++k) F[k] = 0.0;
  if (d->force_fn) status = nsds_call(&s->caller, "force_fn", d->force_fn, in, F, 3, d->user);
  for (int k = 0; !status && k < 2; ++k) F[k] += d->mass * d->gravity[k];
  if (s->given.acts) add_given_load(s, in->q[2], F);
  return status;
}

static nsds_status rigid_body_2d_stiffness(void *self, const nsds_arguments *in, double *K) {
  const plane_body *s = self;
  double turned[2];
  for (int k = 0; k < 9; ++k) K[k] = 0.0;
  turn_in_plane(in->q[2], s->given.force, turned);
  K[6] = turned[1];
  K[7] = -turned[0];
  return NSDS_OK;
}

static nsds_status rigid_body_2d_prescribed(void *self, const nsds_arguments *in, double *v) {
  const plane_body *s = self;
  return nsds_call(&s->caller, "prescribed.fn", s->def.prescribed.fn, in, v, s->def.prescribed.n,
                   s->def.user);
}

static void rigid_body_2d_destroy(void *self) {
  plane_body *s = self;
  nsds_context *context = s->caller.context;
  nsds_caller_release(&s->caller);
  nsds_release(context, s);
}

static const nsds_second_order_ops ops = {.type = call,
                                          .mass = rigid_body_2d_mass,
                                          .force = rigid_body_2d_force,
                                          .stiffness = rigid_body_2d_stiffness,
                                          .prescribed = rigid_body_2d_prescribed,
                                          .destroy = rigid_body_2d_destroy};

static bool rigid_body_2d_check(nsds_context *context, const char *label,
                                const nsds_rigid_body_2d_def *d) {
  const char *text = NULL;
  if (d->prescribed.n > 0 && !d->prescribed.fn)
    text = "velocities are prescribed, but prescribed.fn is NULL";
  if (d->prescribed.n == 0 && (d->prescribed.index || d->prescribed.fn))
    text = "prescribed.index or prescribed.fn is given, but prescribed.n is 0";
  if (text) nsds_fail(context, NSDS_ERROR_ARGUMENT, "%s: %s: %s", call, label, text);
  return !text && nsds_check_mass_entry(context, call, label, "mass", d->mass) &&
         nsds_check_mass_entry(context, call, label, "inertia", d->inertia);
}

static nsds_body_load *rigid_body_2d_load(void *self) { return &((plane_body *)self)->given; }

static void rigid_body_2d_loaded(nsds_ds *ds) {
  plane_body *s = ds->self;
  if (!nsds_body_load_settle(&s->given, true)) return;
  ds->affine = !s->given.turns;
  ds->force_constant = ds->affine && !s->def.force_fn;
  ds->stiffness = (nsds_matrix_shape){.present = s->given.turns};
  nsds_ds_set_alone(ds, ds->affine && ds->force_constant && ds->prescribed.n == 0);
  nsds_note_systems(ds->model);
}

bool nsds_rigid_body_2d_read(const nsds_ds *ds, double *mass, double gravity[2]) {
  if (ds->ops != &ops) return false;
  const plane_body *s = ds->self;
  *mass = s->def.mass;
  nsds_copy_doubles(gravity, s->def.gravity, 2);
  return true;
}

MAKER(nsds_rigid_body_2d, nsds_rigid_body_2d_def)

#define DEF nsds_rigid_body_2d_def
const nsds_type nsds_system_rigid_body_2d = {
    .type = "rigid_body_2d",
    .help = "A rigid body in the plane: q = (x, y, angle), v = dq/dt.",
    .field =
        (const nsds_field[]){
            NUMBER_OF(DEF, mass, "kg", "> 0", "auto", "Mass; auto: from shapes and density."),
            NUMBER_OF(DEF, inertia, "kg m^2", "> 0", "auto",
                      "Moment of inertia about the center; auto: from shapes and density."),
            NUMBER("density", "kg/m^2", "> 0", "auto",
                   "Density of the shapes, in place of mass and inertia."),
            ARRAY_OF(DEF, q0, "3", "m, rad", "zero", "Initial coordinates."),
            ARRAY_OF(DEF, v0, "3", "m/s, rad/s", "zero", "Initial velocities."),
            VECTOR_OF(DEF, gravity, "2", "m/s^2", "zero", "Acceleration of gravity."),
            FUNCTION_OF("force", DEF, force_fn, "3", "N, N m", "tz", NSDS_KIND_FEXT, "zero",
                        "Force and moment.", VARIES),
            OBJECT("shapes", NSDS_FIELD_LIST, "shape", "zero",
                   "Shapes of the body, for contact sets and for density."),
            PRESCRIBED, SYSTEM_KEYS(DEF), END},
    .call = call,
    SYSTEM(DEF),
    PRESCRIBES(DEF),
    .make = make_nsds_rigid_body_2d};

nsds_ds *nsds_rigid_body_2d(nsds_model *model, const nsds_rigid_body_2d_def *given) {
  nsds_rigid_body_2d_def own;
  char label[nsds_label_size];
  const nsds_rigid_body_2d_def *def = &own;
  if (!nsds_take_system(model, &nsds_system_rigid_body_2d, given, &own, label)) return NULL;
  nsds_context *context = model->context;
  if (!rigid_body_2d_check(context, label, def)) return NULL;
  plane_body *s = NSDS_NEW(context, plane_body);
  if (!s) return NULL;
  s->caller.context = context;
  memcpy(s->caller.label, label, nsds_label_size);
  s->def = *def;
  if (!nsds_caller_take(&s->caller, def->ndata, def->data,
                        NSDS_FUNCTIONS(def->force_fn, def->prescribed.fn))) {
    rigid_body_2d_destroy(s);
    return NULL;
  }
  nsds_caller *caller = &s->caller;
  nsds_ds *ds = nsds_make_second_order(
      model,
      &(nsds_custom_second_order_def){.ops = &ops,
                                      .self = s,
                                      .name = def->name,
                                      .ndof = 3,
                                      .q0 = def->q0,
                                      .v0 = def->v0,
                                      .mass = {.constant = true},
                                      .affine = true,
                                      .force_constant = !def->force_fn,
                                      .prescribed.n = def->prescribed.n,
                                      .prescribed.index = def->prescribed.index,
                                      .nz = def->nz,
                                      .z = def->z},
      false);
  if (!ds) return NULL;
  ds->type.load = rigid_body_2d_load;
  ds->type.loaded = rigid_body_2d_loaded;
  return nsds_ds_called_by(ds, caller);
}
