/*
 * The parts of the block Gauss-Seidel method: the units that it updates, and M z, kept up to date
 * while they change. M is assembled or matrix-free.
 */
#ifndef NSDS_SRC_SWEEPS_H
#define NSDS_SRC_SWEEPS_H

#include "numerics/sweeps/local_solver.h"
#include "numerics/solver_internal.h"

enum { nsds_nsgs_acceleration = OPTION_FIRST_OWN + 4 }; /* place of the option */

/* Rows updated together: a block, or one row of a block whose rows stand alone. */
typedef struct nsds_unit {
  nsds_block block; /* its size is the unit's, its bounds point to the unit's own */
  int row;          /* first row */
  int owner;        /* matrix-free: block row of the factored operator that holds it */
  nsds_local local; /* its problem: M_aa with the regularisation */
} nsds_unit;

/*
 * A contact with friction between two bodies of six velocities, or one body and zeros. All that an
 * update reads lies in one place, in the order of reading: H and M_aa. H has rows of twelve:
 * velocities 1-4 of both bodies, then 5-6 of both.
 */
typedef struct nsds_pack {
  double H[36];
  nsds_contact_matrix contact;
  double mu;
  int column[2]; /* of both bodies; a single body twice */
  int row;
} nsds_pack;

/*
 * Four contacts side by side that share no body, when one factor is enough. H of row r and velocity
 * c of body k is in place 12 r + 6 k + c. M = L D L^T; L holds its entries 21, 31 and 32.
 */
enum { nsds_lanes = 4 };

typedef struct nsds_quad {
  _Alignas(32) double H[36][nsds_lanes]; /* no group of four crosses a cache line */
  double L[3][nsds_lanes], D[3][nsds_lanes], mu[nsds_lanes];
  int column[2][nsds_lanes], row[nsds_lanes];
  int count; /* lanes taken, the first ones */
} nsds_quad;

/* Returns true if three rows lie in a friction cone. Most do, and need no projection. */
static inline bool nsds_in_cone(double mu, const double *x) {
  double limit = mu * x[0];
  return x[0] >= 0.0 && x[1] * x[1] + x[2] * x[2] <= limit * limit;
}

/* Columns of M next to each other. */
typedef struct nsds_span {
  int row, columns; /* first one, and how many */
} nsds_span;

/* How sweeps go over the problem. */
typedef enum nsds_arrangement {
  NSDS_SWEEP_UNITS,   /* in the order of the rows, nothing packed: for callers that read units */
  NSDS_SWEEP_NATURAL, /* in the order of the rows */
  NSDS_SWEEP_COLOURED /* color by color */
} nsds_arrangement;

enum {
  nsds_colours = 64,
  nsds_bunch = 32 /* items that get a color together */
};

/*
 * The operator. An assembled operator keeps its block rows, without diagonal blocks, as one stream
 * of values in the order of a sweep, and nothing beside z. A matrix-free operator keeps y = Y z
 * (ncolumn), and w of a unit is H y + D z + q (Jourdan, Alart & Jean 1998).
 *
 * An item is a unit or a pack. A bunch is a run of items that follow each other. Bunches of one
 * color do not read what the others change, so they may run in any order and at the same time.
 * Items without a color come last.
 */
typedef struct nsds_sweeps {
  const nsds_context *context;
  const nsds_problem *problem;
  const double *q;               /* q of the sweeps: the problem's at first */
  const nsds_factored *factored; /* matrix-free, or NULL */
  const nsds_block_rows *rows;   /* assembled, or NULL */
  int nitem, nunit, npack, ny;   /* ny: 0 when assembled */
  int *order;                    /* nitem, as a sweep takes them: pack k as k, unit k as ~k */
  unsigned char *colour;         /* nitem, in the order of the rows; nsds_colours: none */
  int end[nsds_colours + 1];     /* ends in `order`: of each color, then of items without one */
  nsds_unit *unit;
  int *cut;         /* if nothing is packed, nunit + 1: first row of each unit */
  int *first;       /* assembled, nunit + 1: first block of each block row */
  nsds_span *other; /* columns of each block */
  size_t *start;    /* nunit: start of its block row in the stream */
  double *stream;   /* one value more at the end, so that three can be read as four */
  double *M;        /* the memory of unit[].local.M */
  double *extra;    /* n: regularisation of the diagonal entries of M */
  nsds_pack *pack;  /* in the order of the sweep */
  nsds_quad *quad;  /* if `wide`, in place of `pack`: pack k is lane k % 4 of quad k / 4 */
  double *pack_Y;   /* 36 for each pack, like H; unless scaled */
  /* ncolumn, if all items are packed and Y = A H^T with A diagonal. y is then stored as A^(-1/2) y,
   * and A^(1/2) H^T takes the place of H and Y. */
  double *root;
  bool scaled;
  bool wide; /* scaled, colored, and most lanes are taken */
  int nquad;
  double *quad_room; /* the memory of `quad` */
} nsds_sweeps;

/* First row of item `i`, as it stands in `order`. */
static inline int nsds_item_row(const nsds_sweeps *s, int i) {
  if (s->wide) return s->quad[i / nsds_lanes].row[i % nsds_lanes];
  return i >= 0 ? s->pack[i].row : s->unit[~i].row;
}
/* Returns true if the item is a contact in space. */
static inline bool nsds_item_is_contact(const nsds_sweeps *s, int i) {
  return i >= 0 || (s->unit[~i].block.set == NSDS_SET_COULOMB && s->unit[~i].block.size == 3);
}
static inline double nsds_item_mu(const nsds_sweeps *s, int i) {
  if (s->wide) return s->quad[i / nsds_lanes].mu[i % nsds_lanes];
  return i >= 0 ? s->pack[i].mu : s->unit[~i].block.mu;
}
static inline int nsds_item_size(const nsds_sweeps *s, int i) {
  return i >= 0 ? 3 : s->unit[~i].block.size;
}

/*
 * Runs the items begin to end - 1 of the order. The items are part number `part` of a color, of at
 * most nsds_most_parts, or all items without a color.
 */
typedef void (*nsds_run_fn)(void *self, int begin, int end, int part);

/* Packs no items in lanes until nsds_pack_open() decides. */
static inline void nsds_sweeps_narrow(nsds_sweeps *s) { s->wide = false; }

#endif
