/* Calls that set states, parameters and how systems are integrated. */
#include "callbacks.h"
#include "calls.h"
#include "own_types.h"

#include <math.h>

nsds_status call_set_state(scene *s) {
  nsds_ds *ds = argument(s, SYSTEMS);
  int nq = ds ? nsds_nq(ds) : 0, nv = ds ? nsds_nv(ds) : 0;
  double *q = chance(80) ? array(nq, -0.5, 0.5) : NULL;
  double *v = chance(80) ? array(nv, -1.0, 1.0) : NULL;
  if (q && nq == 7 && nv == 6 && !odd(10)) {
    double angle = even(-3.0, 3.0);
    q[3] = cos(angle);
    q[4] = sin(angle);
    q[5] = q[6] = 0.0;
  }
  return CALL(nsds_set_state, ds, q, v);
}

nsds_status call_set_x(scene *s) {
  nsds_ds *ds = argument(s, SYSTEMS);
  double *x = array(ds ? nsds_nx(ds) : 1, -1.0, 1.0);
  return chance(70) ? CALL(nsds_set_x, ds, x) : CALL(nsds_set_r, ds, x);
}

nsds_status call_set_force(scene *s) {
  nsds_interaction *ia = argument(s, INTERACTIONS);
  if (chance(30)) return CALL(nsds_joint_set_turns, ia, odd(10) ? NAN : even(-99.0, 99.0));
  int n = ia ? nsds_interaction_size(ia) : 1;
  return CALL(nsds_set_lambda, ia, odd(3) ? NULL : array(n, 0.0, 1.0));
}

nsds_status call_set_z(scene *s) {
  int n = number(1);
  double *z = odd(2) ? NULL : array(n, -1.0, 1.0);
  if (!z) n = n > 0 ? 1 : n;
  nsds_operator function = chance(50) ? f_force : chance(50) ? f_h : f_b;
  switch (pick(6)) {
  case 0: return CALL(nsds_relation_set_z, argument(s, RELATIONS), n, z);
  case 1: return CALL(nsds_interaction_set_z, argument(s, INTERACTIONS), n, z);
  case 2: return CALL(nsds_ds_set_operator_z, argument(s, SYSTEMS), odd(3) ? NULL : function, n, z);
  case 3: return CALL(nsds_relation_set_operator_z, argument(s, RELATIONS), function, n, z);
  default: return CALL(nsds_ds_set_z, argument(s, SYSTEMS), n, z);
  }
}

nsds_status call_discretise(scene *s) {
  nsds_ds *ds = argument(s, SYSTEMS);
  nsds_discretisation scheme = {0};
  if (chance(70)) scheme = choose_scheme(ds && nsds_nx(ds) ? 1 : 2, true);
  return CALL(nsds_ds_discretise, ds, scheme);
}

nsds_status call_set_integrator(scene *s) {
  static const char *const names[] = {"default", "Moreau-Jean", "Euler-Moreau", "zero-order hold",
                                      "no such"};
  nsds_ds *ds = argument(s, SYSTEMS);
  const nsds_integrator *integrator;
  if (chance(30)) {
    int order = ds && nsds_nx(ds) ? 1 : 2;
    integrator = &own_integrators[odd(10) ? pick(OWN_INTEGRATORS) : (unsigned)order - 1];
  } else {
    integrator = MAKE(nsds_integrator_named, names[odd(5) ? 4 : pick(4)]);
  }
  return CALL(nsds_ds_set_integrator, ds, integrator);
}

#define TAG(prefix, object)                                                                        \
  do {                                                                                             \
    CALL(prefix##_set_name, object, chance(20) ? NULL : name());                                   \
    CALL(prefix##_set_user, object, s);                                                            \
    MAKE(prefix##_name, object);                                                                   \
    MAKE(prefix##_user, object);                                                                   \
  } while (0)

nsds_status call_tags(scene *s) {
  nsds_model *model = model_argument(&s);
  nsds_ds *ds = argument(s, SYSTEMS);
  nsds_relation *relation = argument(s, RELATIONS);
  nsds_law *law = argument(s, LAWS);
  nsds_interaction *ia = argument(s, INTERACTIONS);
  nsds_contact_set *set = argument(s, SETS);
  nsds_simulation *simulation = argument(s, SIMULATIONS);
  TAG(nsds_model, model);
  TAG(nsds_ds, ds);
  TAG(nsds_relation, relation);
  TAG(nsds_law, law);
  TAG(nsds_interaction, ia);
  TAG(nsds_contact_set, set);
  TAG(nsds_simulation, simulation);
  READ(nsds_state_moves, model);
  return NSDS_OK;
}

nsds_status call_body_force(scene *s) {
  const double *force = chance(70) ? array(3, -1.0, 1.0) : NULL;
  const double *moment = chance(50) ? array(3, -0.1, 0.1) : NULL;
  return CALL(nsds_set_body_force, argument(s, SYSTEMS), force, moment,
              (nsds_frame)(odd(20) ? number(0) : (int)pick(2)));
}
