"""Tells how many small changes of the sources the tests notice; script/mutants says how it is called.

1. Mutants are drawn (mutate.py, mutate_python.py). Those that do not compile are left out.
2. All are built into one copy of the tree. Every test runs once there, without a mutant: it is timed,
   and tells which mutants it comes by.
3. For each mutant the tests that come by it run with it, quick ones first, until one fails or takes ten times as
   long. Survivors are tried once more under the address and undefined behaviour sanitizers.
4. A survivor that survivors.txt lists as equivalent does not count. Every other one is printed.

Results are kept by seed below out/mutants, so that a run that was stopped goes on.
"""

import argparse
import concurrent.futures
import hashlib
import json
import os
import re
import shlex
import signal
import subprocess
import sys
import threading
import time

import mutate
import mutate_python

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TREE = os.path.join(ROOT, "build", "mutants")
OUT = os.path.join(ROOT, "out", "mutants")
# What is drawn from: code that runs while the tests run. python/binding.c is not compiled by cmake, and the other
# Python programs run when the tree is built.
SOURCES = ("src/*.c", "tools/*.c", "python/nsds/*.py")
BUILDS = {
    "release": ["-DCMAKE_BUILD_TYPE=Release"],
    "asan": ["-DCMAKE_BUILD_TYPE=Debug", "-DCMAKE_C_FLAGS_DEBUG=-O1 -g1", "-DNSDS_SANITIZE=address,undefined"],
}
ROUNDS = ((0.0, 3.0), (3.0, 1e9)) # seconds of a test: all mutants meet the quick ones first
SKIPPED_LABELS = {"release": {"once", "audit", "valgrind"}, "asan": {"once", "audit", "long", "valgrind"}}


def must(command, **options):
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)
    if result.returncode:
        sys.exit("mutants: %s failed:\n%s" % (" ".join(command), result.stdout[-3000:]))
    return result.stdout


def read(path):
    with open(path, "rb") as file:
        return file.read()


def write(path, data):
    """Leaves a file alone that is like that already."""
    if os.path.isfile(path) and read(path) == data:
        return
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(data)


def write_tree(changed):
    """Copies the files that git knows, the changed ones with their new text."""
    for name in must(["git", "ls-files"], cwd=ROOT).split("\n")[:-1]:
        source, target = os.path.join(ROOT, name), os.path.join(TREE, name)
        if os.path.isfile(source):
            write(target, changed[name].encode() if name in changed else read(source))
            os.chmod(target, os.stat(source).st_mode)


def mutants_of(path, text):
    return (mutate_python if path.endswith(".py") else mutate).mutants_of(path, text)


def with_mutants(text, path, numbered):
    if path.endswith(".py"):
        return mutate_python.with_mutants(text, [(number, mutant) for number, mutant, _ in numbered])
    return mutate.with_mutants(text, numbered)


def configure(kind, reference):
    folder = os.path.join(TREE, "build", kind)
    must(["cmake", "-G", "Ninja", "-S", TREE, "-B", folder, "-DNSDS_BUILD_TESTS=ON", "-DNSDS_BUILD_EXAMPLES=ON",
          "-DNSDS_BUILD_BENCH=OFF", "-DNSDS_REFERENCE_DIR=" + reference] + BUILDS[kind])
    return folder


def building_in(drawn, sources, count, reference):
    """The first `count` mutants that compile and are in what is compiled, as (mutant, place of its report)."""
    folder = configure("release", reference)
    commands = {}
    for entry in json.loads(read(os.path.join(folder, "compile_commands.json"))):
        name = os.path.relpath(entry["file"], TREE)
        if name.startswith(("src/", "tools/")):
            words = shlex.split(entry["command"])
            words = [w for k, w in enumerate(words) if w not in ("-o", "-c") and words[k - 1] not in ("-o", "-c")]
            commands[name] = [w for w in words if not w.endswith("ccache")] + ["-w", "-x", "c"]

    def call(name, text, *options):
        command = commands[name] + ["-iquote", os.path.dirname(os.path.join(TREE, name)), *options, "-"]
        return subprocess.run(command, input=text, text=True, cwd=folder, stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL)

    def compiles(name, text):
        return call(name, text, "-fsyntax-only").returncode == 0

    def place(mutant):
        text = sources[mutant.path]
        if mutant.path.endswith(".py"):
            built = all(map(mutate_python.compiles, (mutate_python.alone(text, mutant),
                                                     mutate_python.with_mutants(text, [(0, mutant)]))))
            return mutant.start if built else None
        changed = text[:mutant.start] + mutant.new + text[mutant.end:]
        if mutant.path not in commands or not compiles(mutant.path, changed):
            return None
        if call(mutant.path, text, "-E", "-P").stdout == call(mutant.path, changed, "-E", "-P").stdout:
            return None # between #if and #endif of another build
        for at in (mutate.report_at(mutate.blank(text), mutant), mutant.function.start):
            built = mutate.with_mutants(text, [(0, mutant, at)])
            if built and compiles(mutant.path, built):
                return at
        print("mutants: cannot be built in: " + mutant.key())
        return None

    found = []
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for start in range(0, len(drawn), 16):
            some = drawn[start:start + 16]
            for mutant, at in zip(some, pool.map(place, some)):
                beside = [m for m, _ in found if m.path == mutant.path]
                if at is not None and not (mutant.path.endswith(".py") and mutate_python.overlaps(mutant, beside)):
                    found.append((mutant, at))
            if len(found) >= count:
                break
    return found[:count]


class Suite:
    """The tests of a build: how they are called, the time they take, the mutants that they come by."""

    def __init__(self, kind, reference, mutants, only):
        self.kind, self.folder = kind, configure(kind, reference)
        print("mutants: building %s" % kind, flush=True)
        must(["ninja", "-C", self.folder])
        self.tests, self.locks = {}, {}
        for test in json.loads(must(["ctest", "--show-only=json-v1"], cwd=self.folder))["tests"]:
            properties = {p["name"]: p["value"] for p in test.get("properties", [])}
            if (not SKIPPED_LABELS[kind] & set(properties.get("LABELS", [])) and "command" in test
                    and re.search(only, test["name"])):
                self.tests[test["name"]] = (test["command"], properties)
                self.locks[test["name"]] = threading.Lock()
        self.seconds, self.reached, self.spoilt = {}, {}, set() # spoilt: by files that a mutant left
        self.look(mutants, only)

    def passes(self, name, limit, **environment):
        """Whether a test passes within so many seconds."""
        command, properties = self.tests[name]
        own = dict(entry.split("=", 1) for entry in properties.get("ENVIRONMENT", []))
        with self.locks[name]:
            process = subprocess.Popen(command, cwd=properties.get("WORKING_DIRECTORY", self.folder),
                                       env={**os.environ, **own, **environment}, stdin=subprocess.DEVNULL,
                                       stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True)
            try:
                output = process.communicate(timeout=limit)[0].decode(errors="replace")
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.communicate()
                return False
        patterns = properties.get("PASS_REGULAR_EXPRESSION")
        if patterns:
            return any(re.search(pattern, output, re.S) for pattern in patterns)
        return process.returncode in (0, properties.get("SKIP_RETURN_CODE", 0))

    def look(self, mutants, only):
        """Runs every test without a mutant; those that fail take no part."""
        state = hashlib.sha256(repr(sorted(mutants)).encode()).hexdigest()
        cache = os.path.join(TREE, "build", "%s_%s.json" % (self.kind, "some" if only else "tests"))
        known = json.loads(read(cache)) if os.path.exists(cache) else {}
        if only or known.get("state") != state:
            known = {"state": state, "tests": {}}

        def one(name):
            reached = os.path.join(TREE, "build", "reached_" + name.replace("/", "_"))
            start = time.time()
            passed = self.passes(name, 1200, NSDS_MUTANT="-1", NSDS_MUTANTS_REACHED=reached)
            found = sorted(set(read(reached).split())) if os.path.exists(reached) else []
            if os.path.exists(reached):
                os.remove(reached)
            return name, passed, time.time() - start, [int(number) for number in found]

        missing = [name for name in self.tests if name not in known["tests"]]
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            for count, (name, *outcome) in enumerate(pool.map(one, missing)):
                known["tests"][name] = outcome
                if not outcome[0]:
                    print("mutants: %s fails in %s without a mutant and takes no part" % (name, self.kind), flush=True)
                if count % 10 == 0 or count + 1 == len(missing):
                    write(cache, json.dumps(known).encode())
        for name, (passed, seconds, reached) in known["tests"].items():
            if passed and name in self.tests:
                self.seconds[name] = seconds
                for number in reached:
                    self.reached.setdefault(number, []).append(name)

    def notices(self, number, least, most):
        """The first test that notices a mutant, "" for none, of those that take so many seconds."""
        names = [name for name in self.reached.get(number, []) if least <= self.seconds[name] < most]
        for name in sorted(names, key=self.seconds.get):
            limit = 10 * self.seconds[name] + 5
            if name in self.spoilt or self.passes(name, limit, NSDS_MUTANT=str(number)):
                continue
            if self.passes(name, limit):
                return name
            print("mutants: %s fails without a mutant, too, after %d" % (name, number), flush=True)
            self.spoilt.add(name)
        return ""


def equivalents():
    """{key: reason} of tests/mutants/survivors.txt."""
    reasons = {}
    with open(os.path.join(ROOT, "tests", "mutants", "survivors.txt")) as file:
        for line in file:
            parts = [part.strip() for part in line.split(" | ")]
            if len(parts) == 5 and not line.startswith("#"):
                reasons[" | ".join(parts[:4])] = parts[4]
    return reasons


def summary(results):
    excused = equivalents()
    counted = {"kernel": [0, 0], "elsewhere": [0, 0]}
    equivalent = 0
    for key, (build, test) in results.items():
        if not test and key in excused:
            equivalent += 1
            continue
        sums = counted["kernel" if key.startswith("src/kernel/") else "elsewhere"]
        sums[0] += bool(test)
        sums[1] += 1
        if not test:
            print("SURVIVES %s%s" % (key, "" if build else " (no test comes by)"))
    for name, (caught, total) in counted.items():
        print("mutants: %s: %d of %d noticed (%.1f %%)" % (name, caught, total, 100.0 * caught / max(total, 1)))
    print("mutants: %d equivalent ones left out" % equivalent)
    least = {"kernel": 0.95, "elsewhere": 0.90}
    return int(any(caught < least[name] * total for name, (caught, total) in counted.items()))


class Record:
    """{key: (build, test)} in a file that each outcome is appended to; the last one counts."""

    def __init__(self, name):
        self.path, self.lock, self.results = os.path.join(OUT, name), threading.Lock(), {}
        os.makedirs(OUT, exist_ok=True)
        if os.path.exists(self.path):
            for line in read(self.path).decode().splitlines():
                key, build, test = line.split("\t")
                self.results[key] = (build, test)

    def add(self, mutant, build, test):
        with self.lock:
            self.results[mutant.key()] = (build, test)
            with open(self.path, "a") as file:
                file.write("%s\t%s\t%s\n" % (mutant.key(), build, test))
            print("%s:%d %s: %s -> %s" % (mutant.path, mutant.line, mutant.kind, mutant.new_text,
                                          test or "SURVIVES"), flush=True)


def run_rounds(suite, open_ones, chosen, record, jobs):
    """Tries these mutants; returns those that nothing notices."""
    for number, (least, most) in enumerate(ROUNDS):
        last = number + 1 == len(ROUNDS)

        def one(mutant):
            test = suite.notices(mutant, least, most)
            if test or (last and suite.kind == "asan"):
                record.add(chosen[mutant][0], suite.kind if mutant in suite.reached else "", test)
            elif last:
                print("%s survives in %s" % (chosen[mutant][0].key(), suite.kind), flush=True)
            return mutant, test

        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            open_ones = [mutant for mutant, test in pool.map(one, open_ones) if not test]
        print("mutants: %d open after tests of up to %g s (%s)" % (len(open_ones), most, suite.kind), flush=True)
    return open_ones


def main():
    parser = argparse.ArgumentParser(prog="script/mutants")
    parser.add_argument("--count", type=int, default=150)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--match", default="")
    parser.add_argument("--tests", default="")
    parser.add_argument("--reference", default="")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    for name in ("--again", "--list", "--summary"):
        parser.add_argument(name, action="store_true")
    arguments = parser.parse_args()
    record = Record("match.txt" if arguments.match else "seed%d.txt" % arguments.seed)
    if arguments.summary:
        return summary(record.results)
    sources = {name: read(os.path.join(ROOT, name)).decode()
               for name in must(["git", "ls-files", *SOURCES], cwd=ROOT).split()}
    drawn = [mutant for mutant in mutate.draw(sources, arguments.seed, mutants_of) if arguments.match in mutant.key()]
    if arguments.list:
        for mutant in drawn[:arguments.count]:
            print(mutant.kind, mutant.key())
        return 0
    write_tree({})
    chosen = building_in(drawn, sources, arguments.count, arguments.reference)
    changed = {path: with_mutants(sources[path], path, [(number, mutant, place) for number, (mutant, place)
                                                        in enumerate(chosen) if mutant.path == path])
               for path in {mutant.path for mutant, _ in chosen}}
    write_tree(changed)
    keys = {mutant.key() for mutant, _ in chosen}
    open_ones = [number for number, (mutant, _) in enumerate(chosen) if mutant.key() not in record.results
                 or (arguments.again and not record.results[mutant.key()][1])]
    for kind in ("release", "asan"):
        if not open_ones:
            break
        suite = Suite(kind, arguments.reference, keys, arguments.tests)
        open_ones = run_rounds(suite, open_ones, chosen, record, arguments.jobs)
    return summary({key: result for key, result in record.results.items() if key in keys})


if __name__ == "__main__":
    sys.exit(main())
