/*
 * Problems written as text, in the formats of problem_text.c, mlcp_text.c (with s1 = 1, s2 = 0) and
 * global_text.c. Numbers have as many digits as they need to be read back as the same bits.
 */
#include "io/write_text.h"

#include "base/context.h"
#include "base/text/format.h"
#include "base/new_file.h"
#include "io/columns.h"
#include "base/text/number.h"

typedef struct writer {
  nsds_new_file of;
  FILE *file; /* the file of `of` */
  nsds_locale_point point;
} writer;

/* ---- what the format has a place for ---- */

static const char *set_text(nsds_set_kind set) {
  switch (set) {
  case NSDS_SET_EQUALITY: return "EQUALITY";
  case NSDS_SET_NONNEGATIVE: return "NONNEGATIVE";
  case NSDS_SET_BOX: return "BOX";
  case NSDS_SET_DISC: return "DISC";
  case NSDS_SET_CONE: return "CONE";
  case NSDS_SET_COULOMB: return "COULOMB";
  case NSDS_SET_ROLLING: return "ROLLING";
  case NSDS_SET_POLYHEDRON: return "POLYHEDRON";
  }
  return "unknown";
}

nsds_status nsds_refuse_block(nsds_context *context, const nsds_problem *problem, int a,
                              const char *path, nsds_format format, const char *wanted) {
  return nsds_fail(context, NSDS_ERROR_UNSUPPORTED,
                   "nsds_problem_write: %s: block[%d] is %s of size %d; the format %s holds %s",
                   path, a, set_text(problem->block[a].set), problem->block[a].size,
                   nsds_format_text(format), wanted);
}

nsds_block nsds_first_contact(const nsds_problem *problem) {
  for (int a = 0; a < problem->nblock; ++a) {
    const nsds_block *block = &problem->block[a];
    if (block->size > 0 && (block->set == NSDS_SET_COULOMB || block->set == NSDS_SET_ROLLING))
      return *block;
  }
  return (nsds_block){.set = NSDS_SET_COULOMB, .size = 3};
}

bool nsds_same_contact(const nsds_block *block, const nsds_block *first) {
  return block->size == 0 || (block->set == first->set && block->size == first->size);
}

nsds_problem nsds_blocks_of(const nsds_global_problem *problem) {
  return (nsds_problem){.n = problem->n, .nblock = problem->nblock, .block = problem->block};
}

static bool fits(const nsds_block *block, nsds_format format, const nsds_block *first) {
  if (block->size == 0) return true;
  bool half = block->set == NSDS_SET_NONNEGATIVE;
  switch (format) {
  case NSDS_FORMAT_LCP: return half;
  case NSDS_FORMAT_MLCP: return half || block->set == NSDS_SET_EQUALITY;
  case NSDS_FORMAT_RELAY:
    return half || block->set == NSDS_SET_EQUALITY || block->set == NSDS_SET_BOX;
  case NSDS_FORMAT_FRICTION:
    return block->set == NSDS_SET_COULOMB && nsds_same_contact(block, first);
  case NSDS_FORMAT_ROLLING:
    return block->set == NSDS_SET_ROLLING && nsds_same_contact(block, first);
  default: return nsds_same_contact(block, first);
  }
}

int nsds_misfit(const nsds_problem *problem, nsds_format format) {
  nsds_block first = nsds_first_contact(problem);
  for (int a = 0; a < problem->nblock; ++a)
    if (!fits(&problem->block[a], format, &first)) return a;
  return -1;
}

static nsds_status write_text_check_blocks(nsds_context *context, const nsds_problem *problem,
                                           const char *path, nsds_format format) {
  static const char *const wanted[] = {
      [NSDS_FORMAT_LCP] = "NONNEGATIVE blocks",
      [NSDS_FORMAT_MLCP] = "EQUALITY and NONNEGATIVE blocks",
      [NSDS_FORMAT_RELAY] = "BOX, EQUALITY and NONNEGATIVE blocks",
      [NSDS_FORMAT_FRICTION] = "COULOMB blocks of one size, 2 or 3",
      [NSDS_FORMAT_ROLLING] = "ROLLING blocks of one size, 3 or 5",
      [NSDS_FORMAT_GLOBAL] = "COULOMB or ROLLING blocks of one size",
  };
  int a = nsds_misfit(problem, format);
  return a < 0 ? NSDS_OK : nsds_refuse_block(context, problem, a, path, format, wanted[format]);
}

/* ---- numbers ---- */

static void write_text_put(const writer *w, const char *before, double value, const char *after) {
  char text[nsds_number_size];
  nsds_format_real(&w->point, value, text);
  fprintf(w->file, "%s%s%s", before, text, after);
}

/* Writes count numbers in one line. */
static void put_line(const writer *w, const double *x, int count) {
  for (int k = 0; k < count; ++k) write_text_put(w, "", x[k], k + 1 < count ? " " : "");
  fputc('\n', w->file);
}

/* ---- matrix ---- */

static void put_dense(const writer *w, const nsds_matrix *M) {
  fprintf(w->file, "0\n%d\n%d\n%d %d\n", M->n, M->n, M->n, M->n);
  for (int j = 0; j < M->n; ++j) put_line(w, M->x + (size_t)j * (size_t)M->n, M->n);
}

static void put_ints(const writer *w, const int *x, int count) {
  for (int k = 0; k < count; ++k) fprintf(w->file, "%d%s", x[k], k + 1 < count ? " " : "");
  fputc('\n', w->file);
}

static void write_text_put_blocks(const writer *w, int n, const nsds_block_rows *B) {
  int rows = B->nrow_block, nblock = B->first[rows];
  fprintf(w->file, "1\n%d\n%d\n%d\n%d\n%d\n", n, n, nblock, rows, rows);
  put_ints(w, B->row + 1, rows);
  put_ints(w, B->row + 1, rows);
  fprintf(w->file, "%d\n%d\n", rows + 1, nblock);
  put_ints(w, B->first, rows + 1);
  put_ints(w, B->column, nblock);
  for (int a = 0; a < rows; ++a)
    for (int k = B->first[a]; k < B->first[a + 1]; ++k) {
      int size = B->row[a + 1] - B->row[a];
      fprintf(w->file, "%d\n", k);
      for (int j = 0; j < B->row[B->column[k] + 1] - B->row[B->column[k]]; ++j)
        put_line(w, B->x + B->start[k] + j * size, size);
    }
}

/* Returns max_j sum_i |M_ij|. */
static double norm1(int ncolumn, const nsds_columns *M) {
  double largest = 0.0;
  for (int j = 0; j < ncolumn; ++j) {
    double sum = 0.0;
    for (int k = M->p[j]; k < M->p[j + 1]; ++k) sum += fabs(M->x[k]);
    if (sum > largest) largest = sum;
  }
  return largest;
}

static void write_text_put_columns(const writer *w, int nrow, int ncolumn, const nsds_columns *M) {
  int count = M->p[ncolumn];
  fprintf(w->file, "2\n%d\n%d\n2\nlibnsds %s\n", nrow, ncolumn, nsds_version());
  fprintf(w->file, "%d-by-%d, nzmax: %d nnz: %d, ", nrow, ncolumn, count, count);
  write_text_put(w, "1-norm: ", norm1(ncolumn, M), "\n");
  for (int j = 0; j < ncolumn; ++j) {
    fprintf(w->file, "    col %d : locations %d to %d\n", j, M->p[j], M->p[j + 1] - 1);
    for (int k = M->p[j]; k < M->p[j + 1]; ++k) {
      fprintf(w->file, "      %d", M->i[k]);
      write_text_put(w, " : ", M->x[k], "\n");
    }
  }
}

/* ---- problems ---- */

static void put_mlcp_head(const writer *w, const nsds_problem *problem) {
  int rows[2] = {0, 0}, end = 0;
  for (int a = 0; a < problem->nblock; ++a)
    rows[problem->block[a].set == NSDS_SET_NONNEGATIVE] += problem->block[a].size;
  fprintf(w->file, "1\n0\n%d\n%d\n0", rows[0], rows[1]);
  for (int a = 0; a < problem->nblock; ++a)
    if (problem->block[a].size > 0) fprintf(w->file, " %d", end += problem->block[a].size);
  fputc('\n', w->file);
  for (int a = 0; a < problem->nblock; ++a)
    if (problem->block[a].size > 0)
      fprintf(w->file, "%d ", problem->block[a].set == NSDS_SET_NONNEGATIVE);
  fputc('\n', w->file);
}

static void put_contact_head(const writer *w, const nsds_problem *problem) {
  int d = nsds_first_contact(problem).size;
  fprintf(w->file, "%d\n%d\n", d, problem->n / d);
}

static void put_head(const writer *w, const nsds_problem *problem, nsds_format format) {
  switch (format) {
  case NSDS_FORMAT_LCP:
  case NSDS_FORMAT_RELAY: fprintf(w->file, "%d\n", problem->n); break;
  case NSDS_FORMAT_MLCP: put_mlcp_head(w, problem); break;
  default: put_contact_head(w, problem); break;
  }
}

/* Writes the lower or the upper bounds of a relay. */
static void put_bounds(const writer *w, const nsds_problem *problem, bool upper) {
  for (int a = 0; a < problem->nblock; ++a) {
    const nsds_block *block = &problem->block[a];
    for (int i = 0; i < block->size; ++i) {
      double bound = upper ? INFINITY : block->set == NSDS_SET_NONNEGATIVE ? 0.0 : -INFINITY;
      if (block->set == NSDS_SET_BOX) bound = upper ? block->upper[i] : block->lower[i];
      write_text_put(w, "", bound, "\n");
    }
  }
}

static void put_coefficients(const writer *w, const nsds_problem *problem) {
  for (int a = 0; a < problem->nblock; ++a)
    if (problem->block[a].size > 0) write_text_put(w, "", problem->block[a].mu, "\n");
  if (nsds_first_contact(problem).set != NSDS_SET_ROLLING) return;
  for (int a = 0; a < problem->nblock; ++a)
    if (problem->block[a].size > 0) {
      double mu = problem->block[a].mu_rolling;
      bool like_a_flag = mu == 0.0 || mu == 1.0; /* if it followed a friction problem in space */
      write_text_put(w, "", mu, like_a_flag ? ".0\n" : "\n");
    }
}

/* Writes a problem. `columns` is NULL for storages that are written as they are. */
static void write_text_put_problem(const writer *w, const nsds_problem *problem,
                                   const nsds_columns *columns, nsds_format format) {
  put_head(w, problem, format);
  if (columns) write_text_put_columns(w, problem->n, problem->n, columns);
  else if (problem->M.storage == NSDS_DENSE) put_dense(w, &problem->M);
  else write_text_put_blocks(w, problem->n, problem->M.blocks);
  put_line(w, problem->q, problem->n);
  if (format == NSDS_FORMAT_RELAY) {
    put_bounds(w, problem, false);
    put_bounds(w, problem, true);
  }
  if (format == NSDS_FORMAT_FRICTION || format == NSDS_FORMAT_ROLLING) put_coefficients(w, problem);
}

static void put_global(const writer *w, const nsds_global_problem *problem) {
  static const int no_columns[1] = {0};
  const nsds_matrix *M = &problem->M;
  nsds_columns H = {
      .p = problem->n > 0 ? problem->H.p : no_columns, .i = problem->H.i, .x = problem->H.x};
  nsds_columns mass = {.p = M->p, .i = M->i, .x = M->x};
  nsds_problem blocks = nsds_blocks_of(problem);
  put_contact_head(w, &blocks);
  if (M->storage == NSDS_DENSE) put_dense(w, M);
  else write_text_put_columns(w, problem->nv, problem->nv, &mass);
  write_text_put_columns(w, problem->nv, problem->n, &H);
  put_line(w, problem->f, problem->nv);
  put_line(w, problem->w, problem->n);
  put_coefficients(w, &blocks);
}

/* ---- files ---- */

static nsds_status open_file(nsds_context *context, const char *path, writer *w) {
  nsds_status status = nsds_new_file_open(&w->of, context, NULL, path);
  w->file = w->of.file;
  w->point = nsds_locale_point_now();
  return status;
}

static nsds_status write_text_write_file(nsds_context *context, const nsds_problem *problem,
                                         const nsds_columns *columns, const char *path,
                                         nsds_format format) {
  writer w;
  nsds_status status = open_file(context, path, &w);
  if (status) return status;
  write_text_put_problem(&w, problem, columns, format);
  return nsds_new_file_close(&w.of, true);
}

nsds_status nsds_write_global_text(nsds_context *context, const nsds_global_problem *problem,
                                   const char *path) {
  writer w;
  nsds_problem blocks = nsds_blocks_of(problem);
  nsds_status status = write_text_check_blocks(context, &blocks, path, NSDS_FORMAT_GLOBAL);
  if (status) return status;
  if (problem->p > 0)
    return nsds_fail(context, NSDS_ERROR_UNSUPPORTED,
                     "nsds_global_write: %s: p is %d; the format global holds no equality rows; "
                     "nsds and fclib (names ending in .nsds and .hdf5) have to be used",
                     path, problem->p);
  status = open_file(context, path, &w);
  if (status) return status;
  put_global(&w, problem);
  return nsds_new_file_close(&w.of, true);
}

nsds_status nsds_write_text(nsds_context *context, const nsds_problem *problem, const char *path,
                            nsds_format format) {
  nsds_status status = write_text_check_blocks(context, problem, path, format);
  if (status) return status;
  if (problem->M.storage == NSDS_DENSE || problem->M.storage == NSDS_BLOCK_ROWS)
    return write_text_write_file(context, problem, NULL, path, format);
  nsds_columns columns;
  status = nsds_columns_of(context, problem, &columns);
  if (!status) status = write_text_write_file(context, problem, &columns, path, format);
  nsds_columns_release(context, &columns);
  return status;
}
