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
  double *M = s->M;
  for (int a = 0; !status && a < s->nunit; ++a) {
    nsds_unit *unit = &s->unit[a];
    int m = unit->block.size;
    own_block(s, a, M);
    for (int i = 0; i < m; ++i) M[i + i * m] += regularization * fabs(M[i + i * m]);
    nsds_local_prepare(&unit->local, &unit->block, M);
    M += m * m;
  }
  return status;
}

/* ---- assembled: block columns ---- */

static nsds_status list_columns(nsds_sweeps *s, nsds_context *context) {
  const nsds_block_rows *B = s->rows;
  int nb = s->nunit, blocks = B->first[nb];
  nsds_status status;
  if ((status = NSDS_ENSURE(context, s->first, s->first_capacity, nb + 2)) ||
      (status = NSDS_ENSURE(context, s->row_block, s->row_block_capacity, blocks)) ||
      (status = NSDS_ENSURE(context, s->value, s->value_capacity, blocks)))
    return status;
  int *next = s->first + 1; /* counts, shifted by one more so that filling ends with the starts */
  memset(s->first, 0, ((size_t)nb + 2) * sizeof *s->first);
  for (int k = 0; k < blocks; ++k) ++s->first[B->column[k] + 2];
  for (int b = 0; b < nb; ++b) s->first[b + 2] += s->first[b + 1];
  for (int a = 0; a < nb; ++a)
    for (int k = B->first[a]; k < B->first[a + 1]; ++k) {
      int place = next[B->column[k]]++;
      s->row_block[place] = a;
      s->value[place] = B->x + B->start[k];
    }
  return NSDS_OK;
}

/* Block row a holds what block column a does, side by side in memory. */
static nsds_status use_rows_as_columns(nsds_sweeps *s, nsds_context *context) {
  const nsds_block_rows *B = s->rows;
  size_t blocks = (size_t)B->first[s->nunit];
  nsds_status status;
  if ((status = NSDS_ENSURE(context, s->first, s->first_capacity, s->nunit + 1)) ||
      (status = NSDS_ENSURE(context, s->row_block, s->row_block_capacity, blocks)) ||
      (status = NSDS_ENSURE(context, s->value, s->value_capacity, blocks)))
    return status;
  memcpy(s->first, B->first, ((size_t)s->nunit + 1) * sizeof *s->first);
  memcpy(s->row_block, B->column, blocks * sizeof *s->row_block);
  for (size_t k = 0; k < blocks; ++k) s->value[k] = B->x + B->start[k];
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
  s->ny = free_of_matrix ? s->factored->ncolumn : problem->n;
  if (!free_of_matrix) {
    status = nsds_form_block_rows(solver, problem, s->nunit, s->cut, &s->rows);
    if (!status) status = (problem->M.symmetric ? use_rows_as_columns : list_columns)(s, context);
  }
  return status ? status : prepare_units(s, context, regularization);
}

void nsds_sweeps_release(nsds_sweeps *s, nsds_context *context) {
  void *memory[] = {s->unit, s->cut, s->first, s->row_block, s->value, s->M};
  for (size_t k = 0; k < sizeof memory / sizeof *memory; ++k) nsds_release(context, memory[k]);
}

/* ---- y ---- */

void nsds_sweeps_refresh(const nsds_sweeps *s, const double *z, double *y, double *work) {
  const nsds_factored *f = s->factored;
  if (!f) {
    nsds_problem_multiply(s->problem, z, y, work);
    return;
  }
  memset(y, 0, (size_t)f->ncolumn * sizeof *y);
  for (int a = 0; a < f->nrow_block; ++a)
    for (int k = f->first_edge[a]; k < f->first_edge[a + 1]; ++k) {
      const nsds_edge *e = &f->edge[k];
      nsds_add_product(e->size, f->row[a + 1] - f->row[a], e->Y, z + f->row[a], y + e->column);
    }
}

void nsds_sweeps_w(const nsds_sweeps *s, int a, const double *z, const double *y, double *w) {
  const nsds_unit *unit = &s->unit[a];
  int m = unit->block.size, b = unit->owner;
  const nsds_factored *f = s->factored;
  int mb = f->row[b + 1] - f->row[b], offset = unit->row - f->row[b];
  for (int i = 0; i < m; ++i) w[i] = s->problem->q[unit->row + i];
  for (int k = f->first_edge[b]; k < f->first_edge[b + 1]; ++k) {
    const nsds_edge *e = &f->edge[k];
    for (int c = 0; c < e->size; ++c)
      for (int i = 0; i < m; ++i) w[i] += e->H[offset + i + c * mb] * y[e->column + c];
  }
  if (!f->D || !f->D[b]) return;
  for (int c = 0; c < mb; ++c)
    for (int i = 0; i < m; ++i) w[i] += f->D[b][offset + i + c * mb] * z[f->row[b] + c];
}

/* y += X change or X^T change, 3 x 3: unrolled, since most blocks are these. */
static void add_three(const double *x, bool transposed, const double *c, double *w) {
  double c0 = c[0], c1 = c[1], c2 = c[2];
  if (transposed)
    for (int i = 0; i < 3; ++i) w[i] += x[3 * i] * c0 + x[3 * i + 1] * c1 + x[3 * i + 2] * c2;
  else
    for (int i = 0; i < 3; ++i) w[i] += x[i] * c0 + x[i + 3] * c1 + x[i + 6] * c2;
}

static void add_block(int mb, int m, const double *x, bool transposed, const double *c, double *w) {
  if (transposed) {
    for (int i = 0; i < mb; ++i)
      for (int j = 0; j < m; ++j) w[i] += x[j + i * m] * c[j];
  } else {
    nsds_add_product(mb, m, x, c, w);
  }
}

static void change_assembled(const nsds_sweeps *s, int a, const double *change, double *y) {
  int m = s->unit[a].block.size;
  bool transposed = s->problem->M.symmetric;
  for (int k = s->first[a]; k < s->first[a + 1]; ++k) {
    int b = s->row_block[k], mb = s->cut[b + 1] - s->cut[b];
    double *w = y + s->cut[b];
    if (m == 3 && mb == 3) add_three(s->value[k], transposed, change, w);
    else add_block(mb, m, s->value[k], transposed, change, w);
  }
}

void nsds_sweeps_change(const nsds_sweeps *s, int a, const double *change, double *y) {
  const nsds_unit *unit = &s->unit[a];
  const nsds_factored *f = s->factored;
  if (!f) {
    change_assembled(s, a, change, y);
    return;
  }
  int b = unit->owner, offset = unit->row - f->row[b];
  for (int k = f->first_edge[b]; k < f->first_edge[b + 1]; ++k) {
    const nsds_edge *e = &f->edge[k];
    for (int i = 0; i < unit->block.size; ++i)
      for (int c = 0; c < e->size; ++c)
        y[e->column + c] += e->Y[c + (offset + i) * e->size] * change[i];
  }
}
