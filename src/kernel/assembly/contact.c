/*
 * Creates the contacts of the plan. Each contact is one piece of the plan's arena, so that
 * interactions come and go without touching the others.
 */
#include "kernel/assembly/contact.h"

#include "base/arena.h"
#include "base/context.h"
#include "kernel/assembly/entry.h"
#include "kernel/assembly/local_first.h"
#include "kernel/assembly/local_second.h"
#include "kernel/assembly/pieces.h"
#include "kernel/assembly/plan.h"
#include "kernel/assembly/plan_tree.h"
#include "kernel/modeling/law.h"
#include "kernel/modeling/law_constraint.h"
#include "kernel/modeling/local.h"
#include "kernel/modeling/modeling.h"
#include "numerics/sets/sets.h"

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

bool nsds_contact_bears(const nsds_contact *contact, int copy) {
  const nsds_spring_law *spring = nsds_contact_spring_law(contact);
  int row = copy * contact->size;
  if (!spring || !spring->soft[row]) return false;
  const nsds_interaction *ia = spring->interaction;
  return ia->model->state.force[ia->y_offset + row] > 0.0;
}

static void take_law_of_spring(nsds_pieces *p, nsds_contact *contact) {
  size_t m = (size_t)contact->m;
  nsds_spring_law *s = nsds_pieces_take(p, 1, sizeof *s);
  double *D = nsds_pieces_doubles(p, m * m);
  unsigned char *soft =
      nsds_pieces_take(p, (m + 7) / 8, sizeof(double)); /* the next arrays are aligned */
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
static int contact_list_edges(const nsds_plan *plan, const nsds_contact *contact,
                              nsds_reach *reach) {
  const nsds_interaction *ia = contact->interaction;
  int count = ia->nds;
  for (int e = 0; reach && e < ia->nds; ++e) reach[e] = reach_of(plan, ia->ds[e]->index);
  if (contact->is.lifted) return nsds_plan_tree_reach(plan, contact, reach ? reach + count : NULL);
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

static void place_contact(nsds_pieces *p, nsds_contact *contact) {
  const nsds_relation *relation = contact->interaction->relation;
  const nsds_relation_ops *ops = relation->ops;
  size_t m = (size_t)contact->m, n = (size_t)relation->nv;
  bool d = contact->is.affine && (ops->feedthrough || ops->jacobian_lambda);
  bool states = nsds_acts_on_states(contact->kind);
  size_t reaches = (size_t)contact->nedge + (contact->is.lifted ? (size_t)contact->nds : 0);
  contact->reach = nsds_pieces_take(p, reaches, sizeof *contact->reach);
  contact->first = states ? nsds_pieces_take(p, 1, sizeof *contact->first) : NULL;
  contact->H = contact->is.affine ? nsds_pieces_doubles(p, m * n) : NULL;
  contact->D = d ? nsds_pieces_doubles(p, m * m) : NULL;
  contact->shift = nsds_pieces_doubles(p, m);
  if (nsds_has_spring_law(contact)) take_law_of_spring(p, contact);
  if (states) {
    nsds_first_terms terms = {0};
    terms.C = nsds_pieces_doubles(p, m * n);
    terms.B = nsds_pieces_doubles(p, m * n);
    terms.K = nsds_input_depends(ops) ? nsds_pieces_doubles(p, n * n) : NULL;
    terms.h = nsds_pieces_doubles(p, m);
    terms.g = nsds_pieces_doubles(p, n);
    bool curved = !contact->is.linear, mixed = contact->kind == NSDS_RELATION_MIXED;
    terms.g_offset = curved ? nsds_pieces_doubles(p, n) : NULL;
    terms.lambda = curved ? nsds_pieces_doubles(p, m) : NULL;
    terms.places = curved && mixed ? nsds_pieces_doubles(p, m) : NULL;
    terms.input_places = curved && mixed && ops->input_q ? nsds_pieces_doubles(p, n) : NULL;
    if (p->base) *contact->first = terms;
  }
}

static bool gain_stays(const nsds_plan *plan, const nsds_interaction *ia) {
  for (int e = 0; e < ia->nds; ++e) {
    const nsds_slot *slot = &plan->slot[ia->ds[e]->index];
    if (!slot->is.fixed || slot->cluster >= 0 || slot->is.jointed) return false;
  }
  return true;
}

/* Returns true if rows of the contact turn with a body: then rows of found contacts turn too (turned_rows.c). */
static bool contact_turns(const nsds_contact *contact) {
  const nsds_interaction *ia = contact->interaction;
  if (contact->is.affine || contact->is.compliant || contact->is.built_in) return false;
  if (!nsds_has_gap(contact->kind)) return false;
  for (int e = 0; e < ia->nds; ++e)
    if (nsds_turns_in_space(ia->ds[e])) return true;
  return false;
}

/* Reads the contact and its law only: when a contact is retired, its interaction and relation are gone. */
void nsds_contact_count(nsds_counts *count, nsds_contact *contact, int by) {
  contact->is.counted = by > 0;
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
  if (contact->is.turning) count->turning += by;
  if (nsds_contact_is_plain(contact)) count->plain += by;
  if (contact->found.set && contact->nedge == 1) count->single += by;
  count->copies += by * contact->ncopy;
  count->edges += by * contact->nedge;
}

nsds_status nsds_contact_create(nsds_plan *plan, int c, nsds_interaction *ia) {
  nsds_contact *contact = &plan->contact[c];
  nsds_status status = nsds_plan_reserve_work(plan, nsds_local_work(ia));
  if (status) return status;
  contact_describe(contact, ia);
  nsds_plan_tree_describe(plan, contact);
  contact->is.turning = contact_turns(contact);
  contact->nedge = contact_list_edges(plan, contact, NULL);
  nsds_pieces p = {0};
  place_contact(&p, contact);
  contact->lines = nsds_arena_lines(p.at);
  void *memory = nsds_arena_take(plan->context, &plan->memory.arena, contact->lines);
  contact->reach = memory; /* NULL: this is no contact yet */
  if (!memory) return NSDS_ERROR_MEMORY;
  p = (nsds_pieces){.base = memory};
  place_contact(&p, contact);
  contact_list_edges(plan, contact, contact->reach);
  contact->is.fixed = contact->is.affine && gain_stays(plan, ia);
  nsds_contact_count(&plan->count, contact, 1);
  return NSDS_OK;
}

void nsds_contact_uncount(nsds_plan *plan, nsds_contact *contact) {
  if (contact->is.counted) nsds_contact_count(&plan->count, contact, -1);
}

void nsds_contact_retire(nsds_plan *plan, int c) {
  nsds_contact *contact = &plan->contact[c];
  nsds_contact_uncount(plan, contact);
  nsds_arena_give(&plan->memory.arena, contact->reach, contact->lines);
  contact->reach = NULL;
}

/* ---- contacts of sets ------------------------------------------------------------------------ */

/* The last step has left this dy/dt of a closed contact, with H where this step starts. H v_i with H
 * of the end of this step would also contain the turn of the normal. */
const double *nsds_contact_found_rate(const nsds_contact *contact) {
  return contact->found.set->old_row[1] + (ptrdiff_t)contact->found.before * contact->m;
}

static nsds_followed *lay_contact(nsds_pieces *p, const nsds_plan *plan, nsds_contact *contact) {
  bool follows = plan->search.follows;
  size_t reaches = plan->tree ? 2 + (size_t)plan->tree->most_edges : 2;
  contact->reach = nsds_pieces_take(p, reaches, sizeof *contact->reach);
  nsds_followed *followed = follows ? nsds_pieces_take(p, 1, sizeof *followed) : NULL;
  contact->H = nsds_pieces_doubles(p, (size_t)contact->m * nsds_pair_unknowns(contact));
  contact->shift = follows ? nsds_pieces_doubles(p, (size_t)contact->m) : NULL;
  return followed;
}

/* Grows the memory of a contact. A contact whose arrays move is uncounted and made
 * anew. Otherwise it would be compared by arrays of another contact. */
static nsds_status reserve_contact(nsds_plan *plan, nsds_contact *contact, unsigned wanted) {
  if (wanted <= contact->lines) return NSDS_OK;
  nsds_contact_uncount(plan, contact);
  contact->reach = nsds_arena_regrow(plan, contact->reach, &contact->lines, wanted);
  return contact->reach ? NSDS_OK : NSDS_ERROR_MEMORY;
}

static nsds_status reserve_entry(nsds_contact_operator *op, int c, unsigned wanted) {
  if (wanted <= op->entry[c].lines) return NSDS_OK;
  nsds_contact_uncount(op->plan, &op->plan->contact[c]);
  return nsds_entry_grow(op, &op->entry[c], wanted);
}

nsds_status nsds_found_reserve(nsds_plan *plan, int first, int end, const nsds_contact *like) {
  nsds_contact laid = *like;
  nsds_status status = NSDS_OK;
  nsds_pieces p = {0};
  lay_contact(&p, plan, &laid);
  unsigned wanted = nsds_arena_lines(p.at);
  size_t missing = 0;
  for (int c = first; c < end; ++c) missing += wanted > plan->contact[c].lines;
  status = nsds_arena_reserve(plan->context, &plan->memory.arena, missing, wanted);
  for (int c = first; !status && c < end; ++c)
    status = reserve_contact(plan, &plan->contact[c], wanted);
  for (nsds_contact_operator *op = plan->operator; op; op = op->next) {
    wanted = nsds_entry_found_lines(op, like);
    for (int c = first; !status && c < end; ++c) status = reserve_entry(op, c, wanted);
  }
  return status;
}

nsds_followed *nsds_contact_lay_found(const nsds_plan *plan, nsds_contact *contact) {
  nsds_pieces p = {.base = (char *)contact->reach};
  nsds_followed *followed = lay_contact(&p, plan, contact);
  for (int i = 0; contact->shift && i < contact->m; ++i) contact->shift[i] = 0.0;
  return followed;
}
