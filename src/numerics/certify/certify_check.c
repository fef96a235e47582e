/*
 * The certifier's verdicts, block by block: which row or block errs most beside its terms.
 */
#include "certify_check.h"
#include "certify_sets.h"
#include "parallel.h"

/* Kept out of the loops: few rows beat the worst before them. NaN does, and terms that overflow. */
static NSDS_NOINLINE void beat(nsds_worst *worst, double e, double s, int row) {
  if (isnan(worst->ratio)) return;
  worst->ratio = s < INFINITY ? e / (s + nsds_certified_underflow) : NAN;
  worst->e = e;
  worst->s = s;
  worst->row = row;
}

static int block_of(const nsds_problem *problem, int row) {
  int a = 0;
  for (int end = problem->block[0].size; end <= row; end += problem->block[a].size) ++a;
  return a;
}

/* Nonnegative rows, or equalities. 0 s makes e NaN where s is infinite, which beats any ratio. */
static inline void check_run(bool nonnegative, const nsds_problem *problem, const double *z,
                             const nsds_sums *t, int row, int end, nsds_worst *worst) {
  for (; row < end; ++row) {
    double w = t->w[row], s = t->s[row], dz = 0.0;
    if (nonnegative) {
      double d = t->d[row];
      if (NSDS_UNLIKELY(d == 0.0) && z[row] != 0.0)
        d = nsds_unit_without_diagonal(&problem->M, row);
      dz = d * z[row];
    }
    double e = nonnegative ? fabs(w < dz ? w : dz) + 0.0 * (w + dz + s) : fabs(w) + 0.0 * s;
    if (!(e <= worst->ratio * s)) beat(worst, e, s, row);
  }
}

/* Rows of any kind, with boxes, an uncertain q, and what rounding explains. */
static NSDS_NOINLINE void check_rows(const nsds_problem *problem, const nsds_block *block,
                                     const double *z, const nsds_sums *t, const double *slack,
                                     int row, nsds_worst *worst) {
  const double *known = problem->q_error;
  for (int i = 0; i < block->size; ++i, ++row) {
    double d = t->d[row], w = t->w[row], s = t->s[row];
    if (NSDS_UNLIKELY(d == 0.0)) d = nsds_unit_without_diagonal(&problem->M, row);
    double e = fabs(nsds_certify_row(block, i, d, z[row], w)) + 0.0 * s;
    if (known) e = e <= known[row] ? 0.0 : e - known[row];
    if (slack && e <= slack[row]) continue;
    if (!(e <= worst->ratio * s)) beat(worst, e, s, row);
  }
}

/* d of the rows that a block judges together, one value to a group. */
static inline void share_d(const nsds_problem *problem, const nsds_block *block, int first,
                           double *d, nsds_units *units) {
  for (int i = 0, count; i < block->size; i += count) {
    double most = 0.0;
    count = nsds_certify_group(block, i);
    for (int j = i; j < i + count; ++j) most = d[first + j] > most ? d[first + j] : most;
    for (int j = i; most == 0.0 && j < i + count; ++j)
      most = fmax(most, nsds_unit_without_diagonal(&problem->M, first + j));
    for (int j = i; j < i + count; ++j) d[first + j] = most;
    nsds_certify_unit(most, i, i + count, units);
  }
}

static const double cancelled = 4 * DBL_EPSILON; /* of a term beside another in a difference */

static NSDS_NOINLINE void check_block(const nsds_problem *problem, const nsds_block *block,
                                      const double *z, const nsds_sums *t, const double *slack,
                                      int first, nsds_worst *worst) {
  static const unsigned unbounded =
      NSDS_SET_CONE | NSDS_SET_COULOMB | NSDS_SET_ROLLING | NSDS_SET_POLYHEDRON;
  worst->coupled = worst->coupled || ((unsigned)block->set & unbounded);
  nsds_units units;
  share_d(problem, block, first, t->d, &units);
  double e = nsds_certify_map(block, &units, z + first, t->w + first);
  double s = nsds_certify_size(block->size, units.inverse, t->s + first);
  double y = nsds_certify_size(block->size, units.root, z + first);
  /* Without a diagonal y need not show in s; then w may vanish beside it in y - P(y - w). */
  if (y > s) e = e > cancelled * y ? e : cancelled * y;
  e += 0.0 * (s + y);
  if (problem->q_error && isfinite(e)) {
    double known = nsds_certify_slack(block, &units, problem->q_error + first);
    e = e <= known ? 0.0 : e - known;
  }
  if (slack && e <= nsds_certify_slack(block, &units, slack + first)) return;
  if (!(e <= worst->ratio * s)) beat(worst, e, s, first);
}

/* Of what is to be judged, and the verdicts by parts of the blocks. */
typedef struct trial {
  const nsds_problem *problem;
  const double *z;
  const nsds_sums *sums;
  const double *slack;
  int first_row[nsds_most_parts];
  nsds_worst worst[nsds_most_parts];
} trial;

/* Blocks from `block` to `last`, of which the first begins in this row; runs of equality and of
 * nonnegative blocks go row by row. */
static void check_blocks(const trial *t, const nsds_block *block, const nsds_block *last, int row,
                         nsds_worst *worst) {
  const nsds_problem *problem = t->problem;
  *worst = (nsds_worst){.row = row};
  for (int end; block < last; row = end) {
    nsds_set set = block->set;
    bool alone = set == NSDS_SET_EQUALITY || set == NSDS_SET_NONNEGATIVE;
    end = row + block->size;
    if (!alone || problem->q_error || t->slack) {
      if (alone || set == NSDS_SET_BOX)
        check_rows(problem, block, t->z, t->sums, t->slack, row, worst);
      else if (end > row) check_block(problem, block, t->z, t->sums, t->slack, row, worst);
      ++block;
      continue;
    }
    while (++block < last && block->set == set) end += block->size;
    if (set == NSDS_SET_EQUALITY) check_run(false, problem, t->z, t->sums, row, end, worst);
    else check_run(true, problem, t->z, t->sums, row, end, worst);
  }
}

typedef struct counting {
  const nsds_problem *problem;
  int *rows; /* of each part */
} counting;

static void count_part(void *self, int part, int parts) {
  const counting *t = self;
  int begin = nsds_part_begin(t->problem->nblock, part, parts);
  int end = nsds_part_begin(t->problem->nblock, part + 1, parts), rows = 0;
  for (int a = begin; a < end; ++a) rows += t->problem->block[a].size;
  t->rows[part] = rows;
}

int nsds_certify_parts(const nsds_context *context, const nsds_problem *problem, int *first_row) {
  enum { few = 512 }; /* blocks that are not worth being shared */
  int parts = nsds_parts(problem->nblock, few), row = 0;
  counting t = {.problem = problem, .rows = first_row};
  first_row[0] = 0;
  if (parts == 1) return 1;
  nsds_share_out(context, parts, count_part, &t);
  for (int part = 0; part < parts; ++part) {
    int rows = first_row[part];
    first_row[part] = row;
    row += rows;
  }
  return parts;
}

static void check_part(void *self, int part, int parts) {
  trial *t = self;
  const nsds_block *block = t->problem->block;
  int nblock = t->problem->nblock;
  check_blocks(t, block + nsds_part_begin(nblock, part, parts),
               block + nsds_part_begin(nblock, part + 1, parts), t->first_row[part],
               &t->worst[part]);
}

void nsds_certify_blocks(const nsds_context *context, const nsds_problem *problem, const double *z,
                         const nsds_sums *sums, const double *slack, nsds_worst *worst) {
  trial t = {.problem = problem, .z = z, .sums = sums, .slack = slack};
  int parts = nsds_certify_parts(context, problem, t.first_row);
  nsds_share_out(context, parts, check_part, &t);
  *worst = t.worst[0];
  for (int part = 1; part < parts; ++part) {
    bool coupled = worst->coupled || t.worst[part].coupled;
    if (!(t.worst[part].ratio <= worst->ratio) && !isnan(worst->ratio)) *worst = t.worst[part];
    worst->coupled = coupled;
  }
  if (problem->n > 0) worst->block = block_of(problem, worst->row);
}
