/*
 * The energy of coupled inductors is i^T L i / 2, and L has to be positive semidefinite. With
 * currents in the unit 1 / sqrt(L_kk) it is the matrix of the couplings k, whose diagonal is 1.
 * Each group of inductors that couplings connect has its own. Cholesky's method tells if the matrix
 * is definite.
 */
#include "run/circuit/couplings.h"

#include "base/text/words.h"

#include <math.h>
#include <string.h>

static const double rounding =
    1e-9;                     /* eigenvalues from -rounding on count as 0: k = 1 is allowed */
enum { most_checked = 1000 }; /* inductors of a group; its matrix is dense */

/* Returns the element that stands for the group of an inductor. */
static int group_of(int *parent, int k) {
  while (parent[k] != k) k = parent[k] = parent[parent[k]];
  return k;
}

/* Replaces a matrix of n rows by its Cholesky factor; false if there is none. */
static bool is_definite(double *A, int n) {
  for (int k = 0; k < n; ++k) {
    double *pivot = A + (ptrdiff_t)k * n;
    if (!(pivot[k] > 0.0)) return false;
    for (int j = k + 1; j < n; ++j) {
      double *column = A + (ptrdiff_t)j * n, f = pivot[j] / pivot[k];
      for (int i = j; f != 0.0 && i < n; ++i) column[i] -= f * pivot[i];
    }
  }
  return true;
}

/* The groups: parent leads to the first element, place is that in the group, size stands at the
 * first. So does the last coupling, and before[c] is the one before coupling c; -1: none. */
typedef struct groups {
  int *parent, *place, *size, *last, *before;
  double *A;
} groups;

static nsds_status check_group(const nsds_elements *elements, const groups *g, int first) {
  int n = g->size[first];
  const nsds_coupling *last = &elements->coupling[g->last[first]];
  memset(g->A, 0, (size_t)n * (size_t)n * sizeof *g->A);
  for (int k = 0; k < n; ++k) g->A[k * (n + 1)] = 1.0 + rounding;
  for (int k = g->last[first]; k >= 0; k = g->before[k]) {
    const nsds_coupling *c = &elements->coupling[k];
    int a = g->place[c->first], b = g->place[c->second];
    g->A[(a < b ? a : b) * (ptrdiff_t)n + (a < b ? b : a)] += c->k;
  }
  if (is_definite(g->A, n)) return NSDS_OK;
  return nsds_netlist_refuse(
      elements->netlist, last->place,
      "the couplings of %.60s, %.60s and the inductors beside them give some currents a negative "
      "energy, as no coils can; make couplings smaller in size, or change a sign",
      elements->item[last->first].name, elements->item[last->second].name);
}

static nsds_status group_coils(const nsds_elements *elements, groups *g) {
  nsds_context *context = elements->netlist->job->context;
  int largest = 0;
  NSDS_MAKE(context, g->parent, elements->count + 1);
  NSDS_MAKE(context, g->place, elements->count + 1);
  NSDS_MAKE(context, g->size, elements->count + 1);
  NSDS_MAKE(context, g->last, elements->count + 1);
  NSDS_MAKE(context, g->before, elements->ncoupling + 1);
  if (!g->parent || !g->place || !g->size || !g->last || !g->before) return NSDS_ERROR_MEMORY;
  for (int k = 0; k < elements->count; ++k) g->parent[k] = k, g->last[k] = -1;
  for (int k = 0; k < elements->ncoupling; ++k) {
    int a = group_of(g->parent, elements->coupling[k].first);
    g->parent[group_of(g->parent, elements->coupling[k].second)] = a;
  }
  for (int k = 0; k < elements->ncoupling; ++k) {
    int *last = &g->last[group_of(g->parent, elements->coupling[k].first)];
    g->before[k] = *last;
    *last = k;
  }
  for (int k = 0; k < elements->count; ++k) {
    int first = group_of(g->parent, k);
    g->place[k] = g->size[first]++;
    if (g->size[first] > largest && g->size[first] <= most_checked) largest = g->size[first];
  }
  NSDS_MAKE(context, g->A, (size_t)largest * (size_t)largest + 1);
  return g->A ? NSDS_OK : NSDS_ERROR_MEMORY;
}

nsds_status nsds_couplings_check(const nsds_elements *elements) {
  groups g = {0};
  if (elements->ncoupling == 0) return NSDS_OK;
  nsds_status status = group_coils(elements, &g);
  for (int k = 0; !status && k < elements->count; ++k)
    if (g.parent[k] == k && g.size[k] > 1 && g.size[k] <= most_checked)
      status = check_group(elements, &g, k);
  nsds_free(g.parent);
  nsds_free(g.place);
  nsds_free(g.size);
  nsds_free(g.last);
  nsds_free(g.before);
  nsds_free(g.A);
  return status;
}
