"""Quantities that a run reads by name: the rows of the library's table."""
from ._nsds import ffi, lib
from ._words import nearest

NULL = ffi.NULL

OWNERS = {None: lib.NSDS_OWNER_RUN, "nsds_ds": lib.NSDS_OWNER_SYSTEM, "nsds_interaction": lib.NSDS_OWNER_INTERACTION,
          "nsds_contact_set": lib.NSDS_OWNER_CONTACT_SET, "nsds_sensor": lib.NSDS_OWNER_SENSOR}


def _rows():
    """{owner: {name: row}}, in the order of the table."""
    found, row = {owner: {} for owner in OWNERS.values()}, lib.nsds_quantity_table()
    while row.name != NULL:
        found[row.owner][ffi.string(row.name).decode()] = row
        row += 1
    return found


ROWS = _rows()
STATES = {name: ROWS[lib.NSDS_OWNER_SYSTEM][name] for name in "qvx"}


def rows_of(part):
    """{name: row} of the quantities that a part may have; of the run for None."""
    return ROWS[OWNERS[None if part is None else part._kind]]


def size_of(row, c):
    """Number of entries; None: one number, without an index; 0: there is none."""
    size = lib.nsds_quantity_size(row, c)
    return size if row.size != NULL or size == 0 else None


def quantities_of(part):
    """Names of the quantities that a part has; of the run for None."""
    c = NULL if part is None else part._alive()
    return [name for name, row in rows_of(part).items() if lib.nsds_quantity_size(row, c)]


def has_quantity(part, name):
    row = rows_of(part).get(name)
    return row is not None and size_of(row, NULL if part is None else part._alive()) != 0


def meant(quantity, known, part, of):
    """What a misspelt quantity may be. "q1" is the spelling of "q[0]" before 0.3."""
    word = quantity.rstrip("0123456789")
    digits = quantity[len(word):]
    size = size_of(rows_of(part)[word], part._alive()) if part is not None and word in known else None
    if digits and size and int(digits) <= size:
        return ", did you mean '%s.%s[%d]'?" % (of, word, max(int(digits) - 1, 0))
    return nearest(quantity, known)
