/* The pile in ODE: dWorldQuickStep with its defaults but the number of iterations. */
#include <ode/ode.h>

#include "engine.h"

#include <cmath>
#include <cstdio>
#include <deque>
#include <vector>

namespace {
struct touch {
  dReal normal[3];
  dJointFeedback force;
};

struct world {
  dWorldID dynamics;
  dSpaceID space;
  dJointGroupID contacts;
  std::vector<dBodyID> body;
  std::deque<touch> touches; /* of this step; they stay where they are */
  bool looked_at;
};

void meet(void *self, dGeomID a, dGeomID b) {
  world *w = static_cast<world *>(self);
  dBodyID one = dGeomGetBody(a), other = dGeomGetBody(b);
  dContact contact = {};
  contact.surface.mode = dContactApprox1; /* a pyramid of the normal force */
  contact.surface.mu = pile_friction;
  if ((!one && !other) || dCollide(a, b, 1, &contact.geom, sizeof contact) != 1) return;
  dJointID joint = dJointCreateContact(w->dynamics, w->contacts, &contact);
  dJointAttach(joint, one, other);
  if (!w->looked_at) return;
  w->touches.push_back({{contact.geom.normal[0], contact.geom.normal[1], contact.geom.normal[2]}, {}});
  dJointSetFeedback(joint, &w->touches.back().force);
}

void *build(int n, int sweeps) {
  dInitODE();
  world *w = new world{dWorldCreate(), dHashSpaceCreate(nullptr), dJointGroupCreate(0), {}, {}, false};
  double width = pile_width(n);
  dWorldSetGravity(w->dynamics, 0, 0, -pile_gravity);
  dWorldSetQuickStepNumIterations(w->dynamics, sweeps);
  dCreatePlane(w->space, 0, 0, 1, 0);
  dCreatePlane(w->space, 1, 0, 0, 0);
  dCreatePlane(w->space, -1, 0, 0, -width);
  dCreatePlane(w->space, 0, 1, 0, 0);
  dCreatePlane(w->space, 0, -1, 0, -width);
  for (int k = 0; k < n; ++k) {
    double x[3];
    dMass mass;
    pile_start(n, k, x);
    dBodyID body = dBodyCreate(w->dynamics);
    dMassSetSphereTotal(&mass, 1.0, pile_radius);
    dBodySetMass(body, &mass);
    dBodySetPosition(body, x[0], x[1], x[2]);
    dGeomSetBody(dCreateSphere(w->space, pile_radius), body);
    w->body.push_back(body);
  }
  return w;
}

int step(void *self, int looked_at) {
  world *w = static_cast<world *>(self);
  w->looked_at = looked_at;
  w->touches.clear();
  dSpaceCollide(w->space, w, meet);
  int fine = dWorldQuickStep(w->dynamics, pile_h);
  dJointGroupEmpty(w->contacts);
  return fine;
}

void look(void *self, int k, engine_body *body) {
  dBodyID b = static_cast<world *>(self)->body[k];
  for (int i = 0; i < 3; ++i) {
    body->x[i] = dBodyGetPosition(b)[i];
    body->v[i] = dBodyGetLinearVel(b)[i];
    body->W[i] = dBodyGetAngularVel(b)[i];
  }
}

double cone(void *self) {
  double worst = 0, largest = 0;
  for (const touch &t : static_cast<world *>(self)->touches) {
    const dReal *f = t.force.f1; /* on the body that the normal points to; of one alone: on it */
    double normal = 0, square = 0;
    for (int i = 0; i < 3; ++i) normal += f[i] * t.normal[i], square += f[i] * f[i];
    normal = std::fabs(normal);
    worst = std::fmax(worst, std::sqrt(std::fmax(square - normal * normal, 0.0)) -
                                 pile_friction * normal);
    largest = std::fmax(largest, normal);
  }
  return worst / largest;
}

void report(void *self) {
  std::printf("contacts %zu\n", static_cast<world *>(self)->touches.size());
}
} // namespace

int main(int argc, char **argv) {
  const engine e = {build, step, look, cone, report};
  return engine_main(argc, argv, &e);
}
