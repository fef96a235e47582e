#ifndef NSDS_SRC_IMPACT_H
#define NSDS_SRC_IMPACT_H

#include "kernel/events/event_rows.h"

/* Solves impacts of the rows at zero and updates velocities of the trial state. *any: there was an
 * impact. */
nsds_status nsds_impact_settle(nsds_event_rows *s, nsds_solver_info *info, bool *any);
/* Tests a row. The functions below are steps of nsds_impact_settle(). */
typedef bool nsds_row_test(const nsds_event_rows *s, const nsds_row *row);
/* Lists the rows that take impulses, in parts that share a law. Only parts in which a row `asks`
 * stay. */
nsds_status nsds_impact_choose(nsds_event_rows *s, nsds_row_test *asks);
/* Returns dy/dt before the impact plus restitution of the law; y for first order. */
double nsds_impact_before(const nsds_event_rows *s, const nsds_row *row, bool inelastic);
/* Changes velocities by the impulses of the part. Speeds within `residual` of the problem
 * count as rounding. */
void nsds_impact_push(nsds_event_rows *s, const nsds_row_part *part, double residual);
/* Marks the listed rows that move after the impact. Speeds that the law sets to zero differ from
 * zero by rounding. */
void nsds_impact_part(nsds_event_rows *s);

/* Marks more rows that are at zero at the trial state. `outside`: the program may have moved closed
 * rows. */
void nsds_impact_touch(nsds_event_rows *s, bool outside);
/* Returns true if an open gap differs from zero by no more than the drift of closed rows may have
 * caused. */
bool nsds_impact_in_doubt(nsds_event_rows *s);
/* Marks rows of degree 1 that are still at zero after an impact. */
void nsds_impact_touch_speeds(nsds_event_rows *s);

#endif
