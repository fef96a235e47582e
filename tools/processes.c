/* Loads nsds-mpi, see processes.h. */
#define _POSIX_C_SOURCE 200809L
#include "processes.h"

#include "command.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

static void *open_library(void) {
  const char *own = getenv("NSDS_MPI_LIBRARY");
  return dlopen(own ? own : NSDS_MPI_SONAME, RTLD_NOW | RTLD_GLOBAL);
}

static bool load_mpi_calls(mpi_calls *call) {
  static const char *const name[] = {
      "nsds_mpi_create",       "nsds_mpi_destroy",       "nsds_mpi_rank",
      "nsds_mpi_size",         "nsds_mpi_agree",         "nsds_mpi_total",
      "nsds_mpi_read",         "nsds_mpi_file_destroy",  "nsds_mpi_file_part",
      "nsds_mpi_file_report",  "nsds_mpi_solve",         "nsds_mpi_certify",
      "nsds_mpi_world_create", "nsds_mpi_world_destroy", "nsds_mpi_world_step",
      "nsds_mpi_world_time",   "nsds_mpi_world_report",  "nsds_mpi_world_count",
      "nsds_mpi_world_body",   "nsds_mpi_world_model",   "nsds_mpi_world_write_vtk"};
  void *library = open_library();
  _Static_assert(sizeof *call == sizeof name / sizeof *name * sizeof(void *), "one name each");
  for (size_t k = 0; library && k < sizeof name / sizeof *name; ++k) {
    void *found = dlsym(library, name[k]);
    if (!found) return false;
    memcpy((char *)call + k * sizeof found, &found, sizeof found);
  }
  return library != NULL;
}

bool find_mpi_calls(mpi_calls *call, const char *command, int rank, int size) {
  if (load_mpi_calls(call)) return true;
  if (rank == 0)
    complain("%s: %d processes run this command, and the library %s, by which they work together, "
             "cannot be used (%s); install libnsds-mpi, or start one process",
             command, size, NSDS_MPI_SONAME, dlerror());
  return false;
}
