/*
 * Reading words of a text in memory. The text knows its place, the expected word, and how much can
 * still come. A word that begins with one of # % ! or // begins a comment, which ends with its
 * line. The first failure stays in the text, because one format may fail and the next one succeed.
 * nsds_text_report() hands the failure to the context.
 */
#ifndef NSDS_SRC_TEXT_H
#define NSDS_SRC_TEXT_H

#include "base/base.h"
#include "base/text/number.h"

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
  const char *line_start;          /* its start */
  nsds_status status;              /* first failure */
  const char *failed_at;           /* its place */
  char message[nsds_text_message]; /* "line 3, column 5: expected ..." */
} nsds_text;

/* Looks at the first bytes of a file of `whole` bytes (SIZE_MAX: not known), before any others are
 * read. Says if the file is a text, which may not have NUL in it, or refuses the file. */
typedef nsds_status nsds_look_at_head(nsds_context *context, const char *path, const char *data,
                                      size_t size, size_t whole, bool *text, void *user);

/* Reads a whole file into *memory; the caller releases it, also after a failure. The context
 * records the failure. The file is opened once: it may be a pipe. */
nsds_status nsds_load(nsds_context *context, const char *path, nsds_look_at_head *look, void *user,
                      char **memory, size_t *size);

nsds_text nsds_text_start(nsds_context *context, const char *name, const char *data, size_t size);

/* Records "line L, column C: expected <what>, found <next word>"; returns NSDS_ERROR_FORMAT. */
nsds_status nsds_text_expected(nsds_text *text, const char *format, ...) NSDS_PRINTF(2, 3);

/* Hands the failure of this text to the context, followed by `note`; returns its status. */
nsds_status nsds_text_report(const nsds_text *text, const char *note);

/* Reads an integer in min..max, called `what` in messages. */
nsds_status nsds_text_int(nsds_text *text, const char *what, int min, int max, int *value);

/* Reads count integers in min..max, called what[0], what[1], ... */
nsds_status nsds_text_ints(nsds_text *text, const char *what, int count, int min, int max,
                           int *value);

/* Reads count finite numbers, together called `what`. */
nsds_status nsds_text_reals(nsds_text *text, const char *what, size_t count, double *value);

/* Reads count bounds, finite or `infinite`, which is INFINITY or -INFINITY. */
nsds_status nsds_text_bounds(nsds_text *text, const char *what, size_t count, double infinite,
                             double *value);

/* Fails unless the text is at its end; `what` ends here. */
nsds_status nsds_text_end(nsds_text *text, const char *what);

/* Reads this word. */
nsds_status nsds_text_word(nsds_text *text, const char *word);

/* Reads this word after any number of `others`. A failure names these too. */
nsds_status nsds_text_next(nsds_text *text, const char *others, const char *word);

/* Returns true if the next word is this one. */
bool nsds_text_at(const nsds_text *text, const char *word);
/* Moves behind the next word if it is this one, and returns true then. */
bool nsds_text_take(nsds_text *text, const char *word);

/* Returns the number of words before the next one that begins with a letter or a quote. */
size_t nsds_text_numbers_ahead(const nsds_text *text);
/* Returns how often a word comes in the rest of the file, NULL: any word. */
size_t nsds_text_words_ahead(const nsds_text *text, const char *word);

/* Reads nrow x ncolumn finite numbers row by row, and stores them column by column. */
nsds_status nsds_text_table(nsds_text *text, const char *what, int nrow, int ncolumn, double *x);

/* Returns true if a name comes, in double quotes on one line. A backslash stands before a quote, a
 * backslash, or two hexadecimal digits of a byte that is not 0. */
bool nsds_text_at_name(const nsds_text *text);

/* Returns room for a name: at most its bytes in the text, and a final NUL. */
size_t nsds_text_name_room(const nsds_text *text);
/* Reads a name without its quotes. */
nsds_status nsds_text_name(nsds_text *text, char *name, size_t *size);

/* Fails unless `count` more words, called `what`, can stand in the rest of the file. Call it before
 * you take memory for them. */
nsds_status nsds_text_room(nsds_text *text, const char *what, size_t count);

/* Gives the rest of the present line, without its end; moves to the next line. */
void nsds_text_rest_of_line(nsds_text *text, const char **start, size_t *size);

/* Gives the next line that is not a comment, from its start; moves behind it. */
void nsds_text_line(nsds_text *text, const char **start, size_t *size);

#endif
