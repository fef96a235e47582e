/*
 * Finds the contacts of contact sets. In the plan they follow the contacts of interactions. The
 * search runs in each step at q* = q_i + gamma h v_i, by default the expected place at the end of
 * the step. With y* and H there
 *
 *   y_{i+1} = y* + H (q_{i+1} - q*) = (y* - gamma h H v_i) + h H [theta v_{i+1} + (1 - theta) v_i]
 *
 * and the term in parentheses stands for y_i, so that the step goes on as with contacts found at
 * its start.
 *
 * A contact with the key, place and H of the step before keeps its memory, its Y and its place in
 * the problem. A bundled geometry reports its contacts all at once, and threads share the work.
 * Memory comes first; then each contact is made and writes to its own memory only. A search that
 * fails leaves no contact in the plan, so that readers between searches find complete contacts.
 */
#include "kernel/assembly/detect.h"

#include "base/base.h"
#include "base/context.h"
#include "base/finite.h"
#include "base/parallel.h"
#include "kernel/assembly/contact.h"
#include "kernel/assembly/contact_operator.h"
#include "kernel/assembly/entry.h"
#include "kernel/assembly/local_second.h"
#include "kernel/assembly/parallel_slots.h"
#include "kernel/assembly/plan.h"
#include "kernel/assembly/plan_memory.h"
#include "kernel/assembly/plan_tree.h"
#include "kernel/assembly/problems.h"
#include "kernel/assembly/tracked_contact.h"
#include "kernel/assembly/turned_rows.h"
#include "kernel/modeling/check.h"
#include "kernel/modeling/chosen.h"
#include "kernel/modeling/contact_set.h"
#include "kernel/modeling/guard.h"
#include "kernel/modeling/label.h"
#include "kernel/modeling/modeling.h"
#include "numerics/linear/product.h"

#include <limits.h>

typedef struct detection {
  nsds_contacts contacts; /* first: the geometry sees this part */
  nsds_plan *plan;
  int first;    /* plan index of the set's first contact */
  bool changed; /* some H or gain */
} detection;

/* Outcome for some contacts, such as the part of one thread. */
typedef struct tally {
  nsds_counts counts;
  int shift; /* difference between the places of a contact before and now */
  bool made, changed;
  bool refused; /* contact k, of `key` and `ds`; NSDS_OK: not reported yet */
  nsds_status status;
  int k;
  uint64_t key;
  const nsds_ds *ds; /* a body that a set may not find; NULL: a number is not finite */
} tally;

/* ---- a contact in the plan ------------------------------------------------------------------- */

/* Does the work of detect_output() for a contact with one row, if all systems have one scheme. */
static void output_of_one_row(nsds_plan *plan, const nsds_contact *contact, double a, double b) {
  const nsds_state *now = &plan->model->state, *end = &plan->trial;
  const double *H = contact->H;
  double y = now->y[contact->y0], ydot = 0.0;
  for (const nsds_reach *r = contact->reach, *last = r + contact->nds; r < last; ++r) {
    const double *v = end->v + r->column, *u = now->v + r->column;
    for (int k = 0, n = r->size; k < n; ++k) {
      double entry = *H++, speed = v[k];
      y += entry * (a * speed + b * u[k]);
      ydot += entry * speed;
    }
  }
  end->y[contact->y0] = y;
  end->ydot[contact->y0] = ydot;
}

/* Computes y + h H [theta V_{i+1} + (1 - theta) V_i] and dy/dt = H V_{i+1}. */
static nsds_status detect_output(nsds_plan *plan, nsds_contact *contact) {
  enum { some = 8 }; /* velocities at a time */
  const nsds_state *now = &plan->model->state, *end = &plan->trial;
  const nsds_scheme *scheme = plan->scheme;
  double *y = end->y + contact->y0, *ydot = end->ydot + contact->y0, mean[some];
  const double *H = contact->H;
  int m = contact->m;
  double a = scheme->h * scheme->theta, b = scheme->h * (1.0 - scheme->theta);
  if (m == 1 && plan->schemes.nown == 0) {
    output_of_one_row(plan, contact, a, b);
    return NSDS_OK;
  }
  for (int i = 0; i < m; ++i) {
    y[i] = now->y[contact->y0 + i];
    ydot[i] = 0.0;
  }
  for (const nsds_reach *r = contact->reach, *last = r + contact->nds; r < last; ++r) {
    if (NSDS_UNLIKELY(plan->schemes.nown > 0)) {
      a = scheme->h * plan->slot[r->slot].on.scheme->theta;
      b = scheme->h - a;
    }
    for (int first = 0; first < r->size; first += some) {
      int n = r->size - first < some ? r->size - first : some;
      const double *v = end->v + r->column + first, *u = now->v + r->column + first;
      for (int k = 0; k < n; ++k) mean[k] = a * v[k] + b * u[k];
      nsds_add_product(m, n, H, m, mean, y);
      nsds_add_product(m, n, H, m, v, ydot);
      H += (size_t)m * (size_t)n;
    }
  }
  return NSDS_OK;
}

static const nsds_contact_ops found_ops = {.output = detect_output,
                                           .load_input = nsds_load_transpose};

static const nsds_law *detect_law_of(const nsds_contact_set *set, const nsds_contact_point *point) {
  return point->law ? point->law : set->law;
}

/* Returns true if the plan's contact already is this contact of the set. */
static bool detect_same(const nsds_contact *contact, const nsds_contact_set *set,
                        const nsds_contact_point *point, const int *place) {
  if (!contact->is.counted || contact->found.set != set || contact->serial != point->key)
    return false;
  if (contact->law != detect_law_of(set, point)) return false;
  int nds = place[1] >= 0 ? 2 : 1;
  if (contact->nds != nds || contact->reach[0].slot != place[0]) return false;
  return nds == 1 || contact->reach[1].slot == place[1];
}

/* Describes a contact of a set but for its bodies. The contact keeps its memory. */
static void detect_describe(nsds_contact *contact, nsds_contact_set *set, const nsds_law *law) {
  *contact = (nsds_contact){.ops = &found_ops,
                            .kind = NSDS_RELATION_SECOND_ORDER,
                            .law = law,
                            .found.set = set,
                            .m = law->size,
                            .ncopy = 1,
                            .size = law->size,
                            .is.affine = true,
                            .is.linear = true,
                            .is.fixed = true,
                            .is.scaled = law->level != NSDS_LEVEL_VELOCITY,
                            .reach = contact->reach,
                            .lines = contact->lines};
  nsds_contact_take_law(contact);
}

/* Makes contact k of the set, as contact c of the plan, with its entries. Returns NULL, or a body
 * of a cluster: a found contact reaches only its own bodies. */
static const nsds_ds *detect_make(const detection *d, int k, uint64_t number,
                                  const nsds_contact_point *point, const int *place, tally *t) {
  const nsds_plan *plan = d->plan;
  int c = d->first + k;
  nsds_contact *contact = &plan->contact[c];
  if (contact->is.counted) nsds_contact_count(&t->counts, contact, -1);
  detect_describe(contact, d->contacts.set, detect_law_of(d->contacts.set, point));
  contact->serial = point->key;
  contact->nds = contact->nedge = place[1] >= 0 ? 2 : 1;
  for (int e = 0; e < contact->nds; ++e) {
    const nsds_seat *seat = &plan->seat[place[e]];
    if (seat->coupled) return point->ds[e];
    contact->nv += seat->size;
    contact->is.fixed = contact->is.fixed && seat->fixed;
    contact->is.lifted = contact->is.lifted || seat->jointed;
  }
  nsds_followed *followed = nsds_contact_lay_found(plan, contact);
  for (int e = 0; e < contact->nds; ++e) {
    const nsds_seat *seat = &plan->seat[place[e]];
    contact->reach[e] =
        (nsds_reach){.slot = place[e], .column = seat->column, .size = seat->size, .q = seat->q};
  }
  if (contact->is.lifted)
    contact->nedge = nsds_plan_tree_reach(plan, contact, contact->reach + contact->nds);
  if (NSDS_UNLIKELY(followed)) nsds_contact_follow(contact, followed, point);
  for (nsds_contact_operator *op = plan->operator; op; op = op->next) {
    nsds_entry_lay_found(op, contact, &op->entry[c]);
    nsds_contact_operator_number(op, c, op->ids + number);
  }
  nsds_contact_count(&t->counts, contact, 1);
  t->made = true;
  return NULL;
}

/* Computes Y and D after H or the gains have changed. */
static nsds_status detect_load(const nsds_plan *plan, int c, uint64_t number) {
  const nsds_contact *contact = &plan->contact[c];
  nsds_status status = NSDS_OK;
  for (nsds_contact_operator *op = plan->operator; !status && op; op = op->next) {
    nsds_entry *entry = &op->entry[c];
    if (plan->search.loaded != plan->refreshed)
      nsds_contact_operator_number(op, c, op->ids + number); /* bounds depend on h */
    for (int k = 0; entry->D && k < contact->m * contact->m; ++k) entry->D[k] = 0.0;
    status = nsds_entry_add_law(contact, entry, nsds_law_weight(contact, plan->scheme));
    if (contact->is.fixed && !op->own_gain && entry->Y) nsds_contact_operator_form_y(op, c);
  }
  return status;
}

/* Finds the last step's impulses by key. Returns the place of the contact in that step if it was
 * closed, else -1. */
static int find_again(const detection *d, int k, uint64_t key, tally *t) {
  nsds_contact_set *set = d->contacts.set;
  const nsds_state *now = &d->plan->model->state;
  int old = nsds_contact_set_find(set, key, k + t->shift), size = set->law->size;
  if (old >= 0) t->shift = old - k;
  for (int i = 0; i < size; ++i) {
    int row = set->first_row + k * size + i;
    if (old != k) {
      now->impulse[row] = old < 0 ? 0.0 : set->old_row[2][old * size + i];
      now->force[row] = old < 0 ? 0.0 : set->old_row[3][old * size + i];
    }
    d->plan->trial.impulse[row] = now->impulse[row];
  }
  return old >= 0 && set->old_active[old] && !set->model->moved ? old : -1;
}

/* Subtracts the change of gaps up to their expected place, for systems with a gamma of their
 * own. */
static void detect_come_back(const nsds_plan *plan, const nsds_contact *contact, double *y) {
  const double *H = contact->H, *v = plan->model->state.v;
  int m = contact->m;
  for (const nsds_reach *r = contact->reach, *end = r + contact->nds; r < end; ++r)
    for (int k = 0; k < r->size; ++k, H += m) {
      const nsds_scheme *own = plan->slot[r->slot].on.scheme;
      double way = own->gamma * own->h * v[r->column + k];
      for (int i = 0; i < contact->law->ngap; ++i) y[i] -= way * H[i];
    }
}

/* Sets y and dy/dt of a contact. `ahead` is the time from the state to the expected gap. */
static void set_local(const nsds_plan *plan, const nsds_contact *contact, const double *gap,
                      double ahead) {
  const nsds_state *now = &plan->model->state;
  double *y = now->y + contact->y0, *ydot = now->ydot + contact->y0;
  const double *H = contact->H;
  for (int i = 0; i < contact->m; ++i) {
    y[i] = i < contact->law->ngap ? gap[i] : 0.0;
    ydot[i] = 0.0;
  }
  for (const nsds_reach *r = contact->reach, *end = r + contact->nds; r < end; ++r) {
    nsds_add_product(contact->m, r->size, H, contact->m, now->v + r->column, ydot);
    H += (size_t)contact->m * (size_t)r->size;
  }
  if (NSDS_UNLIKELY(plan->schemes.nown > 0) && ahead > 0.0) detect_come_back(plan, contact, y);
  else
    for (int i = 0; ahead > 0.0 && i < contact->law->ngap; ++i) y[i] -= ahead * ydot[i];
}

static bool detect_refuse(tally *t, int k, const nsds_contact_point *point, const nsds_ds *ds,
                          nsds_status status) {
  t->refused = true;
  t->status = status;
  t->k = k;
  t->key = point->key;
  t->ds = ds;
  return false;
}

/* Puts contact k of the set, whose memory is there, into the plan. Returns false if it is
 * refused. */
static bool detect_put(const detection *d, int k, uint64_t number, const nsds_contact_point *point,
                       const int *place, tally *t) {
  const nsds_plan *plan = d->plan;
  nsds_contact_set *set = d->contacts.set;
  int c = d->first + k, size = set->law->size;
  nsds_contact *contact = &plan->contact[c];
  int before = find_again(d, k, point->key, t);
  bool made = !detect_same(contact, set, point, place),
       fresh = made || plan->search.loaded != plan->refreshed;
  const nsds_ds *wrong = made ? detect_make(d, k, number, point, place, t) : NULL;
  if (NSDS_UNLIKELY(wrong)) return detect_refuse(t, k, point, wrong, NSDS_OK);
  if (made) nsds_contact_set_show(set, k, false);
  contact->is.shown_active = set->active[k]; /* perhaps changed by other simulations */
  contact->found.place = k;
  contact->found.before = d->contacts.ahead > 0.0 && d->contacts.turns ? before : -1;
  contact->y0 = set->first_row + k * size;
  if (contact->interaction) contact->interaction->y_offset = contact->y0;
  int count = size * contact->nv;
  if (NSDS_UNLIKELY(nsds_first_nonfinite(point->H, count) >= 0 ||
                    nsds_first_nonfinite(point->y, set->law->ngap) >= 0))
    return detect_refuse(t, k, point, NULL, NSDS_OK);
  size_t bytes = (size_t)count * sizeof *contact->H;
  bool moved = memcmp(contact->H, point->H, bytes) != 0;
  if (moved) memcpy(contact->H, point->H, bytes);
  fresh = fresh || moved;
  nsds_status status = fresh ? detect_load(plan, c, number) : NSDS_OK;
  if (status) return detect_refuse(t, k, point, NULL, status);
  t->changed = t->changed || fresh;
  set->key[k] = point->key;
  set->pair[k].ds[0] = point->ds[0];
  set->pair[k].ds[1] = point->ds[1];
  nsds_contact_set_locate(set, k, point->place);
  set_local(plan, contact, point->y, d->contacts.ahead);
  return true;
}

/* ---- contacts from the geometry -------------------------------------------------------------- */

/* Reserves room for `count` contacts of the set and memory for those from `from` on, for any two
 * bodies with `nv` velocities in all. */
static nsds_status detect_make_room(detection *d, int from, int count, int nv) {
  nsds_contact_set *set = d->contacts.set;
  nsds_plan *plan = d->plan;
  int size = set->law->size;
  char label[nsds_label_size];
  nsds_contact like = {0};
  if (NSDS_UNLIKELY(nv > INT_MAX / size)) {
    nsds_contact_set_label(set, label);
    nsds_check_dense(plan->context, label, "H of a contact", size, nv);
    return NSDS_ERROR_SIZE;
  }
  if (count > set->capacity) {
    nsds_status status = nsds_contact_set_grow(set, count);
    if (!status) status = nsds_plan_reserve(plan, (size_t)d->first + (size_t)set->capacity);
    if (status) return status;
    int first = set->first_row; /* rows may have moved */
    for (int k = 0; k < from; ++k) {
      nsds_contact *contact = &plan->contact[d->first + k];
      contact->y0 = first + k * size;
      if (contact->interaction) contact->interaction->y_offset = contact->y0;
    }
    for (int i = first; i < first + from * size; ++i)
      plan->trial.impulse[i] = plan->model->state.impulse[i];
  }
  detect_describe(&like, set, set->law);
  like.nds = like.nedge = 2;
  like.nv = nv;
  return nsds_found_reserve(plan, d->first + from, d->first + count, &like);
}

/* Reserves room for a batch. A single set does not repeat the checks of its last search. */
static nsds_status make_rooms(detection *d, const nsds_batch *batch) {
  nsds_plan *plan = d->plan;
  int from = d->contacts.count, end = from + batch->count;
  bool alone = plan->model->set.count == 1 && from == 0;
  if (alone && plan->search.furnished_to >= d->first + end &&
      plan->search.furnished_from == d->first && end <= d->contacts.set->capacity)
    return NSDS_OK;
  nsds_status status = detect_make_room(d, from, end, batch->columns);
  plan->search.furnished_from = d->first;
  plan->search.furnished_to = alone && !status ? d->first + end : 0;
  return status;
}

static nsds_status detect_report(const detection *d, const tally *t) {
  const nsds_plan *plan = d->plan;
  char label[nsds_label_size], body[nsds_label_size];
  nsds_contact_set_label(d->contacts.set, label);
  if (t->status) return t->status;
  if (!t->ds)
    return nsds_fail(
        plan->context, NSDS_ERROR_CALLBACK,
        "%s: y or H of contact %d (key %llu) is not finite at t = %.17g; entries must be finite",
        label, t->k, (unsigned long long)t->key, plan->model->state.t);
  return nsds_fail(
      plan->context, NSDS_ERROR_UNSUPPORTED,
      "%s has found %s, which shares its iteration matrix with others, as inputs of a "
      "mixed relation depend on its state; valid are mixed relations without "
      "jac_input_x_fn, jac_input_q_fn and jac_input_v_fn, or interactions in place of the set",
      label, nsds_ds_label(t->ds, body));
}

/* Adds up the outcomes of the parts for the next `count` contacts. Reports the first refused
 * contact. */
static nsds_status detect_close(detection *d, const tally *t, int parts, int count) {
  nsds_plan *plan = d->plan;
  const tally *refusal = NULL;
  bool made = false;
  for (int part = 0; part < parts; ++part) {
    if (t[part].made || t[part].refused) nsds_counts_add(&plan->count, &t[part].counts);
    d->changed = d->changed || t[part].changed;
    made = made || t[part].made;
    if (t[part].refused && !refusal) refusal = &t[part];
  }
  for (nsds_contact_operator *op = plan->operator; op; op = op->next) op->ids += (uint64_t)count;
  plan->structure += made;
  d->contacts.count += count;
  return refusal ? detect_report(d, refusal) : NSDS_OK;
}

static nsds_status detect_take(nsds_contacts *contacts, const nsds_contact_point *point) {
  detection *d = (detection *)(void *)contacts;
  int k = contacts->count, nv = point->ds[0]->nv;
  const int place[2] = {point->ds[0]->index, point->ds[1] ? point->ds[1]->index : -1};
  bool there = k < contacts->set->capacity &&
               detect_same(&d->plan->contact[d->first + k], contacts->set, point, place);
  nsds_status status =
      there ? NSDS_OK
            : detect_make_room(d, k, k + 1, point->ds[1] ? nv + point->ds[1]->nv : 2 * nv);
  if (!status && point->place && nsds_place_has_tangent(point->place))
    status = nsds_contact_set_keep_tangents(contacts->set);
  if (status) return status;
  tally t = {.refused = false};
  detect_put(d, k, 1, point, place, &t);
  return detect_close(d, &t, 1, 1);
}

typedef struct intake {
  const detection *d;
  const nsds_batch *batch;
  tally part[nsds_most_parts];
} intake;

static void detect_take_part(void *self, int part, int parts) {
  intake *in = self;
  const nsds_batch *batch = in->batch;
  int first = in->d->contacts.count, end = nsds_part_begin(batch->count, part + 1, parts);
  double y[nsds_batch_rows], H[nsds_batch_rows * nsds_batch_columns];
  tally t = {.refused = false};
  bool taken = true;
  for (int k = nsds_part_begin(batch->count, part, parts); taken && k < end; ++k) {
    nsds_contact_place where;
    nsds_contact_point point = {.key = batch->key[k], .y = y, .H = H, .place = &where};
    int place[2];
    batch->get(batch->self, k, &point, place, y, H, &where);
    taken = detect_put(in->d, first + k, (uint64_t)k + 1, &point, place, &t);
  }
  in->part[part] = t;
}

static nsds_status take_all(nsds_contacts *contacts, const nsds_batch *batch) {
  enum { few = 64 }; /* contacts that are not worth being shared */
  detection *d = (detection *)(void *)contacts;
  intake in = {.d = d, .batch = batch};
  int from = contacts->count;
  nsds_status status = make_rooms(d, batch);
  if (status) return status;
  nsds_contact_set_expect(contacts->set, from, batch->key, batch->count);
  int parts = batch->foreign ? 1 : nsds_parts(batch->count, few);
  nsds_share_out(d->plan->context, parts, detect_take_part, &in);
  return detect_close(d, in.part, parts, batch->count);
}

void nsds_detect_forget(nsds_plan *plan, int first) {
  for (int c = first; c < plan->ncontact; ++c) nsds_contact_uncount(plan, &plan->contact[c]);
  plan->ncontact = first;
}

/* Asks the geometry for contacts. Reports a failure that the geometry has not reported. */
static nsds_status detect_look(nsds_contact_set *set, double t, nsds_contacts *contacts) {
  const nsds_model *model = set->model;
  unsigned long failures = nsds_failures(model->context);
  nsds_status status = NSDS_UNLIKELY(set->choice.choose != NULL)
                           ? nsds_chosen_find(set, t, contacts)
                           : set->ops->find(set->self, t, contacts);
  if (contacts->status) return contacts->status;
  if (status == NSDS_OK) return NSDS_OK;
  char label[nsds_label_size];
  nsds_contact_set_label(set, label);
  return nsds_judge(model->context, label, "find", t, failures, status);
}

/* Sets the system's q of the trial state to q_i + gamma h v_i. */
static nsds_status expect_slot(nsds_slot *slot) {
  const nsds_ds *ds = slot->ds;
  const nsds_integration *on = &slot->on;
  double ahead = on->scheme->gamma * on->scheme->h, *step = slot->scratch;
  if (!nsds_is_second_order(ds)) return NSDS_OK;
  for (int k = 0; k < ds->nv; ++k) step[k] = ahead * on->u[k];
  return nsds_ds_move(ds, on->scheme->t, on->q, on->u, step, on->q_end);
}

/* Moves the model's q to the expected place at the end of the step, where geometries read it. The trial state, which has
 * no use before the step, keeps q of the start meanwhile. */
static nsds_status go_ahead(nsds_plan *plan) {
  const nsds_model *model = plan->model;
  size_t nq = model->size.nq;
  nsds_status status = nsds_plan_reserve(plan, (size_t)plan->ncontact);
  if (!status && plan->slots_aligned) {
    double ahead = plan->scheme->gamma * plan->scheme->h, *restrict q = model->state.q;
    double *restrict start = plan->trial.q;
    const double *restrict v = model->state.v;
    for (size_t k = 0; k < nq; ++k) {
      start[k] = q[k];
      q[k] = start[k] + ahead * v[k];
    }
    return NSDS_OK;
  }
  if (!status) status = nsds_slots_each(plan, expect_slot);
  if (status) return status;
  for (size_t k = 0; k < nq; ++k) {
    double expected = plan->trial.q[k];
    plan->trial.q[k] = model->state.q[k];
    model->state.q[k] = expected;
  }
  return NSDS_OK;
}

/* Finds the contacts of all sets at the model's q, which is `ahead` of its time. */
static nsds_status detect_find_all(nsds_plan *plan, double ahead) {
  const nsds_model *model = plan->model;
  int first = plan->ninteraction, before = plan->ncontact;
  bool changed = false;
  nsds_status status = NSDS_OK;
  for (size_t s = 0; !status && s < model->set.count; ++s) {
    nsds_contact_set *set = model->set.item[s];
    detection d = {.contacts = {.set = set,
                                .follows = plan->search.follows,
                                .to_end = !plan->at_instant,
                                .ahead = ahead,
                                .start = ahead > 0.0 ? plan->trial.q : NULL,
                                .take = detect_take,
                                .take_all = take_all},
                   .plan = plan,
                   .first = first};
    nsds_contact_set_begin(set);
    status = nsds_plan_reserve(plan, (size_t)first + (size_t)set->capacity);
    if (!status && plan->search.follows) status = nsds_contact_set_keep_tangents(set);
    if (!status) status = detect_look(set, model->state.t + ahead, &d.contacts);
    set->count = d.contacts.count;
    first += d.contacts.count;
    changed = changed || d.changed;
    if (first > plan->ncontact) plan->ncontact = first;
  }
  if (!status && plan->search.follows) status = nsds_follow_reserve(plan);
  nsds_detect_forget(plan, status ? plan->ninteraction : first); /* no incomplete contact stays */
  if (status || first != before) ++plan->structure;
  for (nsds_contact_operator *op = plan->operator; changed && op; op = op->next)
    nsds_contact_operator_restamp(op);
  plan->search.loaded = status ? 0 : plan->refreshed; /* failed contacts are loaded again */
  ++plan->seen.of.searches;
  return status;
}

nsds_status nsds_detect_find(nsds_plan *plan) {
  double ahead = plan->search.looks_ahead ? plan->scheme->gamma * plan->scheme->h : 0.0;
  nsds_status status = ahead > 0.0 ? go_ahead(plan) : NSDS_OK;
  if (status) return status;
  status = detect_find_all(plan, ahead);
  nsds_turned_rows_begin(plan);
  if (ahead > 0.0) nsds_copy_doubles(plan->model->state.q, plan->trial.q, plan->model->size.nq);
  return status;
}
