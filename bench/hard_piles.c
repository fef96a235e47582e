/*
 * Hard friction problems (hard_piles.h): written to files, or solved where they are made, with the
 * operator in factors as time stepping hands it over.
 *
 *   hard_piles write FOLDER FIRST COUNT [FAMILY]          FOLDER/FAMILY-SEED.dat
 *   hard_piles solve FIRST COUNT FAMILY SECONDS SOLVER..  one line a problem and solver, which is
 *                                                         NAME[:columns][:OPTION=VALUE]..
 *
 * COUNT seeds from FIRST on for each family; FAMILY "all" or a name. Problems with fewer than 100
 * or more than 1000 contacts are left out. SECONDS are those of the processor that one solve to
 * 1e-8 may take; a line is problem, contacts, solver, outcome, residual, seconds, iterations,
 * method and the largest term of M z over the load.
 */
#include "bench.h"
#include "hard_piles.h"

#include <time.h>

static nsds_context *context;

/* M formed, in compressed columns, as files have it. */
typedef struct columns {
  int *p, *i, *work;
  double *x;
  nsds_problem problem;
} columns;

static bool form_columns(const nsds_problem *problem, columns *c) {
  size_t n = (size_t)problem->n;
  c->problem = *problem;
  c->p = malloc((n + 1) * sizeof *c->p);
  c->work = malloc((nsds_problem_csc_work(problem) + 1) * sizeof *c->work);
  if (!c->p || !c->work) return false;
  nsds_problem_to_csc(problem, c->p, NULL, NULL, c->work);
  c->i = malloc(((size_t)c->p[n] + 1) * sizeof *c->i);
  c->x = malloc(((size_t)c->p[n] + 1) * sizeof *c->x);
  if (!c->i || !c->x) return false;
  nsds_problem_to_csc(problem, c->p, c->i, c->x, c->work);
  c->problem.M = (nsds_matrix){.storage = NSDS_CSC,
                               .n = problem->n,
                               .p = c->p,
                               .i = c->i,
                               .x = c->x,
                               .symmetric = problem->M.symmetric};
  return true;
}

static void free_columns(columns *c) {
  free(c->p);
  free(c->i);
  free(c->x);
  free(c->work);
}

/* SOLVER[:columns][:OPTION=VALUE].. */
static nsds_solver *make_solver(const char *what, bool *formed) {
  char text[256], *next = text;
  snprintf(text, sizeof text, "%s", what);
  *formed = false;
  nsds_solver *solver = NULL;
  for (char *word = text; word; word = next) {
    next = strchr(word, ':');
    if (next) *next++ = '\0';
    char *value = strchr(word, '=');
    if (value) *value++ = '\0';
    if (word == text) solver = nsds_solver_create(context, word);
    else if (!value) *formed = *formed || strcmp(word, "columns") == 0;
    else if (nsds_solver_set(solver, word, atof(value))) return NULL;
    if (!solver) return NULL;
  }
  return solver;
}

static double seconds_used(void) { return (double)clock() / CLOCKS_PER_SEC; }

static int late(int iteration, double residual, void *user) {
  (void)iteration, (void)residual;
  return seconds_used() > *(double *)user;
}

/* The largest (|M| |z| + |q|) d^(-1/2) over the largest |q| d^(-1/2). */
static double terms_over_load(const nsds_problem *problem, const double *z) {
  double *work = calloc(nsds_problem_work(problem), sizeof *work), terms = 0.0, load = 0.0;
  nsds_certificate certificate;
  if (!work) return NAN;
  nsds_certify(problem, z, work, &certificate);
  const double *s = work + problem->n, *d = s + problem->n;
  for (int i = 0; i < problem->n; ++i) {
    terms = fmax(terms, s[i] / sqrt(d[i]));
    load = fmax(load, fabs(problem->q[i]) / sqrt(d[i]));
  }
  free(work);
  return terms / load;
}

static void solve(const char *name, const nsds_problem *problem, const char *method,
                  double seconds) {
  columns c = {0};
  bool formed;
  nsds_solver *solver = make_solver(method, &formed);
  if (formed && form_columns(problem, &c)) problem = &c.problem;
  double *z = calloc(2 * (size_t)problem->n, sizeof *z);
  nsds_solver_info info = {0};
  if (solver && z) {
    double begin = seconds_used(), end = begin + seconds;
    nsds_solver_set(solver, "tolerance", 1e-8);
    nsds_solver_set_progress(solver, late, &end);
    nsds_solve(solver, problem, z, z + problem->n, &info);
    printf("%s %d %s %s %.2e %.3f %d %s %.1e\n", name, problem->nblock, method,
           info.outcome == NSDS_SOLVED ? "solved" : "unsolved", info.residual,
           seconds_used() - begin, info.iterations, info.solver, terms_over_load(problem, z));
    fflush(stdout);
  } else {
    fprintf(stderr, "%s\n", nsds_error_message(context));
    nsds_error_clear(context);
  }
  free(z);
  nsds_solver_destroy(solver);
  free_columns(&c);
}

static bool wanted(const nsds_problem *problem) {
  if (problem->nblock < 100 || problem->nblock > 1000) return false;
  for (int a = 0; a < problem->nblock; ++a)
    if (problem->block[a].set != NSDS_SET_COULOMB) return false;
  return true;
}

static int visit(hard_family family, unsigned seed, int argc, char **argv) {
  hard_pile pile;
  char name[64], path[512];
  snprintf(name, sizeof name, "%s-%u", hard_family_name[family], seed);
  int bad = 0;
  if (!hard_pile_make(&pile, family, hard_contacts(family, seed), seed)) {
    fprintf(stderr, "%s: %s\n", name,
            pile.model ? nsds_error_message(nsds_model_context(pile.model)) : "out of memory");
    bad = 1;
  } else if (!wanted(&pile.problem)) {
    fprintf(stderr, "%s: %d contacts, left out\n", name, pile.problem.nblock);
  } else if (strcmp(argv[1], "write") == 0) {
    snprintf(path, sizeof path, "%s/%s.dat", argv[2], name);
    bad = nsds_problem_write(context, &pile.problem, NULL, path, NSDS_FORMAT_FRICTION) != NSDS_OK;
    if (bad) fprintf(stderr, "%s\n", nsds_error_message(context));
  } else {
    for (int k = 6; k < argc; ++k) solve(name, &pile.problem, argv[k], atof(argv[5]));
  }
  hard_pile_free(&pile);
  return bad;
}

int main(int argc, char **argv) {
  bool writes = argc >= 5 && strcmp(argv[1], "write") == 0;
  bool solves = argc >= 7 && strcmp(argv[1], "solve") == 0;
  if (!writes && !solves) {
    fprintf(stderr,
            "usage: %s write FOLDER FIRST COUNT [FAMILY], or %s solve FIRST COUNT FAMILY "
            "SECONDS SOLVER..\n",
            argv[0], argv[0]);
    return 2;
  }
  const char *family = writes ? (argc > 5 ? argv[5] : "all") : argv[4];
  unsigned first = (unsigned)atoi(argv[writes ? 3 : 2]),
           count = (unsigned)atoi(argv[writes ? 4 : 3]);
  int bad = 0;
  context = nsds_context_create(NULL);
  for (int f = 0; f < hard_families; ++f)
    for (unsigned seed = first; seed < first + count; ++seed)
      if (strcmp(family, "all") == 0 || strcmp(family, hard_family_name[f]) == 0)
        bad |= visit((hard_family)f, seed, argc, argv);
  nsds_context_destroy(context);
  return bad;
}
