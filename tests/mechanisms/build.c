/*
 * Models of a drawn mechanism. Bodies are those of the library, but for pendulums; faces of bodies
 * and ends of pendulums are relations of the program's own.
 */
#include "../kernel/any_joint.h"
#include "mechanisms.h"

#include <math.h>
#include <string.h>

/* ---- functions of the model; user is the body, the mechanism or the link ---- */

static int prescribed(const nsds_arguments *in, double *rate, void *user) {
  const drive *d = &((const body *)user)->drive;
  for (int i = 0, k = 0; i < 6; ++i)
    if (d->dofs >> i & 1u) rate[k++] = d->mean + d->amplitude * sin(d->frequency * in->t);
  return 0;
}

static int load_in_plane(const nsds_arguments *in, double *f, void *user) {
  const body *b = user;
  double s = sin(b->load_frequency * in->t);
  f[0] = b->load[0] * s;
  f[1] = 0.3 * b->load[1] * s;
  f[2] = b->size * b->load[1] * s;
  return 0;
}

static int load_in_space(const nsds_arguments *in, double *f, void *user) {
  const body *b = user;
  double s = sin(b->load_frequency * in->t);
  for (int i = 0; i < 3; ++i) f[i] = -b->stiffness * (in->q[i] - b->q[i]) - b->damping * in->v[i];
  f[0] += b->load[0] * s;
  f[2] += b->load[1] * s;
  return 0;
}

static int load_on_rail(const nsds_arguments *in, double *f, void *user) {
  const body *b = user;
  f[0] = b->load[0] * sin(b->load_frequency * in->t) + b->stiffness * b->q[0] + b->weight;
  return 0;
}

/* ---- pendulums, q their angles from the vertical ---- */

static double beyond(const mechanism *m, int k) {
  double mass = 0.0;
  for (; k < m->bodies; ++k) mass += m->body[k].mass;
  return mass;
}

static int chain_mass(const nsds_arguments *in, double *M, void *user) {
  const mechanism *m = user;
  int n = m->bodies;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      M[i + j * n] =
          beyond(m, i > j ? i : j) * m->body[i].size * m->body[j].size * cos(in->q[i] - in->q[j]);
  return 0;
}

static int chain_inertial(const nsds_arguments *in, double *f, void *user) {
  const mechanism *m = user;
  for (int i = 0; i < m->bodies; ++i)
    for (int j = 0; j < m->bodies; ++j)
      f[i] += beyond(m, i > j ? i : j) * m->body[i].size * m->body[j].size *
              sin(in->q[i] - in->q[j]) * in->v[j] * in->v[j];
  return 0;
}

static int chain_forces(const nsds_arguments *in, double *f, void *user) {
  const mechanism *m = user;
  for (int i = 0; i < m->bodies; ++i) {
    const body *b = &m->body[i];
    f[i] =
        -beyond(m, i) * b->size * (m->gravity[0] * cos(in->q[i]) + m->gravity[1] * sin(in->q[i]));
    f[i] -= b->size * b->load[0] * sin(b->load_frequency * in->t);
  }
  return 0;
}

static int tip(const nsds_arguments *in, double *y, void *user) {
  const mechanism *m = user;
  const connection *c = &m->link[(int)in->z[0]];
  double x[2] = {0.0, 0.0};
  for (int i = 0; i <= c->a; ++i) {
    x[0] += m->body[i].size * sin(in->q[i]);
    x[1] -= m->body[i].size * cos(in->q[i]);
  }
  y[0] = c->normal[0] * x[0] + c->normal[1] * x[1] - c->plane;
  if (rows_of(m, c) > 1) y[1] = c->normal[1] * x[0] - c->normal[0] * x[1];
  return 0;
}

static int tip_q(const nsds_arguments *in, double *H, void *user) {
  const mechanism *m = user;
  const connection *c = &m->link[(int)in->z[0]];
  int ny = rows_of(m, c);
  for (int i = 0; i <= c->a; ++i) {
    double x = m->body[i].size * cos(in->q[i]), y = m->body[i].size * sin(in->q[i]);
    H[i * ny] = c->normal[0] * x + c->normal[1] * y;
    if (ny > 1) H[i * ny + 1] = c->normal[1] * x - c->normal[0] * y;
  }
  return 0;
}

/* ---- a corner of one body on a face of another ---- */

static int face(const nsds_arguments *in, nsds_body_contact *out, void *user) {
  const connection *c = user;
  const double *p = in->q, *q = in->q + in->nq / 2;
  double x[3] = {0.0}, n[3] = {0.0};
  if (in->nq == 14) {
    nsds_to_world(p, c->center[0], x);
    nsds_to_world(q, c->normal, n);
    for (int i = 0; i < 3; ++i) x[i] += p[i];
  } else {
    x[0] = p[0] + cos(p[2]) * c->center[0][0] - sin(p[2]) * c->center[0][1];
    x[1] = p[1] + sin(p[2]) * c->center[0][0] + cos(p[2]) * c->center[0][1];
    n[0] = cos(q[2]) * c->normal[0] - sin(q[2]) * c->normal[1];
    n[1] = sin(q[2]) * c->normal[0] + cos(q[2]) * c->normal[1];
  }
  out->gap = -c->plane;
  for (int i = 0; i < (in->nq == 14 ? 3 : 2); ++i) {
    out->gap += n[i] * (x[i] - q[i]);
    out->point[i] = x[i];
    out->normal[i] = n[i];
  }
  if (in->nq == 14) nsds_to_world(q, (double[3]){1.0, 0.0, 0.0}, out->tangent);
  return 0;
}

/* ---- systems ---- */

static int prescribed_dofs(const body *b, int out[6]) {
  int n = 0;
  for (int i = 0; i < 6; ++i)
    if (b->drive.dofs >> i & 1u) out[n++] = i;
  return n;
}

static nsds_ds *make_body(nsds_model *model, const mechanism *m, const body *b) {
  int dof[6], n = prescribed_dofs(b, dof);
  bool pushed = b->load_frequency > 0.0;
  if (m->world == PLANE)
    return nsds_rigid_body_2d(model,
                              &(nsds_rigid_body_2d_def){.mass = b->mass,
                                                        .inertia = b->inertia[0],
                                                        .q0 = b->q,
                                                        .v0 = b->v,
                                                        .gravity = {m->gravity[0], m->gravity[1]},
                                                        .force_fn = pushed ? load_in_plane : NULL,
                                                        .prescribed.n = n,
                                                        .prescribed.index = n ? dof : NULL,
                                                        .prescribed.fn = n ? prescribed : NULL,
                                                        .user = (void *)b});
  double J[9] = {b->inertia[0], 0.0, 0.0, 0.0, b->inertia[1], 0.0, 0.0, 0.0, b->inertia[2]};
  return nsds_rigid_body(
      model, &(nsds_rigid_body_def){.mass = b->mass,
                                    .inertia = J,
                                    .q0 = b->q,
                                    .v0 = b->v,
                                    .gravity = {m->gravity[0], m->gravity[1], m->gravity[2]},
                                    .force.fn = pushed ? load_in_space : NULL,
                                    .force.jac_q_fn = pushed ? nsds_differences : NULL,
                                    .force.jac_v_fn = pushed ? nsds_differences : NULL,
                                    .prescribed.n = n,
                                    .prescribed.index = n ? dof : NULL,
                                    .prescribed.fn = n ? prescribed : NULL,
                                    .user = (void *)b});
}

static nsds_ds *make_rail(nsds_model *model, const body *b) {
  int dof[6], n = prescribed_dofs(b, dof);
  return nsds_lagrangian_linear(
      model, &(nsds_lagrangian_linear_def){.ndof = 1,
                                           .mass = &b->mass,
                                           .stiffness = b->stiffness > 0.0 ? &b->stiffness : NULL,
                                           .damping = b->damping > 0.0 ? &b->damping : NULL,
                                           .q0 = b->q,
                                           .v0 = b->v,
                                           .fext_fn = load_on_rail,
                                           .prescribed.n = n,
                                           .prescribed.index = n ? dof : NULL,
                                           .prescribed.fn = n ? prescribed : NULL,
                                           .user = (void *)b});
}

static nsds_ds *make_chain(nsds_model *model, const mechanism *m) {
  int dof[6], n = prescribed_dofs(&m->body[0], dof);
  double q[MOST_BODIES], v[MOST_BODIES];
  for (int k = 0; k < m->bodies; ++k) q[k] = m->body[k].q[0], v[k] = m->body[k].v[0];
  const nsds_operator_data data = {.function = prescribed, .user = (void *)&m->body[0]};
  return nsds_lagrangian(model, &(nsds_lagrangian_def){.ndof = m->bodies,
                                                       .q0 = q,
                                                       .v0 = v,
                                                       .mass_fn = chain_mass,
                                                       .nnl.fn = chain_inertial,
                                                       .nnl.jac_q_fn = nsds_differences,
                                                       .nnl.jac_v_fn = nsds_differences,
                                                       .fint.fn = chain_forces,
                                                       .fint.jac_q_fn = nsds_differences,
                                                       .fint.jac_v_fn = nsds_zero,
                                                       .prescribed.n = n,
                                                       .prescribed.index = n ? dof : NULL,
                                                       .prescribed.fn = n ? prescribed : NULL,
                                                       .user = (void *)m,
                                                       .ndata = n ? 1 : 0,
                                                       .data = n ? &data : NULL});
}

/* ---- links ---- */

static nsds_law *make_law(nsds_model *model, const mechanism *m, const law *l) {
  int dimension = m->world == SPACE ? 3 : 2;
  switch (l->kind) {
  case EQUALITY: return nsds_equality(model);
  case RELAY: return nsds_relay(model, 1, &(double){-l->force}, &(double){l->force});
  case NEWTON: return nsds_newton_impact(model, l->e);
  case COMPLEMENTARITY: return nsds_complementarity(model);
  case FRICTION:
    return nsds_newton_impact_friction(model,
                                       &(nsds_newton_impact_friction_def){.dimension = dimension,
                                                                          .mu = l->mu,
                                                                          .e_n = l->e,
                                                                          .e_t = l->e_t,
                                                                          .slip = {l->slip, 0.0}});
  default:
    return nsds_fremond_impact_friction(
        model, &(nsds_fremond_impact_friction_def){
                   .dimension = dimension, .mu = l->mu, .e_n = l->e, .slip = {l->slip, 0.0}});
  }
}

static nsds_relation *make_tie(nsds_model *model, const mechanism *m, const connection *c,
                               nsds_ds **ds, const built *b, int *count) {
  double H[2 * MOST_BODIES], shift[2] = {c->shift, 0.0};
  int ny = rows_of(m, c), nq = 0;
  *count = 0;
  for (int k = 0; k < m->bodies; ++k) {
    if (m->world == RAILS && c->H[0][k] == 0.0 && c->H[1][k] == 0.0) continue;
    for (int i = 0; i < ny; ++i) H[nq * ny + i] = c->H[i][k];
    ++nq;
    if (m->world == RAILS || *count == 0) ds[(*count)++] = b->ds[m->world == RAILS ? k : 0];
  }
  return nsds_lagrangian_linear_relation(
      model, &(nsds_lagrangian_linear_relation_def){.ny = ny, .nq = nq, .H = H, .b = shift});
}

static nsds_relation *make_contact(nsds_model *model, const mechanism *m, int k) {
  const connection *c = &m->link[k];
  int dimension = m->world == SPACE ? 3 : 2, ny = rows_of(m, c);
  switch (c->kind) {
  case GROUND: {
    nsds_sphere_plane_relation_def def = {
        .dimension = dimension, .rows = ny, .radius = c->radius[0], .offset = c->plane};
    memcpy(def.center, c->center[0], sizeof def.center);
    memcpy(def.normal, c->normal, sizeof def.normal);
    return nsds_sphere_plane_relation(model, &def);
  }
  case SPHERES: {
    nsds_sphere_sphere_relation_def def = {
        .dimension = dimension, .rows = ny, .radius = {c->radius[0], c->radius[1]}};
    memcpy(def.center, c->center, sizeof def.center);
    return nsds_sphere_sphere_relation(model, &def);
  }
  case TIP:
    return nsds_lagrangian_relation(model, &(nsds_lagrangian_relation_def){.ny = ny,
                                                                           .nq = m->bodies,
                                                                           .output_fn = tip,
                                                                           .jac_output_q_fn = tip_q,
                                                                           .nz = 1,
                                                                           .z = &(double){k},
                                                                           .user = (void *)m});
  default:
    return nsds_contact_relation(model, &(nsds_contact_relation_def){.dimension = dimension,
                                                                     .rows = ny,
                                                                     .pair = true,
                                                                     .contact_fn = face,
                                                                     .user = (void *)c});
  }
}

static nsds_relation *make_joint(nsds_model *model, const connection *c, nsds_ds **ds, int count) {
  any_joint_def def = {.kind = c->joint,
                       .reversed = c->reversed,
                       .offset = c->offset,
                       .length = c->length,
                       .ds = {ds[0], count > 1 ? ds[1] : NULL}};
  bool straight = c->joint == NSDS_JOINT_DISTANCE || c->joint == NSDS_JOINT_ROPE;
  memcpy(def.point, c->point, sizeof def.point);
  if (straight) memcpy(def.other, c->center[0], sizeof def.other);
  if (!straight) memcpy(def.axis, c->axis, sizeof def.axis);
  return any_joint(model, &def);
}

static nsds_interaction *make_link(built *b, const mechanism *m, int k) {
  const connection *c = &m->link[k];
  nsds_ds *ds[MOST_BODIES] = {b->ds[m->world == CHAIN ? 0 : c->a]};
  int count = 1;
  nsds_relation *relation;
  if (m->world != CHAIN && c->b >= 0) ds[count++] = b->ds[c->b];
  if (c->kind == TIE) relation = make_tie(b->model, m, c, ds, b, &count);
  else if (c->kind == JOINT) relation = make_joint(b->model, c, ds, count);
  else relation = make_contact(b->model, m, k);
  return nsds_connect(b->model, relation, make_law(b->model, m, &c->law), count, ds);
}

static nsds_contact_set *make_set(built *b, const mechanism *m) {
  const connection *ground = NULL;
  for (int k = 0; k < m->links && !ground; ++k)
    if (m->link[k].found && m->link[k].kind == GROUND) ground = &m->link[k];
  nsds_law *l = make_law(b->model, m, &m->set_law);
  if (m->world == PLANE)
    return nsds_balls(b->model, &(nsds_balls_def){.law = l,
                                                  .count = m->bodies,
                                                  .ds = b->ds,
                                                  .dimension = 2,
                                                  .radius = ground->radius[0],
                                                  .normal = ground->normal,
                                                  .offset = ground->plane,
                                                  .pairs = true});
  nsds_plane plane = {.offset = ground->plane};
  memcpy(plane.normal, ground->normal, sizeof plane.normal);
  return nsds_spheres(b->model, &(nsds_spheres_def){.law = l,
                                                    .count = m->bodies,
                                                    .ds = b->ds,
                                                    .radius = ground->radius[0],
                                                    .nplane = 1,
                                                    .plane = &plane});
}

/* ---- the model ---- */

built build(const mechanism *m, bool with_set) {
  built b = {.model = nsds_model_create(NULL)};
  if (m->world == CHAIN) {
    b.ds[b.systems++] = make_chain(b.model, m);
  } else {
    for (int k = 0; k < m->bodies; ++k)
      b.ds[b.systems++] =
          m->world == RAILS ? make_rail(b.model, &m->body[k]) : make_body(b.model, m, &m->body[k]);
  }
  for (int k = 0; k < b.systems; ++k) {
    b.ndof[k] = nsds_nv(b.ds[k]);
    b.nq += nsds_nq(b.ds[k]);
  }
  bool set = m->set && with_set;
  for (int k = 0; k < m->links; ++k)
    if (!m->link[k].found || !set) b.link[k] = make_link(&b, m, k);
  if (set) b.set = make_set(&b, m);
  return b;
}

built build_twin(const mechanism *m) {
  built b = build(m, false);
  nsds_event_driven(b.model, &(nsds_event_driven_def){.t1 = 1.0});
  return b;
}

void where(const built *b, double *q, double *v) {
  for (int k = 0, iq = 0, iv = 0; k < b->systems; ++k) {
    int nq = nsds_nq(b->ds[k]), nv = nsds_nv(b->ds[k]);
    for (int i = 0; i < nq; ++i) q[iq++] = nsds_q(b->ds[k])[i];
    for (int i = 0; i < nv; ++i) v[iv++] = nsds_v(b->ds[k])[i];
  }
}
