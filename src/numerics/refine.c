/*
 * Refinement to rounding: Newton's method on the natural maps, for the active set that z shows,
 *
 *   open     z = 0                      stick  w = 0
 *   slip     w_N = 0,  z_T = mu z_N t,  t = x_T / |x_T|,  x_T = z_T - r w_T
 *   bounded  z at the bound             free   w = 0
 *
 * Rolling friction has two parts T, of slip and of rolling; each sticks or slips. Sums of squares
 * take its moments in units of `length` times a force.
 *
 * (Alart & Curnier, Comput. Methods Appl. Mech. Eng. 92, 1991). If rows depend on each other, each
 * step is the least one.
 *
 * The least solution: closed rows have w = 0, or E z = g; E holds the columns of M with t fixed.
 * Equalities beside other rows are eliminated first. If
 * E lacks full rank, the file minimizes |z|^2 / 2 over E z = g and z in K. K is the product of
 * lines, half lines and cones. Then z = P_K(E^T y), and Newton's method solves E P_K(E^T y) = g,
 * the gradient of a convex function of y. P_K' = S S with S symmetric, block by block. A step
 * solves E S S E^T dy = rest, by orthogonal factors of E S and its transpose.
 *
 * A result counts only if the certificate, which shares no code with this file, agrees.
 */
#include "numerics/refine.h"

#include "base/base.h"
#include "base/finite.h"
#include "numerics/certify/certify.h"
#include "numerics/linear/orthogonal.h"
#include "numerics/refine_found.h"
#include "numerics/store.h"

#include <float.h>

static const double enough = 2.0 * DBL_EPSILON;

nsds_status nsds_refiner_reserve(nsds_refiner *r, nsds_context *context, int n) {
  if (n <= r->n || r->n == nsds_most_refined) return NSDS_OK;
  if (n > nsds_most_refined) n = nsds_most_refined;
  size_t m = (size_t)n;
  nsds_problem dense = {.n = n, .nblock = n, .M = {.storage = NSDS_DENSE, .n = n}};
  r->store.context = context;
  const nsds_cut cut[] = {NSDS_CUT(r->unit, m),
                          NSDS_CUT(r->J, m * m),
                          NSDS_CUT(r->step, m),
                          NSDS_CUT(r->tau, 3 * m),
                          NSDS_CUT(r->z, m),
                          NSDS_CUT(r->kept, 2 * m),
                          NSDS_CUT(r->pivot, m),
                          NSDS_CUT(r->work, nsds_problem_work(&dense)),
                          NSDS_CUT(r->row, m),
                          NSDS_CUT(r->normal, m),
                          NSDS_CUT(r->E, m * m),
                          NSDS_CUT(r->B, m * m),
                          NSDS_CUT(r->g, m),
                          NSDS_CUT(r->y, m),
                          NSDS_CUT(r->x, m),
                          NSDS_CUT(r->root, 9 * m),
                          NSDS_CUT(r->rest, m),
                          NSDS_CUT(r->direction, m),
                          NSDS_CUT(r->length, m),
                          NSDS_CUT(r->kind, m),
                          NSDS_CUT(r->found.factors, m * m),
                          NSDS_CUT(r->found.tau, 3 * m),
                          NSDS_CUT(r->found.pivot, m),
                          NSDS_CUT(r->found.direction, m),
                          NSDS_CUT(r->found.kind, m),
                          NSDS_CUT(r->found.reference, m * m),
                          NSDS_CUT(r->found.square, m),
                          NSDS_CUT(r->held.factors, m * m), /* and `map`: n closed + n n <= m m */
                          NSDS_CUT(r->held.tau, 3 * m),
                          NSDS_CUT(r->held.pivot, m),
                          NSDS_CUT(r->held.row, m),
                          NSDS_CUT(r->held.start, m),
                          NSDS_CUT(r->held.x, m),
                          NSDS_CUT(r->even, 3 * m)};
  nsds_status status = NSDS_HOLD(&r->store, cut);
  r->found.stamp = r->found.pattern = 0;
  if (!status) r->n = n;
  return status;
}

void nsds_refiner_release(nsds_refiner *r) { nsds_store_release(&r->store); }

/* ---- kinds of rows --------------------------------------------------------------------------- */

static void bounds_of(const nsds_block *block, int k, double *lower, double *upper) {
  bool bounded = block->set == NSDS_SET_BOX;
  *lower = block->set == NSDS_SET_EQUALITY ? -INFINITY : bounded ? block->lower[k] : 0.0;
  *upper = bounded ? block->upper[k] : INFINITY;
}

static bool is_friction(const nsds_block *block) {
  return block->set == NSDS_SET_COULOMB || block->set == NSDS_SET_ROLLING;
}

/* Computes the direction of x_T in the part of a contact that begins at row N; returns the length
 * of x_T. */
static double slip_direction(const nsds_refiner *r, const nsds_part *part, int N, const double *z,
                             const double *w, double *t) {
  int T = N + part->first;
  double square = 0.0, length;
  for (int k = 0; k < part->count; ++k) {
    t[k] = z[T + k] - r->unit[T] * r->unit[T] * w[T + k];
    square += t[k] * t[k];
  }
  length = sqrt(square);
  for (int k = 0; k < part->count && length > 0.0; ++k) t[k] /= length;
  return length;
}

static bool contact_opens(const nsds_refiner *r, int N, const double *z, const double *w,
                          double nothing) {
  return z[N] - r->unit[N] * r->unit[N] * w[N] <= -nothing;
}

/* Returns the kind of a part of a closed contact; values up to `nothing` count as zero. Writes t and
 * the length of x_T. */
static int part_kind(const nsds_refiner *r, const nsds_part *part, int N, const double *z,
                     const double *w, double nothing, double *t, double *length) {
  *length = slip_direction(r, part, N, z, w, t);
  return *length > part->slope * z[N] + nothing ? NSDS_ROW_SLIPS : NSDS_ROW_STICKS;
}

/* ---- to rounding ----------------------------------------------------------------------------- */

/* The equation of one row: every n-th entry of J, in the units of the columns, and its right
 * side. */
typedef struct newton_row {
  const nsds_problem *p;
  const double *unit;
  double *row, *right;
} newton_row;

static newton_row row_at(nsds_refiner *r, const nsds_problem *p, int i) {
  return (newton_row){.p = p, .unit = r->unit, .row = r->J + i, .right = r->step + i};
}

/* Adds factor times the derivatives of w_i. */
static void add_w(newton_row to, int i, double factor) {
  int n = to.p->n;
  for (int j = 0; j < n; ++j)
    to.row[(ptrdiff_t)j * n] += factor * nsds_refine_entry(to.p, i, j) * to.unit[j];
}

static void hold_w(nsds_refiner *r, const nsds_problem *p, const double *w, int i) {
  newton_row to = row_at(r, p, i);
  add_w(to, i, r->unit[i]);
  *to.right -= r->unit[i] * w[i];
}

/* Adds the equation z_i = `value`. */
static void hold_z(nsds_refiner *r, const nsds_problem *p, const double *z, int i, double value) {
  newton_row to = row_at(r, p, i);
  to.row[(ptrdiff_t)i * p->n] += 1.0;
  *to.right += (value - z[i]) / r->unit[i];
}

static void scalar_row(nsds_refiner *r, const nsds_problem *p, const nsds_block *block, int k,
                       const double *z, const double *w, int i) {
  double x = z[i] - r->unit[i] * r->unit[i] * w[i], lower, upper;
  bounds_of(block, k, &lower, &upper);
  if (x <= lower) hold_z(r, p, z, i, lower);
  else if (x >= upper) hold_z(r, p, z, i, upper);
  else hold_w(r, p, w, i);
}

/* Adds z_T = mu z_N t in row i of a part of the contact that begins at row N. */
static void slip_row(nsds_refiner *r, const nsds_problem *p, const nsds_part *part, const double *z,
                     int N, int i, const double *t, double length) {
  newton_row to = row_at(r, p, i);
  int T = N + part->first;
  double most = part->slope * z[N], size = 1.0 / r->unit[i], own = r->unit[T] * r->unit[T];
  to.row[(ptrdiff_t)i * p->n] += 1.0;
  to.row[(ptrdiff_t)N * p->n] -= size * part->slope * t[i - T] * r->unit[N];
  *to.right -= size * (z[i] - most * t[i - T]);
  for (int k = 0; k < part->count; ++k) { /* - mu z_N (I - t t^T) / |x_T| (dz_T - own dw_T) */
    double turn = size * most / length * ((T + k == i) - t[i - T] * t[k]);
    to.row[(ptrdiff_t)(T + k) * p->n] -= turn * r->unit[T + k];
    add_w(to, T + k, turn * own);
  }
}

static void part_rows(nsds_refiner *r, const nsds_problem *p, const nsds_part *part,
                      const double *z, const double *w, int N) {
  double t[2] = {0.0}, length;
  int kind = part_kind(r, part, N, z, w, 0.0, t, &length), T = N + part->first;
  for (int i = T; i < T + part->count; ++i) {
    if (kind == NSDS_ROW_SLIPS) slip_row(r, p, part, z, N, i, t, length);
    else hold_w(r, p, w, i);
  }
}

static void contact_rows(nsds_refiner *r, const nsds_problem *p, const nsds_block *block,
                         const double *z, const double *w, int N) {
  nsds_part part[2];
  int count = nsds_set_parts(block, part);
  if (contact_opens(r, N, z, w, 0.0)) {
    for (int i = N; i < N + block->size; ++i) hold_z(r, p, z, i, 0.0);
    return;
  }
  hold_w(r, p, w, N);
  for (int k = 0; k < count; ++k) part_rows(r, p, &part[k], z, w, N);
}

/* Computes Newton's step from z, in the units of the rows. */
static void refine_find_step(nsds_refiner *r, const nsds_problem *p, const double *z,
                             const double *w) {
  size_t n = (size_t)p->n;
  nsds_zero_doubles(r->J, n * n);
  nsds_zero_doubles(r->step, n);
  for (int a = 0, i = 0; a < p->nblock; i += p->block[a++].size) {
    const nsds_block *block = &p->block[a];
    if (is_friction(block)) contact_rows(r, p, block, z, w, i);
    else
      for (int k = 0; k < block->size; ++k) scalar_row(r, p, block, k, z, w, i + k);
  }
  int rank = nsds_orthogonal_factor(p->n, r->J, nsds_dependent, r->pivot, r->tau);
  nsds_orthogonal_solve(p->n, r->J, rank, r->pivot, r->tau, r->step);
}

/* Certifies z and writes w. Returns the residual, as if q had no error. */
static double refine_certify(nsds_refiner *r, const nsds_problem *problem, const double *z,
                             double *w) {
  nsds_problem exact = *problem;
  nsds_certificate certificate;
  exact.q_error = NULL;
  nsds_certify(&exact, z, r->work, &certificate);
  nsds_copy_doubles(w, r->work, (size_t)problem->n);
  return certificate.residual;
}

/* Improves z by Newton's method while the certificate agrees; returns the residual. */
static double refine_polish(nsds_refiner *r, const nsds_problem *problem, double *z, double *w) {
  enum { most = 5 };
  size_t n = (size_t)problem->n;
  double now = refine_certify(r, problem, z, w);
  for (int pass = 0; pass < most && now > enough; ++pass) {
    refine_find_step(r, problem, z, w);
    for (size_t i = 0; i < n; ++i) r->z[i] = z[i] + r->unit[i] * r->step[i];
    if (nsds_first_nonfinite(r->z, problem->n) >= 0) break;
    double next = refine_certify(r, problem, r->z, r->step);
    if (!(next < now)) break;
    nsds_copy_doubles(z, r->z, n);
    nsds_copy_doubles(w, r->step, n);
    now = next;
  }
  return now;
}

/* Certifies z of one row and writes w; returns the residual, as if q had no error. INFINITY: the row
 * is not treated. */
static double certify_one(const nsds_refiner *r, const nsds_problem *problem, double z, double *w) {
  nsds_problem exact = *problem;
  double work[3], diagonal = nsds_refine_entry(problem, 0, 0);
  int block;
  if (r->n < 1 || !(diagonal > 0.0) || !isfinite(1.0 / diagonal)) return INFINITY;
  exact.q_error = NULL;
  double residual = nsds_certified_residual_of_one(&exact, z, work, &block);
  *w = work[0];
  return residual;
}

double nsds_refine(nsds_refiner *r, const nsds_problem *problem, double *z, double *w) {
  double one = INFINITY, w_of_one = 0.0;
  if (nsds_is_one_row(problem)) one = certify_one(r, problem, *z, &w_of_one);
  if (one <= enough) {
    *w = w_of_one;
    return one;
  }
  nsds_found_take(r, problem);
  return nsds_found_is_treated(r, problem) ? refine_polish(r, problem, z, w) : INFINITY;
}

/* ---- the least ------------------------------------------------------------------------------- */

static void close_row(nsds_refiner *r, int i, int kind) {
  r->kind[i] = (unsigned char)kind;
  r->length[i] = 1.0;
  r->row[r->closed++] = i;
}

/* A moment of rolling friction is compared with forces by the length mu_rolling / mu, if slip sticks
 * too. Moments are otherwise so cheap that they come to their bounds long before forces do. */
static void measure_rolling(nsds_refiner *r, const nsds_part *part, int N) {
  bool sticks = r->kind[N + part[0].first] == NSDS_ROW_STICKS &&
                r->kind[N + part[1].first] == NSDS_ROW_STICKS;
  double length = part[1].slope / part[0].slope;
  if (!sticks || !(length > 0.0) || !isfinite(length)) return;
  for (int k = 0; k < part[1].count; ++k) r->length[N + part[1].first + k] = length;
}

/* The normal row of a contact has the kind STICKS if any part sticks. */
static void close_contact(nsds_refiner *r, const nsds_block *block, int N, const double *z,
                          const double *w, double nothing) {
  nsds_part part[2];
  int count = nsds_set_parts(block, part), normal = r->closed;
  if (contact_opens(r, N, z, w, nothing)) return;
  close_row(r, N, NSDS_ROW_PUSHES);
  for (int a = 0; a < count; ++a) {
    double t[2] = {0.0}, length;
    int kind = part_kind(r, &part[a], N, z, w, nothing, t, &length), T = N + part[a].first;
    if (kind == NSDS_ROW_STICKS) r->kind[N] = NSDS_ROW_STICKS;
    for (int k = 0; k < part[a].count && kind == NSDS_ROW_STICKS; ++k)
      close_row(r, T + k, NSDS_ROW_STICKS);
    for (int k = 0; k < part[a].count && kind == NSDS_ROW_SLIPS; ++k) {
      r->kind[T + k] = NSDS_ROW_SLIPS;
      r->direction[T + k] = part[a].slope * t[k];
      r->normal[T + k] = normal;
    }
  }
  if (count == 2) measure_rolling(r, part, N);
}

/* Finds the closed rows, in order; rows of a contact that stick stay together. Rows with w = 0 count
 * although they may carry nothing. Forces of rounding are recognized later. */
static void find_closed(nsds_refiner *r, const nsds_problem *p, const double *z, const double *w,
                        bool hold) {
  double nothing = 0.0;
  for (int i = 0; i < p->n; ++i) nsds_raise(&nothing, 1e-9 * fabs(z[i]));
  r->closed = r->held.n = 0;
  for (int i = 0; i < p->n; ++i) r->kind[i] = NSDS_ROW_OPEN;
  for (int a = 0, i = 0; a < p->nblock; i += p->block[a++].size) {
    const nsds_block *block = &p->block[a];
    bool held = hold && block->set == NSDS_SET_EQUALITY;
    for (int k = 0; k < block->size && held; ++k) {
      r->kind[i + k] = NSDS_ROW_FREE;
      r->length[i + k] = 1.0;
      r->held.row[r->held.n++] = i + k;
    }
    if (held) continue;
    if (is_friction(block)) close_contact(r, block, i, z, w, nothing);
    for (int k = 0; k < block->size && !is_friction(block); ++k) {
      double x = z[i + k] - r->unit[i + k] * r->unit[i + k] * w[i + k], lower, upper;
      bounds_of(block, k, &lower, &upper);
      if (x <= lower - nothing || x >= upper + nothing) continue;
      close_row(r, i + k, lower == 0.0 && upper == INFINITY ? NSDS_ROW_PUSHES : NSDS_ROW_FREE);
    }
  }
  if (r->closed > 0) return;
  r->closed = r->held.n;
  r->held.n = 0;
  memcpy(r->row, r->held.row, (size_t)r->closed * sizeof *r->row);
}

/* Computes the entries of M in `rows` for the closed row at place b, with the slip of its contact. */
static void form_column(const nsds_refiner *r, const nsds_problem *p, int count, const int *rows,
                        int b, double *column) {
  int j = r->row[b];
  for (int a = 0; a < count; ++a)
    column[a] = r->unit[rows[a]] * nsds_refine_entry(p, rows[a], j) * r->length[j];
  for (int k = 0; k < p->n; ++k) {
    if (r->kind[k] != NSDS_ROW_SLIPS || r->normal[k] != b) continue;
    for (int a = 0; a < count; ++a)
      column[a] += r->unit[rows[a]] * nsds_refine_entry(p, rows[a], k) * r->direction[k];
  }
}

/* Tells if no equality nearly follows from others. Near the dead point of a linkage forces of joints are
 * large beside a small change of the contacts' forces. Redundant joints share forces with contacts. */
static bool is_firm(const nsds_refiner_held *h) {
  static const double small = 1e-5;
  double first = fabs(h->factors[0]);
  for (int k = 0; k < h->n; ++k)
    if (fabs(h->factors[k + (ptrdiff_t)k * h->n]) < small * first) return false;
  return true;
}

/* Eliminates the equalities: E_cc - E_ch E_hh^-1 E_hc. Returns false if they are not firm. */
static bool hold_equalities(nsds_refiner *r, const nsds_problem *p) {
  nsds_refiner_held *h = &r->held;
  int m = r->closed;
  h->map = h->factors + (ptrdiff_t)h->n * h->n;
  for (int b = 0; b < h->n; ++b)
    for (int a = 0; a < h->n; ++a)
      h->factors[a + (ptrdiff_t)b * h->n] =
          r->unit[h->row[a]] * nsds_refine_entry(p, h->row[a], h->row[b]);
  nsds_orthogonal_factor(h->n, h->factors, nsds_dependent, h->pivot, h->tau);
  if (!is_firm(h)) return false;
  for (int b = 0; b < m; ++b) {
    double *x = h->map + (ptrdiff_t)b * h->n, *column = r->E + (ptrdiff_t)b * m;
    form_column(r, p, h->n, h->row, b, x);
    nsds_orthogonal_solve(h->n, h->factors, h->n, h->pivot, h->tau, x);
    for (int k = 0; k < h->n; ++k)
      for (int a = 0; a < m; ++a)
        column[a] -= r->unit[r->row[a]] * nsds_refine_entry(p, r->row[a], h->row[k]) * x[k];
  }
  return true;
}

/* Computes E, with its rows in units. Returns false if equalities cannot be eliminated. */
static bool form_e(nsds_refiner *r, const nsds_problem *p) {
  for (int b = 0; b < r->closed; ++b)
    form_column(r, p, r->closed, r->row, b, r->E + (ptrdiff_t)b * r->closed);
  return r->held.n == 0 || hold_equalities(r, p);
}

/* Computes g = E z minus the present w in units, and z of the equalities beside z = 0. */
static void form_g(nsds_refiner *r, const nsds_problem *p, const double *z, const double *w) {
  nsds_refiner_held *h = &r->held;
  int m = r->closed;
  for (int a = 0; a < m; ++a) r->g[a] = -r->unit[r->row[a]] * w[r->row[a]];
  for (int b = 0; b < m; ++b)
    for (int a = 0; a < m; ++a)
      r->g[a] += r->E[a + (ptrdiff_t)b * m] * (z[r->row[b]] / r->length[r->row[b]]);
  if (h->n == 0) return;
  for (int k = 0; k < h->n; ++k) h->x[k] = r->unit[h->row[k]] * w[h->row[k]];
  nsds_orthogonal_solve(h->n, h->factors, h->n, h->pivot, h->tau, h->x);
  for (int k = 0; k < h->n; ++k)
    for (int a = 0; a < m; ++a)
      r->g[a] += r->unit[r->row[a]] * nsds_refine_entry(p, r->row[a], h->row[k]) * h->x[k];
  for (int k = 0; k < h->n; ++k) h->start[k] = z[h->row[k]] - h->x[k];
}

/* Computes x = pinv(B) x and overwrites B. */
static void solve_least(nsds_refiner *r, double *x) {
  int rank = nsds_orthogonal_factor(r->closed, r->B, nsds_dependent, r->pivot, r->tau);
  nsds_orthogonal_solve(r->closed, r->B, rank, r->pivot, r->tau, x);
}

static double length_of_part(const nsds_part *part, const double *x) {
  const double *t = x + part->first;
  return part->count == 2 ? hypot(t[0], t[1]) : fabs(t[0]);
}

/* Adds to S the square root of the derivative across a direction in one part: z_T = limit x_T /
 * |x_T|. */
static void add_across(const nsds_part *part, int m, const double *x, double length, double limit,
                       double *S) {
  const double *t = x + part->first;
  double across = sqrt(limit / length), turned[2] = {-t[1] / length, t[0] / length};
  for (int j = 0; j < 2; ++j)
    for (int i = 0; i < 2; ++i)
      S[part->first + i + (part->first + j) * m] += across * turned[i] * turned[j];
}

/* Projects x on the cone |z_T| <= mu z_N of each part. Writes S, with S S the derivative: parts that
 * are too long move along a ray with z_N, and across their directions. */
static void refine_project_cone(const nsds_refiner_set *set, const double *x, double *z,
                                double *S) {
  int m = set->size;
  double length[2] = {0.0}, ray[5] = {1.0}, square = 1.0;
  for (int k = 0; k < m * m; ++k) S[k] = 0.0;
  for (int k = 0; k < m; ++k) z[k] = 0.0;
  for (int k = 0; k < set->parts; ++k) length[k] = length_of_part(&set->part[k], x);
  double normal = nsds_nearest_normal(set->parts, set->part, length, x[0]);
  bool apex = x[0] == 0.0 && length[0] == 0.0 && length[1] == 0.0; /* searches start there */
  if (normal <= 0.0 && !apex) return;
  z[0] = normal;
  for (int k = 0; k < set->parts; ++k) {
    const nsds_part *part = &set->part[k];
    bool outside = length[k] > part->slope * normal;
    for (int i = part->first; i < part->first + part->count; ++i) {
      ray[i] = outside ? part->slope * x[i] / length[k] : 0.0;
      z[i] = outside ? normal * ray[i] : x[i];
      if (!outside) S[i + i * m] = 1.0;
    }
    if (!outside) continue;
    square += part->slope * part->slope;
    if (part->count == 2) add_across(part, m, x, length[k], part->slope * normal, S);
  }
  for (int j = 0; j < m; ++j)
    for (int i = 0; i < m; ++i) S[i + j * m] += ray[i] * ray[j] / square;
}

static const nsds_block *block_at(const nsds_problem *p, int i, int *first) {
  int a = 0;
  for (*first = 0; *first + p->block[a].size <= i; *first += p->block[a++].size) {
  }
  return &p->block[a];
}

nsds_refiner_set nsds_refiner_set_at(const nsds_refiner *r, const nsds_problem *p, int b) {
  nsds_refiner_set set = {.size = 1};
  nsds_part part[2];
  int first;
  if (r->kind[r->row[b]] != NSDS_ROW_STICKS) return set;
  int count = nsds_set_parts(block_at(p, r->row[b], &first), part);
  for (int k = 0; k < count; ++k) {
    if (r->kind[first + part[k].first] != NSDS_ROW_STICKS) continue;
    set.part[set.parts] = part[k];
    set.part[set.parts].slope /= r->length[first + part[k].first];
    set.part[set.parts++].first = set.size;
    set.size += part[k].count;
  }
  return set;
}

void nsds_refiner_bounds(const nsds_refiner *r, const nsds_problem *p, int b, double *lower,
                         double *upper) {
  int first, i = r->row[b];
  const nsds_block *block = block_at(p, i, &first);
  bounds_of(block, i - first, lower, upper);
}

/* Computes z = P_K(x) of the closed rows, and S in `root`, nine places for each set. */
static void refine_project(nsds_refiner *r, const nsds_problem *p, double *z) {
  nsds_refiner_set set;
  for (int b = 0; b < r->closed; b += set.size) {
    double *S = r->root + 9 * (ptrdiff_t)b;
    set = nsds_refiner_set_at(r, p, b);
    if (set.size > 1) refine_project_cone(&set, r->x + b, z + b, S);
    else {
      bool in = r->kind[r->row[b]] == NSDS_ROW_FREE || r->x[b] >= 0.0;
      z[b] = in ? r->x[b] : 0.0;
      *S = in;
    }
  }
}

/* Computes B = E S, or its transpose. */
static void form_b(nsds_refiner *r, const nsds_problem *p, bool transposed) {
  int m = r->closed;
  for (int b = 0, size; b < m; b += size) {
    const double *S = r->root + 9 * (ptrdiff_t)b;
    size = nsds_refiner_set_at(r, p, b).size;
    for (int j = 0; j < size; ++j)
      for (int i = 0; i < m; ++i) {
        double sum = 0.0;
        for (int k = 0; k < size; ++k)
          sum += r->E[i + (ptrdiff_t)(b + k) * m] * S[size > 1 ? k + j * size : 0];
        r->B[transposed ? b + j + (ptrdiff_t)i * m : i + (ptrdiff_t)(b + j) * m] = sum;
      }
  }
}

/* Computes x = E^T y, z = P_K(x), rest = g - E z; returns the squared length of `rest`. */
static double refine_evaluate(nsds_refiner *r, const nsds_problem *p, const double *y, double *z) {
  int m = r->closed;
  double square = 0.0;
  for (int b = 0; b < m; ++b) {
    r->x[b] = 0.0;
    for (int a = 0; a < m; ++a) r->x[b] += r->E[a + (ptrdiff_t)b * m] * y[a];
  }
  refine_project(r, p, z);
  for (int a = 0; a < m; ++a) {
    r->rest[a] = r->g[a];
    for (int b = 0; b < m; ++b) r->rest[a] -= r->E[a + (ptrdiff_t)b * m] * z[b];
    square += r->rest[a] * r->rest[a];
  }
  return square;
}

/* Finds the least z of the closed rows, in r->z; false if Newton's method fails. */
static bool find_least(nsds_refiner *r, const nsds_problem *p) {
  enum { most = 30, halvings = 20 };
  size_t m = (size_t)r->closed;
  double *y = r->y, *tried = r->step, terms = 0.0;
  for (size_t a = 0; a < m; ++a) terms += r->g[a] * r->g[a];
  nsds_zero_doubles(y, m);
  double square = refine_evaluate(r, p, y, r->z);
  for (int pass = 0; pass < most && square > 1e-31 * terms; ++pass) {
    double *way = r->kept + p->n; /* after the kept z */
    nsds_copy_doubles(way, r->rest, m);
    form_b(r, p, false);
    solve_least(r, way);
    form_b(r, p, true);
    solve_least(r, way);
    double next = INFINITY, length = 1.0;
    for (int k = 0; k < halvings && !(next < square); ++k, length *= 0.5) {
      for (size_t a = 0; a < m; ++a) tried[a] = y[a] + length * way[a];
      next = refine_evaluate(r, p, tried, r->z);
    }
    if (!(next < square)) break;
    nsds_copy_doubles(y, tried, m);
    square = next;
  }
  square = refine_evaluate(r, p, y, r->z);
  return square <= 1e-24 * terms;
}

void nsds_refiner_spread(const nsds_refiner *r, const nsds_problem *p, double *z) {
  const nsds_refiner_held *h = &r->held;
  for (int k = 0; k < h->n; ++k) {
    double *own = z + h->row[k];
    *own = h->start[k];
    for (int b = 0; b < r->closed; ++b) {
      int i = r->row[b];
      *own -= h->map[k + (ptrdiff_t)b * h->n] * (r->z[b] - r->kept[i] / r->length[i]);
    }
  }
  for (int b = 0; b < r->closed; ++b) z[r->row[b]] = r->z[b] * r->length[r->row[b]];
  for (int k = 0; k < p->n; ++k)
    if (r->kind[k] == NSDS_ROW_SLIPS) z[k] = r->direction[k] * r->z[r->normal[k]];
}

void nsds_refiner_correct(nsds_refiner *r) {
  const nsds_refiner_found *found = &r->found;
  int m = r->closed;
  for (int a = 0; a < m; ++a) {
    r->rest[a] = r->g[a];
    for (int b = 0; b < m; ++b) r->rest[a] -= r->E[a + (ptrdiff_t)b * m] * r->z[b];
  }
  nsds_orthogonal_solve(m, found->factors, found->rank, found->pivot, found->tau, r->rest);
  for (int b = 0; b < m; ++b) r->z[b] += r->rest[b];
}

/* Returns true if the closed rows that are not spare keep all the others at w = 0. */
static bool keep_spare(nsds_refiner *r, const bool *spare) {
  size_t m = (size_t)r->closed;
  nsds_copy_doubles(r->B, r->E, m * m);
  for (size_t b = 0; b < m; ++b)
    if (spare[r->row[b]]) nsds_zero_doubles(r->B + b * m, m);
  return nsds_orthogonal_factor(r->closed, r->B, nsds_dependent, r->pivot, r->tau) >= r->found.rank;
}

/* Marks the rows that would pull without their bound. If forces come to zero together, rounding makes
 * several of them pull. If no others keep these at w = 0, they are on the edge, and not spare. */
static void list_spare(nsds_refiner *r, bool *spare) {
  bool any = false;
  for (int b = 0; b < r->closed; ++b) {
    spare[r->row[b]] = r->kind[r->row[b]] == NSDS_ROW_PUSHES && r->x[b] < 0.0;
    any = any || spare[r->row[b]];
  }
  if (!any || keep_spare(r, spare)) return;
  for (int b = 0; b < r->closed; ++b) spare[r->row[b]] = false;
}

/* Solves by the factors of E, without bounds; false if the result is not in K. */
static bool find_unbounded(nsds_refiner *r, const nsds_problem *p) {
  const nsds_refiner_found *found = &r->found;
  size_t m = (size_t)r->closed;
  nsds_copy_doubles(r->x, r->g, m);
  nsds_orthogonal_solve(r->closed, found->factors, found->rank, found->pivot, found->tau, r->x);
  refine_project(r, p, r->z);
  bool in = true;
  for (size_t b = 0; in && b < m; ++b) in = r->z[b] == r->x[b];
  return in;
}

/* Returns true if z differs from the kept z by more than rounding. */
static bool differs(const nsds_refiner *r, const double *z, int n) {
  double most = 0.0, change = 0.0;
  for (int i = 0; i < n; ++i) {
    nsds_raise(&most, fabs(z[i]));
    nsds_raise(&change, fabs(z[i] - r->kept[i]));
  }
  return change > 1e-13 * most;
}

static bool any_slips(const nsds_refiner *r, int n) {
  return memchr(r->kind, NSDS_ROW_SLIPS, (size_t)n) != NULL;
}

bool nsds_refiner_factor(nsds_refiner *r, const nsds_problem *p, const double *z, const double *w) {
  nsds_refiner_held *h = &r->held;
  r->closed = h->n = 0;
  nsds_found_take(r, p);
  bool definite = nsds_found_is_definite(r, p);
  if ((definite && !r->found.friction) || !nsds_found_is_treated(r, p)) return false;
  find_closed(r, p, z, w, true);
  if (r->closed + h->n < 2 || (definite && !any_slips(r, p->n))) return false;
  bool known = nsds_found_is_known(r, p->n);
  if (!known) h->loose = false;
  if (known ? h->loose : !form_e(r, p)) {
    h->loose = true;
    find_closed(r, p, z, w, false);
    if (!known) form_e(r, p);
  }
  if (!known) nsds_found_seek(r, p->n);
  bool dependent = r->found.rank < r->closed;
  if (dependent) form_g(r, p, z, w);
  return dependent;
}

double nsds_refiner_certify(nsds_refiner *r, const nsds_problem *problem, const double *z,
                            double *w) {
  enum { few = 8 };
  double residual = refine_certify(r, problem, z, w), largest = 0.0;
  if (residual <= 4e-15) return residual;
  nsds_problem known = *problem;
  nsds_certificate certificate;
  double *error = r->root; /* free by now */
  for (int i = 0; i < problem->n; ++i) {
    error[i] = fabs(problem->q[i]);
    for (int j = 0; j < problem->n; ++j) error[i] += fabs(nsds_refine_entry(problem, i, j) * z[j]);
    nsds_raise(&largest, r->unit[i] * error[i]);
  }
  for (int i = 0; i < problem->n; ++i) {
    double most = few * 0x1p-50 * largest / r->unit[i];
    error[i] = error[i] <= most ? most : 0.0;
  }
  known.q_error = error;
  nsds_certify(&known, z, r->work, &certificate);
  return certificate.residual;
}

/* The least solution has the directions of slip that z had. Errors of these directions that a looser
 * first bound lets pass grow from step to step, up to that bound. */
bool nsds_refiner_accept(nsds_refiner *r, const nsds_problem *problem, double *z, double *w,
                         double most) {
  bool other = differs(r, z, problem->n);
  if (other && nsds_refiner_certify(r, problem, z, w) <= fmax(4e-15, most)) return true;
  if (other && refine_polish(r, problem, z, w) <= fmax(1e-12, most)) return true;
  if (other && nsds_refiner_certify(r, problem, z, w) <= fmax(1e-12, most)) return true;
  nsds_copy_doubles(z, r->kept, (size_t)problem->n);
  if (other) refine_certify(r, problem, z, w);
  return false;
}

bool nsds_refine_least(nsds_refiner *r, const nsds_problem *problem, double *z, double *w,
                       bool *spare) {
  size_t n = (size_t)problem->n;
  for (size_t i = 0; spare && i < n; ++i) spare[i] = false;
  r->least = true;
  r->closed = 0;
  if (n == 1) return false;
  if (!nsds_refiner_factor(r, problem, z, w)) return false;
  nsds_copy_doubles(r->kept, z, n);
  r->least = find_unbounded(r, problem) || find_least(r, problem);
  if (!r->least) return true;
  nsds_refiner_spread(r, problem, z);
  if (spare) list_spare(r, spare);
  bool other = differs(r, z, problem->n);
  r->least = nsds_refiner_accept(r, problem, z, w, 0.0) || !other;
  return true;
}
