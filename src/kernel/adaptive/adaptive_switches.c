/*
 * A switch that is on leaves its interaction to the law; while it is off, lambda has other bounds. Switches of the
 * definition come first, then those that relations make (gate.c). Margins move switches, at the times at which a margin
 * becomes negative.
 */
#include "kernel/adaptive/adaptive_switches.h"

#include "base/base.h"
#include "base/context.h"
#include "kernel/modeling/gate.h"
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
  for (int k = 0; !status && k < s->given; ++k) {
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

/* Counts the interactions that are switches by their relation. */
static int count_gates(const nsds_model *model) {
  int count = 0;
  for (size_t c = 0; c < model->interaction.count; ++c)
    count += nsds_is_switch(model->interaction.item[c]);
  return count;
}

/* Refuses an interaction of the definition that is a switch by its relation. */
static nsds_status check_gates(const nsds_adaptive_driver *d) {
  const nsds_adaptive_switches *s = &d->switches;
  char label[nsds_label_size];
  for (int k = 0; k < s->given; ++k)
    if (s->of[k] && nsds_is_switch(s->of[k]))
      return nsds_fail(d->base.context, NSDS_ERROR_ARGUMENT,
                       "nsds_adaptive: switched[%d] is %s, a switch by its relation; valid are "
                       "interactions whose relation has no operation margin",
                       k, nsds_interaction_label(s->of[k], label));
  return NSDS_OK;
}

static void release_arrays(const nsds_adaptive_driver *d) {
  nsds_release(d->base.context, d->switches.on);
  nsds_release(d->base.context, d->switches.of);
  nsds_release(d->base.context, d->switches.lower);
}

/* Makes room for `count` switches, and keeps those of the definition. */
static nsds_status switches_reserve(nsds_adaptive_driver *d, int count) {
  nsds_context *context = d->base.context;
  nsds_adaptive_switches *s = &d->switches;
  size_t n = (size_t)count + 1;
  unsigned char *on = NSDS_NEW_ARRAY(context, unsigned char, 2 * n);
  nsds_interaction **of = NSDS_NEW_ARRAY(context, nsds_interaction *, n);
  double *lower = NSDS_NEW_ARRAY(context, double, 2 * n);
  if (!on || !of || !lower) {
    nsds_release(context, on);
    nsds_release(context, of);
    nsds_release(context, lower);
    return NSDS_ERROR_MEMORY;
  }
  for (int k = 0; k < s->given; ++k) {
    on[k] = s->on[k];
    of[k] = s->of[k];
    lower[k] = s->lower[k];
    lower[n + (size_t)k] = s->upper[k];
  }
  release_arrays(d);
  s->on = on;
  s->start_on = on + n;
  s->of = of;
  s->lower = lower;
  s->upper = lower + n;
  s->count = count;
  return NSDS_OK;
}

nsds_status nsds_switches_find(nsds_adaptive_driver *d) {
  nsds_adaptive_switches *s = &d->switches;
  const nsds_model *model = d->base.model;
  int count = s->given + count_gates(model);
  nsds_status status = count == s->count ? NSDS_OK : switches_reserve(d, count);
  if (status) return status;
  for (int k = 0; k < s->given; ++k) {
    s->of[k] = nsds_handle_alive(s->handle[k]) ? nsds_handle_place(s->handle[k]) : NULL;
    if (!s->of[k]) s->on[k] = false;
  }
  for (size_t c = 0, k = (size_t)s->given; c < model->interaction.count; ++c) {
    nsds_interaction *ia = model->interaction.item[c];
    if (!nsds_is_switch(ia)) continue;
    s->of[k] = ia;
    s->on[k] = ia->gate.on;
    s->lower[k] = ia->relation->gate.lower;
    s->upper[k++] = ia->relation->gate.upper;
  }
  return check_gates(d);
}

void nsds_switches_show(const nsds_adaptive_driver *d) {
  for (int k = d->switches.given; k < d->switches.count; ++k) {
    nsds_interaction *ia = d->switches.of[k];
    bool on = d->switches.on[k];
    if (ia->gate.on == on) continue;
    nsds_gate_set(ia, on);
    nsds_gate_accept(ia);
  }
}

nsds_status nsds_switches_take(nsds_adaptive_driver *d, const nsds_adaptive_def *given) {
  nsds_context *context = d->base.context;
  nsds_adaptive_switches *s = &d->switches;
  size_t count = (size_t)given->nswitch;
  s->handle = NSDS_NEW_ARRAY(context, nsds_interaction *, count + 1);
  if (!s->handle || switches_reserve(d, given->nswitch)) return NSDS_ERROR_MEMORY;
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
  s->given = given->nswitch;
  nsds_status status = check_switched_once(d);
  return status ? status : nsds_switches_find(d);
}

void nsds_switches_release(nsds_adaptive_driver *d) {
  release_arrays(d);
  nsds_release(d->base.context, d->switches.handle);
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
  for (int k = 0; nsds_adaptive_moves(d) && k < r->ny; ++k)
    if (nsds_gap_is_open(d, k)) r->lower[k] = r->upper[k] = 0.0;
  for (int k = 0; k < r->ny; ++k) {
    if (r->lower[k] == r->upper[k]) d->mode[k] = NSDS_MODE_LOWER;
    else if ((d->mode[k] == NSDS_MODE_LOWER && isinf(r->lower[k])) ||
             (d->mode[k] == NSDS_MODE_UPPER && isinf(r->upper[k])))
      d->mode[k] = NSDS_MODE_BETWEEN;
  }
}

static inline double within_piece(const nsds_adaptive_driver *d, double t) {
  return nsds_smaller(nsds_larger(t, d->piece.from), d->piece.to);
}

/* The margin of a switch that its relation makes. */
static double gate_margin_at(const nsds_adaptive_driver *d, int k, double t,
                             const nsds_adaptive_instant *at) {
  const nsds_state state = {.t = t, .q = at->q, .v = at->z};
  const nsds_interaction *ia = d->switches.of[k];
  nsds_arguments in =
      nsds_gate_arguments(ia, &state, at->z + d->stage.rows.nx, d->base.plan.memory.work);
  double margin;
  return nsds_gate_margin(ia, &in, d->switches.on[k], &margin) ? INFINITY : margin;
}

double nsds_switch_margin_at(const nsds_adaptive_driver *d, int k,
                             const nsds_adaptive_instant *at) {
  if (NSDS_UNLIKELY(!d->switches.of[k])) return INFINITY;
  if (k >= d->switches.given) return gate_margin_at(d, k, within_piece(d, at->t), at);
  const nsds_adaptive_view view = {
      .t = within_piece(d, at->t), .x = at->z, .lambda = at->z + d->stage.rows.nx, .q = at->q};
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
