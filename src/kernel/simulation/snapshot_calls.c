/*
 * Snapshots as the program sees them: files, and objects in memory, which hold the image of such a
 * file. An object has a context of its own, so that it outlives model and simulation.
 */
#include "simulation.h"

struct nsds_snapshot {
  nsds_context *context; /* its own, with the hooks of that of its making */
  size_t size;
  unsigned char image[];
};

/* ---- files ----------------------------------------------------------------------------------- */

/* What both calls ask for. */
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

/* ---- memory ---------------------------------------------------------------------------------- */

static nsds_snapshot *snapshot_create(nsds_context *like, const char *call, const void *image,
                                      size_t size) {
  nsds_context *own = nsds_context_like(like);
  nsds_snapshot *snapshot = own ? nsds_alloc(own, "snapshot", 1, sizeof *snapshot + size) : NULL;
  if (!snapshot) {
    nsds_fail(like, NSDS_ERROR_MEMORY, "%s: out of memory for a snapshot of %zu bytes", call, size);
    nsds_context_destroy(own);
    return NULL;
  }
  snapshot->context = own;
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
  if (nsds_simulation_check_idle(sim, call)) return NULL;
  nsds_archive a = {.context = sim->context, .call = call, .path = "a snapshot"};
  nsds_snapshot *snapshot = NULL;
  if (!nsds_snapshot_write(sim, &a)) snapshot = snapshot_create(sim->context, call, a.data, a.size);
  nsds_archive_release(&a);
  return snapshot;
}

/* An archive over what is not its own. */
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
  if (!snapshot || nsds_check_hook(snapshot->context, "nsds_snapshot_destroy")) return;
  nsds_context *own = snapshot->context;
  nsds_release(own, snapshot);
  nsds_context_destroy(own);
}
