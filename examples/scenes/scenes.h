/*
 * Scenes shared by the examples, the tests and the benchmarks: functions that build a model and
 * return the handles needed to watch it. Errors stay in the model's context; the handles are then
 * NULL and nsds_time_stepping() refuses to run the model.
 */
#ifndef NSDS_SCENES_H
#define NSDS_SCENES_H

#include <nsds/nsds.h>

/* A ball falling on the floor: m dv/dt = -m g, gap y = q - radius >= 0, restitution e. */
typedef struct ball_scene {
  nsds_ds *ball;
  nsds_interaction *floor;
} ball_scene;

ball_scene scene_bouncing_ball(nsds_model *model, double mass, double radius, double height,
                               double restitution);

/*
 * A vertical column of n beads of one mass and radius above the floor: gaps y_0 = q_0 - R and
 * y_i = q_i - q_{i-1} - 2R; bead i starts at height bottom + i * pitch.
 */
enum { scene_max_beads = 10000 };

typedef struct bead_scene {
  int n;
  nsds_ds *bead[scene_max_beads];
  nsds_interaction *contact[scene_max_beads]; /* 0: floor; i: beads i-1 and i */
} bead_scene;

void scene_bead_column(nsds_model *model, bead_scene *scene, int n, double radius, double bottom,
                       double pitch, double restitution);

/*
 * Cam follower: mu u'' + zeta u' + kappa u = P, u >= c(t), restitution e.
 * forced:     in the moving frame q = u - c, with F_ext = -(mu c'' + zeta c' + kappa c) from a
 *             plugin; y = q.
 * rheonomous: in the fixed frame, y = u - c(t).
 */
typedef struct cam_scene {
  nsds_ds *follower;
  nsds_interaction *contact;
} cam_scene;

extern const double cam_mass, cam_stiffness; /* mu [kg], kappa [N/m] */

cam_scene scene_cam_forced(nsds_model *model, double rpm, const char *plugin_path);
cam_scene scene_cam_rheonomous(nsds_model *model, double rpm);

/*
 * The same in the fixed frame for event-driven simulation: the gap follows one arc of the cam until
 * a user event changes over to the next, so that no jump of c'' lies within a step. The scene
 * outlives the simulation; call scene_cam_turn() once before the first step.
 */
typedef struct cam_arcs_scene {
  double rpm;
  long arc; /* since t = 0, six a turn */
  nsds_ds *follower;
  nsds_relation *gap;
  nsds_interaction *contact;
} cam_arcs_scene;

void scene_cam_arcs(nsds_model *model, cam_arcs_scene *scene, double rpm);
nsds_status scene_cam_turn(nsds_simulation *simulation, cam_arcs_scene *scene);

#endif
