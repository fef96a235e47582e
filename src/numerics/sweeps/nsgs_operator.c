/*
 * Units of the block Gauss-Seidel method and the operator under their changes.
 */
#include "matrix.h"
#include "nsgs.h"

enum { most_equalities = 6 }; /* equality blocks up to this size are units, larger ones are cut */

/* ---- units ---- */

static bool is_cut(const nsds_block *block) {
  switch (block->set) {
  case NSDS_SET_EQUALITY: return block->size > most_equalities;
  case NSDS_SET_NONNEGATIVE:
  case NSDS_SET_BOX: return true;
  default: return false;
  }
}

static int count_units(const nsds_problem *problem) {
  int count = 0;
  for (int a = 0; a < problem->nblock; ++a)
    if (problem->block[a].size > 0)
      count += is_cut(&problem->block[a]) ? problem->block[a].size : 1;
  return count;
}

static nsds_unit unit_of(const nsds_block *block, int row, int i) {
  nsds_unit unit = {.block = *block, .row = row + i};
  if (is_cut(block)) unit.block.size = 1;
  if (block->set == NSDS_SET_BOX) {
    unit.block.lower += i;
    unit.block.upper += i;
  }
  return unit;
}

static void list_units(nsds_sweeps *s) {
  const nsds_problem *problem = s->problem;
  int count = 0;
  for (int a = 0, row = 0; a < problem->nblock; row += problem->block[a++].size)
    for (int i = 0; i < problem->block[a].size; i += s->unit[count++].block.size)
      s->unit[count] = unit_of(&problem->block[a], row, i);
  for (int a = 0; a < count; ++a) s->cut[a] = s->unit[a].row;
  s->cut[count] = problem->n;
}

/* True when every unit lies in one block row of the factored operator. */
static bool find_owners(nsds_sweeps *s) {
  const nsds_factored *f = s->problem->M.factored;
  for (int a = 0, b = 0; a < s->nunit; ++a) {
    nsds_unit *unit = &s->unit[a];
    while (unit->row >= f->row[b + 1]) ++b;
    if (unit->row + unit->block.size > f->row[b + 1]) return false;
    unit->owner = b;
  }
  return true;
}

/* ---- the units' own parts of M ---- */

/* Rows and columns i .. i + m - 1 of block (b, b) of the factored operator. */
static void factored_diagonal(const nsds_factored *f, int b, int i, int m, double *M) {
  int mb = f->row[b + 1] - f->row[b];
  for (int c = 0; c < m; ++c)
    for (int r = 0; r < m; ++r) {
      double sum = f->D && f->D[b] ? f->D[b][i + r + (i + c) * mb] : 0.0;
      for (int k = f->first_edge[b]; k < f->first_edge[b + 1]; ++k) {
        const nsds_edge *e = &f->edge[k];
        for (int l = 0; l < e->size; ++l) sum += e->H[i + r + l * mb] * e->Y[l + (i + c) * e->size];
      }
      M[r + c * m] = sum;
    }
}

static const double *assembled_diagonal(const nsds_block_rows *B, int a) {
  for (int k = B->first[a]; k < B->first[a + 1]; ++k)
    if (B->column[k] == a) return B->x + B->start[k];
  return NULL;
}

static void own_block(const nsds_sweeps *s, int a, double *M) {
  const nsds_unit *unit = &s->unit[a];
  int m = unit->block.size;
  if (s->factored) {
    factored_diagonal(s->factored, unit->owner, unit->row - s->factored->row[unit->owner], m, M);
    return;
  }
  const double *assembled = assembled_diagonal(s->rows, a);
  if (assembled) memcpy(M, assembled, (size_t)(m * m) * sizeof *M);
  else memset(M, 0, (size_t)(m * m) * sizeof *M);
}

static nsds_status prepare_units(nsds_sweeps *s, nsds_context *context, double regularization) {
  size_t count = 0;
  for (int a = 0; a < s->nunit; ++a)
    count += (size_t)s->unit[a].block.size * (size_t)s->unit[a].block.size;
  nsds_status status = NSDS_ENSURE(context, s->M, s->M_capacity, count);
  if (!status) status = NSDS_ENSURE(context, s->extra, s->extra_capacity, s->problem->n);
  double *M = s->M;
  for (int a = 0; !status && a < s->nunit; ++a) {
    nsds_unit *unit = &s->unit[a];
    int m = unit->block.size;
    own_block(s, a, M);
    for (int i = 0; i < m; ++i) {
      s->extra[unit->row + i] = regularization * fabs(M[i + i * m]);
      M[i + i * m] += s->extra[unit->row + i];
    }
    nsds_local_prepare(&unit->local, &unit->block, M);
    M += m * m;
  }
  return status;
}

/* ---- assembled: the rest of each block row ---- */

static size_t count_stream(const nsds_sweeps *s) {
  const nsds_block_rows *B = s->rows;
  size_t count = 0;
  for (int a = 0; a < s->nunit; ++a) {
    size_t columns = 0;
    for (int k = B->first[a]; k < B->first[a + 1]; ++k)
      if (B->column[k] != a) columns += (size_t)s->unit[B->column[k]].block.size;
    count += columns * (size_t)s->unit[a].block.size;
  }
  return count;
}

static nsds_status list_rows(nsds_sweeps *s, nsds_context *context) {
  const nsds_block_rows *B = s->rows;
  int nb = s->nunit, count = 0;
  size_t blocks = nsds_form_room(s->problem, (size_t)B->first[nb], (size_t)nb * (size_t)nb);
  size_t n = (size_t)s->problem->n, length = nsds_form_room(s->problem, count_stream(s), n * n);
  nsds_status status;
  if ((status = NSDS_ENSURE(context, s->first, s->first_capacity, nb + 1)) ||
      (status = NSDS_ENSURE(context, s->other, s->other_capacity, blocks)) ||
      (status = NSDS_ENSURE(context, s->start, s->start_capacity, nb)) ||
      (status = NSDS_ENSURE(context, s->stream, s->stream_capacity, length + 1)))
    return status;
  double *next = s->stream;
  s->first[0] = 0;
  for (int a = 0; a < nb; ++a) {
    s->start[a] = (size_t)(next - s->stream);
    for (int k = B->first[a]; k < B->first[a + 1]; ++k) {
      int b = B->column[k];
      if (b == a) continue;
      size_t values = (size_t)s->unit[a].block.size * (size_t)s->unit[b].block.size;
      memcpy(next, B->x + B->start[k], values * sizeof *next);
      next += values;
      s->other[count++] = (nsds_span){s->unit[b].row, s->unit[b].block.size};
    }
    s->first[a + 1] = count;
  }
  *next = 0.0;
  return NSDS_OK;
}

nsds_status nsds_sweeps_open(nsds_sweeps *s, nsds_solver *solver, const nsds_problem *problem,
                             double regularization) {
  nsds_context *context = solver->context;
  nsds_status status;
  s->problem = problem;
  s->nunit = count_units(problem);
  if ((status = NSDS_ENSURE(context, s->unit, s->unit_capacity, s->nunit)) ||
      (status = NSDS_ENSURE(context, s->cut, s->cut_capacity, s->nunit + 1)))
    return status;
  list_units(s);
  bool free_of_matrix = problem->M.storage == NSDS_FACTORED && find_owners(s);
  s->factored = free_of_matrix ? problem->M.factored : NULL;
  s->rows = NULL;
  s->ny = free_of_matrix ? s->factored->ncolumn : 0;
  if (!free_of_matrix) {
    status = nsds_form_block_rows(solver, problem, s->nunit, s->cut, &s->rows);
    if (!status) status = list_rows(s, context);
  }
  if (!status) status = nsds_sweeps_pack(s, context);
  return status ? status : prepare_units(s, context, regularization);
}

void nsds_sweeps_release(nsds_sweeps *s, nsds_context *context) {
  void *memory[] = {s->unit, s->cut,   s->first, s->other,  s->start, s->stream,
                    s->M,    s->extra, s->pack,  s->pack_Y, s->root};
  for (size_t k = 0; k < sizeof memory / sizeof *memory; ++k) nsds_release(context, memory[k]);
}

/* ---- y ---- */

void nsds_sweeps_refresh(const nsds_sweeps *s, const double *z, double *y) {
  const nsds_factored *f = s->factored;
  if (!f) return;
  memset(y, 0, (size_t)s->ny * sizeof *y);
  if (s->npack == f->nrow_block) {
    for (int a = 0; a < s->nunit; ++a) nsds_sweeps_add_pack(s, a, z + s->unit[a].row, y);
    return;
  }
  for (int a = 0; a < f->nrow_block; ++a)
    for (int k = f->first_edge[a]; k < f->first_edge[a + 1]; ++k) {
      const nsds_edge *e = &f->edge[k];
      nsds_add_product(e->size, f->row[a + 1] - f->row[a], e->Y, e->size, z + f->row[a],
                       y + e->column);
    }
}

/* Y times three changes, each y read and written once. */
static void change_three(const nsds_edge *e, const double *change, double *y) {
  double d0 = change[0], d1 = change[1], d2 = change[2];
  const double *Y0 = e->Y, *Y1 = Y0 + e->size, *Y2 = Y1 + e->size;
  y += e->column;
  for (int c = 0; c < e->size; ++c) y[c] = y[c] + Y0[c] * d0 + Y1[c] * d1 + Y2[c] * d2;
}

void nsds_sweeps_change(const nsds_sweeps *s, int a, const double *change, double *y) {
  const nsds_unit *unit = &s->unit[a];
  const nsds_factored *f = s->factored;
  if (!f) return;
  if (unit->pack >= 0) {
    nsds_sweeps_add_pack(s, a, change, y);
    return;
  }
  int b = unit->owner, offset = unit->row - f->row[b];
  if (unit->block.size == 3 && offset == 0) {
    for (int k = f->first_edge[b]; k < f->first_edge[b + 1]; ++k)
      change_three(&f->edge[k], change, y);
    return;
  }
  for (int k = f->first_edge[b]; k < f->first_edge[b + 1]; ++k) {
    const nsds_edge *e = &f->edge[k];
    for (int i = 0; i < unit->block.size; ++i)
      for (int c = 0; c < e->size; ++c)
        y[e->column + c] += e->Y[c + (offset + i) * e->size] * change[i];
  }
}

/* ---- the rest of one unit ---- */

/* w = H y + D z + q of unit a, less its own part. */
static void rest_factored(const nsds_sweeps *s, int a, const double *z, const double *y,
                          double *rest) {
  const nsds_unit *unit = &s->unit[a];
  int m = unit->block.size, b = unit->owner;
  const nsds_factored *f = s->factored;
  int mb = f->row[b + 1] - f->row[b], offset = unit->row - f->row[b];
  const double *M = unit->local.M, *own = z + unit->row;
  for (int k = f->first_edge[b]; k < f->first_edge[b + 1]; ++k) {
    const nsds_edge *e = &f->edge[k];
    for (int c = 0; c < e->size; ++c)
      for (int i = 0; i < m; ++i) rest[i] += e->H[offset + i + c * mb] * y[e->column + c];
  }
  for (int c = 0; f->D && f->D[b] && c < mb; ++c)
    for (int i = 0; i < m; ++i) rest[i] += f->D[b][offset + i + c * mb] * z[f->row[b] + c];
  for (int j = 0; j < m; ++j)
    for (int i = 0; i < m; ++i) rest[i] -= M[i + j * m] * own[j];
}

/* The same of a block of three rows without D, sums in registers. */
static void rest_factored_three(const nsds_sweeps *s, int a, const double *z, const double *y,
                                double *rest) {
  const nsds_unit *unit = &s->unit[a];
  const nsds_factored *f = s->factored;
  const double *M = unit->local.M, *own = z + unit->row;
  double r0 = rest[0], r1 = rest[1], r2 = rest[2];
  for (const nsds_edge *e = f->edge + f->first_edge[unit->owner],
                       *end = f->edge + f->first_edge[unit->owner + 1];
       e < end; ++e) {
    const double *H = e->H, *x = y + e->column;
    for (int c = 0; c < e->size; ++c, H += 3) {
      r0 += H[0] * x[c];
      r1 += H[1] * x[c];
      r2 += H[2] * x[c];
    }
  }
  for (int j = 0; j < 3; ++j, M += 3) {
    r0 -= M[0] * own[j];
    r1 -= M[1] * own[j];
    r2 -= M[2] * own[j];
  }
  rest[0] = r0, rest[1] = r1, rest[2] = r2;
}

static void rest_any(const nsds_sweeps *s, int a, const double *z, double *rest) {
  int m = s->unit[a].block.size, own = s->unit[a].row;
  const double *x = s->stream + s->start[a];
  for (int i = 0; i < m; ++i) rest[i] = s->problem->q[own + i] - s->extra[own + i] * z[own + i];
  for (int k = s->first[a]; k < s->first[a + 1]; ++k) {
    nsds_span other = s->other[k];
    nsds_add_product(m, other.columns, x, m, z + other.row, rest);
    x += m * other.columns;
  }
}

#if defined(__GNUC__)
#define FOUR(x) (*(const nsds_four *)(x)) /* of which the last belongs to the next column */

enum { ahead = 288 }; /* values: what the next contacts need arrives while this one is solved */

/* Three rows against columns of the stream, one sum for each place of a column in its block: what
 * most of the time of a solve is spent on. */
NSDS_CLONES static void rest_three(const nsds_sweeps *s, int a, const double *z, double *rest) {
  int own = s->cut[a];
  const double *q = s->problem->q + own, *extra = s->extra + own;
  nsds_four sum0 = {0.0}, sum1 = {0.0}, sum2 = {0.0};
  const double *x = s->stream + s->start[a];
  for (int k = s->first[a]; k < s->first[a + 1]; ++k) {
    nsds_span other = s->other[k];
    const double *zb = z + other.row;
    if (other.columns == 3) {
      sum0 += FOUR(x) * zb[0];
      sum1 += FOUR(x + 3) * zb[1];
      sum2 += FOUR(x + 6) * zb[2];
    } else {
      for (int j = 0; j < other.columns; ++j) sum0 += FOUR(x + 3 * j) * zb[j];
    }
    __builtin_prefetch(x + ahead);
    x += 3 * other.columns;
  }
  sum0 += sum1 + sum2;
  for (int i = 0; i < 3; ++i) rest[i] = q[i] - extra[i] * z[own + i] + sum0[i];
}
#else
#define rest_three rest_any
#endif

void nsds_sweeps_rest(const nsds_sweeps *s, int a, const double *z, const double *y, double *rest) {
  const nsds_unit *unit = &s->unit[a];
  int m = unit->block.size;
  if (!s->factored) {
    (m == 3 ? rest_three : rest_any)(s, a, z, rest);
    return;
  }
  if (unit->pack >= 0) {
    nsds_sweeps_rest_pack(s, a, z + unit->row, y, rest);
    return;
  }
  for (int i = 0; i < m; ++i) rest[i] = s->problem->q[unit->row + i];
  const nsds_factored *f = s->factored;
  int b = unit->owner;
  bool three = m == 3 && f->row[b + 1] - f->row[b] == 3 && !(f->D && f->D[b]);
  (three ? rest_factored_three : rest_factored)(s, a, z, y, rest); /* its own part is regularised */
}
