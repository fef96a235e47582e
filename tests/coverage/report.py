"""Lines and branches by room, from gcovr's counts, less the branches that are excused.

    report.py COUNTS.json EXCUSES.txt [--room ROOM]... [--branches]

A branch belongs to the function that begins last before its line. An excuse is one line, "FILE FUNCTION
REASON": it takes all branches of the function that no test took out of the count. It is an error when
the function is not there, or has no such branch. Lines are never excused.
"""

import argparse
import json
import sys

LEAST_LINES, LEAST_BRANCHES = 99.0, 95.0


def room_of(path):
    parts = path.removeprefix("src/").split("/")
    return "/".join(parts[: 2 if parts[0] == "kernel" else 1])


def read_counts(path):
    """(file, function, line, count, [branch counts]) of each line that has code."""
    with open(path, encoding="utf-8") as file:
        counts = json.load(file)
    for entry in counts["files"]:
        starts = sorted((f["lineno"], f["name"].split(".")[0]) for f in entry["functions"])
        for line in entry["lines"]:
            if line["gcovr/noncode"]:
                continue
            number = line["line_number"]
            name = [f for start, f in starts if start <= number][-1:] or ["-"]
            yield entry["file"], name[0], number, line["count"], [b["count"] for b in line["branches"]]


def read_excuses(path):
    excuses = {}
    with open(path, encoding="utf-8") as file:
        for number, text in enumerate(file, 1):
            if not text.strip() or text.startswith("#"):
                continue
            words = text.split(None, 2)
            if len(words) < 3:
                sys.exit(f"{path}:{number}: a file, a function and a reason are expected")
            excuses[words[0], words[1]] = number
    return excuses


def source(path, number):
    with open(path, encoding="utf-8") as file:
        return file.readlines()[number - 1].strip()


def share(part, whole):
    return 100.0 * part / whole if whole else 100.0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("counts")
    parser.add_argument("excuses")
    parser.add_argument("--room", action="append", default=[])
    parser.add_argument("--branches", action="store_true")
    args = parser.parse_args()

    excuses = read_excuses(args.excuses)
    open_branches = {}  # by (file, function): not taken
    rooms = {}  # room: lines, of which reached; branches, of which taken, excused
    for path, function, number, count, branches in read_counts(args.counts):
        if args.room and not any(path.removeprefix("src/").startswith(room + "/") for room in args.room):
            continue
        missed = branches.count(0)
        key = path, function
        open_branches[key] = open_branches.get(key, 0) + missed
        excused = missed if key in excuses else 0
        for name in (room_of(path), "total"):
            sums = rooms.setdefault(name, [0] * 5)
            for i, value in enumerate([1, count > 0, len(branches), len(branches) - missed, excused]):
                sums[i] += value
        if count == 0:
            print(f"{path}:{number}: {function}: no test comes here: {source(path, number)}")
        elif missed and not excused and args.branches:
            print(f"{path}:{number}: {function}: {missed} of {len(branches)} branches not taken: "
                  f"{source(path, number)}")

    failures = []
    files = {path for path, _ in open_branches}
    for (path, function), number in excuses.items():
        if args.room and path not in files:
            continue
        where = f"{args.excuses}:{number}: {path} {function}"
        if (path, function) not in open_branches:
            failures.append(f"{where}: there is no such function")
        elif open_branches[path, function] == 0:
            failures.append(f"{where}: all branches are taken; please remove the excuse")

    print(f"{'room':24} {'lines':>7} {'reached':>8} {'branches':>9} {'taken':>8} {'excused':>8}")
    for name in sorted(rooms, key=lambda name: (name == "total", name)):
        lines, reached, branches, taken, excused = rooms[name]
        line_share, branch_share = share(reached, lines), share(taken, branches - excused)
        print(f"{name:24} {lines:7} {line_share:6.2f} % {branches:9} {branch_share:6.2f} % {excused:8}")
        if line_share < LEAST_LINES:
            failures.append(f"{name}: {line_share:.2f} % of lines, at least {LEAST_LINES:.0f} % are asked for")
        if branch_share < LEAST_BRANCHES:
            failures.append(
                f"{name}: {branch_share:.2f} % of branches, at least {LEAST_BRANCHES:.0f} % are asked for")
    for failure in failures:
        print(failure, file=sys.stderr)
    sys.exit(1 if failures else 0)


main()
