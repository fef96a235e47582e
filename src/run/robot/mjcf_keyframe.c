/*
 * Keyframes of MJCF, see mjcf_parts.h. Without a wish the robot starts at its zero, as in MuJoCo. The
 * controls of a keyframe become targets or forces of the drives.
 */
#include "run/robot/mjcf_keyframe.h"

#include "base/text/format.h"
#include "base/text/name_list.h"
#include "base/text/words.h"
#include "run/robot/robot_place.h"

#include <math.h>
#include <string.h>

/* A keyframe by its name, or by its number from 0; NULL: there is none. Lists the names. */
static nsds_xml *find_key(nsds_mjcf *m, const char *wanted, nsds_name_list *list) {
  nsds_xml *found = NULL;
  char number[24];
  int total = 0;
  nsds_name_list_begin(list, wanted ? wanted : "");
  for (nsds_xml *s = NULL; (s = nsds_xml_child(m->robot->root, "keyframe", s)) != NULL;)
    for (nsds_xml *e = NULL; (e = nsds_xml_child(s, "key", e)) != NULL; ++total) {
      const char *name = nsds_xml_get(e, "name");
      nsds_xml_use_all(e);
      nsds_print(number, sizeof number, "%d", total);
      nsds_name_list_add(list, name ? name : number);
      if (!found && wanted && (name ? strcmp(name, wanted) == 0 : strcmp(number, wanted) == 0))
        found = e;
      else if (!found && wanted && strcmp(number, wanted) == 0) found = e;
    }
  return found;
}

/* Velocities that the frames of a file have where qvel is absent: 0; coordinates: those of the start. */
static void zero_coordinates(const nsds_robot *r, double *q) {
  for (int k = 1; k < r->nbody; ++k) {
    int joint = nsds_robot_joint_above(r, k);
    if (joint < 0) {
      memcpy(q, r->body[k].pose.p, 3 * sizeof *q);
      memcpy(q + 3, r->body[k].pose.q, 4 * sizeof *q);
      q += 7;
    } else if (r->joint[joint].kind == NSDS_ROBOT_BALL) {
      q[0] = 1.0;
      q += 4;
    } else {
      *q++ = r->joint[joint].start;
    }
  }
}

/* Gives the drives their targets and forces. */
static void take_controls(nsds_mjcf *m, const double *control) {
  for (int k = 0; k < m->nactuator; ++k) {
    const nsds_mjcf_actuator *a = &m->actuator[k];
    if (a->joint < 0) continue;
    nsds_robot_drive *d = &m->robot->joint[a->joint].drive;
    double given = fmax(a->least, fmin(a->most, control[k])), force = a->gear * a->gain * given;
    bool alone = d->stiffness == a->gear * a->gear * a->stiffness &&
                 d->damping == a->gear * a->gear * a->damping;
    if (d->integrated) d->rate = given / a->gear;
    else if (alone && a->stiffness > 0.0 && a->gain == a->stiffness) d->target = given / a->gear;
    else if (alone && a->damping > 0.0 && a->gain == a->damping) d->rate = given / a->gear;
    else d->force += force;
  }
}

/* Frames move with their bodies, which stood at `old`. */
static void move_frames(const nsds_robot *r, const nsds_pose *old, nsds_mjcf_frames *frames) {
  for (int k = 0; k < frames->count; ++k) {
    nsds_mjcf_frame *f = &frames->item[k];
    nsds_pose back = nsds_pose_inverse(&old[f->body]), in_body = nsds_pose_times(&back, &f->pose);
    f->pose = nsds_pose_times(&r->body[f->body].pose, &in_body);
  }
}

static void start_at(nsds_mjcf *m, nsds_xml *key) {
  nsds_robot *r = m->robot;
  int nq, nv;
  nsds_robot_sizes(r, &nq, &nv);
  double *q = nsds_robot_memory(r, (size_t)nq, sizeof *q);
  double *v = nsds_robot_memory(r, (size_t)nv, sizeof *v);
  double *control = nsds_robot_memory(r, (size_t)m->nactuator, sizeof *control);
  nsds_pose *old = nsds_robot_memory(r, (size_t)r->nbody, sizeof *old);
  if (r->failed) return;
  for (int k = 0; k < r->nbody; ++k) old[k] = r->body[k].pose;
  zero_coordinates(r, q);
  nsds_robot_numbers(r, key, "qpos", nq, nq, q);
  nsds_robot_numbers(r, key, "qvel", nv, nv, v);
  bool controlled = nsds_robot_numbers(r, key, "ctrl", m->nactuator, m->nactuator, control) > 0;
  if (nsds_xml_get(key, "act") || nsds_xml_get(key, "mpos") || nsds_xml_get(key, "mquat"))
    nsds_robot_note(r, key, "act, mpos and mquat of a keyframe are left out");
  if (!r->failed) nsds_robot_move(r, key, q, v);
  move_frames(r, old, &m->bodies);
  move_frames(r, old, &m->sites);
  move_frames(r, old, &m->geoms);
  if (!r->failed && controlled) take_controls(m, control);
}

void nsds_mjcf_keyframes(nsds_mjcf *m) {
  nsds_robot *r = m->robot;
  const char *wanted = r->keyframe;
  nsds_name_list list;
  nsds_xml *key = r->failed ? NULL : find_key(m, wanted, &list);
  if (r->failed) return;
  if (key) start_at(m, key);
  else if (wanted)
    nsds_robot_fail(r, r->root, "there is no keyframe \"%.60s\"%s; the file has: %s", wanted,
                    list.did_you_mean, list.names);
}
