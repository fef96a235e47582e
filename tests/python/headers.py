"""Declarations, comments and stub are those of the headers; every array and function of a definition has a shape."""
import os
import subprocess
import sys

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
finish()
