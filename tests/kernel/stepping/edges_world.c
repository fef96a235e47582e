/*
 * The sound world of edges.c, and the scenes made of it.
 */
#include "edges.h"

/* ---- functions ------------------------------------------------------------------------------- */

static int unit(const nsds_arguments *in, double *out, void *user) { /* the start of an identity */
  (void)in, (void)user;
  out[0] = 1.0;
  return 0;
}

int unit_2(const nsds_arguments *in, double *out, void *user) { /* 2 x 2 */
  (void)in, (void)user;
  out[0] = out[3] = 1.0;
  return 0;
}

static int first_of(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = in->nq > 0 ? in->q[0] : in->x[0];
  return 0;
}

static int lambda_first(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = in->lambda[0];
  return 0;
}

static nsds_status own_unit_2(void *self, const nsds_arguments *in, double *out) {
  (void)self, (void)in;
  out[0] = out[3] = 1.0;
  out[1] = out[2] = 0.0;
  return NSDS_OK;
}

static nsds_status own_zero_2(void *self, const nsds_arguments *in, double *out) {
  (void)self, (void)in;
  out[0] = out[1] = 0.0;
  return NSDS_OK;
}

static nsds_status own_first(void *self, const nsds_arguments *in, double *out) {
  (void)self;
  first_of(in, out, NULL);
  return NSDS_OK;
}

static nsds_status own_row(void *self, const nsds_arguments *in, double *out) {
  (void)self, (void)in;
  out[0] = 1.0;
  out[1] = 0.0;
  return NSDS_OK;
}

static nsds_status own_input(void *self, const nsds_arguments *in, double *out) {
  (void)self;
  out[0] = in->lambda[0];
  out[1] = 0.0;
  return NSDS_OK;
}

static void own_block(void *self, nsds_block *block) {
  (void)self;
  block->set = NSDS_SET_NONNEGATIVE;
}

static nsds_status find_none(void *self, double t, nsds_contacts *contacts) {
  (void)self, (void)t, (void)contacts;
  return NSDS_OK;
}

static int sample(nsds_simulation *simulation, void *user) {
  (void)simulation, (void)user;
  return 0;
}

/* ---- the world --------------------------------------------------------------------------------
 */

static void fill_systems(world *w) {
  w->lagrangian = (nsds_lagrangian_def){.name = "pendulum",
                                        .ndof = 2,
                                        .q0 = w->two,
                                        .v0 = w->two,
                                        .mass = w->mass,
                                        .nnl.fn = first_of,
                                        .nnl.jac_q_fn = unit,
                                        .nnl.jac_v_fn = nsds_zero,
                                        .fint.fn = first_of,
                                        .fint.jac_q_fn = nsds_differences,
                                        .fint.jac_v_fn = nsds_zero,
                                        .fext = w->two,
                                        .control.n = 1,
                                        .control.map_fn = unit,
                                        .control.fn = first_of,
                                        .control.jac_q_fn = nsds_zero,
                                        .control.jac_v_fn = nsds_zero,
                                        .prescribed.n = 1,
                                        .prescribed.index = w->prescribed,
                                        .prescribed.fn = nsds_zero,
                                        .nz = 2,
                                        .z = w->own_z};
  w->sparse = (nsds_csc){2, 2, w->starts, w->index, w->mass_sparse};
  w->linear = (nsds_lagrangian_linear_def){.name = "bar",
                                           .ndof = 2,
                                           .q0 = w->two,
                                           .v0 = w->two,
                                           .mass_sparse = &w->sparse,
                                           .damping = w->mass,
                                           .stiffness = w->mass,
                                           .fext = w->two,
                                           .prescribed.n = 1,
                                           .prescribed.index = w->prescribed,
                                           .prescribed.fn = nsds_zero,
                                           .nz = 2,
                                           .z = w->own_z};
  w->first = (nsds_first_order_def){.name = "tank",
                                    .n = 2,
                                    .x0 = w->two,
                                    .mass = w->mass,
                                    .f_fn = first_of,
                                    .jac_f_x_fn = unit,
                                    .control.n = 1,
                                    .control.map_fn = unit,
                                    .control.fn = first_of,
                                    .control.jac_x_fn = nsds_zero,
                                    .nz = 2,
                                    .z = w->own_z};
  w->first_linear = (nsds_first_order_linear_def){.name = "circuit",
                                                  .n = 2,
                                                  .x0 = w->two,
                                                  .mass_sparse = &w->sparse,
                                                  .A = w->mass,
                                                  .b = w->two,
                                                  .nz = 2,
                                                  .z = w->own_z};
}

static void fill_relations(world *w) {
  w->linear_relation = (nsds_lagrangian_linear_relation_def){.name = "gap",
                                                             .ny = 1,
                                                             .nq = 2,
                                                             .nZ = 4,
                                                             .H = w->row_of,
                                                             .D = w->one,
                                                             .F = w->mass,
                                                             .b = w->one,
                                                             .nz = 2,
                                                             .z = w->own_z};
  w->relation = (nsds_lagrangian_relation_def){.name = "curve",
                                               .ny = 1,
                                               .nq = 2,
                                               .output_fn = first_of,
                                               .jac_output_q_fn = unit,
                                               .nz = 2,
                                               .z = w->own_z};
  w->first_relation = (nsds_first_order_linear_relation_def){.name = "diode",
                                                             .ny = 1,
                                                             .nx = 2,
                                                             .nZ = 4,
                                                             .C = w->row_of,
                                                             .D = w->one,
                                                             .B = w->row_of,
                                                             .F = w->mass,
                                                             .e = w->one,
                                                             .nz = 2,
                                                             .z = w->own_z};
  w->nonlinear = (nsds_first_order_relation_def){.name = "valve",
                                                 .ny = 1,
                                                 .nx = 2,
                                                 .output_fn = first_of,
                                                 .jac_output_x_fn = unit,
                                                 .jac_output_lambda_fn = nsds_zero,
                                                 .input_fn = lambda_first,
                                                 .jac_input_lambda_fn = unit,
                                                 .jac_input_x_fn = nsds_zero,
                                                 .nz = 2,
                                                 .z = w->own_z};
}

static void fill_own_types(world *w) {
  w->second_ops = (nsds_second_order_ops){.type = "second",
                                          .mass = own_unit_2,
                                          .force = own_zero_2,
                                          .damping = own_unit_2,
                                          .stiffness = own_unit_2,
                                          .prescribed = own_first};
  w->second = (nsds_custom_second_order_def){.ops = &w->second_ops,
                                             .name = "own",
                                             .ndof = 2,
                                             .q0 = w->two,
                                             .v0 = w->two,
                                             .damping = {.present = true},
                                             .stiffness = {.present = true},
                                             .prescribed.n = 1,
                                             .prescribed.index = w->prescribed,
                                             .nz = 2,
                                             .z = w->own_z};
  w->first_ops = (nsds_first_order_ops){
      .type = "first", .mass = own_unit_2, .rhs = own_zero_2, .jacobian = own_unit_2};
  w->first_system = (nsds_custom_first_order_def){.ops = &w->first_ops,
                                                  .name = "own",
                                                  .n = 2,
                                                  .x0 = w->two,
                                                  .mass = {.present = true},
                                                  .jacobian = {.present = true},
                                                  .nz = 2,
                                                  .z = w->own_z};
  w->relation_ops =
      (nsds_relation_ops){.type = "relation", .output = own_first, .jacobian_q = own_row};
  w->own_relation = (nsds_custom_relation_def){
      .ops = &w->relation_ops, .name = "own", .ny = 1, .nq = 2, .nZ = 4, .nz = 2, .z = w->own_z};
  w->first_relation_ops = (nsds_relation_ops){.type = "relation",
                                              .output = own_first,
                                              .jacobian_q = own_row,
                                              .input = own_input,
                                              .input_lambda = own_row};
  w->own_first_relation = w->own_relation;
  w->own_first_relation.ops = &w->first_relation_ops;
  w->law_ops = (nsds_law_ops){.type = "law", .block = own_block};
  w->law = (nsds_custom_law_def){.ops = &w->law_ops, .size = 1, .ngap = 1};
  w->geometry = (nsds_geometry_ops){.type = "geometry", .find = find_none};
  w->set = (nsds_custom_contact_set_def){.name = "set", .ops = &w->geometry};
  w->balls = (nsds_balls_def){.name = "balls",
                              .count = 1,
                              .dimension = 2,
                              .radius = 0.1,
                              .normal = w->normal,
                              .pairs = true,
                              .reach = 0.1};
}

void fill_world(world *w) {
  *w = (world){.e = 0.5,
               .slope = 1.0,
               .tolerance = 1e-3,
               .size = 1,
               .nfacet = 2,
               .lower = w->bound,
               .upper = w->bound + 1,
               .H = w->facet,
               .K = w->K_of,
               .two = {1.0, 0.0},
               .mass = {1.0, 0.0, 0.0, 1.0},
               .mass_sparse = {1.0, 1.0},
               .row_of = {1.0, 0.0},
               .one = {1.0},
               .bound = {-1.0, 1.0},
               .facet = {1.0, -1.0},
               .K_of = {-1.0, -1.0},
               .normal = {0.0, 1.0},
               .starts = {0, 1, 2},
               .index = {0, 1},
               .prescribed = {1}};
  fill_systems(w);
  fill_relations(w);
  fill_own_types(w);
  w->interaction.name = "contact";
  w->interaction.nds = 1;
  w->stepping = (nsds_time_stepping_def){.t1 = 1.0,
                                         .h = 1e-2,
                                         .second_order = nsds_moreau_jean(1.0, 1.0),
                                         .activation = nsds_activation(0.5, 1e-12),
                                         .newton = {.increment = 1e-6, .max_iterations = 20},
                                         .tolerance = 1e-8};
  w->sampler = (nsds_sampler_def){.name = "sampler", .period = 0.01, .sample = sample};
  w->event = (nsds_event_def){.name = "event", .time = 0.02, .call = sample};
}

/* ---- scenes ---------------------------------------------------------------------------------- */

static nsds_ds *make_system(const world *w, nsds_model *m, scene_kind scene) {
  switch (scene) {
  case of_matrices:
  case of_sets:
  case of_polyhedra: return nsds_lagrangian_linear(m, &w->linear);
  case of_states: return nsds_first_order(m, &w->first);
  case of_relays:
  case of_circuits: return nsds_first_order_linear(m, &w->first_linear);
  case of_own_second: return nsds_custom_second_order(m, &w->second);
  case of_own_first: return nsds_custom_first_order(m, &w->first_system);
  default: return nsds_lagrangian(m, &w->lagrangian);
  }
}

static nsds_relation *make_relation(world *w, nsds_model *m, scene_kind scene) {
  switch (scene) {
  case of_matrices:
  case of_sets:
  case of_polyhedra: return nsds_lagrangian_linear_relation(m, &w->linear_relation);
  case of_states: return nsds_first_order_relation(m, &w->nonlinear);
  case of_relays:
  case of_circuits: return nsds_first_order_linear_relation(m, &w->first_relation);
  case of_own_second: return nsds_custom_relation(m, &w->own_relation);
  case of_own_first: return nsds_custom_relation(m, &w->own_first_relation);
  case rheonomous:
    w->relation.jac_output_t_fn = nsds_zero;
    return nsds_lagrangian_relation(m, &w->relation);
  case compliant:
    w->relation.jac_output_lambda_fn = unit;
    return nsds_lagrangian_relation(m, &w->relation);
  default: return nsds_lagrangian_relation(m, &w->relation);
  }
}

static nsds_law *make_law(const world *w, nsds_model *m, scene_kind scene) {
  switch (scene) {
  case of_functions:
  case rheonomous: return nsds_newton_impact(m, w->e);
  case of_matrices: return nsds_saturation(m, w->size, w->lower, w->upper, w->slope);
  case of_relays: return nsds_relay(m, w->size, w->lower, w->upper);
  case of_polyhedra: return nsds_normal_cone(m, w->size, w->nfacet, w->H, w->K);
  case of_own_second: return nsds_custom_law(m, &w->law);
  case of_sets: return nsds_newton_impact(m, 0.5);
  default: return nsds_complementarity(m);
  }
}

bool build_and_run(world *w, nsds_model *m, scene_kind scene) {
  nsds_ds *ds = make_system(w, m, scene);
  nsds_relation *relation = make_relation(w, m, scene);
  nsds_law *law = make_law(w, m, scene);
  if (!ds || !relation || !law) return false;
  if (!w->interaction.relation) w->interaction.relation = relation;
  if (!w->interaction.law) w->interaction.law = law;
  if (!w->interaction.ds) w->interaction.ds = &ds;
  w->balls.law = w->set.law = law;
  w->balls.ds = &ds;
  nsds_interaction *ia = nsds_connect(m, w->interaction.relation, w->interaction.law,
                                      w->interaction.nds, w->interaction.ds);
  if (!ia || nsds_interaction_set_name(ia, w->interaction.name) ||
      (w->interaction.nz && nsds_interaction_set_z(ia, w->interaction.nz, w->interaction.z)))
    return false;
  if (scene == of_sets && (!nsds_balls(m, &w->balls) || !nsds_custom_contact_set(m, &w->set)))
    return false;
  nsds_simulation *s = nsds_time_stepping(m, &w->stepping);
  if (!s || nsds_simulation_sample(s, &w->sampler) || nsds_simulation_at(s, &w->event))
    return false;
  for (int k = 0; k < 4; ++k) { /* may fail, with a message */
    nsds_status status = nsds_step(s);
    if (status < 0) assert_true(nsds_error_message(nsds_model_context(m))[0] != '\0');
    assert_true(isfinite(nsds_ydot(ia)[0]));
    nsds_error_clear(nsds_model_context(m));
  }
  nsds_check_jacobians(m, w->t, w->tolerance, NULL);
  nsds_relative_degree(ia, w->row, w->tolerance);
  nsds_error_clear(nsds_model_context(m));
  return true;
}
