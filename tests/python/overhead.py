"""Measures the binding beside C, alternately: overhead.py BUILD [ROUNDS]. No test: it needs a quiet machine.

A C program with the same loops is compiled against the build tree. The median of the rounds counts, each the best of
twenty passes of 100,000 steps.
"""
import os
import statistics
import subprocess
import sys
import tempfile
import time

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
N = 100000


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


with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "loop.c")
    with open(path, "w") as file:
        file.write(PROGRAM)
    program = os.path.join(folder, "loop")
    subprocess.run(["cc", "-O2", "-I" + os.path.join(source, "include"), "-I" + os.path.join(build, "include"), path, "-o",
                    program, "-L" + build, "-lnsds", "-Wl,-rpath," + build], check=True)
    table = []
    for _ in range(rounds):
        c = [float(x) for x in subprocess.run([program], check=True, capture_output=True, text=True).stdout.split()]
        table.append(c + list(python()))
        print("C %.1f, with recording %.1f; step() %.1f, run() %.1f, with recording %.1f ns" % tuple(table[-1]), flush=True)
c, c_record, loop, run, record = (statistics.median(column) for column in zip(*table))
print("a step of a Python loop: %.0f ns above C" % (loop - c))
print("run(n): %+.1f %%, with recording: %+.1f %%" % (100 * (run / c - 1), 100 * (record / c_record - 1)))
