/*
 * Features of MJCF and URDF, each in a file of its own. What a feature has to become is written by hand: a part of
 * the model file, a value of a column at the start, a line of the report, or the message of a refusal.
 */
#include "run_test.h"

#include <stdarg.h>
#include <stdlib.h>

typedef enum check {
  HAS,   /* the model file has the text */
  LACKS, /* the model file does not have the text, and nothing is told */
  IS,    /* "column = value" at the start */
  TELLS, /* a warning has the text */
  FAILS  /* the message has the text */
} check;

typedef struct feature {
  const char *text;
  check check;
  const char *expected;
} feature;

/* ---- a file and what it becomes --------------------------------------------------------------- */

typedef struct written {
  size_t size;
  char text[100000];
} written;

static void keep(const char *piece, void *user) {
  written *w = user;
  size_t size = strlen(piece);
  assert_true(w->size + size < sizeof w->text);
  memcpy(w->text + w->size, piece, size + 1);
  w->size += size;
}

/* The model file of a job, without line breaks and with single blanks. */
static const char *model_file(const nsds_job *job) {
  static written w;
  size_t n = 0;
  w.size = 0;
  assert_int_equal(nsds_job_import(job, keep, &w), NSDS_OK);
  for (size_t k = 0; k < w.size; ++k) {
    bool blank = w.text[k] == '\n' || w.text[k] == ' ';
    if (!blank || (n > 0 && w.text[n - 1] != ' ')) w.text[n++] = blank ? ' ' : w.text[k];
  }
  w.text[n] = '\0';
  return w.text;
}

static int wrong = 0;

/* Counts a file that has become something else, so that a run shows all of them. */
static void tell(const char *format, ...) {
  va_list list;
  ++wrong;
  va_start(list, format);
  vfprintf(stderr, format, list);
  va_end(list);
  fputs("\n\n", stderr);
}

static void check_value(const nsds_job *job, const feature *f) {
  char name[80];
  double value;
  if (sscanf(f->expected, "%79s = %lf", name, &value) != 2) tell("%s", f->expected);
  for (int k = 0; k < nsds_job_column_count(job); ++k) {
    if (strcmp(nsds_job_column_name(job, k), name) != 0) continue;
    double error = fabs(nsds_job_row(job)[k] - value);
    if (!(error <= 1e-12 * (1.0 + fabs(value))))
      tell("%s\n%s is %.17g; expected %.17g", f->text, name, nsds_job_row(job)[k], value);
    return;
  }
  tell("%s\nthere is no column %s", f->text, name);
}

static bool is_told(const nsds_job *job, const char *text) {
  for (int k = 0; k < nsds_job_warning_count(job); ++k)
    if (strstr(nsds_job_warning(job, k), text)) return true;
  return false;
}

static void check_feature(const char *name, const feature *f, const char *keyframe) {
  nsds_context *context = nsds_context_create(NULL);
  const nsds_job_setting setting = {"keyframe", keyframe};
  nsds_job *job = nsds_job_create(context, &(nsds_job_def){.file = name,
                                                           .text = f->text,
                                                           .kind = NSDS_JOB_ROBOT,
                                                           .nsettings = keyframe != NULL,
                                                           .settings = &setting});
  const char *message = nsds_error_message(context);
  if (f->check == FAILS) {
    if (job) tell("%s\nis accepted", f->text);
    if (!strstr(message, f->expected) || strncmp(message, name, strlen(name)) != 0)
      tell("%s\n%s\nexpected: %s", f->text, message, f->expected);
  } else if (!job) {
    tell("%s\n%s", f->text, message);
  } else if (f->check == IS) {
    check_value(job, f);
  } else if (f->check == TELLS) {
    if (!is_told(job, f->expected))
      tell("%s\nis not told: %s; but %s", f->text, f->expected, nsds_job_warning(job, 0));
  } else {
    const char *model = model_file(job);
    if ((strstr(model, f->expected) != NULL) != (f->check == HAS))
      tell("%s\n%s\n%s: %s", f->text, model, f->check == HAS ? "expected" : "unexpected",
           f->expected);
    if (f->check == LACKS && nsds_job_warning_count(job) > 0)
      tell("%s\n%s", f->text, nsds_job_warning(job, 0));
  }
  nsds_job_destroy(job);
  nsds_context_destroy(context);
}

/* ---- MJCF ------------------------------------------------------------------------------------- */

#define MJ(words) "<mujoco>" words "</mujoco>"
#define IN_WORLD(words) "<worldbody>" words "</worldbody>"
#define MASS "<inertial pos=\"0 0 0\" mass=\"2\" diaginertia=\"1 1 1\"/>"
/* A body b on the joint j with more attributes; a free body; bodies a and b, each on a hinge. */
#define ON_JOINT(words) IN_WORLD("<body name=\"b\"><joint name=\"j\" " words "/>" MASS "</body>")
#define FREE(words) IN_WORLD("<body name=\"b\"><freejoint/>" words "</body>")
#define FREE_AT(place) IN_WORLD("<body name=\"b\" " place "><freejoint/>" MASS "</body>")
#define TWO                                                                                        \
  IN_WORLD("<body name=\"a\"><joint name=\"i\"/>" MASS "<site name=\"s\" pos=\"1 0 0\"/>"          \
           "<body name=\"b\" pos=\"1 0 0\"><joint name=\"j\"/>" MASS                               \
           "<site name=\"t\" pos=\"0 1 0\"/></body></body>")
#define BOX(words) "<geom type=\"box\" size=\"1 1 1\" " words "/>"
/* Two free boxes a and b with attributes of their geoms g and h. */
#define BOXES(of_g, of_h)                                                                          \
  IN_WORLD("<body name=\"a\"><freejoint/><geom name=\"g\" type=\"box\" size=\"1 1 1\" " of_g       \
           "/></body><body name=\"b\" pos=\"9 0 0\"><freejoint/><geom name=\"h\" type=\"box\" "    \
           "size=\"1 1 1\" " of_h "/></body>")
#define MOTOR(words) ON_JOINT("") "<actuator>" words "</actuator>"
#define SENSES(words) "<sensor>" words "</sensor>"
#define KEY(words) "<keyframe><key name=\"k\" " words "/></keyframe>"
/* A free body of mass 2 whose center is at (0, 0, 1) of its frame; a site at (1, 0, 0), turned by 90 degrees. */
#define SITED                                                                                      \
  FREE("<inertial pos=\"0 0 1\" mass=\"2\" diaginertia=\"1 1 1\"/>"                                \
       "<site name=\"s\" pos=\"1 0 0\" euler=\"0 0 90\"/>")
#define MOVING KEY("qpos=\"1 2 3 1 0 0 0\" qvel=\"1 2 3 4 5 6\"")

static const feature of_mjcf[] = {
    /* compiler */
    {MJ("<compiler angle=\"radian\"/>" ON_JOINT("range=\"-1 2\"")), HAS, "lower: -1, upper: 2"},
    {MJ("<compiler angle=\"degree\"/>" ON_JOINT("range=\"-90 180\"")), HAS,
     "lower: -1.5707963267948966, upper: 3.141592653589793"},
    {MJ(ON_JOINT("range=\"-90 180\"")), HAS, "lower: -1.5707963267948966"},
    {MJ("<compiler autolimits=\"false\"/>" ON_JOINT("range=\"-90 180\"")), LACKS, "lower"},
    {MJ("<compiler autolimits=\"false\"/>" ON_JOINT("limited=\"true\" range=\"-90 180\"")), HAS,
     "lower"},
    {MJ(ON_JOINT("limited=\"false\" range=\"-90 180\"")), LACKS, "lower"},
    {MJ(ON_JOINT("limited=\"auto\" range=\"-90 180\"")), HAS, "lower"},
    {MJ(ON_JOINT("limited=\"maybe\" range=\"-90 180\"")), FAILS, "valid are true, false and auto"},
    {MJ("<compiler inertiafromgeom=\"true\"/>" FREE(MASS BOX("mass=\"3\""))), HAS, "mass: 3 "},
    {MJ("<compiler inertiafromgeom=\"false\"/>" FREE(MASS BOX("mass=\"3\""))), HAS, "mass: 2 "},
    {MJ("<compiler inertiafromgeom=\"auto\"/>" FREE(BOX("mass=\"3\""))), HAS, "mass: 3 "},
    {MJ("<compiler inertiafromgeom=\"true\" inertiagrouprange=\"1 2\"/>" FREE(
         MASS BOX("mass=\"3\" group=\"0\"") BOX("mass=\"5\" group=\"2\""))),
     HAS, "mass: 5 "},
    {MJ("<compiler coordinate=\"global\"/>" ON_JOINT("")), FAILS, "valid is local"},
    {MJ("<compiler coordinate=\"local\"/>" ON_JOINT("")), LACKS, "coordinate:"},
    {MJ("<compiler eulerseq=\"XYZ\"/>" FREE_AT("euler=\"90 0 90\"")), HAS,
     "q0: [0, 0, 0, 0.5, 0.5, 0.5, 0.5"},
    {MJ("<compiler balanceinertia=\"true\"/>" ON_JOINT("")), TELLS,
     "test.xml:1:9: the attribute balanceinertia of <compiler> has no effect"},
    {MJ("<compiler settotalmass=\"3\"/>" ON_JOINT("")), TELLS, "settotalmass of <compiler>"},
    /* option, size, statistic, visual */
    {MJ("<option timestep=\"0.004\"/>" ON_JOINT("")), HAS, "h: 0.004"},
    {MJ("<option gravity=\"0 0 -2\"/>" ON_JOINT("")), HAS, "g: 2"},
    {MJ("<option gravity=\"1 0 -2\"/>" ON_JOINT("")), HAS, "gravity: [1, 0, -2]"},
    {MJ("<option gravity=\"0 0 0\"/>" ON_JOINT("")), LACKS, "gravity:"},
    {MJ("<option><flag gravity=\"disable\"/></option>" ON_JOINT("")), LACKS, "gravity:"},
    {MJ("<option><flag contact=\"disable\"/></option>" BOXES("", "")), LACKS, "contacts:"},
    {MJ("<option integrator=\"RK4\" solver=\"PGS\" iterations=\"9\"/>" ON_JOINT("")), LACKS, "RK4"},
    {MJ("<option wind=\"1 0 0\"/>" ON_JOINT("")), TELLS, "the attribute wind of <option>"},
    {MJ("<option timestep=\"-1\"/>" ON_JOINT("")), FAILS, "timestep is -1 s"},
    {MJ("<size njmax=\"9\"/><statistic extent=\"1\"/><visual><map znear=\"1\"/></visual>" ON_JOINT(
         "")),
     LACKS, "njmax"},
    {MJ("<custom><text name=\"a\" data=\"b\"/></custom>" ON_JOINT("")), TELLS,
     "<custom> has no effect"},
    {"<mujoco model=\"robot 7\">" ON_JOINT("") "</mujoco>", HAS, "name: robot 7"},
    /* defaults */
    {MJ("<default><joint damping=\"3\"/></default>" ON_JOINT("")), HAS, "damping: 3"},
    {MJ("<default><joint damping=\"3\"/></default>" ON_JOINT("damping=\"4\"")), HAS, "damping: 4"},
    {MJ("<default><default class=\"c\"><joint damping=\"3\"/></default></default>" ON_JOINT(
         "class=\"c\"")),
     HAS, "damping: 3"},
    {MJ("<default><default class=\"c\"><joint damping=\"3\"/></default></default>" ON_JOINT("")),
     TELLS, "test.xml:1:37: the attribute damping of <joint> has no effect"},
    {MJ("<default><joint damping=\"3\"/><default class=\"c\"><joint armature=\"2\"/></default>"
        "</default>" ON_JOINT("class=\"c\"")),
     HAS, "damping: 3, armature: 2"},
    {MJ("<default class=\"main\"><geom density=\"1\"/></default>" FREE(BOX(""))), HAS, "mass: 8 "},
    {MJ("<default><position kp=\"7\"/></default>" MOTOR("<position joint=\"j\"/>")), HAS,
     "stiffness: 7"},
    {MJ("<default><general gear=\"3\"/></default>" MOTOR("<position joint=\"j\"/>")), HAS,
     "stiffness: 9"},
    {MJ("<default><default class=\"a\"/><default class=\"a\"/></default>" ON_JOINT("")), FAILS,
     "the class \"a\" stands here and at"},
    {MJ("<default><mesh scale=\"2 2 2\"/></default><asset><mesh name=\"m\" vertex=\"0 0 0  1 0 0  "
        "0 "
        "1 0  0 0 1\"/></asset>" FREE(MASS "<geom type=\"mesh\" mesh=\"m\"/>")),
     HAS, "vertices: [[0, 0, 0], [2, 0, 0], [0, 2, 0], [0, 0, 2]]"},
    /* attitudes; of an element and its classes the nearest one counts, and quaternions come last */
    {MJ("<default><geom euler=\"0 0 180\"/></default>" FREE(MASS BOX("axisangle=\"1 0 0 180\""))),
     HAS, "quaternion: [0, 1, 0, 0]"},
    {MJ("<default><geom euler=\"0 0 180\"/></default>" FREE(MASS BOX("quat=\"0 1 0 0\""))), HAS,
     "quaternion: [0, 0, 0, 1]"},
    {MJ("<default><geom quat=\"0 1 0 0\"/><default class=\"c\"><geom axisangle=\"0 1 0 180\"/>"
        "</default></default>" FREE(MASS BOX("class=\"c\""))),
     HAS, "quaternion: [0, 0, 1, 0]"},
    {MJ("<default><geom zaxis=\"1 0 0\"/><default class=\"c\"><geom euler=\"180 0 0\"/>"
        "</default></default>" FREE(MASS BOX("class=\"c\""))),
     HAS, "quaternion: [0, 1, 0, 0]"},
    {MJ("<default><joint type=\"slide\"/></default>" ON_JOINT("")), HAS, "type: prismatic"},
    {MJ("<default><joint type=\"free\"/></default>" ON_JOINT("")), LACKS, "interactions:"},
    {MJ(FREE_AT("pos=\"1 2 3\"")), HAS, "q0: [1, 2, 3, 1, 0, 0, 0]"},
    {MJ(FREE_AT("quat=\"0 2 0 0\"")), HAS, "q0: [0, 0, 0, 0, 1, 0, 0]"},
    {MJ(FREE_AT("axisangle=\"0 1 0 180\"")), HAS, "0, 1, 0]"},
    {MJ(FREE_AT("xyaxes=\"0 1 0 -1 0 0\"")), HAS, "0.7071067811865476, 0, 0, 0.707106781186547"},
    {MJ(FREE_AT("zaxis=\"0 0 1\"")), HAS, "q0: [0, 0, 0, 1, 0, 0, 0]"},
    {MJ(FREE_AT("zaxis=\"0 0 -1\"")), HAS, "q0: [0, 0, 0, "},
    {MJ(FREE_AT("xyaxes=\"1 0 0 2 0 0\"")), FAILS, "the axes of xyaxes are parallel"},
    {MJ(FREE_AT("axisangle=\"0 0 0 90\"")), FAILS, "axisangle of <body> has the length 0"},
    {MJ(FREE_AT("pos=\"1 2\"")), FAILS, "pos of <body> has 2 numbers; valid is 3"},
    {MJ(FREE_AT("pos=\"1 nan 3\"")), FAILS, "valid are finite numbers"},
    /* bodies and inertials */
    {MJ(IN_WORLD(
         "<body name=\"b\"><freejoint/><inertial pos=\"1 0 0\" mass=\"2\" diaginertia=\"1 2 "
         "3\"/></body>")),
     HAS, "mass: 2 inertia: [[1, 0, 0], [0, 2, 0], [0, 0, 3]] q0: [1, 0, 0, 1"},
    {MJ(IN_WORLD(
         "<body name=\"b\"><freejoint/><inertial pos=\"0 0 0\" mass=\"2\" fullinertia=\"3 3 "
         "3 1 0 0\"/></body>")),
     HAS, "inertia: [[3, 1, 0], [1, 3, 0], [0, 0, 3]]"},
    {MJ(IN_WORLD("<body name=\"b\"><freejoint/><inertial pos=\"0 0 0\" quat=\"0 1 0 0\" mass=\"2\" "
                 "diaginertia=\"1 2 3\"/></body>")),
     HAS, "inertia: [[1, 0, 0], [0, 2, 0], [0, 0, 3]]"},
    {MJ(IN_WORLD("<body name=\"b\"><freejoint/>" MASS
                 "<body pos=\"2 0 0\"><inertial pos=\"0 0 0\" mass=\"2\" diaginertia=\"1 1 "
                 "1\"/></body></body>")),
     HAS, "mass: 4 inertia: [[2, 0, 0], [0, 6, 0], [0, 0, 6]] q0: [1, 0, 0"},
    {MJ(IN_WORLD(
         "<body name=\"b\"><freejoint/><inertial pos=\"0 0 0\" mass=\"-2\" diaginertia=\"1 1 "
         "1\"/></body>")),
     FAILS, "the mass is -2 kg"},
    {MJ(IN_WORLD(
         "<body name=\"b\"><freejoint/><inertial pos=\"0 0 0\" mass=\"2\" diaginertia=\"1 1 "
         "9\"/></body>")),
     FAILS, "no mass has a moment above the sum of the other two"},
    {MJ(IN_WORLD("<body name=\"c\" mocap=\"true\"/>") ON_JOINT("")), TELLS,
     "a mocap body stands still"},
    {MJ(IN_WORLD("<body name=\"b\" gravcomp=\"1\"><freejoint/>" MASS "</body>")), LACKS,
     "gravity:"},
    {MJ(IN_WORLD("<body name=\"b\" gravcomp=\"0.5\"><freejoint/>" MASS "</body>")), HAS,
     "gravity: [0, 0, -0.5*g]"},
    {MJ("<option gravity=\"0 3 0\"/>" IN_WORLD("<body name=\"b\" gravcomp=\"2\"><freejoint/>" MASS
                                               "</body>")),
     HAS, "gravity: [0, -3, 0]"},
    {MJ(IN_WORLD("<body name=\"b\" gravcomp=\"1\"><freejoint/>" MASS "<body name=\"c\">" MASS
                 "</body></body>")),
     TELLS, "gravcomp of a body without a joint is left out: that of b holds"},
    {MJ(IN_WORLD("<body><frame pos=\"1 0 0\" quat=\"0 0 0 1\"><joint name=\"j\" axis=\"1 0 0\" "
                 "pos=\"0 2 0\"/></frame>" MASS "</body>")),
     HAS, "relation: {type: hinge, point: [1, -2, 0], axis: [-1, 0, 0]}"},
    {MJ(IN_WORLD("<body>" MASS "<replicate count=\"2\"><joint/></replicate></body>")), FAILS,
     "a joint stands in <replicate>; valid is a joint in its body or in a <frame>"},
    {MJ("<default><material specular=\"1\"/><site group=\"4\"/><default class=\"c\"><position "
        "kp=\"3\"/></default></default>" IN_WORLD("<body><joint name=\"j\"/>" MASS
                                                  "<site/></body>")),
     TELLS, "the attribute kp of <position> has no effect"},
    {MJ(IN_WORLD(
         "<site name=\"u\" pos=\"0 0 3\"/><body><freejoint/>" MASS
         "<site name=\"w\"/></body>") "<tendon><spatial name=\"q\" stiffness=\"2\"><site "
                                      "site=\"u\"/><site site=\"w\"/></spatial>"
                                      "</tendon>" SENSES("<tendonpos name=\"p\" tendon=\"q\"/>")),
     IS, "p = 3"},
    {MJ(IN_WORLD("<site name=\"u\" pos=\"0 0 3\"/><body><freejoint/>" MASS
                 "<site name=\"w\"/></body>") "<tendon><spatial name=\"q\" range=\"0 4\"><site "
                                              "site=\"u\"/><site site=\"w\"/></spatial>"
                                              "</tendon>" SENSES("<tendonvel tendon=\"q\"/>")),
     TELLS, "<tendonvel> is left out: its tendon is no spring"},
    {MJ(IN_WORLD("<frame pos=\"1 0 0\"><frame pos=\"0 1 0\"><body><freejoint/>" MASS
                 "</body></frame></frame>")),
     HAS, "q0: [1, 1, 0, 1"},
    {MJ(IN_WORLD("<body><freejoint/>" MASS "</body><body><freejoint/>" MASS "</body>")), HAS,
     "body_2:"},
    {MJ(IN_WORLD("<body name=\"q1\"><freejoint/>" MASS "</body>")), HAS, "q1"},
    {MJ(IN_WORLD("<body name=\"left/foot.1\"><freejoint/>" MASS "</body>")), HAS, "left_foot_1:"},
    {MJ(IN_WORLD("<body name=\"x\"><joint name=\"x\"/>" MASS "</body>")), HAS,
     "interactions: x_joint: {systems: [x]"},
    {MJ(IN_WORLD("<body name=\"b\"><freejoint/>" MASS "<camera name=\"c\"/><light "
                 "name=\"l\"/></body>")),
     LACKS, "camera"},
    {MJ(IN_WORLD(
         "<replicate count=\"3\" offset=\"1 0 0\" euler=\"0 0 90\"><body name=\"b\" pos=\"0 0 "
         "5\"><freejoint/>" MASS "</body></replicate>")),
     HAS,
     "b2: type: rigid_body mass: 2 inertia: [[1, 0, 0], [0, 1, 0], [0, 0, 1]] q0: [1, 1, 5, 0, 0, "
     "0, 1]"},
    {MJ(IN_WORLD("<replicate count=\"10\" sep=\"-\"><body name=\"b\"><freejoint/>" MASS
                 "</body></replicate>")),
     HAS, "b_09:"},
    {MJ(IN_WORLD("<replicate count=\"2\"><replicate count=\"3\"><body name=\"b\"><freejoint/>" MASS
                 "</body></replicate></replicate>")),
     HAS, "b21:"},
    {MJ(FREE("<replicate count=\"2\" offset=\"4 0 0\">" BOX("mass=\"3\"") "</replicate>")), HAS,
     "mass: 6 inertia: [[4, 0, 0], [0, 28, 0], [0, 0, 28]] q0: [2, 0, 0"},
    {MJ(IN_WORLD("<replicate count=\"2\"><body><freejoint/>" MASS
                 "<site name=\"s\"/></body></replicate>") SENSES("<gyro name=\"p\" site=\"s1\"/>")),
     HAS, "s1_imu:"},
    {MJ(IN_WORLD("<replicate count=\"0\"><body/></replicate>") ON_JOINT("")), FAILS,
     "count of <replicate> is 0; valid are 1 to 10000"},
    {MJ(IN_WORLD("<replicate count=\"9999\"><replicate count=\"9999\"/></replicate>") ON_JOINT("")),
     FAILS, "the file has more than 10000 copies by <replicate>"},
    /* joints */
    {MJ(ON_JOINT("axis=\"0 3 4\"")), HAS, "type: hinge, point: [0, 0, 0], axis: [0, 0.6, 0.8]"},
    {MJ(ON_JOINT("type=\"slide\" pos=\"1 2 3\"")), HAS,
     "type: prismatic, point: [1, 2, 3], axis: [0, 0, 1]"},
    {MJ(ON_JOINT("type=\"ball\"")), HAS, "relation: {type: ball, point: [0, 0, 0]}"},
    {MJ(ON_JOINT("type=\"ball\" range=\"0 60\"")), HAS,
     "j_limit: systems: [b] relation: type: lagrangian output: [(2.3094010767585034)*(((1)*q4)^2 "
     "- "},
    {MJ(ON_JOINT("type=\"ball\" range=\"0 60\" limited=\"false\"")), LACKS, "j_limit"},
    {MJ(ON_JOINT("type=\"ball\" range=\"10 60\"")), FAILS, "valid is range=\"0 ANGLE\""},
    {MJ(ON_JOINT("type=\"ball\" stiffness=\"3\" damping=\"2\"")), HAS,
     "output: [\"lambda[0] + 3*s1*turn + 2*w0\", \"lambda[1] + 3*s2*turn + 2*w1\", \"lambda[2] + "
     "3*s3*turn + 2*w2\"]"},
    {MJ(ON_JOINT("type=\"ball\" frictionloss=\"3\"")), HAS,
     "law: {type: relay, lower: [-3, -3, -3], upper: [3, 3, 3]}"},
    {MJ(ON_JOINT("type=\"ball\" armature=\"3\"")), HAS,
     "inertia: [[4, 0, 0], [0, 4, 0], [0, 0, 4]]"},
    {MJ(IN_WORLD("<body><joint/>" MASS "<body><joint type=\"ball\" armature=\"3\"/>" MASS
                 "</body></body>")),
     TELLS, "armature of a ball joint is left out where the parent of its body moves"},
    {MJ(IN_WORLD("<body><joint type=\"ball\" damping=\"3\"/>" MASS "<site name=\"s\"/></body>")
            SENSES("<torque site=\"s\"/>")),
     TELLS, "its ball joint has a spring, a damper, friction or armature"},
    {MJ(ON_JOINT("type=\"ball\" stiffness=\"3\"") SENSES("<e_potential/>")), TELLS,
     "<e_potential> is left out: a ball joint has a spring"},
    {MJ(IN_WORLD("<body name=\"b\"><joint type=\"free\"/>" MASS "</body>")), LACKS, "interactions"},
    {MJ(IN_WORLD("<body name=\"b\"><joint type=\"free\" armature=\"3\"/>" MASS "</body>")), TELLS,
     "armature of a free joint is left out"},
    {MJ("<default><joint damping=\"3\"/></default>" FREE_AT("")), TELLS,
     "the attribute damping of <joint> has no effect"},
    {MJ(IN_WORLD("<body name=\"b\"><freejoint align=\"true\"/>" MASS "</body>")), TELLS,
     "align of a free joint is left out"},
    {MJ(ON_JOINT("stiffness=\"3\" springref=\"90\"")), HAS,
     "stiffness: 3, rest: 1.5707963267948966"},
    {MJ(ON_JOINT("frictionloss=\"3\"")), HAS, "acts: {friction: 3}"},
    {MJ(ON_JOINT("armature=\"0.3\"")), HAS, "acts: {armature: 0.3}"},
    {MJ(ON_JOINT("ref=\"90\" range=\"0 180\"")), HAS, "offset: 1.5707963267948966"},
    {MJ(ON_JOINT("ref=\"90\"")), IS, "j.angle = 1.5707963267948966"},
    {MJ(ON_JOINT("type=\"slide\" range=\"-90 180\"")), HAS, "lower: -90, upper: 180"},
    {MJ(ON_JOINT("actuatorfrcrange=\"-3 3\"") "<actuator><motor joint=\"j\"/></actuator>"), HAS,
     "most: 3"},
    {MJ(ON_JOINT("damping=\"-1\"")), FAILS, "stiffness, damping, frictionloss and armature"},
    {MJ(ON_JOINT("range=\"1 0\"")), FAILS, "LOWER < UPPER"},
    {MJ(ON_JOINT("springdamper=\"1 1\"")), TELLS, "the attribute springdamper of <joint>"},
    {MJ(IN_WORLD("<body name=\"b\"><joint name=\"i\"/><joint name=\"j\" axis=\"0 1 0\"/>" MASS
                 "</body>")),
     TELLS, "the body has 2 joints; between each two stands a body of a millionth of its mass"},
    {MJ(IN_WORLD("<body name=\"b\"><joint name=\"i\"/><joint name=\"j\" axis=\"0 1 0\"/>" MASS
                 "</body>")),
     HAS,
     "b_1: type: rigid_body mass: 2e-06 inertia: [[1e-06, 0, 0], [0, 1e-06, 0], [0, 0, 1e-06]]"},
    {MJ(IN_WORLD("<body name=\"b\"><joint name=\"i\"/><joint name=\"j\" axis=\"0 1 0\"/>" MASS
                 "</body>")),
     HAS, "b: type: rigid_body mass: 1.999998 inertia: [[0.999999, 0, 0]"},
    /* geoms */
    {MJ(FREE("<geom size=\"0.5\" mass=\"1\"/>")), HAS, "{type: sphere, radius: 0.5}"},
    {MJ(FREE(BOX("mass=\"1\" pos=\"0 0 1\""))), HAS, "shapes: [{type: box, half: [1, 1, 1]}]"},
    {MJ(FREE("<geom type=\"capsule\" size=\"0.5 2\" mass=\"1\"/>")), HAS,
     "type: capsule radius: 0.5 half: 2"},
    {MJ(FREE("<geom type=\"cylinder\" size=\"0.5 2\" mass=\"1\"/>")), HAS,
     "type: cylinder radius: 0.5 half: 2"},
    {MJ(FREE("<geom type=\"ellipsoid\" size=\"1 2 3\" mass=\"1\"/>")), HAS,
     "{type: ellipsoid, half: [1, 2, 3]}"},
    {MJ(FREE("<geom type=\"box\" size=\"1 2\" fromto=\"0 0 0 0 0 8\" mass=\"1\"/>")), HAS,
     "half: [1, 1, 4]"},
    {MJ(FREE("<geom type=\"capsule\" size=\"1\" fromto=\"0 0 0 0 0 0\" mass=\"1\"/>")), FAILS,
     "fromto has the length 0"},
    {MJ(FREE("<geom size=\"1\" density=\"3\"/>")), HAS, "mass: 12.566370614359"},
    {MJ(FREE(MASS "<geom size=\"1\" mass=\"0\"/>")), HAS, "mass: 2 "},
    {MJ(FREE("<geom size=\"1\" mass=\"0\"/>")), FAILS, "the body moves and has no mass"},
    {MJ(IN_WORLD("<geom type=\"plane\" size=\"1 1 1\" pos=\"0 0 2\"/>") BOXES("", "")), HAS,
     "scenery: [{type: half_space, normal: [0, 0, 1], offset: 2}]"},
    {MJ(IN_WORLD("<geom type=\"plane\" size=\"1 1 1\" zaxis=\"1 0 0\"/>") BOXES("", "")), HAS,
     "type: half_space, normal: [1"},
    {MJ(BOXES("friction=\"0.3\"", "")), HAS, "materials: [{mu: 0.3}, {mu: 1}], mix: max"},
    {MJ(BOXES("condim=\"1\"", "")), HAS, "materials: [{mu: 0}, {mu: 1}]"},
    {MJ(BOXES("condim=\"6\" friction=\"1 0.1 0.2\"", "")), HAS, "mu_rolling: 0.2"},
    {MJ(BOXES("condim=\"4\"", "")), TELLS, "condim is 4: friction against spin is left out"},
    {MJ(BOXES("solref=\"0.02 1\"", "")), LACKS, "e_n"},
    {MJ(BOXES("solref=\"-100 0\"", "")), HAS, "mu: 1, e_n: 1}"},
    {MJ(BOXES("margin=\"0.1\" gap=\"0.02\"", "")), HAS, "half: [1, 1, 1], radius: 0.08"},
    {MJ(BOXES("rgba=\"1 0.5 0.25 1\"", "")), HAS, "color: [1, 0.5, 0.25]"},
    {MJ("<asset><material name=\"m\" rgba=\"0.5 0.5 1 1\"/></asset>" BOXES("material=\"m\"", "")),
     HAS, "color: [0.5, 0.5, 1]"},
    {MJ(BOXES("contype=\"0\" conaffinity=\"0\"", "")), HAS, "drawn_only: true"},
    {MJ(BOXES("group=\"3\"", "group=\"2\"")), HAS, "hidden: true}] b: type: rigid_body mass: 8000"},
    {MJ(BOXES("rgba=\"1 1 1 0\"", "")), HAS, "hidden: true"},
    {MJ(BOXES("group=\"2\" rgba=\"1 1 1 0.1\"", "")), LACKS, "hidden"},
    {MJ(BOXES("contype=\"2\" conaffinity=\"2\"", "")), HAS, "exclude: [{bodies: [b, a]}]"},
    {MJ(BOXES("contype=\"2\" conaffinity=\"1\"", "contype=\"1\" conaffinity=\"0\"")), LACKS,
     "exclude"},
    {MJ(BOXES("type=\"cube\"", "")), FAILS, "duplicate attribute"},
    {MJ("<asset><mesh name=\"m\" vertex=\"0 0 0 1 0 0 0 1 0 0 0 1\"/></asset>" FREE(
         MASS "<geom type=\"box\" size=\"1 1 1\" mesh=\"m\"/>")),
     FAILS, "a geom of type box has a mesh to be fitted to"},
    {MJ(FREE("<geom type=\"sdf\"/>")), FAILS, "the type of a geom is \"sdf\""},
    {MJ("<asset><mesh name=\"m\" vertex=\"0 0 0 1 0 0 0 1 0 0 0 1\"/></asset>" FREE(
         MASS "<geom type=\"mesh\" mesh=\"m\"/>")),
     HAS, "{type: hull, vertices: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]}"},
    {MJ("<asset><mesh name=\"m\" vertex=\"0 0 0 1 0 0 0 1 0\"/></asset>" FREE(
         MASS "<geom type=\"mesh\" mesh=\"m\"/>")),
     FAILS, "vertex of <mesh> has 9 numbers"},
    {MJ("<asset><mesh name=\"m\" vertex=\"0 0 0 1 0 0 0 1 0 0 0 1\" face=\"0 2 1 0 1 3 0 3 2 1 2 "
        "3\"/></asset>" FREE("<geom type=\"mesh\" mesh=\"m\"/>")),
     HAS, "mass: 166.66666666666"},
    {MJ("<asset><mesh name=\"m\" vertex=\"0 0 0 1 0 0 0 1 0 0 0 1\" face=\"0 1 4\"/></asset>" FREE(
         "<geom type=\"mesh\" mesh=\"m\"/>")),
     FAILS, "face has 3 numbers, and number 3 is 4; valid are 3 for each face, from 0 to 3"},
#if NSDS_HAVE_QHULL /* points alone have the faces of their hull */
    {MJ("<asset><mesh name=\"m\" vertex=\"0 0 0 1 0 0 0 1 0 0 0 1 0.2 0.2 0.2\"/></asset>" FREE(
         "<geom type=\"mesh\" mesh=\"m\"/>")),
     HAS, "mass: 166.66666666666"},
    {MJ("<asset><mesh name=\"m\" vertex=\"0 0 0 1 0 0 0 1 0 1 1 0\"/></asset>" FREE(
         "<geom type=\"mesh\" mesh=\"m\"/>")),
     FAILS, "the mesh has the volume 0"},
#endif
    {MJ("<asset><mesh file=\"missing.stl\"/></asset>" FREE(
         MASS "<geom type=\"mesh\" mesh=\"missing\"/>")),
     FAILS, "the mesh \"missing.stl\" cannot be read"},
    {MJ("<asset><hfield name=\"f\" nrow=\"2\" ncol=\"3\" size=\"3 2 1 0.1\" elevation=\"4 1 2 0 1 "
        "2\"/></asset>" IN_WORLD("<geom type=\"hfield\" hfield=\"f\"/>") BOXES("", "")),
     HAS, "{type: height_field, half: [3, 2], heights: [[0, 0.25, 0.5], [1, 0.25, 0.5]]}"},
    {MJ("<asset><hfield name=\"f\" nrow=\"1\" ncol=\"3\" size=\"3 2 1 0.1\" elevation=\"4 1 2\"/>"
        "</asset>" IN_WORLD("<geom type=\"hfield\" hfield=\"f\"/>") BOXES("", "")),
     FAILS, "the height field has 1 rows and 3 columns; valid are 2 to 1000 each"},
    {MJ("<asset><hfield name=\"f\" nrow=\"2\" ncol=\"3\" size=\"3 2 1 0.1\"/></asset>" IN_WORLD(
         "<geom type=\"hfield\" hfield=\"f\"/>") BOXES("", "")),
     FAILS, "a height field needs size, and a file or nrow, ncol and elevation"},
    {MJ("<asset><hfield name=\"f\" file=\"a.png\" size=\"3 2 1 0.1\"/></asset>" IN_WORLD(
         "<geom type=\"hfield\" hfield=\"f\"/>") BOXES("", "")),
     FAILS, "the height field a.png cannot be read"},
    {MJ("<asset><texture name=\"t\" type=\"2d\" file=\"a.png\"/></asset>" ON_JOINT("")), LACKS,
     "png"},
    /* contacts */
    {MJ(BOXES("", "") "<contact><exclude body1=\"a\" body2=\"b\"/></contact>"), HAS,
     "exclude: [{bodies: [a, b]}]"},
    {MJ(BOXES("", "") "<contact><exclude body1=\"a\" body2=\"world\"/></contact>"), LACKS,
     "exclude"},
    {MJ(BOXES("", "") "<contact><exclude body1=\"a\" body2=\"c\"/></contact>"), FAILS,
     "there is no body \"c\""},
    {MJ(BOXES(
         "contype=\"0\" conaffinity=\"0\"",
         "contype=\"0\" conaffinity=\"0\"") "<contact><pair geom1=\"g\" geom2=\"h\"/></contact>"),
     LACKS, "drawn_only"},
    {MJ(BOXES("", "") "<contact><exclude body1=\"a\" body2=\"b\"/><pair geom1=\"g\" "
                      "geom2=\"h\"/></contact>"),
     LACKS, "exclude"},
    {MJ(BOXES("", "") "<contact><pair geom1=\"g\" geom2=\"h\" friction=\"0.25\"/></contact>"), HAS,
     "materials: [{mu: 1}, {mu: 1}] mix: max material_pairs: [{materials: [0, 1], mu: 0.25, e_n: "
     "0}]"},
    {MJ(BOXES("", "") "<contact><pair geom1=\"g\" geom2=\"h\" friction=\"1\"/></contact>"), LACKS,
     "material_pairs"},
    {MJ(BOXES("", "") "<contact><pair geom1=\"g\" geom2=\"h\" condim=\"1\"/></contact>"), HAS,
     "material_pairs: [{materials: [0, 1], mu: 0, e_n: 0}]"},
    {MJ(BOXES("", "") "<contact><pair geom1=\"g\" geom2=\"h\" condim=\"6\" friction=\"1 1 0.1 "
                      "0.2 0.2\"/></contact>"),
     HAS, "{materials: [0, 1], mu: 1, mu_rolling: 0.2, e_n: 0}"},
    {MJ(BOXES("", "") "<contact><pair geom1=\"g\" geom2=\"h\" solref=\"-100 0\"/></contact>"), HAS,
     "{materials: [0, 1], mu: 1, e_n: 1}"},
    {MJ("<default><pair friction=\"0.25\"/></default>" BOXES(
         "", "") "<contact><pair geom1=\"g\" geom2=\"h\"/></contact>"),
     HAS, "{materials: [0, 1], mu: 0.25, e_n: 0}"},
    {MJ(BOXES("", "") "<contact><pair geom1=\"g\" geom2=\"h\" friction=\"1 0.5\"/></contact>"),
     TELLS, "friction of the pair has two directions"},
    {MJ(BOXES("", "") "<contact><pair geom1=\"g\" geom2=\"h\" friction=\"-1\"/></contact>"), FAILS,
     "friction has the numbers -1 and 0.0001"},
    {MJ(BOXES("", "") "<contact><pair geom1=\"g\" geom2=\"h\" margin=\"1\"/></contact>"), TELLS,
     "margin of the pair is left out"},
    /* two geoms: the larger condim and friction, unless the priority of one is higher */
    {MJ(BOXES("condim=\"1\" friction=\"0.8\"", "friction=\"0.5\"")), HAS,
     "materials: [{mu: 0}, {mu: 0.5}] mix: max material_pairs: [{materials: [0, 1], mu: 0.8"},
    {MJ(BOXES("friction=\"0.3\" priority=\"1\"", "")), HAS, "{materials: [0, 1], mu: 0.3, e_n: 0}"},
    {MJ(BOXES("friction=\"0.3\"", "priority=\"1\"")), LACKS, "material_pairs"},
    {MJ(BOXES("solref=\"0.02 0.25\" solmix=\"3\"", "solref=\"0.02 0.45\"")), HAS,
     "material_pairs: [{materials: [0, 1], mu: 1, e_n: 0.372"},
    {MJ(BOXES("", "") "<contact><pair geom1=\"g\" geom2=\"k\"/></contact>"), FAILS,
     "there is no geom \"k\""},
    {MJ(IN_WORLD(
         "<body name=\"a\"><joint/>" BOX("") "<body name=\"b\"><joint/>" BOX("") "</body></body>")),
     HAS, "exclude: [{bodies: [b, a]}]"},
    /* equalities and tendons */
    {MJ(TWO "<equality><connect body1=\"b\" anchor=\"0 0 0\"/></equality>"), HAS,
     "equality_3: {systems: [b], relation: {type: ball, point: [1, 0, 0]}}"},
    {MJ(TWO "<equality><weld name=\"w\" body1=\"b\"/></equality>"), HAS,
     "w: {systems: [b], relation: {type: fixed, point: [1, 0, 0]}}"},
    {MJ(TWO "<equality><weld body1=\"b\" active=\"false\"/></equality>"), LACKS, "fixed"},
    {MJ(TWO "<equality><connect site1=\"s\" site2=\"t\"/></equality>"), FAILS,
     "the sites are apart at the start"},
    {MJ(TWO "<equality><joint joint1=\"i\" joint2=\"j\" polycoef=\"0 3 0 0 0\"/></equality>"), HAS,
     "weight: -3"},
    {MJ(TWO "<equality><joint joint1=\"i\"/></equality>"), HAS,
     "type: coupler terms: [{coordinate: angle, of: [1], weight: 1, "},
    {MJ(TWO "<equality><joint joint1=\"i\" joint2=\"j\" polycoef=\"0 0 1 0 0\"/></equality>"),
     FAILS, "polycoef has powers above 1"},
    {MJ(TWO "<equality><connect body1=\"b\" body2=\"b\" anchor=\"0 0 0\"/></equality>"), FAILS,
     "both bodies are one"},
    {MJ(TWO "<tendon><fixed name=\"f\"><joint joint=\"i\" coef=\"2\"/><joint joint=\"j\" "
            "coef=\"-5\"/></fixed></tendon><equality><tendon tendon1=\"f\"/></equality>"),
     HAS, "weight: -5"},
    {MJ(TWO "<tendon><fixed name=\"f\" stiffness=\"3\"><joint joint=\"i\" "
            "coef=\"2\"/></fixed></tendon>"),
     TELLS, "stiffness of a fixed tendon is left out"},
    {MJ(TWO "<equality><tendon tendon1=\"f\"/></equality>"), FAILS,
     "there is no fixed tendon \"f\""},
    {MJ(TWO "<tendon><spatial name=\"f\" stiffness=\"3\" damping=\"4\"><site site=\"s\"/><site "
            "site=\"t\"/></spatial></tendon>"),
     HAS,
     "f_spring: systems: [a, b] relation: type: spring point: [1, 0, 0] other: [1, 1, 0] "
     "stiffness: 3 damping: 4 length: 1"},
    {MJ(TWO
        "<tendon><spatial name=\"f\" stiffness=\"3\" springlength=\"0.5\"><site site=\"s\"/><site "
        "site=\"t\"/></spatial></tendon>"),
     HAS, "length: 0.5"},
    {MJ(IN_WORLD(
         "<site name=\"s\" pos=\"2 0 0\"/><body name=\"b\"><joint springref=\"180\"/>" MASS
         "<site name=\"t\" pos=\"1 0 0\"/></body>") "<tendon><spatial name=\"f\" "
                                                    "stiffness=\"3\"><site site=\"s\"/><site "
                                                    "site=\"t\"/></spatial></tendon>"),
     HAS, "length: 3"},
    {MJ(TWO "<tendon><spatial name=\"f\" range=\"0 2\"><site site=\"s\"/><site "
            "site=\"t\"/></spatial></tendon>"),
     HAS,
     "f_rope: systems: [a, b] relation: {type: rope, point: [1, 0, 0], other: [1, 1, 0], length: "
     "2} "
     "law: {type: newton_impact}"},
    {MJ("<default><tendon stiffness=\"3\"/></default>" TWO
        "<tendon><fixed name=\"f\"><joint joint=\"i\" coef=\"2\"/></fixed></tendon>"),
     TELLS, "stiffness of a fixed tendon is left out"},
    {MJ(TWO "<equality><weld name=\"w\" body1=\"b\"/><joint name=\"w\" joint1=\"i\"/></equality>"),
     HAS, "w_equality:"},
    {MJ(TWO
        "<equality><joint name=\"w\" joint1=\"j\"/><joint name=\"w\" joint1=\"i\"/></equality>"),
     FAILS, "an equality is called w here and at test.xml:1"},
    {MJ(TWO "<tendon><spatial><site site=\"s\"/><pulley divisor=\"2\"/><site "
            "site=\"t\"/></spatial></tendon>"),
     TELLS, "test.xml:1:"},
    {MJ(TWO "<tendon><spatial><site site=\"s\"/><pulley divisor=\"2\"/><site "
            "site=\"t\"/></spatial></tendon>"),
     TELLS, "valid are two sites and a straight line between them"},
    {MJ(TWO "<tendon><spatial><site site=\"s\"/><site site=\"u\"/></spatial></tendon>"), FAILS,
     "there is no site \"u\""},
    /* actuators */
    {MJ(MOTOR("<motor joint=\"j\"/>")), HAS, "acts: {drive: {}}"},
    {MJ(MOTOR("<motor joint=\"j\" gear=\"3\" ctrlrange=\"-2 2\"/>")), HAS, "most: 6"},
    {MJ(MOTOR("<motor joint=\"j\" forcerange=\"-2 2\"/>")), HAS, "most: 2"},
    {MJ(MOTOR("<motor joint=\"j\" forcerange=\"-2 3\"/>")), TELLS, "forcerange is not symmetric"},
    {MJ(MOTOR("<position joint=\"j\" kp=\"5\" kv=\"2\"/>")), HAS, "{stiffness: 5, damping: 2}"},
    {MJ(MOTOR("<position joint=\"j\" kp=\"5\" gear=\"2\"/>")), HAS, "{stiffness: 20}"},
    {MJ(MOTOR("<velocity joint=\"j\" kv=\"5\"/>")), HAS, "drive: {damping: 5}"},
    {MJ(MOTOR("<general joint=\"j\" gainprm=\"5\" biastype=\"affine\" biasprm=\"1 -5 -2\"/>")), HAS,
     "drive: {stiffness: 5, damping: 2, force: 1}"},
    {MJ(MOTOR("<general joint=\"j\" dyntype=\"filter\"/>")), TELLS,
     "the actuator <general> is left out"},
    {MJ(MOTOR("<position joint=\"j\" kp=\"4\" dampratio=\"0.5\"/>")), HAS,
     "{stiffness: 4, damping: 2}"}, /* the inertia is 1 */
    {MJ(MOTOR("<position joint=\"j\" kp=\"4\" dampratio=\"0.5\" gear=\"2\"/>")), HAS,
     "{stiffness: 16, damping: 4}"},
    {MJ(MOTOR("<general joint=\"j\" gainprm=\"4\" biastype=\"affine\" biasprm=\"0 -4 0.5\"/>")),
     HAS, "{stiffness: 4, damping: 2}"},
    {MJ(MOTOR("<general joint=\"j\" biastype=\"affine\" biasprm=\"0 5 0\"/>")), FAILS,
     "the actuator has the stiffness -5"},
    {MJ(MOTOR("<motor joint=\"j\"/><position joint=\"j\" kp=\"2\"/>")), TELLS,
     "the joint has several actuators"},
    {MJ(MOTOR("<damper joint=\"j\" kv=\"2\" ctrlrange=\"0 1\"/>")), TELLS,
     "the actuator <damper> is left out"},
    {MJ(TWO "<tendon><fixed name=\"f\"><joint joint=\"i\" coef=\"2\"/><joint joint=\"j\" "
            "coef=\"-5\"/></fixed></tendon><equality><joint joint1=\"j\" joint2=\"i\" polycoef=\"0 "
            "0.5\"/>"
            "</equality><actuator><position tendon=\"f\" kp=\"8\"/></actuator>"),
     HAS, "drive: {stiffness: 2}"},
    {MJ(TWO "<tendon><fixed name=\"f\"><joint joint=\"i\" coef=\"2\"/><joint joint=\"j\" "
            "coef=\"-5\"/></fixed></tendon><actuator><position tendon=\"f\" kp=\"8\"/></actuator>"),
     TELLS, "or of a fixed tendon whose joints follow its first one"},
    {MJ(MOTOR("<muscle joint=\"j\"/>")), TELLS, "the actuator <muscle> is left out"},
    {MJ(MOTOR("<adhesion body=\"b\"/>")), TELLS, "the actuator <adhesion> is left out"},
    {MJ(MOTOR("<motor joint=\"q\"/>")), FAILS, "joint of <motor> is \"q\""},
    /* keyframes: 90 degrees about z, then 0.5 of the control */
    /* sensors; the body of SITED moves with (1, 2, 3) and turns with (4, 5, 6) at its frame */
    {MJ("<option magnetic=\"1 0 0\"/>" SITED SENSES("<magnetometer name=\"p\" site=\"s\"/>")), IS,
     "p_y = -1"},
    {MJ(SITED SENSES("<accelerometer name=\"p\" site=\"s\"/>")), HAS, "name: p_z"},
    {MJ(IN_WORLD("<body gravcomp=\"1\"><freejoint/>" MASS "<site name=\"s\"/></body>")
            SENSES("<accelerometer site=\"s\"/>")),
     TELLS, "<accelerometer> is left out: its body has gravcomp"},
    {MJ(IN_WORLD("<body name=\"a\"><joint/>" MASS
                 "<site name=\"s\"/><body gravcomp=\"1\"><joint/>" MASS "</body></body>")
            SENSES("<torque site=\"s\"/>")),
     TELLS, "<torque> is left out: its body, or one that hangs on it, has gravcomp"},
    {MJ(SITED SENSES("<touch name=\"p\" site=\"s\"/>")), HAS,
     "s_touch: type: touch body: b point: [1, 0, -1] quaternion: [0.7071067811865476, 0, 0, "
     "0.7071067811865475] zone: sphere radius: 0.005"},
    {MJ(SITED SENSES("<touch name=\"p\" site=\"s\"/>")), LACKS, "axes: body"},
    {MJ(FREE(MASS "<site name=\"s\" type=\"capsule\" size=\"1\" fromto=\"0 0 0 4 0 0\"/>")
            SENSES("<touch name=\"p\" site=\"s\"/>")),
     HAS, "point: [2, 0, 0]"},
    {MJ(FREE(MASS "<site name=\"s\" type=\"box\" size=\"1 2 3\"/>")
            SENSES("<touch name=\"p\" site=\"s\"/>")),
     HAS, "zone: box, half: [1, 2, 3]"},
    {MJ(FREE(MASS "<body><site name=\"s\"/></body>") SENSES("<touch name=\"p\" site=\"s\"/>")),
     TELLS, "fixed to b; <touch> counts contacts of both"},
    {MJ(FREE(MASS "<site name=\"s\" type=\"mesh\"/>")), FAILS,
     "the type of a site is \"mesh\"; valid are sphere, capsule"},
    {MJ(FREE(MASS "<site name=\"s\" size=\"-1\"/>")), FAILS, "size has the number -1"},
    {MJ(SITED SENSES("<clock name=\"p\"/>")), IS, "p = 0"},
    {MJ(ON_JOINT("") SENSES("<ballquat joint=\"j\"/>")), FAILS, "valid are joints of type ball"},
    {MJ(MOTOR("<motor name=\"m\" joint=\"j\" gear=\"2\"/>")
            SENSES("<actuatorfrc name=\"p\" actuator=\"m\"/>")),
     HAS, "j.drive.lambda[0]/(2)"},
    {MJ(ON_JOINT("") SENSES("<jointactuatorfrc joint=\"j\"/>")), TELLS,
     "the joint has no actuator"},
    {MJ(MOTOR("<motor name=\"m\" joint=\"j\"/><motor name=\"n\" joint=\"j\"/>")
            SENSES("<actuatorfrc name=\"p\" actuator=\"m\"/>")),
     TELLS, "<actuatorfrc> is left out: the joint has several actuators in one drive"},
    {MJ(IN_WORLD("<body><joint type=\"ball\" name=\"j\"/>" MASS
                 "</body>") "<actuator><motor joint=\"j\" gear=\"1 0 0\"/></actuator>"),
     TELLS, "the actuator <motor> is left out"},
    {MJ(IN_WORLD("<body><frame><freejoint name=\"j\"/></frame>" MASS
                 "</body>") "<actuator><motor joint=\"j\"/></actuator>"),
     TELLS, "the actuator <motor> is left out"},
    {MJ(MOTOR("<muscle name=\"m\" joint=\"j\"/>") SENSES("<actuatorpos actuator=\"m\"/>")), TELLS,
     "its actuator has no effect"},
    {MJ(TWO SENSES("<force name=\"p\" site=\"t\"/>")), HAS,
     "t_force: {type: joint_force, joint: j, body: "},
    {MJ(TWO SENSES("<torque name=\"p\" site=\"t\"/>")), HAS,
     "{name: p_z, value: \"t_force.value[5]\""},
    {MJ(SITED SENSES("<force name=\"p\" site=\"s\"/>")), TELLS,
     "valid is a site of a body with a joint"},
    {MJ(IN_WORLD("<body><joint/>" MASS "<body><frame><site name=\"s\"/></frame></body></body>")
            SENSES("<force site=\"s\"/>")),
     TELLS, "valid is a site of a body with a joint"},
    {MJ(SITED SENSES("<torque site=\"s\"/>")), TELLS, "<torque> is left out: valid is a site"},
    {MJ(SITED SENSES("<rangefinder site=\"s\"/>")), TELLS, "no shape of the file meets others"},
    {MJ(IN_WORLD("<geom type=\"plane\" size=\"9 9 1\"/><site name=\"u\" pos=\"0 0 5\" quat=\"0 1 0 "
                 "0\"/>") SITED SENSES("<rangefinder name=\"p\" site=\"u\"/>")),
     IS, "p = 5"},
    {MJ(IN_WORLD("<geom type=\"plane\" size=\"9 9 1\"/><site name=\"u\" pos=\"0 0 5\"/>")
            SITED SENSES("<rangefinder name=\"p\" site=\"u\"/>")),
     IS, "p = -1"},
    {MJ(SITED SENSES("<accelerometer site=\"s\"/><gyro site=\"s\"/><framelinacc objtype=\"site\" "
                     "objname=\"s\"/>")),
     HAS, "s_acceleration.value[2] + g"},
    {MJ(SITED SENSES("<accelerometer site=\"s\"/><gyro site=\"s\"/>")), LACKS, "s_imu_2"},
    {MJ(SITED SENSES("<user dim=\"1\"/>")), TELLS, "the sensor <user> is left out"},
    {MJ(SITED SENSES("<framepos objtype=\"camera\" objname=\"c\"/>")), TELLS,
     "the sensor of a camera is left out"},
    {MJ(SITED SENSES("<framepos objtype=\"site\" objname=\"s\" reftype=\"site\" refname=\"s\"/>")),
     TELLS, "its refname asks for another frame"},
    {MJ(SITED SENSES("<gyro site=\"u\"/>")), FAILS, "there is no site \"u\""},
    {MJ(SITED SENSES("<framepos/>")), FAILS, "<framepos> needs site, or objtype and objname"},
    {MJ(IN_WORLD("<site name=\"u\"/>") SITED SENSES("<framepos objtype=\"site\" objname=\"u\"/>")),
     TELLS, "its frame stands still"},
};

/* At the keyframe k. */
static const feature at_keyframe[] = {
    {MJ(ON_JOINT("") KEY("qpos=\"0.25\"")), IS, "j.angle = 0.25"},
    {MJ(ON_JOINT("type=\"slide\" ref=\"3\"") KEY("qpos=\"5\"")), IS, "j.displacement = 5"},
    {MJ(ON_JOINT("type=\"slide\" ref=\"3\"") KEY("qpos=\"5\"")), HAS, "q0: [0, 0, 2, 1"},
    {MJ(ON_JOINT("type=\"slide\"") KEY("qvel=\"5\"")), HAS, "v0: [0, 0, 5, 0, 0, 0]"},
    {MJ(ON_JOINT("") KEY("qvel=\"5\"")), HAS, "v0: [0, 0, 0, 0, 0, 5]"},
    {MJ(FREE_AT("") KEY("qpos=\"1 2 3 0 0 2 0\"")), HAS, "q0: [1, 2, 3, 0, 0, 1, 0]"},
    {MJ(SITED MOVING), HAS, "q0: [1, 2, 4, 1, 0, 0, 0] v0: [6, -2, 3, 4, 5, 6]"},
    {MJ(MOTOR("<position joint=\"j\" kp=\"5\" gear=\"2\"/>") KEY("ctrl=\"0.5\"")), HAS,
     "target: 0.25"},
    {MJ(MOTOR("<velocity joint=\"j\" kv=\"5\" gear=\"2\"/>") KEY("ctrl=\"0.5\"")), HAS,
     "rate: 0.25"},
    {MJ(MOTOR("<motor joint=\"j\" gear=\"2\"/>") KEY("ctrl=\"0.5\"")), HAS, "drive: {force: 1}"},
    {MJ(MOTOR("<general joint=\"j\" gainprm=\"3\" biastype=\"affine\" biasprm=\"0 -5 0\"/>")
            KEY("ctrl=\"0.5\"")),
     HAS, "drive: {stiffness: 5, force: 1.5}"},
    {MJ(ON_JOINT("") KEY("qpos=\"0.25 1\"")), FAILS, "qpos of <key> has 2 numbers; valid is 1"},
    {MJ(FREE_AT("") KEY("qpos=\"1 2 3 0 0 0 0\"")), FAILS,
     "the quaternion of the body b has the length 0"},
    {MJ(TWO "<equality><joint joint1=\"i\" joint2=\"j\"/></equality>" KEY("qpos=\"1 0\"")), FAILS,
     "is off by 1 at this start"},
    {MJ(TWO "<equality><connect body1=\"b\" anchor=\"0 0 0\"/></equality>" KEY("qpos=\"1 0\"")),
     FAILS, "is open by"},
    {MJ(ON_JOINT("") KEY("qpos=\"0\" act=\"1\"")), TELLS, "act, mpos and mquat of a keyframe"},
    {MJ(ON_JOINT("") SENSES("<jointpos name=\"p\" joint=\"j\"/>") KEY("qpos=\"0.25\"")), IS,
     "p = 0.25"},
    {MJ(ON_JOINT("") SENSES("<jointvel name=\"p\" joint=\"j\"/>") KEY("qvel=\"0.25\"")), IS,
     "p = 0.25"},
    {MJ(ON_JOINT("") SENSES("<jointpos name=\"p\" joint=\"j\" cutoff=\"0.1\"/>")
            KEY("qpos=\"-0.25\"")),
     IS, "p = -0.1"},
    {MJ(MOTOR("<position joint=\"j\" kp=\"2\" ctrlrange=\"-1 3\"/>") KEY("ctrl=\"5\"")), HAS,
     "drive: {stiffness: 2, target: 3}"},
    {MJ(SITED SENSES("<framepos name=\"p\" objtype=\"site\" objname=\"s\"/>") MOVING), IS,
     "p_x = 2"},
    {MJ(SITED SENSES("<framepos name=\"p\" objtype=\"body\" objname=\"b\"/>") MOVING), IS,
     "p_z = 4"},
    {MJ(SITED SENSES("<framepos name=\"p\" objtype=\"xbody\" objname=\"b\"/>") MOVING), IS,
     "p_z = 3"},
    {MJ(SITED SENSES("<framequat name=\"p\" objtype=\"site\" objname=\"s\"/>") MOVING), IS,
     "p_z = 0.70710678118654752"},
    {MJ(SITED SENSES("<framexaxis name=\"p\" objtype=\"site\" objname=\"s\"/>") MOVING), IS,
     "p_y = 1"},
    {MJ(SITED SENSES("<frameyaxis name=\"p\" objtype=\"site\" objname=\"s\"/>") MOVING), IS,
     "p_x = -1"},
    {MJ(SITED SENSES("<framezaxis name=\"p\" objtype=\"site\" objname=\"s\"/>") MOVING), IS,
     "p_z = 1"},
    {MJ(SITED SENSES("<framelinvel name=\"p\" objtype=\"site\" objname=\"s\"/>") MOVING), IS,
     "p_y = 8"},
    {MJ(SITED SENSES("<frameangvel name=\"p\" objtype=\"site\" objname=\"s\"/>") MOVING), IS,
     "p_x = 4"},
    {MJ(SITED SENSES("<gyro name=\"p\" site=\"s\"/>") MOVING), IS, "p_x = 5"},
    {MJ(SITED SENSES("<gyro name=\"p\" site=\"s\"/>") MOVING), IS, "p_y = -4"},
    {MJ(SITED SENSES("<velocimeter name=\"p\" site=\"s\"/>") MOVING), IS, "p_x = 8"},
    {MJ(SITED SENSES("<subtreecom name=\"p\" body=\"b\"/>") MOVING), IS, "p_z = 4"},
    {MJ(SITED SENSES("<subtreelinvel name=\"p\" body=\"b\"/>") MOVING), IS, "p_x = 6"},
    {MJ(SITED SENSES("<e_kinetic name=\"p\"/>") MOVING), IS, "p = 87.5"},
    {MJ("<option gravity=\"0 0 -10\"/>" SITED SENSES("<e_potential name=\"p\"/>") MOVING), IS,
     "p = 80"},
    {MJ(ON_JOINT("type=\"ball\"") SENSES("<ballquat name=\"p\" joint=\"j\"/>")
            KEY("qpos=\"0 1 0 0\"")),
     IS, "p_x = 1"},
    {MJ(ON_JOINT("type=\"ball\"") SENSES("<ballangvel name=\"p\" joint=\"j\"/>")
            KEY("qpos=\"0 1 0 0\" qvel=\"1 2 3\"")),
     IS, "p_z = 3"},
    {MJ(TWO "<tendon><fixed name=\"f\"><joint joint=\"i\" coef=\"2\"/><joint joint=\"j\" "
            "coef=\"-5\"/></fixed></tendon>" SENSES("<tendonpos name=\"p\" tendon=\"f\"/>")
                KEY("qpos=\"1 2\"")),
     IS, "p = -8"},
    {MJ(TWO "<tendon><fixed name=\"f\"><joint joint=\"i\" coef=\"2\"/><joint joint=\"j\" "
            "coef=\"-5\"/></fixed></tendon>" SENSES("<tendonvel name=\"p\" tendon=\"f\"/>")
                KEY("qvel=\"1 2\"")),
     IS, "p = -8"},
    {MJ(MOTOR("<motor name=\"m\" joint=\"j\" gear=\"3\"/>")
            SENSES("<actuatorpos name=\"p\" actuator=\"m\"/>") KEY("qpos=\"2\"")),
     IS, "p = 6"},
    {MJ(MOTOR("<motor name=\"m\" joint=\"j\" gear=\"3\"/>")
            SENSES("<actuatorvel name=\"p\" actuator=\"m\"/>") KEY("qvel=\"2\"")),
     IS, "p = 6"},
};

/* ---- URDF ------------------------------------------------------------------------------------- */

#define UR(words) "<robot name=\"r\"><link name=\"w\"/>" words "</robot>"
#define INERTIA                                                                                    \
  "<inertial><mass value=\"2\"/><inertia ixx=\"1\" iyy=\"1\" izz=\"1\" ixy=\"0\" ixz=\"0\" "       \
  "iyz=\"0\"/></inertial>"
#define LINK(name, words) "<link name=\"" name "\">" words "</link>"
#define JOINT(name, type, parent, child, words)                                                    \
  "<joint name=\"" name "\" type=\"" type "\"><parent link=\"" parent "\"/><child link=\"" child   \
  "\"/>" words "</joint>"
/* A link b on the joint j of the root. */
#define ONE(type, words) UR(LINK("b", INERTIA) JOINT("j", type, "w", "b", words))
#define LIMIT(words) "<limit " words "/>"
/* A free link with words; links a and b on revolute joints i and j. */
#define FLOATS(words) UR(LINK("b", words) JOINT("f", "floating", "w", "b", ""))
#define CHAIN(words)                                                                               \
  UR(LINK("a", INERTIA) LINK("b", INERTIA) JOINT("k", "continuous", "w", "a", "")                  \
         JOINT("j", "continuous", "a", "b", words))
#define SHAPE(kind, words) "<" kind "><geometry>" words "</geometry></" kind ">"

static const feature of_urdf[] = {
    /* joints */
    {ONE("continuous", ""), HAS, "type: hinge, point: [0, 0, 0], axis: [1, 0, 0]"},
    {ONE("continuous", "<axis xyz=\"0 3 4\"/>"), HAS, "axis: [0, 0.6, 0.8]"},
    {ONE("continuous", "<origin xyz=\"1 2 3\"/>"), HAS, "point: [1, 2, 3]"},
    {ONE("continuous", "<origin rpy=\"0 0 1.5707963267948966\"/>"), HAS,
     "q0: [0, 0, 0, 0.7071067811865476, 0, 0, 0.7071067811865475]"},
    {ONE("revolute", LIMIT("lower=\"-1\" upper=\"2\"")), HAS, "acts: {lower: -1, upper: 2}"},
    {ONE("revolute", LIMIT("lower=\"0\" upper=\"0\"")), TELLS, "the joint has no stops"},
    {ONE("revolute", LIMIT("lower=\"1\" upper=\"-1\"")), FAILS, "valid is lower < upper"},
    {ONE("revolute", ""), FAILS, "a joint of type revolute needs <limit"},
    {ONE("prismatic", LIMIT("lower=\"-1\" upper=\"2\"")), HAS, "type: prismatic"},
    {ONE("prismatic", LIMIT("lower=\"-1\" upper=\"2\"") "<axis xyz=\"0 0 2\"/>"), HAS,
     "axis: [0, 0, 1]"},
    {ONE("prismatic", LIMIT("lower=\"-1\" upper=\"2\"")), IS, "j.displacement = 0"},
    {ONE("planar", "<axis xyz=\"0 0 1\"/>"), HAS,
     "type: planar, point: [0, 0, 0], axis: [0, 0, 1]"},
    {ONE("floating", ""), LACKS, "interactions"},
    {ONE("floating", "<origin xyz=\"0 0 3\"/>"), HAS, "q0: [0, 0, 3, 1"},
    {ONE("fixed", ""), FAILS, "no body moves"},
    {ONE("screw", ""), FAILS, "the type of a joint is \"screw\""},
    {CHAIN("<limit effort=\"3\" velocity=\"2\"/>"), HAS, "most: 3"},
    {CHAIN("<limit effort=\"3\" velocity=\"2\"/>"), TELLS, "the attribute velocity of <limit>"},
    {CHAIN("<limit effort=\"3\"/>"), HAS, "stiffness: drive_stiffness, damping: drive_damping"},
    {CHAIN("<limit effort=\"-3\"/>"), FAILS, "effort is -3; valid are numbers >= 0"},
    {CHAIN("<dynamics damping=\"3\" friction=\"2\"/>"), HAS, "acts: {damping: 3, friction: 2}"},
    {CHAIN("<dynamics friction=\"-2\"/>"), FAILS, "damping is 0 and friction is -2"},
    {CHAIN("<mimic joint=\"k\" multiplier=\"-3\" offset=\"0\"/>"), HAS, "weight: 3"},
    {CHAIN("<mimic joint=\"k\"/>"), HAS, "j_mimic: systems: [b, a] relation: type: coupler"},
    {CHAIN("<mimic joint=\"k\" multiplier=\"0\"/>"), LACKS, "weight: -"},
    {CHAIN("<mimic joint=\"j\"/>"), FAILS, "the joint cannot follow \"j\""},
    {CHAIN("<calibration rising=\"0\"/>"), TELLS, "<calibration> has no effect"},
    {CHAIN("<safety_controller k_velocity=\"1\"/>"), TELLS, "<safety_controller> has no effect"},
    {CHAIN("<axis xyz=\"0 0 0\"/>"), FAILS, "the axis has the length 0"},
    {CHAIN("<axis xyz=\"1 0\"/>"), FAILS, "xyz of <axis> has 2 numbers; valid is 3"},
    {UR(LINK("a", INERTIA) LINK("b", INERTIA) JOINT("k", "continuous", "w", "a", "")
            JOINT("j", "fixed", "a", "b", "<origin xyz=\"2 0 0\"/>")),
     HAS, "mass: 4 inertia: [[2, 0, 0], [0, 6, 0], [0, 0, 6]] q0: [1, 0, 0"},
    {UR(LINK("b", INERTIA) LINK("c", "") JOINT("k", "continuous", "w", "b", "")
            JOINT("j", "fixed", "b", "c", "")),
     HAS, "mass: 2 "},
    {UR(LINK("b", INERTIA) LINK("c", "") JOINT("k", "continuous", "w", "b", "")
            JOINT("j", "continuous", "b", "c", "")),
     FAILS, "the link moves and has the mass 0"},
    {UR(LINK("b", INERTIA) JOINT("b", "continuous", "w", "b", "")), HAS, "b_joint: {systems: [b]"},
    {UR(LINK("a-b.c", INERTIA) JOINT("j", "continuous", "w", "a-b.c", "")), HAS, "a_b_c:"},
    {UR(LINK("a", INERTIA) LINK("b", INERTIA) JOINT("i", "continuous", "b", "a", "")
            JOINT("j", "continuous", "a", "b", "")),
     FAILS, "hangs on a circle of joints"},
    {"<robot name=\"r\">" LINK("a", INERTIA) LINK("b", INERTIA)
         JOINT("i", "continuous", "b", "a", "") JOINT("j", "continuous", "a", "b", "") "</robot>",
     FAILS, "the joints go round in a circle"},
    {UR(LINK("a", INERTIA)), FAILS, "have no parent; valid is one root"},
    /* inertials */
    {FLOATS("<inertial><origin xyz=\"0 0 1\"/><mass value=\"3\"/><inertia ixx=\"1\" iyy=\"2\" "
            "izz=\"2.5\" ixy=\"0.1\" ixz=\"0.2\" iyz=\"0.3\"/></inertial>"),
     HAS, "mass: 3 inertia: [[1, 0.1, 0.2], [0.1, 2, 0.3], [0.2, 0.3, 2.5]] q0: [0, 0, 1, 1"},
    {FLOATS(
         "<inertial><origin rpy=\"3.141592653589793 0 0\"/><mass value=\"3\"/><inertia ixx=\"1\" "
         "iyy=\"2\" izz=\"2.5\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial>"),
     HAS, "mass: 3 inertia: [[1, 0, 0], [0, 2, "},
    {FLOATS(""), FAILS, "the link moves and has the mass 0"},
    {FLOATS("<inertial><mass value=\"3\"/></inertial>"), FAILS, "the principal moments 0, 0, 0"},
    {FLOATS("<inertial><mass value=\"x\"/></inertial>"), FAILS, "valid are finite numbers"},
    {FLOATS("<inertial><mass value=\"-3\"/></inertial>"), FAILS, "the mass is -3 kg"},
    /* shapes */
    {FLOATS(INERTIA SHAPE("collision", "<box size=\"1 2 3\"/>")), HAS,
     "{type: box, half: [0.5, 1, 1.5]}"},
    {FLOATS(INERTIA SHAPE("collision", "<sphere radius=\"2\"/>")), HAS,
     "{type: sphere, radius: 2}"},
    {FLOATS(INERTIA SHAPE("collision", "<cylinder radius=\"2\" length=\"3\"/>")), HAS,
     "type: cylinder radius: 2 half: 1.5"},
    {FLOATS(INERTIA SHAPE("collision", "<capsule radius=\"2\" length=\"3\"/>")), HAS,
     "type: capsule radius: 2 half: 1.5"},
    {FLOATS(INERTIA SHAPE("visual", "<sphere radius=\"2\"/>")), HAS, "drawn_only: true"},
    {FLOATS(INERTIA SHAPE("visual", "<box size=\"9 9 9\"/>")
                SHAPE("collision", "<sphere radius=\"2\"/>")),
     HAS,
     "- {type: sphere, radius: 2, hidden: true} - {type: box, half: [4.5, 4.5, 4.5], drawn_only: "
     "true}"},
    {FLOATS(INERTIA SHAPE("visual", "<sphere radius=\"2\"/>")
                SHAPE("collision", "<sphere radius=\"2\"/>")),
     HAS, "shapes: [{type: sphere, radius: 2}] contacts:"},
    {FLOATS(INERTIA SHAPE("visual", "<mesh filename=\"a.dae\"/>")
                SHAPE("collision", "<sphere radius=\"2\"/>")),
     HAS, "shapes: [{type: sphere, radius: 2}] contacts:"},
    {FLOATS(INERTIA SHAPE("visual", "<mesh filename=\"a.dae\"/>")), TELLS,
     "the mesh \"a.dae\" is not drawn: its format is unknown; valid are .stl and .obj"},
    {FLOATS(INERTIA SHAPE("visual", "<mesh filename=\"package://p/a.stl\"/>")), TELLS,
     "name the folder of the package by --folders"},
    {UR("<link name=\"v\">" SHAPE("visual", "<sphere radius=\"3\"/>") "</link>" LINK("b", INERTIA)
            JOINT("i", "fixed", "w", "v", "") JOINT("j", "continuous", "v", "b", "")),
     HAS, "scenery: [{type: sphere, radius: 3, drawn_only: true}]"},
    {FLOATS(INERTIA
            "<visual><geometry><sphere radius=\"2\"/></geometry><material name=\"m\"><color "
            "rgba=\"0.5 0.5 1 1\"/></material></visual>"),
     HAS, "color: [0.5, 0.5, 1]"},
    {UR("<material name=\"m\"><color rgba=\"0.5 0.5 1 1\"/></material>" LINK(
         "b", INERTIA "<visual><geometry><sphere radius=\"2\"/></geometry><material "
                      "name=\"m\"/></visual>" SHAPE("collision", "<sphere radius=\"2\"/>"))
            JOINT("f", "floating", "w", "b", "")),
     HAS, "color: [0.5, 0.5, 1]"},
    {FLOATS(INERTIA "<collision><origin xyz=\"1 2 3\"/><geometry><sphere "
                    "radius=\"2\"/></geometry></collision>"),
     HAS, "position: [1, 2, 3]"},
    {FLOATS(INERTIA SHAPE("collision", "<sphere radius=\"2\"/>")), HAS, "materials: [{mu: mu}]"},
    {FLOATS(INERTIA SHAPE("collision", "<sphere radius=\"-2\"/>")), FAILS,
     "a measure of <sphere> is -2 m"},
    {FLOATS(INERTIA SHAPE("collision", "<sphere/>")), FAILS, "<sphere> has no measures"},
    {FLOATS(INERTIA SHAPE("collision", "<cone radius=\"2\"/>")), FAILS,
     "the geometry has no shape"},
    {FLOATS(INERTIA "<collision/>"), FAILS, "<collision> has no <geometry>"},
    {FLOATS(INERTIA SHAPE("collision", "<mesh/>")), FAILS, "the mesh has no filename"},
    {FLOATS(INERTIA SHAPE("collision", "<mesh filename=\"a.dae\"/>")), FAILS,
     "valid are .stl and .obj"},
    {FLOATS(INERTIA SHAPE("collision", "<mesh filename=\"package://p/a.stl\"/>")), FAILS,
     "name the folder of the package by --folders"},
    {FLOATS(INERTIA SHAPE("collision", "<sphere radius=\"2\"/>")), TELLS,
     "the robot falls: nothing lies under it"},
    {UR(LINK("b", INERTIA SHAPE("collision", "<sphere radius=\"2\"/>"))
            JOINT("f", "floating", "g", "b", "") "<link name=\"g\">" SHAPE(
                "collision", "<box size=\"9 9 1\"/>") "</link>" JOINT("j", "fixed", "w", "g", "")),
     LACKS, "hidden"},
    /* others */
    {UR("<transmission name=\"t\"/>" LINK("b", INERTIA) JOINT("j", "continuous", "w", "b", "")),
     TELLS, "<transmission> has no effect"},
    {UR("<gazebo/><gazebo/>" LINK("b", INERTIA) JOINT("j", "continuous", "w", "b", "")), TELLS,
     "<gazebo> has no effect (2 times in the file)"},
    {ONE("continuous", ""), HAS, "name: r"},
};

static void features_of_urdf(void **unused) {
  (void)unused;
  const int count = (int)(sizeof of_urdf / sizeof *of_urdf);
  assert_true(count >= 60);
  for (int k = 0; k < count; ++k) check_feature("test.urdf", &of_urdf[k], NULL);
  assert_int_equal(wrong, 0);
}

static void features_of_mjcf(void **unused) {
  (void)unused;
  const int count = (int)(sizeof of_mjcf / sizeof *of_mjcf);
  const int keyed = (int)(sizeof at_keyframe / sizeof *at_keyframe);
  assert_true(count + keyed >= 150);
  for (int k = 0; k < count; ++k) check_feature("test.xml", &of_mjcf[k], NULL);
  for (int k = 0; k < keyed; ++k) check_feature("test.xml", &at_keyframe[k], "k");
  assert_int_equal(wrong, 0);
}

/* A keyframe is found by its name or its number; without one the robot starts at its zero. */
/* Columns keep names with characters that YAML takes by number alone. The file of such a robot was refused. */
static void names_with_controls_read_back(void **unused) {
  (void)unused;
  static const char *const names[] = {"a\x7f"
                                      "b",
                                      "a\xc2\x80",
                                      "a\xc2\x85z",
                                      "\xe2\x80\xa8",
                                      "a\xef\xbb\xbf",
                                      "a&#10;b&#9;c&#13;",
                                      "\xe2\x82\xac \xc3\xa4 &quot;\\"};
  for (size_t k = 0; k < sizeof names / sizeof *names; ++k) {
    static written w;
    char text[500];
    snprintf(text, sizeof text, MJ(ON_JOINT("") SENSES("<jointpos name=\"%s\" joint=\"j\"/>")),
             names[k]);
    nsds_context *context = nsds_context_create(NULL);
    nsds_job *job = nsds_job_create(
        context, &(nsds_job_def){.file = "test.xml", .text = text, .kind = NSDS_JOB_ROBOT});
    if (!job) fail_msg("%s", nsds_error_message(context));
    w.size = 0;
    assert_int_equal(nsds_job_expand(job, keep, &w), NSDS_OK);
    char name[80];
    snprintf(name, sizeof name, "%s", nsds_job_column_name(job, nsds_job_column_count(job) - 1));
    nsds_job_destroy(job);
    job = nsds_job_create(
        context, &(nsds_job_def){.file = "test.yaml", .text = w.text, .kind = NSDS_JOB_MODEL_FILE});
    if (!job) fail_msg("%s", nsds_error_message(context));
    assert_string_equal(nsds_job_column_name(job, nsds_job_column_count(job) - 1), name);
    nsds_job_destroy(job);
    nsds_context_destroy(context);
  }
}

static void keyframes_are_found(void **unused) {
  (void)unused;
  const char *text = MJ(ON_JOINT("") KEY("qpos=\"0.25\""));
  check_feature("test.xml", &(feature){text, IS, "j.angle = 0"}, NULL);
  check_feature("test.xml", &(feature){text, IS, "j.angle = 0.25"}, "0");
  check_feature("test.xml", &(feature){text, FAILS, "there is no keyframe \"m\"; the file has: k"},
                "m");
  assert_int_equal(wrong, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(features_of_mjcf), cmocka_unit_test(features_of_urdf),
      cmocka_unit_test(names_with_controls_read_back), cmocka_unit_test(keyframes_are_found)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
