#ifndef NSDS_SRC_EVENT_PROBLEMS_H
#define NSDS_SRC_EVENT_PROBLEMS_H

#include "kernel/events/event_rows.h"

/* Reserves the list of all problems of an event, for problems of up to s->problem.most rows. */
nsds_status nsds_event_problems_reserve(nsds_event_rows *s);
/* Keeps the problem of the part with its z. */
void nsds_event_problems_note(nsds_event_rows *s, const nsds_row_part *part,
                              const nsds_problem *problem, bool impact);
/* Forgets the problems of the last event. */
static inline void nsds_event_problems_forget(nsds_event_rows *s) {
  s->problem.motion.there = s->problem.impact.there = false;
  s->problem.all.count = 0;
}
/* Says which row of the model row r is. */
nsds_event_place nsds_event_problems_place(const nsds_event_rows *s, int r);

#endif
