"""Reads the series that an example has written for ParaView with VTK's own reader.

    series.py TABLE.csv

Each frame of the list is there and has the same points, all finite, with velocities and faces. Contacts that
are open have no force. If the table ends with places, after an empty line, the bodies of the last frame are
there. Exit status 77: VTK for Python is not installed.
"""

import math
import os
import sys
import xml.etree.ElementTree as ElementTree

try:
    from vtkmodules.vtkIOXML import vtkXMLPolyDataReader
except ImportError:
    print("skipped: VTK for Python (python3-vtk9) is not installed")
    sys.exit(77)


def demand(condition, text):
    if not condition:
        sys.exit("series: " + text)


def read(path):
    demand(os.path.exists(path), "%s is not there" % path)
    reader = vtkXMLPolyDataReader()
    demand(reader.CanReadFile(path), "%s is no .vtp file" % path)
    reader.SetFileName(path)
    reader.Update()
    return reader.GetOutput()


def check(frame, path, points):
    demand(frame.GetNumberOfPoints() == points, "%s has other points" % path)
    velocity = frame.GetPointData().GetArray("velocity")
    demand(velocity is not None, "%s has no velocities" % path)
    demand(velocity.GetNumberOfComponents() == 3, "velocities of %s are no vectors" % path)
    for k in range(points):
        numbers = frame.GetPoint(k) + velocity.GetTuple3(k)
        demand(all(math.isfinite(x) for x in numbers), "point %d of %s is not finite" % (k, path))
    demand(frame.GetNumberOfPolys() > 0, "%s has no faces" % path)


def centers(frame):
    """The mean of the points of each body."""
    label, corners = frame.GetCellData().GetArray("body"), {}
    for k in range(frame.GetNumberOfCells()):
        ids = frame.GetCell(k).GetPointIds()
        corners.setdefault(int(label.GetTuple1(k)), set()).update(ids.GetId(i) for i in range(ids.GetNumberOfIds()))
    return {body: [sum(frame.GetPoint(i)[c] for i in ids) / len(ids) for c in range(3)] for body, ids in corners.items()}


def check_forces(path):
    contacts = read(path)
    force, active = contacts.GetPointData().GetArray("force"), contacts.GetPointData().GetArray("active")
    demand(force is not None and active is not None, "%s has no forces" % path)
    for k in range(contacts.GetNumberOfPoints()):
        demand(active.GetTuple1(k) or force.GetTuple3(k) == (0, 0, 0), "contact %d of %s is open" % (k, path))
    return contacts.GetNumberOfPoints()


def places(table):
    last = open(table).read().split("\n\n")[-1].strip().split("\n")
    if last[0] != "x [m],y [m],z [m]":
        return []
    return [[float(x) for x in line.split(",")] for line in last[1:]]


def main():
    table = sys.argv[1]
    stem = table[: -len(".csv")]
    entries = ElementTree.parse(stem + ".pvd").getroot().findall("Collection/DataSet")
    files = {part: [] for part in ("bodies", "contacts", "joints")}
    times = []
    for entry in entries:
        files[entry.get("name")].append(os.path.join(os.path.dirname(table), entry.get("file")))
        times += [float(entry.get("timestep"))] if entry.get("name") == "bodies" else []
    demand(len(times) > 2, "the list has %d frames" % len(times))
    demand(times == sorted(set(times)), "the times do not grow")
    demand(all(len(paths) == len(times) for paths in files.values()), "a part has other frames")
    points = read(files["bodies"][0]).GetNumberOfPoints()
    for path in files["bodies"]:
        check(read(path), path, points)
    seen = max(check_forces(path) for path in files["contacts"])
    demand(seen > 0, "there are no contacts")
    end, found = places(table), centers(read(files["bodies"][-1]))
    for k, place in enumerate(end):
        off = max(abs(a - b) for a, b in zip(place, found[k]))
        demand(off < 1e-4, "body %d of the last frame is off by %g" % (k, off))
    print("%d frames of %d points, up to %d contacts, %d places as in the table" % (len(times), points, seen, len(end)))


main()
