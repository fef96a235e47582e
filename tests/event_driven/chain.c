#include "chain.h"

nsds_law *chain_law(nsds_model *model, const chain *c, int i) {
  if (c->law == NEWTON) return nsds_newton_impact(model, c->e[i]);
  if (c->law == POISSON) return nsds_poisson_impact(model, c->e[i]);
  return nsds_distributing_impact(model,
                                  &(nsds_distributing_impact_def){.restitution = c->e[i],
                                                                  .stiffness = c->stiffness[i],
                                                                  .exponent = c->exponent,
                                                                  .bi_stiffness = c->bi_stiffness});
}

nsds_relation *chain_gap(nsds_model *model) {
  return nsds_lagrangian_linear_relation(
      model, &(nsds_lagrangian_linear_relation_def){.ny = 1, .nq = 2, .H = (double[]){-1.0, 1.0}});
}

nsds_ds *chain_ball(nsds_model *model, double mass, double v) {
  return nsds_lagrangian_linear(model,
                                &(nsds_lagrangian_linear_def){.ndof = 1, .mass = &mass, .v0 = &v});
}

outcome chain_strike(const chain *c) {
  outcome out = {0};
  nsds_model *model = nsds_model_create(NULL);
  nsds_relation *gap = chain_gap(model);
  nsds_ds *balls[most_balls];
  nsds_interaction *contact[most_balls];
  for (int i = 0; i < c->n; ++i) balls[i] = chain_ball(model, c->mass[i], c->v[i]);
  for (int k = 0; k + 1 < c->n; ++k) {
    int i = c->order[0] == c->order[1] ? k : c->order[k];
    contact[i] = nsds_connect(model, gap, chain_law(model, c, i), 2, &balls[i]);
  }
  nsds_simulation *s = nsds_event_driven(model, &(nsds_event_driven_def){.t1 = 1.0});
  assert_sound(model);
  assert_ok(model, nsds_step(s));
  const nsds_event_info *event = nsds_simulation_event(s);
  assert_true(event->kind & NSDS_EVENT_IMPACT);
  out.before = event->kinetic_before;
  out.after = event->kinetic_after;
  for (int i = 0; i < c->n; ++i) out.v[i] = nsds_v(balls[i])[0];
  for (int i = 0; i + 1 < c->n; ++i) out.P[i] = nsds_impulse(contact[i])[0];
  nsds_model_destroy(model);
  return out;
}

chain chain_equal(int n, impact_law law, double e, double exponent) {
  chain c = {.n = n, .law = law, .exponent = exponent, .v = {1.0}};
  for (int i = 0; i < n; ++i) c.mass[i] = c.stiffness[i] = 1.0, c.e[i] = e;
  return c;
}

void chain_check(const chain *c, const outcome *o) {
  double momentum = 0.0, size = 0.0, fastest = 0.0;
  for (int i = 0; i < c->n; ++i) {
    momentum += c->mass[i] * (o->v[i] - c->v[i]);
    size += c->mass[i] * (fabs(c->v[i]) + fabs(o->v[i]));
    fastest = fmax(fastest, fmax(fabs(c->v[i]), fabs(o->v[i])));
    double P = (i > 0 ? o->P[i - 1] : 0.0) - (i + 1 < c->n ? o->P[i] : 0.0);
    assert_near(c->mass[i] * (o->v[i] - c->v[i]), P,
                (c->law == DISTRIBUTING ? 1e-9 : 1e-13) * size);
  }
  assert_near(momentum, 0.0, 1e-15 * c->n * size);
  for (int i = 0; i + 1 < c->n; ++i) {
    assert_true(o->P[i] >= 0.0);
    assert_true(o->v[i + 1] - o->v[i] >= -1e-9 * fastest);
  }
  assert_true(o->after <= o->before * (1.0 + 1e-10));
}
