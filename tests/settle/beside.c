/* Parts that stand beside a part that settles, and must change nothing for it. */
#include "settle.h"

#include <math.h>

/* A brick that spins as fast as steps of h resolve, and flies far and fast. */
static const char *spinning(world *w, double h) {
  double size = power(w, -6.0, 6.0), m = w->M * size, J = m * w->L * w->L,
         fast = power(w, 0.0, 6.0);
  double inertia[9] = {0.1 * J, 0, 0, 0, 0.15 * J, 0, 0, 0, 0.2 * J}, v[6] = {0.0};
  for (int k = 0; k < 3; ++k) {
    v[k] = fast * w->L / w->T * between(w, -1.0, 1.0);
    v[3 + k] = 0.1 / h * between(w, -1.0, 1.0);
  }
  nsds_rigid_body(w->m, &(nsds_rigid_body_def){.mass = m, .inertia = inertia, .v0 = v});
  return "a spinning brick";
}

typedef struct swing {
  double k;
} swing;

static int pull(const nsds_arguments *in, double *F, void *user) {
  F[0] = ((const swing *)user)->k * sin(in->q[0]);
  return 0;
}
static int pull_q(const nsds_arguments *in, double *J, void *user) {
  J[0] = ((const swing *)user)->k * cos(in->q[0]);
  return 0;
}

/* A pendulum without a damper, light or heavy. */
static const char *swinging(world *w, double h) {
  static swing kept[64];
  static int next;
  swing *s = &kept[next++ % 64];
  double m = w->M * w->L * w->L * power(w, -6.0, 6.0), q = between(w, -2.0, 2.0), v = 0.0,
         rate = 0.2 / h * drawn(w);
  s->k = m * rate * rate;
  nsds_lagrangian(w->m, &(nsds_lagrangian_def){
                            .ndof = 1,
                            .q0 = &q,
                            .v0 = &v,
                            .mass = &m,
                            .user = s,
                            .fint = {.fn = pull, .jac_q_fn = pull_q, .jac_v_fn = nsds_zero}});
  return "a pendulum";
}

/* Two heavy or light masses far away on a spring without a damper. */
static const char *bouncing(world *w, double h) {
  double m = w->M * power(w, -6.0, 6.0), size = w->L * power(w, -3.0, 3.0),
         rate = 0.3 / h * drawn(w);
  nsds_ds *ds[2];
  for (int k = 0; k < 2; ++k) {
    double q = k * size, v = k * size * rate;
    ds[k] = nsds_lagrangian_linear(
        w->m, &(nsds_lagrangian_linear_def){.ndof = 1, .q0 = &q, .v0 = &v, .mass = &m});
  }
  nsds_relation *r = nsds_spring(w->m, &(nsds_spring_def){.ds = {ds[0], ds[1]},
                                                          .coordinates = true,
                                                          .stiffness = m * rate * rate + 1e-300});
  nsds_connect(w->m, r, nsds_equality(w->m), 2, ds);
  return "a spring without a damper";
}

const char *put_beside(world *w, double h) {
  switch (one_of(w, 4)) {
  case 0: return spinning(w, h);
  case 1: return swinging(w, h);
  case 2: return bouncing(w, h);
  default: return "nothing";
  }
}
