/*
 * Nonlinear Lagrangian system
 *   M(q,z) dv/dt + NNL(q,v,z) + F_int(t,q,v,z) = F_ext(t,z) + T_L(q) u_L(t,q,v) + p
 * seen by integrators as M dv/dt = F + p with
 *   F = F_ext + T_L u_L - F_int - NNL,   C = dNNL/dv + dF_int/dv,   K = dNNL/dq + dF_int/dq.
 */
#include "mass_check.h"

#include <stdio.h>

static const char call[] = "nsds_lagrangian";

typedef struct lagrangian {
  nsds_caller caller;
  nsds_lagrangian_def def; /* functions and sizes; its arrays are replaced by own copies */
  double *mass, *fext;
  double *scratch; /* ndof^2, at least ndof (ncontrol + 1) */
} lagrangian;

static nsds_status mass(void *self, const nsds_in *in, double *out) {
  lagrangian *s = self;
  int n = s->def.ndof;
  if (s->mass) {
    memcpy(out, s->mass, (size_t)n * (size_t)n * sizeof *out);
    return NSDS_OK;
  }
  return nsds_call(&s->caller, "mass_fn", s->def.mass_fn, in, out, n * n, s->def.user);
}

static nsds_status subtract(lagrangian *s, const char *name, nsds_operator fn, const nsds_in *in,
                            double *out) {
  if (!fn) return NSDS_OK;
  nsds_status status = nsds_call(&s->caller, name, fn, in, s->scratch, s->def.ndof, s->def.user);
  for (int i = 0; !status && i < s->def.ndof; ++i) out[i] -= s->scratch[i];
  return status;
}

static nsds_status add_control(lagrangian *s, const nsds_in *in, double *out) {
  int n = s->def.ndof, m = s->def.ncontrol;
  if (m == 0) return NSDS_OK;
  double *map = s->scratch, *u = s->scratch + (size_t)n * (size_t)m;
  nsds_status status =
      nsds_call(&s->caller, "control_map_fn", s->def.control_map_fn, in, map, n * m, s->def.user);
  if (!status)
    status = nsds_call(&s->caller, "control_fn", s->def.control_fn, in, u, m, s->def.user);
  for (int j = 0; !status && j < m; ++j)
    for (int i = 0; i < n; ++i) out[i] += map[i + j * n] * u[j];
  return status;
}

static nsds_status force(void *self, const nsds_in *in, double *out) {
  lagrangian *s = self;
  int n = s->def.ndof;
  nsds_status status = NSDS_OK;
  if (s->def.fext_fn)
    status = nsds_call(&s->caller, "fext_fn", s->def.fext_fn, in, out, n, s->def.user);
  else
    for (int i = 0; i < n; ++i) out[i] = s->fext ? s->fext[i] : 0.0;
  if (!status) status = add_control(s, in, out);
  if (!status) status = subtract(s, "fint_fn", s->def.fint_fn, in, out);
  if (!status) status = subtract(s, "nnl_fn", s->def.nnl_fn, in, out);
  return status;
}

static bool jacobian_pair(void *self, int k, nsds_jacobian_pair *pair) {
  const nsds_lagrangian_def *d = &((lagrangian *)self)->def;
  const nsds_jacobian_pair all[] = {
      {"jac_nnl_q_fn", d->nnl_fn, d->jac_nnl_q_fn, NSDS_WRT_Q, d->ndof, d->user},
      {"jac_nnl_v_fn", d->nnl_fn, d->jac_nnl_v_fn, NSDS_WRT_V, d->ndof, d->user},
      {"jac_fint_q_fn", d->fint_fn, d->jac_fint_q_fn, NSDS_WRT_Q, d->ndof, d->user},
      {"jac_fint_v_fn", d->fint_fn, d->jac_fint_v_fn, NSDS_WRT_V, d->ndof, d->user}};
  for (int i = 0; i < 4; ++i)
    if (all[i].function && k-- == 0) {
      *pair = all[i];
      return true;
    }
  return false;
}

/* out = or += a Jacobian of NNL or F_int, where there is one. */
static nsds_status add_jacobian(lagrangian *s, const char *name, nsds_operator function,
                                nsds_operator jacobian, nsds_variable variable, const nsds_in *in,
                                double *out, bool *filled) {
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

static nsds_status damping(void *self, const nsds_in *in, double *out) {
  lagrangian *s = self;
  const nsds_lagrangian_def *d = &s->def;
  bool filled = false;
  nsds_status status =
      add_jacobian(s, "jac_nnl_v_fn", d->nnl_fn, d->jac_nnl_v_fn, NSDS_WRT_V, in, out, &filled);
  return status ? status
                : add_jacobian(s, "jac_fint_v_fn", d->fint_fn, d->jac_fint_v_fn, NSDS_WRT_V, in,
                               out, &filled);
}

static nsds_status stiffness(void *self, const nsds_in *in, double *out) {
  lagrangian *s = self;
  const nsds_lagrangian_def *d = &s->def;
  bool filled = false;
  nsds_status status =
      add_jacobian(s, "jac_nnl_q_fn", d->nnl_fn, d->jac_nnl_q_fn, NSDS_WRT_Q, in, out, &filled);
  return status ? status
                : add_jacobian(s, "jac_fint_q_fn", d->fint_fn, d->jac_fint_q_fn, NSDS_WRT_Q, in,
                               out, &filled);
}

static nsds_status prescribed(void *self, const nsds_in *in, double *out) {
  lagrangian *s = self;
  return nsds_call(&s->caller, "prescribed_fn", s->def.prescribed_fn, in, out, s->def.nprescribed,
                   s->def.user);
}

static void destroy(void *self) {
  lagrangian *s = self;
  nsds_context *context = s->caller.context;
  nsds_release(context, s->mass);
  nsds_release(context, s->fext);
  nsds_release(context, s->scratch);
  nsds_release(context, s->caller.scratch);
  nsds_release(context, s);
}

static const nsds_second_order_ops ops = {
    .type = call,
    .mass = mass,
    .force = force,
    .damping = damping,
    .stiffness = stiffness,
    .prescribed = prescribed,
    .jacobian_pair = jacobian_pair,
    .destroy = destroy,
};

static bool fail(nsds_context *context, const char *label, const char *text) {
  nsds_fail(context, NSDS_ERROR_ARGUMENT, "%s: %s: %s", call, label, text);
  return false;
}

static bool check(nsds_context *context, const char *label, const nsds_lagrangian_def *d) {
  if (!nsds_check_count(context, call, "ndof", d->ndof, 1) ||
      !nsds_check_count(context, call, "ncontrol", d->ncontrol, 0) ||
      !nsds_check_dense(context, label, "mass", d->ndof, d->ndof) ||
      !nsds_check_dense(context, label, "control_map_fn", d->ndof, d->ncontrol) ||
      !nsds_check_entries(context, label, "mass", d->mass, d->ndof, d->ndof) ||
      !nsds_check_finite(context, call, "fext", d->fext, d->ndof))
    return false;
  if (!d->mass == !d->mass_fn)
    return fail(context, label,
                d->mass ? "both mass and mass_fn are given; give one"
                        : "mass and mass_fn are NULL; give one");
  if (d->fext && d->fext_fn)
    return fail(context, label, "both fext and fext_fn are given; give one");
  if (d->nnl_fn && (!d->jac_nnl_q_fn || !d->jac_nnl_v_fn))
    return fail(
        context, label,
        "nnl_fn is given without jac_nnl_q_fn or jac_nnl_v_fn; give the function, nsds_zero "
        "where the Jacobian vanishes, or nsds_differences");
  if (d->fint_fn && (!d->jac_fint_q_fn || !d->jac_fint_v_fn))
    return fail(context, label,
                "fint_fn is given without jac_fint_q_fn or jac_fint_v_fn; give the function, "
                "nsds_zero where the Jacobian vanishes, or nsds_differences");
  if (!d->nnl_fn && (d->jac_nnl_q_fn || d->jac_nnl_v_fn))
    return fail(context, label, "a Jacobian of NNL is given without nnl_fn");
  if (!d->fint_fn && (d->jac_fint_q_fn || d->jac_fint_v_fn))
    return fail(context, label, "a Jacobian of F_int is given without fint_fn");
  if (d->ncontrol > 0 && (!d->control_map_fn || !d->control_fn))
    return fail(context, label, "ncontrol > 0 needs both control_map_fn and control_fn");
  if (d->ncontrol == 0 && (d->control_map_fn || d->control_fn))
    return fail(context, label, "a control function is given, but ncontrol is 0");
  if (d->nprescribed > 0 && !d->prescribed_fn)
    return fail(context, label, "velocities are prescribed, but prescribed_fn is NULL");
  if (d->nprescribed == 0 && (d->prescribed || d->prescribed_fn))
    return fail(context, label, "prescribed or prescribed_fn is given, but nprescribed is 0");
  return true;
}

/* M at q0, in the scratch. */
static nsds_status check_initial_mass(lagrangian *s, const nsds_lagrangian_def *def) {
  int n = def->ndof;
  nsds_context *context = s->caller.context;
  double *zero = nsds_alloc_for(context, s->caller.label, "ndof coordinates and nz parameters",
                                (size_t)n + (size_t)def->nz, sizeof *zero);
  if (!zero) return NSDS_ERROR_MEMORY;
  nsds_in in = {.t = 0.0,
                .q = def->q0 ? def->q0 : zero,
                .v = def->v0 ? def->v0 : zero,
                .z = def->z ? def->z : zero + (def->nz > 0 ? n : 0),
                .lambda = zero,
                .nq = n,
                .nv = n,
                .nz = def->nz};
  nsds_status status = mass(s, &in, s->scratch);
  if (!status)
    status = nsds_check_mass(context, s->caller.label,
                             &(nsds_csc){.nrow = n, .ncol = n, .x = s->scratch});
  nsds_release(context, zero);
  return status;
}

static lagrangian *create(nsds_context *context, const char *label,
                          const nsds_lagrangian_def *def) {
  lagrangian *s = NSDS_NEW(context, lagrangian);
  if (!s) return NULL;
  s->caller.context = context;
  memcpy(s->caller.label, label, nsds_label_size);
  s->def = *def;
  size_t n = (size_t)def->ndof, m = (size_t)def->ncontrol;
  s->mass = nsds_copy_for(context, label, "mass", def->mass, n * n, sizeof *def->mass);
  s->fext = nsds_copy_for(context, label, "fext", def->fext, n, sizeof *def->fext);
  s->scratch = nsds_alloc_for(context, label, "matrices of ndof^2 and ndof ncontrol entries",
                              n * n + n * (m + 1) + m, sizeof *s->scratch);
  bool complete = s->scratch && (!def->mass || s->mass) && (!def->fext || s->fext) &&
                  !nsds_caller_reserve(&s->caller, def->ndof, def->ndof) &&
                  !check_initial_mass(s, def);
  if (complete) return s;
  destroy(s);
  return NULL;
}

static bool varies(nsds_operator jacobian) { return jacobian && jacobian != nsds_zero; }

nsds_ds *nsds_lagrangian(nsds_model *model, const nsds_lagrangian_def *def) {
  if (!model || !def) {
    nsds_fail_null(nsds_model_context(model), call, model ? "def" : "model");
    return NULL;
  }
  nsds_context *context = model->context;
  char label[nsds_label_size];
  if (def->name) snprintf(label, sizeof label, "system '%.*s'", nsds_name_size - 1, def->name);
  else snprintf(label, sizeof label, "system #%d (%s)", nsds_ds_count(model), call);
  /* the state must be valid before M(q0) is evaluated */
  if (!check(context, label, def) || !nsds_check_parameters(context, call, "nz", def->nz, def->z) ||
      !nsds_check_finite(context, call, "q0", def->q0, def->ndof) ||
      !nsds_check_finite(context, call, "v0", def->v0, def->ndof))
    return NULL;
  lagrangian *s = create(context, label, def);
  if (!s) return NULL;
  return nsds_make_second_order(
      model,
      &(nsds_second_order_def){
          .ops = &ops,
          .self = s,
          .name = def->name,
          .ndof = def->ndof,
          .q0 = def->q0,
          .v0 = def->v0,
          .mass = {.present = true, .constant = def->mass != NULL},
          .damping = {.present = varies(def->jac_nnl_v_fn) || varies(def->jac_fint_v_fn)},
          .stiffness = {.present = varies(def->jac_nnl_q_fn) || varies(def->jac_fint_q_fn)},
          .nprescribed = def->nprescribed,
          .prescribed = def->prescribed,
          .nz = def->nz,
          .z = def->z},
      false);
}
