#ifndef NSDS_SRC_EVENT_PARTS_H
#define NSDS_SRC_EVENT_PARTS_H

#include "kernel/events/event_rows.h"

/* Cuts a list into its parts; and those into smaller ones where `tied` says of two rows of
 * a part, the present one, that they do not act on each other, by numbers in it. */
nsds_status nsds_rows_split(nsds_event_rows *s, nsds_row_list *list);
nsds_status nsds_rows_refine(nsds_event_rows *s, nsds_row_list *list,
                             bool (*tied)(const nsds_event_rows *s, int i, int j));
/* Part p of a list is the present one. */
void nsds_part_enter(nsds_event_rows *s, const nsds_row_list *list, int p);
/* Memory for parts of this many rows. */
nsds_status nsds_parts_reserve(nsds_event_rows *s, const nsds_row_list *list);
void nsds_parts_release(nsds_event_rows *s);

/* Solves A z + b with the sets of the chosen rows, to rounding where they are not too
 * many; room for the largest part; frees it. */
nsds_status nsds_event_solve(nsds_event_rows *s, bool impact, nsds_solver_info *info);
/* The same with the solver's tolerance at rounding, where it can; impulses z that have been found, of a
 * problem that is nearly this one. */
nsds_status nsds_event_solve_closely(nsds_event_rows *s, bool impact, nsds_solver_info *info);
void nsds_event_correct(nsds_event_rows *s);
/* Workspace of the solver for the present part. */
nsds_status nsds_event_solver_reserve(nsds_event_rows *s);
static inline void nsds_event_problem_forget(nsds_event_rows *s) { s->problem.there = false; }
nsds_status nsds_event_problem_reserve(nsds_event_rows *s, int most);
void nsds_event_problem_destroy(nsds_event_rows *s);

#endif
