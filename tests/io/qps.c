/*
 * QPS files: a programme by hand with every section, what is refused, and drawn programmes (bench/qp_hard.h)
 * written in several styles, whose answers the yardstick of bench/qp.h judges.
 *
 *   io_qps [COUNT]     so many programmes of each family and style
 */
#include "support.h"
#include "qp_hard.h"

#include <nsds/nsds.h>

static int count = 1;

static nsds_problem_file *read_text(nsds_context *context, const char *text) {
  return nsds_problem_read_memory(context, "trial.qps", text, strlen(text), NSDS_FORMAT_AUTO);
}

/* ---- by hand ---- */

static const char head[] =
    "* a comment\nNAME          TRIAL\nOBJSENSE\n    MAX\nROWS\n N  COST\n N  OTHER\n"
    " L  LIM1\n G  LIM2\n E  MYEQN\n E  SAME\n";
static const char columns[] =
    "COLUMNS\n    X1        COST         1.0   LIM1         1.0\n"
    "    X1        LIM2         1.0   OTHER        9.0   $ a remark\n"
    "    X2        COST         2.0   LIM1         1.0\n    X2        MYEQN       -1.0\n"
    "    X3        SAME      1.5D+1\n    X4        SAME         1.0\n";
static const char rest[] =
    "RHS\n    RHS       LIM1         4.0   LIM2         1.0\n    RHS       MYEQN        7.0   COST "
    "5\n"
    "    OTHER     LIM1         9.0\n"
    "RANGES\n    RNG       LIM1         2.5   MYEQN       -3.0\n    RNG       SAME 0\n"
    "BOUNDS\n UP BND       X1           4.0\n LO BND       X2          -1.0\n UP BND       X3 -2\n"
    " FR OTHER     X1\n UP BND       X4 1e30\n MI BND       X4\n";
static const char curvature[] =
    "QUADOBJ\n    X1        X1          -8.0\n    X2        X1          -2.0\n"
    "    X2        X2          -1.0\n";

static double entry(const nsds_matrix *M, int i, int j) {
  for (int k = M->p[j]; k < M->p[j + 1]; ++k)
    if (M->i[k] == i) return M->x[k];
  return 0.0;
}

static void every_section_is_read(void **unused) {
  (void)unused;
  enum { x1, x2, x3, x4, of_lim1, of_myeqn, lim1, lim2, myeqn, same, n };
  char text[4096];
  nsds_context *context = nsds_context_create(NULL);
  snprintf(text, sizeof text, "%s%s%s%sENDATA\n", head, columns, rest, curvature);
  nsds_problem_file *file = read_text(context, text);
  assert_non_null(file);
  assert_string_equal(nsds_problem_file_kind(file), "program");
  const nsds_problem *p = nsds_problem_file_problem(file);
  const nsds_notes *notes = nsds_problem_file_notes(file);
  assert_int_equal(p->n, n);
  static const double q[n] = {-1.0, -2.0, 0.0, 0.0, 0.0, 0.0, 0.0, -1.0, 0.0, 0.0};
  static const double lower[n] = {0.0, -1.0,      -INFINITY, -INFINITY, 1.5,
                                  4.0, -INFINITY, 0.0,       -INFINITY, -INFINITY};
  static const double upper[n] = {4.0, INFINITY, -2.0,     INFINITY, 4.0,
                                  7.0, INFINITY, INFINITY, INFINITY, INFINITY};
  for (int i = 0; i < n; ++i) {
    const nsds_block *b = &p->block[i];
    bool box = b->set == NSDS_SET_BOX, positive = b->set == NSDS_SET_NONNEGATIVE;
    assert_true(p->q[i] == q[i]);
    assert_true((box ? b->lower[0] : positive ? 0.0 : -INFINITY) == lower[i]);
    assert_true((box ? b->upper[0] : INFINITY) == upper[i]);
  }
  const nsds_matrix *M = nsds_problem_file_matrix(file);
  assert_true(entry(M, x1, x1) == 8.0 && entry(M, x1, x2) == 2.0 && entry(M, x2, x1) == 2.0 &&
              entry(M, x2, x2) == 1.0);
  assert_true(entry(M, lim1, x1) == 1.0 && entry(M, x1, lim1) == -1.0);
  assert_true(entry(M, lim1, of_lim1) == -1.0 && entry(M, of_lim1, lim1) == 1.0);
  assert_true(entry(M, lim2, x1) == 1.0 && entry(M, myeqn, x2) == -1.0);
  assert_true(entry(M, same, x3) == 15.0 && entry(M, same, x4) == 1.0);
  assert_string_equal(notes->block_name[x4], "X4");
  assert_string_equal(notes->block_name[of_myeqn], "MYEQN");
  assert_string_equal(notes->block_name[same], "SAME");
  nsds_problem_file_destroy(file);
  nsds_context_destroy(context);
}

/* ---- refused ---- */

static void what_does_not_fit_is_refused(void **unused) {
  (void)unused;
  static const char rows[] = "ROWS\n N c\n L r\n", all[] = "COLUMNS\n x c 1 r 1\n",
                    two[] = "COLUMNS\n x c 1 r 1\n y c 1 r 1\n",
                    three[] = "COLUMNS\n x c 1 r 1\n y c 1 r 1\n z c 1 r 1\n";
  static const struct {
    const char *sections[3], *line, *says;
  } wrong[] = {
      {{"ROWS\n N c\n Q r\n"}, "line 3", "a row: N, E, L or G"},
      {{"ROWS\n N c\n L c\n"}, "line 3", "a name of its own"},
      {{rows, "COLUMNS\n x c\n"}, "line 5", "a column, then one or two pairs"},
      {{rows, "COLUMNS\n x c one\n"}, "line 5", "a finite number"},
      {{rows, "COLUMNS\n x c inf\n"}, "line 5", "a finite number"},
      {{rows, "COLUMNS\n x d 1\n"}, "line 5", "the name of a row"},
      {{rows, "COLUMNS\n M1 'MARKER' 'INTORG'\n"}, "line 5", "real numbers"},
      {{rows, "COLUMNS\nENDATA\n"}, "line 6", "columns"},
      {{rows, all, "RHS\n 1 2 3 4 5 6\n"}, "line 7", "one or two pairs"},
      {{rows, all, "BOUNDS\n UP B y 1\n"}, "line 7", "the name of a column"},
      {{rows, all, "BOUNDS\n UP B x one\n"}, "line 7", "a number in a bound"},
      {{rows, all, "BOUNDS\n UP\n"}, "line 7", "its kind, a column and a number"},
      {{rows, all, "BOUNDS\n LI B x 1\n"}, "line 7", "UP, LO, FX, FR, MI or PL"},
      {{rows, all, "BOUNDS\n BV B x\n"}, "line 7", "UP, LO, FX, FR, MI or PL"},
      {{rows, all, "BOUNDS\n LO B x inf\n"}, "line 7", "below inf"},
      {{rows, all, "BOUNDS\n FX B x 1e30\n"}, "line 7", "fixed value below 1e20, found \"1e30\""},
      {{rows, all, "RHS\n R r 2,5\n"}, "line 7", "found \"2,5\""},
      {{rows, all, "QUADOBJ\n x y 1\n"}, "line 7", "the names of two columns"},
      {{rows, all, "QUADOBJ\n x 1\n"}, "line 7", "two columns and a finite number"},
      {{rows, all, "OBJSENSE\n BOTH\n"}, "line 7", "MAX or MIN"},
      {{rows, all, "SOS1\n"}, "line 6", "a section"},
      {{"NAME x\n 1 2\n"}, "line 2", "in the first column"},
      {{rows, all, "RHS\n r 1\n"}, "line 8", "ENDATA"},
      {{rows, all, "QUADOBJ\n x x 1e308\n x x 1e308\nENDATA\n"}, "line 10", "a finite sum"},
      {{rows, two, "QUADOBJ\n x y 1\n y x 1\n x x 5\n y y 5\nENDATA\n"}, "line 13", "one triangle"},
      {{rows, all, "QUADOBJ\n x x -2\nENDATA\n"}, "line 9", "a convex objective"},
      {{rows, all, "QUADOBJ\n x x 2\nOBJSENSE\n MAX\nENDATA\n"}, "line 11", "a concave objective"},
      {{rows, two, "QUADOBJ\n x y 1\nENDATA\n"}, "line 10", "a convex objective"},
      {{rows, two, "QUADOBJ\n x x 1\n x y 2\n y y 3\nENDATA\n"}, "line 12", "convex objective"},
      {{rows, three, "QUADOBJ\n x x 1\n x y .9\n x z .9\n y y 1\n y z -.9\n z z 1\nENDATA\n"},
       "line 16",
       "convex objective"},
  };
  for (size_t k = 0; k < sizeof wrong / sizeof *wrong; ++k) {
    char text[512] = "";
    for (int s = 0; s < 3 && wrong[k].sections[s]; ++s)
      snprintf(text + strlen(text), sizeof text - strlen(text), "%s", wrong[k].sections[s]);
    nsds_context *context = nsds_context_create(NULL);
    assert_null(read_text(context, text));
    assert_int_equal(nsds_error(context), NSDS_ERROR_FORMAT);
    const char *message = nsds_error_message(context);
    if (!strstr(message, wrong[k].line) || !strstr(message, wrong[k].says))
      print_message("%zu: %s\n", k, message);
    assert_non_null(strstr(message, wrong[k].line));
    assert_non_null(strstr(message, wrong[k].says));
    nsds_context_destroy(context);
  }
}

/* ---- bounds and curvature ---- */

/* A lower bound that the file states stays, the symmetric part of a matrix counts. */
static void bounds_and_symmetric_parts(void **unused) {
  (void)unused;
  nsds_context *context = nsds_context_create(NULL);
  nsds_problem_file *file = read_text(context, "ROWS\n N c\n L r\nCOLUMNS\n x c 1 r 1\n y c 1\n"
                                               "BOUNDS\n UP B x -1\n UP B y 2\n LO B y -3\n"
                                               "QMATRIX\n x x 2\n x y 2\n y y 3\nENDATA\n");
  assert_non_null(file);
  const nsds_problem *p = nsds_problem_file_problem(file);
  const nsds_matrix *M = nsds_problem_file_matrix(file);
  assert_true(p->block[0].lower[0] == -INFINITY && p->block[0].upper[0] == -1.0);
  assert_true(p->block[1].lower[0] == -3.0 && p->block[1].upper[0] == 2.0);
  assert_true(entry(M, 0, 0) == 2.0 && entry(M, 0, 1) == 1.0 && entry(M, 1, 0) == 1.0);
  nsds_problem_file_destroy(file);
  file = read_text(context, "ROWS\n N c\n L r\nCOLUMNS\n x c 1 r 1\n"
                            "BOUNDS\n LO B x 0\n UP B x -1\nENDATA\n");
  assert_non_null(file); /* the bounds contradict each other, and no x obeys them */
  assert_true(nsds_problem_file_problem(file)->block[0].lower[0] == 0.0);
  nsds_problem_file_destroy(file);
  nsds_context_destroy(context);
}

static double draw(uint64_t *state, double from, double to) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return from + (to - from) * (double)(*state >> 11) * 0x1p-53;
}

enum { most_drawn = 12 };

/* H = G G', of any rank, is convex; less 1.02 w w' with w = H u / sqrt(u.H u) it is not. */
static void draw_curvature(uint64_t *state, int n, bool convex, double H[most_drawn][most_drawn]) {
  double G[most_drawn][most_drawn], w[most_drawn], u[most_drawn], square = 0.0;
  int rank = 1 + (int)draw(state, 0.0, n - 0.01);
  for (int i = 0; i < n; ++i) {
    double size = pow(10.0, draw(state, -2.0, 2.0));
    for (int j = 0; j < rank; ++j) G[i][j] = size * draw(state, -1.0, 1.0);
    u[i] = draw(state, -1.0, 1.0) / size;
  }
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      H[i][j] = 0.0;
      for (int k = 0; k < rank; ++k) H[i][j] += G[i][k] * G[j][k];
    }
  for (int i = 0; i < n; ++i) {
    w[i] = 0.0;
    for (int j = 0; j < n; ++j) w[i] += H[i][j] * u[j];
    square += w[i] * u[i];
  }
  for (int i = 0; !convex && i < n; ++i)
    for (int j = 0; j < n; ++j) H[i][j] -= 1.02 * w[i] * w[j] / square;
}

static void drawn_curvatures(void **unused) {
  (void)unused;
  for (uint64_t seed = 1; seed <= 300; ++seed) {
    uint64_t state = 7919 * seed;
    int n = 2 + (int)draw(&state, 0.0, most_drawn - 2.01);
    bool convex = seed % 2;
    double H[most_drawn][most_drawn];
    char text[8192];
    draw_curvature(&state, n, convex, H);
    size_t at = (size_t)snprintf(text, sizeof text, "ROWS\n N c\n L r\nCOLUMNS\n");
    for (int i = 0; i < n; ++i)
      at += (size_t)snprintf(text + at, sizeof text - at, " x%d c 1 r 1\n", i);
    at += (size_t)snprintf(text + at, sizeof text - at, "QUADOBJ\n");
    for (int i = 0; i < n; ++i)
      for (int j = 0; j <= i; ++j)
        at += (size_t)snprintf(text + at, sizeof text - at, " x%d x%d %.17g\n", j, i, H[i][j]);
    snprintf(text + at, sizeof text - at, "ENDATA\n");
    nsds_context *context = nsds_context_create(NULL);
    nsds_problem_file *file = read_text(context, text);
    if ((file != NULL) != convex)
      fail_msg("%d columns, seed %d: %s", n, (int)seed, nsds_error_message(context));
    nsds_problem_file_destroy(file);
    nsds_context_destroy(context);
  }
}

/* ---- drawn ---- */

typedef enum qps_style { FREE, COLUMNS, LESS, MOST, styles } qps_style;

typedef struct writer {
  FILE *out;
  const qp *p;
  qps_style style;
} writer;

/* In COLUMNS names hold blanks. In LESS rows are turned, in MOST the objective. */
static void put_name(const writer *w, char kind, int k) {
  char name[16];
  snprintf(name, sizeof name, w->style == COLUMNS ? "%c %d" : "%c%d", kind, k);
  fprintf(w->out, w->style == COLUMNS ? "%-8s  " : "%s ", name);
}

static void put_number(const writer *w, double x) { fprintf(w->out, "%.17g\n", x); }

static void put_pair(const writer *w, const char *set, char kind, int k, double x) {
  fprintf(w->out, w->style == COLUMNS ? "    %-8s  " : " %s ", set);
  put_name(w, kind, k);
  put_number(w, x);
}

static void put_entry(const writer *w, int j, char kind, int k, double x) {
  fputs(w->style == COLUMNS ? "    " : " ", w->out);
  put_name(w, 'x', j);
  put_name(w, kind, k);
  put_number(w, x);
}

static void put_bound(const writer *w, const char *kind, int j, double x) {
  fprintf(w->out, w->style == COLUMNS ? " %s BND       " : " %s B ", kind);
  put_name(w, 'x', j);
  put_number(w, x);
}

static void put_bounds(const writer *w) {
  const qp *p = w->p;
  fputs("BOUNDS\n", w->out);
  for (int j = 0; j < p->n; ++j) {
    if (p->lower[j] == p->upper[j]) put_bound(w, "FX", j, p->lower[j]);
    else if (isinf(p->lower[j]) && isinf(p->upper[j])) put_bound(w, "FR", j, 0.0);
    else {
      if (isinf(p->lower[j])) put_bound(w, "MI", j, 0.0);
      if (isfinite(p->upper[j])) put_bound(w, "UP", j, p->upper[j]);
      if (isfinite(p->lower[j])) put_bound(w, "LO", j, p->lower[j]);
    }
  }
}

/* Numbers of 17 digits need more than twelve columns. */
static void write_programme(const writer *w) {
  const qp *p = w->p;
  double row_sign = w->style == LESS ? -1.0 : 1.0, sense = w->style == MOST ? -1.0 : 1.0;
  fprintf(w->out, "NAME  drawn\n%sROWS\n N  cost\n", w->style == MOST ? "OBJSENSE MAX\n" : "");
  for (int i = 0; i < p->m; ++i) {
    fprintf(w->out, " %c  ", p->equal[i] ? 'E' : w->style == LESS ? 'L' : 'G');
    put_name(w, 'r', i);
    fputc('\n', w->out);
  }
  fputs("COLUMNS\n", w->out);
  for (int j = 0, k = 0; j < p->n; ++j) {
    fputs(w->style == COLUMNS ? "    " : " ", w->out);
    put_name(w, 'x', j);
    fprintf(w->out, w->style == COLUMNS ? "cost      %.17g\n" : "cost %.17g\n", sense * p->c[j]);
    for (; k < p->A.count && p->A.entry[k].j == j; ++k)
      put_entry(w, j, 'r', p->A.entry[k].i,
                (p->equal[p->A.entry[k].i] ? 1.0 : row_sign) * p->A.entry[k].x);
  }
  fputs("RHS\n* the right-hand side\n\n", w->out);
  for (int i = 0; i < p->m; ++i)
    put_pair(w, "RHS", 'r', i, (p->equal[i] ? 1.0 : row_sign) * p->b[i]);
  put_bounds(w);
  fputs(w->style == FREE ? "QMATRIX\n" : "QUADOBJ\n", w->out);
  for (int k = 0; k < p->H.count; ++k) {
    qp_entry e = p->H.entry[k];
    if (w->style == FREE || e.i >= e.j) put_entry(w, e.j, 'x', e.i, sense * e.x);
  }
  fputs("ENDATA\n", w->out);
}

/* In columns the data are whole numbers, which fit. */
static bool fits(const qp *p, qps_style style) {
  bool whole = true;
  for (int k = 0; k < p->A.count; ++k) whole = whole && p->A.entry[k].x == rint(p->A.entry[k].x);
  for (int k = 0; k < p->H.count; ++k)
    whole = whole && fabs(p->H.entry[k].x) * 4096.0 == rint(fabs(p->H.entry[k].x) * 4096.0);
  for (int j = 0; j < p->n; ++j)
    whole = whole && fabs(p->c[j]) < 1e6 && p->c[j] * 16.0 == rint(p->c[j] * 16.0);
  return style != COLUMNS || whole;
}

static bool drawn_is_solved(const char *family, int seed, qps_style style) {
  qp p;
  assert_true(qp_hard_draw(&p, family, seed, 10, 120));
  if (!fits(&p, style)) return qp_free(&p), false;
  char path[] = "drawn_qps_XXXXXX";
  FILE *out = fopen(path, "w");
  assert_non_null(out);
  write_programme(&(writer){out, &p, style});
  fclose(out);
  nsds_context *context = nsds_context_create(NULL);
  nsds_problem_file *file = nsds_problem_read(context, path, NSDS_FORMAT_AUTO);
  remove(path);
  if (!file) print_message("%s\n", nsds_error_message(context));
  assert_non_null(file);
  const nsds_problem *problem = nsds_problem_file_problem(file);
  assert_int_equal(problem->n, p.n + p.m);
  nsds_solver *solver = nsds_solver_create(context, "auto");
  nsds_solver_info info;
  double *z = qp_numbers(problem->n), *w = qp_numbers(problem->n);
  nsds_solver_set(solver, "tolerance", 1e-8);
  assert_int_equal(nsds_solve(solver, problem, z, w, &info), NSDS_OK);
  assert_int_equal(info.outcome, NSDS_SOLVED);
  assert_true(qp_error(&p, z, z + p.n) <= 1e-7);
  free(z);
  free(w);
  nsds_solver_destroy(solver);
  nsds_problem_file_destroy(file);
  nsds_context_destroy(context);
  qp_free(&p);
  return true;
}

static void drawn_programmes_are_solved(void **unused) {
  (void)unused;
  int tried[styles] = {0};
  for (int f = 0; f < qp_hard_families; ++f)
    for (int seed = 1; seed <= count; ++seed)
      for (int s = 0; s < styles; ++s)
        tried[s] += drawn_is_solved(qp_hard_family[f], seed, (qps_style)s);
  for (int s = 0; s < styles; ++s) assert_true(tried[s] > 0);
}

int main(int argc, char **argv) {
  if (argc > 1) count = atoi(argv[1]);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bounds_and_symmetric_parts),  cmocka_unit_test(drawn_curvatures),
      cmocka_unit_test(every_section_is_read),       cmocka_unit_test(what_does_not_fit_is_refused),
      cmocka_unit_test(drawn_programmes_are_solved),
  };
  return cmocka_run_group_tests_name("io.qps", tests, NULL, NULL);
}
