"""Every Python block of docs/python.md runs, one after the other in one folder; those with pictures need matplotlib."""
import importlib.util
import os
import re
import tempfile

from support import check, finish

source = os.environ["NSDS_SOURCE"]
blocks = []
for page in ("docs/python.md", "README.md"):
    with open(os.path.join(source, page)) as file:
        blocks += [(page, block) for block in re.findall(r"^```python\n(.*?)^```", file.read(), re.S | re.M)]
check("blocks", len(blocks) >= 5, str(len(blocks)))
os.environ["MPLBACKEND"] = "Agg"
with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    known = {}
    for k, (page, block) in enumerate(blocks):
        if "import plot" in block and not importlib.util.find_spec("matplotlib"):
            continue
        try:
            exec(compile(block, "%s, block %d" % (page, k + 1), "exec"), known)
        except Exception as error:
            check("%s, block %d" % (page, k + 1), False, repr(error))
    os.chdir(source)
finish()
