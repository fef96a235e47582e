"""What nsds.plot draws, without matplotlib: axes of a test note every call. Names, units, values and places are checked.

Recordings are drawn at random: quantities with one or more entries, with and without units.
"""
import os
import random
import sys
import tempfile
import types

import numpy as np

import nsds
from nsds import plot
from support import check, finish, raises


class Line:
    def __init__(self, x, y, words, label):
        self.x, self.y, self.words, self.label = x, y, words, label


class Axes:
    """Axes that note what is drawn into them."""

    def __init__(self):
        self.lines, self.xlabel, self.ylabel, self.legends, self.grids = [], None, None, 0, []

    def plot(self, x, y, *words, label=None, **more):
        check("lengths", len(x) == len(y), "%d %d" % (len(x), len(y)))
        self.lines.append(Line(np.array(x), np.array(y), words, label))

    def set_xlabel(self, text):
        self.xlabel = text

    def set_ylabel(self, text):
        self.ylabel = text

    def legend(self):
        self.legends += 1

    def grid(self, *words, **more):
        self.grids.append(words)


def with_unit(name, unit):
    return name + " [" + unit + "]" if unit else name


def drawn_recording(rng):
    """(recording, units): quantities of one unit share a panel."""
    rows, recording, units = rng.randint(1, 6), nsds.Recording(), {}
    recording["t"] = np.linspace(0.0, 1.0, rows)
    for k in range(rng.randint(1, 5)):
        name, size = "part%d.%s" % (k, rng.choice("qvx")), rng.choice([None, 1, 2, 3])
        recording[name] = np.array([rng.random() for _ in range(rows * (size or 1))]).reshape((rows, size) if size else (rows,))
        unit = rng.choice(["", "m", "N", "V"])
        if unit:
            units[name] = unit
    if rng.random() < 0.3:
        recording["h"] = np.ones(rows)
    return recording, units


def expected_lines(recording, names):
    for name in names:
        values = recording[name]
        if values.ndim == 1:
            yield name, values
        else:
            for k in range(values.shape[1]):
                yield "%s[%d]" % (name, k), values[:, k]


def series(rng):
    recording, units = drawn_recording(rng)
    names = [n for n in recording if n not in ("t", "h")]
    chosen = rng.sample(names, rng.randint(1, len(names))) if rng.random() < 0.5 else None
    panels = {}
    for name in chosen or names:
        panels.setdefault(units.get(name, ""), []).append(name)
    axes = [Axes() for _ in panels]
    result = plot.series(recording, chosen, units=units, axes=axes)
    check("the axes come back", result == axes)
    for panel, (unit, members) in zip(axes, panels.items()):
        wanted = list(expected_lines(recording, members))
        check("labels of lines", [line.label for line in panel.lines] == [name for name, _ in wanted],
              str([line.label for line in panel.lines]))
        check("lines", all((line.y == values).all() and (line.x == recording["t"]).all()
                           for line, (_, values) in zip(panel.lines, wanted)))
        label = with_unit(members[0], unit) if len(members) == 1 else "[%s]" % unit if unit else ""
        check("label of a panel", panel.ylabel == label, "%r instead of %r" % (panel.ylabel, label))
        check("a legend beside several lines", panel.legends == (len(wanted) > 1))
        check("a grid", len(panel.grids) == 1 and panel.grids[0] == (True,))
        check("the time below", panel.xlabel == ("t [s]" if panel is axes[-1] else None), repr(panel.xlabel))
    raises("too few axes", ValueError, lambda: plot.series(recording, axes=[]), "0 axes", "%d units" % len(
        {recording.unit(n) for n in names}))
    raises("one that is not there", KeyError, lambda: plot.series(recording, ["nothing"], axes=axes), "'nothing'", names[0])


def phase(rng):
    recording, units = drawn_recording(rng)
    names = [n for n in recording if n != "h" and recording[n].size == len(recording[n])]
    x, y = rng.choice(names), rng.choice(names)
    axes = Axes()
    check("the axes come back", plot.phase(recording, x, y, units=units, axes=axes) is axes)
    check("one line", len(axes.lines) == 1 and (axes.lines[0].x == recording[x].ravel()).all() and
          (axes.lines[0].y == recording[y].ravel()).all())
    unit = dict({"t": "s"}, **units)
    check("labels of a phase", (axes.xlabel, axes.ylabel) == (with_unit(x, unit.get(x, "")), with_unit(y, unit.get(y, ""))),
          "%r %r" % (axes.xlabel, axes.ylabel))
    check("a grid", axes.grids == [(True,)])
    wide = [n for n in recording if recording[n].size > len(recording[n])]
    if wide:
        raises("a vector", ValueError, lambda: plot.phase(recording, x, wide[0], axes=axes), wide[0] + "[0]")


def subplots(rows, columns, sharex, squeeze, figsize, layout):
    """A figure of matplotlib, as nsds.plot asks for it."""
    check("panels one below the other", columns == 1 and sharex is True and squeeze is False)
    check("a figure's size", figsize[0] == 8.0 and abs(figsize[1] - (1.2 + 2.4 * rows)) < 1e-12, str(figsize))
    array = np.empty((rows, 1), object)
    for k in range(rows):
        array[k, 0] = Axes()
    return None, array


pyplot = types.ModuleType("matplotlib.pyplot")
pyplot.subplots = subplots
matplotlib = types.ModuleType("matplotlib")
matplotlib.pyplot = pyplot
sys.modules.update({"matplotlib": matplotlib, "matplotlib.pyplot": pyplot})

rng = random.Random(1)
for _ in range(200):
    series(rng)
    phase(rng)

# Sweeps: dots over the swept values, as netlists write them.
NETLIST = """RC
.param w=1 r=1k
V1 a 0 1
R1 a b {r}
C1 b 0 1u IC=0
.tran 10u 1m uic
.print tran v(b)
.meas tran top max v(b)
.meas tran low min v(b)
"""
with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "rc.cir")
    with open(path, "w") as file:
        file.write(NETLIST)
    sweep = nsds.Sweep(path, ["w=1,2", "r=1k,4.7k,1meg"])
    table = sweep.run_all()
    axes = Axes()
    check("the axes come back", plot.sweep(sweep, table, ["top", "low"], "r", units={"r": "Ohm", "top": "V"}, axes=axes) is axes)
    check("labels of dots", [line.label for line in axes.lines] == ["top", "low"])
    check("dots", all(line.words == (".",) for line in axes.lines))
    check("places of dots", sorted(set(axes.lines[0].x)) == [1e3, 4.7e3, 1e6], str(axes.lines[0].x))
    for line, name in zip(axes.lines, ("top", "low")):
        check("values of dots", (line.y == table[:, sweep.measures.index(name)]).all())
    check("labels of a sweep", (axes.xlabel, axes.ylabel) == ("r [Ohm]", "top, low [V]"), "%r %r" % (axes.xlabel, axes.ylabel))
    axes = plot.sweep(sweep, table, "low", units={"low": "V"}, axes=Axes())
    check("the first axis, one measure", (axes.xlabel, axes.ylabel) == ("w", "low [V]") and len(axes.lines) == 1)
    check("a grid of a sweep", axes.grids == [(True,)])
    raises("no such axis", KeyError, lambda: plot.sweep(sweep, table, "top", "q"), "'q'", "w, r")
    raises("no such measure", KeyError, lambda: plot.sweep(sweep, table, "mean"), "'mean'", "top, low")
    raises("another table", ValueError, lambda: plot.sweep(sweep, table[:1], "top"), "6 points", "2 measures")
    check("new axes of a sweep", isinstance(plot.sweep(sweep, table.tolist(), "top"), Axes))

path = {"t": [0.0, 1.0], "a": [1.0, 2.0], "b": [[1.0], [2.0]]}  # lists are columns, too
axes = plot.series(path, units={"a": "m"})
check("new axes, one for each unit", len(axes) == 2 and all(isinstance(a, Axes) for a in axes))
check("new axes of a phase", isinstance(plot.phase(path, "a", "b"), Axes))
check("one name", [line.label for a in plot.series(path, "a") for line in a.lines] == ["a"])
for call in (lambda: plot.series([1.0]), lambda: plot.phase([1.0], "a", "b"), lambda: plot.sweep(3, [], "top")):
    raises("no recording", TypeError, call, "takes a")
raises("other rows", ValueError, lambda: plot.phase(dict(path, c=[1.0]), "a", "c"), "a has 2 rows", "c has 1")
raises("no rows", ValueError, lambda: plot.phase(dict(a=[], b=[]), "a", "b"), "0")
check("one row", plot.phase(dict(a=[1.0], b=[2.0]), "a", "b").lines[0].y[0] == 2.0)
raises("other rows", ValueError, lambda: plot.series(dict(path, c=[1.0])), "c has 1 rows")
raises("no time", KeyError, lambda: plot.series(dict(a=[1.0])), "'t'")
raises("no rows", ValueError, lambda: plot.series(dict(t=[], a=[])), "no rows")
finish()
