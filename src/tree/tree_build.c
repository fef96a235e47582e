/*
 * Makes a tree. A search in breadth follows joints, from the world and then from the first body that
 * was not reached, which is free. A joint becomes a chain of links from its second body to
 * its first, or backwards where the second body is the child:
 *
 *     HINGE        turn a                 UNIVERSAL  turn b, turn a
 *     PRISMATIC    slide a                PLANAR     slide b, slide c, turn a
 *     CYLINDRICAL  slide a, turn a        BALL       ball
 *     free         slides along the axes of the world, ball
 *
 * with the axes a, b, c of the joint's frame, see joint.c.
 */
#include "tree/tree_build.h"

#include "base/context.h"
#include "kernel/modeling/busy.h"
#include "kernel/modeling/check.h"
#include "kernel/modeling/handle.h"
#include "kernel/modeling/joint_data.h"
#include "kernel/modeling/joint_coupler.h"
#include "kernel/modeling/modeling.h"
#include "kernel/modeling/rigid_body.h"

/* ---- kinds ----------------------------------------------------------------------------------- */

typedef struct chain_step {
  nsds_tree_kind kind;
  int axis, coordinate;
} chain_step;

enum { longest_chain = 4, free_kind = 0 };

static const struct {
  int count, nq, nu;
  chain_step step[longest_chain];
} chains[NSDS_JOINT_PLANAR + 1] = {
    [free_kind] = {4,
                   7,
                   6,
                   {{NSDS_TREE_SLIDE, 0, 0},
                    {NSDS_TREE_SLIDE, 1, 1},
                    {NSDS_TREE_SLIDE, 2, 2},
                    {NSDS_TREE_BALL, 0, 3}}},
    [NSDS_JOINT_BALL] = {1, 4, 3, {{NSDS_TREE_BALL, 0, 0}}},
    [NSDS_JOINT_HINGE] = {1, 1, 1, {{NSDS_TREE_TURN, 0, 0}}},
    [NSDS_JOINT_PRISMATIC] = {1, 1, 1, {{NSDS_TREE_SLIDE, 0, 0}}},
    [NSDS_JOINT_CYLINDRICAL] = {2, 2, 2, {{NSDS_TREE_SLIDE, 0, 1}, {NSDS_TREE_TURN, 0, 0}}},
    [NSDS_JOINT_FIXED] = {1, 0, 0, {{NSDS_TREE_FIXED, 0, 0}}},
    [NSDS_JOINT_UNIVERSAL] = {2, 2, 2, {{NSDS_TREE_TURN, 1, 1}, {NSDS_TREE_TURN, 0, 0}}},
    [NSDS_JOINT_PLANAR] =
        {3, 3, 3, {{NSDS_TREE_SLIDE, 1, 0}, {NSDS_TREE_SLIDE, 2, 1}, {NSDS_TREE_TURN, 0, 2}}},
};

/* Returns the joint of an interaction that may be in a tree; NULL: another interaction. */
static const nsds_joint_data *joint_in_space(const nsds_interaction *ia) {
  const nsds_joint_data *s = ia->relation->joint;
  bool held = s && ia->law->set == NSDS_SET_EQUALITY && !s->plane && s->D == 0.0;
  return held && (int)s->kind <= NSDS_JOINT_PLANAR && chains[s->kind].count > 0 ? s : NULL;
}

bool nsds_tree_may_join(const nsds_interaction *ia) { return joint_in_space(ia) != NULL; }

/* ---- places ---------------------------------------------------------------------------------- */

static const double upright[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};

/* Computes C = A B^T of matrices stored by columns. */
static void turn_between(const double *A, const double *B, double *C) {
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < 3; ++i)
      C[i + 3 * j] = A[i] * B[j] + A[i + 3] * B[j + 3] + A[i + 6] * B[j + 6];
}

/* Gives a chain its frame in the parent and that of the body behind it. */
static void place_chain(nsds_tree_link *first, nsds_tree_link *last, const nsds_joint_data *s,
                        int child) {
  const double *axes = s->axes[child], *point = s->point[child];
  memcpy(first->at, s->point[1 - child], sizeof first->at);
  if (s->kind == NSDS_JOINT_BALL) {
    turn_between(s->axes[1 - child], axes, first->frame);
    for (int k = 0; k < 3; ++k) last->move[k] = -point[k];
    return;
  }
  memcpy(first->frame, s->axes[1 - child], sizeof first->frame);
  turn_between(upright, axes, last->turn);
  for (int k = 0; k < 3; ++k) last->move[k] = -nsds_dot(axes + 3 * k, point);
}

/* ---- building -------------------------------------------------------------------------------- */

typedef struct tree_builder {
  nsds_model *model;
  nsds_tree *tree;
  int *number;   /* of each system: its body in the tree, -1: none yet, -2: no body in space */
  bool *entered; /* interactions that are joints of the tree */
} tree_builder;

/* Adds a body with the joint that leads to it. `child` is its place in the joint. */
static void add_body(tree_builder *b, nsds_ds *ds, nsds_interaction *ia, int parent, int child) {
  nsds_tree *tree = b->tree;
  const nsds_joint_data *s = ia ? ia->relation->joint : NULL;
  int kind = s ? (int)s->kind : free_kind, count = chains[kind].count, first = tree->nlink;
  for (int k = 0; k < count; ++k) {
    const chain_step *step = &chains[kind].step[s && child ? count - 1 - k : k];
    nsds_tree_link *link = &tree->link[tree->nlink++];
    *link = (nsds_tree_link){.kind = step->kind,
                             .parent = k > 0         ? tree->nlink - 2
                                       : parent >= 0 ? tree->last[parent]
                                                     : -1,
                             .axis = step->axis,
                             .q = tree->nq + step->coordinate,
                             .u = tree->nu + step->coordinate,
                             .sign = s && child ? -1.0 : 1.0,
                             .start = s ? s->shown : 0.0,
                             .plain = !s};
    memcpy(link->frame, upright, sizeof upright);
    memcpy(link->turn, upright, sizeof upright);
  }
  nsds_tree_link *last = &tree->link[tree->nlink - 1];
  if (s) place_chain(&tree->link[first], last, s, child);
  nsds_rigid_body_read(ds, &last->mass, last->inertia, last->gravity);
  b->number[ds->index] = tree->nbody;
  tree->last[tree->nbody] = tree->nlink - 1;
  tree->body[tree->nbody++] = (nsds_tree_body){.ds = nsds_ds_handle(ds),
                                               .parent = parent,
                                               .joint = ia ? nsds_place_handle(ia) : NULL,
                                               .kind = (nsds_joint_kind)kind,
                                               .q = tree->nq,
                                               .nq = chains[kind].nq,
                                               .u = tree->nu,
                                               .nu = chains[kind].nu};
  tree->nq += chains[kind].nq;
  tree->nu += chains[kind].nu;
  if (ia) b->entered[ia->index] = true;
}

/* Adds the bodies that joints connect with a body of the tree; parent -1: with the world. */
static void add_children(tree_builder *b, int parent) {
  for (size_t k = 0; k < b->model->interaction.count; ++k) {
    nsds_interaction *ia = b->model->interaction.item[k];
    const nsds_joint_data *s = joint_in_space(ia);
    if (!s || b->entered[k]) continue;
    int number[2] = {b->number[ia->ds[0]->index], ia->nds > 1 ? b->number[ia->ds[1]->index] : -3};
    if (parent < 0 && ia->nds == 1 && number[0] == -1) add_body(b, ia->ds[0], ia, -1, 0);
    for (int child = 0; parent >= 0 && ia->nds == 2 && child < 2; ++child)
      if (number[child] == -1 && number[1 - child] == parent) {
        add_body(b, ia->ds[child], ia, parent, child);
        break;
      }
  }
}

static void add_all(tree_builder *b) {
  int done = 0;
  add_children(b, -1);
  for (size_t k = 0; k <= b->model->ds.count; ++k) {
    while (done < b->tree->nbody) add_children(b, done++);
    if (k == b->model->ds.count) break;
    nsds_ds *ds = b->model->ds.item[k];
    if (b->number[ds->index] == -1) add_body(b, ds, NULL, -1, 0);
  }
}

/* ---- armatures ------------------------------------------------------------------------------- */

/* Returns the link that moves along a coordinate of the bodies of a joint; NULL: none. */
static nsds_tree_link *link_along(nsds_tree *tree, const nsds_joint_data *c, nsds_ds *const *ds,
                                  double *along) {
  bool turns = (int)c->kind == nsds_joint_angle_row;
  nsds_tree_kind kind = turns ? NSDS_TREE_TURN : NSDS_TREE_SLIDE;
  if (!turns && (int)c->kind != nsds_joint_displacement_row) return NULL;
  for (int k = 0; k < tree->nbody; ++k) {
    const nsds_tree_body *body = &tree->body[k];
    const nsds_interaction *ia =
        body->joint ? nsds_interaction_find(body->joint, "nsds_tree_create") : NULL;
    if (!ia || ia->ds[0] != ds[0] || ia->nds != (c->pair ? 2 : 1)) continue;
    if (c->pair && ia->ds[1] != ds[1]) continue;
    *along = nsds_dot(ia->relation->joint->axes[0], c->axes[0]);
    for (int i = tree->last[k]; i >= 0 && tree->link[i].u >= body->u; --i) {
      nsds_tree_link *link = &tree->link[i];
      if (fabs(*along) > 1.0 - 1e-9 && link->kind == kind && link->axis == 0) return link;
    }
  }
  return NULL;
}

/* A rotor is a system of one coordinate that a coupler alone ties to a coordinate of a joint. Notes
 * the rotor, and adds its inertia; returns false for other interactions. */
static bool take_armature(nsds_tree *tree, const nsds_interaction *ia) {
  const nsds_coupler *s = nsds_joint_coupler_of(ia);
  if (!s || s->nterm != 2 || s->term[0].of_system || !s->term[1].of_system) return false;
  const nsds_coupled *c = &s->term[0];
  const nsds_ds *rotor = s->ds[s->term[1].system[0]];
  nsds_ds *const ds[2] = {s->ds[c->system[0]], s->ds[c->system[c->joint.pair]]};
  double along, J = 0.0;
  nsds_tree_link *link = link_along(tree, &c->joint, ds, &along);
  if (!link || rotor->nv != 1 || rotor->users != 1 || !rotor->mass.constant) return false;
  const nsds_state *now = &rotor->model->state;
  nsds_arguments in = nsds_ds_in(rotor, now->t, now->q + rotor->q_offset, now->v + rotor->v_offset);
  if (rotor->ops->mass(rotor->self, &in, &J)) return false;
  double ratio = -c->weight / s->term[1].weight * c->joint.sign * (along > 0.0 ? 1.0 : -1.0);
  link->armature += J * ratio * ratio;
  tree->rotor[tree->nrotor++] =
      (nsds_tree_rotor){nsds_ds_handle(rotor), (int)(link - tree->link), ratio};
  return true;
}

/* Notes equalities of bodies of the tree that are neither its joints nor armatures. */
static void note_left(tree_builder *b) {
  nsds_tree *tree = b->tree;
  for (size_t k = 0; k < b->model->interaction.count; ++k) {
    nsds_interaction *ia = b->model->interaction.item[k];
    bool ours = false;
    for (int i = 0; i < ia->nds; ++i) ours = ours || b->number[ia->ds[i]->index] >= 0;
    if (!ours || b->entered[k] || ia->law->set != NSDS_SET_EQUALITY ||
        !nsds_has_gap(ia->relation->kind) || take_armature(tree, ia))
      continue;
    tree->left[tree->nleft++] = nsds_place_handle(ia);
  }
}

/* ---- the calls ------------------------------------------------------------------------------- */

/* Leaves out bodies without joints, and those whose steps are not made by the scheme of all systems. */
static void leave_out_single(tree_builder *b) {
  for (size_t k = 0; k < b->model->ds.count; ++k)
    if (b->number[k] == -1) b->number[k] = -2;
  for (size_t k = 0; k < b->model->interaction.count; ++k) {
    const nsds_interaction *ia = b->model->interaction.item[k];
    for (int e = 0; joint_in_space(ia) && e < ia->nds; ++e) {
      const nsds_ds *ds = ia->ds[e];
      bool own =
          ds->own.integrator || ds->own.step_ratio > 1 || ds->own.scheme.kind != NSDS_SCHEME_UNSAID;
      if (!own && ds->prescribed.n == 0) b->number[ds->index] = -1;
    }
  }
}

static bool tree_fill(tree_builder *b, int bodies, bool jointed) {
  nsds_tree *tree = b->tree;
  nsds_context *context = tree->context;
  size_t n = (size_t)bodies, links = n * longest_chain, edges = b->model->interaction.count + 1;
  b->number = NSDS_NEW_ARRAY(context, int, b->model->ds.count);
  b->entered = NSDS_NEW_ARRAY(context, bool, edges);
  tree->link = NSDS_NEW_ARRAY(context, nsds_tree_link, links);
  tree->at = NSDS_NEW_ARRAY(context, nsds_tree_motion, links);
  tree->body = NSDS_NEW_ARRAY(context, nsds_tree_body, n);
  tree->last = NSDS_NEW_ARRAY(context, int, n);
  tree->left = NSDS_NEW_ARRAY(context, nsds_interaction *, edges);
  tree->rotor = NSDS_NEW_ARRAY(context, nsds_tree_rotor, edges);
  tree->zero = NSDS_NEW_ARRAY(context, double, 6 * n);
  tree->work = NSDS_NEW_ARRAY(context, double, 26 * n);
  if (!b->number || !b->entered || !tree->link || !tree->at || !tree->body || !tree->last ||
      !tree->left || !tree->rotor || !tree->zero || !tree->work)
    return false;
  for (size_t k = 0; k < b->model->ds.count; ++k) {
    double mass, inertia[9], gravity[3];
    bool solid = nsds_rigid_body_read(b->model->ds.item[k], &mass, inertia, gravity);
    b->number[k] = solid ? -1 : -2;
  }
  if (jointed) leave_out_single(b);
  add_all(b);
  note_left(b);
  return true;
}

nsds_tree *nsds_tree_make(nsds_model *model, bool jointed) {
  int bodies = 0;
  for (size_t k = 0; k < model->ds.count; ++k) {
    double mass, inertia[9], gravity[3];
    bodies += nsds_rigid_body_read(model->ds.item[k], &mass, inertia, gravity);
  }
  int most = 2 * (int)model->interaction.count; /* bodies with joints */
  if (jointed && bodies > most) bodies = most;
  tree_builder b = {.model = model, .tree = NSDS_NEW(model->context, nsds_tree)};
  if (!b.tree) return NULL;
  b.tree->context = model->context;
  bool made = tree_fill(&b, bodies > 0 ? bodies : 1, jointed);
  nsds_release(model->context, b.number);
  nsds_release(model->context, b.entered);
  if (made) return b.tree;
  nsds_tree_destroy(b.tree);
  return NULL;
}

nsds_tree *nsds_tree_create(nsds_model *model) {
  const char *call = "nsds_tree_create";
  if (!model) {
    nsds_fail_null(NULL, call, "model");
    return NULL;
  }
  if (nsds_check_idle(model, call)) return NULL;
  bool any = false;
  for (size_t k = 0; k < model->ds.count; ++k) {
    double mass, inertia[9], gravity[3];
    any = any || nsds_rigid_body_read(model->ds.item[k], &mass, inertia, gravity);
  }
  if (any) return nsds_tree_make(model, false);
  nsds_fail(model->context, NSDS_ERROR_ARGUMENT,
            "%s: the model has no body in space; a tree needs bodies of nsds_rigid_body()", call);
  return NULL;
}

void nsds_tree_destroy(nsds_tree *tree) {
  if (!tree) return;
  void *parts[] = {tree->link,  tree->at,   tree->body, tree->last, tree->left,
                   tree->rotor, tree->zero, tree->work, tree};
  nsds_context *context = tree->context;
  for (size_t k = 0; k < sizeof parts / sizeof *parts; ++k) nsds_release(context, parts[k]);
}

int nsds_tree_size(const nsds_tree *tree) { return tree ? tree->nbody : 0; }

int nsds_tree_nq(const nsds_tree *tree) { return tree ? tree->nq : 0; }

int nsds_tree_nu(const nsds_tree *tree) { return tree ? tree->nu : 0; }

nsds_status nsds_tree_at(const nsds_tree *tree, int k, nsds_tree_body *body) {
  const char *call = "nsds_tree_at";
  if (!tree || !body) return nsds_fail_null(NULL, call, tree ? "body" : "tree");
  if (!nsds_check_range(tree->context, call, "k", k, 0, tree->nbody - 1)) return NSDS_ERROR_VALUE;
  *body = tree->body[k];
  return NSDS_OK;
}

nsds_interaction *nsds_tree_left(const nsds_tree *tree, int k) {
  return tree && k >= 0 && k < tree->nleft ? tree->left[k] : NULL;
}
