/*
 * The linear system of a Newton step in the velocities of bodies, see velocity_system.h.
 */
#include "velocity_system.h"
#include "matrix.h"

#include <stdlib.h>

enum {
  most = NSDS_COUPLED_ROWS,
  small_rows = 64,    /* dense up to here, */
  dense_fraction = 4, /* or where one entry in so many is there */
};

/* ---- edges of a unit ---- */

typedef struct unit_edges {
  const nsds_edge *first, *end;
  const double *D;  /* of the block row, NULL: zero */
  int rows, offset; /* of the block row; the unit's first one in it */
} unit_edges;

static unit_edges edges_of(const nsds_sweeps *s, const nsds_unit *unit) {
  const nsds_factored *f = s->factored;
  int a = unit->owner;
  return (unit_edges){.first = f->edge + f->first_edge[a],
                      .end = f->edge + f->first_edge[a + 1],
                      .D = f->D ? f->D[a] : NULL,
                      .rows = f->row[a + 1] - f->row[a],
                      .offset = unit->row - f->row[a]};
}

/* ---- the pattern ---- */

/* Numbers the velocities that are met, group by group. */
static void number(nsds_velocity_system *t) {
  const nsds_factored *f = t->sweeps->factored;
  const nsds_edge *end = f->edge + f->first_edge[f->nrow_block];
  t->nv = 0;
  for (int c = 0; c < f->ncolumn; ++c) t->place[c] = -1;
  for (const nsds_edge *e = f->edge; e < end; ++e) {
    if (t->place[e->column] >= 0) continue;
    t->place[e->column] = t->nv;
    for (int c = 0; c < e->size; ++c) t->size[t->nv + c] = e->size;
    t->nv += e->size;
  }
}

/* The sum of |Y| over that of |H| of each velocity is its gain where W is diagonal. */
static void scale(nsds_velocity_system *t) {
  const nsds_factored *f = t->sweeps->factored;
  double *gain = t->v;
  for (int c = 0; c < t->nv; ++c) t->scale[c] = gain[c] = 0.0;
  for (int a = 0; a < f->nrow_block; ++a)
    for (int k = f->first_edge[a]; k < f->first_edge[a + 1]; ++k) {
      const nsds_edge *e = &f->edge[k];
      int m = f->row[a + 1] - f->row[a], first = t->place[e->column];
      for (int c = 0; c < e->size; ++c)
        for (int i = 0; i < m; ++i) {
          gain[first + c] += fabs(e->Y[c + i * e->size]);
          t->scale[first + c] += fabs(e->H[i + c * m]);
        }
    }
  for (int c = 0; c < t->nv; ++c) {
    double root = sqrt(gain[c] / t->scale[c]);
    t->scale[c] = root > 0.0 && isfinite(root) ? root : 1.0;
  }
}

static int compare(const void *x, const void *y) {
  const nsds_velocity_block *a = x, *b = y;
  return a->column != b->column ? (a->column > b->column) - (a->column < b->column)
                                : (a->row > b->row) - (a->row < b->row);
}

static nsds_status list_blocks(nsds_velocity_system *t, nsds_context *context) {
  const nsds_factored *f = t->sweeps->factored;
  size_t count = (size_t)t->nv; /* diagonal ones */
  for (int a = 0; a < f->nrow_block; ++a) {
    size_t edges = (size_t)(f->first_edge[a + 1] - f->first_edge[a]);
    count += edges * edges;
  }
  nsds_status status = NSDS_ENSURE(context, t->block, t->block_capacity, count);
  if (status) return status;
  count = 0;
  for (int c = 0; c < t->nv; c += t->size[c]) t->block[count++] = (nsds_velocity_block){c, c, 0};
  for (int a = 0; a < f->nrow_block; ++a)
    for (int j = f->first_edge[a]; j < f->first_edge[a + 1]; ++j)
      for (int i = f->first_edge[a]; i < f->first_edge[a + 1]; ++i)
        if (i != j)
          t->block[count++] =
              (nsds_velocity_block){t->place[f->edge[j].column], t->place[f->edge[i].column], 0};
  if (count > 0) qsort(t->block, count, sizeof *t->block, compare);
  t->nblock = 0;
  for (size_t k = 0; k < count; ++k)
    if (k == 0 || compare(&t->block[k], &t->block[k - 1]) != 0) t->block[t->nblock++] = t->block[k];
  return NSDS_OK;
}

/* Columns of the blocks; their entries in *entries. */
static double entries(nsds_velocity_system *t) {
  double sum = 0.0;
  for (int k = 0, offset = 0; k < t->nblock; ++k) {
    nsds_velocity_block *b = &t->block[k];
    if (k == 0 || b->column != b[-1].column) offset = 0;
    b->offset = offset;
    offset += t->size[b->row];
    sum += (double)t->size[b->row] * t->size[b->column];
  }
  return sum;
}

static void make_pattern(nsds_velocity_system *t) {
  int count = 0;
  for (int first = 0, last; first < t->nblock; first = last) {
    int column = t->block[first].column;
    for (last = first; last < t->nblock && t->block[last].column == column;) ++last;
    for (int c = column; c < column + t->size[column]; ++c) {
      t->p[c] = count;
      for (int k = first; k < last; ++k)
        for (int i = 0; i < t->size[t->block[k].row]; ++i) t->i[count++] = t->block[k].row + i;
    }
  }
  t->p[t->nv] = count;
  ++t->pattern;
}

nsds_status nsds_velocity_system_reserve(nsds_velocity_system *t, nsds_context *context,
                                         const nsds_sweeps *sweeps, size_t count) {
  nsds_status status;
  size_t ncolumn = (size_t)sweeps->factored->ncolumn, n = (size_t)sweeps->problem->n;
  t->sweeps = sweeps;
  if (!t->factor && !(t->factor = nsds_factor_create(context))) return NSDS_ERROR_MEMORY;
  if ((status = NSDS_ENSURE(context, t->place, t->place_capacity, ncolumn)) ||
      (status = NSDS_ENSURE(context, t->size, t->size_capacity, ncolumn)) ||
      (status = NSDS_ENSURE(context, t->scale, t->scale_capacity, ncolumn)) ||
      (status = NSDS_ENSURE(context, t->v, t->v_capacity, ncolumn)) ||
      (status = NSDS_ENSURE(context, t->C, t->C_capacity, count)) ||
      (status = NSDS_ENSURE(context, t->K, t->K_capacity, count)) ||
      (status = NSDS_ENSURE(context, t->k, t->k_capacity, n)))
    return status;
  number(t);
  scale(t);
  if ((status = list_blocks(t, context))) return status;
  double nonzero = entries(t), full = (double)t->nv * t->nv;
  t->dense = t->nv <= small_rows || (t->nv <= nsds_dense_limit && dense_fraction * nonzero >= full);
  if ((status = NSDS_ENSURE(context, t->x, t->x_capacity, t->dense ? full : nonzero)))
    return status;
  if (t->dense) return nsds_factor_reserve_dense(t->factor, t->nv);
  if ((status = NSDS_ENSURE(context, t->p, t->p_capacity, t->nv + 1)) ||
      (status = NSDS_ENSURE(context, t->i, t->i_capacity, nonzero)))
    return status;
  make_pattern(t);
  return nsds_factor_reserve_csc(t->factor, t->nv);
}

void nsds_velocity_system_release(nsds_velocity_system *t, nsds_context *context) {
  nsds_factor_destroy(t->factor);
  void *memory[] = {t->place, t->size, t->scale, t->C, t->K, t->k,
                    t->block, t->p,    t->i,     t->x, t->v};
  for (size_t k = 0; k < sizeof memory / sizeof *memory; ++k) nsds_release(context, memory[k]);
}

/* ---- entries ---- */

/* Where the block begins in its first column, and from one column to the next. */
static double *find(nsds_velocity_system *t, int row, int column, size_t *stride) {
  if (t->dense) {
    *stride = (size_t)t->nv;
    return t->x + (size_t)row + (size_t)column * *stride;
  }
  const nsds_velocity_block wanted = {column, row, 0},
                            *b = bsearch(&wanted, t->block, (size_t)t->nblock, sizeof wanted,
                                         compare);
  *stride = (size_t)(t->p[column + 1] - t->p[column]);
  return t->x + t->p[column] + b->offset;
}

/* C^-1 and K = C^-1 B of a unit. */
static bool eliminate(const nsds_linearised *at, const nsds_unit *unit, unit_edges edges, int first,
                      double *inverse, double *K) {
  double C[most * most];
  int m = unit->block.size, row = unit->row, pivot[most];
  const double *A = at->A + first, *B = at->B + first;
  memcpy(C, A, (size_t)(m * m) * sizeof *C);
  memcpy(K, B, (size_t)(m * m) * sizeof *K);
  for (int j = 0; j < m; ++j)
    for (int i = 0; i < m; ++i)
      C[i + j * m] += B[i + j * m] * at->e / (at->root[row + j] * at->root[row + j]);
  for (int j = 0; edges.D && j < m; ++j)
    for (int l = 0; l < m; ++l) {
      double d = edges.D[edges.offset + l + (edges.offset + j) * edges.rows];
      for (int i = 0; i < m; ++i) C[i + j * m] += B[i + l * m] * d;
    }
  if (!nsds_small_lu(m, C, pivot)) return false;
  for (int j = 0; j < m; ++j) {
    for (int i = 0; i < m; ++i) inverse[i + j * m] = i == j;
    nsds_small_lu_solve(m, C, pivot, inverse + j * m);
    nsds_small_lu_solve(m, C, pivot, K + j * m);
  }
  return true;
}

/* Y K H of a pair of edges, scaled. */
static void add_pair(nsds_velocity_system *t, const nsds_edge *left, const nsds_edge *right,
                     unit_edges edges, int m, const double *K) {
  int row = t->place[left->column], column = t->place[right->column];
  size_t stride;
  double *x = find(t, row, column, &stride);
  for (int c = 0; c < right->size; ++c) {
    double y[most] = {0.0};
    const double *H = right->H + edges.offset + c * edges.rows;
    for (int j = 0; j < m; ++j)
      for (int i = 0; i < m; ++i) y[i] += K[i + j * m] * H[j];
    for (int j = 0; j < m; ++j) {
      double factor = t->scale[column + c] * y[j];
      const double *Y = left->Y + (edges.offset + j) * left->size;
      for (int i = 0; i < left->size; ++i)
        x[(size_t)i + (size_t)c * stride] += Y[i] / t->scale[row + i] * factor;
    }
  }
}

nsds_status nsds_velocity_system_factor(nsds_velocity_system *t, const nsds_linearised *at) {
  const nsds_sweeps *s = t->sweeps;
  size_t count = t->dense ? (size_t)t->nv * (size_t)t->nv : (size_t)t->p[t->nv], stride;
  if (count > 0) memset(t->x, 0, count * sizeof *t->x);
  for (int c = 0; c < t->nv; c += t->size[c]) {
    double *x = find(t, c, c, &stride);
    for (int i = 0; i < t->size[c]; ++i) x[(size_t)i * (stride + 1)] = 1.0;
  }
  for (int a = 0; a < s->nunit; ++a) {
    const nsds_unit *unit = &s->unit[a];
    unit_edges edges = edges_of(s, unit);
    double *K = t->K + at->first[a];
    if (!eliminate(at, unit, edges, at->first[a], t->C + at->first[a], K))
      return NSDS_ERROR_SINGULAR;
    for (const nsds_edge *right = edges.first; right < edges.end; ++right)
      for (const nsds_edge *left = edges.first; left < edges.end; ++left)
        add_pair(t, left, right, edges, unit->block.size, K);
  }
  if (t->nv == 0) return NSDS_OK;
  return t->dense ? nsds_factor_dense(t->factor, t->nv, t->x)
                  : nsds_factor_csc(t->factor, t->nv, t->p, t->i, t->x, t->pattern);
}

/* ---- solution ---- */

void nsds_velocity_system_solve(nsds_velocity_system *t, const nsds_linearised *at, double *d) {
  const nsds_sweeps *s = t->sweeps;
  for (int c = 0; c < t->nv; ++c) t->v[c] = 0.0;
  for (int a = 0; a < s->nunit; ++a) {
    unit_edges edges = edges_of(s, &s->unit[a]);
    int m = s->unit[a].block.size, row = s->unit[a].row;
    for (int i = 0; i < m; ++i) t->k[row + i] = 0.0;
    nsds_add_product(m, m, t->C + at->first[a], m, at->phi + row, t->k + row);
    for (const nsds_edge *e = edges.first; e < edges.end; ++e)
      for (int j = 0; j < s->unit[a].block.size; ++j)
        for (int c = 0, first = t->place[e->column]; c < e->size; ++c)
          t->v[first + c] -= e->Y[c + (edges.offset + j) * e->size] * t->k[s->unit[a].row + j] /
                             t->scale[first + c];
  }
  if (t->nv > 0) nsds_factor_solve(t->factor, 1, t->v);
  for (int c = 0; c < t->nv; ++c) t->v[c] *= t->scale[c];
  for (int a = 0; a < s->nunit; ++a) {
    const nsds_unit *unit = &s->unit[a];
    unit_edges edges = edges_of(s, unit);
    int m = unit->block.size;
    double w[most] = {0.0};
    for (const nsds_edge *e = edges.first; e < edges.end; ++e)
      for (int c = 0; c < e->size; ++c)
        for (int i = 0; i < m; ++i)
          w[i] += e->H[edges.offset + i + c * edges.rows] * t->v[t->place[e->column] + c];
    const double *K = t->K + at->first[a];
    for (int i = 0; i < m; ++i) d[unit->row + i] = -t->k[unit->row + i];
    for (int j = 0; j < m; ++j)
      for (int i = 0; i < m; ++i) d[unit->row + i] -= K[i + j * m] * w[j];
  }
}
