"""The programs of the pages for users of MuJoCo and of URDF print what the pages say.

A program is a block of Python. The block of text behind it is its output.
"""
import contextlib
import io
import os
import pathlib
import re
import sys
import tempfile

import nsds

SOURCE = pathlib.Path(os.environ["NSDS_SOURCE"])
PAGES = {"from_mujoco.md": 10, "from_urdf.md": 1}
BLOCK = re.compile(r"^```python\n(.*?)^```\n\s*(?:^```text\n(.*?)^```$)?", re.S | re.M)
failed = 0


def run(label, program, expected):
    """Runs a program in the present folder, and compares what it prints."""
    out = io.StringIO()
    try:
        with contextlib.redirect_stdout(out):
            exec(compile(program, label, "exec"), {"__name__": "__main__"})
    except nsds.UnsupportedError as error:  # this build has no pages
        print("skipped: %s: %s" % (label, error))
        return True
    if out.getvalue() == expected:
        return True
    print("%s prints\n%s\nand the page says\n%s" % (label, out.getvalue(), expected))
    return False


with tempfile.TemporaryDirectory() as folder:
    os.symlink(SOURCE / "examples", pathlib.Path(folder) / "examples")
    os.chdir(folder)
    for page, count in PAGES.items():
        blocks = BLOCK.findall((SOURCE / "docs" / page).read_text())
        if len(blocks) != count:
            print("%s has %d programs; expected %d" % (page, len(blocks), count))
            failed += 1
        for k, (program, expected) in enumerate(blocks):
            failed += not run("program %d of %s" % (k + 1, page), program, expected)
    # Keyframes by number, and packages in search folders, which may be paths.
    package = pathlib.Path(folder) / "share" / "p"
    package.mkdir(parents=True)
    (package / "m.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n")
    pathlib.Path("robot.xml").write_text(
        '<mujoco><asset><mesh name="m" file="package://p/m.obj"/></asset><worldbody><body name="b"><freejoint/>'
        '<inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/><geom type="mesh" mesh="m"/></body></worldbody>'
        '<keyframe><key name="a"/><key qpos="1 2 3 1 0 0 0"/></keyframe></mujoco>')
    job = nsds.load("robot.xml", keyframe=1, folders=[package.parent])
    if list(job.model["b"].q) != [1, 2, 3, 1, 0, 0, 0]:
        print("the keyframe 1 gives %s" % job.model["b"].q)
        failed += 1
    for wrong, expected in ((dict(keyframe="c"), 'there is no keyframe "c"'), (dict(keyframe=1), "--folders")):
        try:
            nsds.load("robot.xml", folders=[package.parent] if "c" in wrong.values() else [], **wrong)
            failed += 1
        except nsds.FormatError as error:
            if expected not in str(error):
                print(error)
                failed += 1
    del job
    os.chdir(SOURCE)
sys.exit(failed != 0)
