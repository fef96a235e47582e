/* Switches: rows of laws whose lambda has other bounds while the switch is off. */
#ifndef NSDS_SRC_ADAPTIVE_SWITCHES_H
#define NSDS_SRC_ADAPTIVE_SWITCHES_H

#include "kernel/adaptive/adaptive_driver.h"

/* Keeps the switches of a definition. */
nsds_status nsds_switches_take(nsds_adaptive_driver *d, const nsds_adaptive_def *given);
/* Looks up the interactions after a change of the model. A switch whose interaction was disconnected is off for good. */
nsds_status nsds_switches_find(nsds_adaptive_driver *d);
/* Tells the model which of its switches are on. */
void nsds_switches_show(const nsds_adaptive_driver *d);
void nsds_switches_release(nsds_adaptive_driver *d);
void nsds_switches_archive(nsds_adaptive_driver *d, nsds_archive *archive);

/* Gives all rows their bounds, of the law or of a switch that is off, and ends modes that these do not allow. */
void nsds_switches_bounds(nsds_adaptive_driver *d);
/* Returns how far switch k is from being moved. */
double nsds_switch_margin_at(const nsds_adaptive_driver *d, int k, const nsds_adaptive_instant *at);
/* Moves the switches that a solution moves. Returns whether there are any. */
bool nsds_switches_move(nsds_adaptive_driver *d, const nsds_adaptive_instant *at);
/* Keeps the switches as they are before a call; returns to them. */
void nsds_switches_keep(nsds_adaptive_driver *d);
void nsds_switches_return(nsds_adaptive_driver *d);

#endif
