/*
 * Block rows of M cut where a block method wants them, built from the other storages and kept in
 * the toolbox while the stamp and the cuts stay the same.
 *
 * A block column is visited three times: to count the blocks in each block row, to number them, and
 * to write their values. What it meets comes from the graph of the factored operator where that is
 * cut in the same places, else from the columns of the CSC form.
 */
#include "matrix.h"
#include "solver_internal.h"

/* Where the blocks of one block column come from; arrays of `work`. */
typedef struct source {
  int nrow_block;
  const int *row;
  const nsds_csc_form *csc; /* or NULL: graph */
  nsds_graph graph;
  int *block_of; /* n: block row of a row; CSC */
  int *mark;     /* nrow_block: last block column that met it; CSC */
  int *met;      /* nrow_block: block rows met */
  int *next;     /* nrow_block: next block of each row; then the offset of its values */
} source;

static int meet_csc(source *s, int b) {
  const nsds_csc_form *f = s->csc;
  int nmet = 0;
  for (int k = f->p[s->row[b]]; k < f->p[s->row[b + 1]]; ++k) {
    int a = s->block_of[f->i[k]];
    if (s->mark[a] == b) continue;
    s->mark[a] = b;
    s->met[nmet++] = a;
  }
  return nmet;
}

/* Block rows met by block column b, in any order. */
static int meet(source *s, int b) {
  if (s->csc) return meet_csc(s, b);
  int length, nmet = nsds_graph_neighbours(&s->graph, b, &length);
  if (nmet > 0) memcpy(s->met, s->graph.met, (size_t)nmet * sizeof *s->met);
  nsds_graph_forget(&s->graph, nmet);
  return nmet;
}

static void values_from_csc(const source *s, int b, double *x) {
  const nsds_csc_form *f = s->csc;
  for (int j = s->row[b]; j < s->row[b + 1]; ++j)
    for (int k = f->p[j]; k < f->p[j + 1]; ++k) {
      int a = s->block_of[f->i[k]], m = s->row[a + 1] - s->row[a];
      x[s->next[a] + (f->i[k] - s->row[a]) + (j - s->row[b]) * m] = f->x[k];
    }
}

static void values_from_graph(const source *s, int b, double *x) {
  const nsds_graph *g = &s->graph;
  const nsds_factored *f = g->f;
  int mb = s->row[b + 1] - s->row[b];
  for (int kb = f->first_edge[b]; kb < f->first_edge[b + 1]; ++kb)
    for (int k = g->head[f->edge[kb].column]; k >= 0; k = g->next[k]) {
      const nsds_edge *ea = &f->edge[k], *eb = &f->edge[kb];
      int a = g->owner[k], ma = s->row[a + 1] - s->row[a];
      for (int j = 0; j < mb; ++j)
        nsds_add_product(ma, ea->size, ea->H, ma, eb->Y + (size_t)j * (size_t)eb->size,
                         x + s->next[a] + j * ma);
    }
  for (int k = 0; f->D && f->D[b] && k < mb * mb; ++k) x[s->next[b] + k] += f->D[b][k];
}

/* first, column and start; the number of values. */
static size_t number_blocks(source *s, nsds_block_form *form) {
  int nb = s->nrow_block;
  for (int a = 0; a < nb; ++a) form->first[a + 1] += form->first[a];
  if (nb > 0) memcpy(s->next, form->first, (size_t)nb * sizeof *s->next);
  for (int a = 0; s->csc && a < nb; ++a) s->mark[a] = -1;
  for (int b = 0; b < nb; ++b)
    for (int k = 0, nmet = meet(s, b); k < nmet; ++k) form->column[s->next[s->met[k]]++] = b;
  size_t count = 0;
  for (int a = 0; a < nb; ++a)
    for (int k = form->first[a]; k < form->first[a + 1]; ++k) {
      int b = form->column[k];
      form->start[k] = (int)count;
      count += (size_t)(s->row[a + 1] - s->row[a]) * (size_t)(s->row[b + 1] - s->row[b]);
    }
  return count;
}

static void write_values(source *s, nsds_block_form *form, int *unwritten) {
  int nb = s->nrow_block;
  if (nb > 0) memcpy(unwritten, form->first, (size_t)nb * sizeof *unwritten);
  for (int a = 0; s->csc && a < nb; ++a) s->mark[a] = -1;
  for (int b = 0; b < nb; ++b) {
    for (int k = 0, nmet = meet(s, b); k < nmet; ++k) {
      int a = s->met[k];
      s->next[a] = form->start[unwritten[a]++];
    }
    if (s->csc) values_from_csc(s, b, form->x);
    else values_from_graph(s, b, form->x);
  }
}

/* Room for the source's arrays in form->work. */
static nsds_status open_source(nsds_solver *solver, const nsds_problem *problem, source *s) {
  nsds_block_form *form = &solver->toolbox->blocks;
  size_t nb = (size_t)s->nrow_block, n = (size_t)problem->n, graph = 0;
  const nsds_factored *f = problem->M.factored;
  bool direct = problem->M.storage == NSDS_FACTORED && f->nrow_block == s->nrow_block &&
                memcmp(f->row, s->row, (nb + 1) * sizeof *s->row) == 0;
  nsds_status status = NSDS_OK;
  if (direct) graph = nsds_graph_work(f);
  else status = nsds_form_csc(solver, problem, &s->csc);
  if (!status)
    status = NSDS_ENSURE(solver->context, form->work, form->work_capacity, n + 4 * nb + graph);
  if (status) return status;
  s->block_of = form->work;
  s->mark = s->block_of + n;
  s->met = s->mark + nb;
  s->next = s->met + nb;
  if (direct) s->graph = nsds_graph_create(f, s->next + 2 * nb);
  for (int a = 0; s->csc && a < s->nrow_block; ++a) {
    s->mark[a] = -1;
    for (int i = s->row[a]; i < s->row[a + 1]; ++i) s->block_of[i] = a;
  }
  return NSDS_OK;
}

static nsds_status build(nsds_solver *solver, const nsds_problem *problem, source *s) {
  nsds_context *context = solver->context;
  nsds_block_form *form = &solver->toolbox->blocks;
  size_t nb = (size_t)s->nrow_block, count;
  nsds_status status = open_source(solver, problem, s);
  if (status) return status;
  if ((status = NSDS_ENSURE(context, form->row, form->row_capacity, nb + 1)) ||
      (status = NSDS_ENSURE(context, form->first, form->first_capacity, nb + 1)))
    return status;
  memcpy(form->row, s->row, (nb + 1) * sizeof *form->row);
  memset(form->first, 0, (nb + 1) * sizeof *form->first);
  for (int b = 0; b < s->nrow_block; ++b)
    for (int k = 0, nmet = meet(s, b); k < nmet; ++k) ++form->first[s->met[k] + 1];
  size_t blocks = 0;
  for (size_t a = 0; a < nb; ++a) blocks += (size_t)form->first[a + 1];
  size_t room = nsds_form_room(problem, blocks, nb * nb);
  if ((status = NSDS_ENSURE(context, form->column, form->column_capacity, room)) ||
      (status = NSDS_ENSURE(context, form->start, form->start_capacity, room)))
    return status;
  count = number_blocks(s, form);
  if (count > INT32_MAX)
    return nsds_fail(
        context, NSDS_ERROR_SIZE,
        "nsds_solve: the block rows of M would hold %zu values; at most %d are possible", count,
        INT32_MAX);
  room = nsds_form_room(problem, count, (size_t)problem->n * (size_t)problem->n);
  if ((status = NSDS_ENSURE(context, form->x, form->x_capacity, room))) return status;
  if (count > 0) memset(form->x, 0, count * sizeof *form->x);
  write_values(s, form, s->next + nb);
  form->rows =
      (nsds_block_rows){s->nrow_block, form->row, form->first, form->column, form->start, form->x};
  return NSDS_OK;
}

static bool same_cuts(const nsds_block_rows *B, int nrow_block, const int *row) {
  return B->nrow_block == nrow_block &&
         memcmp(B->row, row, ((size_t)nrow_block + 1) * sizeof *row) == 0;
}

nsds_status nsds_form_block_rows(nsds_solver *solver, const nsds_problem *problem, int nrow_block,
                                 const int *row, const nsds_block_rows **result) {
  nsds_block_form *form = &solver->toolbox->blocks;
  uint64_t stamp = problem->M.stamp;
  if (problem->M.storage == NSDS_BLOCK_ROWS && same_cuts(problem->M.blocks, nrow_block, row)) {
    *result = problem->M.blocks;
    return NSDS_OK;
  }
  *result = &form->rows;
  if (form->stamp != 0 && form->stamp == stamp && same_cuts(&form->rows, nrow_block, row))
    return NSDS_OK;
  form->stamp = 0;
  source s = {.nrow_block = nrow_block, .row = row};
  nsds_status status = build(solver, problem, &s);
  if (!status) form->stamp = stamp;
  return status;
}
