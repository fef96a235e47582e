/*
 * The problem of a quadratic programme. The unknowns are the columns x, a value s for each row with a
 * range, and a multiplier y for each row:
 *
 *     H x + c - A^T y,    x in its bounds             row E    A x - b = 0,    y free
 *     y,                  s in its range              row G    A x - b >= 0,   y >= 0
 *                                                     row L    b - A x >= 0,   y >= 0, -A in M
 *                                                     range    A x - s = 0,    y free
 *
 * Rows of kind N are left out, with signs changed for a maximum.
 */
#include "io/qps_problem.h"

#include "base/context.h"
#include "io/columns.h"
#include "io/sparse_text.h"

/* Places of rows and ranges in the problem. */
typedef struct qps_order {
  int *multiplier, *slack; /* of each row; -1: none */
  int n;
} qps_order;

static double qps_sign(const nsds_qps_row *row) { return row->kind == 'L' ? -1.0 : 1.0; }

/* Finds the bounds of a row's value. */
static void qps_row_bounds(const nsds_qps_row *row, double *lower, double *upper) {
  *lower = row->kind == 'L' ? -INFINITY : row->rhs;
  *upper = row->kind == 'G' ? INFINITY : row->rhs;
  if (!row->ranged) return;
  if (row->kind == 'L' || (row->kind == 'E' && row->range < 0.0))
    *lower = row->rhs - fabs(row->range);
  if (row->kind == 'G' || (row->kind == 'E' && row->range > 0.0))
    *upper = row->rhs + fabs(row->range);
}

static nsds_status qps_number(const nsds_qps *p, qps_order *o) {
  int rows = p->row_names.count;
  o->multiplier = NSDS_NEW_ARRAY(p->context, int, rows);
  if (o->multiplier) o->slack = NSDS_NEW_ARRAY(p->context, int, rows);
  if (!o->slack) return NSDS_ERROR_MEMORY;
  o->n = p->column_names.count;
  for (int i = 0; i < rows; ++i) {
    double lower, upper;
    qps_row_bounds(&p->row[i], &lower, &upper);
    bool between = isfinite(lower) && isfinite(upper) && lower < upper;
    o->slack[i] = p->row[i].kind != 'N' && between ? o->n++ : -1;
  }
  for (int i = 0; i < rows; ++i) o->multiplier[i] = p->row[i].kind != 'N' ? o->n++ : -1;
  return NSDS_OK;
}

/* ---- M ---- */

static void qps_entry(nsds_triplets *t, int row, int column, double x) {
  t->row[t->count] = row;
  t->column[t->count] = column;
  t->x[t->count++] = x;
}

static void qps_fill(const nsds_qps *p, const qps_order *o, nsds_triplets *t) {
  t->count = 0;
  for (size_t k = 0; k < p->H.count; ++k) {
    const nsds_qps_entry *e = &p->H.entry[k];
    qps_entry(t, e->row, e->column, p->most ? -e->x : e->x);
  }
  for (size_t k = 0; k < p->A.count; ++k) {
    const nsds_qps_entry *e = &p->A.entry[k];
    int y = o->multiplier[e->row];
    double x = o->slack[e->row] >= 0 ? e->x : qps_sign(&p->row[e->row]) * e->x;
    if (y < 0) continue;
    qps_entry(t, y, e->column, x);
    qps_entry(t, e->column, y, -x);
  }
  for (int i = 0; i < p->row_names.count; ++i) {
    if (o->slack[i] < 0) continue;
    qps_entry(t, o->multiplier[i], o->slack[i], -1.0);
    qps_entry(t, o->slack[i], o->multiplier[i], 1.0);
  }
}

static nsds_status qps_matrix(nsds_text *text, const nsds_qps *p, const qps_order *o,
                              nsds_problem_file *file) {
  nsds_triplets t;
  size_t most = p->H.count + 2 * p->A.count + 2 * (size_t)p->row_names.count;
  text->status = nsds_triplets_create(p->context, o->n, o->n, most, &t);
  if (!text->status) {
    qps_fill(p, o, &t);
    nsds_text_compress(text, file, &t);
  }
  nsds_triplets_release(p->context, &t);
  return text->status;
}

/* ---- rows and their sets ---- */

/* Gives row k of the problem its bounds, and the set that holds them. */
static void qps_place(nsds_problem_file *file, int k, double lower, double upper) {
  bool below = lower > -nsds_qps_no_bound, above = upper < nsds_qps_no_bound;
  file->lower[k] = below ? lower : -INFINITY;
  file->upper[k] = above ? upper : INFINITY;
  nsds_set_kind set = NSDS_SET_BOX;
  if (!below && !above) set = NSDS_SET_EQUALITY;
  else if (!above && lower == 0.0) set = NSDS_SET_NONNEGATIVE;
  file->block[k] = (nsds_block){.set = set, .size = 1};
  if (set != NSDS_SET_BOX) return;
  file->block[k].lower = file->lower + k;
  file->block[k].upper = file->upper + k;
}

static void qps_place_all(const nsds_qps *p, const qps_order *o, nsds_problem_file *file) {
  for (int j = 0; j < p->column_names.count; ++j) {
    const nsds_qps_column *c = &p->column[j];
    file->q[j] = p->most ? -c->cost : c->cost;
    qps_place(file, j, c->lower, c->upper);
  }
  for (int i = 0; i < p->row_names.count; ++i) {
    const nsds_qps_row *row = &p->row[i];
    int y = o->multiplier[i], s = o->slack[i];
    double lower, upper;
    if (y < 0) continue;
    qps_row_bounds(row, &lower, &upper);
    if (s >= 0) {
      file->q[s] = file->q[y] = 0.0;
      qps_place(file, s, lower, upper);
    } else file->q[y] = -qps_sign(row) * row->rhs;
    qps_place(file, y, s >= 0 || lower == upper ? -INFINITY : 0.0, INFINITY);
  }
}

/* ---- names ---- */

static size_t qps_write_name(nsds_problem_file *file, int k, nsds_qps_word name) {
  char *to = file->names.text + file->names.used;
  memcpy(to, name.at, name.size);
  file->names.of_block[k] = to;
  return file->names.used += name.size + 1;
}

/* Each row of the problem is called like its column or row of the programme. */
static nsds_status qps_name(const nsds_qps *p, const qps_order *o, nsds_problem_file *file) {
  size_t bytes = 0;
  for (int j = 0; j < p->column_names.count; ++j) bytes += p->column_names.name[j].size + 1;
  for (int i = 0; i < p->row_names.count; ++i) bytes += 2 * (p->row_names.name[i].size + 1);
  file->names.text = NSDS_NEW_ARRAY(p->context, char, bytes);
  if (file->names.text) file->names.of_block = NSDS_NEW_ARRAY(p->context, const char *, o->n);
  if (!file->names.of_block) return NSDS_ERROR_MEMORY;
  file->names.capacity = bytes;
  for (int j = 0; j < p->column_names.count; ++j) qps_write_name(file, j, p->column_names.name[j]);
  for (int i = 0; i < p->row_names.count; ++i) {
    nsds_qps_word name = p->row_names.name[i];
    if (o->slack[i] >= 0) qps_write_name(file, o->slack[i], name);
    if (o->multiplier[i] >= 0) qps_write_name(file, o->multiplier[i], name);
  }
  return NSDS_OK;
}

nsds_status nsds_qps_problem(nsds_text *text, const nsds_qps *p, nsds_problem_file *file) {
  qps_order o = {0};
  text->status = qps_number(p, &o);
  if (!text->status && o.n > nsds_file_limit)
    nsds_text_expected(text, "before this, at most %d rows and columns", nsds_file_limit);
  if (!text->status) text->status = nsds_file_size(file, o.n, o.n);
  if (!text->status) {
    file->lower = NSDS_NEW_ARRAY(p->context, double, o.n);
    if (file->lower) file->upper = NSDS_NEW_ARRAY(p->context, double, o.n);
    if (!file->upper) text->status = NSDS_ERROR_MEMORY;
  }
  if (!text->status) qps_place_all(p, &o, file);
  if (!text->status) qps_matrix(text, p, &o, file);
  if (!text->status) text->status = qps_name(p, &o, file);
  nsds_release(p->context, o.multiplier);
  nsds_release(p->context, o.slack);
  return text->status;
}
