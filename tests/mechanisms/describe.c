/* A mechanism in words, to make it again as a small program. */
#include "../kernel/any_joint.h"
#include "mechanisms.h"

#include <stdio.h>

static const char *const joints[] = {[0] = "",
                                     [NSDS_JOINT_BALL] = "ball",
                                     [NSDS_JOINT_HINGE] = "hinge",
                                     [NSDS_JOINT_PRISMATIC] = "prismatic",
                                     [NSDS_JOINT_CYLINDRICAL] = "cylindrical",
                                     [NSDS_JOINT_FIXED] = "fixed",
                                     [NSDS_JOINT_DISTANCE] = "distance",
                                     [NSDS_JOINT_ROPE] = "rope",
                                     [NSDS_JOINT_GEAR] = "gear",
                                     [NSDS_JOINT_UNIVERSAL] = "universal",
                                     [NSDS_JOINT_PLANAR] = "planar",
                                     [ANY_ANGLE] = "angle",
                                     [ANY_SLIDE] = "slide"};
static const char *const laws[] = {"equality",        "relay",    "newton",
                                   "complementarity", "friction", "fremond"};
static const char *const links[] = {"joint", "ground", "spheres", "face", "tie", "tip"};

static void vector(const char *name, const double *x, int n) {
  printf(" %s (", name);
  for (int i = 0; i < n; ++i) printf("%s%.17g", i ? ", " : "", x[i]);
  printf(")");
}

void describe(const mechanism *m) {
  int nq = m->world == SPACE ? 7 : m->world == PLANE ? 3 : 1;
  int nv = m->world == SPACE ? 6 : nq;
  printf("%s until %.17g,", m->shape, m->t1);
  vector("gravity", m->gravity, 3);
  printf("\n");
  for (int k = 0; k < m->bodies; ++k) {
    const body *b = &m->body[k];
    printf("body %d: mass %.17g size %.17g", k, b->mass, b->size);
    vector("inertia", b->inertia, 3);
    vector("q", b->q, nq);
    vector("v", b->v, nv);
    if (b->load_frequency > 0.0) {
      printf(" spring %.6g damper %.6g frequency %.6g", b->stiffness, b->damping,
             b->load_frequency);
      vector("load", b->load, 2);
    }
    if (b->weight != 0.0) printf(" weight %.17g", b->weight);
    const drive *d = &b->drive;
    if (d->dofs)
      printf(" driven %#x: %.17g + %.17g sin(%.17g t)", d->dofs, d->mean, d->amplitude,
             d->frequency);
    printf("\n");
  }
  for (int k = 0; k < m->links; ++k) {
    const connection *c = &m->link[k];
    printf("link %d: %s %s, bodies %d %d, %s", k, links[c->kind], joints[c->joint], c->a, c->b,
           laws[c->law.kind]);
    const law *l = &c->law;
    if (l->kind != EQUALITY)
      printf(" f %.6g mu %.6g e %.6g e_t %.6g slip %.6g", l->force, l->mu, l->e, l->e_t, l->slip);
    if (c->kind == JOINT) {
      vector("point", c->point, 3);
      vector("axis", c->axis, 3);
      if (c->offset != 0.0) printf(" offset %.17g%s", c->offset, c->reversed ? " reversed" : "");
      if (c->joint == NSDS_JOINT_DISTANCE || c->joint == NSDS_JOINT_ROPE)
        vector("other", c->center[0], 3);
    } else if (c->kind == TIE) {
      vector("H", c->H[0], m->bodies);
      vector("H", c->H[1], m->bodies);
      printf(" b %.17g", c->shift);
    } else {
      vector("center", c->center[0], 3);
      vector("normal", c->normal, 3);
      printf(" radius %.17g plane %.17g", c->radius[0], c->plane);
    }
    printf("%s%s\n", c->closed ? ", closed" : "", c->found ? ", of the set" : "");
  }
}
