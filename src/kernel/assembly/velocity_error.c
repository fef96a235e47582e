/*
 * Bounds the error of the velocities in the solution of a reduced problem.
 *
 * Let z solve the problem up to errors |dw_i| <= d_i of its rows, and z + dz solve it exactly. The
 * laws are monotone, so that dz^T (M dz + dw) <= 0. A is the set of rows whose z may change. With
 * du = W^-1 H^T dz,
 *
 *     |du|_W^2 = dz^T M dz <= |dz_A . dw_A|,   hence   |du|_W <= |dw_A| in the norm of M_AA^-1
 *                                                     <= sum_A d_i sqrt((M_AA^-1)_ii).
 *
 * d_i is the sum of the certified residual and the rounding of the row's terms. M_AA itself loses
 * small terms: with two heavy bodies tied to a light one, it holds 1 + m/M beside 1. Therefore
 * velocity_factor.c finds a factor B of M_AA = B^T B system by system. B resolves the square of the
 * mass ratios that M_AA resolves. Rows that depend on others say nothing new and are left out. The
 * friction law's shift is taken as given, and the systems' own solves as exact.
 */
#include "kernel/assembly/velocity_error.h"

#include "base/context.h"
#include "kernel/assembly/slot.h"
#include "kernel/assembly/velocity_factor.h"
#include "kernel/modeling/modeling.h"
#include "kernel/modeling/shape_column.h"
#include "numerics/linear/edge.h"

#include <float.h>

enum { most_rows = 2000 }; /* memory and time grow as for a dense matrix */

static double squared(int n, const double *x) {
  double sum = 0.0;
  for (int i = 0; i < n; ++i) sum += x[i] * x[i];
  return sum;
}

static bool second_order(const nsds_velocity_work *t, int a) {
  return nsds_has_gap(t->plan->contact[t->o->set.active[a]].kind);
}

/* ---- errors of the rows ---------------------------------------------------------------------- */

/* Computes u and the sizes of its terms. */
static void sum_velocities(nsds_velocity_work *t) {
  const nsds_factored *f = &t->o->reduced.factored;
  for (size_t k = 0; k < t->plan->model->size.nv; ++k) {
    t->u[k] = t->plan->v_free[k];
    t->terms[k] = fabs(t->u[k]);
    t->count[k] = 1.0;
  }
  for (int a = 0; a < f->nrow_block; ++a)
    for (int e = f->first_edge[a]; e < f->first_edge[a + 1]; ++e) {
      const nsds_edge *edge = &f->edge[e];
      int m = f->row[a + 1] - f->row[a];
      for (int i = f->row[a]; i < f->row[a + 1]; ++i)
        for (int k = 0; k < edge->size; ++k) {
          double term = nsds_edge_y(f, edge, m, k, i - f->row[a]) * t->o->z[i];
          t->u[edge->column + k] += term;
          t->terms[edge->column + k] += fabs(term);
          t->count[edge->column + k] += 1.0;
        }
    }
}

/* Computes d_i of the rows of contact a, from the residual and rounding. */
static void row_errors(nsds_velocity_work *t, int a, double residual) {
  const nsds_factored *f = &t->o->reduced.factored;
  int m = f->row[a + 1] - f->row[a];
  const double *D = f->D ? f->D[a] : NULL;
  for (int r = 0; r < m; ++r) {
    double size = fabs(t->o->q[f->row[a] + r]), count = 2.0, most = 0.0;
    for (int e = f->first_edge[a]; e < f->first_edge[a + 1]; ++e) {
      const nsds_edge *edge = &f->edge[e];
      count += edge->size;
      for (int k = 0; k < edge->size; ++k) {
        size += fabs(edge->H[r + (ptrdiff_t)k * m]) * t->terms[edge->column + k];
        most = fmax(most, t->count[edge->column + k]);
      }
    }
    for (int j = 0; D && j < m; ++j) size += fabs(D[r + j * m] * t->o->z[f->row[a] + j]);
    t->error[f->row[a] + r] = (2.0 * residual + (count + most) * DBL_EPSILON) * size;
  }
}

static bool by_rows(nsds_set_kind set) {
  return set == NSDS_SET_EQUALITY || set == NSDS_SET_NONNEGATIVE || set == NSDS_SET_BOX;
}

/* Gives the rows of a set that are judged together their common error. */
static void share_errors(nsds_velocity_work *t) {
  const nsds_problem *problem = &t->o->problem;
  for (int b = 0, row = 0; b < problem->nblock; row += problem->block[b++].size) {
    int size = problem->block[b].size;
    if (by_rows(problem->block[b].set)) continue;
    double together = sqrt(squared(size, t->error + row));
    for (int i = 0; i < size; ++i) t->error[row + i] = together;
  }
}

/* ---- the rows whose z may change ------------------------------------------------------------- */

static bool small(const nsds_velocity_work *t, int i) { return fabs(t->o->w[i]) <= t->error[i]; }

static bool may_change(const nsds_velocity_work *t, const nsds_block *block, int row, int i) {
  if (block->set == NSDS_SET_EQUALITY) return true;
  if (by_rows(block->set)) return small(t, row + i);
  bool any = false;
  for (int k = 0; k < block->size; ++k) any = any || t->o->z[row + k] != 0.0 || small(t, row + k);
  return any;
}

static void choose_rows(nsds_velocity_work *t) {
  const nsds_problem *problem = &t->o->problem;
  t->n = 0;
  for (int b = 0, row = 0; b < problem->nblock; row += problem->block[b++].size)
    for (int i = 0; i < problem->block[b].size; ++i)
      t->place[row + i] = may_change(t, &problem->block[b], row, i) ? t->n++ : -1;
  for (int a = 0; a < t->o->reduced.factored.nrow_block;
       ++a) /* contacts of other systems do not count */
    for (int i = t->o->reduced.row[a]; i < t->o->reduced.row[a + 1]; ++i)
      if (!second_order(t, a)) t->place[i] = -1;
  t->n = 0;
  for (int i = 0; i < problem->n; ++i)
    if (t->place[i] >= 0) t->row[t->place[i] = t->n++] = i;
}

/* Returns the sum of d_i sqrt((M^-1)_ii). The square roots are lengths of rows of R^-1, found by
 * columns. */
static double sum_errors(nsds_velocity_work *t, int rank, double *x, double *length) {
  memset(length, 0, (size_t)t->n * sizeof *length);
  for (int j = 0; j < rank; ++j) {
    memset(x, 0, (size_t)rank * sizeof *x);
    x[j] = 1.0;
    for (int i = j; i >= 0; --i) {
      const double *r = nsds_velocity_row(t->R, t, i);
      for (int k = i + 1; k <= j; ++k) x[i] -= r[k] * x[k];
      x[i] /= r[i];
      length[i] += x[i] * x[i];
    }
  }
  double sum = 0.0;
  for (int i = 0; i < rank; ++i) sum += t->error[t->row[i]] * t->scale[i] * sqrt(length[i]);
  return sum;
}

/* ---- energy norms ---------------------------------------------------------------------------- */

static double velocity_error_energy(nsds_slot *slot, const double *v) {
  double sum = 0.0;
  for (int k = 0; k < slot->nv; ++k) slot->scratch[k] = 0.0;
  nsds_mass_multiply(slot, 1.0, v, slot->scratch);
  for (int k = 0; k < slot->nv; ++k) sum += v[k] * slot->scratch[k];
  return sum;
}

static double diagonal_mass(const nsds_slot *slot, int k) {
  if (!slot->M) return 1.0;
  nsds_shape_column column = nsds_shape_column_at(slot->ds->mass.p, slot->ds->mass.i, slot->nv, k);
  for (int e = column.first; e < column.last; ++e)
    if (nsds_shape_column_row(&column, e) == k) return slot->M[e];
  return 0.0;
}

/* Returns the rounding of u_free + Y z. The sum of sqrt(M_kk) |du_k| bounds the norm of a
 * system. */
static double rounding(const nsds_velocity_work *t, const nsds_slot *slot) {
  double sum = 0.0;
  for (int k = 0; k < slot->nv; ++k) {
    double u = t->count[slot->v0 + k] * DBL_EPSILON * t->terms[slot->v0 + k];
    sum += sqrt(fmax(diagonal_mass(slot, k), 0.0)) * u;
  }
  return sum * sum;
}

static double velocity_error_relative(nsds_velocity_work *t, double error) {
  double sum = 0.0, end = 0.0, start = 0.0;
  for (int s = 0; s < t->plan->nslot; ++s) {
    nsds_slot *slot = &t->plan->slot[s];
    if (!nsds_is_second_order(slot->ds)) continue;
    sum += rounding(t, slot);
    end += velocity_error_energy(slot, t->u + slot->v0);
    start += velocity_error_energy(slot, t->plan->v_free + slot->v0);
  }
  error += sqrt(sum);
  return error == 0.0 ? 0.0 : error / sqrt(fmax(end, start));
}

/* ---- the whole ------------------------------------------------------------------------------- */

static void velocity_error_list_edges(nsds_velocity_work *t) {
  const nsds_factored *f = &t->o->reduced.factored;
  for (int k = 0; k < f->ncolumn; ++k) t->head[k] = -1;
  for (int a = 0; a < f->nrow_block; ++a)
    for (int e = f->first_edge[a]; second_order(t, a) && e < f->first_edge[a + 1]; ++e) {
      t->block[e] = a;
      t->next[e] = t->head[f->edge[e].column];
      t->head[f->edge[e].column] = e;
    }
}

static double error_of_solution(nsds_velocity_work *t) {
  nsds_context *context = t->plan->context;
  size_t n = (size_t)t->n;
  int most = nsds_velocity_rows(t);
  double *memory = NSDS_NEW_ARRAY(context, double, (size_t)most *n + n * n + 3 * n + 1);
  if (!memory) return NAN;
  t->B = memory;
  t->R = t->B + (size_t)most * n;
  t->scale = t->R + n * n;
  nsds_velocity_factor(t);
  int rank = nsds_velocity_orthogonalise(t, t->scale + n);
  double error = sum_errors(t, rank, t->scale + n, t->scale + 2 * n);
  nsds_release(context, memory);
  return error;
}

static double velocity_error(nsds_velocity_work *t, double residual) {
  sum_velocities(t);
  for (int a = 0; a < t->o->reduced.factored.nrow_block; ++a) row_errors(t, a, residual);
  share_errors(t);
  choose_rows(t);
  velocity_error_list_edges(t);
  return velocity_error_relative(t, t->n > 0 ? error_of_solution(t) : 0.0);
}

static bool applies(const nsds_one_step *o) {
  if (!o->form->whole || o->problem.n > most_rows) return false;
  for (int s = 0; s < o->op.plan->nslot; ++s)
    if (nsds_is_second_order(o->op.plan->slot[s].ds)) return o->op.plan->count.mixed == 0;
  return false;
}

double nsds_one_step_velocity_error(const nsds_one_step *o, double residual) {
  if (!applies(o)) return NAN;
  nsds_context *context = o->op.plan->context;
  size_t n = (size_t)o->problem.n, nv = o->op.plan->model->size.nv;
  size_t edges = n > 0 ? (size_t)o->reduced.first_edge[o->set.nactive] : 0;
  double *memory = NSDS_NEW_ARRAY(context, double, 3 * nv + n + 1);
  int *lists = memory ? NSDS_NEW_ARRAY(context, int, nv + 2 * edges + 4 * n + 1) : NULL;
  nsds_velocity_work t = {.o = o, .plan = o->op.plan};
  double error = NAN;
  if (lists) {
    t.terms = memory;
    t.count = t.terms + nv;
    t.u = t.count + nv;
    t.error = t.u + nv;
    t.head = lists;
    t.next = t.head + nv;
    t.block = t.next + edges;
    t.row = t.block + edges;
    t.place = t.row + n;
    t.local = t.place + n;
    t.mine = t.local + n;
    error = velocity_error(&t, residual);
  }
  nsds_release(context, lists);
  nsds_release(context, memory);
  return error;
}
