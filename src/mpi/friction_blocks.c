/*
 * Blocks of a distributed friction problem. M = H Y + D is never formed: y = Y z has one copy of each
 * column on every process that meets it, summed over processes, and w = H y + q follows block by block.
 */
#include "mpi/friction_blocks.h"

#include <math.h>
#include <nsds/extend.h>
#include <string.h>

enum { most_terms = 3 };

/* ---- matrices of blocks ---- */

static double entry_of_block(const nsds_factored *f, int a, int i, int j) {
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
  if (b->size > nsds_friction_rows)
    return nsds_report(w->mpi->context, NSDS_ERROR_SIZE,
                       "nsds_mpi_solve: block %d has %d rows; give blocks of at most %d rows", a,
                       b->size, nsds_friction_rows);
  for (int i = 0; i < b->size; ++i) {
    double d = entry_of_block(w->problem.M.factored, a, i, i);
    if (!(d > 0.0))
      return nsds_report(w->mpi->context, NSDS_ERROR_VALUE,
                         "nsds_mpi_solve: row %d of block %d has the diagonal %g; it must be "
                         "positive",
                         i, a, d);
  }
  return NSDS_OK;
}

/* ---- products ---- */

void nsds_friction_product(const nsds_friction *t, int a, const double *z, const double *y,
                           double *w) {
  const nsds_factored *f = t->f;
  int row = f->row[a], m = f->row[a + 1] - row;
  for (int i = 0; i < m; ++i) w[i] = 0.0;
  for (int j = 0; f->D && f->D[a] && j < m; ++j)
    for (int i = 0; i < m; ++i) w[i] += f->D[a][i + j * m] * z[row + j];
  for (int k = f->first_edge[a]; k < f->first_edge[a + 1]; ++k) {
    const nsds_edge *e = &f->edge[k];
    for (int c = 0; c < e->size; ++c)
      for (int i = 0; i < m; ++i) w[i] += e->H[i + c * m] * y[e->column + c];
  }
}

void nsds_friction_move(const nsds_friction *t, int a, const double *dz, double *y) {
  const nsds_factored *f = t->f;
  int m = f->row[a + 1] - f->row[a];
  for (int k = f->first_edge[a]; k < f->first_edge[a + 1]; ++k) {
    const nsds_edge *e = &f->edge[k];
    for (int c = 0; c < e->size; ++c) {
      double sum = 0.0;
      for (int j = 0; j < m; ++j)
        sum += (e->Y ? e->Y[c + j * e->size] : f->gain[e->column + c] * e->H[j + c * m]) * dz[j];
      y[e->column + c] += sum;
    }
  }
}

void nsds_friction_columns(const nsds_friction *t, const double *z, double *y) {
  if (t->ny > 0) memset(y, 0, (size_t)t->ny * sizeof *y);
  for (int c = 0; c < t->colors.count; ++c) {
    for (int k = t->colors.first[c]; k < t->colors.first[c + 1]; ++k)
      nsds_friction_move(t, t->colors.block[k], z + t->f->row[t->colors.block[k]], y);
    if (t->reproducible) nsds_colors_send(&t->colors, t->whole, c, y);
  }
  if (!t->reproducible) nsds_whole_sum(t->whole, y);
}

/* ---- sets ---- */

double nsds_friction_clip(const nsds_block *b, int i, double x) {
  if (b->set == NSDS_SET_NONNEGATIVE) return x > 0.0 ? x : 0.0;
  if (b->set != NSDS_SET_BOX) return x;
  return x < b->lower[i] ? b->lower[i] : x > b->upper[i] ? b->upper[i] : x;
}

void nsds_friction_project_contact(const nsds_block *b, double *z) {
  double norm = 0.0;
  for (int i = 1; i < b->size; ++i) norm = hypot(norm, z[i]);
  if (norm <= b->mu * z[0]) return;
  double normal = (z[0] + b->mu * norm) / (1.0 + b->mu * b->mu);
  double part = normal > 0.0 ? b->mu * normal / norm : 0.0;
  z[0] = normal > 0.0 ? normal : 0.0;
  for (int i = 1; i < b->size; ++i) z[i] *= part;
}

void nsds_friction_project(const nsds_friction *t, double *z) {
  const nsds_problem *p = &t->whole->problem;
  for (int a = 0; a < p->nblock; ++a) {
    const nsds_block *b = &p->block[a];
    double *of = z + t->f->row[a];
    if (nsds_is_coulomb(b)) nsds_friction_project_contact(b, of);
    for (int i = 0; !nsds_is_coulomb(b) && i < b->size; ++i)
      of[i] = nsds_friction_clip(b, i, of[i]);
  }
}

/* ---- sums ---- */

static void add_as_they_come(const nsds_friction *t, int count, nsds_friction_terms terms,
                             const void *user, double *most, double *sum) {
  double term[most_terms];
  for (int k = 0; k < count; ++k) sum[k] = 0.0;
  for (int i = 0; i < t->n; ++i) {
    terms(user, i, term);
    for (int k = 0; k < count; ++k) sum[k] += term[k];
  }
  if (most) nsds_mpi_most(t->whole->mpi, 1, most);
  nsds_mpi_total(t->whole->mpi, count, sum);
}

/* Adds whole numbers of 2^-30 of the power of two above the largest term, and of 2^-60. */
static void add_without_order(const nsds_friction *t, int count, nsds_friction_terms terms,
                              const void *user, double *most, double *sum) {
  double top[most_terms + 1] = {0.0}, term[most_terms];
  long long part[2 * most_terms] = {0};
  int power[most_terms] = {0};
  for (int i = 0; i < t->n; ++i) {
    terms(user, i, term);
    for (int k = 0; k < count; ++k)
      if (!(fabs(term[k]) <= top[k])) top[k] = isnan(term[k]) ? INFINITY : fabs(term[k]);
  }
  top[count] = most ? *most : 0.0;
  nsds_mpi_most(t->whole->mpi, count + 1, top);
  if (most) *most = top[count];
  for (int k = 0; k < count; ++k) frexp(isfinite(top[k]) ? top[k] : 0.0, &power[k]);
  for (int i = 0; i < t->n; ++i) {
    terms(user, i, term);
    for (int k = 0; k < count; ++k) {
      if (!isfinite(top[k])) continue;
      double scaled = ldexp(term[k], 30 - power[k]), whole = nearbyint(scaled);
      part[2 * k] += (long long)whole;
      part[2 * k + 1] += (long long)nearbyint(ldexp(scaled - whole, 30));
    }
  }
  ++t->whole->mpi->reductions;
  MPI_Allreduce(MPI_IN_PLACE, part, 2 * count, MPI_LONG_LONG, MPI_SUM, t->whole->mpi->comm);
  for (int k = 0; k < count; ++k)
    sum[k] = isfinite(top[k]) ? ldexp((double)part[2 * k], power[k] - 30) +
                                    ldexp((double)part[2 * k + 1], power[k] - 60)
                              : NAN;
}

void nsds_friction_sum(const nsds_friction *t, int count, nsds_friction_terms terms,
                       const void *user, double *most, double *sum) {
  if (t->reproducible) add_without_order(t, count, terms, user, most, sum);
  else add_as_they_come(t, count, terms, user, most, sum);
}

/* ---- judging ---- */

double nsds_mpi_friction_judge(nsds_friction *t, const double *z, double tolerance, double *work) {
  nsds_certificate c;
  const nsds_problem *p = &t->whole->problem;
  nsds_certify(p, z, work, &c);
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

/* ---- open and close ---- */

static nsds_status hold_friction(nsds_friction *t) {
  nsds_mpi *mpi = t->whole->mpi;
  const nsds_problem *p = &t->whole->problem;
  size_t n = (size_t)t->n, blocks = (size_t)p->nblock;
  t->place = nsds_mpi_indices(mpi, blocks);
  for (size_t a = 0; t->place && a < blocks; ++a) {
    t->place[a] = t->entries;
    t->entries += p->block[a].size * p->block[a].size;
  }
  t->z = nsds_mpi_numbers(mpi, n);
  t->y = nsds_mpi_numbers(mpi, (size_t)t->ny);
  t->weight = nsds_mpi_numbers(mpi, n);
  t->scale = nsds_mpi_numbers(mpi, blocks);
  t->own = nsds_mpi_numbers(mpi, (size_t)t->entries);
  bool there = t->place && t->z && t->y && t->weight && t->scale && t->own;
  return nsds_mpi_agree(mpi, there ? NSDS_OK : NSDS_ERROR_MEMORY);
}

static void fill_own(nsds_friction *t) {
  const nsds_problem *p = &t->whole->problem;
  for (int a = 0; a < p->nblock; ++a) {
    int m = p->block[a].size;
    double *own = t->own + t->place[a];
    for (int j = 0; j < m; ++j)
      for (int i = 0; i < m; ++i) own[i + j * m] = entry_of_block(t->f, a, i, j);
    for (int i = 0; i < m; ++i) t->weight[t->f->row[a] + i] = own[i * (m + 1)];
  }
}

nsds_status nsds_friction_open(nsds_friction *t, nsds_whole *whole, const nsds_mpi_part *part,
                               const nsds_kept *kept, bool reproducible) {
  const nsds_problem *p = &whole->problem;
  *t = (nsds_friction){.whole = whole,
                       .f = p->M.factored,
                       .reproducible = reproducible,
                       .n = p->n,
                       .ny = p->M.factored->ncolumn};
  nsds_status status = NSDS_OK;
  for (int a = 0; !status && a < p->nblock; ++a) status = check_block_of_whole(whole, a);
  status = nsds_mpi_agree(whole->mpi, status);
  if (!status) status = hold_friction(t);
  if (!status && kept) {
    t->colors = kept->colors;
    t->colors.lent = true;
  } else if (!status) {
    status = nsds_colors_open(&t->colors, whole, part->block);
    if (!status) status = nsds_kept_store(whole, part, &t->colors);
  }
  if (!status) fill_own(t);
  return status;
}

void nsds_friction_close(nsds_friction *t) {
  nsds_free(t->place), nsds_free(t->z), nsds_free(t->y);
  nsds_free(t->weight), nsds_free(t->scale), nsds_free(t->own);
  nsds_colors_close(&t->colors);
}
