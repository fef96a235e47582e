/* Groups of rows whose lambda enters s of each other without a differentiation. */
#ifndef NSDS_SRC_ROW_GROUPS_H
#define NSDS_SRC_ROW_GROUPS_H

#include "kernel/events/event_rows.h"

/* Finds the groups of the contacts of the plan, and reserves memory. */
nsds_status nsds_groups_find(nsds_event_rows *s);
/* Checks that lambda does not enter constraints of states, see index_one.c. */
nsds_status nsds_groups_check(const nsds_event_rows *s);
/* Returns the largest error of these constraints at the trial state, relative to their terms. */
double nsds_groups_stray(const nsds_event_rows *s, nsds_status *status);
/* Computes D of groups of several contacts. */
void nsds_groups_couple(nsds_event_rows *s);

/* Returns the group of a row of a soft contact, else NULL. */
static inline const nsds_row_group *nsds_group_of(const nsds_event_rows *s, const nsds_row *row) {
  int group = s->groups.of[row->contact].group;
  return group < 0 ? NULL : &s->groups.group[group];
}
/* Returns the place of a row in its group. */
static inline int nsds_group_place(const nsds_event_rows *s, const nsds_row *row) {
  return s->groups.of[row->contact].place + row->i;
}
static inline nsds_row *nsds_group_row(const nsds_event_rows *s, const nsds_row_group *group,
                                       int k) {
  return &s->row[s->groups.member[group->first + k]];
}
/* Returns D of a group, n x n, or NULL if there is none. */
static inline const double *nsds_group_matrix(const nsds_event_rows *s,
                                              const nsds_row_group *group) {
  return group->several ? s->groups.D + group->matrix : s->op.entry[group->contact].D;
}
/* Returns the entry of D for two rows, 0 if they are of different groups. */
double nsds_rows_through(const nsds_event_rows *s, const nsds_row *r, const nsds_row *q);

/* Makes a step of systems with a singular M, without closed rows, from the trial state. */
nsds_status nsds_groups_step(nsds_event_rows *s, double length);
/* Returns what lambda of row q adds to s of row r at the end of this step. */
double nsds_groups_answer(const nsds_event_rows *s, const nsds_row *r, const nsds_row *q,
                          double length);
/* Returns what the step adds to s of a row without lambda of closed rows. */
double nsds_groups_change(const nsds_event_rows *s, const nsds_row *row, double length);

/* Adds what lambda of a row adds to the states at the end of this step to v. */
void nsds_groups_push(const nsds_event_rows *s, const nsds_row *row, double length, double *v);

/* Gives the systems with a singular M the states that belong to the present lambda. */
nsds_status nsds_groups_show(const nsds_event_rows *s);
/* Gives them the states without inputs again, as of the last rates. */
void nsds_groups_hide(const nsds_event_rows *s);

#endif
