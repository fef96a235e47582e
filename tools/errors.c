/* The errors of a file that is read, see errors.h. */
#include "errors.h"

#include "command.h"
#include "stop.h"

static void take_error(nsds_log_level level, const char *message, void *user) {
  error_list *list = user;
  print_warning(level, message, NULL);
  if (level != NSDS_LOG_ERROR) return;
  if (++list->count == 2 && list->all) complain("%s", nsds_error_message(list->context));
  if (list->count > 1 && list->all) complain("%s", message);
}

nsds_context *errors_context(error_list *list) {
  nsds_context *context =
      nsds_context_create(&(nsds_context_def){.log = take_error, .log_user = list});
  if (!context) {
    complain("nsds: out of memory");
    return NULL;
  }
  list->context = context;
  stop_context(context);
  return context;
}

void tell_error(const char *command, const nsds_context *context) {
  complain("%s: %s", command, nsds_error_message(context));
}
