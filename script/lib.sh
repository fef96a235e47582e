# Shared by the scripts beside it (bash): packages, quiet commands with a progress bar, builds.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
jobs=$(nproc 2>/dev/null || getconf _NPROCESSORS_ONLN)

die() {
  printf '%s: %s\n' "${0##*/}" "$*" >&2
  exit 1
}

# bar TITLE: reads the output of make, ninja or apt-get; where stderr is a terminal and the command
# takes more than two seconds, draws how far it is.
bar() {
  local title=$1 line percent=0 start=$SECONDS shown=no full
  [ -t 2 ] || exec cat >/dev/null
  full=########################################
  while IFS= read -r line; do
    if [[ $line =~ ^\[\ *([0-9]+)%\] ]]; then percent=${BASH_REMATCH[1]}
    elif [[ $line =~ ^\[([0-9]+)/([0-9]+)\] ]]; then
      percent=$((100 * BASH_REMATCH[1] / BASH_REMATCH[2]))
    elif [[ $line =~ ^dlstatus:[^:]*:([0-9]+) ]]; then percent=$((BASH_REMATCH[1] / 2))
    elif [[ $line =~ ^pmstatus:[^:]*:([0-9]+) ]]; then percent=$((50 + BASH_REMATCH[1] / 2))
    else continue
    fi
    [ $((SECONDS - start)) -ge 2 ] || continue
    printf '\r%s [%-40s] %3d %%' "$title" "${full:0:$((percent * 40 / 100))}" "$percent" >&2
    shown=yes
  done
  [ $shown = no ] || printf '\r\033[K' >&2
}

# quietly TITLE COMMAND...: one line for the command; its output only when it fails.
quietly() {
  local title=$1 log
  shift
  log=$(mktemp)
  printf '%s\n' "$title"
  if ! (set -o pipefail; "$@" 2>&1 | tee "$log" | bar "$title"); then
    grep -Ev '^(dl|pm)status:' "$log" >&2
    rm -f "$log"
    die "failed: $title"
  fi
  rm -f "$log"
}

python() { # the interpreter of the system, for which packages are
  if [ -x /usr/bin/python3 ]; then echo /usr/bin/python3; else command -v python3; fi
}

present() { # KIND NAME, as in packages.txt
  case $1 in
  command) command -v "$2" >/dev/null ;;
  library) echo 'int main(void) { return 0; }' | cc -x c - -o /dev/null "-l$2" 2>/dev/null ;;
  module) "$(python)" -c "import $2" 2>/dev/null ;;
  header) "$(python)" -c "import os, sysconfig as s; os.stat(s.get_paths()['include'] + '/$2')" 2>/dev/null ;;
  *) die "packages.txt: '$1' is neither command, library, module nor header" ;;
  esac
}

install_packages() { # with apt's progress report for the bar
  DEBIAN_FRONTEND=noninteractive apt-get -qq -y -o APT::Status-Fd=3 \
    install --no-install-recommends "$@" </dev/null 3>&1
}

# need SECTION...: installs the packages of these sections of packages.txt that are missing.
need() {
  local section='' package kind name missing=()
  while read -r package kind name _; do
    case $package in
    '' | '#'*) ;;
    '['*) section=${package//[\[\]]/} ;;
    *) [[ " $* " != *" $section "* ]] || present "$kind" "$name" || missing+=("$package") ;;
    esac
  done <"$root/packages.txt"
  [ ${#missing[@]} -gt 0 ] || return 0
  command -v apt-get >/dev/null ||
    die "please install, under the names your system has for them: ${missing[*]}"
  [ "$(id -u)" -eq 0 ] || die "please run: sudo apt-get install --no-install-recommends ${missing[*]}"
  quietly "apt-get update" apt-get -qq update
  quietly "installing ${missing[*]}" install_packages "${missing[@]}"
}

# fetch_view: the npm packages of pages, see script/fetch-view. Does nothing if they are there in the right versions.
fetch_view() {
  local view=$root/src/run/view
  cmp -s "$view/package-lock.json" "$view/node_modules/fetched.json" && return 0
  printf 'fetching the npm packages of pages\n'
  (cd "$view" && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error >&2 &&
    cp package-lock.json node_modules/fetched.json)
}

# build PRESET [CACHE OPTION...] [-- TARGET...]: by ninja, if it is there and the folder is new
build() {
  local preset=$1 options=() targets=()
  shift
  if [ ! -e "$root/build/$preset/CMakeCache.txt" ] && command -v ninja >/dev/null; then
    options=(-G Ninja)
  fi
  while [ $# -gt 0 ] && [ "$1" != -- ]; do
    options+=("$1")
    shift
  done
  [ $# -eq 0 ] || targets=(--target "${@:2}")
  { command -v npm >/dev/null && fetch_view; } || [ -e "$root/src/run/view/node_modules/fetched.json" ] ||
    echo "without npm, pages of scenes are left out" >&2
  quietly "configuring build/$preset" cmake --preset "$preset" "${options[@]}"
  quietly "building build/$preset" \
    cmake --build --preset "$preset" --parallel "$jobs" "${targets[@]}"
}

# build_tests PRESET [CACHE OPTION...]: a build with all that the tests are made of
build_tests() {
  build "$1" -DNSDS_WERROR=ON -DNSDS_BUILD_TESTS=ON -DNSDS_BUILD_EXAMPLES=ON -DNSDS_BUILD_BENCH=OFF "${@:2}"
}

# The sources of Debian, or of a system made from it, that this machine uses
mirrors() {
  apt-get indextargets --format 'deb $(REPO_URI) $(RELEASE) $(COMPONENT)' 'Created-By: Packages' "Origin: ${ID^}" |
    sort -u
}

# fresh_root WORK OPTION...: makes the system of this machine anew with mmdebstrap, as root; files of its own go to WORK.
fresh_root() {
  local work=$1
  . /etc/os-release
  [ -n "$(mirrors)" ] || quietly "apt-get update" apt-get -qq update
  mirrors >"$work/mirrors"
  apt-config dump --no-empty Acquire >"$work/apt.conf"
  mmdebstrap --mode=root --variant=minbase --format=null --dpkgopt=force-unsafe-io --aptopt="$work/apt.conf" \
    "${@:2}" "$VERSION_CODENAME" /dev/null - <"$work/mirrors"
}
