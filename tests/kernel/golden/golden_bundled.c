/*
 * The scenes of the examples as the examples run them, fewer steps, and the worlds of the other
 * tests.
 */
#include "circuits.h"
#include "golden.h"
#include "mechanisms.h"
#include "scenes.h"
#include "smc.h"
#include "switched_circuits.h"
#include "switching.h"
#include "worlds.h"
#include "static_schemes.h"

nsds_simulation *golden_start(nsds_model *model, const golden *scene) {
  nsds_time_stepping_def def = scene->def;
  if (def.t1 == 0.0) def.t1 = def.t0 + (double)(scene->steps + 1) * def.h;
  return nsds_time_stepping(model, &def);
}

static nsds_simulation *ball(nsds_model *model, const golden *g) {
  scene_bouncing_ball(model, 1.0, 0.1, 1.0, 0.9);
  return golden_start(model, g);
}

static nsds_simulation *falling_beads(nsds_model *model, const golden *g) {
  static bead_scene scene;
  scene_bead_column(model, &scene, g->n, 0.1, 1.0, 0.25, 0.9);
  return golden_start(model, g);
}

/* every contact carries load, as in bench/beads_ts.c */
static nsds_simulation *resting_beads(nsds_model *model, const golden *g) {
  static bead_scene scene;
  const double overlap = 0x1p-20;
  scene_bead_column(model, &scene, g->n, 0.5, 0.5 - overlap, 1.0 - overlap, 0.9);
  return golden_start(model, g);
}

static nsds_simulation *cam_forced(nsds_model *model, const golden *g) {
  scene_cam_forced(model, g->p[0], NSDS_TEST_CAM_PLUGIN);
  return golden_start(model, g);
}

static nsds_simulation *cam_rheonomous(nsds_model *model, const golden *g) {
  scene_cam_rheonomous(model, g->p[0]);
  return golden_start(model, g);
}

static nsds_simulation *slider(nsds_model *model, const golden *g) {
  scene_pendulum_slider(model);
  return golden_start(model, g);
}

static nsds_simulation *chain(nsds_model *model, const golden *g) {
  chain_scene scene = scene_chain(model, g->n);
  chain_free(&scene);
  return golden_start(model, g);
}

static nsds_simulation *rlcd(nsds_model *model, const golden *g) {
  scene_rlcd(model, 1e-2, 1e-6, 1e3, 10.0, 0.0);
  return golden_start(model, g);
}

static nsds_simulation *diode_bridge(nsds_model *model, const golden *g) {
  scene_diode_bridge(model, 1e-2, 1e-6, 1e3, 10.0);
  return golden_start(model, g);
}

static nsds_simulation *filtered_bridge(nsds_model *model, const golden *g) {
  scene_filtered_bridge(model, 1e-2, 1e-6, 1e3, 3e-7, 10.0);
  return golden_start(model, g);
}

static nsds_simulation *ladder(nsds_model *model, const golden *g) {
  ladder_scene scene = scene_diode_ladder(model, g->n, 1e-3, 1e-6, 10.0, 10.0, 20);
  ladder_free(&scene);
  return golden_start(model, g);
}

static nsds_simulation *sample_and_hold(nsds_model *model, const golden *g) {
  scene_sample_and_hold(model);
  return golden_start(model, g);
}

static nsds_simulation *buck(nsds_model *model, const golden *g) {
  scene_buck_converter(model, 0.2);
  return golden_start(model, g);
}

/* the load doubles halfway */
static nsds_status buck_load(nsds_model *model, nsds_simulation *simulation, long step) {
  (void)simulation;
  return step == 2000 ? nsds_ds_set_z(nsds_ds_at(model, 0), 1, (double[]){0.4}) : NSDS_OK;
}

static nsds_simulation *relay_simple(nsds_model *model, const golden *g) {
  scene_relay_simple(model, g->p[0], g->p[1]);
  return golden_start(model, g);
}

static nsds_simulation *relay_oscillator(nsds_model *model, const golden *g) {
  scene_relay_oscillator(model);
  return golden_start(model, g);
}

static nsds_simulation *filippov(nsds_model *model, const golden *g) {
  scene_filippov(model, g->p[0], g->p[1]);
  return golden_start(model, g);
}

static nsds_simulation *twisting(nsds_model *model, const golden *g) {
  scene_twisting(model, g->p[0], g->p[1]);
  return golden_start(model, g);
}

static nsds_simulation *genes(nsds_model *model, const golden *g) {
  scene_gene_network(model, g->p[0], g->p[1]);
  return golden_start(model, g);
}

static smc_scene smc;

static nsds_simulation *sliding_mode(nsds_model *model, const golden *g) {
  scene_smc(model, &smc, g->def.h, 2.0, 1e-2, g->n ? smc_implicit_control : smc_explicit_control);
  return smc.simulation;
}

static void smc_done(void) { smc_free(&smc); }

static nsds_simulation *a_world(nsds_model *model, const golden *g) {
  worlds[g->n].build(model);
  return nsds_time_stepping(model, &(nsds_time_stepping_def){.t1 = 1e3, .h = worlds[g->n].h});
}

/* By the machine: the start of the ladders comes from sin(), the net is solved with BLAS. The other scenes with sin()
 * or with LAPACK gave the same bits on all kinds of processors that OpenBLAS and glibc can be told
 * to assume. */
#define HALF .second_order = MOREAU_JEAN(0.5, 1.0)
const golden golden_bundled[] = {
    {"bouncing_ball", 2000, ball, .def = {.h = 0.005, HALF}},
    {"falling_beads_10", 2000, falling_beads, .def = {.h = 5e-4, HALF}, .n = 10},
    {"falling_beads_100", 600, falling_beads, .def = {.h = 1e-3, HALF}, .n = 100},
    {"resting_beads_10", 500, resting_beads, .def = {.h = 5e-4, HALF}, .n = 10},
    {"resting_beads_100", 200, resting_beads, .def = {.h = 5e-4, HALF}, .n = 100},
    {"resting_beads_1000", 20, resting_beads, .def = {.h = 5e-4, HALF}, .n = 1000},
    {"cam_forced_358", 2000, cam_forced, .def = {.h = 1e-4, HALF}, .p = {358.0}},
    {"cam_forced_660", 2000, cam_forced, .def = {.h = 1e-4, HALF}, .p = {660.0}},
    {"cam_forced_700", 2000, cam_forced, .def = {.h = 1e-4, HALF}, .p = {700.0}},
    {"cam_rheonomous_358", 2000, cam_rheonomous, .def = {.h = 1e-4, HALF}, .p = {358.0}},
    {"cam_rheonomous_660", 2000, cam_rheonomous, .def = {.h = 1e-4, HALF}, .p = {660.0}},
    {"cam_rheonomous_700", 2000, cam_rheonomous, .def = {.h = 1e-4, HALF}, .p = {700.0}},
    {"pendulum_slider", 3000, slider,
     .def = {.h = 1e-3, HALF, .activation = ACTIVATION(1.0, 1e-12)}},
    {"chain_5", 400, chain, .def = {.h = 1e-3, HALF}, .n = 5},
    {"chain_50", 300, chain, .def = {.h = 1e-3, HALF}, .n = 50},
    {"rlcd", 500, rlcd, .def = {.h = 1e-5, HALF}},
    {"diode_bridge", 2000, diode_bridge, .def = {.h = 1e-6, HALF}},
    {"diode_bridge_full", 2000, diode_bridge,
     .def = {.h = 1e-6, .first_order = FULL_THETA_GAMMA(0.5, 0.5)}},
    {"filtered_bridge", 2000, filtered_bridge, .def = {.h = 1e-6, HALF}},
    {"ladder_10", 300, ladder, .def = {.h = 2e-6, HALF}, .n = 10},
    {"ladder_100", 100, ladder, .def = {.h = 2e-6, HALF}, .n = 100, .machine = true},
    {"ladder_1000", 20, ladder, .def = {.h = 2e-6, HALF}, .n = 1000, .machine = true},
    {"sample_and_hold", 2000, sample_and_hold,
     .def = {.h = 2e-6, .first_order = EULER_MOREAU(1.0)}},
    {"buck_converter", 4000, buck, buck_load, .def = {.h = 5e-8, .first_order = EULER_MOREAU(1.0)}},
    {"relay_simple", 1000, relay_simple, .def = {.h = 1e-3}, .p = {1.0, -0.7}},
    {"relay_oscillator", 3000, relay_oscillator, .def = {.h = 1e-2, HALF}},
    {"filippov", 6000, filippov, .def = {.h = 1e-4}, .p = {0.3, 0.7}},
    {"twisting_control", 3000, twisting, .def = {.h = 1e-3, .first_order = EULER_MOREAU(1.0)},
     .p = {1.0, 0.5}},
    {"gene_network_1", 1500, genes, .def = {.h = 1e-3}, .p = {0.2, 1.5}},
    {"gene_network_2", 1500, genes, .def = {.h = 1e-3}, .p = {9.8, 7.0}},
    {"gene_network_3", 1500, genes, .def = {.h = 1e-3}, .p = {6.0, 7.0}},
    {"smc_explicit", 8000, sliding_mode, .done = smc_done, .def = {.h = 1e-4}},
    {"smc_implicit", 8000, sliding_mode, .done = smc_done, .def = {.h = 1e-4}, .n = 1},
    {"world_ball", 200, a_world, .n = 0},
    {"world_column", 400, a_world, .n = 1},
    {"world_long_column", 200, a_world, .n = 2},
    {"world_net", 600, a_world, .n = 3, .machine = true},
    {"world_cam_forced", 1000, a_world, .n = 4},
    {"world_cam_rheonomous", 1000, a_world, .n = 5},
    {"world_machine", 1000, a_world, .n = 6},
    {"world_sparse_bar", 300, a_world, .n = 7},
    {"world_dense_bar", 300, a_world, .n = 8},
    {"world_bodies", 400, a_world, .n = 9, .machine = true},
    {"world_linkage", 300, a_world, .n = 10, .machine = true},
};
const int golden_bundled_count = sizeof golden_bundled / sizeof *golden_bundled;
