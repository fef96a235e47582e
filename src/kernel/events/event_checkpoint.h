#ifndef NSDS_SRC_EVENT_CHECKPOINT_H
#define NSDS_SRC_EVENT_CHECKPOINT_H

#include "kernel/events/event_driven.h"

/* Reserves memory for checkpoints of the present rows. */
nsds_status nsds_checkpoints_reserve(nsds_event_driver *d);
/* Keeps the rows. `integrates`: also the start of the integration. */
void nsds_checkpoint_take(nsds_event_driver *d, nsds_event_checkpoint *at, bool integrates);
/* Keeps the start of the integration at the trial state. */
void nsds_checkpoint_start(nsds_event_driver *d);
/* Forgets the checkpoint: its rows are no longer valid. */
void nsds_checkpoint_forget(nsds_event_driver *d);
/* Notes the driver at the start of a step. */
void nsds_checkpoint_begin(nsds_event_driver *d);
/* Keeps the rows of a step that is about to settle its start. */
void nsds_checkpoint_note(nsds_event_driver *d);
/* Takes back a failed step, except the integration. */
void nsds_checkpoint_fail(nsds_event_driver *d);
/* Keeps the rows between two halves of an event: the second one may fail and be repeated. */
void nsds_checkpoint_halve(nsds_event_driver *d);
/* Makes the checkpoint of an accepted step that of the accepted state. */
void nsds_checkpoint_accept(nsds_event_driver *d);
/* Puts the rows of a checkpoint back in their places. */
void nsds_checkpoint_put_rows(nsds_event_rows *s, const nsds_event_checkpoint *m);
void nsds_checkpoints_destroy(nsds_event_driver *d);

#endif
