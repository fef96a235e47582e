/*
 * Robots in XML, see robot_file.h. The text becomes a tree of elements, then a robot, then the tree of
 * a model file. All goes on as if somebody had written that file. The name of the first
 * element tells URDF from MJCF.
 */
#include "run/robot/robot_file.h"

#include "base/text/words.h"
#include "run/model/model_file.h"
#include "run/robot/mjcf.h"
#include "run/robot/robot_document.h"
#include "run/robot/urdf.h"

#include <nsds/extend.h>

#include <string.h>

/* The tree of the model file of a robot; NULL after a failure. */
static nsds_yaml *document_of(nsds_robot *robot) {
  nsds_xml *root = robot->root;
  nsds_xml_use(root);
  if (strcmp(root->name, "robot") == 0) nsds_urdf_read(robot);
  else if (strcmp(root->name, "mujoco") == 0) nsds_mjcf_read(robot);
  else
    nsds_robot_fail(robot, root,
                    "the first element is <%.60s>; valid are <robot> of URDF and <mujoco> of MJCF",
                    root->name);
  if (!robot->failed) nsds_robot_note_unused(robot, robot->root);
  nsds_robot_tell_notes(robot);
  return nsds_robot_document(robot);
}

/* Takes the setting `keyframe`, which is no parameter of the model file, out of the definition. */
static void take_keyframe(nsds_robot *robot, nsds_job_def *def) {
  nsds_job_setting *rest =
      def->nsettings > 0 ? nsds_robot_memory(robot, (size_t)def->nsettings, sizeof *rest) : NULL;
  int count = 0;
  for (int k = 0; rest && k < def->nsettings; ++k) {
    if (strcmp(def->settings[k].name, "keyframe") == 0) robot->keyframe = def->settings[k].value;
    else rest[count++] = def->settings[k];
  }
  if (!rest) return;
  def->settings = rest;
  def->nsettings = count;
}

static nsds_status read_root(nsds_job *job, const nsds_job_def *given, nsds_xml *root,
                             const char *path) {
  nsds_robot robot;
  nsds_job_def def = *given;
  nsds_robot_begin(&robot, job, root, path);
  take_keyframe(&robot, &def);
  nsds_yaml *tree = document_of(&robot);
  nsds_status status = nsds_error(job->context);
  if (status) nsds_yaml_free(tree);
  else status = tree ? nsds_model_tree_read(job, &def, tree) : NSDS_ERROR_MEMORY;
  nsds_robot_free(&robot); /* names of included files stand in the tree */
  return status;
}

nsds_status nsds_robot_file_read(nsds_job *job, const nsds_job_def *def, const char *text,
                                 size_t size) {
  const char *path = job->sources.name;
  nsds_xml_error error;
  if (!nsds_xml_is_there())
    return nsds_report(job->context, NSDS_ERROR_UNSUPPORTED,
                       "%s: this library was built without libexpat, which reads robots", path);
  nsds_xml *root = nsds_xml_read(job->context, path, text, size, &error);
  if (!root && error.line == 0)
    return nsds_report(job->context, NSDS_ERROR_MEMORY, "%s: out of memory", path);
  if (!root)
    return nsds_report(job->context, NSDS_ERROR_FORMAT, "%s:%d:%d: %s", path, error.line,
                       error.column, error.text);
  nsds_status status = read_root(job, def, root, path);
  nsds_xml_free(root);
  return status;
}
