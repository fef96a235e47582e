/*
 * The operator of the block Gauss-Seidel method under the changes of its items.
 */
#include "numerics/sweeps/nsgs_operator.h"

#include "base/base.h"
#include "base/parallel.h"
#include "numerics/linear/edge.h"
#include "numerics/linear/product.h"
#include "numerics/sets/sets.h"
#include "numerics/solver_internal.h"
#include "numerics/store.h"
#include "numerics/sweeps/local_solver.h"
#include "numerics/sweeps/sweeps.h"
#include "numerics/sweeps/nsgs_contact.h"
#include "numerics/sweeps/nsgs_packed.h"

/* ---- assembled: the rest of each block row ---- */

static size_t count_stream(const nsds_sweeps *s) {
  const nsds_block_rows *B = s->rows;
  size_t count = 0;
  for (int a = 0; a < s->nunit; ++a) {
    size_t columns = 0;
    for (int k = B->first[a]; k < B->first[a + 1]; ++k)
      if (B->column[k] != a) columns += (size_t)s->unit[B->column[k]].block.size;
    count += columns * (size_t)s->unit[a].block.size;
  }
  return count;
}

nsds_status nsds_sweeps_list_rows(nsds_sweeps *s, nsds_solver *solver) {
  const nsds_block_rows *B = s->rows;
  int nb = s->nunit, count = 0;
  size_t blocks = nsds_form_room(s->problem, (size_t)B->first[nb], (size_t)nb * (size_t)nb);
  size_t n = (size_t)s->problem->n, length = nsds_form_room(s->problem, count_stream(s), n * n);
  const nsds_cut cut[] = {NSDS_CUT(s->first, nb + 1), NSDS_CUT(s->other, blocks),
                          NSDS_CUT(s->start, nb), NSDS_CUT(s->stream, length + 1)};
  nsds_status status = NSDS_HOLD(&solver->store, cut);
  if (status) return status;
  double *next = s->stream;
  s->first[0] = 0;
  for (int a = 0; a < nb; ++a) {
    s->start[a] = (size_t)(next - s->stream);
    for (int k = B->first[a]; k < B->first[a + 1]; ++k) {
      int b = B->column[k];
      if (b == a) continue;
      size_t values = (size_t)s->unit[a].block.size * (size_t)s->unit[b].block.size;
      memcpy(next, B->x + B->start[k], values * sizeof *next);
      next += values;
      nsds_span more = {s->unit[b].row, s->unit[b].block.size};
      nsds_span *last = count > s->first[a] ? &s->other[count - 1] : NULL;
      bool goes_on = last && s->unit[a].block.size == 1 && last->row + last->columns == more.row;
      if (goes_on) last->columns += more.columns;
      else s->other[count++] = more;
    }
    s->first[a + 1] = count;
  }
  *next = 0.0;
  return NSDS_OK;
}

/* ---- colors ---- */

typedef struct colour {
  const nsds_sweeps *sweeps;
  nsds_run_fn run;
  void *self;
  int begin, end;
} colour;

/* Bunches of a color, or groups of bunches that run together; all but the last one are full. */
static int bunch_of(const nsds_sweeps *s) { return s->wide ? nsds_lanes * nsds_bunch : nsds_bunch; }
static int bunches_of(const nsds_sweeps *s, int items) {
  return (items + bunch_of(s) - 1) / bunch_of(s);
}

static void run_part(void *self, int part, int parts) {
  const colour *c = self;
  int bunch = bunch_of(c->sweeps), bunches = bunches_of(c->sweeps, c->end - c->begin);
  int begin = c->begin + bunch * nsds_part_begin(bunches, part, parts);
  int end = c->begin + bunch * nsds_part_begin(bunches, part + 1, parts);
  c->run(c->self, begin, end < c->end ? end : c->end, part);
}

void nsds_sweeps_run(const nsds_sweeps *s, nsds_run_fn run, void *self) {
  colour c = {.sweeps = s, .run = run, .self = self};
  bool coloured = s->end[nsds_colours - 1] > 0;
  for (int k = 0; coloured && k < nsds_colours; ++k, c.begin = c.end) {
    c.end = s->end[k];
    if (c.end > c.begin)
      nsds_share_out(s->context, nsds_parts(bunches_of(s, c.end - c.begin), 1), run_part, &c);
  }
  if (c.begin < s->nitem) run(self, c.begin, s->nitem, 0);
}

/* ---- y ---- */

/* Adds Y times three changes; each y is read and written once. */
static void change_three(const nsds_factored *f, const nsds_edge *e, const double *change,
                         double *y) {
  double d0 = change[0], d1 = change[1], d2 = change[2];
  y += e->column;
  if (!e->Y) {
    const double *gain = f->gain + e->column, *H = e->H;
    for (int c = 0; c < e->size; ++c, H += 3) y[c] += gain[c] * (H[0] * d0 + H[1] * d1 + H[2] * d2);
    return;
  }
  const double *Y0 = e->Y, *Y1 = Y0 + e->size, *Y2 = Y1 + e->size;
  for (int c = 0; c < e->size; ++c) y[c] = y[c] + Y0[c] * d0 + Y1[c] * d1 + Y2[c] * d2;
}

static void change_unit(const nsds_sweeps *s, int a, const double *change, double *y) {
  const nsds_unit *unit = &s->unit[a];
  const nsds_factored *f = s->factored;
  if (!f) return;
  int b = unit->owner, offset = unit->row - f->row[b];
  int m = f->row[b + 1] - f->row[b];
  for (int k = f->first_edge[b]; k < f->first_edge[b + 1]; ++k) {
    const nsds_edge *e = &f->edge[k];
    if (m == 3 && unit->block.size == 3) change_three(f, e, change, y);
    else nsds_edge_add(f, e, m, offset, unit->block.size, change, y + e->column);
  }
}

/* A change of all of z, item by item. */
typedef struct motion {
  const nsds_sweeps *sweeps;
  const double *z;
  double *moved, *y; /* z to move; NULL if only y changes */
} motion;

static void nsgs_operator_add(void *self, int begin, int end, int part) {
  const motion *t = self;
  (void)part;
  for (const int *i = t->sweeps->order + begin, *last = t->sweeps->order + end; i < last; ++i) {
    const double *z = t->z + nsds_item_row(t->sweeps, *i);
    if (*i >= 0) nsds_pack_change(t->sweeps, *i, z, t->y);
    else change_unit(t->sweeps, ~*i, z, t->y);
  }
}

void nsds_sweeps_refresh(const nsds_sweeps *s, const double *z, double *y) {
  motion t = {.sweeps = s, .z = z, .y = y};
  if (!s->factored) return;
  memset(y, 0, (size_t)s->ny * sizeof *y);
  nsds_sweeps_run(s, nsgs_operator_add, &t);
}

/* Moves z to its projection p; p becomes the change of z. Returns true if z has changed. */
static bool nsgs_operator_move(int m, double *z, double *p) {
  bool moved = false;
  for (int i = 0; i < m; ++i) {
    double change = p[i] - z[i];
    moved = moved || change != 0.0;
    z[i] = p[i];
    p[i] = change;
  }
  return moved;
}

static void nsgs_operator_put_back(void *self, int begin, int end, int part) {
  const motion *t = self;
  const nsds_sweeps *s = t->sweeps;
  double p[NSDS_COUPLED_ROWS];
  (void)part;
  for (int k = begin; k < end; ++k) {
    int i = s->order[k];
    double *z = t->moved + nsds_item_row(s, i);
    bool contact = nsds_item_is_contact(s, i);
    nsds_block cone = {.set = NSDS_SET_COULOMB, .size = 3};
    if (contact) cone.mu = nsds_item_mu(s, i);
    if (contact && nsds_in_cone(cone.mu, z)) continue;
    const nsds_block *block = contact ? &cone : &s->unit[~i].block;
    nsds_set_project(block, z, p);
    if (!nsgs_operator_move(block->size, z, p)) continue;
    if (i >= 0) nsds_pack_change(s, i, p, t->y);
    else change_unit(s, ~i, p, t->y);
  }
}

void nsds_sweeps_project(const nsds_sweeps *s, double *z, double *y) {
  nsds_sweeps_run(s, nsgs_operator_put_back, &(motion){.sweeps = s, .moved = z, .y = y});
}

/* ---- one unit: its rest, w less M_aa z_a, M_aa with the regularisation ---- */

/* Computes w = H y + D z + q of unit a, less its own part, for m rows in a block row of mb. Calls
 * pass the frequent m and mb as constants, which keeps the sums in registers. */
NSDS_INLINE void rest_factored(const int m, const int mb, const nsds_sweeps *s, int a,
                               const double *z, const double *y, double *rest) {
  const nsds_unit *unit = &s->unit[a];
  const nsds_factored *f = s->factored;
  int b = unit->owner, offset = unit->row - f->row[b];
  const double *M = unit->local.M, *own = z + unit->row;
  double sum[NSDS_COUPLED_ROWS];
  for (int i = 0; i < m; ++i) sum[i] = s->q[unit->row + i];
  for (int k = f->first_edge[b]; k < f->first_edge[b + 1]; ++k) {
    const nsds_edge *e = &f->edge[k];
    nsds_add_product(m, e->size, e->H + offset, mb, y + e->column, sum);
  }
  if (f->D && f->D[b]) nsds_add_product(m, mb, f->D[b] + offset, mb, z + f->row[b], sum);
  for (int j = 0; j < m; ++j)
    for (int i = 0; i < m; ++i) sum[i] -= M[i + j * m] * own[j]; /* M is regularised */
  for (int i = 0; i < m; ++i) rest[i] = sum[i];
}

static void rest_any(const nsds_sweeps *s, int a, const double *z, double *rest) {
  int m = s->unit[a].block.size, own = s->unit[a].row;
  const double *x = s->stream + s->start[a];
  for (int i = 0; i < m; ++i) rest[i] = s->q[own + i] - s->extra[own + i] * z[own + i];
  for (int k = s->first[a]; k < s->first[a + 1]; ++k) {
    nsds_span other = s->other[k];
    nsds_add_product(m, other.columns, x, m, z + other.row, rest);
    x += m * other.columns;
  }
}

#if defined(__GNUC__)
#define FOUR(x) (*(const nsds_four *)(x)) /* the last one belongs to the next column */

enum { ahead = 288 }; /* values: data of the next contacts arrives while this one is solved */

/* Multiplies three rows with columns of the stream, with one sum for each place of a column in its
 * block. Most of the time of a solve goes here. */
NSDS_INLINE void rest_three(const nsds_sweeps *s, int a, const double *z, double *rest) {
  int own = s->cut[a];
  const double *q = s->q + own, *extra = s->extra + own;
  nsds_four sum0 = {0.0}, sum1 = {0.0}, sum2 = {0.0};
  const double *x = s->stream + s->start[a];
  for (int k = s->first[a]; k < s->first[a + 1]; ++k) {
    nsds_span other = s->other[k];
    const double *zb = z + other.row;
    if (other.columns == 3) {
      sum0 += FOUR(x) * zb[0];
      sum1 += FOUR(x + 3) * zb[1];
      sum2 += FOUR(x + 6) * zb[2];
    } else {
      for (int j = 0; j < other.columns; ++j) sum0 += FOUR(x + 3 * j) * zb[j];
    }
    __builtin_prefetch(x + ahead);
    x += 3 * other.columns;
  }
  sum0 += sum1 + sum2;
  for (int i = 0; i < 3; ++i) rest[i] = q[i] - extra[i] * z[own + i] + sum0[i];
}
#else
#define rest_three rest_any
#endif

static NSDS_NOINLINE void nsgs_operator_rest_of(const nsds_sweeps *s, int a, const double *z,
                                                const double *y, double *rest) {
  const nsds_factored *f = s->factored;
  int m = s->unit[a].block.size, b = s->unit[a].owner, mb = f ? f->row[b + 1] - f->row[b] : 0;
  if (!f) rest_any(s, a, z, rest);
  else if (m == 3 && mb == 3) rest_factored(3, 3, s, a, z, y, rest);
  else rest_factored(m, mb, s, a, z, y, rest);
}

static NSDS_NOINLINE double update_any(const nsds_sweeps *s, int a, nsds_local_kind kind,
                                       double omega, double *z, double *y) {
  const nsds_unit *unit = &s->unit[a];
  int m = unit->block.size;
  double q[NSDS_COUPLED_ROWS], x[NSDS_COUPLED_ROWS], size = 0.0;
  nsgs_operator_rest_of(s, a, z, y, q);
  z += unit->row;
  for (int i = 0; i < m; ++i) x[i] = z[i];
  nsds_local_solve(&unit->local, kind, q, x);
  if (omega != 1.0) {
    for (int i = 0; i < m; ++i) x[i] = z[i] + omega * (x[i] - z[i]);
    nsds_set_project(&unit->block, x, x);
  }
  for (int i = 0; i < m; ++i) {
    double change = x[i] - z[i];
    z[i] = x[i];
    x[i] = change;
    size += change * change;
  }
  if (size != 0.0) change_unit(s, a, x, y);
  return size;
}

NSDS_CLONES double nsds_unit_update(const nsds_sweeps *s, int a, nsds_local_kind kind, double omega,
                                    double *z, double *y) {
  if (s->factored || !nsds_item_is_contact(s, ~a)) return update_any(s, a, kind, omega, z, y);
  const nsds_unit *unit = &s->unit[a];
  double rest[3];
  rest_three(s, a, z, rest);
  return nsds_contact_update(&unit->local.contact, unit->block.mu, kind, omega, z + unit->row,
                             rest);
}
