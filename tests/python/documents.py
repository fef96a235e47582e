"""Every public name has a docstring; those of calls are the comments of the headers. Comments and rows of the catalogue agree
in units, ranges and defaults of the fields that both describe."""
import inspect
import re

import nsds
from nsds._documents import ROWS, word
from nsds._headers import FIELDS, FUNCTIONS
from nsds._words import CALLS
from support import check, finish

seen = 0
for name, kind in sorted(vars(nsds).items()):
    if not inspect.isclass(kind) or issubclass(kind, Exception) or name.startswith("_"):
        continue
    for word_ in dir(kind):
        own = inspect.getattr_static(kind, word_)
        if word_.startswith("_") or own is None or isinstance(own, (str, tuple)):
            continue
        seen += 1
        check("docstring of %s.%s" % (name, word_), len(inspect.getdoc(getattr(kind, word_)) or "") > 5)
check("docstrings seen", seen > 220, str(seen))
check("a scheme", nsds.moreau_jean.__doc__ == FUNCTIONS["nsds_moreau_jean"])

OWNERS = {"system": nsds.System, "interaction": nsds.Interaction, "contact_set": nsds.ContactSet,
          "simulation": nsds.Simulation}
of_calls = 0
for call, place in CALLS.items():
    owner, _, name = place.replace("()", "").partition(".")
    if owner in OWNERS:
        text = inspect.getdoc(getattr(OWNERS[owner], name, None)) or ""
        check("there is %s" % place, hasattr(OWNERS[owner], name))
        of_calls += text.startswith(inspect.cleandoc(FUNCTIONS["nsds_" + call])[:40])
check("comments of calls", of_calls > 30, str(of_calls))
check("fields of a report", "newton_iterations: " in nsds.Simulation.info.__doc__)
check("units of the catalogue", "q0: ndof initial coordinates; NULL means zero [m, rad]" in nsds.Model.lagrangian.__doc__)

# ---- comments and rows ----

NUMBER = r"-?[\d.]+(?:e[+-]?\d+)?"


def comment_of(kind, member):
    return FIELDS.get(kind, {}).get(member, "")


compared = {"unit": 0, "range": 0, "default": 0}
for (kind, member), row in ROWS.items():
    text = comment_of(kind, member)
    place, unit, bounds, usual = "%s.%s" % (kind, member), word(row.unit), word(row.range), word(row.fallback)
    told = re.findall(r"\[([^\]]*[a-zA-Z][^\]]*)\]", text)
    if unit and told and len(told) == 1 and not re.search(r"\d\]$", told[0]):
        compared["unit"] += 1
        check("unit of " + place, unit in ("1", told[0]), "%s, %s" % (unit, told[0]))
    told = re.search(r"in ([\[(]%s, %s[\])])" % (NUMBER, NUMBER), text)
    if bounds and told:
        compared["range"] += 1
        check("range of " + place, bounds == told.group(1), "%s, %s" % (bounds, told.group(1)))
    told = re.search(r"[Dd]efault:? (%s)(?![\w.^]| [a-z])" % NUMBER, text)
    if re.fullmatch(NUMBER, usual) and told:
        compared["default"] += 1
        check("default of " + place, float(usual) == float(told.group(1)), "%s, %s" % (usual, told.group(1)))
for what, least in (("unit", 50), ("range", 6), ("default", 6)):
    check("compared: " + what, compared[what] >= least, str(compared))
finish()
