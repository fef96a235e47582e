# Performance profile (Dolan, More 2002) for profile.gp, of lines PROBLEM,CONTACTS,SOLVER,SECONDS below
# one of names, "inf" where a problem is not solved: for each solver a block with its name and lines
# FACTOR,SHARE; those whose names begin with "nsds" come first.
BEGIN { FS = OFS = "," }
NR == 1 { next }
{ t[$1, $3] = $4 }
!($1 in problems) { problems[$1] = 1; file[++n] = $1 }
!($3 in solvers) { solvers[$3] = 1; if ($3 ~ /^nsds/) solver[++m] = $3; else peer[++others] = $3 }
$4 != "inf" && (!($1 in least) || $4 + 0 < least[$1]) { least[$1] = $4 + 0 }
END {
  for (s = 1; s <= others; ++s) solver[++m] = peer[s]
  for (s = 1; s <= m; ++s) {
    k = 0
    for (p = 1; p <= n; ++p) {
      x = t[file[p], solver[s]]
      if (x != "inf" && x != "") r[++k] = x / least[file[p]]
    }
    for (i = 2; i <= k; ++i)
      for (j = i; j > 1 && r[j] < r[j - 1]; --j) { x = r[j]; r[j] = r[j - 1]; r[j - 1] = x }
    print solver[s]
    print 1, 0
    for (i = 1; i <= k; ++i) print r[i], i / n
    print 1e9, k / n
    print "\n"
  }
}
