/*
 * A netlist as a job: text, cards, elements, equations, steps. Rows of the table are read off the
 * straight lines between steps; measures see each step.
 */
#include "run/circuit/circuit.h"

#include "run/circuit/balance.h"
#include "run/circuit/currents.h"
#include "run/circuit/expand.h"
#include "run/circuit/stepper.h"
#include "run/circuit/topology.h"
#include "base/text/words.h"

#include <nsds/extend.h>

#include <math.h>
#include <string.h>

/* A probe's factors. */
typedef struct probe_look {
  double first, second;
} probe_look;

typedef struct circuit_job {
  nsds_netlist netlist;
  nsds_elements elements;
  nsds_stepper stepper;
  nsds_balance balance;
  double *last, *now; /* values of probes at the last two steps */
  probe_look *look;   /* factors of probes now */
  bool looked;        /* they are known */
  double last_t, now_t;
  long row; /* of the row that is shown */
} circuit_job;

/* ---- probes ---- */

static double potential(const nsds_equations *e, const nsds_instant *at, int node) {
  int unknown = node < 0 ? -1 : e->node[node];
  return unknown < 0 ? 0.0 : at->z[unknown];
}

/* The factors of a probe: its value, or current and voltage of a power. */
static void look_at(const nsds_equations *e, const nsds_instant *at, const nsds_probe *probe,
                    probe_look *out) {
  *out = (probe_look){.second = 1.0};
  if (probe->what == 'v') {
    out->first = potential(e, at, probe->a) - potential(e, at, probe->b);
    return;
  }
  out->first = nsds_current_of(e, at, probe->a);
  if (probe->what == 'p')
    out->second = nsds_equations_voltage(e, at->z, &e->elements->item[probe->a], 0);
}

/*
 * Adds the integral of an impulse, beyond that of the value behind the jump. The Euler step of
 * length a that takes the jump has the charge or flux. Voltages beside impulses of current are the
 * means of before and behind,
 *
 *   a ((i - i1) (v0 + v1) / 2 + (v - v1) (i0 + i1) / 2)
 */
static double impulse_of(const probe_look *old, const probe_look *jump, const probe_look *now,
                         double length) {
  return 0.5 * length *
         ((jump->first - now->first) * (old->second + now->second) +
          (jump->second - now->second) * (old->first + now->first));
}

/* Gives a step without jumps to a measure. */
static void take_stages(const nsds_stepper *s, const nsds_probe *probe, nsds_measure *measure,
                        double t, double x) {
  probe_look middle = {0};
  if (s->middle_weight > 0.0) look_at(&s->equations, &s->middle, probe, &middle);
  nsds_measure_step(measure, t, s->middle_weight, middle.first * middle.second, x);
}

/* All probes now; the measures see them. */
static void look(nsds_job *job) {
  circuit_job *c = job->self;
  const nsds_stepper *s = &c->stepper;
  double *old = c->last;
  c->last = c->now;
  c->now = old;
  c->last_t = c->now_t;
  c->now_t = s->now.t;
  for (int k = 0; k < c->elements.nprobe; ++k) {
    const nsds_probe *probe = &c->elements.probe[k];
    probe_look before = c->look[k], *now = &c->look[k], jump;
    look_at(&s->equations, &s->now, probe, now);
    c->now[k] = now->first * now->second;
    int measure = k - c->elements.ncolumn;
    if (measure < 0 || measure >= job->measures.count) continue;
    bool jumps = s->jump_length > 0.0 && c->looked;
    if (!jumps) {
      take_stages(s, probe, &job->measures.item[measure], c->now_t, c->now[k]);
      continue;
    }
    nsds_measure_take(&job->measures.item[measure], c->last_t, c->now[k]);
    nsds_measure_take(&job->measures.item[measure], c->now_t, c->now[k]);
    look_at(&s->equations, &s->jump, probe, &jump);
    nsds_measure_add(&job->measures.item[measure], c->last_t,
                     impulse_of(&before, &jump, now, s->jump_length));
  }
  c->looked = true;
}

/* ---- rows ---- */

static double row_time(const circuit_job *c, long row) {
  const nsds_analysis *a = &c->elements.analysis;
  return a->start + (double)row * a->step;
}

static void fill_row(nsds_job *job, double t) {
  const circuit_job *c = job->self;
  double length = c->now_t - c->last_t, part = length > 0.0 ? (t - c->last_t) / length : 1.0;
  job->row[0] = t;
  for (int k = 0; k < c->elements.ncolumn; ++k)
    job->row[k + 1] = c->last[k] + fmin(fmax(part, 0.0), 1.0) * (c->now[k] - c->last[k]);
}

/* Steps until the time is reached. */
static nsds_status go_to(nsds_job *job, double t) {
  circuit_job *c = job->self;
  nsds_status status = NSDS_OK;
  while (!status && c->now_t < t && c->now_t < c->elements.analysis.end * (1.0 - 1e-14))
    status = nsds_stepper_advance(&c->stepper);
  return status;
}

/* Sees a step, which the job or the program has made. */
static nsds_status see_step(void *user) {
  nsds_job *job = user;
  look(job);
  if (job->balance) nsds_balance_take(job->balance);
  return NSDS_OK;
}

static int numbers_kept(const nsds_job *job, bool balance) {
  const circuit_job *c = job->self;
  return 4 + 4 * c->elements.nprobe + nsds_measure_kept * job->measures.count +
         (balance ? nsds_balance_kept(c->elements.count) : 0);
}

static void keep_job(void *user, nsds_keeper *k) {
  nsds_job *job = user;
  circuit_job *c = job->self;
  nsds_keep_number(k, &c->last_t);
  nsds_keep_number(k, &c->now_t);
  nsds_keep_count(k, &c->row, 0.0, 1e15);
  nsds_keep_bool(k, &c->looked);
  nsds_keep_numbers(k, c->last, c->elements.nprobe);
  nsds_keep_numbers(k, c->now, c->elements.nprobe);
  for (int n = 0; n < c->elements.nprobe; ++n) {
    nsds_keep_number(k, &c->look[n].first);
    nsds_keep_number(k, &c->look[n].second);
  }
  nsds_measures_keep(&job->measures, k);
  if (job->balance) nsds_balance_keep(job->balance, k);
  if (k->back) fill_row(job, row_time(c, c->row));
}

static nsds_status circuit_step(nsds_job *job) {
  circuit_job *c = job->self;
  double end = c->elements.analysis.end, t = row_time(c, c->row + 1);
  while (t < c->last_t) t = row_time(c, ++c->row + 1); /* the program has gone on by itself */
  if (t > end * (1.0 + 1e-9)) {
    nsds_status status = go_to(job, end);
    return status ? status : NSDS_END;
  }
  t = fmin(t, end);
  nsds_status status = go_to(job, t);
  if (status) return status;
  ++c->row;
  fill_row(job, t);
  return NSDS_OK;
}

/* ---- making ---- */

static void circuit_destroy(nsds_job *job) {
  circuit_job *c = job->self;
  if (!c) return;
  nsds_balance_free(&c->balance);
  nsds_stepper_free(&c->stepper);
  nsds_elements_free(&c->elements);
  nsds_netlist_free(&c->netlist);
  nsds_free(c->last);
  nsds_free(c->now);
  nsds_free(c->look);
  nsds_free(c);
}

static double circuit_end(const nsds_job *job) {
  const circuit_job *c = job->self;
  return c->elements.analysis.end;
}

static const nsds_job_ops circuit_ops = {
    .step = circuit_step, .end = circuit_end, .destroy = circuit_destroy};

static nsds_status start_steps(nsds_job *job, bool balance) {
  circuit_job *c = job->self;
  bool *reference = nsds_alloc(job->context, "the circuit", (size_t)c->elements.node.count + 1,
                               sizeof *reference);
  size_t count = (size_t)c->elements.nprobe + 1;
  NSDS_MAKE(job->context, c->last, count);
  NSDS_MAKE(job->context, c->now, count);
  NSDS_MAKE(job->context, c->look, count);
  nsds_status status = !reference || !c->last || !c->now || !c->look || nsds_job_make_row(job)
                           ? NSDS_ERROR_MEMORY
                           : nsds_topology_check(&c->elements, reference);
  if (!status)
    status = nsds_stepper_make(
        &c->stepper, job->context, &c->elements, reference,
        &(nsds_circuit_owner){
            .step = see_step, .keep = keep_job, .nkept = numbers_kept(job, balance), .user = job});
  nsds_free(reference);
  if (status) return status;
  double settled = c->stepper.now.t;
  c->stepper.now.t = 0.0; /* the start has the values of behind the jumps */
  look(job);
  c->stepper.now.t = settled;
  c->stepper.jump_length = 0.0; /* likewise: impulses at the start are before it */
  look(job);
  if (balance) {
    status = nsds_balance_make(&c->balance, &c->stepper);
    if (status) return status;
    job->balance = &c->balance;
  }
  job->model = c->stepper.kernel.model;
  job->simulation = c->stepper.kernel.simulation;
  if (job->sources.check) return NSDS_OK;
  status = go_to(job, c->elements.analysis.start);
  if (!status) fill_row(job, c->elements.analysis.start);
  return status;
}

nsds_status nsds_circuit_read(nsds_job *job, const nsds_job_def *def, const char *text,
                              size_t size) {
  (void)size;
  circuit_job *c = nsds_alloc(job->context, "the circuit", 1, sizeof *c);
  if (!c) return NSDS_ERROR_MEMORY;
  job->ops = &circuit_ops;
  job->circuit = true;
  job->self = c;
  c->netlist.job = job;
  c->elements.netlist = &c->netlist;
  nsds_status status = nsds_netlist_read(&c->netlist, def->file ? def->file : "netlist", text);
  if (!status && job->sources.left_out > 0) return NSDS_END; /* of a check */
  if (!status) status = nsds_circuit_expand(&c->elements, def->nsettings, def->settings);
  if (!status && c->elements.count == 0)
    status = nsds_netlist_refuse(&c->netlist, (nsds_place){0, 1, 1}, "there are no elements");
  return status ? status : start_steps(job, def->balance);
}
