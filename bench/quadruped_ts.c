/*
 * A quadruped: a trunk of 6 kg, and on each corner a leg of three hinges, roll, pitch and knee, whose foot
 * is a ball on the ground, mu = 0.8. 13 bodies, 60 rows of joints and up to 12 of contacts. It stands for
 * 0.4 s, then trots on the spot: diagonal legs are drawn up in turn, twice a second.
 *
 * The torques: PD, tau = kp (target - angle) - kd rate, with kp = 60 N m, kd = 1.5 N m s, limited to
 * 40 N m, held for a step of 2 ms. Targets of standing are 0; a leg that is drawn up has its knee at
 * -0.5 and its pitch at 0.25 rad times a half sine. SIZE: quadrupeds side by side.
 */
#include "jointed.h"

enum { legs = 4, joints = 3 * legs, most_quadrupeds = 100 };

typedef struct quadruped {
  nsds_ds *trunk, *link[joints];
  nsds_interaction *hinge[joints];
} quadruped;

static quadruped robot[most_quadrupeds];
static int robots;

static const double kp = 60.0, kd = 1.5, limit = 40.0; /* of the torques */
static const double stands = 0.4, frequency = 2.0;     /* when trotting begins, steps per second */
static const double upper = 0.2, lower = 0.2, foot = 0.02, bend = 0.5; /* of a leg */
static const double pi = 3.14159265358979323846;

/* What a hinge is to turn to. */
static double target(int joint, double t) {
  int leg = joint / 3, pair = leg == 0 || leg == 3;
  double lift = t < stands ? 0.0 : sin(2.0 * pi * frequency * (t - stands) + (pair ? 0.0 : pi));
  double part[] = {0.0, 0.25, -0.5};
  return part[joint % 3] * fmax(lift, 0.0);
}

/* The torque of each hinge, about its axis on the link, and its reaction on the body before. */
static int drive(quadruped *r, double t) {
  static const double axes[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 1, 0}};
  double input[joints + 1][jointed_inputs] = {{0.0}};
  for (int j = 0; j < joints; ++j) {
    nsds_joint_motion motion;
    double axis[3];
    if (nsds_joint_read(r->hinge[j], &motion)) return -1;
    double tau = kp * (target(j, t) - motion.angle) - kd * motion.angular_velocity;
    tau = fmin(fmax(tau, -limit), limit);
    nsds_to_world(nsds_q(r->link[j]), axes[j % 3], axis);
    for (int k = 0; k < 3; ++k) {
      input[j][3 + k] += tau * axis[k];
      input[j % 3 ? j - 1 : joints][3 + k] -= tau * axis[k];
    }
  }
  for (int j = 0; j < joints; ++j)
    if (nsds_ds_set_z(r->link[j], jointed_inputs, input[j])) return -1;
  return nsds_ds_set_z(r->trunk, jointed_inputs, input[joints]) ? -1 : 0;
}

static int torques(nsds_simulation *simulation, void *user) {
  (void)user;
  for (int k = 0; k < robots; ++k)
    if (drive(&robot[k], nsds_time(simulation))) return -1;
  return 0;
}

static void add_hinge(nsds_model *model, nsds_law *law, quadruped *r, int j, const double at[3]) {
  static const char *const names[] = {"roll", "pitch", "knee"};
  nsds_joint_def def = {.name = names[j % 3],
                        .kind = NSDS_JOINT_HINGE,
                        .ds = {r->link[j], j % 3 ? r->link[j - 1] : r->trunk},
                        .point = {at[0], at[1], at[2]},
                        .axis = {j % 3 == 0, j % 3 != 0, 0}};
  r->hinge[j] = nsds_connect(model, nsds_joint(model, &def), law, 2, def.ds);
}

/* Leg l of a robot whose trunk is at (x, y, height). */
static void add_leg(nsds_model *model, nsds_law *law, quadruped *r, int l, double x, double y,
                    double height) {
  static const double hip_edge[] = {0.06, 0.06, 0.06}, thigh_edge[] = {0.03, 0.03, 0.2},
                      shank_edge[] = {0.02, 0.02, 0.2};
  double side = l & 2 ? 1.0 : -1.0, s = sin(bend), c = cos(bend);
  double root[3] = {x + (l & 1 ? 0.18 : -0.18), y + 0.1 * side, height};
  double hip[3] = {root[0], root[1] + 0.05 * side, height};
  double knee[3] = {hip[0] - upper * s, hip[1], height - upper * c};
  double thigh[3] = {hip[0] - 0.5 * upper * s, hip[1], height - 0.5 * upper * c};
  double shank[3] = {knee[0] + 0.5 * lower * s, hip[1], knee[2] - 0.5 * lower * c};
  double middle[3] = {root[0], root[1] + 0.025 * side, height};
  r->link[3 * l] = jointed_body(model, "hip", 0.5, hip_edge, middle, 0.0);
  r->link[3 * l + 1] = jointed_body(model, "thigh", 0.6, thigh_edge, thigh, bend);
  r->link[3 * l + 2] = jointed_body(model, "shank", 0.2, shank_edge, shank, -bend);
  add_hinge(model, law, r, 3 * l, root);
  add_hinge(model, law, r, 3 * l + 1, hip);
  add_hinge(model, law, r, 3 * l + 2, knee);
}

static void *build(const char *size, long steps, const char *variant) {
  static const double trunk_edge[] = {0.4, 0.2, 0.1};
  static nsds_shape_def shape[1 + legs * most_quadrupeds];
  nsds_model *model = nsds_model_create(NULL);
  nsds_law *law = nsds_equality(model);
  double height = (upper + lower) * cos(bend) + foot, h = 2e-3;
  int shapes = 0;
  robots = atoi(size);
  if (robots < 1 || robots > most_quadrupeds) return NULL;
  shape[shapes++] = (nsds_shape_def){.kind = NSDS_HALF_SPACE, .plane = {{0, 0, 1}, 0}};
  for (int k = 0; k < robots; ++k) {
    quadruped *r = &robot[k];
    double at[3] = {k % 10, k / 10, height};
    r->trunk = jointed_body(model, "trunk", 6.0, trunk_edge, at, 0.0);
    for (int l = 0; l < legs; ++l) {
      add_leg(model, law, r, l, at[0], at[1], height);
      shape[shapes++] = (nsds_shape_def){.kind = NSDS_SPHERE,
                                         .ds = r->link[3 * l + 2],
                                         .radius = foot,
                                         .position = {0, 0, -0.5 * lower}};
    }
  }
  nsds_shapes(model, &(nsds_shapes_def){.nmaterial = 1,
                                        .material = &(nsds_material){.mu = 0.8},
                                        .nshape = shapes,
                                        .shape = shape});
  nsds_time_stepping_def def = {.h = h, .tolerance = 1e-10};
  bool joint = strcmp(variant, "joint") == 0;
  if (joint) def.coordinates = NSDS_COORDINATES_JOINT;
  else def.projection = (nsds_projection_def){.kind = NSDS_PROJECTION_DIRECT, .tolerance = 1e-8};
  stepping *s = (stepping *)stepping_start(model, steps, def);
  if (!s) return NULL;
  nsds_sampler_def sampler = {.name = "torques", .period = h, .sample = torques};
  if (nsds_simulation_sample(s->simulation, &sampler) || !jointed_choose(s, joint ? "" : variant)) {
    stepping_destroy(s);
    return NULL;
  }
  return s;
}

int main(int argc, char **argv) { return stepping_main(argc, argv, build); }
