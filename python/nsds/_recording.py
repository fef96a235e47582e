"""Recorded quantities, as arrays, as one matrix and as a frame of pandas."""
import re

import numpy as np

from ._core import UnsupportedError
from ._words import nearest


def keep(owner, make):
    """Keeps a recording of what is finished, also if Ctrl-C comes meanwhile."""
    try:
        owner.recording = make()
    except KeyboardInterrupt:
        owner.recording = make()
        raise


class Recording(dict):
    """Recorded quantities by name. A vector has a row for each step; a number or one entry is a vector over steps.

    `units` has the units that are known: those of the time, and those of the columns of a job.
    """

    units = {"t": "s", "h": "s"}

    def __missing__(self, name):
        old = re.fullmatch(r"(.+\.[a-z]+)([1-9][0-9]*)", name) if isinstance(name, str) else None
        entry = "%s[%d]" % (old[1], int(old[2]) - 1) if old else name  # "ball.q1", the spelling before 0.3
        if entry in self:
            return self[entry]
        raise KeyError("the recording has no %r%s; it has %s" % (name, nearest(name, self), ", ".join(map(str, self))))

    def columns(self):
        """All quantities as vectors over steps, {name: vector}: a vector "ball.q" becomes "ball.q[0]", "ball.q[1]"."""
        found = {}
        for name, values in self.items():
            values = np.asarray(values)
            if values.ndim == 1:
                found[name] = values
            else:
                found.update(("%s[%d]" % (name, k), column) for k, column in enumerate(values.reshape(len(values), -1).T))
        return found

    def unit(self, column):
        """The unit of a quantity or of one of its entries; "" if it is not known."""
        if not isinstance(column, str):
            raise TypeError("unit(): column must be the name of a quantity, not %s" % type(column).__name__)
        return self.units.get(column, self.units.get(column.partition("[")[0], ""))

    def to_numpy(self):
        """A matrix with a row for each step and a column for each of columns()."""
        columns = list(self.columns().values())
        return np.column_stack(columns) if columns else np.empty((0, 0))

    def __array__(self, dtype=None, copy=None):
        matrix = self.to_numpy()
        return matrix if dtype is None else matrix.astype(dtype)

    def to_pandas(self, index="t"):
        """A frame of pandas with a column for each of columns(). The time is the index; index=None: rows are numbered.

        frame.attrs["units"] has the units that are known.
        """
        columns = self.columns()
        if index is not None and not isinstance(index, str):
            raise TypeError("to_pandas(): index must be the name of a quantity or None, not %s" % type(index).__name__)
        if index is not None and index not in columns and index != "t":
            raise KeyError("to_pandas(): the recording has no %r for the index; it has %s"
                           % (index, ", ".join(map(repr, columns))))
        try:
            import pandas
        except ImportError:
            raise UnsupportedError("to_pandas() needs pandas, which is not installed (python3-pandas)") from None
        rows = {name: values for name, values in columns.items() if name != index}
        frame = pandas.DataFrame(rows, index=pandas.Index(columns[index], name=index) if index in columns else None)
        frame.attrs["units"] = {name: self.unit(name) for name in columns if self.unit(name)}
        return frame

    def __repr__(self):
        columns = self.columns()
        rows = max((len(v) for v in columns.values()), default=0)
        return "<nsds.Recording of %d rows: %s>" % (rows, ", ".join(self) or "nothing")

    def _repr_html_(self):
        from ._html import table
        columns = self.columns()
        rows = max((len(v) for v in columns.values()), default=0)
        shown = list(range(rows)) if rows <= 10 else list(range(5)) + [None] + list(range(rows - 5, rows))
        heads = ["%s [%s]" % (name, self.unit(name)) if self.unit(name) else name for name in list(columns)[:20]]
        body = [["..." if k is None else "%.6g" % v[k] for v in list(columns.values())[:20]] for k in shown]
        more = "" if len(columns) <= 20 else ", the first 20 of %d columns" % len(columns)
        return table("Recording: %d rows%s" % (rows, more), heads, body)
