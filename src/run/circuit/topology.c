/*
 * Faults that the graph of a circuit shows:
 *
 *   sections without ground      one of their nodes stands for it; no current flows there, since
 *                                those into a section add up to zero
 *   loops of voltage sources     their current is not determined: refused
 *   cutsets of current sources   their voltage is not determined: refused, and so is a source that
 *                                drives its current against diodes alone
 *   sources short by diodes      potentials have v+ - v- = E of sources and v+ - v- <= drop of
 *                                ideal diodes; they exist if the graph of these constraints has no
 *                                negative cycle (Bellman and Ford), else refused
 *   inconsistent starts          with uic: capacitors in loops with sources, inductors in cutsets:
 *                                warned about, since charge and flux are kept when they jump
 */
#include "run/circuit/topology.h"

#include "base/text/words.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- sets of nodes; place 0 is the ground ---- */

typedef struct graph {
  const nsds_elements *elements;
  int nodes; /* with the ground */
  int *parent;
  double *sum;     /* by set, or by node */
  int *arrived_by; /* by node: the element that led there, -1 */
} graph;

static int set_of_node(graph *g, int node) {
  int k = node + 1;
  while (g->parent[k] != k) k = g->parent[k] = g->parent[g->parent[k]];
  return k;
}

/* Returns true if they were apart. */
static bool join_sets(graph *g, int a, int b) {
  int x = set_of_node(g, a), y = set_of_node(g, b);
  if (x == y) return false;
  if (x < y) g->parent[y] = x; /* the ground stays a root */
  else g->parent[x] = y;
  return true;
}

static void reset_sets(graph *g) {
  for (int k = 0; k < g->nodes; ++k) g->parent[k] = k;
}

typedef bool (*edge_filter)(const nsds_element *element);

static void join_by(graph *g, edge_filter filter) {
  reset_sets(g);
  for (int k = 0; k < g->elements->count; ++k) {
    const nsds_element *element = &g->elements->item[k];
    if (filter && !filter(element)) continue;
    join_sets(g, element->node[0], element->node[1]);
    if (nsds_element_has_second(element)) join_sets(g, element->node[2], element->node[3]);
  }
}

static bool is_voltage(const nsds_element *e) {
  return nsds_element_does_set(e, NSDS_SETS_VOLTAGE);
}
static bool is_voltage_or_capacitor(const nsds_element *e) {
  return is_voltage(e) || e->kind == NSDS_ELEMENT_CAPACITOR;
}
static bool is_current_source(const nsds_element *e) {
  return nsds_element_does_set(e, NSDS_SETS_CURRENT);
}
static bool is_no_current_source(const nsds_element *e) { return !is_current_source(e); }
static bool is_no_current(const nsds_element *e) {
  return !is_current_source(e) && e->kind != NSDS_ELEMENT_INDUCTOR;
}
static bool is_one_way(const nsds_element *e) {
  return nsds_element_does_set(e, NSDS_SETS_ONE_WAY);
}
static bool is_two_way(const nsds_element *e) { return !is_current_source(e) && !is_one_way(e); }

/* ---- loops by name ---- */

/* The way from node a to b over elements of a kind, "V1, V2"; breadth first. */
static void name_way(graph *g, edge_filter filter, int a, int b, int without, char *words,
                     size_t size) {
  const nsds_elements *elements = g->elements;
  bool *seen = nsds_alloc(elements->netlist->job->context, "the graph of the circuit",
                          (size_t)g->nodes, sizeof *seen),
       grown = true;
  words[0] = '\0';
  if (!seen) return;
  for (int k = 0; k < g->nodes; ++k) g->arrived_by[k] = -1;
  seen[a + 1] = true;
  while (grown && !seen[b + 1]) {
    grown = false;
    for (int k = 0; k < elements->count; ++k) {
      const nsds_element *e = &elements->item[k];
      int x = e->node[0] + 1, y = e->node[1] + 1;
      if (k == without || !filter(e) || seen[x] == seen[y]) continue;
      int to = seen[x] ? y : x;
      seen[to] = grown = true;
      g->arrived_by[to] = k;
    }
  }
  for (int at = b + 1; at != a + 1 && g->arrived_by[at] >= 0;) {
    const nsds_element *e = &elements->item[g->arrived_by[at]];
    size_t used = strlen(words);
    snprintf(words + used, size - used, "%s%s", used ? ", " : "", e->name);
    at = e->node[0] + 1 == at ? e->node[1] + 1 : e->node[0] + 1;
  }
  nsds_free(seen);
}

static nsds_status check_voltage_loops(graph *g) {
  const nsds_elements *elements = g->elements;
  reset_sets(g);
  for (int k = 0; k < elements->count; ++k) {
    const nsds_element *e = &elements->item[k];
    if (!is_voltage(e) || join_sets(g, e->node[0], e->node[1])) continue;
    char words[300];
    if (e->node[0] == e->node[1])
      return nsds_netlist_refuse(elements->netlist, e->place, "%s: both ends are at node %s",
                                 e->name, nsds_elements_node_name(elements, e->node[0]));
    name_way(g, is_voltage, e->node[0], e->node[1], k, words, sizeof words);
    return nsds_netlist_refuse(
        elements->netlist, e->place,
        "%s is in a loop of voltage sources, with %s, between nodes %s and %s; give one of them "
        "a resistance in series",
        e->name, words, nsds_elements_node_name(elements, e->node[0]),
        nsds_elements_node_name(elements, e->node[1]));
  }
  return NSDS_OK;
}

static nsds_status check_current_cutsets(graph *g) {
  const nsds_elements *elements = g->elements;
  join_by(g, is_no_current_source);
  for (int k = 0; k < elements->count; ++k) {
    const nsds_element *e = &elements->item[k];
    if (!is_current_source(e) || set_of_node(g, e->node[0]) == set_of_node(g, e->node[1])) continue;
    return nsds_netlist_refuse(
        elements->netlist, e->place,
        "%s: nodes %s and %s are joined by current sources alone; give the current a way back",
        e->name, nsds_elements_node_name(elements, e->node[0]),
        nsds_elements_node_name(elements, e->node[1]));
  }
  return NSDS_OK;
}

/* ---- constant currents against diodes ---- */

/* Tells if a diode leads out of a set (or into it). */
static bool diode_leads(graph *g, int set, bool out) {
  for (int k = 0; k < g->elements->count; ++k) {
    const nsds_element *e = &g->elements->item[k];
    if (!is_one_way(e)) continue;
    int from = set_of_node(g, e->node[0]), to = set_of_node(g, e->node[1]);
    if (from != to && (out ? from : to) == set) return true;
  }
  return false;
}

static nsds_status check_driven_diodes(graph *g) {
  const nsds_elements *elements = g->elements;
  join_by(g, is_two_way);
  for (int k = 0; k < g->nodes; ++k) g->sum[k] = 0.0;
  for (int k = 0; k < elements->count; ++k) {
    const nsds_element *e = &elements->item[k];
    if (!is_current_source(e)) continue;
    double i = NAN; /* only constant values are judged */
    if (e->kind == NSDS_ELEMENT_CURRENT && elements->wave[e->wave].kind == NSDS_WAVE_DC)
      i = elements->wave[e->wave].dc;
    g->sum[set_of_node(g, e->node[0])] -= i;
    g->sum[set_of_node(g, e->node[1])] += i;
  }
  for (int k = 0; k < elements->count; ++k) {
    const nsds_element *e = &elements->item[k];
    if (e->kind != NSDS_ELEMENT_CURRENT) continue;
    for (int end = 0; end < 2; ++end) {
      int set = set_of_node(g, e->node[end]);
      bool judged = isfinite(g->sum[set]) && fabs(g->sum[set]) > 1e-12 &&
                    set_of_node(g, e->node[0]) != set_of_node(g, e->node[1]);
      if (judged && !diode_leads(g, set, g->sum[set] > 0.0))
        return nsds_netlist_refuse(elements->netlist, e->place,
                                   "%s: its current has no way %s node %s but diodes that block it",
                                   e->name, g->sum[set] > 0.0 ? "out of" : "into",
                                   nsds_elements_node_name(elements, e->node[end]));
    }
  }
  return NSDS_OK;
}

/* ---- sources short by diodes ---- */

/* The constraint v(to) - v(from) <= bound that element k makes in direction `way`; false: none. */
static bool constraint_of(const nsds_elements *elements, int k, int way, double t, int *from,
                          int *to, double *bound) {
  const nsds_element *e = &elements->item[k];
  bool source = e->kind == NSDS_ELEMENT_VOLTAGE;
  bool diode =
      e->kind == NSDS_ELEMENT_DIODE && e->value <= elements->analysis.least_resistance && way == 0;
  bool body = e->kind == NSDS_ELEMENT_SWITCH && e->type == NSDS_SWITCH_TRANSISTOR &&
              e->value <= elements->analysis.least_resistance && way == 1;
  if (!source && !diode && !body) return false;
  double x = source ? nsds_wave_value(&elements->wave[e->wave], t, t) : e->drop;
  *from = e->node[way == 0 ? 1 : 0] + 1;
  *to = e->node[way == 0 ? 0 : 1] + 1;
  *bound = source && way == 1 ? -x : x;
  return true;
}

/* One pass over all constraints; a node whose bound fell, or -1. */
static int relax_once(graph *g, double t) {
  int fallen = -1, from = 0, to = 0;
  double bound = 0.0;
  for (int k = 0; k < g->elements->count; ++k)
    for (int way = 0; way < 2; ++way) {
      if (!constraint_of(g->elements, k, way, t, &from, &to, &bound)) continue;
      double least = 1e-6 * fmax(fabs(g->sum[to]), fmax(fabs(bound), 1e-3));
      if (g->sum[from] + bound >= g->sum[to] - least) continue;
      g->sum[to] = g->sum[from] + bound;
      g->arrived_by[to] = 2 * k + way;
      fallen = to;
    }
  return fallen;
}

static int before_in_cycle(const graph *g, int node) {
  int k = g->arrived_by[node] / 2, way = g->arrived_by[node] % 2;
  return g->elements->item[k].node[way == 0 ? 1 : 0] + 1;
}

static nsds_status refuse_short(graph *g, int node, double t) {
  char words[300] = "";
  for (int k = 0; k < g->nodes && g->arrived_by[node] >= 0; ++k) node = before_in_cycle(g, node);
  int at = node, last = -1;
  do {
    size_t used = strlen(words);
    last = g->arrived_by[at] / 2;
    snprintf(words + used, sizeof words - used, "%s%s", used ? ", " : "",
             g->elements->item[last].name);
    at = before_in_cycle(g, at);
  } while (at != node && g->arrived_by[at] >= 0);
  return nsds_netlist_refuse(
      g->elements->netlist, g->elements->item[last].place,
      "%s: sources and ideal diodes in a loop, whose current has no bound at t = %g s; give a "
      "diode RON or a source a resistance in series",
      words, t);
}

static nsds_status check_shorts_at(graph *g, double t) {
  for (int k = 0; k < g->nodes; ++k) g->sum[k] = 0.0, g->arrived_by[k] = -1;
  int fallen = 0;
  for (int k = 0; k <= g->nodes && fallen >= 0; ++k) fallen = relax_once(g, t);
  return fallen >= 0 ? refuse_short(g, fallen, t) : NSDS_OK;
}

/* At the start, at the first corners, and at parts of the first periods of sines. */
static nsds_status check_shorts(graph *g) {
  enum { most_work = 2000000, parts = 12, corners = 24 };
  const nsds_elements *elements = g->elements;
  double t = 0.0, period = INFINITY;
  if ((double)elements->count * g->nodes > most_work)
    return NSDS_OK; /* it would take longer than the run */
  nsds_status status = check_shorts_at(g, 0.0);
  for (int k = 0; k < elements->nwave; ++k)
    if (elements->wave[k].kind == NSDS_WAVE_SIN)
      period = fmin(period, nsds_wave_period(&elements->wave[k]));
  for (int k = 1; !status && isfinite(period) && k <= parts; ++k)
    status = check_shorts_at(g, period * k / parts);
  for (int k = 0; !status && k < corners; ++k) {
    double next = INFINITY;
    for (int j = 0; j < elements->nwave; ++j)
      next = fmin(next, nsds_wave_next(&elements->wave[j], t));
    if (next > elements->analysis.end) break;
    t = next * (1.0 + 1e-9);
    status = check_shorts_at(g, t);
  }
  return status;
}

/* ---- starts ---- */

static double start_voltage(const nsds_elements *elements, const nsds_element *e) {
  if (e->kind == NSDS_ELEMENT_VOLTAGE) return nsds_wave_value(&elements->wave[e->wave], 0.0, 0.0);
  if (e->kind != NSDS_ELEMENT_CAPACITOR) return NAN;
  return isnan(e->initial) ? 0.0 : e->initial;
}

/* Potentials along the tree of sources and capacitors, spread until nothing is new. */
static nsds_status check_capacitor_starts(graph *g) {
  const nsds_elements *elements = g->elements;
  bool grown = true;
  if (elements->nstart || (double)elements->count * g->nodes > 1e8) return NSDS_OK;
  for (int k = 0; k < g->nodes; ++k) g->sum[k] = NAN;
  g->sum[0] = 0.0;
  while (grown) {
    grown = false;
    for (int k = 0; k < elements->count; ++k) {
      const nsds_element *e = &elements->item[k];
      int a = e->node[0] + 1, b = e->node[1] + 1;
      if (!is_voltage_or_capacitor(e) || isnan(g->sum[a]) == isnan(g->sum[b])) continue;
      double v = start_voltage(elements, e);
      if (isnan(v)) continue;
      if (isnan(g->sum[a])) g->sum[a] = g->sum[b] + v;
      else g->sum[b] = g->sum[a] - v;
      grown = true;
    }
  }
  nsds_status status = NSDS_OK;
  for (int k = 0; !status && k < elements->count; ++k) {
    const nsds_element *e = &elements->item[k];
    if (e->kind != NSDS_ELEMENT_CAPACITOR) continue;
    double v = start_voltage(elements, e), around = g->sum[e->node[0] + 1] - g->sum[e->node[1] + 1];
    if (isnan(around) || fabs(v - around) <= 1e-6 * fmax(fabs(v), fabs(around))) continue;
    char words[200];
    name_way(g, is_voltage_or_capacitor, e->node[0], e->node[1], k, words, sizeof words);
    status = nsds_netlist_warn(
        elements->netlist, e->place,
        "%s starts at %g V, but %s in a loop with it make %g V: the voltage jumps at the start",
        e->name, v, words, around);
  }
  return status;
}

static nsds_status check_inductor_starts(graph *g) {
  const nsds_elements *elements = g->elements;
  join_by(g, is_no_current);
  for (int k = 0; k < g->nodes; ++k) g->sum[k] = 0.0;
  for (int k = 0; k < elements->count; ++k) {
    const nsds_element *e = &elements->item[k];
    double i = NAN;
    if (e->kind == NSDS_ELEMENT_INDUCTOR) i = isnan(e->initial) ? 0.0 : e->initial;
    else if (e->kind == NSDS_ELEMENT_CURRENT)
      i = nsds_wave_value(&elements->wave[e->wave], 0.0, 0.0);
    else if (!is_current_source(e)) continue;
    g->sum[set_of_node(g, e->node[0])] -= i;
    g->sum[set_of_node(g, e->node[1])] += i;
  }
  nsds_status status = NSDS_OK;
  for (int k = 0; !status && k < elements->count; ++k) {
    const nsds_element *e = &elements->item[k];
    if (e->kind != NSDS_ELEMENT_INDUCTOR) continue;
    int sets[2] = {set_of_node(g, e->node[0]), set_of_node(g, e->node[1])};
    double begins = isnan(e->initial) ? 0.0 : e->initial;
    for (int end = 0; !status && sets[0] != sets[1] && end < 2; ++end) {
      double sum = g->sum[sets[end]], right = end == 0 ? begins + sum : begins - sum;
      if (!(fabs(sum) > 1e-9)) continue;
      g->sum[sets[end]] = 0.0; /* told once; the rest as if it began with the right current */
      g->sum[sets[1 - end]] += sum;
      begins = right;
      status = nsds_netlist_warn(
          elements->netlist, e->place,
          "%s: the inductors and current sources at node %s start with currents whose sum is "
          "%g A: currents jump at the start; with IC=%g of %s they do not",
          e->name, nsds_elements_node_name(elements, e->node[end]), sum, right, e->name);
    }
  }
  return status;
}

/* ---- all ---- */

static nsds_status warn_of_ends(graph *g) {
  const nsds_elements *elements = g->elements;
  nsds_status status = NSDS_OK;
  for (int k = 0; k < g->nodes; ++k) g->parent[k] = 0;
  for (int k = 0; k < elements->count; ++k)
    for (int end = 0; end < 4; ++end) ++g->parent[elements->item[k].node[end] + 1];
  for (int k = 0; !status && k < elements->count; ++k)
    for (int end = 0; !status && end < 2; ++end) {
      int node = elements->item[k].node[end];
      if (node >= 0 && g->parent[node + 1] == 1)
        status = nsds_netlist_warn(elements->netlist, elements->item[k].place,
                                   "%s: nothing else is at node %s", elements->item[k].name,
                                   nsds_elements_node_name(elements, node));
    }
  return status;
}

static void find_references(graph *g, bool *reference) {
  join_by(g, NULL);
  for (int k = 0; k < g->elements->node.count; ++k) reference[k] = set_of_node(g, k) == k + 1;
}

static nsds_status topology_check_all(graph *g, bool *reference) {
  nsds_status status = warn_of_ends(g);
  if (!status) status = check_voltage_loops(g);
  if (!status) status = check_current_cutsets(g);
  if (!status) status = check_driven_diodes(g);
  if (!status) status = check_shorts(g);
  bool starts = g->elements->analysis.from_initial;
  if (!status && starts) status = check_capacitor_starts(g);
  if (!status && starts) status = check_inductor_starts(g);
  if (!status) find_references(g, reference);
  return status;
}

nsds_status nsds_topology_check(const nsds_elements *elements, bool *reference) {
  graph g = {.elements = elements, .nodes = elements->node.count + 1};
  size_t nodes = (size_t)g.nodes;
  NSDS_MAKE(elements->netlist->job->context, g.parent, nodes);
  NSDS_MAKE(elements->netlist->job->context, g.sum, nodes);
  NSDS_MAKE(elements->netlist->job->context, g.arrived_by, nodes);
  nsds_status status =
      g.parent && g.sum && g.arrived_by ? topology_check_all(&g, reference) : NSDS_ERROR_MEMORY;
  nsds_free(g.parent);
  nsds_free(g.sum);
  nsds_free(g.arrived_by);
  return status;
}
