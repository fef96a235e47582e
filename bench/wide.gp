# Time over the number of contacts.
#
#   gnuplot -c wide.gp IN OUT.png SCALE METHODS TOLERANCE
#
# IN: for each method a block with its name and lines CONTACTS,SECONDS of the problems it solved.
call system(sprintf("dirname '%s'", ARG0))."/../examples/plots/style.gp" "900" "560" ARG2 ARG3
data = ARG1
methods = int(ARG4)
set title "Piles of spheres at rest: time of one solve from zero to a residual of ".ARG5
set xlabel "contacts"
set ylabel "seconds"
set logscale xy
set format x "10^{%T}"
set format y "10^{%T}"
set key left top Left reverse noenhanced
colours = "#0b5fa5 #c4432b #3aa655 #d9a514 #7b4fa3 #0b9aa5"
plot for [k = 0:methods - 1] data index k using 1:2 with linespoints pointtype 7 pointsize 0.7 \
  linecolor rgb word(colours, k % 6 + 1) linewidth k == 0 ? 2.5 : 1.2 title columnheader(1)
