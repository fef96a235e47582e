/*
 * The text format of this library, which holds every problem; docs/files.md has the grammar.
 *
 *     nsds 1 ["name"]
 *     blocks ...                          native_blocks.c; n is the sum of their sizes
 *     M ...                               native_matrix.c
 *     q n numbers
 *     [q_error n numbers]
 *     [scale n numbers]
 *     { guess z n numbers [w n numbers] }
 *     [solution, likewise]
 *     end
 *
 * A global problem has "velocities nv [equalities p]" before its blocks. The matrices H and, with
 * equalities, G follow M, and the vectors f, w and b replace q. Points have n + p numbers z and w,
 * and may have nv numbers v. A reader refuses a later version of the grammar.
 */
#include "io/native_read.h"

#include "base/context.h"
#include "base/text/format.h"
#include "io/native_blocks.h"
#include "io/native_matrix.h"
#include "io/problem_file.h"
#include "io/text.h"
#include "io/write_text.h"

enum { native_version = 1 };

/* ---- vectors ---- */

/* Reads `count` numbers after their name into a new array. */
static double *native_vector(nsds_text *text, const char *name, size_t count) {
  if (nsds_text_word(text, name) || nsds_text_room(text, name, count)) return NULL;
  double *x = NSDS_NEW_ARRAY(text->context, double, count);
  if (!x) text->status = NSDS_ERROR_MEMORY;
  else nsds_text_reals(text, name, count, x);
  return x;
}

/* Reads numbers that are not negative, if their name comes next. */
static double *native_sizes(nsds_text *text, const char *name, int n) {
  nsds_text before = *text;
  if (!nsds_text_at(text, name)) return NULL;
  double *x = native_vector(text, name, (size_t)n);
  for (int i = 0; i < n && !text->status; ++i) {
    if (x[i] >= 0.0) continue;
    *text = before;
    nsds_text_expected(text, "%s without negative numbers (entry %d is %g)", name, i, x[i]);
  }
  return x;
}

/* ---- points ---- */

static void native_point(nsds_text *text, size_t nz, size_t nv, nsds_stored_point *point) {
  point->z = native_vector(text, "z", nz);
  if (nsds_text_at(text, "w")) point->w = native_vector(text, "w", nz);
  if (nv > 0 && nsds_text_at(text, "v")) point->v = native_vector(text, "v", nv);
}

static nsds_status native_points(nsds_text *text, nsds_problem_file *file, int nz, int nv) {
  while (nsds_text_take(text, "guess")) {
    text->status = nsds_grow(text->context, &file->guess, &file->guesses, (size_t)file->nguess + 1,
                             sizeof *file->guess);
    if (!text->status) native_point(text, (size_t)nz, (size_t)nv, &file->guess[file->nguess++]);
  }
  if (nsds_text_take(text, "solution")) native_point(text, (size_t)nz, (size_t)nv, &file->solution);
  if (!nsds_text_take(text, "end"))
    return nsds_text_expected(text, file->solution.z ? "end" : "guess, solution or end");
  return nsds_text_end(text, "\"end\"");
}

/* ---- the kind of problem ---- */

static const char *kind_of_blocks(const nsds_problem *problem) {
  unsigned sets = 0;
  bool alike = true;
  nsds_block first = nsds_first_contact(problem);
  for (int a = 0; a < problem->nblock; ++a) {
    const nsds_block *block = &problem->block[a];
    if (block->size == 0) continue;
    sets |= block->set;
    if (block->set != NSDS_SET_EQUALITY && !nsds_same_contact(block, &first)) alike = false;
  }
  bool contacts = sets & (NSDS_SET_COULOMB | NSDS_SET_ROLLING);
  if (contacts && alike) return nsds_friction_form(first.size, first.set == NSDS_SET_ROLLING);
  if (sets & ~(unsigned)(NSDS_SET_EQUALITY | NSDS_SET_NONNEGATIVE | NSDS_SET_BOX)) return "mixed";
  return sets & NSDS_SET_BOX ? "relay" : sets & NSDS_SET_EQUALITY ? "mlcp" : "lcp";
}

static const char *kind_of_global(const nsds_problem *blocks) {
  nsds_block first = nsds_first_contact(blocks);
  for (int a = 0; a < blocks->nblock; ++a)
    if (!nsds_same_contact(&blocks->block[a], &first)) return "global mixed";
  return first.set == NSDS_SET_ROLLING ? "global rolling friction" : "global friction";
}

/* ---- problems ---- */

static const char any_set[] =
    "equality, nonnegative, box, disc, cone, coulomb, rolling, polyhedron";

/* Only the library checks the column groups of the operator. */
static nsds_status check_native(nsds_text *text, nsds_problem_file *file) {
  char message[200];
  if (text->status || !file->factored.row) return text->status;
  bool failed_before = nsds_error(text->context) != NSDS_OK;
  nsds_problem problem = file->problem;
  problem.M = nsds_file_matrix(file);
  text->status = nsds_problem_check(text->context, &problem);
  if (!text->status || text->status == NSDS_ERROR_MEMORY) return text->status;
  nsds_print(message, sizeof message, "%s", nsds_last_message(text->context));
  if (!failed_before) nsds_error_clear(text->context);
  text->status = NSDS_OK;
  return nsds_text_expected(text, "before this, a problem in order (%s)", message);
}

static nsds_status native_local(nsds_text *text, nsds_problem_file *file) {
  nsds_problem *problem = &file->problem;
  if (nsds_native_blocks(text, file, &problem->nblock, &problem->n) ||
      nsds_text_room(text, "q", (size_t)problem->n))
    return text->status;
  int n = problem->n;
  problem->block = file->block;
  file->kind = kind_of_blocks(problem);
  nsds_text_next(text, any_set, "M");
  if (nsds_native_matrix(text, n, file)) return text->status;
  problem->q = file->q = native_vector(text, "q", (size_t)n);
  problem->q_error = file->q_error = native_sizes(text, "q_error", n);
  problem->scale = file->scale = native_sizes(text, "scale", n);
  native_points(text, file, n, 0);
  return check_native(text, file);
}

static nsds_status global_sizes(nsds_text *text, nsds_global_problem *problem) {
  nsds_text_int(text, "the number of velocities", 0, nsds_file_limit, &problem->nv);
  if (nsds_text_take(text, "equalities"))
    nsds_text_int(text, "the number of equality rows", 0, nsds_file_limit, &problem->p);
  if (text->status) return text->status;
  return nsds_text_room(text, "f and b", (size_t)problem->nv + (size_t)problem->p);
}

static nsds_status global_matrices(nsds_text *text, nsds_problem_file *file) {
  nsds_global_problem *g = &file->global.shown;
  nsds_text_next(text, any_set, "M");
  if (nsds_text_at(text, "blocks") || nsds_text_at(text, "factored"))
    nsds_text_expected(text, "dense or sparse, the storage of M in a global problem");
  if (text->status || nsds_native_matrix(text, g->nv, file) || nsds_text_word(text, "H") ||
      nsds_native_sparse(text, "H", g->nv, g->n, &file->global.Hp, &file->global.Hi,
                         &file->global.Hx))
    return text->status;
  g->H = (nsds_csc){g->nv, g->n, file->global.Hp, file->global.Hi, file->global.Hx};
  g->G = (nsds_csc){.nrow = g->nv};
  if (g->p == 0) return NSDS_OK;
  nsds_text_word(text, "G");
  if (text->status || nsds_native_sparse(text, "G", g->nv, g->p, &file->global.Gp, &file->global.Gi,
                                         &file->global.Gx))
    return text->status;
  g->G = (nsds_csc){g->nv, g->p, file->global.Gp, file->global.Gi, file->global.Gx};
  return NSDS_OK;
}

static nsds_status native_global(nsds_text *text, nsds_problem_file *file) {
  nsds_global_problem *g = &file->global.shown;
  if (global_sizes(text, g)) return text->status;
  /* marks a global problem, before anything can fail */
  file->global.f = NSDS_NEW_ARRAY(text->context, double, g->nv);
  if (!file->global.f) return text->status = NSDS_ERROR_MEMORY;
  if (nsds_native_blocks(text, file, &g->nblock, &g->n) || nsds_text_room(text, "w", (size_t)g->n))
    return text->status;
  g->block = file->block;
  nsds_problem blocks = nsds_blocks_of(g);
  file->kind = kind_of_global(&blocks);
  if (global_matrices(text, file) || nsds_text_word(text, "f") ||
      nsds_text_reals(text, "f", (size_t)g->nv, file->global.f))
    return text->status;
  g->f = file->global.f;
  g->w = file->global.w = native_vector(text, "w", (size_t)g->n);
  if (g->p > 0) g->b = file->global.b = native_vector(text, "b", (size_t)g->p);
  return native_points(text, file, g->n + g->p, g->nv);
}

nsds_status nsds_read_native(nsds_text *text, nsds_problem_file *file) {
  int version;
  size_t at;
  nsds_text_word(text, "nsds");
  nsds_text_int(text, "the version of the format", native_version, native_version, &version);
  if (nsds_text_at_name(text) && !nsds_file_add_name(text, file, &at)) file->notes.name = "";
  if (nsds_text_take(text, "velocities")) return native_global(text, file);
  if (nsds_text_at(text, "blocks")) return native_local(text, file);
  return nsds_text_expected(text, "blocks, or velocities of a global problem");
}
