/*
 * Subcircuits become elements, whose names begin with that of the X: x1.r3. Values of an X use the
 * parameters around it. Defaults of a head use those around the head, and those that stand before
 * them in the head.
 */
#include "run/circuit/expand.h"

#include "run/circuit/couplings.h"
#include "run/expression/expression.h"
#include "run/circuit/instance.h"
#include "base/text/suffix.h"
#include "run/circuit/read_directive.h"
#include "run/circuit/read_element.h"
#include "run/circuit/read_model.h"
#include "base/text/words.h"

#include <nsds/extend.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

static nsds_status expand_section(const nsds_instance *instance);

static nsds_status expand_refuse(const nsds_cursor *c, const char *why) {
  return nsds_netlist_refuse(nsds_cursor_netlist(c), nsds_cursor_place(c), "%.60s: %s",
                             c->card->token[0].text, why);
}

static nsds_status refuse_section_name(const nsds_cursor *c) {
  const char *name = nsds_cursor_text(c);
  nsds_name_list list;
  nsds_name_list_begin(&list, name);
  nsds_scope_list_sections(c->instance->scope, &list);
  return nsds_netlist_refuse(
      nsds_cursor_netlist(c), nsds_cursor_place(c),
      "%.60s: there is no subcircuit %.60s%s; there are %s (nodes come before the name)",
      c->card->token[0].text, name, list.did_you_mean, list.names);
}

/* A name = value of an X that its subcircuit has no parameter for. */
static nsds_status refuse_setting_name(const nsds_cursor *c, const nsds_scope *inner) {
  const char *name = nsds_cursor_text(c);
  nsds_name_list list;
  nsds_name_list_begin(&list, name);
  for (int k = 0; k < inner->count; ++k) nsds_name_list_add(&list, inner->parameter[k].name);
  return nsds_netlist_refuse(nsds_cursor_netlist(c), nsds_cursor_place(c),
                             "%.60s: the subcircuit %.60s has no parameter %.60s%s; there are %s",
                             c->card->token[0].text, inner->section->name, name, list.did_you_mean,
                             list.names);
}

/* Takes defaults of the head, which are evaluated later. */
static nsds_status read_head(const nsds_cursor *c, nsds_scope *inner, nsds_scope *line) {
  const nsds_card *head = inner->section->head;
  nsds_status status = NSDS_OK;
  for (int k = inner->section->first_setting; !status && k < head->count; k += 3) {
    const char *name = head->token[k].text;
    if (!nsds_card_has(head, k + 1, "=") || k + 2 >= head->count ||
        head->token[k].kind != NSDS_TOKEN_WORD)
      return nsds_netlist_refuse(nsds_cursor_netlist(c), nsds_card_place(head, k),
                                 ".subckt: give name = value");
    status = nsds_scope_set(line, name, &head->token[k + 2], 0.0);
    if (!status) status = nsds_scope_set(inner, name, &head->token[k + 2], 0.0);
  }
  return status;
}

/* Reads the values that the X gives in place of defaults. */
static nsds_status read_given(nsds_cursor *c, nsds_scope *inner, nsds_scope *line) {
  nsds_status status = NSDS_OK;
  nsds_cursor_takes(c, "params:");
  while (!status && !nsds_cursor_ended(c)) {
    const nsds_token *name = &c->card->token[c->at];
    if (!nsds_card_has(c->card, c->at + 1, "="))
      return expand_refuse(c, "name = value should be here");
    if (!nsds_scope_has(inner, name->text)) return refuse_setting_name(c, inner);
    c->at += 2;
    double value;
    status = nsds_cursor_value(c, name->text, &value);
    nsds_scope *to = nsds_scope_has(line, name->text) ? line : inner;
    if (!status) status = nsds_scope_set(to, name->text, NULL, value);
  }
  return status;
}

/* Values of the head: what the X gives, else the default, in which names mean what stands before on
 * the line. */
static nsds_status set_parameters(nsds_cursor *c, nsds_scope *inner) {
  nsds_scope line = {.netlist = inner->netlist,
                     .section = inner->section,
                     .outer = inner->outer,
                     .in_order = true};
  nsds_status status = read_head(c, inner, &line);
  if (!status) status = read_given(c, inner, &line);
  for (int k = 0; !status && k < line.count; ++k) {
    double value;
    status = nsds_scope_settle(&line, k, &value);
    if (!status) status = nsds_scope_set(inner, line.parameter[k].name, NULL, value);
  }
  nsds_scope_close(&line);
  return status;
}

/* Finds the name of the subcircuit: the last word before parameters. */
static int place_of_name(const nsds_card *card) {
  int k = 1;
  while (k < card->count && !nsds_card_has(card, k, "params:") && !nsds_card_has(card, k + 1, "="))
    ++k;
  return k - 1;
}

static nsds_status open_instance(nsds_cursor *c, const nsds_section *section, nsds_scope *owner,
                                 const int *port) {
  nsds_instance inner = {
      .elements = c->instance->elements, .port = port, .level = c->instance->level + 1};
  nsds_scope scope;
  char *prefix = nsds_make_word(nsds_cursor_netlist(c)->job->context, "%s%s.", c->instance->prefix,
                                c->card->token[0].text);
  nsds_status status =
      prefix ? nsds_scope_open(&scope, owner->netlist, section, owner) : NSDS_ERROR_MEMORY;
  if (!prefix) return status;
  inner.prefix = prefix;
  inner.scope = &scope;
  if (!status) status = set_parameters(c, &scope);
  if (!status) status = expand_section(&inner);
  nsds_scope_close(&scope);
  nsds_free(prefix);
  return status;
}

/* X nodes NAME [name = value ...] */
static nsds_status expand_instance(const nsds_instance *instance, const nsds_card *card) {
  nsds_cursor c = {.instance = instance, .card = card, .at = place_of_name(card)};
  nsds_scope *owner = NULL;
  if (c.at < 1) return c.at = 0, expand_refuse(&c, "give nodes and the name of a subcircuit");
  const nsds_section *section = nsds_scope_section(instance->scope, card->token[c.at].text, &owner);
  if (!section) return refuse_section_name(&c);
  if (instance->level == nsds_most_levels)
    return expand_refuse(&c, "subcircuits are nested too deeply; does one contain itself?");
  if (++instance->elements->ninstance > nsds_most_elements)
    return expand_refuse(&c, "too many subcircuits");
  int count = c.at - 1, name_at = c.at;
  if (count != section->nport)
    return nsds_netlist_refuse(nsds_cursor_netlist(&c), card->token[0].place,
                               "%.60s: %d nodes; %.60s has %d", card->token[0].text, count,
                               section->name, section->nport);
  int *port = nsds_alloc(nsds_cursor_netlist(&c)->job->context, "a subcircuit", ((size_t)count + 1),
                         sizeof *port);
  nsds_status status = port ? NSDS_OK : NSDS_ERROR_MEMORY;
  c.at = 1;
  for (int k = 0; !status && k < count; ++k) status = nsds_cursor_node(&c, &port[k]);
  c.at = name_at + 1;
  if (!status) status = open_instance(&c, section, owner, port);
  nsds_free(port);
  return status;
}

static nsds_status expand_card(const nsds_instance *instance, const nsds_card *card, bool late) {
  if (card->token[0].text[0] == '.') return late ? NSDS_OK : nsds_directive_check(instance, card);
  if (card->token[0].kind == NSDS_TOKEN_WORD && card->token[0].text[0] == 'x')
    return late ? NSDS_OK : expand_instance(instance, card);
  return nsds_element_read(instance, card, late);
}

/* The words of a refused card are in doubt, so that cards with these names are not reported too. */
static nsds_status expand_or_doubt(const nsds_instance *instance, const nsds_card *card,
                                   bool late) {
  if (nsds_context_stops(instance->elements->netlist->job->context)) return NSDS_STOPPED;
  nsds_status status = expand_card(instance, card, late);
  if (status != NSDS_ERROR_FORMAT) return status;
  nsds_status kept = nsds_elements_doubt(instance->elements, instance->prefix, card);
  return kept ? kept : nsds_netlist_go_on(instance->elements->netlist, status);
}

/* Late cards name elements, and come behind all others. */
static nsds_status expand_section(const nsds_instance *instance) {
  const nsds_section *section = instance->scope->section;
  nsds_status status = NSDS_OK;
  const nsds_netlist *netlist = instance->elements->netlist;
  for (int k = 0; !status && k < section->nmodel; ++k)
    status = nsds_netlist_go_on(netlist, nsds_device_check(instance, section->model[k]));
  for (int late = 0; late < 2; ++late)
    for (int k = 0; !status && k < section->count; ++k)
      status = expand_or_doubt(instance, section->card[k], late == 1);
  return nsds_netlist_passed(netlist, status);
}

/* ---- settings ---- */

/* A number, or a formula of numbers. */
static bool setting_value(nsds_context *context, const char *text, double *value) {
  const nsds_expression_names names = {.kind = NSDS_TEXT_NETLIST};
  nsds_expressions all = {.context = context};
  nsds_expression_error error;
  nsds_term term = {0};
  bool fine = nsds_expression_read(&all, text, &names, &term, &error);
  *value = term.number;
  return fine && isfinite(term.number);
}

/* Tells if a card of the section begins with this name. */
static bool is_element(const nsds_section *section, const char *name) {
  for (int k = 0; k < section->count; ++k)
    if (strcmp(section->card[k]->token[0].text, name) == 0) return true;
  return false;
}

static nsds_status no_parameter(const nsds_scope *scope, const char *name, const char *value) {
  const nsds_netlist *netlist = scope->netlist;
  const char *file = netlist->file.item[0].name;
  if (is_element(scope->section, name))
    return nsds_report(
        netlist->job->context, NSDS_ERROR_FORMAT,
        "%.300s: %.60s is an element and no parameter; write its value as {p_%.60s}, "
        "add .param p_%.60s=%.60s, and set p_%.60s",
        file, name, name, name, value, name);
  nsds_name_list list;
  nsds_name_list_begin(&list, name);
  nsds_scope_list_parameters(scope, &list);
  return nsds_report(
      netlist->job->context, NSDS_ERROR_FORMAT,
      "%.300s: there is no .param %.60s, which is to be set%s; %s%s", file, name, list.did_you_mean,
      list.count ? "the parameters are " : "the file has no .param", list.count ? list.names : "");
}

/* Gives the parameter of a name the value of a text: a number, or a formula of numbers. */
static nsds_status set_parameter(nsds_scope *scope, const char *name, const char *text,
                                 const char *written) {
  const nsds_netlist *netlist = scope->netlist;
  nsds_parameter *parameter = NULL;
  double value = 0.0;
  for (int k = 0; k < scope->count; ++k)
    if (strcmp(scope->parameter[k].name, name) == 0) parameter = &scope->parameter[k];
  if (!parameter) return no_parameter(scope, name, written);
  nsds_place place = parameter->token ? parameter->token->place : (nsds_place){0, 1, 1};
  bool number = nsds_number_of(text, &value);
  if (!number && !setting_value(scope->netlist->job->context, text, &value))
    return nsds_netlist_refuse(netlist, place,
                               ".param %.60s is set to \"%.60s\", which is no number%s", name,
                               written, nsds_point_hint(written));
  nsds_status status = nsds_scope_set(scope, parameter->name, NULL, value);
  return status || !number ? status
                           : nsds_scope_check_letters(scope, place, text, (int)strlen(text));
}

static nsds_status apply_setting(nsds_scope *scope, const nsds_job_setting *setting) {
  nsds_status status = NSDS_OK;
  char *name = nsds_copy_word(scope->netlist->job->context, setting->name),
       *text = nsds_copy_word(scope->netlist->job->context, setting->value);
  if (name && text) {
    nsds_to_small(name);
    nsds_to_small(text);
    status = set_parameter(scope, name, text, setting->value);
  } else {
    status = NSDS_ERROR_MEMORY;
  }
  nsds_free(name);
  nsds_free(text);
  return status;
}

static nsds_status evaluate_parameters(nsds_scope *scope) {
  nsds_status status = NSDS_OK;
  for (int k = 0; !status && k < scope->count; ++k) {
    const nsds_token *token = scope->parameter[k].token;
    nsds_token name = {.kind = NSDS_TOKEN_WORD, .text = (char *)(size_t)scope->parameter[k].name};
    double unused;
    if (!token) continue;
    name.place = token->place;
    status = nsds_netlist_go_on(scope->netlist, nsds_scope_value(scope, &name, &unused));
  }
  return nsds_netlist_passed(scope->netlist, status);
}

static nsds_status expand_whole(const nsds_instance *whole, int nsettings,
                                const nsds_job_setting *settings) {
  nsds_status status = NSDS_OK;
  for (int k = 0; !status && k < nsettings; ++k) status = apply_setting(whole->scope, &settings[k]);
  if (!status) status = evaluate_parameters(whole->scope);
  if (!status) status = nsds_directives_early(whole);
  const nsds_netlist *netlist = whole->elements->netlist;
  if (!status) status = nsds_netlist_go_on(netlist, expand_section(whole));
  if (!status) status = nsds_netlist_go_on(netlist, nsds_directives_late(whole));
  const nsds_analysis *analysis = &whole->elements->analysis;
  bool endless = !analysis->given && !analysis->embedded;
  if (!status && netlist->odd_title && (endless || netlist->job->faults.count > 0))
    status = nsds_netlist_go_on(netlist, nsds_netlist_refuse_title(netlist));
  if (!status && endless)
    status = nsds_netlist_refuse(netlist, (nsds_place){0, 1, 1},
                                 "there is no .tran, which says how long to run");
  return nsds_netlist_passed(netlist, status);
}

/* The least conductance whose current matters: of a resistor, of a capacitor over the run, divided
 * by gains of sources. */
static double least_conductance(const nsds_elements *elements) {
  double least = INFINITY, gain = 1.0, end = elements->analysis.end;
  for (int k = 0; k < elements->count; ++k) {
    const nsds_element *e = &elements->item[k];
    double size = fabs(e->value);
    if (e->kind == NSDS_ELEMENT_RESISTOR && size > 0.0) least = fmin(least, 1.0 / size);
    if (e->kind == NSDS_ELEMENT_CAPACITOR && end > 0.0) least = fmin(least, size / end);
    if (e->kind == NSDS_ELEMENT_E || e->kind == NSDS_ELEMENT_F) gain = fmax(gain, size);
  }
  return least / gain;
}

/* Chooses the conductance of open elements, unless the netlist does: a millionth of the least one
 * that matters. */
static nsds_status choose_leaks(nsds_elements *elements) {
  const double part = 1e-6, least = 1e-13, tolerance = fmax(elements->analysis.tolerance, 1e-4);
  double *leak = &elements->analysis.leak, matters = least_conductance(elements);
  if (*leak == nsds_leak_unsaid) *leak = fmax(fmin(part * matters, nsds_leak_most), least);
  bool any = false;
  for (int k = 0; k < elements->count; ++k) {
    if (elements->item[k].leak == nsds_leak_unsaid) elements->item[k].leak = *leak;
    any = any || (elements->item[k].leak > 0.0 && elements->item[k].leak == *leak);
  }
  if (!any || *leak <= tolerance * matters || elements->analysis.embedded) return NSDS_OK;
  return nsds_netlist_warn(
      elements->netlist, elements->analysis.place,
      "gmin = %g S beside open diodes and switches is more than %g of the least conductance of the "
      "circuit over its gains, %g S, and changes the results; .options gmin=... takes another",
      *leak, tolerance, matters);
}

nsds_status nsds_circuit_expand(nsds_elements *elements, int nsettings,
                                const nsds_job_setting *settings) {
  nsds_section *root = NULL;
  nsds_scope scope = {0};
  nsds_status status = nsds_section_read(elements->netlist, &root);
  if (!status) status = nsds_scope_open(&scope, elements->netlist, root, NULL);
  nsds_instance whole = {.elements = elements, .scope = &scope, .prefix = ""};
  if (!status) status = expand_whole(&whole, nsettings, settings);
  if (!status) status = nsds_couplings_check(elements);
  if (!status) status = choose_leaks(elements);
  nsds_scope_close(&scope);
  nsds_section_free(root);
  return status;
}
