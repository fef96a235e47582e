/* The pile in ODE: dWorldQuickStep with its defaults but the number of iterations. */
#include <ode/ode.h>

#include "engine.h"

#include <vector>

namespace {
struct world {
  dWorldID dynamics;
  dSpaceID space;
  dJointGroupID contacts;
  std::vector<dBodyID> body;
};

void meet(void *self, dGeomID a, dGeomID b) {
  world *w = static_cast<world *>(self);
  dBodyID one = dGeomGetBody(a), other = dGeomGetBody(b);
  dContact contact = {};
  contact.surface.mode = dContactApprox1; /* a pyramid of the normal force */
  contact.surface.mu = pile_friction;
  if ((one || other) && dCollide(a, b, 1, &contact.geom, sizeof contact) == 1)
    dJointAttach(dJointCreateContact(w->dynamics, w->contacts, &contact), one, other);
}

void *build(int n, int sweeps) {
  dInitODE();
  world *w = new world{dWorldCreate(), dHashSpaceCreate(nullptr), dJointGroupCreate(0), {}};
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

int step(void *self) {
  world *w = static_cast<world *>(self);
  dSpaceCollide(w->space, w, meet);
  int fine = dWorldQuickStep(w->dynamics, pile_h);
  dJointGroupEmpty(w->contacts);
  return fine;
}

void look(void *self, int k, double x[3], double *kinetic) {
  dBodyID b = static_cast<world *>(self)->body[k];
  const dReal *p = dBodyGetPosition(b), *v = dBodyGetLinearVel(b), *W = dBodyGetAngularVel(b);
  for (int i = 0; i < 3; ++i) {
    x[i] = p[i];
    *kinetic += 0.5 * v[i] * v[i] + 0.5 * pile_inertia * W[i] * W[i];
  }
}
} // namespace

int main(int argc, char **argv) {
  const engine e = {build, step, look};
  return engine_main(argc, argv, &e);
}
