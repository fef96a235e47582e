/* The table of methods: built-in ones, and those that programs register in a context. */
#ifndef NSDS_SRC_METHODS_H
#define NSDS_SRC_METHODS_H

#include <nsds/extend_solver.h>

#include "base/base.h"
#include "numerics/method_list.h"

/* A method that a program has registered, attached to its context. */
typedef struct nsds_registered {
  nsds_method method; /* first: nsds_solver.method points here */
  const nsds_solver_ops *ops;
  nsds_option option[nsds_option_count + 1]; /* the common ones, the user's, and the end */
  nsds_attachment attachment;
} nsds_registered;

extern const char nsds_registered_kind;

/* Returns the method of this name, built in or registered in the context; NULL: none. */
const nsds_method *nsds_method_named(const nsds_context *context, const char *name);
/* Returns method k of those registered in the context; NULL past the end. */
const nsds_method *nsds_user_method(const nsds_context *context, int k);

#endif
