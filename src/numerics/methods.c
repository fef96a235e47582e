/* The table of methods: built-in and registered ones. */
#include "numerics/methods.h"

#include "base/context.h"

#define ADDRESS(name) &nsds_method_##name,
static const nsds_method *const table[] = {NSDS_METHODS(ADDRESS) NSDS_GLOBAL_METHODS(ADDRESS)};

enum { table_size = sizeof table / sizeof *table };

const char nsds_registered_kind = 0; /* its address marks attachments that are methods */

static const nsds_registered *next_method(const nsds_attachment *attachment) {
  while (attachment && attachment->kind != &nsds_registered_kind) attachment = attachment->next;
  return attachment ? attachment->object : NULL;
}

const nsds_method *nsds_user_method(const nsds_context *context, int k) {
  const nsds_registered *user = next_method(nsds_attachments(context));
  for (; user && k > 0; --k) user = next_method(user->attachment.next);
  return user && k == 0 ? &user->method : NULL;
}

const nsds_solver_row *nsds_solver_registered(const nsds_context *context, int k) {
  const nsds_method *method = context ? nsds_user_method(context, k) : NULL;
  return method ? &method->row : NULL;
}

const nsds_solver_row *nsds_solver_table(int k) {
  return k >= 0 && k < table_size ? &table[k]->row : NULL;
}

const nsds_method *nsds_method_named(const nsds_context *context, const char *name) {
  const nsds_method *method;
  for (int k = 0; k < table_size; ++k)
    if (strcmp(name, table[k]->row.name) == 0) return table[k];
  for (int k = 0; (method = nsds_user_method(context, k)); ++k)
    if (strcmp(name, method->row.name) == 0) return method;
  return NULL;
}
