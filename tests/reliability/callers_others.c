/*
 * The other functions of a program: geometries, integrators, solvers with their progress, samplers and
 * events, check_solver, nonlinear problems, mixing of materials.
 */
#include "callers.h"

/* ---- geometries ---- */

typedef struct geometry {
  const nsds_geometry_ops *ops;
  void *self;
  nsds_geometry_ops callers;
} geometry;

static nsds_status geometry_find(void *self, double t, nsds_contacts *contacts) {
  geometry *d = self;
  return callers_status(d->ops->find(d->self, t, contacts), NULL, 0);
}

static nsds_status geometry_output(void *self, uint64_t key, const nsds_arguments *in, double *y) {
  geometry *d = self;
  return callers_status(d->ops->output(d->self, key, in, y), y, 1);
}

static nsds_status geometry_gradient(void *self, uint64_t key, const nsds_arguments *in,
                                     const double *found, double *H) {
  geometry *d = self;
  return callers_status(d->ops->gradient_v(d->self, key, in, found, H), H, in->nv);
}

static nsds_status geometry_bias(void *self, uint64_t key, const nsds_arguments *in,
                                 const double *found, double *bias) {
  geometry *d = self;
  return callers_status(d->ops->bias(d->self, key, in, found, bias), bias, 1);
}

static double geometry_reach(void *self) {
  geometry *d = self;
  double reach = d->ops->reach(d->self);
  callers_value(&reach, 1);
  return reach;
}

static double geometry_travel(void *self, const nsds_ds *ds, const double *q0, const double *q) {
  geometry *d = self;
  double travel = d->ops->travel(d->self, ds, q0, q);
  callers_value(&travel, 1);
  return travel;
}

static void geometry_destroy(void *self) {
  geometry *d = self;
  d->ops->destroy(d->self);
}

nsds_contact_set *__real_nsds_custom_contact_set(nsds_model *model,
                                                 const nsds_custom_contact_set_def *def);
nsds_contact_set *__wrap_nsds_custom_contact_set(nsds_model *model,
                                                 const nsds_custom_contact_set_def *def);
nsds_contact_set *__wrap_nsds_custom_contact_set(nsds_model *model,
                                                 const nsds_custom_contact_set_def *def) {
  geometry kept = {def->ops, def->self, *def->ops}, *d = callers_keep(&kept, sizeof kept);
  d->callers.find = geometry_find;
  if (d->ops->output) d->callers.output = geometry_output;
  if (d->ops->gradient_v) d->callers.gradient_v = geometry_gradient;
  if (d->ops->bias) d->callers.bias = geometry_bias;
  if (d->ops->reach) d->callers.reach = geometry_reach;
  if (d->ops->travel) d->callers.travel = geometry_travel;
  if (d->ops->destroy) d->callers.destroy = geometry_destroy;
  nsds_custom_contact_set_def other = *def;
  other.ops = &d->callers;
  other.self = d;
  return __real_nsds_custom_contact_set(model, &other);
}

/* The gap that a geometry hands over. */
nsds_status __real_nsds_contacts_add(nsds_contacts *contacts, const nsds_contact_point *point);
nsds_status __wrap_nsds_contacts_add(nsds_contacts *contacts, const nsds_contact_point *point);
nsds_status __wrap_nsds_contacts_add(nsds_contacts *contacts, const nsds_contact_point *point) {
  double y = point->y[0];
  callers_value(&y, 1);
  if (y == point->y[0]) return __real_nsds_contacts_add(contacts, point);
  nsds_contact_point other = *point;
  const double spoiled[8] = {y, y, y, y, y, y, y, y};
  other.y = spoiled;
  return __real_nsds_contacts_add(contacts, &other);
}

/* ---- integrators, whose operations have no pointer of their own ---- */

enum { integrated_most = 16 };
static struct {
  const nsds_ds *ds;
  const nsds_integrator *integrator;
} integrated[integrated_most];
static int integrated_count;

static const nsds_integrator *of(const nsds_integration *s) {
  for (int k = integrated_count - 1; k >= 0; --k)
    if (integrated[k].ds == s->ds) return integrated[k].integrator;
  return NULL;
}

#define STAGE(operation, out, n)                                                                   \
  static nsds_status integrator_##operation(nsds_integration *s) {                                 \
    return callers_status(of(s)->operation(s), out, (out) ? (n) : 0);                              \
  }
STAGE(check, (double *)NULL, 0)
STAGE(refresh, s->force, s->nu)
STAGE(free, s->u_free, s->nu)
STAGE(evaluate, s->residual, s->nu)
STAGE(tangent, (double *)NULL, 0)
STAGE(solve, s->u_free, s->nu)
STAGE(advance, s->q_end, s->nq)
STAGE(finish, s->reaction_end, s->nu)

static void integrator_apply(const nsds_integration *s, int nrhs, double *b) {
  of(s)->apply(s, nrhs, b);
  callers_value(b, nrhs * s->nu);
}

nsds_status __real_nsds_ds_set_integrator(nsds_ds *ds, const nsds_integrator *integrator);
nsds_status __wrap_nsds_ds_set_integrator(nsds_ds *ds, const nsds_integrator *integrator);
nsds_status __wrap_nsds_ds_set_integrator(nsds_ds *ds, const nsds_integrator *integrator) {
  bool own = integrator && integrator != nsds_integrator_named(integrator->name);
  if (!ds || !own) return __real_nsds_ds_set_integrator(ds, integrator);
  nsds_integrator *d = callers_keep(integrator, sizeof *integrator);
  if (d->check) d->check = integrator_check;
  if (d->refresh) d->refresh = integrator_refresh;
  if (d->free) d->free = integrator_free;
  if (d->evaluate) d->evaluate = integrator_evaluate;
  if (d->tangent) d->tangent = integrator_tangent;
  if (d->solve) d->solve = integrator_solve;
  if (d->apply) d->apply = integrator_apply;
  if (d->advance) d->advance = integrator_advance;
  if (d->finish) d->finish = integrator_finish;
  integrated_count %= integrated_most;
  integrated[integrated_count].ds = ds;
  integrated[integrated_count++].integrator = integrator;
  return __real_nsds_ds_set_integrator(ds, d);
}

/* ---- solvers ---- */

typedef struct solver {
  const nsds_solver_ops *ops;
  nsds_solver_ops callers;
} solver;

/* What `create` has made, beside the operations. */
typedef struct instance {
  const nsds_solver_ops *ops;
  void *self;
} instance;

static nsds_status solver_create(void *user, nsds_context *context, void **self) {
  const solver *d = user;
  instance made = {d->ops, d->ops->user};
  nsds_status status = NSDS_OK;
  if (d->ops->create) status = d->ops->create(d->ops->user, context, &made.self);
  *self = callers_keep(&made, sizeof made);
  return status;
}

static void solver_destroy(void *self) {
  instance *d = self;
  if (d->ops->destroy) d->ops->destroy(d->self);
}

static nsds_status solver_reserve(void *self, const nsds_problem *problem) {
  instance *d = self;
  return callers_status(d->ops->reserve(d->self, problem), NULL, 0);
}

static nsds_status solver_solve(void *self, nsds_solver_task *task, double *z) {
  instance *d = self;
  return callers_status(d->ops->solve(d->self, task, z), z, task->problem->n);
}

nsds_status __real_nsds_solver_register(nsds_context *context, const nsds_solver_ops *ops);
nsds_status __wrap_nsds_solver_register(nsds_context *context, const nsds_solver_ops *ops);
nsds_status __wrap_nsds_solver_register(nsds_context *context, const nsds_solver_ops *ops) {
  solver kept = {ops, *ops}, *d = callers_keep(&kept, sizeof kept);
  d->callers.user = d;
  d->callers.create = solver_create;
  d->callers.destroy = solver_destroy;
  if (ops->reserve) d->callers.reserve = solver_reserve;
  d->callers.solve = solver_solve;
  return __real_nsds_solver_register(context, &d->callers);
}

typedef struct progress {
  nsds_progress_fn function;
  void *user;
} progress;

static int progress_caller(int iteration, double residual, void *user) {
  const progress *d = user;
  return callers_operator(d->function(iteration, residual, d->user), NULL, 0);
}

void __real_nsds_solver_set_progress(nsds_solver *s, nsds_progress_fn function, void *user);
void __wrap_nsds_solver_set_progress(nsds_solver *s, nsds_progress_fn function, void *user);
void __wrap_nsds_solver_set_progress(nsds_solver *s, nsds_progress_fn function, void *user) {
  progress kept = {function, user};
  __real_nsds_solver_set_progress(s, progress_caller, callers_keep(&kept, sizeof kept));
}

typedef struct nonlinear {
  nsds_nonlinear_problem problem;
} nonlinear;

static int nonlinear_F(const double *z, double *out, void *user) {
  const nonlinear *d = user;
  return callers_operator(d->problem.F(z, out, d->problem.user), out, d->problem.n);
}

static int nonlinear_jacobian(const double *z, double *out, void *user) {
  const nonlinear *d = user;
  int n = d->problem.n, count = d->problem.p ? d->problem.p[n] : n * n;
  return callers_operator(d->problem.jacobian(z, out, d->problem.user), out, count);
}

nsds_status __real_nsds_nonlinear_solve(nsds_solver *s, const nsds_nonlinear_problem *problem,
                                        int max_steps, double *z, double *w,
                                        nsds_solver_info *info);
nsds_status __wrap_nsds_nonlinear_solve(nsds_solver *s, const nsds_nonlinear_problem *problem,
                                        int max_steps, double *z, double *w,
                                        nsds_solver_info *info);
nsds_status __wrap_nsds_nonlinear_solve(nsds_solver *s, const nsds_nonlinear_problem *problem,
                                        int max_steps, double *z, double *w,
                                        nsds_solver_info *info) {
  nonlinear kept = {*problem};
  nsds_nonlinear_problem other = *problem;
  other.F = nonlinear_F;
  if (problem->jacobian) other.jacobian = nonlinear_jacobian;
  other.user = &kept;
  return __real_nsds_nonlinear_solve(s, &other, max_steps, z, w, info);
}

/* ---- simulations ---- */

static nsds_verdict verdict_caller(nsds_simulation *simulation, const nsds_solver_info *info,
                                   void *user) {
  const nsds_time_stepping_def *d = user;
  nsds_verdict verdict = d->check_solver(simulation, info, d->check_solver_user);
  int said = callers_operator((int)verdict, NULL, 0);
  return said == (int)verdict ? verdict : said > 0 ? NSDS_STOP : (nsds_verdict)said;
}

nsds_simulation *__real_nsds_time_stepping(nsds_model *model, const nsds_time_stepping_def *def);
nsds_simulation *__wrap_nsds_time_stepping(nsds_model *model, const nsds_time_stepping_def *def);
nsds_simulation *__wrap_nsds_time_stepping(nsds_model *model, const nsds_time_stepping_def *def) {
  nsds_time_stepping_def other = *def;
  if (def->check_solver) {
    other.check_solver = verdict_caller;
    other.check_solver_user = callers_keep(def, sizeof *def);
  }
  return __real_nsds_time_stepping(model, &other);
}

static int sample_caller(nsds_simulation *simulation, void *user) {
  const nsds_sampler_def *d = user;
  int returned;
  return callers_event(&returned) ? returned : d->sample(simulation, d->user);
}

nsds_status __real_nsds_simulation_sample(nsds_simulation *simulation, const nsds_sampler_def *def);
nsds_status __wrap_nsds_simulation_sample(nsds_simulation *simulation, const nsds_sampler_def *def);
nsds_status __wrap_nsds_simulation_sample(nsds_simulation *simulation,
                                          const nsds_sampler_def *def) {
  nsds_sampler_def other = *def;
  other.sample = sample_caller;
  other.user = callers_keep(def, sizeof *def);
  return __real_nsds_simulation_sample(simulation, &other);
}

static int event_caller(nsds_simulation *simulation, void *user) {
  const nsds_event_def *d = user;
  int returned;
  return callers_event(&returned) ? returned : d->call(simulation, d->user);
}

nsds_status __real_nsds_simulation_at(nsds_simulation *simulation, const nsds_event_def *def);
nsds_status __wrap_nsds_simulation_at(nsds_simulation *simulation, const nsds_event_def *def);
nsds_status __wrap_nsds_simulation_at(nsds_simulation *simulation, const nsds_event_def *def) {
  nsds_event_def other = *def;
  other.call = event_caller;
  other.user = callers_keep(def, sizeof *def);
  return __real_nsds_simulation_at(simulation, &other);
}

/* ---- materials ---- */

static void mix_caller(const nsds_material *a, const nsds_material *b, nsds_material *pair,
                       void *user) {
  const nsds_shapes_def *d = user;
  d->mix_fn(a, b, pair, d->user);
  callers_value(&pair->mu, 1);
}

nsds_contact_set *__real_nsds_shapes(nsds_model *model, const nsds_shapes_def *def);
nsds_contact_set *__wrap_nsds_shapes(nsds_model *model, const nsds_shapes_def *def);
nsds_contact_set *__wrap_nsds_shapes(nsds_model *model, const nsds_shapes_def *def) {
  nsds_shapes_def other = *def;
  if (def->mix_fn) {
    other.mix_fn = mix_caller;
    other.user = callers_keep(def, sizeof *def);
  }
  return __real_nsds_shapes(model, &other);
}
