/*
 * The friction benchmark (fc3d.h) with Siconos' solvers for contacts in 3D.
 *
 *   fc3d FILE SOLVER [SETTING]     solves
 *   fc3d FILE sweeps N [SETTING]   N sweeps of NSGS
 *   fc3d settings SOLVER           names of the settings, the default first; also of `sweeps`
 *
 * Every solve gets a fresh copy of the problem: forms of M that a solver keeps in it are made anew.
 */
#include "../fc3d.h"

#include <FrictionContactProblem.h>
#include <Friction_cst.h>
#include <NonSmoothDrivers.h>
#include <NumericsMatrix.h>
#include <NumericsVerbose.h>
#include <SolverOptions.h>
#include <SparseBlockMatrix.h>

namespace {

/* A solver with one of its settings: one entry of iparam, or the solver of one contact. */
struct setting {
  const char *solver, *name;
  int id, iterations, place, value, local;
};

const setting settings[] = {
    {"nsgs", "default", SICONOS_FRICTION_3D_NSGS, 100000, -1, 0, 0},
    {"nsgs", "newton", SICONOS_FRICTION_3D_NSGS, 100000, -1, 0, SICONOS_FRICTION_3D_ONECONTACT_NSN},
    {"nsgs", "projection", SICONOS_FRICTION_3D_NSGS, 100000, -1, 0,
     SICONOS_FRICTION_3D_ONECONTACT_ProjectionOnConeWithLocalIteration},
    {"nsgs", "shuffle", SICONOS_FRICTION_3D_NSGS, 100000, SICONOS_FRICTION_3D_NSGS_SHUFFLE,
     SICONOS_FRICTION_3D_NSGS_SHUFFLE_TRUE_EACH_LOOP, 0},
    {"nsn_ac", "default", SICONOS_FRICTION_3D_NSN_AC, 2000, -1, 0, 0},
    {"nsn_ac", "jean_moreau", SICONOS_FRICTION_3D_NSN_AC, 2000, SICONOS_FRICTION_3D_NSN_FORMULATION,
     SICONOS_FRICTION_3D_NSN_FORMULATION_JEANMOREAU_GENERATED, 0},
    {"admm", "default", SICONOS_FRICTION_3D_ADMM, 20000, -1, 0, 0},
    {"admm", "balancing", SICONOS_FRICTION_3D_ADMM, 20000,
     SICONOS_FRICTION_3D_ADMM_IPARAM_RHO_STRATEGY,
     SICONOS_FRICTION_3D_ADMM_RHO_STRATEGY_RESIDUAL_BALANCING, 0},
    {"admm", "scaled", SICONOS_FRICTION_3D_ADMM, 20000,
     SICONOS_FRICTION_3D_ADMM_IPARAM_RHO_STRATEGY,
     SICONOS_FRICTION_3D_ADMM_RHO_STRATEGY_SCALED_RESIDUAL_BALANCING, 0},
};

struct theirs {
  fc3d_side side; /* first: the functions get a pointer to it */
  FrictionContactProblem *problem, *copy;
  const setting *what;
  SolverOptions *options;
  double *u;
};

int start(fc3d_side *side) {
  theirs *self = reinterpret_cast<theirs *>(side);
  self->copy = frictionContact_copy(self->problem);
  memset(self->u, 0, 3 * static_cast<size_t>(side->contacts) * sizeof *self->u);
  return self->copy != nullptr;
}

void finish(fc3d_side *side) {
  theirs *self = reinterpret_cast<theirs *>(side);
  solver_options_delete(self->options);
  free(self->options);
  frictionContactProblem_free(self->copy);
}

int solve(fc3d_side *side, double tolerance, double *r) {
  theirs *self = reinterpret_cast<theirs *>(side);
  const setting *what = self->what;
  SolverOptions *options = self->options = solver_options_create(what->id);
  options->dparam[SICONOS_DPARAM_TOL] = tolerance;
  options->iparam[SICONOS_IPARAM_MAX_ITER] = what->iterations;
  if (what->place >= 0) options->iparam[what->place] = what->value;
  if (what->local) solver_options_update_internal(options, 0, what->local);
  if (side->sweeps) {
    options->iparam[SICONOS_IPARAM_MAX_ITER] = static_cast<int>(side->sweeps);
    options->iparam[SICONOS_FRICTION_3D_IPARAM_ERROR_EVALUATION] =
        SICONOS_FRICTION_3D_NSGS_ERROR_EVALUATION_LIGHT;
  }
  side->converged = fc3d_driver(self->copy, r, self->u, options) == 0;
  side->iterations = options->iparam[SICONOS_IPARAM_ITER_DONE];
  return 1;
}

void multiply(fc3d_side *side, const double *r, double *u) {
  theirs *self = reinterpret_cast<theirs *>(side);
  memcpy(u, side->q, 3 * static_cast<size_t>(side->contacts) * sizeof *u);
  NM_gemv(1.0, self->problem->M, const_cast<double *>(r), 1.0, u);
}

const setting *find_setting(const char *solver, const char *name) {
  for (const setting &s : settings)
    if (strcmp(s.solver, solver) == 0 && strcmp(s.name, name) == 0) return &s;
  fprintf(stderr, "there is no setting %s of %s\n", name, solver);
  return nullptr;
}

/* Where M is sparse: 3 x 3 blocks, the form these solvers work with best. */
void use_blocks(FrictionContactProblem *problem) {
  NumericsMatrix *M = problem->M;
  if (M->storageType != NM_SPARSE) return;
  NumericsMatrix *blocks = NM_create(NM_SPARSE_BLOCK, M->size0, M->size1);
  if (!blocks->matrix1) blocks->matrix1 = SBM_new();
  SBM_from_csparse(3, NM_csc(M), blocks->matrix1);
  problem->M = blocks; /* the other one stays until the program ends */
}

int load(theirs *self, const char *path) {
  self->problem = frictionContact_new_from_filename(path);
  if (!self->problem || self->problem->dimension != 3) {
    fprintf(stderr, "%s holds no problem of contacts in 3D\n", path);
    return 0;
  }
  use_blocks(self->problem);
  self->side.contacts = self->problem->numberOfContacts;
  self->side.mu = self->problem->mu;
  self->side.q = self->problem->q;
  self->u =
      static_cast<double *>(calloc(3 * static_cast<size_t>(self->side.contacts), sizeof(double)));
  return self->u != nullptr;
}

/* For sweeps those that solve a contact exactly, as our side does. */
void print_settings(const char *solver) {
  for (const setting &s : settings)
    if (strcmp(s.solver, solver) == 0) printf("%s\n", s.name);
  if (strcmp(solver, "sweeps") == 0) printf("default\nnewton\n");
}

} // namespace

int main(int argc, char **argv) {
  theirs self = {};
  if (argc == 3 && strcmp(argv[1], "settings") == 0) {
    print_settings(argv[2]);
    return 0;
  }
  if (argc < 3 || argc > 5) {
    fprintf(stderr,
            "usage: %s FILE SOLVER [SETTING], %s FILE sweeps N [SETTING], or %s settings SOLVER\n",
            argv[0], argv[0], argv[0]);
    return 2;
  }
  bool sweeps = strcmp(argv[2], "sweeps") == 0 && argc > 3;
  int next = sweeps ? 4 : 3;
  numerics_set_verbose(0);
  self.what = find_setting(sweeps ? "nsgs" : argv[2], argc > next ? argv[next] : "default");
  if (!self.what || !load(&self, argv[1])) return 1;
  self.side.tries = 2;
  self.side.sweeps = sweeps ? atol(argv[3]) : 0;
  self.side.start = start;
  self.side.solve = solve;
  self.side.finish = finish;
  self.side.multiply = multiply;
  snprintf(self.side.method, sizeof self.side.method, "%s", self.what->name);
  return fc3d_main(&self.side);
}
