/*
 * Programmes (qp.h) from QPS files, as in the collection of Maros and Meszaros (Optim. Methods Softw. 11,
 * 1999): MPS with QUADOBJ (a triangle of H) or QMATRIX (all of H). Words are separated by blanks. In a
 * file where that does not give the right number of words in COLUMNS, names hold blanks, and fields begin
 * in columns 5, 15, 25, 40 and 50.
 */
#ifndef NSDS_BENCH_QP_FILE_H
#define NSDS_BENCH_QP_FILE_H

#include "qp.h"

enum { qp_line = 256, qp_name = 32, qp_words = 6 };

/* Names with their numbers, by open addressing. */
typedef struct qp_names {
  char (*name)[qp_name];
  int *at, room, count;
} qp_names;

typedef struct qp_file {
  qp_names rows, columns;
  char *kind;    /* of each row: N, E, L, G */
  int *row;      /* of A for each row of the file; -1: N */
  double *range; /* of each row; NaN: none */
  double *rhs;
  int objective;
  bool fixed; /* fields by columns */
} qp_file;

static inline int *qp_find(const qp_names *t, const char *name) {
  unsigned hash = 5381;
  for (const char *c = name; *c; ++c) hash = 33 * hash + (unsigned char)*c;
  int k = (int)(hash % (unsigned)t->room);
  while (t->at[k] >= 0 && strcmp(t->name[t->at[k]], name) != 0) k = (k + 1) % t->room;
  return &t->at[k];
}

/* Returns the number of the name; a new one is added if `add`, otherwise -1. */
static inline int qp_number(qp_names *t, const char *name, bool add) {
  int *at = qp_find(t, name);
  if (*at >= 0 || !add) return *at;
  if (t->count == t->room / 2) return -1;
  snprintf(t->name[t->count], qp_name, "%.*s", qp_name - 1, name);
  return *at = t->count++;
}

static inline qp_names qp_names_make(int room) {
  qp_names t = {.room = room, .at = (int *)qp_memory((size_t)room, sizeof(int))};
  t.name = (char(*)[qp_name])qp_memory((size_t)room, qp_name);
  for (int k = 0; k < room; ++k) t.at[k] = -1;
  return t;
}

static inline void qp_trim_field(char *to, const char *line, size_t from, size_t size) {
  size_t length = strlen(line), end = from + size;
  if (end > length) end = length;
  while (from < end && line[from] == ' ') ++from;
  while (end > from && line[end - 1] == ' ') --end;
  snprintf(to, qp_name, "%.*s", from < end ? (int)(end - from) : 0, from < end ? line + from : "");
}

/* Cuts a line into words; a field that is missing is empty if the fields stand in columns. */
static inline int qp_cut(const char *line, bool fixed, char word[qp_words][qp_name]) {
  static const size_t from[] = {1, 4, 14, 24, 39, 49}, size[] = {2, 8, 8, 12, 8, 12};
  int count = 0;
  for (int k = 0; fixed && k < qp_words; ++k) {
    qp_trim_field(word[count], line, from[k], size[k]);
    if (word[count][0] || (k == 0 && count > 0)) ++count;
  }
  for (const char *c = line; !fixed && count < qp_words;) {
    c += strspn(c, " \t");
    size_t length = strcspn(c, " \t");
    if (length == 0) break;
    snprintf(word[count++], qp_name, "%.*s", (int)length, c);
    c += length;
  }
  return count;
}

static inline void qp_read_row(qp_file *f, qp *p, char word[qp_words][qp_name]) {
  int i = qp_number(&f->rows, word[1], true);
  if (i < 0) return;
  f->kind[i] = word[0][0];
  f->row[i] = -1;
  f->range[i] = NAN;
  if (f->kind[i] == 'N' && f->objective < 0) f->objective = i;
  if (f->kind[i] != 'N') f->row[i] = p->m++;
}

/* Reads NAME ROW VALUE [ROW VALUE] of a column, of the right-hand side or of ranges. */
static inline bool qp_read_pairs(qp_file *f, qp *p, char section, int count,
                                 char word[qp_words][qp_name]) {
  int first = count % 2, j = -1;
  if (section == 'C' && (first == 0 || (j = qp_number(&f->columns, word[0], true)) < 0))
    return false;
  if (section == 'C' && j >= p->n) {
    p->c[j] = p->lower[j] = 0.0;
    p->upper[j] = INFINITY;
    p->n = j + 1;
  }
  for (int k = first; k + 1 < count; k += 2) {
    int i = qp_number(&f->rows, word[k], false);
    double x = atof(word[k + 1]);
    if (i < 0) return false;
    if (section == 'R') f->range[i] = x;
    else if (section == 'B') f->rhs[i] = x;
    else if (i == f->objective) p->c[j] = x;
    else if (f->row[i] >= 0) qp_add(&p->A, f->row[i], j, f->kind[i] == 'L' ? -x : x);
  }
  return true;
}

static inline bool qp_read_bound(qp_file *f, qp *p, int count, char word[qp_words][qp_name]) {
  const char *kind = word[0];
  bool alone =
      !strcmp(kind, "FR") || !strcmp(kind, "MI") || !strcmp(kind, "PL") || !strcmp(kind, "BV");
  int at = alone ? (count > 2 ? 2 : 1) : count - 2, j = qp_number(&f->columns, word[at], false);
  double x = alone ? 0.0 : atof(word[count - 1]);
  if (j < 0) return false;
  if (!strcmp(kind, "FR")) p->lower[j] = -INFINITY, p->upper[j] = INFINITY;
  else if (!strcmp(kind, "MI")) p->lower[j] = -INFINITY;
  else if (!strcmp(kind, "BV")) p->lower[j] = 0.0, p->upper[j] = 1.0;
  else if (!strcmp(kind, "FX")) p->lower[j] = p->upper[j] = x;
  else if (!strcmp(kind, "LO")) p->lower[j] = x;
  else if (!strcmp(kind, "UP")) {
    if (x < 0.0 && p->lower[j] == 0.0) p->lower[j] = -INFINITY;
    p->upper[j] = x;
  }
  return true;
}

static inline bool qp_read_curve(qp_file *f, qp *p, bool triangle, char word[qp_words][qp_name]) {
  int i = qp_number(&f->columns, word[0], false), j = qp_number(&f->columns, word[1], false);
  double x = atof(word[2]);
  if (i < 0 || j < 0) return false;
  qp_add(&p->H, i, j, x);
  if (triangle && i != j) qp_add(&p->H, j, i, x);
  return true;
}

/* Gives rows their right-hand sides, and rows with a range a second row. */
static inline void qp_close_rows(qp_file *f, qp *p) {
  int rows = p->m, count = p->A.count;
  int *twin = (int *)qp_memory((size_t)rows + 1, sizeof *twin);
  for (int i = 0; i < f->rows.count; ++i) {
    int r = f->row[i];
    if (r < 0) continue;
    double b = f->rhs[i], x = f->range[i], low = b, high = b;
    p->equal[r] = f->kind[i] == 'E' && !(x != 0.0 && !isnan(x));
    p->b[r] = f->kind[i] == 'L' ? -b : b;
    if (isnan(x) || p->equal[r]) continue;
    if (f->kind[i] == 'G') high = b + fabs(x);
    else if (f->kind[i] == 'L') low = b - fabs(x);
    else low = x < 0.0 ? b + x : b, high = x < 0.0 ? b : b + x;
    p->b[r] = f->kind[i] == 'L' ? -high : low;
    twin[r] = p->m++;
    p->b[twin[r]] = f->kind[i] == 'L' ? low : -high;
  }
  for (int k = 0; k < count; ++k)
    if (twin[p->A.entry[k].i] > 0)
      qp_add(&p->A, twin[p->A.entry[k].i], p->A.entry[k].j, -p->A.entry[k].x);
  free(twin);
}

static inline void qp_file_free(qp_file *f) {
  free(f->rows.at);
  free(f->rows.name);
  free(f->columns.at);
  free(f->columns.name);
  free(f->kind);
  free(f->row);
  free(f->range);
  free(f->rhs);
}

/* Reads all lines; false if one is not understood. */
static inline bool qp_read_lines(FILE *in, qp_file *f, qp *p) {
  char line[qp_line], section[qp_name] = "", word[qp_words][qp_name];
  bool good = true;
  while (good && fgets(line, sizeof line, in)) {
    line[strcspn(line, "\r\n")] = '\0';
    if (line[0] == '*' || line[strspn(line, " \t")] == '\0') continue;
    if (line[0] != ' ' && line[0] != '\t') {
      qp_cut(line, false, word);
      snprintf(section, sizeof section, "%s", word[0]);
      if (!strcmp(section, "ENDATA")) break;
      continue;
    }
    int count = qp_cut(line, f->fixed, word);
    if (!strcmp(section, "ROWS")) qp_read_row(f, p, word);
    else if (!strcmp(section, "COLUMNS")) good = qp_read_pairs(f, p, 'C', count, word);
    else if (!strcmp(section, "RHS")) good = qp_read_pairs(f, p, 'B', count, word);
    else if (!strcmp(section, "RANGES")) good = qp_read_pairs(f, p, 'R', count, word);
    else if (!strcmp(section, "BOUNDS")) good = qp_read_bound(f, p, count, word);
    else if (!strcmp(section, "QUADOBJ")) good = qp_read_curve(f, p, true, word);
    else if (!strcmp(section, "QMATRIX")) good = qp_read_curve(f, p, false, word);
  }
  return good && p->n > 0;
}

/* Reads a file; false if it cannot be read. */
static inline bool qp_read(qp *p, const char *path) {
  bool good = false;
  for (int fixed = 0; !good && fixed <= 1; ++fixed) {
    FILE *in = fopen(path, "r");
    if (!in) return false;
    int lines = 1;
    for (int c; (c = fgetc(in)) != EOF;) lines += c == '\n';
    rewind(in);
    size_t room = 2 * (size_t)lines;
    *p = (qp){.chance = 1};
    qp_begin(p, 2 * lines, 2 * lines);
    p->n = p->m = 0;
    qp_file f = {qp_names_make(4 * lines), qp_names_make(4 * lines), .objective = -1,
                 .fixed = fixed};
    f.kind = (char *)qp_memory(room, 1);
    f.row = (int *)qp_memory(room, sizeof(int));
    f.range = qp_numbers((int)room);
    f.rhs = qp_numbers((int)room);
    good = qp_read_lines(in, &f, p);
    if (good) qp_close_rows(&f, p);
    qp_file_free(&f);
    fclose(in);
    if (!good) qp_free(p);
  }
  if (!good) return false;
  p->H.n = p->H.m = p->A.n = p->n;
  p->A.m = p->m;
  qp_pack(&p->A);
  qp_pack(&p->H);
  return true;
}

#endif
