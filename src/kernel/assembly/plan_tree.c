/*
 * Bodies in joint coordinates. The state stays that of the bodies. A step takes joint coordinates from
 * the state, and places the bodies by them at the end. So joints are closed up to rounding. Joints of the
 * tree have no rows. In problems the bodies' columns hold w of their joints (tree_step.c), a part of
 * each; rows of contacts and interactions are lifted to them.
 *
 * If a tree stands on the world by a joint, each pass has rows by J of its iterate alone. There a joint can
 * hold a body against a contact in some direction. With other rows the contact would seem to move in
 * this direction, and a reaction of the order 1 / h would answer.
 *
 * A body's p contains the forces of its joints: p = r + W (v - v^k) of the linear system.
 */
#include "kernel/assembly/plan_tree.h"

#include "base/base.h"
#include "base/context.h"
#include "kernel/assembly/local_second.h"
#include "kernel/assembly/problems.h"
#include "kernel/assembly/slot.h"
#include "kernel/modeling/label.h"
#include "kernel/modeling/local.h"
#include "kernel/modeling/modeling.h"
#include "tree/tree_build.h"

/* ---- creation -------------------------------------------------------------------------------- */

/* Finds the largest numbers of edges and unknowns on two ways to the root, and roots with a joint. */
static void look_at_ways(nsds_plan_tree *t) {
  const nsds_tree *tree = t->step->tree;
  int edges = 0, unknowns = 0;
  for (int k = 0; k < tree->nbody; ++k) {
    int e = 0, u = 0;
    t->grounded = t->grounded || (tree->body[k].parent < 0 && tree->body[k].nu < nsds_body_nv);
    for (int b = k; b >= 0; b = tree->body[b].parent) {
      e += tree->body[b].nu > 0;
      u += tree->body[b].nu;
    }
    if (e > edges) edges = e;
    if (u > unknowns) unknowns = u;
  }
  t->most_edges = 2 * edges + 1; /* one of two bodies may be outside */
  t->most_unknowns = 2 * unknowns + nsds_body_nv;
}

static nsds_status refuse_cluster(const nsds_plan *plan, const nsds_slot *slot) {
  char label[nsds_label_size];
  return nsds_fail(plan->context, NSDS_ERROR_UNSUPPORTED,
                   "%s moves in joint coordinates, and inputs of a mixed relation depend on its "
                   "state; valid are coordinates = NSDS_COORDINATES_MAXIMAL, or mixed relations "
                   "without jac_input_x_fn, jac_input_q_fn and jac_input_v_fn",
                   nsds_ds_label(slot->ds, label));
}

/* Returns the largest size of an input matrix. */
static size_t most_inputs(const nsds_model *model) {
  size_t most = 1;
  for (size_t c = 0; c < model->interaction.count; ++c) {
    const nsds_interaction *ia = model->interaction.item[c];
    size_t size = (size_t)ia->m * (size_t)ia->relation->nv;
    if (size > most) most = size;
  }
  return most;
}

nsds_status nsds_plan_tree_build(nsds_plan *plan) {
  nsds_tree_step *step;
  nsds_status status = nsds_tree_step_create(plan->model, &step);
  if (status || !step) return status;
  nsds_plan_tree *t = NSDS_NEW(plan->context, nsds_plan_tree);
  plan->tree = t;
  if (!t) {
    nsds_tree_step_destroy(step);
    return NSDS_ERROR_MEMORY;
  }
  t->step = step;
  t->number = NSDS_NEW_ARRAY(plan->context, int, 2 * plan->nslot);
  t->push = NSDS_NEW_ARRAY(plan->context, double, plan->model->size.nv);
  t->load = NSDS_NEW_ARRAY(plan->context, double, most_inputs(plan->model));
  t->rest = NSDS_NEW_ARRAY(plan->context, double, 6 * step->tree->nbody);
  t->curved = NSDS_NEW_ARRAY(plan->context, double, 6 * step->tree->nbody);
  if (!t->number || !t->push || !t->load || !t->rest || !t->curved) return NSDS_ERROR_MEMORY;
  t->leader = t->number + plan->nslot;
  for (int s = 0; s < plan->nslot; ++s) t->number[s] = -1, t->leader[s] = s;
  for (int k = 0; k < step->tree->nbody; ++k) {
    nsds_slot *slot = &plan->slot[step->ds[k]->index];
    int parent = step->tree->body[k].parent;
    t->number[step->ds[k]->index] = k;
    if (parent >= 0) t->leader[step->ds[k]->index] = t->leader[step->ds[parent]->index];
    if (slot->cluster >= 0) return refuse_cluster(plan, slot);
    slot->is.jointed = true;
    slot->on.affine = false;
    slot->is.drifting = false;
  }
  look_at_ways(t);
  return NSDS_OK;
}

void nsds_plan_tree_destroy(nsds_plan *plan) {
  nsds_plan_tree *t = plan->tree;
  plan->tree = NULL;
  if (!t) return;
  nsds_tree_step_destroy(t->step);
  nsds_release(plan->context, t->number);
  nsds_release(plan->context, t->push);
  nsds_release(plan->context, t->load);
  nsds_release(plan->context, t->rest);
  nsds_release(plan->context, t->curved);
  nsds_release(plan->context, t);
}

/* ---- contacts -------------------------------------------------------------------------------- */

/* A joint of the tree takes part in no problem. */
static bool takes_no_part(void *self, const double *y, const double *ydot, double tau,
                          double slack) {
  (void)self;
  (void)y;
  (void)ydot;
  (void)tau;
  (void)slack;
  return false;
}

bool nsds_plan_tree_has(const nsds_plan *plan, const nsds_interaction *ia) {
  const nsds_plan_tree *t = plan->tree;
  for (int e = 0; t && e < ia->nds; ++e) {
    int k = t->number[ia->ds[e]->index];
    if (k >= 0 && t->step->joint[k] == ia) return true;
  }
  return false;
}

bool nsds_plan_tree_stays(const nsds_plan *plan, int k) {
  const nsds_model *model = plan->model;
  const nsds_contact *contact = k < plan->ninteraction ? &plan->contact[k] : NULL;
  if (contact && contact->is.built_in) return false;
  return k >= (int)model->interaction.count || !nsds_tree_may_join(model->interaction.item[k]);
}

void nsds_plan_tree_describe(const nsds_plan *plan, nsds_contact *contact) {
  nsds_plan_tree *t = plan->tree;
  const nsds_interaction *ia = contact->interaction;
  if (!t) return;
  if (nsds_plan_tree_has(plan, ia)) {
    contact->is.built_in = true;
    contact->active = takes_no_part;
    contact->ncopy = 1;
    contact->size = contact->m;
    return;
  }
  bool inside = true;
  for (int e = 0; e < ia->nds; ++e) {
    bool in_tree = t->number[ia->ds[e]->index] >= 0;
    contact->is.lifted = contact->is.lifted || in_tree;
    inside = inside && in_tree;
  }
  bool rigid = nsds_contact_is_rigid(contact) && !contact->law->ops->compliance;
  if (inside && rigid && contact->law->set == NSDS_SET_EQUALITY) t->loops = true;
}

/* Returns the body of the tree that system e of a contact is; -1: it is outside. */
static int tree_body_of(const nsds_plan_tree *t, const nsds_contact *contact, int e) {
  const nsds_interaction *ia = contact->interaction;
  return t->number[ia ? ia->ds[e]->index : contact->reach[e].slot];
}

/* Returns the last body below `limit` on the ways of a contact to the root; -1: there is none. Threads
 * make contacts, so that nothing is noted in the tree. */
static int next_on_way(const nsds_plan_tree *t, const nsds_contact *contact, int limit) {
  int next = -1;
  for (int e = 0; e < contact->nds; ++e) {
    int k = tree_body_of(t, contact, e);
    while (k >= limit) k = t->step->tree->body[k].parent;
    if (k > next) next = k;
  }
  return next;
}

int nsds_plan_tree_reach(const nsds_plan *plan, const nsds_contact *contact, nsds_reach *reach) {
  const nsds_plan_tree *t = plan->tree;
  const nsds_tree *tree = t->step->tree;
  int count = 0;
  for (int k = tree->nbody; (k = next_on_way(t, contact, k)) >= 0;) {
    const nsds_ds *ds = t->step->ds[k];
    if (tree->body[k].nu == 0) continue;
    if (reach)
      reach[count] = (nsds_reach){
          .slot = ds->index, .column = ds->v_offset, .size = tree->body[k].nu, .q = ds->q_offset};
    ++count;
  }
  for (int e = 0; e < contact->nds; ++e) {
    if (tree_body_of(t, contact, e) >= 0) continue;
    if (reach) reach[count] = contact->reach[e];
    ++count;
  }
  return count;
}

/* Adds row j of H and its load to the bodies of the tree. */
static void push_row(const nsds_plan *plan, const nsds_contact *contact, const nsds_entry *entry,
                     const double *load, int j) {
  const nsds_plan_tree *t = plan->tree;
  const double *H = entry->H + j;
  for (int e = 0; e < contact->nds; ++e) {
    int k = t->number[contact->reach[e].slot];
    if (k >= 0) nsds_tree_step_clear(t->step, k);
  }
  for (int e = 0; e < contact->nds; ++e) {
    int k = t->number[contact->reach[e].slot], n = contact->reach[e].size;
    const double *B = load ? load + (ptrdiff_t)j * n : NULL;
    if (k >= 0) nsds_tree_step_push(t->step, k, H, contact->m, B);
    H += (ptrdiff_t)contact->m * n;
    if (load) load += (ptrdiff_t)contact->m * n;
  }
}

/* Computes X and Y of row j by the joints of the tree. Returns the number of unknowns passed. */
static int lift_row(const nsds_plan *plan, const nsds_contact *contact, const nsds_entry *entry,
                    int j) {
  const nsds_plan_tree *t = plan->tree;
  const nsds_tree *tree = t->step->tree;
  int m = contact->m, at = 0;
  double x[nsds_body_nv], y[nsds_body_nv];
  for (int k = tree->nbody; (k = next_on_way(t, contact, k)) >= 0;) {
    nsds_tree_step_pass(t->step, k, x, y);
    int n = tree->body[k].nu;
    for (int i = 0; i < n; ++i) {
      entry->more->X[(ptrdiff_t)at * m + j + (ptrdiff_t)i * m] = x[i];
      entry->Y[(ptrdiff_t)at * m + i + (ptrdiff_t)j * n] = y[i];
    }
    at += n;
  }
  return at;
}

/* Computes X and Y by the systems outside of the tree. */
static void add_outside(const nsds_contact_operator *op, const nsds_contact *contact,
                        const nsds_entry *entry, int at) {
  const nsds_plan *plan = op->plan;
  const nsds_plan_tree *t = plan->tree;
  const double *H = entry->H;
  for (int e = 0; e < contact->nds; ++e) {
    nsds_slot *slot = &plan->slot[contact->reach[e].slot];
    size_t count = (size_t)contact->m * (size_t)contact->reach[e].size;
    if (t->number[contact->reach[e].slot] < 0) {
      double *Y = entry->Y + (ptrdiff_t)at * contact->m;
      memcpy(entry->more->X + (ptrdiff_t)at * contact->m, H, count * sizeof *H);
      contact->ops->load_input(plan, contact, entry, e, Y);
      if (op->own_gain) nsds_gain_apply(slot, &op->gain[contact->reach[e].slot], contact->m, Y);
      else slot->osi->apply(&slot->on, contact->m, Y);
      at += contact->reach[e].size;
    }
    H += count;
  }
}

void nsds_plan_tree_form_y(const nsds_contact_operator *op, const nsds_contact *contact,
                           const nsds_entry *entry) {
  const nsds_plan *plan = op->plan;
  const nsds_plan_tree *t = plan->tree;
  double *load = NULL;
  if (contact->ops->load_input != nsds_load_transpose) {
    double *at = load = t->load;
    for (int e = 0; e < contact->nds; ++e) {
      contact->ops->load_input(plan, contact, entry, e, at);
      at += (ptrdiff_t)contact->m * contact->reach[e].size;
    }
  }
  int inside = 0;
  for (int j = 0; j < contact->m; ++j) {
    push_row(plan, contact, entry, load, j);
    inside = lift_row(plan, contact, entry, j);
  }
  add_outside(op, contact, entry, inside);
}

/* ---- the step -------------------------------------------------------------------------------- */

void nsds_plan_tree_begin(nsds_plan *plan) {
  plan->tree->passes = 0; /* and the program may have given another solver */
  for (const nsds_one_step *o = plan->problem; o; o = o->next)
    if (o->solver) nsds_solver_expect_near(o->solver, true);
  nsds_tree_step_begin(plan->tree->step);
}

void nsds_plan_tree_move(nsds_plan *plan) {
  const nsds_scheme *scheme = plan->scheme;
  double a = scheme->h * scheme->theta, b = scheme->h * (1.0 - scheme->theta);
  nsds_tree_step_move(plan->tree->step, a, b, plan->trial.q, plan->trial.v);
  if (plan->tree->grounded) plan->tree->step->reach = 0.0;
}

/* Returns a matrix of a body, 6 x 6; `room` takes one that is not stored so. */
static const double *matrix_of(const nsds_slot *slot, const int *p, const int *i, const double *x,
                               double *room) {
  int n = slot->nv;
  if (!p) return x;
  nsds_zero_doubles(room, (size_t)n * (size_t)n);
  for (int j = 0; j < n; ++j)
    for (int k = p[j]; k < p[j + 1]; ++k) room[i[k] + j * n] = x[k];
  return room;
}

static const double *iteration_matrix(const nsds_slot *slot, double *room) {
  return matrix_of(slot, slot->pattern.p, slot->pattern.i, slot->W, room);
}

/* Fails for a body that no mass resists; -1: there is none. */
static nsds_status refuse_body(const nsds_plan *plan, int bad) {
  char label[nsds_label_size];
  if (bad < 0) return NSDS_OK;
  return nsds_fail(
      plan->context, NSDS_ERROR_SINGULAR,
      "%s: the joint that leads to it moves almost no mass at t = %.17g, h = %g; valid "
      "are inertias above 1e-14 of the others, and smaller h if forces depend on "
      "positions",
      nsds_ds_label(plan->tree->step->ds[bad], label), plan->scheme->t, plan->scheme->h);
}

/* Factors the matrices of all bodies at the iterate. */
static nsds_status factor_tree(const nsds_plan *plan) {
  nsds_tree_step *step = plan->tree->step;
  double room[nsds_body_nv * nsds_body_nv];
  for (int k = 0; k < step->tree->nbody; ++k) {
    const nsds_slot *slot = &plan->slot[step->ds[k]->index];
    nsds_tree_step_load(step, k, iteration_matrix(slot, room));
  }
  return refuse_body(plan, nsds_tree_step_factor(step));
}

nsds_status nsds_plan_tree_factor_mass(nsds_plan *plan) {
  nsds_tree_step *step = plan->tree->step;
  double room[nsds_body_nv * nsds_body_nv];
  step->reach = 0.0;
  for (int k = 0; k < step->tree->nbody; ++k) {
    const nsds_slot *slot = &plan->slot[step->ds[k]->index];
    const nsds_matrix_shape *mass = &slot->ds->mass;
    nsds_tree_step_load(step, k, matrix_of(slot, mass->p, mass->i, slot->M, room));
  }
  return refuse_body(plan, nsds_tree_step_factor(step));
}

void nsds_plan_tree_displace(nsds_plan *plan, double *way) {
  nsds_tree_step *step = plan->tree->step;
  nsds_tree_step_solve(step, way, step->way);
  for (int k = 0; k < step->tree->nbody; ++k)
    nsds_tree_step_velocity(step, k, way + step->ds[k]->v_offset);
  nsds_tree_step_displace(step, plan->trial.q, plan->trial.v);
}

void nsds_plan_tree_come_back(nsds_plan *plan) {
  nsds_tree_step *step = plan->tree->step;
  for (int k = 0; k < step->tree->nu; ++k) step->way[k] = -step->way[k];
  nsds_tree_step_displace(step, plan->trial.q, plan->trial.v);
}

nsds_status nsds_plan_tree_factor(nsds_plan *plan) {
  nsds_plan_tree *t = plan->tree;
  nsds_tree_step *step = t->step;
  t->kept = nsds_plan_tree_keeps(plan);
  nsds_status status = t->kept ? NSDS_OK : factor_tree(plan);
  if (status) return status;
  ++t->passes;
  for (int k = 0; k < step->tree->nbody; ++k) {
    const nsds_slot *slot = &plan->slot[step->ds[k]->index];
    double *curved = t->curved + nsds_body_nv * k;
    nsds_tree_step_velocity(step, k, curved);
    for (int i = 0; i < nsds_body_nv; ++i) curved[i] = slot->on.u_end[i] - curved[i];
    nsds_tree_step_add(step, k, slot->on.residual);
  }
  nsds_tree_step_free(step, plan->v_free);
  return NSDS_OK;
}

void nsds_plan_tree_add_curved(const nsds_plan *plan, const nsds_contact *contact,
                               const nsds_entry *entry, double *q) {
  const double *H = entry->H;
  const unsigned char *on = entry->more->on;
  for (int e = 0; e < contact->nds; ++e) {
    int k = plan->tree->number[contact->reach[e].slot], n = contact->reach[e].size;
    const double *curved = plan->tree->curved + (ptrdiff_t)nsds_body_nv * k;
    for (int i = 0, row = 0; k >= 0 && i < contact->m; ++i) {
      if (on && !on[i / contact->size]) continue;
      for (int j = 0; j < n; ++j) q[row] += H[i + (ptrdiff_t)j * contact->m] * curved[j];
      ++row;
    }
    H += (ptrdiff_t)contact->m * n;
  }
}

void nsds_plan_tree_apply(nsds_plan *plan) {
  const nsds_plan_tree *t = plan->tree;
  nsds_tree_step *step = t->step;
  double room[nsds_body_nv * nsds_body_nv], v[nsds_body_nv];
  nsds_tree_step_solve(step, plan->trial.v, step->u);
  for (int b = 0; b < step->tree->nbody; ++b) {
    const nsds_slot *slot = &plan->slot[step->ds[b]->index];
    const double *last = plan->v_last + slot->v0, *curved = t->curved + nsds_body_nv * b;
    double *p = plan->trial.p + slot->v0;
    nsds_tree_step_velocity(step, b, v);
    const double *W = iteration_matrix(slot, room);
    double sum[nsds_body_nv];
    for (int i = 0; i < nsds_body_nv; ++i) sum[i] = slot->on.residual[i];
    for (int j = 0; j < nsds_body_nv; ++j) {
      double change = v[j] + curved[j] - last[j];
      for (int i = 0; i < nsds_body_nv; ++i) sum[i] += W[i + nsds_body_nv * j] * change;
    }
    nsds_copy_doubles(p, sum, nsds_body_nv);
  }
}

void nsds_plan_tree_reject(nsds_plan *plan) {
  nsds_plan_tree *t = plan->tree;
  for (int k = 0; t->unshown && k < t->step->tree->nbody; ++k)
    if (t->step->joint[k]) nsds_local_show(t->step->joint[k], plan->memory.work);
  t->unshown = false;
}

double nsds_plan_tree_row_size(const nsds_plan *plan, const nsds_contact *contact,
                               const nsds_entry *entry, int i) {
  const double *H = entry->H + i;
  double room[nsds_body_nv * nsds_body_nv], sum = 0.0;
  for (int e = 0; e < contact->nds; ++e) {
    int n = contact->reach[e].size;
    bool inside = plan->tree->number[contact->reach[e].slot] >= 0;
    const double *W = inside ? iteration_matrix(&plan->slot[contact->reach[e].slot], room) : NULL;
    for (int k = 0; k < n; ++k, H += contact->m)
      if (inside) sum += *H * *H / W[(nsds_body_nv + 1) * k];
  }
  return sum;
}

/* ---- sizes of speeds, for Newton's test ------------------------------------------------------ */

void nsds_plan_tree_add_speeds(const nsds_plan *plan, const nsds_contact *contact,
                               const nsds_entry *entry, double *size) {
  bool mixed = contact->kind == NSDS_RELATION_MIXED;
  double room[nsds_body_nv * nsds_body_nv], weight = mixed ? plan->scheme->h : 1.0;
  const double *H = entry->H, *P = plan->trial.impulse + contact->y0;
  for (int e = 0, row = 0; e < contact->nds; row += contact->reach[e++].size) {
    const nsds_reach *reach = &contact->reach[e];
    bool inside = plan->tree->number[reach->slot] >= 0;
    const double *W = inside ? iteration_matrix(&plan->slot[reach->slot], room) : NULL;
    for (int k = 0; k < reach->size; ++k, H += contact->m) {
      const double *load = mixed ? contact->first->B + row + k : H;
      ptrdiff_t stride = mixed ? contact->nv : 1;
      for (int i = 0; inside && i < contact->m; ++i)
        size[reach->column + k] +=
            fabs(weight * load[i * stride] * P[i] / W[(nsds_body_nv + 1) * k]);
    }
  }
}

/* Raises the speeds of a body to those of another one. */
static void raise_speeds(const double *from, double *to) {
  for (int k = 0; k < nsds_body_nv; ++k)
    for (int j = k / 3 * 3; j < k / 3 * 3 + 3; ++j) nsds_raise(&to[k], from[j]);
}

void nsds_plan_tree_share_speeds(const nsds_plan *plan, double *size) {
  const nsds_tree_step *step = plan->tree->step;
  const nsds_tree *tree = step->tree;
  for (int k = tree->nbody - 1; k >= 0; --k)
    if (tree->body[k].parent >= 0)
      raise_speeds(size + step->ds[k]->v_offset, size + step->ds[tree->body[k].parent]->v_offset);
  for (int k = 0; k < tree->nbody; ++k)
    if (tree->body[k].parent >= 0)
      raise_speeds(size + step->ds[tree->body[k].parent]->v_offset, size + step->ds[k]->v_offset);
}
