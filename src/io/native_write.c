/*
 * Problems written in the format nsds, see native_read.c. Numbers are decimal, for people and other
 * programs, with as many digits as they need to be read back as the same bits.
 */
#include "io/native_write.h"

#include "base/text/format.h"
#include "base/new_file.h"
#include "io/native_blocks.h"
#include "base/text/number.h"

typedef struct native_writer {
  nsds_new_file of;
  FILE *file; /* the file of `of` */
  nsds_locale_point point;
} native_writer;

/* ---- numbers and names ---- */

static void native_put(const native_writer *w, double value) {
  char text[nsds_number_size];
  nsds_format_real(&w->point, value, text);
  fprintf(w->file, " %s", text);
}

/* Writes a word and `count` numbers. */
static void native_put_vector(const native_writer *w, const char *word, const double *x,
                              int count) {
  fputs(word, w->file);
  for (int k = 0; k < count; ++k) native_put(w, x[k]);
  fputc('\n', w->file);
}

/* Writes nrow x ncolumn numbers, stored column by column, one line for each row. */
static void native_put_table(const native_writer *w, const double *x, int nrow, int ncolumn) {
  for (int i = 0; i < nrow; ++i) {
    for (int j = 0; j < ncolumn; ++j) native_put(w, x[(size_t)i + (size_t)j * (size_t)nrow]);
    fputc('\n', w->file);
  }
}

static void native_put_name(const native_writer *w, const char *name) {
  if (!name) return;
  fputs(" \"", w->file);
  for (; *name; ++name) {
    unsigned char c = (unsigned char)*name;
    if (c == '"' || c == '\\') fprintf(w->file, "\\%c", c);
    else if (c < 0x20 || c == 0x7f) fprintf(w->file, "\\%02x", c);
    else fputc(c, w->file);
  }
  fputc('"', w->file);
}

/* ---- blocks ---- */

static const char *set_word(nsds_set_kind set) {
  int k = 0;
  while (nsds_set_words[k + 1] && (1 << k) != (int)set) ++k;
  return nsds_set_words[k];
}

static void put_set(const native_writer *w, const nsds_block *block) {
  fprintf(w->file, "  %s %d", set_word(block->set), block->size);
  if (block->set == NSDS_SET_BOX) {
    fputs(" lower", w->file);
    for (int i = 0; i < block->size; ++i) native_put(w, block->lower[i]);
    fputs(" upper", w->file);
    for (int i = 0; i < block->size; ++i) native_put(w, block->upper[i]);
  }
  if (block->set == NSDS_SET_DISC) {
    fputs(" radius", w->file);
    native_put(w, block->radius);
  }
  if (block->set & (NSDS_SET_CONE | NSDS_SET_COULOMB | NSDS_SET_ROLLING)) {
    fputs(" mu", w->file);
    native_put(w, block->mu);
  }
  if (block->set == NSDS_SET_ROLLING) {
    fputs(" mu_rolling", w->file);
    native_put(w, block->mu_rolling);
  }
  if (block->set != NSDS_SET_POLYHEDRON) return;
  fprintf(w->file, " facets %d\nH\n", block->nfacet);
  native_put_table(w, block->H, block->nfacet, block->size);
  native_put_vector(w, "K", block->K, block->nfacet);
}

static void native_write_put_blocks(const native_writer *w, int nblock, const nsds_block *block,
                                    const nsds_notes *notes) {
  fputs("blocks\n", w->file);
  for (int a = 0; a < nblock; ++a) {
    put_set(w, &block[a]);
    if (notes && notes->block_name) native_put_name(w, notes->block_name[a]);
    fputc('\n', w->file);
  }
}

/* ---- matrices ---- */

static void native_write_put_sparse(const native_writer *w, const char *name, int ncolumn,
                                    const int *p, const int *i, const double *x) {
  fprintf(w->file, "%s sparse\n", name);
  for (int j = 0; j < ncolumn; ++j)
    for (int k = p[j]; k < p[j + 1]; ++k) {
      fprintf(w->file, "%d %d", i[k], j);
      native_put(w, x[k]);
      fputc('\n', w->file);
    }
}

/* Writes the sizes of the block rows, if they differ from those of the blocks. */
static void put_cut(const native_writer *w, const nsds_problem *problem, int count,
                    const int *row) {
  bool like_blocks = count == problem->nblock;
  for (int a = 0; a < count && like_blocks; ++a)
    like_blocks = row[a + 1] - row[a] == problem->block[a].size;
  if (!like_blocks) {
    fprintf(w->file, " cut %d", count);
    for (int a = 0; a < count; ++a) fprintf(w->file, " %d", row[a + 1] - row[a]);
  }
  fputc('\n', w->file);
}

static void put_block_rows(const native_writer *w, const nsds_problem *problem) {
  const nsds_block_rows *B = problem->M.blocks;
  fputs("M blocks", w->file);
  put_cut(w, problem, B->nrow_block, B->row);
  for (int a = 0; a < B->nrow_block; ++a)
    for (int k = B->first[a]; k < B->first[a + 1]; ++k) {
      int b = B->column[k];
      fprintf(w->file, "block %d %d\n", a, b);
      native_put_table(w, B->x + B->start[k], B->row[a + 1] - B->row[a], B->row[b + 1] - B->row[b]);
    }
}

static void put_edge(const native_writer *w, int a, int m, const nsds_edge *edge) {
  fprintf(w->file, "edge %d %d %d\nH\n", a, edge->column, edge->size);
  native_put_table(w, edge->H, m, edge->size);
  if (!edge->Y) return;
  fputs("Y\n", w->file);
  native_put_table(w, edge->Y, edge->size, m);
}

/* Writes the gains. If every edge has Y, gains mean nothing and may be not finite. */
static void put_gain(const native_writer *w, const nsds_factored *f) {
  bool used = false;
  for (int k = 0; k < f->first_edge[f->nrow_block]; ++k) used = used || !f->edge[k].Y;
  if (!used || !f->gain) return;
  fputs("gain", w->file);
  for (int c = 0; c < f->ncolumn; ++c) native_put(w, isfinite(f->gain[c]) ? f->gain[c] : 0.0);
  fputc('\n', w->file);
}

static void put_factored(const native_writer *w, const nsds_problem *problem) {
  const nsds_factored *f = problem->M.factored;
  fprintf(w->file, "M factored%s %d", problem->M.symmetric ? " symmetric" : "", f->ncolumn);
  put_cut(w, problem, f->nrow_block, f->row);
  for (int a = 0; a < f->nrow_block; ++a)
    for (int k = f->first_edge[a]; k < f->first_edge[a + 1]; ++k)
      put_edge(w, a, f->row[a + 1] - f->row[a], &f->edge[k]);
  for (int a = 0; f->D && a < f->nrow_block; ++a) {
    int m = f->row[a + 1] - f->row[a];
    if (!f->D[a]) continue;
    fprintf(w->file, "D %d\n", a);
    native_put_table(w, f->D[a], m, m);
  }
  put_gain(w, f);
}

static void put_matrix(const native_writer *w, const nsds_problem *problem) {
  const nsds_matrix *M = &problem->M;
  switch (M->storage) {
  case NSDS_DENSE:
    fputs("M dense\n", w->file);
    native_put_table(w, M->x, M->n, M->n);
    break;
  case NSDS_CSC: native_write_put_sparse(w, "M", M->n, M->p, M->i, M->x); break;
  case NSDS_BLOCK_ROWS: put_block_rows(w, problem); break;
  case NSDS_FACTORED: put_factored(w, problem); break;
  }
}

/* ---- points ---- */

static void native_write_put_point(const native_writer *w, const char *word,
                                   const nsds_stored_point *point, int nz, int nv) {
  fprintf(w->file, "%s\n", word);
  native_put_vector(w, "z", point->z, nz);
  if (point->w) native_put_vector(w, "w", point->w, nz);
  if (point->v && nv > 0) native_put_vector(w, "v", point->v, nv);
}

static void put_points(const native_writer *w, const nsds_notes *notes, int nz, int nv) {
  for (int k = 0; notes && k < notes->nguess; ++k)
    native_write_put_point(w, "guess", &notes->guess[k], nz, nv);
  if (notes && notes->solution) native_write_put_point(w, "solution", notes->solution, nz, nv);
  fputs("end\n", w->file);
}

/* ---- files ---- */

static nsds_status open_native(nsds_context *context, const char *path, const nsds_notes *notes,
                               native_writer *w) {
  nsds_status status = nsds_new_file_open(&w->of, context, NULL, path);
  if (status) return status;
  w->file = w->of.file;
  w->point = nsds_locale_point_now();
  fputs("nsds 1", w->file);
  native_put_name(w, notes ? notes->name : NULL);
  fputc('\n', w->file);
  return NSDS_OK;
}

nsds_status nsds_write_native(nsds_context *context, const nsds_problem *problem,
                              const nsds_notes *notes, const char *path) {
  native_writer w;
  nsds_status status = open_native(context, path, notes, &w);
  if (status) return status;
  native_write_put_blocks(&w, problem->nblock, problem->block, notes);
  put_matrix(&w, problem);
  native_put_vector(&w, "q", problem->q, problem->n);
  if (problem->q_error) native_put_vector(&w, "q_error", problem->q_error, problem->n);
  if (problem->scale) native_put_vector(&w, "scale", problem->scale, problem->n);
  put_points(&w, notes, problem->n, 0);
  return nsds_new_file_close(&w.of, true);
}

nsds_status nsds_write_native_global(nsds_context *context, const nsds_global_problem *problem,
                                     const nsds_notes *notes, const char *path) {
  native_writer w;
  const nsds_csc *H = &problem->H, *G = &problem->G;
  nsds_problem mass = {.n = problem->nv, .M = problem->M};
  nsds_status status = open_native(context, path, notes, &w);
  if (status) return status;
  fprintf(w.file, "velocities %d", problem->nv);
  if (problem->p > 0) fprintf(w.file, " equalities %d", problem->p);
  fputc('\n', w.file);
  native_write_put_blocks(&w, problem->nblock, problem->block, notes);
  put_matrix(&w, &mass);
  native_write_put_sparse(&w, "H", problem->n, H->p, H->i, H->x);
  if (problem->p > 0) native_write_put_sparse(&w, "G", problem->p, G->p, G->i, G->x);
  native_put_vector(&w, "f", problem->f, problem->nv);
  native_put_vector(&w, "w", problem->w, problem->n);
  if (problem->p > 0) native_put_vector(&w, "b", problem->b, problem->p);
  put_points(&w, notes, problem->n + problem->p, problem->nv);
  return nsds_new_file_close(&w.of, true);
}
