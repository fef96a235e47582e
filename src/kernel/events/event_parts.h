#ifndef NSDS_SRC_EVENT_PARTS_H
#define NSDS_SRC_EVENT_PARTS_H

#include "kernel/events/event_rows.h"

/* Cuts a list into its parts. */
nsds_status nsds_rows_split(nsds_event_rows *s, nsds_row_list *list);
/* Cuts the parts of a list further. `tied` tells if rows i and j of the part act on each
 * other. */
nsds_status nsds_rows_refine(nsds_event_rows *s, nsds_row_list *list,
                             bool (*tied)(const nsds_event_rows *s, const nsds_row_part *part,
                                          int i, int j));
/* Returns part p of a list, as long as the list and the memory of the rows stay. */
nsds_row_part nsds_part_of(const nsds_event_rows *s, const nsds_row_list *list, int p);
/* Reserves memory for the parts of a list. */
nsds_status nsds_parts_reserve(nsds_event_rows *s, const nsds_row_list *list);
void nsds_parts_release(nsds_event_rows *s);

/* Solves w = A z + b with the sets of the chosen rows, to rounding if the rows are not too many. */
nsds_status nsds_event_solve(nsds_event_rows *s, const nsds_row_part *part, bool impact,
                             nsds_solver_info *info);
/* Does the same with the tolerance of the solver at rounding, if the solver can. */
nsds_status nsds_event_solve_closely(nsds_event_rows *s, const nsds_row_part *part, bool impact,
                                     nsds_solver_info *info);
/* Returns true if all rows of the part keep their places on their laws, with lambda from before as z. A law with
 * several solutions, such as a switch with hysteresis, then keeps its solution. */
bool nsds_event_stays(nsds_event_rows *s, const nsds_row_part *part);
/* Takes impulses z of a nearly equal problem to rounding. */
void nsds_event_correct(nsds_event_rows *s, const nsds_row_part *part);
/* Reserves the workspace of the solvers for the part. */
nsds_status nsds_event_solver_reserve(nsds_event_rows *s, const nsds_row_part *part);
/* Reserves the problem of the largest part, with `most` rows. */
nsds_status nsds_event_problem_reserve(nsds_event_rows *s, int most);
void nsds_event_problem_destroy(nsds_event_rows *s);

#endif
