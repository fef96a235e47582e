# Written by python/generate.py from the headers and stub.pyi.
from collections.abc import Callable, Sequence
from os import PathLike
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]
__version__: str
zero: Any
differences: Any

class Error(Exception):
    status: int

class ArgumentError(Error, ValueError): ...
class SizeError(Error, ValueError): ...
class RangeError(Error, ValueError): ...
class SingularError(Error, ArithmeticError): ...
class CallbackError(Error): ...
class PluginError(Error): ...
class SolverError(Error): ...
class NewtonError(Error): ...
class StateError(Error, RuntimeError): ...
class UnsupportedError(Error, NotImplementedError): ...
class FormatError(Error, ValueError): ...
class FileError(Error, OSError): ...
class InternalError(Error): ...
class AbortedError(Error): ...
class IntegrationError(Error): ...
class OutOfMemory(Error, MemoryError): ...
class ViewsError(StateError, BufferError): ...
class NoValue(Exception): ...

class Arguments:
    t: float
    q: Array
    v: Array
    x: Array
    xdot: Array
    z: Array
    lambda_: Array

Function = Callable[[Arguments], Any] | int | Any

class Record:
    def __getattr__(self, name: str) -> Any: ...

class Scheme: ...
class Activation: ...

class System:
    name: str | None
    nq: int
    nv: int
    nx: int
    z: Any
    q: Any
    v: Any
    x: Any
    @property
    def p(self) -> Array: ...
    @property
    def r(self) -> Array: ...
    @property
    def prescribed_force(self) -> Array: ...
    @property
    def kinetic_energy(self) -> float: ...
    def set_state(self, q: ArrayLike | None = ..., v: ArrayLike | None = ...) -> None: ...
    def set_r(self, value: ArrayLike) -> None: ...
    def set_force(self, force: ArrayLike = ..., moment: ArrayLike = ..., frame: str | int = ...) -> None: ...
    def discretise(self, scheme: Scheme) -> None: ...
    def contacts(self) -> list[Record]: ...
    def destroy(self) -> None: ...

class Relation:
    name: str | None
    z: Any
    def destroy(self) -> None: ...

class Law:
    name: str | None

class Interaction:
    name: str | None
    size: int
    z: Any
    @property
    def y(self) -> Array: ...
    @property
    def ydot(self) -> Array: ...
    @property
    def lambda_(self) -> Array: ...
    @property
    def impulse(self) -> Array: ...
    @property
    def active(self) -> bool: ...
    @property
    def systems(self) -> list[System]: ...
    def set_lambda(self, value: ArrayLike) -> None: ...
    def relative_degree(self, row: int = ..., tolerance: float = ...) -> int: ...
    def joint(self) -> Record: ...
    def joint_points(self) -> Array: ...
    def set_turns(self, near: float) -> None: ...
    def spring(self) -> Record: ...
    def contact(self) -> Record: ...
    def disconnect(self) -> None: ...

class ContactSet:
    name: str | None
    def __len__(self) -> int: ...
    def contacts(self) -> list[Record]: ...
    def add(self, **shape: Any) -> int: ...
    def remove(self, shape: int) -> None: ...
    def remove_body(self, body: System) -> None: ...
    def exclude(self, first: System, second: System) -> None: ...
    def include(self, first: System, second: System) -> None: ...
    @property
    def shape_count(self) -> int: ...
    def shape(self, k: int) -> Record: ...
    def destroy(self) -> None: ...

class Plugin:
    def function(self, name: str, kind: str | int) -> Any: ...
    def law(self, name: str, z: ArrayLike = ...) -> Law: ...
    def solver(self, name: str) -> None: ...

class Model:
    name: str | None
    def __init__(self, name: str | None = ..., threads: int = ...,
                 log: Callable[[int, str], object] | None = ...) -> None: ...
    def close(self) -> None: ...
    @property
    def closed(self) -> bool: ...
    def __enter__(self) -> Model: ...
    def __exit__(self, *error: object) -> None: ...
    def __getitem__(self, name: str) -> System | Interaction | ContactSet: ...
    def __contains__(self, name: object) -> bool: ...
    @property
    def q(self) -> Array: ...
    @property
    def v(self) -> Array: ...
    @property
    def x(self) -> Array: ...
    @property
    def systems(self) -> list[System]: ...
    @property
    def interactions(self) -> list[Interaction]: ...
    @property
    def contact_sets(self) -> list[ContactSet]: ...
    def connect(self, relation: Relation, law: Law, *systems: System, name: str | None = ...,
                z: ArrayLike | None = ...) -> Interaction: ...
    def contacts(self) -> list[Record]: ...
    def contact_table(self) -> dict[str, NDArray[Any]]: ...
    def plugin(self, path: str | PathLike[str]) -> Plugin: ...
    def circuit(self, file: str | PathLike[str] | None = ..., text: str | None = ...,
                settings: dict[str, str | float] | None = ...) -> Network: ...
    def newton_impact(self, e: float = ...) -> Law: ...
    def poisson_impact(self, e: float = ...) -> Law: ...
    def complementarity(self) -> Law: ...
    def equality(self) -> Law: ...
    def relay(self, lower: ArrayLike = ..., upper: ArrayLike = ...) -> Law: ...
    def saturation(self, lower: ArrayLike = ..., upper: ArrayLike = ..., slope: float = ...) -> Law: ...
    def normal_cone(self, H: ArrayLike, K: ArrayLike) -> Law: ...
    def mass_properties(self, **definition: Any) -> Record: ...
    def check_jacobians(self, t: float = ..., tolerance: float = ...) -> Record: ...
    def describe(self) -> str: ...
    def distributing_impact(
        self, *,
        restitution: float | None = ...,  # energetic coefficient e in [0, 1]: a contact gives back e^2 of the work done on it
        stiffness: float | None = ...,  # K > 0; only the ratios between the contacts of an impact count
        exponent: float | None = ...,  # eta in [1, 10] in the force K d^eta: 1, the default, is linear; 1.5 is the law of Hertz for spheres. Contacts of one impact must have the same exponent
        bi_stiffness: bool | None = ...,  # true: the release has the higher stiffness K / e^(2 eta), and the force is continuous; false: K stays and the force falls at once
    ) -> Law:
        """The impact law of Liu, Zhao and Brogliato on unilateral contact. Impulses of contacts that act on
        each other grow in the ratio of their elastic forces,"""

    def newton_impact_friction(
        self, *,
        dimension: int | None = ...,  # 2: rows N, T; 3: rows N, T1, T2; 0 means 3
        mu: float | None = ...,  # coefficient of friction >= 0
        e_n: float | None = ...,  # coefficient of normal restitution in [0, 1]
        e_t: float | None = ...,  # coefficient of tangential restitution in [-1, 1]
        slip: ArrayLike | None = ...,  # added to the tangential velocities [m/s]. For a surface that moves in its plane, such as a belt: minus its velocity. slip[1] is for dimension 3 only
    ) -> Law:
        """Newton's impact law with Coulomb friction. A closed contact has the local velocity u = (u_N,
        u_T), the slip s = u_T + slip and the impulse P = (P_N, P_T):"""

    def fremond_impact_friction(
        self, *,
        dimension: int | None = ...,  # 2: rows N, T; 3: rows N, T1, T2; 0 means 3
        mu: float | None = ...,  # coefficient of friction >= 0
        e_n: float | None = ...,  # coefficient of normal restitution in [0, 1]
        slip: ArrayLike | None = ...,  # added to the tangential velocities [m/s], see above
    ) -> Law:
        """Fremond's impact law with Coulomb friction. The law acts on u = (u(+) + u(-)) / 2, the average of
        the velocities before and after an impact. The power of u with P is the change of kinetic energy:"""

    def newton_impact_rolling(
        self, *,
        dimension: int | None = ...,  # 2: rows N, T, R; 3: rows N, T1, T2, R1, R2; 0 means 3
        mu: float | None = ...,  # coefficient of friction >= 0
        mu_rolling: float | None = ...,  # coefficient of rolling friction >= 0 [m]
        e_n: float | None = ...,  # coefficient of normal restitution in [0, 1]
        e_t: float | None = ...,  # coefficient of tangential restitution in [-1, 1]
        slip: ArrayLike | None = ...,  # added to the tangential velocities [m/s]
    ) -> Law:
        """nsds_newton_impact_friction() with a resistance against rolling. The rows R hold the relative
        angular velocities u_R about the tangents and the angular impulses P_R [N m s],"""

    def balls(
        self, *,
        name: str | None = ...,  # for messages; copied; may be NULL
        law: Law | None = ...,  # one row per contact
        count: int | None = ...,  # number of balls >= 1, at most the systems of the model
        ds: Sequence[System] | None = ...,  # count second-order systems; copied
        dimension: int | None = ...,  # 2 or 3
        radius: float | None = ...,  # r > 0 [m]
        normal: ArrayLike | None = ...,  # n, of unit length; NULL: no half space
        offset: float | None = ...,  # offset of the half space [m]
        pairs: bool | None = ...,  # contacts between balls too
        reach: float | None = ...,  # the search finds contacts with gaps up to this [m]; 0: the radius. Balls faster than reach / h can pass through each other
    ) -> ContactSet:
        """Creates the contact set of balls."""

    def spheres(
        self, *,
        name: str | None = ...,  # for messages; copied; may be NULL
        law: Law | None = ...,  # 1, 3 (friction) or 5 rows (rolling) per contact
        count: int | None = ...,  # number of spheres >= 1
        ds: Sequence[System] | None = ...,  # count bodies of nsds_rigid_body(), each once; copied
        radius: float | None = ...,  # r > 0 of all spheres [m]; not read with radii
        radii: ArrayLike | None = ...,  # count radii > 0 [m]; copied; NULL: radius
        nplane: int | None = ...,  # number of planes
        plane: Sequence[Any] | None = ...,  # nplane planes; copied
        planes_only: bool | None = ...,  # spheres do not meet each other
        reach: float | None = ...,  # the search finds contacts with gaps up to this [m]; 0: a tenth of the largest radius. Spheres faster than reach / h overlap before they are found
        max_contacts: int | None = ...,  # largest number of contacts. If the search finds more, the step fails. 0: one per plane and sphere, plus 16 per sphere, which is more than twice the number in a dense packing of equal spheres
    ) -> ContactSet:
        """Creates the contact set of spheres. A step fails with NSDS_ERROR_VALUE if two centers coincide,
        because such a pair has no normal, or if the search finds more than max_contacts. The model stays
        as it was. Errors:
        - a system that is not a rigid body of this model, or is given twice;
        - radii that are not positive, or a normal that is not of length 1 within 1e-6;
        - a law of 2, 4 or more than 5 rows, or a set with neither a plane nor two spheres."""

    def time_stepping(
        self, *,
        t0: float | None = ...,  # start time [s]
        t1: float | None = ...,  # end time [s], > t0; the last step is shortened to end at t1
        h: float | None = ...,  # step [s], > 0
        first_order: Scheme | None = ...,  # default nsds_euler_moreau(0.5)
        second_order: Scheme | None = ...,  # default nsds_moreau_jean(0.5, 1.0)
        activation: Activation | None = ...,  # for nsds_moreau_jean(); default nsds_activation(0.5, 1e-12)
        contacts_at_start: bool | None = ...,  # true: contacts of sets are found at the start of the step, not at q_i + h gamma v_i; see nsds/contact.h
        update_prediction: bool | None = ...,  # every Newton iteration repeats the activation test with its own velocity, y_i + gamma_p h dy^k/dt <= 0. This closes contacts whose bodies the force of the step drives together. Closed contacts stay closed in the step. Linear models have no iterations
        newton: dict[str, Any] | Sequence[Any] | None = ...,  # Newton's method in a step
        max_halvings: int | None = ...,  # a failed step is retried as 2, 4, ... 2^max_halvings substeps, > 0, at most 30. Default: 10 if Newton's method did not converge, none after other failures. NSDS_HALVE_NEVER: none. If Newton's method does not converge in the smallest substep either, this substep is made with nsds_with_predict_once(), see nsds_step_infopredicted
        overlap_sweeps: int | None = ...,  # number of sweeps over positions, at the end of a step, that lead bodies of contact sets out of overlap, > 0, at most 1000. Default: with up to 256 contacts as many as needed, with more 8. NSDS_OVERLAP_STAYS: none. For nsds_moreau_jean() without projection. The sweeps keep velocities and impulses, and do not move bodies that an interaction acts on. Lifting bodies takes at most the energy that contacts have dissipated in the step, see docs/bodies.md
        projection: dict[str, Any] | Sequence[Any] | None = ...,  # projection of positions on their constraints; default none
        solver: str | None = ...,  # a name from nsds_solver_table(); default "auto"
        tolerance: float | None = ...,  # certified scale-free residual, > 0; default 1e-10
        check_solver: Callable[[Simulation, Record], object] | None = ...,  # called after each solve; may be NULL
    ) -> Simulation:
        """Creates a time-stepping simulation of a model. If a value is out of range, the message of the
        error names it."""

    def event_driven(
        self, *,
        t0: float | None = ...,  # start time [s]
        t1: float | None = ...,  # end time [s], > t0
        output_period: float | None = ...,  # Adds events for output at t0 + k output_period [s], > 0: nsds_step() stops at these times too. The dense output gives the state; integration steps do not end at these times. Default: none
        integrator: str | None = ...,  # "auto", the default: explicit steps, but implicit steps while stability would limit explicit steps (up to 400 states). "dormand_prince": explicit steps only. "esdirk": implicit steps only, for stiff systems. Builds with SUNDIALS also have "arkode" and "cvode" (long smooth stretches).
        relative_tolerance: float | None = ...,  # relative tolerance of an integration step, > 0; default 1e-9
        absolute_tolerance: float | None = ...,  # absolute tolerance, in the units of q, v, x, > 0; default 1e-11
        largest_step: float | None = ...,  # largest step of integration [s]; default: no limit
        root_tolerance: float | None = ...,  # error of the time of an event, relative to the time; default: rounding
        root_panels: int | None = ...,  # parts of a step; each part is searched for events, > 0. The default 1 misses no event if gaps are affine in the state
        accumulation: float | None = ...,  # A series of flights that shrink geometrically is taken to its limit: the contact closes. This happens when the next flight is shorter than this fraction of the longest flight of the series. > 0, at most 1; default 1e-8; NSDS_ACCUMULATE_NEVER: never
        max_events: int | None = ...,  # largest number of nonsmooth events, > 0, within output_period, or within (t1 - t0) / 4096 if no output_period is given. If more occur, nsds_step() fails or takes a window. Default 100000
        window: float | None = ...,  # Length of a window of time stepping [s], see nsds_event_window(). The window begins at the last event, and ends no later than the next time of the clock. Default: no window, nsds_step() fails. The simulation takes a window if - events crowd (max_events, or 100 at one instant); - the problem of an event is not solved; - a row of relative degree 2 or more is at rest; - no step of the integration is small enough.
        window_steps: int | None = ...,  # steps of a window, > 0; default 100
        max_steps: int | None = ...,  # largest number of integration steps between events, > 0; default 1000000
        solver: str | None = ...,  # solver of the problems at events; default "auto"
        tolerance: float | None = ...,  # certified scale-free residual, > 0; default 1e-10
    ) -> Simulation:
        """Creates an event-driven simulation of a model. nsds_step() goes to the next event and processes
        it. nsds_run() goes to the end. Samplers, user events, saved states and all other calls of
        nsds/simulation.h work as in any simulation. nsds_impulse() returns the impulse of the last
        event, or zero at a time of the grid. nsds_lambda() returns lambda at the current time."""

    def first_order(
        self, *,
        name: str | None = ...,  # for messages; copied; may be NULL
        n: int | None = ...,  # size of x, >= 1
        x0: ArrayLike | None = ...,  # n initial values; NULL means zero
        mass: ArrayLike | None = ...,  # M, n x n constant; NULL (and no mass_fn) means the identity
        mass_fn: Function | None = ...,  # M(t), n x n
        f_fn: Function | None = ...,  # f(t,x,z), n; NULL means zero
        jac_f_x_fn: Function | None = ...,  # df/dx, n x n; required with f_fn
        control: dict[str, Any] | Sequence[Any] | None = ...,  # T u
        nz: int | None = ...,  # number of parameters
        z: ArrayLike | None = ...,  # nz initial parameters; NULL means zero
        data: Sequence[dict[str, Any]] | None = ...,  # ndata entries; copied
    ) -> System:
        """Creates a nonlinear first-order system. Errors name the field and valid values."""

    def first_order_linear(
        self, *,
        name: str | None = ...,  # for messages; copied; may be NULL
        n: int | None = ...,  # size of x, >= 1
        x0: ArrayLike | None = ...,  # n initial values; NULL means zero
        mass: ArrayLike | None = ...,  # M, n x n constant; NULL means the identity
        mass_sparse: Any | None = ...,  # M, sparse constant
        mass_fn: Function | None = ...,  # M(t), n x n
        A: ArrayLike | None = ...,  # A, n x n constant; no A, A_sparse or A_fn means zero
        A_sparse: Any | None = ...,  # A, sparse constant
        A_fn: Function | None = ...,  # A(t,z), n x n
        b: ArrayLike | None = ...,  # b, n constant; NULL (and no b_fn) means zero
        b_fn: Function | None = ...,  # b(t,z), n
        control: dict[str, Any] | Sequence[Any] | None = ...,  # T u: n, map and fn, u(t,z); there are no Jacobians
        nz: int | None = ...,  # number of parameters
        z: ArrayLike | None = ...,  # nz initial parameters; NULL means zero
        data: Sequence[dict[str, Any]] | None = ...,  # ndata entries; copied
    ) -> System:
        """Creates a linear first-order system; errors as for nsds_first_order()."""

    def first_order_linear_relation(
        self, *,
        name: str | None = ...,  # for messages; copied; may be NULL
        ny: int | None = ...,  # m, size of y and lambda, >= 1
        nx: int | None = ...,  # size of X, >= 1
        nZ: int | None = ...,  # columns of F: length of Z; 0 without F
        C: ArrayLike | None = ...,  # m x nx
        D: ArrayLike | None = ...,  # m x m; NULL means zero
        B: ArrayLike | None = ...,  # nx x m
        F: ArrayLike | None = ...,  # m x nZ
        e: ArrayLike | None = ...,  # m
        C_fn: Function | None = ...,  # C(t,Z)
        D_fn: Function | None = ...,  # D(t,Z)
        B_fn: Function | None = ...,  # B(t,Z)
        F_fn: Function | None = ...,  # F(t,Z), m x nZ
        e_fn: Function | None = ...,  # e(t,Z)
        nz: int | None = ...,  # number of own parameters
        z: ArrayLike | None = ...,  # nz initial own parameters; NULL means zero
        data: Sequence[dict[str, Any]] | None = ...,  # ndata entries; copied
    ) -> Relation:
        """Creates a linear relation between first-order systems; C and B are required."""

    def first_order_relation(
        self, *,
        name: str | None = ...,  # for messages; copied; may be NULL
        ny: int | None = ...,  # m, size of y and lambda, >= 1
        nx: int | None = ...,  # size of X, >= 1
        output_fn: Function | None = ...,  # h, m; required
        jac_output_x_fn: Function | None = ...,  # C = dh/dX, m x nx; required
        jac_output_lambda_fn: Function | None = ...,  # D = dh/dlambda, m x m; NULL: zero
        input_fn: Function | None = ...,  # g, nx; required
        jac_input_lambda_fn: Function | None = ...,  # B = dg/dlambda, nx x m; required
        jac_input_x_fn: Function | None = ...,  # K = dg/dX, nx x nx; NULL: zero
        nz: int | None = ...,  # number of own parameters
        z: ArrayLike | None = ...,  # nz initial own parameters; NULL means zero
        data: Sequence[dict[str, Any]] | None = ...,  # ndata entries; copied
    ) -> Relation:
        """Creates a nonlinear relation between first-order systems."""

    def joint(
        self, *,
        name: str | None = ...,  # for messages; copied; may be NULL
        kind: str | int | None = ...,  # required
        ds: System | None | Sequence[System | None] | None = ...,  # the bodies; ds[1] NULL: the world; ds[2] for GEAR only
        point: ArrayLike | None = ...,  # A_1 in the world; A_2 is the same except for DISTANCE and ROPE [m]
        other: ArrayLike | None = ...,  # DISTANCE, ROPE: A_2, fixed to the second body or the world [m]
        axis: ArrayLike | None = ...,  # a, of any length; BALL, FIXED, DISTANCE and ROPE need none
        other_axis: ArrayLike | None = ...,  # GEAR: axis of ds[1]; zero means `axis`
        teeth: ArrayLike | None = ...,  # GEAR: z_1 and z_2, > 0
        length: float | None = ...,  # DISTANCE, ROPE: [m]; 0 means the present distance
        reversed: bool | None = ...,  # GEAR: s is -1, else 1
        D: float | None = ...,  # >= 0 [1/kg; for rows of angles 1/(kg m^2)]: not for GEAR, see above
    ) -> Relation:
        """Creates the relation of a joint. Connect the joint with its bodies in the same order:"""

    def joint_coordinate(
        self, *,
        name: str | None = ...,  # for messages; copied; may be NULL
        kind: str | int | None = ...,  # required
        ds: System | None | Sequence[System | None] | None = ...,  # the bodies; ds[1] NULL: the world
        point: ArrayLike | None = ...,  # a point of the axis, in the world [m]
        axis: ArrayLike | None = ...,  # a, of any length; not read for an angle in the plane
        reversed: bool | None = ...,  # the sign of the coordinate is -1, else 1
        offset: float | None = ...,  # added to the coordinate [rad, m]
        D: float | None = ...,  # >= 0 [1/(kg m^2), 1/kg]: as in nsds_joint_def
    ) -> Relation:
        """Creates the relation of one coordinate of bodies that a joint connects, for stops, dry friction
        and drives of the joint:"""

    def lagrangian(
        self, *,
        name: str | None = ...,  # for messages; copied; may be NULL
        ndof: int | None = ...,  # degrees of freedom, >= 1
        q0: ArrayLike | None = ...,  # ndof initial coordinates; NULL means zero
        v0: ArrayLike | None = ...,  # ndof initial velocities; NULL means zero
        mass: ArrayLike | None = ...,  # M, ndof x ndof constant, symmetric positive definite [kg]
        mass_fn: Function | None = ...,  # M(q,z), ndof x ndof; give mass or mass_fn; a step fails if M is not positive definite
        nnl: dict[str, Any] | Sequence[Any] | None = ...,  # NNL(q,v,z), ndof [N]
        fint: dict[str, Any] | Sequence[Any] | None = ...,  # F_int(t,q,v,z), ndof [N]
        fext: ArrayLike | None = ...,  # F_ext, ndof constant [N]
        fext_fn: Function | None = ...,  # F_ext(t,z), ndof; may not depend on q, v
        control: dict[str, Any] | Sequence[Any] | None = ...,  # T_L u_L
        prescribed: dict[str, Any] | Sequence[Any] | None = ...,  # velocities given, indices in [0, ndof)
        nz: int | None = ...,  # number of parameters
        z: ArrayLike | None = ...,  # nz initial parameters; NULL means zero
        data: Sequence[dict[str, Any]] | None = ...,  # ndata entries; copied
    ) -> System:
        """Creates a nonlinear Lagrangian system. Errors:
        - size out of range, value not finite, force without its Jacobians;
        - both mass and mass_fn, or neither; a singular mass at q0;
        - diagonal entries of the mass outside of [1e-150, 1e150], because the squares of such entries or
          of their inverses overflow."""

    def lagrangian_linear(
        self, *,
        name: str | None = ...,  # for messages; copied; may be NULL
        ndof: int | None = ...,  # degrees of freedom, >= 1
        q0: ArrayLike | None = ...,  # ndof initial coordinates; NULL means zero
        v0: ArrayLike | None = ...,  # ndof initial velocities; NULL means zero
        mass: ArrayLike | None = ...,  # M, ndof x ndof [kg]; give mass or mass_sparse
        damping: ArrayLike | None = ...,  # C, ndof x ndof [N s/m]; NULL means zero
        stiffness: ArrayLike | None = ...,  # K, ndof x ndof [N/m]; NULL means zero
        mass_sparse: Any | None = ...,  # M, sparse
        damping_sparse: Any | None = ...,  # C, sparse
        stiffness_sparse: Any | None = ...,  # K, sparse
        fext: ArrayLike | None = ...,  # F_ext, ndof constant [N]; NULL means zero
        fext_fn: Function | None = ...,  # F_ext(t,z), ndof; may not depend on q, v
        prescribed: dict[str, Any] | Sequence[Any] | None = ...,  # velocities given, indices in [0, ndof)
        nz: int | None = ...,  # number of parameters
        z: ArrayLike | None = ...,  # nz initial parameters; NULL means zero
        data: Sequence[dict[str, Any]] | None = ...,  # ndata entries; copied
    ) -> System:
        """Creates a linear time-invariant Lagrangian system; errors as for nsds_lagrangian()."""

    def lagrangian_linear_relation(
        self, *,
        name: str | None = ...,  # for messages; copied; may be NULL
        ny: int | None = ...,  # m, size of y, >= 1
        nq: int | None = ...,  # size of Q, >= 1: summed over the systems that you will connect
        nZ: int | None = ...,  # columns of F: length of Z, see nsds_arguments; 0 without F
        H: ArrayLike | None = ...,  # ny x nq
        D: ArrayLike | None = ...,  # ny x ny [1/kg]; NULL means zero
        D_in_y: bool | None = ...,  # D enters y too; see above
        compliance: ArrayLike | None = ...,  # S, ny x ny [m/N]; excludes D; NULL means zero
        F: ArrayLike | None = ...,  # ny x nZ; NULL means zero
        b: ArrayLike | None = ...,  # ny; NULL means zero
        nz: int | None = ...,  # number of own parameters
        z: ArrayLike | None = ...,  # nz initial own parameters; NULL means zero
    ) -> Relation:
        """Creates a Lagrangian linear relation. Any number of interactions may share the relation."""

    def lagrangian_relation(
        self, *,
        name: str | None = ...,  # for messages; copied; may be NULL
        ny: int | None = ...,  # m, size of y, >= 1
        nq: int | None = ...,  # size of Q, >= 1
        output_fn: Function | None = ...,  # h, ny [m]; required
        jac_output_q_fn: Function | None = ...,  # dh/dQ, ny x nq; required
        jac_output_t_fn: Function | None = ...,  # dh/dt, ny; NULL: h does not depend on t
        jac_output_lambda_fn: Function | None = ...,  # dh/dlambda, ny x ny; NULL: rigid
        rate_form: bool | None = ...,  # lambda enters dy/dt itself; needs jac_output_lambda_fn; see above
        bias_fn: Function | None = ...,  # ny: d^2y/dt^2 at dV/dt = 0, (dH/dt) V + d^2h/dt^2 + 2 (d^2h/dt dQ) V, for event-driven simulation [m/s^2]; NULL: the library takes differences of dy/dt along the motion. Not with jac_output_lambda_fn.
        nz: int | None = ...,  # number of own parameters
        z: ArrayLike | None = ...,  # nz initial own parameters; NULL means zero
        data: Sequence[dict[str, Any]] | None = ...,  # ndata entries; copied
    ) -> Relation:
        """Creates the relation. Errors: sizes below 1, output_fn or jac_output_q_fn missing, rate_form
        without jac_output_lambda_fn, bias_fn beside jac_output_lambda_fn."""

    def shapes(
        self, *,
        name: str | None = ...,  # for messages; copied; may be NULL
        dimension: int | None = ...,  # 3, or 2: bodies in the plane; 0 means 3
        law: Law | None = ...,  # Law of every contact: 1, 3 or 5 rows, in the plane 1, 2 or 3. NULL: the materials give the law.
        nmaterial: int | None = ...,  # without law: number of materials, 1 .. 256
        material: Sequence[Any] | None = ...,  # nmaterial; copied
        mix: str | int | None = ...,  # how coefficients mix
        mix_fn: Callable[[Record, Record], dict[str, Any]] | None = ...,  # changes the mixed coefficients; may be NULL
        rolling: bool | None = ...,  # with materials: rolling friction too; else Coulomb's law
        nshape: int | None = ...,  # number of shapes to begin with; nsds_shapes_add() adds more
        shape: Sequence[Any] | None = ...,  # nshape shapes; they get the numbers 0, 1, ...
        reach: float | None = ...,  # the search finds contacts with gaps up to this [m]; 0: a tenth of the radius of the largest ball around a shape on a body. A body faster than reach / h overlaps before its contact is found
        max_contacts: int | None = ...,  # largest number of contacts. If the search finds more, the step fails. 0: 256 per shape on a body
        overlap: str | int | None = ...,  # NSDS_OVERLAP_CCD is NSDS_ERROR_UNSUPPORTED if libccd is not built in (NSDS_WITH_CCD)
    ) -> ContactSet:
        """Creates the contact set of shapes. The time of a search is proportional to the number of shapes
        and to the contacts per shape, whatever the sizes. Each triangle counts as a shape. A step fails
        with NSDS_ERROR_VALUE if there are more than max_contacts, or if a contact has no normal. This
        happens if two spheres have the same center, or if axes of capsules cross. The model stays as it
        was."""

    def mixed_linear_relation(
        self, *,
        name: str | None = ...,  # for messages; copied; may be NULL
        ny: int | None = ...,  # m, size of y and lambda, >= 1
        nx: int | None = ...,  # size of X; 0: the relation ties second-order systems only, and the law is about forces and V
        nq: int | None = ...,  # size of Q, >= 1
        nv: int | None = ...,  # size of V; 0 means nq
        C: ArrayLike | None = ...,  # m x nx; NULL means zero
        H: ArrayLike | None = ...,  # m x nq; NULL means zero
        E: ArrayLike | None = ...,  # m x nv; NULL means zero
        D: ArrayLike | None = ...,  # m x m; NULL means zero
        e: ArrayLike | None = ...,  # m; NULL means zero
        e_fn: Function | None = ...,  # e(t,Z), m; give e or e_fn, not both
        B: ArrayLike | None = ...,  # nx x m; NULL means zero
        L: ArrayLike | None = ...,  # nv x m [N per unit of lambda]; NULL means zero
        nz: int | None = ...,  # number of own parameters
        z: ArrayLike | None = ...,  # nz initial own parameters; NULL means zero
        data: Sequence[dict[str, Any]] | None = ...,  # ndata entries; copied
    ) -> Relation:
        """Creates a linear mixed relation. Models of linear systems still take one pass per step."""

    def mixed_relation(
        self, *,
        name: str | None = ...,  # for messages; copied; may be NULL
        ny: int | None = ...,  # m, size of y and lambda, >= 1
        nx: int | None = ...,  # size of X, >= 0
        nq: int | None = ...,  # size of Q, >= 1
        nv: int | None = ...,  # size of V; 0 means nq
        output_fn: Function | None = ...,  # h, m; required
        jac_output_x_fn: Function | None = ...,  # dh/dX, m x nx; required with nx > 0
        jac_output_q_fn: Function | None = ...,  # dh/dQ, m x nq; required
        jac_output_v_fn: Function | None = ...,  # dh/dV, m x nv; required
        jac_output_lambda_fn: Function | None = ...,  # dh/dlambda, m x m; NULL: zero
        input_fn: Function | None = ...,  # (r, F), nx + nv; required
        jac_input_lambda_fn: Function | None = ...,  # dg/dlambda, (nx + nv) x m; required
        jac_input_x_fn: Function | None = ...,  # dg/dX, (nx + nv) x nx; NULL: left out of the iteration matrix. If g depends on X this costs iterations; if g is stiff in X the iteration fails
        jac_input_q_fn: Function | None = ...,  # dg/dQ, (nx + nv) x nq; NULL: likewise
        jac_input_v_fn: Function | None = ...,  # dg/dV, (nx + nv) x nv; NULL: likewise
        nz: int | None = ...,  # number of own parameters
        z: ArrayLike | None = ...,  # nz initial own parameters; NULL means zero
        data: Sequence[dict[str, Any]] | None = ...,  # ndata entries; copied
        terms: ArrayLike | None = ...,  # ny: as in nsds_custom_relation_def; copied; NULL: none
    ) -> Relation:
        """Creates a nonlinear mixed relation. If you give a Jacobian of g in X, Q or V, the systems of the
        relation share an iteration matrix. Systems that other such relations tie to them share it too.
        Bodies of contact sets cannot be among these systems. In systems with explicit forces, F is not
        taken at the start of the step as these forces are."""

    def rigid_body(
        self, *,
        name: str | None = ...,  # for messages; copied; may be NULL
        mass: float | None = ...,  # m > 0 [kg]
        inertia: ArrayLike | None = ...,  # J, 3 x 3, symmetric positive definite [kg m^2]
        q0: ArrayLike | None = ...,  # 7 initial coordinates; NULL: the origin, axes of the world
        v0: ArrayLike | None = ...,  # 6 initial velocities; NULL means zero
        gravity: ArrayLike | None = ...,  # acceleration g in the world [m/s^2]
        force: dict[str, Any] | Sequence[Any] | None = ...,  # f(t,q,v,z), 3 [N], in the world unless in_body
        moment: dict[str, Any] | Sequence[Any] | None = ...,  # n(t,q,v,z), 3 [N m] about the center, in the body unless in_world
        explicit_gyroscopic: bool | None = ...,  # W x J W, forces and moments are taken at the start of a step: one linear solve, order 1, energy may grow
        prescribed: dict[str, Any] | Sequence[Any] | None = ...,  # velocities given, indices in [0, 6)
        nz: int | None = ...,  # number of parameters
        z: ArrayLike | None = ...,  # nz initial parameters; NULL means zero
        data: Sequence[dict[str, Any]] | None = ...,  # ndata entries; copied
    ) -> System:
        """Creates a rigid body with nq = 7, nv = 6. The attitude advances by the exponential map, p (x)
        exp(step / 2), and stays a unit quaternion to rounding over any number of steps. The iteration
        matrix includes the gyroscopic term. If J is a multiple of the identity and there are no
        functions, a step takes one linear solve."""

    def rigid_body_2d(
        self, *,
        name: str | None = ...,  # for messages; copied; may be NULL
        mass: float | None = ...,  # m > 0 [kg]
        inertia: float | None = ...,  # J > 0 about the center [kg m^2]
        q0: ArrayLike | None = ...,  # 3 initial coordinates [m, rad]; NULL means zero
        v0: ArrayLike | None = ...,  # 3 initial velocities; NULL means zero
        gravity: ArrayLike | None = ...,  # acceleration [m/s^2]
        force_fn: Function | None = ...,  # force and moment (t,z), 3 [N, N m]; may not depend on q, v
        prescribed: dict[str, Any] | Sequence[Any] | None = ...,  # velocities given, indices in [0, 3)
        nz: int | None = ...,  # number of parameters
        z: ArrayLike | None = ...,  # nz initial parameters; NULL means zero
        data: Sequence[dict[str, Any]] | None = ...,  # ndata entries; copied
    ) -> System:
        """Creates a rigid body in the plane, a linear system of three degrees of freedom. For forces that
         depend on the state take nsds_lagrangian(). Errors: mass or inertia outside of [1e-150, 1e150],
         because their squares or the squares of inverses overflow; values that are not finite."""

    def contact_relation(
        self, *,
        name: str | None = ...,  # for messages; copied; may be NULL
        dimension: int | None = ...,  # 3: bodies of nsds_rigid_body(); 2: of nsds_rigid_body_2d(); 0 means 3
        rows: int | None = ...,  # In space 1 (normal N), 3 (N, T1, T2) or 5 (N, T1, T2, R1, R2); in the plane 1, 2 (N, T) or 3 (N, T, R). 0 means 3 in space and 2 in the plane, for nsds_newton_impact_friction().
        pair: bool | None = ...,  # between two bodies; false: a body and the world
        contact_fn: Function | None = ...,  # required
        rate_fn: Function | None = ...,  # Rates d/dt of point [m/s], normal and tangent [1/s] at in->q and in->v; the rate of the gap is not read. Gives event-driven simulation the exact d^2y/dt^2. NULL: the library takes differences of dy/dt along the motion.
    ) -> Relation:
        """Creates the relation of a contact between a rigid body and the world or a second body, with r = P
        - x from the center of a body:"""

    def sphere_plane_relation(
        self, *,
        name: str | None = ...,  # for messages; copied; may be NULL
        dimension: int | None = ...,  # 2 or 3; 0 means 3
        rows: int | None = ...,  # as in nsds_contact_relation_def
        radius: float | None = ...,  # r >= 0 [m]; 0: a corner
        center: ArrayLike | None = ...,  # center of the sphere, in the body [m]
        normal: ArrayLike | None = ...,  # n of the plane, of length 1, towards the body
        offset: float | None = ...,  # the plane is {x : n.x = offset} [m]
    ) -> Relation:
        """Creates y = n.X - offset - r with P = X - r n; X is the center of the sphere. Errors: a negative
         radius, a normal that is not of length 1, values that are not finite."""

    def sphere_sphere_relation(
        self, *,
        name: str | None = ...,  # for messages; copied; may be NULL
        dimension: int | None = ...,  # 2 or 3; 0 means 3
        rows: int | None = ...,  # as in nsds_contact_relation_def
        radius: ArrayLike | None = ...,  # r_1, r_2 >= 0 [m]
        center: ArrayLike | None = ...,  # centers of the spheres, each in its body [m]
    ) -> Relation:
        """Creates y = |X_1 - X_2| - r_1 - r_2 with P halfway between the surfaces; X_1 and X_2 are the
         centers of the spheres. If the centers coincide, there is no normal and the step fails with
         NSDS_ERROR_CALLBACK. Errors: a negative radius, values that are not finite."""

    def spring(
        self, *,
        name: str | None = ...,  # for messages; copied; may be NULL
        ds: System | None | Sequence[System | None] | None = ...,  # the systems; ds[1] NULL: the world
        point: ArrayLike | None = ...,  # the end at ds[0], in the world, now [m]
        other: ArrayLike | None = ...,  # the end at ds[1], in the world, now [m]
        coordinates: bool | None = ...,  # true: between coordinates whose rates are velocities; false: points
        coordinate: ArrayLike | None = ...,  # indices in q of ds[0] and ds[1]; without ds[1] l is q_a
        stiffness: float | None = ...,  # k >= 0 [N/m]; 0: only a damper
        damping: float | None = ...,  # d >= 0 [N s/m]; 0: only a spring
        rest: str | int | None = ...,  # choice of L
        length: float | None = ...,  # L with NSDS_REST_LENGTH, between points >= 0 [m]
    ) -> Relation:
        """Creates a spring between two bodies in space or two in the plane, or a body and the world, or
        coordinates of second-order systems. Errors:
        - a first-order system, or a system of another model;
        - a system that is not a body, if `coordinates` is false;
        - numbers out of range, or neither stiffness nor damping."""

class Recording(dict[str, Array]):
    units: dict[str, str]

class Simulation:
    name: str | None
    stopped: bool
    recording: Recording | None
    def close(self) -> None: ...
    def __enter__(self) -> Simulation: ...
    def __exit__(self, *error: object) -> None: ...
    def step(self) -> bool: ...
    def run(self, n: int | None = ..., record: Sequence[Any] | str | None = ...) -> Any: ...
    @property
    def t(self) -> float: ...
    @property
    def step_count(self) -> int: ...
    @property
    def info(self) -> Record: ...
    @property
    def event(self) -> Record: ...
    @property
    def model(self) -> Model: ...
    def displacement(self, system: System) -> Array | None: ...
    def set_h(self, h: float) -> None: ...
    def set_end(self, t1: float) -> None: ...
    def set_solver(self, name: str, tolerance: float = ..., **options: float) -> None: ...
    def set_option(self, option: str, value: float) -> None: ...
    def begin(self) -> int: ...
    def solve(self) -> int: ...
    def take(self, z: ArrayLike) -> int: ...
    def update(self) -> int: ...
    def accept(self) -> int: ...
    def reject(self) -> int: ...
    def problem(self) -> Problem: ...
    def solution(self) -> Array: ...
    def save(self) -> None: ...
    def restore(self, snapshot: Snapshot | None = ...) -> None: ...
    def snapshot(self) -> Snapshot: ...
    def save_snapshot(self, path: str | PathLike[str]) -> None: ...
    def load_snapshot(self, path: str | PathLike[str]) -> None: ...
    def snapshot_every(self, *, path: str | PathLike[str], steps: int = ..., seconds: float = ...) -> None: ...
    def sample(self, function: Callable[[Simulation], object], period: float, phase: float = ...,
               name: str | None = ...) -> None: ...
    def at(self, time: float, function: Callable[[Simulation], object] | None = ..., name: str | None = ...) -> None: ...

class Snapshot:
    def __init__(self, data: bytes) -> None: ...
    def __bytes__(self) -> bytes: ...

class Vtk:
    def __init__(self, path: str | PathLike[str], sphere_level: int = ...) -> None: ...
    def write(self, simulation: Simulation) -> None: ...
    def close(self) -> None: ...
    def __enter__(self) -> Vtk: ...
    def __exit__(self, *error: object) -> None: ...

class Solution(Record):
    solved: bool

class Problem:
    n: int
    M: Any
    q: Array
    blocks: list[dict[str, Any]]
    q_error: Array | None
    name: str | None
    block_names: Sequence[str | None] | None
    stored: dict[str, Array] | None
    guesses: Sequence[dict[str, Array]]
    kind: str
    storage: str
    def __init__(self, M: Any, q: ArrayLike, blocks: str | dict[str, Any] | Sequence[dict[str, Any]] = ...,
                 q_error: ArrayLike | None = ..., name: str | None = ...) -> None: ...
    def certify(self, z: ArrayLike) -> Record: ...
    def solve(self, solver: str = ..., z: ArrayLike | None = ..., **options: float) -> Solution: ...
    def write(self, path: str | PathLike[str], format: str | int = ...) -> None: ...

class GlobalProblem:
    nv: int
    n: int
    p: int
    M: Any
    H: Any
    G: Any
    f: Array
    w: Array
    b: Array
    blocks: list[dict[str, Any]]
    name: str | None
    stored: dict[str, Array] | None
    def __init__(self, M: Any, H: Any, f: ArrayLike, w: ArrayLike, blocks: Any, G: Any = ..., b: ArrayLike | None = ...,
                 name: str | None = ...) -> None: ...
    def solve(self, solver: str = ..., r: ArrayLike | None = ..., **options: float) -> Solution: ...
    def write(self, path: str | PathLike[str], format: str | int = ...) -> None: ...

def read_problem(path: str | PathLike[str], format: str | int = ...) -> Problem | GlobalProblem: ...
def solvers() -> list[Record]: ...

class Solver:
    name: str
    def __init__(self, name: str = ..., log: Callable[[int, str], object] | None = ..., threads: int = ...,
                 **options: float) -> None: ...
    def close(self) -> None: ...
    def __enter__(self) -> Solver: ...
    def __exit__(self, *error: object) -> None: ...
    def set(self, option: str, value: float) -> None: ...
    def get(self, option: str) -> float: ...
    def progress(self, function: Callable[[int, float], object] | None) -> None: ...
    def solve(self, problem: Problem | GlobalProblem, z: ArrayLike | None = ...) -> Solution: ...
    def solve_nonlinear(self, F: Callable[[Array], Any], blocks: Any, z: ArrayLike,
                        jacobian: Callable[[Array], Any] | None = ..., max_steps: int = ...) -> Solution: ...

class Job:
    def __init__(self, file: str | PathLike[str] | None = ..., text: str | None = ..., kind: str | int = ...,
                 settings: dict[str, str | float] | None = ..., refuse_plugins: bool = ...,
                 untrusted: bool = ..., limits: dict[str, float] | None = ...,
                 log: Callable[[int, str], object] | None = ...) -> None: ...
    def close(self) -> None: ...
    def __enter__(self) -> Job: ...
    def __exit__(self, *error: object) -> None: ...
    title: str
    warnings: list[str]
    columns: list[str]
    units: list[str]
    row: Array
    measures: dict[str, float]
    model: Model | None
    simulation: Simulation | None
    def step(self) -> bool: ...
    def run(self, n: int | None = ...) -> Recording: ...
    def expand(self) -> str: ...

class Network:
    system: System
    interaction: Interaction
    def read(self, what: str) -> float: ...

class Scene:
    def __init__(self, model: Model, title: str | None = ..., names: Sequence[str] | None = ...,
                 units: Sequence[str] | None = ..., without_forces: bool = ...) -> None: ...
    def record(self, t: float, quantities: ArrayLike = ...) -> None: ...
    def write_html(self, path: str | PathLike[str]) -> None: ...
    def close(self) -> None: ...
    def __enter__(self) -> Scene: ...
    def __exit__(self, *error: object) -> None: ...

class Sweep:
    def __init__(self, file: str | PathLike[str], axes: Sequence[str], sampling: str | int = ..., samples: int = ...,
                 seed: int = ..., settings: dict[str, str | float] | None = ..., refuse_plugins: bool = ...,
                 untrusted: bool = ..., limits: dict[str, float] | None = ...) -> None: ...
    def __len__(self) -> int: ...
    def close(self) -> None: ...
    axes: list[str]
    measures: list[str]
    key: int
    def values(self, point: int) -> dict[str, str]: ...
    def run(self, point: int) -> Array: ...
    def run_all(self, threads: int = ...) -> Array: ...


def moreau_jean(theta: float, gamma: float, /) -> Scheme: ...
def schatzman_paoli(theta: float, /) -> Scheme: ...
def d1_minus() -> Scheme: ...
def euler_moreau(theta: float, /) -> Scheme: ...
def theta_gamma(theta: float, gamma: float, /) -> Scheme: ...
def full_theta_gamma(theta: float, gamma: float, /) -> Scheme: ...
def zero_order_hold() -> Scheme: ...
def with_gamma_mass(scheme: Scheme, gamma_mass: float, /) -> Scheme: ...
def with_predict_once(scheme: Scheme, /) -> Scheme: ...
def with_input_at_theta(scheme: Scheme, /) -> Scheme: ...
def with_f_at_theta(scheme: Scheme, /) -> Scheme: ...
def with_initial_lambda(scheme: Scheme, /) -> Scheme: ...
def with_step_ratio(scheme: Scheme, step_ratio: int, /) -> Scheme: ...
def activation(gamma_prediction: float, tolerance: float, /) -> Activation: ...
