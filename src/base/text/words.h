/* Memory and words that the readers share. All memory is from nsds_alloc(), and nsds_free() gives
 * it back. */
#ifndef NSDS_RUN_WORDS_H
#define NSDS_RUN_WORDS_H

#include "base/text/format.h"

#include <nsds/base.h>

/* Makes an array of `count` elements, whose pointer is `p`; NULL with the message when memory is
 * out. */
#define NSDS_MAKE(context, p, count) ((p) = nsds_alloc((context), #p, (size_t)(count), sizeof *(p)))

/* Makes room for `count` items of a growing array, whose pointer stands at `array`. */
nsds_status nsds_room(nsds_context *context, void *array, int *capacity, int count, size_t size);

/* Copies; NULL with the message when memory is out. */
char *nsds_copy_word(nsds_context *context, const char *word);
char *nsds_copy_part(nsds_context *context, const char *begin, size_t size);

/* A word made like printf's; NULL with the message when memory is out. */
char *nsds_make_word(nsds_context *context, const char *format, ...) NSDS_PRINTF(2, 3);

/* Tells if two words are the same but for capitals; ASCII alone. */
bool nsds_same_word(const char *a, const char *b);
bool nsds_ends_with(const char *word, const char *end);

/* Counts characters of UTF-8 in `size` bytes. A byte of no character counts as one. */
int nsds_characters(const char *text, size_t size);

/* Makes capital letters small; ASCII alone. */
void nsds_to_small(char *word);

#endif
