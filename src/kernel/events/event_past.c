/*
 * The last past events, in a ring with room for as many as the program asks for. Each is noted with
 * the number of its step, so that a return to a saved state drops later events.
 */
#include "kernel/events/event_past.h"

#include "base/context.h"

nsds_status nsds_past_reserve(nsds_event_driver *d) {
  nsds_context *context = d->base.context;
  size_t n = (size_t)d->def.history;
  if (n == 0) return NSDS_OK;
  d->past.record = NSDS_NEW_ARRAY(context, nsds_event_record, n);
  if (d->past.record) d->past.step = NSDS_NEW_ARRAY(context, long, n);
  return d->past.step ? NSDS_OK : NSDS_ERROR_MEMORY;
}

int nsds_past_place(const nsds_event_driver *d, int k) {
  int n = d->def.history;
  return (d->past.next - 1 - k + n) % n;
}

void nsds_past_note(nsds_event_driver *d) {
  nsds_event_past *past = &d->past;
  past->record[past->next] =
      (nsds_event_record){.kind = d->event.kind, .t = d->event.t, .count = d->event.count};
  past->step[past->next] = d->base.steps + 1;
  past->next = (past->next + 1) % d->def.history;
  if (past->count < d->def.history) ++past->count;
}

void nsds_past_drop(nsds_event_driver *d) {
  nsds_event_past *past = &d->past;
  while (past->count > 0 && past->step[nsds_past_place(d, 0)] > d->base.steps) {
    past->next = nsds_past_place(d, 0);
    --past->count;
  }
}
