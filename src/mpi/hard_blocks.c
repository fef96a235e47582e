/*
 * If neither sweeps nor Newton's method solve a problem, then mostly a few contacts change their states again
 * and again. So one process gets these blocks, and blocks around them:
 *
 *     worst      blocks whose error is at least a part of the largest error,
 *                ||z_a - P_C(z_a - R (w_a + s(w_a)))|| in the metric R, beside the terms of w_a
 *     neighbors  blocks that meet a column of chosen blocks, again and again up to `most` rows
 *
 * This process solves them by the method `auto`. z of all other blocks is held. The choice follows from the point
 * alone, whatever process a block is on.
 */
#include "mpi/hard_blocks.h"

#include "mpi/gather.h"
#include "numerics/sets/sets.h"

#include <math.h>
#include <nsds/extend.h>
#include <string.h>

static const double parts[] = {0.01, 0.1, 0.9}; /* of the largest error */
static const double finer = 0.1;                /* tolerance of the chosen blocks */

typedef struct hard_blocks {
  nsds_friction *t;
  bool *chosen;
  double *error, *w, *near; /* blocks, n, ncolumn */
} hard_blocks;

/* Computes w = M z + q and errors of all blocks, and the largest error. */
static double find_errors(hard_blocks *h, const double *z, const double *terms) {
  nsds_friction *t = h->t;
  const nsds_problem *p = &t->whole->problem;
  double most = 0.0;
  nsds_friction_columns(t, z, t->y);
  for (int a = 0; a < p->nblock; ++a) {
    const nsds_block *b = &p->block[a];
    int row = t->f->row[a], m = b->size;
    double *w = h->w + row, x[nsds_friction_rows], top = 0.0, size = 0.0;
    nsds_friction_product(t, a, z, t->y, w);
    for (int i = 0; i < m; ++i) w[i] += p->q[row + i];
    nsds_set_shift(b, w, x);
    for (int i = 0; i < m; ++i) x[i] = z[row + i] - x[i] / t->weight[row];
    if (nsds_is_coulomb(b)) nsds_friction_project_contact(b, x);
    for (int i = 0; i < m; ++i) {
      if (!nsds_is_coulomb(b)) x[i] = nsds_friction_clip(b, i, x[i]);
      top = hypot(top, (z[row + i] - x[i]) * t->weight[row]);
      size = hypot(size, terms[row + i]);
    }
    h->error[a] = top > 0.0 ? top / size : 0.0;
    if (!(h->error[a] <= most)) most = h->error[a];
  }
  nsds_mpi_most(t->whole->mpi, 1, &most);
  return most;
}

static double count_chosen(const hard_blocks *h) {
  const nsds_problem *p = &h->t->whole->problem;
  double rows = 0.0;
  for (int a = 0; a < p->nblock; ++a) rows += h->chosen[a] ? p->block[a].size : 0;
  nsds_mpi_total(h->t->whole->mpi, 1, &rows);
  return rows;
}

static bool meets_near(const hard_blocks *h, int a) {
  const nsds_factored *f = h->t->f;
  for (int k = f->first_edge[a]; k < f->first_edge[a + 1]; ++k)
    if (h->near[f->edge[k].column] > 0.0 &&
        nsds_colors_moves(f, &f->edge[k], f->row[a + 1] - f->row[a]))
      return true;
  return false;
}

/* Marks the columns that chosen blocks move, on all processes. */
static void mark_near(hard_blocks *h) {
  const nsds_factored *f = h->t->f;
  nsds_halo *halo = &h->t->whole->halo;
  if (f->ncolumn > 0) memset(h->near, 0, (size_t)f->ncolumn * sizeof *h->near);
  for (int a = 0; a < f->nrow_block; ++a)
    for (int k = f->first_edge[a]; h->chosen[a] && k < f->first_edge[a + 1]; ++k)
      if (nsds_colors_moves(f, &f->edge[k], f->row[a + 1] - f->row[a]))
        h->near[f->edge[k].column] = 1.0;
  halo->raise(halo->self, h->near);
}

/* Adds neighbors as long as there are at most that many rows. `error` of blocks that came last is -1. */
static void add_neighbors(hard_blocks *h, double rows, double most) {
  const nsds_problem *p = &h->t->whole->problem;
  while (true) {
    double before = rows;
    mark_near(h);
    for (int a = 0; a < p->nblock; ++a) {
      bool comes = !h->chosen[a] && meets_near(h, a);
      h->error[a] = comes ? -1.0 : 0.0;
      if (comes) h->chosen[a] = true;
    }
    rows = count_chosen(h);
    if (rows == before) return;
    if (rows <= most) continue;
    for (int a = 0; a < p->nblock; ++a)
      if (h->error[a] < 0.0) h->chosen[a] = false;
    return;
  }
}

/* Returns false if there is nothing to choose. */
static bool choose_blocks(hard_blocks *h, const double *z, const double *terms, double most) {
  const nsds_problem *p = &h->t->whole->problem;
  double largest = find_errors(h, z, terms);
  for (size_t k = 0; largest > 0.0 && k < sizeof parts / sizeof *parts; ++k) {
    for (int a = 0; a < p->nblock; ++a) h->chosen[a] = h->error[a] >= parts[k] * largest;
    double rows = count_chosen(h);
    if (rows > most) continue;
    add_neighbors(h, rows, most);
    return true;
  }
  return false;
}

nsds_status nsds_mpi_solve_hard_blocks(nsds_friction *t, const nsds_mpi_part *part, int most,
                                       double tolerance, double *z, double *work) {
  nsds_mpi *mpi = t->whole->mpi;
  size_t blocks = (size_t)t->whole->problem.nblock;
  hard_blocks h = {.t = t};
  h.chosen = nsds_alloc(mpi->context, "chosen blocks", blocks, sizeof *h.chosen);
  h.error = nsds_mpi_numbers(mpi, blocks);
  h.w = nsds_mpi_numbers(mpi, (size_t)t->n);
  h.near = nsds_mpi_numbers(mpi, (size_t)t->ny);
  bool there = h.chosen && h.error && h.w && h.near;
  nsds_status status = nsds_mpi_agree(mpi, there ? NSDS_OK : NSDS_ERROR_MEMORY);
  if (!status) nsds_mpi_friction_judge(t, z, tolerance, work);
  if (!status && choose_blocks(&h, z, work + t->n, most))
    status = nsds_gather_and_solve(t->whole, part, h.chosen, h.w, finer * tolerance, z);
  nsds_free(h.chosen), nsds_free(h.error), nsds_free(h.w), nsds_free(h.near);
  return status;
}
