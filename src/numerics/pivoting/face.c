/* The face of a singular basis, see face.h. */
#include "face.h"
#include "polyhedron.h"

#include <float.h>

/* What rounding leaves of numbers, over the size of their terms. */
static const double rounding = 1e-13;

/* By how much an empty face is widened, over the same, before it counts as empty: one without
 * interior may be so by rounding alone. */
static const double widening = 1e-12;

/* A violation beyond this, over the same, is none of rounding, even through bad conditions. */
static const double clear = 1e-6;

/* The inequalities so far. */
typedef struct inequalities {
  nsds_face *face;
  const double *V; /* k x r */
  int k, r;
  int m;              /* of them, at most face->most */
  bool contradiction; /* one without t fails */
} inequalities;

nsds_status nsds_face_reserve(nsds_face *face, nsds_store *store, int n, int bounds) {
  size_t rows = (size_t)n, most = (size_t)bounds;
  const nsds_cut cut[] = {
      NSDS_CUT(face->G, most * rows), NSDS_CUT(face->g, most),
      NSDS_CUT(face->more, most),     NSDS_CUT(face->t, rows),
      NSDS_CUT(face->facet, rows),    NSDS_CUT(face->work, nsds_polyhedron_work(n))};
  face->most = bounds;
  return NSDS_HOLD(store, cut);
}

/* Adds sign * (value + row of G t) >= 0, the row standing at its place already; `terms` is the size
 * of what was added up for the value, and for each entry of the row. */
static void add(inequalities *s, double sign, double value, double terms, double row_terms) {
  nsds_face *f = s->face;
  double *row = f->G + s->m, norm = 0.0;
  for (int c = 0; c < s->r; ++c) norm += row[c * f->most] * row[c * f->most];
  norm = sqrt(norm);
  if (norm <= rounding * row_terms || norm == 0.0) {
    s->contradiction = s->contradiction || sign * value < -clear * terms;
    return;
  }
  for (int c = 0; c < s->r; ++c) row[c * f->most] *= sign / norm;
  f->more[s->m] = widening * terms / norm;
  f->g[s->m++] = -sign * value / norm;
}

/* The row of V of unknown number u. */
static void take_unknown(inequalities *s, int u) {
  for (int c = 0; c < s->r; ++c) s->face->G[s->m + c * s->face->most] = s->V[u + c * s->k];
}

/* M_iB V; returns the size of the terms. */
static double take_known(inequalities *s, const nsds_basis *basis, int i) {
  double size = 0.0;
  for (int c = 0; c < s->r; ++c) {
    double sum = 0.0, terms = 0.0;
    for (int u = 0; u < s->k; ++u) {
      double t = basis->M[i + (size_t)basis->list[u] * (size_t)basis->n] * s->V[u + c * s->k];
      sum += t;
      terms += fabs(t);
    }
    s->face->G[s->m + c * s->face->most] = sum;
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

nsds_outcome nsds_face_find(nsds_face *face, nsds_basis *basis) {
  inequalities s = {.face = face, .k = basis->unknowns};
  s.r = nsds_basic_system_kernel(&basis->system, s.k, &s.V);
  if (s.r == 0) return NSDS_NOT_CONVERGED;
  for (int i = 0; i < face->most; ++i) face->g[i] = -INFINITY;
  collect(&s, basis);
  if (s.contradiction) return NSDS_NO_SOLUTION;
  nsds_block block = {
      .set = NSDS_SET_POLYHEDRON, .size = s.r, .nfacet = face->most, .H = face->G, .K = face->g};
  nsds_outcome found = nsds_polyhedron_least(&block, face->t, face->facet, face->work);
  if (found == NSDS_NO_SOLUTION) {
    for (int i = 0; i < s.m; ++i) face->g[i] -= face->more[i];
    found = nsds_polyhedron_least(&block, face->t, face->facet, face->work);
  }
  for (int c = 0; found == NSDS_SOLVED && c < s.r; ++c)
    for (int u = 0; u < s.k; ++u) basis->z[basis->list[u]] += s.V[u + c * s.k] * face->t[c];
  return found;
}
