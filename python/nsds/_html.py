"""What notebooks show: tables of facts, and pages in 3D.

A class says what it knows by _facts(), a list of (word, value). A page is the one that `nsds view` makes: it stands in
a frame of its own, needs no network, and cannot reach the notebook.
"""
import html
import os
import tempfile

import numpy as np

LARGEST = 20 << 20  # bytes of a page in a notebook
CELL = "style='text-align:left'"


def short(value, most=7):
    """A value in a few words."""
    if isinstance(value, np.ndarray):
        flat = value.ravel()
        text = ", ".join("%.6g" % x for x in flat[:most]) + (", ..." if flat.size > most else "")
        return "[%s]" % text
    if isinstance(value, float):
        return "%.6g" % value
    text = str(value)
    return text if len(text) <= 300 else text[:297] + "..."


def table(title, heads, rows):
    """A table with a title; texts are escaped."""
    parts = ["<div><b>%s</b>" % html.escape(title)]
    if rows:
        parts.append("<table>")
        if heads:
            parts.append("<tr>%s</tr>" % "".join("<th %s>%s</th>" % (CELL, html.escape(h)) for h in heads))
        for row in rows:
            parts.append("<tr>%s</tr>" % "".join("<td %s>%s</td>" % (CELL, html.escape(short(c))) for c in row))
        parts.append("</table>")
    return "".join(parts) + "</div>"


def frame(write):
    """A page in a frame of its own: write(path) writes the page."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "page.html")
        write(path)
        with open(path, encoding="utf-8") as file:
            page = file.read()
    if len(page) > LARGEST:
        return "<p>The page has %d MB, too many for a notebook: write it by Scene.write_html().</p>" % (len(page) >> 20)
    return ("<iframe srcdoc=\"%s\" sandbox='allow-scripts' style='width:100%%;height:420px;border:0'></iframe>"
            % html.escape(page, quote=True))


class Displayed:
    """A class with a text and a table, both from _facts()."""

    __slots__ = ()

    def _facts(self):
        return []

    def _title(self):
        return "nsds." + type(self).__name__

    def _known(self):
        """The facts, or why there are none."""
        try:
            return self._facts()
        except Exception as error:
            return [("", str(error))]

    def __repr__(self):
        facts = ", ".join("%s = %s" % (word, short(value)) if word else short(value) for word, value in self._known())
        return "<%s%s>" % (self._title(), ": " + facts if facts else "")

    def _repr_html_(self):
        return table(self._title(), (), self._known())
