/*
 * Owners of bodies, and the copies that other processes need.
 *
 * Morton's curve through a grid of 1024^3 cubes around all bodies gives their order. A body weighs 1, and
 * 1 for each contact that goes with it. The curve is cut where the weights before are r / P of all.
 * Bisection finds all cuts at once.
 *
 * The bodies of a process, in the order of the curve, are cut into some parts. All processes learn the
 * boxes around these parts, which are wider by the reach of contacts and by the skin. A process sends copies of
 * its bodies to those whose boxes they meet. Bodies may come nearer by the skin before this is done again.
 */
#include "mpi/world.h"

#include <math.h>
#include <nsds/extend.h>
#include <stdlib.h>
#include <string.h>

enum { curve_bits = 10, key_bits = 3 * curve_bits, boxes = 32 };

typedef struct box {
  double low[3], high[3];
} box;

typedef struct sharing {
  nsds_mpi_world *w;
  nsds_here *here;
  box all; /* around all centers */
  nsds_member *own;
  int nown;
  nsds_touch *touch;
  int ntouch;
  uint32_t *key; /* of own bodies */
  int *owner;    /* of own bodies */
  int *count, *from;
  box *around; /* ranks x boxes */
} sharing;

/* ---- the curve ---- */

/* Puts two zeros behind each of ten bits. */
static uint32_t spread(uint32_t x) {
  x = (x | x << 16) & 0x030000FFu;
  x = (x | x << 8) & 0x0300F00Fu;
  x = (x | x << 4) & 0x030C30C3u;
  return (x | x << 2) & 0x09249249u;
}

/* Cells are cubes, so that flat and long worlds are cut across. */
static uint32_t curve_key(const box *all, const double *x) {
  uint32_t key = 0;
  double size = 0.0, cells = 1 << curve_bits;
  for (int k = 0; k < 3; ++k) size = fmax(size, all->high[k] - all->low[k]);
  for (int k = 0; k < 3; ++k) {
    double at = size > 0.0 ? floor((x[k] - all->low[k]) / size * cells) : 0.0;
    key |= spread((uint32_t)fmin(fmax(at, 0.0), cells - 1.0)) << k;
  }
  return key;
}

static void find_box(sharing *t) {
  double most[6];
  for (int k = 0; k < 6; ++k) most[k] = -INFINITY;
  for (int b = 0; b < t->nown; ++b)
    for (int k = 0; k < 3; ++k) {
      most[k] = fmax(most[k], t->own[b].body.q[k]);
      most[3 + k] = fmax(most[3 + k], -t->own[b].body.q[k]);
    }
  nsds_mpi_most(t->w->mpi, 6, most);
  for (int k = 0; k < 3; ++k) t->all.high[k] = most[k], t->all.low[k] = -most[3 + k];
}

typedef struct weighed {
  uint32_t key;
  double weight; /* of this body and those before */
} weighed;

static int compare_weighed(const void *a, const void *b) {
  uint32_t x = ((const weighed *)a)->key, y = ((const weighed *)b)->key;
  return (x > y) - (x < y);
}

/* Returns the weight of the bodies with keys below `key`. */
static double weight_below(const weighed *list, int n, uint64_t key) {
  int low = 0, high = n;
  while (low < high) {
    int middle = (low + high) / 2;
    if (list[middle].key < key) low = middle + 1;
    else high = middle;
  }
  return low > 0 ? list[low - 1].weight : 0.0;
}

/* Finds for each rank the least key from which on bodies belong to the next rank. */
static void find_cuts(nsds_mpi *mpi, const weighed *list, int n, uint64_t *cut, double *weight) {
  int cuts = mpi->size - 1;
  double all = n > 0 ? list[n - 1].weight : 0.0;
  nsds_mpi_total(mpi, 1, &all);
  for (int c = 0; c < cuts; ++c) cut[c] = 0;
  for (int bit = key_bits - 1; bit >= 0 && cuts > 0; --bit) {
    for (int c = 0; c < cuts; ++c) weight[c] = weight_below(list, n, cut[c] + (1ull << bit));
    nsds_mpi_total(mpi, cuts, weight);
    for (int c = 0; c < cuts; ++c)
      if (weight[c] <= all * (c + 1) / mpi->size) cut[c] += 1ull << bit;
  }
}

static nsds_status find_owners(sharing *t) {
  nsds_mpi *mpi = t->w->mpi;
  size_t n = (size_t)t->nown, ranks = (size_t)mpi->size;
  weighed *list = nsds_alloc(mpi->context, "weights of bodies", n + 1, sizeof *list);
  uint64_t *cut = nsds_alloc(mpi->context, "cuts", ranks, sizeof *cut);
  double *weight = nsds_mpi_numbers(mpi, ranks);
  nsds_status status = nsds_mpi_agree(mpi, list && cut && weight ? NSDS_OK : NSDS_ERROR_MEMORY);
  if (!status && list && cut && weight) {
    for (int b = 0; b < t->nown; ++b) list[b] = (weighed){t->key[b], t->own[b].weight};
    qsort(list, n, sizeof *list, compare_weighed);
    for (size_t b = 1; b < n; ++b) list[b].weight += list[b - 1].weight;
    find_cuts(mpi, list, t->nown, cut, weight);
    for (int b = 0; b < t->nown; ++b) {
      int rank = 0;
      while (rank < mpi->size - 1 && t->key[b] >= cut[rank]) ++rank;
      t->owner[b] = rank;
    }
  }
  nsds_free(list), nsds_free(cut), nsds_free(weight);
  return status;
}

/* ---- migration ---- */

static int compare_members(const void *a, const void *b) {
  long long x = ((const nsds_member *)a)->body.id, y = ((const nsds_member *)b)->body.id;
  return (x > y) - (x < y);
}

/* Scenery comes before bodies, as in the model. */
int nsds_compare_touches(const void *a, const void *b) {
  const nsds_touch *x = a, *y = b;
  if (x->a != y->a) return x->a < y->a ? -1 : 1;
  bool still = x->b < 0 && y->b < 0;
  if (x->b != y->b) return (x->b < y->b) != still ? -1 : 1;
  return (x->which > y->which) - (x->which < y->which);
}

/* Starts the places of items that go to each rank. */
static void start_places(const sharing *t, int *place) {
  for (int r = 0, sum = 0; r < t->w->mpi->size; ++r) {
    place[r] = sum;
    sum += t->count[r];
  }
}

/* Sends bodies to their owners. */
static nsds_status move_members(sharing *t) {
  nsds_mpi *mpi = t->w->mpi;
  nsds_member *sorted = nsds_alloc(mpi->context, "bodies", (size_t)t->nown + 1, sizeof *sorted);
  int *place = nsds_mpi_indices(mpi, (size_t)mpi->size);
  nsds_status status = nsds_mpi_agree(mpi, sorted && place ? NSDS_OK : NSDS_ERROR_MEMORY);
  if (!status) {
    for (int r = 0; r < mpi->size; ++r) t->count[r] = 0;
    for (int b = 0; b < t->nown; ++b) ++t->count[t->owner[b]];
    start_places(t, place);
    for (int b = 0; b < t->nown; ++b) {
      t->own[b].owner = t->owner[b];
      sorted[place[t->owner[b]]++] = t->own[b];
    }
    nsds_free(t->own);
    t->own = nsds_mpi_swap(mpi, sizeof *sorted, sorted, t->count, t->from, &t->nown);
    status = t->own ? NSDS_OK : NSDS_ERROR_MEMORY;
    if (!status) qsort(t->own, (size_t)t->nown, sizeof *t->own, compare_members);
  }
  nsds_free(sorted), nsds_free(place);
  return nsds_mpi_agree(mpi, status);
}

/* Sends contacts along with their first bodies. Both lists are sorted. */
static nsds_status move_touches(sharing *t, const nsds_touch *touch, int ntouch) {
  nsds_mpi *mpi = t->w->mpi;
  nsds_touch *sorted = nsds_alloc(mpi->context, "contacts", (size_t)ntouch + 1, sizeof *sorted);
  int *place = nsds_mpi_indices(mpi, (size_t)mpi->size);
  int *owner = nsds_mpi_indices(mpi, (size_t)ntouch);
  nsds_status status = nsds_mpi_agree(mpi, sorted && place && owner ? NSDS_OK : NSDS_ERROR_MEMORY);
  if (!status) {
    for (int r = 0; r < mpi->size; ++r) t->count[r] = 0;
    for (int k = 0, b = 0; k < ntouch; ++k) {
      while (t->own[b].body.id < touch[k].a) ++b;
      owner[k] = t->owner[b];
      ++t->count[owner[k]];
    }
    start_places(t, place);
    for (int k = 0; k < ntouch; ++k) sorted[place[owner[k]]++] = touch[k];
    t->touch = nsds_mpi_swap(mpi, sizeof *sorted, sorted, t->count, t->from, &t->ntouch);
    status = t->touch ? NSDS_OK : NSDS_ERROR_MEMORY;
    if (!status) qsort(t->touch, (size_t)t->ntouch, sizeof *t->touch, nsds_compare_touches);
  }
  nsds_free(sorted), nsds_free(place), nsds_free(owner);
  return nsds_mpi_agree(mpi, status);
}

/* ---- halo ---- */

static void extend_box(box *to, const double *x, double by) {
  for (int k = 0; k < 3; ++k) {
    to->low[k] = fmin(to->low[k], x[k] - by);
    to->high[k] = fmax(to->high[k], x[k] + by);
  }
}

static bool meets_box(const box *a, const box *b) {
  for (int k = 0; k < 3; ++k)
    if (!(a->low[k] <= b->high[k] && b->low[k] <= a->high[k])) return false;
  return true;
}

static const box empty_box = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};

typedef struct keyed {
  uint32_t key;
  int body;
} keyed;

static int compare_keyed(const void *a, const void *b) {
  const keyed *x = a, *y = b;
  if (x->key != y->key) return x->key < y->key ? -1 : 1;
  return (x->body > y->body) - (x->body < y->body);
}

/* Learns the boxes of all processes, wide enough that centers' balls meet them if a contact may come. */
static nsds_status find_boxes(sharing *t) {
  nsds_mpi *mpi = t->w->mpi;
  double margin = t->w->reach + t->here->skin;
  box *mine = nsds_alloc(mpi->context, "boxes", boxes, sizeof *mine);
  keyed *order = nsds_alloc(mpi->context, "order of bodies", (size_t)t->nown + 1, sizeof *order);
  nsds_status status = nsds_mpi_agree(mpi, mine && order ? NSDS_OK : NSDS_ERROR_MEMORY);
  for (int b = 0; !status && b < t->nown; ++b)
    order[b] = (keyed){curve_key(&t->all, t->own[b].body.q), b};
  if (!status && order) qsort(order, (size_t)t->nown, sizeof *order, compare_keyed);
  for (int k = 0; !status && mine && k < boxes; ++k) mine[k] = empty_box;
  for (int b = 0; !status && b < t->nown; ++b) {
    const nsds_member *m = &t->own[order[b].body];
    extend_box(&mine[(long long)b * boxes / t->nown], m->body.q, m->around + margin);
  }
  if (!status)
    MPI_Allgather(mine, boxes * (int)sizeof(box), MPI_BYTE, t->around, boxes * (int)sizeof(box),
                  MPI_BYTE, mpi->comm);
  nsds_free(mine), nsds_free(order);
  return status;
}

static bool is_near_rank(const box *body, const box *whole, const box *parts) {
  if (!meets_box(body, whole)) return false;
  for (int k = 0; k < boxes; ++k)
    if (meets_box(body, &parts[k])) return true;
  return false;
}

/* Lists bodies that other ranks need, rank by rank: their places among own bodies. The first pass counts. */
static int list_copies(sharing *t, int *list) {
  nsds_mpi *mpi = t->w->mpi;
  int total = 0;
  for (int r = 0; r < mpi->size; ++r) {
    box whole = empty_box;
    const box *parts = t->around + (ptrdiff_t)r * boxes;
    for (int k = 0; k < boxes; ++k)
      for (int i = 0; i < 3; ++i) {
        whole.low[i] = fmin(whole.low[i], parts[k].low[i]);
        whole.high[i] = fmax(whole.high[i], parts[k].high[i]);
      }
    int first = total;
    for (int b = 0; r != mpi->rank && b < t->nown; ++b) {
      box body = empty_box;
      extend_box(&body, t->own[b].body.q, t->own[b].around);
      if (!is_near_rank(&body, &whole, parts)) continue;
      if (list) list[total] = b;
      ++total;
    }
    t->count[r] = total - first;
  }
  return total;
}

/* Merges own bodies and copies. Both are sorted, the copies rank by rank. */
static nsds_status merge_members(sharing *t, const nsds_member *ghost, int nghost) {
  nsds_here *here = t->here;
  here->nown = t->nown;
  here->nmember = t->nown + nghost;
  here->member =
      nsds_alloc(t->w->mpi->context, "bodies", (size_t)here->nmember + 1, sizeof *here->member);
  here->own = nsds_mpi_indices(t->w->mpi, (size_t)t->nown + 1);
  if (!here->member || !here->own) return NSDS_ERROR_MEMORY;
  if (t->nown > 0) memcpy(here->member, t->own, (size_t)t->nown * sizeof *t->own);
  if (nghost > 0) memcpy(here->member + t->nown, ghost, (size_t)nghost * sizeof *ghost);
  qsort(here->member, (size_t)here->nmember, sizeof *here->member, compare_members);
  for (int k = 0, b = 0; k < here->nmember; ++k)
    if (here->member[k].owner == t->w->mpi->rank) here->own[b++] = k;
  return NSDS_OK;
}

static int member_place(const nsds_here *here, const nsds_member *member) {
  const nsds_member *at =
      bsearch(member, here->member, (size_t)here->nmember, sizeof *here->member, compare_members);
  return (int)(at - here->member);
}

/* Makes the list of neighbors from both lists of copies. */
static nsds_status list_neighbors(sharing *t, const int *list, const nsds_member *ghost) {
  nsds_mpi *mpi = t->w->mpi;
  nsds_here *here = t->here;
  for (int r = 0; r < mpi->size; ++r) here->nneighbor += t->count[r] + t->from[r] > 0;
  here->neighbor =
      nsds_alloc(mpi->context, "neighbors", (size_t)here->nneighbor + 1, sizeof *here->neighbor);
  here->request =
      nsds_alloc(mpi->context, "requests", 2 * (size_t)here->nneighbor + 1, sizeof *here->request);
  if (!here->neighbor || !here->request) return NSDS_ERROR_MEMORY;
  nsds_neighbor *n = here->neighbor;
  for (int r = 0; r < mpi->size; ++r) {
    if (t->count[r] + t->from[r] == 0) continue;
    *n = (nsds_neighbor){.rank = r, .nsend = t->count[r], .nreceive = t->from[r]};
    n->send = nsds_mpi_indices(mpi, (size_t)n->nsend + 1);
    n->receive = nsds_mpi_indices(mpi, (size_t)n->nreceive + 1);
    if (!n->send || !n->receive) return NSDS_ERROR_MEMORY;
    for (int k = 0; k < n->nsend; ++k) n->send[k] = member_place(here, &t->own[*list++]);
    for (int k = 0; k < n->nreceive; ++k) n->receive[k] = member_place(here, ghost++);
    ++n;
  }
  return NSDS_OK;
}

static nsds_status find_halo(sharing *t) {
  nsds_mpi *mpi = t->w->mpi;
  nsds_status status = find_boxes(t);
  if (status) return status;
  int total = list_copies(t, NULL), nghost = 0;
  int *list = nsds_mpi_indices(mpi, (size_t)total + 1);
  nsds_member *copy = nsds_alloc(mpi->context, "copies", (size_t)total + 1, sizeof *copy);
  nsds_member *ghost = NULL;
  status = nsds_mpi_agree(mpi, list && copy ? NSDS_OK : NSDS_ERROR_MEMORY);
  if (!status) {
    list_copies(t, list);
    for (int k = 0; k < total; ++k) copy[k] = t->own[list[k]];
    ghost = nsds_mpi_swap(mpi, sizeof *copy, copy, t->count, t->from, &nghost);
    status = ghost ? merge_members(t, ghost, nghost) : NSDS_ERROR_MEMORY;
    if (!status) status = list_neighbors(t, list, ghost);
    status = nsds_mpi_agree(mpi, status);
  }
  nsds_free(list), nsds_free(copy), nsds_free(ghost);
  return status;
}

/* ---- all of it ---- */

static nsds_status hold_sharing(sharing *t, const nsds_member *own, int nown) {
  nsds_mpi *mpi = t->w->mpi;
  size_t n = (size_t)nown, ranks = (size_t)mpi->size;
  t->own = nsds_alloc(mpi->context, "bodies", n + 1, sizeof *t->own);
  t->key = nsds_alloc(mpi->context, "keys of bodies", n + 1, sizeof *t->key);
  t->owner = nsds_mpi_indices(mpi, n);
  t->count = nsds_mpi_indices(mpi, ranks);
  t->from = nsds_mpi_indices(mpi, ranks);
  t->around = nsds_alloc(mpi->context, "boxes of processes", ranks * boxes, sizeof *t->around);
  bool there = t->own && t->key && t->owner && t->count && t->from && t->around;
  if (there && nown > 0) memcpy(t->own, own, n * sizeof *own);
  t->nown = nown;
  return nsds_mpi_agree(mpi, there ? NSDS_OK : NSDS_ERROR_MEMORY);
}

/* Widens the skin for fast bodies, so that the halo holds for some steps. */
static void choose_skin(sharing *t) {
  double fastest = 0.0;
  for (int b = 0; b < t->nown; ++b) {
    const double *v = t->own[b].body.v;
    fastest = fmax(fastest, hypot(hypot(v[0], v[1]), v[2]));
  }
  nsds_mpi_most(t->w->mpi, 1, &fastest);
  t->here->skin = fmax(t->w->def.skin, 8.0 * t->w->def.h * fastest);
}

nsds_status nsds_world_share(nsds_mpi_world *w, nsds_here *here, const nsds_member *own, int nown,
                             const nsds_touch *touch, int ntouch, nsds_touch **moved, int *nmoved) {
  sharing t = {.w = w, .here = here};
  nsds_status status = hold_sharing(&t, own, nown);
  if (!status) {
    choose_skin(&t);
    find_box(&t);
    for (int b = 0; b < nown; ++b) t.key[b] = curve_key(&t.all, t.own[b].body.q);
    status = find_owners(&t);
  }
  if (!status) status = move_touches(&t, touch, ntouch);
  if (!status) status = move_members(&t);
  if (!status) status = find_halo(&t);
  nsds_free(t.own), nsds_free(t.key), nsds_free(t.owner);
  nsds_free(t.count), nsds_free(t.from), nsds_free(t.around);
  *moved = status ? NULL : t.touch;
  *nmoved = status ? 0 : t.ntouch;
  if (status) nsds_free(t.touch);
  return status;
}
