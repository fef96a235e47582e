/*
 * The verdict on an answer in the units of the data: the largest violation of a law beside the scale
 * of its rows.
 */
#ifndef NSDS_SRC_CERTIFY_ANSWER_H
#define NSDS_SRC_CERTIFY_ANSWER_H

#include <nsds/problem.h>

typedef struct nsds_violation {
  double error;    /* largest violation over scale, without what q_error explains */
  double whole;    /* with it */
  double reaction; /* largest d_i |z_i| over scale in rows with a scale */
  int block, row;  /* that decide; -1 if n = 0 */
} nsds_violation;

/*
 * Judges z + low (NULL: zeros). Errors that rounding of z explains, and below 2^-40 of the load of the
 * problem (of a scale that it gives), count for nothing. `known` is the scale, or NULL: it is found, and left at 3 n in the
 * work. `work`, of nsds_problem_work(), begins with w, s and d of z, as
 * nsds_certified_residual() leaves them. If rounding of w could hide `tolerance` times the scale, or
 * decide whether the limit of this tolerance is met, w is computed in twice the precision. On return work begins with w as it was, with `low` with w of
 * z + low, rounded; d with a unit in every row begins at 6 n.
 */
void nsds_certify_violation(const nsds_problem *problem, const double *z, const double *low,
                            const double *known, double *work, double tolerance, nsds_violation *v);

/* Gives rows without a diagonal (own[i] = 0) the unit of their column, which other units change as
 * they change z; other d stay. Rows with z_i = 0 are left out; NULL: none is. */
void nsds_complete_by_columns(const nsds_problem *problem, const double *z, const double *own,
                              const double *scale, double *d);

/* Upper bounds of violation and reaction; INFINITY: there is no cheap one. */
typedef struct nsds_violation_bound {
  double violation, reaction;
  double overall; /* largest reaction beside the load of the whole problem */
} nsds_violation_bound;

/* Bounds the violation. `data` are at most the scale of each row. `work` as above. */
nsds_violation_bound nsds_bound_violation(const nsds_problem *problem, const double *data,
                                          const double *z, double *work);

/* Returns a bound of reactions; the residual and nsds_answer_rounding, times this, bound the violation.
 * The bound is quick and loose. */
double nsds_bound_terms(const nsds_problem *problem, const double *work);

/* Rounding of w relative to its terms, with room for sums of some hundred terms. */
static const double nsds_answer_rounding = 0x1p-46;

/* nsds_violation_limit() of a problem with these sets. */
double nsds_violation_limit_of(const nsds_problem *problem, unsigned sets, double tolerance);

#endif
