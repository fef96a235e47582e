#!/bin/bash
# What script/wheel does inside of a fresh root that has only python3, pip and NumPy: installs the wheel of /nsds into a
# virtual environment, without network, and runs the examples of README. Each line "ok: ..." is a check that passed.
#
#   wheel.sh all       the examples
#   wheel.sh notebook  the notebook of pages, where there is Jupyter
set -eu
cd /nsds
export LC_ALL=C.UTF-8
ok() { echo "ok: $*"; }
fail() {
  echo "failed: $*" >&2
  exit 1
}
# says TEXT COMMAND...: the command ends well and its output has the text
says() {
  local text=$1 out
  shift
  out=$("$@") || fail "$* ended with $?"
  grep -qF -e "$text" <<<"$out" || fail "$* did not say '$text' but: $out"
}
# block LANGUAGE DOCUMENT: the first block of code of this language
block() { awk -v begin="\`\`\`$1" '/^```$/ && inside { exit } inside; $0 == begin { inside = 1 }' "$2"; }

! python3 -c 'import cffi' 2>/dev/null || fail "this root has cffi"
python3 -m venv --system-site-packages venv
venv/bin/pip install -q --no-index nsds-*.whl
says '/nsds/venv/' venv/bin/python -c 'import nsds; print(nsds.__file__)'
ok "pip install nsds-*.whl, without network"
if [ "$1" = notebook ]; then
  PYTHONPATH=$(echo venv/lib/python3*/site-packages) jupyter-nbconvert --to notebook --execute --output-dir ran pages.ipynb
  python3 notebook.py pages.ipynb ran/pages.ipynb
  ok "a notebook that shows a page"
  exit
fi
block python README.md >ball.py
echo 'print("highest %.3f" % path["ball.q"][path["t"] > 5.0].max())' >>ball.py
says 'highest 0.232' venv/bin/python ball.py
block python python.md >page.py
says 'highest after 5 s: 0.232 m' venv/bin/python page.py
ok "the examples of README and docs/python.md"
block spice README.md >rectifier.cir
block yaml README.md >ball.yaml
cat >job.py <<'END'
import sys
import nsds
with nsds.Job(sys.argv[1]) as job:
    job.run()
    print(", ".join("%s = %.3g" % item for item in job.measures.items()))
END
says 'load = 3.18' venv/bin/python job.py rectifier.cir
says 'last_height = 0.232' venv/bin/python job.py ball.yaml
ok "a netlist and a model file"
says 'srcdoc' venv/bin/python -c '
import nsds
model = nsds.Model()
model.rigid_body(mass=1.0, inertia=[[1, 0, 0], [0, 1, 0], [0, 0, 1]])
print(model._repr_html_())'
ok "the page of a model"
says 'LIBRARIES.txt' ls venv/lib/python3*/site-packages/nsds-*.dist-info/licenses
if ldd venv/lib/python3*/site-packages/nsds/_nsds*.so venv/lib/python3*/site-packages/nsds.libs/* | grep 'not found'; then
  fail "a library is missing"
fi
outside=$(ldd venv/lib/python3*/site-packages/nsds.libs/* | awk '$3 ~ /^\// && $3 !~ /nsds\.libs/ { print $1 }' |
  sort -u | grep -Ev '^(ld-linux.*|lib(c|m|dl|rt|pthread))\.so' || true)
[ -z "$outside" ] || fail "libraries from outside of the wheel: $outside"
ok "no library from outside of the wheel but the C library"
