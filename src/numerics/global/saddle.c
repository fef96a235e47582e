/*
 * Linear systems with velocities and multipliers, see saddle.h.
 */
#include "saddle.h"
#include "solver_internal.h"

enum {
  small_rows = 64,    /* dense up to here, */
  dense_fraction = 4, /* or where one entry in so many is there */
};

/* ---- pattern ---- */

static int total(const nsds_saddle *s) { return s->nv + s->m; }

/* Whether entry (i, j) of a dense M is taken into the pattern. */
static bool stands(const nsds_matrix *M, int i, int j) {
  return i == j || M->x[(size_t)i + (size_t)j * (size_t)M->n] != 0.0;
}

static size_t mass_entries(const nsds_matrix *M) {
  if (M->storage == NSDS_CSC) return M->n > 0 ? (size_t)M->p[M->n] : 0;
  size_t count = 0;
  for (int j = 0; j < M->n; ++j)
    for (int i = 0; i < M->n; ++i) count += stands(M, i, j);
  return count;
}

static int entries_of(const nsds_sparse *A) { return A->ncolumn > 0 ? A->p[A->ncolumn] : 0; }

static nsds_status reserve(nsds_saddle *s, size_t count) {
  size_t rows = (size_t)total(s);
  s->dense =
      rows <= small_rows || (rows <= nsds_dense_limit && dense_fraction * count >= rows * rows);
  const nsds_cut cut[] = {
      NSDS_CUT(s->p, rows + 1),    NSDS_CUT(s->i, count),
      NSDS_CUT(s->x, count),       NSDS_CUT(s->scale, rows),
      NSDS_CUT(s->next, rows + 1), NSDS_CUT(s->full, s->dense ? rows * rows : 0)};
  if (!s->factor && !(s->factor = nsds_factor_create(s->context))) return NSDS_ERROR_MEMORY;
  nsds_status status = NSDS_CUT_ALL(s->context, &s->workspace, cut);
  return status || !s->dense ? status : nsds_factor_reserve_dense(s->factor, (int)rows);
}

/* An entry of a column; at first they are only counted. */
static void put(nsds_saddle *s, int column, int row, double x) {
  if (s->counting) {
    ++s->next[column + 1];
    return;
  }
  int place = s->next[column]++;
  s->i[place] = row;
  s->x[place] = x;
}

static void put_mass(nsds_saddle *s, const nsds_matrix *M) {
  for (int j = 0; j < s->nv; ++j) {
    if (M->storage == NSDS_CSC)
      for (int k = M->p[j]; k < M->p[j + 1]; ++k) put(s, j, M->i[k], M->x[k]);
    else
      for (int i = 0; i < M->n; ++i)
        if (stands(M, i, j)) put(s, j, i, M->x[(size_t)i + (size_t)j * (size_t)M->n]);
  }
}

static void put_part(nsds_saddle *s, const nsds_sparse *A, int first) {
  for (int j = 0; j < A->ncolumn; ++j)
    for (int k = A->p[j]; k < A->p[j + 1]; ++k) {
      put(s, first + j, A->i[k], A->x[k]);
      put(s, A->i[k], first + j, A->x[k]);
    }
}

/* Rows increase in every column: those of M first, then one multiplier after the other. */
static void assemble(nsds_saddle *s, const nsds_matrix *M, const nsds_sparse *first,
                     const nsds_sparse *second) {
  int rows = total(s);
  memset(s->next, 0, ((size_t)rows + 1) * sizeof *s->next);
  for (int pass = 0; pass < 2; ++pass) {
    s->counting = pass == 0;
    put_mass(s, M);
    put_part(s, first, s->nv);
    put_part(s, second, s->nv + first->ncolumn);
    for (int j = s->nv; j < rows; ++j) put(s, j, j, 0.0);
    if (!s->counting) return;
    for (int j = 0; j < rows; ++j) s->next[j + 1] += s->next[j];
    memcpy(s->p, s->next, ((size_t)rows + 1) * sizeof *s->p);
  }
}

/* FNV-1a over the indices. */
uint64_t nsds_saddle_pattern(int n, const int *p, const int *i) {
  uint64_t hash = 14695981039346656037u;
  for (int j = 0; j <= n; ++j) hash = (hash ^ (uint64_t)p[j]) * 1099511628211u;
  for (int k = 0; k < p[n]; ++k) hash = (hash ^ (uint64_t)i[k]) * 1099511628211u;
  return hash ? hash : 1;
}

/* ---- values ---- */

/* The scale from the diagonal of M and from d; then the scaled entries. */
static void apply_scale(nsds_saddle *s) {
  for (int j = 0; j < total(s); ++j) {
    double d = 0.0;
    for (int k = s->p[j]; k < s->p[j + 1]; ++k) {
      if (j < s->nv && s->i[k] == j) d = s->x[k];
      if (j >= s->nv && s->i[k] < s->nv)
        d += s->x[k] * s->scale[s->i[k]] * s->scale[s->i[k]] * s->x[k];
    }
    s->scale[j] = d > 0.0 ? 1.0 / sqrt(d) : 1.0;
  }
  for (int j = 0; j < total(s); ++j)
    for (int k = s->p[j]; k < s->p[j + 1]; ++k) s->x[k] *= s->scale[s->i[k]] * s->scale[j];
}

nsds_status nsds_saddle_load(nsds_saddle *saddle, nsds_context *context, const nsds_matrix *M,
                             const nsds_sparse *first, const nsds_sparse *second) {
  saddle->context = context;
  saddle->nv = M->n;
  saddle->m = first->ncolumn + second->ncolumn;
  size_t count = mass_entries(M) + 2 * (size_t)entries_of(first) + 2 * (size_t)entries_of(second) +
                 (size_t)saddle->m;
  nsds_status status = reserve(saddle, count);
  if (status) return status;
  assemble(saddle, M, first, second);
  apply_scale(saddle);
  saddle->pattern = nsds_saddle_pattern(total(saddle), saddle->p, saddle->i);
  return NSDS_OK;
}

double nsds_saddle_d(const nsds_saddle *saddle, int j) {
  double scale = saddle->scale[saddle->nv + j];
  return 1.0 / (scale * scale);
}

/* ---- factors ---- */

static void fill_dense(nsds_saddle *s) {
  size_t rows = (size_t)total(s);
  memset(s->full, 0, rows * rows * sizeof *s->full);
  for (size_t j = 0; j < rows; ++j)
    for (int k = s->p[j]; k < s->p[j + 1]; ++k) s->full[(size_t)s->i[k] + j * rows] = s->x[k];
}

nsds_status nsds_saddle_factor(nsds_saddle *saddle, const double *delta, double same) {
  if (total(saddle) == 0) return NSDS_OK;
  for (int j = 0; j < saddle->m; ++j) /* the diagonal is the last entry of its column */
    saddle->x[saddle->p[saddle->nv + j + 1] - 1] = -(delta ? delta[j] : same);
  if (!saddle->dense)
    return nsds_factor_csc(saddle->factor, total(saddle), saddle->p, saddle->i, saddle->x,
                           saddle->pattern);
  fill_dense(saddle);
  return nsds_factor_dense(saddle->factor, total(saddle), saddle->full);
}

nsds_status nsds_saddle_definite(nsds_saddle *saddle) {
  if (saddle->nv == 0 || (!saddle->dense && !nsds_cholesky_is_sparse())) return NSDS_OK;
  if (!saddle->cholesky && !(saddle->cholesky = nsds_cholesky_create(saddle->context)))
    return NSDS_ERROR_MEMORY;
  if (!saddle->dense)
    return nsds_cholesky_csc(saddle->cholesky, saddle->nv, saddle->p, saddle->i, saddle->x,
                             saddle->pattern);
  fill_dense(saddle);
  return nsds_cholesky_dense(saddle->cholesky, saddle->nv, saddle->full);
}

void nsds_saddle_solve(nsds_saddle *saddle, double *x) {
  if (total(saddle) == 0) return;
  for (int j = 0; j < total(saddle); ++j) x[j] *= saddle->scale[j];
  nsds_factor_solve(saddle->factor, 1, x);
  for (int j = 0; j < total(saddle); ++j) x[j] *= saddle->scale[j];
}

void nsds_saddle_release(nsds_saddle *saddle) {
  if (!saddle->context) return;
  nsds_factor_destroy(saddle->factor);
  nsds_cholesky_destroy(saddle->cholesky);
  nsds_workspace_release(&saddle->workspace, saddle->context);
}
