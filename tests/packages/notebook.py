#!/usr/bin/env python3
"""A notebook shows the results of today: what it prints is what a new run printed, and each picture is there.

Cells with the tag "page" show a page in the new run. The stored notebook leaves pages out, since they are large.

    notebook.py STORED EXECUTED
"""
import json
import os
import re
import sys

LARGEST = 200_000  # bytes of a notebook with its pictures


def shown(path):
    """For each cell of code: the text that it prints, and the number of its pictures."""
    with open(path, encoding="utf-8") as file:
        cells = json.load(file)["cells"]
    outputs = [cell["outputs"] for cell in cells if cell["cell_type"] == "code"]
    return [(positive_zeros("".join("".join(o["text"]) for o in output if o["output_type"] == "stream")),
             sum("image/png" in o.get("data", {}) for o in output)) for output in outputs]


def pages(path):
    """For each cell of code: whether it should show a page, and whether it shows one whole page."""
    with open(path, encoding="utf-8") as file:
        cells = [cell for cell in json.load(file)["cells"] if cell["cell_type"] == "code"]
    for cell in cells:
        shown = "".join("".join(o.get("data", {}).get("text/html", "")) for o in cell["outputs"])
        yield "page" in cell["metadata"].get("tags", ()), "<iframe srcdoc=" in shown and "&lt;/html&gt;" in shown


def positive_zeros(text):
    """The sign of a rounded zero is none of the result."""
    return re.sub(r"-(0\.?0*(?![.0-9]))", r" \1", text)


def main():
    stored, executed = sys.argv[1:]
    if os.path.getsize(stored) > LARGEST:
        sys.exit("%s has %d bytes; at most %d are wanted" % (stored, os.path.getsize(stored), LARGEST))
    for k, (old, new) in enumerate(zip(shown(stored), shown(executed), strict=True)):
        if old != new:
            sys.exit("%s, code cell %d: shows %r and %d pictures; a new run shows %r and %d: copy %s over it"
                     % (stored, k + 1, *old, *new, executed))
    for k, (wanted, found) in enumerate(pages(executed)):
        if wanted != found:
            sys.exit("%s, code cell %d: %s" % (executed, k + 1, "shows no page" if wanted else "shows a page without the tag"))


main()
