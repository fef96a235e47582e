/*
 * The launcher of this command, read from the environment: no library of MPI is needed.
 */
#include "command.h"

#include <stdlib.h>

bool environment_number(const char *name, int *value) {
  const char *text = getenv(name);
  char *end;
  if (!text || !*text) return false;
  long number = strtol(text, &end, 10);
  if (*end || number < 0 || number > 1000000) return false;
  *value = (int)number;
  return true;
}

static bool is_one_of(const char *rank_name, const char *size_name, int *rank, int *size) {
  return environment_number(rank_name, rank) && environment_number(size_name, size) && *size > 1 &&
         *rank < *size;
}

bool is_launched(int *rank, int *size) {
  return is_one_of("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", rank, size) ||
         is_one_of("PMI_RANK", "PMI_SIZE", rank, size) ||
         is_one_of("PMIX_RANK", "PMIX_SIZE", rank, size);
}

bool is_task(int *rank, int *size) { return is_one_of("SLURM_PROCID", "SLURM_NTASKS", rank, size); }
