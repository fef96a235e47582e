/*
 * A circuit in a model of others, by the equations of a job (circuit_model.c). The start is that of
 * initial values, or the operating point, which a model of its own finds first. Each step is
 * searched for shorts, and for voltages without bound, as in a run of a netlist.
 */
#include "run/circuit/circuit_model.h"
#include "run/circuit/circuit_rows.h"
#include "run/circuit/circuit_scales.h"
#include "run/circuit/currents.h"
#include "run/circuit/expand.h"
#include "run/circuit/shorts.h"
#include "run/circuit/topology.h"
#include "base/text/words.h"

#include <nsds/extend.h>
#include <nsds/run.h>

#include <math.h>
#include <string.h>

struct nsds_network {
  nsds_job job; /* for messages of the reader */
  nsds_netlist netlist;
  nsds_elements elements;
  nsds_equations equations;
  nsds_modes modes; /* what conducts: the search for shorts needs it */
  nsds_circuit_scales scales;
  nsds_circuit_model kernel;
  nsds_instant at; /* the last step seen, or values to read */
};

static void free_network(void *self) {
  nsds_network *w = self;
  nsds_circuit_model_free(&w->kernel);
  nsds_modes_free(&w->modes);
  nsds_free(w->at.z);
  nsds_free(w->at.x);
  nsds_equations_free(&w->equations);
  nsds_elements_free(&w->elements);
  nsds_netlist_free(&w->netlist);
  nsds_job_clear(&w->job);
  nsds_free(w);
}

/* ---- steps ---- */

/* Refuses a solution in which closed switches and conducting diodes short a source, or a current
 * has no way. */
static nsds_status network_look(void *self, double t, const double *x, const double *lambda) {
  nsds_network *w = self;
  const nsds_circuit_model *m = &w->kernel;
  double *z = w->at.z;
  for (int k = 0; k < w->equations.n; ++k) {
    int row = m->lambda_of[k];
    z[k] = m->x_of[k] >= 0 ? x[m->x_of[k]] : row < w->modes.count ? lambda[row] : 0.0;
  }
  for (int k = 0; k < w->modes.count; ++k) nsds_modes_set(&w->modes, k, lambda[k] != 0.0);
  w->at.solved = w->at.inside = t;
  nsds_circuit_scales seen = w->scales;
  seen.voltage = 0.0;
  nsds_scales_take(&seen, &w->equations, z);
  nsds_status status = nsds_scales_check(&seen, &w->equations, z, t);
  return status ? status : nsds_shorts_check(&w->modes, z, t, w->scales.source);
}

/* ---- the start ---- */

static nsds_circuit_start network_start(const nsds_network *w, nsds_model *model, bool solved) {
  return (nsds_circuit_start){.context = w->job.context,
                              .model = model,
                              .modes = &w->modes,
                              .z = w->at.z,
                              .state = w->at.x,
                              .solved = solved};
}

static void take_initial_states(nsds_network *w) {
  for (int s = 0; s < w->equations.nstate; ++s) {
    double initial = w->elements.item[w->equations.owner[s]].initial;
    w->at.x[s] = isnan(initial) ? 0.0 : initial;
  }
}

/* Finds the operating point in a model of its own; `on` receives which modes of switches are on. */
static nsds_status find_operating_point(nsds_network *w, bool *on) {
  nsds_circuit_model rest;
  nsds_circuit_start start = network_start(w, NULL, false);
  double end = w->elements.analysis.end > 0.0 ? w->elements.analysis.end : 1.0;
  w->elements.analysis.end = end;
  nsds_status status = nsds_circuit_model_make(&rest, &start, &(nsds_circuit_owner){0});
  double longest = fmin(w->scales.longest, end);
  if (!status) status = nsds_circuit_model_start(&rest, longest, 1e-4 * longest, true);
  if (!status) status = nsds_circuit_model_rest(&rest, -1e-9 * end);
  if (!status && !nsds_circuit_model_start_values(&rest, w->at.z, w->at.x))
    status = nsds_error(w->job.context);
  for (int k = 0; !status && k < w->modes.count; ++k) on[k] = nsds_is_on(rest.interaction[k]);
  nsds_circuit_model_free(&rest);
  return status;
}

/* Sizes of states, from the netlist and the start. */
static nsds_status give_sizes(nsds_network *w) {
  nsds_circuit_model *m = &w->kernel;
  NSDS_MAKE(w->job.context, m->size, m->nx + 1);
  if (!m->size) return NSDS_ERROR_MEMORY;
  nsds_circuit_scales seen = w->scales;
  nsds_scales_take(&seen, &w->equations, w->at.z);
  for (int s = 0; s < w->equations.nstate; ++s)
    m->size[nsds_circuit_model_state(m, s)] =
        nsds_scales_state(&seen, &w->equations, s, fabs(w->at.x[s]));
  m->largest = isfinite(w->scales.longest) ? w->scales.longest : 0.0;
  return NSDS_OK;
}

/* Turns switches on or off as they are at the operating point. */
static nsds_status set_switches(const nsds_network *w, const bool *on) {
  nsds_status status = NSDS_OK;
  for (int k = 0; !status && k < w->modes.count; ++k)
    if (w->elements.item[w->modes.element[k]].kind == NSDS_ELEMENT_SWITCH)
      status = nsds_set_on(w->kernel.interaction[k], on[k]);
  return status;
}

static nsds_status set_currents(const nsds_network *w) {
  nsds_status status = NSDS_OK;
  for (int k = 0; !status && k < w->modes.count; ++k)
    status = nsds_set_lambda(w->kernel.interaction[k],
                             &w->at.z[w->equations.branch[w->modes.element[k]]]);
  return status;
}

/* Puts the circuit into the model. */
static nsds_status put_into(nsds_network *w, nsds_model *model, bool at_rest) {
  bool *on = nsds_alloc(w->job.context, "the circuit", (size_t)w->modes.count + 1, sizeof *on);
  if (!on) return NSDS_ERROR_MEMORY;
  nsds_status status = at_rest ? find_operating_point(w, on) : NSDS_OK;
  nsds_circuit_start start = network_start(w, model, at_rest);
  if (!status)
    status = nsds_circuit_model_make(
        &w->kernel, &start,
        &(nsds_circuit_owner){.look = network_look, .release = free_network, .user = w});
  if (!status && at_rest) status = set_switches(w, on);
  if (!status && at_rest) status = set_currents(w);
  nsds_free(on);
  return status ? status : give_sizes(w);
}

/* ---- making ---- */

static nsds_status make_instant_of(nsds_network *w) {
  NSDS_MAKE(w->job.context, w->at.z, w->equations.n + 1);
  NSDS_MAKE(w->job.context, w->at.x, w->equations.nstate + 1);
  return w->at.z && w->at.x ? NSDS_OK : NSDS_ERROR_MEMORY;
}

static nsds_status read_network(nsds_network *w, const nsds_circuit_def *def, const char *text) {
  const char *name = def->file ? def->file : "netlist";
  nsds_status status = nsds_netlist_read(&w->netlist, name, text);
  if (!status) status = nsds_circuit_expand(&w->elements, def->nsettings, def->settings);
  if (!status && w->elements.count == 0)
    status = nsds_netlist_refuse(&w->netlist, (nsds_place){0, 1, 1}, "there are no elements");
  bool *reference = nsds_alloc(w->job.context, "the circuit", (size_t)w->elements.node.count + 1,
                               sizeof *reference);
  if (!status && !reference) status = NSDS_ERROR_MEMORY;
  if (!status) status = nsds_topology_check(&w->elements, reference);
  if (!status) status = nsds_equations_make(&w->equations, &w->elements, reference);
  nsds_free(reference);
  if (!status) status = nsds_modes_make(&w->modes, &w->equations);
  if (!status) status = make_instant_of(w);
  if (status) return status;
  w->scales = nsds_scales_begin(&w->elements);
  take_initial_states(w);
  return NSDS_OK;
}

static nsds_status check_circuit_def(nsds_context *context, const nsds_circuit_def *def) {
  if (!def) return nsds_report(context, NSDS_ERROR_ARGUMENT, "nsds_circuit: def is NULL");
  for (size_t k = 0; k < sizeof def->reserved / sizeof *def->reserved; ++k)
    if (def->reserved[k])
      return nsds_report(context, NSDS_ERROR_ARGUMENT,
                         "nsds_circuit: reserved[%d] is not zero; set all of the structure to zero",
                         (int)k);
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
  w->elements.analysis.ideal = def->ideal;
  w->kernel.in_model = true;
  nsds_status status =
      nsds_sources_open(&w->job.sources, context, &(nsds_job_def){.file = def->file}, false);
  if (!status && !def->text) {
    status = nsds_source_read(&w->job.sources, def->file, &text, &size, reason);
    if (status) nsds_report(context, status, "%s: cannot be read: %s", def->file, reason);
  }
  if (!status) status = read_network(w, def, def->text ? def->text : text);
  nsds_free(text);
  if (!status) status = put_into(w, model, def->at_rest);
  if (w->kernel.users > 0) nsds_circuit_model_drop(&w->kernel); /* the model's objects keep it */
  else free_network(w);
  return status ? NULL : w;
}

nsds_ds *nsds_network_ds(const nsds_network *network) {
  return network ? network->kernel.ds : NULL;
}

/* ---- reading ---- */

/* "v(a,b)", "v(a)" or "i(x)" in small letters. */
typedef struct network_words {
  char what;
  char *name, *other; /* other: the second node; NULL: none */
} network_words;

static bool split_words(char *text, network_words *words) {
  size_t size = strlen(text);
  if (size < 4 || text[1] != '(' || text[size - 1] != ')') return false;
  text[size - 1] = '\0';
  char *comma = strchr(text, ',');
  *words = (network_words){text[0], text + 2, comma ? comma + 1 : NULL};
  if (comma) *comma = '\0';
  return text[0] == 'v' || (text[0] == 'i' && !comma);
}

/* The number of a node by its name, -1: ground; false where there is none. */
static bool find_node(const nsds_network *w, const char *name, int *node) {
  *node = -1;
  if (strcmp(name, "0") == 0 || strcmp(name, "gnd") == 0) return true;
  *node = nsds_names_find(&w->elements.node, name);
  return *node >= 0;
}

/* Looks up what the words name: two nodes, or an element. */
static bool look_up_probe(const nsds_network *w, const network_words *words, nsds_probe *probe) {
  *probe = (nsds_probe){.what = words->what, .b = -1};
  if (words->what == 'i') return (probe->a = nsds_names_find(&w->elements.name, words->name)) >= 0;
  return find_node(w, words->name, &probe->a) &&
         (!words->other || find_node(w, words->other, &probe->b));
}

static char *small_letters(const nsds_network *w, const char *what) {
  char *words = what ? nsds_copy_word(w->job.context, what) : NULL;
  for (char *c = words; c && *c; ++c)
    if (*c >= 'A' && *c <= 'Z') *c = (char)(*c - 'A' + 'a');
  return words;
}

static double node_value(const nsds_network *w, int node) {
  int unknown = node < 0 ? -1 : w->equations.node[node];
  return unknown < 0 ? 0.0 : w->at.z[unknown];
}

double nsds_network_read(const nsds_network *network, const char *what) {
  if (!network) return NAN;
  network_words words;
  nsds_probe probe;
  char *text = small_letters(network, what);
  bool there = text && split_words(text, &words) && look_up_probe(network, &words, &probe);
  nsds_free(text);
  if (!there) {
    nsds_report(network->job.context, NSDS_ERROR_ARGUMENT,
                "nsds_network_read: \"%.60s\" is no voltage or current of the circuit; give "
                "v(node), v(node,node) or i(element)",
                what ? what : "NULL");
    return NAN;
  }
  if (!nsds_circuit_model_start_values(&network->kernel, network->at.z, network->at.x)) return NAN;
  if (probe.what == 'i') return nsds_current_of(&network->equations, &network->at, probe.a);
  return node_value(network, probe.a) - node_value(network, probe.b);
}

int nsds_network_place(const nsds_network *network, const char *what) {
  if (!network) return -1;
  network_words words;
  nsds_probe probe;
  char *text = small_letters(network, what);
  int unknown = -1;
  if (text && split_words(text, &words) && !words.other && look_up_probe(network, &words, &probe))
    unknown = probe.what == 'i' ? network->equations.branch[probe.a]
              : probe.a < 0     ? -1
                                : network->equations.node[probe.a];
  nsds_free(text);
  int place = unknown < 0 ? -1 : network->kernel.x_of[unknown];
  if (place < 0)
    nsds_report(
        network->job.context, NSDS_ERROR_ARGUMENT,
        "nsds_network_place: \"%.60s\" is no entry of the circuit's x; valid are potentials "
        "v(node), and i(element) of V, E, H, C, L, T and R below 1 Ohm",
        what ? what : "NULL");
  return place;
}
