#!/usr/bin/env python3
"""The wheel of this build tree: it is whole, looks for libraries in itself alone, and has the licenses of all of them.

    wheel_parts.py SOURCE BUILD FOLDER

script/wheel builds the wheel anew, as pip does, and uses it in a fresh root.
"""
import base64
import csv
import hashlib
import importlib.util
import os
import pathlib
import re
import shutil
import subprocess
import sys
import zipfile

source, build, folder = (pathlib.Path(p).resolve() for p in sys.argv[1:])
for command in ("patchelf", "readelf", "ldd"):
    if not shutil.which(command):
        sys.exit(print("skipped: no %s" % command))
for module in ("cffi", "numpy", "setuptools"):
    if not importlib.util.find_spec(module):
        sys.exit(print("skipped: no %s" % module))
sys.path.insert(0, str(source / "python" / "wheel"))
os.environ["NSDS_BUILD_DIR"] = str(build)
import nsds_wheel  # noqa: E402

failed = []


def check(name, good, detail=""):
    if not good:
        failed.append(name)
        print("FAILED %s %s" % (name, detail))


shutil.rmtree(folder, ignore_errors=True)
folder.mkdir(parents=True)
check("what pip should bring", nsds_wheel.get_requires_for_build_wheel() == [])
wheel = folder / nsds_wheel.build_wheel(str(folder))
tree = folder / "tree"
with zipfile.ZipFile(wheel) as file:
    file.extractall(tree)
    names = set(file.namelist())
info = next(tree.glob("nsds-*.dist-info"))

# The list of all files, and the metadata.
with open(info / "RECORD", newline="") as file:
    rows = {row[0]: row[1:] for row in csv.reader(file)}
check("the list of files", set(rows) == names, str(set(rows) ^ names))
for name, (digest, size) in rows.items():
    content = (tree / name).read_bytes()
    right = "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
    check("the sum of " + name, name.endswith("RECORD") or (digest, int(size)) == (right, len(content)))
metadata = (info / "METADATA").read_text()
check("metadata", "Name: nsds\n" in metadata and "Requires-Dist: numpy" in metadata and "cffi" not in metadata.split("\n\n")[0],
      metadata[:400])
tag = re.search(r"Tag: (\S+)", (info / "WHEEL").read_text()).group(1)
check("the tag", wheel.name.endswith(tag + ".whl") and re.search(r"manylinux_2_\d+_", tag), wheel.name)

# Libraries: only $ORIGIN in their paths, and nothing from outside but the C library.
binaries = sorted(tree.rglob("*.so*"))
least = tuple(map(int, re.search(r"manylinux_(\d+)_(\d+)", tag).groups()))
for path in binaries:
    rpath = subprocess.run(["patchelf", "--print-rpath", path], capture_output=True, text=True, check=True).stdout.strip()
    check("the path of " + path.name, re.fullmatch(r"(\$ORIGIN(/\.\./nsds\.libs)?)?", rpath), rpath)
    versions = re.findall(r"Name: GLIBC_(\d+)\.(\d+)", subprocess.run(
        ["readelf", "--version-info", path], capture_output=True, text=True, check=True).stdout)
    check("symbols of " + path.name, all(tuple(map(int, v)) <= least for v in versions), str(sorted(versions)[-1:]))
    for line in subprocess.run(["ldd", path], capture_output=True, text=True).stdout.splitlines():
        found = re.match(r"\s*(\S+) => (\S+)", line)
        if found:
            check("a library of " + path.name, nsds_wheel.SYSTEM.match(found.group(1)) or
                  pathlib.Path(found.group(2)).resolve().is_relative_to(tree), line)

# Licenses: of each library, and of what pages are bundled from.
licenses = {path.name for path in (info / "licenses").iterdir()}
listed = dict(line.split(": ", 1) for line in (info / "licenses" / "LIBRARIES.txt").read_text().splitlines())
others = {path.name for path in binaries if not path.name.startswith(("libnsds", "_nsds"))}
check("all libraries are listed", others == set(listed), str(others ^ set(listed)))
for name, text in listed.items():
    check("the license of " + name, text.split(",")[0] + ".copyright" in licenses or "look for its license" in text, text)
check("our license", "LICENSE" in licenses)
for package in (source / "src/run/view/node_modules").glob("*/LICENSE"):
    check("the license of " + package.parent.name, package.parent.name + ".LICENSE" in licenses)

# The package runs without the build tree, and without a cffi of its own Python.
program = """
import sys
sys.modules["cffi"] = None
sys.path.insert(0, %r)
import nsds
with nsds.Model() as model:
    ball = model.lagrangian_linear(name="ball", q0=[1.0], mass=1.0, fext=[-9.81])
    gap = model.lagrangian_linear_relation(H=[1.0], b=[-0.1])
    model.connect(gap, model.newton_impact(0.9), ball, name="floor")
    path = model.time_stepping(t1=10.0, h=0.005).run(record=["t", "ball.q"])
maps = {line.split()[-1] for line in open("/proc/self/maps") if "/" in line}
assert not [m for m in maps if m.startswith(%r)], sorted(maps)
print("highest %%.3f" %% path["ball.q"][path["t"] > 5.0].max())
""" % (str(tree), str(build) + "/libnsds")
environment = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "LD_LIBRARY_PATH", "LD_PRELOAD")}
done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=environment)
check("the ball of README", done.stdout == "highest 0.232\n", done.stdout + done.stderr)
print("%s: %d KB, %d libraries" % (wheel.name, wheel.stat().st_size >> 10, len(binaries)))
shutil.rmtree(tree)
print("%d failed" % len(failed) if failed else "passed")
sys.exit(bool(failed))
