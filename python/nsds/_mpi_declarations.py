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
typedef struct nsds_mpi_file nsds_mpi_file;
typedef struct nsds_mpi_file_info {
  const char *kind;
  int n;
  int nblock;
  int first_row;
  const double *guess;
} nsds_mpi_file_info;
nsds_mpi_file *nsds_mpi_read(nsds_mpi *mpi, const char *path, int format);
void nsds_mpi_file_destroy(nsds_mpi_file *file);
const nsds_mpi_part *nsds_mpi_file_part(const nsds_mpi_file *file);
const nsds_mpi_file_info *nsds_mpi_file_report(const nsds_mpi_file *file);
typedef struct nsds_mpi_world nsds_mpi_world;
typedef struct nsds_mpi_kind {
  double mass;
  double inertia[9];
  int nshape;
  const void *shape;
} nsds_mpi_kind;
typedef struct nsds_mpi_body {
  long long id;
  int kind;
  double size;
  double q[7];
  double v[6];
} nsds_mpi_body;
enum {
  NSDS_MPI_BODIES = 357913941
};
typedef int (*nsds_mpi_scenery_fn)(void *model, void *set, void *user);
typedef struct nsds_mpi_world_def {
  double t0;
  double h;
  double gravity[3];
  int nmaterial;
  const void *material;
  int mix;
  int nkind;
  const nsds_mpi_kind *kind;
  int nbody;
  const nsds_mpi_body *body;
  nsds_mpi_scenery_fn scenery;
  void *user;
  double reach;
  double skin;
  double tolerance;
  int max_iterations;
  int gather;
  bool reproducible;
  uint64_t reserved[4];
} nsds_mpi_world_def;
nsds_mpi_world *nsds_mpi_world_create(nsds_mpi *mpi, const nsds_mpi_world_def *def);
void nsds_mpi_world_destroy(nsds_mpi_world *world);
int nsds_mpi_world_step(nsds_mpi_world *world);
typedef struct nsds_mpi_world_info {
  nsds_mpi_info solver;
  long steps;
  long rebuilds;
  long long contacts;
  long long own_contacts;
  int bodies;
  int ghosts;
  double busiest;
  long long found;
  long long exchanges;
  long long messages;
  long long bytes;
  long long reductions;
} nsds_mpi_world_info;
double nsds_mpi_world_time(const nsds_mpi_world *world);
const nsds_mpi_world_info *nsds_mpi_world_report(const nsds_mpi_world *world);
int nsds_mpi_world_count(const nsds_mpi_world *world);
int nsds_mpi_world_body(const nsds_mpi_world *world, int k, nsds_mpi_body *body);
const void *nsds_mpi_world_model(const nsds_mpi_world *world);
int nsds_mpi_world_save(nsds_mpi_world *world, const char *path);
int nsds_mpi_world_load(nsds_mpi_world *world, const char *path);
int nsds_mpi_world_write_vtk(nsds_mpi_world *world, const char *path, int frame);
"""
