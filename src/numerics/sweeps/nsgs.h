/*
 * What the block Gauss-Seidel method consists of: the units it updates, and M z kept up to date
 * under their changes, assembled or matrix-free.
 */
#ifndef NSDS_SRC_NSGS_H
#define NSDS_SRC_NSGS_H

#include "local.h"
#include "solver_internal.h"

enum { nsds_nsgs_acceleration = OPTION_FIRST_OWN + 4 }; /* place of the option */

/* Rows updated together: a block, or one row of a block whose rows stand alone. */
typedef struct nsds_unit {
  nsds_block block; /* its size is the unit's, its bounds point to the unit's own */
  int row;          /* first row */
  int owner;        /* matrix-free: block row of the factored operator that holds it */
  int pack;         /* matrix-free: place in nsds_sweeps::pack, -1: none */
  nsds_local local; /* its problem: M_aa with the regularisation */
} nsds_unit;

/*
 * A contact with friction between bodies of six velocities (or one, and zeros): H in the order in
 * which it meets them, rows of twelve, velocities 1-4 of both bodies and then 5-6 of both.
 */
typedef struct nsds_pack {
  double H[36];
  int column[2];
  double mu;
} nsds_pack;

/* Whether three rows lie in a friction cone: most do, and need no projection. */
static inline bool nsds_in_cone(double mu, const double *x) {
  double limit = mu * x[0];
  return x[0] >= 0.0 && x[1] * x[1] + x[2] * x[2] <= limit * limit;
}

/* Columns of M next to each other. */
typedef struct nsds_span {
  int row, columns; /* first one, and how many */
} nsds_span;

/*
 * The operator. Assembled: block rows without their diagonal blocks, as one stream of values in the
 * order in which a sweep reads them; nothing is kept beside z. Matrix-free: y = Y z (ncolumn), from
 * which w of a unit is H y + D z + q (Jourdan, Alart & Jean 1998).
 */
typedef struct nsds_sweeps {
  const nsds_problem *problem;
  const nsds_factored *factored; /* matrix-free, or NULL */
  const nsds_block_rows *rows;   /* assembled, or NULL */
  int nunit, ny;                 /* ny: 0 when assembled */
  nsds_unit *unit;
  int *cut;         /* nunit + 1: first row of each unit */
  int *first;       /* assembled, nunit + 1: first block of each block row */
  nsds_span *other; /* columns of each block */
  size_t *start;    /* nunit: where its block row starts in the stream */
  double *stream;   /* and one value more, so that three can be read as four */
  double *M;        /* what unit[].local.M point to */
  double *extra;    /* n: regularisation of the diagonal entries of M */
  int npack;
  nsds_pack *pack;
  double *pack_Y; /* 36 for each pack, like H; unless scaled */
  /* 2 ncolumn, scratch behind: where all units are packs and Y = A H^T, A diagonal, y stands for
   * A^(-1/2) times itself, and A^(1/2) H^T, in the place of H, serves for both. */
  double *root;
  bool scaled;
  size_t unit_capacity, cut_capacity, first_capacity, other_capacity, start_capacity,
      stream_capacity, M_capacity, extra_capacity, pack_capacity, pack_Y_capacity, root_capacity;
} nsds_sweeps;

/* Cuts the problem into units and prepares their local problems; `regularization` is the part of
 * each diagonal entry that is added to M_aa. */
nsds_status nsds_sweeps_open(nsds_sweeps *s, nsds_solver *solver, const nsds_problem *problem,
                             double regularization);
void nsds_sweeps_release(nsds_sweeps *s, nsds_context *context);

/* y from z. */
void nsds_sweeps_refresh(const nsds_sweeps *s, const double *z, double *y);

/* w of unit a less M_aa z_a, M_aa with the regularisation. */
void nsds_sweeps_rest(const nsds_sweeps *s, int a, const double *z, const double *y, double *rest);

/* Packs what can be packed; y then has six entries more, zeros. Part of nsds_sweeps_open(). */
nsds_status nsds_sweeps_pack(nsds_sweeps *s, nsds_context *context);

/* One update of unit a, which is packed, over- or underrelaxed by omega; returns the square of its
 * change. */
double nsds_sweeps_update_pack(const nsds_sweeps *s, int a, nsds_local_kind kind, double omega,
                               double *z, double *y);

/* nsds_sweeps_rest() and nsds_sweeps_change() of unit a, which is packed. */
void nsds_sweeps_rest_pack(const nsds_sweeps *s, int a, const double *z, const double *y,
                           double *rest);
void nsds_sweeps_add_pack(const nsds_sweeps *s, int a, const double *change, double *y);

/* y after z of unit a changed. */
void nsds_sweeps_change(const nsds_sweeps *s, int a, const double *change, double *y);

#endif
