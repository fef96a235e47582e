/*
 * Steps of all golden scenes allocate nothing once the scene has been run: neither through the hooks of the context
 * nor behind them. Each scene saves its first state, runs to its end, goes back, and repeats its steps until 1,000 are
 * counted; the same bits need the same memory. So contacts may come and go. The scenes have every driver, scheme, kind
 * of system, relation, law and contact set; allocations_complete.py holds them to that.
 *
 * Not run: scenes that change their model between steps.
 *
 *   kernel_allocations_scenes [NAME...]
 */
#include "acting_arm.h"
#include "golden/golden.h"
#include "interpose.h"
#include "support.h"

#include <nsds/shapes.h>

#include <stdio.h>
#include <string.h>

/* Solvers keep what the step before has left, so that a second run may take other ways than the first. */
enum { enough = 1000, warm = 2 };

golden_contacts golden_found;

/* Scenes in which something behind the hooks allocates. */
static const struct {
  const char *name, *why;
} behind_hooks[] = {
    {"chain_50", "SuiteSparse factors the matrix of other closed contacts anew"},
    {"world_net", "SuiteSparse factors the matrix of other closed contacts anew"},
    {"set_spheres", "SuiteSparse factors the matrix of other closed contacts anew"},
    {"set_spheres_normal", "SuiteSparse factors the matrix of other closed contacts anew"},
    {"adaptive_rod", "SuiteSparse factors the matrix of other modes anew"},
    {"adaptive_rod_sparse", "SuiteSparse factors the matrix of other modes anew"},
    {"ring_of_bars", "steps fail and are repeated in halves; glibc's printf writes the message"},
};

/* ---- scenes that are here alone ---- */

/* A body in space and two in the plane on springs, beside the world and each other, and two masses of one coordinate;
 * over a floor. n: M(q) at the middle of the step. */
static nsds_simulation *on_springs(nsds_model *model, const golden *g) {
  const double J[9] = {[0] = 0.1, [4] = 0.1, [8] = 0.1}, one = 1.0, start[2] = {0.5, 1.0};
  nsds_ds *space =
      nsds_rigid_body(model, &(nsds_rigid_body_def){.mass = 1.0,
                                                    .inertia = J,
                                                    .q0 = (double[]){0.1, 0.2, 1.0, 1, 0, 0, 0},
                                                    .gravity = {0, 0, -9.81}});
  nsds_ds *plane[2], *mass[2];
  for (int k = 0; k < 2; ++k) {
    plane[k] =
        nsds_rigid_body_2d(model, &(nsds_rigid_body_2d_def){.mass = 1.0,
                                                            .inertia = 0.1,
                                                            .q0 = (double[]){k, 1.0 + 0.3 * k, 0.2},
                                                            .gravity = {0, -9.81}});
    mass[k] = nsds_lagrangian_linear(
        model, &(nsds_lagrangian_linear_def){
                   .ndof = 1, .q0 = &start[k], .mass = &one, .fext = (double[]){-9.81}});
  }
  const nsds_spring_def spring[] = {
      {.ds = {space}, .point = {0.1, 0.2, 1.0}, .other = {0, 0, 2}, .stiffness = 50, .damping = 1},
      {.ds = {plane[0], plane[1]},
       .point = {0, 1.1, 0},
       .other = {1, 1.2, 0},
       .stiffness = 80,
       .rest = NSDS_REST_LENGTH,
       .length = 0.9},
      {.ds = {plane[0]}, .point = {0, 1, 0}, .other = {0, 3, 0}, .stiffness = 30, .damping = 0.5},
      {.ds = {mass[0], mass[1]}, .coordinates = true, .stiffness = 100, .damping = 0.1}};
  for (int k = 0; k < 4; ++k) {
    nsds_law *law = nsds_equality(model);
    nsds_relation *relation = nsds_spring(model, &spring[k]);
    nsds_connect(model, relation, law, spring[k].ds[1] ? 2 : 1, (nsds_ds **)spring[k].ds);
  }
  nsds_relation *gap = nsds_lagrangian_linear_relation(
      model, &(nsds_lagrangian_linear_relation_def){.ny = 1, .nq = 1, .H = &one});
  nsds_connect(model, gap, nsds_newton_impact(model, 0.5), 1, mass);
  golden scene = *g;
  if (g->n) scene.def.second_order = nsds_with_gamma_mass(nsds_moreau_jean(0.5, 1.0), 0.5);
  return golden_start(model, &scene);
}

/* A cylinder, a cone, an ellipsoid, a box and a mesh that fall on a box and a height field, and on
 * each other. */
static nsds_simulation *round_on_a_box(nsds_model *model, const golden *g) {
  static const double height[4] = {0, 0.01, 0.01, 0};
  static const double vertex[] = {0, 0, 0, 0.1, 0, 0, 0, 0.1, 0, 0, 0, 0.1, 0.02, 0.02, 0.02};
  static const int face[] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 4, 2, 3, 4, 3, 1, 4};
  const double J[9] = {[0] = 0.005, [4] = 0.005, [8] = 0.005};
  nsds_shape_def shape[] = {
      {.kind = NSDS_BOX, .half = {1.0, 1.0, 0.5}, .position = {0, 0, -0.5}},
      {.kind = NSDS_CYLINDER, .radius = 0.08, .half = {0.1}},
      {.kind = NSDS_CONE, .radius = 0.1, .half = {0.1}, .top_radius = 0.03},
      {.kind = NSDS_ELLIPSOID, .half = {0.12, 0.08, 0.06}},
      {.kind = NSDS_BOX, .half = {0.1, 0.08, 0.06}},
      {.kind = NSDS_MESH, .nvertex = 5, .vertex = vertex, .nface = 6, .face = face},
      {.kind = NSDS_HEIGHT_FIELD, .nx = 2, .ny = 2, .height = height, .half = {1, 1}}};
  for (int k = 0; k < 5; ++k)
    shape[k + 1].ds = nsds_rigid_body(
        model,
        &(nsds_rigid_body_def){.mass = 1.0,
                               .inertia = J,
                               .q0 = (double[]){0.03 * k, 0.02 * k, 0.15 + 0.22 * k, 1, 0, 0, 0},
                               .v0 = (double[]){0.5, 0, 0, 1.0, k, 0.5},
                               .gravity = {0, 0, -9.81}});
  nsds_law *law =
      nsds_newton_impact_friction(model, &(nsds_newton_impact_friction_def){.mu = 0.4, .e_n = 0.2});
  nsds_shapes(model, &(nsds_shapes_def){.law = law, .nshape = 7, .shape = shape});
  return golden_start(model, g);
}

/* Two bodies on a universal joint, with a drive for each of its angles. */
static void add_driven_universal(nsds_model *model) {
  const double J[9] = {0.1, 0, 0, 0, 0.2, 0, 0, 0, 0.3};
  nsds_ds *ds[2];
  for (int k = 0; k < 2; ++k)
    ds[k] = nsds_rigid_body(
        model, &(nsds_rigid_body_def){
                   .mass = 1.0, .inertia = J, .q0 = (double[]){9.0 + 0.2 * k, 0, 0, 1, 0, 0, 0}});
  nsds_joint_def universal = {.kind = NSDS_JOINT_UNIVERSAL,
                              .ds = {ds[0], ds[1]},
                              .point = {9.1, 0, 0},
                              .axis = {0, 1, 0},
                              .other_axis = {0, 0, 1}};
  nsds_connect(model, nsds_joint(model, &universal), nsds_equality(model), 2, ds);
  static const nsds_joint_coordinate_kind angle[] = {NSDS_COORDINATE_FIRST, NSDS_COORDINATE_SECOND};
  for (int k = 0; k < 2; ++k) {
    nsds_joint_drive_def drive = {.coordinate = {.kind = angle[k],
                                                 .ds = {ds[0], ds[1]},
                                                 .point = {9.1, 0, 0},
                                                 .axis = {0, 1, 0},
                                                 .other_axis = {0, 0, 1}},
                                  .stiffness = 5.0,
                                  .damping = 0.2,
                                  .target = 0.4 - k};
    nsds_connect(model, nsds_joint_drive(model, &drive), nsds_equality(model), 2, ds);
  }
}

static nsds_simulation *on_driven_joints(nsds_model *model, const golden *g) {
  acting_arm a = acting_make(model);
  nsds_joint_drive_def twist = {.coordinate = {.kind = NSDS_COORDINATE_TWIST,
                                               .ds = {a.body[2], a.body[1]},
                                               .point = {1.0},
                                               .axis = {1}},
                                .damping = 0.1,
                                .target = 0.5,
                                .stiffness = 1.0};
  nsds_connect(model, nsds_joint_drive(model, &twist), nsds_equality(model), 2,
               twist.coordinate.ds);
  add_driven_universal(model);
  const double mass = 0.1;
  nsds_ds *follower =
      nsds_lagrangian_linear(model, &(nsds_lagrangian_linear_def){.ndof = 1, .mass = &mass});
  nsds_joint_term term[2] = {
      {.coordinate = {.kind = NSDS_COORDINATE_OF_SYSTEM, .ds = {follower}}, .weight = 2.0},
      {.coordinate = {.kind = NSDS_COORDINATE_OF_SYSTEM, .ds = {a.shoulder.rotor}},
       .weight = -1.0}};
  nsds_joint_couple(model, &(nsds_joint_couple_def){.nterm = 2, .term = term});
  return golden_start(model, g);
}

static const golden own[] = {
    {.name = "joints that act", .steps = 400, .make = on_driven_joints, .def = {.h = 2e-3}},
    {.name = "springs", .steps = 400, .make = on_springs, .def = {.h = 1e-3}},
    {.name = "round shapes", .steps = 300, .make = round_on_a_box, .def = {.h = 2e-3}},
    {.name = "springs, mass at gamma",
     .steps = 400,
     .make = on_springs,
     .n = 1,
     .def = {.h = 1e-3}},
};
enum { own_count = sizeof own / sizeof *own };

static const golden *scene_at(int k) { return k < own_count ? &own[k] : golden_at(k - own_count); }

/* ---- counting ---- */

typedef struct tally {
  long hooks, behind; /* allocations of the steps that are counted */
  long steps;         /* so many */
  long first;         /* the first that has allocated; -1: none */
} tally;

static nsds_status take_step(nsds_simulation *simulation, long k, const meter *m, bool counted,
                             tally *t) {
  long before = m->calls;
  arm();
  nsds_status status = nsds_step(simulation);
  long behind = disarm(), hooks = m->calls - before;
  if (!counted) return status;
  ++t->steps;
  t->hooks += hooks;
  t->behind += behind;
  if ((hooks || behind) && t->first < 0) t->first = k;
  return status;
}

/* All steps of the scene, from its first state on. The first step after a return may compile the plan anew. */
static nsds_status pass(const golden *scene, nsds_simulation *simulation, const meter *m,
                        bool counted, tally *t) {
  nsds_status status = NSDS_OK;
  for (long k = 0; k < scene->steps && status == NSDS_OK && (!counted || t->steps < enough); ++k)
    status = take_step(simulation, k, m, counted && k > 0, t);
  return status;
}

static nsds_status passes(const golden *scene, nsds_simulation *simulation, const meter *m,
                          tally *t) {
  nsds_status status = nsds_simulation_save(simulation);
  for (int k = 0; status == NSDS_OK && t->steps < enough; ++k) {
    if (k > 0) status = nsds_simulation_restore(simulation);
    if (status == NSDS_OK) status = pass(scene, simulation, m, k >= warm, t);
  }
  return status;
}

static bool may_behind(const golden *scene) {
  for (size_t k = 0; k < sizeof behind_hooks / sizeof *behind_hooks; ++k)
    if (strcmp(scene->name, behind_hooks[k].name) == 0) return true;
  return false;
}

static bool scene_allocates_nothing(const golden *scene) {
  meter m = {0};
  tally t = {.first = -1};
  golden_found = (golden_contacts){NULL, 0};
  nsds_context *context = meter_context(&m);
  nsds_model *model = nsds_model_create(context);
  nsds_simulation *simulation = scene->make(model, scene);
  nsds_status status =
      simulation ? passes(scene, simulation, &m, &t) : nsds_error(nsds_model_context(model));
  bool fine = simulation && status == NSDS_OK && t.hooks == 0;
  if (t.behind > 0 && !may_behind(scene)) fine = false;
  if (!fine)
    printf("%s: %ld allocations through the hooks, %ld in all in %ld steps, first in step %ld; "
           "%s\n",
           scene->name, t.hooks, t.behind, t.steps, t.first, nsds_error_message(context));
  if (scene->done) scene->done();
  nsds_model_destroy(model);
  nsds_context_destroy(context);
  if (m.live) printf("%s: %ld pieces are left\n", scene->name, m.live);
  return fine && m.live == 0;
}

static bool is_wanted(const golden *scene, int count, char **names) {
  if (scene->before) return false;
  for (int i = 0; i < count; ++i)
    if (strcmp(names[i], scene->name) == 0) return true;
  return count == 0;
}

int main(int argc, char **argv) {
  const golden *scene;
  int wrong = 0, count = 0;
  for (int k = 0; (scene = scene_at(k)) != NULL; ++k) {
    if (!is_wanted(scene, argc - 1, argv + 1)) continue;
    ++count;
    wrong += !scene_allocates_nothing(scene);
  }
  printf("%d scenes, %d of them allocate\n", count, wrong);
  return wrong || count == 0;
}
