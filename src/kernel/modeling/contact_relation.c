/*
 * Contact of a rigid body with the world or with another body. At a configuration a function gives
 * the gap, the point P and the normal n. With tangents t1, t2, center G, r = P - G, and R of the
 * body, the rows are in velocities (v, W)
 *
 *   normal, tangents   d . (v + (R W) x r) = d . v + R^T (r x d) . W,   d = n, t1, t2
 *   rolling            R^T d . W,                                       d = t1, t2
 *
 * minus the rows of the second body; in the plane d . v + (r x d) W, t = n turned by -90 degrees. A
 * gap between closest points grows with the first row. y of the other rows has no meaning and is 0.
 *
 * Tangents: Duff, Burgess, Christensen, Hery, Kensler, Liani, Villemin, Building an orthonormal
 * basis, revisited, J. Comput. Graphics Techniques 6 (2017).
 */
#include "kernel/modeling/contact_relation.h"

#include "base/context.h"
#include "kernel/modeling/body.h"
#include "kernel/modeling/contact_bias.h"
#include "kernel/modeling/contact_frame.h"
#include "kernel/modeling/operator_data.h"
#include "kernel/modeling/relation.h"

typedef nsds_contact_data relation;

/* ---- the contact at a configuration ---------------------------------------------------------- */

void nsds_contact_data_follow(nsds_contact_data *data, nsds_context *context, const char *label,
                              const nsds_contact_relation_def *def, const double *found,
                              double tangent[3]) {
  bool tangents = found && def->dimension == 3 && def->rows > 1;
  for (int k = 0; k < 3; ++k) tangent[k] = tangents ? found[1 + k * def->rows] : 0.0;
  *data = (nsds_contact_data){.caller.context = context, .def = *def};
  memcpy(data->caller.label, label, sizeof data->caller.label);
}

/* ---- rows ------------------------------------------------------------------------------------ */

/* Writes row i of a body in space: d . v + R^T (r x d) . W, or R^T d . W. The stride is ny. */
static inline void put_space(const double *R, const double *r, const double *d, bool rolling,
                             double sign, int ny, double *H) {
  double moment[3], turned[3];
  if (rolling) nsds_turn_back(R, d, turned);
  else {
    nsds_cross(r, d, moment);
    nsds_turn_back(R, moment, turned);
  }
  for (int k = 0; k < 3; ++k) {
    H[k * ny] = rolling ? 0.0 : sign * d[k];
    H[(3 + k) * ny] = sign * turned[k];
  }
}

static inline void put_rows(const double *R, const double *r, const double *frame, int rows,
                            double sign, double *H) {
  for (int i = 0; i < rows; ++i) {
    bool rolling = i >= 3;
    put_space(R, r, frame + 3 * (rolling ? i - 2 : i), rolling, sign, rows, H + i);
  }
}

void nsds_contact_columns(const double *R, const double *r, const double *frame, int rows,
                          double sign, double *H) {
  if (rows == 3) put_rows(R, r, frame, 3, sign, H); /* friction, the most frequent law */
  else put_rows(R, r, frame, rows, sign, H);
}

static void put_plane(const double *r, const double *d, bool rolling, double sign, int ny,
                      double *H) {
  H[0] = rolling ? 0.0 : sign * d[0];
  H[ny] = rolling ? 0.0 : sign * d[1];
  H[2 * ny] = sign * (rolling ? 1.0 : r[0] * d[1] - r[1] * d[0]);
}

void nsds_contact_columns_plane(const double *r, const double *frame, int rows, double sign,
                                double *H) {
  for (int i = 0; i < rows; ++i)
    put_plane(r, frame + 3 * (i >= 2 ? 1 : i), i >= 2, sign, rows, H + i);
}

static void put_body(const relation *s, const double *q, const nsds_body_contact *at,
                     const double *frame, double sign, double *H) {
  int ny = s->def.rows, space = s->def.dimension;
  double R[9], r[3] = {0.0};
  for (int k = 0; k < space; ++k) r[k] = at->point[k] - q[k];
  if (space == 3) {
    nsds_rotation_matrix(q + 3, R);
    nsds_contact_columns(R, r, frame, ny, sign, H);
    return;
  }
  nsds_contact_columns_plane(r, frame, ny, sign, H);
}

nsds_status nsds_contact_relation_gradient(void *self, const nsds_arguments *in, double *H) {
  const relation *s = self;
  bool plane = s->def.dimension == 2;
  nsds_body_contact at;
  double frame[9];
  nsds_status status = nsds_contact_find(s, in, &at);
  if (!status) status = nsds_contact_frame(s, in, &at, frame);
  if (status) return status;
  put_body(s, in->q, &at, frame, 1.0, H);
  if (s->def.pair)
    put_body(s, in->q + (plane ? 3 : nsds_body_nq), &at, frame, -1.0,
             H + s->def.rows * (plane ? 3 : nsds_body_nv));
  return NSDS_OK;
}

nsds_status nsds_contact_relation_output(void *self, const nsds_arguments *in, double *y) {
  const relation *s = self;
  nsds_body_contact at;
  nsds_status status = nsds_contact_find(s, in, &at);
  for (int i = 0; i < s->def.rows; ++i) y[i] = i == 0 ? at.gap : 0.0;
  return status;
}

nsds_status nsds_contact_relation_place(const nsds_contact_data *s, const nsds_arguments *in,
                                        nsds_contact_place *place) {
  nsds_body_contact at;
  double frame[9];
  nsds_status status = nsds_contact_find(s, in, &at);
  if (!status) status = nsds_contact_frame(s, in, &at, frame);
  if (status) return status;
  place->dimension = s->def.dimension;
  memcpy(place->point, at.point, sizeof at.point);
  memcpy(place->normal, frame, sizeof place->normal);
  memcpy(place->tangent, frame + 3, sizeof place->tangent);
  return NSDS_OK;
}

void nsds_contact_relation_destroy(void *self) {
  relation *s = self;
  nsds_context *context = s->caller.context;
  nsds_release(context, s->owned);
  nsds_release(context, s);
}

/* ---- creation -------------------------------------------------------------------------------- */

static bool contact_relation_check(nsds_context *context, const char *call,
                                   const nsds_contact_relation_def *d) {
  if (d->dimension != 2 && d->dimension != 3) {
    nsds_fail(context, NSDS_ERROR_SIZE, "%s: dimension is %d; valid are 2 and 3", call,
              d->dimension);
    return false;
  }
  bool plane = d->dimension == 2;
  if (d->rows != 1 && d->rows != (plane ? 2 : 3) && d->rows != (plane ? 3 : 5)) {
    nsds_fail(context, NSDS_ERROR_SIZE, "%s: rows is %d; valid are %s", call, d->rows,
              plane ? "1 (normal), 2 (with tangent) and 3 (with rolling) in the plane"
                    : "1 (normal), 3 (with tangents) and 5 (with rolling)");
    return false;
  }
  if (d->contact_fn) return true;
  nsds_fail_null(context, call, "contact_fn");
  return false;
}

nsds_relation *nsds_make_contact_relation(nsds_model *model, const nsds_relation_ops *ops,
                                          const nsds_contact_relation_def *def, void *owned,
                                          double terms) {
  nsds_context *context = model->context;
  nsds_contact_relation_def d = *def;
  if (d.dimension == 0) d.dimension = 3;
  if (d.rows == 0) d.rows = d.dimension == 2 ? 2 : 3;
  relation *s = contact_relation_check(context, ops->type, &d) ? NSDS_NEW(context, relation) : NULL;
  if (!s) {
    nsds_release(context, owned);
    return NULL;
  }
  s->caller = nsds_relation_caller(model, ops->type, d.name);
  s->def = d;
  s->owned = owned;
  int bodies = d.pair ? 2 : 1;
  nsds_relation *made =
      nsds_make_relation(model,
                         &(nsds_custom_relation_def){.ops = ops,
                                                     .self = s,
                                                     .name = d.name,
                                                     .ny = d.rows,
                                                     .nq = bodies * (d.dimension == 2 ? 3 : 7),
                                                     .nv = bodies * (d.dimension == 2 ? 3 : 6),
                                                     .terms = (double[5]){terms}},
                         false);
  if (made) made->tangents = d.rows > 1;
  return made;
}

static const nsds_relation_ops contact_ops = {.type = "nsds_contact_relation",
                                              NSDS_CONTACT_RELATION_OPS};
static const nsds_relation_ops rated_ops = {
    .type = "nsds_contact_relation", .bias = nsds_contact_relation_bias, NSDS_CONTACT_RELATION_OPS};

nsds_relation *nsds_contact_relation(nsds_model *model, const nsds_contact_relation_def *def) {
  if (!model || !def) {
    nsds_fail_null(nsds_model_context(model), contact_ops.type, model ? "def" : "model");
    return NULL;
  }
  if (nsds_check_reserved(model->context, contact_ops.type, "", NSDS_TAIL(def))) return NULL;
  return nsds_make_contact_relation(model, def->rate_fn ? &rated_ops : &contact_ops, def, NULL,
                                    0.0);
}
