/* The coefficients of dormand_prince.c, for the test of their order conditions. */
#ifndef NSDS_SRC_DORMAND_PRINCE_H
#define NSDS_SRC_DORMAND_PRINCE_H

typedef struct nsds_dormand_prince_tableau {
  double c[7], a[7][6]; /* the last row of a are the weights b */
  double e[7];          /* of the error estimate */
  double d[7];          /* of the quartic part of the dense output */
} nsds_dormand_prince_tableau;

extern const nsds_dormand_prince_tableau nsds_dormand_prince_coefficients;

#endif
