/*
 * The library of files: netlists, model files, checks, sweeps, recorded scenes and pages, circuits in models.
 */
#include "scenarios.h"

#include <nsds/run.h>

#include <stdio.h>
#include <string.h>
#include <unistd.h>

typedef struct job_text {
  const char *text;
  nsds_job_kind kind;
} job_text;

static const job_text converter = {
    "Buck converter\n.param vin=24\n.subckt load a b r=2\nR1 a b {r}\n.ends\nVin in 0 {vin}\n"
    "S1 in sw TR PULSE(0 1 0 0 0 5u 10u)\nD1 0 sw DI\nL1 sw out 100u\nC1 out 0 47u ic=1\n"
    "X1 out 0 load r={2+1}\n.model DI D(ideal=1)\n.model TR TRANSISTOR(vt=0.5)\n"
    ".tran 2u 40u uic\n.print v(out) i(L1)\n.measure tran mean avg v(out)\n.end\n",
    NSDS_JOB_CIRCUIT};
static const job_text junctions = {"Rectifier\nV1 a 0 SIN(0 5 50)\nD1 a b DJ\nR1 b 0 {10*5}\nC1 b "
                                   "0 100u\nV2 c 0 PWL(0 0 1m 1 2m 0)\n"
                                   "R2 c 0 1k\n.model DJ D(is=1e-14)\n.tran 1m 8m\n.end\n",
                                   NSDS_JOB_CIRCUIT};
static const job_text machine = {
    "nsds: 1\nname: pendulum and ball\nparameters:\n  g: 9.81\n  list: 2*g\nsystems:\n"
    "  ball:\n    type: lagrangian_linear\n    mass: 1.5\n    fext: -1.5*g\n    q0: 1\n"
    "  arm:\n    type: lagrangian\n    mass: 2 + cos(q[0])^2\n    fint: g*sin(q[0]) + 0.1*v[0]\n   "
    " q0: "
    "0.5\n"
    "laws:\n  floor: {type: newton_impact, e: 0.5}\n"
    "interactions:\n  bounce:\n    relation: {type: lagrangian_linear, H: 1}\n    law: floor\n    "
    "systems: ball\n"
    "simulation: {type: time_stepping, h: 0.01, t1: 0.2}\n"
    "outputs: {every: 2, columns: [\"ball.q[0]\", \"arm.q[0]*2 + sin(t)\", ball.kinetic_energy]}\n"
    "measures:\n  lowest: {kind: min, of: \"ball.q[0]\"}\n",
    NSDS_JOB_MODEL_FILE};

static const char *job_file(const char *ending) {
  static char path[64];
  snprintf(path, sizeof path, "job_%ld.%s", (long)getpid(), ending);
  return path;
}

/* The end of a run is no failure. */
static nsds_status stepped(nsds_status status) { return status == NSDS_END ? NSDS_OK : status; }

static void ignore_text(const char *piece, void *user) { (void)piece, (void)user; }

static void tell_job(story *s) {
  enum { rows = 12 };
  const job_text *what = s->scenario->self;
  const nsds_job_def def = {.text = what->text, .kind = what->kind, .file = "scenario"};
  nsds_job *job = NULL;
  story_context(s);
  STORY(s, nsds_job_check(s->context, &def, ignore_text, NULL));
  STORY(s, story_made(s, job = nsds_job_create(s->context, &def)));
  for (int k = 0; k < rows && !s->over; ++k) {
    story_mark_doubles(s, nsds_job_row(job), nsds_job_column_count(job));
    STORY(s, stepped(nsds_job_step(job)));
  }
  nsds_job_destroy(job);
}

/* A page of a run that is recorded. */
static void tell_page(story *s) {
  const job_text *what = s->scenario->self;
  const nsds_job_def def = {.text = what->text, .kind = what->kind, .file = "scenario"};
  nsds_job *job = NULL;
  nsds_scene *scene = NULL;
  double t = 0.0;
  story_context(s);
  STORY(s, story_made(s, job = nsds_job_create(s->context, &def)));
  STORY(s, story_made(s, scene =
                             nsds_scene_create(s->context, job ? nsds_job_model(job) : NULL,
                                               &(nsds_scene_def){.title = "page",
                                                                 .nquantities = 1,
                                                                 .names = (const char *[]){"t"}})));
  for (int k = 0; k < 10 && !s->over; ++k) {
    t = nsds_job_row(job)[0];
    STORY(s, nsds_scene_record(scene, t, &t));
    STORY(s, stepped(nsds_job_step(job)));
  }
  if (!s->over) STORY(s, nsds_scene_write_html(scene, job_file("html")));
  unlink(job_file("html"));
  nsds_scene_destroy(scene);
  nsds_job_destroy(job);
}

static void tell_sweep(story *s) {
  const char *path = job_file("cir");
  FILE *file = fopen(path, "wb");
  nsds_sweep *sweep = NULL;
  if (!file || fputs(converter.text, file) < 0 || fclose(file))
    story_find(s, FINDING_STUCK, "cannot write %s", path);
  story_context(s);
  STORY(s,
        story_made(s, sweep = nsds_sweep_create(
                          s->context, &(nsds_sweep_def){.file = path,
                                                        .naxes = 1,
                                                        .axes = (const char *[]){"vin=10:20:3"}})));
  if (!s->over) story_mark_doubles(s, (double[]){nsds_sweep_number(sweep, 1, 0)}, 1);
  nsds_sweep_destroy(sweep);
  unlink(path);
}

static void build_network(story *s) {
  static const char text[] =
      "Bridge\nV1 a 0 SIN(0 10 50)\nD1 a h DI\nD2 0 h DI\nD3 l a DI\nD4 l 0 DI\n"
      "C1 h l 100u\nR1 h l 200\n.model DI D(ideal=1 vf=0.1 ron=10m)\n";
  nsds_circuit(s->model, &(nsds_circuit_def){.file = "model.cir", .text = text});
  s->simulation = nsds_time_stepping(s->model, &(nsds_time_stepping_def){.t1 = 1.0, .h = 1e-4});
}

static void tell_network(story *s) {
  story_build(s, build_network);
  story_steps(s, 20);
}

const scenario scenarios_jobs[] = {
    {.name = "netlist_of_a_converter", .tell = tell_job, .self = &converter},
    {.name = "netlist_with_junctions", .tell = tell_job, .self = &junctions},
    {.name = "model_file", .tell = tell_job, .self = &machine},
    {.name = "page_of_a_model_file", .tell = tell_page, .self = &machine},
    {.name = "sweep_of_a_netlist", .tell = tell_sweep},
    {.name = "circuit_in_a_model", .tell = tell_network},
    {.name = NULL},
};
