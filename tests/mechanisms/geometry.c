/*
 * Gaps at the start, and rows of links at a state. H is read from the library: with the velocity e_j,
 * dy/dt is column j of H (no relation depends on time). M is of the mechanism's own making.
 */
#include "mechanisms.h"

#include <math.h>
#include <string.h>

void body_to_world(const mechanism *m, int k, const double local[3], double out[3]) {
  const double *q = m->body[k].q;
  if (m->world == SPACE) {
    nsds_to_world(q, local, out);
    for (int i = 0; i < 3; ++i) out[i] += q[i];
    return;
  }
  out[0] = q[0] + cos(q[2]) * local[0] - sin(q[2]) * local[1];
  out[1] = q[1] + sin(q[2]) * local[0] + cos(q[2]) * local[1];
  out[2] = 0.0;
}

static double dot(const double a[3], const double b[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

double gap_of(const mechanism *m, const connection *c) {
  double x[3] = {0.0, 0.0, 0.0}, y[3], n[3];
  if (c->kind == TIP) {
    for (int i = 0; i <= c->a; ++i) {
      x[0] += m->body[i].size * sin(m->body[i].q[0]);
      x[1] -= m->body[i].size * cos(m->body[i].q[0]);
    }
    return dot(c->normal, x) - c->plane;
  }
  body_to_world(m, c->a, c->center[0], x);
  if (c->kind == GROUND) return dot(c->normal, x) - c->plane - c->radius[0];
  if (c->kind == SPHERES) {
    body_to_world(m, c->b, c->center[1], y);
    for (int i = 0; i < 3; ++i) x[i] -= y[i];
    return sqrt(dot(x, x)) - c->radius[0] - c->radius[1];
  }
  const double origin[3] = {0.0, 0.0, 0.0};
  body_to_world(m, c->b, origin, y);
  body_to_world(m, c->b, c->normal, n);
  for (int i = 0; i < 3; ++i) n[i] -= y[i], x[i] -= y[i];
  return dot(n, x) - c->plane;
}

int rows_of(const mechanism *m, const connection *c) {
  bool rough = c->law.kind == FRICTION || c->law.kind == FREMOND;
  if (c->kind != JOINT) return !rough ? 1 : m->world == SPACE ? 3 : 2;
  if (m->world == PLANE) {
    static const int plane[] = {[NSDS_JOINT_BALL] = 2,
                                [NSDS_JOINT_HINGE] = 2,
                                [NSDS_JOINT_PRISMATIC] = 2,
                                [NSDS_JOINT_FIXED] = 3};
    return c->joint >= NSDS_JOINT_DISTANCE ? 1 : plane[c->joint];
  }
  static const int space[] = {[NSDS_JOINT_BALL] = 3,
                              [NSDS_JOINT_HINGE] = 5,
                              [NSDS_JOINT_PRISMATIC] = 5,
                              [NSDS_JOINT_CYLINDRICAL] = 4,
                              [NSDS_JOINT_FIXED] = 6};
  return c->joint >= NSDS_JOINT_DISTANCE ? 1 : space[c->joint];
}

/* ---- masses ---- */

static int velocities(const mechanism *m) {
  return m->world == SPACE ? 6 : m->world == PLANE ? 3 : 1;
}

static void mass_matrix(const mechanism *m, const double *q, double M[MOST_V][MOST_V]) {
  int n = velocities(m);
  memset(M, 0, sizeof(double[MOST_V][MOST_V]));
  for (int k = 0; k < m->bodies; ++k)
    for (int i = 0; i < n; ++i) {
      int linear = m->world == SPACE ? 3 : m->world == PLANE ? 2 : 1;
      M[k * n + i][k * n + i] =
          i < linear ? m->body[k].mass : m->body[k].inertia[m->world == SPACE ? i - 3 : 0];
    }
  for (int i = 0; i < m->bodies && m->world == CHAIN; ++i)
    for (int j = 0; j < m->bodies; ++j) {
      double beyond = 0.0;
      for (int k = i > j ? i : j; k < m->bodies; ++k) beyond += m->body[k].mass;
      M[i][j] = beyond * m->body[i].size * m->body[j].size * cos(q[i] - q[j]);
    }
  for (int k = 0; k < m->bodies; ++k) /* a prescribed velocity: a mass that nothing moves */
    for (int i = 0; i < n; ++i)
      if (m->body[k].drive.dofs >> i & 1u) M[k * n + i][k * n + i] += 1e14;
}

static bool factor(double M[MOST_V][MOST_V], int n, double L[MOST_V][MOST_V]) {
  memset(L, 0, sizeof(double[MOST_V][MOST_V]));
  for (int j = 0; j < n; ++j)
    for (int i = j; i < n; ++i) {
      double s = M[i][j];
      for (int k = 0; k < j; ++k) s -= L[i][k] * L[j][k];
      if (i == j && !(s > 0.0)) return false;
      L[i][j] = i == j ? sqrt(s) : s / L[j][j];
    }
  return true;
}

/* ---- rows ---- */

static void set_states(built *b, const double *q, const double *v) {
  for (int k = 0, iq = 0, iv = 0; k < b->systems; ++k) {
    nsds_set_state(b->ds[k], q + iq, v + iv);
    iq += nsds_nq(b->ds[k]);
    iv += b->ndof[k];
  }
}

bool rows_at(const mechanism *m, built *twin, const double *q, const double *v, rows *out) {
  double M[MOST_V][MOST_V], unit[MOST_V] = {0.0};
  memset(out, 0, sizeof *out);
  out->nv = m->bodies * velocities(m);
  for (int k = 0; k < m->links; ++k) {
    out->first[k] = out->n;
    out->size[k] = nsds_interaction_size(twin->link[k]);
    out->n += out->size[k];
  }
  set_states(twin, q, v);
  for (int k = 0; k < m->links; ++k)
    for (int i = 0; i < out->size[k]; ++i) {
      out->y[out->first[k] + i] = nsds_y(twin->link[k])[i];
      out->ydot[out->first[k] + i] = nsds_ydot(twin->link[k])[i];
    }
  for (int j = 0; j < out->nv; ++j) {
    unit[j] = 1.0;
    set_states(twin, q, unit);
    for (int k = 0; k < m->links; ++k)
      for (int i = 0; i < out->size[k]; ++i)
        out->H[out->first[k] + i][j] = nsds_ydot(twin->link[k])[i];
    unit[j] = 0.0;
  }
  if (nsds_error(nsds_model_context(twin->model)) != NSDS_OK) return false;
  mass_matrix(m, q, M);
  if (!factor(M, out->nv, out->L)) return false;
  for (int r = 0; r < out->n; ++r) /* Y = H L^-T */
    for (int i = 0; i < out->nv; ++i) {
      double s = out->H[r][i];
      for (int k = 0; k < i; ++k) s -= out->L[i][k] * out->Y[r][k];
      out->Y[r][i] = s / out->L[i][i];
    }
  return true;
}

/* ---- the start ---- */

typedef struct basis {
  int count, n;
  double x[MOST_V][MOST_V];
} basis;

static double product(const double *a, const double *b, int n) {
  double s = 0.0;
  for (int i = 0; i < n; ++i) s += a[i] * b[i];
  return s;
}

static void remove_components(const basis *b, double *x) {
  for (int pass = 0; pass < 2; ++pass)
    for (int k = 0; k < b->count; ++k) {
      double s = product(x, b->x[k], b->n);
      for (int i = 0; i < b->n; ++i) x[i] -= s * b->x[k][i];
    }
}

/* Rows of Y, made orthonormal one after the other; those that say nothing new are left out. */
static void take(basis *b, const double *row) {
  double x[MOST_V];
  memcpy(x, row, sizeof x);
  remove_components(b, x);
  double size = sqrt(product(x, x, b->n));
  if (b->count == b->n || size <= 1e-8 * sqrt(product(row, row, b->n))) return;
  for (int i = 0; i < b->n; ++i) b->x[b->count][i] = x[i] / size;
  ++b->count;
}

/* v without what rows of the basis see of it, L^T v being the coordinates of Y. */
static void project(const rows *r, const basis *b, double *v) {
  double w[MOST_V];
  int n = r->nv;
  for (int i = 0; i < n; ++i) {
    w[i] = 0.0;
    for (int k = i; k < n; ++k) w[i] += r->L[k][i] * v[k];
  }
  remove_components(b, w);
  for (int i = n - 1; i >= 0; --i) {
    double s = w[i];
    for (int k = i + 1; k < n; ++k) s -= r->L[k][i] * v[k];
    v[i] = s / r->L[i][i];
  }
}

/* Whether joints and drives leave no freedom to a contact, which would ask them to give way. */
static bool blocks(const mechanism *m, const rows *r, const basis *joints) {
  for (int k = 0; k < m->links; ++k) {
    double x[MOST_V];
    if (m->link[k].law.kind == EQUALITY || m->link[k].law.kind == RELAY) continue;
    memcpy(x, r->Y[r->first[k]], sizeof x);
    remove_components(joints, x);
    if (product(x, x, r->nv) < 1e-4) return true;
  }
  return false;
}

bool start_velocities(mechanism *m) {
  built twin = build_twin(m);
  double q[MOST_Q], v[MOST_V];
  static rows r;
  int n = velocities(m);
  where(&twin, q, v);
  for (int k = 0; k < m->bodies; ++k)
    for (int i = 0; i < n; ++i) {
      const drive *d = &m->body[k].drive;
      v[k * n + i] = d->dofs >> i & 1u ? d->mean : m->body[k].v[i];
    }
  bool good = nsds_error(nsds_model_context(twin.model)) == NSDS_OK && rows_at(m, &twin, q, v, &r);
  nsds_model_destroy(twin.model);
  if (!good) return true; /* the runs will tell */
  basis b = {.n = r.nv};
  for (int k = 0; k < m->links; ++k)
    for (int i = 0; i < r.size[k] && m->link[k].law.kind == EQUALITY; ++i)
      take(&b, r.Y[r.first[k] + i]);
  if (blocks(m, &r, &b)) return false;
  for (int k = 0; k < m->links; ++k)
    if (m->link[k].closed && m->link[k].law.kind != EQUALITY) take(&b, r.Y[r.first[k]]);
  project(&r, &b, v);
  for (int k = 0; k < m->bodies; ++k)
    for (int i = 0; i < n; ++i) {
      const drive *d = &m->body[k].drive;
      m->body[k].v[i] = d->dofs >> i & 1u ? d->mean : v[k * n + i];
    }
  return true;
}
