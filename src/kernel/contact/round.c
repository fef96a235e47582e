/*
 * Round cores by their support functions h(d), the largest d.x. With d in the shape's axes:
 *
 *     discs        h = max of +-l d1 + r |(d2, d3)|, one for each disc
 *     ellipsoid    h = |S d|, S the half axes; the point is S^2 d / h
 */
#include "kernel/contact/round.h"

#include "kernel/modeling/body.h"

static double round_norm(const double *a) { return sqrt(nsds_dot(a, a)); }

/* Returns true if the disc at the positive end lies farther along a direction; `w` is its length
 * across the axis. */
static bool far_disc(const nsds_round *round, double along, double w) {
  const double *s = round->size;
  return along * s[0] + s[2] * w >= -along * s[0] + s[1] * w;
}

static void round_support(const nsds_core *core, const double *d, double *x) {
  const nsds_round *round = core->round;
  const double *s = round->size;
  double l[3], p[3] = {0.0};
  nsds_turn_back(round->axes, d, l);
  if (round->kind == NSDS_ROUND_DISCS) {
    double w = sqrt(l[1] * l[1] + l[2] * l[2]);
    bool far = far_disc(round, l[0], w);
    double r = w > 0.0 ? (far ? s[2] : s[1]) / w : 0.0;
    p[0] = far ? s[0] : -s[0];
    p[1] = r * l[1];
    p[2] = r * l[2];
  } else {
    double q[3] = {s[0] * l[0], s[1] * l[1], s[2] * l[2]}, h = round_norm(q);
    for (int i = 0; h > 0.0 && i < 3; ++i) p[i] = s[i] * q[i] / h;
  }
  nsds_turn(round->axes, p, x);
  for (int i = 0; i < 3; ++i) x[i] += core->wv[i];
}

void nsds_core_support(const nsds_core *core, const double *d, double *x) {
  if (core->round) {
    round_support(core, d, x);
    return;
  }
  const double *best = core->wv;
  double most = nsds_dot(d, best);
  for (int k = 3; k < 3 * core->nv; k += 3) {
    double t = nsds_dot(d, core->wv + k);
    if (t > most) most = t, best = core->wv + k;
  }
  memcpy(x, best, 3 * sizeof *x);
}

void nsds_core_bend(const nsds_core *core, const double *d, double f, double *H) {
  const nsds_round *round = core->round;
  double l[3], L[9] = {0.0}, half[9];
  if (!round) return;
  const double *s = round->size;
  nsds_turn_back(round->axes, d, l);
  if (round->kind == NSDS_ROUND_DISCS) {
    double w = sqrt(l[1] * l[1] + l[2] * l[2]);
    if (!(w > 0.0)) return;
    double r = (far_disc(round, l[0], w) ? s[2] : s[1]) / w, u[2] = {l[1] / w, l[2] / w};
    L[4] = r * u[1] * u[1];
    L[8] = r * u[0] * u[0];
    L[5] = L[7] = -r * u[0] * u[1];
  } else {
    double q[3] = {s[0] * l[0], s[1] * l[1], s[2] * l[2]}, h = round_norm(q);
    for (int j = 0; j < 3; ++j)
      for (int i = 0; i < 3; ++i)
        L[i + 3 * j] = ((i == j ? s[i] * s[i] : 0.0) - s[i] * q[i] * s[j] * q[j] / (h * h)) / h;
  }
  for (int j = 0; j < 9; j += 3) nsds_turn(round->axes, L + j, half + j);
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < 3; ++i)
      for (int k = 0; k < 3; ++k) H[i + 3 * j] += f * half[i + 3 * k] * round->axes[j + 3 * k];
}

double nsds_round_lean(const nsds_round *round) {
  double fall = round->size[1] - round->size[2], height = 2.0 * round->size[0];
  return fall / sqrt(fall * fall + height * height);
}

void nsds_round_side(const nsds_core *core, const double *d, double *ends, double *out) {
  const nsds_round *round = core->round;
  const double *axis = round->axes, along = nsds_dot(axis, d);
  for (int i = 0; i < 3; ++i) out[i] = d[i] - along * axis[i];
  double w = round_norm(out), rest = 0.0;
  for (int i = 0; i < 3; ++i) {
    out[i] = w > 1e-12 ? out[i] / w : round->axes[3 + i];
    rest += out[i] * axis[i]; /* rounding, if w is small */
  }
  for (int i = 0; i < 3; ++i) {
    out[i] -= rest * axis[i];
    ends[i] = core->wv[i] - round->size[0] * axis[i] + round->size[1] * out[i];
    ends[3 + i] = core->wv[i] + round->size[0] * axis[i] + round->size[2] * out[i];
  }
}

void nsds_round_bound(nsds_core *core) {
  const double *s = core->round->size;
  memcpy(core->centre, core->v, sizeof core->centre);
  if (core->round->kind == NSDS_ROUND_ELLIPSOID) {
    core->around = fmax(s[0], fmax(s[1], s[2]));
    core->thin = fmin(s[0], fmin(s[1], s[2]));
  } else { /* between the discs lies a cylinder of the mean radius and half of the height */
    double mean = 0.5 * (s[1] + s[2]);
    core->around = hypot(s[0], fmax(s[1], s[2]));
    core->thin = s[1] == s[2] ? fmin(s[0], s[1]) : fmin(0.5 * s[0], mean);
  }
}

void nsds_round_place(nsds_core *core, const double *R) {
  for (int j = 0; j < 9; j += 3) nsds_turn(R, core->round->own + j, core->round->axes + j);
}

void nsds_round_box(nsds_core *core) {
  for (int i = 0; i < 3; ++i) {
    double d[3] = {0.0}, x[3];
    d[i] = 1.0;
    round_support(core, d, x);
    core->hi[i] = x[i];
    d[i] = -1.0;
    round_support(core, d, x);
    core->lo[i] = x[i];
  }
}
