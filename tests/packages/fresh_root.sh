#!/bin/bash
# What script/package does inside of a fresh root: installs the packages in /nsds/debs, uses them as somebody would who
# has nothing else, and removes them. The sources are in /nsds/source. Each line "ok: ..." is a check that passed.
set -eu
cd /nsds
export DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8

install() { apt-get install -qq -y --no-install-recommends "$@" </dev/null; }
debs() { printf '/nsds/debs/%s_*.deb\n' "$@"; }
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

run=$(cd debs && ls | sed -n 's/^\(libnsds-jobs[0-9.]*\)_.*/\1/p')
library=$(cd debs && ls | sed -n 's/^\(libnsds[0-9][0-9.]*\)_.*/\1/p')
mpi=$(cd debs && ls | sed -n 's/^\(libnsds-mpi[0-9.]*\)_.*/\1/p')
all=("$library" "$run" libnsds-dev "$mpi" libnsds-mpi-dev nsds-tools python3-nsds nsds-doc)

# Without a compiler, and without the packages that are not named: each package brings what it needs.
install $(debs "$library" "$run" nsds-tools)
block spice source/README.md >rectifier.cir
block yaml source/README.md >ball.yaml
says 'load = 3.18' nsds run rectifier.cir --measures
says 'last_height = 0.232' nsds run ball.yaml --measures
nsds run ball.yaml -o ball.csv
[ "$(wc -l <ball.csv)" -gt 2000 ] || fail "ball.csv has $(wc -l <ball.csv) lines"
ok "nsds-tools: nsds run on the netlist and the model file of README"
says '.TH' zcat /usr/share/man/man1/nsds.1.gz
says 'nsds' bash -c '. /usr/share/bash-completion/completions/nsds && complete -p nsds'
ok "nsds-tools: man page, completion"

install $(debs python3-nsds)
block python source/docs/python.md >ball.py
says 'highest after 5 s: 0.232 m' python3 ball.py
ok "python3-nsds: import nsds, the ball of docs/python.md"

install $(debs libnsds-dev) gcc libc6-dev pkg-config
cc source/docs/first.c -o first $(pkg-config --cflags --libs nsds)
says '10 0.0999' ./first
ok "libnsds-dev: docs/first.c with pkg-config"

install $(debs "$mpi" libnsds-mpi-dev)
cat >group.c <<'END'
#include <nsds/mpi.h>
#include <stdio.h>
int main(void) {
  nsds_context *context = nsds_context_create(NULL);
  nsds_mpi *group = nsds_mpi_create(context, NULL);
  printf("rank %d of %d\n", nsds_mpi_rank(group), nsds_mpi_size(group));
  nsds_mpi_destroy(group);
  nsds_context_destroy(context);
}
END
cc group.c -o group $(pkg-config --cflags --libs nsds-mpi)
says 'rank 0 of 1' ./group
ok "libnsds-mpi-dev: a program with pkg-config"

install $(debs nsds-doc) cmake make
cmake -S /usr/share/doc/nsds-doc/examples -B examples >cmake.log
cmake --build examples --target bouncing_ball >cmake.log
says '10,0.0999' examples/bouncing_ball
ok "libnsds-dev, nsds-doc: an example with find_package"
nsds check /usr/share/doc/nsds-doc/examples/models/slider_crank.yaml
ok "nsds-doc: a model of the examples"

# The sources of the module, by pip, against the installed library.
apt-get purge -qq -y python3-nsds
! python3 -c 'import nsds' 2>/dev/null || fail "python3-nsds is removed, and Python finds nsds"
packages=$(sed -n 's/^ *sudo apt-get install \(python3-.*\)/\1/p' source/docs/python.md)
install $packages python3-venv
python3 -m venv --system-site-packages venv
(cd source/python && /nsds/venv/bin/pip install -q --no-index --no-build-isolation .)
says '/nsds/venv/' venv/bin/python -c 'import nsds; print(nsds.__file__)'
says 'highest after 5 s: 0.232 m' venv/bin/python ball.py
ok "pip install --no-index --no-build-isolation . in a venv"

# Nothing stays behind.
install $(debs python3-nsds)
dpkg -L "${all[@]}" | sort -u >files
apt-get purge -qq -y "${all[@]}"
left=$(while read -r file; do [ -d "$file" ] || [ ! -e "$file" ] || echo "$file"; done <files
  find / -xdev -name '*nsds*' -not -path '/nsds*' -not -path '/proc/*' -not -path '/var/cache/apt/*')
[ -z "$left" ] || fail "after the packages were removed there are still:
$left"
ok "purged: none of $(wc -l <files) files and folders of the packages is left"
