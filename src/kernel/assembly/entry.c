/*
 * Entries: H, Y, D and offset of a contact in one problem. D includes the law's part. Each entry is
 * one piece of the plan's arena; the tables of nsds_contact_ops fill it.
 */
#include "kernel/assembly/entry.h"

#include "base/arena.h"
#include "base/context.h"
#include "kernel/assembly/lifting.h"
#include "kernel/assembly/pieces.h"
#include "kernel/modeling/law.h"
#include "kernel/modeling/modeling.h"
#include "numerics/sets/sets.h"

static size_t count_unknowns(const nsds_contact *contact, int nedge) {
  size_t n = 0;
  const nsds_reach *reach = nsds_contact_problem_edges(contact);
  for (int e = 0; e < nedge; ++e) n += (size_t)reach[e].size;
  return n;
}

/* Returns the number of doubles for the scaled bounds of all copies. */
static size_t count_bounds(const nsds_contact *contact) {
  if (!contact->is.scaled) return 0;
  const nsds_law *law = contact->law; /* as of creation: its function may change since */
  nsds_block block = {.set = law->set, .size = law->size, .nfacet = law->nfacet};
  return (size_t)contact->ncopy * nsds_block_scale_size(&block);
}

/* Returns true if the operator uses only the rows of gaps and the contact has others. */
static bool uses_some(const nsds_contact_operator *op, const nsds_contact *contact) {
  return nsds_contact_operator_copy_rows(op, contact) < contact->size;
}

/* Returns true if the law adds to D. A problem of displacements has no D. */
static bool adds_law_d(const nsds_contact_operator *op, const nsds_law *law) {
  return !op->displaces && law->ops->compliance;
}

static const nsds_entry_more no_more = {.law_D = NULL};

/* Places the additions of an entry over `unknowns` unknowns. `law`, `packs` and `d`: it has a law's
 * part of D, packed rows, D. `lifted`: unknowns of rows that are lifted; 0: none may be. */
static void place_more(nsds_pieces *p, const nsds_contact *contact, bool law, bool packs, bool d,
                       size_t unknowns, size_t lifted, nsds_entry *entry) {
  size_t m = (size_t)contact->m, nbound = count_bounds(contact);
  bool any = law || packs || nbound > 0 || lifted > 0,
       several = contact->ncopy > 1 && contact->active;
  nsds_entry_more *more = any ? nsds_pieces_take(p, 1, sizeof *more) : NULL, placed = no_more;
  placed.law_D = law ? nsds_pieces_doubles(p, m * m) : NULL;
  placed.packed = packs ? nsds_pieces_doubles(p, 2 * m * unknowns) : NULL;
  placed.packed_D = packs && d ? nsds_pieces_doubles(p, m * m) : NULL;
  placed.X = nsds_pieces_doubles(p, m * lifted);
  placed.bounds = nsds_pieces_doubles(p, nbound);
  placed.on = several ? nsds_pieces_take(p, (size_t)contact->ncopy, sizeof *placed.on) : NULL;
  if (any && p->base) *more = placed;
  entry->more = any ? more : &no_more;
}

/* Returns the number of edges with H and Y. Y of lifted contacts is by joints: tree_rates.c. */
static int edge_count(const nsds_contact *contact) {
  return contact->is.lifted ? contact->nds : contact->nedge;
}

static void place_entry(nsds_pieces *p, const nsds_contact_operator *op,
                        const nsds_contact *contact, nsds_entry *entry) {
  const nsds_interaction *ia = contact->interaction;
  const nsds_relation_ops *ops = ia->relation->ops;
  size_t m = (size_t)contact->m, n = (size_t)ia->relation->nv;
  size_t reached = count_unknowns(contact, contact->nedge);
  bool several = contact->ncopy > 1 && contact->active;
  bool law = adds_law_d(op, ia->law);
  bool packs = several || uses_some(op, contact), with_gain = !op->without_gain;
  bool d = law || (!op->displaces && (ops->feedthrough || ops->jacobian_lambda));
  bool edges = op->plan->at_instant;
  entry->edge =
      edges ? nsds_pieces_take(p, (size_t)edge_count(contact), sizeof *entry->edge) : NULL;
  /* a first-order relation scales dh/dX by its weight; zeros stand for the systems of clusters */
  bool own = !contact->is.affine || nsds_acts_on_states(contact->kind) || reached > n;
  bool lifted = contact->is.lifted;
  entry->H = own ? nsds_pieces_doubles(p, m * (lifted ? n : reached)) : contact->H;
  entry->Y = with_gain ? nsds_pieces_doubles(p, m * reached) : NULL;
  entry->D = d ? nsds_pieces_doubles(p, m * m) : NULL;
  entry->offset = contact->is.affine ? NULL : nsds_pieces_doubles(p, m);
  place_more(p, contact, law, packs, d, reached, lifted ? reached : 0, entry);
}

static void set_edges(const nsds_contact *contact, nsds_entry *entry) {
  size_t at = 0;
  for (int e = 0; entry->edge && e < edge_count(contact); ++e) {
    const nsds_reach *reach = &contact->reach[e];
    entry->edge[e] = (nsds_edge){.column = reach->column,
                                 .size = reach->size,
                                 .H = entry->H + at,
                                 .Y = entry->Y && !contact->is.lifted ? entry->Y + at : NULL};
    at += (size_t)contact->m * (size_t)reach->size;
  }
}

nsds_status nsds_entry_create(const nsds_contact_operator *op, const nsds_contact *contact,
                              nsds_entry *entry) {
  nsds_plan *plan = op->plan;
  *entry = (nsds_entry){0};
  nsds_pieces p = {0};
  place_entry(&p, op, contact, entry);
  entry->lines = nsds_arena_lines(p.at);
  entry->memory = nsds_arena_take(plan->context, &plan->memory.arena, entry->lines);
  if (!entry->memory) return NSDS_ERROR_MEMORY;
  p = (nsds_pieces){.base = entry->memory};
  place_entry(&p, op, contact, entry);
  set_edges(contact, entry);
  entry->rows = contact->ncopy * nsds_contact_operator_copy_rows(op, contact);
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

static void lay_entry(nsds_pieces *p, const nsds_contact_operator *op, const nsds_contact *contact,
                      nsds_entry *entry) {
  size_t m = (size_t)contact->m;
  bool law = adds_law_d(op, contact->law), packs = uses_some(op, contact);
  size_t lifted = op->plan->tree ? (size_t)op->plan->tree->most_unknowns : 0;
  size_t most = nsds_pair_unknowns(contact);
  if (lifted > most) most = lifted;
  bool follows = op->plan->search.follows,
       with_gain = op->own_gain || follows || !op->plan->diagonal;
  entry->edge = op->plan->at_instant ? nsds_pieces_take(p, 2, sizeof *entry->edge) : NULL;
  entry->H = follows ? nsds_pieces_doubles(p, m * nsds_pair_unknowns(contact)) : contact->H;
  entry->Y = with_gain ? nsds_pieces_doubles(p, m * most) : NULL;
  entry->D = law ? nsds_pieces_doubles(p, m * m) : NULL;
  entry->offset = follows ? nsds_pieces_doubles(p, m) : NULL;
  place_more(p, contact, law, packs, law, most, lifted, entry);
}

unsigned nsds_entry_found_lines(const nsds_contact_operator *op, const nsds_contact *like) {
  nsds_pieces p = {0};
  nsds_entry entry;
  lay_entry(&p, op, like, &entry);
  return nsds_arena_lines(p.at);
}

nsds_status nsds_entry_grow(const nsds_contact_operator *op, nsds_entry *entry, unsigned lines) {
  entry->memory = nsds_arena_regrow(op->plan, entry->memory, &entry->lines, lines);
  return entry->memory ? NSDS_OK : NSDS_ERROR_MEMORY;
}

void nsds_entry_lay_found(const nsds_contact_operator *op, const nsds_contact *contact,
                          nsds_entry *entry) {
  nsds_pieces p = {.base = entry->memory};
  lay_entry(&p, op, contact, entry);
  set_edges(contact, entry);
  entry->rows = nsds_contact_operator_copy_rows(op, contact);
}
