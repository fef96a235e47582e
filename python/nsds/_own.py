"""Systems, relations, laws and contact sets of one's own, whose operations are functions of Python.

The library gets a table of C functions, one for each operation that the program gives. build_nsds.py makes such a
function for every operation of the headers; it hands its arguments to Python together with the handle of the object. The
tables live as long as the memory of the model.

A function that raises an exception stops the step: the model is as before, and the exception comes out of the call. An
operation of a law returns nothing that could tell the library so. It then leaves NaN, with which no step is made.
"""
import inspect

import numpy as np

from ._calls import checked, signature_of
from ._core import (ArgumentError, Arguments, NoValue, SizeError, StateError, all_finite, answered, copied, define, ffi,
                    fields_of, fill, finite, fitted, guarded, integer, late, lib, name_of, numbers, part_pointer, put)
from ._documents import document
from ._headers import FIELDS, TYPES
from ._model import ContactSet, Law, Model, Relation, System
from ._shapes import HIDDEN
from ._words import nearest

STOPPED, CALLBACK = lib.NSDS_STOPPED, lib.NSDS_ERROR_CALLBACK
MOST_ROWS = 64  # of a contact: memory that is surely large enough where the law does not say its size
TYPE = ffi.new("char[]", b"python")


def operations_of(family):
    """Names of the operations of a table."""
    return [name for name, field in fields_of("nsds_%s_ops" % family).items()
            if field.type.kind == "function" and name not in ("destroy", "jacobian_pair", "shape_count", "shape", "forget")]


def attempt(user, call):
    """Runs call(functions): 0, or a status that ends the step. The exception waits in the owner."""
    functions = ffi.from_handle(user)
    status = guarded(user, call)
    if status == 1:  # NoValue
        return CALLBACK
    if status < 0:
        functions.gate.stop()
        return STOPPED
    return status


def operation(name):
    """An operation (self, arguments, out) with a result of a shape that is known when the object is made."""
    def run(user, arguments, out):
        def call(functions):
            function, shape, label = functions.own[name]
            put(out, function(Arguments(arguments)), shape, label)
        return attempt(user, call)
    return run


def advance(user, arguments, step, q):
    def call(functions):
        function, shape, label = functions.own["advance"]
        put(q, function(Arguments(arguments), copied(step, functions.ndof)), shape, label)
    return attempt(user, call)


def jacobian_pair(user, k, pair):
    """Pairs that Model.check_jacobians() compares."""
    functions = ffi.from_handle(user)
    if k >= len(functions.pairs):
        return False
    pair.name, pair.function, pair.jacobian, pair.variable, pair.rows = functions.pairs[k]
    pair.user = user
    return True


# ---- relations ---------------------------------------------------------------------------------

def relation_limit(user, start, new):
    changed = [False]

    def call(functions):
        function, shape, label = functions.own["limit"]
        value = function(copied(start, shape[0]), copied(new, shape[0]))
        value = fitted(numbers(answered(value, label), label), shape, label)
        old = np.frombuffer(ffi.buffer(new, 8 * shape[0]))
        changed[0] = bool((old != value).any())
        old[:] = value
    if attempt(user, call):
        new[0] = float("nan")  # no step is made with what is missing
    return changed[0]


# ---- laws --------------------------------------------------------------------------------------

def law_block(user, block):
    def call(functions):
        function, _, label = functions.own["block"]
        value = answered(function(), label)
        if not isinstance(value, dict) or "set" not in value:
            raise TypeError("%s must be a dict with set, such as dict(set='box', lower=[-1.0], upper=[1.0])" % label)
        value = {k: np.atleast_1d(v) if k in ("lower", "upper", "K") else v for k, v in value.items()}
        keep, struct = [], ffi.new("nsds_block *")
        fill(None, struct, "nsds_block", dict(value, size=functions.size), keep, None, None, label)
        functions.block = struct, keep, functions.block and functions.block[:2]  # the library may still read the last one
        block[0] = struct[0]
    attempt(user, call)


def law_active(user, y, ydot, tau, slack):
    active = [True]

    def call(functions):
        function, _, label = functions.own["active"]
        n = functions.size
        active[0] = bool(answered(function(copied(y, n), copied(ydot, n), tau, slack), label))
    attempt(user, call)
    return active[0]


def law_restitution(user, ydot, q):
    def call(functions):
        if "restitution" not in functions.own:
            return
        function, shape, label = functions.own["restitution"]
        more = fitted(numbers(answered(function(copied(ydot, functions.size)), label), label), shape, label)
        np.frombuffer(ffi.buffer(q, 8 * functions.size))[:] += more
    if attempt(user, call):
        q[0] = float("nan")  # no step is made with what is missing


def law_compliance(user, D, ld):
    def call(functions):
        function, shape, label = functions.own["compliance"]
        more = fitted(numbers(answered(function(), label), label), shape, label)
        for j in range(functions.size):
            for i in range(functions.size):
                D[j * ld + i] += more[i, j]
    if attempt(user, call):
        D[0] = float("nan")


# ---- contact sets ------------------------------------------------------------------------------

CONTACT = ("key", "ds", "y", "H", "law", "place")


def rows_of(law):
    return getattr(law, "_size", None)


def add_contact(functions, contacts, contact, k):
    """Hands a contact over. Returns the library's status."""
    label = "find(): contact %d" % k
    if not isinstance(contact, dict):
        raise TypeError("%s must be a dict with %s, not %s" % (label, ", ".join(CONTACT), type(contact).__name__))
    for word in contact:
        if word not in CONTACT:
            raise TypeError("%s has no %r%s; it has %s" % (label, word, nearest(word, CONTACT), ", ".join(CONTACT)))
    for word in ("ds", "y", "H"):
        if word not in contact:
            raise TypeError("%s: give %s" % (label, word))
    model, keep = functions.owner(), []
    bodies = contact["ds"] if isinstance(contact["ds"], (list, tuple)) else [contact["ds"]]
    kind = ffi.typeof("nsds_ds *")
    if not 1 <= len(bodies) <= 2:
        raise SizeError("%s: ds has %d systems; one or two are possible" % (label, len(bodies)))
    pointers = [part_pointer(model, b, kind, label + ": ds") for b in bodies if b is not None]
    point = ffi.new("nsds_contact_point *")
    for j, pointer in enumerate(pointers):
        point.ds[j] = pointer
    law = contact.get("law")
    rows = rows_of(law) if law is not None else functions.rows
    y = np.atleast_1d(numbers(contact["y"], label + ": y"))
    n = rows or y.size
    nv = sum(b.nv for b in bodies if b is not None)
    y = fitted(y, (n,), label + ": y")
    H = fitted(numbers(contact["H"], label + ": H"), (n, nv), label + ": H")
    room = n if rows else MOST_ROWS
    values = np.zeros(room), np.zeros(room * max(nv, 1))
    values[0][:n], values[1][:n * nv] = y, H.ravel("F")
    keep.append(values)
    point.key = integer(contact.get("key", k), label + ": key")
    point.y, point.H = (ffi.cast("double *", v.ctypes.data) for v in values)
    if law is not None:
        point.law = part_pointer(model, law, ffi.typeof("nsds_law *"), label + ": law")
    if contact.get("place") is not None:
        place = ffi.new("nsds_contact_place *")
        fill(None, place, "nsds_contact_place", contact["place"], keep, None, None, label + ": place")
        point.place = place
    return lib.nsds_contacts_add(contacts, point)


def find(user, t, contacts):
    status = [0]

    def call(functions):
        function, _, label = functions.own["find"]
        found = answered(function(t), label)
        if found is None or isinstance(found, (dict, str)):
            raise TypeError("%s must return a list of contacts, not %s" % (label, type(found).__name__))
        for k, contact in enumerate(found):
            status[0] = add_contact(functions, contacts, contact, k)
            if status[0]:
                break
    return attempt(user, call) or status[0]


def followed(name):
    """An operation (self, key, arguments, ..., out) of a contact."""
    def run(user, key, arguments, *more):
        def call(functions):
            function, _, label = functions.own[name]
            n, nv = functions.rows or 1, arguments.nv
            given = [int(key), Arguments(arguments)]
            if len(more) == 2:
                given.append(copied(more[0], n * nv).reshape((n, nv), order="F"))
            put(more[-1], function(*given), (n, nv) if name == "gradient_v" else (n,), label)
        return attempt(user, call)
    return run


def reach(user):
    value = [float("nan")]

    def call(functions):
        function, _, label = functions.own["reach"]
        value[0] = float(numbers(answered(function(), label), label))
    attempt(user, call)
    return value[0]


def travel(user, ds, q0, q):
    value = [float("nan")]

    def call(functions):
        function, _, label = functions.own["travel"]
        n = lib.nsds_nq(ds)
        body = functions.owner()._part(System, ffi.cast("nsds_ds *", ds))
        value[0] = float(numbers(answered(function(body, copied(q0, n), copied(q, n)), label), label))
    attempt(user, call)
    return value[0]


def place(user, key, arguments, found, place):
    def call(functions):
        function, _, label = functions.own["place"]
        n, nv = functions.rows or 1, arguments.nv
        value = function(int(key), Arguments(arguments), copied(found, n * nv).reshape((n, nv), order="F"))
        if value is not None:
            fill(None, place, "nsds_contact_place", answered(value, label), [], None, None, label)
    attempt(user, call)


SPECIAL = {("second_order", "advance"): advance, ("relation", "limit"): relation_limit, ("law", "block"): law_block,
           ("law", "active"): law_active,
           ("law", "restitution"): law_restitution, ("law", "compliance"): law_compliance, ("geometry", "find"): find,
           ("geometry", "reach"): reach, ("geometry", "travel"): travel, ("geometry", "place"): place}
SPECIAL.update({("geometry", name): followed(name) for name in ("output", "gradient_v", "bias")})


def _define(family, name, function):
    """Makes a function of Python the C function of an operation."""
    c = "nsds_py_%s_%s" % (family, name)
    result = ffi.typeof(getattr(lib, c)).result
    error = {} if result.kind == "void" else dict(error=STOPPED if result.kind == "enum" else 0)

    def run(user, *arguments):
        return function(user, *arguments)
    ffi.def_extern(name=c, onerror=late, **error)(run)


for _family in ("second_order", "first_order", "relation", "law", "geometry"):
    for _name in operations_of(_family):
        _define(_family, _name, SPECIAL.get((_family, _name)) or operation(_name))
    if _family not in ("law", "geometry"):
        _define(_family, "jacobian_pair", jacobian_pair)


# ---- making ------------------------------------------------------------------------------------

def relation_shapes(d):
    """Shapes of the results, and pairs (function, Jacobian, variable, rows)."""
    ny, nq, nx = d.ny, d.nq, d.nx
    nv, rows, columns = d.nv or nq, nx + (d.nv or nq) if d.mixed else nq, nx if d.mixed else nq
    shapes = dict(output=(ny,), jacobian_q=(ny, nq), gradient_v=(ny, nv), jacobian_v=(ny, nv), jacobian_x=(ny, nx),
                  jacobian_t=(ny,), bias=(ny,), jacobian_lambda=(ny, ny), feedthrough=(ny, ny), input=(rows,),
                  input_lambda=(rows, ny), input_x=(rows, columns), input_q=(rows, nq), input_v=(rows, nv),
                  limit=(ny,))
    return shapes


def relation_pairs(d, given):
    state = lib.NSDS_WRT_X if "input" in given and not d.mixed else lib.NSDS_WRT_Q
    return [("output", "jacobian_q", state, d.ny), ("output", "jacobian_v", lib.NSDS_WRT_V, d.ny),
            ("output", "jacobian_x", lib.NSDS_WRT_X, d.ny), ("output", "jacobian_t", lib.NSDS_WRT_T, d.ny),
            ("output", "jacobian_lambda", lib.NSDS_WRT_LAMBDA, d.ny)]


def second_order_shapes(d):
    n = d.ndof
    return dict(mass=(n, n), force=(n,), damping=(n, n), stiffness=(n, n), velocity_map=(d.nq or n, n),
                advance=(d.nq or n,), prescribed=(d.prescribed.n,))


def first_order_shapes(d):
    n = d.n
    return dict(mass=(n, n), rhs=(n,), jacobian=(n, n), rate_jacobian=(n, n))


def first_order_pairs(d, given):
    return [("rhs", "jacobian", lib.NSDS_WRT_X, d.n), ("rhs", "rate_jacobian", lib.NSDS_WRT_XDOT, d.n)]


def law_shapes(d):
    n = d.size or 1
    return dict(restitution=(n,), compliance=(n, n))


# name: (family, needed operations, shapes, pairs, kind of part)
KINDS = {"custom_second_order": ("second_order", ("mass", "force"), second_order_shapes, None, System),
         "custom_first_order": ("first_order", ("rhs",), first_order_shapes, first_order_pairs, System),
         "custom_relation": ("relation", ("output",), relation_shapes, relation_pairs, Relation),
         "custom_law": ("law", ("block",), law_shapes, None, Law),
         "custom_contact_set": ("geometry", ("find",), lambda d: {}, None, ContactSet)}


def constantly(value):
    return lambda *arguments: value


def check_constant(value, word, shape, label):
    """A value that stands for a function is right when the object is made, not in a step."""
    if shape is not None:
        all_finite(fitted(numbers(value, label), shape, label), label)
    elif word == "block":
        if not isinstance(value, dict) or "set" not in value:
            raise TypeError("%s must be a function, or a dict with set, such as dict(set='nonnegative')" % label)
    elif word == "reach":
        finite(value, label)
    elif word != "active" or not isinstance(value, (bool, np.bool_)):
        raise TypeError("%s must be a function, not %s" % (label, type(value).__name__))


def check_coordinates(name, struct, operations):
    """Coordinates that are not as many as velocities need functions; q0 may be what tells their number."""
    if struct.nq not in (0, struct.ndof) and not {"velocity_map", "advance"} <= set(operations):
        raise SizeError("%s(): q0 or nq says that there are %d coordinates, and ndof is %d: then velocity_map and advance are "
                        "required" % (name, struct.nq, struct.ndof))


def sorted_arguments(name, family, kind, given):
    """(operations, fields) of the arguments; a matrix shape of the definition is told by its operation."""
    names, fields = operations_of(family), [f for f in fields_of(kind) if f not in HIDDEN + ("ops", "self")]
    shapes = [f for f, field in fields_of(kind).items() if name_of(field.type) == "nsds_matrix_shape"]
    known = names + [f for f in fields if f not in shapes] + (["constant"] if shapes else [])
    for word in given:
        if word not in known:
            raise TypeError("%s() has no argument %r%s; it has %s" % (name, word, nearest(word, known), ", ".join(known)))
    given = {word: value for word, value in given.items() if value is not None}
    constant = given.pop("constant", ())
    for word in constant:
        if word not in shapes:
            raise ArgumentError("%s(): constant has %r%s; it may have %s" % (name, word, nearest(word, shapes), ", ".join(shapes)))
    operations = {word: given.pop(word) for word in names if word in given and (word not in fields or word in shapes)}
    if isinstance(given.get("prescribed"), dict) and "fn" in given["prescribed"]:  # the function is an operation
        given["prescribed"] = dict(given["prescribed"])
        operations["prescribed"] = given["prescribed"].pop("fn")
    for word in shapes:
        if word in operations:
            given[word] = dict(present=True, constant=word in constant)
    return operations, given


def table_of(model, family, given):
    """The table of C functions, in the memory of the model."""
    kind = "nsds_%s_ops" % family
    memory = lib.nsds_py_life_memory(model._life, ffi.sizeof(kind))
    if memory == ffi.NULL:
        raise MemoryError("no memory for an object of one's own")
    table = ffi.cast(kind + " *", memory)
    table.type = TYPE
    for word in given:
        setattr(table, word, getattr(lib, "nsds_py_%s_%s" % (family, word)))
    return table


def maker(name, family, needed, shapes, pairs, result):
    kind, call = "nsds_%s_def" % name, getattr(lib, "nsds_" + name)

    def make(self, **given):
        self._alive()
        if self._lent is not None:
            raise StateError("the model belongs to a job")
        operations, given = sorted_arguments(name, family, kind, given)
        for word in needed:
            if word not in operations:
                raise TypeError("%s(): give %s" % (name, word))
        law = given.get("law")
        struct, keep, functions = define(self, kind, given)
        sizes = shapes(struct)
        for word, value in operations.items():
            if not callable(value):
                check_constant(value, word, sizes.get(word), "%s(): %s" % (name, word))
                operations[word] = constantly(value)
        if family == "second_order":
            check_coordinates(name, struct, operations)
        functions.own = {w: (f, sizes.get(w, ()), "%s(): %s" % (name, w)) for w, f in operations.items()}
        functions.ndof, functions.size = getattr(struct, "ndof", 0), getattr(struct, "size", 0) or 1
        functions.rows, functions.block, functions.pairs = rows_of(law), None, []
        functions.list = list(functions.own.values())
        for function, jacobian, variable, rows in pairs(struct, operations) if pairs else ():
            if function in operations and jacobian in operations:
                label, order = ffi.new("char[]", jacobian.encode()), list(functions.own)
                keep.append(label)
                functions.pairs.append((label, lib.nsds_py_operator(order.index(function)),
                                        lib.nsds_py_operator(order.index(jacobian)), variable, rows))
        functions.keep = keep
        table = list(operations) + (["jacobian_pair"] if functions.pairs else [])
        if family == "law" and struct.level == lib.NSDS_LEVEL_VELOCITY and "restitution" not in table:
            table.append("restitution")  # which fails after an exception in active()
        struct.ops = table_of(self, family, table)
        struct.self = functions.handle
        if result in (System, ContactSet):
            self._end_views(name + "()")
        c = self._call(call, self._c, struct)
        if result is ContactSet:
            self._sets += 1
            return self._new(result, c, functions, 3)
        if result is Law:
            part = self._new(result, c, functions)
            part._size = functions.size
            return part
        return self._new(result, c, functions, struct.nz)
    make.__name__, make.__qualname__ = name, "Model." + name
    table = "nsds_%s_ops" % family
    words = ["%s: %s" % (word, FIELDS[table].get(word, "")) for word in operations_of(family)]
    make.__doc__ = "\n\n".join([document("nsds_" + name, kind), TYPES.get(table, ""),
                                "Operations are functions of Python, or constants:\n" + "\n".join(words)])
    hidden = HIDDEN + ("ops", "self")
    shown = [w for w in operations_of(family) if w != "prescribed"] + [f for f, field in fields_of(kind).items() if f not in hidden
                                     and name_of(field.type) != "nsds_matrix_shape"]
    if any(name_of(field.type) == "nsds_matrix_shape" for field in fields_of(kind).values()):
        shown.append("constant")
    make.__signature__ = signature_of(shown)
    return checked(make, name + "()")


for _name, _row in KINDS.items():
    setattr(Model, _name, maker(_name, *_row))
