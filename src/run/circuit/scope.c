/*
 * Names of a netlist. Parameters are evaluated when they are first needed, so that their order does
 * not matter; one that needs itself is refused. A name is looked for in its section first, then in
 * the sections around it.
 */
#include "run/circuit/scope.h"

#include "run/expression/expression.h"
#include "base/text/suffix.h"
#include "base/text/words.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { most_parameters_deep = 50 };

/* ---- sections ---- */

static nsds_section *new_section(nsds_context *context, nsds_section *outer,
                                 const nsds_card *head) {
  nsds_section *section = nsds_alloc(context, "a subcircuit", 1, sizeof *section);
  if (!section) return NULL;
  section->outer = outer;
  section->head = head;
  if (head) section->name = head->token[1].text, section->place = head->token[0].place;
  if (outer) {
    if (nsds_room(context, &outer->inner, &outer->inner_capacity, outer->ninner + 1,
                  sizeof *outer->inner)) {
      nsds_free(section);
      return NULL;
    }
    outer->inner[outer->ninner++] = section;
  }
  return section;
}

void nsds_section_free(nsds_section *section) {
  if (!section) return;
  for (int k = 0; k < section->ninner; ++k) nsds_section_free(section->inner[k]);
  nsds_free(section->inner);
  nsds_free(section->card);
  nsds_free(section->model);
  nsds_free(section);
}

static nsds_status check_name_of(const nsds_netlist *netlist, const nsds_section *outer,
                                 const nsds_card *card) {
  for (int k = 0; k < outer->ninner; ++k)
    if (strcmp(outer->inner[k]->name, card->token[1].text) == 0)
      return nsds_netlist_refuse(netlist, card->token[1].place,
                                 ".subckt: there is a subcircuit %s already in line %d",
                                 card->token[1].text, outer->inner[k]->place.line);
  return NSDS_OK;
}

/* The nodes and the first parameter of a head. */
static nsds_status read_ports(const nsds_netlist *netlist, nsds_section *section) {
  const nsds_card *head = section->head;
  int k = 2;
  for (; k < head->count; ++k) {
    if (nsds_card_has(head, k, "params:") || nsds_card_has(head, k + 1, "=")) break;
    if (head->token[k].kind != NSDS_TOKEN_WORD)
      return nsds_netlist_refuse(netlist, head->token[k].place,
                                 ".subckt: a node should be here, not %s", head->token[k].text);
    for (int j = 2; j < k; ++j)
      if (strcmp(head->token[j].text, head->token[k].text) == 0)
        return nsds_netlist_refuse(netlist, head->token[k].place, ".subckt: node %s stands twice",
                                   head->token[k].text);
  }
  section->nport = k - 2;
  section->first_setting = nsds_card_has(head, k, "params:") ? k + 1 : k;
  if (section->nport == 0)
    return nsds_netlist_refuse(netlist, head->token[0].place,
                               ".subckt: %s has no nodes; give one at least", section->name);
  return NSDS_OK;
}

static nsds_status enter_section(const nsds_netlist *netlist, const nsds_card *card,
                                 nsds_section **now, int *level) {
  if (card->count < 2 || card->token[1].kind != NSDS_TOKEN_WORD)
    return nsds_netlist_refuse(netlist, card->token[0].place, ".subckt: give a name and nodes");
  if (++*level > nsds_most_levels)
    return nsds_netlist_refuse(netlist, card->token[0].place, ".subckt: more than %d levels",
                               (int)nsds_most_levels);
  nsds_status status = check_name_of(netlist, *now, card);
  if (status) return status;
  nsds_section *section = new_section(netlist->job->context, *now, card);
  if (!section) return NSDS_ERROR_MEMORY;
  *now = section;
  return read_ports(netlist, section);
}

static nsds_status leave_section(const nsds_netlist *netlist, const nsds_card *card,
                                 nsds_section **now, int *level) {
  if (!(*now)->name)
    return nsds_netlist_refuse(netlist, card->token[0].place,
                               ".ends: there is no .subckt that it ends");
  if (card->count > 1 && strcmp(card->token[1].text, (*now)->name) != 0)
    return nsds_netlist_refuse(netlist, card->token[1].place,
                               ".ends: %s is not the open subcircuit, which is %s",
                               card->token[1].text, (*now)->name);
  *now = (*now)->outer;
  --*level;
  return NSDS_OK;
}

static nsds_status keep_card(const nsds_netlist *netlist, nsds_section *section,
                             const nsds_card *card) {
  bool model = strcmp(card->token[0].text, ".model") == 0;
  nsds_status status =
      model ? nsds_room(netlist->job->context, &section->model, &section->model_capacity,
                        section->nmodel + 1, sizeof *section->model)
            : nsds_room(netlist->job->context, &section->card, &section->capacity,
                        section->count + 1, sizeof *section->card);
  if (status) return NSDS_ERROR_MEMORY;
  if (model) section->model[section->nmodel++] = card;
  else section->card[section->count++] = card;
  return NSDS_OK;
}

nsds_status nsds_section_read(const nsds_netlist *netlist, nsds_section **root) {
  nsds_section *now = *root = new_section(netlist->job->context, NULL, NULL);
  nsds_status status = now ? NSDS_OK : NSDS_ERROR_MEMORY;
  int level = 0;
  for (int k = 0; !status && k < netlist->count; ++k) {
    const nsds_card *card = &netlist->card[k];
    const char *first = card->token[0].text;
    if (strcmp(first, ".subckt") == 0) status = enter_section(netlist, card, &now, &level);
    else if (strcmp(first, ".ends") == 0) status = leave_section(netlist, card, &now, &level);
    else status = keep_card(netlist, now, card);
  }
  if (!status && now->name)
    status =
        nsds_netlist_refuse(netlist, now->place, ".subckt: %s is not ended by .ends", now->name);
  return status;
}

/* ---- scopes ---- */

static nsds_parameter *own_parameter(const nsds_scope *scope, const char *name) {
  int k = nsds_names_find(&scope->names, name);
  return k < 0 ? NULL : &scope->parameter[k];
}

bool nsds_scope_has(const nsds_scope *scope, const char *name) {
  return own_parameter(scope, name) != NULL;
}

nsds_status nsds_scope_set(nsds_scope *scope, const char *name, const nsds_token *token,
                           double value) {
  nsds_parameter *old = own_parameter(scope, name);
  nsds_parameter parameter = {.name = name,
                              .token = token,
                              .value = value,
                              .state = token ? NSDS_PARAMETER_UNKNOWN : NSDS_PARAMETER_KNOWN};
  if (old) {
    parameter.name = old->name;
    *old = parameter;
    return NSDS_OK;
  }
  if (nsds_room(scope->netlist->job->context, &scope->parameter, &scope->capacity, scope->count + 1,
                sizeof *scope->parameter) ||
      nsds_names_add(scope->netlist->job->context, &scope->names, name) < 0)
    return NSDS_ERROR_MEMORY;
  scope->parameter[scope->count++] = parameter;
  return NSDS_OK;
}

static bool is_name(const char *text) {
  if (!((*text >= 'a' && *text <= 'z') || *text == '_')) return false;
  return text[strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789_.")] == '\0';
}

/* The hint for a number behind a comma, behind a number. */
static const char *comma_hint(const nsds_card *card, int k) {
  char both[64];
  if (k < 3 || strcmp(card->token[k - 1].text, ",") != 0) return "";
  snprintf(both, sizeof both, "%.30s,%.30s", card->token[k - 2].text, card->token[k].text);
  return nsds_point_hint(both);
}

static nsds_status read_params(nsds_scope *scope, const nsds_card *card) {
  if (card->count == 1)
    return nsds_netlist_warn(scope->netlist, card->token[0].place,
                             ".param sets no parameter; give name = value");
  for (int k = 1; k < card->count; k += 3) {
    const nsds_token *name = &card->token[k];
    if (name->kind == NSDS_TOKEN_SIGN && name->text[0] == ',') {
      k -= 2;
      continue;
    }
    if (name->kind != NSDS_TOKEN_WORD || !is_name(name->text))
      return nsds_netlist_refuse(scope->netlist, name->place, ".param: %s is no name%s", name->text,
                                 comma_hint(card, k));
    if (!nsds_card_has(card, k + 1, "=") || k + 2 >= card->count ||
        card->token[k + 2].kind == NSDS_TOKEN_SIGN)
      return nsds_netlist_refuse(scope->netlist, name->place, ".param: give %s = value",
                                 name->text);
    if (own_parameter(scope, name->text) && !scope->section->name)
      return nsds_netlist_refuse(scope->netlist, name->place, ".param: %s stands twice",
                                 name->text);
    nsds_status status = nsds_scope_set(scope, name->text, &card->token[k + 2], 0.0);
    if (status) return status;
  }
  return NSDS_OK;
}

nsds_status nsds_scope_open(nsds_scope *scope, const nsds_netlist *netlist,
                            const nsds_section *section, nsds_scope *outer) {
  *scope = (nsds_scope){.netlist = netlist, .section = section, .outer = outer};
  nsds_status status = NSDS_OK;
  for (int k = 0; !status && k < section->count; ++k)
    if (strcmp(section->card[k]->token[0].text, ".param") == 0)
      status = read_params(scope, section->card[k]);
  return status;
}

void nsds_scope_close(nsds_scope *scope) {
  nsds_names_free(&scope->names);
  nsds_free(scope->parameter);
  scope->parameter = NULL;
  scope->count = scope->capacity = 0;
}

/* Answers the names in a formula. */
typedef struct name_query {
  nsds_scope *scope;
  const nsds_token *token;
  nsds_status status; /* of a parameter that is there and cannot be evaluated */
} name_query;

static nsds_status parameter_value(nsds_scope *scope, nsds_parameter *p, double *value) {
  if (p->state == NSDS_PARAMETER_IN_WORK)
    return nsds_netlist_refuse(scope->netlist, p->token->place, ".param: %s needs itself", p->name);
  if (p->state == NSDS_PARAMETER_UNKNOWN) {
    if (++scope->depth > most_parameters_deep)
      return nsds_netlist_refuse(scope->netlist, p->token->place,
                                 ".param: more than %d parameters need each other",
                                 (int)most_parameters_deep);
    p->state = NSDS_PARAMETER_IN_WORK;
    double x = 0.0;
    const char *name = p->name;
    nsds_status status = nsds_scope_value(scope, p->token, &x);
    --scope->depth;
    p = own_parameter(scope, name);
    if (status) {
      p->state = NSDS_PARAMETER_UNKNOWN;
      return status;
    }
    p->value = x;
    p->state = NSDS_PARAMETER_KNOWN;
  }
  *value = p->value;
  return NSDS_OK;
}

nsds_status nsds_scope_settle(nsds_scope *scope, int k, double *value) {
  return parameter_value(scope, &scope->parameter[k], value);
}

static bool look_up(void *user, const char *name, nsds_term *term) {
  name_query *query = user;
  double value = 0.0;
  nsds_scope *owner = NULL, *later = NULL; /* later: it stands further on in a head */
  for (nsds_scope *s = query->scope; s && !owner; s = s->outer) {
    const nsds_parameter *p = own_parameter(s, name);
    if (p && s->in_order && p->state != NSDS_PARAMETER_KNOWN) later = later ? later : s;
    else if (p) owner = s;
  }
  if (!owner) owner = later;
  if (!owner) return false;
  nsds_status status = parameter_value(owner, own_parameter(owner, name), &value);
  if (status && !query->status) query->status = status;
  *term = nsds_term_number(value);
  return true;
}

/* Values beyond would overflow in products. */
static nsds_status check_size(const nsds_scope *scope, const nsds_token *token, double value) {
  const double most = 1e30;
  if (fabs(value) <= most) return NSDS_OK;
  return nsds_netlist_refuse(scope->netlist, token->place, "%.40s is %g; a number is at most %g",
                             token->text, value, most);
}

nsds_status nsds_scope_check_letters(const nsds_scope *scope, nsds_place place, const char *number,
                                     int size) {
  char word[80];
  double value = 0.0;
  if (nsds_number_letters(number) >= number + size) return NSDS_OK;
  snprintf(word, sizeof word, "%.*s", size, number);
  const char *letters = nsds_number_letters(word);
  nsds_number_begin(word, &value);
  if (strcmp(letters, "a") == 0 || strncmp(letters, "amp", 3) == 0)
    return nsds_netlist_warn(scope->netlist, place,
                             "%s is read as %.9g: a is the suffix of 1e-18; leave out the unit A",
                             word, value);
  if (nsds_letters_are_known(letters)) return NSDS_OK;
  return nsds_netlist_warn(
      scope->netlist, place,
      "%s is read as %.9g: %s is no suffix; known are T G MEG K M U N P F A MIL", word, value,
      letters);
}

static void look_at_number(void *user, const char *text, int size) {
  name_query *query = user;
  nsds_place place = query->token->place;
  const char *begin = query->token->text;
  place.column += nsds_characters(begin, (size_t)(text - begin));
  nsds_status status = nsds_scope_check_letters(query->scope, place, text, size);
  if (status && !query->status) query->status = status;
}

void nsds_scope_list_parameters(const nsds_scope *scope, nsds_name_list *list) {
  for (; scope; scope = scope->outer)
    for (int k = 0; k < scope->count; ++k) nsds_name_list_add(list, scope->parameter[k].name);
}

/* A name that no parameter has. */
static nsds_status refuse_word(const nsds_scope *scope, const nsds_token *token) {
  nsds_name_list list;
  nsds_name_list_begin(&list, token->text);
  nsds_scope_list_parameters(scope, &list);
  return nsds_netlist_refuse(scope->netlist, token->place,
                             "%.40s is no number and no parameter%s; parameters: %s", token->text,
                             list.did_you_mean, list.names);
}

/* A formula that fails at a place of its text. */
static nsds_status refuse_formula(const nsds_scope *scope, const nsds_token *token,
                                  const nsds_expression_error *error) {
  nsds_name_list list;
  nsds_place place = token->place;
  place.column += nsds_characters(token->text, (size_t)error->at);
  if (error->fault == NSDS_EXPRESSION_NO_MEMORY) return NSDS_ERROR_MEMORY;
  if (error->fault != NSDS_EXPRESSION_NO_NAME)
    return nsds_netlist_refuse(scope->netlist, place, "{%.60s}: %s", token->text, error->text);
  nsds_name_list_begin(&list, error->name);
  nsds_scope_list_parameters(scope, &list);
  return nsds_netlist_refuse(scope->netlist, place,
                             "{%.60s}: there is no parameter %s%s; there are %s", token->text,
                             error->name, list.did_you_mean, list.names);
}

nsds_status nsds_scope_value(nsds_scope *scope, const nsds_token *token, double *value) {
  if (token->kind == NSDS_TOKEN_WORD && nsds_number_of(token->text, value)) {
    nsds_status status =
        nsds_scope_check_letters(scope, token->place, token->text, (int)strlen(token->text));
    return status ? status : check_size(scope, token, *value);
  }
  if (token->kind == NSDS_TOKEN_SIGN || token->kind == NSDS_TOKEN_QUOTED)
    return nsds_netlist_refuse(scope->netlist, token->place, "a number should be here, not %.40s",
                               token->text);
  if (token->kind == NSDS_TOKEN_WORD && !is_name(token->text)) return refuse_word(scope, token);
  name_query query = {.scope = scope, .token = token};
  const nsds_expression_names names = {
      .kind = NSDS_TEXT_NETLIST, .find = look_up, .number = look_at_number, .user = &query};
  nsds_expressions all = {
      .context = scope->netlist->job->context}; /* stays empty: there are only numbers */
  nsds_expression_error error;
  nsds_term term;
  bool fine = nsds_expression_read(&all, token->text, &names, &term, &error);
  if (query.status) return query.status;
  if (!fine && token->kind == NSDS_TOKEN_WORD) return refuse_word(scope, token);
  if (!fine) return refuse_formula(scope, token, &error);
  *value = term.number;
  if (isfinite(*value)) return check_size(scope, token, *value);
  return nsds_netlist_refuse(scope->netlist, token->place, "{%.60s}: the value is not finite",
                             token->text);
}

void nsds_scope_list_sections(const nsds_scope *scope, nsds_name_list *list) {
  for (; scope; scope = scope->outer)
    for (int k = 0; k < scope->section->ninner; ++k)
      nsds_name_list_add(list, scope->section->inner[k]->name);
}

void nsds_scope_list_models(const nsds_scope *scope, nsds_name_list *list) {
  for (; scope; scope = scope->outer)
    for (int k = 0; k < scope->section->nmodel; ++k)
      if (scope->section->model[k]->count > 1)
        nsds_name_list_add(list, scope->section->model[k]->token[1].text);
}

const nsds_section *nsds_scope_section(nsds_scope *scope, const char *name, nsds_scope **owner) {
  for (nsds_scope *s = scope; s; s = s->outer)
    for (int k = 0; k < s->section->ninner; ++k)
      if (strcmp(s->section->inner[k]->name, name) == 0) {
        *owner = s;
        return s->section->inner[k];
      }
  return NULL;
}

const nsds_card *nsds_scope_model(nsds_scope *scope, const char *name, nsds_scope **owner) {
  for (nsds_scope *s = scope; s; s = s->outer)
    for (int k = 0; k < s->section->nmodel; ++k)
      if (s->section->model[k]->count > 1 &&
          strcmp(s->section->model[k]->token[1].text, name) == 0) {
        *owner = s;
        return s->section->model[k];
      }
  return NULL;
}
