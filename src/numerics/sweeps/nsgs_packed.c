/*
 * Contacts with friction between rigid bodies, packed: all that a sweep reads of a contact lies in
 * one place, in the order in which it is read, and its twelve velocities are four vectors. Where
 * the gains of all bodies are diagonal (balls), M = (H A^(1/2)) (H A^(1/2))^T, and one factor is
 * read in place of two.
 */
#include "nsgs.h"
#include "sets.h"

#include <float.h>

#if defined(__GNUC__)
enum { velocities = 6, width = 2 * velocities };

typedef double nsds_two __attribute__((vector_size(16), aligned(8), may_alias));
#define FOUR(x) (*(nsds_four *)(x))
#define TWO(x) (*(nsds_two *)(x))

/* Where velocity c of body k stands in a row of a pack. */
static int place(int k, int c) { return c < 4 ? 4 * k + c : 4 + 2 * k + c; }

/* ---- packing ---- */

static bool fits(const nsds_sweeps *s, const nsds_unit *unit) {
  const nsds_factored *f = s->factored;
  int b = unit->owner, first = f->first_edge[b], count = f->first_edge[b + 1] - first;
  if (unit->block.set != NSDS_SET_COULOMB || unit->block.size != 3 || count < 1 || count > 2)
    return false;
  if (f->row[b + 1] - f->row[b] != 3 || (f->D && f->D[b])) return false;
  for (int k = first; k < first + count; ++k)
    if (f->edge[k].size != velocities) return false;
  return count == 1 || f->edge[first].column != f->edge[first + 1].column;
}

/* A of Y = A H^T, column by column from the largest entry of H, and whether there is one. */
static bool find_diagonal(const nsds_factored *f, double *gain, double *largest) {
  const nsds_edge *end = f->edge + f->first_edge[f->nrow_block];
  for (int c = 0; c < f->ncolumn; ++c) gain[c] = largest[c] = 0.0;
  for (const nsds_edge *e = f->edge + f->first_edge[0]; e < end; ++e)
    for (int c = 0; c < velocities; ++c)
      for (int i = 0; i < 3; ++i) {
        double h = e->H[i + 3 * c];
        if (!(fabs(h) > largest[e->column + c])) continue;
        largest[e->column + c] = fabs(h);
        gain[e->column + c] = e->Y[c + velocities * i] / h;
      }
  for (const nsds_edge *e = f->edge + f->first_edge[0]; e < end; ++e)
    for (int c = 0; c < velocities; ++c)
      for (int i = 0; i < 3; ++i) {
        double a = gain[e->column + c], y = a * e->H[i + 3 * c];
        if (!(a >= 0.0 && fabs(e->Y[c + velocities * i] - y) <= 8 * DBL_EPSILON * fabs(y)))
          return false;
      }
  return true;
}

static void fill(nsds_sweeps *s, const nsds_unit *unit) {
  const nsds_factored *f = s->factored;
  nsds_pack *pack = &s->pack[unit->pack];
  double *Y = s->scaled ? NULL : s->pack_Y + (size_t)unit->pack * 3 * width;
  int first = f->first_edge[unit->owner], count = f->first_edge[unit->owner + 1] - first;
  *pack = (nsds_pack){.column = {0, f->ncolumn}, .mu = unit->block.mu};
  for (int k = 0; Y && k < 3 * width; ++k) Y[k] = 0.0;
  for (int k = 0; k < count; ++k) {
    const nsds_edge *e = &f->edge[first + k];
    pack->column[k] = e->column;
    for (int c = 0; c < velocities; ++c)
      for (int i = 0; i < 3; ++i) {
        double root = s->scaled ? s->root[e->column + c] : 1.0;
        pack->H[width * i + place(k, c)] = root * e->H[i + 3 * c];
        if (Y) Y[width * i + place(k, c)] = e->Y[c + velocities * i];
      }
  }
}

/* Memory for all contacts with friction, packed or not, so that steps allocate nothing. */
static nsds_status make_room(nsds_sweeps *s, nsds_context *context) {
  size_t most = 0;
  nsds_status status;
  for (int a = 0; a < s->nunit; ++a)
    most += s->unit[a].block.set == NSDS_SET_COULOMB && s->unit[a].block.size == 3;
  if (most == 0) return NSDS_OK;
  if ((status = NSDS_ENSURE(context, s->pack, s->pack_capacity, most)) ||
      (status = NSDS_ENSURE(context, s->pack_Y, s->pack_Y_capacity, 3 * width * most)))
    return status;
  return NSDS_ENSURE(context, s->root, s->root_capacity, 2 * (size_t)s->factored->ncolumn);
}

nsds_status nsds_sweeps_pack(nsds_sweeps *s, nsds_context *context) {
  const nsds_factored *f = s->factored;
  s->npack = 0;
  s->scaled = false;
  for (int a = 0; a < s->nunit; ++a) s->unit[a].pack = f && fits(s, &s->unit[a]) ? s->npack++ : -1;
  nsds_status status = f ? make_room(s, context) : NSDS_OK;
  if (status || s->npack == 0) return status;
  s->ny = f->ncolumn + velocities;
  s->scaled = s->npack == f->nrow_block && find_diagonal(f, s->root, s->root + f->ncolumn);
  for (int c = 0; s->scaled && c < f->ncolumn; ++c) s->root[c] = sqrt(s->root[c]);
  for (int a = 0; a < s->nunit; ++a)
    if (s->unit[a].pack >= 0) fill(s, &s->unit[a]);
  return NSDS_OK;
}

/* ---- sweeps ---- */

/* By its address: how vectors are handed over depends on the processor. */
static inline double sum_of(const nsds_four *x) {
  return ((*x)[0] + (*x)[2]) + ((*x)[1] + (*x)[3]);
}

/* q + H y - M z, M the unit's own part. */
static inline void rest_of(const nsds_sweeps *s, const nsds_unit *unit, const double *z,
                           const double *y, double *rest) {
  const nsds_pack *pack = &s->pack[unit->pack];
  const double *i = y + pack->column[0], *j = y + pack->column[1], *H = pack->H;
  const double *q = s->problem->q + unit->row, *M = unit->local.contact.M;
  nsds_four vi = FOUR(i), vj = FOUR(j), v = {i[4], i[5], j[4], j[5]};
  for (int r = 0; r < 3; ++r, H += width) {
    double own = M[r] * z[0] + M[r + 3] * z[1] + M[r + 6] * z[2];
    nsds_four terms = FOUR(H) * vi + FOUR(H + 4) * vj + FOUR(H + 8) * v;
    rest[r] = q[r] - own + sum_of(&terms);
  }
}

/* y += Y change */
static inline void add_to(const nsds_sweeps *s, const nsds_unit *unit, const double *change,
                          double *y) {
  const nsds_pack *pack = &s->pack[unit->pack];
  const double *Y = s->scaled ? pack->H : s->pack_Y + (size_t)unit->pack * 3 * width;
  double *i = y + pack->column[0], *j = y + pack->column[1];
  double a = change[0], b = change[1], c = change[2];
  nsds_four rest = FOUR(Y + 8) * a + FOUR(Y + 8 + width) * b + FOUR(Y + 8 + 2 * width) * c;
  FOUR(i) += FOUR(Y) * a + FOUR(Y + width) * b + FOUR(Y + 2 * width) * c;
  FOUR(j) += FOUR(Y + 4) * a + FOUR(Y + 4 + width) * b + FOUR(Y + 4 + 2 * width) * c;
  TWO(i + 4) += (nsds_two){rest[0], rest[1]};
  TWO(j + 4) += (nsds_two){rest[2], rest[3]};
}

NSDS_CLONES void nsds_sweeps_rest_pack(const nsds_sweeps *s, int a, const double *z,
                                       const double *y, double *rest) {
  rest_of(s, &s->unit[a], z, y, rest);
}

NSDS_CLONES void nsds_sweeps_add_pack(const nsds_sweeps *s, int a, const double *change,
                                      double *y) {
  add_to(s, &s->unit[a], change, y);
}

static inline void relax(const nsds_block *block, double omega, const double *z, double *x) {
  for (int i = 0; i < 3; ++i) x[i] = z[i] + omega * (x[i] - z[i]);
  if (!nsds_in_cone(block->mu, x)) nsds_set_project(block, x, x);
}

NSDS_CLONES double nsds_sweeps_update_pack(const nsds_sweeps *s, int a, nsds_local_kind kind,
                                           double omega, double *z, double *y) {
  const nsds_unit *unit = &s->unit[a];
  double q[3], x[3];
  z += unit->row;
  rest_of(s, unit, z, y, q);
  if (q[0] >= 0.0 && z[0] == 0.0 && kind == NSDS_LOCAL_EXACT) return 0.0; /* open, and stays so */
  for (int i = 0; i < 3; ++i) x[i] = z[i];
  nsds_local_solve(&unit->local, kind, q, x);
  if (omega != 1.0) relax(&unit->block, omega, z, x);
  for (int i = 0; i < 3; ++i) {
    double change = x[i] - z[i];
    z[i] = x[i];
    x[i] = change;
  }
  double size = x[0] * x[0] + x[1] * x[1] + x[2] * x[2];
  if (size != 0.0) add_to(s, unit, x, y);
  return size;
}

#else
nsds_status nsds_sweeps_pack(nsds_sweeps *s, nsds_context *context) {
  (void)context;
  s->npack = 0;
  for (int a = 0; a < s->nunit; ++a) s->unit[a].pack = -1;
  return NSDS_OK;
}

void nsds_sweeps_rest_pack(const nsds_sweeps *s, int a, const double *z, const double *y,
                           double *rest) {
  (void)s, (void)a, (void)z, (void)y, (void)rest;
}

void nsds_sweeps_add_pack(const nsds_sweeps *s, int a, const double *change, double *y) {
  (void)s, (void)a, (void)change, (void)y;
}

double nsds_sweeps_update_pack(const nsds_sweeps *s, int a, nsds_local_kind kind, double omega,
                               double *z, double *y) {
  (void)s, (void)a, (void)kind, (void)omega, (void)z, (void)y;
  return 0.0;
}
#endif
