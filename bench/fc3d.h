/*
 * What both sides of the friction benchmark share (C11 and C++): the error an answer is judged by,
 * the tolerance that meets it, the repetitions.
 *
 * Problem: u = M r + q; per contact r in K = { |r_T| <= mu r_N }, and (u_N + mu |u_T|, u_T) in the
 * dual cone, orthogonal to r. The error of r is
 *
 *     || d || / max(|| q ||, || r ||, || u ||),
 *     d = r - P_K(r_N - u_N - mu |u_T|, r_T - u_T) for each contact,
 *
 * undivided where the maximum is rounding (Acary, Bremond, Huber: On solving contact problems with
 * Coulomb friction, 2018, with the norms of Siconos 4.4). Every solver starts at r = 0 and is asked
 * for 1e-8 in its own measure; where that leaves a larger error here, for ten times less, and so
 * on. The time is that of one solve at the tolerance that was enough.
 */
#ifndef NSDS_BENCH_FC3D_H
#define NSDS_BENCH_FC3D_H

#include "bench.h"

#include <float.h>
#include <math.h>
#include <signal.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

static const double fc3d_accuracy = 1e-8;
static const double fc3d_slack = 1.001; /* rounding of the error itself */

/* One side with its problem. Functions return 0 on failure and say why on stderr. */
typedef struct fc3d_side {
  int contacts;
  const double *mu;                     /* contacts */
  const double *q;                      /* 3 x contacts */
  int tries;                            /* tolerances tried: 1e-8, 1e-9, ... */
  long sweeps;                          /* > 0: so many sweeps, whatever the error */
  char method[256];                     /* filled by solve: what was used */
  int iterations;                       /* filled by solve */
  int converged;                        /* filled by solve: the solver met its own tolerance */
  int (*start)(struct fc3d_side *side); /* a fresh problem; not timed */
  int (*solve)(struct fc3d_side *side, double tolerance, double *r);    /* from r = 0; timed */
  void (*finish)(struct fc3d_side *side);                               /* not timed */
  void (*multiply)(struct fc3d_side *side, const double *r, double *u); /* u = M r + q */
} fc3d_side;

/* y = P_K(x) */
static inline void fc3d_project(double mu, const double x[3], double y[3]) {
  double t = hypot(x[1], x[2]);
  if (t <= mu * x[0]) {
    memcpy(y, x, 3 * sizeof *y);
  } else if (mu * t <= -x[0]) {
    y[0] = y[1] = y[2] = 0.0;
  } else {
    y[0] = (x[0] + mu * t) / (1.0 + mu * mu);
    y[1] = mu * y[0] * x[1] / t;
    y[2] = mu * y[0] * x[2] / t;
  }
}

static inline double fc3d_error(int contacts, const double *mu, const double *q, const double *r,
                                const double *u) {
  double d2 = 0.0, q2 = 0.0, r2 = 0.0, u2 = 0.0;
  for (int c = 0; c < contacts; ++c) {
    const double *rc = r + 3 * c, *uc = u + 3 * c;
    double x[3] = {rc[0] - uc[0] - mu[c] * hypot(uc[1], uc[2]), rc[1] - uc[1], rc[2] - uc[2]}, y[3];
    fc3d_project(mu[c], x, y);
    for (int k = 0; k < 3; ++k) {
      d2 += (rc[k] - y[k]) * (rc[k] - y[k]);
      q2 += q[3 * c + k] * q[3 * c + k];
      r2 += rc[k] * rc[k];
      u2 += uc[k] * uc[k];
    }
  }
  double scale = sqrt(fmax(q2, fmax(r2, u2)));
  return scale < DBL_EPSILON ? sqrt(d2) : sqrt(d2) / scale;
}

static inline int fc3d_accurate(double error) { return error <= fc3d_slack * fc3d_accuracy; }

static char fc3d_late[64];

static inline void fc3d_out_of_time(int number) {
  (void)number;
  _exit(write(STDERR_FILENO, fc3d_late, strlen(fc3d_late)) > 0 ? 1 : 2);
}

/* Ends the program after so many seconds of the processor; 0: not at all. */
static inline void fc3d_set_limit(long seconds) {
  struct itimerval timer;
  memset(&timer, 0, sizeof timer);
  timer.it_value.tv_sec = seconds;
  snprintf(fc3d_late, sizeof fc3d_late, "took more than %ld s\n", seconds);
  signal(SIGPROF, fc3d_out_of_time);
  setitimer(ITIMER_PROF, &timer, NULL);
}

/* One solve from r = 0. BENCH_SOLVE_LIMIT is the most seconds of the processor it may take. */
static inline int fc3d_once(fc3d_side *side, double tolerance, double *r, double *seconds) {
  const char *limit = getenv("BENCH_SOLVE_LIMIT");
  memset(r, 0, 3 * (size_t)side->contacts * sizeof *r);
  if (!side->start(side)) return 0;
  fc3d_set_limit(limit ? atol(limit) : 0);
  double begin = bench_now();
  int fine = side->solve(side, tolerance, r);
  *seconds = bench_now() - begin;
  fc3d_set_limit(0);
  side->finish(side);
  return fine;
}

/* The first solve that is accurate; its tolerance, error and seconds. u is scratch. */
static inline int fc3d_first(fc3d_side *side, double *tolerance, double *r, double *u,
                             double *error, double *seconds) {
  *tolerance = side->sweeps ? 0.0 : fc3d_accuracy;
  for (int k = 0; k < side->tries; ++k, *tolerance /= 10.0) {
    if (!fc3d_once(side, *tolerance, r, seconds)) return 0;
    side->multiply(side, r, u);
    *error = fc3d_error(side->contacts, side->mu, side->q, r, u);
    if (side->sweeps || fc3d_accurate(*error)) return 1;
    if (!side->converged) break;
  }
  fprintf(stderr, "error %.2g after %d iterations\n", *error, side->iterations);
  return 0;
}

/* One solve at this tolerance, counted; a first one has filled all stores. */
static inline int fc3d_count(fc3d_side *side, double tolerance, double *r) {
  double seconds;
  bench_count_begin();
  int fine = fc3d_once(side, tolerance, r, &seconds);
  bench_count_end();
  return fine;
}

/* Solves, repeats for BENCH_SECONDS or as long as usual, prints. The arrays have 3 x contacts
 * entries. */
static inline int fc3d_measure(fc3d_side *side, double *r, double *u) {
  static double seconds[bench_max_repetitions];
  const char *wanted = getenv("BENCH_SECONDS");
  double enough = wanted ? atof(wanted) : bench_min_seconds;
  double tolerance, error = INFINITY;
  if (!fc3d_first(side, &tolerance, r, u, &error, seconds)) return 0;
  if (bench_count_from() >= 0) return fc3d_count(side, tolerance, r);
  printf("contacts %d\nerror %.3g\ntolerance %.0e\niterations %d\nmethod %s\n", side->contacts,
         error, tolerance, side->iterations, side->method);
  for (int k = 0; k < 3 * side->contacts; ++k) bench_value(r[k]);
  int count = 1;
  for (double sum = seconds[0]; sum < enough && count < bench_max_repetitions; ++count) {
    if (!fc3d_once(side, tolerance, r, seconds + count)) return 0;
    sum += seconds[count];
  }
  qsort(seconds, (size_t)count, sizeof *seconds, bench_compare);
  printf("seconds %.9g\nleast %.9g\n", 0.5 * (seconds[(count - 1) / 2] + seconds[count / 2]),
         seconds[0]);
  return 1;
}

/* What a main() ends with: exit status. */
static inline int fc3d_main(fc3d_side *side) {
  size_t n = 3 * (size_t)side->contacts;
  double *r = (double *)calloc(2 * n + 1, sizeof *r);
  int fine = r && fc3d_measure(side, r, r + n);
  if (!r) fprintf(stderr, "out of memory\n");
  free(r);
  return fine ? 0 : 1;
}

#endif
