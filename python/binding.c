/*
 * What the module has beside the public headers.
 *
 * 1. An operator of the library gets one pointer `user` for all functions of an object. So function k of an object is
 *    the trampoline nsds_py_op_k, which hands its number to Python together with the object's handle.
 * 2. nsds_py_run() makes steps and writes the quantities asked for into rows, without Python in between. After a part
 *    of the time limit that grows from one step on, it looks at the clock, and returns when the limit is over: Python
 *    then looks for signals and calls again.
 */
#include <nsds/nsds.h>
#include <nsds/run.h>

#include <math.h>
#include <time.h>

static int nsds_py_call(int k, const nsds_arguments *in, double *out, void *user);
static int nsds_py_contact(int k, const nsds_arguments *in, nsds_body_contact *contact, void *user);
static int nsds_py_point(int k, const double *z, double *out, void *user);

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

typedef struct nsds_py_probe {
  int kind;           /* the number of the quantity, in the order of probe_read() */
  int index;          /* the entry */
  const void *object; /* the system or the interaction; NULL: of the simulation */
} nsds_py_probe;

static double probe_entry(const double *array, int index) {
  return array ? array[index] : NAN;
}

static double probe_read(nsds_simulation *simulation, const nsds_py_probe *p) {
  switch (p->kind) {
  case 0: return nsds_time(simulation);
  case 1: return nsds_simulation_info(simulation)->h;
  case 2: return probe_entry(nsds_q(p->object), p->index);
  case 3: return probe_entry(nsds_v(p->object), p->index);
  case 4: return probe_entry(nsds_x(p->object), p->index);
  case 5: return probe_entry(nsds_p(p->object), p->index);
  case 6: return probe_entry(nsds_r(p->object), p->index);
  case 7: return probe_entry(nsds_y(p->object), p->index);
  case 8: return probe_entry(nsds_ydot(p->object), p->index);
  case 9: return probe_entry(nsds_lambda(p->object), p->index);
  case 10: return probe_entry(nsds_impulse(p->object), p->index);
  case 11: return nsds_kinetic_energy((nsds_ds *)p->object);
  case 12: return nsds_is_active(p->object);
  case 13: return nsds_contact_set_count(p->object);
  case 14: return nsds_simulation_info(simulation)->newton_iterations;
  case 15: return nsds_simulation_info(simulation)->rows;
  default: return NAN;
  }
}

static double clock_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Makes at most n steps within about `limit` seconds; *done counts them, and rows has a row for each. */
static nsds_status nsds_py_run(nsds_simulation *simulation, long n, int nprobe, const nsds_py_probe *probe,
                               double *rows, double limit, long *done) {
  const double start = clock_now();
  double last = start;
  long part = 1;
  *done = 0;
  for (;;) {
    for (long k = 0; k < part; ++k) {
      if (*done >= n) return NSDS_OK;
      nsds_status status = nsds_step(simulation);
      if (status < 0 || status == NSDS_END) return status;
      for (int i = 0; i < nprobe; ++i) *rows++ = probe_read(simulation, probe + i);
      ++*done;
      if (status) return status;
    }
    double now = clock_now();
    if (now - start >= limit) return NSDS_OK;
    if (now - last < 0.05 * limit) part *= 2;
    else if (now - last > 0.2 * limit && part > 1) part /= 2;
    last = now;
  }
}
