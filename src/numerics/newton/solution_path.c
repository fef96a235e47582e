/* Solutions of a friction problem as its weight falls, see continuation.h. */
#include "numerics/newton/solution_path.h"

#include "numerics/newton/continuation.h"
#include "numerics/newton/equations.h"
#include "numerics/sets/blockwise.h"
#include "numerics/sets/sets.h"
#include "numerics/solver_tools.h"
#include "numerics/store.h"

enum {
  most = nsds_path_rows,
  arrays = 13,
  start_steps = 20, /* of Newton's method to the first point */
  corrections = 6,  /* of a point */
  trials = 20,      /* lengths of a step */
  free_steps = 2    /* corrections that need not fall yet */
};
enum { OPEN, STICKS, SLIDES, states };

static const double accurate = 1e-4, rounding = 1e-13; /* error of a point: part of e; at least */
static const double start_accurate = 1e-6;             /* of the first point */
static const double falls = 0.5;              /* error of a correction relative to the last one */
static const double far_off = 2.0;            /* change of log e in a correction; way of a step */
static const double beyond = 10.0;            /* errors: a boundary has been passed */
static const double longest = 0.5;            /* change of log e in a step */
static const double turn = 0.3, shrink = 0.5; /* largest of a sliding direction in a step */
static const double shorter = 0.3;            /* of a step after a failure */
static const double least_weight = 1e-9, leads_back = 100.0; /* e where the path ends */

typedef struct path {
  nsds_equations *law;
  nsds_problem load_free;
  int n, count;
  unsigned char *state;
  double *x, *old, *z, *w, *g, *Mz, *dx, *dz, *zero;
  double *by_e, *tangent, *normal; /* dx / d log e now and at the start of the step; of the plane */
  double *size;                    /* of the terms of each contact */
  double log_e;
} path;

typedef nsds_path_contact contact;

static contact solution_path_contact_of(const path *t, int k) {
  return nsds_path_contact_of(t->law, k);
}

static double weight_of_row(const path *t, int i) {
  return exp(t->log_e) / (t->law->at.root[i] * t->law->at.root[i]);
}

/* ---- pieces ---- */

/* Returns a function that vanishes when a contact changes its state, positive before, and its
 * gradient. */
static double boundary(contact c, int from, int to, const double *x, double *gradient) {
  double sign = from == SLIDES ? 1.0 : -1.0, length = nsds_vector_length(c.m - 1, x + 1);
  bool opens = from == OPEN || to == OPEN;
  gradient[0] = sign * (opens ? 1.0 : -c.mu);
  for (int i = 1; i < c.m; ++i) gradient[i] = opens || length == 0.0 ? 0.0 : sign * x[i] / length;
  return sign * (opens ? x[0] : length - c.mu * x[0]);
}

static bool solution_path_neighbours(int from, int to) {
  return (from == SLIDES) != (to == SLIDES);
}

static int state_at(contact c, const double *x) {
  if (x[0] <= 0.0) return OPEN;
  return nsds_vector_length(c.m - 1, x + 1) <= c.mu * x[0] ? STICKS : SLIDES;
}

/* Computes z and w of x. */
static void solution_path_place(path *t) {
  for (int k = 0; k < t->count; ++k) {
    contact c = solution_path_contact_of(t, k);
    const double *x = t->x + c.row, *rho = t->law->rho + c.row;
    double share = c.mu * x[0] / nsds_vector_length(c.m - 1, x + 1);
    for (int i = 0; i < c.m; ++i) {
      double z = t->state[k] == OPEN ? 0.0 : t->state[k] == STICKS || i == 0 ? x[i] : share * x[i];
      t->z[c.row + i] = z;
      t->w[c.row + i] = (z - x[i]) / rho[i];
    }
  }
}

/* Computes g = M z + q + e R^-1 (z - c) - w. Returns the largest over the contacts, relative to
 * their terms. */
static double error(path *t) {
  const nsds_equations *law = t->law;
  double largest = 0.0;
  solution_path_place(t);
  nsds_equations_multiply(law, t->z, t->g);
  for (int k = 0; k < t->count; ++k) {
    contact c = solution_path_contact_of(t, k);
    double sum = 0.0;
    for (int i = c.row; i < c.row + c.m; ++i) {
      t->g[i] += weight_of_row(t, i) * (t->z[i] - law->centre[i]) - t->w[i];
      sum += t->g[i] * t->g[i] * law->rho[i];
    }
    if (!(sum <= largest * largest * t->size[k] * t->size[k])) largest = sqrt(sum) / t->size[k];
  }
  return largest;
}

static void solution_path_measure(path *t) {
  const nsds_solver *solver = t->law->watch.solver;
  const double *work = solver->toolbox->certify_work;
  solution_path_place(t);
  nsds_solver_residual(solver, t->law->problem, t->z, NULL);
  for (int k = 0; k < t->count; ++k) {
    contact c = solution_path_contact_of(t, k);
    double sum = 0.0;
    for (int i = c.row; i < c.row + c.m; ++i)
      sum += work[t->n + i] * work[t->n + i] * t->law->rho[i];
    t->size[k] = sum > 0.0 ? sqrt(sum) : 1.0;
  }
}

/* ---- the linear system ---- */

/* Sets A = I - dz / dx, B = dz / dx diag(rho), and factors. */
static nsds_status factorise(path *t) {
  nsds_equations *law = t->law;
  const nsds_linearised *at = &law->at;
  nsds_equations_weigh(law, exp(t->log_e));
  for (int k = 0; k < t->count; ++k) {
    contact c = solution_path_contact_of(t, k);
    const double *x = t->x + c.row;
    double *A = at->A + at->first[k], *B = at->B + at->first[k];
    double length = nsds_vector_length(c.m - 1, x + 1), share = c.mu * x[0] / length;
    for (int j = 0; j < c.m; ++j)
      for (int i = 0; i < c.m; ++i) {
        double p = t->state[k] != OPEN && i == j;
        if (t->state[k] == SLIDES && i > 0)
          p = j == 0 ? c.mu * x[i] / length : share * (p - x[i] / length * (x[j] / length));
        A[i + j * c.m] = (i == j) - p;
        B[i + j * c.m] = p * law->rho[c.row + j];
      }
  }
  return nsds_equations_factor(law);
}

/* Computes dx, the change of x that removes g. */
static void solution_path_solve(path *t, const double *g, double *dx) {
  nsds_equations *law = t->law;
  const nsds_linearised *at = &law->at;
  for (int k = 0; k < t->count; ++k) {
    contact c = solution_path_contact_of(t, k);
    const double *B = at->B + at->first[k];
    for (int i = 0; i < c.m; ++i) {
      at->phi[c.row + i] = 0.0;
      for (int j = 0; j < c.m; ++j) at->phi[c.row + i] += B[i + j * c.m] * g[c.row + j];
    }
  }
  nsds_equations_solve(law, t->dz);
  nsds_problem_multiply(&t->load_free, t->dz, t->Mz, law->watch.solver->toolbox->certify_work);
  for (int k = 0; k < t->count; ++k) {
    contact c = solution_path_contact_of(t, k);
    for (int i = c.row; i < c.row + c.m; ++i) {
      double dw = t->Mz[i] + at->weight[i] * t->dz[i] + g[i];
      bool held = t->state[k] == STICKS || (t->state[k] == SLIDES && i == c.row);
      dx[i] = (t->state[k] == OPEN ? 0.0 : t->dz[i]) - (held ? 0.0 : law->rho[i] * dw);
    }
  }
}

/* Computes by_e = dx / d log e; the factors are those of the point. */
static void differentiate(path *t) {
  solution_path_place(t);
  for (int i = 0; i < t->n; ++i) t->w[i] = weight_of_row(t, i) * (t->z[i] - t->law->centre[i]);
  solution_path_solve(t, t->w, t->by_e);
}

/* ---- steps ---- */

/* A change of state at which a step ends; contact -1: none. */
typedef struct event {
  int contact, to;
} event;

/* Corrects to the curve: at the event if there is one, else within the plane. */
static bool solution_path_correct(path *t, event at, double normal_e, double tolerance) {
  double last = INFINITY;
  for (int step = 0;; ++step) {
    double now = error(t);
    if (now <= tolerance && (step > 0 || at.contact < 0)) return true;
    if (!isfinite(now) || step == corrections || (step > free_steps && now > falls * last))
      return false;
    last = now;
    if (factorise(t)) return false;
    solution_path_solve(t, t->g, t->dx);
    differentiate(t);
    double off = 0.0, slope = normal_e, gradient[most];
    if (at.contact >= 0) {
      contact c = solution_path_contact_of(t, at.contact);
      off = boundary(c, t->state[at.contact], at.to, t->x + c.row, gradient);
      off += nsds_inner_product(c.m, gradient, t->dx + c.row);
      slope = nsds_inner_product(c.m, gradient, t->by_e + c.row);
    } else {
      off = nsds_inner_product(t->n, t->normal, t->dx);
      slope += nsds_inner_product(t->n, t->normal, t->by_e);
    }
    double change = -off / slope;
    if (!(fabs(change) < far_off)) return false;
    for (int i = 0; i < t->n; ++i) t->x[i] += t->dx[i] + change * t->by_e[i];
    t->log_e += change;
  }
}

/* Returns how far the tangent leads in direction `sign`, in log e, until a contact changes its
 * state or a direction of sliding has turned. */
static double solution_path_predict(const path *t, double sign, event *at) {
  double length = longest;
  *at = (event){-1, 0};
  for (int k = 0; k < t->count; ++k) {
    contact c = solution_path_contact_of(t, k);
    double gradient[most], *x = t->x + c.row, d[most], across[most];
    for (int i = 0; i < c.m; ++i) d[i] = sign * t->tangent[c.row + i];
    for (int to = 0; to < states; ++to) {
      if (!solution_path_neighbours(t->state[k], to)) continue;
      double value = fmax(boundary(c, t->state[k], to, x, gradient), 0.0);
      double rate = -nsds_inner_product(c.m, gradient, d);
      if (!(rate * length > value)) continue;
      length = value / rate;
      *at = (event){k, to};
    }
    if (t->state[k] != SLIDES) continue;
    double size = nsds_vector_length(c.m - 1, x + 1),
           along = nsds_inner_product(c.m - 1, x + 1, d + 1) / size;
    for (int i = 1; i < c.m; ++i) across[i] = d[i] - along * x[i] / size;
    double rate = fmax(nsds_vector_length(c.m - 1, across + 1) / turn, -along / shrink) / size;
    if (!(rate * length > 1.0)) continue;
    length = 1.0 / rate;
    *at = (event){-1, 0};
  }
  return length;
}

/* Finds the first contact beyond a boundary now, and the part of the way at which it was met. */
static event find_missed(const path *t, event met, double tolerance, double *share) {
  event first = {-1, 0};
  *share = 1.0;
  for (int k = 0; k < t->count; ++k) {
    contact c = solution_path_contact_of(t, k);
    double gradient[most], limit = beyond * tolerance * t->size[k] * sqrt(t->law->rho[c.row]);
    for (int to = 0; k != met.contact && to < states; ++to) {
      if (!solution_path_neighbours(t->state[k], to)) continue;
      double now = boundary(c, t->state[k], to, t->x + c.row, gradient);
      if (!(now < -limit)) continue;
      double before = fmax(boundary(c, t->state[k], to, t->old + c.row, gradient), 0.0);
      if (before / (before - now) >= *share) continue;
      *share = before / (before - now);
      first = (event){k, to};
    }
  }
  return first;
}

/* Goes to the end of the piece, or part of the way. Returns false, without a move, on failure. */
static bool solution_path_advance(path *t, double sign, double norm, event *at) {
  double length = solution_path_predict(t, sign, at), old_e = t->log_e, share;
  double tolerance = fmax(rounding, accurate * exp(t->log_e));
  memcpy(t->old, t->x, (size_t)t->n * sizeof *t->x);
  if (length == 0.0) return true;
  for (int k = 0; k < trials; ++k) {
    for (int i = 0; i < t->n; ++i) t->x[i] = t->old[i] + length * sign * t->tangent[i];
    t->log_e = old_e + length * sign;
    bool reached = solution_path_correct(t, *at, sign / norm, tolerance);
    double way = (t->log_e - old_e) * sign / norm;
    for (int i = 0; reached && i < t->n; ++i) way += t->normal[i] * (t->x[i] - t->old[i]);
    if (!reached || !(way > shorter * length * norm && way < far_off * length * norm)) {
      length *= shorter;
      *at = (event){-1, 0};
      continue;
    }
    event missed = find_missed(t, *at, tolerance, &share);
    if (missed.contact < 0) return true;
    length *= share;
    *at = missed;
  }
  memcpy(t->x, t->old, (size_t)t->n * sizeof *t->x);
  t->log_e = old_e;
  return false;
}

/* Computes the tangent with the factors of the point. Returns its length in units of the terms of
 * contacts. */
static double find_tangent(path *t) {
  double sum = 1.0;
  differentiate(t);
  memcpy(t->tangent, t->by_e, (size_t)t->n * sizeof *t->tangent);
  for (int k = 0; k < t->count; ++k) {
    contact c = solution_path_contact_of(t, k);
    for (int i = c.row; i < c.row + c.m; ++i) {
      double part = t->tangent[i] / t->size[k];
      sum += part * part / t->law->rho[i];
    }
  }
  return sqrt(sum);
}

/* Returns the direction onwards: into the new piece, or as before. */
static double solution_path_direction(const path *t, event at, int from, double normal_e) {
  double gradient[most];
  if (at.contact < 0)
    return normal_e + nsds_inner_product(t->n, t->normal, t->tangent) > 0.0 ? 1.0 : -1.0;
  contact c = solution_path_contact_of(t, at.contact);
  boundary(c, from, at.to, t->x + c.row, gradient);
  return nsds_inner_product(c.m, gradient, t->tangent + c.row) < 0.0 ? 1.0 : -1.0;
}

static void set_normal(path *t, double sign, double norm) {
  for (int k = 0; k < t->count; ++k) {
    contact c = solution_path_contact_of(t, k);
    double unit = norm * t->size[k] * t->size[k];
    for (int i = c.row; i < c.row + c.m; ++i)
      t->normal[i] = sign * t->tangent[i] / (unit * t->law->rho[i]);
  }
}

/* ---- the path ---- */

static path solution_path_open(const nsds_path_room *room, nsds_equations *law) {
  path t = {.law = law,
            .load_free = *law->problem,
            .n = law->problem->n,
            .count = law->sweeps.nunit,
            .state = room->state,
            .log_e = log(law->e)};
  double **const place_of[arrays] = {&t.x,  &t.old,  &t.z,       &t.w,      &t.g,    &t.Mz,  &t.dx,
                                     &t.dz, &t.zero, &t.tangent, &t.normal, &t.by_e, &t.size};
  NSDS_SHARE(room->memory, t.n, place_of);
  for (int i = 0; i < t.n; ++i) t.zero[i] = 0.0;
  t.load_free.q = t.zero;
  return t;
}

/* Runs Newton's method at the first e from the center z; contacts take any state. */
static bool solution_path_start(path *t, const double *z) {
  const nsds_equations *law = t->law;
  nsds_equations_multiply(law, z, t->Mz);
  for (int i = 0; i < t->n; ++i) t->x[i] = z[i] - law->rho[i] * t->Mz[i];
  for (int step = 0; step < start_steps; ++step) {
    for (int k = 0; k < t->count; ++k) {
      contact c = solution_path_contact_of(t, k);
      t->state[k] = (unsigned char)state_at(c, t->x + c.row);
    }
    solution_path_measure(t);
    double now = error(t);
    if (now <= start_accurate * exp(t->log_e)) return true;
    if (!isfinite(now) || factorise(t)) return false;
    solution_path_solve(t, t->g, t->dx);
    for (int i = 0; i < t->n; ++i) t->x[i] += t->dx[i];
  }
  return false;
}

nsds_status nsds_solution_path_follow(const nsds_path_room *room, nsds_equations *law, int limit,
                                      double *z, bool *over) {
  path t = solution_path_open(room, law);
  const int *made = &law->watch.info->factorizations, last = *made + limit;
  double most_log_e = t.log_e + log(leads_back), normal_e = -1.0;
  event at = {-1, 0};
  int from = OPEN;
  *over = false;
  if (!solution_path_start(&t, z)) return NSDS_OK;
  for (int i = 0; i < t.n; ++i) t.normal[i] = 0.0;
  while (*made < last && t.log_e < most_log_e && t.log_e > log(least_weight)) {
    nsds_status status = factorise(&t);
    if (status) return status == NSDS_ERROR_SINGULAR ? NSDS_OK : status;
    solution_path_measure(&t);
    double norm = find_tangent(&t);
    double sign = solution_path_direction(&t, at, from, normal_e);
    normal_e = sign / norm;
    set_normal(&t, sign, norm);
    if (!solution_path_advance(&t, sign, norm, &at)) break;
    if (at.contact >= 0) {
      from = t.state[at.contact];
      t.state[at.contact] = (unsigned char)at.to;
    }
    solution_path_place(&t);
    nsds_project(law->problem, t.z, t.z);
    nsds_progress progress = nsds_equations_offer(law, t.z, true);
    *over = progress == NSDS_OVER;
    if (progress != NSDS_GOES_ON) break;
    memcpy(z, t.z, (size_t)t.n * sizeof *z);
  }
  return NSDS_OK;
}
