/*
 * Problems of an event that programs read. The last problem in impulses and the last one in forces
 * are always copied. A list of all problems of the event is made if the program asks for it. The
 * list has memory for a given number of problems; later problems are only counted.
 */
#include "kernel/events/event_problems.h"

#include "base/arena.h"
#include "base/base.h"
#include "base/context.h"
#include "kernel/modeling/contact_set.h"
#include "kernel/modeling/modeling.h"
#include "numerics/store.h"

/* Points the problem at the copies of p, also after they have moved. */
static void point_at_copies(nsds_kept_problem *p) {
  for (int a = 0, i = 0; a < p->problem.nblock; i += p->block[a++].size) {
    if (p->block[a].size > 1) continue;
    p->block[a].lower = p->bounds + 2 * i;
    p->block[a].upper = p->bounds + 2 * i + 1;
  }
  p->problem.block = p->block;
  p->problem.M.x = p->A;
  p->problem.q = p->b;
}

/* The list may grow in the middle of an event: the problems that it has stay. */
static nsds_status kept_reserve_list(nsds_event_rows *s) {
  enum { arrays = 6 };
  nsds_kept_list *all = &s->problem.all;
  size_t n = (size_t)s->problem.most;
  if (all->places == 0 || all->most >= s->problem.most) return NSDS_OK;
  nsds_context *context = s->plan->context;
  if (!all->item) all->item = NSDS_NEW_ARRAY(context, nsds_kept_problem, (size_t)all->places);
  if (!all->item) return NSDS_ERROR_MEMORY;
  nsds_cut *cut = NSDS_NEW_ARRAY(context, nsds_cut, (size_t)all->places * arrays);
  if (!cut) return NSDS_ERROR_MEMORY;
  for (int k = 0; k < all->places; ++k) {
    nsds_kept_problem *p = &all->item[k];
    const nsds_cut own[arrays] = {NSDS_CUT(p->A, n * n),      NSDS_CUT(p->b, n),
                                  NSDS_CUT(p->z, n),          NSDS_CUT(p->block, n),
                                  NSDS_CUT(p->bounds, 2 * n), NSDS_CUT(p->place, n)};
    memcpy(cut + (ptrdiff_t)k * arrays, own, sizeof own);
  }
  all->store.context = context;
  nsds_status status = nsds_store_hold(&all->store, (size_t)all->places * arrays, cut);
  nsds_release(context, cut);
  if (!status) all->most = s->problem.most;
  for (int k = 0; k < all->places; ++k) point_at_copies(&all->item[k]);
  return status;
}

nsds_status nsds_event_problems_reserve(nsds_event_rows *s) {
  point_at_copies(&s->problem.motion);
  point_at_copies(&s->problem.impact);
  return kept_reserve_list(s);
}

static void keep_in(const nsds_event_rows *s, const nsds_row_part *part,
                    const nsds_problem *problem, nsds_kept_problem *p) {
  size_t n = (size_t)part->n;
  nsds_copy_doubles(p->A, s->system.A, n * n);
  nsds_copy_doubles(p->b, part->b, n);
  nsds_copy_doubles(p->z, part->z, n);
  nsds_copy_doubles(p->bounds, s->system.bounds, 2 * n);
  memcpy(p->block, problem->block, (size_t)problem->nblock * sizeof *p->block);
  p->problem = *problem;
  p->problem.q_error = NULL;
  point_at_copies(p);
  p->there = true;
}

nsds_event_place nsds_event_problems_place(const nsds_event_rows *s, int r) {
  const nsds_row *row = &s->row[r];
  const nsds_contact *contact = &s->plan->contact[row->contact];
  nsds_contact_set *set = contact->found.set;
  return (nsds_event_place){.interaction = set ? NULL : nsds_place_handle(contact->interaction),
                            .set = set ? nsds_place_handle(set) : NULL,
                            .key = set ? contact->serial : 0,
                            .row = row->i};
}

/* Writes the problem of the part to place k of the list, if there is such a place. */
static void keep_in_list(nsds_event_rows *s, const nsds_row_part *part, const nsds_problem *problem,
                         bool impact, int k) {
  nsds_kept_list *all = &s->problem.all;
  if (k < 0 || k >= all->places) return;
  nsds_kept_problem *p = &all->item[k];
  keep_in(s, part, problem, p);
  p->level = impact ? NSDS_EVENT_IMPULSES : NSDS_EVENT_FORCES;
  for (int i = 0; i < part->n; ++i) p->place[i] = nsds_event_problems_place(s, part->chosen[i]);
}

void nsds_event_problems_note(nsds_event_rows *s, const nsds_row_part *part,
                              const nsds_problem *problem, bool impact) {
  nsds_event_problem *p = &s->problem;
  keep_in(s, part, problem, impact ? &p->impact : &p->motion);
  p->impacts = impact;
  keep_in_list(s, part, problem, impact, p->all.count++);
}
