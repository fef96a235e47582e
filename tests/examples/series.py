"""Reads the series that an example has written for ParaView with VTK's own reader.

    series.py TABLE.csv CORNERS

Every frame of the list is there and has the same points, all of them finite, with velocities, and
faces of CORNERS corners (0: none) whose numbers are those of points. Where the table ends with
places, after an empty line, the last frame has them. Exit status 77: VTK for Python is not here.
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


def check(frame, path, points, corners):
    demand(frame.GetNumberOfPoints() == points, "%s has other points" % path)
    velocity = frame.GetPointData().GetArray("velocity")
    demand(velocity is not None, "%s has no velocities" % path)
    demand(velocity.GetNumberOfComponents() == 3, "velocities of %s are no vectors" % path)
    for k in range(points):
        numbers = frame.GetPoint(k) + velocity.GetTuple3(k)
        demand(all(math.isfinite(x) for x in numbers), "point %d of %s is not finite" % (k, path))
    demand((frame.GetNumberOfPolys() > 0) == (corners > 0), "%s has %d faces" % (path, frame.GetNumberOfPolys()))
    for k in range(frame.GetNumberOfPolys()):
        face = frame.GetCell(k).GetPointIds()
        numbers = [face.GetId(i) for i in range(face.GetNumberOfIds())]
        demand(len(numbers) == corners and len(set(numbers)) == corners, "face %d of %s" % (k, path))
        demand(all(0 <= i < points for i in numbers), "face %d of %s" % (k, path))


def places(table):
    last = open(table).read().split("\n\n")[-1].strip().split("\n")
    if last[0] != "x [m],y [m],z [m]":
        return []
    return [[float(x) for x in line.split(",")] for line in last[1:]]


def main():
    table, corners = sys.argv[1], int(sys.argv[2])
    stem = table[: -len(".csv")]
    entries = ElementTree.parse(stem + ".pvd").getroot().findall("Collection/DataSet")
    demand(len(entries) > 2, "the list has %d frames" % len(entries))
    times = [float(entry.get("timestep")) for entry in entries]
    demand(times == sorted(set(times)), "the times do not grow")
    frames = [os.path.join(os.path.dirname(table), entry.get("file")) for entry in entries]
    points = read(frames[0]).GetNumberOfPoints()
    demand(points > 0, "no points")
    for path in frames:
        check(read(path), path, points, corners)
    last = read(frames[-1])
    end = places(table)
    for k, place in enumerate(end):
        off = max(abs(a - b) for a, b in zip(place, last.GetPoint(k)))
        demand(off < 1e-4, "point %d of the last frame is off by %g" % (k, off))
    print("%d frames of %d points, %d places as in the table" % (len(frames), points, len(end)))


main()
