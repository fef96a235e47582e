/* Words of a card in the sense of the instance that the card stands in. */
#include "run/circuit/instance.h"

#include "base/text/suffix.h"
#include "base/text/words.h"

#include <math.h>
#include <string.h>

const nsds_netlist *nsds_cursor_netlist(const nsds_cursor *c) {
  return c->instance->elements->netlist;
}
bool nsds_cursor_ended(const nsds_cursor *c) { return c->at >= c->card->count; }
nsds_place nsds_cursor_place(const nsds_cursor *c) { return nsds_card_place(c->card, c->at); }

const char *nsds_cursor_text(const nsds_cursor *c) {
  return nsds_cursor_ended(c) ? "the end of the card" : c->card->token[c->at].text;
}

bool nsds_cursor_takes(nsds_cursor *c, const char *text) {
  if (!nsds_card_has(c->card, c->at, text)) return false;
  ++c->at;
  return true;
}

bool nsds_cursor_takes_name(nsds_cursor *c, const char *name) {
  if (!nsds_card_has(c->card, c->at, name) || !nsds_card_has(c->card, c->at + 1, "=")) return false;
  c->at += 2;
  return true;
}

nsds_status nsds_cursor_end(const nsds_cursor *c) {
  if (nsds_cursor_ended(c)) return NSDS_OK;
  const nsds_token *word = &c->card->token[c->at];
  if (c->at > 0 && word->kind == NSDS_TOKEN_WORD && nsds_is_unit(word->text) &&
      word[-1].kind == NSDS_TOKEN_WORD && !nsds_number_letters(word[-1].text)[0])
    return nsds_netlist_refuse(
        nsds_cursor_netlist(c), word->place,
        "%.60s: \"%.60s\" is not expected here; a number and its unit are one "
        "word: %.60s%.60s",
        c->card->token[0].text, word->as_written, word[-1].as_written, word->as_written);
  return nsds_netlist_refuse(nsds_cursor_netlist(c), nsds_cursor_place(c),
                             "%.60s: \"%.60s\" is not expected here", c->card->token[0].text,
                             nsds_cursor_text(c));
}

char *nsds_instance_name(const nsds_instance *instance, const char *name) {
  return nsds_make_word(instance->elements->netlist->job->context, "%s%s", instance->prefix, name);
}

/* The port of the section that has the name; -1: none. */
static int port_of(const nsds_instance *instance, const char *name) {
  const nsds_section *section = instance->scope->section;
  for (int k = 0; k < section->nport; ++k)
    if (strcmp(section->head->token[2 + k].text, name) == 0) return k;
  return -1;
}

nsds_status nsds_cursor_node(nsds_cursor *c, int *node) {
  const nsds_netlist *netlist = nsds_cursor_netlist(c);
  if (nsds_cursor_ended(c) || c->card->token[c->at].kind != NSDS_TOKEN_WORD)
    return nsds_netlist_refuse(netlist, nsds_cursor_place(c),
                               "%.60s: a node should be here, not %.60s", c->card->token[0].text,
                               nsds_cursor_text(c));
  const char *name = c->card->token[c->at++].text;
  int port = port_of(c->instance, name);
  if (port >= 0) {
    *node = c->instance->port[port];
    return NSDS_OK;
  }
  if (strcmp(name, "0") == 0 || strcmp(name, "gnd") == 0 || !c->instance->prefix[0])
    return nsds_elements_node(c->instance->elements, name, node);
  char *whole = nsds_instance_name(c->instance, name);
  if (!whole) return NSDS_ERROR_MEMORY;
  nsds_status status = nsds_elements_node(c->instance->elements, whole, node);
  nsds_free(whole);
  return status;
}

nsds_status nsds_cursor_value(nsds_cursor *c, const char *what, double *value) {
  if (nsds_cursor_ended(c))
    return nsds_netlist_refuse(nsds_cursor_netlist(c), nsds_cursor_place(c), "%.60s: %s is missing",
                               c->card->token[0].text, what);
  nsds_status status = nsds_scope_value(c->instance->scope, &c->card->token[c->at], value);
  ++c->at;
  return status;
}

nsds_status nsds_cursor_positive(nsds_cursor *c, const char *what, bool with_zero, double *value) {
  nsds_place place = nsds_cursor_place(c);
  nsds_status status = nsds_cursor_value(c, what, value);
  if (status || *value > 0.0 || (with_zero && *value == 0.0)) return status;
  return nsds_netlist_refuse(nsds_cursor_netlist(c), place, "%.60s: %s is %g, must be %s",
                             c->card->token[0].text, what, *value, with_zero ? ">= 0" : "> 0");
}

/* Elements of the instance, without its prefix. */
static nsds_status refuse_element_name(const nsds_cursor *c) {
  const nsds_names *names = &c->instance->elements->name;
  const char *prefix = c->instance->prefix;
  nsds_name_list list;
  nsds_name_list_begin(&list, nsds_cursor_text(c));
  for (int k = 0; k < names->count; ++k)
    if (strncmp(names->name[k], prefix, strlen(prefix)) == 0)
      nsds_name_list_add(&list, names->name[k] + strlen(prefix));
  return nsds_netlist_refuse(nsds_cursor_netlist(c), nsds_cursor_place(c),
                             "%.60s: there is no element %.60s%s; there are %s",
                             c->card->token[0].text, nsds_cursor_text(c), list.did_you_mean,
                             list.names);
}

nsds_status nsds_cursor_element(nsds_cursor *c, int *element) {
  const nsds_netlist *netlist = nsds_cursor_netlist(c);
  if (nsds_cursor_ended(c) || c->card->token[c->at].kind != NSDS_TOKEN_WORD)
    return nsds_netlist_refuse(netlist, nsds_cursor_place(c),
                               "%.60s: an element should be here, not %.60s",
                               c->card->token[0].text, nsds_cursor_text(c));
  char *whole = nsds_instance_name(c->instance, c->card->token[c->at].text);
  if (!whole) return NSDS_ERROR_MEMORY;
  *element = nsds_names_find(&c->instance->elements->name, whole);
  bool doubtful = *element < 0 && nsds_elements_are_doubtful(c->instance->elements, whole);
  nsds_free(whole);
  if (doubtful) return NSDS_ERROR_FORMAT; /* its own card is reported */
  if (*element < 0) return refuse_element_name(c);
  ++c->at;
  return NSDS_OK;
}
