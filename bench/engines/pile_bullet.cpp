/* The pile in Bullet: sequential impulses with its defaults but the number of iterations. */
#include <btBulletDynamicsCommon.h>

#include "engine.h"

#include <cmath>
#include <cstdio>

namespace {
struct world {
  btDefaultCollisionConfiguration configuration;
  btCollisionDispatcher dispatcher{&configuration};
  btDbvtBroadphase broadphase;
  btSequentialImpulseConstraintSolver solver;
  btDiscreteDynamicsWorld dynamics{&dispatcher, &broadphase, &solver, &configuration};
  btSphereShape sphere{btScalar(pile_radius)};
  btAlignedObjectArray<btRigidBody *> body;

  btRigidBody *add(btScalar mass, btCollisionShape *shape, const btVector3 &at) {
    btVector3 inertia(0, 0, 0);
    if (mass > 0) shape->calculateLocalInertia(mass, inertia);
    btRigidBody::btRigidBodyConstructionInfo info(mass, nullptr, shape, inertia);
    info.m_startWorldTransform.setIdentity();
    info.m_startWorldTransform.setOrigin(at);
    info.m_friction = btScalar(sqrt(pile_friction)); /* of a pair: the product */
    btRigidBody *made = new btRigidBody(info);
    made->setActivationState(DISABLE_DEACTIVATION);
    dynamics.addRigidBody(made);
    return made;
  }
};

void *build(int n, int sweeps) {
  world *w = new world;
  btScalar width = btScalar(pile_width(n));
  const btVector3 normal[] = {{0, 0, 1}, {1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}};
  const btScalar offset[] = {0, 0, -width, 0, -width};
  for (int p = 0; p < 5; ++p)
    w->add(0, new btStaticPlaneShape(normal[p], offset[p]), btVector3(0, 0, 0));
  for (int k = 0; k < n; ++k) {
    double x[3];
    pile_start(n, k, x);
    w->body.push_back(
        w->add(1, &w->sphere, btVector3(btScalar(x[0]), btScalar(x[1]), btScalar(x[2]))));
  }
  w->dynamics.setGravity(btVector3(0, 0, btScalar(-pile_gravity)));
  w->dynamics.getSolverInfo().m_numIterations = sweeps;
  return w;
}

int step(void *self, int) {
  static_cast<world *>(self)->dynamics.stepSimulation(btScalar(pile_h), 0);
  return 1;
}

void look(void *self, int k, engine_body *body) {
  const btRigidBody *b = static_cast<world *>(self)->body[k];
  for (int i = 0; i < 3; ++i) {
    body->x[i] = b->getWorldTransform().getOrigin()[i];
    body->v[i] = b->getLinearVelocity()[i];
    body->W[i] = b->getAngularVelocity()[i];
  }
}

double cone(void *self) {
  btDispatcher &dispatcher = static_cast<world *>(self)->dispatcher;
  double worst = 0, largest = 0;
  for (int m = 0; m < dispatcher.getNumManifolds(); ++m) {
    const btPersistentManifold *manifold = dispatcher.getManifoldByIndexInternal(m);
    for (int k = 0; k < manifold->getNumContacts(); ++k) {
      const btManifoldPoint &p = manifold->getContactPoint(k);
      double tangent = std::hypot(p.m_appliedImpulseLateral1, p.m_appliedImpulseLateral2);
      worst = std::fmax(worst, tangent - pile_friction * p.m_appliedImpulse);
      largest = std::fmax(largest, double(p.m_appliedImpulse));
    }
  }
  return worst / largest;
}

void report(void *self) {
  btDispatcher &dispatcher = static_cast<world *>(self)->dispatcher;
  int contacts = 0;
  for (int m = 0; m < dispatcher.getNumManifolds(); ++m)
    contacts += dispatcher.getManifoldByIndexInternal(m)->getNumContacts();
  std::printf("contacts %d\n", contacts);
}
} // namespace

int main(int argc, char **argv) {
  const engine e = {build, step, look, cone, report};
  return engine_main(argc, argv, &e);
}
