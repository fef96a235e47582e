/*
 * See iteration_matrix.h. The spectral radius is estimated by powers of J, as the mean growth over
 * an even number of powers. The mean allows for pairs of complex eigenvalues and for the square
 * root in w^2 = K / M.
 */
#include "numerics/ode/iteration_matrix.h"

#include "base/base.h"
#include "numerics/linear/factor.h"
#include "numerics/linear/factor_dense.h"
#include "numerics/store.h"

/* A difference quotient of x_i' = x_m is 1 up to rounding. */
static const double near_one = 1e-6;

nsds_status nsds_iteration_matrix_reserve(nsds_store *store, nsds_iteration_matrix *m, int n) {
  size_t size = (size_t)n;
  const nsds_cut cut[] = {NSDS_CUT(m->J, size * size), NSDS_CUT(m->S, size * size),
                          NSDS_CUT(m->r, size),        NSDS_CUT(m->power[0], size),
                          NSDS_CUT(m->power[1], size), NSDS_CUT(m->target, size),
                          NSDS_CUT(m->place, size),    NSDS_CUT(m->left, size)};
  nsds_status status = NSDS_HOLD(store, cut);
  if (!status) status = nsds_factor_hold(store, &m->factor);
  if (!status) status = nsds_factor_reserve_dense(m->factor, n);
  m->n = status ? 0 : n;
  m->c = 0.0;
  return status;
}

/* Returns the column of the only entry of row i, if the entry is 1 and off the diagonal; else
 * -1. */
static int single_entry(const nsds_iteration_matrix *m, int i) {
  int found = -1;
  for (int j = 0; j < m->n; ++j) {
    double entry = m->J[(size_t)i + (size_t)j * (size_t)m->n];
    if (entry == 0.0) continue;
    if (found >= 0 || j == i || !(fabs(entry - 1.0) < near_one)) return -1;
    found = j;
  }
  return found;
}

/* Chooses the unknowns to eliminate. In the first loop place[i] = -1 means eliminated, 1 needed by
 * an eliminated unknown, 0 neither; afterwards it is the place among the unknowns left. */
static void choose_eliminated(nsds_iteration_matrix *m) {
  for (int i = 0; i < m->n; ++i) m->place[i] = 0;
  for (int i = 0; i < m->n; ++i) {
    int target = m->place[i] == 0 ? single_entry(m, i) : -1;
    bool eliminated = target >= 0 && m->place[target] >= 0;
    m->target[i] = eliminated ? target : -1;
    if (!eliminated) continue;
    m->place[i] = -1;
    m->place[target] = 1;
    m->J[(size_t)i + (size_t)target * (size_t)m->n] = 1.0;
  }
  m->nleft = 0;
  for (int i = 0; i < m->n; ++i) {
    if (m->place[i] < 0) continue;
    m->place[i] = m->nleft;
    m->left[m->nleft++] = i;
  }
}

/* Computes y = J x; returns the largest |y_i|. */
static double multiply(const nsds_iteration_matrix *m, const double *restrict x,
                       double *restrict y) {
  double most = 0.0;
  for (int i = 0; i < m->n; ++i) y[i] = 0.0;
  for (int j = 0; j < m->n; ++j) {
    const double *column = m->J + (size_t)j * (size_t)m->n;
    if (x[j] != 0.0)
      for (int i = 0; i < m->n; ++i) y[i] += column[i] * x[j];
  }
  for (int i = 0; i < m->n; ++i) most = fmax(most, fabs(y[i]));
  return most;
}

static double estimate_radius(nsds_iteration_matrix *m) {
  enum { unseen = 8, seen = 12 };
  double growth = 0.0, *x = m->power[0], *y = m->power[1];
  for (int i = 0; i < m->n; ++i) x[i] = 0.5 + fmod(0.618034 * (i + 1), 1.0);
  for (int k = 0; k < unseen + seen; ++k) {
    double size = multiply(m, x, y);
    if (!(size > 0.0) || !isfinite(size)) return size;
    if (k >= unseen) growth += log(size) / seen;
    for (int i = 0; i < m->n; ++i) x[i] = y[i] / size;
  }
  return exp(growth);
}

void nsds_iteration_matrix_taken(nsds_iteration_matrix *m) {
  choose_eliminated(m);
  m->radius = estimate_radius(m);
  m->c = 0.0;
}

/* Subtracts scale times column j of J, in the rows that are left. */
static void subtract_column(nsds_iteration_matrix *m, int j, double scale, double *restrict out) {
  const double *column = m->J + (size_t)j * (size_t)m->n;
  for (int k = 0; k < m->nleft; ++k) out[k] -= scale * column[m->left[k]];
}

bool nsds_iteration_matrix_factor(nsds_iteration_matrix *m, double c) {
  size_t size = (size_t)m->nleft;
  if (m->c == c) return true;
  m->c = 0.0;
  nsds_zero_doubles(m->S, size * size);
  for (int j = 0; j < m->n; ++j) {
    bool eliminated = m->target[j] >= 0;
    size_t place = (size_t)m->place[eliminated ? m->target[j] : j];
    subtract_column(m, j, eliminated ? c * c : c, m->S + place * size);
  }
  for (size_t k = 0; k < size; ++k) m->S[k + k * size] += 1.0;
  if (nsds_factor_dense(m->factor, m->nleft, m->S)) return false;
  m->c = c;
  return true;
}

void nsds_iteration_matrix_solve(const nsds_iteration_matrix *m, double *d) {
  double *r = m->r;
  for (int k = 0; k < m->nleft; ++k) r[k] = d[m->left[k]];
  for (int j = 0; j < m->n; ++j) {
    if (m->target[j] < 0 || d[j] == 0.0) continue;
    const double *column = m->J + (size_t)j * (size_t)m->n;
    for (int k = 0; k < m->nleft; ++k) r[k] += m->c * d[j] * column[m->left[k]];
  }
  nsds_factor_solve(m->factor, 1, r);
  for (int k = 0; k < m->nleft; ++k) d[m->left[k]] = r[k];
  for (int i = 0; i < m->n; ++i)
    if (m->target[i] >= 0) d[i] += m->c * d[m->target[i]];
}
