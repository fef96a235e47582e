/*
 * A switch that is on leaves its interaction to the law; while it is off, lambda has the bounds of the definition. The
 * program's margins move switches, at the times at which a margin becomes negative.
 */
#include "kernel/adaptive/adaptive_switches.h"

#include "base/base.h"
#include "base/context.h"
#include "kernel/modeling/handle.h"
#include "kernel/modeling/label.h"
#include "kernel/modeling/modeling.h"

/* Refuses an interaction that two switches would move. */
static nsds_status check_switched_once(const nsds_adaptive_driver *d) {
  nsds_context *context = d->base.context;
  const nsds_adaptive_switches *s = &d->switches;
  size_t count = d->base.model->interaction.count + 1;
  int *seen = NSDS_NEW_ARRAY(context, int, count); /* 1 + the switch of each interaction */
  nsds_status status = seen ? NSDS_OK : NSDS_ERROR_MEMORY;
  for (int k = 0; !status && k < s->count; ++k) {
    int *of = &seen[s->of[k]->index];
    char label[nsds_label_size];
    if (*of)
      status = nsds_fail(context, NSDS_ERROR_ARGUMENT,
                         "nsds_adaptive: switched[%d] and switched[%d] are both %s; give each "
                         "interaction once",
                         *of - 1, k, nsds_interaction_label(s->of[k], label));
    *of = k + 1;
  }
  nsds_release(context, seen);
  return status;
}

nsds_status nsds_switches_take(nsds_adaptive_driver *d, const nsds_adaptive_def *given) {
  nsds_context *context = d->base.context;
  nsds_adaptive_switches *s = &d->switches;
  size_t count = (size_t)given->nswitch;
  s->on = NSDS_NEW_ARRAY(context, unsigned char, 2 * count + 1);
  s->of = NSDS_NEW_ARRAY(context, nsds_interaction *, 2 * count + 1);
  s->lower = NSDS_NEW_ARRAY(context, double, 2 * count + 1);
  if (!s->on || !s->of || !s->lower) return NSDS_ERROR_MEMORY;
  s->start_on = s->on + count;
  s->upper = s->lower + count;
  s->handle = s->of + count;
  for (size_t k = 0; k < count; ++k) {
    if (given->off_lower) s->lower[k] = given->off_lower[k];
    if (given->off_upper) s->upper[k] = given->off_upper[k];
    s->on[k] = given->on && given->on[k];
    if (!(s->lower[k] <= s->upper[k]))
      return nsds_fail(context, NSDS_ERROR_VALUE,
                       "nsds_adaptive: off_lower[%zu] is %g and off_upper[%zu] %g; valid are "
                       "off_lower <= off_upper",
                       k, s->lower[k], k, s->upper[k]);
    s->handle[k] = given->switched[k];
    if (!s->handle[k])
      return nsds_fail(context, NSDS_ERROR_ARGUMENT,
                       "nsds_adaptive: switched[%zu] is NULL; give an interaction", k);
    s->of[k] = nsds_interaction_find(s->handle[k], "nsds_adaptive");
    if (!s->of[k]) return NSDS_ERROR_ARGUMENT;
    if (s->of[k]->model != d->base.model)
      return nsds_fail(context, NSDS_ERROR_ARGUMENT,
                       "nsds_adaptive: switched[%zu] belongs to another model", k);
  }
  s->count = given->nswitch;
  return check_switched_once(d);
}

void nsds_switches_find(nsds_adaptive_driver *d) {
  nsds_adaptive_switches *s = &d->switches;
  for (int k = 0; k < s->count; ++k) {
    s->of[k] = nsds_handle_alive(s->handle[k]) ? nsds_handle_place(s->handle[k]) : NULL;
    if (!s->of[k]) s->on[k] = false;
  }
}

void nsds_switches_release(nsds_adaptive_driver *d) {
  nsds_release(d->base.context, d->switches.on);
  nsds_release(d->base.context, d->switches.of);
  nsds_release(d->base.context, d->switches.lower);
}

void nsds_switches_archive(nsds_adaptive_driver *d, nsds_archive *a) {
  nsds_archive_same(a, "the simulation", "switches", (uint64_t)d->switches.count);
  for (int k = 0; k < d->switches.count; ++k) {
    bool on = d->switches.on[k];
    nsds_archive_bool(a, &on);
    d->switches.on[k] = on;
  }
}

void nsds_switches_bounds(nsds_adaptive_driver *d) {
  nsds_implicit_rows *r = &d->stage.rows;
  const nsds_adaptive_switches *s = &d->switches;
  nsds_copy_doubles(r->lower, r->law.lower, (size_t)r->ny);
  nsds_copy_doubles(r->upper, r->law.upper, (size_t)r->ny);
  for (int k = 0; k < s->count; ++k)
    for (int i = 0; !s->on[k] && s->of[k] && i < s->of[k]->m; ++i) {
      r->lower[s->of[k]->y_offset + i] = s->lower[k];
      r->upper[s->of[k]->y_offset + i] = s->upper[k];
    }
  for (int k = 0; k < r->ny; ++k) {
    if (r->lower[k] == r->upper[k]) d->mode[k] = NSDS_MODE_LOWER;
    else if ((d->mode[k] == NSDS_MODE_LOWER && isinf(r->lower[k])) ||
             (d->mode[k] == NSDS_MODE_UPPER && isinf(r->upper[k])))
      d->mode[k] = NSDS_MODE_BETWEEN;
  }
}

double nsds_switch_margin_at(const nsds_adaptive_driver *d, int k,
                             const nsds_adaptive_instant *at) {
  if (NSDS_UNLIKELY(!d->switches.of[k])) return INFINITY;
  const nsds_adaptive_view view = {.t = fmin(fmax(at->t, d->piece.from), d->piece.to),
                                   .x = at->z,
                                   .lambda = at->z + d->stage.rows.nx};
  double margin = d->def.margin(&view, k, d->switches.on[k], d->def.user);
  if (NSDS_UNLIKELY(isnan(margin)))
    nsds_fail(d->base.context, NSDS_ERROR_CALLBACK,
              "adaptive step at t = %.17g: the margin of switch %d is NaN; valid are numbers and "
              "infinities",
              view.t, k);
  return margin;
}

bool nsds_switches_move(nsds_adaptive_driver *d, const nsds_adaptive_instant *at) {
  bool moved = false;
  for (int k = 0; k < d->switches.count; ++k)
    if (nsds_switch_margin_at(d, k, at) < 0.0) {
      d->switches.on[k] = !d->switches.on[k];
      d->course.info.moved = k;
      moved = true;
    }
  if (moved) nsds_switches_bounds(d);
  return moved;
}

void nsds_switches_keep(nsds_adaptive_driver *d) {
  if (d->switches.count > 0)
    memcpy(d->switches.start_on, d->switches.on, (size_t)d->switches.count);
}

void nsds_switches_return(nsds_adaptive_driver *d) {
  if (d->switches.count > 0)
    memcpy(d->switches.on, d->switches.start_on, (size_t)d->switches.count);
  nsds_switches_bounds(d);
}
