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
    contact->C = take_doubles(p, m * n);
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
  if (nsds_contact_is_plain(contact)) count->plain += by;
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
  contact->bytes = p.at;
  contact->memory = nsds_arena_take(plan->context, &plan->memory.arena, contact->bytes);
  if (!contact->memory) return NSDS_ERROR_MEMORY;
  p = (pieces){.base = contact->memory};
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
  nsds_arena_give(&plan->memory.arena, contact->memory, contact->bytes);
  contact->memory = NULL;
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

static void place_entry(pieces *p, const nsds_contact_operator *op, const nsds_contact *contact,
                        nsds_entry *entry) {
  const nsds_interaction *ia = contact->interaction;
  const nsds_relation_ops *ops = ia->relation->ops;
  size_t m = (size_t)contact->m, n = (size_t)ia->relation->nv, ncopy = (size_t)contact->ncopy;
  size_t reached = count_unknowns(contact, contact->nedge);
  bool several = contact->ncopy > 1 && contact->active;
  bool law = adds_law_d(op, ia->law);
  bool packs = several || uses_some(op, contact), with_gain = !op->without_gain;
  bool d = law || (!op->displaces && (ops->feedthrough || ops->jacobian_lambda));
  entry->edge = contact_take(p, (size_t)contact->nedge, sizeof *entry->edge);
  entry->packed_edge = packs ? contact_take(p, (size_t)contact->nedge, sizeof *entry->edge) : NULL;
  /* a first-order relation scales dh/dX by its weight; zeros stand for the systems of clusters */
  bool own = !contact->is.affine || nsds_acts_on_states(contact->kind) || reached > n;
  entry->H = own ? take_doubles(p, m * reached) : contact->H;
  entry->Y = with_gain ? take_doubles(p, m * reached) : NULL;
  entry->D = d ? take_doubles(p, m * m) : NULL;
  entry->law_D = law ? take_doubles(p, m * m) : NULL;
  entry->offset = contact->is.affine ? NULL : take_doubles(p, m);
  entry->packed = packs ? take_doubles(p, 2 * m * reached) : NULL;
  entry->packed_D = packs && d ? take_doubles(p, m * m) : NULL;
  entry->bounds = take_doubles(p, count_bounds(contact));
  entry->on = several ? contact_take(p, ncopy, sizeof *entry->on) : NULL;
}

static void set_edges(const nsds_contact *contact, nsds_entry *entry) {
  size_t at = 0;
  for (int e = 0; e < contact->nedge; ++e) {
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
  entry->bytes = p.at;
  entry->memory = nsds_arena_take(plan->context, &plan->memory.arena, entry->bytes);
  if (!entry->memory) return NSDS_ERROR_MEMORY;
  p = (pieces){.base = entry->memory};
  place_entry(&p, op, contact, entry);
  set_edges(contact, entry);
  entry->rows = contact->ncopy * nsds_operator_copy_rows(op, contact);
  for (int k = 0; entry->on && k < contact->ncopy; ++k) entry->on[k] = 1;
  return NSDS_OK;
}

void nsds_entry_retire(nsds_plan *plan, nsds_entry *entry) {
  nsds_arena_give(&plan->memory.arena, entry->memory, entry->bytes);
  *entry = (nsds_entry){0};
}

nsds_status nsds_entry_add_law(const nsds_contact *contact, nsds_entry *entry, double weight) {
  const nsds_law *law = contact->law;
  if (!entry->law_D) return NSDS_OK;
  int m = contact->m;
  nsds_status status = NSDS_OK;
  for (int k = 0; k < m * m; ++k) entry->law_D[k] = 0.0;
  for (int c = 0; !status && c < contact->ncopy; ++c)
    status =
        nsds_law_compliance(law, entry->law_D + (size_t)c * (size_t)law->size * (size_t)(m + 1), m);
  for (int k = 0; k < m * m; ++k) {
    entry->law_D[k] *= weight;
    entry->D[k] += entry->law_D[k];
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
    for (size_t k = 0; k < m * n; ++k) entry->H[k] = scheme->relation_weight * contact->C[k];
  else if (contact->is.affine && entry->H != contact->H)
    memcpy(entry->H, contact->H, m * n * sizeof *entry->H);
  if (varies) return NSDS_OK; /* D comes with H */
  for (size_t k = 0; entry->D && k < m * m; ++k) entry->D[k] = contact->D ? contact->D[k] : 0.0;
  return nsds_entry_add_law(contact, entry, nsds_law_weight(contact, scheme));
}

/* ---- contacts of sets ------------------------------------------------------------------------ */

static nsds_status contact_room(nsds_plan *plan, void **memory, size_t *bytes, size_t wanted) {
  nsds_arena_give(&plan->memory.arena, *memory, *bytes);
  *memory = nsds_arena_take(plan->context, &plan->memory.arena, wanted);
  *bytes = *memory ? wanted : 0;
  return *memory ? NSDS_OK : NSDS_ERROR_MEMORY;
}

/* Returns the number of unknowns of a pair, even for a contact with the world: any contact of the
 * set may use the memory. */
static size_t pair_unknowns(const nsds_contact *contact) {
  return (size_t)contact->nv * (contact->nds == 1 ? 2 : 1);
}

static nsds_followed *lay_contact(pieces *p, const nsds_plan *plan, nsds_contact *contact) {
  nsds_followed *followed = plan->search.follows ? contact_take(p, 1, sizeof *followed) : NULL;
  contact->reach = contact_take(p, 2, sizeof *contact->reach);
  contact->H = take_doubles(p, (size_t)contact->m * pair_unknowns(contact));
  contact->shift = take_doubles(p, (size_t)contact->m);
  return followed;
}

static void lay_entry(pieces *p, const nsds_contact_operator *op, const nsds_contact *contact,
                      nsds_entry *entry) {
  size_t m = (size_t)contact->m;
  bool law = adds_law_d(op, contact->law), packs = uses_some(op, contact);
  entry->edge = contact_take(p, 2, sizeof *entry->edge);
  bool follows = op->plan->search.follows,
       with_gain = op->instant || follows || !op->plan->diagonal;
  entry->H = follows ? take_doubles(p, m * pair_unknowns(contact)) : contact->H;
  entry->Y = with_gain ? take_doubles(p, m * pair_unknowns(contact)) : NULL;
  entry->packed_edge = packs ? contact_take(p, 2, sizeof *entry->edge) : NULL;
  entry->packed = packs ? take_doubles(p, 2 * m * pair_unknowns(contact)) : NULL;
  entry->D = law ? take_doubles(p, m * m) : NULL;
  entry->law_D = law ? take_doubles(p, m * m) : NULL;
  entry->bounds = take_doubles(p, count_bounds(contact));
}

/* Grows the memory of a contact. A contact whose arrays move is uncounted and made anew. Otherwise
 * it would be compared by arrays of another contact. */
static nsds_status reserve_contact(nsds_plan *plan, nsds_contact *contact, size_t wanted) {
  if (contact->memory && wanted <= contact->bytes) return NSDS_OK;
  nsds_contact_uncount(plan, contact);
  return contact_room(plan, &contact->memory, &contact->bytes, wanted);
}

static nsds_status reserve_entry(nsds_contact_operator *op, int c, size_t wanted) {
  nsds_entry *entry = &op->entry[c];
  if (entry->memory && wanted <= entry->bytes) return NSDS_OK;
  nsds_contact_uncount(op->plan, &op->plan->contact[c]);
  return contact_room(op->plan, &entry->memory, &entry->bytes, wanted);
}

nsds_status nsds_found_reserve(nsds_plan *plan, int first, int end, const nsds_contact *like) {
  nsds_contact laid = *like;
  nsds_entry entry;
  nsds_status status = NSDS_OK;
  pieces p = {0};
  lay_contact(&p, plan, &laid);
  for (int c = first; !status && c < end; ++c)
    status = reserve_contact(plan, &plan->contact[c], p.at);
  for (nsds_contact_operator *op = plan->operator; op; op = op->next) {
    p = (pieces){0};
    lay_entry(&p, op, like, &entry);
    for (int c = first; !status && c < end; ++c) status = reserve_entry(op, c, p.at);
  }
  return status;
}

nsds_followed *nsds_contact_lay_found(const nsds_plan *plan, nsds_contact *contact) {
  pieces p = {.base = contact->memory};
  nsds_followed *followed = lay_contact(&p, plan, contact);
  for (int i = 0; i < contact->m; ++i) contact->shift[i] = 0.0;
  return followed;
}

void nsds_entry_lay_found(const nsds_contact_operator *op, const nsds_contact *contact,
                          nsds_entry *entry) {
  pieces p = {.base = entry->memory};
  lay_entry(&p, op, contact, entry);
  set_edges(contact, entry);
  entry->rows = nsds_operator_copy_rows(op, contact);
}
