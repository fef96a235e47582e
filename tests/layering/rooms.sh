#!/bin/sh
# rooms.sh ROOT [OBJECT_LIST NM]: prints every call from one room of the library into a room that it
# may not know, and fails when there is one.
#
#   base <- numerics <- modeling <- tree, contact, sensing <- assembly <- integrators <- simulation <- stepping <- events <- catalogue, io <- run
#
# Programs know public headers alone. Run knows these, its own headers and those of base/text, and has rooms of its own:
#
#   expression, job <- circuit, model, scene <- robot <- command   those between commas do not know each other
#
# The room mpi, a library of its own, knows base, numerics, its own headers and all public ones but run.h.
#
# Includes: a private header ("x.h") belongs to the room whose folder it lies in, a public one
# (<nsds/x.h>) to the lowest room that may know it. Symbols: what an object of a room leaves
# undefined must not be defined by a room above.
set -eu
root=$1
cd "$root"

# Lines "FILE<tab>INCLUDED" of all C sources below the given folders.
includes() {
  find "$@" -name '*.[ch]' -exec awk '
    /^[ \t]*#[ \t]*include/ { sub(/^[^"<]*/, ""); sub(/[">][^">]*$/, ""); print FILENAME "\t" $0 }
  ' {} +
}

folders=
for folder in include src tools examples bench; do
  [ ! -d "$folder" ] || folders="$folders $folder"
done

{
  find src -name '*.h'
  echo -- # first the private headers, then the includes
  includes $folders
} | awk -F '\t' '
  BEGIN {
    split("base numerics modeling contact assembly integrators simulation stepping events io run mpi", room, " ")
    public["base"] = public["catalogue"] = public["config"] = public["matrix"] = 1
    public["problem"] = public["solver"] = public["extend_solver"] = public["global"] = public["nonlinear"] = 2
    public["model"] = public["scheme"] = public["lagrangian"] = public["first_order"] = public["law"] = public["mixed"] = public["plugin"] = 3
    public["extend"] = public["rigid_body"] = public["joint"] = public["spring"] = public["tie"] = 3
    public["tree"] = 3
    public["contact"] = public["shapes"] = public["mass"] = public["sensor"] = 3
    public["simulation"] = public["extend_step"] = public["rollout"] = public["event_driven"] = public["adaptive"] = 7
    public["nsds"] = public["vtk"] = public["table"] = 10
    public["run"] = run = 11
    public["mpi"] = public["mpi_world"] = mpi = 12
    program = 13
    knows["circuit"] = knows["model"] = " expression job "
    knows["scene"] = " job "
    knows["robot"] = " expression job model "
    knows["command"] = " expression job circuit model scene robot "
  }
  function level_of(file) {
    if (file ~ /^src\/base\//) return 1
    if (file ~ /^src\/numerics\//) return 2
    if (file ~ /^src\/kernel\/modeling\//) return 3
    if (file ~ /^src\/(tree|kernel\/(contact|sensing))\//) return 4
    if (file ~ /^src\/kernel\/assembly\//) return 5
    if (file ~ /^src\/kernel\/integrators\//) return 6
    if (file ~ /^src\/kernel\/simulation\//) return 7
    if (file ~ /^src\/kernel\/(stepping|adaptive)\//) return 8
    if (file ~ /^src\/kernel\/events\//) return 9
    if (file ~ /^src\/(io|kernel\/catalogue)\//) return 10
    if (file ~ /^src\/run\/[a-z]+\//) return 11
    if (file ~ /^src\/mpi\//) return 12
    if (file ~ /^include\/nsds\//) return public_level(stem(file))
    if (file ~ /^src\//) return 0
    return program
  }
  function stem(path) {
    sub(/.*\//, "", path)
    sub(/\..*$/, "", path)
    return path
  }
  function public_level(name) { return name in public ? public[name] : 10 } # of io, if not listed
  function run_room(file) {
    sub(/^src\/run\//, "", file)
    sub(/\/.*/, "", file)
    return file
  }
  function run_knows(from, to) { return from == to || index(knows[from], " " to " ") }
  function complain(text) { print text; bad = 1 }
  $0 == "--" { reading = 1; next }
  !reading {
    name = $0
    sub(/.*\//, "", name)
    if (level_of($0) == 0) complain($0 ": no room of the library")
    if (name in owner) complain($0 ": the name of " owner[name] " too")
    owner[name] = $0
    next
  }
  {
    ++seen
    from = level_of($1)
    name = substr($2, 2)
    if (name ~ /^nsds\//) {
      to = public_level(stem(name))
      if (from < program && to > from)
        complain($1 ": includes <" name ">, which belongs to " room[to] ", above " room[from])
      next
    }
    file = name
    sub(/.*\//, "", file)
    if (substr($2, 1, 1) != "\"" || !(file in owner)) next
    if (from == run && owner[file] ~ /^src\/base\/text\//) next
    if (from == run && level_of(owner[file]) != run)
      complain($1 ": includes \"" name "\", a private header of libnsds")
    else if (from == mpi && level_of(owner[file]) > 2 && level_of(owner[file]) != mpi)
      complain($1 ": includes \"" name "\" of " room[level_of(owner[file])] ", which mpi may not know")
    else if (from == program)
      complain($1 ": a program includes \"" name "\", a private header of the library")
    else if ($1 ~ /^include\//)
      complain($1 ": a public header includes \"" name "\", a private one")
    else if (from == run && !run_knows(run_room($1), run_room(owner[file])))
      complain($1 ": includes \"" name "\" of " run_room(owner[file]) ", which " run_room($1) " may not know")
    else if (level_of(owner[file]) > from)
      complain($1 ": includes \"" name "\" of " room[level_of(owner[file])] ", above " room[from])
  }
  END {
    if (seen < 20) complain("only " seen + 0 " includes found: is this the root of the project?")
    exit bad
  }' || bad=1

if [ $# -ge 3 ]; then
  list=$2 nm=$3
  while IFS= read -r object; do
    [ -z "$object" ] || "$nm" -P "$object" | awk -v object="$object" '{ print object, $1, $2 }'
  done <"$list" | awk '
    function level_of(file) {
      if (file ~ /\/src\/base\//) return 1
      if (file ~ /\/src\/numerics\//) return 2
      if (file ~ /\/src\/kernel\/modeling\//) return 3
      if (file ~ /\/src\/(tree|kernel\/(contact|sensing))\//) return 4
      if (file ~ /\/src\/kernel\/assembly\//) return 5
      if (file ~ /\/src\/kernel\/integrators\//) return 6
      if (file ~ /\/src\/kernel\/simulation\//) return 7
      if (file ~ /\/src\/kernel\/(stepping|adaptive)\//) return 8
      if (file ~ /\/src\/kernel\/events\//) return 9
      if (file ~ /\/src\/run\//) return 11
      return 10
    }
    $3 == "U" { ++n; object[n] = $1; symbol[n] = $2; next }
    $3 ~ /^[A-Z]$/ { where[$2] = $1 }
    END {
      if (n < 20) { print "only " n + 0 " undefined symbols found"; bad = 1 }
      for (k = 1; k <= n; ++k)
        if (symbol[k] in where && level_of(where[symbol[k]]) > level_of(object[k])) {
          print object[k] ": calls " symbol[k] " of " where[symbol[k]]
          bad = 1
        }
      exit bad
    }' || bad=1
fi
exit ${bad:-0}
