"""Declarations, comments and stub are those of the headers; every array and function of a definition has a shape."""
import inspect
import os
import re
import shutil
import subprocess
import sys
import tempfile

from support import check, finish

source = os.environ["NSDS_SOURCE"]
result = subprocess.run([sys.executable, "-B", os.path.join(source, "python", "generate.py"), "--check"],
                        capture_output=True, text=True)
check("generated files", result.returncode == 0, result.stdout + result.stderr)

from nsds import Model  # noqa: E402
from nsds._core import fields_of, name_of  # noqa: E402
from nsds._headers import FIELDS, FUNCTIONS  # noqa: E402
from nsds._nsds import ffi, lib  # noqa: E402
from nsds._shapes import COUNTS, SHAPES  # noqa: E402

used = [k for k in ffi.list_types()[0] if k.endswith("_def") and "custom" not in k and k != "nsds_context_def"]
check("definitions", len(used) > 25, str(len(used)))
seen = 0
for kind in used + ["nsds_prescribed", "nsds_load_function", "nsds_force_function", "nsds_lagrangian_control",
                    "nsds_first_order_control"]:
    for name, field in fields_of(kind).items():
        ctype = field.type
        if ctype.kind not in ("pointer", "function"):
            continue
        array = ctype.kind == "pointer" and name_of(ctype.item) in ("double", "int")
        operator = ctype is ffi.typeof("nsds_operator")
        if array or operator or ctype.kind == "pointer" and name_of(ctype.item) == "nsds_csc":
            seen += 1
            check("shape of %s.%s" % (kind, name), name in SHAPES.get(kind, {}))
check("shapes seen", seen > 100, str(seen))
for kind, shapes in SHAPES.items():
    for name in shapes:
        check("shape without a field: %s.%s" % (kind, name), name in fields_of(kind))
for kind, name in COUNTS:
    check("count of %s.%s" % (kind, name), name in fields_of(kind) and COUNTS[kind, name] in fields_of(kind))

# Every constructor of a part of a model is a method, and is documented.
for name in dir(lib):
    if not name.startswith("nsds_"):
        continue
    ctype = ffi.typeof(getattr(lib, name))
    if ctype.kind == "function" and ctype.args and name_of(ctype.args[0]) == "nsds_model *":
        if ctype.result.kind == "pointer" and name_of(ctype.result.item) in ("nsds_ds", "nsds_law", "nsds_relation",
                                                                            "nsds_contact_set", "nsds_simulation"):
            if "_at" in name or "custom" in name:
                continue
            check("method " + name[5:], hasattr(Model, name[5:]))
            check("docstring of " + name[5:], len(getattr(Model, name[5:], type(None)).__doc__ or "") > 40)
check("comments", len(FUNCTIONS) > 230, str(len(FUNCTIONS)))
check("comment of a field", "restitution" in FIELDS["nsds_newton_impact_friction_def"]["e_n"])

# The stub says what is there: names of the module, and the public names of its classes.
import ast  # noqa: E402

import nsds  # noqa: E402

with open(os.path.join(source, "python", "nsds", "__init__.pyi")) as file:
    tree = ast.parse(file.read())
only_types = {"Array", "Function", "Scheme", "Activation", "Progress", "State"}
only_types |= {node.name for node in tree.body if isinstance(node, ast.ClassDef) and any(
    isinstance(base, ast.Name) and base.id in ("TypedDict", "Record") for base in node.bases)} - {"Solution"}
named = {node.name for node in tree.body if isinstance(node, (ast.ClassDef, ast.FunctionDef))}
named |= {node.target.id for node in tree.body if isinstance(node, ast.AnnAssign)}
for name in named - only_types:
    check("in the module: " + name, hasattr(nsds, name))
public = {n for n in dir(nsds) if not n.startswith("_") and n not in ("ffi", "lib")}
check("in the stub", public <= named, str(public - named))
for node in tree.body:
    if not isinstance(node, ast.ClassDef) or node.name in only_types or node.name in ("Record", "Solution", "Problem", "GlobalProblem"):
        continue
    kind = getattr(nsds, node.name)
    members = {m.name for m in node.body if isinstance(m, ast.FunctionDef)}
    members |= {m.target.id for m in node.body if isinstance(m, ast.AnnAssign)}
    for name in members:
        check("%s.%s" % (node.name, name), hasattr(kind, name) or name in ("name", "status"))
    if not issubclass(kind, (Exception, dict)):
        own = {n for n in dir(kind) if not n.startswith("_")}
        check("stub of " + node.name, own <= members, str(own - members))


# The arguments of every function and method are those of the stub, in this order.
def arguments_of(node):
    """Names of arguments, of the last definition where there are overloads."""
    return [a.arg for a in node.args.posonlyargs + node.args.args + node.args.kwonlyargs if a.arg != "self"]


def compare(place, function, nodes):
    parameters = [p for p in inspect.signature(function).parameters.values() if p.name not in ("self", "cls", "_step")]
    names = {p.name for p in parameters if p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)}
    typed = set().union(*(arguments_of(n) for n in nodes))
    stars = any(p.kind is p.VAR_KEYWORD for p in parameters)
    check("arguments of " + place, names <= typed and (stars or typed <= names),
          "the stub lacks %s, and has %s beside" % (sorted(names - typed), sorted(typed - names)))


made_by_methods = {"ContactSet", "Interaction", "Law", "Network", "Plugin", "Relation", "Simulation", "System", "Arguments"}
compared = 0
for node in tree.body:
    if isinstance(node, ast.FunctionDef):
        compare(node.name, getattr(nsds, node.name), [node])
    elif isinstance(node, ast.ClassDef) and node.name not in only_types and not node.name.endswith("Error"):
        kind = getattr(nsds, node.name)
        for name in {m.name for m in node.body if isinstance(m, ast.FunctionDef)}:
            found = getattr(kind, name, None)
            if not inspect.isfunction(found) or name.startswith("__") and name != "__init__" or \
                    name == "__init__" and node.name in made_by_methods:
                continue
            compared += 1
            compare("%s.%s" % (node.name, name), found, [
                m for m in node.body if isinstance(m, ast.FunctionDef) and m.name == name])
check("methods compared", compared > 90, str(compared))
if shutil.which("mypy"):
    program = os.path.join(source, "tests", "python", "typed.py")
    examples = os.path.join(source, "examples", "python")
    programs = [program] + [os.path.join(source, "python", "nsds", name) for name in ("plot.py", "__init__.pyi")] + [
        os.path.join(examples, name) for name in sorted(os.listdir(examples)) if name.endswith(".py")]

    def mypy(*words):
        return subprocess.run(["mypy", "--strict", "--no-error-summary", "--cache-dir", os.devnull, *words],
                              capture_output=True, text=True,
                              env=dict(os.environ, MYPYPATH=os.path.join(source, "python")))
    with tempfile.TemporaryDirectory() as folder:  # the programs of the pages; functions there have no annotations
        for page in ("README.md", "docs/python.md"):
            with open(os.path.join(source, page)) as file:
                blocks = re.findall(r"^```python\n(.*?)^```", file.read(), re.S | re.M)
            path = os.path.join(folder, os.path.basename(page)[:-3] + "_blocks.py")
            with open(path, "w") as file:
                file.write("".join(blocks))
            result = mypy("--allow-untyped-defs", "--allow-untyped-calls", path)
            check("mypy of " + page, result.returncode == 0, result.stdout + result.stderr)
    result = mypy(*programs)
    wanted = [k + 1 for k, line in enumerate(open(program)) if "# wrong" in line]
    errors = [line for line in result.stdout.splitlines() if "error:" in line]
    got = sorted({int(line.split(":")[1]) for line in errors if "typed.py" in line})
    check("mypy", got == wanted and all("typed.py" in e for e in errors), result.stdout + result.stderr)
else:
    print("without mypy")
finish()
