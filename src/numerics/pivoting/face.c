/* The face of a singular basis, see face.h. */
#include "face.h"

#include <float.h>

/* What rounding leaves of numbers, over the size of their terms. */
static const double rounding = 1e-13;

/* By how much an empty face is widened, over the same, before it counts as empty: one without
 * interior may be so by rounding alone. */
static const double widening = 1e-12;

/* A violation beyond this, over the same, is none of rounding, even through bad conditions. */
static const double clear = 1e-6;

/* The inequalities, and the complementarity problem they lead to. */
typedef struct inequalities {
  const double *V; /* k x r */
  int k, r;
  int m;        /* of them, at most face->most */
  double *G;    /* face->most x r, rows next to each other */
  double *q;    /* -g */
  double *more; /* m: the widening of each */
  double *A;    /* G G^T */
  double *y;
  bool contradiction; /* one without t fails */
} inequalities;

static nsds_problem shape(int m, nsds_block *block, const double *A, const double *q) {
  *block = (nsds_block){.set = NSDS_SET_NONNEGATIVE, .size = m};
  return (nsds_problem){.n = m,
                        .nblock = 1,
                        .block = block,
                        .M = {.storage = NSDS_DENSE, .n = m, .x = A, .symmetric = true},
                        .q = q};
}

nsds_status nsds_face_reserve(nsds_face *face, nsds_store *store, int n, int bounds) {
  size_t m = (size_t)bounds, rows = (size_t)n;
  nsds_block block;
  if (face->lemke && n <= face->rows && bounds <= face->most) return NSDS_OK;
  nsds_status status = NSDS_HOLD_ONE(store, face->memory, m * (rows + m + 3));
  if (status) return status;
  if (!face->lemke) face->lemke = nsds_solver_new(store->context, &nsds_method_lemke, NULL);
  if (!face->lemke) return NSDS_ERROR_MEMORY;
  nsds_problem problem = shape(bounds, &block, face->memory, face->memory);
  face->most = face->rows = -1; /* until all is there */
  status = nsds_solver_prepare(face->lemke, &problem);
  if (status) return status;
  face->most = bounds;
  face->rows = n;
  return NSDS_OK;
}

void nsds_face_release(nsds_face *face) { nsds_solver_free(face->lemke); }

/* Adds sign * (value + row of G t) >= 0, the row standing at its place already; `terms` is the size
 * of what was added up for the value, and for each entry of the row. */
static void add(inequalities *s, double sign, double value, double terms, double row_terms) {
  double *row = s->G + (size_t)s->m * (size_t)s->r, norm = 0.0;
  for (int c = 0; c < s->r; ++c) norm += row[c] * row[c];
  norm = sqrt(norm);
  if (norm <= rounding * row_terms || norm == 0.0) {
    s->contradiction = s->contradiction || sign * value < -clear * terms;
    return;
  }
  for (int c = 0; c < s->r; ++c) row[c] *= sign / norm;
  s->more[s->m] = widening * terms / norm;
  s->q[s->m++] = sign * value / norm;
}

/* The row of V of unknown number u. */
static void take_unknown(inequalities *s, int u) {
  double *row = s->G + (size_t)s->m * (size_t)s->r;
  for (int c = 0; c < s->r; ++c) row[c] = s->V[u + c * s->k];
}

/* M_iB V; returns the size of the terms. */
static double take_known(inequalities *s, const nsds_basis *basis, int i) {
  double *row = s->G + (size_t)s->m * (size_t)s->r, size = 0.0;
  for (int c = 0; c < s->r; ++c) {
    double sum = 0.0, terms = 0.0;
    for (int u = 0; u < s->k; ++u) {
      double t = basis->M[i + (size_t)basis->list[u] * (size_t)basis->n] * s->V[u + c * s->k];
      sum += t;
      terms += fabs(t);
    }
    row[c] = sum;
    size = fmax(size, terms);
  }
  return size;
}

/* The bounds of z_i, unknown number u. */
static void collect_unknown(inequalities *s, const nsds_basis *basis, int i, int u) {
  double size, z = basis->z[i], l = basis->lower[i], h = basis->upper[i];
  nsds_basis_w(basis, i, &size);
  if (isfinite(l)) {
    take_unknown(s, u);
    add(s, 1.0, z - l, size / basis->d[i], 0.0);
  }
  if (isfinite(h)) {
    take_unknown(s, u);
    add(s, -1.0, z - h, size / basis->d[i], 0.0);
  }
}

static void collect(inequalities *s, const nsds_basis *basis) {
  for (int i = 0, u = 0; i < basis->n; ++i) {
    if (basis->state[i] == NSDS_ROW_UNKNOWN) {
      collect_unknown(s, basis, i, u++);
    } else if (basis->lower[i] < basis->upper[i]) {
      double size, w = nsds_basis_w(basis, i, &size), terms = take_known(s, basis, i);
      add(s, basis->state[i] == NSDS_ROW_LOWER ? 1.0 : -1.0, w, size, terms);
    }
  }
}

/* z_B += V G^T y */
static void move(const inequalities *s, nsds_basis *basis) {
  for (int c = 0; c < s->r; ++c) {
    double t = 0.0;
    for (int i = 0; i < s->m; ++i) t += s->G[(size_t)i * (size_t)s->r + (size_t)c] * s->y[i];
    for (int u = 0; u < s->k; ++u) basis->z[basis->list[u]] += s->V[u + c * s->k] * t;
  }
}

static void multiply(inequalities *s) {
  for (int i = 0; i < s->m; ++i)
    for (int j = 0; j < s->m; ++j) {
      const double *a = s->G + (size_t)i * (size_t)s->r, *b = s->G + (size_t)j * (size_t)s->r;
      double sum = 0.0;
      for (int c = 0; c < s->r; ++c) sum += a[c] * b[c];
      s->A[i + (size_t)j * (size_t)s->m] = sum;
    }
}

static nsds_status solve(nsds_face *face, inequalities *s, nsds_outcome *found) {
  nsds_block block;
  nsds_solver_info info = {0};
  nsds_problem problem = shape(s->m, &block, s->A, s->q);
  nsds_solver_open(face->lemke, &problem);
  memset(s->y, 0, (size_t)s->m * sizeof *s->y);
  nsds_status status = nsds_method_lemke.reserve(face->lemke, &problem);
  if (!status) status = nsds_method_lemke.solve(face->lemke, &problem, s->y, &info);
  *found = info.outcome == NSDS_RAY ? NSDS_NO_SOLUTION : info.outcome;
  return status;
}

static nsds_status solve_widened(nsds_face *face, inequalities *s, nsds_outcome *found) {
  multiply(s);
  nsds_status status = solve(face, s, found);
  if (status || *found != NSDS_NO_SOLUTION) return status;
  for (int i = 0; i < s->m; ++i) s->q[i] += s->more[i];
  return solve(face, s, found);
}

nsds_status nsds_face_find(nsds_face *face, nsds_basis *basis, nsds_outcome *found) {
  size_t m = (size_t)face->most, rows = (size_t)face->rows;
  inequalities s = {.k = basis->unknowns};
  s.G = face->memory;
  s.q = s.G + m * rows;
  s.more = s.q + m;
  s.y = s.more + m;
  s.A = s.y + m;
  *found = NSDS_NOT_CONVERGED;
  s.r = nsds_basic_system_kernel(&basis->system, s.k, &s.V);
  if (s.r == 0) return NSDS_OK;
  collect(&s, basis);
  *found = s.contradiction ? NSDS_NO_SOLUTION : NSDS_SOLVED;
  if (s.contradiction || s.m == 0) return NSDS_OK;
  nsds_status status = solve_widened(face, &s, found);
  if (!status && *found == NSDS_SOLVED) move(&s, basis);
  return status;
}
