/*
 * The closed forms of flights.h: parabolas between impacts, exact rest after a series of impacts, and roots of
 * concave functions where the floor moves.
 */
#include "flights.h"

#include <float.h>
#include <math.h>
#include <string.h>

static double floor_at(const strand *s, double t) {
  return s->floor + s->a * (sin(s->w * t + s->phase) - sin(s->phase));
}

static double floor_speed(const strand *s, double t) {
  return s->a * s->w * cos(s->w * t + s->phase);
}

/* One coordinate above a floor. Deceleration differs on the way up and down if there is a relay. */
typedef struct flight {
  double t, h, v; /* now: h is the height above the floor */
  double up, down, floor, e;
  double tangent[2]; /* speeds along the floor */
  double mu, slide;  /* slide: slip per speed along the floor: 1, or 7/2 for a sphere */
  double pull;       /* acceleration along the floor, on tangent[0] */
  double along[2];   /* places along the floor */
  double tiny;       /* speeds below count as rest */
} flight;

static void go_along(flight *f, double dt) {
  f->along[0] += (f->tangent[0] + 0.5 * f->pull * dt) * dt;
  f->along[1] += f->tangent[1] * dt;
  f->tangent[0] += f->pull * dt;
}

/* Takes back slip by the speed dv, but not beyond zero. `slip` of a sphere is counted apart. */
static void rub(flight *f, double slip[2], double dv) {
  double size = hypot(slip[0], slip[1]);
  if (size == 0.0) return;
  double part = fmin(1.0, f->slide * dv / size);
  for (int k = 0; k < 2; ++k) {
    f->tangent[k] -= part * slip[k] / f->slide;
    slip[k] -= part * slip[k];
  }
}

/* On the floor until `end`. */
static void lie(flight *f, double slip[2], double end) {
  double size = hypot(slip[0], slip[1]), most = f->mu * f->down, dt = end - f->t;
  if (size <= 0.0 && fabs(f->pull) <= most) { /* sticks, or rolls */
    if (f->slide == 1.0) return;
    f->along[0] += f->tangent[0] * dt;
    f->along[1] += f->tangent[1] * dt;
    return;
  }
  double pull = f->pull, sign[2] = {size > 0.0 ? slip[0] / size : copysign(1.0, pull),
                                    size > 0.0 ? slip[1] / size : 0.0};
  double rate = most - pull * sign[0]; /* pull only without a second tangent */
  double stop = size > 0.0 && rate > 0.0 ? size / (f->slide * rate) : INFINITY,
         step = fmin(stop, dt);
  for (int k = 0; k < 2; ++k) {
    double a = (k == 0 ? pull : 0.0) - most * sign[k];
    f->along[k] += (f->tangent[k] + 0.5 * a * step) * step;
    f->tangent[k] += a * step;
  }
  f->t += step;
  if (stop > dt) return;
  slip[0] = slip[1] = 0.0;
  if (f->slide == 1.0) f->tangent[0] = f->tangent[1] = 0.0;
  lie(f, slip, end);
}

/* Follows a flight to time t. */
static void fly(flight *f, double t) {
  double slip[2] = {f->tangent[0], f->tangent[1]};
  bool point = f->slide == 1.0;
  while (f->t < t) {
    if (f->h <= 0.0 && f->v <= f->tiny) { /* rests, or an impact at once */
      double v = -f->v;
      f->h = 0.0;
      if (v <= f->tiny) {
        f->v = 0.0;
        lie(f, slip, t);
        return;
      }
      rub(f, slip, f->mu * (1.0 + f->e) * v);
      f->v = f->e * v;
      continue;
    }
    double a = f->v > 0.0 ? f->up : f->down, step;
    double square = f->v * f->v + 2.0 * a * f->h;
    bool stops = f->v > 0.0 || (f->v < 0.0 && square < 0.0);
    if (stops) step = f->v / a;
    else if (a <= 0.0 && f->v == 0.0) step = INFINITY; /* friction holds it */
    else step = 2.0 * f->h / (sqrt(square) - f->v);
    bool top = stops && step <= t - f->t, lands = !stops && step <= t - f->t;
    double s = fmin(step, t - f->t);
    if (isfinite(step)) f->h += (f->v - 0.5 * a * s) * s, f->v -= a * s;
    go_along(f, s);
    if (point) slip[0] += f->pull * s;
    f->t += s;
    if (top) f->v = 0.0;
    if (lands) f->h = 0.0;
    if (!top && !lands) return;
    if (lands && f->v >= 0.0) f->v = -0.0;
  }
}

static void bounce(const strand *s, double t, double z[strand_most], double v[strand_most]) {
  flight f = {.h = s->z[0] - s->floor,
              .v = s->v[0],
              .up = s->g + s->up,
              .down = s->g - s->down,
              .e = s->e,
              .floor = s->floor,
              .tiny = 1e-13 * s->scale,
              .mu = s->mu,
              .slide = 1.0};
  if (s->kind == STRAND_OVERLAP) { /* comes back to zero if it has passed zero */
    double v0 = s->v[0] < 0.0 ? -s->e * s->v[0] : s->v[0];
    bool frees = v0 * v0 > 2.0 * s->g * (s->floor - s->z[0]);
    f.v = v0;
    f.floor = s->z[0], f.h = 0.0;
    if (frees) { /* starts as if from the floor, later */
      double h = s->floor - s->z[0], root = sqrt(v0 * v0 - 2.0 * s->g * h),
             dt = 2.0 * h / (v0 + root);
      if (t <= dt) {
        z[0] = s->z[0] + (v0 - 0.5 * s->g * t) * t;
        v[0] = v0 - s->g * t;
        return;
      }
      f.t = dt;
      f.v = root;
      f.floor = s->floor;
    }
  }
  bool plane = s->kind == STRAND_PLANE, space = s->kind == STRAND_SPACE,
       ball = s->kind == STRAND_SPHERE;
  for (int k = 0; k < 2 && (plane || space || ball); ++k) {
    if (k == 1 && plane) break;
    f.tangent[k] = s->v[k + 1];
    f.along[k] = s->z[k + 1];
  }
  if (plane) f.pull = s->load[1] / s->mass[1];
  if (ball) f.slide = 3.5;
  if (ball) f.floor = fmin(s->floor, s->z[0]), f.h = s->z[0] - f.floor;
  fly(&f, t);
  z[0] = f.floor + f.h, v[0] = f.v;
  for (int k = 0; k < 2; ++k)
    if (plane || space || ball) z[k + 1] = f.along[k], v[k + 1] = f.tangent[k];
}

/* Returns sin(b) - sin(a) - (b - a) cos(a), d = b - a, without cancellation. */
static double bend(double a, double d) {
  double half = sin(0.5 * d), square = d * d;
  double rest = fabs(d) > 0.1
                    ? sin(d) - d
                    : -d * square / 6.0 *
                          (1.0 - square / 20.0 * (1.0 - square / 42.0 * (1.0 - square / 72.0)));
  return -2.0 * half * half * sin(a) + rest * cos(a);
}

/* On a floor that moves, with a w^2 < g: the gap is concave, and the mass never leaves by itself. */
static void bounce_on_moving(const strand *s, double t, double *z, double *v) {
  double now = 0.0, gap = s->z[0] - s->floor, u = s->v[0] - floor_speed(s, 0.0);
  for (;;) {
    double angle = s->w * now + s->phase, step;
    bool rests = gap <= 0.0 && u < 1e-13 * s->scale;
    if (rests && -u * s->e <= 1e-13 * s->scale) break;
    /* behind the root; from there Newton's method goes down to the root */
    step = 2.0 * (fmax(u, 0.0) + sqrt(u * u + 4.0 * s->g * gap)) / (s->g - s->a * s->w * s->w);
    for (int k = 0; k < 200 && !rests; ++k) {
      double y = gap + (u - 0.5 * s->g * step) * step - s->a * bend(angle, s->w * step);
      double rate = u - s->g * step - floor_speed(s, now + step) + floor_speed(s, now);
      step -= y / rate;
      if (fabs(y / rate) < 1e-15 * step) break;
    }
    if (rests) step = 0.0;
    if (now + step > t) {
      double dt = t - now;
      *z = floor_at(s, now) + gap + (floor_speed(s, now) + u - 0.5 * s->g * dt) * dt;
      *v = floor_speed(s, now) + u - s->g * dt;
      return;
    }
    u -= s->g * step + floor_speed(s, now + step) - floor_speed(s, now);
    u *= -s->e;
    gap = 0.0;
    now += step;
  }
  *z = floor_at(s, t);
  *v = floor_speed(s, t);
}

/* Two masses in free fall: their distance shrinks until they meet. */
static void meet(const strand *s, double t, double z[2], double v[2]) {
  double m = s->mass[0] + s->mass[1], gap = s->z[1] - s->z[0], u = s->v[1] - s->v[0];
  double centre = (s->mass[0] * s->z[0] + s->mass[1] * s->z[1]) / m,
         speed = (s->mass[0] * s->v[0] + s->mass[1] * s->v[1]) / m;
  double hit = u < 0.0 ? -gap / u : INFINITY;
  double d = t <= hit ? gap + u * t : -s->e * u * (t - hit), r = t <= hit ? u : -s->e * u;
  centre += (speed - 0.5 * s->g * t) * t;
  speed -= s->g * t;
  z[0] = centre - d * s->mass[1] / m, z[1] = centre + d * s->mass[0] / m;
  v[0] = speed - r * s->mass[1] / m, v[1] = speed + r * s->mass[0] / m;
}

static double switched(const strand *s, double t) {
  double x = s->z[0] - s->floor, rate = s->g + (x > 0.0 ? -s->push : s->push);
  double until = x != 0.0 && x * rate < 0.0 ? -x / rate : x == 0.0 ? 0.0 : INFINITY;
  if (t <= until) return s->z[0] + rate * t;
  if (fabs(s->g) <= s->push) return s->floor;
  return s->floor + (s->g - copysign(s->push, s->g)) * (t - until);
}

void strand_at(const strand *s, double t, double z[strand_most], double v[strand_most]) {
  memset(v, 0, strand_most * sizeof *v);
  memcpy(z, s->z, strand_most * sizeof *z);
  switch (s->kind) {
  case STRAND_HELD: break;
  case STRAND_HELD_SPHERE:
    z[1] += s->v[1] * t;
    v[1] = s->v[1];
    break;
  case STRAND_LED:
    z[0] += s->a * (sin(s->w * t + s->phase) - sin(s->phase));
    v[0] = floor_speed(s, t);
    break;
  case STRAND_MOVING: bounce_on_moving(s, t, z, v); break;
  case STRAND_PAIR: meet(s, t, z, v); break;
  case STRAND_SWITCH: z[0] = switched(s, t); break;
  case STRAND_BOUNDED: z[0] = fmax(s->floor, s->z[0] - s->g * t); break;
  case STRAND_COLUMN:
    bounce(s, t, z, v);
    for (int k = 1; k < s->n; ++k) z[k] = z[0] + (s->z[k] - s->z[0]), v[k] = v[0];
    break;
  default: bounce(s, t, z, v);
  }
}
