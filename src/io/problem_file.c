/*
 * The object behind nsds_problem_file: reading by format, what it answers, writing by format.
 */
#include "io/problem_file.h"

#include "base/context.h"
#include "io/symmetry.h"

#include <stdio.h>

const char *nsds_format_text(nsds_format format) {
  switch (format) {
  case NSDS_FORMAT_AUTO: return "auto";
  case NSDS_FORMAT_LCP: return "lcp";
  case NSDS_FORMAT_MLCP: return "mlcp";
  case NSDS_FORMAT_FRICTION: return "friction";
  case NSDS_FORMAT_FCLIB: return "fclib";
  case NSDS_FORMAT_RELAY: return "relay";
  case NSDS_FORMAT_ROLLING: return "rolling";
  case NSDS_FORMAT_GLOBAL: return "global";
  case NSDS_FORMAT_MLCP_LINES: return "mlcp_lines";
  case NSDS_FORMAT_NSDS: return "nsds";
  case NSDS_FORMAT_QPS: return "qps";
  }
  return "unknown";
}

/* ---- the object ---- */

nsds_status nsds_file_size(nsds_problem_file *file, int n, int nblock) {
  file->problem.n = n;
  file->problem.nblock = nblock;
  file->block = NSDS_NEW_ARRAY(file->context, nsds_block, nblock);
  if (file->block) file->q = NSDS_NEW_ARRAY(file->context, double, n);
  file->problem.block = file->block;
  file->problem.q = file->q;
  return file->q ? NSDS_OK : NSDS_ERROR_MEMORY;
}

static bool is_global(const nsds_problem_file *file) { return file->global.f != NULL; }

nsds_matrix nsds_file_matrix(const nsds_problem_file *file) {
  nsds_matrix M = {.storage = NSDS_DENSE,
                   .n = is_global(file) ? file->global.shown.nv : file->problem.n,
                   .symmetric =
                       file->factored.row && !file->blocks.row && file->factored.symmetric};
  if (file->blocks.row) {
    M.storage = NSDS_BLOCK_ROWS;
    M.blocks = &file->blocks.shown;
    return M;
  }
  if (file->factored.row) {
    M.storage = NSDS_FACTORED;
    M.factored = &file->factored.shown;
    return M;
  }
  if (file->p) M.storage = NSDS_CSC;
  M.x = file->x;
  M.p = file->p;
  M.i = file->i;
  return M;
}

static void complete_notes(nsds_problem_file *file) {
  file->notes = (nsds_notes){.name = file->notes.name ? file->names.text : NULL,
                             .block_name = file->names.of_block,
                             .solution = file->solution.z ? &file->solution : NULL,
                             .guess = file->guess,
                             .nguess = file->nguess};
}

nsds_status nsds_file_complete(nsds_problem_file *file) {
  complete_notes(file);
  file->problem.M = nsds_file_matrix(file);
  nsds_status status = nsds_file_find_symmetry(file);
  file->global.shown.M = file->problem.M;
  return status;
}

static void release_point(nsds_context *context, const nsds_stored_point *point) {
  nsds_release(context, (void *)point->z);
  nsds_release(context, (void *)point->w);
  nsds_release(context, (void *)point->v);
}

void nsds_file_clear(nsds_problem_file *file) {
  nsds_context *context = file->context;
  void *owned[] = {file->block,
                   file->q,
                   file->x,
                   file->p,
                   file->i,
                   file->lower,
                   file->upper,
                   file->q_error,
                   file->scale,
                   file->sets,
                   file->blocks.row,
                   file->blocks.first,
                   file->blocks.column,
                   file->blocks.start,
                   file->factored.row,
                   file->factored.first,
                   file->factored.edge,
                   file->factored.D,
                   file->factored.x,
                   file->global.Hp,
                   file->global.Hi,
                   file->global.Hx,
                   file->global.Gp,
                   file->global.Gi,
                   file->global.Gx,
                   file->global.f,
                   file->global.w,
                   file->global.b,
                   file->names.text,
                   file->names.of_block};
  for (size_t k = 0; k < sizeof owned / sizeof *owned; ++k) nsds_release(context, owned[k]);
  release_point(context, &file->solution);
  for (int k = 0; k < file->nguess; ++k) release_point(context, &file->guess[k]);
  nsds_release(context, file->guess);
  *file = (nsds_problem_file){.context = context, .kind = "", .storage = ""};
}

void nsds_problem_file_destroy(nsds_problem_file *file) {
  if (!file || nsds_check_hook(file->context, "nsds_problem_file_destroy")) return;
  nsds_file_clear(file);
  nsds_release(file->context, file);
}

/* ---- answers ---- */

const char *nsds_problem_file_kind(const nsds_problem_file *file) { return file ? file->kind : ""; }

const char *nsds_problem_file_storage(const nsds_problem_file *file) {
  return file ? file->storage : "";
}

const nsds_problem *nsds_problem_file_problem(const nsds_problem_file *file) {
  return file && !is_global(file) ? &file->problem : NULL;
}

const nsds_global_problem *nsds_problem_file_global(const nsds_problem_file *file) {
  return file && is_global(file) ? &file->global.shown : NULL;
}

const nsds_matrix *nsds_problem_file_matrix(const nsds_problem_file *file) {
  return file ? &file->problem.M : NULL;
}

const nsds_notes *nsds_problem_file_notes(const nsds_problem_file *file) {
  return file ? &file->notes : NULL;
}

const nsds_stored_point *nsds_problem_file_solution(const nsds_problem_file *file) {
  return file ? file->notes.solution : NULL;
}

int nsds_problem_file_nguess(const nsds_problem_file *file) { return file ? file->nguess : 0; }

const nsds_stored_point *nsds_problem_file_guess(const nsds_problem_file *file, int k) {
  return file && k >= 0 && k < file->nguess ? &file->guess[k] : NULL;
}

const char *nsds_friction_form(int d, bool rolling) {
  if (rolling) return d == 3 ? "rolling 2d" : "rolling 3d";
  return d == 2 ? "fc2d" : "fc3d";
}

/* ---- reading ---- */

/* ---- writing ---- */
