/*
 * Refines a solution of a small dense problem to rounding. If rows depend on each other, the same
 * motion has many solutions; the one with the least sum of squares can be chosen. Independent equalities
 * beside other rows do not count in the sum. So contacts share a load as they do in joint coordinates.
 *
 * Sets: equality, nonnegative, box, Coulomb's law and rolling friction. Other problems stay
 * unchanged.
 */
#ifndef NSDS_SRC_REFINE_H
#define NSDS_SRC_REFINE_H

#include "numerics/problem_check.h"
#include "numerics/sets/sets.h"
#include "numerics/store.h"

/* Larger problems stay unchanged. */
enum { nsds_most_refined = 256 };

/*
 * The facts found of a matrix. The rank of E, and its factors, are kept while the matrix, the
 * kinds of all rows and the directions of slip stay. If the matrix is definite and no row slips, E
 * has full rank for any closed rows. A matrix near a definite one of the same structure, the
 * reference, is definite.
 */
typedef struct nsds_refiner_found {
  uint64_t stamp, pattern; /* of the matrix; stamp 0: of none */
  bool has_units, treated; /* `unit` is of this matrix; the problem can be treated */
  bool tested, definite;   /* the matrix has been tested; it is definite */
  bool friction;           /* of this structure: rows may slip */
  bool hopeless;           /* of this structure: a matrix was not definite */
  bool sought;             /* `rank` is of this matrix and of the kinds below */
  int rank; /* of E. The factors are there if it is below the number of closed rows */
  double *factors, *tau;
  int *pivot;
  double *direction;
  unsigned char *kind;
  double least; /* eigenvalue of the reference in its units, from below; 0: there is none */
  double *reference, *square; /* the matrix; squares of its units */
} nsds_refiner_found;

/* Equalities beside other closed rows, eliminated from E. */
typedef struct nsds_refiner_held {
  bool loose; /* they stay in E, since some nearly follow from others */
  int n, *row;
  double *factors, *tau; /* of M in these rows */
  int *pivot;
  double *map;       /* n x closed: z of these rows is `start` - `map` dz of the closed ones */
  double *start, *x; /* n */
} nsds_refiner_held;

typedef struct nsds_refiner {
  nsds_store store;
  int n;            /* rows for which there is room */
  double *unit;     /* units in which M has ones on its diagonal */
  double *J, *step; /* of Newton's method */
  double *tau;
  double *z, *kept; /* z being tried; z before */
  double *work;     /* of the certifier */
  int *pivot;
  /* choice among solutions, in the closed rows, those kept at w = 0: */
  int closed, *row;
  double *E, *B, *g, *y, *x, *root, *rest;
  double *direction; /* n: mu t of slipping tangents */
  double *length;    /* n: unit of z of closed rows, see refine.c */
  int *normal;       /* n: closed normal row of slipping tangents, as a place in `row` */
  unsigned char *kind;
  nsds_refiner_held held;
  nsds_refiner_found found;
  double *even; /* 3 n, for refine_even.c */
  bool least;   /* the last z is the least one of the closed rows */
} nsds_refiner;

nsds_status nsds_refiner_reserve(nsds_refiner *r, nsds_context *context, int n);
void nsds_refiner_release(nsds_refiner *r);

/* Returns true if the matrix is known, and its rows cannot depend on each other. */
static inline bool nsds_refiner_is_definite(const nsds_refiner *r, const nsds_matrix *M) {
  return M->stamp != 0 && r->found.stamp == M->stamp && r->found.pattern == M->pattern &&
         r->found.definite && !r->found.friction;
}

/* Returns true if the last z is the least one of all rows. */
static inline bool nsds_refiner_is_least(const nsds_refiner *r) {
  return r->least && r->held.n == 0;
}

/* Kinds of rows. */
enum { NSDS_ROW_OPEN, NSDS_ROW_FREE, NSDS_ROW_PUSHES, NSDS_ROW_STICKS, NSDS_ROW_SLIPS };

/* Refines z and w = M z + q to rounding, if that improves the certificate. Writes w and returns the
 * residual. For other problems it writes nothing and returns infinity. */
double nsds_refine(nsds_refiner *r, const nsds_problem *problem, double *z, double *w);

/*
 * Finds the z with the least sum of squares over rows that do not slip. Candidates have the same
 * rows at w = 0 and slip in the same directions. Returns true if the rows depend on each other; z
 * stays if no better z is found. `spare` (n, may be NULL) marks rows with w = 0 that need not take
 * part, z = 0.
 */
bool nsds_refine_least(nsds_refiner *r, const nsds_problem *problem, double *z, double *w,
                       bool *spare);

/* Steps shared with refine_inside.c. This one finds the closed rows of a solution. Returns true if rows
 * depend on each other; then E, g, its rank and the factors in `found` are there. */
bool nsds_refiner_factor(nsds_refiner *r, const nsds_problem *p, const double *z, const double *w);
/* The set at closed row b in units of r->length: one row, or a normal row with the parts that stick.
 * Rows of parts are counted from b. */
typedef struct nsds_refiner_set {
  int size, parts;
  nsds_part part[2];
} nsds_refiner_set;
nsds_refiner_set nsds_refiner_set_at(const nsds_refiner *r, const nsds_problem *p, int b);
void nsds_refiner_bounds(const nsds_refiner *r, const nsds_problem *p, int b, double *lower,
                         double *upper);
/* Adds the least change that brings r->z back to E z = g. */
void nsds_refiner_correct(nsds_refiner *r);
/* Certifies z and writes w. Returns the residual, as if q had no error. Rows whose terms are all rounding
 * of the others' terms count with this rounding: nothing is left to be relative to. */
double nsds_refiner_certify(nsds_refiner *r, const nsds_problem *problem, const double *z,
                            double *w);
void nsds_refiner_spread(const nsds_refiner *r, const nsds_problem *p, double *z);
/* Accepts z if its residual is rounding or at most `most`; otherwise restores the kept z and
 * returns false. */
bool nsds_refiner_accept(nsds_refiner *r, const nsds_problem *problem, double *z, double *w,
                         double most);

#endif
