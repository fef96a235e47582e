/*
 * Factorisations behind one handle, see factor.h.
 *
 * Dense: right-looking LU with partial pivoting up to nsds_own_rows rows, LAPACK's dgetrf above
 * (Golub & Van Loan, Matrix Computations, 3.4). A badly scaled matrix is first equilibrated by
 * powers of two, so that singularity is judged free of units and no rounding is added.
 * Sparse: diagonally dominant tridiagonal matrices by their own kernel; otherwise KLU (Davis &
 * Palamadai Natarajan, ACM TOMS 907, 2010); UMFPACK (Davis, ACM TOMS 832, 2004), whose dense fronts
 * pay off when KLU's symbolic analysis foresees heavy fill: nnz(L) + nnz(U) > heavy_fill_per_row *
 * n and n > heavy_fill_rows.
 */
#include "factor.h"
#include "matrix.h"
#include "tridiagonal.h"

#include <float.h>
#include <klu.h>
#include <lapacke.h>
#if NSDS_HAVE_UMFPACK
#include <umfpack.h>
#endif

enum {
  inline_solve_limit = 64, /* below, a call into BLAS costs more than the triangular solves */
  unrolled_rows = 12,      /* a right-hand side up to here lives in registers */
  heavy_fill_rows = 500,   /* from here UMFPACK's dense fronts pay off, */
  heavy_fill_per_row = 40  /* where so many entries of L and U are foreseen per row */
};

/* A refactorisation keeps the old pivots; below this reciprocal pivot growth they no longer fit,
 * five of sixteen digits being lost. */
static const double growth_limit = 1e-5;

/* Row maxima further apart than this are equilibrated: they may pass for singularity. */
static const double spread_limit = 0x1p20;

#if defined(__GNUC__)
#define NSDS_INLINE static inline __attribute__((always_inline))
#else
#define NSDS_INLINE static inline
#endif
#if defined(__clang__)
#define NSDS_UNROLL _Pragma("unroll")
#elif defined(__GNUC__)
#define NSDS_UNROLL _Pragma("GCC unroll 16")
#else
#define NSDS_UNROLL
#endif

typedef enum factor_kind {
  FACTOR_NONE,
  FACTOR_DIAGONAL,
  FACTOR_DENSE,
  FACTOR_TRIDIAGONAL,
  FACTOR_KLU,
  FACTOR_UMFPACK
} factor_kind;

/* What the libraries keep. */
typedef struct sparse_state {
  uint64_t pattern; /* of the kept symbolic analysis */
  klu_common klu;
  klu_symbolic *symbolic;
  klu_numeric *numeric;
#if NSDS_HAVE_UMFPACK
  double control[UMFPACK_CONTROL];
  void *umf_symbolic;
  void *umf_numeric;
#endif
} sparse_state;

struct nsds_factor {
  nsds_context *context;
  factor_kind kind;
  int n;
  int reserved_rows; /* dense workspace is there for */
  bool scaled;
  double rcond;

  double *lu;      /* n x n; with what follows up to `row` one piece */
  double *scale;   /* row scales, then column scales; used when `scaled` */
  int *pivot;      /* n; from 0 up to inline_solve_limit rows, LAPACK's from 1 above */
  int *row;        /* row of A behind each row of the factors */
  double *inverse; /* reciprocals of the pivots */
  double *work;    /* 4 n for dgecon, 2 n for UMFPACK, the factors of a tridiagonal matrix */
  int *iwork;      /* n */
  size_t inverse_capacity, work_capacity, iwork_capacity;

  nsds_tridiagonal tridiagonal; /* its arrays lie in `work` */
  sparse_state *sparse;         /* NULL until a matrix needs it */
};

nsds_factor *nsds_factor_create(nsds_context *context) {
  nsds_factor *factor = NSDS_NEW(context, nsds_factor);
  if (factor) factor->context = context;
  return factor;
}

static nsds_status open_sparse(nsds_factor *factor) {
  if (NSDS_LIKELY(factor->sparse != NULL)) return NSDS_OK;
  sparse_state *s = factor->sparse = NSDS_NEW(factor->context, sparse_state);
  if (!s) return NSDS_ERROR_MEMORY;
  klu_defaults(&s->klu);
#if NSDS_HAVE_UMFPACK
  umfpack_di_defaults(s->control);
  s->control[UMFPACK_IRSTEP] = 0; /* the matrix is not kept */
#endif
  return NSDS_OK;
}

static void drop_sparse(sparse_state *s) {
  klu_free_numeric(&s->numeric, &s->klu);
  klu_free_symbolic(&s->symbolic, &s->klu);
#if NSDS_HAVE_UMFPACK
  umfpack_di_free_numeric(&s->umf_numeric);
  umfpack_di_free_symbolic(&s->umf_symbolic);
#endif
  s->pattern = 0;
}

void nsds_factor_destroy(nsds_factor *factor) {
  if (!factor) return;
  nsds_context *context = factor->context;
  if (factor->sparse) drop_sparse(factor->sparse);
  nsds_release(context, factor->sparse);
  nsds_release(context, factor->lu);
  nsds_release(context, factor->inverse);
  nsds_release(context, factor->work);
  nsds_release(context, factor->iwork);
  nsds_release(context, factor);
}

static void destroy_held(void *factor) { nsds_factor_destroy(factor); }

nsds_status nsds_factor_hold(nsds_store *store, nsds_factor **factor) {
  if (NSDS_LIKELY(*factor != NULL)) return NSDS_OK;
  nsds_factor *made = nsds_factor_create(store->context);
  nsds_status status = nsds_store_adopt(store, made, destroy_held);
  if (!status) *factor = made;
  return status;
}

double nsds_factor_rcond(const nsds_factor *factor) { return factor->rcond; }

/* Written so that NaN fails too. */
static nsds_status judge(nsds_factor *factor, double rcond) {
  factor->rcond = rcond;
  if (rcond >= nsds_least_rcond(factor->n) && isfinite(rcond)) return NSDS_OK;
  factor->rcond = 0.0;
  return NSDS_ERROR_SINGULAR;
}

/* ---- dense ---- */

nsds_status nsds_factor_reserve_dense(nsds_factor *factor, int n) {
  nsds_context *context = factor->context;
  if (NSDS_LIKELY(n <= factor->reserved_rows)) return NSDS_OK;
  int rows = factor->reserved_rows + factor->reserved_rows / 4; /* they may come one by one */
  if (rows < n) rows = n;
  size_t m = (size_t)rows;
  size_t lapack = rows > nsds_own_rows ? m : 0;
  nsds_status status =
      nsds_grow(context, &factor->inverse, &factor->inverse_capacity, m, sizeof(double));
  if (!status)
    status = nsds_grow(context, &factor->work, &factor->work_capacity, 4 * lapack, sizeof(double));
  if (!status)
    status = nsds_grow(context, &factor->iwork, &factor->iwork_capacity, lapack, sizeof(int));
  if (status) return status;
  double *lu = NSDS_NEW_ARRAY(context, double, m *m + 3 * m);
  if (!lu) return NSDS_ERROR_MEMORY;
  nsds_release(context, factor->lu);
  factor->lu = lu;
  factor->scale = lu + m * m;
  factor->pivot = (int *)(void *)(factor->scale + 2 * m);
  factor->row = factor->pivot + m;
  factor->reserved_rows = rows;
  return NSDS_OK;
}

/* Largest absolute entries of the rows into `row`; false when a row vanishes or is not finite. */
NSDS_INLINE bool row_maxima(int n, const double *a, double *row, double *spread) {
  memset(row, 0, (size_t)n * sizeof *row);
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) {
      double t = fabs(a[i + (size_t)j * n]);
      row[i] = t > row[i] || isnan(t) ? t : row[i];
    }
  double least = row[0], most = row[0];
  for (int i = 0; i < n; ++i) {
    if (!(row[i] > 0.0) || isinf(row[i])) return false;
    if (row[i] < least) least = row[i];
    if (row[i] > most) most = row[i];
  }
  *spread = most / least;
  return true;
}

void nsds_equilibrate(int n, double *a, double *row, double *column) {
  for (int i = 0; i < n; ++i) row[i] = nsds_inverse_power(row[i], 1);
  for (int j = 0; j < n; ++j) {
    double *aj = a + (size_t)j * n, most = 0.0;
    for (int i = 0; i < n; ++i) {
      aj[i] *= row[i];
      if (fabs(aj[i]) > most) most = fabs(aj[i]);
    }
    column[j] = nsds_inverse_power(most, 1);
    for (int i = 0; i < n; ++i) aj[i] *= column[j];
  }
}

NSDS_INLINE double small_rcond(int n, const double *lu) {
  double least = fabs(lu[0]), most = least;
  for (int k = 1; k < n; ++k) {
    double t = fabs(lu[k + k * n]);
    if (t < least) least = t;
    if (t > most) most = t;
  }
  return least / most;
}

/* What the inline solves need besides the factors: the interchanges as one permutation and the
 * reciprocals of the pivots, a division per row being the longest link of the chain. */
NSDS_INLINE nsds_status accept(nsds_factor *factor, const int n, double rcond) {
  if (n > inline_solve_limit) return judge(factor, rcond);
  for (int k = 0; k < n; ++k) factor->row[k] = k;
  for (int k = 0; k < n; ++k) {
    int other = factor->pivot[k], t = factor->row[k];
    factor->row[k] = factor->row[other];
    factor->row[other] = t;
    factor->inverse[k] = 1.0 / factor->lu[k + (size_t)k * (size_t)n];
  }
  return judge(factor, rcond);
}

static nsds_status factor_lapack(nsds_factor *factor) {
  int n = factor->n;
  double norm = LAPACKE_dlange_work(LAPACK_COL_MAJOR, '1', n, n, factor->lu, n, factor->work);
  if (LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, n, n, factor->lu, n, factor->pivot) != 0)
    return judge(factor, 0.0);
  double rcond = 0.0;
  LAPACKE_dgecon_work(LAPACK_COL_MAJOR, '1', n, factor->lu, n, norm, &rcond, factor->work,
                      factor->iwork);
  if (n <= inline_solve_limit)
    for (int k = 0; k < n; ++k) --factor->pivot[k];
  return accept(factor, n, rcond);
}

/* With kernels of our own; n is constant at the calls for small systems, whose loops unroll. */
NSDS_INLINE nsds_status factor_own(nsds_factor *factor, const int n) {
  if (!nsds_small_lu(n, factor->lu, factor->pivot)) return judge(factor, 0.0);
  return accept(factor, n, small_rcond(n, factor->lu));
}

static nsds_status open_dense(nsds_factor *factor, int n) {
  factor->kind = FACTOR_NONE;
  nsds_status status = nsds_factor_reserve_dense(factor, n);
  if (status) return status;
  factor->kind = FACTOR_DENSE;
  factor->n = n;
  factor->scaled = false;
  return NSDS_OK;
}

/* The matrix in `lu`. */
static nsds_status factor_loaded(nsds_factor *factor) {
  int n = factor->n;
  const double *lu = factor->lu;
  double spread, first = n > 0 ? lu[0] : 1.0;
  if (n <= 1) return judge(factor, first != 0.0 && isfinite(first) ? 1.0 : 0.0);
  bool regular = n == 3   ? row_maxima(3, lu, factor->scale, &spread)
                 : n == 6 ? row_maxima(6, lu, factor->scale, &spread)
                          : row_maxima(n, lu, factor->scale, &spread);
  if (!regular) return judge(factor, 0.0);
  if (spread > spread_limit) {
    nsds_equilibrate(n, factor->lu, factor->scale, factor->scale + n);
    factor->scaled = true;
  }
  if (n > nsds_own_rows) return factor_lapack(factor);
  switch (n) {
  case 2: return factor_own(factor, 2);
  case 3: return factor_own(factor, 3);
  case 4: return factor_own(factor, 4);
  case 6: return factor_own(factor, 6);
  default: return factor_own(factor, n);
  }
}

nsds_status nsds_factor_dense(nsds_factor *factor, int n, const double *a) {
  nsds_status status = open_dense(factor, n);
  if (status) return status;
  if (n > 0) memcpy(factor->lu, a, (size_t)n * (size_t)n * sizeof *a);
  return factor_loaded(factor);
}

nsds_status nsds_factor_full(nsds_factor *factor, int n, const int *p, const int *i,
                             const double *x) {
  nsds_status status = open_dense(factor, n);
  if (status) return status;
  nsds_scatter(n, p, i, x, factor->lu);
  return factor_loaded(factor);
}

nsds_status nsds_factor_diagonal(nsds_factor *factor, int n, const double *a) {
  factor->kind = FACTOR_NONE;
  nsds_status status = nsds_grow(factor->context, &factor->inverse, &factor->inverse_capacity,
                                 (size_t)n, sizeof(double));
  if (status) return status;
  double least = INFINITY, most = 0.0;
  for (int k = 0; k < n; ++k) {
    double pivot = fabs(a[k + (size_t)k * (size_t)n]);
    if (!(pivot > 0.0) || isinf(pivot)) least = 0.0;
    least = fmin(least, pivot);
    most = fmax(most, pivot);
    factor->inverse[k] = 1.0 / a[k + (size_t)k * (size_t)n];
  }
  factor->kind = FACTOR_DIAGONAL;
  factor->n = n;
  double rcond = least > 0.0 && most > spread_limit * least ? 1.0 : least / most;
  return judge(factor, n == 0 ? 1.0 : rcond);
}

static void solve_diagonal(const nsds_factor *factor, int nrhs, double *b) {
  for (int k = 0; k < nrhs; ++k, b += factor->n)
    for (int i = 0; i < factor->n; ++i) b[i] *= factor->inverse[i];
}

/*
 * The triangular solves for one right-hand side of constant size n, unrolled so that b lives in
 * registers: through memory each row would wait for the store of the one before.
 */
NSDS_INLINE void solve_unrolled(const int n, const nsds_factor *factor, double *x) {
  const double *lu = factor->lu;
  double b[unrolled_rows];
  NSDS_UNROLL for (int k = 0; k < n; ++k) b[k] = x[factor->row[k]];
  NSDS_UNROLL for (int k = 0; k < n; ++k) {
    NSDS_UNROLL for (int i = k + 1; i < n; ++i) b[i] -= lu[i + k * n] * b[k];
  }
  NSDS_UNROLL for (int k = n - 1; k >= 0; --k) {
    b[k] *= factor->inverse[k];
    NSDS_UNROLL for (int i = 0; i < k; ++i) b[i] -= lu[i + k * n] * b[k];
  }
  NSDS_UNROLL for (int k = 0; k < n; ++k) x[k] = b[k];
}

/* The same sums in the same order, row by row. */
static void solve_rows(const nsds_factor *factor, double *x) {
  const double *lu = factor->lu;
  double b[inline_solve_limit];
  int n = factor->n;
  for (int i = 0; i < n; ++i) {
    double sum = x[factor->row[i]];
    for (int k = 0; k < i; ++k) sum -= lu[i + k * n] * b[k];
    b[i] = sum;
  }
  for (int i = n - 1; i >= 0; --i) {
    double sum = b[i];
    for (int k = n - 1; k > i; --k) sum -= lu[i + k * n] * b[k];
    b[i] = sum * factor->inverse[i];
  }
  memcpy(x, b, (size_t)n * sizeof *x);
}

static void solve_inline(const nsds_factor *factor, double *b) {
  switch (factor->n) {
  case 2: solve_unrolled(2, factor, b); break;
  case 3: solve_unrolled(3, factor, b); break;
  case 4: solve_unrolled(4, factor, b); break;
  case 5: solve_unrolled(5, factor, b); break;
  case 6: solve_unrolled(6, factor, b); break;
  case 7: solve_unrolled(7, factor, b); break;
  case 8: solve_unrolled(8, factor, b); break;
  case 9: solve_unrolled(9, factor, b); break;
  case 10: solve_unrolled(10, factor, b); break;
  case 11: solve_unrolled(11, factor, b); break;
  case 12: solve_unrolled(12, factor, b); break;
  default: solve_rows(factor, b);
  }
}

static void solve_dense(nsds_factor *factor, int nrhs, double *b) {
  int n = factor->n;
  if (n == 1) {
    for (int k = 0; k < nrhs; ++k) b[k] /= factor->lu[0];
    return;
  }
  for (int k = 0; factor->scaled && k < nrhs; ++k)
    for (int i = 0; i < n; ++i) b[i + (size_t)k * n] *= factor->scale[i];
  if (n <= inline_solve_limit)
    for (int k = 0; k < nrhs; ++k) solve_inline(factor, b + (size_t)k * n);
  else LAPACKE_dgetrs_work(LAPACK_COL_MAJOR, 'N', n, nrhs, factor->lu, n, factor->pivot, b, n);
  for (int k = 0; factor->scaled && k < nrhs; ++k)
    for (int i = 0; i < n; ++i) b[i + (size_t)k * n] *= factor->scale[n + i];
}

/* ---- sparse ---- */

#if NSDS_HAVE_UMFPACK
static nsds_status umfpack_failure(nsds_factor *factor, int code) {
  if (code == UMFPACK_ERROR_out_of_memory)
    return nsds_fail(factor->context, NSDS_ERROR_MEMORY,
                     "out of memory for factors (UMFPACK): %d rows", factor->n);
  return nsds_fail(factor->context, NSDS_ERROR_ARGUMENT,
                   "sparse factorisation: UMFPACK rejects the matrix (code %d)", code);
}

static nsds_status analyse_umfpack(nsds_factor *factor, int n, const int *p, const int *i,
                                   const double *x) {
  klu_free_symbolic(&factor->sparse->symbolic, &factor->sparse->klu);
  int code = umfpack_di_symbolic(n, n, p, i, x, &factor->sparse->umf_symbolic,
                                 factor->sparse->control, NULL);
  return code < 0 ? umfpack_failure(factor, code) : NSDS_OK;
}

static nsds_status factor_umfpack(nsds_factor *factor, const int *p, const int *i,
                                  const double *x) {
  double info[UMFPACK_INFO];
  size_t n = (size_t)factor->n;
  nsds_context *context = factor->context;
  nsds_status status =
      nsds_grow(context, &factor->work, &factor->work_capacity, 2 * n, sizeof(double));
  if (!status) status = nsds_grow(context, &factor->iwork, &factor->iwork_capacity, n, sizeof(int));
  if (status) return status;
  umfpack_di_free_numeric(&factor->sparse->umf_numeric);
  int code = umfpack_di_numeric(p, i, x, factor->sparse->umf_symbolic, &factor->sparse->umf_numeric,
                                factor->sparse->control, info);
  if (code < 0) return umfpack_failure(factor, code);
  factor->kind = FACTOR_UMFPACK;
  return judge(factor, code == UMFPACK_WARNING_singular_matrix ? 0.0 : info[UMFPACK_RCOND]);
}

static void solve_umfpack(nsds_factor *factor, int nrhs, double *b) {
  size_t n = (size_t)factor->n;
  double *x = factor->work, *w = factor->work + n;
  for (int k = 0; k < nrhs; ++k, b += n) {
    umfpack_di_wsolve(UMFPACK_A, NULL, NULL, NULL, x, b, factor->sparse->umf_numeric,
                      factor->sparse->control, NULL, factor->iwork, w);
    memcpy(b, x, n * sizeof *b);
  }
}
#endif

static nsds_status klu_failure(nsds_factor *factor) {
  switch (factor->sparse->klu.status) {
  case KLU_SINGULAR: return judge(factor, 0.0);
  case KLU_OUT_OF_MEMORY:
    return nsds_fail(factor->context, NSDS_ERROR_MEMORY, "out of memory for factors (KLU): %d rows",
                     factor->n);
  default:
    return nsds_fail(factor->context, NSDS_ERROR_ARGUMENT,
                     "sparse factorisation: KLU rejects the matrix (status %d)",
                     factor->sparse->klu.status);
  }
}

static nsds_status analyse(nsds_factor *factor, int n, int *p, int *i, const double *x,
                           uint64_t pattern) {
  drop_sparse(factor->sparse);
  factor->sparse->symbolic = klu_analyze(n, p, i, &factor->sparse->klu);
  if (!factor->sparse->symbolic) return klu_failure(factor);
#if NSDS_HAVE_UMFPACK
  double fill = factor->sparse->symbolic->lnz + factor->sparse->symbolic->unz;
  if (n > heavy_fill_rows && fill > (double)heavy_fill_per_row * n) {
    nsds_status status = analyse_umfpack(factor, n, p, i, x);
    if (status) return status;
  }
#else
  (void)x;
#endif
  factor->sparse->pattern = pattern;
  return NSDS_OK;
}

/* Redoes the numbers with the kept pivots; false when accuracy was lost. */
static bool refactor_klu(nsds_factor *factor, int *p, int *i, double *x) {
  klu_common *common = &factor->sparse->klu;
  return klu_refactor(p, i, x, factor->sparse->symbolic, factor->sparse->numeric, common) &&
         common->status == KLU_OK &&
         klu_rgrowth(p, i, x, factor->sparse->symbolic, factor->sparse->numeric, common) &&
         common->rgrowth > growth_limit &&
         klu_rcond(factor->sparse->symbolic, factor->sparse->numeric, common) &&
         common->rcond >= nsds_least_rcond(factor->n);
}

static nsds_status factor_klu(nsds_factor *factor, int *p, int *i, double *x) {
  klu_common *common = &factor->sparse->klu;
  factor->kind = FACTOR_KLU;
  if (factor->sparse->numeric && refactor_klu(factor, p, i, x)) return judge(factor, common->rcond);
  klu_free_numeric(&factor->sparse->numeric, common);
  factor->sparse->numeric = klu_factor(p, i, x, factor->sparse->symbolic, common);
  if (!factor->sparse->numeric) return klu_failure(factor);
  klu_rcond(factor->sparse->symbolic, factor->sparse->numeric, common);
  return judge(factor, common->rcond);
}

nsds_status nsds_factor_reserve_csc(nsds_factor *factor, int n) {
  nsds_context *context = factor->context;
  size_t m = (size_t)n, most = nsds_tridiagonal_work > 2 ? nsds_tridiagonal_work : 2;
  nsds_status status = open_sparse(factor);
  if (!status)
    status = nsds_grow(context, &factor->work, &factor->work_capacity, most * m, sizeof(double));
  return status ? status
                : nsds_grow(context, &factor->iwork, &factor->iwork_capacity, m, sizeof(int));
}

nsds_status nsds_factor_csc(nsds_factor *factor, int n, const int *p, const int *i, const double *x,
                            uint64_t pattern) {
  factor->kind = FACTOR_NONE;
  factor->n = n;
  if (n == 0) return judge(factor, 1.0);
  if (p[n] <= 3 * (long)n) {
    double rcond;
    nsds_status status = nsds_grow(factor->context, &factor->work, &factor->work_capacity,
                                   (size_t)n * nsds_tridiagonal_work, sizeof(double));
    if (status) return status;
    if (nsds_tridiagonal_factor(&factor->tridiagonal, n, p, i, x, factor->work, &rcond)) {
      factor->kind = FACTOR_TRIDIAGONAL;
      return judge(factor, rcond);
    }
  }
  /* KLU's interface lacks const; it does not write to p, i, x. */
  int *pk = (int *)(uintptr_t)p, *ik = (int *)(uintptr_t)i;
  double *xk = (double *)(uintptr_t)x;
  nsds_status opened = open_sparse(factor);
  if (opened) return opened;
  if (pattern == 0 || pattern != factor->sparse->pattern) {
    nsds_status status = analyse(factor, n, pk, ik, xk, pattern);
    if (status) return status;
  }
#if NSDS_HAVE_UMFPACK
  if (factor->sparse->umf_symbolic) return factor_umfpack(factor, p, i, x);
#endif
  return factor_klu(factor, pk, ik, xk);
}

void nsds_factor_solve(nsds_factor *factor, int nrhs, double *b) {
  switch (factor->kind) {
  case FACTOR_DIAGONAL: solve_diagonal(factor, nrhs, b); break;
  case FACTOR_DENSE: solve_dense(factor, nrhs, b); break;
  case FACTOR_TRIDIAGONAL:
    for (int k = 0; k < nrhs; ++k)
      nsds_tridiagonal_solve(&factor->tridiagonal, b + (size_t)k * (size_t)factor->n);
    break;
  case FACTOR_KLU:
    klu_solve(factor->sparse->symbolic, factor->sparse->numeric, factor->n, nrhs, b,
              &factor->sparse->klu);
    break;
#if NSDS_HAVE_UMFPACK
  case FACTOR_UMFPACK: solve_umfpack(factor, nrhs, b); break;
#endif
  default: break;
  }
}
