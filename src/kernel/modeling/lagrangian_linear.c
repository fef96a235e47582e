/*
 * Linear time-invariant Lagrangian system  M dv/dt + C v + K q = F_ext(t,z) + p.
 * M, C, K are kept dense, or all sparse as soon as one of them is.
 */
#include "mass_check.h"

#include <stdio.h>

static const char call[] = "nsds_lagrangian_linear";

/* One of M, C, K: dense values, or values on an own sparse pattern; x is NULL when it is zero. */
typedef struct coefficient {
  int *p, *i;
  double *x;
  size_t count;
} coefficient;

typedef struct linear {
  nsds_caller caller;
  coefficient mass, damping, stiffness;
  double *fext;
  nsds_operator fext_fn, prescribed_fn;
  int ndof, nprescribed;
  void *user;
} linear;

static nsds_status get(const coefficient *c, double *out) {
  memcpy(out, c->x, c->count * sizeof *out);
  return NSDS_OK;
}

static nsds_status mass(void *self, const nsds_in *in, double *out) {
  (void)in;
  return get(&((linear *)self)->mass, out);
}

static nsds_status damping(void *self, const nsds_in *in, double *out) {
  (void)in;
  return get(&((linear *)self)->damping, out);
}

static nsds_status stiffness(void *self, const nsds_in *in, double *out) {
  (void)in;
  return get(&((linear *)self)->stiffness, out);
}

static nsds_status force(void *self, const nsds_in *in, double *out) {
  linear *s = self;
  if (s->fext_fn) return nsds_call(&s->caller, "fext_fn", s->fext_fn, in, out, s->ndof, s->user);
  for (int k = 0; k < s->ndof; ++k) out[k] = s->fext ? s->fext[k] : 0.0;
  return NSDS_OK;
}

static nsds_status prescribed(void *self, const nsds_in *in, double *out) {
  linear *s = self;
  return nsds_call(&s->caller, "prescribed_fn", s->prescribed_fn, in, out, s->nprescribed, s->user);
}

static void release_coefficient(nsds_context *context, coefficient *c) {
  nsds_release(context, c->p);
  nsds_release(context, c->i);
  nsds_release(context, c->x);
}

static void destroy(void *self) {
  linear *s = self;
  nsds_context *context = s->caller.context;
  release_coefficient(context, &s->mass);
  release_coefficient(context, &s->damping);
  release_coefficient(context, &s->stiffness);
  nsds_release(context, s->fext);
  nsds_release(context, s);
}

static const nsds_second_order_ops ops = {
    .type = call,
    .mass = mass,
    .force = force,
    .damping = damping,
    .stiffness = stiffness,
    .prescribed = prescribed,
    .destroy = destroy,
};

static const nsds_second_order_ops ops_free = {
    .type = call,
    .mass = mass,
    .force = force,
    .damping = damping,
    .stiffness = stiffness,
    .destroy = destroy,
};

static bool check_sparse(nsds_context *context, const char *field, const nsds_csc *a, int n) {
  if (!a) return true;
  if (a->nrow != n || a->ncol != n) {
    nsds_fail(context, NSDS_ERROR_SIZE, "%s: %s is %d x %d; ndof is %d", call, field, a->nrow,
              a->ncol, n);
    return false;
  }
  if (!a->p || a->p[0] != 0) {
    nsds_fail(context, NSDS_ERROR_ARGUMENT, "%s: %s.p is NULL or does not start at 0", call, field);
    return false;
  }
  for (int j = 0; j < n; ++j) {
    if (a->p[j + 1] < a->p[j]) {
      nsds_fail(context, NSDS_ERROR_SIZE, "%s: %s.p[%d] is %d, smaller than p[%d] = %d", call,
                field, j + 1, a->p[j + 1], j, a->p[j]);
      return false;
    }
    if (a->p[j + 1] > a->p[j] && (!a->i || !a->x)) {
      nsds_fail(context, NSDS_ERROR_ARGUMENT, "%s: %s.i or %s.x is NULL", call, field, field);
      return false;
    }
    for (int k = a->p[j]; k < a->p[j + 1]; ++k)
      if (a->i[k] < (k > a->p[j] ? a->i[k - 1] + 1 : 0) || a->i[k] >= n) {
        nsds_fail(context, NSDS_ERROR_SIZE,
                  "%s: %s.i[%d] is %d; row indices increase within a column and are in [0, %d]",
                  call, field, k, a->i[k], n - 1);
        return false;
      }
  }
  return nsds_check_finite(context, call, field, a->x, a->p[n]);
}

static bool check(nsds_context *context, const nsds_lagrangian_linear_def *d) {
  int n = d->ndof;
  if (!nsds_check_count(context, call, "ndof", n, 1) ||
      !check_sparse(context, "mass_sparse", d->mass_sparse, n) ||
      !check_sparse(context, "damping_sparse", d->damping_sparse, n) ||
      !check_sparse(context, "stiffness_sparse", d->stiffness_sparse, n) ||
      (d->mass && !nsds_check_finite(context, call, "mass", d->mass, n * n)) ||
      (d->damping && !nsds_check_finite(context, call, "damping", d->damping, n * n)) ||
      (d->stiffness && !nsds_check_finite(context, call, "stiffness", d->stiffness, n * n)) ||
      !nsds_check_finite(context, call, "fext", d->fext, n))
    return false;
  const char *text = NULL;
  if (!d->mass && !d->mass_sparse) text = "mass and mass_sparse are NULL; give one";
  if (d->mass && d->mass_sparse) text = "both mass and mass_sparse are given; give one";
  if (d->damping && d->damping_sparse) text = "both damping and damping_sparse are given; give one";
  if (d->stiffness && d->stiffness_sparse)
    text = "both stiffness and stiffness_sparse are given; give one";
  if (d->fext && d->fext_fn) text = "both fext and fext_fn are given; give one";
  if (text) nsds_fail(context, NSDS_ERROR_ARGUMENT, "%s: %s", call, text);
  return !text;
}

/* Keeps a given matrix dense, or sparse where `to_sparse`. */
static nsds_status keep(nsds_context *context, coefficient *c, int n, const double *dense,
                        const nsds_csc *sparse, bool to_sparse) {
  if (!dense && !sparse) return NSDS_OK;
  size_t size = (size_t)n * (size_t)n;
  if (!to_sparse) {
    c->count = size;
    c->x = nsds_copy(context, dense, size, sizeof *dense);
    return c->x ? NSDS_OK : NSDS_ERROR_MEMORY;
  }
  c->count = 0;
  if (sparse) c->count = (size_t)sparse->p[n];
  for (size_t k = 0; dense && k < size; ++k) c->count += dense[k] != 0.0;
  c->p = NSDS_NEW_ARRAY(context, int, n + 1);
  c->i = NSDS_NEW_ARRAY(context, int, c->count);
  c->x = NSDS_NEW_ARRAY(context, double, c->count);
  if (!c->p || !c->i || !c->x) return NSDS_ERROR_MEMORY;
  int filled = 0;
  for (int j = 0; j < n; ++j) {
    int first = sparse ? sparse->p[j] : j * n, last = sparse ? sparse->p[j + 1] : first + n;
    for (int k = first; k < last; ++k) {
      double value = sparse ? sparse->x[k] : dense[k];
      if (!sparse && value == 0.0) continue;
      c->i[filled] = sparse ? sparse->i[k] : k - first;
      c->x[filled++] = value;
    }
    c->p[j + 1] = filled;
  }
  return NSDS_OK;
}

static linear *create(nsds_context *context, const char *label,
                      const nsds_lagrangian_linear_def *d) {
  linear *s = NSDS_NEW(context, linear);
  if (!s) return NULL;
  int n = d->ndof;
  bool sparse = d->mass_sparse || d->damping_sparse || d->stiffness_sparse;
  s->caller.context = context;
  memcpy(s->caller.label, label, nsds_label_size);
  s->ndof = n;
  s->nprescribed = d->nprescribed;
  s->fext_fn = d->fext_fn;
  s->prescribed_fn = d->prescribed_fn;
  s->user = d->user;
  s->fext = nsds_copy(context, d->fext, (size_t)n, sizeof *d->fext);
  bool complete =
      (!d->fext || s->fext) &&
      !keep(context, &s->mass, n, d->mass, d->mass_sparse, sparse) &&
      !keep(context, &s->damping, n, d->damping, d->damping_sparse, sparse) &&
      !keep(context, &s->stiffness, n, d->stiffness, d->stiffness_sparse, sparse) &&
      !nsds_check_mass(context, label,
                       &(nsds_csc){n, n, s->mass.p, s->mass.i, s->mass.x});
  if (complete) return s;
  destroy(s);
  return NULL;
}

static nsds_shape shape(const coefficient *c) {
  return (nsds_shape){.present = c->x != NULL, .constant = true, .p = c->p, .i = c->i};
}

nsds_ds *nsds_lagrangian_linear(nsds_model *model, const nsds_lagrangian_linear_def *def) {
  if (!model || !def) {
    nsds_fail_null(nsds_model_context(model), call, model ? "def" : "model");
    return NULL;
  }
  char label[nsds_label_size];
  if (def->name)
    snprintf(label, sizeof label, "system '%.*s'", nsds_name_size - 1, def->name);
  else
    snprintf(label, sizeof label, "system #%d (%s)", nsds_ds_count(model), call);
  if (!check(model->context, def)) return NULL;
  linear *s = create(model->context, label, def);
  if (!s) return NULL;
  return nsds_second_order(
      model, &(nsds_second_order_def){.ops = def->prescribed_fn ? &ops : &ops_free,
                                      .self = s,
                                      .name = def->name,
                                      .ndof = def->ndof,
                                      .q0 = def->q0,
                                      .v0 = def->v0,
                                      .mass = shape(&s->mass),
                                      .damping = shape(&s->damping),
                                      .stiffness = shape(&s->stiffness),
                                      .affine = true,
                                      .force_constant = !def->fext_fn,
                                      .nprescribed = def->nprescribed,
                                      .prescribed = def->prescribed,
                                      .nz = def->nz,
                                      .z = def->z});
}
