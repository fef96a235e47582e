/*
 * Clusters of systems whose inputs depend on each other's states (K = dg/dX not zero). The systems
 * of a cluster share the iteration matrix
 *
 *   W^ = blockdiag(W_s) - h rho kappa K,
 *
 * a dense matrix for each connected component of the interactions with K. The edges of an
 * interaction reach every system of the clusters it touches.
 *
 * Systems that make parts of a step have no W, and unknowns of second-order systems may be
 * prescribed. Both kinds enter by their gain: the gain multiplies their rows of K, and I stands in
 * place of W.
 */
#include "kernel/assembly/cluster.h"

#include "base/base.h"
#include "base/context.h"
#include "base/union_find.h"
#include "kernel/assembly/entries.h"
#include "kernel/assembly/plan.h"
#include "kernel/modeling/label.h"
#include "kernel/modeling/modeling.h"
#include "kernel/modeling/shape_column.h"
#include "numerics/linear/factor.h"
#include "numerics/linear/factor_dense.h"

static void cluster_join(const nsds_plan *plan, int *parent) {
  for (int s = 0; s < plan->nslot; ++s) parent[s] = s;
  for (size_t c = 0; c < plan->model->interaction.count; ++c) {
    const nsds_interaction *ia = plan->model->interaction.item[c];
    if (!nsds_input_depends(ia->relation->ops)) continue;
    for (int k = 1; k < ia->nds; ++k) nsds_unite(parent, ia->ds[0]->index, ia->ds[k]->index);
  }
}

/* Marks the slots that interactions with K touch. Only these slots belong to clusters. */
static bool cluster_mark(nsds_plan *plan) {
  bool any = false;
  for (size_t c = 0; c < plan->model->interaction.count; ++c) {
    const nsds_interaction *ia = plan->model->interaction.item[c];
    for (int k = 0; nsds_input_depends(ia->relation->ops) && k < ia->nds; ++k) {
      plan->slot[ia->ds[k]->index].cluster = 0;
      any = true;
    }
  }
  return any;
}

static nsds_status cluster_fill(nsds_plan *plan, nsds_cluster *cluster, int id, int *parent,
                                int representative, int widest) {
  for (int s = 0; s < plan->nslot; ++s) {
    nsds_slot *slot = &plan->slot[s];
    if (slot->cluster < 0 || nsds_root(parent, s) != representative) continue;
    slot->cluster = id;
    ++cluster->nslot;
    cluster->n += slot->nv;
  }
  size_t n = (size_t)cluster->n;
  cluster->slot = NSDS_NEW_ARRAY(plan->context, int, cluster->nslot);
  cluster->W = NSDS_NEW_ARRAY(plan->context, double, n *n);
  cluster->rhs = NSDS_NEW_ARRAY(plan->context, double, n *(size_t)widest);
  cluster->factor = nsds_factor_create(plan->context);
  if (!cluster->slot || !cluster->W || !cluster->rhs || !cluster->factor) return NSDS_ERROR_MEMORY;
  int k = 0;
  for (int s = 0; s < plan->nslot; ++s)
    if (plan->slot[s].cluster >= 0 && nsds_root(parent, s) == representative)
      cluster->slot[k++] = s;
  return NSDS_OK;
}

nsds_status nsds_clusters_build(nsds_plan *plan) {
  /* rates at an instant and RATTLE have the gain M^-1 alone */
  if (plan->at_instant || plan->schemes.kind[2] == NSDS_RATTLE) return NSDS_OK;
  int *parent = NSDS_NEW_ARRAY(plan->context, int, plan->nslot), widest = 1;
  if (!parent) return NSDS_ERROR_MEMORY;
  cluster_join(plan, parent);
  nsds_status status = NSDS_OK;
  if (cluster_mark(plan)) {
    for (int s = 0; s < plan->nslot; ++s)
      plan->ncluster += plan->slot[s].cluster >= 0 && nsds_root(parent, s) == s;
    for (size_t c = 0; c < plan->model->interaction.count; ++c) {
      const nsds_interaction *ia = plan->model->interaction.item[c];
      if (ia->m > widest) widest = ia->m;
    }
    plan->cluster = NSDS_NEW_ARRAY(plan->context, nsds_cluster, plan->ncluster);
    if (!plan->cluster) status = NSDS_ERROR_MEMORY;
    for (int s = 0, id = 0; !status && s < plan->nslot; ++s)
      if (plan->slot[s].cluster >= 0 && nsds_root(parent, s) == s) {
        status = cluster_fill(plan, &plan->cluster[id], id, parent, s, widest);
        ++id;
      }
  }
  nsds_release(plan->context, parent);
  return status;
}

void nsds_clusters_destroy(nsds_plan *plan) {
  for (int k = 0; plan->cluster && k < plan->ncluster; ++k) {
    nsds_cluster *cluster = &plan->cluster[k];
    nsds_release(plan->context, cluster->slot);
    nsds_release(plan->context, cluster->W);
    nsds_release(plan->context, cluster->rhs);
    nsds_factor_destroy(cluster->factor);
  }
  nsds_release(plan->context, plan->cluster);
  plan->cluster = NULL;
  plan->ncluster = 0;
}

static int cluster_row_of(const nsds_plan *plan, const nsds_cluster *cluster, int slot) {
  int row = 0;
  for (int k = 0; cluster->slot[k] != slot; ++k) row += plan->slot[cluster->slot[k]].nv;
  return row;
}

static void add_slot(const nsds_plan *plan, nsds_cluster *cluster, int s) {
  const nsds_slot *slot = &plan->slot[s];
  int first = cluster_row_of(plan, cluster, s), n = slot->nv;
  size_t ld = (size_t)cluster->n;
  for (int j = 0; j < n; ++j) {
    double *column = cluster->W + (size_t)(first + j) * ld + first;
    nsds_shape_column own = nsds_shape_column_at(slot->pattern.p, slot->pattern.i, n, j);
    for (int k = own.first; k < own.last; ++k) column[nsds_shape_column_row(&own, k)] = slot->W[k];
  }
}

/* Multiplies the complete K rows of a system by its gain and adds the identity. */
static void apply_gain(const nsds_plan *plan, nsds_cluster *cluster, int s) {
  const nsds_slot *slot = &plan->slot[s];
  size_t ld = (size_t)cluster->n, n = (size_t)slot->nv;
  double *rows = cluster->W + cluster_row_of(plan, cluster, s);
  for (size_t j = 0; j < ld; ++j) {
    nsds_copy_doubles(cluster->rhs, rows + j * ld, n);
    slot->osi->apply(&slot->on, 1, cluster->rhs);
    nsds_copy_doubles(rows + j * ld, cluster->rhs, n);
  }
  for (size_t j = 0; j < n; ++j)
    rows[j + ((size_t)cluster_row_of(plan, cluster, s) + j) * ld] += 1.0;
}

static void subtract_k(const nsds_plan *plan, nsds_cluster *cluster, const nsds_contact *contact) {
  const nsds_interaction *ia = contact->interaction;
  int nx = ia->relation->nv, col = 0;
  for (int b = 0; b < ia->nds; ++b) {
    int cb = cluster_row_of(plan, cluster, ia->ds[b]->index);
    double share = nsds_input_share(plan, contact, ia->ds[b]->index);
    for (int j = 0; j < ia->ds[b]->nv; ++j, ++col) {
      int row = 0;
      for (int a = 0; a < ia->nds; ++a) {
        int ca = cluster_row_of(plan, cluster, ia->ds[a]->index);
        double scale = nsds_input_scale(plan, ia->ds[a]->index) * share;
        for (int i = 0; i < ia->ds[a]->nv; ++i, ++row)
          cluster->W[ca + i + (ptrdiff_t)(cb + j) * cluster->n] -=
              scale * contact->first->K[row + (ptrdiff_t)col * nx];
      }
    }
  }
}

nsds_status nsds_cluster_factor(nsds_plan *plan, nsds_cluster *cluster) {
  size_t n = (size_t)cluster->n;
  memset(cluster->W, 0, n * n * sizeof *cluster->W);
  for (int k = 0; k < cluster->nslot; ++k)
    if (!nsds_slot_by_gain(&plan->slot[cluster->slot[k]]))
      add_slot(plan, cluster, cluster->slot[k]);
  int id = (int)(cluster - plan->cluster);
  for (int c = 0; c < plan->ncontact; ++c) {
    const nsds_contact *contact = &plan->contact[c];
    if (contact->first && contact->first->K &&
        plan->slot[contact->interaction->ds[0]->index].cluster == id)
      subtract_k(plan, cluster, contact);
  }
  for (int k = 0; k < cluster->nslot; ++k)
    if (nsds_slot_by_gain(&plan->slot[cluster->slot[k]]))
      apply_gain(plan, cluster, cluster->slot[k]);
  nsds_status status = nsds_factor_dense(cluster->factor, cluster->n, cluster->W);
  if (status != NSDS_ERROR_SINGULAR) return status;
  char label[nsds_label_size];
  return nsds_fail(plan->context, status,
                   "the %d systems coupled by dg/dX (first: %s): W - h gamma dg/dX is singular at "
                   "t = %.17g, h = %g",
                   cluster->nslot, nsds_ds_label(plan->slot[cluster->slot[0]].ds, label),
                   plan->scheme->t, plan->scheme->h);
}

/* Solves for the increments of a cluster. On entry u_free holds the right-hand sides; for systems
 * that enter by their gain, the increments that they would have alone. */
void nsds_cluster_solve_free(nsds_plan *plan, nsds_cluster *cluster) {
  for (int pass = 0; pass < 2; ++pass) {
    double *at = cluster->rhs;
    for (int k = 0; k < cluster->nslot; ++k) {
      const nsds_slot *slot = &plan->slot[cluster->slot[k]];
      double *u = plan->v_free + slot->v0;
      memcpy(pass == 0 ? at : u, pass == 0 ? u : at, (size_t)slot->nv * sizeof *u);
      at += slot->nv;
    }
    if (pass == 0) nsds_factor_solve(cluster->factor, 1, cluster->rhs);
  }
}

void nsds_cluster_form_y(nsds_plan *plan, const nsds_contact *contact, const nsds_entry *entry,
                         const nsds_cluster *cluster) {
  const nsds_interaction *ia = contact->interaction;
  int m = contact->m, n = cluster->n, id = (int)(cluster - plan->cluster);
  memset(cluster->rhs, 0, (size_t)n * (size_t)m * sizeof *cluster->rhs);
  for (int pass = 0; pass < 2; ++pass) {
    double *Y = entry->Y;
    for (int e = 0; e < contact->nedge; ++e) {
      int s = contact->reach[e].slot, nv = plan->slot[s].nv;
      if (plan->slot[s].cluster == id) {
        int first = cluster_row_of(plan, cluster, s);
        if (pass == 0 && e < ia->nds) contact->ops->load_input(plan, contact, entry, e, Y);
        if (pass == 0 && e < ia->nds && nsds_slot_by_gain(&plan->slot[s]))
          plan->slot[s].osi->apply(&plan->slot[s].on, m, Y);
        for (int j = 0; j < m; ++j) {
          double *stacked = cluster->rhs + first + (size_t)j * (size_t)n;
          double *own = Y + (size_t)j * (size_t)nv;
          if (pass == 1) memcpy(own, stacked, (size_t)nv * sizeof *own);
          else if (e < ia->nds) memcpy(stacked, own, (size_t)nv * sizeof *own);
        }
      }
      Y += (size_t)m * (size_t)nv;
    }
    if (pass == 0) nsds_factor_solve(cluster->factor, m, cluster->rhs);
  }
}
