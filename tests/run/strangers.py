"""Files from strangers: their names are shown as plain texts, their plugins do not run, and reading them ends.

    strangers.py NSDS FOLDER CC
"""
import os
import shutil
import subprocess
import sys
import time

NSDS, FOLDER, CC = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2]), sys.argv[3]
shutil.rmtree(FOLDER, ignore_errors=True)
os.makedirs(os.path.join(FOLDER, "inside", "deeper"))
os.chdir(os.path.join(FOLDER, "inside"))
MODEL = """nsds: 1
name: NAME
systems:
  ball: {type: lagrangian_linear, q0: Q0, mass: 1, fext: FORCE}
simulation: {type: time_stepping, t1: 0.1, h: 0.01}
outputs: {columns: [{name: COLUMN, value: ball.q1, unit: COLUMN}]}
measures: {a: {kind: final, of: ball.q1}}
"""
wrong = []


def check(text, good, *more):
    if not good:
        wrong.append(text)
        print("WRONG", text, *more)


def write(path, text):
    with open(path, "w") as file:
        file.write(text)


def model(**changes):
    text = MODEL
    for key, default in dict(NAME="n", Q0="1", FORCE="-9.81", COLUMN="a").items():
        text = text.replace(key, changes.get(key, default))
    return text


def run(*words, limit=20.0):
    start = time.monotonic()
    done = subprocess.run([NSDS, *words], capture_output=True, timeout=120)
    check("%s ends" % " ".join(words), time.monotonic() - start < limit, time.monotonic() - start)
    return done.returncode, done.stdout, done.stderr


def plain(data):
    """Line ends alone, no other control character."""
    text = data.decode()
    return not any((ord(c) < 32 and c != "\n") or 127 <= ord(c) < 160 or c in "\u202e\u2028\u2066" for c in text)


# Names that are commands elsewhere.
HOSTILE = ["\\n!touch PWNED\\n", "\\x1b[31mred", "\\x1b]0;title\\x07", "a\\tb", "\\r\\nx", "`touch PWNED`", "$(touch PWNED)",
           "\\\"; !touch PWNED", "'; touch PWNED; '", "</script><script>alert(1)</script>", "<b>&amp;", "]]>", "a,b\\\"c",
           "\\u202Etxt.exe", "\\u2028x", "\\x9b31m", "%s%n%d", "=cmd|' /C calc'!A0", "../../x", "\\x7f\\x08\\x08"]
for k, name in enumerate(HOSTILE):
    write("name.yaml", model(NAME='"%s"' % name, COLUMN='"%s"' % name))
    for words in (["run", "name.yaml"], ["run", "--untrusted", "name.yaml", "-o", "t.csv"], ["check", "name.yaml"],
                  ["run", "--describe", "name.yaml"], ["run", "--plot", "p.svg", "name.yaml", "-o", "t.csv"],
                  ["view", "--no-open", "-o", "v.html", "name.yaml"]):
        code, out, err = run(*words)
        check("%r is shown as plain text by %s" % (name, words[:2]), plain(out) and plain(err), out, err)
    for path in ("t.csv", "p.svg"):
        if os.path.exists(path):
            with open(path, "rb") as file:
                check("%r is plain in %s" % (name, path), plain(file.read().replace(b"\t", b" "))) # gnuplot has tabs
            os.remove(path)
    write("name.cir", "%s\nR1 a 0 1\nC1 a 0 1u\n.tran 1u 10u\n.print v(a)\n.end\n" % name.encode().decode("unicode_escape")
          .replace("\n", " ").replace("\r", " "))
    code, out, err = run("run", "name.cir")
    check("%r is a plain title" % name, plain(out) and plain(err))
check("no command has run", not os.path.exists("PWNED") and not os.path.exists("../PWNED"))

# Plugins and files outside.
write("evil.c", '#include <stdio.h>\n__attribute__((constructor)) static void run(void) { fclose(fopen("PWNED", "w")); }\n')
built = subprocess.run([CC, "-shared", "-fPIC", "-o", "evil.so", "evil.c"]).returncode == 0
write("plug.yaml", model(FORCE="{plugin: evil.so, function: f}"))
code, out, err = run("check", "plug.yaml")
check("a plugin is not looked at", code == 0 and b"was not looked at" in err, code, err)
left_out = model(FORCE="{plugin: evil.so, function: f}")
for old, new in (("of: ball.q1", "of: inf"), ("of: ball.q1", "of: 2*ball.q1"), ("columns: [", "columns: [ball.v1, 1, "),
                 ("outputs:", "samplers: {r: {type: pid, period: 0.05, setpoint: 1, measured: ball.q1, kp: 2, output: ball.z1}}\noutputs:"),
                 ("outputs: {", "outputs: {every: 2, ")):
    write("left_out.yaml", left_out.replace(old, new))
    code, out, err = run("check", "left_out.yaml")
    check("what depends on a plugin is left out: %s" % new, code in (0, 1) and b"was not looked at" in err, code, err)
for words in (["run", "--untrusted", "plug.yaml"], ["run", "--refuse-plugins", "plug.yaml"]):
    code, out, err = run(*words)
    check("a plugin is refused", code == 1 and b"plugins are refused" in err, code, err)
check("no plugin has run", not os.path.exists("PWNED"))
run("check", "--trust", "plug.yaml")
check("a trusted one runs", os.path.exists("PWNED") or not built)
write("../outside.txt", "1\n")
write("deeper/inside.txt", "2\n")
os.symlink("../outside.txt", "link.txt")
for path, code in (("../outside.txt", 1), ("link.txt", 1), (os.path.abspath("../outside.txt"), 1), ("deeper/inside.txt", 0)):
    write("data.yaml", model(Q0="{file: %s}" % path))
    got, out, err = run("run", "--untrusted", "data.yaml")
    check("untrusted data of %s" % path, got == code and (code == 0 or b"outside" in err), got, err)
    check("trusted data of %s" % path, run("run", "data.yaml")[0] == 0)
    got, out, err = run("check", "data.yaml")
    check("check of data of %s" % path, got == 0 and (b"not looked at" in err) == bool(code), got, err)
    write("data.cir", "t\n.include %s\nR1 a 0 1\nC1 a 0 1u\n.tran 1u 10u\n.end\n" % path)
    got, out, err = run("check", "data.cir")
    check("check of include of %s" % path, (b"not looked at" in err) == bool(code), got, err)

# Files of another kind are named as such, by their first bytes or by their names.
XML = b'<?xml version="1.0"?>\n<!-- made by hand -->\n'
ROBOT = b'<robot name="r"><link name="a"/></robot>\n'
for name, data, words in (
        ("arm", ROBOT, "a URDF file"),
        ("arm.yaml", XML + ROBOT, "a URDF file"),
        ("leg.yml", XML + b"<mujoco>", "give its name the ending .xml or .mjcf"), ("any.xml", b"<a/>", "an XML file"),
        ("plant.slx", b"PK\3\4\0\0", "a model of Simulink"), ("plant.mdl", b'Model {\n  Name "p"\n}\n', "a model of Simulink"),
        ("rc.asc", b"Version 4\nSHEET 1 880 680\n", "a schematic of LTspice"),
        ("rc.net", b"Version 4\r\nSHEET 1 880 680\r\n", "View > SPICE Netlist"), ("all.zip", b"PK\3\4\0\0", "a zip archive"),
        ("all", b"PK\3\4\0\0", "a zip archive"), ("rc.cir", b"\x1f\x8b\x08\0", "packed by gzip"),
        ("a.json", b'{"nsds": 1}\n', "the ending .yaml"), ("a", b'{\n "nsds": 1}\n', "a JSON file"),
        ("a.py", b"import nsds\n", "a Python program"), ("a.txt", b"#!/bin/sh\n", "a script"), ("a.pdf", b"%PDF-1.4\n", "a PDF document"),
        ("rc.cir", b"%PDF-1.4\n", "a PDF document"), ("a.yaml", b"\x89PNG\r\n\x1a\n\0", "a PNG picture"),
        ("a.jpg", b"\xff\xd8\xff\xe0", "a JPEG picture"), ("a", b"GIF89a", "a GIF picture"), ("a.h5", b"\x89HDF\r\n", "use nsds solve"),
        ("a.cir", b"\x7fELF\2\1", "a shared object"), ("a.yaml", b"", "the file is empty"), ("a.cir", b" \n\n", "the file is empty"),
        ("a.cir", b"\xff\xfet\0", "UTF-16")):
    with open("kind_" + name, "wb") as file:
        file.write(data)
    for words_of in (["run"], ["check"], ["view", "--no-open", "-o", "v.html"]):
        code, out, err = run(*words_of, "kind_" + name)
        text = err.decode()
        check("%s %s is %s" % (words_of[0], name, words), code == 1 and words in text and "model files (.yaml .yml)" in text, text)
TAIL = "R1 a 0 1\nC1 a 0 1u\n.tran 1u 10u\n.end\n"
for name, title in (("t.cir", "<b> a title"), ("t.cir", '{"a title"}'), ("t.net", "#! a title"), ("t", "import a title"), ("t.txt", "Model {")):
    write(name, title + "\n" + TAIL)
    check("the title %s is no other kind" % title, run("run", name)[0] == 0)

# What would not end.
os.mkfifo("pipe.inc")
write("pipe.cir", "t\n.include pipe.inc\nR1 a 0 1\n.tran 1u 10u\n.end\n")
write("pipe.yaml", model(Q0="{file: pipe.inc}"))
for name in ("pipe.cir", "pipe.yaml"):
    for words in (["check", name], ["run", name]):
        code, out, err = run(*words)
        check("a pipe is refused by %s" % words, code == 1 and b"it is a pipe" in err, code, err)
for k in range(1, 15):
    write("f%d.inc" % k, "* f\n" + ".include f%d.inc\n" % (k + 1) * 10)
write("f15.inc", "* leaf\n")
write("bomb.cir", "bomb\n.include f1.inc\nR1 a 0 1\nC1 a 0 1u\n.tran 1u 1m\n.end\n")
for words in (["check", "bomb.cir"], ["run", "bomb.cir"], ["run", "--untrusted", "bomb.cir"]):
    code, out, err = run(*words)
    check("files that include each other are counted", code == 1 and b"files would be read" in err, code, err)
# Coupled inductances of very different sizes: the run takes long before the first row, or comes to a time at which the
# equations cannot be solved in double precision, since the inductances differ by a factor of 1e10. Nothing else takes long.
write("hang.cir", """Flyback
Vin in 0 48
L1 in sw 200000
L2 g d 22.22u
K1 L1 L2 -1
S1 sw 0 SWITCH PULSE(0 1 0 0 0 4u 10u)
D1 d out DIODE
C1 out g 100u IC=10
R1 out g 6
.model SWITCH SW(ideal=1 vt=0.5)
.model DIODE D(ideal=1)
.tran 1u 10m 9.95m uic
.print tran v(out,g)
.end
""")
check("coupled inductances are checked at once", run("check", "hang.cir", limit=10.0)[0] == 0)
code, out, err = run("run", "--untrusted", "--time-limit", "1", "hang.cir", limit=10.0)
check("coupled inductances end by the limit", code == 0 or b"ended after 1 s" in err
      or b"no currents and voltages were found" in err, code, err)
write("long.yaml", model().replace("t1: 0.1, h: 0.01", "t1: 1e9, h: 1e-6"))
code, out, err = run("run", "--untrusted", "--time-limit", "0.5", "long.yaml", "-o", "t.csv", limit=20.0)
check("a limit of time", code == 1 and b"ended after 0.5 s" in err, code, err)
ladder = "".join("R%d n%d n%d 1k\nC%d n%d 0 1u\n" % (k, k, k + 1, k, k + 1) for k in range(3000))
write("long_ladder.cir", "a ladder\nV1 n0 0 1\n" + ladder + ".tran 1m 2m\n.print v(n1)\n.end\n")
for words in (["--memory-limit", "1e6"], ["--untrusted", "--memory-limit", "2e6"]):
    code, out, err = run("run", *words, "long_ladder.cir")
    check("memory limit: status", code == 1, code, err)
    check("memory limit: message", b"bytes of memory, which is the limit for files of its kind" in err, err)
code, out, err = run("run", "--untrusted", "--number-limit", "1000", "long.yaml", "-o", "t.csv")
check("a limit of numbers", code == 1 and b"ended after 500 rows" in err, code, err)
write("chain.cir", "t\n.param p0=1\n" + "".join(".param p%d={p%d+1}\n" % (k, k - 1) for k in range(1, 20001))
      + "R1 a 0 {p20000}\nC1 a 0 1u\n.tran 1u 10u\n.end\n")
check("20000 parameters in a chain", run("check", "chain.cir")[0] == 0)
write("alias.yaml", "nsds: 1\nx: [" + ", ".join("&a%d 1" % k for k in range(9990)) + "]\ny: ["
      + ", ".join(["*a0"] * 900000) + "]\n")
check("900000 aliases", run("check", "alias.yaml")[0] == 1)

# The old file stays until the new one is whole.
write("t.csv", "old\n")
write("v.html", "old\n")
limit = lambda: __import__("resource").setrlimit(__import__("resource").RLIMIT_FSIZE, (2000, 2000))
ignore = lambda: (__import__("signal").signal(__import__("signal").SIGXFSZ, __import__("signal").SIG_IGN), limit())
write("rows.yaml", model().replace("h: 0.01", "h: 1e-5"))
write("t.h5", "old\n")
for words, path in ((["run", "rows.yaml", "-o", "t.csv"], "t.csv"), (["run", "rows.yaml", "-o", "t.h5"], "t.h5"),
                    (["view", "--no-open", "-o", "v.html", "rows.yaml"], "v.html")):
    done = subprocess.run([NSDS, *words], capture_output=True, preexec_fn=ignore)
    with open(path) as file:
        check("%s stays when the disk is full" % path, file.read() == "old\n", done)
    check("%s: it is told" % path, done.returncode == 1 and done.stderr != b"", done)
    check("%s: nothing beside" % path, not os.path.exists(path + ".new"))
print("%d wrong" % len(wrong))
sys.exit(1 if wrong else 0)
