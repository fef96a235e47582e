"""Docstrings from the comments of the headers, and from the rows of the catalogue.

A constructor has the comments of its function and of all fields of its definition. A method or property that stands for a
call of the library (_words.CALLS) has the comment of the call, and the fields of the report that the call returns.
"""
from ._headers import FIELDS, FUNCTIONS, TYPES
from ._nsds import ffi, lib
from ._shapes import HIDDEN
from ._words import CALLS

FAMILIES = ("system", "law", "relation", "contact set", "sensor", "simulation")


def word(pointer):
    return "" if pointer == ffi.NULL else ffi.string(pointer).decode()


def rows_of(family):
    """Rows of the catalogue, {(definition, member): row}."""
    found, kinds, k = {}, lib.nsds_catalogue(family.encode()), 0
    while kinds.member[k] != ffi.NULL:
        kind, n, k = kinds.member[k], 0, k + 1
        while kind.field[n].name != ffi.NULL:
            row, n = kind.field[n], n + 1
            found.setdefault((word(kind.call) + "_def", word(row.member)), row)
    return found


ROWS = {}
for _family in FAMILIES:
    ROWS.update(rows_of(_family))


def unit_of(kind, field, comment):
    """The unit of a field, where its comment has none."""
    row = ROWS.get((kind, field))
    unit = word(row.unit) if row is not None else ""
    return " [%s]" % unit if unit and unit != "1" and "[" not in comment else ""


def fields_of_kind(kind):
    return "\n".join("%s: %s%s" % (field, comment, unit_of(kind, field, comment))
                     for field, comment in FIELDS.get(kind, {}).items() if field not in HIDDEN)


def document(function, kind=None):
    """The comment of a function, and those of a definition or report."""
    words = [FUNCTIONS.get(function, "")] + ([TYPES.get(kind, ""), fields_of_kind(kind)] if kind else [])
    return "\n\n".join(w for w in words if w)


def report_of(function):
    """The report to which a function returns a pointer; None if it returns something else."""
    result = ffi.typeof(getattr(lib, function)).result
    kind = result.item.cname.rpartition(" ")[2] if result.kind == "pointer" else None
    return kind if kind in FIELDS else None


def describe(owners):
    """Gives docstrings to what stands for a call and has none. owners: {"system": System}."""
    for call, place in CALLS.items():
        owner, _, name = place.replace("()", "").partition(".")
        kind, function = owners.get(owner), "nsds_" + call
        own = vars(kind).get(name) if kind else None
        if own is None or own.__doc__:
            continue
        text = document(function, report_of(function))
        if isinstance(own, property):
            setattr(kind, name, property(own.fget, own.fset, own.fdel, text))
        else:
            own.__doc__ = text
