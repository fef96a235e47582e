/*
 * Finds the unknowns that a singular matrix W leaves open, see diagnose.h. W is scaled by rows and
 * columns, then eliminated with complete pivoting (Golub & Van Loan, Matrix Computations, 3.4.8)
 * until only rounding is left. With the first remaining column u, U y = -u gives a vector that W
 * maps to zero. The large entries of this vector are the unknowns that can change together without
 * a trace in any equation.
 */
#include "kernel/assembly/diagnose.h"

#include "base/context.h"
#include "kernel/assembly/plan.h"
#include "kernel/modeling/label.h"
#include "kernel/modeling/modeling.h"

#include <float.h>
#include <stdio.h>

enum { most_diagnosed = 400, most_named = 4 };

typedef struct elimination {
  int n, rank;
  double *a, *y; /* n x n by columns; n */
  int *column;   /* unknown of each column */
} elimination;

static double *at(const elimination *e, int i, int j) { return &e->a[i + (ptrdiff_t)j * e->n]; }

static void load_w(const nsds_slot *slot, const elimination *e) {
  int n = e->n;
  memset(e->a, 0, (size_t)n * (size_t)n * sizeof *e->a);
  for (int j = 0; j < n; ++j) {
    e->column[j] = j;
    if (slot->pattern.diagonal) *at(e, j, j) = slot->W[j];
    else if (!slot->pattern.p)
      memcpy(at(e, 0, j), slot->W + (ptrdiff_t)j * n, (size_t)n * sizeof *e->a);
    else
      for (int k = slot->pattern.p[j]; k < slot->pattern.p[j + 1]; ++k)
        *at(e, slot->pattern.i[k], j) += slot->W[k];
  }
}

/* Divides row or column k by its largest entry. Returns false if that entry is not a number. */
static bool scale_line(const elimination *e, int k, bool row) {
  double largest = 0.0;
  for (int j = 0; j < e->n; ++j) {
    double entry = fabs(row ? *at(e, k, j) : *at(e, j, k));
    if (!isfinite(entry)) return false;
    if (entry > largest) largest = entry;
  }
  for (int j = 0; j < e->n && largest > 0.0; ++j) *(row ? at(e, k, j) : at(e, j, k)) /= largest;
  return true;
}

static void swap_lines(const elimination *e, int k, int row, int column) {
  for (int j = 0; j < e->n; ++j) {
    double kept = *at(e, k, j);
    *at(e, k, j) = *at(e, row, j);
    *at(e, row, j) = kept;
  }
  for (int i = 0; i < e->n; ++i) {
    double kept = *at(e, i, k);
    *at(e, i, k) = *at(e, i, column);
    *at(e, i, column) = kept;
  }
  int unknown = e->column[k];
  e->column[k] = e->column[column];
  e->column[column] = unknown;
}

/* Moves the largest remaining entry to (k, k) and returns its size. */
static double take_pivot(const elimination *e, int k) {
  int row = k, column = k;
  double largest = 0.0;
  for (int j = k; j < e->n; ++j)
    for (int i = k; i < e->n; ++i)
      if (fabs(*at(e, i, j)) > largest) {
        largest = fabs(*at(e, i, j));
        row = i;
        column = j;
      }
  swap_lines(e, k, row, column);
  return largest;
}

/* Eliminates W to a rank below n: a matrix found singular counts as singular by its last pivot at
 * least. */
static void eliminate_w(elimination *e) {
  double first = 0.0;
  for (e->rank = 0; e->rank < e->n - 1; ++e->rank) {
    int k = e->rank;
    double pivot = take_pivot(e, k);
    if (k == 0) first = pivot;
    if (pivot <= e->n * DBL_EPSILON * first) return;
    for (int i = k + 1; i < e->n; ++i) {
      double factor = *at(e, i, k) / *at(e, k, k);
      for (int j = k; factor != 0.0 && j < e->n; ++j) *at(e, i, j) -= factor * *at(e, k, j);
    }
  }
}

static void find_null_vector(const elimination *e) {
  for (int i = 0; i < e->n; ++i) e->y[i] = i == e->rank;
  for (int i = e->rank - 1; i >= 0; --i) {
    double sum = -*at(e, i, e->rank);
    for (int j = i + 1; j < e->rank; ++j) sum -= *at(e, i, j) * e->y[j];
    e->y[i] = sum / *at(e, i, i);
  }
}

/* Writes the names of the unknowns with large entries, in their order. */
static void name_unknowns(const elimination *e, char letter, char *text) {
  char list[128] = "";
  double largest = 0.0;
  size_t used = 0;
  int named = 0;
  for (int k = 0; k < e->n; ++k) largest = fmax(largest, fabs(e->y[k]));
  for (int unknown = 0; unknown < e->n; ++unknown)
    for (int k = 0; k < e->n; ++k) {
      if (e->column[k] != unknown || !(fabs(e->y[k]) >= 0.1 * largest)) continue;
      if (++named <= most_named)
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%c[%d]", named > 1 ? ", " : "",
                                 letter, unknown);
    }
  snprintf(text, nsds_diagnosis_size, ": its equations leave %s%s open%s", list,
           named > most_named ? " and others" : "", named > 1 ? " together" : "");
}

const char *nsds_describe_open(const nsds_slot *slot, char text[nsds_diagnosis_size]) {
  nsds_context *context = slot->on.context;
  elimination e = {.n = slot->nv};
  text[0] = '\0';
  if (e.n > most_diagnosed) return text;
  e.a = NSDS_NEW_ARRAY(context, double, (size_t)e.n *((size_t)e.n + 1));
  e.column = e.a ? NSDS_NEW_ARRAY(context, int, e.n) : NULL;
  if (e.column) {
    bool finite = true;
    e.y = e.a + (ptrdiff_t)e.n * e.n;
    load_w(slot, &e);
    for (int k = 0; k < e.n && finite; ++k) finite = scale_line(&e, k, true);
    for (int k = 0; k < e.n && finite; ++k) finite = scale_line(&e, k, false);
    if (finite) eliminate_w(&e);
    if (finite) find_null_vector(&e);
    if (finite) name_unknowns(&e, nsds_is_first_order(slot->ds) ? 'x' : 'v', text);
  }
  nsds_release(context, e.a);
  nsds_release(context, e.column);
  return text;
}

const char *nsds_describe_drive(const nsds_plan *plan, const nsds_contact *contact,
                                char text[nsds_diagnosis_size]) {
  char system[nsds_label_size], label[nsds_label_size], of[nsds_label_size] = "";
  const nsds_interaction *ia = contact->found.set ? NULL : contact->interaction;
  if (ia) nsds_relation_label(ia->relation, of);
  text[0] = '\0';
  for (int k = 0; k < contact->nedge; ++k) {
    const nsds_ds *ds = plan->slot[contact->reach[k].slot].ds;
    if (ds->prescribed.n == 0) continue;
    snprintf(text, nsds_diagnosis_size,
             "; prescribed velocities of %s may act against %s%s%s: prescribe what its law allows",
             nsds_ds_label(ds, system), nsds_contact_label(contact, label), ia ? ", " : "", of);
    break;
  }
  return text;
}

nsds_status nsds_problem_refused(nsds_context *context, const char *what, double t, int rows,
                                 const nsds_solver *solver) {
  const nsds_solver_row *row = nsds_solver_get_row(solver);
  return nsds_fail(context, NSDS_ERROR_SOLVER,
                   "%s t = %.17g: \"%s\" does not take the problem, which has %d rows: %s \"auto\" "
                   "takes every problem",
                   what, t, row->name, rows, row->summary);
}
