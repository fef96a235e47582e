/*
 * Calls of snapshots: files, and objects in memory that hold the image of a file. These objects
 * belong to no context, so that they outlive model and simulation.
 */
#include "kernel/simulation/snapshot_calls.h"

#include "base/archive.h"
#include "base/context.h"
#include "kernel/simulation/queue.h"
#include "kernel/simulation/simulation.h"
#include "kernel/simulation/snapshot.h"

struct nsds_snapshot {
  nsds_apart_memory of;
  size_t size;
  unsigned char image[];
};

/* ---- files ----------------------------------------------------------------------------------- */

/* Checks the arguments of a call, and that the simulation is idle. */
static nsds_status check_snapshot(nsds_simulation *sim, const void *argument, const char *name,
                                  const char *call) {
  if (!sim) return nsds_fail_null(NULL, call, "simulation");
  return argument ? nsds_simulation_check_idle(sim, call)
                  : nsds_fail_null(sim->context, call, name);
}

nsds_status nsds_snapshot_save(nsds_simulation *sim, const char *path) {
  const char *call = "nsds_snapshot_save";
  nsds_status status = check_snapshot(sim, path, "path", call);
  if (status) return status;
  nsds_archive a = {.context = sim->context, .call = call, .path = path};
  status = nsds_snapshot_write(sim, &a);
  if (!status) status = nsds_archive_store(&a);
  nsds_archive_release(&a);
  return status;
}

nsds_status nsds_snapshot_load(nsds_simulation *sim, const char *path) {
  const char *call = "nsds_snapshot_load";
  nsds_status status = check_snapshot(sim, path, "path", call);
  if (status) return status;
  nsds_archive a = {.context = sim->context, .call = call, .path = path};
  status = nsds_archive_load(&a);
  if (!status) status = nsds_snapshot_read(sim, &a);
  nsds_archive_release(&a);
  return status;
}

/* ---- by itself ------------------------------------------------------------------------------- */

static nsds_status check_every(nsds_simulation *sim, const char *call,
                               const nsds_snapshot_every_def *d) {
  if (!d->path) return nsds_fail_null(sim->context, call, "def->path");
  if (d->steps >= 0 && d->seconds >= 0.0 && isfinite(d->seconds) &&
      (d->steps > 0 || d->seconds > 0.0))
    return NSDS_OK;
  return nsds_fail(sim->context, NSDS_ERROR_VALUE,
                   "%s: steps is %ld and seconds %g; both must be >= 0 and finite, one of them > 0",
                   call, d->steps, d->seconds);
}

nsds_status nsds_snapshot_every(nsds_simulation *sim, const nsds_snapshot_every_def *def) {
  const char *call = "nsds_snapshot_every";
  if (!sim) return nsds_fail_null(NULL, call, "simulation");
  nsds_status status = nsds_simulation_check_idle(sim, call);
  if (status) return status;
  nsds_snapshot_every_def every = {.path = NULL};
  if (def) {
    status = nsds_check_reserved(sim->context, call, "", NSDS_TAIL(def));
    if (status) return status;
    status = check_every(sim, call, def);
    if (status) return status;
    every = *def;
    every.path = nsds_copy(sim->context, def->path, strlen(def->path) + 1, 1);
    if (!every.path) return NSDS_ERROR_MEMORY;
  }
  nsds_release(sim->context, (char *)(uintptr_t)sim->every.path);
  sim->every = every;
  return NSDS_OK;
}

/* Returns true if the last step has reached or passed a multiple of steps or seconds. Times that
 * differ only in rounding are equal. */
static bool is_due(const nsds_simulation *sim) {
  const nsds_snapshot_every_def *every = &sim->every;
  const double rounding = 1e-9;
  if (every->steps > 0 && sim->steps % every->steps == 0) return true;
  if (!(every->seconds > 0.0)) return false;
  double now = (sim->clock.t - sim->t0) / every->seconds + rounding;
  double before = now - sim->info.h / every->seconds;
  return floor(now) > floor(before);
}

void nsds_snapshot_save_due(nsds_simulation *sim) {
  nsds_context *context = sim->context;
  if (!is_due(sim)) return;
  bool clean = nsds_error(context) == NSDS_OK;
  sim->info.snapshot = nsds_snapshot_save(sim, sim->every.path);
  if (!sim->info.snapshot) return;
  nsds_log(context, NSDS_LOG_WARNING, "nsds_snapshot_every: t = %.17g is not saved: %s",
           sim->clock.t, nsds_error_message(context));
  if (clean) nsds_error_clear(context);
}

/* ---- memory ---------------------------------------------------------------------------------- */

static nsds_snapshot *snapshot_create(nsds_context *like, const char *call, const void *image,
                                      size_t size) {
  nsds_apart_memory of;
  nsds_snapshot *snapshot = nsds_alloc_apart(like, sizeof *snapshot + size, &of);
  if (!snapshot) {
    nsds_fail(like, NSDS_ERROR_MEMORY, "%s: out of memory for a snapshot of %zu bytes", call, size);
    return NULL;
  }
  snapshot->of = of;
  snapshot->size = size;
  memcpy(snapshot->image, image, size);
  return snapshot;
}

nsds_snapshot *nsds_snapshot_take(nsds_simulation *sim) {
  const char *call = "nsds_snapshot_take";
  if (!sim) {
    nsds_fail_null(NULL, call, "simulation");
    return NULL;
  }
  if (nsds_check_hook(sim->context, call) || nsds_simulation_check_idle(sim, call)) return NULL;
  nsds_archive a = {.context = sim->context, .call = call, .path = "a snapshot"};
  nsds_snapshot *snapshot = NULL;
  nsds_status status = nsds_queue_retain(sim->context, &sim->queue);
  if (!status) status = nsds_snapshot_write(sim, &a);
  if (!status) snapshot = snapshot_create(sim->context, call, a.data, a.size);
  nsds_archive_release(&a);
  return snapshot;
}

/* Returns an archive over a borrowed image. */
static nsds_archive snapshot_view(nsds_context *context, const char *call, const void *image,
                                  size_t size) {
  return (nsds_archive){.context = context,
                        .call = call,
                        .path = "a snapshot",
                        .data = (unsigned char *)(uintptr_t)image,
                        .size = size};
}

nsds_status nsds_snapshot_restore(nsds_simulation *sim, const nsds_snapshot *snapshot) {
  const char *call = "nsds_snapshot_restore";
  nsds_status status = check_snapshot(sim, snapshot, "snapshot", call);
  if (status) return status;
  nsds_archive a = snapshot_view(sim->context, call, snapshot->image, snapshot->size);
  return nsds_snapshot_read(sim, &a);
}

const void *nsds_snapshot_bytes(const nsds_snapshot *snapshot, size_t *size) {
  if (size) *size = snapshot ? snapshot->size : 0;
  return snapshot ? snapshot->image : NULL;
}

nsds_snapshot *nsds_snapshot_from_bytes(nsds_context *context, const void *bytes, size_t size) {
  const char *call = "nsds_snapshot_from_bytes";
  if (!context || !bytes) {
    nsds_fail_null(context, call, context ? "bytes" : "context");
    return NULL;
  }
  if (nsds_check_hook(context, call)) return NULL;
  nsds_archive a = snapshot_view(context, call, bytes, size);
  return nsds_snapshot_look(&a) ? NULL : snapshot_create(context, call, bytes, size);
}

void nsds_snapshot_destroy(nsds_snapshot *snapshot) {
  if (snapshot) snapshot->of.release(snapshot, snapshot->of.user);
}
