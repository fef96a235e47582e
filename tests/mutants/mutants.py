"""Tells how many small changes of the library its tests notice; script/mutants says how it is called.

1. A copy of the tree is built twice: optimised, and with coverage. Every test runs alone in the second
   build, which tells the lines that it reaches.
2. Mutants are drawn (mutate.py) from the seed. Those that do not compile are replaced by others.
3. For each mutant the optimised build is made again, and the tests that reach its lines run, quick ones first,
   until one fails. Survivors are tried once more under the address and undefined behaviour sanitizers.
4. A survivor that survivors.txt lists as equivalent does not count. Every other one is printed.

Results are kept by seed below out/mutants, so that a run that was stopped goes on.
"""

import argparse
import hashlib
import json
import os
import shutil
import subprocess
import sys
import time

import mutate

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
WORK = os.path.join(ROOT, "build", "mutants")
TREE = os.path.join(WORK, "tree")
OUT = os.path.join(ROOT, "out", "mutants")
BUILDS = {
    "release": ["-DCMAKE_BUILD_TYPE=Release"],
    "asan": ["-DCMAKE_BUILD_TYPE=Debug", "-DCMAKE_C_FLAGS_DEBUG=-O1 -g",
             "-DNSDS_SANITIZE=address,undefined"],
    "coverage": ["-DCMAKE_BUILD_TYPE=Debug", "-DCMAKE_C_FLAGS_DEBUG=-O1 --coverage"],
}
SKIPPED_LABELS = {"release": {"once", "valgrind"}, "asan": {"once", "long", "valgrind"},
                  "coverage": {"once", "valgrind"}}


def run(command, **options):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)


def must(command, **options):
    result = run(command, **options)
    if result.returncode:
        sys.exit("mutants: %s failed:\n%s" % (" ".join(command), result.stdout[-3000:]))
    return result.stdout


def copy_tree():
    """Copies the files that git knows; leaves alone what has not changed. Returns their fingerprint."""
    names = must(["git", "ls-files"], cwd=ROOT).split("\n")[:-1]
    fingerprint = hashlib.sha256()
    for name in names:
        source, target = os.path.join(ROOT, name), os.path.join(TREE, name)
        if not os.path.isfile(source):
            continue
        with open(source, "rb") as file:
            data = file.read()
        fingerprint.update(name.encode() + data)
        if os.path.exists(target):
            with open(target, "rb") as file:
                if file.read() == data:
                    continue
        os.makedirs(os.path.dirname(target), exist_ok=True)
        shutil.copy2(source, target)
        os.utime(target)
    return fingerprint.hexdigest()


def configure(kind, reference):
    folder = os.path.join(WORK, kind)
    must(["cmake", "-G", "Ninja", "-S", TREE, "-B", folder, "-DNSDS_BUILD_TESTS=ON", "-DNSDS_BUILD_EXAMPLES=ON",
          "-DNSDS_BUILD_BENCH=OFF", "-DNSDS_REFERENCE_DIR=" + reference] + BUILDS[kind])
    must(["ninja", "-C", folder])
    return folder


class Suite:
    """The tests of a build: their commands, the targets they need, the time they take."""

    def __init__(self, kind, reference, jobs):
        self.kind, self.jobs = kind, jobs
        self.folder = configure(kind, reference)
        listing = json.loads(must(["ctest", "--show-only=json-v1"], cwd=self.folder))
        self.targets, self.seconds = {}, {}
        for test in listing["tests"]:
            labels = {p["name"]: p["value"] for p in test.get("properties", [])}.get("LABELS", [])
            if SKIPPED_LABELS[kind] & set(labels) or "command" not in test:
                continue
            inside = [os.path.relpath(part, self.folder) for part in test["command"]
                      if part.startswith(self.folder + os.sep) and os.path.isfile(part)]
            self.targets[test["name"]] = inside

    def ctest(self, names, jobs, limit):
        """Whether all the named tests pass; None where they do not end."""
        pattern = "^(%s)$" % "|".join(name.replace(".", "\\.") for name in names)
        process = subprocess.Popen(["ctest", "-R", pattern, "-j", str(jobs), "--stop-on-failure"],
                                   cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                   text=True, start_new_session=True)
        try:
            self.output = process.communicate(timeout=limit)[0]
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, 9)
            process.wait()
            return None
        return process.returncode == 0

    def time_all(self):
        """Runs every test once; those that fail without a mutant take no part."""
        cache = os.path.join(WORK, self.kind + "_times.json")
        if os.path.exists(cache):
            with open(cache) as file:
                known = json.load(file)
            if set(known) >= set(self.targets):
                self.seconds = {name: known[name] for name in self.targets if known[name] >= 0}
                return
        known = {}
        for name in self.targets:
            start = time.time()
            known[name] = time.time() - start if self.ctest([name], 1, 600) else -1
            if known[name] < 0:
                print("mutants: %s fails in %s without any mutant and takes no part" % (name, self.kind))
        with open(cache, "w") as file:
            json.dump(known, file)
        self.seconds = {name: seconds for name, seconds in known.items() if seconds >= 0}

    def notices(self, names):
        """The test, of those named, that notices the tree as it is; "" for none, None: not compiled."""
        names = sorted((name for name in names if name in self.seconds), key=self.seconds.get)
        if run(["ninja", "-C", self.folder, "nsds_objects"]).returncode:
            return None
        at, size = 0, 6
        while at < len(names):
            some = names[at:at + size]
            targets = sorted({target for name in some for target in self.targets[name]})
            built = run(["ninja", "-C", self.folder] + targets)
            if built.returncode:
                return "(link) " + some[0]
            passed = self.ctest(some, self.jobs, 30 + 10 * sum(self.seconds[name] for name in some))
            if passed is None:
                return "(no end) " + some[0]
            if not passed:
                failed = [line.split()[-2] for line in self.output.split("\n") if "***" in line]
                return failed[0] if failed else some[0]
            at, size = at + size, 2 * size
        return ""


def reached_lines(folder):
    """{source: lines} that the last test reached; the counters are removed."""
    found = {}
    counters = [os.path.join(base, name) for base, _, names in
                os.walk(os.path.join(folder, "CMakeFiles", "nsds_objects.dir")) for name in names
                if name.endswith(".gcda")]
    for at in range(0, len(counters), 64):
        output = subprocess.run(["gcov", "--json-format", "--stdout"] + counters[at:at + 64], cwd=folder,
                                stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout
        for document in output.splitlines():
            for file in json.loads(document)["files"]:
                name = os.path.relpath(os.path.join(folder, file["file"]), TREE)
                lines = {line["line_number"] for line in file["lines"] if line["count"]}
                if name.startswith("src/") and lines:
                    found.setdefault(name, set()).update(lines)
    for counter in counters:
        os.remove(counter)
    return found


def coverage(suite, fingerprint):
    """{source: {line: [tests]}}."""
    cache = os.path.join(WORK, "coverage.json")
    if os.path.exists(cache):
        with open(cache) as file:
            kept = json.load(file)
        if kept["tree"] == fingerprint:
            return kept["lines"]
    lines = {}
    reached_lines(suite.folder)
    for count, name in enumerate(sorted(suite.targets)):
        suite.ctest([name], 1, 1200)
        for source, some in reached_lines(suite.folder).items():
            for line in some:
                lines.setdefault(source, {}).setdefault(str(line), []).append(name)
        print("\rmutants: coverage of %d of %d tests" % (count + 1, len(suite.targets)), end="", flush=True)
    print()
    with open(cache, "w") as file:
        json.dump({"tree": fingerprint, "lines": lines}, file)
    return lines


def tests_of(mutant, lines):
    """The tests that reach the line of a mutant. A line without code takes those of its neighbours."""
    of_file = lines.get(mutant.path, {})
    for step in range(0, 6):
        near = set()
        for line in range(mutant.line - step, mutant.last_line + step + 1):
            near.update(of_file.get(str(line), []))
        if near:
            return near
    return set()


def equivalents():
    """{key: reason} of tests/mutants/survivors.txt."""
    reasons = {}
    with open(os.path.join(ROOT, "tests", "mutants", "survivors.txt")) as file:
        for line in file:
            parts = [part.strip() for part in line.split(" | ")]
            if len(parts) == 5 and not line.startswith("#"):
                reasons[" | ".join(parts[:4])] = parts[4]
    return reasons


class Suites:
    """The builds in which mutants are tried; the sanitized one is made when something survives the first."""

    def __init__(self, reference, jobs):
        self.arguments, self.made = (reference, jobs), {}

    def get(self, kind):
        if kind not in self.made:
            self.made[kind] = Suite(kind, *self.arguments)
            self.made[kind].time_all()
        return self.made[kind]


def try_mutant(mutant, text, suites, lines):
    """What notices a mutant: (build, test); ("", "") for none, None where it does not compile."""
    path = os.path.join(TREE, mutant.path)
    names = tests_of(mutant, lines)
    for kind in ("release", "asan"):
        suite = suites.get(kind)
        with open(path, "w") as file:
            file.write(mutant.apply(text))
        try:
            test = suite.notices(names)
        finally:
            with open(path, "w") as file:
                file.write(text)
        if test is None:
            return None
        if test:
            return kind, test
    return "", "" if names else "no test reaches it"


def room(path):
    return "kernel" if path.startswith("src/kernel/") else "elsewhere"


def summary(results):
    excused = equivalents()
    counted = {"kernel": [0, 0], "elsewhere": [0, 0]}
    equivalent = 0
    for key, kind, build, test in results:
        if not build and key in excused:
            equivalent += 1
            continue
        counted[room(key)][1] += 1
        counted[room(key)][0] += bool(build)
        if not build:
            print("SURVIVES (%s) %s%s" % (kind, key, "  [%s]" % test if test else ""))
    for name, (caught, total) in counted.items():
        print("mutants: %s: %d of %d noticed (%.1f %%)" % (name, caught, total, 100.0 * caught / max(total, 1)))
    print("mutants: %d equivalent ones excluded" % equivalent)


def main():
    parser = argparse.ArgumentParser(prog="script/mutants")
    parser.add_argument("--count", type=int, default=150)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--reference", default="")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--summary", action="store_true")
    arguments = parser.parse_args()
    os.makedirs(OUT, exist_ok=True)
    results_file = os.path.join(OUT, "seed%d.txt" % arguments.seed)
    results = []
    if os.path.exists(results_file):
        with open(results_file) as file:
            results = [tuple(line.rstrip("\n").split("\t")) for line in file]
    if arguments.summary:
        return summary(results)
    fingerprint = copy_tree()
    sources = {}
    for name in must(["git", "ls-files", "src/*.c"], cwd=ROOT).split():
        with open(os.path.join(TREE, name)) as file:
            sources[name] = file.read()
    drawn = mutate.draw(sources, 2 * arguments.count, arguments.seed)
    if arguments.list:
        for mutant in drawn[:arguments.count]:
            print(mutant.kind, mutant.key())
        return None
    lines = coverage(Suite("coverage", arguments.reference, 1), fingerprint)
    suites = Suites(arguments.reference, arguments.jobs)
    known = {result[0] for result in results}
    valid = len([result for result in results if result[2] != "not compiled"])
    for mutant in drawn:
        if valid >= arguments.count:
            break
        if mutant.key() in known:
            continue
        outcome = try_mutant(mutant, sources[mutant.path], suites, lines)
        build, test = outcome if outcome else ("not compiled", "")
        valid += build != "not compiled"
        results.append((mutant.key(), mutant.kind, build, test))
        with open(results_file, "a") as file:
            file.write("\t".join(results[-1]) + "\n")
        print("%3d %s %s:%d %s -> %s" % (valid, mutant.kind, mutant.path, mutant.line, mutant.new_text,
                                         "%s %s" % (build, test) if build else "SURVIVES " + test), flush=True)
    return summary([result for result in results if result[2] != "not compiled"])


main()
