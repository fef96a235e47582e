"""Kinematic trees: joint coordinates of the bodies of a model and their equations of motion, arrays in, arrays out."""
import numpy as np

from ._calls import check_class
from ._core import NULL, Displayed, ffi, fitted, lib, numbers, record, small
from ._headers import FUNCTIONS
from ._model import Interaction, Model, System


class Tree(Displayed):
    """The tree of the bodies of a model: q has the coordinates of its joints, u their velocities.

    place, twist = tree.forward(q, u) are those of the bodies, in the order of `bodies`. M du/dt + b = tau, with
    mass(), bias(), inverse() for tau and dynamics() for du/dt.
    """

    __slots__ = ("_model", "_life", "_c", "_n", "_nq", "_nu")

    def __init__(self, model):
        self._c = NULL
        if not isinstance(model, Model):
            raise TypeError("Tree() takes a model, not %s" % type(model).__name__)
        model._alive()
        self._model, self._life = model, model._life
        self._c = model._call(lib.nsds_tree_create, model._c)
        self._n, self._nq, self._nu = lib.nsds_tree_size(self._c), lib.nsds_tree_nq(self._c), lib.nsds_tree_nu(self._c)

    def __del__(self):
        c = getattr(self, "_c", NULL)  # the constructor may not have come so far
        if c != NULL:
            lib.nsds_tree_destroy(c)
            self._c = NULL

    def _facts(self):
        self._model._alive()
        return [("bodies", self._n), ("nq", self._nq), ("nu", self._nu)]

    def __len__(self):
        return self._n

    nq = property(lambda self: self._nq, doc=FUNCTIONS["nsds_tree_nq"])
    nu = property(lambda self: self._nu, doc=FUNCTIONS["nsds_tree_nu"])

    def _given(self, value, n, name):
        return np.ascontiguousarray(fitted(numbers(value, name), (n,), name), float)

    def _call(self, function, *arguments):
        self._model._alive()
        return self._model._call(function, self._c, *(
            ffi.cast("double *", a.ctypes.data) if isinstance(a, np.ndarray) else a for a in arguments))

    def _rates(self, value, name="u"):
        return NULL if value is None else self._given(value, self._nu, name)

    @property
    def bodies(self):
        """The bodies, each with `system`, `parent`, `joint`, `kind`, `q` and `u`; q and u are slices."""
        found = []
        for k in range(self._n):
            body = ffi.new("nsds_tree_body *")
            self._call(lib.nsds_tree_at, k, body)
            one = record(body[0])
            one.system = self._model._part(System, body.ds)
            one.joint = self._model._part(Interaction, body.joint) if body.joint else None
            one.kind = one.kind if body.joint else "free"
            one.q, one.u = slice(body.q, body.q + body.nq), slice(body.u, body.u + body.nu)
            found.append(one)
        return found

    @property
    def left(self):
        """Equalities that the tree leaves out, such as joints that close loops."""
        found = []
        self._model._alive()
        c = lib.nsds_tree_left(self._c, 0)
        while c != NULL:
            found.append(self._model._part(Interaction, c))
            c = lib.nsds_tree_left(self._c, len(found))
        return found

    def get_state(self):
        """Returns q and u of the present state of the model."""
        q, u = np.empty(self._nq), np.empty(self._nu)
        self._call(lib.nsds_tree_get_state, q, u)
        return q, u

    def set_state(self, q, u=None):
        self._call(lib.nsds_tree_set_state, self._given(q, self._nq, "q"), self._rates(u))

    def forward(self, q, u=None):
        place, twist = np.empty((self._n, 7)), np.empty((self._n, 6))
        self._call(lib.nsds_tree_forward, self._given(q, self._nq, "q"), self._rates(u), place, twist)
        return place, twist

    def mass(self, q):
        M = np.empty((self._nu, self._nu))
        self._call(lib.nsds_tree_mass, self._given(q, self._nq, "q"), M)
        return M

    def bias(self, q, u):
        b = np.empty(self._nu)
        self._call(lib.nsds_tree_bias, self._given(q, self._nq, "q"), self._given(u, self._nu, "u"), b)
        return b

    def inverse(self, q, u, a):
        tau = np.empty(self._nu)
        self._call(lib.nsds_tree_inverse, self._given(q, self._nq, "q"), self._given(u, self._nu, "u"),
                   self._given(a, self._nu, "a"), tau)
        return tau

    def dynamics(self, q, u, tau=None):
        a = np.empty(self._nu)
        self._call(lib.nsds_tree_dynamics, self._given(q, self._nq, "q"), self._given(u, self._nu, "u"),
                   self._rates(tau, "tau"), a)
        return a

    def jacobian(self, q, body, point=None):
        J = np.empty((self._nu, 6))
        point = NULL if point is None else self._given(point, 3, "point")
        self._call(lib.nsds_tree_jacobian, self._given(q, self._nq, "q"), small(body, "body"), point, J)
        return J.T

    def sum(self, q, u=None):
        sums = ffi.new("nsds_tree_sums *")
        self._call(lib.nsds_tree_sum, self._given(q, self._nq, "q"), self._rates(u), sums)
        return record(sums[0])


for _name in ("set_state", "forward", "mass", "bias", "inverse", "dynamics", "jacobian", "sum"):
    getattr(Tree, _name).__doc__ = FUNCTIONS["nsds_tree_" + _name]
check_class(Tree)
