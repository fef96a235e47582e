/*
 * Archives, as numbers, the memory of a solver that affects its next solve. A checksum identifies
 * the M of that memory. Methods without memory write their name alone.
 */
#include "numerics/solver_archive.h"

#include "base/archive.h"

void nsds_solver_archive(nsds_solver *solver, nsds_archive *a) {
  nsds_archive_same_text(a, "the solver", "name", solver->method->row.name);
  if (!a->status && solver->method->archive) solver->method->archive(solver, a);
}
