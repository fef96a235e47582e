#ifndef NSDS_SRC_FORMS_H
#define NSDS_SRC_FORMS_H

#include "numerics/solver_internal.h"

/*
 * Memory for the dense or CSC form of the problem's matrix, then the form itself. The dense form of
 * dense storage is the matrix itself.
 */
nsds_status nsds_form_reserve_dense(nsds_solver *solver, const nsds_problem *problem);
nsds_status nsds_form_dense(nsds_solver *solver, const nsds_problem *problem, const double **x);
nsds_status nsds_form_csc(nsds_solver *solver, const nsds_problem *problem,
                          const nsds_csc_form **form);
/* One of the two as a matrix. */
nsds_status nsds_form_view(nsds_solver *solver, const nsds_problem *problem, bool dense,
                           nsds_matrix *view);
/* Block rows cut at row[0..nrow_block]; a matrix stored so is used as it is. */
nsds_status nsds_form_block_rows(nsds_solver *solver, const nsds_problem *problem, int nrow_block,
                                 const int *row, const nsds_block_rows **form);

#endif
