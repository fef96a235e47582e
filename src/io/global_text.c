/*
 * Global friction problems as text:
 *
 *     d               2 or 3, with rolling 3 or 5
 *     contacts
 *     M, H            matrices, nv x nv and nv x (d contacts), in either order
 *     f, w            nv and d contacts numbers
 *     mu              of each contact
 *     [rolling mu]    of each contact
 *     [0 or 1]        a flag of older writers, without rolling
 *
 *     M v = H r + f,   u = H^T v + w
 *
 * M is the square matrix, or the first one if both are square. With d = 3 the numbers after mu tell
 * rolling from friction.
 */
#include "io/global_text.h"

#include "base/context.h"
#include "io/columns.h"
#include "io/matrix_text.h"
#include "io/sparse_text.h"
#include "io/text.h"
#include "io/text_parts.h"

/* Reads M as dense or compressed columns. */
static nsds_status global_text_read_mass(nsds_text *text, int nv, nsds_problem_file *file) {
  int storage, nrow, ncolumn;
  nsds_triplets entries = {0};
  if (nsds_peek_matrix(text, &storage, &nrow, &ncolumn) || storage != 1)
    return nsds_read_matrix(text, nv, nv, NULL, file);
  file->storage = "blocks";
  if (!nsds_read_matrix(text, nv, nv, &entries, file)) nsds_text_compress(text, file, &entries);
  nsds_triplets_release(file->context, &entries);
  return text->status;
}

static nsds_status read_h(nsds_text *text, int nv, int n, nsds_problem_file *file) {
  nsds_triplets entries = {0};
  if (!nsds_read_matrix(text, nv, n, &entries, file)) {
    text->status = nsds_compress(file->context, &entries, &file->global.Hp, &file->global.Hi,
                                 &file->global.Hx);
    if (text->status == NSDS_ERROR_FORMAT) {
      text->status = NSDS_OK;
      nsds_text_expected(text, "before this, entries at one place with a finite sum");
    }
  }
  nsds_triplets_release(file->context, &entries);
  return text->status;
}

static nsds_status global_text_read_matrices(nsds_text *text, int n, nsds_problem_file *file) {
  int storage, nv, ncolumn;
  if (nsds_peek_matrix(text, &storage, &nv, &ncolumn))
    return nsds_read_matrix(text, 0, 0, NULL, file); /* fails, with the reason */
  if (nsds_text_room(text, "f", (size_t)nv)) return text->status;
  nsds_global_problem *problem = &file->global.shown;
  problem->nv = nv;
  problem->n = n;
  file->global.f = NSDS_NEW_ARRAY(file->context, double, nv);
  if (!file->global.f) return text->status = NSDS_ERROR_MEMORY;
  bool mass_first = nv == ncolumn;
  if (mass_first) global_text_read_mass(text, nv, file);
  if (!text->status) read_h(text, nv, n, file);
  if (!mass_first && !text->status) global_text_read_mass(text, nv, file);
  problem->H = (nsds_csc){nv, n, file->global.Hp, file->global.Hi, file->global.Hx};
  problem->G.nrow = nv;
  return text->status;
}

static nsds_status global_text_read_vectors(nsds_text *text, int n, int contacts,
                                            nsds_problem_file *file) {
  file->global.w = NSDS_NEW_ARRAY(file->context, double, n);
  if (file->global.w) file->block = NSDS_NEW_ARRAY(file->context, nsds_block, contacts);
  if (!file->block) return text->status = NSDS_ERROR_MEMORY;
  nsds_global_problem *problem = &file->global.shown;
  problem->f = file->global.f;
  problem->w = file->global.w;
  problem->block = file->block;
  problem->nblock = contacts;
  nsds_text_reals(text, "f", (size_t)problem->nv, file->global.f);
  return nsds_text_reals(text, "w", (size_t)n, file->global.w);
}

/* Reads coefficients up to the end: friction if that is possible. */
static nsds_status read_laws(nsds_text *text, int d, int contacts, nsds_problem_file *file) {
  nsds_text before = *text, plain;
  if (d != 5) {
    nsds_text_contacts(text, d, contacts, false, file);
    nsds_text_flag(text);
    file->kind = "global friction";
    if (!nsds_text_end(text, "the friction coefficients") || d == 2) return text->status;
  }
  plain = *text;
  *text = before;
  nsds_text_contacts(text, d, contacts, true, file);
  file->kind = "global rolling friction";
  if (nsds_text_end(text, "the rolling coefficients") && d == 3 &&
      plain.failed_at > text->failed_at)
    *text = plain;
  return text->status;
}

nsds_status nsds_read_global_text(nsds_text *text, nsds_problem_file *file) {
  int d = 0, contacts = 0;
  nsds_text_int(text, "the dimension of a friction problem", 2, 5, &d);
  nsds_text_int(text, "the number of contacts", 0, nsds_file_limit / 5, &contacts);
  if (d == 4) nsds_text_expected(text, "before this, 2, 3 or 5 as the dimension");
  if (text->status) return text->status;
  size_t n = (size_t)d * (size_t)contacts;
  if (nsds_text_room(text, "w and the friction coefficients", n + (size_t)contacts) ||
      global_text_read_matrices(text, (int)n, file) ||
      global_text_read_vectors(text, (int)n, contacts, file))
    return text->status;
  return read_laws(text, d, contacts, file);
}
