/*
 * Contacts with friction between rigid bodies, packed. All that a sweep reads of a contact lies in
 * one place, in the order of reading. The twelve velocities are four vectors. If the gains of all
 * bodies are diagonal (balls), M = (H A^(1/2)) (H A^(1/2))^T, and one factor is read in place of
 * two.
 */
#include "numerics/sweeps/nsgs_packed.h"

#include "base/base.h"
#include "base/parallel.h"
#include "numerics/linear/edge.h"
#include "numerics/store.h"
#include "numerics/sweeps/nsgs_contact.h"
#include "numerics/sweeps/nsgs_wide.h"

#include <float.h>

#if defined(__GNUC__)
enum {
  velocities = 6,
  width = 2 * velocities,
  fewest_lanes = 2 /* on average, for four at a time */
};

typedef double nsds_two __attribute__((vector_size(16), aligned(8), may_alias));
#define FOUR(x) (*(nsds_four *)(x))
#define TWO(x) (*(nsds_two *)(x))

/* Place of velocity c of body k in a row of a pack. */
static int nsgs_packed_place(int k, int c) { return c < 4 ? 4 * k + c : 4 + 2 * k + c; }

/* ---- packing ---- */

bool nsds_pack_fits(const nsds_factored *f, const nsds_block *block, int b) {
  int first = f->first_edge[b], count = f->first_edge[b + 1] - first;
  if (block->set != NSDS_SET_COULOMB || block->size != 3 || count < 1 || count > 2) return false;
  if (f->row[b + 1] - f->row[b] != 3 || (f->D && f->D[b])) return false;
  for (int k = first; k < first + count; ++k)
    if (f->edge[k].size != velocities) return false;
  return count == 1 || f->edge[first].column != f->edge[first + 1].column;
}

/* Looks for a diagonal A with Y = A H^T, by parts of the columns. If A is not given, an entry comes
 * from the largest entry of H in its column. */
typedef struct diagonal {
  const nsds_factored *f;
  double *gain, *largest;
  bool found[nsds_most_parts];
} diagonal;

static void find_gains(const diagonal *t, const nsds_edge *e) {
  double *gain = t->gain + e->column, *largest = t->largest + e->column;
  for (int c = 0; !e->Y && c < velocities; ++c) {
    gain[c] = t->f->gain[e->column + c];
    largest[c] = INFINITY;
  }
  for (int c = 0; e->Y && c < velocities; ++c)
    for (int i = 0; i < 3; ++i) {
      double h = e->H[i + 3 * c];
      if (!(fabs(h) > largest[c])) continue;
      largest[c] = fabs(h);
      gain[c] = e->Y[c + velocities * i] / h;
    }
}

static bool has_gains(const diagonal *t, const nsds_edge *e) {
  const double *gain = t->gain + e->column;
  for (int c = 0; !e->Y && c < velocities; ++c)
    if (!(gain[c] >= 0.0)) return false;
  for (int c = 0; e->Y && c < velocities; ++c)
    for (int i = 0; i < 3; ++i) {
      double a = gain[c], y = a * e->H[i + 3 * c];
      if (!(a >= 0.0 && fabs(e->Y[c + velocities * i] - y) <= 8 * DBL_EPSILON * fabs(y)))
        return false;
    }
  return true;
}

/* Looks at all edges; only those with columns in the part count. */
static void nsgs_packed_find_part(void *self, int part, int parts) {
  diagonal *t = self;
  const nsds_edge *first = t->f->edge, *end = first + t->f->first_edge[t->f->nrow_block];
  int from = nsds_part_begin(t->f->ncolumn, part, parts);
  int to = nsds_part_begin(t->f->ncolumn, part + 1, parts);
  bool found = true;
  for (const nsds_edge *e = first; e < end; ++e)
    if (e->column >= from && e->column < to) find_gains(t, e);
  for (const nsds_edge *e = first; found && e < end; ++e)
    if (e->column >= from && e->column < to) found = has_gains(t, e);
  t->found[part] = found;
}

static bool nsgs_packed_find_diagonal(nsds_sweeps *s, double *largest) {
  enum { few = 256 }; /* fewer rows are not worth sharing */
  const nsds_factored *f = s->factored;
  diagonal t = {.f = f, .gain = s->root, .largest = largest};
  int parts = nsds_parts(f->nrow_block, few), threads = nsds_context_threads(s->context);
  if (parts > threads) parts = threads;
  for (int c = 0; c < f->ncolumn; ++c) s->root[c] = largest[c] = 0.0;
  nsds_share_out(s->context, parts, nsgs_packed_find_part, &t);
  for (int part = 0; part < parts; ++part)
    if (!t.found[part]) return false;
  for (int c = 0; c < f->ncolumn; ++c) s->root[c] = sqrt(s->root[c]);
  return true;
}

static double *Y_of(const nsds_sweeps *s, const nsds_pack *pack) {
  return s->pack_Y + (pack - s->pack) * 3 * width;
}

void nsds_pack_fill(const nsds_sweeps *s, int b, nsds_pack *pack) {
  const nsds_factored *f = s->factored;
  double *Y = s->scaled ? NULL : Y_of(s, pack);
  int first = f->first_edge[b], count = f->first_edge[b + 1] - first;
  for (int k = 0; k < 3 * width; ++k) pack->H[k] = 0.0;
  for (int k = 0; Y && k < 3 * width; ++k) Y[k] = 0.0;
  pack->column[0] = f->edge[first].column;
  pack->column[1] = f->edge[first + count - 1].column;
  for (int k = 0; k < count; ++k) {
    const nsds_edge *e = &f->edge[first + k];
    for (int c = 0; c < velocities; ++c)
      for (int i = 0; i < 3; ++i) {
        double root = s->scaled ? s->root[e->column + c] : 1.0;
        pack->H[width * i + nsgs_packed_place(k, c)] = root * e->H[i + 3 * c];
        if (Y) Y[width * i + nsgs_packed_place(k, c)] = nsds_edge_y(f, e, 3, c, i);
      }
  }
}

/* Two more quads are read ahead. */
static nsds_status open_quads(nsds_sweeps *s, nsds_store *store) {
  size_t align = _Alignof(nsds_quad);
  size_t count = ((size_t)s->nquad + 2) * sizeof(nsds_quad) + align;
  nsds_status status = NSDS_RENEW_ONE(store, s->quad_room, count / sizeof(double));
  if (status) return status;
  char *room = (char *)s->quad_room;
  s->quad = (nsds_quad *)(void *)(room + (align - (uintptr_t)room % align) % align);
  s->quad[s->nquad] = (nsds_quad){.count = 0};
  return NSDS_OK;
}

nsds_status nsds_pack_open(nsds_sweeps *s, nsds_store *store, double *largest) {
  const nsds_factored *f = s->factored;
  s->scaled = s->npack == f->nrow_block && nsgs_packed_find_diagonal(s, largest);
  s->wide = s->scaled && s->nquad > 0 && s->npack >= fewest_lanes * s->nquad;
  if (s->wide) return open_quads(s, store);
  size_t count = (size_t)s->npack, values = s->scaled ? 0 : 3 * width * count;
  nsds_status status = NSDS_RENEW_ONE(store, s->pack, count);
  return status ? status : NSDS_RENEW_ONE(store, s->pack_Y, values);
}

/* ---- sweeps ---- */

/* The argument is an address, because passing vectors by value depends on the processor. */
static inline double sum_of(const nsds_four *x) {
  return ((*x)[0] + (*x)[2]) + ((*x)[1] + (*x)[3]);
}

/* q + H y - M z, with M the unit's own part. */
static inline void nsgs_packed_rest_of(const nsds_sweeps *s, const nsds_pack *pack, const double *z,
                                       const double *y, double *rest) {
  const double *i = y + pack->column[0], *j = y + pack->column[1], *H = pack->H;
  const double *q = s->q + pack->row, *M = pack->contact.M;
  nsds_four vi = FOUR(i), vj = FOUR(j), v = {i[4], i[5], j[4], j[5]};
  for (int r = 0; r < 3; ++r, H += width) {
    double own = M[r] * z[0] + M[r + 3] * z[1] + M[r + 6] * z[2];
    nsds_four terms = FOUR(H) * vi + FOUR(H + 4) * vj + FOUR(H + 8) * v;
    rest[r] = q[r] - own + sum_of(&terms);
  }
}

/* y += Y change */
static inline void nsgs_packed_add_to(const nsds_sweeps *s, const nsds_pack *pack,
                                      const double *change, double *y) {
  const double *Y = s->scaled ? pack->H : Y_of(s, pack);
  double *i = y + pack->column[0], *j = y + pack->column[1];
  double a = change[0], b = change[1], c = change[2];
  nsds_four rest = FOUR(Y + 8) * a + FOUR(Y + 8 + width) * b + FOUR(Y + 8 + 2 * width) * c;
  FOUR(i) += FOUR(Y) * a + FOUR(Y + width) * b + FOUR(Y + 2 * width) * c;
  FOUR(j) += FOUR(Y + 4) * a + FOUR(Y + 4 + width) * b + FOUR(Y + 4 + 2 * width) * c;
  TWO(i + 4) += (nsds_two){rest[0], rest[1]};
  TWO(j + 4) += (nsds_two){rest[2], rest[3]};
}

NSDS_CLONES void nsds_pack_change(const nsds_sweeps *s, int k, const double *change, double *y) {
  if (s->wide) nsds_wide_change(s, k, change, y);
  else nsgs_packed_add_to(s, &s->pack[k], change, y);
}

NSDS_CLONES double nsds_pack_update(const nsds_sweeps *s, int k, nsds_local_kind kind, double omega,
                                    double *z, double *y) {
  const nsds_pack *pack = &s->pack[k];
  double q[3];
  z += pack->row;
  nsgs_packed_rest_of(s, pack, z, y, q);
  double size = nsds_contact_update(&pack->contact, pack->mu, kind, omega, z, q);
  if (size != 0.0) nsgs_packed_add_to(s, pack, q, y);
  return size;
}

#endif
