/* Drawn netlists that are written in many ways, see drawn_text.c. */
#ifndef NSDS_TESTS_DRAWN_TEXT_H
#define NSDS_TESTS_DRAWN_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct draw_state {
  uint64_t seed;
} draw_state;

/* A whole number from 0 to count - 1. */
int draw(draw_state *d, int count);

typedef enum item_kind { ITEM_WORD, ITEM_NUMBER, ITEM_SIGN } item_kind;

/* A word of a card: a name, a number digits * 10^exponent, or a sign. */
typedef struct text_item {
  item_kind kind;
  char word[24];
  int digits, exponent;
  bool plain; /* a number that takes no formula */
} text_item;

enum { most_items = 40, most_cards = 60 };

typedef struct text_card {
  int count;
  text_item item[most_items];
} text_card;

typedef struct text_circuit {
  int count;
  text_card card[most_cards];
} text_circuit;

/* Draws a circuit that runs. */
void draw_circuit(draw_state *d, text_circuit *circuit);

/* The same circuit, with its sections in subcircuits; columns of currents are left out. */
void nest_circuit(draw_state *d, const text_circuit *circuit, text_circuit *nested);
/* Leaves out columns of currents. */
void leave_currents_out(text_circuit *circuit);

/* A text, and the place of its mark. */
typedef struct written_text {
  size_t size;
  char text[20000];
  int line, column; /* of the item that was asked for; columns count characters */
  int ncard;
  size_t card[most_cards]; /* where each card begins */
} written_text;

/* How a circuit is written. */
typedef struct writing {
  bool fancy;        /* in a drawn way, else plainly */
  int card, item;    /* whose place is asked for; -1: none */
  const char *fault; /* stands there in place of the item; NULL: none */
} writing;

void write_circuit(draw_state *d, const text_circuit *circuit, const writing *how,
                   written_text *out);

#endif
