/*
 * Contacts with friction between rigid bodies, four at a time. The four come from four bunches of a
 * color, so that they share no body. Each has a lane of its own. As in packs (nsgs_packed.c) H
 * A^(1/2) serves for both H and Y, and velocities stand for A^(-1/2) times themselves; with M = L D
 * L^T a lane is
 *
 *     open    q_N >= 0,                                         else
 *     stuck   M z = -q, where z lies in the cone,                else
 *     sliding by Newton's method for the angle (one_contact.c), e turned by the rational rotation
 *             ((1 - t^2) e + 2 t e') / (1 + t^2), t half of the step;
 *
 * All other cases, and other kinds of local problems, are solved lane by lane. Lanes that are not
 * taken repeat the first one, and are not written back.
 */
#include "numerics/sweeps/nsgs_wide.h"

#include "base/base.h"
#include "numerics/sweeps/local_solver.h"
#include "numerics/sweeps/sweeps.h"
#include "numerics/sweeps/nsgs_contact.h"

#include <float.h>
#include <stddef.h>

#if defined(__GNUC__)
enum { velocities = 6, lanes = nsds_lanes, width = 2 * velocities };

typedef double nsds_two __attribute__((vector_size(16), aligned(8), may_alias));
typedef long long nsds_mask __attribute__((vector_size(32), aligned(8), may_alias));
typedef long long nsds_half __attribute__((vector_size(16), aligned(8), may_alias));
#define FOUR(x) (*(nsds_four *)(x))
#define TWO(x) (*(nsds_two *)(x))

#if defined(__clang__)
#define SHUFFLE(a, b, i, j, k, l) __builtin_shufflevector(a, b, i, j, k, l)
#else
#define SHUFFLE(a, b, i, j, k, l) __builtin_shuffle(a, b, (nsds_mask){i, j, k, l})
#endif
/* Lanes of a if the mask is set, else of b. */
#define PICK(mask, a, b) ((nsds_four)(((mask) & (nsds_mask)(a)) | (~(mask) & (nsds_mask)(b))))

/* ---- filling ---- */

static double nsgs_wide_pivot(double d, double diagonal) {
  return d > 4 * DBL_EPSILON * diagonal ? d : 0.0; /* else rounding */
}

static double quotient(double a, double d) { return d > 0.0 ? a / d : 0.0; }

void nsds_wide_factorise(nsds_quad *quad, int lane, const double *M) {
  double d0 = M[0], l0 = quotient(M[1], d0), l1 = quotient(M[2], d0);
  double d1 = nsgs_wide_pivot(M[4] - l0 * M[1], M[4]), l2 = quotient(M[5] - l1 * M[1], d1);
  const double L[] = {l0, l1, l2},
               D[] = {d0, d1, nsgs_wide_pivot(M[8] - l1 * M[2] - l2 * l2 * d1, M[8])};
  for (int k = 0; k < 3; ++k) {
    quad->L[k][lane] = L[k];
    quad->D[k][lane] = D[k];
  }
}

void nsds_wide_matrix(const nsds_quad *quad, int lane, double *M) {
  double d0 = quad->D[0][lane], d1 = quad->D[1][lane], l0 = quad->L[0][lane], l1 = quad->L[1][lane],
         l2 = quad->L[2][lane];
  M[0] = d0;
  M[1] = M[3] = l0 * d0;
  M[2] = M[6] = l1 * d0;
  M[4] = l0 * M[1] + d1;
  M[5] = M[7] = l1 * M[1] + l2 * d1;
  M[8] = l1 * M[2] + l2 * l2 * d1 + quad->D[2][lane];
}

void nsds_wide_fill(const nsds_sweeps *s, int b, nsds_quad *quad, int lane, const double *M) {
  const nsds_factored *f = s->factored;
  int first = f->first_edge[b], count = f->first_edge[b + 1] - first;
  nsds_wide_factorise(quad, lane, M);
  for (int k = 0; k < 2; ++k) {
    const nsds_edge *e = &f->edge[first + (k < count ? k : 0)];
    quad->column[k][lane] = e->column;
    for (int c = 0; c < velocities; ++c)
      for (int i = 0; i < 3; ++i)
        quad->H[width * i + velocities * k + c][lane] =
            k < count ? s->root[e->column + c] * e->H[i + 3 * c] : 0.0;
  }
}

void nsds_wide_repeat(nsds_quad *quad) {
  enum { rows = offsetof(nsds_quad, column) / sizeof quad->mu }; /* H, L, D and mu */
  double *values = quad->H[0];
  for (int l = quad->count; l < lanes; ++l) {
    for (int k = 0; k < rows; ++k) values[lanes * k + l] = values[lanes * k];
    for (int k = 0; k < 2; ++k) quad->column[k][l] = quad->column[k][0];
    quad->row[l] = quad->row[0];
  }
}

/* ---- memory and lanes ---- */

NSDS_INLINE bool nsgs_wide_any(const nsds_mask *m) {
  nsds_half a = {(*m)[0], (*m)[1]}, b = {(*m)[2], (*m)[3]};
  a |= b;
  return (a[0] | a[1]) != 0;
}

NSDS_INLINE void transpose(nsds_four *x) {
  nsds_four a = SHUFFLE(x[0], x[1], 0, 4, 2, 6), b = SHUFFLE(x[0], x[1], 1, 5, 3, 7);
  nsds_four c = SHUFFLE(x[2], x[3], 0, 4, 2, 6), d = SHUFFLE(x[2], x[3], 1, 5, 3, 7);
  x[0] = SHUFFLE(a, c, 0, 1, 4, 5);
  x[1] = SHUFFLE(b, d, 0, 1, 4, 5);
  x[2] = SHUFFLE(a, c, 2, 3, 6, 7);
  x[3] = SHUFFLE(b, d, 2, 3, 6, 7);
}

NSDS_INLINE void load_velocities(const int *column, double *y, nsds_four *v) {
  double *a = y + column[0], *b = y + column[1], *c = y + column[2], *d = y + column[3];
  v[0] = FOUR(a), v[1] = FOUR(b), v[2] = FOUR(c), v[3] = FOUR(d);
  transpose(v);
  v[4] = (nsds_four){a[4], b[4], c[4], d[4]};
  v[5] = (nsds_four){a[5], b[5], c[5], d[5]};
}

NSDS_INLINE void store_velocities(const int *column, int count, double *y, nsds_four *v) {
  transpose(v);
  for (int l = 0; l < count; ++l) {
    FOUR(y + column[l]) = v[l];
    TWO(y + column[l] + 4) = (nsds_two){v[4][l], v[5][l]};
  }
}

NSDS_INLINE void load_three(const int *row, const double *x, nsds_four *v) {
  const double *a = x + row[0], *b = x + row[1], *c = x + row[2], *d = x + row[3];
  for (int i = 0; i < 3; ++i) v[i] = (nsds_four){a[i], b[i], c[i], d[i]};
}

/* ---- the local problem ---- */

/* q + H v - M z */
NSDS_INLINE void nsgs_wide_rest_of(const nsds_quad *quad, const nsds_four *v, const nsds_four *z,
                                   nsds_four *q) {
  const nsds_four *H = (const nsds_four *)quad->H, *L = (const nsds_four *)quad->L,
                  *D = (const nsds_four *)quad->D;
  nsds_four s0 = D[0] * (z[0] + L[0] * z[1] + L[1] * z[2]), s1 = D[1] * (z[1] + L[2] * z[2]);
  q[0] -= s0;
  q[1] -= L[0] * s0 + s1;
  q[2] -= L[1] * s0 + L[2] * s1 + D[2] * z[2];
  for (int r = 0; r < 3; ++r, H += width) {
    nsds_four a = H[0] * v[0] + H[1] * v[1] + H[2] * v[2];
    nsds_four b = H[3] * v[3] + H[4] * v[4] + H[5] * v[5];
    nsds_four c = H[6] * v[6] + H[7] * v[7] + H[8] * v[8];
    nsds_four d = H[9] * v[9] + H[10] * v[10] + H[11] * v[11];
    q[r] += (a + b) + (c + d);
  }
}

/* Solves M x = -q; `met` marks lanes with x in the cone. */
NSDS_INLINE void stick(const nsds_quad *quad, const nsds_four *q, nsds_four *x, nsds_mask *met) {
  const nsds_four *L = (const nsds_four *)quad->L, *D = (const nsds_four *)quad->D;
  nsds_four i0 = 1.0 / D[0], i1 = 1.0 / D[1], i2 = 1.0 / D[2];
  nsds_four p1 = L[0] * q[0] - q[1], p2 = L[1] * q[0] - q[2] - L[2] * p1;
  x[2] = p2 * i2;
  x[1] = p1 * i1 - L[2] * x[2];
  x[0] = -q[0] * i0 - L[0] * x[1] - L[1] * x[2];
  nsds_four limit = *(const nsds_four *)quad->mu * x[0];
  *met = (x[0] >= 0.0) & (x[1] * x[1] + x[2] * x[2] <= limit * limit);
}

/* The local problem, M symmetric. */
typedef struct sliding {
  nsds_four mu, nn, n1, n2, m11, m12, m22, qn, q1, q2;
} sliding;

/* Unit direction (c, d) of x, or of `other` if x has none. */
NSDS_INLINE void nsgs_wide_direction(const nsds_four *x, const nsds_four *other, nsds_four *c,
                                     nsds_four *d) {
  nsds_four square = x[0] * x[0] + x[1] * x[1];
  nsds_mask usable = (square > 0.0) & (square < INFINITY);
  nsds_four a = PICK(usable, x[0], other[0]), b = PICK(usable, x[1], other[1]);
  square = a * a + b * b;
  usable = (square > 0.0) & (square < INFINITY);
  nsds_four length = {sqrt(square[0]), sqrt(square[1]), sqrt(square[2]), sqrt(square[3])};
  nsds_four one = {1.0, 1.0, 1.0, 1.0}, inverse = 1.0 / length, none = {0.0};
  *c = PICK(usable, a * inverse, one);
  *d = PICK(usable, b * inverse, none);
}

/* Writes F of one_contact.c as a quartic of the tangent of half the angle from (c, d), ascending.
 */
NSDS_INLINE void make_quartic(const sliding *s, const nsds_four *c, const nsds_four *d,
                              nsds_four *p) {
  nsds_four A = s->mu * (s->n1 * s->q2 - s->qn * s->m12),
            B = s->mu * (s->qn * s->m12 - s->n2 * s->q1);
  nsds_four C = s->mu * (s->n2 * s->q2 - s->n1 * s->q1 - s->qn * (s->m22 - s->m11));
  nsds_four D = s->qn * s->n1 - s->nn * s->q1, E = s->nn * s->q2 - s->qn * s->n2;
  nsds_four mean = 0.5 * (A + B), half = 0.5 * (A - B);
  nsds_four cos2 = *c * *c - *d * *d, sin2 = 2.0 * *c * *d;
  nsds_four turned = half * cos2 + 0.5 * C * sin2; /* the same from (c, d) */
  C = C * cos2 - 2.0 * half * sin2;
  A = mean + turned;
  B = mean - turned;
  turned = E * *c + D * *d;
  D = D * *c - E * *d;
  p[0] = A + turned;
  p[1] = 2.0 * (D + C);
  p[2] = 4.0 * B - 2.0 * A;
  p[3] = 2.0 * (D - C);
  p[4] = A - turned;
}

/* Finds the root of p near zero by Halley's method, in lanes of the mask. The mask keeps lanes with
 * a root. */
NSDS_INLINE void find_root(const nsds_four *p, nsds_mask *which, nsds_four *root) {
  const double far = 0.25 * 0.25, near = 1.6e-11; /* squares of steps; the next step is the cube */
  nsds_mask todo = *which, found = {0};
  nsds_four t = {0.0};
  for (int k = 0; k < 6; ++k) {
    nsds_four f = p[0] + t * (p[1] + t * (p[2] + t * (p[3] + t * p[4])));
    nsds_four slope = p[1] + t * (2.0 * p[2] + t * (3.0 * p[3] + t * (4.0 * p[4])));
    nsds_four bend = p[2] + t * (3.0 * p[3] + t * (6.0 * p[4]));
    nsds_four step = f * slope / (slope * slope - f * bend), square = step * step;
    t = PICK(todo, t - step, t);
    /* Newton's step decides: if the slope is zero, Halley's step is too, root or not. */
    nsds_mask last = f * f <= near * (slope * slope);
    found |= todo & last;
    todo &= ~last & (square < far);
    if (!nsgs_wide_any(&todo)) break;
  }
  *root = t;
  *which = found;
}

/* Solves sliding in lanes of the mask, from the direction of z or else of x. The mask keeps the
 * lanes with a solution in x. */
NSDS_INLINE void nsgs_wide_slide(const nsds_quad *quad, nsds_mask *which, const nsds_four *q,
                                 const nsds_four *z, nsds_four *x) {
  const nsds_four *L = (const nsds_four *)quad->L, *D = (const nsds_four *)quad->D;
  sliding s = {.mu = *(const nsds_four *)quad->mu, .qn = q[0], .q1 = q[1], .q2 = q[2]};
  nsds_four low = L[2] * D[1], c, d, p[5], t;
  s.nn = D[0], s.n1 = L[0] * D[0], s.n2 = L[1] * D[0];
  s.m11 = L[0] * s.n1 + D[1], s.m12 = L[1] * s.n1 + low, s.m22 = L[1] * s.n2 + L[2] * low + D[2];
  nsgs_wide_direction(z + 1, x + 1, &c, &d);
  make_quartic(&s, &c, &d, p);
  find_root(p, which, &t);
  nsds_four inverse = 1.0 / (1.0 + t * t), cosine = (1.0 - t * t) * inverse,
            sine = 2.0 * t * inverse;
  nsds_four e1 = c * cosine - d * sine, e2 = d * cosine + c * sine;
  nsds_four normal = -s.qn / (s.nn + s.mu * (s.n1 * e1 + s.n2 * e2)), r = s.mu * normal;
  nsds_four along = normal * (s.n1 * e1 + s.n2 * e2) + s.q1 * e1 + s.q2 * e2 +
                    r * (e1 * (s.m11 * e1 + 2.0 * s.m12 * e2) + s.m22 * e2 * e2);
  *which &= (normal > 0.0) & (normal < INFINITY) & (along <= 0.0);
  x[0] = normal;
  x[1] = r * e1;
  x[2] = r * e2;
}

/* Solves lane by lane. */
static NSDS_NOINLINE void solve_lanes(const nsds_quad *quad, const nsds_mask *which,
                                      nsds_local_kind kind, const nsds_four *q, const nsds_four *z,
                                      nsds_four *x) {
  for (int l = 0; l < lanes; ++l) {
    if (!(*which)[l]) continue;
    double M[9];
    nsds_wide_matrix(quad, l, M);
    double at[] = {z[0][l], z[1][l], z[2][l]}, own[] = {q[0][l], q[1][l], q[2][l]};
    nsds_pack_solve(M, quad->mu[l], kind, own, at);
    for (int i = 0; i < 3; ++i) x[i][l] = at[i];
  }
}

static NSDS_NOINLINE void relax_lanes(const nsds_quad *quad, double omega, const nsds_four *z,
                                      nsds_four *x) {
  for (int l = 0; l < lanes; ++l) {
    double start[] = {z[0][l], z[1][l], z[2][l]}, at[] = {x[0][l], x[1][l], x[2][l]};
    nsds_pack_relax(quad->mu[l], omega, start, at);
    for (int i = 0; i < 3; ++i) x[i][l] = at[i];
  }
}

NSDS_INLINE void nsgs_wide_solve(const nsds_quad *quad, nsds_local_kind kind, const nsds_four *q,
                                 const nsds_four *z, nsds_four *x) {
  nsds_mask open = q[0] >= 0.0, stuck, left;
  stick(quad, q, x, &stuck);
  left = ~(open | stuck);
  if (kind != NSDS_LOCAL_EXACT) {
    open -= open;
    left = ~open;
  } else if (nsgs_wide_any(&left)) {
    nsds_four turned[3] = {x[0], x[1], x[2]};
    nsds_mask slides = left;
    nsgs_wide_slide(quad, &slides, q, z, turned);
    for (int i = 0; i < 3; ++i) x[i] = PICK(slides, turned[i], x[i]);
    left &= ~slides;
  }
  if (nsgs_wide_any(&left)) solve_lanes(quad, &left, kind, q, z, x);
  nsds_four none = {0.0, 0.0, 0.0, 0.0};
  for (int i = 0; i < 3; ++i) x[i] = PICK(open, none, x[i]);
}

/* ---- sweeps ---- */

/* Adds Y change to v, and stores v in y. */
NSDS_INLINE void nsgs_wide_add_to(const nsds_quad *quad, const nsds_four *change, nsds_four *v,
                                  double *y) {
  const nsds_four *H = (const nsds_four *)quad->H;
  for (int c = 0; c < width; ++c)
    v[c] += H[c] * change[0] + H[width + c] * change[1] + H[2 * width + c] * change[2];
  /* the second bodies first: a contact with one body has it in both places */
  store_velocities(quad->column[1], quad->count, y, v + velocities);
  store_velocities(quad->column[0], quad->count, y, v);
}

/* Fetches data of the next quads while this one is solved. */
NSDS_INLINE void prefetch(const nsds_quad *quad, const double *y) {
  for (size_t k = 0; k < sizeof *quad; k += 64) __builtin_prefetch((const char *)(quad + 2) + k);
  for (int k = 0; k < 2; ++k)
    for (int l = 0; l < lanes; ++l) __builtin_prefetch(y + quad[1].column[k][l]);
}

NSDS_CLONES double nsds_wide_update(const nsds_sweeps *s, int begin, int end, nsds_local_kind kind,
                                    double omega, const double *scale, double *z, double *y) {
  double most = 0.0;
  const nsds_quad *quad = s->quad + s->order[begin] / lanes;
  for (int k = begin; k < end; k += quad->count, ++quad) {
    nsds_four v[width], at[3], q[3], x[3], size;
    prefetch(quad, y);
    load_velocities(quad->column[0], y, v);
    load_velocities(quad->column[1], y, v + velocities);
    load_three(quad->row, z, at);
    load_three(quad->row, s->q, q);
    nsgs_wide_rest_of(quad, v, at, q);
    nsgs_wide_solve(quad, kind, q, at, x);
    if (omega != 1.0) relax_lanes(quad, omega, at, x);
    for (int l = 0; l < quad->count; ++l)
      for (int i = 0; i < 3; ++i) z[quad->row[l] + i] = x[i][l];
    for (int i = 0; i < 3; ++i) x[i] -= at[i];
    size = x[0] * x[0] + x[1] * x[1] + x[2] * x[2];
    nsds_mask moved = size != 0.0;
    if (!nsgs_wide_any(&moved)) continue;
    nsgs_wide_add_to(quad, x, v, y);
    for (int l = 0; l < quad->count; ++l) {
      double square = size[l] * (scale[k + l] * scale[k + l]);
      if (!(square <= most) && !isnan(most)) most = square;
    }
  }
  return most;
}

NSDS_CLONES void nsds_wide_change(const nsds_sweeps *s, int k, const double *change, double *y) {
  const nsds_quad *quad = s->quad + k / lanes;
  int l = k % lanes;
  for (int body = 1; body >= 0; --body)
    for (int c = 0; c < velocities; ++c) {
      const double(*H)[lanes] = quad->H + velocities * body + c;
      y[quad->column[body][l] + c] +=
          H[0][l] * change[0] + H[width][l] * change[1] + H[2 * width][l] * change[2];
    }
}
#endif
