"""Models of every kind by keyword arguments, arrays of the state, contacts, joints, snapshots, series."""
import gc
import glob
import os
import pickle
import tempfile

import numpy as np

import nsds
from support import check, close, finish, raises

# Arrays show the state without a copy, and are read-only.
model = nsds.Model("room")
ball = model.lagrangian_linear(name="ball", q0=[1.0], mass=1.0, fext=[-9.81])
simulation = model.time_stepping(t1=10.0, h=0.01)
q = ball.q
simulation.step()
check("a view follows", q[0] == ball.q[0] and q is ball.q and q[0] != 1.0)
raises("read-only", ValueError, lambda: q.__setitem__(0, 1.0))
raises("stays read-only", ValueError, lambda: q.flags.__setattr__("writeable", True))
ball.q = [2.0]
ball.v = [0.0]
check("assigned", q[0] == 2.0 and ball.v[0] == 0.0)
check("names", model["ball"] is ball and model.name == "room" and ball.name == "ball")
ball.name = "stone"
check("renamed", model["stone"] is ball)
raises("views are kept", nsds.ViewsError, lambda: model.lagrangian_linear(q0=[0.0], mass=1.0), "copy")
part = q[:1]
del q
raises("a view of a view", BufferError, lambda: model.lagrangian_linear(q0=[0.0], mass=1.0))
memory = memoryview(part)
del part
raises("memory of a view", BufferError, lambda: model.lagrangian_linear(q0=[0.0], mass=1.0))
del memory
other = model.lagrangian_linear(q0=[0.0, 1.0], mass=np.diag([1.0, 2.0]), name="pair")
check("after the views", ball.q[0] == 2.0 and list(other.q) == [0.0, 1.0])
check("lists", model.systems == [ball, other] and model.interactions == [])
q = ball.q
model.close()
raises("closed", nsds.StateError, lambda: ball.q, "closed")
check("the last state", q[0] == 2.0)

# A view outlives the names of everything else: it keeps the model.
def lonely():
    model = nsds.Model()
    return model.lagrangian_linear(q0=[3.0], mass=1.0).q


q = lonely()
gc.collect()
check("a view alone", q[0] == 3.0)

# Rays, nearest points and distances of shapes.
model = nsds.Model()
ball = model.rigid_body(mass=1.0, inertia=np.eye(3), q0=[0, 0, 2, 1, 0, 0, 0], name="ball")
shapes = model.shapes(material=[dict(mu=0.3)], shape=[dict(kind="sphere", ds=ball, radius=0.5),
                                                      dict(kind="half_space", plane=dict(normal=[0, 0, 1]))])
hit = shapes.cast([0, 0, 5], [0, 0, -2])
check("a ray", hit.shape == 0 and hit.body is ball and close(hit.distance, 2.5, 1e-15) and list(hit.normal) == [0, 0, 1])
check("past the ball", shapes.cast([0, 0, 5], [0, 0, -1], ignore=ball).shape == 1)
check("no hit", shapes.cast([0, 0, 5], [0, 0, 1]) is None and shapes.cast([0, 0, 5], [0, 0, -1], length=1.0) is None)
hits = shapes.cast([[0, 0, 5], [1, 0, 5], [0, 0, 5]], [[0, 0, -1], [0, 0, -1], [0, 0, 1]])
check("rays", list(hits.shape) == [0, 1, -1] and hits.distance[1] == 5.0 and np.isinf(hits.distance[2])
      and hits.point.shape == (3, 3), str(hits))
check("one way", shapes.cast(np.zeros((4, 3)) + [0, 0, 1], [0, 0, -1]).distance.tolist() == [1.0] * 4)
check("no rays", shapes.cast(np.empty((0, 3)), [0, 0, 1]).shape.size == 0)
near = shapes.nearest([0, 0, 1.2])
check("nearest", near.shape == 0 and close(near.distance, 0.3, 1e-12) and shapes.nearest([0, 0, 9], within=1.0) is None)
check("in a ball", shapes.in_ball([0, 0, 1], 2.0) == [0, 1] and shapes.in_ball([0, 0, 1], 2.0, ignore=ball) == [1])
gap = shapes.gap(0, 1)
check("gap", close(gap.distance, 1.5, 1e-15) and gap.point.tolist() == [[0, 0, 1.5], [0, 0, 0]] and gap.normal[2] == 1.0)
raises("two coordinates", nsds.SizeError, lambda: shapes.cast([0, 0], [0, 0, 1]), "origin has shape (2,), must be (3,)")
raises("no direction", nsds.RangeError, lambda: shapes.cast([0, 0, 0], [0, 0, 0]), "direction of ray 0 is 0")
raises("no system", TypeError, lambda: shapes.cast([0, 0, 0], [0, 0, 1], ignore=3), "ignore must be a system")
raises("one shape", nsds.ArgumentError, lambda: shapes.gap(1, 1), "one shape")
model.close()

# Discs and planes: a box, contacts, mass properties.
model = nsds.Model()
shape = dict(kind="box", half=[0.1, 0.2, 0.3])
mass = model.mass_properties(shape=[shape], density=1000.0)
check("mass", close(mass.mass, 48.0, 1e-12) and close(mass.inertia[0, 0], 48.0 / 3 * (0.04 + 0.09), 1e-12))
box = model.rigid_body(name="box", mass=mass.mass, inertia=mass.inertia, gravity=[0, 0, -9.81],
                       q0=[0, 0, 0.3, 1, 0, 0, 0])
things = model.shapes(name="things", material=[dict(mu=0.5)], shape=[dict(shape, ds=box),
                                                                  dict(kind="half_space", plane=([0, 0, 1], 0.0))])
simulation = model.time_stepping(t1=0.5, h=0.005)
path = simulation.run(record=["t", "box.q", "things.count"])
check("at rest", abs(path["box.q"][-1, 2] - 0.3) < 1e-6 and path["things.count"][-1] == 4, str(path["things.count"]))
contacts = model.contacts()
weight = sum(c.world_force[2] for c in contacts)
check("weight", close(weight, 48 * 9.81, 1e-6) and contacts[0].bodies[0] is box and contacts[0].set is things)
table = model.contact_table()
check("table", len(table["gap"]) == 4 and close(table["force"][:, 2].sum(), weight, 1e-12)
      and (table["bodies"] == [0, -1]).all() and np.allclose(table["point"][0], contacts[0].point))
check("quantities by name", close(box.quantity("normal_force"), weight, 1e-12) and things.quantity("count") == 4 and
      np.array_equal(box.quantity("q"), box.q) and box.quantity("kinetic_energy") == box.kinetic_energy and
      things.quantity("overlap") == max(0.0, -table["gap"].min()) and simulation.quantity("t") == simulation.t and
      simulation.quantity("kinetic_energy") == box.kinetic_energy)
check("contacts of", len(box.contacts()) == 4 and len(things.contacts()) == 4 and len(things) == 4)
check("shapes", things.shape_count == 2 and things.shape(0).body is box and things.shape(0).kind == "box")
corners = np.array([[x, y, z] for x in (0, 0.1) for y in (0, 0.1) for z in (0, 0.1)])
stone = model.rigid_body(name="stone", mass=1.0, inertia=np.eye(3) * 0.01, q0=[0, 0, 2, 1, 0, 0, 0])
number = things.add(kind="hull", ds=stone, vertex=corners)
check("a hull", things.shape_count == 3 and things.shape(2).vertex.shape == (8, 3) and number == 2)
faces = things.shape(2).faces
check("faces of a hull", len(faces) == 6 and all(len(f) == 4 for f in faces) and len(things.shape(0).faces) == 6)
raises("points in the plane", nsds.SizeError, lambda: things.add(kind="hull", ds=stone, vertex=corners[:, :2]))
things.exclude(box, stone)
things.include(box, stone)
simulation.set_end(0.6)
simulation.run()
raises("used by a set", nsds.StateError, stone.destroy)
things.remove_body(stone)
stone.destroy()
raises("destroyed", nsds.StateError, lambda: stone.q, "gone")
check("one is left", model.systems == [box])

# With contact sets, y and impulses may move in a step: they are copies.
floor = model.connect(model.sphere_plane_relation(dimension=3, rows=1, radius=0.1, normal=[0, 0, 1], offset=-5.0),
                      model.newton_impact(0.0), box)
simulation = model.time_stepping(t1=1.0, h=0.005)
y = floor.y
simulation.step()
check("copies beside sets", y is not floor.y and y.flags.owndata)
box.set_force(force=[0, 0, 48 * 9.81])
simulation.close()

# The states of all systems as one array, which follows removals; a view of it holds the memory like any other.
model = nsds.Model()
check("no states", model.q.shape == model.x.shape == (0,))
parts = [model.lagrangian_linear(q0=[k, -k], mass=np.eye(2), v0=[0, k]) for k in range(5)]
check("all q", np.array_equal(model.q.reshape(-1, 2), [part.q for part in parts]) and model.q is model.q)
check("all v", np.array_equal(model.v.reshape(-1, 2)[:, 1], range(5)))
simulation = model.time_stepping(t1=1.0, h=0.1)
simulation.step()
check("all q follow", np.array_equal(model.q.reshape(-1, 2), [part.q for part in parts]) and close(model.q[9], -3.6, 1e-14))
raises("all q are read-only", ValueError, lambda: model.q.__setitem__(0, 1.0), "read-only")
simulation.close()
parts.pop(1).destroy()
check("all q without one", np.array_equal(model.q.reshape(-1, 2), [part.q for part in model.systems]) and len(model.q) == 8)
q = model.q
raises("all q are kept", nsds.ViewsError, parts[0].destroy, "copy")
del q
first = model.first_order_linear(x0=[7.0], A=[[0.0]])
check("v before x", len(model.v) == 8 and np.array_equal(model.x, [7.0]))
late = model.lagrangian_linear(q0=[8.0], mass=1.0)
check("q of mixed orders", len(model.q) == 9 and model.q[8] == 8.0)
raises("v in parts", nsds.StateError, lambda: model.v, "system.v")
model.close()
raises("all q of a closed model", nsds.StateError, lambda: model.q, "closed")

# Joints and springs.
model = nsds.Model()
arm = model.rigid_body(name="arm", mass=1.0, inertia=np.eye(3) * 0.1, q0=[1, 0, 0, 1, 0, 0, 0], gravity=[0, 0, -9.81])
hinge = model.connect(model.joint(kind="hinge", ds=arm, point=[-1.0, 0, 0], axis=[0, 1, 0]), model.equality(), arm,
                      name="hinge")
spring = model.connect(model.spring(ds=[arm], point=[0, 0, 0], other=[1, 0, 1.0], stiffness=1.0), model.equality(),
                       arm)
simulation = model.time_stepping(t1=0.2, h=1e-3)
simulation.run()
check("a hinge turns", hinge.joint().angle > 0.01 or hinge.joint().angle < -0.01, repr(hinge.joint()))
near = hinge.joint().angle
hinge.set_turns(20.0)
check("a hinge of three turns", abs(hinge.joint().angle - near - 6 * np.pi) < 1e-12, repr(hinge.joint()))
check("points of a joint", np.allclose(hinge.joint_points()[0], hinge.joint_points()[1], atol=1e-3))
check("spring", spring.spring().length > 1.0, repr(spring.spring()))

# Joints that act: a drive holds the arm, its rotor turns with it, a coupler ties a second arm to it.
model = nsds.Model()
arms = [model.rigid_body(mass=1.0, inertia=np.eye(3) * 0.1, q0=[1, k, 0, 1, 0, 0, 0], gravity=[0, 0, -9.81]) for k in range(2)]
about = [dict(name="joint%d" % k, kind="angle", ds=[arm], point=[0, k, 0], axis=[0, -1, 0]) for k, arm in enumerate(arms)]
for k, arm in enumerate(arms):
    model.connect(model.joint(kind="hinge", ds=arm, point=[0, k, 0], axis=[0, -1, 0]), model.equality(), arm)
act = model.joint_act(coordinate=about[0], driven=True, drive_stiffness=1e5, drive_damping=2e3, armature=0.01, upper=2.0,
                      lower=-2.0)
couple = model.joint_couple(name="pair", term=[dict(coordinate=about[0], weight=1.0), dict(coordinate=about[1], weight=-0.5)])
act.drive.set_drive(target=0.3)
simulation = model.time_stepping(t1=2.0, h=5e-3, projection=dict(kind="direct"))
simulation.run()
drive, second = act.drive.drive(), 2.0 * act.drive.drive().coordinate
moment = 9.81 * (np.cos(drive.coordinate) + 2.0 * np.cos(second))
check("a drive in its balance", abs(drive.force - moment) < 1e-6, repr(drive))
check("a rotor turns with its joint", abs(act.rotor.q[0] - drive.coordinate) < 1e-9, repr(act.rotor.q))
check("a coupler", abs(couple.y[0]) < 1e-9 and model["joint0.drive"] is not None, repr(couple))
check("a drive in print", "lambda" in repr(act.drive), repr(act.drive))
one_stop = nsds.Model()
arm = one_stop.rigid_body(mass=1.0, inertia=np.eye(3))
stops = one_stop.joint_act(coordinate=dict(kind="angle", ds=[arm], axis=[0, 0, 1]), upper=0.5)
check("a stop on one side", stops.lower is None and stops.upper is not None)
check("absent parts", act.spring is None and act.friction is None and act.upper is not None)

# Sensors: by kind, by name and in a recording; what is gone says so.
hand = model.sensor(name="hand", kind="imu", ds=arms[0], point=[1.0, 0.0, 0.0])
bend = model.sensor(name="bend", kind="joint", joint=act.drive)
path = model.time_stepping(t1=3.0, h=5e-3).run(record=["hand.value", "bend.value[0]", (act.drive, "angle"), "kinetic_energy"])
check("an IMU at rest", np.allclose(hand.value[[0, 2]], 9.81 * np.array([np.sin(drive.coordinate), np.cos(drive.coordinate)]), atol=1e-4) and
      np.allclose(path["hand.value"][-1], hand.value), repr(hand.value))
check("a joint by a sensor", abs(path["bend.value[0]"][-1] - drive.coordinate) < 1e-6 and bend.units == ["rad", "rad/s", "rad/s^2"])
check("every quantity is recorded", np.array_equal(path[act.drive.name + ".angle"], path["bend.value[0]"]) and
      close(path["kinetic_energy"][-1], sum(s.kinetic_energy for s in model.systems if s.nv), 1e-12) and
      "displacement" not in str(path.keys()) and np.array_equal(hand.quantity("value"), hand.value))
check("sensors by name", model["hand"] is hand and model.sensors == [hand, bend] and len(hand.value) == hand.size == 6)
check("a sensor in print", "hand" in repr(hand), repr(hand))
bend.destroy()
check("a sensor that is gone", model.sensors == [hand] and "bend" not in model)

# The same arms in joint coordinates come to the same balance, without rows for their hinges.
act.drive.set_drive(target=0.35)
model.time_stepping(t1=6.0, h=5e-3, coordinates="joint").run()
drive, second = act.drive.drive(), 2.0 * act.drive.drive().coordinate
moment = 9.81 * (np.cos(drive.coordinate) + 2.0 * np.cos(second))
check("a drive in joint coordinates", abs(drive.force - moment) < 1e-6, repr(drive))
hinges = [edge for edge in model.interactions if edge.size == 5]
check("closed joints", len(hinges) == 2 and all(np.abs(edge.y).max() < 1e-12 for edge in hinges))

# The tree of the two arms: joint coordinates, and equations of motion that undo each other.
tree = nsds.Tree(model)
q, u = tree.get_state()
check("joint coordinates", np.allclose(sorted(q), sorted([drive.coordinate, second])) and len(tree.left) == 1, repr(q))
a = np.array([0.3, -0.7])
tau = tree.inverse(q, u, a)
check("inverse dynamics", np.allclose(tau, tree.mass(q) @ a + tree.bias(q, u)))
check("forward dynamics", np.allclose(tree.dynamics(q, u, tau), a))
tree.set_state([0.1, 8.0], [1.0, 0.5])
place, twist = tree.forward([0.1, 8.0], [1.0, 0.5])
check("places of bodies", np.allclose(place[0], arms[0].q) and np.allclose(twist[1], arms[1].v))
check("a Jacobian", np.allclose(tree.jacobian([0.1, 8.0], 0, [0.0, 0.0, 0.0])[:3] @ [1.0, 0.5], twist[0][:3]))
sums = tree.sum([0.1, 8.0], [1.0, 0.5])
check("sums", abs(sums.mass - 2.0) < 1e-12 and abs(sums.kinetic - model["joint0.rotor"].kinetic_energy - sum(
    arm.kinetic_energy for arm in arms)) < 1e-12 and [b.kind for b in tree.bodies] == ["hinge", "hinge"], repr(sums))

# Rollouts: copies with their own states and controls have the bits of their own runs, in one thread and in three.
def start():
    made = nsds.Model()
    arm = made.rigid_body(mass=1.0, inertia=np.eye(3) * 0.1, q0=[1, 0, 0, 1, 0, 0, 0], gravity=[0, 0, -9.81])
    axis = dict(name="arm", kind="angle", ds=[arm], axis=[0, -1, 0])
    made.connect(made.joint(kind="hinge", ds=arm, axis=[0, -1, 0]), made.equality(), arm)
    made.joint_act(coordinate=axis, driven=True, drive_stiffness=1e4, drive_damping=300.0, most=60.0)
    return made.time_stepping(t1=1.0, h=5e-3)


rng = np.random.default_rng(1)
states = np.tile(np.r_[start().model.systems[0].q, np.zeros(6)], (7, 1))
states[:, 9] = states[:, 7] = 0.0
states[:, 11] = rng.uniform(-1, 1, 7)
states[:, 9] = -states[:, 11]
controls = rng.uniform(-1, 1, (7, 40, 2))
both = [nsds.rollout(start, states, controls, drives=["arm.drive", ("arm.drive", "force")], threads=t) for t in (1, 3)]
check("rollouts of threads", np.array_equal(both[0].states, both[1].states) and (both[1].done == 40).all()
      and not both[0].failures, repr(both[1].failures))
alone = start()
drive = alone.model["arm.drive"]
alone.model.systems[0].set_state(states[4, :7], states[4, 7:])
for target, force in controls[4]:
    drive.set_drive(target=target, force=force)
    alone.step()
check("a rollout alone", np.array_equal(both[0].states[4, -1], np.r_[alone.model.systems[0].q, alone.model.systems[0].v]))
ended = nsds.rollout(start, steps=300)
check("the end of a rollout", ended.done[0] == 200 and np.isnan(ended.states[0, 200:]).all(), repr(ended.done))
states[2, 3] = 2.0
failed = nsds.rollout(start, states, steps=3, threads=2)
check("a copy that fails", list(failed.failures) == [2] and (failed.done == [3, 3, 0, 3, 3, 3, 3]).all(), repr(failed.failures))

# A sparse chain is the dense one.
import importlib.util
if importlib.util.find_spec("scipy"):
    import scipy.sparse as sp
    K = sp.diags([[-1.0] * 4, [2.0] * 5, [-1.0] * 4], [-1, 0, 1])
    ends = []
    for given in (dict(mass_sparse=sp.identity(5), stiffness_sparse=K), dict(mass=np.eye(5), stiffness=K.toarray())):
        model = nsds.Model()
        chain = model.lagrangian_linear(q0=[1, 0, 0, 0, 0], **given)
        model.time_stepping(t1=1.0, h=0.01).run()
        ends.append(chain.q.copy())
    check("sparse and dense", np.allclose(ends[0], ends[1], atol=1e-12))

# Snapshots, also through pickle.
def scene():
    model = nsds.Model()
    ball = model.lagrangian_linear(name="ball", q0=[1.0], mass=1.0, fext=[-9.81])
    model.connect(model.lagrangian_linear_relation(H=[1.0]), model.newton_impact(0.9), ball)
    return model.time_stepping(t1=5.0, h=0.005), ball


first, ball = scene()
first.run(300)
kept = first.snapshot()
first.run()
second, other = scene()
second.restore(pickle.loads(pickle.dumps(kept)))
check("time of a snapshot", close(second.t, 1.5, 1e-12))
second.run()
check("same bits", ball.q[0] == other.q[0] and ball.v[0] == other.v[0])
first.restore(kept)
first.save()
first.run(3)
first.restore()
check("saved", close(first.t, 1.5, 1e-12))
with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "run.snapshot")
    first.save_snapshot(path)
    third, other = scene()
    third.load_snapshot(path)
    check("file", third.t == first.t and open(path, "rb").read() == bytes(first.snapshot()))
    first.snapshot_every(path=path, steps=10)
    first.run(20)
    third.load_snapshot(path)
    check("every", third.t > 1.5)
    with nsds.Vtk(os.path.join(folder, "series")) as series:
        series.write(third)
        third.step()
        series.write(third)
    check("series", len(glob.glob(os.path.join(folder, "series_bodies_*.vtp"))) == 2)
    path = os.path.join(folder, "drawn")
    sizes = []
    bare = nsds.Model()
    body, run = bare.rigid_body(mass=1.0, inertia=np.eye(3)), bare.time_stepping(t1=1.0, h=0.1)
    for shape in (None, [dict(kind="box", half=[0.5, 0.5, 0.5], ds=body)]):
        with nsds.Vtk(path, model=bare, shape=shape) as series:
            series.write(run)
        sizes.append(os.path.getsize(path + "_bodies_000000.vtp"))
    check("series with a shape of its own", sizes[1] > sizes[0], repr(sizes))

# Stages of a step, its problem and its report.
simulation, ball = scene()
while not (simulation.step() and simulation.info.rows):
    pass
check("report", simulation.info.rows == 1 and simulation.info.solver.outcome == "solved")
problem = simulation.problem()
check("problem", problem.n == 1 and close(problem.M[0, 0], 1.0, 1e-12) and problem.blocks[0]["set"] == "nonnegative")
check("solution", close(simulation.solution()[0], problem.solve().z[0], 1e-12))
simulation.begin()
simulation.solve()
simulation.update()
simulation.accept()
simulation.set_solver("lemke", 1e-12)
simulation.set_h(0.01)
simulation.step()
check("step", close(simulation.info.h, 0.01, 1e-12))
check("schemes", "theta=0.5" in repr(nsds.moreau_jean(0.5, 1.0)) and nsds.activation(0.5, 1e-9) is not None)
fresh, ball = scene()
raises("no problem yet", nsds.Error, fresh.problem)
raises("no solution yet", nsds.Error, fresh.solution)
raises("no event", nsds.Error, lambda: fresh.event)
model = nsds.Model()
ball = model.lagrangian_linear(name="ball", q0=[1.0], mass=1.0, fext=[-9.81], z=[1.0, 2.0])
floor = model.connect(model.lagrangian_linear_relation(H=[1.0]), model.newton_impact(0.5), ball, name="floor")
events = model.event_driven(t1=1.0)
events.step()
check("an event", "impact" in events.event.kinds and events.event.rows[0].interaction is floor
      and close(events.t, (2 / 9.81) ** 0.5, 1e-9), repr(events.event))
del ball
check("z of a system that is looked up", list(model["ball"].z) == [1.0, 2.0])
check("laws", all(law is not None for law in (
    simulation.model.relay([-1, -1], [1, 1]), simulation.model.saturation(-1.0, 1.0, 2.0),
    simulation.model.normal_cone([[1.0, 0.0], [0.0, 1.0], [-1.0, -1.0]], [-1, -1, -1]),
    simulation.model.newton_impact_friction(dimension=3, mu=0.5), simulation.model.poisson_impact(0.5))))
check("described", "ball" in simulation.model.describe())

# Two models in two threads.
import threading
ends = {}


def work(k):
    simulation, ball = scene()
    simulation.run()
    ends[k] = ball.q[0]


threads = [threading.Thread(target=work, args=(k,)) for k in range(2)]
[t.start() for t in threads]
[t.join() for t in threads]
work(2)
check("threads", ends[0] == ends[1] == ends[2], str(ends))
finish()
