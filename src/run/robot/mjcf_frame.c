/*
 * Parts of MJCF by name, see mjcf_frame.h.
 */
#include "run/robot/mjcf_frame.h"

#include "base/text/format.h"
#include "base/text/name_list.h"
#include "base/text/words.h"

#include <string.h>

const nsds_mjcf_frame *nsds_mjcf_frame_of(const nsds_mjcf_frames *frames, const char *name) {
  for (int k = 0; name && k < frames->count; ++k)
    if (strcmp(frames->item[k].name, name) == 0) return &frames->item[k];
  return NULL;
}

void nsds_mjcf_add_frame(nsds_mjcf *m, nsds_mjcf_frames *frames, const nsds_xml *at,
                         const nsds_mjcf_frame *frame) {
  nsds_robot *r = m->robot;
  if (!frame->name || r->failed) return;
  if (nsds_mjcf_frame_of(frames, frame->name)) {
    nsds_robot_fail(r, at, "the name \"%.60s\" of a %s stands here for the second time",
                    frame->name, at->name);
    return;
  }
  nsds_robot_took(r, nsds_room(r->context, &frames->item, &frames->room, frames->count + 1,
                               sizeof *frames->item));
  if (!r->failed) frames->item[frames->count++] = *frame;
}

const char *nsds_mjcf_name(nsds_mjcf *m, nsds_xml *at) {
  const char *given = nsds_xml_get(at, "name");
  char text[100];
  if (!given || !m->suffix[0]) return given;
  nsds_print(text, sizeof text, "%.48s%.48s", given, m->suffix);
  return nsds_robot_text(m->robot, text);
}

int nsds_mjcf_joint_of(nsds_mjcf *m, nsds_xml *at, const char *key) {
  const char *given = nsds_xml_get(at, key);
  const char *name = given ? nsds_robot_name(m->robot, at, given) : NULL;
  int joint = nsds_robot_find_joint(m->robot, name);
  bool fine = joint >= 0 && (m->robot->joint[joint].kind == NSDS_ROBOT_HINGE ||
                             m->robot->joint[joint].kind == NSDS_ROBOT_SLIDE);
  if (joint < 0 && given && !m->robot->failed) {
    nsds_name_list list;
    nsds_name_list_begin(&list, given);
    for (int k = 0; k < m->robot->njoint; ++k) nsds_name_list_add(&list, m->robot->joint[k].name);
    nsds_robot_fail(m->robot, at,
                    "%s of <%s> is \"%.60s\", and there is no such joint%s; joints are: %s", key,
                    at->name, given, list.did_you_mean, list.names);
  }
  if (!fine && !m->robot->failed)
    nsds_robot_fail(m->robot, at,
                    "%s of <%s> is \"%.60s\"; valid are joints of type hinge and slide", key,
                    at->name, given ? given : "");
  return fine ? joint : -1;
}
