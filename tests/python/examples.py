"""The examples in Python: each runs, prints the numbers of closed forms or of its C program, and draws a picture."""
import os
import re
import subprocess
import sys
import tempfile

from support import check, close, finish, raises

folder = os.path.join(os.environ["NSDS_SOURCE"], "examples", "python")
try:
    import matplotlib  # noqa: F401
    pictures = True
except ImportError:
    pictures = False
    print("matplotlib is not installed: no pictures are drawn")
EXPECTED = {
    "bouncing_ball": [0.232],  # docs/first.c
    "buck_converter": [0.25, 6.0, 0.45],  # 24 V duty; (24 - 6) V 2.5 us / 100 uH
    "pendulum": [0.643, 2.552, 2.552],  # energy
    "relay_oscillator": [2.88, 0.00136, 0.00136],  # docs/control.md
    "restitution_sweep": [],
    "sphere_pile": [1.000]}  # weight
names = sorted(f[:-3] for f in os.listdir(folder) if f.endswith(".py"))
check("examples", names == sorted(EXPECTED), str(names))
for name in names:
    with tempfile.TemporaryDirectory() as room:
        picture = os.path.join(room, "picture.html" if name == "sphere_pile" else "picture.png")
        draws = pictures or name == "sphere_pile"
        done = subprocess.run([sys.executable, "-B", os.path.join(folder, name + ".py")] + ([picture] if draws else []),
                              capture_output=True, text=True, env=dict(os.environ, MPLBACKEND="Agg"))
        check(name + " ends", done.returncode == 0, done.stderr)
        numbers = re.findall(r"(?<![\w.])-?\d+\.\d+(?:e-?\d+)?|(?<![\w.])\d+e-\d+", done.stdout)
        for value in EXPECTED[name]:
            check(name, any(close(float(x), value, 1e-9) for x in numbers), "%s is not in %r" % (value, done.stdout))
        if name == "restitution_sweep":
            check(name, len(numbers) == 1 and float(numbers[0]) < 2e-6, done.stdout)
        check(name + " draws", not draws or os.path.getsize(picture) > 5000)

# What pictures say: names and units, one panel for each unit.
if pictures:
    import matplotlib
    matplotlib.use("Agg")
    import nsds
    from nsds import plot
    job = nsds.Job(text="RC\nV1 a 0 1\nR1 a b 1k\nC1 b 0 1u IC=0\n.tran 10u 5m uic\n.print tran v(a) v(b) i(R1)\n",
                   kind="circuit")
    path = job.run()
    axes = plot.series(path)
    check("panels", len(axes) == 2)
    check("labels", axes[0].get_ylabel() == "[V]" and axes[1].get_ylabel() == "i(r1) [A]",
          "%r %r" % (axes[0].get_ylabel(), axes[1].get_ylabel()))
    check("time", axes[-1].get_xlabel() == "t [s]")
    check("lines", [line.get_label() for line in axes[0].lines] == ["v(a)", "v(b)"])
    check("values", (axes[0].lines[1].get_ydata() == path["v(b)"]).all())
    one = plot.phase(path, "v(b)", "i(r1)")
    check("phase", one.get_xlabel() == "v(b) [V]" and one.get_ylabel() == "i(r1) [A]")
    raises("unknown quantity", KeyError, lambda: plot.phase(path, "v(c)", "i(r1)"), "v(c)", "v(a)")
    raises("nothing to draw", ValueError, lambda: plot.series(nsds.Job(
        text="RC\nV1 a 0 1\nR1 a 0 1k\n.tran 10u 5m\n", kind="circuit").run(0), []), "time")
    raises("axes", ValueError, lambda: plot.series(path, axes=axes[:1]), "2 units")
finish()
