/*
 * A circuit in a model. In the equations of a step (circuit_equations.h), the rows of capacitors and inductors become
 * differential. Voltages of capacitors and currents of inductors are the state x, so that
 *
 *   y = D lambda + C x + e(t),   r = B lambda,   M dx/dt = r
 *
 * lambda: potentials and currents but those of inductors. Rows of capacitors say v+ - v- = x. An open switch has the
 * row y = i in place of its own, so that bounds never change. D, C and B are dense: circuits in models are small. Each
 * solution is searched for shorts, as in a run of a netlist (shorts.h).
 */
#include "run/circuit/circuit_equations.h"
#include "run/circuit/expand.h"
#include "run/circuit/modes.h"
#include "run/circuit/shorts.h"
#include "run/circuit/topology.h"
#include "base/text/words.h"

#include <nsds/extend.h>
#include <nsds/first_order.h>
#include <nsds/law.h>
#include <nsds/run.h>

#include <math.h>
#include <string.h>

enum { most_unknowns = 1000 };

struct nsds_network {
  nsds_job job; /* for messages of the reader */
  nsds_netlist netlist;
  nsds_elements elements;
  nsds_equations equations;
  int *lambda;      /* place in lambda of an unknown; -1: current of an inductor */
  int n;            /* length of lambda */
  nsds_modes modes; /* what conducts: the search for shorts needs it, and what follows */
  double *z;        /* all unknowns */
  double *work;     /* room for D and C, or for B: a step allocates nothing */
  double largest;   /* the largest source or initial voltage [V] */
  nsds_ds *ds;
  nsds_interaction *interaction;
};

static void free_network(nsds_network *w) {
  nsds_modes_free(&w->modes);
  nsds_free(w->z);
  nsds_free(w->work);
  nsds_equations_free(&w->equations);
  nsds_elements_free(&w->elements);
  nsds_netlist_free(&w->netlist);
  nsds_job_clear(&w->job);
  nsds_free(w->lambda);
  nsds_free(w);
}

/* ---- the relation ---- */

/* A time within the step that ends at t, however t is rounded. */
static double just_before(double t) { return t - 1e-12 * fabs(t); }

/* The smooth piece that a step ends in: at a corner the one before. */
static double network_wave(const nsds_network *w, int wave, double t) {
  return nsds_wave_value(&w->elements.wave[wave], t, just_before(t));
}

static bool is_open(const nsds_network *w, int k, double t) {
  const nsds_element *element = &w->elements.item[k];
  if (element->kind != NSDS_ELEMENT_SWITCH || element->wave < 0) return false;
  return !(network_wave(w, element->wave, just_before(t)) > element->threshold);
}

/* D at time t; or C, of the states. */
static nsds_status network_matrix(const nsds_network *w, double t, bool states, double *out) {
  const nsds_equations *e = &w->equations;
  size_t columns = (size_t)(states ? e->nstate : w->n);
  memset(out, 0, (size_t)w->n * columns * sizeof *out);
  for (int j = 0; j < e->n; ++j)
    for (int k = e->p[j]; k < e->p[j + 1]; ++k) {
      int row = w->lambda[e->i[k]], column = w->lambda[j];
      if (row >= 0 && !states && column >= 0)
        out[(size_t)row + (size_t)column * (size_t)w->n] = e->base[k];
    }
  for (int s = 0; s < e->nstate && states; ++s) {
    int owner = e->owner[s], j = e->branch[owner];
    double *column = out + (size_t)s * (size_t)w->n;
    if (w->lambda[j] >= 0) column[w->lambda[j]] = 1.0; /* a capacitor's own row */
    for (int k = e->p[j]; k < e->p[j + 1] && w->lambda[j] < 0; ++k)
      if (w->lambda[e->i[k]] >= 0) column[w->lambda[e->i[k]]] = e->base[k];
  }
  for (int k = 0; k < w->elements.count && !states; ++k) {
    if (!is_open(w, k, t)) continue;
    int row = w->lambda[e->branch[k]];
    for (int j = 0; j < w->n; ++j) out[(size_t)row + (size_t)j * (size_t)w->n] = j == row;
  }
  return NSDS_OK;
}

static nsds_status network_d(void *self, const nsds_arguments *in, double *D) {
  return network_matrix(self, in->t, false, D);
}

static nsds_status network_c(void *self, const nsds_arguments *in, double *C) {
  return network_matrix(self, in->t, true, C);
}

/* e(t), added. */
static void network_sources(const nsds_network *w, double t, double *y) {
  const nsds_equations *e = &w->equations;
  for (int k = 0; k < w->elements.count; ++k) {
    const nsds_element *element = &w->elements.item[k];
    bool source = element->kind == NSDS_ELEMENT_VOLTAGE || element->kind == NSDS_ELEMENT_CURRENT;
    double x = source ? network_wave(w, element->wave, t) : element->drop;
    if (element->kind == NSDS_ELEMENT_CURRENT)
      for (int end = 0; end < 2; ++end) {
        int node = element->node[end] < 0 ? -1 : e->node[element->node[end]];
        if (node >= 0) y[w->lambda[node]] += end == 0 ? x : -x;
      }
    else if (x != 0.0 && e->branch[k] >= 0 && !is_open(w, k, t)) y[w->lambda[e->branch[k]]] += x;
  }
}

/* Refuses a solution in which closed switches and conducting diodes short a source. */
static nsds_status check_network_shorts(nsds_network *w, const nsds_arguments *in) {
  const nsds_equations *e = &w->equations;
  for (int k = 0; k < e->n; ++k) w->z[k] = w->lambda[k] >= 0 ? in->lambda[w->lambda[k]] : 0.0;
  for (int s = 0; s < e->nstate; ++s) {
    int unknown = e->branch[e->owner[s]];
    if (w->lambda[unknown] < 0) w->z[unknown] = in->x[s];
  }
  for (int k = 0; k < w->modes.count; ++k) {
    int element = w->modes.element[k];
    bool diode = w->elements.item[element].kind == NSDS_ELEMENT_DIODE;
    nsds_modes_set(&w->modes, k,
                   diode ? w->z[e->branch[element]] > 0.0 : !is_open(w, element, in->t));
  }
  return nsds_shorts_check(&w->modes, w->z, in->t, w->largest);
}

static nsds_status network_output(void *self, const nsds_arguments *in, double *y) {
  nsds_network *w = self;
  nsds_status status = check_network_shorts(w, in);
  if (status) return status;
  size_t n = (size_t)w->n, nstate = (size_t)w->equations.nstate;
  double *D = w->work;
  network_matrix(w, in->t, false, D);
  network_matrix(w, in->t, true, D + n * n);
  for (size_t i = 0; i < n; ++i) y[i] = 0.0;
  for (size_t j = 0; j < n + nstate; ++j)
    for (size_t i = 0; i < n; ++i) y[i] += D[i + j * n] * (j < n ? in->lambda[j] : in->x[j - n]);
  network_sources(w, in->t, y);
  return NSDS_OK;
}

/* B: what drives a capacitor is its current, what drives an inductor its voltage. */
static nsds_status network_b(void *self, const nsds_arguments *in, double *B) {
  (void)in;
  const nsds_network *w = self;
  const nsds_equations *e = &w->equations;
  memset(B, 0, (size_t)e->nstate * (size_t)w->n * sizeof *B);
  for (int s = 0; s < e->nstate; ++s) {
    const nsds_element *element = &w->elements.item[e->owner[s]];
    int own = w->lambda[e->branch[e->owner[s]]];
    if (own >= 0) B[(size_t)s + (size_t)own * (size_t)e->nstate] = 1.0;
    for (int end = 0; end < 2 && own < 0; ++end) {
      int node = element->node[end] < 0 ? -1 : e->node[element->node[end]];
      if (node >= 0)
        B[(size_t)s + (size_t)w->lambda[node] * (size_t)e->nstate] += end == 0 ? 1.0 : -1.0;
    }
  }
  return NSDS_OK;
}

static nsds_status network_input(void *self, const nsds_arguments *in, double *r) {
  const nsds_network *w = self;
  size_t n = (size_t)w->n, nstate = (size_t)w->equations.nstate;
  double *B = w->work;
  network_b(self, in, B);
  for (size_t s = 0; s < nstate; ++s) r[s] = 0.0;
  for (size_t j = 0; j < n; ++j)
    for (size_t s = 0; s < nstate; ++s) r[s] += B[s + j * nstate] * in->lambda[j];
  return NSDS_OK;
}

/* Corners of sources, and times at which switches open or close. */
static double network_corner(void *self, double t) {
  const nsds_network *w = self;
  double next = INFINITY;
  for (int k = 0; k < w->elements.nwave; ++k)
    next = fmin(next, nsds_wave_next(&w->elements.wave[k], t));
  for (int k = 0; k < w->elements.count; ++k) {
    const nsds_element *e = &w->elements.item[k];
    if (e->kind == NSDS_ELEMENT_SWITCH && e->wave >= 0)
      next = fmin(next, nsds_wave_next_passage(&w->elements.wave[e->wave], e->threshold, t));
  }
  return next;
}

static void network_destroy(void *self) { free_network(self); }

/* A circuit that is smooth in time, and any other one. */
#define NETWORK_OPS                                                                                \
  .type = "circuit", .output = network_output, .jacobian_q = network_c,                            \
  .jacobian_lambda = network_d, .input = network_input, .input_lambda = network_b,                 \
  .destroy = network_destroy
static const nsds_relation_ops smooth_ops = {NETWORK_OPS};
static const nsds_relation_ops network_ops = {NETWORK_OPS, .next_corner = network_corner};

static bool is_smooth(const nsds_network *w) {
  for (int k = 0; k < w->elements.nwave; ++k) {
    const nsds_wave *wave = &w->elements.wave[k];
    bool sine = wave->kind == NSDS_WAVE_SIN && !(wave->delay > 0.0);
    if (wave->kind != NSDS_WAVE_DC && !sine) return false;
  }
  for (int k = 0; k < w->elements.count; ++k) {
    const nsds_element *e = &w->elements.item[k];
    if (e->kind == NSDS_ELEMENT_SWITCH && w->elements.wave[e->wave].kind != NSDS_WAVE_DC)
      return false;
  }
  return true;
}

/* ---- making ---- */

/* The voltage source whose ends are the control of a switch; -1: none. */
static int source_between(const nsds_elements *elements, int a, int b) {
  for (int k = 0; k < elements->count; ++k) {
    const nsds_element *e = &elements->item[k];
    if (e->kind == NSDS_ELEMENT_VOLTAGE && e->node[0] == a && e->node[1] == b) return e->wave;
  }
  return -1;
}

/* Refuses what has a memory or is not linear; drives switches by the sources that control them. */
static nsds_status admit_elements(nsds_network *w) {
  for (int k = 0; k < w->elements.count; ++k) {
    nsds_element *e = &w->elements.item[k];
    const char *why = NULL;
    if (e->kind == NSDS_ELEMENT_JUNCTION) why = "a junction; give its model ideal=1";
    if (e->kind == NSDS_ELEMENT_SWITCH) {
      if (e->wave < 0 && e->control < 0)
        e->wave = source_between(&w->elements, e->node[2], e->node[3]);
      if (e->type == NSDS_SWITCH_THYRISTOR) why = "a thyristor";
      else if (e->wave < 0) why = "a switch that neither time nor a voltage source drives";
    }
    if (why)
      return nsds_report(w->job.context, NSDS_ERROR_UNSUPPORTED,
                         "nsds_circuit: %s is %s, which a circuit in a model "
                         "cannot have; use nsds_job_create()",
                         e->name, why);
  }
  return NSDS_OK;
}

static nsds_status number_lambda(nsds_network *w) {
  const nsds_equations *e = &w->equations;
  NSDS_MAKE(w->job.context, w->lambda, e->n + 1);
  if (!w->lambda) return NSDS_ERROR_MEMORY;
  for (int k = 0; k < e->n; ++k) w->lambda[k] = 0;
  for (int s = 0; s < e->nstate; ++s)
    if (w->elements.item[e->owner[s]].kind == NSDS_ELEMENT_INDUCTOR)
      w->lambda[e->branch[e->owner[s]]] = -1;
  for (int k = 0; k < e->n; ++k)
    if (w->lambda[k] == 0) w->lambda[k] = w->n++;
  if (e->nstate > 0 && w->n > 0 && w->n <= most_unknowns) return NSDS_OK;
  return nsds_report(w->job.context, NSDS_ERROR_SIZE,
                     "nsds_circuit: %d states, %d potentials and currents; there must be at least "
                     "one state and at most "
                     "%d potentials and currents",
                     e->nstate, w->n, (int)most_unknowns);
}

/* The system: capacitances and inductances are its mass. */
static nsds_ds *network_system(nsds_network *w, nsds_model *model) {
  const nsds_equations *e = &w->equations;
  size_t n = (size_t)e->nstate;
  double *mass = nsds_alloc(w->job.context, "the circuit", n * n, sizeof *mass),
         *x0 = nsds_alloc(w->job.context, "the circuit", n, sizeof *x0);
  nsds_ds *ds = NULL;
  for (size_t s = 0; mass && x0 && s < n; ++s) {
    const nsds_element *element = &w->elements.item[e->owner[s]];
    mass[s + s * n] = element->value;
    x0[s] = isnan(element->initial) ? 0.0 : element->initial;
  }
  for (int k = 0; mass && k < w->elements.ncoupling; ++k) {
    const nsds_coupling *c = &w->elements.coupling[k];
    size_t a = (size_t)e->state[c->first], b = (size_t)e->state[c->second];
    double m = c->k * sqrt(w->elements.item[c->first].value * w->elements.item[c->second].value);
    mass[a + b * n] += m;
    mass[b + a * n] += m;
  }
  if (mass && x0)
    ds = nsds_first_order_linear(
        model,
        &(nsds_first_order_linear_def){.name = "circuit", .n = e->nstate, .x0 = x0, .mass = mass});
  nsds_free(mass);
  nsds_free(x0);
  return ds;
}

static nsds_law *network_law(nsds_network *w, nsds_model *model) {
  const nsds_equations *e = &w->equations;
  double *lower = nsds_alloc(w->job.context, "the circuit", (size_t)w->n, sizeof *lower),
         *upper = nsds_alloc(w->job.context, "the circuit", (size_t)w->n, sizeof *upper);
  nsds_law *law = NULL;
  for (int k = 0; lower && upper && k < w->n; ++k) lower[k] = -INFINITY, upper[k] = INFINITY;
  for (int k = 0; lower && upper && k < w->elements.count; ++k)
    if (w->elements.item[k].kind == NSDS_ELEMENT_DIODE) lower[w->lambda[e->branch[k]]] = 0.0;
  if (lower && upper) law = nsds_relay(model, w->n, lower, upper);
  nsds_free(lower);
  nsds_free(upper);
  return law;
}

/* Puts the circuit into the model, which owns it from here on. */
static nsds_network *put_into(nsds_network *w, nsds_model *model) {
  nsds_ds *ds = network_system(w, model);
  nsds_law *law = network_law(w, model);
  nsds_relation *relation = nsds_custom_relation(
      model, &(nsds_custom_relation_def){.ops = is_smooth(w) ? &smooth_ops : &network_ops,
                                         .self = w,
                                         .name = "circuit",
                                         .ny = w->n,
                                         .nq = w->equations.nstate,
                                         .linear = true});
  nsds_interaction *interaction = nsds_connect(model, relation, law, 1, &ds);
  if (!interaction) return NULL; /* w went with the relation, or goes with the model */
  w->ds = ds;
  w->interaction = interaction;
  return w;
}

static nsds_status network_room(nsds_network *w) {
  size_t n = (size_t)w->n, nstate = (size_t)w->equations.nstate;
  NSDS_MAKE(w->job.context, w->work, n * (n + nstate));
  return w->work ? NSDS_OK : NSDS_ERROR_MEMORY;
}

static nsds_status prepare_shorts(nsds_network *w) {
  NSDS_MAKE(w->job.context, w->z, (size_t)w->equations.n + 1);
  if (!w->z || nsds_modes_make(&w->modes, &w->equations)) return NSDS_ERROR_MEMORY;
  for (int k = 0; k < w->elements.count; ++k) {
    const nsds_element *e = &w->elements.item[k];
    if (e->kind == NSDS_ELEMENT_VOLTAGE)
      w->largest = fmax(w->largest, nsds_wave_size(&w->elements.wave[e->wave]));
    if (e->kind == NSDS_ELEMENT_CAPACITOR && !isnan(e->initial))
      w->largest = fmax(w->largest, fabs(e->initial));
  }
  return NSDS_OK;
}

static nsds_status read_network(nsds_network *w, const nsds_circuit_def *def, const char *text) {
  const char *name = def->file ? def->file : "netlist";
  nsds_status status = nsds_netlist_read(&w->netlist, name, text);
  if (!status) status = nsds_circuit_expand(&w->elements, def->nsettings, def->settings);
  bool *reference = nsds_alloc(w->job.context, "the circuit", (size_t)w->elements.node.count + 1,
                               sizeof *reference);
  if (!status && !reference) status = NSDS_ERROR_MEMORY;
  if (!status) status = nsds_topology_check(&w->elements, reference);
  if (!status) status = admit_elements(w);
  if (!status && nsds_equations_make(&w->equations, &w->elements, reference))
    status = NSDS_ERROR_MEMORY;
  nsds_free(reference);
  if (!status) status = number_lambda(w);
  if (!status) status = network_room(w);
  return status ? status : prepare_shorts(w);
}

static nsds_status check_circuit_def(nsds_context *context, const nsds_circuit_def *def) {
  if (!def) return nsds_report(context, NSDS_ERROR_ARGUMENT, "nsds_circuit: def is NULL");
  for (int k = 0; k < NSDS_RESERVED; ++k)
    if (def->reserved[k])
      return nsds_report(context, NSDS_ERROR_ARGUMENT,
                         "nsds_circuit: reserved[%d] is not zero; set all of the structure to zero",
                         k);
  if (!def->file && !def->text)
    return nsds_report(context, NSDS_ERROR_ARGUMENT, "nsds_circuit: give a file or a text");
  if (def->nsettings < 0 || (def->nsettings > 0 && !def->settings))
    return nsds_report(context, NSDS_ERROR_ARGUMENT,
                       "nsds_circuit: nsettings is %d, settings must have as many", def->nsettings);
  return NSDS_OK;
}

nsds_network *nsds_circuit(nsds_model *model, const nsds_circuit_def *def) {
  nsds_context *context = nsds_model_context(model);
  if (!context || check_circuit_def(context, def)) return NULL;
  nsds_network *w = nsds_alloc(context, "the circuit", 1, sizeof *w);
  size_t size = 0;
  char reason[200], *text = NULL;
  if (!w) return NULL;
  w->job.context = context;
  w->netlist.job = &w->job;
  w->elements.netlist = &w->netlist;
  w->elements.analysis.embedded = true;
  nsds_status status =
      nsds_sources_open(&w->job.sources, context, &(nsds_job_def){.file = def->file}, false);
  if (!status && !def->text) {
    status = nsds_source_read(&w->job.sources, def->file, &text, &size, reason);
    if (status) nsds_report(context, status, "%s: cannot be read: %s", def->file, reason);
  }
  if (!status) status = read_network(w, def, def->text ? def->text : text);
  nsds_free(text);
  if (!status) return put_into(w, model);
  free_network(w);
  return NULL;
}

nsds_ds *nsds_network_ds(const nsds_network *network) { return network ? network->ds : NULL; }
nsds_interaction *nsds_network_interaction(const nsds_network *network) {
  return network ? network->interaction : NULL;
}

/* ---- reading ---- */

/* The value of an unknown. */
static double network_value(const nsds_network *w, int unknown) {
  const nsds_equations *e = &w->equations;
  bool algebraic = w->lambda[unknown] >= 0;
  const double *value = algebraic ? nsds_lambda(w->interaction) : nsds_x(w->ds);
  if (!value) return NAN; /* the object was removed from its model, as the message says */
  if (algebraic) return value[w->lambda[unknown]];
  for (int s = 0; s < e->nstate; ++s)
    if (e->branch[e->owner[s]] == unknown) return value[s];
  return NAN;
}

/* The potential of a node by its name; false where there is none. */
static bool network_potential(const nsds_network *w, const char *name, double *value) {
  *value = 0.0;
  if (strcmp(name, "0") == 0 || strcmp(name, "gnd") == 0) return true;
  int node = nsds_names_find(&w->elements.node, name);
  if (node < 0) return false;
  if (w->equations.node[node] >= 0) *value = network_value(w, w->equations.node[node]);
  return true;
}

static bool network_current(const nsds_network *w, const char *name, double *value) {
  int k = nsds_names_find(&w->elements.name, name);
  if (k < 0 || w->equations.branch[k] < 0) return false;
  *value = network_value(w, w->equations.branch[k]);
  int twin = w->elements.item[k].twin;
  if (twin >= 0) *value -= network_value(w, w->equations.branch[twin]);
  return true;
}

/* "v(a,b)", "v(a)", "i(x)" in small letters. */
static bool network_look_up(const nsds_network *w, char *words, double *value) {
  size_t size = strlen(words);
  if (size < 4 || words[1] != '(' || words[size - 1] != ')') return false;
  words[size - 1] = '\0';
  char *name = words + 2, *comma = strchr(name, ',');
  if (words[0] == 'i') return network_current(w, name, value);
  if (words[0] != 'v') return false;
  double other = 0.0;
  if (comma) *comma = '\0';
  if (comma && !network_potential(w, comma + 1, &other)) return false;
  if (!network_potential(w, name, value)) return false;
  *value -= other;
  return true;
}

double nsds_network_read(const nsds_network *network, const char *what) {
  double value = NAN;
  if (!network) return value;
  char *words = what ? nsds_copy_word(network->job.context, what) : NULL;
  for (char *c = words; c && *c; ++c)
    if (*c >= 'A' && *c <= 'Z') *c = (char)(*c - 'A' + 'a');
  if (!words || !network_look_up(network, words, &value)) {
    nsds_report(network->job.context, NSDS_ERROR_ARGUMENT,
                "nsds_network_read: \"%.60s\" is no voltage or current of the circuit; give "
                "v(node), v(node,node) or "
                "i(element)",
                what ? what : "NULL");
    value = NAN;
  }
  nsds_free(words);
  return value;
}
