/*
 * Problem files on many processes. Each process keeps a run of blocks with about its share of the rows.
 * In files of the format nsds each process reads its piece alone (part_piece.c), if M is factored, or sparse
 * with bounds. The processes read other files one after the other: only one of them then has the whole in memory.
 *
 *     bounds                 the rows in compressed columns
 *     friction, factored     the edges of the blocks, and the columns that they meet
 *     friction, otherwise    M = H Y with a column for each row: block a has an edge to each block c
 *                            that M couples it to, H = M_ac, and Y = I for its own, else 0
 */
#include "mpi/part_piece.h"

#include <math.h>
#include <nsds/extend.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static const double rounding = 1e-12; /* of sqrt(M_ii M_jj): such entries count as symmetric */

enum { most_pieces = 24, longest_kind = 40 };

struct nsds_mpi_file {
  nsds_mpi *mpi;
  nsds_mpi_part part;
  nsds_mpi_file_info info;
  nsds_problem problem;
  nsds_factored factored;
  char kind[longest_kind];
  void *piece[most_pieces]; /* all memory behind these */
  int npiece;
};

/* The whole, while the part is taken from it. */
typedef struct whole_file {
  const char *path;
  const nsds_problem *problem;
  int first, last;         /* blocks of this process */
  int first_row, last_row; /* and their rows */
  int *p, *i, *block_of;   /* compressed columns; the block of each row */
  double *x;
  const long long *global; /* of a piece: numbers of its columns in the whole; NULL: the whole */
} whole_file;

static void *part_memory(nsds_mpi_file *f, size_t count, size_t size) {
  void *memory = nsds_alloc(f->mpi->context, "a part of a problem", count + 1, size);
  if (memory) f->piece[f->npiece++] = memory;
  return memory;
}

static void *copy_of(nsds_mpi_file *f, const void *from, size_t count, size_t size) {
  void *to = part_memory(f, count, size);
  if (to && count > 0) memcpy(to, from, count * size);
  return to;
}

/* ---- blocks and rows ---- */

/* Finds the blocks of this process: those that begin in its share of the rows. */
static void find_run(const nsds_mpi *mpi, whole_file *w) {
  const nsds_problem *p = w->problem;
  int row = 0;
  w->first = w->last = w->first_row = w->last_row = 0;
  for (int a = 0; a < p->nblock; row += p->block[a++].size) {
    int rank = nsds_rank_of_row(mpi, p->n, row);
    if (rank < mpi->rank) w->first = a + 1, w->first_row = row + p->block[a].size;
    if (rank <= mpi->rank) w->last = a + 1, w->last_row = row + p->block[a].size;
  }
}

static nsds_status copy_bounds(nsds_mpi_file *f, nsds_block *block, double **to) {
  if (block->set == NSDS_SET_POLYHEDRON)
    return nsds_report(f->mpi->context, NSDS_ERROR_UNSUPPORTED,
                       "nsds_mpi_read: a block is a polyhedron; valid are equality, nonnegative "
                       "and box blocks, and Coulomb's law; solve the file on one process");
  if (block->set != NSDS_SET_BOX) return NSDS_OK;
  size_t m = (size_t)block->size;
  memcpy(*to, block->lower, m * sizeof **to), block->lower = *to, *to += m;
  memcpy(*to, block->upper, m * sizeof **to), block->upper = *to, *to += m;
  return NSDS_OK;
}

static nsds_status part_copy_rows(nsds_mpi_file *f, const whole_file *w, const double *guess) {
  const nsds_problem *p = w->problem;
  size_t rows = (size_t)(w->last_row - w->first_row), blocks = (size_t)(w->last - w->first);
  nsds_block *block = copy_of(f, p->block + w->first, blocks, sizeof *block);
  double *bound = part_memory(f, 2 * rows, sizeof *bound);
  double *q = copy_of(f, p->q + w->first_row, rows, sizeof *q);
  if (!block || !bound || !q) return NSDS_ERROR_MEMORY;
  nsds_status status = NSDS_OK;
  for (size_t a = 0; !status && a < blocks; ++a) status = copy_bounds(f, &block[a], &bound);
  f->problem = (nsds_problem){.n = (int)rows, .nblock = (int)blocks, .block = block, .q = q};
  if (!status && p->scale &&
      !(f->problem.scale = copy_of(f, p->scale + w->first_row, rows, sizeof *q)))
    return NSDS_ERROR_MEMORY;
  if (!status && p->q_error &&
      !(f->problem.q_error = copy_of(f, p->q_error + w->first_row, rows, sizeof *q)))
    return NSDS_ERROR_MEMORY;
  if (!status && guess && !(f->info.guess = copy_of(f, guess + w->first_row, rows, sizeof *q)))
    return NSDS_ERROR_MEMORY;
  return status;
}

/* ---- compressed columns of the whole ---- */

static nsds_status part_open_columns(const nsds_mpi *mpi, whole_file *w) {
  nsds_context *context = mpi->context;
  const nsds_problem *p = w->problem;
  size_t n = (size_t)p->n;
  int *work = nsds_alloc(context, "work of columns", nsds_problem_csc_work(p) + 1, sizeof *work);
  w->p = nsds_alloc(context, "columns", n + 1, sizeof *w->p);
  w->block_of = nsds_alloc(context, "blocks of rows", n + 1, sizeof *w->block_of);
  nsds_status status = work && w->p && w->block_of ? NSDS_OK : NSDS_ERROR_MEMORY;
  if (!status) nsds_problem_to_csc(p, w->p, NULL, NULL, work);
  size_t entries = status ? 0 : (size_t)w->p[n];
  if (!status) w->i = nsds_alloc(context, "rows of entries", entries + 1, sizeof *w->i);
  if (!status) w->x = nsds_alloc(context, "entries", entries + 1, sizeof *w->x);
  if (!w->i || !w->x) status = NSDS_ERROR_MEMORY;
  if (!status) nsds_problem_to_csc(p, w->p, w->i, w->x, work);
  nsds_free(work);
  for (int a = 0, row = 0; !status && a < p->nblock; ++a)
    for (int k = 0; k < p->block[a].size; ++k) w->block_of[row++] = a;
  return status;
}

static void part_close_columns(whole_file *w) {
  nsds_free(w->p), nsds_free(w->i), nsds_free(w->x), nsds_free(w->block_of);
}

/* M_ij, 0 if it is not stored. */
static double entry_at(const whole_file *w, int i, int j) {
  int least = w->p[j], most = w->p[j + 1];
  while (least < most) {
    int middle = least + (most - least) / 2;
    if (w->i[middle] < i) least = middle + 1;
    else most = middle;
  }
  return least < w->p[j + 1] && w->i[least] == i ? w->x[least] : 0.0;
}

/* Own columns stand for own rows, so M must be symmetric. */
static nsds_status check_symmetry(const nsds_mpi *mpi, const whole_file *w) {
  for (int j = w->first_row; j < w->last_row; ++j)
    for (int k = w->p[j]; k < w->p[j + 1]; ++k) {
      int i = w->i[k];
      double other = entry_at(w, j, i);
      double size = sqrt(fabs(entry_at(w, i, i) * entry_at(w, j, j)));
      if (fabs(w->x[k] - other) > rounding * size)
        return nsds_report(mpi->context, NSDS_ERROR_UNSUPPORTED,
                           "nsds_mpi_read: %s: M(%d,%d) is %.17g and M(%d,%d) is %.17g; many "
                           "processes solve problems with symmetric M; use one process",
                           w->path, i, j, w->x[k], j, i, other);
    }
  return NSDS_OK;
}

/* ---- bounds ---- */

static nsds_status part_take_bounds(nsds_mpi_file *f, const whole_file *w) {
  int n = f->problem.n, start = w->p[w->first_row];
  size_t entries = (size_t)(w->p[w->last_row] - start);
  int *p = part_memory(f, (size_t)n + 1, sizeof *p);
  long long *number = part_memory(f, entries, sizeof *number);
  double *x = copy_of(f, w->x + start, entries, sizeof *x);
  if (!p || !number || !x) return NSDS_ERROR_MEMORY;
  for (int j = 0; j <= n; ++j) p[j] = w->p[w->first_row + j] - start;
  for (size_t k = 0; k < entries; ++k) {
    int i = w->i[start + (ptrdiff_t)k];
    number[k] = w->global ? w->global[i] : i;
  }
  f->problem.M = (nsds_matrix){.storage = NSDS_CSC, .n = n, .p = p, .x = x, .symmetric = true};
  f->part.number = number;
  return NSDS_OK;
}

/* ---- friction ---- */

/* Sizes of the edges of this part. */
typedef struct edge_room {
  size_t edges, columns, numbers;
} edge_room;

/* Memory of the factored matrix of this part. */
typedef struct edge_lists {
  nsds_edge *edge;
  int *row, *first;
  double *number;     /* of H and Y */
  long long *column;  /* number of each local column */
  int nedge, ncolumn; /* so far */
} edge_lists;

static nsds_status open_lists(nsds_mpi_file *f, const edge_room *room, edge_lists *l) {
  const nsds_problem *p = &f->problem;
  *l = (edge_lists){.edge = part_memory(f, room->edges, sizeof *l->edge),
                    .row = part_memory(f, (size_t)p->nblock + 1, sizeof *l->row),
                    .first = part_memory(f, (size_t)p->nblock + 1, sizeof *l->first),
                    .number = part_memory(f, room->numbers, sizeof *l->number),
                    .column = part_memory(f, room->columns, sizeof *l->column)};
  if (!l->edge || !l->row || !l->first || !l->number || !l->column) return NSDS_ERROR_MEMORY;
  for (int a = 0; a < p->nblock; ++a) l->row[a + 1] = l->row[a] + p->block[a].size;
  return NSDS_OK;
}

static void close_lists(nsds_mpi_file *f, const edge_lists *l, const double *const *D,
                        const double *gain) {
  f->factored = (nsds_factored){.nrow_block = f->problem.nblock,
                                .ncolumn = l->ncolumn,
                                .row = l->row,
                                .first_edge = l->first,
                                .edge = l->edge,
                                .D = D,
                                .gain = gain};
  f->problem.M = (nsds_matrix){
      .storage = NSDS_FACTORED, .n = f->problem.n, .factored = &f->factored, .symmetric = true};
  f->part.number = l->column;
}

/* Returns the first local column of a group; the group gets its columns when it comes first. */
static int local_group(edge_lists *l, int *local, int first, int size) {
  if (local[first] == 0) {
    local[first] = l->ncolumn + 1;
    for (int c = 0; c < size; ++c) l->column[l->ncolumn++] = (long long)first + c;
  }
  return local[first] - 1;
}

static const double *put_in_lists(edge_lists *l, const double *from, size_t count) {
  double *to = l->number;
  memcpy(to, from, count * sizeof *to);
  l->number += count;
  return to;
}

static nsds_status part_take_factored(nsds_mpi_file *f, const whole_file *w, int *local) {
  const nsds_factored *all = w->problem->M.factored;
  int start = all->first_edge[w->first], end = all->first_edge[w->last];
  edge_room room = {.edges = (size_t)(end - start)};
  edge_lists l;
  for (int a = w->first; a < w->last; ++a) {
    size_t m = (size_t)w->problem->block[a].size;
    for (int k = all->first_edge[a]; k < all->first_edge[a + 1]; ++k) {
      room.columns += (size_t)all->edge[k].size;
      room.numbers += 2 * m * (size_t)all->edge[k].size;
    }
    room.numbers += m * m;
  }
  if (open_lists(f, &room, &l)) return NSDS_ERROR_MEMORY;
  const double **D = all->D ? part_memory(f, (size_t)f->problem.nblock, sizeof *D) : NULL;
  double *gain = all->gain ? part_memory(f, room.columns, sizeof *gain) : NULL;
  if ((all->D && !D) || (all->gain && !gain)) return NSDS_ERROR_MEMORY;
  for (int a = w->first; a < w->last; ++a) {
    size_t m = (size_t)w->problem->block[a].size;
    if (all->D && all->D[a]) D[a - w->first] = put_in_lists(&l, all->D[a], m * m);
    for (int k = all->first_edge[a]; k < all->first_edge[a + 1]; ++k) {
      const nsds_edge *e = &all->edge[k];
      size_t count = m * (size_t)e->size;
      nsds_edge *own = &l.edge[l.nedge++];
      *own = (nsds_edge){.column = local_group(&l, local, e->column, e->size), .size = e->size};
      own->H = put_in_lists(&l, e->H, count);
      if (e->Y) own->Y = put_in_lists(&l, e->Y, count);
      for (int c = 0; gain && c < e->size; ++c) gain[own->column + c] = all->gain[e->column + c];
    }
    l.first[a - w->first + 1] = l.nedge;
  }
  for (int c = 0; w->global && c < l.ncolumn; ++c) l.column[c] = w->global[l.column[c]];
  close_lists(f, &l, D, gain);
  return NSDS_OK;
}

/* Goes through the blocks that block a meets: an edge for each, in order. l NULL: only counts. */
static void couple_block(const whole_file *w, int a, int row, int *local, int *met, edge_room *room,
                         edge_lists *l) {
  int m = w->problem->block[a].size;
  for (int j = row; j < row + m; ++j)
    for (int k = w->p[j]; k < w->p[j + 1]; ++k) {
      int c = w->block_of[w->i[k]], size = w->problem->block[c].size, first = w->i[k];
      while (first > 0 && w->block_of[first - 1] == c) --first;
      size_t count = (size_t)m * (size_t)size;
      if (met[c] == 0 && !l) met[c] = 1, ++room->edges, room->columns += (size_t)size;
      else if (met[c] == 0) {
        nsds_edge *e = &l->edge[l->nedge++];
        met[c] = l->nedge;
        *e = (nsds_edge){.column = local_group(l, local, first, size), .size = size};
        e->H = l->number;
        for (int i = 0; c == a && i < m; ++i) l->number[count + (size_t)(i * (m + 1))] = 1.0;
        e->Y = l->number + count;
        l->number += 2 * count;
      }
      if (!l) continue;
      double *H = (double *)(uintptr_t)l->edge[met[c] - 1].H;
      H[j - row + (ptrdiff_t)(w->i[k] - first) * m] = w->x[k];
    }
  for (int j = row; j < row + m; ++j) /* the next block begins anew */
    for (int k = w->p[j]; k < w->p[j + 1]; ++k) {
      int c = w->block_of[w->i[k]];
      if (met[c] && !l) room->numbers += 2 * (size_t)m * (size_t)w->problem->block[c].size;
      met[c] = 0;
    }
}

static nsds_status part_take_coupled(nsds_mpi_file *f, const whole_file *w, int *local, int *met) {
  edge_room room = {0};
  edge_lists l;
  for (int a = w->first, row = w->first_row; a < w->last; row += w->problem->block[a++].size)
    couple_block(w, a, row, local, met, &room, NULL);
  if (open_lists(f, &room, &l)) return NSDS_ERROR_MEMORY;
  for (int a = w->first, row = w->first_row; a < w->last; row += w->problem->block[a++].size) {
    couple_block(w, a, row, local, met, &room, &l);
    l.first[a - w->first + 1] = l.nedge;
  }
  close_lists(f, &l, NULL, NULL);
  return NSDS_OK;
}

/* ---- the file ---- */

static bool part_has_friction(const nsds_problem *p) {
  for (int a = 0; a < p->nblock; ++a)
    if (p->block[a].set & ~(NSDS_SET_EQUALITY | NSDS_SET_NONNEGATIVE | NSDS_SET_BOX)) return true;
  return false;
}

static nsds_status part_take_matrix(nsds_mpi_file *f, whole_file *w) {
  const nsds_problem *p = w->problem;
  bool factored = p->M.storage == NSDS_FACTORED;
  int columns = factored ? p->M.factored->ncolumn : p->n;
  int *local = nsds_alloc(f->mpi->context, "places of columns", (size_t)columns + 1, sizeof *local);
  int *met = nsds_alloc(f->mpi->context, "met blocks", (size_t)p->nblock + 1, sizeof *met);
  nsds_status status = local && met ? NSDS_OK : NSDS_ERROR_MEMORY;
  if (!status && factored && !p->M.symmetric)
    status = nsds_report(f->mpi->context, NSDS_ERROR_UNSUPPORTED,
                         "nsds_mpi_read: %s: the factored M is not marked symmetric; many "
                         "processes solve problems with symmetric M; use one process",
                         w->path);
  if (!status && factored) status = part_take_factored(f, w, local);
  else if (!status) {
    status = part_open_columns(f->mpi, w);
    if (!status) status = check_symmetry(f->mpi, w);
    if (!status)
      status = part_has_friction(p) ? part_take_coupled(f, w, local, met) : part_take_bounds(f, w);
    part_close_columns(w);
  }
  nsds_free(local), nsds_free(met);
  return status;
}

/* Takes the part out of a piece. */
static nsds_status part_take_piece(nsds_mpi_file *f, const char *path, nsds_file_piece *piece) {
  nsds_context *context = f->mpi->context;
  nsds_problem_file *file =
      nsds_problem_read_memory(context, path, piece->text, piece->size, NSDS_FORMAT_NSDS);
  if (!file) return nsds_error(context);
  nsds_free(piece->text), piece->text = NULL;
  whole_file w = {.path = path,
                  .problem = nsds_problem_file_problem(file),
                  .last = piece->last - piece->first,
                  .last_row = piece->last_row - piece->first_row,
                  .global = piece->global};
  const nsds_stored_point *guess = nsds_problem_file_guess(file, 0);
  snprintf(f->kind, sizeof f->kind, "%s", nsds_problem_file_kind(file));
  f->info = (nsds_mpi_file_info){
      .kind = f->kind, .n = piece->n, .nblock = piece->nblock, .first_row = piece->first_row};
  bool coupled = w.problem->M.storage != NSDS_FACTORED && part_has_friction(w.problem);
  nsds_status status = coupled ? NSDS_ERROR_UNSUPPORTED : NSDS_OK;
  if (!status) status = nsds_problem_check(context, w.problem);
  if (!status) status = part_copy_rows(f, &w, guess ? guess->z : NULL);
  if (!status) status = part_take_matrix(f, &w);
  nsds_problem_file_destroy(file);
  return status;
}

static void part_forget(nsds_mpi_file *f) {
  for (int k = 0; k < f->npiece; ++k) nsds_free(f->piece[k]);
  f->npiece = 0;
  f->info = (nsds_mpi_file_info){0};
  f->problem = (nsds_problem){0};
  f->part.number = NULL;
}

/* Kinds of pieces may differ where blocks do. */
static void agree_on_kind(nsds_mpi_file *f) {
  nsds_mpi *mpi = f->mpi;
  char *all = nsds_alloc(mpi->context, "kinds", (size_t)mpi->size + 1, longest_kind);
  if (nsds_mpi_agree(mpi, all ? NSDS_OK : NSDS_ERROR_MEMORY) || !all) {
    nsds_free(all);
    return;
  }
  if (f->problem.nblock == 0) f->kind[0] = '\0';
  MPI_Allgather(f->kind, longest_kind, MPI_CHAR, all, longest_kind, MPI_CHAR, mpi->comm);
  const char *kind = "";
  for (int r = 0; r < mpi->size; ++r) {
    const char *other = all + (ptrdiff_t)longest_kind * r;
    if (kind[0] && other[0] && strcmp(kind, other) != 0) kind = "mixed";
    else if (other[0]) kind = other;
  }
  snprintf(f->kind, sizeof f->kind, "%s", kind[0] ? kind : "lcp");
  nsds_free(all);
}

/* Reads own pieces on all processes. false: on one of them the file has to be read as a whole. */
static bool part_read_piece(nsds_mpi_file *f, const char *path, nsds_format format) {
  nsds_file_piece piece = {0};
  nsds_log_fn log = NULL;
  void *user = NULL;
  nsds_context *context = f->mpi->context;
  bool failed_before = nsds_error(context) != NSDS_OK;
  bool native = f->mpi->size > 1 && (format == NSDS_FORMAT_AUTO || format == NSDS_FORMAT_NSDS);
  nsds_context_swap_log(context, &log, &user); /* the reader of the whole tells what is wrong */
  bool read = native && nsds_take_piece(f->mpi, path, &piece) && !part_take_piece(f, path, &piece);
  if (!read && !failed_before) nsds_error_clear(context);
  nsds_context_swap_log(context, &log, &user);
  nsds_free_piece(&piece);
  double missing = read ? 0.0 : 1.0;
  nsds_mpi_most(f->mpi, 1, &missing);
  if (missing > 0.0) part_forget(f);
  else agree_on_kind(f);
  return missing == 0.0;
}

/* Reads the whole file, and keeps the part of this process. */
static nsds_status part_read(nsds_mpi_file *f, const char *path, nsds_format format) {
  nsds_context *context = f->mpi->context;
  nsds_problem_file *file = nsds_problem_read(context, path, format);
  if (!file) return nsds_error(context);
  whole_file w = {.path = path, .problem = nsds_problem_file_problem(file)};
  const nsds_stored_point *guess = nsds_problem_file_guess(file, 0);
  snprintf(f->kind, sizeof f->kind, "%s", nsds_problem_file_kind(file));
  nsds_status status = NSDS_OK;
  if (!w.problem)
    status = nsds_report(context, NSDS_ERROR_UNSUPPORTED,
                         "nsds_mpi_read: %s holds a %s problem; valid on many processes are "
                         "problems w = M z + q; use one process",
                         path, f->kind);
  if (!status) status = nsds_problem_check(context, w.problem);
  if (!status) {
    find_run(f->mpi, &w);
    f->info = (nsds_mpi_file_info){
        .kind = f->kind, .n = w.problem->n, .nblock = w.problem->nblock, .first_row = w.first_row};
    status = part_copy_rows(f, &w, guess ? guess->z : NULL);
  }
  if (!status) status = part_take_matrix(f, &w);
  nsds_problem_file_destroy(file);
  return status;
}

nsds_mpi_file *nsds_mpi_read(nsds_mpi *mpi, const char *path, nsds_format format) {
  if (!mpi || !path) {
    nsds_report(mpi ? mpi->context : NULL, NSDS_ERROR_ARGUMENT, "nsds_mpi_read: %s is NULL",
                mpi ? "path" : "mpi");
    return NULL;
  }
  nsds_mpi_file *f = nsds_alloc(mpi->context, "a problem file", 1, sizeof *f);
  nsds_status status = nsds_mpi_agree(mpi, f ? NSDS_OK : NSDS_ERROR_MEMORY);
  if (f) f->mpi = mpi, f->part.problem = &f->problem;
  bool whole = f && !status && !part_read_piece(f, path, format);
  for (int rank = 0; whole && !status && rank < mpi->size; ++rank)
    status = nsds_mpi_agree(mpi, rank == mpi->rank ? part_read(f, path, format) : NSDS_OK);
  if (!status) return f;
  nsds_mpi_file_destroy(f);
  return NULL;
}

void nsds_mpi_file_destroy(nsds_mpi_file *file) {
  if (!file) return;
  part_forget(file);
  nsds_free(file);
}

const nsds_mpi_part *nsds_mpi_file_part(const nsds_mpi_file *file) {
  return file ? &file->part : NULL;
}

const nsds_mpi_file_info *nsds_mpi_file_report(const nsds_mpi_file *file) {
  return file ? &file->info : NULL;
}
