/*
 * Contacts of round cores, followed along the motion. Balls and ellipsoids are strictly convex, so they
 * have one nearest point to any other convex core. Other cores touch by parts (round_parts.c), which
 * have n and s of their own. Let n be the direction of
 * the largest separation s (round_axis.c), and xa, xb the nearest points (round_witness.c). Then
 *
 *   gap = s - radii,   P halfway between the surfaces,   d gap/dt = n . (v_a(P) - v_b(P))
 *
 * since s is stationary in n. n and P have no formula; their rates are differences of fourth order
 * along the motion.
 */
#include "kernel/contact/round_pair.h"

#include "kernel/contact/round.h"
#include "kernel/contact/round_axis.h"
#include "kernel/contact/round_witness.h"
#include "kernel/modeling/body.h"
#include "kernel/modeling/contact_relation.h"
#include "kernel/modeling/joint_pose.h"

/* Way of the bodies for differences, relative to their size. */
static const double little = 1e-3;
/* Difference of two differences, relative: they differ by so little on smooth surfaces. */
static const double alike = 1e-4;

static bool is_strict(const nsds_core *core) {
  return core->round ? core->round->kind == NSDS_ROUND_ELLIPSOID : core->nv == 1;
}

bool nsds_round_pair_is_single(const nsds_core *a, const nsds_core *b) {
  return (a->round || b->round) && !a->flat && !b->flat && (is_strict(a) || is_strict(b));
}

void nsds_round_pair_find(const nsds_core *a, const nsds_core *b, nsds_spot *touch) {
  bool turned = nsds_cores_turned(a, b);
  nsds_collision c = {.a = turned ? b : a, .b = turned ? a : b};
  double s, xa[3], xb[3];
  nsds_round_axis(&c, INFINITY, touch->normal, &s);
  nsds_round_witness(&c, touch->normal, s, xa, xb);
  touch->gap = s - a->radius - b->radius;
  for (int k = 0; k < 3; ++k) {
    touch->point[k] = xa[k] - (c.a->radius + 0.5 * touch->gap) * touch->normal[k];
    if (turned) touch->normal[k] = -touch->normal[k];
  }
  touch->feature = UINT64_C(13) << 48;
}

/* The place of a body, and its motion in the world. */
typedef struct round_motion {
  double x[3], R[9], v[3], w[3];
} round_motion;

static void round_pair_read(const nsds_round_pair *pair, const nsds_arguments *in, bool moves,
                            round_motion *m) {
  bool plane = pair->dimension == 2;
  int nq = plane ? 3 : nsds_body_nq, nv = plane ? 3 : nsds_body_nv;
  for (int k = 0; k < 2; ++k) {
    bool still = k == 1 && pair->fixed;
    m[k] = (round_motion){.v = {0.0}};
    nsds_joint_place(plane, still ? NULL : in->q + k * nq, m[k].R, m[k].x);
    if (moves && !still) nsds_joint_twist(plane, in->v + k * nv, m[k].R, m[k].v, m[k].w);
  }
}

/* Turns R by the rotation vector a of the world (Rodrigues). */
static void turn_by(const double *R, const double *a, double *out) {
  double angle = nsds_length(a), half = 0.5 * angle;
  double one = angle > 0.0 ? sin(angle) / angle : 1.0,
         two = angle > 0.0 ? 0.5 * (sin(half) / half) * (sin(half) / half) : 0.5;
  for (int j = 0; j < 3; ++j) {
    double u[3], w[3];
    nsds_cross(a, R + 3 * j, u);
    nsds_cross(a, u, w);
    for (int i = 0; i < 3; ++i) out[i + 3 * j] = R[i + 3 * j] + one * u[i] + two * w[i];
  }
}

/* Finds the contact the time h ahead along the motion. */
static void find_ahead(const nsds_round_pair *pair, const round_motion *m, double h,
                       nsds_spot *touch) {
  for (int k = 0; k < 2; ++k) {
    double x[3], R[9], a[3];
    if (k == 1 && pair->fixed) continue;
    for (int i = 0; i < 3; ++i) {
      x[i] = m[k].x[i] + h * m[k].v[i];
      a[i] = h * m[k].w[i];
    }
    turn_by(m[k].R, a, R);
    nsds_core_place(pair->core[k], x, R);
  }
  double room;
  if (pair->parts) nsds_parts_meet(pair->core[0], pair->core[1], pair->parts, touch, &room);
  else nsds_round_pair_find(pair->core[0], pair->core[1], touch);
}

void nsds_round_pair_place(const nsds_round_pair *pair, const double *q, const double *other) {
  for (int k = 0; k < 2; ++k) {
    double x[3], R[9];
    if (k == 1 && pair->fixed) continue;
    nsds_joint_place(pair->dimension == 2, k == 0 ? q : other, R, x);
    nsds_core_place(pair->core[k], x, R);
  }
}

static int round_pair_at(const nsds_arguments *in, nsds_body_contact *at, void *user) {
  const nsds_round_pair *pair = user;
  round_motion m[2];
  nsds_spot touch;
  round_pair_read(pair, in, false, m);
  find_ahead(pair, m, 0.0, &touch);
  at->gap = touch.gap;
  memcpy(at->normal, touch.normal, sizeof at->normal);
  memcpy(at->point, touch.point, sizeof at->point);
  memcpy(at->tangent, pair->tangent, sizeof at->tangent);
  return 0;
}

/* Returns the time in which the bodies move by a little of their size; 0: they do not move. */
static double time_of(const nsds_round_pair *pair, const round_motion *m) {
  double size = fmin(pair->core[0]->around, pair->core[1]->around), speed = 0.0;
  for (int k = 0; k < 2; ++k)
    speed += nsds_length(m[k].v) + nsds_length(m[k].w) * pair->core[k]->around;
  double time = little * size / speed;
  return isfinite(time) ? time : 0.0;
}

/* Adds f times the numbers of a contact to a rate. */
static void add_to_rate(nsds_body_contact *rate, double f, const nsds_spot *touch) {
  rate->gap += f * touch->gap;
  for (int i = 0; i < 3; ++i) {
    rate->normal[i] += f * touch->normal[i];
    rate->point[i] += f * touch->point[i];
  }
}

/* Returns the difference of two rates of n and P, relative to the rates and to a speed of the bodies. */
static double rates_differ(const nsds_body_contact *a, const nsds_body_contact *b, double size,
                           double speed) {
  double n[3], p[3];
  for (int i = 0; i < 3; ++i) {
    n[i] = a->normal[i] - b->normal[i];
    p[i] = a->point[i] - b->point[i];
  }
  return fmax(nsds_length(n) / (nsds_length(a->normal) + speed / size),
              nsds_length(p) / (nsds_length(a->point) + speed));
}

/* Differences of fourth order, and of second order at their inner places. These are off by the root of the
 * error of the former. If they differ much, the contact runs around a rim that is nearly flat: the
 * interval is shortened. */
static int round_pair_rate(const nsds_arguments *in, nsds_body_contact *rate, void *user) {
  static const double weight[] = {1.0 / 12.0, -2.0 / 3.0, 2.0 / 3.0, -1.0 / 12.0};
  static const double rough_weight[] = {0.0, -0.5, 0.5, 0.0}, place[] = {-2.0, -1.0, 1.0, 2.0};
  enum { shortest = 5 };
  const nsds_round_pair *pair = user;
  double size = fmin(pair->core[0]->around, pair->core[1]->around);
  round_motion m[2];
  round_pair_read(pair, in, true, m);
  double h = time_of(pair, m);
  for (int round = 0; round < shortest; ++round, h *= 0.25) {
    nsds_body_contact rough = {.gap = 0.0};
    *rate = rough;
    for (int k = 0; h > 0.0 && k < 4; ++k) {
      nsds_spot touch;
      find_ahead(pair, m, place[k] * h, &touch);
      add_to_rate(rate, weight[k] / h, &touch);
      add_to_rate(&rough, rough_weight[k] / h, &touch);
    }
    if (!(h > 0.0) || rates_differ(rate, &rough, size, little * size / h) <= alike) break;
  }
  return 0;
}

void nsds_follow_round_pair(nsds_round_pair *pair, nsds_contact_data *data, nsds_context *context,
                            const char *label, int rows, const double *found) {
  nsds_contact_relation_def def = {.dimension = pair->dimension,
                                   .rows = rows,
                                   .pair = !pair->fixed,
                                   .contact_fn = round_pair_at,
                                   .rate_fn = round_pair_rate,
                                   .user = pair};
  nsds_contact_data_follow(data, context, label, &def, found, pair->tangent);
}
