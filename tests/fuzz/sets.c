/* Calls that make and change contact sets. */
#include "calls.h"
#include "own_types.h"

#include <string.h>

enum { BODIES = 4, SHAPES = 4 };

static nsds_status set_kept(scene *s, nsds_contact_set *set, bool shapes) {
  keep(s, SETS, (thing){.object = set, .shapes = shapes});
  return made(set);
}

/* Systems of one kind, each once. */
static int choose_bodies(scene *s, bool (*fits)(const thing *t), nsds_ds **ds) {
  int count = 0;
  unsigned first = pick(SLOTS);
  for (unsigned i = 0; i < SLOTS && count < BODIES; ++i) {
    thing *t = &s->things[SYSTEMS][(first + i) % SLOTS];
    if (t->object && (fits(t) || odd(1))) ds[count++] = t->object;
  }
  if (count > 0 && odd(5)) ds[pick((unsigned)count)] = argument(s, SYSTEMS);
  return count;
}

static bool in_space(const thing *t) { return t->body == SPACE_BODY; }
static bool in_plane(const thing *t) { return t->body == PLANE_BODY; }
static bool of_second_order(const thing *t) { return t->order == 2; }
static bool of_two_coordinates(const thing *t) { return t->order == 2 && t->n >= 2; }

/* A law of this many rows for contacts. */
static nsds_law *contact_law(scene *s, nsds_model *model, int rows) {
  if (odd(3)) return argument(s, LAWS);
  thing *old = chance(50) ? any_thing(s, LAWS) : NULL;
  return old && old->ny == rows ? old->object : make_law(s, model, rows, 2);
}

/* Rows of a law, which may be any law; what fits where it is in no slot. */
static int law_rows(const nsds_law *law, int fitting) {
  for (int k = 0; k < MODELS * SLOTS; ++k) {
    const thing *t = &fuzz.scenes[k / SLOTS].things[LAWS][k % SLOTS];
    if (law && t->object == law) return t->ny;
  }
  return fitting;
}

nsds_status call_contact_set(scene *s) {
  nsds_model *model = model_argument(&s);
  own_geometry *self = own_self(sizeof *self);
  self->rows = chance(60) ? 1 : 1 + (int)pick(3);
  self->count = choose_bodies(s, of_second_order, self->ds);
  if (self->count > 3) self->count = 3;
  if (odd(30)) self->wrong = pick(9);
  nsds_custom_contact_set_def def = {.name = name(),
                                     .ops = &own_geometries[odd(5) ? OWN_GEOMETRIES - 1 : pick(2)],
                                     .self = self,
                                     .law = contact_law(s, model, self->rows)};
  self->law_rows = law_rows(def.law, self->rows);
  return set_kept(s, MAKE(nsds_custom_contact_set, model, &def), false);
}

nsds_status call_balls(scene *s) {
  nsds_model *model = model_argument(&s);
  nsds_ds **ds = brief(BODIES, sizeof(nsds_ds *));
  int count = choose_bodies(s, of_two_coordinates, ds);
  nsds_balls_def def = {.name = name(),
                        .law = contact_law(s, model, 1),
                        .count = odd(3) ? (int)pick(BODIES + 1) - 1 : count,
                        .ds = ds,
                        .dimension = number(2),
                        .radius = real(0.05, 0.4),
                        .offset = real(-0.5, 0.1),
                        .pairs = chance(60)};
  static const double up[3] = {0.0, 1.0, 0.0};
  if (chance(80)) def.normal = up;
  if (chance(30)) def.reach = real(0.05, 0.5);
  return set_kept(s, MAKE(nsds_balls, model, odd(1) ? NULL : &def), false);
}

static void choose_plane(nsds_plane *plane) {
  *plane = (nsds_plane){{0.0, 1.0, 0.0}, real(-1.0, 0.0)};
  if (odd(5)) plane->normal[pick(3)] = odd_real();
}

nsds_status call_spheres(scene *s) {
  nsds_model *model = model_argument(&s);
  nsds_ds **ds = brief(BODIES, sizeof(nsds_ds *));
  int count = choose_bodies(s, in_space, ds);
  int rows = chance(60) ? 3 : chance(50) ? 1 : 5;
  nsds_plane planes[2];
  for (int i = 0; i < 2; ++i) choose_plane(&planes[i]);
  nsds_spheres_def def = {.name = name(),
                          .law = contact_law(s, model, rows),
                          .count = odd(3) ? (int)pick(BODIES + 1) - 1 : count,
                          .ds = ds,
                          .radius = real(0.1, 0.5),
                          .nplane = (int)pick(3),
                          .plane = planes,
                          .planes_only = chance(20)};
  if (chance(30)) def.radii = array(BODIES, 0.1, 0.5);
  if (chance(30)) def.reach = real(0.05, 0.5);
  if (chance(10)) def.max_contacts = number(1);
  return set_kept(s, MAKE(nsds_spheres, model, odd(1) ? NULL : &def), false);
}

/* ---- shapes ---- */

static void choose_mesh(nsds_shape_def *shape, int dimension) {
  static const double points[6 * 3] = {-0.3, -0.3, -0.3, 0.3, -0.3, -0.3, 0.0,  0.4, -0.3,
                                       0.0,  0.0,  0.4,  0.3, 0.3,  0.3,  -0.3, 0.2, 0.1};
  static const int faces[4 * 3] = {0, 1, 2, 0, 1, 3, 1, 2, 3, 0, 2, 3};
  double *vertex = brief(sizeof points / sizeof *points, sizeof *vertex);
  int *face = brief(sizeof faces / sizeof *faces, sizeof *face);
  memcpy(vertex, points, sizeof points);
  memcpy(face, faces, sizeof faces);
  if (dimension == 2)
    memcpy(vertex, (double[]){-0.3, -0.3, 0.3, -0.3, 0.0, 0.4}, 6 * sizeof *vertex);
  if (odd(8)) vertex[pick(18)] = odd_real();
  if (odd(8)) face[pick(12)] = (int)pick(8) - 1;
  shape->vertex = vertex;
  shape->face = face;
  shape->nvertex = dimension == 2 ? 3 : 4 + (int)pick(3);
  shape->nface = dimension == 2 ? 3 : 1 + (int)pick(4);
  if (odd(5)) shape->nvertex = (int)pick(4) - 1;
  if (odd(5)) shape->nface = (int)pick(2) - 1;
}

static void choose_heights(nsds_shape_def *shape, int dimension) {
  shape->nx = odd(5) ? (int)pick(4) - 1 : 2 + (int)pick(2);
  shape->ny = odd(5) ? (int)pick(4) - 1 : dimension == 2 ? (int)pick(2) : 2 + (int)pick(2);
  shape->height = array(9, -0.2, 0.2);
}

static nsds_shape_def choose_shape(scene *s, int dimension) {
  nsds_shape_def shape = {.kind = (nsds_shape_kind)number(1 + (int)pick(11)),
                          .radius = real(0.1, 0.4),
                          .top_radius = chance(50) ? 0.0 : real(0.0, 0.4),
                          .half = {real(0.1, 0.5), real(0.1, 0.5), real(0.1, 0.5)},
                          .material = odd(3) ? number(1) : (int)pick(2),
                          .group = chance(15) ? 1 : 0};
  nsds_ds *ds[BODIES];
  int count = choose_bodies(s, dimension == 2 ? in_plane : in_space, ds);
  bool held = shape.kind == NSDS_HALF_SPACE || shape.kind == NSDS_TRIANGLES ||
              shape.kind == NSDS_HEIGHT_FIELD;
  bool scenery = held || count == 0 || chance(20);
  if (!scenery || odd(5)) shape.ds = count ? ds[0] : NULL;
  if (scenery) shape.position[1] = real(-1.5, -0.5);
  if (shape.kind == NSDS_HULL || shape.kind == NSDS_BOX)
    shape.radius = chance(50) ? 0.0 : shape.radius;
  if (chance(30)) {
    memcpy(shape.quaternion, (double[]){0.6, 0.8, 0.0, 0.0}, sizeof shape.quaternion);
    if (odd(10)) shape.quaternion[pick(4)] = odd_real();
    shape.angle = real(-1.0, 1.0);
  }
  choose_plane(&shape.plane);
  if (shape.kind == NSDS_HULL || shape.kind == NSDS_TRIANGLES || shape.kind == NSDS_MESH || odd(3))
    choose_mesh(&shape, dimension);
  if (shape.kind == NSDS_MESH) {
    shape.nface = dimension == 2 ? 3 : 4;
    shape.nvertex = dimension == 2 ? 3 : 4;
    shape.radius = chance(50) ? 0.0 : shape.radius;
  }
  if (shape.kind == NSDS_HEIGHT_FIELD || odd(3)) choose_heights(&shape, dimension);
  return shape;
}

static void mix_by_hand(const nsds_material *a, const nsds_material *b, nsds_material *pair,
                        void *user) {
  (void)a, (void)b, (void)user;
  pair->mu *= 0.5;
  double mu[1] = {pair->mu};
  misbehave(mu, 1);
  pair->mu = mu[0];
}

nsds_status call_shapes(scene *s) {
  nsds_model *model = model_argument(&s);
  thing *first = any_thing(s, SYSTEMS);
  bool plane = first && first->body == PLANE_BODY;
  int dimension = plane ? 2 : 3;
  nsds_shape_def *shapes = brief(SHAPES, sizeof *shapes);
  nsds_material *materials = brief(2, sizeof *materials);
  for (int i = 0; i < 2; ++i) {
    materials[i] = (nsds_material){real(0.0, 0.8), real(0.0, 0.1), real(0.0, 1.0), real(0.0, 1.0)};
  }
  nsds_shapes_def def = {.name = name(),
                         .dimension = number(dimension),
                         .nshape = (int)pick(SHAPES + 1),
                         .shape = shapes,
                         .rolling = chance(25),
                         .mix = (nsds_mix)pick(4),
                         .mix_fn = chance(20) ? mix_by_hand : NULL,
                         .overlap = (nsds_overlap_method)pick(3)};
  for (int i = 0; i < def.nshape; ++i) shapes[i] = choose_shape(s, dimension);
  if (chance(50)) {
    def.law = contact_law(s, model, plane ? 2 : 3);
  } else {
    def.nmaterial = odd(5) ? (int)pick(3) - 1 : 2;
    def.material = materials;
  }
  if (chance(30)) def.reach = real(0.05, 0.5);
  if (chance(10)) def.max_contacts = number(1);
  return set_kept(s, MAKE(nsds_shapes, model, odd(1) ? NULL : &def), true);
}

static nsds_contact_set *choose_shapes(scene *s) {
  thing *t = any_thing(s, SETS);
  for (int i = 0; i < SLOTS && !(t && t->shapes); ++i) {
    if (s->things[SETS][i].object) t = &s->things[SETS][i];
  }
  return odd(5) || !t ? argument(s, SETS) : t->object;
}

nsds_status call_shapes_change(scene *s) {
  nsds_contact_set *set = choose_shapes(s);
  nsds_ds *first = argument(s, SYSTEMS), *second = chance(50) ? argument(s, SYSTEMS) : NULL;
  switch (pick(6)) {
  case 0: return CALL(nsds_shapes_remove, set, odd(10) ? number(0) : (int)pick(6));
  case 1: return CALL(nsds_shapes_remove_body, set, first);
  case 2: return CALL(nsds_shapes_exclude, set, first, second);
  case 3: return CALL(nsds_shapes_include, set, first, second);
  default: break;
  }
  nsds_shape_def shape = choose_shape(s, chance(30) ? 2 : 3);
  bool added = READ(nsds_shapes_add, set, odd(2) ? NULL : &shape) >= 0.0;
  return added ? NSDS_OK : NSDS_ERROR_ARGUMENT;
}

nsds_status call_set_destroy(scene *s) {
  nsds_contact_set *set = argument(s, SETS);
  nsds_status status = CALL(nsds_contact_set_destroy, set);
  if (!status) forget(owner(s, SETS, set), SETS, set);
  return status;
}

nsds_status call_mass(scene *s) {
  nsds_model *model = model_argument(&s);
  int dimension = chance(30) ? 2 : 3, count = 1 + (int)pick(SHAPES);
  nsds_shape_def *shapes = brief(SHAPES, sizeof *shapes);
  nsds_mass_def def = {.dimension = number(dimension),
                       .nshape = odd(5) ? (int)pick(2) - 1 : count,
                       .shape = odd(2) ? NULL : shapes,
                       .density = chance(60) ? real(0.1, 10.0) : 0.0};
  nsds_mass mass;
  for (int i = 0; i < count; ++i) {
    shapes[i] = choose_shape(s, dimension);
    if (shapes[i].kind == NSDS_HALF_SPACE && chance(90)) shapes[i].kind = NSDS_SPHERE;
    if (shapes[i].kind == NSDS_TRIANGLES || shapes[i].kind == NSDS_MESH) shapes[i].radius = 0.0;
  }
  if (def.density == 0.0 && chance(50)) def.densities = array(SHAPES, 0.1, 10.0);
  else if (def.density == 0.0) def.mass = odd(10) ? odd_real() : real(0.1, 10.0);
  nsds_status status =
      CALL(nsds_mass_properties, model, odd(1) ? NULL : &def, odd(1) ? NULL : &mass);
  if (!status) {
    if (!(mass.mass > 0.0) || !(mass.inertia[8] > 0.0)) finding("a body without mass");
    DO(nsds_center_shapes, count, shapes, mass.center);
  }
  return status;
}
