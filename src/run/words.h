/* Memory and words that the readers share. The library's own allocator is not public; these use malloc. */
#ifndef NSDS_RUN_WORDS_H
#define NSDS_RUN_WORDS_H

#include <nsds/base.h>

/* Makes room for `count` items of a growing array, whose pointer stands at `array`. */
nsds_status nsds_room(void *array, int *capacity, int count, size_t size);

/* Copies, to be freed; NULL when memory is out. */
char *nsds_copy_word(const char *word);
char *nsds_copy_part(const char *begin, size_t size);

/* A word made like printf's; NULL when memory is out. */
char *nsds_make_word(const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 1, 2)))
#endif
    ;

/* Tells if two words are the same but for capitals; ASCII alone. */
bool nsds_same_word(const char *a, const char *b);
bool nsds_ends_with(const char *word, const char *end);

#endif
