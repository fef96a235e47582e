/* nsds certify: tells if an answer from elsewhere solves a problem. */
#include "command.h"
#include "table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct certify_settings {
  double tolerance; /* NaN: the default */
  nsds_format from;
  bool json;
  const char *path[2]; /* of the problem and of the answer; NULL: both in one file */
  int npath;
} certify_settings;

/* The verdict on an answer. */
typedef struct verdict {
  const char *kind;
  double residual, standard, tolerance;
  double violation, limit;        /* of a local problem, else NaN; largest valid violation */
  double dynamics, equality, law; /* of a global problem, else NaN */
  double error, scale;            /* of the worst row of a local problem, else NaN */
  int block, row;                 /* the worst; row -1: not known */
  int violation_row;
  const char *block_name; /* or NULL */
} verdict;

/* ---- numbers ---- */

static double default_tolerance(bool global) {
  const nsds_solver_row *row = nsds_solver_table(0);
  for (int k = 1; row->global != global; ++k) row = nsds_solver_table(k);
  for (const nsds_option *option = row->option; option->name; ++option)
    if (strcmp(option->name, "tolerance") == 0) return option->default_value;
  return 1e-10;
}

static bool no_answer(const certify_settings *s, const char *what) {
  complain("nsds certify: %s: there is no solution%s in it; give a file with %s", s->path[0],
           what[0] == 'v' ? " with velocities v" : "", what);
  return false;
}

static bool certify_local(const certify_settings *s, const nsds_problem *problem,
                          const nsds_stored_point *stored, verdict *v) {
  size_t n = (size_t)problem->n;
  double *z = calloc(n + nsds_problem_work(problem) + 1, sizeof *z);
  bool good = z != NULL;
  if (!z) complain("nsds: out of memory");
  else if (s->path[1]) good = read_answer(s->path[1], "z", &(named_room){"z", z, n}, 1);
  else if (!stored) good = no_answer(s, "z");
  else if (n > 0) memcpy(z, stored->z, n * sizeof *z);
  if (good) {
    nsds_certificate c;
    nsds_certify(problem, z, z + n, &c);
    v->residual = c.residual;
    v->standard = c.standard;
    v->violation = c.violation;
    v->violation_row = c.violation_row;
    v->error = c.error;
    v->scale = c.scale;
    v->block = c.worst_block;
    v->row = c.worst_row;
    if (isnan(v->tolerance)) v->tolerance = default_tolerance(false);
    v->limit = nsds_violation_limit(problem, v->tolerance);
  }
  free(z);
  return good;
}

static bool certify_global(const certify_settings *s, const nsds_global_problem *problem,
                           const nsds_stored_point *stored, verdict *v) {
  size_t nv = (size_t)problem->nv, n = (size_t)problem->n, p = (size_t)problem->p;
  double *x = calloc(nv + n + p + nsds_global_work(problem) + 1, sizeof *x);
  double *r = x ? x + nv : NULL, *lambda = x ? r + n : NULL;
  const named_room part[] = {{"v", x, nv}, {"r", r, n}, {"lambda", lambda, p}};
  bool good = x != NULL;
  if (!x) complain("nsds: out of memory");
  else if (s->path[1]) good = read_answer(s->path[1], "v, r and lambda", part, 3);
  else if (!stored || (!stored->v && nv > 0)) good = no_answer(s, "v, r and lambda");
  else {
    if (nv > 0) memcpy(x, stored->v, nv * sizeof *x);
    if (n + p > 0) memcpy(r, stored->z, (n + p) * sizeof *r);
  }
  if (good) {
    nsds_global_certificate c;
    nsds_global_certify(problem, x, r, lambda, lambda + p, &c);
    v->residual = c.residual;
    v->standard = c.standard;
    v->dynamics = c.dynamics;
    v->equality = c.equality;
    v->law = c.law;
    v->block = c.worst_block;
    if (isnan(v->tolerance)) v->tolerance = default_tolerance(true);
  }
  free(x);
  return good;
}

/* ---- the verdict ---- */

static bool is_certified(const verdict *v) {
  return v->residual <= v->tolerance && (isnan(v->violation) || v->violation <= v->limit);
}

static void print_text(const certify_settings *s, const verdict *v) {
  printf("%s (%s)%s%s: %s\n", s->path[0], v->kind, s->path[1] ? " with " : "",
         s->path[1] ? s->path[1] : "", is_certified(v) ? "certified" : "not certified");
  printf("residual  %.3g, valid is up to %g\n", v->residual, v->tolerance);
  if (!isnan(v->violation)) {
    printf("violation %.3g of the scale of the data", v->violation);
    if (v->limit > v->tolerance) printf(", valid is up to %.3g", v->limit);
    if (v->violation_row >= 0) printf(", in row %d", v->violation_row);
    putchar('\n');
  }
  printf("standard  %.3g\n", v->standard);
  if (!isnan(v->law))
    printf("parts     dynamics %.3g, equality %.3g, law %.3g\n", v->dynamics, v->equality, v->law);
  if (v->block < 0) return;
  printf("worst     block %d%s%s%s", v->block, v->block_name ? " \"" : "",
         v->block_name ? v->block_name : "", v->block_name ? "\"" : "");
  if (v->row >= 0) printf(", row %d: error %.3g of scale %.3g", v->row, v->error, v->scale);
  putchar('\n');
}

static void json_real(const char *name, double value) {
  printf(", \"%s\": ", name);
  if (isfinite(value)) write_number(stdout, value);
  else fputs("null", stdout);
}

static void print_json(const certify_settings *s, const verdict *v) {
  fputs("{\"file\": ", stdout);
  json_string(stdout, s->path[0]);
  fputs(", \"answer\": ", stdout);
  json_string(stdout, s->path[1] ? s->path[1] : s->path[0]);
  printf(", \"kind\": \"%s\", \"certified\": %s", v->kind, is_certified(v) ? "true" : "false");
  json_real("residual", v->residual);
  json_real("tolerance", v->tolerance);
  json_real("standard", v->standard);
  if (!isnan(v->violation)) json_real("violation", v->violation);
  printf(", \"worst_block\": %d", v->block);
  if (v->row >= 0) printf(", \"worst_row\": %d", v->row);
  if (!isnan(v->law)) {
    json_real("dynamics", v->dynamics);
    json_real("equality", v->equality);
    json_real("law", v->law);
  }
  fputs("}\n", stdout);
}

/* ---- the command ---- */

static bool certify_file(const certify_settings *s, const nsds_problem_file *file, verdict *v) {
  const nsds_problem *local = nsds_problem_file_problem(file);
  const nsds_global_problem *global = nsds_problem_file_global(file);
  const nsds_notes *notes = nsds_problem_file_notes(file);
  v->kind = nsds_problem_file_kind(file);
  bool known = local ? certify_local(s, local, notes->solution, v)
                     : certify_global(s, global, notes->solution, v);
  if (known && notes->block_name && v->block >= 0) v->block_name = notes->block_name[v->block];
  return known;
}

static int run_certify(const certify_settings *s) {
  verdict v = {.tolerance = s->tolerance,
               .violation = NAN,
               .dynamics = NAN,
               .equality = NAN,
               .law = NAN,
               .block = -1,
               .row = -1};
  nsds_context *context = nsds_context_create(&(nsds_context_def){.log = print_warning});
  if (!context) {
    complain("nsds: out of memory");
    return exit_failed;
  }
  nsds_problem_file *file = read_problem(context, s->path[0], s->from);
  const nsds_problem *local = nsds_problem_file_problem(file);
  bool known = file != NULL;
  if (known && local) known = !nsds_problem_check(context, local);
  else if (known) known = !nsds_global_check(context, nsds_problem_file_global(file));
  if (!known) complain("nsds certify: %s", nsds_error_message(context));
  else known = certify_file(s, file, &v);
  if (known && s->json) print_json(s, &v);
  else if (known) print_text(s, &v);
  nsds_problem_file_destroy(file);
  nsds_context_destroy(context);
  return known && is_certified(&v) ? exit_good : exit_failed;
}

int command_certify(int count, char **words) {
  arguments all = {.command = "nsds certify", .count = count, .words = words};
  certify_settings s = {.tolerance = NAN};
  argument found;
  char name[32];
  while (next_argument(&all, &found, name)) {
    if (!found.option) {
      if (s.npath == 2)
        return usage_error(all.command, "a third file named: %s; give a problem and an answer",
                           found.value);
      s.path[s.npath++] = found.value;
    } else if (asks_for_help(&found)) {
      return print_help("certify");
    } else if (strcmp(found.option, "--tol") == 0) {
      if (!option_number(&all, &found, 0.0, &s.tolerance)) return exit_usage;
    } else if (strcmp(found.option, "--from") == 0) {
      if (!option_format(&all, &found, &s.from)) return exit_usage;
    } else if (strcmp(found.option, "--json") == 0 && !found.value) {
      s.json = true;
    } else {
      return unknown_option(all.command, found.option, "--tol --from --json");
    }
  }
  if (s.npath == 0) return usage_error(all.command, "give a problem, and a file with its answer");
  if (s.npath == 2 && strcmp(s.path[0], "-") == 0 && strcmp(s.path[1], "-") == 0)
    return usage_error(all.command, "standard input cannot be both; give a file for one of them");
  return run_certify(&s);
}
