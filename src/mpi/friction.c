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

#include "mpi/friction_blocks.h"
#include "mpi/friction_newton.h"
#include "mpi/gather.h"
#include "mpi/hard_blocks.h"
#include "numerics/sweeps/one_contact.h"

#include <math.h>
#include <nsds/extend.h>
#include <string.h>

enum {
  first_check = 5,
  rows_of_contact = 3,
  turn = 300,       /* sweeps with momentum, then as many without */
  hard_rows = 3000, /* of the worst blocks and their neighbors */
};
static const double momentum_limit = 40.0, momentum_growth = 2.0;

typedef struct sweeping {
  nsds_friction of;
  double *before, *last, *y_last;
  nsds_contact_matrix *contact;
  double t, least, along, length, change;
} sweeping;

/* ---- one block ---- */

/* ---- one block ---- */

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
  nsds_friction_project_contact(b, z);
}

static void solve_contact(const sweeping *s, int a, const double *w, double *z) {
  const nsds_block *b = &s->of.whole->problem.block[a];
  const double *own = s->of.own + s->of.place[a];
  double q[rows_of_contact], start[rows_of_contact];
  int m = b->size;
  for (int i = 0; i < m; ++i) {
    q[i] = w[i];
    start[i] = z[i];
    for (int j = 0; j < m; ++j) q[i] -= own[i + j * m] * z[j];
  }
  nsds_contact_state state =
      (m == 2 ? nsds_one_contact_2d : nsds_one_contact_3d)(&s->contact[a], b->mu, q, z);
  if (state != NSDS_CONTACT_UNSOLVED) return;
  memcpy(z, start, (size_t)m * sizeof *z);
  step_contact(b, own, w, z);
}

/* Solves a contact at once; other blocks row by row. */
static void update_block(sweeping *s, int a) {
  nsds_friction *t = &s->of;
  const nsds_block *b = &t->whole->problem.block[a];
  const double *own = t->own + t->place[a];
  double w[nsds_friction_rows], dz[nsds_friction_rows], change = 0.0;
  int m = b->size, row = t->f->row[a];
  double *z = t->z + row;
  nsds_friction_product(t, a, t->z, t->y, w);
  for (int i = 0; i < m; ++i) w[i] += t->whole->problem.q[row + i];
  memcpy(dz, z, (size_t)m * sizeof *dz);
  if (nsds_is_coulomb(b)) solve_contact(s, a, w, z);
  for (int i = 0; !nsds_is_coulomb(b) && i < m; ++i) {
    double step = nsds_friction_clip(b, i, z[i] - w[i] / own[i + i * m]) - z[i];
    z[i] += step;
    for (int k = 0; k < m; ++k) w[k] += own[k + i * m] * step;
  }
  for (int i = 0; i < m; ++i) {
    dz[i] = z[i] - dz[i];
    change += dz[i] * dz[i];
  }
  if (change == 0.0) return;
  nsds_friction_move(t, a, dz, t->y);
  double scaled = t->scale[a] * sqrt(change);
  if (!(scaled <= s->change)) s->change = scaled;
}

static void sweep_colors(sweeping *s) {
  nsds_friction *t = &s->of;
  s->change = 0.0;
  for (int c = 0; c < t->colors.count; ++c) {
    for (int k = t->colors.first[c]; k < t->colors.first[c + 1]; ++k)
      update_block(s, t->colors.block[k]);
    nsds_colors_send(&t->colors, t->whole, c, t->y);
  }
}

/* ---- momentum ---- */

/* The terms of two sums in row i: along the momentum, and the square of the change. */
static void find_momentum_terms(const void *user, int i, double *term) {
  const sweeping *s = user;
  double back = s->before[i] - s->of.z[i];
  term[0] = s->of.weight[i] * back * (s->of.z[i] - s->last[i]);
  term[1] = s->of.weight[i] * back * back;
}

static void look_back(sweeping *s) {
  double sum[2];
  nsds_friction_sum(&s->of, 2, find_momentum_terms, s, &s->change, sum);
  s->along = sum[0];
  s->length = sqrt(sum[1]);
}

static void go_beyond(double beta, int n, double *x, double *last) {
  for (int i = 0; i < n; ++i) {
    double led = x[i];
    x[i] += beta * (led - last[i]);
    last[i] = led;
  }
}

static void friction_go_on(sweeping *s, bool first) {
  nsds_friction *t = &s->of;
  bool again = first || s->along > 0.0 || s->length > momentum_growth * s->least;
  double now = again ? 1.0 : s->t, next = 0.5 + sqrt(0.25 + now * now), beta = (now - 1.0) / next;
  s->least = again ? s->length : fmin(s->least, s->length);
  if (first) {
    memcpy(s->last, t->z, (size_t)t->n * sizeof *t->z);
    memcpy(s->y_last, t->y, (size_t)t->ny * sizeof *t->y);
  }
  s->t = fmin(next, momentum_limit);
  go_beyond(beta, t->n, t->z, s->last);
  go_beyond(beta, t->ny, t->y, s->y_last);
}

/* ---- the iteration ---- */

/* Lets one process solve the whole problem. */
static nsds_status solve_on_one(nsds_friction *t, const nsds_mpi_part *part, double tolerance,
                                double *z, double *work, nsds_mpi_info *info) {
  if (t->n > 0) memcpy(t->z, z, (size_t)t->n * sizeof *z);
  nsds_status status = nsds_gather_and_solve(t->whole, part, NULL, NULL, tolerance, t->z);
  if (status) return status;
  info->gathered = true;
  if (nsds_mpi_friction_judge(t, t->z, tolerance, work) > 1.0) return NSDS_OK;
  if (t->n > 0) memcpy(z, t->z, (size_t)t->n * sizeof *z);
  info->outcome = NSDS_SOLVED;
  return NSDS_OK;
}

/* Sweeps `limit` times from z at most; z becomes the best point. */
static void iterate_sweeps(sweeping *s, double tolerance, int limit, double *z, double *work,
                           nsds_mpi_info *info) {
  nsds_friction *t = &s->of;
  double promising = 2.0 * tolerance, best = INFINITY;
  int check = first_check, before = info->iterations;
  size_t bytes = (size_t)t->n * sizeof *z;
  for (int i = 0; i < t->n; ++i) t->z[i] = isfinite(z[i]) ? z[i] : 0.0;
  nsds_friction_project(t, t->z);
  s->change = INFINITY;
  for (int k = 0;; ++k) {
    bool looks = k == 0 || s->change <= promising || k >= check || k == limit;
    if (looks) {
      double merit = nsds_mpi_friction_judge(t, t->z, tolerance, work);
      if (k > 0 && merit > 1.0) promising = 0.9 * s->change / merit;
      if (k >= check) check = 2 * k;
      if (k == 0 || merit < best) {
        best = merit;
        if (t->n > 0) memcpy(z, t->z, bytes);
      }
      nsds_friction_columns(t, t->z, t->y);
    }
    info->iterations = before + k;
    if (!(best > 1.0) || k == limit || isnan(s->change)) break;
    if (k > 0 && (k - 1) / turn % 2 == 0) friction_go_on(s, (k - 1) % turn == 0);
    memcpy(s->before, t->z, bytes);
    sweep_colors(s);
    look_back(s);
  }
  info->outcome = best <= 1.0 ? NSDS_SOLVED : NSDS_NOT_CONVERGED;
}

static nsds_status hold_sweeps(sweeping *s) {
  nsds_mpi *mpi = s->of.whole->mpi;
  const nsds_problem *p = &s->of.whole->problem;
  size_t n = (size_t)s->of.n, blocks = (size_t)p->nblock;
  s->before = nsds_mpi_numbers(mpi, n);
  s->last = nsds_mpi_numbers(mpi, n);
  s->y_last = nsds_mpi_numbers(mpi, (size_t)s->of.ny);
  s->contact = nsds_alloc(mpi->context, "contacts", blocks, sizeof *s->contact);
  bool there = s->before && s->last && s->y_last && s->contact;
  for (int a = 0; there && a < p->nblock; ++a) {
    int m = p->block[a].size;
    if (!nsds_is_coulomb(&p->block[a])) continue;
    memcpy(s->contact[a].M, s->of.own + s->of.place[a], (size_t)(m * m) * sizeof(double));
    nsds_contact_prepare(&s->contact[a], m);
  }
  return nsds_mpi_agree(mpi, there ? NSDS_OK : NSDS_ERROR_MEMORY);
}

/* Sweeps, Newton's method and the worst blocks alone, by turns. From the second turn on the whole may go to
 * one process. */
static nsds_status solve_friction(sweeping *s, const nsds_mpi_part *part, double tolerance,
                                  int limit, int gather, int after, double *z, double *work,
                                  nsds_mpi_info *info) {
  nsds_friction *t = &s->of;
  bool gathers = t->whole->halo.rows <= gather;
  nsds_status status = NSDS_OK;
  for (int turns = 0; !status && (turns == 0 || info->iterations < limit); ++turns) {
    int left = limit - info->iterations;
    iterate_sweeps(s, tolerance, left < after ? left : after, z, work, info);
    if (info->outcome == NSDS_SOLVED || info->iterations >= limit) break;
    status = nsds_mpi_newton_friction(t, tolerance, limit, z, work, info);
    if (status || info->outcome == NSDS_SOLVED) break;
    if (gathers && turns == 1) status = solve_on_one(t, part, tolerance, z, work, info);
    else status = nsds_mpi_solve_hard_blocks(t, part, hard_rows, tolerance, z, work);
    if (info->outcome == NSDS_SOLVED) break;
    after = turn;
  }
  return status;
}

nsds_status nsds_mpi_solve_friction(nsds_whole *whole, const nsds_mpi_part *part,
                                    const nsds_kept *kept, double tolerance, int limit, int gather,
                                    int after, bool reproducible, double *z, double *work,
                                    nsds_mpi_info *info) {
  sweeping s = {0};
  nsds_status status = nsds_friction_open(&s.of, whole, part, kept, reproducible);
  if (!status) status = hold_sweeps(&s);
  if (!status) {
    info->colors = s.of.colors.count;
    status = solve_friction(&s, part, tolerance, limit, gather, after, z, work, info);
  }
  nsds_free(s.before), nsds_free(s.last), nsds_free(s.y_last), nsds_free(s.contact);
  nsds_friction_close(&s.of);
  return status;
}
