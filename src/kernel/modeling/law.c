/*
 * Creates laws from their tables of operations and checks users' types during steps. A step fails
 * with the name of the law if a block has values outside its set. Memory and compliance must be
 * finite. The library's own types were checked at creation.
 */
#include "kernel/modeling/law.h"

#include "base/base.h"
#include "base/context.h"
#include "base/finite.h"
#include "kernel/modeling/busy.h"
#include "kernel/modeling/check.h"
#include "kernel/modeling/label.h"
#include "kernel/modeling/list.h"
#include "kernel/modeling/modeling.h"
#include "numerics/problem.h"

#include <stdio.h>

/* ---- life ------------------------------------------------------------------------------------ */

static bool check_definition(nsds_model *model, const nsds_custom_law_def *def) {
  const char *call = "nsds_custom_law";
  if (!nsds_check_type(model, call, NSDS_TYPED(def))) return false;
  nsds_context *context = model->context;
  const char *type = def->ops->type;
  if (!def->ops->block)
    nsds_fail(context, NSDS_ERROR_ARGUMENT, "%s: ops->block of '%s' is NULL; it is required", call,
              type);
  else if (def->ngap < 0 || def->ngap > (def->size > 0 ? def->size : 1))
    nsds_fail(context, NSDS_ERROR_SIZE,
              "%s: ngap is %d; it must be at most the %d rows of a copy of the law", type,
              def->ngap, def->size > 0 ? def->size : 1);
  else if ((int)def->level < NSDS_LEVEL_VELOCITY || def->level > NSDS_LEVEL_FORCE)
    nsds_fail(context, NSDS_ERROR_VALUE, "%s: level is %d, not one of nsds_level", type,
              (int)def->level);
  else
    return !nsds_check_idle(model, nsds_maker(type, call)) &&
           nsds_check_count(context, type, "size", def->size, 0);
  return false;
}

nsds_law *nsds_make_law(nsds_model *model, const nsds_custom_law_def *def, bool guarded) {
  nsds_law *law = NULL;
  if (check_definition(model, def)) law = NSDS_NEW(model->context, nsds_law);
  if (law && nsds_list_push(model->context, &model->law, law)) {
    nsds_release(model->context, law);
    law = NULL;
  }
  if (!law) {
    if (def && def->ops && def->ops->destroy) def->ops->destroy(def->self);
    return NULL;
  }
  law->model = model;
  law->ops = def->ops;
  law->self = def->self;
  law->guarded = guarded;
  law->size = def->size > 0 ? def->size : 1;
  law->ngap = def->ngap > 0 ? def->ngap : law->size;
  law->level = def->level;
  return law;
}

nsds_law *nsds_custom_law(nsds_model *model, const nsds_custom_law_def *def) {
  return nsds_make_law(model, def, true);
}

/* Checks that the block still has the structure for which memory was laid out. */
static nsds_status check_structure(const nsds_law *law, const nsds_block *block) {
  bool same = block->set == law->set && block->size == law->size && block->nfacet == law->nfacet;
  if (nsds_law_is_kept(law, block)) return NSDS_OK;
  return nsds_fail(law->model->context, NSDS_ERROR_CALLBACK,
                   "law %s: its block was of set %d, %d rows and %d facets, and is now of set "
                   "%d, %d rows and %d facets%s; set and sizes of a law do not change",
                   nsds_law_called(law), (int)law->set, law->size, law->nfacet, (int)block->set,
                   block->size, block->nfacet, same ? " without its arrays" : "");
}

bool nsds_check_law(nsds_context *context, const char *call, nsds_law *law) {
  nsds_block block = {.size = law->size};
  char object[nsds_label_size];
  snprintf(object, sizeof object, "%s: the block of law %.64s", call, nsds_law_called(law));
  unsigned busy = law->model->busy;
  law->model->busy |= NSDS_BUSY_CALL;
  law->ops->block(law->self, &block);
  law->model->busy = busy;
  if (law->set && check_structure(law, &block)) return false;
  if (block.size != law->size) {
    nsds_fail(context, NSDS_ERROR_SIZE, "%s has %d rows; a copy of the law has %d", object,
              block.size, law->size);
    return false;
  }
  if (!block.set) {
    nsds_fail(context, NSDS_ERROR_VALUE,
              "%s is of set 0; it must be one of the values of nsds_set_kind", object);
    return false;
  }
  const nsds_subject subject = {.context = context, .of = object};
  if (nsds_check_block(&subject, &block)) return false;
  law->set = block.set;
  law->nfacet = block.nfacet;
  return true;
}

nsds_status nsds_law_remembers(nsds_law *law, bool *remembers) {
  static const double speed[] = {1e-3, 1.0, 1e3}; /* coefficients may depend on speed */
  int n = law->size;
  *remembers = false;
  if (!law->ops->restitution) return NSDS_OK;
  double *ydot =
      nsds_alloc_for(law->model->context, law->ops->type, "size rows", (size_t)n, 3 * sizeof *ydot);
  if (!ydot) return NSDS_ERROR_MEMORY;
  double *rest = ydot + n, *q = rest + n;
  unsigned busy = law->model->busy;
  law->model->busy |= NSDS_BUSY_CALL;
  law->ops->restitution(law->self, ydot, rest);
  for (size_t s = 0; s < sizeof speed / sizeof *speed; ++s) {
    for (int k = 0; k < n; ++k) ydot[k] = -speed[s], q[k] = 0.0;
    law->ops->restitution(law->self, ydot, q);
    for (int k = 0; k < n; ++k) *remembers = *remembers || q[k] != rest[k];
  }
  law->model->busy = busy;
  nsds_release(law->model->context, ydot);
  return NSDS_OK;
}

bool nsds_law_is_about_gap(const nsds_law *law) {
  enum { of_contacts = NSDS_SET_NONNEGATIVE | NSDS_SET_COULOMB | NSDS_SET_ROLLING };
  bool own = law->guarded && law->ops->restitution;
  return law->level != NSDS_LEVEL_VELOCITY ||
         (law->ops->active && !own && ((unsigned)law->set & (unsigned)of_contacts));
}

/* ---- in a step ------------------------------------------------------------------------------- */

/* Counts a recorded failure, because operations of laws return no status. */
static nsds_status fault(const nsds_law *law, nsds_status status) {
  ++law->model->law_fault.count;
  law->model->law_fault.last = status;
  return status;
}

static bool same_structure(const nsds_law *law, const nsds_block *block) {
  nsds_status status = check_structure(law, block);
  return NSDS_LIKELY(!status) || !fault(law, status);
}

static bool valid_values(const nsds_law *law, const nsds_block *block) {
  if (!law->guarded) return true;
  char object[nsds_label_size];
  snprintf(object, sizeof object, "law %.64s: its block", nsds_law_called(law));
  const nsds_subject subject = {.context = law->model->context, .of = object};
  nsds_status status = nsds_check_block(&subject, block);
  if (status) fault(law, status);
  return !status;
}

nsds_block nsds_law_checked_block(const nsds_law *law, const nsds_block *block) {
  if (same_structure(law, block) && valid_values(law, block)) return *block;
  return (nsds_block){.set = NSDS_SET_EQUALITY, .size = law->size};
}

bool nsds_guarded_active(void *self, const double *y, const double *ydot, double tau,
                         double slack) {
  const nsds_law *law = self;
  return law->ops->active(law->self, y, ydot, tau, slack);
}

void nsds_guarded_restitution(void *self, const double *ydot, double *q) {
  const nsds_law *law = self;
  bool sound = nsds_first_nonfinite(q, law->size) < 0; /* false: earlier terms have overflowed */
  law->ops->restitution(law->self, ydot, q);
  int bad = nsds_first_nonfinite(q, law->size);
  if (NSDS_LIKELY(bad < 0 || !sound)) return;
  fault(law, nsds_fail(law->model->context, NSDS_ERROR_CALLBACK,
                       "law %s: restitution made entry %d of q %g at a velocity of %g; it must "
                       "stay finite",
                       nsds_law_called(law), bad, q[bad], ydot[bad]));
}

nsds_status nsds_law_compliance(const nsds_law *law, double *D, int ld) {
  law->ops->compliance(law->self, D, ld);
  for (int j = 0; law->guarded && j < law->size; ++j)
    for (int i = 0; i < law->size; ++i) {
      double d = D[i + (ptrdiff_t)j * ld];
      if (NSDS_LIKELY(isfinite(d) && (i != j || d >= 0.0))) continue;
      return fault(law, nsds_fail(law->model->context, NSDS_ERROR_CALLBACK,
                                  "law %s: compliance has made D[%d, %d] %g; entries must be "
                                  "finite, those of the diagonal not negative",
                                  nsds_law_called(law), i, j, d));
    }
  return NSDS_OK;
}
