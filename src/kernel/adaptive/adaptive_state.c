/* The arrays of the adaptive driver; its state, taken from the model, given to it, kept and archived. */
#include "kernel/adaptive/adaptive_state.h"

#include "base/archive.h"
#include "base/base.h"
#include "base/context.h"
#include "base/finite.h"
#include "kernel/adaptive/adaptive_switches.h"
#include "kernel/adaptive/implicit_evaluate.h"
#include "kernel/modeling/modeling.h"
#include "kernel/modeling/state.h"
#include "kernel/simulation/overflow.h"

/* ---- arrays ---------------------------------------------------------------------------------- */

static double *adaptive_place(double **at, int count) {
  double *here = *at;
  *at += count;
  return here;
}

static void place_instant(double **at, const nsds_implicit_rows *r,
                          nsds_adaptive_instant *instant) {
  instant->z = adaptive_place(at, r->n);
  instant->w = adaptive_place(at, r->ny);
  instant->rate = adaptive_place(at, r->nx);
  if (r->motion.nq == 0) return;
  instant->q = adaptive_place(at, r->motion.nq);
  instant->gap = adaptive_place(at, r->ny);
}

/* Reserves the arrays for the present rows. */
static nsds_status adaptive_reserve(nsds_adaptive_driver *d) {
  const nsds_implicit_rows *r = &d->stage.rows;
  nsds_context *context = d->base.context;
  size_t nx = (size_t)r->nx, ny = (size_t)r->ny, count = 4 * (2 * nx + 2 * ny) + 6 * nx + 5 * ny;
  if (r->motion.nq > 0) count += 4 * ((size_t)r->motion.nq + ny) + 3 * nx + ny;
  nsds_status status =
      nsds_renew(context, &d->memory, &d->memory_capacity, count + 1, sizeof *d->memory);
  if (!status)
    status = nsds_renew(context, &d->mode, &d->mode_capacity, 4 * ny + 1, sizeof *d->mode);
  if (status) return status;
  double *at = d->memory;
  place_instant(&at, r, &d->now);
  place_instant(&at, r, &d->middle);
  place_instant(&at, r, &d->trial);
  place_instant(&at, r, &d->start);
  d->before = adaptive_place(&at, r->nx);
  d->error = adaptive_place(&at, r->nx);
  d->guess = adaptive_place(&at, r->n);
  d->size = adaptive_place(&at, r->nx);
  d->scale = adaptive_place(&at, r->nx + 2 * r->ny);
  d->bounds = d->scale + nx;
  d->start_scale = adaptive_place(&at, r->nx + 2 * r->ny);
  if (r->motion.nq > 0) {
    d->bodies.way = adaptive_place(&at, r->nx);
    d->bodies.reach = adaptive_place(&at, r->nx);
    d->bodies.start_reach = adaptive_place(&at, r->nx);
    d->bodies.impulse = adaptive_place(&at, r->ny);
  }
  nsds_zero_doubles(d->memory, count);
  d->start_mode = d->mode + ny;
  d->bodies.closed = d->start_mode + ny;
  d->bodies.at_start = d->bodies.closed + ny;
  memset(d->mode, 0, 4 * ny + 1);
  return NSDS_OK;
}

/* Takes the scales of systems: sizes into `size`, and the longest step. */
static void take_scales(nsds_adaptive_driver *d, double *size) {
  const nsds_model *model = d->base.model;
  double longest = d->given.step;
  for (size_t k = 0; k < model->ds.count; ++k) {
    const nsds_ds *ds = model->ds.item[k];
    nsds_scales scales = {.size = size + ds->v_offset};
    if (nsds_is_second_order(ds) || !ds->first->scales) continue;
    ds->first->scales(ds->self, &scales);
    if (scales.largest_step > 0.0) longest = fmin(longest, scales.largest_step);
  }
  d->def.largest_step = longest;
  d->def.settling = d->given.settling > 0.0 ? fmin(d->given.settling, longest) : 1e-4 * longest;
}

void nsds_adaptive_take_sizes(nsds_adaptive_driver *d) {
  const nsds_implicit_rows *r = &d->stage.rows;
  const nsds_implicit_list *mass = &r->mass_columns;
  double *size = d->guess;
  nsds_zero_doubles(d->size, (size_t)r->nx);
  nsds_zero_doubles(size, (size_t)r->nx);
  take_scales(d, size);
  bool given = d->def.size && d->given.nsize == r->nx; /* no system has come or gone */
  for (int j = 0; j < r->nx; ++j) {
    double least = given ? fmax(size[j], d->def.size[j]) : size[j];
    for (int k = mass->p[j]; k < mass->p[j + 1]; ++k)
      d->size[mass->i[k]] = fmax(d->size[mass->i[k]], fabs(mass->x[k]) * least);
  }
}

nsds_status nsds_adaptive_update(nsds_adaptive_driver *d) {
  const nsds_implicit_rows *r = &d->stage.rows;
  uint64_t stamp = r->stamp;
  int nx = r->nx, ny = r->ny, nq = r->motion.nq;
  nsds_status status = nsds_implicit_update(&d->stage, &d->base.plan);
  bool new_size = nx != r->nx || ny != r->ny || nq != r->motion.nq;
  if (!status && (!d->memory || new_size)) status = adaptive_reserve(d);
  if (status) return status;
  if (r->stamp != stamp) nsds_adaptive_take_sizes(d);
  nsds_switches_bounds(d);
  return NSDS_OK;
}

/* ---- the model ------------------------------------------------------------------------------- */

void nsds_adaptive_take(nsds_adaptive_driver *d) {
  const nsds_implicit_rows *r = &d->stage.rows;
  const nsds_state *state = &d->base.model->state;
  d->now.t = d->base.clock.t;
  nsds_copy_doubles(d->now.z, state->v, (size_t)r->nx);
  nsds_copy_doubles(d->now.z + r->nx, state->impulse, (size_t)r->ny);
  if (!nsds_adaptive_moves(d)) return;
  nsds_copy_doubles(d->now.q, state->q, (size_t)r->motion.nq);
  for (int c = 0; c < d->base.plan.ncontact; ++c) {
    const nsds_contact *contact = &d->base.plan.contact[c];
    if (nsds_has_gap(contact->kind))
      nsds_copy_doubles(d->now.z + r->nx + contact->y0, state->force + contact->y0,
                        (size_t)contact->m);
  }
}

/* Writes coordinates, and y, dy/dt and the impulse of relations of second-order systems. */
static void show_bodies(const nsds_adaptive_driver *d, nsds_state *to) {
  const nsds_implicit_motion *motion = &d->stage.rows.motion;
  nsds_copy_doubles(to->q, d->now.q, (size_t)motion->nq);
  for (int c = 0; c < d->base.plan.ncontact; ++c) {
    const nsds_contact *contact = &d->base.plan.contact[c];
    if (!nsds_has_gap(contact->kind)) continue;
    for (int row = contact->y0; row < contact->y0 + contact->m; ++row) {
      to->impulse[row] = d->bodies.impulse[row];
      if (motion->kind[row] == NSDS_ROW_OF_Y) continue;
      to->y[row] = d->now.gap[row];
      to->ydot[row] = d->now.w[row];
    }
  }
}

nsds_status nsds_adaptive_show(nsds_adaptive_driver *d) {
  nsds_simulation *sim = &d->base;
  nsds_model *model = sim->model;
  nsds_implicit_rows *r = &d->stage.rows;
  nsds_state *to = &sim->plan.trial;
  nsds_copy_doubles(to->v, d->now.z, (size_t)r->nx);
  nsds_zero_doubles(to->p, (size_t)r->nx);
  nsds_zero_doubles(to->reaction, (size_t)r->nx);
  for (int k = 0; k < r->ny; ++k) {
    double lambda = d->now.z[r->nx + k];
    to->impulse[k] = to->force[k] = lambda;
    to->y[k] = d->now.w[k] - r->law.compliance[k] * lambda;
    to->ydot[k] = 0.0;
  }
  if (nsds_adaptive_moves(d)) {
    show_bodies(d, to);
    nsds_copy_doubles(r->motion.q, d->now.q, (size_t)r->motion.nq);
  }
  nsds_status status = nsds_implicit_inputs(r, d->now.t, d->now.z, to->p);
  if (status) return status;
  to->t = sim->t_next;
  double zero = nsds_zero_if_finite(to->v, r->nx) + nsds_zero_if_finite(to->impulse, r->ny) +
                nsds_zero_if_finite(to->y, r->ny);
  if (NSDS_UNLIKELY(zero != 0.0))
    return nsds_check_shown(&sim->plan, to, "adaptive step to", to->t);
  for (int c = 0; c < sim->plan.ncontact; ++c) sim->plan.contact[c].interaction->active = true;
  nsds_state_copy(sim->context, &model->state, to, &model->size);
  model->state.t = sim->t_next;
  return NSDS_OK;
}

/* ---- keeping --------------------------------------------------------------------------------- */

void nsds_adaptive_copy(const nsds_adaptive_driver *d, nsds_adaptive_instant *to,
                        const nsds_adaptive_instant *from) {
  const nsds_implicit_rows *r = &d->stage.rows;
  to->t = from->t;
  nsds_copy_doubles(to->z, from->z, (size_t)r->n);
  nsds_copy_doubles(to->w, from->w, (size_t)r->ny);
  nsds_copy_doubles(to->rate, from->rate, (size_t)r->nx);
  if (!nsds_adaptive_moves(d)) return;
  nsds_copy_doubles(to->q, from->q, (size_t)r->motion.nq);
  nsds_copy_doubles(to->gap, from->gap, (size_t)r->ny);
}

static size_t scale_count(const nsds_adaptive_driver *d) {
  const nsds_implicit_rows *r = &d->stage.rows;
  return (size_t)r->nx + 2 * (size_t)r->ny;
}

void nsds_adaptive_keep(nsds_adaptive_driver *d) {
  nsds_adaptive_copy(d, &d->start, &d->now);
  if (d->stage.rows.ny > 0) memcpy(d->start_mode, d->mode, (size_t)d->stage.rows.ny);
  nsds_copy_doubles(d->start_scale, d->scale, scale_count(d));
  if (nsds_adaptive_moves(d)) {
    memcpy(d->bodies.at_start, d->bodies.closed, (size_t)d->stage.rows.ny);
    nsds_copy_doubles(d->bodies.start_reach, d->bodies.reach, (size_t)d->stage.rows.nx);
    nsds_zero_doubles(d->bodies.impulse, (size_t)d->stage.rows.ny);
  }
  nsds_switches_keep(d);
  d->course_at_start = d->course;
}

void nsds_adaptive_return(nsds_adaptive_driver *d) {
  nsds_adaptive_copy(d, &d->now, &d->start);
  if (d->stage.rows.ny > 0) memcpy(d->mode, d->start_mode, (size_t)d->stage.rows.ny);
  nsds_copy_doubles(d->scale, d->start_scale, scale_count(d));
  if (nsds_adaptive_moves(d)) {
    memcpy(d->bodies.closed, d->bodies.at_start, (size_t)d->stage.rows.ny);
    nsds_copy_doubles(d->bodies.reach, d->bodies.start_reach, (size_t)d->stage.rows.nx);
    d->bodies.farthest = 0.0;
    for (int k = 0; k < d->stage.rows.nx; ++k) nsds_raise(&d->bodies.farthest, d->bodies.reach[k]);
  }
  nsds_switches_return(d);
  d->course = d->course_at_start;
  d->now.weight = d->middle.weight = 0.0;
}

static void archive_count(nsds_archive *a, long *count) {
  double value = (double)*count;
  nsds_archive_finite(a, "the simulation", "a counter", &value, 1);
  *count = (long)fmin(fmax(value, 0.0), 1e15);
}

/* Numbers of the program. */
static void archive_kept(nsds_adaptive_driver *d, nsds_archive *a) {
  int count = d->def.nkept;
  nsds_archive_same(a, "the simulation", "numbers of the program", (uint64_t)count);
  if (count == 0 || a->status) return;
  if (a->mode == NSDS_ARCHIVE_WRITE) d->def.keep(d->kept, false, d->def.user);
  nsds_archive_doubles(a, d->kept, (size_t)count);
  if (a->mode == NSDS_ARCHIVE_READ && !a->status) d->def.keep(d->kept, true, d->def.user);
}

/* Coordinates, and which gaps are closed. */
static void archive_bodies(nsds_adaptive_driver *d, nsds_archive *a) {
  const nsds_implicit_rows *r = &d->stage.rows;
  const char *object = "the simulation";
  nsds_archive_same(a, object, "coordinates", (uint64_t)r->motion.nq);
  if (!nsds_adaptive_moves(d) || a->status) return;
  nsds_archive_finite(a, object, "q", d->now.q, (size_t)r->motion.nq);
  nsds_archive_finite(a, object, "y", d->now.gap, (size_t)r->ny);
  nsds_archive_finite(a, object, "largest q", d->bodies.reach, (size_t)r->nx);
  nsds_archive_finite(a, object, "largest q", &d->bodies.farthest, 1);
  for (int k = 0; k < r->ny; ++k) {
    bool closed = d->bodies.closed[k];
    nsds_archive_bool(a, &closed);
    d->bodies.closed[k] = closed;
  }
}

void nsds_adaptive_archive(nsds_simulation *sim, nsds_archive *a) {
  nsds_adaptive_driver *d = nsds_adaptive_of(sim);
  const nsds_implicit_rows *r = &d->stage.rows;
  const char *object = "the simulation";
  nsds_archive_same(a, object, "states", (uint64_t)r->nx);
  nsds_archive_same(a, object, "rows of laws", (uint64_t)r->ny);
  nsds_archive_finite(a, object, "t", &d->now.t, 1);
  nsds_archive_finite(a, object, "x and lambda", d->now.z, (size_t)r->n);
  nsds_archive_finite(a, object, "w", d->now.w, (size_t)r->ny);
  nsds_archive_finite(a, object, "dx/dt", d->now.rate, (size_t)r->nx);
  nsds_archive_finite(a, object, "largest M x", d->scale, (size_t)r->nx);
  nsds_archive_finite(a, object, "largest lambda and w", d->bounds, 2 * (size_t)r->ny);
  for (int k = 0; k < r->ny; ++k) {
    int mode = d->mode[k];
    nsds_archive_int(a, object, "mode", &mode, NSDS_MODE_BETWEEN, NSDS_MODE_UPPER);
    d->mode[k] = (unsigned char)mode;
  }
  archive_bodies(d, a);
  nsds_implicit_archive(&d->stage, a);
  nsds_switches_archive(d, a);
  nsds_archive_int(a, object, "level of the step", &d->course.level, 0, nsds_adaptive_levels);
  nsds_archive_bool(a, &d->course.settled);
  archive_count(a, &d->course.info.steps);
  archive_count(a, &d->course.info.rejected);
  archive_count(a, &d->course.info.events);
  archive_count(a, &d->course.info.settled);
  nsds_archive_doubles(a, &d->course.info.event, 1);
  nsds_archive_int(a, object, "steps that fell short", &d->course.short_of, 0,
                   nsds_adaptive_levels);
  nsds_archive_finite(a, object, "distance to the end of a mode", &d->course.reach, 1);
  archive_count(a, &d->course.looked);
  nsds_archive_int(a, object, "the mode that ended last", &d->course.ended, -1,
                   r->ny + d->switches.count - 1);
  nsds_archive_doubles(a, &d->course.watched, 1);
  nsds_archive_int(a, object, "the switch moved last", &d->course.info.moved, -1,
                   d->switches.count - 1);
  archive_kept(d, a);
  if (a->mode == NSDS_ARCHIVE_READ && !a->status) nsds_switches_bounds(d);
}
