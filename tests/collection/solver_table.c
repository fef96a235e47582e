/*
 * Every solver of the table on every file of the problem collection, from z = 0:
 *
 *     solver_table SECONDS OUT COMMITTED FILE...
 *
 * SECONDS limits each solve but those of "auto", which has to solve all. OUT receives the table
 * (markdown) behind its line <!-- collection -->, before which it stays as it is; docs/measurements.md
 * is made so. COMMITTED, if not empty, is a document with a table of before: it must have the same
 * methods and problems, while its numbers are not compared. A cell that claims what
 * is not so fails the program: "solved" that the certifier denies, "no solution" although there is
 * one, numbers that are not finite, a status that is no answer, a refusal of what the row of the
 * method says it accepts.
 */
#include <nsds/io.h>
#include <nsds/solver.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { most_methods = 64, most_problems = 128, most_text = 32 };

static const double tolerance = 1e-8;

typedef struct subject {
  char name[64];
  nsds_problem_file *file;
  const nsds_problem *problem;
  const char *kind;
  char cell[most_methods][most_text];
} subject;

static const struct {
  const char *kind, *title;
} kinds[] = {{"lcp", "Linear complementarity"},
             {"mlcp", "Mixed linear complementarity"},
             {"fc2d", "Friction in the plane"},
             {"fc3d", "Friction in space"}};

enum { kind_count = sizeof kinds / sizeof *kinds };

/* ---- one cell ---- */

static int dishonest;

static void accuse(const nsds_solver_row *row, const subject *s, const char *what, double value) {
  printf("%s on %s: %s (%g)\n", row->name, s->name, what, value);
  ++dishonest;
}

static bool takes(const nsds_solver_row *row, const nsds_problem *problem) {
  unsigned sets = 0;
  for (int a = 0; a < problem->nblock; ++a)
    if (problem->block[a].size > 0) sets |= (unsigned)problem->block[a].set;
  return !(sets & ~row->sets) && ((unsigned)problem->M.storage & row->storages);
}

/* What a method says against what the certifier and its row say. Every problem has a solution. */
static void check(const nsds_solver_row *row, const subject *s, nsds_status status,
                  const nsds_solver_info *info, const double *z, const double *w, double residual) {
  bool finite = true;
  for (int i = 0; i < s->problem->n; ++i) finite = finite && isfinite(z[i]) && isfinite(w[i]);
  if (!finite) accuse(row, s, "z or w is not finite", NAN);
  if (status != NSDS_OK && status != NSDS_ERROR_SOLVER) accuse(row, s, "no answer", status);
  if ((status == NSDS_OK) != (info->outcome == NSDS_SOLVED))
    accuse(row, s, "status and outcome differ", info->outcome);
  if (info->outcome == NSDS_SOLVED && !(residual <= tolerance))
    accuse(row, s, "solved, says the method alone", residual);
  if (info->outcome != NSDS_REFUSED && !(fabs(info->residual - residual) <= 1e-3 * residual))
    accuse(row, s, "the residual reported is not the certifier's", info->residual);
  if (row == nsds_solver_table(0) && info->outcome != NSDS_SOLVED)
    accuse(row, s, "not solved", residual);
  if (info->outcome == NSDS_NO_SOLUTION) accuse(row, s, "said to have no solution", residual);
  if (info->outcome != NSDS_REFUSED && !takes(row, s->problem))
    accuse(row, s, "not refused", residual);
}

static void print_cell(const nsds_solver_row *row, const nsds_solver_info *info, char *cell) {
  static const char letter[] = "?nsrri";
  bool chosen = strcmp(info->solver, row->name) != 0;
  if (info->outcome == NSDS_REFUSED) snprintf(cell, most_text, "–");
  else if (info->outcome == NSDS_SOLVED)
    snprintf(cell, most_text, "%d%s%s", info->iterations, chosen ? " " : "",
             chosen ? info->solver : "");
  else snprintf(cell, most_text, "%c %.0e", letter[info->outcome], info->residual);
}

static void run(nsds_context *context, int method, double seconds, subject *s) {
  const nsds_solver_row *row = nsds_solver_table(method);
  size_t n = (size_t)s->problem->n;
  nsds_solver *solver = nsds_solver_create(context, row->name);
  double *z = calloc(2 * n + nsds_problem_work(s->problem) + 1, sizeof *z), *w = z + n;
  nsds_solver_info info;
  nsds_certificate certificate;
  if (!solver || !z) exit(EXIT_FAILURE);
  nsds_solver_set(solver, "tolerance", tolerance);
  if (method > 0) nsds_solver_set(solver, "time_limit", seconds);
  nsds_status status = nsds_solve(solver, s->problem, z, w, &info);
  nsds_certify(s->problem, z, w + n, &certificate);
  check(row, s, status, &info, z, w, certificate.residual);
  print_cell(row, &info, s->cell[method]);
  nsds_solver_destroy(solver);
  free(z);
}

/* ---- the table ---- */

static const char mark[] = "<!-- collection -->\n";

static void write_head(FILE *out, double seconds) {
  fprintf(
      out,
      "## All methods on a collection of problems\n\n"
      "`tests/collection/solver_table.c` (the target `solver_table`) writes this section. The "
      "program runs every method of\n"
      "the table of solvers on every problem of the collection. Each solve starts from z = 0, with "
      "default options, a\ntolerance of %.0e and a limit of %g s.\n\n"
      "| cell | |\n|---|---|\n"
      "| 12 | solved, certified, after 12 iterations; for `auto` with the method that did |\n"
      "| n 3e-05 | not converged: ended by itself with this scale-free residual |\n"
      "| i 3e-05 | interrupted by the limit of time with this residual |\n"
      "| r 3e-05 | ended on a secondary ray |\n"
      "| – | refused: sets, storage or size are not for this method |\n\n"
      "Iterations are pivots, sweeps, projections, Newton steps or sub-problems and do not cost\n"
      "the same. The numbers differ a little between machines. The test\n"
      "`collection.solver_table` repeats all this with less time for each solve. The test fails "
      "if\n"
      "a cell claims what the certifier denies, or if `auto` does not solve a problem.\n",
      tolerance, seconds);
}

static void write_kind(FILE *out, const char *kind, const char *title, const subject *s,
                       int count) {
  fprintf(out, "\n### %s\n\n| problem | rows | blocks |\n|---|---|---|\n", title);
  for (int k = 0; k < count; ++k)
    if (strcmp(s[k].kind, kind) == 0)
      fprintf(out, "| %s | %d | %d |\n", s[k].name, s[k].problem->n, s[k].problem->nblock);
  fprintf(out, "\n| method |");
  for (int k = 0; k < count; ++k)
    if (strcmp(s[k].kind, kind) == 0) fprintf(out, " %s |", s[k].name);
  fprintf(out, "\n|---|");
  for (int k = 0; k < count; ++k)
    if (strcmp(s[k].kind, kind) == 0) fprintf(out, "---|");
  fputc('\n', out);
  for (int m = 0; nsds_solver_table(m) && !nsds_solver_table(m)->global; ++m) {
    fprintf(out, "| `%s` |", nsds_solver_table(m)->name);
    for (int k = 0; k < count; ++k)
      if (strcmp(s[k].kind, kind) == 0) fprintf(out, " %s |", s[k].cell[m]);
    fputc('\n', out);
  }
}

/* The next line without the cells of a method's row, which begins with "| `". */
static bool read_line(FILE *file, char *line, int size) {
  if (!fgets(line, size, file)) return false;
  char *end = strncmp(line, "| `", 3) == 0 ? strchr(line + 3, '`') : NULL;
  if (end) end[1] = '\0';
  return true;
}

/* Lines from the first "### " behind the mark on agree but for the cells. */
static bool find_tables(FILE *file, char *line, int size) {
  bool marked = false;
  while (read_line(file, line, size)) {
    marked = marked || strcmp(line, mark) == 0;
    if (marked && strncmp(line, "### ", 4) == 0) return true;
  }
  return false;
}

static bool same_structure(const char *written, const char *committed) {
  char a[8192], b[8192];
  FILE *fa = fopen(written, "r"), *fb = fopen(committed, "r");
  bool same = fa && fb && find_tables(fa, a, sizeof a) && find_tables(fb, b, sizeof b);
  bool more = same;
  while (more && same) {
    same = strcmp(a, b) == 0;
    if (!same) printf("%s has\n%s\nwhere it should have\n%s\n", committed, b, a);
    bool more_a = read_line(fa, a, sizeof a), more_b = read_line(fb, b, sizeof b);
    if (more_a != more_b) same = false;
    more = more_a && more_b;
  }
  if (fa) fclose(fa);
  if (fb) fclose(fb);
  if (!same) printf("%s is not of this library: build the target solver_table\n", committed);
  return same;
}

/* ---- all ---- */

static void open_subject(nsds_context *context, const char *path, subject *s) {
  const char *slash = strrchr(path, '/');
  snprintf(s->name, sizeof s->name, "%s", slash ? slash + 1 : path);
  char *dot = strrchr(s->name, '.');
  if (dot) *dot = '\0';
  s->file = nsds_problem_read(context, path, NSDS_FORMAT_AUTO);
  if (!s->file) {
    printf("%s\n", nsds_error_message(context));
    exit(EXIT_FAILURE);
  }
  s->problem = nsds_problem_file_problem(s->file);
  s->kind = nsds_problem_file_kind(s->file);
}

/* Where the file at `path`, if there is one, has the mark, or 0. */
static long end_of_text(const char *path) {
  char line[8192];
  long end = 0;
  FILE *file = fopen(path, "r");
  while (file && fgets(line, sizeof line, file)) {
    if (strcmp(line, mark) == 0) break;
    end = ftell(file);
  }
  if (file && feof(file)) end = 0;
  if (file) fclose(file);
  return end;
}

static bool write_table(const char *path, double seconds, const subject *s, int count) {
  long end = end_of_text(path);
  char *text = calloc((size_t)end + 1, 1);
  FILE *in = end > 0 ? fopen(path, "r") : NULL;
  bool kept = text && (end == 0 || (in && fread(text, 1, (size_t)end, in) == (size_t)end));
  if (in) fclose(in);
  FILE *out = kept ? fopen(path, "w") : NULL;
  if (out) fprintf(out, "%s%s", text, mark);
  free(text);
  if (!out) return false;
  write_head(out, seconds);
  for (int k = 0; k < kind_count; ++k) write_kind(out, kinds[k].kind, kinds[k].title, s, count);
  return fclose(out) == 0;
}

int main(int argc, char **argv) {
  static subject subjects[most_problems];
  int count = argc - 4;
  if (count < 1) {
    printf("skipped: reference data not present\n");
    return EXIT_SUCCESS;
  }
  if (count > most_problems) return EXIT_FAILURE;
  double seconds = strtod(argv[1], NULL);
  nsds_context *context = nsds_context_create(NULL);
  for (int k = 0; k < count; ++k) open_subject(context, argv[k + 4], &subjects[k]);
  for (int m = 0; nsds_solver_table(m) && !nsds_solver_table(m)->global && m < most_methods; ++m)
    for (int k = 0; k < count; ++k) run(context, m, seconds, &subjects[k]);
  bool good = write_table(argv[2], seconds, subjects, count) && dishonest == 0;
  if (argv[3][0]) good = same_structure(argv[2], argv[3]) && good;
  for (int k = 0; k < count; ++k) nsds_problem_file_destroy(subjects[k].file);
  nsds_context_destroy(context);
  return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
