/*
 * Archives rows and smooth motion, see archive.h. Rows read are put aside, and the next list takes
 * them over. An integration needs the closed rows and their parts, constant rates, and weights.
 * Everything that follows from these and the model is found anew.
 */
#include "kernel/events/event_rows_archive.h"

#include "base/archive.h"
#include "base/context.h"
#include "kernel/assembly/plan_renew.h"
#include "kernel/assembly/plan_tree.h"
#include "kernel/events/event_parts.h"
#include "kernel/events/event_rows.h"
#include "kernel/events/row_carryover.h"
#include "kernel/events/row_groups.h"
#include "kernel/events/row_state.h"
#include "kernel/modeling/gate.h"

#include <limits.h>

static const char *const object = "a row";

/* ---- rows ------------------------------------------------------------------------------------ */

/* How the values of a row in an archive are read. */
typedef struct nsds_row_form {
  bool first_order, tangent, gate;
  nsds_mode last; /* the last mode that the row may have */
} nsds_row_form;

/* Archives the values of a row that do not follow from the model. */
static void archive_row(nsds_archive *a, nsds_row_form form, nsds_row *row) {
  double *const number[] = {&row->base,
                            &row->floor,
                            &row->lambda,
                            &row->bias,
                            &row->slip,
                            form.gate ? &row->gate_start : &row->speed_terms,
                            &row->flights.impulse,
                            &row->flights.before,
                            &row->flights.flight,
                            &row->slipping.direction,
                            &row->slipping.heading,
                            form.tangent ? &row->slipping.length : &row->flights.longest,
                            form.tangent ? &row->slipping.largest : &row->flights.speed,
                            &row->flights.size,
                            &row->flights.way,
                            &row->slipping.limit,
                            &row->lambda_origin,
                            &row->held,
                            &row->last_lambda};
  int mode = (int)row->mode, way = (int)row->way, place = (int)row->mark.place,
      bound = (int)row->mark.bound;
  nsds_archive_int(a, object, "mode", &mode, NSDS_MODE_LOWER, (int)form.last);
  nsds_archive_int(a, object, "way of its lambda", &way, NSDS_WAY_OWN,
                   form.first_order ? NSDS_WAY_DIFFERENTIATED : NSDS_WAY_SHARED);
  nsds_archive_int(a, object, "place", &place, NSDS_PLACE_AWAY, NSDS_PLACE_MOVING);
  nsds_archive_int(a, object, "bound", &bound, NSDS_BOUND_NONE, NSDS_BOUND_UPPER);
  nsds_row_restore(row, (nsds_mode)mode, (nsds_way)way, (nsds_row_place)place, (nsds_bound)bound);
  for (size_t k = 0; k < sizeof number / sizeof *number; ++k)
    nsds_archive_finite(a, object, "value", number[k], 1);
  nsds_archive_past(a, object, "time of its last impact", &row->flights.last);
}

/* Returns the form of row i of a law. Tangents slide. In space the first row of slip or of rolling has
 * modes of its own. */
static nsds_row_form form_of_row(const nsds_law *law, int i) {
  bool tangent = nsds_law_has_tangents(law) && i % law->size > 0;
  int span = law->set == NSDS_SET_ROLLING ? (law->size - 1) / 2 : law->size - 1;
  bool first = tangent && span == 2 && i % law->size % 2 == 1;
  return (nsds_row_form){.tangent = tangent,
                         .last = first     ? NSDS_MODE_ENDING
                                 : tangent ? NSDS_MODE_SLIDING
                                           : NSDS_MODE_IDLE};
}

/* Archives rows of interactions in their order. */
static void archive_plain(nsds_archive *a, const nsds_plan *plan, const nsds_row *from,
                          nsds_row *to) {
  const nsds_model *model = plan->model;
  int r = 0;
  for (size_t c = 0; c < model->interaction.count && !a->status; ++c) {
    const nsds_interaction *ia = model->interaction.item[c];
    if (nsds_plan_tree_has(plan, ia)) continue;
    for (int i = 0; i < ia->m && !a->status; ++i, ++r) {
      nsds_row row = a->mode == NSDS_ARCHIVE_WRITE ? from[r] : (nsds_row){.mode = NSDS_MODE_LOWER};
      nsds_row_form form = form_of_row(ia->law, i);
      form.first_order = ia->relation->kind == NSDS_RELATION_FIRST_ORDER;
      form.gate = nsds_is_switch(ia);
      archive_row(a, form, &row);
      if (a->mode == NSDS_ARCHIVE_READ) to[r] = row;
    }
  }
}

/* Archives a row of a found contact with its set and key. */
static void archive_found(nsds_archive *a, const nsds_model *model, nsds_row *row) {
  int set = row->set ? row->set->index : 0;
  nsds_archive_size(a, object, "its contact set", &set, 0, (int)model->set.count - 1);
  if (a->status) return;
  row->set = model->set.item[set];
  nsds_archive_word(a, &row->key);
  nsds_archive_size(a, object, "its place in the contact", &row->i, 0, row->set->law->size - 1);
  archive_row(a, form_of_row(row->set->law, row->i), row);
}

static int count_plain(const nsds_plan *plan) {
  int rows = 0;
  for (size_t c = 0; c < plan->model->interaction.count; ++c) {
    const nsds_interaction *ia = plan->model->interaction.item[c];
    rows += nsds_plan_tree_has(plan, ia) ? 0 : ia->m;
  }
  return rows;
}

/* Archives the largest sizes by system. */
static void archive_sizes(nsds_archive *a, nsds_event_rows *s) {
  size_t systems = s->plan->model->ds.count;
  if (a->mode != NSDS_ARCHIVE_WRITE && !a->status)
    a->status = nsds_grow(s->plan->context, &s->sizes.size, &s->sizes.capacity, 3 * systems,
                          sizeof *s->sizes.size);
  if (a->mode == NSDS_ARCHIVE_READ) {
    s->sizes.n = (int)systems;
    s->sizes.rearranged = s->plan->model->systems.rearranged; /* else the sizes are not of these */
  }
  for (size_t k = 0; k < 3 * systems && !a->status; ++k)
    nsds_archive_at_least(a, "the simulation", "largest values of a system", &s->sizes.size[k],
                          0.0);
}

/* Returns the listed rows, or rows that wait for the next list; none if the graph has changed
 * since. */
static const nsds_row *archived_rows(const nsds_event_rows *s, int *count) {
  const nsds_model *model = s->plan->model;
  bool listed = !nsds_versions_missed(&s->listed.of, &model->now, NSDS_NEW_GRAPH);
  bool aside = !listed && s->aside.n >= 0 &&
               !nsds_versions_missed(&s->aside.of, &model->now, NSDS_NEW_GRAPH);
  bool any = (listed || aside) && s->sizes.n == (int)model->ds.count;
  *count = !any ? 0 : listed ? s->nrow : s->aside.n;
  return !any ? NULL : listed ? s->row : s->aside.row;
}

static bool are_too_many(nsds_archive *a, int found) {
  if (a->status || a->mode == NSDS_ARCHIVE_WRITE || (uint64_t)found <= nsds_archive_left(a))
    return a->status != NSDS_OK;
  a->status = nsds_fail(a->context, NSDS_ERROR_FORMAT, "%s: %s: %d rows of contacts found", a->call,
                        a->path, found);
  return true;
}

/* Returns true if the plan knows which interactions are joints of its tree. */
static bool knows_joints(const nsds_event_rows *s, nsds_archive *a) {
  nsds_plan *plan = s->plan;
  bool stale = nsds_versions_missed(&plan->seen.of, &plan->model->now, NSDS_NEW_GRAPH);
  if (plan->schemes.in_joints && stale && !a->status) a->status = nsds_plan_update(plan, s->scheme);
  return !a->status;
}

void nsds_event_rows_archive(nsds_event_rows *s, nsds_archive *a) {
  const nsds_model *model = s->plan->model;
  bool reads = a->mode == NSDS_ARCHIVE_READ;
  if (!knows_joints(s, a)) return;
  int plain = count_plain(s->plan), rows;
  const nsds_row *from = archived_rows(s, &rows);
  int found = rows - plain, any = from != NULL;
  nsds_archive_size(a, "the simulation", "whether it has rows", &any, 0, 1);
  nsds_archive_same(a, "the simulation", "rows", (uint64_t)plain);
  if (reads) s->listed.of.graph = 0; /* rows must be listed anew */
  if (reads) s->aside.n = -1;        /* and no rows wait */
  if (reads && !any) s->sizes.n = 0; /* sizes of another motion */
  if (!any || a->status) return;
  nsds_archive_size(a, "the simulation", "rows of contacts found", &found, 0,
                    model->set.count > 0 ? INT_MAX - plain : 0);
  if (are_too_many(a, found)) return;
  if (a->mode != NSDS_ARCHIVE_WRITE) a->status = nsds_rows_reserve_aside(s, plain + found);
  archive_plain(a, s->plan, from, s->aside.row);
  for (int k = plain; k < plain + found && !a->status; ++k) {
    nsds_row row = a->mode == NSDS_ARCHIVE_WRITE ? from[k] : (nsds_row){.mode = NSDS_MODE_LOWER};
    archive_found(a, model, &row);
    if (reads) s->aside.row[k] = row;
  }
  archive_sizes(a, s);
  if (!reads || a->status) return;
  s->aside.n = plain + found;
  s->aside.of = model->now;
}

/* ---- data of an integration ------------------------------------------------------------------ */

/* Archives the closed rows, each once, and the starts of their parts in order. */
static void archive_closed(nsds_archive *a, nsds_event_rows *s) {
  nsds_row_list *list = &s->closed;
  int n = list->n, parts = list->nparts, begin = 0;
  bool reads = a->mode == NSDS_ARCHIVE_READ;
  nsds_archive_size(a, object, "closed rows", &n, 0, s->nrow);
  nsds_archive_size(a, object, "parts of closed rows", &parts, 0, s->nrow);
  for (int r = 0; r < s->nrow; ++r) s->split.sorted[r] = 0;
  for (int k = 0; k < n && !a->status; ++k) {
    int r = a->mode == NSDS_ARCHIVE_WRITE ? list->row[k] : 0;
    nsds_archive_size(a, object, "place of a closed row", &r, 0, s->nrow - 1);
    if (a->status) return;
    if (s->split.sorted[r]++ || s->row[r].mode != NSDS_MODE_CLOSED)
      a->status = nsds_fail(a->context, NSDS_ERROR_FORMAT, "%s: %s: row %d is not closed, or twice",
                            a->call, a->path, r);
    if (reads) list->row[k] = r;
  }
  for (int p = 0; p <= parts && !a->status; ++p) {
    int start = a->mode == NSDS_ARCHIVE_WRITE ? list->start[p] : begin;
    nsds_archive_size(a, object, "begin of a part", &start, p == parts ? n : begin, p == 0 ? 0 : n);
    begin = start;
    if (reads) list->start[p] = start;
  }
  if (reads) list->n = n, list->nparts = parts;
}

static void archive_weights(nsds_archive *a, nsds_event_rows *s) {
  for (const nsds_row *row = s->row, *end = row + s->nrow; row < end && !a->status; ++row) {
    if (row->way != NSDS_WAY_DIFFERENTIATED) continue;
    const nsds_row_group *group = nsds_group_of(s, row);
    double *weight = s->weights.weight + group->weights + nsds_group_place(s, row);
    for (int j = 0; j < group->n; ++j)
      nsds_archive_finite(a, object, "weight", &weight[(ptrdiff_t)j * group->n], 1);
  }
}

void nsds_event_rows_archive_motion(nsds_event_rows *s, nsds_archive *a) {
  double *const number[] = {&s->scales.time, &s->slack, &s->sizes.largest};
  bool *const flag[] = {&s->facts.loaded, &s->facts.constant, &s->facts.shared, &s->uniform,
                        &s->idle};
  nsds_archive_same(a, object, "rows in all", (uint64_t)s->nrow);
  nsds_archive_past(a, object, "where its differences begin", &s->scales.from);
  for (size_t k = 0; k < sizeof number / sizeof *number; ++k)
    nsds_archive_at_least(a, object, "size", number[k], 0.0);
  for (size_t k = 0; k < sizeof flag / sizeof *flag; ++k) nsds_archive_bool(a, flag[k]);
  archive_closed(a, s);
  archive_weights(a, s);
  nsds_archive_finite(a, object, "rate", s->rate, s->plan->model->size.nv);
  if (a->mode != NSDS_ARCHIVE_READ || a->status) return;
  nsds_rows_forget_factors(s);
  a->status = nsds_parts_reserve(s, &s->closed);
}
