#ifndef NSDS_SRC_SOLVER_ARCHIVE_H
#define NSDS_SRC_SOLVER_ARCHIVE_H

#include "base/archive.h"
#include "numerics/solver_internal.h"

void nsds_solver_archive(nsds_solver *solver, struct nsds_archive *archive);

#endif
