#include "mpi/kept.h"

#include <nsds/extend.h>
#include <string.h>

/* ---- comparing ---- */

static int note_edge(const nsds_factored *f, int a, int k) {
  bool moves = nsds_colors_moves(f, &f->edge[k], f->row[a + 1] - f->row[a]);
  return 2 * f->edge[k].column + moves;
}

static bool same_edges(const nsds_kept *kept, const nsds_factored *f) {
  for (int a = 0; a < kept->nblock; ++a) {
    if (f->first_edge[a + 1] != kept->first_edge[a + 1]) return false;
    for (int k = f->first_edge[a]; k < f->first_edge[a + 1]; ++k)
      if (note_edge(f, a, k) != kept->edge[k] || f->edge[k].size != kept->size[k]) return false;
  }
  return true;
}

static bool kept_fits(const nsds_kept *kept, const nsds_mpi_part *part) {
  const nsds_problem *p = part->problem;
  const nsds_factored *f = p->M.storage == NSDS_FACTORED ? p->M.factored : NULL;
  if (!kept || !f || f->nrow_block != kept->nblock || f->ncolumn != kept->ncolumn ||
      kept->named != (part->block != NULL))
    return false;
  for (int a = 0; kept->named && a < kept->nblock; ++a)
    if (part->block[a] != kept->id[a]) return false;
  for (int c = 0; c < kept->ncolumn; ++c)
    if (part->number[c] != kept->number[c]) return false;
  return same_edges(kept, f);
}

const nsds_kept *nsds_kept_find(nsds_mpi *mpi, const nsds_mpi_part *part) {
  double differs = !kept_fits(mpi->kept, part);
  nsds_mpi_most(mpi, 1, &differs);
  return differs > 0.0 ? NULL : mpi->kept;
}

/* ---- keeping ---- */

static void release_kept(struct nsds_kept *kept) {
  if (!kept) return;
  kept->whole.lent = kept->colors.lent = false;
  nsds_whole_close(&kept->whole);
  nsds_colors_close(&kept->colors);
  nsds_free(kept->id), nsds_free(kept->number), nsds_free(kept->first_edge), nsds_free(kept->edge),
      nsds_free(kept->size);
  nsds_free(kept);
}

static nsds_kept *make_kept(const nsds_whole *whole, const nsds_mpi_part *part) {
  nsds_mpi *mpi = whole->mpi;
  const nsds_factored *f = whole->problem.M.factored;
  size_t blocks = (size_t)f->nrow_block, columns = (size_t)f->ncolumn;
  size_t edges = blocks > 0 ? (size_t)f->first_edge[blocks] : 0;
  static const char what[] = "a kept problem";
  nsds_kept *kept = nsds_alloc(mpi->context, what, 1, sizeof *kept);
  if (!kept) return NULL;
  kept->nblock = f->nrow_block;
  kept->ncolumn = f->ncolumn;
  kept->named = part->block != NULL;
  kept->id = nsds_alloc(mpi->context, what, blocks, sizeof *kept->id);
  kept->number = nsds_alloc(mpi->context, what, columns, sizeof *kept->number);
  kept->first_edge = nsds_mpi_indices(mpi, blocks + 1);
  kept->edge = nsds_mpi_indices(mpi, edges);
  kept->size = nsds_mpi_indices(mpi, edges);
  if (!kept->id || !kept->number || !kept->first_edge || !kept->edge || !kept->size) {
    release_kept(kept);
    return NULL;
  }
  if (part->block && blocks > 0) memcpy(kept->id, part->block, blocks * sizeof *kept->id);
  if (columns > 0) memcpy(kept->number, part->number, columns * sizeof *kept->number);
  for (int a = 0; a < f->nrow_block; ++a) {
    kept->first_edge[a + 1] = f->first_edge[a + 1];
    for (int k = f->first_edge[a]; k < f->first_edge[a + 1]; ++k) {
      kept->edge[k] = note_edge(f, a, k);
      kept->size[k] = f->edge[k].size;
    }
  }
  return kept;
}

nsds_status nsds_kept_store(nsds_whole *whole, const nsds_mpi_part *part, nsds_colors *colors) {
  nsds_mpi *mpi = whole->mpi;
  release_kept(mpi->kept);
  mpi->kept = NULL;
  nsds_kept *kept = make_kept(whole, part);
  nsds_status status = nsds_mpi_agree(mpi, kept ? NSDS_OK : NSDS_ERROR_MEMORY);
  if (status || !kept) {
    release_kept(kept);
    return status;
  }
  kept->whole = nsds_whole_exchange(whole);
  kept->colors = *colors;
  whole->lent = colors->lent = true;
  mpi->kept = kept;
  mpi->release = release_kept;
  return NSDS_OK;
}
