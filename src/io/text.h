/*
 * Reading words of a text held in memory: where we are, what was expected there, how much can still
 * come. A word that begins with one of # % ! or // begins a comment, which ends with its line. The
 * first failure is kept in the text, as a try of one format may fail and the next one
 * succeed; nsds_text_report() hands it to the context.
 */
#ifndef NSDS_SRC_TEXT_H
#define NSDS_SRC_TEXT_H

#include "io/number.h"

enum {
  nsds_file_limit = 100000000, /* largest size or count that a file may announce */
  nsds_text_message = 320,
};

typedef struct nsds_text {
  nsds_context *context;
  const char *name; /* of the file, for messages */
  const char *begin, *end;
  const char *at;                  /* next character */
  long line;                       /* its line, from 1 */
  const char *line_start;          /* where that begins */
  nsds_status status;              /* first failure */
  const char *failed_at;           /* where it happened */
  char message[nsds_text_message]; /* "line 3, column 5: expected ..." */
} nsds_text;

/* Looks at the first bytes of a file of `whole` bytes (SIZE_MAX: not known), before any others are
 * read: says whether it is a text, which may not have NUL in it, or refuses the file. */
typedef nsds_status nsds_look_at_head(nsds_context *context, const char *path, const char *data,
                                      size_t size, size_t whole, bool *text, void *user);

/* Reads a whole file into *memory, to be released by the caller also after a failure. The failure
 * is recorded in the context. The file is opened once: it may be a pipe. */
nsds_status nsds_load(nsds_context *context, const char *path, nsds_look_at_head *look, void *user,
                      char **memory, size_t *size);

nsds_text nsds_text_start(nsds_context *context, const char *name, const char *data, size_t size);

/* Records "line L, column C: expected <what>, found <next word>"; returns NSDS_ERROR_FORMAT. */
nsds_status nsds_text_expected(nsds_text *text, const char *format, ...) NSDS_PRINTF(2, 3);

/* Hands the failure of this text to the context, with `note` behind it; returns its status. */
nsds_status nsds_text_report(const nsds_text *text, const char *note);

/* An integer in min..max, called `what` in messages. */
nsds_status nsds_text_int(nsds_text *text, const char *what, int min, int max, int *value);

/* count integers in min..max, called what[0], what[1], ... */
nsds_status nsds_text_ints(nsds_text *text, const char *what, int count, int min, int max,
                           int *value);

/* count finite numbers, together called `what`. */
nsds_status nsds_text_reals(nsds_text *text, const char *what, size_t count, double *value);

/* count bounds, finite or `infinite`, which is INFINITY or -INFINITY. */
nsds_status nsds_text_bounds(nsds_text *text, const char *what, size_t count, double infinite,
                             double *value);

/* Nothing may be left; `what` ends here. */
nsds_status nsds_text_end(nsds_text *text, const char *what);

/* The very word. */
nsds_status nsds_text_word(nsds_text *text, const char *word);

/* The very word, behind any number of others: where something else stands, these are named too. */
nsds_status nsds_text_next(nsds_text *text, const char *others, const char *word);

/* Whether the next word is this one; nsds_text_take() moves behind it then. */
bool nsds_text_at(const nsds_text *text, const char *word);
bool nsds_text_take(nsds_text *text, const char *word);

/* How many words come before the next one that begins with a letter or a quote; how often a word
 * comes in the rest of the file, NULL: any word. */
size_t nsds_text_numbers_ahead(const nsds_text *text);
size_t nsds_text_words_ahead(const nsds_text *text, const char *word);

/* nrow x ncolumn finite numbers row by row, kept column by column. */
nsds_status nsds_text_table(nsds_text *text, const char *what, int nrow, int ncolumn, double *x);

/* Whether a name comes, which stands in double quotes on one line. A backslash stands before a quote,
 * a backslash, or two hexadecimal digits of a byte that is not 0. */
bool nsds_text_at_name(const nsds_text *text);

/* A name without its quotes, into as many bytes as it has in the text at most, and a final NUL. */
size_t nsds_text_name_room(const nsds_text *text);
nsds_status nsds_text_name(nsds_text *text, char *name, size_t *size);

/* Fails unless `count` more words, called `what`, can stand in the rest of the file. Called before
 * memory for them is taken. */
nsds_status nsds_text_room(nsds_text *text, const char *what, size_t count);

/* The rest of the present line, without its end; moves to the next line. */
void nsds_text_rest_of_line(nsds_text *text, const char **start, size_t *size);

/* The next line that is no comment, from its start; moves behind it. */
void nsds_text_line(nsds_text *text, const char **start, size_t *size);

#endif
