#!/usr/bin/env python3
"""faults.py DRUM NSDS MPIRUN MODELS: runs of several processes that lose one, have different inputs, or no disk.

Each ends within 10 s, with a failure. A world goes on from its last snapshot, on another number of processes, with the
numbers of the run that nobody disturbed.
"""
import os
import re
import signal
import subprocess
import sys
import tempfile
import time

SOON = 10.0  # seconds in which a run ends after its fault
drum, nsds, mpirun, models = sys.argv[1:5]
launch = [mpirun, "--oversubscribe"]


def check(condition, what):
    if not condition:
        sys.exit(f"faults.py: {what}")


def finish(words, **options):
    """Runs to the end; a run that hangs is a fault."""
    return subprocess.run(words, capture_output=True, text=True, timeout=120, **options)


def ranks_of(launcher):
    """The processes that a launcher has started, as far as they run."""
    found = []
    for name in os.listdir("/proc"):
        try:
            words = open(f"/proc/{name}/stat").read().rsplit(")", 1)[1].split() if name.isdigit() else []
        except OSError:
            words = []
        if words and int(words[1]) == launcher.pid and words[0] != "Z":
            found.append(int(name))
    return sorted(found)


def kill_one(words, count, begun):
    """Kills the last process of a run, once it steps. Returns what the run has said."""
    launcher = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    limit = time.monotonic() + 60.0
    while time.monotonic() < limit and len(ranks_of(launcher)) < count:
        time.sleep(0.05)
    check(len(ranks_of(launcher)) == count, f"{count} processes did not start")
    time.sleep(begun)
    check(launcher.poll() is None, "the run was over before its fault")
    os.kill(ranks_of(launcher)[-1], signal.SIGKILL)
    try:
        said = launcher.communicate(timeout=SOON)[0]
    except subprocess.TimeoutExpired:
        launcher.kill()
        sys.exit(f"faults.py: a run that lost a process did not end within {SOON} s")
    check(launcher.returncode != 0, "a run that lost a process succeeded")
    return said


def energy(done, t):
    found = re.search(rf"t = {t}: .*energy (\S+) J", done.stdout)
    check(done.returncode == 0 and found, f"no energy at {t}: {done.stdout} {done.stderr}")
    return found.group(1)


def lose_a_process_and_go_on(folder):
    snapshot = os.path.join(folder, "drum.snapshot")
    whole = energy(finish([*launch, "-n", "2", drum, "40", "150"]), "0.150")
    energy(finish([*launch, "-n", "3", drum, "40", "100", snapshot]), "0.100")
    kill_one([*launch, "-n", "3", drum, "40", "1000000", snapshot], 3, 2.0)
    for count in ("1", "2"):
        again = os.path.join(folder, "again")
        subprocess.run(["sh", "-c", f"cp {snapshot} {again}; for f in {snapshot}.*; do cp $f {again}${{f#{snapshot}}}; done"],
                       check=True)
        check(energy(finish([*launch, "-n", count, drum, "40", "50", again]), "0.150") == whole,
              f"the run that went on by {count} processes has another energy")


def run_of_model(*words):
    return [nsds, "run", os.path.join(models, "drum_of_spheres.yaml"), *words]


def lose_a_process_of_a_model():
    kill_one([*launch, "-n", "2", *run_of_model("--set", "end=1000")], 2, 2.0)


def differ_in_inputs():
    began = time.monotonic()
    done = finish([*launch, "-n", "1", *run_of_model("--set", "end=0.01"), ":",
                   "-n", "1", *run_of_model("--set", "end=0.01", "--set", "n=70")])
    check(done.returncode != 0 and "different files or parameters" in done.stderr, done.stderr)
    check(time.monotonic() - began < 60.0, "different inputs took long")


def fill_the_disk(folder):
    words = run_of_model("--set", "end=0.02")
    with open("/dev/full", "w") as full:
        done = subprocess.run([*launch, "-n", "2", *words, "-o", "/dev/full"], stdout=full, stderr=subprocess.PIPE,
                              text=True, timeout=120)
    check(done.returncode != 0 and "No space left" in done.stderr, f"a full disk: {done.stderr}")
    done = finish([*launch, "-n", "2", *words, "--vtk", os.path.join(folder, "none", "drum")])
    check(done.returncode != 0 and "No such file" in done.stderr, f"no folder: {done.stderr}")


with tempfile.TemporaryDirectory() as place:
    lose_a_process_and_go_on(place)
    lose_a_process_of_a_model()
    differ_in_inputs()
    fill_the_disk(place)
