"""What Python and notebooks show: texts and HTML of every class, pages of models, signatures, frames of recordings."""
import html.parser
import importlib.util
import inspect

import numpy as np

import nsds
from nsds import _core, _html, _problem
from support import check, finish, page_data, raises

VOID = ("br", "hr", "img", "input", "meta", "link")


class Whole(html.parser.HTMLParser):
    """Every tag is closed; `pages` are documents of frames."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.open, self.wrong, self.pages, self.seen = [], [], [], []
        self.feed(text)
        self.close()
        self.wrong += self.open

    def handle_starttag(self, tag, attributes):
        self.seen.append(tag)
        self.pages += [value for name, value in attributes if name == "srcdoc"]
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.wrong.append("/" + tag)


def whole(name, thing, page=False):
    text = thing._repr_html_()
    found = Whole(text)
    check(name, not found.wrong, "%s: %s" % (found.wrong, text[:200]))
    check(name, bool(found.pages) == page, "%d pages" % len(found.pages))
    for inner in found.pages:
        check(name, inner.lstrip().lower().startswith("<!doctype html") and inner.rstrip().endswith("</html>"))
        check(name, "sandbox" in text and len(inner) < 2 << 20, "%d bytes" % len(inner))
    check(name, "<script" not in Whole(text).seen)


hostile = "<script>alert('x')</script>"
model = nsds.Model(hostile)
ball = model.rigid_body(name=hostile, mass=1.0, inertia=np.eye(3), q0=[0, 0, 1, 1, 0, 0, 0])
gap = model.sphere_plane_relation(name="gap", dimension=3, rows=1, radius=0.1, normal=[0, 0, 1])
law = model.newton_impact(0.5)
floor = model.connect(gap, law, ball, name="floor")
things = model.shapes(name="things", material=[dict(mu=0.5)], shape=[
    dict(kind="sphere", radius=0.1, ds=ball), dict(kind="half_space", plane=([0, 0, 1], -3.0))])
simulation = model.time_stepping(t1=1.0, h=0.01)
path = simulation.run(3, record=["t", "floor.impulse", (ball, "q")])
scene = nsds.Scene(model)
problem = nsds.Problem([[2.0]], [-1.0])
plain = nsds.Model()
tank = plain.first_order_linear(name="tank", x0=[1.0], A=[[-1.0]])
seen = []
pusher = plain.lagrangian_linear(ndof=1, mass=1.0, fext_fn=lambda a: seen.append(a) or [0.0])
plain.time_stepping(t1=1.0, h=0.1).step()
circuit = nsds.Model().circuit(text="t\nC1 a 0 1u ic=10\nR1 a 0 1k\n.end\n")
job = nsds.Job(text="RC\nV1 a 0 1\nR1 a b 1k\nC1 b 0 1u\n.tran 10u 1m\n.print tran v(b)\n", kind="circuit")
sparse = np.eye(2)
things_of_python = dict(
    system=ball, relation=gap, law=law, interaction=floor, contacts=things, simulation=simulation, recording=path,
    record=simulation.info, scene=scene, problem=problem, solution=problem.solve(), solver=nsds.Solver("nsgs"),
    snapshot=simulation.snapshot(), tank=tank, arguments=seen[0], network=circuit, job=job,
    scheme=nsds.moreau_jean(0.5, 1.0), tree=nsds.Tree(model), job_recording=job.run(3))
if importlib.util.find_spec("scipy"):
    things_of_python["global problem"] = nsds.GlobalProblem(np.eye(2), np.array([[1.0], [0.0]]), [0.0, 1.0], [0.0],
                                                            "nonnegative")
for name, thing in things_of_python.items():
    text = repr(thing)
    check(name, "object at 0x" not in text and "cdata" not in text and "\n" not in text, text)
    whole(name, thing)
    check(name, hostile not in thing._repr_html_())
check("a name in a text", "tank" in repr(tank) and "[0.9" in repr(tank) or "[1" in repr(tank), repr(tank))

# Pages: of a model, of a job with a model file, of a scene with frames; not where there is nothing to draw.
whole("page of a model", model, page=True)
scene.record(simulation.t)
simulation.run(2)
scene.record(simulation.t)
whole("page of a scene", scene, page=True)
check("no view is left", model.rigid_body(mass=1.0, inertia=np.eye(3)) is not None)
alone = nsds.Model("alone")
alone.first_order_linear(x0=[1.0], A=[[-1.0]])
whole("nothing to draw", alone)
check("nothing to draw", "nothing to draw" in alone._repr_html_())
model.close()
for name, thing in dict(things_of_python, model=model).items():
    check("closed " + name, isinstance(repr(thing), str))
    whole("closed " + name, thing, page=name == "scene")  # a scene outlives its model
for kind in vars(nsds).values():
    if inspect.isclass(kind) and not issubclass(kind, BaseException):
        check("a text of " + kind.__name__, kind.__repr__ is not object.__repr__ and hasattr(kind, "_repr_html_"))

# Shapes that are in no contact set are in the page: those of the list, and those of a model file.
with nsds.Model("loose") as loose:
    body = loose.rigid_body(name="body", mass=1.0, inertia=np.eye(3), q0=[0, 0, 5, 1, 0, 0, 0])
    disc = loose.rigid_body_2d(name="disc", mass=1.0, inertia=1.0, q0=[0, 0, 0])
    shape = [dict(kind="box", half=[1, 2, 3], ds=body), dict(kind="hull", vertex=[[0, 0], [1, 0], [0, 1]], ds=disc),
             dict(kind="capsule", radius=0.1, half=[0.5, 0, 0], ds=body, position=[0, 0, 1])]
    with nsds.Scene(loose, shape=shape) as scene:
        scene.record(0.0)
        page = page_data(Whole(scene._repr_html_()).pages[0])
    shapes = sorted((s["kind"], s["body"]) for s in page["shapes"])
    check("loose shapes", shapes == [("box", 0), ("capsule", 0), ("hull", 1)] and page["bodies"] == ["body", "disc"], str(shapes))
    check("no shapes", "box" not in {s["kind"] for s in page_data(Whole(loose._repr_html_()).pages[0])["shapes"]})
FILE = """
nsds: 1
systems:
  arm: {type: rigid_body, mass: 1, inertia: [[1, 0, 0], [0, 1, 0], [0, 0, 1]], q0: [0, 0, 0, 1, 0, 0, 0],
        shapes: [{type: box, half: [1, 0.1, 0.1]}]}
simulation: {type: time_stepping, t1: 1, h: 0.1}
outputs: {columns: [{name: z, value: arm.q3, unit: m}]}
"""
with nsds.Job(text=FILE, kind="model_file") as of_file:
    for thing in (of_file, of_file.model):
        page = page_data(Whole(thing._repr_html_()).pages[0])
        check("shapes of a model file", [s["kind"] for s in page["shapes"]] == ["box"], str(page["shapes"]))
    body = of_file.model["arm"]
    with nsds.Scene(of_file.model, shape=[dict(kind="sphere", radius=1.0, ds=body)]) as scene:
        scene.record(0.0)
        page = page_data(Whole(scene._repr_html_()).pages[0])
        check("both", sorted(s["kind"] for s in page["shapes"]) == ["box", "sphere"], str(page["shapes"]))

# Signatures, as editors and help() show them.
for method, words in ((nsds.Model.rigid_body, ["mass", "inertia", "q0"]), (nsds.Model.time_stepping, ["t1", "h"]),
                      (nsds.ContactSet.add, ["kind"]), (nsds.moreau_jean, ["theta", "gamma"]),
                      (nsds.Sweep.run_all, ["threads"])):
    names = list(inspect.signature(method).parameters)
    check(method.__name__, all(w in names for w in words) and "reserved" not in names, str(names))
check("by name", repr(nsds.moreau_jean(gamma=1.0, theta=0.5)) == repr(nsds.moreau_jean(0.5, 1.0)))
raises("unknown before missing", TypeError, lambda: nsds.Model().time_stepping(T=10), "'T'", "t1")
raises("unknown before missing", TypeError, lambda: nsds.moreau_jean(thet=0.5), "'thet'", "did you mean 'theta'")
raises("unknown", TypeError, lambda: nsds.Model(nam="x"), "'nam'", "did you mean 'name'")
raises("unknown", TypeError, lambda: simulation.run(recrod=["t"]), "'recrod'", "did you mean 'record'")
raises("twice", TypeError, lambda: nsds.Model().newton_impact(0.5, e=0.5), "e twice")

# Recordings as columns, as a matrix and as a frame.
columns = path.columns()
check("columns", list(columns)[:2] == ["t", "floor.impulse[0]"] and len(columns) == 9, str(list(columns)))
matrix = path.to_numpy()
check("matrix", matrix.shape == (3, 9) and (matrix[:, 0] == path["t"]).all() and (np.asarray(path) == matrix).all())
check("empty", nsds.Recording().to_numpy().size == 0)
if importlib.util.find_spec("pandas"):
    import pandas
    table = path.to_pandas()
    check("frame", isinstance(table, pandas.DataFrame) and table.index.name == "t" and len(table.columns) == 8)
    check("frame", (table["floor.impulse[0]"].to_numpy() == path["floor.impulse"][:, 0]).all())
    check("units", table.attrs["units"]["t"] == "s")
    check("no index", list(path.to_pandas(index=None).columns) == list(columns))
    raises("unknown index", KeyError, lambda: path.to_pandas(index="x"), "'x'")
    check("job", things_of_python["job_recording"].to_pandas().attrs["units"]["v(b)"] == "V")
else:
    raises("without pandas", nsds.UnsupportedError, path.to_pandas, "python3-pandas")
finish()
