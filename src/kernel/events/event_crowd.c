/*
 * Events that make no progress: so many at one instant, or so fast one after the other, that a step ends
 * with a status that names a row.
 */
#include "kernel/events/event_crowd.h"

#include "base/context.h"
#include "kernel/assembly/plan.h"
#include "kernel/events/event_driven.h"
#include "kernel/events/integrate_to_root.h"
#include "kernel/modeling/modeling.h"

/* The first row that has come to zero, for messages. */
static const char *name_row_at_zero(const nsds_event_driver *d, char label[nsds_label_size]) {
  const nsds_event_rows *s = &d->rows;
  for (int k = 0; k < s->nrow; ++k)
    if (nsds_row_at_zero(&s->row[k]) || s->row[k].mark.bound != NSDS_BOUND_NONE)
      return nsds_contact_label(&s->plan->contact[s->row[k].contact], label);
  return "no row";
}

/* Events that follow each other so fast that max_events of them would be nowhere. */
static bool no_progress(const nsds_event_driver *d, double t) {
  const long many = 2000;
  const double part = 1e-6;
  return d->crowd.count > many && t - d->crowd.since < part * nsds_event_interval(d);
}

nsds_status nsds_event_crowded(nsds_event_driver *d) {
  enum { most = 100 };
  nsds_context *context = d->base.context;
  char label[nsds_label_size];
  double t = d->times.elapsed, now = d->base.plan.trial.t;
  if (t > d->crowd.since + nsds_event_interval(d)) {
    d->crowd.since = t;
    d->crowd.count = 0;
  }
  d->crowd.repeats = t == d->crowd.last ? d->crowd.repeats + 1 : 0;
  d->crowd.near = t - d->crowd.last <= nsds_instant * fabs(t) ? d->crowd.near + 1 : 0;
  d->crowd.last = t;
  bool many = ++d->crowd.count > d->def.max_events || no_progress(d, t);
  d->crowd.chatters = many || d->crowd.repeats > most;
  if (many)
    return nsds_fail(context, NSDS_ERROR_VALUE,
                     "event at t = %.17g: more than %ld events since t = %.17g, the last of %s; "
                     "allow more by max_events, or a window",
                     now, d->crowd.count - 1, d->base.t0 + d->crowd.since,
                     name_row_at_zero(d, label));
  if (d->crowd.repeats > most)
    return nsds_fail(context, NSDS_ERROR_VALUE,
                     "event at t = %.17g: contacts open and close %d times at this instant, the "
                     "last of %s; their forces and accelerations do not decide",
                     now, (int)most, name_row_at_zero(d, label));
  return NSDS_OK;
}

nsds_status nsds_event_touched_in_vain(nsds_event_driver *d) {
  d->crowd.chatters = true;
  return nsds_fail(d->base.context, NSDS_ERROR_VALUE,
                   "event at t = %.17g: more than max_events = %d times since t = %.17g gaps have "
                   "come to zero by the errors of the integration alone; give a smaller "
                   "relative_tolerance, or a window",
                   d->base.plan.trial.t, d->def.max_events, d->base.clock.t);
}
