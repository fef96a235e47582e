/*
 * Loads the library nsds-mpi for commands under mpirun, so that the command is not linked to MPI.
 */
#ifndef NSDS_TOOLS_PROCESSES_H
#define NSDS_TOOLS_PROCESSES_H

#include <nsds/mpi_world.h>

/* The calls of nsds/mpi.h and nsds/mpi_world.h. */
typedef struct mpi_calls {
  nsds_mpi *(*create)(nsds_context *, const void *);
  void (*destroy)(nsds_mpi *);
  int (*rank)(const nsds_mpi *);
  int (*size)(const nsds_mpi *);
  nsds_status (*agree)(nsds_mpi *, nsds_status);
  void (*total)(nsds_mpi *, int, double *);
  nsds_mpi_file *(*read)(nsds_mpi *, const char *, nsds_format);
  void (*file_destroy)(nsds_mpi_file *);
  const nsds_mpi_part *(*part)(const nsds_mpi_file *);
  const nsds_mpi_file_info *(*report)(const nsds_mpi_file *);
  nsds_status (*solve)(nsds_mpi *, const nsds_mpi_part *, const nsds_mpi_options *, double *,
                       double *, nsds_mpi_info *);
  nsds_status (*certify)(nsds_mpi *, const nsds_mpi_part *, const double *, double *,
                         nsds_certificate *);
  nsds_mpi_world *(*world_create)(nsds_mpi *, const nsds_mpi_world_def *);
  void (*world_destroy)(nsds_mpi_world *);
  nsds_status (*world_step)(nsds_mpi_world *);
  double (*world_time)(const nsds_mpi_world *);
  const nsds_mpi_world_info *(*world_report)(const nsds_mpi_world *);
  int (*world_count)(const nsds_mpi_world *);
  nsds_status (*world_body)(const nsds_mpi_world *, int, nsds_mpi_body *);
  const nsds_model *(*world_model)(const nsds_mpi_world *);
  nsds_status (*world_write_vtk)(nsds_mpi_world *, const char *, int);
} mpi_calls;

/* Finds the calls. false, with a message of the first process, where the library cannot be used. */
bool find_mpi_calls(mpi_calls *call, const char *command, int rank, int size);

#endif
