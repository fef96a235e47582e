"""Models and what they own."""
import weakref

import numpy as np

from . import _later
from ._calls import check_class, signature_of
from ._core import (LONGEST, NULL, ArgumentError, Lasting, Part, Pieces, Record, Shown, SizeError, StateError, Value,
                    ViewsError, chars, define, enum_value, ffi, fields_of, fill, finite, fitted, lib, listed,
                    name_of, number, numbers, part_pointer, record, shaped, small, text)
from ._documents import document
from ._headers import FUNCTIONS
from ._html import frame, table
from ._names import Names, unknown
from ._quantities import STATES, quantities_of, rows_of, size_of
from ._shapes import HIDDEN
from ._words import nearest


# ---- views of the state ------------------------------------------------------------------------

class Viewing(Part):
    """A part whose state can be seen in arrays."""

    __slots__ = ("_views",)

    def __init__(self, model, c):
        super().__init__(model, c)
        self._views = {}

    def _view(self, function, n, moving=False):
        """An array that shows n numbers of the model, without a copy. A part of a moving memory is copied."""
        model = self._model
        pointer = model._call(function, self._alive())
        if moving and model._sets:
            array = np.frombuffer(ffi.buffer(pointer, 8 * n)).copy() if n else np.empty(0)
            array.flags.writeable = False
            return array
        known = self._views.get(function)
        if known is not None and known[0] == pointer:
            return known[1]
        if n == 0:
            return np.empty(0)
        array = model._show(pointer, n)
        model._viewers.add(self)
        self._views[function] = (pointer, array)
        return array

    @property
    def _label(self):
        return self.name or type(self).__name__.lower()


def named(get, set_):
    def getter(self):
        return text(self._model._call(get, self._alive()))

    def setter(self, name):
        keep = []
        c = self._alive()
        pointer = NULL if name is None else chars(name, keep, "name", LONGEST)
        table = self._model._names.of(self._kind)
        if table is not None:
            table.rename(c, name)
        try:
            self._model._call(set_, c, pointer)
        except Exception:
            if table is not None:
                table.count = -1
            raise
    return property(getter, setter, doc="The name in messages; at most 47 bytes.")


def state_of(function, size, moving=False):
    call = getattr(lib, "nsds_" + function)
    return property(lambda self: self._view(call, size(self), moving))


def parameters(get, set_):
    def getter(self):
        """The parameters z, as a copy."""
        pointer = self._model._call(get, self._alive()) if self._nz else NULL
        return np.frombuffer(ffi.buffer(pointer, 8 * self._nz)).copy() if self._nz else np.empty(0)

    def setter(self, z):
        array = numbers(z, "z").ravel()
        if array.size != self._nz:
            raise SizeError("z has %d numbers; it must have %d" % (array.size, self._nz))
        self._model._call(set_, self._alive(), array.size, ffi.cast("double *", array.ctypes.data))
    return property(getter, setter, doc="The parameters z, as a copy. Assign to change them.")


def read_quantity(call, simulation, part, name):
    """The present value of a quantity: a number, or an array of its own. `call` checks for errors."""
    known = quantities_of(part)
    if not isinstance(name, str):
        raise TypeError("quantity(): name must be a text, not %s" % type(name).__name__)
    if name not in known:
        raise ArgumentError("quantity(): name: there is no %r%s; there are %s" % (name, nearest(name, known), ", ".join(known)))
    row, c = rows_of(part)[name], NULL if part is None else part._alive()
    c, size = ffi.cast("void *", c), size_of(row, c)
    values = [call(lib.nsds_quantity_read, row, simulation, c, k) for k in range(1 if size is None else size)]
    return values[0] if size is None else np.array(values)


def quantity(self, name):
    """The present value of a quantity by its name, such as "overlap": a number, or an array of its own."""
    return read_quantity(self._model._call, NULL, self, name)


class System(Viewing):
    """A dynamical system: q and v of second order, or x of first order. Arrays show the present state and are
    read-only; assign to set the state."""

    __slots__ = ("_nz", "_size")
    _kind = "nsds_ds"
    quantity = quantity

    def __init__(self, model, c, nz=None):
        super().__init__(model, c)
        self._size = (lib.nsds_nq(c), lib.nsds_nv(c), lib.nsds_nx(c))
        first = lib.nsds_x(c) if self._size[2] else lib.nsds_q(c)
        self._nz = nz if nz is not None else lib.nsds_ds_point(c, 0.0, first, first).nz

    nq = property(lambda self: self._size[0], doc=FUNCTIONS["nsds_nq"])
    nv = property(lambda self: self._size[1], doc=FUNCTIONS["nsds_nv"])
    nx = property(lambda self: self._size[2], doc=FUNCTIONS["nsds_nx"])
    name = named(lib.nsds_ds_name, lib.nsds_ds_set_name)
    z = parameters(lib.nsds_ds_z, lib.nsds_ds_set_z)
    p = state_of("p", lambda self: self.nv)
    r = state_of("r", lambda self: self.nx)
    prescribed_force = state_of("prescribed_force", lambda self: self.nv)

    def _facts(self):
        c = self._alive()
        read = [("q", lib.nsds_q, self._size[0]), ("v", lib.nsds_v, self._size[1])] if self._size[1] else \
            [("x", lib.nsds_x, self._size[2])]
        return [(word, np.frombuffer(ffi.buffer(self._model._call(call, c), 8 * n)).copy()) for word, call, n in read]

    def _order(self, second):
        self._alive()
        if bool(self._size[1]) != second:
            raise StateError("%s is a system of %s order; it has no %s"
                             % (self._label, "first" if second else "second", "q and v" if second else "x"))

    @property
    def q(self):
        if not self._size[1]:
            self._order(True)
        return self._view(lib.nsds_q, self._size[0])

    @q.setter
    def q(self, value):
        self._order(True)
        self.set_state(q=self._array(value, self.nq, "q"))

    @property
    def v(self):
        if not self._size[1]:
            self._order(True)
        return self._view(lib.nsds_v, self._size[1])

    @v.setter
    def v(self, value):
        self._order(True)
        self.set_state(v=self._array(value, self.nv, "v"))

    @property
    def x(self):
        if not self._size[2]:
            self._order(False)
        return self._view(lib.nsds_x, self._size[2])

    @x.setter
    def x(self, value):
        self._order(False)
        array = self._array(value, self.nx, "x")
        self._model._call(lib.nsds_set_x, self._alive(), ffi.cast("double *", array.ctypes.data))

    def set_r(self, value):
        self._order(False)
        array = self._array(value, self.nx, "set_r(): value")
        self._model._call(lib.nsds_set_r, self._alive(), ffi.cast("double *", array.ctypes.data))

    @staticmethod
    def _array(value, n, name):
        return np.ascontiguousarray(fitted(numbers(value, name), (n,), name))

    def set_state(self, q=None, v=None):
        self._order(True)
        q = self._array(self.q if q is None else q, self.nq, "q")
        v = self._array(self.v if v is None else v, self.nv, "v")
        self._model._call(lib.nsds_set_state, self._alive(), ffi.cast("double *", q.ctypes.data),
                          ffi.cast("double *", v.ctypes.data))

    def set_force(self, force=(0, 0, 0), moment=(0, 0, 0), frame="world"):
        force = self._array(force, 3, "force")
        moment = self._array(moment, 3, "moment")
        self._model._call(lib.nsds_set_body_force, self._alive(), ffi.cast("double *", force.ctypes.data),
                          ffi.cast("double *", moment.ctypes.data),
                          enum_value(ffi.typeof("nsds_frame"), frame, "frame"))

    def discretise(self, scheme):
        self._model._call(lib.nsds_ds_discretise, self._alive(), scheme_of(scheme))

    @property
    def kinetic_energy(self):
        value = self._model._call(lib.nsds_kinetic_energy, self._alive())
        if value != value:
            self._model._fail()
        return value

    def contacts(self):
        """The contacts of this body, see Model.contacts(), with `body_force` on this body in the world."""
        found = self._model._contacts(lib.nsds_body_contacts, self._alive())
        for contact in found:
            contact.body_force = contact.world_force if contact.bodies[0] == self else -contact.world_force
        return found

    def destroy(self):
        """Removes the system from its model."""
        self._model._remove(lib.nsds_ds_destroy, self)


class Relation(Part):
    """A relation between states and local variables y."""

    __slots__ = ("_nz",)
    _kind = "nsds_relation"

    def __init__(self, model, c, nz=0):
        super().__init__(model, c)
        self._nz = nz

    name = named(lib.nsds_relation_name, lib.nsds_relation_set_name)
    z = parameters(lib.nsds_relation_z, lib.nsds_relation_set_z)

    def destroy(self):
        """Destroys the relation."""
        self._model._remove(lib.nsds_relation_destroy, self)


class Law(Part):
    """A nonsmooth law."""

    __slots__ = ("_size",)
    _kind = "nsds_law"

    def __init__(self, model, c):
        super().__init__(model, c)
        self._size = None  # rows, where they are known

    name = named(lib.nsds_law_name, lib.nsds_law_set_name)


class Interaction(Viewing):
    """A relation and a law over systems. Arrays show the present values and are read-only."""

    __slots__ = ("_nz", "_n")
    _kind = "nsds_interaction"
    quantity = quantity

    def __init__(self, model, c):
        super().__init__(model, c)
        self._nz = 0
        self._n = lib.nsds_interaction_size(c)

    def _facts(self):
        facts = [("between", ", ".join(s.name or "a system" for s in self.systems))]
        try:
            force = ("impulse", np.array(self.impulse))
        except StateError:  # of a drive, or between systems of first order
            force = ("lambda", np.array(self.lambda_))
        return facts + [("y", np.array(self.y)), force, ("active", self.active)]

    size = property(lambda self: self._n, doc=FUNCTIONS["nsds_interaction_size"])
    name = named(lib.nsds_interaction_name, lib.nsds_interaction_set_name)
    y = state_of("y", lambda self: self._n, True)
    ydot = state_of("ydot", lambda self: self._n, True)
    lambda_ = state_of("lambda", lambda self: self._n, True)
    impulse = state_of("impulse", lambda self: self._n, True)

    @property
    def active(self):
        return bool(self._model._call(lib.nsds_is_active, self._alive()))

    @property
    def on(self):
        return bool(self._model._call(lib.nsds_is_on, self._alive()))

    @on.setter
    def on(self, value):
        self._model._call(lib.nsds_set_on, self._alive(), bool(value))

    @property
    def z(self):
        pointer = self._model._call(lib.nsds_interaction_z, self._alive()) if self._nz else NULL
        return np.frombuffer(ffi.buffer(pointer, 8 * self._nz)).copy() if self._nz else np.empty(0)

    @z.setter
    def z(self, value):
        array = numbers(value, "z").ravel()
        self._model._call(lib.nsds_interaction_set_z, self._alive(), array.size,
                          ffi.cast("double *", array.ctypes.data))
        self._nz = array.size

    def set_lambda(self, value):
        array = np.ascontiguousarray(fitted(numbers(value, "lambda"), (self._n,), "lambda"))
        self._model._call(lib.nsds_set_lambda, self._alive(), ffi.cast("double *", array.ctypes.data))

    @property
    def systems(self):
        """The systems, in the order of connect()."""
        n = self._model._call(lib.nsds_interaction_ds_count, self._alive())
        return [self._model._part(System, lib.nsds_interaction_ds(self._c, k)) for k in range(n)]

    def relative_degree(self, row=0, tolerance=1e-9):
        return self._model._call(lib.nsds_relative_degree, self._alive(), small(row, "row"),
                                 finite(tolerance, "tolerance"))

    def joint(self):
        """Angle and displacement of a joint, with their rates."""
        return self._read(lib.nsds_joint_read, "nsds_joint_motion *")

    def set_turns(self, near):
        self._model._call(lib.nsds_joint_set_turns, self._alive(), number(near, "near"))

    def joint_points(self):
        """The two points of a joint in the world [m]."""
        points = ffi.new("double[6]")
        self._model._call(lib.nsds_joint_points, self._alive(), points, points + 3)
        return np.array(list(points)).reshape(2, 3)

    def drive(self):
        """Coordinate, targets and force of a drive."""
        return self._read(lib.nsds_joint_drive_read, "nsds_joint_drive_motion *")

    def set_drive(self, target=0.0, rate=0.0, force=0.0):
        self._model._call(lib.nsds_joint_drive_set, self._alive(), finite(target, "target"), finite(rate, "rate"),
                          finite(force, "force"))

    def spring(self):
        """Length, rate, pull and energy of a spring."""
        return self._read(lib.nsds_spring_read, "nsds_spring_motion *")

    def contact(self):
        """The interaction as a contact, see Model.contacts()."""
        info = ffi.new("nsds_contact_info *")
        self._model._call(lib.nsds_interaction_contact, self._alive(), info)
        return self._model._contact(info)

    def _read(self, function, kind):
        struct = ffi.new(kind)
        self._model._call(function, self._alive(), struct)
        return record(struct[0])

    def disconnect(self):
        """Removes the interaction from its model."""
        self._model._remove(lib.nsds_disconnect, self)


class JointActions(Record):
    """The parts that joint_act() has made; None: absent."""


class ContactSet(Part):
    """Contacts that are found anew as bodies move."""

    __slots__ = ("_dimension",)
    _kind = "nsds_contact_set"
    quantity = quantity

    def __init__(self, model, c, dimension=3):
        super().__init__(model, c)
        self._dimension = dimension

    name = named(lib.nsds_contact_set_name, lib.nsds_contact_set_set_name)

    def _facts(self):
        return [("contacts", len(self))]

    def __len__(self):
        return self._model._call(lib.nsds_contact_set_count, self._alive())

    def contacts(self):
        """The contacts of this set, see Model.contacts()."""
        return self._model._contacts(lib.nsds_set_contacts, self._alive())

    def add(self, **shape):
        """Adds a shape to a set of shapes() and returns its number. Arguments are those of a shape."""
        struct, keep = self._model._struct("nsds_shape_def", shape, {"dimension": self._dimension}, "add()")
        return self._model._call(lib.nsds_shapes_add, self._alive(), struct)

    def remove(self, shape):
        """Removes the shape with this number."""
        self._model._call(lib.nsds_shapes_remove, self._alive(), small(shape, "remove(): shape"))

    def remove_body(self, body):
        self._pair(lib.nsds_shapes_remove_body, body=body)

    def exclude(self, first, second):
        self._pair(lib.nsds_shapes_exclude, first=first, second=second)

    def include(self, first, second):
        self._pair(lib.nsds_shapes_include, first=first, second=second)

    def _pair(self, function, **bodies):
        kind = ffi.typeof("nsds_ds *")
        self._model._call(function, self._alive(), *[
            part_pointer(self._model, b, kind, word) for word, b in bodies.items()])

    @property
    def shape_count(self):
        return self._model._call(lib.nsds_shapes_count, self._alive())

    def shape(self, k):
        """Shape k, where it is now."""
        info = ffi.new("nsds_shape_info *")
        self._model._call(lib.nsds_shapes_at, self._alive(), small(k, "k"), info)
        result = record(info[0])
        result.body = self._model._part(System, info.ds)
        n = info.nvertex
        result.vertex = np.frombuffer(ffi.buffer(info.vertex, 24 * n)).reshape(n, 3).copy() if n else np.empty((0, 3))
        result.faces = [[info.face[j] for j in range(info.first[f], info.first[f + 1])] for f in range(info.nface)]
        return result

    def _ignored(self, body):
        return NULL if body is None else part_pointer(self._model, body, ffi.typeof("nsds_ds *"), "ignore")

    def _hit(self, hit):
        """A hit as a Record; None where there is none."""
        found = record(hit)
        found.body = self._model._part(System, hit.ds)
        return found if hit.shape >= 0 else None

    def cast(self, origin, direction, length=0.0, ignore=None):
        """What a ray hits first: shape, body, distance, point, normal; None: nothing. For n rays, as rows of (n, 3),
        arrays of these but body: shape is -1 and distance infinite where nothing is hit."""
        origin, direction = numbers(origin, "origin"), numbers(direction, "direction")
        for name, array in (("origin", origin), ("direction", direction)):
            if array.ndim not in (1, 2) or array.shape[-1] != self._dimension:
                raise SizeError("%s has shape %s, must be (%d,) or (n, %d)" % (name, array.shape, self._dimension,
                                                                               self._dimension))
        shape = np.broadcast_shapes(origin.shape, direction.shape)
        n = shape[0] if len(shape) == 2 else 1
        rays, hits = ffi.new("nsds_ray[]", n), ffi.new("nsds_shape_hit[]", n)
        fields = _fields(rays, n, "nsds_ray")
        fields("origin", 3)[:, :self._dimension] = origin
        fields("direction", 3)[:, :self._dimension] = direction
        fields("length", 1)[:] = number(length, "length")
        body = self._ignored(ignore)
        fields("ignore", 1, np.uintp)[:] = int(ffi.cast("uintptr_t", body))
        self._model._call(lib.nsds_shapes_cast, self._alive(), n, rays, hits)
        if len(shape) == 1:
            return self._hit(hits[0])
        fields = _fields(hits, n, "nsds_shape_hit")
        found = dict(shape=fields("shape", 1, np.int32)[:, 0].copy(), distance=fields("distance", 1)[:, 0].copy(),
                     point=fields("point", 3).copy(), normal=fields("normal", 3).copy())
        found["point"][found["shape"] < 0] = found["normal"][found["shape"] < 0] = np.nan
        return Record(found)

    def nearest(self, point, within=0.0, ignore=None):
        """The shape nearest to a point: shape, body, distance, point, normal; None: none within the distance."""
        hit = ffi.new("nsds_shape_hit *")
        self._model._call(lib.nsds_shapes_nearest, self._alive(), self._place(point, "point"), number(within, "within"),
                          self._ignored(ignore), hit)
        return self._hit(hit[0])

    def in_ball(self, center, radius, ignore=None):
        """Numbers of the shapes that a ball overlaps."""
        room = self.shape_count
        found = ffi.new("int[]", room + 1)
        count = self._model._call(lib.nsds_shapes_in_ball, self._alive(), self._place(center, "center"),
                                  number(radius, "radius"), self._ignored(ignore), room, found)
        return list(found[0:count])

    def gap(self, first, second):
        """How far two shapes are apart, by their numbers: distance, point (2, 3), normal."""
        gap = ffi.new("nsds_shape_gap *")
        self._model._call(lib.nsds_shapes_gap, self._alive(), small(first, "first"), small(second, "second"), gap)
        return Record(dict(distance=gap.distance, point=np.array([list(row) for row in gap.point]),
                           normal=np.array(list(gap.normal))))

    def _place(self, value, name):
        array = numbers(value, name)
        if array.shape != (self._dimension,):
            raise SizeError("%s has shape %s, must be (%d,)" % (name, array.shape, self._dimension))
        return list(array) + [0.0] * (3 - self._dimension)

    def destroy(self):
        """Removes the set from its model."""
        self._model._remove(lib.nsds_contact_set_destroy, self)


def _fields(array, n, kind):
    """Reads and writes a field of all entries of an array of structs, as rows of numbers."""
    size = ffi.sizeof(kind)
    bytes_of = np.frombuffer(ffi.buffer(array), np.uint8).reshape(n, size) if n else np.empty((0, size), np.uint8)

    def field(name, count, dtype=np.float64):
        at = ffi.offsetof(kind, name)
        return bytes_of[:, at:at + count * np.dtype(dtype).itemsize].view(dtype)
    return field


class Sensor(Part):
    """Accelerations, forces, turning rates or a distance at a point of a body, see Model.sensor()."""

    __slots__ = ("_n",)
    _kind = "nsds_sensor"
    quantity = quantity

    def __init__(self, model, c):
        super().__init__(model, c)
        self._n = lib.nsds_sensor_size(c)

    name = property(lambda self: text(self._model._call(lib.nsds_sensor_name, self._alive())), doc="The name.")
    size = property(lambda self: self._n, doc=FUNCTIONS["nsds_sensor_size"])

    def _facts(self):
        return [("values", self._n)]

    @property
    def value(self):
        """The values at the present state, a new array."""
        value = np.empty(self._n)
        self._model._call(lib.nsds_sensor_read, self._alive(), ffi.cast("double *", value.ctypes.data))
        return value

    @property
    def units(self):
        """The unit of each value."""
        return [text(self._model._call(lib.nsds_sensor_unit, self._alive(), k)) for k in range(self._n)]

    def destroy(self):
        """Removes the sensor from its model."""
        self._model._remove(lib.nsds_sensor_destroy, self)


class Plugin(Part):
    """A shared object: function(name, kind) is for definitions, law(name, z) makes a law."""

    __slots__ = ()
    _kind = "nsds_plugin"

    def function(self, name, kind):
        """A function by its name and its kind, such as "fext". Give it to a definition."""
        keep = []
        return self._model._call(lib.nsds_plugin_get, self._alive(), chars(name, keep, "function(): name"),
                                 enum_value(ffi.typeof("nsds_kind"), kind, "function(): kind"))

    def law(self, name, z=()):
        """A law by its name, with its parameters."""
        keep = []
        z = numbers(z, "z").ravel().copy()
        return self._model._law_of(self._model._call(lib.nsds_plugin_law, self._alive(), chars(name, keep, "law(): name"),
                                                     z.size, ffi.cast("double *", z.ctypes.data) if z.size else NULL))

    def solver(self, name):
        """Registers a solver, which simulations of the model then take by name."""
        keep = []
        self._model._call(lib.nsds_plugin_solver, self._alive(), chars(name, keep, "solver(): name"))


def scheme_of(value, label="scheme"):
    if not isinstance(value, Value) or name_of(ffi.typeof(value._c)) != "nsds_discretisation":
        raise TypeError("%s must be made by a function such as nsds.moreau_jean(), not %s" % (label, type(value).__name__))
    return value._c




# ---- the model ---------------------------------------------------------------------------------

class Model(Lasting):
    """A model: systems, relations, laws and interactions, and their states.

    with nsds.Model() as model: ... frees everything at the end; so does close(), and so does the end of the object.
    `threads` share the work of steps; `log` receives (level, message).
    """

    __slots__ = ("_simulations", "_parts", "_functions", "_viewers", "_shown", "_states", "_sets", "_lent", "_most",
                 "_names")

    def __init__(self, name=None, threads=1, log=None):
        self._open(threads, log)
        self._blank()
        c = self._life.model = lib.nsds_model_create(self._context)
        if c == NULL:
            self._fail(lib.NSDS_ERROR_MEMORY)
        self._c = c
        if name is not None:
            self.name = name

    def _blank(self):
        self._simulations = weakref.WeakSet()
        self._parts = weakref.WeakValueDictionary()
        self._functions = {}
        self._viewers = weakref.WeakSet()
        self._shown = weakref.WeakSet()
        self._states = {}
        self._sets = 0
        self._lent = None
        self._most = 16
        self._names = Names()

    # -- life

    def _forget(self):
        """Objects of the program refer to nothing in the model any more, but for arrays."""
        for simulation in list(self._simulations):
            simulation._c = NULL
        for part in list(self._viewers):
            part._views.clear()
        self._states.clear()

    def _end(self):
        self._forget()
        super()._end()
        self._functions.clear()

    closed = property(lambda self: self._c is None, doc="True once the model has been destroyed.")

    def __repr__(self):
        try:
            return "<nsds.Model %r: %d systems, %d interactions>" % (
                self.name, self._call(lib.nsds_ds_count, self._c), self._call(lib.nsds_interaction_count, self._c))
        except StateError as error:
            return "<nsds.Model, closed>" if self._c is None else "<nsds.Model: %s>" % error

    def _facts(self):
        self._alive()
        return [(word, len(parts)) for word, parts in (
            ("systems", self.systems), ("interactions", self.interactions), ("contact sets", self.contact_sets))]

    def _title(self):
        return "nsds.Model %s" % self.name if self._c is not None and self.name else "nsds.Model"

    def _repr_html_(self):
        """Counts of parts, and the page of the model as it is now."""
        try:
            return super()._repr_html_() + self._page()
        except Exception as error:
            return table("nsds.Model", (), [(str(error),)])

    def _page(self):
        """The page in a frame, or why there is none."""
        if not any(system.nq for system in self.systems):
            return "<p>There is nothing to draw: the model has no system of second order.</p>"
        with _later.Scene(self) as scene:
            scene.record(0.0)
            return frame(scene.write_html)

    @property
    def name(self):
        return text(self._call(lib.nsds_model_name, self._c))

    @name.setter
    def name(self, name):
        keep = []
        self._call(lib.nsds_model_set_name, self._c, chars(name, keep, "name", LONGEST))

    # -- memory that arrays show

    def _show(self, pointer, n):
        """An array that shows n numbers of the model, without a copy."""
        shown = Shown(self._life, pointer, n)
        self._shown.add(shown)
        return np.asarray(shown)

    def _end_views(self, place):
        """Refuses a call that may move memory while an array of the program shows it."""
        for part in list(self._viewers):
            part._views.clear()
        self._viewers.clear()
        self._states.clear()
        if self._shown:
            raise ViewsError("%s may move the state in memory, but %d of your arrays still show%s it: delete the "
                             "array, or keep a copy (ball.q.copy())"
                             % (place, len(self._shown), "s" if len(self._shown) == 1 else ""))

    def _all(self, name):
        """The states of all systems of one order, one after another, without a copy."""
        self._alive()
        now = (lib.nsds_state_moves(self._c), lib.nsds_ds_count(self._c))
        known = self._states.get(name)
        if known is not None and known[0] == now:
            return known[1]
        first = ffi.new("const double **")
        n = self._call(lib.nsds_py_states, self._c, STATES[name], first)
        if n and first[0] == NULL:
            raise StateError("model.%s: systems of first and second order stand between one another, so %s is in parts; "
                             "read system.%s, or make all systems of one order first" % (name, name, name))
        array = self._show(first[0], n) if n else np.empty(0)
        self._states[name] = (now, array)
        return array

    q = property(lambda self: self._all("q"), doc="q of all systems, one after another, a view; "
                 "q.reshape(-1, 7) has a row for each body if all systems are rigid bodies in space.")
    v = property(lambda self: self._all("v"), doc="v of all systems, one after another, a view.")
    x = property(lambda self: self._all("x"), doc="x of all systems of first order, one after another, a view.")

    # -- parts

    def _part(self, kind, c, *arguments):
        if c == NULL:
            return None
        key = int(ffi.cast("uintptr_t", c))
        part = self._parts.get(key)
        if part is None or type(part) is not kind or part._c is None:
            part = kind(self, c, *arguments)
            self._parts[key] = part
        return part

    def _new(self, kind, c, functions, *arguments):
        """A part that has just been made."""
        key = int(ffi.cast("uintptr_t", c))
        self._parts.pop(key, None)
        if functions is not None and functions.list:
            self._functions[key] = functions
        table = self._names.of(kind._kind)
        if table is not None:
            table.add(c)
        return self._part(kind, c, *arguments)

    def _remove(self, function, part):
        c = part._alive()
        if self._lent is not None:
            raise StateError("the model belongs to a job")
        self._end_views("removing")
        table = self._names.of(part._kind)
        if table is not None:
            table.drop(c)
        self._call(function, c)
        self._functions.pop(int(ffi.cast("uintptr_t", c)), None)
        self._sets = lib.nsds_model_contact_set_count(self._c)
        self._parts.pop(int(ffi.cast("uintptr_t", c)), None)
        part._c = None

    def _struct(self, kind, values, outer, place):
        struct = ffi.new(kind + " *")
        keep = []
        fill(self, struct, kind, values, keep, None, outer, place)
        return struct, keep

    def connect(self, relation, law, *systems, name=None, z=None):
        self._alive()
        if self._lent is not None:
            raise StateError("the model belongs to a job")
        if len(systems) == 1 and isinstance(systems[0], (list, tuple)):
            systems = systems[0]
        given = (relation, law) + tuple(systems)
        if not all(isinstance(part, kind) for part, kind in zip(given, (Relation, Law) + (System,) * len(systems))):
            raise TypeError("connect() takes a relation, a law and then systems, not (%s)"
                            % ", ".join(type(part).__name__ for part in given))
        kinds = [ffi.typeof(k) for k in ("nsds_ds *", "nsds_relation *", "nsds_law *")]
        if name is not None:
            chars(name, [], "connect(): name", LONGEST)
        if z is not None:
            z = numbers(z, "connect(): z")
        pointers = [part_pointer(self, s, kinds[0], "connect(): a system") for s in systems]
        relation = part_pointer(self, relation, kinds[1], "connect(): relation")
        law = part_pointer(self, law, kinds[2], "connect(): law")
        self._end_views("connect()")
        c = self._call(lib.nsds_connect, self._c, relation, law, len(pointers), ffi.new("nsds_ds *[]", pointers))
        interaction = self._new(Interaction, c, None)
        if name is not None:
            interaction.name = name
        if z is not None:
            try:
                interaction.z = z
            except Exception:
                interaction.disconnect()
                raise
        return interaction

    def _listed(self, kind, count, at):
        return self._call(lambda c: [self._part(kind, at(c, k)) for k in range(count(c))], self._c)

    @property
    def systems(self):
        """The systems, a list."""
        return self._listed(System, lib.nsds_ds_count, lib.nsds_ds_at)

    @property
    def interactions(self):
        """The interactions, a list."""
        return self._listed(Interaction, lib.nsds_interaction_count, lib.nsds_interaction_at)

    @property
    def contact_sets(self):
        """The contact sets, a list."""
        return self._listed(ContactSet, lib.nsds_model_contact_set_count, lib.nsds_model_contact_set_at)

    @property
    def sensors(self):
        """The sensors, a list."""
        return self._listed(Sensor, lib.nsds_sensor_count, lib.nsds_sensor_at)

    def __getitem__(self, name):
        """The system, interaction, contact set or sensor with this name."""
        if not isinstance(name, str):
            raise TypeError("a model is asked for a name, not for %s" % type(name).__name__)
        part = self._named(name)
        if part is None:
            raise KeyError(unknown(name, self._call(self._names.all, self._c)))
        return part

    def __contains__(self, name):
        """True if a system, an interaction, a contact set or a sensor has this name."""
        return isinstance(name, str) and self._named(name) is not None

    def _named(self, name):
        found = self._call(self._find, name)[0]
        return None if found is None else self._part(NAMED[found[0]], found[1])

    def _find(self, name):
        return (self._names.find(self._c, name),)

    __iter__ = None

    # -- contacts

    def _contact(self, info):
        """A contact as a Record: copies of its arrays, and its bodies."""
        result = record(info[0])
        for field in ("y", "ydot", "impulse", "force"):
            pointer = getattr(info, field)
            setattr(result, field, np.frombuffer(ffi.buffer(pointer, 8 * info.rows)).copy() if pointer != NULL
                    else np.empty(0))
        result.bodies = tuple(self._part(System, info.ds[k]) for k in range(2))
        result.set = self._part(ContactSet, info.set)
        result.interaction = self._part(Interaction, info.interaction)
        return result

    def _contacts(self, function, c):
        at = ffi.new("nsds_contact_iterator *", self._call(function, c))
        info = ffi.new("nsds_contact_info *")
        found = []
        while self._call(lib.nsds_next_contact, at, info):
            found.append(self._contact(info))
        return found

    def contacts(self):
        """The contacts of the last step, a list: point, normal, world_force, bodies, gap y[0], ..."""
        self._alive()
        return self._contacts(lib.nsds_model_contacts, self._c)

    def contact_table(self):
        """The contacts of the last step as arrays, made in C: bodies (indices into `systems`, -1: scenery), point,
        normal, force and impulse on the first body in the world, gap, active. A dict."""
        self._alive()
        n = self._most
        while True:
            numbers_, bodies = np.empty((n, 14)), np.empty((n, 2), np.int32)
            count = self._call(lib.nsds_py_contacts, self._c, n, ffi.cast("double *", numbers_.ctypes.data),
                               ffi.cast("int *", bodies.ctypes.data))
            if count <= n:
                break
            n = self._most = count + count // 4
        rows = numbers_[:count]
        return dict(bodies=bodies[:count], point=rows[:, 0:3], normal=rows[:, 3:6], force=rows[:, 6:9],
                    impulse=rows[:, 9:12], gap=rows[:, 12], active=rows[:, 13] != 0.0)

    def plugin(self, path):
        """Opens a shared object with functions, laws and solvers, see nsds/plugin.h."""
        keep = []
        self._alive()
        return Plugin(self, self._call(lib.nsds_plugin_open, self._c, chars(path, keep, "path")))

    # -- laws

    def newton_impact(self, e=0.0):
        return self._law(lib.nsds_newton_impact, number(e, "newton_impact(): e"))

    def poisson_impact(self, e=0.0):
        return self._law(lib.nsds_poisson_impact, number(e, "poisson_impact(): e"))

    def complementarity(self):
        return self._law(lib.nsds_complementarity)

    def equality(self):
        return self._law(lib.nsds_equality)

    def relay(self, lower=-1.0, upper=1.0):
        return self._bounds("relay", lower, upper)

    def saturation(self, lower=-1.0, upper=1.0, slope=1.0):
        return self._bounds("saturation", lower, upper, number(slope, "saturation(): slope"))

    def normal_cone(self, H, K):
        H, K = numbers(H, "normal_cone(): H"), np.atleast_1d(numbers(K, "normal_cone(): K"))
        if H.ndim != 2 or K.shape != (H.shape[0],):
            raise SizeError("normal_cone(): H must be a matrix, and K must have a number for each of its rows")
        H = H.ravel("F").copy()
        return self._law(lib.nsds_normal_cone, H.size // max(K.size, 1), K.size, ffi.cast("double *", H.ctypes.data),
                         ffi.cast("double *", K.ctypes.data))

    def _bounds(self, law, lower, upper, *more):
        lower, upper = (np.atleast_1d(numbers(a, "%s(): %s" % (law, word))) for a, word in
                        ((lower, "lower"), (upper, "upper")))
        if lower.ndim != 1 or lower.shape != upper.shape:
            raise SizeError("%s(): lower has %s, upper has %s" % (law, shaped(lower.shape), shaped(upper.shape)))
        return self._law(getattr(lib, "nsds_" + law), lower.size, ffi.cast("double *", lower.ctypes.data),
                         ffi.cast("double *", upper.ctypes.data), *more)

    def _law(self, function, *arguments):
        self._alive()
        if self._lent is not None:
            raise StateError("the model belongs to a job")
        law = self._new(Law, self._call(function, self._c, *arguments), None)
        law._size = arguments[0] if arguments and isinstance(arguments[0], int) else 1
        return law

    def _law_of(self, c):
        return self._new(Law, c, None)

    # -- other

    def joint_act(self, **definition):
        self._alive()
        if self._lent is not None:
            raise StateError("the model belongs to a job")
        if ("lower" in definition) != ("upper" in definition):  # the other side has no stop
            definition = {"lower": -np.inf, "upper": np.inf, **definition}
        struct, keep = self._struct("nsds_joint_act_def", definition, {}, "joint_act()")
        made = ffi.new("nsds_joint_actions *")
        self._end_views("joint_act()")
        self._call(lib.nsds_joint_act, self._c, struct, made)
        parts = {}
        for name, _ in ffi.typeof("nsds_joint_actions").fields:
            part = getattr(made, name)
            parts[name] = self._new(System if name == "rotor" else Interaction, part, None) if part else None
        return JointActions(parts)

    def sensor(self, **definition):
        self._alive()
        if self._lent is not None:
            raise StateError("the model belongs to a job")
        struct, keep, _ = define(self, "nsds_sensor_def", definition)
        return self._new(Sensor, self._call(lib.nsds_sensor_create, self._c, struct), None)

    def mass_properties(self, **definition):
        struct, keep = self._struct("nsds_mass_def", definition, {"dimension": definition.get("dimension") or 3},
                                    "mass_properties()")
        mass = ffi.new("nsds_mass *")
        self._call(lib.nsds_mass_properties, self._c, struct, mass)
        result = record(mass[0])
        result.inertia = result.inertia.reshape(3, 3)
        return result

    def check_jacobians(self, t=0.0, tolerance=1e-5):
        report = ffi.new("nsds_jacobian_report *")
        self._call(lib.nsds_check_jacobians, self._c, number(t, "t"), number(tolerance, "tolerance"), report)
        return record(report[0])

    def describe(self):
        """What is in the model, one line an object."""
        pieces = Pieces(self)
        handle = ffi.new_handle(pieces)
        self._call(lib.nsds_describe, self._c, lib.nsds_py_write, handle)
        return "".join(pieces)


def loose_shapes(model, shape, keep):
    """Shapes that are in no contact set: those of the model file, then those of a list of dicts."""
    shapes = []
    if model._lent is not None:
        count = ffi.new("int *")
        first = lib.nsds_job_shapes(model._lent._c, count)
        shapes += [first[k] for k in range(count[0])]
    for k, entry in enumerate(listed(() if shape is None else shape, "shape")):
        place = "shape[%d]" % k
        if not isinstance(entry, dict):
            raise TypeError("%s must be a dict such as dict(kind='sphere', radius=0.1, ds=body), not %s"
                            % (place, type(entry).__name__))
        body = entry.get("ds")
        plane = isinstance(body, System) and body.nq == 3  # of rigid_body_2d(): vertices have two coordinates
        struct, kept = model._struct("nsds_shape_def", entry, {"dimension": 2 if plane else 3}, place)
        keep += [struct, kept]
        shapes.append(struct[0])
    return shapes


NAMED = {kind._kind: kind for kind in (System, Interaction, ContactSet, Sensor)}
RESULTS = {"nsds_ds": System, "nsds_relation": Relation, "nsds_law": Law, "nsds_contact_set": ContactSet,
           "nsds_interaction": Interaction}


def maker(name, kind, result):
    """The method of a model that makes one kind of part from keyword arguments."""
    call = getattr(lib, name)
    short = name[5:]

    def make(self, **definition):
        self._alive()
        if self._lent is not None:
            raise StateError("the model belongs to a job")
        struct, keep, functions = define(self, kind, definition)
        if result in (System, ContactSet, Interaction):
            self._end_views(short + "()")
        c = self._call(call, self._c, struct)
        if result is ContactSet:
            self._sets += 1
            return self._new(result, c, functions, getattr(struct, "dimension", 0) or 3)
        if result is Interaction:
            return self._new(Interaction, c, functions)
        if result is Law:
            law, n = self._new(result, c, functions), getattr(struct, "dimension", 0)
            law._size = dict(newton_impact_friction=n, fremond_impact_friction=n, newton_impact_rolling=2 * n - 1).get(
                short) if n else None
            return law
        return self._new(result, c, functions, struct.nz if hasattr(struct, "nz") else 0)
    make.__name__ = short
    make.__qualname__ = "Model." + short
    make.__doc__ = document(name, kind)
    make.__signature__ = signature_of(shown(kind))
    return make


def shown(kind):
    """The fields of a definition that a program gives."""
    return [name for name in fields_of(kind) if name not in HIDDEN]


def _makers():
    for name in dir(lib):
        call = getattr(lib, name)
        if not name.startswith("nsds_") or name.startswith(("nsds_py", "nsds_custom")):
            continue
        kind = ffi.typeof(call)
        if kind.kind != "function" or len(kind.args) != 2 or name_of(kind.args[0]) != "nsds_model *":
            continue
        if kind.result.kind == "pointer" and name_of(kind.result.item) in RESULTS and kind.args[1].kind == "pointer" \
                and name_of(kind.args[1].item) == name + "_def":
            setattr(Model, name[5:], maker(name, name + "_def", RESULTS[name_of(kind.result.item)]))


_makers()
for _class, _names in ((Model, ("connect", "newton_impact", "poisson_impact", "complementarity", "equality", "relay",
                                "saturation", "normal_cone", "check_jacobians")),):
    for _name in _names:
        getattr(_class, _name).__doc__ = document("nsds_" + _name)
Model.joint_act.__doc__ = document("nsds_joint_act", "nsds_joint_act_def")
Model.sensor.__doc__ = document("nsds_sensor_create", "nsds_sensor_def")
Model.mass_properties.__doc__ = document("nsds_mass_properties", "nsds_mass_def")
for _kind, _definition in ((Model.mass_properties, "nsds_mass_def"), (Model.joint_act, "nsds_joint_act_def"), (Model.sensor, "nsds_sensor_def"), (ContactSet.add, "nsds_shape_def")):
    _kind.__signature__ = signature_of(shown(_definition))
for _class in (Model, System, Relation, Law, Interaction, ContactSet, Sensor, Plugin):
    check_class(_class)
