/*
 * Each allocation of a job fails once, alone or with all later ones: while a netlist, a model file or a
 * sweep is read, while it steps, and while a page is made. The call then fails with NSDS_ERROR_MEMORY
 * and a message, and all memory comes back to the context. Steps that can do without the memory give
 * the same rows.
 *
 *     run_shortage [STRIDE]     STRIDE 1 tries every allocation of the longer texts too; 7 unless said
 */
#include "run_test.h"

#include <nsds/nsds.h>

static long stride = 7;

/* ---- memory that fails ---- */

static struct {
  long calls, fail_at; /* 0: never */
  bool later;          /* all later ones fail too */
} memory;

static void *take_memory(size_t size, void *user) {
  (void)user;
  long call = ++memory.calls;
  bool fails = memory.fail_at && (memory.later ? call >= memory.fail_at : call == memory.fail_at);
  return fails ? NULL : malloc(size);
}

static void give_back(void *piece, void *user) {
  (void)user;
  free(piece);
}

/* ---- what is tried ---- */

typedef nsds_status trial_fn(nsds_context *context, const void *what);

typedef struct trial_text {
  const char *name, *text, *path; /* text or path */
} trial_text;

static nsds_status read_and_step(nsds_context *context, const void *what) {
  const trial_text *t = what;
  nsds_job *job = nsds_job_create(
      context, &(nsds_job_def){.file = t->path ? t->path : t->name, .text = t->text});
  if (!job) return NSDS_ERROR_MEMORY;
  nsds_status status = NSDS_OK;
  for (int k = 0; k < 3 && !status; ++k) status = nsds_job_step(job);
  nsds_job_destroy(job);
  return status < 0 ? status : NSDS_OK;
}

static void ignore_text(const char *text, void *user) { (void)text, (void)user; }

static nsds_status check_only(nsds_context *context, const void *what) {
  const trial_text *t = what;
  return nsds_job_check(context, &(nsds_job_def){.file = t->name, .text = t->text}, ignore_text,
                        NULL);
}

static nsds_status make_sweep(nsds_context *context, const void *what) {
  const trial_text *t = what;
  const char *axes[] = {"r=1:5:3"};
  nsds_sweep *sweep = nsds_sweep_create(context, &(nsds_sweep_def){.file = t->path,
                                                                   .naxes = 1,
                                                                   .axes = axes,
                                                                   .sampling = NSDS_SAMPLING_LATIN,
                                                                   .samples = 5});
  nsds_status status = sweep ? NSDS_OK : NSDS_ERROR_MEMORY;
  nsds_sweep_destroy(sweep);
  return status;
}

static nsds_status make_page(nsds_context *context, const void *what) {
  const trial_text *t = what;
  nsds_job *job = nsds_job_create(context, &(nsds_job_def){.file = t->name, .text = t->text});
  if (!job) return NSDS_ERROR_MEMORY;
  nsds_scene *scene =
      nsds_scene_create(context, nsds_job_model(job), &(nsds_scene_def){.title = "shortage"});
  nsds_status status = scene ? NSDS_OK : NSDS_ERROR_MEMORY;
  for (int k = 0; k < 3 && !status; ++k) {
    status = nsds_job_step(job);
    if (!status) status = nsds_scene_record(scene, nsds_job_row(job)[0], NULL);
  }
  if (!status) status = nsds_scene_write_html(scene, "shortage.html");
  nsds_scene_destroy(scene);
  nsds_job_destroy(job);
  return status < 0 ? status : NSDS_OK;
}

/* ---- trials ---- */

static long tried, refused;

/* Tries once; false if the allocation that was to fail did not come. */
static bool try_with(trial_fn *trial, const void *what, const char *name, long at, bool later) {
  memory.calls = memory.fail_at = 0;
  nsds_context *context =
      nsds_context_create(&(nsds_context_def){.alloc = take_memory, .release = give_back});
  memory.calls = 0;
  memory.fail_at = at;
  memory.later = later;
  nsds_status status = trial(context, what);
  bool came = memory.calls >= at && at > 0;
  memory.fail_at = 0;
  const char *message = nsds_error_message(context);
  if (at == 0 && status) fail_msg("%s: %s", name, message);
  if (status && status != NSDS_ERROR_MEMORY)
    fail_msg("%s, allocation %ld%s: status %d: %s", name, at, later ? " and later" : "", status,
             message);
  if (status && (nsds_error(context) != NSDS_ERROR_MEMORY || !strstr(message, "memory")))
    fail_msg("%s, allocation %ld%s: status %d, the message is \"%s\"", name, at,
             later ? " and later" : "", (int)nsds_error(context), message);
  if (later && came && !status)
    fail_msg("%s: no memory after allocation %ld, and no failure", name, at);
  tried += at > 0;
  refused += status != 0;
  nsds_error_clear(context);
  if (nsds_context_bytes(context) > 0)
    fail_msg("%s, allocation %ld: %zu bytes are left", name, at, nsds_context_bytes(context));
  nsds_context_destroy(context);
  return came;
}

static void try_all(trial_fn *trial, const void *what, const char *name, long step) {
  try_with(trial, what, name, 0, false);
  for (long at = 1; try_with(trial, what, name, at, false); at += step) {
  }
  for (long at = 1; try_with(trial, what, name, at, true); at += step) {
  }
}

static const trial_text netlists[] = {
    {"parts.cir",
     "parts\n.param r=100 c={1e-6*r}\n.subckt part a b k=2\n.param s={k*r}\nR1 a b {s}\nC1 b 0 1n\n"
     ".ends\nV1 1 0 SIN(0 5 1k)\nX1 1 2 part k=3\nX2 2 3 part\nC1 3 0 {c} ic=1\nD1 3 4 di\n"
     "L1 4 0 1m\nL2 5 0 4m\nK1 L1 L2 0.5\nR5 5 0 10\n.model di d(ideal=1 ron=1m vf=0.5)\n"
     ".tran 10u 1m\n.print tran v(2) i(R5)\n.measure tran m avg v(3)\n.ic v(3)=1\n.end\n",
     NULL},
    {"switches.cir",
     "switches\nV1 a 0 24\nS1 a b c 0 sw\nVc c 0 PULSE(0 1 0 1n 1n 5u 10u)\nD1 0 b dj\nL1 b o "
     "100u\n"
     "C1 o 0 10u\nR1 o 0 5\n.model sw sw(vt=0.5 ron=1m)\n.model dj d(is=1e-12 n=1.5)\n.tran 1u "
     "50u\n"
     ".print v(o)\n",
     NULL},
    {"words.cir",
     "words\nV1 1 0 PWL(0 0 1m 5\n+ 2m 3)\nR1 1 2 {max(1k, 2*500)}\nE1 3 0 1 0 2\nR3 3 0 1k\nF1 2 "
     "0 V1 "
     "0.1\n.options reltol=1e-4\n.tran 10u 1m 0 20u\n.print all\n",
     NULL}};

static const trial_text models[] = {
    {"ball.yaml",
     "nsds: 1\nname: \"a ball\"\nparameters: {e: 0.5, g: 9.81}\nsystems:\n  ball: {type: "
     "lagrangian_linear, q0: 1, "
     "mass: 1, fext: \"-g\"}\ninteractions:\n  floor: {systems: ball, relation: {type: "
     "lagrangian_linear, H: 1}, law: {type: newton_impact, e: e}}\nsimulation: {type: "
     "time_stepping, t1: "
     "0.5, h: 1e-2}\noutputs: {columns: [ball.q1, \"ball.v1^2 + sin(t)\"]}\nmeasures: {end: {kind: "
     "final, of: "
     "ball.q1}}\n",
     NULL},
    {"events.yaml",
     "nsds: 1\nsystems:\n  mass: {type: lagrangian_linear, q0: [1, 2], mass: {diagonal: [1, 2]}, "
     "fext: [\"-sin(t)\", "
     "\"-9.81\"]}\ninteractions:\n  floor: {systems: mass, relation: {type: lagrangian_linear, H: "
     "[[0, "
     "1]]}, law: {type: newton_impact, e: 0.3}}\nsimulation: {type: event_driven, t1: 1, "
     "output_period: "
     "0.1}\noutputs: {columns: [mass.q2]}\n",
     NULL},
    {"many.yaml",
     "nsds: 1\nsystems:\n  bead: {repeat: 5, type: lagrangian_linear, q0: \"1+i\", mass: 1, fext: "
     "-9.81}\n"
     "interactions:\n  floor: {systems: \"bead[0]\", relation: {type: lagrangian_linear, H: 1}, "
     "law: {type: "
     "newton_impact, e: 0.5}}\n  gap: {repeat: 4, systems: [\"bead[i]\", \"bead[i+1]\"], relation: "
     "{type: "
     "lagrangian_linear, H: [[-1, 1]]}, law: {type: newton_impact, e: 0.5}}\nsimulation: {type: "
     "time_stepping, t1: 1, h: 1e-2}\noutputs: {columns: [\"bead[4].q1\"]}\n",
     NULL}};

static const trial_text robots[] = {
    {"chain.urdf",
     "<robot name=\"chain\"><material name=\"m\"><color rgba=\"1 0 0 1\"/></material><link "
     "name=\"w\"/><link name=\"a\"><inertial><mass value=\"1\"/><inertia ixx=\"1\" iyy=\"1\" "
     "izz=\"1\"/></inertial><visual><geometry><box size=\"1 1 1\"/></geometry><material "
     "name=\"m\"/></visual></link><link name=\"b\"><inertial><mass value=\"1\"/><inertia "
     "ixx=\"1\" iyy=\"1\" izz=\"1\"/></inertial></link><joint name=\"a\" type=\"revolute\"><parent "
     "link=\"w\"/><child link=\"a\"/><limit lower=\"-1\" upper=\"1\" effort=\"2\"/></joint><joint "
     "name=\"j\" type=\"continuous\"><parent link=\"a\"/><child link=\"b\"/><mimic "
     "joint=\"a\"/></joint></robot>",
     NULL},
    {"arm.xml",
     "<mujoco><default><geom density=\"5\"/></default><asset><mesh name=\"m\" vertex=\"0 0 0 1 0 0 "
     "0 1 0 0 0 1\"/></asset><worldbody><geom type=\"plane\" size=\"1 1 1\" pos=\"0 0 -9\"/><body "
     "name=\"a\"><freejoint/><inertial pos=\"0 0 0\" mass=\"2\" diaginertia=\"1 1 1\"/><geom "
     "type=\"mesh\" mesh=\"m\" rgba=\"1 0 0 1\"/><site name=\"s\"/><body name=\"b\" pos=\"3 0 "
     "0\"><joint name=\"i\"/><joint name=\"j\" axis=\"0 1 0\"/><geom name=\"g\" size=\"1\"/><site "
     "name=\"t\"/></body></body></worldbody><tendon><spatial range=\"0 4\" stiffness=\"1\"><site "
     "site=\"s\"/><site site=\"t\"/></spatial></tendon><actuator><position name=\"p\" joint=\"j\"/>"
     "</actuator><sensor><accelerometer site=\"t\"/><actuatorpos actuator=\"p\"/><user "
     "dim=\"1\"/></sensor><keyframe><key qpos=\"0 0 1 1 0 0 0 0.1 0.2\" "
     "ctrl=\"0.3\"/></keyframe></mujoco>",
     NULL}};

#define COUNT_OF(a) (sizeof(a) / sizeof *(a))

static void netlists_without_memory(void **state) {
  (void)state;
  for (size_t k = 0; k < COUNT_OF(netlists); ++k)
    try_all(read_and_step, &netlists[k], netlists[k].name, 1);
  print_message("             %ld failing allocations, %ld refused\n", tried, refused);
}

static void models_without_memory(void **state) {
  (void)state;
  if (!NSDS_HAVE_YAML) skip();
  for (size_t k = 0; k < COUNT_OF(models); ++k)
    try_all(read_and_step, &models[k], models[k].name, 1);
}

static void robots_without_memory(void **state) {
  (void)state;
  if (!NSDS_HAVE_YAML || !NSDS_HAVE_EXPAT) skip();
  for (size_t k = 0; k < COUNT_OF(robots); ++k)
    try_all(read_and_step, &robots[k], robots[k].name, 1);
}

static void checks_without_memory(void **state) {
  (void)state;
  try_all(check_only, &netlists[0], "a check of a netlist", 1);
  if (NSDS_HAVE_YAML) try_all(check_only, &models[0], "a check of a model", 1);
}

static void examples_without_memory(void **state) {
  (void)state;
  static const char *const circuits[] = {"llc", "three_phase_bridge", "zener_clamp"};
  static const char *const files[] = {"double_pendulum", "gene_network", "cam_follower_events",
                                      "four_bar"};
  char path[400];
  for (size_t k = 0; k < COUNT_OF(circuits); ++k) {
    snprintf(path, sizeof path, NSDS_TEST_SOURCE "/examples/circuits/%s.cir", circuits[k]);
    try_all(read_and_step, &(trial_text){.path = path}, circuits[k], stride);
  }
  for (size_t k = 0; NSDS_HAVE_YAML && k < COUNT_OF(files); ++k) {
    snprintf(path, sizeof path, NSDS_TEST_SOURCE "/examples/models/%s.yaml", files[k]);
    try_all(read_and_step, &(trial_text){.path = path}, files[k], stride);
  }
}

static void sweeps_without_memory(void **state) {
  (void)state;
  const char *path = "shortage_sweep.cir";
  FILE *file = fopen(path, "w");
  fputs("rc\n.param r=1\nV1 1 0 5\nR1 1 2 {r}\nC1 2 0 1u\n.tran 1u 5u\n.measure tran m avg v(2)\n",
        file);
  fclose(file);
  try_all(make_sweep, &(trial_text){.path = path}, "a sweep", 1);
  remove(path);
}

static void pages_without_memory(void **state) {
  (void)state;
  if (!NSDS_HAVE_YAML || !NSDS_TEST_PAGES) skip();
  try_all(make_page, &models[0], "a page", 1);
  remove("shortage.html");
}

int main(int count, char **word) {
  if (count > 1) stride = strtol(word[1], NULL, 10);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(netlists_without_memory), cmocka_unit_test(models_without_memory),
      cmocka_unit_test(robots_without_memory),   cmocka_unit_test(checks_without_memory),
      cmocka_unit_test(examples_without_memory), cmocka_unit_test(sweeps_without_memory),
      cmocka_unit_test(pages_without_memory)};
  int failed = cmocka_run_group_tests_name("run.shortage", tests, NULL, NULL);
  printf("shortage: %ld failing allocations, %ld refused\n", tried, refused);
  return failed;
}
