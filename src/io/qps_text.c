/*
 * Quadratic programmes in QPS files, as in the collection of Maros and Meszaros (Optim. Methods
 * Softw. 11, 1999): MPS with QUADOBJ (one triangle of H) or QMATRIX (all of H). Lines:
 *
 *     ROWS       N|E|L|G row                       COLUMNS    column row x [row x]
 *     RHS        [set] row x [row x]               RANGES     [set] row x [row x]
 *     BOUNDS     UP|LO|FX|FR|MI|PL [set] column [x]
 *     QUADOBJ    column column x                   OBJSENSE   MAX|MIN
 *
 * Lines of a section begin with a blank, a comment with *. If a file has several sets, the first counts. Words
 * are separated by blanks. If that does not fit, names hold blanks, and fields begin in columns 2,
 * 5, 15, 25, 40 and 50.
 */
#include "io/qps_text.h"

#include "base/context.h"
#include "io/qps_convex.h"
#include "io/qps_problem.h"

enum { most_words = 6 };

typedef enum qps_section {
  QPS_NONE,
  QPS_NAME,
  QPS_ROWS,
  QPS_COLUMNS,
  QPS_RHS,
  QPS_RANGES,
  QPS_BOUNDS,
  QPS_TRIANGLE,
  QPS_MATRIX,
  QPS_SENSE,
  QPS_END
} qps_section;

static const struct {
  const char *word;
  qps_section section;
} sections[] = {{"NAME", QPS_NAME},
                {"ROWS", QPS_ROWS},
                {"GROUPS", QPS_ROWS},
                {"CONSTRAINTS", QPS_ROWS},
                {"COLUMNS", QPS_COLUMNS},
                {"VARIABLES", QPS_COLUMNS},
                {"RHS", QPS_RHS},
                {"CONSTANTS", QPS_RHS},
                {"RANGES", QPS_RANGES},
                {"BOUNDS", QPS_BOUNDS},
                {"QUADOBJ", QPS_TRIANGLE},
                {"QSECTION", QPS_TRIANGLE},
                {"QUADRATIC", QPS_TRIANGLE},
                {"QUADS", QPS_TRIANGLE},
                {"HESSIAN", QPS_TRIANGLE},
                {"QMATRIX", QPS_MATRIX},
                {"OBJSENSE", QPS_SENSE},

                {"ENDATA", QPS_END}};

typedef struct qps_reader {
  nsds_qps p;
  nsds_text *text, line; /* line: the text at the start of the present line */
  qps_section section;
  bool fixed;    /* fields stand in columns */
  bool triangle; /* the file has one triangle of H */
  nsds_qps_word word[most_words];
  int count;
  nsds_qps_word set[QPS_END]; /* name of the set in use, of each section; at NULL: none yet */
} qps_reader;

/* ---- words ---- */

static bool qps_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

static nsds_qps_word qps_strip(const char *at, size_t size) {
  while (size > 0 && qps_blank(*at)) ++at, --size;
  while (size > 0 && qps_blank(at[size - 1])) --size;
  return (nsds_qps_word){at, size};
}

/* Cuts a line at blanks. A word of $ ends it. */
static void qps_cut_at_blanks(qps_reader *r, const char *at, size_t size) {
  const char *end = at + size;
  for (r->count = 0; r->count < most_words;) {
    while (at < end && qps_blank(*at)) ++at;
    if (at == end || *at == '$') return;
    const char *begin = at;
    while (at < end && !qps_blank(*at)) ++at;
    r->word[r->count++] = (nsds_qps_word){begin, (size_t)(at - begin)};
  }
}

/* Cuts a line into fields by columns; the first one may be empty. */
static void qps_cut_at_columns(qps_reader *r, const char *at, size_t size) {
  static const size_t from[] = {1, 4, 14, 24, 39, 49}, width[] = {2, 8, 8, 12, 8, 12};
  r->count = 0;
  for (int k = 0; k < most_words; ++k) {
    size_t left = size > from[k] ? size - from[k] : 0;
    nsds_qps_word field = qps_strip(at + (left ? from[k] : 0), left < width[k] ? left : width[k]);
    if (field.size > 0) r->word[r->count++] = field;
  }
}

static nsds_status qps_expected(qps_reader *r, const char *what) {
  nsds_status before = r->text->status;
  if (before) return before;
  *r->text = r->line;
  return nsds_text_expected(r->text, "%s", what);
}

/* The same for a word of the present line. */
static nsds_status qps_expected_at(qps_reader *r, nsds_qps_word word, const char *what) {
  nsds_status before = r->text->status;
  if (before) return before;
  *r->text = r->line;
  r->text->at = word.at;
  return nsds_text_expected(r->text, "%s", what);
}

static bool qps_real(nsds_qps_word word, double *x) {
  return nsds_parse_real(word.at, word.size, x) && !isnan(*x);
}

/* Returns true if this line belongs to the set in use; an empty name is a set too. */
static bool qps_in_set(qps_reader *r, bool named) {
  nsds_qps_word none = {"", 0}, *set = &r->set[r->section];
  nsds_qps_word name = named ? r->word[r->section == QPS_BOUNDS] : none;
  if (!set->at) *set = name;
  return set->size == name.size && memcmp(set->at, name.at, name.size) == 0;
}

/* ---- sections ---- */

static nsds_status qps_read_row(qps_reader *r) {
  nsds_qps *p = &r->p;
  int i = p->row_names.count;
  if (r->count != 2 || r->word[0].size != 1 || !strchr("NELG", r->word[0].at[0]))
    return qps_expected(r, "a row: N, E, L or G, and its name");
  if (nsds_qps_find(&p->row_names, r->word[1]) >= 0)
    return qps_expected(r, "a row with a name of its own");
  nsds_status status = nsds_grow(p->context, &p->row, &p->rows, (size_t)i + 1, sizeof *p->row);
  if (!status) status = nsds_qps_add(p->context, &p->row_names, r->word[1]);
  if (status) return r->text->status = status;
  p->row[i] = (nsds_qps_row){.kind = r->word[0].at[0]};
  if (p->row[i].kind == 'N' && p->objective < 0) p->objective = i;
  return NSDS_OK;
}

static nsds_status qps_append(qps_reader *r, nsds_qps_entries *to, int row, int column, double x) {
  nsds_status status =
      nsds_grow(r->p.context, &to->entry, &to->room, to->count + 1, sizeof *to->entry);
  if (status) return r->text->status = status;
  to->entry[to->count++] = (nsds_qps_entry){row, column, x, true};
  return NSDS_OK;
}

/* Returns the number of the column that begins a line; a new one has bounds 0 and infinity. */
static int qps_take_column(qps_reader *r) {
  nsds_qps *p = &r->p;
  int j = nsds_qps_find(&p->column_names, r->word[0]);
  if (j >= 0) return j;
  j = p->column_names.count;
  nsds_status status =
      nsds_grow(p->context, &p->column, &p->columns, (size_t)j + 1, sizeof *p->column);
  if (!status) status = nsds_qps_add(p->context, &p->column_names, r->word[0]);
  if (status) return r->text->status = status, -1;
  p->column[j] = (nsds_qps_column){.upper = INFINITY};
  return j;
}

/* Takes a number of row i, of column j, of the right-hand side or of a range. */
static nsds_status qps_take_number(qps_reader *r, int i, int j, double x) {
  nsds_qps *p = &r->p;
  if (r->section == QPS_RHS) p->row[i].rhs = x;
  else if (r->section == QPS_RANGES) p->row[i].range = x, p->row[i].ranged = true;
  else if (i == p->objective) p->column[j].cost += x;
  else if (p->row[i].kind != 'N') return qps_append(r, &p->A, i, j, x);
  return NSDS_OK;
}

static nsds_status qps_read_numbers(qps_reader *r) {
  bool columns = r->section == QPS_COLUMNS;
  int first = r->count % 2, j = -1;
  if (columns && r->count > 1 && nsds_qps_same(r->word[1], "'MARKER'"))
    return qps_expected(r, "columns of real numbers; there is no method for integers");
  if (r->count < 2 || r->count > 5 || (columns && first == 0))
    return qps_expected(r, columns ? "a column, then one or two pairs of a row and a number"
                                   : "one or two pairs of a row and a number");
  if (!columns && !qps_in_set(r, first == 1)) return NSDS_OK;
  for (int k = first; k < r->count; k += 2) {
    double x;
    int i = nsds_qps_find(&r->p.row_names, r->word[k]);
    if (i < 0) return qps_expected_at(r, r->word[k], "the name of a row of the section ROWS");
    if (!qps_real(r->word[k + 1], &x) || isinf(x))
      return qps_expected_at(r, r->word[k + 1], "a finite number behind the name of a row");
    if (columns && j < 0) j = qps_take_column(r);
    if (r->text->status || qps_take_number(r, i, j, x)) return r->text->status;
  }
  return NSDS_OK;
}

static nsds_status qps_set_bound(qps_reader *r, nsds_qps_word kind, nsds_qps_column *c, double x) {
  bool upper = nsds_qps_same(kind, "UP"), free = nsds_qps_same(kind, "FR");
  if (free) c->lower = -INFINITY, c->upper = INFINITY;
  else if (nsds_qps_same(kind, "MI")) c->lower = -INFINITY;
  else if (nsds_qps_same(kind, "FX")) c->lower = c->upper = x;
  else if (nsds_qps_same(kind, "LO")) c->lower = x;
  else if (upper) {
    if (x < 0.0 && !c->has_lower) c->lower = -INFINITY; /* as everybody reads it */
    c->upper = x;
  }
  c->has_lower = c->has_lower || (!upper && !nsds_qps_same(kind, "PL"));
  if (c->lower == INFINITY || c->upper == -INFINITY)
    return qps_expected(r, "a lower bound below inf, an upper bound above -inf");
  return NSDS_OK;
}

static bool qps_is_bound(nsds_qps_word kind) {
  static const char *const kinds[] = {"UP", "LO", "FX", "FR", "MI", "PL"};
  bool any = false;
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; ++k)
    any = any || nsds_qps_same(kind, kinds[k]);
  return any;
}

static nsds_status qps_read_bound(qps_reader *r) {
  nsds_qps_word kind = r->word[0];
  bool alone = nsds_qps_same(kind, "FR") || nsds_qps_same(kind, "MI") || nsds_qps_same(kind, "PL");
  int at = alone ? (r->count > 2 ? 2 : 1) : r->count - 2;
  double x = 0.0;
  if (!qps_is_bound(kind)) return qps_expected(r, "a bound UP, LO, FX, FR, MI or PL of a column");
  if (at < 1 || at > 2 || r->count <= at)
    return qps_expected(r, "a bound: its kind, a column and a number");
  int j = nsds_qps_find(&r->p.column_names, r->word[at]);
  if (j < 0) return qps_expected_at(r, r->word[at], "the name of a column in a bound");
  if (!alone && !qps_real(r->word[at + 1], &x))
    return qps_expected_at(r, r->word[at + 1], "a number in a bound");
  if (nsds_qps_same(kind, "FX") && fabs(x) >= nsds_qps_no_bound)
    return qps_expected_at(r, r->word[at + 1], "a fixed value below 1e20");
  return qps_in_set(r, at == 2) ? qps_set_bound(r, kind, &r->p.column[j], x) : NSDS_OK;
}

static nsds_status qps_read_curvature(qps_reader *r) {
  double x;
  if (r->count != 3 || !qps_real(r->word[2], &x) || isinf(x))
    return qps_expected(r, "two columns and a finite number");
  int i = nsds_qps_find(&r->p.column_names, r->word[0]);
  int j = nsds_qps_find(&r->p.column_names, r->word[1]);
  if (i < 0 || j < 0) return qps_expected(r, "the names of two columns");
  bool triangle = r->section == QPS_TRIANGLE;
  r->triangle = r->triangle || triangle;
  if (!triangle && i != j) x *= 0.5; /* the symmetric part counts */
  if (qps_append(r, &r->p.H, i, j, x) || i == j || qps_append(r, &r->p.H, j, i, x))
    return r->text->status;
  r->p.H.entry[r->p.H.count - 1].given = false;
  return NSDS_OK;
}

static nsds_status qps_read_sense(qps_reader *r, nsds_qps_word word) {
  bool most = nsds_qps_same(word, "MAX") || nsds_qps_same(word, "MAXIMIZE");
  if (!most && !nsds_qps_same(word, "MIN") && !nsds_qps_same(word, "MINIMIZE"))
    return qps_expected(r, "MAX or MIN");
  r->p.most = most;
  return NSDS_OK;
}

static nsds_status qps_read_section(qps_reader *r) {
  bool sense = nsds_qps_same(r->word[0], "MAX") || nsds_qps_same(r->word[0], "MIN");
  if (r->section == QPS_SENSE && sense) return qps_read_sense(r, r->word[0]);
  r->section = QPS_NONE;
  for (size_t k = 0; k < sizeof sections / sizeof *sections; ++k)
    if (nsds_qps_same(r->word[0], sections[k].word)) r->section = sections[k].section;
  if (r->section == QPS_NONE)
    return qps_expected(r, "a section: NAME, ROWS, COLUMNS, RHS, RANGES, BOUNDS, QUADOBJ, QMATRIX, "
                           "OBJSENSE or ENDATA");
  if (r->section != QPS_SENSE) return NSDS_OK;
  return r->count > 1 ? qps_read_sense(r, r->word[1]) : NSDS_OK;
}

static nsds_status qps_read_line(qps_reader *r, const char *at, size_t size) {
  bool section = !qps_blank(*at);
  if (section || !r->fixed) qps_cut_at_blanks(r, at, size);
  else qps_cut_at_columns(r, at, size);
  if (r->count == 0) return NSDS_OK;
  if (section) return qps_read_section(r);
  switch (r->section) {
  case QPS_ROWS: return qps_read_row(r);
  case QPS_COLUMNS:
  case QPS_RHS:
  case QPS_RANGES: return qps_read_numbers(r);
  case QPS_BOUNDS: return qps_read_bound(r);
  case QPS_TRIANGLE:
  case QPS_MATRIX: return qps_read_curvature(r);
  case QPS_SENSE: return qps_read_sense(r, r->word[0]);
  default: return qps_expected(r, "a section that begins in the first column");
  }
}

/* ---- the file ---- */

static bool qps_more(const nsds_text *text) { return text->at < text->end; }

static nsds_status qps_read_lines(qps_reader *r) {
  while (r->section != QPS_END && qps_more(r->text)) {
    const char *at;
    size_t size;
    r->line = *r->text;
    nsds_text_rest_of_line(r->text, &at, &size);
    if (size == 0 || *at == '*' || qps_strip(at, size).size == 0) continue;
    if (qps_read_line(r, at, size)) return r->text->status;
  }
  r->line = *r->text;
  if (r->section != QPS_END) return qps_expected(r, "ENDATA");
  if (r->p.column_names.count == 0) return qps_expected(r, "before this, columns");
  return nsds_qps_check_curvature(r->text, &r->p, r->triangle);
}

static nsds_status qps_read_by(nsds_text *text, bool fixed, nsds_problem_file *file) {
  qps_reader r = {.p = {.context = text->context, .objective = -1}, .text = text, .fixed = fixed};
  if (!qps_read_lines(&r)) {
    file->kind = "program";
    file->storage = "sparse";
    nsds_qps_problem(text, &r.p, file);
  }
  nsds_qps_names_release(text->context, &r.p.row_names);
  nsds_qps_names_release(text->context, &r.p.column_names);
  nsds_release(text->context, r.p.row);
  nsds_release(text->context, r.p.column);
  nsds_release(text->context, r.p.A.entry);
  nsds_release(text->context, r.p.H.entry);
  return text->status;
}

bool nsds_is_qps(const nsds_text *text) {
  nsds_text look = *text;
  const char *at = look.at;
  size_t size = 0;
  while (qps_more(&look)) {
    nsds_text_rest_of_line(&look, &at, &size);
    if (size > 0 && *at != '*' && qps_strip(at, size).size > 0) break;
  }
  qps_reader r;
  qps_cut_at_blanks(&r, at, size);
  for (size_t k = 0; r.count > 0 && k < sizeof sections / sizeof *sections; ++k)
    if (nsds_qps_same(r.word[0], sections[k].word)) return true;
  return false;
}

nsds_status nsds_read_qps(nsds_text *text, nsds_problem_file *file) {
  nsds_text start = *text;
  if (qps_read_by(text, false, file) != NSDS_ERROR_FORMAT) return text->status;
  nsds_text free_words = *text;
  *text = start;
  nsds_file_clear(file);
  if (qps_read_by(text, true, file) == NSDS_ERROR_FORMAT && free_words.failed_at > text->failed_at)
    *text = free_words;
  return text->status;
}
