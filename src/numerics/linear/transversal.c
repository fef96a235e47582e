/*
 * Scales by a largest transversal, see transversal.h. A transversal assigns columns to rows with
 * the largest product of entries, by shortest augmenting paths. The scales are its dual variables:
 *
 *     log |a_ij| + r_i + c_j <= 0,     = 0 if row i has column j.
 *
 * Sources: Kuhn: Naval Res. Logist. 2, 1955; Duff & Koster: SIAM J. Matrix Anal. Appl. 22, 2001.
 */
#include "numerics/linear/transversal.h"

#include <math.h>

/* Rows and columns count from 1; column 0 stands for the row that looks for a column. */
typedef struct assignment {
  int n;
  const double *a;
  double *row, *column, *far; /* dual variables; length of the shortest path to each column */
  int *owner, *from;          /* row of each column, 0: none; previous column on the path */
} assignment;

static double transversal_cost(const assignment *s, int i, int j) {
  double entry = fabs(s->a[i - 1 + (ptrdiff_t)(j - 1) * s->n]);
  return entry > 0.0 ? -log2(entry) - s->row[i] - s->column[j] : INFINITY;
}

/* Distance of columns that are in the path tree. */
static const double in_tree = -1.0;

/* Extends the tree by the row of column `at`; returns the nearest column outside, 0: none. */
static int extend_transversal(assignment *s, int at) {
  int nearest = 0;
  double least = INFINITY;
  s->far[at] = in_tree;
  for (int j = 1; j <= s->n; ++j) {
    if (s->far[j] < 0.0) continue;
    double cost = fmax(transversal_cost(s, s->owner[at], j), 0.0);
    if (cost < s->far[j]) {
      s->far[j] = cost;
      s->from[j] = at;
    }
    if (s->far[j] < least) {
      least = s->far[j];
      nearest = j;
    }
  }
  for (int j = 0; nearest > 0 && j <= s->n; ++j) {
    if (s->far[j] < 0.0) {
      s->row[s->owner[j]] += least;
      s->column[j] -= least;
    } else s->far[j] -= least;
  }
  return nearest;
}

/* Finds a column for row i; false if there is none. */
static bool assign_row(assignment *s, int i) {
  int at = 0;
  double least = INFINITY; /* reduced costs are not negative then */
  for (int j = 1; j <= s->n; ++j) least = fmin(least, transversal_cost(s, i, j));
  if (isinf(least)) return false;
  s->row[i] = least;
  s->owner[0] = i;
  for (int j = 0; j <= s->n; ++j) s->far[j] = INFINITY;
  do {
    at = extend_transversal(s, at);
    if (at == 0) return false;
  } while (s->owner[at] != 0);
  for (int before; at != 0; at = before) {
    before = s->from[at];
    s->owner[at] = s->owner[before];
  }
  return true;
}

bool nsds_transversal(int n, const double *a, int *row, int *column, double *work, int *iwork) {
  int m = n + 1;
  assignment s = {n, a, work, work + m, work + 2 * m, iwork, iwork + m};
  for (int k = 0; k <= n; ++k) {
    s.row[k] = s.column[k] = 0.0;
    s.owner[k] = 0;
  }
  for (int i = 1; i <= n; ++i)
    if (!assign_row(&s, i)) return false;
  for (int k = 1; k <= n; ++k) {
    row[k - 1] = (int)lrint(s.row[k]);
    column[k - 1] = (int)lrint(s.column[k]);
  }
  return true;
}
