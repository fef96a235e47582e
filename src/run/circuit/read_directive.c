/*
 * Directives are read in two passes. Options and the analysis come first, because elements take
 * defaults from them. Outputs and initial values come behind elements, since they name nodes and
 * elements.
 */
#include "run/circuit/read_directive.h"

#include "base/text/words.h"

#include <math.h>
#include <string.h>

static nsds_status directive_refuse(const nsds_cursor *c, const char *why) {
  return nsds_netlist_refuse(nsds_cursor_netlist(c), nsds_cursor_place(c), "%.60s: %s",
                             c->card->token[0].text, why);
}

static nsds_status directive_refuse_value(const nsds_cursor *c, const char *what, double value,
                                          const char *valid) {
  return nsds_netlist_refuse(nsds_cursor_netlist(c), nsds_cursor_place(c),
                             "%.60s: %s is %g, must be %s", c->card->token[0].text, what, value,
                             valid);
}

static bool directive_is(const nsds_card *card, const char *name) {
  return strcmp(card->token[0].text, name) == 0;
}

/* ---- .options ---- */

/* An option of other programs, or one of ours without its value. */
static nsds_status pass_option(nsds_cursor *c) {
  static const char *const used[] = {"gmin", "rmin", "temp", "events", "tol"};
  const char *name = nsds_cursor_text(c);
  nsds_name_list list;
  nsds_name_list_begin(&list, name);
  for (size_t k = 0; k < sizeof used / sizeof *used; ++k) {
    if (strcmp(name, used[k]) == 0) return directive_refuse(c, "the option needs = and a value");
    nsds_name_list_add(&list, used[k]);
  }
  nsds_status status = nsds_netlist_warn(
      nsds_cursor_netlist(c), nsds_cursor_place(c), "%s: %.60s is not used%s; used are %s",
      c->card->token[0].text, name, list.did_you_mean, list.names);
  if (nsds_cursor_takes_name(c, name)) c->at += !nsds_cursor_ended(c);
  else ++c->at;
  return status;
}

/* The value of .temp and of the option temp. */
static nsds_status read_temperature(nsds_cursor *c) {
  double *value = &c->instance->elements->analysis.temperature;
  const nsds_cursor before = *c;
  nsds_status status = nsds_cursor_value(c, "TEMP", value);
  return status || *value > -273.15
             ? status
             : directive_refuse_value(&before, "TEMP", *value, "above -273.15");
}

static bool is_options(const nsds_card *card) {
  return directive_is(card, ".options") || directive_is(card, ".option") ||
         directive_is(card, ".opt");
}

static nsds_status read_option(nsds_cursor *c) {
  nsds_analysis *a = &c->instance->elements->analysis;
  double value;
  nsds_status status;
  if (nsds_cursor_takes(c, ",")) return NSDS_OK;
  if (nsds_cursor_takes_name(c, "gmin")) return nsds_cursor_positive(c, "GMIN", true, &a->leak);
  if (nsds_cursor_takes_name(c, "rmin"))
    return nsds_cursor_positive(c, "RMIN", true, &a->least_resistance);
  if (nsds_cursor_takes_name(c, "tol")) return nsds_cursor_positive(c, "TOL", true, &a->tolerance);
  const nsds_cursor before = *c;
  if (nsds_cursor_takes_name(c, "temp")) return read_temperature(c);
  if (nsds_cursor_takes_name(c, "events")) {
    status = nsds_cursor_value(c, "EVENTS", &value);
    if (status) return status;
    a->locate = value != 0.0;
    return value == 0.0 || value == 1.0
               ? NSDS_OK
               : directive_refuse_value(&before, "EVENTS", value, "0 or 1");
  }
  return pass_option(c);
}

/* ---- .tran ---- */

static nsds_status check_tran(const nsds_cursor *c, const nsds_analysis *a) {
  enum { most_rows = 50000000 };
  if (!(a->step > 0.0)) return directive_refuse_value(c, "TSTEP", a->step, "> 0");
  if (!(a->end > 0.0)) return directive_refuse_value(c, "TSTOP", a->end, "> 0");
  if (!(a->start >= 0.0 && a->start < a->end))
    return directive_refuse_value(c, "TSTART", a->start, ">= 0 and below TSTOP");
  if (!(a->largest >= 0.0)) return directive_refuse_value(c, "TMAX", a->largest, "> 0");
  if ((a->end - a->start) / a->step > most_rows)
    return nsds_netlist_refuse(nsds_cursor_netlist(c), nsds_cursor_place(c),
                               "%.60s: TSTEP of %g s makes %g rows of output; at most 50 million",
                               c->card->token[0].text, a->step, (a->end - a->start) / a->step);
  return NSDS_OK;
}

/* A word that may be the next number of .tran follows. */
static bool tran_goes_on(const nsds_cursor *c) {
  return !nsds_cursor_ended(c) && !nsds_card_has(c->card, c->at, "uic") &&
         !nsds_card_has(c->card, c->at, "startup");
}

/* LTspice writes .tran TSTOP, or .tran 0 TSTOP. The table then gets 1000 rows. */
static nsds_status choose_output_step(const nsds_cursor *c, nsds_analysis *a, int count) {
  enum { rows = 1000 };
  if (count == 1) {
    a->end = a->step;
    a->step = 0.0;
  }
  if (a->step != 0.0 || !(a->end > a->start)) return NSDS_OK;
  a->step = (a->end - a->start) / rows;
  return nsds_netlist_warn(nsds_cursor_netlist(c), a->place,
                           ".tran: without TSTEP the table has %d rows", (int)rows);
}

/* .tran TSTEP TSTOP [TSTART [TMAX]] [UIC] */
static nsds_status read_tran(nsds_cursor *c) {
  nsds_analysis *a = &c->instance->elements->analysis;
  if (a->given) return directive_refuse(c, "there is a .tran already");
  a->given = true;
  a->place = c->card->token[0].place;
  double *number[] = {&a->step, &a->end, &a->start, &a->largest};
  static const char *const what[] = {"TSTEP", "TSTOP", "TSTART", "TMAX"};
  nsds_status status = NSDS_OK;
  int count = 0;
  for (; !status && count < 4 && (count == 0 || tran_goes_on(c)); ++count)
    status = nsds_cursor_value(c, what[count], number[count]);
  if (!status) status = choose_output_step(c, a, count);
  if (status) return status;
  a->from_initial = nsds_cursor_takes(c, "uic");
  status = nsds_cursor_end(c);
  return status ? status : check_tran(c, a);
}

nsds_status nsds_directives_early(const nsds_instance *instance) {
  const nsds_section *section = instance->scope->section;
  bool embedded = instance->elements->analysis.embedded;
  bool ideal = instance->elements->analysis.ideal;
  instance->elements->analysis = (nsds_analysis){.embedded = embedded,
                                                 .ideal = ideal,
                                                 .leak = ideal ? 0.0 : nsds_leak_unsaid,
                                                 .least_resistance = ideal ? 0.0 : 1e-6,
                                                 .temperature = 27.0,
                                                 .locate = -1,
                                                 .tolerance = 1e-4};
  nsds_status status = NSDS_OK;
  for (int k = 0; !status && k < section->count; ++k) {
    nsds_cursor c = {.instance = instance, .card = section->card[k], .at = 1};
    if (directive_is(c.card, ".tran")) status = read_tran(&c);
    else if (directive_is(c.card, ".temp")) {
      nsds_cursor_takes(&c, "=");
      status = read_temperature(&c);
    } else if (is_options(c.card))
      while (!status && !nsds_cursor_ended(&c)) status = read_option(&c);
    status = nsds_netlist_go_on(nsds_cursor_netlist(&c), status);
  }
  return status;
}

/* ---- probes ---- */

static nsds_status refuse_node_name(const nsds_cursor *c) {
  const nsds_names *names = &c->instance->elements->node;
  nsds_name_list list;
  nsds_name_list_begin(&list, nsds_cursor_text(c));
  for (int k = 0; k < names->count; ++k) nsds_name_list_add(&list, names->name[k]);
  return nsds_netlist_refuse(
      nsds_cursor_netlist(c), nsds_cursor_place(c), "%.60s: there is no node %.60s%s; there are %s",
      c->card->token[0].text, nsds_cursor_text(c), list.did_you_mean, list.names);
}

/* A node that is there; the ground is. */
static nsds_status known_node(nsds_cursor *c, int *node) {
  const char *name = nsds_cursor_text(c);
  *node = nsds_names_find(&c->instance->elements->node, name);
  if (*node < 0 && strcmp(name, "0") != 0 && strcmp(name, "gnd") != 0)
    return nsds_elements_are_doubtful(c->instance->elements, name)
               ? NSDS_ERROR_FORMAT /* the card that has it is reported */
               : refuse_node_name(c);
  ++c->at;
  return NSDS_OK;
}

/* v(a), v(a,b), i(element), p(element); its name. */
static nsds_status read_probe(nsds_cursor *c, nsds_probe *probe, char **name) {
  const nsds_elements *elements = c->instance->elements;
  char what = nsds_cursor_text(c)[0];
  if (nsds_cursor_ended(c) || !strchr("vip", what) || nsds_cursor_text(c)[1] ||
      !nsds_card_has(c->card, c->at + 1, "("))
    return directive_refuse(c, "v(node), v(node,node), i(element) or p(element) should be here");
  c->at += 2;
  *probe = (nsds_probe){.what = what, .a = -1, .b = -1};
  nsds_status status = what == 'v' ? known_node(c, &probe->a) : nsds_cursor_element(c, &probe->a);
  bool two = !status && what == 'v' && nsds_cursor_takes(c, ",");
  if (two) status = known_node(c, &probe->b);
  if (!status && !nsds_cursor_takes(c, ")")) status = directive_refuse(c, ") is missing");
  if (status) return status;
  if (two)
    *name = nsds_make_word(elements->netlist->job->context, "v(%s,%s)",
                           nsds_elements_node_name(elements, probe->a),
                           nsds_elements_node_name(elements, probe->b));
  else
    *name = nsds_make_word(elements->netlist->job->context, "%c(%s)", what,
                           what == 'v' ? nsds_elements_node_name(elements, probe->a)
                                       : elements->item[probe->a].name);
  return *name ? NSDS_OK : NSDS_ERROR_MEMORY;
}

static const char *unit_of(char what) { return what == 'v' ? "V" : what == 'i' ? "A" : "W"; }

static nsds_status add_column(const nsds_instance *instance, nsds_probe probe, const char *name) {
  nsds_job *job = instance->elements->netlist->job;
  if (nsds_columns_find(&job->columns, name) >= 0) return NSDS_OK;
  if (nsds_columns_add(job->context, &job->columns, name, unit_of(probe.what)) < 0)
    return NSDS_ERROR_MEMORY;
  return nsds_elements_add_probe(instance->elements, probe);
}

/* Goes on behind the bracket that closes a probe. */
static void skip_probe(nsds_cursor *c) {
  while (!nsds_cursor_ended(c) && !nsds_cursor_takes(c, ")")) ++c->at;
}

/* .print [tran] probe ...; each one that is at fault is reported. */
static nsds_status read_print(nsds_cursor *c) {
  nsds_status status = NSDS_OK;
  nsds_cursor_takes(c, "tran");
  while (!status && !nsds_cursor_ended(c)) {
    nsds_probe probe;
    char *name = NULL;
    if (nsds_cursor_takes(c, ",") || nsds_cursor_takes(c, "all")) continue;
    status = read_probe(c, &probe, &name);
    if (status) skip_probe(c);
    else status = add_column(c->instance, probe, name);
    status = nsds_netlist_go_on(nsds_cursor_netlist(c), status);
    nsds_free(name);
  }
  return status;
}

static nsds_status default_columns(const nsds_instance *instance) {
  const nsds_elements *elements = instance->elements;
  nsds_status status = NSDS_OK;
  for (int k = 0; !status && k < elements->node.count; ++k) {
    char *name = nsds_make_word(elements->netlist->job->context, "v(%s)", elements->node.name[k]);
    status = name ? add_column(instance, (nsds_probe){'v', k, -1}, name) : NSDS_ERROR_MEMORY;
    nsds_free(name);
  }
  for (int k = 0; !status && k < elements->count; ++k) {
    nsds_element_kind kind = elements->item[k].kind;
    if (kind != NSDS_ELEMENT_VOLTAGE && kind != NSDS_ELEMENT_INDUCTOR) continue;
    char *name = nsds_make_word(elements->netlist->job->context, "i(%s)", elements->item[k].name);
    status = name ? add_column(instance, (nsds_probe){'i', k, -1}, name) : NSDS_ERROR_MEMORY;
    nsds_free(name);
  }
  return status;
}

/* ---- .ic and .measure ---- */

/* .ic v(node)=value ... */
static nsds_status read_start(nsds_cursor *c) {
  nsds_elements *elements = c->instance->elements;
  if (nsds_cursor_ended(c))
    return nsds_netlist_warn(nsds_cursor_netlist(c), c->card->token[0].place,
                             ".ic sets no voltage; give v(node)=value");
  while (!nsds_cursor_ended(c)) {
    nsds_node_value start = {.place = nsds_cursor_place(c)};
    nsds_cursor before = *c;
    if (!nsds_cursor_takes(c, "v") || !nsds_cursor_takes(c, "("))
      return directive_refuse(&before, "give v(node)=value");
    nsds_status status = known_node(c, &start.node);
    if (!status && start.node < 0) return directive_refuse(&before, "the ground is at zero");
    if (!status && (!nsds_cursor_takes(c, ")") || !nsds_cursor_takes(c, "=")))
      return directive_refuse(&before, "give v(node)=value");
    if (!status) status = nsds_cursor_value(c, "the value", &start.value);
    if (status) return status;
    if (nsds_room(elements->netlist->job->context, &elements->start, &elements->start_capacity,
                  elements->nstart + 1, sizeof *elements->start))
      return NSDS_ERROR_MEMORY;
    elements->start[elements->nstart++] = start;
  }
  return NSDS_OK;
}

static nsds_status read_measure_limits(nsds_cursor *c, double *from, double *to, double *level) {
  nsds_status status = NSDS_OK;
  while (!status && !nsds_cursor_ended(c)) {
    if (nsds_cursor_takes(c, ",")) continue;
    if (nsds_cursor_takes_name(c, "from")) status = nsds_cursor_value(c, "FROM", from);
    else if (nsds_cursor_takes_name(c, "to")) status = nsds_cursor_value(c, "TO", to);
    else if (nsds_cursor_takes_name(c, "level")) status = nsds_cursor_value(c, "LEVEL", level);
    else return directive_refuse(c, "FROM=, TO= or LEVEL= should be here");
  }
  if (!status && !(*from < *to))
    return nsds_netlist_refuse(nsds_cursor_netlist(c), nsds_cursor_place(c),
                               "%.60s: FROM is %g and TO %g; FROM must lie before TO",
                               c->card->token[0].text, *from, *to);
  return status;
}

/* .measure tran NAME KIND probe [from=] [to=] [level=] */
static nsds_status read_measure(nsds_cursor *c) {
  const nsds_elements *elements = c->instance->elements;
  nsds_job *job = elements->netlist->job;
  double from = elements->analysis.start, to = elements->analysis.end, level = 0.0;
  nsds_measure_kind kind;
  nsds_probe probe;
  char *unused = NULL;
  nsds_cursor_takes(c, "tran");
  if (nsds_cursor_ended(c) || c->card->token[c->at].kind != NSDS_TOKEN_WORD)
    return directive_refuse(c, "give tran, a name, a kind and v() or i()");
  const char *name = c->card->token[c->at].text;
  for (int k = 0; k < job->measures.count; ++k)
    if (strcmp(job->measures.item[k].name, name) == 0)
      return directive_refuse(c, "there is a measure of this name already");
  ++c->at;
  if (nsds_cursor_ended(c) || !nsds_measure_kind_of(c->card->token[c->at].text, &kind))
    return directive_refuse(
        c, "known kinds are MEAN (AVG), RMS, MAX, MIN, PP, INTEG, PERIOD and FINAL");
  ++c->at;
  nsds_status status = read_probe(c, &probe, &unused);
  nsds_free(unused);
  if (!status) status = read_measure_limits(c, &from, &to, &level);
  if (status) return status;
  if (nsds_measures_add(job->context, &job->measures, name, kind, from, to, level) < 0)
    return NSDS_ERROR_MEMORY;
  return nsds_elements_add_probe(c->instance->elements, probe);
}

/* ---- all ---- */

static bool is_print(const nsds_card *card) {
  return directive_is(card, ".print") || directive_is(card, ".save") ||
         directive_is(card, ".plot") || directive_is(card, ".probe");
}

static bool is_measure(const nsds_card *card) {
  return directive_is(card, ".measure") || directive_is(card, ".meas");
}

static nsds_status read_late(const nsds_instance *instance, bool measures) {
  const nsds_section *section = instance->scope->section;
  nsds_status status = NSDS_OK;
  for (int k = 0; !status && k < section->count; ++k) {
    nsds_cursor c = {.instance = instance, .card = section->card[k], .at = 1};
    if (measures && is_measure(c.card)) status = read_measure(&c);
    else if (!measures && is_print(c.card)) status = read_print(&c);
    else if (!measures && directive_is(c.card, ".ic")) status = read_start(&c);
    status = nsds_netlist_go_on(nsds_cursor_netlist(&c), status);
  }
  return status;
}

nsds_status nsds_directives_late(const nsds_instance *instance) {
  nsds_elements *elements = instance->elements;
  nsds_job *job = elements->netlist->job;
  if (nsds_columns_add(job->context, &job->columns, "t", "s") < 0) return NSDS_ERROR_MEMORY;
  nsds_status status = read_late(instance, false);
  if (!status && elements->nprobe == 0) status = default_columns(instance);
  elements->ncolumn = elements->nprobe;
  if (!status) status = read_late(instance, true);
  return nsds_netlist_passed(elements->netlist, status);
}

/* Directives of other programs that have another way here; NULL: none of them. */
static const char *advice_on(const nsds_card *card) {
  static const struct {
    const char *name, *advice;
  } others[] = {
      {".step", "is not read; delete it, and use nsds sweep FILE --over NAME=FROM:TO:COUNT"},
      {".dc", "is not read; delete it, and use .tran, and nsds sweep for many values"},
      {".ac", "is not read; there is no analysis but .tran"},
      {".lib", "is not read; use .include, which takes a whole file"},
      {".func", "is not read; write the formula where you need it, in braces"},
      {".global", "is not read; only node 0 is known everywhere, so give subcircuits a node more"}};
  for (size_t k = 0; k < sizeof others / sizeof *others; ++k)
    if (directive_is(card, others[k].name)) return others[k].advice;
  return NULL;
}

static nsds_status refuse_directive(const nsds_cursor *c) {
  static const char *const known[] = {".param", ".model",   ".subckt",  ".ends", ".include",
                                      ".tran",  ".ic",      ".options", ".temp", ".print",
                                      ".save",  ".measure", ".end"};
  const char *advice = advice_on(c->card);
  if (advice) return directive_refuse(c, advice);
  nsds_name_list list;
  nsds_name_list_begin(&list, c->card->token[0].text);
  for (size_t k = 0; k < sizeof known / sizeof *known; ++k) nsds_name_list_add(&list, known[k]);
  return nsds_netlist_refuse(nsds_cursor_netlist(c), nsds_cursor_place(c),
                             "%.60s: no such directive%s; known are %s", c->card->token[0].text,
                             list.did_you_mean, list.names);
}

static bool is_any_of(const nsds_card *card, const char *const *name) {
  for (; *name; ++name)
    if (directive_is(card, *name)) return true;
  return false;
}

nsds_status nsds_directive_check(const nsds_instance *instance, const nsds_card *card) {
  static const char *const known[] = {".tran", ".ic", ".param", ".temp", NULL};
  static const char *const idle[] = {".op",    ".backanno", ".title", ".four",
                                     ".width", ".nodeset",  NULL};
  nsds_cursor c = {.instance = instance, .card = card};
  if (is_any_of(card, idle))
    return nsds_netlist_warn(nsds_cursor_netlist(&c), nsds_cursor_place(&c), "%.60s is not used",
                             card->token[0].text);
  if (!is_print(card) && !is_measure(card) && !is_options(card) && !is_any_of(card, known))
    return refuse_directive(&c);
  if (instance->prefix[0] && !directive_is(card, ".param"))
    return directive_refuse(&c, "within a subcircuit only .param, .model and .subckt may stand");
  return NSDS_OK;
}
