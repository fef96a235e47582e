/*
 * The linear system of a Newton step in the velocities of bodies, see newton_system.h. Y K H is a
 * matrix in factors like M. Groups of velocities are its block rows, and the block rows of M its
 * groups of columns. Pattern and entries come from the explicit form of such matrices.
 */
#include "numerics/newton/velocity_system.h"

#include "numerics/linear/edge.h"
#include "numerics/linear/factor.h"
#include "numerics/linear/factor_dense.h"
#include "numerics/linear/product.h"
#include "numerics/solver_internal.h"
#include "numerics/store.h"

enum { most = NSDS_COUPLED_ROWS };

/* ---- the matrix in factors ---- */

static int velocity_system_rows(const nsds_factored *f, int a) { return f->row[a + 1] - f->row[a]; }

/* Numbers the groups of velocities that are met and counts their edges; returns the entries of the
 * edges. */
static size_t find_groups(nsds_velocity_system *t) {
  const nsds_factored *f = t->sweeps->factored;
  size_t entries = 0;
  int count = 0;
  memset(t->first_edge, 0, ((size_t)f->ncolumn + 2) * sizeof *t->first_edge);
  for (int c = 0; c < f->ncolumn; ++c) t->group[c] = -1;
  t->row[0] = 0;
  for (int a = 0; a < f->nrow_block; ++a)
    for (int k = f->first_edge[a]; k < f->first_edge[a + 1]; ++k) {
      const nsds_edge *e = &f->edge[k];
      if (e->size == 0) continue;
      if (t->group[e->column] < 0) {
        t->row[count + 1] = t->row[count] + e->size;
        t->group[e->column] = count++;
      }
      ++t->first_edge[t->group[e->column] + 2];
      entries += (size_t)velocity_system_rows(f, a) * (size_t)e->size;
    }
  for (int g = 0; g < count; ++g) t->first_edge[g + 2] += t->first_edge[g + 1];
  t->factored.nrow_block = count;
  t->problem.n = t->row[count];
  return entries;
}

/* Returns Y of an edge of a block row of m rows, as it is or written to `room`. */
static const double *y_of(const nsds_factored *f, const nsds_edge *e, int m, double *room) {
  for (int i = 0; !e->Y && i < m; ++i)
    for (int c = 0; c < e->size; ++c) room[c + i * e->size] = nsds_edge_y(f, e, m, c, i);
  return e->Y ? e->Y : room;
}

/* Takes the edges by groups: Y in the place of H, products K H in the place of Y (filled later).
 * The gain of a velocity is its sum of |Y| over its sum of |H|, if gains are diagonal. */
static void take_edges(nsds_velocity_system *t) {
  const nsds_factored *f = t->sweeps->factored;
  double *next = t->KH, *room = t->Y, *gain = t->v;
  for (int c = 0; c < t->problem.n; ++c) t->scale[c] = gain[c] = 0.0;
  for (int a = 0; a < f->nrow_block; ++a)
    for (int k = f->first_edge[a]; k < f->first_edge[a + 1]; ++k) {
      const nsds_edge *e = &f->edge[k];
      int m = velocity_system_rows(f, a), g = e->size > 0 ? t->group[e->column] : -1;
      const double *Y = y_of(f, e, m, room);
      for (int i = 0; i < m * e->size; ++i) gain[t->row[g] + i % e->size] += fabs(Y[i]);
      for (int i = 0; i < m * e->size; ++i) t->scale[t->row[g] + i / m] += fabs(e->H[i]);
      if (g >= 0)
        t->edge[t->first_edge[g + 1]++] =
            (nsds_edge){.column = f->row[a], .size = m, .H = Y, .Y = next};
      t->place[k] = next;
      next += m * e->size;
      if (Y == room) room += m * e->size;
    }
  for (int c = 0; c < t->problem.n; ++c) {
    double root = sqrt(gain[c] / t->scale[c]);
    t->scale[c] = root > 0.0 && isfinite(root) ? root : 1.0;
  }
  t->factored.ncolumn = t->sweeps->problem->n;
  t->factored.row = t->row;
  t->factored.first_edge = t->first_edge;
  t->factored.edge = t->edge;
  t->problem.M =
      (nsds_matrix){.storage = NSDS_FACTORED, .n = t->problem.n, .factored = &t->factored};
}

static nsds_status velocity_system_reserve_factor(nsds_velocity_system *t, nsds_store *store) {
  int n = t->problem.n;
  nsds_status status = NSDS_HOLD_ONE(store, t->work, nsds_problem_csc_work(&t->problem));
  if (status) return status;
  nsds_problem_to_csc(&t->problem, t->p, NULL, NULL, t->work);
  const nsds_cut cut[] = {NSDS_CUT(t->i, t->p[n]), NSDS_CUT(t->x, t->p[n])};
  if ((status = NSDS_HOLD(store, cut))) return status;
  ++t->pattern;
  t->dense = nsds_better_dense(n, t->p[n], nsds_dense_limit);
  return (t->dense ? nsds_factor_reserve_dense : nsds_factor_reserve_csc)(t->factor, n);
}

nsds_status nsds_velocity_system_reserve(nsds_velocity_system *t, nsds_store *store,
                                         const nsds_sweeps *sweeps, size_t count) {
  const nsds_factored *f = sweeps->factored;
  size_t ncolumn = (size_t)f->ncolumn, nedge = (size_t)f->first_edge[f->nrow_block];
  const nsds_cut cut[] = {NSDS_CUT(t->group, ncolumn),
                          NSDS_CUT(t->row, ncolumn + 1),
                          NSDS_CUT(t->scale, ncolumn),
                          NSDS_CUT(t->first_edge, ncolumn + 2),
                          NSDS_CUT(t->v, ncolumn),
                          NSDS_CUT(t->p, ncolumn + 1),
                          NSDS_CUT(t->edge, nedge),
                          NSDS_CUT(t->place, nedge),
                          NSDS_CUT(t->C, count),
                          NSDS_CUT(t->K, count),
                          NSDS_CUT(t->k, sweeps->problem->n)};
  t->sweeps = sweeps;
  nsds_status status = nsds_factor_hold(store, &t->factor);
  if (!status) status = NSDS_HOLD(store, cut);
  if (status) return status;
  size_t entries = find_groups(t);
  const nsds_cut values[] = {NSDS_CUT(t->KH, entries), NSDS_CUT(t->Y, f->gain ? entries : 0)};
  if ((status = NSDS_HOLD(store, values))) return status;
  take_edges(t);
  return velocity_system_reserve_factor(t, store);
}

/* ---- entries ---- */

/* Computes C^-1 and K = C^-1 B of unit a, and K H. */
static bool velocity_system_eliminate(nsds_velocity_system *t, const nsds_linearised *at, int a) {
  const nsds_factored *f = t->sweeps->factored;
  const nsds_unit *unit = &t->sweeps->unit[a];
  double C[most * most], *K = t->K + at->first[a], *inverse = t->C + at->first[a];
  int m = unit->block.size, row = unit->row, owner = unit->owner, pivot[most];
  int above = row - f->row[owner], all = velocity_system_rows(f, owner);
  const double *A = at->A + at->first[a], *B = at->B + at->first[a];
  const double *D = f->D && f->D[owner] ? f->D[owner] + above + above * all : NULL;
  memcpy(C, A, (size_t)(m * m) * sizeof *C);
  memcpy(K, B, (size_t)(m * m) * sizeof *K);
  for (int j = 0; j < m; ++j) {
    for (int i = 0; i < m; ++i) C[i + j * m] += B[i + j * m] * at->weight[row + j];
    if (D) nsds_add_product(m, m, B, m, D + j * all, C + j * m);
  }
  if (!nsds_small_lu(m, C, pivot)) return false;
  for (int j = 0; j < m; ++j) {
    for (int i = 0; i < m; ++i) inverse[i + j * m] = i == j;
    nsds_small_lu_solve(m, C, pivot, inverse + j * m);
    nsds_small_lu_solve(m, C, pivot, K + j * m);
  }
  for (int k = f->first_edge[owner]; k < f->first_edge[owner + 1]; ++k)
    for (int c = 0; c < f->edge[k].size; ++c) {
      double *y = t->place[k] + above + c * all;
      memset(y, 0, (size_t)m * sizeof *y);
      nsds_add_product(m, m, K, m, f->edge[k].H + above + c * all, y);
    }
  return true;
}

nsds_status nsds_velocity_system_factor(nsds_velocity_system *t, const nsds_linearised *at) {
  int n = t->problem.n;
  for (int a = 0; a < t->sweeps->nunit; ++a)
    if (!velocity_system_eliminate(t, at, a)) return NSDS_ERROR_SINGULAR;
  if (n == 0) return NSDS_OK;
  nsds_problem_to_csc(&t->problem, t->p, t->i, t->x, t->work);
  for (int j = 0; j < n; ++j)
    for (int k = t->p[j]; k < t->p[j + 1]; ++k)
      t->x[k] = t->x[k] / t->scale[t->i[k]] * t->scale[j] + (t->i[k] == j);
  return nsds_factor_columns(t->factor, t->dense, false, n, t->p, t->i, t->x, t->pattern);
}

/* ---- solution ---- */

void nsds_velocity_system_solve(nsds_velocity_system *t, const nsds_linearised *at, double *d) {
  const nsds_factored *f = &t->factored;
  memset(t->v, 0, (size_t)t->problem.n * sizeof *t->v);
  memset(t->k, 0, (size_t)t->sweeps->problem->n * sizeof *t->k);
  for (int a = 0; a < t->sweeps->nunit; ++a) {
    int m = t->sweeps->unit[a].block.size, row = t->sweeps->unit[a].row;
    nsds_add_product(m, m, t->C + at->first[a], m, at->phi + row, t->k + row);
  }
  for (int g = 0; g < f->nrow_block; ++g)
    for (int k = f->first_edge[g]; k < f->first_edge[g + 1]; ++k)
      nsds_add_product(velocity_system_rows(f, g), f->edge[k].size, f->edge[k].H,
                       velocity_system_rows(f, g), t->k + f->edge[k].column, t->v + f->row[g]);
  for (int c = 0; c < t->problem.n; ++c) t->v[c] /= t->scale[c];
  if (t->problem.n > 0) nsds_factor_solve(t->factor, 1, t->v);
  for (int c = 0; c < t->problem.n; ++c) t->v[c] *= -t->scale[c];
  for (int g = 0; g < f->nrow_block; ++g)
    for (int k = f->first_edge[g]; k < f->first_edge[g + 1]; ++k)
      nsds_add_product(f->edge[k].size, velocity_system_rows(f, g), f->edge[k].Y, f->edge[k].size,
                       t->v + f->row[g], t->k + f->edge[k].column);
  for (int i = 0; i < t->sweeps->problem->n; ++i) d[i] = -t->k[i];
}
