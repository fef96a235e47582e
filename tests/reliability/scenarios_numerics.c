/*
 * The numerics and files without a model: every solver of the tables on problems that it takes, nonlinear
 * problems, enumeration, readers and writers.
 */
#include "../numerics/families.h"
#include "../numerics/globals.h"
#include "scenarios.h"
#include "../io/texts.h"

#include <nsds/io.h>
#include <nsds/nonlinear.h>

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* A file of this process. */
static const char *own_file(const char *ending) {
  static char path[64];
  snprintf(path, sizeof path, "scenario_%ld.%s", (long)getpid(), ending);
  return path;
}

/* An unsolved problem is an answer; so is one that a program has interrupted. */
static nsds_status answer(nsds_status status) {
  return status == NSDS_ERROR_SOLVER ? NSDS_OK : status;
}

/* ---- all solvers ---- */

static int watch(int iteration, double residual, void *user) {
  (void)iteration, (void)residual, (void)user;
  return 0;
}

static void solve_once(story *s, const nsds_solver_row *row, const nsds_problem *problem,
                       bool watched) {
  nsds_solver *solver = NULL;
  double z[64] = {0}, w[64] = {0};
  bool takes = problem->n <= 64 && (row->storages & problem->M.storage);
  for (int k = 0; k < problem->nblock; ++k) takes = takes && (row->sets & problem->block[k].set);
  if (!takes || s->over) return;
  STORY(s, story_made(s, solver = nsds_solver_create(s->context, row->name)));
  if (solver && watched) nsds_solver_set_progress(solver, watch, NULL);
  STORY(s, nsds_solver_set(solver, "max_iterations", 12));
  STORY(s, nsds_solver_reserve(solver, problem));
  STORY(s, answer((memset(z, 0, sizeof z), nsds_solve(solver, problem, z, w, NULL))));
  if (!s->over) story_mark_doubles(s, z, problem->n);
  nsds_solver_destroy(solver);
}

/* Families of small problems in these storages. */
static void tell_solvers(story *s) {
  static const int chosen[] = {0, 5, 14, 27};
  story_context(s);
  random_seed(7);
  for (size_t c = 0; c < sizeof chosen / sizeof *chosen; ++c) {
    family f;
    stored problem;
    if (!family_create(&f, chosen[c])) break;
    stored_create(&problem, &f, storages[c % 3]);
    const nsds_solver_row *row;
    for (int k = 0; (row = nsds_solver_table(k)) != NULL && !row->global; ++k)
      if (f.n <= 12) solve_once(s, row, &problem.problem, k % 4 == 1 && c == 1);
    stored_destroy(&problem);
    family_destroy(&f);
  }
}

static int count_solutions(const double *z, const double *w, void *user) {
  (void)w;
  *(double *)user += z[0];
  return 0;
}

static void tell_enumeration(story *s) {
  const double M[9] = {1, -2, 0, -2, 1, 0.5, 0, 0.5, 1}, q[3] = {1, 1, -0.5};
  const nsds_block block = {.set = NSDS_SET_NONNEGATIVE, .size = 3};
  const nsds_problem problem = {
      .n = 3, .nblock = 1, .block = &block, .M = {.storage = NSDS_DENSE, .n = 3, .x = M}, .q = q};
  nsds_solver *solver = NULL;
  double sum = 0.0;
  story_context(s);
  STORY(s, nsds_problem_check(s->context, &problem));
  STORY(s, story_made(s, solver = nsds_solver_create(s->context, "enumeration")));
  STORY(s, answer((sum = 0.0, nsds_enumerate(solver, &problem, count_solutions, &sum, NULL))));
  story_mark_doubles(s, &sum, 1);
  nsds_solver_destroy(solver);
}

/* ---- nonlinear problems ---- */

static int kojima(const double *z, double *out, void *user) {
  (void)user;
  out[0] = 3 * z[0] * z[0] + 2 * z[0] * z[1] + 2 * z[1] * z[1] + z[2] + 3 * z[3] - 6;
  out[1] = 2 * z[0] * z[0] + z[0] + z[1] * z[1] + 10 * z[2] + 2 * z[3] - 2;
  out[2] = 3 * z[0] * z[0] + z[0] * z[1] + 2 * z[1] * z[1] + 2 * z[2] + 9 * z[3] - 9;
  out[3] = z[0] * z[0] + 3 * z[1] * z[1] + 2 * z[2] + 3 * z[3] - 3;
  return 0;
}

static int kojima_jacobian(const double *z, double *out, void *user) {
  (void)user;
  const double columns[16] = {6 * z[0] + 2 * z[1],
                              4 * z[0] + 1,
                              6 * z[0] + z[1],
                              2 * z[0],
                              2 * z[0] + 4 * z[1],
                              2 * z[1],
                              z[0] + 4 * z[1],
                              6 * z[1],
                              1,
                              10,
                              2,
                              2,
                              3,
                              2,
                              9,
                              3};
  memcpy(out, columns, sizeof columns);
  return 0;
}

static void tell_nonlinear(story *s) {
  const nsds_block block = {.set = NSDS_SET_NONNEGATIVE, .size = 4};
  nsds_nonlinear_problem problem = {.n = 4, .nblock = 1, .block = &block, .F = kojima};
  nsds_solver *solver = NULL;
  double z[4], w[4];
  story_context(s);
  STORY(s, story_made(s, solver = nsds_solver_create(s->context, NULL)));
  for (int k = 0; k < 2; ++k) {
    problem.jacobian = k ? kojima_jacobian : NULL;
    STORY(s, answer((memcpy(z, (const double[4]){1, 1, 1, 1}, sizeof z),
                     nsds_nonlinear_solve(solver, &problem, 0, z, w, NULL))));
    if (!s->over) story_mark_doubles(s, z, 4);
  }
  nsds_solver_destroy(solver);
}

/* ---- global problems ---- */

static void tell_global(story *s) {
  world problem;
  world_of_links(&problem, 3);
  const nsds_global_problem *p = &problem.problem;
  double *r = calloc((size_t)p->n + 1, sizeof *r), *u = calloc((size_t)p->n + 1, sizeof *u);
  double *v = calloc((size_t)p->nv + 1, sizeof *v), *l = calloc((size_t)p->p + 1, sizeof *l);
  size_t bytes = (size_t)p->n * sizeof *r;
  story_context(s);
  STORY(s, nsds_global_check(s->context, p));
  const nsds_solver_row *row;
  for (int k = 0; (row = nsds_solver_table(k)) != NULL; ++k) {
    if (!row->global) continue;
    nsds_solver *solver = NULL;
    STORY(s, story_made(s, solver = nsds_solver_create(s->context, row->name)));
    STORY(s, answer((memset(r, 0, bytes), nsds_global_solve(solver, p, v, r, u, l, NULL))));
    if (!s->over) story_mark_doubles(s, r, p->n);
    nsds_solver_destroy(solver);
  }
  free(r);
  free(u);
  free(v);
  free(l);
  world_destroy(&problem);
}

/* ---- files ---- */

static bool put_text(const char *path, const char *text) {
  FILE *file = fopen(path, "wb");
  bool fine = file && fputs(text, file) >= 0;
  return file && fclose(file) == 0 && fine;
}

static nsds_status write_file(story *s, const nsds_problem_file *file, const char *path) {
  const nsds_problem *problem = nsds_problem_file_problem(file);
  if (problem) return nsds_problem_write(s->context, problem, NULL, path, NSDS_FORMAT_AUTO);
  return nsds_global_write(s->context, nsds_problem_file_global(file), NULL, path,
                           NSDS_FORMAT_AUTO);
}

/* Read a text, write it by `ending`, read that. */
static void there_and_back(story *s, const char *text, const char *ending) {
  nsds_problem_file *file = NULL, *again = NULL;
  char path[64];
  snprintf(path, sizeof path, "%s", own_file("dat"));
  if (!put_text(path, text)) story_find(s, FINDING_STUCK, "cannot write %s", path);
  STORY(s, story_made(s, file = nsds_problem_read(s->context, path, NSDS_FORMAT_AUTO)));
  remove(path);
  if (!file) return;
  if (ending[0] == 'd' || nsds_problem_file_kind(file)[0] == 'f') {
    snprintf(path, sizeof path, "%s", own_file(ending));
    STORY(s, write_file(s, file, path));
    STORY(s, story_made(s, again = nsds_problem_read(s->context, path, NSDS_FORMAT_AUTO)));
    const nsds_problem *problem = nsds_problem_file_problem(again);
    if (problem) story_mark_doubles(s, problem->q, problem->n);
    remove(path);
  }
  nsds_problem_file_destroy(again);
  nsds_problem_file_destroy(file);
}

static void tell_texts(story *s) {
  story_context(s);
  for (size_t k = 0; k < sizeof good_texts / sizeof *good_texts && !s->over; ++k)
    there_and_back(s, good_texts[k], "dat");
}

#if NSDS_HAVE_HDF5
static void tell_fclib(story *s) {
  story_context(s);
  there_and_back(s, good_texts[9], "hdf5");
  there_and_back(s, good_texts[10], "hdf5");
}
#endif

const scenario scenarios_numerics[] = {
    {.name = "solvers", .tell = tell_solvers},
    {.name = "enumeration", .tell = tell_enumeration},
    {.name = "nonlinear", .tell = tell_nonlinear},
    {.name = "global", .tell = tell_global},
    {.name = "texts", .tell = tell_texts},
#if NSDS_HAVE_HDF5
    {.name = "fclib", .tell = tell_fclib, .foreign = true}, /* libhdf5 */
#endif
    {.name = NULL},
};
