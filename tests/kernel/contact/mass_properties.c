/*
 * Mass, center and moments of inertia of shapes: closed forms, decompositions into random
 * tetrahedra and triangles, quadrature of round boxes, compounds, meshes, and what is refused.
 */
#include "support.h"

#include <nsds/mass.h>
#include <nsds/rigid_body.h>

static const double pi = 3.14159265358979323846;

static nsds_mass properties(nsds_model *m, int dimension, int n, const nsds_shape_def *shape,
                            double density) {
  nsds_mass mass;
  assert_ok(m, nsds_mass_properties(
                   m,
                   &(nsds_mass_def){
                       .dimension = dimension, .nshape = n, .shape = shape, .density = density},
                   &mass));
  return mass;
}

static void assert_same(const nsds_mass *a, const nsds_mass *b, double tolerance) {
  double size = 0.0;
  for (int i = 0; i < 9; ++i) size = fmax(size, fabs(b->inertia[i]));
  assert_near(a->volume, b->volume, tolerance * b->volume);
  assert_near(a->mass, b->mass, tolerance * b->mass);
  for (int i = 0; i < 3; ++i)
    assert_near(a->center[i], b->center[i], tolerance * (1.0 + fabs(b->center[i])));
  for (int i = 0; i < 9; ++i) assert_near(a->inertia[i], b->inertia[i], tolerance * size);
}

static nsds_mass expect(double density, double volume, double x, double y, double z) {
  return (nsds_mass){.volume = volume, .mass = density * volume, .center = {x, y, z}};
}

/* ---- closed forms ---- */

static void closed_forms(void **state) {
  (void)state;
  nsds_model *m = nsds_model_create(NULL);
  const double rho = 2.5, r = 0.3, a = 0.5;
  nsds_shape_def shape = {.kind = NSDS_SPHERE, .radius = r, .position = {1, 2, 3}};
  nsds_mass found = properties(m, 0, 1, &shape, rho);
  nsds_mass wanted = expect(rho, 4.0 / 3.0 * pi * r * r * r, 1, 2, 3);
  for (int i = 0; i < 9; i += 4) wanted.inertia[i] = 0.4 * wanted.mass * r * r;
  assert_same(&found, &wanted, 1e-14);

  shape.kind = NSDS_CAPSULE;
  shape.half[0] = a;
  found = properties(m, 0, 1, &shape, rho);
  double straight = rho * pi * r * r * 2 * a, round = rho * 4.0 / 3.0 * pi * r * r * r;
  wanted = expect(rho, (straight + round) / rho, 1, 2, 3);
  wanted.inertia[0] = 0.5 * straight * r * r + 0.4 * round * r * r;
  wanted.inertia[4] = wanted.inertia[8] =
      straight * (r * r / 4 + a * a / 3) + round * (0.4 * r * r + a * a + 0.75 * a * r);
  assert_same(&found, &wanted, 1e-14);

  /* turned: the axis is the third one */
  memcpy(shape.quaternion, (double[]){sqrt(0.5), 0, -sqrt(0.5), 0}, 4 * sizeof(double));
  double swap = wanted.inertia[0];
  wanted.inertia[0] = wanted.inertia[8];
  wanted.inertia[8] = swap;
  found = properties(m, 0, 1, &shape, rho);
  assert_same(&found, &wanted, 1e-14);

  shape = (nsds_shape_def){.kind = NSDS_BOX, .half = {0.5, 0.3, 0.2}, .position = {-1, 0, 5}};
  found = properties(m, 0, 1, &shape, rho);
  wanted = expect(rho, 8 * 0.5 * 0.3 * 0.2, -1, 0, 5);
  for (int i = 0; i < 3; ++i) {
    double b = shape.half[(i + 1) % 3], c = shape.half[(i + 2) % 3];
    wanted.inertia[4 * i] = wanted.mass * (b * b + c * c) / 3.0;
  }
  assert_same(&found, &wanted, 1e-14);
  nsds_model_destroy(m);
}

static void closed_forms_of_the_plane(void **state) {
  (void)state;
  nsds_model *m = nsds_model_create(NULL);
  const double rho = 2.5, r = 0.3, a = 0.5;
  nsds_shape_def shape = {.kind = NSDS_SPHERE, .radius = r, .position = {1, 2, 9}};
  nsds_mass found = properties(m, 2, 1, &shape, rho), wanted = expect(rho, pi * r * r, 1, 2, 0);
  wanted.inertia[8] = 0.5 * wanted.mass * r * r;
  assert_same(&found, &wanted, 1e-14);

  shape.kind = NSDS_CAPSULE;
  shape.half[0] = a;
  shape.angle = 0.7;
  found = properties(m, 2, 1, &shape, rho);
  double straight = rho * 4 * a * r, round = rho * pi * r * r;
  wanted = expect(rho, (straight + round) / rho, 1, 2, 0);
  wanted.inertia[8] = straight * (a * a + r * r) / 3 + round * (0.5 * r * r + a * a) +
                      round * 2 * a * 4 * r / (3 * pi);
  assert_same(&found, &wanted, 1e-14);

  shape = (nsds_shape_def){.kind = NSDS_BOX, .half = {0.5, 0.3}, .angle = 0.4};
  found = properties(m, 2, 1, &shape, rho);
  wanted = expect(rho, 0.6, 0, 0, 0);
  wanted.inertia[8] = wanted.mass * (0.25 + 0.09) / 3.0;
  assert_same(&found, &wanted, 1e-14);

  shape.radius = r; /* around it: four rectangles and a disc in quarters */
  found = properties(m, 2, 1, &shape, rho);
  double J = wanted.inertia[8], area = wanted.volume, bulge = 4 * r / (3 * pi);
  for (int i = 0; i < 2; ++i) {
    double b = shape.half[i], c = shape.half[!i] + 0.5 * r, side = 2 * b * r;
    area += 2 * side;
    J += 2 * rho * side * (b * b / 3 + r * r / 12 + c * c);
  }
  area += pi * r * r;
  J += rho * pi * r * r * (0.5 * r * r + 2 * bulge * (0.5 + 0.3) + 0.25 + 0.09);
  wanted = expect(rho, area, 0, 0, 0);
  wanted.inertia[8] = J;
  assert_same(&found, &wanted, 1e-14);
  nsds_model_destroy(m);
}

/* ---- round boxes by quadrature ---- */

/* Slices across the first axis: a round rectangle whose radius shrinks over the ends. */
static void slice(const double *half, double radius, double x, double *area, double *yy,
                  double *zz) {
  double over = fmax(fabs(x) - half[0], 0.0), r = sqrt(fmax(radius * radius - over * over, 0.0));
  double b = half[1], c = half[2], bulge = 4 * r / (3 * pi), disc = pi * r * r;
  *area = 4 * b * c + 4 * (b + c) * r + disc;
  *yy = 4 * b * c * b * b / 3 + 4 * b * r * b * b / 3 +
        4 * c * r * (r * r / 12 + (b + r / 2) * (b + r / 2)) +
        disc * (r * r / 4 + 2 * bulge * b + b * b);
  *zz = 4 * b * c * c * c / 3 + 4 * c * r * c * c / 3 +
        4 * b * r * (r * r / 12 + (c + r / 2) * (c + r / 2)) +
        disc * (r * r / 4 + 2 * bulge * c + c * c);
}

static void round_boxes(void **state) {
  (void)state;
  nsds_model *m = nsds_model_create(NULL);
  nsds_shape_def shape = {.kind = NSDS_BOX, .half = {0.5, 0.3, 0.2}, .radius = 0.15};
  double sum[4] = {0.0}, at[3], area, yy, zz;
  enum { steps = 20000 };
  for (int part = 0; part < 2; ++part) /* the middle, then both ends by an angle: smooth */
    for (int k = 0; k < steps; ++k) {
      double u = (k + 0.5) / steps, weight, x;
      if (part == 0) x = 0.5 * (2 * u - 1), weight = 1.0 / steps;
      else
        x = 0.5 + 0.15 * sin(0.5 * pi * u),
        weight = 2 * 0.15 * 0.5 * pi * cos(0.5 * pi * u) / steps;
      slice(shape.half, shape.radius, x, &area, &yy, &zz);
      at[0] = x * x * area, at[1] = yy, at[2] = zz;
      sum[0] += weight * area;
      for (int i = 0; i < 3; ++i) sum[1 + i] += weight * at[i];
    }
  nsds_mass found = properties(m, 3, 1, &shape, 2.0), wanted = expect(2.0, sum[0], 0, 0, 0);
  for (int i = 0; i < 3; ++i)
    wanted.inertia[4 * i] = 2.0 * (sum[1 + (i + 1) % 3] + sum[1 + (i + 2) % 3]);
  assert_same(&found, &wanted, 1e-8);

  /* the same as a hull of its corners */
  double corner[24];
  for (int k = 0; k < 24; ++k)
    corner[k] = (k / 3 >> k % 3 & 1) ? shape.half[k % 3] : -shape.half[k % 3];
  nsds_shape_def hull = {
      .kind = NSDS_HULL, .nvertex = 8, .vertex = corner, .radius = 0.15, .position = {1, 2, 3}};
  shape.position[0] = 1, shape.position[1] = 2, shape.position[2] = 3;
  memcpy(shape.quaternion, (double[]){0.5, 0.1, -0.7, 0.5}, 4 * sizeof(double));
  memcpy(hull.quaternion, shape.quaternion, sizeof hull.quaternion);
  nsds_mass other = properties(m, 3, 1, &hull, 2.0);
  found = properties(m, 3, 1, &shape, 2.0);
  assert_same(&other, &found, 1e-13);
  nsds_model_destroy(m);
}

/* ---- decompositions ---- */

static double determinant(const double *a, const double *b, const double *c) {
  return a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0]) +
         a[2] * (b[0] * c[1] - b[1] * c[0]);
}

/* Volume, first and second moments, of tetrahedra that a random point cuts again and again. */
static void cut(double (*p)[3], int depth, uint64_t *seed, double *sum) {
  if (depth > 0) {
    double w[4], total = 0.0, x[3] = {0.0};
    for (int k = 0; k < 4; ++k) total += w[k] = random_in(seed, 0.1, 1.0);
    for (int k = 0; k < 4; ++k)
      for (int i = 0; i < 3; ++i) x[i] += w[k] / total * p[k][i];
    for (int k = 0; k < 4; ++k) {
      double part[4][3];
      memcpy(part, p, sizeof part);
      memcpy(part[k], x, sizeof x);
      cut(part, depth - 1, seed, sum);
    }
    return;
  }
  double e[3][3], volume;
  for (int k = 0; k < 3; ++k)
    for (int i = 0; i < 3; ++i) e[k][i] = p[k + 1][i] - p[0][i];
  volume = fabs(determinant(e[0], e[1], e[2])) / 6.0;
  /* a rule of degree 2: four points */
  const double a = (5.0 + 3.0 * sqrt(5.0)) / 20.0, b = (5.0 - sqrt(5.0)) / 20.0;
  sum[0] += volume;
  for (int k = 0; k < 4; ++k) {
    double x[3] = {0.0};
    for (int j = 0; j < 4; ++j)
      for (int i = 0; i < 3; ++i) x[i] += (j == k ? a : b) * p[j][i];
    for (int i = 0; i < 3; ++i) {
      sum[1 + i] += 0.25 * volume * x[i];
      for (int j = 0; j < 3; ++j) sum[4 + i + 3 * j] += 0.25 * volume * x[i] * x[j];
    }
  }
}

static nsds_mass mass_of_sums(const double *sum, double density) {
  nsds_mass m = {.volume = sum[0], .mass = density * sum[0]};
  double c[9], trace = 0.0;
  for (int i = 0; i < 3; ++i) m.center[i] = sum[1 + i] / sum[0];
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      c[i + 3 * j] = density * (sum[4 + i + 3 * j] - sum[0] * m.center[i] * m.center[j]);
  for (int i = 0; i < 9; i += 4) trace += c[i];
  for (int i = 0; i < 9; ++i) m.inertia[i] = (i % 4 == 0 ? trace : 0.0) - c[i];
  return m;
}

/* Random hulls, from a random point inside, beside the library's and a mesh of the same faces. */
static void random_hulls(void **state) {
  (void)state;
  uint64_t seed = 5;
  for (int trial = 0; trial < 40; ++trial) {
    nsds_model *m = nsds_model_create(NULL);
    enum { most = 12 };
    double vertex[3 * most];
    int n = 4 + trial % (most - 3);
    for (int k = 0; k < 3 * n; ++k) vertex[k] = random_in(&seed, -1.0, 1.0) * (1 + k % 3);
    nsds_shape_def shape = {.kind = NSDS_HULL, .nvertex = n, .vertex = vertex};
    for (int i = 0; i < 3; ++i) shape.position[i] = random_in(&seed, -3.0, 3.0);
    nsds_mass found = properties(m, 3, 1, &shape, 1.7);
    nsds_contact_set *set = nsds_shapes(
        m, &(nsds_shapes_def){.law = nsds_newton_impact(m, 0.0), .nshape = 1, .shape = &shape});
    nsds_shape_info info;
    assert_ok(m, nsds_shapes_at(set, 0, &info));
    double sum[13] = {0.0}, inside[3] = {0.0};
    int face[3 * 64], nface = 0;
    for (int k = 0; k < info.nvertex; ++k)
      for (int i = 0; i < 3; ++i) inside[i] += info.vertex[3 * k + i] / info.nvertex;
    for (int f = 0; f < info.nface; ++f)
      for (int k = info.first[f] + 1; k + 1 < info.first[f + 1]; ++k, ++nface) {
        const int corner[] = {info.face[info.first[f]], info.face[k], info.face[k + 1]};
        double p[4][3];
        memcpy(p[0], inside, sizeof inside);
        memcpy(face + 3 * nface, corner, sizeof corner);
        for (int j = 0; j < 3; ++j) memcpy(p[j + 1], info.vertex + 3 * corner[j], sizeof p[0]);
        for (int j = 0; j < 4; ++j)
          for (int i = 0; i < 3; ++i) p[j][i] += shape.position[i];
        cut(p, 3, &seed, sum);
      }
    nsds_mass wanted = mass_of_sums(sum, 1.7);
    assert_same(&found, &wanted, 1e-11);
    nsds_shape_def mesh = {.kind = NSDS_TRIANGLES,
                           .nvertex = info.nvertex,
                           .vertex = info.vertex,
                           .nface = nface,
                           .face = face};
    memcpy(mesh.position, shape.position, sizeof mesh.position);
    found = properties(m, 3, 1, &mesh, 1.7);
    assert_same(&found, &wanted, 1e-11);
    nsds_model_destroy(m);
  }
}

/* A tetrahedron with a radius, beside the hull of many points of the balls at its corners, which is
 * a little smaller. */
static void round_hulls(void **state) {
  (void)state;
  nsds_model *m = nsds_model_create(NULL);
  enum { points = 900 };
  static double cloud[4 * points * 3];
  const double vertex[12] = {0, 0, 0, 1, 0.1, 0, 0.2, 0.8, 0.1, 0.3, 0.2, 0.9}, r = 0.4;
  for (int v = 0; v < 4; ++v)
    for (int k = 0; k < points; ++k) { /* a spiral over the sphere */
      double z = 1 - (2 * k + 1.0) / points, a = k * pi * (3 - sqrt(5.0)), s = sqrt(1 - z * z);
      const double n[3] = {s * cos(a), s * sin(a), z};
      for (int i = 0; i < 3; ++i) cloud[3 * (v * points + k) + i] = vertex[3 * v + i] + r * n[i];
    }
  nsds_shape_def shape[2] = {{.kind = NSDS_HULL, .nvertex = 4, .vertex = vertex, .radius = r},
                             {.kind = NSDS_HULL, .nvertex = 4 * points, .vertex = cloud}};
  nsds_mass found = properties(m, 3, 1, &shape[0], 1.0);
  nsds_mass below = properties(m, 3, 1, &shape[1], 1.0);
  assert_between(below.volume / found.volume, 0.99, 1.0);
  for (int i = 0; i < 3; ++i) {
    assert_near(below.center[i], found.center[i], 2e-3);
    assert_between(below.inertia[4 * i] / found.inertia[4 * i], 0.985, 1.0);
  }
  for (int i = 0; i < 9; ++i)
    assert_near(below.inertia[i], found.inertia[i], 0.01 * found.inertia[0]);
  nsds_model_destroy(m);
}

/* A polygon, in the plane, beside triangles from a point inside, and a loop of segments. */
static void polygons(void **state) {
  (void)state;
  nsds_model *m = nsds_model_create(NULL);
  const double vertex[] = {0.5, 0.1, 0.2, 0.6, -0.4, 0.5, -0.5, -0.2, 0.1, -0.6};
  const int loop[] = {1, 0, 2, 1, 3, 2, 4, 3, 0, 4};
  nsds_shape_def shape = {
      .kind = NSDS_HULL, .nvertex = 5, .vertex = vertex, .position = {2, 1}, .angle = 0.3};
  nsds_mass found = properties(m, 2, 1, &shape, 3.0);
  double area = 0.0, x[2] = {0.0}, second = 0.0;
  for (int k = 0; k < 5; ++k) {
    const double *a = vertex + 2 * k, *b = vertex + 2 * ((k + 1) % 5);
    double part = 0.5 * (a[0] * b[1] - a[1] * b[0]);
    area += part;
    for (int i = 0; i < 2; ++i) {
      x[i] += part * (a[i] + b[i]) / 3.0;
      second += part * (a[i] * a[i] + a[i] * b[i] + b[i] * b[i]) / 6.0;
    }
  }
  double c = x[0] / area, s = x[1] / area;
  nsds_mass wanted =
      expect(3.0, area, 2 + cos(0.3) * c - sin(0.3) * s, 1 + sin(0.3) * c + cos(0.3) * s, 0.0);
  wanted.inertia[8] = 3.0 * (second - area * (c * c + s * s));
  assert_same(&found, &wanted, 1e-13);
  shape = (nsds_shape_def){.kind = NSDS_TRIANGLES,
                           .nvertex = 5,
                           .vertex = vertex,
                           .nface = 5,
                           .face = loop,
                           .position = {2, 1},
                           .angle = 0.3};
  found = properties(m, 2, 1, &shape, 3.0);
  assert_same(&found, &wanted, 1e-13);
  nsds_model_destroy(m);
}

/* ---- compounds ---- */

/* A box in random pieces of different densities, far from the origin; what comes out makes a body. */
static void compounds(void **state) {
  (void)state;
  nsds_model *m = nsds_model_create(NULL);
  nsds_shape_def whole = {.kind = NSDS_BOX, .half = {0.6, 0.3, 0.2}, .position = {100, -50, 20}};
  nsds_shape_def part[2] = {whole, whole};
  part[0].half[0] = 0.2, part[0].position[0] -= 0.4;
  part[1].half[0] = 0.4, part[1].position[0] += 0.2;
  nsds_mass one = properties(m, 3, 1, &whole, 7.0), two = properties(m, 3, 2, part, 7.0);
  assert_same(&two, &one, 1e-12);
  nsds_mass given, dense;
  assert_ok(m, nsds_mass_properties(
                   m, &(nsds_mass_def){.nshape = 2, .shape = part, .mass = one.mass}, &given));
  assert_same(&given, &one, 1e-12);
  assert_ok(m,
            nsds_mass_properties(
                m, &(nsds_mass_def){.nshape = 2, .shape = part, .densities = (double[]){14.0, 3.5}},
                &dense));
  assert_near(dense.mass, one.mass * (14.0 / 3 + 3.5 * 2 / 3) / 7.0, 1e-12);
  double left = 14.0 * 0.4,
         right = 3.5 * 0.8; /* weights of the parts, at 0.2 and 0.8 from the end */
  assert_near(dense.center[0] - 99.4, (left * 0.2 + right * 0.8) / (left + right), 1e-12);
  nsds_center_shapes(2, part, dense.center);
  nsds_mass centered;
  assert_ok(m,
            nsds_mass_properties(
                m, &(nsds_mass_def){.nshape = 2, .shape = part, .densities = (double[]){14.0, 3.5}},
                &centered));
  for (int i = 0; i < 3; ++i) assert_near(centered.center[i], 0.0, 1e-12);
  for (int i = 0; i < 9; ++i) assert_near(centered.inertia[i], dense.inertia[i], 1e-11);
  part[0].ds = part[1].ds = nsds_rigid_body(
      m, &(nsds_rigid_body_def){.mass = centered.mass, .inertia = centered.inertia});
  nsds_shapes(m, &(nsds_shapes_def){.law = nsds_newton_impact(m, 0.0), .nshape = 2, .shape = part});
  assert_sound(m);
  nsds_model_destroy(m);
}

/* Two boxes as one mesh that is not convex, with the corners of each triangle listed anew. */
static void meshes(void **state) {
  (void)state;
  nsds_model *m = nsds_model_create(NULL);
  const double outline[] = {0, 0, 2, 0, 2, 1, 1, 1, 1, 3, 0, 3};
  const int cap[] = {0, 1, 2, 0, 2, 3, 0, 3, 4, 0, 4, 5};
  double vertex[3 * 60];
  int face[60], n = 0;
  for (int side = 0; side < 2; ++side)
    for (int k = 0; k < 12; ++k, ++n) {
      int at = cap[side ? k : 3 * (k / 3) + 2 - k % 3];
      vertex[3 * n] = outline[2 * at], vertex[3 * n + 1] = outline[2 * at + 1];
      vertex[3 * n + 2] = side;
    }
  for (int k = 0; k < 6; ++k) {
    int a = k, b = (k + 1) % 6;
    const int at[6] = {a, b, b, a, b, a}, up[6] = {0, 0, 1, 0, 1, 1};
    for (int i = 0; i < 6; ++i, ++n) {
      vertex[3 * n] = outline[2 * at[i]], vertex[3 * n + 1] = outline[2 * at[i] + 1];
      vertex[3 * n + 2] = up[i];
    }
  }
  assert_int_equal(n, 60);
  for (int k = 0; k < n; ++k) face[k] = k;
  nsds_shape_def mesh = {
      .kind = NSDS_TRIANGLES, .nvertex = n, .vertex = vertex, .nface = n / 3, .face = face};
  nsds_shape_def box[2] = {{.kind = NSDS_BOX, .half = {1, 0.5, 0.5}, .position = {1, 0.5, 0.5}},
                           {.kind = NSDS_BOX, .half = {0.5, 1, 0.5}, .position = {0.5, 2, 0.5}}};
  nsds_mass wanted = properties(m, 3, 2, box, 1.0), found = properties(m, 3, 1, &mesh, 1.0);
  assert_same(&found, &wanted, 1e-13);

  nsds_context *context = nsds_model_context(m);
  mesh.nface -= 1; /* a hole */
  assert_status(
      m, nsds_mass_properties(m, &(nsds_mass_def){.nshape = 1, .shape = &mesh, .mass = 1}, &found),
      NSDS_ERROR_ARGUMENT);
  const char *open[] = {"nsds_mass_properties", "shape[0]", "not closed"};
  assert_words(nsds_error_message(context), open, 3);
  assert_near(found.mass, 0.0, 0.0);
  nsds_error_clear(context);
  mesh.nface += 1;
  for (int k = 0; k < n; k += 3) face[k] = k + 1, face[k + 1] = k;
  assert_status(
      m, nsds_mass_properties(m, &(nsds_mass_def){.nshape = 1, .shape = &mesh, .mass = 1}, &found),
      NSDS_ERROR_VALUE);
  const char *inside[] = {"fronts are inside"};
  assert_words(nsds_error_message(context), inside, 1);
  nsds_error_clear(context);
  nsds_model_destroy(m);
}

/* ---- refused ---- */

static void refused(void **state) {
  (void)state;
  nsds_model *m = nsds_model_create(NULL);
  nsds_context *context = nsds_model_context(m);
  const double flat[] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
  const int both[] = {0, 1, 2, 0, 2, 1};
  nsds_shape_def ball = {.kind = NSDS_SPHERE, .radius = 1.0};
  nsds_shape_def plane = {.kind = NSDS_HALF_SPACE, .plane = {.normal = {0, 0, 1}}};
  nsds_shape_def none = {.kind = NSDS_SPHERE}, speck = {.kind = NSDS_SPHERE, .radius = 1e-90};
  nsds_shape_def sheet = {
      .kind = NSDS_TRIANGLES, .nvertex = 3, .vertex = flat, .nface = 2, .face = both};
  nsds_shape_def thick = sheet;
  thick.radius = 0.1;
  const struct {
    nsds_mass_def def;
    nsds_status status;
    const char *word;
  } row[] = {
      {{.nshape = 1, .shape = &plane, .density = 1}, NSDS_ERROR_ARGUMENT, "has no volume"},
      {{.nshape = 1, .shape = &none, .density = 1}, NSDS_ERROR_VALUE, "shape[0].radius"},
      {{.nshape = 1, .shape = &sheet, .density = 1}, NSDS_ERROR_VALUE, "no volume"},
      {{.nshape = 1, .shape = &speck, .density = 1}, NSDS_ERROR_VALUE, "positive finite"},
      {{.nshape = 1, .shape = &thick, .density = 1}, NSDS_ERROR_ARGUMENT, "have a radius"},
      {{.nshape = 1, .shape = &ball}, NSDS_ERROR_ARGUMENT, "none of density"},
      {{.nshape = 1, .shape = &ball, .density = 1, .mass = 2}, NSDS_ERROR_ARGUMENT, "several"},
      {{.nshape = 1, .shape = &ball, .density = -1}, NSDS_ERROR_VALUE, "density"},
      {{.nshape = 1, .shape = &ball, .mass = NAN}, NSDS_ERROR_VALUE, "mass"},
      {{.nshape = 1, .shape = &ball, .densities = (double[]){0}}, NSDS_ERROR_VALUE, "densities[0]"},
      {{.nshape = 0, .shape = &ball, .mass = 1}, NSDS_ERROR_SIZE, "nshape"},
      {{.nshape = 1, .mass = 1}, NSDS_ERROR_ARGUMENT, "shape is NULL"},
      {{.dimension = 4, .nshape = 1, .shape = &ball, .mass = 1}, NSDS_ERROR_SIZE, "dimension is 4"},
  };
  for (size_t k = 0; k < sizeof row / sizeof *row; ++k) {
    nsds_mass mass = {.mass = 7.0};
    assert_status(m, nsds_mass_properties(m, &row[k].def, &mass), row[k].status);
    assert_words(nsds_error_message(context), &row[k].word, 1);
    assert_near(mass.mass, 0.0, 0.0);
    nsds_error_clear(context);
  }
  nsds_mass mass;
  assert_status(m, nsds_mass_properties(m, NULL, &mass), NSDS_ERROR_ARGUMENT);
  nsds_error_clear(context);
  assert_status(m, nsds_mass_properties(m, &row[0].def, NULL), NSDS_ERROR_ARGUMENT);
  nsds_model_destroy(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(closed_forms), cmocka_unit_test(closed_forms_of_the_plane),
      cmocka_unit_test(round_boxes),  cmocka_unit_test(random_hulls),
      cmocka_unit_test(round_hulls),  cmocka_unit_test(polygons),
      cmocka_unit_test(compounds),    cmocka_unit_test(meshes),
      cmocka_unit_test(refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
