/* Calls that make systems of every kind. */
#include "callbacks.h"
#include "calls.h"
#include "own_types.h"

#include <math.h>
#include <string.h>

enum { PRESCRIBED = 3 };

/* What all definitions have in common. */
typedef struct basis {
  int n, nz;
  double *z;
  params *p;
} basis;

static basis choose_basis(int n) {
  basis b = {.n = number(n), .nz = chance(30) ? number(1) : 0};
  b.z = array(b.nz, -1.0, 1.0);
  b.p = params_make(1, n);
  return b;
}

static int size(void) { return 1 + (int)pick(chance(5) ? 12 : 4); }

static nsds_ds *kept(scene *s, nsds_ds *ds, body_kind body) {
  if (!ds) return NULL;
  int nx = nsds_nx(ds);
  keep(s, SYSTEMS,
       (thing){.object = ds, .order = nx ? 1 : 2, .n = nx ? nx : nsds_nq(ds), .body = body});
  return ds;
}

/* Indices of prescribed velocities, or NULL for none; how many goes to the params. */
static const int *choose_prescribed(params *p, int n) {
  if (n < 1 || !chance(12)) return NULL;
  int *index = brief(PRESCRIBED, sizeof *index);
  p->prescribed.n = 1 + (int)pick(n < PRESCRIBED ? (unsigned)n : PRESCRIBED);
  for (int i = 0; i < PRESCRIBED; ++i) index[i] = i;
  if (odd(10)) index[pick(PRESCRIBED)] = number(n);
  return index;
}

/* A function's data of its own. */
static const nsds_operator_data *choose_data(nsds_operator function, params *p, int *count) {
  if (!chance(12)) return NULL;
  nsds_operator_data *data = brief(1, sizeof *data);
  *count = 1;
  *data = (nsds_operator_data){odd(20) ? f_h : function, p, number(1), NULL};
  data->z = array(data->nz, -1.0, 1.0);
  return data;
}

nsds_status call_lagrangian_linear(scene *s) {
  nsds_model *model = model_argument(&s);
  basis b = choose_basis(size());
  int n = b.n;
  nsds_lagrangian_linear_def def = {.name = name(), .ndof = n, .nz = b.nz, .z = b.z, .user = b.p};
  if (chance(70)) def.q0 = array(n, 0.0, 0.3);
  if (chance(70)) def.v0 = array(n, -1.0, 1.0);
  bool is_sparse = chance(20);
  if (is_sparse) def.mass_sparse = sparse(n, 2.0);
  if (!is_sparse || odd(3)) def.mass = definite(n);
  if (chance(30)) def.damping = definite(n);
  if (chance(40)) def.stiffness = definite(n);
  if (is_sparse && chance(50)) def.stiffness_sparse = sparse(n, 2.0);
  if (is_sparse && chance(50)) def.damping_sparse = sparse(n, 2.0);
  if (chance(60)) {
    def.fext = array(n, -3.0, 0.0);
  } else {
    def.fext_fn = f_force;
    def.data = choose_data(f_force, b.p, &def.ndata);
  }
  def.prescribed.index = choose_prescribed(b.p, n);
  def.prescribed.n = b.p->prescribed.n;
  if (def.prescribed.n) def.prescribed.fn = f_prescribed;
  return made(kept(s, MAKE(nsds_lagrangian_linear, model, odd(1) ? NULL : &def), ANY_SYSTEM));
}

static void choose_forces(nsds_lagrangian_def *def, params *p) {
  if (chance(40)) {
    def->nnl.fn = f_nnl;
    def->nnl.jac_q_fn = chance(50) ? f_nnl_q : nsds_differences;
    def->nnl.jac_v_fn = odd(5) ? NULL : chance(50) ? f_nnl_v : nsds_differences;
  }
  if (chance(40)) {
    def->fint.fn = f_nnl;
    def->fint.jac_q_fn = f_nnl_q;
    def->fint.jac_v_fn = f_nnl_v;
  }
  if (chance(20)) {
    p->control.n = def->control.n = 1 + (int)pick(2);
    def->control.map_fn = f_map;
    def->control.fn = f_control;
    def->control.jac_q_fn = nsds_differences;
    def->control.jac_v_fn = nsds_zero;
    if (chance(50)) def->control.jac_map_q_fn = chance(50) ? nsds_zero : nsds_differences;
  }
}

nsds_status call_lagrangian(scene *s) {
  nsds_model *model = model_argument(&s);
  basis b = choose_basis(size());
  int n = b.n;
  nsds_lagrangian_def def = {.name = name(), .ndof = n, .nz = b.nz, .z = b.z, .user = b.p};
  if (chance(70)) def.q0 = array(n, 0.0, 0.3);
  if (chance(70)) def.v0 = array(n, -1.0, 1.0);
  if (chance(50)) {
    def.mass = definite(n);
  } else {
    def.mass_fn = f_mass;
  }
  choose_forces(&def, b.p);
  if (chance(50)) {
    def.fext_fn = f_force;
  } else {
    def.fext = array(n, -3.0, 0.0);
  }
  def.prescribed.index = choose_prescribed(b.p, n);
  def.prescribed.n = b.p->prescribed.n;
  if (def.prescribed.n) def.prescribed.fn = f_prescribed;
  def.data = choose_data(def.mass_fn ? f_mass : f_force, b.p, &def.ndata);
  return made(kept(s, MAKE(nsds_lagrangian, model, odd(1) ? NULL : &def), ANY_SYSTEM));
}

/* Seven coordinates with a unit quaternion. */
static double *choose_attitude(void) {
  double *q = array(7, -1.0, 1.0);
  double sum = 0.0;
  if (chance(50)) memcpy(q + 3, (double[]){1.0, 0.0, 0.0, 0.0}, 4 * sizeof *q);
  for (int i = 3; i < 7; ++i) sum += q[i] * q[i];
  for (int i = 3; i < 7; ++i) q[i] /= sqrt(sum);
  if (odd(5)) q[3 + pick(4)] = odd_real();
  return q;
}

nsds_status call_rigid_body(scene *s) {
  nsds_model *model = model_argument(&s);
  basis b = choose_basis(3);
  nsds_rigid_body_def def = {.name = name(),
                             .mass = real(0.5, 2.0),
                             .inertia = definite(3),
                             .gravity = {0.0, real(-10.0, 0.0), 0.0},
                             .explicit_gyroscopic = chance(20),
                             .nz = b.nz,
                             .z = b.z,
                             .user = b.p};
  if (chance(90)) def.q0 = choose_attitude();
  if (chance(80)) def.v0 = array(6, -1.0, 1.0);
  if (chance(25)) {
    def.force.fn = f_force_3;
    def.force.jac_q_fn = nsds_zero;
    def.force.jac_v_fn = chance(50) ? nsds_zero : nsds_differences;
    def.force.in_body = chance(30);
  }
  if (chance(20)) {
    def.moment.fn = f_force_3;
    def.moment.jac_q_fn = nsds_zero;
    def.moment.jac_v_fn = nsds_zero;
    def.moment.in_world = chance(30);
  }
  def.prescribed.index = choose_prescribed(b.p, 6);
  def.prescribed.n = b.p->prescribed.n;
  if (def.prescribed.n) def.prescribed.fn = f_prescribed;
  return made(kept(s, MAKE(nsds_rigid_body, model, odd(1) ? NULL : &def), SPACE_BODY));
}

nsds_status call_rigid_body_2d(scene *s) {
  nsds_model *model = model_argument(&s);
  basis b = choose_basis(3);
  nsds_rigid_body_2d_def def = {.name = name(),
                                .mass = real(0.5, 2.0),
                                .inertia = real(0.5, 2.0),
                                .gravity = {0.0, real(-10.0, 0.0)},
                                .nz = b.nz,
                                .z = b.z,
                                .user = b.p};
  if (chance(90)) def.q0 = array(3, -1.0, 1.0);
  if (chance(80)) def.v0 = array(3, -1.0, 1.0);
  if (chance(30)) def.force_fn = f_force_3;
  def.prescribed.index = choose_prescribed(b.p, 3);
  def.prescribed.n = b.p->prescribed.n;
  if (def.prescribed.n) def.prescribed.fn = f_prescribed;
  return made(kept(s, MAKE(nsds_rigid_body_2d, model, odd(1) ? NULL : &def), PLANE_BODY));
}

nsds_status call_first_order_linear(scene *s) {
  nsds_model *model = model_argument(&s);
  basis b = choose_basis(size());
  int n = b.n;
  nsds_first_order_linear_def def = {.name = name(), .n = n, .nz = b.nz, .z = b.z, .user = b.p};
  if (chance(80)) def.x0 = array(n, -1.0, 1.0);
  switch (pick(4)) {
  case 0: def.A = n > 0 && n < 260 ? array(n * n, -1.0, 1.0) : NULL; break;
  case 1: def.A_sparse = sparse(n, -2.0); break;
  case 2: def.A_fn = f_A; break;
  default: break;
  }
  switch (pick(5)) {
  case 0: def.mass = definite(n); break;
  case 1: def.mass_sparse = sparse(n, 2.0); break;
  case 2: def.mass_fn = f_mass_t; break;
  default: break;
  }
  if (chance(50)) {
    def.b = array(n, -1.0, 1.0);
  } else {
    def.b_fn = f_b;
    def.data = choose_data(f_b, b.p, &def.ndata);
  }
  if (chance(15) && n < 260) {
    b.p->control.n = def.control.n = 1;
    def.control.map = array(n, -1.0, 1.0);
    def.control.fn = f_e;
  }
  return made(kept(s, MAKE(nsds_first_order_linear, model, odd(1) ? NULL : &def), ANY_SYSTEM));
}

nsds_status call_first_order(scene *s) {
  nsds_model *model = model_argument(&s);
  basis b = choose_basis(size());
  int n = b.n;
  nsds_first_order_def def = {.name = name(), .n = n, .nz = b.nz, .z = b.z, .user = b.p};
  if (chance(80)) def.x0 = array(n, -1.0, 1.0);
  if (chance(90)) {
    def.f_fn = f_rhs;
    def.jac_f_x_fn = chance(50) ? f_rhs_x : nsds_differences;
  }
  if (chance(30)) def.mass_fn = f_mass_t;
  if (chance(25)) {
    b.p->control.n = def.control.n = 1 + (int)pick(2);
    def.control.map_fn = f_map;
    def.control.fn = f_control;
    def.control.jac_x_fn = nsds_differences;
    if (chance(50)) def.control.jac_xdot_fn = chance(50) ? nsds_zero : nsds_differences;
    if (chance(30)) def.control.jac_map_x_fn = nsds_zero;
  }
  def.data = choose_data(f_rhs, b.p, &def.ndata);
  return made(kept(s, MAKE(nsds_first_order, model, odd(1) ? NULL : &def), ANY_SYSTEM));
}

nsds_status call_second_order(scene *s) {
  nsds_model *model = model_argument(&s);
  basis b = choose_basis(size());
  int n = b.n;
  bool mapped = chance(40);
  nsds_custom_second_order_def def = {.ops = &own_second[odd(5) ? OWN_OPS - 1 : mapped],
                                      .self = own_self(8),
                                      .name = name(),
                                      .ndof = n,
                                      .nq = mapped && n > 0 && n < 1000 ? n + 1 : 0,
                                      .affine = chance(30),
                                      .nz = b.nz,
                                      .z = b.z};
  def.q0 = array(def.nq ? def.nq : n, 0.0, 0.3);
  def.v0 = array(n, -1.0, 1.0);
  def.mass.constant = def.affine || chance(50);
  def.explicit_force = !def.affine && chance(25);
  def.damping.present = def.stiffness.present = !def.explicit_force && chance(40);
  def.damping.constant = def.stiffness.constant = def.affine;
  if (chance(15)) {
    int *index = brief(1, sizeof *index);
    *index = odd(20) ? number(0) : 0;
    def.prescribed.index = index;
    def.prescribed.n = 1;
  }
  return made(kept(s, MAKE(nsds_custom_second_order, model, &def), ANY_SYSTEM));
}

nsds_status call_first_order_system(scene *s) {
  nsds_model *model = model_argument(&s);
  basis b = choose_basis(size());
  bool rates = chance(30);
  nsds_custom_first_order_def def = {.ops = &own_first[odd(5) ? OWN_OPS - 1 : rates],
                                     .self = own_self(8),
                                     .name = name(),
                                     .n = b.n,
                                     .x0 = array(b.n, -1.0, 1.0),
                                     .nz = b.nz,
                                     .z = b.z};
  def.mass.present = chance(50);
  def.mass.constant = chance(50);
  def.jacobian.present = true;
  def.jacobian.constant = chance(50);
  def.rate_jacobian.present = rates;
  return made(kept(s, MAKE(nsds_custom_first_order, model, &def), ANY_SYSTEM));
}
