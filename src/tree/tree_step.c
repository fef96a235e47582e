/*
 * A step of a tree in joint coordinates. Each body has a matrix W and a residual r, so that
 *
 *     r + W dv = p + forces of joints,   v = J(q) u,   q = q_0 (+) (a u + b u_0),
 *
 * and joints do no work: J^T (r + W dv - p) = 0. J is that of the first iterate. The linear motion of
 * an iteration also has what a du changes in J. v_p is the velocity of a joint's parent. A body has the
 * center x and the velocities (v, w):
 *
 *     m = sum of T du over the way to the root,   T = S - a S x v_p,
 *     dv = m_v + m_w x (x + a v),   dw = R^T m_w,   up to a^2.
 *
 * Left out, an iteration would leave about a |w| of the error of the one before.
 *
 * With W by m and r about one origin, links are eliminated from the leaves to the root, as articulated
 * bodies are. W need not be symmetric:
 *
 *     U = W_A T,  V = W_A^T S,  D = S^T W_A T,   W_a = W_A - U D^-1 V^T,  r_a = r_A - U D^-1 S^T r_A
 *
 * That is a factorisation L D R of J^T W J without fill: the entries of a joint meet only those of
 * the joints between it and the root. Problems have the unknowns
 *
 *     w = R u,   of a link  w = u + D^-1 V^T v_parent,   w_free = w - D^-1 S^T r_A,
 *
 * whose gain is D^-1. A row H of a body becomes a row X by w of the joints on its way to the root, and
 * a load B adds Y = D^-1 (L^-1 J^T B) to them:
 *
 *     row   X = T^T a,  a_parent = a - V D^-T X      load   Y = D^-1 S^T f,  f_parent = f - U Y
 *
 * Source: R. Featherstone, Rigid Body Dynamics Algorithms (2008), 6.5 and 7.3, there for symmetric
 * matrices.
 */
#include "tree/tree_step.h"

#include "base/base.h"
#include "base/context.h"
#include "kernel/modeling/handle.h"
#include "kernel/modeling/modeling.h"
#include "tree/tree_build.h"
#include "tree/tree_move.h"
#include "tree/tree_state.h"

#include <float.h>

/* ---- creation -------------------------------------------------------------------------------- */

static bool tree_step_fill(nsds_tree_step *step) {
  const nsds_tree *tree = step->tree;
  nsds_context *context = tree->context;
  size_t n = (size_t)tree->nbody, nq = (size_t)tree->nq, nu = (size_t)tree->nu;
  step->ds = NSDS_NEW_ARRAY(context, nsds_ds *, n);
  step->joint = NSDS_NEW_ARRAY(context, nsds_interaction *, n);
  step->first = NSDS_NEW_ARRAY(context, int, n);
  step->q0 = NSDS_NEW_ARRAY(context, double, 2 * nq + 3 * nu + 1);
  if (!step->ds || !step->joint || !step->first || !step->q0) return false;
  step->q = step->q0 + nq;
  step->u0 = step->q + nq;
  step->u = step->u0 + nu;
  step->way = step->u + nu;
  for (int k = 0; k < tree->nbody; ++k) {
    const nsds_tree_body *body = &tree->body[k];
    step->ds[k] = nsds_ds_find(body->ds, "nsds_time_stepping");
    step->joint[k] = body->joint ? nsds_interaction_find(body->joint, "nsds_time_stepping") : NULL;
    step->first[k] = k > 0 ? tree->last[k - 1] + 1 : 0;
  }
  return true;
}

nsds_status nsds_tree_step_create(nsds_model *model, nsds_tree_step **step) {
  *step = NULL;
  nsds_tree *tree = nsds_tree_make(model, true);
  if (!tree) return NSDS_ERROR_MEMORY;
  nsds_tree_step *made = tree->nbody > 0 ? NSDS_NEW(model->context, nsds_tree_step) : NULL;
  if (!made) {
    bool empty = tree->nbody == 0;
    nsds_tree_destroy(tree);
    return empty ? NSDS_OK : NSDS_ERROR_MEMORY;
  }
  made->tree = tree;
  if (tree_step_fill(made)) *step = made;
  else nsds_tree_step_destroy(made);
  return *step ? NSDS_OK : NSDS_ERROR_MEMORY;
}

void nsds_tree_step_destroy(nsds_tree_step *step) {
  if (!step) return;
  nsds_context *context = step->tree->context;
  nsds_release(context, step->ds);
  nsds_release(context, step->joint);
  nsds_release(context, step->first);
  nsds_release(context, step->q0);
  nsds_tree_destroy(step->tree);
  nsds_release(context, step);
}

/* ---- motion ---------------------------------------------------------------------------------- */

void nsds_tree_step_begin(nsds_tree_step *step) {
  const nsds_state *at = &step->ds[0]->model->state;
  nsds_tree_read(step->tree, step->ds, step->joint, at->q, at->v, step->q0, step->u0);
  nsds_copy_doubles(step->u, step->u0, (size_t)step->tree->nu);
}

/* Multiplies a quaternion by exp(turn / 2). */
static void turn_joint(const double *from, const double *turn, double *to) {
  double angle = 0.5 * nsds_length(turn);
  double s = 0.5 * (angle > 1e-4 ? sin(angle) / angle : 1.0 - angle * angle / 6.0);
  double part[4] = {cos(angle), s * turn[0], s * turn[1], s * turn[2]}, p[4];
  nsds_quaternion_product(from, part, p);
  double length = sqrt(p[0] * p[0] + nsds_dot(p + 1, p + 1));
  for (int k = 0; k < 4; ++k) to[k] = p[k] / length;
}

/* Writes the coordinates and velocities of body k. An attitude has two quaternions; the one near
 * `before` is taken, which may be in `place`. */
static inline void show_body(const nsds_tree *tree, int k, const double *before, double *place,
                             double *twist) {
  const nsds_tree_motion *at = &tree->at[tree->last[k]];
  double p[4], arm[3], near = 0.0;
  memcpy(place, at->x, sizeof at->x);
  nsds_tree_quaternion(at->R, p);
  for (int i = 0; i < 4; ++i) near += p[i] * before[i];
  for (int i = 0; i < 4; ++i) place[3 + i] = near < 0.0 ? -p[i] : p[i];
  for (int i = 0; i < 3; ++i) arm[i] = at->x[i] - at->origin[i];
  nsds_cross(at->v, arm, twist);
  for (int i = 0; i < 3; ++i) twist[i] += at->v[3 + i];
  nsds_turn_back(at->R, at->v, twist + 3);
}

/* Computes q = from (+) (a u + b u0). q may be `from`. */
static void add_way(const nsds_tree *tree, const double *from, double a, const double *u, double b,
                    const double *u0, double *q) {
  for (int i = 0; i < tree->nlink; ++i) {
    const nsds_tree_link *link = &tree->link[i];
    double way[3];
    for (int k = 0; k < nsds_tree_freedom(link); ++k)
      way[k] = a * u[link->u + k] + b * u0[link->u + k];
    if (link->kind == NSDS_TREE_BALL) turn_joint(from + link->q, way, q + link->q);
    else if (link->kind != NSDS_TREE_FIXED) q[link->q] = from[link->q] + way[0];
  }
}

static void tree_show_all(nsds_tree_step *step, double *Q, double *V) {
  nsds_tree_move(step->tree, step->q, step->u);
  for (int k = 0; k < step->tree->nbody; ++k) {
    const nsds_ds *ds = step->ds[k];
    show_body(step->tree, k, ds->model->state.q + ds->q_offset + 3, Q + ds->q_offset,
              V + ds->v_offset);
  }
}

/* Raises the size to the largest |x|, and the change to the largest |x - y|. */
static void compare(int n, const double *x, const double *y, double *size, double *change) {
  for (int i = 0; i < n; ++i) {
    nsds_raise(size, fabs(x[i]));
    nsds_raise(change, fabs(x[i] - y[i]));
  }
}

/* A state that is on the tree up to rounding stays as it is. Otherwise each call would round anew. */
void nsds_tree_step_settle(nsds_tree_step *step, double *Q, double *V) {
  static const double rounding = 64.0 * DBL_EPSILON;
  nsds_tree *tree = step->tree;
  double *place = tree->work, size[2] = {1.0, 0.0}, change[2] = {0.0, 0.0};
  nsds_tree_read(tree, step->ds, step->joint, Q, V, step->q, step->u);
  nsds_tree_move(tree, step->q, step->u);
  for (int k = 0; k < tree->nbody; ++k, place += 13) {
    const double *q = Q + step->ds[k]->q_offset, *v = V + step->ds[k]->v_offset;
    show_body(tree, k, q + 3, place, place + 7);
    compare(7, place, q, &size[0], &change[0]);
    compare(6, place + 7, v, &size[1], &change[1]);
  }
  if (change[0] <= rounding * size[0] && change[1] <= rounding * size[1]) return;
  place = tree->work;
  for (int k = 0; k < tree->nbody; ++k, place += 13) {
    memcpy(Q + step->ds[k]->q_offset, place, 7 * sizeof *Q);
    memcpy(V + step->ds[k]->v_offset, place + 7, 6 * sizeof *V);
  }
}

void nsds_tree_step_move(nsds_tree_step *step, double a, double b, double *Q, double *V) {
  step->reach = a;
  add_way(step->tree, step->q0, a, step->u, b, step->u0, step->q);
  tree_show_all(step, Q, V);
}

void nsds_tree_step_displace(nsds_tree_step *step, double *Q, double *V) {
  add_way(step->tree, step->q, 1.0, step->way, 0.0, step->way, step->q);
  tree_show_all(step, Q, V);
}

/* ---- loads ----------------------------------------------------------------------------------- */

/* Moves a force and a moment of a body from `arm` to the origin of the linear motion. */
static void from_arm(const nsds_tree_motion *at, const double *arm, const double *force,
                     const double *moment, double *f) {
  double turned[3];
  nsds_cross(arm, force, f);
  nsds_turn(at->fixed_R, moment, turned);
  for (int i = 0; i < 3; ++i) {
    f[i] += turned[i];
    f[3 + i] = force[i];
  }
}

static void to_origin(const nsds_tree *tree, int k, const double *force, const double *moment,
                      double *f) {
  const nsds_tree_motion *at = &tree->at[tree->last[k]];
  from_arm(at, at->fixed_x, force, moment, f);
}

/* Keeps the place of a link for the linear motion, and the velocity J u there. */
static void fix_link(const nsds_tree_step *step, int i) {
  static const double world[6] = {0};
  const nsds_tree *tree = step->tree;
  const nsds_tree_link *link = &tree->link[i];
  nsds_tree_motion *at = &tree->at[i];
  const nsds_tree_motion *parent = link->parent >= 0 ? &tree->at[link->parent] : NULL;
  memcpy(at->fixed_S, at->S, sizeof at->S);
  memcpy(at->fixed_R, at->R, sizeof at->R);
  for (int j = 0; j < 3; ++j) at->fixed_x[j] = at->x[j] - at->origin[j];
  nsds_cross(at->v, at->fixed_x, at->moved_x);
  for (int j = 0; j < 3; ++j)
    at->moved_x[j] = at->fixed_x[j] + step->reach * (at->moved_x[j] + at->v[3 + j]);
  memcpy(at->a, parent ? parent->a : world, sizeof at->a);
  for (int l = 0; l < nsds_tree_freedom(link); ++l) {
    double turned[6];
    nsds_tree_cross_motion(at->S[l], parent ? parent->v : world, turned);
    for (int j = 0; j < 6; ++j) {
      at->moved_S[l][j] = at->S[l][j] - step->reach * turned[j];
      at->a[j] += at->moved_S[l][j] * step->u[link->u + l];
    }
  }
}

/* Writes the velocities of a body of the motion m. */
NSDS_INLINE void body_velocity(const nsds_tree_motion *at, const double *m, double *own) {
  nsds_cross(m, at->moved_x, own);
  for (int i = 0; i < 3; ++i) own[i] += m[3 + i];
  nsds_turn_back(at->fixed_R, m, own + 3);
}

void nsds_tree_step_load(nsds_tree_step *step, int k, const double *W) {
  const nsds_tree *tree = step->tree;
  nsds_tree_motion *at = &tree->at[tree->last[k]];
  for (int i = step->first[k]; i <= tree->last[k]; ++i) {
    fix_link(step, i);
    if (i < tree->last[k]) nsds_zero_doubles(tree->at[i].I, 36);
  }
  for (int j = 0; j < 6; ++j) { /* W by a unit motion */
    double unit[6] = {0}, own[6], column[6] = {0};
    unit[j] = 1.0;
    body_velocity(at, unit, own);
    for (int l = 0, end = j < 3 ? 6 : 3; l < end; ++l)
      for (int i = 0; i < 6; ++i) column[i] += W[i + 6 * l] * own[l];
    to_origin(tree, k, column, column + 3, at->I + 6 * j);
  }
}

void nsds_tree_step_add(nsds_tree_step *step, int k, const double *r) {
  const nsds_tree *tree = step->tree;
  for (int i = step->first[k]; i < tree->last[k]; ++i) nsds_zero_doubles(tree->at[i].f, 6);
  to_origin(tree, k, r, r + 3, tree->at[tree->last[k]].f);
}

/* ---- factorisation --------------------------------------------------------------------------- */

/* Inverts D, n x n with columns of 3. Returns false if it is singular. */
static bool invert(int n, double *D) {
  if (n == 1) {
    double d = D[0];
    D[0] = 1.0 / d;
    return isfinite(D[0]);
  }
  double minor[9], size = 0.0;
  for (int k = 0; k < 9; ++k) nsds_raise(&size, fabs(D[k]));
  nsds_cross(D + 3, D + 6, minor);
  nsds_cross(D + 6, D, minor + 3);
  nsds_cross(D, D + 3, minor + 6);
  double det = nsds_dot(D, minor);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) D[i + 3 * j] = minor[j + 3 * i] / det;
  return fabs(det) > 1e-14 * size * size * size && isfinite(det);
}

static void add_reduced(const nsds_tree_motion *at, int n, nsds_tree_motion *parent) {
  double scaled[3][6]; /* D^-1 V^T */
  for (int k = 0; k < n; ++k)
    for (int j = 0; j < 6; ++j) {
      double sum = 0.0;
      for (int l = 0; l < n; ++l) sum += at->D[k + 3 * l] * at->V[l][j];
      scaled[k][j] = sum;
    }
  for (int j = 0; j < 6; ++j)
    for (int i = 0; i < 6; ++i) {
      double sum = at->I[i + 6 * j];
      for (int k = 0; k < n; ++k) sum -= at->U[k][i] * scaled[k][j];
      parent->I[i + 6 * j] += sum;
    }
}

/* Factors link i, and passes the rest of its matrix on. */
static bool factor_link(nsds_tree *tree, int i) {
  const nsds_tree_link *link = &tree->link[i];
  nsds_tree_motion *at = &tree->at[i];
  int n = nsds_tree_freedom(link);
  for (int k = 0; k < n; ++k) {
    const double *S = at->moved_S[k];
    double *U = at->U[k];
    for (int j = 0; j < 6; ++j) at->V[k][j] = nsds_tree_dot(at->I + 6 * j, at->fixed_S[k]);
    for (int j = 0; j < 6; ++j) U[j] = at->I[j] * S[0];
    for (int l = 1; l < 6; ++l)
      for (int j = 0; j < 6; ++j) U[j] += at->I[j + 6 * l] * S[l];
  }
  for (int k = 0; k < n; ++k)
    for (int l = 0; l < n; ++l) at->D[l + 3 * k] = nsds_tree_dot(at->fixed_S[l], at->U[k]);
  if (n > 0 && !invert(n, at->D)) return false;
  if (link->parent >= 0) add_reduced(at, n, &tree->at[link->parent]);
  return true;
}

int nsds_tree_step_factor(nsds_tree_step *step) {
  nsds_tree *tree = step->tree;
  for (int k = tree->nbody - 1; k >= 0; --k)
    for (int i = tree->last[k]; i >= step->first[k]; --i)
      if (!factor_link(tree, i)) return k;
  return -1;
}

/* Writes D^-1 V^T v of the parent's velocity to `drag`. */
static void drag_of(const nsds_tree *tree, int i, const double *v, double *drag) {
  const nsds_tree_link *link = &tree->link[i];
  const nsds_tree_motion *at = &tree->at[i];
  int n = nsds_tree_freedom(link);
  double along[3] = {0.0, 0.0, 0.0};
  for (int k = 0; k < n && v; ++k) along[k] = nsds_tree_dot(at->V[k], v);
  for (int k = 0; k < n; ++k) {
    drag[k] = 0.0;
    for (int l = 0; l < n; ++l) drag[k] += at->D[k + 3 * l] * along[l];
  }
}

/* Passes the residual of link i on. Writes D^-1 S^T r to rest. */
NSDS_INLINE void pass_residual(nsds_tree *tree, int i) {
  const nsds_tree_link *link = &tree->link[i];
  nsds_tree_motion *at = &tree->at[i], *parent = link->parent >= 0 ? &tree->at[link->parent] : NULL;
  int n = nsds_tree_freedom(link);
  double slope[3];
  for (int k = 0; k < n; ++k) slope[k] = nsds_tree_dot(at->fixed_S[k], at->f);
  for (int k = 0; k < n; ++k) {
    at->rest[k] = 0.0;
    for (int l = 0; l < n; ++l) at->rest[k] += at->D[k + 3 * l] * slope[l];
  }
  for (int j = 0; parent && j < 6; ++j) {
    double sum = at->f[j];
    for (int k = 0; k < n; ++k) sum -= at->U[k][j] * at->rest[k];
    parent->f[j] += sum;
  }
}

void nsds_tree_step_free(nsds_tree_step *step, double *w) {
  nsds_tree *tree = step->tree;
  for (int k = tree->nbody - 1; k >= 0; --k) {
    int own = step->ds[k]->v_offset - tree->body[k].u;
    double drag[3];
    for (int i = tree->last[k]; i >= step->first[k]; --i) {
      const nsds_tree_link *link = &tree->link[i];
      pass_residual(tree, i);
      drag_of(tree, i, link->parent >= 0 ? tree->at[link->parent].a : NULL, drag);
      for (int l = 0; l < nsds_tree_freedom(link); ++l)
        w[own + link->u + l] = step->u[link->u + l] + drag[l] - tree->at[i].rest[l];
    }
  }
}

/* Computes u of body k, and its motion. The parent comes first. */
static inline void solve_body(nsds_tree_step *step, int k, const double *w, double *result) {
  nsds_tree *tree = step->tree;
  int own = step->ds[k]->v_offset - tree->body[k].u;
  for (int i = step->first[k]; i <= tree->last[k]; ++i) {
    const nsds_tree_link *link = &tree->link[i];
    nsds_tree_motion *at = &tree->at[i];
    const double *moving = link->parent >= 0 ? tree->at[link->parent].a : NULL;
    double drag[3];
    drag_of(tree, i, moving, drag);
    for (int j = 0; j < 6; ++j) at->a[j] = moving ? moving[j] : 0.0;
    for (int l = 0; l < nsds_tree_freedom(link); ++l) {
      double u = w[own + link->u + l] - drag[l];
      result[link->u + l] = u;
      for (int j = 0; j < 6; ++j) at->a[j] += at->moved_S[l][j] * u;
    }
  }
}

void nsds_tree_step_solve(nsds_tree_step *step, const double *w, double *result) {
  for (int k = 0; k < step->tree->nbody; ++k) solve_body(step, k, w, result);
}

void nsds_tree_step_answer(nsds_tree_step *step, int root, const int *leader, const double *w,
                           double *v) {
  for (int k = 0; k < step->tree->nbody; ++k) {
    double own[6];
    if (leader[step->ds[k]->index] != root) continue;
    solve_body(step, k, w, step->way);
    nsds_tree_step_velocity(step, k, own);
    for (int i = 0; i < 6; ++i) v[step->ds[k]->v_offset + i] += own[i];
  }
}

void nsds_tree_step_velocity(const nsds_tree_step *step, int k, double *v) {
  const nsds_tree_motion *at = &step->tree->at[step->tree->last[k]];
  body_velocity(at, at->a, v);
}

/* ---- accelerations --------------------------------------------------------------------------- */

void nsds_tree_step_turning(nsds_tree_step *step, double *a) {
  nsds_tree *tree = step->tree;
  for (int i = 0; i < tree->nlink; ++i) {
    const nsds_tree_link *link = &tree->link[i];
    nsds_tree_motion *at = &tree->at[i];
    double own[6] = {0}, turning[6];
    for (int l = 0; l < nsds_tree_freedom(link); ++l)
      for (int j = 0; j < 6; ++j) own[j] += at->S[l][j] * step->u[link->u + l];
    nsds_tree_cross_motion(at->v, own, turning);
    for (int j = 0; j < 6; ++j)
      at->a[j] = turning[j] + (link->parent >= 0 ? tree->at[link->parent].a[j] : 0.0);
  }
  for (int k = 0; k < tree->nbody; ++k, a += 6) {
    const nsds_tree_motion *at = &tree->at[tree->last[k]];
    double arm[3], speed[3], first[3], second[3];
    for (int j = 0; j < 3; ++j) arm[j] = at->x[j] - at->origin[j];
    nsds_cross(at->v, arm, speed);
    for (int j = 0; j < 3; ++j) speed[j] += at->v[3 + j];
    nsds_cross(at->a, arm, first);
    nsds_cross(at->v, speed, second);
    for (int j = 0; j < 3; ++j) a[j] = at->a[3 + j] + first[j] + second[j];
    nsds_turn_back(at->R, at->a, a + 3);
  }
}

void nsds_tree_step_rest(nsds_tree_step *step, double *w) {
  nsds_tree *tree = step->tree;
  for (int k = tree->nbody - 1; k >= 0; --k) {
    int own = step->ds[k]->v_offset - tree->body[k].u;
    for (int i = tree->last[k]; i >= step->first[k]; --i) {
      pass_residual(tree, i);
      for (int l = 0; l < nsds_tree_freedom(&tree->link[i]); ++l)
        w[own + tree->link[i].u + l] = -tree->at[i].rest[l];
    }
  }
}

/* ---- rows ------------------------------------------------------------------------------------ */

void nsds_tree_step_clear(nsds_tree_step *step, int k) {
  const nsds_tree *tree = step->tree;
  for (int i = tree->last[k]; i >= 0; i = tree->link[i].parent) {
    nsds_zero_doubles(tree->at[i].a, 6);
    nsds_zero_doubles(tree->at[i].f, 6);
  }
}

void nsds_tree_step_push(nsds_tree_step *step, int k, const double *H, int h, const double *B) {
  nsds_tree_motion *at = &step->tree->at[step->tree->last[k]];
  double own[6], moved[6], row[6];
  for (int i = 0; i < 6; ++i) own[i] = H[(ptrdiff_t)i * h];
  from_arm(at, at->moved_x, own, own + 3, row);
  for (int i = 0; i < 6; ++i) at->a[i] += row[i];
  if (B) to_origin(step->tree, k, B, B + 3, moved);
  else to_origin(step->tree, k, own, own + 3, moved);
  for (int i = 0; i < 6; ++i) at->f[i] += moved[i];
}

void nsds_tree_step_pass(nsds_tree_step *step, int k, double *X, double *Y) {
  nsds_tree *tree = step->tree;
  for (int i = tree->last[k]; i >= step->first[k]; --i) {
    const nsds_tree_link *link = &tree->link[i];
    const nsds_tree_motion *at = &tree->at[i];
    int n = nsds_tree_freedom(link), own = link->u - tree->body[k].u;
    double *x = X + own, *y = Y + own, load[3], row[3];
    for (int l = 0; l < n; ++l) {
      x[l] = nsds_tree_dot(at->moved_S[l], at->a);
      load[l] = nsds_tree_dot(at->fixed_S[l], at->f);
    }
    for (int l = 0; l < n; ++l) {
      y[l] = row[l] = 0.0;
      for (int j = 0; j < n; ++j) {
        y[l] += at->D[l + 3 * j] * load[j];
        row[l] += at->D[j + 3 * l] * x[j];
      }
    }
    if (link->parent < 0) continue;
    nsds_tree_motion *parent = &tree->at[link->parent];
    for (int j = 0; j < 6; ++j) {
      double a = at->a[j], f = at->f[j];
      for (int l = 0; l < n; ++l) {
        a -= at->V[l][j] * row[l];
        f -= at->U[l][j] * y[l];
      }
      parent->a[j] += a;
      parent->f[j] += f;
    }
  }
}

/* ---- reactions ------------------------------------------------------------------------------- */

void nsds_tree_step_weigh(nsds_tree_step *step, int k, const double *p) {
  to_origin(step->tree, k, p, p + 3, step->tree->at[step->tree->last[k]].f);
}

void nsds_tree_step_carry(nsds_tree_step *step, int k, double *F) {
  const nsds_tree *tree = step->tree;
  const nsds_tree_motion *at = &tree->at[tree->last[k]];
  double moment[3];
  nsds_cross(at->fixed_x, at->f + 3, moment);
  for (int i = 0; i < 3; ++i) {
    moment[i] = at->f[i] - moment[i];
    F[i] = at->f[3 + i];
  }
  nsds_turn_back(at->fixed_R, moment, F + 3);
  int above = tree->body[k].parent;
  double *parent = above >= 0 ? tree->at[tree->last[above]].f : NULL;
  for (int i = 0; parent && i < 6; ++i) parent[i] += at->f[i];
}
