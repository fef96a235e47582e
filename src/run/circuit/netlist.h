/* The text of a netlist as cards: logical lines of words, each with its place. */
#ifndef NSDS_RUN_NETLIST_H
#define NSDS_RUN_NETLIST_H

#include "base/text/format.h"
#include "run/job/job_parts.h"

/* Larger files are refused, so that none can exhaust memory or the stack. */
enum {
  nsds_most_words = 20000,    /* words of one card */
  nsds_most_letters = 1000,   /* letters of one word */
  nsds_most_includes = 16,    /* files that include each other */
  nsds_most_levels = 32,      /* subcircuits within subcircuits */
  nsds_most_cards = 2000000,  /* cards of all files */
  nsds_most_elements = 500000 /* elements, subcircuits expanded */
};

/* A place in a file: its number in nsds_netlist::file. */
typedef struct nsds_place {
  int file, line, column;
} nsds_place;

typedef enum nsds_token_kind {
  NSDS_TOKEN_WORD,    /* a name or a number, in small letters */
  NSDS_TOKEN_FORMULA, /* the text within {} or '' */
  NSDS_TOKEN_QUOTED,  /* the text within "", as it stands */
  NSDS_TOKEN_SIGN     /* one of = ( ) , */
} nsds_token_kind;

typedef struct nsds_token {
  nsds_token_kind kind;
  char *text;
  char *as_written; /* of a word: with its capitals, in the memory of `text` */
  nsds_place place;
} nsds_token;

typedef struct nsds_card {
  int count, capacity;
  nsds_token *token;
} nsds_card;

typedef struct nsds_netlist {
  nsds_job *job;
  nsds_columns file; /* names of the files */
  bool odd_title;    /* the first line looks like a card */
  int count, capacity;
  nsds_card *card;
} nsds_netlist;

/* Reads a text and the files that it includes. On failure the context has the message. */
nsds_status nsds_netlist_read(nsds_netlist *netlist, const char *name, const char *text);
void nsds_netlist_free(nsds_netlist *netlist);

/* Records a failure or keeps a warning, with file, line and column. A refusal is reported once for
 * a place. */
nsds_status nsds_netlist_refuse(const nsds_netlist *netlist, nsds_place place, const char *format,
                                ...) NSDS_PRINTF(3, 4);
nsds_status nsds_netlist_report(const nsds_netlist *netlist, nsds_place place, nsds_status status,
                                const char *format, ...) NSDS_PRINTF(4, 5);
nsds_status nsds_netlist_warn(const nsds_netlist *netlist, nsds_place place, const char *format,
                              ...) NSDS_PRINTF(3, 4);
/* After a refusal, lets a reader go on to find further faults: NSDS_OK up to nsds_most_faults.
 * Other failures stay. */
nsds_status nsds_netlist_go_on(const nsds_netlist *netlist, nsds_status status);
/* Tells of a first line that looks like a card. */
nsds_status nsds_netlist_refuse_title(const nsds_netlist *netlist);
/* Ends a part of the reading: NSDS_ERROR_FORMAT if anything was refused. */
nsds_status nsds_netlist_passed(const nsds_netlist *netlist, nsds_status status);

/* Tells if token k of the card is this sign or word. */
bool nsds_card_has(const nsds_card *card, int k, const char *text);

/* Returns the place of token k, or of the last token if there are fewer. */
nsds_place nsds_card_place(const nsds_card *card, int k);

#endif
