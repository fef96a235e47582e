/* The central path of a friction problem and its folds, see continuation.h. */
#include "numerics/newton/central_path.h"

#include "numerics/newton/continuation.h"
#include "numerics/newton/equations.h"
#include "numerics/sets/blockwise.h"
#include "numerics/sets/cone_algebra.h"
#include "numerics/sets/sets.h"
#include "numerics/store.h"

enum {
  most = nsds_path_rows,
  most_trials = 800,      /* steps; 100 to 500 are usual */
  most_corrections = 8,   /* of a step, */
  first_corrections = 64, /* and to the first point, from the axes of the cones */
  most_short_steps = 3
};

static const double weight = 2e-8;       /* e: half of it is left as residual */
static const double softness = 0.03;     /* of the shift */
static const double off_centre = 0.5;    /* largest |s o l - h| / h of a point of the path, */
static const double unbalanced = 0.1;    /* and largest energy of its residual over h */
static const double within = 0.9;        /* of the way to the boundary */
static const double short_step = 0.2;    /* several such steps do not lead back to the path */
static const double far_off = 2.0;       /* change of log h in a correction */
static const double least_damping = 0.1; /* of a correction; it grows */
static const double grows = 1.5, shrinks = 0.5; /* or shrinks as the last one led on or back */
static const double least_cosine = 0.7;         /* between tangents of successive points */
static const double longest = 3.0, least_length = 1e-6; /* of steps */
static const double sure_length = 1e-3;                 /* of steps that may turn */
static const double longer = 1.7;                       /* of a step after few corrections, */
static const double shorter = 0.7;                      /* after many, */
static const double refused = 0.3;                      /* and after a failure */
enum { few_corrections = 1, many_corrections = 3 };
static const double least_height = 1e-30; /* over the first, */
static const double most_height = 1e4;    /* where the path leads back */

typedef struct point {
  double *z, *s, *l; /* n each */
  nsds_cone_pair *pair;
  double log_height;
} point;

typedef struct path {
  nsds_equations *law;
  int n, count; /* rows, contacts */
  point now, old;
  double *eta, *ab, *v; /* scaling, see cone_algebra.h */
  double *residual, *target;
  double *dz, *ds, *dl;                  /* Newton's step; ds and dl are scaled */
  double *tz, *ts, *tl;                  /* change of the point with log h */
  double *across_s, *across_l, across_h; /* normal of the plane at the last point */
} path;

typedef nsds_path_contact contact;

static contact central_path_contact_of(const path *t, int k) {
  return nsds_path_contact_of(t->law, k);
}

static double height(const path *t) { return exp(t->now.log_height); }

/* ---- the equations ---- */

typedef struct smooth_length {
  double value, by_s, by_h; /* derivatives by s_0 and log h */
} smooth_length;

/* Computes (|l_T|^2 + delta^2)^(1/2). delta is a part of h / s, the l of a contact that sticks. */
static smooth_length central_path_shift_of(const path *t, contact c) {
  const double *l = t->now.l + c.row, s = t->now.s[c.row];
  double h = height(t), unit = sqrt(h * c.R), delta = softness * h / (s + unit);
  double value = sqrt(nsds_inner_product(c.m - 1, l + 1, l + 1) + delta * delta);
  double square = delta * delta / value;
  return (smooth_length){value, -square / (s + unit), square * (1.0 - 0.5 * unit / (s + unit))};
}

/* Computes w = the derivative of L times x. */
static void central_path_derivative(const path *t, contact c, const double *x, double *w) {
  const double *l = t->now.l + c.row;
  w[0] =
      c.mu * (x[0] - nsds_inner_product(c.m - 1, l + 1, x + 1) / central_path_shift_of(t, c).value);
  for (int i = 1; i < c.m; ++i) w[i] = x[i];
}

static bool central_path_scale(path *t) {
  for (int k = 0; k < t->count; ++k) {
    contact c = central_path_contact_of(t, k);
    if (!nsds_cone_scaling(c.m, t->now.s + c.row, t->now.l + c.row, &t->now.pair[k], &t->eta[k],
                           t->ab + c.row, t->v + c.row))
      return false;
  }
  return true;
}

/* Measures the residual of the point: its largest energy over h, and the distance from the center
 * over h. */
static void central_path_measure(path *t, double *energy, double *distance) {
  double h = height(t);
  nsds_equations_multiply(t->law, t->now.z, t->residual);
  *energy = *distance = 0.0;
  for (int k = 0; k < t->count; ++k) {
    contact c = central_path_contact_of(t, k);
    const double *l = t->now.l + c.row, *v = t->v + c.row;
    double x[most], *r = t->residual + c.row;
    for (int i = 0; i < c.m; ++i) {
      r[i] += t->law->at.weight[c.row + i] * t->now.z[c.row + i];
      r[i] -= i > 0 ? l[i] : c.mu * (l[0] - central_path_shift_of(t, c).value);
      *energy = fmax(*energy, r[i] * r[i] * c.R / h);
    }
    nsds_cone_product(c.m, v, v, x);
    x[0] -= h;
    *distance = fmax(*distance, nsds_vector_length(c.m, x) / h);
  }
}

/* ---- directions ---- */

static void central_path_linearise(path *t, contact c) {
  const nsds_linearised *at = &t->law->at;
  double P[most * most], *A = at->A + at->first[c.k], *B = at->B + at->first[c.k];
  nsds_cone_inverse_square(c.m, t->eta[c.k], t->ab + c.row, P);
  for (int j = 0; j < c.m; ++j) {
    central_path_derivative(t, c, P + j * c.m, A + j * c.m);
    for (int i = 0; i < c.m; ++i) {
      if (j == 0) A[i] *= c.mu;
      B[i + j * c.m] = i == j;
    }
  }
  A[0] += c.mu * c.mu * central_path_shift_of(t, c).by_s;
}

/* Finds the step for the right-hand side and the scaled target of all contacts. */
static void central_path_find_step(path *t, double *dz, double *ds, double *dl) {
  nsds_equations_solve(t->law, dz);
  for (int k = 0; k < t->count; ++k) {
    contact c = central_path_contact_of(t, k);
    double x[most];
    for (int i = 0; i < c.m; ++i) x[i] = (i == 0 ? c.mu : 1.0) * dz[c.row + i];
    nsds_cone_unscale(c.m, t->eta[k], t->ab + c.row, x, ds + c.row);
    for (int i = 0; i < c.m; ++i) dl[c.row + i] = t->target[c.row + i] - ds[c.row + i];
  }
}

/* Aims at Newton's step at this height, or at the derivative by log h. */
static void central_path_aim(path *t, bool by_height) {
  for (int k = 0; k < t->count; ++k) {
    contact c = central_path_contact_of(t, k);
    double centre[most] = {height(t)}, x[most], y[most], *target = t->target + c.row;
    double *phi = t->law->at.phi + c.row;
    nsds_cone_divide(c.m, t->v + c.row, centre, target);
    for (int i = 0; !by_height && i < c.m; ++i) target[i] -= t->v[c.row + i];
    nsds_cone_unscale(c.m, t->eta[k], t->ab + c.row, target, x);
    central_path_derivative(t, c, x, y);
    for (int i = 0; i < c.m; ++i) phi[i] = (by_height ? 0.0 : t->residual[c.row + i]) - y[i];
    if (by_height) phi[0] += c.mu * central_path_shift_of(t, c).by_h;
  }
}

static nsds_status find_directions(path *t) {
  for (int k = 0; k < t->count; ++k) central_path_linearise(t, central_path_contact_of(t, k));
  nsds_status status = nsds_equations_factor(t->law);
  if (status) return status;
  central_path_aim(t, false);
  central_path_find_step(t, t->dz, t->ds, t->dl);
  central_path_aim(t, true);
  central_path_find_step(t, t->tz, t->ts, t->tl);
  return NSDS_OK;
}

/* ---- the plane across the path ---- */

/* Returns how far a scaled step goes through the plane, without the part of log h. */
static double across(const path *t, const double *ds, const double *dl) {
  double sum = 0.0, x[most];
  for (int k = 0; k < t->count; ++k) {
    contact c = central_path_contact_of(t, k);
    nsds_cone_scale(c.m, t->eta[k], t->ab + c.row, ds + c.row, x);
    sum += nsds_inner_product(c.m, t->across_s + c.row, x);
    nsds_cone_unscale(c.m, t->eta[k], t->ab + c.row, dl + c.row, x);
    sum += nsds_inner_product(c.m, t->across_l + c.row, x);
  }
  return sum;
}

/* Returns the length of the change for a unit of log h. */
static double tangent_length(const path *t) {
  double sum = nsds_inner_product(t->n, t->ts, t->ts) + nsds_inner_product(t->n, t->tl, t->tl);
  return sqrt(1.0 + sum / height(t) / t->count);
}

/* Returns the cosine between the tangent and the plane's normal. The sign tells the way on. */
static double cosine(const path *t) {
  return (across(t, t->ts, t->tl) + t->across_h) / tangent_length(t);
}

/* Sets the plane across the tangent at the point. The tangent points down or onwards. */
static void set_plane(path *t, bool down) {
  t->across_h = (down || cosine(t) < 0.0 ? -1.0 : 1.0) / tangent_length(t);
  double share = t->across_h / height(t) / t->count;
  for (int k = 0; k < t->count; ++k) {
    contact c = central_path_contact_of(t, k);
    double *s = t->across_s + c.row, *l = t->across_l + c.row;
    nsds_cone_unscale(c.m, t->eta[k], t->ab + c.row, t->ts + c.row, s);
    nsds_cone_scale(c.m, t->eta[k], t->ab + c.row, t->tl + c.row, l);
    for (int i = 0; i < c.m; ++i) {
      s[i] *= share;
      l[i] *= share;
    }
  }
}

/* ---- steps ---- */

/* Returns the change of log h with which the step goes `length` through the plane, and adds it to
 * the step. */
static double bend(path *t, double length) {
  double change = (length - across(t, t->ds, t->dl)) / (across(t, t->ts, t->tl) + t->across_h);
  for (int i = 0; i < t->n; ++i) {
    t->dz[i] += change * t->tz[i];
    t->ds[i] += change * t->ts[i];
    t->dl[i] += change * t->tl[i];
  }
  return change;
}

static double central_path_to_boundary(const path *t) {
  double length = INFINITY;
  for (int k = 0; k < t->count; ++k) {
    contact c = central_path_contact_of(t, k);
    length = fmin(length, nsds_cone_step(c.m, t->v + c.row, t->ds + c.row));
    length = fmin(length, nsds_cone_step(c.m, t->v + c.row, t->dl + c.row));
  }
  return length;
}

/* Moves from the scaled point, where nothing cancels. */
static void central_path_move(path *t, double length, double change) {
  for (int i = 0; i < t->n; ++i) t->now.z[i] += length * t->dz[i];
  t->now.log_height += length * change;
  for (int k = 0; k < t->count; ++k) {
    contact c = central_path_contact_of(t, k);
    double x[most], y[most];
    for (int i = 0; i < c.m; ++i) {
      x[i] = t->v[c.row + i] + length * t->ds[c.row + i];
      y[i] = t->v[c.row + i] + length * t->dl[c.row + i];
    }
    t->now.pair[k] =
        nsds_cone_place(c.m, t->eta[k], t->ab + c.row, x, y, t->now.s + c.row, t->now.l + c.row);
  }
}

/* Corrects until the point is on the path, in the plane or at its height. The directions are then
 * those of the point. Returns the number of corrections, or -1 if they do not lead there. */
static int central_path_correct(path *t, bool in_plane, int limit, nsds_status *status) {
  double energy, distance, before = INFINITY, damping = 1.0;
  for (int k = 0, shorts = 0;; ++k) {
    if (!central_path_scale(t)) return -1;
    central_path_measure(t, &energy, &distance);
    if ((*status = find_directions(t))) return -1;
    if (distance < off_centre && energy < unbalanced) return k;
    if (k == limit) return -1;
    double change = in_plane ? bend(t, 0.0) : 0.0, off = fmax(distance, sqrt(energy));
    damping = off < before ? fmin(1.0, grows * damping) : fmax(shrinks * damping, least_damping);
    before = off;
    double length = fmin(damping, within * central_path_to_boundary(t));
    shorts = length < short_step && damping == 1.0 ? shorts + 1 : 0;
    if (in_plane && !(fabs(change) * length <= far_off && shorts < most_short_steps)) return -1;
    central_path_move(t, length, change);
  }
}

static void central_path_copy(const path *t, const point *from, point *to) {
  size_t bytes = (size_t)t->n * sizeof(double);
  memcpy(to->z, from->z, bytes);
  memcpy(to->s, from->s, bytes);
  memcpy(to->l, from->l, bytes);
  memcpy(to->pair, from->pair, (size_t)t->count * sizeof *from->pair);
  to->log_height = from->log_height;
}

/* Goes to the next point of the path. Returns false, without a move, if that fails. */
static bool central_path_advance(path *t, double length, int *corrections, nsds_status *status) {
  central_path_copy(t, &t->now, &t->old);
  double change = bend(t, length);
  central_path_move(t, fmin(1.0, within * central_path_to_boundary(t)), change);
  *corrections = central_path_correct(t, true, most_corrections, status);
  if (*corrections >= 0 && (length <= sure_length || fabs(cosine(t)) > least_cosine)) return true;
  central_path_copy(t, &t->old, &t->now);
  if (*status && *status != NSDS_ERROR_SINGULAR) return false;
  double energy, distance;
  if (!central_path_scale(t)) *status = NSDS_ERROR_SINGULAR;
  central_path_measure(t, &energy, &distance);
  *status = find_directions(t);
  return false;
}

/* ---- the path ---- */

bool nsds_paths_serve(const nsds_sweeps *sweeps) {
  for (int k = 0; k < sweeps->nunit; ++k) {
    const nsds_block *block = &sweeps->unit[k].block;
    if (block->set != NSDS_SET_COULOMB || block->size > most || !(block->mu > 0.0)) return false;
  }
  return true;
}

static path central_path_open(const nsds_path_room *room, nsds_equations *law) {
  path t = {.law = law, .n = law->problem->n, .count = law->sweeps.nunit};
  double **const place[nsds_path_arrays] = {
      &t.now.z, &t.now.s, &t.now.l,    &t.old.z,    &t.old.s,   &t.old.l, &t.eta,
      &t.ab,    &t.v,     &t.residual, &t.target,   &t.dz,      &t.ds,    &t.dl,
      &t.tz,    &t.ts,    &t.tl,       &t.across_s, &t.across_l};
  NSDS_SHARE(room->memory, t.n, place);
  t.now.pair = room->pair;
  t.old.pair = room->pair + t.count;
  return t;
}

/* Starts at the axes of the cones, at the energy of the load. */
static bool central_path_start(path *t) {
  double energy = 0.0;
  for (int i = 0; i < t->n; ++i) {
    double load = t->law->at.root[i] * t->law->problem->q[i];
    energy = fmax(energy, load * load);
    t->now.z[i] = t->now.s[i] = t->now.l[i] = t->law->centre[i] = 0.0;
  }
  for (int k = 0; k < t->count; ++k) {
    contact c = central_path_contact_of(t, k);
    double s = sqrt(energy * c.R), l = sqrt(energy / c.R);
    t->now.z[c.row] = s / c.mu;
    t->now.s[c.row] = s;
    t->now.l[c.row] = l;
    t->now.pair[k] = (nsds_cone_pair){s, l, s * l};
  }
  t->now.log_height = log(energy);
  return energy > 0.0 && isfinite(energy);
}

nsds_status nsds_central_path_follow(const nsds_path_room *room, nsds_equations *law, bool *over) {
  path t = central_path_open(room, law);
  nsds_status status = NSDS_OK;
  nsds_progress progress = NSDS_GOES_ON;
  int corrections = 0;
  double length = 1.0;
  nsds_equations_weigh(law, weight);
  bool on_path =
      central_path_start(&t) && central_path_correct(&t, false, first_corrections, &status) >= 0;
  double first = t.now.log_height, last = first + log(least_height);
  double back = first + log(most_height);
  if (on_path) set_plane(&t, true);
  for (int k = 0; on_path && k < most_trials; ++k) {
    bool moved = central_path_advance(&t, length, &corrections, &status);
    if (status) break;
    nsds_project(law->problem, t.now.z, t.target);
    progress = nsds_equations_offer(law, t.target, moved);
    if (progress != NSDS_GOES_ON) break;
    if (moved) set_plane(&t, false);
    if (!moved) length *= refused;
    else if (corrections <= few_corrections) length = fmin(longer * length, longest);
    else if (corrections > many_corrections) length *= shorter;
    on_path = length > least_length && t.now.log_height > last && t.now.log_height < back;
  }
  *over = progress == NSDS_OVER;
  return status == NSDS_ERROR_SINGULAR ? NSDS_OK : status;
}
