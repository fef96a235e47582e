/*
 * Methods and rules of "auto" on problems of files, drawn ones (drawn.h) and piles, from z = 0:
 *
 *   judge SECONDS TOLERANCE LIST CONTENDER..
 *
 * LIST is a text file with a problem on each line: the path of a file; "drawn N", problem N of
 * those that are drawn, the families in turn; "small FAMILY ROWS SEED", a dense one of a family of
 * small ones; "pile N", N spheres, ten layers, that have come to rest; "obstacle N", a membrane of
 * N x N nodes; "programme FAMILY SEED", a convex programme (qp_hard.h). A contender is NAME[:OPTION=VALUE].. with an option of the method or, for auto, one of its
 * rules (auto_lists.h): a number, or a list
 *
 *   curved=nsgs/patient+nonsmooth_newton/100/best+interior_point/rows=6000
 *
 * of methods with, each behind a slash, the iterations (a number, "patient" or "enduring"), "best"
 * to start at the best point so far, "on" to go on where the method ended last, "symmetric"
 * for dense symmetric M alone, "paced" where sweeps end that will not get there, rows=N for
 * the most rows, above=N where there must be more, and OPTION=VALUE. SECONDS of the processor are
 * what a solve to TOLERANCE may take. Prints a line for each problem and contender: problem, rows,
 * contender, seconds ("inf": not solved), residual, kind, family, the line of LIST, which
 * method answered after which, its iterations, and the seconds used, solved or not. "judge names" prints those of all methods.
 *
 *   judge race SECONDS TOLERANCE CLASS COUNT SEED
 *
 * draws problems of a class, of which auto takes 1 ms or more of the processor, until there are
 * COUNT, and sets every other method against auto: the median of three times, each of a new
 * instance. A method gets the time that auto took; where auto fails, 20 times that, at most SECONDS.
 * Prints for each problem: class, problem, rows, seconds of auto ("inf": not solved), method that is
 * faster than auto ("auto": none) and its seconds, how many methods solve it, path of auto. "judge
 * classes" prints the classes.
 */
#define _XOPEN_SOURCE 700 /* setitimer */
#define _DEFAULT_SOURCE   /* MAP_ANONYMOUS */

#include "numerics/auto.h"
#include "numerics/methods.h"
#include "drawn.h"
#include "qp_hard.h"
#include "qp_problem.h"

#include "io/problem_file.h"
#include "numerics/solver_run.h"

#include <nsds/io.h>

#include <stddef.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

static const double repeat_below = 5e-3; /* seconds of a solve that is timed again */
enum { repetitions = 3, most_words = 17 };

static nsds_context *context;
static double tolerance, limit; /* of a solve; seconds of the processor */
static char line[1024];         /* of the list */

static _Noreturn void fail(const char *what, const char *word) {
  fprintf(stderr, "judge: %s \"%s\"\n", what, word);
  exit(2);
}

/* ---- contenders ---- */

typedef struct contender {
  const char *text;
  nsds_solver *solver;
  nsds_auto_rules rules;
} contender;

/* Cuts `text` at `mark`; the number of words, at least one. */
static int cut(char *text, char mark, char *word[most_words]) {
  int count = 1;
  word[0] = text;
  while (count < most_words && (text = strchr(text, mark)) != NULL) {
    *text++ = '\0';
    word[count++] = text;
  }
  return count;
}

static int option_place(const nsds_method *method, const char *name) {
  for (int k = 0; method->row.option[k].name; ++k)
    if (strcmp(method->row.option[k].name, name) == 0) return k;
  fail("no option", name);
}

static nsds_auto_stage read_stage(char *text) {
  char *word[most_words];
  int count = cut(text, '/', word);
  nsds_auto_stage stage = {.method = nsds_method_named(context, word[0])};
  if (!stage.method) fail("no method", word[0]);
  for (int k = 1; k < count; ++k) {
    char *value = strchr(word[k], '=');
    if (value) *value++ = '\0';
    if (strcmp(word[k], "best") == 0) stage.from_best = true;
    else if (strcmp(word[k], "on") == 0) stage.goes_on = true;
    else if (strcmp(word[k], "symmetric") == 0) stage.symmetric = true;
    else if (strcmp(word[k], "paced") == 0) stage.paced = true;
    else if (strcmp(word[k], "patient") == 0) stage.iterations = NSDS_AUTO_PATIENT;
    else if (strcmp(word[k], "enduring") == 0) stage.iterations = NSDS_AUTO_ENDURING;
    else if (!value) stage.iterations = atof(word[k]);
    else if (strcmp(word[k], "rows") == 0) stage.most_rows = atoi(value);
    else if (strcmp(word[k], "above") == 0) stage.above = atoi(value);
    else {
      stage.option = option_place(stage.method, word[k]);
      stage.value = atof(value);
    }
  }
  return stage;
}

static void read_rule(nsds_auto_rules *rules, const char *name, char *value) {
  static const struct {
    const char *name;
    size_t place;
  } number[] =
      {
#define PLACE(name, value) {#name, offsetof(nsds_auto_rules, name)},
          NSDS_AUTO_NUMBERS(PLACE)
#undef PLACE
      },
    list[] = {{"small", offsetof(nsds_auto_rules, small)},
              {"large", offsetof(nsds_auto_rules, large)},
              {"programme", offsetof(nsds_auto_rules, programme)},
              {"faceted", offsetof(nsds_auto_rules, faceted)},
              {"curved", offsetof(nsds_auto_rules, curved)},
              {"race_small", offsetof(nsds_auto_rules, race_small)},
              {"race_dense", offsetof(nsds_auto_rules, race_dense)},
              {"race_bodies", offsetof(nsds_auto_rules, race_bodies)},
              {"race_friction", offsetof(nsds_auto_rules, race_friction)},
              {"race_cones", offsetof(nsds_auto_rules, race_cones)}};
  for (size_t k = 0; k < sizeof number / sizeof *number; ++k)
    if (strcmp(number[k].name, name) == 0) {
      *(double *)((char *)rules + number[k].place) = atof(value);
      return;
    }
  for (size_t k = 0; k < sizeof list / sizeof *list; ++k)
    if (strcmp(list[k].name, name) == 0) {
      char *word[most_words];
      nsds_auto_stage *stage = (nsds_auto_stage *)((char *)rules + list[k].place);
      int count = cut(value, '+', word);
      if (count >= nsds_auto_stages) fail("too many methods in", name);
      for (int i = 0; i < nsds_auto_stages; ++i)
        stage[i] = i < count ? read_stage(word[i]) : (nsds_auto_stage){0};
      return;
    }
  fail("no rule", name);
}

/* A new instance, which has seen no problem. */
static void open_contender(contender *c) {
  char text[1024], *word[most_words];
  if (strlen(c->text) >= sizeof text) fail("too long:", c->text);
  strcpy(text, c->text);
  int count = cut(text, ':', word);
  c->rules = nsds_auto_shipped;
  c->solver = nsds_solver_create(context, word[0]);
  if (!c->solver) fail("no method", word[0]);
  for (int k = 1; k < count; ++k) {
    char *value = strchr(word[k], '=');
    if (!value) fail("no value:", word[k]);
    *value++ = '\0';
    if (strcmp(word[0], "auto") == 0) read_rule(&c->rules, word[k], value);
    else if (nsds_solver_set(c->solver, word[k], atof(value)))
      fail(nsds_error_message(context), c->text);
  }
  if (strcmp(word[0], "auto") == 0) nsds_auto_set_rules(c->solver, &c->rules);
  nsds_solver_set(c->solver, "tolerance", tolerance);
}

/* ---- one solve ---- */

static double seconds_used(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t); /* exact beside a timer of the process */
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int late(int iteration, double residual, void *user) {
  (void)iteration, (void)residual;
  return seconds_used() > *(double *)user;
}

/* From zero. */
static double once(contender *c, const nsds_problem *problem, double *z, nsds_solver_info *info) {
  double begin = seconds_used(), end = begin + limit;
  nsds_solver_set_progress(c->solver, late, &end);
  memset(z, 0, (size_t)problem->n * sizeof *z);
  nsds_status status = nsds_solve(c->solver, problem, z, z + problem->n, info);
  if (status != NSDS_OK && status != NSDS_ERROR_SOLVER) fail(nsds_error_message(context), c->text);
  return seconds_used() - begin;
}

/* A new instance, which keeps its memory between the solves of a short one, but no factors. */
static void measure(const char *name, const char *kind, const char *family,
                    const nsds_problem *given, const char *text) {
  contender c = {.text = text};
  nsds_solver_info info = {0};
  nsds_problem problem = *given;
  problem.M.stamp = problem.M.pattern = 0;
  double *z = calloc(2 * (size_t)problem.n + 1, sizeof *z);
  if (!z) fail("out of memory:", name);
  open_contender(&c);
  double least = once(&c, &problem, z, &info);
  for (int k = 1; k < repetitions && least < repeat_below; ++k)
    least = fmin(least, once(&c, &problem, z, &info));
  nsds_solver_destroy(c.solver);
  printf("%s,%d,%s,", name, problem.n, text);
  if (info.outcome == NSDS_SOLVED && least <= limit) printf("%.3e", least);
  else printf("inf");
  const char *path = info.path[0] ? info.path : info.solver ? info.solver : "";
  printf(",%.1e,%s,%s,%s,%s,%d,%.3e\n", info.residual, kind, family, line, path, info.iterations,
         least);
  fflush(stdout);
  free(z);
}

/* A new process, which ends after `seconds` at the latest: a step may be long. */
static pid_t begin_process(const char *name, double seconds) {
  pid_t child = fork();
  if (child < 0) fail("no process for", name);
  if (child != 0) return child;
  struct itimerval end = {.it_value = {.tv_sec = (time_t)seconds}};
  end.it_value.tv_usec = (suseconds_t)(1e6 * (seconds - (double)end.it_value.tv_sec));
  setitimer(ITIMER_PROF, &end, NULL);
  return 0;
}

static void judge(const char *name, const char *kind, const char *family,
                  const nsds_problem *problem, const char *text) {
  int status = 1;
  pid_t child = begin_process(name, 1.0 + 2.0 * limit);
  if (child == 0) {
    measure(name, kind, family, problem, text);
    _exit(0);
  }
  if (waitpid(child, &status, 0) != child || !WIFEXITED(status))
    printf("%s,%d,%s,inf,nan,%s,%s,%s,ended,0,inf\n", name, problem->n, text, kind, family, line);
  else if (WEXITSTATUS(status) != 0) exit(2); /* it has said why */
  fflush(stdout);
}

/* ---- problems ---- */

static void judge_file(const char *path, char **text) {
  const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
  nsds_problem_file *file = nsds_problem_read(context, path, NSDS_FORMAT_AUTO);
  if (!file) fail(nsds_error_message(context), path);
  const char *kind = nsds_problem_file_kind(file);
  for (; *text; ++text)
    judge(name, kind[0] == 'f' ? "friction" : kind, "files", nsds_problem_file_problem(file),
          *text);
  nsds_problem_file_destroy(file);
}

static void judge_drawn(drawn *d, bool made, const char *name, char **text) {
  if (made && !nsds_problem_check(context, &d->problem)) {
    for (; *text; ++text) judge(name, d->family->kind, d->family->name, &d->problem, *text);
  } else {
    fprintf(stderr, "%s left out: %s\n", name, nsds_error_message(context));
    nsds_error_clear(context);
  }
  drawn_free(d);
}

static void judge_programme(const char *family, int seed, char **text) {
  char name[64];
  qp p;
  qp_problem t;
  if (!qp_hard_draw(&p, family, seed, 10, 600)) fail("no family", family);
  snprintf(name, sizeof name, "%s-%d", family, seed);
  qp_problem_make(&t, &p);
  for (; *text; ++text) judge(name, "programme", family, &t.problem, *text);
  qp_problem_free(&t);
  qp_free(&p);
}

static void judge_line(char **text) {
  drawn d;
  char name[64], family_name[32];
  int number, rows;
  if (sscanf(line, "drawn %d", &number) == 1 && number >= 0) {
    int family = number % drawn_families;
    unsigned seed = (unsigned)(number / drawn_families);
    snprintf(name, sizeof name, "%s-%u", drawn_family[family].name, seed);
    bool made = drawn_make(&d, family, seed);
    judge_drawn(&d, made, name, text);
  } else if (sscanf(line, "small %31s %d %d", family_name, &rows, &number) == 3 && rows > 0) {
    int kind = 0;
    while (kind < drawn_small_families && strcmp(drawn_small_family[kind].name, family_name) != 0)
      ++kind;
    if (kind == drawn_small_families) fail("no family", family_name);
    snprintf(name, sizeof name, "%s-%d-%d", family_name, rows, number);
    drawn_small_make(&d, (drawn_small)kind, rows, (unsigned)number);
    judge_drawn(&d, true, name, text);
  } else if (sscanf(line, "obstacle %d", &number) == 1 && number > 0) {
    snprintf(name, sizeof name, "obstacle-%d", number);
    drawn_obstacle(&d, number);
    judge_drawn(&d, true, name, text);
  } else if (sscanf(line, "programme %31s %d", family_name, &number) == 2) {
    judge_programme(family_name, number, text);
  } else if (sscanf(line, "pile %d", &number) == 1 && number > 0) {
    snprintf(name, sizeof name, "pile-%d", number);
    bool made = drawn_rest(&d, number);
    judge_drawn(&d, made, name, text);
  } else judge_file(line, text);
}

/* ---- races ---- */

static const double least_race = 1e-3, most_times = 20.0; /* seconds of auto; times of it */

/* A class of problems: families, each between blanks; NULL: those of qp_hard.h. */
static const struct race_class {
  const char *name, *families;
} race_class[] = {{"lcp", " lcp-definite lcp-singular lcp-unsymmetric "},
                  {"indefinite", " lcp-indefinite "},
                  {"grids", " lcp-grid boxes-grid "},
                  {"mlcp", " mlcp-singular mlcp-saddle boxes-unsymmetric "},
                  {"bodies", " lcp-bodies "},
                  {"programmes", NULL},
                  {"cones", " cones-definite cones-bodies all-singular all-bodies rolling-bodies "},
                  {"friction", " plane-bodies space-bodies space-singular "},
                  {"scenes", " pile stack wall arch dominoes heap spheres dependent "}};
enum { race_classes = sizeof race_class / sizeof *race_class };

typedef struct race_result {
  double seconds; /* INFINITY: not solved */
  double used;    /* until it ended, solved or not */
  char path[512];
} race_result;

/* What a process tells its parent. */
static race_result *told;

static int by_size(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* The median of three solves by new instances; one solve where it fails, or takes less than `least`. */
static void run_race(const nsds_problem *given, const char *text, double least) {
  double time[repetitions];
  nsds_problem problem = *given;
  problem.M.stamp = problem.M.pattern = 0;
  double *z = calloc(2 * (size_t)problem.n + 1, sizeof *z);
  if (!z) fail("out of memory:", text);
  for (int k = 0; k < repetitions; ++k) {
    contender c = {.text = text};
    nsds_solver_info info = {0};
    open_contender(&c);
    time[k] = once(&c, &problem, z, &info);
    bool solved = info.outcome == NSDS_SOLVED && time[k] <= limit;
    if (k == 0) {
      snprintf(told->path, sizeof told->path, "%s", info.path[0] ? info.path : info.solver);
      told->seconds = solved ? time[0] : INFINITY;
      told->used = time[0];
    }
    nsds_solver_destroy(c.solver);
    if (!solved || time[0] < least) return;
  }
  qsort(time, repetitions, sizeof *time, by_size);
  told->seconds = time[repetitions / 2];
}

static race_result race_of(const nsds_problem *problem, const char *text, double least) {
  int status = 1;
  fflush(stdout);
  *told = (race_result){.seconds = INFINITY, .used = limit, .path = "ended"};
  pid_t child = begin_process(text, 0.02 + repetitions * 2.0 * limit);
  if (child == 0) {
    run_race(problem, text, least);
    _exit(0);
  }
  if (waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) != 0) exit(2);
  return *told;
}

/* Sets all methods against auto; false if auto is too quick to be timed. */
static bool race(const char *kind, const char *name, const nsds_problem *problem) {
  double most = limit, best;
  const char *winner = "auto";
  int solvers = 0;
  race_result mine = race_of(problem, "auto", least_race);
  if (mine.seconds < least_race) return false;
  best = mine.seconds;
  bool solved = isfinite(mine.seconds);
  limit = solved ? mine.seconds : fmin(most, fmax(most_times * mine.used, 0.1));
  for (int k = 1; nsds_solver_table(k) && !nsds_solver_table(k)->global; ++k) {
    const char *method = nsds_solver_table(k)->name;
    race_result other = race_of(problem, method, 0.0);
    solvers += isfinite(other.seconds);
    if (!(other.seconds < best)) continue;
    best = other.seconds;
    winner = method;
  }
  limit = most;
  printf("%s,%s,%d,%.3e,%s,%.3e,%d,%s\n", kind, name, problem->n, mine.seconds, winner, best,
         solvers, mine.path);
  fflush(stdout);
  return true;
}

static bool race_programme(const char *kind, int seed) {
  const char *family = qp_hard_family[seed % qp_hard_families];
  char name[64];
  qp p;
  qp_problem t;
  qp_hard_draw(&p, family, seed / qp_hard_families, 10, 600);
  snprintf(name, sizeof name, "%s-%d", family, seed / qp_hard_families);
  qp_problem_make(&t, &p);
  bool counts = race(kind, name, &t.problem);
  qp_problem_free(&t);
  qp_free(&p);
  return counts;
}

static bool race_drawn(const char *kind, int family, unsigned seed) {
  drawn d;
  char name[64];
  snprintf(name, sizeof name, "%s-%u", drawn_family[family].name, seed);
  bool counts = drawn_make(&d, family, seed) && !nsds_problem_check(context, &d.problem) &&
                race(kind, name, &d.problem);
  nsds_error_clear(context);
  drawn_free(&d);
  return counts;
}

static void races(const char *name, int count, int seed) {
  const struct race_class *kind = race_class;
  while (kind < race_class + race_classes && strcmp(kind->name, name) != 0) ++kind;
  if (kind == race_class + race_classes) fail("no class", name);
  for (int raced = 0; raced < count; ++seed)
    for (int k = 0; raced < count && k < (kind->families ? drawn_families : 1); ++k) {
      char family[40];
      snprintf(family, sizeof family, " %s ", drawn_family[k].name);
      if (!kind->families) raced += race_programme(name, seed);
      else if (strstr(kind->families, family)) raced += race_drawn(name, k, (unsigned)seed);
    }
}

static int main_races(int argc, char **argv) {
  if (argc != 7) {
    fprintf(stderr, "usage: %s race SECONDS TOLERANCE CLASS COUNT SEED\n", argv[0]);
    return 2;
  }
  limit = atof(argv[2]);
  tolerance = atof(argv[3]);
  context = nsds_context_create(NULL);
  told = mmap(NULL, sizeof *told, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (!context || told == MAP_FAILED) fail("out of memory:", argv[4]);
  races(argv[4], atoi(argv[5]), atoi(argv[6]));
  nsds_context_destroy(context);
  return 0;
}

int main(int argc, char **argv) {
  if (argc == 2 && strcmp(argv[1], "classes") == 0) {
    for (int k = 0; k < race_classes; ++k) printf("%s\n", race_class[k].name);
    return 0;
  }
  if (argc > 1 && strcmp(argv[1], "race") == 0) return main_races(argc, argv);
  if (argc == 2 && strcmp(argv[1], "names") == 0) {
    for (int k = 0; nsds_solver_table(k) && !nsds_solver_table(k)->global; ++k)
      printf("%s\n", nsds_solver_table(k)->name);
    return 0;
  }
  if (argc < 5) {
    fprintf(stderr, "usage: %s SECONDS TOLERANCE LIST CONTENDER.., or %s names\n", argv[0],
            argv[0]);
    return 2;
  }
  limit = atof(argv[1]);
  tolerance = atof(argv[2]);
  context = nsds_context_create(NULL);
  FILE *list = fopen(argv[3], "r");
  if (!context || !list) fail("cannot be read:", argv[3]);
  while (fgets(line, sizeof line, list)) {
    line[strcspn(line, "\r\n")] = '\0';
    if (line[0]) judge_line(argv + 4);
  }
  fclose(list);
  nsds_context_destroy(context);
  return 0;
}
