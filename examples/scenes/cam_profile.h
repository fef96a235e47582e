/*
 * Profile of a cam with three arcs: lift c(t), speed c'(t) and acceleration c''(t) for a camshaft
 * turning at a constant rate, measured from its angle beta = omega t + pi/2. The profile is
 * mirrored about beta = pi. c and c' are continuous, c'' jumps where the arcs meet.
 */
#ifndef NSDS_CAM_PROFILE_H
#define NSDS_CAM_PROFILE_H

#include <math.h>

typedef struct cam_state {
  double c, dc, ddc; /* m, m/s, m/s^2 */
} cam_state;

static inline cam_state cam_profile(double t, double rpm) {
  const double pi = 3.14159265358979323846;
  const double k1 = 0.45, r1 = 0.85;             /* first arc: centre distance, radius [m] */
  const double k2 = 0.40393320723821, r3 = 0.15; /* second arc */
  const double b2 = 1.050328174371336, b3 = 1.22173047639603; /* where the arcs end, after pi/2 */
  double omega = 2.0 * pi * rpm / 60.0;
  double beta = fmod(omega * t + pi / 2.0, 2.0 * pi);
  if (beta > pi) {
    beta = 2.0 * pi - beta;
    omega = -omega;
  }
  if (beta <= pi / 2.0) return (cam_state){0.40 - 0.3, 0.0, 0.0};
  if (beta <= pi / 2.0 + b2) {
    double a = k1 / r1, cosine = cos(beta), sine = sin(beta);
    double s = sqrt(1.0 - a * a * cosine * cosine);
    double c_b = -k1 * cosine + r1 * a * a * sine * cosine / s;
    double c_bb = k1 * sine + r1 * a * a *
                                  ((cosine * cosine - sine * sine) / s -
                                   a * a * sine * sine * cosine * cosine / (s * s * s));
    return (cam_state){-k1 * sine + r1 * s - 0.3, omega * c_b, omega * omega * c_bb};
  }
  if (beta <= pi / 2.0 + b3) {
    double b = k2 / r3, x = beta + pi / 9.0, cosine = cos(x), sine = sin(x);
    double s = sqrt(1.0 - b * b * sine * sine);
    double c_b = k2 * sine - r3 * b * b * sine * cosine / s;
    double c_bb = k2 * cosine - r3 * b * b *
                                    ((cosine * cosine - sine * sine) / s +
                                     b * b * sine * sine * cosine * cosine / (s * s * s));
    return (cam_state){-k2 * cosine + r3 * s - 0.3, omega * c_b, omega * omega * c_bb};
  }
  return (cam_state){0.55393320723821 - 0.3, 0.0, 0.0};
}

#endif
