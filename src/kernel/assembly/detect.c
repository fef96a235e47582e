/*
 * The contacts of contact sets in the plan, behind those of interactions: found anew at the start
 * of a step. What is as it was in the step before, by key, place and H, keeps its memory, its Y and
 * its place in the problem.
 */
#include "contact_set.h"
#include "one_step.h"
#include "product.h"

typedef struct detection {
  nsds_contacts contacts; /* first: what the geometry sees */
  nsds_plan *plan;
  int first;    /* plan index of the set's first contact */
  bool changed; /* some H or gain */
} detection;

/* ---- one contact in the plan ----------------------------------------------------------------- */

/* y + h H [theta V_{i+1} + (1 - theta) V_i], and dy/dt = H V_{i+1}. */
static nsds_status output(nsds_plan *plan, nsds_contact *contact) {
  const nsds_state *now = &plan->model->state, *end = &plan->trial;
  const nsds_scheme *scheme = plan->scheme;
  double *y = end->y + contact->y0, *ydot = end->ydot + contact->y0;
  const double *H = contact->H;
  int m = contact->m;
  double a = scheme->h * scheme->theta, b = scheme->h * (1.0 - scheme->theta);
  for (int i = 0; i < m; ++i) {
    y[i] = now->y[contact->y0 + i];
    ydot[i] = 0.0;
  }
  for (const nsds_reach *r = contact->reach, *last = r + contact->nds; r < last; ++r) {
    if (NSDS_UNLIKELY(plan->nown > 0)) {
      a = scheme->h * plan->slot[r->slot].on.scheme->theta;
      b = scheme->h - a;
    }
    for (int k = r->column; k < r->column + r->size; ++k)
      for (int i = 0; i < m; ++i, ++H) {
        y[i] += *H * (a * end->v[k] + b * now->v[k]);
        ydot[i] += *H * end->v[k];
      }
  }
  return NSDS_OK;
}

static const nsds_contact_ops found_ops = {.output = output, .load_input = nsds_load_transpose};

static const nsds_law *law_of(const nsds_contact_set *set, const nsds_contact_point *point) {
  return point->law ? point->law : set->law;
}

/* Whether a contact of the plan is this one of the set already. */
static bool same(const nsds_contact *contact, const nsds_contact_set *set,
                 const nsds_contact_point *point) {
  if (!contact->counted || contact->set != set || contact->serial != point->key) return false;
  if (contact->law != law_of(set, point)) return false;
  int nds = point->ds[1] ? 2 : 1;
  if (contact->nds != nds || contact->reach[0].slot != point->ds[0]->index) return false;
  return nds == 1 || contact->reach[1].slot == point->ds[1]->index;
}

static void describe(nsds_plan *plan, nsds_contact *contact, nsds_contact_set *set, int place,
                     const nsds_contact_point *point) {
  const nsds_law *law = law_of(set, point);
  void *memory = contact->memory;
  size_t bytes = contact->bytes;
  *contact = (nsds_contact){.ops = &found_ops,
                            .law = law,
                            .set = set,
                            .place = place,
                            .serial = point->key,
                            .m = law->size,
                            .ncopy = 1,
                            .size = law->size,
                            .nds = point->ds[1] ? 2 : 1,
                            .affine = true,
                            .linear = true,
                            .fixed = true,
                            .scaled = law->level != NSDS_LEVEL_VELOCITY,
                            .memory = memory,
                            .bytes = bytes};
  nsds_contact_take_law(contact);
  contact->nedge = contact->nds;
  for (int e = 0; e < contact->nds; ++e) {
    const nsds_slot *slot = &plan->slot[point->ds[e]->index];
    contact->nv += slot->nv;
    contact->fixed = contact->fixed && slot->fixed_w;
  }
}

/* A contact that is found reaches its own bodies alone. */
static nsds_status refuse_body(const nsds_plan *plan, const nsds_contact_set *set,
                               const nsds_ds *ds) {
  char label[nsds_label_size], body[nsds_label_size];
  return nsds_fail(plan->context, NSDS_ERROR_UNSUPPORTED,
                   "%s has found %s, which shares its iteration matrix with others, as inputs of a "
                   "mixed relation depend on its state; valid are mixed relations without "
                   "jac_g_x_fn, jac_g_q_fn and jac_g_v_fn, or interactions in place of the set",
                   nsds_contact_set_label(set, label), nsds_ds_label(ds, body));
}

/* Contact c of the plan and its entries, in the memory it had where that is large enough. */
static nsds_status make(nsds_plan *plan, int c, nsds_contact_set *set, int place,
                        const nsds_contact_point *point) {
  nsds_contact *contact = &plan->contact[c];
  if (contact->counted) nsds_contact_count(plan, contact, -1);
  contact->counted = false;
  describe(plan, contact, set, place, point);
  char label[nsds_label_size];
  if (!nsds_check_dense(plan->context, nsds_contact_set_label(set, label), "H of a contact",
                        contact->m, contact->nv))
    return NSDS_ERROR_SIZE;
  for (int e = 0; e < contact->nds; ++e)
    if (plan->slot[point->ds[e]->index].cluster >= 0) return refuse_body(plan, set, point->ds[e]);
  nsds_status status = nsds_contact_place_found(plan, contact);
  for (int e = 0; !status && e < contact->nds; ++e) {
    const nsds_slot *slot = &plan->slot[point->ds[e]->index];
    contact->reach[e] = (nsds_reach){
        .slot = point->ds[e]->index, .column = slot->v0, .size = slot->nv, .q = slot->q0};
  }
  for (nsds_one_step *o = plan->problem; !status && o; o = o->next) {
    status = nsds_entry_place_found(o, contact, &o->entry[c]);
    if (!status) nsds_one_step_renumber(o, c);
    o->rebuild = true;
  }
  if (status) return status;
  nsds_contact_count(plan, contact, 1);
  contact->counted = true;
  return NSDS_OK;
}

/* Y and D, where H or the gains are new. */
static nsds_status load(nsds_plan *plan, int c) {
  const nsds_contact *contact = &plan->contact[c];
  nsds_status status = NSDS_OK;
  for (nsds_one_step *o = plan->problem; !status && o; o = o->next) {
    nsds_entry *entry = &o->entry[c];
    nsds_one_step_renumber(o, c); /* bounds depend on h */
    double h = plan->scheme->h;
    for (int k = 0; entry->D && k < contact->m * contact->m; ++k) entry->D[k] = 0.0;
    status = nsds_entry_add_law(contact, entry, !contact->scaled ? 1.0 : h > 0.0 ? 1.0 / h : 0.0);
    if (contact->fixed && !o->instant) nsds_one_step_edges(o, c);
  }
  plan->found_stale = plan->found_stale || status; /* what has failed is loaded again */
  return status;
}

/* ---- what the geometry hands over ------------------------------------------------------------ */

static nsds_status make_room(detection *d, int count) {
  nsds_contact_set *set = d->contacts.set;
  if (NSDS_LIKELY(count <= set->capacity)) return NSDS_OK;
  nsds_status status = nsds_contact_set_grow(set, count);
  if (!status) status = nsds_plan_reserve(d->plan, (size_t)(d->first + set->capacity));
  if (status) return status;
  int size = set->law->size, first = set->first_row; /* rows may have moved */
  for (int k = 0; k < d->contacts.count; ++k) d->plan->contact[d->first + k].y0 = first + k * size;
  for (int i = first; i < first + d->contacts.count * size; ++i)
    d->plan->trial.impulse[i] = d->plan->model->state.impulse[i];
  return NSDS_OK;
}

/* Impulses of the last step, by key. */
static void find_again(detection *d, int k, uint64_t key) {
  nsds_contact_set *set = d->contacts.set;
  const nsds_state *now = &d->plan->model->state;
  int old = nsds_contact_set_find(set, key, k), size = set->law->size;
  for (int i = 0; i < size; ++i) {
    int row = set->first_row + k * size + i;
    if (old != k) {
      now->impulse[row] = old < 0 ? 0.0 : set->old_row[2][old * size + i];
      now->force[row] = old < 0 ? 0.0 : set->old_row[3][old * size + i];
    }
    d->plan->trial.impulse[row] = now->impulse[row];
  }
}

static void set_local(nsds_plan *plan, const nsds_contact *contact, const double *gap) {
  const nsds_state *now = &plan->model->state;
  double *ydot = now->ydot + contact->y0;
  const double *H = contact->H;
  for (int i = 0; i < contact->m; ++i) {
    now->y[contact->y0 + i] = i < contact->law->ngap ? gap[i] : 0.0;
    ydot[i] = 0.0;
  }
  for (const nsds_reach *r = contact->reach, *end = r + contact->nds; r < end; ++r) {
    nsds_add_product(contact->m, r->size, H, contact->m, now->v + r->column, ydot);
    H += (size_t)contact->m * (size_t)r->size;
  }
}

static nsds_status take(nsds_contacts *contacts, const nsds_contact_point *point) {
  detection *d = (detection *)(void *)contacts;
  nsds_plan *plan = d->plan;
  nsds_contact_set *set = contacts->set;
  int k = contacts->count, c = d->first + k, size = set->law->size;
  nsds_status status = make_room(d, k + 1);
  if (status) return status;
  find_again(d, k, point->key);
  nsds_contact *contact = &plan->contact[c];
  bool made = !same(contact, set, point), fresh = made || plan->found_stale;
  if (made && (status = make(plan, c, set, k, point))) return status;
  if (made) set->active[k] = false;
  contact->shown_active = set->active[k]; /* other simulations may have changed it */
  contact->place = k;
  contact->y0 = set->first_row + k * size;
  int count = size * contact->nv;
  int bad = nsds_first_nonfinite(point->H, count);
  if (bad < 0) bad = nsds_first_nonfinite(point->y, set->law->ngap);
  char label[nsds_label_size];
  if (NSDS_UNLIKELY(bad >= 0))
    return nsds_fail(plan->context, NSDS_ERROR_CALLBACK,
                     "%s: y or H of contact %d (key %llu) is not finite at t = %.17g",
                     nsds_contact_set_label(set, label), k, (unsigned long long)point->key,
                     plan->model->state.t);
  for (int i = 0; i < count; ++i) {
    fresh = fresh || contact->H[i] != point->H[i];
    contact->H[i] = point->H[i];
  }
  if (fresh && (status = load(plan, c))) return status;
  d->changed = d->changed || fresh;
  set->key[k] = point->key;
  set->pair[k] = (nsds_contact_pair){{point->ds[0], point->ds[1]}};
  set_local(plan, contact, point->y);
  ++contacts->count;
  return NSDS_OK;
}

/* Contacts from `first` on are not there any more; their memory stays. */
static void forget(nsds_plan *plan, int first) {
  for (int c = first; c < plan->ncontact; ++c) {
    if (plan->contact[c].counted) nsds_contact_count(plan, &plan->contact[c], -1);
    plan->contact[c].counted = false;
  }
  plan->ncontact = first;
}

/* Asks the geometry. A failure it has not reported is reported here. */
static nsds_status look(const nsds_contact_set *set, nsds_contacts *contacts) {
  const nsds_model *model = set->model;
  unsigned long failures = nsds_failures(model->context);
  nsds_status status = set->ops->find(set->self, model->state.t, contacts);
  if (contacts->status) return contacts->status;
  if (status == NSDS_OK) return NSDS_OK;
  char label[nsds_label_size];
  nsds_contact_set_label(set, label);
  return nsds_judge(model->context, label, "find", model->state.t, failures, status);
}

nsds_status nsds_plan_find(nsds_plan *plan) {
  const nsds_model *model = plan->model;
  int first = plan->ninteraction, before = plan->ncontact;
  bool changed = false;
  nsds_status status = NSDS_OK;
  for (size_t s = 0; !status && s < model->set.count; ++s) {
    nsds_contact_set *set = model->set.item[s];
    detection d = {.contacts = {.set = set, .take = take}, .plan = plan, .first = first};
    nsds_contact_set_begin(set);
    status = nsds_plan_reserve(plan, (size_t)(first + set->capacity));
    if (!status) status = look(set, &d.contacts);
    set->count = d.contacts.count;
    first += d.contacts.count;
    changed = changed || d.changed;
    if (first > plan->ncontact) plan->ncontact = first;
  }
  forget(plan, first);
  if (status || first != before)
    for (nsds_one_step *o = plan->problem; o; o = o->next) o->rebuild = true;
  for (nsds_one_step *o = plan->problem; changed && o; o = o->next) ++o->stamp;
  plan->found_stale = plan->found_stale && status != NSDS_OK;
  return status;
}
