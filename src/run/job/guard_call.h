/* Arguments that no public call of this library takes. */
#ifndef NSDS_RUN_GUARD_CALL_H
#define NSDS_RUN_GUARD_CALL_H

#include <nsds/base.h>

/* Fails because a call received NULL for `argument`. Quiet if the context already holds an error,
 * because the NULL is then its consequence. Without a context the message is kept for the thread.
 * Returns NSDS_ERROR_ARGUMENT. */
nsds_status nsds_refuse_null(nsds_context *context, const char *call, const char *argument);

/* Fails for reserved words of a definition, of so many bytes, that are not zero. */
nsds_status nsds_refuse_reserved(nsds_context *context, const char *call, const uint64_t *word,
                                 size_t size);

#endif
