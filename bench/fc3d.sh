# shellcheck shell=sh disable=SC2154,SC2034 # variables shared with script/bench
# The friction problems of script/bench, which reads this file in: rows of cases fc3d and fc3d_sweeps
# in $work/problems. Adds rows to $work/csv; sets bad=1 when our side fails. See "Friction problems"
# in bench/README.md.

fc3d_ours=$build/bench/fc3d
fc3d_theirs=$build/bench/peer/fc3d
fc3d_times=$root/out/fc3d_times.csv
fc3d_picture=$root/out/fc3d_profile.png

# Seconds that one solve may take, and that a program repeats it.
if $quick; then fc3d_limit=2 BENCH_SECONDS=0.1; else fc3d_limit=30 BENCH_SECONDS=0.2; fi
BENCH_SOLVE_LIMIT=${BENCH_SOLVE_LIMIT:-$fc3d_limit}
export BENCH_SOLVE_LIMIT BENCH_SECONDS

field() { awk -v name="$1" '$1 == name { $1 = ""; print substr($0, 2) }' "$2"; }

# The peer reads text: sets `text` to a file with the problem of FILE, or fails.
fc3d_text() { # FILE
  case $1 in
    *.dat) text=$1 ;;
    *)
      text=$work/$(basename "$1").dat
      [ -f "$text" ] || run "$work/write.out" "$fc3d_ours" "$1" write "$text"
      ;;
  esac
}

# Tries the settings that the peer has for its solver, those that are not far from the fastest twice;
# sets `setting` to the fastest and `usual` to the seconds of the default, or fails.
fc3d_choose() { # SOLVER, or sweeps N
  setting='' usual='' reasons='' long=$BENCH_SECONDS
  BENCH_SECONDS=0.05
  : >"$work/tried"
  for one in $("$fc3d_theirs" settings "$1"); do
    if run "$work/try.out" "$fc3d_theirs" "$text" "$@" "$one"; then
      say "$(field least "$work/try.out") $one" >>"$work/tried"
    else
      reasons="$reasons; $one ${problem#failed: }"
    fi
  done
  problem=${reasons#; }
  sort -g "$work/tried" | awk '
    NR == 1 { least = $1 }
    $1 < 5 * least { name[++n] = $2 }
    END { for (k = 1; n > 1 && k <= n; ++k) print name[k] }' >"$work/again"
  while read -r one; do
    if run "$work/try.out" "$fc3d_theirs" "$text" "$@" "$one"; then
      say "$(field least "$work/try.out") $one" >>"$work/tried"
    fi
  done <"$work/again"
  BENCH_SECONDS=$long
  sort -g "$work/tried" >"$work/best"
  setting=$(awk 'NR == 1 { print $2 }' "$work/best")
  usual=$(awk '$2 == "default" { print $1; exit }' "$work/best")
  [ -n "$setting" ]
}

# One row: pairs of runs, the side that starts changing; sets `ours_why` and `theirs_why` where a
# side fails.
fc3d_pairs() { # FILE "OUR WORDS" "THEIR WORDS" or ""
  pair=1
  while [ $pair -le "$pairs" ]; do
    if [ $((pair % 2)) -eq 1 ]; then order='ours theirs'; else order='theirs ours'; fi
    for side in $order; do
      if [ "$side" = ours ] && [ -z "$ours_why" ]; then
        # shellcheck disable=SC2086 # words
        if run "$work/ours.out" "$fc3d_ours" "$1" $2; then
          seconds "$work/ours.out" >>"$work/nsds"
        else
          ours_why="ours $problem"
        fi
      elif [ "$side" = theirs ] && [ -z "$theirs_why" ] && [ -n "$3" ]; then
        # shellcheck disable=SC2086
        if run "$work/theirs.out" "$fc3d_theirs" "$text" $3; then
          seconds "$work/theirs.out" >>"$work/peer"
        else
          theirs_why="siconos $problem"
        fi
      fi
    done
    if [ -n "$3" ] && [ -z "$ours_why$theirs_why" ]; then
      echo "$(tail -n 1 "$work/nsds") $(tail -n 1 "$work/peer")" |
        awk '{ printf "%.9g\n", $2 / $1 }' >>"$work/ratio"
    fi
    pair=$((pair + 1))
  done
}

# The error of an answer once more, with our reading of the file: nothing, or why it is refused.
fc3d_check() { # FILE OUTPUT
  "$fc3d_ours" "$1" check <"$2" >"$work/check" 2>&1 || say "has the wrong answer: $(cat "$work/check")"
}

# NAME FILE STEPS VARIANT: measures, prints, adds to csv and to $work/fc3d.
fc3d_row() {
  who='' setting='' words='' mine='' ours_why='' theirs_why=''
  nsds_s='' peer_s='' ratio='' contacts='' method='' usual=''
  for file in nsds peer ratio ours.out theirs.out; do : >"$work/$file"; done
  if [ "$1" = fc3d_sweeps ]; then mine="sweeps $3"; fi
  if [ "$4" != - ]; then
    who=siconos-$4
    # shellcheck disable=SC2086 # words
    if fc3d_text "$2" && fc3d_choose ${mine:-"$4"}; then words="${mine:-$4} $setting"; else theirs_why="siconos $problem"; fi
  fi
  fc3d_pairs "$2" "$mine" "$words"
  if [ -z "$mine" ] && [ -z "$ours_why" ]; then
    wrong=$(fc3d_check "$2" "$work/ours.out")
    ours_why=${wrong:+ours $wrong}
  fi
  if [ -z "$mine" ] && [ -n "$words" ] && [ -z "$theirs_why" ]; then
    wrong=$(fc3d_check "$2" "$work/theirs.out")
    theirs_why=${wrong:+siconos $wrong}
  fi
  if [ -n "$ours_why" ]; then bad=1; else nsds_s=$(median "$work/nsds"); fi
  if [ -n "$words" ] && [ -z "$theirs_why" ]; then peer_s=$(median "$work/peer"); fi
  if [ -n "$nsds_s" ] && [ -n "$peer_s" ]; then ratio=$(median "$work/ratio"); fi
  contacts=$(cat "$work/ours.out" "$work/theirs.out" | awk '$1 == "contacts" { print $2; exit }')
  method=$(field method "$work/ours.out")
  shown=$(basename "$2")
  say "$1:$shown,$contacts,$3,$nsds_s,$who,$peer_s,$ratio" >>"$work/csv"
  say "$1,$shown,$contacts,$nsds_s,${who#siconos-},$setting,$peer_s,$ratio,$method,$usual" >>"$work/fc3d"
  awk -v name="$shown" -v contacts="${contacts:--}" -v a="$nsds_s" -v who="${who:--}" \
    -v setting="$setting" -v b="$peer_s" -v ratio="$ratio" -v steps="$3" '
    function ms(x) { return x == "" ? "failed" : sprintf("%.4g", 1e3 * x) }
    BEGIN {
      sub(/\.(dat|hdf5)$/, "", name)
      if (length(name) > 26) name = substr(name, 1, 25) "~"
      if (setting != "" && setting != "default") who = who ":" setting
      printf "%-26s %8s | %11s | %-26s %11s | %8s\n", name, contacts, ms(a), who,
             who == "-" ? "-" : ms(b), ratio == "" ? "-" : sprintf("%.3g", ratio)
      if (steps > 1)
        printf "%35s | %11s | %26s %11s |\n", "sweeps/s", a == "" ? "" : sprintf("%.4g", steps / a),
               "", b == "" ? "" : sprintf("%.4g", steps / b) }'
  if [ -n "$mine" ] && [ -n "$ratio" ]; then
    say "    error after $3 sweeps: ours $(field error "$work/ours.out")," \
      "theirs $(field error "$work/theirs.out"); their default makes" \
      "$(awk -v n="$3" -v s="$usual" 'BEGIN { printf "%.4g", n / s }') sweeps/s"
  fi
  for why in "$ours_why" "$theirs_why"; do
    if [ -n "$why" ]; then say "    $why"; fi
  done
}

# Per file the fastest peer, the one with the least ratio; then counts.
fc3d_summary() {
  awk -F, -v least=20 '
    $1 != "fc3d" { next }
    !($2 in seen) { seen[$2] = 1; file[++n] = $2 }
    $4 != "" { contacts[$2] = $3; method[$2] = $9; if (!($2 in ratio)) ours[$2] = $4 }
    $8 != "" && (!($2 in ratio) || $8 < ratio[$2]) {
      ratio[$2] = $8; peer[$2] = $7; ours[$2] = $4
      best[$2] = $5 ($6 == "default" ? "" : ":" $6)
    }
    $5 != "" { ++peers }
    $5 != "" && $7 == "" { ++failed[$5] }
    $10 != "" && (!($2 in usual) || $10 < usual[$2]) { usual[$2] = $10 + 0 }
    END {
      if (!peers) {
        for (k = 1; k <= n; ++k) lost += !(file[k] in ours)
        printf "failures: %d of %d\n", lost, n
        exit
      }
      printf "\nfastest peer of each problem; ratio: its time over ours\n"
      printf "%-26s %8s %11s %-20s %11s %8s  %s\n", "problem", "contacts", "ours [ms]", "fastest peer",
             "[ms]", "ratio", "our method"
      for (k = 1; k <= n; ++k) {
        f = file[k]
        name = f
        sub(/\.(dat|hdf5)$/, "", name)
        if (length(name) > 26) name = substr(name, 1, 25) "~"
        printf "%-26s %8s %11s %-20s %11s %8s  %s\n", name, contacts[f],
               f in ours ? sprintf("%.4g", 1e3 * ours[f]) : "failed", f in best ? best[f] : "none",
               f in peer ? sprintf("%.4g", 1e3 * peer[f]) : "-",
               f in ratio ? sprintf("%.3g", ratio[f]) : "-", method[f]
        if (!(f in ours)) { ++lost; continue }
        if (contacts[f] < least) continue
        ++large
        if (!(f in usual) || usual[f] > ours[f]) ++usually
        if (!(f in ratio)) { ++alone; ++won; continue }
        if (ratio[f] > 1) ++won
        r[++m] = ratio[f]
      }
      for (i = 2; i <= m; ++i)
        for (j = i; j > 1 && r[j] < r[j - 1]; --j) { x = r[j]; r[j] = r[j - 1]; r[j - 1] = x }
      if (m) printf "with %d contacts or more: faster than every peer on %d of %d, median ratio %.3g\n",
                    least, won, large, (r[int((m + 1) / 2)] + r[int(m / 2) + 1]) / 2
      if (m) printf "with the default settings of the peer alone: on %d of %d\n", usually, large
      if (alone) printf "no peer solved %d of these; they are not in the median\n", alone
      printf "failures: ours %d", lost
      for (s in failed) printf ", %s %d", s, failed[s]
      printf " of %d\n", n
    }' "$work/fc3d"
}

# Seconds of every solver on every problem, "inf" where it failed. All but ours are ours times a ratio
# to ours measured beside it, so that a drift of the machine does not matter.
fc3d_collect() {
  main=${BENCH_SOLVER:-auto}
  say problem,contacts,solver,seconds >"$work/times"
  awk -F, '$1 == "fc3d" && $4 != "" { print $2, $4 }' "$work/fc3d" | sort -k1,1 -k2,2g | awk '
    $1 != last { if (n) print last, x[int((n + 1) / 2)]; n = 0; last = $1 }
    { x[++n] = $2 }
    END { if (n) print last, x[int((n + 1) / 2)] }' >"$work/main"
  awk -F, -v name="$main" -v mains="$work/main" '
    BEGIN { while ((getline line <mains) > 0) { split(line, x, " "); ours[x[1]] = x[2] } }
    $1 != "fc3d" { next }
    !seen[$2]++ { print $2 "," $3 ",nsds " name "," ($2 in ours ? ours[$2] : "inf") }
    $5 != "" {
      print $2 "," $3 ",siconos " $5 "," ($7 == "" ? "inf" : $8 == "" ? $7 : $8 * ours[$2])
    }' "$work/fc3d" >>"$work/times"
  for method in nsgs nonsmooth_newton admm interior_point; do
    if [ "$method" = "$main" ] || ! "$fc3d_ours" solvers | grep -qx "$method"; then continue; fi
    awk '$1 == "fc3d" && !seen[$2]++ { print $2 }' "$work/problems" | while read -r file; do
      name=$(basename "$file") taken=inf beside=''
      if run "$work/ours.out" "$fc3d_ours" "$file"; then beside=$(seconds "$work/ours.out"); fi
      if run "$work/ours.out" "$fc3d_ours" "$file" $method; then
        taken=$(awk -v name="$name" -v t="$(seconds "$work/ours.out")" -v beside="$beside" '
          $1 == name { ours = $2 }
          END { print beside != "" && ours != "" ? t / beside * ours : t }' "$work/main")
      fi
      say "$name,$(field contacts "$work/ours.out"),nsds $method,$taken" >>"$work/times"
    done
  done
  mv "$work/times" "$fc3d_times"
}

# Dolan and More: the share of problems that a solver solves within a factor of the fastest.
fc3d_profile() {
  fc3d_collect
  say "seconds of every solver: out/fc3d_times.csv"
  if ! command -v gnuplot >/dev/null 2>&1; then
    say "gnuplot is missing: no picture. To have it, $(how_to_install gnuplot-nox)"
    return 0
  fi
  awk -f "$root/bench/profile.awk" "$fc3d_times" >"$work/profile"
  ours=$(grep -c '^nsds' "$work/profile")
  number=$(awk -F, 'NR > 1 && !seen[$1]++ { ++n } END { print n }' "$fc3d_times")
  if gnuplot -c "$root/bench/profile.gp" "$work/profile" "$fc3d_picture" 1 "$ours" "$number" \
    2>"$work/stderr"; then
    say "performance profile: out/fc3d_profile.png"
  else
    say "gnuplot failed: $(sed -n '$p' "$work/stderr")"
  fi
}

say "friction problems; error at most 1e-8, at most $BENCH_SOLVE_LIMIT s per solve," \
  "median of $pairs runs"
printf '%-26s %8s | %11s | %-26s %11s | %8s\n' problem contacts 'ours [ms]' peer '[ms]' ratio
: >"$work/fc3d"
sort -s -k1,1 -k2,2 "$work/problems" >"$work/sorted"
while read -r name file steps variant _; do
  fc3d_row "$name" "$file" "$steps" "$variant"
done <"$work/sorted"
if grep -q '^fc3d ' "$work/problems"; then
  fc3d_summary
  fc3d_profile
fi
