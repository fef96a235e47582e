/*
 * Symmetric quasidefinite factors, see quasidefinite.h. Columns of L with about the same rows form
 * dense supernodes. Each supernode gathers the updates of earlier supernodes that meet it, and is
 * factored by blocks of columns. Nearly all work is in matrix products.
 */
#include "numerics/linear/quasidefinite.h"

#include "base/base.h"
#include "base/context.h"
#include "numerics/linear/conjugate_residuals.h"
#include "numerics/linear/factor_cost.h"

#if NSDS_HAVE_CHOLMOD
#include <cholmod.h>
#include <lapacke.h>

#define BLAS(name, NAME) LAPACK_GLOBAL(name, NAME)
void BLAS(dgemm, DGEMM)(const char *, const char *, const int *, const int *, const int *,
                        const double *, const double *, const int *, const double *, const int *,
                        const double *, double *, const int *);
void BLAS(dtrsm, DTRSM)(const char *, const char *, const char *, const char *, const int *,
                        const int *, const double *, const double *, const int *, double *,
                        const int *);

enum {
  chunk = 128,        /* columns of a product at once; half of the result is needed */
  block_columns = 32, /* factored at once in a supernode */
  few_products = 400  /* up to here a matrix product costs less than a call of BLAS */
};

/* Multiples of S added to rows with entries of 1; the second is used if rounding spoils the pivots
 * of the first. */
static const double shifts[] = {1e-9, 1e-7};
static const double wrong_pivot = -1e-6; /* pivot times its sign: a smaller one is no rounding */
static const double refined = 1e-12; /* sufficient error of a row relative to its right-hand side */

struct nsds_signed_factor {
  nsds_store store;
  cholmod_common common;
  cholmod_factor *plan; /* order of rows, and structure of L */
  int shift;            /* place in `shifts` of the one in use */
  uint64_t pattern;
  double operations, bytes;
  double *L, *D;
  double *update, *scaled_rows;  /* update of one supernode by another */
  double *scale, *r, *y, *below; /* n each */
  double *direction, *image;     /* of the refinement */
  double rest; /* largest error of the solutions so far, relative to their right-hand sides */
  int *place;  /* n: place of each row of A in the order */
  int *supernode_of, *at;   /* n: supernode of each place; place of each row within a supernode */
  int *first, *next, *done; /* supernodes that wait for another; number of their rows used */
  const int *p, *i;         /* A */
  const double *x;
  const signed char *sign;
};

static struct nsds_signed_factor *signed_open(nsds_factor *factor) {
  struct nsds_signed_factor *t = factor->indefinite;
  if (NSDS_LIKELY(t != NULL)) return t;
  t = factor->indefinite = NSDS_NEW(factor->context, struct nsds_signed_factor);
  if (!t) return NULL;
  t->store.context = factor->context;
  cholmod_start(&t->common);
  t->common.print = 0;
  t->common.try_catch = 1; /* no messages */
  t->common.supernodal = CHOLMOD_SUPERNODAL;
  return t;
}

#endif

void nsds_quasidefinite_drop(nsds_factor *factor) {
#if NSDS_HAVE_CHOLMOD
  struct nsds_signed_factor *t = factor->indefinite;
  if (!t) return;
  cholmod_free_factor(&t->plan, &t->common);
  cholmod_finish(&t->common);
  nsds_store_release(&t->store);
  nsds_release(factor->context, t);
  factor->indefinite = NULL;
#else
  (void)factor;
#endif
}

#if NSDS_HAVE_CHOLMOD
/* ---- the plan ---- */

static int supernode_columns(const cholmod_factor *plan, int s) {
  const int *super = plan->super;
  return super[s + 1] - super[s];
}

static int supernode_rows(const cholmod_factor *plan, int s) {
  const int *pi = plan->pi;
  return pi[s + 1] - pi[s];
}

static nsds_status signed_reserve(struct nsds_signed_factor *t) {
  const cholmod_factor *plan = t->plan;
  size_t n = plan->n, nsuper = plan->nsuper, largest = 0;
  for (int s = 0; s < (int)nsuper; ++s) {
    size_t size = (size_t)supernode_rows(plan, s) * (size_t)supernode_columns(plan, s);
    largest = size > largest ? size : largest;
  }
  const nsds_cut cut[] = {NSDS_CUT(t->L, plan->xsize),
                          NSDS_CUT(t->D, n),
                          NSDS_CUT(t->update, plan->maxcsize + n * block_columns),
                          NSDS_CUT(t->scaled_rows, largest),
                          NSDS_CUT(t->scale, n),
                          NSDS_CUT(t->r, n),
                          NSDS_CUT(t->direction, n * nsds_most_directions),
                          NSDS_CUT(t->image, n * nsds_most_directions),
                          NSDS_CUT(t->y, n),
                          NSDS_CUT(t->below, n),
                          NSDS_CUT(t->place, n),
                          NSDS_CUT(t->supernode_of, n),
                          NSDS_CUT(t->at, n),
                          NSDS_CUT(t->first, nsuper),
                          NSDS_CUT(t->next, nsuper),
                          NSDS_CUT(t->done, nsuper)};
  return NSDS_HOLD(&t->store, cut);
}

static nsds_status signed_analyse(nsds_factor *factor, struct nsds_signed_factor *t,
                                  uint64_t pattern) {
  int n = factor->n;
  cholmod_sparse A = {.nrow = (size_t)n,
                      .ncol = (size_t)n,
                      .nzmax = (size_t)t->p[n],
                      .p = (void *)(uintptr_t)t->p, /* CHOLMOD's interface lacks const */
                      .i = (void *)(uintptr_t)t->i,
                      .stype = 1,
                      .itype = CHOLMOD_INT,
                      .xtype = CHOLMOD_PATTERN,
                      .dtype = CHOLMOD_DOUBLE,
                      .sorted = 1,
                      .packed = 1};
  cholmod_free_factor(&t->plan, &t->common);
  t->pattern = 0;
  t->plan = cholmod_analyze(&A, &t->common);
  if (!t->plan && t->common.status == CHOLMOD_OUT_OF_MEMORY)
    return nsds_fail(factor->context, NSDS_ERROR_MEMORY,
                     "out of memory for factors (CHOLMOD): %d rows", n);
  if (!t->plan || !t->plan->is_super) return NSDS_ERROR_SINGULAR;
  t->operations = t->common.fl;
  t->bytes = sizeof(double) * (double)t->plan->xsize;
  t->pattern = pattern;
  return NSDS_OK;
}

static void signed_number(struct nsds_signed_factor *t) {
  const int *super = t->plan->super, *order = t->plan->Perm;
  for (int k = 0; k < (int)t->plan->n; ++k) t->place[order[k]] = k;
  for (int s = 0; s < (int)t->plan->nsuper; ++s)
    for (int k = super[s]; k < super[s + 1]; ++k) t->supernode_of[k] = s;
}

/* ---- factors ---- */

/* Scales S A so that the largest entry of each row is about 1. */
static void signed_equilibrate(struct nsds_signed_factor *t) {
  int n = (int)t->plan->n;
  for (int j = 0; j < n; ++j) t->scale[j] = 1.0;
  for (int pass = 0; pass < 2; ++pass) {
    for (int j = 0; j < n; ++j) {
      double largest = 0.0;
      for (int k = t->p[j]; k < t->p[j + 1]; ++k) {
        double x = fabs(t->x[k]) * t->scale[t->i[k]];
        largest = x > largest ? x : largest;
      }
      largest *= t->scale[j];
      t->y[j] = largest > 0.0 && isfinite(largest) ? 1.0 / sqrt(largest) : 1.0;
    }
    for (int j = 0; j < n; ++j) t->scale[j] *= t->y[j];
  }
}

static void signed_load(struct nsds_signed_factor *t, int s, double *X) {
  const int *super = t->plan->super, *order = t->plan->Perm;
  int rows = supernode_rows(t->plan, s);
  memset(X, 0, (size_t)rows * (size_t)supernode_columns(t->plan, s) * sizeof *X);
  for (int k = super[s]; k < super[s + 1]; ++k, X += rows) {
    int j = order[k];
    for (int e = t->p[j]; e < t->p[j + 1]; ++e) {
      int i = t->i[e];
      if (t->place[i] < k || t->x[e] == 0.0) continue;
      X[t->at[t->place[i]]] = t->sign[i] * t->x[e] * (t->scale[i] * t->scale[j]);
    }
    X[k - super[s]] += t->sign[j] * shifts[t->shift];
  }
}

/* Computes C = A B^T, or C -= A B^T if `less`. Entries on and below the diagonal count; some above
 * are written too. */
static void multiply_across(int rows, int columns, int inner, const double *A, int lda,
                            const double *B, int ldb, bool less, double *C, int ldc) {
  double factor = less ? -1.0 : 1.0, keep = less ? 1.0 : 0.0;
  if ((double)rows * columns * inner > few_products) {
    for (int j = 0; j < columns; j += chunk) {
      int width = columns - j < chunk ? columns - j : chunk, below = rows - j;
      BLAS(dgemm, DGEMM)
      ("N", "T", &below, &width, &inner, &factor, A + j, &lda, B + j, &ldb, &keep,
       C + j + (ptrdiff_t)j * ldc, &ldc);
    }
    return;
  }
  for (int j = 0; j < columns; ++j, C += ldc) {
    for (int i = j; !less && i < rows; ++i) C[i] = 0.0;
    for (int k = 0; k < inner; ++k) {
      double b = factor * B[j + k * ldb];
      for (int i = j; i < rows; ++i) C[i] += A[i + k * lda] * b;
    }
  }
}

/* Subtracts the update by supernode d, from its first unused row on, from the rows of X before
 * `end`. Returns the next unused row. */
static int signed_update(struct nsds_signed_factor *t, int d, int begin, int end, int rows,
                         double *X) {
  const int *super = t->plan->super, *pi = t->plan->pi, *px = t->plan->px;
  const int *row = (const int *)t->plan->s + pi[d], nrow = supernode_rows(t->plan, d);
  int from = t->done[d], until = from, inner = supernode_columns(t->plan, d);
  while (until < nrow && row[until] < end) ++until;
  int columns = until - from, all = nrow - from;
  const double *A = t->L + px[d] + from, *D = t->D + super[d];
  for (int k = 0; k < inner; ++k)
    for (int j = 0; j < columns; ++j) t->scaled_rows[j + k * columns] = A[j + k * nrow] * D[k];
  multiply_across(all, columns, inner, A, nrow, t->scaled_rows, columns, false, t->update, all);
  for (int j = 0; j < columns; ++j) {
    double *to = X + (ptrdiff_t)(row[from + j] - begin) * rows;
    for (int i = j; i < all; ++i) to[t->at[row[from + i]]] -= t->update[i + j * all];
  }
  return until;
}

/* Factors the next `columns` of a panel with `below` more rows; false if a pivot has the wrong
 * sign. `first` is the place of the first row. */
static bool signed_columns(struct nsds_signed_factor *t, int first, int columns, int below, int ld,
                           double *X) {
  const int *order = t->plan->Perm;
  double one = 1.0, *D = t->D + first;
  for (int k = 0; k < columns; ++k) {
    double *column = X + (ptrdiff_t)k * ld;
    D[k] = column[k];
    double sign = t->sign[order[first + k]];
    if (!(sign * D[k] > wrong_pivot) || !isfinite(D[k])) return false;
    if (sign * D[k] < shifts[t->shift]) D[k] = sign * shifts[t->shift];
    for (int j = k + 1; j < columns; ++j) {
      double factor = column[j] / D[k], *to = X + (ptrdiff_t)j * ld;
      for (int i = j; i < columns; ++i) to[i] -= factor * column[i];
    }
    for (int i = k + 1; i < columns; ++i) column[i] /= D[k];
    column[k] = 1.0;
  }
  if (below > 0 && columns > 1)
    BLAS(dtrsm, DTRSM)("R", "L", "T", "U", &below, &columns, &one, X, &ld, X + columns, &ld);
  return true;
}

static bool signed_panel(struct nsds_signed_factor *t, int s, double *X) {
  int first = ((const int *)t->plan->super)[s], n = supernode_columns(t->plan, s);
  int rows = supernode_rows(t->plan, s);
  for (int k = 0; k < n; k += block_columns) {
    int width = n - k < block_columns ? n - k : block_columns, below = rows - k - width;
    double *at = X + k + (ptrdiff_t)k * rows, *L = at + width, *LD = t->update;
    if (!signed_columns(t, first + k, width, below, rows, at)) return false;
    for (int j = 0; j < width; ++j)
      for (int i = 0; i < below; ++i) {
        LD[i + (ptrdiff_t)j * below] = L[i + (ptrdiff_t)j * rows];
        L[i + (ptrdiff_t)j * rows] /= t->D[first + k + j];
      }
    multiply_across(below, n - k - width, width, L, rows, LD, below, true,
                    L + (ptrdiff_t)width * rows, rows);
  }
  return true;
}

/* Makes supernode s wait for the supernode of its next row. */
static void signed_enqueue(struct nsds_signed_factor *t, int s, int done) {
  const int *pi = t->plan->pi, *row = (const int *)t->plan->s + pi[s];
  t->done[s] = done;
  if (done == supernode_rows(t->plan, s)) return;
  int *head = &t->first[t->supernode_of[row[done]]];
  t->next[s] = *head;
  *head = s;
}

static bool signed_factorise(struct nsds_signed_factor *t) {
  const int *super = t->plan->super, *pi = t->plan->pi, *px = t->plan->px;
  int nsuper = (int)t->plan->nsuper;
  signed_equilibrate(t);
  for (int s = 0; s < nsuper; ++s) t->first[s] = -1;
  for (int s = 0; s < nsuper; ++s) {
    const int *row = (const int *)t->plan->s + pi[s], rows = supernode_rows(t->plan, s);
    double *X = t->L + px[s];
    for (int k = 0; k < rows; ++k) t->at[row[k]] = k;
    signed_load(t, s, X);
    for (int d = t->first[s], next; d >= 0; d = next) {
      next = t->next[d];
      signed_enqueue(t, d, signed_update(t, d, super[s], super[s + 1], rows, X));
    }
    if (!signed_panel(t, s, X)) return false;
    signed_enqueue(t, s, supernode_columns(t->plan, s));
  }
  return true;
}

/* ---- solution ---- */

/* Solves L y = y, y = D^-1 y, L^T y = y. */
static void signed_substitute(struct nsds_signed_factor *t) {
  const int *super = t->plan->super, *pi = t->plan->pi, *px = t->plan->px;
  for (int s = 0; s < (int)t->plan->nsuper; ++s) {
    const int *row = (const int *)t->plan->s + pi[s], rows = supernode_rows(t->plan, s);
    int n = supernode_columns(t->plan, s);
    double *y = t->y + super[s];
    for (int i = n; i < rows; ++i) t->below[i] = 0.0;
    for (int k = 0; k < n; ++k) {
      const double *l = t->L + px[s] + (ptrdiff_t)k * rows, y_k = y[k];
      for (int i = k + 1; i < n; ++i) y[i] -= l[i] * y_k;
      for (int i = n; i < rows; ++i) t->below[i] += l[i] * y_k;
    }
    for (int i = n; i < rows; ++i) t->y[row[i]] -= t->below[i];
  }
  for (int s = (int)t->plan->nsuper - 1; s >= 0; --s) {
    const int *row = (const int *)t->plan->s + pi[s], rows = supernode_rows(t->plan, s);
    int n = supernode_columns(t->plan, s);
    double *y = t->y + super[s];
    for (int i = 0; i < n; ++i) t->below[i] = y[i];
    for (int i = n; i < rows; ++i) t->below[i] = t->y[row[i]];
    for (int k = n - 1; k >= 0; --k) {
      const double *l = t->L + px[s] + (ptrdiff_t)k * rows;
      double sum = nsds_inner_by_four(rows - k - 1, l + k + 1, t->below + k + 1);
      y[k] = t->below[k] = y[k] / t->D[super[s] + k] - sum;
    }
  }
}

/* Computes x = A^-1 r by the factors, with equilibrated r. */
static void signed_by_factors(void *self, const double *r, double *x) {
  struct nsds_signed_factor *t = self;
  int n = (int)t->plan->n;
  for (int i = 0; i < n; ++i) t->y[t->place[i]] = t->sign[i] * r[i];
  signed_substitute(t);
  for (int i = 0; i < n; ++i) x[i] = t->scale[i] * t->y[t->place[i]];
}

/* Computes y = A x, equilibrated. */
static void signed_multiply(const void *self, const double *x, double *y) {
  const struct nsds_signed_factor *t = self;
  int n = (int)t->plan->n;
  for (int i = 0; i < n; ++i) y[i] = 0.0;
  for (int j = 0; j < n; ++j)
    for (int k = t->p[j]; k < t->p[j + 1]; ++k) y[t->i[k]] += t->x[k] * x[j];
  for (int i = 0; i < n; ++i) y[i] *= t->scale[i];
}

static void signed_solve(nsds_factor *factor, int nrhs, double *b) {
  struct nsds_signed_factor *t = factor->indefinite;
  int n = (int)t->plan->n;
  nsds_conjugate_residuals c = {n, t->direction, t->image, signed_by_factors, signed_multiply, t};
  for (int k = 0; k < nrhs; ++k, b += n) {
    for (int i = 0; i < n; ++i) t->r[i] = t->scale[i] * b[i];
    nsds_raise(&t->rest, nsds_refine_by_residuals(&c, refined, t->r, b));
  }
}

#endif

nsds_status nsds_quasidefinite_csc(nsds_factor *factor, int n, const int *p, const int *i,
                                   const double *x, const signed char *sign, uint64_t pattern) {
#if NSDS_HAVE_CHOLMOD
  struct nsds_signed_factor *t = signed_open(factor);
  factor->solve = NULL;
  factor->n = n;
  if (!t || n == 0) return t ? NSDS_OK : NSDS_ERROR_MEMORY;
  t->p = p;
  t->i = i;
  t->x = x;
  t->sign = sign;
  bool known = pattern != 0 && pattern == t->pattern;
  nsds_status status = known ? NSDS_OK : signed_analyse(factor, t, pattern);
  if (!status && !nsds_factor_may_begin(factor, t->operations, t->bytes))
    status = NSDS_ERROR_SINGULAR;
  if (!status && !known) status = signed_reserve(t);
  if (status) {
    t->pattern = 0;
    return status;
  }
  if (!known) {
    signed_number(t);
    t->shift = 0;
  }
  t->rest = 0.0;
  double begin = nsds_factor_begins(factor, t->operations);
  bool factored = signed_factorise(t);
  if (!factored && t->shift == 0) {
    t->shift = 1;
    factored = signed_factorise(t);
  }
  nsds_factor_ends(factor, t->operations, begin);
  if (factored) factor->solve = signed_solve;
  return factored ? NSDS_OK : NSDS_ERROR_SINGULAR;
#else
  (void)p, (void)i, (void)x, (void)sign, (void)pattern;
  factor->solve = NULL;
  factor->n = n;
  return NSDS_ERROR_SINGULAR;
#endif
}

double nsds_quasidefinite_rest(const nsds_factor *factor) {
#if NSDS_HAVE_CHOLMOD
  return factor->solve == signed_solve ? factor->indefinite->rest : 0.0;
#else
  (void)factor;
  return 0.0;
#endif
}

double nsds_quasidefinite_operations(const nsds_factor *factor) {
#if NSDS_HAVE_CHOLMOD
  return factor->indefinite ? factor->indefinite->operations : 0.0;
#else
  (void)factor;
  return 0.0;
#endif
}
