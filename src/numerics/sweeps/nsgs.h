/*
 * What the block Gauss-Seidel method consists of: the units it updates, and M z kept up to date
 * under their changes, assembled or matrix-free.
 */
#ifndef NSDS_SRC_NSGS_H
#define NSDS_SRC_NSGS_H

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
 * A contact with friction between bodies of six velocities (or one, and zeros), all that its update
 * reads in one place: H in the order in which it meets them, rows of twelve, velocities 1-4 of both
 * bodies and then 5-6 of both; M_aa.
 */
typedef struct nsds_pack {
  double H[36];
  nsds_contact_matrix contact;
  double mu;
  int column[2]; /* of both bodies; one twice */
  int row;
} nsds_pack;

/*
 * Four of them side by side that share no body, where one factor is enough: H of row r and velocity
 * c of body k in place 12 r + 6 k + c; M = L D L^T, of L 21, 31 and 32.
 */
enum { nsds_lanes = 4 };

typedef struct nsds_quad {
  _Alignas(32) double H[36][nsds_lanes]; /* no four of them cross a line of the cache */
  double L[3][nsds_lanes], D[3][nsds_lanes], mu[nsds_lanes];
  int column[2][nsds_lanes], row[nsds_lanes];
  int count; /* of the lanes taken: the first ones */
} nsds_quad;

/* Whether three rows lie in a friction cone: most do, and need no projection. */
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
  NSDS_SWEEP_UNITS,   /* in the order of the rows, nothing packed: for those who look at units */
  NSDS_SWEEP_NATURAL, /* in the order of the rows */
  NSDS_SWEEP_COLOURED /* colour by colour */
} nsds_arrangement;

enum {
  nsds_colours = 64,
  nsds_bunch = 32 /* items that get a colour together */
};

/*
 * The operator. Assembled: block rows without their diagonal blocks, as one stream of values in the
 * order in which a sweep reads them; nothing is kept beside z. Matrix-free: y = Y z (ncolumn), from
 * which w of a unit is H y + D z + q (Jourdan, Alart & Jean 1998).
 *
 * An item is a unit or a pack. Of a colour are bunches of items that follow each other: what one
 * bunch changes no other of its colour reads, so they may be taken in any order and at one time.
 * What has no colour comes last.
 */
typedef struct nsds_sweeps {
  const nsds_context *context;
  const nsds_problem *problem;
  const double *q;               /* what sweeps take for it: the problem's at first */
  const nsds_factored *factored; /* matrix-free, or NULL */
  const nsds_block_rows *rows;   /* assembled, or NULL */
  int nitem, nunit, npack, ny;   /* ny: 0 when assembled */
  int *order;                    /* nitem, as a sweep takes them: pack k as k, unit k as ~k */
  unsigned char *colour;         /* nitem, in the order of the rows; nsds_colours: none */
  int end[nsds_colours + 1];     /* in `order`, of each colour and of what has none */
  nsds_unit *unit;
  int *cut;         /* where nothing is packed, nunit + 1: first row of each unit */
  int *first;       /* assembled, nunit + 1: first block of each block row */
  nsds_span *other; /* columns of each block */
  size_t *start;    /* nunit: where its block row starts in the stream */
  double *stream;   /* and one value more, so that three can be read as four */
  double *M;        /* what unit[].local.M point to */
  double *extra;    /* n: regularisation of the diagonal entries of M */
  nsds_pack *pack;  /* in the order of the sweep */
  nsds_quad *quad;  /* in their place, where `wide`: pack k in lane k % 4 of quad k / 4 */
  double *pack_Y;   /* 36 for each pack, like H; unless scaled */
  /* ncolumn: where all is packed and Y = A H^T, A diagonal, y stands for A^(-1/2) times itself, and
   * A^(1/2) H^T, in the place of H, serves for both. */
  double *root;
  bool scaled;
  bool wide; /* so it is, by colours, and most lanes are taken */
  int nquad;
  double *quad_room; /* where `quad` is */
} nsds_sweeps;

/* First row and block of item `i`, as it stands in `order`. */
static inline int nsds_item_row(const nsds_sweeps *s, int i) {
  if (s->wide) return s->quad[i / nsds_lanes].row[i % nsds_lanes];
  return i >= 0 ? s->pack[i].row : s->unit[~i].row;
}
/* Whether it is a contact in space, and its friction coefficient. */
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
 * What is done with the items begin to end - 1 of the order: part number `part` of a colour, one of
 * at most nsds_most_parts, or all that has no colour.
 */
typedef void (*nsds_run_fn)(void *self, int begin, int end, int part);

extern const nsds_method nsds_method_nsgs;

/* Items are not packed in lanes, until nsds_pack_open() says otherwise. */
static inline void nsds_sweeps_narrow(nsds_sweeps *s) { s->wide = false; }

#endif
