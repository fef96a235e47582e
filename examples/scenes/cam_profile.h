/*
 * Profile of a cam with three arcs: lift c(t), speed c'(t) and acceleration c''(t) for a camshaft
 * turning at a constant rate, measured from its angle beta = omega t + pi/2. The profile is
 * mirrored about beta = pi. c and c' are continuous, c'' jumps where the arcs meet: at
 * omega t = 0, b2, b3, pi - b3, pi - b2 and pi of every turn.
 */
#ifndef NSDS_CAM_PROFILE_H
#define NSDS_CAM_PROFILE_H

#include <math.h>

typedef struct cam_state {
  double c, dc, ddc; /* m, m/s, m/s^2 */
} cam_state;

static const double cam_pi = 3.14159265358979323846;
static const double cam_b2 = 1.050328174371336,
                    cam_b3 = 1.22173047639603; /* where arcs end [rad] */

/* Lift and its derivatives by time, with omega = d beta / dt. First arc: beta <= pi/2 + b2. */
static inline cam_state cam_flank(double beta, double omega) {
  const double k1 = 0.45, r1 = 0.85; /* centre distance, radius [m] */
  double a = k1 / r1, cosine = cos(beta), sine = sin(beta);
  double s = sqrt(1.0 - a * a * cosine * cosine);
  double c_b = -k1 * cosine + r1 * a * a * sine * cosine / s;
  double c_bb = k1 * sine + r1 * a * a *
                                ((cosine * cosine - sine * sine) / s -
                                 a * a * sine * sine * cosine * cosine / (s * s * s));
  return (cam_state){-k1 * sine + r1 * s - 0.3, omega * c_b, omega * omega * c_bb};
}

/* Second arc: beta <= pi/2 + b3. */
static inline cam_state cam_nose(double beta, double omega) {
  const double k2 = 0.40393320723821, r3 = 0.15;
  double b = k2 / r3, x = beta + cam_pi / 9.0, cosine = cos(x), sine = sin(x);
  double s = sqrt(1.0 - b * b * sine * sine);
  double c_b = k2 * sine - r3 * b * b * sine * cosine / s;
  double c_bb = k2 * cosine - r3 * b * b *
                                  ((cosine * cosine - sine * sine) / s +
                                   b * b * sine * sine * cosine * cosine / (s * s * s));
  return (cam_state){-k2 * cosine + r3 * s - 0.3, omega * c_b, omega * omega * c_bb};
}

static inline cam_state cam_rest(double lift) { return (cam_state){lift - 0.3, 0.0, 0.0}; }

static const double cam_low = 0.40, cam_high = 0.55393320723821; /* before 0.3 is taken away */

static inline cam_state cam_profile(double t, double rpm) {
  double omega = 2.0 * cam_pi * rpm / 60.0;
  double beta = fmod(omega * t + cam_pi / 2.0, 2.0 * cam_pi);
  if (beta > cam_pi) {
    beta = 2.0 * cam_pi - beta;
    omega = -omega;
  }
  if (beta <= cam_pi / 2.0) return cam_rest(cam_low);
  if (beta <= cam_pi / 2.0 + cam_b2) return cam_flank(beta, omega);
  if (beta <= cam_pi / 2.0 + cam_b3) return cam_nose(beta, omega);
  return cam_rest(cam_high);
}

/* ---- arc by arc, for methods that must not see c'' jump ---- */

enum {
  cam_arcs = 6
}; /* of a turn, which begins at omega t = 0: flank, nose, top, nose, flank, base */

/* When the k-th arc since t = 0 ends. */
static inline double cam_arc_end(long k, double rpm) {
  const double angle[cam_arcs] = {cam_b2,          cam_b3, cam_pi - cam_b3,
                                  cam_pi - cam_b2, cam_pi, 2.0 * cam_pi};
  double turns = (double)(k / cam_arcs);
  return (turns + angle[k % cam_arcs] / (2.0 * cam_pi)) * 60.0 / rpm;
}

/* The profile of that arc, continued smoothly beyond its ends. */
static inline cam_state cam_arc(double t, double rpm, long k) {
  double omega = 2.0 * cam_pi * rpm / 60.0, turns = (double)(k / cam_arcs);
  double beta = omega * (t - turns * 60.0 / rpm) + cam_pi / 2.0;
  switch (k % cam_arcs) {
  case 0: return cam_flank(beta, omega);
  case 1: return cam_nose(beta, omega);
  case 2: return cam_rest(cam_high);
  case 3: return cam_nose(2.0 * cam_pi - beta, -omega);
  case 4: return cam_flank(2.0 * cam_pi - beta, -omega);
  default: return cam_rest(cam_low);
  }
}

#endif
