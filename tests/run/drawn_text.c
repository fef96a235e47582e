/*
 * Draws ladders of resistors, capacitors, inductors, diodes and sources, and writes the same circuit
 * plainly or in a drawn way: capitals, blanks, tabs, lines that go on, comments, ends of lines,
 * suffixes and units, formulas in brackets or quotes, parameters, brackets left out.
 *
 * A number is digits * 10^exponent. Each way of writing it means the same double: a suffix and an
 * exponent are one exponent for the reader, and formulas are identities.
 */
#include "drawn_text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int draw(draw_state *d, int count) {
  d->seed = d->seed * 6364136223846793005U + 1442695040888963407U;
  return (int)((d->seed >> 33) % (uint64_t)count);
}

/* ---- circuits ---- */

static text_item *add_item_of(text_card *card, item_kind kind, const char *word) {
  text_item *item = &card->item[card->count++];
  *item = (text_item){.kind = kind};
  snprintf(item->word, sizeof item->word, "%s", word);
  return item;
}

static void add_number(text_card *card, int digits, int exponent) {
  text_item *item = add_item_of(card, ITEM_NUMBER, "");
  item->digits = digits;
  item->exponent = exponent;
}

/* Words of a card: "%1" stands for the next number, digits and exponent, "%2" for one that takes no formula. */
static text_card *add_card(text_circuit *c, const char *words, ...) {
  text_card *card = &c->card[c->count++];
  card->count = 0;
  va_list list;
  va_start(list, words);
  for (const char *at = words; *at;) {
    char word[24];
    size_t size = strcspn(at, " ");
    snprintf(word, sizeof word, "%.*s", (int)size, at);
    if (word[0] == '%') {
      int digits = va_arg(list, int);
      add_number(card, digits, va_arg(list, int));
      card->item[card->count - 1].plain = word[1] == '2';
    } else {
      add_item_of(card, strchr("=(),", word[0]) ? ITEM_SIGN : ITEM_WORD, word);
    }
    at += size + (at[size] == ' ');
  }
  va_end(list);
  return card;
}

static void rename_items(text_card *card, int k) {
  for (int j = 0; j < card->count; ++j) {
    char *mark = strchr(card->item[j].word, '#');
    if (!mark) continue;
    int shift = mark[1] == '+';
    snprintf(mark, sizeof card->item[j].word - (size_t)(mark - card->item[j].word), "%d",
             k + shift);
  }
}

static void draw_source(draw_state *d, text_circuit *c) {
  int volts = 1 + draw(d, 40);
  switch (draw(d, 5)) {
  case 0: add_card(c, "v1 n1 0 %1", volts, 0); break;
  case 1: add_card(c, "v1 n1 0 dc %1", volts, 0); break;
  case 2:
    add_card(c, "v1 n1 0 sin ( %1 %1 %1 )", draw(d, 5), 0, volts, 0, 1 + draw(d, 9), 3);
    break;
  case 3:
    add_card(c, "v1 n1 0 pulse ( %1 %1 %1 %1 %1 %1 %1 )", draw(d, 3), 0, volts, 0, 1 + draw(d, 9),
             -6, 1 + draw(d, 9), -7, 2, -7, 3 + draw(d, 20), -5, 1, -3);
    break;
  default:
    add_card(c, "v1 n1 0 pwl ( %1 %1 %1 %1 %1 %1 )", 0, 0, draw(d, 9), 0, 2, -4, volts, 0, 7, -4,
             draw(d, 9), -1);
  }
}

static void draw_section(draw_state *d, text_circuit *c, int k) {
  rename_items(add_card(c, "r# n# n#+ %1", 1 + draw(d, 999), draw(d, 3)), k);
  rename_items(draw(d, 3) ? add_card(c, "c# n#+ 0 %1", 1 + draw(d, 99), -9 + draw(d, 3))
                          : add_card(c, "c# n#+ 0 %1 ic = %1", 1 + draw(d, 99), -8, draw(d, 5), 0),
               k);
  switch (draw(d, 6)) {
  case 0: rename_items(add_card(c, "d# n#+ 0 di"), k); break;
  case 1: rename_items(add_card(c, "d# 0 n#+ di"), k); break;
  case 2: rename_items(add_card(c, "l# n#+ n# %1", 1 + draw(d, 99), -4), k); break;
  case 3: rename_items(add_card(c, "i# 0 n#+ %1", 1 + draw(d, 99), -4), k); break;
  case 4: rename_items(add_card(c, "g# 0 n#+ n1 0 %1", 1 + draw(d, 99), -6), k); break;
  default: break;
  }
}

void draw_circuit(draw_state *d, text_circuit *c) {
  c->count = 0;
  draw_source(d, c);
  int sections = 1 + draw(d, 4);
  for (int k = 1; k <= sections; ++k) draw_section(d, c, k);
  add_card(c, ".model di d ( ideal = %2 ron = %1 )", 1, 0, 1 + draw(d, 99), -3);
  add_card(c, ".tran %1 %1", 5, -5, 1, -3);
  add_card(c, ".print tran v ( n2 ) v ( n1 , n2 ) i ( r1 )");
  add_card(c, ".measure tran most max v ( n2 )");
  add_card(c, ".measure tran mean avg i ( r1 ) from = %1 to = %1", 1, -4, 9, -4);
}

/* ---- subcircuits ---- */

/* The section that a card belongs to; 0: none. */
static int section_of(const text_card *card) {
  const char *name = card->item[0].word;
  return strchr("rcdlig", name[0]) ? (int)strtol(name + 1, NULL, 10) : 0;
}

/* The card with nodes of its section as ports. */
static text_card within_section(const text_card *card, int k) {
  char begin[24], end[24];
  text_card inner = *card;
  snprintf(begin, sizeof begin, "n%d", k);
  snprintf(end, sizeof end, "n%d", k + 1);
  for (int j = 1; j < inner.count; ++j) {
    char *word = inner.item[j].word;
    if (strcmp(word, begin) == 0) strcpy(word, "a");
    else if (strcmp(word, end) == 0) strcpy(word, "b");
    else if (strcmp(word, "n1") == 0) strcpy(word, "c");
  }
  return inner;
}

void nest_circuit(draw_state *d, const text_circuit *c, text_circuit *nested) {
  int open = 0;
  nested->count = 0;
  for (int k = 0; k < c->count; ++k) {
    const text_card *card = &c->card[k];
    int section = section_of(card);
    if (section != open && open) add_card(nested, ".ends");
    if (section && section != open) {
      bool given = draw(d, 2) && card->item[3].kind == ITEM_NUMBER;
      char words[200];
      snprintf(words, sizeof words, "x%d n%d n%d n1 s%d", section, section, section + 1, section);
      text_card *x = add_card(nested, words);
      snprintf(words, sizeof words, ".subckt s%d a b c%s", section, given ? " r = 17" : "");
      if (given) add_item_of(x, ITEM_WORD, "r"), add_item_of(x, ITEM_SIGN, "=");
      if (given) x->item[x->count++] = card->item[3];
      add_card(nested, words);
      nested->card[nested->count++] = within_section(card, section);
      if (given) {
        text_item *value = &nested->card[nested->count - 1].item[3];
        *value = (text_item){.kind = ITEM_WORD, .word = "{r}"};
      }
    } else {
      nested->card[nested->count++] = section ? within_section(card, section) : *card;
    }
    open = section;
  }
  if (open) add_card(nested, ".ends");
  leave_currents_out(nested);
}

void leave_currents_out(text_circuit *c) {
  int kept = 0;
  for (int k = 0; k < c->count; ++k) {
    text_card *card = &c->card[k];
    for (int j = 0; j + 3 < card->count; ++j)
      if (strcmp(card->item[j].word, "i") == 0 && card->item[j + 1].word[0] == '(') {
        memmove(&card->item[j], &card->item[j + 4],
                (size_t)(card->count - j - 4) * sizeof card->item[0]);
        card->count -= 4;
      }
    bool measure = strcmp(card->item[0].word, ".measure") == 0;
    if (!measure || strcmp(card->item[2].word, "mean") != 0) c->card[kept++] = *card;
  }
  c->count = kept;
}

/* ---- texts ---- */

typedef struct text_writer {
  draw_state *d;
  written_text *out;
  const writing *how;
  const char *line_end;
  char settings[4000]; /* lines of .param for the end */
  int nsettings, in_line;
  bool starts_line; /* the cursor stands at the start of a line */
} text_writer;

static int chance(text_writer *w, int of) { return w->how->fancy && draw(w->d, of) == 0; }

static void put_text(text_writer *w, const char *text) {
  written_text *out = w->out;
  out->size += (size_t)snprintf(out->text + out->size, sizeof out->text - out->size, "%s", text);
}

static void put_letters(text_writer *w, const char *text) {
  int capitals = w->how->fancy ? draw(w->d, 3) : 0;
  for (; *text; ++text) {
    bool large = capitals == 1 || (capitals == 2 && draw(w->d, 2));
    char one[2] = {large && *text >= 'a' && *text <= 'z' ? (char)(*text - 'a' + 'A') : *text, '\0'};
    put_text(w, one);
  }
}

/* A number with its point moved by `shift` digits, as digits * 10^exponent means it. */
static void print_decimal(char text[64], int digits, int exponent, int shift) {
  char all[40];
  snprintf(all, sizeof all, "%d", digits);
  int size = (int)strlen(all), e = exponent + shift;
  if (shift <= 0) snprintf(text, 64, "%s", all);
  else if (shift < size) snprintf(text, 64, "%.*s.%s", size - shift, all, all + size - shift);
  else snprintf(text, 64, "0.%0*d%s", shift - size, 0, all);
  if (shift > size) snprintf(text, 64, "0.%0*d%s", shift - size, 0, all);
  if (shift == size) snprintf(text, 64, ".%s", all);
  if (shift <= 0) e = exponent;
  size_t used = strlen(text);
  if (e != 0) snprintf(text + used, 64 - used, "e%d", e);
}

static const struct {
  const char *suffix;
  int exponent;
} suffixes[] = {{"t", 12}, {"g", 9},   {"meg", 6}, {"k", 3},         {"m", -3},       {"u", -6},
                {"n", -9}, {"p", -12}, {"f", -15}, {"\xC2\xB5", -6}, {"\xCE\xBC", -6}};

static void form_number(text_writer *w, const text_item *item, char text[128]) {
  char number[64];
  if (chance(w, 2)) {
    int k = draw(w->d, (int)(sizeof suffixes / sizeof *suffixes));
    static const char *const units[] = {"", "", "ohm", "hz", "v", "s", "\xCE\xA9"};
    int away = item->exponent - suffixes[k].exponent;
    if (away >= -8 && away <= 8) {
      print_decimal(number, item->digits, away, draw(w->d, 4));
      snprintf(text, 128, "%s%s%s", number, suffixes[k].suffix,
               units[draw(w->d, (int)(sizeof units / sizeof *units))]);
      return;
    }
  }
  print_decimal(text, item->digits, item->exponent, w->how->fancy ? draw(w->d, 5) : 0);
}

static void form_formula(text_writer *w, const text_item *item, char text[256]) {
  static const char *const forms[] = {
      "%s",        "(%s)",       "%s*1",          "0+%s",    " +%s ",
      "%s ? %s:1", "max(%s,%s)", "-(-%s)",        "%s^1",    "if(1,%s,2)",
      "abs(%s)",   "(%s)/(2-1)", "min( %s , %s)", "%s**1.0", "2>1 ? %s : 7"};
  char number[128];
  form_number(w, item, number);
  int most = (int)(sizeof forms / sizeof *forms);
  const char *form = forms[draw(w->d, most)];
  if (strncmp(form, "if(", 3) == 0 || strncmp(form, "%s ?", 4) == 0) form = "1 ? %s : 2";
  snprintf(text, 256, form, number, number);
}

static void put_number(text_writer *w, const text_item *item) {
  char text[256];
  if (item->plain || !chance(w, 3)) {
    form_number(w, item, text);
    put_letters(w, text);
    return;
  }
  form_formula(w, item, text);
  int way = draw(w->d, 4);
  if (way == 3) {
    char line[400];
    snprintf(line, sizeof line, ".param p%d = {%s}%s", w->nsettings, text, w->line_end);
    size_t used = strlen(w->settings);
    if (used + strlen(line) < sizeof w->settings) {
      strcpy(w->settings + used, line);
      snprintf(text, sizeof text, draw(w->d, 2) ? "{p%d}" : "p%d", w->nsettings++);
      put_letters(w, text);
      return;
    }
  }
  put_text(w, way == 1 ? "'" : "{");
  put_letters(w, text);
  put_text(w, way == 1 ? "'" : "}");
}

/* A blank between two words, or an end of line with a + in the next. */
static void put_blank(text_writer *w) {
  static const char *const blanks[] = {" ", "  ", "\t", " \t ", "      "};
  static const char *const comments[] = {" ; a comment", " $ another", "", ""};
  if (!chance(w, 12)) {
    put_text(w, w->how->fancy ? blanks[draw(w->d, 5)] : " ");
    return;
  }
  put_text(w, comments[draw(w->d, 4)]);
  put_text(w, w->line_end);
  if (chance(w, 4)) {
    put_text(w, "* a comment between, 10k\xCE\xA9 {(");
    put_text(w, w->line_end);
  }
  put_text(w, draw(w->d, 2) ? "+" : "+ ");
}

/* The place of the cursor; columns count characters. */
static void take_place(text_writer *w) {
  written_text *out = w->out;
  out->line = out->column = 1;
  for (const char *at = out->text; *at; ++at) {
    if (*at == '\n') ++out->line, out->column = 1;
    else if (((unsigned char)*at & 0xC0) != 0x80) ++out->column;
  }
}

static void put_fault(text_writer *w, const char *fault) {
  const char *mark = strchr(fault, '!'); /* stands in front of what is wrong */
  char text[200];
  snprintf(text, sizeof text, "%.*s", mark ? (int)(mark - fault) : 0, fault);
  put_text(w, text);
  take_place(w);
  put_text(w, mark ? mark + 1 : fault);
}

static void put_item(text_writer *w, const text_item *item, bool asked) {
  if (asked && w->how->fault) {
    put_fault(w, w->how->fault);
    return;
  }
  if (asked) take_place(w);
  if (item->kind == ITEM_NUMBER) put_number(w, item);
  else put_letters(w, item->word);
}

/* Signs need no blanks. A comma may be a blank, a list in brackets may have commas. */
static void write_card(text_writer *w, const text_card *card, int number) {
  for (int k = 0; k < card->count; ++k) {
    bool sign = card->item[k].kind == ITEM_SIGN || (k > 0 && card->item[k - 1].kind == ITEM_SIGN);
    if (k > 0 && !(sign && chance(w, 2))) put_blank(w);
    put_item(w, &card->item[k], number == w->how->card && k == w->how->item);
  }
  if (chance(w, 8)) put_text(w, "  ; the end");
  if (chance(w, 8)) put_text(w, " ");
  put_text(w, w->line_end);
  if (chance(w, 8)) put_text(w, "* \xE2\x84\xA6 a line\n");
  if (chance(w, 8)) put_text(w, "\n  \t\n");
}

void write_circuit(draw_state *d, const text_circuit *circuit, const writing *how,
                   written_text *out) {
  text_writer w = {.d = d, .out = out, .how = how, .line_end = "\n"};
  out->size = 0;
  out->text[0] = '\0';
  out->line = out->column = 0;
  if (chance(&w, 3)) w.line_end = "\r\n";
  if (chance(&w, 10)) put_text(&w, "\xEF\xBB\xBF");
  put_text(&w, "a drawn circuit \xC3\xA4\xC3\xB6");
  put_text(&w, w.line_end);
  out->ncard = circuit->count;
  for (int k = 0; k < circuit->count; ++k) {
    out->card[k] = out->size;
    write_card(&w, &circuit->card[k], k);
  }
  put_text(&w, w.settings);
  if (!chance(&w, 2)) put_text(&w, ".end\n");
}
