"""Notebooks run from their first cell to their last, and show pages: docs/notebooks/*.ipynb.

Jupyter runs them where nbclient and ipykernel are installed; else each cell runs here, and its last expression is shown
as Jupyter does, by _repr_html_(). A cell with the tag "page" shows a page, whose data are looked at. Notebooks with
pictures need matplotlib.
"""
import ast
import contextlib
import html
import importlib.util
import io
import json
import os
import re

from support import check, finish, page_data

folder = os.path.join(os.environ["NSDS_SOURCE"], "docs", "notebooks")
JUPYTER = all(importlib.util.find_spec(m) for m in ("nbclient", "nbformat", "ipykernel"))
PICTURES = importlib.util.find_spec("matplotlib")


def by_jupyter(path):
    """For each cell of code: its printed text, and the HTML that it shows."""
    import nbclient
    import nbformat
    notebook = nbformat.read(path, 4)
    nbclient.NotebookClient(notebook, timeout=300, resources=dict(metadata=dict(path=folder))).execute()
    for cell in notebook.cells:
        if cell.cell_type == "code":
            yield ("".join(o.get("text", "") for o in cell.outputs),
                   "".join("".join(o.get("data", {}).get("text/html", "")) for o in cell.outputs))


def by_python(path):
    """The same without Jupyter."""
    names = {"__name__": "__main__"}
    for cell in read(path):
        tree = ast.parse("".join(cell["source"]))
        last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
        text, shown = io.StringIO(), None
        with contextlib.redirect_stdout(text):
            exec(compile(tree, path, "exec"), names)
            if last is not None:
                shown = eval(compile(ast.Expression(last.value), path, "eval"), names)
        yield text.getvalue(), shown._repr_html_() if hasattr(shown, "_repr_html_") else ""


def read(path):
    with open(path, encoding="utf-8") as file:
        return [cell for cell in json.load(file)["cells"] if cell["cell_type"] == "code"]


pages = {}
for name in sorted(os.listdir(folder)):
    path = os.path.join(folder, name)
    if not name.endswith(".ipynb") or "plot." in json.dumps(read(path)) and not (PICTURES and JUPYTER):
        continue
    os.environ["MPLBACKEND"] = "Agg"
    for cell, (text, shown) in zip(read(path), (by_jupyter if JUPYTER else by_python)(path), strict=True):
        place = "%s, cell %d" % (name, cell["execution_count"])
        stored = "".join("".join(o["text"]) for o in cell["outputs"] if o["output_type"] == "stream")
        check(place + ": what it prints", text == stored, "%r instead of %r" % (text, stored))
        frames = re.findall(r'<iframe srcdoc="([^"]*)"', shown)
        check(place + ": its page", len(frames) == ("page" in cell["metadata"].get("tags", ())), shown[:300])
        for frame in frames:
            pages.setdefault(name, []).append(page_data(html.unescape(frame)))
check("pages", len(pages.get("pages.ipynb", ())) == 2, str(pages))
model, scene = pages["pages.ipynb"]
for page in (model, scene):
    check("bodies", page["bodies"] == ["box 0", "box 1", "box 2", "arm"], str(page["bodies"]))
    boxes = [s["body"] for s in page["shapes"] if s["kind"] == "box"]
    check("boxes on their bodies", sorted(boxes) == [0, 1, 2], str(page["shapes"]))
    check("the hinge", len(page["ties"]) == 1, str(page["ties"]))
capsules = [s["body"] for s in scene["shapes"] if s["kind"] == "capsule"]
check("the shape without contacts", capsules == [3] and not any(s["kind"] == "capsule" for s in model["shapes"]), str(capsules))
check("frames", scene["frames"] == 50 and model["frames"] == 1, "%d %d" % (scene["frames"], model["frames"]))
finish()
