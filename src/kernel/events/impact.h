#ifndef NSDS_SRC_IMPACT_H
#define NSDS_SRC_IMPACT_H

#include "kernel/events/event_rows.h"

/* Impacts of the rows at zero; *any: there was one. Velocities of the trial state. */
nsds_status nsds_impact_settle(nsds_event_rows *s, nsds_solver_info *info, bool *any);
/* Its steps: the rows that take impulses, in parts that share a law where laws differ and in which one
 * asks for it; dy/dt- and what the law remembers of it (first order: y); velocities by the impulses of
 * the present part; which of the rows at zero move apart: where the law wants zero, what is left is
 * rounding. */
typedef bool nsds_row_test(const nsds_event_rows *s, const nsds_row *row);
/* The rows that take impulses, in parts that share a law; only parts in which a row `asks` where laws differ. */
nsds_status nsds_impact_choose(nsds_event_rows *s, nsds_row_test *asks);
/* dy/dt before the impact, and what the law remembers of it; of first order y. */
double nsds_impact_before(const nsds_event_rows *s, const nsds_row *row, bool inelastic);
/* Velocities change by the impulses of the present part; residual: of the problem, what it leaves is rounding. */
void nsds_impact_push(nsds_event_rows *s, double residual);
/* Which rows of the present part move apart. Where the law wants zero, the rest is rounding. */
void nsds_impact_part(nsds_event_rows *s);

/* What is at zero at the trial state, besides what has been marked so. With `outside` the program
 * may have moved what was closed. */
void nsds_rows_touch(nsds_event_rows *s, bool outside);
/* What gaps that should be zero are off by: others are known no better. */
void nsds_rows_doubt(nsds_event_rows *s);
/* After an impact, whether rows of degree 1 are still at zero. */
void nsds_rows_touch_speeds(nsds_event_rows *s);

#endif
