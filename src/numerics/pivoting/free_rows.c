/* Free rows of a tableau, see free_rows.h. */
#include "free_rows.h"

/* Largest entry in rows and columns whose variables are y and x of free rows, not yet pivoted. */
static double equality_pivot(const nsds_tableau *t, const unsigned char *free, int *p, int *e) {
  double most = 0.0;
  int n = t->n;
  for (int r = 0; r < n; ++r) {
    if (t->basic[r] >= n || !free[t->basic[r]]) continue;
    for (int c = 0; c < n; ++c) {
      double a = fabs(nsds_tableau_row(t, r)[c]);
      if (t->nonbasic[c] < n || !free[t->nonbasic[c] - n] || a <= most) continue;
      most = a;
      *p = r;
      *e = c;
    }
  }
  return most;
}

/* Column of the other variable of a pair, -1 if that is basic. */
static int complement_column(const nsds_tableau *t, int variable) {
  int c = t->place[variable < t->n ? variable + t->n : variable - t->n];
  return c >= 0 ? c : -1;
}

/* A free row p and a free column e without a common entry, and another pair, of row r and column c,
 * that links them: the largest product T_pc T_re. */
static double linked_pivots(const nsds_tableau *t, const unsigned char *free, int *p, int *c,
                            int *r, int *e) {
  double most = 0.0;
  int n = t->n;
  for (int k = 0; k < n; ++k) {
    int column = complement_column(t, t->basic[k]);
    if (free[t->basic[k] % n] || column < 0) continue;
    double up = 0.0, left = 0.0;
    int top = 0, side = 0;
    for (int i = 0; i < n; ++i) {
      double a = fabs(nsds_tableau_row(t, i)[column]), b = fabs(nsds_tableau_row(t, k)[i]);
      if (t->basic[i] < n && free[t->basic[i]] && a > up) {
        up = a;
        top = i;
      }
      if (t->nonbasic[i] >= n && free[t->nonbasic[i] - n] && b > left) {
        left = b;
        side = i;
      }
    }
    if (fmin(up, left) <= nsds_pivot_zero || up * left <= most) continue;
    most = up * left;
    *p = top;
    *c = column;
    *r = k;
    *e = side;
  }
  return most;
}

/* What is left of an equality: 0 = rhs_r - T_r v with v >= 0. */
static nsds_outcome judge_equality(const nsds_tableau *t, const unsigned char *free, int r) {
  static const double clear = 1e-9; /* inconsistency beyond what rounding makes */
  double most = 0.0, least = 0.0;
  for (int c = 0; c < t->n; ++c) {
    double a = nsds_tableau_row(t, r)[c];
    if (free[t->nonbasic[c] % t->n]) continue;
    most = fmax(most, a);
    least = fmin(least, a);
  }
  if (fmax(most, -least) <= nsds_pivot_zero && fabs(t->rhs[r]) <= nsds_pivot_zero)
    return NSDS_SOLVED;
  bool met = (t->rhs[r] > 0.0 ? most : -least) > nsds_pivot_zero;
  return !met && fabs(t->rhs[r]) > clear ? NSDS_NO_SOLUTION : NSDS_NOT_CONVERGED;
}

static nsds_outcome judge_equalities(const nsds_tableau *t, const unsigned char *free) {
  nsds_outcome worst = NSDS_SOLVED;
  for (int r = 0; r < t->n; ++r) {
    if (t->basic[r] >= t->n || !free[t->basic[r]]) continue;
    nsds_outcome outcome = judge_equality(t, free, r);
    if (outcome > worst) worst = outcome;
  }
  return worst;
}

/* Whether a free variable is held at 0 that other rows feel. */
static bool holds_variable(const nsds_tableau *t, const unsigned char *free) {
  for (int c = 0; c < t->n; ++c) {
    if (t->nonbasic[c] < t->n || !free[t->nonbasic[c] - t->n]) continue;
    for (int r = 0; r < t->n; ++r)
      if (fabs(nsds_tableau_row(t, r)[c]) > nsds_pivot_zero) return true;
  }
  return false;
}

static bool of_free_row(const nsds_tableau *t, const unsigned char *free, int variable) {
  return free[variable < t->n ? variable : variable - t->n];
}

/* Drops what belongs to the free rows and moves the rest to the front; the variables of free rows
 * that became basic are found again from the final system. */
static void keep_nonnegative(nsds_tableau *t, const unsigned char *free) {
  int columns = 0, rows = 0;
  for (int c = 0; c < t->n; ++c) {
    int variable = t->nonbasic[c];
    if (of_free_row(t, free, variable)) continue;
    for (int r = 0; r < t->n; ++r) nsds_tableau_row(t, r)[columns] = nsds_tableau_row(t, r)[c];
    nsds_tableau_set_nonbasic(t, columns++, variable);
  }
  for (int r = 0; r < t->n; ++r) {
    int variable = t->basic[r];
    if (of_free_row(t, free, variable)) continue;
    memmove(nsds_tableau_row(t, rows), nsds_tableau_row(t, r), (size_t)columns * sizeof(double));
    t->rhs[rows] = t->rhs[r];
    t->size[rows] = t->size[r];
    nsds_tableau_set_basic(t, rows++, variable);
  }
  t->m = rows;
  t->columns = columns;
}

nsds_outcome nsds_free_rows_eliminate(nsds_tableau *t, const nsds_solver *solver, int limit,
                                      unsigned char *flipped, bool *held, int *pivots) {
  const unsigned char *free = t->free;
  int p = 0, c = 0, r = 0, e = 0;
  memset(flipped, 0, (size_t)t->n);
  for (;; ++*pivots) {
    bool linked = false;
    if (equality_pivot(t, free, &p, &e) <= nsds_pivot_zero) {
      if (linked_pivots(t, free, &p, &c, &r, &e) == 0.0) break;
      linked = true;
    }
    if (*pivots + linked >= limit) return NSDS_NOT_CONVERGED;
    if (nsds_solver_interrupted(solver, *pivots, INFINITY)) return NSDS_INTERRUPTED;
    if (linked) {
      nsds_tableau_pivot(t, p, c);
      p = r;
      ++*pivots;
    }
    nsds_tableau_pivot(t, p, e);
  }
  nsds_outcome outcome = judge_equalities(t, free);
  *held = holds_variable(t, free);
  keep_nonnegative(t, free);
  for (int k = 0; k < t->m; ++k) flipped[t->basic[k] % t->n] = t->basic[k] >= t->n;
  nsds_tableau_name_basic_y(t);
  return outcome;
}
