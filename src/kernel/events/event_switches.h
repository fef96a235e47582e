/* Switches of event-driven simulation: rows with other bounds while they are off. */
#ifndef NSDS_SRC_EVENT_SWITCHES_H
#define NSDS_SRC_EVENT_SWITCHES_H

#include "kernel/events/event_rows.h"

/* Gives the rows the bounds of their switches. */
void nsds_gates_take(nsds_event_rows *s);
/* Computes the functions that end on and off, at lambda of the rows. g has one number for each
 * switch. The trial state gets the states that belong to lambda. */
nsds_status nsds_gates_functions(nsds_event_rows *s, double *g);
/* Marks switch k as one whose function has come to zero. */
void nsds_gates_mark(nsds_event_rows *s, int k);
/* Moves marked switches, and those whose margin is below zero at the trial state. *any: there are
 * some. */
nsds_status nsds_gates_move(nsds_event_rows *s, bool *any);
/* Lets the functions begin at zero where a margin is below zero by rounding. */
nsds_status nsds_gates_begin(nsds_event_rows *s);
/* Accepts the switches, or returns them to where they were accepted. */
void nsds_gates_accept(const nsds_plan *plan);
void nsds_gates_return(const nsds_plan *plan);

#endif
