"""The build backend of `pip install .` in the folder of the sources: a wheel that carries its libraries (PEP 517).

1. CMake builds libnsds and libnsds-jobs without the parts of SuiteSparse under the GPL. NSDS_BUILD_DIR names a build tree
   that is there already.
2. python/setup.py builds the module against this tree, with the setuptools and cffi of this Python. pip hides them from
   builds, and where they are missing, it is asked to bring them: so `pip install .` needs no network where they are.
3. Every library that these need goes into nsds.libs, but for those of the C library. The file gets a name with the sum of
   its contents, so that no other library of the same name is taken for it; patchelf writes the names and the folders.
4. The module needs the module _cffi_backend, which is of one version of Python: the wheel carries it, too.
5. The tag says which C library the wheel needs: the newest version among those of the symbols.
6. The licenses of all that is carried are in the folder licenses of the dist-info.

Needs cmake, a C compiler, readelf (binutils), patchelf and ldd. On other systems than Linux there is no wheel.
"""
import base64
import hashlib
import io
import os
import pathlib
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import tempfile
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "python"
# The libraries that every Linux with a C library has.
SYSTEM = re.compile(r"(ld-linux.*|lib(c|m|dl|rt|pthread|util|resolv|nsl|anl))\.so(\..*)?$")
OPTIONS = ["-DCMAKE_BUILD_TYPE=Release", "-DBUILD_SHARED_LIBS=ON", "-DNSDS_WITH_UMFPACK=OFF", "-DNSDS_WITH_CHOLMOD=OFF",
           "-DNSDS_BUILD_TESTS=OFF", "-DNSDS_BUILD_EXAMPLES=OFF", "-DNSDS_BUILD_BENCH=OFF", "-DNSDS_BUILD_TOOLS=OFF"]


def run(*words, **more):
    """The output of a command; its words and its messages if it fails."""
    try:
        done = subprocess.run([str(w) for w in words], capture_output=True, text=True, **more)
    except FileNotFoundError:
        raise SystemExit("nsds: the wheel needs %s, which is not installed (Debian: apt-get install cmake patchelf "
                         "binutils gcc)" % words[0]) from None
    if done.returncode:
        raise SystemExit("nsds: %s failed:\n%s%s" % (" ".join(map(str, words)), done.stdout[-4000:], done.stderr[-4000:]))
    return done.stdout


# ---- what is in the wheel ----------------------------------------------------------------------

def version():
    return re.search(r"project\(nsds VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text()).group(1)


def project(word):
    """A line of python/pyproject.toml: a text or a list of texts."""
    found = re.search(r"^%s = (.*)$" % word, (PACKAGE / "pyproject.toml").read_text(), re.M).group(1)
    return re.findall(r'"([^"]*)"', found)


def metadata():
    lines = ["Metadata-Version: 2.1", "Name: nsds", "Version: " + version(), "Summary: " + project("description")[0],
             "License: Apache-2.0", "Requires-Python: " + project("requires-python")[0]]
    lines += ["Requires-Dist: " + d for d in project("dependencies") if not d.startswith("cffi")]  # which is carried
    lines += ["Provides-Extra: sparse", "Requires-Dist: scipy; extra == 'sparse'", "Description-Content-Type: text/markdown"]
    return "\n".join(lines) + "\n\n" + (PACKAGE / "README.md").read_text()


def build_tree(work):
    """The build tree of libnsds."""
    given = os.environ.get("NSDS_BUILD_DIR")
    if given:
        return pathlib.Path(given).resolve()
    tree = work / "libraries"
    run("cmake", "-S", ROOT, "-B", tree, *OPTIONS)
    run("cmake", "--build", tree, "--parallel", os.environ.get("NSDS_JOBS", str(os.cpu_count() or 1)))
    return tree


def tools():
    """An environment in which this Python has what builds the module; None where there is none."""
    outside = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "PYTHONNOUSERSITE")}  # pip's, for isolation
    for environment in (dict(os.environ), outside):
        done = subprocess.run([sys.executable, "-c", "import cffi, setuptools"], env=environment, capture_output=True)
        if done.returncode == 0:
            return environment
    return None


def tools_of_build():
    environment = tools()
    if environment is None:
        raise SystemExit("nsds: the wheel needs setuptools and cffi (Debian: apt-get install python3-setuptools "
                         "python3-cffi python3-dev)")
    return environment


def module(tree, work):
    """The folder with the package and its module."""
    source, built = work / "source", work / "built"
    shutil.copytree(PACKAGE, source, ignore=shutil.ignore_patterns("__pycache__", "build", "*.egg-info", "*.so", "wheel"))
    run(sys.executable, "setup.py", "-q", "build", "--force", "--build-lib", built, cwd=source,
        env=dict(tools_of_build(), NSDS_BUILD_DIR=str(tree), PYTHONWARNINGS="ignore"))
    return built / "nsds"


def backend_of_cffi():
    """The file of the module _cffi_backend of this Python."""
    where = "import importlib.util; print(importlib.util.find_spec('_cffi_backend').origin)"
    return pathlib.Path(run(sys.executable, "-c", where, env=tools_of_build()).strip())


# ---- libraries ---------------------------------------------------------------------------------

def needed(file):
    """Libraries that a file needs, by name."""
    return [n for n in run("patchelf", "--print-needed", file).split() if not SYSTEM.match(n)]


def places(file):
    """Where the loader finds the libraries of a file, {name: path}."""
    found = {}
    for line in run("ldd", file).splitlines():
        match = re.match(r"\s*(\S+) => (/\S+)", line)
        if match:
            found[match.group(1)] = pathlib.Path(match.group(2))
        elif "not found" in line:
            raise SystemExit("nsds: %s needs a library that is not here: %s" % (file, line.strip()))
    return found


def gather(files):
    """All libraries that the files need, in turn: {name: path}."""
    found, waiting = {}, list(files)
    while waiting:
        file = waiting.pop()
        where = places(file)
        for name in needed(file):
            if name not in found:
                found[name] = where[name].resolve()
                waiting.append(found[name])
    return found


def carried_name(name, path):
    """libopenblas-3f1a9c02.so.0 for libopenblas.so.0."""
    total = hashlib.sha256(path.read_bytes()).hexdigest()[:8]
    stem, _, rest = name.partition(".so")
    return "%s-%s.so%s" % (stem, total, rest)


def carry(files, folder):
    """Copies the libraries of the files into the folder, and has everything look there. Returns {copy: original}."""
    libraries = gather(files)
    names = {name: carried_name(name, path) for name, path in libraries.items()}
    folder.mkdir()
    copies = {}
    for name, path in libraries.items():
        copy = folder / names[name]
        shutil.copyfile(path, copy)
        copy.chmod(0o755)
        subprocess.run(["strip", "--strip-unneeded", str(copy)], check=False, capture_output=True)  # not after patchelf
        run("patchelf", "--set-soname", names[name], copy)
        copies[copy] = path
    for file, place in [(c, "$ORIGIN") for c in copies] + [(f, "$ORIGIN/" + os.path.relpath(folder, f.parent)) for f in files]:
        for name in needed(file):
            run("patchelf", "--replace-needed", name, names[name], file)
        run("patchelf", "--set-rpath", place, file)
    return copies


def platform_tag(files):
    """manylinux_2_36_x86_64 where the newest symbol is of GLIBC_2.36."""
    versions = [(2, 17)]
    for file in files:
        versions += [tuple(map(int, v.split("."))) for v in
                     re.findall(r"Name: GLIBC_([0-9.]+)", run("readelf", "--version-info", file))]
    major, minor = max(v[:2] for v in versions)
    return "manylinux_%d_%d_%s" % (major, minor, sysconfig.get_platform().rpartition("-")[2])


# ---- licenses ----------------------------------------------------------------------------------

def package_of(path):
    """The package of Debian that a file is of, and its version; None where there is none."""
    for name in (str(path), str(path).replace("/usr/lib/", "/lib/", 1)):
        try:
            done = subprocess.run(["dpkg", "-S", name], capture_output=True, text=True)
        except FileNotFoundError:
            return None
        if done.returncode == 0:
            package = done.stdout.partition(":")[0]
            return package, run("dpkg-query", "-W", "-f", "${source:Package} ${source:Version}\n", package).split("\n")[0]
    return None


def licenses(copies, folder):
    """Copies the license of everything in the wheel, and writes LIBRARIES.txt: which file is of which package."""
    folder.mkdir(parents=True)
    shutil.copyfile(ROOT / "LICENSE", folder / "LICENSE")
    for path in sorted((ROOT / "src/run/view/node_modules").glob("*/LICENSE")):  # they are in the pages
        shutil.copyfile(path, folder / (path.parent.name + ".LICENSE"))
    lines, common = [], set()
    for copy, original in sorted(copies.items()):
        if original.name.startswith("libnsds"):
            continue
        package, source = package_of(original) or (None, None)
        text = pathlib.Path("/usr/share/doc/%s/copyright" % package)
        if package and text.exists():
            shutil.copyfile(text, folder / (package + ".copyright"))
            common.update(re.findall(r"/usr/share/common-licenses/([\w.-]+\w)", text.read_text(errors="replace")))
        lines.append("%s: %s\n" % (copy.name, "%s, sources: %s of Debian" % (package, source) if package else
                                  "%s: look for its license where it comes from" % original))
    for name in sorted(common):
        text = pathlib.Path("/usr/share/common-licenses/" + name)
        if text.is_file():
            shutil.copyfile(text, folder / (name + ".txt"))
    (folder / "LIBRARIES.txt").write_text("".join(lines))


# ---- the wheel ---------------------------------------------------------------------------------

def record(content, name):
    digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
    return "%s,sha256=%s,%d\n" % (name, digest, len(content))


def pack(folder, wheel, info):
    """Zips the folder, with a list of all files."""
    rows = []
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as file:
        for path in sorted(p for p in folder.rglob("*") if p.is_file()):
            name = path.relative_to(folder).as_posix()
            entry = zipfile.ZipInfo(name, (2020, 1, 1, 0, 0, 0))
            entry.external_attr = (0o755 if ".so" in path.name else 0o644) << 16
            file.writestr(entry, path.read_bytes(), zipfile.ZIP_DEFLATED)
            rows.append(record(path.read_bytes(), name))
        rows.append("%s/RECORD,,\n" % info)
        file.writestr(zipfile.ZipInfo(info + "/RECORD", (2020, 1, 1, 0, 0, 0)), "".join(rows), zipfile.ZIP_DEFLATED)


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    info = "nsds-%s.dist-info" % version()
    folder = pathlib.Path(metadata_directory) / info
    folder.mkdir()
    (folder / "METADATA").write_text(metadata())
    return info


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    if not sys.platform.startswith("linux"):
        raise SystemExit("nsds: there is a wheel for Linux alone; see docs/python.md")
    with tempfile.TemporaryDirectory() as name:
        work = pathlib.Path(name)
        folder, info = work / "wheel", "nsds-%s.dist-info" % version()
        folder.mkdir()
        shutil.copytree(module(build_tree(work), work), folder / "nsds", ignore=shutil.ignore_patterns("__pycache__"))
        original = backend_of_cffi()
        shutil.copyfile(original, folder / "nsds" / original.name)
        copies = carry(sorted((folder / "nsds").glob("*.so")), folder / "nsds.libs")
        licenses({**copies, folder / "nsds" / original.name: original}, folder / info / "licenses")
        python = "cp%d%d" % sys.version_info[:2]
        tag = "%s-%s-%s" % (python, python, platform_tag(folder.rglob("*.so*")))
        (folder / info / "METADATA").write_text(metadata())
        (folder / info / "WHEEL").write_text(
            "Wheel-Version: 1.0\nGenerator: nsds_wheel\nRoot-Is-Purelib: false\nTag: %s\n" % tag)
        wheel = "nsds-%s-%s.whl" % (version(), tag)
        pack(folder, pathlib.Path(wheel_directory) / wheel, info)
    return wheel


def build_sdist(sdist_directory, config_settings=None):
    """The sources as git has them, or all files where there is no git."""
    name = "nsds-" + version()
    try:
        files = run("git", "-C", ROOT, "ls-files").splitlines()
    except SystemExit:
        files = [p.relative_to(ROOT).as_posix() for p in ROOT.rglob("*") if p.is_file()]
    with tarfile.open(pathlib.Path(sdist_directory) / (name + ".tar.gz"), "w:gz") as file:
        for path in files:
            if not path.startswith(("build/", "out/")) and (ROOT / path).is_file():
                file.add(ROOT / path, "%s/%s" % (name, path))
        content = metadata().encode()
        entry = tarfile.TarInfo(name + "/PKG-INFO")
        entry.size = len(content)
        file.addfile(entry, io.BytesIO(content))
    return name + ".tar.gz"


def get_requires_for_build_wheel(config_settings=None):
    return [] if tools() else ["setuptools>=61", "cffi>=1.15"]


def get_requires_for_build_sdist(config_settings=None):
    return []
