/*
 * A program's choice among the contacts of a set. The geometry hands its contacts to a sink that
 * asks the program and keeps copies. Then these go on to the plan by increasing order.
 */
#ifndef NSDS_SRC_CHOSEN_H
#define NSDS_SRC_CHOSEN_H

#include "kernel/modeling/contact_set.h"

/* Finds the contacts of a set with a choice, and hands the chosen ones to `contacts`. */
nsds_status nsds_chosen_find(nsds_contact_set *set, double t, nsds_contacts *contacts);

#endif
