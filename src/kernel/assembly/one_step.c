/*
 * Instances of the one-step problem: creation, index set, numbers. Arrays are sized for all
 * contacts, so that a change of the index set allocates nothing.
 */
#include "kernel/assembly/one_step.h"

#include "base/base.h"
#include "base/context.h"
#include "base/parallel.h"
#include "kernel/assembly/contact.h"
#include "kernel/assembly/contact_operator.h"
#include "kernel/assembly/least_reactions.h"
#include "kernel/assembly/lifting.h"
#include "kernel/assembly/plan.h"
#include "kernel/assembly/reduced.h"
#include "kernel/assembly/terms.h"
#include "kernel/assembly/rest.h"
#include "kernel/assembly/turned_rows.h"
#include "kernel/assembly/unreduced.h"
#include "kernel/modeling/law_constraint.h"
#include "kernel/modeling/local.h"
#include "kernel/modeling/modeling.h"
#include "numerics/refine.h"

/* Largest terms of gaps for which the tolerance of activation holds. With larger terms, a contact
 * that is open by rounding counts as open. */
static const double largest_terms = 1e7;

void nsds_one_step_create(nsds_plan *plan, bool own_gain, nsds_one_step *o) {
  *o = (nsds_one_step){.form = &nsds_reduced};
  nsds_contact_operator_create(plan, own_gain, &o->op);
  nsds_one_step **end = &plan->problem;
  while (*end) end = &(*end)->next;
  *end = o;
}

void nsds_one_step_begin(nsds_one_step *o, bool unreduced) {
  if (!o->op.own_gain && !o->form->scheme) o->form = unreduced ? &nsds_unreduced : &nsds_reduced;
  o->op.without_gain = o->form == &nsds_unreduced;
  o->reserved = false;
}

void nsds_one_step_take_solver(nsds_one_step *o, nsds_solver *solver) {
  o->solver = solver;
  o->reserved = false;
  o->set.built = 0;
}

void nsds_one_step_destroy(nsds_one_step *o) {
  if (!o->op.plan) return;
  nsds_context *context = o->op.plan->context;
  nsds_one_step **at = &o->op.plan->problem;
  while (*at && *at != o) at = &(*at)->next;
  if (*at) *at = o->next;
  if (o->op.plan->unreduced == o) o->op.plan->unreduced = NULL;
  nsds_refiner_release(&o->least.refiner);
  void *arrays[] = {
      o->set.active,      o->set.candidate,    o->reduced.block,      o->reduced.row,
      o->reduced.edge,    o->reduced.D,        o->reduced.dense,      o->least.dense,
      o->least.z,         o->rows_q,           o->reduced.first_edge, o->unreduced.local,
      o->unreduced.p,     o->unreduced.i,      o->unreduced.x,        o->unreduced.vector,
      o->unreduced.block, o->unreduced.global, o->reduced.placed,     o->reduced.first_block,
      o->reduced.meeting, o->dependent.row,    o->dependent.left_out, o->dependent.A,
      o->rest.x,          o->kept.bounds,      o->kept.block};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; ++k) nsds_release(context, arrays[k]);
  nsds_contact_operator_destroy(&o->op);
  *o = (nsds_one_step){0};
}

nsds_status nsds_one_step_resize(nsds_one_step *o, size_t contacts) {
  nsds_context *context = o->op.plan->context;
  size_t nc = contacts, ny = o->op.plan->model->size.ny;
  nsds_status status =
      nsds_grow(context, &o->set.active, &o->set.active_capacity, nc, sizeof *o->set.active);
  if (!status)
    status = nsds_grow(context, &o->set.candidate, &o->set.candidate_capacity, nc,
                       sizeof *o->set.candidate);
  if (!status)
    status = nsds_grow(context, &o->rows_q, &o->rows_capacity, 3 * ny, sizeof *o->rows_q);
  size_t few = ny < nsds_dense_rows ? ny : nsds_dense_rows;
  if (!status)
    status = nsds_grow(context, &o->reduced.dense, &o->reduced.dense_capacity, few * few,
                       sizeof *o->reduced.dense);
  if (!status) status = nsds_one_step_reserve_rest(o);
  return status ? status : nsds_one_step_reserve_least(o);
}

/* ---- index set ------------------------------------------------------------------------------- */

/* Returns true if rounding of terms of some size decides whether a copy is closed. */
static bool is_near(const nsds_one_step *o, const nsds_contact *contact, int copy, double tau) {
  const nsds_state *now = &o->op.plan->model->state;
  int at = contact->y0 + copy * contact->size;
  const double *y = now->y + at, *ydot = now->ydot + at;
  double wide = o->set.slack + largest_terms * o->set.tolerance;
  return nsds_contact_closes(contact, copy, y, ydot, tau, wide) &&
         !nsds_contact_closes(contact, copy, y, ydot, tau, o->set.slack);
}

/* Evaluates H at the accepted state if the size of its terms decides. Affine contacts keep H. */
static nsds_status one_step_weigh(nsds_one_step *o, int c, double tau) {
  nsds_plan *plan = o->op.plan;
  const nsds_contact *contact = &plan->contact[c];
  bool near = false;
  if (o->set.tolerance == 0.0 || !contact->active || contact->is.affine) return NSDS_OK;
  for (int k = 0; k < contact->ncopy && !near; ++k) near = is_near(o, contact, k, tau);
  if (!near) return NSDS_OK;
  const nsds_state *now = &plan->model->state;
  return nsds_gradient_at(contact->interaction, now, now->force, o->op.entry[c].H,
                          plan->memory.work);
}

static bool one_step_closed(const nsds_one_step *o, int c, int copy, const double *ydot,
                            double tau) {
  const nsds_contact *contact = &o->op.plan->contact[c];
  const nsds_state *now = &o->op.plan->model->state;
  int first = copy * contact->size, at = contact->y0 + first;
  if (o->set.given) return o->set.given[at];
  if (o->form->all) return true;
  const double *y = now->y + at;
  if (nsds_contact_closes(contact, copy, y, ydot + at, tau, o->set.slack)) return true;
  double wide = o->set.slack + largest_terms * o->set.tolerance;
  if (!nsds_contact_closes(contact, copy, y, ydot + at, tau, wide)) return false;
  double terms = nsds_terms_of_gap_at(o->op.plan, contact, o->op.entry[c].H, now, first);
  double slack = o->set.slack + o->set.tolerance * terms;
  return nsds_contact_closes(contact, copy, y, ydot + at, tau, slack);
}

/* Returns the number of active rows of contact c. If the active copies have changed, the structure
 * has to be built anew. */
static int select_rows(nsds_one_step *o, int c, double tau) {
  const nsds_plan *plan = o->op.plan;
  const nsds_contact *contact = &plan->contact[c];
  nsds_entry *entry = &o->op.entry[c];
  bool apart = o->op.displaces || nsds_acts_on_states(contact->kind);
  bool absent = apart && o->set.given && !o->set.given[contact->y0]; /* all copies are alike */
  if (o->op.own_gain && (nsds_acts_on_states(contact->kind) || contact->is.compliant))
    return 0; /* no impulses at an instant */
  if (!contact->active) return absent ? 0 : contact->m;
  const double *ydot = plan->model->state.ydot;
  if (contact->ncopy == 1) return one_step_closed(o, c, 0, ydot, tau) ? contact->m : 0;
  int count = 0;
  for (int k = 0; k < contact->ncopy; ++k) {
    unsigned char on = one_step_closed(o, c, k, ydot, tau);
    if (on != entry->more->on[k]) o->set.built = 0;
    entry->more->on[k] = on;
    count += on;
  }
  entry->rows = count * nsds_contact_operator_copy_rows(&o->op, contact);
  return entry->rows;
}

static bool same_set(const nsds_one_step *o, int count) {
  if (!nsds_one_step_stands(o) || count != o->set.nactive) return false;
  for (int a = 0; a < count; ++a)
    if (o->set.active[a] != o->set.candidate[a]) return false;
  return true;
}

static NSDS_NOINLINE nsds_status take_candidates(nsds_one_step *o, int count) {
  int *swap = o->set.active;
  size_t capacity = o->set.active_capacity; /* capacities differ after a shortage of memory */
  o->set.active = o->set.candidate;
  o->set.active_capacity = o->set.candidate_capacity;
  o->set.candidate = swap;
  o->set.candidate_capacity = capacity;
  o->set.nactive = count;
  nsds_index_set_change(&o->set);
  nsds_contact_operator_restamp(&o->op);
  nsds_status status = o->form->assemble(o);
  o->set.built = status ? 0 : o->op.plan->structure;
  return status;
}

static NSDS_NOINLINE nsds_status select_any(nsds_one_step *o, double tau) {
  int count = 0;
  for (int c = 0; c < o->op.plan->ncontact; ++c) {
    nsds_status status = one_step_weigh(o, c, tau);
    if (status) o->set.built = 0; /* copies may have changed */
    if (status) return status;
    if (select_rows(o, c, tau) > 0) o->set.candidate[count++] = c;
  }
  return same_set(o, count) ? NSDS_OK : take_candidates(o, count);
}

/* Lists the active contacts among first .. end - 1 and returns their number. Each has one copy, by
 * far the most frequent case. Contacts that are near are listed as ~c. */
NSDS_INLINE int select_range(const nsds_one_step *o, double tau, int first, int end, int *candidate,
                             bool *near) {
  const nsds_plan *plan = o->op.plan;
  const double *y = plan->model->state.y, *ydot = plan->model->state.ydot;
  double slack = o->set.slack, wide = slack + largest_terms * o->set.tolerance;
  int count = 0;
  for (int c = first; c < end; ++c) {
    const nsds_contact *contact = &plan->contact[c];
    int row = contact->y0;
    if (contact->active == nsds_gap_closes) { /* the usual function is inlined */
      double gap = nsds_expected_gap(y + row, ydot + row, tau);
      if (!nsds_gap_is_closed(gap, wide)) continue;
      candidate[count] = c;
      if (NSDS_UNLIKELY(!nsds_gap_is_closed(gap, slack))) {
        candidate[count] = ~c;
        *near = true;
      }
      ++count;
    } else if (!contact->active ||
               nsds_contact_closes(contact, 0, y + row, ydot + row, tau, slack)) {
      candidate[count++] = c;
    } else if (nsds_contact_closes(contact, 0, y + row, ydot + row, tau, wide)) {
      candidate[count++] = ~c;
      *near = true;
    }
  }
  return count;
}

static nsds_status settle_near(nsds_one_step *o, double tau, int *count) {
  int kept = 0;
  for (int k = 0; k < *count; ++k) {
    int c = o->set.candidate[k];
    if (c < 0) {
      c = ~c;
      nsds_status status = one_step_weigh(o, c, tau);
      if (status) return status;
      if (!one_step_closed(o, c, 0, o->op.plan->model->state.ydot, tau)) continue;
    }
    o->set.candidate[kept++] = c;
  }
  *count = kept;
  return NSDS_OK;
}

typedef struct selection {
  const nsds_one_step *o;
  double tau;
  int count[nsds_most_parts];
  bool near[nsds_most_parts];
} selection;

static void select_part(void *self, int part, int parts) {
  selection *s = self;
  int n = s->o->op.plan->ncontact, first = nsds_part_begin(n, part, parts);
  int end = nsds_part_begin(n, part + 1, parts);
  bool near = false;
  s->count[part] = select_range(s->o, s->tau, first, end, s->o->set.candidate + first, &near);
  s->near[part] = near;
}

/* Selects by threads. The list of each part moves behind the lists of the parts before. */
static NSDS_NOINLINE int select_shared(const nsds_one_step *o, double tau, int parts, bool *near) {
  selection s = {.o = o, .tau = tau};
  nsds_share_out(o->op.plan->context, parts, select_part, &s);
  int count = 0;
  for (int part = 0; part < parts; count += s.count[part++]) {
    memmove(o->set.candidate + count,
            o->set.candidate + nsds_part_begin(o->op.plan->ncontact, part, parts),
            (size_t)s.count[part] * sizeof *o->set.candidate);
    *near = *near || s.near[part];
  }
  return count;
}

enum { few_to_select = 256 }; /* contacts per part, at least */

static NSDS_NOINLINE nsds_status select_plain(nsds_one_step *o, double tau) {
  int n = o->op.plan->ncontact,
      parts = o->op.plan->count.foreign > 0 ? 1 : nsds_parts(n, few_to_select);
  bool near = false;
  int count = parts > 1 ? select_shared(o, tau, parts, &near)
                        : select_range(o, tau, 0, n, o->set.candidate, &near);
  nsds_status status = NSDS_UNLIKELY(near) ? settle_near(o, tau, &count) : NSDS_OK;
  if (status) return status;
  return same_set(o, count) ? NSDS_OK : take_candidates(o, count);
}

/* Returns true if the contacts that are active now close again, and no others, as in most steps. Each
 * contact has one copy, and closes always or by its gap. select_plain() takes contacts that are
 * near. */
static bool set_stays(const nsds_one_step *o, double tau) {
  const nsds_plan *plan = o->op.plan;
  const double *y = plan->model->state.y, *ydot = plan->model->state.ydot;
  double slack = o->set.slack, wide = slack + largest_terms * o->set.tolerance;
  const int *active = o->set.active, *last = active + o->set.nactive;
  const nsds_contact *contact = plan->contact;
  for (int c = 0; c < plan->ncontact; ++c, ++contact) {
    if (contact->active) {
      double gap = nsds_expected_gap(y + contact->y0, ydot + contact->y0, tau);
      if (!nsds_gap_is_closed(gap, slack)) {
        if (nsds_gap_is_closed(gap, wide)) return false;
        continue;
      }
    }
    if (active == last || *active++ != c) return false;
  }
  return active == last;
}

nsds_status nsds_one_step_select(nsds_one_step *o, double tau, const unsigned char *given) {
  o->set.given = given;
  const nsds_plan *plan = o->op.plan;
  const nsds_formulation *form = o->form;
  bool stands = nsds_one_step_stands(o);
  if (!form->assemble || (stands && (plan->count.conditional == 0 || form->all))) return NSDS_OK;
  bool plain = o->set.tolerance <= nsds_activation_rounding && !o->op.own_gain && !given &&
               plan->count.several == 0 && !form->all;
  if (!plain) return select_any(o, tau);
  bool few = plan->ncontact < 2 * few_to_select && plan->count.judged == 0;
  if (few && stands && set_stays(o, tau)) return NSDS_OK;
  return select_plain(o, tau);
}

/* Closes the copies of contact c that the iterate closes. Closed copies stay closed. Returns true
 * if a copy was open before. */
static bool close_copies(nsds_one_step *o, int c, bool was_active, double tau) {
  const nsds_contact *contact = &o->op.plan->contact[c];
  nsds_entry *entry = &o->op.entry[c];
  unsigned char *known = entry->more->on;
  bool grown = false;
  for (int k = 0; k < contact->ncopy; ++k) {
    bool on = was_active && (!known || known[k]);
    bool now = on || one_step_closed(o, c, k, o->op.plan->trial.ydot, tau);
    grown = grown || now != on;
    if (known) known[k] = now;
  }
  if (grown && known) {
    entry->rows = 0;
    for (int k = 0; k < contact->ncopy; ++k) entry->rows += known[k] ? contact->size : 0;
  }
  return grown;
}

nsds_status nsds_one_step_widen(nsds_one_step *o, double tau, bool *grown) {
  nsds_plan *plan = o->op.plan;
  int count = 0;
  *grown = false;
  for (int c = 0, a = 0; c < plan->ncontact; ++c) {
    nsds_contact *contact = &plan->contact[c];
    bool now = a < o->set.nactive && o->set.active[a] == c, open = contact->active != NULL;
    a += now;
    nsds_status status = open ? contact->ops->output(plan, contact) : NSDS_OK;
    if (status) return status;
    bool closes = open && close_copies(o, c, now, tau);
    *grown = *grown || closes;
    if (now || closes) o->set.candidate[count++] = c;
  }
  return *grown ? take_candidates(o, count) : NSDS_OK;
}

/* ---- numbers --------------------------------------------------------------------------------- */

nsds_status nsds_one_step_linearise(nsds_one_step *o) {
  nsds_plan *plan = o->op.plan;
  nsds_status status = plan->attitude ? nsds_turned_rows_follow(plan) : NSDS_OK;
  bool silent = nsds_one_step_leaves_out(o);
  for (int a = 0; !status && a < o->set.nactive; ++a) {
    int c = o->set.active[a];
    nsds_contact *contact = &plan->contact[c];
    if (contact->is.affine) continue;
    status = contact->ops->linearise(plan, contact, &o->op.entry[c]);
    if (silent && contact->interaction) nsds_one_step_silence(o, c);
  }
  return status;
}

/* Computes the edges that vary from step to step. Edges of found contacts over a tree stay with the
 * matrices of the tree. */
static void form_edges(nsds_one_step *o) {
  const nsds_plan *plan = o->op.plan;
  bool kept = plan->tree && plan->tree->kept && plan->tree->stamp == o->op.stamp, renewed = !kept;
  for (int a = 0; a < o->set.nactive; ++a) {
    const nsds_contact *contact = &plan->contact[o->set.active[a]];
    bool stays = kept && contact->is.lifted && contact->is.affine;
    if (contact->is.fixed || (o->op.own_gain && contact->is.affine) || stays) continue;
    nsds_contact_operator_form_y(&o->op, o->set.active[a]);
    renewed = true;
  }
  if (renewed) nsds_contact_operator_restamp(&o->op);
  if (plan->tree) plan->tree->stamp = o->op.stamp;
}

void nsds_one_step_form_rows(nsds_one_step *o) {
  if (o->op.plan->count.varying > 0 && !o->op.without_gain) form_edges(o);
  if (o->form->form_matrix) o->form->form_matrix(o);
  o->form->constant_term(o);
}

void nsds_one_step_apply(nsds_one_step *o) { o->form->apply(o); }

void nsds_one_step_apply_anew(nsds_one_step *o) {
  o->set.idle = false;
  o->form->apply(o);
}

int nsds_one_step_first_row(const nsds_one_step *o, int a) {
  if (!o->op.without_gain) return o->reduced.row[a];
  const nsds_contact *contact = &o->op.plan->contact[o->set.active[a]];
  return (int)o->op.plan->model->size.nv + contact->first->first_row; /* systems come first */
}

int nsds_one_step_contact(const nsds_one_step *o, int block) {
  int row = 0, found = -1;
  for (int b = 0; b < block; ++b) row += o->problem.block[b].size;
  for (int a = 0; a < o->set.nactive && row >= nsds_one_step_first_row(o, a); ++a)
    found = o->set.active[a];
  return found;
}

void nsds_one_step_silence(const nsds_one_step *o, int c) {
  const nsds_contact *contact = &o->op.plan->contact[c];
  nsds_entry *entry = &o->op.entry[c];
  for (int i = 0; i < contact->m; ++i) {
    if (!o->dependent.left_out[contact->y0 + i]) continue;
    for (int k = 0; k < contact->nv; ++k) entry->H[i + (ptrdiff_t)k * contact->m] = 0.0;
    entry->offset[i] = 0.0;
    o->op.plan->trial.impulse[contact->y0 + i] = 0.0; /* the start of z */
  }
}
