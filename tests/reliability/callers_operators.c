/*
 * Operators of definitions: a definition is kept as it was, and the library gets one whose functions
 * call those of the kept one. Definitions with operators that have data of their own, which are told by
 * their address, pass as they are.
 */
#include "callers.h"

/* Lists X(type, name, field, number of entries written); `d` is the definition. */
#define LAGRANGIAN(X, T)                                                                           \
  X(T, mass_fn, mass_fn, d->ndof * d->ndof)                                                        \
  X(T, nnl_fn, nnl.fn, d->ndof)                                                                    \
  X(T, jac_nnl_q_fn, nnl.jac_q_fn, d->ndof * d->ndof)                                              \
  X(T, jac_nnl_v_fn, nnl.jac_v_fn, d->ndof * d->ndof)                                              \
  X(T, fint_fn, fint.fn, d->ndof)                                                                  \
  X(T, jac_fint_q_fn, fint.jac_q_fn, d->ndof * d->ndof)                                            \
  X(T, jac_fint_v_fn, fint.jac_v_fn, d->ndof * d->ndof)                                            \
  X(T, fext_fn, fext_fn, d->ndof)                                                                  \
  X(T, control_map_fn, control.map_fn, d->ndof * d->control.n)                                     \
  X(T, control_fn, control.fn, d->control.n)                                                       \
  X(T, jac_control_q_fn, control.jac_q_fn, d->control.n * d->ndof)                                 \
  X(T, jac_control_v_fn, control.jac_v_fn, d->control.n * d->ndof)                                 \
  X(T, jac_control_map_q_fn, control.jac_map_q_fn, d->ndof * d->control.n * d->ndof)               \
  X(T, prescribed_fn, prescribed.fn, d->prescribed.n)
#define LAGRANGIAN_LINEAR(X, T)                                                                    \
  X(T, fext_fn, fext_fn, d->ndof) X(T, prescribed_fn, prescribed.fn, d->prescribed.n)
#define RIGID_BODY(X, T)                                                                           \
  X(T, force_fn, force.fn, 3)                                                                      \
  X(T, jac_force_q_fn, force.jac_q_fn, 21)                                                         \
  X(T, jac_force_v_fn, force.jac_v_fn, 18)                                                         \
  X(T, moment_fn, moment.fn, 3)                                                                    \
  X(T, jac_moment_q_fn, moment.jac_q_fn, 21)                                                       \
  X(T, jac_moment_v_fn, moment.jac_v_fn, 18)                                                       \
  X(T, prescribed_fn, prescribed.fn, d->prescribed.n)
#define RIGID_BODY_2D(X, T)                                                                        \
  X(T, force_fn, force_fn, 3) X(T, prescribed_fn, prescribed.fn, d->prescribed.n)
#define FIRST_ORDER(X, T)                                                                          \
  X(T, mass_fn, mass_fn, d->n * d->n)                                                              \
  X(T, f_fn, f_fn, d->n)                                                                           \
  X(T, jac_f_x_fn, jac_f_x_fn, d->n * d->n)                                                        \
  X(T, control_map_fn, control.map_fn, d->n * d->control.n)                                        \
  X(T, control_fn, control.fn, d->control.n)                                                       \
  X(T, jac_control_x_fn, control.jac_x_fn, d->control.n * d->n)                                    \
  X(T, jac_control_xdot_fn, control.jac_xdot_fn, d->control.n * d->n)                              \
  X(T, jac_control_map_x_fn, control.jac_map_x_fn, d->n * d->control.n * d->n)
#define FIRST_ORDER_LINEAR(X, T)                                                                   \
  X(T, mass_fn, mass_fn, d->n * d->n)                                                              \
  X(T, A_fn, A_fn, d->n * d->n)                                                                    \
  X(T, b_fn, b_fn, d->n)                                                                           \
  X(T, control_fn, control.fn, d->control.n)
#define LAGRANGIAN_RELATION(X, T)                                                                  \
  X(T, output_fn, output_fn, d->ny)                                                                \
  X(T, jac_output_q_fn, jac_output_q_fn, d->ny * d->nq)                                            \
  X(T, jac_output_t_fn, jac_output_t_fn, d->ny)                                                    \
  X(T, jac_output_lambda_fn, jac_output_lambda_fn, d->ny * d->ny)                                  \
  X(T, bias_fn, bias_fn, d->ny)
#define LINEAR_RELATION(X, T)                                                                      \
  X(T, C_fn, C_fn, d->ny * d->nx)                                                                  \
  X(T, D_fn, D_fn, d->ny * d->ny)                                                                  \
  X(T, B_fn, B_fn, d->nx * d->ny)                                                                  \
  X(T, F_fn, F_fn, d->ny * d->nz)                                                                  \
  X(T, e_fn, e_fn, d->ny)
#define NONLINEAR_RELATION(X, T)                                                                   \
  X(T, output_fn, output_fn, d->ny)                                                                \
  X(T, jac_output_x_fn, jac_output_x_fn, d->ny * d->nx)                                            \
  X(T, jac_output_lambda_fn, jac_output_lambda_fn, d->ny * d->ny)                                  \
  X(T, input_fn, input_fn, d->nx)                                                                  \
  X(T, jac_input_lambda_fn, jac_input_lambda_fn, d->nx * d->ny)                                    \
  X(T, jac_input_x_fn, jac_input_x_fn, d->nx * d->nx)
#define MIXED_LINEAR_RELATION(X, T) X(T, e_fn, e_fn, d->ny)
#define MIXED_V (d->nv ? d->nv : d->nq)
#define MIXED_RELATION(X, T)                                                                       \
  X(T, output_fn, output_fn, d->ny)                                                                \
  X(T, jac_output_x_fn, jac_output_x_fn, d->ny * d->nx)                                            \
  X(T, jac_output_q_fn, jac_output_q_fn, d->ny * d->nq)                                            \
  X(T, jac_output_v_fn, jac_output_v_fn, d->ny *MIXED_V)                                           \
  X(T, jac_output_lambda_fn, jac_output_lambda_fn, d->ny * d->ny)                                  \
  X(T, input_fn, input_fn, d->nx + MIXED_V)                                                        \
  X(T, jac_input_lambda_fn, jac_input_lambda_fn, (d->nx + MIXED_V) * d->ny)                        \
  X(T, jac_input_x_fn, jac_input_x_fn, (d->nx + MIXED_V) * d->nx)                                  \
  X(T, jac_input_q_fn, jac_input_q_fn, (d->nx + MIXED_V) * d->nq)                                  \
  X(T, jac_input_v_fn, jac_input_v_fn, (d->nx + MIXED_V) * MIXED_V)

#define CALLER(T, name, field, entries)                                                            \
  static int T##_##name(const nsds_arguments *in, double *out, void *user) {                       \
    const T *d = user;                                                                             \
    return callers_operator(d->field(in, out, d->user), out, entries);                             \
  }

static nsds_operator diverted(nsds_operator function, nsds_operator caller) {
  bool stands = !function || function == nsds_zero || function == nsds_differences;
  return stands ? function : caller;
}

#define DIVERT(T, name, field, entries) other.field = diverted(def->field, T##_##name);

/* A constructor `name` of an object, and the kept definition behind it. */
#define CONSTRUCTOR(object, name, T, LIST, as_it_is)                                               \
  object *__real_##name(nsds_model *model, const T *def);                                          \
  object *__wrap_##name(nsds_model *model, const T *def);                                          \
  object *__wrap_##name(nsds_model *model, const T *def) {                                         \
    if (as_it_is) return __real_##name(model, def);                                                \
    T other = *def;                                                                                \
    LIST(DIVERT, T)                                                                                \
    other.user = callers_keep(def, sizeof *def);                                                   \
    return __real_##name(model, &other);                                                           \
  }

#define ALL(object, name, T, LIST, as_it_is)                                                       \
  LIST(CALLER, T) CONSTRUCTOR(object, name, T, LIST, as_it_is)

ALL(nsds_ds, nsds_lagrangian, nsds_lagrangian_def, LAGRANGIAN, def->ndata > 0)
ALL(nsds_ds, nsds_lagrangian_linear, nsds_lagrangian_linear_def, LAGRANGIAN_LINEAR, def->ndata > 0)
ALL(nsds_ds, nsds_rigid_body, nsds_rigid_body_def, RIGID_BODY, def->ndata > 0)
ALL(nsds_ds, nsds_rigid_body_2d, nsds_rigid_body_2d_def, RIGID_BODY_2D, def->ndata > 0)
ALL(nsds_ds, nsds_first_order, nsds_first_order_def, FIRST_ORDER, def->ndata > 0)
ALL(nsds_ds, nsds_first_order_linear, nsds_first_order_linear_def, FIRST_ORDER_LINEAR,
    def->ndata > 0)
ALL(nsds_relation, nsds_lagrangian_relation, nsds_lagrangian_relation_def, LAGRANGIAN_RELATION,
    def->ndata > 0)
ALL(nsds_relation, nsds_first_order_linear_relation, nsds_first_order_linear_relation_def,
    LINEAR_RELATION, def->ndata > 0)
ALL(nsds_relation, nsds_first_order_relation, nsds_first_order_relation_def, NONLINEAR_RELATION,
    def->ndata > 0)
ALL(nsds_relation, nsds_mixed_linear_relation, nsds_mixed_linear_relation_def,
    MIXED_LINEAR_RELATION, def->ndata > 0)
ALL(nsds_relation, nsds_mixed_relation, nsds_mixed_relation_def, MIXED_RELATION, def->ndata > 0)

/* ---- contacts of rigid bodies ---- */

/* gap, point, normal: the entries of which one is spoiled */
static int spoil_contact(int returned, nsds_body_contact *contact) {
  double entry[7];
  entry[0] = contact->gap;
  memcpy(entry + 1, contact->point, sizeof contact->point);
  memcpy(entry + 4, contact->normal, sizeof contact->normal);
  returned = callers_operator(returned, entry, 7);
  contact->gap = entry[0];
  memcpy(contact->point, entry + 1, sizeof contact->point);
  memcpy(contact->normal, entry + 4, sizeof contact->normal);
  return returned;
}

static int contact_caller(const nsds_arguments *in, nsds_body_contact *contact, void *user) {
  const nsds_contact_relation_def *d = user;
  return spoil_contact(d->contact_fn(in, contact, d->user), contact);
}

static int rate_caller(const nsds_arguments *in, nsds_body_contact *contact, void *user) {
  const nsds_contact_relation_def *d = user;
  return spoil_contact(d->rate_fn(in, contact, d->user), contact);
}

nsds_relation *__real_nsds_contact_relation(nsds_model *model,
                                            const nsds_contact_relation_def *def);
nsds_relation *__wrap_nsds_contact_relation(nsds_model *model,
                                            const nsds_contact_relation_def *def);
nsds_relation *__wrap_nsds_contact_relation(nsds_model *model,
                                            const nsds_contact_relation_def *def) {
  nsds_contact_relation_def other = *def;
  other.contact_fn = contact_caller;
  if (def->rate_fn) other.rate_fn = rate_caller;
  other.user = callers_keep(def, sizeof *def);
  return __real_nsds_contact_relation(model, &other);
}
