/*
 * Sampled control: user functions called at t0 + phase + k period, as soon as the state of that time
 * is the model's. The clock counts samples, so a failed and repeated step does not sample twice.
 */
#include "sampler.h"

static double next_time(const nsds_simulation *sim, const nsds_sampler *s) {
  return sim->def.t0 + s->def.phase + (double)s->count * s->def.period;
}

nsds_status nsds_samplers_run(nsds_simulation *sim) {
  for (size_t k = 0; k < sim->sampler.count; ++k) {
    nsds_sampler *s = sim->sampler.item[k];
    while (next_time(sim, s) <= sim->t + 1e-6 * sim->h) {
      int code = s->def.sample(sim, s->def.user);
      if (code != 0)
        return nsds_fail(sim->context, code < 0 ? NSDS_ERROR_ABORTED : NSDS_ERROR_CALLBACK,
                         "sampler '%s' returned %d at t = %.17g (0 is success)", s->name, code,
                         sim->t);
      ++s->count;
    }
  }
  return NSDS_OK;
}

static bool aligned(double time, double h) {
  double steps = time / h;
  return fabs(steps - round(steps)) <= 1e-6;
}

nsds_status nsds_simulation_sample(nsds_simulation *sim, const nsds_sampler_def *def) {
  const char *call = "nsds_simulation_sample";
  if (!sim || !def || !def->sample)
    return nsds_fail_null(sim ? sim->context : NULL, call,
                          !sim ? "simulation" : !def ? "def" : "def->sample");
  nsds_context *context = sim->context;
  if (!(def->period > 0.0) || !isfinite(def->period) || !(def->phase >= 0.0) ||
      !isfinite(def->phase))
    return nsds_fail(context, NSDS_ERROR_VALUE,
                     "%s: period is %g and phase %g; the period must be positive, the phase >= 0",
                     call, def->period, def->phase);
  if (!aligned(def->period, sim->h) || !aligned(def->phase, sim->h))
    return nsds_fail(context, NSDS_ERROR_VALUE,
                     "%s: period %.17g and phase %.17g must be multiples of the step h = %.17g", call,
                     def->period, def->phase, sim->h);
  nsds_sampler *s = NSDS_NEW(context, nsds_sampler);
  if (!s) return NSDS_ERROR_MEMORY;
  s->def = *def;
  for (int k = 0; def->name && def->name[k] && k < nsds_name_size - 1; ++k) s->name[k] = def->name[k];
  s->def.name = NULL;
  if (nsds_list_push(context, &sim->sampler, s)) {
    nsds_release(context, s);
    return NSDS_ERROR_MEMORY;
  }
  double past = (sim->t - sim->def.t0 - def->phase) / def->period; /* joined later: no old samples */
  if (past > 0.0) s->count = (long)ceil(past - 1e-6);
  return nsds_samplers_run(sim);
}

void nsds_samplers_destroy(nsds_simulation *sim) {
  for (size_t k = 0; k < sim->sampler.count; ++k) nsds_release(sim->context, sim->sampler.item[k]);
  nsds_release(sim->context, sim->sampler.item);
}
