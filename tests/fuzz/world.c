/* The models of a run, their objects, and the memory of arguments; see fuzz.h. */
#include "fuzz.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LARGEST = 64 << 20, MOST_VALUES = 70000 };

world fuzz;

/* ---- counted functions ---- */

const char *const function_names[function_count] = {
#define X(name) #name,
#include "functions.inc"
#undef X
};
static tally own_tallies[function_count];
tally *tallies = own_tallies;

/* A failure of a call on NULL leaves its message in the thread. */
static bool has_message(void) {
  bool told = nsds_error_message(NULL)[0] != '\0';
  for (int k = 0; k < MODELS; ++k)
    told = told || (fuzz.scenes[k].context && nsds_error(fuzz.scenes[k].context));
  return told || (fuzz.context && nsds_error(fuzz.context));
}

/* Calls whose failure the header explains elsewhere: a problem that is not solved is a result, with its
 * outcome in `info`; messages about Jacobians and reports are in nsds_last_message(). */
static bool tells_otherwise(function_id f, nsds_status status) {
  bool solves = f == F_nsds_solve || f == F_nsds_global_solve || f == F_nsds_enumerate ||
                f == F_nsds_nonlinear_solve;
  return f == F_nsds_report || f == F_nsds_check_jacobians ||
         (solves && status == NSDS_ERROR_SOLVER);
}

nsds_status noted_status(function_id f, nsds_status status) {
  if (status < NSDS_ERROR_INTEGRATION || status > NSDS_AGAIN) {
    finding("%s returned the status %d", function_names[f], (int)status);
  }
  ++*(status < 0 ? &tallies[f].failed : &tallies[f].good);
  if (status < 0 && !tells_otherwise(f, status) && !has_message())
    finding("%s returned the status %d without a message", function_names[f], (int)status);
  return status;
}

void *noted_pointer(function_id f, const void *pointer) {
  ++*(pointer ? &tallies[f].good : &tallies[f].failed);
  return (void *)(uintptr_t)pointer;
}

double noted_number(function_id f, double value) {
  ++*(isnan(value) || value < 0.0 ? &tallies[f].failed : &tallies[f].good);
  return value;
}

void noted_call(function_id f) { ++tallies[f].good; }

/* ---- memory of arguments ---- */

static void *brief_list, *lasting_list;

/* A list of pieces, each with the next in front of it. */
static void *piece(void **list, size_t size) {
  void **memory = calloc(1, size + sizeof(double));
  if (!memory) finding("no memory for the fuzzer itself");
  memory[0] = *list;
  *list = memory;
  return (char *)memory + sizeof(double);
}

static void release(void **list) {
  while (*list) {
    void **next = *(void **)*list;
    free(*list);
    *list = next;
  }
}

void *brief(size_t count, size_t size) {
  return count == 0 || count > MOST_VALUES ? NULL : piece(&brief_list, count * size);
}

void release_brief(void) { release(&brief_list); }

void *lasting(size_t size) { return piece(&lasting_list, size); }

/* ---- hooks of the context ---- */

static void *hook_alloc(size_t size, void *user) {
  (void)user;
  bool fails = size > LARGEST;
  if (!fuzz.in_hook) {
    fuzz.in_hook = true;
    fails = allocation_fails() || fails;
    fuzz.in_hook = false;
  }
  if (fails) return NULL;
  void *memory = malloc(size ? size : 1);
  if (memory) ++fuzz.allocated;
  return memory;
}

static void hook_release(void *memory, void *user) {
  (void)user;
  if (memory) --fuzz.allocated;
  free(memory);
}

static void hook_log(nsds_log_level level, const char *message, void *user) {
  (void)user;
  if (level < NSDS_LOG_ERROR || level > NSDS_LOG_INFO) finding("log level %d", (int)level);
  if (!message || !message[0]) finding("a log message without text");
  if (fuzz.in_hook) return;
  fuzz.in_hook = true;
  misbehave(NULL, 0);
  fuzz.in_hook = false;
}

/* ---- the world ---- */

const char *world_path(const char *suffix) {
  static char path[128];
  snprintf(path, sizeof path, "fuzz_%ld.%s", (long)getpid(), suffix);
  return path;
}

static void remove_files(void) {
  static const char *const suffixes[] = {"nsds",
                                         "other.nsds",
                                         "problem.nsds",
                                         "dat",
                                         "hdf5",
                                         "h5",
                                         "nsds.new",
                                         "vtk.pvd",
                                         "vtk_bodies_000000.vtp",
                                         "vtk_bodies_000001.vtp",
                                         "vtk_contacts_000000.vtp",
                                         "vtk_contacts_000001.vtp",
                                         "vtk_joints_000000.vtp",
                                         "vtk_joints_000001.vtp",
                                         "nsds.pvd",
                                         "nsds_bodies_000000.vtp"};
  for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; ++i) unlink(world_path(suffixes[i]));
}

void scene_create(int k) {
  scene *s = &fuzz.scenes[k];
  memset(s, 0, sizeof *s);
  s->model = MAKE(nsds_model_create, k < MODELS - 1 ? fuzz.context : NULL);
  s->context = MAKE(nsds_model_context, s->model);
  if (!s->model || !s->context) finding("no model: %s", nsds_error_message(fuzz.context));
}

void world_create(void) {
  memset(&fuzz, 0, sizeof fuzz);
  disarm();
  nsds_context_def def = {
      .alloc = hook_alloc, .release = hook_release, .log = hook_log, .log_level = NSDS_LOG_INFO};
  fuzz.context = MAKE(nsds_context_create, &def);
  if (!fuzz.context) finding("no context");
  for (int k = 0; k < MODELS; ++k) scene_create(k);
}

void world_destroy(void) {
  disarm();
  nsds_error_clear(fuzz.context);
  for (int k = 0; k < SOLVERS; ++k) DO(nsds_solver_destroy, fuzz.solver[k]);
  DO(nsds_solver_destroy, fuzz.global);
  for (int k = 0; k < MODELS; ++k) DO(nsds_model_destroy, fuzz.scenes[k].model);
  if (CALL(nsds_error, fuzz.context))
    finding("not destroyed: %s", nsds_error_message(fuzz.context));
  DO(nsds_context_destroy, fuzz.context);
  if (fuzz.allocated) finding("%ld pieces of memory are left", fuzz.allocated);
  release(&lasting_list);
  release(&brief_list);
  remove_files();
}

/* ---- objects ---- */

thing *any_thing(scene *s, object_kind k) {
  unsigned first = pick(SLOTS);
  for (unsigned i = 0; i < SLOTS; ++i) {
    thing *t = &s->things[k][(first + i) % SLOTS];
    if (t->object) return t;
  }
  return NULL;
}

void *argument(scene *s, object_kind k) {
  if (odd(3)) {
    switch (pick(3)) {
    case 0: return NULL;
    case 1: s = &fuzz.scenes[pick(MODELS)]; break;
    default:
      if (s->ngone[k] > 0) return s->gone[k][pick(GONE) % (unsigned)s->ngone[k]];
    }
  }
  thing *t = any_thing(s, k);
  return t ? t->object : NULL;
}

nsds_model *model_argument(scene **s) {
  if (odd(2)) {
    if (chance(50)) return NULL;
    *s = &fuzz.scenes[pick(MODELS)];
  }
  return (*s)->model;
}

void keep(scene *s, object_kind k, thing t) {
  if (!t.object) return;
  unsigned first = pick(SLOTS);
  for (unsigned i = 0; i < SLOTS; ++i) {
    thing *place = &s->things[k][(first + i) % SLOTS];
    if (place->object) continue;
    *place = t;
    return;
  }
}

void forget(scene *s, object_kind k, const void *object) {
  for (int i = 0; i < SLOTS; ++i) {
    if (s->things[k][i].object == object) s->things[k][i].object = NULL;
  }
  if (k == SIMULATIONS) return;
  s->gone[k][s->ngone[k] < GONE ? s->ngone[k]++ : (int)pick(GONE)] = (void *)(uintptr_t)object;
}

nsds_status made(const void *object) { return object ? NSDS_OK : NSDS_ERROR_ARGUMENT; }

/* ---- values of arguments ---- */

double *array(int n, double low, double high) {
  double *values = n > 0 ? brief((size_t)n, sizeof *values) : NULL;
  if (!values) return NULL;
  double step = even(0.1, 0.9);
  double first = even(0.0, 1.0);
  for (int i = 0; i < n; ++i) {
    values[i] = low + (high - low) * fmod(first + i * step, 1.0);
  }
  if (odd(4)) values[pick((unsigned)n)] = odd_real();
  return values;
}

double *definite(int n) {
  if (n < 1 || n > 260) return NULL;
  double *values = brief((size_t)n * (size_t)n, sizeof *values);
  if (!values) return NULL;
  double side = even(-0.2, 0.2), diagonal = even(1.0, 3.0);
  for (int i = 0; i < n; ++i) {
    values[i + i * n] = diagonal + 0.1 * i;
    if (i > 0) values[i + (i - 1) * n] = values[i - 1 + i * n] = side;
  }
  if (odd(4)) values[pick((unsigned)(n * n))] = odd_real();
  return values;
}

/* Tridiagonal; now and then with a wrong number in it. */
nsds_csc *sparse(int n, double diagonal) {
  nsds_csc *matrix = brief(1, sizeof *matrix);
  if (!matrix || n < 1 || n > 1000) return matrix;
  int *p = brief((size_t)n + 1, sizeof *p), *i = brief(3 * (size_t)n, sizeof *i), count = 0;
  double *x = array(3 * n, -0.2, 0.2);
  if (!p || !i || !x) return matrix;
  for (int column = 0; column < n; ++column) {
    p[column] = count;
    for (int row = column - 1; row <= column + 1; ++row) {
      if (row < 0 || row >= n) continue;
      if (row == column) x[count] += diagonal;
      i[count++] = row;
    }
  }
  p[n] = count;
  if (odd(3)) i[pick((unsigned)count)] = number(n);
  if (odd(3)) p[pick((unsigned)n)] = (int)pick(6) - 2;
  *matrix = (nsds_csc){n, odd(2) ? number(n) : n, odd(2) ? NULL : p, i, x};
  if (matrix->ncol > n) matrix->ncol = n;
  return matrix;
}

const char *name(void) {
  if (odd(10)) {
    char *text = brief(3001, 1);
    return text ? memset(text, 'n', 3000) : NULL;
  }
  return chance(40) ? NULL : chance(10) ? "%s%n%d" : "thing";
}

params *params_make(int ny, int n) {
  params *p = lasting(sizeof *p);
  p->ny = ny;
  p->shift = n > 1 ? (int)pick(8) % n : 0;
  for (int i = 0; i < 4; ++i) p->c[i] = even(-1.0, 1.0);
  return p;
}
