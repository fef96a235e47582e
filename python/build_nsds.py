"""The compiled module nsds._nsds: declarations.h and binding.c, against a CMake build tree or an installed library.

NSDS_BUILD_DIR names the build tree (cmake --build). Without it, pkg-config finds nsds and nsds-jobs. The module
remembers the folder of the libraries, unless NSDS_RPATH is "no": packages install them where the system looks.
"""
import os
import pathlib
import re
import shlex
import subprocess

from cffi import FFI

HERE = pathlib.Path(__file__).resolve().parent


def pkg_config(*words):
    try:
        return shlex.split(subprocess.run(["pkg-config", *words], check=True, capture_output=True, text=True).stdout)
    except (OSError, subprocess.CalledProcessError) as error:
        raise SystemExit("nsds: set NSDS_BUILD_DIR to a CMake build tree, or install libnsds where pkg-config finds it"
                         " (%s)" % error)


def remembered(folders):
    return [] if os.environ.get("NSDS_RPATH") == "no" else folders


def flags():
    """Arguments of the extension that find headers and libraries."""
    tree = os.environ.get("NSDS_BUILD_DIR")
    if tree:
        tree = pathlib.Path(tree).resolve()
        source = re.search(r"^CMAKE_HOME_DIRECTORY:INTERNAL=(.*)$", (tree / "CMakeCache.txt").read_text(), re.M)
        return dict(include_dirs=[str(pathlib.Path(source.group(1)) / "include"), str(tree / "include")],
                    libraries=["nsds", "nsds-jobs"],
                    library_dirs=[str(tree)], runtime_library_dirs=remembered([str(tree)]))
    options = pkg_config("--cflags", "--libs", "nsds-jobs", "nsds")
    folders = [o[2:] for o in options if o.startswith("-L")]
    return dict(include_dirs=[o[2:] for o in options if o.startswith("-I")], library_dirs=folders,
                runtime_library_dirs=remembered(folders), libraries=[o[2:] for o in options if o.startswith("-l")])


OWN = """
typedef struct nsds_py_probe {
  const nsds_quantity *quantity; int index; void *object; double *out; long stride; const double *seen;
} nsds_py_probe;
typedef struct nsds_py_watch {
  int stop; int left; int every; double seen; double next; void *user;
} nsds_py_watch;
void nsds_py_watch_begin(nsds_context *context, nsds_py_watch *watch);
typedef struct nsds_py_life { nsds_context *context; nsds_model *model; nsds_job *job; ...; } nsds_py_life;
void *nsds_py_life_memory(nsds_py_life *life, size_t size);
nsds_py_life *nsds_py_life_begin(nsds_context *context);
void nsds_py_life_end(nsds_py_life *life);
int nsds_py_states(const nsds_model *model, const nsds_quantity *quantity, const double **first);
int nsds_py_rows(const nsds_model *model);
int nsds_py_contacts(nsds_model *model, int capacity, double *numbers, int *bodies);
nsds_operator nsds_py_operator(int k);
nsds_operator nsds_py_of_library(int k);
nsds_body_contact_fn nsds_py_contact_function(int k);
nsds_point_fn nsds_py_point_function(int k);
nsds_status nsds_py_run(nsds_model *model, nsds_simulation *simulation, long n, int nprobe, nsds_py_probe *probe,
                        double limit, long *done);
nsds_status nsds_py_job_run(nsds_job *job, long n, double *rows, double limit, long *done);
extern "Python" int nsds_py_call(int k, const nsds_arguments *in, double *out, void *user);
extern "Python" int nsds_py_contact(int k, const nsds_arguments *in, nsds_body_contact *contact, void *user);
extern "Python" int nsds_py_point(int k, const double *z, double *out, void *user);
extern "Python" int nsds_py_poll(void *user);
extern "Python" int nsds_py_sample(nsds_simulation *simulation, void *user);
extern "Python" nsds_verdict nsds_py_check(nsds_simulation *simulation, const nsds_solver_info *info, void *user);
extern "Python" void nsds_py_log(nsds_log_level level, const char *message, void *user);
extern "Python" int nsds_py_progress(int iteration, double residual, void *user);
extern "Python" void nsds_py_write(const char *piece, void *user);
extern "Python" double nsds_py_margin(const nsds_adaptive_view *at, int k, bool on, void *user);
extern "Python" double nsds_py_corner(double t, void *user);
extern "Python" void nsds_py_mix(const nsds_material *a, const nsds_material *b, nsds_material *pair, void *user);
"""

def operations(text):
    """A function of Python for each operation of a type of one's own: nsds_py_relation_output(), ..."""
    found = []
    for family in ("second_order", "first_order", "relation", "law", "geometry"):
        body = re.search(r"typedef struct nsds_%s_ops \{(.*?)\n\} " % family, text, re.S).group(1)
        for result, name, arguments in re.findall(r"^\s*(.+?) ?\(\*(\w+)\)\((.*)\);", body, re.M):
            found.append('extern "Python" %s nsds_py_%s_%s(%s);\n' % (result, family, name, arguments))
    return "".join(found)


ffibuilder = FFI()
text = (HERE / "declarations.h").read_text()
ffibuilder.cdef(text + OWN + operations(text))
ffibuilder.set_source("nsds._nsds", (HERE / "binding.c").read_text(),
                      extra_compile_args=["-std=gnu11", "-O2", "-Wno-deprecated-declarations"], **flags())
