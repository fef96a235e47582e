/*
 * A solution inside its bounds. If rows depend on each other, z may move along the kernel of E
 * (refine.h) without a change of motion. In the closed rows, in units of the largest force,
 * minimize
 *
 *   |x|^2 / 2 - sum log d(x)
 *
 * over that kernel; d is the distance of a force to its bound, for a cone (mu x_N)^2 - |x_T|^2.
 * Newton's method with halved steps finds the minimum. This barrier keeps rows inside if possible,
 * near the least solution if there are many. At first a bound is moved out by `slack`, which
 * shrinks until all rows are inside, or until only rounding is left. In the latter case the rows at
 * their bound are there in every solution.
 *
 * Source: Boyd and Vandenberghe, Convex Optimization (2004), ch. 11.
 */
#include "numerics/refine_inside.h"

#include "base/base.h"
#include "numerics/linear/orthogonal.h"
#include "numerics/refine.h"

/* Slack relative to the largest force. The second derivatives are 1 and, at a bound, 1 / slack^2.
 * If both meet in a direction of the kernel, the first lose their digits below a slack of 1e-8, the
 * root of eps. Down to 1e-10 bounds alone decide; forces of 1e-10 tell a row inside from one at its
 * bound. */
static const double widest = 0.1, narrowest = 1e-10;
/* Distance to the bound of friction, relative to it, that counts as zero. Solvers leave forces
 * uncertain by some 1e-8 of the largest. A row called at its bound by mistake costs a search, which
 * does not change the motion. */
static const double near = 1e-6;
static const double vanishing = 1e-14; /* relative to the largest force: a smaller one is no load */

typedef struct inside {
  nsds_refiner *r;
  const nsds_problem *p;
  size_t rows;         /* number of closed rows */
  int kernel;          /* dimension of the kernel; its columns are in r->J */
  double size, slack;  /* largest force; slack relative to it */
  double value, least; /* value of the barrier; least distance */
} inside;

/* Adds the barrier of one part of a set to the value, its gradient to g, and its second derivatives
 * to H, m x m. */
static void add_cone_barrier(inside *c, int m, const nsds_part *part, const double *x, double *g,
                             double *H) {
  double mu = part->slope, s = mu * (x[0] + c->slack), square = 0.0, v[3] = {mu * s};
  int place[3] = {0}, count = 1 + part->count;
  for (int k = 1; k < count; ++k) {
    place[k] = part->first + k - 1;
    v[k] = -x[place[k]];
    square += v[k] * v[k];
  }
  double D = s * s - square;
  c->least = fmin(c->least, x[0] - sqrt(square) / mu);
  c->value -= s > 0.0 && D > 0.0 ? log(D) : -INFINITY;
  for (int k = 0; k < count; ++k) g[place[k]] -= 2.0 * v[k] / D;
  for (int j = 0; j < count; ++j)
    for (int i = 0; i < count; ++i) {
      double own = i != j ? 0.0 : i == 0 ? -mu * mu : 1.0;
      H[place[i] + place[j] * m] += 2.0 * own / D + 4.0 * v[i] * v[j] / (D * D);
    }
}

static void add_bound_barrier(inside *c, double distance, double width, double sign, double *g,
                              double *H) {
  double d = distance + c->slack * fmin(width, 1.0);
  c->least = fmin(c->least, distance / fmin(width, 1.0));
  c->value -= d > 0.0 ? log(d) : -INFINITY;
  *g -= sign / d;
  *H += 1.0 / (d * d);
}

/* Evaluates the function at x, its gradient in r->step and second derivatives in r->root. */
static void barrier_evaluate(inside *c, const double *x) {
  nsds_refiner *r = c->r;
  double lower, upper;
  c->value = 0.0;
  c->least = INFINITY;
  for (int b = 0, m; b < r->closed; b += m) {
    double *H = r->root + 9 * (ptrdiff_t)b;
    nsds_refiner_set set = nsds_refiner_set_at(r, c->p, b);
    m = set.size;
    for (int k = 0; k < m * m; ++k) H[k] = k % (m + 1) == 0;
    for (int k = 0; k < m; ++k) {
      c->value += 0.5 * x[b + k] * x[b + k];
      r->step[b + k] = x[b + k];
    }
    if (r->kind[r->row[b]] == NSDS_ROW_STICKS) {
      for (int k = 0; k < set.parts; ++k)
        add_cone_barrier(c, m, &set.part[k], x + b, r->step + b, H);
      continue;
    }
    nsds_refiner_bounds(r, c->p, b, &lower, &upper);
    double width = (upper - lower) / c->size;
    if (lower > -INFINITY) add_bound_barrier(c, x[b] - lower / c->size, width, 1.0, r->step + b, H);
    if (upper < INFINITY) add_bound_barrier(c, upper / c->size - x[b], width, -1.0, r->step + b, H);
  }
}

/* Reduces to the kernel: the gradient to g, the second derivatives to B. */
static void barrier_reduce(const inside *c, double *g) {
  nsds_refiner *r = c->r;
  int n = r->closed;
  for (int a = 0; a < c->kernel; ++a) {
    const double *u = r->J + (ptrdiff_t)a * n;
    double *h = r->x; /* H u */
    g[a] = 0.0;
    for (int b = 0, m; b < n; b += m) {
      const double *H = r->root + 9 * (ptrdiff_t)b;
      m = nsds_refiner_set_at(r, c->p, b).size;
      for (int i = 0; i < m; ++i) {
        g[a] += u[b + i] * r->step[b + i];
        h[b + i] = 0.0;
        for (int j = 0; j < m; ++j) h[b + i] += H[i + j * m] * u[b + j];
      }
    }
    for (int e = 0; e <= a; ++e) {
      double sum = 0.0;
      for (int i = 0; i < n; ++i) sum += r->J[i + (ptrdiff_t)e * n] * h[i];
      r->B[a + (ptrdiff_t)e * c->kernel] = sum;
    }
  }
}

/* Solves y = B^-1 y by B = L L^T, which overwrites B below its diagonal; false if B is not
 * definite. */
static bool barrier_solve(int n, double *B, double *y) {
  for (int j = 0; j < n; ++j) {
    for (int k = 0; k < j; ++k)
      for (int i = j; i < n; ++i) B[i + j * n] -= B[i + k * n] * B[j + k * n];
    if (!(B[j + j * n] > 0.0)) return false;
    double pivot = sqrt(B[j + j * n]);
    for (int i = j; i < n; ++i) B[i + j * n] /= pivot;
  }
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < i; ++j) y[i] -= B[i + j * n] * y[j];
    y[i] /= B[i + i * n];
  }
  for (int i = n - 1; i >= 0; --i) {
    for (int j = i + 1; j < n; ++j) y[i] -= B[j + i * n] * y[j];
    y[i] /= B[i + i * n];
  }
  return true;
}

/* Computes x + length times the step y in the kernel, in r->x. */
static void barrier_step(const inside *c, const double *x, double length) {
  const nsds_refiner *r = c->r;
  for (int i = 0; i < r->closed; ++i) {
    double way = 0.0;
    for (int a = 0; a < c->kernel; ++a) way += r->J[i + (ptrdiff_t)a * r->closed] * r->y[a];
    r->x[i] = x[i] + length * way;
  }
}

/* Minimizes from x by Newton's method, with the present slack; false if x is not inside. */
static bool barrier_minimise(inside *c, double *x) {
  enum { most = 60, halvings = 40 };
  nsds_refiner *r = c->r;
  double *g = r->rest;
  for (int pass = 0; pass < most; ++pass) {
    barrier_evaluate(c, x);
    if (!isfinite(c->value)) return false;
    barrier_reduce(c, g);
    double falls = 0.0, length = 1.0, before = c->value;
    for (int a = 0; a < c->kernel; ++a) r->y[a] = -g[a];
    if (!barrier_solve(c->kernel, r->B, r->y)) return pass > 0;
    for (int a = 0; a < c->kernel; ++a) falls -= g[a] * r->y[a];
    if (!(falls > 1e-12)) return true;
    for (int k = 0; k < halvings; ++k, length *= 0.5) {
      barrier_step(c, x, length);
      barrier_evaluate(c, r->x);
      if (c->value <= before - 0.1 * length * falls) break;
    }
    if (!(c->value < before)) break; /* only rounding is left */
    nsds_copy_doubles(x, r->x, c->rows);
  }
  barrier_evaluate(c, x);
  return true;
}

/* Shrinks the slack until x is inside, or as far as possible. */
static bool shrink_slack(inside *c, double *x) {
  enum { most = 60 };
  for (int pass = 0; pass < most; ++pass) {
    if (!barrier_minimise(c, x)) return false;
    if (c->slack == 0.0 || (c->slack <= narrowest && !(c->least > 0.0))) return true;
    double next = c->least > 0.0 ? 0.0 : fmax(0.1 * c->slack, narrowest);
    if (next + c->least <= 0.0 && next > 0.0) next = 0.5 * (c->slack - c->least);
    c->slack = next;
  }
  return true;
}

/* Returns true if all bounds leave room. */
static bool has_room(const inside *c) {
  const nsds_refiner *r = c->r;
  double lower, upper;
  bool all = true;
  nsds_refiner_set set;
  for (int b = 0; b < r->closed; b += set.size) {
    set = nsds_refiner_set_at(r, c->p, b);
    nsds_refiner_bounds(r, c->p, b, &lower, &upper);
    all = all && upper > lower;
    for (int k = 0; k < set.parts; ++k) all = all && set.part[k].slope > 0.0;
  }
  return all;
}

/* Returns true if a part of friction of a loaded contact is at its bound; x begins with the normal
 * row. */
static bool part_is_at_bound(const nsds_part *part, const double *x) {
  const double *t = x + part->first;
  double tangent = part->count == 2 ? hypot(t[0], t[1]) : fabs(t[0]);
  return x[0] > vanishing && tangent > (1.0 - near) * part->slope * x[0];
}

/* Returns true if a loaded contact that sticks, or a row between bounds, is at its bound. */
static bool is_at_bound(inside *c, const double *x) {
  const nsds_refiner *r = c->r;
  bool any = false;
  nsds_refiner_set set;
  for (int b = 0; b < r->closed; b += set.size) {
    int kind = r->kind[r->row[b]];
    set = nsds_refiner_set_at(r, c->p, b);
    for (int k = 0; k < set.parts; ++k) any = any || part_is_at_bound(&set.part[k], x + b);
    double lower, upper;
    nsds_refiner_bounds(r, c->p, b, &lower, &upper);
    if (kind != NSDS_ROW_FREE || !isfinite(upper - lower)) continue;
    double distance = fmin(x[b] - lower / c->size, upper / c->size - x[b]);
    any = any || distance < near * (upper - lower) / c->size;
  }
  return any;
}

bool nsds_refine_inside(nsds_refiner *r, const nsds_problem *problem, double *z, double *w,
                        bool *spare, bool came, double most) {
  inside c = {.r = r, .p = problem, .slack = widest};
  if (!nsds_refiner_factor(r, problem, z, w)) return false;
  int rank = r->found.rank, m = r->closed;
  if (m < 2 || rank == m) return false;
  c.rows = (size_t)m;
  c.kernel = m - rank;
  for (int b = 0; b < m; ++b) nsds_raise(&c.size, fabs(z[r->row[b]]));
  if (!(c.size > 0.0) || !has_room(&c)) return false;
  for (int b = 0; b < m; ++b) r->z[b] = z[r->row[b]] / r->length[r->row[b]] / c.size;
  if (!is_at_bound(&c, r->z) && !came) return false;
  for (int k = 0; k < c.kernel; ++k)
    nsds_orthogonal_kernel(m, r->found.factors, rank, r->found.pivot, r->found.tau, k,
                           r->J + (ptrdiff_t)k * m);
  nsds_copy_doubles(r->kept, z, (size_t)problem->n);
  if (!shrink_slack(&c, r->z)) return false;
  for (int b = 0; b < m; ++b) {
    int i = r->row[b];
    if (spare && r->z[b] > near) spare[i] = false;
    r->z[b] *= c.size;
  }
  nsds_refiner_correct(r);
  nsds_refiner_spread(r, problem, z);
  return nsds_refiner_accept(r, problem, z, w, most);
}
