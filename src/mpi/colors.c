/*
 * Colors by priorities (Jones & Plassmann: SIAM J. Sci. Comput. 14, 1993). The priority of a block is
 * its identifier, mixed. In each round, blocks take a color if no uncolored block in their columns has
 * a higher priority. A block takes the least color that is free in all its columns. So the colors are
 * those of a greedy pass in the order of priorities, for any number of processes.
 *
 * In one color a column has one writer at most. So each color has an exchange of its own, from the
 * writer straight to the other copies.
 */
#include "mpi/colors.h"

#include <math.h>
#include <nsds/extend.h>
#include <stdlib.h>
#include <string.h>

enum { bits = 31 }; /* colors in an int */

/* The work of a coloring; arrays of ncolumn are used at the first columns of edges. */
typedef struct coloring {
  nsds_whole *whole;
  const nsds_factored *f;
  nsds_colors *colors;
  int words;        /* ints of a mask */
  double *priority; /* of blocks */
  double *top;      /* ncolumn: highest priority of uncolored blocks */
  int *mask;        /* words x ncolumn: colors in use */
} coloring;

/* Mixes 53 bits, one to one: a multiplication by an odd number, a shift, and both again. */
static double mix_identifier(long long id) {
  static const uint64_t all = (1ull << 53) - 1;
  uint64_t x = (uint64_t)id & all;
  for (int k = 0; k < 2; ++k) {
    x = (x * 0x9E3779B97F4A7C15ull) & all;
    x ^= x >> 27;
  }
  return (double)x + 1.0;
}

bool nsds_colors_moves(const nsds_factored *f, const nsds_edge *e, int m) {
  for (int c = 0; c < e->size; ++c) {
    if (!e->Y && f->gain[e->column + c] != 0.0) return true;
    for (int i = 0; e->Y && i < m; ++i)
      if (e->Y[c + i * e->size] != 0.0) return true;
  }
  return false;
}

static bool edge_moves(const coloring *t, int a, const nsds_edge *e) {
  return nsds_colors_moves(t->f, e, t->f->row[a + 1] - t->f->row[a]);
}

#define EACH_EDGE(t, a, e)                                                                         \
  for (const nsds_edge *e = (t)->f->edge + (t)->f->first_edge[a],                                  \
                       *last_##e = (t)->f->edge + (t)->f->first_edge[(a) + 1];                     \
       e < last_##e; ++e)

/* ---- rounds ---- */

static void find_tops(coloring *t) {
  nsds_halo *halo = &t->whole->halo;
  memset(t->top, 0, (size_t)t->f->ncolumn * sizeof *t->top);
  for (int a = 0; a < t->f->nrow_block; ++a)
    if (t->colors->of[a] < 0) EACH_EDGE(t, a, e)
  if (t->priority[a] > t->top[e->column] && edge_moves(t, a, e)) t->top[e->column] = t->priority[a];
  halo->raise(halo->self, t->top);
}

/* Takes the least free color if the block is on top in all its columns. */
static bool take_color(coloring *t, int a) {
  EACH_EDGE(t, a, e)
  if (t->top[e->column] > t->priority[a] && edge_moves(t, a, e)) return false;
  for (int word = 0; word < t->words; ++word) {
    unsigned used = 0, color = 0;
    int *mask = t->mask + (size_t)word * (size_t)t->f->ncolumn;
    EACH_EDGE(t, a, e)
    if (edge_moves(t, a, e)) used |= (unsigned)mask[e->column];
    while (color < bits && (used >> color & 1u)) ++color;
    if (color == bits) continue;
    EACH_EDGE(t, a, e)
    if (edge_moves(t, a, e)) mask[e->column] |= (int)(1u << color);
    t->colors->of[a] = word * bits + (int)color;
    return true;
  }
  return true; /* not reached: there are more colors than neighbors */
}

static PetscErrorCode share_masks(coloring *t) {
  PetscSF sf = t->whole->sf;
  PetscErrorCode e = 0;
  for (int word = 0; word < t->words && !e; ++word) {
    int *mask = t->mask + (size_t)word * (size_t)t->f->ncolumn;
    e = PetscSFReduceBegin(sf, MPI_INT, mask, mask, MPI_BOR);
    if (!e) e = PetscSFReduceEnd(sf, MPI_INT, mask, mask, MPI_BOR);
    if (!e) e = PetscSFBcastBegin(sf, MPI_INT, mask, mask, MPI_REPLACE);
    if (!e) e = PetscSFBcastEnd(sf, MPI_INT, mask, mask, MPI_REPLACE);
  }
  return e;
}

static nsds_status color_blocks(coloring *t) {
  nsds_mpi *mpi = t->whole->mpi;
  double left = 1.0;
  nsds_status status = NSDS_OK;
  while (!status && left > 0.0) {
    find_tops(t);
    left = 0.0;
    for (int a = 0; a < t->f->nrow_block; ++a)
      if (t->colors->of[a] < 0 && !take_color(t, a)) left = 1.0;
    status = nsds_mpi_agree(mpi, nsds_mpi_petsc(mpi, share_masks(t), "colors"));
    nsds_mpi_most(mpi, 1, &left);
  }
  return status;
}

/* Sets the words of a mask, by the most blocks that a column meets. */
static void count_words(coloring *t) {
  nsds_halo *halo = &t->whole->halo;
  double most[2] = {0.0, 0.0};
  memset(t->top, 0, (size_t)t->f->ncolumn * sizeof *t->top);
  for (int a = 0; a < t->f->nrow_block; ++a) {
    most[1] = fmax(most[1], t->f->first_edge[a + 1] - t->f->first_edge[a]);
    EACH_EDGE(t, a, e) t->top[e->column] += 1.0;
  }
  halo->sum(halo->self, t->top, NULL);
  for (int c = 0; c < t->f->ncolumn; ++c) most[0] = fmax(most[0], t->top[c]);
  nsds_mpi_most(t->whole->mpi, 2, most);
  t->words = 1 + (int)(most[0] * most[1] / bits);
}

static nsds_status set_priorities(coloring *t, const long long *id) {
  nsds_context *context = t->whole->mpi->context;
  long long here = t->f->nrow_block, end = 0;
  MPI_Scan(&here, &end, 1, MPI_LONG_LONG, MPI_SUM, t->whole->mpi->comm);
  for (int a = 0; a < t->f->nrow_block; ++a) {
    long long number = id ? id[a] : end - here + a;
    if (number < 0 || number >= 1LL << 53)
      return nsds_report(
          context, NSDS_ERROR_VALUE,
          "nsds_mpi_solve: part.block[%d] is %lld; identifiers go from 0 to 2^53 - 1", a, number);
    t->priority[a] = mix_identifier(number);
  }
  return NSDS_OK;
}

static int compare_doubles(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static nsds_status refuse_identifiers(const coloring *t) {
  return nsds_report(t->whole->mpi->context, NSDS_ERROR_VALUE,
                     "nsds_mpi_solve: two blocks have the same identifier in part.block; give each "
                     "block its own");
}

/* Blocks with one identifier on one process are found by sorting, those on two by their color. Equal
 * identifiers without a common column do no harm. */
static nsds_status check_different(const coloring *t, double *sorted) {
  int n = t->f->nrow_block;
  if (n == 0) return NSDS_OK;
  memcpy(sorted, t->priority, (size_t)n * sizeof *sorted);
  qsort(sorted, (size_t)n, sizeof *sorted, compare_doubles);
  for (int k = 1; k < n; ++k)
    if (sorted[k] == sorted[k - 1]) return refuse_identifiers(t);
  return NSDS_OK;
}

/* ---- exchanges ---- */

/* Returns the most writers that a column has in a color; two blocks with one identifier make two. */
static double count_writers(coloring *t, int color) {
  nsds_halo *halo = &t->whole->halo;
  double most = 0.0;
  memset(t->top, 0, (size_t)t->f->ncolumn * sizeof *t->top);
  for (int k = t->colors->first[color]; k < t->colors->first[color + 1]; ++k) {
    int a = t->colors->block[k];
    EACH_EDGE(t, a, e)
    if (edge_moves(t, a, e)) t->top[e->column] += 1.0;
  }
  halo->sum(halo->self, t->top, NULL);
  for (int c = 0; c < t->f->ncolumn; ++c) most = fmax(most, t->top[c]);
  return most;
}

/* Finds the writer of each column in a color: its rank, and the place there. -1: none. */
static PetscErrorCode find_writers(coloring *t, int color, int *rank, int *place) {
  PetscSF sf = t->whole->sf;
  int *const both[] = {rank, place};
  for (int c = 0; c < t->f->ncolumn; ++c) rank[c] = place[c] = -1;
  for (int k = t->colors->first[color]; k < t->colors->first[color + 1]; ++k) {
    int a = t->colors->block[k];
    EACH_EDGE(t, a, e)
    for (int c = e->column; edge_moves(t, a, e) && c < e->column + e->size; ++c) {
      rank[c] = t->whole->mpi->rank;
      place[c] = c;
    }
  }
  PetscErrorCode e = 0;
  for (int k = 0; k < 2 && !e; ++k) {
    e = PetscSFReduceBegin(sf, MPI_INT, both[k], both[k], MPI_MAX);
    if (!e) e = PetscSFReduceEnd(sf, MPI_INT, both[k], both[k], MPI_MAX);
    if (!e) e = PetscSFBcastBegin(sf, MPI_INT, both[k], both[k], MPI_REPLACE);
    if (!e) e = PetscSFBcastEnd(sf, MPI_INT, both[k], both[k], MPI_REPLACE);
  }
  return e;
}

/* Counts what a color sends. */
static PetscErrorCode count_color(const coloring *t, int color) {
  nsds_colors *s = t->colors;
  PetscInt ranks;
  const PetscMPIInt *rank;
  const PetscInt *offset;
  PetscErrorCode e = PetscSFGetLeafRanks(s->sf[color], &ranks, &rank, &offset, NULL);
  for (PetscInt k = 0; !e && k < ranks; ++k)
    if (rank[k] != t->whole->mpi->rank) {
      ++s->messages[color];
      s->numbers[color] += offset[k + 1] - offset[k];
    }
  return e;
}

static PetscErrorCode make_exchange(coloring *t, int color, int *rank, int *place) {
  nsds_mpi *mpi = t->whole->mpi;
  PetscInt *leaf = NULL, leaves = 0;
  PetscSFNode *root = NULL;
  PetscErrorCode e = find_writers(t, color, rank, place);
  for (int c = 0; c < t->f->ncolumn; ++c) leaves += rank[c] >= 0 && rank[c] != mpi->rank;
  int all = leaves;
  MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT, MPI_MAX, mpi->comm);
  if (e || all == 0) return e;
  e = PetscMalloc1((size_t)leaves, &leaf);
  if (!e) e = PetscMalloc1((size_t)leaves, &root);
  leaves = 0;
  for (int c = 0; !e && c < t->f->ncolumn; ++c)
    if (rank[c] >= 0 && rank[c] != mpi->rank) {
      root[leaves] = (PetscSFNode){rank[c], place[c]};
      leaf[leaves++] = c;
    }
  if (!e) e = PetscSFCreate(mpi->comm, &t->colors->sf[color]);
  if (!e)
    e = PetscSFSetGraph(t->colors->sf[color], t->f->ncolumn, leaves, leaf, PETSC_OWN_POINTER, root,
                        PETSC_OWN_POINTER);
  if (!e) e = PetscSFSetUp(t->colors->sf[color]);
  return e ? e : count_color(t, color);
}

void nsds_colors_send(const nsds_colors *s, nsds_whole *whole, int color, double *v) {
  nsds_mpi *mpi = whole->mpi;
  if (!s->sf[color]) return;
  ++mpi->exchanges;
  mpi->messages += s->messages[color];
  mpi->bytes += (long long)s->numbers[color] * (long long)sizeof *v;
  PetscSFBcastBegin(s->sf[color], MPI_DOUBLE, v, v, MPI_REPLACE);
  PetscSFBcastEnd(s->sf[color], MPI_DOUBLE, v, v, MPI_REPLACE);
}

/* ---- the whole ---- */

/* Lists the blocks by color, in their order. */
static void list_by_color(nsds_colors *s, int n) {
  for (int a = 0; a < n; ++a) ++s->first[s->of[a] + 1];
  for (int c = 0; c < s->count; ++c) s->first[c + 1] += s->first[c];
  for (int a = 0; a < n; ++a) s->block[s->first[s->of[a]]++] = a;
  for (int c = s->count; c > 0; --c) s->first[c] = s->first[c - 1];
  s->first[0] = 0;
}

static nsds_status make_exchanges(coloring *t, int *rank, int *place) {
  nsds_colors *s = t->colors;
  nsds_mpi *mpi = t->whole->mpi;
  double most = -1.0;
  for (int a = 0; a < t->f->nrow_block; ++a) most = fmax(most, s->of[a]);
  nsds_mpi_most(mpi, 1, &most);
  s->count = (int)most + 1;
  size_t count = (size_t)s->count;
  s->first = nsds_mpi_indices(mpi, count + 1);
  s->numbers = nsds_mpi_indices(mpi, count);
  s->messages = nsds_mpi_indices(mpi, count);
  s->sf = nsds_alloc(mpi->context, "exchanges of colors", count, sizeof(PetscSF));
  bool there = s->first && s->numbers && s->messages && s->sf;
  nsds_status status = nsds_mpi_agree(mpi, there ? NSDS_OK : NSDS_ERROR_MEMORY);
  if (status) return status;
  list_by_color(s, t->f->nrow_block);
  PetscErrorCode e = 0;
  double writers = 0.0;
  for (int c = 0; c < s->count && !e; ++c) {
    writers = fmax(writers, count_writers(t, c));
    e = make_exchange(t, c, rank, place);
  }
  nsds_mpi_most(mpi, 1, &writers);
  if (writers > 1.0) return refuse_identifiers(t);
  return nsds_mpi_agree(mpi, nsds_mpi_petsc(mpi, e, "exchanges of colors"));
}

nsds_status nsds_colors_open(nsds_colors *s, nsds_whole *whole, const long long *id) {
  nsds_mpi *mpi = whole->mpi;
  const nsds_factored *f = whole->problem.M.factored;
  size_t blocks = (size_t)f->nrow_block, columns = (size_t)f->ncolumn;
  coloring t = {.whole = whole, .f = f, .colors = s};
  int *rank = nsds_mpi_indices(mpi, columns), *place = nsds_mpi_indices(mpi, columns);
  double *sorted = nsds_mpi_numbers(mpi, blocks);
  *s = (nsds_colors){.of = nsds_mpi_indices(mpi, blocks), .block = nsds_mpi_indices(mpi, blocks)};
  t.priority = nsds_mpi_numbers(mpi, blocks);
  t.top = nsds_mpi_numbers(mpi, columns);
  bool there = rank && place && sorted && s->of && s->block && t.priority && t.top;
  nsds_status status = nsds_mpi_agree(mpi, there ? NSDS_OK : NSDS_ERROR_MEMORY);
  if (!status) status = nsds_mpi_agree(mpi, set_priorities(&t, id));
  if (!status) status = nsds_mpi_agree(mpi, check_different(&t, sorted));
  for (size_t a = 0; !status && a < blocks; ++a) s->of[a] = -1;
  if (!status) {
    count_words(&t);
    t.mask = nsds_mpi_indices(mpi, columns * (size_t)t.words);
    status = nsds_mpi_agree(mpi, t.mask ? NSDS_OK : NSDS_ERROR_MEMORY);
  }
  if (!status) status = color_blocks(&t);
  if (!status) status = make_exchanges(&t, rank, place);
  nsds_free(rank), nsds_free(place), nsds_free(sorted);
  nsds_free(t.priority), nsds_free(t.top), nsds_free(t.mask);
  return status;
}

void nsds_colors_close(nsds_colors *s) {
  if (s->lent) return;
  for (int c = 0; s->sf && c < s->count; ++c)
    if (s->sf[c] && !nsds_mpi_petsc_has_ended()) PetscSFDestroy(&s->sf[c]);
  nsds_free(s->of), nsds_free(s->first), nsds_free(s->block);
  nsds_free(s->sf), nsds_free(s->numbers), nsds_free(s->messages);
}
