/* Second-order systems in implicit stages, and their relations. */
#ifndef NSDS_SRC_IMPLICIT_SECOND_H
#define NSDS_SRC_IMPLICIT_SECOND_H

#include "kernel/adaptive/implicit_rows.h"

/* Reserves the arrays of coordinates and of gaps, and finds the kinds of all rows. */
nsds_status nsds_implicit_second_reserve(nsds_implicit_rows *rows);
/* Computes the coordinates q = from (+) (way + a v) of a stage of length a. */
nsds_status nsds_implicit_place(nsds_implicit_rows *rows, double a, double t, const double *z);
/* Writes the rows of a second-order system to F, and its slopes. */
nsds_status nsds_implicit_second_slot(nsds_implicit_rows *rows, nsds_slot *slot, double a, double t,
                                      const double *before, const double *z, double **slopes,
                                      double *F);
/* Adds the rows of a contact of second-order systems to F, its forces, and its slopes. */
nsds_status nsds_implicit_second_contact(nsds_implicit_rows *rows, const nsds_contact *contact,
                                         double a, double t, const double *z, double **slopes,
                                         double *F);
/* Evaluates y, H and dh/dt of a contact that is not affine; likewise. */
nsds_status nsds_implicit_second_rates(nsds_implicit_rows *rows, const nsds_contact *contact,
                                       double t, const double *z, double *ht, const double **H);
/* Evaluates w and H of a contact of second-order systems at t, the coordinates placed, and z. *H is lent
 * until the next evaluation. Keeps y of rows about dy/dt. */
nsds_status nsds_implicit_second_rows(nsds_implicit_rows *rows, const nsds_contact *contact,
                                      double t, const double *z, double *w, const double **H);

/* Evaluates C, B and K of a relation that acts on states, mixed or not, for a stage of length a. */
nsds_status nsds_implicit_jacobians(const nsds_implicit_rows *rows, nsds_contact *contact,
                                    const nsds_arguments *in, double a);

#endif
