/*
 * Nonsmooth block Gauss-Seidel over processes: nsgs.c by colors (colors.h). A sweep goes from color
 * to color. Blocks of one color move different columns. Each process solves its blocks of the color
 * one by one,
 *
 *     z_a <- solution of -(M_aa z_a + q_a + sum_{b != a} M_ab z_b) in N(z_a),    y = Y z,
 *
 * and gives y of the columns that it moved to their copies. So a sweep has the same bits on any
 * number of processes.
 *
 * In every other turn of 300 sweeps, the point goes on by momentum (Nesterov 1983), with restarts
 * (O'Donoghue & Candes 2015), as in momentum.c. Momentum alone does not converge where many contacts
 * slide. The sums of momentum are taken over all processes, as they come. If the answer is to be
 * reproducible, terms become whole numbers of 2^-60 of the largest one, whose sum has no order.
 */
#include "mpi/friction.h"

#include "mpi/colors.h"
#include "mpi/gather.h"
#include "numerics/sweeps/one_contact.h"

#include <limits.h>
#include <math.h>
#include <nsds/extend.h>
#include <string.h>

enum {
  first_check = 5,
  rows_of_contact = 3,
  most_rows = 64,
  turn = 300, /* sweeps with momentum, then as many without */
};
static const double momentum_limit = 40.0, momentum_growth = 2.0;

typedef struct friction {
  nsds_whole *whole;
  const nsds_factored *f;
  nsds_colors colors;
  bool reproducible;
  int n, ny;
  double *z, *y, *before, *last, *y_last;
  double *weight, *scale; /* n: diagonal; blocks: change of z_a to residual */
  double *own;            /* M_aa of rows that go one by one, at the place of the block */
  int *place;             /* of M_aa in `own` */
  nsds_contact_matrix *contact;
  double t, least, along, length, change;
} friction;

/* ---- matrices of blocks ---- */

static double entry(const nsds_factored *f, int a, int i, int j) {
  int m = f->row[a + 1] - f->row[a];
  double sum = f->D && f->D[a] ? f->D[a][i + j * m] : 0.0;
  for (int k = f->first_edge[a]; k < f->first_edge[a + 1]; ++k) {
    const nsds_edge *e = &f->edge[k];
    for (int c = 0; c < e->size; ++c) {
      double y = e->Y ? e->Y[c + j * e->size] : f->gain[e->column + c] * e->H[j + c * m];
      sum += e->H[i + c * m] * y;
    }
  }
  return sum;
}

static bool is_coulomb(const nsds_block *b) { return b->set == NSDS_SET_COULOMB; }

/* Refuses sets that have no sweep here, and blocks that nothing moves. */
static nsds_status check_block_of_whole(const nsds_whole *w, int a) {
  const nsds_factored *f = w->problem.M.factored;
  static const unsigned known =
      NSDS_SET_EQUALITY | NSDS_SET_NONNEGATIVE | NSDS_SET_BOX | NSDS_SET_COULOMB;
  const nsds_block *b = &w->problem.block[a];
  if (!((unsigned)b->set & known))
    return nsds_report(
        w->mpi->context, NSDS_ERROR_UNSUPPORTED,
        "nsds_mpi_solve: block %d is a disc, a cone, a rolling contact or a "
        "polyhedron; distributed problems have equality, nonnegative, box and Coulomb "
        "blocks",
        a);
  if (f->nrow_block != w->problem.nblock || f->row[a + 1] - f->row[a] != b->size)
    return nsds_report(
        w->mpi->context, NSDS_ERROR_SIZE,
        "nsds_mpi_solve: block %d has %d rows, but M is cut elsewhere; cut the rows of "
        "the factored M as the blocks",
        a, b->size);
  if (b->size > most_rows)
    return nsds_report(w->mpi->context, NSDS_ERROR_SIZE,
                       "nsds_mpi_solve: block %d has %d rows; give blocks of at most %d rows", a,
                       b->size, most_rows);
  for (int i = 0; i < b->size; ++i) {
    double d = entry(w->problem.M.factored, a, i, i);
    if (!(d > 0.0))
      return nsds_report(w->mpi->context, NSDS_ERROR_VALUE,
                         "nsds_mpi_solve: row %d of block %d has the diagonal %g; it must be "
                         "positive",
                         i, a, d);
  }
  return NSDS_OK;
}

static void prepare_blocks(friction *t) {
  const nsds_problem *p = &t->whole->problem;
  for (int a = 0; a < p->nblock; ++a) {
    int m = p->block[a].size;
    double *own = t->own + t->place[a];
    for (int j = 0; j < m; ++j)
      for (int i = 0; i < m; ++i) own[i + j * m] = entry(t->f, a, i, j);
    if (!is_coulomb(&p->block[a])) continue;
    memcpy(t->contact[a].M, own, (size_t)(m * m) * sizeof *own);
    nsds_contact_prepare(&t->contact[a], m);
  }
}

/* ---- one block ---- */

/* Computes w_a = H y + q_a + D z_a. */
static void find_w_of_block(const friction *t, int a, double *w) {
  const nsds_factored *f = t->f;
  int row = f->row[a], m = f->row[a + 1] - row;
  for (int i = 0; i < m; ++i) w[i] = t->whole->problem.q[row + i];
  for (int j = 0; f->D && f->D[a] && j < m; ++j)
    for (int i = 0; i < m; ++i) w[i] += f->D[a][i + j * m] * t->z[row + j];
  for (int k = f->first_edge[a]; k < f->first_edge[a + 1]; ++k) {
    const nsds_edge *e = &f->edge[k];
    for (int c = 0; c < e->size; ++c)
      for (int i = 0; i < m; ++i) w[i] += e->H[i + c * m] * t->y[e->column + c];
  }
}

/* Adds Y_a dz to y. */
static void move_columns(const friction *t, int a, const double *dz) {
  const nsds_factored *f = t->f;
  int m = f->row[a + 1] - f->row[a];
  for (int k = f->first_edge[a]; k < f->first_edge[a + 1]; ++k) {
    const nsds_edge *e = &f->edge[k];
    for (int c = 0; c < e->size; ++c) {
      double sum = 0.0;
      for (int j = 0; j < m; ++j)
        sum += (e->Y ? e->Y[c + j * e->size] : f->gain[e->column + c] * e->H[j + c * m]) * dz[j];
      t->y[e->column + c] += sum;
    }
  }
}

static double clip_to(const nsds_block *b, int i, double x) {
  if (b->set == NSDS_SET_NONNEGATIVE) return x > 0.0 ? x : 0.0;
  if (b->set != NSDS_SET_BOX) return x;
  return x < b->lower[i] ? b->lower[i] : x > b->upper[i] ? b->upper[i] : x;
}

/* Projects a contact on its cone. */
static void project_contact(const nsds_block *b, double *z) {
  double norm = 0.0;
  for (int i = 1; i < b->size; ++i) norm = hypot(norm, z[i]);
  if (norm <= b->mu * z[0]) return;
  double normal = (z[0] + b->mu * norm) / (1.0 + b->mu * b->mu);
  double part = normal > 0.0 ? b->mu * normal / norm : 0.0;
  z[0] = normal > 0.0 ? normal : 0.0;
  for (int i = 1; i < b->size; ++i) z[i] *= part;
}

/* A step of the projected gradient with De Saxce's shift, where the exact solution fails. */
static void step_contact(const nsds_block *b, const double *own, const double *w, double *z) {
  double bound = 0.0, slip = 0.0;
  for (int i = 0; i < b->size; ++i) {
    double sum = 0.0;
    for (int j = 0; j < b->size; ++j) sum += fabs(own[i + j * b->size]);
    bound = fmax(bound, sum);
    if (i > 0) slip = hypot(slip, w[i]);
  }
  for (int i = 0; i < b->size; ++i) z[i] -= (w[i] + (i == 0 ? b->mu * slip : 0.0)) / bound;
  project_contact(b, z);
}

static void solve_contact(const friction *t, int a, const double *w, double *z) {
  const nsds_block *b = &t->whole->problem.block[a];
  const double *own = t->own + t->place[a];
  double q[rows_of_contact], start[rows_of_contact];
  int m = b->size;
  for (int i = 0; i < m; ++i) {
    q[i] = w[i];
    start[i] = z[i];
    for (int j = 0; j < m; ++j) q[i] -= own[i + j * m] * z[j];
  }
  nsds_contact_state state =
      (m == 2 ? nsds_one_contact_2d : nsds_one_contact_3d)(&t->contact[a], b->mu, q, z);
  if (state != NSDS_CONTACT_UNSOLVED) return;
  memcpy(z, start, (size_t)m * sizeof *z);
  step_contact(b, own, w, z);
}

/* Solves a contact at once; other blocks row by row. */
static void update_block(friction *t, int a) {
  const nsds_block *b = &t->whole->problem.block[a];
  const double *own = t->own + t->place[a];
  double w[most_rows], dz[most_rows], change = 0.0;
  int m = b->size, row = t->f->row[a];
  double *z = t->z + row;
  find_w_of_block(t, a, w);
  memcpy(dz, z, (size_t)m * sizeof *dz);
  if (is_coulomb(b)) solve_contact(t, a, w, z);
  for (int i = 0; !is_coulomb(b) && i < m; ++i) {
    double step = clip_to(b, i, z[i] - w[i] / own[i + i * m]) - z[i];
    z[i] += step;
    for (int k = 0; k < m; ++k) w[k] += own[k + i * m] * step;
  }
  for (int i = 0; i < m; ++i) {
    dz[i] = z[i] - dz[i];
    change += dz[i] * dz[i];
  }
  if (change == 0.0) return;
  move_columns(t, a, dz);
  double scaled = t->scale[a] * sqrt(change);
  if (!(scaled <= t->change)) t->change = scaled;
}

/* ---- sweeps ---- */

static void sweep_colors(friction *t) {
  t->change = 0.0;
  for (int c = 0; c < t->colors.count; ++c) {
    for (int k = t->colors.first[c]; k < t->colors.first[c + 1]; ++k)
      update_block(t, t->colors.block[k]);
    nsds_colors_send(&t->colors, t->whole, c, t->y);
  }
}

/* Computes y = Y z anew. */
static void refresh_columns(friction *t) {
  memset(t->y, 0, (size_t)t->ny * sizeof *t->y);
  for (int c = 0; c < t->colors.count; ++c) {
    for (int k = t->colors.first[c]; k < t->colors.first[c + 1]; ++k)
      move_columns(t, t->colors.block[k], t->z + t->f->row[t->colors.block[k]]);
    if (t->reproducible) nsds_colors_send(&t->colors, t->whole, c, t->y);
  }
  if (!t->reproducible) nsds_whole_sum(t->whole, t->y);
}

static void project_blocks(friction *t) {
  const nsds_problem *p = &t->whole->problem;
  for (int a = 0; a < p->nblock; ++a) {
    double *z = t->z + t->f->row[a];
    if (is_coulomb(&p->block[a])) project_contact(&p->block[a], z);
    for (int i = 0; !is_coulomb(&p->block[a]) && i < p->block[a].size; ++i)
      z[i] = clip_to(&p->block[a], i, z[i]);
  }
}

/* ---- sums ---- */

/* The terms of the two sums in row i: along the momentum, and the square of the change. */
static void find_row_terms(const friction *t, int i, double *term) {
  double back = t->before[i] - t->z[i];
  term[0] = t->weight[i] * back * (t->z[i] - t->last[i]);
  term[1] = t->weight[i] * back * back;
}

static void add_as_they_come(friction *t, double *sum) {
  double term[2];
  sum[0] = sum[1] = 0.0;
  for (int i = 0; i < t->n; ++i) {
    find_row_terms(t, i, term);
    sum[0] += term[0];
    sum[1] += term[1];
  }
  nsds_mpi_most(t->whole->mpi, 1, &t->change);
  nsds_mpi_total(t->whole->mpi, 2, sum);
}

/* Adds whole numbers of 2^-30 of the power of two above the largest term, and of 2^-60. */
static void add_without_order(friction *t, double *sum) {
  double most[3] = {t->change, 0.0, 0.0}, term[2];
  long long part[4] = {0, 0, 0, 0};
  int power[2];
  for (int i = 0; i < t->n; ++i) {
    find_row_terms(t, i, term);
    for (int k = 0; k < 2; ++k)
      if (!(fabs(term[k]) <= most[1 + k])) most[1 + k] = isnan(term[k]) ? INFINITY : fabs(term[k]);
  }
  nsds_mpi_most(t->whole->mpi, 3, most);
  t->change = most[0];
  sum[0] = sum[1] = NAN;
  if (!isfinite(most[1]) || !isfinite(most[2])) return;
  for (int k = 0; k < 2; ++k) frexp(most[1 + k], &power[k]);
  for (int i = 0; i < t->n; ++i) {
    find_row_terms(t, i, term);
    for (int k = 0; k < 2; ++k) {
      double scaled = ldexp(term[k], 30 - power[k]), whole = nearbyint(scaled);
      part[2 * k] += (long long)whole;
      part[2 * k + 1] += (long long)nearbyint(ldexp(scaled - whole, 30));
    }
  }
  ++t->whole->mpi->reductions;
  MPI_Allreduce(MPI_IN_PLACE, part, 4, MPI_LONG_LONG, MPI_SUM, t->whole->mpi->comm);
  for (int k = 0; k < 2; ++k)
    sum[k] =
        ldexp((double)part[2 * k], power[k] - 30) + ldexp((double)part[2 * k + 1], power[k] - 60);
}

/* ---- momentum ---- */

static void look_back(friction *t) {
  double sum[2];
  if (t->reproducible) add_without_order(t, sum);
  else add_as_they_come(t, sum);
  t->along = sum[0];
  t->length = sqrt(sum[1]);
}

static void go_beyond(double beta, int n, double *x, double *last) {
  for (int i = 0; i < n; ++i) {
    double led = x[i];
    x[i] += beta * (led - last[i]);
    last[i] = led;
  }
}

static void friction_go_on(friction *t, bool first) {
  bool again = first || t->along > 0.0 || t->length > momentum_growth * t->least;
  double now = again ? 1.0 : t->t, next = 0.5 + sqrt(0.25 + now * now), beta = (now - 1.0) / next;
  t->least = again ? t->length : fmin(t->least, t->length);
  if (first) {
    memcpy(t->last, t->z, (size_t)t->n * sizeof *t->z);
    memcpy(t->y_last, t->y, (size_t)t->ny * sizeof *t->y);
  }
  t->t = fmin(next, momentum_limit);
  go_beyond(beta, t->n, t->z, t->last);
  go_beyond(beta, t->ny, t->y, t->y_last);
}

/* ---- the iteration ---- */

/* Certifies z. Returns the larger of residual and violation, each beside its limit. */
static double judge_point(friction *t, double tolerance, double *work) {
  nsds_certificate c;
  const nsds_problem *p = &t->whole->problem;
  nsds_certify(p, t->z, work, &c);
  const double *s = work + t->n, *d = s + t->n;
  for (int a = 0; a < p->nblock; ++a) {
    double size = 0.0, largest = 0.0;
    for (int i = t->f->row[a]; i < t->f->row[a + 1]; ++i) {
      size = hypot(size, s[i]);
      largest = fmax(largest, d[i]);
    }
    t->scale[a] = size > 0.0 ? largest / size : 0.0;
  }
  return fmax(c.residual / tolerance, c.violation / nsds_violation_limit(p, tolerance));
}

/* Lets one process solve the whole problem. */
static nsds_status solve_on_one(friction *t, const nsds_mpi_part *part, double tolerance, double *z,
                                double *work, nsds_mpi_info *info) {
  if (t->n > 0) memcpy(t->z, z, (size_t)t->n * sizeof *z);
  nsds_status status = nsds_gather_and_solve(t->whole, part, tolerance, t->z);
  if (status) return status;
  info->gathered = true;
  if (judge_point(t, tolerance, work) > 1.0) return NSDS_OK;
  if (t->n > 0) memcpy(z, t->z, (size_t)t->n * sizeof *z);
  info->outcome = NSDS_SOLVED;
  return NSDS_OK;
}

static void iterate_sweeps(friction *t, double tolerance, int limit, double *z, double *work,
                           nsds_mpi_info *info) {
  double promising = 2.0 * tolerance, best = INFINITY;
  int check = first_check;
  size_t bytes = (size_t)t->n * sizeof *z;
  for (int i = 0; i < t->n; ++i) t->z[i] = isfinite(z[i]) ? z[i] : 0.0;
  project_blocks(t);
  for (int k = 0;; ++k) {
    bool looks = k == 0 || t->change <= promising || k >= check || k == limit;
    if (looks) {
      double merit = judge_point(t, tolerance, work);
      if (k > 0 && merit > 1.0) promising = 0.9 * t->change / merit;
      if (k >= check) check = 2 * k;
      if (k == 0 || merit < best) {
        best = merit;
        if (t->n > 0) memcpy(z, t->z, bytes);
      }
      refresh_columns(t);
    }
    info->iterations = k;
    if (!(best > 1.0) || k == limit || isnan(t->change)) break;
    if (k > 0 && (k - 1) / turn % 2 == 0) friction_go_on(t, (k - 1) % turn == 0);
    memcpy(t->before, t->z, bytes);
    sweep_colors(t);
    look_back(t);
  }
  info->outcome = best <= 1.0 ? NSDS_SOLVED : NSDS_NOT_CONVERGED;
}

static nsds_status hold_friction(friction *t) {
  nsds_mpi *mpi = t->whole->mpi;
  const nsds_problem *p = &t->whole->problem;
  size_t n = (size_t)t->n, ny = (size_t)t->ny, blocks = (size_t)p->nblock, entries = 0;
  t->place = nsds_mpi_indices(mpi, blocks);
  for (size_t a = 0; t->place && a < blocks; ++a) {
    t->place[a] = (int)entries;
    entries += (size_t)p->block[a].size * (size_t)p->block[a].size;
  }
  double **const of_rows[] = {&t->z, &t->before, &t->last, &t->weight};
  bool there = t->place != NULL;
  for (size_t k = 0; k < sizeof of_rows / sizeof *of_rows; ++k)
    there = (*of_rows[k] = nsds_mpi_numbers(mpi, n)) && there;
  t->y = nsds_mpi_numbers(mpi, ny);
  t->y_last = nsds_mpi_numbers(mpi, ny);
  t->scale = nsds_mpi_numbers(mpi, blocks);
  t->own = nsds_mpi_numbers(mpi, entries);
  t->contact = nsds_alloc(mpi->context, "contacts", blocks, sizeof *t->contact);
  there = there && t->y && t->y_last && t->scale && t->own && t->contact;
  return nsds_mpi_agree(mpi, there ? NSDS_OK : NSDS_ERROR_MEMORY);
}

static void release_friction(friction *t) {
  void *const pieces[] = {t->place, t->z,      t->before, t->last, t->weight,
                          t->y,     t->y_last, t->scale,  t->own,  t->contact};
  for (size_t k = 0; k < sizeof pieces / sizeof *pieces; ++k) nsds_free(pieces[k]);
  nsds_colors_close(&t->colors);
}

nsds_status nsds_mpi_solve_friction(nsds_whole *whole, const nsds_mpi_part *part, double tolerance,
                                    int limit, int gather, int after, bool reproducible, double *z,
                                    double *work, nsds_mpi_info *info) {
  const nsds_problem *p = &whole->problem;
  friction t = {.whole = whole,
                .f = p->M.factored,
                .reproducible = reproducible,
                .n = p->n,
                .ny = p->M.factored->ncolumn};
  nsds_status status = NSDS_OK;
  for (int a = 0; !status && a < p->nblock; ++a) status = check_block_of_whole(whole, a);
  status = nsds_mpi_agree(whole->mpi, status);
  if (!status) status = hold_friction(&t);
  if (!status) status = nsds_colors_open(&t.colors, whole, part->block);
  if (!status) {
    prepare_blocks(&t);
    for (int a = 0; a < p->nblock; ++a)
      for (int i = 0; i < p->block[a].size; ++i)
        t.weight[t.f->row[a] + i] = t.own[t.place[a] + i * (p->block[a].size + 1)];
    info->colors = t.colors.count;
    bool gathers = whole->halo.rows <= gather && limit > after;
    iterate_sweeps(&t, tolerance, gathers ? after : limit, z, work, info);
    bool unsolved = info->outcome != NSDS_SOLVED;
    if (gathers && unsolved) status = solve_on_one(&t, part, tolerance, z, work, info);
    if (!status && gathers && info->outcome != NSDS_SOLVED)
      iterate_sweeps(&t, tolerance, limit, z, work, info);
  }
  release_friction(&t);
  return status;
}
