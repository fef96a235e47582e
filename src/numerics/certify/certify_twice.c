/*
 * The certifier's w in twice the working precision. Reactions that exceed the load by 1e10 leave
 * six digits of w in plain sums, and twenty here.
 */
#include "numerics/certify/certify_twice.h"

#include "base/base.h"
#include "numerics/certify/twice.h"

/* A vector of sums. */
typedef struct twice_vector {
  double *high, *low;
} twice_vector;

static inline nsds_twice twice_at(const double *high, const double *low, int i) {
  return (nsds_twice){high[i], low ? low[i] : 0.0};
}

static inline void twice_raise(const twice_vector *to, int i, nsds_twice term) {
  nsds_twice sum = nsds_twice_add((nsds_twice){to->high[i], to->low[i]}, term);
  to->high[i] = sum.high;
  to->low[i] = sum.low;
}

static void twice_dense(const nsds_matrix *M, const double *z, const double *low, twice_vector w) {
  const double *x = M->x;
  for (int j = 0; j < M->n; ++j, x += M->n) {
    nsds_twice zj = twice_at(z, low, j);
    for (int i = 0; i < M->n && (zj.high != 0.0 || zj.low != 0.0); ++i)
      if (x[i] != 0.0) twice_raise(&w, i, nsds_twice_scale(zj, x[i]));
  }
}

static void twice_csc(const nsds_matrix *M, const double *z, const double *low, twice_vector w) {
  for (int j = 0; j < M->n; ++j)
    for (int k = M->p[j]; k < M->p[j + 1]; ++k)
      twice_raise(&w, M->i[k], nsds_twice_scale(twice_at(z, low, j), M->x[k]));
}

/* Does the same for a part of the rows of a symmetric matrix. */
static void twice_distributed_csc(const nsds_problem *problem, const double *z, const double *low,
                                  twice_vector w) {
  const nsds_matrix *M = &problem->M;
  const nsds_halo *halo = problem->halo;
  for (int pass = 0; pass < (low ? 2 : 1); ++pass) {
    const double *own = pass == 0 ? z : low, *other = halo->fill(halo->self, own);
    for (int j = 0; j < M->n; ++j)
      for (int k = M->p[j]; k < M->p[j + 1]; ++k) {
        int i = M->i[k];
        double x = i < M->n ? own[i] : other[i - M->n];
        twice_raise(&w, j, nsds_twice_of_product(M->x[k], x));
      }
  }
}

static void twice_block_rows(const nsds_block_rows *B, const double *z, const double *low,
                             twice_vector w) {
  for (int a = 0; a < B->nrow_block; ++a)
    for (int k = B->first[a]; k < B->first[a + 1]; ++k) {
      int row = B->row[a], m = B->row[a + 1] - row, b = B->column[k];
      const double *x = B->x + B->start[k];
      for (int j = B->row[b]; j < B->row[b + 1]; ++j)
        for (int i = 0; i < m; ++i, ++x)
          twice_raise(&w, row + i, nsds_twice_scale(twice_at(z, low, j), *x));
    }
}

/* Computes v = Y (z + low), then H v + D (z + low). */
static void twice_factored(const nsds_problem *problem, const double *z, const double *low,
                           twice_vector w, twice_vector v) {
  const nsds_factored *f = problem->M.factored;
  memset(v.high, 0, (size_t)f->ncolumn * sizeof *v.high);
  memset(v.low, 0, (size_t)f->ncolumn * sizeof *v.low);
  for (int a = 0; a < f->nrow_block; ++a) {
    int row = f->row[a], m = f->row[a + 1] - row;
    for (const nsds_edge *e = f->edge + f->first_edge[a]; e < f->edge + f->first_edge[a + 1]; ++e)
      for (int at = 0; at < m * e->size; ++at) {
        int i = at % m, c = at / m;
        nsds_twice zi = twice_at(z, low, row + i);
        nsds_twice term = e->Y ? nsds_twice_scale(zi, e->Y[c + i * e->size])
                               : nsds_twice_times(nsds_twice_scale(zi, e->H[at]),
                                                  (nsds_twice){f->gain[e->column + c], 0.0});
        twice_raise(&v, e->column + c, term);
      }
  }
  if (problem->halo) problem->halo->sum(problem->halo->self, v.high, v.low);
  for (int a = 0; a < f->nrow_block; ++a) {
    int row = f->row[a], m = f->row[a + 1] - row;
    for (int at = 0; f->D && f->D[a] && at < m * m; ++at)
      twice_raise(&w, row + at % m, nsds_twice_scale(twice_at(z, low, row + at / m), f->D[a][at]));
    for (const nsds_edge *e = f->edge + f->first_edge[a]; e < f->edge + f->first_edge[a + 1]; ++e)
      for (int at = 0; at < m * e->size; ++at)
        twice_raise(&w, row + at % m,
                    nsds_twice_scale(twice_at(v.high, v.low, e->column + at / m), e->H[at]));
  }
}

void nsds_compute_twice(const nsds_problem *problem, const double *z, const double *low,
                        double *high, double *low_of_w, double *scratch) {
  const nsds_matrix *M = &problem->M;
  twice_vector w = {high, low_of_w};
  for (int i = 0; i < problem->n; ++i) {
    high[i] = problem->q[i];
    low_of_w[i] = 0.0;
  }
  switch (M->storage) {
  case NSDS_DENSE: twice_dense(M, z, low, w); break;
  case NSDS_CSC:
    if (problem->halo) twice_distributed_csc(problem, z, low, w);
    else twice_csc(M, z, low, w);
    break;
  case NSDS_BLOCK_ROWS: twice_block_rows(M->blocks, z, low, w); break;
  case NSDS_FACTORED:
    twice_factored(problem, z, low, w, (twice_vector){scratch, scratch + M->factored->ncolumn});
    break;
  }
}
