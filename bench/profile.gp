# Performance profile (Dolan, More: Benchmarking optimization software with performance profiles,
# Math. Program. 91, 2002): for each solver the share of problems it solves within a factor of the
# fastest one's time.
#
#   gnuplot -c profile.gp IN OUT.png [SCALE [OURS [PROBLEMS [ERROR [TITLE]]]]]
#
# IN: for each solver a block with its name and lines FACTOR,SHARE (profile.awk); the first OURS of them
# are drawn solid (beyond eight with dots and dashes, as colours come again), the others dashed.
call system(sprintf("dirname '%s'", ARG0))."/../examples/plots/style.gp" "900" "600" ARG2 ARG3
data = ARG1
stats data using 1 nooutput
solvers = STATS_blocks - 1

ours = ARGC < 4 ? solvers : int(ARG4)
problems = ARGC < 5 ? "" : sprintf(" (%s problems)", ARG5)

error = ARGC < 6 ? "1e-8" : ARG6
title = ARGC < 7 ? "Friction in 3D: solvers" : ARG7
set title title.", time to an error of ".error.problems
set xlabel "time over the time of the fastest solver"
set ylabel "share of problems solved"
set logscale x
set format x "10^{%T}"
set xrange [1:1e5]
set yrange [0:1.02]
set key outside right center Left reverse noenhanced maxcols 1
colours = "#0b5fa5 #c4432b #3aa655 #d9a514 #7b4fa3 #0b9aa5 #8a8a8a #303030"
plot for [k = 0:solvers - 1] data index k using 1:2 with steps \
  linecolor rgb word(colours, k % 8 + 1) dashtype k < ours ? (k < 8 ? 1 : k < 16 ? 3 : 4) : 2 \
  linewidth k == 0 ? 2.5 : 1 title columnheader(1)
