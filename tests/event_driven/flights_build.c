/*
 * Builds the model of drawn strands: coordinates are alone in a system, mixed with others in one, or bodies.
 */
#include "flights.h"

/* ---- systems ------------------------------------------------------------------------------------ */

static void put(scene *c, int i, int k, int g) {
  group *to = &c->group[g];
  to->strand[to->n] = i;
  to->index[to->n] = k;
  c->at[i][k][0] = g;
  c->at[i][k][1] = to->n++;
}

/* Puts the coordinates of second-order strands into systems: alone, together, or each mass by itself. */
static void group_strands(scene *c) {
  int shared = -1;
  double scale = 0.0;
  for (int i = 0; i < c->nstrand; ++i) {
    const strand *s = &c->strand[i];
    bool apart = s->kind == STRAND_PAIR || (s->kind == STRAND_COLUMN && one_of(c, 2));
    for (int k = 0; k < s->n; ++k) c->at[i][k][0] = -1;
    if (s->kind >= STRAND_SWITCH) continue;
    bool feet = s->kind == STRAND_FEET; /* that land together, if nothing turns them */
    bool joins = !apart && !feet && shared >= 0 && s->scale == scale && one_of(c, 2);
    int g = joins ? shared : c->ngroup++;
    for (int k = 0; k < s->n; ++k) put(c, i, k, apart && k > 0 ? c->ngroup++ : g);
    if (!apart && !feet) shared = g, scale = s->scale;
  }
}

static void turn(group *g, int i, int j, double angle) {
  for (int k = 0; k < g->n; ++k) {
    double a = g->R[k][i], b = g->R[k][j];
    g->R[k][i] = cos(angle) * a - sin(angle) * b;
    g->R[k][j] = sin(angle) * a + cos(angle) * b;
  }
}

static void make_group(scene *c, group *g) {
  double M[most_coordinates * most_coordinates] = {0.0}, q[most_coordinates] = {0.0},
                              v[most_coordinates] = {0.0}, f[most_coordinates] = {0.0};
  for (int k = 0; k < g->n; ++k) g->R[k][k] = 1.0;
  if (one_of(c, 2) && c->strand[g->strand[0]].kind != STRAND_FEET)
    for (int i = 0; i < g->n; ++i)
      for (int j = 0; j < i; ++j) turn(g, i, j, in(c, -2.0, 2.0));
  for (int j = 0; j < g->n; ++j) {
    const strand *s = &c->strand[g->strand[j]];
    int z = g->index[j];
    for (int k = 0; k < g->n; ++k) {
      q[k] += g->R[k][j] * s->z[z];
      v[k] += g->R[k][j] * s->v[z];
      f[k] += g->R[k][j] * s->load[z];
      for (int i = 0; i < g->n; ++i) M[k + i * g->n] += g->R[k][j] * s->mass[z] * g->R[i][j];
    }
  }
  g->ds = nsds_lagrangian_linear(
      c->model,
      &(nsds_lagrangian_linear_def){.ndof = g->n, .q0 = q, .v0 = v, .fext = f, .mass = M});
}

/* ---- rows --------------------------------------------------------------------------------------- */

static int moving_gap(const nsds_arguments *a, double *y, void *user) {
  const moving *m = user;
  double lead = m->s->a * (sin(m->s->w * a->t + m->s->phase) - sin(m->s->phase));
  y[0] = m->b - m->s->gain * lead;
  for (int k = 0; k < m->n; ++k) y[0] += m->H[k] * a->q[k];
  return 0;
}
static int moving_gap_q(const nsds_arguments *a, double *H, void *user) {
  const moving *m = user;
  (void)a;
  for (int k = 0; k < m->n; ++k) H[k] = m->H[k];
  return 0;
}
static int moving_gap_t(const nsds_arguments *a, double *rate, void *user) {
  const moving *m = user;
  rate[0] = -m->s->gain * m->s->a * m->s->w * cos(m->s->w * a->t + m->s->phase);
  return 0;
}
static int moving_bias(const nsds_arguments *a, double *bias, void *user) {
  const moving *m = user;
  bias[0] = m->s->gain * m->s->a * m->s->w * m->s->w * sin(m->s->w * a->t + m->s->phase);
  return 0;
}

/* Connects y = C z + b, with m rows over the coordinates of a strand, to the systems of these. */
static nsds_interaction *tie(scene *c, int i, int m, const double *C, double b0, nsds_law *law) {
  const strand *s = &c->strand[i];
  nsds_ds *ds[2];
  double H[3 * most_coordinates] = {0.0}, b[3] = {b0};
  int nds = 0, nq = 0, group_of[2];
  for (int k = 0; k < s->n; ++k) {
    bool used = false;
    int g = c->at[i][k][0], from = 0, d = 0;
    for (int r = 0; r < m; ++r) used = used || C[r + m * k] != 0.0;
    if (!used) continue;
    for (; d < nds && group_of[d] != g; ++d) from += c->group[group_of[d]].n;
    if (d == nds) group_of[nds] = g, ds[nds++] = c->group[g].ds, nq += c->group[g].n;
    for (int r = 0; r < m; ++r)
      for (int j = 0; j < c->group[g].n; ++j)
        H[r + m * (from + j)] += C[r + m * k] * c->group[g].R[j][c->at[i][k][1]];
  }
  nsds_relation *relation;
  if (s->kind == STRAND_MOVING || s->kind == STRAND_LED) {
    moving *user = &c->moving[c->nmoving++];
    *user = (moving){.s = s, .n = nq, .b = b0};
    memcpy(user->H, H, (size_t)nq * sizeof *H);
    relation = nsds_lagrangian_relation(
        c->model, &(nsds_lagrangian_relation_def){
                      .ny = 1,
                      .nq = nq,
                      .output_fn = moving_gap,
                      .jac_output_q_fn = moving_gap_q,
                      .jac_output_t_fn = moving_gap_t,
                      .bias_fn = c->differences && one_of(c, 2) ? NULL : moving_bias,
                      .user = user});
  } else {
    relation = nsds_lagrangian_linear_relation(
        c->model, &(nsds_lagrangian_linear_relation_def){.ny = m, .nq = nq, .H = H, .b = b});
  }
  nsds_interaction *ia = nsds_connect(c->model, relation, law, nds, ds);
  bool gap = s->kind != STRAND_HELD && s->kind != STRAND_LED;
  if (gap && c->ncontact < most_rows)
    c->contact[c->ncontact].ia = ia, c->contact[c->ncontact++].s = s;
  return ia;
}

static void tie_strand(scene *c, int i) {
  strand *s = &c->strand[i];
  double up = s->gain, b = -s->gain * s->floor;
  nsds_model *m = c->model;
  nsds_law *impact = s->kind < STRAND_SWITCH && s->kind != STRAND_HELD && s->kind != STRAND_LED
                         ? nsds_newton_impact(m, s->e)
                         : NULL;
  nsds_newton_impact_friction_def friction = {.dimension = s->n, .mu = s->mu, .e_n = s->e};
  switch (s->kind) {
  case STRAND_RELAY: {
    double low = -s->mass[0] * s->up, high = s->mass[0] * s->down;
    tie(c, i, 1, &up, b, impact);
    tie(c, i, 1, (double[]){1.0}, 0.1, nsds_relay(m, 1, &low, &high));
    --c->ncontact; /* the relay is no contact */
    break;
  }
  case STRAND_PLANE:
    tie(c, i, 2, (double[]){up, 0, 0, up}, b, nsds_newton_impact_friction(m, &friction));
    break;
  case STRAND_SPACE:
    tie(c, i, 3, (double[]){up, 0, 0, 0, up, 0, 0, 0, up}, b,
        nsds_newton_impact_friction(m, &friction));
    break;
  case STRAND_COLUMN:
    for (int k = 0; k < s->n; ++k) {
      double C[strand_most] = {0.0};
      C[k] = up;
      if (k > 0) C[k - 1] = -up;
      tie(c, i, 1, C, k == 0 ? b : -up * (s->z[k] - s->z[k - 1]), impact);
    }
    break;
  case STRAND_FEET:
    for (int k = 0; k < s->feet; ++k) tie(c, i, 1, (double[]){up, up * s->foot[k]}, b, impact);
    break;
  case STRAND_PAIR: tie(c, i, 1, (double[]){-up, up}, 0.0, impact); break;
  case STRAND_HELD:
  case STRAND_LED: tie(c, i, 1, &up, b, nsds_equality(m)); break;
  default: tie(c, i, 1, &up, b, impact);
  }
}

/* ---- bodies and first-order systems --------------------------------------------------------------- */

static void make_first_order(scene *c, int i) {
  const strand *s = &c->strand[i];
  double one = 1.0, e = -s->floor, rate = s->kind == STRAND_SWITCH ? s->g : -s->g;
  double most = s->push / s->gain, least = -most;
  c->body[i] = nsds_first_order_linear(
      c->model, &(nsds_first_order_linear_def){.n = 1, .x0 = s->z, .b = &rate});
  nsds_relation *relation = nsds_first_order_linear_relation(
      c->model,
      &(nsds_first_order_linear_relation_def){.ny = 1, .nx = 1, .C = &one, .B = &s->gain, .e = &e});
  nsds_law *law = s->kind == STRAND_SWITCH ? nsds_relay(c->model, 1, &least, &most)
                                           : nsds_complementarity(c->model);
  nsds_connect(c->model, relation, law, 1, &c->body[i]);
}

static void make_body(scene *c, int i) {
  const strand *s = &c->strand[i];
  double I = 0.4 * s->mass[0] * s->radius * s->radius, z = s->z[0];
  bool held = s->kind == STRAND_HELD_SPHERE;
  if (held) I = s->mass[0];
  c->body[i] = nsds_rigid_body(
      c->model, &(nsds_rigid_body_def){.mass = s->mass[0],
                                       .inertia = (double[]){I, 0, 0, 0, I, 0, 0, 0, I},
                                       .q0 = (double[]){3.0 * i + s->z[1], s->z[2], z, 1, 0, 0, 0},
                                       .v0 = (double[]){s->v[1], s->v[2], s->v[0], 0, 0, held},
                                       .gravity = {0.0, 0.0, -s->g}});
  if (!held) return;
  double H[7] = {[2] = s->gain}, b = s->gain * (0.5 - z);
  nsds_relation *relation = nsds_lagrangian_linear_relation(
      c->model, &(nsds_lagrangian_linear_relation_def){.ny = 1, .nq = 7, .H = H, .b = &b});
  nsds_connect(c->model, relation, nsds_equality(c->model), 1, &c->body[i]);
}

static void make_spheres(scene *c) {
  nsds_plane ground = {{0.0, 0.0, 1.0}, 0.0};
  nsds_ds *ds[most_strands];
  double radii[most_strands];
  int n = 0;
  for (int i = 0; i < c->nstrand; ++i)
    if (c->strand[i].kind == STRAND_SPHERE) radii[n] = c->strand[i].radius, ds[n++] = c->body[i];
  nsds_newton_impact_friction_def friction = {.mu = c->mu, .e_n = c->e};
  if (n > 0)
    nsds_spheres(c->model,
                 &(nsds_spheres_def){.law = nsds_newton_impact_friction(c->model, &friction),
                                     .count = n,
                                     .ds = ds,
                                     .radii = radii,
                                     .nplane = 1,
                                     .plane = &ground});
}

void scene_build(scene *c) {
  group_strands(c);
  for (int g = 0; g < c->ngroup; ++g) make_group(c, &c->group[g]);
  for (int i = 0; i < c->nstrand; ++i) {
    strand_kind kind = c->strand[i].kind;
    if (kind < STRAND_SWITCH) tie_strand(c, i);
    else if (kind < STRAND_SPHERE) make_first_order(c, i);
    else make_body(c, i);
  }
  make_spheres(c);
}
