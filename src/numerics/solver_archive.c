/*
 * What a solver remembers of its last solve and goes by in the next, as numbers. Which M that was is
 * told by a checksum. Methods without such a memory write their name alone.
 */
#include "numerics/solver_archive.h"

#include "base/archive.h"

void nsds_solver_archive(nsds_solver *solver, nsds_archive *a) {
  nsds_archive_same_text(a, "the solver", "name", solver->method->row.name);
  if (!a->status && solver->method->archive) solver->method->archive(solver, a);
}
