/* Reading and writing problem files: finds the format of a file and calls its reader or writer. */
#include "base/context.h"
#include "base/finite.h"
#include "io/fclib_global.h"
#include "io/fclib_read.h"
#include "io/fclib_write.h"
#include "io/hdf5_image.h"
#include "io/native_write.h"
#include "io/problem_file.h"
#include "io/problem_text.h"
#include "io/text.h"
#include "io/write_text.h"

static nsds_problem_file *problem_io_finish(nsds_problem_file *file, nsds_status status) {
  if (!status) status = nsds_file_complete(file);
  if (!status) return file;
  nsds_problem_file_destroy(file);
  return NULL;
}

static nsds_problem_file *problem_io_start(nsds_context *context) {
  nsds_problem_file *file = NSDS_NEW(context, nsds_problem_file);
  if (file) *file = (nsds_problem_file){.context = context, .kind = "", .storage = ""};
  return file;
}

static const char signature[8] = {'\x89', 'H', 'D', 'F', '\r', '\n', '\x1a', '\n'};

static bool is_fclib(const char *data, size_t size, nsds_format format) {
  return format == NSDS_FORMAT_FCLIB || (format == NSDS_FORMAT_AUTO && size >= sizeof signature &&
                                         memcmp(data, signature, sizeof signature) == 0);
}

/* Returns true if a call may go on. `missing` names an argument that is NULL and must not be. */
static bool may_read(nsds_context *context, const char *call, const char *missing,
                     nsds_format format) {
  if (!context || missing) {
    nsds_fail_null(context, call, context ? missing : "context");
    return false;
  }
  if (format >= NSDS_FORMAT_AUTO && format <= NSDS_FORMAT_QPS) return true;
  nsds_fail(context, NSDS_ERROR_ARGUMENT, "%s: format is %d; valid is %d (auto) to %d (qps)", call,
            (int)format, (int)NSDS_FORMAT_AUTO, (int)NSDS_FORMAT_QPS);
  return false;
}

nsds_problem_file *nsds_problem_read_memory(nsds_context *context, const char *name,
                                            const char *data, size_t size, nsds_format format) {
  const char *missing = !name ? "name" : !data && size > 0 ? "data" : NULL;
  if (!may_read(context, "nsds_problem_read_memory", missing, format)) return NULL;
  if (!data) data = "";
  nsds_problem_file *file = problem_io_start(context);
  if (!file) return NULL;
  if (is_fclib(data, size, format))
    return problem_io_finish(file, nsds_read_fclib(name, data, size, file));
  nsds_text text = nsds_text_start(context, name, data, size);
  return problem_io_finish(file, nsds_read_text(&text, format, file));
}

static nsds_status look_at_head(nsds_context *context, const char *path, const char *data,
                                size_t size, size_t whole, bool *text, void *user) {
  nsds_h5_image image;
  *text = !is_fclib(data, size, *(const nsds_format *)user);
  const char *wrong = *text ? NULL : nsds_h5_image_start(&image, data, whole);
  return wrong ? nsds_fail(context, NSDS_ERROR_FORMAT, "%s: %s", path, wrong) : NSDS_OK;
}

nsds_problem_file *nsds_problem_read(nsds_context *context, const char *path, nsds_format format) {
  if (!may_read(context, "nsds_problem_read", path ? NULL : "path", format)) return NULL;
  char *data;
  size_t size;
  nsds_problem_file *file = NULL;
  if (!nsds_load(context, path, look_at_head, &format, &data, &size))
    file = nsds_problem_read_memory(context, path, data, size, format);
  nsds_release(context, data);
  return file;
}

static bool ends_with(const char *path, const char *end) {
  size_t size = strlen(path), tail = strlen(end);
  return size >= tail && strcmp(path + size - tail, end) == 0;
}

/* Returns the text format for the blocks. An old format is taken if it has a place for them and
 * reads back as itself, else the format of this library. */
static nsds_format format_of_blocks(const nsds_problem *problem) {
  static const nsds_format old[] = {NSDS_FORMAT_LCP, NSDS_FORMAT_MLCP, NSDS_FORMAT_RELAY,
                                    NSDS_FORMAT_FRICTION, NSDS_FORMAT_ROLLING};
  nsds_block first = nsds_first_contact(problem);
  if (first.set == NSDS_SET_ROLLING && first.size == 3) return NSDS_FORMAT_NSDS;
  for (size_t k = 0; k < sizeof old / sizeof *old; ++k)
    if (nsds_misfit(problem, old[k]) < 0) return old[k];
  return NSDS_FORMAT_NSDS;
}

/* Returns the format by the end of the name; NSDS_FORMAT_AUTO if the end tells none. */
static nsds_format format_of_name(const char *path) {
  if (ends_with(path, ".hdf5") || ends_with(path, ".h5")) return NSDS_FORMAT_FCLIB;
  return ends_with(path, ".nsds") ? NSDS_FORMAT_NSDS : NSDS_FORMAT_AUTO;
}

static nsds_status problem_io_check_point(nsds_context *context, const char *call,
                                          const char *which, int k, const nsds_stored_point *point,
                                          int nz, int nv) {
  const struct {
    const char *name;
    const double *x;
    int count;
  } array[] = {{"z", point->z, nz}, {"w", point->w, nz}, {"v", point->v, nv}};
  if (!point->z && nz > 0)
    return nsds_fail(context, NSDS_ERROR_ARGUMENT, "%s: %s[%d].z is NULL; give its numbers", call,
                     which, k);
  for (int a = 0; a < 3; ++a) {
    int wrong = array[a].x ? nsds_first_nonfinite(array[a].x, array[a].count) : -1;
    if (wrong >= 0)
      return nsds_fail(context, NSDS_ERROR_VALUE, "%s: %s[%d].%s[%d] is %g; it must be finite",
                       call, which, k, array[a].name, wrong, array[a].x[wrong]);
  }
  return NSDS_OK;
}

static nsds_status check_notes(nsds_context *context, const char *call, const nsds_notes *notes,
                               int nz, int nv) {
  if (!notes) return NSDS_OK;
  if (notes->nguess < 0)
    return nsds_fail(context, NSDS_ERROR_SIZE, "%s: notes.nguess is %d; it must not be negative",
                     call, notes->nguess);
  if (notes->nguess > 0 && !notes->guess)
    return nsds_fail(context, NSDS_ERROR_ARGUMENT,
                     "%s: notes.guess is NULL, and nguess is %d; give as many points", call,
                     notes->nguess);
  nsds_status status = NSDS_OK;
  for (int k = 0; k < notes->nguess && !status; ++k)
    status = problem_io_check_point(context, call, "notes.guess", k, &notes->guess[k], nz, nv);
  if (status || !notes->solution) return status;
  return problem_io_check_point(context, call, "notes.solution", 0, notes->solution, nz, nv);
}

static nsds_status may_write(nsds_context *context, const char *call, const void *problem,
                             const char *path) {
  if (context && problem && path) return nsds_check_hook(context, call);
  return nsds_fail_null(context, call, !context ? "context" : !problem ? "problem" : "path");
}

/* Warns of what a problem has and the file will not have. */
static void tell_left_out(nsds_context *context, const char *call, const char *path,
                          nsds_format format, const nsds_problem *problem,
                          const nsds_notes *notes) {
  bool text = format != NSDS_FORMAT_FCLIB;
  bool points = text && notes && (notes->nguess > 0 || notes->solution);
  const char *scale = problem->scale ? " scale" : "", *error = problem->q_error ? " q_error" : "";
  if (format == NSDS_FORMAT_NSDS || !(problem->scale || problem->q_error || points)) return;
  nsds_log(
      context, NSDS_LOG_WARNING,
      "%s: %s: the format %s has no place for these, which are left out:%s%s%s; give the format "
      "nsds to keep them",
      call, path, nsds_format_text(format), scale, error, points ? " points" : "");
}

nsds_status nsds_global_write(nsds_context *context, const nsds_global_problem *problem,
                              const nsds_notes *notes, const char *path, nsds_format format) {
  static const char call[] = "nsds_global_write";
  nsds_status status = may_write(context, call, problem, path);
  if (!status) status = nsds_global_check(context, problem);
  if (!status) status = check_notes(context, call, notes, problem->n + problem->p, problem->nv);
  if (status) return status;
  nsds_problem blocks = nsds_blocks_of(problem);
  if (format == NSDS_FORMAT_AUTO) format = format_of_name(path);
  if (format == NSDS_FORMAT_AUTO)
    format = problem->p > 0 || nsds_misfit(&blocks, NSDS_FORMAT_GLOBAL) >= 0 ? NSDS_FORMAT_NSDS
                                                                             : NSDS_FORMAT_GLOBAL;
  if (format == NSDS_FORMAT_FCLIB) return nsds_write_fclib_global(context, problem, notes, path);
  if (format == NSDS_FORMAT_GLOBAL) {
    tell_left_out(context, call, path, format, &blocks, notes);
    return nsds_write_global_text(context, problem, path);
  }
  if (format == NSDS_FORMAT_NSDS) return nsds_write_native_global(context, problem, notes, path);
  return nsds_fail(context, NSDS_ERROR_UNSUPPORTED,
                   "nsds_global_write: %s: the format %s has no place for a global friction "
                   "problem; valid are nsds, fclib (a name ending in .hdf5 or .h5) and global",
                   path, nsds_format_text(format));
}

nsds_status nsds_problem_write(nsds_context *context, const nsds_problem *problem,
                               const nsds_notes *notes, const char *path, nsds_format format) {
  static const char call[] = "nsds_problem_write";
  nsds_status status = may_write(context, call, problem, path);
  if (!status) status = nsds_problem_check(context, problem);
  if (!status) status = check_notes(context, call, notes, problem->n, 0);
  if (status) return status;
  if (format == NSDS_FORMAT_AUTO) format = format_of_name(path);
  bool sizes = problem->scale || problem->q_error; /* only one format holds them */
  if (format == NSDS_FORMAT_AUTO) format = sizes ? NSDS_FORMAT_NSDS : format_of_blocks(problem);
  tell_left_out(context, call, path, format, problem, notes);
  switch (format) {
  case NSDS_FORMAT_LCP:
  case NSDS_FORMAT_MLCP:
  case NSDS_FORMAT_RELAY:
  case NSDS_FORMAT_ROLLING:
  case NSDS_FORMAT_FRICTION: return nsds_write_text(context, problem, path, format);
  case NSDS_FORMAT_NSDS: return nsds_write_native(context, problem, notes, path);
  case NSDS_FORMAT_FCLIB: return nsds_write_fclib(context, problem, notes, path);
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
  case NSDS_FORMAT_QPS:
    return nsds_fail(context, NSDS_ERROR_UNSUPPORTED,
                     "nsds_problem_write: %s: the format qps is only read; give nsds, which holds "
                     "the same problems",
                     path);
  default: break;
  }
  return nsds_fail(context, NSDS_ERROR_ARGUMENT,
                   "nsds_problem_write: format is %d; valid is %d (auto) to %d (nsds)", (int)format,
                   (int)NSDS_FORMAT_AUTO, (int)NSDS_FORMAT_NSDS);
}
