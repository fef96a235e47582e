"""Two models in two threads of one interpreter, beside two programs: how much of their speedup the threads reach.

    PYTHONPATH=build/release/python python3 bench/python_threads.py [--rounds 7]

Each round times one model alone, two models in two threads, and two programs at once. All are timed within the
programs, without their start. The speedup is twice the time of one model, divided by the time of the two. The speed of
a processor changes, so that threads and programs of one round are compared, and the median of the rounds counts.
"""
import argparse
import os
import statistics
import subprocess
import sys
import threading
import time

import nsds


def chain(count=60):
    """Masses between springs that strike their neighbors: some milliseconds of C for each run of 200 steps."""
    model = nsds.Model()
    masses = [model.lagrangian_linear(name="m%d" % k, q0=[float(k)], v0=[3.0 * (-1) ** k], mass=1.0, stiffness=[[4.0]],
                                      fext=[4.0 * k]) for k in range(count)]
    law = model.newton_impact(0.9)
    for left, right in zip(masses, masses[1:]):
        model.connect(model.lagrangian_linear_relation(H=[[-1.0, 1.0]], b=[-0.5]), law, left, right)
    return model, model.time_stepping(t1=1e6, h=1e-3)


def run(simulation, steps):
    for _ in range(steps // 100):
        simulation.run(100)


def alone(steps):
    model, simulation = chain()
    run(simulation, 200)
    begin = time.perf_counter()
    run(simulation, steps)
    return time.perf_counter() - begin


def two_threads(steps):
    pairs = [chain() for _ in range(2)]
    for _, simulation in pairs:
        run(simulation, 200)
    threads = [threading.Thread(target=run, args=(simulation, steps)) for _, simulation in pairs]
    begin = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return time.perf_counter() - begin


def two_programs(steps):
    programs = [subprocess.Popen([sys.executable, "-B", os.path.abspath(__file__), "--one", str(steps)],
                                 stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    for program in programs:
        program.stdout.readline()  # ready
    for program in programs:
        program.stdin.write("go\n")
        program.stdin.flush()
    return max(float(program.communicate()[0]) for program in programs)


def one(steps):
    _, simulation = chain()
    run(simulation, 200)
    print("ready", flush=True)
    sys.stdin.readline()
    begin = time.perf_counter()
    run(simulation, steps)
    print(time.perf_counter() - begin)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--steps", type=int, default=100000)
    parser.add_argument("--one", type=int)
    words = parser.parse_args()
    if words.one:
        return one(words.one)
    threads, ratios = [], []
    for k in range(words.rounds):
        single = alone(words.steps)
        order = (two_threads, two_programs) if k % 2 else (two_programs, two_threads)
        times = {run_two: run_two(words.steps) for run_two in order}
        threads.append(2.0 * single / times[two_threads])
        ratios.append(times[two_programs] / times[two_threads])
    print("two threads: a speedup of %.3f; %.3f of that of two programs (%.3f to %.3f)"
          % (statistics.median(threads), statistics.median(ratios), min(ratios), max(ratios)))


if __name__ == "__main__":
    main()
