/*
 * nsds run under mpirun: a model file as a granular world of all processes.
 *
 *     read       every process reads the file; definitions take less than contacts
 *     world      bodies, scenery and scheme of the file, by nsds_job_world()
 *     step       nsds_mpi_world_step(); contacts and problems stay on their processes
 *     row        where a row or measure looks at states, those of all bodies go to all processes, 104 bytes
 *                a body, and into the model of the job
 *     write      the first process writes as one process does; --vtk writes a piece of each process
 */
#include "errors.h"
#include "processes.h"
#include "run.h"
#include "stop.h"

#include <nsds/extend.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { positions = 7, velocities = 6, of_body = positions + velocities };

typedef struct world_team {
  run_team team;
  mpi_calls call;
  nsds_context *context;
  nsds_mpi *mpi;
  nsds_job *job;
  nsds_mpi_world *world;
  double *state; /* of all bodies */
  int frame;
} world_team;

/* ---- kinds and bodies ---- */

/* A kind is that of the bodies before, if they have the same numbers: of the last ones alone. */
enum { kinds_back = 64 };

static bool are_same(const double *a, const double *b, size_t n) {
  for (size_t k = 0; k < n; ++k)
    if (a[k] != b[k]) return false;
  return true;
}

/* Compares bytes: shapes that differ in padding alone become two kinds, which does no harm. */
static bool is_same_shape(const nsds_shape_def *a, const nsds_shape_def *b) {
  nsds_shape_def x = *a, y = *b;
  x.vertex = y.vertex = NULL;
  const void *one = &x, *other = &y;
  if (memcmp(one, other, sizeof x) != 0) return false;
  return !a->vertex || are_same(a->vertex, b->vertex, 3 * (size_t)a->nvertex);
}

static bool is_of_kind(const nsds_job_body *body, const nsds_mpi_kind *kind) {
  if (body->mass != kind->mass || body->nshape != kind->nshape) return false;
  if (!are_same(body->inertia, kind->inertia, sizeof kind->inertia / sizeof *kind->inertia))
    return false;
  for (int k = 0; k < body->nshape; ++k)
    if (!is_same_shape(&body->shape[k], &kind->shape[k])) return false;
  return true;
}

/* Returns the kind of a body, a new one if there is none. */
static int kind_of_body(const nsds_job_body *body, nsds_mpi_kind *kind, int *count) {
  for (int k = *count - 1; k >= 0 && k >= *count - kinds_back; --k)
    if (is_of_kind(body, &kind[k])) return k;
  nsds_mpi_kind *next = &kind[*count];
  *next = (nsds_mpi_kind){.mass = body->mass, .nshape = body->nshape, .shape = body->shape};
  memcpy(next->inertia, body->inertia, sizeof next->inertia);
  return (*count)++;
}

static nsds_status make_scenery(nsds_model *model, nsds_contact_set *set, void *user) {
  const world_team *t = user;
  return nsds_job_scenery(t->job, model, set);
}

static nsds_mpi_world_def def_of_world(world_team *t, bool reproducible) {
  const nsds_job_world_info *info = nsds_job_world(t->job);
  nsds_mpi_world_def def = {.t0 = info->t0,
                            .h = info->h,
                            .nmaterial = info->nmaterial,
                            .material = info->material,
                            .mix = info->mix,
                            .scenery = make_scenery,
                            .user = t,
                            .reach = info->reach,
                            .tolerance = info->tolerance,
                            .max_iterations = info->max_iterations,
                            .leads_out = info->leads_out,
                            .overlap_sweeps = info->overlap_sweeps,
                            .reproducible = reproducible};
  memcpy(def.gravity, info->gravity, sizeof def.gravity);
  return def;
}

/* Fills the run of bodies that this process brings, and the kinds of all. */
static void take_bodies(const world_team *t, nsds_mpi_kind *kind, nsds_mpi_body *own,
                        nsds_mpi_world_def *def) {
  const nsds_job_world_info *info = nsds_job_world(t->job);
  long long rank = t->call.rank(t->mpi), size = t->call.size(t->mpi), n = info->nbody;
  for (int k = 0; k < info->nbody; ++k) {
    int found = kind_of_body(&info->body[k], kind, &def->nkind);
    if (k < n * rank / size || k >= n * (rank + 1) / size) continue;
    nsds_mpi_body *b = &own[def->nbody++];
    *b = (nsds_mpi_body){.id = k, .kind = found, .size = 1.0};
    memcpy(b->q, nsds_q(info->body[k].ds), sizeof b->q);
    memcpy(b->v, nsds_v(info->body[k].ds), sizeof b->v);
  }
}

/* Creates the world. Returns a status that all processes share. */
static nsds_status create_world(world_team *t, bool reproducible) {
  size_t n = (size_t)nsds_job_world(t->job)->nbody;
  nsds_mpi_kind *kind = calloc(n, sizeof *kind);
  nsds_mpi_body *own = calloc(n, sizeof *own);
  t->state = calloc(n, of_body * sizeof *t->state);
  bool there = kind && own && t->state;
  nsds_status status = t->call.agree(t->mpi, there ? NSDS_OK : NSDS_ERROR_MEMORY);
  if (!status && there) {
    nsds_mpi_world_def def = def_of_world(t, reproducible);
    take_bodies(t, kind, own, &def);
    def.kind = kind, def.body = own;
    t->world = t->call.world_create(t->mpi, &def);
    if (!t->world) status = nsds_error(t->context);
  }
  free(kind);
  free(own);
  return status;
}

/* ---- steps ---- */

/* Puts the states of all bodies into the model of the job. Each process adds its own to zeros. */
static nsds_status show_states(world_team *t) {
  const nsds_job_world_info *info = nsds_job_world(t->job);
  const nsds_model *model = t->call.world_model(t->world);
  memset(t->state, 0, (size_t)info->nbody * of_body * sizeof *t->state);
  nsds_status status = NSDS_OK;
  for (int k = 0; !status && k < t->call.world_count(t->world); ++k) {
    nsds_mpi_body b;
    status = t->call.world_body(t->world, k, &b);
    double *to = t->state + of_body * b.id;
    memcpy(to, b.q, sizeof b.q);
    memcpy(to + positions, b.v, sizeof b.v);
  }
  t->call.total(t->mpi, info->nbody * of_body, t->state);
  for (int k = 0; !status && k < info->nbody; ++k) {
    const double *from = t->state + (ptrdiff_t)of_body * k;
    status = nsds_set_state(info->body[k].ds, from, from + positions);
  }
  for (int k = 0; !status && model && k < info->nprescribed; ++k) {
    nsds_ds *moved = nsds_ds_at(model, k);
    status = nsds_set_state(info->prescribed[k], nsds_q(moved), nsds_v(moved));
  }
  return t->call.agree(t->mpi, status);
}

static nsds_status step_of_team(bool show, nsds_job_figures *figures, void *user) {
  world_team *t = user;
  double stops = stop_asked() ? 1.0 : 0.0;
  t->call.total(t->mpi, 1, &stops);
  if (stops > 0.0) return NSDS_STOPPED;
  nsds_status status = t->call.world_step(t->world);
  if (status) return status;
  const nsds_mpi_world_info *info = t->call.world_report(t->world);
  *figures = (nsds_job_figures){.t = t->call.world_time(t->world),
                                .steps = info->steps,
                                .found = info->found,
                                .active = info->contacts,
                                .iterations = info->solver.iterations,
                                .residual = info->solver.residual};
  return show ? show_states(t) : NSDS_OK;
}

static nsds_status agree_of_team(run_team *team, nsds_status status) {
  world_team *t = (world_team *)(void *)team;
  return t->call.agree(t->mpi, status);
}

static nsds_status vtk_of_team(run_team *team, const char *path) {
  world_team *t = (world_team *)(void *)team;
  return t->call.world_write_vtk(t->world, path, t->frame++);
}

/* ---- the run ---- */

/* Processes cannot agree on limits that each meets at a time of its own. */
static const char *wrong_run_option(const run_options *o) {
  if (o->untrusted) return "--untrusted";
  if (o->limits.seconds > 0.0) return "--time-limit";
  if (o->limits.memory > 0) return "--memory-limit";
  if (o->balance) return "--balance";
  if (o->expand) return "--expand";
  if (o->describe) return "--describe";
  return NULL;
}

static nsds_job *read_file_of_team(const world_team *t, const run_options *o) {
  return nsds_job_create(t->context, &(nsds_job_def){.file = o->file,
                                                     .nsettings = o->nsettings,
                                                     .settings = o->settings,
                                                     .refuse_plugins = o->refuse_plugins,
                                                     .folders = o->folders,
                                                     .limits = o->limits,
                                                     .world = true});
}

/* FNV-1a of a text that comes in pieces. */
static void add_to_digest(const char *piece, void *user) {
  uint32_t *digest = user;
  for (; *piece; ++piece) *digest = (*digest ^ (unsigned char)*piece) * 16777619u;
}

/* All processes must run one file with one set of parameters: else they would wait for each other. */
static nsds_status check_same_run(const world_team *t, const run_options *o) {
  uint32_t digest = 2166136261u;
  nsds_status status = nsds_job_expand(t->job, add_to_digest, &digest);
  add_to_digest(o->vtk ? "vtk" : "", &digest);
  add_to_digest(o->reproducible ? "reproducible" : "", &digest);
  double sum = digest, size = t->call.size(t->mpi);
  t->call.total(t->mpi, 1, &sum); /* exact: up to a million whole numbers below 2^32 */
  if (!status && sum != digest * size)
    status = nsds_report(t->context, NSDS_ERROR_VALUE,
                         "%s: the processes have different files or parameters; valid is the same "
                         "file with the same --set, --vtk and --reproducible on all",
                         o->file);
  return t->call.agree(t->mpi, status);
}

/* Reads the file and creates its world, on all processes or on none. */
static nsds_status open_team(world_team *t, const run_options *o) {
  t->job = read_file_of_team(t, o);
  nsds_status status = t->job ? NSDS_OK : nsds_error(t->context);
  status = t->call.agree(t->mpi, status);
  if (!status) status = check_same_run(t, o);
  if (!status) status = create_world(t, o->reproducible);
  if (!status) status = nsds_job_drive(t->job, step_of_team, t);
  return status;
}

static int run_team_file(world_team *t, const run_options *o) {
  run_options own = *o;
  own.team = &t->team;
  if (t->team.silent) {
    own.output = own.picture = own.page = NULL;
    own.hdf5 = false;
    own.measures_alone = true;
  }
  if (!open_team(t, o)) return run_job(t->job, &own, t->context);
  if (!t->team.silent) tell_error(o->command, t->context);
  return exit_failed;
}

int run_by_processes(const run_options *o, int rank, int size) {
  world_team t = {.team = {rank > 0, agree_of_team, vtk_of_team}};
  const char *wrong = wrong_run_option(o);
  if (wrong && rank == 0)
    usage_error(o->command,
                "%s does not go with %d processes; valid are --output, --plot, --html, --vtk, "
                "--set, --folders, --refuse-plugins, --file-limit, --number-limit, --measures and "
                "--reproducible",
                wrong, size);
  if (wrong) return exit_usage;
  if (!find_mpi_calls(&t.call, o->command, rank, size)) return exit_failed;
  t.context = nsds_context_create(&(nsds_context_def){.log = rank == 0 ? print_warning : NULL});
  if (t.context) t.mpi = t.call.create(t.context, NULL);
  int code = exit_failed;
  if (t.mpi) code = run_team_file(&t, o);
  else if (rank == 0) tell_error(o->command, t.context);
  t.call.world_destroy(t.world);
  nsds_job_destroy(t.job);
  free(t.state);
  t.call.destroy(t.mpi);
  nsds_context_destroy(t.context);
  return code;
}
