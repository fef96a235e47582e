"""Declarations of nsds/mpi.h. Written by python/generate.py."""
DECLARATIONS = """
typedef struct nsds_mpi nsds_mpi;
nsds_mpi *nsds_mpi_create(void *context, const void *communicator);
void nsds_mpi_destroy(nsds_mpi *mpi);
int nsds_mpi_rank(const nsds_mpi *mpi);
int nsds_mpi_size(const nsds_mpi *mpi);
int nsds_mpi_agree(nsds_mpi *mpi, int status);
void nsds_mpi_total(nsds_mpi *mpi, int n, double *x);
typedef struct nsds_mpi_part {
  const void *problem;
  const long long *number;
  const long long *block;
} nsds_mpi_part;
enum {
  NSDS_MPI_NEVER = -1
};
typedef struct nsds_mpi_options {
  double tolerance;
  int max_iterations;
  bool reproducible;
  int gather;
  int gather_after;
  uint64_t reserved[4];
} nsds_mpi_options;
typedef struct nsds_mpi_info {
  int outcome;
  int iterations;
  double residual;
  double violation;
  int colors;
  bool gathered;
  int newton;
  long long exchanges;
  long long messages;
  long long bytes;
  long long reductions;
} nsds_mpi_info;
int nsds_mpi_solve(nsds_mpi *mpi, const nsds_mpi_part *part, const nsds_mpi_options *options, double *z, double *w, nsds_mpi_info *info);
int nsds_mpi_certify(nsds_mpi *mpi, const nsds_mpi_part *part, const double *z, double *w, void *certificate);
"""
