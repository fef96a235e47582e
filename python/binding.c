/*
 * What the module has beside the public headers.
 *
 * 1. An operator of the library gets one pointer `user` for all functions of an object. So function k of an object is
 *    the trampoline nsds_py_op_k, which hands its number to Python together with the object's handle.
 * 2. nsds_py_run() and nsds_py_job_run() make steps and write the quantities asked for into rows, without Python in between. After a part
 *    of the time limit that grows from one step on, it looks at the clock, and returns when the limit is over: Python
 *    then looks for signals and calls again.
 * 3. nsds_py_contacts() writes all contacts into two arrays, nsds_py_states() finds the states of all systems.
 * 4. The library knows nsds_zero() and nsds_differences() by their addresses. cffi has addresses of its own for them.
 * 5. nsds_py_stop() is the stop function of every context. After 25 ms it lets the interpreter look for signals. The
 *    library asks often, so the clock is read in one of up to 16 calls, fewer while calls come slowly.
 * 6. A life is what Python frees at the end of a model or a job: arrays that show its memory refer to the life, too.
 */
#include <nsds/nsds.h>
#include <nsds/run.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static int nsds_py_call(int k, const nsds_arguments *in, double *out, void *user);
static int nsds_py_contact(int k, const nsds_arguments *in, nsds_body_contact *contact, void *user);
static int nsds_py_point(int k, const double *z, double *out, void *user);
static int nsds_py_poll(void *user);

#define NSDS_PY_OPS(X) X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11) X(12) X(13) X(14) X(15)
#define NSDS_PY_OP(k)                                                                              \
  static int nsds_py_op_##k(const nsds_arguments *in, double *out, void *user) {                   \
    return nsds_py_call(k, in, out, user);                                                         \
  }
NSDS_PY_OPS(NSDS_PY_OP)

static nsds_operator nsds_py_operator(int k) {
#define NSDS_PY_NAME(k) nsds_py_op_##k,
  static const nsds_operator all[] = {NSDS_PY_OPS(NSDS_PY_NAME)};
  return k >= 0 && k < (int)(sizeof all / sizeof *all) ? all[k] : NULL;
}

static nsds_operator nsds_py_of_library(int k) {
  return k == 0 ? nsds_zero : nsds_differences;
}

static int nsds_py_contact_0(const nsds_arguments *in, nsds_body_contact *contact, void *user) {
  return nsds_py_contact(0, in, contact, user);
}

static int nsds_py_contact_1(const nsds_arguments *in, nsds_body_contact *contact, void *user) {
  return nsds_py_contact(1, in, contact, user);
}

static nsds_body_contact_fn nsds_py_contact_function(int k) {
  return k == 0 ? nsds_py_contact_0 : nsds_py_contact_1;
}

static int nsds_py_point_0(const double *z, double *out, void *user) {
  return nsds_py_point(0, z, out, user);
}

static int nsds_py_point_1(const double *z, double *out, void *user) {
  return nsds_py_point(1, z, out, user);
}

static nsds_point_fn nsds_py_point_function(int k) {
  return k == 0 ? nsds_py_point_0 : nsds_py_point_1;
}

typedef struct nsds_py_watch {
  volatile int stop; /* the work is to end */
  volatile int left; /* calls until the clock is read and `stop` counts */
  int every;         /* calls from one reading to the next */
  double seen, next;
  void *user;
} nsds_py_watch;

static double clock_now(clockid_t id) {
  struct timespec now;
  clock_gettime(id, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Several threads of a sweep may ask at a time; then the numbers are those of any of them. */
static bool nsds_py_stop(void *user) {
  nsds_py_watch *w = user;
  if (--w->left > 0) return false;
  if (w->stop) return w->left = 0, true;
  const double now = clock_now(CLOCK_MONOTONIC_COARSE);
  const double passed = now - w->seen;
  w->every = passed > 0.005 ? 1 : w->every < 16 ? w->every + 1 : 16;
  w->left = w->every;
  w->seen = now;
  if (now < w->next) return false;
  w->next = now + 0.025;
  if (nsds_py_poll(w->user)) w->stop = 1;
  return w->stop ? (w->left = 0, true) : false;
}

static void nsds_py_watch_begin(nsds_context *context, nsds_py_watch *watch) {
  nsds_stop_fn stop = nsds_py_stop;
  void *user = watch;
  nsds_context_swap_stop(context, &stop, &user);
}

typedef struct nsds_py_life {
  nsds_context *context;
  nsds_model *model; /* NULL: none */
  nsds_job *job;     /* NULL: none */
  struct nsds_py_memory {
    struct nsds_py_memory *next;
    double align[];
  } * memory; /* which the model needs until its end */
} nsds_py_life;

static nsds_py_life *nsds_py_life_begin(nsds_context *context) {
  nsds_py_life *life = malloc(sizeof *life);
  if (life) *life = (nsds_py_life){.context = context};
  return life;
}

/* Zeroed memory that lives as long as the model; NULL: there is none. */
static void *nsds_py_life_memory(nsds_py_life *life, size_t size) {
  struct nsds_py_memory *m = calloc(1, sizeof *m + size);
  if (!m) return NULL;
  m->next = life->memory;
  life->memory = m;
  return m->align;
}

/* Nothing is logged or asked at the end: the object that the log and the stop function belong to may be gone. */
static void nsds_py_life_end(nsds_py_life *life) {
  nsds_log_fn log = NULL;
  nsds_stop_fn stop = NULL;
  void *user = NULL, *stop_user = NULL;
  nsds_context_swap_log(life->context, &log, &user);
  nsds_context_swap_stop(life->context, &stop, &stop_user);
  nsds_job_destroy(life->job);
  nsds_model_destroy(life->model);
  nsds_context_destroy(life->context);
  while (life->memory) {
    struct nsds_py_memory *m = life->memory;
    life->memory = m->next;
    free(m);
  }
  free(life);
}

typedef struct nsds_py_probe {
  const nsds_quantity *quantity; /* a row of the library's table */
  int index;                     /* the entry */
  void *object;                  /* the object; NULL: the run */
  double *out;                   /* where the next value goes */
  long stride;                   /* from there to the one after */
  const double *seen; /* the entry in the memory of the model; NULL: to be asked for after each step */
} nsds_py_probe;

/* Looks for the entries in the memory of the model again. */
static void probes_find(int n, nsds_py_probe *probe) {
  for (nsds_py_probe *p = probe; p != probe + n; ++p) {
    const double *array = p->quantity->array ? p->quantity->array(p->object) : NULL;
    p->seen = array ? array + p->index : NULL;
  }
}

/* Finds a quantity of all systems, q, v or x, and returns its number of entries. *first is NULL if they do not follow one
 * another, because states of the other order stand between. */
static int nsds_py_states(const nsds_model *model, const nsds_quantity *quantity, const double **first) {
  int n = 0;
  bool apart = false;
  *first = NULL;
  for (int k = 0; k < nsds_ds_count(model); ++k) {
    const nsds_ds *ds = nsds_ds_at(model, k);
    const int size = nsds_quantity_size(quantity, ds);
    if (size == 0) continue;
    const double *own = quantity->array(ds);
    if (n == 0) *first = own;
    else if (own != *first + n) apart = true;
    n += size;
  }
  if (apart) *first = NULL;
  return n;
}

/* Returns the number of rows of all interactions. */
static int nsds_py_rows(const nsds_model *model) {
  int n = 0;
  for (int k = 0; k < nsds_interaction_count(model); ++k)
    n += nsds_interaction_size(nsds_interaction_at(model, k));
  return n;
}

/* Writes at most `capacity` contacts, 14 numbers and two bodies each; returns how many there are. */
static int nsds_py_contacts(nsds_model *model, int capacity, double *numbers, int *bodies) {
  nsds_contact_iterator at = nsds_model_contacts(model);
  nsds_contact_info c;
  int count = 0;
  for (; nsds_next_contact(&at, &c); ++count) {
    if (count >= capacity) continue;
    double *row = numbers + 14 * count;
    for (int k = 0; k < 3; ++k) {
      row[k] = c.point[k];
      row[3 + k] = c.normal[k];
      row[6 + k] = c.world_force[k];
      row[9 + k] = c.world_impulse[k];
    }
    row[12] = c.y ? c.y[0] : NAN;
    row[13] = c.active;
    for (int k = 0; k < 2; ++k) bodies[2 * count + k] = c.ds[k] ? nsds_ds_index(c.ds[k]) : -1;
  }
  return count;
}

/* Makes at most n steps within about `limit` seconds; *done counts them. */
static nsds_status nsds_py_run(nsds_model *model, nsds_simulation *simulation, long n, int nprobe, nsds_py_probe *probe,
                               double limit, long *done) {
  const double start = clock_now(CLOCK_MONOTONIC);
  double last = start;
  const long before = nsds_step_count(simulation);
  long part = 1;
  uint64_t moves = nsds_state_moves(model);
  probes_find(nprobe, probe);
  *done = 0;
  for (;;) {
    for (long k = 0; k < part; ++k) {
      if (*done >= n) return NSDS_OK;
      nsds_status status = nsds_step(simulation);
      if (status < 0 || status == NSDS_END) return status;
      if (status == NSDS_STOPPED && nsds_step_count(simulation) == before + *done) return status; /* within the step */
      if (nprobe > 0 && nsds_state_moves(model) != moves) {
        moves = nsds_state_moves(model);
        probes_find(nprobe, probe);
      }
      for (nsds_py_probe *p = probe, *end = probe + nprobe; p != end; ++p) {
        *p->out = p->seen            ? *p->seen
                  : p->quantity->read ? p->quantity->read(simulation, p->object, p->index)
                                      : nsds_quantity_read(p->quantity, simulation, p->object, p->index);
        p->out += p->stride;
      }
      ++*done;
      if (status) return status;
    }
    double now = clock_now(CLOCK_MONOTONIC);
    if (now - start >= limit) return NSDS_OK;
    if (now - last < 0.05 * limit) part *= 2;
    else if (now - last > 0.2 * limit && part > 1) part /= 2;
    last = now;
  }
}

/* Makes at most n rows of a job within about `limit` seconds, one after another at `rows`; *done counts them. */
static nsds_status nsds_py_job_run(nsds_job *job, long n, double *rows, double limit, long *done) {
  const size_t width = (size_t)nsds_job_column_count(job);
  const double start = clock_now(CLOCK_MONOTONIC);
  for (*done = 0; *done < n;) {
    nsds_status status = nsds_job_step(job);
    if (status) return status;
    memcpy(rows + (size_t)*done * width, nsds_job_row(job), width * sizeof *rows);
    ++*done;
    if (clock_now(CLOCK_MONOTONIC) - start >= limit) break;
  }
  return NSDS_OK;
}
