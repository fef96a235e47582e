/* Calls that make relations of every kind and laws. */
#include "calls.h"
#include "callbacks.h"
#include "own_types.h"

#include <math.h>

enum { RELATION_NZ = 1 };

static nsds_relation *relation_kept(scene *s, nsds_relation *r, thing t) {
  t.object = r;
  keep(s, RELATIONS, t);
  return r;
}

static nsds_relation *lagrangian_linear(nsds_model *model, int ny, int n) {
  nsds_lagrangian_linear_relation_def def = {
      .name = name(), .ny = number(ny), .nq = n, .nz = chance(20) ? number(1) : 0};
  ny = def.ny;
  if (ny > 260 || ny < 0) return MAKE(nsds_lagrangian_linear_relation, model, &def);
  def.H = array(ny * n, -0.5, 1.0);
  if (chance(70)) def.b = array(ny, -0.1, 0.2);
  switch (pick_of(5, run_flavour() == BODIES_BY_EVENTS ? 0x18 : 0x1f)) {
  case 0: def.D = definite(ny); break;
  case 1:
    def.D = definite(ny);
    def.D_in_y = true;
    break;
  case 2: def.compliance = definite(ny); break;
  default: break;
  }
  def.z = array(def.nz, -1.0, 1.0);
  if (def.nz == 1 && chance(50)) {
    def.nz = RELATION_NZ;
    def.F = array(ny, -0.1, 0.1);
  }
  return MAKE(nsds_lagrangian_linear_relation, model, &def);
}

static nsds_relation *lagrangian_nonlinear(nsds_model *model, int ny, int n) {
  nsds_lagrangian_relation_def def = {.name = name(),
                                      .ny = ny,
                                      .nq = n,
                                      .output_fn = f_h,
                                      .jac_output_q_fn = chance(60) ? f_h_q : nsds_differences,
                                      .user = params_make(ny, n)};
  if (odd(4)) def.jac_output_q_fn = NULL;
  unsigned form = pick_of(4, run_flavour() == BODIES_BY_EVENTS ? 0xb : 0xf);
  if (form == 1) {
    def.output_fn = f_h_rheonomous;
    def.jac_output_t_fn = chance(70) ? f_h_t : nsds_differences;
    return MAKE(nsds_lagrangian_relation, model, &def);
  }
  if (form == 2) {
    def.output_fn = f_h_compliant;
    def.jac_output_lambda_fn = f_h_lambda;
    def.rate_form = chance(40);
    return MAKE(nsds_lagrangian_relation, model, &def);
  }
  if (form == 3) def.bias_fn = f_bias;
  nsds_operator_data data = {f_h, def.user, 1, (double[]){0.5}};
  if (chance(15)) {
    def.ndata = 1;
    def.data = &data;
  }
  return MAKE(nsds_lagrangian_relation, model, &def);
}

static nsds_relation *own(nsds_model *model, int ny, int n, int nx, int order) {
  own_relation *self = own_self(sizeof *self);
  *self = (own_relation){ny, (int)pick(4)};
  nsds_custom_relation_def def = {.ops = &own_relations[odd(5)       ? OWN_OPS
                                                        : order == 2 ? 0
                                                        : order == 1 ? 1
                                                                     : 2],
                                  .self = self,
                                  .name = name(),
                                  .ny = ny,
                                  .nq = n,
                                  .mixed = order == 3,
                                  .nx = nx,
                                  .affine = order != 3 && chance(30),
                                  .linear = order != 3 && chance(20),
                                  .impulsive = odd(10)};
  return MAKE(nsds_custom_relation, model, &def);
}

/* Of bodies: contacts, spheres; b of them. */
static nsds_relation *of_bodies(nsds_model *model, int ny, int bodies, bool space) {
  int dimension = space ? 3 : 2;
  if (chance(40)) {
    nsds_contact_relation_def def = {.name = name(),
                                     .dimension = number(dimension),
                                     .rows = ny,
                                     .pair = bodies == 2,
                                     .contact_fn = odd(5) ? NULL : f_touch,
                                     .rate_fn = chance(30) ? f_touch_rate : NULL,
                                     .user = params_make(ny, 1)};
    return MAKE(nsds_contact_relation, model, &def);
  }
  if (bodies == 2) {
    nsds_sphere_sphere_relation_def def = {.name = name(),
                                           .dimension = dimension,
                                           .rows = number(ny),
                                           .radius = {real(0.1, 0.5), real(0.1, 0.5)}};
    if (chance(30)) def.center[0][0] = real(-0.2, 0.2);
    return MAKE(nsds_sphere_sphere_relation, model, &def);
  }
  nsds_sphere_plane_relation_def def = {.name = name(),
                                        .dimension = dimension,
                                        .rows = number(ny),
                                        .radius = real(0.0, 0.5),
                                        .normal = {0.0, 1.0, 0.0},
                                        .offset = real(-0.5, 0.5)};
  if (chance(30)) def.center[1] = real(-0.2, 0.2);
  return MAKE(nsds_sphere_plane_relation, model, &def);
}

static nsds_relation *linear_circuit(nsds_model *model, int ny, int n) {
  nsds_first_order_linear_relation_def def = {
      .name = name(), .ny = number(ny), .nx = n, .user = params_make(ny, n)};
  ny = def.ny;
  if (ny > 260 || ny < 0) return MAKE(nsds_first_order_linear_relation, model, &def);
  ((params *)def.user)->ny = ny;
  bool functions = ny > 0 && chance(30);
  if (functions) {
    def.C_fn = f_C;
    def.B_fn = f_B;
  } else {
    def.C = array(ny * n, -0.5, 1.0);
    def.B = array(ny * n, -0.5, 1.0);
  }
  if (chance(60)) def.D = definite(ny);
  if (!def.D && ny > 0 && chance(50)) def.D_fn = f_D;
  if (chance(40)) def.e = array(ny, -0.5, 0.5);
  if (!def.e && ny > 0 && chance(50)) def.e_fn = f_e;
  if (ny > 0 && chance(20)) {
    def.nz = def.nZ = RELATION_NZ;
    def.F_fn = f_F;
  }
  return MAKE(nsds_first_order_linear_relation, model, &def);
}

static nsds_relation *nonlinear_circuit(nsds_model *model, int ny, int n) {
  nsds_first_order_relation_def def = {.name = name(),
                                       .ny = ny,
                                       .nx = n,
                                       .output_fn = f_h_compliant,
                                       .jac_output_x_fn = f_h_q,
                                       .jac_output_lambda_fn = f_h_lambda,
                                       .input_fn = f_g,
                                       .jac_input_lambda_fn = odd(3) ? NULL : f_g_lambda,
                                       .user = params_make(ny, n)};
  if (chance(30)) {
    def.output_fn = f_h;
    def.jac_output_lambda_fn = NULL;
  }
  if (chance(30)) def.jac_input_x_fn = f_g_x;
  return MAKE(nsds_first_order_relation, model, &def);
}

static nsds_relation *mixed(nsds_model *model, int ny, int nx, int nq, int nv) {
  if (chance(50)) {
    nsds_mixed_linear_relation_def def = {
        .name = name(), .ny = ny, .nx = nx, .nq = nq, .nv = nv, .user = params_make(ny, nq)};
    def.C = array(ny * nx, -0.5, 0.5);
    if (chance(60)) def.H = array(ny * nq, -0.5, 0.5);
    def.E = array(ny * nv, -0.5, 0.5);
    if (chance(70)) def.D = definite(ny);
    if (chance(30)) def.e_fn = f_e;
    def.B = array(nx * ny, -0.5, 0.5);
    def.L = array(nv * ny, -0.5, 0.5);
    return MAKE(nsds_mixed_linear_relation, model, &def);
  }
  nsds_mixed_relation_def def = {.name = name(),
                                 .ny = ny,
                                 .nx = nx,
                                 .nq = nq,
                                 .nv = nv,
                                 .output_fn = f_mixed_h,
                                 .jac_output_x_fn = nx ? f_mixed_h_x : NULL,
                                 .jac_output_q_fn = f_mixed_h_q,
                                 .jac_output_v_fn = f_mixed_h_v,
                                 .jac_output_lambda_fn = f_mixed_h_lambda,
                                 .input_fn = f_mixed_g,
                                 .jac_input_lambda_fn = f_mixed_g_lambda,
                                 .user = params_make(ny, nq)};
  if (chance(40)) def.jac_input_v_fn = f_mixed_g_v;
  return MAKE(nsds_mixed_relation, model, &def);
}

nsds_relation *make_relation(scene *s, nsds_model *model, const group *g, int ny) {
  thing t = {.ny = ny, .order = g->order, .n = g->nq + g->nx, .body = g->body};
  nsds_relation *r;
  if (g->order == 3) {
    r = chance(75) ? mixed(model, ny, g->nx, g->nq, g->nv) : own(model, ny, g->nq, g->nx, 3);
  } else if (chance(12)) {
    r = own(model, ny, t.n, 0, g->order);
  } else if (g->order == 1) {
    r = chance(60) ? linear_circuit(model, ny, t.n) : nonlinear_circuit(model, ny, t.n);
  } else if (g->body != ANY_SYSTEM && chance(60)) {
    r = of_bodies(model, ny, g->count, g->body == SPACE_BODY);
  } else {
    r = chance(50) ? lagrangian_linear(model, ny, t.n) : lagrangian_nonlinear(model, ny, t.n);
  }
  return relation_kept(s, r, t);
}

nsds_status call_relation(scene *s) {
  nsds_model *model = model_argument(&s);
  group g = choose_group(s);
  if (g.count == 0) return NSDS_OK;
  return made(make_relation(s, model, &g, 1 + (int)pick(3)));
}

nsds_status call_relation_destroy(scene *s) {
  nsds_relation *r = argument(s, RELATIONS);
  nsds_status status = CALL(nsds_relation_destroy, r);
  if (!status) forget(owner(s, RELATIONS, r), RELATIONS, r);
  return status;
}
