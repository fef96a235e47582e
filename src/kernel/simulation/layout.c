/*
 * Memory of a plan: two pools, of numbers and of indices, laid out in two passes over the same
 * code, first with NULL bases to count, then to place pointers; the edges; the merged sparsity
 * patterns of the iteration matrices.
 */
#include "simulation.h"

typedef struct layout {
  double *numbers;
  int *indices;
  size_t nnumber, nindex;
} layout;

static double *take(layout *l, size_t count) {
  double *at = l->numbers ? l->numbers + l->nnumber : NULL;
  l->nnumber += count;
  return at;
}

static int *take_indices(layout *l, size_t count) {
  int *at = l->indices ? l->indices + l->nindex : NULL;
  l->nindex += count;
  return at;
}

static bool is_sparse(const nsds_ds *ds) {
  return (ds->mass.present && ds->mass.p) || (ds->damping.present && ds->damping.p) ||
         (ds->stiffness.present && ds->stiffness.p);
}

static void place_slot(layout *l, nsds_slot *slot) {
  const nsds_ds *ds = slot->ds;
  int n = slot->nv;
  size_t m = ds->mass.present ? nsds_shape_count(&ds->mass, n) : 0;
  size_t c = ds->damping.present ? nsds_shape_count(&ds->damping, n) : 0;
  size_t k = ds->stiffness.present ? nsds_shape_count(&ds->stiffness, n) : 0;
  size_t vector = (size_t)n, square = vector * vector;
  bool held = slot->osi == &nsds_zero_order_hold;
  slot->M = m > 0 ? take(l, m) : NULL;
  slot->C = c > 0 ? take(l, c) : NULL;
  slot->K = k > 0 ? take(l, k) : NULL;
  slot->W = take(l, is_sparse(ds) ? m + c + k + vector : square);
  slot->increment = slot->drift ? take(l, vector) : NULL;
  slot->force = take(l, vector);
  slot->force_end = take(l, vector);
  slot->residual = slot->affine ? NULL : take(l, vector);
  slot->scratch = take(l, vector);
  slot->phi = held ? take(l, square) : NULL;
  slot->gain = held ? take(l, 4 * square) : NULL; /* and the work space of its computation */
  if (is_sparse(ds)) {
    slot->p = take_indices(l, vector + 1);
    slot->i = take_indices(l, m + c + k + vector);
    slot->to_w = take_indices(l, m + c + k);
  }
}

static void place_first_order(layout *l, nsds_contact *contact) {
  const nsds_relation_ops *ops = contact->interaction->relation->ops;
  size_t m = (size_t)contact->m, nx = (size_t)contact->interaction->relation->nq;
  contact->C = take(l, m * nx);
  contact->B = take(l, m * nx);
  contact->K = ops->input_x ? take(l, nx * nx) : NULL;
  contact->h = take(l, m);
  contact->g = take(l, nx);
  contact->g_offset = contact->linear ? NULL : take(l, nx);
}

static void place_contact(layout *l, const nsds_plan *plan, nsds_contact *contact, double *zero) {
  const nsds_interaction *ia = contact->interaction;
  const nsds_relation_ops *ops = ia->relation->ops;
  size_t m = (size_t)contact->m, at = 0;
  bool d = ops->feedthrough || ops->jacobian_lambda || ia->law->ops->compliance;
  contact->H = take(l, m * (size_t)ia->relation->nq);
  contact->D = d ? take(l, ia->law->ops->compliance ? 2 * m * m : m * m) : NULL;
  contact->shift = take(l, m);
  contact->offset = contact->affine ? NULL : take(l, m);
  if (!contact->affine && ia->relation->order == 2 && !ops->jacobian_lambda)
    contact->offset = contact->shift;
  if (ia->relation->order == 1) place_first_order(l, contact);
  size_t unknowns = 0;
  for (int e = 0; e < contact->nedge; ++e)
    unknowns += (size_t)plan->slot[plan->edge_slot[contact->first_edge + e]].nv;
  contact->Y = plan->unreduced ? NULL : take(l, m * unknowns);
  for (int e = 0; e < contact->nedge; ++e) {
    const nsds_slot *slot = &plan->slot[plan->edge_slot[contact->first_edge + e]];
    nsds_edge *edge = &plan->edge[contact->first_edge + e];
    edge->column = slot->v0;
    edge->size = slot->nv;
    edge->H = !contact->H ? NULL : e < ia->nds ? contact->H + at : zero;
    edge->Y = contact->Y ? contact->Y + at : NULL;
    at += m * (size_t)slot->nv;
  }
}

/* Slots of an interaction's own systems, then the others of the clusters these belong to. */
static int list_edges(const nsds_plan *plan, const nsds_contact *contact, int *slots) {
  const nsds_interaction *ia = contact->interaction;
  int count = ia->nds;
  for (int e = 0; slots && e < ia->nds; ++e) slots[e] = ia->ds[e]->index;
  for (int k = 0; k < plan->ncluster; ++k) {
    const nsds_cluster *cluster = &plan->cluster[k];
    bool touched = false;
    for (int e = 0; e < ia->nds; ++e)
      touched = touched || plan->slot[ia->ds[e]->index].cluster == k;
    for (int s = 0; touched && s < cluster->nslot; ++s) {
      bool own = false;
      for (int e = 0; e < ia->nds; ++e) own = own || ia->ds[e]->index == cluster->slot[s];
      if (own) continue;
      if (slots) slots[count] = cluster->slot[s];
      ++count;
    }
  }
  return count;
}

/* One column of a member of the pattern: its entries' range and the row of an entry. */
static void column_range(const nsds_shape *shape, int n, int j, int *first, int *last) {
  *first = shape->p ? shape->p[j] : j * n;
  *last = shape->p ? shape->p[j + 1] : *first + n;
}

static int row_at(const nsds_shape *shape, int first, int k) {
  return shape->p ? shape->i[k] : k - first;
}

/* Union of the patterns of M, C, K and the diagonal, column by column, with the place of each
 * source entry in it. mark[i] is 0 for rows met in the current column, then their position, else
 * -1. */
static void merge_patterns(nsds_slot *slot, int *mark) {
  const nsds_ds *ds = slot->ds;
  int n = slot->nv, filled = 0;
  const nsds_shape *shape[3] = {slot->M ? &ds->mass : NULL, slot->C ? &ds->damping : NULL,
                                slot->K ? &ds->stiffness : NULL};
  size_t base[3] = {0, 0, 0};
  for (int s = 1; s < 3; ++s)
    base[s] = base[s - 1] + (shape[s - 1] ? nsds_shape_count(shape[s - 1], n) : 0);
  for (int i = 0; i < n; ++i) mark[i] = -1;
  for (int j = 0; j < n; ++j) {
    int start = filled, low = j, high = j, first, last;
    mark[j] = 0;
    for (int s = 0; s < 3; ++s) {
      if (!shape[s]) continue;
      column_range(shape[s], n, j, &first, &last);
      for (int k = first; k < last; ++k) {
        int i = row_at(shape[s], first, k);
        mark[i] = 0;
        if (i < low) low = i;
        if (i > high) high = i;
      }
    }
    for (int i = low; i <= high; ++i)
      if (mark[i] == 0) {
        mark[i] = filled;
        slot->i[filled++] = i;
      }
    for (int s = 0; s < 3; ++s) {
      if (!shape[s]) continue;
      column_range(shape[s], n, j, &first, &last);
      for (int k = first; k < last; ++k)
        slot->to_w[base[s] + (size_t)k] = mark[row_at(shape[s], first, k)];
    }
    for (int k = start; k < filled; ++k) mark[slot->i[k]] = -1;
    slot->p[j + 1] = filled;
  }
}

static nsds_status place_trial(nsds_simulation *sim, nsds_plan *plan) {
  const nsds_model *model = sim->model;
  size_t nv = model->nv, widest = 1;
  for (int c = 0; c < plan->ncontact; ++c) {
    const nsds_interaction *ia = plan->contact[c].interaction;
    size_t width = 2 * (size_t)ia->relation->nq + (size_t)ia->nz + (size_t)ia->m + 1;
    if (width > widest) widest = width;
  }
  for (int s = 0; s < plan->nslot; ++s)
    if ((size_t)plan->slot[s].nv > widest) widest = (size_t)plan->slot[s].nv;
  plan->trial = NSDS_NEW_ARRAY(sim->context, double, model->state_size + 2 * nv + widest);
  if (!plan->trial) return NSDS_ERROR_MEMORY;
  nsds_state_view s = nsds_view_state(model, plan->trial);
  plan->q = s.q, plan->v = s.v, plan->p = s.p, plan->reaction = s.reaction;
  plan->y = s.y, plan->ydot = s.ydot, plan->impulse = s.impulse, plan->force = s.force;
  plan->v_free = plan->trial + model->state_size;
  plan->v_last = plan->v_free + nv;
  plan->gather = plan->v_last + nv;
  return NSDS_OK;
}

nsds_status nsds_plan_layout(nsds_simulation *sim, nsds_plan *plan) {
  nsds_context *context = sim->context;
  size_t widest_row = 1, largest = 1;
  for (int s = 0; s < plan->nslot; ++s)
    if ((size_t)plan->slot[s].nv > largest) largest = (size_t)plan->slot[s].nv;
  for (int c = 0; c < plan->ncontact; ++c) {
    nsds_contact *contact = &plan->contact[c];
    contact->first_edge = plan->nedge;
    contact->nedge = list_edges(plan, contact, NULL);
    plan->nedge += contact->nedge;
    if ((size_t)contact->m > widest_row) widest_row = (size_t)contact->m;
  }
  plan->edge = NSDS_NEW_ARRAY(context, nsds_edge, plan->nedge);
  plan->edge_slot = NSDS_NEW_ARRAY(context, int, plan->nedge);
  plan->edge_q = NSDS_NEW_ARRAY(context, int, plan->nedge);
  if (!plan->edge || !plan->edge_slot || !plan->edge_q) return NSDS_ERROR_MEMORY;
  for (int c = 0; c < plan->ncontact; ++c)
    list_edges(plan, &plan->contact[c], plan->edge_slot + plan->contact[c].first_edge);
  for (int e = 0; e < plan->nedge; ++e) plan->edge_q[e] = plan->slot[plan->edge_slot[e]].q0;
  layout l = {0};
  for (int pass = 0; pass < 2; ++pass) {
    if (pass == 1) {
      plan->numbers = NSDS_NEW_ARRAY(context, double, l.nnumber);
      plan->indices = NSDS_NEW_ARRAY(context, int, l.nindex + largest);
      if (!plan->numbers || !plan->indices) return NSDS_ERROR_MEMORY;
      l = (layout){.numbers = plan->numbers, .indices = plan->indices};
    }
    double *zero = plan->ncluster > 0 ? take(&l, widest_row * largest) : NULL;
    for (int s = 0; s < plan->nslot; ++s) place_slot(&l, &plan->slot[s]);
    for (int c = 0; c < plan->ncontact; ++c) place_contact(&l, plan, &plan->contact[c], zero);
  }
  for (int s = 0; s < plan->nslot; ++s) {
    nsds_slot *slot = &plan->slot[s];
    if (slot->p) merge_patterns(slot, plan->indices + l.nindex);
    if (slot->nv == 1 && !slot->p) continue;
    slot->factor = nsds_factor_create(context);
    if (!slot->factor) return NSDS_ERROR_MEMORY;
  }
  return place_trial(sim, plan);
}
