/*
 * Snapshots: a run in a file, to continue in another process with the same bits. The file holds
 * states and local variables, contacts of contact sets, parameters, clock, samplers and events, and
 * data of the driver.
 *
 * One walk over model and simulation writes the file. The same walk compares the structure of a
 * file with that of the model, then reads the file. Nothing is read before all is compared.
 * Systems, interactions and events are identified by their order.
 */
#include "kernel/simulation/snapshot.h"

#include "base/archive.h"
#include "base/context.h"
#include "kernel/modeling/body.h"
#include "kernel/modeling/body_load.h"
#include "kernel/modeling/contact_set.h"
#include "kernel/modeling/gate.h"
#include "kernel/modeling/label.h"
#include "kernel/modeling/modeling.h"
#include "kernel/modeling/state.h"
#include "kernel/simulation/clock.h"
#include "kernel/simulation/queue.h"
#include "kernel/simulation/saved.h"
#include "kernel/simulation/simulation.h"
#include "numerics/solver_archive.h"

#include <limits.h>
#include <stdlib.h>

static const char kind[] = "snapshot";
static const uint64_t version = 9;

typedef struct snapshot {
  nsds_archive *archive;
  nsds_simulation *sim;
  nsds_event **event; /* of the simulation, in the order of their creation */
  bool *known;        /* by event: the file has it */
  size_t nevent, next;
  nsds_clock clock; /* of the file */
} snapshot;

/* ---- parameters ------------------------------------------------------------------------------ */

static void walk_parameters(nsds_archive *a, const char *object, int nz, double *z) {
  nsds_archive_same(a, object, "parameters", (uint64_t)nz);
  nsds_archive_finite(a, object, "parameter", z, (size_t)nz);
}

static void walk_operators(nsds_archive *a, const char *object, const nsds_caller *caller) {
  int count = caller ? caller->nown : 0;
  nsds_archive_same(a, object, "operators with data of their own", (uint64_t)count);
  for (int k = 0; k < count; ++k) walk_parameters(a, object, caller->own[k].nz, caller->own[k].z);
}

/* ---- the model ------------------------------------------------------------------------------- */

static void check_place(snapshot *s, const nsds_ds *ds, const char *label, size_t from) {
  double q[nsds_body_nq];
  nsds_archive at = *s->archive;
  if (at.status || at.mode != NSDS_ARCHIVE_CHECK || !ds->type.take_q) return;
  at.mode = NSDS_ARCHIVE_READ;
  at.at = from;
  nsds_archive_doubles(&at, q, nsds_body_nq);
  if (!nsds_is_place(ds, q, nsds_place_slack))
    s->archive->status =
        nsds_fail(at.context, NSDS_ERROR_FORMAT,
                  "%s: %s: %s: the quaternion (%g, %g, %g, %g) is not of length 1, within %g",
                  at.call, at.path, label, q[3], q[4], q[5], q[6], nsds_place_slack);
}

static void walk_load(nsds_archive *a, const char *label, nsds_ds *ds) {
  nsds_body_load *load = ds->type.load ? ds->type.load(ds->self) : NULL;
  if (!load) return;
  nsds_body_load other = *load, *to = a->mode == NSDS_ARCHIVE_CHECK ? &other : load;
  int frame = (int)load->frame;
  nsds_archive_finite(a, label, "force", to->force, 3);
  nsds_archive_finite(a, label, "moment", to->moment, 3);
  nsds_archive_int(a, label, "frame", &frame, NSDS_FRAME_WORLD, NSDS_FRAME_BODY);
  if (a->status || a->mode != NSDS_ARCHIVE_READ) return;
  load->frame = (nsds_frame)frame;
}

/* Applies loads before rows of events are read, because loads may change the graph. */
static void take_loads(nsds_model *model) {
  for (size_t k = 0; k < model->ds.count; ++k) {
    nsds_ds *ds = model->ds.item[k];
    if (ds->type.loaded) ds->type.loaded(ds);
  }
}

static void walk_system(snapshot *s, nsds_ds *ds) {
  nsds_archive *a = s->archive;
  const nsds_state *now = &ds->model->state;
  size_t nq = (size_t)ds->nq, nv = (size_t)ds->nv;
  char label[nsds_label_size];
  nsds_ds_label(ds, label);
  nsds_archive_same_text(a, label, "type", ds->type.name);
  nsds_archive_same(a, label, "coordinates", nq);
  nsds_archive_same(a, label, "unknowns", nv);
  size_t place = a->at;
  nsds_archive_finite(a, label, "q", now->q + ds->q_offset, nq);
  check_place(s, ds, label, place);
  nsds_archive_finite(a, label, nsds_is_second_order(ds) ? "v" : "x", now->v + ds->v_offset, nv);
  nsds_archive_finite(a, label, nsds_is_second_order(ds) ? "p" : "r", now->p + ds->v_offset, nv);
  nsds_archive_finite(a, label, "reaction", now->reaction + ds->v_offset, nv);
  walk_parameters(a, label, ds->parameters.n, ds->parameters.z);
  walk_operators(a, label, ds->caller);
  walk_load(a, label, ds);
}

static void walk_rows(nsds_archive *a, const char *label, const nsds_state *now, int first,
                      size_t rows) {
  nsds_archive_finite(a, label, "y", now->y + first, rows);
  nsds_archive_finite(a, label, "dy/dt", now->ydot + first, rows);
  nsds_archive_finite(a, label, "impulse", now->impulse + first, rows);
  nsds_archive_finite(a, label, "force", now->force + first, rows);
}

static void walk_interaction(nsds_archive *a, nsds_interaction *ia) {
  char label[nsds_label_size];
  nsds_interaction_label(ia, label);
  nsds_archive_same_text(a, label, "law", ia->law->ops->type);
  nsds_archive_same(a, label, "rows", (uint64_t)ia->m);
  nsds_archive_same(a, label, "angle that counts turns", (uint64_t)ia->relation->turns);
  nsds_archive_same(a, label, "systems", (uint64_t)ia->nds);
  for (int k = 0; k < ia->nds; ++k)
    nsds_archive_same(a, label, "place of a system in the model", (uint64_t)ia->ds[k]->index);
  walk_rows(a, label, &ia->model->state, ia->y_offset, (size_t)ia->m);
  int place = ia->y_offset + ia->m;
  if (ia->relation->turns) nsds_archive_finite(a, label, "angle", ia->model->state.y + place, 1);
  if (ia->relation->turns) nsds_archive_finite(a, label, "rate", ia->model->state.ydot + place, 1);
  nsds_archive_bool(a, &ia->active);
  if (nsds_is_switch(ia)) {
    bool on = ia->gate.on;
    nsds_archive_bool(a, &on);
    if (a->mode == NSDS_ARCHIVE_READ) nsds_gate_set(ia, on);
    if (a->mode == NSDS_ARCHIVE_READ) nsds_gate_accept(ia);
  }
  walk_parameters(a, label, ia->nz, ia->z);
}

/* Walks a contact of a set. A body is stored as its place in the model; -1: no second body. */
static void walk_contact(nsds_archive *a, const nsds_model *model, const char *label, uint64_t *key,
                         nsds_contact_pair *pair, double *tangent, bool *active) {
  const nsds_ds *ds[2] = {NULL, NULL};
  nsds_archive_word(a, key);
  for (int k = 0; k < 2; ++k) {
    int place = pair->ds[k] ? pair->ds[k]->index : -1;
    nsds_archive_size(a, label, "body of a contact", &place, k == 0 ? 0 : -1,
                      (int)model->ds.count - 1);
    if (a->status) return;
    ds[k] = place >= 0 ? model->ds.item[place] : NULL;
    if (a->mode == NSDS_ARCHIVE_READ) pair->ds[k] = model->ds.item[place >= 0 ? place : 0];
    if (a->mode == NSDS_ARCHIVE_READ && place < 0) pair->ds[k] = NULL;
  }
  if (ds[0] == ds[1] || !nsds_is_second_order(ds[0]) || (ds[1] && !nsds_is_second_order(ds[1])))
    a->status = nsds_fail(a->context, NSDS_ERROR_FORMAT,
                          "%s: %s: %s has a contact between what are no two bodies", a->call,
                          a->path, label);
  nsds_archive_bool(a, active);
  nsds_archive_int(a, label, "dimension of a contact", &pair->dimension, 0, 3);
  for (int k = 0; k < 2; ++k)
    nsds_archive_int(a, label, "shape of a contact", &pair->shape[k], INT_MIN, INT_MAX);
  nsds_archive_finite(a, label, "point of a contact", pair->point, 3);
  nsds_archive_finite(a, label, "normal of a contact", pair->normal, 3);
  nsds_archive_finite(a, label, "tangent of a contact", tangent, 3);
}

static void walk_found(nsds_archive *a, nsds_contact_set *set) {
  nsds_model *model = set->model;
  int size = set->law->size;
  uint64_t count = (uint64_t)set->count, key = 0;
  nsds_contact_pair pair = {.ds = {NULL, NULL}};
  double none[3] = {0.0, 0.0, 0.0};
  char label[nsds_label_size];
  nsds_contact_set_label(set, label);
  nsds_archive_same(a, label, "rows of a contact", (uint64_t)size);
  nsds_archive_word(a, &count);
  if (a->status) return;
  if (a->mode != NSDS_ARCHIVE_WRITE &&
      (count > nsds_archive_left(a) || count > (uint64_t)(INT_MAX / size))) {
    a->status = nsds_fail(a->context, NSDS_ERROR_FORMAT, "%s: %s: %s has %llu contacts", a->call,
                          a->path, label, (unsigned long long)count);
    return;
  }
  bool checks = a->mode == NSDS_ARCHIVE_CHECK, active = false;
  if (checks) a->status = nsds_contact_set_grow(set, (int)count);
  if (checks && !a->status) a->status = nsds_contact_set_keep_tangents(set);
  else set->count = (int)count;
  for (uint64_t k = 0; k < count && !a->status; ++k)
    walk_contact(a, model, label, checks ? &key : &set->key[k], checks ? &pair : &set->pair[k],
                 checks || !set->tangents ? none : set->tangent[k],
                 checks ? &active : &set->active[k]);
  walk_rows(a, label, &model->state, set->first_row, (size_t)count * (size_t)size);
}

static void walk_model(snapshot *s, nsds_model *model) {
  nsds_archive *a = s->archive;
  char label[nsds_label_size];
  nsds_archive_same(a, "the model", "systems", model->ds.count);
  nsds_archive_same(a, "the model", "relations", model->relation.count);
  nsds_archive_same(a, "the model", "interactions", model->interaction.count);
  nsds_archive_same(a, "the model", "contact sets", model->set.count);
  for (size_t k = 0; k < model->ds.count && !a->status; ++k) walk_system(s, model->ds.item[k]);
  if (a->mode == NSDS_ARCHIVE_READ) take_loads(s->sim->model);
  for (size_t k = 0; k < model->relation.count && !a->status; ++k) {
    const nsds_relation *relation = model->relation.item[k];
    nsds_relation_label(relation, label);
    walk_parameters(a, label, relation->nz, relation->z);
    walk_operators(a, label, relation->caller);
  }
  for (size_t k = 0; k < model->interaction.count && !a->status; ++k)
    walk_interaction(a, model->interaction.item[k]);
  for (size_t k = 0; k < model->set.count && !a->status; ++k) walk_found(a, model->set.item[k]);
  if (!a->status) nsds_archive_bool(a, &model->moved);
}

/* ---- the simulation -------------------------------------------------------------------------- */

/* Returns true if tick and time of the clock agree within a step, and a step advances the time. */
static bool agrees(const nsds_simulation *sim, const nsds_clock *clock, uint64_t tick) {
  if (tick > (uint64_t)nsds_never) return false;
  double off = fabs(nsds_clock_time(clock, (int64_t)tick) - clock->t);
  return clock->h > 0.0 && isfinite(clock->h + clock->base + clock->t) && clock->t >= sim->t0 &&
         (sim->gridless || clock->t + clock->h > clock->t) &&
         off <= clock->h + 4.0 * DBL_EPSILON * fabs(clock->t);
}

static void walk_clock(snapshot *s, bool *settled) {
  nsds_archive *a = s->archive;
  nsds_simulation *sim = s->sim;
  nsds_clock *clock = &s->clock;
  *clock = sim->clock;
  uint64_t tick = (uint64_t)clock->tick, steps = (uint64_t)sim->steps;
  double t0 = sim->t0;
  nsds_archive_number(a, &t0);
  nsds_archive_number(a, &clock->base);
  nsds_archive_number(a, &clock->h);
  nsds_archive_number(a, &clock->t);
  nsds_archive_word(a, &tick);
  nsds_archive_word(a, &steps);
  nsds_archive_bool(a, settled);
  if (a->status) return;
  if (t0 != sim->t0)
    a->status =
        nsds_fail(a->context, NSDS_ERROR_ARGUMENT, "%s: %s: t0 is %.17g in the file, %.17g here",
                  a->call, a->path, t0, sim->t0);
  else if (!agrees(sim, clock, tick) || steps > LONG_MAX / 2)
    a->status = nsds_fail(a->context, NSDS_ERROR_FORMAT,
                          "%s: %s: the clock has h = %g, t = %g, tick %llu; these are no times",
                          a->call, a->path, clock->h, clock->t, (unsigned long long)tick);
  double h;
  if (!a->status && a->mode == NSDS_ARCHIVE_CHECK)
    a->status = nsds_simulation_check_back(sim, a->call, clock, &h);
  clock->tick = (int64_t)tick;
  if (a->status || a->mode != NSDS_ARCHIVE_READ) return;
  sim->clock = *clock;
  sim->steps = (long)steps;
}

/* An event in a file. */
typedef struct entry {
  char name[nsds_archive_text_size];
  double first, period;
  uint64_t count;
} entry;

static entry snapshot_entry_of(const nsds_event *event) {
  entry e = {.first = event->first, .period = event->period, .count = (uint64_t)event->count};
  memcpy(e.name, event->name, sizeof event->name);
  return e;
}

static void walk_entry(nsds_archive *a, entry *e) {
  nsds_archive_text(a, e->name);
  nsds_archive_number(a, &e->first);
  nsds_archive_number(a, &e->period);
  nsds_archive_word(a, &e->count);
}

/* Returns true if the next call of a sampler is not before the time, and at most a period after
 * it. */
static bool fits_clock(const nsds_clock *clock, const entry *e) {
  if (!(e->period > 0.0)) return e->count == 0;
  double next = e->first + (double)e->count * e->period;
  double rounding = 2.0 * clock->h / nsds_ticks + 16.0 * DBL_EPSILON * fabs(clock->t);
  return e->count < LONG_MAX / 2 && next >= clock->t - rounding &&
         (e->count == 0 || next <= clock->t + e->period + rounding);
}

/* Finds an equal event that has not been found yet. The search starts after the last event
 * found. */
static nsds_event *find_event(snapshot *s, const entry *e) {
  for (size_t i = 0; i < s->nevent; ++i) {
    size_t k = (s->next + i) % s->nevent;
    const nsds_event *event = s->event[k];
    if (s->known[k] || event->first != e->first || event->period != e->period ||
        strcmp(event->name, e->name) != 0)
      continue;
    s->known[k] = true;
    s->next = k + 1;
    return s->event[k];
  }
  return NULL;
}

static void read_events(snapshot *s, uint64_t count) {
  nsds_archive *a = s->archive;
  for (size_t k = 0; k < s->nevent; ++k) s->known[k] = false;
  s->next = 0;
  for (uint64_t k = 0; k < count && !a->status; ++k) {
    entry e = {.first = 0.0};
    walk_entry(a, &e);
    nsds_event *event = a->status ? NULL : find_event(s, &e);
    if (event && !fits_clock(&s->clock, &e))
      a->status = nsds_fail(a->context, NSDS_ERROR_FORMAT,
                            "%s: %s: '%s' has been called %llu times; that does not fit t = %.17g",
                            a->call, a->path, e.name, (unsigned long long)e.count, s->clock.t);
    if (event && a->mode == NSDS_ARCHIVE_READ) event->count = (long)e.count;
    if (!event && !a->status)
      a->status =
          nsds_fail(a->context, NSDS_ERROR_ARGUMENT,
                    "%s: %s: %s '%s', first at t = %.17g, is in the file; add it to the "
                    "simulation before",
                    a->call, a->path, e.period > 0.0 ? "sampler" : "event", e.name, e.first);
  }
  for (size_t k = 0; k < s->nevent && !a->status; ++k)
    if (!s->known[k] && s->event[k]->period > 0.0)
      a->status = nsds_fail(a->context, NSDS_ERROR_ARGUMENT,
                            "%s: %s: sampler '%s' is not in the file; add it after", a->call,
                            a->path, s->event[k]->name);
}

static void walk_events(snapshot *s) {
  nsds_archive *a = s->archive;
  uint64_t count = s->nevent;
  nsds_archive_word(a, &count);
  if (a->status) return;
  if (a->mode != NSDS_ARCHIVE_WRITE) {
    read_events(s, count);
    return;
  }
  for (size_t k = 0; k < s->nevent; ++k) {
    entry e = snapshot_entry_of(s->event[k]);
    walk_entry(a, &e);
  }
}

/* Restores the memory of the solver. A solver of another kind does without. */
static void take_memory(nsds_simulation *sim) {
  nsds_archive *memory = &sim->memory;
  bool clean = nsds_error(sim->context) == NSDS_OK;
  memory->call = "solver";
  memory->path = "a saved state";
  memory->status = NSDS_OK;
  nsds_archive_begin_check(memory);
  nsds_solver_archive(sim->solver, memory);
  if (!memory->status) {
    nsds_archive_begin_read(memory);
    nsds_solver_archive(sim->solver, memory);
  } else if (clean) {
    nsds_error_clear(sim->context);
  }
}

void nsds_simulation_archive(nsds_simulation *sim, nsds_archive *a) {
  if (sim->driver->archive) sim->driver->archive(sim, a);
  if (a->mode == NSDS_ARCHIVE_WRITE && !a->status) {
    nsds_archive_begin_write(&sim->memory, sim->context, a->call, "the solver");
    nsds_solver_archive(sim->solver, &sim->memory);
    a->status = sim->memory.status;
  }
  nsds_archive_part(a, "the solver", &sim->memory);
}

void nsds_simulation_resume(nsds_simulation *sim, bool same) {
  take_memory(sim);
  if (sim->driver->resume) sim->driver->resume(sim, same);
}

nsds_status nsds_saved_take_own(nsds_simulation *sim, nsds_saved *saved) {
  nsds_archive_begin_write(&saved->own, sim->context, "nsds_simulation_save", "the saved state");
  nsds_simulation_archive(sim, &saved->own);
  return saved->own.status;
}

nsds_status nsds_saved_check_own(nsds_simulation *sim, nsds_saved *saved) {
  saved->own.status = NSDS_OK;
  nsds_archive_begin_check(&saved->own);
  nsds_simulation_archive(sim, &saved->own);
  return saved->own.status;
}

void nsds_saved_restore_own(nsds_simulation *sim, nsds_saved *saved, bool same) {
  nsds_archive_begin_read(&saved->own);
  nsds_simulation_archive(sim, &saved->own);
  nsds_simulation_resume(sim, same);
}

static void snapshot_walk(snapshot *s, bool *settled) {
  nsds_archive *a = s->archive;
  nsds_archive_same_text(a, "the simulation", "driver", s->sim->driver->name);
  walk_model(s, s->sim->model);
  walk_clock(s, settled);
  walk_events(s);
  if (!a->status) nsds_simulation_archive(s->sim, a);
}

/* ---- both directions ------------------------------------------------------------------------- */

static int by_order(const void *one, const void *other) {
  const nsds_event *a = *(nsds_event *const *)one, *b = *(nsds_event *const *)other;
  return a->order < b->order ? -1 : a->order > b->order;
}

static nsds_status snapshot_open(snapshot *s, nsds_simulation *sim, nsds_archive *archive,
                                 bool reads) {
  nsds_context *context = sim->context;
  *s = (snapshot){.archive = archive, .sim = sim};
  size_t due = sim->queue.count, spent = reads && sim->queue.keeps ? sim->queue.nspent : 0;
  s->nevent = due + spent;
  s->event = nsds_alloc(context, "events of a snapshot", s->nevent, sizeof(nsds_event *));
  s->known = NSDS_NEW_ARRAY(context, bool, s->nevent);
  if (!s->event || !s->known) return NSDS_ERROR_MEMORY;
  for (size_t k = 0; k < due; ++k) s->event[k] = sim->queue.heap[k];
  for (size_t k = 0; k < spent; ++k) s->event[due + k] = sim->queue.spent[k];
  if (s->nevent > 0) qsort(s->event, s->nevent, sizeof(nsds_event *), by_order);
  return NSDS_OK;
}

static void snapshot_close(snapshot *s) {
  nsds_release(s->sim->context, s->event);
  nsds_release(s->sim->context, s->known);
}

nsds_status nsds_snapshot_write(nsds_simulation *sim, nsds_archive *archive) {
  snapshot s;
  nsds_model *model = sim->model;
  nsds_status status = snapshot_open(&s, sim, archive, false);
  if (!status) status = nsds_show_all(model);
  if (!status) status = nsds_archive_begin_file(archive);
  bool settled = nsds_model_is_settled(model);
  if (!status) {
    snapshot_walk(&s, &settled);
    nsds_archive_seal(archive, kind, version);
    status = archive->status;
  }
  snapshot_close(&s);
  return status;
}

/* Returns true if the event is due at the time of the file. An earlier event that is not in the
 * file has been called; so have spent events. Steps will add their events again. */
static bool is_still_due(const void *user, const nsds_event *event) {
  const snapshot *s = user;
  nsds_event *const *at = bsearch(&event, s->event, s->nevent, sizeof(nsds_event *), by_order);
  bool later = event->first > s->sim->clock.t;
  return s->known[at - s->event] || (later && !event->spent && !event->by_call);
}

/* Reads the file, after all has been compared. */
static nsds_status snapshot_take(snapshot *s) {
  nsds_simulation *sim = s->sim;
  nsds_model *model = sim->model;
  bool settled = true;
  double h;
  nsds_archive_begin_read(s->archive);
  snapshot_walk(s, &settled);
  model->state.t = sim->clock.t;
  nsds_touch(model); /* parameters change */
  nsds_saved_forget(&sim->saved);
  nsds_queue_unmark(sim->context, &sim->queue);
  nsds_queue_keep(sim->context, &sim->queue, is_still_due, s);
  nsds_saved_resume(sim, settled);
  nsds_status status = nsds_simulation_check_back(sim, s->archive->call, &sim->clock, &h);
  if (!status && h != sim->clock.h) nsds_simulation_new_grid(sim, h); /* ticks must reach the end */
  nsds_simulation_resume(sim, true);
  sim->info = (nsds_step_info){0};
  return status ? status : s->archive->status;
}

nsds_status nsds_snapshot_read(nsds_simulation *sim, nsds_archive *archive) {
  snapshot s;
  bool settled = true;
  nsds_status status = snapshot_open(&s, sim, archive, true);
  if (!status) status = nsds_archive_open(archive, kind, version);
  if (!status) {
    snapshot_walk(&s, &settled);
    status = archive->status;
  }
  if (!status) status = snapshot_take(&s);
  snapshot_close(&s);
  return status;
}

nsds_status nsds_snapshot_look(nsds_archive *archive) {
  return nsds_archive_open(archive, kind, version);
}
