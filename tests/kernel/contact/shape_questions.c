/*
 * Rays, nearest points and distances of shapes. The other side is written here: exact distances of
 * spheres, capsules, rounded boxes and half spaces, the largest distance from the faces of a hull,
 * and marches along rays by these distances. With a number as argument the program draws so many
 * scenes instead.
 */
#include "support.h"

#include <nsds/rigid_body.h>
#include <nsds/shapes.h>

#include <stdlib.h>

enum { most_shapes = 40, octahedron = 6 };

static double dot(const double *a, const double *b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* ---- distances written anew ---- */

/* A point of the world in the axes of a shape. */
static void in_shape(const nsds_shape_info *s, const double *p, double *out) {
  const double *e = s->world_quaternion;
  double d[3], R[9] = {1 - 2 * (e[2] * e[2] + e[3] * e[3]), 2 * (e[1] * e[2] + e[0] * e[3]),
                       2 * (e[1] * e[3] - e[0] * e[2]),     2 * (e[1] * e[2] - e[0] * e[3]),
                       1 - 2 * (e[1] * e[1] + e[3] * e[3]), 2 * (e[2] * e[3] + e[0] * e[1]),
                       2 * (e[1] * e[3] + e[0] * e[2]),     2 * (e[2] * e[3] - e[0] * e[1]),
                       1 - 2 * (e[1] * e[1] + e[2] * e[2])};
  for (int i = 0; i < 3; ++i) d[i] = p[i] - s->world_position[i];
  for (int i = 0; i < 3; ++i) out[i] = dot(R + 3 * i, d);
}

static double from_box(const double *x, const double *half, int dimension) {
  double outside = 0.0, inside = -INFINITY;
  for (int i = 0; i < dimension; ++i) {
    double d = fabs(x[i]) - half[i];
    outside += d > 0.0 ? d * d : 0.0;
    inside = fmax(inside, d);
  }
  return inside > 0.0 ? sqrt(outside) : inside;
}

/* Distance of a point from a shape; of a hull from outside at most that, of no face further. */
static double distance_of(const nsds_shape_info *s, const double *p) {
  double x[3], most = -INFINITY;
  if (s->kind == NSDS_HALF_SPACE) return dot(s->plane.normal, p) - s->plane.offset;
  in_shape(s, p, x);
  if (s->kind == NSDS_SPHERE) return sqrt(dot(x, x)) - s->radius;
  if (s->kind == NSDS_BOX) return from_box(x, s->half, s->dimension) - s->radius;
  if (s->kind == NSDS_CAPSULE) {
    x[0] -= fmin(fmax(x[0], -s->half[0]), s->half[0]);
    return sqrt(dot(x, x)) - s->radius;
  }
  for (int f = 0; f < s->nface; ++f) { /* of an octahedron with radius 0 */
    const int *loop = s->face + s->first[f];
    const double *a = s->vertex + 3 * loop[0], *b = s->vertex + 3 * loop[1],
                 *c = s->vertex + 3 * loop[2];
    double u[3], v[3], d[3];
    for (int i = 0; i < 3; ++i) u[i] = b[i] - a[i], v[i] = c[i] - a[i], d[i] = x[i] - a[i];
    double n[3] = {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]};
    most = fmax(most, dot(n, d) / sqrt(dot(n, n)));
  }
  return most;
}

/* Marches along a ray by distances, which never overshoots. Returns length if nothing is met. */
static double march(const nsds_shape_info *s, const double *from, const double *way,
                    double length) {
  double t = 0.0, p[3];
  for (int step = 0; step < 100000 && t < length; ++step) {
    for (int i = 0; i < 3; ++i) p[i] = from[i] + t * way[i];
    double d = distance_of(s, p);
    if (d < 1e-13) return t;
    t += d;
  }
  return length;
}

/* ---- scenes ---- */

typedef struct scene {
  nsds_model *model;
  nsds_contact_set *set;
  nsds_ds *body[most_shapes];
  int bodies;
  nsds_shape_info shape[most_shapes];
  int shapes;
} scene;

static void draw_attitude(uint64_t *seed, double *q) {
  double square = 0.0;
  for (int i = 0; i < 4; ++i) q[i] = random_in(seed, -1, 1), square += q[i] * q[i];
  for (int i = 0; i < 4; ++i) q[i] /= sqrt(square);
}

static nsds_shape_def draw_shape(uint64_t *seed, int dimension, const double *hull) {
  static const nsds_shape_kind kinds[] = {NSDS_SPHERE, NSDS_CAPSULE, NSDS_BOX, NSDS_BOX, NSDS_HULL};
  int k = (int)random_in(seed, 0, dimension == 3 ? 5 : 4);
  nsds_shape_def s = {.kind = kinds[k]};
  s.radius = s.kind == NSDS_HULL ? 0.0 : random_in(seed, 0.05, 0.4);
  if (k == 2) s.radius = 0.0;
  for (int i = 0; i < 3; ++i) s.half[i] = random_in(seed, 0.1, 0.5);
  for (int i = 0; i < dimension; ++i) s.position[i] = random_in(seed, -0.3, 0.3);
  s.angle = random_in(seed, -3, 3);
  draw_attitude(seed, s.quaternion);
  if (s.kind == NSDS_HULL) s.nvertex = octahedron, s.vertex = hull;
  return s;
}

static nsds_ds *draw_body(nsds_model *m, uint64_t *seed, int dimension) {
  const double J[] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  double q[7] = {0};
  for (int i = 0; i < dimension; ++i) q[i] = random_in(seed, -3, 3);
  if (dimension == 2) {
    q[2] = random_in(seed, -3, 3);
    return nsds_rigid_body_2d(m, &(nsds_rigid_body_2d_def){.mass = 1, .inertia = 1, .q0 = q});
  }
  draw_attitude(seed, q + 3);
  return nsds_rigid_body(m, &(nsds_rigid_body_def){.mass = 1, .inertia = J, .q0 = q});
}

static void read_shapes(scene *w) {
  w->shapes = nsds_shapes_count(w->set);
  for (int k = 0; k < w->shapes; ++k) assert_ok(w->model, nsds_shapes_at(w->set, k, &w->shape[k]));
}

static void draw_scene(scene *w, uint64_t *seed, int dimension) {
  static const double hull[3 * octahedron] = {.4, 0,   0, -.3, 0, 0,  0, .35, 0,
                                              0,  -.4, 0, 0,   0, .3, 0, 0,   -.45};
  *w = (scene){.model = nsds_model_create(NULL)};
  const nsds_material stuff = {.mu = 0.3};
  w->set = nsds_shapes(
      w->model, &(nsds_shapes_def){.dimension = dimension, .nmaterial = 1, .material = &stuff});
  int count = (int)random_in(seed, 3, most_shapes - 2);
  for (int k = 0; k < count; ++k) {
    nsds_shape_def s = draw_shape(seed, dimension, hull);
    if (w->bodies == 0 || random_in(seed, 0, 1) < 0.7)
      w->body[w->bodies++] = draw_body(w->model, seed, dimension);
    s.ds = random_in(seed, 0, 1) < 0.2 ? NULL : w->body[w->bodies - 1];
    assert_true(nsds_shapes_add(w->set, &s) >= 0);
  }
  if (random_in(seed, 0, 1) < 0.5) {
    nsds_shape_def ground = {.kind = NSDS_HALF_SPACE, .plane = {.normal = {0, 1, 0}, .offset = -3}};
    assert_true(nsds_shapes_add(w->set, &ground) >= 0);
  }
  assert_sound(w->model);
  read_shapes(w);
}

/* ---- comparisons ---- */

static double check_rays(const scene *w, uint64_t *seed, int dimension, int count) {
  enum { most = 200 };
  static nsds_ray ray[most];
  static nsds_shape_hit hit[most];
  double worst = 0.0;
  assert_true(count <= most);
  for (int k = 0; k < count; ++k) {
    ray[k] = (nsds_ray){.length = random_in(seed, 0, 1) < 0.3 ? random_in(seed, 0.5, 4) : 0.0};
    for (int i = 0; i < dimension; ++i) {
      ray[k].origin[i] = random_in(seed, -4, 4);
      ray[k].direction[i] = (int)random_in(seed, 0, 6) == 0 ? 0.0 : random_in(seed, -1, 1);
    }
    ray[k].direction[0] += ray[k].direction[0] == 0.0 && ray[k].direction[1] == 0.0 ? 1.0 : 0.0;
    if (random_in(seed, 0, 1) < 0.3) ray[k].ignore = w->body[(int)random_in(seed, 0, w->bodies)];
  }
  assert_ok(w->model, nsds_shapes_cast(w->set, count, ray, hit));
  for (int k = 0; k < count; ++k) {
    double way[3], size = sqrt(dot(ray[k].direction, ray[k].direction)), nearest;
    double length = ray[k].length > 0.0 ? ray[k].length : 30.0;
    for (int i = 0; i < 3; ++i) way[i] = ray[k].direction[i] / size;
    nearest = length;
    for (int s = 0; s < w->shapes; ++s)
      if (!ray[k].ignore || w->shape[s].ds != ray[k].ignore)
        nearest = fmin(nearest, march(&w->shape[s], ray[k].origin, way, nearest));
    double found = hit[k].shape < 0 ? length : fmin(hit[k].distance, length);
    /* a grazing ray sinks in by rounding over a long way */
    double point[3];
    for (int i = 0; i < 3; ++i) point[i] = ray[k].origin[i] + found * way[i];
    double off = fabs(found - nearest);
    if (off > 1e-9) {
      double least = INFINITY;
      for (int s = 0; s < w->shapes; ++s)
        if (!ray[k].ignore || w->shape[s].ds != ray[k].ignore)
          for (int part = 0; part <= 20; ++part) {
            double at = fmin(found, nearest) + off * part / 20, p[3];
            for (int i = 0; i < 3; ++i) p[i] = ray[k].origin[i] + at * way[i];
            least = fmin(least, fabs(distance_of(&w->shape[s], p)));
          }
      if (least > 1e-12)
        fail_msg("ray %d: %.17g, by marching %.17g (shape %d)", k, found, nearest, hit[k].shape);
      continue;
    }
    worst = fmax(worst, off);
    if (hit[k].shape < 0 || hit[k].distance > length) continue;
    nsds_shape_info s;
    assert_ok(w->model, nsds_shapes_get(w->set, hit[k].shape, &s));
    assert_ptr_equal(s.ds, hit[k].ds);
    assert_near(dot(hit[k].normal, hit[k].normal), 1.0, 1e-12);
    for (int i = 0; i < 3; ++i) assert_near(hit[k].point[i], point[i], 1e-9);
    if (hit[k].distance > 0.0) assert_near(distance_of(&s, hit[k].point), 0.0, 1e-12);
    assert_true(dot(hit[k].normal, way) <= 1e-9);
  }
  return worst;
}

static void check_points(const scene *w, uint64_t *seed, int dimension, int count) {
  for (int k = 0; k < count; ++k) {
    double p[3] = {0}, least = INFINITY, radius = random_in(seed, 0, 2);
    const nsds_ds *ignore = random_in(seed, 0, 1) < 0.3 ? w->body[0] : NULL;
    nsds_shape_hit hit;
    int inside[most_shapes], expected = 0, number[most_shapes + 1];
    bool hull = false, doubtful = false;
    for (int i = 0; i < dimension; ++i) p[i] = random_in(seed, -4, 4);
    assert_ok(w->model, nsds_shapes_nearest(w->set, p, 0.0, ignore, &hit));
    for (int s = 0; s < w->shapes; ++s) {
      if (ignore && w->shape[s].ds == ignore) continue;
      double d = distance_of(&w->shape[s], p);
      hull = hull || (w->shape[s].kind == NSDS_HULL && d > 0.0 && d <= fmax(least, hit.distance));
      doubtful = doubtful || fabs(d - radius) < 1e-9 ||
                 (w->shape[s].kind == NSDS_HULL && d > 0.0 && d < radius);
      least = fmin(least, d);
      if (d <= radius) inside[expected++] = w->shape[s].number;
    }
    if (isinf(least)) {
      assert_int_equal(hit.shape, -1);
      continue;
    }
    if (!hull) assert_near(hit.distance, least, 1e-12);
    else assert_true(hit.distance >= least - 1e-12); /* of its faces' planes only */
    nsds_shape_info s;
    assert_ok(w->model, nsds_shapes_get(w->set, hit.shape, &s));
    assert_near(distance_of(&s, hit.point), 0.0, 1e-11);
    if (doubtful) continue;
    int found = nsds_shapes_in_ball(w->set, p, radius, ignore, most_shapes, number);
    assert_int_equal(found, expected);
    for (int j = 0; j < found; ++j) assert_int_equal(number[j], inside[j]);
    int few[2] = {-1, -1};
    assert_int_equal(nsds_shapes_in_ball(w->set, p, radius, ignore, 1, few), expected);
    if (expected > 0) assert_int_equal(few[0], inside[0]);
    assert_int_equal(few[1], -1);
  }
}

/* The closest points lie on the shapes, as far apart as they say, and the order does not matter. */
static void check_gaps(const scene *w, uint64_t *seed, int count) {
  for (int k = 0; k < count; ++k) {
    const nsds_shape_info *a = &w->shape[(int)random_in(seed, 0, w->shapes)],
                          *b = &w->shape[(int)random_in(seed, 0, w->shapes)];
    nsds_shape_gap gap, back;
    if (a == b) continue;
    assert_ok(w->model, nsds_shapes_gap(w->set, a->number, b->number, &gap));
    assert_ok(w->model, nsds_shapes_gap(w->set, b->number, a->number, &back));
    assert_true(back.distance == gap.distance);
    double apart[3];
    for (int i = 0; i < 3; ++i) apart[i] = gap.point[0][i] - gap.point[1][i];
    assert_near(dot(apart, gap.normal), gap.distance, 1e-12);
    if (gap.distance <= 0.0) continue;
    assert_near(sqrt(dot(apart, apart)), gap.distance, 1e-12);
    /* points within 1e-9 of the end of an edge are at the end, see edges.c */
    if (a->kind != NSDS_HULL) assert_near(distance_of(a, gap.point[0]), 0.0, 2e-8);
    if (b->kind != NSDS_HULL) assert_near(distance_of(b, gap.point[1]), 0.0, 2e-8);
    /* no point of a sphere is nearer to the other one than its gap */
    if (a->kind == NSDS_SPHERE && b->kind != NSDS_HULL)
      assert_near(gap.distance, distance_of(b, a->world_position) - a->radius, 1e-12);
  }
}

static void drawn(int scenes) {
  for (int k = 0; k < scenes; ++k) {
    uint64_t seed = (uint64_t)k + 1;
    int dimension = k % 4 == 3 ? 2 : 3;
    scene w;
    draw_scene(&w, &seed, dimension);
    check_rays(&w, &seed, dimension, 200);
    check_points(&w, &seed, dimension, 50);
    check_gaps(&w, &seed, 50);
    /* again behind a change: bodies elsewhere, a shape less */
    double q[7] = {random_in(&seed, -3, 3), 0.5, dimension == 3 ? -0.5 : 0.3, 1, 0, 0, 0};
    assert_ok(w.model, nsds_set_state(w.body[0], q, NULL));
    if (w.shapes > 4) assert_ok(w.model, nsds_shapes_remove(w.set, w.shape[2].number));
    read_shapes(&w);
    check_rays(&w, &seed, dimension, 40);
    check_points(&w, &seed, dimension, 20);
    nsds_model_destroy(w.model);
  }
}

static void drawn_scenes(void **state) {
  (void)state;
  drawn(60);
}

/* ---- scenery of triangles ---- */

static void rays_on_triangles(void **state) {
  (void)state;
  const double vertex[] = {0, 0, 0, 2, 0, 0, 2, 2, 0, 0, 2, 0};
  const int face[] = {0, 1, 2, 0, 2, 3};
  const nsds_material stuff = {.mu = 0.3};
  nsds_model *m = nsds_model_create(NULL);
  nsds_contact_set *set = nsds_shapes(m, &(nsds_shapes_def){.nmaterial = 1, .material = &stuff});
  int number = nsds_shapes_add(
      set, &(nsds_shape_def){
               .kind = NSDS_TRIANGLES, .nvertex = 4, .vertex = vertex, .nface = 2, .face = face});
  for (int k = 0; k < 1000; ++k) {
    uint64_t seed = (uint64_t)k + 1;
    nsds_ray ray = {
        .origin = {random_in(&seed, -1, 3), random_in(&seed, -1, 3), random_in(&seed, 0.1, 2)}};
    double at[2] = {random_in(&seed, -1, 3), random_in(&seed, -1, 3)}, length;
    for (int i = 0; i < 2; ++i) ray.direction[i] = at[i] - ray.origin[i];
    ray.direction[2] = -ray.origin[2];
    length = sqrt(dot(ray.direction, ray.direction));
    nsds_shape_hit hit;
    assert_ok(m, nsds_shapes_cast(set, 1, &ray, &hit));
    bool inside = at[0] > 0 && at[0] < 2 && at[1] > 0 && at[1] < 2;
    assert_int_equal(hit.shape, inside ? number : -1);
    if (inside) assert_near(hit.distance, length, 1e-12);
    if (inside) assert_near(hit.normal[2], 1.0, 1e-15);
    for (int i = 0; i < 3; ++i) /* from below */
      ray.origin[i] = i < 2 ? at[i] : -1.0, ray.direction[i] = i == 2;
    assert_ok(m, nsds_shapes_cast(set, 1, &ray, &hit));
    assert_int_equal(hit.shape, -1);
  }
  int found[3];
  assert_int_equal(nsds_shapes_in_ball(set, (const double[]){1, 1, 0.1}, 0.5, NULL, 3, found), 1);
  nsds_model_destroy(m);
}

/* ---- between steps and in samplers ---- */

typedef struct watcher {
  nsds_contact_set *set;
  nsds_ds *self;
  bool looks;
  long asked;
  double least;
} watcher;

static int look_down(nsds_simulation *s, void *user) {
  (void)s;
  watcher *w = user;
  const double *q = nsds_q(w->self);
  nsds_ray ray = {.origin = {q[0], q[1], q[2]}, .direction = {0, 0, -1}, .ignore = w->self};
  nsds_shape_hit hit;
  if (!w->looks) return 0;
  nsds_status status = nsds_shapes_cast(w->set, 1, &ray, &hit);
  if (!status) status = nsds_shapes_nearest(w->set, ray.origin, 0.0, w->self, &hit);
  w->least = fmin(w->least, hit.distance);
  ++w->asked;
  return status;
}

/* Spheres fall on a ground of triangles or a half space. Returns a hash of their motion. */
static uint64_t fall(bool looks, bool events, watcher *w) {
  const double J[] = {.1, 0, 0, 0, .1, 0, 0, 0, .1},
               vertex[] = {-5, -5, 0, 5, -5, 0, 5, 5, 0, -5, 5, 0};
  const int face[] = {0, 1, 2, 0, 2, 3};
  const nsds_material stuff = {.mu = 0.3, .e_n = 0.4};
  nsds_model *m = nsds_model_create(NULL);
  nsds_contact_set *set = nsds_shapes(m, &(nsds_shapes_def){.nmaterial = 1, .material = &stuff});
  nsds_shape_def ground = {
      .kind = NSDS_TRIANGLES, .nvertex = 4, .vertex = vertex, .nface = 2, .face = face};
  if (events) ground = (nsds_shape_def){.kind = NSDS_HALF_SPACE, .plane = {.normal = {0, 0, 1}}};
  assert_true(nsds_shapes_add(set, &ground) >= 0);
  nsds_ds *body = NULL;
  for (int k = 0; k < 5; ++k) {
    const double q[] = {0.31 * k, 0.02 * k, 0.5 + 0.3 * k, 1, 0, 0, 0};
    body = nsds_rigid_body(
        m, &(nsds_rigid_body_def){.mass = 1, .inertia = J, .q0 = q, .gravity = {0, 0, -9.81}});
    assert_true(nsds_shapes_add(
                    set, &(nsds_shape_def){.kind = NSDS_SPHERE, .ds = body, .radius = 0.15}) >= 0);
  }
  *w = (watcher){.set = set, .self = body, .looks = looks, .least = INFINITY};
  nsds_simulation *s =
      events ? nsds_event_driven(m, &(nsds_event_driven_def){.t1 = 1, .output_period = 5e-3})
             : nsds_time_stepping(m, &(nsds_time_stepping_def){.t1 = 1, .h = 5e-3});
  assert_sound(m);
  assert_ok(m, look_down(s, w));
  assert_ok(m, nsds_simulation_sample(
                   s, &(nsds_sampler_def){.sample = look_down, .user = w, .period = 0.01}));
  uint64_t hash = 0;
  for (int k = 0; k < 100; ++k) {
    assert_ok(m, look_down(s, w));
    assert_ok(m, nsds_step(s));
    hash = state_hash(m, hash);
  }
  nsds_model_destroy(m);
  return hash;
}

/* Questions, in samplers too, change no bit of the motion. */
static void questions_change_nothing(void **state) {
  (void)state;
  for (int events = 0; events < 2; ++events) {
    watcher w;
    uint64_t plain = fall(false, events, &w);
    assert_true(fall(true, events, &w) == plain);
    assert_true(w.asked > 110);
    assert_between(w.least, 0.1, 0.6);
  }
}

/* After the first question there are no allocations, until shapes come. */
static void questions_allocate_once(void **state) {
  (void)state;
  meter counted = {0};
  nsds_context *context = meter_context(&counted);
  nsds_model *m = nsds_model_create(context);
  const nsds_material stuff = {.mu = 0.3};
  const double J[] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  nsds_contact_set *set = nsds_shapes(m, &(nsds_shapes_def){.nmaterial = 1, .material = &stuff});
  for (int k = 0; k < 100; ++k) {
    const double q[] = {k, 0, 0, 1, 0, 0, 0};
    nsds_ds *body = nsds_rigid_body(m, &(nsds_rigid_body_def){.mass = 1, .inertia = J, .q0 = q});
    assert_true(nsds_shapes_add(
                    set, &(nsds_shape_def){.kind = NSDS_SPHERE, .ds = body, .radius = 0.2}) >= 0);
  }
  nsds_ray ray = {.origin = {-1, 0, 0}, .direction = {1, 0, 0}};
  nsds_shape_hit hit;
  nsds_shape_gap gap;
  long before = 0;
  for (int k = 0; k < 1000; ++k) {
    if (k == 1) before = counted.calls;
    assert_ok(m, nsds_shapes_cast(set, 1, &ray, &hit));
    assert_near(hit.distance, 0.8, 1e-15);
    assert_ok(m, nsds_shapes_nearest(set, ray.origin, 0.0, NULL, &hit));
    assert_int_equal(nsds_shapes_in_ball(set, ray.origin, 2.0, NULL, 0, NULL), 2);
    assert_ok(m, nsds_shapes_gap(set, 3, 7, &gap));
    assert_near(gap.distance, 3.6, 1e-14);
  }
  assert_int_equal(counted.calls, before);
  /* without memory the question fails, and can be asked again */
  for (long fail = 1; fail < 4; ++fail) {
    nsds_shape_def more = {.kind = NSDS_SPHERE, .radius = 0.1, .position = {-5, 0, (double)fail}};
    for (int k = 0; k < 300; ++k) assert_true(nsds_shapes_add(set, &more) >= 0);
    counted.fail_at = counted.calls + fail;
    nsds_status status = nsds_shapes_cast(set, 1, &ray, &hit);
    assert_true(status == NSDS_OK || status == NSDS_ERROR_MEMORY);
    assert_true(status == NSDS_ERROR_MEMORY || !counted.failed);
    counted.failed = false;
    counted.fail_at = 0;
    nsds_error_clear(context);
    assert_ok(m, nsds_shapes_cast(set, 1, &ray, &hit));
    assert_near(hit.distance, 0.8, 1e-15);
  }
  nsds_model_destroy(m);
  nsds_context_destroy(context);
  assert_int_equal(counted.live, 0);
}

/* ---- wrong use ---- */

static void refused(nsds_model *m, nsds_status found, nsds_status expected, const char *words) {
  nsds_context *context = nsds_model_context(m);
  if (found != expected || !strstr(nsds_error_message(context), words))
    fail_msg("%d instead of %d: %s", found, expected, nsds_error_message(context));
  nsds_error_clear(context);
}

static void wrong_use(void **state) {
  (void)state;
  nsds_model *m = nsds_model_create(NULL);
  const nsds_material stuff = {.mu = 0.3};
  nsds_contact_set *set = nsds_shapes(m, &(nsds_shapes_def){.nmaterial = 1, .material = &stuff});
  const nsds_shape_def ground = {.kind = NSDS_HALF_SPACE, .plane = {.normal = {0, 0, 1}}},
                       ball = {.kind = NSDS_SPHERE, .radius = 1, .position = {0, 0, 3}};
  int a = nsds_shapes_add(set, &ground), b = nsds_shapes_add(set, &ground),
      c = nsds_shapes_add(set, &ball), d = nsds_shapes_add(set, &ball);
  nsds_ray ray = {.direction = {0, 0, 0}};
  nsds_shape_hit hit;
  nsds_shape_gap gap;
  int number;
  const double p[] = {0, 0, 1}, bad[] = {0, NAN, 0};
  refused(m, nsds_shapes_cast(set, 1, &ray, &hit), NSDS_ERROR_VALUE, "direction of ray 0 is 0");
  ray.direction[0] = INFINITY;
  refused(m, nsds_shapes_cast(set, 1, &ray, &hit), NSDS_ERROR_VALUE,
          "direction[0] of ray 0 is inf");
  ray.direction[0] = 1e-200, ray.length = -1;
  refused(m, nsds_shapes_cast(set, 1, &ray, &hit), NSDS_ERROR_VALUE, "length of ray 0 is -1");
  refused(m, nsds_shapes_cast(set, -1, &ray, &hit), NSDS_ERROR_SIZE, "nray is -1");
  refused(m, nsds_shapes_cast(set, 1, NULL, &hit), NSDS_ERROR_ARGUMENT, "ray is NULL");
  refused(m, nsds_shapes_cast(set, 1, &ray, NULL), NSDS_ERROR_ARGUMENT, "hit is NULL");
  assert_ok(m, nsds_shapes_cast(set, 0, NULL, NULL));
  ray = (nsds_ray){.origin = {0, 0, 3e-200}, .direction = {1e-200, 0, -1e-200}};
  assert_ok(m, nsds_shapes_cast(set, 1, &ray, &hit));
  assert_int_equal(hit.shape, a);
  refused(m, nsds_shapes_nearest(set, NULL, 0, NULL, &hit), NSDS_ERROR_ARGUMENT, "point is NULL");
  refused(m, nsds_shapes_nearest(set, bad, 0, NULL, &hit), NSDS_ERROR_VALUE, "point[1] is nan");
  refused(m, nsds_shapes_nearest(set, p, -1, NULL, &hit), NSDS_ERROR_VALUE, "within is -1");
  refused(m, nsds_shapes_nearest(set, p, 0, NULL, NULL), NSDS_ERROR_ARGUMENT, "hit is NULL");
  refused(m, nsds_shapes_in_ball(set, p, NAN, NULL, 1, &number), -1, "radius is nan");
  refused(m, nsds_shapes_in_ball(set, p, 1, NULL, -1, &number), -1, "capacity is -1");
  refused(m, nsds_shapes_in_ball(set, p, 1, NULL, 1, NULL), -1, "shape is NULL");
  refused(m, nsds_shapes_gap(set, a, b, &gap), NSDS_ERROR_ARGUMENT, "are half spaces");
  refused(m, nsds_shapes_gap(set, c, c, &gap), NSDS_ERROR_ARGUMENT, "are one shape");
  refused(m, nsds_shapes_gap(set, c, 17, &gap), NSDS_ERROR_ARGUMENT, "has no shape 17");
  refused(m, nsds_shapes_gap(set, c, d, &gap), NSDS_ERROR_VALUE, "no normal between them");
  refused(m, nsds_shapes_gap(set, c, d, NULL), NSDS_ERROR_ARGUMENT, "gap is NULL");
  assert_ok(m, nsds_shapes_gap(set, a, c, &gap));
  assert_near(gap.distance, 2.0, 0.0);
  assert_near(gap.normal[2], -1.0, 0.0);
  assert_near(gap.point[0][2], 0.0, 0.0);
  /* the center of a sphere: any way out is right */
  assert_ok(m, nsds_shapes_nearest(set, (const double[]){0, 0, 3}, 0, NULL, &hit));
  assert_near(hit.distance, -1.0, 0.0);
  const double J[] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  nsds_ds *body = nsds_rigid_body(m, &(nsds_rigid_body_def){.mass = 1, .inertia = J});
  nsds_contact_set *others = nsds_balls(m, &(nsds_balls_def){.dimension = 3,
                                                             .law = nsds_newton_impact(m, 0.0),
                                                             .count = 1,
                                                             .ds = &body,
                                                             .radius = 1,
                                                             .pairs = true});
  assert_sound(m);
  refused(m, nsds_shapes_cast(others, 1, &ray, &hit), NSDS_ERROR_ARGUMENT, "nsds_shapes");
  nsds_model_destroy(m);
}

int main(int argc, char **argv) {
  if (argc > 1) { /* a campaign */
    drawn(atoi(argv[1]));
    return 0;
  }
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(drawn_scenes), cmocka_unit_test(rays_on_triangles),
      cmocka_unit_test(questions_change_nothing), cmocka_unit_test(questions_allocate_once),
      cmocka_unit_test(wrong_use)};
  return cmocka_run_group_tests_name("kernel.shape_questions", tests, NULL, NULL);
}
