/*
 * The list of rows of an event-driven simulation, renewed after changes of the graph or of found
 * contacts. Renewal describes law, degree and norm of each row, refuses laws that events cannot
 * treat, and reserves memory for problems. See event_rows.h.
 */
#include "kernel/events/event_rows.h"

#include "base/base.h"
#include "base/context.h"
#include "kernel/assembly/contact_operator.h"
#include "kernel/assembly/index_one.h"
#include "kernel/assembly/plan.h"
#include "kernel/assembly/plan_memory.h"
#include "kernel/assembly/tracked_contact.h"
#include "kernel/events/event_functions.h"
#include "kernel/events/event_parts.h"
#include "kernel/events/event_switches.h"
#include "kernel/events/impact_distribution.h"
#include "kernel/events/jamming_impact.h"
#include "kernel/events/row_carryover.h"
#include "kernel/events/row_groups.h"
#include "kernel/events/row_listing.h"
#include "kernel/events/row_values.h"
#include "kernel/events/slip_onset.h"
#include "kernel/events/soft_rows.h"
#include "kernel/events/trial_ahead.h"
#include "kernel/modeling/contact_set.h"
#include "kernel/modeling/label.h"
#include "kernel/modeling/law.h"
#include "kernel/modeling/local.h"
#include "kernel/modeling/joint_data.h"
#include "kernel/modeling/modeling.h"

void nsds_event_rows_create(nsds_plan *plan, nsds_event_rows *s) {
  s->plan = plan;
  s->scales.from = -INFINITY;
  s->scales.until = INFINITY;
  s->aside.n = -1;
  nsds_contact_operator_create(plan, false, &s->op);
}

void nsds_event_rows_destroy(nsds_event_rows *s) {
  if (!s->plan) return;
  nsds_context *context = s->plan->context;
  nsds_contact_operator_destroy(&s->op);
  nsds_distribution_destroy(s);
  nsds_parts_release(s);
  nsds_event_problem_destroy(s);
  void *arrays[] = {s->row,           s->rate,           s->memory.work,     s->memory.map,
                    s->sizes.size,    s->onsets.onset,   s->onsets.step,     s->ahead.q,
                    s->system.block,  s->system.bounds,  s->affine.constant, s->affine.value,
                    s->affine.start,  s->weights.weight, s->weights.scratch, s->affine.column,
                    s->aside.row,     s->search.start,   s->memory.jam_way,  s->memory.vector,
                    s->affine.form,   s->affine.base,    s->groups.of,       s->groups.group,
                    s->groups.member, s->groups.link,    s->groups.D,        s->groups.moved,
                    s->groups.answer, s->stops.link};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; ++k) nsds_release(context, arrays[k]);
  *s = (nsds_event_rows){0};
}

/* ---- rows ------------------------------------------------------------------------------------ */

static nsds_status event_rows_refuse(const nsds_event_rows *s, const nsds_contact *contact,
                                     const char *why) {
  char label[nsds_label_size], relation[nsds_label_size];
  return nsds_fail(s->plan->context, NSDS_ERROR_UNSUPPORTED, "event-driven: %s (%s, law %s): %s",
                   nsds_contact_label(contact, label),
                   nsds_relation_label(contact->interaction->relation, relation),
                   nsds_law_called(contact->law), why);
}

static const char coupled[] = "its law couples rows; valid are impact, friction, rolling friction, "
                              "complementarity, equality, relay (also for facets of a polyhedron, "
                              "see docs/events.md) and, of first order, saturation";

static bool has_modes(const nsds_law *law) {
  nsds_set_kind set = law->set;
  return set == NSDS_SET_NONNEGATIVE || set == NSDS_SET_EQUALITY || set == NSDS_SET_BOX ||
         (nsds_law_has_tangents(law) && law->ops->restitution);
}

/* Returns true for friction on the angle of a swing: its slip jumps from -w to w at 0. */
static bool rubs_swing(const nsds_relation *relation, const nsds_law *law) {
  if (!relation->joint || (int)relation->joint->kind != nsds_joint_swing_row || relation->midway ||
      law->set != NSDS_SET_BOX)
    return false;
  nsds_block block = nsds_law_block(law);
  return block.lower[0] < 0.0 || block.upper[0] > 0.0;
}

/* Refuses contacts without modes in event-driven simulation. */
static nsds_status event_rows_check(const nsds_event_rows *s, const nsds_contact *contact) {
  const nsds_relation *relation = contact->interaction->relation;
  if (!has_modes(contact->law)) return event_rows_refuse(s, contact, coupled);
  if (rubs_swing(relation, contact->law))
    return event_rows_refuse(
        s, contact,
        "the slip of a swing jumps where the swing is 0; valid are a damper, or "
        "time stepping");
  return NSDS_OK;
}

/* Checks a contact set before any of its contacts is found. */
static nsds_status event_rows_check_set(const nsds_event_rows *s, const nsds_contact_set *set) {
  char label[nsds_label_size];
  nsds_status status = nsds_check_followed(set);
  if (status || (has_modes(set->law) && !set->law->ops->compliance)) return status;
  return nsds_fail(s->plan->context, NSDS_ERROR_UNSUPPORTED, "event-driven: %s (law %s): %s",
                   nsds_contact_set_label(set, label), nsds_law_called(set->law), coupled);
}

/* Describes row k of a contact with friction. Rows of slip come first, then as many of rolling. At
 * rest the law adds (1 + e_t) times the given slip; at unit speed it adds e_t more. */
static void describe_friction(const nsds_contact *contact, int k, const nsds_block *block,
                              nsds_row *row) {
  double rest[5] = {0.0}, unit[5] = {0.0};
  static const double zeros[5] = {0.0, 0.0, 0.0, 0.0, 0.0}, ones[5] = {1.0, 1.0, 1.0, 1.0, 1.0};
  int span = block->set == NSDS_SET_ROLLING ? (contact->size - 1) / 2 : contact->size - 1;
  bool rolls = k > span;
  contact->restitution(contact->law_self, zeros, rest);
  contact->restitution(contact->law_self, ones, unit);
  row->normal = k;
  row->lead = k == 0 ? 0 : (k - 1) % span;
  row->span = k > 0 && row->lead == 0 ? span : 0;
  row->mu = k == 0 ? 0.0 : rolls ? block->mu_rolling : block->mu;
  row->tangents = k == 0 ? contact->size - 1 : 0;
  row->upper = k == 0 ? INFINITY : 0.0;
  double weight = 1.0 + unit[k] - rest[k];
  row->given = k > 0 && weight != 0.0 ? rest[k] / weight : 0.0;
}

static void event_rows_describe(const nsds_event_rows *s, int c, int i, const nsds_block *block,
                                nsds_row *row) {
  const nsds_contact *contact = &s->plan->contact[c];
  int k = i % contact->size;
  bool box = block->set == NSDS_SET_BOX;
  *row = (nsds_row){.contact = c,
                    .i = i,
                    .y = contact->y0 + i,
                    .set = contact->found.set,
                    .key = contact->serial,
                    .lower = box                               ? block->lower[k]
                             : block->set == NSDS_SET_EQUALITY ? -INFINITY
                                                               : 0.0,
                    .upper = box ? block->upper[k] : INFINITY,
                    .flights.last = -INFINITY};
  row->norm = contact->is.fixed && contact->is.affine ? nsds_row_norm(s, row) : INFINITY;
  if (nsds_law_has_tangents(contact->law)) describe_friction(contact, k, block, row);
  row->degree = nsds_soft_degree(s, row);
}

nsds_status nsds_rows_reserve_search(nsds_event_rows *s) {
  const nsds_model *model = s->plan->model;
  s->search.sets = model->set.count > 0;
  if (!s->search.sets) return NSDS_OK;
  return nsds_grow(model->context, &s->search.start, &s->search.capacity, model->size.nq,
                   sizeof *s->search.start);
}

static nsds_status event_rows_reserve(nsds_event_rows *s) {
  const nsds_plan *plan = s->plan;
  nsds_context *context = plan->context;
  size_t rows = 0, map = 1, work = 1, local = 0;
  size_t nv = plan->model->size.nv;
  for (int c = 0; c < plan->ncontact; ++c) {
    size_t m = (size_t)nsds_contact_event_rows(&plan->contact[c]);
    rows += m;
    size_t wanted = nsds_bias_work(plan->contact[c].interaction) + m;
    if (wanted < 2 * m) wanted = 2 * m; /* steps of lambda */
    if (wanted > work) work = wanted;
    wanted = plan->contact[c].found.set ? nsds_local_work(plan->contact[c].interaction) : 0;
    if (wanted > local) local = wanted;
  }
  for (int k = 0; k < plan->nslot; ++k) {
    size_t wanted = (size_t)plan->slot[k].nv * (size_t)plan->slot[k].ds->nq;
    if (wanted > map) map = wanted;
  }
  nsds_status status = nsds_grow(context, &s->row, &s->listed.capacity, rows, sizeof *s->row);
  if (!status) status = nsds_plan_reserve_work(s->plan, local);
  if (!status) status = nsds_rows_reserve_search(s);
  if (!status) status = nsds_grow(context, &s->rate, &s->memory.rate_capacity, nv, sizeof *s->rate);
  if (!status)
    status = nsds_grow(context, &s->memory.vector, &s->memory.vector_capacity, nv,
                       sizeof *s->memory.vector);
  if (!status)
    status = nsds_grow(context, &s->sizes.size, &s->sizes.capacity, 3 * (size_t)plan->nslot,
                       sizeof *s->sizes.size);
  if (!status &&
      (s->sizes.n != plan->nslot || s->sizes.rearranged != plan->model->systems.rearranged))
    nsds_zero_doubles(s->sizes.size, 3 * (size_t)plan->nslot);
  s->sizes.n = plan->nslot;
  s->sizes.rearranged = plan->model->systems.rearranged;
  s->sizes.single = plan->slots_aligned;
  for (int k = 0; k < plan->nslot; ++k)
    s->sizes.single = s->sizes.single && plan->slot[k].nv == 1 && plan->slot[k].v0 == k;
  if (!status)
    status =
        nsds_grow(context, &s->memory.map, &s->memory.map_capacity, map, sizeof *s->memory.map);
  if (!status)
    status =
        nsds_grow(context, &s->memory.work, &s->memory.work_capacity, work, sizeof *s->memory.work);
  if (!status) status = nsds_groups_find(s);
  s->nrow = status ? 0 : (int)rows;
  if (!status) status = nsds_event_functions_reserve(s);
  return status ? status : nsds_event_rows_reserve(s);
}

/* Checks the contacts, and finds in which rows lambda enters s. */
static nsds_status find_couplings(nsds_event_rows *s) {
  const nsds_plan *plan = s->plan;
  nsds_row *row = s->row;
  nsds_status status = NSDS_OK;
  for (int c = 0; !status && c < plan->ncontact; ++c) {
    const nsds_contact *contact = &plan->contact[c];
    if (contact->is.built_in) continue;
    bool soft = nsds_contact_is_soft(contact);
    status = event_rows_check(s, contact);
    for (int i = 0; i < contact->m; ++i) row[i] = (nsds_row){.contact = c, .i = i};
    if (!status && soft) status = nsds_soft_linearise(s, row);
    if (!status && soft) status = nsds_soft_check(s, c);
    row += contact->m;
  }
  if (!status) status = nsds_groups_check(s);
  if (!status) nsds_groups_couple(s);
  return status;
}

/* Lists the rows of all contacts. */
static nsds_status event_rows_list_rows(nsds_event_rows *s) {
  const nsds_plan *plan = s->plan;
  nsds_row *row = s->row;
  int spatial = 0; /* contacts with friction in space */
  nsds_status status = find_couplings(s);
  for (int c = 0; !status && c < plan->ncontact; ++c) {
    nsds_contact *contact = &plan->contact[c];
    if (contact->is.built_in) continue;
    nsds_block block = nsds_law_block(contact->law);
    bool soft = nsds_contact_is_soft(contact);
    for (int i = 0; i < contact->m; ++i, ++row) event_rows_describe(s, c, i, &block, row);
    bool friction = nsds_law_has_tangents(contact->law);
    s->listed.friction = s->listed.friction || friction;
    if (friction && contact->size == 3 && block.set == NSDS_SET_COULOMB) spatial += contact->m / 3;
    if (friction && contact->size == 5) spatial += 2 * contact->m / 5;
    s->listed.feeds = s->listed.feeds || (soft && (s->op.entry[c].D || s->groups.algebraic));
    s->listed.soft = s->listed.soft || soft;
    s->listed.curved = s->listed.curved || nsds_contact_is_curved(contact);
    s->listed.damped = s->listed.damped || nsds_contact_is_damped(contact);
    s->listed.varies = s->listed.varies || !contact->is.affine || !contact->is.fixed;
    s->impacts.grouped = s->impacts.grouped || contact->law->impact.rule;
  }
  s->listed.soft = s->listed.soft || s->groups.algebraic;
  for (int k = 0; s->groups.algebraic && k < plan->nslot; ++k)
    s->listed.bends =
        s->listed.bends || (plan->slot[k].index_one && plan->slot[k].index_one->bends);
  s->listed.curved = s->listed.curved || s->listed.bends;
  s->listed.varies = s->listed.varies || s->listed.bends;
  if (!status) status = nsds_onset_reserve(s, spatial);
  if (!status && s->listed.friction) status = nsds_trial_reserve(s);
  return status ? status : nsds_jam_reserve(s);
}

/* Finds degrees anew, since D may have other zeros. The closed rows then no longer determine
 * lambda. */
static nsds_status renew_degrees(nsds_event_rows *s) {
  nsds_status status = NSDS_OK;
  for (nsds_row *row = s->row, *end = row + s->nrow; !status && row < end; ++row)
    if (row->i == 0 && nsds_contact_is_soft(&s->plan->contact[row->contact]) &&
        s->op.entry[row->contact].D)
      status = nsds_soft_linearise(s, row);
  if (status) return status;
  nsds_groups_couple(s);
  for (nsds_row *row = s->row, *end = row + s->nrow; row < end; ++row) {
    const nsds_row_group *group = nsds_group_of(s, row);
    if (!group || !nsds_group_matrix(s, group)) continue;
    row->degree = nsds_soft_degree(s, row);
    nsds_rows_clear(s, &s->closed);
  }
  return NSDS_OK;
}

/* Checks and lists the rows of the present contacts, and reserves memory. */
static nsds_status event_rows_list(nsds_event_rows *s) {
  const nsds_model *model = s->plan->model;
  nsds_status status = NSDS_OK;
  s->listed.driven = false;
  for (int k = 0; k < s->plan->nslot; ++k)
    s->listed.driven = s->listed.driven || s->plan->slot[k].ds->prescribed.n > 0;
  for (size_t k = 0; !status && k < model->set.count; ++k)
    status = event_rows_check_set(s, model->set.item[k]);
  if (!status) status = event_rows_reserve(s);
  if (!status) status = event_rows_list_rows(s);
  if (!status) status = nsds_event_rows_reserve_parts(s);
  if (!status && s->impacts.grouped) status = nsds_distribution_reserve(s);
  return status;
}

nsds_status nsds_event_rows_renew(nsds_event_rows *s) {
  const nsds_plan *plan = s->plan;
  unsigned missed =
      nsds_versions_missed(&s->listed.of, &plan->seen.of, NSDS_NEW_GRAPH | NSDS_NEW_SEARCH);
  bool stays = !(missed & NSDS_NEW_GRAPH) && s->rate;
  nsds_status status;
  if (!stays || missed) {
    if (stays && s->aside.n < 0) {
      status = nsds_rows_reserve_aside(s, s->nrow);
      if (status) return status;
      nsds_rows_put_aside(s, s->row, s->nrow);
      s->aside.of = plan->seen.of;
    }
    if (!stays && nsds_versions_missed(&s->aside.of, &plan->seen.of, NSDS_NEW_GRAPH))
      s->aside.n = -1;
    s->listed.of.graph = 0;
    nsds_rows_clear(s, &s->closed); /* rows have new places */
    s->facts.shared = false;
    s->impacts.grouped = s->listed.feeds = s->listed.varies = s->listed.friction = false;
    s->listed.soft = s->listed.curved = s->listed.bends = s->listed.damped = false;
    status = event_rows_list(s);
    if (status) return status;
    if (s->aside.n >= 0) nsds_rows_take_back(s);
    s->aside.of.graph = 0;
    s->listed.of = plan->seen.of;
  }
  status = stays ? renew_degrees(s) : NSDS_OK;
  if (status) return status;
  nsds_gates_take(s);
  if (s->after_window) nsds_rows_mark_loaded(s);
  if (s->search.sets)
    nsds_copy_doubles(s->search.start, plan->model->state.q, plan->model->size.nq);
  return NSDS_OK;
}

/* ---- evaluation ------------------------------------------------------------------------------ */

nsds_status nsds_event_rows_reserve_parts(nsds_event_rows *s) {
  nsds_row_list *list = &s->list;
  list->n = 0;
  for (int r = 0; r < s->nrow && s->row[r].contact < s->plan->ninteraction; ++r)
    list->row[list->n++] = r;
  nsds_status status = nsds_rows_split(s, list);
  if (!status) status = nsds_parts_reserve(s, list);
  if (status || list->nparts == 0) return status;
  int largest = 0;
  for (int p = 1; p < list->nparts; ++p)
    if (list->start[p + 1] - list->start[p] > list->start[largest + 1] - list->start[largest])
      largest = p;
  const nsds_row_part part = nsds_part_of(s, list, largest);
  return nsds_event_solver_reserve(s, &part);
}

nsds_status nsds_event_rows_reserve(nsds_event_rows *s) {
  nsds_context *context = s->plan->context;
  size_t n = (size_t)s->nrow, systems = (size_t)s->plan->nslot;
  const struct {
    void *array;
    size_t *capacity, count, size;
  } wanted[] = {{&s->list.row, &s->list.row_capacity, n, sizeof *s->list.row},
                {&s->closed.row, &s->closed.row_capacity, n, sizeof *s->closed.row},
                {&s->closed.start, &s->closed.start_capacity, n + 2, sizeof *s->closed.start},
                {&s->list.start, &s->list.start_capacity, n + 2, sizeof *s->list.start},
                {&s->split.link, &s->split.link_capacity, 2 * systems, sizeof *s->split.link},
                {&s->stops.link, &s->stops.capacity, 2 * systems, sizeof *s->stops.link},
                {&s->split.sorted, &s->split.sorted_capacity, 2 * n, sizeof *s->split.sorted},
                {&s->system.numbers, &s->system.numbers_capacity, 4 * n, sizeof *s->system.numbers},
                {&s->system.block, &s->system.block_capacity, n, sizeof *s->system.block},
                {&s->system.bounds, &s->system.bounds_capacity, 2 * n, sizeof *s->system.bounds}};
  nsds_status status = NSDS_OK;
  for (size_t k = 0; !status && k < sizeof wanted / sizeof *wanted; ++k)
    status = nsds_grow_array(context, "rows in question", wanted[k].array, wanted[k].capacity,
                             wanted[k].count, wanted[k].size);
  return status;
}
