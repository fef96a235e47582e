/*
 * Rows in question fall into parts that share no system, each a problem of its own, so that what an
 * event costs grows with the rows and not with their cube. Systems are a forest of disjoint sets,
 * whose trees the contacts of the rows join.
 */
#include "kernel/events/event_parts.h"

#include "base/context.h"
#include "base/union_find.h"
#include "kernel/events/event_problem.h"
#include "kernel/events/event_rows_matrix.h"
#include "numerics/linear/factor.h"
#include "numerics/linear/factor_dense.h"

/* The rows in the order of the numbers of their parts, `of`, which are counted. */
static nsds_status lay_out(nsds_event_rows *s, nsds_row_list *list, const int *of, int nparts) {
  nsds_status status = nsds_grow(s->plan->context, &list->start, &list->start_capacity,
                                 (size_t)nparts + 2, sizeof *list->start);
  if (status) return status;
  int *start = list->start, *rows = s->split.sorted + s->nrow;
  for (int p = 0; p <= nparts + 1; ++p) start[p] = 0;
  for (int k = 0; k < list->n; ++k) ++start[of[k] + 2];
  for (int p = 0; p < nparts; ++p) start[p + 2] += start[p + 1];
  for (int k = 0; k < list->n; ++k) rows[start[of[k] + 1]++] = list->row[k];
  if (list->n > 0) memcpy(list->row, rows, (size_t)list->n * sizeof *rows);
  list->nparts = nparts;
  return NSDS_OK;
}

nsds_status nsds_rows_split(nsds_event_rows *s, nsds_row_list *list) {
  const nsds_contact *contact = s->plan->contact;
  int *up = s->split.link, *number = up + s->plan->nslot, nparts = 0;
  for (int k = 0; k < list->n; ++k) {
    const nsds_contact *own = &contact[s->row[list->row[k]].contact];
    for (int e = 0; e < own->nds; ++e) {
      up[own->reach[e].slot] = own->reach[e].slot;
      number[own->reach[e].slot] = -1;
    }
  }
  for (int k = 0; k < list->n; ++k) {
    const nsds_contact *own = &contact[s->row[list->row[k]].contact];
    for (int e = 1; e < own->nds; ++e) nsds_unite(up, own->reach[0].slot, own->reach[e].slot);
  }
  for (int k = 0; k < list->n; ++k) {
    int *own = &number[nsds_root(up, contact[s->row[list->row[k]].contact].reach[0].slot)];
    if (*own < 0) *own = nparts++;
    s->split.sorted[k] = *own;
  }
  return lay_out(s, list, s->split.sorted, nparts);
}

nsds_status nsds_rows_refine(nsds_event_rows *s, nsds_row_list *list,
                             bool (*tied)(const nsds_event_rows *s, int i, int j)) {
  int nparts = 0, *of = s->split.sorted;
  for (int p = 0; p < list->nparts; ++p) {
    int first = list->start[p], *queue = s->split.sorted + s->nrow;
    nsds_part_enter(s, list, p);
    nsds_status status = nsds_rows_matrix(s, true);
    if (status) return status;
    for (int k = 0; k < s->system.n; ++k) of[first + k] = -1;
    for (int k = 0; k < s->system.n; ++k) {
      if (of[first + k] >= 0) continue;
      int end = 0;
      queue[end++] = k;
      of[first + k] = nparts;
      for (int next = 0; next < end; ++next)
        for (int j = 0; j < s->system.n; ++j) {
          if (of[first + j] >= 0 || !tied(s, j, queue[next])) continue;
          of[first + j] = nparts;
          queue[end++] = j;
        }
      ++nparts;
    }
  }
  return lay_out(s, list, of, nparts);
}

void nsds_part_enter(nsds_event_rows *s, const nsds_row_list *list, int p) {
  int first = list->start[p];
  s->parts.own = p < s->parts.n ? &s->parts.factor[p] : NULL;
  s->system.n = list->start[p + 1] - first;
  s->system.chosen = list->row + first;
  s->system.b = s->system.numbers + first;
  s->system.terms = s->system.b + s->nrow;
  s->system.z = s->system.terms + s->nrow;
  s->system.w = s->system.z + s->nrow;
}

/* Factors of n rows. */
static nsds_status event_parts_reserve_factor(nsds_context *context, nsds_part_factor *own,
                                              int rows) {
  size_t n = (size_t)rows;
  if (!own->factor) own->factor = nsds_factor_create(context);
  if (!own->factor) return NSDS_ERROR_MEMORY;
  nsds_status status = nsds_factor_reserve_dense(own->factor, rows);
  if (!status)
    status =
        nsds_grow(context, &own->shares, &own->shares_capacity, n * (n + 4), sizeof *own->shares);
  return status ? status
                : nsds_grow(context, &own->order, &own->order_capacity, n, sizeof *own->order);
}

nsds_status nsds_parts_reserve(nsds_event_rows *s, const nsds_row_list *list) {
  nsds_context *context = s->plan->context;
  size_t wanted = (size_t)list->nparts, most = 0;
  nsds_status status =
      nsds_grow(context, &s->parts.factor, &s->parts.capacity, wanted, sizeof *s->parts.factor);
  while (!status && s->parts.n < list->nparts)
    s->parts.factor[s->parts.n++] = (nsds_part_factor){.rank = 0};
  for (int p = 0; !status && p < list->nparts; ++p) {
    size_t n = (size_t)(list->start[p + 1] - list->start[p]);
    if (n > most) most = n;
    status = event_parts_reserve_factor(context, &s->parts.factor[p], (int)n);
  }
  if (!status)
    status = nsds_grow(context, &s->system.A, &s->system.A_capacity, 2 * most * most,
                       sizeof *s->system.A);
  return status ? status : nsds_event_problem_reserve(s, (int)most);
}

void nsds_parts_release(nsds_event_rows *s) {
  nsds_context *context = s->plan->context;
  for (int p = 0; p < s->parts.n; ++p) {
    nsds_factor_destroy(s->parts.factor[p].factor);
    nsds_release(context, s->parts.factor[p].shares);
    nsds_release(context, s->parts.factor[p].order);
  }
  void *arrays[] = {s->parts.factor, s->system.A,     s->system.numbers,
                    s->split.link,   s->split.sorted, s->list.row,
                    s->list.start,   s->closed.row,   s->closed.start};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; ++k) nsds_release(context, arrays[k]);
}
