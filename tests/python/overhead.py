"""Measures the binding beside C, alternately: overhead.py BUILD [ROUNDS]. No test: it needs a quiet machine.

C programs with the same loops are compiled against the build tree. For a bouncing ball, each round has the best of
twenty passes of 100,000 steps; the median of the rounds counts, on a busy machine the least. A pile of 1,000 spheres
makes 600 steps, with a force on one sphere, and with all positions and contacts read after each. C and Python make
20 steps by turns, and the median of the ratios counts.
"""
import os
import statistics
import subprocess
import sys
import tempfile
import time

import numpy as np

build = os.path.abspath(sys.argv[1])
rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 7
source = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(build, "python"))
import nsds  # noqa: E402

PROGRAM = r"""
#include <nsds/nsds.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
int main(void) {
  enum { n = 100000 };
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *ball = nsds_lagrangian_linear(model, &(nsds_lagrangian_linear_def){
      .ndof = 1, .q0 = (double[]){1.0}, .mass = (double[]){1.0}, .fext = (double[]){-9.81}});
  nsds_relation *gap = nsds_lagrangian_linear_relation(model, &(nsds_lagrangian_linear_relation_def){
      .ny = 1, .nq = 1, .H = (double[]){1.0}, .b = (double[]){-0.1}});
  nsds_interaction *floor = nsds_connect(model, gap, nsds_newton_impact(model, 0.9), 1, &ball);
  nsds_simulation *sim = nsds_time_stepping(model, &(nsds_time_stepping_def){.t1 = 1e9, .h = 0.005});
  double best[2] = {1.0, 1.0};
  for (int pass = 0; pass < 20; ++pass) {
    double t = now();
    for (long k = 0; k < n; ++k) nsds_step(sim);
    t = now() - t;
    if (t < best[0]) best[0] = t;
    t = now();
    double *path = malloc(3 * n * sizeof *path);
    for (long k = 0; k < n; ++k) {
      nsds_step(sim);
      path[3 * k] = nsds_time(sim);
      path[3 * k + 1] = nsds_q(ball)[0];
      path[3 * k + 2] = nsds_impulse(floor)[0];
    }
    t = now() - t;
    if (t < best[1]) best[1] = t;
    free(path);
  }
  printf("%g %g\n", 1e9 * best[0] / n, 1e9 * best[1] / n);
  return 0;
}
"""
PILE = r"""
#include "pile_scene.h"
#include <time.h>
enum { n = 1000, most = 20000 };
static double q[7 * n], table[14 * most];
static int body[2 * most];
static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
int main(void) {
  nsds_model *model = nsds_model_create(NULL);
  pile_scene(model, n);
  nsds_simulation *s = nsds_time_stepping(
      model, &(nsds_time_stepping_def){.t1 = 100, .h = pile_h, .tolerance = 1e-4, .check_solver = pile_take});
  pile_sweep(s, 40.0);
  double sum = 0, begin = now();
  for (int k = 1;; ++k) {
    nsds_set_body_force(nsds_ds_at(model, 0), (double[]){0.1, 0, 0}, NULL, NSDS_FRAME_WORLD);
    if (nsds_step(s) < 0) return 1;
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < 7; ++j) q[7 * i + j] = nsds_q(nsds_ds_at(model, i))[j];
    nsds_contact_iterator at = nsds_model_contacts(model);
    nsds_contact_info c;
    int count = 0;
    for (; count < most && nsds_next_contact(&at, &c); ++count) {
      double *row = table + 14 * count;
      for (int j = 0; j < 3; ++j) {
        row[j] = c.point[j];
        row[3 + j] = c.normal[j];
        row[6 + j] = c.world_force[j];
        row[9 + j] = c.world_impulse[j];
      }
      row[12] = c.y[0];
      row[13] = c.active;
      for (int j = 0; j < 2; ++j) body[2 * count + j] = c.ds[j] ? nsds_ds_index(c.ds[j]) : -1;
    }
    for (int i = 0; i < count; ++i) sum += table[14 * i + 8];
    if (k % 20) continue;
    printf("%.9g %.9g\n", now() - begin, sum);
    fflush(stdout);
    if (getchar() == EOF) return 0;
    begin = now();
  }
}
"""
N = 100000
PILE_TURNS = 30


def best(call):
    least = 1.0
    for _ in range(20):
        start = time.perf_counter()
        call()
        least = min(least, time.perf_counter() - start)
    return 1e9 * least / N


def python():
    model = nsds.Model()
    ball = model.lagrangian_linear(name="ball", q0=[1.0], mass=1.0, fext=[-9.81])
    gap = model.lagrangian_linear_relation(H=[1.0], b=[-0.1])
    model.connect(gap, model.newton_impact(0.9), ball, name="floor")
    simulation = model.time_stepping(t1=1e9, h=0.005)

    def loop():
        for _ in range(N):
            simulation.step()
    quantities = ["t", "ball.q[0]", "floor.impulse[0]"]
    return best(loop), best(lambda: simulation.run(N)), best(lambda: simulation.run(N, record=quantities))


def scattered(edge, k):
    """Where sphere k starts: pile_place() of bench/pile.h."""
    word = 2 ** 64 - 1
    place, random = [], 0x9E3779B97F4A7C15 * (k + 1) & word
    for c in (k % edge, k // edge % edge, k // edge // edge):
        random ^= random << 13 & word
        random ^= random >> 7
        random ^= random << 17 & word
        place.append(1.25 * (c + 0.5) + 0.1 * ((random >> 11) * 2.0 ** -52 - 1.0))
    return place


def pile():
    """Yields the seconds of 20 steps, and the sum of the upward forces."""
    with nsds.Model() as model:
        spheres = [model.rigid_body(mass=1.0, inertia=0.1 * np.eye(3), q0=[*scattered(10, k), 1, 0, 0, 0],
                                    gravity=[0, 0, -9.81]) for k in range(1000)]
        walls = [([0, 0, 1], 0), ([1, 0, 0], 0), ([-1, 0, 0], -12.5), ([0, 1, 0], 0), ([0, -1, 0], -12.5)]
        model.spheres(name="pile", law=model.newton_impact_friction(mu=0.5), ds=spheres, radius=0.5, plane=walls)
        simulation = model.time_stepping(t1=100, h=5e-3, tolerance=1e-4, check_solver=lambda *_: "accept")
        simulation.set_solver("nsgs")
        simulation.set_option("max_iterations", 40.0)
        total = 0.0
        while True:
            start = time.perf_counter()
            for _ in range(20):
                spheres[0].set_force([0.1, 0, 0])
                simulation.step()
                model.q.copy()
                total += model.contact_table()["force"][:, 2].sum()
            yield time.perf_counter() - start, total


def pile_ratios(program):
    """The time in Python over the time in C, for each 20 steps."""
    other = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    own = pile()
    for _ in range(PILE_TURNS):
        in_c = [float(x) for x in other.stdout.readline().split()]
        in_python = next(own)
        if abs(in_c[1] - in_python[1]) > 1e-6 * abs(in_c[1]):
            sys.exit("the piles differ: %r and %r" % (in_c, in_python))
        yield in_python[0] / in_c[0]
        other.stdin.write("\n")
        other.stdin.flush()
    other.communicate()


def compiled(folder, text, *flags):
    path = os.path.join(folder, "program%d" % len(os.listdir(folder)))
    with open(path + ".c", "w") as file:
        file.write(text)
    subprocess.run(["cc", "-O2", "-I" + os.path.join(source, "include"), "-I" + os.path.join(build, "include"), *flags,
                    path + ".c", "-o", path, "-L" + build, "-lnsds", "-lm", "-Wl,-rpath," + build], check=True)
    return path


table = []
with tempfile.TemporaryDirectory() as folder:
    ball_c, pile_c = compiled(folder, PROGRAM), compiled(folder, PILE, "-I" + os.path.join(source, "bench"))
    for _ in range(rounds):
        c = [float(x) for x in subprocess.run([ball_c], check=True, capture_output=True, text=True).stdout.split()]
        table.append(c + list(python()))
        print("C %.1f, with recording %.1f; step() %.1f, run() %.1f, with recording %.1f ns" % tuple(table[-1]), flush=True)
    ratios = [100 * (ratio - 1) for ratio in pile_ratios(pile_c)]
for name, pick in (("median", statistics.median), ("least", min)):
    c, c_record, loop, run, record = (pick(column) for column in zip(*table))
    print("%s: a step of a Python loop %.0f ns above C; run(n) %+.1f %%, with recording %+.1f %%"
          % (name, loop - c, 100 * (run / c - 1), 100 * (record / c_record - 1)))
print("a pile, driven and watched: %+.1f %% (quartiles %+.1f and %+.1f)"
      % (statistics.median(ratios), *statistics.quantiles(ratios)[::2]))
