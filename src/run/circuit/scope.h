/* Sections of a netlist (the whole, and each .subckt) and the meanings of their names. */
#ifndef NSDS_RUN_SCOPE_H
#define NSDS_RUN_SCOPE_H

#include "base/text/name_list.h"
#include "base/text/names.h"
#include "run/circuit/netlist.h"

/* A section: the cards between .subckt and .ends, or the whole. */
typedef struct nsds_section {
  const char *name; /* NULL: the whole */
  nsds_place place;
  const nsds_card *head; /* the card .subckt */
  int nport;             /* nodes of the head, from its third word on */
  int first_setting;     /* word of the head that begins its parameters */
  struct nsds_section *outer;
  int count, capacity; /* its cards of elements, directives and .param */
  const nsds_card **card;
  int nmodel, model_capacity;
  const nsds_card **model;
  int ninner, inner_capacity;
  struct nsds_section **inner;
} nsds_section;

typedef struct nsds_parameter {
  const char *name;
  const nsds_token *token; /* its text; NULL: known */
  double value;
  enum { NSDS_PARAMETER_UNKNOWN, NSDS_PARAMETER_IN_WORK, NSDS_PARAMETER_KNOWN } state;
} nsds_parameter;

/* A section in use, with the values of its parameters. */
typedef struct nsds_scope {
  const nsds_netlist *netlist;
  const nsds_section *section;
  struct nsds_scope *outer; /* of the section around it */
  nsds_names names;         /* of the parameters, by their places */
  int count, capacity;
  nsds_parameter *parameter;
  int depth;     /* of parameters that need each other */
  bool in_order; /* the head of a subcircuit: names mean what stands before, then what is outside */
} nsds_scope;

/* Sorts the cards of a netlist into sections. The root is freed by nsds_section_free(). */
nsds_status nsds_section_read(const nsds_netlist *netlist, nsds_section **root);
void nsds_section_free(nsds_section *section);

/* Opens a scope: parameters of `.param`; those of a subcircuit's head come with
 * nsds_scope_set(). */
nsds_status nsds_scope_open(nsds_scope *scope, const nsds_netlist *netlist,
                            const nsds_section *section, nsds_scope *outer);
void nsds_scope_close(nsds_scope *scope);

/* Gives a parameter a value; one that is there already gets it in place of its own. */
nsds_status nsds_scope_set(nsds_scope *scope, const char *name, const nsds_token *token,
                           double value);
/* The value of parameter k. */
nsds_status nsds_scope_settle(nsds_scope *scope, int k, double *value);
bool nsds_scope_has(const nsds_scope *scope, const char *name);

/* The number that a token stands for: a number, a formula or the name of a parameter. */
nsds_status nsds_scope_value(nsds_scope *scope, const nsds_token *token, double *value);

/* Warns of letters behind a number that mean nothing, or another thing than one thinks. */
nsds_status nsds_scope_check_letters(const nsds_scope *scope, nsds_place place, const char *number,
                                     int size);

/* Names that can be used in a scope, for messages. */
void nsds_scope_list_parameters(const nsds_scope *scope, nsds_name_list *list);
void nsds_scope_list_sections(const nsds_scope *scope, nsds_name_list *list);
void nsds_scope_list_models(const nsds_scope *scope, nsds_name_list *list);

/* The subcircuit, or the card of the model, of a name, and the scope that it belongs to; NULL:
 * there is none. */
const nsds_section *nsds_scope_section(nsds_scope *scope, const char *name, nsds_scope **owner);
const nsds_card *nsds_scope_model(nsds_scope *scope, const char *name, nsds_scope **owner);

#endif
