/*
 * Units and packs of the block Gauss-Seidel method. The problem is cut, and bunches of items that
 * share no velocity get the same color, greedily. Everything is stored in the order in which a
 * sweep takes it. Bunches keep more of the order of the rows, in which sweeps converge, than single
 * items do (Iwashita, Nakashima & Takahashi: Algebraic block multi-color ordering, IPDPS 2012).
 */
#include "numerics/sweeps/nsgs_open.h"

#include "base/parallel.h"
#include "numerics/linear/edge.h"
#include "numerics/linear/forms.h"
#include "numerics/solver_tools.h"
#include "numerics/store.h"
#include "numerics/sweeps/local_solver.h"
#include "numerics/sweeps/sweeps.h"
#include "numerics/sweeps/nsgs_operator.h"
#include "numerics/sweeps/nsgs_packed.h"
#include "numerics/sweeps/nsgs_wide.h"
#include "numerics/sweeps/one_contact.h"

enum { most_equalities = 6 }; /* equality blocks up to this size are units, larger ones are cut */

/* ---- cutting ---- */

static bool is_cut(const nsds_block *block) {
  switch (block->set) {
  case NSDS_SET_EQUALITY: return block->size > most_equalities;
  case NSDS_SET_NONNEGATIVE:
  case NSDS_SET_BOX: return true;
  default: return false;
  }
}

/* A walk over the items of a problem in the order of its rows. */
typedef struct walk {
  const nsds_problem *problem;
  const nsds_factored *factored; /* or NULL */
  bool packs;
  int block, row, i; /* of the next item: block, its first row, rows before the item */
  int owner;
  bool packed; /* the item is to be a pack */
} walk;

static walk begin_walk(const nsds_sweeps *s, nsds_arrangement arrangement) {
  bool packs = s->factored && arrangement != NSDS_SWEEP_UNITS;
  return (walk){.problem = s->problem, .factored = s->factored, .packs = packs};
}

/* Sets the next item except for its local problem; false at the end. */
static bool next_item(walk *w, nsds_unit *unit) {
  while (w->block < w->problem->nblock && w->i == w->problem->block[w->block].size) {
    w->row += w->i;
    w->i = 0;
    ++w->block;
  }
  if (w->block == w->problem->nblock) return false;
  const nsds_block *block = &w->problem->block[w->block];
  unit->block = *block;
  unit->row = w->row + w->i;
  if (is_cut(block)) unit->block.size = 1;
  if (block->set == NSDS_SET_BOX) {
    unit->block.lower += w->i;
    unit->block.upper += w->i;
  }
  while (w->factored && unit->row >= w->factored->row[w->owner + 1]) ++w->owner;
  unit->owner = w->owner;
  w->packed = w->packs && nsds_pack_fits(w->factored, block, w->owner);
  w->i += unit->block.size;
  return true;
}

static int count_items(const nsds_problem *problem) {
  int count = 0;
  for (int a = 0; a < problem->nblock; ++a)
    if (problem->block[a].size > 0)
      count += is_cut(&problem->block[a]) ? problem->block[a].size : 1;
  return count;
}

/* Returns true if every item lies in one block row of the factored operator. */
static bool has_owners(const nsds_sweeps *s) {
  nsds_unit unit;
  for (walk w = begin_walk(s, NSDS_SWEEP_UNITS); next_item(&w, &unit);)
    if (unit.row + unit.block.size > s->factored->row[unit.owner + 1]) return false;
  return true;
}

/* ---- colors ---- */

/* Returns the colors that the bodies of an item have met, or all colors if it cannot have one.
 * `met` is indexed by the first columns of groups. A block with its own D couples its items, so
 * they get no color. */
static uint64_t colours_met(const nsds_factored *f, const nsds_unit *unit, const uint64_t *met) {
  uint64_t taken = 0;
  int b = unit->owner;
  if (f->D && f->D[b] && unit->block.size < f->row[b + 1] - f->row[b]) return UINT64_MAX;
  for (int k = f->first_edge[b]; k < f->first_edge[b + 1]; ++k) taken |= met[f->edge[k].column];
  return taken;
}

static void nsgs_open_meet(const nsds_factored *f, const nsds_unit *unit, int colour,
                           uint64_t *met) {
  int b = unit->owner;
  for (int k = f->first_edge[b]; k < f->first_edge[b + 1]; ++k)
    met[f->edge[k].column] |= UINT64_C(1) << colour;
}

/* Gives bunches of items the first color that none of their velocities has met. */
static void choose_colours(nsds_sweeps *s) {
  const nsds_factored *f = s->factored;
  uint64_t *met = (uint64_t *)(void *)s->root;
  nsds_unit unit;
  for (int c = 0; c < f->ncolumn; ++c) met[c] = 0;
  walk w = begin_walk(s, NSDS_SWEEP_UNITS);
  for (int first = 0, end; first < s->nitem; first = end) {
    walk again = w;
    uint64_t taken = 0;
    int colour = 0;
    for (end = first; end < first + nsds_bunch && next_item(&w, &unit); ++end)
      taken |= colours_met(f, &unit, met);
    while (colour < nsds_colours && taken >> colour & 1) ++colour;
    memset(s->colour + first, colour, (size_t)(end - first));
    for (int k = first; colour < nsds_colours && k < end && next_item(&again, &unit); ++k)
      nsgs_open_meet(f, &unit, colour, met);
  }
}

/* First item, pack and quad of each color. */
typedef struct places {
  int item[nsds_colours + 1], pack[nsds_colours + 1], quad[nsds_colours + 1];
} places;

/* Returns the place of item j in the order of its color, which has `count` items. Bunches are
 * taken four at a time, one in each lane. `pack` gets its place among packs; lanes not taken count.
 */
static int nsgs_open_spread(int colour, int count, int j, int *pack) {
  enum { group = nsds_lanes * nsds_bunch };
  int first = j - j % group, lane = j % group / nsds_bunch, k = j % nsds_bunch;
  *pack = nsds_lanes * j;
  if (colour == nsds_colours) return j;
  int items = count - first < group ? count - first : group;
  int full = (items - 1) / nsds_bunch, tail = items - full * nsds_bunch; /* of the last bunch */
  *pack = first + nsds_lanes * k + lane;
  return first + (k < tail ? k * (full + 1) : tail + k * full) + lane;
}

/* Returns the number of quads that the packs of a color make. */
static int quads_of(int colour, int count) {
  enum { group = nsds_lanes * nsds_bunch };
  int rest = count % group;
  if (colour == nsds_colours) return count;
  return count / group * nsds_bunch + (rest < nsds_bunch ? rest : nsds_bunch);
}

/* Counts items by color; returns the number of entries of the units' own parts of M. */
static size_t find_places(nsds_sweeps *s, nsds_arrangement arrangement, places *p) {
  nsds_unit unit;
  size_t entries = 0;
  int k = 0, item = 0, pack = 0;
  *p = (places){{0}, {0}, {0}};
  s->nquad = 0;
  if (s->factored && arrangement == NSDS_SWEEP_COLOURED) choose_colours(s);
  else if (s->nitem > 0) memset(s->colour, nsds_colours, (size_t)s->nitem);
  for (walk w = begin_walk(s, arrangement); next_item(&w, &unit); ++k) {
    int c = s->colour[k];
    ++p->item[c];
    p->pack[c] += w.packed;
    if (!w.packed) entries += (size_t)unit.block.size * (size_t)unit.block.size;
  }
  for (int c = 0; c <= nsds_colours; ++c) {
    int items = p->item[c], packs = p->pack[c];
    p->item[c] = item;
    p->pack[c] = pack;
    p->quad[c] = s->nquad;
    s->nquad += quads_of(c, items);
    s->end[c] = item += items;
    pack += packs;
  }
  s->npack = pack;
  if (arrangement != NSDS_SWEEP_COLOURED || pack < item) s->nquad = 0;
  s->nunit = s->nitem - pack;
  return entries;
}

/* ---- the items' own parts of M ---- */

/* Copies rows and columns i .. i + m - 1 of block (b, b) of the factored operator. */
static void factored_diagonal(const nsds_factored *f, int b, int i, int m, double *M) {
  for (int c = 0; c < m; ++c)
    for (int r = 0; r < m; ++r) M[r + c * m] = nsds_own_entry(f, b, i + r, i + c);
}

static const double *assembled_diagonal(const nsds_block_rows *B, int a) {
  for (int k = B->first[a]; k < B->first[a + 1]; ++k)
    if (B->column[k] == a) return B->x + B->start[k];
  return NULL;
}

/* Adds a part of the largest diagonal entry of an item to all its diagonal entries. */
static void add_extra(int m, double part, double *extra, double *M) {
  double most = 0.0;
  for (int i = 0; i < m; ++i) most = fmax(most, fabs(M[i + i * m]));
  for (int i = 0; i < m; ++i) {
    extra[i] = part * most;
    M[i + i * m] += extra[i];
  }
}

/* The own part of m rows from `row` on, of item `a` or block row `owner`, regularised. */
static void own_part(const nsds_sweeps *s, int a, int owner, int row, int m, double regularization,
                     double *M) {
  const nsds_factored *f = s->factored;
  const double *assembled = f ? NULL : assembled_diagonal(s->rows, a);
  if (f) factored_diagonal(f, owner, row - f->row[owner], m, M);
  else if (assembled) memcpy(M, assembled, (size_t)(m * m) * sizeof *M);
  else memset(M, 0, (size_t)(m * m) * sizeof *M);
  add_extra(m, regularization, s->extra + row, M);
}

/* ---- laying down ---- */

static nsds_status nsgs_open_make_room(nsds_sweeps *s, nsds_solver *solver, size_t entries) {
  const nsds_cut cut[] = {NSDS_CUT(s->unit, s->nunit), NSDS_CUT(s->M, entries)};
  nsds_status status = NSDS_HOLD(&solver->store, cut);
  if (status) return status;
  if (s->npack > 0) return nsds_pack_open(s, &solver->store, solver->toolbox->scratch);
  return NSDS_HOLD_ONE(&solver->store, s->cut, s->nunit + 1);
}

/* Puts the assembled operator into block rows, cut at the units. */
static nsds_status nsgs_open_assemble(nsds_sweeps *s, nsds_solver *solver) {
  return nsds_form_block_rows(solver, s->problem, s->nunit, s->cut, &s->rows);
}

static void cut_rows(nsds_sweeps *s) {
  nsds_unit unit;
  int k = 0;
  for (walk w = begin_walk(s, NSDS_SWEEP_UNITS); next_item(&w, &unit);) s->cut[k++] = unit.row;
  s->cut[k] = s->problem->n;
}

/* Packs in memory; the block row of each is still in the place of its columns. */
typedef struct packing {
  const nsds_sweeps *sweeps;
  double regularization;
} packing;

static void fill_quads(void *self, int part, int parts) {
  const packing *t = self;
  const nsds_sweeps *s = t->sweeps;
  int end = nsds_part_begin(s->nquad, part + 1, parts);
  for (int k = nsds_part_begin(s->nquad, part, parts); k < end; ++k) {
    nsds_quad *quad = &s->quad[k];
    double M[9];
    for (int l = 0; l < quad->count; ++l) {
      int owner = quad->column[0][l];
      own_part(s, k, owner, quad->row[l], 3, t->regularization, M);
      nsds_wide_fill(s, owner, quad, l, M);
    }
    nsds_wide_repeat(quad);
  }
}

static void fill_packs(void *self, int part, int parts) {
  const packing *t = self;
  const nsds_sweeps *s = t->sweeps;
  int end = nsds_part_begin(s->npack, part + 1, parts);
  for (int k = nsds_part_begin(s->npack, part, parts); k < end; ++k) {
    nsds_pack *pack = &s->pack[k];
    int owner = pack->column[0];
    nsds_pack_fill(s, owner, pack);
    own_part(s, k, owner, pack->row, 3, t->regularization, pack->contact.M);
    nsds_contact_prepare(&pack->contact, 3);
  }
}

/* Places the next item of a color whose items are all packs. */
static void place_lane(nsds_sweeps *s, int colour, places *p, const nsds_unit *next) {
  int begin = colour > 0 ? s->end[colour - 1] : 0, count = s->end[colour] - begin, pack;
  int place = nsgs_open_spread(colour, count, p->item[colour]++ - begin, &pack),
      lane = pack % nsds_lanes;
  pack += nsds_lanes * p->quad[colour];
  nsds_quad *quad = &s->quad[pack / nsds_lanes];
  s->order[begin + place] = pack;
  quad->count = lane + 1;
  quad->row[lane] = next->row;
  quad->mu[lane] = next->block.mu;
  quad->column[0][lane] = next->owner;
}

static void lay_down(nsds_sweeps *s, nsds_arrangement arrangement, double regularization,
                     places *p) {
  enum { few = 128 }; /* fewer packs are not worth sharing */
  double *M = s->M;
  nsds_unit next;
  int k = 0, nunit = 0;
  for (walk w = begin_walk(s, arrangement); s->wide && next_item(&w, &next); ++k)
    place_lane(s, s->colour[k], p, &next);
  for (walk w = begin_walk(s, arrangement); !s->wide && next_item(&w, &next); ++k) {
    int c = s->colour[k], *place = &s->order[p->item[c]++];
    *place = w.packed ? p->pack[c]++ : ~nunit;
    if (w.packed) {
      nsds_pack *pack = &s->pack[*place];
      pack->row = next.row;
      pack->mu = next.block.mu;
      pack->column[0] = next.owner;
      continue;
    }
    nsds_unit *unit = &s->unit[nunit];
    int m = next.block.size;
    *unit = next;
    own_part(s, nunit++, unit->owner, unit->row, m, regularization, M);
    nsds_local_prepare(&unit->local, &unit->block, M);
    M += m * m;
  }
  packing t = {.sweeps = s, .regularization = regularization};
  if (s->wide) nsds_share_out(s->context, nsds_parts(s->nquad, few / nsds_lanes), fill_quads, &t);
  else if (s->npack > 0) nsds_share_out(s->context, nsds_parts(s->npack, few), fill_packs, &t);
}

nsds_status nsds_sweeps_open(nsds_sweeps *s, nsds_solver *solver, const nsds_problem *problem,
                             nsds_arrangement arrangement, double regularization) {
  places p;
  s->context = solver->context;
  s->problem = problem;
  s->q = problem->q;
  s->nitem = count_items(problem);
  s->factored = problem->M.storage == NSDS_FACTORED ? problem->M.factored : NULL;
  s->rows = NULL;
  nsds_sweeps_narrow(s);
  if (s->factored && !has_owners(s)) s->factored = NULL;
  s->ny = s->factored ? s->factored->ncolumn : 0;
  const nsds_cut cut[] = {NSDS_CUT(s->order, s->nitem), NSDS_CUT(s->colour, s->nitem),
                          NSDS_CUT(s->root, s->ny), NSDS_CUT(s->extra, problem->n)};
  nsds_status status = NSDS_RENEW(&solver->store, cut);
  if (!status) status = nsds_solver_scratch(solver, (size_t)s->ny);
  if (!status) status = nsgs_open_make_room(s, solver, find_places(s, arrangement, &p));
  if (status) return status;
  if (s->npack == 0) cut_rows(s);
  if (!s->factored) status = nsgs_open_assemble(s, solver);
  if (!status) lay_down(s, arrangement, regularization, &p);
  return status || s->factored ? status : nsds_sweeps_list_rows(s, solver);
}

/* ---- another regularisation ---- */

typedef struct regularized {
  nsds_sweeps *sweeps;
  double part;
} regularized;

static void set_extra(const regularized *t, int m, int row, double *M) {
  double *extra = t->sweeps->extra + row;
  for (int i = 0; i < m; ++i) M[i + i * m] -= extra[i];
  add_extra(m, t->part, extra, M);
}

static void set_extra_of_lane(const regularized *t, int i) {
  nsds_quad *quad = &t->sweeps->quad[i / nsds_lanes];
  int lane = i % nsds_lanes;
  double M[9];
  nsds_wide_matrix(quad, lane, M);
  set_extra(t, 3, quad->row[lane], M);
  nsds_wide_factorise(quad, lane, M);
  if (lane == 0) nsds_wide_repeat(quad);
}

static void regularize_run(void *self, int begin, int end, int part) {
  const regularized *t = self;
  const nsds_sweeps *s = t->sweeps;
  (void)part;
  for (int k = begin; k < end; ++k) {
    int i = s->order[k];
    if (s->wide) {
      set_extra_of_lane(t, i);
    } else if (i >= 0) {
      set_extra(t, 3, s->pack[i].row, s->pack[i].contact.M);
      nsds_contact_prepare(&s->pack[i].contact, 3);
    } else {
      nsds_unit *unit = &s->unit[~i];
      double *M = s->M + (unit->local.M - s->M);
      set_extra(t, unit->block.size, unit->row, M);
      nsds_local_prepare(&unit->local, &unit->block, M);
    }
  }
}

void nsds_sweeps_regularize(nsds_sweeps *s, double part) {
  nsds_sweeps_run(s, regularize_run, &(regularized){.sweeps = s, .part = part});
}
