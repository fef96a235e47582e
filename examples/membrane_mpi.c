/*
 * A membrane over a ball, on many processes. The membrane has EDGE x EDGE nodes; each process makes the rows of its
 * own nodes and nothing else:
 *
 *     M z + q = w,    0 <= w  perpendicular to  z - lower >= 0
 *
 * with the five-point Laplacian M. The program prints how the problem was solved, and the lift of the middle.
 *
 *     mpirun -n 2 membrane_mpi [EDGE]
 */
#include <nsds/mpi.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* The part of one process: rows `first` to first + n - 1. */
typedef struct membrane {
  int edge, first, n;
  int *p;
  long long *number;
  double *x, *q, *lower, *upper, *z, *w;
} membrane;

/* The ball, with a flat cone around it. */
static double lower_at(int k, int edge) {
  double slope_from = 0.9, h = 4.0 / (edge + 1), top = sqrt(1.0 - slope_from * slope_from);
  double r = hypot(h * (k % edge + 1) - 2.0, h * (double)(k / edge + 1) - 2.0);
  return r < slope_from ? sqrt(1.0 - r * r) : top - (r - slope_from) * slope_from / top;
}

/* Returns false if memory is out. */
static bool membrane_create(membrane *m, int edge, int rank, int size) {
  long long nodes = (long long)edge * edge;
  int count = 0;
  *m = (membrane){.edge = edge, .first = (int)(nodes * rank / size)};
  m->n = (int)(nodes * (rank + 1) / size) - m->first;
  size_t n = (size_t)m->n + 1;
  m->p = calloc(n, sizeof *m->p);
  m->number = calloc(5 * n, sizeof *m->number);
  m->x = calloc(5 * n, sizeof *m->x);
  m->q = calloc(n, sizeof *m->q), m->lower = calloc(n, sizeof *m->lower);
  m->upper = calloc(n, sizeof *m->upper);
  m->z = calloc(n, sizeof *m->z), m->w = calloc(n, sizeof *m->w);
  if (!m->p || !m->number || !m->x || !m->q || !m->lower || !m->upper || !m->z || !m->w)
    return false;
  for (int row = 0; row < m->n; ++row) {
    int j = m->first + row;
    const int step[5] = {-edge, -1, 0, 1, edge};
    for (int k = 0; k < 5; ++k) {
      int i = j + step[k];
      if (i < 0 || i >= nodes || ((k == 1 || k == 3) && i / edge != j / edge)) continue;
      m->number[count] = i;
      m->x[count++] = k == 2 ? 4.0 : -1.0;
    }
    m->p[row + 1] = count;
    m->lower[row] = lower_at(j, edge);
    m->upper[row] = INFINITY;
  }
  return true;
}

static void membrane_destroy(membrane *m) {
  free(m->p), free(m->number), free(m->x), free(m->q);
  free(m->lower), free(m->upper), free(m->z), free(m->w);
}

static nsds_status solve(nsds_mpi *mpi, membrane *m, nsds_mpi_info *info) {
  nsds_block block = {.set = NSDS_SET_BOX, .size = m->n, .lower = m->lower, .upper = m->upper};
  nsds_problem problem = {.n = m->n,
                          .nblock = 1,
                          .block = &block,
                          .q = m->q,
                          .M = {.storage = NSDS_CSC, .n = m->n, .p = m->p, .x = m->x}};
  nsds_mpi_part part = {.problem = &problem, .number = m->number};
  return nsds_mpi_solve(mpi, &part, NULL, m->z, m->w, info);
}

int main(int argc, char **argv) {
  int edge = argc > 1 ? atoi(argv[1]) : 257;
  nsds_context *context = nsds_context_create(NULL);
  nsds_mpi *mpi = nsds_mpi_create(context, NULL);
  membrane m = {0};
  nsds_mpi_info info;
  if (!mpi || edge < 1 || edge > 30000)
    return fprintf(stderr, "usage: membrane_mpi [EDGE]; %s\n", nsds_error_message(context)), 1;
  bool made = membrane_create(&m, edge, nsds_mpi_rank(mpi), nsds_mpi_size(mpi));
  nsds_status status = nsds_mpi_agree(mpi, made ? NSDS_OK : NSDS_ERROR_MEMORY);
  if (!status) status = solve(mpi, &m, &info);
  int middle = edge / 2 * edge + edge / 2 - m.first;
  if (!status && nsds_mpi_rank(mpi) == 0)
    printf(
        "%d nodes on %d processes: %s in %d steps, residual %.1e, %lld messages, %lld reductions\n",
        edge * edge, nsds_mpi_size(mpi), nsds_outcome_text(info.outcome), info.iterations,
        info.residual, info.messages, info.reductions);
  if (!status && middle >= 0 && middle < m.n) printf("middle: %.6f\n", m.z[middle]);
  if (status) fprintf(stderr, "rank %d: %s\n", nsds_mpi_rank(mpi), nsds_error_message(context));
  membrane_destroy(&m);
  nsds_mpi_destroy(mpi);
  nsds_context_destroy(context);
  return status ? 1 : 0;
}
