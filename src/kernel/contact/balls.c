/*
 * Balls of one radius on a half space and among each other. Pairs come from a grid of cells as wide
 * as a contact reaches. A ball meets the balls of its own cell and of half of the neighboring
 * cells, so that each pair is found once. Cells are lists behind a table of hashed coordinates.
 *
 * Source of the grid: C. Ericson, Real-Time Collision Detection (2005), sec. 7.1.
 */
#include "base/context.h"
#include "base/text/field_rows.h"
#include "kernel/contact/places.h"
#include "kernel/contact/shape_types.h"
#include "kernel/contact/shown_shape.h"
#include "kernel/modeling/busy.h"
#include "kernel/modeling/check.h"
#include "kernel/modeling/contact_set.h"
#include "kernel/modeling/definition.h"
#include "kernel/modeling/handle.h"
#include "kernel/modeling/label.h"
#include "kernel/modeling/modeling.h"

static const char call[] = "nsds_balls";

typedef struct balls {
  nsds_model *model;
  int count, dimension;
  nsds_ds **ds;
  double radius, reach, offset, normal[3];
  bool half_space, pairs;
  int *head, *next; /* first ball of a cell, next ball in the same cell */
  int64_t *cell;    /* dimension per ball */
  size_t table;     /* entries of head, a power of two */
  double *H;        /* one row, two bodies */
  double farthest;  /* farthest way of a ball in the step ahead; 0: all ways are short */
} balls;

/* Ways up to small_way of the reach or the radius leave every contact on its side. Ways below
 * least_way of the radius do not count. A pair that closes by more than `steep` of its way
 * strikes. */
static const double small_way = 0.5, least_way = 1e-3, steep = 0.1;

/* Sets the place of a contact. Shapes are numbered balls first, then the half space. */
static void balls_locate(const balls *b, int i, int j, double apart, const double *x,
                         const double *direction, nsds_contact_place *place) {
  double in = j < 0 ? b->radius : b->radius + 0.5 * apart;
  place->dimension = b->dimension;
  place->shape[0] = i;
  place->shape[1] = j < 0 ? b->count : j;
  for (int k = 0; k < b->dimension; ++k) {
    place->normal[k] = direction[k];
    place->point[k] = x[k] - in * direction[k];
  }
}

/* Adds a contact. `apart` is the gap at the place x of the first ball. */
static nsds_status balls_add(const balls *b, nsds_contacts *contacts, int i, int j, double gap,
                             double apart, const double *x, const double *direction) {
  int n = nsds_nv(b->ds[i]), all = n + (j >= 0 ? nsds_nv(b->ds[j]) : 0);
  for (int k = 0; k < all; ++k) b->H[k] = 0.0;
  for (int k = 0; k < b->dimension; ++k) {
    b->H[k] = direction[k];
    if (j >= 0) b->H[n + k] = -direction[k];
  }
  uint64_t key = (uint64_t)i | (uint64_t)(j + 1) << 32;
  nsds_contact_place place = {.dimension = 0};
  balls_locate(b, i, j, apart, x, direction, &place);
  return nsds_contacts_add(contacts,
                           &(nsds_contact_point){.key = key,
                                                 .ds = {b->ds[i], j >= 0 ? b->ds[j] : NULL},
                                                 .y = &gap,
                                                 .H = b->H,
                                                 .place = &place});
}

static nsds_status on_half_space(const balls *b, nsds_contacts *contacts) {
  nsds_status status = NSDS_OK;
  for (int i = 0; !status && i < b->count; ++i) {
    const double *x = nsds_q(b->ds[i]);
    double gap = -b->offset - b->radius;
    for (int k = 0; k < b->dimension; ++k) gap += b->normal[k] * x[k];
    if (gap <= b->reach) status = balls_add(b, contacts, i, -1, gap, gap, x, b->normal);
  }
  return status;
}

/* Computes n from one place to another and returns the gap. Balls at the same place have no
 * direction and are pushed apart along the first axis. */
static double balls_direct(const balls *b, const double *xi, const double *xj, double *direction) {
  double square = 0.0;
  for (int k = 0; k < b->dimension; ++k) {
    direction[k] = xi[k] - xj[k];
    square += direction[k] * direction[k];
  }
  double distance = sqrt(square);
  for (int k = 0; k < b->dimension && distance > 0.0; ++k) direction[k] /= distance;
  if (distance == 0.0) direction[0] = 1.0;
  return distance - 2.0 * b->radius;
}

/* Returns true if two balls strike each other: at the end of the step they would overlap or would
 * have passed. The contact is then that of the start: `apart` is its gap, and `gap` extrapolates
 * this to the end. */
static bool balls_met_early(const balls *b, const nsds_contacts *contacts, int i, int j,
                            double *gap, double *apart, double *direction) {
  if (!contacts->start) return false;
  const double *a0 = contacts->start + b->ds[i]->q_offset, *a = nsds_q(b->ds[i]);
  const double *c0 = contacts->start + b->ds[j]->q_offset, *c = nsds_q(b->ds[j]);
  double way[3], closing = 0.0, square = 0.0;
  for (int k = 0; k < b->dimension; ++k) {
    way[k] = a[k] - a0[k] - c[k] + c0[k];
    square += way[k] * way[k];
  }
  if (square <= least_way * least_way * b->radius * b->radius) return false;
  *gap = *apart = balls_direct(b, a0, c0, direction);
  if (!(*gap <= b->reach)) return false;
  for (int k = 0; k < b->dimension; ++k) closing -= direction[k] * way[k];
  if (closing <= fmin(small_way * fmin(b->reach, b->radius), steep * sqrt(square))) return false;
  *gap -= closing;
  return true;
}

/* Adds the pair if it is near, in the same order for either of its cells. */
static nsds_status try_pair(const balls *b, nsds_contacts *contacts, int one, int other) {
  int i = one < other ? one : other, j = one < other ? other : one;
  const double *x = nsds_q(b->ds[i]);
  double direction[3] = {0.0}, gap, apart;
  if (balls_met_early(b, contacts, i, j, &gap, &apart, direction)) {
    x = contacts->start + b->ds[i]->q_offset;
    return balls_add(b, contacts, i, j, gap, apart, x, direction);
  }
  gap = balls_direct(b, x, nsds_q(b->ds[j]), direction);
  return gap <= b->reach ? balls_add(b, contacts, i, j, gap, gap, x, direction) : NSDS_OK;
}

static size_t bucket(const balls *b, const int64_t *cell) {
  uint64_t hash = 0;
  for (int k = 0; k < b->dimension; ++k)
    hash = (hash ^ (uint64_t)cell[k]) * UINT64_C(0x9E3779B97F4A7C15);
  return (size_t)(hash >> 24) & (b->table - 1);
}

static bool same_cell(const balls *b, const int64_t *x, const int64_t *y) {
  for (int k = 0; k < b->dimension; ++k)
    if (x[k] != y[k]) return false;
  return true;
}

/* Fills cells wide enough for pairs that are near now or at the start of the step. */
static void fill_cells(const balls *b) {
  double width = 2.0 * b->radius + b->reach + 2.0 * b->farthest;
  for (size_t k = 0; k < b->table; ++k) b->head[k] = -1;
  for (int i = b->count - 1; i >= 0; --i) {
    const double *x = nsds_q(b->ds[i]);
    int64_t *cell = b->cell + (size_t)i * (size_t)b->dimension;
    for (int k = 0; k < b->dimension; ++k) {
      double at = floor(x[k] / width);
      cell[k] = at > -9e18 && at < 9e18 ? (int64_t)at : 0;
    }
    size_t h = bucket(b, cell);
    b->next[i] = b->head[h];
    b->head[h] = i;
  }
}

/* Meets the partners of ball i: later balls of its own cell, and all balls of a neighboring
 * cell. */
static nsds_status balls_meet(const balls *b, nsds_contacts *contacts, int i, const int64_t *cell,
                              bool own) {
  nsds_status status = NSDS_OK;
  int first = own ? b->next[i] : b->head[bucket(b, cell)];
  for (int j = first; !status && j >= 0; j = b->next[j])
    if (same_cell(b, b->cell + (size_t)j * (size_t)b->dimension, cell))
      status = try_pair(b, contacts, i, j);
  return status;
}

/* Meets the half of the 3^d - 1 neighbors whose first nonzero offset is positive. */
static nsds_status meet_neighbours(const balls *b, nsds_contacts *contacts, int i) {
  const int64_t *cell = b->cell + (size_t)i * (size_t)b->dimension;
  int all = b->dimension == 3 ? 27 : 9;
  nsds_status status = balls_meet(b, contacts, i, cell, true);
  for (int code = all / 2 + 1; !status && code < all; ++code) {
    int64_t other[3];
    for (int k = b->dimension - 1, rest = code; k >= 0; --k, rest /= 3)
      other[k] = cell[k] + rest % 3 - 1;
    status = balls_meet(b, contacts, i, other, false);
  }
  return status;
}

/* Returns the farthest way of a ball in a step; 0 if all are short. */
static double farthest(const balls *b, const double *start) {
  double most = 0.0;
  for (int i = 0; start && i < b->count; ++i) {
    const double *q = nsds_q(b->ds[i]), *q0 = start + b->ds[i]->q_offset;
    double square = 0.0;
    for (int k = 0; k < b->dimension; ++k) square += (q[k] - q0[k]) * (q[k] - q0[k]);
    most = fmax(most, square);
  }
  return most > 0.0 && sqrt(most) > 0.5 * small_way * fmin(b->reach, b->radius) ? sqrt(most) : 0.0;
}

static nsds_status balls_find(void *self, double t, nsds_contacts *contacts) {
  balls *b = self;
  (void)t;
  nsds_status status = nsds_check_places(b->model, "nsds_balls", b->count, b->ds, b->dimension);
  if (!status && b->half_space) status = on_half_space(b, contacts);
  if (status || !b->pairs) return status;
  b->farthest = farthest(b, contacts->start);
  fill_cells(b);
  for (int i = 0; !status && i < b->count; ++i) status = meet_neighbours(b, contacts, i);
  return status;
}

/* ---- contacts along the motion --------------------------------------------------------------- */

/* Relative place and velocity of a pair; j = -1: the half space. */
typedef struct contact {
  int j, n; /* velocities of the first ball */
  double way[3], speed[3], distance;
} contact;

static contact balls_look(const balls *b, uint64_t key, const nsds_arguments *in) {
  int i = (int)(key & UINT32_MAX), j = (int)(key >> 32) - 1;
  contact c = {.j = j, .n = b->ds[i]->nv};
  const double *q = in->q + b->ds[i]->nq, *v = in->v + c.n;
  double square = 0.0;
  for (int k = 0; k < b->dimension; ++k) {
    c.way[k] = j < 0 ? b->normal[k] : in->q[k] - q[k];
    c.speed[k] = j < 0 ? in->v[k] : in->v[k] - v[k];
    square += c.way[k] * c.way[k];
  }
  c.distance = sqrt(square);
  return c;
}

static nsds_status balls_output(void *self, uint64_t key, const nsds_arguments *in, double *y) {
  const balls *b = self;
  contact c = balls_look(b, key, in);
  *y = c.distance - 2.0 * b->radius;
  if (c.j >= 0) return NSDS_OK;
  *y = -b->offset - b->radius;
  for (int k = 0; k < b->dimension; ++k) *y += b->normal[k] * in->q[k];
  return NSDS_OK;
}

static nsds_status balls_gradient(void *self, uint64_t key, const nsds_arguments *in,
                                  const double *found, double *H) {
  const balls *b = self;
  contact c = balls_look(b, key, in);
  (void)found;
  for (int k = 0; k < in->nv; ++k) H[k] = 0.0;
  for (int k = 0; k < b->dimension; ++k) {
    H[k] = c.distance > 0.0 ? c.way[k] / c.distance : k == 0;
    if (c.j >= 0) H[c.n + k] = -H[k];
  }
  return NSDS_OK;
}

/* Computes (|u|^2 - (n.u)^2) / distance with the relative velocity u. */
static nsds_status balls_bias(void *self, uint64_t key, const nsds_arguments *in,
                              const double *found, double *value) {
  const balls *b = self;
  contact c = balls_look(b, key, in);
  double along = 0.0, across = 0.0;
  (void)found;
  *value = 0.0;
  if (c.j < 0 || c.distance == 0.0) return NSDS_OK;
  for (int k = 0; k < b->dimension; ++k) along += c.way[k] * c.speed[k] / c.distance;
  for (int k = 0; k < b->dimension; ++k) {
    double u = c.speed[k] - along * c.way[k] / c.distance;
    across += u * u;
  }
  *value = across / c.distance;
  return NSDS_OK;
}

static void balls_place(void *self, uint64_t key, const nsds_arguments *in, const double *found,
                        nsds_contact_place *place) {
  const balls *b = self;
  contact c = balls_look(b, key, in);
  double apart = c.distance - 2.0 * b->radius;
  (void)found;
  for (int k = 0; c.j >= 0 && c.distance > 0.0 && k < b->dimension; ++k) c.way[k] /= c.distance;
  balls_locate(b, (int)(key & UINT32_MAX), c.j, apart, in->q, c.way, place);
}

static double balls_reach(void *self) {
  const balls *b = self;
  return b->reach;
}

static double balls_travel(void *self, const nsds_ds *ds, const double *q0, const double *q) {
  const balls *b = self; /* bodies that are not balls only cause a search now and then */
  double square = 0.0;
  for (int k = 0; nsds_ds_of(ds)->nq >= b->dimension && k < b->dimension; ++k)
    square += (q[k] - q0[k]) * (q[k] - q0[k]);
  return sqrt(square);
}

static int balls_count_shapes(void *self) {
  const balls *b = self;
  return b->count + b->half_space;
}

static void balls_show_shape(void *self, int k, nsds_shape_info *shape) {
  const balls *b = self;
  nsds_plane plane = {.offset = b->offset};
  memcpy(plane.normal, b->normal, sizeof plane.normal);
  if (k < b->count) nsds_show_ball(k, b->dimension, b->ds[k], b->radius, shape);
  else nsds_show_half_space(k, b->dimension, &plane, shape);
}

static void balls_destroy(void *self) {
  balls *b = self;
  nsds_context *context = b->model->context;
  void *arrays[] = {b->ds, b->head, b->next, b->cell, b->H};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; ++k) nsds_release(context, arrays[k]);
  nsds_release(context, b);
}

static const nsds_geometry_ops ops = {.type = call,
                                      .find = balls_find,
                                      .output = balls_output,
                                      .gradient_v = balls_gradient,
                                      .bias = balls_bias,
                                      .reach = balls_reach,
                                      .travel = balls_travel,
                                      .place = balls_place,
                                      .shape_count = balls_count_shapes,
                                      .shape = balls_show_shape,
                                      .destroy = balls_destroy};

MAKER(nsds_balls, nsds_balls_def)

#define DEF nsds_balls_def
const nsds_type nsds_balls_type = {
    .type = "balls",
    .help = "Balls of one radius around the first coordinates of systems, without friction.",
    .field =
        (const nsds_field[]){
            OBJECT("law", NSDS_FIELD_REFERENCE, "law", NULL, "Law of every contact: one row."),
            NAMES("bodies", NULL, "Second-order systems."),
            INTEGER_OF(DEF, dimension, "[2, 3]", "3", "Coordinates of a center."),
            NUMBER_OF(DEF, radius, "m", "> 0", NULL, "Radius."),
            POINTER_OF(DEF, normal, dimension, "3 (plane: 2)", "1", "zero",
                       "Normal of a half space; zero: there is none."),
            NUMBER_OF(DEF, offset, "m", NULL, "0", "The half space is {x : n.x <= offset}."),
            TRUTH_OF(DEF, pairs, "false", "Balls meet each other."),
            NUMBER_OF(DEF, reach, "m", "> 0", "auto",
                      "Contacts with a gap up to this are found; auto: the radius."),
            END},
    .call = call,
    DEFINITION(DEF),
    NAMED(DEF),
    .make = make_nsds_balls};

static bool balls_fail(nsds_context *context, const char *text) {
  nsds_fail(context, NSDS_ERROR_ARGUMENT, "%s: %s", call, text);
  return false;
}

static bool balls_check_systems(nsds_model *model, const nsds_balls_def *d) {
  nsds_context *context = model->context;
  char label[nsds_label_size];
  for (int k = 0; k < d->count; ++k) {
    if (!d->ds[k]) {
      nsds_fail_null(context, call, "an entry of ds");
      return false;
    }
    const nsds_ds *ds = nsds_ds_find(d->ds[k], call);
    if (!ds) return false;
    if (ds->model == model && nsds_is_second_order(ds) && ds->nq >= d->dimension &&
        ds->nv >= d->dimension)
      continue;
    nsds_fail(context, NSDS_ERROR_ARGUMENT,
              "%s: ds[%d] (%s) is not a second-order system of this model with %d coordinates and "
              "velocities or more",
              call, k, nsds_ds_label(ds, label), d->dimension);
    return false;
  }
  return true;
}

static bool balls_check(nsds_model *model, const nsds_balls_def *d) {
  nsds_context *context = model->context;
  if (!d->law || !d->ds) {
    nsds_fail_null(context, call, d->law ? "ds" : "law");
    return false;
  }
  if (!nsds_check_count(context, call, "count", d->count, 1) ||
      !nsds_check_range(context, call, "count", d->count, 1, nsds_ds_count(model)) ||
      !nsds_check_range(context, call, "radius", d->radius, 1e-300, 1e300) ||
      !nsds_check_range(context, call, "offset", d->offset, -1e300, 1e300) ||
      !nsds_check_range(context, call, "reach", d->reach, 0.0, 1e300) ||
      !nsds_check_finite(context, call, "normal", d->normal, d->dimension) ||
      !balls_check_systems(model, d))
    return false;
  if (d->law->size != 1)
    return balls_fail(context, "the law must be of one row; balls have normals only");
  if (!d->normal && !d->pairs)
    return balls_fail(
        context, "neither normal nor pairs is given, so that nothing can touch; give one of them");
  double square = 0.0;
  for (int k = 0; d->normal && k < d->dimension; ++k) square += d->normal[k] * d->normal[k];
  if (d->normal && fabs(square - 1.0) > 1e-12) {
    nsds_fail(context, NSDS_ERROR_VALUE, "%s: normal has length %g; it must be 1", call,
              sqrt(square));
    return false;
  }
  return true;
}

/* Reserves memory for the grid and the widest pair. */
static nsds_status balls_furnish(balls *b, const nsds_balls_def *d) {
  nsds_context *context = b->model->context;
  size_t n = (size_t)d->count;
  int widest = 0;
  for (int k = 0; k < d->count; ++k)
    if (nsds_ds_of(d->ds[k])->nv > widest) widest = nsds_ds_of(d->ds[k])->nv;
  for (b->table = 16; b->table < 2 * n;) b->table *= 2;
  b->ds = nsds_copy(context, d->ds, n, sizeof(nsds_ds *));
  for (size_t k = 0; b->ds && k < n; ++k) b->ds[k] = nsds_ds_of(b->ds[k]);
  b->H = NSDS_NEW_ARRAY(context, double, 2 * (size_t)widest);
  if (d->pairs) {
    b->head = NSDS_NEW_ARRAY(context, int, b->table);
    b->next = NSDS_NEW_ARRAY(context, int, n);
    b->cell = NSDS_NEW_ARRAY(context, int64_t, n * (size_t)d->dimension);
  }
  bool grid = !d->pairs || (b->head && b->next && b->cell);
  return b->ds && b->H && grid ? NSDS_OK : NSDS_ERROR_MEMORY;
}

nsds_contact_set *nsds_balls(nsds_model *model, const nsds_balls_def *given) {
  nsds_balls_def own;
  const nsds_balls_def *def = &own;
  if (!nsds_definition_take(model, &nsds_balls_type, given, &own) || nsds_check_idle(model, call) ||
      !balls_check(model, def))
    return NULL;
  balls *b = NSDS_NEW(model->context, balls);
  if (!b) return NULL;
  b->model = model;
  b->count = def->count;
  b->dimension = def->dimension;
  b->radius = def->radius;
  b->reach = def->reach > 0.0 ? def->reach : def->radius;
  b->offset = def->offset;
  b->pairs = def->pairs;
  b->half_space = def->normal != NULL;
  for (int k = 0; def->normal && k < def->dimension; ++k) b->normal[k] = def->normal[k];
  if (balls_furnish(b, def)) {
    balls_destroy(b);
    return NULL;
  }
  return nsds_custom_contact_set(
      model,
      &(nsds_custom_contact_set_def){.name = def->name, .ops = &ops, .self = b, .law = def->law});
}
