/*
 * Every constructor with every pointer NULL, every count and every number at the edges of its type:
 * one field of a sound world at a time. Nothing crashes, nothing that has no meaning is accepted,
 * every refusal has a message, a shortage of memory one that names object and field, and what is
 * accepted can be stepped.
 */
#include "edges.h"

#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- memory that ends early ------------------------------------------------------------------ */

static void *take_little(size_t size, void *user) {
  (void)user;
  return size > ((size_t)1 << 26) ? NULL : malloc(size);
}

static void give(void *memory, void *user) {
  (void)user;
  free(memory);
}

/* ---- fields ---------------------------------------------------------------------------------- */

typedef enum kind { pointer, function, count, number } kind;
enum { any_large = 1, infinite = 2, minus_one = 4 }; /* valid extremes */

typedef struct field {
  const char *name;
  scene_kind scene;
  kind kind;
  size_t offset;
  int valid;
} field;

#define P(scene, name) {#name, scene, pointer, offsetof(world, name), 0},
#define O(scene, name) {#name, scene, function, offsetof(world, name), 0},
#define N(scene, name, valid) {#name, scene, count, offsetof(world, name), valid},
#define X(scene, name, valid) {#name, scene, number, offsetof(world, name), valid},

/* clang-format off */
static const field fields[] = {
    P(of_functions, lagrangian.name) N(of_functions, lagrangian.ndof, 0)
    P(of_functions, lagrangian.q0) P(of_functions, lagrangian.v0) P(of_functions, lagrangian.mass)
    O(of_functions, lagrangian.nnl.fn) O(of_functions, lagrangian.nnl.jac_q_fn)
    O(of_functions, lagrangian.nnl.jac_v_fn) O(of_functions, lagrangian.fint.fn)
    O(of_functions, lagrangian.fint.jac_q_fn) O(of_functions, lagrangian.fint.jac_v_fn)
    P(of_functions, lagrangian.fext) N(of_functions, lagrangian.control.n, 0)
    O(of_functions, lagrangian.control.map_fn) O(of_functions, lagrangian.control.fn)
    O(of_functions, lagrangian.control.jac_q_fn) O(of_functions, lagrangian.control.jac_v_fn)
    N(of_functions, lagrangian.prescribed.n, 0) P(of_functions, lagrangian.prescribed)
    O(of_functions, lagrangian.prescribed.fn) N(of_functions, lagrangian.nz, 0)
    P(of_functions, lagrangian.z) X(of_functions, e, 0) P(of_functions, relation.name)
    N(of_functions, relation.ny, 0) N(of_functions, relation.nq, 0) O(of_functions, relation.output_fn)
    O(of_functions, relation.jac_output_q_fn) N(of_functions, relation.nz, 0)
    P(of_functions, relation.z) N(rheonomous, relation.ny, 0) N(rheonomous, relation.nq, 0)
    O(rheonomous, relation.output_fn) N(compliant, relation.ny, 0) N(compliant, relation.nq, 0)
    O(compliant, relation.output_fn) P(of_matrices, linear.name) N(of_matrices, linear.ndof, 0)
    P(of_matrices, linear.q0) P(of_matrices, linear.v0) P(of_matrices, linear.mass_sparse)
    P(of_matrices, linear.damping) P(of_matrices, linear.stiffness) P(of_matrices, linear.fext)
    N(of_matrices, linear.prescribed.n, 0) P(of_matrices, linear.prescribed)
    O(of_matrices, linear.prescribed.fn) N(of_matrices, linear.nz, 0) P(of_matrices, linear.z)
    P(of_matrices, sparse.p) P(of_matrices, sparse.i) P(of_matrices, sparse.x)
    N(of_matrices, sparse.nrow, 0) N(of_matrices, sparse.ncol, 0)
    N(of_matrices, linear_relation.ny, 0) N(of_matrices, linear_relation.nq, 0)
    N(of_matrices, linear_relation.nZ, 0) P(of_matrices, linear_relation.H)
    P(of_matrices, linear_relation.D) P(of_matrices, linear_relation.F)
    P(of_matrices, linear_relation.b) N(of_matrices, linear_relation.nz, 0)
    P(of_matrices, linear_relation.z) N(of_matrices, size, 0) P(of_matrices, lower)
    P(of_matrices, upper) X(of_matrices, slope, any_large) P(of_relays, lower) P(of_relays, upper)
    N(of_relays, size, 0) N(of_polyhedra, size, 0) N(of_polyhedra, nfacet, 0) P(of_polyhedra, H)
    P(of_polyhedra, K) P(of_states, first.name) N(of_states, first.n, 0) P(of_states, first.x0)
    P(of_states, first.mass) O(of_states, first.f_fn) O(of_states, first.jac_f_x_fn)
    N(of_states, first.control.n, 0) O(of_states, first.control.map_fn)
    O(of_states, first.control.fn) O(of_states, first.control.jac_x_fn) N(of_states, first.nz, 0) P(of_states, first.z)
    N(of_states, nonlinear.ny, 0) N(of_states, nonlinear.nx, 0) O(of_states, nonlinear.output_fn)
    O(of_states, nonlinear.jac_output_x_fn) O(of_states, nonlinear.jac_output_lambda_fn)
    O(of_states, nonlinear.input_fn) O(of_states, nonlinear.jac_input_lambda_fn)
    O(of_states, nonlinear.jac_input_x_fn) N(of_states, nonlinear.nz, 0) P(of_states, nonlinear.z)
    P(of_circuits, first_linear.name) N(of_circuits, first_linear.n, 0)
    P(of_circuits, first_linear.x0) P(of_circuits, first_linear.mass_sparse)
    P(of_circuits, first_linear.A) P(of_circuits, first_linear.b)
    N(of_circuits, first_linear.nz, 0) P(of_circuits, first_linear.z)
    N(of_circuits, first_relation.ny, 0) N(of_circuits, first_relation.nx, 0)
    N(of_circuits, first_relation.nZ, 0) P(of_circuits, first_relation.C)
    P(of_circuits, first_relation.D) P(of_circuits, first_relation.B)
    P(of_circuits, first_relation.F) P(of_circuits, first_relation.e)
    N(of_circuits, first_relation.nz, 0) P(of_circuits, first_relation.z)
    P(of_own_second, second.ops) P(of_own_second, second_ops.type)
    O(of_own_second, second_ops.mass) O(of_own_second, second_ops.force)
    O(of_own_second, second_ops.damping) O(of_own_second, second_ops.stiffness)
    O(of_own_second, second_ops.prescribed) P(of_own_second, second.name)
    N(of_own_second, second.ndof, 0) N(of_own_second, second.nq, 0) P(of_own_second, second.q0)
    P(of_own_second, second.v0) N(of_own_second, second.prescribed.n, 0)
    P(of_own_second, second.prescribed) N(of_own_second, second.nz, 0) P(of_own_second, second.z)
    P(of_own_second, own_relation.ops) P(of_own_second, relation_ops.type)
    O(of_own_second, relation_ops.output) O(of_own_second, relation_ops.jacobian_q)
    N(of_own_second, own_relation.ny, 0) N(of_own_second, own_relation.nq, 0)
    N(of_own_second, own_relation.nv, any_large) N(of_own_second, own_relation.nZ, 0)
    N(of_own_second, own_relation.nz, 0) P(of_own_second, own_relation.z)
    P(of_own_second, law.ops) P(of_own_second, law_ops.type) O(of_own_second, law_ops.block)
    N(of_own_second, law.size, 0) N(of_own_second, law.ngap, 0) P(of_own_first, first_system.ops)
    O(of_own_first, first_ops.mass) O(of_own_first, first_ops.rhs)
    O(of_own_first, first_ops.jacobian) N(of_own_first, first_system.n, 0)
    P(of_own_first, first_system.x0) N(of_own_first, first_system.nz, 0)
    P(of_own_first, first_system.z) O(of_own_first, first_relation_ops.output)
    O(of_own_first, first_relation_ops.jacobian_q) O(of_own_first, first_relation_ops.input)
    O(of_own_first, first_relation_ops.input_lambda) N(of_own_first, own_first_relation.ny, 0)
    N(of_own_first, own_first_relation.nq, 0) P(of_sets, set.name) P(of_sets, set.ops)
    P(of_sets, geometry.type) O(of_sets, geometry.find) P(of_sets, balls.name)
    N(of_sets, balls.count, 0) N(of_sets, balls.dimension, 0) X(of_sets, balls.radius, 0)
    P(of_sets, balls.normal) X(of_sets, balls.offset, 0) X(of_sets, balls.reach, 0)
    P(of_functions, interaction.name) N(of_functions, interaction.nds, 0)
    N(of_functions, interaction.nz, 0) P(of_functions, interaction.z)
    X(of_functions, stepping.t0, 0) X(of_functions, stepping.t1, any_large)
    X(of_functions, stepping.newton.residual, any_large)
    X(of_functions, stepping.h, any_large) X(of_functions, stepping.second_order.theta, 0)
    X(of_functions, stepping.second_order.gamma, 0) X(of_functions, stepping.activation.gamma_prediction, 0)
    X(of_functions, stepping.activation.tolerance, 0)
    X(of_functions, stepping.newton.increment, any_large | infinite)
    N(of_functions, stepping.newton.max_iterations, any_large)
    N(of_functions, stepping.max_halvings, minus_one) X(of_functions, stepping.tolerance, 0)
    X(of_functions, sampler.period, any_large) X(of_functions, sampler.phase, any_large)
    O(of_functions, sampler.sample) X(of_functions, event.time, any_large)
    O(of_functions, event.call)};
/* clang-format on */

static const double edges[] = {NAN, INFINITY, -INFINITY, -1.0, 0.0, -0.0, 1e-320, 1.0, 1e308};
static const int counts[] = {INT_MIN, -1, 0, 1, INT_MAX - 1, INT_MAX};

/* A large count is a lie where an array is shorter: arrays of the world are left out then. */
static void drop_arrays(world *w) {
  w->lagrangian.q0 = w->lagrangian.v0 = w->lagrangian.fext = w->lagrangian.z = NULL;
  w->lagrangian.mass = NULL;
  w->lagrangian.mass_fn = unit_2;
  w->linear.q0 = w->linear.v0 = w->linear.fext = w->linear.z = NULL;
  w->linear.damping = w->linear.stiffness = NULL;
  w->first.x0 = w->first.mass = w->first.z = NULL;
  w->first_linear.x0 = w->first_linear.b = w->first_linear.z = w->first_linear.A = NULL;
  w->first_linear.mass_sparse = NULL;
  w->linear_relation.z = w->relation.z = w->first_relation.z = w->nonlinear.z = NULL;
  w->second.q0 = w->second.v0 = w->second.z = w->first_system.x0 = w->first_system.z = NULL;
  w->own_relation.z = w->own_first_relation.z = NULL;
}

/* Laws read as many bounds as they are told, relations as many entries: those stay small. */
static bool reads_as_told(const field *f, int value) {
  const char *told[] = {"size",
                        "linear_relation.ny",
                        "linear_relation.nq",
                        "linear_relation.nZ",
                        "first_relation.ny",
                        "first_relation.nx",
                        "first_relation.nZ"};
  for (size_t k = 0; k < sizeof told / sizeof *told; ++k)
    if (value > 1 && f->scene != of_polyhedra && strcmp(told[k], f->name) == 0) return true;
  return value > 1 && strcmp(f->name, "nfacet") == 0;
}

static bool try_world(world *w, const field *f, const char *what) {
  nsds_context *context =
      nsds_context_create(&(nsds_context_def){.alloc = take_little, .release = give});
  nsds_model *m = nsds_model_create(context);
  bool accepted = build_and_run(w, m, f->scene);
  const char *message = nsds_error_message(context);
  if (!accepted && message[0] == '\0') fail_msg("%s %s: refused without a message", f->name, what);
  if (nsds_error(context) == NSDS_ERROR_MEMORY && !strstr(message, "out of memory for"))
    fail_msg("%s %s: \"%s\" names no field", f->name, what, message);
  nsds_model_destroy(m);
  nsds_context_destroy(context);
  return accepted;
}

static void try_pointer(const field *f) {
  static world w;
  fill_world(&w);
  memset((char *)&w + f->offset, 0, f->kind == pointer ? sizeof(void *) : sizeof(nsds_operator));
  try_world(&w, f, "NULL");
}

static void try_counts(const field *f) {
  for (size_t k = 0; k < sizeof counts / sizeof *counts; ++k) {
    static world w;
    fill_world(&w);
    if (reads_as_told(f, counts[k])) continue;
    if (counts[k] > 1) drop_arrays(&w);
    memcpy((char *)&w + f->offset, &counts[k], sizeof(int));
    char what[32];
    snprintf(what, sizeof what, "= %d", counts[k]);
    bool accepted = try_world(&w, f, what);
    bool wrong = counts[k] < 0 ? counts[k] < -1 || !(f->valid & minus_one)
                               : counts[k] > 1 && !(f->valid & any_large);
    if (accepted && wrong) fail_msg("%s %s is accepted", f->name, what);
  }
}

static void try_numbers(const field *f) {
  for (size_t k = 0; k < sizeof edges / sizeof *edges; ++k) {
    static world w;
    fill_world(&w);
    memcpy((char *)&w + f->offset, &edges[k], sizeof(double));
    char what[32];
    snprintf(what, sizeof what, "= %g", edges[k]);
    bool accepted = try_world(&w, f, what);
    bool wrong = isnan(edges[k]) || edges[k] == -INFINITY ||
                 (isinf(edges[k]) && !(f->valid & infinite)) ||
                 (edges[k] == 1e308 && !(f->valid & any_large));
    if (accepted && wrong) fail_msg("%s %s is accepted", f->name, what);
  }
}

static void sound_worlds_run(void **state) {
  (void)state;
  for (scene_kind scene = of_functions; scene <= compliant; ++scene) {
    static world w;
    fill_world(&w);
    nsds_model *m = nsds_model_create(NULL);
    if (!build_and_run(&w, m, scene))
      fail_msg("scene %d: %s", (int)scene, nsds_error_message(nsds_model_context(m)));
    nsds_model_destroy(m);
  }
}

static void fields_at_their_edges(void **state) {
  (void)state;
  for (size_t k = 0; k < sizeof fields / sizeof *fields; ++k) switch (fields[k].kind) {
    case pointer:
    case function: try_pointer(&fields[k]); break;
    case count: try_counts(&fields[k]); break;
    case number: try_numbers(&fields[k]); break;
    }
}

/* NaN and infinity in what pointers lead to. */
static void entries_that_are_not_finite(void **state) {
  (void)state;
  static const struct {
    const char *name;
    scene_kind scene;
    size_t offset;
  } entries[] = {{"q0", of_functions, offsetof(world, two)},
                 {"mass", of_functions, offsetof(world, mass)},
                 {"z", of_functions, offsetof(world, own_z)},
                 {"mass_sparse", of_matrices, offsetof(world, mass_sparse)},
                 {"H", of_matrices, offsetof(world, row_of)},
                 {"D", of_matrices, offsetof(world, one)},
                 {"x0", of_states, offsetof(world, two)},
                 {"C", of_circuits, offsetof(world, row_of)},
                 {"H of facets", of_polyhedra, offsetof(world, facet)},
                 {"K of facets", of_polyhedra, offsetof(world, K_of)},
                 {"normal", of_sets, offsetof(world, normal)}};
  for (size_t k = 0; k < sizeof entries / sizeof *entries; ++k)
    for (int i = 0; i < 3; ++i) {
      static world w;
      fill_world(&w);
      memcpy((char *)&w + entries[k].offset, &edges[i], sizeof(double));
      field f = {.name = entries[k].name, .scene = entries[k].scene};
      if (try_world(&w, &f, "not finite")) fail_msg("%s %g is accepted", f.name, edges[i]);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sound_worlds_run),
      cmocka_unit_test(fields_at_their_edges),
      cmocka_unit_test(entries_that_are_not_finite),
  };
  return cmocka_run_group_tests_name("kernel.edges", tests, NULL, NULL);
}
