"""Pictures of recordings and sweeps with matplotlib: axes have names and units. Each function returns its axes.

    from nsds import plot
    plot.series(path)
    plot.phase(path, "ball.q[0]", "ball.v[0]", units={"ball.q[0]": "m", "ball.v[0]": "m/s"})
    plot.sweep(sweep, table, "top")

Nothing is shown or saved: call matplotlib.pyplot.show(), or axes[0].figure.savefig("path.png"). Wrong arguments are
reported before matplotlib is loaded.
"""
from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from . import Recording, Sweep, UnsupportedError

Axes = Any


def _new_axes(count: int) -> list[Axes]:
    try:
        from matplotlib import pyplot  # type: ignore[import]
    except ImportError:
        raise UnsupportedError("nsds.plot draws with matplotlib, which is not installed (python3-matplotlib)") from None
    figure, axes = pyplot.subplots(count, 1, sharex=True, squeeze=False, figsize=(8.0, 1.2 + 2.4 * count),
                                   layout="constrained")
    return list(axes[:, 0])


def _unit(recording: Mapping[str, Any], name: str, units: Mapping[str, str] | None) -> str:
    if units and name in units:
        return units[name]
    return getattr(recording, "units", {}).get(name, "")


def _label(name: str, unit: str) -> str:
    return "%s [%s]" % (name, unit) if unit else name


def _check(recording: Any, place: str) -> None:
    if not isinstance(recording, Mapping):
        raise TypeError("%s() takes a recording, such as the result of simulation.run(record=[...]), not %s"
                        % (place, type(recording).__name__))


def _column(recording: Mapping[str, Any], name: str) -> Any:
    if name not in recording:
        raise KeyError("the recording has no %r; it has %s" % (name, ", ".join(map(str, recording))))
    return np.asarray(recording[name])


def series(recording: Recording | Mapping[str, Any], quantities: Sequence[str] | None = None,
           units: Mapping[str, str] | None = None, axes: Sequence[Axes] | None = None) -> list[Axes]:
    """Draws quantities over "t", all but the time by default: one panel for each unit.

    A vector gives one line for each entry. `units` has units by name, beside those that the recording knows. Give
    `axes`, one for each unit, to draw into a figure of yours.
    """
    _check(recording, "series")
    if "t" not in recording:
        raise KeyError("series(): the recording has no time; add 't' to the list `record`")
    time = _column(recording, "t")
    if len(time) == 0:
        raise ValueError("series(): the recording has no rows; run at least one step")
    names = [name for name in recording if name not in ("t", "h")] if quantities is None else \
        [quantities] if isinstance(quantities, str) else list(quantities)
    if not names:
        raise ValueError("series(): the recording has nothing but the time; record a quantity")
    panels: dict[str, list[str]] = {}
    columns = {name: _column(recording, name) for name in names}
    for name, values in columns.items():
        if values.shape[:1] != time.shape:
            raise ValueError("series(): %s has %d rows, and the time has %d" % (name, len(values), len(time)))
        panels.setdefault(_unit(recording, name, units), []).append(name)
    if axes is None:
        axes = _new_axes(len(panels))
    if len(axes) != len(panels):
        raise ValueError("series(): %d axes; the quantities have %d units" % (len(axes), len(panels)))
    for panel, (unit, members) in zip(axes, panels.items()):
        for name in members:
            values = columns[name]
            for k, line in enumerate(values.reshape(len(time), -1).T):
                panel.plot(time, line, label=name if values.ndim == 1 else "%s[%d]" % (name, k))
        panel.set_ylabel(_label(members[0], unit) if len(members) == 1 else "[%s]" % unit if unit else "")
        if len(panel.lines) > 1:
            panel.legend()
        panel.grid(True, alpha=0.3)
    axes[-1].set_xlabel("t [s]")
    return list(axes)


def phase(recording: Recording | Mapping[str, Any], x: str, y: str, units: Mapping[str, str] | None = None,
          axes: Axes | None = None) -> Axes:
    """Draws quantity y over quantity x, for example a velocity over its coordinate."""
    _check(recording, "phase")
    columns = [_column(recording, name) for name in (x, y)]
    for name, values in zip((x, y), columns):
        if values.size != len(values):
            raise ValueError("phase(): %s has the shape %s; give one entry, such as %s[0]"
                             % (name, "x".join(map(str, values.shape)), name))
    if len(columns[0]) != len(columns[1]) or len(columns[0]) == 0:
        raise ValueError("phase(): %s has %d rows, and %s has %d" % (x, len(columns[0]), y, len(columns[1])))
    axes = _new_axes(1)[0] if axes is None else axes
    axes.plot(columns[0].ravel(), columns[1].ravel())
    axes.set_xlabel(_label(x, _unit(recording, x, units)))
    axes.set_ylabel(_label(y, _unit(recording, y, units)))
    axes.grid(True, alpha=0.3)
    return axes


SUFFIXES = {"t": 1e12, "g": 1e9, "meg": 1e6, "k": 1e3, "m": 1e-3, "u": 1e-6, "n": 1e-9, "p": 1e-12, "f": 1e-15}


def _positions(words: Sequence[str]) -> list[Any]:
    """Numbers, as netlists write them ("4.7k"); the words themselves where one is no number."""
    numbers = []
    for word in words:
        found = re.fullmatch(r"([-+]?[0-9.]+(?:e[-+]?[0-9]+)?)(meg|[tgkmunpf])?[a-z]*", word.strip().lower())
        try:
            numbers.append(float(found.group(1)) * SUFFIXES.get(found.group(2), 1.0) if found else float(word))
        except ValueError:
            return list(words)
    return numbers


def sweep(sweep: Sweep, table: Any, measures: str | Sequence[str], axis: str | None = None,
          units: Mapping[str, str] | None = None, axes: Axes | None = None) -> Axes:
    """Draws measures of sweep.run_all() as dots over a swept parameter, by default the first.

    Measures of the same kind at many instants make a bifurcation diagram.
    """
    if not isinstance(sweep, Sweep):
        raise TypeError("sweep() takes a nsds.Sweep, and then the table of its run_all(), not %s" % type(sweep).__name__)
    names = [measures] if isinstance(measures, str) else list(measures)
    axis = sweep.axes[0] if axis is None else axis
    if axis not in sweep.axes:
        raise KeyError("the sweep has no axis %r; it has %s" % (axis, ", ".join(sweep.axes)))
    table = np.asarray(table)
    if table.shape != (len(sweep), len(sweep.measures)):
        raise ValueError("sweep(): the table has the shape %s; the sweep has %d points and %d measures"
                         % ("x".join(map(str, table.shape)) or "of a number", len(sweep), len(sweep.measures)))
    for name in names:
        if name not in sweep.measures:
            raise KeyError("the sweep has no measure %r; it has %s" % (name, ", ".join(sweep.measures)))
    x = _positions([sweep.values(point)[axis] for point in range(len(sweep))])
    axes = _new_axes(1)[0] if axes is None else axes
    for name in names:
        axes.plot(x, table[:, sweep.measures.index(name)], ".", markersize=4, label=name)
    axes.set_xlabel(_label(axis, (units or {}).get(axis, "")))
    axes.set_ylabel(_label(names[0], (units or {}).get(names[0], "")) if len(names) == 1 else
                    _label(", ".join(names), (units or {}).get(names[0], "")))
    axes.grid(True, alpha=0.3)
    return axes
