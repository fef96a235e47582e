/*
 * Forces of the joints of a tree. The joint of a body bears what the body and all bodies behind it
 * need, F = p - (impulses of rows) + F of its children, about one origin. F does no work on the joint, so
 * that P = (H H^T)^-1 H F solves H^T P = F with H of the body.
 */
#include "kernel/assembly/tree_reactions.h"

#include "base/base.h"
#include "kernel/assembly/plan_tree.h"
#include "kernel/modeling/joint_data.h"
#include "kernel/modeling/modeling.h"

/* Subtracts the impulses of a contact from the loads of its bodies in the tree. */
static void subtract_contact(const nsds_plan *plan, const nsds_contact *contact,
                             const nsds_entry *entry, double *load) {
  const nsds_plan_tree *t = plan->tree;
  const double *P = plan->trial.impulse + contact->y0, *H = entry->H;
  bool mixed = contact->kind == NSDS_RELATION_MIXED;
  double h = plan->scheme->h;
  for (int e = 0, row = 0; e < contact->nds; row += contact->reach[e++].size) {
    int k = t->number[contact->reach[e].slot], n = contact->reach[e].size;
    for (int i = 0; k >= 0 && i < n; ++i) {
      double sum = mixed && contact->first->g_offset ? contact->first->g_offset[row + i] : 0.0;
      for (int j = 0; j < contact->m; ++j) {
        ptrdiff_t at = mixed ? row + i + (ptrdiff_t)j * contact->nv : j + (ptrdiff_t)i * contact->m;
        sum += (mixed ? contact->first->B[at] : H[at]) * P[j];
      }
      load[6 * k + i] -= mixed ? h * sum : sum;
    }
    H += (ptrdiff_t)contact->m * n;
  }
}

/* Solves A x = b, n x n symmetric and positive definite; b becomes x. */
static void solve_definite(int n, double *A, double *b) {
  for (int j = 0; j < n; ++j) {
    for (int i = j + 1; i < n; ++i) {
      double factor = A[i + n * j] / A[j + n * j];
      for (int k = j + 1; k < n; ++k) A[i + n * k] -= factor * A[k + n * j];
      b[i] -= factor * b[j];
    }
  }
  for (int j = n - 1; j >= 0; --j) {
    for (int i = j + 1; i < n; ++i) b[j] -= A[i + n * j] * b[i];
    b[j] /= A[j + n * j];
  }
}

/* Computes P of a joint from F on a body, with H of the body. */
static void split_force(int m, const double *H, const double *F, double *P) {
  double A[nsds_joint_most_rows * nsds_joint_most_rows];
  for (int i = 0; i < m; ++i) {
    P[i] = 0.0;
    for (int k = 0; k < nsds_body_nv; ++k) P[i] += H[i + m * k] * F[k];
    for (int j = 0; j <= i; ++j) {
      double sum = 0.0;
      for (int k = 0; k < nsds_body_nv; ++k) sum += H[i + m * k] * H[j + m * k];
      A[i + m * j] = A[j + m * i] = sum;
    }
  }
  solve_definite(m, A, P);
}

/* Computes y and dy/dt of a joint as nsds_local_output() does, and its gradient H. */
static nsds_status show_output(const nsds_interaction *ia, nsds_state *at, double *H) {
  const nsds_relation *relation = ia->relation;
  double Q[2 * nsds_body_nq], V[2 * nsds_body_nv];
  double *y = at->y + ia->y_offset, *ydot = at->ydot + ia->y_offset;
  for (int e = 0; e < ia->nds; ++e) {
    memcpy(Q + nsds_body_nq * e, at->q + ia->ds[e]->q_offset, nsds_body_nq * sizeof *Q);
    memcpy(V + nsds_body_nv * e, at->v + ia->ds[e]->v_offset, nsds_body_nv * sizeof *V);
  }
  nsds_arguments in = {.t = at->t,
                       .q = Q,
                       .v = V,
                       .nq = nsds_body_nq * ia->nds,
                       .nv = nsds_body_nv * ia->nds,
                       .nlambda = ia->m};
  nsds_status status = relation->ops->output(relation->self, &in, y);
  if (!status) status = relation->ops->gradient_v(relation->self, &in, H);
  for (int i = 0; i < ia->m; ++i) ydot[i] = 0.0;
  for (int j = 0; !status && j < in.nv; ++j)
    for (int i = 0; i < ia->m; ++i) ydot[i] += H[i + j * ia->m] * V[j];
  return status;
}

/* Computes y, dy/dt and P of the joint of body k, which bears F. */
static nsds_status show_joint(nsds_plan *plan, int k, const double *F, double *P) {
  nsds_tree_step *step = plan->tree->step;
  const nsds_interaction *ia = step->joint[k];
  double H[nsds_joint_most_rows * 2 * nsds_body_nv];
  nsds_status status = show_output(ia, &plan->trial, H);
  if (status) return status;
  split_force(ia->m, ia->ds[0] == step->ds[k] ? H : H + (ptrdiff_t)ia->m * nsds_body_nv, F,
              P + ia->y_offset);
  return NSDS_OK;
}

nsds_status nsds_tree_reactions_share(nsds_plan *plan, const double *load, double *P) {
  nsds_tree_step *step = plan->tree->step;
  nsds_status status = NSDS_OK;
  for (int k = 0; k < step->tree->nbody; ++k) nsds_tree_step_weigh(step, k, load + 6 * k);
  for (int k = step->tree->nbody - 1; !status && k >= 0; --k) {
    double F[nsds_body_nv];
    nsds_tree_step_carry(step, k, F);
    if (step->joint[k]) status = show_joint(plan, k, F, P);
  }
  return status;
}

nsds_status nsds_tree_reactions(nsds_one_step *o) {
  nsds_plan *plan = o->op.plan;
  const nsds_plan_tree *t = plan->tree;
  nsds_tree_step *step = t->step;
  int bodies = step->tree->nbody;
  for (int k = 0; k < bodies; ++k)
    memcpy(t->rest + 6 * k, plan->trial.p + step->ds[k]->v_offset, 6 * sizeof *t->rest);
  for (int a = 0; a < o->set.nactive; ++a) {
    const nsds_contact *contact = &plan->contact[o->set.active[a]];
    if (contact->is.lifted)
      subtract_contact(plan, contact, &o->op.entry[o->set.active[a]], t->rest);
  }
  nsds_state *at = &plan->trial;
  nsds_status status = nsds_tree_reactions_share(plan, t->rest, at->impulse);
  double h = plan->scheme->h, weight = h > 0.0 ? h : 1.0;
  for (int k = 0; k < bodies; ++k) {
    const nsds_interaction *ia = step->joint[k];
    for (int i = 0; ia && i < ia->m; ++i)
      at->force[ia->y_offset + i] = at->impulse[ia->y_offset + i] / weight;
  }
  return status;
}
