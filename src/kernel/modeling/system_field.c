/*
 * The vector field of one system without interactions, dx/dt = f(t,x), and its Jacobian:
 *
 *   second order   f = (T v, a), M a = F;    da/dq = M^-1 (dF/dq - d(M a)/dq),  da/dv = M^-1 dF/dv
 *   first order    M f = b(t,x);             df/dx = M^-1 db/dx
 *
 * with F = F_ext - C v - K q for affine systems, dF/dq = -K and dF/dv = -C. Derivatives without a
 * function are differences of order 4, (8 (f(+h) - f(-h)) - (f(+2h) - f(-2h))) / 12 h. Sensors add
 * the forces of interactions to F.
 */
#include "kernel/modeling/system_field.h"

#include "base/base.h"
#include "base/context.h"
#include "kernel/modeling/busy.h"
#include "kernel/modeling/handle.h"
#include "kernel/modeling/label.h"
#include "kernel/modeling/modeling.h"
#include "kernel/modeling/shape_column.h"
#include "numerics/linear/factor.h"
#include "numerics/linear/factor_dense.h"

/* One evaluation. x: q and v, which differences move. n: velocities or states. */
typedef struct field {
  const nsds_ds *ds;
  nsds_arguments in;
  int nq, n;
  double *x, *values, *M, *C, *K; /* values: of a sparse pattern; dense matrices */
  double *rate, *trial;           /* n; n */
  const double *more;             /* added to F or b, n; NULL: nothing */
  nsds_factor *factor;
} field;

typedef nsds_status (*matrix_fn)(void *self, const nsds_arguments *in, double *values);

/* Writes a matrix of the system as a dense matrix; without a function it is zero. */
static nsds_status field_matrix(field *f, const nsds_matrix_shape *shape, matrix_fn fn,
                                double *dense) {
  nsds_zero_doubles(dense, (size_t)f->n * (size_t)f->n);
  if (!shape->present || !fn) return NSDS_OK;
  if (!shape->p) return fn(f->ds->self, &f->in, dense);
  nsds_status status = fn(f->ds->self, &f->in, f->values);
  for (int j = 0; !status && j < f->n; ++j)
    for (int k = shape->p[j]; k < shape->p[j + 1]; ++k)
      dense[shape->i[k] + (ptrdiff_t)j * f->n] += f->values[k];
  return status;
}

static nsds_status field_mass(field *f) {
  const nsds_ds *ds = f->ds;
  matrix_fn fn = nsds_is_second_order(ds) ? ds->ops->mass : ds->first->mass;
  nsds_status status = field_matrix(f, &ds->mass, fn, f->M);
  for (int k = 0; !ds->mass.present && k < f->n; ++k) f->M[k + (ptrdiff_t)k * f->n] = 1.0;
  return status;
}

/* Adds alpha A x to b. */
static void multiply_add(int n, double alpha, const double *A, const double *x, double *b) {
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) b[i] += alpha * A[i + (ptrdiff_t)j * n] * x[j];
}

/* Computes F, or b. Matrices of an affine system must be known. */
static nsds_status field_force(field *f, double *F) {
  const nsds_ds *ds = f->ds;
  bool second = nsds_is_second_order(ds);
  nsds_status status =
      second ? ds->ops->force(ds->self, &f->in, F) : ds->first->rhs(ds->self, &f->in, F);
  if (status || !ds->affine) return status;
  multiply_add(f->n, second ? -1.0 : 1.0, f->K, second ? f->x : f->x + f->nq, F);
  if (second) multiply_add(f->n, -1.0, f->C, f->x + f->nq, F);
  return NSDS_OK;
}

static nsds_status take_slopes(field *f) {
  const nsds_ds *ds = f->ds;
  if (!nsds_is_second_order(ds)) return field_matrix(f, &ds->stiffness, ds->first->jacobian, f->K);
  nsds_status status = field_matrix(f, &ds->damping, ds->ops->damping, f->C);
  return status ? status : field_matrix(f, &ds->stiffness, ds->ops->stiffness, f->K);
}

/* Computes dv/dt or dx/dt. */
static nsds_status take_rate(field *f) {
  nsds_status status = field_mass(f);
  if (!status) status = take_slopes(f);
  if (!status) status = field_force(f, f->rate);
  if (status) return status;
  for (int k = 0; f->more && k < f->n; ++k) f->rate[k] += f->more[k];
  status = nsds_factor_dense(f->factor, f->n, f->M);
  char label[nsds_label_size];
  if (status == NSDS_ERROR_SINGULAR)
    return nsds_fail(
        f->ds->model->context, status,
        "nsds_ds_rates: M of %s is singular; M must be regular, as rates follow from M^-1",
        nsds_ds_label(f->ds, label));
  if (!status) nsds_factor_solve(f->factor, 1, f->rate);
  return status;
}

/* ---- differences --------------------------------------------------------------------------------- */

/* Computes F if `force`, minus M a. */
static nsds_status take_balance(field *f, bool force, double *b) {
  nsds_zero_doubles(b, (size_t)f->n);
  nsds_status status = force ? field_force(f, b) : NSDS_OK;
  if (!status && !f->ds->mass.constant) status = field_mass(f);
  if (!status && !f->ds->mass.constant) multiply_add(f->n, -1.0, f->M, f->rate, b);
  return status;
}

/* Adds the derivative of the balance with respect to x[k] to `column`. */
static nsds_status field_difference(field *f, int k, bool force, double *column) {
  static const double weight[4] = {8.0, -8.0, -1.0, 1.0}, place[4] = {1.0, -1.0, 2.0, -2.0};
  double x = f->x[k], h = NSDS_EPSILON_TO_FIFTH * fmax(1.0, fabs(x));
  nsds_status status = NSDS_OK;
  for (int j = 0; !status && j < 4; ++j) {
    f->x[k] = x + place[j] * h;
    status = take_balance(f, force, f->trial);
    for (int i = 0; !status && i < f->n; ++i) column[i] += weight[j] * f->trial[i] / (12.0 * h);
  }
  f->x[k] = x;
  return status;
}

/* ---- the Jacobian -------------------------------------------------------------------------------- */

/* Adds the derivatives of the balance to the lower rows of J, whose columns have `rows` entries. */
static nsds_status add_slopes(field *f, int rows, double *J) {
  const nsds_ds *ds = f->ds;
  int n = f->n, nq = f->nq;
  bool second = nq > 0, known = ds->affine || ds->stiffness.present || ds->damping.present;
  bool force = second && !known, mass = second && !ds->mass.constant;
  nsds_status status = NSDS_OK;
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) {
      double K = f->K[i + (ptrdiff_t)j * n];
      J[nq + i + (ptrdiff_t)j * rows] = second ? -K : K;
      if (second) J[nq + i + (ptrdiff_t)(nq + j) * rows] = -f->C[i + (ptrdiff_t)j * n];
    }
  for (int k = 0; !status && (force || mass) && k < nq; ++k)
    status = field_difference(f, k, force, J + nq + (ptrdiff_t)k * rows);
  for (int k = nq; !status && force && k < nq + n; ++k)
    status = field_difference(f, k, true, J + nq + (ptrdiff_t)k * rows);
  return status;
}

static nsds_status field_jacobian(field *f, double *J) {
  int rows = f->nq + f->n;
  nsds_zero_doubles(J, (size_t)rows * (size_t)rows);
  nsds_status status = add_slopes(f, rows, J);
  for (int j = 0; !status && j < rows; ++j)
    nsds_factor_solve(f->factor, 1, J + f->nq + (ptrdiff_t)j * rows);
  for (int k = 0; k < f->nq; ++k) J[k + (ptrdiff_t)(f->nq + k) * rows] = 1.0;
  return status;
}

/* ---- the call ------------------------------------------------------------------------------------ */

static nsds_status field_take(field *f, double *out, double *jacobian, double *map) {
  const nsds_ds *ds = f->ds;
  const double *v = f->x + f->nq;
  nsds_status status = take_rate(f);
  if (!status && out && f->nq > 0 && ds->ops->velocity_map) {
    status = ds->ops->velocity_map(ds->self, &f->in, map);
    for (int i = 0; !status && i < f->nq; ++i) out[i] = 0.0;
    for (int j = 0; !status && j < f->n; ++j)
      for (int i = 0; i < f->nq; ++i) out[i] += map[i + (ptrdiff_t)j * f->nq] * v[j];
  } else if (!status && out) {
    nsds_copy_doubles(out, v, (size_t)f->nq);
  }
  if (!status && out) nsds_copy_doubles(out + f->nq, f->rate, (size_t)f->n);
  return !status && jacobian ? field_jacobian(f, jacobian) : status;
}

static nsds_status field_refuse(const nsds_ds *ds, const char *call, bool jacobian) {
  char label[nsds_label_size];
  const char *why = NULL;
  if (nsds_is_first_order(ds) && ds->first->rate_jacobian) why = "f must not depend on dx/dt";
  else if (jacobian && nsds_is_second_order(ds) && ds->ops->velocity_map)
    why = "its quaternion is not free, so that there is no Jacobian; jacobian must be NULL";
  if (!why) return NSDS_OK;
  return nsds_fail(ds->model->context, NSDS_ERROR_UNSUPPORTED, "%s: %s: %s", call,
                   nsds_ds_label(ds, label), why);
}

/* Evaluates a system at the model's state and time t; `more` is added to its forces. */
static nsds_status field_evaluate(const nsds_ds *ds, double t, const double *more, double *out,
                                  double *jacobian) {
  nsds_model *model = ds->model;
  size_t n = (size_t)ds->nv, nq = nsds_is_second_order(ds) ? (size_t)ds->nq : 0;
  size_t most = n * n; /* values of a pattern */
  double *memory = NSDS_NEW_ARRAY(model->context, double, nq + 3 * n + 3 * n * n + most + nq * n);
  nsds_factor *factor = memory ? nsds_factor_create(model->context) : NULL;
  if (!factor) {
    nsds_release(model->context, memory);
    return NSDS_ERROR_MEMORY;
  }
  field f = {.ds = ds, .nq = (int)nq, .n = (int)n, .x = memory, .more = more, .factor = factor};
  f.rate = f.x + nq + n;
  f.trial = f.rate + n;
  f.M = f.trial + n;
  f.C = f.M + n * n;
  f.K = f.C + n * n;
  f.values = f.K + n * n;
  nsds_copy_doubles(f.x, model->state.q + ds->q_offset, nq);
  nsds_copy_doubles(f.x + nq, model->state.v + ds->v_offset, n);
  f.in = nsds_ds_in(ds, t, f.x, f.x + nq);
  model->busy |= NSDS_BUSY_CALL;
  nsds_status status = field_take(&f, out, jacobian, f.values + most);
  model->busy &= ~(unsigned)NSDS_BUSY_CALL;
  nsds_factor_destroy(factor);
  nsds_release(model->context, memory);
  return status;
}

nsds_status nsds_ds_rates(nsds_ds *handle, double t, double *out, double *jacobian) {
  const char *call = "nsds_ds_rates";
  if (!handle) return nsds_fail_null(NULL, call, "ds");
  const nsds_ds *ds = nsds_ds_find(handle, call);
  if (!ds) return NSDS_ERROR_ARGUMENT;
  nsds_model *model = ds->model;
  nsds_status status = nsds_check_quiet(model, call);
  if (!status && !isfinite(t))
    status = nsds_fail(model->context, NSDS_ERROR_VALUE, "%s: t is %g; it must be finite", call, t);
  if (!status) status = field_refuse(ds, call, jacobian != NULL);
  return status ? status : field_evaluate(ds, t, NULL, out, jacobian);
}

nsds_status nsds_ds_rates_under(const nsds_ds *ds, const double *more, double *rates) {
  return field_evaluate(ds, ds->model->state.t, more, rates, NULL);
}
