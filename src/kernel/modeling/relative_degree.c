/*
 * Relative degree of one row of an interaction between linear first-order systems: the first
 * derivative of y_j that contains lambda_j. With A, M over all systems of the interaction
 *
 *   r = 0: D[j,j],   r >= 1: C[j,:] (M^-1 A)^{r-1} M^-1 B[:,j].
 *
 * Source: A. Isidori, Nonlinear Control Systems (1995), sec. 4.1.
 */
#include "kernel/modeling/relative_degree.h"

#include "base/context.h"
#include "kernel/modeling/busy.h"
#include "kernel/modeling/handle.h"
#include "kernel/modeling/modeling.h"
#include "kernel/modeling/shape_column.h"
#include "numerics/linear/factor.h"
#include "numerics/linear/factor_dense.h"

/* Numbers at the origin. Coefficients must be constant. */
typedef struct probe {
  nsds_context *context;
  const nsds_interaction *interaction;
  int n, m;
  double *x, *next, *C, *B, *D, *matrix; /* n, n, m n, n m, m m, the largest system's square */
} probe;

static nsds_arguments origin(const probe *p) {
  for (int k = 0; k < p->n; ++k) p->x[k] = p->next[k] = 0.0;
  return (nsds_arguments){.x = p->x,
                          .q = p->x,
                          .v = p->x,
                          .z = p->next,
                          .lambda = p->next,
                          .nx = p->n,
                          .nlambda = p->m};
}

static double relative_degree_norm(const double *x, int n, int stride) {
  double sum = 0.0;
  for (int k = 0; k < n; ++k) sum += x[k * stride] * x[k * stride];
  return sqrt(sum);
}

static bool constant_systems(const nsds_interaction *interaction) {
  for (int k = 0; k < interaction->nds; ++k) {
    const nsds_ds *ds = interaction->ds[k];
    if (!nsds_is_first_order(ds) || !ds->affine || (ds->mass.present && !ds->mass.constant) ||
        (ds->stiffness.present && !ds->stiffness.constant))
      return false;
  }
  return interaction->relation->kind == NSDS_RELATION_FIRST_ORDER && interaction->relation->affine;
}

/* Multiplies x_s by A_s if `multiply`, and then by M_s^-1, system by system. */
static nsds_status propagate(probe *p, bool multiply, nsds_factor *factor) {
  double *x = p->x;
  for (int k = 0; k < p->interaction->nds; ++k) {
    const nsds_ds *ds = p->interaction->ds[k];
    nsds_arguments in = nsds_ds_in(ds, 0.0, x, x);
    int n = ds->nv;
    for (int i = 0; i < n; ++i) p->next[i] = multiply ? 0.0 : x[i];
    if (multiply && ds->stiffness.present) {
      nsds_status status = ds->first->jacobian(ds->self, &in, p->matrix);
      if (status) return status;
      for (int j = 0; j < n; ++j) {
        nsds_shape_column column = nsds_shape_column_at(ds->stiffness.p, ds->stiffness.i, n, j);
        for (int e = column.first; e < column.last; ++e)
          p->next[nsds_shape_column_row(&column, e)] += p->matrix[e] * x[j];
      }
    }
    if (ds->mass.present) {
      nsds_status status = ds->first->mass(ds->self, &in, p->matrix);
      if (!status)
        status = ds->mass.p ? nsds_factor_csc(factor, n, ds->mass.p, ds->mass.i, p->matrix, 0)
                            : nsds_factor_dense(factor, n, p->matrix);
      if (status) return status;
      nsds_factor_solve(factor, 1, p->next);
    }
    memcpy(x, p->next, (size_t)n * sizeof *x);
    x += n;
  }
  return NSDS_OK;
}

/* Returns the degree, or `most` + 1 if there is none up to `most`. Returns -1 for a failure. */
static int relative_degree_search(probe *p, int row, int most, double tolerance, bool any,
                                  nsds_factor *factor) {
  const nsds_relation *relation = p->interaction->relation;
  nsds_arguments in = origin(p);
  nsds_status status = relation->ops->jacobian_q(relation->self, &in, p->C);
  if (!status) status = relation->ops->input_lambda(relation->self, &in, p->B);
  if (!status && relation->ops->jacobian_lambda)
    status = relation->ops->jacobian_lambda(relation->self, &in, p->D);
  if (status) return -1;
  double largest = relative_degree_norm(p->D, p->m * p->m, 1);
  for (int j = any ? 0 : row; j < (any ? p->m : row + 1); ++j)
    if (fabs(p->D[row + j * p->m]) > tolerance * largest) return 0;
  memcpy(p->x, p->B + (size_t)row * (size_t)p->n, (size_t)p->n * sizeof *p->x);
  for (int r = 1; r <= most; ++r) {
    status = propagate(p, r > 1, factor);
    if (status == NSDS_ERROR_SINGULAR) {
      nsds_fail(p->context, status,
                "nsds_relative_degree: interaction #%d has a system with singular M",
                p->interaction->index);
    }
    if (status) return -1;
    double product = 0.0, scale = relative_degree_norm(p->C + row, p->n, p->m) *
                                  relative_degree_norm(p->x, p->n, 1);
    for (int k = 0; k < p->n; ++k) product += p->C[row + k * p->m] * p->x[k];
    if (fabs(product) > tolerance * scale) return r;
    if (scale == 0.0) break;
  }
  return most + 1;
}

int nsds_search_degree(const nsds_interaction *interaction, int row, int most, double tolerance,
                       bool any) {
  probe p = {.context = interaction->model->context,
             .interaction = interaction,
             .n = interaction->relation->nq,
             .m = interaction->m};
  size_t n = (size_t)p.n, m = (size_t)p.m, widest = 1;
  for (int k = 0; k < interaction->nds; ++k) {
    const nsds_ds *ds = interaction->ds[k];
    const nsds_matrix_shape *shape[] = {&ds->mass, &ds->stiffness};
    for (int s = 0; s < 2; ++s) {
      size_t count = (size_t)ds->nv * (size_t)ds->nv;
      if (shape[s]->p) count = (size_t)shape[s]->p[ds->nv];
      if (shape[s]->present && count > widest) widest = count;
    }
  }
  size_t extra = (size_t)interaction->nz + m; /* the origin also serves as Z and lambda */
  double *memory = NSDS_NEW_ARRAY(p.context, double, 2 * n + extra + 2 * n * m + m * m + widest);
  nsds_factor *factor = memory ? nsds_factor_create(p.context) : NULL;
  int degree = -1;
  if (factor) {
    p.x = memory;
    p.next = p.x + n;
    p.C = p.next + n + extra;
    p.B = p.C + n * m;
    p.D = p.B + n * m;
    p.matrix = p.D + m * m;
    degree = relative_degree_search(&p, row, most, tolerance, any, factor);
  }
  nsds_factor_destroy(factor);
  nsds_release(p.context, memory);
  return degree;
}

int nsds_relative_degree(const nsds_interaction *handle, int row, double tolerance) {
  const char *call = "nsds_relative_degree";
  if (!handle) nsds_fail_null(NULL, call, "interaction");
  const nsds_interaction *interaction = nsds_interaction_find(handle, call);
  if (!interaction) return -1;
  nsds_context *context = interaction->model->context;
  if (nsds_check_quiet(interaction->model, call)) return -1;
  if (row < 0 || row >= interaction->m) {
    nsds_fail(context, NSDS_ERROR_ARGUMENT, "%s: row is %d; interaction #%d has rows 0 to %d", call,
              row, interaction->index, interaction->m - 1);
    return -1;
  }
  if (!constant_systems(interaction)) {
    nsds_fail(context, NSDS_ERROR_UNSUPPORTED,
              "%s: interaction #%d is not between linear first-order systems with "
              "constant coefficients; only these have one",
              call, interaction->index);
    return -1;
  }
  nsds_model *model = interaction->model;
  model->busy |= NSDS_BUSY_CALL;
  int degree = nsds_search_degree(interaction, row, interaction->relation->nq,
                                  tolerance > 0.0 ? tolerance : 1e-12, false);
  model->busy &= ~(unsigned)NSDS_BUSY_CALL;
  return degree;
}

bool nsds_degree_is_defined(const nsds_interaction *interaction) {
  if (!constant_systems(interaction)) return false;
  for (int k = 0; k < interaction->nds; ++k)
    if (interaction->ds[k]->mass.present) return false; /* M may be singular: undefined */
  return true;
}
