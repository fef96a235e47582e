/*
 * Angles of joints in space count turns. Orientations give an angle a in (-pi, pi] only. The angle
 * of a joint is a + 2 pi n, with the n for which it is nearest to the angle expected,
 *
 *     expected = angle_0 + (t - t_0) [(1 - theta) rate_0 + theta rate]
 *
 * angle_0 and rate_0 are the angle and the rate of a state on the same motion at t_0. This state is
 * the accepted one, or the end of a step of the integrator ahead of the accepted state. The weight
 * theta is that of time stepping, or 1/2. So a step may turn a joint by any number of turns, as long
 * as the rates predict the angle within half a turn.
 *
 * The angle takes one more row of the state behind the rows of the interaction. In the accepted
 * state y and dy/dt of this row are the angle and its rate, in the trial state angle_0 and rate_0,
 * and `turned` is t_0. So copies of the state, saved states and snapshots have the angle too.
 *
 * Joints that hold their axis only sum up the expected changes, and compute a where the sum passes
 * a whole number [rad]. This takes a tenth of the time.
 *
 * In the plane the bodies' own angles count turns, see joint.c.
 */
#include "kernel/modeling/turns.h"

#include "base/context.h"
#include "kernel/modeling/body.h"
#include "kernel/modeling/busy.h"
#include "kernel/modeling/check.h"
#include "kernel/modeling/handle.h"
#include "kernel/modeling/joint_data.h"
#include "kernel/modeling/joint_pose.h"
#include "kernel/modeling/label.h"
#include "kernel/modeling/list.h"

static int turns_place(const nsds_interaction *ia) { return ia->y_offset + ia->m; }

static const nsds_joint_data *joint_of(const nsds_interaction *ia) { return ia->relation->joint; }

/* Computes the angle in (-pi, pi] and its rate. The rate of a joint whose axes have come apart may
 * have a pole; then the bodies' own rates bound what a prediction may use. */
static double turns_angle_at(const nsds_joint_data *s, const double *q, const double *v,
                             double *rate) {
  nsds_joint_pose pose;
  double m[3], velocity[3], w[3];
  nsds_joint_pose_at(s, q, &pose);
  double angle = nsds_joint_angle(s->kind, &pose, m);
  double most = 0.0;
  *rate = 0.0;
  for (int body = 0; v && body < (s->pair ? 2 : 1); ++body) {
    nsds_joint_twist(false, v + body * s->nv, pose.R[body], velocity, w);
    *rate += (body ? -1.0 : 1.0) * nsds_dot(w, m);
    most += nsds_length(w);
  }
  if (!(fabs(*rate) <= 2.0 * most)) *rate = 0.0;
  return angle;
}

/* Gathers coordinates of the systems of an interaction, and velocities if v is not NULL. */
static void turns_gather(const nsds_interaction *ia, const double *q, const double *v, double *Q,
                         double *V) {
  for (int k = 0; k < ia->nds; ++k) {
    const nsds_ds *ds = ia->ds[k];
    for (int j = 0; j < ds->nq; ++j) *Q++ = q[ds->q_offset + j];
    for (int j = 0; v && j < ds->nv; ++j) *V++ = v[ds->v_offset + j];
  }
}

/* Computes the angle for the systems of an interaction in a state, and its rate. */
static double turns_exact(const nsds_interaction *ia, const double *q, const double *v,
                          double *rate) {
  double Q[2 * nsds_body_nq], V[2 * nsds_body_nv];
  turns_gather(ia, q, v, Q, V);
  return turns_angle_at(joint_of(ia), Q, v ? V : NULL, rate);
}

/* Returns true if the joint holds its axis: both bodies then turn about the same direction. */
static bool keeps_axis(const nsds_interaction *ia) { return !ia->relation->of_angle; }

/* Returns the rate of a joint that holds its axis: w of a body about the axis, seen from the
 * body. */
static double rate_about_axis(const nsds_interaction *ia, const double *v) {
  const nsds_joint_data *s = joint_of(ia);
  double V[2 * nsds_body_nv], *to = V;
  const double *first = v + ia->ds[0]->v_offset, *second = first + nsds_body_nv;
  if (ia->nds == 2 && ia->ds[0]->nv == nsds_body_nv) {
    second = v + ia->ds[1]->v_offset;
  } else if (ia->nds > 1) { /* other systems of as many velocities */
    for (int k = 0; k < ia->nds; ++k)
      for (int j = 0; j < ia->ds[k]->nv; ++j) *to++ = v[ia->ds[k]->v_offset + j];
    first = V;
    second = V + nsds_body_nv;
  }
  double rate = nsds_dot(first + 3, s->axes[0]);
  return s->pair ? rate - nsds_dot(second + 3, s->axes[1]) : rate;
}

static double mean_rate(const nsds_state *at, double first, double last) {
  return (1.0 - at->turned_theta) * first + at->turned_theta * last;
}

/* ---- the accepted state ---------------------------------------------------------------------- */

nsds_status nsds_turns_reserve(nsds_model *model) {
  nsds_list *list = &model->turning;
  return nsds_grow(model->context, &list->item, &list->capacity, list->count + 1,
                   sizeof *list->item);
}

void nsds_turns_add(nsds_interaction *ia) {
  nsds_state *now = &ia->model->state;
  nsds_list *list = &ia->model->turning;
  int place = turns_place(ia);
  ia->turning = (int)list->count;
  list->item[list->count++] = ia;
  now->y[place] = turns_exact(ia, now->q, now->v, &now->ydot[place]);
}

void nsds_turns_remove(nsds_interaction *ia) {
  nsds_list *list = &ia->model->turning;
  nsds_interaction *last = list->item[--list->count];
  list->item[ia->turning] = last;
  last->turning = ia->turning;
}

double nsds_turns_angle(const nsds_interaction *ia, double angle) {
  return nsds_joint_nearest(angle, ia->model->state.y[turns_place(ia)]);
}

static bool connects(const nsds_interaction *ia, const nsds_ds *ds) {
  int k = 0;
  while (k < ia->nds && ia->ds[k] != ds) ++k;
  return k < ia->nds;
}

void nsds_turns_moved(const nsds_ds *ds) {
  nsds_model *model = ds->model;
  nsds_state *now = &model->state;
  for (size_t k = 0; k < model->turning.count; ++k) {
    const nsds_interaction *ia = model->turning.item[k];
    if (!connects(ia, ds)) continue;
    int place = turns_place(ia);
    now->y[place] = nsds_turns_angle(ia, turns_exact(ia, now->q, now->v, &now->ydot[place]));
  }
}

nsds_status nsds_joint_set_turns(nsds_interaction *joint, double near) {
  const char *call = "nsds_joint_set_turns";
  if (!joint) return nsds_fail_null(NULL, call, "joint");
  nsds_interaction *ia = nsds_interaction_find(joint, call);
  if (!ia) return NSDS_ERROR_ARGUMENT;
  nsds_model *model = ia->model;
  char label[nsds_label_size];
  nsds_status status = nsds_check_idle(model, call);
  if (status) return status;
  if (!ia->relation->turns)
    return nsds_fail(model->context, NSDS_ERROR_ARGUMENT,
                     "%s: %s has no angle in space; valid are hinges, cylindrical joints and "
                     "angles of nsds_joint_coordinate() between bodies in space",
                     call, nsds_interaction_label(ia, label));
  if (!nsds_check_finite(model->context, call, "near", &near, 1)) return NSDS_ERROR_VALUE;
  double rate, angle = turns_exact(ia, model->state.q, NULL, &rate);
  model->state.y[turns_place(ia)] = nsds_joint_nearest(angle, near);
  ia->changed = nsds_touch(model);
  return NSDS_OK;
}

/* ---- a state on the way ---------------------------------------------------------------------- */

nsds_status nsds_turns_output(const nsds_interaction *ia, const nsds_state *at,
                              const nsds_arguments *in, double *y) {
  const nsds_joint_data *s = joint_of(ia);
  int place = turns_place(ia);
  double rate, angle = turns_angle_at(s, in->q, in->v, &rate), expected = at->y[place];
  if (at != &ia->model->state)
    expected += (in->t - at->turned) * mean_rate(at, at->ydot[place], rate);
  return ia->relation->of_angle(ia->relation->self, in, nsds_joint_nearest(angle, expected), y);
}

void nsds_turns_begin_all(const nsds_model *model, nsds_state *trial, double t, double theta) {
  const nsds_state *now = &model->state;
  trial->turned = t;
  trial->turned_theta = theta;
  for (size_t k = 0; k < model->turning.count; ++k) {
    int place = turns_place(model->turning.item[k]);
    trial->y[place] = now->y[place];
    trial->ydot[place] = now->ydot[place];
  }
}

void nsds_turns_follow_all(const nsds_model *model, nsds_state *trial, double t, const double *q,
                           const double *v) {
  double step = t - trial->turned;
  trial->turned = t;
  for (size_t k = 0; k < model->turning.count; ++k) {
    const nsds_interaction *ia = model->turning.item[k];
    double *angle = &trial->y[turns_place(ia)], *rate = &trial->ydot[turns_place(ia)],
           before = *rate;
    if (keeps_axis(ia)) {
      *rate = rate_about_axis(ia, v);
      double expected = *angle + step * mean_rate(trial, before, *rate);
      bool same = floor(expected) == floor(*angle);
      *angle = same ? expected : nsds_joint_nearest(turns_exact(ia, q, NULL, &before), expected);
    } else {
      double raw = turns_exact(ia, q, v, rate);
      *angle = nsds_joint_nearest(raw, *angle + step * mean_rate(trial, before, *rate));
    }
  }
}

void nsds_turns_keep(const nsds_model *model, const nsds_state *trial, double *to) {
  if (model->turning.count > 0) *to++ = trial->turned;
  for (size_t k = 0; k < model->turning.count; ++k) {
    int place = turns_place(model->turning.item[k]);
    *to++ = trial->y[place];
    *to++ = trial->ydot[place];
  }
}

void nsds_turns_put(const nsds_model *model, nsds_state *trial, const double *from) {
  if (model->turning.count > 0) trial->turned = *from++;
  for (size_t k = 0; k < model->turning.count; ++k) {
    int place = turns_place(model->turning.item[k]);
    trial->y[place] = *from++;
    trial->ydot[place] = *from++;
  }
}
