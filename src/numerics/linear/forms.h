#ifndef NSDS_SRC_FORMS_H
#define NSDS_SRC_FORMS_H

#include "numerics/solver_internal.h"

/*
 * Reserves memory for the dense form of the problem's matrix.
 */
nsds_status nsds_form_reserve_dense(nsds_solver *solver, const nsds_problem *problem);
/* Returns the dense form. For dense storage this is the matrix itself. */
nsds_status nsds_form_dense(nsds_solver *solver, const nsds_problem *problem, const double **x);
/* Returns the CSC form, and reserves its memory. */
nsds_status nsds_form_csc(nsds_solver *solver, const nsds_problem *problem,
                          const nsds_csc_form **form);
/* Returns the dense or the CSC form as a matrix. */
nsds_status nsds_form_view(nsds_solver *solver, const nsds_problem *problem, bool dense,
                           nsds_matrix *view);
/* Returns block rows cut at row[0..nrow_block]. A matrix that is stored so is used directly. */
nsds_status nsds_form_block_rows(nsds_solver *solver, const nsds_problem *problem, int nrow_block,
                                 const int *row, const nsds_block_rows **form);

#endif
