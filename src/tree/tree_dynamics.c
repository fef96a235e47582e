/*
 * Equations of motion of a tree, about one origin for all links:
 *
 *     inverse    a_i = a_p + S du/dt + v_i x S u,  f_i = I a_i + v_i x* I v_i - gravity + f of children
 *                tau = S . f_i + armature du/dt
 *     M          S_j . I_c S_k, with the inertia I_c of all links behind k, for j on the way to k
 *     forward    by articulated inertias I_A with their bias p_A:
 *                U = I_A S, D = S . U + armature, I_a = I_A - U D^-1 U^T
 *
 * An inertia about the origin takes (w, v) to (n, f). Source: R. Featherstone, Rigid Body Dynamics
 * Algorithms (2008), 5.3, 6.2, 7.3.
 */

#include "base/base.h"
#include "base/context.h"
#include "base/finite.h"
#include "kernel/modeling/check.h"
#include "tree/tree_move.h"
#include "tree/tree_solve.h"

/* ---- inertias -------------------------------------------------------------------------------- */

/* Writes the inertia of a body, a 6 x 6 matrix by columns. */
static void tree_inertia(const nsds_tree *tree, int i) {
  const nsds_tree_link *link = &tree->link[i];
  nsds_tree_motion *at = &tree->at[i];
  nsds_zero_doubles(at->I, 36);
  if (link->mass == 0.0) return;
  double c[3], turned[9], J[9], square;
  for (int k = 0; k < 3; ++k) c[k] = at->x[k] - at->origin[k];
  square = nsds_dot(c, c);
  for (int j = 0; j < 3; ++j) nsds_turn(at->R, link->inertia + 3 * j, turned + 3 * j);
  for (int j = 0; j < 3; ++j)
    for (int k = 0; k < 3; ++k)
      J[k + 3 * j] = turned[k] * at->R[j] + turned[k + 3] * at->R[j + 3] +
                     turned[k + 6] * at->R[j + 6] +
                     link->mass * ((k == j ? square : 0.0) - c[k] * c[j]);
  const double crossed[9] = {0, c[2], -c[1], -c[2], 0, c[0], c[1], -c[0], 0}; /* c x */
  for (int j = 0; j < 3; ++j)
    for (int k = 0; k < 3; ++k) {
      double part = link->mass * crossed[k + 3 * j];
      at->I[k + 6 * j] = J[k + 3 * j];
      at->I[k + 6 * (3 + j)] = part;
      at->I[3 + k + 6 * j] = -part;
      at->I[3 + k + 6 * (3 + j)] = k == j ? link->mass : 0.0;
    }
}

static void tree_times(const double *I, const double *m, double *f) {
  for (int k = 0; k < 6; ++k) {
    double sum = 0.0;
    for (int j = 0; j < 6; ++j) sum += I[k + 6 * j] * m[j];
    f[k] = sum;
  }
}

/* Computes the force of gravity on a body. */
static void tree_weight(const nsds_tree *tree, int i, double *f) {
  const nsds_tree_link *link = &tree->link[i];
  double c[3];
  for (int k = 0; k < 3; ++k) {
    f[3 + k] = link->mass * link->gravity[k];
    c[k] = tree->at[i].x[k] - tree->at[i].origin[k];
  }
  nsds_cross(c, f + 3, f);
}

/* Adds v x* I v - gravity to f: the force that a link needs without acceleration. */
static void add_bias_force(const nsds_tree *tree, int i, double *f) {
  const nsds_tree_motion *at = &tree->at[i];
  double h[6], weight[6], first[3], second[3], third[3];
  if (tree->link[i].mass == 0.0) return;
  tree_times(at->I, at->v, h);
  nsds_cross(at->v, h, first);
  nsds_cross(at->v + 3, h + 3, second);
  nsds_cross(at->v, h + 3, third);
  tree_weight(tree, i, weight);
  for (int k = 0; k < 3; ++k) {
    f[k] += first[k] + second[k] - weight[k];
    f[3 + k] += third[k] - weight[3 + k];
  }
}

/* Computes v x S u. */
static void tree_turning(const nsds_tree *tree, int i, const double *u, double *c) {
  const nsds_tree_link *link = &tree->link[i];
  const nsds_tree_motion *at = &tree->at[i];
  double own[6] = {0};
  for (int k = 0; k < nsds_tree_freedom(link); ++k)
    for (int j = 0; j < 6; ++j) own[j] += at->S[k][j] * u[link->u + k];
  nsds_tree_cross_motion(at->v, own, c);
}

/* ---- inverse dynamics ------------------------------------------------------------------------ */

static void recurse(nsds_tree *tree, const double *u, const double *a, double *tau) {
  for (int i = 0; i < tree->nlink; ++i) {
    const nsds_tree_link *link = &tree->link[i];
    nsds_tree_motion *at = &tree->at[i];
    double turning[6];
    tree_inertia(tree, i);
    tree_turning(tree, i, u, turning);
    for (int j = 0; j < 6; ++j)
      at->a[j] = turning[j] + (link->parent >= 0 ? tree->at[link->parent].a[j] : 0.0);
    for (int k = 0; k < nsds_tree_freedom(link); ++k)
      for (int j = 0; j < 6; ++j) at->a[j] += at->S[k][j] * a[link->u + k];
    tree_times(at->I, at->a, at->f);
    add_bias_force(tree, i, at->f);
  }
  for (int i = tree->nlink - 1; i >= 0; --i) {
    const nsds_tree_link *link = &tree->link[i];
    const nsds_tree_motion *at = &tree->at[i];
    for (int k = 0; k < nsds_tree_freedom(link); ++k)
      tau[link->u + k] = nsds_tree_dot(at->S[k], at->f) + link->armature * a[link->u + k];
    for (int j = 0; link->parent >= 0 && j < 6; ++j) tree->at[link->parent].f[j] += at->f[j];
  }
}

/* Fails if a result is not finite. */
static nsds_status tree_check_result(const nsds_tree *tree, const char *call, const double *x) {
  int k = nsds_first_nonfinite(x, tree->nu);
  return k < 0 ? NSDS_OK
               : nsds_fail(tree->context, NSDS_ERROR_VALUE,
                           "%s: number %d of the result overflows; valid are smaller velocities, "
                           "accelerations and forces",
                           call, k);
}

static nsds_status inverse(nsds_tree *tree, const char *call, const double *q, const double *u,
                           const double *a, double *tau) {
  nsds_status status = nsds_tree_check(tree, call, q, u);
  if (!status && !nsds_check_finite(tree->context, call, "a", a, tree->nu))
    status = NSDS_ERROR_VALUE;
  if (status) return status;
  nsds_tree_move(tree, q, u);
  recurse(tree, u, a, tau);
  return tree_check_result(tree, call, tau);
}

nsds_status nsds_tree_inverse(nsds_tree *tree, const double *q, const double *u, const double *a,
                              double *tau) {
  const char *call = "nsds_tree_inverse";
  if (!tree || !q || !u || !a || !tau)
    return nsds_fail_null(tree ? tree->context : NULL, call,
                          !tree ? "tree"
                          : !q  ? "q"
                          : !u  ? "u"
                          : a   ? "tau"
                                : "a");
  return inverse(tree, call, q, u, a, tau);
}

nsds_status nsds_tree_bias(nsds_tree *tree, const double *q, const double *u, double *b) {
  const char *call = "nsds_tree_bias";
  if (!tree || !q || !u || !b)
    return nsds_fail_null(tree ? tree->context : NULL, call,
                          !tree ? "tree"
                          : !q  ? "q"
                          : u   ? "b"
                                : "u");
  return inverse(tree, call, q, u, tree->zero, b);
}

/* ---- mass matrix ----------------------------------------------------------------------------- */

/* Writes the entries of M for the velocities of link i and of links before it. */
static void mass_column(const nsds_tree *tree, int i, double *M) {
  const nsds_tree_link *link = &tree->link[i];
  int n = tree->nu;
  for (int k = 0; k < nsds_tree_freedom(link); ++k) {
    double f[6];
    int column = link->u + k;
    tree_times(tree->at[i].I, tree->at[i].S[k], f);
    for (int j = i; j >= 0; j = tree->link[j].parent)
      for (int l = 0; l < nsds_tree_freedom(&tree->link[j]); ++l) {
        int row = tree->link[j].u + l;
        double entry = nsds_tree_dot(tree->at[j].S[l], f);
        M[row + (ptrdiff_t)column * n] = M[column + (ptrdiff_t)row * n] = entry;
      }
    M[column + (ptrdiff_t)column * n] += link->armature;
  }
}

nsds_status nsds_tree_mass(nsds_tree *tree, const double *q, double *M) {
  const char *call = "nsds_tree_mass";
  if (!tree || !q || !M)
    return nsds_fail_null(tree ? tree->context : NULL, call, !tree ? "tree" : q ? "M" : "q");
  nsds_status status = nsds_tree_check(tree, call, q, NULL);
  if (status) return status;
  nsds_tree_move(tree, q, NULL);
  nsds_zero_doubles(M, (size_t)tree->nu * (size_t)tree->nu);
  for (int i = 0; i < tree->nlink; ++i) tree_inertia(tree, i);
  for (int i = tree->nlink - 1; i >= 0; --i) {
    int parent = tree->link[i].parent;
    for (int k = 0; parent >= 0 && k < 36; ++k) tree->at[parent].I[k] += tree->at[i].I[k];
    mass_column(tree, i, M);
  }
  return NSDS_OK;
}

/* ---- forward dynamics ------------------------------------------------------------------------ */

/* Hands I_a and p_a of a link to its parent: I_A - U D^-1 U^T, p_A + I_a c + U D^-1 rest. */
static void tree_hand_over(nsds_tree_motion *at, int n, nsds_tree_motion *parent) {
  double I[36], p[6], solved[3];
  memcpy(I, at->I, sizeof I);
  for (int j = 0; j < 6; ++j) {
    for (int k = 0; k < n; ++k) solved[k] = at->U[k][j];
    nsds_tree_solve(n, at->D, solved);
    for (int i = 0; i < 6; ++i)
      for (int k = 0; k < n; ++k) I[i + 6 * j] -= at->U[k][i] * solved[k];
  }
  tree_times(I, at->a, p);
  for (int k = 0; k < n; ++k) solved[k] = at->rest[k];
  nsds_tree_solve(n, at->D, solved);
  for (int i = 0; i < 6; ++i) {
    for (int k = 0; k < n; ++k) p[i] += at->U[k][i] * solved[k];
    parent->f[i] += at->f[i] + p[i];
  }
  for (int k = 0; k < 36; ++k) parent->I[k] += I[k];
}

/* Eliminates the velocities of a link. `a` of the link has v x S u, f has p_A. */
static bool eliminate(nsds_tree *tree, int i, const double *tau) {
  const nsds_tree_link *link = &tree->link[i];
  nsds_tree_motion *at = &tree->at[i];
  int n = nsds_tree_freedom(link);
  for (int k = 0; k < n; ++k) {
    tree_times(at->I, at->S[k], at->U[k]);
    at->rest[k] = tau[link->u + k] - nsds_tree_dot(at->S[k], at->f);
  }
  for (int k = 0; k < n; ++k)
    for (int j = 0; j < n; ++j)
      at->D[j + 3 * k] = nsds_tree_dot(at->S[j], at->U[k]) + (j == k ? link->armature : 0.0);
  if (!nsds_tree_factor(n, at->D)) return false;
  if (link->parent >= 0) tree_hand_over(at, n, &tree->at[link->parent]);
  return true;
}

static void accelerate(nsds_tree *tree, int i, double *a) {
  const nsds_tree_link *link = &tree->link[i];
  nsds_tree_motion *at = &tree->at[i];
  double rate[3];
  int n = nsds_tree_freedom(link);
  for (int j = 0; link->parent >= 0 && j < 6; ++j) at->a[j] += tree->at[link->parent].a[j];
  for (int k = 0; k < n; ++k) rate[k] = at->rest[k] - nsds_tree_dot(at->U[k], at->a);
  nsds_tree_solve(n, at->D, rate);
  for (int k = 0; k < n; ++k) {
    a[link->u + k] = rate[k];
    for (int j = 0; j < 6; ++j) at->a[j] += at->S[k][j] * rate[k];
  }
}

nsds_status nsds_tree_dynamics(nsds_tree *tree, const double *q, const double *u, const double *tau,
                               double *a) {
  const char *call = "nsds_tree_dynamics";
  if (!tree || !q || !u || !a)
    return nsds_fail_null(tree ? tree->context : NULL, call,
                          !tree ? "tree"
                          : !q  ? "q"
                          : u   ? "a"
                                : "u");
  nsds_status status = nsds_tree_check(tree, call, q, u);
  if (!status && tau && !nsds_check_finite(tree->context, call, "tau", tau, tree->nu))
    status = NSDS_ERROR_VALUE;
  if (status) return status;
  nsds_tree_move(tree, q, u);
  for (int i = 0; i < tree->nlink; ++i) {
    nsds_tree_motion *at = &tree->at[i];
    tree_inertia(tree, i);
    tree_turning(tree, i, u, at->a);
    nsds_zero_doubles(at->f, 6);
    add_bias_force(tree, i, at->f);
  }
  for (int i = tree->nlink - 1; i >= 0; --i)
    if (!eliminate(tree, i, tau ? tau : tree->zero))
      return nsds_fail(
          tree->context, NSDS_ERROR_SINGULAR,
          "%s: a velocity of the joint with u[%d] moves almost no mass; valid are inertias "
          "above 1e-14 of the others",
          call, tree->link[i].u);
  for (int i = 0; i < tree->nlink; ++i) accelerate(tree, i, a);
  return tree_check_result(tree, call, a);
}

/* ---- Jacobian and sums ----------------------------------------------------------------------- */

nsds_status nsds_tree_jacobian(nsds_tree *tree, const double *q, int body, const double *point,
                               double *J) {
  const char *call = "nsds_tree_jacobian";
  static const double center[3] = {0.0, 0.0, 0.0};
  if (!tree || !q || !J)
    return nsds_fail_null(tree ? tree->context : NULL, call, !tree ? "tree" : q ? "J" : "q");
  nsds_status status = nsds_tree_check(tree, call, q, NULL);
  if (status) return status;
  if (!nsds_check_range(tree->context, call, "body", body, 0, tree->nbody - 1) ||
      (point && !nsds_check_finite(tree->context, call, "point", point, 3)))
    return NSDS_ERROR_VALUE;
  nsds_tree_move(tree, q, NULL);
  nsds_zero_doubles(J, 6 * (size_t)tree->nu);
  const nsds_tree_motion *end = &tree->at[tree->last[body]];
  double arm[3], moved[3];
  nsds_turn(end->R, point ? point : center, arm);
  for (int k = 0; k < 3; ++k) arm[k] += end->x[k] - end->origin[k];
  for (int i = tree->last[body]; i >= 0; i = tree->link[i].parent)
    for (int k = 0; k < nsds_tree_freedom(&tree->link[i]); ++k) {
      const double *S = tree->at[i].S[k];
      double *column = J + 6 * (ptrdiff_t)(tree->link[i].u + k);
      nsds_cross(S, arm, moved);
      for (int j = 0; j < 3; ++j) {
        column[j] = S[3 + j] + moved[j];
        column[3 + j] = S[j];
      }
    }
  return NSDS_OK;
}

nsds_status nsds_tree_sum(nsds_tree *tree, const double *q, const double *u, nsds_tree_sums *sums) {
  const char *call = "nsds_tree_sum";
  if (!tree || !q || !sums)
    return nsds_fail_null(tree ? tree->context : NULL, call, !tree ? "tree" : q ? "sums" : "q");
  nsds_status status = nsds_tree_check(tree, call, q, u);
  if (status) return status;
  double momentum[6] = {0}, moment[3] = {0}, h[6], arm[3], turned[3];
  *sums = (nsds_tree_sums){0};
  nsds_tree_move(tree, q, u);
  const double *origin = tree->at[0].origin;
  for (int i = 0; i < tree->nlink; ++i) {
    const nsds_tree_link *link = &tree->link[i];
    const nsds_tree_motion *at = &tree->at[i];
    tree_inertia(tree, i);
    tree_times(at->I, at->v, h);
    for (int k = 0; k < 3; ++k) arm[k] = at->origin[k] - origin[k];
    nsds_cross(arm, h + 3, turned);
    for (int k = 0; k < 3; ++k) {
      momentum[k] += h[k] + turned[k];
      momentum[3 + k] += h[3 + k];
      moment[k] += link->mass * (at->x[k] - origin[k]);
    }
    sums->mass += link->mass;
    sums->kinetic += 0.5 * nsds_tree_dot(at->v, h);
    if (u && link->armature > 0.0) sums->kinetic += 0.5 * link->armature * u[link->u] * u[link->u];
    sums->potential -= link->mass * nsds_dot(link->gravity, at->x);
  }
  for (int k = 0; k < 3; ++k) {
    arm[k] = moment[k] / sums->mass;
    sums->center[k] = origin[k] + arm[k];
    sums->linear[k] = momentum[3 + k];
    sums->velocity[k] = momentum[3 + k] / sums->mass;
  }
  nsds_cross(arm, sums->linear, turned);
  for (int k = 0; k < 3; ++k) sums->angular[k] = momentum[k] - turned[k];
  return NSDS_OK;
}
