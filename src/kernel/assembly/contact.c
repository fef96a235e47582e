/*
 * Creates the contacts of the plan and their entries in problems. Each contact and each entry is
 * one piece of the plan's arena, so that interactions come and go without touching the others.
 */
#include "kernel/assembly/contact.h"

#include "base/arena.h"
#include "base/context.h"
#include "kernel/assembly/local_first.h"
#include "kernel/assembly/local_second.h"
#include "kernel/assembly/contact_operator.h"
#include "kernel/assembly/plan.h"
#include "kernel/modeling/law.h"
#include "kernel/modeling/law_constraint.h"
#include "kernel/modeling/local.h"
#include "kernel/modeling/modeling.h"
#include "numerics/sets/sets.h"

/* Places arrays in one piece: a NULL base counts, any other base hands out addresses. Pointers come
 * first, then doubles, then smaller types, so that everything is aligned. */
typedef struct pieces {
  char *base;
  size_t at;
} pieces;

static void *contact_take(pieces *p, size_t count, size_t size) {
  void *here = p->base ? p->base + p->at : NULL;
  p->at += count * size;
  return here;
}

static double *take_doubles(pieces *p, size_t count) {
  return count > 0 ? contact_take(p, count, sizeof(double)) : NULL;
}

static size_t count_unknowns(const nsds_contact *contact, int nedge) {
  size_t n = 0;
  for (int e = 0; e < nedge; ++e) n += (size_t)contact->reach[e].size;
  return n;
}

/* ---- contacts -------------------------------------------------------------------------------- */

void nsds_contact_take_law(nsds_contact *contact) {
  const nsds_law *law = contact->law;
  bool guarded = law->guarded;
  contact->active = guarded && law->ops->active ? nsds_guarded_active : law->ops->active;
  contact->restitution =
      guarded && law->ops->restitution ? nsds_guarded_restitution : law->ops->restitution;
  contact->law_self = guarded ? (void *)(uintptr_t)law : law->self;
}

static bool spring_closes(void *self, const double *y, const double *ydot, double tau,
                          double slack) {
  const nsds_law *law = ((const nsds_spring_law *)self)->interaction->law;
  return law->ops->active(law->self, y, ydot, tau, slack);
}

static void spring_adds(void *self, const double *ydot, double *q) {
  const nsds_law *law = ((const nsds_spring_law *)self)->interaction->law;
  law->ops->restitution(law->self, ydot, q); /* a constant slip */
}

/* Springs with laws at velocity level. */
static bool has_law_of_spring(const nsds_contact *contact) {
  return contact->is.compliant && contact->is.level0 && contact->law->level == NSDS_LEVEL_VELOCITY;
}

nsds_spring_law *nsds_contact_spring_law(const nsds_contact *contact) {
  return has_law_of_spring(contact) ? contact->law_self : NULL;
}

bool nsds_contact_bears(const nsds_contact *contact, int copy) {
  const nsds_spring_law *spring = nsds_contact_spring_law(contact);
  int row = copy * contact->size;
  if (!spring || !spring->soft[row]) return false;
  const nsds_interaction *ia = spring->interaction;
  return ia->model->state.force[ia->y_offset + row] > 0.0;
}

static void take_law_of_spring(pieces *p, nsds_contact *contact) {
  size_t m = (size_t)contact->m;
  nsds_spring_law *s = contact_take(p, 1, sizeof *s);
  double *D = take_doubles(p, m * m);
  unsigned char *soft =
      contact_take(p, (m + 7) / 8, sizeof(double)); /* the next arrays are aligned */
  contact->active = spring_closes;
  contact->restitution = contact->law->ops->restitution ? spring_adds : NULL;
  contact->law_self = s;
  if (p->base) *s = (nsds_spring_law){.interaction = contact->interaction, .D = D, .soft = soft};
  if (p->base) memset(soft, 0, m);
}

static void contact_describe(nsds_contact *contact, nsds_interaction *ia) {
  const nsds_relation *relation = ia->relation;
  /* the law is about y itself and lambda */
  bool first = nsds_acts_on_states(relation->kind),
       compliant = relation->ops->jacobian_lambda != NULL;
  bool gap = nsds_law_is_about_gap(ia->law), mapped = false;
  bool level0 = first || (compliant && gap);
  for (int k = 0; k < ia->nds; ++k)
    mapped = mapped || (nsds_is_second_order(ia->ds[k]) && ia->ds[k]->ops->velocity_map);
  *contact =
      (nsds_contact){.interaction = ia,
                     .kind = relation->kind,
                     .serial = ia->serial,
                     .ops = first ? &nsds_contact_first : &nsds_contact_second,
                     .m = ia->m,
                     .y0 = ia->y_offset,
                     .ncopy = ia->ncopy,
                     .size = ia->law->size,
                     .nds = ia->nds,
                     .nv = relation->nv,
                     .law = ia->law,
                     .is.affine = relation->affine && !mapped,
                     .is.linear = relation->linear && !mapped,
                     .is.shown_active = ia->active,
                     .is.level0 = level0,
                     .is.compliant = !first && compliant,
                     .is.gated = relation->ops->margin != NULL,
                     .is.looking = relation->ops->look != NULL,
                     .is.scaled = !first && (level0 || ia->law->level != NSDS_LEVEL_VELOCITY)};
  if (!level0) nsds_contact_take_law(contact);
}

static nsds_reach reach_of(const nsds_plan *plan, int s) {
  const nsds_slot *slot = &plan->slot[s];
  return (nsds_reach){.slot = s, .column = slot->v0, .size = slot->nv, .q = slot->q0};
}

/* Lists the slots of the interaction's own systems, then the others of the clusters of these
 * systems. */
static int contact_list_edges(const nsds_plan *plan, const nsds_interaction *ia,
                              nsds_reach *reach) {
  int count = ia->nds;
  for (int e = 0; reach && e < ia->nds; ++e) reach[e] = reach_of(plan, ia->ds[e]->index);
  for (int k = 0; k < plan->ncluster; ++k) {
    const nsds_cluster *cluster = &plan->cluster[k];
    bool touched = false;
    for (int e = 0; e < ia->nds; ++e)
      touched = touched || plan->slot[ia->ds[e]->index].cluster == k;
    for (int s = 0; touched && s < cluster->nslot; ++s) {
      bool own = false;
      for (int e = 0; e < ia->nds; ++e) own = own || ia->ds[e]->index == cluster->slot[s];
      if (own) continue;
      if (reach) reach[count] = reach_of(plan, cluster->slot[s]);
      ++count;
    }
  }
  return count;
}

static void place_contact(pieces *p, nsds_contact *contact) {
  const nsds_relation *relation = contact->interaction->relation;
  const nsds_relation_ops *ops = relation->ops;
  size_t m = (size_t)contact->m, n = (size_t)relation->nv;
  bool d = contact->is.affine && (ops->feedthrough || ops->jacobian_lambda);
  bool states = nsds_acts_on_states(contact->kind);
  contact->reach = contact_take(p, (size_t)contact->nedge, sizeof *contact->reach);
  contact->first = states ? contact_take(p, 1, sizeof *contact->first) : NULL;
  contact->H = contact->is.affine ? take_doubles(p, m * n) : NULL;
  contact->D = d ? take_doubles(p, m * m) : NULL;
  contact->shift = take_doubles(p, m);
  if (has_law_of_spring(contact)) take_law_of_spring(p, contact);
  if (states) {
    nsds_first_terms terms = {0};
    terms.C = take_doubles(p, m * n);
    terms.B = take_doubles(p, m * n);
    terms.K = nsds_input_depends(ops) ? take_doubles(p, n * n) : NULL;
    terms.h = take_doubles(p, m);
    terms.g = take_doubles(p, n);
    bool curved = !contact->is.linear, mixed = contact->kind == NSDS_RELATION_MIXED;
    terms.g_offset = curved ? take_doubles(p, n) : NULL;
    terms.lambda = curved ? take_doubles(p, m) : NULL;
    terms.places = curved && mixed ? take_doubles(p, m) : NULL;
    terms.input_places = curved && mixed && ops->input_q ? take_doubles(p, n) : NULL;
    if (p->base) *contact->first = terms;
  }
}

static bool gain_stays(const nsds_plan *plan, const nsds_interaction *ia) {
  for (int e = 0; e < ia->nds; ++e) {
    const nsds_slot *slot = &plan->slot[ia->ds[e]->index];
    if (!slot->is.fixed || slot->cluster >= 0) return false;
  }
  return true;
}

/* Reads the contact only: when a contact is retired, its interaction is gone. */
void nsds_contact_count(nsds_counts *count, const nsds_contact *contact, int by) {
  if (nsds_acts_on_states(contact->kind)) count->first += by;
  if (contact->is.compliant) count->compliant += by;
  if (contact->kind == NSDS_RELATION_MIXED) count->mixed += by;
  if (!contact->is.linear) count->nonlinear += by;
  if (!contact->is.fixed) count->varying += by;
  if (contact->active) count->conditional += by;
  if (contact->ncopy > 1 && contact->active) count->several += by;
  if (contact->active && contact->active != nsds_gap_closes) count->judged += by;
  if (contact->law->guarded) count->foreign += by;
  if (contact->is.gated) count->gated += by;
  if (contact->is.looking) count->looking += by;
  if (nsds_contact_is_plain(contact)) count->plain += by;
  if (contact->found.set && contact->nedge == 1) count->single += by;
  count->copies += by * contact->ncopy;
  count->edges += by * contact->nedge;
}

nsds_status nsds_contact_create(nsds_plan *plan, int c, nsds_interaction *ia) {
  nsds_contact *contact = &plan->contact[c];
  nsds_status status = nsds_grow(plan->context, &plan->memory.work, &plan->memory.work_capacity,
                                 nsds_local_work(ia), sizeof *plan->memory.work);
  if (status) return status;
  contact_describe(contact, ia);
  contact->nedge = contact_list_edges(plan, ia, NULL);
  pieces p = {0};
  place_contact(&p, contact);
  contact->lines = nsds_arena_lines(p.at);
  void *memory = nsds_arena_take(plan->context, &plan->memory.arena, contact->lines);
  contact->reach = memory; /* NULL: this is no contact yet */
  if (!memory) return NSDS_ERROR_MEMORY;
  p = (pieces){.base = memory};
  place_contact(&p, contact);
  contact_list_edges(plan, ia, contact->reach);
  contact->is.fixed = contact->is.affine && gain_stays(plan, ia);
  nsds_contact_count(&plan->count, contact, 1);
  nsds_contact_set_counted(contact, true);
  return NSDS_OK;
}

void nsds_contact_uncount(nsds_plan *plan, nsds_contact *contact) {
  if (contact->is.counted) nsds_contact_count(&plan->count, contact, -1);
  nsds_contact_set_counted(contact, false);
}

void nsds_contact_retire(nsds_plan *plan, int c) {
  nsds_contact *contact = &plan->contact[c];
  nsds_contact_uncount(plan, contact);
  nsds_arena_give(&plan->memory.arena, contact->reach, contact->lines);
  contact->reach = NULL;
}

/* ---- entries --------------------------------------------------------------------------------- */

/* Returns the number of doubles for the scaled bounds of all copies. */
static size_t count_bounds(const nsds_contact *contact) {
  if (!contact->is.scaled) return 0;
  const nsds_law *law = contact->law; /* as of creation: its function may change since */
  nsds_block block = {.set = law->set, .size = law->size, .nfacet = law->nfacet};
  return (size_t)contact->ncopy * nsds_block_scale_size(&block);
}

/* Returns true if the operator uses only the rows of gaps and the contact has others. */
static bool uses_some(const nsds_contact_operator *op, const nsds_contact *contact) {
  return nsds_operator_copy_rows(op, contact) < contact->size;
}

/* Returns true if the law adds to D. A problem of displacements has no D. */
static bool adds_law_d(const nsds_contact_operator *op, const nsds_law *law) {
  return !op->displaces && law->ops->compliance;
}

static const nsds_entry_more no_more = {.law_D = NULL};

/* Places the additions of an entry over `unknowns` unknowns. `law`, `packs` and `d`: it has a law's
 * part of D, packed rows, D. */
static void place_more(pieces *p, const nsds_contact *contact, bool law, bool packs, bool d,
                       size_t unknowns, nsds_entry *entry) {
  size_t m = (size_t)contact->m, nbound = count_bounds(contact);
  bool any = law || packs || nbound > 0, several = contact->ncopy > 1 && contact->active;
  nsds_entry_more *more = any ? contact_take(p, 1, sizeof *more) : NULL, placed = no_more;
  placed.law_D = law ? take_doubles(p, m * m) : NULL;
  placed.packed = packs ? take_doubles(p, 2 * m * unknowns) : NULL;
  placed.packed_D = packs && d ? take_doubles(p, m * m) : NULL;
  placed.bounds = take_doubles(p, nbound);
  placed.on = several ? contact_take(p, (size_t)contact->ncopy, sizeof *placed.on) : NULL;
  if (any && p->base) *more = placed;
  entry->more = any ? more : &no_more;
}

static void place_entry(pieces *p, const nsds_contact_operator *op, const nsds_contact *contact,
                        nsds_entry *entry) {
  const nsds_interaction *ia = contact->interaction;
  const nsds_relation_ops *ops = ia->relation->ops;
  size_t m = (size_t)contact->m, n = (size_t)ia->relation->nv;
  size_t reached = count_unknowns(contact, contact->nedge);
  bool several = contact->ncopy > 1 && contact->active;
  bool law = adds_law_d(op, ia->law);
  bool packs = several || uses_some(op, contact), with_gain = !op->without_gain;
  bool d = law || (!op->displaces && (ops->feedthrough || ops->jacobian_lambda));
  bool follows = op->plan->search.follows;
  entry->edge = follows ? contact_take(p, (size_t)contact->nedge, sizeof *entry->edge) : NULL;
  /* a first-order relation scales dh/dX by its weight; zeros stand for the systems of clusters */
  bool own = !contact->is.affine || nsds_acts_on_states(contact->kind) || reached > n;
  entry->H = own ? take_doubles(p, m * reached) : contact->H;
  entry->Y = with_gain ? take_doubles(p, m * reached) : NULL;
  entry->D = d ? take_doubles(p, m * m) : NULL;
  entry->offset = contact->is.affine ? NULL : take_doubles(p, m);
  place_more(p, contact, law, packs, d, reached, entry);
}

static void set_edges(const nsds_contact *contact, nsds_entry *entry) {
  size_t at = 0;
  for (int e = 0; entry->edge && e < contact->nedge; ++e) {
    const nsds_reach *reach = &contact->reach[e];
    entry->edge[e] = (nsds_edge){.column = reach->column,
                                 .size = reach->size,
                                 .H = entry->H + at,
                                 .Y = entry->Y ? entry->Y + at : NULL};
    at += (size_t)contact->m * (size_t)reach->size;
  }
}

nsds_status nsds_entry_create(const nsds_contact_operator *op, const nsds_contact *contact,
                              nsds_entry *entry) {
  nsds_plan *plan = op->plan;
  *entry = (nsds_entry){0};
  pieces p = {0};
  place_entry(&p, op, contact, entry);
  entry->lines = nsds_arena_lines(p.at);
  entry->memory = nsds_arena_take(plan->context, &plan->memory.arena, entry->lines);
  if (!entry->memory) return NSDS_ERROR_MEMORY;
  p = (pieces){.base = entry->memory};
  place_entry(&p, op, contact, entry);
  set_edges(contact, entry);
  entry->rows = contact->ncopy * nsds_operator_copy_rows(op, contact);
  for (int k = 0; entry->more->on && k < contact->ncopy; ++k) entry->more->on[k] = 1;
  return NSDS_OK;
}

void nsds_entry_retire(nsds_plan *plan, nsds_entry *entry) {
  nsds_arena_give(&plan->memory.arena, entry->memory, entry->lines);
  *entry = (nsds_entry){0};
}

nsds_status nsds_entry_add_law(const nsds_contact *contact, nsds_entry *entry, double weight) {
  const nsds_law *law = contact->law;
  double *law_D = entry->more->law_D;
  if (!law_D) return NSDS_OK;
  int m = contact->m;
  nsds_status status = NSDS_OK;
  for (int k = 0; k < m * m; ++k) law_D[k] = 0.0;
  for (int c = 0; !status && c < contact->ncopy; ++c)
    status = nsds_law_compliance(law, law_D + (size_t)c * (size_t)law->size * (size_t)(m + 1), m);
  for (int k = 0; k < m * m; ++k) {
    law_D[k] *= weight;
    entry->D[k] += law_D[k];
  }
  return status;
}

nsds_status nsds_entry_load(const nsds_plan *plan, const nsds_contact *contact, nsds_entry *entry) {
  const nsds_relation *relation = contact->interaction->relation;
  size_t m = (size_t)contact->m, n = (size_t)relation->nv;
  const nsds_scheme *scheme = plan->scheme;
  bool varies =
      !contact->is.affine && (relation->ops->jacobian_lambda || relation->ops->feedthrough);

  if (contact->is.affine && nsds_acts_on_states(contact->kind))
    for (size_t k = 0; k < m * n; ++k) entry->H[k] = scheme->relation_weight * contact->first->C[k];
  else if (contact->is.affine && entry->H != contact->H)
    memcpy(entry->H, contact->H, m * n * sizeof *entry->H);
  if (varies) return NSDS_OK; /* D comes with H */
  for (size_t k = 0; entry->D && k < m * m; ++k) entry->D[k] = contact->D ? contact->D[k] : 0.0;
  return nsds_entry_add_law(contact, entry, nsds_law_weight(contact, scheme));
}

/* ---- contacts of sets ------------------------------------------------------------------------ */

/* Returns a piece of `wanted` lines in place of a smaller one. */
static void *contact_room(nsds_plan *plan, void *memory, unsigned *lines, unsigned wanted) {
  nsds_arena_give(&plan->memory.arena, memory, *lines);
  memory = nsds_arena_take(plan->context, &plan->memory.arena, wanted);
  *lines = memory ? wanted : 0;
  return memory;
}

/* Returns the number of unknowns of a pair, even for a contact with the world: any contact of the
 * set may use the memory. */
static size_t pair_unknowns(const nsds_contact *contact) {
  return (size_t)contact->nv * (contact->nds == 1 ? 2 : 1);
}

static nsds_followed *lay_contact(pieces *p, const nsds_plan *plan, nsds_contact *contact) {
  bool follows = plan->search.follows;
  contact->reach = contact_take(p, 2, sizeof *contact->reach);
  nsds_followed *followed = follows ? contact_take(p, 1, sizeof *followed) : NULL;
  contact->H = take_doubles(p, (size_t)contact->m * pair_unknowns(contact));
  contact->shift = follows ? take_doubles(p, (size_t)contact->m) : NULL;
  return followed;
}

static void lay_entry(pieces *p, const nsds_contact_operator *op, const nsds_contact *contact,
                      nsds_entry *entry) {
  size_t m = (size_t)contact->m;
  bool law = adds_law_d(op, contact->law), packs = uses_some(op, contact);
  bool follows = op->plan->search.follows,
       with_gain = op->instant || follows || !op->plan->diagonal;
  entry->edge = follows ? contact_take(p, 2, sizeof *entry->edge) : NULL;
  entry->H = follows ? take_doubles(p, m * pair_unknowns(contact)) : contact->H;
  entry->Y = with_gain ? take_doubles(p, m * pair_unknowns(contact)) : NULL;
  entry->D = law ? take_doubles(p, m * m) : NULL;
  entry->offset = follows ? take_doubles(p, m) : NULL;
  place_more(p, contact, law, packs, law, pair_unknowns(contact), entry);
}

/* Grows the memory of a contact. A contact whose arrays move is uncounted and made anew. Otherwise
 * it would be compared by arrays of another contact. */
static nsds_status reserve_contact(nsds_plan *plan, nsds_contact *contact, unsigned wanted) {
  if (wanted <= contact->lines) return NSDS_OK;
  nsds_contact_uncount(plan, contact);
  contact->reach = contact_room(plan, contact->reach, &contact->lines, wanted);
  return contact->reach ? NSDS_OK : NSDS_ERROR_MEMORY;
}

static nsds_status reserve_entry(nsds_contact_operator *op, int c, unsigned wanted) {
  nsds_entry *entry = &op->entry[c];
  if (wanted <= entry->lines) return NSDS_OK;
  nsds_contact_uncount(op->plan, &op->plan->contact[c]);
  entry->memory = contact_room(op->plan, entry->memory, &entry->lines, wanted);
  return entry->memory ? NSDS_OK : NSDS_ERROR_MEMORY;
}

nsds_status nsds_found_reserve(nsds_plan *plan, int first, int end, const nsds_contact *like) {
  nsds_contact laid = *like;
  nsds_entry entry;
  nsds_status status = NSDS_OK;
  pieces p = {0};
  lay_contact(&p, plan, &laid);
  unsigned wanted = nsds_arena_lines(p.at);
  size_t missing = 0;
  for (int c = first; c < end; ++c) missing += wanted > plan->contact[c].lines;
  status = nsds_arena_reserve(plan->context, &plan->memory.arena, missing, wanted);
  for (int c = first; !status && c < end; ++c)
    status = reserve_contact(plan, &plan->contact[c], wanted);
  for (nsds_contact_operator *op = plan->operator; op; op = op->next) {
    p = (pieces){0};
    lay_entry(&p, op, like, &entry);
    for (int c = first; !status && c < end; ++c)
      status = reserve_entry(op, c, nsds_arena_lines(p.at));
  }
  return status;
}

nsds_followed *nsds_contact_lay_found(const nsds_plan *plan, nsds_contact *contact) {
  pieces p = {.base = (char *)contact->reach};
  nsds_followed *followed = lay_contact(&p, plan, contact);
  for (int i = 0; contact->shift && i < contact->m; ++i) contact->shift[i] = 0.0;
  return followed;
}

void nsds_entry_lay_found(const nsds_contact_operator *op, const nsds_contact *contact,
                          nsds_entry *entry) {
  pieces p = {.base = entry->memory};
  lay_entry(&p, op, contact, entry);
  set_edges(contact, entry);
  entry->rows = nsds_operator_copy_rows(op, contact);
}
