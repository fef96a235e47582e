# Written by python/generate.py from the headers and stub.pyi.
from collections.abc import Callable, Mapping, Sequence
from os import PathLike
from typing import Any, Literal, TypedDict, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import plot as plot

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

class AdaptiveView:
    t: float
    x: Array
    lambda_: Array
    q: Array

Function = Callable[[Arguments], Any] | int | Any

Progress = bool | Callable[[float, float], object] | None

class State:
    """An array of the state: reading shows it, assigning sets it."""
    @overload
    def __get__(self, instance: None, owner: type) -> State: ...
    @overload
    def __get__(self, instance: object, owner: type) -> Array: ...
    def __set__(self, instance: object, value: ArrayLike) -> None: ...

class Record:
    def __getattr__(self, name: str) -> Any: ...
    def _repr_html_(self) -> str: ...

class Scheme: ...
class Activation: ...

class System:
    name: str | None
    @property
    def nq(self) -> int: ...
    @property
    def nv(self) -> int: ...
    @property
    def nx(self) -> int: ...
    z: State
    q: State
    v: State
    x: State
    @property
    def p(self) -> Array: ...
    @property
    def r(self) -> Array: ...
    @property
    def prescribed_force(self) -> Array: ...
    @property
    def kinetic_energy(self) -> float: ...
    def quantity(self, name: str) -> float | Array: ...
    def set_state(self, q: ArrayLike | None = None, v: ArrayLike | None = None) -> None: ...
    def set_r(self, value: ArrayLike) -> None: ...
    def set_force(self, force: ArrayLike = (0, 0, 0), moment: ArrayLike = (0, 0, 0), frame: Literal["world", "body"] | int = "world") -> None: ...
    def discretise(self, scheme: Scheme) -> None: ...
    def contacts(self) -> list[Contact]: ...
    def destroy(self) -> None: ...

class Relation:
    name: str | None
    z: State
    def destroy(self) -> None: ...

class Law:
    name: str | None

class Interaction:
    name: str | None
    @property
    def size(self) -> int: ...
    z: State
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
    def on(self) -> bool: ...
    @on.setter
    def on(self, value: bool) -> None: ...
    @property
    def systems(self) -> list[System]: ...
    def quantity(self, name: str) -> float | Array: ...
    def set_lambda(self, value: ArrayLike) -> None: ...
    def relative_degree(self, row: int = 0, tolerance: float = 1e-9) -> int: ...
    def joint(self) -> JointMotion: ...
    def joint_points(self) -> Array: ...
    def set_turns(self, near: float) -> None: ...
    def drive(self) -> DriveMotion: ...
    def set_drive(self, target: float = 0.0, rate: float = 0.0, force: float = 0.0) -> None: ...
    def spring(self) -> SpringMotion: ...
    def contact(self) -> Contact: ...
    def disconnect(self) -> None: ...

class JointActions(Record):
    """The parts that joint_act() has made; None: absent."""
    spring: Interaction | None
    drive: Interaction | None
    friction: Interaction | None
    lower: Interaction | None
    upper: Interaction | None
    rotor: System | None
    armature: Interaction | None

class ContactSet:
    name: str | None
    def quantity(self, name: str) -> float | Array: ...
    def __len__(self) -> int: ...
    def contacts(self) -> list[Contact]: ...
    def add(
        self, *,
        kind: Literal["sphere", "capsule", "box", "hull", "half_space", "triangles", "cylinder", "cone", "ellipsoid", "height_field", "mesh"] | int | None = None,  # required
        ds: System | None = None,  # the body: of nsds_rigid_body(), in the plane of nsds_rigid_body_2d(); NULL: scenery
        position: ArrayLike | None = None,  # place of its origin in the body, or in the world [m]
        quaternion: ArrayLike | None = None,  # in space: attitude in the body, or in the world; all zeros mean no rotation
        angle: float | None = None,  # in the plane: its angle [rad]
        radius: float | None = None,  # [m]; spheres, capsules and cylinders: > 0; boxes, hulls, triangles, height fields and meshes: >= 0, their surface moves out by the radius and gets round edges; cones: >= 0, but not with top_radius 0; ellipsoids: not read
        top_radius: float | None = None,  # cones: the other radius >= 0 [m]
        half: ArrayLike | None = None,  # [m]; boxes, ellipsoids: > 0; capsules, cylinders, cones: half[0] > 0; height fields: half[0], half[1] > 0, in the plane half[0] > 0
        plane: PlaneDict | Mapping[str, Any] | Sequence[Any] | None = None,  # half spaces: in the world
        nvertex: int | None = None,  # hulls: 4 .. 4096, in the plane from 3 on; triangles, meshes: >= 1
        vertex: ArrayLike | None = None,  # 3 x nvertex (in the plane 2 x nvertex) coordinates [m]
        nface: int | None = None,  # triangles, meshes: their number of faces >= 1
        face: ArrayLike | None = None,  # 3 x nface (in the plane 2 x nface) indices of vertices
        material: int | None = None,  # index into nsds_shapes_defmaterial
        group: int | None = None,  # shapes of one group do not meet each other; 0: no group
        nx: int | None = None,  # height fields: number of points along the first axis, 2 .. 10000
        ny: int | None = None,  # height fields: number of points along the second axis, 2 .. 10000; in the plane 0 or 1
        height: ArrayLike | None = None,  # height fields: ny x nx heights, by columns [m]
        part: ArrayLike | None = None,  # meshes: nface numbers 0, 1, ... of the part to which each face belongs. NULL: faces that share vertices, by their indices, are a part. In space a closed part that is not convex is cut into convex ones then, up to 5000 faces and 1000 cells. Fronts of faces are outside; a cavity is refused
        color: ArrayLike | None = None,  # of pages: red, green, blue in [0, 1]; zeros: by the body
        hidden: bool | None = None,  # true: pages do not draw the shape
    ) -> int: ...
    def remove(self, shape: int) -> None: ...
    def remove_body(self, body: System) -> None: ...
    def exclude(self, first: System, second: System) -> None: ...
    def include(self, first: System, second: System) -> None: ...
    @property
    def shape_count(self) -> int: ...
    def shape(self, k: int) -> ShapeInfo: ...
    @overload
    def cast(self, origin: Sequence[float], direction: Sequence[float], length: float = 0.0,
             ignore: System | None = None) -> ShapeHit | None: ...
    @overload
    def cast(self, origin: ArrayLike, direction: ArrayLike, length: float = 0.0,
             ignore: System | None = None) -> Any: ...
    def nearest(self, point: ArrayLike, within: float = 0.0, ignore: System | None = None) -> ShapeHit | None: ...
    def in_ball(self, center: ArrayLike, radius: float, ignore: System | None = None) -> list[int]: ...
    def gap(self, first: int, second: int) -> ShapeGap: ...
    def destroy(self) -> None: ...

class Sensor:
    @property
    def name(self) -> str: ...
    @property
    def size(self) -> int: ...
    @property
    def value(self) -> Array: ...
    @property
    def units(self) -> list[str]: ...
    def quantity(self, name: str) -> float | Array: ...
    def destroy(self) -> None: ...

class Plugin:
    def function(self, name: str, kind: str | int) -> Any: ...
    def law(self, name: str, z: ArrayLike = ()) -> Law: ...
    def solver(self, name: str) -> None: ...

class Model:
    name: str | None
    def __init__(self, name: str | None = None, threads: int = 1,
                 log: Callable[[int, str], object] | None = None) -> None: ...
    def close(self) -> None: ...
    @property
    def closed(self) -> bool: ...
    def __enter__(self) -> Model: ...
    def __exit__(self, *error: object) -> None: ...
    def __getitem__(self, name: str) -> System | Interaction | ContactSet | Sensor: ...
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
    @property
    def sensors(self) -> list[Sensor]: ...
    def connect(self, relation: Relation, law: Law, *systems: System, name: str | None = None,
                z: ArrayLike | None = None) -> Interaction: ...
    def contacts(self) -> list[Contact]: ...
    def contact_table(self) -> dict[str, NDArray[Any]]: ...
    def plugin(self, path: str | PathLike[str]) -> Plugin: ...
    def circuit(self, file: str | PathLike[str] | None = None, text: str | None = None,
                settings: Mapping[str, str | float] | None = None, at_rest: bool = False,
                ideal: bool = False) -> Network: ...
    def newton_impact(self, e: float = 0.0) -> Law: ...
    def poisson_impact(self, e: float = 0.0) -> Law: ...
    def complementarity(self) -> Law: ...
    def equality(self) -> Law: ...
    def relay(self, lower: ArrayLike = -1.0, upper: ArrayLike = 1.0) -> Law: ...
    def saturation(self, lower: ArrayLike = -1.0, upper: ArrayLike = 1.0, slope: float = 1.0) -> Law: ...
    def normal_cone(self, H: ArrayLike, K: ArrayLike) -> Law: ...
    def joint_act(
        self, *,
        coordinate: JointCoordinateDict | Mapping[str, Any] | Sequence[Any] | None = None,  # c; its name begins the names of all parts; D is 0
        stiffness: float | None = None,  # of a spring, >= 0 [N m/rad, N/m]
        damping: float | None = None,  # of a damper, >= 0 [N m s/rad, N s/m]
        rest: float | None = None,  # c at which the spring has no force [rad, m]
        friction: float | None = None,  # dry friction >= 0 [N m, N]
        armature: float | None = None,  # inertia of a rotor that turns with c, >= 0 [kg m^2, kg]
        lower: float | None = None,  # least c; no stops if lower and upper are 0; -INFINITY: none [rad, m]
        upper: float | None = None,  # largest c, > lower; INFINITY: none [rad, m]
        restitution: float | None = None,  # of rigid stops, in [0, 1]
        stop_stiffness: float | None = None,  # of soft stops, >= 0; 0: rigid stops [N m/rad, N/m]
        driven: bool | None = None,  # true: there is a drive, see nsds_joint_drive()
        integrated: bool | None = None,  # the target of the drive moves with its rate
        drive_stiffness: float | None = None,  # >= 0
        drive_damping: float | None = None,  # >= 0
        target: float | None = None,  # of the drive, of c [rad, m]
        rate: float | None = None,  # of the drive, of dc/dt [rad/s, m/s]
        force: float | None = None,  # added to the force of the drive [N m, N]
        most: float | None = None,  # largest magnitude of the drive's force, >= 0; 0: no limit [N m, N]
        target_lower: float | None = None,  # of an integrated drive: least target; both bounds 0: none [rad, m]
        target_upper: float | None = None,  # of an integrated drive: largest target [rad, m]
    ) -> JointActions: ...
    def sensor(
        self, *,
        name: str | None = None,  # for nsds_sensor_find() and messages; copied; may be NULL
        kind: Literal["place", "motion", "acceleration", "imu", "joint", "joint_force", "contact_force", "range", "touch", "center"] | int | None = None,  # required
        ds: System | None = None,  # the rigid body of the frame; JOINT: not read. JOINT_FORCE: one of the joint's bodies, on which the force acts; NULL: the first one, about the joint's point. RANGE: NULL is the world. CENTER: not read
        joint: Interaction | None = None,  # JOINT: a hinge, prismatic or cylindrical joint, or a coordinate or drive. JOINT_FORCE: any joint but gears
        set: ContactSet | None = None,  # RANGE: of nsds_shapes(), required. CONTACT_FORCE, TOUCH: contacts of this set alone; NULL: all contacts
        point: ArrayLike | None = None,  # of the frame, from the center of the body, in its axes [m]
        quaternion: ArrayLike | None = None,  # attitude of the sensor's axes in the body, of any length; zero: the body's axes
        axes: Literal["world", "body"] | int | None = None,  # of vectors: NSDS_FRAME_WORLD, or NSDS_FRAME_BODY for the sensor's own
        coordinate: Literal["angle", "displacement", "swing", "twist", "first", "second", "of_system"] | int | None = None,  # JOINT: ANGLE or DISPLACEMENT; 0: the only one
        axis: ArrayLike | None = None,  # RANGE: the direction, in the sensor's axes, of any length; zero: the third axis
        most: float | None = None,  # RANGE: how far the ray reaches, >= 0 [m]; 0: without end
        zone: Literal["all", "sphere", "capsule", "cylinder", "box", "ellipsoid"] | int | None = None,  # TOUCH: where contacts count
        radius: float | None = None,  # TOUCH: of the zone, > 0 where the zone has one [m]
        half: ArrayLike | None = None,  # TOUCH: half lengths of the zone, > 0 where the zone has them [m]
        count: int | None = None,  # CENTER: number of bodies >= 1
        bodies: Sequence[System] | None = None,  # CENTER: count rigid bodies; copied
    ) -> Sensor: ...
    def mass_properties(
        self, *,
        dimension: int | None = None,  # 3, or 2 for shapes in the plane; 0 means 3
        nshape: int | None = None,  # number of shapes >= 1
        shape: Sequence[ShapeDict | Mapping[str, Any] | Sequence[Any]] | None = None,  # nshape shapes in one frame; `ds`, `material` and `group` are not read. If shapes overlap, the common volume counts twice
        density: float | None = None,  # density of all shapes > 0 [kg/m^3], in the plane [kg/m^2]
        densities: ArrayLike | None = None,  # density of each shape, nshape values > 0
        mass: float | None = None,  # mass of all shapes together > 0 [kg], spread evenly over the volume
    ) -> Mass: ...
    def check_jacobians(self, t: float = 0.0, tolerance: float = 1e-5) -> JacobianReport: ...
    def describe(self) -> str: ...
    def _repr_html_(self) -> str: ...
    def time_stepping(
        self, *,
        t0: float | None = None,  # start time [s]
        t1: float | None = None,  # end time [s], > t0; the last step is shortened to end at t1
        h: float | None = None,  # step [s], > 0
        first_order: Scheme | None = None,  # default nsds_euler_moreau(0.5)
        second_order: Scheme | None = None,  # default nsds_moreau_jean(0.5, 1.0)
        activation: Activation | None = None,  # for nsds_moreau_jean(); default nsds_activation(0.5, 1e-12)
        contacts_at_start: bool | None = None,  # true: contacts of sets are found at the start of the step, not at q_i + h gamma v_i; see nsds/contact.h
        update_prediction: bool | None = None,  # every Newton iteration repeats the activation test with its own velocity, y_i + gamma_p h dy^k/dt <= 0. This closes contacts whose bodies the force of the step drives together. Closed contacts stay closed in the step. Linear models have no iterations
        newton: NewtonDict | Mapping[str, Any] | Sequence[Any] | None = None,  # Newton's method in a step
        max_halvings: int | None = None,  # a failed step is retried as 2, 4, ... 2^max_halvings substeps, > 0, at most 30. Default: 10 if Newton's method did not converge, none after other failures. NSDS_HALVE_NEVER: none. If Newton's method does not converge in the smallest substep either, this substep is made with nsds_with_predict_once(), see nsds_step_infopredicted
        overlap_sweeps: int | None = None,  # number of sweeps over positions, at the end of a step, that lead bodies of contact sets out of overlap, > 0, at most 1000. Default: with up to 256 contacts as many as needed, with more 8. NSDS_OVERLAP_STAYS: none. For nsds_moreau_jean() without projection. The sweeps keep velocities and impulses, and do not move bodies that an interaction acts on. Lifting bodies takes at most the energy that contacts have dissipated in the step, see docs/bodies.md
        projection: ProjectionDict | Mapping[str, Any] | Sequence[Any] | None = None,  # projection of positions on their constraints; default none
        solver: str | None = None,  # a name from nsds_solver_table(); default "auto"
        tolerance: float | None = None,  # certified scale-free residual, > 0; default 1e-10
        check_solver: Callable[[Simulation, SolverInfo], object] | None = None,  # called after each solve; may be NULL
        coordinates: Literal["maximal", "joint"] | int | None = None,  # default NSDS_COORDINATES_MAXIMAL. NSDS_COORDINATES_JOINT: bodies in space that joints of nsds/tree.h connect move in the coordinates of these joints, in O(n) for a tree of n bodies. The joints stay closed up to rounding. Contacts, drives, stops and joints that close a loop are rows over the tree. States, files and quantities are the same. For nsds_moreau_jean(); a projection takes NSDS_METRIC_MASS
    ) -> Simulation:
        """Creates a time-stepping simulation of a model. If a value is out of range, the message of the
        error names it."""

    def adaptive(
        self, *,
        t0: float | None = None,  # start time [s]
        t1: float | None = None,  # end time [s], > t0
        output_period: float | None = None,  # nsds_step() goes to the next time t0 + k output_period [s], > 0, by as many steps as the error asks for. Default: nsds_step() takes one step
        largest_step: float | None = None,  # [s], > 0; default: output_period, at most (t1 - t0) / 50
        tolerance: float | None = None,  # error of a step in M x, relative to the largest value so far, > 0; default 1e-4. NSDS_EQUAL_STEPS: all steps are as long as possible
        settling: float | None = None,  # length of the two steps behind an event [s], > 0, at most largest_step; default 1e-4 largest_step
        size: ArrayLike | None = None,  # sizes of the states (second order: v) of all systems, in the order of creation, each >= 0: errors are compared with at least |M| times these. NULL: with the largest values so far; copied. Ignored once systems come or go
        next_corner: Callable[[float], float] | None = None,  # Returns the first time after t at which f, a relation or a derivative of these jumps [s], or HUGE_VAL. A step ends at this time, and the next step begins there. NULL: no such times
        switched: Sequence[Interaction] | None = None,  # nswitch interactions, each once. A switch that is on leaves its interaction to the law. While the switch is off, lambda stays within the bounds below. Once its interaction is disconnected, a switch is off and is not asked for its margin. Copied
        off_lower: ArrayLike | None = None,  # nswitch lower bounds while off; NULL: zeros; copied
        off_upper: ArrayLike | None = None,  # nswitch upper bounds while off; NULL: zeros; copied
        margin: Callable[[AdaptiveView, int, bool], float] | None = None,  # moves the switches; needed if nswitch > 0
        by_laws: bool | None = None,  # events are not located, but for gaps that close: a step in which a mode ends is made by the laws, with order 1, shorter where its error is too large. For very many modes
        solver: str | None = None,  # solver of the steps by the laws; default "auto"
        solver_tolerance: float | None = None,  # certified scale-free residual, > 0; default 1e-10
        on: Sequence[bool] | None = None,  # nswitch: switches that are on before their margins move them for the first time; NULL: none; copied
    ) -> Simulation:
        """Creates an adaptive simulation of a model. Samplers, user events, saved
        states and all other calls of nsds/simulation.h work as in any simulation. nsds_lambda() and
        nsds_y() return values at the current time."""

    def distributing_impact(
        self, *,
        restitution: float | None = None,  # energetic coefficient e in [0, 1]: a contact gives back e^2 of the work done on it
        stiffness: float | None = None,  # K > 0; only the ratios between the contacts of an impact count
        exponent: float | None = None,  # eta in [1, 10] in the force K d^eta: 1, the default, is linear; 1.5 is the law of Hertz for spheres. Contacts of one impact must have the same exponent
        bi_stiffness: bool | None = None,  # true: the release has the higher stiffness K / e^(2 eta), and the force is continuous; false: K stays and the force falls at once
    ) -> Law:
        """The impact law of Liu, Zhao and Brogliato on unilateral contact. Impulses of contacts that act on
        each other grow in the ratio of their elastic forces,"""

    def newton_impact_friction(
        self, *,
        dimension: int | None = None,  # 2: rows N, T; 3: rows N, T1, T2; 0 means 3
        mu: float | None = None,  # coefficient of friction >= 0
        e_n: float | None = None,  # coefficient of normal restitution in [0, 1]
        e_t: float | None = None,  # coefficient of tangential restitution in [-1, 1]
        slip: ArrayLike | None = None,  # added to the tangential velocities [m/s]. For a surface that moves in its plane, such as a belt: minus its velocity. slip[1] is for dimension 3 only
    ) -> Law:
        """Newton's impact law with Coulomb friction. A closed contact has the local velocity u = (u_N,
        u_T), the slip s = u_T + slip and the impulse P = (P_N, P_T):"""

    def fremond_impact_friction(
        self, *,
        dimension: int | None = None,  # 2: rows N, T; 3: rows N, T1, T2; 0 means 3
        mu: float | None = None,  # coefficient of friction >= 0
        e_n: float | None = None,  # coefficient of normal restitution in [0, 1]
        slip: ArrayLike | None = None,  # added to the tangential velocities [m/s], see above
    ) -> Law:
        """Fremond's impact law with Coulomb friction. The law acts on u = (u(+) + u(-)) / 2, the average of
        the velocities before and after an impact. The power of u with P is the change of kinetic energy:"""

    def newton_impact_rolling(
        self, *,
        dimension: int | None = None,  # 2: rows N, T, R; 3: rows N, T1, T2, R1, R2; 0 means 3
        mu: float | None = None,  # coefficient of friction >= 0
        mu_rolling: float | None = None,  # coefficient of rolling friction >= 0 [m]
        e_n: float | None = None,  # coefficient of normal restitution in [0, 1]
        e_t: float | None = None,  # coefficient of tangential restitution in [-1, 1]
        slip: ArrayLike | None = None,  # added to the tangential velocities [m/s]
    ) -> Law:
        """nsds_newton_impact_friction() with a resistance against rolling. The rows R hold the relative
        angular velocities u_R about the tangents and the angular impulses P_R [N m s],"""

    def balls(
        self, *,
        name: str | None = None,  # for messages; copied; may be NULL
        law: Law | None = None,  # one row per contact
        count: int | None = None,  # number of balls >= 1, at most the systems of the model
        ds: Sequence[System] | None = None,  # count second-order systems; copied
        dimension: int | None = None,  # 2 or 3; 0 means 3
        radius: float | None = None,  # r > 0 [m]
        normal: ArrayLike | None = None,  # n, of unit length; NULL: no half space
        offset: float | None = None,  # offset of the half space [m]
        pairs: bool | None = None,  # contacts between balls too
        reach: float | None = None,  # the search finds contacts with gaps up to this [m]; 0: the radius. Balls faster than reach / h can pass through each other
    ) -> ContactSet:
        """Creates the contact set of balls."""

    def spheres(
        self, *,
        name: str | None = None,  # for messages; copied; may be NULL
        law: Law | None = None,  # 1, 3 (friction) or 5 rows (rolling) per contact
        count: int | None = None,  # number of spheres >= 1
        ds: Sequence[System] | None = None,  # count bodies of nsds_rigid_body(), each once; copied
        radius: float | None = None,  # r > 0 of all spheres [m]; not read with radii
        radii: ArrayLike | None = None,  # count radii > 0 [m]; copied; NULL: radius
        nplane: int | None = None,  # number of planes
        plane: Sequence[PlaneDict | Mapping[str, Any] | Sequence[Any]] | None = None,  # nplane planes; copied
        planes_only: bool | None = None,  # spheres do not meet each other
        reach: float | None = None,  # the search finds contacts with gaps up to this [m]; 0: a tenth of the largest radius. Spheres faster than reach / h overlap before they are found
        max_contacts: int | None = None,  # largest number of contacts. If the search finds more, the step fails. 0: one per plane and sphere, plus 16 per sphere, which is more than twice the number in a dense packing of equal spheres
    ) -> ContactSet:
        """Creates the contact set of spheres. A step fails with NSDS_ERROR_VALUE if two centers coincide,
        because such a pair has no normal, or if the search finds more than max_contacts. The model stays
        as it was. Errors:
        - a system that is not a rigid body of this model, or is given twice;
        - radii that are not positive, or a normal that is not of length 1 within 1e-6;
        - a law of 2, 4 or more than 5 rows, or a set with neither a plane nor two spheres."""

    def event_driven(
        self, *,
        t0: float | None = None,  # start time [s]
        t1: float | None = None,  # end time [s], > t0
        output_period: float | None = None,  # Adds events for output at t0 + k output_period [s], > 0: nsds_step() stops at these times too. The dense output gives the state; integration steps do not end at these times. Default: none
        integrator: str | None = None,  # "auto", the default: explicit steps, but implicit steps while stability would limit explicit steps (up to 400 states). "dormand_prince": explicit steps only. "esdirk": implicit steps only, for stiff systems. Builds with SUNDIALS also have "arkode" and "cvode" (long smooth stretches).
        relative_tolerance: float | None = None,  # relative tolerance of an integration step, > 0; default 1e-9
        absolute_tolerance: float | None = None,  # absolute tolerance, in the units of q, v, x, > 0; default 1e-11
        largest_step: float | None = None,  # largest step of integration [s]; default: no limit
        root_tolerance: float | None = None,  # error of the time of an event, relative to the time; default: rounding
        root_panels: int | None = None,  # parts of a step; each part is searched for events, > 0. The default 1 misses no event if gaps are affine in the state
        accumulation: float | None = None,  # A series of flights that shrink geometrically is taken to its limit: the contact closes. This happens when the next flight is shorter than this fraction of the longest flight of the series. > 0, at most 1; default 1e-8; NSDS_ACCUMULATE_NEVER: never
        max_events: int | None = None,  # largest number of nonsmooth events, > 0, within output_period, or within (t1 - t0) / 4096 if no output_period is given. If more occur, nsds_step() fails or takes a window. Default 100000
        window: float | None = None,  # Length of a window of time stepping [s], see nsds_event_window(). The window begins at the last event, and ends no later than the next time of the clock. Default: no window, nsds_step() fails. The simulation takes a window if - events crowd (max_events, or 100 at one instant); - the problem of an event is not solved; - a row of relative degree 2 or more is at rest; - no step of the integration is small enough.
        window_steps: int | None = None,  # steps of a window, > 0; default 100
        max_steps: int | None = None,  # largest number of integration steps between events, > 0; default 1000000
        solver: str | None = None,  # solver of the problems at events; default "auto"
        tolerance: float | None = None,  # certified scale-free residual, > 0; default 1e-10
        impact_solver: str | None = None,  # solver of problems in impulses; default: `solver`
        problems: int | None = None,  # number of problems of an event that nsds_event_problem_at() returns, >= 0; default 0. Each takes 8 n^2 bytes for n rows that act on each other
        history: int | None = None,  # number of past events that nsds_event_past_at() returns, >= 0; default 0
        coordinates: Literal["maximal", "joint"] | int | None = None,  # Default NSDS_COORDINATES_MAXIMAL. NSDS_COORDINATES_JOINT: bodies in space that joints of nsds/tree.h connect move in the coordinates of these joints. The joints have no rows, stay closed up to rounding, and their forces are known. Contacts, drives, stops and joints that close a loop are rows over the tree. An evaluation takes O(n) for a tree of n bodies, and O(n) for each row. States, files and quantities are the same. See docs/bodies.md
    ) -> Simulation:
        """Creates an event-driven simulation of a model. nsds_step() goes to the next event and processes
        it. nsds_run() goes to the end. Samplers, user events, saved states and all other calls of
        nsds/simulation.h work as in any simulation. nsds_impulse() returns the impulse of the last
        event, or zero at a time of the grid. nsds_lambda() returns lambda at the current time."""

    def first_order(
        self, *,
        name: str | None = None,  # for messages; copied; may be NULL
        n: int | None = None,  # size of x, >= 1
        x0: ArrayLike | None = None,  # n initial values; NULL means zero
        mass: ArrayLike | None = None,  # M, n x n constant; NULL (and no mass_fn) means the identity
        mass_fn: Function | None = None,  # M(t), n x n
        f_fn: Function | None = None,  # f(t,x,z), n; NULL means zero
        jac_f_x_fn: Function | None = None,  # df/dx, n x n; required with f_fn
        control: FirstOrderControlDict | Mapping[str, Any] | Sequence[Any] | None = None,  # T u
        nz: int | None = None,  # number of parameters
        z: ArrayLike | None = None,  # nz initial parameters; NULL means zero
        data: Sequence[Mapping[str, Any]] | None = None,  # ndata entries; copied
    ) -> System:
        """Creates a nonlinear first-order system. Errors name the field and valid values."""

    def first_order_linear(
        self, *,
        name: str | None = None,  # for messages; copied; may be NULL
        n: int | None = None,  # size of x, >= 1
        x0: ArrayLike | None = None,  # n initial values; NULL means zero
        mass: ArrayLike | None = None,  # M, n x n constant; NULL means the identity
        mass_sparse: Any | None = None,  # M, sparse constant
        mass_fn: Function | None = None,  # M(t), n x n
        A: ArrayLike | None = None,  # A, n x n constant; no A, A_sparse or A_fn means zero
        A_sparse: Any | None = None,  # A, sparse constant
        A_fn: Function | None = None,  # A(t,z), n x n
        b: ArrayLike | None = None,  # b, n constant; NULL (and no b_fn) means zero
        b_fn: Function | None = None,  # b(t,z), n
        control: FirstOrderControlDict | Mapping[str, Any] | Sequence[Any] | None = None,  # T u: n, map and fn, u(t,z); there are no Jacobians
        nz: int | None = None,  # number of parameters
        z: ArrayLike | None = None,  # nz initial parameters; NULL means zero
        data: Sequence[Mapping[str, Any]] | None = None,  # ndata entries; copied
    ) -> System:
        """Creates a linear first-order system; errors as for nsds_first_order()."""

    def first_order_linear_relation(
        self, *,
        name: str | None = None,  # for messages; copied; may be NULL
        ny: int | None = None,  # m, size of y and lambda, >= 1
        nx: int | None = None,  # size of X, >= 1
        nZ: int | None = None,  # columns of F: length of Z; 0 without F
        C: ArrayLike | None = None,  # m x nx
        D: ArrayLike | None = None,  # m x m; NULL means zero
        B: ArrayLike | None = None,  # nx x m
        F: ArrayLike | None = None,  # m x nZ
        e: ArrayLike | None = None,  # m
        C_fn: Function | None = None,  # C(t,Z)
        D_fn: Function | None = None,  # D(t,Z)
        B_fn: Function | None = None,  # B(t,Z)
        F_fn: Function | None = None,  # F(t,Z), m x nZ
        e_fn: Function | None = None,  # e(t,Z)
        nz: int | None = None,  # number of own parameters
        z: ArrayLike | None = None,  # nz initial own parameters; NULL means zero
        data: Sequence[Mapping[str, Any]] | None = None,  # ndata entries; copied
    ) -> Relation:
        """Creates a linear relation between first-order systems; C and B are required."""

    def first_order_relation(
        self, *,
        name: str | None = None,  # for messages; copied; may be NULL
        ny: int | None = None,  # m, size of y and lambda, >= 1
        nx: int | None = None,  # size of X, >= 1
        output_fn: Function | None = None,  # h, m; required
        jac_output_x_fn: Function | None = None,  # C = dh/dX, m x nx; required
        jac_output_lambda_fn: Function | None = None,  # D = dh/dlambda, m x m; NULL: zero
        input_fn: Function | None = None,  # g, nx; required
        jac_input_lambda_fn: Function | None = None,  # B = dg/dlambda, nx x m; required
        jac_input_x_fn: Function | None = None,  # K = dg/dX, nx x nx; NULL: zero
        nz: int | None = None,  # number of own parameters
        z: ArrayLike | None = None,  # nz initial own parameters; NULL means zero
        data: Sequence[Mapping[str, Any]] | None = None,  # ndata entries; copied
    ) -> Relation:
        """Creates a nonlinear relation between first-order systems."""

    def joint(
        self, *,
        name: str | None = None,  # for messages; copied; may be NULL
        kind: Literal["ball", "hinge", "prismatic", "cylindrical", "fixed", "distance", "rope", "gear", "universal", "planar"] | int | None = None,  # required
        ds: System | None | Sequence[System | None] | None = None,  # the bodies; ds[1] NULL: the world; ds[2] for GEAR only
        point: ArrayLike | None = None,  # A_1 in the world; A_2 is the same except for DISTANCE and ROPE [m]
        other: ArrayLike | None = None,  # DISTANCE, ROPE: A_2, fixed to the second body or the world [m]
        axis: ArrayLike | None = None,  # a, of any length; BALL, FIXED, DISTANCE and ROPE need none
        other_axis: ArrayLike | None = None,  # GEAR: axis of ds[1]; zero means `axis`. UNIVERSAL: the axis fixed to ds[1] or the world, across `axis`, which is fixed to ds[0]
        teeth: ArrayLike | None = None,  # GEAR: z_1 and z_2, > 0
        length: float | None = None,  # DISTANCE, ROPE: [m]; 0 means the present distance
        start: float | None = None,  # HINGE, PRISMATIC: the coordinate in the present place [rad, m]. From it nsds_joint_read(), sensors and trees count on.
        reversed: bool | None = None,  # GEAR: s is -1, else 1
        D: float | None = None,  # >= 0 [1/kg; for rows of angles 1/(kg m^2)]: not for GEAR, see above
    ) -> Relation:
        """Creates the relation of a joint. Connect the joint with its bodies in the same order:"""

    def joint_coordinate(
        self, *,
        name: str | None = None,  # for messages; copied; may be NULL
        kind: Literal["angle", "displacement", "swing", "twist", "first", "second", "of_system"] | int | None = None,  # required
        ds: System | None | Sequence[System | None] | None = None,  # the bodies; ds[1] NULL: the world
        point: ArrayLike | None = None,  # a point of the axis, in the world [m]
        axis: ArrayLike | None = None,  # a, of any length; not read for an angle in the plane
        reversed: bool | None = None,  # the sign of the coordinate is -1, else 1
        offset: float | None = None,  # added to the coordinate [rad, m]
        D: float | None = None,  # >= 0 [1/(kg m^2), 1/kg]: as in nsds_joint_def
        other_axis: ArrayLike | None = None,  # FIRST, SECOND: as of the universal joint, across `axis`
    ) -> Relation:
        """Creates the relation of one coordinate of bodies that a joint connects, for stops, dry friction
        and drives of the joint:"""

    def joint_drive(
        self, *,
        coordinate: JointCoordinateDict | Mapping[str, Any] | Sequence[Any] | None = None,  # c; its name is that of the drive, its D is 0
        stiffness: float | None = None,  # k >= 0 [N m/rad, N/m]
        damping: float | None = None,  # d >= 0 [N m s/rad, N s/m]
        target: float | None = None,  # of c [rad, m]
        rate: float | None = None,  # target of dc/dt [rad/s, m/s]
        force: float | None = None,  # added to the force of spring and damper [N m, N]
        passive: bool | None = None,  # true: taken in the middle of a step, like nsds_spring(): keeps energy
        integrated: bool | None = None,  # true: the target moves with `rate`, see nsds_joint_drive()
        target_lower: float | None = None,  # integrated: least target; both bounds 0: none [rad, m]
        target_upper: float | None = None,  # integrated: largest target, > target_lower [rad, m]
    ) -> Relation:
        """Creates the relation of a drive. The drive acts on the coordinate c of a joint with the force or
        moment"""

    def joint_couple(
        self, *,
        name: str | None = None,  # of the relation and the interaction; copied; may be NULL
        nterm: int | None = None,  # number of terms, 1 .. 8
        term: Sequence[JointTermDict | Mapping[str, Any] | Sequence[Any]] | None = None,  # the terms
        offset: float | None = None,  # b [rad, m]
    ) -> Interaction:
        """Couples coordinates of joints, and connects the systems of all terms by an equality:"""

    def lagrangian(
        self, *,
        name: str | None = None,  # for messages; copied; may be NULL
        ndof: int | None = None,  # degrees of freedom, >= 1
        q0: ArrayLike | None = None,  # ndof initial coordinates; NULL means zero
        v0: ArrayLike | None = None,  # ndof initial velocities; NULL means zero
        mass: ArrayLike | None = None,  # M, ndof x ndof constant, symmetric positive definite [kg]
        mass_fn: Function | None = None,  # M(q,z), ndof x ndof; give mass or mass_fn; a step fails if M is not positive definite
        nnl: ForceFunctionDict | Mapping[str, Any] | Sequence[Any] | None = None,  # NNL(q,v,z), ndof [N]
        fint: ForceFunctionDict | Mapping[str, Any] | Sequence[Any] | None = None,  # F_int(t,q,v,z), ndof [N]
        fext: ArrayLike | None = None,  # F_ext, ndof constant [N]
        fext_fn: Function | None = None,  # F_ext(t,z), ndof; may not depend on q, v
        control: LagrangianControlDict | Mapping[str, Any] | Sequence[Any] | None = None,  # T_L u_L
        prescribed: PrescribedDict | Mapping[str, Any] | Sequence[Any] | None = None,  # velocities given, indices in [0, ndof)
        nz: int | None = None,  # number of parameters
        z: ArrayLike | None = None,  # nz initial parameters; NULL means zero
        data: Sequence[Mapping[str, Any]] | None = None,  # ndata entries; copied
    ) -> System:
        """Creates a nonlinear Lagrangian system. Errors:
        - size out of range, value not finite, force without its Jacobians;
        - both mass and mass_fn, or neither; a singular mass at q0;
        - diagonal entries of the mass outside of [1e-150, 1e150], because the squares of such entries or
          of their inverses overflow."""

    def lagrangian_linear(
        self, *,
        name: str | None = None,  # for messages; copied; may be NULL
        ndof: int | None = None,  # degrees of freedom, >= 1
        q0: ArrayLike | None = None,  # ndof initial coordinates; NULL means zero
        v0: ArrayLike | None = None,  # ndof initial velocities; NULL means zero
        mass: ArrayLike | None = None,  # M, ndof x ndof [kg]; give mass or mass_sparse
        damping: ArrayLike | None = None,  # C, ndof x ndof [N s/m]; NULL means zero
        stiffness: ArrayLike | None = None,  # K, ndof x ndof [N/m]; NULL means zero
        mass_sparse: Any | None = None,  # M, sparse
        damping_sparse: Any | None = None,  # C, sparse
        stiffness_sparse: Any | None = None,  # K, sparse
        fext: ArrayLike | None = None,  # F_ext, ndof constant [N]; NULL means zero
        fext_fn: Function | None = None,  # F_ext(t,z), ndof; may not depend on q, v
        prescribed: PrescribedDict | Mapping[str, Any] | Sequence[Any] | None = None,  # velocities given, indices in [0, ndof)
        nz: int | None = None,  # number of parameters
        z: ArrayLike | None = None,  # nz initial parameters; NULL means zero
        data: Sequence[Mapping[str, Any]] | None = None,  # ndata entries; copied
    ) -> System:
        """Creates a linear time-invariant Lagrangian system; errors as for nsds_lagrangian()."""

    def lagrangian_linear_relation(
        self, *,
        name: str | None = None,  # for messages; copied; may be NULL
        ny: int | None = None,  # m, size of y, >= 1
        nq: int | None = None,  # size of Q, >= 1: summed over the systems that you will connect
        nZ: int | None = None,  # columns of F: length of Z, see nsds_arguments; 0 without F
        H: ArrayLike | None = None,  # ny x nq
        D: ArrayLike | None = None,  # ny x ny [1/kg]; NULL means zero
        D_in_y: bool | None = None,  # D enters y too; see above
        compliance: ArrayLike | None = None,  # S, ny x ny [m/N]; excludes D; NULL means zero
        F: ArrayLike | None = None,  # ny x nZ; NULL means zero
        b: ArrayLike | None = None,  # ny; NULL means zero
        nz: int | None = None,  # number of own parameters
        z: ArrayLike | None = None,  # nz initial own parameters; NULL means zero
    ) -> Relation:
        """Creates a Lagrangian linear relation. Any number of interactions may share the relation."""

    def lagrangian_relation(
        self, *,
        name: str | None = None,  # for messages; copied; may be NULL
        ny: int | None = None,  # m, size of y, >= 1
        nq: int | None = None,  # size of Q, >= 1
        output_fn: Function | None = None,  # h, ny [m]; required
        jac_output_q_fn: Function | None = None,  # dh/dQ, ny x nq; required
        jac_output_t_fn: Function | None = None,  # dh/dt, ny; NULL: h does not depend on t
        jac_output_lambda_fn: Function | None = None,  # dh/dlambda, ny x ny; NULL: rigid
        rate_form: bool | None = None,  # lambda enters dy/dt itself; needs jac_output_lambda_fn; see above
        bias_fn: Function | None = None,  # ny: d^2y/dt^2 at dV/dt = 0, (dH/dt) V + d^2h/dt^2 + 2 (d^2h/dt dQ) V, for event-driven simulation [m/s^2]; NULL: the library takes differences of dy/dt along the motion. Not with jac_output_lambda_fn.
        nz: int | None = None,  # number of own parameters
        z: ArrayLike | None = None,  # nz initial own parameters; NULL means zero
        data: Sequence[Mapping[str, Any]] | None = None,  # ndata entries; copied
    ) -> Relation:
        """Creates the relation. Errors: sizes below 1, output_fn or jac_output_q_fn missing, rate_form
        without jac_output_lambda_fn, bias_fn beside jac_output_lambda_fn."""

    def shapes(
        self, *,
        name: str | None = None,  # for messages; copied; may be NULL
        dimension: int | None = None,  # 3, or 2: bodies in the plane; 0 means 3
        law: Law | None = None,  # Law of every contact: 1, 3 or 5 rows, in the plane 1, 2 or 3. NULL: the materials give the law.
        nmaterial: int | None = None,  # without law: number of materials, 1 .. 256
        material: Sequence[MaterialDict | Mapping[str, Any] | Sequence[Any]] | None = None,  # nmaterial; copied
        mix: Literal["geometric", "min", "max", "mean"] | int | None = None,  # how coefficients mix
        mix_fn: Callable[[Material, Material], Mapping[str, Any]] | None = None,  # changes the mixed coefficients; may be NULL
        rolling: bool | None = None,  # with materials: rolling friction too; else Coulomb's law
        nshape: int | None = None,  # number of shapes to begin with; nsds_shapes_add() adds more
        shape: Sequence[ShapeDict | Mapping[str, Any] | Sequence[Any]] | None = None,  # nshape shapes; they get the numbers 0, 1, ...
        reach: float | None = None,  # the search finds contacts with gaps up to this [m]; 0: a tenth of the radius of the largest ball around a shape on a body. A body faster than reach / h overlaps before its contact is found
        max_contacts: int | None = None,  # largest number of contacts. If the search finds more, the step fails. 0: 256 per shape on a body
        overlap: Literal["auto", "axes", "ccd"] | int | None = None,  # NSDS_OVERLAP_CCD is NSDS_ERROR_UNSUPPORTED if libccd is not built in (NSDS_WITH_CCD)
    ) -> ContactSet:
        """Creates the contact set of shapes. The time of a search is proportional to the number of shapes
        and to the contacts per shape, whatever the sizes. Each triangle counts as a shape. A step fails
        with NSDS_ERROR_VALUE if there are more than max_contacts, or if a contact has no normal. This
        happens if two spheres have the same center, or if axes of capsules cross. The model stays as it
        was."""

    def mixed_linear_relation(
        self, *,
        name: str | None = None,  # for messages; copied; may be NULL
        ny: int | None = None,  # m, size of y and lambda, >= 1
        nx: int | None = None,  # size of X; 0: the relation ties second-order systems only, and the law is about forces and V
        nq: int | None = None,  # size of Q, >= 1
        nv: int | None = None,  # size of V; 0 means nq
        C: ArrayLike | None = None,  # m x nx; NULL means zero
        H: ArrayLike | None = None,  # m x nq; NULL means zero
        E: ArrayLike | None = None,  # m x nv; NULL means zero
        D: ArrayLike | None = None,  # m x m; NULL means zero
        e: ArrayLike | None = None,  # m; NULL means zero
        e_fn: Function | None = None,  # e(t,Z), m; give e or e_fn, not both
        B: ArrayLike | None = None,  # nx x m; NULL means zero
        L: ArrayLike | None = None,  # nv x m [N per unit of lambda]; NULL means zero
        nz: int | None = None,  # number of own parameters
        z: ArrayLike | None = None,  # nz initial own parameters; NULL means zero
        data: Sequence[Mapping[str, Any]] | None = None,  # ndata entries; copied
    ) -> Relation:
        """Creates a linear mixed relation. Models of linear systems still take one pass per step."""

    def mixed_relation(
        self, *,
        name: str | None = None,  # for messages; copied; may be NULL
        ny: int | None = None,  # m, size of y and lambda, >= 1
        nx: int | None = None,  # size of X, >= 0
        nq: int | None = None,  # size of Q, >= 1
        nv: int | None = None,  # size of V; 0 means nq
        output_fn: Function | None = None,  # h, m; required
        jac_output_x_fn: Function | None = None,  # dh/dX, m x nx; required with nx > 0
        jac_output_q_fn: Function | None = None,  # dh/dQ, m x nq; required
        jac_output_v_fn: Function | None = None,  # dh/dV, m x nv; required
        jac_output_lambda_fn: Function | None = None,  # dh/dlambda, m x m; NULL: zero
        input_fn: Function | None = None,  # (r, F), nx + nv; required
        jac_input_lambda_fn: Function | None = None,  # dg/dlambda, (nx + nv) x m; required
        jac_input_x_fn: Function | None = None,  # dg/dX, (nx + nv) x nx; NULL: left out of the iteration matrix. If g depends on X this costs iterations; if g is stiff in X the iteration fails
        jac_input_q_fn: Function | None = None,  # dg/dQ, (nx + nv) x nq; NULL: likewise
        jac_input_v_fn: Function | None = None,  # dg/dV, (nx + nv) x nv; NULL: likewise
        nz: int | None = None,  # number of own parameters
        z: ArrayLike | None = None,  # nz initial own parameters; NULL means zero
        data: Sequence[Mapping[str, Any]] | None = None,  # ndata entries; copied
        terms: ArrayLike | None = None,  # ny: as in nsds_custom_relation_def; copied; NULL: none
    ) -> Relation:
        """Creates a nonlinear mixed relation. If you give a Jacobian of g in X, Q or V, the systems of the
        relation share an iteration matrix. Systems that other such relations tie to them share it too.
        Bodies of contact sets cannot be among these systems. In systems with explicit forces, F is not
        taken at the start of the step as these forces are."""

    def rigid_body(
        self, *,
        name: str | None = None,  # for messages; copied; may be NULL
        mass: float | None = None,  # m > 0 [kg]
        inertia: ArrayLike | None = None,  # J, 3 x 3, symmetric positive definite [kg m^2]
        q0: ArrayLike | None = None,  # 7 initial coordinates; NULL: the origin, axes of the world
        v0: ArrayLike | None = None,  # 6 initial velocities; NULL means zero
        gravity: ArrayLike | None = None,  # acceleration g in the world [m/s^2]
        force: LoadFunctionDict | Mapping[str, Any] | Sequence[Any] | None = None,  # f(t,q,v,z), 3 [N], in the world unless in_body
        moment: LoadFunctionDict | Mapping[str, Any] | Sequence[Any] | None = None,  # n(t,q,v,z), 3 [N m] about the center, in the body unless in_world
        explicit_gyroscopic: bool | None = None,  # W x J W, forces and moments are taken at the start of a step: one linear solve, order 1, energy may grow
        prescribed: PrescribedDict | Mapping[str, Any] | Sequence[Any] | None = None,  # velocities given, indices in [0, 6)
        nz: int | None = None,  # number of parameters
        z: ArrayLike | None = None,  # nz initial parameters; NULL means zero
        data: Sequence[Mapping[str, Any]] | None = None,  # ndata entries; copied
    ) -> System:
        """Creates a rigid body with nq = 7, nv = 6. The attitude advances by the exponential map, p (x)
        exp(step / 2), and stays a unit quaternion to rounding over any number of steps. The iteration
        matrix includes the gyroscopic term. If J is a multiple of the identity and there are no
        functions, a step takes one linear solve."""

    def rigid_body_2d(
        self, *,
        name: str | None = None,  # for messages; copied; may be NULL
        mass: float | None = None,  # m > 0 [kg]
        inertia: float | None = None,  # J > 0 about the center [kg m^2]
        q0: ArrayLike | None = None,  # 3 initial coordinates [m, rad]; NULL means zero
        v0: ArrayLike | None = None,  # 3 initial velocities; NULL means zero
        gravity: ArrayLike | None = None,  # acceleration [m/s^2]
        force_fn: Function | None = None,  # force and moment (t,z), 3 [N, N m]; may not depend on q, v
        prescribed: PrescribedDict | Mapping[str, Any] | Sequence[Any] | None = None,  # velocities given, indices in [0, 3)
        nz: int | None = None,  # number of parameters
        z: ArrayLike | None = None,  # nz initial parameters; NULL means zero
        data: Sequence[Mapping[str, Any]] | None = None,  # ndata entries; copied
    ) -> System:
        """Creates a rigid body in the plane, a linear system of three degrees of freedom. For forces that
         depend on the state take nsds_lagrangian(). Errors: mass or inertia outside of [1e-150, 1e150],
         because their squares or the squares of inverses overflow; values that are not finite."""

    def contact_relation(
        self, *,
        name: str | None = None,  # for messages; copied; may be NULL
        dimension: int | None = None,  # 3: bodies of nsds_rigid_body(); 2: of nsds_rigid_body_2d(); 0 means 3
        rows: int | None = None,  # In space 1 (normal N), 3 (N, T1, T2) or 5 (N, T1, T2, R1, R2); in the plane 1, 2 (N, T) or 3 (N, T, R). 0 means 3 in space and 2 in the plane, for nsds_newton_impact_friction().
        pair: bool | None = None,  # between two bodies; false: a body and the world
        contact_fn: Callable[[Arguments], Mapping[str, Any]] | None = None,  # required
        rate_fn: Callable[[Arguments], Mapping[str, Any]] | None = None,  # Rates d/dt of point [m/s], normal and tangent [1/s] at in->q and in->v; the rate of the gap is not read. Gives event-driven simulation the exact d^2y/dt^2. NULL: the library takes differences of dy/dt along the motion.
    ) -> Relation:
        """Creates the relation of a contact between a rigid body and the world or a second body, with r = P
        - x from the center of a body:"""

    def sphere_plane_relation(
        self, *,
        name: str | None = None,  # for messages; copied; may be NULL
        dimension: int | None = None,  # 2 or 3; 0 means 3
        rows: int | None = None,  # as in nsds_contact_relation_def
        radius: float | None = None,  # r >= 0 [m]; 0: a corner
        center: ArrayLike | None = None,  # center of the sphere, in the body [m]
        normal: ArrayLike | None = None,  # n of the plane, of length 1, towards the body
        offset: float | None = None,  # the plane is {x : n.x = offset} [m]
    ) -> Relation:
        """Creates y = n.X - offset - r with P = X - r n; X is the center of the sphere. Errors: a negative
         radius, a normal that is not of length 1, values that are not finite."""

    def sphere_sphere_relation(
        self, *,
        name: str | None = None,  # for messages; copied; may be NULL
        dimension: int | None = None,  # 2 or 3; 0 means 3
        rows: int | None = None,  # as in nsds_contact_relation_def
        radius: ArrayLike | None = None,  # r_1, r_2 >= 0 [m]
        center: ArrayLike | None = None,  # centers of the spheres, each in its body [m]
    ) -> Relation:
        """Creates y = |X_1 - X_2| - r_1 - r_2 with P halfway between the surfaces; X_1 and X_2 are the
         centers of the spheres. If the centers coincide, there is no normal and the step fails with
         NSDS_ERROR_CALLBACK. Errors: a negative radius, values that are not finite."""

    def spring(
        self, *,
        name: str | None = None,  # for messages; copied; may be NULL
        ds: System | None | Sequence[System | None] | None = None,  # the systems; ds[1] NULL: the world
        point: ArrayLike | None = None,  # the end at ds[0], in the world, now [m]
        other: ArrayLike | None = None,  # the end at ds[1], in the world, now [m]
        coordinates: bool | None = None,  # true: between coordinates whose rates are velocities; false: points
        coordinate: ArrayLike | None = None,  # indices in q of ds[0] and ds[1]; without ds[1] l is q_a
        stiffness: float | None = None,  # k >= 0 [N/m]; 0: only a damper
        damping: float | None = None,  # d >= 0 [N s/m]; 0: only a spring
        rest: Literal["present", "length"] | int | None = None,  # choice of L
        length: float | None = None,  # L with NSDS_REST_LENGTH, between points >= 0 [m]
    ) -> Relation:
        """Creates a spring between two bodies in space or two in the plane, or a body and the world, or
        coordinates of second-order systems. Errors:
        - a first-order system, or a system of another model;
        - a system that is not a body, if `coordinates` is false;
        - numbers out of range, or neither stiffness nor damping."""

    def custom_second_order(
        self, *,
        mass: Callable[..., Any] | ArrayLike | Mapping[str, Any] | None = None,  # M(q,z).
        force: Callable[..., Any] | ArrayLike | Mapping[str, Any] | None = None,  # F(t,q,v,z), nv. For an affine system write F_ext(t,z) only: the integrator adds -C v - K q.
        damping: Callable[..., Any] | ArrayLike | Mapping[str, Any] | None = None,  # C = -dF/dv. May be NULL where the shape says zero.
        stiffness: Callable[..., Any] | ArrayLike | Mapping[str, Any] | None = None,  # K = -dF/dq T(q), nv x nv. May be NULL where the shape says zero.
        velocity_map: Callable[..., Any] | ArrayLike | Mapping[str, Any] | None = None,  # T(q) of dq/dt = T(q) v, nq x nv. NULL: the identity.
        advance: Callable[..., Any] | ArrayLike | Mapping[str, Any] | None = None,  # q (+) step: the coordinates reached from in->q along T by the displacement `step`, nv entries, for example v h. NULL: q + step.
        constant: Sequence[str] | None = None,  # which of mass, damping, stiffness do not change
        name: str | None = None,  # for messages; copied; may be NULL
        ndof: int | None = None,  # number of velocities nv, >= 1
        nq: int | None = None,  # number of coordinates; 0 means ndof
        q0: ArrayLike | None = None,  # nq; NULL means zero
        v0: ArrayLike | None = None,  # ndof; NULL means zero
        affine: bool | None = None,  # M, C, K constant and F = force(t,z) - C v - K q
        force_constant: bool | None = None,  # affine only: force does not depend on t
        explicit_force: bool | None = None,  # F(t,q,v) is taken at the start of the step and M at the predicted position. A step is then one linear solve. Excludes affine, damping and stiffness.
        prescribed: PrescribedDict | Mapping[str, Any] | Sequence[Any] | None = None,  # n and index; fn is NULL: the operation gives the values
        nz: int | None = None,  # number of parameters
        z: ArrayLike | None = None,  # nz initial parameters; NULL means zero
    ) -> System: ...

    def custom_first_order(
        self, *,
        mass: Callable[..., Any] | ArrayLike | Mapping[str, Any] | None = None,  # M(t). NULL where the shape says absent: the identity.
        rhs: Callable[..., Any] | ArrayLike | Mapping[str, Any] | None = None,  # f(t,x,z), n. For an affine system write b(t,z) only: the integrator adds A x.
        jacobian: Callable[..., Any] | ArrayLike | Mapping[str, Any] | None = None,  # A = df/dx. May be NULL where the shape says zero.
        rate_jacobian: Callable[..., Any] | ArrayLike | Mapping[str, Any] | None = None,  # E = df/d(dx/dt). May be NULL where the shape says zero.
        next_corner: Callable[..., Any] | ArrayLike | Mapping[str, Any] | None = None,  # For nsds_adaptive() and nsds_event_driven(): the first time after t at which f jumps [s], or HUGE_VAL. A step ends at this time. At this time f has its value before the jump, up to 16 eps |t| later. NULL: no such times
        scales: Callable[..., Any] | ArrayLike | Mapping[str, Any] | None = None,  # For nsds_adaptive(): gives scales. Called when the simulation is made, and after changes of the model. NULL: none
        look: Callable[..., Any] | ArrayLike | Mapping[str, Any] | None = None,  # For all drivers: looks at the state at the end of a step, before the step is accepted, behind those of all relations. On a status other than NSDS_OK the step fails with it. NULL: no call
        constant: Sequence[str] | None = None,  # which of mass, jacobian, rate_jacobian do not change
        name: str | None = None,  # for messages; copied; may be NULL
        n: int | None = None,  # size of x, >= 1
        x0: ArrayLike | None = None,  # n; NULL means zero
        affine: bool | None = None,  # f = A(t,z) x + b(t,z)
        rhs_constant: bool | None = None,  # affine only: b does not depend on t
        nz: int | None = None,  # number of parameters
        z: ArrayLike | None = None,  # nz initial parameters; NULL means zero
    ) -> System: ...

    def custom_relation(
        self, *,
        output: Callable[..., Any] | ArrayLike | Mapping[str, Any] | None = None,  # y = h(Q,t,lambda,Z), ny.
        jacobian_q: Callable[..., Any] | ArrayLike | Mapping[str, Any] | None = None,  # dh/dQ, ny x nq; the kernel multiplies by T(q) of the systems. First order: dh/dX.
        gradient_v: Callable[..., Any] | ArrayLike | Mapping[str, Any] | None = None,  # Second order: the gradient H in velocities, ny x nv, with dy/dt = H V + dh/dt. Give it in place of jacobian_q if H is easier to write (body frames, contact frames).
        jacobian_v: Callable[..., Any] | ArrayLike | Mapping[str, Any] | None = None,  # Mixed relations: dh/dV, ny x nv. Mixed relations also have jacobian_q, input and input_lambda. The rows of input and input_lambda are those of r, followed by those of F.
        jacobian_x: Callable[..., Any] | ArrayLike | Mapping[str, Any] | None = None,  # Mixed relations: dh/dX, ny x nx. NULL: nx is 0.
        jacobian_t: Callable[..., Any] | ArrayLike | Mapping[str, Any] | None = None,  # dh/dt, ny. NULL: h does not depend on t.
        bias: Callable[..., Any] | ArrayLike | Mapping[str, Any] | None = None,  # Second order: the bias in d^2y/dt^2 = H dV/dt + bias, ny. The bias is (dH/dt) V; if h depends on t, add d^2h/dt^2 + 2 (d^2h/dt dQ) V. Needed for event-driven simulation. NULL: the library takes differences of dy/dt along the motion.
        jacobian_lambda: Callable[..., Any] | ArrayLike | Mapping[str, Any] | None = None,  # dh/dlambda, ny x ny; lambda is a force [N]. NULL: h does not depend on lambda.
        feedthrough: Callable[..., Any] | ArrayLike | Mapping[str, Any] | None = None,  # D of dy/dt = H V + D P, ny x ny; constant where the relation is affine. NULL: zero.
        input: Callable[..., Any] | ArrayLike | Mapping[str, Any] | None = None,  # First order: r = g(t,X,lambda,Z), nx. NULL: second order, P = H^T lambda.
        input_lambda: Callable[..., Any] | ArrayLike | Mapping[str, Any] | None = None,  # First order: B = dg/dlambda, nx x ny.
        input_x: Callable[..., Any] | ArrayLike | Mapping[str, Any] | None = None,  # First order: K = dg/dX, nx x nx. Mixed relations: dg/dX, nx + nv rows. NULL: zero.
        input_q: Callable[..., Any] | ArrayLike | Mapping[str, Any] | None = None,  # Mixed relations: dg/dQ, (nx + nv) x nq; NULL: left out of the iteration matrix.
        input_v: Callable[..., Any] | ArrayLike | Mapping[str, Any] | None = None,  # Mixed relations: dg/dV, (nx + nv) x nv. NULL: likewise.
        limit: Callable[..., Any] | ArrayLike | Mapping[str, Any] | None = None,  # First order: bounds a change of Newton's method, where a function grows fast as exponentials do. The call may change the new `lambda`, ny; `from` is lambda before the iteration. Returns true if an entry was changed. NULL: no bounds.
        next_corner: Callable[..., Any] | ArrayLike | Mapping[str, Any] | None = None,  # First order, for nsds_adaptive() and nsds_event_driven(): the first time after t at which a function of the relation jumps [s], or HUGE_VAL, as nsds_first_order_opsnext_corner. NULL: no such times. Affine relations are not asked
        margin: Callable[..., Any] | ArrayLike | Mapping[str, Any] | None = None,  # First order, ny = 1: makes the interaction a switch. Returns how far the switch is from being moved, in any unit. While the value is >= 0, the switch stays on, or off. INFINITY: nothing moves it. A switch that is on leaves its interaction to the law. While it is off, lambda stays within the bounds of the definition. nsds_adaptive() and nsds_event_driven() locate the times at which the value becomes negative; each is an event. nsds_time_stepping() asks once for each step, with the state at the start and t of the end. NULL: no switch
        look: Callable[..., Any] | ArrayLike | Mapping[str, Any] | None = None,  # First order: looks at the end of a step, as nsds_first_order_opslook does; `in` has lambda too. NULL: no call
        name: str | None = None,  # for messages; copied; may be NULL
        ny: int | None = None,  # size of y, >= 1
        nq: int | None = None,  # size of Q (or X), >= 1
        nv: int | None = None,  # size of V; 0 means nq, or any size if jacobian_q is given
        mixed: bool | None = None,  # ties systems of both orders, see mixed.h; excludes affine
        nx: int | None = None,  # mixed: size of X
        affine: bool | None = None,  # y = H Q + c(Z) with constant H (second order), or y and r affine in X and lambda with constant coefficients
        linear: bool | None = None,  # first order: affine in X and lambda, with coefficients that depend on (t,Z); second order: affine in Q and lambda, with constant coefficients. If input_x, input_q or input_v is given, steps still use Newton's method
        impulsive: bool | None = None,  # second order, excludes affine and jacobian_lambda: lambda in `in` is the impulse P of the step, not the force P / h
        nZ: int | None = None,  # required length of Z, or 0 for any
        nz: int | None = None,  # number of parameters of the relation
        z: ArrayLike | None = None,  # nz initial values of these parameters; NULL means zero
        terms: ArrayLike | None = None,  # ny, in the unit of y: sizes of the numbers that y is made of and that do not vanish where all arguments do, such as lever arms and rest lengths. An error of y below their rounding counts as zero. Give them if they may cancel in y, as in a spring of its rest length; NULL: none
        on: bool | None = None,  # switches: new interactions are on
        off_lower: float | None = None,  # switches: least lambda while off, <= off_upper; may be -INFINITY
        off_upper: float | None = None,  # switches: largest lambda while off; may be INFINITY
    ) -> Relation: ...

    def custom_law(
        self, *,
        block: Callable[..., Any] | ArrayLike | Mapping[str, Any] | None = None,  # Writes the block of `size` rows: set and parameters. The block comes with its size; all other fields are zero. Set, size and number of facets must always be the same. The kernel checks them, and the values, when the law is connected.
        active: Callable[..., Any] | ArrayLike | Mapping[str, Any] | None = None,  # Returns true if this copy takes part in a velocity-level problem. The arguments are y and dy/dt at the start of the step and the look-ahead time tau = gamma_p h [s]. A gap up to `slack`, in the unit of y, is closed (see nsds_activation()). A step may ask with several slacks. Laws of contact have `return y[0] + tau * ydot[0] <= slack;`. NULL: always.
        restitution: Callable[..., Any] | ArrayLike | Mapping[str, Any] | None = None,  # Adds the law's memory of the velocity before the step to the constant term of its rows, for example `q[0] += e * ydot[0];`. NULL: none. For compliant relations nsds_connect() calls this operation, and refuses the law if the result depends on ydot.
        compliance: Callable[..., Any] | ArrayLike | Mapping[str, Any] | None = None,  # Adds the law's own compliance to its part of D, size x size with leading dimension ld. The law then ties the sum y + compliance * lambda to lambda. A law about dy/dt ties dy/dt + compliance lambda to lambda. At velocity level lambda is the impulse. NULL: none.
        size: int | None = None,  # rows of one copy; 0 means 1
        ngap: int | None = None,  # number of leading rows whose y is a gap; 0 means all rows. The other rows have a velocity only and are tied through dy/dt at every level. Friction has one gap and two or three velocities
        level: Literal["velocity", "position", "force"] | int | None = None,  # variables that the law ties together
    ) -> Law: ...

    def custom_contact_set(
        self, *,
        find: Callable[..., Any] | ArrayLike | Mapping[str, Any] | None = None,  # Finds the contacts near the state of the set's systems at time t. Hands each contact to nsds_contacts_add(). In a step of time stepping nsds_q() gives q* above, and t is the time of q*. Hand over contacts in the same order as in the step before, which costs least. For the return value see extend.h.
        output: Callable[..., Any] | ArrayLike | Mapping[str, Any] | None = None,  # Writes as many gaps as the law has, see nsds_contact_pointy.
        gradient_v: Callable[..., Any] | ArrayLike | Mapping[str, Any] | None = None,  # Writes H. `found` is the nsds_contact_pointH with which `find` handed the contact over. Tangents turn from their directions in `found`.
        bias: Callable[..., Any] | ArrayLike | Mapping[str, Any] | None = None,  # Writes d^2y/dt^2 at dv/dt = 0, for each row of the law. NULL: the library takes differences.
        reach: Callable[..., Any] | ArrayLike | Mapping[str, Any] | None = None,  # Returns a gap [m], > 0. Every contact that `find` does not hand over has a larger gap.
        travel: Callable[..., Any] | ArrayLike | Mapping[str, Any] | None = None,  # Returns an upper bound [m] of the distance that any point of the body that can touch moves between coordinates q0 and q. Returns zero for a body that is not in the set.
        place: Callable[..., Any] | ArrayLike | Mapping[str, Any] | None = None,  # Writes the place of the contact, for programs that read it. The library calls this after it has accepted a step or an event; the operation must not fail. *place is zero before the call. If the normal stays zero, or is not of length 1 within 1e-6, the place is unknown. NULL: the place is never known.
        name: str | None = None,  # for messages; copied; may be NULL
        law: Law | None = None,  # the law of every contact without a law of its own; each contact has a copy
    ) -> ContactSet: ...

class Recording(dict[str, Array]):
    units: dict[str, str]
    def columns(self) -> dict[str, Array]: ...
    def unit(self, column: str) -> str: ...
    def to_numpy(self) -> Array: ...
    def to_pandas(self, index: str | None = "t") -> Any: ...
    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]: ...
    def _repr_html_(self) -> str: ...

class Simulation:
    name: str | None
    stopped: bool
    recording: Recording | None
    def quantity(self, name: str) -> float | Array: ...
    def close(self) -> None: ...
    def __enter__(self) -> Simulation: ...
    def __exit__(self, *error: object) -> None: ...
    def step(self) -> bool: ...
    @overload
    def run(self, n: int | None = None, record: None = None, progress: Progress = None) -> int: ...
    @overload
    def run(self, n: int | None = None, *, record: Sequence[Any] | str, progress: Progress = None) -> Recording: ...
    @overload
    def run(self, n: int | None, record: Sequence[Any] | str, progress: Progress = None) -> Recording: ...
    @property
    def t(self) -> float: ...
    @property
    def step_count(self) -> int: ...
    @property
    def info(self) -> StepInfo: ...
    @property
    def event(self) -> Event: ...
    @property
    def adaptive(self) -> Adaptive: ...
    def is_on(self, k: int) -> bool: ...
    @property
    def model(self) -> Model: ...
    def displacement(self, system: System) -> Array | None: ...
    def set_h(self, h: float) -> None: ...
    def set_end(self, t1: float) -> None: ...
    def set_solver(self, name: str, tolerance: float = 0.0, **options: float) -> None: ...
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
    def restore(self, snapshot: Snapshot | None = None) -> None: ...
    def snapshot(self) -> Snapshot: ...
    def save_snapshot(self, path: str | PathLike[str]) -> None: ...
    def load_snapshot(self, path: str | PathLike[str]) -> None: ...
    def snapshot_every(
        self, *,
        path: str | PathLike[str] | None = None,  # path of the file, as for nsds_snapshot_save(); copied
        steps: int | None = None,  # save after each step whose number is a multiple of this; >= 0
        seconds: float | None = None,  # save after each step that reaches or passes t0 + k seconds; >= 0 [s]
    ) -> None: ...
    def sample(self, function: Callable[[Simulation], object], period: float, phase: float = 0.0,
               name: str | None = None) -> None: ...
    def at(self, time: float, function: Callable[[Simulation], object] | None = None, name: str | None = None) -> None: ...

class Snapshot:
    def __init__(self, data: bytes) -> None: ...
    def __bytes__(self) -> bytes: ...

class Rollouts(Record):
    states: Array
    done: Array
    failures: dict[int, str]

def rollout(make: Callable[[], Simulation], states: ArrayLike | None = None, controls: ArrayLike | None = None,
            drives: Sequence[str | tuple[str, str]] = (), steps: int | None = None, threads: int = 1) -> Rollouts: ...

class TreeBody(Record):
    system: System
    parent: int
    joint: Interaction | None
    kind: str
    q: slice
    u: slice
    nq: int
    nu: int

class Tree:
    def __init__(self, model: Model) -> None: ...
    def __len__(self) -> int: ...
    nq: int
    nu: int
    bodies: list[TreeBody]
    left: list[Interaction]
    def get_state(self) -> tuple[Array, Array]: ...
    def set_state(self, q: ArrayLike, u: ArrayLike | None = None) -> None: ...
    def forward(self, q: ArrayLike, u: ArrayLike | None = None) -> tuple[Array, Array]: ...
    def mass(self, q: ArrayLike) -> Array: ...
    def bias(self, q: ArrayLike, u: ArrayLike) -> Array: ...
    def inverse(self, q: ArrayLike, u: ArrayLike, a: ArrayLike) -> Array: ...
    def dynamics(self, q: ArrayLike, u: ArrayLike, tau: ArrayLike | None = None) -> Array: ...
    def jacobian(self, q: ArrayLike, body: int, point: ArrayLike | None = None) -> Array: ...
    def sum(self, q: ArrayLike, u: ArrayLike | None = None) -> TreeSums: ...

class Vtk:
    def __init__(self, path: str | PathLike[str], sphere_level: int = 0, model: Model | None = None,
                 shape: Sequence[ShapeDict | Mapping[str, Any]] | None = None) -> None: ...
    def write(self, simulation: Simulation) -> None: ...
    def close(self) -> None: ...
    def __enter__(self) -> Vtk: ...
    def __exit__(self, *error: object) -> None: ...

class Solution(SolverInfo):
    solved: bool
    z: Array
    w: Array
    v: Array  # of a global problem, like r, u and lambda_
    r: Array
    u: Array
    lambda_: Array

class Problem:
    n: int
    M: Any
    q: Array
    blocks: list[dict[str, Any]]
    q_error: Array | None
    scale: Array | None
    name: str | None
    block_names: Sequence[str | None] | None
    stored: dict[str, Array] | None
    guesses: Sequence[dict[str, Array]]
    kind: str
    storage: str
    def __init__(self, M: Any, q: ArrayLike, blocks: str | Mapping[str, Any] | Sequence[Mapping[str, Any]] = "nonnegative",
                 q_error: ArrayLike | None = None, name: str | None = None,
                 scale: ArrayLike | None = None) -> None: ...
    def certify(self, z: ArrayLike) -> Certificate: ...
    def solve(self, solver: str = "auto", z: ArrayLike | None = None, **options: float) -> Solution: ...
    def write(self, path: str | PathLike[str], format: str | int = "auto") -> None: ...

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
    def __init__(self, M: Any, H: Any, f: ArrayLike, w: ArrayLike, blocks: Any, G: Any = None, b: ArrayLike | None = None,
                 name: str | None = None) -> None: ...
    def solve(self, solver: str = "global_reduction", r: ArrayLike | None = None, **options: float) -> Solution: ...
    def write(self, path: str | PathLike[str], format: str | int = "auto") -> None: ...

def read_problem(path: str | PathLike[str], format: str | int = "auto") -> Problem | GlobalProblem: ...
def solvers() -> list[Record]: ...

class Solver:
    name: str
    def __init__(self, name: str = "auto", log: Callable[[int, str], object] | None = None, threads: int = 1,
                 **options: float) -> None: ...
    def close(self) -> None: ...
    def __enter__(self) -> Solver: ...
    def __exit__(self, *error: object) -> None: ...
    def set(self, option: str, value: float) -> None: ...
    def get(self, option: str) -> float: ...
    def progress(self, function: Callable[[int, float], object] | None) -> None: ...
    def solve(self, problem: Problem | GlobalProblem, z: ArrayLike | None = None) -> Solution: ...
    def solve_nonlinear(self, F: Callable[[Array], Any], blocks: Any, z: ArrayLike,
                        jacobian: Callable[[Array], Any] | None = None, max_steps: int = 0) -> Solution: ...

def load(file: str | PathLike[str], keyframe: str | int | None = None, folders: Sequence[str | PathLike[str]] = (),
         settings: Mapping[str, str | float] | None = None, **options: Any) -> Job: ...

class Job:
    def __init__(self, file: str | PathLike[str] | None = None, text: str | None = None, kind: Literal["by_name", "circuit", "model_file", "robot"] | int = "by_name",
                 settings: Mapping[str, str | float] | None = None, refuse_plugins: bool = False,
                 untrusted: bool = False, limits: Mapping[str, float] | None = None, balance: bool = False, folders: str | Sequence[str | PathLike[str]] | None = None,
                 log: Callable[[int, str], object] | None = None) -> None: ...
    def close(self) -> None: ...
    def __enter__(self) -> Job: ...
    def __exit__(self, *error: object) -> None: ...
    recording: Recording | None
    stopped: bool
    ended: bool
    @property
    def title(self) -> str: ...
    @property
    def warnings(self) -> list[str]: ...
    @property
    def columns(self) -> list[str]: ...
    @property
    def units(self) -> list[str]: ...
    @property
    def row(self) -> Array: ...
    @property
    def measures(self) -> dict[str, float]: ...
    @property
    def balance(self) -> BalanceSum: ...
    @property
    def model(self) -> Model | None: ...
    @property
    def simulation(self) -> Simulation | None: ...
    @property
    def end(self) -> float: ...
    def step(self) -> bool: ...
    def run(self, n: int | None = None, progress: Progress = None) -> Recording: ...
    def _repr_html_(self) -> str: ...
    def expand(self) -> str: ...
    def model_file(self) -> str: ...

class Network:
    system: System
    def read(self, what: str) -> float: ...
    def place(self, what: str) -> int: ...

class Scene:
    def __init__(self, model: Model, title: str | None = None, names: Sequence[str] | None = None,
                 units: Sequence[str] | None = None, without_forces: bool = False,
                 shape: Sequence[ShapeDict | Mapping[str, Any]] | None = None) -> None: ...
    def record(self, t: float, quantities: ArrayLike = ()) -> None: ...
    def write_html(self, path: str | PathLike[str]) -> None: ...
    def _repr_html_(self) -> str: ...
    def close(self) -> None: ...
    def __enter__(self) -> Scene: ...
    def __exit__(self, *error: object) -> None: ...

class Sweep:
    def __init__(self, file: str | PathLike[str], axes: Sequence[str], sampling: Literal["grid", "random", "latin"] | int = "grid", samples: int = 0,
                 seed: int = 0, settings: Mapping[str, str | float] | None = None, refuse_plugins: bool = False,
                 untrusted: bool = False, limits: Mapping[str, float] | None = None,
                 folders: str | Sequence[str | PathLike[str]] | None = None) -> None: ...
    def __len__(self) -> int: ...
    def close(self) -> None: ...
    @property
    def axes(self) -> list[str]: ...
    @property
    def measures(self) -> list[str]: ...
    @property
    def key(self) -> int: ...
    failures: dict[int, str]
    @property
    def results(self) -> Recording: ...
    @property
    def table(self) -> Array: ...
    @property
    def done(self) -> NDArray[np.bool_]: ...
    def values(self, point: int) -> dict[str, str]: ...
    def run(self, point: int) -> Array: ...
    def run_all(self, threads: int = 1, progress: Progress = None) -> Array: ...


class StepInfo(Record):
    t: float  # time at the end of the step [s]
    h: float  # length of the step [s]
    t_lambda: float  # time of y, lambda and r of first-order and mixed relations [s]: t, or under nsds_full_theta_gamma() t - (1-gamma) h with h of the last piece
    substeps: int  # 1, or the number of pieces that the step was cut into
    predicted: int  # number of pieces made with nsds_with_predict_once(), because Newton's method failed in the smallest piece
    newton_iterations: int  # iterations of the last piece; 1 for linear models
    newton_converged: bool  # both tests passed
    newton_residual: float  # ||R - H^T P||_2 [N s] (first order: ||R - h r||), 0 for linear models
    newton_residual_y: float  # largest |y - h| over nonlinear first-order relations
    newton_residual_r: float  # largest |r - g| over nonlinear first-order relations
    newton_increment: float  # ||v^{k+1} - v^k||_inf of the last iteration
    active: int  # interactions in I1
    rows: int  # size n of the one-step problem
    solver: SolverInfo  # the last solve of the step; solver.solver is NULL if nothing was solved
    projection: Record  # projection of the last piece
    lifted: float  # energy that was needed in the last piece to lift bodies out of overlap [J], at most the energy that contacts dissipated in this piece; negative if the bodies sank
    snapshot: str  # status of the snapshot that nsds_snapshot_every() asks for after the step; NSDS_OK also if no snapshot was due

class SolverInfo(Record):
    solver: str | None  # method that produced the answer; a static string, or the name given to nsds_solver_register()
    outcome: str  # outcome of the solve
    iterations: int  # pivots, sweeps or Newton steps of that method
    residual: float  # certified scale-free residual, see nsds_certificate
    worst_block: int  # block with the largest residual, -1 if n = 0
    worst_row: int  # if the answer is refused: the row that fails, see nsds_certificate; else -1
    worst_error: float  # error of this row
    worst_scale: float  # size of the terms of this row, to which the error is compared
    factorizations: int  # numeric factorizations made in this call
    tried: int  # methods tried by "auto", 1 otherwise
    path: str | None  # "auto" only: methods tried with their outcome, "a:not converged > b"; empty if the first method answered
    violation: float  # Violation of the laws by the answer z + low (nsds_solver_low()), relative to the scale of the data, see nsds_certificateviolation. "Solved" means that this is at most nsds_violation_limit(), and `residual` at most the tolerance. If an upper bound is enough for that, `violation` is the bound; nsds_certify() tells more. In steps of simulations the tolerance applies to `residual`, and `violation` is 0 unless it was needed.
    violation_rounded: float  # violation of z without its low part
    reaction: float  # largest reaction beside the load, d_i |z_i| / s_i, or a bound
    violation_block: int  # block that decides, -1 if n = 0 or unknown
    within_q_error: bool  # solved within the error of q: q_error explains more than the tolerance
    proof_reach: float  # with a proof that there is no solution: none has reactions below this multiple of the load; otherwise 0

class BalanceEntry(Record):
    name: str | None  # of the element, lent for the life of the job
    kind: str | None  # such as "resistor" or "voltage source"
    given: float  # by a source [J]; negative if the source has taken energy
    dissipated: float  # in a resistor, diode or switch, the loss of ideal switching included [J]
    stored: float  # growth of the energy of a capacitor or inductor [J]; mutual inductance is shared by its inductors
    lost: float  # by the steps, beyond `stored` [J]: an error of the scheme, which shorter steps lessen

class BalanceSum(Record):
    start: float  # begin of the balance [s]
    end: float  # its end, the time of the last step [s]
    given: float  # by sources [J]
    dissipated: float  # in resistors, diodes and switches [J]
    stored: float  # growth of the energy of capacitors and inductors [J]
    lost: float  # by the steps [J]
    left: float  # left over: rounding and errors of the solver [J]
    passed: float  # half of what all elements have given and taken [J]; `left` is small beside it
    charge_left: float  # largest charge that has come to a node and not left it [C]; rounding
    charge_passed: float  # largest charge that has passed a node, either way [C]
    elements: dict[str, BalanceEntry]

class Certificate(Record):
    residual: float  # Scale-free residual: the largest e / s over rows and blocks. s_i = |q_i| + sum_j |M_ij| |z_j| is the size of the terms of w_i. d_i = |M_ii|, in the unit of w_i / z_i; for a zero diagonal d_i = max_j |M_ij M_ji| / |M_jj|. equality row e_i = |w_i| nonnegative row e_i = |min(w_i, d_i z_i)| box row e_i = |max(min(w_i, d_i (z_i - l_i)), d_i (z_i - u_i))| The rows of any other set are judged together, by the natural map in variables of one unit, z'_i = sqrt(d_i) z_i and w'_i = w_i / sqrt(d_i): e = || z' - P(z' - w' - shift of w') ||, s = || s_i / sqrt(d_i) || P projects on the set in these variables; the shift is De Saxce's. In a cone, the normal row, the tangential rows and the rolling rows each have one common d_i, the largest of these rows. In a disc all rows have one. q_error reduces e by the largest change of e that an error of q of this size can cause. For the factored storage |M_ij| is taken before cancellation, as |H| |Y| + |D|. Changing units changes nothing: the residual is the same for z -> S z, w -> S^-1 w (S diagonal, the set scaled alike), and for a common factor of M and q. s = 0 implies e = 0. The same formulas catch a z outside its set and numbers that are not finite; these give inf. A row may have entries that are all rounding: s_i / sqrt(d_i) is at most 16 eps times the largest. In such a row an error e_i up to 16 eps sum_j |M_ij| s_j / d_j does not count, because rounding in z explains the error. If z_j is held by its set, |z_j| stands for s_j / d_j. Terms below 1e-138 count as zero, because their squares underflow. Reactions of unbounded sets whose rows are judged together may run off along a direction in which M nearly vanishes. Three rules catch such reactions. The rules compare with the load l of all rows that M ties to the block, directly or through other rows. The load is the largest |q_i| / sqrt(d_i), or sqrt(d_i) |z_i| of a bounded set. If the load is 0 the rules do not apply. - A term s_i / sqrt(d_i) above 1e5 l is taken as 1e5 l. An error counts only if it is larger than the rounding of all these terms. - An error e counts as at least 0.01 (e / l)^2. - A term larger than 1e10 l makes the residual inf. docs/numerics.md derives these rules.
    worst_block: int  # block with the largest contribution, -1 if n = 0
    worst_row: int  # worst row of that block, the first row if the block is judged as a whole; -1 if n = 0
    error: float  # e of that row or block, without the explained part; 0 if all of e is explained
    scale: float  # s of that row or block, to which e is compared
    diverged: bool  # residual is inf because reactions are out of proportion to the load, see above
    standard: float  # The figure usual in the literature, || z - P_C(z - w - shift) || over all rows, in the units of the problem. For complementarity problems (without CONE, COULOMB, ROLLING and DISC blocks) the norm is divided by ||q||, unless q = 0. For friction problems the norm is divided by max(||q||, ||z||, ||w||), unless this is below the machine epsilon.
    violation: float  # The largest violation of a law, relative to the scale s of its rows (nsds_problemscale). With the violation t, the laws hold exactly for some z + dz and w + dw with |dw_i| <= t s_i, d_i |dz_i| <= t s_i w is computed in twice the working precision where M z is much larger than s. The scale follows from the data alone, so large reactions excuse nothing. Without a given scale, s_i is the largest |q_i| of the rows of one unit in a block, or max_j |M_ij| / M_jj s_j over M_jj > 0 if that is more, again and again, up to the largest s_j sqrt(d_i / d_j). If no data reach a row, s_i is the size of its terms. More than 64 rows with friction: nsds_violation_limit(). Errors that q_error explains are subtracted. So are errors that rounding of z explains, up to 2^-40 of the largest s_j sqrt(d_i / d_j). If all scales are given, z -> S z, w -> T w and s -> T s change little more than these 2^-40. S and T are positive diagonals, equal in the rows of a cone.
    violation_block: int  # block with the largest violation, -1 if n = 0
    violation_row: int  # its row, the first row if the block is judged as a whole; -1 if n = 0
    reaction: float  # largest reaction beside the load, d_i |z_i| / s_i

class Mass(Record):
    volume: float  # sum over the shapes [m^3], in the plane the area [m^2]
    mass: float  # m [kg]
    center: Array  # center of mass, in the frame of the shapes [m]
    inertia: Array  # J about the center, along the axes of the frame of the shapes, 3 x 3 [kg m^2]. In the plane the last entry, inertia[8], is J, and the other entries are zero

class JacobianReport(Record):
    checked: int  # Jacobians compared
    wrong: int  # Jacobians off by more than the tolerance
    object: str | None  # system or relation of the worst entry
    jacobian: str | None  # name of its Jacobian, as in the definition struct
    row: int  # row of the worst entry
    col: int  # column of the worst entry
    given: float  # value returned by the user function
    expected: float  # value by central differences
    not_given: int  # Jacobians left out, or asked for by nsds_differences()
    names: str | None  # names of the Jacobians not given, "object: Jacobian", separated by commas, if they fit

class JointMotion(Record):
    angle: float  # about the axis [rad], with all turns
    angular_velocity: float  # [rad/s]
    displacement: float  # along the axis [m]
    velocity: float  # [m/s]

class DriveMotion(Record):
    coordinate: float  # c, with sign and offset [rad, m]
    rate: float  # dc/dt [rad/s, m/s]
    target: float  # of c [rad, m]
    target_rate: float  # of dc/dt [rad/s, m/s]
    given: float  # force added to spring and damper [N m, N]
    force: float  # lambda: of the last step, or at the last event [N m, N]

class TreeSums(Record):
    mass: float  # of all bodies [kg]
    center: Array  # center of mass [m]
    velocity: Array  # of the center of mass [m/s]
    linear: Array  # momentum [N s]
    angular: Array  # angular momentum about the center of mass [N m s]
    kinetic: float  # kinetic energy, with armatures [J]
    potential: float  # in the bodies' gravity, 0 at the origin [J]

class SpringMotion(Record):
    length: float  # l [m]
    rate: float  # dl/dt [m/s]
    pull: float  # force that draws the ends together [N]; < 0: the spring pushes
    energy: float  # k (l - L)^2 / 2 [J]

class EventRow(Record):
    key: int  # key of the contact in the set
    row: int  # row of the interaction or the contact
    closed_before: bool  # before the event y = 0 was kept (or the relay slid or stuck)
    closed_after: bool  # y = 0 is kept after the event
    ydot_before: float  # dy/dt before the event; first order: y [m/s]
    ydot_after: float  # dy/dt after the event [m/s]
    impulse: float  # P [N s], with M (v+ - v-) = H^T P. The same holds for a series of impacts taken to its limit; then v+ = 0 at the contact
    limit_time: float  # end of a series of impacts taken to its limit [s]; NaN: there was no such series
    interaction: Interaction | None

class Event(Record):
    t: float  # time of the event [s]
    previous: float  # time of the event before; NaN: there was none [s]
    count: int  # number of rows that changed
    undecided: int  # number of rows whose force and acceleration both vanished. Such a row opens if its force came to zero; otherwise it stays closed
    kinetic_before: float  # kinetic energy of second-order systems before the event [J]; NaN if the last event was not nonsmooth
    kinetic_after: float  # kinetic energy after the event [J]
    stiff: bool  # stability bounds the explicit steps of the integrator; "esdirk" would take longer steps. "auto" changes to such steps by itself, up to 400 states
    nonsmooth: int  # nonsmooth events so far
    windows: int  # windows of time stepping so far
    steps: int  # steps of integration so far
    evaluations: int  # evaluations of the right-hand side so far
    kinds: list[str]
    rows: list[EventRow]

class ShapeInfo(Record):
    number: int
    dimension: int
    kind: str
    radius: float
    top_radius: float
    half: Array
    plane: Record
    material: int
    group: int
    position: Array
    quaternion: Array
    angle: float
    world_position: Array
    world_quaternion: Array
    world_angle: float
    nvertex: int
    nface: int
    color: Array
    hidden: bool
    body: System | None
    vertex: Array
    faces: list[list[int]]

class Contact(Record):
    key: int  # key of the contact; 0: an interaction
    active: bool  # true: the contact took part in the nonsmooth problem
    rows: int  # length of y, ydot, impulse and force
    located: bool  # True: point and frame are known. False: all fields that follow are zero. Either the geometry does not tell the place, or a function of the model is reading an interaction, or no simulation exists.
    dimension: int  # 2 or 3
    shape: Array  # numbers of the shapes that touch, for nsds_shapes_get()
    point: Array  # P in the world [m]
    normal: Array  # n in the world, of length 1, towards ds[0]
    tangent: Array  # t1 and t2 in the world; in the plane t and zero
    world_impulse: Array  # on ds[0] at the point [N s]
    world_force: Array  # on ds[0] at the point [N]
    world_twist: Array  # angular impulse of rolling friction on ds[0] [N m s]
    world_moment: Array  # moment of rolling friction on ds[0] [N m]
    y: Array
    ydot: Array
    impulse: Array
    force: Array
    bodies: tuple[System | None, System | None]
    set: ContactSet | None
    interaction: Interaction | None

class Adaptive(Record):
    steps: int  # accepted steps, those that settle included
    rejected: int  # steps made again: error too large, no solution, or a mode ended within
    events: int  # times located at which a mode ended
    settled: int  # pairs of steps by the laws, behind events and corners
    moved: int  # the switch that was moved last; -1: none
    event: float  # time of the last event [s]; NaN: none

class Material(Record):
    mu: float  # coefficient of friction >= 0
    mu_rolling: float  # coefficient of rolling friction >= 0 [m]
    e_n: float  # coefficient of normal restitution in [0, 1]
    e_t: float  # coefficient of tangential restitution in [-1, 1]

class ShapeHit(Record):
    shape: int  # number of the shape; -1: there is none, and nothing else is said
    distance: float  # from the origin of the ray, or of the point asked about [m]; < 0 in a shape
    point: Array  # in the world [m]
    normal: Array  # of the surface, out of the shape, of length 1
    body: System | None

class ShapeGap(Record):
    distance: float  # [m]; < 0: overlap, along the direction of least overlap. A shape that cuts a triangle has the overlap of a step, which leads to the front if it can
    point: Array  # closest points of the first and the second shape, in the world [m]
    normal: Array  # from the second shape to the first, of length 1

class PlaneDict(TypedDict, total=False):
    normal: ArrayLike  # n, of length 1, towards the bodies
    offset: float  # [m]

class JointCoordinateDict(TypedDict, total=False):
    name: str  # for messages; copied; may be NULL
    kind: Literal["angle", "displacement", "swing", "twist", "first", "second", "of_system"] | int  # required
    ds: System | None | Sequence[System | None]  # the bodies; ds[1] NULL: the world
    point: ArrayLike  # a point of the axis, in the world [m]
    axis: ArrayLike  # a, of any length; not read for an angle in the plane
    reversed: bool  # the sign of the coordinate is -1, else 1
    offset: float  # added to the coordinate [rad, m]
    D: float  # >= 0 [1/(kg m^2), 1/kg]: as in nsds_joint_def
    other_axis: ArrayLike  # FIRST, SECOND: as of the universal joint, across `axis`

class ShapeDict(TypedDict, total=False):
    kind: Literal["sphere", "capsule", "box", "hull", "half_space", "triangles", "cylinder", "cone", "ellipsoid", "height_field", "mesh"] | int  # required
    ds: System  # the body: of nsds_rigid_body(), in the plane of nsds_rigid_body_2d(); NULL: scenery
    position: ArrayLike  # place of its origin in the body, or in the world [m]
    quaternion: ArrayLike  # in space: attitude in the body, or in the world; all zeros mean no rotation
    angle: float  # in the plane: its angle [rad]
    radius: float  # [m]; spheres, capsules and cylinders: > 0; boxes, hulls, triangles, height fields and meshes: >= 0, their surface moves out by the radius and gets round edges; cones: >= 0, but not with top_radius 0; ellipsoids: not read
    top_radius: float  # cones: the other radius >= 0 [m]
    half: ArrayLike  # [m]; boxes, ellipsoids: > 0; capsules, cylinders, cones: half[0] > 0; height fields: half[0], half[1] > 0, in the plane half[0] > 0
    plane: PlaneDict | Mapping[str, Any] | Sequence[Any]  # half spaces: in the world
    nvertex: int  # hulls: 4 .. 4096, in the plane from 3 on; triangles, meshes: >= 1
    vertex: ArrayLike  # 3 x nvertex (in the plane 2 x nvertex) coordinates [m]
    nface: int  # triangles, meshes: their number of faces >= 1
    face: ArrayLike  # 3 x nface (in the plane 2 x nface) indices of vertices
    material: int  # index into nsds_shapes_defmaterial
    group: int  # shapes of one group do not meet each other; 0: no group
    nx: int  # height fields: number of points along the first axis, 2 .. 10000
    ny: int  # height fields: number of points along the second axis, 2 .. 10000; in the plane 0 or 1
    height: ArrayLike  # height fields: ny x nx heights, by columns [m]
    part: ArrayLike  # meshes: nface numbers 0, 1, ... of the part to which each face belongs. NULL: faces that share vertices, by their indices, are a part. In space a closed part that is not convex is cut into convex ones then, up to 5000 faces and 1000 cells. Fronts of faces are outside; a cavity is refused
    color: ArrayLike  # of pages: red, green, blue in [0, 1]; zeros: by the body
    hidden: bool  # true: pages do not draw the shape

class NewtonDict(TypedDict, total=False):
    residual: float  # limit of ||R - H^T P||_2 [N s], > 0. The default is relative: 1e-10 of ||M v|| + ||h F|| + ||p||, and in nonlinear first-order relations |y - h| and |r - g| must be below 1e-10 of their terms. Each system and relation must also be within 1e-8 of its own terms. Rounding of terms that cancel counts as zero
    increment: float  # limit of ||v^{k+1} - v^k||_inf as a fraction of ||v||_inf, > 0; default 1e-8; HUGE_VAL leaves the test out
    max_iterations: int  # > 0; default 50
    accept: bool  # a step that did not converge is accepted with a warning, not refused

class ProjectionDict(TypedDict, total=False):
    kind: Literal["none", "direct", "combined"] | int  # default NSDS_PROJECTION_NONE
    metric: Literal["mass", "coordinates"] | int  # default NSDS_METRIC_MASS
    tolerance: float  # limit of |y| or -y, in the unit of y [m, rad], > 0; default 1e-10
    max_iterations: int  # iterations of Newton's method, > 0; default 20
    settles: bool  # DIRECT: contacts with restitution come to rest, and some steps are made twice; default false
    activation: float  # DIRECT: gaps up to this count as closed in the activation test, in the unit of y, > 0; default 1000 tolerance; NSDS_CLOSED_AT_ZERO: none. With less than h^2 a e / (2 + 2 e), a contact that presses opens again; e is its restitution, and a its acceleration without the contact force.

class FirstOrderControlDict(TypedDict, total=False):
    n: int  # size of u; 0: no control
    map: ArrayLike  # T, (size of x) x n constant; give it or map_fn
    map_fn: Function  # T(x), (size of x) x n
    fn: Function  # u(t,x,dx/dt,z), n; required with n > 0
    jac_x_fn: Function  # du/dx, n x (size of x); required with n > 0
    jac_xdot_fn: Function  # du/d(dx/dt), n x (size of x); NULL: u does not read it
    jac_map_x_fn: Function  # d(vec T)/dx, with T column by column; NULL: left out of W, for a T that varies slowly

class JointTermDict(TypedDict, total=False):
    coordinate: JointCoordinateDict | Mapping[str, Any] | Sequence[Any]  # c; of a system: kind and ds[0] alone
    index: int  # NSDS_COORDINATE_OF_SYSTEM: c = q[index] of ds[0], whose velocities are rates of its coordinates
    weight: float  # w, not 0

class ForceFunctionDict(TypedDict, total=False):
    fn: Function  # the force, ndof; NULL: none
    jac_q_fn: Function  # derivative of fn in q, ndof x ndof; required with fn
    jac_v_fn: Function  # derivative of fn in v, ndof x ndof; required with fn

class LagrangianControlDict(TypedDict, total=False):
    n: int  # size of u_L; 0: no control
    map: ArrayLike  # T_L, ndof x n constant; give it or map_fn
    map_fn: Function  # T_L(q), ndof x n
    fn: Function  # u_L(t,q,v), n; required with n > 0
    jac_q_fn: Function  # du_L/dq, n x ndof; required with n > 0
    jac_v_fn: Function  # du_L/dv, n x ndof; required with n > 0
    jac_map_q_fn: Function  # d(vec T_L)/dq, (ndof n) x ndof, with T_L column by column; NULL: left out of W, for a T_L that varies slowly

class PrescribedDict(TypedDict, total=False):
    n: int  # number of prescribed velocities; 0: none
    index: ArrayLike  # n degrees of freedom, increasing; copied
    fn: Function  # their velocities at time t, n [m/s, rad/s]; required with n > 0

class MaterialDict(TypedDict, total=False):
    mu: float  # coefficient of friction >= 0
    mu_rolling: float  # coefficient of rolling friction >= 0 [m]
    e_n: float  # coefficient of normal restitution in [0, 1]
    e_t: float  # coefficient of tangential restitution in [-1, 1]

class LoadFunctionDict(TypedDict, total=False):
    fn: Function  # the force [N] or moment [N m], 3; may depend on t, q, v and z
    jac_q_fn: Function  # derivative of fn in q, 3 x 7; required with fn, see nsds_rigid_body_def
    jac_v_fn: Function  # derivative of fn in v, 3 x 6; likewise
    in_body: bool  # force: fn gives components in the body, not in the world
    in_world: bool  # moment: fn gives components in the world, not in the body

def moreau_jean(theta: float, gamma: float) -> Scheme: ...
def schatzman_paoli(theta: float) -> Scheme: ...
def d1_minus() -> Scheme: ...
def rattle() -> Scheme: ...
def euler_moreau(theta: float) -> Scheme: ...
def theta_gamma(theta: float, gamma: float) -> Scheme: ...
def full_theta_gamma(theta: float, gamma: float) -> Scheme: ...
def zero_order_hold() -> Scheme: ...
def with_gamma_mass(scheme: Scheme, gamma_mass: float) -> Scheme: ...
def with_predict_once(scheme: Scheme) -> Scheme: ...
def with_input_at_theta(scheme: Scheme) -> Scheme: ...
def with_f_at_theta(scheme: Scheme) -> Scheme: ...
def with_initial_lambda(scheme: Scheme) -> Scheme: ...
def with_step_ratio(scheme: Scheme, step_ratio: int) -> Scheme: ...
def activation(gamma_prediction: float, tolerance: float) -> Activation: ...
