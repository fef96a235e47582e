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
 * B with B^T B = M_AA is found system by system: the Cholesky factor, with pivoting, of the system's contribution
 * H_s Y_s. B resolves the square of the mass ratios that M_AA resolves. R of B P = Q R comes from modified Gram-Schmidt
 * with column pivoting (Bjorck, Numerical Methods for Least Squares Problems, SIAM 1996, 2.4.2 and 2.7.3) in columns of
 * unit length. Rows that depend on others say nothing new and are left out. The
 * friction law's shift is taken as given, and the systems' own solves as exact.
 */
#include "kernel/assembly/velocity_error.h"

#include "base/context.h"
#include "kernel/assembly/slot.h"
#include "kernel/modeling/modeling.h"
#include "kernel/modeling/shape_column.h"
#include "numerics/linear/edge.h"

#include <float.h>

typedef struct velocity_work {
  const nsds_one_step *o;
  const nsds_plan *plan;
  double *terms, *count, *u; /* nv: |u_free| + |Y| |z|, number of its terms, u */
  double *error;             /* by rows: d_i */
  int *head, *next, *block;  /* edges by columns; block row of each */
  int *row, *place;          /* rows in A, and the place of each row there or -1 */
  int *local, *mine;         /* row and place within one system */
  int n;                     /* rows in A */
  double *B, *R, *scale;     /* rows x n, n x n, n: columns of B have unit length */
  int rows;
} velocity_work;

static inline double *factor_row(double *a, const velocity_work *t, int i) {
  return a + (size_t)i * (size_t)t->n;
}

enum { most_rows = 2000 }; /* memory and time grow as for a dense matrix */

static double squared(int n, const double *x) {
  double sum = 0.0;
  for (int i = 0; i < n; ++i) sum += x[i] * x[i];
  return sum;
}

static bool second_order(const velocity_work *t, int a) {
  return nsds_has_gap(t->plan->contact[t->o->set.active[a]].kind);
}

/* Columns with a smaller rest depend on others. The limit is a mass ratio of its inverse square. */
static const double dependent = 1e-11;

/* ---- the factor B ---------------------------------------------------------------------------- */

/* Adds a row of B for each pivot of the m x m matrix G of the rows `mine`, at most `most` rows. G
 * is symmetric up to rounding. The Cholesky factor takes the largest pivot first. */
static void append(velocity_work *t, int m, double *G, int most) {
  double limit = 0.0;
  for (int i = 0; i < m; ++i) limit = fmax(limit, G[i + (ptrdiff_t)i * m]);
  limit *= (m + most) * DBL_EPSILON;
  for (int k = 0; k < most && k < m; ++k) {
    int best = 0;
    for (int i = 1; i < m; ++i)
      if (G[i + (ptrdiff_t)i * m] > G[best + (ptrdiff_t)best * m]) best = i;
    double pivot = G[best + (ptrdiff_t)best * m];
    if (!(pivot > limit)) return;
    double *row = t->B + (size_t)t->rows++ * (size_t)t->n, root = sqrt(pivot);
    for (int i = 0; i < t->n; ++i) row[i] = 0.0;
    for (int i = 0; i < m; ++i) row[t->mine[i]] = G[i + (ptrdiff_t)best * m] / root;
    for (int j = 0; j < m; ++j)
      for (int i = 0; i < m; ++i) G[i + (ptrdiff_t)j * m] -= row[t->mine[i]] * row[t->mine[j]];
    G[best + (ptrdiff_t)best * m] = 0.0;
  }
}

/* Lists the rows in A that meet the column group of `head` and returns their number. */
static int rows_of_system(velocity_work *t, int head) {
  const nsds_factored *f = &t->o->reduced.factored;
  int m = 0;
  for (int e = head; e >= 0; e = t->next[e])
    for (int i = f->row[t->block[e]]; i < f->row[t->block[e] + 1]; ++i) {
      int at = t->place[i];
      if (at < 0 || t->local[at] >= 0) continue;
      t->mine[m] = at;
      t->local[at] = m++;
    }
  return m;
}

static void forget_rows(velocity_work *t, int m) {
  for (int i = 0; i < m; ++i) t->local[t->mine[i]] = -1;
}

static int count_factor_rows(velocity_work *t) {
  const nsds_factored *f = &t->o->reduced.factored;
  int count = 0;
  for (int i = 0; i < t->n; ++i) t->local[i] = -1;
  for (int k = 0; k < f->ncolumn; ++k) {
    int m = t->head[k] >= 0 ? rows_of_system(t, t->head[k]) : 0;
    forget_rows(t, m);
    if (m > 0) count += m < f->edge[t->head[k]].size ? m : f->edge[t->head[k]].size;
  }
  return count + (f->D ? t->n : 0);
}

/* Adds the symmetric part of H Y^T, of two edges of one system, to G. */
static void add_pair(const velocity_work *t, int eh, int ey, int m, double *G) {
  const nsds_factored *f = &t->o->reduced.factored;
  const nsds_edge *h = &f->edge[eh], *y = &f->edge[ey];
  int a = t->block[eh], b = t->block[ey];
  int ma = f->row[a + 1] - f->row[a], mb = f->row[b + 1] - f->row[b];
  for (int j = f->row[b]; j < f->row[b + 1]; ++j)
    for (int i = f->row[a]; i < f->row[a + 1]; ++i) {
      if (t->place[i] < 0 || t->place[j] < 0) continue;
      const double *H = h->H + (i - f->row[a]);
      double sum = 0.0;
      for (int k = 0; k < h->size; ++k)
        sum += H[(size_t)k * (size_t)ma] * nsds_edge_y(f, y, mb, k, j - f->row[b]);
      int r = t->local[t->place[i]], c = t->local[t->place[j]];
      G[r + (ptrdiff_t)c * m] += 0.5 * sum;
      G[c + (ptrdiff_t)r * m] += 0.5 * sum;
    }
}

static void append_system(velocity_work *t, int head) {
  int m = rows_of_system(t, head);
  memset(t->R, 0, (size_t)m * (size_t)m * sizeof *t->R);
  for (int e = head; e >= 0; e = t->next[e])
    for (int y = head; y >= 0; y = t->next[y]) add_pair(t, e, y, m, t->R);
  append(t, m, t->R, t->o->reduced.factored.edge[head].size);
  forget_rows(t, m);
}

/* Adds the diagonal block that a law or a relation gives a contact. */
static void append_compliance(velocity_work *t, int a) {
  const nsds_factored *f = &t->o->reduced.factored;
  const double *D = f->D ? f->D[a] : NULL;
  int first = f->row[a], size = f->row[a + 1] - first, m = 0;
  for (int i = 0; D && i < size; ++i)
    if (t->place[first + i] >= 0) t->mine[m++] = t->place[first + i];
  for (int j = 0; j < m; ++j)
    for (int i = 0; i < m; ++i) {
      int r = t->row[t->mine[i]] - first, c = t->row[t->mine[j]] - first;
      t->R[i + j * m] = 0.5 * (D[r + c * size] + D[c + r * size]);
    }
  append(t, m, t->R, m);
}

static void find_factor(velocity_work *t) {
  const nsds_factored *f = &t->o->reduced.factored;
  t->rows = 0;
  for (int k = 0; k < f->ncolumn; ++k)
    if (t->head[k] >= 0) append_system(t, t->head[k]);
  for (int a = 0; a < f->nrow_block; ++a) append_compliance(t, a);
}

/* ---- Q R ------------------------------------------------------------------------------------- */

/* Sums the squares of column j of B, for all j, into `sum`. */
static void column_squares(velocity_work *t, double *sum) {
  memset(sum, 0, (size_t)t->n * sizeof *sum);
  for (int k = 0; k < t->rows; ++k)
    for (int j = 0; j < t->n; ++j) sum[j] += factor_row(t->B, t, k)[j] * factor_row(t->B, t, k)[j];
}

/* Scales the columns to unit length. Columns of rows that move nothing stay zero. */
static void scale_columns(velocity_work *t, double *length) {
  column_squares(t, length);
  for (int j = 0; j < t->n; ++j) t->scale[j] = length[j] > 0.0 ? 1.0 / sqrt(length[j]) : 0.0;
  for (int k = 0; k < t->rows; ++k)
    for (int j = 0; j < t->n; ++j) factor_row(t->B, t, k)[j] *= t->scale[j];
}

static void swap(double *a, int j, int k) {
  double x = a[j];
  a[j] = a[k];
  a[k] = x;
}

static void exchange_columns(velocity_work *t, int steps, int j, int k) {
  int row = t->row[j];
  t->row[j] = t->row[k];
  t->row[k] = row;
  swap(t->scale, j, k);
  for (int i = 0; i < t->rows; ++i) swap(factor_row(t->B, t, i), j, k);
  for (int i = 0; i < steps; ++i) swap(factor_row(t->R, t, i), j, k);
}

/* Computes row k of R and removes column k's direction from the later columns. */
static void eliminate_column(velocity_work *t, int k, double length) {
  double *r = factor_row(t->R, t, k);
  memset(r, 0, (size_t)t->n * sizeof *r);
  for (int i = 0; i < t->rows; ++i) {
    double *b = factor_row(t->B, t, i);
    b[k] /= length;
    for (int j = k + 1; j < t->n; ++j) r[j] += b[k] * b[j];
  }
  for (int i = 0; i < t->rows; ++i) {
    double *b = factor_row(t->B, t, i);
    for (int j = k + 1; j < t->n; ++j) b[j] -= b[k] * r[j];
  }
  r[k] = length;
}

static int orthogonalise_factor(velocity_work *t, double *length) {
  scale_columns(t, length);
  int k = 0;
  for (; k < t->n && k < t->rows; ++k) {
    column_squares(t, length);
    int best = k;
    for (int j = k + 1; j < t->n; ++j)
      if (length[j] > length[best]) best = j;
    double most = sqrt(length[best]);
    if (!(most > dependent)) break;
    if (best != k) exchange_columns(t, k, best, k);
    eliminate_column(t, k, most);
  }
  return k;
}

/* ---- errors of the rows ---------------------------------------------------------------------- */

/* Computes u and the sizes of its terms. */
static void sum_velocities(velocity_work *t) {
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
static void row_errors(velocity_work *t, int a, double residual) {
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
static void share_errors(velocity_work *t) {
  const nsds_problem *problem = &t->o->problem;
  for (int b = 0, row = 0; b < problem->nblock; row += problem->block[b++].size) {
    int size = problem->block[b].size;
    if (by_rows(problem->block[b].set)) continue;
    double together = sqrt(squared(size, t->error + row));
    for (int i = 0; i < size; ++i) t->error[row + i] = together;
  }
}

/* ---- the rows whose z may change ------------------------------------------------------------- */

static bool small(const velocity_work *t, int i) { return fabs(t->o->w[i]) <= t->error[i]; }

static bool may_change(const velocity_work *t, const nsds_block *block, int row, int i) {
  if (block->set == NSDS_SET_EQUALITY) return true;
  if (by_rows(block->set)) return small(t, row + i);
  bool any = false;
  for (int k = 0; k < block->size; ++k) any = any || t->o->z[row + k] != 0.0 || small(t, row + k);
  return any;
}

static void choose_rows(velocity_work *t) {
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
static double sum_errors(velocity_work *t, int rank, double *x, double *length) {
  memset(length, 0, (size_t)t->n * sizeof *length);
  for (int j = 0; j < rank; ++j) {
    memset(x, 0, (size_t)rank * sizeof *x);
    x[j] = 1.0;
    for (int i = j; i >= 0; --i) {
      const double *r = factor_row(t->R, t, i);
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
static double rounding(const velocity_work *t, const nsds_slot *slot) {
  double sum = 0.0;
  for (int k = 0; k < slot->nv; ++k) {
    double u = t->count[slot->v0 + k] * DBL_EPSILON * t->terms[slot->v0 + k];
    sum += sqrt(fmax(diagonal_mass(slot, k), 0.0)) * u;
  }
  return sum * sum;
}

static double velocity_error_relative(velocity_work *t, double error) {
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

static void velocity_error_list_edges(velocity_work *t) {
  const nsds_factored *f = &t->o->reduced.factored;
  for (int k = 0; k < f->ncolumn; ++k) t->head[k] = -1;
  for (int a = 0; a < f->nrow_block; ++a)
    for (int e = f->first_edge[a]; second_order(t, a) && e < f->first_edge[a + 1]; ++e) {
      t->block[e] = a;
      t->next[e] = t->head[f->edge[e].column];
      t->head[f->edge[e].column] = e;
    }
}

static double error_of_solution(velocity_work *t) {
  nsds_context *context = t->plan->context;
  size_t n = (size_t)t->n;
  int most = count_factor_rows(t);
  double *memory = NSDS_NEW_ARRAY(context, double, (size_t)most *n + n * n + 3 * n + 1);
  if (!memory) return NAN;
  t->B = memory;
  t->R = t->B + (size_t)most * n;
  t->scale = t->R + n * n;
  find_factor(t);
  int rank = orthogonalise_factor(t, t->scale + n);
  double error = sum_errors(t, rank, t->scale + n, t->scale + 2 * n);
  nsds_release(context, memory);
  return error;
}

static double velocity_error(velocity_work *t, double residual) {
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
  velocity_work t = {.o = o, .plan = o->op.plan};
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
