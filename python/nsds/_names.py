"""Parts of a model by name, found in constant time.

A table of each kind holds the first part of each name. New parts, removals and new names keep it up to date. While
two parts of one kind have the same name, removals and new names make the table anew. The tables hold addresses, so that they keep no part alive.
"""
from ._core import lib, text
from ._words import nearest

# kind: (number of parts, part k, its name)
KINDS = {"nsds_ds": (lib.nsds_ds_count, lib.nsds_ds_at, lib.nsds_ds_name),
         "nsds_interaction": (lib.nsds_interaction_count, lib.nsds_interaction_at, lib.nsds_interaction_name),
         "nsds_contact_set": (lib.nsds_model_contact_set_count, lib.nsds_model_contact_set_at,
                              lib.nsds_contact_set_name),
         "nsds_sensor": (lib.nsds_sensor_count, lib.nsds_sensor_at, lib.nsds_sensor_name)}


class Table:
    """The parts of one kind: `first` has the first part of each name, `twice` has names of several parts."""

    __slots__ = ("kind", "count", "first", "twice")

    def __init__(self, kind):
        self.kind, self.count, self.first, self.twice = kind, -1, {}, set()

    def make(self, model):
        """Makes the table anew if the model has another number of parts than the table."""
        count, at, name_of = KINDS[self.kind]
        n = count(model)
        if n != self.count:
            self.count, self.first, self.twice = 0, {}, set()
            for k in range(n):
                self.add(at(model, k))
        return self.first

    def add(self, c):
        if self.count < 0:
            return
        name = text(KINDS[self.kind][2](c))
        self.count += 1
        if name and self.first.setdefault(name, c) != c:
            self.twice.add(name)

    def drop(self, c):
        """Forgets a part, before it is removed or gets another name."""
        if self.count < 0:
            return
        name = text(KINDS[self.kind][2](c))
        if self.twice:  # removals may change the order of the other parts
            self.count = -1
            return
        self.count -= 1
        if name:
            self.first.pop(name, None)

    def rename(self, c, name):
        """A part gets another name: to be called before the library does it."""
        if self.count < 0:
            return
        if name in self.first:
            self.count = -1
            return
        self.drop(c)
        if self.count >= 0:
            self.count += 1
            if name:
                self.first[name] = c


class Names:
    """All names of a model. A system comes before an interaction of the same name, and so on: contact set, sensor."""

    __slots__ = ("tables",)

    def __init__(self):
        self.tables = {kind: Table(kind) for kind in KINDS}

    def of(self, kind):
        return self.tables.get(kind)

    def find(self, model, name):
        """(kind, pointer) of a name, or None."""
        for kind, table in self.tables.items():
            c = table.make(model).get(name)
            if c is not None:
                return kind, c
        return None

    def all(self, model):
        """All names, in the order of the model."""
        return list(dict.fromkeys(name for table in self.tables.values() for name in table.make(model)))


def unknown(name, names):
    """The message for a name that a model does not have."""
    return "the model has nothing named %r%s; it has %s" % (
        name, nearest(name, names), ", ".join(map(repr, names[:20])) or "no names")
