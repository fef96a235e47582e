/*
 * Cards of a netlist. The first line of the first file is the title. A line that begins with + goes
 * on with the card before. A line that begins with * is a comment. So is the rest of a line behind
 * a semicolon, or behind a dollar sign after a blank. `.include` reads another file in its place,
 * `.end` ends the reading, `.control` to `.endc` is left out. Names and numbers are words in small
 * letters, since SPICE does not tell capitals apart.
 */
#include "run/circuit/netlist.h"

#include "base/text/suffix.h"
#include "base/text/words.h"

#include <nsds/extend.h>

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- messages ---- */

static void format_place(const nsds_netlist *netlist, nsds_place place, char *words, size_t size) {
  const char *file =
      place.file < netlist->file.count ? netlist->file.item[place.file].name : "netlist";
  snprintf(words, size, "%.300s:%d:%d: ", file, place.line, place.column);
}

/* Keeps the place of a fault. Returns false if it was there already. */
static bool is_new_fault(nsds_job *job, nsds_place place) {
  const nsds_fault fault = {
      .file = place.file, .line = place.line, .column = place.column, .status = NSDS_ERROR_FORMAT};
  bool known = nsds_faults_have(&job->faults, &fault);
  nsds_faults_keep(job->context, &job->faults, &fault);
  return !known;
}

nsds_status nsds_netlist_go_on(const nsds_netlist *netlist, nsds_status status) {
  return status == NSDS_ERROR_FORMAT && netlist->job->faults.count < nsds_most_faults ? NSDS_OK
                                                                                      : status;
}

nsds_status nsds_netlist_refuse_title(const nsds_netlist *netlist) {
  return nsds_netlist_refuse(
      netlist, (nsds_place){0, 1, 1},
      "the first line is the title, so that \"%.40s\" is not read; put a title above it",
      netlist->job->title);
}

nsds_status nsds_netlist_passed(const nsds_netlist *netlist, nsds_status status) {
  return !status && netlist->job->faults.count > 0 ? NSDS_ERROR_FORMAT : status;
}

nsds_status nsds_netlist_refuse(const nsds_netlist *netlist, nsds_place place, const char *format,
                                ...) {
  char where[400], why[900];
  va_list list;
  if (!is_new_fault(netlist->job, place)) return NSDS_ERROR_FORMAT;
  va_start(list, format);
  nsds_format_message(why, sizeof why, format, list);
  va_end(list);
  format_place(netlist, place, where, sizeof where);
  return nsds_report(netlist->job->context, NSDS_ERROR_FORMAT, "%s%s", where, why);
}

nsds_status nsds_netlist_report(const nsds_netlist *netlist, nsds_place place, nsds_status status,
                                const char *format, ...) {
  char where[400], why[900];
  va_list list;
  va_start(list, format);
  nsds_format_message(why, sizeof why, format, list);
  va_end(list);
  format_place(netlist, place, where, sizeof where);
  return nsds_report(netlist->job->context, status, "%s%s", where, why);
}

nsds_status nsds_netlist_warn(const nsds_netlist *netlist, nsds_place place, const char *format,
                              ...) {
  enum { most = 100 }; /* more tell nothing new */
  char words[1000];
  if (netlist->job->warnings.count >= most) return NSDS_OK;
  format_place(netlist, place, words, sizeof words);
  size_t used = strlen(words);
  va_list list;
  va_start(list, format);
  nsds_format_message(words + used, sizeof words - used, format, list);
  va_end(list);
  return nsds_job_warn(netlist->job, words) ? NSDS_ERROR_MEMORY : NSDS_OK;
}

bool nsds_card_has(const nsds_card *card, int k, const char *text) {
  return k < card->count && card->token[k].kind != NSDS_TOKEN_FORMULA &&
         strcmp(card->token[k].text, text) == 0;
}

nsds_place nsds_card_place(const nsds_card *card, int k) {
  return card->token[k < card->count ? k : card->count - 1].place;
}

/* ---- words ---- */

/* Place in a file: one line that is being read. */
typedef struct line_reader {
  nsds_netlist *netlist;
  nsds_card *card;
  const char *line; /* its begin, */
  size_t size, at;  /* length and place */
  bool wide;        /* a character has several bytes */
  size_t counted;   /* bytes whose characters are counted, */
  int columns;      /* and how many */
  nsds_place place;
} line_reader;

static bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v';
}
static bool is_sign(char c) { return c == '=' || c == '(' || c == ')' || c == ','; }
static bool ends_word(char c) {
  return is_blank(c) || is_sign(c) || c == '{' || c == '\'' || c == '"' || c == ';';
}

/* Returns the column of a byte: columns count characters, as editors do. */
static int column_of(line_reader *r, size_t at) {
  if (!r->wide) return (int)at + 1;
  if (at < r->counted) r->columns = 0, r->counted = 0;
  r->columns += nsds_characters(r->line + r->counted, at - r->counted);
  r->counted = at;
  return r->columns + 1;
}

static nsds_status add_token(line_reader *r, nsds_token_kind kind, size_t begin, size_t end) {
  nsds_card *card = r->card;
  nsds_place place = r->place;
  place.column = column_of(r, begin);
  if (end - begin > nsds_most_letters && kind != NSDS_TOKEN_FORMULA)
    return nsds_netlist_refuse(r->netlist, place, "a word of %zu letters; a word has at most %d",
                               end - begin, (int)nsds_most_letters);
  if (card->count == nsds_most_words)
    return nsds_netlist_refuse(r->netlist, place, "a card of more than %d words",
                               (int)nsds_most_words);
  if (nsds_room(r->netlist->job->context, &card->token, &card->capacity, card->count + 1,
                sizeof *card->token))
    return NSDS_ERROR_MEMORY;
  nsds_token token = {.kind = kind, .place = place};
  size_t size = end - begin, copies = kind == NSDS_TOKEN_WORD ? 2 : 1;
  token.text = nsds_alloc(r->netlist->job->context, "a word", copies, size + 1);
  if (!token.text) return NSDS_ERROR_MEMORY;
  memcpy(token.text, r->line + begin, size);
  if (copies == 2) {
    token.as_written = token.text + size + 1;
    memcpy(token.as_written, r->line + begin, size);
  }
  if (kind == NSDS_TOKEN_WORD || kind == NSDS_TOKEN_FORMULA) nsds_to_small(token.text);
  card->token[card->count++] = token;
  return NSDS_OK;
}

static bool is_bare_number(const nsds_token *token) {
  double unused;
  return token->kind == NSDS_TOKEN_WORD && !nsds_number_letters(token->text)[0] &&
         nsds_number_of(token->text, &unused);
}

static bool is_sign_beyond_ascii(const char *word) {
  for (const char *at = word; *at; ++at)
    if ((unsigned char)*at > 127) return nsds_is_unit(word);
  return false;
}

/* "10 kΩ" is one number. No other word can be meant by the unit: its signs are beyond ASCII, and it
 * stands behind the nodes of an element. Units in letters of ASCII are refused, since "k" may be
 * the name of a model. */
static nsds_status join_unit(line_reader *r) {
  nsds_card *card = r->card;
  if (card->count < 3) return NSDS_OK;
  nsds_token *number = &card->token[card->count - 2], *unit = number + 1;
  bool values =
      card->token[0].text[0] == '.' || card->count > 4 || nsds_card_has(card, card->count - 3, "=");
  if (!values || unit->kind != NSDS_TOKEN_WORD || !is_sign_beyond_ascii(unit->text) ||
      !is_bare_number(number))
    return NSDS_OK;
  size_t size = strlen(number->text) + strlen(unit->text) + 1;
  char *text = nsds_alloc(r->netlist->job->context, "a word", 2, size);
  if (!text) return NSDS_ERROR_MEMORY;
  snprintf(text, size, "%s%s", number->text, unit->text);
  snprintf(text + size, size, "%s%s", number->as_written, unit->as_written);
  nsds_free(number->text);
  nsds_free(unit->text);
  number->text = text;
  number->as_written = text + size;
  --card->count;
  return NSDS_OK;
}

/* Takes the text between two marks, for example { and }. */
static nsds_status read_between(line_reader *r, char close, nsds_token_kind kind) {
  size_t begin = r->at + 1, depth = 1, at = begin;
  char open = r->line[r->at];
  for (; at < r->size; ++at) {
    if (r->line[at] == open && open != close) ++depth;
    if (r->line[at] == close && --depth == 0) break;
  }
  if (at == r->size) {
    nsds_place place = r->place;
    place.column = column_of(r, r->at);
    return nsds_netlist_refuse(r->netlist, place, "%c is not closed by %c in this line", open,
                               close);
  }
  nsds_status status = add_token(r, kind, begin, at);
  r->at = at + 1;
  return status;
}

static nsds_status read_word(line_reader *r) {
  size_t begin = r->at;
  while (r->at < r->size && !ends_word(r->line[r->at])) ++r->at;
  if (r->at > begin) {
    nsds_status status = add_token(r, NSDS_TOKEN_WORD, begin, r->at);
    return status ? status : join_unit(r);
  }
  char c = r->line[r->at];
  if (c == '{') return read_between(r, '}', NSDS_TOKEN_FORMULA);
  if (c == '\'') return read_between(r, '\'', NSDS_TOKEN_FORMULA);
  if (c == '"') return read_between(r, '"', NSDS_TOKEN_QUOTED);
  ++r->at;
  return add_token(r, NSDS_TOKEN_SIGN, begin, begin + 1);
}

/* Control characters have no place in a netlist; a file with them is no netlist. */
static nsds_status check_letters(line_reader *r) {
  for (size_t k = 0; k < r->size; ++k) {
    unsigned char c = (unsigned char)r->line[k];
    if ((c >= 32 && c < 127) || is_blank((char)c)) continue;
    if (c > 127) r->wide = true;
    if (c > 127) continue;
    nsds_place place = r->place;
    place.column = column_of(r, k);
    return nsds_netlist_refuse(r->netlist, place, "a control character (%d); a netlist is a text",
                               (int)c);
  }
  return NSDS_OK;
}

/* The words of a line from `at` on, added to the card. */
static nsds_status read_words(line_reader *r) {
  nsds_status status = check_letters(r);
  while (!status) {
    while (r->at < r->size && is_blank(r->line[r->at])) ++r->at;
    if (r->at == r->size || r->line[r->at] == ';') break;
    if (r->line[r->at] == '$' && (r->at == 0 || is_blank(r->line[r->at - 1]))) break;
    status = read_word(r);
  }
  return status;
}

/* ---- files ---- */

static void free_card(nsds_card *card) {
  for (int k = 0; k < card->count; ++k) nsds_free(card->token[k].text);
  nsds_free(card->token);
  *card = (nsds_card){0};
}

/* A file that is being read. */
typedef struct file_reader {
  nsds_netlist *netlist;
  int file, depth;
  bool control; /* within .control */
  bool ended;   /* by .end */
} file_reader;

static nsds_status read_file_text(file_reader *f, const char *text, bool titled);

/* The path of an included file: beside the file that includes it. */
static char *path_beside(nsds_context *context, const char *file, const char *path) {
  const char *slash = strrchr(file, '/');
  if (path[0] == '/' || !slash) return nsds_copy_word(context, path);
  return nsds_make_word(context, "%.*s%s", (int)(slash - file) + 1, file, path);
}

static nsds_status read_included(file_reader *f, const nsds_token *name) {
  nsds_netlist *netlist = f->netlist;
  if (f->depth == nsds_most_includes)
    return nsds_netlist_refuse(netlist, name->place,
                               ".include: more than %d files include each other",
                               (int)nsds_most_includes);
  char *path = path_beside(netlist->job->context, netlist->file.item[f->file].name,
                           name->as_written ? name->as_written : name->text);
  if (!path) return NSDS_ERROR_MEMORY;
  nsds_sources *sources = &netlist->job->sources;
  if (sources->check && !nsds_source_is_inside(sources, path)) {
    nsds_status told =
        nsds_netlist_warn(netlist, name->place,
                          "the file %.300s is outside of the folder and was not looked at, nor "
                          "were the elements of this netlist",
                          path);
    ++sources->left_out;
    nsds_free(path);
    return told;
  }
  size_t size = 0;
  char reason[200], *text = NULL;
  nsds_status read = nsds_source_read(&netlist->job->sources, path, &text, &size, reason);
  nsds_status status = NSDS_OK;
  if (read == NSDS_ERROR_LIMIT || read == NSDS_ERROR_MEMORY)
    status = nsds_netlist_report(netlist, name->place, read, ".include: %.300s cannot be read: %s",
                                 path, reason);
  else if (read)
    status = nsds_netlist_refuse(netlist, name->place, ".include: %.300s cannot be read: %s", path,
                                 reason);
  else if (strlen(text) != size)
    status = nsds_netlist_refuse(netlist, name->place,
                                 ".include: %.300s has a zero byte, so it is no text", path);
  else {
    file_reader inner = {.netlist = netlist, .depth = f->depth + 1};
    inner.file = nsds_columns_add(netlist->job->context, &netlist->file, path, "");
    status = inner.file < 0 ? NSDS_ERROR_MEMORY : read_file_text(&inner, text, false);
  }
  nsds_free(text);
  nsds_free(path);
  return status;
}

/* The last card is complete: directives about the text itself are done at once. */
static nsds_status finish_card(file_reader *f) {
  nsds_netlist *netlist = f->netlist;
  if (netlist->count == 0) return NSDS_OK;
  nsds_card *card = &netlist->card[netlist->count - 1];
  if (card->count == 0 || card->token[0].place.file != f->file) return NSDS_OK;
  const char *first = card->token[0].text;
  bool include = strcmp(first, ".include") == 0 || strcmp(first, ".inc") == 0;
  if (!include) return NSDS_OK;
  nsds_card taken = *card;
  --netlist->count;
  nsds_status status =
      taken.count == 2 && taken.token[1].kind != NSDS_TOKEN_SIGN
          ? read_included(f, &taken.token[1])
          : nsds_netlist_refuse(netlist, taken.token[0].place, ".include: give one file name");
  free_card(&taken);
  return status;
}

static nsds_status begin_card(file_reader *f) {
  nsds_netlist *netlist = f->netlist;
  if (netlist->count == nsds_most_cards)
    return nsds_netlist_refuse(netlist, (nsds_place){f->file, 1, 1}, "more than %d cards",
                               (int)nsds_most_cards);
  if (nsds_room(netlist->job->context, &netlist->card, &netlist->capacity, netlist->count + 1,
                sizeof *netlist->card))
    return NSDS_ERROR_MEMORY;
  netlist->card[netlist->count++] = (nsds_card){0};
  return NSDS_OK;
}

static bool line_is(const char *line, size_t size, const char *word) {
  size_t length = strlen(word);
  if (size < length || (size > length && !is_blank(line[length]))) return false;
  for (size_t k = 0; k < length; ++k)
    if (line[k] != word[k] && line[k] != word[k] - 'a' + 'A') return false;
  return true;
}

/* One line that is no title. */
static nsds_status read_line(file_reader *f, const char *line, size_t size, int number) {
  nsds_netlist *netlist = f->netlist;
  line_reader r = {.netlist = netlist, .line = line, .size = size, .place = {f->file, number, 1}};
  while (r.at < size && is_blank(line[r.at])) ++r.at;
  if (r.at == size || line[r.at] == '*' || line[r.at] == ';') return NSDS_OK;
  if (line_is(line + r.at, size - r.at, ".endc")) return f->control = false, NSDS_OK;
  if (f->control) return NSDS_OK;
  /* no card begins with a bracket: it closes the card before */
  bool goes_on = line[r.at] == '+' || line[r.at] == ')';
  nsds_status status = NSDS_OK;
  if (!goes_on) {
    status = finish_card(f);
    if (line_is(line + r.at, size - r.at, ".control")) {
      f->control = true;
      return status ? status
                    : nsds_netlist_warn(netlist, r.place,
                                        ".control: commands are left out up to .endc");
    }
    f->ended = line_is(line + r.at, size - r.at, ".end");
    if (status || f->ended) return status;
    status = begin_card(f);
  } else {
    nsds_card *last = netlist->count ? &netlist->card[netlist->count - 1] : NULL;
    if (!last || last->count == 0 || last->token[0].place.file != f->file)
      return nsds_netlist_refuse(netlist, r.place,
                                 "%c goes on with a card, but there is none before it", line[r.at]);
    r.at += line[r.at] == '+';
  }
  if (status) return status;
  r.card = &netlist->card[netlist->count - 1];
  status = read_words(&r);
  if (!status && r.card->count == 0) --netlist->count; /* a comment behind blanks */
  return status;
}

static nsds_status read_title(file_reader *f, const char *line, size_t size) {
  nsds_job *job = f->netlist->job;
  while (size > 0 && is_blank(line[size - 1])) --size;
  job->title = nsds_copy_part(job->context, line, size);
  return job->title ? NSDS_OK : NSDS_ERROR_MEMORY;
}

static nsds_status read_file_text(file_reader *f, const char *text, bool titled) {
  nsds_status status = NSDS_OK;
  int number = 0;
  if (strncmp(text, "\xEF\xBB\xBF", 3) == 0) text += 3; /* the mark of UTF-8 */
  while (!status && !f->ended && (*text || (titled && number == 0))) {
    size_t size = strcspn(text, "\n");
    ++number;
    if (nsds_context_stops(f->netlist->job->context)) return NSDS_STOPPED;
    status = titled && number == 1 ? read_title(f, text, size) : read_line(f, text, size, number);
    status = nsds_netlist_go_on(f->netlist, status);
    text += size + (text[size] == '\n');
  }
  if (!status && f->control)
    status = nsds_netlist_refuse(f->netlist, (nsds_place){f->file, number, 1},
                                 ".control is not ended by .endc");
  return status ? status : finish_card(f);
}

/* ---- the title ---- */

/* Returns true if an element of the netlist has the word, as it would have the name of a node. */
static bool is_in_use(const nsds_netlist *netlist, const char *word) {
  for (int k = 0; k < netlist->count; ++k) {
    const nsds_card *card = &netlist->card[k];
    if (card->count == 0 || card->token[0].text[0] == '.') continue;
    for (int j = 1; j < card->count; ++j)
      if (nsds_card_has(card, j, word)) return true;
  }
  return false;
}

/* Returns true for an element whose nodes others have too. "RC low pass 1k" is a title. */
static bool is_element_card(const nsds_netlist *netlist, const nsds_card *card) {
  double value;
  if (card->count < 4 || !card->token[0].text[0]) return false;
  const nsds_token *token = card->token;
  return strchr("rclvidesgfhkx", token[0].text[0]) &&
         nsds_number_of(token[card->count - 1].text, &value) && is_in_use(netlist, token[1].text) &&
         is_in_use(netlist, token[2].text);
}

/* SPICE takes a first card for the title, without a warning. */
static nsds_status check_title(nsds_netlist *netlist) {
  const char *title = netlist->job->title;
  nsds_card card = {0};
  line_reader r = {
      .netlist = netlist, .card = &card, .line = title, .size = strlen(title), .place = {0, 1, 1}};
  nsds_status status = NSDS_OK;
  if (r.size < nsds_most_letters && !strpbrk(title, "{'\"")) status = read_words(&r);
  netlist->odd_title = (title[0] == '.' && !line_is(title, r.size, ".title")) ||
                       (!status && is_element_card(netlist, &card));
  if (!status && netlist->odd_title)
    status = nsds_netlist_warn(
        netlist, r.place,
        "the first line is the title, so that \"%.40s\" is not read; put a title above it", title);
  free_card(&card);
  return status;
}

nsds_status nsds_netlist_read(nsds_netlist *netlist, const char *name, const char *text) {
  file_reader f = {.netlist = netlist};
  f.file = nsds_columns_add(netlist->job->context, &netlist->file, name, "");
  nsds_status status = f.file < 0 ? NSDS_ERROR_MEMORY : read_file_text(&f, text, true);
  if (!status) status = nsds_netlist_go_on(netlist, check_title(netlist));
  return nsds_netlist_passed(netlist, status);
}

void nsds_netlist_free(nsds_netlist *netlist) {
  for (int k = 0; k < netlist->count; ++k) free_card(&netlist->card[k]);
  nsds_free(netlist->card);
  nsds_columns_free(&netlist->file);
  netlist->card = NULL;
  netlist->count = netlist->capacity = 0;
}
