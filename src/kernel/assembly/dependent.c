/*
 * Leaves out joints that say the same twice, in time stepping. The rows of a ring of joints depend
 * on each other if its gaps are zero. At the iterate the gaps are O(h^2), and so is the difference
 * between the demands of the rows. In that direction M = H W^-1 H^T is of the square of that size:
 * a solver cannot tell the solution from rounding, and the ring would not move.
 *
 * Rows over a tree in joint coordinates may also follow from the joints of the tree alone. The search
 * for these runs in each step.
 *
 * Cholesky's method with pivoting therefore chooses the equalities that determine the rest at the
 * accepted state. The other equalities say nothing in the step: H = 0 and P = 0. The search starts
 * when a problem has not been solved, and then runs in each step.
 */
#include "kernel/assembly/dependent.h"

#include "base/context.h"
#include "kernel/assembly/contact_operator.h"
#include "kernel/assembly/one_step.h"
#include "kernel/assembly/plan.h"
#include "kernel/assembly/plan_tree.h"
#include "kernel/modeling/local.h"

/* A row counts as dependent below this square of the sine of its angle with the others. Drifted
 * gaps turn rows by less. */
static const double least = 1e-6;
static const double rounding =
    1e-8; /* with `least` 1e-14: of bodies, a row that is held has about 1e-18 */

static bool dependent_takes_part(const nsds_one_step *o, int c) {
  const nsds_contact *contact = &o->op.plan->contact[c];
  bool rigid = nsds_contact_is_rigid(contact) && !contact->law->ops->compliance;
  return rigid && !contact->is.built_in && contact->law->set == NSDS_SET_EQUALITY;
}

static nsds_status dependent_reserve(nsds_one_step *o) {
  nsds_dependent_rows *d = &o->dependent;
  size_t n = 0, ny = o->op.plan->model->size.ny;
  for (int c = 0; c < o->op.plan->ninteraction; ++c)
    n += dependent_takes_part(o, c) ? (size_t)o->op.plan->contact[c].m : 0;
  d->n = (int)n;
  nsds_context *context = o->op.plan->context;
  nsds_status status = nsds_grow(context, &d->left_out, &d->left_out_capacity, ny, 1);
  if (!status) status = nsds_grow(context, &d->row, &d->row_capacity, n, sizeof *d->row);
  if (!status) status = nsds_grow(context, &d->A, &d->A_capacity, n * (n + 1), sizeof *d->A);
  if (!status && ny > 0) memset(d->left_out, 0, ny);
  return status;
}

/* Lists the rows in question, with Y and H at the accepted state. H over a tree is that of the iterate,
 * as the matrices of the tree are. */
static nsds_status dependent_list_rows(nsds_one_step *o) {
  const nsds_plan *plan = o->op.plan;
  nsds_row_of *row = o->dependent.row;
  for (int c = 0; c < plan->ninteraction; ++c) {
    const nsds_contact *contact = &plan->contact[c];
    if (!dependent_takes_part(o, c)) continue;
    for (int i = 0; i < contact->m; ++i) *row++ = (nsds_row_of){c, i};
    if (!contact->is.affine) {
      const nsds_state *now = &plan->model->state, *at = contact->is.lifted ? &plan->trial : now;
      nsds_status status = nsds_gradient_at(contact->interaction, at, now->force, o->op.entry[c].H,
                                            plan->memory.work);
      if (status) return status;
    }
    nsds_contact_operator_form_y(&o->op, c);
  }
  return NSDS_OK;
}

/* Returns H_r Y_q over common systems. */
static double dependent_product(const nsds_one_step *o, nsds_row_of r, nsds_row_of q) {
  const nsds_contact *cr = &o->op.plan->contact[r.contact], *cq = &o->op.plan->contact[q.contact];
  const nsds_reach *h = nsds_contact_problem_edges(cr), *y;
  const double *X = nsds_entry_rows(cr, &o->op.entry[r.contact]) + r.i, *Y;
  int edges[2] = {cr->is.lifted ? cr->nedge : cr->nds, cq->is.lifted ? cq->nedge : cq->nds};
  double sum = 0.0;
  for (int a = 0; a < edges[0]; X += (ptrdiff_t)cr->m * h[a++].size) {
    Y = o->op.entry[q.contact].Y;
    y = nsds_contact_problem_edges(cq);
    for (int b = 0; b < edges[1]; Y += (ptrdiff_t)cq->m * y[b++].size) {
      if (h[a].column != y[b].column) continue;
      const double *column = Y + (size_t)q.i * (size_t)y[b].size;
      for (int k = 0; k < h[a].size; ++k) sum += X[(ptrdiff_t)k * cr->m] * column[k];
    }
  }
  return sum;
}

/* Returns the size of H W^-1 H^T of a row. A row that joints of a tree hold already leaves rounding,
 * beside its size for bodies apart. Long arms also make it small, but far less. */
static double size_apart(const nsds_one_step *o, nsds_row_of r, double own) {
  const nsds_plan *plan = o->op.plan;
  const nsds_contact *contact = &plan->contact[r.contact];
  if (!contact->is.lifted) return own;
  const nsds_entry *entry = &o->op.entry[r.contact];
  return fmax(own, rounding * nsds_plan_tree_row_size(plan, contact, entry, r.i));
}

/* Eliminates row k from A. Row and column k become zero. */
static void dependent_eliminate(double *A, size_t n, size_t k) {
  double pivot = A[k + k * n];
  for (size_t j = 0; j < n; ++j) {
    double factor = j == k ? 0.0 : A[k + j * n] / pivot;
    for (size_t i = 0; factor != 0.0 && i < n; ++i) A[i + j * n] -= factor * A[i + k * n];
  }
  for (size_t j = 0; j < n; ++j) A[k + j * n] = A[j + k * n] = 0.0;
}

/* Chooses the rows to leave out and returns their number. Affine rows come first and always stay,
 * because they depend on each other everywhere or nowhere. */
static int dependent_choose(nsds_one_step *o) {
  nsds_dependent_rows *d = &o->dependent;
  size_t n = (size_t)d->n;
  double *A = d->A, *size = A + n * n;
  int taken = 0;
  for (size_t j = 0; j < n; ++j)
    for (size_t i = 0; i < n; ++i) A[i + j * n] = dependent_product(o, d->row[i], d->row[j]);
  for (size_t k = 0; k < n; ++k) size[k] = size_apart(o, d->row[k], A[k + k * n]);
  for (int affine = 1; affine >= 0; --affine)
    for (;;) {
      double most = least;
      size_t best = n;
      for (size_t k = 0; k < n; ++k) {
        bool own = o->op.plan->contact[d->row[k].contact].is.affine == (affine == 1);
        if (own && A[k + k * n] > most * size[k]) most = A[k + k * n] / size[k], best = k;
      }
      if (best == n) break;
      dependent_eliminate(A, n, best);
      size[best] = INFINITY;
      ++taken;
    }
  for (size_t k = 0; k < n; ++k) {
    const nsds_contact *contact = &o->op.plan->contact[d->row[k].contact];
    d->left_out[contact->y0 + d->row[k].i] = !contact->is.affine && isfinite(size[k]);
    taken += contact->is.affine && isfinite(size[k]);
  }
  return d->n - taken;
}

nsds_status nsds_dependent_leave_out(nsds_one_step *o) {
  o->dependent.of.graph = 0;
  if (!o->form->whole) return NSDS_OK;
  nsds_status status = dependent_reserve(o);
  if (!status) status = dependent_list_rows(o);
  if (status || dependent_choose(o) == 0) return status;
  o->dependent.of = o->op.plan->seen.of;
  o->dependent.sought = true;
  return NSDS_OK;
}

nsds_status nsds_dependent_seek(nsds_one_step *o) {
  nsds_dependent_rows *d = &o->dependent;
  nsds_status status = nsds_dependent_leave_out(o);
  if (status || !o->form->whole || d->n == 0) return status;
  nsds_versions found = d->of;
  d->of.graph = 0;
  status = nsds_one_step_linearise(o);
  for (int a = 0; !status && a < o->set.nactive; ++a)
    if (!o->op.plan->contact[o->set.active[a]].is.affine)
      nsds_contact_operator_form_y(&o->op, o->set.active[a]);
  d->of = found;
  return status;
}
