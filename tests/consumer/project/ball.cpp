// The program of docs/first.c from C++17, which has neither designated initialisers nor compound
// literals.
#include <nsds/nsds.h>

#include <cstdio>

int main() {
  const double height = 1.0, mass = 1.0, weight = -9.81, direction = 1.0, radius = -0.1;
  nsds_model *model = nsds_model_create(nullptr);

  nsds_lagrangian_linear_def body{};
  body.ndof = 1;
  body.q0 = &height;
  body.mass = &mass;
  body.fext = &weight;
  nsds_ds *ball = nsds_lagrangian_linear(model, &body);

  nsds_lagrangian_linear_relation_def distance{};
  distance.ny = distance.nq = 1;
  distance.H = &direction;
  distance.b = &radius;
  nsds_relation *gap = nsds_lagrangian_linear_relation(model, &distance);
  nsds_law *impact = nsds_newton_impact(model, 0.9);
  nsds_interaction *floor = nsds_connect(model, gap, impact, 1, &ball);

  nsds_time_stepping_def stepping{};
  stepping.t1 = 10.0;
  stepping.h = 0.005;
  nsds_simulation *simulation = nsds_time_stepping(model, &stepping);
  while (nsds_step(simulation) == NSDS_OK)
    std::printf("%g %g %g %g\n", nsds_time(simulation), nsds_q(ball)[0], nsds_v(ball)[0],
                nsds_impulse(floor)[0]);

  nsds_status status = nsds_error(nsds_model_context(model));
  nsds_model_destroy(model);
  return status != NSDS_OK;
}
