/*
 * Carries the state of rows from one list to the next. Rows of interactions stay in their order.
 * Rows of found contacts are identified by set and key.
 */
#include "kernel/events/row_carryover.h"

#include "kernel/events/row_state.h"

#include <stdlib.h>

static int row_carryover_compare(const nsds_row *a, const nsds_row *b) {
  if (a->set != b->set) return a->set->index < b->set->index ? -1 : 1;
  return a->key < b->key ? -1 : a->key > b->key;
}

/* Compares rows by contact; rows of one contact stay in order. */
static int by_name(const void *one, const void *other) {
  const nsds_row *a = one, *b = other;
  int order = row_carryover_compare(a, b);
  return order ? order : (a->i > b->i) - (a->i < b->i);
}

void nsds_rows_put_aside(nsds_event_rows *s, const nsds_row *row, int n) {
  if (n > 0) memcpy(s->aside.row, row, (size_t)n * sizeof *row);
  s->aside.n = n;
}

/* Copies the state of a row of another list. The description of the row stays. */
static void remember(nsds_row *row, const nsds_row *from) {
  nsds_row is = *row;
  *row = *from;
  row->contact = is.contact;
  row->i = is.i;
  row->y = is.y;
  row->degree = is.degree;
  row->lower = is.lower;
  row->upper = is.upper;
  row->norm = is.norm;
  row->tangents = is.tangents;
  row->normal = is.normal;
  row->lead = is.lead;
  row->span = is.span;
  row->mu = is.mu;
  row->given = is.given;
  if (row->way == NSDS_WAY_DIFFERENTIATED && is.degree > 0) nsds_row_stand_alone(row);
}

void nsds_rows_mark_loaded(nsds_event_rows *s) {
  const nsds_state *at = &s->plan->model->state;
  for (nsds_row *row = s->row, *end = row + s->nrow; row < end; ++row) {
    double lambda = at->force[row->y], near = 1e-9 * fabs(lambda);
    bool inside = lambda > row->lower + near && lambda < row->upper - near;
    nsds_row_locate(row, row->normal == 0 && row->degree > 0 && inside);
    row->flights.last = -INFINITY;
    row->flights.flight = row->flights.longest = row->flights.way = 0.0;
    row->slipping.length = 0.0;
  }
}

static const nsds_row *row_carryover_find(const nsds_row *row, const nsds_row *found, int n) {
  return n > 0 ? bsearch(row, found, (size_t)n, sizeof *found, by_name) : NULL;
}

void nsds_rows_take_back(nsds_event_rows *s) {
  int plain = 0, n = s->aside.n;
  while (plain < n && !s->aside.row[plain].set) ++plain;
  nsds_row *found = s->aside.row + plain;
  if (n > plain) qsort(found, (size_t)(n - plain), sizeof *found, by_name);
  for (int r = 0; r < s->nrow; ++r) {
    nsds_row *row = &s->row[r];
    const nsds_row *from = r < plain ? &s->aside.row[r] : NULL;
    if (row->set) from = row_carryover_find(row, found, n - plain);
    if (from) remember(row, from);
  }
  s->aside.n = -1;
}
