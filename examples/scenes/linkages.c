#include "linkages.h"

#include <math.h>
#include <string.h>

static const double g = 9.81;

/* ---- four-bar linkage ---- */

static int drive(const nsds_arguments *in, double *out, void *user) {
  (void)in;
  out[0] = ((const four_bar_scene *)user)->rate;
  return 0;
}

/* Angles of crank, coupler and rocker, and their rates. */
static void angles(const four_bar_scene *s, double t, double *angle, double *rate) {
  double a = s->start + s->rate * t, b = s->length[four_bar_coupler],
         c = s->length[four_bar_rocker];
  double x = s->base - s->length[0] * cos(a), y = -s->length[0] * sin(a), d = hypot(x, y);
  angle[0] = a;
  angle[1] = atan2(y, x) + acos((d * d + b * b - c * c) / (2.0 * d * b));
  angle[2] = atan2(b * sin(angle[1]) - y, b * cos(angle[1]) - x);
  /* l_a w_a e'(a) + l_b w_b e'(b) = l_c w_c e'(c), e' = (-sin, cos) */
  double turn = s->length[0] * s->rate / sin(angle[2] - angle[1]);
  rate[0] = s->rate;
  rate[1] = turn / b * sin(angle[0] - angle[2]);
  rate[2] = turn / c * sin(angle[0] - angle[1]);
}

/* Centre of body k, half way along it, and its velocity. */
static void centre(const four_bar_scene *s, int k, const double *angle, const double *rate,
                   double *x, double *v) {
  double half = 0.5 * s->length[k], w = half * rate[k], from = s->length[0];
  x[0] = half * cos(angle[k]), x[1] = half * sin(angle[k]);
  v[0] = -w * sin(angle[k]), v[1] = w * cos(angle[k]);
  if (k == four_bar_rocker) x[0] += s->base;
  if (k != four_bar_coupler) return;
  x[0] += from * cos(angle[0]), x[1] += from * sin(angle[0]);
  v[0] -= from * rate[0] * sin(angle[0]), v[1] += from * rate[0] * cos(angle[0]);
}

void scene_four_bar(nsds_model *model, four_bar_scene *s) {
  *s = (four_bar_scene){
      .length = {0.1, 0.3, 0.25}, .base = 0.35, .point = {0.15, 0.15}, .rate = 10.0, .start = 1.0};
  double angle[3], rate[3];
  angles(s, 0.0, angle, rate);
  for (int k = 0; k < four_bar_bodies; ++k) {
    double x[2], v[2];
    centre(s, k, angle, rate, x, v);
    s->mass[k] = 4.0 * s->length[k]; /* rods of 4 kg/m */
    s->inertia[k] = s->mass[k] * s->length[k] * s->length[k] / 12.0;
    s->body[k] = nsds_rigid_body_2d(
        model, &(nsds_rigid_body_2d_def){.mass = s->mass[k],
                                         .inertia = s->inertia[k],
                                         .q0 = (double[]){x[0], x[1], angle[k]},
                                         .v0 = (double[]){v[0], v[1], rate[k]},
                                         .gravity = {0, -g},
                                         .prescribed.n = k == four_bar_crank,
                                         .prescribed.index = k ? NULL : (int[]){2},
                                         .prescribed.fn = k ? NULL : drive,
                                         .user = s});
  }
  const four_bar_state at = scene_four_bar_exact(s, 0.0);
  nsds_joint_def def[] = {
      {.name = "crank's pivot", .ds = {s->body[0]}},
      {.name = "crank's pin", .ds = {s->body[0], s->body[1]}, .point = {at.crank[0], at.crank[1]}},
      {.name = "rocker's pin",
       .ds = {s->body[1], s->body[2]},
       .point = {at.rocker[0], at.rocker[1]}},
      {.name = "rocker's pivot", .ds = {s->body[2]}, .point = {s->base}}};
  nsds_law *equality = nsds_equality(model);
  for (int k = 0; k < 4; ++k) {
    def[k].kind = NSDS_JOINT_HINGE;
    s->hinge[k] =
        nsds_connect(model, nsds_joint(model, &def[k]), equality, def[k].ds[1] ? 2 : 1, def[k].ds);
  }
}

/* Pins and coupler point of centres and angles (x, y, angle). */
static four_bar_state places(const four_bar_scene *s, const double *const q[3]) {
  four_bar_state p;
  double c = cos(q[1][2]), n = sin(q[1][2]), half = 0.5 * s->length[1];
  for (int i = 0; i < 2; ++i) {
    double along = i ? n : c, across = i ? c : -n;
    p.crank[i] = q[1][i] - half * along;
    p.rocker[i] = q[1][i] + half * along;
    p.point[i] = p.crank[i] + s->point[0] * along + s->point[1] * across;
  }
  return p;
}

four_bar_state scene_four_bar_state(const four_bar_scene *s) {
  const double *q[3];
  double energy = 0.0;
  for (int k = 0; k < four_bar_bodies; ++k) {
    q[k] = nsds_q(s->body[k]);
    energy += nsds_kinetic_energy(s->body[k]) + s->mass[k] * g * q[k][1];
  }
  four_bar_state p = places(s, q);
  p.energy = energy;
  return p;
}

four_bar_state scene_four_bar_exact(const four_bar_scene *s, double t) {
  double angle[3], rate[3], x[3][3], energy = 0.0;
  angles(s, t, angle, rate);
  for (int k = 0; k < four_bar_bodies; ++k) {
    double v[2];
    centre(s, k, angle, rate, x[k], v);
    x[k][2] = angle[k];
    energy += 0.5 * s->mass[k] * (v[0] * v[0] + v[1] * v[1]) +
              0.5 * s->inertia[k] * rate[k] * rate[k] + s->mass[k] * g * x[k][1];
  }
  four_bar_state p = places(s, (const double *const[]){x[0], x[1], x[2]});
  p.energy = energy;
  return p;
}

/* ---- hanging chain ---- */

static const double drag = 3.0; /* per mass [1/s] */

static int brake(const nsds_arguments *in, double *out, void *user) {
  const hanging_scene *s = user;
  for (int i = 0; i < 3; ++i) out[i] = -drag * s->mass * in->v[i];
  return 0;
}

static int brake_v(const nsds_arguments *in, double *out, void *user) {
  (void)in;
  for (int i = 0; i < 3; ++i) out[4 * i] = -drag * ((const hanging_scene *)user)->mass;
  return 0;
}

/* About each axis as much as about one across the link. */
static double resistance(const hanging_scene *s) {
  return drag * s->mass * s->length * s->length / 12.0;
}

static int twist(const nsds_arguments *in, double *out, void *user) {
  for (int i = 0; i < 3; ++i) out[i] = -resistance(user) * in->v[3 + i];
  return 0;
}

static int twist_v(const nsds_arguments *in, double *out, void *user) {
  (void)in;
  for (int i = 0; i < 3; ++i) out[i + 3 * (3 + i)] = -resistance(user);
  return 0;
}

void scene_hanging_chain(nsds_model *model, hanging_scene *s, int links, double span) {
  memset(s, 0, sizeof *s);
  s->links = links;
  s->length = 2.0 / links;
  s->mass = 2.4 / links;
  s->span = span;
  double slope = acos(span / (links * s->length)), J = s->mass * s->length * s->length / 12.0;
  double step[] = {s->length * cos(slope), s->length * sin(slope)};
  nsds_law *equality = nsds_equality(model);
  double x = 0.0, z = 0.0;
  for (int k = 0; k <= links; ++k) {
    bool down = k < links / 2;
    double tilt = down ? slope : -slope; /* about y; the first axis of a link lies along it */
    if (k < links)
      s->link[k] = nsds_rigid_body(
          model, &(nsds_rigid_body_def){.name = "link",
                                        .mass = s->mass,
                                        .inertia = (double[]){0.02 * J, 0, 0, 0, J, 0, 0, 0, J},
                                        .q0 = (double[]){x + 0.5 * step[0], 0,
                                                         z - (down ? 0.5 : -0.5) * step[1],
                                                         cos(0.5 * tilt), 0, sin(0.5 * tilt), 0},
                                        .gravity = {0, 0, -g},
                                        .force.fn = brake,
                                        .force.jac_q_fn = nsds_zero,
                                        .force.jac_v_fn = brake_v,
                                        .moment.fn = twist,
                                        .moment.jac_q_fn = nsds_zero,
                                        .moment.jac_v_fn = twist_v,
                                        .user = s});
    nsds_joint_def def = {
        .kind = NSDS_JOINT_BALL,
        .ds = {s->link[k < links ? k : k - 1], k > 0 && k < links ? s->link[k - 1] : NULL},
        .point = {x, 0, z}};
    s->joint[k] = nsds_connect(model, nsds_joint(model, &def), equality, def.ds[1] ? 2 : 1, def.ds);
    x += step[0];
    z -= down ? step[1] : -step[1];
  }
}

void scene_hanging_joint(const hanging_scene *s, int k, double *x) {
  const double *q = nsds_q(s->link[k < s->links ? k : k - 1]);
  const double end[] = {(k < s->links ? -0.5 : 0.5) * s->length, 0, 0};
  nsds_to_world(q, end, x);
  for (int i = 0; i < 3; ++i) x[i] += q[i];
}

/* How wide the chain hangs with a horizontal force H; the places of its joints. */
static double spread(const hanging_scene *s, double H, double x[][2]) {
  x[0][0] = x[0][1] = 0.0;
  for (int k = 0; k < s->links; ++k) {
    double slope = atan((k + 0.5 - 0.5 * s->links) * s->mass * g / H);
    x[k + 1][0] = x[k][0] + s->length * cos(slope);
    x[k + 1][1] = x[k][1] + s->length * sin(slope);
  }
  return x[s->links][0];
}

double scene_hanging_exact(const hanging_scene *s, double x[chain_most + 1][2]) {
  double low = 0.0, high = 1.0;
  while (spread(s, high, x) < s->span) high *= 2.0;
  for (int k = 0; k < 200; ++k) {
    double H = 0.5 * (low + high);
    if (spread(s, H, x) < s->span) low = H;
    else high = H;
  }
  return high;
}

/* ---- a ring of bars -------------------------------------------------------------------------- */

/* From corner k to the next one, at rest in what turns with w about the origin. */
static nsds_ds *ring_bar(nsds_model *model, const double (*corner)[2], int k) {
  static const double w[3] = {0.7, 0.5, 0.3}, J[9] = {[0] = 0.01, [4] = 0.09, [8] = 0.09};
  const double *a = corner[k], *b = corner[(k + 1) % ring_bars];
  double angle = atan2(b[1] - a[1], b[0] - a[0]), c = cos(angle), s = sin(angle);
  double x = 0.5 * (a[0] + b[0]), y = 0.5 * (a[1] + b[1]);
  nsds_rigid_body_def def = {
      .mass = 1.0,
      .inertia = J,
      .q0 = (double[]){x, y, 0.0, cos(0.5 * angle), 0.0, 0.0, sin(0.5 * angle)},
      .v0 = (double[]){-w[2] * y, w[2] * x, w[0] * y - w[1] * x, c * w[0] + s * w[1],
                       c * w[1] - s * w[0], w[2]},
      .gravity = {k == 0 ? 0.3 : 0.0, 0.0, 0.0}};
  return nsds_rigid_body(model, &def);
}

void scene_ring_of_bars(nsds_model *model, ring_scene *scene, bool once) {
  static const double corner[ring_bars][2] = {{0, 0}, {1, 0}, {1.3, 1}, {0.3, 1}};
  static const nsds_joint_kind several[] = {NSDS_JOINT_HINGE, NSDS_JOINT_HINGE, NSDS_JOINT_BALL,
                                            NSDS_JOINT_CYLINDRICAL};
  for (int k = 0; k < ring_bars; ++k) scene->bar[k] = ring_bar(model, corner, k);
  for (int k = 0; k < ring_bars; ++k) {
    int next = (k + 1) % ring_bars;
    nsds_joint_def def = {.kind = once ? several[k] : NSDS_JOINT_HINGE,
                          .ds = {scene->bar[k], scene->bar[next]},
                          .point = {corner[next][0], corner[next][1], 0.0},
                          .axis = {0, 0, 1}};
    scene->joint[k] = nsds_connect(model, nsds_joint(model, &def), nsds_equality(model), 2, def.ds);
  }
}
