/*
 * The object behind nsds_problem_file: reading by format, what it answers, writing by format.
 */
#include "problem_file.h"
#include "hdf5_image.h"

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
                   .n = is_global(file) ? file->global.shown.nv : file->problem.n};
  if (file->blocks.row) {
    M.storage = NSDS_BLOCK_ROWS;
    M.blocks = &file->blocks.shown;
    return M;
  }
  if (file->p) M.storage = NSDS_CSC;
  M.x = file->x;
  M.p = file->p;
  M.i = file->i;
  return M;
}

nsds_status nsds_file_complete(nsds_problem_file *file) {
  file->problem.M = nsds_file_matrix(file);
  nsds_status status = nsds_file_find_symmetry(file);
  file->global.shown.M = file->problem.M;
  return status;
}

static void release_point(nsds_context *context, nsds_owned_point *point) {
  nsds_release(context, point->z);
  nsds_release(context, point->w);
  nsds_release(context, point->v);
}

void nsds_file_clear(nsds_problem_file *file) {
  nsds_context *context = file->context;
  nsds_release(context, file->block);
  nsds_release(context, file->q);
  nsds_release(context, file->x);
  nsds_release(context, file->p);
  nsds_release(context, file->i);
  nsds_release(context, file->lower);
  nsds_release(context, file->upper);
  nsds_release(context, file->blocks.row);
  nsds_release(context, file->blocks.first);
  nsds_release(context, file->blocks.column);
  nsds_release(context, file->blocks.start);
  void *global[] = {file->global.Hp, file->global.Hi, file->global.Hx,
                    file->global.Gp, file->global.Gi, file->global.Gx,
                    file->global.f,  file->global.w,  file->global.b};
  for (size_t k = 0; k < sizeof global / sizeof *global; ++k) nsds_release(context, global[k]);
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

const nsds_stored_point *nsds_problem_file_solution(const nsds_problem_file *file) {
  return file && file->solution.z ? &file->solution.shown : NULL;
}

int nsds_problem_file_nguess(const nsds_problem_file *file) { return file ? file->nguess : 0; }

const nsds_stored_point *nsds_problem_file_guess(const nsds_problem_file *file, int k) {
  return file && k >= 0 && k < file->nguess ? &file->guess[k].shown : NULL;
}

const char *nsds_local_kind(int d, bool rolling) {
  if (rolling) return d == 3 ? "rolling 2d" : "rolling 3d";
  return d == 2 ? "fc2d" : "fc3d";
}

/* ---- reading ---- */

static const char signature[8] = {'\x89', 'H', 'D', 'F', '\r', '\n', '\x1a', '\n'};

static nsds_problem_file *finish(nsds_problem_file *file, nsds_status status) {
  if (!status) status = nsds_file_complete(file);
  if (!status) return file;
  nsds_problem_file_destroy(file);
  return NULL;
}

static nsds_problem_file *start(nsds_context *context) {
  nsds_problem_file *file = NSDS_NEW(context, nsds_problem_file);
  if (file) *file = (nsds_problem_file){.context = context, .kind = "", .storage = ""};
  return file;
}

static bool is_fclib(const char *data, size_t size, nsds_format format) {
  return format == NSDS_FORMAT_FCLIB || (format == NSDS_FORMAT_AUTO && size >= sizeof signature &&
                                         memcmp(data, signature, sizeof signature) == 0);
}

nsds_problem_file *nsds_problem_read_memory(nsds_context *context, const char *name,
                                            const char *data, size_t size, nsds_format format) {
  nsds_problem_file *file = start(context);
  if (!file) return NULL;
  if (is_fclib(data, size, format)) return finish(file, nsds_read_fclib(name, data, size, file));
  nsds_text text = nsds_text_start(context, name, data, size);
  return finish(file, nsds_read_text(&text, format, file));
}

static nsds_status look_at_head(nsds_context *context, const char *path, const char *data,
                                size_t size, size_t whole, bool *text, void *user) {
  nsds_h5_image image;
  *text = !is_fclib(data, size, *(const nsds_format *)user);
  const char *wrong = *text ? NULL : nsds_h5_image_start(&image, data, whole);
  return wrong ? nsds_fail(context, NSDS_ERROR_FORMAT, "%s: %s", path, wrong) : NSDS_OK;
}

nsds_problem_file *nsds_problem_read_as(nsds_context *context, const char *path,
                                        nsds_format format) {
  if (!context || !path) {
    nsds_fail_null(context, "nsds_problem_read", context ? "path" : "context");
    return NULL;
  }
  if (format < NSDS_FORMAT_AUTO || format > NSDS_FORMAT_MLCP_LINES) {
    nsds_fail(context, NSDS_ERROR_ARGUMENT,
              "nsds_problem_read: format is %d; valid is %d (auto) to %d (mlcp_lines)", (int)format,
              (int)NSDS_FORMAT_AUTO, (int)NSDS_FORMAT_MLCP_LINES);
    return NULL;
  }
  char *data;
  size_t size;
  nsds_problem_file *file = NULL;
  if (!nsds_load(context, path, look_at_head, &format, &data, &size))
    file = nsds_problem_read_memory(context, path, data, size, format);
  nsds_release(context, data);
  return file;
}

nsds_problem_file *nsds_problem_read(nsds_context *context, const char *path) {
  return nsds_problem_read_as(context, path, NSDS_FORMAT_AUTO);
}

/* ---- writing ---- */

static bool ends_with(const char *path, const char *end) {
  size_t size = strlen(path), tail = strlen(end);
  return size >= tail && strcmp(path + size - tail, end) == 0;
}

/* The format of the text that has a place for the blocks; the writer checks it. */
static nsds_format format_of_blocks(const nsds_problem *problem) {
  bool equality = false;
  for (int a = 0; a < problem->nblock; ++a) {
    if (problem->block[a].size == 0) continue;
    if (problem->block[a].set == NSDS_SET_COULOMB) return NSDS_FORMAT_FRICTION;
    if (problem->block[a].set == NSDS_SET_ROLLING) return NSDS_FORMAT_ROLLING;
    if (problem->block[a].set == NSDS_SET_BOX) return NSDS_FORMAT_RELAY;
    if (problem->block[a].set == NSDS_SET_EQUALITY) equality = true;
  }
  return equality ? NSDS_FORMAT_MLCP : NSDS_FORMAT_LCP;
}

static bool named_hdf5(const char *path) {
  return ends_with(path, ".hdf5") || ends_with(path, ".h5");
}

nsds_status nsds_global_write(nsds_context *context, const nsds_global_problem *problem,
                              const char *path, nsds_format format) {
  if (!context || !problem || !path)
    return nsds_fail_null(context, "nsds_global_write",
                          !context   ? "context"
                          : !problem ? "problem"
                                     : "path");
  nsds_status status = nsds_check_hook(context, "nsds_global_write");
  if (!status) status = nsds_global_check(context, problem);
  if (status) return status;
  if (format == NSDS_FORMAT_FCLIB || (format == NSDS_FORMAT_AUTO && named_hdf5(path)))
    return nsds_write_fclib_global(context, problem, path);
  if (format == NSDS_FORMAT_GLOBAL || format == NSDS_FORMAT_AUTO)
    return nsds_write_global_text(context, problem, path);
  return nsds_fail(context, NSDS_ERROR_UNSUPPORTED,
                   "nsds_global_write: %s: the format %s has no place for a global friction "
                   "problem; valid are fclib (a name ending in .hdf5 or .h5) and global",
                   path, nsds_format_text(format));
}

nsds_status nsds_problem_write(nsds_context *context, const nsds_problem *problem, const char *path,
                               nsds_format format) {
  if (!context || !problem || !path)
    return nsds_fail_null(context, "nsds_problem_write",
                          !context   ? "context"
                          : !problem ? "problem"
                                     : "path");
  nsds_status status = nsds_check_hook(context, "nsds_problem_write");
  if (!status) status = nsds_problem_check(context, problem);
  if (status) return status;
  if (format == NSDS_FORMAT_AUTO)
    format = named_hdf5(path) ? NSDS_FORMAT_FCLIB : format_of_blocks(problem);
  switch (format) {
  case NSDS_FORMAT_LCP:
  case NSDS_FORMAT_MLCP:
  case NSDS_FORMAT_RELAY:
  case NSDS_FORMAT_ROLLING:
  case NSDS_FORMAT_FRICTION: return nsds_write_text(context, problem, path, format);
  case NSDS_FORMAT_FCLIB: return nsds_write_fclib(context, problem, path);
  case NSDS_FORMAT_GLOBAL:
    return nsds_fail(
        context, NSDS_ERROR_UNSUPPORTED,
        "nsds_problem_write: %s: the format global holds global problems; this one has "
        "no M, H and velocities; give nsds_global_write() a global problem",
        path);
  case NSDS_FORMAT_MLCP_LINES:
    return nsds_fail(context, NSDS_ERROR_UNSUPPORTED,
                     "nsds_problem_write: %s: the format mlcp_lines is only read; write mlcp, "
                     "which holds the same problems",
                     path);
  default: break;
  }
  return nsds_fail(context, NSDS_ERROR_ARGUMENT,
                   "nsds_problem_write: format is %d; valid is %d (auto) to %d (rolling)",
                   (int)format, (int)NSDS_FORMAT_AUTO, (int)NSDS_FORMAT_ROLLING);
}
