/*
 * Distributed problems.
 *
 * Rows: each process owns a run of rows. An exchange fills the values of the rows of others that own
 * rows meet.
 *
 * Columns: a body that blocks of several processes meet has a copy on each of them. The process of
 * least rank owns it. A sum goes from the copies to the owner, and the result back to the copies.
 * Sums in twice the precision cut each number at 2^-24 of the largest copy. The sum of the upper
 * parts is exact. That of the lower parts is rounded at 2^-77 of the largest copy.
 *
 * PETSc's layout cuts all numbers of columns into runs, one for each process. This process hears which
 * ranks have a number, and tells the least of them.
 */
#include "mpi/whole.h"

#include "numerics/certify/twice.h"

#include <limits.h>
#include <math.h>
#include <nsds/extend.h>
#include <stdlib.h>

/* ---- exchanges ---- */

static void count_exchange(nsds_mpi *mpi, int numbers, int messages, int unit) {
  ++mpi->exchanges;
  mpi->messages += messages;
  mpi->bytes += (long long)numbers * unit;
}

void nsds_whole_fill(nsds_whole *w, const double *x) {
  count_exchange(w->mpi, w->sent, w->senders, (int)sizeof *x);
  PetscSFBcastBegin(w->sf, MPI_DOUBLE, x, w->other, MPI_REPLACE);
  PetscSFBcastEnd(w->sf, MPI_DOUBLE, x, w->other, MPI_REPLACE);
}

static void reduce_copies(nsds_whole *w, double *v, MPI_Op op) {
  count_exchange(w->mpi, w->collected, w->collectors, (int)sizeof *v);
  PetscSFReduceBegin(w->sf, MPI_DOUBLE, v, v, op);
  PetscSFReduceEnd(w->sf, MPI_DOUBLE, v, v, op);
  count_exchange(w->mpi, w->sent, w->senders, (int)sizeof *v);
  PetscSFBcastBegin(w->sf, MPI_DOUBLE, v, v, MPI_REPLACE);
  PetscSFBcastEnd(w->sf, MPI_DOUBLE, v, v, MPI_REPLACE);
}

void nsds_whole_sum(nsds_whole *w, double *v) { reduce_copies(w, v, MPI_SUM); }

/* ---- the halo of the certifier ---- */

static const double *halo_fill(void *self, const double *x) {
  nsds_whole *w = self;
  nsds_whole_fill(w, x);
  return w->other;
}

static void halo_raise(void *self, double *v) { reduce_copies(self, v, MPI_MAX); }

/* Adding and taking away 2^29 times the largest leaves the multiples of 2^-24 of the largest. */
static void halo_sum(void *self, double *v, double *low) {
  nsds_whole *w = self;
  if (!low) {
    nsds_whole_sum(w, v);
    return;
  }
  int n = w->problem.M.factored->ncolumn;
  for (int c = 0; c < n; ++c) w->most[c] = fabs(v[c]);
  halo_raise(self, w->most);
  for (int c = 0; c < n; ++c) {
    double cut = ldexp(1.0, 28 + (w->most[c] > 0.0 ? ilogb(w->most[c]) : 0)) * 1.5;
    w->coarse[c] = (v[c] + cut) - cut;
    w->fine[c] = (v[c] - w->coarse[c]) + low[c];
  }
  nsds_whole_sum(w, w->coarse);
  nsds_whole_sum(w, w->fine);
  for (int c = 0; c < n; ++c) {
    nsds_twice sum = nsds_twice_of_sum(w->coarse[c], w->fine[c]);
    v[c] = sum.high;
    low[c] = sum.low;
  }
}

static void halo_most(void *self, int count, double *x) {
  nsds_mpi_most(((nsds_whole *)self)->mpi, count, x);
}

static void halo_total(void *self, int count, double *x) {
  nsds_mpi_total(((nsds_whole *)self)->mpi, count, x);
}

/* Counts what exchanges send. */
static PetscErrorCode count_neighbors(nsds_whole *w) {
  PetscInt ranks;
  const PetscMPIInt *rank, *from;
  const PetscInt *offset, *offset_from;
  PetscErrorCode e = PetscSFGetRootRanks(w->sf, &ranks, &rank, &offset, NULL, NULL);
  if (e) return e;
  w->collectors = w->collected = w->senders = w->sent = 0;
  for (PetscInt k = 0; k < ranks; ++k)
    if (rank[k] != w->mpi->rank) {
      ++w->collectors;
      w->collected += offset[k + 1] - offset[k];
    }
  e = PetscSFGetLeafRanks(w->sf, &ranks, &from, &offset_from, NULL);
  if (e) return e;
  for (PetscInt k = 0; k < ranks; ++k)
    if (from[k] != w->mpi->rank) {
      ++w->senders;
      w->sent += offset_from[k + 1] - offset_from[k];
    }
  return 0;
}

/* ---- rows ---- */

static int compare_numbers(const void *a, const void *b) {
  PetscInt x = *(const PetscInt *)a, y = *(const PetscInt *)b;
  return (x > y) - (x < y);
}

/* Writes the columns of others, sorted, to `ghost`; returns how many there are. */
static int find_ghosts(const PetscInt *column, int entries, int first, int n, PetscInt *ghost) {
  int found = 0, kept = 0;
  for (int k = 0; k < entries; ++k)
    if (column[k] < first || column[k] >= first + n) ghost[found++] = column[k];
  qsort(ghost, (size_t)found, sizeof *ghost, compare_numbers);
  for (int k = 0; k < found; ++k)
    if (k == 0 || ghost[k] != ghost[k - 1]) ghost[kept++] = ghost[k];
  return kept;
}

static PetscErrorCode make_row_exchange(nsds_whole *w, int n, const PetscInt *ghost) {
  PetscLayout layout;
  PetscErrorCode e = PetscLayoutCreateFromSizes(w->mpi->comm, n, PETSC_DECIDE, 1, &layout);
  if (!e) e = PetscSFCreate(w->mpi->comm, &w->sf);
  if (!e) e = PetscSFSetGraphLayout(w->sf, layout, w->others, NULL, PETSC_COPY_VALUES, ghost);
  if (!e) e = PetscSFSetUp(w->sf);
  if (!e) e = count_neighbors(w);
  if (!e) e = PetscLayoutDestroy(&layout);
  return e;
}

nsds_status nsds_whole_open_rows(nsds_whole *w, nsds_mpi *mpi, int n, int entries,
                                 const PetscInt *column, int *i) {
  long long here = n, end = 0;
  w->mpi = mpi;
  MPI_Scan(&here, &end, 1, MPI_LONG_LONG, MPI_SUM, mpi->comm);
  w->first_row = (int)(end - n);
  PetscInt *ghost =
      nsds_alloc(mpi->context, "rows of other processes", (size_t)entries + 1, sizeof *ghost);
  w->others = ghost ? find_ghosts(column, entries, w->first_row, n, ghost) : 0;
  w->other = nsds_mpi_numbers(mpi, (size_t)w->others);
  nsds_status status = nsds_mpi_agree(mpi, ghost && w->other ? NSDS_OK : NSDS_ERROR_MEMORY);
  for (int k = 0; !status && ghost && k < entries; ++k) {
    int own = column[k] - w->first_row;
    if (own >= 0 && own < n) {
      i[k] = own;
      continue;
    }
    const PetscInt *at =
        bsearch(&column[k], ghost, (size_t)w->others, sizeof *ghost, compare_numbers);
    i[k] = n + (int)(at - ghost);
  }
  if (!status) status = nsds_mpi_petsc(mpi, make_row_exchange(w, n, ghost), "an exchange of rows");
  nsds_free(ghost);
  return nsds_mpi_agree(mpi, status);
}

/* Opens the exchange of the rows of the problem. */
static nsds_status open_matrix(nsds_whole *w, const nsds_mpi_part *part) {
  const nsds_matrix *M = &w->problem.M;
  int entries = M->n > 0 ? M->p[M->n] : 0;
  PetscInt *column = nsds_alloc(w->mpi->context, "columns", (size_t)entries + 1, sizeof *column);
  w->i = nsds_mpi_indices(w->mpi, (size_t)entries);
  nsds_status status = nsds_mpi_agree(w->mpi, column && w->i ? NSDS_OK : NSDS_ERROR_MEMORY);
  for (int k = 0; !status && k < entries; ++k) column[k] = (PetscInt)part->number[k];
  if (!status) status = nsds_whole_open_rows(w, w->mpi, M->n, entries, column, w->i);
  nsds_free(column);
  w->problem.M.i = w->i;
  w->halo.fill = halo_fill;
  return status;
}

/* ---- columns ---- */

/* Replaces value[c] of each column by the least, or the largest, over all processes that have its
 * number. The layout of all numbers says where they meet. */
static PetscErrorCode meet_by_number(nsds_mpi *mpi, int n, const PetscInt *number, PetscInt all,
                                     MPI_Op op, int *value) {
  PetscLayout layout = NULL;
  PetscSF sf = NULL;
  PetscInt roots = 0;
  PetscErrorCode e = PetscLayoutCreateFromSizes(mpi->comm, PETSC_DECIDE, all, 1, &layout);
  if (!e) e = PetscSFCreate(mpi->comm, &sf);
  if (!e) e = PetscSFSetGraphLayout(sf, layout, n, NULL, PETSC_COPY_VALUES, number);
  if (!e) e = PetscLayoutGetLocalSize(layout, &roots);
  int *met = e ? NULL : nsds_mpi_indices(mpi, (size_t)roots);
  if (!e && !met) e = PETSC_ERR_MEM;
  for (PetscInt k = 0; !e && k < roots; ++k) met[k] = op == MPI_MIN ? INT_MAX : INT_MIN;
  if (!e) e = PetscSFReduceBegin(sf, MPI_INT, value, met, op);
  if (!e) e = PetscSFReduceEnd(sf, MPI_INT, value, met, op);
  if (!e) e = PetscSFBcastBegin(sf, MPI_INT, met, value, MPI_REPLACE);
  if (!e) e = PetscSFBcastEnd(sf, MPI_INT, met, value, MPI_REPLACE);
  nsds_free(met);
  if (!e) e = PetscSFDestroy(&sf);
  return e ? e : PetscLayoutDestroy(&layout);
}

/* The least rank owns a column, and tells its place there. */
static PetscErrorCode make_column_exchange(nsds_whole *w, int n, const PetscInt *number,
                                           PetscInt all, int *owner, int *place) {
  nsds_mpi *mpi = w->mpi;
  PetscInt *leaf = NULL, leaves = 0;
  PetscSFNode *root = NULL;
  for (int c = 0; c < n; ++c) owner[c] = mpi->rank;
  PetscErrorCode e = meet_by_number(mpi, n, number, all, MPI_MIN, owner);
  for (int c = 0; c < n; ++c) place[c] = owner[c] == mpi->rank ? c : -1;
  if (!e) e = meet_by_number(mpi, n, number, all, MPI_MAX, place);
  for (int c = 0; c < n; ++c) leaves += owner[c] != mpi->rank;
  if (!e) e = PetscMalloc1((size_t)leaves, &leaf);
  if (!e) e = PetscMalloc1((size_t)leaves, &root);
  leaves = 0;
  for (int c = 0; !e && c < n; ++c)
    if (owner[c] != mpi->rank) {
      root[leaves] = (PetscSFNode){owner[c], place[c]};
      leaf[leaves++] = c;
    }
  if (!e) e = PetscSFCreate(mpi->comm, &w->sf);
  if (!e) e = PetscSFSetGraph(w->sf, n, leaves, leaf, PETSC_OWN_POINTER, root, PETSC_OWN_POINTER);
  if (!e) e = PetscSFSetUp(w->sf);
  return e ? e : count_neighbors(w);
}

/* Opens the exchange of the columns of a factored problem. */
static nsds_status open_columns(nsds_whole *w, const nsds_mpi_part *part) {
  nsds_mpi *mpi = w->mpi;
  int n = w->problem.M.factored->ncolumn;
  PetscInt *number = nsds_alloc(mpi->context, "columns", (size_t)n + 1, sizeof *number);
  int *owner = nsds_mpi_indices(mpi, (size_t)n), *place = nsds_mpi_indices(mpi, (size_t)n);
  w->coarse = nsds_mpi_numbers(mpi, (size_t)n);
  w->fine = nsds_mpi_numbers(mpi, (size_t)n);
  w->most = nsds_mpi_numbers(mpi, (size_t)n);
  bool there = number && owner && place && w->coarse && w->fine && w->most;
  nsds_status status = nsds_mpi_agree(mpi, there ? NSDS_OK : NSDS_ERROR_MEMORY);
  double last = 0.0;
  for (int c = 0; !status && c < n; ++c) {
    number[c] = (PetscInt)part->number[c];
    last = fmax(last, number[c]);
  }
  if (!status) nsds_mpi_most(mpi, 1, &last);
  if (!status)
    status =
        nsds_mpi_petsc(mpi, make_column_exchange(w, n, number, (PetscInt)last + 1, owner, place),
                       "an exchange of columns");
  nsds_free(number), nsds_free(owner), nsds_free(place);
  w->halo.sum = halo_sum;
  w->halo.raise = halo_raise;
  return nsds_mpi_agree(mpi, status);
}

nsds_whole nsds_whole_exchange(const nsds_whole *w) {
  return (nsds_whole){.sf = w->sf,
                      .sent = w->sent,
                      .collected = w->collected,
                      .senders = w->senders,
                      .collectors = w->collectors,
                      .coarse = w->coarse,
                      .fine = w->fine,
                      .most = w->most};
}

/* Takes the exchange of a problem with the same columns. */
static nsds_status borrow_columns(nsds_whole *w, const nsds_whole *kept) {
  nsds_whole with = nsds_whole_exchange(kept);
  with.mpi = w->mpi, with.problem = w->problem, with.halo = w->halo;
  with.lent = true;
  *w = with;
  w->halo.sum = halo_sum;
  w->halo.raise = halo_raise;
  w->problem.halo = &w->halo;
  return NSDS_OK;
}

/* ---- checks ---- */

static nsds_status check_numbers_of(nsds_mpi *mpi, const nsds_mpi_part *part, long long count,
                                    const char *call) {
  if (!part->number && count > 0)
    return nsds_report(mpi->context, NSDS_ERROR_ARGUMENT,
                       "%s: part.number is NULL; give the numbers of columns in the whole problem",
                       call);
  for (long long k = 0; k < count; ++k)
    if (part->number[k] < 0 || part->number[k] >= INT_MAX)
      return nsds_report(mpi->context, NSDS_ERROR_VALUE,
                         "%s: part.number[%lld] is %lld; columns go from 0 to %d", call, k,
                         part->number[k], INT_MAX - 1);
  return NSDS_OK;
}

/* Checks the own rows of compressed columns. The sets are checked with an empty matrix. */
static nsds_status check_rows(nsds_mpi *mpi, const nsds_mpi_part *part, const char *call) {
  static const unsigned bounds = NSDS_SET_EQUALITY | NSDS_SET_NONNEGATIVE | NSDS_SET_BOX;
  const nsds_problem *p = part->problem;
  const nsds_matrix *M = &p->M;
  if (p->n > 0 && (!M->p || M->p[0] != 0 || (M->p[p->n] > 0 && !M->x)))
    return nsds_report(mpi->context, NSDS_ERROR_ARGUMENT,
                       "%s: problem.M has no p that begins with 0, or no x", call);
  for (int j = 0; j < p->n; ++j)
    if (M->p[j + 1] < M->p[j])
      return nsds_report(mpi->context, NSDS_ERROR_VALUE,
                         "%s: problem.M.p falls from %d to %d at %d", call, M->p[j], M->p[j + 1],
                         j);
  for (int a = 0; a < p->nblock; ++a)
    if (!((unsigned)p->block[a].set & bounds))
      return nsds_report(mpi->context, NSDS_ERROR_UNSUPPORTED,
                         "%s: block %d is no equality, nonnegative or box block; give other sets "
                         "with a factored M",
                         call, a);
  int entries = p->n > 0 ? M->p[p->n] : 0;
  for (int k = 0; k < entries; ++k)
    if (!isfinite(M->x[k]))
      return nsds_report(mpi->context, NSDS_ERROR_VALUE, "%s: problem.M.x[%d] is not finite", call,
                         k);
  return check_numbers_of(mpi, part, entries, call);
}

/* Checks all but the matrix. */
static nsds_status whole_check_sets(nsds_mpi *mpi, const nsds_problem *problem) {
  nsds_problem sets = *problem;
  int *p = nsds_mpi_indices(mpi, (size_t)problem->n + 1);
  int none = 0;
  double zero = 0.0;
  if (!p) return NSDS_ERROR_MEMORY;
  sets.M = (nsds_matrix){.storage = NSDS_CSC, .n = problem->M.n, .p = p, .i = &none, .x = &zero};
  nsds_status status = nsds_problem_check(mpi->context, &sets);
  nsds_free(p);
  return status;
}

static nsds_status whole_check_part(nsds_mpi *mpi, const nsds_mpi_part *part, const char *call) {
  if (!part || !part->problem)
    return nsds_report(mpi->context, NSDS_ERROR_ARGUMENT, "%s: part%s is NULL", call,
                       part ? ".problem" : "");
  const nsds_problem *p = part->problem;
  if (p->halo)
    return nsds_report(mpi->context, NSDS_ERROR_ARGUMENT,
                       "%s: problem.halo is set; leave it NULL, the library sets it", call);
  if (p->M.storage == NSDS_FACTORED) {
    nsds_status status = nsds_problem_check(mpi->context, p);
    return status ? status : check_numbers_of(mpi, part, p->M.factored->ncolumn, call);
  }
  if (p->M.storage != NSDS_CSC)
    return nsds_report(mpi->context, NSDS_ERROR_UNSUPPORTED,
                       "%s: problem.M.storage is %d; distributed matrices are NSDS_CSC (%d) or "
                       "NSDS_FACTORED (%d)",
                       call, (int)p->M.storage, (int)NSDS_CSC, (int)NSDS_FACTORED);
  nsds_status status = whole_check_sets(mpi, p);
  return status ? status : check_rows(mpi, part, call);
}

/* Returns NSDS_OK if all processes give the same storage, and scale and q_error on all or none. Parts
 * without rows give neither. */
static nsds_status check_alike(nsds_mpi *mpi, const nsds_problem *p, const char *call,
                               bool *scaled) {
  static const char *const field[] = {"M.storage", "scale", "q_error"};
  double value[3] = {p->M.storage, p->scale != NULL, p->q_error != NULL}, ends[6];
  for (int k = 0; k < 3; ++k) {
    bool counts = k == 0 || p->n > 0;
    ends[k] = counts ? value[k] : -2.0;
    ends[3 + k] = counts ? -value[k] : -2.0;
  }
  nsds_mpi_most(mpi, 6, ends);
  for (int k = 0; k < 3; ++k)
    if (ends[k] + ends[3 + k] > 0.0)
      return nsds_report(mpi->context, NSDS_ERROR_ARGUMENT,
                         "%s: problem.%s is not the same on all processes", call, field[k]);
  *scaled = ends[1] > 0.0;
  return NSDS_OK;
}

/* Finds the first column that lies beyond the rows of the whole problem. */
static nsds_status whole_check_columns(nsds_mpi *mpi, const nsds_mpi_part *part, long long rows,
                                       const char *call) {
  const nsds_matrix *M = &part->problem->M;
  int entries = M->n > 0 ? M->p[M->n] : 0;
  for (int k = 0; k < entries; ++k)
    if (part->number[k] >= rows)
      return nsds_report(mpi->context, NSDS_ERROR_VALUE,
                         "%s: part.number[%d] is %lld, but the whole problem has %lld rows", call,
                         k, part->number[k], rows);
  return NSDS_OK;
}

/* Checks that each own row has a positive diagonal. */
static nsds_status check_diagonal(nsds_whole *w, const char *call) {
  const nsds_matrix *M = &w->problem.M;
  for (int j = 0; j < M->n; ++j) {
    double d = 0.0;
    for (int k = M->p[j]; k < M->p[j + 1]; ++k)
      if (M->i[k] == j) d = M->x[k];
    if (!(d > 0.0))
      return nsds_report(w->mpi->context, NSDS_ERROR_VALUE,
                         "%s: row %d of the part has the diagonal %g; it must be positive", call, j,
                         d);
  }
  return NSDS_OK;
}

nsds_status nsds_whole_check(nsds_mpi *mpi, const nsds_mpi_part *part, const char *call) {
  return nsds_mpi_agree(mpi, whole_check_part(mpi, part, call));
}

nsds_status nsds_whole_open(nsds_whole *w, nsds_mpi *mpi, const nsds_mpi_part *part,
                            const nsds_whole *kept, const char *call) {
  *w = (nsds_whole){.mpi = mpi};
  const nsds_problem *p = part->problem;
  bool scaled = false;
  static const double nothing = 0.0;
  nsds_status status = nsds_mpi_agree(mpi, check_alike(mpi, p, call, &scaled));
  if (status) return status;
  unsigned sets = 0;
  long long rows = p->n;
  for (int a = 0; a < p->nblock; ++a)
    if (p->block[a].size > 0) sets |= (unsigned)p->block[a].set;
  MPI_Allreduce(MPI_IN_PLACE, &sets, 1, MPI_UNSIGNED, MPI_BOR, mpi->comm);
  MPI_Allreduce(MPI_IN_PLACE, &rows, 1, MPI_LONG_LONG, MPI_SUM, mpi->comm);
  w->problem = *p;
  if (p->n == 0) w->problem.scale = scaled ? &nothing : NULL; /* all take the same branches */
  w->halo =
      (nsds_halo){.self = w, .rows = rows, .sets = sets, .most = halo_most, .total = halo_total};
  w->problem.halo = &w->halo;
  if (p->M.storage == NSDS_FACTORED) return kept ? borrow_columns(w, kept) : open_columns(w, part);
  status = rows < INT_MAX ? whole_check_columns(mpi, part, rows, call)
                          : nsds_report(mpi->context, NSDS_ERROR_SIZE,
                                        "%s: the whole problem has %lld rows; at most %d", call,
                                        rows, INT_MAX - 1);
  status = nsds_mpi_agree(mpi, status);
  if (!status) status = open_matrix(w, part);
  return status ? status : nsds_mpi_agree(mpi, check_diagonal(w, call));
}

void nsds_whole_close(nsds_whole *w) {
  nsds_free(w->i), nsds_free(w->other);
  if (w->lent) return;
  if (w->sf && !nsds_mpi_petsc_has_ended()) PetscSFDestroy(&w->sf);
  nsds_free(w->coarse), nsds_free(w->fine), nsds_free(w->most);
}
