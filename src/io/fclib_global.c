/*
 * Global friction problems of FCLIB (Acary, Bremond & Huber, "An introduction to FCLIB", 2014):
 *
 *     /fclib_global/spacedim                 2 or 3
 *     /fclib_global/{M, H, G}                matrices, see fclib.h; G optional
 *     /fclib_global/vectors/{f, w, mu, b}    b with G
 *     /solution/{v, u, r, l} and guesses     optional, as in local problems
 *
 *     M v = H r + G l + f,   u = H^T v + w,   G^T v + b = 0
 */
#include "fclib.h"

#if NSDS_HAVE_HDF5

#define GLOBAL "/fclib_global"
#define VECTORS "/fclib_global/vectors"

/* ---- reading ---- */

/* Arrays of a matrix to be filled, and the number of its columns. */
typedef struct columns {
  int **p, **i;
  double **x;
  int *count;
} columns;

/* `vector` has one entry to a column: its length is looked at before memory is taken for as many.
 */
static nsds_status read_columns(nsds_h5 *h5, const char *group, const char *vector, int nrow,
                                const char **storage, columns into) {
  nsds_triplets entries = {0};
  if (!nsds_fclib_read_matrix(h5, group, nrow, -1, &entries, storage) &&
      !nsds_h5_length(h5, vector, (size_t)entries.ncolumn)) {
    nsds_status status = nsds_compress(h5->context, &entries, into.p, into.i, into.x);
    if (status == NSDS_ERROR_FORMAT)
      nsds_h5_fail(h5, group, "expected entries at one place with a finite sum");
    else h5->status = status;
  }
  *into.count = entries.ncolumn;
  nsds_triplets_release(h5->context, &entries);
  return h5->status;
}

static nsds_status read_matrices(nsds_h5 *h5, nsds_problem_file *file) {
  nsds_global_problem *q = &file->global.shown;
  columns M = {&file->p, &file->i, &file->x, &q->nv};
  columns H = {&file->global.Hp, &file->global.Hi, &file->global.Hx, &q->n};
  columns G = {&file->global.Gp, &file->global.Gi, &file->global.Gx, &q->p};
  const char *unused;
  if (read_columns(h5, GLOBAL "/M", VECTORS "/f", -1, &file->storage, M) ||
      read_columns(h5, GLOBAL "/H", VECTORS "/w", q->nv, &unused, H))
    return h5->status;
  if (nsds_h5_has(h5, GLOBAL "/G")) read_columns(h5, GLOBAL "/G", VECTORS "/b", q->nv, &unused, G);
  q->H = (nsds_sparse){q->nv, q->n, *H.p, *H.i, *H.x};
  q->G = (nsds_sparse){q->nv, q->p, *G.p, *G.i, *G.x};
  return h5->status;
}

static nsds_status read_vectors(nsds_h5 *h5, nsds_problem_file *file) {
  nsds_global_problem *problem = &file->global.shown;
  nsds_h5_vector(h5, VECTORS "/f", (size_t)problem->nv, &file->global.f);
  if (!h5->status) nsds_h5_vector(h5, VECTORS "/w", (size_t)problem->n, &file->global.w);
  if (!h5->status && problem->p > 0)
    nsds_h5_vector(h5, VECTORS "/b", (size_t)problem->p, &file->global.b);
  problem->f = file->global.f;
  problem->w = file->global.w;
  problem->b = file->global.b;
  return h5->status;
}

nsds_status nsds_fclib_read_global(nsds_h5 *h5, nsds_problem_file *file) {
  nsds_global_problem *problem = &file->global.shown;
  int d = 3;
  if (nsds_h5_int(h5, GLOBAL "/spacedim", 2, 3, &d) || read_matrices(h5, file)) return h5->status;
  if (problem->n % d != 0)
    return nsds_h5_fail(h5, GLOBAL "/H/n", "expected a multiple of spacedim, %d, found %d", d,
                        problem->n);
  int contacts = problem->n / d;
  if (nsds_h5_length(h5, VECTORS "/mu", (size_t)contacts) || read_vectors(h5, file))
    return h5->status;
  file->kind = "global friction";
  file->block = NSDS_NEW_ARRAY(h5->context, nsds_block, contacts);
  if (!file->block) return h5->status = NSDS_ERROR_MEMORY;
  problem->nblock = contacts;
  problem->block = file->block;
  if (nsds_fclib_read_contacts(h5, VECTORS "/mu", file, d, contacts)) return h5->status;
  return nsds_fclib_read_points(h5, file, problem->nv, problem->n, problem->p);
}

/* ---- writing ---- */

static const char wanted[] = "COULOMB blocks of one size, 2 or 3";

/* The blocks as a local problem has them. */
static nsds_problem blocks_of(const nsds_global_problem *problem) {
  return (nsds_problem){.n = problem->n, .nblock = problem->nblock, .block = problem->block};
}

static nsds_status put_vectors(nsds_h5 *h5, const nsds_global_problem *problem) {
  int contacts = 0;
  double *mu = NSDS_NEW_ARRAY(h5->context, double, problem->nblock);
  if (!mu) return h5->status = NSDS_ERROR_MEMORY;
  for (int a = 0; a < problem->nblock; ++a)
    if (problem->block[a].size > 0) mu[contacts++] = problem->block[a].mu;
  nsds_h5_put_group(h5, VECTORS);
  nsds_h5_put_reals(h5, VECTORS "/f", (size_t)problem->nv, problem->f);
  nsds_h5_put_reals(h5, VECTORS "/w", (size_t)problem->n, problem->w);
  nsds_h5_put_reals(h5, VECTORS "/mu", (size_t)contacts, mu);
  if (problem->p > 0) nsds_h5_put_reals(h5, VECTORS "/b", (size_t)problem->p, problem->b);
  nsds_release(h5->context, mu);
  return h5->status;
}

static nsds_status put_sparse(nsds_h5 *h5, const char *group, const nsds_sparse *A, int nrow) {
  static const int no_columns[1] = {0};
  return nsds_fclib_put_matrix(h5, group, nrow, A->ncolumn, A->ncolumn > 0 ? A->p : no_columns,
                               A->i, A->x);
}

static nsds_status put_problem(nsds_h5 *h5, const nsds_global_problem *problem,
                               const nsds_columns *M) {
  nsds_problem blocks = blocks_of(problem);
  nsds_h5_put_group(h5, GLOBAL);
  nsds_fclib_put_int(h5, GLOBAL, "spacedim", nsds_contact_size(&blocks));
  nsds_fclib_put_matrix(h5, GLOBAL "/M", problem->nv, problem->nv, M->p, M->i, M->x);
  put_sparse(h5, GLOBAL "/H", &problem->H, problem->nv);
  if (problem->p > 0) put_sparse(h5, GLOBAL "/G", &problem->G, problem->nv);
  return h5->status ? h5->status : put_vectors(h5, problem);
}

nsds_status nsds_write_fclib_global(nsds_context *context, const nsds_global_problem *problem,
                                    const char *path) {
  nsds_problem blocks = blocks_of(problem), mass = {.n = problem->nv, .M = problem->M};
  nsds_columns M = {0};
  nsds_h5 h5;
  int d = nsds_contact_size(&blocks);
  for (int a = 0; a < problem->nblock; ++a) {
    const nsds_block *block = &problem->block[a];
    if (block->size > 0 && (block->set != NSDS_SET_COULOMB || block->size != d))
      return nsds_refuse_block(context, &blocks, a, path, NSDS_FORMAT_FCLIB, wanted);
  }
  nsds_status status = nsds_columns_of(context, &mass, &M);
  if (!status) {
    if (!nsds_h5_create(context, path, &h5)) put_problem(&h5, problem, &M);
    status = nsds_h5_close(&h5);
  }
  nsds_columns_release(context, &M);
  return status;
}

#endif
