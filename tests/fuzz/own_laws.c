/* A law of one or two rows, and a geometry of balls above the plane q[1] = 0; see own_types.h. */
#include "own_types.h"

#include <math.h>
#include <string.h>

static void law_block(void *self, nsds_block *block) {
  const own_law *law = self;
  double mu[1] = {law->mu};
  int fault = misbehave(mu, 1);
  block->set = law->friction ? NSDS_SET_COULOMB : NSDS_SET_NONNEGATIVE;
  block->size = (law->friction ? 2 : 1) + (fault > 0);
  block->mu = mu[0];
}

static bool law_active(void *self, const double *y, const double *ydot, double tau, double slack) {
  (void)self;
  double look[1] = {y[0] + tau * ydot[0]};
  int fault = misbehave(look, 1);
  return fault ? fault > 0 : look[0] <= slack;
}

static void law_restitution(void *self, const double *ydot, double *q) {
  (void)self;
  q[0] += 0.4 * ydot[0];
  misbehave(q, 1);
}

static void law_compliance(void *self, double *D, int ld) {
  (void)self, (void)ld;
  D[0] += 1e-3;
  misbehave(D, 1);
}

const nsds_law_ops own_laws[OWN_OPS] = {{.type = "own law",
                                         .block = law_block,
                                         .active = law_active,
                                         .restitution = law_restitution,
                                         .destroy = own_free},
                                        {.type = "own soft law",
                                         .block = law_block,
                                         .active = law_active,
                                         .restitution = law_restitution,
                                         .compliance = law_compliance,
                                         .destroy = own_free},
                                        {.type = "own law without block", .destroy = own_free}};

/* The height is the second coordinate, or the only one. */
static int height(int n) { return n > 1 ? 1 : 0; }

enum {
  WRONG_NAN = 1,
  WRONG_INF,
  WRONG_KEY,
  WRONG_TWICE,
  WRONG_NO_Y,
  WRONG_NULL,
  WRONG_FOREIGN,
  WRONG_PLACE
};

static nsds_status add_contact(own_geometry *g, int i, double t, nsds_contacts *contacts) {
  const double *q = nsds_q(g->ds[i]);
  int nv = nsds_nv(g->ds[i]);
  double y[64] = {0}, H[2 * 64 * 8] = {0}; /* the law of the set may have more rows than wanted */
  if (!q || nv < 1 || nv > 8 || g->rows > 5 || q[height(nv)] > 0.3) return NSDS_OK;
  y[0] = g->wrong == WRONG_NAN ? NAN : q[height(nv)];
  for (int r = 0; r < g->rows; ++r) H[r + (r + 1) % nv * g->rows] = 1.0;
  if (g->wrong == WRONG_INF) H[0] = INFINITY;
  nsds_contact_point point = {.key = (uint64_t)i, .ds = {g->ds[i]}, .y = y, .H = H};
  if (g->wrong == WRONG_KEY) point.key = (uint64_t)(t * 1e4);
  if (g->wrong == WRONG_TWICE) point.ds[1] = g->ds[i];
  if (g->wrong == WRONG_NO_Y) point.y = NULL;
  if (g->wrong == WRONG_FOREIGN) {
    thing *other = any_thing(&fuzz.scenes[pick(MODELS)], SYSTEMS);
    point.ds[0] = other ? other->object : NULL;
    if (!other || nsds_nv(other->object) > 8) return NSDS_OK;
  }
  nsds_contact_place place = {.dimension = 2, .point = {0.0, q[height(nv)]}, .normal = {0.0, 1.0}};
  if (g->wrong == WRONG_PLACE) place.normal[1] = odd_real();
  if (i != 1) point.place = &place;
  return CALL(nsds_contacts_add, contacts, g->wrong == WRONG_NULL ? NULL : &point);
}

static nsds_status geometry_find(void *self, double t, nsds_contacts *contacts) {
  own_geometry *g = self;
  nsds_status status = misbehave_status(NULL, 0);
  for (int i = 0; i < g->count && !status; ++i) status = add_contact(g, i, t, contacts);
  return status;
}

static nsds_status geometry_output(void *self, uint64_t key, const nsds_arguments *in, double *y) {
  own_geometry *g = self;
  (void)key;
  memset(y, 0, (size_t)g->law_rows * sizeof *y);
  y[0] = in->q[height(in->nv)];
  return misbehave_status(y, 1);
}

static nsds_status geometry_gradient(void *self, uint64_t key, const nsds_arguments *in,
                                     const double *found, double *H) {
  own_geometry *g = self;
  (void)key;
  memcpy(H, found, (size_t)(g->law_rows * in->nv) * sizeof *H);
  return misbehave_status(H, g->law_rows * in->nv);
}

static double geometry_reach(void *self) {
  (void)self;
  double reach[1] = {0.3};
  misbehave(reach, 1);
  return reach[0];
}

static double geometry_travel(void *self, const nsds_ds *ds, const double *q0, const double *q) {
  (void)self;
  double way[1] = {0.0};
  for (int i = 0; i < nsds_nq(ds); ++i) way[0] = fmax(way[0], fabs(q[i] - q0[i]));
  misbehave(way, 1);
  return way[0];
}

static void geometry_place(void *self, uint64_t key, const nsds_arguments *in, const double *found,
                           nsds_contact_place *place) {
  (void)self, (void)found;
  place->dimension = 2;
  place->point[1] = in->q[height(in->nv)];
  place->normal[1] = 1.0;
  if (key != 1) misbehave(place->normal, 2);
}

const nsds_geometry_ops own_geometries[OWN_GEOMETRIES] = {
    {.type = "own geometry", .find = geometry_find, .destroy = own_free},
    {.type = "own followed geometry",
     .find = geometry_find,
     .destroy = own_free,
     .output = geometry_output,
     .gradient_v = geometry_gradient,
     .reach = geometry_reach,
     .travel = geometry_travel,
     .place = geometry_place},
    {.type = "own geometry without find", .destroy = own_free}};
