/*
 * The same circuit, written in two ways, gives the same columns, rows and measures, bit for bit. A
 * fault in a drawn text is reported at its line and column.
 *
 *     run_netlist_texts [COUNT [SEED]]      draws COUNT circuits, 200 unless said
 */
#include "drawn_text.h"

#include <nsds/run.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { most_rows = 60, most_columns = 8, most_shown = 8 };

typedef struct outcome {
  bool made;
  int ncolumn, nrow, nmeasure;
  double row[most_rows][most_columns], measure[4];
  char message[2000];
} outcome;

static int wrong;

static void complain(uint64_t seed, const char *what, const written_text *a, const char *more) {
  if (++wrong <= most_shown)
    printf("seed %llu: %s\n%s\n----\n%s----\n", (unsigned long long)seed, what, more, a->text);
}

/* The first message that was logged. */
static void keep_first(nsds_log_level level, const char *message, void *user) {
  char *first = user;
  if (level == NSDS_LOG_ERROR && !first[0]) snprintf(first, 2000, "%s", message);
}

static void run_text(const written_text *text, outcome *out) {
  *out = (outcome){0};
  nsds_context *context =
      nsds_context_create(&(nsds_context_def){.log = keep_first, .log_user = out->message});
  nsds_job *job = nsds_job_create(
      context, &(nsds_job_def){.file = "drawn.cir", .text = text->text, .kind = NSDS_JOB_CIRCUIT});
  out->made = job != NULL;
  if (job) {
    out->ncolumn = nsds_job_column_count(job);
    out->nmeasure = nsds_job_measure_count(job);
    nsds_status status = NSDS_OK;
    for (; !status && out->nrow < most_rows; status = nsds_job_step(job)) {
      for (int k = 0; k < out->ncolumn && k < most_columns; ++k)
        out->row[out->nrow][k] = nsds_job_row(job)[k];
      ++out->nrow;
    }
    for (int k = 0; k < out->nmeasure && k < 4; ++k) out->measure[k] = nsds_job_measure(job, k);
  }
  nsds_job_destroy(job);
  if (nsds_context_bytes(context) > 0) printf("memory is left\n"), ++wrong;
  nsds_context_destroy(context);
}

static bool same_outcome(const outcome *a, const outcome *b) {
  return a->made == b->made && a->ncolumn == b->ncolumn && a->nrow == b->nrow &&
         a->nmeasure == b->nmeasure && memcmp(a->row, b->row, sizeof a->row) == 0 &&
         memcmp(a->measure, b->measure, sizeof a->measure) == 0;
}

/* Writes some cards of a text into another file, which the text includes. */
static void split_text(draw_state *d, const written_text *whole, written_text *outer,
                       const char *path) {
  int first = draw(d, whole->ncard), behind = first + 1 + draw(d, whole->ncard - first);
  size_t begin = whole->card[first];
  size_t end = behind < whole->ncard ? whole->card[behind] : begin;
  if (behind == whole->ncard) end = whole->card[behind - 1], --behind;
  *outer = *whole;
  FILE *file = fopen(path, "wb");
  fwrite(whole->text + begin, 1, end - begin, file);
  fclose(file);
  snprintf(outer->text + begin, sizeof outer->text - begin, "%s %s%s%s\n%s",
           draw(d, 2) ? ".include" : ".INC", draw(d, 2) ? "\"" : "", path, "", whole->text + end);
  char *quote = strchr(outer->text + begin, '"'), *line = strchr(outer->text + begin, '\n');
  if (!quote || quote > line) return;
  memmove(line + 1, line, strlen(line) + 1);
  *line = '"';
}

static void compare_nested(draw_state *d, uint64_t seed, text_circuit *circuit) {
  static written_text plain, fancy, outer;
  static text_circuit nested;
  static outcome first, second;
  nest_circuit(d, circuit, &nested);
  leave_currents_out(circuit);
  write_circuit(d, circuit, &(writing){.card = -1}, &plain);
  write_circuit(d, &nested, &(writing){.fancy = true, .card = -1}, &fancy);
  run_text(&plain, &first);
  run_text(&fancy, &second);
  if (!second.made) complain(seed, "a subcircuit is refused", &fancy, second.message);
  else if (!same_outcome(&first, &second)) complain(seed, "other results", &fancy, plain.text);
  split_text(d, &fancy, &outer, "Drawn_Include.cir");
  run_text(&outer, &second);
  if (!second.made) complain(seed, "an included text is refused", &outer, second.message);
  else if (!same_outcome(&first, &second)) complain(seed, "other results", &outer, plain.text);
}

static void compare_ways(uint64_t seed) {
  static written_text plain, fancy;
  static text_circuit circuit;
  static outcome first, second;
  draw_state d = {seed};
  draw_circuit(&d, &circuit);
  write_circuit(&d, &circuit, &(writing){.card = -1}, &plain);
  run_text(&plain, &first);
  if (!first.made) {
    complain(seed, "the plain text does not run", &plain, first.message);
    return;
  }
  for (int k = 0; k < 3; ++k) {
    write_circuit(&d, &circuit, &(writing){.fancy = true, .card = -1}, &fancy);
    run_text(&fancy, &second);
    if (!second.made) complain(seed, "the text is refused", &fancy, second.message);
    else if (!same_outcome(&first, &second)) complain(seed, "other results", &fancy, plain.text);
  }
  compare_nested(&d, seed, &circuit);
}

/* Faults that stand in place of a number; what is wrong stands behind the mark. */
static const char *const faults[] = {
    "{!nope}",       "{ 1 + !nope}", "!nope",  "!12..5",  "{1k\xCE\xA9 + !nope}",
    "{2*(3+!nope)}", "'!nope*2'",    "{1 !2}", "{!(1+2}", "{1+!}",
    "{1 + !#}",      "{foo!}"};

static void compare_places(uint64_t seed) {
  static written_text text;
  static text_circuit circuit;
  static outcome out;
  draw_state d = {seed ^ 0x5555};
  draw_circuit(&d, &circuit);
  int card, item;
  do {
    card = draw(&d, circuit.count);
    item = draw(&d, circuit.card[card].count);
  } while (circuit.card[card].item[item].kind != ITEM_NUMBER ||
           circuit.card[card].item[item].plain);
  const char *fault = faults[draw(&d, (int)(sizeof faults / sizeof *faults) - 1)];
  write_circuit(&d, &circuit, &(writing){.fancy = true, .card = card, .item = item, .fault = fault},
                &text);
  run_text(&text, &out);
  char place[60], more[2200];
  snprintf(place, sizeof place, "drawn.cir:%d:%d: ", text.line, text.column);
  snprintf(more, sizeof more, "%s is reported as %s", place, out.message);
  if (out.made) complain(seed, "a fault is not seen", &text, fault);
  else if (strncmp(out.message, place, strlen(place)) != 0)
    complain(seed, "a fault is reported at another place", &text, more);
}

int main(int count, char **word) {
  long draws = count > 1 ? strtol(word[1], NULL, 10) : 200;
  uint64_t seed = count > 2 ? strtoull(word[2], NULL, 10) : 1;
  for (long k = 0; k < draws; ++k) {
    compare_ways(seed + (uint64_t)k * 7919);
    compare_places(seed + (uint64_t)k * 7919);
  }
  printf("netlist texts: %ld circuits in six ways, %ld faults, %d wrong\n", draws, draws, wrong);
  return wrong > 0;
}
