/*
 * Smoothed aggregation over processes (Vanek, Mandel & Brezina: Computing 56, 1996). Aggregates are
 * those of aggregation.c and stay within a process. With b = `near` and T = b on each aggregate,
 *
 *     P = (I - omega D^-1 A) T,     omega = 4/3 / |D^-1 A|,     next A = P^T A P
 *
 * where the norm is the largest row sum in the units of b. PETSc multiplies the matrices.
 */
#include "mpi/coarse.h"

#include <limits.h>
#include <math.h>
#include <string.h>

enum { near_sweeps = 3 };

/* ---- arrays ---- */

nsds_status nsds_mpi_level_hold(nsds_mpi_level *l, nsds_mpi *mpi) {
  double **const numbers[] = {&l->diagonal, &l->outer, &l->near, &l->q, &l->lower,
                              &l->upper,    &l->z,     &l->w,    &l->s, &l->step};
  bool there = true;
  for (size_t k = 0; k < sizeof numbers / sizeof *numbers; ++k) {
    *numbers[k] = nsds_mpi_numbers(mpi, (size_t)l->n);
    there = there && *numbers[k];
  }
  l->of = nsds_mpi_indices(mpi, (size_t)l->n);
  return nsds_mpi_agree(mpi, there && l->of ? NSDS_OK : NSDS_ERROR_MEMORY);
}

void nsds_mpi_level_free(nsds_mpi_level *l) {
  void *const pieces[] = {l->diagonal, l->outer, l->near, l->q,  l->lower, l->upper, l->z,
                          l->w,        l->s,     l->step, l->of, l->own_p, l->own_i, l->own_x};
  for (size_t k = 0; k < sizeof pieces / sizeof *pieces; ++k) nsds_free(pieces[k]);
  if (l->A) MatDestroy(&l->A);
  if (l->P) MatDestroy(&l->P);
  if (l->own_p) nsds_whole_close(&l->rows);
}

/* ---- the vector near the kernel ---- */

static void sweep_near(nsds_mpi_level *l, bool forwards) {
  nsds_whole_fill(&l->rows, l->near);
  for (int k = 0; k < l->n; ++k) {
    int i = forwards ? k : l->n - 1 - k;
    double sum = 0.0;
    for (int e = l->p[i]; e < l->p[i + 1]; ++e) {
      int j = l->i[e];
      sum += l->x[e] * (j < l->n ? l->near[j] : l->rows.other[j - l->n]);
    }
    l->near[i] -= sum / (l->diagonal[i] + l->outer[i]);
  }
}

void nsds_mpi_level_look(nsds_mpi_level *l) {
  for (int i = 0; i < l->n; ++i) {
    l->outer[i] = 0.0;
    for (int e = l->p[i]; e < l->p[i + 1]; ++e) {
      if (l->i[e] == i) l->diagonal[i] = l->x[e];
      if (l->i[e] >= l->n) l->outer[i] += fabs(l->x[e]);
    }
    l->near[i] = 1.0 / sqrt(l->diagonal[i]);
  }
  for (int k = 0; k < 2 * near_sweeps; ++k) sweep_near(l, k % 2 == 0);
  for (int i = 0; i < l->n; ++i) {
    double least = 1e-3 / sqrt(l->diagonal[i]);
    if (!(l->near[i] > least)) l->near[i] = least;
  }
}

/* ---- aggregates ---- */

static bool is_tied(const nsds_mpi_level *l, double least, int i, int e) {
  int j = l->i[e];
  double x = l->x[e];
  return j != i && j < l->n && x * x > least * least * l->diagonal[i] * l->diagonal[j];
}

static bool gather_free(nsds_mpi_level *l, double least, int i, int aggregate) {
  bool any = false;
  for (int e = l->p[i]; e < l->p[i + 1]; ++e)
    if (is_tied(l, least, i, e) && l->of[l->i[e]] == -1) {
      l->of[l->i[e]] = aggregate;
      any = true;
    }
  if (any) l->of[i] = aggregate;
  return any;
}

static bool is_apart(const nsds_mpi_level *l, double least, int i) {
  for (int e = l->p[i]; e < l->p[i + 1]; ++e)
    if (is_tied(l, least, i, e) && l->of[l->i[e]] != -1) return false;
  return l->of[i] == -1;
}

/* Whole neighborhoods first; the rest join one of these, or each other. Joined rows are marked
 * below -1 until all have looked. */
static int form_aggregates(nsds_mpi_level *l, double least) {
  int count = 0;
  for (int i = 0; i < l->n; ++i) l->of[i] = -1;
  for (int i = 0; i < l->n; ++i)
    if (is_apart(l, least, i)) count += gather_free(l, least, i, count);
  for (int i = 0; i < l->n; ++i)
    for (int e = l->p[i]; l->of[i] == -1 && e < l->p[i + 1]; ++e)
      if (is_tied(l, least, i, e) && l->of[l->i[e]] >= 0) l->of[i] = -2 - l->of[l->i[e]];
  for (int i = 0; i < l->n; ++i)
    if (l->of[i] < -1) l->of[i] = -2 - l->of[i];
  for (int i = 0; i < l->n; ++i)
    if (l->of[i] == -1) count += gather_free(l, least, i, count);
  return count;
}

/* ---- matrices ---- */

/* Returns omega. */
static double find_damping(nsds_mpi_level *l) {
  double most = 1.0;
  nsds_whole_fill(&l->rows, l->near);
  for (int i = 0; i < l->n; ++i) {
    double sum = 0.0;
    for (int e = l->p[i]; e < l->p[i + 1]; ++e) {
      int j = l->i[e];
      sum += fabs(l->x[e]) * (j < l->n ? l->near[j] : l->rows.other[j - l->n]);
    }
    most = fmax(most, sum / (l->diagonal[i] * l->near[i]));
  }
  nsds_mpi_most(l->rows.mpi, 1, &most);
  return 4.0 / 3.0 / most;
}

static PetscErrorCode smooth_prolongation(nsds_mpi_level *l, int aggregates, double omega) {
  MPI_Comm comm = l->rows.mpi->comm;
  Mat T;
  Vec scale;
  PetscScalar *x;
  PetscInt first = 0, first_row = l->rows.first_row;
  PetscErrorCode e = MatCreate(comm, &T);
  if (!e) e = MatSetSizes(T, l->n, aggregates, PETSC_DETERMINE, PETSC_DETERMINE);
  if (!e) e = MatSetType(T, MATMPIAIJ);
  if (!e) e = MatMPIAIJSetPreallocation(T, 1, NULL, 0, NULL);
  if (!e) e = MatGetOwnershipRangeColumn(T, &first, NULL);
  for (int i = 0; !e && i < l->n; ++i)
    if (l->of[i] >= 0)
      e = MatSetValue(T, first_row + i, first + l->of[i], l->near[i], INSERT_VALUES);
  if (!e) e = MatAssemblyBegin(T, MAT_FINAL_ASSEMBLY);
  if (!e) e = MatAssemblyEnd(T, MAT_FINAL_ASSEMBLY);
  if (!e) e = MatMatMult(l->A, T, MAT_INITIAL_MATRIX, PETSC_DEFAULT, &l->P);
  if (!e) e = MatCreateVecs(l->A, &scale, NULL);
  if (!e) e = VecGetArray(scale, &x);
  for (int i = 0; !e && i < l->n; ++i) x[i] = -omega / l->diagonal[i];
  if (!e) e = VecRestoreArray(scale, &x);
  if (!e) e = MatDiagonalScale(l->P, scale, NULL);
  if (!e) e = MatAXPY(l->P, 1.0, T, SUBSET_NONZERO_PATTERN);
  if (!e) e = VecDestroy(&scale);
  return e ? e : MatDestroy(&T);
}

/* Copies the own rows of A; column is allocated by the caller of nsds_whole_open_rows(). */
static nsds_status copy_rows(nsds_mpi_level *l, nsds_mpi *mpi) {
  PetscInt first, last, count, entries = 0;
  const PetscInt *column;
  const PetscScalar *x;
  MatInfo info;
  MatGetOwnershipRange(l->A, &first, &last);
  MatGetInfo(l->A, MAT_LOCAL, &info);
  l->n = last - first;
  size_t room = (size_t)info.nz_used + 1;
  PetscInt *all = nsds_alloc(mpi->context, "columns of a level", room, sizeof *all);
  l->own_p = nsds_mpi_indices(mpi, (size_t)l->n + 1);
  l->own_i = nsds_mpi_indices(mpi, room);
  l->own_x = nsds_mpi_numbers(mpi, room);
  bool there = all && l->own_p && l->own_i && l->own_x;
  nsds_status status = nsds_mpi_agree(mpi, there ? NSDS_OK : NSDS_ERROR_MEMORY);
  for (PetscInt i = first; !status && i < last; ++i) {
    MatGetRow(l->A, i, &count, &column, &x);
    for (PetscInt k = 0; k < count; ++k, ++entries) {
      all[entries] = column[k];
      l->own_x[entries] = x[k];
    }
    MatRestoreRow(l->A, i, &count, &column, &x);
    l->own_p[i - first + 1] = entries;
  }
  if (!status) status = nsds_whole_open_rows(&l->rows, mpi, l->n, entries, all, l->own_i);
  nsds_free(all);
  l->p = l->own_p, l->i = l->own_i, l->x = l->own_x;
  return status;
}

nsds_status nsds_mpi_coarsen(nsds_mpi_level *l, nsds_mpi_level *next, double strength, bool *made) {
  static const double stalls = 0.8;
  nsds_mpi *mpi = l->rows.mpi;
  int aggregates = form_aggregates(l, strength), all = aggregates;
  MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT, MPI_SUM, mpi->comm);
  *made = all > 0 && all < stalls * l->all;
  if (!*made) return NSDS_OK;
  *next = (nsds_mpi_level){.all = all};
  nsds_status status =
      nsds_mpi_petsc(mpi, smooth_prolongation(l, aggregates, find_damping(l)), "a prolongation");
  if (!status)
    status = nsds_mpi_petsc(mpi, MatPtAP(l->A, l->P, MAT_INITIAL_MATRIX, 2.0, &next->A),
                            "a matrix of a level");
  status = nsds_mpi_agree(mpi, status);
  if (!status) status = copy_rows(next, mpi);
  if (!status) status = nsds_mpi_level_hold(next, mpi);
  if (!status) nsds_mpi_level_look(next);
  return status;
}
