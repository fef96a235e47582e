"""Packages and the source archive, without building them: files.py ROOT BUILD FOLDER.

debian/ names the version and the SONAMEs of this build. Each file that `cmake --install` installs belongs to exactly
one package. The source archive has what a build takes, and nothing that a build leaves behind.
"""
import fnmatch
import glob
import io
import os
import re
import shutil
import subprocess
import sys
import tarfile

NEEDED = ["CMakeLists.txt", "CMakePresets.json", "LICENSE", "README.md", "include/nsds/nsds.h", "src/run/view/view.html",
          "src/run/view/package-lock.json", "python/setup.py", "docs/nsds.1",
          "tools/nsds.bash", "examples/CMakeLists.txt"]
JUNK = [".git*", ".ci/*", "debian/*", "build/*", "out/*", "*.o", "*.so", "*.a", "*.pyc", "*.deb", "*.gz", "*.orig",
        "*.rej", "*~", "*.sw?", "*__pycache__*", "*.egg-info/*", "*.ipynb_checkpoints*", "*/core"]
LARGEST = 1000000  # bytes of a file


def read(*path):
    with open(os.path.join(*path), encoding="utf-8") as file:
        return file.read()


def installed(build, folder):
    """What is installed, by the names that the files have in Debian."""
    shutil.rmtree(folder, ignore_errors=True)
    subprocess.run(["cmake", "--install", build, "--prefix", folder], check=True, stdout=subprocess.DEVNULL)
    names = []
    for where, _, files in os.walk(folder):
        for file in files:
            name = "usr/" + os.path.relpath(os.path.join(where, file), folder)
            name = re.sub(r"^usr/lib/(?:[^/]*-linux-[^/]*/)?", "usr/lib/any/", name)
            names.append(name.replace("usr/share/doc/nsds/", "usr/share/doc/nsds-doc/"))
    return sorted(names)


def patterns(debian):
    """The lines of PACKAGE.install, by package; None: what no package has."""
    lists = {os.path.basename(p)[:-len(".install")]: read(p).split() for p in glob.glob(debian + "/*.install")}
    lists[None] = read(debian, "not-installed").split()
    return lists


def matches(name, pattern):
    """As dh_install reads patterns: an asterisk stands for no slash, and a folder for all that is in it."""
    parts, wanted = name.split("/"), pattern.split("/")
    return len(parts) >= len(wanted) and all(map(fnmatch.fnmatchcase, parts, wanted))


def faults_of_files(names, lists):
    faults = []
    excluded = lists[None]
    for name in names:
        owners = [p for p, wanted in lists.items() if p and any(matches(name, w) for w in wanted)]
        if any(matches(name, w) for w in excluded):
            owners = owners and ["nobody"]
        if len(owners) != 1:
            faults.append("%s belongs to %s" % (name, " and ".join(sorted(owners)) or "no package"))
    for package, wanted in lists.items():
        faults += ["debian/%s.install: no file is %s" % (package, w) for w in wanted
                   if package != "python3-nsds" and not any(matches(name, w) for name in names)]
    return faults


def faults_of_names(root, names, control, changelog):
    version = re.search(r"^project\(nsds VERSION ([\d.]+)", read(root, "CMakeLists.txt"), re.M).group(1)
    faults = []
    project = read(root, "python/pyproject.toml")
    told = {"debian/changelog": re.match(r"nsds \(([^)]*)-[^-)]*\)", changelog).group(1),
            "python/pyproject.toml": re.search(r'^version = "(.*)"', project, re.M).group(1),
            "CITATION.cff": re.search(r"^version: (.*)", read(root, "CITATION.cff"), re.M).group(1)}
    faults += ["%s has version %s, CMakeLists.txt %s" % (file, other, version) for file, other in told.items()
               if other != version]
    packages = re.findall(r"^Package: (.*)", control, re.M)
    for library in ("nsds", "nsds-jobs"):
        ends = [n.partition("/lib%s.so." % library)[2] for n in names if "/lib%s.so." % library in n]
        package = "lib" + library + min(ends, key=len)
        if package not in packages or not os.path.exists("%s/debian/%s.install" % (root, package)):
            faults.append("debian/ has no package %s, and SONAMEs change with the package" % package)
    return faults


def faults_of_archive(members):
    names = [m.name for m in members]
    faults = ["the source archive lacks " + name for name in NEEDED if name not in names]
    for m in members:
        if not m.isdir() and any(fnmatch.fnmatchcase(m.name, junk) for junk in JUNK):
            faults.append("the source archive has " + m.name)
        elif not (m.isdir() or m.isreg()) or m.size > LARGEST:
            faults.append("the source archive has %s, which is no file, or too large: %d bytes" % (m.name, m.size))
    return faults


def main():
    root, build, folder = sys.argv[1:]
    if not os.path.isdir(root + "/debian"):
        print("skipped: no debian/, which the source archive leaves out")
        return 0
    names, lists = installed(build, folder), patterns(root + "/debian")
    control, changelog = read(root, "debian/control"), read(root, "debian/changelog")
    faults = faults_of_files(names, lists) + faults_of_names(root, names, control, changelog)

    # Planted faults are found.
    planted = [faults_of_files(names + ["usr/bin/other"], lists),
               faults_of_files(names, dict(lists, other=["usr/bin"])),
               faults_of_files(names, dict(lists, other=["usr/sbin"])),
               faults_of_names(root, [re.sub(r"\.so\.\d", ".so.77", n) for n in names], control, changelog),
               faults_of_names(root, names, control, changelog.replace("nsds (", "nsds (7.", 1))]
    git = subprocess.run(["git", "-C", root, "archive", "--worktree-attributes", "HEAD"], capture_output=True)
    if git.returncode == 0:
        members = tarfile.open(fileobj=io.BytesIO(git.stdout)).getmembers()
        faults += faults_of_archive(members)
        planted += [faults_of_archive(members[1:] + [tarfile.TarInfo("build/CMakeCache.txt")]), faults_of_archive([])]
    faults += ["planted fault %d is not found" % k for k, found in enumerate(planted) if not found]
    print("\n".join(faults) or "%d files in %d packages" % (len(names), len(lists) - 1))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
