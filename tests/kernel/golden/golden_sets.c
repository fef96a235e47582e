/*
 * Small scenes of contact sets in time stepping: all bundled sets, floors of many pieces, shapes that
 * come and go, contacts beside interactions, and ways of leading bodies out of overlap.
 */
#include "blocks.h"
#include "golden.h"
#include "grains.h"
#include "static_schemes.h"

static const double weight = 9.81;

static nsds_ds *body(nsds_model *model, const double *x, const double *v, double inertia) {
  const double J[9] = {[0] = inertia, [4] = inertia, [8] = 1.5 * inertia};
  return nsds_rigid_body(model,
                         &(nsds_rigid_body_def){.mass = 1.0,
                                                .inertia = J,
                                                .q0 = (double[]){x[0], x[1], x[2], 1, 0, 0, 0},
                                                .v0 = v,
                                                .gravity = {0, 0, -weight}});
}

static nsds_law *rough(nsds_model *model, double mu, double e) {
  return nsds_newton_impact_friction(model, &(nsds_newton_impact_friction_def){.mu = mu, .e_n = e});
}

static nsds_simulation *shapes(nsds_model *model, const golden *g, nsds_law *law, int count,
                               const nsds_shape_def *shape) {
  golden_found = (golden_contacts){
      nsds_shapes(model, &(nsds_shapes_def){.law = law, .nshape = count, .shape = shape}), 3};
  return golden_start(model, g);
}

/* Boxes side by side, their tops at z = 0. */
static void lay_floor(int pieces, nsds_shape_def *shape) {
  for (int k = 0; k < pieces * pieces; ++k)
    shape[k] =
        (nsds_shape_def){.kind = NSDS_BOX,
                         .position = {0.5 * (k % pieces) - 0.75, 0.5 * (k / pieces) - 0.75, -0.25},
                         .half = {0.25, 0.25, 0.25}};
}

/* ---- what stands, rolls and slides on flush scenery ---- */

enum { tiles = 4, floor_shapes = tiles * tiles };

/* n balls above a floor of boxes, which do not fall on each other's centres */
static nsds_simulation *balls_on_boxes(nsds_model *model, const golden *g) {
  nsds_shape_def shape[floor_shapes + 16];
  lay_floor(tiles, shape);
  for (int k = 0; k < g->n; ++k) {
    const double x[] = {0.23 * (k % 3) - 0.2 + 0.03 * (k / 3), 0.27 * (k / 3 % 2) - 0.15,
                        0.11 + 0.22 * (k / 6)};
    shape[floor_shapes + k] =
        (nsds_shape_def){.kind = NSDS_SPHERE,
                         .ds = body(model, x, (double[]){0.4, 0.1 * k, 0, 0, 3.0, k}, 0.004),
                         .radius = 0.1};
  }
  return shapes(model, g, rough(model, 0.4, 0.3), floor_shapes + g->n, shape);
}

/* a box, n = 0, or a capsule that slides over the joints of the floor */
static nsds_simulation *slider_on_boxes(nsds_model *model, const golden *g) {
  nsds_shape_def shape[floor_shapes + 1];
  lay_floor(tiles, shape);
  nsds_ds *ds = body(model, (double[]){-0.6, 0.03, 0.05}, (double[]){2.0, 0.3, 0, 0, 0, 1}, 0.004);
  shape[floor_shapes] = (nsds_shape_def){.kind = g->n ? NSDS_CAPSULE : NSDS_BOX,
                                         .ds = ds,
                                         .radius = g->n ? 0.05 : 0.0,
                                         .half = {0.15, 0.1, 0.05}};
  return shapes(model, g, rough(model, g->p[0], 0.0), floor_shapes + 1, shape);
}

/* A sheet of triangles with a hollow; a ball, a box and a hull fall into it. */
static nsds_simulation *on_a_mesh(nsds_model *model, const golden *g) {
  enum { n = 6 };
  static double vertex[3 * n * n];
  static int face[6 * (n - 1) * (n - 1)];
  const double hull[] = {0.1, 0, -0.05, -0.1, 0.1, -0.05, -0.1, -0.1, -0.05, 0, 0, 0.12};
  for (int k = 0; k < n * n; ++k) {
    double x = 0.4 * (k % n) - 1.0, y = 0.4 * (k / n) - 1.0;
    vertex[3 * k] = x;
    vertex[3 * k + 1] = y;
    vertex[3 * k + 2] = 0.3 * (x * x + y * y);
  }
  for (int c = 0; c < (n - 1) * (n - 1); ++c) {
    int a = c % (n - 1) + n * (c / (n - 1));
    const int two[] = {a, a + 1, a + n + 1, a, a + n + 1, a + n};
    for (int k = 0; k < 6; ++k) face[6 * c + k] = two[k];
  }
  nsds_shape_def shape[4] = {{.kind = NSDS_TRIANGLES,
                              .nvertex = n * n,
                              .vertex = vertex,
                              .nface = 2 * (n - 1) * (n - 1),
                              .face = face},
                             {.kind = NSDS_SPHERE, .radius = 0.1},
                             {.kind = NSDS_BOX, .half = {0.1, 0.08, 0.06}},
                             {.kind = NSDS_HULL, .nvertex = 4, .vertex = hull}};
  for (int k = 0; k < 3; ++k)
    shape[k + 1].ds = body(model, (double[]){0.4 * k - 0.5, 0.3 - 0.2 * k, 0.4},
                           (double[]){0, 0, 0, 1.0, k, 0}, 0.005);
  return shapes(model, g, rough(model, 0.5, 0.2), 4, shape);
}

/* ---- piles of spheres and balls ---- */

static const nsds_plane pit[] = {{{0, 0, 1}, 0},
                                 {{1, 0, 0}, -0.35},
                                 {{-1, 0, 0}, -0.35},
                                 {{0, 1, 0}, -0.35},
                                 {{0, -1, 0}, -0.35}};

/* n: rows of the law, 1, 3 or 5; p[0] = 1: radii that differ */
static nsds_simulation *spheres_in_a_pit(nsds_model *model, const golden *g) {
  enum { most = 18 };
  nsds_ds *ds[most];
  double radii[most];
  int count = g->n == 5 ? 8 : most;
  for (int k = 0; k < count; ++k) {
    radii[k] = g->p[0] ? 0.08 + 0.02 * (k % 3) : 0.1;
    const double x[] = {0.24 * (k % 3) - 0.24 + 0.01 * (k % 2), 0.24 * (k / 3 % 3) - 0.24,
                        0.12 + 0.23 * (k / 9)};
    ds[k] = body(model, x, (double[]){0.1 * (k % 5), 0, 0, 0, 0, 0}, 0.004);
  }
  nsds_law *law =
      g->n == 1 ? nsds_newton_impact(model, 0.4)
      : g->n == 3
          ? rough(model, 0.5, 0.0)
          : nsds_newton_impact_rolling(model, &(nsds_newton_impact_rolling_def){
                                                  .mu = 0.4, .mu_rolling = 0.002, .e_n = 0.2});
  golden_found.rows = g->n;
  golden_found.set = nsds_spheres(
      model, &(nsds_spheres_def){
                 .law = law, .count = count, .ds = ds, .radii = radii, .nplane = 5, .plane = pit});
  return golden_start(model, g);
}

/* Balls that are linear systems of two coordinates, over a tilted half space. */
static nsds_simulation *balls_on_a_slope(nsds_model *model, const golden *g) {
  enum { count = 12 };
  nsds_ds *ds[count];
  for (int k = 0; k < count; ++k)
    ds[k] = nsds_lagrangian_linear(
        model, &(nsds_lagrangian_linear_def){
                   .ndof = 2,
                   .q0 = (double[]){0.25 * (k % 4), 0.6 + 0.24 * (k / 4) - 0.19 * (k % 4)},
                   .v0 = (double[]){0.2, -0.1 * (k % 3)},
                   .mass = (double[]){1, 0, 0, 1},
                   .fext = (double[]){0, -weight}});
  golden_found.rows = 1;
  golden_found.set = nsds_balls(model, &(nsds_balls_def){.law = nsds_newton_impact(model, 0.5),
                                                         .count = count,
                                                         .ds = ds,
                                                         .dimension = 2,
                                                         .radius = 0.1,
                                                         .normal = (double[]){0.6, 0.8},
                                                         .pairs = true});
  return golden_start(model, g);
}

/* Discs and boxes of three materials in the plane. */
static nsds_simulation *in_the_plane(nsds_model *model, const golden *g) {
  enum { count = 9 };
  const nsds_material material[] = {{.mu = 0.6}, {.mu = 0.3, .e_n = 0.4}, {.mu = 0.05}};
  nsds_shape_def shape[count + 2] = {
      {.kind = NSDS_HALF_SPACE, .plane = {{0, 1, 0}, 0}},
      {.kind = NSDS_BOX, .position = {0.9, 0.2}, .half = {0.1, 0.2}, .material = 2}};
  for (int k = 0; k < count; ++k) {
    nsds_ds *ds = nsds_rigid_body_2d(
        model, &(nsds_rigid_body_2d_def){
                   .mass = 1.0,
                   .inertia = 0.01,
                   .q0 = (double[]){0.22 * (k % 3) + 0.01 * k, 0.12 + 0.23 * (k / 3), 0.2 * k},
                   .v0 = (double[]){1.0, 0, k},
                   .gravity = {0, -weight}});
    shape[k + 2] = (nsds_shape_def){.kind = k % 2 ? NSDS_BOX : NSDS_SPHERE,
                                    .ds = ds,
                                    .radius = k % 2 ? 0.0 : 0.1,
                                    .half = {0.08, 0.06},
                                    .material = k % 3};
  }
  golden_found.rows = g->n ? 3 : 2;
  golden_found.set = nsds_shapes(model, &(nsds_shapes_def){.dimension = 2,
                                                           .nmaterial = 3,
                                                           .material = material,
                                                           .rolling = g->n,
                                                           .nshape = count + 2,
                                                           .shape = shape});
  return golden_start(model, g);
}

/* ---- stacks, dominoes, a drum ---- */

static blocks built;

static nsds_simulation *stack(nsds_model *model, const golden *g) {
  blocks_open(&built, model, 1, &(nsds_material){.mu = 0.5});
  if (g->n) blocks_dominoes(&built, g->n, 0.02, 0.1);
  else blocks_stack(&built, 5, 0.05);
  golden_found = (golden_contacts){built.contacts, 3};
  return golden_start(model, g);
}

static drum_scene drum;

static nsds_simulation *turning_drum(nsds_model *model, const golden *g) {
  scene_drum(model, &drum, g->n);
  golden_found = (golden_contacts){drum.contacts, 3};
  return golden_start(model, g);
}

/* ---- contacts that come and go by the program, and beside interactions ---- */

static nsds_simulation *changing_shapes(nsds_model *model, const golden *g) {
  nsds_shape_def shape[floor_shapes + 3];
  lay_floor(tiles, shape);
  for (int k = 0; k < 3; ++k) {
    nsds_ds *ds = body(model, (double[]){0.4 * k - 0.4, 0.1, 0.15}, NULL, 0.004);
    shape[floor_shapes + k] = (nsds_shape_def){.kind = NSDS_BOX, .ds = ds, .half = {0.1, 0.1, 0.1}};
  }
  return shapes(model, g, rough(model, 0.3, 0.1), floor_shapes + 3, shape);
}

/* A plate comes under a box; a box loses its shape; two bodies are excluded, and meet again. */
static nsds_status change_shapes(nsds_model *model, nsds_simulation *simulation, long step) {
  (void)simulation;
  const nsds_shape_def plate = {
      .kind = NSDS_BOX, .position = {0.4, 0.1, -0.02}, .half = {0.3, 0.3, 0.05}};
  nsds_ds *ds[3] = {nsds_ds_at(model, 0), nsds_ds_at(model, 1), nsds_ds_at(model, 2)};
  switch (step) {
  case 40: return nsds_set_state(ds[0], NULL, (double[]){2.0, 0, 0, 0, 0, 0});
  case 60: return nsds_shapes_exclude(golden_found.set, ds[0], ds[1]);
  case 90:
    return nsds_shapes_add(golden_found.set, &plate) < 0 ? nsds_error(nsds_model_context(model))
                                                         : NSDS_OK;
  case 130: return nsds_shapes_include(golden_found.set, ds[0], ds[1]);
  case 150: return nsds_shapes_remove(golden_found.set, floor_shapes + 1);
  default: return NSDS_OK;
  }
}

/* A chain of capsules on ball joints, hung from the world, falls beside and onto a block. */
static nsds_simulation *jointed(nsds_model *model, const golden *g) {
  enum { links = 4 };
  nsds_shape_def shape[links + 3] = {
      {.kind = NSDS_HALF_SPACE, .plane = {{0, 0, 1}, 0}},
      {.kind = NSDS_BOX, .position = {0.5, 0, 0.2}, .half = {0.1, 0.3, 0.2}}};
  nsds_ds *ds[links];
  for (int k = 0; k < links; ++k) {
    ds[k] = body(model, (double[]){0.2 * k + 0.1, 0, 0.6}, NULL, 0.003);
    shape[k + 2] = (nsds_shape_def){
        .kind = NSDS_CAPSULE, .ds = ds[k], .radius = 0.03, .half = {0.06}, .group = 1};
    nsds_joint_def joint = {.kind = NSDS_JOINT_BALL, .ds = {ds[k]}, .point = {0.2 * k, 0, 0.6}};
    if (k) joint.ds[1] = ds[k - 1];
    nsds_connect(model, nsds_joint(model, &joint), nsds_equality(model), k ? 2 : 1, joint.ds);
  }
  shape[links + 2] = (nsds_shape_def){.kind = NSDS_BOX,
                                      .ds = body(model, (double[]){0.5, 0.05, 0.46}, NULL, 0.01),
                                      .half = {0.08, 0.08, 0.06}};
  return shapes(model, g, rough(model, 0.4, 0.0), links + 3, shape);
}

/* ---- a snapshot from before the first step ---- */

static nsds_snapshot *first;

/* Back to the start twice, the second time through a state that was saved. */
static nsds_status return_to_start(nsds_model *model, nsds_simulation *simulation, long step) {
  if (step == 0) {
    nsds_snapshot_destroy(first);
    first = nsds_snapshot_take(simulation);
    return first ? nsds_simulation_save(simulation) : nsds_error(nsds_model_context(model));
  }
  if (step == 60) return nsds_simulation_restore(simulation);
  return step == 90 ? nsds_snapshot_restore(simulation, first) : NSDS_OK;
}

static void forget_start(void) {
  nsds_snapshot_destroy(first);
  first = NULL;
}

#define STEPS(...) .machine = true, .def = {.h = 2e-3, __VA_ARGS__}
#define DIRECT .projection = {.kind = NSDS_PROJECTION_DIRECT}
#define COMBINED .projection = {.kind = NSDS_PROJECTION_COMBINED}
const golden golden_sets[] = {
    {"set_balls_on_boxes", 250, balls_on_boxes, STEPS(.second_order = MOREAU_JEAN(0.5, 1.0)),
     .n = 12},
    {"set_balls_at_start", 200, balls_on_boxes, STEPS(.contacts_at_start = true), .n = 6},
    {"set_balls_overlapping", 200, balls_on_boxes, STEPS(.overlap_sweeps = NSDS_OVERLAP_STAYS),
     .n = 12},
    {"set_balls_projected", 150, balls_on_boxes, STEPS(DIRECT), .n = 8},
    {"set_balls_combined", 100, balls_on_boxes, STEPS(COMBINED), .n = 6},
    {"set_flush_box", 250, slider_on_boxes, STEPS(.second_order = MOREAU_JEAN(0.5, 1.0)),
     .p = {0.3}},
    {"set_flush_box_smooth", 250, slider_on_boxes, STEPS(.second_order = MOREAU_JEAN(0.5, 1.0)),
     .p = {0.0}},
    {"set_flush_capsule", 250, slider_on_boxes, STEPS(.second_order = MOREAU_JEAN(0.7, 1.0)),
     .n = 1, .p = {0.2}},
    {"set_mesh", 250, on_a_mesh, STEPS(.second_order = MOREAU_JEAN(0.5, 1.0))},
    {"set_spheres", 200, spheres_in_a_pit, STEPS(.second_order = MOREAU_JEAN(0.5, 1.0)), .n = 3},
    {"set_spheres_normal", 200, spheres_in_a_pit, .machine = true,
     .def = {.h = 2e-3, .second_order = MOREAU_JEAN(0.5, 1.0)}, .n = 1, .p = {1.0}},
    {"set_spheres_rolling", 150, spheres_in_a_pit, .machine = true, .def = {.h = 2e-3}, .n = 5,
     .p = {1.0}},
    {"set_balls", 400, balls_on_a_slope, .def = {.h = 2e-3}},
    {"set_plane", 250, in_the_plane, .machine = true, .def = {.h = 2e-3}},
    {"set_plane_rolling", 250, in_the_plane, .machine = true, .def = {.h = 2e-3}, .n = 1},
    {"set_stack", 60, stack, STEPS(.second_order = MOREAU_JEAN(0.5, 1.0))},
    {"set_dominoes", 120, stack, STEPS(.second_order = MOREAU_JEAN(0.5, 1.0)), .n = 5},
    {"set_drum", 60, turning_drum, STEPS(.second_order = MOREAU_JEAN(0.5, 1.0)), .n = 30},
    {"set_changing", 200, changing_shapes, change_shapes,
     STEPS(.second_order = MOREAU_JEAN(0.5, 1.0))},
    {"set_jointed", 250, jointed, STEPS(.second_order = MOREAU_JEAN(0.5, 1.0))},
    {"set_jointed_in_joints", 250, jointed, STEPS(.coordinates = NSDS_COORDINATES_JOINT)},
    {"set_jointed_projected", 120, jointed, STEPS(COMBINED)},
    {"set_from_start", 150, balls_on_boxes, return_to_start, forget_start,
     STEPS(.second_order = MOREAU_JEAN(0.5, 1.0)), .n = 6},
};
const int golden_sets_count = sizeof golden_sets / sizeof *golden_sets;
