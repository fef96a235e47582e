/* Calls on global problems and on problem files. */
#include "calls.h"

#include <math.h>
#include <string.h>

enum { VELOCITIES = 6, LOCAL = 6, EQUALITIES = 2 };

static int progress(int iteration, double residual, void *user) {
  (void)iteration, (void)residual, (void)user;
  return misbehave(NULL, 0);
}

/* nrow x ncolumn, with two entries a column. */
static nsds_csc choose_columns(int nrow, int ncolumn) {
  int *p = brief((size_t)ncolumn + 1, sizeof *p), *i = brief(2 * (size_t)ncolumn + 1, sizeof *i);
  double *x = array(2 * ncolumn + 1, -1.0, 1.0);
  int count = 0;
  for (int c = 0; c < ncolumn; ++c) {
    p[c] = count;
    int row = c % nrow;
    i[count++] = row;
    if (row + 1 < nrow) i[count++] = row + 1;
  }
  p[ncolumn] = count;
  if (odd(5)) i[pick((unsigned)count + 1)] = (int)pick(9) - 1;
  return (nsds_csc){nrow, ncolumn, p, i, x};
}

nsds_global_problem *choose_global(void) {
  nsds_global_problem *g = brief(1, sizeof *g);
  g->nv = 1 + (int)pick(VELOCITIES);
  g->n = 2 + (int)pick(LOCAL - 1);
  g->p = chance(60) ? 0 : 1 + (int)pick(EQUALITIES);
  g->block = choose_blocks(g->n, chance(60), &g->nblock);
  g->M = (nsds_matrix){.storage = NSDS_DENSE, .n = g->nv, .x = definite(g->nv), .symmetric = true};
  g->H = choose_columns(g->nv, g->n);
  g->G = choose_columns(g->nv, g->p);
  g->f = array(g->nv, -1.0, 1.0);
  g->w = odd(2) ? NULL : array(g->n, -1.0, 1.0);
  g->b = array(g->p, -0.1, 0.1);
  if (chance(30)) g->stamp = new_stamp();
  if (odd(3)) g->n -= 1;
  return g;
}

static void few_global_iterations(bool more) {
  const double most = more ? 400.0 : 60.0;
  if (!fuzz.global) return;
  double asked = nsds_solver_get(fuzz.global, "max_iterations");
  if (!(asked >= 1.0 && asked <= most)) nsds_solver_set(fuzz.global, "max_iterations", most);
}

nsds_status call_global_solver(scene *s) {
  (void)s;
  if (fuzz.global && chance(70)) {
    const nsds_solver_row *row = MAKE(nsds_solver_get_row, fuzz.global);
    int count = 0;
    while (row->option[count].name) ++count;
    const nsds_option *option = &row->option[pick((unsigned)count)];
    READ(nsds_solver_get, fuzz.global, odd(5) ? "no such" : option->name);
    if (chance(20)) MAKE(nsds_solver_inner, fuzz.global);
    if (strcmp(option->name, "time_limit") == 0) return NSDS_OK;
    double value = odd(10) ? odd_real() : chance(50) ? option->min : option->default_value;
    nsds_status status = CALL(nsds_solver_set, fuzz.global, option->name, value);
    few_global_iterations(chance(4));
    return status;
  }
  if (fuzz.depth > 0) return NSDS_OK; /* it may be at work */
  static const char *const name[] = {
      "global",  "global_reduction",        "global_factored",       "global_admm",   "global/nsgs",
      "no such", "global_nonsmooth_newton", "global_reduction/nsgs", "global_admm/x", "nsgs"};
  DO(nsds_solver_destroy, fuzz.global);
  fuzz.global =
      MAKE(nsds_solver_create, fuzz.context, name[pick((unsigned)(sizeof name / sizeof *name))]);
  if (fuzz.global) CALL(nsds_solver_set, fuzz.global, "time_limit", 1.0);
  if (fuzz.global && chance(30)) DO(nsds_solver_set_progress, fuzz.global, progress, NULL);
  few_global_iterations(chance(4));
  return made(fuzz.global);
}

static void check_global(const nsds_global_problem *g, const double *v, const double *r,
                         const double *lambda) {
  double *work = brief((size_t)READ(nsds_global_work, g) + 1, sizeof *work);
  nsds_global_certificate certificate;
  DO(nsds_global_certify, g, v, r, lambda, work, &certificate);
  double tolerance = nsds_solver_get(fuzz.global, "tolerance");
  if (!(certificate.residual <= tolerance)) {
    finding("global: solved, and the certificate is %g", certificate.residual);
  }
}

nsds_status call_global_solve(scene *s) {
  (void)s;
  nsds_global_problem *g = choose_global();
  nsds_status status = CALL(nsds_global_check, fuzz.context, odd(2) ? NULL : g);
  if (status || !fuzz.global || CALL(nsds_global_check, fuzz.context, g)) return status;
  double *v = brief(VELOCITIES, sizeof *v), *r = array(LOCAL, -1.0, 1.0);
  double *u = brief(LOCAL, sizeof *u), *lambda = brief(EQUALITIES, sizeof *lambda);
  nsds_solver_info info;
  status = CALL(nsds_global_solve, fuzz.global, g, v, r, u, lambda, chance(80) ? &info : NULL);
  if (!status) check_global(g, v, r, lambda);
  return status;
}

/* ---- files ---- */

static void read_file(const nsds_problem_file *file) {
  MAKE(nsds_problem_file_kind, file);
  MAKE(nsds_problem_file_storage, file);
  MAKE(nsds_problem_file_matrix, file);
  MAKE(nsds_problem_file_notes, file);
  MAKE(nsds_problem_file_solution, file);
  READ(nsds_problem_file_nguess, file);
  MAKE(nsds_problem_file_guess, file, odd(20) ? number(0) : 0);
}

/* With a starting point of n numbers z and nv numbers v. */
static nsds_notes *choose_notes(int n, int nv) {
  if (chance(30)) return NULL;
  nsds_notes *notes = brief(1, sizeof *notes);
  nsds_stored_point *guess = brief(1, sizeof *guess);
  guess->z = odd(4) ? NULL : array(n, -1.0, 1.0);
  if (chance(50)) guess->w = array(n, -1.0, 1.0);
  if (chance(50)) guess->v = array(nv, -1.0, 1.0);
  *notes = (nsds_notes){.name = chance(50) ? "a problem" : NULL, .guess = guess, .nguess = 1};
  if (odd(4)) notes->nguess = (int)pick(3) - 1;
  if (notes->nguess > 1) notes->nguess = 1;
  if (chance(30)) notes->solution = guess;
  return notes;
}

static const char *file_name(void) {
  return world_path(chance(20) ? "hdf5" : chance(40) ? "problem.nsds" : "dat");
}

static nsds_problem_file *read_back(nsds_format format) {
  const char *path = odd(3) ? "absent.dat" : file_name();
  if (odd(2)) path = NULL;
  if (chance(10)) {
    static const char text[] = "nsds 1 blocks nonnegative 1 \"a\" M dense 2 q -1 guess z 1 end";
    return MAKE(nsds_problem_read_memory, fuzz.context, path, text, sizeof text - 1, format);
  }
  return MAKE(nsds_problem_read, fuzz.context, path, chance(50) ? NSDS_FORMAT_AUTO : format);
}

nsds_status call_problem_file(scene *s) {
  (void)s;
  nsds_problem *p = choose_problem();
  nsds_format format = chance(60) ? NSDS_FORMAT_AUTO : (nsds_format)pick(11);
  nsds_status status = CALL(nsds_problem_write, fuzz.context, odd(2) ? NULL : p,
                            chance(50) ? NULL : choose_notes(p->n + 1, 0), file_name(), format);
  nsds_problem_file *file = read_back(format);
  if (file) {
    read_file(file);
    const nsds_problem *q = MAKE(nsds_problem_file_problem, file);
    if (q && CALL(nsds_problem_check, fuzz.context, q)) {
      finding("read from a file: %s", nsds_error_message(fuzz.context));
    }
    MAKE(nsds_problem_file_global, file);
    DO(nsds_problem_file_destroy, file);
  }
  return status;
}

nsds_status call_global_file(scene *s) {
  (void)s;
  nsds_global_problem *g = choose_global();
  nsds_format format = chance(60) ? NSDS_FORMAT_AUTO : (nsds_format)pick(11);
  nsds_status status =
      CALL(nsds_global_write, fuzz.context, odd(2) ? NULL : g,
           chance(50) ? NULL : choose_notes(g->n + 1 + EQUALITIES, g->nv), file_name(), format);
  nsds_problem_file *file = read_back(format);
  if (file) {
    read_file(file);
    const nsds_global_problem *q = MAKE(nsds_problem_file_global, file);
    if (q && CALL(nsds_global_check, fuzz.context, q)) {
      finding("read from a file: %s", nsds_error_message(fuzz.context));
    }
    DO(nsds_problem_file_destroy, file);
  }
  return status;
}
