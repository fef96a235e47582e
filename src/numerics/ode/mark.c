/*
 * Marks of starts. The steps after a start depend on the state, the watched functions and the
 * memory of the method. A mark keeps them all.
 */
#include "numerics/ode/mark.h"

#include "base/context.h"

static size_t mark_state_bytes(const nsds_ode *ode) {
  return (size_t)ode->problem.n * sizeof(double);
}

static size_t mark_watched_bytes(const nsds_ode *ode) {
  return (size_t)ode->problem.roots * sizeof *ode->search.watched;
}

nsds_status nsds_ode_mark_reserve(const nsds_ode *ode, nsds_ode_mark *mark) {
  size_t wanted = mark_state_bytes(ode) + mark_watched_bytes(ode) + ode->method->self_size;
  mark->resizes = 0;
  return nsds_grow(ode->context, &mark->memory, &mark->capacity, wanted, 1);
}

void nsds_ode_mark_take(const nsds_ode *ode, nsds_ode_mark *mark) {
  char *at = mark->memory;
  size_t states = mark_state_bytes(ode), watched = mark_watched_bytes(ode);
  if (states > 0) memcpy(at, ode->x_at, states);
  if (watched > 0) memcpy(at + states, ode->search.watched, watched);
  memcpy(at + states + watched, ode->self, ode->method->self_size);
  mark->t = ode->at;
  mark->t_found = ode->search.t_found;
  mark->resizes = ode->resizes;
}

const double *nsds_ode_mark_state(const nsds_ode *ode, const nsds_ode_mark *mark) {
  bool there = mark->resizes != 0 && mark->resizes == ode->resizes;
  return there ? (const double *)(const void *)mark->memory : NULL;
}

bool nsds_ode_mark_recall(nsds_ode *ode, const nsds_ode_mark *mark) {
  const char *at = mark->memory;
  size_t states = mark_state_bytes(ode), watched = mark_watched_bytes(ode);
  if (!nsds_ode_mark_state(ode, mark)) return false;
  if (states > 0) {
    memcpy(ode->x_at, at, states);
    memcpy(ode->x1, at, states);
  }
  if (watched > 0) memcpy(ode->search.watched, at + states, watched);
  memcpy(ode->self, at + states + watched, ode->method->self_size);
  ode->t0 = ode->t1 = ode->at = ode->search.from = ode->search.to = mark->t;
  ode->search.t_found = mark->t_found;
  ode->wish = 0.0;
  ode->tried = 0;
  ode->search.nfound = 0;
  ode->cause = NSDS_ODE_FAILED_NOT;
  nsds_search_set_ahead(&ode->search, false);
  nsds_search_set_sampled(&ode->search, false);
  nsds_search_relist(&ode->search);
  ode->phase = NSDS_ODE_STARTED;
  return true;
}
