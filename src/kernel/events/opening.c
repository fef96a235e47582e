/*
 * Sliding contacts that may either open or press. Friction may press a contact shut,
 * W_nn - mu W_nt < 0, while free motion opens it. Accelerations then have two solutions: the contact
 * is open, or it carries the force that just holds it. A little more force would grow without bound.
 * A little less would let the contact go. So the contact opens; time stepping opens it too.
 *
 *     d_k = A_kk - A_kr A_rr^-1 A_rk    r: the other rows at w = 0
 *
 * is W_nn - mu W_nt beside joints and other contacts. One elimination of all such rows gives all d. With d_k < 0 and these rows at w = 0, the row
 * opens at w_k = -d_k z_k > 0. The problem is then solved with z_k = 0. If w_k is not negative, this
 * is a solution of the first problem, and counts.
 *
 * Source: F. Genot, B. Brogliato, New results on Painleve paradoxes, Eur. J. Mech. A/Solids 18
 * (1999).
 */
#include "kernel/events/opening.h"

#include "base/base.h"
#include "numerics/solver_run.h"

/* Returns true if z of row k lies inside its bounds. */
static bool lies_inside(const nsds_event_rows *s, const nsds_row_part *part, int k) {
  const nsds_row *row = &s->row[part->chosen[k]];
  return row->normal > 0 ? part->z[k - row->normal] > 0.0
                         : part->z[k] > row->lower && part->z[k] < row->upper;
}

/* Exchanges w and z of row j in the copy C of A. C then has d of the rows that are not exchanged, and
 * 1 / d of those that are. */
static void exchange(double *C, int n, int j) {
  double pivot = C[j + (ptrdiff_t)j * n];
  for (int k = 0; k < n; ++k) {
    double factor = k == j ? 0.0 : C[j + (ptrdiff_t)k * n] / pivot;
    for (int i = 0; i < n && factor != 0.0; ++i)
      if (i != j) C[i + (ptrdiff_t)k * n] -= C[i + (ptrdiff_t)j * n] * factor;
    if (k != j) C[j + (ptrdiff_t)k * n] = -factor;
  }
  for (int i = 0; i < n; ++i) C[i + (ptrdiff_t)j * n] /= pivot;
  C[j + (ptrdiff_t)j * n] = 1.0 / pivot;
}

enum { AT_BOUND, INSIDE, EXCHANGED };

/* Exchanges the rows whose z lies inside its bounds, but for those that depend on others. */
static void exchange_all(const nsds_event_rows *s, const nsds_row_part *part,
                         unsigned char *place) {
  int n = part->n;
  size_t count = (size_t)n * (size_t)n;
  const double *A = s->system.A;
  double *C = s->system.A + count; /* room for a copy */
  nsds_copy_doubles(C, A, count);
  for (int k = 0; k < n; ++k) place[k] = lies_inside(s, part, k) ? INSIDE : AT_BOUND;
  for (;;) {
    int best = -1;
    double most = nsds_dependent;
    for (int k = 0; k < n; ++k) {
      ptrdiff_t at = k * ((ptrdiff_t)n + 1);
      double left = place[k] == INSIDE ? fabs(C[at]) : 0.0;
      if (left > most * fabs(A[at])) best = k, most = left / fabs(A[at]);
    }
    if (best < 0) return;
    exchange(C, n, best);
    place[best] = EXCHANGED;
  }
}

/* Returns d of row k, relative to A of this row; 0 if the row depends on others. */
static double rest_of_row(const nsds_event_rows *s, int n, const unsigned char *place, int k) {
  const double *A = s->system.A, *C = A + (size_t)n * (size_t)n;
  ptrdiff_t step = (ptrdiff_t)n + 1;
  double own = fabs(A[k * step]);
  if (place[k] != EXCHANGED) return C[k * step] / own;
  for (int i = 0; i < n; ++i) {
    bool depends = fabs(C[i + (ptrdiff_t)k * n]) * own > nsds_dependent * fabs(A[i * step]);
    if (place[i] == INSIDE && depends) return 0.0;
  }
  return 1.0 / (C[k * step] * own);
}

/* Returns true if row k belongs to a sliding contact that presses. */
static bool slides_and_presses(const nsds_event_rows *s, const nsds_row_part *part, int k) {
  const nsds_row *row = &s->row[part->chosen[k]];
  return row->degree == 2 && row->tangents > 0 && nsds_row_any_slides(row) && part->z[k] > 0.0;
}

/* Solves the problem with row k open. Returns true if this solves the first problem too. */
static bool opens(nsds_event_rows *s, const nsds_row_part *part, const nsds_problem *problem, int k,
                  nsds_status *status) {
  nsds_block *block = s->system.block, kept;
  nsds_solver_info info;
  for (int row = 0; row < k; ++block) row += block->size;
  kept = *block;
  if (kept.size != 1) return false; /* slip or rolling sticks */
  double *bound = s->system.bounds + 2 * k;
  bound[0] = bound[1] = 0.0;
  *block = (nsds_block){.set = NSDS_SET_BOX, .size = 1, .lower = &bound[0], .upper = &bound[1]};
  *status = nsds_solve(s->solver, problem, part->z, part->w, &info);
  bound[1] = INFINITY;
  *block = kept;
  return !*status && part->w[k] >= 0.0;
}

nsds_status nsds_event_open_rather(nsds_event_rows *s, const nsds_row_part *part,
                                   const nsds_problem *problem) {
  size_t n = (size_t)part->n;
  double *before = s->problem.before;
  unsigned char *place = s->problem.place;
  bool exchanged = false;
  for (int k = 0; k < part->n; ++k) {
    if (!slides_and_presses(s, part, k)) continue;
    if (!exchanged) exchange_all(s, part, place);
    exchanged = true;
    if (!(rest_of_row(s, part->n, place, k) < -nsds_dependent)) continue;
    nsds_status status = NSDS_OK;
    nsds_copy_doubles(before, part->z, n);
    nsds_copy_doubles(before + n, part->w, n);
    exchanged = !opens(s, part, problem, k, &status);
    if (!exchanged) continue;
    nsds_copy_doubles(part->z, before, n);
    nsds_copy_doubles(part->w, before + n, n);
    if (status && status != NSDS_ERROR_SOLVER) return status;
  }
  return NSDS_OK;
}
